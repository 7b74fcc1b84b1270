//! Players at the desk: adding, changing, merging and removing them, and who may see which of their details.
//!
//! The club's stream records that a player exists, as a guest or a member, active or not. Names and other
//! details are plain records beside it, changed in the same transaction. The lock on the stream serialises
//! changes of one player.

mod meant;
pub mod screen;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use uuid::Uuid;

pub use self::meant::{Candidate, Entrant, TypedName};
use crate::club::stream::club_receipt;
use crate::{Actor, Appended, Desk, Done, Principal, Refused, Request, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::journal::Version;
use owlbox_base::permissions::Permission;
use owlbox_base::values::PlayerId;
use owlbox_books::club::meant::offered;
use owlbox_books::club::players::{Change, PlayerDetails, PlayerDetailsChange, PlayerName};
use owlbox_books::club::state::PlayerEntry;
use owlbox_books::club::{Club, Command, Event, Refusal};
use owlbox_store::players;
pub use owlbox_store::players::{Filter, From as Origin, Row};
use owlbox_store::{AnyConnection, StoreError, chouettes};

/// What a player is called, by names that were read. One that was not asked for is a mistake of ours, which is logged: then
/// they are called as a list calls somebody whom it does not name, so never nothing, and never like anybody else.
#[must_use]
#[track_caller]
pub fn called(names: &BTreeMap<PlayerId, String>, player: PlayerId) -> String {
    names.get(&player).cloned().unwrap_or_else(|| {
        let at = std::panic::Location::caller();
        tracing::error!(%player, %at, "a name was not asked for");
        debug_assert!(false, "the name of {player} was not asked for at {at}");
        PlayerName::pseudonym(player).to_string()
    })
}

/// A change of a player. Absent fields stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerChange {
    pub details: PlayerDetailsChange,
    /// False turns a guest into a member. A member never becomes a guest again.
    pub guest: Option<bool>,
    pub active: Option<bool>,
}

/// An active player, as an entry of a list to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivePlayer {
    pub id: PlayerId,
    pub name: String,
    /// The name used at the table; `None` if it is the full name.
    pub nickname: Option<String>,
}

impl ActivePlayer {
    /// How the player is offered in a list: the name, with the nickname in brackets if there is one.
    #[must_use]
    pub fn offered(&self) -> String {
        offered(&self.name, self.nickname.as_deref())
    }
}

impl From<Row> for ActivePlayer {
    fn from(row: Row) -> Self {
        Self { id: row.id, name: row.name, nickname: row.nickname }
    }
}

impl From<PlayerDetailsChange> for PlayerChange {
    fn from(details: PlayerDetailsChange) -> Self {
        Self { details, ..Self::default() }
    }
}

impl Desk {
    /// Adds a player, or a guest. Returns their id and the club's version. A removed player of the same name
    /// comes back with the same id.
    ///
    /// # Errors
    /// `name_taken`, or another refusal of the rules or the desk.
    pub async fn add_player(
        &self,
        request: Request,
        details: PlayerDetails,
        guest: bool,
    ) -> Result<(PlayerId, Version), Refused> {
        let expected = request.expected;
        let done = self
            .carry_out(request, move |unit| {
                let needed = if guest { Permission::AddGuests } else { Permission::ManagePlayers };
                unit.principal.require(needed)?;
                let before = unit.club()?;
                UnitOfWork::expect(&before, expected)?;
                let (player, appended) = add(unit, details.clone(), guest)?;
                Ok((club_receipt(&appended, 201), (player, appended.stream.version)))
            })
            .await?;
        match done {
            Done::Now(made) => Ok(made),
            Done::Before(receipt) => {
                let events = self.club_events_at(receipt.version).await?;
                let player = events.iter().find_map(|event| {
                    if let Event::PlayerAdded { player, .. } | Event::PlayerReactivated { player } = event {
                        Some(*player)
                    } else {
                        None
                    }
                });
                Ok((player.ok_or(Refused::NotFound("player"))?, receipt.version))
            }
        }
    }

