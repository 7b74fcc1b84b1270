//! A throwaway club: what `owlbox night`, `owlbox demo` and tests play in. It is filled on the one
//! road, by whoever sits at the machine.

use uuid::Uuid;

use super::clubs::club_receipt;
use super::{Actor, Desk, Done, Refused, Request};
use crate::club::players::PlayerName;
use crate::club::{Command, Permission, Settings};
use crate::store::players::{self, Row};
use crate::values::PlayerId;

impl Desk {
    /// Opens the club with these settings.
    ///
    /// # Errors
    /// It is open already, or the store failed.
    pub async fn open_throwaway_club(&self, settings: Settings) -> Result<(), Refused> {
        let done = self.carry_out(Request::by(Actor::CONSOLE), move |visit| {
            visit.authority.require(Permission::ChangeSettings)?;
            let appended = visit.change_club(&[Command::Open { settings: settings.clone() }])?;
            Ok((club_receipt(&appended, 201), ()))
        });
        done.await.map(drop)
    }

    /// Adds a member of this name.
    ///
    /// # Errors
    /// The name is taken, or the store failed.
    pub async fn add_throwaway_player(&self, name: PlayerName) -> Result<PlayerId, Refused> {
        let id = PlayerId(Uuid::now_v7());
        let done = self.carry_out(Request::by(Actor::CONSOLE), move |visit| {
            let row = Row {
                id,
                guest: false,
                active: true,
                name: name.to_string(),
                name_key: name.key(),
                nickname: None,
                country: None,
                club: None,
                contact: None,
                notes: None,
            };
            players::insert(visit.transaction.connection, row).map_err(|error| {
                if error.violates("name_key") {
                    Refused::rule("name_taken", Some("name"), format!("there is a player {name} already"))
                } else {
                    error.into()
                }
            })?;
            let appended = visit.change_club(&[Command::AddPlayer { player: id, guest: false }])?;
            Ok((club_receipt(&appended, 201), id))
        });
        match done.await? {
            Done::Now(id) => Ok(id),
            // Without an idempotency key nothing was done before.
            Done::Before(_) => Err(Refused::KeyReused),
        }
    }
}
