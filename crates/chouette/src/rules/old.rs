//! Format 1 of the house rules and of chouette events, read in today's terms.
//!
//! Format 1 played one way in most things and wrote that down by name; only three settings had a choice. So a
//! set of format 1 becomes today's set with every setting stated, and none left to a default that may change
//! later. Journals in this format exist: nothing here changes any more.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::rules::{
    Automatics, BoxRestraint, BoxRetention, BreakPlace, CaptainDrops, Consultation, Cubes, DecisionOrder,
    Declining, DoubleStandUp, HeadsUp, HouseRules, Jacoby, LateDoubles, LaterAutomatics, Leaving,
    LeavingMidGame, LoneTaker, LoneTakerRules, Newcomer, OrderDice, OrderRules, OtherGames, PartnerRules,
    PartnerWhen, PlayerCount, Settlements, SplitFrom, Stakes, TableSize, TakersMoveUp,
};
use owlbox_engine::game::{BoardRules, ClosedOut};
use owlbox_engine::{Animals, CubeValue, Variant};

/// Why something could not be read as format 1.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// It is not JSON as format 1 wrote it.
    #[error("format 1: {0}")]
    Json(#[from] serde_json::Error),
    /// A value has another shape than format 1 gave it.
    #[error("format 1: {what} cannot be {found}")]
    Shape { what: String, found: Value },
}

impl Unreadable {
    fn shape(what: &str, found: &Value) -> Self {
        Self::Shape { what: what.to_owned(), found: found.clone() }
    }
}

/// The settings for which format 1 knew only one option, as it wrote them.
const ONE_OPTION: [(&str, &str); 17] = [
    ("cubes", "one_per_member"),
    ("double_stand_up", "off"),
    ("newcomer", "behind_loser"),
    ("captain_drops", "acting"),
    ("partner", "off"),
    ("consultation", "free"),
    ("decision_order", "any_order"),
    ("box_restraint", "none"),
    ("late_doubles", "open"),
    ("jacoby", "off"),
    ("animals", "none"),
    ("lone_taker", "nothing"),
    ("settlements", "forbidden"),
    ("leaving", "between_games"),
    ("declining", "not_allowed"),
    ("heads_up", "go_on"),
    ("order_dice", "one_die"),
];

/// What decided whether the box stays, in format 1.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum OldRetention {
    #[default]
    OriginalCaptain,
    LastStanding,
}

/// The set of rules that format 1 wrote as `written`. What it left out had the default of that time.
///
/// # Errors
/// A key or an option that format 1 did not know.
pub fn house_rules(written: Value) -> Result<HouseRules, Unreadable> {
    let mut settings = object("rules", written)?;
    let retention = match take(&mut settings, "box_retention")?.unwrap_or_default() {
        OldRetention::OriginalCaptain => BoxRetention::OriginalCaptain,
        OldRetention::LastStanding => BoxRetention::LastStanding,
    };
    let cube_cap = take::<Option<CubeValue>>(&mut settings, "cube_cap")?.flatten();
    let seats = take(&mut settings, "table_size")?.unwrap_or(TableSize::default().at_most);
    if take::<u8>(&mut settings, "automatics")?.is_some_and(|number| number != 0) {
        return Err(Unreadable::shape("automatics", &json!("more than 0")));
    }
    for (key, value) in &settings {
        if !ONE_OPTION.iter().any(|(known, option)| known == key && value == option) {
            return Err(Unreadable::shape(key, value));
        }
    }
    Ok(as_it_was_played(retention, cube_cap, seats))
}

