//! What the ledger posts of nights that are played.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;
use uuid::Uuid;

use super::{Night, Step, house_rules, now, player};
use crate::ledger::{Origin, Posting, PostingKind, Source, Transaction, Unit, reversal_of};
use owlbox_base::values::{ChouetteId, Holder, PlayerId};
use owlbox_chouette::{BetCorrection, BetEnded, Command, Event, Side};
use owlbox_engine::{CubeValue, Win};

/// The transactions of these events at this table.
fn posted(night: &Night, events: &[Event]) -> Vec<Transaction> {
    let source = Source::Chouette(ChouetteId(Uuid::nil()));
    let place = Origin { source, stake: night.state().stake(), at: now(), night: None };
    events.iter().flat_map(|event| place.transactions(event).unwrap()).collect()
}

fn postings(transactions: &[Transaction]) -> impl Iterator<Item = &Posting> {
    transactions.iter().flat_map(Transaction::postings)
}

/// What these postings leave of the player's score, in half points.
fn points_of(player: PlayerId, transactions: &[Transaction]) -> i64 {
    let of_player = |posting: &&Posting| posting.holder == player.into() && posting.unit == Unit::HalfPoints;
    postings(transactions).filter(of_player).map(|posting| posting.amount).sum()
}

fn double(letter: char) -> Command {
    Command::Double { player: player(letter), against: None, rolled: false }
}
fn take(letter: char) -> Command {
    Command::Take { player: player(letter), against: None }
}
fn finish(winner: Side, win: Win) -> Command {
    Command::Finish { winner, win }
}
fn start() -> Command {
    Command::StartGame { refereed: false, variant: None }
}

/// A doubles, B and C take, D drops; C redoubles.
fn before_the_end_of_e8() -> (Night, Vec<Event>) {
    let mut night = Night::seated("ABCD", None);
    let drop = Command::Drop { player: player('D'), against: None };
    let mut events = Vec::new();
    for command in
        [start(), double('A'), take('B'), take('C'), drop, Command::PlayOn {}, double('C'), take('A')]
    {
        events.extend(night.ok(&command));
    }
    (night, events)
}

#[test]
fn e8_a_game_is_posted_bet_by_bet_when_it_ends_and_not_before() {
    let (mut night, events) = before_the_end_of_e8();
    assert_eq!(posted(&night, &events), []);

    let ended = night.ok(&finish(Side::Team, Win::Single));
    let letter = |holder: Holder| char::from_u32(u32::try_from(holder.id().as_u128()).unwrap()).unwrap();
    let posted = posted(&night, &ended);
    let amounts: Vec<(char, char, i64)> = postings(&posted)
        .map(|posting| (letter(posting.holder), letter(posting.counterparty), posting.amount))
        .collect();
    let expected =
        [('B', 'A', 4), ('A', 'B', -4), ('C', 'A', 8), ('A', 'C', -8), ('A', 'D', 2), ('D', 'A', -2)];
    assert_eq!(amounts, expected);
    assert!(postings(&posted).all(|posting| posting.unit == Unit::HalfPoints));
}

#[test]
fn the_books_take_back_what_was_and_post_what_is() {
    let mut night = Night::seated("ABCD", None);
    let against = Some(vec![player('B'), player('D')]);
    let drop = Command::Drop { player: player('D'), against: None };
    let doubled = Command::Double { player: player('A'), against, rolled: false };
    let mut all = Vec::new();
    for command in [start(), doubled, take('B'), drop, finish(Side::Box, Win::Single)] {
        all.extend(night.ok(&command));
    }
    let (winner, win) = (Some(Side::Team), Some(Win::Gammon));
    let corrected = night.ok(&Command::Correct { game: 1, winner, win, bets: Vec::new() });
    // A had won 4 and has now lost 4: the difference, in half points.
    assert_eq!(points_of(player('A'), &posted(&night, &corrected)), -16);
    all.extend(corrected);
    let posted = posted(&night, &all);
    for (letter, points) in [('A', -8), ('B', 8), ('C', 2), ('D', -2)] {
        assert_eq!(points_of(player(letter), &posted), points, "{letter}");
        assert_eq!(night.state().booked(player(letter)).0, points, "{letter}");
    }
}

/// The most expensive game possible, a hundred times over: every amount stays in range, and the debts add up
/// to zero.
#[test]
fn games_as_high_as_can_be_are_booked_and_owed() {
    let stake = serde_json::from_value(json!({"amount": 15_894_570, "currency": "EUR"})).unwrap();
    let mut night = Night::seated("ABCDEFGHIJKL", Some(stake));
    for game in 1..=100 {
        night.ok(&start());
        night.ok(&finish(Side::Box, Win::Backgammon));
        let (cube, ended) = (Some(CubeValue::MAX), Some(BetEnded::Game {}));
        let bets = (1..=11).map(|bet| BetCorrection { bet, cube, turned: None, ended }).collect();
        let (winner, win) = (Some(Side::Box), Some(Win::Backgammon));
        let corrected = night.ok(&Command::Correct { game, winner, win, bets });
        assert!(!posted(&night, &corrected).is_empty());
    }
    let state = night.state();
    let owed: Vec<i64> = state.known().map(|player| state.debt(player).unwrap()).collect();
    assert_eq!(owed.iter().sum::<i64>(), 0);
    assert_eq!(state.debt(player('A')), Some(100 * 11 * 3 * (1 << 20) * 15_894_570));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_game_of_a_random_night_posts_each_bet_twice_in_points_and_twice_in_money(
        rules in vec(any::<u8>(), 64).prop_map(|numbers| house_rules(&numbers)),
        steps in vec(any::<Step>(), 0..120),
    ) {
        let stake = serde_json::from_value(json!({"amount": 500, "currency": "EUR"})).unwrap();
        let mut night = Night::gathered("ABCDE", Some(stake), rules);
        let mut all = Vec::new();
        for step in steps {
            for event in night.step(step) {
                let posted = posted(&night, std::slice::from_ref(&event));
                for transaction in &posted {
                    prop_assert_eq!(&reversal_of(&reversal_of(transaction)), transaction);
                }
                if let Event::GameFinished(finished) = &event {
                    prop_assert_eq!(postings(&posted).count(), 4 * finished.bets.len());
                    prop_assert!(postings(&posted).all(|posting| matches!(posting.kind, PostingKind::Bet(_))));
                }
                all.extend(posted);
            }
        }
        for score in night.state().standings() {
            let booked = night.state().booked(score.player).0;
            prop_assert_eq!(points_of(score.player, &all), booked, "as the table has it");
        }
    }
}
