//! A sheet as others see it: plain data, ids only.

use serde::Serialize;

use super::board::{Board, slot};
use super::event::DecidedBy;
use super::game::{EnteredBy, SheetStanding, Source, Vouched, What, Won};
use super::state::{Sheet, Status};
use super::statistics::Statistics;
use super::terms::{MatchOfTournament, Terms};
use crate::matches::clock::{Clock, Setting};
use crate::matches::{Outcome, Slot};
use crate::values::{PlayerId, Timestamp};
use owlbox_engine::game::{ActionKind, DiceSource, Phase as OnBoard};
use owlbox_engine::notation::{gnu, play};
use owlbox_engine::plays::LegalPlays;
use owlbox_engine::step_graph::NextStep;
use owlbox_engine::tables::equity::Phase;
use owlbox_engine::{CubeValue, Die, Owner, Raise, Roll, Win};

/// The state of a sheet. Lists of two are the upper slot's and the lower slot's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SheetView))]
pub struct View {
    /// How it stands.
    pub status: Status,
    /// Who plays; `null` before it is opened.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub players: Option<[PlayerId; 2]>,
    /// What is played for.
    pub terms: Option<Terms>,
    /// Which match of a tournament it is.
    pub of: Option<MatchOfTournament>,
    /// When it was opened.
    pub opened_at: Option<Timestamp>,
    /// When it came to its outcome, or was closed.
    pub finished_at: Option<Timestamp>,
    /// The score as it is told: of a match, points won and penalties, never beyond the length - or the final score that
    /// was stated or ruled; of a money session, points won.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub score: [u32; 2],
    /// What a side of a money session owes the other; `null` if they are even, and where no money is played for.
    pub owed: Option<OwedView>,
    /// Penalty points among them.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub penalties: [u32; 2],
    /// How many points each still needs; `null` of a money session.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub away: Option<[u16; 2]>,
    /// Where the next game stands against the Crawford game (M3); `null` of a money session.
    pub phase: Option<Phase>,
    /// The chance of the upper slot to win the match, before the next game, in millionths: while it goes on, and as far as
    /// the equity table goes.
    pub chance: Option<u32>,
    /// What came of the match.
    pub outcome: Option<Outcome>,
    /// What decided it.
    pub decided_by: Option<DecidedBy>,
    /// Who entered the final score, where that alone was stated, and which side contests it.
    pub stated: Option<VouchedView>,
    /// Whether something on the sheet is contested: it is in no book, and the match not rated, before a scorer has ruled.
    pub contested: bool,
    /// Which side alone has said how it ended; it is over once the other says the same.
    pub claimed: Option<ClaimView>,
    /// Whether others play it in its tournament now: it is over without an outcome.
    pub detached: bool,
    /// The lines of the sheet, in order.
    pub lines: Vec<LineView>,
    /// The board of the game that is on.
    pub board: Option<BoardView>,
    /// The clock.
    pub clock: Option<ClockView>,
    /// Whether a match text was brought.
    pub has_file: bool,
    /// Who won how many games of which kind (M8).
    pub statistics: Statistics,
}

/// Who vouches for a line, or for the final score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SheetVouched))]
pub struct VouchedView {
    /// Who entered it; `null` of what the board or a file says, and of what stood there before that was written down.
    pub entered_by: Option<EnteredBy>,
    /// Which side contests it.
    pub contested_by: Option<Slot>,
    /// Whether a scorer has ruled that it stands, or put it right.
    pub ruled: bool,
}

impl From<Vouched> for VouchedView {
    fn from(Vouched { entered_by, contested_by, ruled, was_contested: _ }: Vouched) -> Self {
        Self { entered_by, contested_by, ruled }
    }
}

/// What a side alone has said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SheetClaim))]
pub struct ClaimView {
    /// Which.
    pub by: Slot,
    /// The final score.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub score: [u16; 2],
}

/// What a side owes the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SheetDebt))]
pub struct OwedView {
    /// Who owes it.
    pub by: Slot,
    /// Minor units of the stake's currency.
    pub amount: i64,
}

/// A line of the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SheetLine))]
pub struct LineView {
    /// What stands in it.
    #[serde(flatten)]
    pub what: LineKind,
    /// The score after it, as it is told; a contested game is in it.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub score: [u32; 2],
    /// Who vouches for it.
    #[serde(flatten)]
    pub vouched: VouchedView,
}

