//! Tournaments at the desk: opening them, carrying out commands, reading them.
//!
//! * [`scope`]: who may give which command.
//! * [`derive`]: the read tables, ratings and books.
//! * `entering`: entering players by name.
//! * `opening`: a new tournament, with divisions of its own or those of an earlier one.
//! * `arriving`: what somebody does at the door, as one act; `changing`: its details and its directors,
//!   likewise.
//! * `screen`: what pages show of a tournament to everybody and to its director, at one version, and lists of
//!   them.
//! * [`links`]: links to entries, for QR codes.

mod arriving;
pub use arriving::Arrival;
mod changing;
pub mod derive;
mod entering;
pub mod links;
pub(super) mod opening;
pub use opening::NewTournament;
pub mod scope;
mod screen;
pub use screen::{DirectorScreen, TournamentCards, TournamentReader, TournamentScreen, UndoableAct};

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use serde::Serialize;
use uuid::Uuid;

use crate::books::income::Period;
use crate::club::stream::{CLUB, require_currency};
use crate::commands::bounds::{KindFilter, OwnActs, used_up, within_rate, written};
use crate::commands::history;
use crate::commands::pipeline;
use crate::commands::plan_context::PlanContext;
use crate::commands::subject::{Change, Preview, StreamPlan};
use crate::{Desk, Principal, RateLimited, Refused, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::journal::{Act, ActKind, Stream, Version};
use owlbox_base::permissions::Scope;
use owlbox_base::values::{AccountId, MatchId, PlayerId, Timestamp, TournamentId};
use owlbox_books::club::Club;
use owlbox_play::tournament::about::{About, Remark, TimeOfDay};
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::settings::Apart;
use owlbox_play::tournament::{Command, CommandAspect, CommandKind, Event, EventKind, Tournament};
use owlbox_store::tournaments as stored;
pub use owlbox_store::tournaments::TournamentRow;
use owlbox_store::{AnyConnection, accounts, players};

/// A command to a tournament, or undo or redo.
pub type Order = history::Order<Command>;

/// The maximum number of events in a tournament's stream: more than the largest tournament needs.
pub const LENGTH: Version = 2_000_000;

#[derive(Clone, Copy, Debug, Default)]
pub struct Filter {
    /// True for closed and cancelled ones only, false for open ones only; `None` for both.
    pub closed: Option<bool>,
    pub private: bool,
    /// Of the days on which they begin.
    pub period: Period,
}

/// A tournament in a list.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TournamentSummary {
    pub id: TournamentId,
    /// The name of the tournament.
    pub name: String,
    /// The day on which it begins.
    pub date: NaiveDate,
    /// When it begins on that day, by the club's clock.
    pub starts: Option<TimeOfDay>,
    /// Where it is played.
    pub place: Option<Remark>,
    /// How many entries its divisions have, those that have left included.
    pub entries: usize,
    /// Whether the tournament is over; true of cancelled ones too.
    pub closed: bool,
    /// Whether it was cancelled.
    pub cancelled: bool,
    /// Whether everybody may see it.
    pub public: bool,
    pub opened_at: Timestamp,
    /// When it was closed or cancelled; null while it is open.
    pub closed_at: Option<Timestamp>,
}

impl Filter {
    pub(crate) const fn stored(self) -> stored::Filter {
        let Period { from, until } = self.period;
        stored::Filter { over: self.closed, only_public: !self.private, from, until }
    }
}

impl TournamentSummary {
    fn new(row: TournamentRow, tournament: &Tournament) -> Self {
        let about = tournament.about();
        Self {
            starts: about.and_then(|about| about.starts),
            place: about.and_then(|about| about.place.clone()),
            entries: tournament.divisions().map(|(_, division)| division.entered()).sum(),
            id: row.id.into(),
            name: row.name,
            date: row.date,
            closed: row.closed_at.is_some(),
            cancelled: row.status == "cancelled",
            public: row.public,
            opened_at: row.opened_at.into(),
            closed_at: row.closed_at.map(Into::into),
        }
    }
}