    /// Changes a player. Returns the club's version.
    ///
    /// # Errors
    /// `name_taken`; `player_at_table` if they are to be deactivated; `nothing_changes`; or another refusal
    /// of the rules or the desk.
    pub async fn change_player(
        &self,
        request: Request,
        player: PlayerId,
        change: PlayerChange,
    ) -> Result<Version, Refused> {
        let expected = request.expected;
        let done = self
            .carry_out(request, move |unit| {
                unit.principal.require(Permission::ManagePlayers)?;
                // Loading the club takes the stream's lock, which covers the records of its players.
                let before = unit.club()?;
                let kept = players::hold(unit.transaction.connection()?, player)?
                    .ok_or(Refused::NotFound("player"))?;
                UnitOfWork::expect(&before, expected)?;
                let commands = commands(unit, &kept, change.clone())?;
                if commands.is_empty() {
                    return Err(Refusal::NothingChanges.into());
                }
                let appended = unit.change_club(&commands)?;
                Ok((club_receipt(&appended, 200), appended.stream.version))
            })
            .await?;
        Ok(done.version())
    }

    /// Removes a player without a history from the club: a mistyped name, a duplicate. With `into`, they are
    /// the same person as that player, who takes over whatever only the duplicate had: details, membership
    /// and, if the caller may manage accounts, the login. Returns the club's version.
    ///
    /// # Errors
    /// `player_has_history` if they ever had a seat, an entry, a match or a posting; there is no such player;
    /// both have a login, or the player has one and `into` is absent; or another refusal of the rules or the
    /// desk.
    pub async fn remove_player(
        &self,
        request: Request,
        player: PlayerId,
        into: Option<PlayerId>,
    ) -> Result<Version, Refused> {
        let expected = request.expected;
        let done = self
            .carry_out(request, move |unit| {
                unit.principal.require(Permission::ManagePlayers)?;
                let before = unit.club()?;
                let kept = member(unit, &before.state, player)?;
                UnitOfWork::expect(&before, expected)?;
                if players::has_history(unit.transaction.connection()?, player, None)? {
                    let detail =
                        "the player has a history here: a seat, an entry, a match or a line in the books";
                    return Err(Refused::rule(Code::PlayerHasHistory, Some("player"), detail));
                }
                let mut commands = match into {
                    Some(other) => given_to(unit, &before.state, &kept, other)?,
                    None => Vec::new(),
                };
                commands.extend(removal(unit, kept)?);
                let appended = unit.change_club(&commands)?;
                Ok((club_receipt(&appended, 200), appended.stream.version))
            })
            .await?;
        Ok(done.version())
    }

    /// A player, with the details `actor` may see. Contact, bank account and notes need
    /// [`Permission::ViewContacts`], except a player's own contact and account.
    ///
    /// # Errors
    /// There is no such player, or the caller may not see players.
    pub async fn player(&self, actor: &Actor, player: PlayerId) -> Result<Row, Refused> {
        let principal = self.principal(actor).await?;
        principal.require(Permission::ViewPlayers)?;
        if self.club().await?.state.player(player).is_none_or(|entry| entry.removed) {
            return Err(Refused::NotFound("player"));
        }
        self.inner
            .store
            .read(move |connection| {
                let row = players::find(connection, player)?.ok_or(Refused::NotFound("player"))?;
                Ok(as_seen_by(&principal, row))
            })
            .await
    }

