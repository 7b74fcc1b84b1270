//! Tagged objects: commands, events, and other types where one field tells which of several things a value
//! is.
//!
//! The derived schema of such a type is a list of nameless objects. Here each object becomes a component
//! named for the type and its tag (`ChouetteCommandDouble`), and the type a choice between them with a
//! discriminator. So a generated client has a class for each command, and a reader finds a command's fields
//! at an address of their own.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

pub const SCHEMAS: &str = "#/components/schemas/";

pub type Schemas = Map<String, Value>;

/// Makes every variant of every tagged type a component. Fields that a type includes from others are copied
/// into it, because `allOf` cannot combine objects that refuse unknown fields.
pub fn split(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    let names: Vec<String> = schemas.keys().cloned().collect();
    for name in &names {
        let merged = schemas.get(name).map(|schema| put_together(schema, schemas));
        if let Some(merged) = merged {
            schemas.insert(name.clone(), merged);
        }
    }
    drop_unused_choices(document, &names);
    let asked = asked_for(document);
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    for name in &names {
        let Some((tag, variants)) = schemas.get(name).and_then(|schema| variants(schema, schemas)) else {
            continue;
        };
        let named = |value: &str| format!("{name}{}", pascal(value));
        let mapping: Map<String, Value> =
            variants.iter().map(|(value, _)| (value.clone(), reference(&named(value)))).collect();
        let choices: Vec<Value> =
            variants.iter().map(|(value, _)| json!({ "$ref": reference(&named(value)) })).collect();
        if let Some(schema) = schemas.get_mut(name) {
            schema["oneOf"] = choices.into();
            schema["discriminator"] = json!({ "propertyName": tag, "mapping": mapping });
        }
        let is_closed = asked.contains(name) && !OPEN.contains(&name.as_str());
        for (value, mut variant) in variants {
            let tagged = &mut variant["properties"][&tag];
            if tagged["description"].is_null() {
                tagged["description"] = format!("Tells one `{name}` from another.").into();
            }
            if is_closed {
                variant["additionalProperties"] = false.into();
            }
            schemas.insert(named(&value), variant);
        }
    }
}

/// Drops components that were copied in, if nothing else refers to them.
fn drop_unused_choices(document: &mut Value, names: &[String]) {
    let mut referred_to = BTreeSet::new();
    collect(document, &mut referred_to);
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        let is_choice = |schema: &Value| schema["oneOf"].is_array();
        let unused =
            |name: &&String| !referred_to.contains(*name) && schemas.get(*name).is_some_and(is_choice);
        let unused: Vec<&String> = names.iter().filter(unused).collect();
        for name in unused {
            schemas.remove(name);
        }
    }
}

/// Tagged types in requests that accept unknown fields. All others refuse them, and say so.
const OPEN: [&str; 1] = ["Consolation"];

/// The names of all components that a value refers to.
pub fn collect(value: &Value, names: &mut impl Extend<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, names)),
        Value::Object(fields) => {
            let to = fields.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix(SCHEMAS));
            names.extend(to.map(str::to_owned));
            fields.values().for_each(|field| collect(field, names));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Every operation of the document.
pub fn operations(document: &Value) -> impl Iterator<Item = &Value> {
    let paths = document["paths"].as_object().into_iter().flat_map(Map::values);
    paths.filter_map(Value::as_object).flat_map(Map::values)
}

/// The names of all components that requests are made of.
pub fn asked_for(document: &Value) -> BTreeSet<String> {
    let mut named = Vec::new();
    for operation in operations(document) {
        collect(&operation["requestBody"], &mut named);
        collect(&operation["parameters"], &mut named);
    }
    reached_from(named, document)
}

/// These components, and all that they are made of.
pub fn reached_from(mut to_visit: Vec<String>, document: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    while let Some(name) = to_visit.pop() {
        if !found.contains(&name) {
            collect(&document["components"]["schemas"][&name], &mut to_visit);
            found.insert(name);
        }
    }
    found
}

