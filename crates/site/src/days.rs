//! Days that people type, in the language of the page. A browser's own field for days sends them as the API writes them.

use actix_web::http::StatusCode;
use chrono::{NaiveDate, NaiveDateTime};

use super::refused::RefusedForm;
use super::visitor::Visitor;
use crate::pages::{Frame, Tab};
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

/// The first and the last day that a page is asked for in its address. One that cannot be read does not limit the page,
/// which says so at its field.
pub(super) struct AskedDays {
    pub from: Option<NaiveDate>,
    pub until: Option<NaiveDate>,
    wrong: Option<RefusedForm>,
}

impl AskedDays {
    pub fn of(visitor: &Visitor) -> Self {
        let form = visitor.asked();
        let day = |field| form.some(field).map(|typed| day(&visitor.t, field, typed)).transpose();
        let (from, until) = (day("from"), day("until"));
        let wrong = from.as_ref().err().or(until.as_ref().err());
        let wrong = wrong.map(|problem| RefusedForm::of_question(visitor, &form, problem));
        Self { from: from.ok().flatten(), until: until.ok().flatten(), wrong }
    }

    /// The frame of the page, which has the days as they were typed if one of them is wrong, and the status of the answer.
    pub fn frame(self, visitor: &Visitor, title: &str, tab: Tab) -> (Frame, StatusCode) {
        visitor.frame_again(title, Some(tab), self.wrong)
    }
}
