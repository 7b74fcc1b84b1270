//! Tournaments at the desk: opening one, commands to one, looking at one.
//!
//! * [`reach`]: who may give which command.
//! * [`derive`]: the read tables, ratings and books that follow of an act.
//! * `entering`: players who enter by name.
//! * [`links`]: what the QR code of an entry holds.
//! * `sheets`: matches that are scored on sheets, which are streams of their own.

pub mod derive;
mod entering;
pub use entering::Entrant;
pub mod links;
pub mod reach;
pub(super) mod sheets;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use uuid::Uuid;

use super::acts::{Foresight, events_in, foresee};
use super::bounds::{Asker, Kinds, used_up, within_rate, written};
use super::history::{self, HistoryCommand};
use super::{Actor, Appended, Authority, Desk, Done, Often, Receipt, Refused, Request, Rule, Visit};
use crate::figures::COMMANDS;
use owlbox_domain::club::{Club, Permission, Reach, TournamentCommand};
use owlbox_domain::code::Code;
use owlbox_domain::journal::{Act, Deed, Given, Stream, Version};
use owlbox_domain::tournament::about::About;
use owlbox_domain::tournament::bracket::EntryNo;
use owlbox_domain::tournament::room::{DivisionNo, MatchRef};
use owlbox_domain::tournament::settings::Apart;
use owlbox_domain::tournament::{Command, Event, EventKind, Tournament};
use owlbox_domain::values::{ActId, MatchId, PlayerId, Timestamp, TournamentId};
use owlbox_store::tournaments as stored;
pub use owlbox_store::tournaments::Row;
use owlbox_store::{AnyConnection, StoreError, accounts, journal, players};

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

/// What became of a command.
#[derive(Clone, Debug)]
pub struct Answer {
    pub id: TournamentId,
    pub act: Act<Event>,
}

/// What a command to a tournament would make of it.
#[derive(Clone, Debug)]
pub struct Preview {
    pub before: Arc<Stream<Tournament>>,
    pub after: Arc<Stream<Tournament>>,
    pub act: Act<Event>,
    /// The matches that would be touched: others in them, or another result.
    pub touched: BTreeSet<MatchRef>,
}

impl Desk {
    /// Opens a tournament.
    ///
    /// # Errors
    /// What the rules or the desk refuse.
    pub async fn open_tournament(&self, request: Request, about: About) -> Result<Answer, Refused> {
        let (actor, id) = (request.actor, TournamentId(Uuid::now_v7()));
        let done = self.carry_out(request, move |visit| {
            visit.authority.require(Permission::RunTournaments)?;
            currency_in_use(visit, &about)?;
            let before = Arc::new(Stream::default());
            let command = Command::Open { tournament: id, about: about.clone() };
            let deed = visit.decide(&before.state, &command)?;
            carry_through(visit, id, &before, deed, 201)
        });
        self.answer_tournament(actor, TournamentCommand::Open, done.await).await
    }

    /// Carries out a command to a tournament.
    ///
    /// # Errors
    /// What the rules or the desk refuse.
    pub async fn command_tournament(
        &self,
        request: Request,
        id: TournamentId,
        order: Order,
    ) -> Result<Answer, Refused> {
        let (actor, expected, command) = (request.actor, request.expected, reach::name(&order));
        let done = self.carry_out(request, move |visit| {
            let before = there(visit.load(id.0, "tournament")?)?;
            Visit::expect(&before, expected)?;
            reach::require(&visit.authority, &before, &order, visit.now)?;
            let deed = match &order {
                Order::History(history) => history.deed(&before)?,
                Order::Command(command) => {
                    let asks = (&mut *visit.transaction.connection, visit.now);
                    not_too_often(asks, &visit.authority, &before, command)?;
                    let command = prepared(visit.transaction.connection, &before.state, command)?;
                    if let Command::Change { about } = &command {
                        currency_in_use(visit, about)?;
                    }
                    visit.decide(&before.state, &command)?
                }
            };
            carry_through(visit, id, &before, deed, 200)
        });
        self.answer_tournament(actor, command, done.await).await
    }

