//! Debts at tables, and the fewest payments that settle them.
//!
//! A debt is the result of the finished games at the table's stake, less the payments made. A game in
//! progress counts when it is over. A money session, and the stake of a match, is settled by its two players
//! on their own sheet; a night only lists those that are not even.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::NaiveDate;
use serde::Serialize;

use crate::{Desk, Refused};
use owlbox_base::code::Code;
use owlbox_base::journal::{Stream, Version};
use owlbox_base::values::{ChouetteId, MatchId, Payment, PlayerId};
use owlbox_books::club::Settings;
use owlbox_books::ledger::Unit;
use owlbox_books::ledger::settle_up::{Balances, SettlingUp, settle_up};
use owlbox_chouette::{Chouette, Phase};
use owlbox_play::matches::Slot;
use owlbox_play::matches::{Sheet, Terms};
use owlbox_store::{AnyConnection, chouettes as stored, matches};

/// The standing of one player, in the unit of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// Winnings from finished games; negative for losses.
    pub won: i64,
    /// Payments to others less payments from others.
    pub paid: i64,
}

impl Balance {
    /// The amount the others owe the player; negative if the player owes it. `None` on overflow.
    #[must_use]
    pub fn debt(self) -> Option<i64> {
        self.won.checked_add(self.paid)
    }

    fn plus(self, other: Self) -> Option<Self> {
        Some(Self { won: self.won.checked_add(other.won)?, paid: self.paid.checked_add(other.paid)? })
    }
}

/// The debts at one table, or at several together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Debts {
    /// The unit of all amounts.
    pub unit: Unit,
    /// The standing of everybody who ever had a seat there.
    pub standings: BTreeMap<PlayerId, Balance>,
    /// The resulting balance of each of them.
    pub balances: Balances,
    /// The payments that settle it.
    pub settling: SettlingUp,
}

impl Debts {
    /// The debts at `chouette`, in the currency of its stake, or in half points if it does not play for
    /// money.
    ///
    /// # Errors
    /// The amounts do not add up to zero, a score splits a minor unit, or somebody has won more than the
    /// books can hold: the books would refuse such postings.
    pub fn new(chouette: &Chouette) -> Result<Self, Refused> {
        Self::settle(unit(chouette), standings(chouette)?)
    }

    /// What the others owe a player; negative if the player owes it.
    #[must_use]
    pub fn owed_to(&self, player: PlayerId) -> i64 {
        self.balances.get(&player).copied().unwrap_or_default()
    }

    fn settle(unit: Unit, standings: BTreeMap<PlayerId, Balance>) -> Result<Self, Refused> {
        let owed = |(player, standing): (&PlayerId, &Balance)| Some((*player, standing.debt()?));
        let balances: Balances =
            standings.iter().map(owed).collect::<Option<_>>().ok_or_else(out_of_range)?;
        // If the sum of all absolute amounts is in range, so is every partial sum.
        let owed: u128 = balances.values().map(|debt| u128::from(debt.unsigned_abs())).sum();
        i64::try_from(owed).map_err(|_| out_of_range())?;
        let settling = settle_up(&balances).map_err(|error| unbalanced(&error.to_string()))?;
        Ok(Self { unit, standings, balances, settling })
    }
}

fn unit(chouette: &Chouette) -> Unit {
    chouette.stake().map_or(Unit::HalfPoints, |stake| Unit::Money(stake.currency))
}

fn standings(chouette: &Chouette) -> Result<BTreeMap<PlayerId, Balance>, Refused> {
    let mut standings = BTreeMap::new();
    for player in chouette.known() {
        let splits = || chouette.stake().is_some_and(|stake| stake.splits(chouette.booked(player)));
        let won = chouette.won(player).ok_or_else(|| match splits() {
            true => unbalanced("a score cannot be paid in whole minor units"),
            false => out_of_range(),
        })?;
        standings.insert(player, Balance { won, paid: chouette.paid(player) });
    }
    Ok(standings)
}

fn unbalanced(why: &str) -> Refused {
    Refused::rule(Code::Unbalanced, None, why)
}

fn out_of_range() -> Refused {
    Refused::rule(Code::BeyondBooks, None, "an amount is larger than the books can hold")
}

/// The debts at all tables of a night with the same unit, together and table by table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NightDebts {
    pub debts: Debts,
    /// The tables, in order of their ids.
    pub tables: Vec<NightTable>,
    /// The money sessions and matches of the night that are not even, in order of their ids. They are not
    /// part of the tables' debts.
    pub sessions: Vec<NightSession>,
}