    /// A page of players in order of name, with the details `actor` may see. `filter.search` finds parts of
    /// names, however people type them.
    ///
    /// # Errors
    /// The caller may not see players.
    pub async fn players(
        &self,
        actor: &Actor,
        filter: Filter,
        after: Option<PlayerId>,
        limit: i64,
    ) -> Result<Vec<Row>, Refused> {
        let principal = self.principal(actor).await?;
        principal.require(Permission::ViewPlayers)?;
        let removed: BTreeSet<PlayerId> = self.club().await?.state.removed_players().collect();
        let wanted = usize::try_from(limit).unwrap_or_default();
        self.inner
            .store
            .read(move |connection| {
                let (mut rows, mut after) = (Vec::new(), after);
                loop {
                    let page = players::page(connection, &filter, after, limit)?;
                    let is_last = page.len() < wanted;
                    after = page.last().map(|row| row.id);
                    rows.extend(page.into_iter().filter(|row| !removed.contains(&row.id)));
                    if is_last || rows.len() >= wanted {
                        rows.truncate(wanted);
                        return Ok(rows.into_iter().map(|row| as_seen_by(&principal, row)).collect());
                    }
                }
            })
            .await
    }

    /// The first `limit` active players in order of name, for forms.
    ///
    /// # Errors
    /// The store failed.
    pub async fn active_players(&self, limit: i64) -> Result<Vec<ActivePlayer>, Refused> {
        self.read(move |connection| active_players(connection, limit)).await
    }

    /// The full name of a player; `None` if there is no such player.
    ///
    /// # Errors
    /// The store failed.
    pub async fn full_name(&self, player: PlayerId) -> Result<Option<String>, Refused> {
        self.read(move |connection| Ok(players::find(connection, player)?.map(|row| row.name))).await
    }

    /// The country and club of each of `players`. Unknown players are left out.
    ///
    /// # Errors
    /// The store failed.
    pub async fn origins(&self, players: Vec<PlayerId>) -> Result<HashMap<PlayerId, Origin>, Refused> {
        self.read(move |connection| Ok(players::from_where(connection, &players)?)).await
    }

    /// The display names of `players`: the nickname, else the full name. From the cache where this process is
    /// the only writer.
    ///
    /// # Errors
    /// The store failed.
    pub async fn names(&self, players: Vec<PlayerId>) -> Result<BTreeMap<PlayerId, String>, Refused> {
        let (names, unknown, _) = self.names_known(&players);
        if unknown.is_empty() {
            return Ok(names);
        }
        let desk = self.clone();
        self.read(move |connection| desk.names_on(connection, &players)).await
    }

    /// The same, for callers with a connection.
    pub(crate) fn names_on(
        &self,
        connection: &mut AnyConnection,
        players: &[PlayerId],
    ) -> Result<BTreeMap<PlayerId, String>, Refused> {
        let (mut names, unknown, generation) = self.names_known(players);
        if !unknown.is_empty() {
            let read = players::display_names(connection, unknown)?;
            for (player, name) in &read {
                self.inner.memory.names.keep(*player, name.clone(), generation);
            }
            names.extend(read);
        }
        Ok(names)
    }

    /// A number that becomes another one whenever names may have changed: what was made of names since it was asked for is
    /// right for as long as it stays. `None` while other instances are not heard.
    #[must_use]
    pub fn names_generation(&self) -> Option<u64> {
        let (memory, lease) = (&self.inner.memory.names, self.lease());
        Some(memory.generation()).filter(|_| lease.holds())
    }

    /// The names in the cache, the players who are not in it, and its generation.
    fn names_known(&self, players: &[PlayerId]) -> (BTreeMap<PlayerId, String>, Vec<PlayerId>, u64) {
        let (memory, lease) = (&self.inner.memory.names, self.lease());
        let mut names = BTreeMap::new();
        let mut unknown = Vec::new();
        let mut generation = 0;
        for player in players {
            let (name, now) = memory.get(player);
            generation = now;
            match name.filter(|_| lease.holds()) {
                Some(name) => drop(names.insert(*player, name)),
                None => unknown.push(*player),
            }
        }
        (names, unknown, generation)
    }

    /// The display names of `players` where they appear together. Those who would look alike get their full
    /// names.
    ///
    /// # Errors
    /// The store failed.
    pub async fn distinct_names(
        &self,
        players: Vec<PlayerId>,
    ) -> Result<BTreeMap<PlayerId, String>, Refused> {
        let desk = self.clone();
        self.read(move |connection| desk.distinct_names_on(connection, &players)).await
    }

