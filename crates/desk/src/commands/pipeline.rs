//! The common pipeline of chouettes, matches and tournaments: open, command, preview, read, undo. [`Subject`]
//! supplies what differs between them.

use std::collections::BTreeMap;
use std::sync::Arc;

use uuid::Uuid;

use crate::club::stream::CLUB;
use crate::commands::acts::{events_in, previewed, read_again};
use crate::commands::history::Order;
use crate::commands::metrics::{COMMANDS, CommandOutcome, Counted as _};
use crate::commands::plan_context::{PlanContext as _, PreviewContext, ensure_opened};
use crate::commands::subject::{
    Change, HistorySteps, Plan, Preview, StreamAfter, StreamPlan, Subject, ToLock, Visible,
};
use crate::commands::unit_of_work::{Appended, UnitOfWork};
use crate::{Actor, Desk, Done, Principal, Receipt, Refused, Request};
use owlbox_base::journal::{Act, ActKind, Aggregate, HistoryKind, Stream, Version};
use owlbox_base::values::ActId;
use owlbox_books::club::Club;
use owlbox_store::{AnyConnection, StoreError, Transaction, journal};

impl Desk {
    /// Opens a new chouette, match or tournament.
    ///
    /// # Errors
    /// Refusals of the rules or the desk.
    pub async fn open<A: Subject>(&self, request: Request, new: A::New) -> Result<StreamAfter<A>, Refused> {
        let id = A::Id::from(Uuid::now_v7());
        let plan = move |unit: &mut UnitOfWork<'_, '_>| {
            let commands = A::opening(unit, id, new.clone())?;
            let before = Arc::new(Stream::default());
            let kind = unit.decide_all::<A>(&before.state, &commands).map_err(Into::into)?;
            Ok(StreamPlan { id, before, kind, limit: unit.limit() }.into())
        };
        self.give(request, A::Command::OPENING, 201, None, plan).await
    }

    /// Carries out an order, with its consequences at other streams.
    ///
    /// # Errors
    /// Refusals of the rules or the desk.
    pub async fn command<A: Subject>(
        &self,
        request: Request,
        id: A::Id,
        order: Order<A::Command>,
    ) -> Result<StreamAfter<A>, Refused> {
        let (expected, label) = (request.expected, A::Command::label(&order));
        let to_lock = A::foreseen(self, id, &order);
        let plan = move |unit: &mut UnitOfWork<'_, '_>| {
            A::lock(unit, id, &order)?;
            let before = unit.find(id, expected)?;
            let principal = unit.principal;
            A::plan(unit, &principal, id, &before, order.clone())
        };
        self.give(request, label, 200, to_lock, plan).await
    }

    /// Previews an order: the states it would lead to. Runs beside the writer and changes nothing.
    ///
    /// # Errors
    /// Refusals of the rules or the desk; `no_preview` if the result must not be known beforehand.
    pub async fn preview<A: Subject>(
        &self,
        request: Request,
        id: A::Id,
        order: Order<A::Command>,
    ) -> Result<Preview<A>, Refused> {
        let expected = request.expected;
        self.preview_plan(request, move |beside, principal| {
            let before = beside.find(id, expected)?;
            A::plan(beside, principal, id, &before, order)
        })
        .await
    }

    /// Carries out a plan as one act, and counts it in the metrics under `label`. `to_lock` is what it locks,
    /// if that is known.
    pub(crate) async fn give<A: Subject>(
        &self,
        request: Request,
        label: &'static str,
        status: u16,
        to_lock: Option<ToLock>,
        plan: impl Fn(&mut UnitOfWork<'_, '_>) -> Result<Plan<A>, Refused> + Send + 'static,
    ) -> Result<StreamAfter<A>, Refused> {
        let actor = request.actor;
        let work = move |unit: &mut UnitOfWork<'_, '_>| {
            let plan = plan(unit)?;
            plan.fits()?;
            carry_through(unit, plan, status)
        };
        let done = self.carry_out_at(request, to_lock, work).await;
        metrics::counter!(COMMANDS, "kind" => label, "outcome" => outcome(&done)).increment(1);
        match done? {
            Done::Now(answer) => Ok(answer),
            Done::Before(receipt) => self.answer_again(&actor, receipt).await,
        }
    }

