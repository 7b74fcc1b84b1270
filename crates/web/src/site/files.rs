//! Serves the files a browser loads.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};

use crate::etag::client_has;
use crate::problem::{self, Problem};
use owlbox_pages::assets;

/// An embedded file, cached for ever under its hashed address and revalidated under its plain one.
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
