//! What the events of a sheet add up to.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::board::Board;
use super::command::InBracket;
use super::event::{DecidedBy, Event};
use super::game::{EnteredBy, Entry, SheetStanding, Source, Vouched, What, Won};
use super::terms::{MatchOfTournament, Terms};
use crate::matches::clock::{Clock, Setting};
use crate::matches::score::{Length, Tally};
use crate::matches::{Outcome, Slot};
use crate::values::{HalfPoints, PlayerId, Timestamp};
use owlbox_engine::game::GameRules;

/// How a sheet stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schema(as = SheetStatus))]
pub enum Status {
    /// It has not been opened.
    #[default]
    Unopened,
    /// It goes on.
    Open,
    /// It was adjourned.
    Adjourned,
    /// The match has its outcome, or others play it now, or the session is closed.
    Over,
}

/// The sheet of a match, or of a money session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    opened: Option<Opened>,
    entries: Vec<Entry>,
    board: Option<Board>,
    file: Option<Arc<str>>,
    clock: Option<Clock>,
    adjourned: bool,
    result: Option<(DecidedBy, Outcome)>,
    /// Who vouches for the outcome, where a final score was stated.
    stated: Vouched,
    /// How often each side has contested something that nobody had contested before.
    first_contests: [u32; 2],
    claim: Option<(Slot, [u16; 2])>,
    detached: bool,
    closed: bool,
    /// What the upper slot has paid the lower, less what that has paid it.
    paid: i64,
    finished_at: Option<Timestamp>,
}

/// What it was opened with; the clock as it was set last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Opened {
    players: [PlayerId; 2],
    terms: Terms,
    clock: Option<Setting>,
    of: Option<MatchOfTournament>,
    booked: bool,
    at: Timestamp,
}

impl Sheet {
    #[must_use]
    pub const fn status(&self) -> Status {
        match (&self.opened, self.adjourned) {
            (None, _) => Status::Unopened,
            _ if self.result.is_some() || self.closed || self.detached => Status::Over,
            (_, true) => Status::Adjourned,
            (_, false) => Status::Open,
        }
    }

    /// Who plays, upper and lower slot; `None` before it is opened.
    #[must_use]
    pub fn players(&self) -> Option<[PlayerId; 2]> {
        self.opened.map(|opened| opened.players)
    }

    /// Which slot a player has.
    #[must_use]
    pub fn slot_of(&self, player: PlayerId) -> Option<Slot> {
        let players = self.players()?;
        Slot::BOTH.into_iter().find(|slot| players[slot.at()] == player)
    }

    /// What is played for; `None` before it is opened.
    #[must_use]
    pub fn terms(&self) -> Option<Terms> {
        self.opened.map(|opened| opened.terms)
    }

    /// To how many points; `None` of a money session.
    #[must_use]
    pub fn length(&self) -> Option<Length> {
        self.terms()?.length()
    }

    /// Which match of a tournament it is.
    #[must_use]
    pub fn tournament_match(&self) -> Option<MatchOfTournament> {
        self.opened?.of
    }

    /// Which side has said, alone, what the final score is.
    #[must_use]
    pub const fn claim(&self) -> Option<(Slot, [u16; 2])> {
        self.claim
    }

    /// Whether others play the match in its tournament now: it has no outcome, and nothing happens on it any more.
    #[must_use]
    pub const fn is_detached(&self) -> bool {
        self.detached
    }

    /// What it says of its match; the bracket of its tournament says the same.
    #[must_use]
    pub fn says(&self) -> InBracket {
        if self.detached { InBracket::Others } else { InBracket::Theirs(self.outcome()) }
    }

    /// Whether one side has its points and the match has no outcome all the same: only one side [says so](Self::claim), or
    /// the director has taken it back, and a game is wrong.
    #[must_use]
    pub fn score_is_open(&self) -> bool {
        self.status() != Status::Over && self.tally().is_some_and(|tally| tally.winner().is_some())
    }

    /// Who vouches for a game, or for the final score that was stated; `None` if there is no such thing.
    #[must_use]
    pub fn vouched(&self, game: Option<u32>) -> Option<Vouched> {
        match game {
            Some(game) => self.games().find(|(number, _)| *number == game).map(|(_, entry)| entry.vouched),
            None => self.decided_by().filter(|by| *by == DecidedBy::Stated {}).map(|_| self.stated),
        }
    }

