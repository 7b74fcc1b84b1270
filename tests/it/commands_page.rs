//! `docs/commands.md`: every command of every stream with its fields, generated from the OpenAPI document.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;

use crate::support::databases::Db;
use crate::support::server::Server;

const BEGINNING: &str = "# Every command

This page is printed from the service's own OpenAPI document (`/api/v1/openapi.json`), and a test compares the
two. A command is one object. Each stream has an address that takes it. All but the daybook have `preview`
beside it, which says what a command would do. [The REST API](api.md) says what holds for all of them.

A field that is not *required* may be left out. Where the type says *or null*, `null` means the same; nothing
else takes `null`. A field that is not listed is refused. Points are half points, in matches whole points;
money is minor units. Words are in the [glossary](glossary.md).
";

/// The schemas of the streams' commands, each with its heading and its path.
const STREAMS: [(&str, &str, &str); 4] = [
    ("ChouetteCommand", "To a chouette", "/api/v1/chouettes/{id}/commands"),
    ("SheetCommand", "To a match or a money session", "/api/v1/matches/{id}/commands"),
    ("TournamentCommand", "To a tournament", "/api/v1/tournaments/{id}/commands"),
    ("DaybookCommand", "To the daybook", "/api/v1/daybook"),
];

/// Components that are described elsewhere.
const ELSEWHERE: [(&str, &str); 1] = [("HouseRules", "[house rules](house-rules.md)")];

/// The most values of an enumeration that are all listed.
const MOST_NAMED: usize = 16;

struct Page<'d> {
    schemas: &'d Value,
    text: String,
    /// The components referred to so far, which get a section at the end.
    parts: BTreeSet<&'d str>,
}

impl<'d> Page<'d> {
    fn from_document(document: &'d Value) -> String {
        let schemas = &document["components"]["schemas"];
        let mut page = Self { schemas, text: BEGINNING.to_owned(), parts: BTreeSet::new() };
        for (name, heading, path) in STREAMS {
            write!(page.text, "\n## {heading}\n\n`POST {path}`\n").unwrap();
            for (command, variant) in page.variants(&schemas[name]) {
                page.command(command, variant);
            }
        }
        page.text.push_str("\n## Parts\n");
        let mut told = BTreeSet::new();
        while let Some(part) = page.parts.iter().copied().find(|part| !told.contains(part)) {
            told.insert(part);
            page.part(part);
        }
        while page.text.contains("\n\n\n") {
            page.text = page.text.replace("\n\n\n", "\n\n");
        }
        page.text.truncate(page.text.trim_end().len());
        page.text.push('\n');
        page.text
    }

    fn referred(&self, schema: &'d Value) -> Option<(&'d str, &'d Value)> {
        let name = schema["$ref"].as_str()?.strip_prefix("#/components/schemas/")?;
        Some((name, &self.schemas[name]))
    }

    /// The variants of a tagged type, by their tags.
    fn variants(&self, schema: &'d Value) -> Vec<(&'d str, &'d Value)> {
        let tag = schema["discriminator"]["propertyName"].as_str().unwrap();
        let all = schema["oneOf"].as_array().unwrap().iter().map(|variant| self.referred(variant).unwrap().1);
        all.map(|variant| (variant["properties"][tag]["const"].as_str().unwrap(), variant)).collect()
    }

    fn command(&mut self, name: &str, variant: &'d Value) {
        let about = on_one_line(&variant["description"]);
        write!(self.text, "\n### `{name}`\n\n{about}\n\n").unwrap();
        self.fields(variant, "command");
        write!(self.text, "```json\n{}\n```\n", variant["example"]).unwrap();
    }

    fn part(&mut self, name: &str) {
        let schema = &self.schemas[name];
        write!(self.text, "\n### {name}\n\n{}\n\n", on_one_line(&schema["description"])).unwrap();
        if schema["discriminator"].is_object() {
            let tag = schema["discriminator"]["propertyName"].as_str().unwrap();
            for (value, variant) in self.variants(schema) {
                write!(self.text, "`\"{tag}\": \"{value}\"`: {}\n\n", on_one_line(&variant["description"]))
                    .unwrap();
                self.fields(variant, tag);
            }
        } else {
            self.fields(schema, "");
        }
    }

