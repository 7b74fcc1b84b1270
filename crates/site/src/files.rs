//! Serves the files a browser loads, and reads those that people choose.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::{StatusCode, header};
use actix_web::{FromRequest, HttpRequest, HttpResponse, web};

use super::visitor::Visitor;
use crate::pages::assets;
use owlbox_desk::{Refused, Unauthorised};
use owlbox_engine::record::{Binary, is_encoding_known};
use owlbox_http::ask;
use owlbox_http::clubs;
use owlbox_http::etag::client_has;
use owlbox_http::problem::{self, Problem};
use owlbox_http::session::Session;

/// An embedded file, cached forever under its hashed address and revalidated under its plain one.
pub(super) async fn asset(path: web::Path<String>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let (asset, keep) = assets::at(&path).ok_or_else(problem::not_found)?;
    let unchanged = asset.etag.parse().is_ok_and(|tag| client_has(&request, &tag));
    let mut answer = if unchanged { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    answer
        .insert_header((header::CACHE_CONTROL, keep))
        .insert_header((header::ETAG, asset.etag.clone()))
        .content_type(asset.content_type);
    Ok(if unchanged { answer.finish() } else { answer.body(asset.bytes) })
}

/// A file that somebody chose in a form of one of our pages. Its bytes come here because a browser's script
/// reads every file as UTF-8.
pub(super) struct Chosen(web::BytesMut);

impl FromRequest for Chosen {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let payload = payload.take();
        Box::pin(async move {
            let session = Session::of_request(&request)?;
            session.check_form(&request, None)?;
            session.caller.ok_or(Refused::Unauthorised(Unauthorised::Missing))?;
            let limit = clubs::of_process(&request).http().body_limit;
            Ok(Self(ask::bytes(&request, payload, limit).await?))
        })
    }
}

/// The text of a file, for the field that it was chosen for; of one that is no text, what it is.
pub(super) async fn text(visitor: Visitor, file: Chosen) -> Result<HttpResponse, Problem> {
    let what = Binary::of(&file.0).map(|binary| <&str>::from(&binary).replace('_', "-"));
    let (status, text) = match (ask::text_of(&file.0), what) {
        (Ok(text), _) => (StatusCode::OK, text.into_owned()),
        (Err(_), Some(what)) => (StatusCode::UNPROCESSABLE_ENTITY, visitor.t.get(&format!("file-{what}"))),
        (Err(_), None) => {
            let why = if is_encoding_known(&file.0) { "file-unreadable" } else { "file-encoding" };
            (StatusCode::UNPROCESSABLE_ENTITY, visitor.t.get(why))
        }
    };
    Ok(HttpResponse::build(status).content_type("text/plain; charset=utf-8").body(text))
}
