//! The tournaments of the year: late entries and withdrawals, payments in full and in part, results
//! corrected, prizes and side pools; one in twelve is cancelled.

use chrono::TimeDelta;

use super::lots::Lots;
use super::unless_refused;
use crate::cli::demo::DemoError;
use crate::cli::demo::clock::DemoClock;
use crate::cli::demo::tournaments::{Director, OPEN, lengths};
use owlbox_base::journal::Steps;
use owlbox_base::values::{InvalidValue, PlayerId, TournamentId};
use owlbox_desk::commands::history::HistoryCommand::{Redo, Undo};
use owlbox_desk::tournaments::Order;
use owlbox_desk::{Actor, Desk, Dice, Request};
use owlbox_play::matches::{MatchNo, Slot};
use owlbox_play::tournament::bracket::{Consolation, EntryNo, Format, Later};
use owlbox_play::tournament::command::{MatchEnded, NewEntry, When};
use owlbox_play::tournament::settings::{DivisionSettings, Fee, Fees, SidePool};
use owlbox_play::tournament::{Command, Tournament};

/// A bound on the matches of one event.
const MOST_MATCHES: usize = 80;

pub(super) struct Tournaments<'a> {
    directing: Director<'a>,
    players: &'a [PlayerId],
    lots: Lots,
}

impl<'a> Tournaments<'a> {
    pub(super) fn new(
        (desk, clock): (&'a Desk, &'a DemoClock),
        director: Actor,
        players: &'a [PlayerId],
        seed: u64,
    ) -> Self {
        let directing = Director { desk, clock, director, chance: Dice::seeded(seed) };
        Self { directing, players, lots: Lots::of(seed, 2) }
    }

    /// One tournament, from its announcement to the last payment of the day.
    pub(super) async fn event(&mut self, number: usize) -> Result<(), DemoError> {
        let many = 6 + self.lots.below(8);
        let come = self.lots.some(self.players, many);
        let (early, late) = come.split_at(come.len() - self.lots.below(3));
        let about = self.directing.about(&format!("Event {}", number + 1))?;
        let settings = self.settings()?;
        let id = self.directing.opened(about, settings, early).await?;
        self.before_the_draw(id).await?;
        self.directing.drawn(id).await?;
        for &player in late {
            let entries = vec![NewEntry { player, side_pools: Vec::new() }];
            self.perhaps(id, Command::Enter { division: OPEN, entries }).await?;
        }
        for &player in &come {
            self.pays(id, player).await?;
        }
        if number % 12 == 7 {
            return self.perhaps(id, Command::Cancel { reason: "the heating failed".parse()? }).await;
        }
        self.play(id).await?;
        self.perhaps(id, Command::Award { division: OPEN, awards: None }).await?;
        if self.lots.once_in(3) {
            self.correct(id).await?;
            self.play(id).await?;
            self.perhaps(id, Command::Award { division: OPEN, awards: None }).await?;
        }
        self.perhaps(id, Command::Close { keep: Vec::new(), reason: None }).await?;
        for &player in &come {
            self.pays(id, player).await?;
        }
        Ok(())
    }

    fn settings(&mut self) -> Result<DivisionSettings, InvalidValue> {
        let fee = |amount: i64| Fee::try_from(amount.unsigned_abs());
        let consolation = [Consolation::Progressive, Consolation::Nobody][self.lots.below(2)];
        let pool = SidePool { name: "Jackpot".parse()?, stake: fee(self.lots.amount(10))? };
        Ok(DivisionSettings {
            format: Format { consolation, ..Format::default() },
            lengths: lengths(&[7, 5, 3])?,
            fees: Fees {
                entry: fee(self.lots.amount(30))?,
                registration: fee(self.lots.amount(5))?,
                re_entry: Fee::NONE,
            },
            side_pools: vec![pool],
            kept: [0, 500, 1_000][self.lots.below(3)],
            ..DivisionSettings::default()
        })
    }

