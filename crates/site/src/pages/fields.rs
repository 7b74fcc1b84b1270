//! A command as the fields of a form.
//!
//! A form's fields are the command that it gives: `command=double`, `player=...`. A name says where in the
//! command its value belongs, and after a colon of what type it is:
//!
//! | name | value |
//! |---|---|
//! | `reason` | text, trimmed; left out if it is empty |
//! | `text:string` | text exactly as it is, also an empty one |
//! | `match:number` | a number; left out if it is empty |
//! | `here:flag` | `true` or `false`; left out if it is empty |
//! | `clock[delay]` | a part of an object |
//! | `against[]` | a further item of a list |
//! | `score[1]:number` | an item of a list by its place; places without a value close up |
//! | `entries:numbers` | the first items of a list of whole numbers, as `3,5,8`; an empty list if it is empty |
//! | `against:list`, `method:object` | an empty list or object, unless other fields fill it |
//! | `slots[]:null` | nothing, as an item of a list; elsewhere what is nothing is left out |
//! | `choice` | further fields, as in an address: what one option or button sets. They come after all others |
//!
//! Of several values of one name the last counts that is not empty. So an input after the hidden fields
//! replaces what these offer, and what it leaves empty stays as offered.
//!
//! A page writes its command with [`Fields`]; a handler [`read`]s it, and hands what it has read to the
//! `serde` that reads the API's commands. A value of the wrong type is refused there, and so is a command
//! that lacks something: the page is then shown with the form as it was sent
//! ([`RefusedForm`](crate::refused::RefusedForm)).

mod read;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use askama::Template;
use serde::Serialize;
use serde_json::{Map, Value};

use owlbox_locale::url;

pub use read::{Malformed, read};

/// A field of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    pub value: String,
}

/// The fields of a command, or of a part of one. In a template they are its hidden inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Template)]
#[template(path = "fields.html")]
pub struct Fields {
    fields: Vec<Field>,
}

/// Its template escapes what it writes.
impl askama::filters::HtmlSafe for Fields {}

impl Fields {
    /// The fields of a whole command, or of an object that is a part of one.
    #[must_use]
    pub fn of(object: &impl Serialize) -> Self {
        let mut fields = Self::default();
        if let Value::Object(object) = value(object) {
            fields.put_all(&object, |name| name.to_owned());
        }
        fields
    }

    /// The fields of a command that lacks what its form asks for. Sent without that it is refused, as the API
    /// refuses it.
    #[must_use]
    pub fn lacking(kind: impl Into<&'static str>) -> Self {
        let kind: &'static str = kind.into();
        Self::default().with("command", &kind)
    }

    /// The same with a further field.
    #[must_use]
    pub fn with(mut self, name: &str, part: &impl Serialize) -> Self {
        self.put(name, &value(part));
        self
    }

    /// The same fields as a part of something, as `clock[delay]` is of a command.
    #[must_use]
    pub fn within(self, part: &str) -> Self {
        let moved = |Field { name, value }| {
            let end = name.find(['[', ':']).unwrap_or(name.len());
            let (first, rest) = name.split_at(end);
            Field { name: format!("{part}[{first}]{rest}"), value }
        };
        Self { fields: self.fields.into_iter().map(moved).collect() }
    }

    /// The fields as the value of a `choice`.
    #[must_use]
    pub fn choice(&self) -> String {
        let field = |Field { name, value }: &Field| format!("{name}={}", url::encoded(value));
        self.fields.iter().map(field).collect::<Vec<_>>().join("&")
    }

    /// The fields in order.
    pub fn iter(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter()
    }

    fn push(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.fields.push(Field { name: name.into(), value: value.into() });
    }

    fn put(&mut self, name: &str, value: &Value) {
        match value {
            Value::Null => {}
            Value::Bool(flag) => self.push(format!("{name}:flag"), flag.to_string()),
            Value::Number(number) => self.push(format!("{name}:number"), number.to_string()),
            Value::String(text) if text.is_empty() || text.trim() != text => {
                self.push(format!("{name}:string"), text.as_str());
            }
            Value::String(text) => self.push(name, text.as_str()),
            Value::Array(items) => self.put_items(name, items),
            Value::Object(object) if object.values().all(Value::is_null) => {
                self.push(format!("{name}:object"), "");
            }
            Value::Object(object) => self.put_all(object, |part| format!("{name}[{part}]")),
        }
    }

    fn put_all(&mut self, object: &Map<String, Value>, named: impl Fn(&str) -> String) {
        for (part, value) in object {
            self.put(&named(part), value);
        }
    }

    fn put_items(&mut self, name: &str, items: &[Value]) {
        if items.is_empty() {
            return self.push(format!("{name}:list"), "");
        }
        if let Some(numbers) = numbers(items) {
            return self.push(format!("{name}:numbers"), numbers);
        }
        for (place, item) in items.iter().enumerate() {
            match item {
                Value::Null => self.push(format!("{name}[]:null"), ""),
                Value::String(_) | Value::Number(_) | Value::Bool(_) => self.put(&format!("{name}[]"), item),
                Value::Array(_) | Value::Object(_) => self.put(&format!("{name}[{place}]"), item),
            }
        }
    }
}

/// The steps to the value of a field of this name: its place in the command.
pub(crate) fn steps(name: &str) -> Vec<&str> {
    let place = name.split(':').next().unwrap_or_default();
    place.split('[').map(|step| step.trim_end_matches(']')).collect()
}

/// A list of whole numbers in one field; `None` if it is another list.
fn numbers(items: &[Value]) -> Option<String> {
    let mut text = String::new();
    for item in items {
        let number = item.as_u64()?;
        let comma = if text.is_empty() { "" } else { "," };
        write!(text, "{comma}{number}").ok()?;
    }
    Some(text)
}

fn value(object: &impl Serialize) -> Value {
    // A command holds only ids, numbers and texts, so serialising it cannot fail.
    serde_json::to_value(object).unwrap_or_default()
}
