//! Which settings cannot stand together. A set is looked at as a whole, and the first contradiction named.

use crate::chouette::rules::{
    BoxRestraint, Cubes, HouseRules, LateDoubles, LaterAutomatics, LeavingMidGame, LoneTaker,
    PartnerAfterLoss, PartnerOffer, PartnerWhen, Settlements, Stakes,
};
use crate::engine::{Animals, CubeValue};

/// Two settings that cannot stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{one} and {other} cannot stand together: {why}")]
pub struct Contradiction {
    /// The key of one.
    pub one: &'static str,
    /// The key of the other.
    pub other: &'static str,
    /// Why, for programmers; pages have words of their own by the keys.
    pub why: &'static str,
}

impl HouseRules {
    /// Whether the settings can stand together.
    ///
    /// # Errors
    /// The first [`Contradiction`].
    pub fn check(&self) -> Result<(), Contradiction> {
        match CONTRADICTIONS.iter().find(|(_, holds)| holds(self)) {
            Some((contradiction, _)) => Err(*contradiction),
            None => Ok(()),
        }
    }
}

type Holds = fn(&HouseRules) -> bool;

const fn between(one: &'static str, other: &'static str, why: &'static str) -> Contradiction {
    Contradiction { one, other, why }
}

/// Every contradiction, in the order in which they are looked for.
pub const CONTRADICTIONS: [(Contradiction, Holds); 15] = [
    (between("stakes", "cubes", "a single cube starts at one value for all"), |rules| {
        rules.stakes == Stakes::OwnStart && rules.cubes == Cubes::Single
    }),
    (between("box_restraint", "cubes", "with a single cube there are no others to treat like it"), |rules| {
        rules.box_restraint != BoxRestraint::None && rules.cubes == Cubes::Single
    }),
    (between("late_doubles", "cubes", "only the captain doubles a single cube"), |rules| {
        rules.late_doubles == LateDoubles::Open && rules.cubes == Cubes::Single
    }),
    (between("stakes", "cube_cap", "under a cap of 1 no cube can start at 2"), |rules| {
        rules.stakes == Stakes::OwnStart && rules.cube_limit() == CubeValue::ONE
    }),
    (between("animals", "cube_cap", "under a cap below 4 no double can be redoubled"), |rules| {
        rules.animals != Animals::None && rules.cube_limit().get() < 4
    }),
    (between("lone_taker.rule", "animals", "nobody who must beaver may, without beavers"), |rules| {
        rules.lone_taker.rule == LoneTaker::MustBeaverOrDrop && rules.animals == Animals::None
    }),
    (between("lone_taker.from", "table_size.at_most", "so many never sit at the table"), |rules| {
        rules.lone_taker.rule == LoneTaker::MustDrop && rules.lone_taker.from > rules.table_size.at_most
    }),
    (
        between("leaving.mid_game", "settlements", "nobody who must settle may, without settlements"),
        |rules| {
            rules.leaving.mid_game == LeavingMidGame::Settle && rules.settlements == Settlements::Forbidden
        },
    ),
    (
        between(
            "automatics.carry_over",
            "automatics.at_most",
            "ties are carried over only beyond a limit above 0",
        ),
        |rules| rules.automatics.carry_over && matches!(rules.automatics.at_most, None | Some(0)),
    ),
    (between("automatics.later", "automatics.at_most", "within a limit of 1 none comes later"), |rules| {
        let automatics = &rules.automatics;
        automatics.later == LaterAutomatics::BoxChooses
            && !automatics.carry_over
            && matches!(automatics.at_most, Some(0 | 1))
    }),
    (between("partner.from", "table_size.at_most", "so many never sit at the table"), |rules| {
        has_partners(rules) && rules.partner.from > rules.table_size.at_most
    }),
    (between("partner.second_from", "table_size.at_most", "so many never sit at the table"), |rules| {
        has_partners(rules) && rules.partner.second_from.is_some_and(|from| from > rules.table_size.at_most)
    }),
    (between("partner.second_from", "partner.from", "the second partner comes after the first"), |rules| {
        has_partners(rules) && rules.partner.second_from.is_some_and(|from| from <= rules.partner.from)
    }),
    (
        between(
            "partner.share",
            "partner.second_from",
            "two partners would have all of the box's net, or more",
        ),
        |rules| {
            let (numerator, denominator) = rules.partner.share.of_each(2);
            has_partners(rules) && rules.partner.second_from.is_some() && 2 * numerator >= denominator
        },
    ),
    (
        between(
            "partner.offer",
            "partner.after_loss",
            "a compulsory partner found before the first game only needs a successor when the box loses its seat",
        ),
        |rules| {
            rules.partner.when == PartnerWhen::Compulsory
                && rules.partner.offer == PartnerOffer::ThirdHighest
                && rules.partner.after_loss != PartnerAfterLoss::NextInLine
        },
    ),
];

