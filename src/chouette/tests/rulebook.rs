//! The rules of the rulebook, one by one.

use super::{Night, double, drop, finish, join, leave, letters, plain, player, rolls, start, take};
use crate::chouette::rules::BoxRetention;
use crate::chouette::{Command, CubeOwner, Event, HouseRules, Phase, Side, View, settle};
use crate::engine::Win;

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

/// The double of the box that a member is about to drop.
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

#[test]
fn everybody_drops_the_box_stays_and_the_captain_goes_to_the_end() {
    for rules in [plain(), last_standing()] {
        let mut night = Night::playing_under("ABC", rules);
        night.ok(&double('A', "*"));
        night.ok(&drop('B', "*"));
        let events = night.ok(&drop('C', "*"));
        assert_eq!(events.iter().map(Event::kind).collect::<Vec<_>>(), ["dropped", "game_finished"]);
        let [_, Event::GameFinished(finished)] = events.as_slice() else { panic!("{events:?}") };
        assert_eq!((finished.winner, finished.win), (Side::Box, None));
        assert_eq!((night.line().as_str(), night.booked().as_str()), ("ACB", "A+2 B-1 C-1"));
    }
}

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
fn c1_cubes_begin_centred_at_one_and_either_side_may_double() {
    for (doubler, taker) in [('A', 'B'), ('B', 'A')] {
        let mut night = Night::playing("ABC");
        let bet = night.state().bets()[0];
        assert_eq!((bet.cube.value.get(), CubeOwner::from(bet.cube.owner)), (1, CubeOwner::Centred));
        night.ok(&double(doubler, &taker.to_string()));
        night.ok(&take(taker, "*"));
    }
}

#[test]
fn c2_only_the_side_on_roll_doubles() {
    let mut night = Night::playing("ABC");
    night.ok(&double('A', "B"));
    assert_eq!(night.refused(&double('C', "*")), "not_on_turn");
    night.ok(&take('B', "*"));
    night.ok(&double('C', "*"));
    assert_eq!(night.refused(&double('A', "*")), "not_on_turn");
}

#[test]
fn c3_the_refuser_loses_the_stake_before_the_offer() {
    let mut night = Night::playing("ABC");
    night.ok(&double('A', "B"));
    night.ok(&take('B', "*"));
    night.ok(&double('B', "*"));
    assert!(
        matches!(night.state().bets()[0].raise(), Some(raise) if raise.by() == Side::Team && raise.to().get() == 4)
    );
    night.ok(&drop('A', "*"));
    assert_eq!(night.scores(), "A-2 B+2 C0");
}

#[test]
fn c4_the_taker_owns_the_cube_and_alone_doubles_next() {
    let mut night = Night::playing("ABC");
    night.ok(&double('A', "*"));
    night.ok(&take('B', "*"));
    night.ok(&take('C', "*"));
    assert_eq!(night.refused(&double('A', "*")), "not_your_cube");
    night.ok(&double('B', "*"));
    night.ok(&take('A', "*"));
    assert_eq!(night.refused(&double('B', "*")), "not_your_cube");
    night.ok(&double('A', "B"));
}

#[test]
fn c10_a_cap_holds() {
    let rules = HouseRules { cube_cap: Some(2.try_into().unwrap()), ..plain() };
    let mut night = Night::playing_under("ABC", rules);
    night.ok(&double('A', "*"));
    night.ok(&take('B', "*"));
    night.ok(&take('C', "*"));
    assert_eq!(night.refused(&double('B', "*")), "cube_at_limit");
}

#[test]
fn g14_the_kind_of_win_multiplies_each_cube() {
    for (win, scores) in
        [(Win::Single, "A+3 B-2 C-1"), (Win::Gammon, "A+6 B-4 C-2"), (Win::Backgammon, "A+9 B-6 C-3")]
    {
        let mut night = Night::playing("ABC");
        night.ok(&double('A', "B"));
        night.ok(&take('B', "*"));
        let shown_before = settle(night.state().game().unwrap(), Side::Box, win, false);
        let events = night.ok(&finish(Side::Box, win));
        let [Event::GameFinished(finished)] = events.as_slice() else { panic!("{events:?}") };
        assert_eq!(finished.bets, shown_before);
        assert_eq!(night.scores(), scores);
    }
}
