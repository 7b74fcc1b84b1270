//! A command as it arrives: who asks, the body, `If-Match` and `Idempotency-Key`.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::{StatusCode, header};
use actix_web::{FromRequest, HttpRequest, web};
use aws_lc_rs::digest;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::caller::{self, Caller};
use super::problem::{Problem, of_json};
use crate::desk::{Idempotency, Refused, Request, Unauthorised};
use crate::journal::Version;

/// A command of somebody who is signed in.
#[derive(Debug)]
pub struct Ask<T> {
    /// Who asks, under which conditions.
    pub request: Request,
    /// What.
    pub body: T,
}

/// The longest idempotency key.
pub const LONGEST_KEY: usize = 128;

/// The conditions of a command that says everything in its address.
#[derive(Debug)]
pub struct Conditions(pub Request);

/// The body of a request that needs no sign-in.
#[derive(Debug)]
pub struct Body<T>(pub T);

type Reading<T> = Pin<Box<dyn Future<Output = Result<T, actix_web::Error>>>>;

impl<T: DeserializeOwned + 'static> FromRequest for Ask<T> {
    type Error = actix_web::Error;
    type Future = Reading<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let body = web::Bytes::from_request(&request, payload);
        Box::pin(async move {
            // Who asks comes first: a stranger learns nothing of what a body should look like.
            let caller = signed_in(&request).await?;
            let body = bytes(&request, body).await?;
            Ok(Self { request: conditions(&request, caller, &body)?, body: read(&body)? })
        })
    }
}

impl FromRequest for Conditions {
    type Error = actix_web::Error;
    type Future = Reading<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let caller = signed_in(&request).await?;
            Ok(Self(conditions(&request, caller, &[])?))
        })
    }
}

async fn signed_in(request: &HttpRequest) -> Result<Caller, Problem> {
    Ok(caller::identify(request).await?.ok_or(Refused::Unauthorised(Unauthorised::Missing))?)
}

fn conditions(request: &HttpRequest, caller: Caller, body: &[u8]) -> Result<Request, Problem> {
    Ok(Request {
        actor: caller.actor,
        expected: expected(request)?,
        idempotency: idempotency(request, body)?,
    })
}

impl<T: DeserializeOwned + 'static> FromRequest for Body<T> {
    type Error = actix_web::Error;
    type Future = Reading<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let body = web::Bytes::from_request(&request, payload);
        Box::pin(async move { Ok(Self(read(&bytes(&request, body).await?)?)) })
    }
}

/// The bytes of a body that says it is JSON and is no larger than it may be.
async fn bytes(
    request: &HttpRequest,
    body: <web::Bytes as FromRequest>::Future,
) -> Result<web::Bytes, actix_web::Error> {
    is_json(request)?;
    let limit = caller::service(request).config.http.body_limit;
    Ok(body.await.map_err(|error| match error.as_response_error().status_code() {
        StatusCode::PAYLOAD_TOO_LARGE => super::problem::too_large(limit),
        _ => Problem::new(StatusCode::BAD_REQUEST, "malformed_body", error.to_string()),
    })?)
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    let read = serde_json::from_slice(body).or_else(|error| {
        let again = in_whole_numbers(body).and_then(|body| serde_json::from_value(body).ok());
        again.ok_or_else(|| of_json(&error, body))
    })?;
    // serde would take a list for the fields in their order, whatever that is today.
    if body.trim_ascii_start().starts_with(b"{") {
        Ok(read)
    } else {
        Err(Problem::new(StatusCode::BAD_REQUEST, "invalid_body", "the body must be an object"))
    }
}

/// The body with `5` for every `5.0`: one number to JSON, which some languages write so; or nothing if there is no such number.
fn in_whole_numbers(body: &[u8]) -> Option<Value> {
    fn replace(value: &mut Value) -> bool {
        match value {
            Value::Number(number) => {
                let whole = number.to_string().strip_suffix(".0").and_then(|text| text.parse::<i64>().ok());
                if let Some(whole) = whole {
                    *value = whole.into();
                }
                whole.is_some()
            }
            Value::Array(items) => items.iter_mut().map(replace).filter(|whole| *whole).count() > 0,
            Value::Object(fields) => fields.values_mut().map(replace).filter(|whole| *whole).count() > 0,
            Value::Null | Value::Bool(_) | Value::String(_) => false,
        }
    }
    let mut body = serde_json::from_slice(body).ok()?;
    replace(&mut body).then_some(body)
}

fn is_json(request: &HttpRequest) -> Result<(), Problem> {
    use actix_web::HttpMessage as _;
    if request.content_type() == "application/json" {
        Ok(())
    } else {
        let detail = "the body must be application/json";
        Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", detail))
    }
}

/// The version in `If-Match`, which is the stream's `ETag`.
fn expected(request: &HttpRequest) -> Result<Option<Version>, Problem> {
    let Some(value) = request.headers().get(header::IF_MATCH) else { return Ok(None) };
    let version = value.to_str().ok().and_then(|tag| tag.strip_prefix('"')?.strip_suffix('"')?.parse().ok());
    match version {
        Some(version) => Ok(Some(version)),
        None if value == "*" => Ok(None),
        None => Err(Problem::new(
            StatusCode::BAD_REQUEST,
            "invalid_if_match",
            "If-Match takes the ETag of an answer: a version in double quotes",
        )),
    }
}

fn idempotency(request: &HttpRequest, body: &[u8]) -> Result<Option<Idempotency>, Problem> {
    let Some(value) = request.headers().get("idempotency-key") else { return Ok(None) };
    let key = value.to_str().unwrap_or_default();
    if key.is_empty() || key.len() > LONGEST_KEY {
        return Err(Problem::new(
            StatusCode::BAD_REQUEST,
            "invalid_idempotency_key",
            format!("an Idempotency-Key has 1 to {LONGEST_KEY} ASCII characters"),
        ));
    }
    Ok(Some(Idempotency { key: key.to_owned(), request_hash: request_hash(request, body) }))
}

/// What the key was used for: method, path and body, each with its end marked.
fn request_hash(request: &HttpRequest, body: &[u8]) -> Vec<u8> {
    let mut context = digest::Context::new(&digest::SHA256);
    for part in [request.method().as_str().as_bytes(), request.path().as_bytes()] {
        context.update(part);
        context.update(&[0]);
    }
    context.update(body);
    context.finish().as_ref().to_vec()
}
