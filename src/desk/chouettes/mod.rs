//! Chouettes at the desk: opening one, commands to one, looking at one.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Actor, Authority, Desk, Done, Effect, Receipt, Refused, Request, Rule, Visit, house_rules};
use crate::chouette::rules::DecisionOrder;
use crate::chouette::{Chouette, Command, Event, HouseRules, Phase, Score, Side};
use crate::club::{Club, Permission, TableCommand};
use crate::engine::game::{Action, ActionKind};
use crate::journal::{Act, Aggregate, CannotUndo, Deed, Mark, Steps, Stream, Version};
use crate::ledger;
use crate::store::chouettes::{self as stored, Seat};
use crate::store::{StoreError, books, journal, players};
use crate::telemetry::COMMANDS;
use crate::values::{AccountId, ActId, ChouetteId, HalfPoints, PlayerId, Stake, Timestamp, TransactionId};

/// A command to a chouette as callers give it: one of the table's, or undo or redo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Order {
    /// Takes an act back, or puts one back.
    History(HistoryCommand),
    /// Plays on.
    Table(Command),
}

/// Undo and redo, of one act or of several at once. Both are acts like any other, recorded and themselves
/// reversible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum HistoryCommand {
    /// Takes back the newest acts that count: one, or as many as asked for.
    Undo {
        /// The newest of them; without it, whichever it is. Naming it guards against undoing another's.
        #[serde(default)]
        act: Option<ActId>,
        /// How many, the newest first: 1 to 1000. Without it one.
        #[serde(default)]
        acts: Steps,
    },
    /// Puts back what was undone last, as long as nothing else has happened since: one act, or as many as
    /// asked for.
    Redo {
        /// The one undone last; without it, whichever it is.
        #[serde(default)]
        act: Option<ActId>,
        /// How many, what was undone last first: 1 to 1000. Without it one.
        #[serde(default)]
        acts: Steps,
    },
}

impl HistoryCommand {
    /// What of a table's history it can reach, beginning with the last, and how many of them it names.
    fn reach_into(self, stream: &Stream<Chouette>) -> (&[Mark], Steps) {
        match self {
            Self::Undo { acts, .. } => (stream.undoable(), acts),
            Self::Redo { acts, .. } => (stream.redoable(), acts),
        }
    }

    /// The deed that it is.
    fn deed(self, stream: &Stream<Chouette>) -> Result<Deed<Event>, CannotUndo> {
        match self {
            Self::Undo { act, acts } => stream.undo_several(act, acts),
            Self::Redo { act, acts } => stream.redo_several(act, acts),
        }
    }

    /// Whether the account did everything itself that is to be taken back, or put back.
    fn is_of(self, account: AccountId, stream: &Stream<Chouette>) -> bool {
        let (marks, steps) = self.reach_into(stream);
        let mut named = marks.iter().rev().take(steps.acts()).peekable();
        named.peek().is_some() && named.all(|mark| is_own(mark, account))
    }
}

/// Whether the act is the account's own to take back, or put back. What drew dice or lots, or showed what others had
/// answered in secret, is nobody's own: whoever could take it back could choose knowing it.
#[must_use]
pub fn is_own(mark: &Mark, account: AccountId) -> bool {
    let shows = ["board", "answered", "partnership_declined", "order_drawn"];
    mark.by == account && !shows.contains(&mark.kind)
}

/// By hand, because an untagged enum would answer every mistake with "did not match any variant".
impl<'de> Deserialize<'de> for Order {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        let object = serde_json::Value::deserialize(deserializer)?;
        let is_history = matches!(object["command"].as_str(), Some("undo" | "redo"));
        if is_history {
            serde_json::from_value(object).map(Self::History).map_err(D::Error::custom)
        } else {
            serde_json::from_value(object).map(Self::Table).map_err(D::Error::custom)
        }
    }
}

/// What a new chouette is opened with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewChouette {
    /// What the table is called: 1 to 80 characters, no line breaks.
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

