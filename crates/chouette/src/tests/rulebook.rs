//! The rulebook's rules of the chouette, one by one; those of the cube are in `cube`.

use serde_json::{Value, json};

use super::{Night, double, drop, finish, join, leave, letters, plain, player, rolls, rules, start, take};
use crate::rules::BoxRetention;
use crate::{Chouette, Command, CubeOwner, Event, HouseRules, Phase, Side, View};
use owlbox_base::journal::kind_of;
use owlbox_engine::Win;

#[test]
fn q1_highest_is_box_next_captain_and_only_the_tied_roll_again_for_their_places() {
    let mut night = Night::gathered("ABCDE");
    night.ok(&rolls("A3 B5 C3 D6 E5"));
    assert_eq!(night.state().phase(), Phase::Ordering);
    assert_eq!(letters(&night.state().present()), "DBEAC");
    assert_eq!(letters(&night.state().to_roll()), "BEAC");
    assert_eq!(night.refused(&rolls("A1 B2 C3 D4 E5")), "wrong_rollers");

    night.ok(&rolls("A6 B2 C1 E2"));
    assert_eq!(letters(&night.state().present()), "DBEAC", "a six of the tied wins no better place");
    night.ok(&rolls("E4 B3"));
    assert_eq!(night.line(), "DEBAC");
    assert_eq!(night.state().box_player(), Some(player('D')));
    assert_eq!(night.state().captain(), Some(player('E')));
}

#[test]
fn q1_the_service_rolls_and_records_every_round() {
    let mut night = Night::gathered("ABC");
    night.dice.0.extend([4, 4, 0, 2, 2, 1, 5]);
    let events = night.ok(&Command::DrawOrder {});
    let [Event::OrderDrawn { rounds, .. }] = events.as_slice() else { panic!("{events:?}") };
    let told: Vec<Vec<(char, u8)>> = rounds
        .iter()
        .map(|round| round.iter().map(|roll| (super::letter(roll.player), roll.dice[0].into())).collect())
        .collect();
    let expected = [vec![('A', 5), ('B', 5), ('C', 1)], vec![('A', 3), ('B', 3)], vec![('A', 2), ('B', 6)]];
    assert_eq!(told, expected);
    assert!(night.dice.0.is_empty());
    assert_eq!(night.line(), "BAC");
}

#[test]
fn q1_dice_that_never_part_the_tied_leave_them_tied() {
    let mut night = Night::gathered("ABC");
    night.dice.0.extend(std::iter::repeat_n(3, 300));
    night.ok(&Command::DrawOrder {});
    assert_eq!(letters(&night.state().to_roll()), "ABC");
}

#[test]
fn q1_two_cannot_begin_and_three_can() {
    let mut night = Night::gathered("AB");
    assert_eq!(night.refused(&Command::DrawOrder {}), "too_few_players");
    night.ok(&join('C'));
    night.roll_as_they_came();
    assert_eq!(night.line(), "ABC");
}

#[test]
fn q1_who_comes_while_the_tied_roll_sits_behind_and_who_goes_leaves_the_roll() {
    let mut night = Night::gathered("ABC");
    night.ok(&rolls("A2 B2 C1"));
    night.ok(&join('D'));
    assert_eq!(letters(&night.state().to_roll()), "AB");
    night.ok(&leave('B'));
    assert_eq!(night.line(), "ACD", "nobody is tied any more");

    let mut night = Night::gathered("ABC");
    night.ok(&rolls("A2 B2 C1"));
    night.ok(&leave('C'));
    assert_eq!(night.state().phase(), Phase::Gathering, "two are no chouette");
}

#[test]
fn q2_the_box_plays_alone_against_every_member() {
    let night = Night::playing("ABCD");
    let game = night.state().game().unwrap();
    let bets: Vec<String> = game.bets.iter().map(|bet| letters(&[bet.box_side, bet.team_side])).collect();
    assert_eq!(bets, ["AB", "AC", "AD"]);
    assert_eq!(night.state().acting_captain(), Some(player('B')));
}

#[test]
fn q3_box_wins_captain_goes_to_the_end() {
    let mut night = Night::playing("ABCD");
    night.ok(&drop_after_double('D'));
    night.ok(&drop('D', "*"));
    night.ok(&finish(Side::Box, Win::Single));
    assert_eq!(night.scores(), "A+3 B-1 C-1 D-1");
    assert_eq!(night.line(), "ACDB");
}

