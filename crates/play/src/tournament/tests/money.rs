//! Fees, side pools, cash and prizes.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{TestTournament, player};
use crate::matches::{MatchNo, Slot};
use crate::tournament::event::Event;
use crate::tournament::refusal::Refusal;
use crate::tournament::room::MatchRef;
use crate::tournament::settings::Flaw;

/// Four entries, of whom 1 beats 3 in the final.
fn played(settings: Value) -> TestTournament {
    let mut tournament = TestTournament::drawn(settings, 4, &[1, 2, 3, 4]);
    for number in 1..=3 {
        tournament.won(number, Slot::Upper);
    }
    tournament
}

fn award(tournament: &mut TestTournament) -> BTreeMap<u32, u64> {
    tournament.good(json!({"command": "award"}));
    let awards = tournament.division().awards.clone().unwrap();
    let number = |id| (1..100).find(|number| player(*number) == id).unwrap();
    awards.awards.iter().map(|award| (number(award.player), award.amount)).collect()
}

fn fee(entry: u32) -> Value {
    json!({"fees": {"entry": entry}})
}

#[test]
fn the_usual_schedule_leaves_out_flights_that_are_not_played() {
    // 50, 25 and 25 without a consolation are two parts to one. Of 4,000 that is 2,600 and 1,300 in whole
    // euros, and the first prize takes the other 100.
    let mut tournament = played(fee(1_000));
    assert_eq!(award(&mut tournament), BTreeMap::from([(1, 2_700), (3, 1_300)]));
    assert_eq!(tournament.now.account(player(1)), 1_700);
    let with = json!({"fees": {"entry": 1_000}, "format": {"consolation": {"of": "first_losers"}}});
    let mut tournament = played(with);
    let open = MatchRef { division: super::FIRST, number: MatchNo(4) };
    assert_eq!(tournament.refused(json!({"command": "award"})), Refusal::StillPlayed { at: open });
    tournament.won(4, Slot::Lower);
    assert_eq!(award(&mut tournament), BTreeMap::from([(1, 2_000), (3, 1_000), (4, 1_000)]));
}

/// Proves T19.
#[test]
fn the_house_keeps_its_part_of_the_fees_and_not_of_what_it_added() {
    let mut tournament = played(json!({"fees": {"entry": 1_000}, "kept": 1_000}));
    tournament.good(json!({"command": "add_money", "amount": 5_000}));
    let awards = award(&mut tournament);
    assert_eq!(tournament.division().awards.as_ref().unwrap().kept, 400);
    assert_eq!(awards.values().sum::<u64>(), 8_600);
}

/// Proves T19.
#[test]
fn who_share_a_place_share_its_prizes() {
    let payout = json!([
        {"prize": "winner", "parts": 4}, {"prize": "finalist", "parts": 2},
        {"prize": "semi_finalist", "parts": 1}, {"prize": "semi_finalist", "parts": 1},
    ]);
    let mut tournament = played(json!({"fees": {"entry": 1_000}, "payout": payout, "payout_unit": 1}));
    assert_eq!(award(&mut tournament), BTreeMap::from([(1, 2_000), (2, 500), (3, 1_000), (4, 500)]));
    // Neither came to the final, so they share what the winner and the finalist would have had.
    let ended = json!({"ending": "double_forfeit"});
    tournament.good(json!({"command": "correct", "match": 3, "ended": ended, "later": "void"}));
    assert_eq!(award(&mut tournament), BTreeMap::from([(1, 1_500), (2, 500), (3, 1_500), (4, 500)]));
}

/// Proves T19.
#[test]
fn awards_after_a_correction_move_only_the_difference() {
    let mut tournament = played(fee(1_000));
    award(&mut tournament);
    let ended = tournament.played(3, Slot::Lower);
    tournament.good(json!({"command": "correct", "match": 3, "ended": ended, "later": "void"}));
    let events = tournament.good(json!({"command": "award"}));
    let [Event::Awarded { transfers, .. }] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(transfers.iter().map(|transfer| transfer.amount.0).collect::<Vec<_>>(), [1_400, 1_400]);
    assert_eq!((tournament.now.account(player(1)), tournament.now.account(player(3))), (300, 1_700));
    // A second award moves nothing.
    let events = tournament.good(json!({"command": "award"}));
    assert!(matches!(events.as_slice(), [Event::Awarded { transfers, .. }] if transfers.is_empty()));
}