/// What a command would make of a chouette.
#[derive(Clone, Debug)]
pub struct Preview {
    /// The chouette as it is.
    pub before: Arc<Stream<Chouette>>,
    /// The chouette as it would be, and the act.
    pub after: Answer,
    /// The acts that would be taken back, newest first, or put back, oldest first. None of another command.
    pub named: Vec<Act<Event>>,
}

impl Preview {
    /// By how much scores would change: of those that would, by player.
    #[must_use]
    pub fn changes(&self) -> Vec<Score> {
        let (before, after) = (&self.before.state, &self.after.stream.state);
        let known: BTreeSet<PlayerId> = before.known().chain(after.known()).collect();
        let change = |player| Score { player, points: after.score(player) - before.score(player) };
        known.into_iter().map(change).filter(|change| change.points != HalfPoints::ZERO).collect()
    }
}

/// A chouette after a command.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Which.
    pub id: ChouetteId,
    /// The chouette after the command.
    pub stream: Arc<Stream<Chouette>>,
    /// What the command did.
    pub act: Act<Event>,
}

impl Order {
    /// The command's name in the permission table.
    const fn name(&self) -> TableCommand {
        match self {
            Self::History(HistoryCommand::Undo { .. }) => TableCommand::Undo,
            Self::History(HistoryCommand::Redo { .. }) => TableCommand::Redo,
            Self::Table(command) => match command {
                Command::Open { .. } => TableCommand::Open,
                Command::ChangeRules { .. } => TableCommand::ChangeRules,
                Command::Close { .. } => TableCommand::Close,
                Command::Split { .. } => TableCommand::Split,
                Command::MergeInto { .. } => TableCommand::MergeInto,
                Command::Join { .. } => TableCommand::Join,
                Command::Leave { .. } => TableCommand::Leave,
                Command::Break { .. } => TableCommand::Break,
                Command::Return { .. } => TableCommand::Return,
                Command::NameProxy { .. } => TableCommand::NameProxy,
                Command::MergePlayers { .. } => TableCommand::MergePlayers,
                Command::SetStake { .. } => TableCommand::SetStake,
                Command::SetStart { .. } => TableCommand::SetStart,
                Command::DrawOrder { .. } => TableCommand::DrawOrder,
                Command::EnterRolls { .. } => TableCommand::EnterRolls,
                Command::SetOrder { .. } => TableCommand::SetOrder,
                Command::OfferPartnership { .. } => TableCommand::OfferPartnership,
                Command::AcceptPartnership { .. } => TableCommand::AcceptPartnership,
                Command::DeclinePartnership { .. } => TableCommand::DeclinePartnership,
                Command::DeclineBox { .. } => TableCommand::DeclineBox,
                Command::StartGame { .. } => TableCommand::StartGame,
                Command::OpeningTie { .. } => TableCommand::OpeningTie,
                Command::Double { .. } => TableCommand::Double,
                Command::Take { .. } => TableCommand::Take,
                Command::Drop { .. } => TableCommand::Drop,
                Command::Beaver { .. } => TableCommand::Beaver,
                Command::GiveExtra { .. } => TableCommand::GiveExtra,
                Command::PassExtra { .. } => TableCommand::PassExtra,
                Command::PlayOn { .. } => TableCommand::PlayOn,
                Command::Settle { .. } => TableCommand::Settle,
                Command::Board { .. } => TableCommand::Board,
                Command::Finish { .. } => TableCommand::Finish,
                Command::Correct { .. } => TableCommand::Correct,
                Command::Pay { .. } => TableCommand::Pay,
            },
        }
    }

    /// Whether it only brings to an end what goes on. A table whose stream is full must not be stuck with
    /// its players; and of these there is an end, for nothing begins after them.
    const fn winds_up(&self) -> bool {
        matches!(
            self,
            Self::Table(
                Command::Take { .. }
                    | Command::Drop { .. }
                    | Command::PassExtra { .. }
                    | Command::Finish { .. }
                    | Command::Leave { .. }
                    | Command::OpeningTie { .. }
                    | Command::Board { .. }
                    | Command::Close {}
            )
        )
    }

