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
