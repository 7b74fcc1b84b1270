//! Players at the desk: adding, changing, merging and removing them, and who may see which of their details.
//!
//! The club's stream records that a player exists, as a guest or a member, active or not. Names and other
//! details are plain records beside it, changed in the same transaction. The lock on the stream serialises
//! changes of one player.

mod meant;
mod names;
mod records;
pub mod screen;

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;

pub use self::meant::{Candidate, Entrant, TypedName};
pub use self::names::called;
pub(crate) use self::names::{called_on, told_apart};
use self::records::{add, commands, given_to, member, name_taken, removal};
pub(crate) use self::records::{details, not_at_a_table, row};
use crate::club::stream::{CLUB, club_receipt};
use crate::commands::bounds::{KindFilter, OwnActs, used_up, within_rate, written};
use crate::{Actor, Desk, Done, Principal, RateLimited, Refused, Request, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::journal::Version;
use owlbox_base::permissions::Permission;
use owlbox_base::values::PlayerId;
use owlbox_books::club::meant::offered;
use owlbox_books::club::players::{PlayerDetails, PlayerDetailsChange};
use owlbox_books::club::{Event, EventKind, Refusal};
use owlbox_store::AnyConnection;
use owlbox_store::players;
use owlbox_store::players::PlayerRow;
pub use owlbox_store::players::{Filter, PlayerOrigin};

/// A change of a player. Absent fields stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerChange {
    pub details: PlayerDetailsChange,
    /// False turns a guest into a member. A member never becomes a guest again.
    pub guest: Option<bool>,
    pub active: Option<bool>,
}

impl PlayerChange {
    /// What it takes to change `player` like this. One's own details take no more than a login, except the
    /// name and the club's notes.
    fn permission(&self, principal: &Principal, player: PlayerId) -> Permission {
        let is_own = principal.player == Some(player) && self.details.is_of_oneself();
        if is_own && self.guest.is_none() && self.active.is_none() {
            Permission::ManageOwnAccount
        } else {
            Permission::ManagePlayers
        }
    }
}

/// The most changes of a player's own details within a minute, and ever.
const OWN_CHANGES_A_MINUTE: u16 = 10;
const OWN_CHANGES: i64 = 1_000;

/// Limits players who change their own details: otherwise anybody with a login could fill the club's journal.
fn not_too_often(unit: &mut UnitOfWork<'_, '_>) -> Result<(), Refused> {
    let changes = KindFilter { are: |kind| matches!(kind, EventKind::PlayerDetailsChanged), history: false };
    let (account, now) = (unit.principal.account, unit.now);
    let connection = unit.transaction.connection()?;
    let mut acts = OwnActs { connection, account, stream: CLUB, after: 0, now };
    within_rate(&mut acts, changes, OWN_CHANGES_A_MINUTE, RateLimited::Acts)?;
    if written(&mut acts, changes)? < OWN_CHANGES { Ok(()) } else { Err(used_up(OWN_CHANGES)) }
}

/// A player, as far as the caller may see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = PlayerBody))]
pub struct ShownPlayer {
    pub id: PlayerId,
    /// The name, unique in the club.
    #[cfg_attr(feature = "schema", schema(example = "Mario Rossi"))]
    pub name: String,
    /// The name that other players use.
    pub nickname: Option<String>,
    /// The country that the player represents.
    #[cfg_attr(feature = "schema", schema(example = "IT"))]
    pub country: Option<String>,
    /// The player's home club.
    pub club: Option<String>,
    /// How to reach the player; null if the caller may not see it.
    pub contact: Option<String>,
    /// Notes about the player; null if the caller may not see them.
    pub notes: Option<String>,
    /// The player's account at a bank; null if the caller may not see it.
    #[cfg_attr(feature = "schema", schema(example = "IT60X0542811101000000123456"))]
    pub iban: Option<String>,
    /// Whether the player is a guest rather than a member.
    pub guest: bool,
    /// Whether the player still comes to the club.
    pub active: bool,
}

impl ShownPlayer {
    /// Contact, bank account and notes need [`Permission::ViewContacts`], except a player's own contact and
    /// account.
    fn to(principal: &Principal, row: PlayerRow) -> Self {
        let contacts = principal.require(Permission::ViewContacts).is_ok();
        let own = contacts || principal.player == Some(row.id);
        Self {
            id: row.id,
            name: row.name,
            nickname: row.nickname,
            country: row.country,
            club: row.club,
            contact: row.contact.filter(|_| own),
            notes: row.notes.filter(|_| contacts),
            iban: row.iban.filter(|_| own),
            guest: row.guest,
            active: row.active,
        }
    }
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

impl From<PlayerRow> for ActivePlayer {
    fn from(row: PlayerRow) -> Self {
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

    /// Changes a player. Returns the club's version. Players change some details of their own.
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
                unit.principal.require(change.permission(&unit.principal, player))?;
                // Loading the club takes the stream's lock, which covers the records of its players.
                let before = unit.club()?;
                if !unit.principal.may(Permission::ManagePlayers) {
                    not_too_often(unit)?;
                }
                let kept = players::find_locked(unit.transaction.connection()?, player)?
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

    /// A player, with the details `actor` may see.
    ///
    /// # Errors
    /// There is no such player, or the caller may not see players.
    pub async fn player(&self, actor: &Actor, player: PlayerId) -> Result<ShownPlayer, Refused> {
        let principal = self.principal(actor).await?;
        principal.require(Permission::ViewPlayers)?;
        if self.club().await?.state.player(player).is_none_or(|entry| entry.removed) {
            return Err(Refused::NotFound("player"));
        }
        self.inner
            .store
            .read(move |connection| {
                let row = players::find(connection, player)?.ok_or(Refused::NotFound("player"))?;
                Ok(ShownPlayer::to(&principal, row))
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
    ) -> Result<Vec<ShownPlayer>, Refused> {
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
                        return Ok(rows.into_iter().map(|row| ShownPlayer::to(&principal, row)).collect());
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

    /// The country and club of each of `players`. Unknown players are left out.
    ///
    /// # Errors
    /// The store failed.
    pub async fn origins(&self, players: Vec<PlayerId>) -> Result<HashMap<PlayerId, PlayerOrigin>, Refused> {
        self.read(move |connection| Ok(players::origins(connection, &players)?)).await
    }
}

/// Refuses unless the club knows the player and they are active. Locks the player's row for this transaction.
pub(crate) fn still_comes(connection: &mut AnyConnection, player: PlayerId) -> Result<(), Refused> {
    let row = players::find_locked(connection, player)?.ok_or_else(|| {
        Refused::rule(Code::UnknownPlayer, Some("player"), format!("there is no player {player}"))
    })?;
    if row.active {
        return Ok(());
    }
    Err(Refused::rule(Code::PlayerInactive, Some("player"), format!("player {player} is not active")))
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

#[cfg(test)]
mod tests;
