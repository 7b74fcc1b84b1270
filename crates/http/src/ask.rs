//! Reads a command from a request: the caller, the body, `If-Match` and `Idempotency-Key`.

use std::borrow::Cow;
use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::http::header;
use actix_web::{FromRequest, HttpMessage as _, HttpRequest, web};
use futures_util::StreamExt as _;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::caller::{self, Caller};
use super::mistakes;
use super::problem::{Problem, of_json};
use crate::clubs;
use owlbox_base::code::Code;
use owlbox_base::journal::Version;
use owlbox_base::text::is_whole;
use owlbox_desk::{Idempotency, Refused, Request, Unauthorised};
use owlbox_engine::record::{Binary, decoded, is_encoding_known};

/// A command from a signed-in caller. As a handler's argument it refuses anybody else.
#[derive(Debug)]
pub struct CommandRequest<T> {
    /// The actor, with the version and the idempotency key from the headers.
    pub request: Request,
    pub body: T,
}

/// The longest idempotency key, in bytes.
pub const LONGEST_KEY: usize = 128;

/// The conditions of a command without a body, where the address says everything.
#[derive(Debug)]
pub struct Preconditions(pub Request);

/// The longest body that a request without a sign-in may have, in bytes, unless
/// [`body_limit`](crate::config::Http::body_limit) is lower. Logins, passwords, tokens, links and the set-up
/// of a club need a few hundred.
pub const LONGEST_OF_STRANGER: usize = 8 * 1024;

/// The body of a request that needs no sign-in, at most [`LONGEST_OF_STRANGER`] bytes.
#[derive(Debug)]
pub struct Body<T>(pub T);

/// A file from a signed-in caller, in whatever encoding its program has written it.
#[derive(Debug)]
pub struct Uploaded(pub web::BytesMut);

type Reading<T> = Pin<Box<dyn Future<Output = Result<T, actix_web::Error>>>>;

impl<T: DeserializeOwned + 'static> FromRequest for CommandRequest<T> {
    type Error = actix_web::Error;
    type Future = Reading<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let payload = payload.take();
        Box::pin(async move {
            // The caller is checked first: without a sign-in, nobody learns what a body should look like.
            let caller = signed_in(&request).await?;
            let limit = clubs::of_process(&request).http().body_limit;
            is_json(&request)?;
            let body = bytes(&request, payload, limit).await?;
            Ok(Self { request: conditions(&request, caller, &body)?, body: read_of(&request, &body)? })
        })
    }
}

impl FromRequest for Uploaded {
    type Error = actix_web::Error;
    type Future = Reading<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let payload = payload.take();
        Box::pin(async move {
            signed_in(&request).await?;
            let limit = clubs::of_process(&request).http().body_limit;
            Ok(Self(bytes(&request, payload, limit).await?))
        })
    }
}

/// The characters of a file: the one place where files are decoded that people choose or send.
///
/// # Errors
/// `bad_file`: it is no text, or in an encoding that is not known.
pub fn text_of(file: &[u8]) -> Result<Cow<'_, str>, Problem> {
    let bad = |why: &str| Err(Problem::new(Code::BadFile, why));
    if !is_encoding_known(file) && Binary::of(file).is_none() {
        return bad("the encoding of the file is not known: save it in UTF-8");
    }
    let text = decoded(file);
    let is_control = |c: char| c.is_control() && !c.is_ascii_whitespace();
    if text.contains(is_control) || Binary::of(text.as_bytes()).is_some() {
        return bad("the file is no text");
    }
    Ok(text)
}

impl FromRequest for Preconditions {
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
        let payload = payload.take();
        Box::pin(async move {
            let limit = limit_of_stranger(&request);
            is_json(&request)?;
            Ok(Self(read_of(&request, &bytes(&request, payload, limit).await?)?))
        })
    }
}

/// The body limit for callers who are not signed in, in bytes.
#[must_use]
pub fn limit_of_stranger(request: &HttpRequest) -> usize {
    clubs::of_process(request).http().body_limit.min(LONGEST_OF_STRANGER)
}

