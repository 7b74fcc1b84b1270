//! Requirements on every request before a handler sees it: it is not compressed, its body arrives in time,
//! and there is room for it.
//!
//! A compressed body would be unpacked before its size is known - 400 kB of gzip can be 400 MB of zeros - and
//! no client has ever needed one. Panics of handlers are answered here, too.

use std::cell::Cell;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::error::PayloadError;
use actix_web::http::header;
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage as _, HttpResponse, ResponseError as _, web};
use futures_util::{FutureExt as _, Stream};
use tokio::time::{Instant, Sleep, sleep_until};

use super::bodies::{BodyBudget, Held};
use super::{ClientTimeouts, Watch};
use crate::problem::Problem;
use owlbox_base::code::Code;
use owlbox_desk::Refused;

/// Passes a request on to `next`, unless its body is compressed.
///
/// # Errors
/// `next` fails or panics.
pub async fn guard_body(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<Answering>, Error> {
    let watch = request.conn_data::<Rc<Watch>>().map_or_else(|| Watch::new(ClientTimeouts::USUAL), Rc::clone);
    let turn = OurTurn(Rc::clone(&watch));
    if is_packed(&request) {
        watch.answer();
        let refused = request.into_response(packed().error_response());
        return Ok(refused.map_body(|_, body| Answering::new(body, turn)));
    }
    let cut = Rc::new(Cell::new(None));
    let room = request.app_data::<web::Data<BodyBudget>>().map(|bodies| bodies.get_ref().clone());
    // Held until there is an answer, because the handler keeps the body while it works.
    let held = Rc::new(room.unwrap_or_else(|| BodyBudget::new(usize::MAX)).begin());
    match request.take_payload() {
        Payload::None => watch.answer(),
        payload @ (Payload::H1 { .. } | Payload::Stream { .. }) => {
            // Our turn until something reads the body: an answer that needs no body is not delayed by one.
            watch.answer();
            let coming = Coming::new(payload, watch, Rc::clone(&held), Rc::clone(&cut));
            request.set_payload(Payload::Stream { payload: Box::pin(coming) });
        }
    }
    let answered = AssertUnwindSafe(next.call(request)).catch_unwind().await;
    let answer = answered.unwrap_or_else(|_| Err(panicked().into()))?.map_into_boxed_body();
    // The handler saw only that the body broke off; the client is told why.
    let answer = match cut.get() {
        None => answer,
        Some(Cut::Late) => answer.into_response(too_slow()),
        Some(Cut::NoRoom) => answer.into_response(no_room()),
    };
    Ok(answer.map_body(|_, body| Answering::new(body, turn)))
}

/// Whether the body has a content encoding.
fn is_packed(request: &ServiceRequest) -> bool {
    request.headers().get_all(header::CONTENT_ENCODING).any(|coding| coding != "identity")
}

fn packed() -> Problem {
    let detail = "a request's body is sent as it is, without Content-Encoding";
    Problem::new(Code::PackedBody, detail)
}

fn too_slow() -> HttpResponse {
    let detail = "the body did not come in time";
    last_answer(&Problem::new(Code::BodyTooSlow, detail))
}

fn no_room() -> HttpResponse {
    last_answer(&Refused::Busy.into())
}

/// An answer that closes the connection, because the rest of the body may still be on its way.
fn last_answer(problem: &Problem) -> HttpResponse {
    let mut answer = problem.error_response();
    answer.head_mut().set_connection_type(actix_web::http::ConnectionType::Close);
    answer
}

/// The panic hook has logged the cause.
fn panicked() -> Problem {
    let detail = "the service failed; the log says how";
    Problem::new(Code::InternalError, detail)
}

/// Our turn; dropping it, once the answer is made, waits for the next head.
struct OurTurn(Rc<Watch>);

impl Drop for OurTurn {
    fn drop(&mut self) {
        self.0.expect_head();
    }
}

/// The most of an answer to hand out at a time, in bytes. What is handed out is copied for each connection
/// until its client has taken it; the rest is shared between all connections that get the same answer.
const LONGEST_SLICE: usize = 32 * 1024;

/// An answer on its way, live streams included.
pub struct Answering {
    body: BoxBody,
    /// What the body has yielded but was not handed out yet.
    rest: web::Bytes,
    _turn: OurTurn,
}

impl Answering {
    fn new(body: BoxBody, turn: OurTurn) -> Self {
        Self { body, rest: web::Bytes::new(), _turn: turn }
    }
}

impl MessageBody for Answering {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<web::Bytes, Self::Error>>> {
        if self.rest.is_empty() {
            let next = Pin::new(&mut self.body).poll_next(context);
            let Poll::Ready(Some(Ok(bytes))) = next else { return next };
            self.rest = bytes;
        }
        let slice = self.rest.len().min(LONGEST_SLICE);
        Poll::Ready(Some(Ok(self.rest.split_to(slice))))
    }
}

/// Why a body was not read to its end.
#[derive(Clone, Copy, Debug)]
enum Cut {
    /// It did not arrive in time.
    Late,
    /// The room for bodies is used up.
    NoRoom,
}

/// A body with a deadline. Its time runs from the first read until it has arrived or is dropped.
struct Coming {
    is_awaited: bool,
    payload: Payload,
    watch: Rc<Watch>,
    timer: Pin<Box<Sleep>>,
    held: Rc<Held>,
    cut: Rc<Cell<Option<Cut>>>,
}

impl Coming {
    fn new(payload: Payload, watch: Rc<Watch>, held: Rc<Held>, cut: Rc<Cell<Option<Cut>>>) -> Self {
        Self { is_awaited: false, payload, watch, timer: Box::pin(sleep_until(Instant::now())), held, cut }
    }

    /// Ends the body early.
    fn cut_off(&self, why: Cut, error: std::io::ErrorKind) -> PayloadError {
        self.cut.set(Some(why));
        self.watch.body_is_done();
        PayloadError::Io(error.into())
    }

    /// Ready once the deadline has passed; until then it wakes the task at the deadline.
    fn overdue(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let Some(ends) = self.watch.body_ends() else { return Poll::Pending };
        self.timer.as_mut().reset(ends);
        self.timer.as_mut().poll(context)
    }
}

impl Stream for Coming {
    type Item = Result<web::Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if !self.is_awaited {
            self.is_awaited = true;
            self.watch.expect_body();
        }
        match Pin::new(&mut self.payload).poll_next(context) {
            Poll::Ready(Some(Ok(bytes))) => Poll::Ready(Some(if self.held.add(bytes.len()) {
                Ok(bytes)
            } else {
                Err(self.cut_off(Cut::NoRoom, std::io::ErrorKind::OutOfMemory))
            })),
            Poll::Ready(ended) => {
                self.watch.body_is_done();
                Poll::Ready(ended)
            }
            Poll::Pending => self
                .overdue(context)
                .map(|()| Some(Err(self.cut_off(Cut::Late, std::io::ErrorKind::TimedOut)))),
        }
    }
}

