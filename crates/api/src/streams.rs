//! The routes that chouettes, matches and tournaments share. What differs is how each is shown.

use std::sync::Arc;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;

use super::acts::{ActBody, log};
use super::etag;
use owlbox_base::journal::{EventKind, HistoryKind, Stream};
use owlbox_base::values::{AccountId, ActId};
use owlbox_desk::Principal;
use owlbox_desk::commands::history::Order;
use owlbox_desk::commands::subject::{HistorySteps, Preview, StreamAfter, Subject};
use owlbox_http::ask::CommandRequest;
use owlbox_http::caller::MaybeCaller;
use owlbox_http::etag::client_has;
use owlbox_http::paging::{Page, PageQuery, cursor, limit};
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

/// A stream as the API shows it.
pub(super) trait Resource: Subject {
    /// The segment below `/api/v1`.
    const PATH: &'static str;

    /// The state, with the commands possible now.
    type Body: Serialize;
    type Answer: Serialize;
    type Preview: Serialize;

    /// # Errors
    /// The store failed.
    async fn body(
        service: &Service,
        id: Self::Id,
        stream: &Arc<Stream<Self>>,
        principal: Option<&Principal>,
    ) -> Result<Self::Body, Problem>;

    /// # Errors
    /// The store failed, or the caller may not see it.
    async fn answer(
        service: &Service,
        answer: StreamAfter<Self>,
        principal: &Principal,
    ) -> Result<Self::Answer, Problem>;

    /// # Errors
    /// The store failed.
    async fn preview(
        service: &Service,
        preview: Preview<Self>,
        principal: &Principal,
    ) -> Result<Self::Preview, Problem>;
}

/// An act that can be taken back or put back.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
// The name in the API stays: generated clients know the type by it.
#[cfg_attr(test, schema(as = MarkBody))]
pub struct UndoEntryBody {
    pub act: ActId,
    /// The kind of its first event.
    pub kind: &'static str,
    /// The account that carried it out.
    pub by: AccountId,
    /// How many acts the caller may take back or put back at once, this one included.
    #[cfg_attr(test, schema(minimum = 1, maximum = 1000))]
    pub acts: usize,
}

impl<K: EventKind> From<HistorySteps<K>> for UndoEntryBody {
    fn from(HistorySteps { entry, acts }: HistorySteps<K>) -> Self {
        Self { act: entry.id, kind: entry.kind.into(), by: entry.by, acts }
    }
}

/// The undo and the redo entry for the caller.
pub(super) async fn undo_and_redo<A: Subject>(
    service: &Service,
    stream: &Stream<A>,
    principal: Option<&Principal>,
) -> Result<[Option<UndoEntryBody>; 2], Problem> {
    let undo = service.desk.steps(stream, principal, HistoryKind::Undo).await?;
    let redo = service.desk.steps(stream, principal, HistoryKind::Redo).await?;
    Ok([undo.map(UndoEntryBody::from), redo.map(UndoEntryBody::from)])
}