impl Preview<Tournament> {
    /// The matches that would change, in their players or their result.
    #[must_use]
    pub fn touched(&self) -> BTreeSet<MatchRef> {
        let acts = self.here.named.iter().chain(std::iter::once(&self.here.after.act));
        acts.flat_map(touched_by).collect()
    }
}

impl Desk {
    /// A page of tournaments, newest first; `after` is the last one of the page before.
    ///
    /// # Errors
    /// The store failed.
    pub async fn tournaments(
        &self,
        filter: Filter,
        after: Option<TournamentId>,
        limit: i64,
    ) -> Result<Vec<TournamentSummary>, Refused> {
        filter.period.in_order()?;
        let desk = self.clone();
        self.read(move |connection| {
            let rows = stored::page(connection, filter.stored(), after, limit)?;
            let summary = |row: TournamentRow| {
                let stream = desk.load::<Tournament>(connection, row.id.0)?;
                Ok(TournamentSummary::new(row, &stream.state))
            };
            rows.into_iter().map(summary).collect()
        })
        .await
    }
}

pub(super) fn no_preview() -> Refused {
    Refused::rule(Code::NoPreview, Some("command"), "a draw cannot be previewed")
}

/// Refuses fees and prizes in a currency the club keeps no books in.
pub(super) fn currency_in_use(around: &mut impl PlanContext, about: &About) -> Result<(), Refused> {
    let Some(currency) = about.currency else { return Ok(()) };
    let club = around.stream::<Club>(CLUB)?;
    let settings = club.state.settings().ok_or(Refused::NotFound("club"))?;
    require_currency(settings, currency, "currency")
}

/// The maximum number of reports by a player within a minute.
const MOST_REPORTS: u16 = 6;
/// How many of the newest events are searched for a player's reports.
const LOOKED_BACK: Version = 500;
/// The maximum number of reports by one account among those.
const MOST_OF_THEM: i64 = 100;

/// The kind of events by which players report their own matches.
const REPORTS: KindFilter<EventKind> =
    KindFilter { are: |kind| matches!(kind, EventKind::Reported), history: false };

/// Limits players who report their own matches: otherwise anybody with an entry card could fill the journal.
pub(super) fn not_too_often(
    around: &mut impl PlanContext,
    principal: &Principal,
    before: &Stream<Tournament>,
    command: &Command,
) -> Result<(), Refused> {
    let own = scope::scope(principal, &before.state, CommandKind::Report) == Scope::Oneself;
    if !own || !matches!(command, Command::Report { .. }) {
        return Ok(());
    }
    let now = around.now();
    may_report(around.connection()?, principal.account, now, before)
}

/// Refuses a player's own report, here or on the sheet of a match, if there were too many.
pub(super) fn may_report(
    connection: &mut AnyConnection,
    account: AccountId,
    now: Timestamp,
    before: &Stream<Tournament>,
) -> Result<(), Refused> {
    let after = before.version.saturating_sub(LOOKED_BACK);
    let mut acts = OwnActs { connection, account, stream: before.state.id.0, after, now };
    within_rate(&mut acts, REPORTS, MOST_REPORTS, RateLimited::Reports)?;
    let said = written(&mut acts, REPORTS)?;
    // The limit recedes as others act in the tournament, not with time, so there is no waiting time to give.
    if said < MOST_OF_THEM { Ok(()) } else { Err(used_up(MOST_OF_THEM)) }
}

/// Whether an order is over soon, so that others can wait for it.
pub(crate) fn is_brief(order: &Order) -> bool {
    match order {
        Order::History(_) => false,
        Order::Command(command) => CommandKind::from(command).has(CommandAspect::Brief),
    }
}

