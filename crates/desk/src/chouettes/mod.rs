//! Chouettes at the desk: opening one, commands to one, looking at one.
//!
//! * [`reach`]: who may give which command.
//! * `plan`: what a command comes to, at every table that it touches.
//! * [`derive`]: the read tables and the books that follow of an act.
//! * [`page_context`]: what a table's page tells besides the table.

pub mod derive;
pub mod page_context;
mod plan;
pub mod reach;

pub(super) use self::plan::{Part, Plan, still_comes};

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use self::plan::Moved;
use super::acts::{Foresight, foresee, read_again};
use super::bounds::Reaches;
use super::surroundings::Beside;
use super::{
    Actor, Appended, Authority, Desk, Done, Effect, Receipt, Refused, Request, Rule, Visit, history,
    house_rules,
};
use crate::figures::COMMANDS;
use owlbox_domain::chouette::rules::DecisionOrder;
use owlbox_domain::chouette::{Chouette, Command, Event, HouseRules, Legal, Score};
use owlbox_domain::club::{Club, Permission, Reach, Settings, TableCommand};
use owlbox_domain::code::Code;
use owlbox_domain::journal::{Act, Aggregate, Stream, Version};
use owlbox_domain::values::{AccountId, ChouetteId, HalfPoints, PlayerId, Stake, Timestamp};
use owlbox_store::chouettes as stored;
pub use owlbox_store::chouettes::Row;
use owlbox_store::{AnyConnection, StoreError, journal};

/// A command to a chouette as callers give it.
pub type Order = history::Order<Command>;

/// What a new chouette is opened with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewChouette {
    /// What the table is called: 1 to 80 visible characters, no line breaks.
    #[schema(example = "Friday table")]
    pub name: String,
    /// What a point is worth, if money is played for; the currency must be one of the club's.
    #[serde(default)]
    pub stake: Option<Stake>,
    /// The house rules; what is missing takes its default. Without them, and without a set named, the common
    /// ones.
    #[serde(default)]
    pub rules: Option<HouseRules>,
    /// The name of a set of house rules instead of them: one that comes with the program, or the club's own.
    #[serde(default)]
    #[schema(example = "common")]
    pub house_rules: Option<String>,
}

/// Which chouettes a list shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter {
    /// Closed ones, or open ones.
    pub closed: Option<bool>,
    pub night: Option<NaiveDate>,
}

/// What several players do at once: doubles, takes and drops, which touch nothing but their own table. At least one.
#[derive(Clone, Debug)]
pub struct Together(Vec<Command>);

impl Together {
    /// These, in this order; `None` if there are none, or others among them.
    #[must_use]
    pub fn new(commands: Vec<Command>) -> Option<Self> {
        let of_a_cube = |command: &Command| {
            matches!(command, Command::Double { .. } | Command::Take { .. } | Command::Drop { .. })
        };
        (!commands.is_empty() && commands.iter().all(of_a_cube)).then_some(Self(commands))
    }

    fn commands(&self) -> &[Command] {
        &self.0
    }

    /// As what it is counted: as the first.
    fn name(&self) -> TableCommand {
        self.0.first().map_or(TableCommand::Double, reach::name_of_command)
    }

    /// Whether it only brings to an end what goes on, as answers do.
    fn winds_up(&self) -> bool {
        self.0.iter().all(|command| matches!(command, Command::Take { .. } | Command::Drop { .. }))
    }
}

/// What a command to a chouette would make of it, and of others.
#[derive(Clone, Debug)]
pub struct Preview {
    /// Of the chouette to which it is given.
    pub here: Foreseen,
    pub also: Vec<Foreseen>,
}

/// What a command would make of a chouette.
#[derive(Clone, Debug)]
pub struct Foreseen {
    /// The chouette as it is.
    pub before: Arc<Stream<Chouette>>,
    /// The chouette as it would be, and the act.
    pub after: Answer,
    /// The acts that would be taken back, newest first, or put back, oldest first. None of another command.
    pub named: Vec<Act<Event>>,
}