/// Proves T19.
#[test]
fn what_is_given_by_hand_is_all_of_it() {
    let mut tournament = TestTournament::drawn(fee(1_000), 4, &[1, 2, 3, 4]);
    tournament.won(1, Slot::Upper);
    tournament.won(2, Slot::Upper);
    let given = |one: u64, other: u64| json!({"command": "award", "awards": [{"player": player(1), "amount": one}, {"player": player(3), "amount": other}]});
    assert_eq!(tournament.refused(given(2_000, 1_999)), Refusal::NotThePool { pool: 4_000 });
    assert_eq!(tournament.refused(given(u64::MAX, 5)), Refusal::NotThePool { pool: 4_000 });
    // The finalists agree to share before they play.
    tournament.good(given(2_000, 2_000));
    assert_eq!(tournament.now.account(player(1)), 1_000);
}

/// Proves T18.
#[test]
fn a_side_pool_goes_to_the_best_of_those_who_joined_it() {
    let mut tournament = TestTournament::with(json!({"side_pools": [{"name": "Calcutta", "stake": 500}]}));
    tournament.enter([1, 2]);
    let joined = json!([{"player": player(3), "side_pools": [0]}, {"player": player(4), "side_pools": [0]}]);
    tournament.good(json!({"command": "enter", "entries": joined}));
    tournament.draw(&[1, 3, 2, 4]);
    tournament.won(1, Slot::Upper);
    tournament.won(2, Slot::Lower);
    assert_eq!(award(&mut tournament), BTreeMap::from([(4, 1_000)]), "4 is in the final, 3 is not");
}

#[test]
fn a_side_pool_whose_members_have_no_place_is_theirs_again() {
    let mut tournament = TestTournament::with(json!({"side_pools": [{"name": "Calcutta", "stake": 500}]}));
    tournament.enter([1, 2, 3]);
    tournament.good(json!({"command": "enter", "entries": [{"player": player(4), "side_pools": [0]}]}));
    tournament.draw(&[1, 2, 3, 4]);
    tournament.enter([5]);
    tournament.good(json!({"command": "withdraw", "entry": 4}));
    tournament.good(json!({"command": "seat", "entry": 5, "match": 2, "slot": "lower"}));
    for number in 1..=3 {
        tournament.won(number, Slot::Upper);
    }
    assert_eq!(award(&mut tournament), BTreeMap::from([(4, 500)]));
}

/// Proves T18.
#[test]
fn leaving_before_the_draw_gives_back_exactly_what_was_charged() {
    let settings = |entry: u32| json!({"fees": {"entry": entry, "registration": 300}, "side_pools": [{"name": "Calcutta", "stake": 500}]});
    let mut tournament = TestTournament::with(settings(1_000));
    tournament.good(json!({"command": "enter", "entries": [{"player": player(1), "side_pools": [0]}]}));
    assert_eq!(tournament.now.account(player(1)), -1_800);
    tournament.good(json!({"command": "change_division", "settings": settings(2_000)}));
    tournament.good(json!({"command": "withdraw", "entry": 1}));
    assert_eq!(tournament.now.account(player(1)), 0);
    assert_eq!((tournament.division().pool, tournament.division().side_pools[0]), (0, 0));
    // On coming back, 1 pays what it costs now.
    tournament.good(json!({"command": "reinstate", "entry": 1}));
    assert_eq!(tournament.now.account(player(1)), -2_800);
}

#[test]
fn who_leaves_after_the_draw_and_comes_back_is_not_charged_again() {
    let mut tournament = TestTournament::with(json!({"side_pools": [{"name": "Calcutta", "stake": 500}]}));
    tournament.enter([1]);
    tournament.good(json!({"command": "enter", "entries": [{"player": player(2), "side_pools": [0]}]}));
    tournament.draw(&[1, 2]);
    tournament.good(json!({"command": "withdraw", "entry": 2}));
    assert_eq!(tournament.now.account(player(2)), -500, "they had a slot");
    tournament.good(json!({"command": "reinstate", "entry": 2}));
    assert_eq!(tournament.now.account(player(2)), -500);
}