/// The routes that every stream has, with what the document says of each: a stream's file gives the words,
/// the examples, and the schemas of its state, its answers, its previews and its acts. `register` mounts
/// them.
macro_rules! routes {
    (
        $stream:ident, $id:ident = $what:tt;
        $body:ident, $answer:ident, $preview:ident, $act:ident;

        $(#[doc = $of_open:tt])+
        open $open_at:tt: $open:ident($new:ident), $opening:tt;
        $(#[doc = $of_show:tt])+
        show $show_at:tt: $show:ident;
        $(#[doc = $of_command:tt])+
        command $command_at:tt: $give_command:ident($order:ident), $command:tt;
        $(#[doc = $of_preview:tt])+
        preview $preview_at:tt: $preview_command:ident, $previewed:tt;
        $(#[doc = $of_log:tt])+
        log $log_at:tt: $read_log:ident;
        $(#[doc = $of_follow:tt])+
        follow $follow_at:tt: $follow:ident;
    ) => {
        fn register(config: &mut impl $crate::Routes) {
            config
                .service($open)
                .service($show)
                .service($give_command)
                .service($preview_command)
                .service($read_log)
                .service($follow);
        }

        $(#[doc = $of_open])+
        #[cfg_attr(test, utoipa::path(
            params(("Idempotency-Key" = Option<String>, Header, description = "Makes a retry safe")),
            request_body(content = $new, example = json!($opening)),
            responses((status = 201, body = $answer, headers(("ETag" = String), ("Location" = String))))
        ))]
        #[post($open_at)]
        async fn $open(service: Service, ask: CommandRequest<$new>) -> Result<HttpResponse, Problem> {
            $crate::streams::open::<$stream>(&service, ask).await
        }

        $(#[doc = $of_show])+
        #[cfg_attr(test, utoipa::path(
            security((), ("bearer" = [])),
            params(("id" = $id, Path, description = $what)),
            responses((status = 200, body = $body, headers(("ETag" = String))), (status = 304))
        ))]
        #[get($show_at)]
        async fn $show(
            service: Service,
            caller: MaybeCaller,
            id: web::Path<$id>,
            request: HttpRequest,
        ) -> Result<HttpResponse, Problem> {
            $crate::streams::show::<$stream>(&service, &caller, *id, &request).await
        }

        $(#[doc = $of_command])+
        #[cfg_attr(test, utoipa::path(
            params(("id" = $id, Path, description = $what), $crate::schemas::Conditions),
            request_body(content = $order, example = json!($command)),
            responses((status = 200, body = $answer, headers(("ETag" = String))), (status = 429, body = Problem))
        ))]
        #[post($command_at)]
        async fn $give_command(
            service: Service,
            id: web::Path<$id>,
            ask: CommandRequest<$order>,
        ) -> Result<HttpResponse, Problem> {
            $crate::streams::command::<$stream>(&service, *id, ask).await
        }

        $(#[doc = $of_preview])+
        #[cfg_attr(test, utoipa::path(
            params(
                ("id" = $id, Path, description = $what),
                ("If-Match" = Option<String>, Header, description = "The version you saw")
            ),
            request_body(content = $order, example = json!($previewed)),
            responses((status = 200, body = $preview), (status = 422, body = Problem))
        ))]
        #[post($preview_at)]
        async fn $preview_command(
            service: Service,
            id: web::Path<$id>,
            ask: CommandRequest<$order>,
        ) -> Result<HttpResponse, Problem> {
            $crate::streams::preview::<$stream>(&service, *id, ask).await
        }

        $(#[doc = $of_log])+
        #[cfg_attr(test, utoipa::path(
            security((), ("bearer" = [])),
            params(("id" = $id, Path, description = $what), PageQuery),
            responses((status = 200, body = Page<$act>))
        ))]
        #[get($log_at)]
        async fn $read_log(
            service: Service,
            caller: MaybeCaller,
            id: web::Path<$id>,
            query: web::Query<PageQuery>,
        ) -> Result<web::Json<Page<ActBody>>, Problem> {
            $crate::streams::acts::<$stream>(&service, &caller, *id, &query).await
        }

        $(#[doc = $of_follow])+
        #[cfg_attr(test, utoipa::path(
            security((), ("bearer" = [])),
            params(
                ("id" = $id, Path, description = $what),
                ListenQuery,
                ("Last-Event-ID" = Option<Version>, Header, description = "The last event received")
            ),
            responses(
                (status = 200, content_type = "text/event-stream", body = String),
                (status = 503, body = Problem, description = "As many streams as allowed are open")
            )
        ))]
        #[get($follow_at)]
        async fn $follow(
            service: Service,
            caller: MaybeCaller,
            id: web::Path<$id>,
            query: web::Query<ListenQuery>,
            request: HttpRequest,
        ) -> Result<HttpResponse, Problem> {
            $crate::events::follow_live::<$stream>(&service, caller, *id, &query, &request).await
        }
    };
}
pub(super) use routes;

/// Opens a stream.
pub(super) async fn open<A: Resource>(
    service: &Service,
    CommandRequest { request, body }: CommandRequest<impl Into<A::New>>,
) -> Result<HttpResponse, Problem> {
    let principal = service.desk.principal(&request.actor).await?;
    let answer = service.desk.open::<A>(request, body.into()).await?;
    let location = format!("/api/v1/{}/{}", A::PATH, answer.id);
    let version = answer.stream.version;
    let body = A::answer(service, answer, &principal).await?;
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, location))
        .insert_header(etag(version))
        .json(body))
}

/// Shows a stream; 304 while nothing has changed.
pub(super) async fn show<A: Resource>(
    service: &Service,
    caller: &MaybeCaller,
    id: A::Id,
    request: &HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (stream, principal) = service.desk.visible::<A>(caller.actor(), id).await?;
    let tag = etag(stream.version);
    if client_has(request, &tag) {
        return Ok(HttpResponse::NotModified().insert_header(tag).finish());
    }
    let body = A::body(service, id, &stream, principal.as_ref()).await?;
    Ok(HttpResponse::Ok().insert_header(tag).json(body))
}

pub(super) async fn command<A: Resource>(
    service: &Service,
    id: A::Id,
    ask: CommandRequest<Order<A::Command>>,
) -> Result<HttpResponse, Problem> {
    let principal = service.desk.principal(&ask.request.actor).await?;
    let answer = service.desk.command::<A>(ask.request, id, ask.body).await?;
    let version = answer.stream.version;
    let body = A::answer(service, answer, &principal).await?;
    Ok(HttpResponse::Ok().insert_header(etag(version)).json(body))
}

pub(super) async fn preview<A: Resource>(
    service: &Service,
    id: A::Id,
    ask: CommandRequest<Order<A::Command>>,
) -> Result<HttpResponse, Problem> {
    let principal = service.desk.principal(&ask.request.actor).await?;
    let preview = service.desk.preview::<A>(ask.request, id, ask.body).await?;
    Ok(HttpResponse::Ok().json(A::preview(service, preview, &principal).await?))
}

/// Reads a page of the log, newest act first.
pub(super) async fn acts<A: Resource>(
    service: &Service,
    caller: &MaybeCaller,
    id: A::Id,
    query: &PageQuery,
) -> Result<web::Json<Page<ActBody>>, Problem> {
    // `A::visible` also finds a stream whose opening was taken back.
    let viewer = A::visible(&service.desk, caller.actor(), id).await?.viewer;
    let before = cursor(query.after.as_deref())?;
    let limit = limit(service, query.limit)?;
    Ok(web::Json(log::<A>(service, id.into(), before, limit, &viewer).await?))
}
