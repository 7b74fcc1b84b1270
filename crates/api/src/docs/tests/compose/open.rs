//! What answers may gain without a new version of the API, as the document says it.
//!
//! In an answer, wherever one of several values is expected any other of its kind, string or number, may come
//! one day, and an object may have fields that are not listed. A client that is generated from the document
//! takes both. Unions of objects stay tagged: a client skips those whose tag it does not know. Requests stay
//! strict; what both requests and answers are made of is described twice, the second time as `...Output`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::tagged::{SCHEMAS, Schemas, asked_for, collect, operations, reached_from};
use crate::docs::operations_mut;

/// Opens everything that answers are made of.
pub fn answers(document: &mut Value) {
    name_codes(document);
    let (asked, answered) = (asked_for(document), answered(document));
    let Some(schemas) = document["components"]["schemas"].as_object() else { return };
    let listed =
        |name: &String| Some((name.clone(), any_like(schemas.get(name).filter(|schema| is_enum(schema))?)));
    let enums = answered.iter().filter_map(listed).collect();
    let closed = closed(schemas, &answered);
    let twice = closed.intersection(&asked).filter(|name| !is_enum(&schemas[*name]));
    let renamed = twice.map(|name| (reference(name), reference(&format!("{name}Output")))).collect();
    let opening = Opening { enums, renamed };
    let opened: Vec<(String, Value)> = closed
        .iter()
        .filter(|name| !is_enum(&schemas[*name]))
        .map(|name| {
            let to = opening.renamed.get(&reference(name)).cloned().unwrap_or_else(|| reference(name));
            (to.trim_start_matches(SCHEMAS).to_owned(), opening.open(&schemas[name]))
        })
        .collect();
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        schemas.extend(opened);
    }
    for operation in operations_mut(document) {
        operation["responses"] = opening.open(&operation["responses"]);
    }
}

/// Makes the codes of problems a component, so that generated clients have one name for them.
fn name_codes(document: &mut Value) {
    let Some(code) = document.pointer_mut("/components/schemas/Problem/properties/code") else { return };
    let mut codes = code.take();
    *code = json!({ "$ref": reference("ProblemCode"), "description": codes["description"], "example": codes["example"] });
    codes["description"] = "The codes of problems.".into();
    document["components"]["schemas"]["ProblemCode"] = codes;
}

/// The names of all components that answers are made of.
fn answered(document: &Value) -> BTreeSet<String> {
    let mut named = Vec::new();
    for operation in operations(document) {
        collect(&operation["responses"], &mut named);
    }
    reached_from(named, document)
}

