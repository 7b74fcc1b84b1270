//! A command with names where the API takes ids and numbers.
//!
//! No type of the domain can hold such a command: its players are ids. So a line of a file is kept as JSON
//! until its names are known, and this is the one place that reaches into that JSON. A place in a command is
//! given by its path: `payer`, `ended/winner`; `rolls/*/player` is that of every roll. Afterwards the command
//! is read by the same types as the API's, and whatever is wrong with it is refused there.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// A command, or any other JSON that stands in a line.
#[derive(Clone, Debug)]
pub struct NamedCommand(Value);

impl NamedCommand {
    /// # Errors
    /// The text is not JSON.
    pub fn parse(line: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(line).map(Self)
    }

    /// The kind of the command, as the API calls it.
    #[must_use]
    pub fn kind(&self) -> Option<&str> {
        self.text("command")
    }

    /// The command without its kind: the details of something to be opened.
    #[must_use]
    pub fn details(&self) -> Self {
        let mut details = self.clone();
        details.take("command");
        details
    }

    /// These details, and `usual` ones wherever they say nothing.
    #[must_use]
    pub fn or_usual(self, usual: Value) -> Self {
        match (usual, self.0) {
            (Value::Object(mut usual), Value::Object(own)) => {
                usual.extend(own);
                Self(Value::Object(usual))
            }
            (usual, _) => Self(usual),
        }
    }

    /// Whether there is anything at the command's `key`.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.0.get(key).is_some()
    }

    /// Takes a value out of the command.
    pub fn take(&mut self, key: &str) -> Option<Value> {
        self.0.as_object_mut()?.remove(key)
    }

    /// Puts a value into the command.
    pub fn set(&mut self, key: &str, value: Value) {
        if let Some(fields) = self.0.as_object_mut() {
            fields.insert(key.to_owned(), value);
        }
    }

    /// The text at a path; `None` if there is none.
    #[must_use]
    pub fn text(&self, path: &str) -> Option<&str> {
        self.texts(path).first().copied()
    }

    /// All texts at a path.
    #[must_use]
    pub fn texts(&self, path: &str) -> Vec<&str> {
        values(&self.0, path).into_iter().filter_map(Value::as_str).collect()
    }

    /// All names at a path: each a text, or an object whose `player` is one. In the order of the command.
    #[must_use]
    pub fn names(&self, path: &str) -> Vec<String> {
        let name = |value: &Value| value.as_str().or_else(|| value["player"].as_str()).map(str::to_owned);
        values(&self.0, path).into_iter().filter_map(name).collect()
    }

    /// The number or the like at a path; `None` if there is none, or if it is nothing of that type.
    #[must_use]
    pub fn value<T: DeserializeOwned>(&self, path: &str) -> Option<T> {
        values(&self.0, path).first().and_then(|value| serde_json::from_value((*value).clone()).ok())
    }

    /// Changes every value at a path.
    pub fn change(&mut self, path: &str, mut change: impl FnMut(&mut Value)) {
        change_values(&mut self.0, path, &mut change);
    }

    /// Replaces every text at a path for which there is something else.
    pub fn replace<T: serde::Serialize>(&mut self, path: &str, mut other: impl FnMut(&str) -> Option<T>) {
        self.change(path, |place| {
            if let Some(other) = place.as_str().and_then(&mut other) {
                *place = json!(other);
            }
        });
    }

    /// The command, once it has no names any more.
    ///
    /// # Errors
    /// It is nothing of that type.
    pub fn read<T: DeserializeOwned>(self) -> Result<T, serde_json::Error> {
        serde_json::from_value(self.0)
    }
}

impl From<Value> for NamedCommand {
    fn from(command: Value) -> Self {
        Self(command)
    }
}

fn values<'a>(value: &'a Value, path: &str) -> Vec<&'a Value> {
    let (key, rest) = path.split_once('/').map_or((path, None), |(key, rest)| (key, Some(rest)));
    let here: Vec<&Value> = match key {
        "*" => value.as_array().into_iter().flatten().collect(),
        key => value.get(key).into_iter().collect(),
    };
    match rest {
        Some(rest) => here.into_iter().flat_map(|value| values(value, rest)).collect(),
        None => here,
    }
}

fn change_values(value: &mut Value, path: &str, change: &mut dyn FnMut(&mut Value)) {
    let (key, rest) = path.split_once('/').map_or((path, None), |(key, rest)| (key, Some(rest)));
    let here: Vec<&mut Value> = match key {
        "*" => value.as_array_mut().into_iter().flatten().collect(),
        key => value.get_mut(key).into_iter().collect(),
    };
    for value in here {
        match rest {
            Some(rest) => change_values(value, rest, change),
            None => change(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_finds_every_place_it_names_and_no_other() {
        let mut one = NamedCommand(json!({
            "command": "enter_rolls",
            "rolls": [{"player": "Ada", "dice": [3]}, {"player": "Bea"}, "Cleo", {"player": 7}],
            "player": "Dora",
        }));
        assert_eq!((one.kind(), one.text("player")), (Some("enter_rolls"), Some("Dora")));
        assert_eq!(one.texts("rolls/*/player"), ["Ada", "Bea"]);
        assert_eq!(one.texts("rolls/*"), ["Cleo"]);
        for nothing in
            ["rolls", "rolls/player", "rolls/*/dice/*", "player/*", "player/name", "none", "none/*", ""]
        {
            assert!(one.texts(nothing).is_empty(), "{nothing}");
        }
        assert_eq!(one.value::<u8>("rolls/*/dice/*"), Some(3));
        one.replace("rolls/*/player", |name| (name != "Bea").then_some(name.len()));
        let rolls = json!([{"player": 3, "dice": [3]}, {"player": "Bea"}, "Cleo", {"player": 7}]);
        assert_eq!(one.take("rolls"), Some(rolls));
        assert!(!one.has("rolls") && one.has("player"));
    }

    #[test]
    fn what_a_line_does_not_say_is_as_usual() {
        let usual = json!({"name": "Night", "stake": 5});
        let own = NamedCommand(json!({"command": "open", "name": "Two", "more": null})).details();
        let both: Value = own.or_usual(usual.clone()).read().unwrap();
        assert_eq!(both, json!({"name": "Two", "stake": 5, "more": null}));
        let none: Value = NamedCommand(json!([1])).details().or_usual(usual.clone()).read().unwrap();
        assert_eq!(none, usual);
    }
}
