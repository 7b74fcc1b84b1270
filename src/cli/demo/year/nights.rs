//! The nights of the year: tables by several house rules, money sessions and friendly matches beside them,
//! what is put right at once or weeks later, and settling up.

use chrono::{NaiveDate, TimeDelta};

use super::lots::Lots;
use super::unless_refused;
use crate::cli::demo::DemoError;
use crate::cli::demo::clock::DemoClock;
use crate::cli::demo::evening::Evening;
use owlbox_base::journal::Steps;
use owlbox_base::values::{ChouetteId, InvalidValue, MatchId, PlayerId, Stake};
use owlbox_books::ledger::Unit;
use owlbox_chouette::rules::{LoneTaker, LoneTakerRules, PartnerRules, PartnerWhen};
use owlbox_chouette::{Command, HouseRules, Phase, Side};
use owlbox_desk::chouettes::NewChouette;
use owlbox_desk::matches::{self, NewMatch};
use owlbox_desk::{Actor, Desk, Dice, Request};
use owlbox_engine::game::{BoardRules, CubeOptions};
use owlbox_engine::{Animals, CubeValue, Win};
use owlbox_play::matches::score::Length;
use owlbox_play::matches::{Command as SheetCommand, Entered, GameEnding, Sheet, Slot, Terms};
use owlbox_play::tournament::settings::DivisionSettings;

/// The house rules of tables at which anything legal happens.
const RULES: [&str; 5] = ["los_angeles", "atlanta", "single_cube", "rulebook", "tavli"];
const WINS: [Win; 3] = [Win::Single, Win::Gammon, Win::Backgammon];
const CUBES: [u32; 4] = [1, 2, 4, 8];

/// House rules with everything in them that only some tables have: a partner, extras and beavers.
fn own_rules() -> Result<HouseRules, InvalidValue> {
    Ok(HouseRules {
        animals: Animals::Beaver,
        lone_taker: LoneTakerRules { rule: LoneTaker::Extras, ..LoneTakerRules::default() },
        partner: PartnerRules { when: PartnerWhen::Optional, from: 4.try_into()?, ..PartnerRules::default() },
        ..HouseRules::default()
    })
}

pub(super) struct Nights<'a> {
    evening: Evening<'a>,
    /// Who keeps the sheets of games between two.
    director: Actor,
    players: &'a [PlayerId],
    lots: Lots,
    /// The tables of nights that are over.
    over: Vec<ChouetteId>,
    /// The table whose newest act was a late payment.
    paid_late: Option<ChouetteId>,
}

impl<'a> Nights<'a> {
    pub(super) fn new(
        (desk, clock): (&'a Desk, &'a DemoClock),
        [scorer, director]: [Actor; 2],
        players: &'a [PlayerId],
        seed: u64,
    ) -> Self {
        let lots = Lots::of(seed, 1);
        let evening = Evening { desk, clock, scorer, chance: Dice::seeded(seed), chouette: None };
        Self { evening, director, players, lots, over: Vec::new(), paid_late: None }
    }

    /// One night, from its first table to settling up.
    pub(super) async fn night(&mut self, number: usize, day: NaiveDate) -> Result<(), DemoError> {
        if number % 3 == 2 {
            self.put_right().await?;
        }
        let tables = [1, 1, 2].get(self.lots.below(3)).copied().unwrap_or(1);
        let come = self.lots.some(self.players, 7 * tables);
        let (mut tonight, mut currencies) = (Vec::new(), Vec::new());
        for (table, seats) in come.chunks(7).enumerate() {
            let (seats, others) = seats.split_at(4 + self.lots.below(3));
            let stake = self.stake()?;
            currencies.extend(stake.map(|stake| stake.currency));
            if (number + table).is_multiple_of(3) {
                self.anything(stake, seats).await?;
            } else {
                self.as_usual(stake, seats, others).await?;
            }
            tonight.extend(self.evening.chouette);
        }
        if let Some(&currency) = currencies.first()
            && self.lots.once_in(2)
        {
            self.settle(day, Unit::Money(currency)).await?;
        }
        self.over.extend(tonight);
        let pair = self.lots.some(&come, 2);
        if let [one, other] = pair.as_slice() {
            match number % 4 {
                0 | 1 => self.session([*one, *other]).await?,
                2 => self.friendly([*one, *other]).await?,
                _ => {}
            }
        }
        Ok(())
    }