/// The box's double that a member is about to drop.
fn drop_after_double(member: char) -> Command {
    double('A', &member.to_string())
}

#[test]
fn q4_team_wins_captain_is_box_and_box_goes_to_the_end() {
    let mut night = Night::playing("ABCD");
    night.ok(&finish(Side::Team, Win::Single));
    assert_eq!(night.scores(), "A-3 B+1 C+1 D+1");
    assert_eq!(night.line(), "BCDA");
}

#[test]
fn q5_who_comes_in_or_back_starts_at_the_end_of_the_line() {
    let mut night = Night::seated("ABC");
    night.ok(&join('D'));
    assert_eq!(night.line(), "ABCD");
    night.ok(&leave('B'));
    assert_eq!(night.line(), "ACD", "the captain left: the next is captain");
    assert_eq!(letters(&night.state().away()), "B");
    night.ok(&leave('A'));
    assert_eq!(night.line(), "CD", "the box left: the captain is box");
    night.ok(&join('B'));
    assert_eq!(night.line(), "CDB");
}

#[test]
fn q5_who_comes_during_a_game_waits_behind_everybody_and_then_behind_the_loser() {
    let mut night = Night::playing("ABC");
    night.ok(&join('D'));
    night.ok(&join('E'));
    assert_eq!((night.line().as_str(), letters(night.state().waiting()).as_str()), ("ABC", "DE"));
    assert_eq!(night.refused(&double('D', "*")), "not_in_game");
    night.ok(&leave('E'));
    night.ok(&join('E'));
    night.ok(&finish(Side::Team, Win::Single));
    assert_eq!(night.line(), "BCADE");
    assert_eq!(night.scores(), "A-2 B+1 C+1 D0 E0");
}

#[test]
fn q5_who_dropped_may_go_home_during_the_game() {
    let mut night = Night::playing("ABCD");
    assert_eq!(night.refused(&leave('B')), "game_in_progress");
    night.ok(&double('A', "B"));
    night.ok(&drop('B', "*"));
    night.ok(&leave('B'));
    assert_eq!(night.line(), "ACD");
    assert_eq!(night.state().captain(), Some(player('B')), "who began the game as captain");
    night.ok(&finish(Side::Team, Win::Single));
    assert_eq!(night.scores(), "A-1 B-1 C+1 D+1");
    assert_eq!(night.line(), "ACD", "the box beat the captain");
}

#[test]
fn q5_a_captain_who_dropped_went_and_came_back_waits_like_anybody() {
    let mut night = Night::playing("ABCD");
    night.ok(&double('A', "B"));
    night.ok(&drop('B', "*"));
    night.ok(&leave('B'));
    night.ok(&join('E'));
    night.ok(&join('B'));
    night.ok(&finish(Side::Box, Win::Single));
    assert_eq!(night.line(), "ACDEB");
}

/// Proves N3.
#[test]
fn heads_up_two_go_on_as_box_and_captain() {
    let mut night = Night::seated("ABC");
    night.ok(&leave('C'));
    night.ok(&start());
    night.ok(&finish(Side::Box, Win::Single));
    assert_eq!(night.line(), "AB");
    night.ok(&leave('B'));
    assert_eq!(night.refused(&start()), "too_few_players");
}

#[test]
fn q11_every_member_has_a_cube_and_decides_alone() {
    let mut night = Night::playing("ABCD");
    night.ok(&double('A', "BD"));
    night.ok(&take('B', "*"));
    night.ok(&drop('D', "*"));
    night.ok(&double('C', "*"));
    night.ok(&take('A', "*"));
    let cubes: Vec<(u32, CubeOwner)> =
        View::from(night.state()).game.unwrap().bets.iter().map(|bet| (bet.value.get(), bet.owner)).collect();
    assert_eq!(cubes, [(2, CubeOwner::Member), (2, CubeOwner::Box), (1, CubeOwner::Centred)]);
    assert_eq!(night.scores(), "A+1 B0 C0 D-1");
}