impl Foreseen {
    /// What the table is called; of one that would not be open any more, what it was called.
    #[must_use]
    pub fn name(&self) -> &str {
        match self.after.stream.state.name() {
            "" => self.before.state.name(),
            name => name,
        }
    }
}

impl Preview {
    /// All tables, the one to which the command is given first.
    pub fn tables(&self) -> impl Iterator<Item = &Foreseen> {
        std::iter::once(&self.here).chain(&self.also)
    }

    /// By how much scores there would change: of those that would, by player.
    #[must_use]
    pub fn changes(&self) -> Vec<Score> {
        let (before, after) = (&self.here.before.state, &self.here.after.stream.state);
        let known: BTreeSet<PlayerId> = before.known().chain(after.known()).collect();
        let change = |player| Score { player, points: after.score(player) - before.score(player) };
        known.into_iter().map(change).filter(|change| change.points != HalfPoints::ZERO).collect()
    }
}

/// A chouette after a command.
#[derive(Clone, Debug)]
pub struct Answer {
    pub id: ChouetteId,
    /// The chouette after the command.
    pub stream: Arc<Stream<Chouette>>,
    pub act: Act<Event>,
}

impl Order {
    /// How far into its stream it may reach, whether or not whoever gives it may do so of his `own` alone.
    const fn reaches(&self, own: bool) -> Reaches {
        // The dice can be thrown again for ever, by entered ties and cocked dice; a game is played within a bound.
        if matches!(self, Self::Command(Command::OpeningTie { .. } | Command::Board { .. })) {
            Reaches::Game
        } else if self.winds_up() {
            Reaches::End
        } else if !own && matches!(self, Self::History(_) | Self::Command(Command::Correct { .. })) {
            Reaches::Reserve
        } else {
            Reaches::Length
        }
    }

    /// Whether it only brings to an end what goes on. A table whose stream is full must not be stuck with
    /// its players; and of these there is an end, for nothing begins after them.
    const fn winds_up(&self) -> bool {
        matches!(
            self,
            Self::Command(
                Command::Take { .. }
                    | Command::Drop { .. }
                    | Command::PassExtra { .. }
                    | Command::Finish { .. }
                    | Command::Leave { .. }
                    | Command::MergeInto { .. }
                    | Command::Close {}
            )
        )
    }

    /// Whether a table whose stream is at `version` of so many events goes on with it: a game begins only
    /// where there is room to play it. What is on may be wound up beyond that.
    fn has_room(&self, version: Version, length_limit: Version) -> Result<(), Refused> {
        if !matches!(self, Self::Command(Command::StartGame { .. })) || room_for_a_game(version, length_limit)
        {
            return Ok(());
        }
        Err(Refused::Rule(Rule {
            code: Code::NightTooLong,
            field: None,
            allowed: serde_json::json!(["close", "merge_into"]),
            detail: "the table's stream is nearly as long as it may be: no game begins any more".into(),
        }))
    }

    /// The order with the id of the table that it opens, if it does.
    fn with_table(mut self, new: ChouetteId) -> Self {
        if let Self::Command(Command::Split { table, .. }) = &mut self {
            *table = Some(new);
        }
        self
    }
}

/// What a game may need: more events than any that was ever played move by move.
const ROOM_FOR_A_GAME: Version = 300;

/// What is kept for a game in a stream of so many events. Where streams are kept very short, a tenth is enough.
pub(super) fn room(length_limit: Version) -> Version {
    ROOM_FOR_A_GAME.min(length_limit / 10)
}

/// Whether a table whose stream is at `version` of so many events can begin a game.
pub(super) fn room_for_a_game(version: Version, length_limit: Version) -> bool {
    version <= length_limit - room(length_limit)
}

impl Desk {
    /// What of the legal commands at a table the asker may give; no game where there is no room for one.
    #[must_use]
    pub fn legal(&self, stream: &Stream<Chouette>, authority: Option<&Authority>) -> Vec<Legal> {
        let mut legal = reach::legal_for(&stream.state, authority);
        if !room_for_a_game(stream.version, self.inner.limits.stream_length) {
            legal.retain(|legal| !matches!(legal, Legal::StartGame { .. }));
        }
        legal
    }

