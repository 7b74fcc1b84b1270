//! What one caller is shown of a player: details, account, rating and rated matches, read at one moment.

use std::collections::BTreeMap;

use super::ShownPlayer;
use crate::access::accounts::Listed;
use crate::people::ratings::{RatedMatchRow as RatedRow, RatingRow};
use crate::{Actor, Desk, Refused};
use owlbox_base::permissions::Permission;
use owlbox_base::values::PlayerId;
use owlbox_books::ledger::Source;
use owlbox_store::{accounts, players, ratings};

/// A player as one caller is shown them.
#[derive(Clone, Debug)]
pub struct PlayerScreen {
    /// With the details that the caller may see.
    pub player: ShownPlayer,
    /// Their account, if the caller may know of it.
    pub account: Option<Listed>,
    /// Whether they ever had a seat, an entry, a match or a posting. Such a player cannot be removed.
    pub has_history: bool,
    /// `None` before their first rated match.
    pub rating: Option<RatingRow>,
    /// Their rated matches, newest first, as many as were asked for.
    pub matches: Vec<(RatedRow, Source)>,
    /// The names of the opponents in these.
    pub names: BTreeMap<PlayerId, String>,
}

impl Desk {
    /// A player, with their newest `matches` rated matches.
    ///
    /// # Errors
    /// There is no such player, or the caller may not see players.
    pub async fn player_screen(
        &self,
        actor: &Actor,
        player: PlayerId,
        matches: i64,
    ) -> Result<PlayerScreen, Refused> {
        let principal = self.principal(actor).await?;
        principal.require(Permission::ViewPlayers)?;
        if self.club().await?.state.player(player).is_none_or(|entry| entry.removed) {
            return Err(Refused::NotFound("player"));
        }
        let desk = self.clone();
        let knows_account = principal.player == Some(player) || principal.may(Permission::ManageAccounts);
        self.read(move |connection| {
            let row = players::find(connection, player)?.ok_or(Refused::NotFound("player"))?;
            let matches = ratings::before(connection, player, None, matches)?;
            let both = |(row, _): &(RatedRow, Source)| [row.winner, row.loser].map(PlayerId::from);
            let opponents: Vec<PlayerId> = matches.iter().flat_map(both).collect();
            Ok(PlayerScreen {
                player: ShownPlayer::to(&principal, row),
                account: if knows_account { accounts::of_player(connection, player)? } else { None },
                has_history: players::has_history(connection, player, None)?,
                rating: ratings::rating_of(connection, player)?,
                names: desk.names_on(connection, &opponents)?,
                matches,
            })
        })
        .await
    }
}
