//! The layers of the configuration - built-in file, the user's file, environment - and how one key is read
//! from them. Mistakes are collected, so that one start reports all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use toml::{Table, Value};

/// The prefix of environment variables that set something.
const PREFIX: &str = "OWLBOX_";

/// Everything wrong with the configuration, one line each.
#[derive(Debug, PartialEq, Eq)]
pub struct Mistakes(pub Vec<String>);

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the configuration cannot be used:")?;
        self.0.iter().try_for_each(|mistake| write!(f, "\n  {mistake}"))
    }
}
impl std::error::Error for Mistakes {}

/// A value as it was written: typed in a file, text in the environment.
pub(super) enum WrittenValue<'a> {
    Typed(&'a Value),
    Text(&'a str),
}

impl WrittenValue<'_> {
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Typed(value) => value.as_str(),
            Self::Text(text) => Some(text),
        }
    }

    pub(super) fn whole(&self) -> Option<i64> {
        match self {
            Self::Typed(value) => value.as_integer(),
            Self::Text(text) => text.trim().parse().ok(),
        }
    }

    /// The entries of a list of texts, which are comma-separated in the environment.
    pub(super) fn list(&self) -> Option<Vec<&str>> {
        match self {
            Self::Typed(value) => value.as_array()?.iter().map(Value::as_str).collect(),
            Self::Text(text) => Some(entries(text).collect()),
        }
    }
}

/// The entries of a comma-separated list.
pub(super) fn entries(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|entry| !entry.is_empty())
}

/// The origin of a layer, which mistakes name.
enum Source {
    File(String),
    Environment,
}

struct Layer {
    source: Source,
    values: BTreeMap<String, Value>,
}

impl Layer {
    /// A key as this layer spells it.
    fn spelling(&self, key: &str) -> String {
        match &self.source {
            Source::File(name) => format!("{key} (in {name})"),
            Source::Environment => variable(key),
        }
    }

    fn written<'a>(&self, value: &'a Value) -> WrittenValue<'a> {
        match (&self.source, value) {
            (Source::Environment, Value::String(text)) => WrittenValue::Text(text),
            _ => WrittenValue::Typed(value),
        }
    }
}

fn variable(key: &str) -> String {
    format!("{PREFIX}{}", key.replace('.', "__").to_uppercase())
}

/// All layers, weakest first, and the mistakes found so far.
pub(super) struct Layers {
    layers: Vec<Layer>,
    known: BTreeSet<&'static str>,
    mistakes: Vec<String>,
}

impl Layers {
    /// The built-in layer. It is part of the program, so its values are not reported as mistakes.
    #[expect(clippy::expect_used, reason = "the text is part of the program, and a test reads it")]
    pub(super) fn built_in(text: &str) -> Self {
        let table = text.parse::<Table>().expect("the built-in configuration is TOML");
        let values = flat(&table);
        let layer = Layer { source: Source::File("the built-in configuration".to_owned()), values };
        Self { layers: vec![layer], known: BTreeSet::new(), mistakes: Vec::new() }
    }

