//! A game, from its start through opening ties and settlements to its end (C6, C9, G14, Q2 to Q4).

use std::collections::BTreeMap;

use super::cubes::{Answer, Asking, Turn};
use super::{Naive, Why, won, worth};
use crate::bet::{BetKind, SettledBy, Side};
use crate::command::Settlement;
use crate::rules::{Jacoby, LaterAutomatics, LoneTaker, OtherGames, Settlements, Stakes, TakersMoveUp};
use owlbox_base::values::PlayerId;
use owlbox_engine::{Variant, Win};

#[derive(Clone, Copy, Debug)]
pub struct Offer {
    pub by: Side,
    pub before: i64,
    pub to: i64,
    /// 0 is a double, 1 a beaver, 2 a raccoon.
    pub number: u8,
    /// The side that will own the cube, if somebody has beavered.
    pub keeper: Option<Side>,
}

#[derive(Clone, Copy, Debug)]
pub struct End {
    pub winner: Side,
    pub points: i64,
    pub by: SettledBy,
    pub counts_for: Side,
}

/// Two players and their bet.
#[derive(Clone, Debug)]
pub struct Pair {
    pub box_side: PlayerId,
    pub team_side: PlayerId,
    pub kind: BetKind,
    pub units: i64,
    pub start: i64,
    /// The cube's value when the game began; automatic doubles come after that.
    pub began: i64,
    pub value: i64,
    pub owner: Option<Side>,
    pub offer: Option<Offer>,
    pub end: Option<End>,
}

impl Pair {
    pub fn on(&self, side: Side) -> PlayerId {
        if side == Side::Box { self.box_side } else { self.team_side }
    }
    pub fn has(&self, player: PlayerId) -> bool {
        self.box_side == player || self.team_side == player
    }
    pub fn runs(&self) -> bool {
        self.end.is_none()
    }
    pub fn is_member(&self) -> bool {
        self.kind == BetKind::Member
    }
}

/// Who decides for a player who has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proxy {
    Named(PlayerId),
    Captain,
}

/// The game in progress, bet by bet.
#[derive(Clone, Debug)]
pub struct Game {
    /// Whether it is one of the two games without cube and backgammon (V4).
    pub tavli: bool,
    pub box_player: PlayerId,
    pub partners: Vec<PlayerId>,
    /// The captain as the rotation sees it.
    pub captain: PlayerId,
    /// The acting captain before the current command.
    pub acting_before: Option<PlayerId>,
    /// The line behind the box; those who rest or have left keep their place in it.
    pub order: Vec<PlayerId>,
    /// The number of players: box, partners, members.
    pub playing: usize,
    pub pairs: Vec<Pair>,
    /// The number of opening ties that have doubled, including those carried over.
    pub automatics: i64,
    /// Whether anything but ties has happened.
    pub touched: bool,
    pub turns: u32,
    pub turn: Option<Turn>,
    /// The turn in which the box first doubled, and first answered.
    pub first_double: Option<u32>,
    pub first_answer: Option<u32>,
    pub hidden: BTreeMap<PlayerId, Answer>,
    pub asking: Option<Asking>,
    /// The lone taker who has to beaver or drop now.
    pub must_beaver: Option<PlayerId>,
    pub proxies: BTreeMap<PlayerId, Proxy>,
    /// The last of the box's bets to end before the game was played out: the side that counts as its winner,
    /// and whether the member dropped it. Bets among members do not concern the box.
    pub last_of_the_box: Option<(Side, bool)>,
}

impl Naive {
    pub(super) fn start_game(&mut self, variant: Option<Variant>) -> Result<(), Why> {
        let other = variant.is_some_and(|variant| variant != self.rules.game.variant);
        if other && self.rules.other_games == OtherGames::NotAllowed {
            return Err("not_in_rules");
        }
        // The other two games of Tavli have no cube, so no rule of the table may be about one (V4).
        let variant = variant.unwrap_or(self.rules.game.variant);
        let tavli = matches!(variant, Variant::Plakoto | Variant::Fevga);
        let no_cube = self.rules.cube_cap.is_some_and(|cap| cap.get() == 1)
            && self.rules.jacoby == Jacoby::Off
            && self.rules.automatics.at_most == Some(0);
        if other && tavli && !no_cube {
            return Err("contradictory_rules");
        }
        self.between()?;
        let partner_due = self.partner_due();
        self.team_of_two();
        let active = self.active_line();
        if active.len() < self.rules.players_needed() {
            return Err("too_few_players");
        }
        // Nobody waits for a split that cannot happen: three must leave, and enough for a game stay.
        let can_split = self.ready().len() >= 3 + self.rules.players_needed();
        if can_split && self.present().len() > self.rules.table_size.at_most.get() {
            return Err("split_due");
        }
        if partner_due {
            return Err("partner_due");
        }
        let carried = self.carried_in();
        let box_player = active[0];
        let pairs = active[1..].iter().map(|member| self.opened(box_player, *member, carried)).collect();
        let order = self.line.iter().copied().filter(|player| *player != box_player).collect();
        self.offer = None;
        self.may_decline = None;
        self.carried = 0;
        self.game = Some(Game {
            tavli,
            box_player,
            partners: self.partners.clone(),
            captain: active[1],
            acting_before: None,
            order,
            playing: active.len() + self.partners.len(),
            pairs,
            automatics: carried,
            touched: false,
            turns: 0,
            turn: None,
            first_double: None,
            first_answer: None,
            hidden: BTreeMap::new(),
            asking: None,
            must_beaver: None,
            proxies: BTreeMap::new(),
            last_of_the_box: None,
        });
        Ok(())
    }

