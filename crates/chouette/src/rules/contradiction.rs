//! Contradictions between house rules. A set of rules is checked as a whole, and the first contradiction
//! found is reported.
//!
//! `docs/house-rules.md` lists them all, each with a set that is refused for it. A test writes that list from
//! here.

use crate::rules::{
    Automatics, BoxRestraint, CaptainDrops, Cubes, HouseRules, Jacoby, LateDoubles, LaterAutomatics,
    LeavingMidGame, LoneTaker, PartnerAfterLoss, PartnerOffer, PartnerRules, PartnerWhen, Settlements,
    Stakes, TakersMoveUp,
};
use owlbox_engine::{Animals, CubeValue};

/// Two settings that contradict each other, by their keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{one} and {other} contradict each other: {why}")]
pub struct Contradiction {
    pub one: &'static str,
    pub other: &'static str,
    /// The reason, for programmers and `docs/house-rules.md`. The pages look up their own words by the two
    /// keys.
    pub why: &'static str,
}

impl HouseRules {
    /// Checks that no two settings contradict each other.
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

impl HouseRules {
    /// Like [`check`](Self::check), but stricter, for settings that somebody chooses now. Tables and saved
    /// sets from before [`CHOSEN`] existed keep what it excludes.
    ///
    /// # Errors
    /// The first [`Contradiction`].
    pub fn check_chosen(&self) -> Result<(), Contradiction> {
        self.check()?;
        match CHOSEN.iter().find(|(_, holds)| holds(self)) {
            Some((contradiction, _)) => Err(*contradiction),
            None => Ok(()),
        }
    }

