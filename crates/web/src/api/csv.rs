//! Answers that are also given as CSV, for spreadsheets.

use actix_web::HttpResponse;
use serde::{Deserialize, Serialize};

pub(super) use owlbox_domain::ledger::export::quoted;

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

impl Format {
    /// The answer in this format; as CSV it is saved under `file`.
    pub fn answer(self, body: &impl Serialize, file: &str, csv: impl FnOnce() -> String) -> HttpResponse {
        match self {
            Self::Json => HttpResponse::Ok().json(body),
            Self::Csv => HttpResponse::Ok()
                .content_type("text/csv; charset=utf-8")
                .insert_header(("Content-Disposition", format!("attachment; filename=\"{file}\"")))
                .body(csv()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_quoted_and_never_a_formula() {
        assert_eq!(quoted("Open di \"Torino\", 2026"), "\"Open di \"\"Torino\"\", 2026\"");
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)"] {
            assert_eq!(quoted(formula), format!("\"'{formula}\""));
        }
    }
}
