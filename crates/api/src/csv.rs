//! Answers that are also given as CSV, for spreadsheets.

use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};

use owlbox_http::clubs;
use owlbox_http::problem::Problem;
use owlbox_http::session;
use owlbox_locale::spreadsheet::Spreadsheet;
use owlbox_locale::url;
use owlbox_locale::{Language, Locale};

pub(super) use owlbox_books::ledger::export::quoted;

/// The format of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, schema(as = AnswerFormat))]
pub(super) enum Format {
    /// JSON.
    #[default]
    Json,
    /// CSV for a spreadsheet.
    Csv,
}

/// Who is to read a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, schema(as = CsvReader))]
pub(super) enum Reader {
    /// A person, in their spreadsheet: byte order mark, separator, decimal mark, headings, points and amounts
    /// as there.
    Spreadsheet,
}

impl Reader {
    /// How the reader of a table reads, if it is a person: in the language that the request names, else in
    /// that of the browser, else in the club's.
    pub async fn locale(
        reader: Option<Self>,
        language: Option<Language>,
        request: &HttpRequest,
    ) -> Result<Option<Locale>, Problem> {
        let Some(Self::Spreadsheet) = reader else { return Ok(None) };
        let club = clubs::service(request)?.desk.club().await?;
        let settings = club.state.settings().cloned().unwrap_or_default();
        let language = language.or_else(|| session::chosen_language(request)).unwrap_or(settings.language);
        Ok(Some(Locale::new(language, settings.time_zone.0)))
    }
}

impl Format {
    /// The answer in this format; as CSV it is saved under `file`, and written for `reader`'s spreadsheet if
    /// there is one.
    pub fn answer(
        self,
        body: &impl Serialize,
        file: &str,
        reader: Option<Locale>,
        csv: impl FnOnce() -> String,
    ) -> HttpResponse {
        match self {
            Self::Json => HttpResponse::Ok().json(body),
            Self::Csv => HttpResponse::Ok()
                .content_type("text/csv; charset=utf-8")
                .insert_header(("Content-Disposition", saved_as(file)))
                .body(match reader {
                    Some(t) => Spreadsheet::table(t, &csv()),
                    None => csv(),
                }),
        }
    }
}

/// The header that saves an answer under this name. A name with other letters than a header takes is encoded.
pub(super) fn saved_as(file: &str) -> String {
    let is_plain = file.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\' | b';'));
    match is_plain {
        true => format!("attachment; filename=\"{file}\""),
        false => format!("attachment; filename*=UTF-8''{}", url::encoded(file)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_quoted_and_never_a_formula() {
        assert_eq!(quoted("Open di \"Torino\", 2026"), "\"Open di \"\"Torino\"\", 2026\"");
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "＝1+1", "＋1", "－1", "＠SUM(A1)"] {
            assert_eq!(quoted(formula), format!("\"'{formula}\""));
        }
    }

    /// S10: a spreadsheet of another language ends a cell at a semicolon or a tab.
    #[test]
    fn a_formula_is_shielded_after_every_separator() {
        for (text, shielded) in [
            ("x;=1+1", "x;'=1+1"),
            ("x;=cmd|'/C calc'!A0;y", "x;'=cmd|'/C calc'!A0;y"),
            ("x\t+1", "x\t'+1"),
            ("x,@SUM(A1)", "x,'@SUM(A1)"),
            ("x|-1", "x|'-1"),
            ("x; -1", "x;' -1"),
            ("x;\"=1", "x;'\"\"=1"),
            ("x;＝1", "x;'＝1"),
            ("x;;=1", "x;;'=1"),
            ("=a;=b", "'=a;'=b"),
            ("x\n=1", "x\n'=1"),
            ("a-b; c=d, e+f", "a-b; c=d, e+f"),
            ("a fee of 20,- a year", "a fee of 20,- a year"),
        ] {
            assert_eq!(quoted(text), format!("\"{shielded}\""));
        }
    }
}
