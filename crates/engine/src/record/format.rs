//! The formats side by side, for whoever gets a file without knowing which it is.

use std::str::FromStr;

use super::{Record, Replay, TextError, Unwritable, json, mat, sgf};
use crate::InvalidValue;
use crate::variant::Variant;

/// A format of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// [Match text](mat).
    Mat,
    /// [Smart Game Format](sgf).
    Sgf,
    /// [JSON](json).
    Json,
}

/// Why a record is not written.
#[derive(Debug, thiserror::Error)]
pub enum NotWritten {
    /// The format has no words for it.
    #[error(transparent)]
    Unwritable(#[from] Unwritable),
    /// The JSON could not be made.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

impl Format {
    /// Which format a file has, by what it begins with: JSON with a brace, SGF with a bracket, match text
    /// with neither.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        match text.trim_ascii_start().first() {
            Some(b'{') => Self::Json,
            Some(b'(') => Self::Sgf,
            _ => Self::Mat,
        }
    }

    /// Reads a file of this format.
    ///
    /// # Errors
    /// [`TextError`].
    pub fn read(self, bytes: &[u8]) -> Result<Record, TextError> {
        self.read_as(Variant::Standard, bytes)
    }

    /// Reads a file of this format, which is of that variant if it does not say.
    ///
    /// # Errors
    /// [`TextError`].
    pub fn read_as(self, variant: Variant, bytes: &[u8]) -> Result<Record, TextError> {
        match self {
            Self::Mat => mat::read_as(variant, bytes),
            Self::Sgf => sgf::read_as(variant, bytes),
            Self::Json => json::read_as(variant, bytes),
        }
    }

    /// Writes a file of this format; JSON on one line.
    ///
    /// # Errors
    /// [`NotWritten`].
    pub fn write(self, replay: &Replay<'_>) -> Result<String, NotWritten> {
        Ok(match self {
            Self::Mat => mat::write(replay)?,
            Self::Sgf => sgf::write(replay)?,
            Self::Json => serde_json::to_string(&json::write(replay)?)? + "\n",
        })
    }
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