    /// Somebody leaves before the draw, the house adds to the prizes, somebody joins the side pool after all.
    async fn before_the_draw(&mut self, id: TournamentId) -> Result<(), DemoError> {
        if self.lots.once_in(3) {
            let entry = EntryNo(1 + self.below(4));
            self.perhaps(id, Command::Withdraw { division: OPEN, entry, when: When::Now }).await?;
        }
        if self.lots.once_in(3) {
            let amount = Fee::try_from(self.lots.amount(50).unsigned_abs())?;
            self.perhaps(id, Command::AddMoney { division: OPEN, amount }).await?;
        }
        let entry = EntryNo(2 + self.below(4));
        self.perhaps(id, Command::JoinPools { division: OPEN, entry, side_pools: vec![0] }).await
    }

    /// Plays all matches that can be played. Now and then a result is taken back and put back, one was
    /// entered wrongly, or somebody goes home.
    async fn play(&mut self, id: TournamentId) -> Result<(), DemoError> {
        for _ in 0..MOST_MATCHES {
            let Some(number) = self.directing.next_to_play(id).await? else { break };
            match self.lots.below(14) {
                0 => self.walkover(id, number).await?,
                1 => {
                    self.directing.result(id, number).await?;
                    self.history(id, true).await?;
                    self.history(id, false).await?;
                }
                2 => {
                    self.directing.result(id, number).await?;
                    self.correct(id).await?;
                }
                3 => {
                    let entry = EntryNo(1 + self.below(6));
                    self.perhaps(id, Command::Withdraw { division: OPEN, entry, when: When::AfterMatch })
                        .await?;
                    self.directing.result(id, number).await?;
                }
                _ => self.directing.result(id, number).await?,
            }
        }
        Ok(())
    }

    async fn walkover(&mut self, id: TournamentId, number: MatchNo) -> Result<(), DemoError> {
        let winner = if self.lots.once_in(2) { Slot::Upper } else { Slot::Lower };
        let ended = MatchEnded::Walkover { winner };
        self.directing
            .tell(id, Command::Result { division: OPEN, number, ended, players: None, withdraws: Vec::new() })
            .await
            .map(drop)
    }

    /// A result of the first round was the other way round.
    async fn correct(&mut self, id: TournamentId) -> Result<(), DemoError> {
        let number = MatchNo(1 + self.below(4));
        let winner = if self.lots.once_in(2) { Slot::Upper } else { Slot::Lower };
        let ended = Some(MatchEnded::Forfeit { winner, score: None });
        let later = if self.lots.once_in(2) { Later::Stands } else { Later::Void };
        self.perhaps(id, Command::Correct { division: OPEN, number, ended, later, withdraws: Vec::new() })
            .await
    }

    async fn history(&mut self, id: TournamentId, back: bool) -> Result<(), DemoError> {
        let one =
            if back { Undo { act: None, acts: Steps::ONE } } else { Redo { act: None, acts: Steps::ONE } };
        let director = Request::by(self.directing.director);
        self.directing.clock.advance(TimeDelta::seconds(30));
        self.directing.desk.command::<Tournament>(director, id, Order::History(one)).await?;
        Ok(())
    }

    /// A player pays, or is paid, everything, a part of it, or nothing yet. Now and then that was a mistake.
    async fn pays(&mut self, id: TournamentId, player: PlayerId) -> Result<(), DemoError> {
        match self.lots.below(6) {
            0 => {}
            1 => {
                let amount = Fee::try_from(self.lots.amount(5).unsigned_abs())?;
                let owes = self.directing.desk.find::<Tournament>(id).await?.state.account(player) < 0;
                let command = if owes {
                    Command::PayIn { player, amount, account: None }
                } else {
                    Command::PayOut { player, amount, account: None }
                };
                self.perhaps(id, command).await?;
            }
            2 => {
                let before = self.directing.desk.find::<Tournament>(id).await?.version;
                self.directing.settle(id, player).await?;
                if self.directing.desk.find::<Tournament>(id).await?.version > before {
                    self.history(id, true).await?;
                }
            }
            _ => self.directing.settle(id, player).await?,
        }
        Ok(())
    }

    /// Gives a command that the rules may refuse.
    async fn perhaps(&mut self, id: TournamentId, command: Command) -> Result<(), DemoError> {
        unless_refused(self.directing.tell(id, command).await).map(drop)
    }

    fn below(&mut self, many: usize) -> u32 {
        u32::try_from(self.lots.below(many)).unwrap_or(0)
    }
}
