//! The board of a match offers what its sheet says is legal, and nothing else.

use serde_json::{Value, json};

use crate::board::{Board, BoardView};
use crate::matches::sample;
use crate::matches::sheet::SheetPage;
use crate::pages::Frame;
use owlbox_base::journal::{Aggregate as _, Inputs};
use owlbox_base::values::{PlayerId, Timestamp};
use owlbox_desk::Dice;
use owlbox_engine::game::PositionId;
use owlbox_play::matches::score::Length;
use owlbox_play::matches::{Command, Legal, Sheet, Slot, Terms};

use super::*;

struct Played(Sheet);

impl Played {
    fn to(length: u16) -> Self {
        let players = [1, 2].map(|number| PlayerId(uuid::Uuid::from_u128(number)));
        let terms = Terms::match_to(Length::try_from(length).unwrap());
        let mut played = Self(Sheet::initial());
        played.does(&Command::Open { players, terms, clock: None, of: None });
        played
    }

    fn does(&mut self, command: &Command) {
        let now: Timestamp = chrono::DateTime::UNIX_EPOCH.into();
        let mut chance = Dice::seeded(0);
        let events = self.0.decide(command, &mut Inputs { now, chance: &mut chance }).unwrap();
        for event in events {
            self.0.apply(&event, now);
        }
    }

    fn acts(&mut self, by: Slot, action: &serde_json::Value) {
        let action = serde_json::from_value(action.clone()).unwrap();
        self.does(&Command::Board { by, action });
    }

    /// The board for a viewer who may do what `may` accepts of all that is legal.
    fn board(&self, may: impl Fn(&Legal) -> bool) -> Board {
        let screen = sample::screen(&self.0, may);
        board(&sample::english(&screen), &screen, BoardView::default()).unwrap()
    }
}

fn labels(board: &Board) -> Vec<String> {
    board.acts().into_iter().map(|act| act.label).collect()
}

fn entered(length: u16) -> Played {
    let mut played = Played::to(length);
    played.does(&Command::StartBoard { dice: DiceSource::Entered });
    played
}

/// Ann wins the opening roll with 4-2 and plays 8/4 6/4. Bob is to roll.
fn opened(played: &mut Played) {
    let dice = serde_json::json!({"action": "roll_opening", "dice": {"white": 4, "black": 2}});
    played.acts(Slot::Upper, &dice);
    let steps = [serde_json::json!({"from": 8, "pips": 4}), serde_json::json!({"from": 6, "pips": 2})];
    played.acts(Slot::Upper, &serde_json::json!({"action": "play", "steps": steps}));
}

/// A form of the board lacks the steps, or the board that was left: sent without them it must do nothing.
#[test]
fn what_a_form_of_the_board_lacks_is_asked_for() {
    let mut played = entered(5);
    opened(&mut played);
    played.acts(Slot::Lower, &serde_json::json!({"action": "roll", "dice": [3, 1]}));
    let board = played.board(|_| true);
    let game = &played.0.board().unwrap().game;
    let (before, turn) = (PositionId::from(game.position()), game.turn().unwrap());
    let play = board.play("board-plays", &board.to_play().unwrap());
    for (form, action) in [
        (&play, json!({"action": "play"})),
        (&board.leave().unwrap(), json!({"action": "leave_board", "before": before, "turn": turn})),
    ] {
        let lacking: Value = form.fields.command();
        assert_eq!(lacking, json!({"command": "board", "by": "lower", "action": action}));
        assert!(serde_json::from_value::<Command>(lacking).is_err(), "{:?}", form.fields);
    }
    // With any play of the list it is whole.
    for (steps, written) in board.plays(&board.to_play().unwrap()) {
        let chosen = [("choice", steps.as_str())];
        let fields = play.fields.iter().map(|field| (field.name.as_str(), field.value.as_str()));
        let command = crate::pages::fields::read(fields.chain(chosen)).unwrap();
        let command: Command = serde_json::from_value(command.into()).unwrap();
        let mut chance = Dice::seeded(0);
        let inputs = &mut Inputs { now: chrono::DateTime::UNIX_EPOCH.into(), chance: &mut chance };
        assert!(played.0.decide(&command, inputs).is_ok(), "{written}");
    }
}

