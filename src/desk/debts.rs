//! What is owed at tables, and the fewest payments that settle it.
//!
//! A debt is what finished games came to at the table's stake, and what was paid. The game that is being
//! played counts when it is over.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::NaiveDate;

use super::{Desk, Refused};
use crate::chouette::Chouette;
use crate::journal::Stream;
use crate::ledger::Unit;
use crate::ledger::settle_up::{Balances, SettlingUp, settle_up};
use crate::store::chouettes as stored;
use crate::values::{ChouetteId, PlayerId};

/// How one player stands, in the unit of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Won by finished games; negative if lost.
    pub won: i64,
    /// Paid to others less what others paid.
    pub paid: i64,
}

impl Standing {
    /// What the others owe the player; negative if the player owes them. `None` out of any range.
    #[must_use]
    pub fn debt(self) -> Option<i64> {
        self.won.checked_add(self.paid)
    }

    fn plus(self, other: Self) -> Option<Self> {
        Some(Self { won: self.won.checked_add(other.won)?, paid: self.paid.checked_add(other.paid)? })
    }
}

/// What is owed at one table, or at several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Debts {
    /// What amounts are counted in.
    pub unit: Unit,
    /// Everybody who ever sat there.
    pub standings: BTreeMap<PlayerId, Standing>,
    /// The same in one number each.
    pub balances: Balances,
    /// The payments that settle it.
    pub settling: SettlingUp,
}

impl Debts {
    /// What is owed at `chouette`: in its stake's currency, or in half points if no money is played for.
    ///
    /// # Errors
    /// The amounts do not add up to zero, a score splits a minor unit, or somebody has won more than the books
    /// hold: they would not post it.
    pub fn of(chouette: &Chouette) -> Result<Self, Refused> {
        Self::settle(unit(chouette), standings(chouette)?)
    }

    fn settle(unit: Unit, standings: BTreeMap<PlayerId, Standing>) -> Result<Self, Refused> {
        let owed = |(player, standing): (&PlayerId, &Standing)| Some((*player, standing.debt()?));
        let balances: Balances =
            standings.iter().map(owed).collect::<Option<_>>().ok_or_else(out_of_range)?;
        // All that is owed together is within range, so every sum of some of it is.
        let owed: u128 = balances.values().map(|debt| u128::from(debt.unsigned_abs())).sum();
        i64::try_from(owed).map_err(|_| out_of_range())?;
        let settling = settle_up(&balances).map_err(|error| unbalanced(&error.to_string()))?;
        Ok(Self { unit, standings, balances, settling })
    }
}

fn unit(chouette: &Chouette) -> Unit {
    chouette.stake().map_or(Unit::HalfPoints, |stake| Unit::Money(stake.currency))
}

fn standings(chouette: &Chouette) -> Result<BTreeMap<PlayerId, Standing>, Refused> {
    let mut standings = BTreeMap::new();
    for player in chouette.known() {
        let splits = || chouette.stake().is_some_and(|stake| stake.splits(chouette.booked(player)));
        let won = chouette.won(player).ok_or_else(|| match splits() {
            true => unbalanced("a score splits a minor unit"),
            false => out_of_range(),
        })?;
        standings.insert(player, Standing { won, paid: chouette.paid(player) });
    }
    Ok(standings)
}

fn unbalanced(why: &str) -> Refused {
    Refused::rule("unbalanced", None, why)
}

fn out_of_range() -> Refused {
    Refused::rule("beyond_books", None, "an amount is more than the books hold")
}

impl Desk {
    /// What is owed at a table, and the table as it is.
    ///
    /// # Errors
    /// [`Refused`].
    pub async fn debts(&self, id: ChouetteId) -> Result<(Arc<Stream<Chouette>>, Debts), Refused> {
        let stream = self.chouette(id).await?;
        let debts = Debts::of(&stream.state)?;
        Ok((stream, debts))
    }

    /// What is owed at all tables of a night that are played for `unit`, taken together.
    ///
    /// # Errors
    /// [`Refused`].
    pub async fn debts_of_night(&self, night: NaiveDate, unit: Unit) -> Result<Debts, Refused> {
        let tables =
            self.read(move |connection| Ok::<_, Refused>(stored::of_night(connection, night)?)).await?;
        let mut all: BTreeMap<PlayerId, Standing> = BTreeMap::new();
        for id in tables {
            let stream = self.chouette(id).await?;
            if self::unit(&stream.state) != unit {
                continue;
            }
            for (player, standing) in standings(&stream.state)? {
                let sum = all.entry(player).or_default();
                *sum = sum.plus(standing).ok_or_else(out_of_range)?;
            }
        }
        Debts::settle(unit, all)
    }
}
