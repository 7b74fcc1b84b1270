//! Refusals made together with the list of their codes, so that the two cannot differ; and how what is tagged inside
//! something tagged is read.

/// Makes an enum of refusals with their codes and sentences; behind `=>` stands what the engine refuses in a refereed game, if
/// such a game can be played: its code follows from the engine's refusal.
macro_rules! refusals {
    ($(#[$enum_doc:meta])* pub enum $enum:ident;
    $($(#[$doc:meta])* $name:ident $({ $($(#[$field_doc:meta])* $field:ident : $type:ty),* $(,)? })? = $code:ident, $message:literal;)*
    $(=> $(#[$board_doc:meta])* $board:ident { $(#[$refusal_doc:meta])* $refusal:ident : $refusal_type:ty, }, $board_message:literal;)?) => {
        $(#[$enum_doc])*
        #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
        pub enum $enum {
            $($(#[$doc])* #[error($message)] $name $({ $($(#[$field_doc])* $field: $type),* })?,)*
            $($(#[$board_doc])* #[error($board_message)] $board { $(#[$refusal_doc])* $refusal: $refusal_type },)?
        }

        impl $enum {
            /// Every code there is, but for those of the engine that a refereed game adds.
            pub const CODES: &'static [$crate::code::Code] = &[$($crate::code::Code::$code),*];

            /// The stable code.
            #[must_use]
            pub const fn code(&self) -> $crate::code::Code {
                match self {
                    $(Self::$name { .. } => $crate::code::Code::$code,)*
                    $(Self::$board { $refusal } => $crate::code::Code::of_board($refusal),)?
                }
            }
        }
    };
}

pub(crate) use refusals;

/// Reads a tagged value that stands inside another, for `#[serde(deserialize_with)]` on a command's field.
///
/// What stands inside something tagged, serde reads from a copy, and there it takes a number for a tag: `{"of": 0}` for the
/// first variant, whichever that is today. A JSON value takes names alone.
pub(crate) fn by_name<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: serde::Deserializer<'de>,
    T: serde::de::DeserializeOwned,
{
    let value = <serde_json::Value as serde::Deserialize>::deserialize(deserializer)?;
    T::deserialize(value).map_err(serde::de::Error::custom)
}
