//! Which part of a command its type refuses. Serde tells that only in words, and not where it has read ahead for a tag;
//! so it is found by trying: whatever is read before that part matters to the refusal, and what would be read after it
//! does not.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The most values that are tried. Forms with more of them are long lists.
const MOST_TRIED: usize = 200;

/// A value that has no parts, and where it is: as a JSON pointer, and as the name of a field says it.
struct Place {
    pointer: String,
    name: String,
}

/// The part of the command that `T` refuses with these words, as names of fields say it: `score[1]`, or the bare name of
/// a field that is missing. `None` if it is no part alone.
pub(super) fn refused_part<T: DeserializeOwned>(command: &Value, refusal: &str) -> Option<String> {
    if let Some(missing) = refusal.strip_prefix("missing field `") {
        return missing.split('`').next().map(str::to_owned);
    }
    if ["unknown field", "data did not match"].iter().any(|other| refusal.starts_with(other)) {
        return None;
    }
    let mut places = Vec::new();
    list(command, &Place { pointer: String::new(), name: String::new() }, &mut places);
    if places.len() > MOST_TRIED {
        return None;
    }
    // An object is not what is wanted anywhere where there was a value without parts.
    let refused_with = |others: &[&Place]| {
        let mut other = command.clone();
        for place in others {
            if let Some(value) = other.pointer_mut(&place.pointer) {
                *value = json!({});
            }
        }
        T::deserialize(&other).err().map(|error| error.to_string())
    };
    let mut last: Option<(&Place, Option<String>)> = None;
    for place in &places {
        let alone = refused_with(&[place]);
        if alone.as_deref() == Some(refusal) {
            continue;
        }
        // A tag is read before whatever stands before it: of two, the refusal is of the one that is read first.
        let is_tag = last.as_ref().is_some_and(|(before, of_before)| {
            let both = refused_with(&[*before, place]);
            both == alone && both != *of_before
        });
        if !is_tag {
            last = Some((place, alone));
        }
    }
    let (Place { name, pointer }, _) = last?;
    // Of a list that is too short or too long, no item is to blame.
    let is_item = refusal.starts_with("invalid length") && !command.pointer(pointer)?.is_array();
    let end = name.rfind('[').filter(|_| is_item).unwrap_or(name.len());
    Some(name[..end].to_owned())
}

/// Lists the values without parts, in the order in which they are read.
fn list(value: &Value, at: &Place, places: &mut Vec<Place>) {
    let part = |key: &str| Place {
        pointer: format!("{}/{key}", at.pointer),
        name: if at.name.is_empty() { key.to_owned() } else { format!("{}[{key}]", at.name) },
    };
    match value {
        Value::Object(parts) if !parts.is_empty() => {
            parts.iter().for_each(|(key, value)| list(value, &part(key), places));
        }
        Value::Array(items) if !items.is_empty() => {
            items.iter().enumerate().for_each(|(key, value)| list(value, &part(&key.to_string()), places));
        }
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => places.push(Place { pointer: at.pointer.clone(), name: at.name.clone() }),
    }
}

#[cfg(test)]
mod tests {
    use owlbox_chouette as chouette;
    use owlbox_desk::commands::history::Order;
    use owlbox_play::{matches, tournament};
    use serde::Deserialize as _;

    use super::*;

    fn of<C: DeserializeOwned>(command: &Value) -> Option<String> {
        let refusal = Order::<C>::deserialize(command).err().expect("a command that is refused").to_string();
        refused_part::<Order<C>>(command, &refusal)
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