    /// Adds a file on top.
    pub(super) fn add_file(&mut self, file: &Path) {
        let name = file.display().to_string();
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) => return self.mistakes.push(format!("{name} cannot be read: {error}")),
        };
        match text.parse::<Table>() {
            Ok(table) => self.layers.push(Layer { source: Source::File(name), values: flat(&table) }),
            Err(error) => {
                // The library's own message quotes the line, which may hold a secret.
                let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
                let line = before.matches('\n').count() + 1;
                self.mistakes.push(format!("{name}, line {line}: {}", error.message().replace('\n', "; ")));
            }
        }
    }

    /// Adds the environment on top.
    ///
    /// Only names with `__` are settings: container platforms define `OWLBOX_PORT` and the like for a service
    /// of this name.
    pub(super) fn add_environment(&mut self, variables: impl IntoIterator<Item = (String, String)>) {
        let mut values = BTreeMap::new();
        for (name, text) in variables {
            let Some(key) = name.strip_prefix(PREFIX) else { continue };
            let key = key.to_lowercase();
            let meant = self.keys().find(|known| known.replace('.', "_") == key).map(variable);
            if key.contains("__") {
                values.insert(key.replace("__", "."), Value::String(text));
            } else if let Some(meant) = meant {
                self.mistakes.push(format!("{name} is not known; {meant} is meant"));
            }
        }
        self.layers.push(Layer { source: Source::Environment, values });
    }

    /// Every known key: those of the built-in layer.
    fn keys(&self) -> impl Iterator<Item = &str> {
        self.layers.first().into_iter().flat_map(|layer| layer.values.keys()).map(String::as_str)
    }

    /// The strongest layer's value of `key`. If `read` refuses it, that is a mistake that names the value and
    /// what is `allowed`.
    pub(super) fn value<T>(
        &mut self,
        key: &'static str,
        allowed: &str,
        read: impl Fn(&WrittenValue<'_>) -> Option<T>,
    ) -> T {
        self.read(key, allowed, read, |value| format!("{value} is not allowed"))
    }

    /// Like [`value`](Self::value), for values that must never be shown.
    pub(super) fn secret<T>(
        &mut self,
        key: &'static str,
        allowed: &str,
        read: impl Fn(&WrittenValue<'_>) -> Option<T>,
    ) -> T {
        self.read(key, allowed, read, |_| "what was given (not shown) is not allowed".to_owned())
    }

    #[expect(clippy::expect_used, reason = "a test reads every key from the built-in layer")]
    fn read<T>(
        &mut self,
        key: &'static str,
        allowed: &str,
        read: impl Fn(&WrittenValue<'_>) -> Option<T>,
        shown: impl Fn(&Value) -> String,
    ) -> T {
        self.known.insert(key);
        let mut found = None;
        for layer in &self.layers {
            let Some(value) = layer.values.get(key) else { continue };
            match read(&layer.written(value)) {
                Some(read) => found = Some(read),
                None => {
                    let spelling = layer.spelling(key);
                    self.mistakes.push(format!("{spelling}: {}; allowed: {allowed}", shown(value)));
                }
            }
        }
        found.expect("the built-in configuration holds a right value for every key")
    }

    /// Every setting with its value, as a file that sets all of them. A line says where its value is from,
    /// unless it is the built-in one. A value that nobody may see is a comment with what `hidden` gives for
    /// it.
    pub(super) fn written_out(&self, hidden: impl Fn(&str) -> Option<String>) -> String {
        let Some((built_in, _)) = self.layers.split_first() else { return String::new() };
        let mut text = String::new();
        let mut section = "";
        for (key, usual) in &built_in.values {
            let strongest = self.layers.iter().rev().find_map(|layer| Some((layer, layer.values.get(key)?)));
            let Some((layer, value)) = strongest else { continue };
            let (of, name) = key.split_once('.').unwrap_or(("", key));
            if of != section {
                let line_break = if section.is_empty() { "" } else { "\n" };
                section = of;
                text.push_str(&format!("{line_break}[{section}]\n"));
            }
            let value = match hidden(key) {
                Some(hidden) => format!("# {name}: {hidden}"),
                None => format!("{name} = {}", as_typed(usual, &layer.written(value))),
            };
            let source = match &layer.source {
                _ if std::ptr::eq(layer, built_in) => String::new(),
                Source::File(name) => format!("  # {}", name.escape_debug()),
                Source::Environment => format!("  # {}", variable(key)),
            };
            text.push_str(&format!("{value}{source}\n"));
        }
        text
    }

    /// How many mistakes were found so far.
    pub(super) const fn mistakes(&self) -> usize {
        self.mistakes.len()
    }

    /// Adds a mistake that concerns several keys.
    pub(super) fn mistake(&mut self, text: impl Into<String>) {
        self.mistakes.push(text.into());
    }

    /// Call this once every key was read: keys that are left over are unknown.
    pub(super) fn finish(mut self) -> Result<Self, Mistakes> {
        for layer in &self.layers {
            for key in layer.values.keys().filter(|key| !self.known.contains(key.as_str())) {
                let section = key.split('.').next().unwrap_or_default();
                let mut near: Vec<&str> = self.known.iter().copied().collect();
                if near.iter().any(|known| known.starts_with(&format!("{section}."))) {
                    near.retain(|known| known.starts_with(&format!("{section}.")));
                }
                let spelling = layer.spelling(key);
                self.mistakes.push(format!("{spelling} is not known; known: {}", near.join(", ")));
            }
        }
        if self.mistakes.is_empty() { Ok(self) } else { Err(Mistakes(self.mistakes)) }
    }
}

/// A value of the same type as `usual`, as a file would have it.
fn as_typed(usual: &Value, written: &WrittenValue<'_>) -> Value {
    match (usual, written) {
        (Value::Integer(_), WrittenValue::Text(_)) => written.whole().map(Value::Integer),
        (Value::Array(_), WrittenValue::Text(text)) => {
            Some(Value::Array(entries(text).map(|entry| Value::String(entry.to_owned())).collect()))
        }
        (_, WrittenValue::Typed(value)) => Some((*value).clone()),
        (_, WrittenValue::Text(text)) => Some(Value::String((*text).to_owned())),
    }
    .unwrap_or_else(|| usual.clone())
}

/// The values of a file by full key (`http.listen`). Lists stay whole.
fn flat(table: &Table) -> BTreeMap<String, Value> {
    let mut values = BTreeMap::new();
    for (key, value) in table {
        if let Value::Table(section) = value {
            values.extend(flat(section).into_iter().map(|(inner, value)| (format!("{key}.{inner}"), value)));
        } else {
            values.insert(key.clone(), value.clone());
        }
    }
    values
}