    /// Opens a chouette, of the night it is in the club's time zone.
    ///
    /// # Errors
    /// What the rules or the desk refuse.
    pub async fn open_chouette(&self, request: Request, new: NewChouette) -> Result<Answer, Refused> {
        let (actor, id) = (request.actor, ChouetteId(Uuid::now_v7()));
        let done = self.carry_out(request, move |visit| {
            visit.authority.require(Permission::OpenChouette)?;
            let command = opening(visit, new.clone())?;
            let before = Arc::new(Stream::default());
            let deed = visit.decide_all(&before.state, &[command])?;
            let limit = visit.desk().inner.limits.stream_length;
            carry_through(visit, Plan { here: Part { id, before, deed, limit }, others: Vec::new() }, 201)
        });
        self.answer(actor, TableCommand::Open, done.await).await
    }

    /// Carries out a command to a chouette, and what it brings with it at others.
    ///
    /// # Errors
    /// What the rules or the desk refuse.
    pub async fn command_chouette(
        &self,
        request: Request,
        id: ChouetteId,
        order: Order,
    ) -> Result<Answer, Refused> {
        let (actor, expected, command) = (request.actor, request.expected, order.name());
        let done = self.carry_out(request, move |visit| {
            take_tables(visit, id, &order)?;
            let before = plan::there(visit.load(id.0, "chouette")?)?;
            Visit::expect(&before, expected)?;
            reach::require(&visit.authority, &before, &order)?;
            check_chosen(&order)?;
            let own = command.reach(visit.authority.roles) == Reach::Himself;
            let order = order.clone().with_table(ChouetteId(Uuid::now_v7()));
            let plan = plan::plan(visit, id, &before, (&order, own, visit.authority.account))?;
            carry_through(visit, plan, 200)
        });
        self.answer(actor, command, done.await).await
    }

    /// What a command would make of a chouette, without doing it: worked out beside the writer.
    ///
    /// # Errors
    /// What the rules or the desk would refuse.
    pub async fn preview_chouette(
        &self,
        request: Request,
        id: ChouetteId,
        order: Order,
    ) -> Result<Preview, Refused> {
        let order = order.with_table(ChouetteId(Uuid::now_v7()));
        let authority = self.authority(&request.actor).await?;
        let (desk, expected) = (self.clone(), request.expected);
        self.read(move |connection| {
            let (now, dice) = (desk.now(), desk.dice());
            let before = plan::there(desk.look(connection, id.0, "chouette")?)?;
            Visit::<'_, '_>::expect(&before, expected)?;
            reach::require(&authority, &before, &order)?;
            check_chosen(&order)?;
            if matches!(&order, Order::Command(command) if is_secret(&before.state, command)) {
                return Err(no_preview());
            }
            let own = order.name().reach(authority.roles) == Reach::Himself;
            let mut beside = Beside { desk: &desk, connection, now, dice };
            let Plan { here, others } =
                plan::plan(&mut beside, id, &before, (&order, own, authority.account))?;
            let mut foresee = |part| foreseen(connection, part, authority.account, now);
            let here = foresee(here)?;
            let also = others.into_iter().map(foresee).collect::<Result<_, Refused>>()?;
            let preview = Preview { here, also };
            let moved: Vec<Moved<'_>> = preview.tables().map(Foreseen::moved).collect();
            plan::seats_are_free(connection, &moved)?;
            Ok(preview)
        })
        .await
    }

    /// Carries out what several players do at once, as one act: it is undone as one, and none of it happens unless all
    /// of it does. Needs `run_chouette`.
    ///
    /// # Errors
    /// What the rules or the desk refuse of the first command that they do.
    pub async fn command_chouette_together(
        &self,
        request: Request,
        id: ChouetteId,
        together: Together,
    ) -> Result<Answer, Refused> {
        let (actor, expected, command) = (request.actor, request.expected, together.name());
        let done = self.carry_out(request, move |visit| {
            visit.authority.require(Permission::RunChouette)?;
            let before = plan::there(visit.load(id.0, "chouette")?)?;
            Visit::expect(&before, expected)?;
            let plan = plan::plan_together(visit, id, &before, &together)?;
            carry_through(visit, plan, 200)
        });
        self.answer(actor, command, done.await).await
    }