#[test]
fn who_had_no_slot_and_was_refunded_does_not_enter_again_for_less() {
    let mut tournament =
        TestTournament::with(json!({"fees": {"entry": 1_000, "re_entry": 100}, "re_entries": 3}));
    tournament.enter(1..=3);
    tournament.good(json!({"command": "withdraw", "entry": 3}));
    tournament.draw(&[1, 2]);
    assert_eq!(tournament.refused(json!({"command": "re_enter", "entry": 3})), Refusal::NoReEntry);
    tournament.good(json!({"command": "reinstate", "entry": 3}));
    assert_eq!(tournament.now.account(player(3)), -1_000);
}

#[test]
fn a_stake_stays_what_it_is_once_somebody_has_put_it_in() {
    let settings = |stake: u32| json!({"side_pools": [{"name": "Calcutta", "stake": stake}]});
    let mut tournament = TestTournament::with(settings(500));
    tournament.enter([1]);
    tournament.good(json!({"command": "change_division", "settings": settings(400)}));
    tournament.good(json!({"command": "join_pools", "entry": 1, "side_pools": [0]}));
    let change = json!({"command": "change_division", "settings": settings(600)});
    assert_eq!(tournament.refused(change.clone()), Refusal::AlreadyDrawn);
    tournament.good(json!({"command": "join_pools", "entry": 1, "side_pools": []}));
    assert_eq!(tournament.now.account(player(1)), 0);
    tournament.good(change);
}

#[test]
fn those_who_come_late_count_for_the_schedule() {
    // 16 entries in 32 slots and one more make twelfths, of which a plain knock-out has winner, finalist and
    // semi-finalists.
    let mut tournament = TestTournament::with(fee(1_200));
    tournament.enter(1..=16);
    let slots: Vec<u32> = (1..=16).flat_map(|entry| [entry, 0]).collect();
    tournament.draw(&slots);
    assert_eq!(crate::tournament::prizes::schedule(tournament.division()).shares().len(), 2);
    tournament.enter([17]);
    assert_eq!(crate::tournament::prizes::schedule(tournament.division()).shares().len(), 4);
}

/// Truth F2: what is shown is what is divided.
#[test]
fn f2_what_somebody_paid_who_waits_is_not_played_for() {
    let settings = json!({"fees": {"entry": 1_000}, "side_pools": [{"name": "Calcutta", "stake": 500}], "payout_unit": 1});
    let mut tournament = TestTournament::with(settings);
    let enter = |numbers: &[u32]| {
        let joined = numbers.iter().map(|number| json!({"player": player(*number), "side_pools": [0]}));
        json!({"command": "enter", "entries": joined.collect::<Vec<_>>()})
    };
    tournament.good(enter(&[1, 2]));
    tournament.draw(&[1, 2]);
    tournament.good(enter(&[3]));
    let (money, view) = (tournament.division().played_for(), tournament.division().prizes_view());
    assert_eq!((money.pool, money.side_pools), (2_000, vec![1_000]));
    assert_eq!((view.pool, view.side_pools), (2_000, vec![1_000]));
    assert_eq!(view.schedule.iter().map(|prize| prize.amount).sum::<u64>(), 2_000);
}

#[test]
fn cash_goes_between_the_house_and_those_who_have_entered() {
    let mut tournament = TestTournament::with(fee(1_000));
    tournament.enter([1]);
    let pay = |command: &str, who: u32, amount: u32| json!({"command": command, "player": player(who), "amount": amount});
    tournament.good(pay("pay_in", 1, 1_500));
    assert_eq!(tournament.now.account(player(1)), 500);
    tournament.good(pay("pay_out", 1, 500));
    assert_eq!(tournament.now.accounts().count(), 0);
    assert_eq!(tournament.refused(pay("pay_in", 1, 0)), Refusal::BadAmount);
    assert_eq!(tournament.refused(pay("pay_in", 2, 5)), Refusal::NotEntered);
    // Something was paid, so the currency is fixed.
    let about = json!({"name": "Owl", "date": "2026-11-21", "currency": "CHF"});
    assert_eq!(tournament.refused(json!({"command": "change", "about": about})), Refusal::NoMoney);
}

/// Proves T18.
#[test]
fn without_a_currency_nothing_costs_anything() {
    let mut tournament = TestTournament::closed(1);
    tournament.good(json!({"command": "open", "about": {"name": "Owl", "date": "2026-11-21"}}));
    let refusal = tournament.refused(json!({"command": "add_division", "settings": fee(1)}));
    assert_eq!(refusal, Refusal::Flawed { flaw: Flaw::NoCurrency });
}

