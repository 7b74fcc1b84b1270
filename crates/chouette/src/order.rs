//! Seats: rolling for the order (Q1), the line, and players who come and go (Q5).

use serde::{Deserialize, Serialize};

use crate::rules::{HouseRules, Newcomer};
use owlbox_base::values::PlayerId;
use owlbox_engine::Die;

/// A player's roll for the order. The sum of the dice counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Roll {
    pub player: PlayerId,
    /// As many dice as the house rules ask for in `order.dice`.
    pub dice: Vec<Die>,
}

impl Roll {
    /// The sum of the dice, which decides the order.
    #[must_use]
    pub fn pips(&self) -> u32 {
        self.dice.iter().map(|die| u32::from(die.pips())).sum()
    }
}

/// Who is present, and in what order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "order", rename_all = "snake_case", deny_unknown_fields)]
pub enum Seats {
    /// Nobody has rolled for the order yet.
    Gathering {
        /// Everybody present, in order of arrival.
        players: Vec<PlayerId>,
    },
    /// Some players tied and must roll again.
    Rolling {
        /// Everybody present. Each group sits before the next; the players of a larger group are still tied.
        groups: Vec<Vec<PlayerId>>,
    },
    /// The line stands: the order is settled.
    Line(Line),
}

/// The line, once it stands. A player is in only one of its lists, unless they are on a break and keep their
/// place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = ChouetteLine))]
pub struct Line {
    /// Box, captain, crew. Players on a break who keep their place are included.
    pub line: Vec<PlayerId>,
    /// Who came during a game and waits for its end, in order of arrival.
    pub waiting: Vec<PlayerId>,
    /// Who is on a break, with or without a place in the line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resting: Vec<PlayerId>,
    /// The box's partners (Q13), who have no place in `line`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partners: Vec<PlayerId>,
}

impl Line {
    /// A line in this order, with nobody waiting or on a break and no partners.
    #[must_use]
    pub fn new(line: Vec<PlayerId>) -> Self {
        Self { line, ..Self::default() }
    }

    /// The line without players on a break: who plays the next game, the box first.
    #[must_use]
    pub fn active(&self) -> Vec<PlayerId> {
        self.line.iter().copied().filter(|player| !self.resting.contains(player)).collect()
    }

    /// How many are ready to play: the active line and the box's partners.
    #[must_use]
    pub fn ready(&self) -> usize {
        self.active().len() + self.partners.len()
    }

    /// How many partners the box may be given now. Partners it already has stay, even if fewer are allowed.
    #[must_use]
    pub fn partners_allowed(&self, rules: &HouseRules) -> usize {
        rules.partner.at_most(self.ready())
    }

    /// The line with which a game would begin now: if the team would have fewer than two, partners join it.
    #[must_use]
    pub fn to_play(&self) -> Self {
        let mut line = self.clone();
        line.end_partnership(self.ready().saturating_sub(3));
        line
    }

    #[must_use]
    pub fn present(&self) -> Vec<PlayerId> {
        let mut present = [self.line.as_slice(), &self.partners, &self.waiting].concat();
        let without_a_place = self.resting.iter().filter(|player| !present.contains(player)).copied();
        let without_a_place: Vec<PlayerId> = without_a_place.collect();
        present.extend(without_a_place);
        present
    }

    /// Seats a newcomer: at the end, or ahead of the first of those who `stood_up` after the last game, no
    /// matter who sits behind them by now. Never ahead of the first `front` players who are there to play.
    pub fn come_in(&mut self, player: PlayerId, newcomer: Newcomer, stood_up: &[PlayerId], front: usize) {
        let place = match newcomer {
            Newcomer::BehindLoser => None,
            Newcomer::AheadOfLoser => self.first_of(stood_up, front),
        };
        self.line.insert(place.unwrap_or(self.line.len()), player);
    }

