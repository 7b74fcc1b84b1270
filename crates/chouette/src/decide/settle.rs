//! Bets settled by agreement during play.

use crate::bet::{Bet, Side};
use crate::command::Settlement;
use crate::decide::{Act, Decision, finish, nothing_comes_first};
use crate::event::{AgreedBet, Event};
use crate::game::Game;
use crate::refusal::Refusal;
use crate::rules::{HouseRules, Settlements};
use crate::state::Chouette;
use owlbox_base::values::{HalfPoints, Timestamp};
use owlbox_engine::Win;

pub(super) fn settle(
    chouette: &Chouette,
    settlements: &[Settlement],
    counts_for: Option<Side>,
    at: Timestamp,
) -> Decision {
    if chouette.rules().settlements == Settlements::Forbidden {
        return Err(Refusal::NotInRules { key: "settlements" });
    }
    let game = chouette.game().ok_or(Refusal::NoGame)?;
    nothing_comes_first(game)?;
    let mut agreed: Vec<AgreedBet> = Vec::new();
    for settlement in settlements {
        let bet = between(game, settlement)?;
        if agreed.iter().any(|agreed| agreed.bet == bet.id) {
            return Err(Refusal::BadChoice { opponents: Vec::new() });
        }
        agreed.push(agree(chouette, bet, settlement)?);
    }
    if agreed.is_empty() {
        return Err(Refusal::BadChoice { opponents: game.players() });
    }
    // Who counts as the winner between box and captain is for the table to say: the rotation may depend on
    // it.
    let captains = game.member_bet(game.captain).map(|bet| bet.id);
    let captains = agreed.iter_mut().find(|agreed| Some(agreed.bet) == captains);
    match (captains, counts_for) {
        (Some(agreed), Some(side)) => agreed.counts_for = side,
        (None, None) => {}
        (captains, _) => return Err(Refusal::CountsFor { needed: captains.is_some() }),
    }
    agreed.sort_by_key(|agreed| agreed.bet);
    let mut act = Act::on(chouette, at);
    act.plays_on();
    act.happens(Event::Settled { bets: agreed });
    finish::if_over(&mut act);
    Ok(act.events)
}

/// The running bet between payer and payee. Refuses if there is none, or if it has an offer to answer.
fn between<'a>(game: &'a Game, settlement: &Settlement) -> Result<&'a Bet, Refusal> {
    let Settlement { payer, payee, .. } = *settlement;
    let theirs = |bet: &&Bet| payer != payee && bet.side_of(payer).is_some() && bet.side_of(payee).is_some();
    let Some(bet) = game.running().find(theirs) else {
        let opponents = game.running().filter_map(|bet| bet.opponent_of(payer)).collect();
        return Err(Refusal::NoSuchOpponent { opponent: payee, opponents });
    };
    match bet.offered_by() {
        Some(by) => Err(Refusal::OfferPending { players: vec![bet.on(by.other())] }),
        None => Ok(bet),
    }
}

fn agree(chouette: &Chouette, bet: &Bet, settlement: &Settlement) -> Result<AgreedBet, Refusal> {
    let points = settlement.points;
    bet.check_settlement(points, chouette.rules())?;
    let winner = if bet.box_side == settlement.payee { Side::Box } else { Side::Team };
    Ok(AgreedBet { bet: bet.id, winner, points: Some(points), counts_for: winner })
}

impl Bet {
    /// The most it can be settled for, in half points: a backgammon at the present cube.
    #[must_use]
    pub fn most_settled(&self) -> HalfPoints {
        HalfPoints(self.worth(self.cube.value).0 * i64::from(Win::Backgammon.multiplier()))
    }

    /// Checks that it can be settled for `points`.
    ///
    /// # Errors
    /// [`Refusal::BadAmount`] below zero or above [`most_settled`](Self::most_settled),
    /// [`Refusal::WholePointsOnly`] for half a point where the house settles in whole points.
    pub fn check_settlement(&self, points: HalfPoints, rules: &HouseRules) -> Result<(), Refusal> {
        let most = self.most_settled();
        if !(0..=most.0).contains(&points.0) {
            return Err(Refusal::BadAmount { most });
        }
        if points.0 % rules.smallest_unit() != 0 {
            return Err(Refusal::WholePointsOnly);
        }
        Ok(())
    }
}
