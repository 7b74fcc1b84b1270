//! Players, places and standings in words.

use owlbox_desk::people::players::Origin;
use owlbox_play::tournament::bracket::Place;
use owlbox_play::tournament::entry::EntryStanding;

/// Club and country of a player, as far as they are known.
pub(super) fn from_in_words(from: Option<&Origin>) -> String {
    let parts = from.map(|from| [from.club.as_deref(), from.country.as_deref()]);
    parts.into_iter().flatten().flatten().collect::<Vec<_>>().join(" · ")
}

/// A place, or shared places: `1`, `3–4`.
pub(super) fn place_in_words(place: &Place) -> String {
    let Place { best, worst, .. } = place;
    if best == worst { best.to_string() } else { format!("{best}–{worst}") }
}

/// The key of the text for an entry's standing.
pub(super) const fn standing_key(standing: EntryStanding) -> &'static str {
    match standing {
        EntryStanding::In => "standing-in",
        EntryStanding::Waiting => "standing-waiting",
        EntryStanding::Leaving => "standing-leaving",
        EntryStanding::Withdrawn => "standing-withdrawn",
        EntryStanding::Disqualified => "standing-disqualified",
        EntryStanding::EnteredAgain => "standing-entered-again",
    }
}
