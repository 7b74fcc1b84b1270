//! A board for the sample pages: long stacks, a checker on the bar, and a roll to be played.

use super::*;
use owlbox_base::values::ChouetteId;
use owlbox_chouette::Side;
use owlbox_desk::Dice;
use owlbox_engine::game::{Action, Event, GameRules, OpeningDice};
use owlbox_engine::{Position, Steps};
use uuid::Uuid;

/// White, `name`, has 6-4 to play against `other`.
pub fn to_play(t: &Locale, [name, other]: [&str; 2], mirrored: bool) -> Board {
    let mut game = Game::new(GameRules::default());
    let (white, black) = (1_u8.try_into().unwrap(), 3_u8.try_into().unwrap());
    let opening = Action::RollOpening { dice: Some(OpeningDice { white, black }) };
    let roll = Action::Roll { dice: Some(Roll::new(6_u8.try_into().unwrap(), 4_u8.try_into().unwrap())) };
    decided(&mut game, Colour::Black, &opening);
    let (mut own, mut others) = ([0; 26], [0; 26]);
    (own[25], own[24], own[13], own[8], own[6], own[5]) = (1, 1, 4, 2, 6, 1);
    (others[24], others[13], others[8], others[6], others[4]) = (2, 5, 3, 4, 1);
    let places = |counts| Checkers::new(counts).unwrap();
    game.apply(&Event::Played {
        side: Colour::Black,
        roll: Roll::new(black, white),
        steps: Steps::NONE,
        position: Position::new(places(own), places(others)).unwrap().into(),
    });
    decided(&mut game, Colour::White, &roll);
    let side = |name: &str, by, may: &[ActionKind]| BoardSide {
        name: name.to_owned(),
        acts_as: ActsAs::Table(by),
        may: may.to_vec(),
        last: Some(Roll::new(black, white)),
        is_viewers: false,
        may_roll_at_once: false,
    };
    Board {
        t: *t,
        game,
        sides: [side(name, Side::Box, &[ActionKind::Play, ActionKind::Resign]), side(other, Side::Team, &[])],
        waits: None,
        may_double: false,
        dice_from: DiceFrom { service: true, hand: true },
        target: Target::at_table(ChouetteId(Uuid::nil()), 57),
        view: BoardView { mirrored, ..BoardView::default() },
    }
}

fn decided(game: &mut Game, by: Colour, action: &Action) {
    for event in game.decide(by, action, &mut Dice::seeded(0)).unwrap() {
        game.apply(&event);
    }
}
