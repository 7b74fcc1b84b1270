//! A second, naive model of a chouette night, written from the prose of the rules alone, to check the real
//! one against.
//!
//! Nothing here is clever or quick. A game is a list of pairs with a number each, the table a few lists of
//! players, and everything that can be counted is counted afresh whenever it is needed. It knows no events:
//! it gets the commands that were accepted, and of chance only the outcome ([`Heard`]). To undo something,
//! run the night again without it.
//!
//! * this file: the table, its commands and its queries;
//! * [`seats`]: coming, going, breaks, rolling for the order, partners;
//! * [`bets`]: a game from its start through ties and settlements to its end;
//! * [`cubes`]: doubles, their answers, and extras;
//! * [`restraint`]: what the box must treat alike;
//! * [`next`]: who sits where after a game;
//! * [`afterwards`]: corrections, players entered twice, payments.
//!
//! Games refereed on the board are not modelled.

mod afterwards;
mod bets;
mod cubes;
mod next;
mod restraint;
mod seats;

use std::collections::BTreeMap;

use self::afterwards::Finished;
use self::bets::{End, Game, Pair};
use crate::bet::{BetKind, Side};
use crate::command::Command;
use crate::rules::{HouseRules, PartnerWhen};
use owlbox_base::values::PlayerId;

/// What chance decided in a command, as the real table recorded it.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// The order that was drawn.
    pub line: Option<Vec<PlayerId>>,
    /// The player who became partner by lot.
    pub lot: Option<PlayerId>,
}

/// Why the prose forbids a command: the code of the refusal, or a word of our own where it names none.
pub type Why = &'static str;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Gathering,
    /// Some are tied and roll again.
    Rolling,
    /// The line stands, and no game is in progress.
    Between,
    Playing,
    Closed,
}

/// A running bet: the two players and the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Running {
    pub box_side: PlayerId,
    pub team_side: PlayerId,
    pub kind: BetKind,
    /// The cube's value; while an offer is pending, the value before it.
    pub value: i64,
    pub owner: Option<Side>,
    /// Who has offered the cube, and its value if the offer is taken.
    pub offered: Option<(Side, i64)>,
}

/// The rows of the table of who sits where next, as [`Naive::rows`] names them.
pub const ROWS: [Why; 11] = [
    "all dropped",
    "the box dropped all",
    "double stand-up",
    "nobody else",
    "last standing lost",
    "last standing is captain",
    "last standing won",
    "keeps, captain won",
    "keeps, captain lost",
    "loses, captain won",
    "loses, captain lost",
];

/// A night, as the prose describes it.
#[derive(Clone, Debug)]
pub struct Naive {
    /// The house rules in force.
    rules: HouseRules,
    closed: bool,
    /// Before the line stands: the players present in groups, each sitting before the next. While gathering,
    /// all are one group. `None` once the line stands.
    groups: Option<Vec<Vec<PlayerId>>>,
    rolled: bool,
    /// Box, captain and crew, including those who rest and keep their place.
    line: Vec<PlayerId>,
    /// On a break, with the place kept.
    resting: Vec<PlayerId>,
    /// On a break, with the place lost.
    away: Vec<PlayerId>,
    waiting: Vec<PlayerId>,
    partners: Vec<PlayerId>,
    stood_up: Vec<PlayerId>,
    /// Newcomers of the last game and since.
    newcomers: Vec<PlayerId>,
    /// Everybody who was ever at the table.
    known: Vec<PlayerId>,
    may_decline: Option<PlayerId>,
    /// Those still to be asked whether they want to be partner.
    offer: Option<Vec<PlayerId>>,
    units: BTreeMap<PlayerId, i64>,
    starts: BTreeMap<PlayerId, i64>,
    /// The box with whom the starts were agreed.
    box_before: Option<PlayerId>,
    /// The number of ties carried over into the next game.
    carried: i64,
    game: Option<Game>,
    finished: Vec<Finished>,
    payments: Vec<(PlayerId, PlayerId, i64)>,
}

impl Naive {
    pub fn new(rules: HouseRules) -> Self {
        Self {
            rules,
            closed: false,
            groups: Some(vec![Vec::new()]),
            rolled: false,
            line: Vec::new(),
            resting: Vec::new(),
            away: Vec::new(),
            waiting: Vec::new(),
            partners: Vec::new(),
            stood_up: Vec::new(),
            newcomers: Vec::new(),
            known: Vec::new(),
            may_decline: None,
            offer: None,
            units: BTreeMap::new(),
            starts: BTreeMap::new(),
            box_before: None,
            carried: 0,
            game: None,
            finished: Vec::new(),
            payments: Vec::new(),
        }
    }

    /// Applies a command that the real table accepted.
    pub fn hear(&mut self, command: &Command, heard: &Heard) -> Result<(), Why> {
        let mut after = self.clone();
        after.tell(command, heard)?;
        *self = after;
        Ok(())
    }

    /// Whether the prose allows the command now.
    pub fn allows(&self, command: &Command) -> bool {
        self.why_not(command).is_none()
    }

