//! What of a tournament's acts is for whose eyes: for answers, the log and the live stream alike.
//!
//! Who plays, who won and who has left everybody may see who sees the tournament. Whose money moved is for whoever sees its
//! accounts, and which login did something as well; a player sees his own.

use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::api::chouettes::{ActBody, render};
use owlbox_desk::Authority;
use owlbox_desk::tournaments::reach;
use owlbox_domain::club::{Reach, TournamentCommand};
use owlbox_domain::journal::BrokenHistory;
use owlbox_domain::tournament::Tournament;
use owlbox_domain::values::{AccountId, PlayerId};
use owlbox_store::journal::Entry;

/// Somebody who looks at a tournament.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::api) struct Viewer {
    /// Whether he sees its accounts.
    accounts: bool,
    account: Option<AccountId>,
    player: Option<PlayerId>,
}

impl Viewer {
    /// What somebody may see of this tournament; without a login what the street does.
    pub(in crate::api) fn of(authority: Option<&Authority>, tournament: &Tournament) -> Self {
        authority.map_or_else(Self::default, |authority| Self {
            accounts: reach::reach(authority, tournament, TournamentCommand::PayIn) == Reach::Anybody,
            account: Some(authority.account),
            player: authority.player,
        })
    }

    /// Whether he sees its accounts, and which logins have to do with it.
    pub(super) const fn sees_accounts(&self) -> bool {
        self.accounts
    }

    /// An act as he may see it. Of one that is not for him at all he sees that there was one.
    ///
    /// # Errors
    /// An act without entries, or an entry that is not JSON.
    pub(in crate::api) fn act(&self, entries: &[Entry]) -> Result<ActBody, BrokenHistory> {
        let mut act = render(entries)?;
        if self.accounts {
            return Ok(act);
        }
        act.by = act.by.filter(|by| self.account == Some(*by));
        let events =
            entries.iter().zip(act.events).filter_map(|(entry, event)| self.event(entry, event).transpose());
        act.events = events
            .collect::<Result<_, _>>()
            .map_err(|error| BrokenHistory(format!("{}: {error}", act.act)))?;
        Ok(act)
    }

    /// What is left of an event for one who does not see the accounts.
    fn event(&self, entry: &Entry, event: Box<RawValue>) -> Result<Option<Box<RawValue>>, serde_json::Error> {
        let is_award = match entry.kind.as_str() {
            "directors_changed" => return Ok(None),
            "booked" => false,
            "awarded" => true,
            _ => return Ok(Some(event)),
        };
        let mut event: Value = serde_json::from_str(event.get())?;
        let transfers = event.get_mut("transfers").and_then(Value::as_array_mut);
        let are_left = transfers.is_some_and(|transfers| {
            transfers.retain(|transfer| self.is_of(transfer));
            !transfers.is_empty()
        });
        // What everybody has won is for everybody.
        (is_award || are_left).then(|| to_raw_value(&event)).transpose()
    }

    /// Whether a transfer is from this viewer, or to him.
    fn is_of(&self, transfer: &Value) -> bool {
        let own = self.player.map(|player| player.0.to_string());
        own.is_some_and(|own| ["from", "to"].iter().any(|end| transfer[end]["player"] == own))
    }
}
