//! Who won how many games of which kind (M8): a player, against whom, and everybody.

use super::{Actor, Desk, Refused};
use crate::club::Permission;
use crate::statistics::Summary;
use crate::store::statistics::{self as stored, Filter};
use crate::store::{AnyConnection, players};
use crate::values::{Holder, PlayerId};

impl Desk {
    /// The games of a player: all of them with his opponents, or those against one.
    ///
    /// # Errors
    /// There is no such player, or the asker may not see the player's ledger: what somebody has won is in both.
    pub async fn statistics(
        &self,
        actor: &Actor,
        player: PlayerId,
        against: Option<PlayerId>,
        filter: Filter,
    ) -> Result<Summary, Refused> {
        self.may_see_ledger(actor, Holder::Player(player)).await?;
        self.read(move |connection| {
            for player in std::iter::once(player).chain(against) {
                players::find(connection, player)?.ok_or(Refused::NotFound("player"))?;
            }
            let summary = summary(connection, Some(player), against, filter)?;
            match against {
                Some(_) => Ok(summary),
                None => Ok(summary.with_opponents(&stored::opponents(connection, player, filter)?)),
            }
        })
        .await
    }

    /// The games of the whole club.
    ///
    /// # Errors
    /// The asker may not see players.
    pub async fn club_statistics(&self, actor: &Actor, filter: Filter) -> Result<Summary, Refused> {
        self.authority(actor).await?.require(Permission::ViewPlayers)?;
        self.read(move |connection| summary(connection, None, None, filter)).await
    }
}

fn summary(
    connection: &mut AnyConnection,
    player: Option<PlayerId>,
    against: Option<PlayerId>,
    filter: Filter,
) -> Result<Summary, Refused> {
    Ok(Summary::of(&stored::tallies(connection, player, against, filter)?))
}
