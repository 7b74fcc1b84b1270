//! The OpenAPI document of the API: the file `openapi.json`.
//!
//! A test holds it to what the handlers and their types declare (`tests/compose`): a service that serves the
//! file has no use for that.

use std::sync::OnceLock;

use actix_web::{HttpResponse, web};
use serde_json::Value;

use owlbox_http::config::Limits;

/// The document, with the usual limits.
const COMPOSED: &str = include_str!("openapi.json");

/// The OpenAPI document as text. It is written out when somebody first asks for it.
pub struct Document {
    limits: Limits,
    text: OnceLock<web::Bytes>,
}

impl Document {
    /// The document of a service with these limits.
    #[must_use]
    pub const fn new(limits: Limits) -> Self {
        Self { limits, text: OnceLock::new() }
    }

    fn text(&self) -> serde_json::Result<web::Bytes> {
        if let Some(text) = self.text.get() {
            return Ok(text.clone());
        }
        let text = serde_json::to_string_pretty(&document(&self.limits)?)?;
        Ok(self.text.get_or_init(|| text.into()).clone())
    }
}

/// The OpenAPI document of the API, as served with these limits.
///
/// # Errors
/// The file is not JSON.
pub fn document(limits: &Limits) -> serde_json::Result<Value> {
    let mut document = serde_json::from_str(COMPOSED)?;
    bound_pages(&mut document, limits);
    Ok(document)
}

/// Says of every `limit` in a query how large a page may be, and is if nothing is said.
fn bound_pages(document: &mut Value, limits: &Limits) {
    let parameters = operations_mut(document)
        .filter_map(|operation| operation.get_mut("parameters")?.as_array_mut())
        .flatten();
    for parameter in parameters.filter(|parameter| parameter["name"] == "limit") {
        parameter["schema"]["maximum"] = limits.page_size_max.into();
        parameter["schema"]["default"] = limits.page_size.into();
    }
}

/// Every operation of a document.
fn operations_mut(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    let paths = document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    paths.filter_map(Value::as_object_mut).flat_map(|methods| methods.values_mut())
}

/// `/api/v1/openapi.json`
pub(super) async fn show(document: web::Data<Document>) -> HttpResponse {
    match document.text() {
        Ok(text) => HttpResponse::Ok().content_type("application/json").body(text),
        Err(error) => {
            tracing::error!(%error, "the OpenAPI document cannot be shown");
            HttpResponse::InternalServerError().finish()
        }
    }
}

#[cfg(test)]
mod tests;
