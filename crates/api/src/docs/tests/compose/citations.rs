//! Leaves out the numbers of rules. Doc comments cite them for those who read the code beside the rules; the
//! document's readers have neither.

use serde_json::Value;

/// Takes the numbers of rules out of everything that is described.
pub fn leave_out(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(leave_out),
        Value::Object(fields) => {
            for (keyword, value) in fields {
                match value {
                    Value::String(said) if ["description", "summary"].contains(&keyword.as_str()) => {
                        *said = without_rules(said);
                    }
                    value => leave_out(value),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The sentence without `C7, C8: ` at its beginning and ` (C7, C8)` anywhere in it.
fn without_rules(said: &str) -> String {
    let mut rest = match said.split_once(": ") {
        Some((rules, rest)) if are_rules(rules) => capitalised(rest),
        _ => said.to_owned(),
    };
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once('(') {
        let (inside, beyond) = after.split_once(')').unwrap_or((after, ""));
        kept.push_str(before);
        rest = if are_rules(inside) {
            kept.truncate(kept.trim_end().len());
            beyond.to_owned()
        } else {
            kept.push('(');
            after.to_owned()
        };
    }
    kept + &rest
}

/// Whether it only names rules: `C7`, `G8a, G17` or `V1 to V4`.
fn are_rules(text: &str) -> bool {
    let mut words = text.split([',', ' ', '\n']).filter(|word| !word.is_empty() && *word != "to").peekable();
    words.peek().is_some() && words.all(is_rule)
}

/// Whether a word is the number of a rule.
pub fn is_rule(word: &str) -> bool {
    let number = word.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
    let digits = number.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
    word.len() - number.len() == 1 && !digits.is_empty() && digits.chars().all(|digit| digit.is_ascii_digit())
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_numbers_of_rules_are_left_out() {
        for (said, left) in [
            ("Where a player who comes in sits (Q5).", "Where a player who comes in sits."),
            ("What is played\n(V1 to V4, G8a,\nG17).", "What is played."),
            ("C7, C8: how often.", "How often."),
            ("The least (1 if a match (C0)), always.", "The least (1 if a match), always."),
            ("A score: `3` is a point and a half (3/2).", "A score: `3` is a point and a half (3/2)."),
            ("Kazaross-XG2 (the table", "Kazaross-XG2 (the table"),
        ] {
            assert_eq!(without_rules(said), left);
        }
    }
}
