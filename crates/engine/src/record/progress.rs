//! One game in progress, action by action, by the rules. Readers use it to know whose turn it is while they
//! read, and [`replay`](super::replay()) to prove a record.

use super::{Action, Entry, GameRecord, Record, Start, one_away};
use crate::colour::Colour;
use crate::cube::{CannotDouble, Cube, CubeValue, Raise};
use crate::dice::Roll;
use crate::play::Steps;
use crate::plays::LegalPlays;
use crate::position::Mothers;
use crate::position::Position;
use crate::result::{Ended, Outcome, Win};
use crate::step_rules::IllegalPlay;
use crate::variant::{Opening, Variant};

/// The state of a game between two actions.
///
/// ```
/// use owlbox_engine::Colour;
/// use owlbox_engine::record::{Situation, replay, sgf};
///
/// let record = sgf::read(b"(;GM[6];W[31hefe];B[double])")?;
/// let replayed = replay(&record)?;
/// let (_, game) = replayed.games().next().unwrap();
/// let Situation { turn, offer, .. } = game.last;
/// assert_eq!((turn, offer.map(|offer| offer.by())), (Colour::Black, Some(Colour::Black)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    /// The side whose turn it is to roll or double. At the start this is White, until the first action shows
    /// it.
    pub turn: Colour,
    /// The checkers, that side being about to move.
    pub position: Position,
    /// The cube as it was before any unanswered offers.
    pub cube: Cube<Colour>,
    /// The offer that waits for an answer, if there is one.
    pub offer: Option<Raise<Colour>>,
}

/// The reason why an action or a game is impossible.
///
/// ```
/// use owlbox_engine::Colour;
/// use owlbox_engine::record::{Action, Entry, GameRecord, Illegal, Record, replay};
///
/// let entry = Entry { by: Colour::White, action: Action::Double };
/// let games = vec![GameRecord { actions: vec![entry], ..GameRecord::default() }];
/// let record = Record { games, ..Record::default() };
/// assert_eq!(replay(&record).unwrap_err().reason, Illegal::DoubleBeforeOpening);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Illegal {
    /// G13, C3: nothing happens after the end of a game.
    #[error("the game is over")]
    GameOver,
    /// A roll that was not played can only be the last action of a game.
    #[error("the roll before has not been played")]
    RollOpen,
    /// An offer must be answered before anything else.
    #[error("the double has to be answered first")]
    OfferOpen,
    /// There is no double to take or drop.
    #[error("there is no double to answer")]
    NoOffer,
    /// G4: it is the other side's turn.
    #[error("it is {turn}'s turn")]
    NotOnTurn {
        /// The side whose turn it is.
        turn: Colour,
    },
    /// G3: the side that begins has rolled the higher die.
    #[error("a game does not begin with equal numbers (G3)")]
    EqualOpening,
    /// C5: the opening roll is played at once, so nobody can double before it.
    #[error("nobody may double before the opening roll (C5)")]
    DoubleBeforeOpening,
    /// V4: this variant has no cube.
    #[error("this game is played without the cube (V4)")]
    NoCube,
    /// M3: the Crawford game has no cube.
    #[error("the Crawford game is played without the cube (M3)")]
    Crawford,
    /// M4: there are no beavers in matches.
    #[error("beavers are not used in matches (M4)")]
    BeaverInMatch,
    /// C4, C10: the cube cannot be offered.
    #[error(transparent)]
    Cube(#[from] CannotDouble),
    /// G5 to G12: the play is not legal.
    #[error("this is not a legal play of {roll}: {why}")]
    Play {
        /// The roll of the play.
        roll: Roll,
        /// The reason why the play is not legal.
        why: IllegalPlay,
    },
    /// M3: the scores decide which game is the Crawford game, and the record marks another one.
    #[error("at {}-{} this {} the Crawford game (M3)", .score[0], .score[1], if *.marked { "cannot be" } else { "is" })]
    NotCrawford {
        /// The score before the game.
        score: [u32; 2],
        /// Whether the record marks it as the Crawford game.
        marked: bool,
    },
    /// The score before a game does not follow from the games before.
    #[error("the score is {}-{} here, but {}-{} by the games before", .found[0], .found[1], .counted[0], .counted[1])]
    Score {
        /// The score in the record.
        found: [u32; 2],
        /// The score by the games before.
        counted: [u32; 2],
    },
    /// M1: no game follows the one that decides the match.
    #[error("the match is over before this game (M1)")]
    MatchOver,
}