    /// What a command would make of a tournament, without doing it: worked out beside the writer.
    ///
    /// # Errors
    /// What the rules or the desk would refuse.
    pub async fn preview_tournament(
        &self,
        request: Request,
        id: TournamentId,
        order: Order,
    ) -> Result<Preview, Refused> {
        let authority = self.authority(&request.actor).await?;
        let (desk, expected) = (self.clone(), request.expected);
        self.read(move |connection| {
            let now = desk.now();
            let before = there(desk.look::<Tournament>(connection, id.0, "tournament")?)?;
            Visit::<'_, '_>::expect(&before, expected)?;
            reach::require(&authority, &before, &order, now)?;
            if matches!(order, Order::Command(Command::Draw { .. } | Command::DrawLastChance { .. })) {
                return Err(Refused::rule(
                    Code::NoPreview,
                    Some("command"),
                    "a draw is not shown before it is made",
                ));
            }
            let deed = match &order {
                Order::History(history) => history.deed(&before)?,
                Order::Command(command) => {
                    not_too_often((&mut *connection, now), &authority, &before, command)?;
                    let command = prepared(connection, &before.state, command)?;
                    let mut dice = desk.dice();
                    let mut given = Given { now, chance: &mut dice };
                    Deed::Events(owlbox_domain::journal::Aggregate::decide(
                        &before.state,
                        &command,
                        &mut given,
                    )?)
                }
            };
            Visit::<'_, '_>::version_after(&before, &deed, LENGTH)?;
            let Foresight { stream, act, named } =
                foresee(connection, (id.0, &before), deed, (authority.account, now))?;
            let touched = named.iter().chain(std::iter::once(&act)).flat_map(touched_by).collect();
            Ok(Preview { before, after: stream, act, touched })
        })
        .await
    }

    /// A tournament as it is. From memory where this process is the only writer.
    ///
    /// # Errors
    /// [`Refused::NotFound`], or the store failed.
    pub async fn tournament(&self, id: TournamentId) -> Result<Arc<Stream<Tournament>>, Refused> {
        there(self.stream(id.0, "tournament").await?)
    }

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

    /// The events of each of these acts of a tournament; none of an undo or a redo.
    ///
    /// # Errors
    /// The store failed.
    pub async fn tournament_events(
        &self,
        id: TournamentId,
        acts: Vec<ActId>,
    ) -> Result<BTreeMap<ActId, Vec<Event>>, Refused> {
        if acts.is_empty() {
            return Ok(BTreeMap::new());
        }
        self.read(move |connection| {
            let events = |act| Ok((act, events_in::<Tournament>(connection, id.0, act)?));
            acts.into_iter().map(events).collect()
        })
        .await
    }

    /// A tournament as it is, for somebody who may look at it: everybody if it is public, else who has a login.
    ///
    /// # Errors
    /// [`Refused::NotFound`], [`Refused::Unauthorised`], or the store failed.
    pub async fn visible_tournament(
        &self,
        actor: Option<&Actor>,
        id: TournamentId,
    ) -> Result<(Arc<Stream<Tournament>>, Option<Authority>), Refused> {
        let stream = self.tournament(id).await;
        let public =
            stream.as_ref().is_ok_and(|stream| stream.state.about().is_some_and(|about| about.public));
        let authority = match (actor, public) {
            (Some(actor), _) => Some(self.authority(actor).await?),
            (None, true) => None,
            // Whether there is such a tournament is not for the street to know.
            (None, false) => self.require(None, Permission::ViewTournaments).await?,
        };
        if let (Some(authority), false) = (&authority, public)
            && authority.link != Some(id)
        {
            authority.require(Permission::ViewTournaments)?;
        }
        Ok((stream?, authority))
    }

    /// The answer to a command done now, or again to one done before; counts it.
    async fn answer_tournament(
        &self,
        actor: Actor,
        command: TournamentCommand,
        done: Result<Done<Answer>, Refused>,
    ) -> Result<Answer, Refused> {
        let outcome = super::chouettes::outcome(&done);
        metrics::counter!(COMMANDS, "kind" => command.name(), "outcome" => outcome).increment(1);
        match done? {
            Done::Now(answer) => Ok(answer),
            Done::Before(Receipt { stream: id, version, .. }) => {
                self.visible_tournament(Some(&actor), TournamentId(id)).await?;
                self.read(move |connection| done_before(connection, id, version)).await
            }
        }
    }
}

/// A tournament that was opened.
fn there(stream: Arc<Stream<Tournament>>) -> Result<Arc<Stream<Tournament>>, Refused> {
    if stream.state.about().is_some() { Ok(stream) } else { Err(Refused::NotFound("tournament")) }
}

