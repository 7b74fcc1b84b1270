//! Random nights under random house rules, walking along the legal commands: invariants that must hold
//! whatever happens.

mod agreement;
mod offered;
mod walk;

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;

use super::golden::reads_alike_without_what_was_recorded_later;
use super::{Night, night};
use crate::rules::{DecisionOrder, HouseRules, Options, Settlements};
use crate::{Answer, Chouette, Event, Phase, Side};
use agreement::legal_and_decide_agree;
use offered::{offers_and_decide_agree, offers_keep_secrets};
use owlbox_base::journal::shared::Viewer;
use owlbox_base::journal::{ActKind, Aggregate, Stream, kind_of, kinds_of};
use owlbox_base::values::{HalfPoints, PlayerId};
use walk::{CLUB, Seed, Step, Walk};

/// Everybody who should be at the table according to the events.
fn who_came_and_stayed(night: &Night) -> BTreeSet<PlayerId> {
    let mut here = BTreeSet::new();
    let undone: BTreeSet<_> = {
        let effective: BTreeSet<_> = night.stream.effective().newest_first().map(|mark| mark.id).collect();
        night.acts.iter().map(|act| act.id).filter(|id| !effective.contains(id)).collect()
    };
    for act in night.acts.iter().filter(|act| !undone.contains(&act.id)) {
        let ActKind::Events(events) = &act.kind else { continue };
        for event in events {
            match event {
                Event::Joined { player, .. } => _ = here.insert(*player),
                Event::Left { player, .. } => _ = here.remove(player),
                Event::Split { players, .. } => here.retain(|player| !players.contains(player)),
                Event::PlayersMerged { duplicate, player, .. } if here.remove(duplicate) => {
                    here.insert(*player);
                }
                _ => {}
            }
        }
    }
    here
}

fn check_seats(night: &Night) {
    let state = night.state();
    let present = state.present();
    let distinct: BTreeSet<_> = present.iter().copied().collect();
    assert_eq!(distinct.len(), present.len(), "nobody sits twice: {}", night.stands());
    assert_eq!(distinct, who_came_and_stayed(night), "nobody is lost: {}", night.stands());
    if state.phase() == Phase::BetweenGames {
        assert_eq!(state.waiting(), [], "nobody waits when there is nothing to wait for");
        let line = state.seats().standing().unwrap();
        assert!(line.partners.len() <= state.rules().partner.ever(), "{line:?}");
    }
    for resting in state.resting() {
        assert!(!state.partners().contains(resting) || state.game().is_some());
    }
}

fn check_scores(state: &Chouette) {
    let sum: HalfPoints = state.standings().iter().map(|score| score.points).sum();
    assert_eq!(sum, HalfPoints::ZERO);
    let booked: HalfPoints = state.standings().iter().map(|score| state.booked(score.player)).sum();
    assert_eq!(booked, HalfPoints::ZERO);
    let debts: i64 = state.known().map(|player| state.debt(player).unwrap()).sum();
    assert_eq!(debts, 0);
    for finished in state.finished() {
        assert!(finished.results.iter().all(|bet| bet.points >= HalfPoints::ZERO), "{finished:?}");
    }
    if let Some(game) = state.game() {
        assert!(game.running().next().is_some(), "a game without a bet is over");
        let whole = state.rules().settlements != Settlements::Halves;
        assert!(game.bets.iter().filter_map(|bet| bet.result()).all(|bet| !whole || bet.points.0 % 2 == 0));
    }
}

/// What a stranger may not see is not in what they are shown, and all that they may see of it is the same.
fn check_hidden(state: &Chouette) {
    let stranger = Viewer::default();
    let mut shown = state.clone();
    shown.redact(&stranger);
    let has_order = state.rules().decision_order == DecisionOrder::LowestScoreFirst;
    for player in state.known() {
        let behind = state.known().filter(|other| state.booked(*other) < state.booked(player)).count();
        let most = if has_order { i64::try_from(behind).unwrap() } else { 0 };
        assert!((0..=most).contains(&shown.booked(player).0), "at most how many are behind");
        assert_eq!((shown.score(player), shown.paid(player)), (shown.booked(player), 0));
        assert!(shown.finished().all(|game| game.points_of(player).is_none_or(|points| points.0 == 0)));
    }
    let answers = shown.game().into_iter().flat_map(|game| game.answers.values());
    assert!(answers.into_iter().all(|answer| *answer == Answer::Take), "who has answered, never what");
    assert_eq!(shown.view().shown_to(&stranger), state.view().shown_to(&stranger));
    let answers = state.game().into_iter().flat_map(|game| &game.answers);
    for (player, own) in answers {
        let mut shown = state.clone();
        shown.redact(&Viewer { player: Some(*player), ..Viewer::default() });
        assert_eq!(shown.game().unwrap().answers[player], *own, "one's own is on one's own phone");
    }
}

fn check_event(event: &Event) {
    let written = serde_json::to_string(event).unwrap();
    assert_eq!(&Chouette::decode(Chouette::FORMAT, &written).unwrap(), event);
    let value: serde_json::Value = serde_json::from_str(&written).unwrap();
    assert_eq!(value["event"], kind_of::<Chouette>(event));
}

fn check(walk: &Walk, events: &[Event]) {
    events.iter().for_each(check_event);
    walk.printed_if_it_fails(|night| {
        check_seats(night);
        check_scores(night.state());
        check_hidden(night.state());
    });
    // Every state can be serialised.
    serde_json::to_value(walk.night.state().view()).unwrap();
    serde_json::to_value(walk.night.state().legal()).unwrap();
}