/// What stands in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "line", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schema(as = SheetLineKind))]
pub enum LineKind {
    /// A game that somebody won.
    Won {
        /// Its number, from 1.
        game: u32,
        /// What it was.
        won: Won,
        /// Whether it was the Crawford game (M3).
        crawford: bool,
        /// Whether its plays are written down, on the board here or in the file.
        plays: bool,
    },
    /// A game that was drawn.
    Drawn {
        /// Its number, from 1.
        game: u32,
    },
    /// A game that never was, as a scorer ruled.
    Void {
        /// Its number, from 1.
        game: u32,
    },
    /// Points of a penalty.
    Penalty {
        /// For whom.
        gains: Slot,
        /// How many.
        points: u16,
        /// How many minutes late the other was, if that is what it was for.
        minutes: Option<u32>,
    },
}

/// The board of the game that is on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SheetBoard))]
pub struct BoardView {
    /// The game's number, from 1.
    pub game: u32,
    /// Whether the service rolls.
    pub dice: DiceSource,
    /// The side on turn; `null` before the opening roll.
    pub turn: Option<Slot>,
    /// The side whose decision it is; `null` before the opening roll.
    pub decision: Option<Slot>,
    /// The position as the side on turn sees it, as a GNU Backgammon position ID.
    pub position: String,
    /// What the cube stands at; 1 without one.
    pub cube: CubeValue,
    /// Whose it is; `null` in the middle, and without one.
    pub owner: Option<Slot>,
    /// What it would stand at if the offer that waits is taken.
    pub offered: Option<CubeValue>,
    /// The roll that waits to be played.
    #[cfg_attr(feature = "schema", schema(value_type = Option<[u8; 2]>, min_items = 2, max_items = 2))]
    pub roll: Option<Roll>,
    /// What can be played with it, a way for each distinct result.
    pub plays: Vec<String>,
    /// The dice still to be played: two, or four equal ones.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<u8>))]
    pub to_play: Vec<Die>,
    /// Every situation on the way to a legal play with the steps that lead on. The first is the one now; one without
    /// steps is a play that is complete.
    pub steps: Vec<Vec<NextStep>>,
    /// What the other side had rolled too early and will play next (I3).
    #[cfg_attr(feature = "schema", schema(value_type = Option<[u8; 2]>, min_items = 2, max_items = 2))]
    pub early: Option<Roll>,
    /// Who resigns, while that waits for its answer, and as what.
    pub resigned: Option<ResignedView>,
    /// The side whose last play was not a legal one and can still be sent back (I2).
    pub left_by: Option<Slot>,
    /// What each may do, as it is offered to it.
    pub offers: [Vec<ActionKind>; 2],
}

/// A resignation that waits for its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SheetResignation))]
pub struct ResignedView {
    /// Who resigns.
    pub by: Slot,
    /// As what.
    pub win: Win,
}

/// The clock. What a side has left now is for the reader to work out: what it had when its move began, less what the
/// move has taken beyond the delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ClockView))]
pub struct ClockView {
    /// What it is set to.
    pub setting: Setting,
    /// Whose time runs.
    pub running: Option<Slot>,
    /// Since when that side's move is on, pauses left out.
    pub since: Option<Timestamp>,
    /// Whose move is on while it is paused.
    pub paused: Option<Slot>,
    /// How much of that move was used, in milliseconds.
    pub used: Option<i64>,
    /// What each has left in reserve without the move that is on, in milliseconds; below zero is over time.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub left: [i64; 2],
}

impl From<&Sheet> for View {
    fn from(sheet: &Sheet) -> Self {
        let tally = sheet.tally();
        let outcome = sheet.outcome();
        let standing = sheet.standing();
        Self {
            status: sheet.status(),
            players: sheet.players(),
            terms: sheet.terms(),
            of: sheet.tournament_match(),
            opened_at: sheet.opened_at(),
            finished_at: sheet.finished_at(),
            score: Self::score_of(sheet),
            owed: sheet.owed().map(|(by, amount)| OwedView { by, amount }),
            penalties: standing.map(|standing| standing.penalties).unwrap_or_default(),
            away: tally.map(|tally| Slot::BOTH.map(|slot| tally.away(slot))),
            phase: standing.and_then(|standing| standing.phase),
            chance: tally
                .filter(|_| sheet.status() != Status::Over && sheet.terms().is_some_and(Terms::have_equities))
                .and_then(|tally| tally.chance()),
            outcome,
            decided_by: sheet.decided_by(),
            stated: sheet.vouched(None).map(Into::into),
            contested: sheet.is_contested(),
            claimed: sheet.claim().map(|(by, score)| ClaimView { by, score }),
            detached: sheet.is_detached(),
            lines: lines(sheet),
            board: sheet.board().map(|board| BoardView::new(sheet, board)),
            clock: sheet
                .clock()
                .zip(sheet.clock_setting())
                .map(|(clock, setting)| ClockView::new(clock, setting)),
            has_file: sheet.file().is_some(),
            statistics: sheet.statistics(),
        }
    }
}

