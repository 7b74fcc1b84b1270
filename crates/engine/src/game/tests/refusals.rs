//! Every refusal, on one line each: the state of the game, the side, the action and the code.

use std::collections::BTreeSet;

use super::*;
use crate::{Animals, Variant, Win};

/// The state a game is in.
#[derive(Clone, Copy, Debug)]
enum At {
    /// The opening roll has not been made.
    Start,
    /// White has opened with 3-1 and played; Black is on turn.
    Turn,
    /// White has opened a game of Plakoto.
    Plakoto,
    /// The state of `Turn`, without the cube.
    NoCube,
    /// The state of `Turn`, in the Crawford game.
    Crawford,
    /// Black has rolled 6-2 in its turn.
    Rolled,
    /// White has rolled 5-4 too early as well.
    Early,
    /// Black has played 24/18 only and left the board like that.
    Left,
    /// White has left the board as if it had won.
    LeftWon,
    /// The state of `LeftWon`, after Black has rolled 5-4 too early.
    LeftWonEarly,
    /// Black has doubled, in a house with beavers and a cap of 8.
    Doubled,
    /// White has beavered, and no further redouble is allowed.
    Beavered,
    /// Black's double to 2 was taken, and 2 is the cap.
    Taken,
    /// The state of `Taken`, with White on turn.
    TakenOwner,
    /// Black has offered to resign.
    Resigned,
    /// White is on the bar against a 5-point board and has rolled 5-3.
    Dances,
    /// White, on turn, is closed out.
    Closed,
    /// Black, on turn, has had cocked dice a hundred times.
    Cocked,
    /// The game is over and has its result.
    Over,
}

fn table(at: At) -> Table {
    let on = |at, by, actions: &[Action]| {
        let mut table = table(at);
        for action in actions {
            table.ok(by, action);
        }
        table
    };
    let house = CubeOptions { beavers: Animals::Beaver, cap: Some(value(8)), ..CubeOptions::default() };
    let capped = CubeOptions { cap: Some(value(2)), ..CubeOptions::default() };
    match at {
        At::Start => Table::new(common()),
        At::Turn => Table::opened(common()),
        At::Plakoto => {
            let mut table = Table::new(GameRules { variant: Variant::Plakoto, ..common() });
            table.ok(White, &opening(3, 1));
            table
        }
        At::NoCube => Table::opened(GameRules { cube: CubeRules::Without {}, ..common() }),
        At::Crawford => Table::opened(GameRules { cube: CubeRules::Crawford {}, ..common() }),
        At::Rolled => on(At::Turn, Black, &[rolls(6, 2)]),
        At::Early => on(At::Rolled, White, &[rolls(5, 4)]),
        At::Left => {
            let mut board = table(At::Rolled).game.position().board();
            (board[24], board[18]) = (1, 1);
            on(At::Rolled, Black, &[leave(Position::from_board(&board, 15).unwrap().turned())])
        }
        At::LeftWon | At::LeftWonEarly => {
            let mut table = Table::with(common(), "2:2", "13:15");
            table.ok(White, &rolls(2, 1));
            if matches!(at, At::LeftWonEarly) {
                table.ok(Black, &rolls(5, 4));
            }
            table.ok(White, &leave(position("13:15", "", 15)));
            table
        }
        At::Doubled => {
            let mut table = Table::opened(with_cube(house));
            table.ok(Black, &Action::Double {});
            table
        }
        At::Beavered => on(At::Doubled, White, &[Action::Beaver {}]),
        At::Taken => {
            let mut table = Table::opened(with_cube(capped));
            table.ok(Black, &Action::Double {});
            table.ok(White, &Action::Take {});
            table
        }
        At::TakenOwner => on(At::Taken, Black, &[rolls(6, 2), play(&[(24, 6), (13, 2)])]),
        At::Resigned => on(At::Turn, Black, &[Action::Resign { win: Win::Single }]),
        At::Dances => {
            let mut table = Table::with(common(), "bar:1 6:14", "1:2 2:2 3:2 4:2 5:2 13:5");
            table.ok(White, &rolls(5, 3));
            table
        }
        At::Cocked => on(At::Turn, Black, &vec![Action::CockedDice {}; 100]),
        At::Closed => Table::with(common(), "bar:1 6:14", "1:2 2:2 3:2 4:2 5:2 6:2 7:3"),
        At::Over => on(At::Resigned, White, &[Action::AcceptResignation {}]),
    }
}

