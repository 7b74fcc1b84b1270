//! The live stream of the whole club: every act of every chouette, match and tournament, each as its own
//! stream tells it.

use actix_web::{HttpRequest, HttpResponse, get, web};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::acts::{ActBody, act_body};
use super::events::{Told, actor_of, answer, enter, event, last_event_id};
use owlbox_base::code::Code;
use owlbox_chouette::Chouette;
use owlbox_desk::commands::subject::Subject;
use owlbox_desk::reading::whole_club::{ClubListener, Place, SeenAct, StreamKind};
use owlbox_desk::{Actor, Refused};
use owlbox_http::caller::{self, MaybeCaller};
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;
use owlbox_play::matches::Sheet;
use owlbox_play::tournament::Tournament;

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(follow_club);
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
struct ClubQuery {
    /// Only acts after the event with this id, `0` for all, as long as the first is kept; `Last-Event-ID`
    /// takes precedence. Without either, only acts from now on.
    #[cfg_attr(test, param(pattern = "^(0|[1-9][0-9]*[.][1-9][0-9]*[.][0-9a-f]{8})$"))]
    after: Option<String>,
    /// Only acts of streams of these kinds, separated by commas: `chouette`, `match`, `tournament`.
    #[cfg_attr(test, param(pattern = "^(chouette|match|tournament)(,(chouette|match|tournament))*$"))]
    kinds: Option<String>,
}

impl ClubQuery {
    fn after(&self) -> Result<Option<Place>, Problem> {
        self.after.as_deref().map(str::parse).transpose().map_err(|_| {
            Problem::new(Code::InvalidQuery, "after must be the id of an event of this stream").about("after")
        })
    }

    fn kinds(&self) -> Result<Vec<StreamKind>, Problem> {
        let Some(kinds) = &self.kinds else { return Ok(StreamKind::ALL.to_vec()) };
        kinds.split(',').map(str::parse).collect::<Result<_, _>>().map_err(|_| {
            let detail = "kinds are chouette, match and tournament, separated by commas";
            Problem::new(Code::InvalidQuery, detail).about("kinds")
        })
    }
}

/// An act, and of which stream. `docs/tests/compose/frames.rs` describes it.
#[derive(Debug, Serialize)]
pub(super) struct ClubActBody {
    kind: StreamKind,
    /// The id of the stream.
    id: Uuid,
    #[serde(flatten)]
    act: ActBody,
}

/// Follows the whole club live.
///
/// Server-sent events named `act`: every act of the chouettes, matches and tournaments that the caller may
/// see, as the live stream of each tells it, with the stream it belongs to. Every act comes once, those of a
/// stream in the order of its versions. `Last-Event-ID` (or `?after=`) resumes without a gap. The stream ends
/// as the others do. Without a token it tells what is public.
#[cfg_attr(test, utoipa::path(
    security((), ("bearer" = [])),
    params(
        ClubQuery,
        (
            "Last-Event-ID" = Option<String>, Header, description = "The last event received",
            pattern = "^(0|[1-9][0-9]*[.][1-9][0-9]*[.][0-9a-f]{8})$"
        )
    ),
    responses(
        (status = 200, content_type = "text/event-stream", body = String),
        (status = 410, body = Problem, description = "The event is too far back, or of another database"),
        (status = 503, body = Problem, description = "As many streams as allowed are open")
    )
))]
#[get("/events")]
async fn follow_club(
    service: Service,
    caller: MaybeCaller,
    query: web::Query<ClubQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (after, kinds) = (last_event_id(&request)?.or(query.after()?), query.kinds()?);
    let place = enter(&service, &caller, &request)?;
    let acts = ClubActs {
        listener: service.desk.listen_to_club(caller.actor(), after).await?,
        kinds,
        token: caller::presented_token(&request)?,
        actor: caller.actor().copied(),
        service: service.clone(),
    };
    Ok(answer(&service, &caller, acts, place))
}

/// The acts of all streams that the listener may see.
struct ClubActs {
    listener: ClubListener,
    kinds: Vec<StreamKind>,
    /// The caller's token, to be checked again; `None` for the public.
    token: Option<SecretString>,
    /// Who listens, as of the last check.
    actor: Option<Actor>,
    service: Service,
}

impl Told for ClubActs {
    type Next = SeenAct;

    async fn next(&mut self) -> Result<SeenAct, Refused> {
        self.listener.next_seen_by(self.actor.as_ref(), &self.kinds).await
    }

    async fn line(&mut self, seen: SeenAct) -> Result<Option<web::Bytes>, Refused> {
        let shown = seen.act.frame.shown(seen.viewer, || {
            Ok::<_, Refused>(event(&seen.act.place.to_string(), &club_act_body(&seen)?)?)
        })?;
        Ok(Some(web::Bytes::from_owner(shown)))
    }

    async fn may_go_on(&mut self) -> bool {
        match actor_of(&self.service, self.token.as_ref()).await {
            Err(Refused::Unauthorised(_) | Refused::Forbidden(_)) => false,
            Err(_) => true,
            Ok(actor) => {
                self.actor = actor;
                true
            }
        }
    }

    fn reached(&self) -> Option<String> {
        Some(self.listener.place().to_string())
    }
}

/// An act as its viewer may see it: the same as its own stream tells them.
pub(super) fn club_act_body(seen: &SeenAct) -> Result<ClubActBody, Refused> {
    let act = match seen.kind {
        StreamKind::Chouette => told::<Chouette>(seen),
        StreamKind::Match => told::<Sheet>(seen),
        StreamKind::Tournament => told::<Tournament>(seen),
    };
    Ok(ClubActBody { kind: seen.kind, id: seen.act.stream, act: act? })
}

fn told<A: Subject>(SeenAct { act, viewer, .. }: &SeenAct) -> Result<ActBody, Refused> {
    act_body::<A>(&*act.frame.act::<A>()?, viewer)
}
