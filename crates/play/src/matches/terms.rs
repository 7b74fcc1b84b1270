//! The terms of a match or money session, and its place in a tournament.

use serde::{Deserialize, Serialize};

use crate::matches::MatchNo;
use crate::matches::score::Length;
use owlbox_base::values::{Stake, TournamentId};
use owlbox_engine::game::{BoardRules, CubeOptions, CubeRules, GameRules};
use owlbox_engine::tables::equity::MatchPhase;
use owlbox_engine::{Animals, CubeValue, Variant};

/// The terms of play, as `{"play": "match", "length": 7}` or `{"play": "money"}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "play", rename_all = "snake_case", deny_unknown_fields)]
pub enum Terms {
    /// A match: without automatic doubles, beavers and Jacoby (M4).
    Match {
        /// The number of points to win (M1, M7).
        length: Length,
        /// M5: after the Crawford game the trailing side may not double before its third turn.
        #[serde(default)]
        holland: bool,
        /// M3: whether the first game after a side comes within one point of the length is played without the
        /// cube.
        #[serde(default = "usual", skip_serializing_if = "is_usual")]
        crawford: bool,
        /// Whether the match counts for the ratings, if it is played or conceded. For a tournament match its
        /// division decides.
        #[serde(default)]
        rated: bool,
        /// C10: the highest value the cube may reach; 1 for a match without the cube (C0). The service lowers
        /// it to what the club allows for a match of this length; absent in matches opened before it did so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        highest_cube: Option<CubeValue>,
        /// The variant played, and its options on the board.
        #[serde(default, skip_serializing_if = "BoardRules::are_usual")]
        game: BoardRules,
        /// What the loser pays the winner for the whole match; absent if no money is played for, and in a
        /// tournament, where the entry fees are.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stake: Option<Stake>,
    },
    /// A money session: game by game, until it is closed. Every game is a bet, and is posted to the books.
    Money {
        /// The worth of a point; `null` if no money is played for.
        #[serde(default)]
        stake: Option<Stake>,
        /// The rules of the cube; with a cap of 1 there is none (C0).
        #[serde(default)]
        cube: CubeOptions,
        /// The variant played, and its options on the board.
        #[serde(default, skip_serializing_if = "BoardRules::are_usual")]
        game: BoardRules,
    },
}

/// The Crawford rule is in force by default.
const fn usual() -> bool {
    true
}
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn is_usual(crawford: &bool) -> bool {
    *crawford
}

/// Two terms that contradict each other. Written as `{"one": KEY, "other": KEY, "why": SENTENCE}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{} and {} contradict each other: {}", self.keys()[0], self.keys()[1], self.why())]
#[serde(into = "ContradictionBody")]
pub enum Contradiction {
    /// Holland without the Crawford rule.
    HollandWithoutCrawford,
    /// The Holland rule in a match without the cube.
    HollandWithoutCube,
    /// A rated match of another variant than backgammon.
    RatedVariant,
    /// A cube in a match of a variant that has none (V4).
    CubeInMatchOfVariant,
    /// A cube in a money session of a variant that has none (V4).
    CubeInSessionOfVariant,
    /// The Jacoby rule without the cube.
    JacobyWithoutCube,
    /// Automatic doubles without the cube.
    AutomaticDoublesWithoutCube,
    /// Beavers, under a cap that leaves no room for one.
    BeaversUnderCap,
}

/// A contradiction as it is sent.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
struct ContradictionBody {
    /// The key of one term.
    one: &'static str,
    /// The key of the other.
    other: &'static str,
    /// Why they exclude each other, in English.
    why: &'static str,
}

