//! What a page writes is read as what it was, and whatever else is sent is refused.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::{Fields, Malformed, read};

impl Fields {
    /// The command that a form with only these fields gives, or the part of one that it has.
    pub(crate) fn command<T: DeserializeOwned>(&self) -> T {
        let fields = self.iter().map(|field| (field.name.as_str(), field.value.as_str()));
        serde_json::from_value(Value::Object(read(fields).unwrap())).unwrap()
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![".{0,12}", Just(" 12 ".to_owned()), Just("true".to_owned())];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0..70_000_u64).prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 6, |inner| {
        let parts = btree_map("[a-z_]{1,8}", inner.clone(), 0..6);
        prop_oneof![
            vec(inner, 0..6).prop_map(Value::from),
            vec(0..70_000_u64, 0..6).prop_map(Value::from),
            parts.prop_map(|parts| Value::Object(parts.into_iter().collect())),
        ]
    })
}

/// The same without what is nothing, which a command may as well leave out.
fn without_nothing(value: Value) -> Value {
    match value {
        Value::Object(parts) => {
            let parts = parts.into_iter().filter(|(_, part)| !part.is_null());
            parts.map(|(name, part)| (name, without_nothing(part))).collect()
        }
        Value::Array(items) => items.into_iter().map(without_nothing).collect(),
        other => other,
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read(parts in btree_map("[a-z_]{1,8}", any_value(), 0..6)) {
        prop_assume!(!parts.contains_key("choice"));
        let command = Value::Object(parts.into_iter().collect::<Map<_, _>>());
        let fields = Fields::of(&command);
        prop_assert_eq!(fields.command::<Value>(), without_nothing(command.clone()));
        // As the value of a choice they are the same fields, and as a part of something they stay themselves.
        let choice = fields.choice();
        prop_assert_eq!(Value::Object(read([("choice", choice.as_str())]).unwrap()), without_nothing(command.clone()));
        let within: Value = fields.within("now").command();
        let expected = without_nothing(command);
        prop_assert_eq!(within.get("now").cloned().unwrap_or_else(|| json!({})), expected);
    }

    #[test]
    fn whatever_is_sent_is_read_or_refused(fields in vec(("[a-c:\\[\\]0-9 ]{0,12}", "[0-9a-c,&=% ]{0,8}"), 0..8)) {
        // It must not panic, and a list never has a gap.
        let read = read(fields.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        prop_assert!(read.is_err() || !Value::from(read.unwrap_or_default()).to_string().contains("null"));
    }
}

/// What fields are read as, written with a semicolon between them.
fn sent(fields: &str) -> Result<Value, &'static str> {
    let pairs = fields.split(';').filter(|field| !field.is_empty());
    let pairs = pairs.map(|field| field.split_once('=').unwrap_or((field, "")));
    read(pairs).map(Value::from).map_err(|Malformed(why)| why)
}

#[test]
fn an_input_replaces_what_the_hidden_fields_before_it_offer() {
    for (fields, expected) in [
        ("command=penalty;points:number=1;points:number=3", json!({"command": "penalty", "points": 3})),
        ("points:number=1;points:number=", json!({"points": 1})),
        ("table:number=", json!({})),
        ("reason=;reason= came late ", json!({"reason": "came late"})),
        ("text:string=  1) 63: ", json!({"text": "  1) 63: "})),
        ("only:flag=false;only:flag=true", json!({"only": true})),
        ("score:numbers=5,0;score[0]:number=2;score[1]:number=5", json!({"score": [2, 5]})),
        ("against:list=", json!({"against": []})),
        ("against:list=;against[]=a;against[]=b", json!({"against": ["a", "b"]})),
        ("pools:numbers=;pools[]:number=2", json!({"pools": [2]})),
        ("keep[7][entry]:number=4;keep[2][entry]:number=1", json!({"keep": [{"entry": 1}, {"entry": 4}]})),
        ("points:number=many", json!({"points": "many"})),
        // What was tapped decides, wherever its button stands.
        ("choice=winner=lower&how=dropped;how=resigned", json!({"winner": "lower", "how": "dropped"})),
        ("choice=;began=upper", json!({"began": "upper"})),
    ] {
        assert_eq!(sent(fields), Ok(expected), "{fields}");
    }
}

#[test]
fn what_no_page_writes_is_refused() {
    let contradict = "two fields contradict one another";
    let name = "a field has a name that no page writes";
    let value = "a field has a value that no page sends";
    let deep = format!("a{}=1", "[b]".repeat(8));
    let long = format!("{}=1", "a".repeat(201));
    let many = "a[]=1;".repeat(20_001);
    for (fields, why) in [
        ("table=12;table:number=12", contradict),
        ("clock[delay]=12;clock=none", contradict),
        ("score[]=1;score[upper]=1", contradict),
        ("against:list=;against:object=", contradict),
        ("a[65536]=1", contradict),
        ("a[99999999999999999999]=1", name),
        ("a[][b]=1", name),
        ("a[b=1", name),
        ("a]b=1", name),
        ("a[b]c=1", name),
        ("=1", name),
        ("[a]=1", name),
        ("a:json={}", name),
        ("a b=1", name),
        (deep.as_str(), name),
        (long.as_str(), name),
        ("only:flag=yes", value),
        ("entries:numbers=1,x", value),
        ("entries:numbers=-1", value),
        ("against:list=a", value),
        ("choice=a%ff", "that is no choice"),
        (many.as_str(), "these are too many fields"),
    ] {
        assert_eq!(sent(fields), Err(why), "{}", &fields[..fields.len().min(40)]);
    }
}

#[test]
fn every_command_that_the_document_of_the_api_shows_can_be_a_form() {
    let document: Value =
        serde_json::from_str(include_str!("../../../../api/src/docs/openapi.json")).unwrap();
    let mut tried = 0;
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let streams = ["ChouetteCommand", "SheetCommand", "TournamentCommand"];
        if !streams.iter().any(|stream| name.starts_with(stream) && name != stream) {
            continue;
        }
        let example = &schema["example"];
        let read: Value = Fields::of(example).command();
        assert_eq!(Fields::of(&read), Fields::of(example), "{name}: {read}");
        tried += 1;
    }
    assert!(tried > 100, "only {tried} commands were tried");
}