#[test]
fn q11_a_member_may_double_while_another_members_double_waits() {
    let mut night = Night::playing("ABC");
    night.ok(&double('C', "*"));
    night.ok(&double('B', "*"));
    night.ok(&take('A', "B"));
    assert_eq!(night.refused(&finish(Side::Box, Win::Single)), "offer_pending");
    night.ok(&drop('A', "C"));
    assert_eq!(night.scores(), "A-1 B0 C+1");
}

#[test]
fn q12_the_box_stays_as_long_as_it_beats_the_captain() {
    // A loses on balance and keeps the box: B, the captain, dropped.
    let mut night = Night::playing("ABCD");
    night.ok(&double('A', "B"));
    night.ok(&drop('B', "*"));
    night.ok(&finish(Side::Team, Win::Gammon));
    assert_eq!(night.scores(), "A-3 B-1 C+2 D+2");
    assert_eq!(night.line(), "ACDB");

    // A wins on balance and loses the box to the captain.
    let mut night = Night::playing("ABCD");
    night.ok(&double('B', "*"));
    night.ok(&drop('A', "*"));
    night.ok(&finish(Side::Box, Win::Gammon));
    assert_eq!(night.scores(), "A+3 B+1 C-2 D-2");
    assert_eq!(night.line(), "BCDA");
}

fn last_standing() -> HouseRules {
    HouseRules { box_retention: BoxRetention::LastStanding, ..plain() }
}

#[test]
fn q12_setting_the_captain_at_the_end_decides() {
    let mut night = Night::playing_under("ABCDE", last_standing());
    night.ok(&double('A', "BC"));
    night.ok(&drop('B', "*"));
    night.ok(&drop('C', "*"));
    assert_eq!(night.state().acting_captain(), Some(player('D')));
    assert_eq!(night.state().captain(), Some(player('B')));
    night.ok(&finish(Side::Team, Win::Single));
    assert_eq!(night.line(), "DCEBA");

    let mut night = Night::playing_under("ABCD", last_standing());
    night.ok(&double('B', "*"));
    night.ok(&drop('A', "*"));
    night.ok(&finish(Side::Box, Win::Single));
    assert_eq!(night.line(), "ACDB", "the captain beat the box, but the last one in did not");
}

/// Proves N1.
#[test]
fn everybody_drops_the_box_stays_and_the_captain_goes_to_the_end() {
    for rules in [plain(), last_standing()] {
        let mut night = Night::playing_under("ABC", rules);
        night.ok(&double('A', "*"));
        night.ok(&drop('B', "*"));
        let events = night.ok(&drop('C', "*"));
        assert_eq!(events.iter().map(kind_of::<Chouette>).collect::<Vec<_>>(), ["dropped", "game_finished"]);
        let [_, Event::GameFinished(finished)] = events.as_slice() else { panic!("{events:?}") };
        assert_eq!((finished.winner, finished.win), (Side::Box, None));
        assert_eq!((night.line().as_str(), night.booked().as_str()), ("ACB", "A+2 B-1 C-1"));
    }
}

/// Proves N2.
#[test]
fn the_box_drops_all_and_the_captain_becomes_box_whoever_was_last() {
    for rules in [plain(), last_standing()] {
        let mut night = Night::playing_under("ABC", rules);
        night.ok(&double('B', "*"));
        night.ok(&drop('A', "*"));
        night.ok(&double('C', "*"));
        night.ok(&drop('A', "*"));
        assert_eq!((night.line().as_str(), night.booked().as_str()), ("BCA", "A-2 B+1 C+1"));
        assert_eq!(night.state().games_finished(), 1);
    }
}

#[test]
fn q6_who_may_advise_the_captain() {
    let advise = |consultation: &str, script: &str| {
        let rules = rules(json!({
            "consultation": consultation, "lone_taker": {"rule": "extras"}, "decision_order": "any_order",
        }));
        let mut night = Night::playing_under("ABCD", rules);
        night.play(script);
        letters(&night.state().may_consult())
    };
    for (consultation, before, after) in
        [("free", "BCD", "BC"), ("none", "", ""), ("after_any_cube", "", "BC"), ("after_own_cube", "", "B")]
    {
        assert_eq!(advise(consultation, ""), before, "{consultation}");
        assert_eq!(advise(consultation, "tie"), before, "an automatic double turns nothing: {consultation}");
        assert_eq!(advise(consultation, "A doubles BD; B takes; D drops"), after, "{consultation}");
    }
    // With an extra its giver is on the box's side.
    assert_eq!(advise("free", "A doubles; B drops; C takes; D drops; B gives; D passes"), "C");
}

