//! Statistics of random nights (M8): the tallies updated act by act equal an independent count of the night's
//! games, which knows nothing of tallies.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::walk::{Step, Walk, house_rules};
use crate::statistics::{Began, Ending, Outcome, Tallies};
use owlbox_base::journal::Aggregate as _;
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_chouette::{BetKind, Chouette, Finished, SettledBet, SettledBy};
use owlbox_engine::Win;

/// For each player, the number of games or half points by a description.
type Counts = BTreeMap<(PlayerId, String), i64>;

fn count(counts: &mut Counts, player: PlayerId, what: &str, times: i64) {
    *counts.entry((player, what.to_owned())).or_default() += times;
}

/// The counts of each player's games as a whole, from the tallies.
fn of_tallies(tallies: &Tallies) -> Counts {
    let mut counts = Counts::new();
    for (tally, games) in tallies.iter().filter(|(tally, _)| tally.opponent.is_none()) {
        let Some(player) = tally.player else { continue };
        let gammon = tally.manner.ending == Ending::Gammon;
        let result = tally.manner.result.name();
        count(&mut counts, player, result, games.games);
        count(&mut counts, player, tally.manner.role.name(), games.games);
        count(&mut counts, player, &format!("cube {}", tally.manner.cube), games.games);
        count(&mut counts, player, &format!("{result} by gammon"), i64::from(gammon) * games.games);
        count(&mut counts, player, "half points", games.half_points);
    }
    counts.retain(|_, times| *times != 0);
    counts
}

/// The same counts from the night's finished games, bet by bet.
fn of_games(night: &Chouette) -> Counts {
    let mut counts = Counts::new();
    for game in night.finished() {
        let mut nets: BTreeMap<PlayerId, i64> = BTreeMap::new();
        for bet in &game.results {
            *nets.entry(bet.winner).or_default() += bet.points.0;
            *nets.entry(bet.loser).or_default() -= bet.points.0;
        }
        for (player, net) in nets {
            let result = ["lost", "drawn", "won"][usize::try_from(net.signum() + 1).unwrap()];
            let (gammon, cube) = largest_bet(game, player, net);
            count(&mut counts, player, result, 1);
            count(&mut counts, player, sat_as(game, player), 1);
            count(&mut counts, player, &format!("cube {cube}"), 1);
            count(&mut counts, player, &format!("{result} by gammon"), gammon.into());
            count(&mut counts, player, "half points", net);
        }
    }
    counts.retain(|_, times| *times != 0);
    counts
}

fn sat_as(game: &Finished, player: PlayerId) -> &'static str {
    match player {
        _ if player == game.box_player => "box",
        _ if game.partners.contains(&player) => "partner",
        _ if player == game.captain => "captain",
        _ if played_the_box(game, player) => "crew",
        _ => "onlooker",
    }
}

fn played_the_box(game: &Finished, player: PlayerId) -> bool {
    let played = |bet: &&SettledBet| bet.winner == player || bet.loser == player;
    game.results.iter().filter(played).any(|bet| bet.kind == BetKind::Member)
}

/// Whether the largest bet that went the way the game went for a player was a gammon, and its cube. A
/// partner's bets are the box's.
fn largest_bet(game: &Finished, player: PlayerId, net: i64) -> (bool, u32) {
    let player = if game.partners.contains(&player) { game.box_player } else { player };
    let on_cubes = |bet: &&SettledBet| matches!(bet.kind, BetKind::Member | BetKind::Extra);
    let mut bets: Vec<&SettledBet> = game.results.iter().filter(on_cubes).collect();
    bets.retain(|bet| bet.winner == player || bet.loser == player);
    let other_way = |bet: &SettledBet| net != 0 && (bet.winner == player) != (net > 0);
    bets.sort_by_key(|bet| (other_way(bet), Reverse(bet.points), bet.by != SettledBy::Game, bet.bet));
    let Some(bet) = bets.first() else { return (false, 0) };
    let cube = game.bets().iter().find(|one| one.id == bet.bet).unwrap().cube.value.get();
    (bet.by == SettledBy::Game && game.win == Some(Win::Gammon), cube)
}

/// Checks that the tallies against each opponent add up to what each two won from each other, and that of two
/// opponents not both began (G3).
fn check_pairs(tallies: &Tallies) {
    let mut own: BTreeMap<[PlayerId; 2], [i64; 2]> = BTreeMap::new();
    for (tally, games) in tallies.iter() {
        let (Some(player), Some(opponent)) = (tally.player, tally.opponent) else { continue };
        let sides = own.entry([player.min(opponent), player.max(opponent)]).or_default();
        match tally.manner.began {
            Began::OwnSide => sides[usize::from(player > opponent)] += games.games,
            Began::OtherSide => sides[usize::from(player < opponent)] -= games.games,
            Began::Unknown => {}
        }
    }
    assert!(own.values().all(|sums| *sums == [0, 0]), "one of two began: {own:?}");
    let mut between: BTreeMap<[PlayerId; 2], [i64; 2]> = BTreeMap::new();
    for (tally, games) in tallies.iter() {
        let (Some(player), Some(opponent)) = (tally.player, tally.opponent) else { continue };
        let way = match tally.manner.result {
            Outcome::Won => 1,
            Outcome::Drawn => 0,
            Outcome::Lost => -1,
        };
        let of_two = between.entry([player.min(opponent), player.max(opponent)]).or_default();
        of_two[0] += way * games.games;
        of_two[1] += games.half_points;
    }
    assert!(between.values().all(|sums| *sums == [0, 0]), "what one wins the other loses: {between:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn m8_random_nights_are_counted_as_a_second_count_finds_them(
        rules in vec(any::<u8>(), 64).prop_map(|numbers| house_rules(&numbers)),
        steps in vec(any::<Step>(), 0..150),
    ) {
        let mut walk = Walk::begin(rules, "ABCDE");
        let mut tallies = Tallies::default();
        for step in steps {
            let before = walk.night.state().clone();
            // Now and then something is undone or redone.
            match step[3] {
                0..4 => drop(walk.night.undo()),
                4..6 => drop(walk.night.redo()),
                _ => drop(walk.step(step)),
            }
            tallies.change_chouette(&before, walk.night.state());
        }
        walk.printed_if_it_fails(|night| {
            let state = night.state();
            let mut whole = Tallies::default();
            whole.change_chouette(&Chouette::initial(), state);
            assert_eq!(tallies, whole, "act by act as all at once");
            let counts = of_tallies(&tallies);
            assert_eq!(counts, of_games(state));
            for score in state.standings() {
                let counted = counts.get(&(score.player, "half points".to_owned())).copied().unwrap_or(0);
                assert_eq!(HalfPoints(counted), state.booked(score.player), "as the books have it");
            }
            check_pairs(&tallies);
            let of_club = tallies.iter().filter(|(tally, _)| tally.player.is_none());
            let of_club: i64 = of_club.map(|(_, games)| games.games).sum();
            assert_eq!(usize::try_from(of_club), Ok(state.finished().len()), "each game once for the club");
        });
    }
}
