//! Text written from right to left, set apart from what stands beside it. Without that a browser takes the
//! digits and signs behind such a name along, so that a score reads 3–7 instead of 7–3, and the second of two
//! such names stands first.
//!
//! This is done to the page once it is written, so that no template and no sentence has to know of it: a name
//! in Hebrew or Arabic stands in `<bdi>`, and between the marks of Unicode where there can be no element: in
//! attributes that are read or shown, in titles, options and pictures.

use std::ops::Range;

/// Attributes whose text people see or hear.
const SHOWN: [&str; 5] = ["title", "aria-label", "alt", "content", "placeholder"];
/// Elements in whose text there can be no other.
const WITHOUT_ELEMENTS: [&str; 3] = ["title", "option", "svg"];
/// Elements whose text is typed or run, or set apart already.
const LEFT_ALONE: [&str; 4] = ["script", "style", "textarea", "bdi"];

/// Whether letters of this kind are written from right to left.
const fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// What stands between the words of a name.
const fn joins_words(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\'' | '’' | '-' | '.' | '\u{200c}' | '\u{200d}')
}

/// What is put around a text.
type Marks = (&'static str, &'static str);
const ELEMENT: Marks = ("<bdi>", "</bdi>");
const CHARACTERS: Marks = ("\u{2068}", "\u{2069}");

/// The page with all of it set apart.
#[must_use]
pub fn isolated(page: String) -> String {
    if !page.contains(is_right_to_left) {
        return page;
    }
    let mut set_apart = String::with_capacity(page.len() + page.len() / 16);
    // The element without elements in it, or left alone, that is open here, and how often.
    let mut inside: Option<(&str, usize)> = None;
    let mut at = 0;
    for tag in tags(&page) {
        put(&page[at..tag.place.start], marks_in(inside), &mut set_apart);
        put_tag(&page[tag.place.clone()], &mut set_apart);
        at = tag.place.end;
        let is_special = WITHOUT_ELEMENTS.contains(&tag.name) || LEFT_ALONE.contains(&tag.name);
        inside = match inside {
            None if is_special && !tag.closes => Some((tag.name, 1)),
            Some((name, deep)) if name == tag.name && !tag.closes => Some((name, deep + 1)),
            Some((name, 1)) if name == tag.name => None,
            Some((name, deep)) if name == tag.name => Some((name, deep - 1)),
            other => other,
        };
    }
    put(&page[at..], marks_in(inside), &mut set_apart);
    set_apart
}

fn marks_in(inside: Option<(&str, usize)>) -> Option<Marks> {
    match inside {
        None => Some(ELEMENT),
        Some((name, _)) => WITHOUT_ELEMENTS.contains(&name).then_some(CHARACTERS),
    }
}

/// A tag, with the texts of its attributes set apart.
fn put_tag(tag: &str, set_apart: &mut String) {
    let mut rest = tag;
    while let Some(start) = rest.find("=\"") {
        let (before, value) = rest.split_at(start + 2);
        let Some(end) = value.find('"') else { break };
        let name = before[..start].rsplit([' ', '\n', '\t']).next().unwrap_or_default();
        set_apart.push_str(before);
        put(&value[..end], SHOWN.contains(&name).then_some(CHARACTERS), set_apart);
        rest = &value[end..];
    }
    set_apart.push_str(rest);
}

/// A text, with marks around every run of words from right to left.
fn put(text: &str, marks: Option<Marks>, set_apart: &mut String) {
    let Some((before, after)) = marks else { return set_apart.push_str(text) };
    let mut rest = text;
    while let Some(start) = rest.find(is_right_to_left) {
        let (left, run) = rest.split_at(start);
        let mut end = 0;
        for (place, c) in run.char_indices().take_while(|(_, c)| is_right_to_left(*c) || joins_words(*c)) {
            if is_right_to_left(c) {
                end = place + c.len_utf8();
            }
        }
        for piece in [left, before, &run[..end], after] {
            set_apart.push_str(piece);
        }
        rest = &run[end..];
    }
    set_apart.push_str(rest);
}

/// A tag: where it stands in the page, its element, and whether it ends that.
struct Tag<'a> {
    place: Range<usize>,
    name: &'a str,
    closes: bool,
}

/// Elements whose contents have no tags.
const PLAIN: [&str; 4] = ["script", "style", "textarea", "title"];

/// The tags of a page in order. Comments are skipped.
fn tags(page: &str) -> Vec<Tag<'_>> {
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
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix('>') {
            return Some(Tag { place: start..page.len() - after.len(), name, closes });
        }
        if let Some(after) = rest.strip_prefix('/') {
            rest = after;
            continue;
        }
        if word(&mut rest).is_empty() {
            return None;
        }
        if let Some(quoted) = rest.strip_prefix('=') {
            let quote = quoted.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
            rest = quoted[1..].split_once(quote)?.1;
        }
    }
}

/// Takes the name off the beginning; empty if there is none.
fn word<'a>(rest: &mut &'a str) -> &'a str {
    let of_name = |letter: char| letter.is_ascii_alphanumeric() || "-_:".contains(letter);
    let (name, after) = rest.split_at(rest.find(|letter| !of_name(letter)).unwrap_or(rest.len()));
    *rest = after;
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    const OMAR: &str = "عمر خالد";
    const DAVID: &str = "דוד לוי";

    #[test]
    fn c26_a_name_from_right_to_left_turns_nothing_round() {
        for (page, expected) in [
            (
                format!("<p>{OMAR} beats {DAVID} 7–3</p>"),
                format!("<p><bdi>{OMAR}</bdi> beats <bdi>{DAVID}</bdi> 7–3</p>"),
            ),
            (
                format!("<b>{DAVID} – {OMAR}</b> 5"),
                format!("<b><bdi>{DAVID}</bdi> – <bdi>{OMAR}</bdi></b> 5"),
            ),
            (format!("{OMAR}, {DAVID}, Ann"), format!("<bdi>{OMAR}</bdi>, <bdi>{DAVID}</bdi>, Ann")),
            (
                format!("<a title=\"{OMAR} 7–3\" data-name=\"{OMAR}\">x</a>"),
                format!("<a title=\"\u{2068}{OMAR}\u{2069} 7–3\" data-name=\"{OMAR}\">x</a>"),
            ),
            (format!("<title>{OMAR} 7–3</title>"), format!("<title>\u{2068}{OMAR}\u{2069} 7–3</title>")),
            (
                format!("<option value=\"{OMAR}\">{OMAR} (2)</option>{OMAR}"),
                format!("<option value=\"{OMAR}\">\u{2068}{OMAR}\u{2069} (2)</option><bdi>{OMAR}</bdi>"),
            ),
            (
                format!("<svg><g><text>{OMAR} 3</text></g></svg>{OMAR}"),
                format!("<svg><g><text>\u{2068}{OMAR}\u{2069} 3</text></g></svg><bdi>{OMAR}</bdi>"),
            ),
            (
                format!("<textarea name=\"n\">\n{OMAR} 3</textarea><input value=\"{OMAR}\">"),
                format!("<textarea name=\"n\">\n{OMAR} 3</textarea><input value=\"{OMAR}\">"),
            ),
            (format!("<bdi>{OMAR}</bdi> 3"), format!("<bdi>{OMAR}</bdi> 3")),
        ] {
            assert_eq!(isolated(page), expected);
        }
    }

    #[test]
    fn a_page_without_such_names_stays_as_it_is() {
        let page = "<p title=\"a\">Jörg Østerå 7–3 🎲 Ελένη Иван</p>".to_owned();
        assert_eq!(isolated(page.clone()), page);
    }
}
