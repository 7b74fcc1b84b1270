//! What may be done at a table: one button, form or link for each legal act, and none for any other.
//!
//! A legal command with choices becomes as many buttons as there are sensible choices; whom of several
//! the box doubles is a form of its own. Where a button stands: what is likely, and what the viewer
//! does himself, under the board; the rest at the seat of whoever does it.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::from_domain::Scene;
use super::{Act, DoublingSome, Joining, Saying, Weight, Who};
use crate::chouette::{Bet, BetStanding, Command, Legal};
use crate::values::{HalfPoints, PlayerId};
use crate::web::pages::Choice;

/// The acts of a table, each where it is shown.
#[derive(Debug, Default)]
pub(super) struct Given {
    /// Under the board.
    pub acts: Vec<Act>,
    /// At the seats.
    pub of_seats: BTreeMap<PlayerId, Vec<Act>>,
    /// The box picks whom to double.
    pub doubling_some: Option<DoublingSome>,
    /// Somebody joins.
    pub joining: Option<Joining>,
    /// The service rolls for the order.
    pub draw: Option<Act>,
    /// Dice for the order are entered.
    pub enter: Option<Act>,
    /// The game's result can be entered.
    pub may_finish: bool,
}

/// A new idempotency key: a button pressed twice does its act once.
pub(in crate::web::pages) fn key() -> String {
    Uuid::now_v7().to_string()
}

/// A command as the API takes it.
pub(in crate::web::pages) fn json(command: &Command) -> String {
    // Ids, numbers and names: nothing in a command can fail to be written.
    serde_json::to_string(command).unwrap_or_default()
}

/// Every legal act, where it is shown.
pub(super) fn acts(scene: &Scene<'_>) -> Given {
    let mut drawing = Drawing { scene, given: Given::default(), own: Vec::new(), answering: None };
    let mut answering = scene.legal.iter().filter_map(|legal| match legal {
        Legal::Take { player, .. } => Some(*player),
        _ => None,
    });
    drawing.answering = answering.clone().find(|player| scene.viewer == Some(*player)).or(answering.next());
    for legal in scene.legal {
        drawing.draw(legal);
    }
    let mut given = drawing.given;
    given.acts.splice(..0, drawing.own);
    given
}

struct Drawing<'a> {
    scene: &'a Scene<'a>,
    given: Given,
    /// What the viewer does himself: shown before everything else.
    own: Vec<Act>,
    /// Who of those that have to answer a double does so under the board: the viewer, or the first in
    /// line. The others do at their seats.
    answering: Option<PlayerId>,
}

