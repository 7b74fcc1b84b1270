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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Barrier};
    use std::time::Duration;

    use crate::club::players::PlayerDetails;
    use crate::desk::Request;
    use crate::desk::ground::{Db, Ground};
    use crate::store::{StoreError, books};

    /// Without an order of the accounts half of these would be deadlocks, which are tried again.
    #[tokio::test]
    async fn of_two_acts_that_post_to_the_same_new_accounts_one_waits_and_never_both() {
        let Some((ground, admin)) = Ground::open(Db::Postgres).await else { return };
        let mut players = Vec::new();
        for name in ["Ada", "Bea", "Cleo"] {
            let details = PlayerDetails::named(name.parse().unwrap());
            players.push(ground.desk.add_player(Request::by(admin), details, false).await.unwrap().0);
        }
        let (tried, rounds) = (Arc::new(AtomicUsize::new(0)), 10);
        for round in 0..rounds {
            let begin = Arc::new(Barrier::new(2));
            let acts = [[0, 1, 2], [2, 1, 0]].map(|order| {
                let accounts: Vec<_> =
                    order.iter().map(|at| (players[*at], format!("unit {round}"))).collect();
                let (store, begin, tried) = (ground.desk.inner.store.clone(), begin.clone(), tried.clone());
                tokio::task::spawn_blocking(move || {
                    begin.wait();
                    store.write_blocking(move |transaction| {
                        tried.fetch_add(1, Ordering::Relaxed);
                        let accounts: BTreeSet<_> = accounts.iter().cloned().collect();
                        books::take(transaction.connection, &accounts)?;
                        std::thread::sleep(Duration::from_millis(20));
                        Ok::<_, StoreError>(())
                    })
                })
            });
            for act in acts {
                act.await.unwrap().unwrap();
            }
        }
        assert_eq!(tried.load(Ordering::Relaxed), 2 * rounds, "none was tried again");
    }
}
