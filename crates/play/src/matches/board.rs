//! The game that the engine referees, and its transcript for match text. White is the upper slot.

use crate::matches::Slot;
use owlbox_engine::game::{DiceSource, Event as OnBoard, Game, GameRules};
use owlbox_engine::record::{Action, Entry, GameRecord, Start};
use owlbox_engine::{Colour, Cube, Ended, Roll, Variant};

/// The most events a game on the board may have; long games have a thousand.
pub(super) const MOST_EVENTS: u32 = 10_000;

/// The slot of a colour.
pub(super) const fn slot(colour: Colour) -> Slot {
    match colour {
        Colour::White => Slot::Upper,
        Colour::Black => Slot::Lower,
    }
}

/// The colour of a slot.
pub(super) const fn colour(slot: Slot) -> Colour {
    match slot {
        Slot::Upper => Colour::White,
        Slot::Lower => Colour::Black,
    }
}

/// The board of the game in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    pub game: Game,
    pub dice: DiceSource,
    /// The actions of the game so far.
    pub transcript: Transcript,
    /// The number of turns each side has finished, upper and lower slot.
    turns: [u32; 2],
    /// Each side's last roll, upper and lower slot.
    rolled: [Option<Roll>; 2],
    events: u32,
}

impl Board {
    pub(super) fn new(rules: GameRules, dice: DiceSource) -> Self {
        let (game, transcript) = (Game::new(rules), Transcript::new(rules.variant));
        Self { game, dice, transcript, turns: [0; 2], rolled: [None; 2], events: 0 }
    }

    pub(super) fn apply(&mut self, event: &OnBoard) {
        if let OnBoard::Played { side, .. } | OnBoard::Passed { side, .. } | OnBoard::BoardLeft { side, .. } =
            event
        {
            let turns = &mut self.turns[slot(*side).at()];
            *turns = turns.saturating_add(1);
        } else if let OnBoard::PlaySentBack { side, .. } = event {
            let turns = &mut self.turns[slot(side.other()).at()];
            *turns = turns.saturating_sub(1);
        } else if let OnBoard::Opened { side, white, black, .. } = event {
            self.rolled[slot(*side).at()] = Some(Roll::new(*white, *black));
        } else if let OnBoard::Rolled { side, roll, .. } | OnBoard::RolledEarly { side, roll, .. } = event {
            self.rolled[slot(*side).at()] = Some(*roll);
        }
        self.events = self.events.saturating_add(1);
        self.transcript.note(event);
        self.game.apply(event);
    }

    /// This side's last roll; `None` if it has not rolled.
    #[must_use]
    pub const fn last_roll(&self, slot: Slot) -> Option<Roll> {
        self.rolled[slot.at()]
    }

    /// The number of the turn that this side is in or waits for, from 1.
    pub(super) const fn turn_of(&self, slot: Slot) -> u32 {
        self.turns[slot.at()].saturating_add(1)
    }

    /// Whether the board can take no more events.
    pub(super) const fn is_full(&self) -> bool {
        self.events >= MOST_EVENTS
    }
}

/// The actions of a game, as match text writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    start: Start,
    entries: Vec<Entry>,
    began: Option<Colour>,
    /// Whether a play that was not legal lies on the board.
    left: bool,
    /// Whether such a play was accepted (I2), which no file can express.
    irregular: bool,
}

impl Transcript {
    /// The transcript of a game that has not begun.
    fn new(variant: Variant) -> Self {
        Self { start: Start::new(variant), ..Self::default() }
    }

    /// The side that began (G3).
    pub(super) fn began(&self) -> Option<Slot> {
        self.began.map(slot)
    }

    /// The actions as a game record without the score; `None` if no file can express them.
    pub(super) fn record(&self) -> Option<GameRecord> {
        let tellable = !self.irregular && !self.left;
        tellable.then(|| GameRecord {
            start: self.start,
            actions: self.entries.clone(),
            ..GameRecord::default()
        })
    }

    fn note(&mut self, event: &OnBoard) {
        self.note_irregular(event);
        let (by, action) = match event {
            OnBoard::OpeningTied { doubled_to: Some(value), .. } => {
                self.start.cube = Cube::centred(*value);
                return;
            }
            OnBoard::Opened { side, .. } => {
                self.began = Some(*side);
                return;
            }
            // A tied game begins anew (V4).
            OnBoard::Tied {} => {
                *self = Self { start: self.start, ..Self::default() };
                return;
            }
            OnBoard::Finished { outcome } => {
                // The file has an accepted resignation as an action of the side that resigned.
                let Ended::Resigned { win } = outcome.ended else { return };
                (outcome.winner.other(), Action::Resign(win))
            }
            OnBoard::Played { side, roll, steps, .. } => (*side, Action::Play { roll: *roll, steps: *steps }),
            OnBoard::Passed { side, roll: Some(roll), .. } => {
                (*side, Action::Play { roll: *roll, steps: owlbox_engine::Steps::NONE })
            }
            OnBoard::Doubled { side, .. } | OnBoard::Beavered { side, .. } => (*side, Action::Double),
            OnBoard::Taken { side, .. } => (*side, Action::Take),
            OnBoard::Dropped { side } => (*side, Action::Drop),
            OnBoard::OpeningTied { .. }
            | OnBoard::DiceCocked { .. }
            | OnBoard::Rolled { .. }
            | OnBoard::RolledEarly { .. }
            | OnBoard::Passed { .. }
            | OnBoard::BoardLeft { .. }
            | OnBoard::PlayAccepted { .. }
            | OnBoard::PlaySentBack { .. }
            | OnBoard::Resigned { .. }
            | OnBoard::ResignationAccepted { .. }
            | OnBoard::ResignationRejected { .. } => return,
        };
        self.entries.push(Entry { by, action });
    }

    /// Tracks plays that were not legal: the side that plays on accepts what the other side left on the
    /// board.
    fn note_irregular(&mut self, event: &OnBoard) {
        if matches!(event, OnBoard::BoardLeft { .. }) {
            self.irregular |= self.left;
            self.left = true;
        } else if matches!(event, OnBoard::PlaySentBack { .. }) {
            self.left = false;
        } else if !matches!(
            event,
            OnBoard::DiceCocked { .. }
                | OnBoard::Resigned { .. }
                | OnBoard::ResignationRejected { .. }
                | OnBoard::ResignationAccepted { .. }
        ) {
            self.irregular |= std::mem::take(&mut self.left);
        }
    }
}
