//! Entries that leave or are disqualified: their places and prizes, and who is champion then. Also what
//! corrections, late entries and closing mean for entries that are already elsewhere.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{TestTournament, match_ref, moment, player};
use crate::matches::{Ending, MatchNo, Slot};
use crate::tournament::bracket::EntryNo;
use crate::tournament::command::MatchEnded;
use crate::tournament::ending::PrizesNotGiven;
use crate::tournament::entry::EntryStanding;
use crate::tournament::event::{Event, GivenUp};
use crate::tournament::refusal::Refusal;
use crate::tournament::room::DivisionNo;

fn consoled(fee: u32) -> Value {
    json!({"format": {"consolation": {"of": "first_losers"}}, "fees": {"entry": fee}})
}

/// Awards the prizes by the schedule. Returns the amounts by player.
#[track_caller]
fn award(tournament: &mut TestTournament) -> BTreeMap<u32, u64> {
    let events = tournament.good(json!({"command": "award"}));
    let [Event::Awarded { awards, .. }] = events.as_slice() else { panic!("{events:?}") };
    let number = |who| (1..=99).find(|number| player(*number) == who).unwrap();
    awards.iter().map(|award| (number(award.player), award.amount)).collect()
}

/// The places of a flight: for each entry the best and the worst place it shares.
fn places(tournament: &TestTournament, flight: usize) -> BTreeMap<u32, (u32, u32)> {
    let places = tournament.division().places(flight);
    places.into_iter().map(|place| (place.entry.0, (place.best, place.worst))).collect()
}

fn last(tournament: &TestTournament, number: u32) -> (Option<Slot>, Ending) {
    let outcome = tournament.at(number).outcome.unwrap();
    (outcome.winner, outcome.ending)
}

fn leaves(tournament: &mut TestTournament, entry: u32) {
    tournament.good(json!({"command": "withdraw", "entry": entry}));
}

fn neither_comes(tournament: &mut TestTournament, number: u32) {
    tournament.good(json!({"command": "result", "match": number, "ended": {"ending": "double_forfeit"}}));
}

/// Proves T13.
#[test]
fn leaving_before_playing_drops_nowhere_and_pays_nothing_there() {
    for leave in ["withdraw", "disqualify"] {
        let mut tournament = TestTournament::drawn(consoled(1_000), 4, &[1, 2, 3, 4]);
        tournament.good(json!({"command": leave, "entry": 1}));
        tournament.good(json!({"command": leave, "entry": 3}));
        tournament
            .good(json!({"command": "result", "match": 3, "ended": {"ending": "played", "score": [7, 0]}}));
        assert_eq!((tournament.sit(4), places(&tournament, 1)), ([0, 0], BTreeMap::new()));
        // The winner also gets the prizes nobody won.
        assert_eq!(award(&mut tournament), BTreeMap::from([(2, 3_000), (4, 1_000)]));
    }
}

#[test]
fn who_has_left_wins_no_bye_and_is_placed_before_nobody_who_came() {
    let mut tournament = TestTournament::drawn(consoled(1_000), 5, &[1, 2, 3, 0, 4, 0, 5, 0]);
    leaves(&mut tournament, 1);
    // 3 beats 2, who had played before; 4 beats 5, for whom it was the first match.
    tournament.won(5, Slot::Lower);
    tournament.won(6, Slot::Upper);
    assert_eq!(places(&tournament, 1), BTreeMap::from([(5, (1, 1))]));
}

#[test]
fn leaving_with_a_match_or_in_it_drops_nowhere_until_reinstated() {
    let mut tournament = TestTournament::drawn(consoled(0), 4, &[1, 2, 3, 4]);
    tournament.good(json!({"command": "withdraw", "entry": 2, "when": "after_match"}));
    tournament.won(1, Slot::Upper);
    assert_eq!((tournament.standing(2), tournament.sit(4)), (EntryStanding::Withdrawn, [0, 0]));
    tournament.good(json!({"command": "reinstate", "entry": 2}));
    assert_eq!(tournament.sit(4), [2, 0], "they lost before they left");
}

/// Proves T13.
#[test]
fn leavers_are_placed_where_they_stood_after_dropping() {
    let mut tournament = TestTournament::drawn(consoled(1_000), 4, &[1, 2, 3, 4]);
    tournament.won(1, Slot::Upper);
    leaves(&mut tournament, 2);
    tournament.won(2, Slot::Upper);
    assert_eq!((tournament.sit(4), last(&tournament, 4)), ([2, 4], (Some(Slot::Lower), Ending::Withdrawn)));
    assert_eq!(places(&tournament, 1), BTreeMap::from([(4, (1, 1)), (2, (2, 2))]));
}

