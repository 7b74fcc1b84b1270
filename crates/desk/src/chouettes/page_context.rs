//! What a table's page tells besides the table: what has happened there of late, who did it, who could sit down.

use std::collections::{BTreeMap, BTreeSet};

use crate::players::{ActivePlayer, active_players};
use crate::{Desk, Refused};
use owlbox_domain::chouette::{Chouette, Event, EventKind};
use owlbox_domain::journal::{Act, Version};
use owlbox_domain::values::{AccountId, ActId, ChouetteId};
use owlbox_store::{AnyConnection, StoreError, accounts, chouettes as stored, journal, players};

/// Acts that the log shows, about.
const LOG: usize = 120;

#[derive(Clone, Debug)]
pub struct Asked {
    /// As the table was at this version.
    pub version: Version,
    /// Acts that the log has to have in it.
    pub named: Vec<ActId>,
    /// Whether accounts that are nobody's who plays are named by their logins: half of what one signs in with, and not for
    /// the street.
    pub logins: bool,
    /// So many of those who could sit down.
    pub free_players: Option<i64>,
}

/// What a table's page tells besides the table, at one moment.
#[derive(Clone, Debug)]
pub struct PageContext {
    /// The newest acts, from the beginning of a game or of the night.
    pub acts: Vec<Act<Event>>,
    /// Who is behind the accounts of these acts, as far as it may be told.
    pub people: BTreeMap<AccountId, String>,
    /// Active players of the club who sit at no other table.
    pub free_players: Vec<ActivePlayer>,
}

impl Desk {
    /// What a table's page tells besides the table.
    ///
    /// # Errors
    /// The store failed.
    pub async fn chouette_page_context(&self, id: ChouetteId, asked: Asked) -> Result<PageContext, Refused> {
        self.read(move |connection| {
            let acts = newest_acts(connection, id, &asked)?;
            let people = people_behind(connection, &acts, asked.logins)?;
            let free_players = match asked.free_players {
                Some(most) => free_players(connection, id, most)?,
                None => Vec::new(),
            };
            Ok(PageContext { acts, people, free_players })
        })
        .await
    }
}

/// The newest acts, from the beginning of a game or of the night, and so many that those named are
/// among them.
fn newest_acts(
    connection: &mut AnyConnection,
    id: ChouetteId,
    Asked { version, named, .. }: &Asked,
) -> Result<Vec<Act<Event>>, Refused> {
    let mut newest = journal::acts_before(connection, id.0, version + 1, LOG)?;
    newest.reverse();
    let mut entries = newest.concat();
    if entries.first().is_some_and(|first| first.version > 1) {
        // Sentences tell who is box, which a game says at its beginning.
        let begin = entries.iter().position(|entry| entry.kind == <&str>::from(EventKind::GameStarted));
        entries.drain(..begin.unwrap_or(entries.len()));
    }
    let missing = |act: &ActId| !entries.iter().any(|entry| entry.act == *act);
    if entries.is_empty() || named.iter().any(missing) {
        return Ok(journal::acts::<Chouette>(connection, id.0, *version)?);
    }
    Ok(journal::group::<Chouette>(&entries).map_err(StoreError::from)?)
}

/// Who is behind the accounts of these acts: the player, or the login.
fn people_behind(
    connection: &mut AnyConnection,
    acts: &[Act<Event>],
    logins: bool,
) -> Result<BTreeMap<AccountId, String>, Refused> {
    let ids: BTreeSet<AccountId> = acts.iter().map(|act| act.by).collect();
    let mut people = BTreeMap::new();
    for id in ids {
        let Some(account) = accounts::find(connection, id)? else { continue };
        let player = match account.player {
            Some(player) => players::find(connection, player.into())?,
            None => None,
        };
        let name = player.map(|player| player.display_name().to_owned()).or(account.login.filter(|_| logins));
        people.extend(name.map(|name| (id, name)));
    }
    Ok(people)
}

/// Of the club's first `most` active players those who sit at no other table.
fn free_players(
    connection: &mut AnyConnection,
    id: ChouetteId,
    most: i64,
) -> Result<Vec<ActivePlayer>, Refused> {
    let seated = stored::seated_beside(connection, id)?;
    let mut free = active_players(connection, most)?;
    free.retain(|player| !seated.contains(&player.id));
    Ok(free)
}