    /// The same settings for a variant without a cube: whatever needs a cube is switched off. Settings for a
    /// variant with a cube are returned unchanged.
    #[must_use]
    pub fn without_what_needs_a_cube(self) -> Self {
        if self.game.variant.has_cube() {
            return self;
        }
        let automatics = Automatics { at_most: Some(0), ..Automatics::default() };
        Self {
            cube_cap: Some(CubeValue::ONE),
            jacoby: Jacoby::Off,
            animals: Animals::None,
            automatics,
            ..self
        }
    }
}

type Holds = fn(&HouseRules) -> bool;

const fn between(one: &'static str, other: &'static str, why: &'static str) -> Contradiction {
    Contradiction { one, other, why }
}

/// Every contradiction, in the order in which they are checked, each with the test for it.
pub const CONTRADICTIONS: [(Contradiction, Holds); 21] = [
    (
        between("game.variant", "cube_cap", "Plakoto and Fevga have no cube, so the cap has to be 1"),
        |rules| !rules.game.variant.has_cube() && rules.cube_limit() != CubeValue::ONE,
    ),
    (between("game.variant", "jacoby", "without a cube gammons would never count"), |rules| {
        !rules.game.variant.has_cube() && rules.jacoby == Jacoby::On
    }),
    (between("game.variant", "automatics.at_most", "without a cube a tie has nothing to double"), |rules| {
        !rules.game.variant.has_cube() && rules.automatics.at_most != Some(0)
    }),
    (between("stakes", "cubes", "a single cube starts at the same value for everybody"), |rules| {
        rules.stakes == Stakes::OwnStart && rules.cubes == Cubes::Single
    }),
    (
        between("box_restraint", "cubes", "with a single cube there are no others to treat in the same way"),
        |rules| rules.box_restraint != BoxRestraint::None && rules.cubes == Cubes::Single,
    ),
    (between("late_doubles", "cubes", "only the captain doubles a single cube"), |rules| {
        rules.late_doubles == LateDoubles::Open && rules.cubes == Cubes::Single
    }),
    (
        between(
            "takers_move_up",
            "cubes",
            "with a cube for every member, a player who drops gives up only that cube",
        ),
        |rules| rules.takers_move_up == TakersMoveUp::Line && rules.cubes == Cubes::OnePerMember,
    ),
    (between("takers_move_up", "captain_drops", "a captain who stays captain keeps their place"), |rules| {
        rules.takers_move_up == TakersMoveUp::Line && rules.captain_drops == CaptainDrops::Acting
    }),
    (between("stakes", "cube_cap", "with a cap of 1 no cube can start at 2"), |rules| {
        rules.stakes == Stakes::OwnStart && rules.cube_limit() == CubeValue::ONE
    }),
    (between("animals", "cube_cap", "with a cap below 4 no double can be redoubled"), |rules| {
        rules.animals != Animals::None && rules.cube_limit().get() < 4
    }),
    (
        between(
            "lone_taker.rule",
            "animals",
            "the lone taker must beaver or drop, but beavers are not allowed",
        ),
        |rules| rules.lone_taker.rule == LoneTaker::MustBeaverOrDrop && rules.animals == Animals::None,
    ),
    (
        between("lone_taker.from", "table_size.at_most", "there are never so many players at the table"),
        |rules| {
            matches!(rules.lone_taker.rule, LoneTaker::MustDrop | LoneTaker::MustDropOrExtras)
                && rules.lone_taker.from > rules.table_size.at_most
        },
    ),
    (
        between("leaving.mid_game", "settlements", "a leaver must settle, but settlements are not allowed"),
        |rules| {
            rules.leaving.mid_game == LeavingMidGame::Settle && rules.settlements == Settlements::Forbidden
        },
    ),
    (
        between(
            "automatics.carry_over",
            "automatics.at_most",
            "ties can be carried over only if there is a limit above 0",
        ),
        |rules| rules.automatics.carry_over && matches!(rules.automatics.at_most, None | Some(0)),
    ),
    (
        between(
            "automatics.later",
            "automatics.at_most",
            "with a limit of 1 or 0 there are no later automatic doubles",
        ),
        |rules| {
            let automatics = &rules.automatics;
            automatics.later == LaterAutomatics::BoxChooses
                && !automatics.carry_over
                && matches!(automatics.at_most, Some(0 | 1))
        },
    ),
    (
        between("partner.from", "partner.when", "a box, a partner and a team of two need four players"),
        |rules| has_partners(rules) && rules.partner.from.get() < PartnerRules::FEWEST,
    ),
    (
        between("partner.from", "table_size.at_most", "there are never so many players at the table"),
        |rules| has_partners(rules) && rules.partner.from > rules.table_size.at_most,
    ),
    (
        between("partner.second_from", "table_size.at_most", "there are never so many players at the table"),
        |rules| {
            has_partners(rules)
                && rules.partner.second_from.is_some_and(|from| from > rules.table_size.at_most)
        },
    ),
    (
        between(
            "partner.second_from",
            "partner.from",
            "the second partner must need more players than the first",
        ),
        |rules| {
            has_partners(rules) && rules.partner.second_from.is_some_and(|from| from <= rules.partner.from)
        },
    ),
    (
        between("partner.share", "partner.second_from", "two partners would get the box's whole net or more"),
        |rules| {
            let (numerator, denominator) = rules.partner.share.of_each(2);
            has_partners(rules) && rules.partner.second_from.is_some() && 2 * numerator >= denominator
        },
    ),
    (
        between(
            "partner.offer",
            "partner.after_loss",
            "a compulsory partner who is found only before the first game needs a successor when the box loses its seat",
        ),
        |rules| {
            rules.partner.when == PartnerWhen::Compulsory
                && rules.partner.offer == PartnerOffer::ThirdHighest
                && rules.partner.after_loss != PartnerAfterLoss::NextInLine
        },
    ),
];

/// Further contradictions, refused only where settings are chosen (C0): tables opened before these existed
/// are played to their end.
pub const CHOSEN: [(Contradiction, Holds); 2] = [
    (between("cube_cap", "jacoby", "with a cap of 1 gammons would never count"), |rules| {
        rules.cube_limit() == CubeValue::ONE && rules.jacoby == Jacoby::On
    }),
    (between("cube_cap", "automatics.at_most", "with a cap of 1 a tie has nothing to double"), |rules| {
        rules.cube_limit() == CubeValue::ONE && rules.automatics.at_most != Some(0)
    }),
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

    /// For each contradiction, in their order: a set that has it, and a similar set that is allowed.
    fn cases() -> [(Value, Value); CONTRADICTIONS.len()] {
        let partners = |more: Value| {
            let mut partner = json!({"when": "optional"});
            partner.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            json!({"partner": partner})
        };
        let plakoto = |more: Value| {
            let mut rules = json!({
                "game": {"variant": "plakoto"}, "cube_cap": 1, "jacoby": "off", "automatics": {"at_most": 0},
            });
            rules.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            rules
        };
        [
            (plakoto(json!({"cube_cap": 2})), plakoto(json!({}))),
            (plakoto(json!({"jacoby": "on"})), plakoto(json!({}))),
            (plakoto(json!({"automatics": {"at_most": 1}})), plakoto(json!({}))),
            (json!({"stakes": "own_start", "cubes": "single"}), json!({"stakes": "own_start"})),
            (json!({"box_restraint": "captains", "cubes": "single"}), json!({"box_restraint": "captains"})),
            (json!({"late_doubles": "open", "cubes": "single"}), json!({"late_doubles": "open"})),
            (
                json!({"takers_move_up": "line", "captain_drops": "becomes"}),
                json!({"takers_move_up": "line", "captain_drops": "becomes", "cubes": "single"}),
            ),
            (
                json!({"takers_move_up": "line", "cubes": "single"}),
                json!({"takers_move_up": "line", "captain_drops": "becomes", "cubes": "single"}),
            ),
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
            (partners(json!({"from": 3})), partners(json!({"from": 4}))),
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

    fn chosen_cases() -> [(Value, Value); CHOSEN.len()] {
        let capped = |more: Value| {
            let mut rules = json!({"cube_cap": 1, "jacoby": "off", "automatics": {"at_most": 0}});
            rules.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            rules
        };
        [
            (capped(json!({"jacoby": "on"})), capped(json!({}))),
            (capped(json!({"automatics": {"at_most": 1}})), capped(json!({}))),
        ]
    }

    #[test]
    fn c0_c9_what_needs_a_cube_is_not_chosen_without_one_and_stays_where_it_was_chosen_once() {
        let found = |rules: Value| {
            let rules: HouseRules = serde_json::from_value(rules).unwrap();
            assert_eq!(rules.check(), Ok(()), "where it was chosen before");
            rules.check_chosen().err()
        };
        for ((contradiction, _), (bad, good)) in CHOSEN.iter().zip(chosen_cases()) {
            assert_eq!(found(bad), Some(*contradiction));
            assert_eq!(found(good), None, "{contradiction}");
        }
        let usual = HouseRules {
            game: owlbox_engine::game::BoardRules {
                variant: owlbox_engine::Variant::Fevga,
                ..Default::default()
            },
            ..HouseRules::default()
        };
        assert!(usual.check().is_err());
        assert_eq!(usual.without_what_needs_a_cube().check_chosen(), Ok(()));
        assert_eq!(HouseRules::default().without_what_needs_a_cube(), HouseRules::default());
    }

    #[test]
    fn q14_every_contradiction_is_named_by_both_keys_and_nothing_else_is_one() {
        for ((contradiction, _), (bad, good)) in CONTRADICTIONS.iter().zip(cases()) {
            assert_eq!(found(bad), Some((contradiction.one, contradiction.other)), "{contradiction}");
            assert_eq!(found(good), None, "{contradiction}");
        }
    }

    /// The table in `docs/house-rules.md`, in the order in which the contradictions are checked.
    fn printed() -> String {
        let mut text = String::from(
            "| `allowed` of the problem | why they contradict each other | refused, for one |\n|---|---|---|\n",
        );
        let all = CONTRADICTIONS.iter().zip(cases()).chain(CHOSEN.iter().zip(chosen_cases()));
        for ((contradiction, _), (refused, _)) in all {
            let Contradiction { one, other, why } = contradiction;
            text += &format!("| `{one}`, `{other}` | {why} | `{refused}` |\n");
        }
        text + "\n"
    }

    #[test]
    fn q14_the_printed_contradictions_are_these() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/house-rules.md");
        let (begins, ends) = ("<!-- contradictions -->\n\n", "<!-- end of contradictions -->");
        let mut page = std::fs::read_to_string(path).unwrap();
        let from = page.find(begins).unwrap() + begins.len();
        let to = page.find(ends).unwrap();
        if std::env::var_os("OWLBOX_BLESS").is_some_and(|value| value == "1") {
            page.replace_range(from..to, &printed());
            std::fs::write(path, &page).unwrap();
        } else {
            assert_eq!(&page[from..to], printed(), "run this test again with OWLBOX_BLESS=1");
        }
    }

    /// Both `open` and `change_rules` check for contradictions, and `allowed` names the two keys.
    #[test]
    fn q14_every_contradiction_is_refused_with_its_code_when_a_table_opens_and_when_rules_change() {
        use crate::{Chouette, Command};
        use owlbox_base::journal::{Aggregate as _, Inputs};

        let now = chrono::DateTime::UNIX_EPOCH.into();
        let decided = |table: &Chouette, command: &Command| {
            table.decide(command, &mut Inputs { now, chance: &mut NoDice })
        };
        let opening = |rules: HouseRules| {
            let night = chrono::NaiveDate::default();
            Command::Open { name: "Table".into(), night, stake: None, rules, from: None }
        };
        let mut open = Chouette::initial();
        for event in decided(&open, &opening(HouseRules::default())).unwrap() {
            open.apply(&event, now);
        }
        for ((contradiction, _), (refused, _)) in CONTRADICTIONS.iter().zip(cases()) {
            let rules: HouseRules = serde_json::from_value(refused).unwrap();
            let change = Command::ChangeRules { rules: rules.clone() };
            for (table, command) in [(&Chouette::initial(), opening(rules)), (&open, change)] {
                let refusal = decided(table, &command).unwrap_err();
                assert_eq!(refusal.code().name(), "contradictory_rules", "{contradiction}");
                assert_eq!(json!(refusal.allowed()), json!([contradiction.one, contradiction.other]));
            }
        }
    }

    /// Chance that must not be used: checking rules rolls no dice.
    struct NoDice;

    impl owlbox_base::journal::Chance for NoDice {
        fn below(&mut self, _: u32) -> u32 {
            panic!("a die was thrown")
        }
    }
}