    /// The order with the id of the table that it opens, if it does.
    fn with_table(mut self, new: ChouetteId) -> Self {
        if let Self::Table(Command::Split { table, .. }) = &mut self {
            *table = Some(new);
        }
        self
    }

    /// Whose act it is at the table, where it is one player's: whoever decides for the player named, and on
    /// the board the box, or whoever rolls for the team.
    fn acting(&self, chouette: &Chouette) -> Option<PlayerId> {
        let Self::Table(command) = self else { return None };
        let player = match command {
            Command::Double { player, .. }
            | Command::Take { player, .. }
            | Command::Drop { player, .. }
            | Command::Beaver { player, .. }
            | Command::GiveExtra { player }
            | Command::PassExtra { player }
            | Command::AcceptPartnership { player }
            | Command::DeclinePartnership { player }
            | Command::DeclineBox { player } => *player,
            Command::Board { action, .. } if enters_dice(action) || !is_own_on_board(action.kind()) => {
                return None;
            }
            Command::OpeningTie { .. } if chouette.game().is_some_and(|game| game.tie_waits) => {
                chouette.box_player()?
            }
            Command::Board { by: Side::Box, .. } => chouette.box_player()?,
            Command::Board { by: Side::Team, .. } => chouette.acting_captain()?,
            _ => return None,
        };
        Some(chouette.decides_for(player))
    }
}

impl Desk {
    /// Opens a chouette, of the night it is in the club's time zone.
    ///
    /// # Errors
    /// What the rules or the desk refuse.
    pub async fn open_chouette(&self, request: Request, new: NewChouette) -> Result<Answer, Refused> {
        let (actor, id) = (request.actor, ChouetteId(Uuid::now_v7()));
        let done = self.carry_out(request, move |visit| {
            visit.authority.require(Permission::OpenChouette)?;
            let command = opening(visit, new.clone())?;
            let empty = Arc::new(Stream::default());
            let deed = visit.decide(&empty.state, &command)?;
            let limit = visit.desk().inner.limits.stream_length;
            carry_on(visit, id, &empty, deed, (201, limit))
        });
        self.answer(actor, TableCommand::Open, done.await).await
    }

