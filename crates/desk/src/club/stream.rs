//! The club at the desk: its stream, and the single way that is changed.
//!
//! Its settings are changed in [`crate::club::settings`], its players in [`crate::people::players`], its
//! accounts in [`crate::access`].

use std::sync::Arc;

use uuid::Uuid;

use crate::{Allowed, Appended, Desk, Receipt, Refused, Rule, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::journal::{ActKind, Aggregate as _, Stream, Version};
use owlbox_base::values::{AccountId, Currency, PlayerId};
use owlbox_books::club::{Club, Command, Event, Settings};
use owlbox_store::types::Key;
use owlbox_store::{StoreError, accounts, journal, players};

/// The maximum number of events in one act on the club's stream.
const MOST_EVENTS: i64 = 8;

/// The id of the club's stream. One service serves one club.
pub const CLUB: Uuid = Uuid::from_u128(0x6f77_6c62_6f78_0000_8000_0000_0000_0001);

impl Desk {
    /// The current state of the club; empty before it is set up.
    ///
    /// # Errors
    /// The store failed.
    pub async fn club(&self) -> Result<Arc<Stream<Club>>, Refused> {
        match self.stream::<Club>(CLUB).await {
            Err(Refused::NotFound(_)) => Ok(Arc::default()),
            answer => {
                let club = answer?;
                self.inner.memory.know_erased(club.state.erased());
                Ok(club)
            }
        }
    }

    /// The club's settings, or `None` before it is set up.
    ///
    /// # Errors
    /// The store failed.
    pub async fn settings(&self) -> Result<Option<Settings>, Refused> {
        Ok(self.club().await?.state.settings().cloned())
    }

    /// The events of the act that ended at `version` of the club's stream. Used to answer retries.
    pub(crate) async fn club_events_at(&self, version: Version) -> Result<Vec<Event>, Refused> {
        self.inner
            .store
            .read(move |connection| {
                let mut entries = journal::entries_before(connection, CLUB, version + 1, MOST_EVENTS)?;
                let act = entries.first().map(|entry| entry.act);
                entries.retain(|entry| Some(entry.act) == act);
                entries.reverse();
                let act = journal::group::<Club>(&entries).map_err(StoreError::from)?.pop();
                match act.ok_or(Refused::NotFound("act"))?.kind {
                    ActKind::Events(events) => Ok(events),
                    ActKind::Undo(_) | ActKind::Redo(_) => Err(Refused::NotFound("act")),
                }
            })
            .await
    }
}

/// Refuses a currency the club keeps no books in. `field` is where the caller names it.
pub(crate) fn require_currency(
    settings: &Settings,
    currency: Currency,
    field: &'static str,
) -> Result<(), Refused> {
    if settings.currencies.contains(currency) {
        return Ok(());
    }
    Err(Refused::Rule(Rule {
        code: Code::CurrencyNotInUse,
        field: Some(field),
        allowed: Some(Allowed::Currencies(settings.currencies.as_slice().to_vec())),
        detail: format!("the club does not keep books in {currency}"),
    }))
}

/// The receipt of a command to the club, from which a retry is answered.
pub(crate) fn club_receipt(appended: &Appended<Club>, status: u16) -> Receipt {
    Receipt { status, stream: CLUB, version: appended.stream.version }
}

impl UnitOfWork<'_, '_> {
    /// The state of the club in this transaction; empty before it is set up.
    pub(crate) fn club(&mut self) -> Result<Arc<Stream<Club>>, Refused> {
        match self.load::<Club>(CLUB) {
            Err(Refused::NotFound(_)) => Ok(Arc::default()),
            answer => answer,
        }
    }

    /// Carries out commands to the club as one act, and updates its read tables.
    ///
    /// The row of a new player must exist before: see [`crate::people::players`].
    pub(crate) fn change_club(&mut self, commands: &[Command]) -> Result<Appended<Club>, Refused> {
        let before = self.club()?;
        let mut state = before.state.clone();
        let mut events = Vec::new();
        for command in commands {
            if let ActKind::Events(made) = self.decide(&state, command)? {
                for event in &made {
                    state.apply(event, self.now);
                }
                events.extend(made);
            }
        }
        let appended = self.append(CLUB, &before, ActKind::Events(events.clone()), Version::MAX)?;
        for event in &events {
            self.derive(&appended.stream.state, event)?;
        }
        Ok(appended)
    }

    /// Updates the read tables for `event`. `after` is the club after the whole act.
    fn derive(&mut self, after: &Club, event: &Event) -> Result<(), Refused> {
        let connection = self.transaction.connection()?;
        match event {
            Event::Opened { settings } | Event::SettingsChanged { settings } => {
                let json = settings_json(settings);
                accounts::put_settings(connection, CLUB, json)?;
            }
            // The row came with its flags.
            Event::PlayerAdded { .. } => {}
            Event::GuestBecameMember { player }
            | Event::PlayerDeactivated { player }
            | Event::PlayerReactivated { player }
            | Event::PlayerRemoved { player } => {
                if let Some(entry) = after.player(*player) {
                    players::set_flags(connection, *player, entry.guest, entry.active)?;
                }
            }
            // House rules have no read table; they are read from the stream.
            Event::HouseRulesSaved { .. } | Event::HouseRulesRemoved { .. } => {}
            Event::PlayerDetailsChanged { .. } => {}
            Event::PlayerErased { player } => {
                if let Some(entry) = after.player(*player) {
                    players::set_flags(connection, *player, entry.guest, entry.active)?;
                    if let Some(row) = entry.account.and_then(|account| account_row(after, account)) {
                        accounts::put(connection, row)?;
                    }
                }
                self.forget_standings()?;
            }
            Event::AccountCreated { account, .. }
            | Event::AccountRolesChanged { account, .. }
            | Event::AccountPlayerLinked { account, .. }
            | Event::AccountDeactivated { account }
            | Event::AccountReactivated { account } => {
                if let Some(row) = account_row(after, *account) {
                    accounts::put(connection, row)?;
                }
                self.forget_standings()?;
            }
        }
        Ok(())
    }
}

/// The settings in the form of their read table.
#[must_use]
pub fn settings_json(settings: &Settings) -> String {
    serde_json::json!(settings).to_string()
}

/// The row of an account in its read table; `None` if there is no such account.
#[must_use]
pub fn account_row(club: &Club, account: AccountId) -> Option<accounts::AccountRow> {
    let entry = club.account(account)?;
    Some(accounts::AccountRow {
        id: account.into(),
        player: entry.player.map(|player: PlayerId| Key::from(player)),
        roles: entry.roles,
        active: entry.active,
    })
}