fn single_cube(settings: Value) -> HouseRules {
    let mut single = json!({"cubes": "single"});
    single.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
    rules(single)
}

#[test]
fn q7_each_answers_alone_and_the_captain_doubles_for_all() {
    let mut night = Night::playing_under("ABCD", single_cube(json!({})));
    night.play("A doubles; B takes; C drops; D takes");
    assert_eq!(night.scores(), "A+1 B0 C-1 D0");
    assert_eq!(letters(&night.state().may_consult()), "BD", "who drops loses the right to consult");
    assert_eq!(night.no("D doubles"), "only_captain");
    night.play("play on; B doubles");
    assert_eq!(night.no("A takes B"), "bad_choice");
    night.play("A takes");
    let cubes: Vec<u32> = night.state().game().unwrap().running().map(|bet| bet.cube.value.get()).collect();
    assert_eq!(cubes, [4, 4], "there is one cube");
    night.play("play on; A doubles; B drops; D takes");
    assert_eq!(night.state().acting_captain(), Some(player('D')), "the takers move up");
    night.play("play on; D doubles; A drops");
    assert_eq!(night.stands(), "A-3 B-4 C-1 D+8, ACDB");
}

/// Proves C7.
#[test]
fn q7_the_captains_beaver_is_everybodys_who_takes() {
    let beavers = || single_cube(json!({"animals": "beaver"}));
    let mut night = Night::playing_under("ABCD", beavers());
    night.play("A doubles; B beavers");
    assert_eq!(night.no("C beavers"), "only_captain");
    assert_eq!(night.no("A takes"), "no_offer");
    night.play("C takes; D drops; A takes; box wins");
    assert_eq!(night.stands(), "A+9 B-4 C-4 D-1, ACDB");

    // A player who took before it is in at its value as well.
    let in_any_order = single_cube(json!({"animals": "beaver", "decision_order": "any_order"}));
    let mut night = Night::playing_under("ABCD", in_any_order);
    night.play("A doubles; C takes; B beavers; D drops; A takes; box wins");
    assert_eq!(night.stands(), "A+9 B-4 C-4 D-1, ACDB");

    // A dropped beaver costs the box two with each member who is in.
    let mut night = Night::playing_under("ABCD", beavers());
    night.play("A doubles; B beavers; C takes; D drops; A drops");
    assert_eq!(night.stands(), "A-3 B+2 C+2 D-1, BCDA");
}

#[test]
fn q7_nobody_doubles_the_one_cube_before_all_have_answered() {
    let mut night = Night::playing_under("ABCD", single_cube(json!({"animals": "beaver"})));
    night.play("B doubles; A beavers; B takes");
    assert_eq!(night.no("A doubles"), "not_on_turn", "C and D have still to answer the beaver");
    night.play("C takes; D drops; play on; A doubles; B takes; C takes; box wins");
    assert_eq!(night.stands(), "A+18 B-8 C-8 D-2, ACDB");
}

#[test]
fn q8_captain_who_drops_goes_to_the_end() {
    let becomes = || single_cube(json!({"captain_drops": "becomes"}));
    let mut night = Night::playing_under("ABCD", becomes());
    night.play("A doubles; B drops; C takes");
    assert_eq!(night.state().captain(), Some(player('B')), "once all have answered");
    night.play("D takes");
    assert_eq!(night.state().captain(), Some(player('C')), "at once");
    assert_eq!(letters(&night.state().game().unwrap().members), "CDB");
    night.play("team wins");
    assert_eq!(night.stands(), "A-3 B-1 C+2 D+2, CDBA");

    let mut night = Night::playing_under("ABCD", becomes());
    night.play("A doubles; B drops; C takes; D takes; box wins");
    assert_eq!(night.stands(), "A+5 B-1 C-2 D-2, ADBC");

    // The new captain can lose the captaincy like the first, and a player who has beaten the box has not
    // dropped.
    let mut night = Night::playing_under("ABCD", becomes());
    night.play("A doubles; B drops; C takes; D takes; play on; C doubles; A takes; play on; A doubles");
    night.play("C drops; D takes; team wins");
    assert_eq!(night.stands(), "A-3 B-1 C-4 D+8, DBCA");
}

