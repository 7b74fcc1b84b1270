//! Games: the rules one by one, every refusal, the JSON, and games at random.

mod cube;
mod irregularities;
mod random_games;
mod refusals;
mod rulebook;
mod variants;
#[cfg(feature = "serde")]
mod wire;

use super::{Action, ActionKind, CubeOptions, CubeRules, DiceSource, Event, Game, GameRules, OpeningDice};
use super::{PositionId, Refusal};
use crate::Chance;
use crate::tests::position_of as position;
use crate::{Colour, CubeValue, Die, Outcome, Position, Roll, Step, Steps};

use Colour::{Black, White};

/// A game under test, with all of its events.
#[derive(Clone)]
struct Table {
    game: Game,
    events: Vec<Event>,
}

/// Dice drawn in this order. Drawing more of them fails the test.
struct Script(Vec<u8>);

impl Chance for Script {
    fn below(&mut self, sides: u32) -> u32 {
        assert_eq!(sides, 6);
        u32::from(self.0.remove(0)) - 1
    }
}

impl Table {
    fn new(rules: GameRules) -> Self {
        Self { game: Game::new(rules), events: Vec::new() }
    }

    /// A game in which White is on turn with `white` and `black` on the board, each as that side counts.
    fn with(rules: GameRules, white: &str, black: &str) -> Self {
        let mut table = Self::new(rules);
        table.ok(Black, &opening(1, 3));
        let position = position(white, black, rules.variant.checkers()).into();
        table.happen(&[Event::Played { side: Black, roll: roll(3, 1), steps: Steps::NONE, position }]);
        table
    }

    /// A game that White has opened with 3-1 and made its five-point. Black is on turn.
    fn opened(rules: GameRules) -> Self {
        let mut table = Self::new(rules);
        table.ok(White, &opening(3, 1));
        table.ok(White, &play(&[(8, 3), (6, 1)]));
        table
    }

    fn happen(&mut self, events: &[Event]) {
        for event in events {
            self.game.apply(event);
            if let Event::Played { position, .. }
            | Event::Passed { position, .. }
            | Event::BoardLeft { position, .. }
            | Event::PlaySentBack { position, .. } = event
            {
                assert_eq!(*position, self.game.position().into(), "what is written is what stands");
            }
        }
        self.events.extend_from_slice(events);
    }

    #[track_caller]
    fn drawn(&mut self, by: Colour, action: &Action, dice: &[u8]) -> Vec<Event> {
        let mut script = Script(dice.to_vec());
        let events = self.game.decide(by, action, &mut script).unwrap();
        assert!(script.0.is_empty(), "dice were left: {:?}", script.0);
        self.happen(&events);
        events
    }

    #[track_caller]
    fn ok(&mut self, by: Colour, action: &Action) -> Vec<Event> {
        self.drawn(by, action, &[])
    }

    #[track_caller]
    fn no(&self, by: Colour, action: &Action) -> Refusal {
        self.game.decide(by, action, &mut Script(Vec::new())).unwrap_err()
    }

    fn may(&self, by: Colour, kind: ActionKind) -> bool {
        self.game.legal_actions(by).contains(&kind)
    }

    #[track_caller]
    fn outcome(&self) -> Outcome {
        self.game.outcome().unwrap()
    }
}

fn die(pips: u8) -> Die {
    Die::try_from(pips).unwrap()
}
fn roll(one: u8, other: u8) -> Roll {
    Roll::new(die(one), die(other))
}
fn value(value: u32) -> CubeValue {
    value.try_into().unwrap()
}
fn opening(white: u8, black: u8) -> Action {
    Action::RollOpening { dice: Some(OpeningDice { white: die(white), black: die(black) }) }
}
fn rolls(one: u8, other: u8) -> Action {
    Action::Roll { dice: Some(roll(one, other)) }
}
fn steps(list: &[(u8, u8)]) -> Steps {
    let list: Vec<_> = list.iter().map(|(from, pips)| Step::new(*from, die(*pips)).unwrap()).collect();
    Steps::new(&list).unwrap()
}
fn play(list: &[(u8, u8)]) -> Action {
    Action::Play { steps: steps(list) }
}
fn leave(position: Position) -> Action {
    Action::LeaveBoard { position: position.into() }
}

/// The common rules with these options of the cube.
fn with_cube(options: CubeOptions) -> GameRules {
    GameRules { cube: CubeRules::With(options), ..GameRules::default() }
}

fn common() -> GameRules {
    GameRules::default()
}
