//! The erasure of a person. Their name, their details, their login and whatever free text says of them go;
//! their id stays, and with it every game and every line of the books.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Serialize, Serializer};
use uuid::Uuid;

use crate::club::stream::{CLUB, club_receipt, settings_json};
use crate::people::players::not_at_a_table;
use crate::{Actor, Desk, Refused, Request, Rule, UnitOfWork, chouettes, tournaments};
use owlbox_base::code::Code;
use owlbox_base::journal::free_text::{FreeText, kinds_with_text};
use owlbox_base::journal::{Aggregate, Stream, Version};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{AccountId, ChouetteId, Holder, PlayerId, TournamentId};
use owlbox_books::club::players::{ClubName, Contact, Notes, PlayerDetails, PlayerName};
use owlbox_books::club::{Club, Command};
use owlbox_books::daybook::Daybook;
use owlbox_books::erasure::{Erasure, Renamed, Rewritten};
use owlbox_books::ledger::{Source, Unit};
use owlbox_chouette::Chouette;
use owlbox_play::matches::Sheet;
use owlbox_play::tournament::Tournament;
use owlbox_store::{
    AnyConnection, StoreError, accounts, books, erasing, guards, journal, players, readings, registrations,
    tournaments as stored_tournaments,
};

/// The most spellings that can be looked for beside the name and the nickname.
pub const MOST_SPELLINGS: usize = 10;

/// A free text that an erasure changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = SaidBody))]
pub struct Mention {
    /// The kind of stream it stands in, or `player` for what is noted of somebody else.
    pub of: &'static str,
    /// The stream, or the other player.
    pub stream: Uuid,
    /// The version of the stream it was said with; 0 for what is noted of somebody else.
    pub version: Version,
    /// What stands there now.
    pub text: String,
    /// What stands there afterwards.
    pub after: String,
    /// Whether it is about the person, whatever it says.
    #[serde(skip)]
    pub about: bool,
}

/// A free text that may mean the person after an erasure too, unless its spelling is among `also`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = NearMissBody))]
pub struct NearMiss {
    /// The kind of stream it stands in; `player` for what is noted of somebody else, `api_token` for the name
    /// of one, `registration` for a name or a login in one that waits.
    pub of: &'static str,
    /// The stream, the other player, the token or the registration.
    pub stream: Uuid,
    /// As it stands there afterwards.
    pub text: String,
}

/// The most near misses that a preview lists.
const MOST_NEAR: usize = 200;

/// What the erasure of a person would do.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ErasurePreviewBody))]
pub struct ErasurePreview {
    pub player: PlayerId,
    /// The name that goes.
    pub name: String,
    /// The name that comes in its place.
    pub pseudonym: String,
    /// The login that ends.
    pub login: Option<String>,
    /// Every free text that changes.
    pub texts: Vec<Mention>,
    /// Free texts that may mean them afterwards too, each once; 200 at most.
    pub near: Vec<NearMiss>,
    /// Why it would be refused now; null if it would not.
    #[serde(serialize_with = "code_alone")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub refused: Option<Rule>,
    /// The club's version it was computed from.
    #[serde(skip)]
    pub version: Version,
}

/// Writes why it would be refused by its code alone.
#[expect(clippy::ref_option, reason = "serde hands a field over as it is")]
fn code_alone<S: Serializer>(refused: &Option<Rule>, serializer: S) -> Result<S::Ok, S::Error> {
    refused.as_ref().map(|rule| rule.code).serialize(serializer)
}

/// Streams of a kind with their ids.
type Streams<A> = Vec<(Uuid, Arc<Stream<A>>)>;
/// The texts to change, by stream and version.
type Rewriting = BTreeMap<Uuid, BTreeMap<Version, Rewritten>>;

impl Desk {
    /// What the erasure of a player would do. `also` is what else free text may call them.
    ///
    /// # Errors
    /// There is no such player, or the caller may not erase anybody.
    pub async fn preview_erasure(
        &self,
        actor: &Actor,
        player: PlayerId,
        also: Vec<PlayerName>,
    ) -> Result<ErasurePreview, Refused> {
        self.principal(actor).await?.require(Permission::ManagePersonalData)?;
        few_enough(&also)?;
        self.snapshot(move |connection| {
            let club = replayed::<Club>(connection, CLUB)?;
            let row = players::find(connection, player)?.ok_or(Refused::NotFound("player"))?;
            let refused = match may_be_erased(connection, &club.state, player) {
                Ok(()) => None,
                Err(Refused::Rule(rule)) => Some(rule),
                Err(other) => return Err(other),
            };
            let erasure = erasure_of(&row, &also);
            let daybook = replayed::<Daybook>(connection, Source::DAYBOOK)?;
            Ok(ErasurePreview {
                player,
                pseudonym: erasure.pseudonym().to_string(),
                login: accounts::of_player(connection, player)?.and_then(|account| account.login),
                texts: said(connection, &erasure, &daybook.state)?,
                near: near(connection, &erasure)?,
                refused,
                version: club.version,
                name: row.name,
            })
        })
        .await
    }