    /// Whether something on it is contested: it is rated only once a scorer has ruled.
    #[must_use]
    pub fn is_contested(&self) -> bool {
        self.stated.contested_by.is_some()
            || self.entries.iter().any(|entry| entry.vouched.contested_by.is_some())
    }

    /// Whether nobody has contested this before: a game, or the final score that was stated.
    #[must_use]
    pub fn was_never_contested(&self, game: Option<u32>) -> bool {
        self.vouched(game).is_some_and(|vouched| !vouched.was_contested)
    }

    /// How often this side has contested something that nobody had contested before.
    #[must_use]
    pub const fn first_contests(&self, by: Slot) -> u32 {
        self.first_contests[by.at()]
    }

    /// What can be contested, or is, of which this holds: the games, and the final score as `None`.
    pub(super) fn of_which(&self, holds: impl Fn(Vouched) -> bool) -> Vec<Option<u32>> {
        let games = self.games().filter(|(_, entry)| holds(entry.vouched)).map(|(number, _)| Some(number));
        games.chain(self.vouched(None).filter(|stated| holds(*stated)).map(|_| None)).collect()
    }

    /// Whether its games are posted to the books.
    #[must_use]
    pub fn is_booked(&self) -> bool {
        self.opened.is_some_and(|opened| opened.booked)
    }

    /// What the clock is set to.
    #[must_use]
    pub fn clock_setting(&self) -> Option<Setting> {
        self.opened?.clock
    }

    /// The clock, as its presses have left it.
    #[must_use]
    pub const fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    #[must_use]
    pub fn opened_at(&self) -> Option<Timestamp> {
        self.opened.map(|opened| opened.at)
    }

    /// When it came to its outcome, or was closed, or others came to play it.
    #[must_use]
    pub const fn finished_at(&self) -> Option<Timestamp> {
        self.finished_at
    }

    /// What came of the match, as a bracket takes it; `None` while it goes on, and of a money session.
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

    /// Its games in order, each with its number and the score after it.
    pub fn games(&self) -> impl Iterator<Item = (u32, &Entry)> {
        (1..).zip(self.entries.iter().filter(|entry| entry.what.is_game()))
    }

    /// How many games are over.
    #[must_use]
    pub fn games_over(&self) -> u32 {
        self.games().last().map_or(0, |(number, _)| number)
    }

    /// The score now; `None` before it is opened.
    #[must_use]
    pub fn standing(&self) -> Option<SheetStanding> {
        let terms = self.terms()?;
        Some(self.entries.last().map_or_else(|| SheetStanding::before(terms), |entry| entry.standing))
    }

    /// Which side of a money session owes the other what, in minor units of the stake's currency; `None` if they are even,
    /// and where no money is played for. While something is contested: what it owes at least, whether the contested games
    /// stand or never were. So nobody owes back what he was paid for a game because that is contested.
    #[must_use]
    pub fn owed(&self) -> Option<(Slot, i64)> {
        let [least, most] = self.won_by_the_upper()?;
        let stake = self.terms()?.stake()?;
        let owed = |points: i64| Some(stake.worth(HalfPoints(2 * points))?.0 + self.paid);
        match (owed(least)?, owed(most)?) {
            (least, _) if least > 0 => Some((Slot::Lower, least)),
            (_, most) if most < 0 => Some((Slot::Upper, -most)),
            _ => None,
        }
    }

    /// The points that the upper slot has won of the lower, at least and at most: of what is contested only that counts
    /// which is less to it, or more.
    fn won_by_the_upper(&self) -> Option<[i64; 2]> {
        let [upper, lower] = self.standing()?.won.map(i64::from);
        let [mut least, mut most] = [upper - lower; 2];
        for entry in self.entries.iter().filter(|entry| entry.vouched.contested_by.is_some()) {
            if let What::Won(won) = &entry.what {
                match won.winner {
                    Slot::Upper => least -= i64::from(won.points),
                    Slot::Lower => most += i64::from(won.points),
                }
            }
        }
        Some([least, most])
    }

    /// The score of the match by its games and penalties; `None` of a money session. A final score that was stated is in
    /// the [outcome](Self::outcome).
    #[must_use]
    pub fn tally(&self) -> Option<Tally> {
        self.standing()?.tally(self.terms()?, self.games_over())
    }

    /// The board of the game that is on.
    #[must_use]
    pub const fn board(&self) -> Option<&Board> {
        self.board.as_ref()
    }