/// Proves T13.
#[test]
fn leavers_are_no_champions_though_nobody_plays_against_them() {
    let mut tournament = TestTournament::drawn(json!({"fees": {"entry": 1_000}}), 4, &[1, 2, 3, 4]);
    tournament.won(2, Slot::Upper);
    leaves(&mut tournament, 3);
    neither_comes(&mut tournament, 1);
    assert_eq!(last(&tournament, 3), (None, Ending::Withdrawn));
    assert_eq!(places(&tournament, 0), BTreeMap::from([(3, (2, 2)), (1, (3, 5)), (2, (3, 5)), (4, (3, 5))]));
    // 3 is the finalist. The winner's prize goes to the best placed of those who stayed.
    assert_eq!(award(&mut tournament), BTreeMap::from([(3, 1_300), (1, 900), (2, 900), (4, 900)]));
}

#[test]
fn a_champion_who_leaves_afterwards_stays_champion() {
    let mut tournament = TestTournament::drawn(json!({}), 4, &[1, 2, 3, 4]);
    neither_comes(&mut tournament, 1);
    tournament.won(2, Slot::Upper);
    assert_eq!(last(&tournament, 3), (Some(Slot::Lower), Ending::Bye));
    leaves(&mut tournament, 3);
    assert_eq!(places(&tournament, 0)[&3], (1, 1));
}

/// Proves T14.
#[test]
fn a_final_to_which_neither_came_nobody_wins() {
    let mut tournament = TestTournament::drawn(json!({"fees": {"entry": 1_000}}), 4, &[1, 2, 3, 4]);
    tournament.won(1, Slot::Upper);
    tournament.won(2, Slot::Upper);
    neither_comes(&mut tournament, 3);
    assert_eq!(places(&tournament, 0), BTreeMap::from([(1, (2, 2)), (3, (2, 2)), (2, (3, 4)), (4, (3, 4))]));
    assert_eq!(award(&mut tournament).values().sum::<u64>(), 4_000);
}

#[test]
fn leavers_of_a_double_elimination_are_placed_where_they_would_have_dropped() {
    let format = json!({"consolation": {"of": "progressive_with_finalist"}, "final": "double"});
    let mut tournament = TestTournament::drawn(json!({"format": format}), 8, &[1, 2, 3, 4, 5, 6, 7, 8]);
    (1..=4).for_each(|number| tournament.won(number, Slot::Upper));
    // 3 leaves in the semi-finals. It is placed with those who go out in the round that the losers of the
    // semi-finals drop to.
    leaves(&mut tournament, 3);
    while let Some((_, at)) = tournament.now.room.queue.keys().next().copied() {
        tournament.won(at.number.0, Slot::Upper);
    }
    let (best, worst) = places(&tournament, 0)[&3];
    assert_eq!(
        (best, worst),
        (5, 6),
        "before those who went out in the round before it: {:?}",
        places(&tournament, 0)
    );
}

/// Proves T8.
#[test]
fn a_report_is_not_lost_to_who_comes_late_or_comes_back_or_is_exchanged() {
    let mut tournament = TestTournament::drawn(json!({}), 3, &[1, 0, 2, 3]);
    tournament.won(2, Slot::Upper);
    let reports = |tournament: &TestTournament| tournament.division().reports.get(&MatchNo(3)).copied();
    tournament.good(json!({"command": "report", "match": 3, "entry": 1, "score": [7, 3]}));
    tournament.enter([4]);
    assert_eq!(
        (tournament.standing(4), reports(&tournament)),
        (EntryStanding::Waiting, Some([Some([7, 3]), None]))
    );
    let by_hand = json!({"command": "seat", "entry": 4, "match": 1, "slot": "lower"});
    assert_eq!(tournament.refused(by_hand.clone()), Refusal::LaterPlayed { matches: vec![MatchNo(3)] });
    // Once it is withdrawn, the report is in nobody's way.
    tournament.good(json!({"command": "report", "match": 3, "entry": 1, "score": null}));
    tournament.good(by_hand);

    let mut tournament = TestTournament::drawn(json!({}), 6, &[1, 0, 2, 0, 3, 4, 5, 6]);
    tournament.good(json!({"command": "report", "match": 5, "entry": 1, "score": [7, 3]}));
    let place = |number: u32| json!({"match": number, "slot": "upper"});
    let exchange = json!({"command": "exchange", "one": place(1), "other": place(3)});
    assert_eq!(tournament.refused(exchange), Refusal::LaterPlayed { matches: vec![MatchNo(5)] });

    let mut tournament = TestTournament::drawn(json!({}), 4, &[1, 2, 3, 4]);
    leaves(&mut tournament, 1);
    tournament.won(2, Slot::Upper);
    tournament.good(json!({"command": "report", "match": 3, "entry": 2, "score": [7, 3]}));
    let back = json!({"command": "reinstate", "entry": 1});
    assert_eq!(tournament.refused(back), Refusal::LaterPlayed { matches: vec![MatchNo(3)] });
}