    /// Carries out a command to a chouette.
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
            if let Order::Table(Command::MergeInto { table }) = &order {
                visit.authority.require(Permission::RunChouette)?;
                // Streams are locked in the order of their ids, here and everywhere.
                visit.load::<Chouette>(id.0.min(table.0), "chouette")?;
            }
            let before = visit.load::<Chouette>(id.0, "chouette")?;
            Visit::expect(&before, expected)?;
            require_reach(&visit.authority, &before, &order)?;
            let order = order.clone().with_table(ChouetteId(Uuid::now_v7()));
            let deed = deed(visit, id, &before, &order)?;
            let limit = visit.desk().inner.limits.stream_length;
            let limit = if order.winds_up() { Version::MAX } else { limit };
            let done = carry_on(visit, id, &before, deed, (200, limit))?;
            match &order {
                Order::Table(Command::Split { players, table: Some(table), name }) => {
                    split_off(visit, (id, &before.state), *table, name, players)?;
                }
                Order::Table(Command::MergeInto { table }) => {
                    seat_at(visit, *table, &before.state.present())?;
                }
                _ => {}
            }
            Ok(done)
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
        let before = self.chouette(id).await?;
        Visit::<'_, '_>::expect(&before, request.expected)?;
        require_reach(&authority, &before, &order)?;
        if is_secret(&before.state, &order) {
            let why = "what others have answered is not shown before all have";
            return Err(Refused::rule("no_preview", Some("command"), why));
        }
        let now = self.now();
        let deed = match &order {
            Order::History(history) => history.deed(&before)?,
            Order::Table(command) => {
                let mut dice = self.dice();
                let mut given = crate::journal::Given { now, chance: &mut dice };
                Deed::Events(before.state.decide(command, &mut given)?)
            }
        };
        let version = before.version + deed.versions();
        let act = Act { id: ActId(Uuid::nil()), version, at: now, by: authority.account, deed };
        let (stream, named) = match &act.deed {
            Deed::Events(_) => {
                let mut stream = Stream::clone(&before);
                stream.extend(&act).map_err(StoreError::from)?;
                (stream, Vec::new())
            }
            Deed::Undo(named) | Deed::Redo(named) => self.replayed_with(id, &act, named).await?,
        };
        Ok(Preview { before, after: Answer { id, stream: Arc::new(stream), act }, named })
    }

    /// The stream after an undo or redo that follows it, and the acts that this names.
    async fn replayed_with(
        &self,
        id: ChouetteId,
        act: &Act<Event>,
        named: &[ActId],
    ) -> Result<(Stream<Chouette>, Vec<Act<Event>>), Refused> {
        let before = act.version - act.deed.versions();
        let mut acts =
            self.read(move |connection| journal::acts::<Chouette>(connection, id.0, before)).await?;
        let found = named.iter().filter_map(|named| acts.iter().rfind(|act| act.id == *named).cloned());
        let found = found.collect();
        acts.push(act.clone());
        Ok((Stream::replay(&acts).map_err(StoreError::from)?, found))
    }

    /// A chouette as it is. From memory where this process is the only writer.
    ///
    /// # Errors
    /// [`Refused::NotFound`], or the store failed.
    pub async fn chouette(&self, id: ChouetteId) -> Result<Arc<Stream<Chouette>>, Refused> {
        self.stream(id.0, "chouette").await
    }

    /// A stream as it is. From memory where this process is the only writer.
    pub(super) async fn stream<A: Aggregate>(
        &self,
        id: Uuid,
        what: &'static str,
    ) -> Result<Arc<Stream<A>>, Refused> {
        let remembered = self.inner.memory.stream::<A>(id);
        if let Some(stream) = remembered.as_ref().filter(|_| self.inner.store.is_sole_writer()) {
            return Ok(Arc::clone(stream));
        }
        let stream = self
            .inner
            .store
            .read(move |connection| {
                let head = journal::head(connection, id, A::KIND)?.ok_or(Refused::NotFound(what))?;
                if let Some(stream) = remembered.filter(|stream| stream.version == head) {
                    return Ok(stream);
                }
                let acts = journal::acts::<A>(connection, id, head)?;
                Ok::<_, Refused>(Arc::new(Stream::replay(&acts).map_err(StoreError::from)?))
            })
            .await?;
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
        let outcome = match &done {
            Ok(Done::Now(_)) => "done",
            Ok(Done::Before(_)) => "repeated",
            Err(Refused::Store(_) | Refused::Busy) => "failed",
            Err(_) => "refused",
        };
        metrics::counter!(COMMANDS, "kind" => command.name(), "outcome" => outcome).increment(1);
        match done? {
            Done::Now(answer) => Ok(answer),
            Done::Before(Receipt { stream: id, version, .. }) => {
                self.require(Some(&actor), Permission::ViewTables).await?;
                self.inner.store.read(move |connection| answer_again(connection, id, version)).await
            }
        }
    }
}

fn answer_again(
    connection: &mut crate::store::AnyConnection,
    id: Uuid,
    version: Version,
) -> Result<Answer, Refused> {
    let mut acts = journal::acts::<Chouette>(connection, id, version)?;
    let stream = Arc::new(Stream::replay(&acts).map_err(StoreError::from)?);
    let act = acts.pop().ok_or(Refused::NotFound("chouette"))?;
    Ok(Answer { id: ChouetteId(id), stream, act })
}

