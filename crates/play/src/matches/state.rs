//! The state of a sheet, folded from its events.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::board::Board;
use super::command::InBracket;
use super::event::{DecidedBy, Event};
use super::game::{EnteredBy, Entry, LineContent, SheetStanding, Source, Vouched, Won};
use super::terms::{MatchOfTournament, Terms};
use crate::matches::clock::{Clock, ClockSetting};
use crate::matches::score::{Length, MatchTally};
use crate::matches::{Outcome, Slot};
use owlbox_base::journal::shared::Viewer;
use owlbox_base::values::{HalfPoints, PlayerId, Timestamp};
use owlbox_engine::game::GameRules;

/// The most games that a sheet may have.
pub const MOST_GAMES: u32 = 1_000;
const _: () = assert!(owlbox_engine::record::MOST_GAMES == 1_000);

/// Whether a sheet is open for play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schema(as = SheetStatus))]
pub enum Status {
    /// The sheet has not been opened.
    #[default]
    Unopened,
    /// The sheet is open for play.
    Open,
    /// The match is adjourned for later.
    Adjourned,
    /// The match has its outcome, or is now played by others, or the session is closed.
    Over,
}

/// The sheet of a match or a money session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    opened: Option<Opened>,
    entries: Vec<Entry>,
    board: Option<Board>,
    file: Option<Arc<str>>,
    clock: Option<Clock>,
    adjourned: bool,
    result: Option<(DecidedBy, Outcome)>,
    /// Who entered the final score, if only that was entered, and whether it is contested.
    stated: Vouched,
    /// How often each side has contested an entry that had never been contested before.
    first_contests: [u32; 2],
    claim: Option<(Slot, [u16; 2])>,
    detached: bool,
    closed: bool,
    /// The side that has won the match's stake in the books.
    stake_won: Option<Slot>,
    /// What the upper slot has paid the lower, minus what the lower has paid the upper, in minor units.
    paid: i64,
    finished_at: Option<Timestamp>,
}

/// The terms it was opened with, and the current setting of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Opened {
    players: [PlayerId; 2],
    terms: Terms,
    clock: Option<ClockSetting>,
    of: Option<MatchOfTournament>,
    booked: bool,
    at: Timestamp,
}

impl Sheet {
    /// Takes out what was paid for it, if the viewer may not see that.
    pub(crate) const fn redact(&mut self, viewer: &Viewer) {
        if !viewer.sees_payments {
            (self.stake_won, self.paid) = (None, 0);
        }
    }

    #[must_use]
    pub const fn status(&self) -> Status {
        match (&self.opened, self.adjourned) {
            (None, _) => Status::Unopened,
            _ if self.result.is_some() || self.closed || self.detached => Status::Over,
            (_, true) => Status::Adjourned,
            (_, false) => Status::Open,
        }
    }

    /// The players in the upper and the lower slot; `None` before the sheet is opened.
    #[must_use]
    pub fn players(&self) -> Option<[PlayerId; 2]> {
        self.opened.map(|opened| opened.players)
    }

    /// The player in a slot; `None` before the sheet is opened.
    #[must_use]
    pub fn player(&self, slot: Slot) -> Option<PlayerId> {
        self.players().map(|players| slot.choose(players))
    }

    /// The slot of a player; `None` if they do not play here.
    #[must_use]
    pub fn slot_of(&self, player: PlayerId) -> Option<Slot> {
        let players = self.players()?;
        Slot::BOTH.into_iter().find(|slot| players[slot.at()] == player)
    }

    /// The terms of play; `None` before the sheet is opened.
    #[must_use]
    pub fn terms(&self) -> Option<Terms> {
        self.opened.map(|opened| opened.terms)
    }

    /// The length of the match; `None` for a money session.
    #[must_use]
    pub fn length(&self) -> Option<Length> {
        self.terms()?.length()
    }

    /// The tournament match this sheet belongs to; `None` if there is none.
    #[must_use]
    pub fn tournament_match(&self) -> Option<MatchOfTournament> {
        self.opened?.of
    }

    /// The side that alone has reported a final score, with that score.
    #[must_use]
    pub const fn claim(&self) -> Option<(Slot, [u16; 2])> {
        self.claim
    }

    /// Whether the match is now played by others in its tournament: the sheet has no outcome, and nothing
    /// more happens on it.
    #[must_use]
    pub const fn is_detached(&self) -> bool {
        self.detached
    }

    /// The sheet's state as the bracket of its tournament knows it; the two always agree.
    #[must_use]
    pub fn says(&self) -> InBracket {
        if self.detached { InBracket::Others } else { InBracket::Theirs(self.outcome()) }
    }

