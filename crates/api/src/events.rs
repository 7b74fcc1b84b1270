//! Live streams: server-sent events, one for every act. Here is that of a chouette, a match or a tournament,
//! and what it shares with that of the whole club ([`club_events`](super::club_events)).

use std::str::FromStr;
use std::time::Duration;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use chrono::TimeDelta;
use futures_util::stream::{self, Stream};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::Instant;

use super::acts::act_body;
use owlbox_base::code::Code;
use owlbox_base::journal::shared::Viewer;
use owlbox_base::journal::{BrokenHistory, Version};
use owlbox_desk::commands::subject::Subject;
use owlbox_desk::reading::listening::Listener;
use owlbox_desk::reading::live::Frame;
use owlbox_desk::{Actor, Refused};
use owlbox_http::caller::{self, MaybeCaller};
use owlbox_http::problem::Problem;
use owlbox_http::service::{Listening, Service, StreamPlace};

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
pub(super) struct ListenQuery {
    /// Only acts after this version; `Last-Event-ID` takes precedence. Without either, only acts from now on.
    pub(super) after: Option<Version>,
}

/// The longest that a stream lasts.
const LONGEST: Duration = Duration::from_secs(15 * 60);

/// The last event that the listener has seen. An invalid one is refused: starting from now instead would
/// leave a gap.
pub(super) fn last_event_id<T: FromStr>(request: &HttpRequest) -> Result<Option<T>, Problem> {
    let Some(value) = request.headers().get("last-event-id") else { return Ok(None) };
    let seen = value.to_str().ok().and_then(|id| id.parse().ok());
    seen.map(Some).ok_or_else(|| {
        let detail = "Last-Event-ID is the id of an event of this stream";
        Problem::new(Code::InvalidLastEventId, detail)
    })
}

/// Follows a stream live, for callers who may view it.
pub(super) async fn follow_live<A: Subject>(
    service: &Service,
    caller: MaybeCaller,
    id: A::Id,
    query: &ListenQuery,
    request: &HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (stream, _) = service.desk.visible::<A>(caller.actor(), id).await?;
    let current = stream.version;
    let last_seen = last_event_id(request)?.or(query.after);
    let place = enter(service, &caller, request)?;
    let after = last_seen.unwrap_or(current).clamp(0, current);
    let told = Acts::<A> {
        listener: service.desk.listen(id.into(), after),
        token: caller::presented_token(request)?,
        service: service.clone(),
        id,
        viewer: None,
    };
    Ok(answer(service, &caller, told, place))
}

/// Takes a place among the live streams.
pub(super) fn enter(
    service: &Service,
    caller: &MaybeCaller,
    request: &HttpRequest,
) -> Result<StreamPlace, Problem> {
    let who = match caller.actor() {
        Some(actor) => Listening::Account(actor.account),
        None => Listening::Stranger(caller::own_address(request)),
    };
    service.streams.enter(who, &service.config.limits).ok_or(Problem::from(Refused::Busy))
}

/// What a live stream tells. Its methods are called one after the other.
pub(super) trait Told: Sized + 'static {
    type Next;

    /// What comes next. Cancel-safe: dropping the future loses nothing.
    async fn next(&mut self) -> Result<Self::Next, Refused>;

    /// How it is told; `None` if the stream ends with it.
    async fn line(&mut self, next: Self::Next) -> Result<Option<web::Bytes>, Refused>;

    /// Whether the listener may still listen. A failing store is no reason to cut anybody off.
    async fn may_go_on(&mut self) -> bool;

    /// The id of the last event that the listener need not be told any more, where that is known beside
    /// events.
    fn reached(&self) -> Option<String> {
        None
    }
}

/// A live stream of what is told, until the caller's token expires.
pub(super) fn answer<T: Told>(
    service: &Service,
    caller: &MaybeCaller,
    told: T,
    place: StreamPlace,
) -> HttpResponse {
    let expires_at = caller.0.and_then(|caller| caller.expires_at);
    let lasting = expires_at.map_or(LONGEST, |end| {
        (end.utc() - service.desk.now().utc()).max(TimeDelta::zero()).to_std().unwrap_or(LONGEST).min(LONGEST)
    });
    let heartbeat = Duration::from_secs(service.config.http.heartbeat_seconds);
    let lines = Lines {
        told,
        ends_at: Instant::now() + lasting,
        stopping: service.stopping.clone(),
        greeted: false,
        heartbeat,
        beat_at: Instant::now() + heartbeat,
        _place: place,
    };
    HttpResponse::Ok()
        .content_type("text/event-stream")
        // Compression would hold lines back.
        .insert_header((header::CONTENT_ENCODING, "identity"))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header(("x-accel-buffering", "no"))
        .streaming(lines.into_stream())
}

