//! What the ledger posts of nights that are played.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;
use uuid::Uuid;

use super::night::{Night, double, drop, finish, letter, now, player, rules, start, take};
use super::walk::{Step, Walk, house_rules};
use crate::ledger::{Posting, PostingKind, PostingOrigin, Source, Transaction, Unit, reversal_of};
use owlbox_base::values::{ChouetteId, PlayerId, Stake};
use owlbox_chouette::{BetCorrection, BetEnded, Command, Event, Side};
use owlbox_engine::{CubeValue, Win};

/// The transactions of these events at a table with this stake a point.
fn posted(stake: Option<Stake>, events: &[Event]) -> Vec<Transaction> {
    let source = Source::Chouette(ChouetteId(Uuid::nil()));
    let place = PostingOrigin { source, stake, at: now(), night: None };
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

#[test]
fn e8_a_game_is_posted_bet_by_bet_when_it_ends_and_not_before() {
    let mut night = Night::seated_under("ABCD", rules(json!({})));
    let before = [
        start(),
        double('A', "*"),
        take('B', "*"),
        take('C', "*"),
        drop('D', "*"),
        Command::PlayOn {},
        double('C', "*"),
        take('A', "*"),
    ];
    for command in before {
        let events = night.ok(&command);
        assert_eq!(posted(None, &events), []);
    }
    let ended = night.ok(&finish(Side::Team, Win::Single));
    let posted = posted(None, &ended);
    let parties =
        |posting: &Posting| [posting.holder, posting.counterparty].map(|one| letter(one.player().unwrap()));
    let amounts: Vec<([char; 2], i64)> =
        postings(&posted).map(|posting| (parties(posting), posting.amount)).collect();
    let expected = [
        (['B', 'A'], 4),
        (['A', 'B'], -4),
        (['C', 'A'], 8),
        (['A', 'C'], -8),
        (['A', 'D'], 2),
        (['D', 'A'], -2),
    ];
    assert_eq!(amounts, expected);
    assert!(postings(&posted).all(|posting| posting.unit == Unit::HalfPoints));
}

/// Proves N6.
#[test]
fn the_books_take_back_what_was_and_post_what_is() {
    let mut night = Night::seated_under("ABCD", rules(json!({})));
    let mut all = Vec::new();
    for command in
        [start(), double('A', "BD"), take('B', "*"), drop('D', "*"), finish(Side::Box, Win::Single)]
    {
        all.extend(night.ok(&command));
    }
    let (winner, win) = (Some(Side::Team), Some(Win::Gammon));
    let corrected = night.ok(&Command::Correct { game: 1, winner, win, bets: Vec::new() });
    // A had won 4 and has now lost 4: the difference, in half points.
    assert_eq!(points_of(player('A'), &posted(None, &corrected)), -16);
    all.extend(corrected);
    let posted = posted(None, &all);
    for (letter, points) in [('A', -8), ('B', 8), ('C', 2), ('D', -2)] {
        assert_eq!(points_of(player(letter), &posted), points, "{letter}");
        assert_eq!(night.state().booked(player(letter)).0, points, "{letter}");
    }
}

/// The most expensive game possible, a hundred times over: every amount stays in range, and the debts add up
/// to zero.
/// Proves N12.
#[test]
fn games_as_high_as_can_be_are_booked_and_owed() {
    let stake: Stake = serde_json::from_value(json!({"amount": 15_894_570, "currency": "EUR"})).unwrap();
    let mut night = Night::default();
    let (name, date) = ("High".into(), chrono::NaiveDate::default());
    night.ok(&Command::Open { name, night: date, stake: Some(stake), rules: rules(json!({})), from: None });
    night.all_join("ABCDEFGHIJKL");
    night.roll_as_they_came();
    for game in 1..=100 {
        night.ok(&start());
        night.ok(&finish(Side::Box, Win::Backgammon));
        let (cube, ended) = (Some(CubeValue::MAX), Some(BetEnded::Game {}));
        let bets = (1..=11).map(|bet| BetCorrection { bet, cube, turned: None, ended }).collect();
        let (winner, win) = (Some(Side::Box), Some(Win::Backgammon));
        let corrected = night.ok(&Command::Correct { game, winner, win, bets });
        assert!(!posted(Some(stake), &corrected).is_empty());
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
        let mut walk = Walk::begin(rules, "ABCDE");
        let mut all = Vec::new();
        for step in steps {
            for event in walk.step(step) {
                let posted = posted(Some(stake), std::slice::from_ref(&event));
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
        walk.printed_if_it_fails(|night| {
            for score in night.state().standings() {
                let booked = night.state().booked(score.player).0;
                assert_eq!(points_of(score.player, &all), booked, "as the table has it");
            }
        });
    }
}
