//! A sheet as viewers see it: plain data with ids.

use serde::Serialize;

use super::board::{Board, slot};
use super::event::DecidedBy;
use super::game::{EnteredBy, LineContent, SheetStanding, Source, Vouched, Won};
use super::state::{Sheet, Status};
use super::statistics::Statistics;
use super::terms::{MatchOfTournament, Terms};
use crate::matches::clock::{Clock, ClockSetting};
use crate::matches::{Outcome, Slot};
use owlbox_base::journal::shared::Viewer;
use owlbox_base::values::{PlayerId, Timestamp};
use owlbox_engine::game::{ActionKind, DiceSource, Phase as OnBoard};
use owlbox_engine::notation::{gnu, play};
use owlbox_engine::plays::LegalPlays;
use owlbox_engine::step_graph::NextStep;
use owlbox_engine::tables::equity::MatchPhase;
use owlbox_engine::{CubeValue, Die, Owner, Raise, Roll, Win};

/// The state of a sheet. Lists of two hold the upper and the lower slot's values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SheetView))]
pub struct View {
    pub status: Status,
    /// The players; `null` before the sheet is opened.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub players: Option<[PlayerId; 2]>,
    /// The terms of play; `null` before the sheet is opened.
    pub terms: Option<Terms>,
    /// The tournament match this sheet belongs to; `null` if there is none.
    pub of: Option<MatchOfTournament>,
    /// The time of opening; `null` before it.
    pub opened_at: Option<Timestamp>,
    /// When the match got its outcome, the session was closed, or others took the match over.
    pub finished_at: Option<Timestamp>,
    /// The score to show. For a match, points won plus penalty points, never above the length, or the final
    /// score that was entered or ruled; for a money session, points won.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub score: [u32; 2],
    /// What one side of a money session, or of a match with a stake, owes the other; `null` if they are even
    /// or no money is played for, and without a login.
    pub owed: Option<OwedView>,
    /// The points each side was given for the other's penalties, included in `score`.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub penalties: [u32; 2],
    /// The points each side still needs; `null` for a money session.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub away: Option<[u16; 2]>,
    /// The next game's place relative to the Crawford game (M3); `null` for a money session.
    pub phase: Option<MatchPhase>,
    /// The upper slot's chance to win the match, before the next game, in millionths; while the match goes
    /// on, and as far as the equity table reaches.
    pub chance_millionths: Option<u32>,
    /// Deprecated: the same as `chance_millionths`.
    pub chance: Option<u32>,
    /// The outcome of the match; `null` while it goes on, and for a money session.
    pub outcome: Option<Outcome>,
    pub decided_by: Option<DecidedBy>,
    /// Who entered the final score, if only that was entered, and which side contests it.
    pub stated: Option<VouchedView>,
    /// Whether any entry is contested: it is in no book, and the match is not rated, until a scorer has
    /// ruled.
    pub contested: bool,
    /// The final score that one side alone has reported; the match is over once the other side reports the
    /// same.
    pub claimed: Option<ClaimView>,
    /// Whether others now play the match in its tournament: the sheet is over without an outcome.
    pub detached: bool,
    /// The lines of the sheet, in order.
    pub lines: Vec<LineView>,
    /// The board of the game in progress, if it is refereed.
    pub board: Option<BoardView>,
    pub clock: Option<ClockView>,
    /// Whether a match text was imported.
    pub has_file: bool,
    /// Who won how many games of which kind (M8).
    pub statistics: Statistics,
}

/// Who entered a line or a final score, and whether it is contested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SheetVouched))]
pub struct VouchedView {
    /// Who entered it; `null` if it came from the board, and in entries from before this was recorded.
    pub entered_by: Option<EnteredBy>,
    /// The side that contests it; `null` if neither does.
    pub contested_by: Option<Slot>,
    /// Whether a scorer has ruled that it stands, or has corrected it.
    pub ruled: bool,
}

impl From<Vouched> for VouchedView {
    fn from(Vouched { entered_by, contested_by, ruled, was_contested: _ }: Vouched) -> Self {
        Self { entered_by, contested_by, ruled }
    }
}

/// A final score reported by one side alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SheetClaim))]
pub struct ClaimView {
    pub by: Slot,
    /// The final score reported, upper and lower slot.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub score: [u16; 2],
}

/// A debt of one side to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SheetDebt))]
pub struct OwedView {
    pub by: Slot,
    /// In minor units of the stake's currency.
    pub amount: i64,
}

/// One line of the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SheetLine))]
pub struct LineView {
    #[serde(flatten)]
    pub what: LineKind,
    /// The score to show after this line; a contested game is included.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub score: [u32; 2],
    #[serde(flatten)]
    pub vouched: VouchedView,
}

