//! The board shows the position, and offers exactly the legal actions.

use chrono_tz::Tz;

use super::drawing::{COLUMN, Column, HEIGHT, RIM, STACKED, TRAY_AT, discs, pips, spots};
use super::script::pinned;
use super::*;
use owlbox_base::values::ChouetteId;
use owlbox_desk::Dice;
use owlbox_engine::game::{Action, Event, GameRules, OpeningDice};
use owlbox_engine::{OFF, Position, Steps, Variant};
use owlbox_locale::Language;
use uuid::Uuid;

#[test]
fn g1_g19_white_goes_anticlockwise_and_is_home_below_on_the_right() {
    // 24 and the home points are on the right, above and below. Between 19 and 18, and between 7 and 6, is
    // the bar.
    let at = |point| Column::of(point);
    assert_eq!([at(24), at(19), at(18), at(13)].map(|column| column.above), [true; 4]);
    assert_eq!([at(12), at(7), at(6), at(1)].map(|column| column.above), [false; 4]);
    assert_eq!((at(24).left, at(1).left), (12 * COLUMN, 12 * COLUMN));
    assert_eq!((at(13).left, at(12).left), (0, 0));
    assert_eq!((at(19).left, at(18).left), (7 * COLUMN, 5 * COLUMN));
}

#[test]
fn every_checker_is_drawn_and_of_more_than_five_the_number_is_written() {
    let start = discs(BoardView::default(), Variant::Standard.start());
    assert_eq!(start.iter().filter(|disc| disc.colour == Colour::White).count(), 15);
    assert_eq!(start.len(), 30);
    assert!(start.iter().all(|disc| disc.count.is_none()));
    let mut counts = [0; 26];
    counts[6] = 9;
    counts[25] = 6;
    let many = Checkers::new(counts).unwrap();
    let position = Position::new(many, many).unwrap();
    let drawn = discs(BoardView::default(), position);
    let written: Vec<Option<u8>> = drawn.iter().map(|disc| disc.count).filter(Option::is_some).collect();
    assert_eq!(written, [Some(9), Some(6), Some(9), Some(6)]);
    assert!(drawn.iter().all(|disc| (0..HEIGHT).contains(&disc.y)));
}

#[test]
fn places_are_numbered_as_the_side_on_turn_counts() {
    for (colour, at_24) in [(Colour::White, 24), (Colour::Black, 1)] {
        let spots = spots(BoardView::default(), colour, Movement::Backgammon);
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
    for die in Die::ALL {
        assert_eq!(pips(die).len(), usize::from(die.pips()));
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
    let side = |name: &str, slot| BoardSide {
        name: name.to_owned(),
        acts_as: ActsAs::Sheet(slot),
        may: Vec::new(),
        last: None,
        is_viewers: false,
        may_roll_at_once: false,
    };
    Board {
        t: Locale::new(Language::English, Tz::UTC),
        game: closed_out(),
        sides: [side("Ann", Slot::Upper), side("Bob", Slot::Lower)],
        waits: None,
        may_double,
        dice_from: DiceFrom { service: true, hand: false },
        target: Target::at_table(ChouetteId(Uuid::nil()), 1),
        view,
    }
}

/// G16: a closed-out side does not roll. It still has its turn, and may double (C2).
#[test]
fn g16_a_side_that_is_closed_out_is_not_told_to_roll() {
    let status = |may_double| shown_to(BoardView::default(), may_double).status();
    assert_eq!(status(true), "Ann is closed out: no roll, but a double or a pass");
    assert_eq!(status(false), "Ann is closed out: no roll, the turn passes");
}

/// The status already says that the side on turn is closed out, so the notes only mention the other's prime.
#[test]
fn g16_g20_what_stands_beside_the_board_says_prime_and_closed_out() {
    let board = shown_to(BoardView::default(), true);
    assert!(board.status().contains("closed out"));
    assert_eq!(board.notes(), ["Bob has a prime, six points in a row"]);
}

/// Every item lands on its mirror image, except that the left die stays on the left.
#[test]
fn g1_a_mirrored_board_bears_off_to_the_left() {
    let plain = shown_to(BoardView::default(), true);
    let mirrored = shown_to(BoardView { mirrored: true, ..BoardView::default() }, true);
    let both = |lay: fn(&Board) -> Vec<(i32, i32)>| (lay(&plain), lay(&mirrored));
    let (spots, across) = both(|board| board.spots().iter().map(|spot| (spot.x, spot.y())).collect());
    let image =
        |all: Vec<(i32, i32)>, sum: i32| all.into_iter().map(|(x, y)| (sum - x, y)).collect::<Vec<_>>();
    assert_eq!(across, image(spots, TRAY_AT));
    let (discs, across) = both(|board| board.discs().iter().map(|disc| (disc.x, disc.y)).collect());
    assert_eq!(across, image(discs, TRAY_AT + COLUMN));
    let spots = mirrored.spots();
    let tray = spots.iter().find(|spot| spot.place == OFF).unwrap();
    assert!(spots.iter().all(|spot| spot.x >= tray.x), "the tray is leftmost");
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
        let (place, stands) = (board.place(&24), board.stands(&Colour::White));
        assert_eq!((place.as_str(), stands.as_str()), (at_24, at_6), "{wanted:?}");
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
    let Column { left, above } = Column::of(14);
    assert!(above);
    let there = discs(BoardView::default(), position).into_iter();
    let there = there.filter(|disc| disc.x == left + COLUMN / 2 && disc.y < HEIGHT / 2);
    let mut there: Vec<(i32, bool)> = there.map(|disc| (disc.y, disc.colour == Colour::White)).collect();
    there.sort_unstable();
    assert_eq!(there, [(RIM, false), (RIM + STACKED, true), (RIM + 2 * STACKED, true)]);
    assert_eq!((pinned(position)[14], pinned(position.turned())[11]), (-1, 1));
}

/// V4: White starts at the upper right, Black at the lower left, and each counts its own points.
#[test]
fn v4_in_fevga_the_sides_begin_in_opposite_corners_and_black_counts_from_its_own() {
    let start = discs(BoardView::default(), Variant::Fevga.start());
    let of = |colour| start.iter().filter(move |disc| disc.colour == colour);
    let at = |colour| of(colour).map(|disc| (disc.x, disc.y)).min();
    assert_eq!(at(Colour::White), Some((12 * COLUMN + COLUMN / 2, RIM)));
    assert_eq!(at(Colour::Black).map(|(x, _)| x), Some(COLUMN / 2));
    assert!(of(Colour::Black).all(|disc| disc.y > HEIGHT / 2));
    let black = spots(BoardView::default(), Colour::Black, Movement::Fevga);
    let corner = black.iter().find(|spot| spot.x == 0 && !spot.above && spot.point.is_some());
    assert_eq!(corner.map(|spot| spot.place), Some(24));
    let mut places: Vec<Place> = black.iter().map(|spot| spot.place).collect();
    places.sort_unstable();
    assert_eq!(places, (0..=25).collect::<Vec<_>>());
}