/// The component that a reference points to.
pub fn referred<'s>(schema: &Value, schemas: &'s Schemas) -> Option<&'s Value> {
    schemas.get(schema["$ref"].as_str()?.strip_prefix(SCHEMAS)?)
}

fn reference(name: &str) -> Value {
    format!("{SCHEMAS}{name}").into()
}

/// Turns `draw_last_chance` into a part of a name: `DrawLastChance`.
fn pascal(tag: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map(|first| first.to_uppercase().chain(letters).collect::<String>())
            .unwrap_or_default()
    };
    tag.split('_').map(capital).collect()
}

/// The field that tells a type's variants apart, and each variant by its value there; `None` for other types.
fn variants(schema: &Value, schemas: &Schemas) -> Option<(String, Vec<(String, Value)>)> {
    let all: Vec<Value> =
        schema["oneOf"].as_array()?.iter().map(|variant| put_together(variant, schemas)).collect();
    let tags = |variant: &Value| {
        let fields = variant["properties"].as_object().into_iter().flatten();
        let tags = fields.filter_map(|(field, schema)| Some((field.clone(), only_value(schema)?)));
        tags.collect::<Vec<_>>()
    };
    let (tag, _) = tags(all.first()?)
        .into_iter()
        .find(|(field, _)| all.iter().all(|variant| tags(variant).iter().any(|(other, _)| other == field)))?;
    let valued = all.into_iter().filter_map(|variant| {
        let value = only_value(&variant["properties"][&tag])?;
        Some((value, variant))
    });
    Some((tag.clone(), valued.collect()))
}

/// The value of a field that has only one.
fn only_value(schema: &Value) -> Option<String> {
    match schema["enum"].as_array()?.as_slice() {
        [only] => only.as_str().map(str::to_owned),
        _ => None,
    }
}

/// Merges a schema with those that it includes into one object; others stay as they are. Where it includes a
/// choice between objects, each choice is merged with the rest, so that each has a class and an address of
/// its own.
fn put_together(schema: &Value, schemas: &Schemas) -> Value {
    let Some(parts) = schema["allOf"].as_array() else { return schema.clone() };
    let choice = parts.iter().position(|part| referred(part, schemas).unwrap_or(part)["oneOf"].is_array());
    if let Some(choice) = choice {
        return distributed(schema, parts, choice, schemas);
    }
    let whole = parts.iter().map(|part| put_together(referred(part, schemas).unwrap_or(part), schemas));
    let whole: Vec<Value> = whole.collect();
    if !whole.iter().all(|part| part["type"] == "object" && part["properties"].is_object()) {
        return schema.clone();
    }
    let fields: Map<String, Value> =
        whole.iter().filter_map(|part| part["properties"].as_object().cloned()).flatten().collect();
    let required: Vec<Value> =
        whole.iter().filter_map(|part| part["required"].as_array()).flatten().cloned().collect();
    let mut together = json!({ "type": "object", "properties": fields });
    if !required.is_empty() {
        together["required"] = required.into();
    }
    let mut said = parts.iter().rev().filter_map(|part| part["description"].as_str());
    if let Some(description) = schema["description"].as_str().or_else(|| said.next()) {
        together["description"] = description.into();
    }
    if whole.iter().any(|part| part["additionalProperties"] == false) {
        together["additionalProperties"] = false.into();
    }
    together
}