fn correct(number: u32, score: [u16; 2], later: &str) -> Value {
    let ended = json!({"ending": "played", "score": score});
    json!({"command": "correct", "match": number, "ended": ended, "later": later})
}

fn plays(tournament: &mut TestTournament, number: u32, score: [u16; 2]) {
    tournament
        .good(json!({"command": "result", "match": number, "ended": {"ending": "played", "score": score}}));
}

#[test]
fn a_later_result_stands_also_for_one_who_has_entered_again() {
    let mut tournament = TestTournament::drawn(json!({"re_entries": 1, "lengths": [7, 5]}), 3, &[1, 2, 3, 0]);
    plays(&mut tournament, 1, [0, 5]);
    tournament.good(json!({"command": "re_enter", "entry": 1}));
    plays(&mut tournament, 2, [5, 0]);
    plays(&mut tournament, 3, [7, 4]);
    tournament.good(correct(1, [5, 0], "stands"));
    assert_eq!((tournament.sit(3), tournament.at(3).winner()), ([1, 3], Some(EntryNo(1))));
    assert_eq!(last(&tournament, 3), (Some(Slot::Upper), Ending::Played));
}

#[test]
fn a_disqualification_is_of_whom_it_was_said_whatever_stands() {
    let mut tournament = TestTournament::drawn(json!({"lengths": [7, 5]}), 4, &[1, 2, 3, 4]);
    plays(&mut tournament, 1, [5, 0]);
    plays(&mut tournament, 2, [5, 0]);
    tournament.good(json!({"command": "disqualify", "entry": 1}));
    assert_eq!(last(&tournament, 3), (Some(Slot::Lower), Ending::Disqualified));
    // The other finalist changes, and the winner by disqualification with it: the ruling stands.
    tournament.good(correct(2, [0, 5], "stands"));
    assert_eq!(
        (tournament.sit(3), last(&tournament, 3)),
        ([1, 4], (Some(Slot::Lower), Ending::Disqualified))
    );
    tournament.good(correct(1, [0, 5], "stands"));
    assert_eq!((tournament.sit(3), tournament.at(3).outcome), ([2, 4], None), "2 has lost nothing");
}

#[test]
fn a_match_to_play_again_gives_up_the_last_chance() {
    let mut tournament = TestTournament::drawn(json!({}), 4, &[1, 2, 3, 4]);
    plays(&mut tournament, 1, [7, 0]);
    plays(&mut tournament, 2, [7, 0]);
    tournament.good(json!({"command": "draw_last_chance", "entries": [2, 4]}));
    let events = tournament.good(correct(1, [0, 7], "void"));
    let [Event::Corrected { given_up, .. }] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(*given_up, [GivenUp { entry: EntryNo(2), flight: 1 }]);
    // 2 plays the final, and 4 wins the last chance.
    assert_eq!(tournament.division().current(EntryNo(2)).map(|(number, _)| number), Some(MatchNo(3)));
    assert_eq!(
        (tournament.at(4).winner(), tournament.at(4).outcome.unwrap().ending),
        (Some(EntryNo(4)), Ending::Withdrawn)
    );
    plays(&mut tournament, 3, [0, 7]);
    // Once out of the main flight, 2 may be drawn for another last chance.
    tournament.good(json!({"command": "draw_last_chance", "entries": [2, 1]}));
    assert!(tournament.at(5).is_ready());
    assert_eq!(tournament.replayed(usize::MAX), tournament.now);
}

