//! The club's read tables: settings, the flags of players, accounts.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::acts::{About, Answerable, Standings};
use super::{Columns, Difference, Heads, Journals, Unverified, Wrong, compare, text};
use crate::Principal;
use crate::club::stream::{CLUB, account_row};
use crate::commands::history::Order;
use owlbox_base::journal::Stream;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{AccountId, PlayerId};
use owlbox_books::club::players::{PlayerDetails, PlayerName};
use owlbox_books::club::{Club, Command, Event, Settings};
use owlbox_store::accounts::AccountRow as Account;
use owlbox_store::{AnyConnection, accounts, players};

/// Verifies the club's read tables. Returns the club, which is empty if it has no stream yet.
pub(super) fn verify(
    connection: &mut AnyConnection,
    heads: &Heads,
    journals: &mut Journals,
) -> Result<Club, Unverified> {
    let club = match heads.get(&CLUB) {
        Some((_, head)) => journals.replay::<Club>(connection, CLUB, *head)?.stream.state,
        None => owlbox_base::journal::Stream::<Club>::default().state,
    };
    verify_settings(connection, &club)?;
    journals.checked.players = verify_players(connection, &club)?;
    journals.checked.accounts = verify_accounts(connection, &club)?;
    Ok(club)
}

/// Whether the command adds or removes a guest, or brings back a removed player.
fn is_of_a_guest(club: &Club, command: &Command) -> bool {
    if let Command::AddPlayer { guest, .. } = command {
        *guest
    } else if let Command::RemovePlayer { player } = command {
        club.player(*player).is_some_and(|entry| entry.guest)
    } else if let Command::ReactivatePlayer { player } = command {
        club.player(*player).is_some_and(|entry| entry.removed)
    } else {
        false
    }
}

impl Answerable for Club {
    fn may(
        standings: &Standings,
        principal: &Principal,
        before: &Stream<Self>,
        order: &Order<Command>,
        _: About,
    ) -> bool {
        let Order::Command(command) = order else { return false };
        let permission = match command {
            Command::Open { .. } | Command::ChangeSettings { .. } => Permission::ChangeSettings,
            // The directors of a tournament add guests by entering them, and remove them by undoing that.
            command if is_of_a_guest(&before.state, command) => {
                if standings.has_directed_any(principal.account) {
                    return true;
                }
                Permission::AddGuests
            }
            Command::ChangePlayerDetails { player, fields }
                if principal.player == Some(*player)
                    && fields.iter().all(|field| field.is_kept_by_oneself()) =>
            {
                Permission::ManageOwnAccount
            }
            Command::AddPlayer { .. }
            | Command::ChangePlayerDetails { .. }
            | Command::MakeMember { .. }
            | Command::DeactivatePlayer { .. }
            | Command::ReactivatePlayer { .. }
            | Command::RemovePlayer { .. } => Permission::ManagePlayers,
            Command::CreateAccount { .. }
            | Command::ChangeAccountRoles { .. }
            | Command::LinkAccount { .. }
            | Command::DeactivateAccount { .. }
            | Command::ReactivateAccount { .. } => Permission::ManageAccounts,
            Command::SaveHouseRules { .. } | Command::RemoveHouseRules { .. } => Permission::ManageHouseRules,
            Command::ErasePlayer { .. } => Permission::ManagePersonalData,
        };
        principal.require(permission).is_ok()
    }

    fn other(_: &Event) -> Option<Uuid> {
        None
    }
}

fn verify_settings(connection: &mut AnyConnection, club: &Club) -> Result<(), Unverified> {
    let row = |id: &Uuid| format!("club {id}");
    let mut found = BTreeMap::new();
    for (id, json) in accounts::all_settings(connection)? {
        // Serialised again before comparing, because PostgreSQL reorders the keys.
        let settings: Settings = serde_json::from_str(&json).map_err(|error| Difference {
            table: "club",
            row: row(&id),
            wrong: Wrong::Broken(format!("settings: {error}")),
        })?;
        found.insert(id, settings_columns(&settings));
    }
    let expected = club.settings().map(|settings| (CLUB, settings_columns(settings))).into_iter().collect();
    compare("club", row, &expected, &found)?;
    Ok(())
}

fn settings_columns(settings: &Settings) -> Columns {
    vec![("settings", serde_json::json!(settings).to_string())]
}

/// Verifies the flags kept in the club's stream. The rest of the row is personal data, and only has to exist;
/// of an erased person it must not.
fn verify_players(connection: &mut AnyConnection, club: &Club) -> Result<usize, Unverified> {
    let columns = |guest: bool, active: bool| -> Columns {
        vec![("guest", guest.to_string()), ("active", active.to_string())]
    };
    let expected: BTreeMap<PlayerId, Columns> =
        club.players().map(|(id, entry)| (id, columns(entry.guest, entry.active))).collect();
    let mut found = BTreeMap::new();
    for row in players::all(connection)? {
        if club.player(row.id).is_some_and(|entry| entry.erased) {
            is_erased(connection, &row)?;
        }
        found.insert(row.id, columns(row.guest, row.active));
    }
    Ok(compare("player", |id| format!("player {id}"), &expected, &found)?)
}

/// Nothing is left of an erased person but a pseudonym, and no login.
fn is_erased(connection: &mut AnyConnection, row: &players::PlayerRow) -> Result<(), Unverified> {
    let nothing = PlayerDetails::named(PlayerName::pseudonym(row.id));
    let login = accounts::of_player(connection, row.id)?.and_then(|account| account.login);
    let difference = |wrong| Difference { table: "player", row: format!("player {}", row.id), wrong };
    if crate::people::players::details(row)? != nothing || login.is_some() {
        return Err(
            difference(Wrong::Broken("was erased, and something of the person is left".into())).into()
        );
    }
    Ok(())
}

fn verify_accounts(connection: &mut AnyConnection, club: &Club) -> Result<usize, Unverified> {
    let expected: BTreeMap<AccountId, Columns> = club
        .accounts()
        .filter_map(|(id, _)| account_row(club, id))
        .map(|row| (row.id.into(), account_columns(&row)))
        .collect();
    let found =
        accounts::all(connection)?.into_iter().map(|row| (row.id.into(), account_columns(&row))).collect();
    Ok(compare("account", |id| format!("account {id}"), &expected, &found)?)
}

fn account_columns(row: &Account) -> Columns {
    vec![
        ("player", text(row.player.map(|player| player.0))),
        ("roles", row.roles.to_bits().to_string()),
        ("active", row.active.to_string()),
    ]
}
