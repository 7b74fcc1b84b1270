//! Days that people type, in the language of the page. A browser's own field for days sends them as the API writes them.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use chrono::{NaiveDate, NaiveDateTime};

use super::form::Form;
use super::visitor::{self, Visitor};
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
    form: Form,
    wrong: Option<Problem>,
}

impl AskedDays {
    pub fn of(visitor: &Visitor) -> Self {
        let form = visitor.asked();
        let day = |field| form.some(field).map(|typed| day(&visitor.t, field, typed)).transpose();
        let (from, until) = (day("from"), day("until"));
        let wrong = from.as_ref().err().or(until.as_ref().err()).cloned();
        Self { from: from.ok().flatten(), until: until.ok().flatten(), form, wrong }
    }

    /// The frame of the page, with what is wrong above it.
    pub fn frame(&self, visitor: &Visitor, title: &str, tab: Tab) -> Frame {
        match &self.wrong {
            Some(problem) => visitor.frame_about(title, Some(tab), problem),
            None => visitor.frame(title, Some(tab)),
        }
    }

    /// The answer with the page, whose form has the days as they were typed if one of them is wrong.
    pub fn answer(&self, visitor: &Visitor, page: askama::Result<String>) -> Result<HttpResponse, Problem> {
        match &self.wrong {
            Some(problem) => {
                let page = visitor::html(visitor::status(problem), page)?;
                Ok(self.form.kept_in_question(page, problem, visitor))
            }
            None => visitor::html(StatusCode::OK, page),
        }
    }
}