/// The command that opens a chouette: the night is the club's day, the currency one of the club's.
fn opening(visit: &mut Visit<'_, '_>, new: NewChouette) -> Result<Command, Refused> {
    let club = visit.load::<Club>(super::clubs::CLUB, "club")?;
    let settings = club.state.settings().ok_or(Refused::NotFound("club"))?;
    if let Some(stake) = new.stake
        && !settings.currencies.contains(stake.currency)
    {
        return Err(Refused::Rule(Rule {
            code: "currency_not_in_use",
            field: Some("stake"),
            allowed: serde_json::json!(settings.currencies.as_slice()),
            detail: format!("the club does not keep books in {}", stake.currency),
        }));
    }
    let night = settings.night_of(visit.now);
    let rules = house_rules::chosen(&club.state, new.rules, new.house_rules.as_deref())?;
    Ok(Command::Open { name: new.name, night, stake: new.stake, rules, from: None })
}

/// Whether the asker may give this order: for himself, for anybody, or not at all.
fn require_reach(authority: &Authority, before: &Stream<Chouette>, order: &Order) -> Result<(), Refused> {
    let acting = match order {
        // Of undo and redo: whoever did the acts; his own are himself.
        Order::History(history) if history.is_of(authority.account, before) => authority.player,
        Order::History(_) => None,
        Order::Table(_) => order.acting(&before.state),
    };
    authority.require_reach(order.name().reach(authority.roles), acting)
}

fn deed(
    visit: &mut Visit<'_, '_>,
    id: ChouetteId,
    before: &Stream<Chouette>,
    order: &Order,
) -> Result<Deed<Event>, Refused> {
    Ok(match order {
        Order::History(history) => history.deed(before)?,
        Order::Table(command) => {
            match command {
                Command::Join { player } | Command::MergePlayers { player, .. } => {
                    can_sit_down(visit, id, *player)?;
                }
                Command::MergeInto { table } if *table == id => {
                    return Err(Refused::rule(
                        "same_table",
                        Some("table"),
                        "a table cannot go over to itself",
                    ));
                }
                _ => {}
            }
            visit.decide(&before.state, command)?
        }
    })
}

/// Whether whoever rolls for a side may do this for it by himself. What was thrown or agreed on at the table is the
/// scorer's to enter, and a side is not resigned by one alone.
#[must_use]
pub const fn is_own_on_board(action: ActionKind) -> bool {
    use ActionKind::{Pass, Play, RejectResignation, Roll, RollOpening};
    matches!(action, RollOpening | Roll | Play | Pass | RejectResignation)
}

/// Whether the dice of this action are entered and not drawn.
const fn enters_dice(action: &Action) -> bool {
    matches!(action, Action::RollOpening { dice: Some(_) } | Action::Roll { dice: Some(_) })
}

/// Whether a preview of `order` could show what others have answered in secret.
fn is_secret(chouette: &Chouette, order: &Order) -> bool {
    let answers =
        matches!(order, Order::Table(Command::Take { .. } | Command::Drop { .. } | Command::Beaver { .. }));
    answers && chouette.rules().decision_order == DecisionOrder::AllAtOnce
}

/// Opens the table of those who have just left another for one of their own.
fn split_off(
    visit: &mut Visit<'_, '_>,
    (from, old): (ChouetteId, &Chouette),
    table: ChouetteId,
    name: &str,
    players: &[PlayerId],
) -> Result<(), Refused> {
    let opening = Command::Open {
        name: name.to_owned(),
        night: old.night(),
        stake: old.stake(),
        rules: old.rules().clone(),
        from: Some(from),
    };
    let joining = players.iter().map(|&player| Command::Join { player });
    let commands: Vec<Command> = std::iter::once(opening).chain(joining).collect();
    let empty = Arc::new(Stream::default());
    let deed = visit.decide_all(&empty.state, &commands)?;
    let limit = visit.desk().inner.limits.stream_length;
    carry_on(visit, table, &empty, deed, (200, limit)).map(drop)
}

/// Seats those who have just left another table at this one, in their order.
fn seat_at(visit: &mut Visit<'_, '_>, table: ChouetteId, players: &[PlayerId]) -> Result<(), Refused> {
    let before = visit.load::<Chouette>(table.0, "chouette")?;
    let commands: Vec<Command> = players.iter().map(|&player| Command::Join { player }).collect();
    if commands.is_empty() {
        return Ok(());
    }
    let deed = visit.decide_all(&before.state, &commands)?;
    carry_on(visit, table, &before, deed, (200, Version::MAX)).map(drop)
}