    /// Seats a player who declines the box between games where they would sit if they had stood up with the
    /// others. That is the end of the line; but where newcomers sit behind those who stood up, it is ahead of
    /// those who `came_in` since.
    pub fn stand_up(&mut self, player: PlayerId, newcomer: Newcomer, came_in: &[PlayerId]) {
        self.line.retain(|other| *other != player);
        let place = match newcomer {
            Newcomer::BehindLoser => self.first_of(came_in, 1),
            Newcomer::AheadOfLoser => None,
        };
        self.line.insert(place.unwrap_or(self.line.len()), player);
    }

    /// The place of the first of `players` behind the first `front` players who are there to play.
    fn first_of(&self, players: &[PlayerId], front: usize) -> Option<usize> {
        let mut in_front = 0;
        self.line.iter().position(|player| {
            let behind = in_front >= front;
            in_front += usize::from(!self.resting.contains(player));
            behind && players.contains(player)
        })
    }

    /// Takes `player` out of every list. If the box goes between games, its partners go to the end of the
    /// line.
    pub fn remove(&mut self, player: PlayerId, during_game: bool) {
        let was_box = self.active().first() == Some(&player);
        for places in [&mut self.line, &mut self.waiting, &mut self.resting, &mut self.partners] {
            places.retain(|other| *other != player);
        }
        if was_box && !during_game {
            self.end_partnership(0);
        }
    }

    /// Sends `player` on a break, with or without keeping their place. The box gives up the box, a partner
    /// the partnership.
    pub fn rest(&mut self, player: PlayerId, place_kept: bool, during_game: bool) {
        let was_box = self.active().first() == Some(&player);
        let was_partner = self.partners.contains(&player);
        self.partners.retain(|other| *other != player);
        if !place_kept {
            self.line.retain(|other| *other != player);
            self.waiting.retain(|other| *other != player);
        } else if was_partner {
            self.line.push(player);
        }
        self.resting.push(player);
        if was_box && !during_game {
            self.end_partnership(0);
        }
    }

    /// Makes the next `many` active players behind the box its partners.
    pub fn take_partners(&mut self, many: usize) {
        let partners: Vec<PlayerId> = self.active().into_iter().skip(1).take(many).collect();
        self.line.retain(|player| !partners.contains(player));
        self.partners.extend(partners);
    }

    /// Leaves the box `keep` partners. The others go to the end of the line, in their order.
    pub fn end_partnership(&mut self, keep: usize) {
        if keep < self.partners.len() {
            let gone = self.partners.split_off(keep);
            self.line.extend(gone);
        }
    }
}

impl Default for Seats {
    fn default() -> Self {
        Self::Gathering { players: Vec::new() }
    }
}

impl Seats {
    /// Q1: a chouette needs three players, so this many must be present to roll for the order.
    pub const TO_ROLL: usize = 3;

    /// Everybody at the table, in order as far as one is settled.
    #[must_use]
    pub fn present(&self) -> Vec<PlayerId> {
        match self {
            Self::Gathering { players } => players.clone(),
            Self::Rolling { groups } => groups.concat(),
            Self::Line(line) => line.present(),
        }
    }

    /// The line; `None` until the order is settled.
    #[must_use]
    pub const fn standing(&self) -> Option<&Line> {
        match self {
            Self::Line(line) => Some(line),
            Self::Gathering { .. } | Self::Rolling { .. } => None,
        }
    }

    /// The line, box first; empty until the order is settled.
    #[must_use]
    pub fn line(&self) -> &[PlayerId] {
        self.standing().map_or(&[], |line| &line.line)
    }

    /// Who came during the game and waits for its end.
    #[must_use]
    pub fn waiting(&self) -> &[PlayerId] {
        self.standing().map_or(&[], |line| &line.waiting)
    }

    /// Who is on a break; nobody until the order is settled.
    #[must_use]
    pub fn resting(&self) -> &[PlayerId] {
        self.standing().map_or(&[], |line| &line.resting)
    }

