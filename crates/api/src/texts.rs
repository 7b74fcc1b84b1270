//! Files as text, in whatever encoding they are.

use actix_web::{post, web};
use serde::Serialize;

use super::Routes;
use owlbox_base::code::Code;
use owlbox_http::ask::{Uploaded, text_of};
use owlbox_http::problem::Problem;

pub fn configure(config: &mut impl Routes) {
    config.service(read_text);
}

/// The characters of a file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct FileText {
    /// For the `csv` of an import, or the `text` of a match.
    pub text: String,
}

/// Reads a file as text, in whatever encoding its program has written it.
///
/// The body is the file itself: UTF-8, UTF-16 with its mark, or Windows-1252, as spreadsheets save it.
/// Nothing is kept.
#[cfg_attr(test, utoipa::path(
    request_body(content = String, content_type = "application/octet-stream", description = "The file", example = json!("player,unit,amount\nMaria,EUR,12.50\n")),
    responses((status = 200, body = FileText), (status = 422, body = Problem))
))]
#[post("/texts")]
async fn read_text(file: Uploaded) -> Result<web::Json<FileText>, Problem> {
    if file.0.is_empty() {
        return Err(Problem::new(Code::BadFile, "there is no file"));
    }
    Ok(web::Json(FileText { text: text_of(&file.0)?.into_owned() }))
}
