//! Reads the command that the fields of a form are.

use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;
use serde_json::{Map, Number, Value};

/// The most fields of a command, those of its choices included.
const MOST_FIELDS: usize = 20_000;
/// The longest name of a field, in bytes.
const LONGEST_NAME: usize = 200;
/// How many steps lead to a value at most.
const DEEPEST: usize = 8;
/// The most items of a list, as many as a division has entries.
const MOST_ITEMS: usize = 65_536;
/// The field whose value is further fields.
const CHOICE: &str = "choice";

/// Fields that no page writes; in words, what is wrong with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed(pub &'static str);

/// The command of these fields, as JSON. Whether it is one that a stream takes is for its type to say.
///
/// # Errors
/// A name or a value is none that a page writes, two contradict one another, or there are too many.
pub fn read<'a>(
    fields: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<Map<String, Value>, Malformed> {
    let (choices, mut fields): (Vec<_>, Vec<_>) =
        fields.into_iter().map(owned).partition(|(name, _)| name == CHOICE);
    for (_, choice) in &choices {
        fields.extend(further(choice).ok_or(Malformed("that is no choice"))?);
    }
    if fields.len() > MOST_FIELDS {
        return Err(Malformed("these are too many fields"));
    }
    let mut command = CommandPart::Object(BTreeMap::new());
    for (name, value) in &fields {
        let (steps, kind) = name_of(name).ok_or(Malformed("a field has a name that no page writes"))?;
        if let Some(sent) = kind.read(value)? {
            command.put(&steps, sent).ok_or(Malformed("two fields contradict one another"))?;
        }
    }
    if let Value::Object(command) = Value::from(command) { Ok(command) } else { Ok(Map::new()) }
}

fn owned((name, value): (&str, &str)) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

/// The fields of a choice; `None` if it is no text once decoded.
fn further(choice: &str) -> Option<Vec<(String, String)>> {
    let text = |part: &str| {
        let spaced = part.replace('+', " ");
        percent_decode_str(&spaced).decode_utf8().ok().map(String::from)
    };
    let field = |field: &str| {
        let (name, value) = field.split_once('=').unwrap_or((field, ""));
        Some((text(name)?, text(value)?))
    };
    choice.split('&').filter(|part| !part.is_empty()).map(field).collect()
}

/// A step on the way to a value.
#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Part(&'a str),
    Item(usize),
    Next,
}

/// What the end of a name says of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Exact,
    Number,
    Flag,
    Null,
    Numbers,
    List,
    Object,
}

/// What a field puts in its place.
#[derive(Clone, Debug)]
enum Sent {
    Value(Kind, Value),
    /// The first items of a list.
    Items(Vec<Value>),
    NoParts,
}

/// What is known of a part of the command.
#[derive(Debug, Default)]
enum CommandPart {
    #[default]
    Unknown,
    Value(Kind, Value),
    List(BTreeMap<usize, Self>),
    Object(BTreeMap<String, Self>),
}

/// The steps and the kind that a name says; `None` if no page writes such a name.
fn name_of(name: &str) -> Option<(Vec<Step<'_>>, Kind)> {
    if name.len() > LONGEST_NAME {
        return None;
    }
    let (path, kind) = name.split_once(':').map_or((name, None), |(path, kind)| (path, Some(kind)));
    let (first, mut rest) = path.split_at(path.find('[').unwrap_or(path.len()));
    let mut steps = vec![Step::Part(word(first)?)];
    while !rest.is_empty() {
        let (inner, after) = rest.strip_prefix('[')?.split_once(']')?;
        steps.push(match inner {
            "" => Step::Next,
            place if place.bytes().all(|byte| byte.is_ascii_digit()) => Step::Item(place.parse().ok()?),
            part => Step::Part(word(part)?),
        });
        rest = after;
    }
    let goes_on = |step: &Step<'_>| !matches!(step, Step::Next);
    let fits = steps.len() <= DEEPEST && steps.iter().rev().skip(1).all(goes_on);
    Some((steps, Kind::named(kind)?)).filter(|_| fits)
}

fn word(text: &str) -> Option<&str> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (!text.is_empty() && text.bytes().all(plain)).then_some(text)
}