    /// Whether one side has its points but the match has no outcome: only one side has [reported
    /// it](Self::claim), or the director has revoked the outcome and a game is still wrong.
    #[must_use]
    pub fn score_is_open(&self) -> bool {
        self.status() != Status::Over && self.tally().is_some_and(|tally| tally.winner().is_some())
    }

    /// Who entered a game, or (`None`) the final score on its own, and whether it is contested; `None` if
    /// there is no such entry.
    #[must_use]
    pub fn vouched(&self, game: Option<u32>) -> Option<Vouched> {
        match game {
            Some(game) => self.games().find(|(number, _)| *number == game).map(|(_, entry)| entry.vouched),
            None => self.decided_by().filter(|by| *by == DecidedBy::Stated {}).map(|_| self.stated),
        }
    }

    /// Whether any entry is contested: the match is not rated until a scorer has ruled.
    #[must_use]
    pub fn is_contested(&self) -> bool {
        self.stated.contested_by.is_some()
            || self.entries.iter().any(|entry| entry.vouched.contested_by.is_some())
    }

    /// Whether this entry - a game, or the final score as `None` - exists and has never been contested.
    #[must_use]
    pub fn was_never_contested(&self, game: Option<u32>) -> bool {
        self.vouched(game).is_some_and(|vouched| !vouched.was_contested)
    }

    /// How often this side has contested an entry that had never been contested before.
    #[must_use]
    pub const fn first_contests(&self, by: Slot) -> u32 {
        self.first_contests[by.at()]
    }

    /// The contestable entries for which `holds` is true: games by number, and the final score as `None`.
    pub(super) fn of_which(&self, holds: impl Fn(Vouched) -> bool) -> Vec<Option<u32>> {
        let games = self.games().filter(|(_, entry)| holds(entry.vouched)).map(|(number, _)| Some(number));
        games.chain(self.vouched(None).filter(|stated| holds(*stated)).map(|_| None)).collect()
    }

    /// Whether it is posted to the books: the games of a session, or the stake of a match.
    #[must_use]
    pub fn is_booked(&self) -> bool {
        self.opened.is_some_and(|opened| opened.booked)
    }

    /// The setting of the clock; `None` if there is no clock.
    #[must_use]
    pub fn clock_setting(&self) -> Option<ClockSetting> {
        self.opened?.clock
    }

    /// The clock with its running state; `None` if there is no clock.
    #[must_use]
    pub const fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    #[must_use]
    pub fn opened_at(&self) -> Option<Timestamp> {
        self.opened.map(|opened| opened.at)
    }

    /// When the match got its outcome, the session was closed, or others took the match over.
    #[must_use]
    pub const fn finished_at(&self) -> Option<Timestamp> {
        self.finished_at
    }

