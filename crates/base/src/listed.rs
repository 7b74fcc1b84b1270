//! Defines an enum of refusals together with its list of codes, so that the two cannot drift apart.

/// Defines an enum of refusals with their codes and messages. The optional part after `=>` is the variant for
/// what the engine refuses in a refereed game; its code follows from the engine's refusal.
#[macro_export]
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
        }
    };
}