/// The rules that format 1 played by, with the three settings that had a choice.
fn as_it_was_played(
    box_retention: BoxRetention,
    cube_cap: Option<CubeValue>,
    at_most: PlayerCount,
) -> HouseRules {
    HouseRules {
        game: BoardRules {
            variant: Variant::Standard,
            strict_larger_die: false,
            closed_out: ClosedOut::Passes,
        },
        other_games: OtherGames::NotAllowed,
        order: OrderRules { dice: OrderDice::OneDie },
        cubes: Cubes::OnePerMember,
        box_retention,
        double_stand_up: DoubleStandUp::Off,
        newcomer: Newcomer::BehindLoser,
        captain_drops: CaptainDrops::Acting,
        takers_move_up: TakersMoveUp::ThisGame,
        partner: PartnerRules { when: PartnerWhen::Off, ..PartnerRules::default() },
        consultation: Consultation::Free,
        decision_order: DecisionOrder::AnyOrder,
        box_restraint: BoxRestraint::None,
        late_doubles: LateDoubles::Open,
        jacoby: Jacoby::Off,
        animals: Animals::None,
        lone_taker: LoneTakerRules { rule: LoneTaker::Nothing, ..LoneTakerRules::default() },
        automatics: Automatics { at_most: Some(0), later: LaterAutomatics::Compulsory, carry_over: false },
        cube_cap,
        settlements: Settlements::Forbidden,
        stakes: Stakes::OneForAll,
        leaving: Leaving { mid_game: LeavingMidGame::NotAllowed, on_break: BreakPlace::Kept },
        declining: Declining::NotAllowed,
        table_size: TableSize { at_most, split: SplitFrom::NewcomerAndLast },
        heads_up: HeadsUp::GoOn,
    }
}

/// The event that format 1 wrote as `payload`, as today's JSON.
///
/// # Errors
/// The payload is not what format 1 wrote, as far as it differs from today's form. What is the same is not
/// checked.
pub fn event(payload: &str) -> Result<Value, Unreadable> {
    let mut event = object("event", serde_json::from_str(payload)?)?;
    match event.get("event").and_then(Value::as_str) {
        Some("opened") => {
            let rules = house_rules(event.remove("rules").unwrap_or_default())?;
            event.insert("rules".to_owned(), serde_json::to_value(rules)?);
        }
        Some("rolls_entered") => rolls(event.get_mut("rolls").unwrap_or(&mut Value::Null))?,
        Some("order_drawn") => {
            for round in array("rounds", event.get_mut("rounds").unwrap_or(&mut Value::Null))? {
                rolls(round)?;
            }
        }
        _ => {}
    }
    Ok(Value::Object(event))
}

/// Turns rolls of one die each into rolls of any number of dice.
fn rolls(written: &mut Value) -> Result<(), Unreadable> {
    for roll in array("rolls", written)? {
        let Some(die) = roll.as_object_mut().and_then(|roll| roll.remove("die")) else {
            return Err(Unreadable::shape("roll", roll));
        };
        roll["dice"] = json!([die]);
    }
    Ok(())
}

fn object(what: &str, value: Value) -> Result<Map<String, Value>, Unreadable> {
    if let Value::Object(map) = value { Ok(map) } else { Err(Unreadable::shape(what, &value)) }
}

fn array<'a>(what: &str, value: &'a mut Value) -> Result<&'a mut Vec<Value>, Unreadable> {
    if let Value::Array(items) = value { Ok(items) } else { Err(Unreadable::shape(what, value)) }
}

