//! An example for each variant of each tagged type - every command, every event - put together from what its
//! fields declare.
//!
//! Such an example is well-formed and has every field. Whether it makes sense on a given evening depends on
//! the evening.

use serde_json::{Map, Value, json};

use super::tagged::{Schemas, referred};

/// Adds an example to each variant that has none.
pub fn give(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object() else { return };
    let choices = schemas.values().filter(|schema| schema["discriminator"].is_object());
    let variants = choices.filter_map(|schema| schema["oneOf"].as_array()).flatten();
    let examples: Vec<(String, Value)> = variants
        .filter_map(|variant| {
            let pointer = variant["$ref"].as_str()?.strip_prefix('#')?.to_owned();
            let schema = referred(variant, schemas)?;
            Some((pointer, of_object(schema, schemas, &|_| true)))
        })
        .collect();
    for (pointer, example) in examples {
        if let Some(Value::Object(variant)) = document.pointer_mut(&pointer) {
            variant.entry("example").or_insert(example);
        }
    }
}

/// An object with the fields that `with` accepts.
fn of_object(schema: &Value, schemas: &Schemas, with: &dyn Fn(&str) -> bool) -> Value {
    let fields = schema["properties"].as_object().into_iter().flatten();
    let said = fields.filter(|(field, _)| with(field));
    said.map(|(field, schema)| (field.clone(), example_of(schema, schemas))).collect::<Map<_, _>>().into()
}

/// A value that the schema allows: its example or default, or else the simplest one.
fn example_of(schema: &Value, schemas: &Schemas) -> Value {
    if let Some(said) = ["example", "const"].into_iter().find_map(|keyword| schema.get(keyword)) {
        return said.clone();
    }
    let listed = ["examples", "enum"].into_iter().filter_map(|keyword| schema[keyword].as_array());
    if let Some(first) = listed.filter_map(|values| values.first()).next() {
        return first.clone();
    }
    if let Some(referred) = referred(schema, schemas) {
        return example_of(referred, schemas);
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let parts = parts.iter().map(|part| example_of(part, schemas));
        return parts.filter_map(|part| part.as_object().cloned()).flatten().collect::<Map<_, _>>().into();
    }
    if let Some(choice) =
        schema["oneOf"].as_array().and_then(|choices| choices.iter().find(|one| one["type"] != "null"))
    {
        return example_of(choice, schemas);
    }
    let types = schema["type"].as_array().map_or(std::slice::from_ref(&schema["type"]), Vec::as_slice);
    match types.iter().filter_map(Value::as_str).find(|name| *name != "null") {
        Some("object") => {
            let required: Vec<&str> =
                schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            of_object(schema, schemas, &|field| required.contains(&field))
        }
        Some("array") if schema["prefixItems"].is_array() => schema["prefixItems"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|item| example_of(item, schemas))
            .collect(),
        Some("array") => {
            let items = schema["minItems"].as_u64().unwrap_or(1).max(1);
            (0..items).map(|_| example_of(&schema["items"], schemas)).collect()
        }
        Some("integer") => schema["minimum"].as_i64().unwrap_or(1).max(1).into(),
        Some("boolean") => true.into(),
        Some("string") => text(schema["format"].as_str()).into(),
        _ => json!(null),
    }
}

fn text(format: Option<&str>) -> &'static str {
    match format {
        Some("uuid") => "0190a6f4-0000-7000-8000-000000000001",
        Some("date") => "2026-04-18",
        Some("date-time") => "2026-04-18T18:30:00Z",
        _ => "text",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use owlbox_chouette as chouette;
    use owlbox_play::{matches, tournament};

    /// The places of all texts in a value, as JSON pointers.
    fn texts(value: &Value, at: &str, found: &mut Vec<String>) {
        match value {
            Value::String(_) => found.push(at.to_owned()),
            Value::Array(items) => {
                items
                    .iter()
                    .enumerate()
                    .for_each(|(index, item)| texts(item, &format!("{at}/{index}"), found));
            }
            Value::Object(fields) => {
                fields.iter().for_each(|(field, value)| texts(value, &format!("{at}/{field}"), found));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Kinds are sent by name: the position of a variant in the code means nothing to a client.
    #[test]
    fn what_is_said_with_a_word_is_not_said_with_a_number() {
        let document = crate::docs::tests::compose::document(
            &owlbox_http::config::Config::from_layers(None, []).unwrap().limits,
        )
        .unwrap();
        let is_read = |of: &str, command: &Value| match of {
            "ChouetteCommand" => serde_json::from_value::<chouette::Command>(command.clone()).is_ok(),
            "SheetCommand" => serde_json::from_value::<matches::Command>(command.clone()).is_ok(),
            _ => serde_json::from_value::<tournament::Command>(command.clone()).is_ok(),
        };
        let mut tried = 0;
        for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
            let streams = ["ChouetteCommand", "SheetCommand", "TournamentCommand"];
            let Some(of) = streams.into_iter().find(|of| name.starts_with(of) && name != of) else {
                continue;
            };
            let example = &schema["example"];
            if !is_read(of, example) {
                continue; // Commands that only the history page takes.
            }
            let mut places = Vec::new();
            texts(example, "", &mut places);
            for place in places {
                let mut command = example.clone();
                *command.pointer_mut(&place).unwrap() = 0.into();
                assert!(!is_read(of, &command), "{name}: {place} is taken as a number");
                tried += 1;
            }
        }
        assert!(tried > 100, "only {tried} words of commands were tried");
    }
}