/// Distributes the choice at position `at` over the other parts: a choice between merged objects.
fn distributed(schema: &Value, parts: &[Value], at: usize, schemas: &Schemas) -> Value {
    let Some(part) = parts.get(at) else { return schema.clone() };
    let choices = referred(part, schemas).unwrap_or(part)["oneOf"].as_array().into_iter().flatten();
    let choices = choices.map(|choice| {
        let rest = parts.iter().enumerate().filter(|(place, _)| *place != at).map(|(_, rest)| rest);
        // What a choice says about itself takes precedence over what the rest says about the whole.
        json!({ "allOf": rest.chain([choice]).collect::<Vec<_>>() })
    });
    let mut whole = json!({ "oneOf": choices.collect::<Vec<_>>() });
    if schema["description"].is_string() {
        whole["description"] = schema["description"].clone();
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Value {
        json!({ "components": { "schemas": {
            "Command": { "description": "A command.", "oneOf": [
                { "type": "object", "description": "Doubles.", "required": ["player", "command"], "properties": {
                    "player": { "type": "string" }, "command": { "type": "string", "enum": ["double_it"] } } },
                { "allOf": [
                    { "$ref": "#/components/schemas/Game", "description": "A game is over." },
                    { "type": "object", "required": ["command"], "properties": {
                        "command": { "type": "string", "enum": ["game"] } } } ] } ] },
            "Game": { "type": "object", "additionalProperties": false, "required": ["winner"], "properties": {
                "winner": { "type": "string" } } },
            "Line": { "allOf": [
                { "$ref": "#/components/schemas/Kind" },
                { "type": "object", "required": ["score"], "properties": { "score": { "type": "integer" } } } ] },
            "Kind": { "oneOf": [
                { "type": "object", "required": ["line"], "properties": {
                    "line": { "type": "string", "enum": ["game"] } } },
                { "type": "object", "required": ["line", "points"], "properties": {
                    "line": { "type": "string", "enum": ["penalty"] }, "points": { "type": "integer" } } } ] },
            "Told": { "type": "object", "properties": {
                "nullable": { "$ref": "#/components/schemas/Nullable" },
                "line": { "$ref": "#/components/schemas/Line" },
                "command": { "$ref": "#/components/schemas/Command" } } },
            "Nullable": { "oneOf": [{ "type": "null" }, { "$ref": "#/components/schemas/Game" }] }
        } } })
    }

    #[test]
    fn every_variant_is_a_component_and_the_type_says_how_to_tell_them_apart() {
        let mut document = document();
        split(&mut document);
        let schemas = &document["components"]["schemas"];
        assert_eq!(
            schemas["Command"],
            json!({
                "description": "A command.",
                "oneOf": [
                    { "$ref": "#/components/schemas/CommandDoubleIt" },
                    { "$ref": "#/components/schemas/CommandGame" }
                ],
                "discriminator": { "propertyName": "command", "mapping": {
                    "double_it": "#/components/schemas/CommandDoubleIt",
                    "game": "#/components/schemas/CommandGame"
                } }
            })
        );
        assert_eq!(schemas["CommandDoubleIt"]["description"], "Doubles.");
        assert_eq!(schemas["Nullable"], super::tests::document()["components"]["schemas"]["Nullable"]);
    }

    #[test]
    fn what_an_object_takes_over_it_has_itself() {
        let mut document = document();
        split(&mut document);
        assert_eq!(
            document["components"]["schemas"]["CommandGame"],
            json!({
                "type": "object",
                "description": "A game is over.",
                "additionalProperties": false,
                "required": ["winner", "command"],
                "properties": {
                    "winner": { "type": "string" },
                    "command": { "type": "string", "enum": ["game"], "description": "Tells one `Command` from another." }
                }
            })
        );
    }
    #[test]
    fn what_takes_over_a_choice_is_a_choice_and_what_nothing_refers_to_is_gone() {
        let mut document = document();
        split(&mut document);
        let schemas = &document["components"]["schemas"];
        assert_eq!(schemas["Kind"], Value::Null);
        assert_eq!(schemas["Line"]["discriminator"]["propertyName"], "line");
        assert_eq!(schemas["LineGame"]["required"], json!(["score", "line"]));
        assert_eq!(schemas["LinePenalty"]["properties"]["points"]["type"], "integer");
    }
}
