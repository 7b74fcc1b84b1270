//! Tournaments at the desk: opening one, commands to one, looking at one.
//!
//! * [`scope`]: who may give which command.
//! * [`derive`]: the read tables, ratings and books that follow of an act.
//! * `entering`: players who enter by name.
//! * [`links`]: what the QR code of an entry holds.

pub mod derive;
mod entering;
pub use entering::Entrant;
pub mod links;
pub mod scope;

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use super::bounds::{Kinds, OwnActs, used_up, within_rate, written};
use super::history;
use super::pipeline;
use super::subject::{Change, Part, Preview};
use super::surroundings::Surroundings;
use super::{Allowed, Desk, Often, Principal, Refused, Rule, UnitOfWork};
use owlbox_domain::club::Club;
use owlbox_domain::code::Code;
use owlbox_domain::journal::{Act, ActKind, Stream, Version};
use owlbox_domain::permissions::Scope;
use owlbox_domain::tournament::about::About;
use owlbox_domain::tournament::bracket::EntryNo;
use owlbox_domain::tournament::room::{DivisionNo, MatchRef};
use owlbox_domain::tournament::settings::Apart;
use owlbox_domain::tournament::{Command, CommandKind, Event, EventKind, Tournament};
use owlbox_domain::values::{AccountId, MatchId, PlayerId, Timestamp, TournamentId};
use owlbox_store::tournaments as stored;
pub use owlbox_store::tournaments::Row;
use owlbox_store::{AnyConnection, accounts, players};

/// A command to a tournament as callers give it.
pub type Order = history::Order<Command>;

/// The most events that a tournament's stream may have: more than the largest comes to.
pub const LENGTH: Version = 2_000_000;

/// Which tournaments a list shows.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    /// Closed ones, or open ones.
    pub closed: Option<bool>,
    pub private: bool,
}

impl Preview<Tournament> {
    /// The matches that would be touched: others in them, or another result.
    #[must_use]
    pub fn touched(&self) -> BTreeSet<MatchRef> {
        let acts = self.here.named.iter().chain(std::iter::once(&self.here.after.act));
        acts.flat_map(touched_by).collect()
    }
}

impl Desk {
    /// A page of tournaments at a glance, newest first, older than the one named.
    ///
    /// # Errors
    /// The store failed.
    pub async fn tournaments(
        &self,
        filter: Filter,
        after: Option<TournamentId>,
        limit: i64,
    ) -> Result<Vec<Row>, Refused> {
        let status = filter.closed.map(|closed| if closed { "closed" } else { "open" });
        let read = move |connection: &mut AnyConnection| {
            Ok(stored::page(connection, status, !filter.private, after, limit)?)
        };
        self.read(read).await
    }
}

pub(super) fn no_preview() -> Refused {
    Refused::rule(Code::NoPreview, Some("command"), "a draw is not shown before it is made")
}

/// Fees and prizes are in one of the club's currencies.
pub(super) fn currency_in_use(around: &mut impl Surroundings, about: &About) -> Result<(), Refused> {
    let Some(currency) = about.currency else { return Ok(()) };
    let club = around.stream::<Club>(super::clubs::CLUB, "club")?;
    let settings = club.state.settings().ok_or(Refused::NotFound("club"))?;
    if settings.currencies.contains(currency) {
        return Ok(());
    }
    Err(Refused::Rule(Rule {
        code: Code::CurrencyNotInUse,
        field: Some("currency"),
        allowed: Some(Allowed::Currencies(settings.currencies.as_slice().to_vec())),
        detail: format!("the club does not keep books in {currency}"),
    }))
}

/// So many times in a minute a player may say how his matches ended.
const MOST_REPORTS: u16 = 6;
/// So far back in a stream it is looked whether somebody reports too often.
const LOOKED_BACK: Version = 500;
/// So many of those events may be one account's reports.
const MOST_OF_THEM: i64 = 100;

/// What players say of their own matches.
const REPORTS: Kinds<EventKind> = Kinds { are: |kind| matches!(kind, EventKind::Reported), history: false };

/// Who reports his own match does not do so without end: whoever holds a card could fill the journal.
pub(super) fn not_too_often(
    around: &mut impl Surroundings,
    principal: &Principal,
    before: &Stream<Tournament>,
    command: &Command,
) -> Result<(), Refused> {
    let own = scope::scope(principal, &before.state, CommandKind::Report) == Scope::Oneself;
    if !own || !matches!(command, Command::Report { .. }) {
        return Ok(());
    }
    let now = around.now();
    may_report(around.connection(), principal.account, now, before)
}

