//! House rules: every dimension in which clubs differ, as a closed setting with a stable key (Q14).
//!
//! A chouette opens with the *full* set in force and stores it, so that a night replays the same for ever;
//! a change later is an act of its own. The options are those that published club rules have; the first of
//! each is the default. A set is checked as a whole by [`HouseRules::check`]: settings that contradict each
//! other are named.
//!
//! * [`settings`]: the settings, one type each.
//! * [`contradiction`]: which of them cannot stand together.
//! * [`catalogue`]: every setting by its key, and what it means.
//! * [`preset`]: the sets that come with the program.
//! * [`old`]: how the first version of the program wrote them.

#[cfg(feature = "schema")]
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
    /// Whether a game may be started with another variant.
    pub other_games: OtherGames,
    /// How the order is found (Q1).
    pub order: Order,
    /// How many cubes there are (Q7, Q11).
    pub cubes: Cubes,
    /// What decides whether the box stays (Q12).
    pub box_retention: BoxRetention,
    /// Whether captain and box both stand up when both have lost.
    pub double_stand_up: DoubleStandUp,
    /// Where one who comes in sits (Q5).
    pub newcomer: Newcomer,
    /// What becomes of the captaincy when the captain drops (Q8).
    pub captain_drops: CaptainDrops,
    /// Whether who takes the box's double moves up in the line too (Q7).
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
    /// What one who alone takes the box's double may do (Q9, Q10).
    pub lone_taker: LoneTakerRules,
    /// Automatic doubles (C6).
    pub automatics: Automatics,
    /// The highest value a cube may reach (C10), if there is a cap.
    pub cube_cap: Option<CubeValue>,
    /// Whether bets may be settled by agreement.
    pub settlements: Settlements,
    /// Who plays for how much.
    pub stakes: Stakes,
    /// Leaving during a game, and breaks (Q5).
    pub leaving: Leaving,
    /// Whether a captain who has won may decline the box.
    pub declining: Declining,
    /// How many can play at the table.
    pub table_size: TableSize,
    /// What happens when two are left.
    pub heads_up: HeadsUp,
}

impl HouseRules {
    /// The highest value a cube can reach under these rules.
    #[must_use]
    pub fn cube_limit(&self) -> CubeValue {
        self.cube_cap.unwrap_or(CubeValue::MAX)
    }

    /// The variants with which a game may be started, the house's own first. Those that these rules contradict are not
    /// among them.
    #[must_use]
    pub fn variants(&self) -> Vec<Variant> {
        let others = Variant::ALL.into_iter().filter(|variant| *variant != self.game.variant);
        let allowed = others.filter(|variant| match self.other_games {
            OtherGames::NotAllowed => false,
            OtherGames::Allowed => self.playing(*variant).check().is_ok(),
        });
        std::iter::once(self.game.variant).chain(allowed).collect()
    }

    /// These rules, where this variant is played.
    #[must_use]
    pub fn playing(&self, variant: Variant) -> Self {
        Self { game: BoardRules { variant, ..self.game }, ..self.clone() }
    }

    /// Where a cube can start by agreement: at 1, 2 or 4, and not above the cap.
    #[must_use]
    pub fn starts(&self) -> Vec<u32> {
        let limit = self.cube_limit().get();
        [1, 2, 4].into_iter().filter(|value| *value <= limit).collect()
    }

    /// The smallest amount in use, in half points: 1 where halves are allowed, else 2 (a point).
    #[must_use]
    pub const fn smallest_unit(&self) -> i64 {
        match self.settlements {
            Settlements::Halves => 1,
            Settlements::WholePoints | Settlements::Forbidden => 2,
        }
    }

    /// How many have to be at the table and ready to play for a game to begin.
    #[must_use]
    pub const fn players_needed(&self) -> usize {
        match self.heads_up {
            HeadsUp::GoOn => 2,
            HeadsUp::Pause => 3,
        }
    }
}