/// Whether a player of the club may sit down at `id`: somebody the club knows, who still comes, and
/// who sits nowhere else. (That he sits here already is for the table to say.)
fn can_sit_down(visit: &mut Visit<'_, '_>, id: ChouetteId, player: PlayerId) -> Result<(), Refused> {
    let connection = &mut *visit.transaction.connection;
    let row = players::find(connection, player)?.ok_or_else(|| {
        Refused::rule("unknown_player", Some("player"), format!("there is no player {player}"))
    })?;
    if !row.active {
        return Err(Refused::rule(
            "player_inactive",
            Some("player"),
            format!("player {player} is not active"),
        ));
    }
    match stored::table_of(connection, player)? {
        Some(table) if table != id => Err(at_another_table(Some(table))),
        _ => Ok(()),
    }
}

fn at_another_table(table: Option<ChouetteId>) -> Refused {
    Refused::Rule(Rule {
        code: "player_at_another_table",
        field: Some("player"),
        allowed: serde_json::json!(table),
        detail: "the player sits at another table".into(),
    })
}

/// Appends as long as the stream is no longer than the limit, derives, and gives the receipt.
fn carry_on(
    visit: &mut Visit<'_, '_>,
    id: ChouetteId,
    before: &Arc<Stream<Chouette>>,
    deed: Deed<Event>,
    (status, limit): (u16, Version),
) -> Result<(Receipt, Answer), Refused> {
    let appended = visit.append(id.0, before, deed, limit)?;
    derive_row(visit, id, &before.state, &appended.stream.state)?;
    derive_seats(visit, id, &before.state, &appended.stream.state)?;
    for effect in &appended.effects {
        derive_books(visit, id, &appended.stream.state, effect)?;
    }
    let receipt = Receipt { status, stream: id.0, version: appended.stream.version };
    Ok((receipt, Answer { id, stream: appended.stream, act: appended.act }))
}

/// The chouette at a glance, as its read table has it.
#[must_use]
pub fn row(id: ChouetteId, state: &Chouette) -> Option<stored::Row> {
    Some(stored::Row {
        id: id.into(),
        name: state.name().to_owned(),
        night: state.night(),
        status: if state.phase() == Phase::Closed { "closed" } else { "open" }.to_owned(),
        stake_amount: state.stake().map(|stake| stake.amount.into()),
        stake_currency: state.stake().map(|stake| stake.currency.to_string()),
        games: i32::try_from(state.games_finished()).unwrap_or(i32::MAX),
        opened_at: state.opened_at()?.into(),
        closed_at: state.closed_at().map(Into::into),
    })
}

/// The seats of a chouette, as their read table has them. Nobody sits at a closed table.
#[must_use]
pub fn seats(id: ChouetteId, state: &Chouette) -> Vec<Seat> {
    let present: BTreeSet<PlayerId> = match state.phase() {
        Phase::Closed => BTreeSet::new(),
        _ => state.present().into_iter().collect(),
    };
    let mut seats: Vec<Seat> = state
        .known()
        .map(|player| Seat {
            chouette: id.into(),
            player: player.into(),
            present: present.contains(&player),
            score: state.booked(player).0,
        })
        .collect();
    seats.sort_unstable();
    seats
}

fn derive_row(
    visit: &mut Visit<'_, '_>,
    id: ChouetteId,
    before: &Chouette,
    after: &Chouette,
) -> Result<(), Refused> {
    match row(id, after) {
        Some(row_after) if row(id, before).as_ref() != Some(&row_after) => {
            Ok(stored::put(visit.transaction.connection, &row_after)?)
        }
        _ => Ok(()),
    }
}

