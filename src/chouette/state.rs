//! The state of a chouette: what its events add up to. Applying an event computes no rule.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::chouette::bet::{Bet, BetStanding, SettledBy, Side};
use crate::chouette::command::Command;
use crate::chouette::decide;
use crate::chouette::event::{DroppedBet, Event, FinishedGame, OpenedBet, TurnedBet};
use crate::chouette::game::{Game, score_of};
use crate::chouette::legal::{self, Legal};
use crate::chouette::order::Seats;
use crate::chouette::refusal::Refusal;
use crate::chouette::rules::HouseRules;
use crate::chouette::view::{Score, View};
use crate::engine::Cube;
use crate::journal::{Aggregate, Given};
use crate::values::{HalfPoints, PlayerId, Stake, Timestamp};

/// What is going on at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Nothing has happened yet, not even opening.
    Unopened,
    /// Players come; nobody has rolled for the order.
    Gathering,
    /// Some tied and have to roll again.
    Ordering,
    /// The line stands, and no game is on.
    BetweenGames,
    /// A game is on.
    Playing,
    /// The night is over.
    Closed,
}

/// A chouette: one night at one table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chouette {
    name: String,
    night: NaiveDate,
    stake: Option<Stake>,
    rules: HouseRules,
    opened_at: Option<Timestamp>,
    closed_at: Option<Timestamp>,
    pub(super) seats: Seats,
    game: Option<Game>,
    games_finished: u32,
    booked: BTreeMap<PlayerId, HalfPoints>,
}

impl Chouette {
    /// What the table is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The night it belongs to.
    #[must_use]
    pub const fn night(&self) -> NaiveDate {
        self.night
    }
    /// What a point is worth, if money is played for.
    #[must_use]
    pub const fn stake(&self) -> Option<Stake> {
        self.stake
    }
    /// The rules in force.
    #[must_use]
    pub const fn rules(&self) -> &HouseRules {
        &self.rules
    }
    /// When it was opened.
    #[must_use]
    pub const fn opened_at(&self) -> Option<Timestamp> {
        self.opened_at
    }
    /// When it was closed.
    #[must_use]
    pub const fn closed_at(&self) -> Option<Timestamp> {
        self.closed_at
    }

