//! What everybody at a table is: box, partner, captain or crew, or beside the game.

use crate::state::{Chouette, Phase};
use owlbox_base::values::PlayerId;

/// What somebody at the table is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatRole {
    Box,
    Partner,
    /// Rolls and moves for the team.
    Captain,
    /// Rolls and moves in place of a captain who has dropped.
    ActingCaptain,
    /// The captain of this game, who has dropped.
    DroppedCaptain,
    Crew,
    /// Present before the order is rolled, when there is neither box nor team.
    Gathered,
    /// Waits for the next game.
    Waiting,
    /// On a break, and in no game.
    Resting,
    /// Has left during the game, and others decide for their cube.
    Gone,
    /// Has left, and may come back.
    Away,
}

impl Chouette {
    /// Everybody in the line: the box and its partners, then the captain and the crew. Between games players
    /// on a break keep their seat. Before the order is rolled, everybody present; nobody once the night is
    /// over.
    #[must_use]
    pub fn seated(&self) -> Vec<(PlayerId, SeatRole)> {
        if self.phase() == Phase::Closed {
            return Vec::new();
        }
        if self.seats().standing().is_none() {
            return self.present().into_iter().map(|player| (player, SeatRole::Gathered)).collect();
        }
        self.in_order().into_iter().map(|player| (player, self.role(player))).collect()
    }

    /// Everybody outside the line: who waits for the next game, who is on a break without a seat, and who has
    /// left. Nobody once the night is over.
    #[must_use]
    pub fn beside(&self) -> Vec<(PlayerId, SeatRole)> {
        if self.phase() == Phase::Closed {
            return Vec::new();
        }
        let (seated, resting) = (self.in_order(), self.resting());
        let waiting = self.waiting().iter().filter(|player| !resting.contains(player));
        let waiting = waiting.map(|player| (*player, SeatRole::Waiting));
        let resting = resting.iter().map(|player| (*player, SeatRole::Resting));
        let away = self.away().into_iter().map(|player| (player, SeatRole::Away));
        waiting.chain(resting).chain(away).filter(|(player, _)| !seated.contains(player)).collect()
    }

    /// The players after the captain, in line, without those on a break.
    #[must_use]
    pub fn next_up(&self) -> Vec<PlayerId> {
        let known = [self.box_player(), self.captain()];
        let mut next = self.line().to_vec();
        next.retain(|player| !known.contains(&Some(*player)) && !self.resting().contains(player));
        next
    }

    /// The seats in order.
    fn in_order(&self) -> Vec<PlayerId> {
        let mut seated = Vec::new();
        if let Some(game) = self.game() {
            seated.push(game.box_player);
            seated.extend(&game.partners);
            seated.extend(&game.members);
        }
        for player in self.line() {
            if !seated.contains(player) {
                seated.push(*player);
                if self.game().is_none() && self.box_player() == Some(*player) {
                    seated.extend(self.partners());
                }
            }
        }
        seated
    }

    /// The role of a player in the line.
    fn role(&self, player: PlayerId) -> SeatRole {
        if self.partners().contains(&player) {
            return SeatRole::Partner;
        }
        if self.game().is_some() && !self.present().contains(&player) {
            return SeatRole::Gone;
        }
        let plays = self.bets().iter().any(|bet| bet.side_of(player).is_some());
        if !plays && self.resting().contains(&player) {
            return SeatRole::Resting;
        }
        let player = Some(player);
        if self.box_player() == player {
            return SeatRole::Box;
        }
        match (self.captain() == player, self.acting_captain()) {
            (true, None) => SeatRole::Captain,
            (true, acting) if acting == player => SeatRole::Captain,
            (true, _) => SeatRole::DroppedCaptain,
            (false, acting) if acting == player => SeatRole::ActingCaptain,
            (false, _) => SeatRole::Crew,
        }
    }
}
