//! The books at the desk: balances and statements. They are written only by what happens at tables.

use super::{Actor, Desk, Refused};
use crate::club::Permission;
use crate::ledger::Unit;
use crate::store::books::{self, Balance, Head, Posting};
use crate::store::players;
use crate::values::PlayerId;

impl Desk {
    /// Refuses unless `actor` may see the ledger of `player`: his own, or anybody's.
    ///
    /// # Errors
    /// [`Refused`], also if there is no such player.
    pub async fn may_see_ledger(&self, actor: &Actor, player: PlayerId) -> Result<(), Refused> {
        let authority = self.authority(actor).await?;
        let permission = if authority.player == Some(player) {
            Permission::ViewOwnLedger
        } else {
            Permission::ViewAnyLedger
        };
        authority.require(permission)
    }

    /// Every balance of a player, points first.
    ///
    /// # Errors
    /// There is no such player, or the asker may not see his ledger.
    pub async fn balances(&self, actor: &Actor, player: PlayerId) -> Result<Vec<Balance>, Refused> {
        self.may_see_ledger(actor, player).await?;
        self.inner
            .store
            .read(move |connection| {
                players::find(connection, player)?.ok_or(Refused::NotFound("player"))?;
                Ok(books::balances(connection, player)?)
            })
            .await
    }

    /// A page of a player's statement in one unit, newest first, before the sequence number given.
    ///
    /// # Errors
    /// There is no such player, or the asker may not see his ledger.
    pub async fn statement(
        &self,
        actor: &Actor,
        player: PlayerId,
        unit: Unit,
        before: Option<i64>,
        limit: i64,
    ) -> Result<Vec<(Posting, Head)>, Refused> {
        self.may_see_ledger(actor, player).await?;
        self.inner
            .store
            .read(move |connection| {
                players::find(connection, player)?.ok_or(Refused::NotFound("player"))?;
                Ok(books::statement(connection, player, &unit.to_string(), before, limit)?)
            })
            .await
    }
}
