//! All accounts of the books with their balances.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use serde::Serialize;
use uuid::Uuid;

use crate::books::posting::source_names;
use crate::books::statements::LAST_DAY;
use crate::{Actor, Desk, Refused};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{Holder, HolderKind, PlayerId, TournamentId};
use owlbox_books::ledger::Source;
use owlbox_store::statements as stored;

/// An account of the club's books.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LedgerAccount {
    /// What kind of account it is. `house` is the club itself and holds the drawer; `opening` is the other
    /// side of opening balances; `rounding` what counting has left over; `outside` the people outside the
    /// club.
    pub kind: HolderKind,
    /// The player, if it is a player's.
    pub player: Option<PlayerId>,
    /// The tournament, if it is a pool.
    pub tournament: Option<TournamentId>,
    /// The player's name, or the tournament's; null for the club's own accounts.
    pub name: Option<String>,
    /// `half_points`, or a currency.
    #[cfg_attr(feature = "schema", schema(example = "EUR"))]
    pub unit: String,
    /// Half points, or minor units of the currency.
    pub amount: i64,
    /// Whose account it is.
    #[serde(skip)]
    pub holder: Holder,
}

impl Desk {
    /// The accounts that do not stand at zero now or at the end of a day, in order of holder and unit, after
    /// one of them.
    ///
    /// # Errors
    /// The caller may not see all ledgers, or the store failed.
    pub async fn accounts_on(
        &self,
        actor: &Actor,
        day: Option<NaiveDate>,
        after: Option<(Uuid, String)>,
        limit: i64,
    ) -> Result<Vec<LedgerAccount>, Refused> {
        self.principal(actor).await?.require(Permission::ViewAnyLedger)?;
        let read = self.snapshot(move |connection| {
            let rows = stored::all_balances_on(connection, day.unwrap_or(LAST_DAY))?;
            let later = |row: &(Holder, String, i64)| {
                after.as_ref().is_none_or(|(holder, unit)| (row.0.id(), &row.1) > (*holder, unit))
            };
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            let rows: Vec<_> = rows.into_iter().filter(later).take(limit).collect();
            let pool = |holder: Holder| holder.pool().map(Source::Tournament);
            let pools: BTreeSet<Source> = rows.iter().filter_map(|(holder, ..)| pool(*holder)).collect();
            let pools = source_names(connection, pools)?;
            let named = |(holder, unit, amount): (Holder, String, i64)| LedgerAccount {
                kind: holder.kind(),
                player: holder.player(),
                tournament: holder.pool(),
                name: pool(holder).and_then(|source| pools.get(&source).cloned()),
                unit,
                amount,
                holder,
            };
            Ok(rows.into_iter().map(named).collect::<Vec<_>>())
        });
        let mut accounts = read.await?;
        let players: BTreeSet<_> = accounts.iter().filter_map(|account| account.player).collect();
        let names = self.names(players.into_iter().collect()).await?;
        for account in &mut accounts {
            if let Some(name) = account.player.and_then(|player| names.get(&player)) {
                account.name = Some(name.clone());
            }
        }
        Ok(accounts)
    }
}
