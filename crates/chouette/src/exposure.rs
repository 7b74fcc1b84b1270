//! Exposure: the most that each player can still lose in this game at the present cubes.

use crate::bet::{BetStanding, SettledBet, Side};
use crate::game::{Game, score_of};
use crate::partner;
use crate::rules::{HouseRules, Jacoby};
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_engine::Win;

/// The most that everybody still in the game, and every partner, can lose by the running bets: the worst case
/// over all results the variant knows. Zero for a player who cannot lose. Cubes count as they stand, without
/// an offer that waits. Partners carry their share of the box's result.
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

/// The results of the running bets if `winner` won with `win` now, partners' shares included.
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
