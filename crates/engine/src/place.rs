//! The places where checkers stand, and sets of them.

/// A place where a checker can be, as its own side counts: 0 borne off, 1 to 24 the points, 25 the bar.
///
/// ```
/// use owlbox_engine::{BAR, OFF, Place};
///
/// let points: Vec<Place> = (OFF + 1..BAR).collect();
/// assert_eq!(points.len(), 24);
/// ```
pub type Place = u8;

/// The place of checkers that have been borne off.
pub const OFF: Place = 0;
/// The place of checkers that have been hit and have not entered yet.
pub const BAR: Place = 25;

/// A set of places, one bit each.
pub(super) type Places = u32;
/// The points 1 to 24.
pub(super) const POINTS: Places = 0x01ff_fffe;
/// The mover's home, the points 1 to 6.
pub(super) const HOME: Places = 0x7e;
/// The places outside home. While a checker is on one of them, none may be borne off (G11, G12).
pub(super) const OUTSIDE: Places = 0x03ff_ff80;

/// The point `place` as the other side counts it, where the sides move against each other. The bar becomes 0.
///
/// ```
/// use owlbox_engine::place::across;
/// use owlbox_engine::{BAR, OFF};
///
/// assert_eq!((across(24), across(BAR)), (1, OFF));
/// ```
#[must_use]
pub const fn across(place: Place) -> Place {
    BAR - place
}

/// The same set of places as the other side counts them, where the sides move against each other.
pub(super) const fn all_across(places: Places) -> Places {
    // Reversed, bit `p` is bit `31 - p`; across, it is `25 - p`.
    places.reverse_bits() >> 6
}

/// The lowest place of a non-empty set.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "a place is less than 32")]
pub(super) const fn lowest(places: Places) -> Place {
    places.trailing_zeros() as Place
}

/// The highest place of a non-empty set.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "a place is less than 32")]
pub(super) const fn highest(places: Places) -> Place {
    (Places::BITS - 1 - places.leading_zeros()) as Place
}

/// The places of a set, from the lowest.
pub(super) fn bits(mut places: Places) -> impl Iterator<Item = Place> {
    std::iter::from_fn(move || {
        (places != 0).then(|| {
            let place = lowest(places);
            places &= places - 1;
            place
        })
    })
}