    /// What they would make of a chouette, without doing it: worked out beside the writer.
    ///
    /// # Errors
    /// What the rules or the desk would refuse; `no_preview` where others answer in secret.
    pub async fn preview_chouette_together(
        &self,
        request: Request,
        id: ChouetteId,
        together: Together,
    ) -> Result<Foreseen, Refused> {
        let authority = self.authority(&request.actor).await?;
        let (desk, expected) = (self.clone(), request.expected);
        self.read(move |connection| {
            let (now, dice) = (desk.now(), desk.dice());
            authority.require(Permission::RunChouette)?;
            let before = plan::there(desk.look(connection, id.0, "chouette")?)?;
            Visit::<'_, '_>::expect(&before, expected)?;
            if together.commands().iter().any(|command| is_secret(&before.state, command)) {
                return Err(no_preview());
            }
            let mut beside = Beside { desk: &desk, connection, now, dice };
            let plan = plan::plan_together(&mut beside, id, &before, &together)?;
            foreseen(connection, plan.here, authority.account, now)
        })
        .await
    }

    /// A chouette as it is. From memory where this process is the only writer.
    ///
    /// # Errors
    /// [`Refused::NotFound`], or the store failed.
    pub async fn chouette(&self, id: ChouetteId) -> Result<Arc<Stream<Chouette>>, Refused> {
        plan::there(self.stream(id.0, "chouette").await?)
    }

    /// Refuses unless there is such a chouette, or was before its opening was taken back: its log is still there then.
    ///
    /// # Errors
    /// [`Refused::NotFound`], or the store failed.
    pub async fn has_been_opened(&self, id: ChouetteId) -> Result<(), Refused> {
        self.stream::<Chouette>(id.0, "chouette").await.map(drop)
    }

    /// A page of chouettes at a glance, newest first, older than the one named.
    ///
    /// # Errors
    /// The store failed.
    pub async fn chouettes(
        &self,
        filter: Filter,
        after: Option<ChouetteId>,
        limit: i64,
    ) -> Result<Vec<Row>, Refused> {
        let status = filter.closed.map(|closed| if closed { "closed" } else { "open" }.to_owned());
        let filter = stored::Filter { status, night: filter.night };
        self.read(move |connection| Ok(stored::page(connection, &filter, after, limit)?)).await
    }

    /// All acts of a chouette, in order.
    ///
    /// # Errors
    /// The store failed.
    pub async fn chouette_acts(&self, id: ChouetteId) -> Result<Vec<Act<Event>>, Refused> {
        self.read(move |connection| Ok(journal::acts::<Chouette>(connection, id.0, Version::MAX)?)).await
    }

    /// A stream as it is. From memory where this process is the only writer.
    pub(super) async fn stream<A: Aggregate>(
        &self,
        id: Uuid,
        what: &'static str,
    ) -> Result<Arc<Stream<A>>, Refused> {
        if let Some(stream) = self.known::<A>(id) {
            return Ok(stream);
        }
        let desk = self.clone();
        self.read(move |connection| desk.look(connection, id, what)).await
    }

    /// A stream as it is, from memory, where this process is the only writer.
    fn known<A: Aggregate>(&self, id: Uuid) -> Option<Arc<Stream<A>>> {
        self.inner.memory.stream::<A>(id).filter(|_| self.inner.store.is_sole_writer())
    }

    /// A stream as it is, for who has a connection.
    pub(super) fn look<A: Aggregate>(
        &self,
        connection: &mut AnyConnection,
        id: Uuid,
        what: &'static str,
    ) -> Result<Arc<Stream<A>>, Refused> {
        if let Some(stream) = self.known::<A>(id) {
            return Ok(stream);
        }
        let head = journal::head(connection, id, A::KIND)?.ok_or(Refused::NotFound(what))?;
        if let Some(stream) = self.inner.memory.stream::<A>(id).filter(|stream| stream.version == head) {
            return Ok(stream);
        }
        let acts = journal::acts::<A>(connection, id, head)?;
        let stream = Arc::new(Stream::replay(&acts).map_err(StoreError::from)?);
        self.inner.memory.keep(id, Arc::clone(&stream));
        Ok(stream)
    }

