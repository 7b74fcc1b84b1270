//! Marks the fields and parameters that are deprecated: those whose description begins with `Deprecated:`.

use serde_json::Value;

pub fn mark(value: &mut Value) {
    let is_told = |value: &Value| {
        value["description"].as_str().is_some_and(|description| description.starts_with("Deprecated: "))
    };
    match value {
        Value::Array(items) => items.iter_mut().for_each(mark),
        Value::Object(fields) => {
            fields.values_mut().for_each(mark);
            // What may be null has its description inside of the choice.
            let within =
                fields.get("oneOf").and_then(Value::as_array).is_some_and(|all| all.iter().any(is_told));
            if within || is_told(&Value::Object(fields.clone())) {
                fields.insert("deprecated".to_owned(), true.into());
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
