//! What players are called: by a nickname, else by the full name, and by that where two are called alike.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Desk, Refused};
use owlbox_base::values::PlayerId;
use owlbox_books::club::players::PlayerName;
use owlbox_store::{AnyConnection, players};

/// What a player is called, by names that were read. One that was not asked for is a mistake of ours, which
/// is logged: then they are called as a list calls somebody whom it does not name, so never nothing, and
/// never like anybody else.
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

impl Desk {
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

    /// A number that becomes another one whenever names may have changed: what was made of names since it was
    /// asked for is right for as long as it stays. `None` while other instances are not heard.
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

/// The display names of these players as they stand in the database, for a snapshot.
pub(crate) fn called_on(
    connection: &mut AnyConnection,
    named: impl Iterator<Item = PlayerId>,
) -> Result<BTreeMap<PlayerId, String>, Refused> {
    let named: BTreeSet<PlayerId> = named.collect();
    Ok(players::display_names(connection, named)?.into_iter().collect())
}
