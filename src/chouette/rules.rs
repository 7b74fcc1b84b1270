//! House rules: every dimension in which clubs differ, as a closed setting with a stable key.
//!
//! A chouette opens with the *full* set in force, and keeps it. Each enum has exactly the options that
//! this program really plays; what it does not play yet is present, and off by name, so that a night
//! replays the same for ever. Keys and meanings: the settings table of `docs/rules.md`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::engine::CubeValue;
use crate::values::InvalidValue;

/// Makes a setting: a closed enum of options, the first of them the default.
macro_rules! setting {
    ($(#[$doc:meta])* $name:ident { $(#[$first_doc:meta])* $first:ident $(, $(#[$option_doc:meta])* $option:ident)* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $(#[$first_doc])*
            #[default]
            $first,
            $($(#[$option_doc])* $option,)*
        }
    };
}

setting! {
    /// How many cubes there are (Q11).
    Cubes {
        /// Every member of the team has a cube with the box.
        OnePerMember,
    }
}
setting! {
    /// Whose bet with the box decides whether the box stays (Q12).
    BoxRetention {
        /// The captain's who began the game.
        OriginalCaptain,
        /// The last member's still in, who finished as acting captain.
        LastStanding,
    }
}
setting! {
    /// Whether captain and box both leave their seats when both have lost.
    DoubleStandUp {
        /// They do not.
        Off,
    }
}
setting! {
    /// Where one who came in during a game sits after it (Q5).
    Newcomer {
        /// At the end of the line, behind the player who just lost.
        BehindLoser,
    }
}
setting! {
    /// What becomes of the captaincy when the captain drops.
    CaptainDrops {
        /// The next active member acts; line and captaincy stay for the rotation.
        Acting,
    }
}
setting! {
    /// Whether the box may have a partner (Q13).
    Partner {
        /// Never.
        Off,
    }
}
setting! {
    /// When the team may talk (Q6). The service restrains nobody.
    Consultation {
        /// Always.
        Free,
    }
}
setting! {
    /// In what order the team answers a double of the box.
    DecisionOrder {
        /// As the answers come.
        AnyOrder,
    }
}
setting! {
    /// Whether the box must treat cubes alike.
    BoxRestraint {
        /// Each cube by itself.
        None,
    }
}
setting! {
    /// Whether members may still double after the box has answered another member's double.
    LateDoubles {
        /// Until the roll.
        Open,
    }
}
setting! {
    /// Whether a gammon needs a turned cube to count (C9).
    Jacoby {
        /// Gammons always count.
        Off,
    }
}
setting! {
    /// Whether the side doubled may at once redouble and keep the cube (C7, C8).
    Animals {
        /// No beavers.
        None,
    }
}
setting! {
    /// What one who alone takes the box's double may be obliged to (Q9, Q10).
    LoneTaker {
        /// Nothing.
        Nothing,
    }
}
setting! {
    /// Whether bets may be settled by agreement.
    Settlements {
        /// They may not.
        Forbidden,
    }
}
setting! {
    /// When a player of the game may leave (Q5).
    Leaving {
        /// Between games; during one, who is not or no longer in it.
        BetweenGames,
    }
}
setting! {
    /// Whether a captain who has won may decline the box.
    Declining {
        /// No.
        NotAllowed,
    }
}
setting! {
    /// What happens when two are left.
    HeadsUp {
        /// They go on as box and captain.
        GoOn,
    }
}
setting! {
    /// What is rolled for the order (Q1).
    OrderDice {
        /// One die each; only the tied roll again, for the places they tied for.
        OneDie,
    }
}

/// How many automatic doubles a game may have (C6): 0, none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "u8", into = "u8")]
#[schema(value_type = u8, minimum = 0, maximum = 0, example = 0)]
pub struct Automatics(u8);

impl TryFrom<u8> for Automatics {
    type Error = InvalidValue;
    fn try_from(number: u8) -> Result<Self, InvalidValue> {
        if number == 0 {
            Ok(Self(number))
        } else {
            Err(InvalidValue { what: "automatics", allowed: "0: no automatic doubles" })
        }
    }
}
impl From<Automatics> for u8 {
    fn from(automatics: Automatics) -> Self {
        automatics.0
    }
}

/// How many can sit at the table: 3 to 20, by default 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "u8", into = "u8")]
#[schema(value_type = u8, minimum = 3, maximum = 20, example = 12)]
pub struct TableSize(u8);

impl TableSize {
    /// The number of seats.
    #[must_use]
    pub const fn seats(self) -> usize {
        self.0 as usize
    }
}
impl Default for TableSize {
    fn default() -> Self {
        Self(12)
    }
}
impl TryFrom<u8> for TableSize {
    type Error = InvalidValue;
    fn try_from(seats: u8) -> Result<Self, InvalidValue> {
        if (3..=20).contains(&seats) {
            Ok(Self(seats))
        } else {
            Err(InvalidValue { what: "table_size", allowed: "3 to 20 seats" })
        }
    }
}
impl From<TableSize> for u8 {
    fn from(size: TableSize) -> Self {
        size.0
    }
}

/// The full set of rules of one table. In a request a missing key takes its default; an unknown key or
/// option is refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct HouseRules {
    /// How many cubes there are.
    pub cubes: Cubes,
    /// Whose bet decides whether the box stays.
    pub box_retention: BoxRetention,
    /// Whether both may have to stand up.
    pub double_stand_up: DoubleStandUp,
    /// Where one who came in during a game sits after it.
    pub newcomer: Newcomer,
    /// What a captain who drops gives up.
    pub captain_drops: CaptainDrops,
    /// Whether the box may have a partner.
    pub partner: Partner,
    /// When the team may talk.
    pub consultation: Consultation,
    /// In what order the team answers.
    pub decision_order: DecisionOrder,
    /// Whether the box must treat cubes alike.
    pub box_restraint: BoxRestraint,
    /// Whether members may double after others were answered.
    pub late_doubles: LateDoubles,
    /// Whether gammons need a turned cube.
    pub jacoby: Jacoby,
    /// Beavers and their kin.
    pub animals: Animals,
    /// What a lone taker is obliged to.
    pub lone_taker: LoneTaker,
    /// How many automatic doubles a game may have.
    pub automatics: Automatics,
    /// The highest value a cube may reach (C10), if there is a cap.
    pub cube_cap: Option<CubeValue>,
    /// Whether bets may be settled by agreement.
    pub settlements: Settlements,
    /// When a player of the game may leave.
    pub leaving: Leaving,
    /// Whether a captain may decline the box.
    pub declining: Declining,
    /// How many can sit at the table.
    pub table_size: TableSize,
    /// What happens when two are left.
    pub heads_up: HeadsUp,
    /// What is rolled for the order.
    pub order_dice: OrderDice,
}

impl HouseRules {
    /// The highest value a cube can reach under these rules.
    #[must_use]
    pub fn cube_limit(&self) -> CubeValue {
        self.cube_cap.unwrap_or(CubeValue::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_keys_take_the_defaults_and_all_of_them_are_written() {
        let rules: HouseRules = serde_json::from_str("{}").unwrap();
        assert_eq!(rules, HouseRules::default());
        let written = serde_json::json!({
            "cubes": "one_per_member", "box_retention": "original_captain", "double_stand_up": "off",
            "newcomer": "behind_loser", "captain_drops": "acting", "partner": "off",
            "consultation": "free", "decision_order": "any_order", "box_restraint": "none",
            "late_doubles": "open", "jacoby": "off", "animals": "none", "lone_taker": "nothing",
            "automatics": 0, "cube_cap": null, "settlements": "forbidden", "leaving": "between_games",
            "declining": "not_allowed", "table_size": 12, "heads_up": "go_on", "order_dice": "one_die",
        });
        assert_eq!(serde_json::to_value(&rules).unwrap(), written);
    }

    #[test]
    fn q14_unknown_keys_and_options_not_played_are_refused() {
        for bad in [
            r#"{"jacoby": "on"}"#,
            r#"{"automatics": 1}"#,
            r#"{"box_retention": "profit"}"#,
            r#"{"table_size": 2}"#,
            r#"{"table_size": 21}"#,
            r#"{"cube_cap": 3}"#,
            r#"{"cubs": "single"}"#,
        ] {
            assert!(serde_json::from_str::<HouseRules>(bad).is_err(), "{bad}");
        }
        let rules: HouseRules =
            serde_json::from_str(r#"{"box_retention": "last_standing", "cube_cap": 64}"#).unwrap();
        assert_eq!(rules.box_retention, BoxRetention::LastStanding);
        assert_eq!(rules.cube_limit().get(), 64);
    }
}
