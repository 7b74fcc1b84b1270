//! Which release of the program is running.

use serde::Serialize;

/// A release of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Release {
    /// The version, as the list of changes names it.
    #[cfg_attr(feature = "schema", schema(example = "0.2.0"))]
    pub version: &'static str,
    /// The commit that it was built from; null if that is not known.
    #[cfg_attr(feature = "schema", schema(example = "cf4654cf3b1d"))]
    pub commit: Option<&'static str>,
    /// The day of that commit.
    #[cfg_attr(feature = "schema", schema(value_type = Option<chrono::NaiveDate>, example = "2026-11-30"))]
    pub committed_on: Option<&'static str>,
}
