//! Where people say something in the events of a stream. Events hold ids, never names; but people type free
//! text, a memo or the name of a table, and it may name somebody or be about somebody.

use strum::VariantArray as _;

use super::Aggregate;
use crate::values::PlayerId;

/// The free text in the events of a stream.
pub trait FreeText: Aggregate {
    /// The keys, at any depth of the payload of such an event in any format, under which there is text that
    /// somebody typed.
    fn text_keys(kind: Self::Kind) -> &'static [&'static str];

    /// Whether its texts are names by which things are told apart: then what had two names keeps two.
    const NAMES: bool = false;

    /// Whether whatever is said in the event is about this player. `self` is the stream as it is now.
    fn is_about(&self, _event: &Self::Event, _player: PlayerId) -> bool {
        false
    }
}

/// The kinds of events of a stream that hold free text.
pub fn kinds_with_text<A: FreeText>() -> impl Iterator<Item = A::Kind> {
    A::Kind::VARIANTS.iter().copied().filter(|kind| !A::text_keys(*kind).is_empty())
}