    /// What a table plays for: mostly euros, now and then francs, or points only.
    fn stake(&mut self) -> Result<Option<Stake>, InvalidValue> {
        let (amount, currency) = match self.lots.below(6) {
            0 => return Ok(None),
            1 => (200, "CHF"),
            _ => (500, "EUR"),
        };
        Ok(Some(Stake { amount: amount.try_into()?, currency: currency.parse()? }))
    }

    /// A table by the common rules, at which mistakes are made and put right.
    async fn as_usual(
        &mut self,
        stake: Option<Stake>,
        seats: &[PlayerId],
        others: &[PlayerId],
    ) -> Result<(), DemoError> {
        let new = NewChouette { name: "Main table".to_owned(), stake, rules: None, house_rules: None };
        self.evening.opened(new, seats).await?;
        let games = 4 + self.lots.below(4);
        for game in 1..=games {
            self.evening.game().await?;
            match self.lots.below(8) {
                0 => {
                    self.evening.undo().await?;
                    self.evening.redo().await?;
                }
                1 => self.otherwise().await?,
                2 => self.correct().await?,
                3 if game < games => {
                    let known: Vec<PlayerId> = seats.iter().chain(others).copied().collect();
                    self.evening.come_and_go(&known).await?;
                }
                _ => {}
            }
        }
        self.evening.tell(Command::Close {}).await.map(drop)
    }

    /// The end of a game is taken back, and the game ends otherwise.
    async fn otherwise(&mut self) -> Result<(), DemoError> {
        let table = self.evening.undo().await?;
        if table.phase() == Phase::Playing {
            let winner = if self.lots.once_in(2) { Side::Box } else { Side::Team };
            if unless_refused(self.evening.tell(Command::Finish { winner, win: Win::Single }).await)?
                .is_none()
            {
                self.evening.redo().await?;
            }
        }
        Ok(())
    }

    /// One of the table's games turns out to have ended otherwise.
    async fn correct(&mut self) -> Result<(), DemoError> {
        let games = self.evening.state().await?.games_finished();
        let game = 1 + u32::try_from(self.lots.below(usize::try_from(games).unwrap_or(1))).unwrap_or(0);
        let winner = Some(if self.lots.once_in(2) { Side::Box } else { Side::Team });
        let command = Command::Correct { game, winner, win: self.lots.one(&WINS), bets: Vec::new() };
        unless_refused(self.evening.tell(command).await).map(drop)
    }

    /// A table by one of the other house rules, at which anything legal happens.
    async fn anything(&mut self, stake: Option<Stake>, seats: &[PlayerId]) -> Result<(), DemoError> {
        let named = self.lots.one(&RULES).filter(|_| self.lots.once_in(2)).map(str::to_owned);
        let rules = if named.is_none() { Some(own_rules()?) } else { None };
        let new = NewChouette { name: "Second table".to_owned(), stake, rules, house_rules: named };
        self.evening.opened(new, seats).await?;
        self.evening.free_play(&mut self.lots, 50).await?;
        if unless_refused(self.evening.tell(Command::Close {}).await)?.is_none() {
            for &player in seats {
                unless_refused(self.evening.tell(Command::Leave { player, proxy: None }).await)?;
            }
        }
        Ok(())
    }

    /// Everybody pays what they owe. Now and then that is taken back, and mostly put back again.
    async fn settle(&mut self, night: NaiveDate, unit: Unit) -> Result<(), DemoError> {
        let request = Request::by(self.evening.scorer);
        self.evening.clock.advance(TimeDelta::minutes(1));
        let settled = self.evening.desk.settle_night(request, night, unit, None).await;
        let settled = unless_refused(settled.map_err(DemoError::from))?;
        // At any of its tables it is the newest act.
        let table = settled.and_then(|settled| Some(settled.tables.first()?.id));
        if table.is_some() && self.lots.once_in(4) {
            self.evening.chouette = table;
            self.evening.undo().await?;
            if !self.lots.once_in(3) {
                self.evening.redo().await?;
            }
        }
        Ok(())
    }

    /// Something about a table of the last weeks is put right: a game, a payment, or a payment that was none.
    async fn put_right(&mut self) -> Result<(), DemoError> {
        let recent = self.over.len().saturating_sub(20);
        self.evening.chouette = self.lots.one(self.over.get(recent..).unwrap_or_default());
        if self.evening.chouette.is_none() {
            return Ok(());
        }
        if self.paid_late == self.evening.chouette || self.lots.once_in(2) {
            return self.correct().await;
        }
        if let Some(table) = self.paid_late.take() {
            self.evening.chouette = Some(table);
            unless_refused(self.evening.undo().await)?;
            return Ok(());
        }
        let known: Vec<PlayerId> = self.evening.state().await?.known().collect();
        if let [payer, payee, ..] = self.lots.some(&known, 2).as_slice() {
            let command = Command::Pay { payer: *payer, payee: *payee, amount: self.lots.amount(20) };
            let paid = unless_refused(self.evening.tell(command).await)?;
            self.paid_late = self.evening.chouette.filter(|_| paid.is_some());
        }
        Ok(())
    }