#[test]
fn the_two_choices_of_dice_are_offered_and_decide_how_a_roll_comes_about() {
    let mut played = Played::to(5);
    let screen = sample::screen(&played.0, |_| true);
    let (t, view) = (sample::english(&screen), BoardView::default());
    let page = SheetPage::new(t, Frame::default(), &screen, view, None);
    let starts: Vec<String> = page.starts().into_iter().map(|button| button.label).collect();
    assert_eq!(starts, ["With dice rolled here", "With our own dice"]);
    assert!(board(&t, &screen, view).is_none());

    played.does(&Command::StartBoard { dice: DiceSource::Drawn });
    let drawn = played.board(|_| true);
    assert_eq!((labels(&drawn), drawn.enter().is_some()), (vec!["Roll one die each".to_owned()], false));
    let entered = entered(5).board(|_| true);
    assert!(labels(&entered).is_empty());
    let asked = entered.enter().map(|enter| enter.dice.map(|(label, _)| label));
    assert_eq!(asked, Some(["Ann", "Bob"].map(str::to_owned)));
}

#[test]
fn players_are_offered_their_own_acts_and_onlookers_none() {
    let mut played = entered(5);
    opened(&mut played);
    let bob = |legal: &Legal| !matches!(legal, Legal::Board { by: Slot::Upper, .. });
    let board = played.board(bob);
    assert_eq!(labels(&board), ["Bob doubles to 2"]);
    assert_eq!(board.status(), "Bob to roll, or to double");
    assert!(board.enter().is_some());
    let ann = |legal: &Legal| !matches!(legal, Legal::Board { by: Slot::Lower, .. });
    let board = played.board(ann);
    assert_eq!((labels(&board), board.enter().is_some()), (Vec::new(), false));
    let resign = board.resign();
    assert_eq!(resign.len(), 3);
    let (first, then) = resign.first().unwrap();
    assert_eq!(first.label, "Ann resigns: Single");
    assert_eq!(then, "Bob is asked first. Once accepted, the game is over: Single.");
    let board = played.board(|_| false);
    assert_eq!((labels(&board), board.resign().len()), (Vec::new(), 0));
    assert_eq!(board.last_dice().map(|(_, die, _)| die.pips()).collect::<Vec<_>>(), [4, 2], "G19");

    played.acts(Slot::Lower, &serde_json::json!({"action": "double"}));
    let board = played.board(|_| true);
    assert_eq!(labels(&board), ["Ann takes the cube at 2"]);
    let ends: Vec<_> = board.ends().into_iter().map(|(act, then)| (act.label, then)).collect();
    let ending = ["Ann drops and loses 1", "The game is over then, and Bob wins 1."].map(str::to_owned);
    assert_eq!(ends, [ending.into()]);
    let cube = board.game.cube().unwrap();
    assert_eq!((board.figure(&cube).get(), board.raise().is_some()), (2, true));
    played.acts(Slot::Upper, &serde_json::json!({"action": "take"}));
    let board = played.board(|_| true);
    let cube = board.game.cube().unwrap();
    assert_eq!((board.figure(&cube).get(), board.raise()), (2, None));
    assert_eq!(board.cube_said(&cube), "The cube at 2: Ann may turn it");
    assert!(board.cube_at(&cube).1 > 260, "nearer to Ann, who plays from below");
}

#[test]
fn m3_m6_no_cube_in_the_crawford_game_and_no_double_by_which_a_leader_gains_nothing() {
    let mut played = Played::to(2);
    let game = |winner| {
        serde_json::from_value(serde_json::json!({"command": "game", "winner": winner, "win": "single"}))
    };
    played.does(&game("lower").unwrap());
    played.does(&Command::StartBoard { dice: DiceSource::Entered });
    opened(&mut played);
    let crawford = played.board(|_| true);
    assert!(crawford.game.cube().is_none());
    assert_eq!((labels(&crawford), crawford.status().as_str()), (Vec::new(), "Bob to roll"));

    // A match to three. Bob needs one point and Ann two, after the Crawford game.
    let mut played = Played::to(3);
    for winner in ["lower", "lower", "upper"] {
        played.does(&game(winner).unwrap());
    }
    played.does(&Command::StartBoard { dice: DiceSource::Entered });
    opened(&mut played);
    let board = played.board(|_| true);
    assert!(board.game.cube().is_some());
    assert_eq!((labels(&board), board.status().as_str()), (Vec::new(), "Bob to roll"));
}
