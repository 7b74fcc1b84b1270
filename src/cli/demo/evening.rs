//! An evening at one table of the demonstration: games as people play them, with the cubes and the wins of
//! recorded ones.

use chrono::TimeDelta;

use super::DemoError;
use super::clock::DemoClock;
use owlbox_base::journal::{Chance as _, Steps};
use owlbox_base::values::{ChouetteId, PlayerId};
use owlbox_chouette::{Chouette, Command, Side};
use owlbox_desk::chouettes::{NewChouette, Order};
use owlbox_desk::commands::history::HistoryCommand;
use owlbox_desk::{Actor, Desk, Dice, Refused, Request};
use owlbox_engine::Win;

/// The plan for a game: how often the captain's cube is turned, and the kind of win. `None` means a drop.
type Plan = Option<(u32, Win)>;

/// Game values of recorded games, cube times win: how many games had the value, and the plans that lead to
/// it.
const RECORDED: [(u32, &[Plan]); 6] = [
    (883, &[Some((0, Win::Single)), None]),
    (740, &[Some((1, Win::Single)), Some((1, Win::Single)), Some((0, Win::Gammon))]),
    (442, &[Some((1, Win::Gammon)), Some((2, Win::Single)), Some((0, Win::Backgammon))]),
    (125, &[Some((2, Win::Gammon)), Some((3, Win::Single)), Some((1, Win::Backgammon))]),
    (23, &[Some((3, Win::Gammon)), Some((4, Win::Single))]),
    (2, &[Some((4, Win::Gammon))]),
];

fn planned(chance: &mut Dice) -> Plan {
    let all: u32 = RECORDED.iter().map(|(games, _)| games).sum();
    let mut drawn = chance.below(all);
    for (games, plans) in RECORDED {
        match drawn.checked_sub(games) {
            Some(rest) => drawn = rest,
            None => {
                let sides = u32::try_from(plans.len()).unwrap_or(1);
                let place = usize::try_from(chance.below(sides)).unwrap_or(0);
                return plans.get(place).copied().flatten();
            }
        }
    }
    None
}

/// An evening at one table.
pub(super) struct Evening<'a> {
    pub(super) desk: &'a Desk,
    pub(super) clock: &'a DemoClock,
    pub(super) scorer: Actor,
    pub(super) chance: Dice,
    /// The table; none before one was opened.
    pub(super) chouette: Option<ChouetteId>,
}

