//! The records of players: written with the club's stream in one transaction, and the commands that follow
//! from a change.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use super::PlayerChange;
use crate::{Appended, Refused, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::permissions::Permission;
use owlbox_base::values::PlayerId;
use owlbox_books::club::players::{Change, PlayerDetails, PlayerDetailsChange, PlayerName};
use owlbox_books::club::state::PlayerEntry;
use owlbox_books::club::{Club, Command, Refusal};
use owlbox_store::players::PlayerRow;
use owlbox_store::{AnyConnection, StoreError, chouettes, players};

/// Writes a player's changed details, and returns the commands for the change.
pub(super) fn commands(
    unit: &mut UnitOfWork<'_, '_>,
    kept: &PlayerRow,
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
pub(super) fn member(
    unit: &mut UnitOfWork<'_, '_>,
    club: &Club,
    player: PlayerId,
) -> Result<PlayerRow, Refused> {
    let there = club.player(player).is_some_and(|entry| !entry.removed);
    let row = players::find_locked(unit.transaction.connection()?, player)?;
    row.filter(|_| there).ok_or(Refused::NotFound("player"))
}

/// Gives `other` whatever only `kept`, the same person, has. Returns the commands for it.
pub(super) fn given_to(
    unit: &mut UnitOfWork<'_, '_>,
    club: &Club,
    kept: &PlayerRow,
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
pub(super) fn removal(unit: &mut UnitOfWork<'_, '_>, kept: PlayerRow) -> Result<Vec<Command>, Refused> {
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
    let kept =
        players::find_locked(unit.transaction.connection()?, player)?.ok_or(Refused::NotFound("player"))?;
    unit.nobody_else_is_called(&new, None, &[player])?;
    unit.is_called(player, &new)?;
    update(unit, row(player, kept.guest, kept.active, new))?;
    let mut commands = vec![Command::ReactivatePlayer { player }];
    if kept.guest && !guest {
        commands.push(Command::MakeMember { player });
    }
    Ok((player, commands))
}

fn update(unit: &mut UnitOfWork<'_, '_>, row: PlayerRow) -> Result<(), Refused> {
    let name = row.name.clone();
    if let Some(nickname) = row.nickname.as_deref().filter(|nickname| is_pseudonym(nickname)) {
        return Err(name_taken("nickname", nickname));
    }
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

pub(crate) fn row(id: PlayerId, guest: bool, active: bool, details: PlayerDetails) -> PlayerRow {
    PlayerRow {
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
pub(crate) fn details(row: &PlayerRow) -> Result<PlayerDetails, StoreError> {
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
pub(super) fn add(
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
            let row = players::find_locked(self.transaction.connection()?, *player)?;
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

pub(super) fn name_taken(field: &'static str, name: &str) -> Refused {
    Refused::rule(Code::NameTaken, Some(field), format!("there is already a player called {name}"))
}

fn name_error(error: StoreError, name: &str) -> Refused {
    if error.violates("name_key") { name_taken("name", name) } else { error.into() }
}