    /// The answer to a retry, if the caller may still see the stream.
    async fn answer_again<A: Subject>(
        &self,
        actor: &Actor,
        receipt: Receipt,
    ) -> Result<StreamAfter<A>, Refused> {
        let Receipt { stream: id, version, .. } = receipt;
        let now = A::visible(self, Some(actor), id.into()).await?.stream;
        self.read(move |connection| read_again(connection, id.into(), &now, version)).await
    }

    /// The states a plan would lead to.
    pub(crate) async fn preview_plan<A: Subject>(
        &self,
        request: Request,
        plan: impl FnOnce(&mut PreviewContext<'_>, &Principal) -> Result<Plan<A>, Refused> + Send + 'static,
    ) -> Result<Preview<A>, Refused> {
        let principal = self.principal(&request.actor).await?;
        let desk = self.clone();
        self.read(move |connection| {
            let (now, dice) = (desk.now(), desk.dice());
            let mut beside = PreviewContext { desk: &desk, connection, now, dice };
            let plan = plan(&mut beside, &principal)?;
            preview_beside(&mut beside, &principal, plan)
        })
        .await
    }

    /// The current state. From the cache where that is [current](Self::lease).
    ///
    /// # Errors
    /// [`Refused::NotFound`], also after its opening was undone; or the store failed.
    pub async fn find<A: Subject>(&self, id: A::Id) -> Result<Arc<Stream<A>>, Refused> {
        ensure_opened(self.stream(id.into()).await?)
    }

    /// The current states of those that are there, in one reading.
    ///
    /// # Errors
    /// The store failed.
    pub async fn find_all<A: Subject>(
        &self,
        ids: Vec<A::Id>,
    ) -> Result<Vec<(A::Id, Arc<Stream<A>>)>, Refused> {
        let desk = self.clone();
        self.read(move |connection| {
            let mut found = Vec::new();
            for id in ids {
                match desk.load(connection, id.into()).and_then(ensure_opened) {
                    Ok(stream) => found.push((id, stream)),
                    Err(Refused::NotFound(_)) => {}
                    Err(failed) => return Err(failed),
                }
            }
            Ok(found)
        })
        .await
    }

    /// The current state, for a caller who may see it, and the caller's principal there.
    ///
    /// # Errors
    /// [`Refused::NotFound`], [`Refused::Unauthorised`], [`Refused::Forbidden`], or the store failed.
    pub async fn visible<A: Subject>(
        &self,
        actor: Option<&Actor>,
        id: A::Id,
    ) -> Result<(Arc<Stream<A>>, Option<Principal>), Refused> {
        let Visible { stream, principal, .. } = A::visible(self, actor, id).await?;
        Ok((ensure_opened(stream)?, principal))
    }

    /// The acts the caller may undo or redo at once; `None` if there are none.
    ///
    /// # Errors
    /// The store failed.
    pub async fn steps<A: Subject>(
        &self,
        stream: &Stream<A>,
        principal: Option<&Principal>,
        kind: HistoryKind,
    ) -> Result<Option<HistorySteps<A::Kind>>, Refused> {
        let Some((principal, &entry)) = principal.zip(stream.undo_entries(kind).newest()) else {
            return Ok(None);
        };
        let acts = A::steps(self, stream, principal, kind).await?;
        Ok((acts > 0).then_some(HistorySteps { entry, acts }))
    }

    /// All acts of a stream, in order.
    ///
    /// # Errors
    /// The store failed.
    pub async fn acts<A: Subject>(&self, id: A::Id) -> Result<Vec<Act<A::Event>>, Refused> {
        self.read(move |connection| Ok(journal::acts::<A>(connection, id.into(), Version::MAX)?)).await
    }

    /// The events of each of these acts; none for an undo or a redo.
    ///
    /// # Errors
    /// The store failed.
    pub async fn events<A: Subject>(
        &self,
        id: A::Id,
        acts: Vec<ActId>,
    ) -> Result<BTreeMap<ActId, Vec<A::Event>>, Refused> {
        if acts.is_empty() {
            return Ok(BTreeMap::new());
        }
        self.read(move |connection| {
            let events = |act| Ok((act, events_in::<A>(connection, id.into(), act)?));
            acts.into_iter().map(events).collect()
        })
        .await
    }

    /// The current state of a stream. From the cache where that is [current](Desk::lease).
    pub(crate) async fn stream<A: Aggregate>(&self, id: Uuid) -> Result<Arc<Stream<A>>, Refused> {
        if let Some(stream) = self.cached_if_current(id) {
            return Ok(stream);
        }
        let (desk, seen) = (self.clone(), self.inner.memory.seen());
        let stream = self.read(move |connection| desk.load(connection, id)).await?;
        self.inner.memory.keep_current(id, Arc::clone(&stream), seen);
        Ok(stream)
    }

    /// The current state, even if its opening was undone.
    pub(crate) async fn opened_once<A: Subject>(&self, id: A::Id) -> Result<Arc<Stream<A>>, Refused> {
        self.stream(id.into()).await
    }

    /// The cached state of a stream, where this process is the only writer and it is known to be current.
    fn known<A: Aggregate>(&self, id: Uuid) -> Option<Arc<Stream<A>>> {
        self.inner.memory.stream::<A>(id).filter(|_| self.inner.store.is_sole_writer())
    }

    /// The cached state of a stream that may be read unasked: [`known`](Self::known), or one of which no
    /// instance has told a newer. It may be older than another instance's last act by as long as a
    /// notification takes, so no command is decided on it.
    fn cached_if_current<A: Aggregate>(&self, id: Uuid) -> Option<Arc<Stream<A>>> {
        let (lease, memory) = (self.lease(), &self.inner.memory);
        self.known(id).or_else(|| {
            // Whether somebody was erased, which changes what others say but not their version, is in the
            // club's own.
            if id != CLUB {
                memory.know_erased(memory.current::<Club>(CLUB)?.state.erased());
            }
            memory.current(id).filter(|_| lease.holds())
        })
    }

    /// The current state of a stream within a transaction that may have changed it. What is not committed yet
    /// is found where it is staged, and nothing that is read is kept in memory: the commit may still fail.
    pub(crate) fn load_in<A: Aggregate>(
        &self,
        transaction: &mut Transaction<'_>,
        id: Uuid,
    ) -> Result<Arc<Stream<A>>, Refused> {
        match transaction.staged(id) {
            Some(staged) => Ok(staged),
            None => {
                if let Some(stream) = self.known(id) {
                    return Ok(stream);
                }
                let head = transaction.head(id, A::KIND)?.ok_or(Refused::NotFound(A::KIND))?;
                self.at_head(transaction.unflushed_connection(), id, head)
            }
        }
    }

    /// The current state of a stream, for callers with a connection that has nothing uncommitted. A cached
    /// state is used if its version is current.
    pub(crate) fn load<A: Aggregate>(
        &self,
        connection: &mut AnyConnection,
        id: Uuid,
    ) -> Result<Arc<Stream<A>>, Refused> {
        if let Some(stream) = self.cached_if_current(id) {
            return Ok(stream);
        }
        // Another instance may have erased somebody, which no version tells.
        if !self.inner.store.is_sole_writer() && id != CLUB {
            match self.load::<Club>(connection, CLUB) {
                Ok(club) => self.inner.memory.know_erased(club.state.erased()),
                Err(Refused::NotFound(_)) => {}
                Err(other) => return Err(other),
            }
        }
        self.load_cached(connection, id)
    }

    fn load_cached<A: Aggregate>(
        &self,
        connection: &mut AnyConnection,
        id: Uuid,
    ) -> Result<Arc<Stream<A>>, Refused> {
        if let Some(stream) = self.known::<A>(id) {
            return Ok(stream);
        }
        let head = journal::head(connection, id, A::KIND)?.ok_or(Refused::NotFound(A::KIND))?;
        self.at_head(connection, id, head)
    }

    /// The state of a stream as it stands in a snapshot, whatever came since. Nothing of it is kept.
    pub(crate) fn load_in_snapshot<A: Aggregate>(
        &self,
        connection: &mut AnyConnection,
        id: Uuid,
    ) -> Result<Arc<Stream<A>>, Refused> {
        let head = journal::head(connection, id, A::KIND)?.ok_or(Refused::NotFound(A::KIND))?;
        match self.inner.memory.stream::<A>(id).filter(|stream| stream.version == head) {
            Some(stream) => Ok(stream),
            None => {
                let acts = journal::acts::<A>(connection, id, head)?;
                Ok(Arc::new(Stream::replay(&acts).map_err(StoreError::from)?))
            }
        }
    }

    /// The state of a stream whose journal has been committed up to this version. From the cache, with what
    /// has come since; or from the journal.
    pub(crate) fn at_head<A: Aggregate>(
        &self,
        connection: &mut AnyConnection,
        id: Uuid,
        head: Version,
    ) -> Result<Arc<Stream<A>>, Refused> {
        let seen = self.inner.memory.seen();
        let remembered = self.inner.memory.stream::<A>(id).filter(|stream| stream.version <= head);
        if let Some(stream) = &remembered
            && stream.version == head
        {
            return Ok(Arc::clone(stream));
        }
        let known = remembered.as_ref().map_or(0, |stream| stream.version);
        let since = journal::acts_between::<A>(connection, id, known, head)?;
        let stream = match remembered {
            // An erasure changes what the club's earlier events say.
            Some(stream) if id != CLUB && since.iter().all(|act| matches!(act.kind, ActKind::Events(_))) => {
                let mut stream = Arc::unwrap_or_clone(stream);
                since.iter().try_for_each(|act| stream.extend(act)).map_err(StoreError::from)?;
                stream
            }
            // What is taken back, too, can lie further back.
            Some(_) => {
                Stream::replay(&journal::acts::<A>(connection, id, head)?).map_err(StoreError::from)?
            }
            None => Stream::replay(&since).map_err(StoreError::from)?,
        };
        let stream = Arc::new(stream);
        // This may be an old snapshot, so it does not make the club's state current.
        self.inner.memory.keep(id, Arc::clone(&stream), seen);
        Ok(stream)
    }
}

/// The states a plan would lead to, if nothing refuses it.
pub(crate) fn preview_beside<A: Subject>(
    beside: &mut PreviewContext<'_>,
    principal: &Principal,
    plan: Plan<A>,
) -> Result<Preview<A>, Refused> {
    plan.fits()?;
    let Plan { here, others } = plan;
    let here = previewed(beside.connection, here, principal.account, beside.now)?;
    let mut also = Vec::new();
    for part in others {
        also.push(previewed(beside.connection, part, principal.account, beside.now)?);
    }
    let preview = Preview { here, also };
    A::would_follow(beside, principal, &preview)?;
    Ok(preview)
}

/// Appends every part of a plan to its stream, and applies the consequences. The receipt is for the stream to
/// which the order was given.
pub(crate) fn carry_through<A: Subject>(
    unit: &mut UnitOfWork<'_, '_>,
    plan: Plan<A>,
    status: u16,
) -> Result<(Receipt, StreamAfter<A>), Refused> {
    let changes = plan.parts().map(|part| append(unit, part)).collect::<Result<Vec<_>, _>>()?;
    A::follow(unit, &changes)?;
    let here = changes.into_iter().next();
    let Change { id, after: stream, act, .. } = here.ok_or(Refused::NotFound(A::KIND))?;
    Ok((Receipt { status, stream: id.into(), version: stream.version }, StreamAfter { id, stream, act }))
}

/// Appends a part of a plan to its stream.
pub(crate) fn append<A: Subject>(
    unit: &mut UnitOfWork<'_, '_>,
    part: StreamPlan<A>,
) -> Result<Change<A>, Refused> {
    let StreamPlan { id, before, kind, limit } = part;
    let Appended { stream: after, act, effects } = unit.append(id.into(), &before, kind, limit)?;
    Ok(Change { id, before, after, act, effects })
}

/// The `outcome` label of an order in the metrics.
pub(crate) fn outcome<T>(done: &Result<Done<T>, Refused>) -> &'static str {
    let outcome = match done {
        Ok(Done::Now(_)) => CommandOutcome::Done,
        Ok(Done::Before(_)) => CommandOutcome::Repeated,
        Err(Refused::Store(_) | Refused::Busy) => CommandOutcome::Failed,
        Err(_) => CommandOutcome::Refused,
    };
    outcome.into()
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;