impl Evening<'_> {
    /// Opens a table. These players sit down and roll for the order.
    pub(super) async fn opened(&mut self, new: NewChouette, players: &[PlayerId]) -> Result<(), DemoError> {
        let answer = self.desk.open::<Chouette>(Request::by(self.scorer), new).await?;
        self.chouette = Some(answer.id);
        for &player in players {
            self.tell(Command::Join { player }).await?;
        }
        self.tell(Command::DrawOrder {}).await.map(drop)
    }

    /// The table as it stands.
    pub(super) async fn state(&self) -> Result<Chouette, DemoError> {
        let chouette = self.chouette.ok_or(Refused::NotFound("chouette"))?;
        Ok(self.desk.find::<Chouette>(chouette).await?.state.clone())
    }

    /// Gives a command. Returns the state of the table after it.
    pub(super) async fn tell(&mut self, command: Command) -> Result<Chouette, DemoError> {
        self.order(Order::Command(command)).await
    }

    /// Takes back the newest act.
    pub(super) async fn undo(&mut self) -> Result<Chouette, DemoError> {
        self.order(Order::History(HistoryCommand::Undo { act: None, acts: Steps::ONE })).await
    }

    /// Puts back the act that was taken back last.
    pub(super) async fn redo(&mut self) -> Result<Chouette, DemoError> {
        self.order(Order::History(HistoryCommand::Redo { act: None, acts: Steps::ONE })).await
    }

    async fn order(&mut self, order: Order) -> Result<Chouette, DemoError> {
        let chouette = self.chouette.ok_or(Refused::NotFound("chouette"))?;
        self.clock.advance(TimeDelta::seconds(20));
        let answer = self.desk.command::<Chouette>(Request::by(self.scorer), chouette, order).await?;
        Ok(answer.stream.state.clone())
    }

    pub(super) async fn double(
        &mut self,
        player: PlayerId,
        against: Option<PlayerId>,
    ) -> Result<(), DemoError> {
        let against = against.map(|opponent| vec![opponent]);
        self.tell(Command::Double { player, against, rolled: false }).await.map(drop)
    }
    pub(super) async fn take(&mut self, player: PlayerId) -> Result<(), DemoError> {
        self.tell(Command::Take { player, against: None }).await.map(drop)
    }
    pub(super) async fn drop(&mut self, player: PlayerId) -> Result<(), DemoError> {
        self.tell(Command::Drop { player, against: None }).await.map(drop)
    }

    /// True once in so many times, at random.
    pub(super) fn once_in(&mut self, times: u32) -> bool {
        self.chance.below(times) == 0
    }

    /// Starts a game. Returns the box and the members, the captain first.
    pub(super) async fn started(&mut self) -> Result<(PlayerId, Vec<PlayerId>), DemoError> {
        let state = self.tell(Command::StartGame { refereed: false, variant: None }).await?;
        let members: Vec<PlayerId> = state.bets().iter().map(|bet| bet.team_side).collect();
        let box_player = state.box_player().ok_or(Refused::NotFound("box"))?;
        Ok((box_player, members))
    }

    pub(super) async fn game(&mut self) -> Result<(), DemoError> {
        let (box_player, members) = self.started().await?;
        let box_first = self.once_in(2);
        let Some((turns, win)) = planned(&mut self.chance) else {
            return self.dropped_game(box_player, &members, box_first).await;
        };
        let Some(&captain) = members.first() else { return Ok(()) };
        for turn in 1..=turns {
            let box_doubles = (turn % 2 == 1) == box_first;
            match (turn, box_doubles) {
                (1, true) => self.box_doubles_all(box_player, &members).await?,
                (1, false) => self.team_doubles(box_player, &members).await?,
                // After the first turn the plan is for the captain's cube only.
                (_, true) => {
                    self.double(box_player, Some(captain)).await?;
                    self.take(captain).await?;
                }
                (_, false) => {
                    self.double(captain, None).await?;
                    self.take(box_player).await?;
                }
            }
        }
        self.clock.advance(TimeDelta::minutes(i64::from(4 + self.chance.below(5))));
        let winner = if self.once_in(2) { Side::Box } else { Side::Team };
        self.tell(Command::Finish { winner, win }).await.map(drop)
    }

    async fn dropped_game(
        &mut self,
        box_player: PlayerId,
        members: &[PlayerId],
        box_doubles: bool,
    ) -> Result<(), DemoError> {
        self.clock.advance(TimeDelta::minutes(3));
        if box_doubles {
            self.double(box_player, None).await?;
            for &member in members {
                self.drop(member).await?;
            }
            return Ok(());
        }
        for &member in members {
            self.double(member, None).await?;
        }
        self.drop(box_player).await
    }

    /// The box doubles everybody. The captain and most of the others take.
    async fn box_doubles_all(&mut self, box_player: PlayerId, members: &[PlayerId]) -> Result<(), DemoError> {
        self.double(box_player, None).await?;
        for (place, &member) in members.iter().enumerate() {
            if place > 0 && self.once_in(4) {
                self.drop(member).await?;
            } else {
                self.take(member).await?;
            }
        }
        Ok(())
    }

    /// The captain and about half of the others double, and the box takes.
    async fn team_doubles(&mut self, box_player: PlayerId, members: &[PlayerId]) -> Result<(), DemoError> {
        for (place, &member) in members.iter().enumerate() {
            if place == 0 || self.once_in(2) {
                self.double(member, None).await?;
            }
        }
        self.take(box_player).await
    }

    /// One player leaves, and another sits down.
    pub(super) async fn come_and_go(&mut self, players: &[PlayerId]) -> Result<(), DemoError> {
        let chouette = self.chouette.ok_or(Refused::NotFound("chouette"))?;
        let present = self.desk.find::<Chouette>(chouette).await?.state.present();
        let away: Vec<PlayerId> =
            players.iter().filter(|player| !present.contains(player)).copied().collect();
        let draw = |chance: &mut Dice, of: &[PlayerId]| {
            let sides = u32::try_from(of.len()).unwrap_or(1).max(1);
            usize::try_from(chance.below(sides)).ok().and_then(|place| of.get(place).copied())
        };
        if let Some(player) = draw(&mut self.chance, &present) {
            self.tell(Command::Leave { player, proxy: None }).await?;
        }
        if let Some(player) = draw(&mut self.chance, &away) {
            self.tell(Command::Join { player }).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn games_are_worth_what_was_recorded() {
        let mut chance = Dice::seeded(1);
        let mut values: BTreeMap<u32, u32> = BTreeMap::new();
        for _ in 0..2215 {
            let value = planned(&mut chance).map_or(1, |(turns, win)| (1 << turns) * win.multiplier());
            *values.entry(value.next_power_of_two()).or_default() += 1;
        }
        for (value, recorded) in [(1, 883), (2, 740), (4, 442), (8, 125), (16, 23)] {
            let drawn = f64::from(values[&value]);
            let off = (drawn - f64::from(recorded)).abs();
            assert!(off < 4.0 * f64::from(recorded).sqrt(), "{value}: {drawn} for {recorded}");
        }
    }
}