    /// Erases a person, for good. Returns the club's version.
    ///
    /// # Errors
    /// There is no such player; `player_erased`; `player_at_table`; `money_open`; `last_admin`; or another
    /// refusal of the desk.
    pub async fn erase(
        &self,
        request: Request,
        player: PlayerId,
        also: Vec<PlayerName>,
    ) -> Result<Version, Refused> {
        few_enough(&also)?;
        let expected = request.expected;
        let done = self
            .carry_out(request, move |unit| {
                unit.principal.require(Permission::ManagePersonalData)?;
                // First of all: nobody writes to the journal from here on, so nothing that is said now is
                // missed.
                let guards = guards::lift(unit.transaction.connection()?, &["journal"])?;
                let before = unit.club()?;
                let row = players::find_locked(unit.transaction.connection()?, player)?
                    .ok_or(Refused::NotFound("player"))?;
                UnitOfWork::expect(&before, expected)?;
                may_be_erased(unit.transaction.connection()?, &before.state, player)?;
                let account = before.state.player(player).and_then(|entry| entry.account);
                let erasure = erasure_of(&row, &also);
                erasing::set_traceless(unit.transaction.connection()?, true)?;
                let erased = unit.erase(&erasure, row, account);
                // What fails is rolled back, but not how SQLite deletes.
                erasing::set_traceless(unit.transaction.connection()?, false)?;
                erased?;
                guards::put_back(unit.transaction.connection()?, guards)?;
                let (desk, erased) = (unit.desk().clone(), before.state.erased() + 1);
                unit.transaction.after_commit(move || desk.inner.memory.know_erased(erased));
                let appended = unit.change_club(&[Command::ErasePlayer { player }])?;
                Ok((club_receipt(&appended, 200), appended.stream.version))
            })
            .await?;
        // What was overwritten may still stand in the log.
        if !self.inner.store.truncate_wal().await? {
            tracing::warn!(
                "a reader is active: erased data stays in the write-ahead log until it is overwritten"
            );
        }
        Ok(done.version())
    }
}

impl UnitOfWork<'_, '_> {
    /// Takes the person out of the journal, the read tables and the credentials.
    fn erase(
        &mut self,
        erasure: &Erasure,
        row: players::PlayerRow,
        account: Option<AccountId>,
    ) -> Result<(), Refused> {
        for (_, club) in self.rewrite::<Club>(erasure, &Club::initial())? {
            if let Some(settings) = club.state.settings() {
                accounts::put_settings(self.transaction.connection()?, CLUB, settings_json(settings))?;
            }
        }
        for (id, table) in self.rewrite::<Chouette>(erasure, &Chouette::initial())? {
            if let Some(row) = chouettes::derive::row(ChouetteId(id), &table.state) {
                self.transaction.put_chouette(row);
            }
        }
        for (id, tournament) in self.rewrite::<Tournament>(erasure, &Tournament::initial())? {
            if let Some(row) = tournaments::derive::row(TournamentId(id), &tournament.state) {
                stored_tournaments::put(self.transaction.connection()?, &row)?;
            }
        }
        self.rewrite::<Sheet>(erasure, &Sheet::initial())?;
        let daybook = replayed::<Daybook>(self.transaction.connection()?, Source::DAYBOOK)?;
        self.rewrite::<Daybook>(erasure, &daybook.state)?;

        let connection = self.transaction.connection()?;
        for asked in registrations::all(connection)? {
            let names = [&asked.name, &asked.login];
            if names.into_iter().any(|name| erasure.without_name(name).is_some()) {
                erasing::delete_registration(connection, asked.id)?;
            }
        }
        for (id, called) in erasing::token_names(connection)? {
            if let Some(other) = erasure.without_name(&called) {
                erasing::rename_token(connection, id, &other)?;
            }
        }
        let player = row.id;
        for mut other in players::all(connection)? {
            if other.id != player && without_name(erasure, &mut other) {
                players::update(connection, other)?;
            }
        }
        let details = PlayerDetails::named(erasure.pseudonym().clone());
        players::update(connection, crate::people::players::row(player, row.guest, row.active, details))?;
        readings::forget(connection, player)?;
        if let Some(account) = account {
            accounts::raise_epoch(connection, account)?;
            erasing::delete_credentials(connection, account)?;
        }
        self.forget_names()?;
        self.forget_standings()?;
        Ok(())
    }