#[test]
fn coming_back_does_not_give_the_last_chance_back() {
    let mut tournament = TestTournament::drawn(json!({}), 4, &[1, 2, 3, 4]);
    plays(&mut tournament, 1, [7, 0]);
    plays(&mut tournament, 2, [7, 0]);
    tournament.good(json!({"command": "draw_last_chance", "entries": [2, 4]}));
    // Both have matches to play again. Neither plays the last chance, nor wins it by coming back.
    tournament.good(correct(1, [0, 7], "void"));
    tournament.good(correct(2, [0, 7], "void"));
    let nobody = (tournament.at(4).winner(), tournament.at(4).outcome.unwrap().ending);
    tournament.good(json!({"command": "withdraw", "entry": 2, "when": "now"}));
    tournament.good(json!({"command": "reinstate", "entry": 2}));
    assert_eq!((tournament.at(4).winner(), tournament.at(4).outcome.unwrap().ending), nobody);
    assert_eq!(tournament.at(3).players(), Some([EntryNo(2), EntryNo(4)]));
    assert_eq!(tournament.replayed(usize::MAX), tournament.now);
}

/// Proves T18.
#[test]
fn each_last_chance_has_a_prize_for_its_winner() {
    let shares = |chances: &[u32]| {
        let mut payout = vec![json!({"prize": "winner", "parts": 2})];
        payout.extend(chances.iter().map(|parts| json!({"prize": "last_chance_winner", "parts": parts})));
        json!({"fees": {"entry": 1_000}, "payout": payout, "payout_unit": 1})
    };
    // 1 wins the main flight, 2 the first last chance, 3 the second.
    for (chances, won) in [
        (vec![2], [(1, 2_000), (2, 1_000), (3, 1_000)]),
        (vec![1, 1], [(1, 2_000), (2, 1_000), (3, 1_000)]),
        (vec![3, 1, 2], [(1, 1_000), (2, 2_500), (3, 500)]),
    ] {
        let mut tournament = TestTournament::drawn(shares(&chances), 4, &[1, 2, 3, 4]);
        plays(&mut tournament, 1, [7, 0]);
        plays(&mut tournament, 2, [7, 0]);
        plays(&mut tournament, 3, [7, 0]);
        for pair in [[2, 4], [3, 4]] {
            tournament.good(json!({"command": "draw_last_chance", "entries": pair}));
            let number = u32::try_from(tournament.division().bracket.len()).unwrap();
            let winner = if tournament.sit(number)[0] == pair[0] { Slot::Upper } else { Slot::Lower };
            tournament.won(number, winner);
        }
        assert_eq!(award(&mut tournament), BTreeMap::from(won), "{chances:?}");
    }
}

/// Proves T18.
#[test]
fn those_who_waited_to_the_end_get_their_fees_back_unless_kept_with_a_reason() {
    let settings = json!({
        "fees": {"entry": 1_000, "registration": 200}, "side_pools": [{"name": "Calcutta", "stake": 500}],
    });
    let waiting = || {
        let mut tournament = TestTournament::drawn(settings.clone(), 2, &[1, 2]);
        tournament.good(json!({"command": "enter", "entries": [{"player": player(3), "side_pools": [0]}]}));
        tournament.enter([4]);
        plays(&mut tournament, 1, [7, 0]);
        tournament
    };
    let mut tournament = waiting();
    let before = tournament.now.before_closing();
    let asked: Vec<_> = before.waiting.iter().map(|fees| (fees.entry.0, fees.fees)).collect();
    assert_eq!(asked, [(3, 1_700), (4, 1_200)]);
    let missing = PrizesNotGiven { division: DivisionNo(1), amount: 2_000 };
    assert_eq!(before.prizes_not_given, [missing], "what may be given back is no prize");
    assert_eq!(award(&mut tournament), BTreeMap::from([(1, 1_400), (2, 600)]));
    tournament.good(json!({"command": "close"}));
    assert_eq!([3, 4].map(|number| tournament.now.account(player(number))), [0, 0]);
    assert_eq!((tournament.standing(3), tournament.division().pool), (EntryStanding::Withdrawn, 2_000));
    assert_eq!(tournament.now.before_closing(), Default::default());

    let mut tournament = waiting();
    let keep = |reason: Value| json!({"command": "close", "keep": [{"entry": 4}], "reason": reason});
    assert_eq!(tournament.refused(keep(Value::Null)), Refusal::KeepingNeedsReason);
    let stranger = json!({"command": "close", "keep": [{"entry": 1}], "reason": "late"});
    assert_eq!(tournament.refused(stranger), Refusal::NotWaiting { entry: EntryNo(1) });
    let events = tournament.good(keep(json!("did not come when called")));
    assert!(matches!(events.last(), Some(Event::Closed { reason: Some(_) })), "{events:?}");
    assert_eq!([3, 4].map(|number| tournament.now.account(player(number))), [0, -1_200]);
    assert_eq!(award(&mut tournament).values().sum::<u64>(), 3_000, "it is in the prizes");
    assert!(tournament.now.before_closing().waiting.is_empty());
    assert_eq!(tournament.replayed(usize::MAX), tournament.now);
}

