//! That the board shows the position, and that what may be done on it is what is legal.

use super::*;
use crate::engine::Variant;

#[test]
fn g1_g19_white_goes_anticlockwise_and_is_home_below_on_the_right() {
    // 24 and home are on the right, above and below; from 19 to 18 and from 7 to 6 the bar is crossed.
    let at = |point| column(point);
    assert_eq!([at(24), at(19), at(18), at(13)].map(|(_, above)| above), [true; 4]);
    assert_eq!([at(12), at(7), at(6), at(1)].map(|(_, above)| above), [false; 4]);
    assert_eq!((at(24).0, at(1).0), (12 * COLUMN, 12 * COLUMN));
    assert_eq!((at(13).0, at(12).0), (0, 0));
    assert_eq!((at(19).0, at(18).0), (7 * COLUMN, 5 * COLUMN));
}

#[test]
fn every_checker_is_drawn_and_of_more_than_five_the_number_is_written() {
    let start = discs(Variant::Standard.start());
    assert_eq!(start.iter().filter(|disc| disc.white).count(), 15);
    assert_eq!(start.len(), 30);
    assert!(start.iter().all(|disc| disc.count.is_none()));
    let mut counts = [0; 26];
    counts[6] = 9;
    counts[25] = 6;
    let many = Checkers::new(counts).unwrap();
    let position = Position::new(many, many).unwrap();
    let drawn = discs(position);
    let written: Vec<Option<u8>> = drawn.iter().map(|disc| disc.count).filter(Option::is_some).collect();
    assert_eq!(written, [Some(9), Some(6), Some(9), Some(6)]);
    assert!(drawn.iter().all(|disc| (0..HEIGHT).contains(&disc.y)));
}

#[test]
fn places_are_numbered_as_the_side_on_turn_counts() {
    for (turned, at_24) in [(false, 24), (true, 1)] {
        let spots = spots(turned);
        assert_eq!(spots.len(), 26);
        let corner = spots.iter().find(|spot| spot.x == 12 * COLUMN && spot.above && spot.point.is_some());
        assert_eq!(corner.map(|spot| spot.place), Some(at_24));
        let mut places: Vec<Place> = spots.iter().map(|spot| spot.place).collect();
        places.sort_unstable();
        assert_eq!(places, (0..=25).collect::<Vec<_>>());
    }
}

#[test]
fn a_die_has_as_many_pips_as_it_shows() {
    for number in 1..=6 {
        assert_eq!(pips(number).len(), usize::from(number));
    }
}
