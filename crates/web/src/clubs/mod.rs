//! Which club a request is for. A process serves one club, or all those of a domain: then a request names its club by
//! its host, or a script by the beginning of its path ([`enter`]), and the club is woken if it sleeps ([`awake`]).
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
#[must_use]
#[expect(clippy::expect_used, reason = "`enter` lets no request pass to a club's handler without it")]
pub fn service(request: &HttpRequest) -> Service {
    match of_process(request) {
        Clubs::One(service) => service.clone(),
        Clubs::Many(_) => request.extensions().get::<Service>().expect("a request in a club").clone(),
    }
}

impl FromRequest for Service {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(service(request)))
    }
}