    /// The same, for callers with a connection.
    pub(crate) fn distinct_names_on(
        &self,
        connection: &mut AnyConnection,
        players: &[PlayerId],
    ) -> Result<BTreeMap<PlayerId, String>, Refused> {
        let names = self.names_on(connection, players)?;
        told_apart(connection, names)
    }
}

/// These names, with the full ones of players who are called alike.
pub(crate) fn told_apart(
    connection: &mut AnyConnection,
    mut names: BTreeMap<PlayerId, String>,
) -> Result<BTreeMap<PlayerId, String>, Refused> {
    let mut called: BTreeMap<String, Vec<PlayerId>> = BTreeMap::new();
    for (player, name) in &names {
        called.entry(name.to_lowercase()).or_default().push(*player);
    }
    let alike: Vec<PlayerId> = called.into_values().filter(|alike| alike.len() > 1).flatten().collect();
    if !alike.is_empty() {
        names.extend(players::full_names(connection, alike)?);
    }
    Ok(names)
}

/// Refuses unless the club knows the player and they are active. Locks the player's row for this transaction.
pub(crate) fn still_comes(connection: &mut AnyConnection, player: PlayerId) -> Result<(), Refused> {
    let row = players::hold(connection, player)?.ok_or_else(|| {
        Refused::rule(Code::UnknownPlayer, Some("player"), format!("there is no player {player}"))
    })?;
    if row.active {
        return Ok(());
    }
    Err(Refused::rule(Code::PlayerInactive, Some("player"), format!("player {player} is not active")))
}

/// The display names of these players as they stand in the database, for a snapshot.
pub(crate) fn called_on(
    connection: &mut AnyConnection,
    named: impl Iterator<Item = PlayerId>,
) -> Result<BTreeMap<PlayerId, String>, Refused> {
    let named: BTreeSet<PlayerId> = named.collect();
    Ok(players::display_names(connection, named)?.into_iter().collect())
}

/// The first `limit` active players in order of name.
pub(crate) fn active_players(
    connection: &mut AnyConnection,
    limit: i64,
) -> Result<Vec<ActivePlayer>, Refused> {
    let active = Filter { search: None, active: Some(true) };
    let rows = players::page(connection, &active, None, limit)?;
    Ok(rows.into_iter().map(ActivePlayer::from).collect())
}

/// Writes a player's changed details, and returns the commands for the change.
fn commands(
    unit: &mut UnitOfWork<'_, '_>,
    kept: &Row,
    change: PlayerChange,
) -> Result<Vec<Command>, Refused> {
    let player = kept.id;
    let mut commands = Vec::new();
    let mut details = details(kept)?;
    let before = details.clone();
    let fields = change.details.carry_out(&mut details);
    if !fields.is_empty() {
        unit.nobody_else_is_called(&details, Some(&before), &[player])?;
        update(unit, row(player, kept.guest, kept.active, details))?;
        commands.push(Command::ChangePlayerDetails { player, fields });
    }
    match change.guest {
        Some(false) if kept.guest => commands.push(Command::MakeMember { player }),
        Some(true) if !kept.guest => {
            let detail = "a member cannot become a guest again";
            return Err(Refused::rule(Code::AlreadyAMember, Some("guest"), detail));
        }
        _ => {}
    }
    match change.active {
        Some(true) if !kept.active => commands.push(Command::ReactivatePlayer { player }),
        Some(false) if kept.active => {
            not_at_a_table(unit.transaction.connection()?, player)?;
            commands.push(Command::DeactivatePlayer { player });
        }
        _ => {}
    }
    Ok(commands)
}

