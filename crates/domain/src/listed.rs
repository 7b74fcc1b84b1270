//! Enums made together with the list of their names, so that the two cannot differ: events and refusals; and how what is
//! tagged inside something tagged is read.

/// Makes an enum of events, serialised as objects tagged `"event"`, and its `kind`.
macro_rules! events {
    ($(#[$enum_doc:meta])* pub enum $enum:ident; $($(#[$doc:meta])* $name:ident $tag:literal $body:tt)*) => {
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
        #[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
        $(#[$enum_doc])*
        pub enum $enum { $($(#[$doc])* $name $body,)* }

        impl $enum {
            /// The stored name of every kind of event, the same as its serde tag.
            pub const KINDS: &'static [&'static str] = &[$($tag),*];

            /// The stored name of the event.
            #[must_use]
            pub const fn kind(&self) -> &'static str {
                match self { $(Self::$name { .. } => $tag),* }
            }
        }
    };
}

/// Makes an enum of refusals with their codes and sentences.
macro_rules! refusals {
    ($(#[$enum_doc:meta])* pub enum $enum:ident; $($(#[$doc:meta])* $name:ident $({ $($(#[$field_doc:meta])* $field:ident : $type:ty),* $(,)? })? = $code:literal, $message:literal;)*) => {
        $(#[$enum_doc])*
        #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
        pub enum $enum {
            $($(#[$doc])* #[error($message)] $name $({ $($(#[$field_doc])* $field: $type),* })?,)*
        }

        impl $enum {
            /// Every code there is.
            pub const CODES: &'static [&'static str] = &[$($code),*];

            const fn own_code(&self) -> &'static str {
                match self {
                    $(Self::$name { .. } => $code),*
                }
            }
        }
    };
}

pub(crate) use {events, refusals};

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
