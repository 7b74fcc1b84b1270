//! What the document tells its readers: something about everything, and nothing that only the code's readers
//! can look up.

use serde_json::{Map, Value};

use super::compose::{self, citations::is_rule};
use owlbox_http::config::Config;

fn document() -> Value {
    compose::document(&Config::from_layers(None, []).unwrap().limits).unwrap()
}

/// Visits every object of a value that is no example, with its place.
fn each_object(value: &Value, at: &str, visit: &mut impl FnMut(&str, &Map<String, Value>)) {
    match value {
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(index, item)| each_object(item, &format!("{at}/{index}"), visit)),
        Value::Object(fields) => {
            visit(at, fields);
            for (name, field) in fields.iter().filter(|(name, _)| !name.starts_with("example")) {
                each_object(field, &format!("{at}/{name}"), visit);
            }
        }
        _ => {}
    }
}

/// Whether something is said of what has this schema: here, or of what it refers to.
fn is_described(schema: &Value, schemas: &Value) -> bool {
    let choices = ["oneOf", "anyOf", "allOf"].into_iter().filter_map(|keyword| schema[keyword].as_array());
    let component = schema["$ref"].as_str().and_then(|to| to.strip_prefix("#/components/schemas/"));
    schema["description"].is_string()
        || component.is_some_and(|name| schemas[name]["description"].is_string())
        || choices.flatten().any(|choice| is_described(choice, schemas))
}

#[test]
fn every_component_and_every_property_is_described() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    let components = schemas.as_object().unwrap().iter();
    let mut missing: Vec<String> = components
        .filter(|(_, schema)| !schema["description"].is_string())
        .map(|(name, _)| name.clone())
        .collect();
    let mut described = 0;
    each_object(&document, "", &mut |at, fields| {
        for (name, property) in fields.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if is_described(property, schemas) {
                described += 1;
            } else {
                missing.push(format!("{at}.{name}"));
            }
        }
    });
    assert_eq!(missing, [""; 0]);
    assert!(described > 2_000, "{described}");
}

/// Why a text is nothing for readers of the document.
fn leak(said: &str) -> Option<&'static str> {
    let spans = || said.split('`').skip(1).step_by(2);
    let is_code = |span: &str| {
        span == "None"
            || span.starts_with("Self")
            || span.starts_with(char::is_uppercase) && span.contains('(')
    };
    let is_file = |span: &str| [".md", ".rs"].iter().any(|ending| span.ends_with(ending));
    Some(match said {
        _ if said.trim().is_empty() => "it is empty",
        _ if said.contains("::") || spans().any(is_code) => "it names something of the code",
        _ if said.contains("[`") || said.contains("](") => "its link leads nowhere",
        _ if spans().any(is_file) => "it names a file of the project",
        _ if said.split(|letter: char| !letter.is_alphanumeric()).any(is_rule) => "it cites a rule",
        _ => return None,
    })
}

#[test]
fn nothing_is_said_that_only_readers_of_the_code_can_look_up() {
    let mut leaks = Vec::new();
    each_object(&document(), "", &mut |at, fields| {
        for said in ["description", "summary"].iter().filter_map(|keyword| fields.get(*keyword)?.as_str()) {
            leaks.extend(leak(said).map(|why| format!("{at}: {why}: {said}")));
        }
    });
    assert_eq!(leaks, [""; 0]);
}

#[test]
fn what_leaks_is_found() {
    for leaking in [
        " ",
        "`HalfPoints(3)` is a point and a half.",
        "See [`Stake`].",
        "As [it](says).",
        "The `base::Unit`.",
        "`None` without one.",
        "As in `rules.md`.",
        "The captain (Q8).",
    ] {
        assert!(leak(leaking).is_some(), "{leaking}");
    }
    for plain in
        ["The points (half points).", "`null` without one: Kazaross-XG2.", "`POST /api/v1/texts` (CSV)."]
    {
        assert_eq!(leak(plain), None, "{plain}");
    }
}
