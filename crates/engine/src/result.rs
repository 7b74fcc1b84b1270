//! The result of a finished game (G13, G14, C3, C9, V3, V4).

use super::colour::Colour;
use super::cube::CubeValue;
use super::place::{BAR, across};
use super::position::{Checkers, Position};

/// The kind of win (G14), which multiplies the stake.
#[cfg_attr(
    doc,
    doc = "
```
use owlbox_engine::{Position, Win};

// The mover has borne off everything, the other side nothing: it still has all fifteen on its six-point.
let mut board = [0; 26];
board[19] = -15;
assert_eq!(Win::in_position(Position::from_board(&board, 15)?), Some(Win::Gammon));
assert_eq!(Win::Gammon.multiplier(), 2);
# Ok::<(), owlbox_engine::InvalidPosition>(())
```"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Win {
    /// The loser has borne off at least one checker.
    Single,
    /// The loser has borne off no checker.
    Gammon,
    /// The loser has borne off no checker and still has one on the bar or in the winner's home. Not in every
    /// variant (V4).
    Backgammon,
}

impl Win {
    /// Every kind, the likeliest first.
    pub const ALL: [Self; 3] = [Self::Single, Self::Gammon, Self::Backgammon];

    /// The factor on the stake: 1, 2 or 3.
    #[must_use]
    pub const fn multiplier(self) -> u32 {
        match self {
            Self::Single => 1,
            Self::Gammon => 2,
            Self::Backgammon => 3,
        }
    }

    /// The kind of win in a finished position (G13, G14); `None` while both sides have checkers in play.
    ///
    /// It depends on the checkers left on the board, no matter who owns them: the loser's, or in the losing
    /// game the winner's (V3).
    #[must_use]
    pub fn in_position(position: Position) -> Option<Self> {
        match (position.mover().all_off(), position.other().all_off()) {
            (true, _) => Some(Self::against(position.other())),
            (_, true) => Some(Self::against(position.mover())),
            _ => None,
        }
    }

    /// The kind of win against the checkers `left`. One checker off makes the win single, even with another
    /// on the bar. There is no backgammon without a bar (V4).
    fn against(left: Checkers) -> Self {
        if left.off() > 0 {
            Self::Single
        } else if left.movement().has_bar() && left.highest() >= FURTHEST_HOME {
            Self::Backgammon
        } else {
            Self::Gammon
        }
    }

    /// The kind it counts as: itself, or single where gammons do not count (C9).
    #[must_use]
    pub const fn counted(self, gammons: bool) -> Self {
        if gammons { self } else { Self::Single }
    }
}

/// The other side's home, as one counts: from 19 up to the bar.
const FURTHEST_HOME: u8 = across(6);
const _: () = assert!(FURTHEST_HOME < BAR);

/// The way a game ended.
#[cfg_attr(
    doc,
    doc = "
```
use owlbox_engine::{Ended, Win};

assert_eq!(Ended::Resigned { win: Win::Gammon }.win(), Some(Win::Gammon));
assert_eq!(Ended::Dropped {}.win(), None);
```"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = GameEnded))]
pub enum Ended {
    /// A side has borne off everything (G13).
    BorneOff {
        /// The kind of win on the board, whether or not it counts (C9).
        win: Win,
    },
    /// The loser resigned and the winner accepted.
    Resigned {
        /// The kind of win agreed on, whether or not it counts (C9).
        win: Win,
    },
    /// The loser dropped a double (C3). There is no kind of win.
    Dropped {},
    /// In Plakoto (V4), the loser's mother is pinned, which counts double.
    MotherPinned {},
}

impl Ended {
    /// The kind of win, whether or not it counts (C9). `None` after a drop.
    #[must_use]
    pub const fn win(self) -> Option<Win> {
        match self {
            Self::BorneOff { win } | Self::Resigned { win } => Some(win),
            Self::MotherPinned {} => Some(Win::Gammon),
            Self::Dropped {} => None,
        }
    }
}

/// The result of a game, with its points.
#[cfg_attr(
    doc,
    doc = "