    /// The file that was brought, as this program writes it.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The rules of the next game: of the one on the board, as they would be now.
    pub(super) fn game_rules(&self) -> Option<GameRules> {
        Some(self.terms()?.game_rules(self.standing()?.phase))
    }

    /// M5: whether this side may not double at its next turn on the board.
    pub(super) fn waits_by_holland(&self, slot: Slot) -> bool {
        let (Some(Terms::Match { holland: true, .. }), Some(tally), Some(board)) =
            (self.terms(), self.tally(), &self.board)
        else {
            return false;
        };
        let after = tally.phase() == owlbox_engine::tables::equity::Phase::AfterCrawford;
        after && tally.away(slot) > tally.away(slot.other()) && board.turn_of(slot) < HOLLAND_TURN
    }

    fn line(&mut self, what: What, standing: SheetStanding, source: Source, vouched: Vouched) {
        self.entries.push(Entry { what, standing, source, vouched });
        self.claim = None;
    }

    fn game_won(&mut self, won: Won, standing: SheetStanding, vouched: Vouched) {
        let source =
            self.board.take().map_or(Source::Entered, |board| Source::Board(board.transcript.into()));
        self.line(What::Won(won), standing, source, vouched);
    }

    /// A scorer has put a game right, or ruled that it never was.
    fn put_right(&mut self, game: u32, now: What, standings: &[SheetStanding]) {
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

    /// What is said of who vouches for a game, or for the final score.
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
            let what = game.won.map_or(What::Drawn, What::Won);
            self.line(what, game.standing, Source::File(number), vouched);
        }
    }

    fn clock_set(&mut self, setting: Option<Setting>) {
        self.clock = setting.zip(self.length()).map(|(setting, length)| Clock::new(setting, length));
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

/// M5: from which of its turns on the trailing side may double.
const HOLLAND_TURN: u32 = 3;

impl Sheet {
    /// Before anything has happened.
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
            paid: 0,
            finished_at: None,
        }
    }

    /// Takes note of what has happened, deciding nothing.
    pub(super) fn take_note(&mut self, event: &Event, at: Timestamp) {
        match event {
            Event::Opened { players, terms, clock, of, booked } => {
                let (players, terms, of, booked) = (*players, *terms, *of, *booked);
                self.opened = Some(Opened { players, terms, clock: None, of, booked, at });
                self.clock_set(*clock);
            }
            Event::GameWon { won, standing, entered_by, .. } => {
                self.game_won(*won, *standing, Vouched::by(*entered_by));
            }
            Event::GameDrawn { standing, entered_by, .. } => {
                self.board = None;
                self.line(What::Drawn, *standing, Source::Entered, Vouched::by(*entered_by));
            }
            Event::Penalised { gains, points, minutes, standing } => {
                let what = What::Penalty { gains: *gains, points: *points, minutes: *minutes };
                self.line(what, *standing, Source::Entered, Vouched::default());
            }
            Event::Corrected { game, now, standings, entered_by, .. } => {
                self.put_right(*game, What::Won(*now), standings);
                // One of the two rules on nothing: the other may contest what he has made of it.
                if entered_by.and_then(EnteredBy::side).is_some() {
                    self.vouch(Some(*game), |vouched| *vouched = Vouched::by(*entered_by));
                }
            }
            Event::Voided { game, standings } => self.put_right(*game, What::Void, standings),
            Event::Contested { by, game, .. } => {
                self.first_contests[by.at()] += u32::from(self.was_never_contested(*game));
                self.vouch(*game, |vouched| {
                    (vouched.contested_by, vouched.was_contested) = (Some(*by), true);
                });
            }
            Event::ContestWithdrawn { game, .. } => self.vouch(*game, |vouched| vouched.contested_by = None),
            Event::Upheld { game, .. } => self.vouch(*game, Vouched::rule),
            Event::Claimed { by, score } => self.claim = Some((*by, *score)),
            Event::Finished { by, outcome, entered_by } => {
                (self.result, self.stated) = (Some((*by, *outcome)), Vouched::by(*entered_by));
                // Another outcome than it had does not move when the match was over.
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
            Event::ClockSet { clock } => self.clock_set(*clock),
            Event::ClockStarted { slot } => self.clock_does(|clock| clock.start(*slot, at)),
            Event::ClockPaused {} => self.clock_does(|clock| clock.pause(at)),
            Event::ClockResumed {} => self.clock_does(|clock| clock.resume(at)),
        }
    }
}