    /// One line for each field except the tag.
    fn fields(&mut self, object: &'d Value, tag: &str) {
        let required: Vec<&str> =
            object["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let fields = object["properties"].as_object().into_iter().flatten();
        let fields: Vec<_> = fields.filter(|(name, _)| *name != tag).collect();
        for (name, schema) in &fields {
            let needed = if required.contains(&name.as_str()) { ", required" } else { "" };
            let words = self.words(schema);
            let about = said_of(schema);
            writeln!(self.text, "* `{name}` ({words}{needed}): {about}").unwrap();
        }
        if !fields.is_empty() {
            self.text.push('\n');
        }
    }

    fn words(&mut self, schema: &'d Value) -> String {
        if let Some(values) = schema["enum"].as_array() {
            if let [first, second, .., last] = values.as_slice()
                && values.len() > MOST_NAMED
            {
                return format!("`{first}`, `{second}` ... `{last}`");
            }
            return values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", ");
        }
        if let Some(only) = schema.get("const") {
            return format!("`{only}`");
        }
        if let Some((name, to)) = self.referred(schema) {
            if let Some((_, link)) = ELSEWHERE.into_iter().find(|(known, _)| *known == name) {
                return link.to_owned();
            }
            if to["properties"].is_object() || to["discriminator"].is_object() {
                self.parts.insert(name);
                return format!("[{name}](#{})", name.to_lowercase());
            }
            return self.words_within(to, schema);
        }
        if let Some(choices) = schema["oneOf"].as_array() {
            let words: Vec<String> = choices.iter().map(|choice| self.words(choice)).collect();
            return words.join(" or ");
        }
        self.words_within(schema, schema)
    }

    /// The type in words, with the bounds that the field itself sets.
    fn words_within(&mut self, schema: &'d Value, field: &'d Value) -> String {
        if ["const", "enum", "oneOf", "$ref"].into_iter().any(|keyword| schema.get(keyword).is_some()) {
            return self.words(schema);
        }
        let bound = |keyword: &str| {
            let said = field.get(keyword).or_else(|| schema.get(keyword));
            said.filter(|bound| !is_of_the_type(bound))
        };
        let range = |least: &str, most: &str| match (bound(least), bound(most)) {
            (Some(least), Some(most)) if least == most => format!(" {}", grouped(least)),
            (Some(least), Some(most)) => format!(" {} to {}", grouped(least), grouped(most)),
            (Some(least), None) => format!(" from {}", grouped(least)),
            (None, Some(most)) => format!(" up to {}", grouped(most)),
            (None, None) => String::new(),
        };
        let types = schema["type"].as_array().map_or(std::slice::from_ref(&schema["type"]), Vec::as_slice);
        let words = types.iter().filter_map(Value::as_str).map(|name| match name {
            "integer" => format!("number{}", range("minimum", "maximum")),
            "array" => format!("list of{}: {}", range("minItems", "maxItems"), self.words(&schema["items"])),
            "string" => match schema["format"].as_str() {
                Some("uuid") => "id".to_owned(),
                Some(format) => format.to_owned(),
                None => match range("minLength", "maxLength").as_str() {
                    "" => "text".to_owned(),
                    range => format!("text of{range} characters"),
                },
            },
            "boolean" => "`true` or `false`".to_owned(),
            other => other.to_owned(),
        });
        words.collect::<Vec<_>>().join(" or ")
    }
}

/// The description of a field. For a nullable field it is found on the type beside `null`.
fn said_of(schema: &Value) -> String {
    let within = schema["oneOf"].as_array().into_iter().flatten();
    let said = std::iter::once(schema).chain(within).find(|said| said["description"].is_string());
    said.map(|said| on_one_line(&said["description"])).unwrap_or_default()
}

fn on_one_line(text: &Value) -> String {
    text.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a bound is only that of a computer's integer type.
fn is_of_the_type(bound: &Value) -> bool {
    let widest = [u64::from(u16::MAX), u32::MAX.into(), i64::MAX.unsigned_abs(), u64::MAX];
    bound.as_i64().is_some_and(|bound| bound == i64::MIN)
        || bound.as_u64().is_some_and(|bound| widest.contains(&bound))
}

/// A number with its thousands separated.
fn grouped(number: &Value) -> String {
    let text = number.to_string();
    let (sign, digits) = text.strip_prefix('-').map_or(("", text.as_str()), |digits| ("-", digits));
    let grouped = digits.chars().rev().enumerate().fold(String::new(), |mut grouped, (place, digit)| {
        if place > 0 && place % 3 == 0 {
            grouped.insert(0, ',');
        }
        grouped.insert(0, digit);
        grouped
    });
    format!("{sign}{grouped}")
}

/// The page matches the document. After a change, run this test again with `OWLBOX_BLESS=1` and look at the
/// result.
#[test]
fn the_page_of_commands_is_what_the_document_says() {
    let Some(database) = Db::Sqlite.fresh() else { return };
    let server = Server::start(&database);
    let document = server.public().get("/api/v1/openapi.json").good().body;
    let page = Page::from_document(&document);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/commands.md");
    if std::env::var_os("OWLBOX_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(path, &page).unwrap();
    }
    let printed = std::fs::read_to_string(path).unwrap();
    assert!(printed == page, "docs/commands.md is out of date: run this test again with OWLBOX_BLESS=1");
}
