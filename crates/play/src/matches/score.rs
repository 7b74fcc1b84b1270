//! The score of a match, game by game (M1 to M7).

use serde::{Deserialize, Serialize};

use super::Slot;
use owlbox_base::values::InvalidValue;
use owlbox_engine::tables::equity::{Away, MatchPhase, MatchScore};
use owlbox_engine::{CubeValue, Win};

/// The length of a match in points: 1 to 255 (M7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "u16", into = "u16")]
#[cfg_attr(feature = "schema", schema(value_type = u16, minimum = 1, maximum = 255, example = 7))]
pub struct Length(u16);

impl Length {
    /// Seven points, the length where none is given.
    pub const SEVEN: Self = Self(7);
    /// The lengths that lists offer (M7).
    pub const OFFERED: [u16; 13] = [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25];

    /// The length as a number of points.
    #[must_use]
    pub const fn points(self) -> u16 {
        self.0
    }

    /// The winner at a final score, upper slot's points first: exactly one side has the length, and the other
    /// fewer (M1, M2). `None` if it is not a final score.
    #[must_use]
    pub const fn winner(self, [upper, lower]: [u16; 2]) -> Option<Slot> {
        if upper == self.0 && lower < self.0 {
            Some(Slot::Upper)
        } else if lower == self.0 && upper < self.0 {
            Some(Slot::Lower)
        } else {
            None
        }
    }
}

impl TryFrom<u16> for Length {
    type Error = InvalidValue;
    fn try_from(points: u16) -> Result<Self, InvalidValue> {
        if (1..=255).contains(&points) {
            Ok(Self(points))
        } else {
            Err(InvalidValue { what: "length", allowed: "1 to 255" })
        }
    }
}

impl From<Length> for u16 {
    fn from(length: Length) -> Self {
        length.0
    }
}

/// The result of one game of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WonGame {
    pub winner: Slot,
    pub win: Win,
    /// The value of the cube at the end; 1 in the Crawford game.
    #[serde(default = "one")]
    pub cube: CubeValue,
}

const fn one() -> CubeValue {
    CubeValue::ONE
}

impl WonGame {
    /// The value of the game: 1, 2 or 3 times the cube (M2).
    #[must_use]
    pub const fn points(self) -> u32 {
        self.cube.get() * self.win.multiplier()
    }
}

/// Why a game or a penalty cannot be entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotScore {
    #[error("the match is over")]
    Over,
    /// The Crawford game is played without the cube (M3).
    #[error("this is the Crawford game: the cube stays at 1")]
    Crawford,
}

/// The score of a match so far.
///
/// Points won and penalty points are kept apart; both count, towards the length and for the Crawford game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchTally {
    length: Length,
    won: [u32; 2],
    penalties: [u32; 2],
    phase: MatchPhase,
    games: u32,
    crawford: bool,
}

impl MatchTally {
    #[must_use]
    pub const fn new(length: Length) -> Self {
        let phase = if length.0 == 1 { MatchPhase::AfterCrawford } else { MatchPhase::BeforeCrawford };
        Self { length, won: [0; 2], penalties: [0; 2], phase, games: 0, crawford: true }
    }

    /// The same score with the Crawford rule in force or not (M3); without it no game is the Crawford game.
    #[must_use]
    pub const fn with_crawford(self, crawford: bool) -> Self {
        Self { crawford, ..self }
    }

    /// Restores a stored score: points won and penalty points of the upper and lower slot, the phase with
    /// regard to the Crawford game, and the number of games over.
    #[must_use]
    pub const fn kept(
        length: Length,
        won: [u32; 2],
        penalties: [u32; 2],
        phase: MatchPhase,
        games: u32,
    ) -> Self {
        Self { length, won, penalties, phase, games, crawford: true }
    }

    #[must_use]
    pub const fn length(&self) -> Length {
        self.length
    }

    /// The number of games that are over.
    #[must_use]
    pub const fn games(&self) -> u32 {
        self.games
    }

    /// The score to show: points won plus penalty points, never above the length (M2).
    #[must_use]
    pub fn points(&self) -> [u16; 2] {
        Slot::BOTH.map(|slot| self.length.0 - self.away(slot))
    }

    /// The points won in games, which may exceed the length.
    #[must_use]
    pub const fn won(&self) -> [u32; 2] {
        self.won
    }

    /// The points that each side was given for the other's penalties.
    #[must_use]
    pub const fn penalties(&self) -> [u32; 2] {
        self.penalties
    }

