//! Bounds on values, from the rooms' own constants; and examples where a value made up from the type alone
//! would tell nobody anything.

use serde_json::{Value, json};

use owlbox_base::text::{LINES, LOGIN, ONE_LINE};
use owlbox_base::values::StakeAmount;
use owlbox_books::club::house_rules::RuleSetName;
use owlbox_books::club::players::PlayerName;
use owlbox_books::daybook::MOST_AT_ONCE;
use owlbox_chouette::{LONGEST_NAME, MOST_PAID, MOST_UNITS, SEATS, TO_LEAVE};
use owlbox_desk::access::password::{LONGEST, SHORTEST};
use owlbox_engine::CubeValue;
use owlbox_play::matches::{MOST_BYTES, MOST_GAMES};
use owlbox_play::tournament::bracket::MOST_SLOTS;
use owlbox_play::tournament::room::MOST_TABLES;
use owlbox_play::tournament::{MOST_CALLED_AT_ONCE, MOST_DIRECTORS, MOST_DIVISIONS, MOST_ENTRIES};

/// A component, one of its fields - empty for the component itself - and what to say about it.
type Said = (&'static str, &'static str, Value);

pub fn set(document: &mut Value) {
    for (component, field, said) in all() {
        let place = document.pointer_mut(&pointer(component, field)).and_then(Value::as_object_mut);
        if let (Some(place), Value::Object(said)) = (place, said) {
            place.extend(said);
        }
    }
}

fn all() -> impl Iterator<Item = Said> {
    of_the_club().into_iter().chain(of_tables()).chain(of_matches()).chain(of_tournaments())
}

fn pointer(component: &str, field: &str) -> String {
    let component = format!("/components/schemas/{component}");
    if field.is_empty() { component } else { format!("{component}/properties/{field}") }
}

fn of_the_club() -> Vec<Said> {
    let password = json!({ "minLength": SHORTEST, "maxLength": LONGEST });
    let one_line = json!({ "pattern": ONE_LINE });
    // The derive describes the fields of a generic type only where their own type is a component.
    let value = json!({ "description": "The value that the games have in common." });
    vec![
        ("Group_String", "value", value.clone()),
        ("Group_u32", "value", value),
        ("Currencies", "", json!({ "uniqueItems": true })),
        ("PlayerName", "", one_line.clone()),
        ("Nickname", "", one_line.clone()),
        ("ClubName", "", one_line.clone()),
        ("SeasonName", "", one_line.clone()),
        ("Contact", "", one_line.clone()),
        ("Memo", "", json!({ "pattern": ONE_LINE, "example": "Rent of the room" })),
        ("Notes", "", json!({ "pattern": LINES })),
        ("PastGame", "", past_game()),
        ("DaybookCommandRecordGames", "games", json!({ "minItems": 1, "maxItems": MOST_AT_ONCE })),
        ("Login", "", json!({ "pattern": LOGIN })),
        (
            "PlayerChangeBody",
            "name",
            json!({ "minLength": 1, "maxLength": PlayerName::MAX, "pattern": ONE_LINE }),
        ),
        ("HighestCube", "", json!({ "enum": cubes().split_off(1) })),
        ("SetUpBody", "password", password.clone()),
        ("ClaimBody", "password", password.clone()),
        ("PasswordBody", "new", password),
        ("StakeAmount", "", json!({ "minimum": 1, "maximum": StakeAmount::MAX })),
        ("Die", "", json!({ "enum": [1, 2, 3, 4, 5, 6] })),
        ("CubeValue", "", json!({ "enum": cubes() })),
        ("Title", "", json!({ "example": "Championship", "pattern": ONE_LINE })),
        ("Remark", "", json!({ "example": "Torino", "pattern": ONE_LINE })),
        ("TournamentSheet", "", json!({ "pattern": LINES })),
    ]
}

/// A game for points; one for nothing would be refused.
fn past_game() -> Value {
    json!({ "example": {
        "on": "2025-11-28",
        "winner": "0190a6f4-0000-7000-8000-000000000001",
        "loser": "0190a6f4-0000-7000-8000-000000000002",
        "points": 8,
    } })
}

/// Every value of a cube.
fn cubes() -> Vec<u32> {
    std::iter::successors(Some(CubeValue::ONE), |cube| cube.doubled()).map(CubeValue::get).collect()
}

/// A different player from the one in the other examples.
fn another() -> Value {
    json!({ "example": "0190a6f4-0000-7000-8000-000000000002" })
}

fn of_tables() -> Vec<Said> {
    let name = json!({ "minLength": 1, "maxLength": LONGEST_NAME, "example": "Friday table" });
    let against = json!({ "minItems": 1, "maxItems": SEATS });
    vec![
        ("NewChouette", "name", name.clone()),
        ("NewChouette", "house_rules", json!({ "minLength": 1, "maxLength": RuleSetName::MAX })),
        ("ChouetteCommandOpen", "name", name.clone()),
        ("ChouetteCommandSplit", "name", name),
        ("ChouetteCommandSplit", "players", json!({ "minItems": TO_LEAVE, "maxItems": SEATS })),
        ("ChouetteCommandSetStake", "units", json!({ "minimum": 1, "maximum": MOST_UNITS })),
        ("ChouetteCommandSetStart", "value", json!({ "enum": [1, 2, 4] })),
        ("ChouetteCommandEnterRolls", "rolls", json!({ "minItems": 1, "maxItems": SEATS })),
        ("ChouetteCommandSetOrder", "line", json!({ "minItems": 1, "maxItems": SEATS })),
        ("ChouetteCommandDouble", "against", against.clone()),
        ("ChouetteCommandTake", "against", against.clone()),
        ("ChouetteCommandDrop", "against", against.clone()),
        ("ChouetteCommandBeaver", "against", against),
        ("ChouetteCommandSettle", "bets", json!({ "minItems": 1 })),
        ("ChouetteCommandCorrect", "game", json!({ "minimum": 1 })),
        ("ChouetteCommandMergePlayers", "duplicate", another()),
        ("ChouetteCommandNameProxy", "proxy", another()),
        ("ChouetteCommandLeave", "proxy", another()),
        ("ChouetteCommandBreak", "proxy", another()),
        ("Settlement", "payee", another()),
        ("ChouetteCommandPay", "payee", another()),
        ("ChouetteCommandPay", "amount", json!({ "minimum": 1, "maximum": MOST_PAID, "example": 500 })),
    ]
}

