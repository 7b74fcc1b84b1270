//! The one place where a refusal becomes a response: RFC 9457 problem details.
//!
//! Clients rely on `code`, which is stable. `title` and `detail` are English for programmers; pages have
//! their own words for every code. A failure of the service is logged with its cause and answered without it.
//! [`codes`] lists every code with its meaning.

pub mod codes;

use std::borrow::Cow;
use std::fmt;

use actix_web::error::{PathError, QueryPayloadError};
use actix_web::http::{StatusCode, header};
use actix_web::{HttpRequest, HttpResponse, ResponseError, web};
use serde::Serialize;

use self::codes::Meaning;
use super::mistakes::{self, Mistake, Place};
use owlbox_base::code::Code;
use owlbox_books::typed::InputError;
use owlbox_desk::{Refused, StoreError};

/// A problem as defined by RFC 9457.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Problem {
    /// The address where the code is explained.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "schema", schema(example = "/docs/problems#stale_version"))]
    pub kind: String,
    /// The HTTP status.
    #[cfg_attr(feature = "schema", schema(example = 412))]
    pub status: u16,
    /// The stable code.
    #[cfg_attr(feature = "schema", schema(value_type = String, example = "stale_version"))]
    pub code: Code,
    /// The HTTP status in words.
    pub title: &'static str,
    /// What went wrong this time, in English.
    pub detail: String,
    /// The field of the request that the problem is about: a name, or where a body cannot be read a JSON
    /// pointer such as `/stake/amount`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>, example = "/stake/amount"))]
    pub field: Option<Cow<'static, str>>,
    /// Where a request cannot be read: all its mistakes, at most twenty, the first of them in `field` and
    /// `detail`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub errors: Vec<Mistake>,
    /// What would have been allowed, or what is in the way. The code decides which of the two, and in what
    /// form.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Value, required = false))]
    pub allowed: Option<Allowed>,
    /// Where in the command of a form the value is that its type refuses, as names of fields say it.
    #[serde(skip)]
    pub part: Option<String>,
    /// Seconds after which to try again.
    #[serde(skip)]
    retry_after: Option<u64>,
}

/// What a problem says besides its code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Allowed {
    /// What the desk or the rules report.
    Desk(owlbox_desk::Allowed),
    /// The methods that the path takes.
    Methods(Vec<String>),
    /// The largest body allowed, in bytes.
    Bytes(usize),
    /// What an amount or a day can mean, each written so that it means nothing else.
    Readings([String; 2]),
    /// The offending line of a pasted list, as it is shown.
    Line {
        /// The beginning of the line, in quotation marks.
        line: String,
    },
}

impl Problem {
    /// A problem with the code's status, and without a field or alternatives.
    #[must_use]
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        let status = Meaning::new(code).status;
        let reason = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
        Self {
            kind: format!("/docs/problems#{code}"),
            status,
            code,
            title: reason.unwrap_or("Problem"),
            detail: detail.into(),
            field: None,
            errors: Vec::new(),
            allowed: None,
            part: None,
            retry_after: None,
        }
    }

    /// Whether the page of a form must not be shown with it: nobody is signed in, or there is nothing to show
    /// this visitor.
    #[must_use]
    pub fn is_for_no_page(&self) -> bool {
        [401, 404].contains(&self.status)
    }

    /// A value of a form that cannot be read: at this place in its command.
    #[must_use]
    pub fn unreadable(part: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { part: Some(part.into()), ..Self::new(Code::InvalidBody, detail) }
    }

    /// An amount of a form that cannot be read, or can be read in two ways.
    #[must_use]
    pub fn unread(part: impl Into<String>, unread: InputError) -> Self {
        match unread {
            InputError::Unreadable => Self::unreadable(part, "an amount is a number like 25 or 12.50"),
            InputError::Ambiguous(readings) => {
                let [one, other] = &readings;
                let detail = format!("this can be {one} or {other}");
                Self {
                    part: Some(part.into()),
                    allowed: Some(Allowed::Readings(readings)),
                    ..Self::new(Code::AmbiguousAmount, detail)
                }
            }
        }
    }

    /// A day of a form that cannot be read, or can be read in two ways.
    #[must_use]
    pub fn of_day(field: &'static str, unread: InputError) -> Self {
        match unread {
            InputError::Unreadable => {
                Self::new(Code::InvalidDay, "a day is written like 2025-11-30").about(field)
            }
            InputError::Ambiguous(readings) => {
                let [one, other] = &readings;
                let detail = format!("this can be {one} or {other}");
                let problem = Self::new(Code::AmbiguousDay, detail).about(field);
                Self { allowed: Some(Allowed::Readings(readings)), ..problem }
            }
        }
    }

    /// Says after how many seconds to try again.
    #[must_use]
    pub const fn after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// Names the field that the problem is about.
    #[must_use]
    pub fn about(mut self, field: &'static str) -> Self {
        self.field = Some(field.into());
        self
    }

    /// Lists the mistakes of a request, and is about the first of them. What its type says stands where there
    /// are none.
    #[must_use]
    pub fn listing(mut self, errors: Vec<Mistake>) -> Self {
        if let Some(Mistake { field, detail, .. }) = errors.first() {
            let place = Some(field).filter(|field| !field.is_empty());
            self.detail = place.map_or_else(|| detail.clone(), |place| format!("{place}: {detail}"));
            self.field = place.map(|place| place.clone().into());
        }
        Self { errors, ..self }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.detail)
    }
}