    /// Why the prose forbids the command now; `None` if it does not.
    pub fn why_not(&self, command: &Command) -> Option<Why> {
        self.clone().tell(command, &Heard::default()).err()
    }

    fn tell(&mut self, command: &Command, heard: &Heard) -> Result<(), Why> {
        if self.closed && !matches!(command, Command::Correct { .. } | Command::Pay { .. }) {
            return Err("closed");
        }
        let acting = self.acting_captain();
        if let Some(game) = &mut self.game {
            game.acting_before = acting;
        }
        match command {
            Command::Open { .. } => Err("already_open"),
            Command::ChangeRules { rules } => self.change_rules(rules),
            Command::Close {} => self.close(),
            Command::Split { players, .. } => self.split(players),
            Command::MergeInto { .. } => self.close(),
            Command::Join { player } => self.join(*player),
            Command::Leave { player, proxy } => self.leave(*player, *proxy),
            Command::Break { player, proxy } => self.take_a_break(*player, *proxy),
            Command::Return { player } => self.come_back(*player),
            Command::NameProxy { player, proxy } => self.name_proxy(*player, *proxy),
            Command::MergePlayers { duplicate, player } => self.merge_players(*duplicate, *player),
            Command::SetStake { player, units } => self.set_stake(*player, (*units).into()),
            Command::SetStart { player, value } => self.set_start(*player, value.get().into()),
            Command::DrawOrder {} => self.draw_order(heard),
            Command::EnterRolls { rolls } => self.enter_rolls(rolls),
            Command::SetOrder { line } => self.set_order(line),
            Command::OfferPartnership {} => self.offer_partnership(),
            Command::AcceptPartnership { player } => self.accept_partnership(*player),
            Command::DeclinePartnership { player } => self.decline_partnership(*player, heard),
            Command::DeclineBox { player } => self.decline_box(*player),
            Command::StartGame { variant, .. } => self.start_game(*variant),
            Command::OpeningTie { double } => self.opening_tie(*double),
            Command::Double { player, against, rolled } => self.doubles(*player, against.as_deref(), *rolled),
            Command::Take { player, against } => {
                self.answer(*player, against.as_deref(), cubes::Answer::Take)
            }
            Command::Drop { player, against } => {
                self.answer(*player, against.as_deref(), cubes::Answer::Drop)
            }
            Command::Beaver { player, against } => {
                self.answer(*player, against.as_deref(), cubes::Answer::Beaver)
            }
            Command::GiveExtra { player } => self.extra(*player, true),
            Command::PassExtra { player } => self.extra(*player, false),
            Command::PlayOn {} => self.play_on(),
            Command::Settle { bets, counts_for } => self.settle(bets, *counts_for),
            Command::Board { .. } => Err("not told here"),
            Command::Finish { winner, win } => self.finish(*winner, *win),
            Command::Correct { game, winner, win, bets } => self.correct(*game, *winner, *win, bets),
            Command::Pay { payer, payee, amount } => self.pay(*payer, *payee, *amount),
        }
    }

    pub fn phase(&self) -> Phase {
        if self.closed {
            Phase::Closed
        } else if self.groups.is_some() {
            if self.rolled { Phase::Rolling } else { Phase::Gathering }
        } else if self.game.is_some() {
            Phase::Playing
        } else {
            Phase::Between
        }
    }

    /// Scores of the finished games, in half points.
    pub fn booked(&self) -> BTreeMap<PlayerId, i64> {
        let mut scores: BTreeMap<PlayerId, i64> = self.known.iter().map(|player| (*player, 0)).collect();
        for (winner, loser, points) in self.finished.iter().flat_map(Finished::paid) {
            *scores.entry(winner).or_default() += points;
            *scores.entry(loser).or_default() -= points;
        }
        scores
    }

    /// Scores including what is already settled of the game in progress, in half points.
    pub fn scores(&self) -> BTreeMap<PlayerId, i64> {
        let mut scores = self.booked();
        for pair in self.game.iter().flat_map(|game| &game.pairs) {
            if let Some(end) = pair.end {
                *scores.entry(pair.on(end.winner)).or_default() += end.points;
                *scores.entry(pair.on(end.winner.other())).or_default() -= end.points;
            }
        }
        scores
    }

    /// What everybody is owed, in half points: what they won, plus what they paid, minus what they were paid.
    pub fn debts(&self) -> BTreeMap<PlayerId, i64> {
        let mut debts = self.booked();
        for (payer, payee, amount) in &self.payments {
            *debts.entry(*payer).or_default() += amount;
            *debts.entry(*payee).or_default() -= amount;
        }
        debts
    }

    /// The line: box, captain and crew, including those who rest and keep their place.
    pub fn line(&self) -> Vec<PlayerId> {
        self.line.clone()
    }

    /// Those in the line who are not resting.
    pub fn active_line(&self) -> Vec<PlayerId> {
        self.line().into_iter().filter(|player| !self.resting.contains(player)).collect()
    }

