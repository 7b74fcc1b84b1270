//! The board shows the position, and offers exactly the legal actions.

use chrono_tz::Tz;

use super::*;
use owlbox_base::values::ChouetteId;
use owlbox_desk::Dice;
use owlbox_engine::game::{Event, GameRules, OpeningDice};
use owlbox_engine::notation::PointNames;
use owlbox_engine::{Steps, Variant};
use owlbox_locale::Language;
use uuid::Uuid;

#[test]
fn g1_g19_white_goes_anticlockwise_and_is_home_below_on_the_right() {
    // 24 and the home points are on the right, above and below. Between 19 and 18, and between 7 and 6, is
    // the bar.
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
        let spots = spots(turned, Movement::Backgammon);
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

/// A game in which White is on turn and on the bar against six made points.
fn closed_out() -> Game {
    let mut game = Game::new(GameRules::default());
    let (white, black) = (1_u8.try_into().unwrap(), 3_u8.try_into().unwrap());
    let opening = Action::RollOpening { dice: Some(OpeningDice { white, black }) };
    for event in game.decide(Colour::Black, &opening, &mut Dice::seeded(0)).unwrap() {
        game.apply(&event);
    }
    let (mut on_the_bar, mut closed) = ([0; 26], [0; 26]);
    (on_the_bar[6], on_the_bar[25]) = (14, 1);
    (1..=6).for_each(|point| closed[point] = 2);
    (closed[8], closed[9]) = (2, 1);
    let places = |counts| Checkers::new(counts).unwrap();
    let position = Position::new(places(on_the_bar), places(closed)).unwrap().into();
    game.apply(&Event::Played {
        side: Colour::Black,
        roll: Roll::new(black, white),
        steps: Steps::NONE,
        position,
    });
    assert!(game.position().is_closed_out() && game.turn() == Some(Colour::White));
    game
}

/// The board of Ann, who is closed out, and Bob.
fn shown_to(view: BoardView, may_double: bool) -> Board {
    let t = Locale::new(Language::English, Tz::UTC);
    let side = |name: &str, slot| RefereedSide {
        name: name.to_owned(),
        called: String::new(),
        acts_as: ActsAs::Sheet(slot),
        may: Vec::new(),
        last: None,
        is_viewers: false,
    };
    let refereed = Refereed {
        t: &t,
        game: &closed_out(),
        sides: [side("Ann", Slot::Upper), side("Bob", Slot::Lower)],
        waits: None,
        may_double,
        dice: DiceFrom { service: true, hand: false },
        target: Target::at_table(ChouetteId(Uuid::nil()), 1),
        view,
    };
    refereed.board()
}

/// G16: a closed-out side does not roll. It still has its turn, and may double (C2).
#[test]
fn g16_a_side_that_is_closed_out_is_not_told_to_roll() {
    let status = |may_double| shown_to(BoardView::default(), may_double).status;
    assert_eq!(status(true), "Ann is closed out: no roll, but a double or a pass");
    assert_eq!(status(false), "Ann is closed out: no roll, the turn passes");
}

/// The status already says that the side on turn is closed out, so the notes only mention the other's prime.
#[test]
fn g16_g20_what_stands_beside_the_board_says_prime_and_closed_out() {
    let board = shown_to(BoardView::default(), true);
    assert!(board.status.contains("closed out"));
    assert_eq!(board.notes, ["Bob has a prime, six points in a row"]);
}

/// Every item lands on its mirror image, except that the left die stays on the left.
#[test]
fn g1_a_mirrored_board_bears_off_to_the_left() {
    let plain = shown_to(BoardView::default(), true);
    let mirrored = shown_to(BoardView { mirrored: true, ..BoardView::default() }, true);
    let both = |lay: fn(&Board) -> Vec<(i32, i32)>| (lay(&plain), lay(&mirrored));
    let (spots, across) = both(|board| board.spots.iter().map(|spot| (spot.x, spot.y)).collect());
    let image =
        |all: Vec<(i32, i32)>, sum: i32| all.into_iter().map(|(x, y)| (sum - x, y)).collect::<Vec<_>>();
    assert_eq!(across, image(spots, TRAY_AT));
    let (discs, across) = both(|board| board.discs.iter().map(|disc| (disc.x, disc.y)).collect());
    assert_eq!(across, image(discs, TRAY_AT + COLUMN));
    let tray = mirrored.spots.iter().find(|spot| spot.place == OFF).unwrap();
    assert!(mirrored.spots.iter().all(|spot| spot.x >= tray.x), "the tray is leftmost");
}

/// K1, K4: the choice of names applies to the numbers on the board and to the description of the checkers.
#[test]
fn k1_k4_points_are_called_as_the_viewer_wants() {
    let names = |names| shown_to(BoardView { names, mirrored: false }, true);
    for (wanted, at_24, at_6) in [
        (PointNames::Common, "24", "bar: 1, 6: 14"),
        (PointNames::Box, "1A", "bar: 1, 6: 14"),
        (PointNames::Absolute, "1", "bar: 1, 19: 14"),
    ] {
        let board = names(wanted);
        assert_eq!((board.name(&24), board.players[0].stands.as_str()), (at_24, at_6), "{wanted:?}");
    }
}

/// V4: a pinned checker lies at the rim, under those that pin it, and the data for the script marks it.
#[test]
fn v4_a_pinned_checker_is_drawn_under_those_that_pin_it() {
    let side = |places: &[(usize, u8)]| {
        let mut counts = [0; 26];
        places.iter().for_each(|(place, count)| counts[*place] = *count);
        Checkers::new(counts).unwrap().moving(Movement::Plakoto)
    };
    // White's 14 is Black's 11. Two white checkers pin a black one there.
    let position = Position::new(side(&[(14, 2), (24, 13)]), side(&[(11, 1), (24, 14)]).pinned(11)).unwrap();
    let (x, above) = column(14);
    assert!(above);
    let there = discs(position).into_iter().filter(|disc| disc.x == x + COLUMN / 2 && disc.y < HEIGHT / 2);
    let mut there: Vec<(i32, bool)> = there.map(|disc| (disc.y, disc.white)).collect();
    there.sort_unstable();
    assert_eq!(there, [(RIM, false), (RIM + STACKED, true), (RIM + 2 * STACKED, true)]);
    assert_eq!((pinned(position)[14], pinned(position.turned())[11]), (-1, 1));
}

/// V4: White starts at the upper right, Black at the lower left, and each counts its own points.
#[test]
fn v4_in_fevga_the_sides_begin_in_opposite_corners_and_black_counts_from_its_own() {
    let start = discs(Variant::Fevga.start());
    let at = |white: bool| start.iter().filter(|disc| disc.white == white).map(|disc| (disc.x, disc.y)).min();
    assert_eq!(at(true), Some((12 * COLUMN + COLUMN / 2, RIM)));
    assert_eq!(at(false).map(|(x, _)| x), Some(COLUMN / 2));
    assert!(start.iter().filter(|disc| !disc.white).all(|disc| disc.y > HEIGHT / 2));
    let black = spots(true, Movement::Fevga);
    let corner = black.iter().find(|spot| spot.x == 0 && !spot.above && spot.point.is_some());
    assert_eq!(corner.map(|spot| spot.place), Some(24));
    let mut places: Vec<Place> = black.iter().map(|spot| spot.place).collect();
    places.sort_unstable();
    assert_eq!(places, (0..=25).collect::<Vec<_>>());
}
