//! A finished game as the chouette keeps it, and what a correction makes of it.

use crate::bet::{Bet, BetKind, BetStanding, Settled, SettledBet, SettledBy, Side};
use crate::command::{BetCorrection, BetEnded};
use crate::event::{EndedCube, FinishedGame, GameBet};
use crate::game::{Game, score_of};
use crate::partner;
use crate::refusal::Refusal;
use crate::rules::{HouseRules, Jacoby, Settlements};
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_engine::{Cube, CubeValue, Owner, Variant, Win};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    pub number: u32,
    pub variant: Variant,
    /// Which side began (G3). `None` if the engine did not referee.
    pub began: Option<Side>,
    pub box_player: PlayerId,
    /// The captain at the end of the game.
    pub captain: PlayerId,
    pub partners: Vec<PlayerId>,
    /// As in [`FinishedGame::winner`], until a correction changes it.
    pub winner: Side,
    pub win: Option<Win>,
    /// Without the partners' shares; cubes as they stood at the end.
    bets: Vec<Bet>,
    /// Every bet with its result, partners' shares included.
    pub results: Vec<SettledBet>,
    /// The house rules it was played under.
    rules: std::sync::Arc<HouseRules>,
}

/// A finished game as a correction would have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corrected {
    pub winner: Side,
    pub win: Option<Win>,
    /// Every bet with its result, partners' shares included.
    pub results: Vec<SettledBet>,
    /// Where the cubes stood at the end.
    pub cubes: Vec<EndedCube>,
}

impl Finished {
    /// The record of `game`, which `finished` ended.
    #[must_use]
    pub fn new(game: &Game, finished: &FinishedGame, rules: &std::sync::Arc<HouseRules>) -> Self {
        Self {
            number: finished.game,
            variant: game.on_board.variant,
            began: game.began,
            box_player: game.box_player,
            captain: game.captain,
            partners: game.partners.clone(),
            winner: finished.winner,
            win: finished.win,
            bets: game.bets.clone(),
            results: finished.bets.clone(),
            rules: std::sync::Arc::clone(rules),
        }
    }

    /// The game without what anybody won.
    pub(crate) fn without_points(&self) -> Self {
        let mut game = self.clone();
        game.bets.iter_mut().for_each(Bet::hide_points);
        game.results.iter_mut().for_each(|result| result.points = HalfPoints::ZERO);
        game
    }

    /// The house rules it was played under.
    #[must_use]
    pub fn rules(&self) -> &HouseRules {
        &self.rules
    }

    /// The bets without the partners' shares; cubes as they stood at the end.
    #[must_use]
    pub fn bets(&self) -> &[Bet] {
        &self.bets
    }

    /// What `player` won or lost in it. `None` for a player who had no bet.
    #[must_use]
    pub fn points_of(&self, player: PlayerId) -> Option<HalfPoints> {
        let has_bet = self.results.iter().any(|bet| [bet.winner, bet.loser].contains(&player));
        has_bet.then(|| score_of(player, self.results.iter().copied()))
    }

