//! `HEAD`: wherever `GET` answers, the head of the same answer.
//!
//! The handlers see a `GET`, so that none of them can forget the other method; what they answer loses its
//! body here. A live stream, whose body has no end, answers its head and is over.

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::Error;
use actix_web::body::{BodySize, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::Next;
use actix_web::web::Bytes;

/// A body of which only the size is sent.
pub struct Bodiless(BodySize);

impl MessageBody for Bodiless {
    type Error = std::convert::Infallible;

    fn size(&self) -> BodySize {
        self.0
    }

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Poll::Ready(None)
    }
}

/// Answers `HEAD` as `GET`, without the body.
///
/// # Errors
/// Those of the handlers inside.
pub async fn answer_head<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, Bodiless>>, Error> {
    if request.method() != Method::HEAD {
        return next.call(request).await.map(ServiceResponse::map_into_left_body);
    }
    request.head_mut().method = Method::GET;
    let answer = next.call(request).await?;
    // Dropping the body also ends what would have filled it.
    Ok(answer.map_body(|_, body| EitherBody::right(Bodiless(body.size()))))
}
