//! The treasurer's year: balances from before, fees and what is paid of them, expenses, counts, adjustments
//! with a second person, records taken back, and months closed - one of them opened again.

use chrono::{Days, NaiveDate};

use super::lots::Lots;
use super::unless_refused;
use crate::cli::demo::DemoError;
use crate::cli::demo::clock::DemoClock;
use crate::cli::demo::population::Staff;
use owlbox_base::values::{Currency, Holder, PlayerId};
use owlbox_books::daybook::{DaybookCommand, FeeKind, Means, Month, OpeningBalance, Sum, Way};
use owlbox_books::ledger::Unit;
use owlbox_desk::books::daybook::ShownEntry;
use owlbox_desk::{Actor, Desk, Request};

/// The day of a month on which the month before it is closed.
const CLOSES_ON: u32 = 3;
/// How many months have been closed when the last of them is opened again.
const REOPENS_AFTER: usize = 5;

pub(super) struct Treasurer<'a> {
    desk: &'a Desk,
    clock: &'a DemoClock,
    treasurer: Actor,
    /// The second person, who also opens months again.
    admin: Actor,
    players: &'a [PlayerId],
    lots: Lots,
    /// How many months have been closed.
    closed: usize,
    /// The number of the newest record.
    newest: u32,
}

impl<'a> Treasurer<'a> {
    pub(super) fn new(
        (desk, clock): (&'a Desk, &'a DemoClock),
        staff: &Staff,
        players: &'a [PlayerId],
        seed: u64,
    ) -> Self {
        let (treasurer, admin, lots) = (staff.treasurer, staff.admin, Lots::of(seed, 3));
        Self { desk, clock, treasurer, admin, players, lots, closed: 0, newest: 0 }
    }

    /// What there was before the club kept its books here.
    pub(super) async fn takes_over(&mut self) -> Result<(), DemoError> {
        let unit = Unit::Money(self.currency()?);
        let mut balances = vec![
            OpeningBalance { holder: Holder::House, unit, amount: 25_000 },
            OpeningBalance { holder: Holder::Bank, unit, amount: 120_000 },
        ];
        for player in self.lots.some(self.players, 10) {
            let amount = self.lots.amount(30) - 1_550;
            balances.push(OpeningBalance { holder: player.into(), unit, amount });
            let amount = amount / 50;
            balances.push(OpeningBalance { holder: player.into(), unit: Unit::HalfPoints, amount });
        }
        self.note(DaybookCommand::OpenBalances { balances, on: None, memo: None }).await
    }

    /// What the treasurer does in the morning of a day of the year, so many days after its first.
    pub(super) async fn morning(&mut self, day: NaiveDate, passed: usize) -> Result<(), DemoError> {
        let month = Month::of(day);
        if month.first_day() == day {
            self.month_begins().await?;
        }
        if passed > 27 && month.first_day().checked_add_days(Days::new(u64::from(CLOSES_ON - 1))) == Some(day)
        {
            self.closes(month.previous()).await?;
        }
        if passed % 7 == 3 {
            self.week(day).await?;
        }
        Ok(())
    }

    /// Everybody is charged the half-year's fee; the rent is paid, and money brought to the bank.
    async fn month_begins(&mut self) -> Result<(), DemoError> {
        let currency = self.currency()?;
        if self.closed.is_multiple_of(6) {
            for players in self.players.chunks(100) {
                self.note(DaybookCommand::Charge {
                    players: players.to_vec(),
                    fee: FeeKind::Membership,
                    currency,
                    amount: Sum::try_from(2_500)?,
                    on: None,
                    memo: Some("half a year".parse()?),
                })
                .await?;
            }
        }
        let (amount, memo) = (Sum::try_from(18_000)?, "rent of the room".parse()?);
        self.note(DaybookCommand::Spend { currency, amount, means: Means::Bank, on: None, memo }).await?;
        let amount = Sum::try_from(self.lots.amount(60))?;
        self.note(DaybookCommand::Deposit { currency, amount, way: Way::ToBank, on: None, memo: None }).await
    }

    /// Closes a month. One is opened again, gets a late record, and is closed again.
    async fn closes(&mut self, month: Month) -> Result<(), DemoError> {
        self.note(DaybookCommand::CloseMonth { month }).await?;
        self.closed += 1;
        if self.closed == REOPENS_AFTER {
            let reason = "a receipt was found".parse()?;
            self.desk.record(Request::by(self.admin), DaybookCommand::ReopenMonth { month, reason }).await?;
            let (currency, amount) = (self.currency()?, Sum::try_from(4_350)?);
            let (on, memo) = (Some(month.last_day()), "boards".parse()?);
            self.note(DaybookCommand::Spend { currency, amount, means: Means::Cash, on, memo }).await?;
            self.note(DaybookCommand::CloseMonth { month }).await?;
        }
        Ok(())
    }

