//! House rules: every dimension in which clubs differ is a closed setting with a stable key (Q14).
//!
//! A chouette opens with the *full* set in force and stores it, so that a night replays the same forever; a
//! later change is an act of its own. The options are those of published club rules; the first of each is the
//! default. [`HouseRules::check`] checks a set as a whole and names settings that contradict each other.
//!
//! * [`settings`]: the settings, one type each.
//! * [`contradiction`]: settings that contradict each other.
//! * [`catalogue`]: every setting by its key, with its meaning.
//! * [`preset`]: the sets that come with the program.
//! * [`old`]: how format 1 wrote the sets, in today's terms.

pub mod catalogue;
pub mod contradiction;
pub mod old;
pub mod preset;
pub mod settings;

pub use contradiction::Contradiction;
pub use preset::Preset;
pub use settings::*;

use serde::{Deserialize, Serialize};

use owlbox_engine::game::BoardRules;
use owlbox_engine::{Animals, CubeValue, Variant};

/// The full set of rules of one table. In a request a missing key takes its default; an unknown key or
/// option is refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct HouseRules {
    /// What is played on the board, and how (V1 to V4, G8a, G17).
    pub game: BoardRules,
    /// Whether a game may be played in another variant.
    pub other_games: OtherGames,
    /// How the order is found (Q1).
    pub order: OrderRules,
    /// How many cubes there are (Q7, Q11).
    pub cubes: Cubes,
    /// What decides whether the box stays (Q12).
    pub box_retention: BoxRetention,
    /// Whether captain and box both stand up when both have lost.
    pub double_stand_up: DoubleStandUp,
    /// Where a player who comes in sits (Q5).
    pub newcomer: Newcomer,
    /// What becomes of the captaincy when the captain drops (Q8).
    pub captain_drops: CaptainDrops,
    /// Whether members who take the box's double move up in the line too (Q7).
    pub takers_move_up: TakersMoveUp,
    /// Whether the box may have a partner (Q13).
    pub partner: PartnerRules,
    /// When the team may talk (Q6).
    pub consultation: Consultation,
    /// In what order the team answers a double of the box.
    pub decision_order: DecisionOrder,
    /// Whether the box must treat cubes alike.
    pub box_restraint: BoxRestraint,
    /// Whether members may still double after the box has answered.
    pub late_doubles: LateDoubles,
    /// Whether a gammon needs a turned cube to count (C9).
    pub jacoby: Jacoby,
    /// How far a double may be redoubled at once (C7, C8).
    pub animals: Animals,
    /// What a member who alone takes the box's double may or must do (Q9, Q10).
    pub lone_taker: LoneTakerRules,
    /// How ties of the opening roll double the cubes (C6).
    pub automatics: Automatics,
    /// The highest value a cube may reach (C10), if there is a cap.
    pub cube_cap: Option<CubeValue>,
    /// Whether bets may be settled by agreement.
    pub settlements: Settlements,
    /// Who plays for how much.
    pub stakes: Stakes,
    /// Leaving during a game, and breaks (Q5).
    pub leaving: Leaving,
    /// Whether a captain who has won the box may decline it.
    pub declining: Declining,
    /// How many can play at the table.
    pub table_size: TableSize,
    /// What happens when only two are left.
    pub heads_up: HeadsUp,
}

impl HouseRules {
    /// The highest value a cube can reach under these rules: the cap, or the hard limit (C10).
    #[must_use]
    pub fn cube_limit(&self) -> CubeValue {
        self.cube_cap.unwrap_or(CubeValue::MAX)
    }

    /// The variants in which a game may be started, the house's own first. Variants that these rules
    /// contradict are left out.
    #[must_use]
    pub fn variants(&self) -> Vec<Variant> {
        let others = Variant::ALL.into_iter().filter(|variant| *variant != self.game.variant);
        let allowed = others.filter(|variant| match self.other_games {
            OtherGames::NotAllowed => false,
            OtherGames::Allowed => self.playing(*variant).check().is_ok(),
        });
        std::iter::once(self.game.variant).chain(allowed).collect()
    }

    /// These rules, with this variant played.
    #[must_use]
    pub fn playing(&self, variant: Variant) -> Self {
        Self { game: BoardRules { variant, ..self.game }, ..self.clone() }
    }

    /// The values at which a cube can start by agreement: 1, 2 or 4, up to the cap.
    #[must_use]
    pub fn starts(&self) -> Vec<u32> {
        let limit = self.cube_limit().get();
        [1, 2, 4].into_iter().filter(|value| *value <= limit).collect()
    }

    /// The smallest amount in use, in half points: 1 where halves are allowed, otherwise 2 (one point).
    #[must_use]
    pub const fn smallest_unit(&self) -> i64 {
        match self.settlements {
            Settlements::Halves => 1,
            Settlements::WholePoints | Settlements::Forbidden => 2,
        }
    }

    /// How many must be at the table and ready to play for a game to begin.
    #[must_use]
    pub const fn players_needed(&self) -> usize {
        match self.heads_up {
            HeadsUp::GoOn => 2,
            HeadsUp::Pause => 3,
        }
    }
}