    /// A money session between two, with what is put right in one.
    async fn session(&mut self, players: [PlayerId; 2]) -> Result<(), DemoError> {
        let stake = self.stake()?;
        let terms = Terms::Money { stake, cube: CubeOptions::default(), game: BoardRules::default() };
        let id = self.opened(players, terms).await?;
        for _ in 0..4 + self.lots.below(4) {
            let game = self.entered()?;
            self.tell(id, SheetCommand::Game(game)).await?;
            match self.lots.below(7) {
                0 => unless_refused(self.tell(id, SheetCommand::Draw {}).await).map(drop)?,
                1 => self.undone(id).await?,
                2 => {
                    let now = self.entered()?;
                    unless_refused(self.tell(id, SheetCommand::Correct { game: 1, now }).await)?;
                }
                _ => {}
            }
        }
        for by in [Slot::Upper, Slot::Lower] {
            let amount = self.lots.amount(10);
            unless_refused(self.tell(id, SheetCommand::Pay { by, amount }).await)?;
        }
        if self.lots.once_in(2) {
            self.tell(id, SheetCommand::Close {}).await?;
        }
        Ok(())
    }

    /// A match to five points, mostly played to its end and mostly for a stake, with what is put right in
    /// one.
    async fn friendly(&mut self, players: [PlayerId; 2]) -> Result<(), DemoError> {
        let mut terms = DivisionSettings::default().terms(Length::try_from(5)?, true);
        if let Terms::Match { stake, .. } = &mut terms {
            *stake = self.stake()?;
        }
        let id = self.opened(players, terms).await?;
        for _ in 0..10 {
            let game = Entered { cube: CubeValue::ONE, ..self.entered()? };
            if unless_refused(self.tell(id, SheetCommand::Game(game)).await)?.is_none() {
                break;
            }
        }
        if self.lots.once_in(3) {
            let now = Entered { cube: CubeValue::ONE, ..self.entered()? };
            unless_refused(self.tell(id, SheetCommand::Correct { game: 1, now }).await)?;
        }
        for by in [Slot::Upper, Slot::Lower] {
            let amount = self.lots.amount(10);
            unless_refused(self.tell(id, SheetCommand::Pay { by, amount }).await)?;
        }
        if self.lots.once_in(4) {
            self.undone(id).await?;
        }
        Ok(())
    }

    async fn opened(&mut self, players: [PlayerId; 2], terms: Terms) -> Result<MatchId, DemoError> {
        let new = NewMatch { players, terms, clock: None };
        Ok(self.evening.desk.open::<Sheet>(Request::by(self.director), new).await?.id)
    }

    fn entered(&mut self) -> Result<Entered, InvalidValue> {
        let winner = if self.lots.once_in(2) { Slot::Upper } else { Slot::Lower };
        let began = [None, Some(Slot::Upper), Some(Slot::Lower)].get(self.lots.below(3)).copied().flatten();
        let win = self.lots.one(&WINS).filter(|_| self.lots.once_in(3)).unwrap_or(Win::Single);
        let cube = CubeValue::try_from(self.lots.one(&CUBES).unwrap_or(1))?;
        Ok(Entered { winner, win, cube, how: GameEnding::default(), turned: None, began })
    }

    async fn tell(&mut self, id: MatchId, command: SheetCommand) -> Result<(), DemoError> {
        self.order(id, matches::Order::Command(command)).await
    }

    /// The newest act is taken back; every second time it is put back.
    async fn undone(&mut self, id: MatchId) -> Result<(), DemoError> {
        use owlbox_desk::commands::history::HistoryCommand::{Redo, Undo};
        self.order(id, matches::Order::History(Undo { act: None, acts: Steps::ONE })).await?;
        if self.lots.once_in(2) {
            self.order(id, matches::Order::History(Redo { act: None, acts: Steps::ONE })).await?;
        }
        Ok(())
    }

    async fn order(&mut self, id: MatchId, order: matches::Order) -> Result<(), DemoError> {
        self.evening.clock.advance(TimeDelta::minutes(2));
        self.evening.desk.command::<Sheet>(Request::by(self.director), id, order).await?;
        Ok(())
    }
}