```
use owlbox_engine::{Colour, CubeValue, Ended, Outcome, Win};

let gammon = Ended::BorneOff { win: Win::Gammon };
let outcome = Outcome::new(Colour::White, gammon, CubeValue::try_from(4)?, true);
assert_eq!(outcome.points, 8);
# Ok::<(), owlbox_engine::InvalidValue>(())
```"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = GameOutcome))]
pub struct Outcome {
    /// The side that won the game.
    pub winner: Colour,
    /// The way in which it won.
    pub ended: Ended,
    /// The stake: the value of the cube, after a drop the value before the offer; 1 without a cube.
    pub stake: CubeValue,
    /// The points the winner wins and the loser loses.
    pub points: u32,
}

impl Outcome {
    /// The result of a game won by `winner` at `stake`. `gammons` is whether gammons and backgammons count
    /// (C9).
    #[must_use]
    pub const fn new(winner: Colour, ended: Ended, stake: CubeValue, gammons: bool) -> Self {
        let times = match ended.win() {
            Some(win) => win.counted(gammons).multiplier(),
            None => 1,
        };
        // At most 3 times 2^20, so it cannot overflow.
        Self { winner, ended, stake, points: stake.get() * times }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::gnu::from_position_id;

    #[test]
    fn g14_single_gammon_backgammon_count_one_two_three() {
        assert_eq!(Win::ALL.map(Win::multiplier), [1, 2, 3]);
    }

    #[derive(serde::Deserialize)]
    struct Case {
        id: String,
        board_winner_view: [i8; 26],
        points: u32,
        result: String,
    }

    #[test]
    fn g14_every_finished_position_of_the_reference_data() {
        let data = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/outcomes.jsonl"));
        let mut count = 0;
        for line in data.lines() {
            let case: Case = serde_json::from_str(line).unwrap();
            // The loser is about to move.
            let position = from_position_id(&case.id, 15).unwrap();
            assert_eq!(
                position.turned(),
                Position::from_board(&case.board_winner_view, 15).unwrap(),
                "{line}"
            );
            for seen in [position, position.turned()] {
                let win = Win::in_position(seen).unwrap();
                assert_eq!(win.multiplier(), case.points, "{line}");
                assert_eq!(format!("{win:?}").to_lowercase(), case.result, "{line}");
            }
            count += 1;
        }
        assert_eq!(count, 180);
    }

    #[test]
    fn g13_nobody_has_won_while_both_have_checkers_in_play() {
        assert_eq!(Win::in_position(crate::Variant::Standard.start()), None);
    }

    #[test]
    fn g14_one_borne_off_makes_it_single_even_with_one_on_the_bar() {
        let mut board = [0; 26];
        board[0] = -1;
        board[2] = -13;
        assert_eq!(Win::in_position(Position::from_board(&board, 15).unwrap()), Some(Win::Single));
        board[2] = -14;
        assert_eq!(Win::in_position(Position::from_board(&board, 15).unwrap()), Some(Win::Backgammon));
    }

    fn points(ended: Ended, stake: u32, gammons: bool) -> u32 {
        Outcome::new(Colour::White, ended, stake.try_into().unwrap(), gammons).points
    }

    #[test]
    fn g14_a_win_counts_its_kind_times_the_cube() {
        let counts = Win::ALL.map(|win| points(Ended::BorneOff { win }, 4, true));
        assert_eq!(counts, [4, 8, 12]);
        assert_eq!(points(Ended::Resigned { win: Win::Gammon }, 2, true), 4);
        assert_eq!(points(Ended::BorneOff { win: Win::Backgammon }, 1 << 20, true), 3 << 20);
    }

    #[test]
    fn c3_a_drop_counts_the_stake_alone() {
        assert_eq!(points(Ended::Dropped {}, 2, true), 2);
    }

    #[test]
    fn c9_where_gammons_do_not_count_every_win_is_single() {
        for win in Win::ALL {
            assert_eq!(points(Ended::BorneOff { win }, 2, false), 2);
            assert_eq!(points(Ended::Resigned { win }, 2, false), 2);
        }
    }

    #[cfg(feature = "serde")]
    #[test]
    fn an_outcome_is_written_as_documented() {
        let outcome = Outcome::new(Colour::Black, Ended::BorneOff { win: Win::Gammon }, CubeValue::ONE, true);
        let written = serde_json::json!({
            "winner": "black", "ended": {"by": "borne_off", "win": "gammon"}, "stake": 1, "points": 2,
        });
        assert_eq!(serde_json::to_value(outcome).unwrap(), written);
        assert_eq!(serde_json::from_value::<Outcome>(written).unwrap(), outcome);
    }
}