    /// The number of points that a side still needs.
    #[must_use]
    pub fn away(&self, slot: Slot) -> u16 {
        let has = self.won[slot.at()].saturating_add(self.penalties[slot.at()]);
        u16::try_from(has).map_or(0, |has| self.length.0.saturating_sub(has))
    }

    /// The first side to reach the length (M1).
    #[must_use]
    pub fn winner(&self) -> Option<Slot> {
        Slot::BOTH.into_iter().find(|slot| self.away(*slot) == 0)
    }

    /// The next game's place relative to the Crawford game (M3).
    #[must_use]
    pub const fn phase(&self) -> MatchPhase {
        self.phase
    }

    /// Whether the cube is of no use to this side (M6). Its double is then not offered, but accepted from a
    /// file or a scorer.
    #[must_use]
    pub fn gains_nothing_by_doubling(&self, slot: Slot, cube: CubeValue) -> bool {
        cube.suffices(self.away(slot).into())
    }

    /// The upper slot's chance to win the match, before the next game, in millionths. `None` outside the
    /// equity table, which covers scores up to 25 points away.
    #[must_use]
    pub fn chance(&self) -> Option<u32> {
        let away = |slot| Away::try_from(u32::from(self.away(slot))).ok();
        let score = MatchScore::new(away(Slot::Upper)?, away(Slot::Lower)?, self.phase).ok()?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1")]
        let millionths = (score.equity() * 1e6).round() as u32;
        Some(millionths)
    }

    /// The score after a game.
    ///
    /// # Errors
    /// [`CannotScore`].
    pub fn after(mut self, game: WonGame) -> Result<Self, CannotScore> {
        if self.winner().is_some() {
            return Err(CannotScore::Over);
        }
        if self.phase == MatchPhase::Crawford && game.cube != CubeValue::ONE {
            return Err(CannotScore::Crawford);
        }
        let before = self.phase;
        let won = &mut self.won[game.winner.at()];
        *won = won.saturating_add(game.points());
        self.games += 1;
        if before == MatchPhase::Crawford {
            self.phase = MatchPhase::AfterCrawford;
        }
        self.look_for_crawford();
        Ok(self)
    }

    /// The score after points given to a side for the other's penalty.
    ///
    /// # Errors
    /// [`CannotScore::Over`].
    pub fn penalised(mut self, gains: Slot, points: u16) -> Result<Self, CannotScore> {
        if self.winner().is_some() {
            return Err(CannotScore::Over);
        }
        let has = &mut self.penalties[gains.at()];
        *has = has.saturating_add(points.into());
        self.look_for_crawford();
        Ok(self)
    }

    /// Decides the phase: the next game is the Crawford game when, for the first time, exactly one side needs
    /// one point (M3).
    fn look_for_crawford(&mut self) {
        let one_away = Slot::BOTH.map(|slot| self.away(slot) == 1);
        self.phase = match self.phase {
            MatchPhase::BeforeCrawford => match one_away {
                [false, false] => MatchPhase::BeforeCrawford,
                [true, false] | [false, true] if self.crawford => MatchPhase::Crawford,
                [true, false] | [false, true] | [true, true] => MatchPhase::AfterCrawford,
            },
            MatchPhase::Crawford if one_away == [true, true] => MatchPhase::AfterCrawford,
            MatchPhase::Crawford => MatchPhase::Crawford,
            MatchPhase::AfterCrawford => MatchPhase::AfterCrawford,
        };
    }
}

