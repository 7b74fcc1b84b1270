//! The tags of a page, as our templates write them: well formed, with every value in quotation marks.

use std::borrow::Cow;
use std::ops::Range;

/// A tag: where it stands in the page, and what it says.
#[derive(Clone, Debug)]
pub(crate) struct Tag<'a> {
    pub place: Range<usize>,
    pub name: &'a str,
    /// Whether it ends an element.
    pub closes: bool,
    /// Name and value as written, without the quotation marks; `None` for one without a value.
    attributes: Vec<(&'a str, Option<&'a str>)>,
}

impl<'a> Tag<'a> {
    pub fn opens(&self, name: &str) -> bool {
        !self.closes && self.name == name
    }

    pub fn ends(&self, name: &str) -> bool {
        self.closes && self.name == name
    }

    /// The value of an attribute; empty if it is written without one. `None` if there is no such attribute.
    pub fn attribute(&self, name: &str) -> Option<Cow<'a, str>> {
        let (_, value) = self.attributes.iter().find(|(attribute, _)| *attribute == name)?;
        Some(unescaped(value.unwrap_or_default()))
    }

    /// The tag with these attributes, `None` for one without a value, instead of any that it has of the same names or
    /// of the name `without`.
    pub fn with(&self, attributes: &[(&str, Option<&str>)], without: Option<&str>) -> String {
        let replaced = |name: &str| without == Some(name) || attributes.iter().any(|(new, _)| *new == name);
        let mut tag = format!("<{}", self.name);
        for (name, value) in self.attributes.iter().filter(|(name, _)| !replaced(name)) {
            tag.push_str(&written(name, *value));
        }
        for (name, value) in attributes {
            tag.push_str(&written(name, value.map(escaped).as_deref()));
        }
        tag + ">"
    }
}

fn written(name: &str, value: Option<&str>) -> String {
    value.map_or_else(|| format!(" {name}"), |value| format!(" {name}=\"{value}\""))
}

/// The text as it is written in a page, also within quotation marks.
pub(super) fn escaped(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => written.push_str("&#38;"),
            '<' => written.push_str("&#60;"),
            '>' => written.push_str("&#62;"),
            '"' => written.push_str("&#34;"),
            _ => written.push(letter),
        }
    }
    written
}

fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut pieces = text.split('&');
    let mut read = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let letter = piece.split_once(';').and_then(|(name, after)| Some((letter(name)?, after)));
        if let Some((letter, after)) = letter {
            read.push(letter);
            read.push_str(after);
        } else {
            read.push('&');
            read.push_str(piece);
        }
    }
    Cow::Owned(read)
}

fn letter(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        _ => char::from_u32(name.strip_prefix('#')?.parse().ok()?),
    }
}

/// Elements whose contents have no tags.
const PLAIN: [&str; 4] = ["script", "style", "textarea", "title"];

/// The tags of a page in order. Comments are skipped.
pub(crate) fn tags(page: &str) -> Vec<Tag<'_>> {
    let mut tags = Vec::new();
    let mut at = 0;
    while let Some(next) = page[at..].find('<').map(|found| at + found) {
        if page[next..].starts_with("<!") {
            let end = if page[next..].starts_with("<!--") { "-->" } else { ">" };
            at = page[next..].find(end).map_or(page.len(), |found| next + found + end.len());
            continue;
        }
        let Some(tag) = tag(page, next) else {
            at = next + 1;
            continue;
        };
        at = tag.place.end;
        if !tag.closes && PLAIN.contains(&tag.name) {
            let end = format!("</{}", tag.name);
            at = page[at..].find(&end).map_or(page.len(), |found| at + found);
        }
        tags.push(tag);
    }
    tags
}

/// The tag that begins at this place; `None` if none does.
fn tag(page: &str, start: usize) -> Option<Tag<'_>> {
    let closes = page[start..].starts_with("</");
    let mut rest = &page[start + if closes { 2 } else { 1 }..];
    let name = word(&mut rest);
    if name.is_empty() {
        return None;
    }
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix('>') {
            return Some(Tag { place: start..page.len() - after.len(), name, closes, attributes });
        }
        if let Some(after) = rest.strip_prefix('/') {
            rest = after;
            continue;
        }
        let attribute = word(&mut rest);
        if attribute.is_empty() {
            return None;
        }
        let value = match rest.strip_prefix('=') {
            None => None,
            Some(quoted) => {
                let quote = quoted.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
                let (value, after) = quoted[1..].split_once(quote)?;
                rest = after;
                Some(value)
            }
        };
        attributes.push((attribute, value));
    }
}

/// Takes the name off the beginning; empty if there is none.
fn word<'a>(rest: &mut &'a str) -> &'a str {
    let of_name = |letter: char| letter.is_ascii_alphanumeric() || "-_:".contains(letter);
    let (name, after) = rest.split_at(rest.find(|letter| !of_name(letter)).unwrap_or(rest.len()));
    *rest = after;
    name
}