#[test]
fn q9_all_but_one_drop_and_the_last_must_too() {
    let must_drop = || rules(json!({"lone_taker": {"rule": "must_drop"}}));
    // At the stake before the box's double.
    let mut night = Night::playing_under("ABCDE", must_drop());
    night.play(
        "B doubles; C doubles; D doubles; E doubles; A takes; play on; A doubles; B drops; C drops; D drops",
    );
    assert_eq!(night.no("E takes"), "must_drop");
    night.play("E drops");
    assert_eq!(night.stands(), "A+8 B-2 C-2 D-2 E-2, ACDEB");

    // Four players are too few for the rule, and of two takers neither is alone.
    let mut night = Night::playing_under("ABCD", must_drop());
    night.play("A doubles; B drops; C drops; D takes");
    let mut night = Night::playing_under("ABCDE", must_drop());
    night.play("A doubles; B drops; C drops; D takes; E takes");

    // Drops of this double are what counts; a player who was alone before it may take.
    let mut night = Night::playing_under("ABCDE", must_drop());
    night.play("A doubles BC; B drops; C drops; play on; A doubles DE; D drops");
    assert_eq!(night.no("E takes"), "must_drop");
    let mut night = Night::playing_under("ABCDE", must_drop());
    night.play("B doubles; C doubles; D doubles; A drops; play on; A doubles; E takes");
}

#[test]
fn q10_extras_are_the_takers_and_each_is_paid_and_won_by_itself() {
    let extras = || rules(json!({"lone_taker": {"rule": "extras"}}));
    let mut night = Night::playing_under("ABCD", extras());
    night.play("A doubles; B drops; C takes; D drops");
    assert_eq!(night.no("D gives"), "not_asked");
    night.play("B gives; D gives");
    assert_eq!(night.scores(), "A+2 B-2 C+2 D-2", "each paid one point for it");
    assert_eq!(letters(&night.state().may_consult()), "C");
    assert_eq!(night.no("B doubles"), "not_your_cube");
    night.play("play on; C doubles B; B takes; box wins");
    // C loses 2 to the box, 4 to B, 2 to D.
    assert_eq!(night.stands(), "A+4 B+2 C-6 D0, ACDB");

    // With a single cube between box and team, an extra still has a cube of its own.
    let mut night = Night::playing_under("ABCD", single_cube(json!({"lone_taker": {"rule": "extras"}})));
    night.play(
        "A doubles; B drops; C takes; D drops; B gives; D gives; play on; C doubles B; B takes; box wins",
    );
    assert_eq!(night.stands(), "A+4 B+2 C-6 D0, ACDB");

    // A giver drops only the redouble.
    let mut night = Night::playing_under("ABCD", extras());
    night.play(
        "A doubles; B drops; C takes; D drops; B gives; D gives; play on; C doubles B; B drops; team wins",
    );
    assert_eq!(night.stands(), "A0 B-4 C+8 D-4, ACDB");
}

#[test]
fn q10_only_on_the_boxs_first_double_and_only_until_something_else_happens() {
    let extras = || rules(json!({"lone_taker": {"rule": "extras"}}));
    let mut night = Night::playing_under("ABC", extras());
    night.play("A doubles; B takes; C takes; play on; B doubles; C doubles; A takes; play on");
    night.play("A doubles; B drops; C takes");
    assert_eq!(night.no("B gives"), "not_asked");

    for other in ["play on", "C settles A 1", "C doubles"] {
        let mut night = Night::playing_under("ABCD", extras());
        night.play("A doubles; B drops; C takes; D drops; B gives").play(other);
        assert_eq!(night.no("D gives"), "not_asked", "{other}");
    }
    // There is no minimum number of players.
    let mut night = Night::playing_under("ABC", extras());
    night.play("A doubles; B drops; C takes; B gives");
}

