//! Players at the desk: who they are, and who may see what of them.
//!
//! The club's stream says that a player is there, a guest or a member, active or not; names and other
//! details are plain records beside it, changed in the same transaction. The stream's lock keeps two
//! changes of one player apart.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::clubs::club_receipt;
use super::{Actor, Appended, Authority, Desk, Done, Refused, Request, Visit};
use crate::club::players::{PlayerDetails, PlayerDetailsChange};
use crate::club::{Club, Command, Event, Permission, Refusal};
use crate::journal::Version;
use crate::store::players::{self, Filter, Row};
use crate::store::{StoreError, chouettes};
use crate::values::PlayerId;

/// A change of a player: what is absent stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerChange {
    /// His details.
    pub details: PlayerDetailsChange,
    /// False makes a member of a guest; a member never becomes a guest.
    pub guest: Option<bool>,
    /// Whether he still comes.
    pub active: Option<bool>,
}

impl From<PlayerDetailsChange> for PlayerChange {
    fn from(details: PlayerDetailsChange) -> Self {
        Self { details, ..Self::default() }
    }
}

impl Desk {
    /// Adds a player, or a guest; answers who it is and the club's version.
    ///
    /// # Errors
    /// The name is taken, or what else the rules or the desk refuse.
    pub async fn add_player(
        &self,
        request: Request,
        details: PlayerDetails,
        guest: bool,
    ) -> Result<(PlayerId, Version), Refused> {
        let expected = request.expected;
        let done = self
            .carry_out(request, move |visit| {
                let needed = if guest { Permission::AddGuests } else { Permission::ManagePlayers };
                visit.authority.require(needed)?;
                let before = visit.club()?;
                Visit::expect(&before, expected)?;
                let (player, appended) = add(visit, details.clone(), guest)?;
                Ok((club_receipt(&appended, 201), (player, appended.stream.version)))
            })
            .await?;
        match done {
            Done::Now(made) => Ok(made),
            Done::Before(receipt) => {
                let events = self.club_events_at(receipt.version).await?;
                let player = events.iter().find_map(|event| match event {
                    Event::PlayerAdded { player, .. } => Some(*player),
                    _ => None,
                });
                Ok((player.ok_or(Refused::NotFound("player"))?, receipt.version))
            }
        }
    }

    /// Changes a player; answers the club's version.
    ///
    /// # Errors
    /// The name is taken, he sits at a table and cannot be deactivated, nothing changes, or what else the
    /// rules or the desk refuse.
    pub async fn change_player(
        &self,
        request: Request,
        player: PlayerId,
        change: PlayerChange,
    ) -> Result<Version, Refused> {
        let expected = request.expected;
        let done = self
            .carry_out(request, move |visit| {
                visit.authority.require(Permission::ManagePlayers)?;
                // Loading the club locks its people.
                let before = visit.club()?;
                let kept = players::hold(visit.transaction.connection, player)?
                    .ok_or(Refused::NotFound("player"))?;
                Visit::expect(&before, expected)?;
                let commands = commands(visit, &kept, change.clone())?;
                if commands.is_empty() {
                    return Err(Refusal::NothingChanges.into());
                }
                let appended = visit.change_club(&commands)?;
                Ok((club_receipt(&appended, 200), appended.stream.version))
            })
            .await?;
        Ok(done.version())
    }

    /// A player, as `actor` may see him: contact and notes only with [`Permission::ViewContacts`]; his
    /// own contact he knows himself.
    ///
    /// # Errors
    /// There is no such player, or the asker may not see players.
    pub async fn player(&self, actor: &Actor, player: PlayerId) -> Result<Row, Refused> {
        let authority = self.authority(actor).await?;
        authority.require(Permission::ViewPlayers)?;
        self.inner
            .store
            .read(move |connection| {
                let row = players::find(connection, player)?.ok_or(Refused::NotFound("player"))?;
                Ok(as_seen_by(&authority, row))
            })
            .await
    }

    /// A page of players in order of name, as `actor` may see them. `filter.search` is looked for in
    /// names as people type them.
    ///
    /// # Errors
    /// The asker may not see players.
    pub async fn players(
        &self,
        actor: &Actor,
        filter: Filter,
        after: Option<PlayerId>,
        limit: i64,
    ) -> Result<Vec<Row>, Refused> {
        let authority = self.authority(actor).await?;
        authority.require(Permission::ViewPlayers)?;
        self.inner
            .store
            .read(move |connection| {
                let rows = players::page(connection, &filter, after, limit)?;
                Ok(rows.into_iter().map(|row| as_seen_by(&authority, row)).collect())
            })
            .await
    }

    /// What to call each of `players`: by nickname, or by name.
    ///
    /// # Errors
    /// The store failed.
    pub async fn names(&self, players: Vec<PlayerId>) -> Result<BTreeMap<PlayerId, String>, Refused> {
        let memory = &self.inner.memory.names;
        let mut names = BTreeMap::new();
        let mut unknown = Vec::new();
        let mut generation = 0;
        for player in players {
            let (name, now) = memory.get(&player);
            generation = now;
            match name.filter(|_| self.inner.store.is_sole_writer()) {
                Some(name) => drop(names.insert(player, name)),
                None => unknown.push(player),
            }
        }
        if unknown.is_empty() {
            return Ok(names);
        }
        let read =
            self.inner.store.read(move |connection| players::display_names(connection, unknown)).await?;
        for (player, name) in &read {
            memory.keep(*player, name.clone(), generation);
        }
        names.extend(read);
        Ok(names)
    }

