//! What the treasurer's page shows, as one answer: what is due and paid, what is in the drawer, what was recorded and what
//! waits for approval.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use super::daybook::{ClubMoney, ShownEntry, club_money, shown};
use super::statements::LAST_DAY;
use super::{Actor, Desk, Principal, Refused};
use owlbox_domain::daybook::{Closing, Entry, Status};
use owlbox_domain::ledger::settle_up::{Balances, SettlingUp, settle_up};
use owlbox_domain::permissions::Permission;
use owlbox_domain::values::{Currency, Holder, PlayerId};
use owlbox_store::statements as stored;

/// Stands for the club among the players of a settling up.
pub const THE_CLUB: PlayerId = PlayerId(Holder::HOUSE);

/// The treasurer's page.
#[derive(Clone, Debug)]
pub struct TreasuryScreen {
    pub principal: Principal,
    pub today: NaiveDate,
    pub closing: Closing,
    /// In each currency of the club.
    pub money: Vec<ClubMoney>,
    /// In each currency in which players are not even.
    pub due: Vec<Due>,
    /// The newest records, newest first, without those that wait.
    pub recent: Vec<ShownEntry>,
    /// Adjustments that wait for a second person, oldest first.
    pub waiting: Vec<ShownEntry>,
    /// The names of everybody in it.
    pub names: BTreeMap<PlayerId, String>,
}

/// What players owe and are owed in one currency, over all nights, tournaments and records.
#[derive(Clone, Debug)]
pub struct Due {
    pub currency: Currency,
    /// Above zero: what the others owe the player. Nobody who is even.
    pub balances: Balances,
    /// The fewest payments after which all of them are even. [`THE_CLUB`] has part in it if it owes or is owed.
    pub settling: SettlingUp,
}

/// How many of the newest records are shown.
const RECENT: usize = 8;

impl Desk {
    /// What the treasurer's page shows.
    ///
    /// # Errors
    /// The caller may not see all ledgers, or the store failed.
    pub async fn treasury(&self, actor: &Actor) -> Result<TreasuryScreen, Refused> {
        let principal = self.principal(actor).await?;
        principal.require(Permission::ViewAnyLedger)?;
        let settings = self.settings().await?.unwrap_or_default();
        let daybook = self.daybook().await?;
        let today = settings.night_of(self.now());
        let read = self.snapshot(move |connection| {
            let money = club_money(connection, &settings)?;
            let mut open: BTreeMap<Currency, Balances> = BTreeMap::new();
            for (holder, unit, amount) in stored::all_on(connection, LAST_DAY)? {
                if let (Some(player), Ok(currency)) = (holder.player(), unit.parse()) {
                    open.entry(currency).or_default().insert(player, amount);
                }
            }
            let mut due = Vec::new();
            for (currency, balances) in open {
                let mut all = balances.clone();
                let club = balances.values().try_fold(0_i64, |sum, amount| sum.checked_sub(*amount));
                if let Some(club) = club.filter(|club| *club != 0) {
                    all.insert(THE_CLUB, club);
                }
                let settling = settle_up(&all);
                let settling = settling.map_err(|error| {
                    Refused::rule(owlbox_domain::code::Code::Unbalanced, None, error.to_string())
                })?;
                due.push(Due { currency, balances, settling });
            }
            let settled = |(_, entry): &(u32, &Entry)| !matches!(entry.status, Status::Proposed(_));
            let recent = daybook.state.newest_first().filter(settled).take(RECENT);
            let recent = shown(connection, recent.collect())?;
            let waiting = shown(connection, daybook.state.waiting().collect())?;
            let names = BTreeMap::new();
            let closing = daybook.state.closing();
            Ok(TreasuryScreen { principal, today, closing, money, due, recent, waiting, names })
        });
        let screen = read.await?;
        let named = screen.due.iter().flat_map(|due| due.balances.keys().copied());
        let recorded = screen.recent.iter().chain(&screen.waiting);
        let recorded = recorded.flat_map(|shown| shown.entry.recorded.what.players());
        let named: BTreeSet<PlayerId> = named.chain(recorded).collect();
        Ok(TreasuryScreen { names: self.names(named.into_iter().collect()).await?, ..screen })
    }
}