/// What the act did that left the stream at this version.
fn done_before(connection: &mut AnyConnection, id: Uuid, version: Version) -> Result<Answer, Refused> {
    let last = journal::entries_before(connection, id, version + 1, 1)?.pop();
    let last = last.ok_or(Refused::NotFound("act"))?;
    let entries = journal::entries_of(connection, id, last.act)?;
    let act = journal::act::<Tournament>(&entries).map_err(StoreError::from)?;
    Ok(Answer { id: TournamentId(id), act })
}

/// Fees and prizes are in one of the club's currencies.
fn currency_in_use(visit: &mut Visit<'_, '_>, about: &About) -> Result<(), Refused> {
    let Some(currency) = about.currency else { return Ok(()) };
    let club = visit.load::<Club>(super::clubs::CLUB, "club")?;
    let settings = club.state.settings().ok_or(Refused::NotFound("club"))?;
    if settings.currencies.contains(currency) {
        return Ok(());
    }
    Err(Refused::Rule(Rule {
        code: Code::CurrencyNotInUse,
        field: Some("currency"),
        allowed: serde_json::json!(settings.currencies.as_slice()),
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
fn not_too_often(
    (connection, now): (&mut AnyConnection, Timestamp),
    authority: &Authority,
    before: &Stream<Tournament>,
    command: &Command,
) -> Result<(), Refused> {
    let own = reach::reach(authority, &before.state, TournamentCommand::Report) == Reach::Himself;
    if !own || !matches!(command, Command::Report { .. }) {
        return Ok(());
    }
    may_report(Asker { connection, account: authority.account, now }, before)
}

/// Refuses a report of one's own where there were too many, here or on the sheet of a match.
fn may_report(mut asker: Asker<'_>, before: &Stream<Tournament>) -> Result<(), Refused> {
    let stream = before.state.id.0;
    let after = before.version.saturating_sub(LOOKED_BACK);
    within_rate(&mut asker, (stream, after), REPORTS, (Often::Reports, MOST_REPORTS))?;
    let said = written(&mut asker, (stream, after), REPORTS)?;
    // Others have to do something there before he has a share again: no time that could be told.
    if said < MOST_OF_THEM { Ok(()) } else { Err(used_up(MOST_OF_THEM)) }
}

/// The command with what the service says of it: who is drawn apart, the id of a sheet. Whoever enters is a player of the
/// club who still comes, and whoever is to direct has a login.
fn prepared(
    connection: &mut AnyConnection,
    tournament: &Tournament,
    command: &Command,
) -> Result<Command, Refused> {
    let mut command = command.clone();
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

/// Appends what happens here and on the sheets of its matches, and gives the receipt.
fn carry_through(
    visit: &mut Visit<'_, '_>,
    id: TournamentId,
    before: &Arc<Stream<Tournament>>,
    deed: Deed<Event>,
    status: u16,
) -> Result<(Receipt, Answer), Refused> {
    let appended = append(visit, id, before, deed)?;
    sheets::follow(visit, id, before, &appended, None)?;
    let Appended { stream, act, .. } = appended;
    let receipt = Receipt { status, stream: id.0, version: stream.version };
    Ok((receipt, Answer { id, act }))
}

/// Appends what happens, and derives what follows of it.
fn append(
    visit: &mut Visit<'_, '_>,
    id: TournamentId,
    before: &Arc<Stream<Tournament>>,
    deed: Deed<Event>,
) -> Result<Appended<Tournament>, Refused> {
    let appended = visit.append(id.0, before, deed, LENGTH)?;
    derive::derive(visit, id, [&before.state, &appended.stream.state], &appended.effects)?;
    entering::guests_follow(visit, id, &appended)?;
    Ok(appended)
}

/// The matches that an act seats otherwise, or whose result it changes.
fn touched_by(act: &Act<Event>) -> Vec<MatchRef> {
    let Deed::Events(events) = &act.deed else { return Vec::new() };
    let mut touched = Vec::new();
    for event in events {
        let Some(division) = event.division() else { continue };
        touched.extend(event.changes().iter().map(|change| MatchRef { division, number: change.number }));
    }
    touched
}

/// The command's name in the permission table.
impl HistoryCommand {
    const fn tournament_command(self) -> TournamentCommand {
        match self {
            Self::Undo { .. } => TournamentCommand::Undo,
            Self::Redo { .. } => TournamentCommand::Redo,
        }
    }
}