/// Those of them that hold something closed, themselves or in what they refer to.
fn closed(schemas: &Schemas, answered: &BTreeSet<String>) -> BTreeSet<String> {
    let mut found: BTreeSet<String> =
        answered.iter().filter(|name| schemas.get(*name).is_some_and(holds_closed)).cloned().collect();
    loop {
        let refers = |name: &&String| {
            let mut to = Vec::new();
            schemas.get(*name).into_iter().for_each(|schema| collect(schema, &mut to));
            to.iter().any(|name| found.contains(name))
        };
        let more: Vec<String> =
            answered.iter().filter(|name| !found.contains(*name)).filter(refers).cloned().collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

fn holds_closed(schema: &Value) -> bool {
    match schema {
        Value::Array(items) => items.iter().any(holds_closed),
        Value::Object(fields) => {
            is_enum(schema)
                || fields.get("additionalProperties").is_some_and(|more| more == false)
                || fields.values().any(holds_closed)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Whether it lists the texts or the numbers that a value can be. A tag is a constant instead.
fn is_enum(schema: &Value) -> bool {
    (schema["type"] == "string" || schema["type"] == "integer") && schema["enum"].is_array()
}

fn reference(name: &str) -> String {
    format!("{SCHEMAS}{name}")
}

/// What may come one day beside what is listed there.
fn any_like(listed: &Value) -> Value {
    json!({ "type": listed["type"] })
}

struct Opening {
    /// Components that list values, and what answers take beside them. They stay, as the values that are
    /// known.
    enums: BTreeMap<String, Value>,
    /// References to components that requests are made of, and to what answers have in place of them.
    renamed: BTreeMap<String, String>,
}

impl Opening {
    fn open(&self, schema: &Value) -> Value {
        match schema {
            Value::Array(items) => items.iter().map(|item| self.open(item)).collect(),
            Value::Object(fields) => match self.beside(schema) {
                Some(any) => {
                    let about = fields.iter().filter(|(keyword, _)| ABOUT.contains(&keyword.as_str()));
                    let known = fields.iter().filter(|(keyword, _)| !ABOUT.contains(&keyword.as_str()));
                    let mut opened: Map<String, Value> = about.map(owned).collect();
                    let known: Map<String, Value> = known.map(owned).collect();
                    opened.insert("anyOf".to_owned(), json!([known, any]));
                    opened.into()
                }
                None => {
                    let kept = fields
                        .iter()
                        .filter(|(keyword, value)| *keyword != "additionalProperties" || **value != false);
                    kept.map(|(keyword, value)| self.open_keyword(keyword, value))
                        .collect::<Map<_, _>>()
                        .into()
                }
            },
            Value::String(to) => self.renamed.get(to).unwrap_or(to).clone().into(),
            Value::Null | Value::Bool(_) | Value::Number(_) => schema.clone(),
        }
    }

    fn open_keyword(&self, keyword: &str, value: &Value) -> (String, Value) {
        match (keyword, value.as_array()) {
            ("example" | "default" | "enum" | "const" | "required" | "description", _) => {
                (keyword.to_owned(), value.clone())
            }
            ("oneOf", Some(choices)) if choices.iter().any(|choice| self.beside(choice).is_some()) => {
                let any: BTreeMap<String, Value> = choices
                    .iter()
                    .filter_map(|choice| self.beside(choice))
                    .map(|any| (any.to_string(), any))
                    .collect();
                let (null, choices): (Vec<&Value>, Vec<&Value>) =
                    choices.iter().partition(|choice| choice["type"] == "null");
                let known = choices.into_iter().map(|choice| match self.beside(choice) {
                    Some(_) => choice.clone(),
                    None => self.open(choice),
                });
                let all = known.chain(any.into_values()).chain(null.into_iter().cloned());
                ("anyOf".to_owned(), all.collect())
            }
            _ => (keyword.to_owned(), self.open(value)),
        }
    }

    /// What is taken beside what a schema lists, itself or in what it refers to; `None` if it lists nothing.
    fn beside(&self, schema: &Value) -> Option<Value> {
        let named = schema["$ref"].as_str().and_then(|to| to.strip_prefix(SCHEMAS));
        if is_enum(schema) { Some(any_like(schema)) } else { self.enums.get(named?).cloned() }
    }
}

/// What is said about a value as a whole.
const ABOUT: [&str; 2] = ["description", "example"];

fn owned((keyword, value): (&String, &Value)) -> (String, Value) {
    (keyword.clone(), value.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::docs::tests::compose::document;
    use owlbox_http::config::Config;

    fn sample() -> Value {
        let body = |name: &str| json!({ "content": { "application/json": { "schema": { "$ref": reference(name) } } } });
        json!({
            "paths": { "/a": { "post": {
                "requestBody": body("Stake"),
                "responses": { "200": body("Answer"), "default": body("Problem") }
            } } },
            "components": { "schemas": {
                "Stake": { "type": "object", "additionalProperties": false, "properties": {
                    "kind": { "$ref": "#/components/schemas/Kind", "description": "Which." } } },
                "Kind": { "type": "string", "enum": ["points", "money"] },
                "Die": { "type": "integer", "minimum": 1, "enum": [1, 2, 3] },
                "Answer": { "type": "object", "additionalProperties": false, "properties": {
                    "stake": { "$ref": "#/components/schemas/Stake" },
                    "die": { "$ref": "#/components/schemas/Die", "enum": [1, 2] },
                    "kind": { "oneOf": [{ "$ref": "#/components/schemas/Kind" }, { "type": "null" }] },
                    "event": { "$ref": "#/components/schemas/Event" } } },
                "Event": {
                    "oneOf": [{ "$ref": "#/components/schemas/EventJoined" }],
                    "discriminator": { "propertyName": "event",
                        "mapping": { "joined": "#/components/schemas/EventJoined" } } },
                "EventJoined": { "type": "object", "properties": {
                    "event": { "type": "string", "const": "joined" },
                    "seat": { "oneOf": [{ "type": "string", "enum": ["box"] }, { "type": "object" }] } } },
                "Problem": { "type": "object", "properties": {
                    "code": { "type": "string", "enum": ["busy", "no_game"], "description": "The code." } } }
            } }
        })
    }

    #[test]
    fn answers_take_any_text_any_number_and_any_field_and_requests_stay_strict() {
        let mut document = sample();
        answers(&mut document);
        let schemas = &document["components"]["schemas"];
        let before = sample();
        for strict in ["Stake", "Kind", "Die"] {
            assert_eq!(schemas[strict], before["components"]["schemas"][strict], "{strict}");
        }
        let kind = json!({ "$ref": "#/components/schemas/Kind" });
        assert_eq!(
            schemas["StakeOutput"],
            json!({ "type": "object", "properties": {
                "kind": { "description": "Which.", "anyOf": [kind, { "type": "string" }] } } })
        );
        let answer = &schemas["Answer"];
        assert_eq!(answer["additionalProperties"], Value::Null);
        assert_eq!(answer["properties"]["stake"]["$ref"], "#/components/schemas/StakeOutput");
        let die = json!({ "$ref": "#/components/schemas/Die", "enum": [1, 2] });
        assert_eq!(answer["properties"]["die"], json!({ "anyOf": [die, { "type": "integer" }] }));
        let nullable = json!({ "anyOf": [kind, { "type": "string" }, { "type": "null" }] });
        assert_eq!(answer["properties"]["kind"], nullable);
        assert_eq!(schemas["Event"], before["components"]["schemas"]["Event"], "unions stay tagged");
        assert_eq!(schemas["EventJoined"]["properties"]["event"]["const"], "joined");
        let seat = json!({ "anyOf": [{ "type": "string", "enum": ["box"] }, { "type": "object" }, { "type": "string" }] });
        assert_eq!(schemas["EventJoined"]["properties"]["seat"], seat);
        let code = json!([{ "$ref": "#/components/schemas/ProblemCode" }, { "type": "string" }]);
        assert_eq!(schemas["Problem"]["properties"]["code"]["anyOf"], code);
        assert_eq!(schemas["ProblemCode"]["enum"], json!(["busy", "no_game"]));
        let request = &document["paths"]["/a"]["post"]["requestBody"];
        assert_eq!(*request, before["paths"]["/a"]["post"]["requestBody"]);
    }

    /// Whether one of these takes any text or any number.
    fn takes_any(choices: &[Value]) -> bool {
        [json!({ "type": "string" }), json!({ "type": "integer" })].iter().any(|any| choices.contains(any))
    }

    /// The values that are listed with nothing beside them, and the objects that refuse fields, in what is
    /// reached from here.
    fn closed_in(schema: &Value, beside_any: bool, found: &mut Vec<String>) {
        match schema {
            Value::Array(items) => items.iter().for_each(|item| closed_in(item, beside_any, found)),
            Value::Object(fields) => {
                if !beside_any && is_enum(schema) || fields.get("additionalProperties") == Some(&false.into())
                {
                    found.push(schema.to_string());
                }
                for (keyword, value) in fields.iter().filter(|(keyword, _)| *keyword != "example") {
                    let open = keyword == "anyOf" && value.as_array().is_some_and(|all| takes_any(all));
                    closed_in(value, open, found);
                }
            }
            _ => {}
        }
    }

    #[test]
    fn nothing_in_any_answer_is_closed_and_no_request_is_open() {
        let document = document(&Config::from_layers(None, []).unwrap().limits).unwrap();
        let schemas = document["components"]["schemas"].as_object().unwrap();
        let answered = answered(&document);
        assert!(answered.len() > 500, "{}", answered.len());
        // An enumeration is a component of its own: wherever it is referred to, any string or number stands
        // beside it.
        let is_open = |schema: &Value, open: bool| {
            let mut to = BTreeSet::new();
            collect(schema, &mut to);
            to.iter().all(|name| !is_enum(&schemas[name]) || open)
        };
        fn each<'a>(schema: &'a Value, open: bool, visit: &mut dyn FnMut(&'a Value, bool)) {
            if schema.get("$ref").is_some() {
                visit(schema, open);
            }
            match schema {
                Value::Array(items) => items.iter().for_each(|item| each(item, open, visit)),
                Value::Object(fields) => {
                    for (keyword, value) in fields {
                        let open = keyword == "anyOf" && value.as_array().is_some_and(|all| takes_any(all));
                        each(value, open, visit);
                    }
                }
                _ => {}
            }
        }
        for name in &answered {
            if is_enum(&schemas[name]) {
                continue;
            }
            let mut found = Vec::new();
            closed_in(&schemas[name], false, &mut found);
            assert_eq!(found, [""; 0], "{name}");
            each(&schemas[name], false, &mut |schema, open| {
                assert!(is_open(schema, open), "{name}: {schema}")
            });
        }
        for name in asked_for(&document) {
            assert!(!schemas[&name].to_string().contains("\"anyOf\""), "{name}");
            assert!(!name.ends_with("Output"), "{name}");
        }
    }
}
