//! An example of every variant of every tagged type - each command, each event - made of what its fields say of themselves.
//!
//! Such an example is of the right form and says every field; whether it makes sense on a given evening depends on
//! the evening.

use serde_json::{Map, Value, json};

use super::tagged::{Schemas, referred};

/// Gives each variant its example, unless it has one.
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

/// An object with those of its fields.
fn of_object(schema: &Value, schemas: &Schemas, with: &dyn Fn(&str) -> bool) -> Value {
    let fields = schema["properties"].as_object().into_iter().flatten();
    let said = fields.filter(|(field, _)| with(field));
    said.map(|(field, schema)| (field.clone(), of(schema, schemas))).collect::<Map<_, _>>().into()
}

/// A value that the schema allows: the one it gives as an example or a default, or else one as simple as can be.
fn of(schema: &Value, schemas: &Schemas) -> Value {
    if let Some(said) = ["example", "const"].into_iter().find_map(|keyword| schema.get(keyword)) {
        return said.clone();
    }
    if let Some(first) = schema["enum"].as_array().and_then(|values| values.first()) {
        return first.clone();
    }
    if let Some(referred) = referred(schema, schemas) {
        return of(referred, schemas);
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let parts = parts.iter().map(|part| of(part, schemas));
        return parts.filter_map(|part| part.as_object().cloned()).flatten().collect::<Map<_, _>>().into();
    }
    if let Some(choice) =
        schema["oneOf"].as_array().and_then(|choices| choices.iter().find(|one| one["type"] != "null"))
    {
        return of(choice, schemas);
    }
    let types = schema["type"].as_array().map_or(std::slice::from_ref(&schema["type"]), Vec::as_slice);
    match types.iter().filter_map(Value::as_str).find(|name| *name != "null") {
        Some("object") => {
            let required: Vec<&str> =
                schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            of_object(schema, schemas, &|field| required.contains(&field))
        }
        Some("array") if schema["prefixItems"].is_array() => {
            schema["prefixItems"].as_array().into_iter().flatten().map(|item| of(item, schemas)).collect()
        }
        Some("array") => {
            let items = schema["minItems"].as_u64().unwrap_or(1).max(1);
            (0..items).map(|_| of(&schema["items"], schemas)).collect()
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
