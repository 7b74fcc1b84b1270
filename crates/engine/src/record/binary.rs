//! Files that are no text, by what they are: people choose a program's own file instead of the text it
//! exports.

use strum::{IntoStaticStr, VariantArray};

/// A kind of file that holds no text, recognised by how it begins.
///
/// ```
/// use owlbox_engine::record::{Binary, Reason, mat};
///
/// let error = mat::read(b"RGMH\x01\0\0\0").unwrap_err();
/// assert_eq!(error.reason, Reason::Binary(Binary::ExtremeGammon));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[strum(serialize_all = "snake_case")]
#[non_exhaustive]
pub enum Binary {
    /// A match or position of eXtreme Gammon: `.xg`, `.xgp`.
    ExtremeGammon,
    /// A match of BGBlitz: `.bgf`.
    BgBlitz,
    /// A position of Jellyfish: `.pos`.
    Jellyfish,
    /// Compressed with gzip, bzip2, xz or zstd.
    Compressed,
    /// An archive: ZIP, which office documents are too, 7z or RAR.
    Archive,
    /// A PDF document.
    Pdf,
    /// A document of a word processor.
    Document,
    /// A picture.
    Picture,
    /// Anything else that is no text, such as the matches that Snowie keeps.
    Other,
}

impl Binary {
    /// The kind of file that `bytes` begin, or `None` for text.
    ///
    /// Also what a browser has made of the bytes is recognised, as it may have read them as text.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let first_line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let first_line = first_line.get(..first_line.len().min(200)).unwrap_or_default();
        let says =
            |word: &[u8]| first_line.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word));
        let begins = |starts: &[&[u8]]| starts.iter().any(|start| bytes.starts_with(start));
        match bytes {
            _ if begins(&[b"RGMH"]) => Some(Self::ExtremeGammon),
            // One line of JSON, and then no text.
            [b'{', ..] if says(b"\"smile\"") || says(b"\"usesmile\"") || says(b"\"bgf\"") => {
                Some(Self::BgBlitz)
            }
            // The version, and then the kind of game: two numbers of two bytes.
            [124..=126, 0, _, 0, ..] => Some(Self::Jellyfish),
            _ if begins(&[b"\x1f\x8b", "\x1f\u{fffd}\x08".as_bytes(), "\x1f\u{2039}\x08".as_bytes()]) => {
                Some(Self::Compressed)
            }
            _ if begins(&[b"BZh", b"\xfd7zXZ\0", b"(\xb5/\xfd"]) => Some(Self::Compressed),
            _ if begins(&[b"PK\x03\x04", b"7z\xbc\xaf\x27\x1c", b"Rar!"]) => Some(Self::Archive),
            _ if begins(&[b"%PDF"]) => Some(Self::Pdf),
            _ if begins(&[b"{\\rtf", b"\xd0\xcf\x11\xe0"]) => Some(Self::Document),
            _ if begins(&[
                b"\x89PNG",
                b"\xff\xd8\xff",
                b"GIF8",
                "\u{fffd}PNG".as_bytes(),
                "‰PNG".as_bytes(),
            ]) =>
            {
                Some(Self::Picture)
            }
            // No text has this character. Text of two bytes a character has been recognised before.
            _ if bytes.contains(&0) => Some(Self::Other),
            _ => None,
        }
    }

    /// What the file is, in English.
    #[must_use]
    pub const fn what(self) -> &'static str {
        match self {
            Self::ExtremeGammon => {
                "this is eXtreme Gammon's own file, which is not text: export the match as text"
            }
            Self::BgBlitz => "this is BGBlitz's own file, which is not text: export the match as text",
            Self::Jellyfish => "this is a position of Jellyfish, which is not text: export the match as text",
            Self::Compressed => "this file is compressed: unpack it first",
            Self::Archive => {
                "this is an archive or an office document: unpack it, or export the match as text"
            }
            Self::Pdf => "this is a PDF document: export the match as text",
            Self::Document => "this is a word processor's document: save it as plain text",
            Self::Picture => "this is a picture: export the match as text",
            Self::Other => "this is not a text file: export the match as text",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::text::Reason;
    use crate::record::{mat, sgf};

    /// The beginning of a file of each kind.
    const BEGINNINGS: [(Binary, &[u8]); 16] = [
        (Binary::ExtremeGammon, b"RGMH\x01\0\0\0\x28\x20\0\0"),
        (
            Binary::BgBlitz,
            b"{ \"format\":\"BGF\", \"version\":\"1.0\",\"compress\":true,\"useSmile\":true}\n\x1f\x8b\x08",
        ),
        (
            Binary::BgBlitz,
            b"{\"version\":\"0.1\",\"compression\":\"gzip\",\"encoding\":\"smile\"}\n:)\n\x01\xfa",
        ),
        (Binary::Jellyfish, b"\x7e\0\x01\0\0\0\x03\0"),
        (Binary::Compressed, b"\x1f\x8b\x08\0\0\0"),
        (Binary::Compressed, "\x1f\u{fffd}\x08\0\0".as_bytes()),
        (Binary::Compressed, b"BZh91AY&SY"),
        (Binary::Archive, b"PK\x03\x04\x14\0"),
        (Binary::Archive, b"7z\xbc\xaf\x27\x1c\0\x04"),
        (Binary::Pdf, b"%PDF-1.7\n%\xe2\xe3\xcf\xd3"),
        (Binary::Document, b"{\\rtf1\\ansi 7 point match}"),
        (Binary::Document, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
        (Binary::Picture, b"\x89PNG\r\n\x1a\n\0\0"),
        (Binary::Picture, "\u{fffd}PNG\r\n\x1a\n".as_bytes()),
        (Binary::Picture, b"\xff\xd8\xff\xe0\0\x10JFIF"),
        (Binary::Other, b"SQLite format 3\0\x10\0"),
    ];

    #[test]
    fn a_file_that_is_no_text_is_named_as_what_it_is_in_every_format() {
        for kind in Binary::VARIANTS {
            assert!(BEGINNINGS.iter().any(|(known, _)| known == kind), "{kind:?}");
        }
        for (kind, bytes) in BEGINNINGS {
            let bytes = [bytes, &[0xe9; 900]].concat();
            for read in [mat::read(&bytes), sgf::read(&bytes)] {
                assert_eq!(read.unwrap_err().reason, Reason::Binary(kind), "{bytes:?}");
            }
            #[cfg(feature = "serde")]
            assert_eq!(crate::record::json::read(&bytes).unwrap_err().reason, Reason::Binary(kind));
        }
    }

    #[test]
    fn text_is_no_binary_file_whatever_it_begins_with() {
        for text in
            ["", "7 point match", "; PDF", "{\"match-info\": {}}", "(;GM[6])", "~ 7", "RGM", "PK", "BZ"]
        {
            assert_eq!(Binary::of(text.as_bytes()), None, "{text}");
        }
    }
}
