//! Which club a request is for. A process serves one club, or all those of a domain: then a request names its
//! club by its host, or a script by the beginning of its path ([`enter`]), and the club is woken if it sleeps
//! ([`awake`]).
//!
//! A handler asks for its [`Service`] and is given its club's. There is no other way to any club.

pub mod awake;
pub mod enter;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage as _, HttpRequest, web};
use std::future::{Ready, ready};

use crate::config::Http;
use crate::problem::Problem;
use crate::service::Service;
use awake::Awake;
use owlbox_desk::Refused;

/// The clubs of this process.
#[derive(Clone)]
pub enum Clubs {
    One(Service),
    Many(Awake),
}

impl Clubs {
    /// What holds for every request, whichever club it is for.
    #[must_use]
    pub fn http(&self) -> &Http {
        match self {
            Self::One(service) => &service.config.http,
            Self::Many(awake) => awake.http(),
        }
    }
}

/// The clubs that the process of this request serves.
#[must_use]
#[expect(clippy::expect_used, reason = "the server gives every app its clubs before it takes a request")]
pub fn of_process(request: &HttpRequest) -> &Clubs {
    request.app_data::<web::Data<Clubs>>().expect("the app has its clubs").get_ref()
}

/// The service of the request's club.
///
/// # Errors
/// The request is in no club: [`enter`] has not led it to one.
pub fn service(request: &HttpRequest) -> Result<Service, Refused> {
    match of_process(request) {
        Clubs::One(service) => Ok(service.clone()),
        Clubs::Many(_) => request.extensions().get::<Service>().cloned().ok_or(Refused::NotFound("club")),
    }
}

/// The address under which browsers reach the request's club, if it is configured.
#[must_use]
pub fn public_url(request: &HttpRequest) -> Option<String> {
    Some(service(request).ok()?.config.http.public_url.as_ref()?.as_str().to_owned())
}

impl FromRequest for Service {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(service(request).map_err(Problem::from))
    }
}
