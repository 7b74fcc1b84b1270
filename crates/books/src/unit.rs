//! What amounts are counted in: the score, or money.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use owlbox_base::values::{Currency, InvalidValue};

/// The unit of an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Unit {
    /// The score, in whole half points. Written `half_points`.
    HalfPoints,
    /// Money, in whole minor units of a currency. Written as its code, `EUR`.
    Money(Currency),
}

impl Unit {
    const HALF_POINTS: &'static str = "half_points";
}
#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Unit {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::schema::{ObjectBuilder, Type};
        let text = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^(half_points|[A-Z]{3})$"));
        let about = "`half_points`, or a currency's code: then amounts are its minor units.";
        text.description(Some(about)).examples(["EUR"]).build().into()
    }
}
#[cfg(feature = "schema")]
impl utoipa::ToSchema for Unit {
    fn name() -> std::borrow::Cow<'static, str> {
        "Unit".into()
    }
}
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HalfPoints => f.write_str(Self::HALF_POINTS),
            Self::Money(currency) => currency.fmt(f),
        }
    }
}
impl FromStr for Unit {
    type Err = InvalidValue;
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        if text == Self::HALF_POINTS { Ok(Self::HalfPoints) } else { text.parse().map(Self::Money) }
    }
}
impl TryFrom<String> for Unit {
    type Error = InvalidValue;
    fn try_from(text: String) -> Result<Self, InvalidValue> {
        text.parse()
    }
}
impl From<Unit> for String {
    fn from(unit: Unit) -> Self {
        unit.to_string()
    }
}