    /// The outcome of the match, as a bracket takes it; `None` while it goes on, and for a money session.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.result.map(|(_, outcome)| outcome)
    }

    #[must_use]
    pub fn decided_by(&self) -> Option<DecidedBy> {
        self.result.map(|(by, _)| by)
    }

    /// The lines of the sheet, in order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The games in order, each with its number and line.
    pub fn games(&self) -> impl Iterator<Item = (u32, &Entry)> {
        (1..).zip(self.entries.iter().filter(|entry| entry.what.is_game()))
    }

    /// The number of games that are over.
    #[must_use]
    pub fn games_over(&self) -> u32 {
        self.games().last().map_or(0, |(number, _)| number)
    }

    /// The current score; `None` before the sheet is opened.
    #[must_use]
    pub fn standing(&self) -> Option<SheetStanding> {
        let terms = self.terms()?;
        Some(self.entries.last().map_or_else(|| SheetStanding::before(terms), |entry| entry.standing))
    }

    /// The side that owes, and how much, in minor units of the stake's currency; `None` if they are even or
    /// no money is played for. While something is contested: the amount owed at least, whichever way it is
    /// ruled. So nobody has to pay back what they were paid just because it is contested.
    #[must_use]
    pub fn owed(&self) -> Option<(Slot, i64)> {
        let terms = self.terms()?;
        let [least, most] = match terms {
            Terms::Match { .. } => self.stakes_won_by_the_upper(),
            Terms::Money { .. } => self.won_by_the_upper()?,
        };
        let stake = terms.stake()?;
        let owed = |stakes: i64| Some(stake.worth(HalfPoints(2 * stakes))?.0 + self.paid);
        match (owed(least)?, owed(most)?) {
            (least, _) if least > 0 => Some((Slot::Lower, least)),
            (_, most) if most < 0 => Some((Slot::Upper, -most)),
            _ => None,
        }
    }

    /// The side that has won the match's stake in the books; `None` if neither, or if there is no stake.
    #[must_use]
    pub const fn stake_won(&self) -> Option<Slot> {
        self.stake_won
    }

    /// The side that the match's stake is due to: nobody while the match goes on, or while a contest leaves
    /// open who has won it.
    pub(super) fn stake_due(&self) -> Option<Slot> {
        self.outcome().filter(|_| !self.debt_is_contested())?.winner
    }

    /// Whether a contest leaves open who owes what: nothing can be paid meanwhile. A director's ruling on a
    /// match stands whatever is contested of its games.
    #[must_use]
    pub fn debt_is_contested(&self) -> bool {
        self.is_contested() && self.decided_by() != Some(DecidedBy::Ruling {})
    }

    /// How many stakes of the match the upper slot has won from the lower, at least and at most: a contest
    /// may be ruled either way.
    fn stakes_won_by_the_upper(&self) -> [i64; 2] {
        match self.stake_won {
            _ if self.debt_is_contested() => [-1, 1],
            Some(Slot::Upper) => [1; 2],
            Some(Slot::Lower) => [-1; 2],
            None => [0; 2],
        }
    }

    /// The points that the upper slot has won from the lower, at least and at most. The least leaves
    /// out the contested games that it won, the most those that it lost.
    fn won_by_the_upper(&self) -> Option<[i64; 2]> {
        let [upper, lower] = self.standing()?.won.map(i64::from);
        let [mut least, mut most] = [upper - lower; 2];
        for entry in self.entries.iter().filter(|entry| entry.vouched.contested_by.is_some()) {
            if let LineContent::Won(won) = &entry.what {
                match won.winner {
                    Slot::Upper => least -= i64::from(won.points),
                    Slot::Lower => most += i64::from(won.points),
                }
            }
        }
        Some([least, most])
    }

    /// The score of the match by its games and penalties; `None` for a money session. A final score entered
    /// on its own is in the [outcome](Self::outcome).
    #[must_use]
    pub fn tally(&self) -> Option<MatchTally> {
        self.standing()?.tally(self.terms()?, self.games_over())
    }

    /// The board of the game in progress, if it is refereed.
    #[must_use]
    pub const fn board(&self) -> Option<&Board> {
        self.board.as_ref()
    }

    /// The imported file, as this program writes it.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The rules that the next game, or the one on the board, would have if it began now.
    pub(super) fn game_rules(&self) -> Option<GameRules> {
        Some(self.terms()?.game_rules(self.standing()?.phase))
    }

    /// Whether the Holland rule keeps this side from doubling at its next turn on the board (M5).
    pub(super) fn waits_by_holland(&self, slot: Slot) -> bool {
        let (Some(Terms::Match { holland: true, .. }), Some(tally), Some(board)) =
            (self.terms(), self.tally(), &self.board)
        else {
            return false;
        };
        let after = tally.phase() == owlbox_engine::tables::equity::MatchPhase::AfterCrawford;
        after && tally.away(slot) > tally.away(slot.other()) && board.turn_of(slot) < HOLLAND_TURN
    }

    fn line(&mut self, what: LineContent, standing: SheetStanding, source: Source, vouched: Vouched) {
        self.entries.push(Entry { what, standing, source, vouched });
        self.claim = None;
    }

    fn game_won(&mut self, won: Won, standing: SheetStanding, vouched: Vouched) {
        let source =
            self.board.take().map_or(Source::Entered, |board| Source::Board(board.transcript.into()));
        self.line(LineContent::Won(won), standing, source, vouched);
    }

    /// Records that a game was corrected or voided.
    fn put_right(&mut self, game: u32, now: LineContent, standings: &[SheetStanding]) {
        let mut number = 0;
        self.claim = None;
        let changed = self.entries.iter_mut().skip_while(|entry| {
            number += u32::from(entry.what.is_game());
            !(entry.what.is_game() && number == game)
        });
        for (first, (entry, standing)) in changed.zip(standings).enumerate() {
            entry.standing = *standing;
            if first == 0 {
                entry.what = now;
                entry.vouched.rule();
            }
        }
    }

    /// Changes the record of who entered a game or the final score, and of its contest.
    fn vouch(&mut self, game: Option<u32>, say: impl FnOnce(&mut Vouched)) {
        let Some(game) = game else { return say(&mut self.stated) };
        let games = self.entries.iter_mut().filter(|entry| entry.what.is_game());
        if let Some((_, entry)) = (1..).zip(games).find(|(number, _)| *number == game) {
            say(&mut entry.vouched);
        }
    }

    fn imported(&mut self, text: &str, games: &[super::event::ImportedGame], vouched: Vouched) {
        self.file = Some(text.into());
        for (number, game) in games.iter().enumerate() {
            let what = game.won.map_or(LineContent::Drawn, LineContent::Won);
            self.line(what, game.standing, Source::File(number), vouched);
        }
    }

    fn clock_set(&mut self, setting: Option<ClockSetting>, left: Option<[u32; 2]>) {
        let whole = setting.zip(self.length()).map(|(setting, length)| Clock::new(setting, length));
        self.clock = whole.map(|clock| left.map_or(clock, |left| clock.with(left)));
        if let Some(opened) = &mut self.opened {
            opened.clock = setting;
        }
    }

    fn clock_does(&mut self, does: impl FnOnce(&mut Clock)) {
        if let Some(clock) = &mut self.clock {
            does(clock);
        }
    }

    fn over(&mut self, at: Option<Timestamp>) {
        self.finished_at = at;
        self.adjourned = false;
        self.claim = None;
    }
}