fn has_partners(rules: &HouseRules) -> bool {
    rules.partner.when != PartnerWhen::Off
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn found(rules: Value) -> Option<(&'static str, &'static str)> {
        let rules: HouseRules = serde_json::from_value(rules).unwrap();
        rules.check().err().map(|contradiction| (contradiction.one, contradiction.other))
    }

    /// One set for each contradiction, in their order, and one beside it that can stand.
    fn cases() -> [(Value, Value); CONTRADICTIONS.len()] {
        let partners = |more: Value| {
            let mut partner = json!({"when": "optional"});
            partner.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            json!({"partner": partner})
        };
        [
            (json!({"stakes": "own_start", "cubes": "single"}), json!({"stakes": "own_start"})),
            (json!({"box_restraint": "captains", "cubes": "single"}), json!({"box_restraint": "captains"})),
            (json!({"late_doubles": "open", "cubes": "single"}), json!({"late_doubles": "open"})),
            (json!({"stakes": "own_start", "cube_cap": 1}), json!({"stakes": "own_start", "cube_cap": 2})),
            (json!({"animals": "beaver", "cube_cap": 2}), json!({"animals": "beaver", "cube_cap": 4})),
            (
                json!({"lone_taker": {"rule": "must_beaver_or_drop"}}),
                json!({"lone_taker": {"rule": "must_beaver_or_drop"}, "animals": "beaver"}),
            ),
            (
                json!({"lone_taker": {"rule": "must_drop", "from": 7}, "table_size": {"at_most": 6}}),
                json!({"lone_taker": {"rule": "nothing", "from": 7}, "table_size": {"at_most": 6}}),
            ),
            (
                json!({"leaving": {"mid_game": "settle"}, "settlements": "forbidden"}),
                json!({"leaving": {"mid_game": "settle"}, "settlements": "whole_points"}),
            ),
            (
                json!({"automatics": {"carry_over": true, "at_most": null}}),
                json!({"automatics": {"carry_over": true, "at_most": 1}}),
            ),
            (
                json!({"automatics": {"later": "box_chooses"}}),
                json!({"automatics": {"later": "box_chooses", "carry_over": true}}),
            ),
            (
                json!({"partner": {"when": "optional", "from": 8}, "table_size": {"at_most": 6}}),
                json!({"partner": {"when": "off", "from": 8}, "table_size": {"at_most": 6}}),
            ),
            (partners(json!({"second_from": 13})), partners(json!({"second_from": 12}))),
            (partners(json!({"second_from": 6})), partners(json!({"second_from": 7}))),
            (
                partners(json!({"second_from": 12, "share": "1/2"})),
                partners(json!({"second_from": 12, "share": "half"})),
            ),
            (
                json!({"partner": {"when": "compulsory", "offer": "third_highest"}}),
                json!({"partner": {
                    "when": "compulsory", "offer": "third_highest", "after_loss": "next_in_line",
                }}),
            ),
        ]
    }

    #[test]
    fn q14_every_contradiction_is_named_by_both_keys_and_nothing_else_is_one() {
        for ((contradiction, _), (bad, good)) in CONTRADICTIONS.iter().zip(cases()) {
            assert_eq!(found(bad), Some((contradiction.one, contradiction.other)), "{contradiction}");
            assert_eq!(found(good), None, "{contradiction}");
        }
    }
}