impl Kind {
    fn named(name: Option<&str>) -> Option<Self> {
        Some(match name {
            None => Self::Text,
            Some("string") => Self::Exact,
            Some("number") => Self::Number,
            Some("flag") => Self::Flag,
            Some("null") => Self::Null,
            Some("numbers") => Self::Numbers,
            Some("list") => Self::List,
            Some("object") => Self::Object,
            Some(_) => return None,
        })
    }

    /// What a value puts in place; `None` if it is left out.
    fn read(self, sent: &str) -> Result<Option<Sent>, Malformed> {
        const NO_VALUE: Malformed = Malformed("a field has a value that no page sends");
        let text = sent.trim();
        if text.is_empty() && matches!(self, Self::Text | Self::Number | Self::Flag) {
            return Ok(None);
        }
        let nothing = if text.is_empty() { Ok(()) } else { Err(NO_VALUE) };
        let value = match self {
            Self::Text => Value::from(text),
            Self::Exact => Value::from(sent),
            // What is no whole number is refused by the type that wants one.
            Self::Number => text.parse::<i64>().map_or_else(|_| unusual(text), Value::from),
            Self::Flag => Value::Bool(text.parse().map_err(|_| NO_VALUE)?),
            Self::Null => nothing.map(|()| Value::Null)?,
            Self::List => return nothing.map(|()| Some(Sent::Items(Vec::new()))),
            Self::Object => return nothing.map(|()| Some(Sent::NoParts)),
            Self::Numbers => {
                let numbers = text.split(',').filter(|_| !text.is_empty());
                let numbers = numbers.map(|number| number.parse::<u64>().map(Value::from));
                let items = numbers.collect::<Result<_, _>>().map_err(|_| NO_VALUE)?;
                return Ok(Some(Sent::Items(items)));
            }
        };
        Ok(Some(Sent::Value(self, value)))
    }
}

/// A number beyond the usual ones, or what is none as it was typed.
fn unusual(text: &str) -> Value {
    serde_json::from_str::<Number>(text).map_or_else(|_| text.into(), Value::Number)
}

impl CommandPart {
    /// Puts what was sent where the steps lead; `None` if something of another kind is there.
    fn put(&mut self, steps: &[Step<'_>], sent: Sent) -> Option<()> {
        let Some((step, further)) = steps.split_first() else { return self.set(sent) };
        match step {
            Step::Part(name) => self.parts()?.entry((*name).to_owned()).or_default(),
            Step::Item(place) => self.item(Some(*place))?,
            Step::Next => self.item(None)?,
        }
        .put(further, sent)
    }

    fn set(&mut self, sent: Sent) -> Option<()> {
        match sent {
            Sent::NoParts => self.parts().map(|_| ()),
            Sent::Items(values) => {
                self.items()?;
                let put = |(place, value)| self.item(Some(place))?.set(Sent::Value(Kind::Number, value));
                values.into_iter().enumerate().try_for_each(put)
            }
            Sent::Value(kind, value) => {
                let fits = match self {
                    Self::Unknown => true,
                    Self::Value(before, _) => *before == kind,
                    Self::List(_) | Self::Object(_) => false,
                };
                fits.then(|| *self = Self::Value(kind, value))
            }
        }
    }

    fn parts(&mut self) -> Option<&mut BTreeMap<String, Self>> {
        if matches!(self, Self::Unknown) {
            *self = Self::Object(BTreeMap::new());
        }
        if let Self::Object(parts) = self { Some(parts) } else { None }
    }

    fn items(&mut self) -> Option<&mut BTreeMap<usize, Self>> {
        if matches!(self, Self::Unknown) {
            *self = Self::List(BTreeMap::new());
        }
        if let Self::List(items) = self { Some(items) } else { None }
    }

    /// The item at a place, or a further one.
    fn item(&mut self, place: Option<usize>) -> Option<&mut Self> {
        let items = self.items()?;
        let next = items.last_key_value().map_or(0, |(last, _)| last + 1);
        let place = place.unwrap_or(next);
        (place < MOST_ITEMS).then(|| items.entry(place).or_default())
    }
}

impl From<CommandPart> for Value {
    fn from(part: CommandPart) -> Self {
        match part {
            CommandPart::Unknown => Self::Null,
            CommandPart::Value(_, value) => value,
            CommandPart::List(items) => items.into_values().map(Self::from).collect(),
            CommandPart::Object(parts) => {
                parts.into_iter().map(|(name, part)| (name, Self::from(part))).collect()
            }
        }
    }
}