    /// A week's payments, fees and corrections.
    async fn week(&mut self, day: NaiveDate) -> Result<(), DemoError> {
        let currency = self.currency()?;
        let players = self.lots.some(self.players, 6);
        let (fee, amount) = (FeeKind::TableMoney, Sum::try_from(300)?);
        self.note(DaybookCommand::Charge { players, fee, currency, amount, on: None, memo: None }).await?;
        for player in self.lots.some(self.players, 8) {
            // In full, in part, or more than is due; now and then recorded days later.
            let amount = [2_500, 1_250, 3_000][self.lots.below(3)];
            let on = day.checked_sub_days(Days::new(u64::try_from(self.lots.below(9)).unwrap_or(0)));
            let means = if self.lots.once_in(2) { Means::Bank } else { Means::Cash };
            let on = on.filter(|_| self.lots.once_in(3));
            self.pay([player.into(), Holder::House], amount, means, on).await?;
        }
        if let [payer, payee, third, ..] = *self.lots.some(self.players, 3).as_slice() {
            let amount = self.lots.amount(20);
            self.pay([payer.into(), payee.into()], amount, Means::Cash, None).await?;
            let amount = self.lots.amount(5);
            self.pay([Holder::House, third.into()], amount, Means::Cash, None).await?;
            self.adjust(payer, payee).await?;
        }
        match self.lots.below(4) {
            0 => self.count().await,
            1 => self.take_back().await,
            2 => {
                let (amount, memo) = (Sum::try_from(self.lots.amount(80))?, "a donation".parse()?);
                self.note(DaybookCommand::Receive { currency, amount, means: Means::Bank, on: None, memo })
                    .await
            }
            _ => Ok(()),
        }
    }

    /// Moves something from one player to another: a little money alone, more of it or points with a second
    /// person.
    async fn adjust(&mut self, from: PlayerId, to: PlayerId) -> Result<(), DemoError> {
        let unit = if self.lots.once_in(3) { Unit::HalfPoints } else { Unit::Money(self.currency()?) };
        let amount = match unit {
            Unit::HalfPoints => 1 + self.lots.amount(8) / 100,
            Unit::Money(_) => self.lots.amount(40),
        };
        let (from, to, amount, memo) = (from.into(), to.into(), Sum::try_from(amount)?, "a mistake".parse()?);
        self.note(DaybookCommand::Adjust { from, to, unit, amount, on: None, memo }).await
    }

    /// Counts the drawer: mostly it is a little off.
    async fn count(&mut self) -> Result<(), DemoError> {
        let currency = self.currency()?;
        let money = self.desk.club_money(&self.treasurer).await?;
        let drawer = money.iter().find(|money| money.currency == currency).map_or(0, |money| money.drawer);
        let counted = (drawer + self.lots.amount(4) - 250).max(0);
        unless_refused(self.note(DaybookCommand::Count { currency, counted, memo: None }).await).map(drop)
    }

    /// Takes one of the newest records back, if it still stands.
    async fn take_back(&mut self) -> Result<(), DemoError> {
        let back = u32::try_from(self.lots.below(40)).unwrap_or(0);
        let (entry, reason) = (self.newest.saturating_sub(back).max(1), "entered twice".parse()?);
        unless_refused(self.note(DaybookCommand::TakeBack { entry, reason }).await).map(drop)
    }

    async fn pay(
        &mut self,
        [payer, payee]: [Holder; 2],
        amount: i64,
        means: Means,
        on: Option<NaiveDate>,
    ) -> Result<(), DemoError> {
        let (currency, amount) = (self.currency()?, Sum::try_from(amount)?);
        self.note(DaybookCommand::Pay { payer, payee, currency, amount, means, on, memo: None }).await
    }

    async fn note(&mut self, order: DaybookCommand) -> Result<(), DemoError> {
        self.clock.advance(chrono::TimeDelta::seconds(20));
        let is_routine = !matches!(order, DaybookCommand::Adjust { .. } | DaybookCommand::TakeBack { .. });
        let noted = self.desk.record(Request::by(self.treasurer), order).await?;
        let Some(ShownEntry { number, proposes, .. }) = noted.entry else { return Ok(()) };
        self.newest = self.newest.max(number);
        if proposes.is_some() { self.second_person(number, is_routine).await } else { Ok(()) }
    }

    /// The second person looks at what waits, and declines some of what is no routine.
    async fn second_person(&mut self, entry: u32, is_routine: bool) -> Result<(), DemoError> {
        let answer = if !is_routine && self.lots.once_in(4) {
            DaybookCommand::Decline { entry, reason: "not agreed".parse()? }
        } else {
            DaybookCommand::Approve { entry }
        };
        self.desk.record(Request::by(self.admin), answer).await?;
        Ok(())
    }

    fn currency(&self) -> Result<Currency, DemoError> {
        Ok("EUR".parse()?)
    }
}