    #[must_use]
    pub fn partners(&self) -> &[PlayerId] {
        self.standing().map_or(&[], |line| &line.partners)
    }

    /// Who must roll now: everybody, or the tied. Nobody while too few are present, or once the line stands.
    #[must_use]
    pub fn to_roll(&self) -> Vec<PlayerId> {
        match self {
            Self::Gathering { players } if players.len() < Self::TO_ROLL => Vec::new(),
            Self::Gathering { players } => players.clone(),
            Self::Rolling { groups } => {
                groups.iter().filter(|group| group.len() > 1).flatten().copied().collect()
            }
            Self::Line(_) => Vec::new(),
        }
    }

    /// The seats after `player` comes in before the line stands. A player who comes while tied players still
    /// roll has missed the roll and sits last.
    #[must_use]
    pub fn joined_early(&self, player: PlayerId) -> Self {
        let mut seats = self.clone();
        match &mut seats {
            Self::Gathering { players } => players.push(player),
            Self::Rolling { groups } => groups.push(vec![player]),
            Self::Line(line) => line.line.push(player),
        }
        seats
    }

    /// The seats without `player`. The others close up: if the captain goes, the next in line is captain; if
    /// the box goes, the captain is box.
    #[must_use]
    pub fn without(&self, player: PlayerId, during_game: bool) -> Self {
        match self {
            Self::Gathering { players } => {
                let players = players.iter().copied().filter(|&other| other != player).collect();
                Self::Gathering { players }
            }
            Self::Rolling { groups } => {
                let mut groups = groups.clone();
                for group in &mut groups {
                    group.retain(|&other| other != player);
                }
                Self::from_groups(groups)
            }
            Self::Line(line) => {
                let mut line = line.clone();
                line.remove(player, during_game);
                Self::Line(line)
            }
        }
    }

    /// The seats with `player` in every place of `duplicate`.
    #[must_use]
    pub fn renamed(&self, duplicate: PlayerId, player: PlayerId) -> Self {
        let mut seats = self.clone();
        let rename = |id: &mut PlayerId| {
            if *id == duplicate {
                *id = player;
            }
        };
        match &mut seats {
            Self::Gathering { players } => players.iter_mut().for_each(rename),
            Self::Rolling { groups } => groups.iter_mut().flatten().for_each(rename),
            Self::Line(line) => {
                let places = [&mut line.line, &mut line.waiting, &mut line.resting, &mut line.partners];
                places.into_iter().flatten().for_each(rename);
            }
        }
        seats
    }

    /// The seats after everybody [who must roll](Self::to_roll) has rolled: each group is sorted highest
    /// first, and those who tied form a group of their own (Q1).
    #[must_use]
    pub fn rolled(&self, rolls: &[Roll]) -> Self {
        let groups = match self {
            Self::Gathering { players } => vec![players.clone()],
            Self::Rolling { groups } => groups.clone(),
            Self::Line(_) => return self.clone(),
        };
        let pips = |player: &PlayerId| rolls.iter().find(|roll| roll.player == *player).map(Roll::pips);
        let mut ordered = Vec::new();
        for mut group in groups {
            group.sort_by_key(|player| std::cmp::Reverse(pips(player)));
            ordered.extend(group.chunk_by(|a, b| pips(a) == pips(b)).map(<[PlayerId]>::to_vec));
        }
        Self::from_groups(ordered)
    }

    /// A line if nobody is tied. Players too few for a chouette (Q1) gather again.
    fn from_groups(mut groups: Vec<Vec<PlayerId>>) -> Self {
        groups.retain(|group| !group.is_empty());
        if groups.iter().map(Vec::len).sum::<usize>() < Self::TO_ROLL {
            Self::Gathering { players: groups.concat() }
        } else if groups.iter().all(|group| group.len() == 1) {
            Self::Line(Line::new(groups.concat()))
        } else {
            Self::Rolling { groups }
        }
    }
}
