//! What changes of the club's settings take: each setting, `null` to put it back to what a new club has, or
//! nothing.

use serde_json::{Value, json};

/// Describes the bodies of `PUT` and `PATCH /settings` by the settings themselves.
pub fn describe(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    let whole = schemas.get("ClubSettings").cloned().unwrap_or_default();
    let needed: Vec<String> = whole["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect();
    let mut merged = whole.clone();
    for (name, field) in merged["properties"].as_object_mut().into_iter().flatten() {
        let of_parts = field["$ref"].as_str().map(|part| format!("{part}Change"));
        if let Some(part) =
            of_parts.filter(|part| PARTS.iter().any(|name| part.ends_with(&format!("/{name}Change"))))
        {
            field["$ref"] = part.into();
        }
        if !needed.contains(name) && field["oneOf"].is_null() {
            *field = json!({ "oneOf": [field, { "type": "null" }] });
        }
    }
    for name in PARTS {
        let mut part = schemas.get(name).cloned().unwrap_or_default();
        drop_required(&mut part);
        schemas.insert(format!("{name}Change"), part);
    }
    for (name, about) in NAMES {
        let mut schema = merged.clone();
        schema["description"] = about.into();
        if name.ends_with("Change") {
            drop_required(&mut schema);
        }
        schemas.insert(name.to_owned(), schema);
    }
}

/// Settings that are merged part by part.
const PARTS: [&str; 2] = ["Public", "SeatWords"];

const NAMES: [(&str, &str); 2] = [
    ("ClubSettingsChange", "The settings to change. What is not named stays as it is."),
    ("ClubSettingsReplacement", "The settings. What is not named stays as it is."),
];

fn drop_required(schema: &mut Value) {
    if let Some(schema) = schema.as_object_mut() {
        schema.remove("required");
    }
}