impl From<Contradiction> for ContradictionBody {
    fn from(contradiction: Contradiction) -> Self {
        let [one, other] = contradiction.keys();
        Self { one, other, why: contradiction.why() }
    }
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Contradiction {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        ContradictionBody::schema()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Contradiction {
    fn name() -> std::borrow::Cow<'static, str> {
        "ContradictoryTerms".into()
    }
}

impl Contradiction {
    /// The keys of the two terms, as a match's `opened` and a division's settings have them.
    #[must_use]
    pub const fn keys(self) -> [&'static str; 2] {
        match self {
            Self::HollandWithoutCrawford => ["holland", "crawford"],
            Self::HollandWithoutCube => ["holland", "highest_cube"],
            Self::RatedVariant => ["rated", "game.variant"],
            Self::CubeInMatchOfVariant => ["game.variant", "highest_cube"],
            Self::CubeInSessionOfVariant => ["game.variant", "cube.cap"],
            Self::JacobyWithoutCube => ["cube.jacoby", "cube.cap"],
            Self::AutomaticDoublesWithoutCube => ["cube.automatic_doubles", "cube.cap"],
            Self::BeaversUnderCap => ["cube.beavers", "cube.cap"],
        }
    }

    /// Why the two exclude each other, in English.
    #[must_use]
    pub const fn why(self) -> &'static str {
        match self {
            Self::HollandWithoutCrawford => "without a Crawford game there is nothing after it",
            Self::HollandWithoutCube => "without the cube nobody can double",
            Self::RatedVariant => "only backgammon is rated",
            Self::CubeInMatchOfVariant | Self::CubeInSessionOfVariant => {
                "Plakoto and Fevga have no cube, so the highest value has to be 1"
            }
            Self::JacobyWithoutCube => "without the cube gammons would never count",
            Self::AutomaticDoublesWithoutCube => "without the cube there is nothing to double",
            Self::BeaversUnderCap => "with a cap below 4 no double can be redoubled",
        }
    }
}

/// The first contradiction among the terms of a match, or of a division's matches.
const fn contradiction_of_match(
    holland: bool,
    crawford: bool,
    rated: bool,
    without_cube: bool,
    game: BoardRules,
) -> Option<Contradiction> {
    if holland && !crawford {
        Some(Contradiction::HollandWithoutCrawford)
    } else if holland && without_cube {
        Some(Contradiction::HollandWithoutCube)
    } else if rated && !matches!(game.variant, Variant::Standard) {
        Some(Contradiction::RatedVariant)
    } else if !game.variant.has_cube() && !without_cube {
        Some(Contradiction::CubeInMatchOfVariant)
    } else {
        None
    }
}

/// The first contradiction between a money session's cube and its cap.
fn contradiction_under_cap(cube: CubeOptions) -> Option<Contradiction> {
    let none = cube.limit() == CubeValue::ONE;
    if none && cube.jacoby {
        Some(Contradiction::JacobyWithoutCube)
    } else if none && cube.automatic_doubles > 0 {
        Some(Contradiction::AutomaticDoublesWithoutCube)
    } else if cube.beavers != Animals::None && cube.limit().get() < 4 {
        Some(Contradiction::BeaversUnderCap)
    } else {
        None
    }
}

impl Terms {
    /// Whether the published match equities apply to these terms (M3): to a match at backgammon with the cube
    /// and the Crawford rule.
    #[must_use]
    pub fn have_equities(self) -> bool {
        match self {
            Self::Match { crawford, highest_cube, game, .. } => {
                crawford && highest_cube != Some(CubeValue::ONE) && game.variant == Variant::Standard
            }
            Self::Money { .. } => false,
        }
    }

    /// A match of this length by the usual rules, not rated.
    #[must_use]
    pub fn match_to(length: Length) -> Self {
        Self::Match {
            length,
            holland: false,
            crawford: true,
            rated: false,
            highest_cube: None,
            game: BoardRules::default(),
            stake: None,
        }
    }

    /// Checks that the terms do not contradict each other.
    ///
    /// # Errors
    /// The first [`Contradiction`].
    pub fn check(self) -> Result<(), Contradiction> {
        let found = match self {
            Self::Match { length: _, holland, crawford, rated, highest_cube, game, stake: _ } => {
                contradiction_of_match(holland, crawford, rated, highest_cube == Some(CubeValue::ONE), game)
            }
            Self::Money { cube, game, .. } if !game.variant.has_cube() && cube.limit() != CubeValue::ONE => {
                Some(Contradiction::CubeInSessionOfVariant)
            }
            Self::Money { cube, .. } => contradiction_under_cap(cube),
        };
        found.map_or(Ok(()), Err)
    }

