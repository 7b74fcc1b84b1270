//! Texts that are not records, with the place and the reason reported.

use crate::record::{MOST_ACTIONS, MOST_BYTES, MOST_GAMES, TextError, mat, sgf};

const HEAD: &str = " 7 point match\n\n Game 1\n Ann : 0                        Bob : 0\n";
const MONEY: &str = " 0 point match\n\n Game 1\n Ann : 0                        Bob : 0\n";

#[track_caller]
pub(super) fn check(result: Result<impl std::fmt::Debug, TextError>, expected: &str) {
    assert_eq!(result.unwrap_err().to_string(), expected);
}

#[test]
fn broken_match_texts() {
    let cell = "expected a roll, a double, its answer or a win";
    for (text, expected) in [
        ("", "line 1, column 1: expected the length as \"7 point match\""),
        ("hello\n", "line 1, column 1: expected the length as \"7 point match\""),
        (" 70000 point match\n", "line 1, column 1: the number is too large"),
        (" x point match\n", "line 1, column 1: expected a number"),
        (" 7 point match\n  1) 31: 8/5 6/5\n", "line 2, column 1: expected \"Game 1\""),
        (" 7 point match\n Game 1\n", "line 2, column 1: expected \"Ann : 0   Bob : 0\""),
        (" 7 point match\n Game 1\n Ann  Bob\n", "line 3, column 2: expected \"Ann : 0   Bob : 0\""),
        (" 7 point match\n Game 1\n A : 99999999999    B : 0\n", "line 3, column 2: the number is too large"),
        (
            " 7 point match\n Game 1\n A : 7    B : 0\n",
            "line 3, column 2: the match is over before this game (M1)",
        ),
    ] {
        check(mat::read(text.as_bytes()), expected);
    }
    for (lines, expected) in [
        ("  1) nonsense\n", &*format!("line 5, column 6: {cell}")),
        ("well\n", &format!("line 5, column 1: {cell}")),
        (" 7 point match\n", &format!("line 5, column 1: {cell}")),
        ("  1) 37: 8/5\n", "line 5, column 6: two dice from 1 to 6 are expected here"),
        (
            "  1) 31: 8/5 6/5 x\n",
            "line 5, column 18: the play cannot be read: a point from 1 to 24, \"bar\" or \"off\" is expected",
        ),
        (
            "  1) 31: 8/5 6/6\n",
            "line 5, column 16: the play cannot be read: a checker does not move from 6 to 6",
        ),
        ("  1) 31: 8/5 7/6\n", "line 5, column 6: these moves are not a legal play of the roll"),
        ("  1) 31: 8/5\n", "line 5, column 6: these moves are not a legal play of the roll"),
        ("  1) 33: 8/5(2) 6/3(2)\n", "line 5, column 6: a game does not begin with equal numbers (G3)"),
        ("  1) 31: Cannot Move\n", "line 5, column 6: a play is missing: several are legal"),
        (
            "  1) 31:                         52: 13/8 13/11\n",
            "line 5, column 6: a play is missing: several are legal",
        ),
        ("  1) Cannot Move\n", "line 5, column 6: a turn without a roll cannot be kept in a record"),
        ("  1)  Doubles => 2\n", "line 5, column 7: nobody may double before the opening roll (C5)"),
        ("  1) 31: 8/5 6/5      Takes\n", "line 5, column 23: there is no double to answer"),
        ("  1) 31: 8/5 6/5      Doubles => 4\n", "line 5, column 30: the cube comes to 2 here"),
        (
            "  1) 31: 8/5 6/5      Doubles => 2\n  2)  Beavers => 4\n",
            "line 6, column 7: beavers are not used in matches (M4)",
        ),
        (
            "  1) 31: 8/5 6/5      Doubles => 2\n  2) 52: 13/8 13/11\n",
            "line 6, column 6: the double has to be answered first",
        ),
        (
            "  1) 31: 8/5 6/5      Doubles => 2\n  2)  Drops     Wins 2 points\n",
            "line 6, column 17: 2 points are written, but the game counts 1",
        ),
        (
            "  1) 31: 8/5 6/5      Doubles => 2\n      Wins 1 point\n",
            "line 6, column 7: the double has to be answered first",
        ),
        (
            "  1) 31: 8/5 6/5\n      Wins 4 points\n",
            "line 6, column 7: with this cube nobody can resign 4 points",
        ),
        ("  1) 31: 8/5 6/5\n      Wins\n", "line 6, column 11: expected a number"),
        ("  1) 31: 8/5 6/5\n      Wins 1 point\n      Wins 1 point\n", "line 7, column 7: the game is over"),
        ("  1) 31: 8/5 6/5\n      Wins 1 point\n  2) 52: 13/8 13/11\n", "line 7, column 6: the game is over"),
        (
            "  1) 31: 8/5 6/5  52: 13/8 13/11  42: 8/4 6/4\n",
            "line 5, column 35: expected the end of the line",
        ),
        (
            "  1) 31: 8/5 6/5\n\n Game 2\n Bob : 0      Ann : 0\n",
            "line 8, column 2: the players are not those of the first game",
        ),
        (
            "  1) 31: 8/5 6/5\n      Wins 1 point\n Game 2\n Ann : 2    Bob : 0\n",
            "line 8, column 2: the score is 2-0 here, but 1-0 by the games before",
        ),
    ] {
        check(mat::read((HEAD.to_owned() + lines).as_bytes()), expected);
    }
    let capped = "  1) 31: 8/5 6/5      Doubles => 2\n  2) Drops    Wins 3 points\n";
    check(
        mat::read((MONEY.to_owned() + capped).as_bytes()),
        "line 6, column 15: 3 points are written, but the game counts 1",
    );
}

