//! What a player can still lose in this game at the present cubes.

use crate::chouette::bet::{BetStanding, SettledBet, Side};
use crate::chouette::game::{Game, score_of};
use crate::chouette::partner;
use crate::chouette::rules::{HouseRules, Jacoby};
use crate::values::{HalfPoints, PlayerId};
use owlbox_engine::Win;

/// The worst of all results that the game knows for everybody who still plays, or shares in it: what each would lose by the
/// bets that run, the cubes as they stand (an offer not taken). Zero for one who cannot lose. The partners
/// carry their share of the box's.
#[must_use]
pub fn exposures(game: &Game, rules: &HouseRules) -> Vec<(PlayerId, HalfPoints)> {
    let wins = game.on_board.variant.wins();
    let results: Vec<Vec<SettledBet>> = Side::BOTH
        .into_iter()
        .flat_map(|winner| wins.iter().map(move |win| still_to_win(game, rules, winner, *win)))
        .collect();
    let worst = |player: PlayerId| {
        let net = results.iter().map(|result| score_of(player, result.iter().copied()));
        net.min().map_or(HalfPoints::ZERO, |worst| HalfPoints((-worst.0).max(0)))
    };
    let partners = game.partners.iter().copied().filter(|partner| game.side_of(*partner).is_none());
    game.players().into_iter().chain(partners).map(|player| (player, worst(player))).collect()
}

/// What the bets that run would come to, and the partners' shares of that.
fn still_to_win(game: &Game, rules: &HouseRules, winner: Side, win: Win) -> Vec<SettledBet> {
    let jacoby = rules.jacoby == Jacoby::On;
    let running = game.running().map(|bet| {
        let mut bet = *bet;
        bet.standing = BetStanding::Open;
        bet.settled(winner, win, jacoby)
    });
    let mut results: Vec<SettledBet> = running.collect();
    results.extend(partner::shares(game.box_player, &game.partners, &results, rules));
    results
}