/// The record of a player, unless they were removed. Locks it until the transaction ends.
fn member(unit: &mut UnitOfWork<'_, '_>, club: &Club, player: PlayerId) -> Result<Row, Refused> {
    let there = club.player(player).is_some_and(|entry| !entry.removed);
    let row = players::hold(unit.transaction.connection()?, player)?;
    row.filter(|_| there).ok_or(Refused::NotFound("player"))
}

/// Gives `other` whatever only `kept`, the same person, has. Returns the commands for it.
fn given_to(
    unit: &mut UnitOfWork<'_, '_>,
    club: &Club,
    kept: &Row,
    other: PlayerId,
) -> Result<Vec<Command>, Refused> {
    if other == kept.id {
        return Err(Refusal::NothingChanges.into());
    }
    let row_of_other = member(unit, club, other)?;
    let (ours, mut theirs) = (details(kept)?, details(&row_of_other)?);
    fn missing<T>(theirs: Option<&T>, ours: Option<T>) -> Change<T> {
        ours.filter(|_| theirs.is_none()).map_or(Change::Keep, Change::Set)
    }
    let change = PlayerDetailsChange {
        name: None,
        nickname: missing(theirs.nickname.as_ref(), ours.nickname),
        country: missing(theirs.country.as_ref(), ours.country),
        club: missing(theirs.club.as_ref(), ours.club),
        contact: missing(theirs.contact.as_ref(), ours.contact),
        notes: missing(theirs.notes.as_ref(), ours.notes),
        iban: missing(theirs.iban.as_ref(), ours.iban),
    };
    let before = theirs.clone();
    let fields = change.carry_out(&mut theirs);
    let mut commands = Vec::new();
    if !fields.is_empty() {
        unit.nobody_else_is_called(&theirs, Some(&before), &[other, kept.id])?;
        update(unit, row(other, row_of_other.guest, row_of_other.active, theirs))?;
        commands.push(Command::ChangePlayerDetails { player: other, fields });
    }
    if row_of_other.guest && !kept.guest {
        commands.push(Command::MakeMember { player: other });
    }
    if let Some(account) = club.player(kept.id).and_then(|entry| entry.account) {
        // Moving a login to another player is managing accounts, here too.
        unit.principal.require(Permission::ManageAccounts)?;
        commands.push(Command::LinkAccount { account, player: Some(other) });
    }
    Ok(commands)
}

/// Removes a player and erases their details. The name stays, because undone acts may still refer to it.
fn removal(unit: &mut UnitOfWork<'_, '_>, kept: Row) -> Result<Vec<Command>, Refused> {
    let player = kept.id;
    let mut known = details(&kept)?;
    let change = PlayerDetailsChange {
        name: None,
        nickname: Change::Clear,
        country: Change::Clear,
        club: Change::Clear,
        contact: Change::Clear,
        notes: Change::Clear,
        iban: Change::Clear,
    };
    let fields = change.carry_out(&mut known);
    let mut commands = Vec::new();
    if !fields.is_empty() {
        update(unit, row(player, kept.guest, kept.active, known))?;
        commands.push(Command::ChangePlayerDetails { player, fields });
    }
    commands.push(Command::RemovePlayer { player });
    Ok(commands)
}

/// Brings back a removed player under the same name, with new details.
fn come_again(
    unit: &mut UnitOfWork<'_, '_>,
    player: PlayerId,
    new: PlayerDetails,
    guest: bool,
) -> Result<(PlayerId, Vec<Command>), Refused> {
    let kept = players::hold(unit.transaction.connection()?, player)?.ok_or(Refused::NotFound("player"))?;
    unit.nobody_else_is_called(&new, None, &[player])?;
    unit.is_called(player, &new)?;
    update(unit, row(player, kept.guest, kept.active, new))?;
    let mut commands = vec![Command::ReactivatePlayer { player }];
    if kept.guest && !guest {
        commands.push(Command::MakeMember { player });
    }
    Ok((player, commands))
}

