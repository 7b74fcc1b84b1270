//! The highest stakes: no table can be opened at stakes at which a game could exceed what the books hold.

use rstest::rstest;
use serde_json::{Value, json};

use super::{Night, player, rules};
use crate::{Command, HouseRules};
use owlbox_base::values::{Stake, StakeAmount};

fn stake(amount: i64) -> Stake {
    Stake { amount: amount.try_into().unwrap(), currency: "EUR".parse().unwrap() }
}

fn open_for(amount: i64, rules: HouseRules) -> Command {
    let night = chrono::NaiveDate::default();
    Command::Open { name: "High".into(), night, stake: Some(stake(amount)), rules, from: None }
}

/// The most that a player may lose in a game, 10^15, divided by 20 bets, a backgammon in each, and the
/// highest cube.
/// Proves N12.
#[rstest]
#[case::no_cap(json!({}), 15_894_571)]
#[case::own_stakes_begin_with_one_each(json!({"stakes": "lower_of_two"}), 15_894_571)]
#[case::a_high_cap(json!({"cube_cap": 1 << 18}), 63_578_287)]
#[case::the_highest_stake_there_is(json!({"cube_cap": 1 << 17}), StakeAmount::MAX)]
fn the_highest_stake_follows_from_the_cap(#[case] settings: Value, #[case] most: i64) {
    // Half a point of it must be a whole number of minor units.
    let rules = rules(settings);
    let even = most / 2 * 2;
    Night::default().ok(&open_for(even, rules.clone()));
    if most < StakeAmount::MAX {
        let refusal = Night::default().give(&open_for(even + 2, rules)).unwrap_err();
        assert_eq!(refusal.code().name(), "stakes_too_high");
        assert_eq!((refusal.field(), json!(refusal.allowed())), (Some("stake"), json!(most)));
    }
}

/// Proves N12.
#[test]
fn units_and_a_change_of_the_rules_stay_within_the_same_bound() {
    let mut night = Night::default();
    night.ok(&open_for(10_000_000, rules(json!({"stakes": "lower_of_two", "cube_cap": 1024}))));
    night.all_join("ABC");
    let set = |units| Command::SetStake { player: player('A'), units };
    // 10^15 / (20 x 3 x 1,024 x 10^7).
    night.ok(&set(1_000));
    let raised = |settings| Command::ChangeRules { rules: rules(settings) };
    let refusal = night.give(&raised(json!({"stakes": "lower_of_two", "cube_cap": 2048}))).unwrap_err();
    assert_eq!((refusal.code().name(), refusal.field()), ("stakes_too_high", Some("rules")));
    assert_eq!(json!(refusal.allowed()), json!(8_138_020));
    // Under one stake for all, players' own stakes do not count.
    night.ok(&raised(json!({"cube_cap": 2048})));
    night.ok(&raised(json!({"stakes": "one_for_all", "cube_cap": 65_536})));

    let mut night = Night::default();
    night.ok(&open_for(10_000_000, rules(json!({"stakes": "lower_of_two", "cube_cap": 2048}))));
    night.all_join("ABC");
    let refusal = night.give(&set(814)).unwrap_err();
    assert_eq!((refusal.field(), json!(refusal.allowed())), (Some("units"), json!(813)));
    night.ok(&set(813));
}

#[rstest]
#[case::no_cap(json!({"stakes": "own_start"}), 8, &[1, 2, 4])]
#[case::a_low_cap(json!({"stakes": "own_start", "cube_cap": 2}), 4, &[1, 2])]
fn a_cube_starts_at_1_2_or_4_and_not_above_the_cap(
    #[case] settings: Value,
    #[case] too_high: u32,
    #[case] starts: &[u32],
) {
    let mut night = Night::default();
    night.ok(&open_for(100, rules(settings)));
    night.all_join("ABC");
    night.roll_as_they_came();
    let set = |value: u32| Command::SetStart { player: player('B'), value: value.try_into().unwrap() };
    let refusal = night.give(&set(too_high)).unwrap_err();
    assert_eq!((refusal.code().name(), json!(refusal.allowed())), ("bad_start", json!(starts)));
    starts.iter().rev().for_each(|start| drop(night.ok(&set(*start))));
}
