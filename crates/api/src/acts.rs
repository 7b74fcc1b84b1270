//! Acts as the API shows them: every event in its current form, as far as the viewer may see it.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use owlbox_base::journal::shared::{Shared, Viewer};
use owlbox_base::journal::{Act, ActKind, BrokenHistory, Version};
use owlbox_base::values::{AccountId, ActId, Timestamp};
use owlbox_desk::Refused;
use owlbox_http::paging::Page;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

/// An act: everything that one command did to a stream.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct ActBody {
    pub act: ActId,
    /// The version of the stream after the act.
    pub version: Version,
    /// When the act was carried out.
    pub at: Timestamp,
    /// The account that carried it out; null if the caller may not know it.
    pub by: Option<AccountId>,
    /// What happened, as far as the caller may see it: events of the stream, or an `undone` or `redone` for
    /// each act that was taken back or put back.
    #[cfg_attr(test, schema(value_type = Vec<Value>))]
    pub events: Vec<Box<RawValue>>,
}

/// An act as the viewer may see it. Where they may see none of its events, they still see that there was an
/// act.
///
/// # Errors
/// An event cannot be written as JSON.
pub(super) fn act_body<A: Shared>(act: &Act<A::Event>, viewer: &Viewer) -> Result<ActBody, Refused> {
    let broken = |error: serde_json::Error| BrokenHistory(format!("{}: {error}", act.id));
    let events: Result<Vec<Box<RawValue>>, BrokenHistory> = match &act.kind {
        ActKind::Events(events) => {
            let shown = events.iter().filter_map(|event| A::shown_to(event, viewer));
            shown.map(|event| A::encode(&event)).collect()
        }
        ActKind::Undo(acts) => {
            let undone = acts.iter().map(|act| to_raw_value(&HistoryEvent::Undone { act: *act }));
            undone.map(|event| event.map_err(broken)).collect()
        }
        ActKind::Redo(acts) => {
            let redone = acts.iter().map(|act| to_raw_value(&HistoryEvent::Redone { act: *act }));
            redone.map(|event| event.map_err(broken)).collect()
        }
    };
    Ok(ActBody {
        act: act.id,
        version: act.version,
        at: act.at,
        by: A::author_shown_to(act.by, viewer).then_some(act.by),
        events: events?,
    })
}

/// A page of a stream's log as the viewer may see it, newest act first.
///
/// # Errors
/// The store failed.
pub(super) async fn log<A: Shared>(
    service: &Service,
    stream: uuid::Uuid,
    before: Option<Version>,
    limit: i64,
    viewer: &Viewer,
) -> Result<Page<ActBody>, Problem> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let page = service.desk.log::<A>(stream, before.unwrap_or(Version::MAX), limit).await?;
    let items = page.acts.iter().map(|act| act_body::<A>(act, viewer)).collect::<Result<_, _>>()?;
    Ok(Page { items, next: page.next.map(|version| version.to_string()), names: None })
}

/// Events of history, which the log of any stream may hold beside the stream's own: one for each act that an
/// undo or a redo names.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum HistoryEvent {
    /// An act was taken back.
    Undone {
        /// The act taken back.
        act: ActId,
    },
    /// An act that had been taken back was put back.
    Redone {
        /// The act put back.
        act: ActId,
    },
}