    /// The box of this game, or of the next.
    pub fn box_player(&self) -> Option<PlayerId> {
        self.game.as_ref().map(|game| game.box_player).or_else(|| self.active_line().first().copied())
    }

    /// The captain of this game as the rotation sees it, or of the next.
    pub fn captain(&self) -> Option<PlayerId> {
        self.game.as_ref().map(|game| game.captain).or_else(|| self.active_line().get(1).copied())
    }

    /// The first member still in who is not on a break; if all are, the first still in.
    pub fn acting_captain(&self) -> Option<PlayerId> {
        let game = self.game.as_ref()?;
        let still_in: Vec<PlayerId> = game
            .order
            .iter()
            .copied()
            .filter(|who| game.pairs.iter().any(|pair| pair.runs() && pair.team_side == *who))
            .collect();
        still_in.iter().copied().find(|who| self.is_here(*who)).or_else(|| still_in.first().copied())
    }

    /// The partners of the box, in this game or the next.
    pub fn partners(&self) -> Vec<PlayerId> {
        self.game.as_ref().map_or_else(|| self.partners.clone(), |game| game.partners.clone())
    }

    /// Players waiting for the game to end.
    pub fn waiting(&self) -> Vec<PlayerId> {
        self.waiting.clone()
    }

    /// Players on a break, with or without their place kept.
    pub fn resting(&self) -> Vec<PlayerId> {
        self.resting.iter().chain(&self.away).copied().collect()
    }

    pub fn bets(&self) -> Vec<Running> {
        let mut bets: Vec<Running> = self
            .game
            .iter()
            .flat_map(|game| &game.pairs)
            .filter(|pair| pair.runs())
            .map(|pair| Running {
                box_side: pair.box_side,
                team_side: pair.team_side,
                kind: pair.kind,
                value: pair.value,
                owner: pair.owner,
                offered: pair.offer.map(|offer| (offer.by, offer.to)),
            })
            .collect();
        bets.sort();
        bets
    }

    /// Everybody who owes an answer, even if it is not their turn to give it yet.
    pub fn waiting_for_answers(&self) -> Vec<PlayerId> {
        let Some(game) = &self.game else { return Vec::new() };
        let mut all: Vec<PlayerId> = game
            .pairs
            .iter()
            .filter_map(|pair| pair.offer.filter(|_| pair.runs()).map(|offer| pair.on(offer.by.other())))
            .collect();
        all.extend(game.must_beaver);
        all.extend(game.asking.as_ref().and_then(|asking| match asking.asked.first() {
            Some(first) => Some(*first),
            None => asking.answers.then_some(asking.taker),
        }));
        all.sort();
        all.dedup();
        all
    }

    /// The players whose offered extras the lone taker has still to answer.
    pub fn offered_extras(&self) -> Vec<PlayerId> {
        let asking = self.game.as_ref().and_then(|game| game.asking.as_ref());
        asking.filter(|asking| asking.answers).map(|asking| asking.gave.clone()).unwrap_or_default()
    }

    /// For each finished game, the row of the table of who sits where next that applied.
    pub fn rows(&self) -> Vec<Why> {
        self.finished.iter().map(|finished| finished.row).collect()
    }

    /// The house rules in force.
    pub fn rules(&self) -> &HouseRules {
        &self.rules
    }

    /// The bets of a finished game, as the books have them.
    pub fn finished_game(&self, game: usize) -> Option<Vec<(PlayerId, PlayerId, i64)>> {
        self.finished.get(game.checked_sub(1)?).map(Finished::paid)
    }

    /// The winning side of each finished game.
    pub fn winners(&self) -> Vec<Side> {
        self.finished.iter().map(|finished| finished.winner).collect()
    }

    /// The number of finished games.
    pub fn games(&self) -> usize {
        self.finished.len()
    }

    fn change_rules(&mut self, rules: &HouseRules) -> Result<(), Why> {
        self.no_game()?;
        if rules.check().is_err() {
            return Err("contradiction");
        }
        self.rules = rules.clone();
        self.offer = None;
        self.partners_left(match (rules.partner.when, rules.partner.second_from) {
            (PartnerWhen::Off, _) => 0,
            (_, None) => 1,
            (_, Some(_)) => 2,
        });
        self.seats_changed();
        Ok(())
    }

    fn close(&mut self) -> Result<(), Why> {
        self.no_game()?;
        self.closed = true;
        Ok(())
    }

    fn no_game(&self) -> Result<(), Why> {
        if self.game.is_some() { Err("game_in_progress") } else { Ok(()) }
    }

    fn between(&self) -> Result<(), Why> {
        self.no_game()?;
        if self.groups.is_some() { Err("no_order") } else { Ok(()) }
    }

    fn cap(&self) -> i64 {
        self.rules.cube_limit().get().into()
    }
}

/// The value of a cube in a pair, in half points.
fn worth(pair: &Pair, value: i64) -> i64 {
    value * pair.units * 2
}

/// The end of a bet that `winner` won.
fn won(winner: Side, points: i64, by: crate::bet::SettledBy) -> End {
    End { winner, points, by, counts_for: winner }
}
