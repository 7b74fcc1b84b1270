//! The cube in a game: C0 to C10, M3.

use super::*;
use crate::{Animals, Cube, Ended, Owner, Win};

/// White, on turn, bears off its last checker with any roll and wins a gammon.
fn about_to_win_a_gammon(options: CubeOptions) -> Table {
    Table::with(with_cube(options), "2:1", "13:15")
}

fn money() -> CubeOptions {
    CubeOptions { beavers: Animals::Any, ..CubeOptions::default() }
}

/// A game in which Black, on turn, has doubled.
fn doubled(options: CubeOptions) -> Table {
    let mut table = Table::opened(with_cube(options));
    table.ok(Black, &Action::Double {});
    table
}

#[test]
fn c0_every_variant_can_be_played_with_or_without_the_cube() {
    for variant in crate::Variant::ALL {
        for cube in [CubeRules::default(), CubeRules::Without {}, CubeRules::Crawford {}] {
            let mut table = Table::new(GameRules { variant, cube, ..common() });
            table.ok(White, &opening(6, 2));
            if table.game.plays().is_empty() {
                table.ok(White, &rolls(6, 2));
            }
            let first = table.game.plays()[0].steps;
            table.ok(White, &Action::Play { steps: first });
            let with = matches!(cube, CubeRules::With(_)) && variant.has_cube();
            assert_eq!(table.may(Black, ActionKind::Double), with, "{variant:?} {cube:?}");
            assert_eq!(table.game.cube().is_some(), with);
        }
    }
}

#[test]
fn c0_without_the_cube_the_stake_is_one_and_every_win_counts() {
    let rules = GameRules { cube: CubeRules::Without {}, ..common() };
    let mut table = Table::with(rules, "2:1", "13:15");
    assert_eq!(table.no(White, &Action::Double {}), Refusal::NoCube);
    table.ok(White, &rolls(2, 1));
    table.ok(White, &play(&[(2, 2)]));
    assert_eq!(table.outcome().points, 2);
}

#[test]
fn m3_the_crawford_game_says_why_there_is_no_cube() {
    let table = Table::opened(GameRules { cube: CubeRules::Crawford {}, ..common() });
    assert_eq!(table.no(Black, &Action::Double {}), Refusal::CrawfordGame);
}

#[test]
fn c1_the_cube_begins_centred_at_one_and_either_side_may_double_first() {
    let mut table = Table::opened(common());
    assert_eq!(table.game.cube(), Some(Cube::centred(value(1))));
    assert!(table.may(Black, ActionKind::Double));
    table.ok(Black, &rolls(6, 2));
    table.ok(Black, &play(&[(24, 6), (13, 2)]));
    assert!(table.may(White, ActionKind::Double));
}

#[test]
fn c2_a_double_comes_on_ones_own_turn_before_the_dice_also_from_the_bar() {
    let mut table = Table::with(common(), "bar:2 6:13", "6:2 13:13");
    assert_eq!(table.no(Black, &Action::Double {}), Refusal::NotYourTurn { side: White });
    assert!(table.may(White, ActionKind::Double));
    table.ok(White, &rolls(6, 4));
    assert_eq!(table.no(White, &Action::Double {}), Refusal::AlreadyRolled { roll: roll(6, 4) });
}

#[test]
fn c3_a_refuser_loses_the_stake_before_the_offer_and_gammons_do_not_count() {
    let mut table = doubled(CubeOptions::default());
    let events = table.ok(White, &Action::Drop {});
    assert_eq!(events.iter().map(Event::kind).collect::<Vec<_>>(), ["dropped", "finished"]);
    let ended = Ended::Dropped {};
    assert_eq!(table.outcome(), Outcome { winner: Black, ended, stake: value(1), points: 1 });
}

#[test]
fn c4_the_taker_owns_the_cube_and_only_the_owner_doubles_next() {
    let mut table = doubled(CubeOptions::default());
    assert_eq!(table.game.decision(), Some(White));
    assert_eq!(table.no(Black, &Action::Take {}), Refusal::NotYourAnswer { side: White });
    table.ok(White, &Action::Take {});
    assert_eq!(table.game.cube(), Some(Cube::owned(value(2), White)));
    assert_eq!(table.no(Black, &Action::Double {}), Refusal::NotYourCube);
    table.ok(Black, &rolls(6, 2));
    table.ok(Black, &play(&[(24, 6), (13, 2)]));
    table.ok(White, &Action::Double {});
    table.ok(Black, &Action::Drop {});
    assert_eq!((table.outcome().winner, table.outcome().points), (White, 2));
}

#[test]
fn c5_the_opener_plays_at_once_and_its_opponent_doubles_first() {
    let mut table = Table::new(common());
    table.ok(White, &opening(3, 1));
    for side in Colour::ALL {
        assert!(!table.may(side, ActionKind::Double), "{side}");
    }
    assert_eq!(table.no(White, &Action::Double {}), Refusal::AlreadyRolled { roll: roll(3, 1) });
    table.ok(White, &play(&[(8, 3), (6, 1)]));
    assert!(table.may(Black, ActionKind::Double) && !table.may(White, ActionKind::Double));
}

#[test]
fn c6_each_tie_doubles_the_stake_up_to_the_number_agreed() {
    let options = CubeOptions { automatic_doubles: 2, ..CubeOptions::default() };
    let mut table = Table::new(with_cube(options));
    for (dice, stake) in [(1, 2), (6, 4), (3, 4)] {
        table.ok(White, &opening(dice, dice));
        assert_eq!(table.game.cube(), Some(Cube::centred(value(stake))));
    }
    table.ok(White, &opening(3, 1));
    table.ok(White, &play(&[(8, 3), (6, 1)]));
    table.ok(Black, &Action::Double {});
    table.ok(White, &Action::Drop {});
    assert_eq!(table.outcome().points, 4);
}