impl Drop for Coming {
    fn drop(&mut self) {
        self.watch.body_is_done();
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::StatusCode;
    use actix_web::middleware::from_fn;
    use actix_web::{App, test};

    use super::*;

    #[actix_web::test]
    async fn a_long_answer_is_handed_out_in_slices_and_never_copied() {
        let whole = web::Bytes::from(vec![7; 3 * LONGEST_SLICE + 5]);
        let turn = OurTurn(Watch::new(ClientTimeouts::USUAL));
        let mut answer = Answering::new(BoxBody::new(whole.clone()), turn);
        assert_eq!(answer.size(), BodySize::Sized(3 * 32_768 + 5));
        let mut came = Vec::new();
        while let Some(slice) = std::future::poll_fn(|context| Pin::new(&mut answer).poll_next(context)).await
        {
            came.push(slice.unwrap());
        }
        let lengths: Vec<usize> = came.iter().map(web::Bytes::len).collect();
        assert_eq!(lengths, [LONGEST_SLICE, LONGEST_SLICE, LONGEST_SLICE, 5]);
        let within = whole.as_ptr_range();
        assert!(came.iter().all(|slice| within.contains(&slice.as_ptr())), "each is a part of the one");
        assert!(answer.try_into_bytes().is_err(), "nobody takes the whole at once");
    }

    #[actix_web::test]
    async fn bodies_have_so_much_room_together_and_it_is_free_again() {
        // Holds its body until another request has been tried.
        async fn holding(body: web::Bytes, held: web::Data<tokio::sync::Barrier>) -> HttpResponse {
            held.wait().await;
            held.wait().await;
            HttpResponse::Ok().body(body)
        }
        let barrier = web::Data::new(tokio::sync::Barrier::new(2));
        let app = App::new()
            .app_data(web::Data::new(BodyBudget::new(100)))
            .app_data(barrier.clone())
            .wrap(from_fn(guard_body))
            .route("/", web::post().to(|body: web::Bytes| async { HttpResponse::Ok().body(body) }))
            .route("/holding", web::post().to(holding));
        let app = test::init_service(app).await;
        let of = |path: &str, bytes: usize| {
            test::TestRequest::post().uri(path).set_payload(vec![b'x'; bytes]).to_request()
        };
        let first = test::call_service(&app, of("/holding", 60));
        let meanwhile = async {
            barrier.wait().await;
            let refused = test::call_service(&app, of("/", 41)).await;
            let fits = test::call_service(&app, of("/", 40)).await.status();
            barrier.wait().await;
            (refused, fits)
        };
        let (first, (refused, fits)) = futures_util::future::join(first, meanwhile).await;
        assert_eq!((first.status(), fits), (StatusCode::OK, StatusCode::OK));
        assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(refused.headers().get(header::RETRY_AFTER).unwrap(), "1");
        let body = test::read_body(refused).await;
        assert!(String::from_utf8_lossy(&body).contains("\"busy\""));
        drop(first);
        assert_eq!(test::call_service(&app, of("/", 100)).await.status(), StatusCode::OK);
    }

    #[actix_web::test]
    async fn a_handler_that_panics_is_answered_for() {
        async fn broken() -> &'static str {
            panic!("on purpose")
        }
        let app = App::new().wrap(from_fn(guard_body)).route("/", web::get().to(broken));
        let app = test::init_service(app).await;
        let failed = test::try_call_service(&app, test::TestRequest::get().to_request()).await;
        let answer = failed.map(|_| ()).unwrap_err().error_response();
        assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
    }
}