    /// The game as it was with `winner`, `win` and these bets corrected and all else unchanged.
    ///
    /// # Errors
    /// [`Refusal::NoSuchBet`] for a bet that the game did not have or that is named twice,
    /// [`Refusal::WinNeeded`] if bets played to the end lack a winner or a kind of win, and the refusal of a
    /// cube or a settlement that the rules of the game do not allow.
    pub fn corrected(
        &self,
        winner: Option<Side>,
        win: Option<Win>,
        corrections: &[BetCorrection],
    ) -> Result<Corrected, Refusal> {
        let twice = (1..corrections.len())
            .any(|place| corrections[..place].iter().any(|one| one.bet == corrections[place].bet));
        let known = |correction: &BetCorrection| {
            self.bets.iter().any(|bet| bet.id == correction.bet && bet.kind != BetKind::ExtraPayment)
        };
        if twice || !corrections.iter().all(known) {
            let bets = self.bets.iter().filter(|bet| bet.kind != BetKind::ExtraPayment).map(|bet| bet.id);
            return Err(Refusal::NoSuchBet { bets: bets.collect() });
        }
        // Of a game that was never played to its end, nobody knows who would have won.
        let known = winner.is_some() || self.win.is_some();
        let winner = winner.unwrap_or(self.winner);
        let mut win = win.or(self.win);
        let jacoby = self.rules.jacoby == Jacoby::On;
        let (mut results, mut cubes, mut played_out) = (Vec::new(), Vec::new(), false);
        for bet in &self.bets {
            let correction = corrections.iter().find(|correction| correction.bet == bet.id);
            let (bet, by_game) = self.corrected_bet(bet, correction);
            if correction.is_some() {
                self.can_have_been(&bet)?;
            }
            played_out |= by_game && bet.kind != BetKind::ExtraPayment;
            if by_game && (win.is_none() || !known) && bet.kind != BetKind::ExtraPayment {
                return Err(Refusal::WinNeeded);
            }
            results.push(bet.settled(winner, win.unwrap_or(Win::Single), jacoby));
            cubes.push(EndedCube { bet: bet.id, value: bet.cube.value, turned: bet.cube.is_turned() });
        }
        results.extend(partner::shares(self.box_player, &self.partners, &results, &self.rules));
        let mut winner = winner;
        if !played_out {
            win = None;
            // The game itself decided no bet, so its winner changes only if the bets do.
            winner = if results == self.results { self.winner } else { winner };
        }
        Ok(Corrected { winner, win, results, cubes })
    }

    /// Checks that the rules of the game let a bet end this way: its cube at a value that it can reach, and a
    /// settlement only where they are allowed and of what the cube allows.
    fn can_have_been(&self, bet: &Bet) -> Result<(), Refusal> {
        let (limit, least) = (self.rules.cube_limit(), self.least_cube(bet));
        // C10: a dropped cube was offered at twice its value.
        let dropped = matches!(bet.standing, BetStanding::Settled(settled) if settled.by == SettledBy::Drop);
        let highest = if dropped { limit.halved() } else { Some(limit) };
        if highest.is_none_or(|highest| bet.cube.value > highest) {
            return Err(Refusal::CubeAtLimit { limit: highest.unwrap_or(limit) });
        }
        if bet.cube.value < least {
            return Err(Refusal::CubeTooLow { least });
        }
        match bet.standing {
            BetStanding::Settled(settled) if settled.by == SettledBy::Settlement => {
                if self.rules.settlements == Settlements::Forbidden {
                    return Err(Refusal::NotInRules { key: "settlements" });
                }
                bet.check_settlement(settled.points, &self.rules)
            }
            BetStanding::Open | BetStanding::Offered(_) | BetStanding::Settled(_) => Ok(()),
        }
    }

    /// The lowest value that the cube of this bet can have: where it began, or twice that if it was turned.
    /// An extra is given only after the taker's cube was turned (Q10).
    fn least_cube(&self, bet: &Bet) -> CubeValue {
        let members = |other: &&Bet| other.kind == BetKind::Member && other.team_side == bet.team_side;
        let start = match bet.kind {
            BetKind::Extra => self.bets.iter().find(members).map_or(bet.start, |bet| bet.start),
            BetKind::Member | BetKind::ExtraPayment | BetKind::Partner => bet.start,
        };
        match bet.cube.is_turned() || bet.kind == BetKind::Extra {
            true => start.doubled().unwrap_or(start),
            false => start,
        }
    }

