//! How a form comes: read up to a limit, refused unless a page of the session sent it, and kept in case its
//! sender has been signed out meanwhile.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::{Payload, UrlEncoded};
use actix_web::http::StatusCode;
use actix_web::{FromRequest, HttpRequest, ResponseError as _};

use super::Form;
use crate::unsent::Unsent;
use owlbox_base::code::Code;
use owlbox_http::clubs;
use owlbox_http::problem::{self, Problem};
use owlbox_http::session::{Session, check_origin};

/// A form that changes nothing but how its sender reads pages. It needs no token, so that a page of which all
/// strangers have one [copy](owlbox_http::copies) can hold it. Extracting it refuses forms of other sites.
pub(crate) struct OpenForm(pub Form);

impl Form {
    /// The fields that were posted, from whatever page.
    fn read(
        request: &HttpRequest,
        payload: &mut Payload,
    ) -> impl Future<Output = Result<Self, Problem>> + use<> {
        let is_signed_in = Session::of_request(request).is_ok_and(|session| session.caller.is_some());
        let limit = match is_signed_in {
            true => clubs::of_process(request).http().body_limit,
            false => Unsent::limit(request),
        };
        let fields = UrlEncoded::<Vec<(String, String)>>::new(request, payload).limit(limit);
        async move {
            let fields = fields.await.map_err(|error| match error.status_code() {
                StatusCode::PAYLOAD_TOO_LARGE => problem::too_large(limit),
                _ => Problem::new(Code::MalformedForm, error.to_string()),
            })?;
            Ok(Self(fields))
        }
    }
}

impl FromRequest for Form {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (form, request) = (Self::read(request, payload), request.clone());
        Box::pin(async move {
            let form = form.await?;
            Unsent::keep(&request, &form);
            Session::of_request(&request)?.check_form(&request, form.some("csrf"))?;
            Ok(form)
        })
    }
}

impl FromRequest for OpenForm {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (form, request) = (Form::read(request, payload), request.clone());
        Box::pin(async move {
            let form = form.await?;
            check_origin(&request)?;
            Ok(Self(form))
        })
    }
}
