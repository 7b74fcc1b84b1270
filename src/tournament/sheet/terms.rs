//! What a match is played for, and which match of a tournament it is.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::engine::CubeValue;
use crate::engine::game::{CubeOptions, CubeRules, GameRules};
use crate::engine::tables::equity::Phase;
use crate::tournament::bracket::MatchNo;
use crate::tournament::score::Length;
use crate::values::{Stake, TournamentId};

/// What is played for, as `{"play": "match", "length": 7}` or `{"play": "money"}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "play", rename_all = "snake_case", deny_unknown_fields)]
pub enum Terms {
    /// A match: without automatic doubles, beavers and Jacoby (M4).
    Match {
        /// To how many points (M1, M7).
        length: Length,
        /// M5: after the Crawford game the trailing side may not double before its third turn.
        #[serde(default)]
        holland: bool,
        /// Whether it counts for the ratings, if it is played or conceded. Of a match of a tournament its division says so.
        #[serde(default)]
        rated: bool,
        /// C10: the highest value the cube may reach. The service fills it in, by what the club allows and how long the match
        /// is; one that was opened before it did so has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        highest_cube: Option<CubeValue>,
    },
    /// A money session: game by game, until it is closed. Every game is a bet, and stands in the books.
    Money {
        /// What a point is worth, if money is played for.
        #[serde(default)]
        stake: Option<Stake>,
        /// How the cube is used.
        #[serde(default)]
        cube: CubeOptions,
    },
}

impl Terms {
    /// To how many points a match is played; `None` of a money session.
    #[must_use]
    pub const fn length(self) -> Option<Length> {
        match self {
            Self::Match { length, .. } => Some(length),
            Self::Money { .. } => None,
        }
    }

    /// What a point is worth, if money is played for.
    #[must_use]
    pub const fn stake(self) -> Option<Stake> {
        match self {
            Self::Match { .. } => None,
            Self::Money { stake, .. } => stake,
        }
    }

    /// The same at a club where no cube stands higher than this (C10). In a match cubes that nobody gains by may be as high as
    /// the match is long.
    #[must_use]
    pub fn within(self, allowed: CubeValue) -> Self {
        let capped =
            |cap: Option<CubeValue>, highest: CubeValue| Some(cap.map_or(highest, |cap| cap.min(highest)));
        match self {
            Self::Match { length, holland, rated, highest_cube } => {
                let dead = u32::from(length.points()).next_power_of_two();
                let highest = CubeValue::try_from(dead).map_or(allowed, |dead| dead.max(allowed));
                Self::Match { length, holland, rated, highest_cube: capped(highest_cube, highest) }
            }
            Self::Money { stake, cube } => {
                Self::Money { stake, cube: CubeOptions { cap: capped(cube.cap, allowed), ..cube } }
            }
        }
    }

    /// What the cube may come to.
    #[must_use]
    pub fn cube(self) -> CubeOptions {
        match self {
            Self::Match { highest_cube, .. } => CubeOptions { cap: highest_cube, ..CubeOptions::default() },
            Self::Money { cube, .. } => cube,
        }
    }

    /// The rules of a game at this point of the match (M3, M4).
    #[must_use]
    pub fn game_rules(self, phase: Option<Phase>) -> GameRules {
        let cube = match phase {
            Some(Phase::Crawford) => CubeRules::Crawford {},
            _ => CubeRules::With(self.cube()),
        };
        GameRules { cube, ..GameRules::default() }
    }

    /// Whether a game that ended with this cube had it turned and taken, where nobody has said (C9): automatic doubles
    /// apart, only then does it stand higher than it began.
    #[must_use]
    pub const fn turned(cube: CubeValue) -> bool {
        cube.get() > 1
    }
}

/// Which match of a tournament's bracket it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MatchOfTournament)]
pub struct Of {
    /// The tournament.
    pub tournament: TournamentId,
    /// Which of its divisions, from 1.
    #[serde(default)]
    pub division: u8,
    /// Which match of the division's bracket.
    pub number: MatchNo,
}
