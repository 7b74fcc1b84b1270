//! Chouettes at the desk: opening one, commands to one, looking at one.
//!
//! * [`reach`]: who may give which command.
//! * [`derive`]: the read tables and the books that follow of an act.

pub mod derive;
pub mod reach;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Actor, Authority, Desk, Done, Receipt, Refused, Request, Rule, Visit, house_rules};
use crate::chouette::rules::DecisionOrder;
use crate::chouette::{Chouette, Command, Event, HouseRules, Legal, Score};
use crate::club::{Club, Permission, TableCommand};
use crate::journal::{Act, Aggregate, CannotUndo, Deed, Marks, Steps, Stream, Version};
use crate::store::{StoreError, chouettes as stored, journal, players};
use crate::telemetry::COMMANDS;
use crate::values::{ActId, ChouetteId, HalfPoints, PlayerId, Stake};

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
    fn reach_into(self, stream: &Stream<Chouette>) -> (Marks<'_>, Steps) {
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

    /// Whether a table whose stream is at `version` of so many events goes on with it: a game begins only
    /// where there is room to play it. What is on may be wound up beyond that.
    fn has_room(&self, version: Version, length_limit: Version) -> Result<(), Refused> {
        if !matches!(self, Self::Table(Command::StartGame { .. })) || room_for_a_game(version, length_limit) {
            return Ok(());
        }
        Err(Refused::Rule(Rule {
            code: "night_too_long",
            field: None,
            allowed: serde_json::json!(["close", "merge_into"]),
            detail: "the table's stream is nearly as long as it may be: no game begins any more".into(),
        }))
    }

    /// The order with the id of the table that it opens, if it does.
    fn with_table(mut self, new: ChouetteId) -> Self {
        if let Self::Table(Command::Split { table, .. }) = &mut self {
            *table = Some(new);
        }
        self
    }
}

/// What a game may need: more events than any that was ever played move by move.
const ROOM_FOR_A_GAME: Version = 300;

/// Whether a table whose stream is at `version` of so many events can begin a game. Where streams are kept very
/// short, a tenth is enough.
fn room_for_a_game(version: Version, length_limit: Version) -> bool {
    version <= length_limit - ROOM_FOR_A_GAME.min(length_limit / 10)
}

impl Desk {
    /// What of the legal commands at a table the asker may give; no game where there is no room for one.
    #[must_use]
    pub fn legal(&self, stream: &Stream<Chouette>, authority: Option<&Authority>) -> Vec<Legal> {
        let mut legal = reach::legal_for(&stream.state, authority);
        if !room_for_a_game(stream.version, self.inner.limits.stream_length) {
            legal.retain(|legal| *legal != Legal::StartGame {});
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
            reach::require(&visit.authority, &before, &order)?;
            let order = order.clone().with_table(ChouetteId(Uuid::now_v7()));
            let deed = deed(visit, id, &before, &order)?;
            let limit = visit.desk().inner.limits.stream_length;
            order.has_room(before.version, limit)?;
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
        reach::require(&authority, &before, &order)?;
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
        order.has_room(before.version, self.inner.limits.stream_length)?;
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
                Command::Join { player } => can_sit_down(visit, id, *player)?,
                // Whoever takes over a seat sits down.
                Command::MergePlayers { player, duplicate } if before.state.present().contains(duplicate) => {
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
    derive::derive_row(visit, id, &before.state, &appended.stream.state)?;
    derive::derive_seats(visit, id, &before.state, &appended.stream.state)?;
    for effect in &appended.effects {
        derive::derive_books(visit, id, &appended.stream.state, effect)?;
    }
    let receipt = Receipt { status, stream: id.0, version: appended.stream.version };
    Ok((receipt, Answer { id, stream: appended.stream, act: appended.act }))
}