    /// The answer to a command done now, or again to one done before; counts it. A retry shows the table
    /// only to those who may still see it.
    async fn answer(
        &self,
        actor: Actor,
        command: TableCommand,
        done: Result<Done<Answer>, Refused>,
    ) -> Result<Answer, Refused> {
        metrics::counter!(COMMANDS, "kind" => counted_as(command), "outcome" => outcome(&done)).increment(1);
        match done? {
            Done::Now(answer) => Ok(answer),
            Done::Before(Receipt { stream: id, version, .. }) => {
                self.require(Some(&actor), Permission::ViewTables).await?;
                self.inner.store.read(move |connection| answer_again(connection, id, version)).await
            }
        }
    }
}

/// What a command counts as in the figures. Whoever reaches them needs no sign-in: what somebody has answered in
/// secret they must not tell.
const fn counted_as(command: TableCommand) -> &'static str {
    match command {
        TableCommand::Take | TableCommand::Drop | TableCommand::Beaver => "answer",
        other @ (TableCommand::Open
        | TableCommand::ChangeRules
        | TableCommand::Close
        | TableCommand::Split
        | TableCommand::MergeInto
        | TableCommand::Join
        | TableCommand::Leave
        | TableCommand::Break
        | TableCommand::Return
        | TableCommand::NameProxy
        | TableCommand::MergePlayers
        | TableCommand::SetStake
        | TableCommand::SetStart
        | TableCommand::DrawOrder
        | TableCommand::EnterRolls
        | TableCommand::SetOrder
        | TableCommand::OfferPartnership
        | TableCommand::AcceptPartnership
        | TableCommand::DeclinePartnership
        | TableCommand::DeclineBox
        | TableCommand::StartGame
        | TableCommand::OpeningTie
        | TableCommand::Double
        | TableCommand::GiveExtra
        | TableCommand::PassExtra
        | TableCommand::PlayOn
        | TableCommand::Settle
        | TableCommand::Board
        | TableCommand::Finish
        | TableCommand::Correct
        | TableCommand::Pay
        | TableCommand::Undo
        | TableCommand::Redo) => other.name(),
    }
}

/// How a command came out, for the figures.
pub(super) const fn outcome<T>(done: &Result<Done<T>, Refused>) -> &'static str {
    match done {
        Ok(Done::Now(_)) => "done",
        Ok(Done::Before(_)) => "repeated",
        Err(Refused::Store(_) | Refused::Busy) => "failed",
        Err(_) => "refused",
    }
}

fn answer_again(connection: &mut AnyConnection, id: Uuid, version: Version) -> Result<Answer, Refused> {
    let (stream, act) = read_again(connection, id, version, "chouette")?;
    Ok(Answer { id: ChouetteId(id), stream, act })
}

/// The command that opens a chouette: the night is the club's day, the currency one of the club's.
fn opening(visit: &mut Visit<'_, '_>, new: NewChouette) -> Result<Command, Refused> {
    let club = visit.load::<Club>(super::clubs::CLUB, "club")?;
    let settings = club.state.settings().ok_or(Refused::NotFound("club"))?;
    in_use(new.stake, settings)?;
    let night = settings.night_of(visit.now);
    let rules = house_rules::chosen(&club.state, new.rules, new.house_rules.as_deref())?;
    Ok(Command::Open { name: new.name, night, stake: new.stake, rules, from: None })
}

/// Whether the club keeps books in the currency of a stake.
pub(super) fn in_use(stake: Option<Stake>, settings: &Settings) -> Result<(), Refused> {
    match stake {
        Some(stake) if !settings.currencies.contains(stake.currency) => Err(Refused::Rule(Rule {
            code: Code::CurrencyNotInUse,
            field: Some("stake"),
            allowed: serde_json::json!(settings.currencies.as_slice()),
            detail: format!("the club does not keep books in {}", stake.currency),
        })),
        _ => Ok(()),
    }
}

