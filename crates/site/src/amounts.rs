//! Amounts in words, in whichever unit they are: points, or money of a currency.

use owlbox_base::values::{HalfPoints, MinorUnits};
use owlbox_books::ledger::Unit;
use owlbox_locale::{Amount, Locale};

use owlbox_http::problem::Problem;

/// What was typed at this place of a form as an amount: zero or above, in units of its unit.
///
/// # Errors
/// A problem at that place.
pub(super) fn typed(t: &Locale, place: &str, typed: &str, unit: Unit) -> Result<i64, Problem> {
    t.amount_typed(typed, unit).map_err(|unread| Problem::unread(place, unread))
}

/// An amount in a unit.
pub(super) fn amount(t: &Locale, unit: Unit, amount: i64) -> Amount {
    match unit {
        Unit::HalfPoints => t.points(HalfPoints(amount)),
        Unit::Money(currency) => t.money(MinorUnits(amount), currency),
    }
}

/// An amount without a sign, where the payer and the payee are named.
pub(super) fn how_much(t: &Locale, unit: Unit, amount: i64) -> String {
    match unit {
        Unit::Money(currency) => t.how_much(MinorUnits(amount), currency),
        Unit::HalfPoints if amount.unsigned_abs() <= 2 => {
            t.with("one-point", "points", t.how_many(HalfPoints(amount)))
        }
        Unit::HalfPoints => t.with("some-points", "points", t.how_many(HalfPoints(amount))),
    }
}

/// An amount in a column whose heading names the unit.
pub(super) fn alone(t: &Locale, unit: Unit, units: i64) -> Amount {
    match unit {
        Unit::HalfPoints => amount(t, Unit::HalfPoints, units),
        Unit::Money(currency) => t.money_alone(MinorUnits(units), currency),
    }
}
