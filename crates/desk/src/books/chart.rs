//! All accounts of the books with their balances.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use uuid::Uuid;

use crate::books::posting::source_names;
use crate::books::statements::LAST_DAY;
use crate::{Actor, Desk, Refused};
use owlbox_base::permissions::Permission;
use owlbox_base::values::Holder;
use owlbox_books::ledger::Source;
use owlbox_store::statements as stored;

/// An account and its balance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    pub holder: Holder,
    /// `half_points` or a currency code.
    pub unit: String,
    /// Signed, in half points or minor units.
    pub amount: i64,
    /// The player's name, or the tournament's; `None` for the club's own accounts.
    pub name: Option<String>,
}

impl Desk {
    /// The accounts that do not stand at zero now or at the end of a day, in order of holder and unit, after one of
    /// them.
    ///
    /// # Errors
    /// The caller may not see all ledgers, or the store failed.
    pub async fn accounts_on(
        &self,
        actor: &Actor,
        day: Option<NaiveDate>,
        after: Option<(Uuid, String)>,
        limit: i64,
    ) -> Result<Vec<Account>, Refused> {
        self.principal(actor).await?.require(Permission::ViewAnyLedger)?;
        let read = self.snapshot(move |connection| {
            let rows = stored::all_on(connection, day.unwrap_or(LAST_DAY))?;
            let later = |row: &(Holder, String, i64)| {
                after.as_ref().is_none_or(|(holder, unit)| (row.0.id(), &row.1) > (*holder, unit))
            };
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            let rows: Vec<_> = rows.into_iter().filter(later).take(limit).collect();
            let pool = |holder: Holder| holder.pool().map(Source::Tournament);
            let pools: BTreeSet<Source> = rows.iter().filter_map(|(holder, ..)| pool(*holder)).collect();
            let pools = source_names(connection, pools)?;
            let named = |(holder, unit, amount): (Holder, String, i64)| {
                let name = pool(holder).and_then(|source| pools.get(&source).cloned());
                Account { holder, unit, amount, name }
            };
            Ok(rows.into_iter().map(named).collect::<Vec<_>>())
        });
        let mut accounts = read.await?;
        let players: BTreeSet<_> = accounts.iter().filter_map(|account| account.holder.player()).collect();
        let names = self.names(players.into_iter().collect()).await?;
        for account in &mut accounts {
            if let Some(name) = account.holder.player().and_then(|player| names.get(&player)) {
                account.name = Some(name.clone());
            }
        }
        Ok(accounts)
    }
}