fn derive_seats(
    visit: &mut Visit<'_, '_>,
    id: ChouetteId,
    before: &Chouette,
    after: &Chouette,
) -> Result<(), Refused> {
    let (seats_before, seats_after) = (seats(id, before), seats(id, after));
    let connection = &mut *visit.transaction.connection;
    for gone in seats_before.iter().filter(|seat| !after.knows(seat.player.into())) {
        stored::remove_seat(connection, id, gone.player.into())?;
    }
    for seat in seats_after.iter().filter(|seat| !seats_before.contains(seat)) {
        stored::put_seat(connection, *seat).map_err(|error| {
            // Only undo gets here: joining has asked before.
            if error.violates("seat_one_table") || error.violates("seat.player") {
                at_another_table(None)
            } else {
                error.into()
            }
        })?;
    }
    Ok(())
}

/// Posts what this made of the books, and reverses what it took back.
fn derive_books(
    visit: &mut Visit<'_, '_>,
    id: ChouetteId,
    state: &Chouette,
    effect: &Effect<Event>,
) -> Result<(), Refused> {
    for transaction in transactions(id, state, effect)? {
        let posted = Posted { act: visit.act, version: effect.version, at: visit.now };
        let head = new_head(TransactionId(Uuid::now_v7()), &transaction, posted);
        books::post(visit.transaction.connection, &head, &new_postings(&transaction))?;
    }
    Ok(())
}

/// What an effect of an act at a chouette posts. Of the state only the stake matters, which never changes.
///
/// # Errors
/// The amounts do not add up to zero, or split a minor unit: the act fails.
pub fn transactions(
    id: ChouetteId,
    state: &Chouette,
    effect: &Effect<Event>,
) -> Result<Vec<ledger::Transaction>, Refused> {
    let place = ledger::Place { chouette: id, stake: state.stake(), at: effect.at };
    let mut transactions = Vec::new();
    for event in &effect.events {
        let posted = place.transactions(event);
        let posted = posted.map_err(|error| Refused::rule("unbalanced", None, error.to_string()))?;
        let taken_back = |one| if effect.taken_back { ledger::reversal_of(&one) } else { one };
        transactions.extend(posted.into_iter().map(taken_back));
    }
    Ok(transactions)
}

/// What the books would post if the act of a preview were carried out, in order.
///
/// # Errors
/// As of [`transactions`].
pub fn would_post(preview: &Preview) -> Result<Vec<ledger::Posting>, Refused> {
    let taken_back = matches!(preview.after.act.deed, Deed::Undo(_));
    let acts = std::iter::once(&preview.after.act).chain(&preview.named);
    let mut postings = Vec::new();
    for act in acts {
        let Deed::Events(events) = &act.deed else { continue };
        let effect = Effect { events: events.clone(), taken_back, at: act.at, version: act.version };
        for transaction in transactions(preview.after.id, &preview.after.stream.state, &effect)? {
            postings.extend_from_slice(transaction.postings());
        }
    }
    Ok(postings)
}

/// By what, and when, a transaction is posted.
#[derive(Clone, Copy, Debug)]
pub struct Posted {
    /// The act.
    pub act: ActId,
    /// The chouette's version with it ([`Effect::version`]).
    pub version: Version,
    /// When.
    pub at: Timestamp,
}

/// A transaction's head as the store takes it.
#[must_use]
pub fn new_head(id: TransactionId, transaction: &ledger::Transaction, posted: Posted) -> books::Head {
    let game = transaction.game().map(|game| i32::try_from(game).unwrap_or(i32::MAX));
    books::Head {
        id: id.into(),
        act: posted.act.into(),
        kind: transaction.kind().name().to_owned(),
        chouette: transaction.chouette().into(),
        game: game.unwrap_or(books::NO_GAME),
        version: posted.version,
        happened_at: transaction.at().into(),
        posted_at: posted.at.into(),
    }
}

/// A transaction's postings as the store takes them.
#[must_use]
pub fn new_postings(transaction: &ledger::Transaction) -> Vec<books::NewPosting> {
    transaction
        .postings()
        .iter()
        .map(|posting| books::NewPosting {
            player: posting.player,
            unit: posting.unit.to_string(),
            counterparty: posting.counterparty,
            bet: posting.kind.name().to_owned(),
            amount: posting.amount,
        })
        .collect()
}