/// Whether rules that a table is to change to may be chosen now.
fn check_chosen(order: &Order) -> Result<(), Refused> {
    match order {
        Order::Command(Command::ChangeRules { rules }) => Ok(rules.check_chosen()?),
        Order::Command(_) | Order::History(_) => Ok(()),
    }
}

/// Whether a preview of `command` could show what others have answered in secret.
fn is_secret(chouette: &Chouette, command: &Command) -> bool {
    let answers = matches!(command, Command::Take { .. } | Command::Drop { .. } | Command::Beaver { .. });
    answers && chouette.rules().decision_order == DecisionOrder::AllAtOnce
}

fn no_preview() -> Refused {
    let why = "what others have answered is not shown before all have";
    Refused::rule(Code::NoPreview, Some("command"), why)
}

/// What an act made of one table.
struct Change {
    id: ChouetteId,
    before: Arc<Stream<Chouette>>,
    after: Arc<Stream<Chouette>>,
    effects: Vec<Effect<Event>>,
}

impl Change {
    fn moved(&self) -> Moved<'_> {
        Moved { id: self.id, before: &self.before.state, after: &self.after.state }
    }
}

impl Foreseen {
    fn moved(&self) -> Moved<'_> {
        Moved { id: self.after.id, before: &self.before.state, after: &self.after.stream.state }
    }
}

/// Takes the streams that an order touches in the order of their ids, here and everywhere, so that of two commands
/// one waits for the other and never both. Which acts are others' as well is read before they are taken: where another
/// act comes in between, PostgreSQL sees to it that one of the two is tried again.
fn take_tables(visit: &mut Visit<'_, '_>, id: ChouetteId, order: &Order) -> Result<(), Refused> {
    let mut tables = BTreeSet::from([id.0]);
    match order {
        Order::Command(Command::MergeInto { table }) => {
            visit.authority.require(Permission::RunChouette)?;
            tables.insert(table.0);
        }
        Order::History(history) if !visit.desk().inner.store.is_sole_writer() => {
            let seen = visit.look::<Chouette>(id.0, "chouette")?;
            if let Ok(deed) = history.deed(&seen) {
                tables.extend(plan::others_of(visit.transaction.connection, id, &deed)?);
            }
        }
        Order::History(_) | Order::Command(_) => {}
    }
    for table in tables {
        visit.load::<Chouette>(table, "chouette")?;
    }
    Ok(())
}

/// What a part of a plan would make of its table.
fn foreseen(
    connection: &mut AnyConnection,
    Part { id, before, deed, .. }: Part,
    by: AccountId,
    now: Timestamp,
) -> Result<Foreseen, Refused> {
    let Foresight { stream, act, named } = foresee(connection, (id.0, &before), deed, (by, now))?;
    Ok(Foreseen { before, after: Answer { id, stream, act }, named })
}

/// Appends to every table what happens there, derives, and gives the receipt: of the table to which the command was
/// given.
pub(super) fn carry_through(
    visit: &mut Visit<'_, '_>,
    Plan { here, others }: Plan,
    status: u16,
) -> Result<(Receipt, Answer), Refused> {
    let (change, answer) = append(visit, here)?;
    let mut changes = vec![change];
    for part in others {
        changes.push(append(visit, part)?.0);
    }
    derive::derive(visit, &changes)?;
    Ok((Receipt { status, stream: answer.id.0, version: answer.stream.version }, answer))
}

/// Appends to a table what happens there.
fn append(
    visit: &mut Visit<'_, '_>,
    Part { id, before, deed, limit }: Part,
) -> Result<(Change, Answer), Refused> {
    let Appended { stream, act, effects } = visit.append(id.0, &before, deed, limit)?;
    let change = Change { id, before, after: Arc::clone(&stream), effects };
    Ok((change, Answer { id, stream, act }))
}
