//! The live stream of a chouette, a match or a tournament: a server-sent event for every act.

use std::time::Duration;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use chrono::TimeDelta;
use futures_util::stream::{self, Stream};
use secrecy::SecretString;
use serde::Deserialize;
use tokio::sync::watch;
use tokio::time::Instant;

use super::acts::{ActBody, act_body};
use owlbox_base::code::Code;
use owlbox_base::journal::shared::Viewer;
use owlbox_base::journal::{BrokenHistory, Version};
use owlbox_desk::Refused;
use owlbox_desk::commands::subject::Subject;
use owlbox_desk::reading::listening::Listener;
use owlbox_desk::reading::live::Frame;
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

/// The last version that the listener has seen. An invalid one is refused: starting from now instead would
/// leave a gap.
fn last_event_id(request: &HttpRequest) -> Result<Option<Version>, Problem> {
    let Some(value) = request.headers().get("last-event-id") else { return Ok(None) };
    let version = value.to_str().ok().and_then(|id| id.parse().ok());
    version.map(Some).ok_or_else(|| {
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
    let who = match caller.actor() {
        Some(actor) => Listening::Account(actor.account),
        None => Listening::Stranger(caller::own_address(request)),
    };
    let place = service.streams.enter(who, &service.config.limits).ok_or(Problem::from(Refused::Busy))?;
    let lasting = caller.0.and_then(|caller| caller.expires_at).map_or(LONGEST, |end| {
        (end.utc() - service.desk.now().utc()).max(TimeDelta::zero()).to_std().unwrap_or(LONGEST).min(LONGEST)
    });
    let after = last_seen.unwrap_or(current).clamp(0, current);
    let heartbeat = Duration::from_secs(service.config.http.heartbeat_seconds);
    let lines = Lines::<A> {
        listener: service.desk.listen(id.into(), after),
        ends_at: Instant::now() + lasting,
        stopping: service.stopping.clone(),
        greeted: false,
        heartbeat,
        beat_at: Instant::now() + heartbeat,
        token: caller::presented_token(request)?,
        service: service.clone(),
        id,
        viewer: None,
        _place: place,
    };
    Ok(HttpResponse::Ok()
        .content_type("text/event-stream")
        // Compression would hold lines back.
        .insert_header((header::CONTENT_ENCODING, "identity"))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header(("x-accel-buffering", "no"))
        .streaming(lines.into_stream()))
}

struct Lines<A: Subject> {
    listener: Listener,
    ends_at: Instant,
    stopping: watch::Receiver<bool>,
    greeted: bool,
    /// The interval of heartbeats. Such a comment keeps proxies from closing a quiet stream and finds out
    /// whether the listener is still connected. At the same interval the listener's permission is checked
    /// again, as somebody may have been signed out.
    heartbeat: Duration,
    beat_at: Instant,
    /// The caller's token, to be checked again; `None` for the public.
    token: Option<SecretString>,
    service: Service,
    id: A::Id,
    /// What the listener may see, as of the last check.
    viewer: Option<Viewer>,
    _place: StreamPlace,
}

impl<A: Subject> Lines<A> {
    fn into_stream(self) -> impl Stream<Item = Result<web::Bytes, actix_web::Error>> {
        stream::unfold(self, |mut lines| async move { lines.next().await.map(|chunk| (Ok(chunk), lines)) })
    }

    /// The next chunk; `None` at the end.
    async fn next(&mut self) -> Option<web::Bytes> {
        if !self.greeted {
            // Tells the client at once that it is connected, and when to reconnect.
            self.greeted = true;
            return Some(web::Bytes::from_static(b"retry: 1000\n\n"));
        }
        let told = tokio::select! {
            biased;
            _ = self.stopping.wait_for(|stopping| *stopping) => return None,
            () = tokio::time::sleep_until(self.ends_at) => return None,
            () = tokio::time::sleep_until(self.beat_at) => None,
            frame = self.listener.next() => Some(frame),
        };
        match told {
            Some(frame) => {
                let line = self.line(frame).await;
                line.inspect_err(|error| tracing::warn!(%error, "a live stream is cut off")).ok().flatten()
            }
            None => {
                self.beat_at = Instant::now() + self.heartbeat;
                self.may_go_on().await.then(|| web::Bytes::from_static(b":\n\n"))
            }
        }
    }

    /// An act as the listener may see it; `None` if this very act takes the stream out of their sight.
    async fn line(&mut self, frame: Result<Frame, Refused>) -> Result<Option<web::Bytes>, Refused> {
        let frame = frame?;
        let act = frame.act::<A>()?;
        let look = self.viewer.is_none() || A::changes_who_sees(&act.kind);
        if look && !self.may_go_on().await {
            return Ok(None);
        }
        let viewer = self.viewer.unwrap_or_default();
        let shown = frame.shown(viewer, || Ok::<_, Refused>(event(&act_body::<A>(&act, &viewer)?)?))?;
        Ok(Some(web::Bytes::from_owner(shown)))
    }

    /// Whether the listener may still see the stream. A failing store is no reason to cut anybody off.
    async fn may_go_on(&mut self) -> bool {
        let looked = async {
            let caller = match &self.token {
                Some(token) => Some(caller::authenticate(&self.service, token).await?),
                None => None,
            };
            let actor = caller.map(|caller| caller.actor);
            Ok(A::visible(&self.service.desk, actor.as_ref(), self.id).await?.viewer)
        };
        match looked.await {
            Err(Refused::Unauthorised(_) | Refused::Forbidden(_)) => false,
            Err(_) => true,
            Ok(viewer) => {
                self.viewer = Some(viewer);
                true
            }
        }
    }
}

fn event(act: &ActBody) -> Result<Vec<u8>, BrokenHistory> {
    let version = act.version;
    let data = serde_json::to_string(act).map_err(|error| BrokenHistory(error.to_string()))?;
    Ok(format!("id: {version}\nevent: act\ndata: {data}\n\n").into_bytes())
}