/// Refuses a report of one's own where there were too many, here or on the sheet of a match.
pub(super) fn may_report(
    connection: &mut AnyConnection,
    account: AccountId,
    now: Timestamp,
    before: &Stream<Tournament>,
) -> Result<(), Refused> {
    let after = before.version.saturating_sub(LOOKED_BACK);
    let mut acts = OwnActs { connection, account, stream: before.state.id.0, after, now };
    within_rate(&mut acts, REPORTS, MOST_REPORTS, Often::Reports)?;
    let said = written(&mut acts, REPORTS)?;
    // Others have to do something there before he has a share again: no time that could be told.
    if said < MOST_OF_THEM { Ok(()) } else { Err(used_up(MOST_OF_THEM)) }
}

/// The command with what the service says of it: who is drawn apart, the id of a sheet. Whoever enters is a player of the
/// club who still comes, and whoever is to direct has a login.
pub(super) fn prepared(
    around: &mut impl Surroundings,
    tournament: &Tournament,
    command: &Command,
) -> Result<Command, Refused> {
    let mut command = command.clone();
    if let Command::Change { about } = &command {
        currency_in_use(around, about)?;
    }
    let connection = around.connection();
    match &mut command {
        Command::Enter { entries, .. } => {
            let entering: Vec<PlayerId> = entries.iter().map(|entry| entry.player).collect();
            all_come(connection, &entering)?;
        }
        Command::SetDirectors { directors } => {
            let new = directors.iter().filter(|account| !tournament.directors.contains(account));
            for account in new {
                if accounts::standing(connection, *account)?.is_none_or(|standing| !standing.active) {
                    let detail = format!("there is no account {account}, or it is not active");
                    return Err(Refused::rule(Code::UnknownAccount, Some("directors"), detail));
                }
            }
        }
        Command::Draw { division, groups, .. } => *groups = groups_of(connection, tournament, *division)?,
        Command::OpenSheet { sheet, .. } => *sheet = Some(MatchId(Uuid::now_v7())),
        Command::Open { .. }
        | Command::Change { .. }
        | Command::AddDivision { .. }
        | Command::ChangeDivision { .. }
        | Command::SetTables { .. }
        | Command::ReEnter { .. }
        | Command::CheckIn { .. }
        | Command::Seed { .. }
        | Command::JoinPools { .. }
        | Command::Withdraw { .. }
        | Command::Disqualify { .. }
        | Command::Reinstate { .. }
        | Command::DrawLastChance { .. }
        | Command::Seat { .. }
        | Command::Exchange { .. }
        | Command::Report { .. }
        | Command::Result { .. }
        | Command::Record { .. }
        | Command::Correct { .. }
        | Command::Call { .. }
        | Command::CallNext { .. }
        | Command::Uncall { .. }
        | Command::Begin { .. }
        | Command::Postpone { .. }
        | Command::Resume { .. }
        | Command::PayIn { .. }
        | Command::PayOut { .. }
        | Command::AddMoney { .. }
        | Command::Award { .. }
        | Command::Close { .. }
        | Command::Reopen { .. } => {}
    }
    Ok(command)
}

fn all_come(connection: &mut AnyConnection, entering: &[PlayerId]) -> Result<(), Refused> {
    let known = players::from_where(connection, entering)?;
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

/// Those of a division who are to be drawn apart, by the number of their group.
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
    let known = players::from_where(connection, &entered)?;
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

/// Derives what follows of an act, here and of the guests whom it entered.
pub(super) fn derive(unit: &mut UnitOfWork<'_, '_>, change: &Change<Tournament>) -> Result<(), Refused> {
    derive::derive(unit, change)?;
    entering::guests_follow(unit, change)
}

/// Appends what happens, and derives what follows of it: for whoever changes a tournament in an act of another stream.
pub(super) fn append(
    unit: &mut UnitOfWork<'_, '_>,
    part: Part<Tournament>,
) -> Result<Change<Tournament>, Refused> {
    let change = pipeline::append(unit, part)?;
    derive(unit, &change)?;
    Ok(change)
}

/// The matches that an act seats otherwise, or whose result it changes.
fn touched_by(act: &Act<Event>) -> Vec<MatchRef> {
    let ActKind::Events(events) = &act.kind else { return Vec::new() };
    let mut touched = Vec::new();
    for event in events {
        let Some(division) = event.division() else { continue };
        touched.extend(event.changes().iter().map(|change| MatchRef { division, number: change.number }));
    }
    touched
}