    fn carried_in(&self) -> i64 {
        match self.rules.automatics.at_most {
            Some(most) => self.carried.min(most.into()),
            None => self.carried,
        }
    }

    /// The stake of a pair: the lower of the two.
    pub(super) fn units_of(&self, one: PlayerId, other: PlayerId) -> i64 {
        if self.rules.stakes != Stakes::LowerOfTwo {
            return 1;
        }
        let units = |player| self.units.get(&player).copied().unwrap_or(1);
        units(one).min(units(other))
    }

    fn opened(&self, box_player: PlayerId, member: PlayerId, carried: i64) -> Pair {
        let start = match self.rules.stakes {
            Stakes::OwnStart => self.starts.get(&member).copied().unwrap_or(1).min(self.cap()),
            _ => 1,
        };
        let mut value = start;
        for _ in 0..carried {
            if value * 2 <= self.cap() {
                value *= 2;
            }
        }
        Pair {
            box_side: box_player,
            team_side: member,
            kind: BetKind::Member,
            units: self.units_of(box_player, member),
            start: value,
            began: value,
            value,
            owner: None,
            offer: None,
            end: None,
        }
    }

    pub(super) fn opening_tie(&mut self, double: Option<bool>) -> Result<(), Why> {
        let cap = self.cap();
        let rules = self.rules.automatics;
        let game = self.game.as_mut().ok_or("no_game")?;
        if game.touched {
            return Err("too_late");
        }
        let within = rules.at_most.is_none_or(|most| game.automatics < most.into());
        let can_rise = |pair: &Pair| pair.owner.is_none() && pair.value * 2 <= cap;
        let doubles = within && game.pairs.iter().any(can_rise);
        // A tie that doubles nothing, because of the limit or the cap, doubles the next game if the house
        // carries ties over.
        let carries =
            !doubles && rules.carry_over && rules.at_most.is_some_and(|most| self.carried < most.into());
        if double == Some(false) {
            let later = rules.later == LaterAutomatics::BoxChooses && game.automatics > 0;
            // A tie that would have no effect may be declined.
            return if later || !(doubles || carries) { Ok(()) } else { Err("automatic_compulsory") };
        }
        if doubles {
            for pair in game.pairs.iter_mut().filter(|pair| can_rise(pair)) {
                pair.value *= 2;
                pair.start = pair.value;
            }
            game.automatics += 1;
        } else if carries {
            self.carried += 1;
        }
        Ok(())
    }

    pub(super) fn settle(&mut self, settled: &[Settlement], counts_for: Option<Side>) -> Result<(), Why> {
        self.nothing_must_come_first()?;
        if self.rules.settlements == Settlements::Forbidden {
            return Err("no_settlements");
        }
        if settled.is_empty() {
            return Err("bad_choice");
        }
        let smallest = self.rules.smallest_unit();
        let game = self.game.as_mut().ok_or("no_game")?;
        let mut captains = false;
        let mut done: Vec<usize> = Vec::new();
        for one in settled {
            let found = game.pairs.iter().position(|pair| {
                pair.runs() && pair.has(one.payer) && pair.has(one.payee) && one.payer != one.payee
            });
            let place = found.ok_or("no_such_opponent")?;
            if done.contains(&place) {
                return Err("bad_choice");
            }
            done.push(place);
            let pair = &game.pairs[place];
            if pair.offer.is_some() {
                return Err("offer_pending");
            }
            let points = one.points.0;
            if points < 0 || points > 3 * worth(pair, pair.value) || points % smallest != 0 {
                return Err("bad_amount");
            }
            captains |= pair.is_member() && pair.team_side == game.captain;
        }
        if captains != counts_for.is_some() {
            return Err("counts_for");
        }
        // Of several bets settled at once, the captain's decides who won, as the table named it; without it,
        // that of the last in line.
        let mut captains_said = false;
        let mut in_order: Vec<_> = done.into_iter().zip(settled).collect();
        in_order.sort_by_key(|(place, _)| *place);
        for (place, one) in in_order {
            let captain = game.captain;
            let pair = &mut game.pairs[place];
            let winner = if one.payee == pair.box_side { Side::Box } else { Side::Team };
            let mut end = won(winner, one.points.0, SettledBy::Settlement);
            if pair.is_member() && pair.team_side == captain {
                end.counts_for = counts_for.unwrap_or(winner);
            }
            pair.end = Some(end);
            if pair.is_member() && !captains_said {
                captains_said = pair.team_side == captain;
                game.last_of_the_box = Some((end.counts_for, false));
            }
        }
        game.touched = true;
        game.asking = None;
        self.settle_down();
        Ok(())
    }