/// The command completed by the service: groups to be drawn apart, the id of a sheet. Refuses entries of
/// players who are not active, and directors without an active account.
pub(super) fn prepared(
    around: &mut impl PlanContext,
    tournament: &Tournament,
    command: &Command,
) -> Result<Command, Refused> {
    let mut command = command.clone();
    if let Command::Change { about } = &command {
        currency_in_use(around, about)?;
    } else if let Command::Enter { entries, .. } = &command {
        let entering: Vec<PlayerId> = entries.iter().map(|entry| entry.player).collect();
        all_come(around.connection()?, &entering)?;
    } else if let Command::SetDirectors { directors } = &command {
        let connection = around.connection()?;
        let new = directors.iter().filter(|account| !tournament.directors.contains(account));
        for account in new {
            if accounts::standing(connection, *account)?.is_none_or(|standing| !standing.active) {
                let detail = format!("there is no active account {account}");
                return Err(Refused::rule(Code::UnknownAccount, Some("directors"), detail));
            }
        }
    } else if let Command::Draw { division, groups, .. } = &mut command {
        *groups = groups_of(around.connection()?, tournament, *division)?;
    } else if let Command::OpenSheet { sheet, .. } = &mut command {
        *sheet = Some(MatchId(Uuid::now_v7()));
    }
    Ok(command)
}

fn all_come(connection: &mut AnyConnection, entering: &[PlayerId]) -> Result<(), Refused> {
    let known = players::origins(connection, entering)?;
    for player in entering {
        match known.get(player) {
            None => {
                let detail = format!("there is no player {player}");
                return Err(Refused::rule(Code::UnknownPlayer, Some("player"), detail));
            }
            Some(from) if !from.active => {
                let detail = format!("player {player} is not active");
                return Err(Refused::rule(Code::PlayerInactive, Some("player"), detail));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// The entries of a division to be drawn apart, with the number of their group.
fn groups_of(
    connection: &mut AnyConnection,
    tournament: &Tournament,
    division: DivisionNo,
) -> Result<Vec<(EntryNo, u32)>, Refused> {
    let Some(of) = tournament.division(division) else { return Ok(Vec::new()) };
    let apart = of.settings.apart;
    if apart == Apart::Nobody {
        return Ok(Vec::new());
    }
    let entered: Vec<PlayerId> = of.entries().map(|(_, entry)| entry.player).collect();
    let known = players::origins(connection, &entered)?;
    let group = |player: &PlayerId| {
        let from = known.get(player)?;
        match apart {
            Apart::Nobody => None,
            Apart::Club => from.club.clone(),
            Apart::Country => from.country.clone(),
        }
    };
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    let mut groups = Vec::new();
    for (number, entry) in of.entries() {
        if let Some(name) = group(&entry.player) {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            groups.push((number, *numbers.entry(name).or_insert(next)));
        }
    }
    Ok(groups)
}

/// Applies the consequences of an act, including those for guests it entered.
pub(super) fn derive(unit: &mut UnitOfWork<'_, '_>, change: &Change<Tournament>) -> Result<(), Refused> {
    derive::derive(unit, change)?;
    entering::guests_follow(unit, change)
}

/// Appends a part of a plan to a tournament, with its consequences: for acts of another stream that change
/// it.
pub(super) fn append(
    unit: &mut UnitOfWork<'_, '_>,
    part: StreamPlan<Tournament>,
) -> Result<Change<Tournament>, Refused> {
    let change = pipeline::append(unit, part)?;
    derive(unit, &change)?;
    Ok(change)
}

/// The matches whose players or result an act changes.
fn touched_by(act: &Act<Event>) -> Vec<MatchRef> {
    let ActKind::Events(events) = &act.kind else { return Vec::new() };
    let mut touched = Vec::new();
    for event in events {
        let Some(division) = event.division() else { continue };
        touched.extend(event.changes().iter().map(|change| MatchRef { division, number: change.number }));
    }
    touched
}