impl std::error::Error for Problem {}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        response.content_type("application/problem+json");
        if self.status == StatusCode::UNAUTHORIZED.as_u16() {
            response.insert_header((header::WWW_AUTHENTICATE, "Bearer"));
        }
        if let Some(seconds) = self.retry_after {
            response.insert_header((header::RETRY_AFTER, seconds));
        }
        response.body(serde_json::to_string(self).unwrap_or_default())
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        let retry_after = if let Refused::TooMany { seconds } | Refused::TooOften { seconds, .. } = &refused {
            Some(*seconds)
        } else {
            matches!(refused, Refused::Busy | Refused::Store(StoreError::Lost(_))).then_some(1)
        };
        let detail = if let Refused::Store(error) = &refused {
            tracing::error!(error = %error, "the store failed");
            metrics::counter!(DATABASE_ERRORS, "kind" => <&str>::from(kind_of(error))).increment(1);
            if matches!(error, StoreError::Full) {
                error.to_string()
            } else {
                "the service failed; the log says how".to_owned()
            }
        } else {
            refused.to_string()
        };
        Self {
            field: refused.field().map(Cow::from),
            allowed: refused.allowed().map(Allowed::Desk),
            retry_after,
            ..Self::new(refused.code(), detail)
        }
    }
}

/// Database errors that are no caller's fault. Label: `kind`.
pub const DATABASE_ERRORS: &str = "owlbox_database_errors_total";

/// What [`DATABASE_ERRORS`] tells apart.
#[derive(Clone, Copy, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum DatabaseError {
    Query,
    Connection,
    Commit,
    Broken,
    Panic,
    Full,
    Other,
}

const fn kind_of(error: &StoreError) -> DatabaseError {
    match error {
        StoreError::Query(_) | StoreError::Conflict(_) | StoreError::ForReaders(_) => DatabaseError::Query,
        StoreError::Connection(_) | StoreError::Lost(_) => DatabaseError::Connection,
        StoreError::Commit(_) => DatabaseError::Commit,
        StoreError::Broken(_) => DatabaseError::Broken,
        StoreError::Panicked => DatabaseError::Panic,
        StoreError::Full => DatabaseError::Full,
        StoreError::Migration(_)
        | StoreError::NewerDatabase(_)
        | StoreError::Foreign(_)
        | StoreError::StaleLog { .. }
        | StoreError::NotKept { .. }
        | StoreError::NoClub
        | StoreError::BeyondBooks(_)
        | StoreError::NotDurable
        | StoreError::Overtaken
        | StoreError::Busy
        | StoreError::Thread(_)
        | StoreError::Closed
        | StoreError::File { .. }
        | StoreError::InUse(_) => DatabaseError::Other,
    }
}

/// A body that is JSON but not what was expected, in serde's words.
#[must_use]
pub fn of_body(error: &serde_json::Error) -> Problem {
    let code = match error.classify() {
        serde_json::error::Category::Data => Code::InvalidBody,
        serde_json::error::Category::Io
        | serde_json::error::Category::Syntax
        | serde_json::error::Category::Eof => Code::MalformedJson,
    };
    Problem::new(code, error.to_string())
}

/// The same for a body given as bytes. Where one of several names is expected, serde reports a wrong value as
/// bad syntax, which would send its reader looking for a comma.
#[must_use]
pub fn of_json(error: &serde_json::Error, bytes: &[u8]) -> Problem {
    let problem = of_body(error);
    let well_formed = serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok();
    if well_formed { Problem::new(Code::InvalidBody, problem.detail) } else { problem }
}

/// The body has more than `limit` bytes.
#[must_use]
pub fn too_large(limit: usize) -> Problem {
    let mut problem = Problem::new(Code::BodyTooLarge, format!("a body has at most {limit} bytes"));
    problem.allowed = Some(Allowed::Bytes(limit));
    problem
}

/// The error handler for `PathConfig`: something that is not an id names nothing.
#[must_use]
pub fn of_path(_: PathError, request: &HttpRequest) -> actix_web::Error {
    let found = mistakes::of_parameters(request, Place::Path, request.match_info().iter());
    not_found().listing(found).into()
}

/// The error handler for `QueryConfig`.
#[must_use]
pub fn of_query(error: QueryPayloadError, request: &HttpRequest) -> actix_web::Error {
    let sent: Vec<(String, String)> =
        web::Query::from_query(request.query_string()).map(web::Query::into_inner).unwrap_or_default();
    let sent = sent.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let found = mistakes::of_parameters(request, Place::Query, sent);
    Problem::new(Code::InvalidQuery, error.to_string()).listing(found).into()
}

/// Nothing exists at this path.
#[must_use]
pub fn not_found() -> Problem {
    Problem::new(Code::NotFound, "there is nothing here")
}
