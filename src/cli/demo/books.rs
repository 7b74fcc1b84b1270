//! What the treasurer of the demonstration's club has recorded.

use chrono::TimeDelta;

use super::DemoError;
use super::clock::DemoClock;
use owlbox_base::values::{Currency, Holder, PlayerId, Timestamp};
use owlbox_books::daybook::{DaybookCommand, FeeKind, Means, Sum, Way};
use owlbox_desk::{Actor, Desk, Request};

/// Charges everybody the year's fee, takes what most of them pay, pays the rent, brings money to the bank and
/// counts the drawer.
pub(super) async fn keep(
    desk: &Desk,
    (treasurer, clock): (Actor, &DemoClock),
    now: Timestamp,
    players: &[PlayerId],
) -> Result<(), DemoError> {
    let settings = desk.settings().await?.unwrap_or_default();
    let Some(&currency) = settings.currencies.as_slice().first() else { return Ok(()) };
    let on = |days: i64| clock.set((now.utc() - TimeDelta::days(days)).into());
    let books = Books { desk, treasurer, currency };
    on(29);
    books
        .note(DaybookCommand::Charge {
            players: players.to_vec(),
            fee: FeeKind::Membership,
            currency,
            amount: Sum::try_from(4_000)?,
            on: None,
            memo: Some("this year's fee".parse()?),
        })
        .await?;
    let (early, others) = players.split_at(players.len() / 3);
    let (late, _) = others.split_at(others.len() / 2);
    for (days, paying, means) in [(26, early, Means::Bank), (12, late, Means::Cash)] {
        on(days);
        for player in paying {
            books.paid((*player).into(), 4_000, means).await?;
        }
    }
    on(10);
    let memo = "rent of the room".parse()?;
    let (amount, means) = (Sum::try_from(6_000)?, Means::Cash);
    books.note(DaybookCommand::Spend { currency, amount, means, on: None, memo }).await?;
    on(9);
    let (amount, way) = (Sum::try_from(2_500)?, Way::ToBank);
    books.note(DaybookCommand::Deposit { currency, amount, way, on: None, memo: None }).await?;
    on(8);
    let money = desk.club_money(&treasurer).await?;
    let drawer = money.iter().find(|money| money.currency == currency).map_or(0, |money| money.drawer);
    books.note(DaybookCommand::Count { currency, counted: (drawer - 50).max(0), memo: None }).await
}

struct Books<'d> {
    desk: &'d Desk,
    treasurer: Actor,
    currency: Currency,
}

impl Books<'_> {
    async fn note(&self, order: DaybookCommand) -> Result<(), DemoError> {
        self.desk.record(Request::by(self.treasurer), order).await?;
        Ok(())
    }

    async fn paid(&self, payer: Holder, amount: i64, means: Means) -> Result<(), DemoError> {
        let (payee, currency, amount) = (Holder::House, self.currency, Sum::try_from(amount)?);
        self.note(DaybookCommand::Pay { payer, payee, currency, amount, means, on: None, memo: None }).await
    }
}