fn update(unit: &mut UnitOfWork<'_, '_>, row: Row) -> Result<(), Refused> {
    let name = row.name.clone();
    let connection = unit.transaction.connection()?;
    // The query gives the usual case a good answer; the unique constraint below decides races.
    if players::find_by_name(connection, &row.name_key)?.is_some_and(|other| other != row.id)
        || is_pseudonym(&name)
    {
        return Err(name_taken("name", &name));
    }
    players::update(connection, row).map_err(|error| name_error(error, &name))?;
    unit.forget_names()
}

/// Removes the details of a player that the caller may not see.
fn as_seen_by(principal: &Principal, mut row: Row) -> Row {
    if principal.require(Permission::ViewContacts).is_err() {
        row.notes = None;
        if principal.player != Some(row.id) {
            (row.contact, row.iban) = (None, None);
        }
    }
    row
}

/// Refuses while the player sits at a table.
pub(crate) fn not_at_a_table(connection: &mut AnyConnection, player: PlayerId) -> Result<(), Refused> {
    match chouettes::table_of(connection, player)? {
        None => Ok(()),
        Some(table) => Err(Refused::Rule(crate::Rule {
            code: Code::PlayerAtTable,
            field: Some("player"),
            allowed: Some(crate::Allowed::Table(table)),
            detail: format!("the player sits at table {table}"),
        })),
    }
}

pub(crate) fn row(id: PlayerId, guest: bool, active: bool, details: PlayerDetails) -> Row {
    Row {
        id,
        guest,
        active,
        name_key: details.name.key(),
        name: details.name.into(),
        nickname: details.nickname.map(String::from),
        country: details.country.map(String::from),
        club: details.club.map(String::from),
        contact: details.contact.map(String::from),
        notes: details.notes.map(String::from),
        iban: details.iban.map(String::from),
    }
}

/// Parses the stored details of a player, which were validated when they were stored.
pub(crate) fn details(row: &Row) -> Result<PlayerDetails, StoreError> {
    fn read<T: std::str::FromStr>(stored: Option<&String>) -> Result<Option<T>, T::Err> {
        stored.map(|text| text.parse()).transpose()
    }
    let all = || {
        Ok::<_, owlbox_base::values::InvalidValue>(PlayerDetails {
            name: row.name.parse()?,
            nickname: read(row.nickname.as_ref())?,
            country: read(row.country.as_ref())?,
            club: read(row.club.as_ref())?,
            contact: read(row.contact.as_ref())?,
            notes: read(row.notes.as_ref())?,
            iban: read(row.iban.as_ref())?,
        })
    };
    all().map_err(|error| owlbox_base::journal::BrokenHistory(format!("player {}: {error}", row.id)).into())
}

/// Adds a player or a guest as one act.
fn add(
    unit: &mut UnitOfWork<'_, '_>,
    details: PlayerDetails,
    guest: bool,
) -> Result<(PlayerId, Appended<Club>), Refused> {
    let (player, commands) = written(unit, details, guest)?;
    Ok((player, unit.change_club(&commands)?))
}

/// Writes the record of a new player or guest, and returns the commands that add them.
fn written(
    unit: &mut UnitOfWork<'_, '_>,
    details: PlayerDetails,
    guest: bool,
) -> Result<(PlayerId, Vec<Command>), Refused> {
    let player = PlayerId(Uuid::now_v7());
    let row = row(player, guest, true, details.clone());
    let connection = unit.transaction.connection()?;
    // The query gives the usual case a good answer; the unique constraint below decides races.
    if let Some(known) = players::find_by_name(connection, &row.name_key)? {
        return match unit.club()?.state.player(known) {
            Some(entry) if entry.removed && !entry.erased => come_again(unit, known, details, guest),
            Some(_) | None => Err(name_taken("name", &row.name)),
        };
    }
    let name = row.name.clone();
    if is_pseudonym(&name) {
        return Err(name_taken("name", &name));
    }
    unit.nobody_else_is_called(&details, None, &[])?;
    unit.is_called(player, &details)?;
    players::insert(unit.transaction.connection()?, row).map_err(|error| name_error(error, &name))?;
    Ok((player, vec![Command::AddPlayer { player, guest }]))
}

