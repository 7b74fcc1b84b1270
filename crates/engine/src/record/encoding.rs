//! The characters of a file from elsewhere, whichever program has written it.
//!
//! | file | read as |
//! |---|---|
//! | begins with a byte order mark of UTF-8 or UTF-16, or with two letters in UTF-16 | that; the mark is dropped |
//! | is well-formed UTF-8 | UTF-8 |
//! | anything else | Windows-1252, in which spreadsheets on a western Windows save "CSV". It has Latin-1 in it. [`is_encoding_known`] tells whether that can be |

use std::borrow::Cow;

/// What Windows-1252 has where Latin-1 has control characters, from 0x80. Five of them stay what they are.
const FROM_0X80: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text of a file. Bytes of UTF-16 that are no character become U+FFFD; everything else is a character in
/// Windows-1252 at least, so no file is refused here.
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

/// Whether the characters of a file are known. Of one that is not Unicode they are a guess, which is as good
/// as its words: where they have more of the few letters that Windows-1252 has from 0x80 to 0x9F than of
/// those from 0xC0 on, the file was written in another code page, such as "CSV (Macintosh)" and "CSV
/// (MS-DOS)" are.
///
/// ```
/// use owlbox_engine::record::is_encoding_known;
///
/// assert!(is_encoding_known("Jörg".as_bytes()) && is_encoding_known(b"J\xf6rg"));
/// assert!(!is_encoding_known(b"J\x9arg") && !is_encoding_known(b"J\x94rg"));
/// ```
#[must_use]
pub fn is_encoding_known(bytes: &[u8]) -> bool {
    if is_utf_16(bytes) || std::str::from_utf8(bytes).is_ok() {
        return true;
    }
    let in_words = bytes.windows(3).filter_map(|three| match three {
        [before, byte, after] if before.is_ascii_alphabetic() => Some((*byte, after.is_ascii_alphabetic())),
        _ => None,
    });
    let (mut rare, mut usual) = (0_usize, 0_usize);
    for (byte, is_inside) in in_words {
        match byte {
            // An apostrophe, a dash.
            0x91 | 0x92 | 0x96 | 0x97 => {}
            // A mark behind a word.
            0x80 | 0x84 | 0x85 | 0x93..=0x95 | 0x99 if !is_inside => {}
            0x80..=0x9f => rare += 1,
            0xc0..=0xff => usual += 1,
            _ => {}
        }
    }
    rare <= usual
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
    fn a_file_in_another_code_page_is_not_taken_for_windows_1252() {
        for (page, bytes) in [
            ("Macintosh", &b"J\x9arg M\x9fller;1\r\nAndr\x8e;2\r\nWei\xa7;3\r\n"[..]),
            ("MS-DOS", b"J\x94rg M\x81ller;1\r\nAndr\x82;2\r\nWei\xe1;3\r\n"),
            ("Macintosh, at an end", b"Andr\x8e;2\r\n"),
            ("MS-DOS, at an end", b"Andr\x82;2\r\n"),
            ("Windows-1250", b"Le\x9cniak;1\r\n"),
        ] {
            assert!(!is_encoding_known(bytes), "{page}");
        }
        for (text, bytes) in [
            ("marks", &b"O\x92Brien \x93the Owl\x94 \x96 5\x80\x85 M\xfcller\x97Meier\x99"[..]),
            ("marks only", b"it\x92s \x93so\x94\x85"),
            ("French", b"Ren\xe9 C\x9cur;1"),
            ("UTF-8", "Šime Žižek; œ".as_bytes()),
            ("UTF-16", b"\xff\xfeJ\0\x94\0r\0"),
            ("nothing", b""),
        ] {
            assert!(is_encoding_known(bytes), "{text}");
        }
    }

    #[test]
    fn half_a_character_is_lost_and_nothing_else() {
        assert_eq!(decoded(b"\xff\xfeA\0\x00\xd8B\0"), "A\u{fffd}B", "a half of a pair");
        assert_eq!(decoded(b"\xff\xfeA\0B"), "A\u{fffd}", "an odd byte at the end");
        assert_eq!(decoded(b""), "");
    }
}