/// A game in progress, by the rules.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    variant: Variant,
    start: Situation,
    now: Situation,
    begun: bool,
    /// V4: the last play pinned both mothers, so the game counts nothing and begins anew.
    tied: bool,
    /// Whether the game begins from a set-up, so that its opening is not recorded.
    set_up: bool,
    open_roll: bool,
    money: bool,
    crawford: bool,
    jacoby: bool,
    outcome: Option<Outcome>,
}

impl Progress {
    /// The game before its first action.
    pub(super) fn new(record: &Record, game: &GameRecord) -> Self {
        let money = record.length == 0;
        let Start { position, cube } = game.start;
        let start = Situation { turn: Colour::White, position, cube, offer: None };
        Self {
            variant: record.variant,
            start,
            now: start,
            begun: false,
            tied: false,
            set_up: game.start != Start::new(record.variant),
            open_roll: false,
            money,
            crawford: game.crawford,
            jacoby: money && record.rules.jacoby,
            outcome: None,
        }
    }

    pub(super) const fn now(&self) -> Situation {
        self.now
    }

    pub(super) const fn begun(&self) -> bool {
        self.begun
    }

    pub(super) const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The side that has to act next.
    pub(super) fn actor(&self) -> Colour {
        self.now.offer.map_or(self.now.turn, |offer| offer.by().other())
    }

    /// The situation in which `by` acts. The side that acts first begins; and a closed-out side's turn may
    /// pass without a roll (G17).
    pub(super) fn seen_by(&self, by: Colour) -> Result<Situation, Illegal> {
        if self.open_roll {
            return Err(Illegal::RollOpen);
        }
        let Situation { turn, position, offer, .. } = self.now;
        if turn == by {
            return Ok(self.now);
        }
        if offer.is_some() {
            return Err(Illegal::OfferOpen);
        }
        if self.begun && !position.is_closed_out() {
            return Err(Illegal::NotOnTurn { turn });
        }
        Ok(Situation { turn: by, position: position.turned(), ..self.now })
    }

    /// The result if `winner` won now in this way.
    pub(super) fn outcome_for(&self, winner: Colour, ended: Ended) -> Outcome {
        let gammons = self.now.cube.gammons_count(self.jacoby);
        Outcome::new(winner, ended, self.now.cube.value, gammons)
    }

    /// Applies one action, or changes nothing.
    ///
    /// # Errors
    /// [`Illegal`] if the action is impossible now.
    pub(super) fn apply(&mut self, entry: Entry) -> Result<(), Illegal> {
        // In a set-up, one side may already have borne off everything (G13).
        if self.outcome.is_some() || self.now.position.is_over() {
            return Err(Illegal::GameOver);
        }
        match entry.action {
            Action::Resign(win) if self.now.offer.is_none() => {
                self.outcome = Some(self.outcome_for(entry.by.other(), Ended::Resigned { win }));
            }
            Action::Take | Action::Drop if self.now.offer.is_none() => return Err(Illegal::NoOffer),
            _ if self.open_roll => return Err(Illegal::RollOpen),
            Action::Play { roll, steps } => self.play(entry.by, roll, Some(steps))?,
            Action::Roll(roll) => self.play(entry.by, roll, None)?,
            Action::Double => self.double(entry.by)?,
            Action::Take => self.take(entry.by)?,
            Action::Drop => self.drop(entry.by)?,
            Action::Resign(_) => return Err(Illegal::OfferOpen),
        }
        self.begun = true;
        if std::mem::take(&mut self.tied) {
            (self.now, self.begun) = (self.start, false);
        }
        Ok(())
    }