    /// The bet as corrected, open if the game settles it, and whether the game does.
    fn corrected_bet(&self, bet: &Bet, correction: Option<&BetCorrection>) -> (Bet, bool) {
        let mut bet = *bet;
        let was = self.results.iter().find(|result| result.bet == bet.id);
        let by_game = was.is_none_or(|was| was.by == SettledBy::Game) && bet.kind != BetKind::ExtraPayment;
        let Some(correction) = correction else {
            if by_game {
                bet.standing = BetStanding::Open;
            }
            return (bet, by_game);
        };
        let value = correction.cube.unwrap_or(bet.cube.value);
        let began = bet.kind == BetKind::Member && value <= bet.start;
        let turned = !began && (bet.cube.is_turned() || value > bet.cube.value);
        let turned = correction.turned.unwrap_or(turned);
        bet.cube.value = value;
        // Who owned it does not matter any more, only whether it was turned.
        bet.cube.owner = if turned { Owner::Owned(Side::Team) } else { Owner::Centred };
        let ended = correction.ended.unwrap_or_else(|| ended(&bet, by_game));
        // A correction does not ask the table again who counts as the winner of a settlement.
        let counts_for_before = match bet.standing {
            BetStanding::Settled(settled) if settled.by == SettledBy::Settlement => Some(settled.counts_for),
            BetStanding::Open | BetStanding::Offered(_) | BetStanding::Settled(_) => None,
        };
        bet.standing = match ended {
            BetEnded::Game {} => BetStanding::Open,
            BetEnded::Drop { winner } => settled(winner, bet.worth(bet.cube.value), SettledBy::Drop, winner),
            BetEnded::Settlement { winner, points } => {
                let counts_for = counts_for_before.unwrap_or(winner);
                settled(winner, points, SettledBy::Settlement, counts_for)
            }
        };
        (bet, matches!(ended, BetEnded::Game {}))
    }

    /// Records a correction that was made.
    pub fn correct(&mut self, winner: Side, win: Option<Win>, after: &[SettledBet], cubes: &[EndedCube]) {
        (self.winner, self.win) = (winner, win);
        self.results = after.to_vec();
        for bet in &mut self.bets {
            if let Some(cube) = cubes.iter().find(|cube| cube.bet == bet.id) {
                bet.cube =
                    if cube.turned { Cube::owned(cube.value, Side::Team) } else { Cube::centred(cube.value) };
            }
            if let Some(result) = after.iter().find(|result| result.bet == bet.id) {
                bet.standing = match result.by {
                    SettledBy::Game if bet.kind != BetKind::ExtraPayment => BetStanding::Open,
                    by @ (SettledBy::Drop | SettledBy::Game | SettledBy::Settlement) => {
                        let side = if result.winner == bet.box_side { Side::Box } else { Side::Team };
                        let counts = result.counted_winner() == bet.box_side;
                        let counts_for = if counts { Side::Box } else { Side::Team };
                        BetStanding::Settled(Settled { winner: side, points: result.points, by, counts_for })
                    }
                };
            }
        }
    }

    /// The bets of `player` in this game, as the ledger has them.
    pub fn bets_of(&self, player: PlayerId) -> impl Iterator<Item = GameBet> {
        let mine = move |result: &&SettledBet| result.winner == player || result.loser == player;
        self.results.iter().filter(mine).map(|bet| GameBet { game: self.number, bet: *bet })
    }

    /// Records that `duplicate` has been `player` all along.
    pub fn rename(&mut self, duplicate: PlayerId, player: PlayerId) {
        let rename = |id: &mut PlayerId| {
            if *id == duplicate {
                *id = player;
            }
        };
        rename(&mut self.box_player);
        rename(&mut self.captain);
        self.partners.iter_mut().for_each(rename);
        for bet in &mut self.bets {
            rename(&mut bet.box_side);
            rename(&mut bet.team_side);
        }
        for result in &mut self.results {
            rename(&mut result.winner);
            rename(&mut result.loser);
            result.counts_for.iter_mut().for_each(rename);
        }
    }
}

/// How a bet ended, in the terms of a correction.
fn ended(bet: &Bet, by_game: bool) -> BetEnded {
    match bet.standing {
        BetStanding::Settled(settled) if !by_game => match settled.by {
            SettledBy::Settlement => BetEnded::Settlement { winner: settled.winner, points: settled.points },
            SettledBy::Drop | SettledBy::Game => BetEnded::Drop { winner: settled.winner },
        },
        BetStanding::Open | BetStanding::Offered(_) | BetStanding::Settled(_) => BetEnded::Game {},
    }
}

const fn settled(winner: Side, points: HalfPoints, by: SettledBy, counts_for: Side) -> BetStanding {
    BetStanding::Settled(Settled { winner, points, by, counts_for })
}