/// The first of its turns at which the trailing side may double after the Crawford game (M5).
const HOLLAND_TURN: u32 = 3;

impl Sheet {
    /// The state before the first event.
    pub(super) fn unopened() -> Self {
        Self {
            opened: None,
            entries: Vec::new(),
            board: None,
            file: None,
            clock: None,
            adjourned: false,
            result: None,
            stated: Vouched::default(),
            first_contests: [0; 2],
            claim: None,
            detached: false,
            closed: false,
            stake_won: None,
            paid: 0,
            finished_at: None,
        }
    }

    /// Applies an event, deciding nothing.
    pub(super) fn take_note(&mut self, event: &Event, at: Timestamp) {
        match event {
            Event::Opened { players, terms, clock, of, booked } => {
                let (players, terms, of, booked) = (*players, *terms, *of, *booked);
                self.opened = Some(Opened { players, terms, clock: None, of, booked, at });
                self.clock_set(*clock, None);
            }
            Event::GameWon { won, standing, entered_by, .. } => {
                self.game_won(*won, *standing, Vouched::by(*entered_by));
            }
            Event::GameDrawn { standing, entered_by, .. } => {
                self.board = None;
                self.line(LineContent::Drawn, *standing, Source::Entered, Vouched::by(*entered_by));
            }
            Event::Penalised { gains, points, minutes, standing } => {
                let what = LineContent::Penalty { gains: *gains, points: *points, minutes: *minutes };
                self.line(what, *standing, Source::Entered, Vouched::default());
            }
            Event::Corrected { game, now, standings, entered_by, .. } => {
                self.put_right(*game, LineContent::Won(*now), standings);
                // A correction by one of the two is not a ruling: the other side may contest it.
                if entered_by.and_then(EnteredBy::side).is_some() {
                    self.vouch(Some(*game), |vouched| *vouched = Vouched::by(*entered_by));
                }
            }
            Event::Voided { game, standings } => self.put_right(*game, LineContent::Void, standings),
            Event::Contested { by, game, .. } => {
                self.first_contests[by.at()] += u32::from(self.was_never_contested(*game));
                self.vouch(*game, |vouched| {
                    (vouched.contested_by, vouched.was_contested) = (Some(*by), true);
                });
            }
            Event::ContestWithdrawn { game, .. } => self.vouch(*game, |vouched| vouched.contested_by = None),
            Event::Upheld { game, .. } => self.vouch(*game, Vouched::rule),
            Event::Claimed { by, score } => self.claim = Some((*by, *score)),
            Event::Finished { by, outcome, entered_by, withdraws: _ } => {
                (self.result, self.stated) = (Some((*by, *outcome)), Vouched::by(*entered_by));
                // A changed outcome does not move the time at which the match was over.
                self.over(Some(self.finished_at.unwrap_or(at)));
            }
            Event::Reopened {} => {
                (self.result, self.stated) = (None, Vouched::default());
                self.over(None);
            }
            Event::Detached {} => {
                (self.result, self.detached) = (None, true);
                self.over(Some(at));
            }
            Event::Attached {} => {
                self.detached = false;
                self.over(None);
            }
            Event::Closed {} => {
                self.closed = true;
                self.over(Some(at));
            }
            Event::StakeMoved { from: _, to } => self.stake_won = *to,
            Event::Paid { by: Slot::Upper, amount } => self.paid += amount,
            Event::Paid { by: Slot::Lower, amount } => self.paid -= amount,
            Event::Adjourned {} => self.adjourned = true,
            Event::Resumed {} => self.adjourned = false,
            Event::BoardStarted { dice, rules, .. } => self.board = Some(Board::new(*rules, *dice)),
            Event::Board { of } => {
                if let Some(board) = &mut self.board {
                    board.apply(of);
                }
            }
            Event::BoardAbandoned {} => self.board = None,
            Event::Imported { text, games, entered_by } => {
                self.imported(text, games, Vouched::by(*entered_by));
            }
            Event::ClockSet { clock, left } => self.clock_set(*clock, *left),
            Event::ClockStarted { slot } => self.clock_does(|clock| clock.start(*slot, at)),
            Event::ClockPaused {} => self.clock_does(|clock| clock.pause(at)),
            Event::ClockResumed {} => self.clock_does(|clock| clock.resume(at)),
        }
    }
}