    /// Checks that nothing has to be answered before anything else happens.
    pub(super) fn nothing_must_come_first(&self) -> Result<(), Why> {
        let game = self.game.as_ref().ok_or("no_game")?;
        if game.must_beaver.is_some() {
            return Err("must_beaver_or_drop");
        }
        let or_drop = self.rules.lone_taker.rule == LoneTaker::ExtrasOrDrop;
        if game.asking.as_ref().is_some_and(|asking| or_drop && !asking.gave.is_empty()) {
            return Err("extras_pending");
        }
        Ok(())
    }

    pub(super) fn play_on(&mut self) -> Result<(), Why> {
        self.nothing_must_come_first()?;
        let game = self.game.as_mut().ok_or("no_game")?;
        if game.pairs.iter().any(|pair| pair.runs() && pair.offer.is_some()) {
            return Err("offer_pending");
        }
        if game.turn.is_none() {
            return Err("nothing_to_end");
        }
        game.turn = None;
        game.asking = None;
        game.touched = true;
        Ok(())
    }

    pub(super) fn finish(&mut self, winner: Side, win: Win) -> Result<(), Why> {
        if win == Win::Backgammon && self.game.as_ref().is_some_and(|game| game.tavli) {
            return Err("no_such_win");
        }
        self.nothing_must_come_first()?;
        let jacoby = self.rules.jacoby == Jacoby::On;
        let game = self.game.as_mut().ok_or("no_game")?;
        if game.pairs.iter().any(|pair| pair.runs() && pair.offer.is_some()) {
            return Err("offer_pending");
        }
        for pair in game.pairs.iter_mut().filter(|pair| pair.runs()) {
            let points = played_out(pair, win, jacoby);
            pair.end = Some(won(winner, points, SettledBy::Game));
        }
        self.game_over(winner, Some(win));
        Ok(())
    }

    /// After every command of the game: works out who is captain, and whether the game is over.
    pub(super) fn settle_down(&mut self) {
        // A taker has moved up even if the last drop settles the take and ends the game.
        self.takers_move_up();
        let Some(game) = &mut self.game else { return };
        if game.pairs.iter().all(|pair| !pair.runs()) {
            let winner = game.last_of_the_box.map_or(Side::Box, |(winner, _)| winner);
            self.game_over(winner, None);
            return;
        }
        self.captain_becomes();
    }

    /// Sorts the places of those who took or dropped the box's latest offer, so that the takers sit first
    /// (Q7).
    fn takers_move_up(&mut self) {
        let line = self.rules.takers_move_up == TakersMoveUp::Line;
        let Some(game) = self.game.as_mut().filter(|_| line) else { return };
        let waits = |pair: &Pair| pair.offer.is_some_and(|offer| offer.by == Side::Box);
        if game.pairs.iter().any(|pair| pair.runs() && pair.is_member() && waits(pair)) {
            return;
        }
        let Some(turn) = game.turn.as_ref().filter(|turn| turn.side == Side::Box) else { return };
        let dropped: Vec<PlayerId> = turn.dropped.clone();
        let took = |who: &PlayerId| turn.took.contains(who) || turn.beavered.contains(who);
        let places: Vec<usize> = (0..game.order.len())
            .filter(|at| dropped.contains(&game.order[*at]) || took(&game.order[*at]))
            .collect();
        let mut sorted: Vec<PlayerId> = places.iter().map(|at| game.order[*at]).collect();
        sorted.sort_by_key(|who| dropped.contains(who));
        for (at, who) in places.into_iter().zip(sorted) {
            game.order[at] = who;
        }
    }

    /// If the captain has dropped, the next member still in becomes captain (Q8).
    fn captain_becomes(&mut self) {
        let becomes = self.rules.captain_drops == crate::rules::CaptainDrops::Becomes;
        let Some(game) = &mut self.game else { return };
        let captain = game.captain;
        let box_waits = game
            .pairs
            .iter()
            .any(|pair| pair.runs() && pair.is_member() && pair.offer.is_some_and(|o| o.by == Side::Box));
        let dropped = game.pairs.iter().any(|pair| {
            pair.is_member()
                && pair.team_side == captain
                && pair.end.is_some_and(|end| end.by == SettledBy::Drop && end.winner == Side::Box)
        });
        let in_still = |who: PlayerId| game.pairs.iter().any(|pair| pair.runs() && pair.team_side == who);
        let next = game.order.iter().copied().find(|who| in_still(*who));
        if let Some(next) = next.filter(|_| becomes && dropped && !box_waits && !in_still(captain)) {
            game.captain = next;
            game.order.retain(|who| *who != captain);
            game.order.push(captain);
        }
    }
}

/// The value of a pair's cube at the end of a game, in half points.
pub fn played_out(pair: &Pair, win: Win, jacoby: bool) -> i64 {
    let times = match win {
        Win::Single => 1,
        Win::Gammon => 2,
        Win::Backgammon => 3,
    };
    let times = if jacoby && pair.owner.is_none() { 1 } else { times };
    worth(pair, pair.value) * times
}
