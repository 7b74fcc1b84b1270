//! The daybook: the transactions it should have posted, and how the books should stand at the end of every
//! closed month.

use uuid::Uuid;

use super::acts::{About, Answerable, Standings};
use super::books::{ExpectedTransaction, expect};
use super::{Difference, Heads, Journals, Replayed, Unverified, Wrong, stream_name};
use crate::Principal;
use crate::books::daybook::{may, needs_second, transactions};
use crate::commands::history::Order;
use owlbox_base::journal::{ActKind, Aggregate as _, Stream};
use owlbox_books::club::Settings;
use owlbox_books::daybook::alone::stood_alone_in_format_1;
use owlbox_books::daybook::{Authority, Bookkeeper, Closing, Command, Daybook, Event, Month, Stands};
use owlbox_books::ledger::Source;
use owlbox_store::AnyConnection;

/// Up to which month the books were closed, from the transaction after `after` on; and how they stood, if a
/// month was closed then.
pub(super) struct Closed {
    pub(super) after: i64,
    pub(super) closing: Closing,
    pub(super) stood: Option<(Month, Stands)>,
    /// The version of the daybook.
    pub(super) version: i64,
}

/// Replays the daybook. Returns the transactions the books should hold, and when months were closed and
/// opened.
pub(super) fn verify(
    connection: &mut AnyConnection,
    heads: &Heads,
    journals: &mut Journals,
) -> Result<(Vec<ExpectedTransaction>, Vec<Closed>), Unverified> {
    let (mut posted, mut closings) = (Vec::new(), Vec::new());
    let Some((_, head)) = heads.get(&Source::DAYBOOK) else { return Ok((posted, closings)) };
    let Replayed { acts, .. } = journals.replay::<Daybook>(connection, Source::DAYBOOK, *head)?;
    let mut before = Daybook::initial();
    for act in &acts {
        let broken = |why: String| Difference {
            table: "journal",
            row: stream_name(Source::DAYBOOK),
            wrong: Wrong::Broken(format!("version {}: {why}", act.version)),
        };
        let ActKind::Events(events) = &act.kind else {
            return Err(broken("the daybook has no undo".to_owned()).into());
        };
        for event in events {
            let new = transactions(&before, event, act.version, act.at);
            let new = new.map_err(|refused| broken(refused.to_string()))?;
            posted.extend(new.iter().map(|new| expect(new, act.id, act.at)));
            if let Some(closing) = event.closing() {
                let (after, stood) = match event {
                    Event::MonthClosed { month, stands } => {
                        (stands.transactions, Some((*month, stands.clone())))
                    }
                    Event::MonthReopened { transactions, .. } => (*transactions, None),
                    Event::Recorded { .. }
                    | Event::Proposed { .. }
                    | Event::Approved { .. }
                    | Event::Declined { .. }
                    | Event::TakenBack { .. }
                    | Event::TakeBackProposed { .. } => continue,
                };
                closings.push(Closed { after, closing, stood, version: act.version });
            }
            before.apply(event, act.at);
        }
    }
    Ok((posted, closings))
}

/// The first format in which the limit of one person covers more than single adjustments.
const COVERS_MORE_SINCE: i16 = 2;

impl Answerable for Daybook {
    fn may(
        standings: &Standings,
        principal: &Principal,
        before: &Stream<Self>,
        order: &Order<Command>,
        about: About,
    ) -> bool {
        Self::may_in_format(standings, principal, before, order, about, Self::FORMAT)
    }

    fn may_in_format(
        standings: &Standings,
        principal: &Principal,
        before: &Stream<Self>,
        order: &Order<Command>,
        about: About,
        format: i16,
    ) -> bool {
        let Order::Command(command) = order else { return false };
        let says_who = |word: &Authority| *word != Authority::Alone(None);
        let stands_alone = |settings: &Settings| {
            let waits =
                |waits: &dyn Fn(&Bookkeeper<'_>) -> bool| needs_second(principal, settings, about.at, waits);
            match command {
                Command::Record { recorded, word: Authority::Alone(_) } if format < COVERS_MORE_SINCE => {
                    stood_alone_in_format_1(&recorded.what, settings.adjustment_limit)
                }
                Command::Record { recorded, word: word @ Authority::Alone(_) } => {
                    says_who(word) && !waits(&|who| before.state.record_waits(recorded, who))
                }
                Command::TakeBack { entry, word: word @ Authority::Alone(_), .. } => {
                    format < COVERS_MORE_SINCE
                        || says_who(word) && !waits(&|who| before.state.take_back_waits(*entry, who))
                }
                Command::Record { .. }
                | Command::TakeBack { .. }
                | Command::Approve { .. }
                | Command::Decline { .. }
                | Command::CloseMonth { .. }
                | Command::ReopenMonth { .. } => true,
            }
        };
        may(principal, command) && standings.had_settings(about, stands_alone)
    }

    fn other(_: &Event) -> Option<Uuid> {
        None
    }
}