    /// What is going on.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        match (&self.opened_at, &self.closed_at, &self.game, &self.seats) {
            (None, ..) => Phase::Unopened,
            (_, Some(_), ..) => Phase::Closed,
            (_, _, Some(_), _) => Phase::Playing,
            (.., Seats::Gathering { .. }) => Phase::Gathering,
            (.., Seats::Rolling { .. }) => Phase::Ordering,
            (.., Seats::Line { .. }) => Phase::BetweenGames,
        }
    }

    /// Everybody present, in order as far as there is one; who waits comes last.
    #[must_use]
    pub fn present(&self) -> Vec<PlayerId> {
        self.seats.present()
    }
    /// The line: box, captain, crew. Empty until the order is settled.
    #[must_use]
    pub fn line(&self) -> &[PlayerId] {
        self.seats.line()
    }
    /// Who came during the game and waits for its end.
    #[must_use]
    pub fn waiting(&self) -> &[PlayerId] {
        self.seats.waiting()
    }
    /// Who has sat here and gone.
    #[must_use]
    pub fn away(&self) -> Vec<PlayerId> {
        let present = self.present();
        self.booked.keys().filter(|player| !present.contains(player)).copied().collect()
    }
    /// Who has to roll for the order now.
    #[must_use]
    pub fn to_roll(&self) -> Vec<PlayerId> {
        self.seats.to_roll()
    }
    /// The seats as they are.
    #[must_use]
    pub const fn seats(&self) -> &Seats {
        &self.seats
    }

    /// The box: of the game in progress, or of the next.
    #[must_use]
    pub fn box_player(&self) -> Option<PlayerId> {
        match &self.game {
            Some(game) => Some(game.box_player),
            None => self.line().first().copied(),
        }
    }
    /// The captain who began the game in progress, or will begin the next.
    #[must_use]
    pub fn captain(&self) -> Option<PlayerId> {
        match &self.game {
            Some(game) => Some(game.captain),
            None => self.line().get(1).copied(),
        }
    }
    /// Who acts as captain in the game in progress: the first member still in.
    #[must_use]
    pub fn acting_captain(&self) -> Option<PlayerId> {
        self.game.as_ref().and_then(Game::acting_captain)
    }

    /// The game in progress.
    #[must_use]
    pub const fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }
    /// The bets of the game in progress.
    #[must_use]
    pub fn bets(&self) -> &[Bet] {
        self.game.as_ref().map_or(&[], |game| &game.bets)
    }
    /// How many games are finished.
    #[must_use]
    pub const fn games_finished(&self) -> u32 {
        self.games_finished
    }

    /// Whether `player` has ever sat here.
    #[must_use]
    pub fn knows(&self, player: PlayerId) -> bool {
        self.booked.contains_key(&player)
    }
    /// Everybody who ever sat here.
    pub fn known(&self) -> impl Iterator<Item = PlayerId> {
        self.booked.keys().copied()
    }
    /// What `player` has won by finished games, as the books have it.
    #[must_use]
    pub fn booked(&self, player: PlayerId) -> HalfPoints {
        self.booked.get(&player).copied().unwrap_or_default()
    }
    /// What `player` has won so far: finished games, and bets of the game in progress that are settled.
    #[must_use]
    pub fn score(&self, player: PlayerId) -> HalfPoints {
        let running = self.game.as_ref().map_or(HalfPoints::ZERO, |game| game.score_of(player));
        self.booked(player) + running
    }
    /// Everybody who ever sat here with their [score](Self::score); the highest first.
    #[must_use]
    pub fn standings(&self) -> Vec<Score> {
        let mut standings: Vec<Score> =
            self.booked.keys().map(|&player| Score { player, points: self.score(player) }).collect();
        standings.sort_by_key(|score| std::cmp::Reverse(score.points));
        standings
    }

    /// The state as others see it.
    #[must_use]
    pub fn view(&self) -> View {
        View::from(self)
    }
    /// Every command that is legal now, with its choices; the likeliest first.
    #[must_use]
    pub fn legal(&self) -> Vec<Legal> {
        legal::of(self)
    }

    fn begin(&mut self, number: u32, box_player: PlayerId, captain: PlayerId, bets: &[OpenedBet]) {
        let bets = bets
            .iter()
            .map(|opened| Bet {
                id: opened.bet,
                box_side: box_player,
                team_side: opened.member,
                kind: opened.kind,
                cube: Cube::centred(opened.value),
                standing: BetStanding::Open,
            })
            .collect();
        self.game = Some(Game { number, box_player, captain, bets });
    }

    /// Changes the bet with this number on the side of `player`, if it is there: a broken history shows
    /// when it is replayed and compared, not by a panic.
    fn change(&mut self, bet: u32, player: PlayerId, change: impl FnOnce(&mut Bet, Side)) {
        let bets = self.game.iter_mut().flat_map(|game| &mut game.bets);
        for found in bets.filter(|found| found.id == bet) {
            if let Some(side) = found.side_of(player) {
                return change(found, side);
            }
        }
    }

    fn finish(&mut self, finished: &FinishedGame) {
        for (player, booked) in &mut self.booked {
            *booked += score_of(*player, finished.bets.iter().copied());
        }
        self.seats = Seats::Line { line: finished.line.clone(), waiting: Vec::new() };
        self.games_finished = finished.game;
        self.game = None;
    }
}

impl Aggregate for Chouette {
    type Command = Command;
    type Event = Event;
    type Refusal = Refusal;

    const KIND: &'static str = "chouette";

    fn initial() -> Self {
        Self::default()
    }

    fn decide(&self, command: &Command, given: &mut Given<'_>) -> Result<Vec<Event>, Refusal> {
        decide::decide(self, command, given.chance)
    }

    fn apply(&mut self, event: &Event, at: Timestamp) {
        match event {
            Event::Opened { name, night, stake, rules } => {
                self.name.clone_from(name);
                (self.night, self.stake, self.rules) = (*night, *stake, rules.clone());
                self.opened_at = Some(at);
            }
            Event::Joined { player, seats } => {
                self.booked.entry(*player).or_default();
                self.seats = seats.clone();
            }
            Event::Left { seats, .. }
            | Event::RollsEntered { seats, .. }
            | Event::OrderDrawn { seats, .. } => {
                self.seats = seats.clone();
            }
            Event::GameStarted { game, box_player, captain, bets } => {
                self.begin(*game, *box_player, *captain, bets);
            }
            Event::Doubled { player, bets } => {
                for &TurnedBet { bet, to, .. } in bets {
                    self.change(bet, *player, |bet, by| bet.standing = BetStanding::Offered { by, to });
                }
            }
            Event::Taken { player, bets } => {
                for &TurnedBet { bet, to, .. } in bets {
                    self.change(bet, *player, |bet, taker| {
                        (bet.cube, bet.standing) = (Cube::owned(to, taker), BetStanding::Open);
                    });
                }
            }
            Event::Dropped { player, bets } => {
                for &DroppedBet { bet, points, .. } in bets {
                    self.change(bet, *player, |bet, loser| {
                        let winner = loser.other();
                        bet.standing = BetStanding::Settled { winner, points, by: SettledBy::Drop };
                    });
                }
            }
            Event::GameFinished(finished) => self.finish(finished),
            Event::Closed {} => self.closed_at = Some(at),
        }
    }

    fn kind(event: &Event) -> &'static str {
        event.kind()
    }
}
