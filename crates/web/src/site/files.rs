//! Serves the files a browser loads.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};

use crate::problem::{self, Problem};
use owlbox_pages::assets;

/// An embedded file, cached for ever under its hashed address and revalidated under its plain one.
pub(super) async fn asset(path: web::Path<String>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let (asset, keep) = assets::at(&path).ok_or_else(problem::not_found)?;
    let seen = request.headers().get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
    let unchanged = seen.is_some_and(|tags| tags == "*" || tags.split(',').any(|tag| is(tag, &asset.etag)));
    let mut answer = if unchanged { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    answer
        .insert_header((header::CACHE_CONTROL, keep))
        .insert_header((header::ETAG, asset.etag.clone()))
        .content_type(asset.content_type);
    Ok(if unchanged { answer.finish() } else { answer.body(asset.bytes) })
}

/// Whether the browser's tag is this one. Proxies that compress turn it into a weak tag.
fn is(tag: &str, etag: &str) -> bool {
    let tag = tag.trim();
    tag.strip_prefix("W/").unwrap_or(tag) == etag
}