    /// Changes the texts of all streams of a kind, and returns those streams as they are then. `state` is the
    /// stream as it is, where there is one alone.
    fn rewrite<A: FreeText>(&mut self, erasure: &Erasure, state: &A) -> Result<Streams<A>, Refused> {
        let mut streams = Vec::new();
        for (id, texts) in rewriting(self.transaction.connection()?, erasure, state)? {
            self.transaction.lock_head(id, A::KIND)?;
            let connection = self.transaction.connection()?;
            let payloads = texts.into_iter().map(|(version, made)| (version, made.payload)).collect();
            erasing::rewrite(connection, id, &payloads)?;
            let stream = Arc::new(replayed::<A>(connection, id)?);
            self.transaction.stage(id, Arc::clone(&stream));
            streams.push((id, stream));
        }
        Ok(streams)
    }
}

/// Takes the person out of what is noted of somebody else. Whether anything was said of them there.
fn without_name(erasure: &Erasure, other: &mut players::PlayerRow) -> bool {
    let mut changed = false;
    for (text, longest) in
        [(&mut other.club, ClubName::MAX), (&mut other.contact, Contact::MAX), (&mut other.notes, Notes::MAX)]
    {
        if let Some(after) = text.as_deref().and_then(|text| erasure.without_name(text)) {
            // A text that has become too long for its field says nothing but the pseudonym.
            let fits = after.chars().count() <= longest;
            *text = Some(if fits { after } else { erasure.pseudonym().to_string() });
            changed = true;
        }
    }
    changed
}

/// A stream as its journal has it.
pub(super) fn replayed<A: Aggregate>(connection: &mut AnyConnection, id: Uuid) -> Result<Stream<A>, Refused> {
    let Some(head) = journal::head(connection, id, A::KIND)? else { return Ok(Stream::default()) };
    let acts = journal::acts::<A>(connection, id, head)?;
    Ok(Stream::replay(&acts).map_err(StoreError::from)?)
}

/// The texts of all streams of a kind that an erasure changes.
fn rewriting<A: FreeText>(
    connection: &mut AnyConnection,
    erasure: &Erasure,
    state: &A,
) -> Result<Rewriting, Refused> {
    let mut renamed = BTreeMap::<Uuid, Renamed>::new();
    let kinds: Vec<A::Kind> = kinds_with_text::<A>().collect();
    let names: Vec<&'static str> = kinds.iter().map(|kind| (*kind).into()).collect();
    let mut all = Rewriting::new();
    if names.is_empty() {
        return Ok(all);
    }
    for (stream, entry) in journal::entries_of_kinds(connection, A::KIND, &names)? {
        let Some((kind, _)) = kinds.iter().zip(&names).find(|(_, name)| **name == entry.kind) else {
            continue;
        };
        let renamed = renamed.entry(stream).or_default();
        let made = erasure.rewritten(state, renamed, *kind, entry.format, &entry.payload);
        if let Some(made) = made.map_err(StoreError::from)? {
            all.entry(stream).or_default().insert(entry.version, made);
        }
    }
    Ok(all)
}

/// Every text that an erasure changes: in the journal, and in what is noted of others. `daybook` is the
/// daybook as it is.
pub(super) fn said(
    connection: &mut AnyConnection,
    erasure: &Erasure,
    daybook: &Daybook,
) -> Result<Vec<Mention>, Refused> {
    let mut noted = Vec::new();
    for row in players::all(connection)?.into_iter().filter(|row| row.id != erasure.player()) {
        let mut after = row.clone();
        without_name(erasure, &mut after);
        let texts = [(row.club, after.club), (row.contact, after.contact), (row.notes, after.notes)];
        for (text, after) in texts {
            if let (Some(text), Some(after)) = (text, after)
                && text != after
            {
                let (stream, version) = (row.id.0, 0);
                noted.push(Mention { of: "player", stream, version, text, after, about: false });
            }
        }
    }
    let mut all = texts_of(rewriting(connection, erasure, &Club::initial())?, Club::KIND);
    all.extend(texts_of(rewriting(connection, erasure, &Chouette::initial())?, Chouette::KIND));
    all.extend(texts_of(rewriting(connection, erasure, &Tournament::initial())?, Tournament::KIND));
    all.extend(texts_of(rewriting(connection, erasure, &Sheet::initial())?, Sheet::KIND));
    all.extend(texts_of(rewriting(connection, erasure, daybook)?, Daybook::KIND));
    all.extend(noted);
    Ok(all)
}