struct Lines<T> {
    told: T,
    ends_at: Instant,
    stopping: watch::Receiver<bool>,
    greeted: bool,
    /// The interval of heartbeats. Such a comment keeps proxies from closing a quiet stream and finds out
    /// whether the listener is still connected. At the same interval the listener's permission is checked
    /// again, as somebody may have been signed out.
    heartbeat: Duration,
    beat_at: Instant,
    _place: StreamPlace,
}

impl<T: Told> Lines<T> {
    fn into_stream(self) -> impl Stream<Item = Result<web::Bytes, actix_web::Error>> {
        stream::unfold(self, |mut lines| async move { lines.next().await.map(|chunk| (Ok(chunk), lines)) })
    }

    /// The next chunk; `None` at the end.
    async fn next(&mut self) -> Option<web::Bytes> {
        if !self.greeted {
            // Tells the client at once that it is connected, and when to reconnect.
            self.greeted = true;
            return Some(self.quiet("retry: 1000\n"));
        }
        let told = tokio::select! {
            biased;
            _ = self.stopping.wait_for(|stopping| *stopping) => return None,
            () = tokio::time::sleep_until(self.ends_at) => return None,
            () = tokio::time::sleep_until(self.beat_at) => None,
            next = self.told.next() => Some(next),
        };
        match told {
            Some(next) => {
                let line = match next {
                    Ok(next) => self.told.line(next).await,
                    Err(Refused::Unauthorised(_)) => return None,
                    Err(failed) => Err(failed),
                };
                line.inspect_err(|error| tracing::warn!(%error, "a live stream is cut off")).ok().flatten()
            }
            None => {
                self.beat_at = Instant::now() + self.heartbeat;
                self.told.may_go_on().await.then(|| self.quiet(":\n"))
            }
        }
    }

    /// A frame without an event, which may tell how far the listener has got.
    fn quiet(&self, line: &str) -> web::Bytes {
        let reached = self.told.reached().map(|id| format!("id: {id}\n")).unwrap_or_default();
        web::Bytes::from(format!("{line}{reached}\n"))
    }
}

/// The acts of one stream.
struct Acts<A: Subject> {
    listener: Listener,
    /// The caller's token, to be checked again; `None` for the public.
    token: Option<SecretString>,
    service: Service,
    id: A::Id,
    /// What the listener may see, as of the last check.
    viewer: Option<Viewer>,
}

impl<A: Subject> Told for Acts<A> {
    type Next = Frame;

    async fn next(&mut self) -> Result<Frame, Refused> {
        self.listener.next().await
    }

    /// An act as the listener may see it; `None` if this very act takes the stream out of their sight.
    async fn line(&mut self, frame: Frame) -> Result<Option<web::Bytes>, Refused> {
        let act = frame.act::<A>()?;
        let look = self.viewer.is_none() || A::changes_who_sees(&act.kind);
        if look && !self.may_go_on().await {
            return Ok(None);
        }
        let viewer = self.viewer.unwrap_or_default();
        let shown = frame.shown(viewer, || {
            let body = act_body::<A>(&act, &viewer)?;
            Ok::<_, Refused>(event(&body.version.to_string(), &body)?)
        })?;
        Ok(Some(web::Bytes::from_owner(shown)))
    }

    async fn may_go_on(&mut self) -> bool {
        let looked = async {
            let actor = actor_of(&self.service, self.token.as_ref()).await?;
            Ok(A::visible(&self.service.desk, actor.as_ref(), self.id).await?.viewer)
        };
        match looked.await {
            Err(Refused::Unauthorised(_) | Refused::Forbidden(_) | Refused::OutsideScopes(_)) => false,
            Err(_) => true,
            Ok(viewer) => {
                self.viewer = Some(viewer);
                true
            }
        }
    }
}

/// Who shows this token; nobody without one.
///
/// # Errors
/// The token is invalid, or has expired.
pub(super) async fn actor_of(
    service: &Service,
    token: Option<&SecretString>,
) -> Result<Option<Actor>, Refused> {
    match token {
        Some(token) => Ok(Some(caller::authenticate(service, token).await?.actor)),
        None => Ok(None),
    }
}

/// A frame that tells an act.
pub(super) fn event(id: &str, act: &impl Serialize) -> Result<Vec<u8>, BrokenHistory> {
    let data = serde_json::to_string(act).map_err(|error| BrokenHistory(error.to_string()))?;
    Ok(format!("id: {id}\nevent: act\ndata: {data}\n\n").into_bytes())
}
