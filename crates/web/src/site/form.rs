//! Forms posted by our own pages.

use std::future::Future;
use std::pin::Pin;
use std::str::FromStr;

use actix_web::dev::{Payload, UrlEncoded};
use actix_web::http::StatusCode;
use actix_web::{FromRequest, HttpRequest, ResponseError as _};

use super::around::session_of;
use crate::problem::{self, Problem};
use crate::{ask, caller};
use owlbox_domain::code::Code;
use owlbox_domain::values::InvalidValue;

/// The fields of a form, in order. Extracting it refuses forms that do not come from a page of the session.
#[derive(Clone, Debug, Default)]
pub(super) struct Form(Vec<(String, String)>);

impl Form {
    /// The longest idempotency key, in bytes.
    pub const LONGEST_KEY: usize = 100;

    /// The form's idempotency key; `None` if it has none.
    ///
    /// # Errors
    /// The key is too long.
    pub fn key(&self) -> Result<Option<&str>, Problem> {
        match self.some("key") {
            Some(key) if key.len() > Self::LONGEST_KEY => {
                Err(Problem::new(Code::MalformedForm, "the key is too long"))
            }
            key => Ok(key),
        }
    }

    /// The value of a field, trimmed; empty if the field is missing.
    pub fn text(&self, name: &str) -> &str {
        self.exact(name).trim()
    }

    /// The value of a field as typed, for passwords.
    pub fn exact(&self, name: &str) -> &str {
        self.0.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value)
    }

    /// The value of a field, trimmed; `None` if it is empty or missing.
    pub fn some(&self, name: &str) -> Option<&str> {
        Some(self.text(name)).filter(|text| !text.is_empty())
    }

    /// The value of a field, parsed.
    ///
    /// # Errors
    /// A problem that names the field.
    pub fn value<T: FromStr<Err = InvalidValue>>(&self, name: &'static str) -> Result<T, Problem> {
        self.text(name).parse().map_err(|error| invalid(name, &error))
    }

    /// The value of a field that may be empty, parsed.
    ///
    /// # Errors
    /// A problem that names the field.
    pub fn optional<T: FromStr<Err = InvalidValue>>(&self, name: &'static str) -> Result<Option<T>, Problem> {
        self.some(name).map(|text| text.parse().map_err(|error| invalid(name, &error))).transpose()
    }

    /// The values of all fields of this name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// Fields whose names begin with `prefix`: the rest of the name, and the value.
    pub fn beginning<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.0.iter().filter_map(move |(field, value)| Some((field.strip_prefix(prefix)?, value.trim())))
    }

    pub fn ticked(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }
}

/// The problem of a field with an invalid value.
pub(super) fn invalid(field: &'static str, error: &InvalidValue) -> Problem {
    Problem::new(code(error.what), error.to_string()).about(field)
}

/// The code for an invalid value, which the reader sees in their own language.
fn code(what: &str) -> Code {
    match what {
        "login" => Code::InvalidLogin,
        "name" | "club" => Code::InvalidName,
        "time_zone" => Code::InvalidTimeZone,
        "currency" | "currencies" => Code::InvalidCurrency,
        "country" => Code::InvalidCountry,
        "stake" => Code::InvalidStake,
        "exposure_limit" => Code::InvalidExposureLimit,
        "highest_cube" => Code::InvalidHighestCube,
        _ => Code::InvalidValue,
    }
}

impl FromRequest for Form {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let is_signed_in = session_of(request).is_ok_and(|session| session.caller.is_some());
        let limit = match is_signed_in {
            true => caller::service(request).config.http.body_limit,
            false => ask::limit_of_stranger(request),
        };
        let fields = UrlEncoded::<Vec<(String, String)>>::new(request, payload).limit(limit);
        let request = request.clone();
        Box::pin(async move {
            let fields = fields.await.map_err(|error| match error.status_code() {
                StatusCode::PAYLOAD_TOO_LARGE => problem::too_large(limit),
                _ => Problem::new(Code::MalformedForm, error.to_string()),
            })?;
            let form = Self(fields);
            session_of(&request)?.check_form(&request, form.some("csrf"))?;
            Ok(form)
        })
    }
}