/// The length of the body, in bytes, if the client says it.
#[must_use]
pub fn announced(request: &HttpRequest) -> Option<usize> {
    request.headers().get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Reads a body of at most `limit` bytes.
///
/// # Errors
/// `body_too_large`, or `malformed_body`.
pub async fn bytes(
    request: &HttpRequest,
    mut payload: Payload,
    limit: usize,
) -> Result<web::BytesMut, Problem> {
    if announced(request).is_some_and(|length| length > limit) {
        return Err(super::problem::too_large(limit));
    }
    let mut body = web::BytesMut::new();
    while let Some(part) = payload.next().await {
        let malformed = |error: PayloadError| Problem::new(Code::MalformedBody, error.to_string());
        let part = part.map_err(malformed)?;
        if body.len() + part.len() > limit {
            return Err(super::problem::too_large(limit));
        }
        body.extend_from_slice(&part);
    }
    Ok(body)
}

/// The longest body whose mistakes are all told, in bytes. To find them costs far more than to read it, and
/// nobody's permission has been asked yet.
const MOST_LOOKED_THROUGH: usize = 16 * 1024;

/// Reads the body of a request. One that cannot be read is refused with all its mistakes, unless it is long.
fn read_of<T: DeserializeOwned>(request: &HttpRequest, body: &[u8]) -> Result<T, Problem> {
    read(body).map_err(|problem| match serde_json::from_slice(body) {
        _ if body.len() > MOST_LOOKED_THROUGH => problem,
        Ok(value) => problem.listing(mistakes::of_body(request, &value)),
        Err(_) => problem,
    })
}

/// Reads a JSON object, as the API takes bodies and the pages' forms their commands.
///
/// # Errors
/// `malformed_json`, `invalid_body`.
pub fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    if may_have_lost(body) && serde_json::from_slice(body).is_ok_and(|body: Value| lost_in(&body).is_some()) {
        return Err(lost_characters());
    }
    let read = serde_json::from_slice(body).or_else(|error| {
        let again = in_whole_numbers(body).and_then(|body| serde_json::from_slice(&body).ok());
        again.ok_or_else(|| of_json(&error, body))
    })?;
    // serde would also accept an array, taking its items for the fields in the order of today's declaration.
    if body.trim_ascii_start().starts_with(b"{") {
        Ok(read)
    } else {
        Err(Problem::new(Code::InvalidBody, "the body must be an object"))
    }
}

/// A text of one line in which a character was lost on the way (U+FFFD), if there is one: a name, which would
/// be kept forever. What has more lines is a table or a file, which names the lines itself.
#[must_use]
pub fn lost_in(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text.as_str()).filter(|text| !is_whole(text) && !text.contains('\n')),
        Value::Array(items) => items.iter().find_map(lost_in),
        Value::Object(fields) => fields.values().find_map(lost_in),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// Whether a body can hold U+FFFD, as itself or escaped. Most bodies are not read twice.
fn may_have_lost(body: &[u8]) -> bool {
    let escaped = |part: &[u8]| part.eq_ignore_ascii_case(b"\\ufffd");
    body.windows(6).any(escaped) || body.windows(3).any(|part| part == "\u{fffd}".as_bytes())
}

/// The problem of a text in which characters were lost.
#[must_use]
pub fn lost_characters() -> Problem {
    let detail = "a character of this text was lost on its way (U+FFFD): send it in UTF-8";
    Problem::new(Code::InvalidBody, detail)
}

/// The body with `5.0` written as `5` throughout. JSON has one kind of number, and some languages always
/// print the fraction. `None` if there is no such number in it.
fn in_whole_numbers(body: &[u8]) -> Option<Vec<u8>> {
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
    if replace(&mut body) { serde_json::to_vec(&body).ok() } else { None }
}

fn is_json(request: &HttpRequest) -> Result<(), Problem> {
    if request.content_type() == "application/json" {
        Ok(())
    } else {
        let detail = "the body must be application/json";
        Err(Problem::new(Code::NotJson, detail))
    }
}

/// The version from `If-Match`, which is the stream's `ETag`.
fn expected(request: &HttpRequest) -> Result<Option<Version>, Problem> {
    let Some(value) = request.headers().get(header::IF_MATCH) else { return Ok(None) };
    let version = value.to_str().ok().and_then(|tag| tag.strip_prefix('"')?.strip_suffix('"')?.parse().ok());
    match version {
        Some(version) => Ok(Some(version)),
        None if value == "*" => Ok(None),
        None => Err(Problem::new(
            Code::InvalidIfMatch,
            "If-Match takes the ETag of an answer: a version in double quotes",
        )),
    }
}

fn idempotency(request: &HttpRequest, body: &[u8]) -> Result<Option<Idempotency>, Problem> {
    let Some(value) = request.headers().get("idempotency-key") else { return Ok(None) };
    let key = value.to_str().unwrap_or_default();
    if key.is_empty() || key.len() > LONGEST_KEY {
        return Err(Problem::new(
            Code::InvalidIdempotencyKey,
            format!("an Idempotency-Key has 1 to {LONGEST_KEY} ASCII characters"),
        ));
    }
    Ok(Some(Idempotency { key: key.to_owned(), request_hash: request_hash(request, body) }))
}

/// Hashes what the key is used for: method, path and body, each terminated so that they cannot run into one
/// another.
fn request_hash(request: &HttpRequest, body: &[u8]) -> Vec<u8> {
    let mut hash = Sha256::new();
    for part in [request.method().as_str().as_bytes(), request.path().as_bytes()] {
        hash.update(part);
        hash.update([0]);
    }
    hash.update(body);
    hash.finalize().to_vec()
}
