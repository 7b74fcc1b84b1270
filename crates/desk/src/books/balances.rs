//! Balances of accounts, and who may see the ledger of whom.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde::Serialize;

use super::posting::exists;
use crate::people::privacy::readings::Read;
use crate::{Actor, Desk, Refused};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{HalfPoints, Holder, PlayerId};
use owlbox_books::club::Settings;
use owlbox_books::ledger::Unit;
use owlbox_store::books::{self, BalanceRow};
use owlbox_store::statements;

/// The balance of a player, a pool or the house in one unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = BalanceBody))]
pub struct AccountBalance {
    /// `half_points`, or a currency.
    #[cfg_attr(feature = "schema", schema(example = "half_points"))]
    pub unit: String,
    /// Half points, or minor units of the currency.
    pub amount: i64,
    /// The number of postings that make up the balance.
    pub postings: i64,
}

impl Desk {
    /// Refuses unless `actor` may see the ledger of `holder`: players see their own, the treasurer
    /// everybody's. That somebody looks into another's is noted.
    ///
    /// # Errors
    /// [`Refused::Unauthorised`], [`Refused::Forbidden`], or the store failed.
    pub(crate) async fn require_ledger(&self, actor: &Actor, holder: Holder) -> Result<(), Refused> {
        let principal = self.principal(actor).await?;
        let Some(player) = holder.player() else { return principal.require(Permission::ViewAnyLedger) };
        if principal.player == Some(player) {
            return principal.require(Permission::ViewOwnLedger);
        }
        principal.require(Permission::ViewAnyLedger)?;
        self.note_reading(&principal, Some(player), Read::Ledger).await
    }

    /// Every balance of a holder, points first: now, or at the end of a day. Units in which nothing was
    /// posted by then stand at zero.
    ///
    /// # Errors
    /// There is no such player or tournament, or the caller may not see the ledger.
    pub async fn balances(
        &self,
        actor: &Actor,
        holder: Holder,
        on: Option<NaiveDate>,
    ) -> Result<Vec<AccountBalance>, Refused> {
        self.require_ledger(actor, holder).await?;
        self.snapshot(move |connection| {
            exists(connection, holder)?;
            let balances = books::balances(connection, holder)?;
            let balance = |BalanceRow { unit, amount, sequence, .. }: BalanceRow| {
                let (amount, postings) = match on {
                    None => (amount, sequence),
                    Some(day) => statements::balance_and_postings_on(connection, holder, &unit, day)?,
                };
                Ok(AccountBalance { unit, amount, postings })
            };
            balances.into_iter().map(balance).collect()
        })
        .await
    }

    /// The points balance of each of these players; zero for those without one.
    ///
    /// # Errors
    /// The store failed.
    pub async fn points(&self, players: Vec<PlayerId>) -> Result<BTreeMap<PlayerId, HalfPoints>, Refused> {
        let unit = Unit::HalfPoints.to_string();
        self.read(move |connection| {
            let mut points = BTreeMap::new();
            for player in players {
                let balances = books::balances(connection, player.into())?;
                let balance = balances.iter().find(|balance| balance.unit == unit);
                points.insert(player, HalfPoints(balance.map_or(0, |balance| balance.amount)));
            }
            Ok(points)
        })
        .await
    }

    /// The default unit of a holder's ledger: points for a player, the club's first currency for all others.
    ///
    /// # Errors
    /// The store failed.
    pub async fn usual_unit(&self, holder: Holder) -> Result<Unit, Refused> {
        Ok(usual_unit(&self.settings().await?.unwrap_or_default(), holder))
    }
}

/// The default unit of a holder's ledger.
pub(crate) fn usual_unit(settings: &Settings, holder: Holder) -> Unit {
    let usual = settings.currencies.as_slice().first().filter(|_| holder.player().is_none());
    usual.map_or(Unit::HalfPoints, |usual| Unit::Money(*usual))
}
