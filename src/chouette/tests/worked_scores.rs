//! The worked scores of `docs/rules.md`: A is the box, and every row adds up to zero.

use super::{Night, double, drop, finish, take};
use crate::chouette::{Event, Side};
use crate::engine::Win;
use crate::ledger::{Posting, Unit, transaction_for};
use crate::values::ChouetteId;
use uuid::Uuid;

#[test]
fn e1_a_one_point_game_against_four() {
    let mut night = Night::playing("ABCDE");
    night.ok(&finish(Side::Box, Win::Single));
    assert_eq!(night.scores(), "A+4 B-1 C-1 D-1 E-1");

    let mut night = Night::playing("ABCDE");
    night.ok(&finish(Side::Team, Win::Single));
    assert_eq!(night.scores(), "A-4 B+1 C+1 D+1 E+1");
}

#[test]
fn e2_the_box_took_from_all_four_and_is_gammoned() {
    let mut night = Night::playing("ABCDE");
    for member in ['B', 'C', 'D', 'E'] {
        night.ok(&double(member, "*"));
    }
    night.ok(&take('A', "*"));
    night.ok(&finish(Side::Team, Win::Gammon));
    assert_eq!(night.scores(), "A-16 B+4 C+4 D+4 E+4");
}

#[test]
fn e3_three_taken_and_the_fourth_dropped_later() {
    let mut night = Night::playing("ABCDE");
    for member in ['B', 'C', 'D'] {
        night.ok(&double(member, "A"));
    }
    night.ok(&take('A', "BCD"));
    night.ok(&double('E', "A"));
    night.ok(&drop('A', "E"));
    night.ok(&finish(Side::Team, Win::Gammon));
    assert_eq!(night.scores(), "A-13 B+4 C+4 D+4 E+1");
}

/// A doubles all three; B and C take, D drops.
fn e7() -> Night {
    let mut night = Night::playing("ABCD");
    night.ok(&double('A', "*"));
    night.ok(&take('B', "*"));
    night.ok(&take('C', "*"));
    night.ok(&drop('D', "*"));
    night
}

#[test]
fn e7_a_drop_shows_at_once_and_the_game_goes_on() {
    let night = e7();
    assert_eq!(night.scores(), "A+1 B0 C0 D-1");
    assert_eq!(night.booked(), "A0 B0 C0 D0", "the books have it when the game ends");
    assert!(night.state().game().is_some());
}

#[test]
fn e8_the_books_have_it_when_the_game_ends() {
    let mut night = e7();
    night.ok(&double('C', "*"));
    night.ok(&take('A', "*"));
    assert!(finished_games(&night).is_empty(), "nothing to post before the end");

    night.ok(&finish(Side::Team, Win::Single));
    assert_eq!(night.scores(), "A-5 B+2 C+4 D-1");
    assert_eq!(night.booked(), night.scores());

    let posted = finished_games(&night);
    let postings: Vec<(char, char, i64)> = posted
        .iter()
        .map(|posting| {
            assert_eq!((posting.unit, posting.game), (Unit::HalfPoints, 1));
            (super::letter(posting.player), super::letter(posting.counterparty), posting.amount)
        })
        .collect();
    let expected =
        [('B', 'A', 4), ('A', 'B', -4), ('C', 'A', 8), ('A', 'C', -8), ('A', 'D', 2), ('D', 'A', -2)];
    assert_eq!(postings, expected);
}

/// What the ledger posts for the night so far.
fn finished_games(night: &Night) -> Vec<Posting> {
    let events = night.acts.iter().flat_map(|act| match &act.deed {
        crate::journal::Deed::Events(events) => events.as_slice(),
        _ => &[],
    });
    events
        .filter_map(|event| match event {
            Event::GameFinished(finished) => {
                Some(transaction_for(ChouetteId(Uuid::nil()), finished, None, super::now()).unwrap())
            }
            _ => None,
        })
        .flat_map(|transaction| transaction.postings().to_vec())
        .collect()
}
