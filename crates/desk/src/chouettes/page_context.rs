//! What a table's page shows besides the table: the latest acts, who did them, and who could sit down.

use std::collections::BTreeMap;

use crate::acts::people_behind;
use crate::players::{ActivePlayer, active_players};
use crate::{Desk, Refused};
use owlbox_domain::chouette::{Chouette, Event, EventKind};
use owlbox_domain::journal::{Act, Version};
use owlbox_domain::values::{AccountId, ActId, ChouetteId};
use owlbox_store::{AnyConnection, StoreError, chouettes as stored, journal};

/// The approximate number of acts in the log.
const LOG: usize = 120;

/// What to read for a table's page.
#[derive(Clone, Debug)]
pub struct PageContextRequest {
    /// The version at which the table is shown.
    pub version: Version,
    /// Acts that must be in the log.
    pub named: Vec<ActId>,
    /// Whether to show the login of accounts without a player. A login is half of what is needed to sign in,
    /// so passers-by must not see it.
    pub logins: bool,
    /// How many active players to consider for a seat; `None` to list nobody.
    pub free_players: Option<i64>,
}

/// What a table's page shows besides the table, all read at one moment.
#[derive(Clone, Debug)]
pub struct PageContext {
    /// The newest acts, starting with the beginning of a game or of the night.
    pub acts: Vec<Act<Event>>,
    /// The names of the accounts behind these acts, as far as they may be shown.
    pub people: BTreeMap<AccountId, String>,
    /// Active players of the club without a seat at another table.
    pub free_players: Vec<ActivePlayer>,
}

impl Desk {
    /// Reads what a table's page shows besides the table.
    ///
    /// # Errors
    /// The store failed.
    pub async fn chouette_page_context(
        &self,
        id: ChouetteId,
        asked: PageContextRequest,
    ) -> Result<PageContext, Refused> {
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

/// The newest acts, starting with the beginning of a game or of the night. Reads all acts if a named one is
/// older.
fn newest_acts(
    connection: &mut AnyConnection,
    id: ChouetteId,
    PageContextRequest { version, named, .. }: &PageContextRequest,
) -> Result<Vec<Act<Event>>, Refused> {
    let mut newest = journal::acts_before(connection, id.0, version + 1, LOG)?;
    newest.reverse();
    let mut entries = newest.concat();
    if entries.first().is_some_and(|first| first.version > 1) {
        // The log's sentences name the box, and only the beginning of a game says who that is.
        let begin = entries.iter().position(|entry| entry.kind == <&str>::from(EventKind::GameStarted));
        entries.drain(..begin.unwrap_or(entries.len()));
    }
    let missing = |act: &ActId| !entries.iter().any(|entry| entry.act == *act);
    if entries.is_empty() || named.iter().any(missing) {
        return Ok(journal::acts::<Chouette>(connection, id.0, *version)?);
    }
    Ok(journal::group::<Chouette>(&entries).map_err(StoreError::from)?)
}

/// The club's first `most` active players, without those who have a seat at another table.
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
