//! What tournaments brought the club, as the treasurer looks at it: sums by tournament over a period.

use std::collections::BTreeMap;

use chrono::{NaiveDate, TimeDelta};
use serde::Serialize;

use crate::{Actor, Desk, Refused};
use owlbox_base::code::Code;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{Currency, TournamentId};
use owlbox_books::ledger::Unit;
use owlbox_books::ledger::income::Income;
use owlbox_store::{books, tournaments};

/// The days whose money is counted, on the club's clock. Without an end, everything up to it or from it on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Period {
    pub from: Option<NaiveDate>,
    /// The last day, included.
    pub until: Option<NaiveDate>,
}

impl Period {
    /// Refuses a period that ends before it begins: nothing is in it, and balances around it would not add
    /// up.
    ///
    /// # Errors
    /// [`Code::InvalidQuery`].
    pub fn in_order(self) -> Result<Self, Refused> {
        match (self.from, self.until) {
            (Some(from), Some(until)) if until < from => {
                let detail = format!("the period ends on {until}, before it begins on {from}");
                Err(Refused::rule(Code::InvalidQuery, Some("until"), detail))
            }
            _ => Ok(self),
        }
    }
}

/// What a tournament took and gave in the period in one currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TournamentIncome {
    pub tournament: TournamentId,
    /// The name of the tournament.
    pub name: String,
    /// The first day of play.
    pub date: NaiveDate,
    pub currency: Currency,
    #[serde(flatten)]
    pub income: Income,
}

/// The sums of all tournaments in one currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TotalIncome {
    pub currency: Currency,
    #[serde(flatten)]
    pub income: Income,
}

/// What tournaments took and gave in a period.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct IncomeReport {
    /// One for each currency, by its code.
    pub totals: Vec<TotalIncome>,
    /// Every tournament that moved money in the period, the latest first.
    pub items: Vec<TournamentIncome>,
}

impl Desk {
    /// What tournaments took and gave in a period: fees, pools, prizes and what is left to the house.
    ///
    /// # Errors
    /// The caller may not see the books, or the store failed.
    pub async fn tournament_income(&self, actor: &Actor, period: Period) -> Result<IncomeReport, Refused> {
        self.principal(actor).await?.require(Permission::ViewAnyLedger)?;
        period.in_order()?;
        let settings = self.settings().await?.unwrap_or_default();
        // Nothing was posted before computers had clocks, nor is anything posted for tomorrow.
        let from = settings.beginning_of(period.from.unwrap_or_default());
        let until = period.until.and_then(|day| day.succ_opt()).map(|day| settings.beginning_of(day));
        let until = until.unwrap_or_else(|| (self.now().utc() + TimeDelta::days(1)).into());
        self.read(move |connection| {
            let mut sums: BTreeMap<(TournamentId, Currency), Income> = BTreeMap::new();
            for (tournament, unit, moved) in books::moved_by_tournaments(connection, from, until)? {
                if let Ok(Unit::Money(currency)) = unit.parse() {
                    sums.entry((tournament, currency)).or_default().count(moved);
                }
            }
            sums.retain(|_, income| *income != Income::default());
            let mut totals: BTreeMap<Currency, Income> = BTreeMap::new();
            let mut items = Vec::new();
            for ((tournament, currency), income) in sums {
                let Some(row) = tournaments::find(connection, tournament.0)? else { continue };
                totals.entry(currency).or_default().add(&income);
                items.push(TournamentIncome { tournament, name: row.name, date: row.date, currency, income });
            }
            items.sort_by(|one, other| (other.date, &one.name).cmp(&(one.date, &other.name)));
            let totals = totals.into_iter().map(|(currency, income)| TotalIncome { currency, income });
            Ok(IncomeReport { totals: totals.collect(), items })
        })
        .await
    }
}