fn of_matches() -> Vec<Said> {
    vec![
        ("ActionRoll", "dice/items", json!({ "minimum": 1, "maximum": 6 })),
        ("SheetCommandPenalty", "points", json!({ "minimum": 1, "maximum": 255 })),
        ("ClockSetting", "reserve_a_point", json!({ "example": 120 })),
        ("ClockSetting", "delay", json!({ "example": 12 })),
        ("SheetCommandFinal", "score", json!({ "example": [7, 3] })),
        ("SheetCommandPay", "amount", json!({ "minimum": 1, "example": 500 })),
        ("SheetCommandCorrect", "game", json!({ "minimum": 1, "maximum": MOST_GAMES })),
        ("SheetCommandLate", "minutes", json!({ "example": 15 })),
        ("SheetCommandImport", "text", json!({ "maxLength": MOST_BYTES, "example": TEXT })),
    ]
}

/// The beginning of a match in match text.
const TEXT: &str = " 3 point match\n\n Game 1\n Anna : 0    Bea : 0\n  1) 31: 8/5 6/5    52: 24/22 13/8\n";

fn of_tournaments() -> Vec<Said> {
    let entries = json!({ "maxItems": MOST_ENTRIES, "example": [1, 2] });
    let above_zero = json!({ "minimum": 1, "example": 2_000 });
    let score = json!({ "example": [7, 3] });
    let division = json!({ "example": { "name": "Championship", "lengths": [7, 5] } });
    let redrawn = json!({ "example": "Two names were missing" });
    let cancelled = json!({ "example": "The hall is closed" });
    vec![
        ("DivisionSettings", "", division),
        ("TournamentCommandDraw", "reason", redrawn.clone()),
        ("TournamentEventDrawn", "reason", redrawn),
        ("TournamentCommandCancel", "reason", cancelled.clone()),
        ("TournamentEventCancelled", "reason", cancelled),
        ("TournamentCommandClose", "reason", json!({ "example": "The rest goes home" })),
        ("TournamentEventClosed", "reason", json!({ "example": "The rest goes home" })),
        ("Table", "note", json!({ "example": "By the window" })),
        ("DivisionNo", "", json!({ "minimum": 1, "maximum": MOST_DIVISIONS })),
        ("MatchNo", "", json!({ "minimum": 1 })),
        ("TableNo", "", json!({ "minimum": 1 })),
        ("DrawByHand", "slots", json!({ "minItems": 2, "maxItems": MOST_SLOTS, "example": [1, 0, 2, null] })),
        ("TournamentCommandSetDirectors", "directors", json!({ "maxItems": MOST_DIRECTORS })),
        ("TournamentCommandSetTables", "tables", json!({ "maxItems": MOST_TABLES })),
        ("TournamentCommandEnter", "entries", json!({ "minItems": 1, "maxItems": MOST_ENTRIES })),
        ("TournamentCommandCheckIn", "entries", entries.clone()),
        ("TournamentCommandSeed", "entries", entries.clone()),
        ("TournamentCommandDrawLastChance", "entries", entries),
        ("TournamentCommandCallNext", "matches", json!({ "minimum": 1, "maximum": MOST_CALLED_AT_ONCE })),
        ("TournamentCommandReport", "score", score.clone()),
        ("MatchEndedPlayed", "score", score),
        ("MatchEndedConceded", "score", json!({ "example": [5, 3] })),
        ("MatchEndedForfeit", "score", json!({ "example": [5, 3] })),
        ("TournamentCommandReport", "players", json!({ "example": [1, 2] })),
        ("TournamentCommandResult", "players", json!({ "example": [1, 2] })),
        ("TournamentCommandPayIn", "amount", above_zero.clone()),
        ("TournamentCommandPayOut", "amount", above_zero.clone()),
        ("TournamentCommandAddMoney", "amount", above_zero),
        ("TournamentCommandJoinPools", "side_pools", json!({ "example": [0] })),
        ("SlotOfMatch", "match", json!({ "example": 3 })),
        ("TournamentCommandExchange", "other", json!({ "example": { "match": 4, "slot": "lower" } })),
        ("Awarded", "amount", json!({ "example": 14_000 })),
        ("Schedule", "", json!({ "minItems": 1, "maxItems": 64 })),
        ("DivisionSettings", "side_pools", json!({ "maxItems": 8 })),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_a_limit_is_set_for_is_there() {
        let mut document = serde_json::to_value(crate::docs::tests::compose::declared()).unwrap();
        super::super::tagged::split(&mut document);
        for (component, field, _) in all() {
            assert!(document.pointer(&pointer(component, field)).is_some(), "{component}.{field} is nowhere");
        }
    }

    #[test]
    fn a_cube_can_have_every_power_of_two_up_to_its_highest() {
        assert_eq!(cubes().len(), 21);
        assert_eq!(cubes().last(), Some(&CubeValue::MAX.get()));
    }
}