/// Proves C10.
#[test]
fn c6_a_cap_holds_automatic_doubles_too_and_drawn_ties_count_alike() {
    let options = CubeOptions { automatic_doubles: 9, cap: Some(value(4)), ..CubeOptions::default() };
    let mut table = Table::new(with_cube(options));
    table.drawn(White, &Action::RollOpening { dice: None }, &[1, 1, 2, 2, 3, 3, 5, 4]);
    assert_eq!((table.game.turn(), table.game.stake().get()), (Some(White), 4));
}

#[test]
fn c7_a_beaver_is_taken_at_four_and_stays_with_who_beavered() {
    let mut table = doubled(money());
    table.ok(White, &Action::Beaver {});
    assert_eq!(table.game.decision(), Some(Black));
    assert_eq!(table.no(White, &Action::Take {}), Refusal::NotYourAnswer { side: Black });
    table.ok(Black, &Action::Take {});
    assert_eq!(table.game.cube(), Some(Cube::owned(value(4), White)));
    assert_eq!((table.game.turn(), table.may(Black, ActionKind::Roll)), (Some(Black), true));
}

#[test]
fn c7_who_refuses_a_beaver_loses_the_doubled_stake() {
    let mut table = doubled(money());
    table.ok(White, &Action::Beaver {});
    table.ok(Black, &Action::Drop {});
    assert_eq!((table.outcome().winner, table.outcome().points), (White, 2));
}

#[test]
fn c8_raccoon_and_otter_go_on_to_sixteen() {
    let mut table = doubled(money());
    for (side, to) in [(White, 4), (Black, 8), (White, 16)] {
        let events = table.ok(side, &Action::Beaver {});
        assert!(
            matches!(events[..], [Event::Beavered { to: raised, owner: White, .. }] if raised == value(to))
        );
    }
    let mut refused = table.clone();
    refused.ok(Black, &Action::Drop {});
    assert_eq!((refused.outcome().winner, refused.outcome().points), (White, 8));
    table.ok(Black, &Action::Take {});
    assert_eq!(table.game.cube(), Some(Cube::owned(value(16), White)));
}

#[test]
fn c8_a_raccoon_can_be_refused_by_who_beavered() {
    let mut table = doubled(money());
    table.ok(White, &Action::Beaver {});
    table.ok(Black, &Action::Beaver {});
    table.ok(White, &Action::Drop {});
    assert_eq!((table.outcome().winner, table.outcome().points), (Black, 4));
}

#[test]
fn c8_only_as_far_as_agreed_and_only_directly_after_the_double() {
    for (beavers, most) in
        [(Animals::None, 0), (Animals::Beaver, 1), (Animals::Raccoon, 2), (Animals::Otter, 3)]
    {
        let mut table = doubled(CubeOptions { beavers, ..CubeOptions::default() });
        for side in [White, Black, White].into_iter().take(most) {
            table.ok(side, &Action::Beaver {});
        }
        let side = table.game.decision().unwrap();
        assert_eq!(table.no(side, &Action::Beaver {}), Refusal::NoBeavers, "{beavers:?}");
    }
    let mut table = doubled(money());
    table.ok(White, &Action::Take {});
    assert_eq!(table.no(White, &Action::Beaver {}), Refusal::NoOffer);
    table.ok(Black, &rolls(6, 2));
    assert_eq!(table.no(White, &Action::Beaver {}), Refusal::NoOffer);
}

#[test]
fn c9_under_jacoby_gammons_count_only_once_the_cube_was_taken() {
    let jacoby = CubeOptions { jacoby: true, automatic_doubles: 1, ..CubeOptions::default() };
    let mut table = about_to_win_a_gammon(jacoby);
    let mut turned = table.clone();
    table.ok(White, &rolls(2, 1));
    table.ok(White, &play(&[(2, 2)]));
    let ended = Ended::BorneOff { win: Win::Gammon };
    assert_eq!(table.outcome(), Outcome { winner: White, ended, stake: value(1), points: 1 });

    turned.ok(White, &Action::Double {});
    turned.ok(Black, &Action::Take {});
    turned.ok(White, &rolls(2, 1));
    turned.ok(White, &play(&[(2, 2)]));
    assert_eq!(turned.outcome().points, 4);
}

#[test]
fn c9_an_automatic_double_is_no_turning_and_a_resigned_gammon_counts_no_more_than_one_played() {
    let options = CubeOptions { jacoby: true, automatic_doubles: 1, ..CubeOptions::default() };
    let mut table = Table::new(with_cube(options));
    table.ok(White, &opening(2, 2));
    table.ok(White, &opening(3, 1));
    table.ok(White, &Action::Resign { win: Win::Gammon });
    table.ok(Black, &Action::AcceptResignation {});
    assert_eq!((table.outcome().stake.get(), table.outcome().points), (2, 2));
}

#[test]
fn c10_a_cap_is_never_passed_by_double_or_beaver() {
    let mut table = doubled(CubeOptions { cap: Some(value(2)), ..money() });
    let limit = value(2);
    assert_eq!(table.no(White, &Action::Beaver {}), Refusal::CubeAtLimit { limit });
    table.ok(White, &Action::Take {});
    table.ok(Black, &rolls(6, 2));
    table.ok(Black, &play(&[(24, 6), (13, 2)]));
    assert_eq!(table.no(White, &Action::Double {}), Refusal::CubeAtLimit { limit });
    assert!(matches!(table.game.cube(), Some(Cube { owner: Owner::Owned(White), .. })));
}