    /// The variant played, and its options on the board.
    #[must_use]
    pub const fn game(self) -> BoardRules {
        match self {
            Self::Match { game, .. } | Self::Money { game, .. } => game,
        }
    }

    /// Whether the Crawford rule is in force (M3).
    #[must_use]
    pub const fn crawford(self) -> bool {
        match self {
            Self::Match { crawford, .. } => crawford,
            Self::Money { .. } => false,
        }
    }

    /// The length of a match; `None` for a money session.
    #[must_use]
    pub const fn length(self) -> Option<Length> {
        match self {
            Self::Match { length, .. } => Some(length),
            Self::Money { .. } => None,
        }
    }

    /// What is played for: the worth of a point of a money session, or of a whole match; `None` if no money
    /// is played for.
    #[must_use]
    pub const fn stake(self) -> Option<Stake> {
        match self {
            Self::Match { stake, .. } | Self::Money { stake, .. } => stake,
        }
    }

    /// The same terms, for no money.
    #[must_use]
    pub const fn without_stake(mut self) -> Self {
        match &mut self {
            Self::Match { stake, .. } | Self::Money { stake, .. } => *stake = None,
        }
        self
    }

    /// Whether something is posted to the books: every game of a money session, and the stake of a match.
    #[must_use]
    pub const fn are_booked(self) -> bool {
        match self {
            Self::Match { stake, .. } => stake.is_some(),
            Self::Money { .. } => true,
        }
    }

    /// The same terms with the cube capped at what a club allows (C10). In a match the cap is at least as
    /// high as the match is long, so that it only excludes cubes that nobody gains by.
    #[must_use]
    pub fn within(self, allowed: CubeValue) -> Self {
        let capped =
            |cap: Option<CubeValue>, highest: CubeValue| Some(cap.map_or(highest, |cap| cap.min(highest)));
        match self {
            Self::Match { length, highest_cube, .. } => {
                let dead = u32::from(length.points()).next_power_of_two();
                let highest = CubeValue::try_from(dead).map_or(allowed, |dead| dead.max(allowed));
                self.capped(capped(highest_cube, highest))
            }
            Self::Money { cube, .. } => self.capped(capped(cube.cap, allowed)),
        }
    }

    /// The same terms with this cap (C10).
    const fn capped(mut self, highest: Option<CubeValue>) -> Self {
        match &mut self {
            Self::Match { highest_cube: cap, .. } | Self::Money { cube: CubeOptions { cap, .. }, .. } => {
                *cap = highest
            }
        }
        self
    }

    /// The rules of the cube.
    #[must_use]
    pub fn cube(self) -> CubeOptions {
        match self {
            Self::Match { highest_cube, .. } => CubeOptions { cap: highest_cube, ..CubeOptions::default() },
            Self::Money { cube, .. } => cube,
        }
    }

    /// Whether there is no cube (C0).
    #[must_use]
    pub fn without_cube(self) -> bool {
        self.cube().limit() == CubeValue::ONE
    }

    /// The rules of a game in this phase of the match (C0, M3, M4).
    #[must_use]
    pub fn game_rules(self, phase: Option<MatchPhase>) -> GameRules {
        let cube = match phase {
            _ if self.without_cube() => CubeRules::Without {},
            Some(MatchPhase::Crawford) => CubeRules::Crawford {},
            Some(MatchPhase::BeforeCrawford | MatchPhase::AfterCrawford) | None => {
                CubeRules::With(self.cube())
            }
        };
        self.game().with(cube)
    }

    /// Whether a cube that ended at this value is taken to have been turned, where nobody has said (C9):
    /// apart from automatic doubles, only a taken double raises it.
    #[must_use]
    pub const fn turned(cube: CubeValue) -> bool {
        cube.get() > 1
    }
}

/// A match in the bracket of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct MatchOfTournament {
    pub tournament: TournamentId,
    /// The number of its division, from 1.
    #[serde(default)]
    pub division: u8,
    /// The number of the match in the division's bracket.
    pub number: MatchNo,
}
