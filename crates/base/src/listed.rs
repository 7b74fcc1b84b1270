//! Defines an enum of refusals as one table: what each means, its code, its message, the field to blame and
//! what would have been allowed.

/// Defines an enum of refusals: `Name { .. } = Code at "field", "message", instead Allowed::..;`. The field
/// and what would have been allowed are optional, and like the message they may use the variant's fields. The
/// optional part after `=>` is the variant for what the engine refuses in a refereed game; its code follows
/// from the engine's refusal. `Allowed` is the caller's own.
#[macro_export]
macro_rules! refusals {
    (@option) => { None };
    (@option $value:expr) => { Some($value) };
    ($(#[$enum_doc:meta])* pub enum $enum:ident;
    $($(#[$doc:meta])* $name:ident $({ $($(#[$field_doc:meta])* $field:ident : $type:ty),* $(,)? })?
        = $code:ident $(at $place:expr)?, $message:literal $(, instead $allowed:expr)?;)*
    $(=> $(#[$board_doc:meta])* $board:ident { $(#[$refusal_doc:meta])* $refusal:ident : $refusal_type:ty, }
        at $board_place:expr, $board_message:literal;)?) => {
        $(#[$enum_doc])*
        #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
        pub enum $enum {
            $($(#[$doc])* #[error($message)] $name $({ $($(#[$field_doc])* $field: $type),* })?,)*
            $($(#[$board_doc])* #[error($board_message)] $board { $(#[$refusal_doc])* $refusal: $refusal_type },)?
        }

        impl $enum {
            /// Every code of this enum, except those of the engine that a refereed game adds.
            pub const CODES: &'static [$crate::code::Code] = &[$($crate::code::Code::$code),*];

            /// The code that clients tell this refusal by.
            #[must_use]
            pub const fn code(&self) -> $crate::code::Code {
                match self {
                    $(Self::$name { .. } => $crate::code::Code::$code,)*
                    $(Self::$board { $refusal } => $crate::code::Code::of_board($refusal),)?
                }
            }

            /// The field of the command that is to blame, if a single one is.
            #[must_use]
            #[allow(unused_variables, reason = "few fields name the one to blame")]
            pub const fn field(&self) -> Option<&'static str> {
                match self {
                    $(Self::$name { $($($field),*)? } => $crate::refusals!(@option $($place)?),)*
                    $(Self::$board { .. } => Some($board_place),)?
                }
            }

            /// What would have been allowed, or what is in the way; `None` if nothing.
            #[must_use]
            #[allow(unused_variables, reason = "not every field is of use to the caller")]
            pub fn allowed(&self) -> Option<Allowed> {
                match self {
                    $(Self::$name { $($($field),*)? } => $crate::refusals!(@option $($allowed)?),)*
                    $(Self::$board { .. } => None,)?
                }
            }
        }
    };
}