#[test]
fn q9_q10_who_drops_the_boxs_raccoon_has_dropped_and_the_last_one_is_a_lone_taker() {
    let script = "A doubles; B beavers; A beavers B; B drops; C drops; D takes";
    let told_under = |settings: Value| {
        let mut all = json!({"animals": "raccoon", "decision_order": "any_order"});
        all.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
        Night::playing_under("ABCD", rules(all))
    };
    let mut night = told_under(json!({"lone_taker": {"rule": "must_drop", "from": 3}}));
    night.play(&script.replace("; D takes", ""));
    assert_eq!(night.no("D takes"), "must_drop");
    // A player who beavered is not asked for an extra; they have already paid more than one.
    let mut night = told_under(json!({"lone_taker": {"rule": "extras"}}));
    night.play(script);
    assert_eq!(night.no("B gives"), "not_asked");
    night.play("C gives");
}

#[test]
fn a_giver_is_doubled_no_later_than_the_box() {
    let mut night = Night::playing_under("ABC", rules(json!({"lone_taker": {"rule": "extras"}})));
    night.play("A doubles; B drops; C takes; B gives; play on; C doubles A; A takes");
    assert_eq!(night.no("C doubles B"), "late_double");
    night.play("play on; C doubles B");
}

#[test]
fn q10_an_extra_is_for_the_lower_of_the_two_stakes() {
    let settings = json!({"lone_taker": {"rule": "extras"}, "stakes": "lower_of_two"});
    let mut night = Night::seated_under("ABC", rules(settings));
    night.play("A plays for 3; C plays for 3; start; A doubles; B drops; C takes; B gives; box wins");
    // C loses 6 to A, and 2 to B, who paid 1 for it.
    assert_eq!(night.stands(), "A+7 B0 C-7, ACB");
}

fn partners(settings: Value) -> HouseRules {
    let mut partner = json!({"when": "optional", "from": 8});
    partner.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
    rules(json!({"partner": partner}))
}

#[test]
fn q13_the_partnership_is_offered_in_turn_and_drawn_without_the_captain() {
    let mut night = Night::seated_under("ABCDEFGH", partners(json!({})));
    night.play("offer; B declines; C declines; D declines");
    assert_eq!(night.state().offered_partnership(), Some(player('E')));
    night.play("undo; D accepts");
    assert_eq!(night.line(), "ABCEFGH");
    assert_eq!(letters(night.state().partners()), "D");

    let mut night = Night::seated_under("ABCDEFGH", partners(json!({"offer": "from_rear"})));
    night.play("offer; H declines; G declines; F declines; E declines; D declines; C declines");
    night.dice.0.push_back(2);
    let events = night.ok(&super::said::command("B declines"));
    assert_eq!(
        events.iter().map(kind_of::<Chouette>).collect::<Vec<_>>(),
        ["partnership_declined", "partnership_made"]
    );
    assert_eq!(letters(night.state().partners()), "E", "of C to H the third");
    assert_eq!(night.line(), "ABCDFGH");
}

#[test]
fn q13_seven_have_no_partner_where_it_takes_eight() {
    let mut night = Night::seated_under("ABCDEFG", partners(json!({})));
    assert_eq!(night.no("offer"), "no_partnership");
}

#[test]
fn q13_the_partner_shares_the_net_of_the_box_and_plays_no_bet() {
    let mut night = Night::seated_under("ABCDEFGH", partners(json!({"offer": "next_in_line"})));
    night.play("offer; start; A doubles B; B drops; team wins");
    // A won 1 from B and lost 5: 4 lost, half of it C's.
    assert_eq!(night.stands(), "A-2 B-1 C-2 D+1 E+1 F+1 G+1 H+1, ADEFGHB with C");
    // While the box stays, so does the partner; when it loses, the partner is captain.
    night.play("start; team wins");
    assert_eq!(night.stands(), "A-5 B0 C-5 D+2 E+2 F+2 G+2 H+2, DCEFGHBA");
    assert_eq!(night.state().captain(), Some(player('C')));
}

#[test]
fn q13_a_compulsory_partner_is_waited_for_as_long_as_there_are_enough() {
    let compulsory = partners(json!({"when": "compulsory"}));
    let mut night = Night::seated_under("ABCDEFGH", compulsory);
    assert_eq!(night.no("start"), "partner_due");
    night.play("offer");
    assert_eq!(night.no("start"), "partner_due");
    night.play("B accepts; start; box wins");
    assert_eq!(night.stands(), "A+3 B+3 C-1 D-1 E-1 F-1 G-1 H-1, ADEFGHC with B");
    night.play("G leaves; start");
}