impl View {
    /// The score of a sheet as it is told: the final one if there is one that was stated or ruled.
    #[must_use]
    pub fn score_of(sheet: &Sheet) -> [u32; 2] {
        let of_outcome = sheet.outcome().and_then(|outcome| outcome.score).map(|score| score.map(u32::from));
        let standing = || sheet.standing().map(|standing| points(sheet, standing));
        of_outcome.or_else(standing).unwrap_or_default()
    }
}

/// A score as it is told.
fn points(sheet: &Sheet, standing: SheetStanding) -> [u32; 2] {
    let tally = sheet.terms().and_then(|terms| standing.tally(terms, 0));
    tally.map_or(standing.won, |tally| tally.points().map(u32::from))
}

fn lines(sheet: &Sheet) -> Vec<LineView> {
    let mut game = 0_u32;
    let mut phase = sheet.terms().and_then(|terms| SheetStanding::before(terms).phase);
    let mut lines = Vec::with_capacity(sheet.entries().len());
    for entry in sheet.entries() {
        game = game.saturating_add(u32::from(entry.what.is_game()));
        let what = match entry.what {
            What::Won(won) => LineKind::Won {
                game,
                won,
                crawford: phase == Some(Phase::Crawford),
                plays: entry.source != Source::Entered,
            },
            What::Drawn => LineKind::Drawn { game },
            What::Void => LineKind::Void { game },
            What::Penalty { gains, points, minutes } => LineKind::Penalty { gains, points, minutes },
        };
        lines.push(LineView { what, score: points(sheet, entry.standing), vouched: entry.vouched.into() });
        phase = entry.standing.phase;
    }
    lines
}

impl BoardView {
    fn new(sheet: &Sheet, board: &Board) -> Self {
        let game = &board.game;
        let position = game.position();
        let (roll, early) = match game.phase() {
            OnBoard::ToPlay { roll, early } => (Some(roll), early),
            OnBoard::Opening { .. } | OnBoard::ToRoll | OnBoard::ToAnswer(_) | OnBoard::Over(_) => {
                (None, None)
            }
        };
        let offered = match game.phase() {
            OnBoard::ToAnswer(raise) => Some(Raise::to(raise)),
            OnBoard::Opening { .. } | OnBoard::ToRoll | OnBoard::ToPlay { .. } | OnBoard::Over(_) => None,
        };
        Self {
            game: sheet.games_over().saturating_add(1),
            dice: board.dice,
            turn: game.turn().map(slot),
            decision: game.decision().map(slot),
            position: gnu::position_id(position),
            cube: game.stake(),
            owner: game.cube().and_then(|cube| match cube.owner {
                Owner::Centred => None,
                Owner::Owned(owner) => Some(slot(owner)),
            }),
            offered,
            roll,
            plays: game.plays().iter().map(|one| play::write(position, one.steps)).collect(),
            to_play: match roll {
                Some(roll) if roll.is_double() => vec![roll.high(); 4],
                Some(roll) => vec![roll.high(), roll.low()],
                None => Vec::new(),
            },
            steps: game.legal_plays().map(LegalPlays::step_graph).unwrap_or_default(),
            early,
            resigned: game.resignation().map(|one| ResignedView { by: slot(one.by), win: one.win }),
            left_by: game.left_board().and(game.turn()).map(|turn| slot(turn.other())),
            offers: Slot::BOTH.map(|by| sheet.offered(by)),
        }
    }
}

impl ClockView {
    fn new(clock: &Clock, setting: Setting) -> Self {
        Self {
            setting,
            running: clock.running(),
            since: clock.since(),
            paused: clock.paused(),
            used: clock.used().map(|used| used.num_milliseconds()),
            left: clock.before_the_move().map(|left| left.num_milliseconds()),
        }
    }
}