#[test]
fn broken_sgf() {
    for (text, expected) in [
        ("", "line 1, column 1: expected \"(\""),
        ("x", "line 1, column 1: expected \"(\""),
        ("(", "line 1, column 2: expected \")\""),
        ("()", "line 1, column 1: expected a node"),
        ("(GM[6])", "line 1, column 2: expected \";\""),
        ("(;GM[6]\n;W[31", "line 2, column 6: expected \"]\""),
        ("(;GM)", "line 1, column 5: expected \"[\""),
        ("(;GM[6]=)", "line 1, column 8: expected a property, \";\", \"(\" or \")\""),
        ("(;GM[1])", "line 1, column 6: expected 6, which is backgammon"),
        ("(;MI[length:x])", "line 1, column 6: expected a number"),
        ("(;MI[length:70000])", "line 1, column 1: the number is too large"),
        ("(;;W[71hefe])", "line 1, column 6: two dice from 1 to 6 are expected here"),
        ("(;;W[3])", "line 1, column 6: two dice from 1 to 6 are expected here"),
        ("(;;W[31hef])", "line 1, column 10: expected two points"),
        ("(;;W[31he5e])", "line 1, column 10: expected two points from a to z"),
        ("(;;W[31heef])", "line 1, column 10: the play cannot be read: a checker does not move from 5 to 6"),
        ("(;;W[31hehe])", "line 1, column 6: these moves are not a legal play of the roll"),
        ("(;;W[31hefe]\n;W[31hefe])", "line 2, column 4: it is black's turn"),
        ("(;;W[31hefe];B[take])", "line 1, column 16: there is no double to answer"),
        ("(;;W[31hefe];B[])", "line 1, column 16: a turn without a roll cannot be kept in a record"),
        ("(;;W[31hefe];AE[a])", "line 1, column 14: a set-up in mid-game cannot be kept in a record"),
        ("(;AE[a:y]AW[f]AB[f];W[31fc])", "line 1, column 18: both sides stand on the mover's point 6"),
        ("(;AW[f][f][f]AB[ab])", "line 1, column 17: expected a point from a to z"),
        ("(;AW[a])", "line 1, column 6: 16 checkers, at most 15 are allowed"),
        ("(;CV[3])", "line 1, column 6: expected a power of two"),
        ("(;PL[x])", "line 1, column 6: expected W or B"),
    ] {
        check(sgf::read(text.as_bytes()), expected);
    }
    for (result, reason) in [
        ("W+1", "the other side has won this game"),
        ("B+9", "9 points are written, but the game counts 1"),
        ("B+x", "expected points as \"W+2\""),
    ] {
        let text = format!("(;RE[{result}];W[31hefe];B[double];W[drop])");
        check(sgf::read(text.as_bytes()), &format!("line 1, column 6: {reason}"));
    }
    check(sgf::read(b"(;PW[A])(;PW[B])"), "line 1, column 9: the players are not those of the first game");
    check(sgf::read(b"(;)(;MI[length:3])"), "line 1, column 4: expected a game of the same length");
}

#[test]
fn limits_are_kept() {
    check(mat::read(&vec![b' '; MOST_BYTES + 1]), "line 1, column 1: the file is longer than 4194304 bytes");
    let name = "x".repeat(600);
    check(
        mat::read(format!("; {name}\n 0 point match\n Game 1\n {name} : 0  B : 0\n").as_bytes()),
        "line 4, column 1: the line is longer than 500 bytes",
    );
    let games = " Game 1\n A : 0   B : 0\n".repeat(MOST_GAMES + 1);
    check(
        mat::read(format!(" 0 point match\n{games}").as_bytes()),
        "line 2003, column 2: there are more than 1000 games",
    );
    check(
        sgf::read("(;)".repeat(MOST_GAMES + 1).as_bytes()),
        "line 1, column 3001: there are more than 1000 games",
    );
    // Two sides that are closed out cannot arise, but a file can hold two sides that dance forever.
    let dance =
        "AE[a:y]AW[y][y][a][a][b][b][c][c][d][d][e][e][f][f]AB[y][y][s][s][t][t][u][u][v][v][w][w][x][x]";
    let turns = ";W[31];B[31]".repeat(MOST_ACTIONS / 2 + 1);
    let error = sgf::read(format!("(;{dance}{turns})").as_bytes()).unwrap_err();
    assert_eq!(error.reason.to_string(), "there are more than 10000 actions in a game");
}

#[test]
fn deep_nesting_and_endless_values_do_no_harm() {
    assert!(sgf::read("(;".repeat(100_000).as_bytes()).is_err());
    assert!(sgf::read(format!("(;C[{}", "\\]".repeat(100_000)).as_bytes()).is_err());
}
