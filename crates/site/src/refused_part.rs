//! Which part of a command its type refuses. Where serde reads ahead for a tag it forgets where it is, but it
//! says what it has found there.

use serde_json::Value;

use crate::pages::fields::steps;

/// The part of the command that is refused with these words, as names of fields say it: `score[1]`, or the
/// bare name of a field that is missing. `None` if the words do not tell.
pub(super) fn refused_part(command: &Value, refusal: &str) -> Option<String> {
    if let Some(missing) = refusal.strip_prefix("missing field `") {
        return missing.split('`').next().map(str::to_owned);
    }
    let mut found = None;
    find(command, "", refusal, &mut found);
    found
}

/// Finds the first value that the refusal speaks of: serde quotes it at once, and our own types begin with
/// what it is of. What is quoted can be as long as the form, so nothing is searched for in it.
fn find(value: &Value, name: &str, refusal: &str, found: &mut Option<String>) {
    if found.is_some() {
        return;
    }
    let quoted = ["invalid type: ", "invalid value: ", "unknown "]
        .iter()
        .find_map(|start| refusal.strip_prefix(start));
    let quotes = |said: String| quoted.is_some_and(|quoted| quoted.starts_with(&said));
    let is_named = || steps(name).last().is_some_and(|last| refusal.starts_with(&format!("{last}: ")));
    let is_said = match value {
        Value::String(text) => {
            quotes(format!("string {text:?}, ")) || quotes(format!("variant `{text}`, ")) || is_named()
        }
        Value::Number(number) => {
            let kinds = ["integer", "floating point"];
            kinds.iter().any(|kind| quotes(format!("{kind} `{number}`, "))) || is_named()
        }
        Value::Array(items) => refusal.starts_with(&format!("invalid length {}, ", items.len())),
        Value::Null | Value::Bool(_) | Value::Object(_) => false,
    };
    if is_said {
        *found = Some(name.to_owned());
        return;
    }
    let part = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}[{key}]") };
    match value {
        Value::Object(parts) => parts.iter().for_each(|(key, value)| find(value, &part(key), refusal, found)),
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(nth, value)| find(value, &part(&nth.to_string()), refusal, found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use owlbox_chouette as chouette;
    use owlbox_desk::commands::history::Order;
    use owlbox_play::{matches, tournament};
    use serde::Deserialize as _;
    use serde::de::DeserializeOwned;
    use serde_json::json;

    use super::*;

    fn of<C: DeserializeOwned>(command: &Value) -> Option<String> {
        let refusal = Order::<C>::deserialize(command).err().expect("a command that is refused").to_string();
        refused_part(command, &refusal)
    }

    #[test]
    fn the_part_that_cannot_be_read_is_found() {
        let player = "018f0000-0000-7000-8000-000000000001";
        for (command, part) in [
            (json!({"command": "penalty", "gains": "upper", "points": "many"}), Some("points")),
            (json!({"command": "penalty", "gains": "upper", "points": 70_000}), Some("points")),
            (json!({"command": "penalty", "gains": "upper", "points": -1}), Some("points")),
            (json!({"command": "penalty", "gains": "upper"}), Some("points")),
            (json!({"command": "penalty", "gains": "nobody", "points": 3}), Some("gains")),
            (json!({"command": "final", "score": [3, "x"]}), Some("score[1]")),
            (json!({"command": "final", "score": ["x", 3]}), Some("score[0]")),
            (json!({"command": "final", "score": [3]}), Some("score")),
            (json!({"command": "final"}), Some("score")),
            (json!({"command": "final", "score": ["x", "x"]}), Some("score[0]")),
            (json!({"command": "undo", "acts": 0}), Some("acts")),
            (json!({"command": "undo", "more": 1}), None),
            (json!({"command": "import", "left": "upper", "text": 5}), Some("text")),
        ] {
            assert_eq!(of::<matches::Command>(&command).as_deref(), part, "{command}");
        }
        let rolls = |dice: Value| {
            let rolls = json!([{"player": player, "dice": [3]}, {"player": player, "dice": dice}]);
            json!({"command": "enter_rolls", "rolls": rolls})
        };
        for (dice, part) in [(json!([7]), "rolls[1][dice][0]"), (json!([1, 9]), "rolls[1][dice][1]")] {
            assert_eq!(of::<chouette::Command>(&rolls(dice)).as_deref(), Some(part));
        }
        let board = |dice: Value| json!({"command": "board", "by": player, "action": {"action": "roll", "dice": dice}});
        assert_eq!(of::<chouette::Command>(&board(json!([]))).as_deref(), Some("action[dice]"));
        assert_eq!(of::<chouette::Command>(&board(json!([3]))).as_deref(), Some("action[dice]"));
        let paid = json!({"command": "pay_in", "player": player, "amount": -5});
        assert_eq!(of::<tournament::Command>(&paid).as_deref(), Some("amount"));
    }
}