/// What is left of texts that may mean the person.
fn near(connection: &mut AnyConnection, erasure: &Erasure) -> Result<Vec<NearMiss>, Refused> {
    let mut near = Vec::new();
    for row in players::all(connection)?.into_iter().filter(|row| row.id != erasure.player()) {
        let (stream, texts) = (row.id.0, [row.club, row.contact, row.notes]);
        let texts = texts.into_iter().flatten().filter_map(|text| erasure.near_after(&text));
        near.extend(texts.map(|text| NearMiss { of: "player", stream, text }));
    }
    for (id, name) in erasing::token_names(connection)? {
        let text = erasure.near_after(&name);
        near.extend(text.map(|text| NearMiss { of: "api_token", stream: id.0, text }));
    }
    for asked in registrations::all(connection)? {
        let names = [&asked.name, &asked.login];
        // One that names them goes altogether.
        if names.into_iter().all(|name| erasure.without_name(name).is_none()) {
            let texts = names.into_iter().filter_map(|name| erasure.near_after(name));
            near.extend(texts.map(|text| NearMiss { of: "registration", stream: asked.id.0, text }));
        }
    }
    near_in::<Club>(connection, erasure, &mut near)?;
    near_in::<Chouette>(connection, erasure, &mut near)?;
    near_in::<Tournament>(connection, erasure, &mut near)?;
    near_in::<Sheet>(connection, erasure, &mut near)?;
    near_in::<Daybook>(connection, erasure, &mut near)?;
    let mut seen = BTreeSet::new();
    near.retain(|miss| seen.len() < MOST_NEAR && seen.insert(miss.text.clone()));
    Ok(near)
}

fn near_in<A: FreeText>(
    connection: &mut AnyConnection,
    erasure: &Erasure,
    near: &mut Vec<NearMiss>,
) -> Result<(), Refused> {
    let kinds: Vec<A::Kind> = kinds_with_text::<A>().collect();
    let names: Vec<&'static str> = kinds.iter().map(|kind| (*kind).into()).collect();
    for (stream, entry) in journal::entries_of_kinds(connection, A::KIND, &names)? {
        if let Some((kind, _)) = kinds.iter().zip(&names).find(|(_, name)| **name == entry.kind) {
            let texts = erasure.near::<A>(*kind, &entry.payload).map_err(StoreError::from)?;
            near.extend(texts.into_iter().map(|text| NearMiss { of: A::KIND, stream, text }));
        }
    }
    Ok(())
}

fn texts_of(rewriting: Rewriting, of: &'static str) -> Vec<Mention> {
    let texts = rewriting.into_iter().flat_map(|(stream, texts)| {
        texts.into_iter().flat_map(move |(version, made)| {
            let Rewritten { payload: _, texts, about } = made;
            texts.into_iter().map(move |(text, after)| Mention { of, stream, version, text, after, about })
        })
    });
    texts.collect()
}

/// The erasure of the person of this row.
pub(super) fn erasure_of(row: &players::PlayerRow, also: &[PlayerName]) -> Erasure {
    let spellings = std::iter::once(row.name.as_str())
        .chain(row.nickname.as_deref())
        .chain(also.iter().map(PlayerName::as_str));
    Erasure::new(row.id, spellings)
}

fn few_enough(also: &[PlayerName]) -> Result<(), Refused> {
    if also.len() <= MOST_SPELLINGS {
        return Ok(());
    }
    let detail = format!("at most {MOST_SPELLINGS} other spellings can be looked for");
    Err(Refused::rule(Code::InvalidBody, Some("also"), detail))
}

/// Refuses unless the person can be erased now: nobody waits for them at a table, and no money is open.
fn may_be_erased(connection: &mut AnyConnection, club: &Club, player: PlayerId) -> Result<(), Refused> {
    club.can_erase(player)?;
    not_at_a_table(connection, player)?;
    let points = Unit::HalfPoints.to_string();
    let balances = books::balances(connection, Holder::Player(player))?;
    match balances.into_iter().find(|balance| balance.unit != points && balance.amount != 0) {
        None => Ok(()),
        Some(open) => {
            let detail =
                format!("the player's account stands at {} minor units of {}", open.amount, open.unit);
            Err(Refused::rule(Code::MoneyOpen, Some("player"), detail))
        }
    }
}