impl Drawing<'_> {
    fn draw(&mut self, legal: &Legal) {
        match legal {
            // A table's page is of a table that is open.
            Legal::Open {} => {}
            Legal::Join {} => self.join(),
            Legal::Leave { player, proxy } if proxy.is_empty() => {
                for player in player {
                    let saying = Saying::Leaves(self.scene.name(*player));
                    self.at_seat(*player, &saying, &Command::Leave { player: *player, proxy: None });
                }
            }
            Legal::DrawOrder {} => {
                self.given.draw = Some(self.act(&Saying::DrawsOrder, &Command::DrawOrder {}, Weight::Main));
            }
            Legal::EnterRolls { .. } => {
                let label = self.scene.t.get("enter-dice");
                let command = r#"{"command":"enter_rolls"}"#.to_owned();
                self.given.enter = Some(Act { label, command, key: key(), weight: Weight::Plain });
            }
            Legal::StartGame {} => {
                let game = usize::try_from(self.scene.state().games_finished()).map_or(1, |games| games + 1);
                self.below(&Saying::GameStarts(game), &Command::StartGame { refereed: false }, Weight::Main);
            }
            Legal::Double { player, against, .. } => self.double(*player, against),
            Legal::Take { player, against, .. } => self.take(*player, against),
            Legal::Drop { player, against, .. } => self.drop(*player, against),
            Legal::Finish { .. } => self.given.may_finish = true,
            Legal::Close {} => self.below(&Saying::Closes, &Command::Close {}, Weight::Quiet),
            _ => {}
        }
    }

    fn act(&self, saying: &Saying, command: &Command, weight: Weight) -> Act {
        Act { label: saying.text(self.scene.t), command: json(command), key: key(), weight }
    }

    fn below(&mut self, saying: &Saying, command: &Command, weight: Weight) {
        let act = self.act(saying, command, weight);
        self.given.acts.push(act);
    }

    /// An act of `player`'s under the board.
    fn below_of(&mut self, player: PlayerId, saying: &Saying, command: &Command, weight: Weight) {
        let act = self.act(saying, command, weight);
        if self.scene.viewer == Some(player) { self.own.push(act) } else { self.given.acts.push(act) }
    }

    fn at_seat(&mut self, player: PlayerId, saying: &Saying, command: &Command) {
        let act = self.act(saying, command, Weight::Plain);
        self.given.of_seats.entry(player).or_default().push(act);
    }

    fn is_box(&self, player: PlayerId) -> bool {
        self.scene.state().box_player() == Some(player)
    }

    fn who(&self, player: PlayerId) -> Who {
        if self.is_box(player) { Who::Box } else { Who::Player(self.scene.name(player)) }
    }

    /// The bet between the two.
    fn bet(&self, player: PlayerId, opponent: PlayerId) -> Option<&Bet> {
        let member = if self.is_box(player) { opponent } else { player };
        self.scene.state().bets().iter().find(|bet| bet.team_side == member)
    }

    fn value(&self, player: PlayerId, opponent: PlayerId) -> u32 {
        self.bet(player, opponent).map_or(1, |bet| bet.cube.value.get())
    }

    fn join(&mut self) {
        let away = self.scene.state().away();
        for player in &away {
            let saying = Saying::Returns(self.scene.name(*player));
            self.at_seat(*player, &saying, &Command::Join { player: *player });
        }
        let sits_here = |choice: &Choice| {
            let present = self.scene.state().present();
            present.iter().chain(&away).any(|player| player.to_string() == choice.value)
        };
        self.given.joining = Some(Joining {
            players: self.scene.club.iter().filter(|choice| !sits_here(choice)).cloned().collect(),
            guests: self.scene.guests,
            command: r#"{"command":"join"}"#.to_owned(),
            key: key(),
            guest_key: key(),
        });
    }

    fn double(&mut self, player: PlayerId, against: &[PlayerId]) {
        let own = self.scene.viewer == Some(player);
        let weight = if own { Weight::Main } else { Weight::Plain };
        if !self.is_box(player) {
            let to = against.first().map_or(2, |opponent| self.value(player, *opponent) * 2);
            let saying = Saying::Doubles { who: self.who(player), whom: Vec::new(), to, again: to > 2 };
            let command = Command::Double { player, against: None };
            return if own || self.scene.state().acting_captain() == Some(player) {
                self.below_of(player, &saying, &command, weight);
            } else {
                self.at_seat(player, &saying, &command);
            };
        }
        // One button for each value the cubes would show: its label says what is recorded.
        let mut groups: BTreeMap<u32, Vec<PlayerId>> = BTreeMap::new();
        for opponent in against {
            groups.entry(self.value(player, *opponent) * 2).or_default().push(*opponent);
        }
        let whole = groups.len() == 1;
        let everybody = self.scene.state().game().map_or(0, |game| game.running().count());
        for (to, group) in groups {
            let all = group.len() == everybody && everybody > 1;
            let whom = if all { Vec::new() } else { self.scene.names(group.iter().copied()) };
            let saying = Saying::Doubles { who: Who::Box, whom, to, again: to > 2 };
            self.below_of(
                player,
                &saying,
                &Command::Double { player, against: (!whole).then_some(group) },
                weight,
            );
        }
        if against.len() > 1 {
            let choice = |opponent: &PlayerId| {
                let label = format!("{} → {}", self.scene.name(*opponent), self.value(player, *opponent) * 2);
                Choice::new(opponent.to_string(), label, false)
            };
            self.given.doubling_some = Some(DoublingSome {
                against: against.iter().map(choice).collect(),
                command: json(&Command::Double { player, against: None }).replace(",\"against\":null", ""),
                key: key(),
            });
        }
    }

    /// Choices of those who doubled: each by himself, and before that all together, if their cubes
    /// stand alike.
    fn choices(&self, player: PlayerId, against: &[PlayerId]) -> Vec<Vec<PlayerId>> {
        let first = against.first().map(|opponent| self.value(player, *opponent));
        let alike = against.iter().all(|opponent| Some(self.value(player, *opponent)) == first);
        let all = (alike && against.len() > 1).then(|| against.to_vec());
        all.into_iter().chain(against.iter().map(|opponent| vec![*opponent])).collect()
    }

    /// An answer of `player`'s to the doubles of `from`: all together, or the first, under the board,
    /// what remains at the seats.
    fn answer(&mut self, player: PlayerId, from: &[PlayerId], saying: &Saying, command: &Command, all: bool) {
        let weight = if matches!(command, Command::Take { .. }) { Weight::Main } else { Weight::Plain };
        match (self.is_box(player), from) {
            (true, [one]) if !all => self.at_seat(*one, saying, command),
            _ if self.answering == Some(player) => self.below_of(player, saying, command, weight),
            _ => self.at_seat(player, saying, command),
        }
    }

    fn take(&mut self, player: PlayerId, against: &[PlayerId]) {
        for choice in self.choices(player, against) {
            let to =
                choice.first().and_then(|opponent| self.bet(player, *opponent)).map_or(2, |bet| {
                    match bet.standing {
                        BetStanding::Offered(raise) => raise.to().get(),
                        _ => bet.cube.value.get(),
                    }
                });
            let from = if self.is_box(player) { self.scene.names(choice.clone()) } else { Vec::new() };
            let saying = Saying::Takes { who: self.who(player), from, to };
            let command = Command::Take { player, against: Some(choice.clone()) };
            self.answer(player, &choice, &saying, &command, choice.len() == against.len());
        }
    }

    fn drop(&mut self, player: PlayerId, against: &[PlayerId]) {
        for choice in self.choices(player, against) {
            let loses =
                choice.iter().map(|opponent| HalfPoints::from_points(self.value(player, *opponent))).sum();
            let from = if self.is_box(player) { self.scene.names(choice.clone()) } else { Vec::new() };
            let saying = Saying::Drops { who: self.who(player), from, loses };
            let command = Command::Drop { player, against: Some(choice.clone()) };
            self.answer(player, &choice, &saying, &command, choice.len() == against.len());
        }
    }
}