#[test]
fn a_prize_is_for_its_place_though_there_is_none_for_a_better_one() {
    let payout = json!([
        {"prize": "winner", "parts": 2},
        {"prize": "semi_finalist", "parts": 1}, {"prize": "semi_finalist", "parts": 1},
    ]);
    let mut tournament = played(json!({"fees": {"entry": 1_000}, "payout": payout, "payout_unit": 1}));
    assert_eq!(award(&mut tournament), BTreeMap::from([(1, 2_000), (2, 1_000), (4, 1_000)]));
}

/// Three entries of 10 and 3 each, two of them in a side pool of 5, and 50 added by the house; the first has
/// paid in full.
fn paid() -> TestTournament {
    let settings = json!({
        "fees": {"entry": 1_000, "registration": 300, "re_entry": 400}, "re_entries": 1,
        "side_pools": [{"name": "Calcutta", "stake": 500}],
    });
    let mut tournament = TestTournament::with(settings);
    let joined = json!([{"player": player(1), "side_pools": [0]}, {"player": player(2), "side_pools": [0]}, {"player": player(3)}]);
    tournament.good(json!({"command": "enter", "entries": joined}));
    tournament.good(json!({"command": "add_money", "amount": 5_000}));
    tournament.good(json!({"command": "pay_in", "player": player(1), "amount": 1_800}));
    tournament
}

#[test]
fn a_cancelled_tournament_owes_back_what_was_paid_in_and_nobody_owes_it_anything() {
    let mut tournament = paid();
    tournament.draw(&[1, 2, 3, 0]);
    tournament.won(1, Slot::Upper);
    tournament.good(json!({"command": "re_enter", "entry": 2}));
    let cancel = json!({"command": "cancel", "reason": "the roof leaks"});
    let events = tournament.good(cancel);
    let [Event::Cancelled { transfers, currency: Some(_), .. }] = events.as_slice() else {
        panic!("{events:?}")
    };
    let to_house: i64 = transfers
        .iter()
        .filter(|back| back.to == owlbox_base::values::Holder::House)
        .map(|back| back.amount.0)
        .sum();
    assert_eq!(to_house, 5_000, "what the house added");
    assert_eq!(tournament.now.accounts().collect::<Vec<_>>(), [(player(1), 1_800)]);
    assert_eq!((tournament.division().pool, tournament.division().side_pools.as_slice()), (0, &[0][..]));
    assert_eq!((tournament.now.cash.charged, tournament.now.cash.in_the_box()), (0, 1_800));
    tournament.good(json!({"command": "pay_out", "player": player(1), "amount": 1_800}));
    assert_eq!(tournament.now.accounts().count(), 0);
    assert_eq!(tournament.replayed(usize::MAX), tournament.now);
}

#[test]
fn prizes_that_were_given_stay_when_the_rest_is_cancelled() {
    let mut tournament = played(fee(1_000));
    award(&mut tournament);
    tournament.good(json!({"command": "add_division", "settings": fee(500)}));
    tournament.good(
        json!({"command": "enter", "division": 2, "entries": [{"player": player(1)}, {"player": player(9)}]}),
    );
    // Came too late, and has no slot.
    tournament.enter([8]);
    tournament.good(json!({"command": "cancel", "reason": "a fire alarm"}));
    assert_eq!(
        tournament.now.account(player(1)),
        1_700,
        "the prize less the fee, as before the second division"
    );
    assert_eq!((tournament.now.account(player(8)), tournament.now.account(player(9))), (0, 0));
    assert_eq!(
        (tournament.division().pool, tournament.now.division(super::DivisionNo(2)).unwrap().pool),
        (4_000, 0)
    );
}

#[test]
fn a_cancelled_tournament_without_money_moves_none() {
    let mut tournament = TestTournament::closed(1);
    tournament.good(json!({"command": "open", "about": {"name": "Owl", "date": "2026-11-21"}}));
    let events = tournament.good(json!({"command": "cancel", "reason": "nobody came"}));
    assert!(
        matches!(events.as_slice(), [Event::Cancelled { currency: None, transfers, .. }] if transfers.is_empty())
    );
}