/// What is owed in a money session, or of the stake of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = SessionDebt))]
pub struct NightSession {
    #[serde(rename = "match")]
    pub id: MatchId,
    /// The payment that settles it.
    #[serde(flatten)]
    pub payment: Payment,
}

/// The debts at one table of a night.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NightTable {
    pub id: ChouetteId,
    pub name: String,
    /// The version of the table they were computed from.
    pub version: Version,
    pub balances: Balances,
    /// Whether a game is in progress there; it does not count yet.
    pub playing: bool,
}

impl Desk {
    /// The debts at a table, and the table itself. Computed on a blocking thread, because finding the fewest
    /// payments among twenty players takes a while.
    ///
    /// # Errors
    /// [`Refused::NotFound`]; the amounts are inconsistent or out of range; or the store failed.
    pub async fn debts(&self, id: ChouetteId) -> Result<(Arc<Stream<Chouette>>, Debts), Refused> {
        let stream = self.find::<Chouette>(id).await?;
        self.read(move |_| {
            let debts = Debts::new(&stream.state)?;
            Ok((stream, debts))
        })
        .await
    }

    /// The debts at all tables of a night that play for `unit`, together and table by table. Computed on a
    /// blocking thread like [`debts`](Self::debts).
    ///
    /// # Errors
    /// The amounts are inconsistent or out of range, or the store failed.
    pub async fn debts_of_night(&self, night: NaiveDate, unit: Unit) -> Result<NightDebts, Refused> {
        let desk = self.clone();
        let settings = self.settings().await?.unwrap_or_default();
        self.read(move |connection| {
            let mut all: BTreeMap<PlayerId, Balance> = BTreeMap::new();
            let mut tables = Vec::new();
            for id in stored::of_night(connection, night)? {
                let stream = desk.load::<Chouette>(connection, id.0)?;
                if stream.state.phase() == Phase::Unopened || self::unit(&stream.state) != unit {
                    continue;
                }
                let (standings, mut balances) = (standings(&stream.state)?, Balances::new());
                for (player, standing) in standings {
                    let sum = all.entry(player).or_default();
                    *sum = sum.plus(standing).ok_or_else(out_of_range)?;
                    balances.insert(player, standing.debt().ok_or_else(out_of_range)?);
                }
                let (name, playing) = (stream.state.name().to_owned(), stream.state.game().is_some());
                tables.push(NightTable { id, name, version: stream.version, balances, playing });
            }
            let sessions = desk.sessions_of_night(connection, night, &settings, unit)?;
            Ok(NightDebts { debts: Debts::settle(unit, all)?, tables, sessions })
        })
        .await
    }

    /// The money sessions and matches opened on a night that play for `unit` and are not even.
    fn sessions_of_night(
        &self,
        connection: &mut AnyConnection,
        night: NaiveDate,
        settings: &Settings,
        unit: Unit,
    ) -> Result<Vec<NightSession>, Refused> {
        let mut sessions = Vec::new();
        for (id, opened_at) in matches::sessions_around(connection, night)? {
            if settings.night_of(opened_at) != night {
                continue;
            }
            let sheet = self.load::<Sheet>(connection, id.0)?;
            let currency = sheet.state.terms().and_then(Terms::stake).map(|stake| stake.currency);
            let (Some([upper, lower]), Some((by, amount))) = (sheet.state.players(), sheet.state.owed())
            else {
                continue;
            };
            // A contested sheet cannot be paid: a scorer has to rule first.
            if currency.map(Unit::Money) == Some(unit) && !sheet.state.debt_is_contested() {
                let (payer, payee) = if by == Slot::Upper { (upper, lower) } else { (lower, upper) };
                sessions.push(NightSession { id, payment: Payment { payer, payee, amount } });
            }
        }
        Ok(sessions)
    }
}

/// The units that the tables of a night play for, points first.
pub(crate) fn units_on(connection: &mut AnyConnection, night: NaiveDate) -> Result<Vec<Unit>, Refused> {
    let unit = |currency: Option<String>| match currency {
        None => Some(Unit::HalfPoints),
        Some(currency) => currency.parse().ok().map(Unit::Money),
    };
    let currencies = stored::currencies_of_night(connection, night)?;
    let mut units: Vec<Unit> = currencies.into_iter().filter_map(unit).collect();
    units.sort_unstable();
    Ok(units)
}