/// The penalty points for lateness: one after five minutes and one for each further five. `None` if they
/// exceed half the length: the match is lost.
#[must_use]
pub fn late(length: Length, minutes: u32) -> Option<u16> {
    let points = minutes / 5;
    let points = u16::try_from(points).unwrap_or(u16::MAX);
    (points.saturating_mul(2) <= length.0).then_some(points)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn to(points: u16) -> MatchTally {
        MatchTally::new(Length::try_from(points).unwrap())
    }

    fn game(winner: Slot, win: Win, cube: u32) -> WonGame {
        WonGame { winner, win, cube: CubeValue::try_from(cube).unwrap() }
    }

    #[test]
    fn m1_m2_points_beyond_the_length_have_no_value() {
        let tally = to(5).after(game(Slot::Upper, Win::Gammon, 4)).unwrap();
        assert_eq!((tally.points(), tally.winner()), ([5, 0], Some(Slot::Upper)));
        assert_eq!(tally.after(game(Slot::Lower, Win::Single, 1)), Err(CannotScore::Over));
        assert_eq!(tally.penalised(Slot::Lower, 1), Err(CannotScore::Over));
    }

    #[test]
    fn m3_the_crawford_game_is_the_first_at_one_away_and_has_no_cube() {
        let tally = to(5).after(game(Slot::Upper, Win::Gammon, 2)).unwrap();
        assert_eq!(tally.phase(), MatchPhase::Crawford);
        assert_eq!(tally.after(game(Slot::Lower, Win::Single, 2)), Err(CannotScore::Crawford));
        let tally = tally.after(game(Slot::Lower, Win::Gammon, 1)).unwrap();
        assert_eq!((tally.phase(), tally.points()), (MatchPhase::AfterCrawford, [4, 2]));
        // The cube is back, and at 4-4 there is no second Crawford game.
        let tally = tally.after(game(Slot::Lower, Win::Single, 2)).unwrap();
        assert_eq!((tally.phase(), tally.points()), (MatchPhase::AfterCrawford, [4, 4]));
    }

    #[test]
    fn m3_a_match_to_one_point_has_none_and_both_at_one_away_neither() {
        assert_eq!(to(1).phase(), MatchPhase::AfterCrawford);
        let tally = to(3).penalised(Slot::Upper, 2).unwrap();
        assert_eq!(tally.phase(), MatchPhase::Crawford, "penalty points count for it");
        assert_eq!(tally.penalised(Slot::Lower, 2).unwrap().phase(), MatchPhase::AfterCrawford);
    }

    #[test]
    fn m6_a_side_one_point_away_gains_nothing_by_its_own_double() {
        let tally = to(5).after(game(Slot::Upper, Win::Gammon, 2)).unwrap();
        let tally = tally.after(game(Slot::Lower, Win::Single, 1)).unwrap();
        assert!(tally.gains_nothing_by_doubling(Slot::Upper, CubeValue::ONE));
        assert!(!tally.gains_nothing_by_doubling(Slot::Lower, CubeValue::ONE));
        // But a double that was made and taken counts.
        assert_eq!(tally.after(game(Slot::Lower, Win::Single, 4)).unwrap().points(), [4, 5]);
    }

    /// Proves T15.
    #[test]
    fn penalties_are_told_apart_and_count() {
        let tally =
            to(7).after(game(Slot::Upper, Win::Single, 2)).unwrap().penalised(Slot::Lower, 1).unwrap();
        assert_eq!((tally.points(), tally.penalties(), tally.away(Slot::Lower)), ([2, 1], [0, 1], 6));
        let lost = |length: u16, minutes| late(Length::try_from(length).unwrap(), minutes);
        assert_eq!([lost(7, 4), lost(7, 5), lost(7, 19), lost(7, 20)], [Some(0), Some(1), Some(3), None]);
    }

    #[test]
    fn the_chance_is_the_tables() {
        // 2-away 4-away before Crawford: 5 and 3 points in a match to 7.
        let tally = to(7).penalised(Slot::Upper, 5).unwrap().penalised(Slot::Lower, 3).unwrap();
        assert_eq!(tally.chance(), Some(668_700));
        assert_eq!(to(99).chance(), None);
    }

    fn some_game() -> impl Strategy<Value = WonGame> {
        let winner = prop_oneof![Just(Slot::Upper), Just(Slot::Lower)];
        let win = prop::sample::select(Win::ALL.to_vec());
        (winner, win, 0..5_u32).prop_map(|(winner, win, cube)| game(winner, win, 1 << cube))
    }

    proptest! {
        #[test]
        fn m3_there_is_at_most_one_crawford_game_and_it_comes_at_one_away(
            length in 1..=25_u16,
            games in prop::collection::vec(some_game(), 0..60),
        ) {
            let mut tally = to(length);
            let mut had = 0;
            for game in games {
                let away = Slot::BOTH.map(|slot| tally.away(slot));
                if tally.phase() == MatchPhase::Crawford {
                    had += 1;
                    prop_assert!(away.contains(&1) && away != [1, 1], "{:?}", away);
                }
                let game = if tally.phase() == MatchPhase::Crawford { WonGame { cube: CubeValue::ONE, ..game } } else { game };
                match tally.after(game) {
                    Ok(after) => tally = after,
                    Err(_) => break,
                }
            }
            prop_assert!(had <= 1);
            prop_assert_eq!(tally.winner().is_some(), tally.points().contains(&length));
        }
    }
}