    /// What to call each of `players` where they are seen together: who would be called like another, by his full name.
    ///
    /// # Errors
    /// The store failed.
    pub async fn distinct_names(
        &self,
        players: Vec<PlayerId>,
    ) -> Result<BTreeMap<PlayerId, String>, Refused> {
        let mut names = self.names(players).await?;
        let mut called: BTreeMap<String, Vec<PlayerId>> = BTreeMap::new();
        for (player, name) in &names {
            called.entry(name.to_lowercase()).or_default().push(*player);
        }
        let alike: Vec<PlayerId> = called.into_values().filter(|alike| alike.len() > 1).flatten().collect();
        if !alike.is_empty() {
            let read = move |connection: &mut _| players::full_names(connection, alike);
            names.extend(self.inner.store.read(read).await?);
        }
        Ok(names)
    }
}

/// Writes a player's changed details, and gives the commands that make of him what is asked for.
fn commands(visit: &mut Visit<'_, '_>, kept: &Row, change: PlayerChange) -> Result<Vec<Command>, Refused> {
    let player = kept.id;
    let mut commands = Vec::new();
    let mut details = details(kept)?;
    let fields = change.details.carry_out(&mut details);
    if !fields.is_empty() {
        update(visit, row(player, kept.guest, kept.active, details))?;
        commands.push(Command::ChangePlayerDetails { player, fields });
    }
    match change.guest {
        Some(false) if kept.guest => commands.push(Command::MakeMember { player }),
        Some(true) if !kept.guest => {
            let detail = "a member does not become a guest again";
            return Err(Refused::rule("already_a_member", Some("guest"), detail));
        }
        _ => {}
    }
    match change.active {
        Some(true) if !kept.active => commands.push(Command::ReactivatePlayer { player }),
        Some(false) if kept.active => {
            not_at_a_table(visit, player)?;
            commands.push(Command::DeactivatePlayer { player });
        }
        _ => {}
    }
    Ok(commands)
}

fn update(visit: &mut Visit<'_, '_>, row: Row) -> Result<(), Refused> {
    let name = row.name.clone();
    let connection = &mut *visit.transaction.connection;
    // Asked first because it is the usual case; the table's own constraint has the last word.
    if players::find_by_name(connection, &row.name_key)?.is_some_and(|other| other != row.id) {
        return Err(name_taken(&name));
    }
    players::update(connection, row).map_err(|error| name_error(error, &name))?;
    visit.forget_names();
    Ok(())
}

/// What of a player's record may be seen.
fn as_seen_by(authority: &Authority, mut row: Row) -> Row {
    if authority.require(Permission::ViewContacts).is_err() {
        row.notes = None;
        if authority.player != Some(row.id) {
            row.contact = None;
        }
    }
    row
}

fn not_at_a_table(visit: &mut Visit<'_, '_>, player: PlayerId) -> Result<(), Refused> {
    match chouettes::table_of(visit.transaction.connection, player)? {
        None => Ok(()),
        Some(table) => Err(Refused::Rule(super::Rule {
            code: "player_at_table",
            field: Some("player"),
            allowed: serde_json::Value::Null,
            detail: format!("the player sits at table {table}"),
        })),
    }
}

fn row(id: PlayerId, guest: bool, active: bool, details: PlayerDetails) -> Row {
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
    }
}

/// A stored player's details, which were checked when they were stored.
fn details(row: &Row) -> Result<PlayerDetails, StoreError> {
    fn read<T: std::str::FromStr>(stored: Option<&String>) -> Result<Option<T>, T::Err> {
        stored.map(|text| text.parse()).transpose()
    }
    let all = || {
        Ok::<_, crate::values::InvalidValue>(PlayerDetails {
            name: row.name.parse()?,
            nickname: read(row.nickname.as_ref())?,
            country: read(row.country.as_ref())?,
            club: read(row.club.as_ref())?,
            contact: read(row.contact.as_ref())?,
            notes: read(row.notes.as_ref())?,
        })
    };
    all().map_err(|error| crate::journal::BrokenHistory(format!("player {}: {error}", row.id)).into())
}

/// Adds a player, or a guest.
fn add(
    visit: &mut Visit<'_, '_>,
    details: PlayerDetails,
    guest: bool,
) -> Result<(PlayerId, Appended<Club>), Refused> {
    let player = PlayerId(Uuid::now_v7());
    let row = row(player, guest, true, details);
    let connection = &mut *visit.transaction.connection;
    // Asked first because it is the usual case; the table's own constraint has the last word.
    if players::find_by_name(connection, &row.name_key)?.is_some() {
        return Err(name_taken(&row.name));
    }
    let name = row.name.clone();
    players::insert(connection, row).map_err(|error| name_error(error, &name))?;
    Ok((player, visit.change_club(&[Command::AddPlayer { player, guest }])?))
}

impl Visit<'_, '_> {
    /// Adds a guest, within what else is done.
    ///
    /// # Errors
    /// The name is taken, or the store failed.
    pub(super) fn add_guest(&mut self, details: PlayerDetails) -> Result<PlayerId, Refused> {
        add(self, details, true).map(|(player, _)| player)
    }
}

fn name_taken(name: &str) -> Refused {
    Refused::rule("name_taken", Some("name"), format!("there is a player called {name} already"))
}

fn name_error(error: StoreError, name: &str) -> Refused {
    if error.violates("name_key") { name_taken(name) } else { error.into() }
}

#[cfg(test)]
mod tests;
