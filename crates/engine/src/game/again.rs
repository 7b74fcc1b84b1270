//! From events back to actions: which actions may have led to an event. A replay of a history decides each of
//! them again and must arrive at the same events.

use super::action::{Action, OpeningDice};
use super::event::{DiceSource, Event};
use crate::colour::Colour;
use crate::dice::Die;

/// An action that may have led to an event.
///
/// ```
/// use owlbox_engine::game::again::Acted;
/// use owlbox_engine::game::{Action, Event};
/// use owlbox_engine::{Colour, CubeValue};
///
/// let taken = Event::Taken { side: Colour::Black, value: CubeValue::ONE, owner: Colour::Black };
/// let acted = Acted { by: Colour::Black, action: Action::Take {}, drawn: vec![] };
/// assert_eq!(taken.acted(&[&taken]), [acted]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acted {
    /// The side that may have acted.
    pub by: Colour,
    /// The action it may have asked for.
    pub action: Action,
    /// The numbers drawn from chance for it, in order, as [`Chance::below`](crate::Chance::below) returns
    /// them.
    pub drawn: Vec<u32>,
}

impl Event {
    /// The actions that may have led to this event, which must be the first of its act; `act` holds all
    /// events of the act. Empty for an event that only ever follows another one.
    #[must_use]
    pub fn acted(&self, act: &[&Self]) -> Vec<Acted> {
        let by = |by: Colour, action: Action| vec![Acted { by, action, drawn: Vec::new() }];
        match self {
            Self::OpeningTied { die, source: DiceSource::Entered, .. } => {
                opened(Some(OpeningDice { white: *die, black: *die }), Vec::new())
            }
            Self::Opened { white, black, source: DiceSource::Entered, .. } => {
                opened(Some(OpeningDice { white: *white, black: *black }), Vec::new())
            }
            Self::OpeningTied { source: DiceSource::Drawn, .. }
            | Self::Opened { source: DiceSource::Drawn, .. } => opened(None, opening_dice(act)),
            Self::Rolled { side, roll, source, .. } | Self::RolledEarly { side, roll, source } => {
                let (dice, drawn) = match source {
                    DiceSource::Entered => (Some(*roll), Vec::new()),
                    DiceSource::Drawn => (None, vec![number(roll.high()), number(roll.low())]),
                };
                vec![Acted { by: *side, action: Action::Roll { dice }, drawn }]
            }
            // The event names the thrower. In the inverse game the other side asked for it (V1), so both are
            // candidates.
            Self::DiceCocked { side } => {
                [*side, side.other()].into_iter().flat_map(|side| by(side, Action::CockedDice {})).collect()
            }
            Self::Played { side, steps, .. } => by(*side, Action::Play { steps: *steps }),
            Self::Passed { side, .. } => by(*side, Action::Pass {}),
            Self::BoardLeft { side, position, .. } => {
                by(*side, Action::LeaveBoard { position: position.clone() })
            }
            Self::PlayAccepted { side } => by(*side, Action::AcceptPlay {}),
            Self::PlaySentBack { side, .. } => by(*side, Action::SendBack {}),
            Self::Doubled { side, .. } => by(*side, Action::Double {}),
            Self::Beavered { side, .. } => by(*side, Action::Beaver {}),
            Self::Taken { side, .. } => by(*side, Action::Take {}),
            Self::Dropped { side } => by(*side, Action::Drop {}),
            Self::Resigned { side, win } => by(*side, Action::Resign { win: *win }),
            Self::ResignationAccepted { side } => by(*side, Action::AcceptResignation {}),
            Self::ResignationRejected { side } => by(*side, Action::RejectResignation {}),
            Self::Tied {} | Self::Finished { .. } => Vec::new(),
        }
    }
}

/// An opening roll. Either side may have asked for it.
fn opened(dice: Option<OpeningDice>, drawn: Vec<u32>) -> Vec<Acted> {
    let by = |by| Acted { by, action: Action::RollOpening { dice }, drawn: drawn.clone() };
    [Colour::White, Colour::Black].map(by).into()
}

/// The numbers of an opening roll that was drawn until it was no tie. If the act holds ties only, any other
/// dice stand in for those that followed.
fn opening_dice(act: &[&Event]) -> Vec<u32> {
    let mut drawn = Vec::new();
    for event in act {
        if let Event::OpeningTied { die, .. } = event {
            drawn.extend([number(*die); 2]);
        } else if let Event::Opened { white, black, .. } = event {
            drawn.extend([number(*white), number(*black)]);
            return drawn;
        }
    }
    drawn.extend([1, 0]);
    drawn
}

/// The number from which [`Die::rolled`] makes this die.
fn number(die: Die) -> u32 {
    u32::from(die.pips()) - 1
}
