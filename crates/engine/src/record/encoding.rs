//! The characters of a file from elsewhere, whichever program has written it.
//!
//! | file | read as |
//! |---|---|
//! | begins with a byte order mark of UTF-8 or UTF-16, or with two letters in UTF-16 | that; the mark is dropped |
//! | is well-formed UTF-8 | UTF-8 |
//! | anything else | Windows-1252, in which spreadsheets on a western Windows save "CSV". It has Latin-1 in it |

use std::borrow::Cow;

/// What Windows-1252 has where Latin-1 has control characters, from 0x80. Five of them stay what they are.
const FROM_0X80: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text of a file. Bytes of UTF-16 that are no character become U+FFFD; everything else is a character in Windows-1252
/// at least, so no file is refused here.
///
/// ```
/// use owlbox_engine::record::decoded;
///
/// assert_eq!(decoded("\u{feff}Jörg".as_bytes()), "Jörg");
/// assert_eq!(decoded(b"J\xf6rg \x80 5"), "Jörg € 5");
/// assert_eq!(decoded(b"\xff\xfeJ\0\xf6\0"), "Jö");
/// ```
#[must_use]
pub fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => Cow::Owned(utf_16(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(utf_16(rest, u16::from_be_bytes)),
        [1..=127, 0, 1..=127, 0, ..] => Cow::Owned(utf_16(bytes, u16::from_le_bytes)),
        [0, 1..=127, 0, 1..=127, ..] => Cow::Owned(utf_16(bytes, u16::from_be_bytes)),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text)),
            Err(_) => Cow::Owned(bytes.iter().map(|byte| windows_1252(*byte)).collect()),
        },
    }
}

/// Whether bytes are UTF-16: with its mark, or beginning with two ASCII characters in it.
pub(super) const fn is_utf_16(bytes: &[u8]) -> bool {
    matches!(
        bytes,
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [1..=127, 0, 1..=127, 0, ..] | [0, 1..=127, 0, 1..=127, ..]
    )
}

fn utf_16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| unit(*pair));
    let mut text: String =
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    // Half a character at the end: the file was cut.
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    text
}

fn windows_1252(byte: u8) -> char {
    let special = byte.checked_sub(0x80).and_then(|place| FROM_0X80.get(usize::from(place)));
    special.copied().unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c16_a_text_is_the_same_in_every_encoding_that_spreadsheets_save() {
        let text = "Jörg Müller;12,50 €\r\nAndré Çelik;“½”\r\n";
        let ansi: Vec<u8> = text
            .chars()
            .map(|c| match c {
                '€' => 0x80,
                '“' => 0x93,
                '”' => 0x94,
                c => u8::try_from(u32::from(c)).unwrap(),
            })
            .collect();
        let with = |mark: &[u8], units: &dyn Fn(u16) -> [u8; 2]| -> Vec<u8> {
            mark.iter().copied().chain(text.encode_utf16().flat_map(units)).collect()
        };
        for (encoding, bytes) in [
            ("UTF-8", text.as_bytes().to_vec()),
            ("UTF-8 with a mark", format!("\u{feff}{text}").into_bytes()),
            ("Windows-1252", ansi),
            ("UTF-16, little end first", with(&[0xff, 0xfe], &|unit: u16| unit.to_le_bytes())),
            ("UTF-16, big end first", with(&[0xfe, 0xff], &|unit: u16| unit.to_be_bytes())),
        ] {
            assert_eq!(decoded(&bytes), text, "{encoding}");
        }
    }

    #[test]
    fn every_byte_of_windows_1252_is_the_character_it_is_there() {
        let all: Vec<u8> = (0..=u8::MAX).collect();
        let text = decoded(&all).into_owned();
        assert_eq!(text.chars().count(), 256);
        assert!(!text.contains(char::REPLACEMENT_CHARACTER));
        let in_latin_1 = |(place, c): &(usize, char)| u32::from(*c) == u32::try_from(*place).unwrap();
        let others: String =
            text.chars().enumerate().filter(|one| !in_latin_1(one)).map(|(_, c)| c).collect();
        assert_eq!(others, "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ");
    }

    #[test]
    fn half_a_character_is_lost_and_nothing_else() {
        assert_eq!(decoded(b"\xff\xfeA\0\x00\xd8B\0"), "A\u{fffd}B", "a half of a pair");
        assert_eq!(decoded(b"\xff\xfeA\0B"), "A\u{fffd}", "an odd byte at the end");
        assert_eq!(decoded(b""), "");
    }
}