impl UnitOfWork<'_, '_> {
    /// Writes the record of a new member, and returns the commands that add them, for an act that does more.
    ///
    /// # Errors
    /// The name is taken, or the store failed.
    pub(crate) fn new_member(&mut self, name: PlayerName) -> Result<(PlayerId, Vec<Command>), Refused> {
        written(self, PlayerDetails::named(name), false)
    }

    /// Adds a guest as part of another act.
    ///
    /// # Errors
    /// The name is taken, or the store failed.
    pub(crate) fn add_guest(&mut self, details: PlayerDetails) -> Result<PlayerId, Refused> {
        add(self, details, true).map(|(player, _)| player)
    }
}

impl UnitOfWork<'_, '_> {
    /// Adds guests with these names as part of the unit's act. Returns their ids, by [`PlayerName::key`].
    ///
    /// # Errors
    /// A name is taken, or the store failed.
    pub(crate) fn add_guests(&mut self, names: &[PlayerName]) -> Result<BTreeMap<String, PlayerId>, Refused> {
        let (mut added, mut all) = (BTreeMap::new(), Vec::new());
        for name in names {
            let (player, commands) = written(self, PlayerDetails::named(name.clone()), true)?;
            added.insert(name.key(), player);
            all.extend(commands);
        }
        if !all.is_empty() {
            self.change_club(&all)?;
        }
        Ok(added)
    }

    /// Brings those of these players who were removed back into the club, as an act of its own.
    ///
    /// # Errors
    /// Somebody else is called like one of them by now, or the store failed.
    pub(crate) fn bring_back(&mut self, players: &BTreeSet<PlayerId>) -> Result<(), Refused> {
        let club = self.club()?;
        let can_come = |entry: PlayerEntry| entry.removed && !entry.erased;
        let mut back = Vec::new();
        for player in players.iter().filter(|player| club.state.player(**player).is_some_and(can_come)) {
            let row = players::hold(self.transaction.connection()?, *player)?;
            let details = details(&row.ok_or(Refused::NotFound("player"))?)?;
            self.nobody_else_is_called(&details, None, &[*player])?;
            self.is_called(*player, &details)?;
            back.push(Command::ReactivatePlayer { player: *player });
        }
        if back.is_empty() {
            return Ok(());
        }
        self.apart(|unit| unit.change_club(&back)).map(drop)
    }

    /// Removes those of these guests who no longer have a history, as an act of its own. Postings of the
    /// stream `but` do not count as history.
    ///
    /// # Errors
    /// The store failed.
    pub(crate) fn take_out_guests(&mut self, guests: &BTreeSet<PlayerId>, but: Uuid) -> Result<(), Refused> {
        let club = self.club()?;
        let mut out = Vec::new();
        for player in guests {
            let is_guest = club
                .state
                .player(*player)
                .is_some_and(|entry| entry.guest && !entry.removed && entry.account.is_none());
            if is_guest && !players::has_history(self.transaction.connection()?, *player, Some(but))? {
                out.push(Command::RemovePlayer { player: *player });
            }
        }
        if out.is_empty() {
            return Ok(());
        }
        self.apart(|unit| unit.change_club(&out)).map(drop)
    }
}

/// Whether the name is kept for somebody who was erased, or may be.
fn is_pseudonym(name: &str) -> bool {
    name.parse::<PlayerName>().is_ok_and(|name| name.is_pseudonym())
}

fn name_taken(field: &'static str, name: &str) -> Refused {
    Refused::rule(Code::NameTaken, Some(field), format!("there is already a player called {name}"))
}

fn name_error(error: StoreError, name: &str) -> Refused {
    if error.violates("name_key") { name_taken("name", name) } else { error.into() }
}

#[cfg(test)]
mod tests;
