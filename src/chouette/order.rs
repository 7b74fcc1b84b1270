//! The order players sit in: rolling for it (Q1), the line, and who comes and goes (Q5).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::engine::Die;
use crate::values::PlayerId;

/// What a player rolled for the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Roll {
    /// Who.
    pub player: PlayerId,
    /// What.
    pub die: Die,
}

/// Who is present, in what order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "order", rename_all = "snake_case", deny_unknown_fields)]
pub enum Seats {
    /// No dice yet.
    Gathering {
        /// Those present, as they came.
        players: Vec<PlayerId>,
    },
    /// Some tied and have to roll again.
    Rolling {
        /// Those present: each group sits before the next; more than one in a group are still tied.
        groups: Vec<Vec<PlayerId>>,
    },
    /// The line stands.
    Line {
        /// The box, the captain, the crew.
        line: Vec<PlayerId>,
        /// Who came during a game and waits for its end, as they came.
        waiting: Vec<PlayerId>,
    },
}

impl Default for Seats {
    fn default() -> Self {
        Self::Gathering { players: Vec::new() }
    }
}

impl Seats {
    /// Q1: a chouette needs three, so this many have to be there to roll for the order.
    pub const TO_ROLL: usize = 3;

    /// Everybody present, in order as far as there is one.
    #[must_use]
    pub fn present(&self) -> Vec<PlayerId> {
        match self {
            Self::Gathering { players } => players.clone(),
            Self::Rolling { groups } => groups.concat(),
            Self::Line { line, waiting } => [line.as_slice(), waiting].concat(),
        }
    }

    /// The line, box first; empty until it stands.
    #[must_use]
    pub fn line(&self) -> &[PlayerId] {
        match self {
            Self::Line { line, .. } => line,
            _ => &[],
        }
    }

    /// Who waits for the end of the game.
    #[must_use]
    pub fn waiting(&self) -> &[PlayerId] {
        match self {
            Self::Line { waiting, .. } => waiting,
            _ => &[],
        }
    }

    /// Who has to roll now: everybody, or the tied; nobody while too few are there.
    #[must_use]
    pub fn to_roll(&self) -> Vec<PlayerId> {
        match self {
            Self::Gathering { players } if players.len() < Self::TO_ROLL => Vec::new(),
            Self::Gathering { players } => players.clone(),
            Self::Rolling { groups } => {
                groups.iter().filter(|group| group.len() > 1).flatten().copied().collect()
            }
            Self::Line { .. } => Vec::new(),
        }
    }

    /// The seats after `player` has come in: at the end (Q5); during a game, waiting behind everybody.
    #[must_use]
    pub fn joined_by(&self, player: PlayerId, during_game: bool) -> Self {
        let mut seats = self.clone();
        match &mut seats {
            Self::Gathering { players } => players.push(player),
            // Whoever comes while the tied still roll has missed the roll.
            Self::Rolling { groups } => groups.push(vec![player]),
            Self::Line { waiting, .. } if during_game => waiting.push(player),
            Self::Line { line, .. } => line.push(player),
        }
        seats
    }

    /// The seats after `player` has gone: the others close up, so that the next in line is captain if
    /// the captain goes, and the captain is box if the box goes.
    #[must_use]
    pub fn left_by(&self, player: PlayerId) -> Self {
        let mut seats = self.clone();
        match &mut seats {
            Self::Gathering { players } => players.retain(|&other| other != player),
            Self::Rolling { groups } => {
                for group in groups.iter_mut() {
                    group.retain(|&other| other != player);
                }
                return Self::from_groups(std::mem::take(groups));
            }
            Self::Line { line, waiting } => {
                line.retain(|&other| other != player);
                waiting.retain(|&other| other != player);
            }
        }
        seats
    }

    /// The seats after all [who have to](Self::to_roll) rolled: in each group the highest first, and
    /// those who tied are a group of their own (Q1).
    #[must_use]
    pub fn rolled(&self, rolls: &[Roll]) -> Self {
        let groups = match self {
            Self::Gathering { players } => vec![players.clone()],
            Self::Rolling { groups } => groups.clone(),
            Self::Line { .. } => return self.clone(),
        };
        let die = |player: &PlayerId| rolls.iter().find(|roll| roll.player == *player).map(|roll| roll.die);
        let mut ordered = Vec::new();
        for mut group in groups {
            group.sort_by_key(|player| std::cmp::Reverse(die(player)));
            ordered.extend(group.chunk_by(|a, b| die(a) == die(b)).map(<[PlayerId]>::to_vec));
        }
        Self::from_groups(ordered)
    }

    /// The line if nobody is tied. Too few to be a chouette (Q1) gather again.
    fn from_groups(mut groups: Vec<Vec<PlayerId>>) -> Self {
        groups.retain(|group| !group.is_empty());
        if groups.iter().map(Vec::len).sum::<usize>() < Self::TO_ROLL {
            Self::Gathering { players: groups.concat() }
        } else if groups.iter().all(|group| group.len() == 1) {
            Self::Line { line: groups.concat(), waiting: Vec::new() }
        } else {
            Self::Rolling { groups }
        }
    }
}