#[test]
fn every_refusal_and_its_code() {
    let roll = || rolls(6, 5);
    let six_two = || play(&[(24, 6), (13, 2)]);
    let start = || leave(crate::Variant::Standard.start());
    let (take, drop, beaver) = (Action::Take {}, Action::Drop {}, Action::Beaver {});
    let (double, pass, cocked) = (Action::Double {}, Action::Pass {}, Action::CockedDice {});
    let (accept, reject) = (Action::AcceptResignation {}, Action::RejectResignation {});
    let (accept_play, send_back) = (Action::AcceptPlay {}, Action::SendBack {});
    let resign = Action::Resign { win: Win::Single };
    let table_of_refusals = [
        (At::Over, White, roll(), "game_over"),
        (At::Over, Black, opening(3, 1), "game_over"),
        (At::Over, White, resign.clone(), "game_over"),
        (At::Over, White, accept.clone(), "game_over"),
        (At::Turn, Black, opening(3, 1), "already_opened"),
        (At::Resigned, White, opening(3, 1), "already_opened"),
        (At::Start, White, roll(), "not_opened"),
        (At::Start, White, double.clone(), "not_opened"),
        (At::Start, White, six_two(), "not_opened"),
        (At::Start, White, resign.clone(), "not_opened"),
        (At::Resigned, White, roll(), "resignation_pending"),
        (At::Resigned, Black, resign.clone(), "resignation_pending"),
        (At::Resigned, White, take.clone(), "resignation_pending"),
        (At::Resigned, Black, accept.clone(), "not_your_answer"),
        (At::Resigned, Black, reject.clone(), "not_your_answer"),
        (At::Turn, White, accept, "no_resignation"),
        (At::Doubled, White, reject, "no_resignation"),
        (At::Doubled, Black, roll(), "offer_pending"),
        (At::Doubled, Black, double.clone(), "offer_pending"),
        (At::Doubled, White, resign, "offer_pending"),
        (At::Doubled, White, pass.clone(), "offer_pending"),
        (At::Turn, White, take.clone(), "no_offer"),
        (At::Taken, White, beaver.clone(), "no_offer"),
        (At::Rolled, Black, drop.clone(), "no_offer"),
        (At::Doubled, Black, take.clone(), "not_your_answer"),
        (At::Doubled, Black, drop, "not_your_answer"),
        (At::Doubled, Black, beaver.clone(), "not_your_answer"),
        (At::Beavered, White, take, "not_your_answer"),
        (At::Turn, White, roll(), "not_your_turn"),
        (At::Turn, White, cocked.clone(), "not_your_turn"),
        (At::Turn, White, double.clone(), "not_your_turn"),
        (At::Rolled, White, six_two(), "not_your_turn"),
        (At::Rolled, White, start(), "not_your_turn"),
        (At::Left, Black, send_back.clone(), "not_your_turn"),
        (At::Left, Black, roll(), "not_your_turn"),
        (At::Rolled, Black, roll(), "already_rolled"),
        (At::Rolled, Black, double.clone(), "already_rolled"),
        (At::Rolled, Black, cocked.clone(), "already_rolled"),
        (At::Early, White, roll(), "already_rolled"),
        (At::LeftWonEarly, Black, double.clone(), "already_rolled"),
        (At::Turn, Black, six_two(), "not_rolled"),
        (At::Turn, Black, pass.clone(), "not_rolled"),
        (At::Turn, Black, start(), "not_rolled"),
        (At::LeftWon, Black, six_two(), "not_rolled"),
        (At::LeftWon, Black, roll(), "play_unanswered"),
        (At::LeftWon, Black, double.clone(), "play_unanswered"),
        (At::LeftWonEarly, Black, play(&[(13, 5), (13, 4)]), "play_unanswered"),
        (At::LeftWonEarly, Black, pass.clone(), "play_unanswered"),
        (At::LeftWonEarly, Black, start(), "play_unanswered"),
        (At::Turn, Black, send_back, "no_play_to_answer"),
        (At::Rolled, Black, accept_play, "no_play_to_answer"),
        (At::Closed, White, roll(), "closed_out"),
        (At::Closed, White, cocked.clone(), "closed_out"),
        (At::Cocked, Black, cocked, "cocked_too_often"),
        (At::Dances, White, play(&[]), "nothing_to_play"),
        (At::Dances, White, play(&[(25, 5)]), "nothing_to_play"),
        (At::Rolled, Black, pass, "play_possible"),
        (At::NoCube, Black, double.clone(), "no_cube"),
        (At::Crawford, Black, double.clone(), "crawford_game"),
        (At::Beavered, Black, beaver, "no_beavers"),
        (At::Taken, Black, double.clone(), "not_your_cube"),
        (At::TakenOwner, White, double, "cube_at_limit"),
        (At::Rolled, Black, play(&[(24, 6)]), "illegal_play"),
        (At::Rolled, Black, play(&[(24, 5), (13, 2)]), "illegal_play"),
        (At::Rolled, Black, play(&[]), "illegal_play"),
        (At::Rolled, Black, start(), "impossible_board"),
        (At::Dances, White, leave(table(At::Dances).game.position().turned()), "board_is_legal"),
        (At::Plakoto, White, Action::Resign { win: Win::Backgammon }, "no_such_win"),
    ];
    let mut seen = BTreeSet::new();
    for (at, by, action, code) in table_of_refusals {
        assert_eq!(table(at).no(by, &action).code(), code, "{at:?} {by} {action:?}");
        seen.insert(code);
    }
    assert_eq!(seen, Refusal::CODES.iter().copied().collect(), "a code that nothing proves");
}
