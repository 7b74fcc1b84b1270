//! The text of a PDF that Chromium has printed. What lies beyond the paper, or is cut off, is not in it:
//! Chromium leaves out every glyph whose middle is hidden.

use std::collections::BTreeMap;
use std::io::Read as _;

use flate2::read::ZlibDecoder;

/// What stands between brackets of hexadecimal digits, in units of two bytes.
fn units(line: &str) -> Vec<Vec<u16>> {
    let between = line.split('<').skip(1).filter_map(|rest| rest.split_once('>'));
    let read = |(hex, _): (&str, &str)| {
        let units = hex.as_bytes().chunks(4).map(|unit| std::str::from_utf8(unit).unwrap_or_default());
        units.map(|unit| u16::from_str_radix(unit, 16)).collect::<Result<Vec<u16>, _>>().ok()
    };
    between.filter_map(read).collect()
}

fn parts<'p>(bytes: &'p [u8], separator: &[u8]) -> Vec<&'p [u8]> {
    let mut parts = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.windows(separator.len()).position(|window| window == separator) {
        parts.push(&rest[..at]);
        rest = &rest[at + separator.len()..];
    }
    parts.push(rest);
    parts
}

/// The objects by number: what they say, and their stream.
fn objects(pdf: &[u8]) -> BTreeMap<u32, (String, String)> {
    let object = |part: &&[u8]| {
        let (head, body) = match parts(part, b"stream\n")[..] {
            [head, body, ..] => (head, body),
            _ => (*part, &[][..]),
        };
        let head = String::from_utf8_lossy(head).into_owned();
        let number = head.split(" 0 obj").next()?.lines().last()?.parse().ok()?;
        let mut stream = String::new();
        if head.contains("/FlateDecode") && !head.contains("/Length1") && !head.contains("/Image") {
            ZlibDecoder::new(body).read_to_string(&mut stream).ok();
        }
        Some((number, (head, stream)))
    };
    parts(pdf, b"endobj").iter().filter_map(object).collect()
}

/// The number that refers to another object.
fn referred(head: &str, name: &str) -> Option<u32> {
    head.split(name).nth(1)?.split_whitespace().next()?.parse().ok()
}

/// The text of each page.
pub fn pages(pdf: &[u8]) -> Vec<String> {
    let objects = objects(pdf);
    let characters = |font: u32| {
        let (_, map) = referred(&objects.get(&font)?.0, "/ToUnicode ").and_then(|map| objects.get(&map))?;
        let mut known = BTreeMap::new();
        for line in map.lines().map(units) {
            match &line[..] {
                [from, to] => drop(known.insert(from[0], to.clone())),
                [from, to, first] => {
                    known.extend((from[0]..=to[0]).zip(first[0]..).map(|(glyph, unit)| (glyph, vec![unit])));
                }
                _ => {}
            }
        }
        Some(known)
    };
    let page = |(head, _): &(String, String)| {
        let content = referred(head, "/Contents ").filter(|_| head.contains("/Type /Page\n"))?;
        let (mut text, mut font) = (String::new(), BTreeMap::new());
        for line in objects.get(&content)?.1.lines() {
            if let Some(name) = line.strip_prefix("/F").filter(|line| line.ends_with("Tf")) {
                // A font is called after the number of its object.
                let number = name.split(' ').next().and_then(|number| number.parse().ok());
                font = number.and_then(characters).unwrap_or_default();
            } else if line.ends_with("Tj") || line.ends_with("TJ") {
                let written = units(line).concat().into_iter().filter_map(|glyph| font.get(&glyph)).flatten();
                text.extend(char::decode_utf16(written.copied()).map(|c| c.unwrap_or('\u{fffd}')));
            } else if line == "ET" {
                text.push('\n');
            }
        }
        Some(text)
    };
    objects.values().filter_map(page).collect()
}