    use futures_util::FutureExt as _;
    use rstest::rstest;
    use serde_json::{Value, json};
    use tokio::sync::oneshot;

    use super::*;
    use crate::fixture::{Db, Fixture};
    use owlbox_base::values::{MatchId, PlayerId};
    use owlbox_books::club::players::PlayerDetails;
    use owlbox_chouette::Chouette;
    use owlbox_play::matches::Sheet;
    use owlbox_play::tournament::Tournament;
    use owlbox_play::tournament::about::About;
    use owlbox_store::ReadPlan;

    fn read<T: serde::de::DeserializeOwned>(value: Value) -> T {
        serde_json::from_value(value).unwrap()
    }

    type Given = Pin<Box<dyn Future<Output = Result<Version, Refused>> + Send>>;

    fn give<A: Subject<Command: serde::de::DeserializeOwned>>(
        desk: &Desk,
        admin: Actor,
        id: A::Id,
        order: Value,
    ) -> Given {
        let desk = desk.clone();
        Box::pin(async move { Ok(desk.command::<A>(Request::by(admin), id, read(order)).await?.act.version) })
    }

    /// Gives these orders while the writer is busy, so that it finds them all waiting.
    async fn at_once(desk: &Desk, mut orders: Vec<Given>) -> Vec<Version> {
        let (release, released) = std::sync::mpsc::channel::<()>();
        let (begins, begun) = oneshot::channel();
        let (store, mut begins) = (desk.inner.store.clone(), Some(begins));
        let busy = tokio::spawn(async move {
            let work = move |_: &mut Transaction<'_>| {
                begins.take().unwrap().send(()).unwrap();
                // An error says that it was dropped.
                let _ = released.recv();
                Ok::<_, StoreError>(())
            };
            store.write_together(ReadPlan::default(), work).await
        });
        begun.await.unwrap();
        for order in &mut orders {
            assert!(order.now_or_never().is_none());
        }
        drop(release);
        busy.await.unwrap().unwrap();
        let mut versions = Vec::new();
        for order in orders {
            versions.push(order.await.unwrap());
        }
        versions
    }

    /// In how many transactions, or parts of one, the newest entries of these streams were written.
    async fn transactions(desk: &Desk, streams: &[Uuid]) -> i64 {
        use diesel::prelude::*;
        use diesel::sql_types::BigInt;
        #[derive(QueryableByName)]
        struct Count {
            #[diesel(sql_type = BigInt)]
            count: i64,
        }
        let ids: Vec<String> = streams.iter().map(|id| format!("'{id}'")).collect();
        let query = format!(
            "SELECT count(DISTINCT journal.xmin::text) FROM journal \
             JOIN stream ON stream.id = journal.stream AND stream.version = journal.version WHERE stream.id IN ({})",
            ids.join(", ")
        );
        let count = move |connection: &mut AnyConnection| match connection {
            AnyConnection::Sqlite(_) => panic!("this is for PostgreSQL"),
            AnyConnection::Postgres(connection) => {
                Ok::<Count, StoreError>(diesel::sql_query(query).get_result(connection)?)
            }
        };
        desk.inner.store.read(count).await.unwrap().count
    }

    struct Scene {
        fixture: Fixture,
        admin: Actor,
        players: Vec<PlayerId>,
    }

    impl Scene {
        async fn set(db: Db) -> Option<Self> {
            let (fixture, admin) = Fixture::open(db).await?;
            let mut players = Vec::new();
            for name in ["Ada", "Bo", "Cy", "Di"] {
                let details = PlayerDetails::named(name.parse().unwrap());
                players.push(fixture.desk.add_player(Request::by(admin), details, false).await.unwrap().0);
            }
            Some(Self { fixture, admin, players })
        }

        async fn sheet(&self, terms: Value) -> MatchId {
            let new = read(json!({"players": self.players[..2], "terms": terms}));
            self.fixture.desk.open::<Sheet>(Request::by(self.admin), new).await.unwrap().id
        }

        fn at(&self, sheet: MatchId, order: Value) -> Given {
            give::<Sheet>(&self.fixture.desk, self.admin, sheet, order)
        }
    }

    #[rstest]
    #[tokio::test]
    async fn orders_to_tables_matches_and_tournaments_are_committed_together(
        #[values(Db::Sqlite, Db::Postgres)] db: Db,
    ) {
        let Some(scene) = Scene::set(db).await else { return };
        let (desk, admin) = (&scene.fixture.desk, scene.admin);
        let about = read::<About>(json!({"name": "Open", "date": "2026-09-21", "currency": "EUR"}));
        let tournament = desk.open::<Tournament>(Request::by(admin), about.into()).await.unwrap().id;
        let entries: Vec<Value> = scene.players.iter().map(|player| json!({ "player": player })).collect();
        for order in [
            json!({"command": "add_division", "settings": {"name": "Open", "lengths": [3], "rated": false}}),
            json!({"command": "enter", "entries": entries}),
            json!({"command": "draw"}),
            json!({"command": "set_tables", "tables": [{"table": 1}, {"table": 2}]}),
            json!({"command": "open_sheet", "match": 1}),
        ] {
            give::<Tournament>(desk, admin, tournament, order).await.unwrap();
        }
        let stream = desk.find::<Tournament>(tournament).await.unwrap();
        let (_, of_tournament) =
            stream.state.divisions().find_map(|(_, of)| of.last_sheets().next()).unwrap();
        let table = desk.open::<Chouette>(Request::by(admin), read(json!({"name": "One"}))).await.unwrap().id;
        for player in &scene.players {
            let join = json!({"command": "join", "player": player});
            give::<Chouette>(desk, admin, table, join).await.unwrap();
        }
        let session = scene.sheet(json!({"play": "money"})).await;
        let game = json!({"command": "game", "winner": "upper", "win": "single", "cube": 1});
        let orders = vec![
            scene.at(session, game.clone()),
            scene.at(of_tournament, game.clone()),
            scene.at(session, game.clone()),
            give::<Chouette>(desk, admin, table, json!({"command": "draw_order"})),
            give::<Tournament>(desk, admin, tournament, json!({"command": "call_next"})),
        ];
        at_once(desk, orders).await;
        let streams = [session.0, of_tournament.0, table.0, tournament.0];
        if db == Db::Postgres {
            assert_eq!(transactions(desk, &streams).await, 1);
        }
        // The match is decided: the tournament, too, goes on, and its director does so at once.
        let orders = vec![
            scene.at(of_tournament, game.clone()),
            scene.at(of_tournament, game.clone()),
            give::<Tournament>(
                desk,
                admin,
                tournament,
                json!({"command": "result", "match": 2, "ended": {"ending": "played", "score": [3, 0]}}),
            ),
            scene.at(session, game),
        ];
        at_once(desk, orders).await;
        let stream = desk.find::<Tournament>(tournament).await.unwrap();
        let played = stream.state.divisions().flat_map(|(_, of)| of.finished_at.keys()).count();
        assert_eq!(played, 2);
        scene.fixture.verify().await;
    }

    #[rstest]
    #[tokio::test]
    async fn a_batch_goes_on_after_a_unit_that_asks_the_database(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
        let Some(scene) = Scene::set(db).await else { return };
        let session = scene.sheet(json!({"play": "money"})).await;
        let rated = scene.sheet(json!({"play": "match", "length": 1, "rated": true})).await;
        let game = json!({"command": "game", "winner": "upper", "win": "single", "cube": 1});
        let orders = vec![
            scene.at(session, game.clone()),
            // Ratings are read and written, so what was to be written before is written first.
            scene.at(rated, game.clone()),
            scene.at(session, game.clone()),
            scene.at(session, game),
        ];
        // A game that decides the match is two events.
        let desk = &scene.fixture.desk;
        assert_eq!(at_once(desk, orders).await, [2, 3, 3, 4]);
        // A stream that grows in both ways is where either left it.
        let table =
            desk.open::<Chouette>(Request::by(scene.admin), read(json!({"name": "One"}))).await.unwrap().id;
        let at_table = |order: Value| give::<Chouette>(desk, scene.admin, table, order);
        let join = |player: &PlayerId| at_table(json!({"command": "join", "player": player}));
        let [ada, bo, cy, di] = &scene.players[..] else { panic!("four players") };
        for player in [ada, bo] {
            join(player).await.unwrap();
        }
        let (draw, start) =
            (|| at_table(json!({"command": "draw_order"})), || at_table(json!({"command": "start_game"})));
        assert_eq!(at_once(desk, vec![join(cy), draw(), join(di), start()]).await, [4, 5, 6, 7]);
        scene.fixture.verify().await;
    }
}