    fn play(&mut self, by: Colour, roll: Roll, steps: Option<Steps>) -> Result<(), Illegal> {
        let before = self.seen_by(by)?;
        if before.offer.is_some() {
            return Err(Illegal::OfferOpen);
        }
        // V4: in some variants the opening roll only decides who begins, so that the first roll played may be
        // a double.
        let opening = self.variant.definition().opening == Opening::Played;
        if !self.begun && !self.set_up && opening && roll.is_double() {
            return Err(Illegal::EqualOpening);
        }
        let Some(steps) = steps else {
            (self.now, self.open_roll) = (before, true);
            return Ok(());
        };
        let play = LegalPlays::new(before.position, roll).check(steps);
        let position = play.map_err(|why| Illegal::Play { roll, why })?.result;
        self.now = Situation { turn: by.other(), position, ..before };
        self.end(by, position);
        Ok(())
    }

    /// Ends the game if `by`, which has just played, has borne off everything (G13, V3), or if the mothers
    /// decide it (V4).
    fn end(&mut self, by: Colour, position: Position) {
        if let Some(win) = Win::in_position(position) {
            let winner = self.variant.winner(by);
            self.outcome = Some(self.outcome_for(winner, Ended::BorneOff { win }));
            return;
        }
        match Mothers::in_position(position) {
            Mothers::Safe => {}
            Mothers::MoverLost => self.outcome = Some(self.outcome_for(by, Ended::MotherPinned {})),
            Mothers::OtherLost => self.outcome = Some(self.outcome_for(by.other(), Ended::MotherPinned {})),
            Mothers::Tied => self.tied = true,
        }
    }

    fn double(&mut self, by: Colour) -> Result<(), Illegal> {
        if !self.variant.has_cube() {
            return Err(Illegal::NoCube);
        }
        if self.crawford {
            return Err(Illegal::Crawford);
        }
        let offer = match self.now.offer {
            Some(_) if !self.money => return Err(Illegal::BeaverInMatch),
            Some(raise) => Raise::Beaver(raise.answered(by, CubeValue::MAX)?),
            None if !self.begun && !self.set_up => return Err(Illegal::DoubleBeforeOpening),
            None => {
                let seen = self.seen_by(by)?;
                let offer = seen.cube.offer(by, CubeValue::MAX)?;
                self.now = seen;
                Raise::Double(offer)
            }
        };
        self.now.offer = Some(offer);
        Ok(())
    }

    fn take(&mut self, by: Colour) -> Result<(), Illegal> {
        self.now.cube = self.answered(by)?.take(by);
        self.now.offer = None;
        Ok(())
    }

    fn drop(&mut self, by: Colour) -> Result<(), Illegal> {
        let stake = self.answered(by)?.drop();
        self.now.offer = None;
        self.outcome = Some(Outcome::new(by.other(), Ended::Dropped {}, stake, false));
        Ok(())
    }

    /// The offer that `by` answers.
    fn answered(&self, by: Colour) -> Result<Raise<Colour>, Illegal> {
        let offer = self.now.offer.ok_or(Illegal::NoOffer)?;
        if offer.by() == by { Err(Illegal::NotOnTurn { turn: by.other() }) } else { Ok(offer) }
    }
}

/// Whether the game at `score`, after `earlier` ones, is the Crawford game (M3): the first in which exactly
/// one side needs one point. `None` if it may or may not be, because the record begins with it and an
/// unrecorded game may have been the first.
pub(super) fn is_crawford(record: &Record, earlier: &[GameRecord], score: [u32; 2]) -> Option<bool> {
    if !record.rules.crawford || !one_away(score, record.length) {
        return Some(false);
    }
    match earlier {
        [] => None,
        _ => Some(!earlier.iter().any(|game| one_away(game.score, record.length))),
    }
}