fn undo_then_redo_equals_state(night: &mut Night) {
    let before = night.state().clone();
    if night.undo().is_ok() {
        night.redo().unwrap();
    }
    assert_eq!(night.state(), &before);
    assert_eq!(Stream::replay(&night.acts).unwrap(), night.stream);
}

/// House rules from random numbers, one for each setting.
fn house_rules() -> impl Strategy<Value = HouseRules> {
    vec(any::<u8>(), 64).prop_map(|numbers| walk::house_rules(&numbers))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nights_add_up_and_everybody_has_one_seat(
        rules in house_rules(),
        steps in vec(any::<Step>(), 0..120),
    ) {
        let mut walk = Walk::begin(rules, "ABCDE");
        for step in steps {
            let events = walk.step(step);
            check(&walk, &events);
        }
    }

    #[test]
    fn replay_equals_state_and_undo_then_redo_too(
        rules in house_rules(),
        steps in vec(any::<Step>(), 0..60),
    ) {
        let mut walk = Walk::begin(rules, "ABCD");
        for &step in &steps {
            walk.step(step);
        }
        undo_then_redo_equals_state(&mut walk.night);
        reads_alike_without_what_was_recorded_later(&walk.night);
        for &step in steps.iter().take(12) {
            match step[0] % 3 {
                0 => drop(walk.night.undo()),
                1 => drop(walk.night.redo()),
                _ => drop(walk.step(step)),
            }
            undo_then_redo_equals_state(&mut walk.night);
        }
        while walk.night.undo().is_ok() {}
        assert_eq!(walk.night.state().present(), []);
        assert_eq!(walk.night.state().known().count(), 0, "the books are as empty as they were");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_not_legal_is_refused_and_what_is_legal_is_not(
        rules in house_rules(),
        steps in vec(any::<Step>(), 0..50),
    ) {
        legal_and_decide_agree(&Chouette::initial());
        let mut walk = Walk::begin(rules, "ABCD");
        for step in steps {
            walk.printed_if_it_fails(|night| legal_and_decide_agree(night.state()));
            walk.step(step);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_offer_is_accepted_and_brings_just_its_events(
        rules in house_rules(),
        steps in vec(any::<Step>(), 0..50),
    ) {
        offers_and_decide_agree(&Chouette::initial());
        let mut walk = Walk::begin(rules, "ABCDE");
        for step in steps {
            walk.printed_if_it_fails(|night| offers_and_decide_agree(night.state()));
            walk.step(step);
        }
    }
}

#[test]
fn q7_no_offer_tells_what_was_answered_in_secret() {
    let mut seed = Seed(3);
    let mut secrets = 0;
    for _ in 0..30 {
        let numbers: Vec<u8> = (0..64).map(|_| seed.byte()).collect();
        let rules = HouseRules { decision_order: DecisionOrder::AllAtOnce, ..walk::house_rules(&numbers) };
        if rules.check().is_err() {
            continue;
        }
        let mut walk = Walk::begin(rules, "ABCDE");
        for _ in 0..80 {
            walk.printed_if_it_fails(|night| secrets += usize::from(offers_keep_secrets(night.state())));
            walk.step(std::array::from_fn(|_| seed.byte()));
        }
    }
    assert!(secrets > 50, "{secrets}");
}

#[test]
fn the_random_nights_have_what_they_should_in_them() {
    let others = ["ended by drops", "played out", "won by box", "won by team"];
    let all: BTreeSet<&str> = kinds_of::<Chouette>().chain(others).collect();
    let mut seen = BTreeSet::new();
    let mut seed = Seed(1);
    for _ in 0..400 {
        if seen.is_superset(&all) {
            break;
        }
        let numbers: Vec<u8> = (0..64).map(|_| seed.byte()).collect();
        let mut walk = Walk::begin(walk::house_rules(&numbers), "ABCDE");
        seen.insert("opened");
        for _ in 0..150 {
            let step = std::array::from_fn(|_| seed.byte());
            let events = walk.step(step);
            seen.extend(events.iter().map(kind_of::<Chouette>));
            for event in &events {
                if let Event::GameFinished(finished) = event {
                    seen.insert(if finished.win.is_none() { "ended by drops" } else { "played out" });
                    seen.insert(if finished.winner == Side::Box { "won by box" } else { "won by team" });
                }
            }
        }
    }
    assert_eq!(all.difference(&seen).collect::<Vec<_>>(), Vec::<&&str>::new(), "never happened");
}

#[test]
fn random_house_rules_have_every_option_and_can_stand() {
    let mut seed = Seed(7);
    let sets: Vec<HouseRules> = (0..400)
        .map(|_| {
            let numbers: Vec<u8> = (0..64).map(|_| seed.byte()).collect();
            walk::house_rules(&numbers)
        })
        .collect();
    assert!(sets.iter().all(|rules| rules.check().is_ok()));
    fn all_there<T: Options + PartialEq>(of: impl Fn(&HouseRules) -> T, sets: &[HouseRules]) {
        assert!(T::OPTIONS.iter().all(|(option, _)| sets.iter().any(|rules| of(rules) == *option)));
    }
    all_there(|rules| rules.lone_taker.rule, &sets);
    all_there(|rules| rules.box_restraint, &sets);
    all_there(|rules| rules.leaving.mid_game, &sets);
    all_there(|rules| rules.partner.offer, &sets);
    assert_eq!(CLUB.len(), 8);
}
