//! The formats side by side, for files of an unknown one.

use std::str::FromStr;

#[cfg(not(feature = "serde"))]
use super::Reason;
#[cfg(feature = "serde")]
use super::json;
use super::{Record, Replay, TextError, Unwritable, mat, sgf};
use crate::InvalidValue;
use crate::variant::Variant;

/// A file format for records.
///
/// ```
/// use owlbox_engine::record::format::Format;
/// use owlbox_engine::record::replay;
///
/// let file = b"(;GM[6]PW[Ann]PB[Bob];W[31hefe])";
/// let record = Format::detect(file).read(file)?;
/// let text = Format::Mat.write(&replay(&record)?)?;
/// assert!(text.contains("31: 8/5 6/5"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// [Match text](mat), with the extension `.mat`.
    Mat,
    /// [Smart Game Format](sgf) for backgammon.
    Sgf,
    /// The JSON that GNU Backgammon exports. Without the feature `serde` it is refused, both ways.
    Json,
}

/// The reason why a record was not written.
///
/// ```
/// use owlbox_engine::record::format::{Format, NotWritten};
/// use owlbox_engine::record::{Record, Unwritable, replay};
///
/// let record = Record::default();
/// let refused = Format::Sgf.write(&replay(&record)?);
/// assert_eq!(refused, Err(NotWritten::Unwritable(Unwritable::NoGames)));
/// # Ok::<(), owlbox_engine::record::ReplayError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotWritten {
    /// The format cannot express the record.
    #[error(transparent)]
    Unwritable(#[from] Unwritable),
    /// The JSON could not be made. Without the feature `serde`, it never can.
    #[error("{0}")]
    Json(String),
}

/// The message about JSON without the feature.
#[cfg(not(feature = "serde"))]
const WITHOUT_SERDE: &str = "JSON takes the feature `serde` of owlbox-engine";

impl Format {
    /// The format of a file by its first character: JSON begins with a brace, SGF with a round bracket, match
    /// text with neither.
    ///
    /// ```
    /// use owlbox_engine::record::format::Format;
    ///
    /// assert_eq!(Format::detect(b"(;GM[6])"), Format::Sgf);
    /// assert_eq!(Format::detect(b" 7 point match"), Format::Mat);
    /// ```
    #[must_use]
    pub fn detect(bytes: &[u8]) -> Self {
        // A byte order mark and the zeros of UTF-16 come before it.
        match bytes.iter().find(|byte| byte.is_ascii_graphic()) {
            Some(b'{') => Self::Json,
            Some(b'(') => Self::Sgf,
            _ => Self::Mat,
        }
    }

    /// Reads a file of this format. If it does not name a variant, it is backgammon.
    ///
    /// # Errors
    /// [`TextError`] at the place of the first fault.
    pub fn read(self, bytes: &[u8]) -> Result<Record, TextError> {
        self.read_as(Variant::Standard, bytes)
    }

    /// Reads a file of this format. If it does not name a variant, it is `variant`.
    ///
    /// # Errors
    /// [`TextError`] at the place of the first fault.
    pub fn read_as(self, variant: Variant, bytes: &[u8]) -> Result<Record, TextError> {
        match self {
            Self::Mat => mat::read_as(variant, bytes),
            Self::Sgf => sgf::read_as(variant, bytes),
            Self::Json => read_json(variant, bytes),
        }
    }

    /// Writes a file of this format. JSON is on one line.
    ///
    /// # Errors
    /// [`NotWritten`] if the format cannot express the record.
    pub fn write(self, replay: &Replay<'_>) -> Result<String, NotWritten> {
        Ok(match self {
            Self::Mat => mat::write(replay)?,
            Self::Sgf => sgf::write(replay)?,
            Self::Json => write_json(replay)?,
        })
    }
}

#[cfg(feature = "serde")]
fn read_json(variant: Variant, bytes: &[u8]) -> Result<Record, TextError> {
    json::read_as(variant, bytes)
}

#[cfg(not(feature = "serde"))]
fn read_json(_: Variant, _: &[u8]) -> Result<Record, TextError> {
    Err(TextError { line: 1, column: 1, reason: Reason::Json(WITHOUT_SERDE.to_owned()) })
}

#[cfg(feature = "serde")]
fn write_json(replay: &Replay<'_>) -> Result<String, NotWritten> {
    let text = serde_json::to_string(&json::write(replay)?);
    text.map(|text| text + "\n").map_err(|error| NotWritten::Json(error.to_string()))
}

#[cfg(not(feature = "serde"))]
fn write_json(_: &Replay<'_>) -> Result<String, NotWritten> {
    Err(NotWritten::Json(WITHOUT_SERDE.to_owned()))
}

impl FromStr for Format {
    type Err = InvalidValue;
    fn from_str(name: &str) -> Result<Self, InvalidValue> {
        match name {
            "mat" => Ok(Self::Mat),
            "sgf" => Ok(Self::Sgf),
            "json" => Ok(Self::Json),
            _ => Err(InvalidValue { what: "format", allowed: "mat, sgf or json" }),
        }
    }
}