#[test]
fn a_division_that_was_never_drawn_gives_everybody_their_fees_back() {
    let mut tournament = TestTournament::with(consoled(1_000));
    tournament.enter(1..=3);
    tournament.good(json!({"command": "close"}));
    assert_eq!((tournament.now.accounts().count(), tournament.division().pool), (0, 0));
}

/// T2: who did not come goes on in the consolation, unless it is said that they withdraw.
#[test]
fn t2_a_player_who_did_not_come_withdraws_with_the_result_if_that_is_said() {
    let settings = json!({"format": {"consolation": {"of": "first_losers"}}});
    let walkover =
        json!({"command": "result", "match": 1, "ended": {"ending": "walkover", "winner": "upper"}});
    let mut without = TestTournament::drawn(settings.clone(), 4, &[1, 2, 3, 4]);
    let ended = MatchEnded::Walkover { winner: Slot::Upper };
    assert_eq!(without.now.goes_on_beaten(match_ref(1), &ended, moment(9)), [Slot::Lower], "so a page asks");
    assert_eq!(
        without.now.goes_on_beaten(match_ref(1), &MatchEnded::DoubleForfeit {}, moment(9)),
        [],
        "neither does"
    );
    assert_eq!(without.now.goes_on_beaten(match_ref(3), &ended, moment(9)), [], "nobody sits there");
    without.good(walkover.clone());
    without.won(2, Slot::Upper);
    assert_eq!((without.sit(4), without.standing(2)), ([2, 4], EntryStanding::In));
    assert_eq!(
        without.now.goes_on_beaten(match_ref(3), &ended, moment(9)),
        [],
        "nothing comes after the final"
    );

    let said = |mut command: Value, withdraws: Value| {
        command["withdraws"] = withdraws;
        command
    };
    let mut with = TestTournament::drawn(settings.clone(), 4, &[1, 2, 3, 4]);
    let twice = with.refused(said(walkover.clone(), json!(["lower", "lower"])));
    assert_eq!(twice, Refusal::BadList { field: "withdraws" });
    with.good(said(walkover, json!(["lower"])));
    assert_eq!((with.standing(2), with.standing(1)), (EntryStanding::Withdrawn, EntryStanding::In));
    with.won(2, Slot::Upper);
    assert_eq!(with.at(4).winner(), Some(EntryNo(4)), "the next opponent goes through");
    assert_eq!(with.replayed(with.acts.len()), with.now);

    let mut nobody = TestTournament::drawn(settings, 4, &[1, 2, 3, 4]);
    let neither = json!({"command": "result", "match": 1, "ended": {"ending": "double_forfeit"}});
    nobody.good(said(neither, json!(["upper", "lower"])));
    assert_eq!([1, 2].map(|entry| nobody.standing(entry)), [EntryStanding::Withdrawn; 2]);
}

/// T2: neither does who did not come go on unasked where a result turns out to be a walkover.
#[test]
fn t2_a_player_who_did_not_come_after_all_withdraws_with_the_correction_if_that_is_said() {
    let settings = json!({"format": {"consolation": {"of": "first_losers"}}});
    let walkover = json!({
        "command": "correct", "match": 1, "ended": {"ending": "walkover", "winner": "upper"}, "later": "void",
    });
    let mut said = walkover.clone();
    said["withdraws"] = json!(["lower"]);
    for (command, standing, comes) in
        [(walkover, EntryStanding::In, Some(2)), (said, EntryStanding::Withdrawn, None)]
    {
        let mut tournament = TestTournament::drawn(settings.clone(), 4, &[1, 2, 3, 4]);
        tournament.won(1, Slot::Upper);
        let ended = MatchEnded::Walkover { winner: Slot::Upper };
        assert_eq!(tournament.now.goes_on_beaten(match_ref(1), &ended, moment(9)), [Slot::Lower]);
        tournament.good(command);
        tournament.won(2, Slot::Upper);
        assert_eq!((tournament.standing(2), tournament.standing(1)), (standing, EntryStanding::In));
        assert_eq!(tournament.at(4).winner(), comes.map_or(Some(EntryNo(4)), |_| None));
        assert_eq!(tournament.replayed(tournament.acts.len()), tournament.now);
    }
}