/// Takes a setting out of the set and reads it, if it is there.
fn take<T: DeserializeOwned>(settings: &mut Map<String, Value>, key: &str) -> Result<Option<T>, Unreadable> {
    Ok(settings.remove(key).map(serde_json::from_value).transpose()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The whole set, as format 1 wrote it into every chouette it opened.
    fn written() -> Value {
        json!({
            "cubes": "one_per_member", "box_retention": "original_captain", "double_stand_up": "off",
            "newcomer": "behind_loser", "captain_drops": "acting", "partner": "off",
            "consultation": "free", "decision_order": "any_order", "box_restraint": "none",
            "late_doubles": "open", "jacoby": "off", "animals": "none", "lone_taker": "nothing",
            "automatics": 0, "cube_cap": null, "settlements": "forbidden", "leaving": "between_games",
            "declining": "not_allowed", "table_size": 12, "heads_up": "go_on", "order_dice": "one_die",
        })
    }

    #[test]
    fn what_format_1_played_is_stated_in_todays_words() {
        let now = serde_json::to_value(house_rules(written()).unwrap()).unwrap();
        let expected = json!({
            "game": {"variant": "standard", "strict_larger_die": false, "closed_out": "passes"},
            "other_games": "not_allowed", "order": {"dice": "one_die"}, "cubes": "one_per_member", "box_retention": "original_captain",
            "double_stand_up": "off", "newcomer": "behind_loser", "captain_drops": "acting",
            "takers_move_up": "this_game",
            "partner": {
                "when": "off", "from": 6, "second_from": null, "offer": "from_captain", "share": "half",
                "rights": "money_only", "after_loss": "captain",
            },
            "consultation": "free", "decision_order": "any_order", "box_restraint": "none",
            "late_doubles": "open", "jacoby": "off", "animals": "none",
            "lone_taker": {"rule": "nothing", "from": 5, "extras_from": "members"},
            "automatics": {"at_most": 0, "later": "compulsory", "carry_over": false}, "cube_cap": null,
            "settlements": "forbidden", "stakes": "one_for_all",
            "leaving": {"mid_game": "not_allowed", "on_break": "kept"}, "declining": "not_allowed",
            "table_size": {"at_most": 12, "split": "newcomer_and_last"}, "heads_up": "go_on",
        });
        assert_eq!(now, expected);
    }

    #[test]
    fn what_format_1_let_a_club_choose_is_kept() {
        let mut rules = written();
        rules["box_retention"] = json!("last_standing");
        rules["cube_cap"] = json!(64);
        rules["table_size"] = json!(6);
        let now = house_rules(rules).unwrap();
        assert_eq!(now.box_retention, BoxRetention::LastStanding);
        assert_eq!(now.cube_limit().get(), 64);
        assert_eq!(now.table_size.at_most.get(), 6);
        assert!(now.check().is_ok());
    }

    #[test]
    fn what_was_left_out_had_the_default_of_that_time() {
        assert_eq!(house_rules(json!({})).unwrap(), house_rules(written()).unwrap());
    }

    #[test]
    fn q14_what_format_1_did_not_know_is_not_read_as_format_1() {
        for (key, value) in [
            ("jacoby", json!("on")),
            ("automatics", json!(1)),
            ("box_retention", json!("profit")),
            ("table_size", json!(2)),
            ("cube_cap", json!(3)),
            ("partner", json!({"when": "off"})),
            ("order", json!({"dice": "one_die"})),
        ] {
            let mut rules = written();
            rules[key] = value;
            assert!(house_rules(rules).is_err(), "{key}");
        }
        assert!(house_rules(Value::Null).is_err());
    }

    #[test]
    fn an_opened_table_has_its_rules_in_todays_words_and_the_rest_as_it_was() {
        let payload = json!({
            "event": "opened", "name": "Friday", "night": "2026-11-06",
            "stake": {"currency": "EUR", "minor": 500}, "rules": written(),
        });
        let now = event(&payload.to_string()).unwrap();
        let rules: HouseRules = serde_json::from_value(now["rules"].clone()).unwrap();
        assert_eq!(rules, house_rules(written()).unwrap());
        assert_eq!((&now["name"], &now["stake"]), (&payload["name"], &payload["stake"]));
    }

    #[test]
    fn a_roll_of_one_die_is_a_roll_of_dice() {
        let (kim, lou) = ("01920000-0000-7000-8000-000000000001", "01920000-0000-7000-8000-000000000002");
        let seats = json!({"order": "rolling", "groups": [[kim], [lou]]});
        let entered = json!({
            "event": "rolls_entered", "seats": seats,
            "rolls": [{"player": kim, "die": 6}, {"player": lou, "die": 2}],
        });
        let dice = json!([{"player": kim, "dice": [6]}, {"player": lou, "dice": [2]}]);
        let now = event(&entered.to_string()).unwrap();
        assert_eq!((&now["rolls"], &now["seats"]), (&dice, &seats));

        let drawn = json!({"event": "order_drawn", "seats": seats, "rounds": [entered["rolls"], []]});
        assert_eq!(event(&drawn.to_string()).unwrap()["rounds"], json!([dice, []]));
    }

    #[test]
    fn other_events_are_as_they_were_and_broken_ones_are_refused() {
        let closed = r#"{"event":"closed"}"#;
        assert_eq!(event(closed).unwrap(), json!({"event": "closed"}));
        for broken in [
            "[]",
            "{",
            r#"{"event":"opened"}"#,
            r#"{"event":"rolls_entered","rolls":[{"player":"x"}]}"#,
            r#"{"event":"rolls_entered","rolls":[6]}"#,
            r#"{"event":"order_drawn"}"#,
        ] {
            assert!(event(broken).is_err(), "{broken}");
        }
    }
}