/// The content of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "line", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schema(as = SheetLineKind))]
pub enum LineKind {
    /// A game that one side won.
    Won {
        /// The number of the game, from 1.
        game: u32,
        won: Won,
        /// Whether it was the Crawford game (M3).
        crawford: bool,
        /// Whether its moves are recorded, on the board or in the file.
        plays: bool,
    },
    /// A game that was drawn.
    Drawn {
        /// The number of the game, from 1.
        game: u32,
    },
    /// A contested game that a scorer ruled was never played.
    Void {
        /// The number of the game, from 1.
        game: u32,
    },
    /// Points given for a penalty.
    Penalty {
        /// The side that was given the points.
        gains: Slot,
        /// How many points.
        points: u16,
        /// The minutes by which the other side was late, if that was the reason.
        minutes: Option<u32>,
    },
}

impl LineKind {
    /// The number of the game; `None` for a penalty.
    #[must_use]
    pub const fn game(&self) -> Option<u32> {
        match self {
            Self::Won { game, .. } | Self::Drawn { game } | Self::Void { game } => Some(*game),
            Self::Penalty { .. } => None,
        }
    }
}

/// The board of the game in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SheetBoard))]
pub struct BoardView {
    /// The number of the game, from 1.
    pub game: u32,
    pub dice: DiceSource,
    /// The side on turn; `null` before the opening roll.
    pub turn: Option<Slot>,
    /// The side that has to decide; `null` before the opening roll.
    pub decision: Option<Slot>,
    /// The position as the side on turn sees it, as a GNU Backgammon position ID.
    pub position: String,
    /// The value of the cube; 1 in a game without one.
    pub cube: CubeValue,
    /// The owner of the cube; `null` if it is in the middle, or there is none.
    pub owner: Option<Slot>,
    /// The value the cube would have if the pending offer is taken; `null` without an offer.
    pub offered: Option<CubeValue>,
    /// The roll that is to be played; `null` without one.
    #[cfg_attr(feature = "schema", schema(value_type = Option<[u8; 2]>, min_items = 2, max_items = 2))]
    pub roll: Option<Roll>,
    /// The legal plays of this roll, one way for each distinct result.
    pub plays: Vec<String>,
    /// The dice still to be played: two, or four equal ones.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<u8>))]
    pub to_play: Vec<Die>,
    /// Every situation on the way to a legal play, with the steps that lead on from it. The first is the
    /// current one; a situation without steps is a complete play.
    pub steps: Vec<Vec<NextStep>>,
    /// The roll that the other side threw too early and will play next (I3).
    #[cfg_attr(feature = "schema", schema(value_type = Option<[u8; 2]>, min_items = 2, max_items = 2))]
    pub early: Option<Roll>,
    /// The pending resignation; `null` without one.
    pub resigned: Option<ResignedView>,
    /// The side whose last play was not legal and can still be sent back (I2).
    pub left_by: Option<Slot>,
    /// The actions offered to each side.
    pub offers: [Vec<ActionKind>; 2],
}

/// A resignation that has not been answered yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SheetResignation))]
pub struct ResignedView {
    pub by: Slot,
    pub win: Win,
}

/// The clock. What a side has left now is for the reader to compute: what it had when its move began, less
/// the time the move has taken beyond the delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ClockView {
    /// The setting of the clock.
    pub setting: ClockSetting,
    /// The side whose time runs; `null` while the clock stands.
    pub running: Option<Slot>,
    /// When that side's move began, with pauses left out.
    pub since: Option<Timestamp>,
    /// The side whose move is on while the clock is paused.
    pub paused: Option<Slot>,
    /// The time used of that move, in milliseconds.
    pub used: Option<i64>,
    /// The reserve of each side without the current move, in milliseconds; below zero is out of time.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub left: [i64; 2],
}

impl View {
    /// The sheet as this viewer may see it: without what one side owes the other, where that is not for them.
    #[must_use]
    pub fn shown_to(mut self, viewer: &Viewer) -> Self {
        self.owed = self.owed.filter(|_| viewer.sees_payments);
        self
    }
}

impl From<&Sheet> for View {
    fn from(sheet: &Sheet) -> Self {
        let tally = sheet.tally();
        let outcome = sheet.outcome();
        let standing = sheet.standing();
        let has_chance = sheet.status() != Status::Over && sheet.terms().is_some_and(Terms::have_equities);
        let chance = tally.filter(|_| has_chance).and_then(|tally| tally.chance());
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
            chance_millionths: chance,
            chance,
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
    /// The score of a sheet to show: the outcome's score if it has one, such as one entered or ruled,
    /// otherwise the standing.
    #[must_use]
    pub fn score_of(sheet: &Sheet) -> [u32; 2] {
        let of_outcome = sheet.outcome().and_then(|outcome| outcome.score).map(|score| score.map(u32::from));
        let standing = || sheet.standing().map(|standing| points(sheet, standing));
        of_outcome.or_else(standing).unwrap_or_default()
    }
}

/// A standing as it is shown.
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
            LineContent::Won(won) => LineKind::Won {
                game,
                won,
                crawford: phase == Some(MatchPhase::Crawford),
                plays: entry.source != Source::Entered,
            },
            LineContent::Drawn => LineKind::Drawn { game },
            LineContent::Void => LineKind::Void { game },
            LineContent::Penalty { gains, points, minutes } => LineKind::Penalty { gains, points, minutes },
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
    fn new(clock: &Clock, setting: ClockSetting) -> Self {
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
