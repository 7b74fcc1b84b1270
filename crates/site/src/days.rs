//! Days that people type, in the language of the page. A browser's own field for days sends them as the API
//! writes them.

use chrono::{NaiveDate, NaiveDateTime};

use super::visitor::Visitor;
use owlbox_books::typed;
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;

/// The day that was typed in a field.
///
/// # Errors
/// `invalid_day` or `ambiguous_day`, at that field.
pub(super) fn day(t: &Locale, field: &'static str, typed: &str) -> Result<NaiveDate, Problem> {
    typed::day(typed, t.writing()).map_err(|unread| Problem::of_day(field, unread))
}

/// The day and the time of it that were typed in a field.
///
/// # Errors
/// `invalid_day` or `ambiguous_day`, at that field.
pub(super) fn moment(t: &Locale, field: &'static str, typed: &str) -> Result<NaiveDateTime, Problem> {
    typed::moment(typed, t.writing()).map_err(|unread| Problem::of_day(field, unread))
}

/// The first and the last day that a page is asked for in its address. One that cannot be read does not limit
/// the page, which says so at its field.
pub(super) struct AskedDays {
    pub from: Option<NaiveDate>,
    pub until: Option<NaiveDate>,
}

impl AskedDays {
    /// The days, and the visitor: refused if one of them is wrong, so that the page has them as they were
    /// typed.
    pub fn of(visitor: Visitor) -> (Self, Visitor) {
        let form = visitor.asked();
        let day = |field| form.some(field).map(|typed| day(&visitor.t, field, typed)).transpose();
        let (from, until) = (day("from"), day("until"));
        let visitor = match from.as_ref().err().or(until.as_ref().err()) {
            Some(wrong) => visitor.refused("", &form, wrong),
            None => visitor,
        };
        (Self { from: from.ok().flatten(), until: until.ok().flatten() }, visitor)
    }
}
