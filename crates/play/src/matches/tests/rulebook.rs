//! M1 to M8, and rulings of tournament directors.

use super::*;
use crate::matches::statistics::Share;
use crate::matches::{ContestRuling, EnteredBy, Legal, MatchNo, MatchOfTournament};
use owlbox_base::journal::shared::Viewer;
use owlbox_base::values::TournamentId;
use owlbox_engine::Variant;
use owlbox_engine::game::{ClosedOut, CubeRules, GameRules};
use owlbox_engine::tables::equity::MatchPhase;

#[test]
fn m1_m2_the_first_to_the_length_wins_and_points_beyond_it_have_no_value() {
    let mut table = Table::to(5);
    table.game(Upper, Win::Gammon, 1).game(Lower, Win::Single, 2);
    assert_eq!((table.score(), table.view().away), ([2, 2], Some([3, 3])));
    let events = table.good(&game(Upper, Win::Backgammon, 4));
    let outcome = won(Upper, Ending::Played, [5, 2]);
    assert_eq!(
        events.last(),
        Some(&Event::Finished { by: DecidedBy::Score {}, outcome, entered_by: None, withdraws: Vec::new() })
    );
    assert_eq!((table.sheet.outcome(), table.score()), (Some(outcome), [5, 2]));
    assert_eq!(table.refused(&game(Upper, Win::Single, 1)).code().name(), "match_over");
}

#[test]
fn m3_the_crawford_game_is_derived_and_has_no_cube() {
    let mut table = Table::to(5);
    table.game(Upper, Win::Gammon, 2);
    assert_eq!((table.view().phase, table.sheet.cubes()), (Some(MatchPhase::Crawford), vec![1]));
    assert_eq!(table.refused(&game(Lower, Win::Single, 2)), Refusal::CrawfordGame);
    assert_eq!(table.refused(&dropped(Lower, 1)), Refusal::CrawfordGame, "nobody can have doubled");
    table.game(Lower, Win::Gammon, 1);
    assert_eq!((table.view().phase, table.sheet.cubes()), (Some(MatchPhase::AfterCrawford), vec![1, 2, 4]));
    table.game(Lower, Win::Single, 2);
    assert_eq!(table.view().phase, Some(MatchPhase::AfterCrawford), "at 4-4 there is no second one");
}

#[test]
fn m3_penalty_points_count_for_the_crawford_game() {
    let mut table = Table::to(7);
    table.game(Upper, Win::Single, 4);
    table.good(&Command::Penalty { gains: Upper, points: 2 });
    let view = table.view();
    assert_eq!((view.score, view.penalties, view.phase), ([6, 0], [2, 0], Some(MatchPhase::Crawford)));
}

#[test]
fn m4_c9_jacoby_and_automatic_doubles_count_in_money_sessions_alone() {
    let jacoby = CubeOptions { jacoby: true, ..CubeOptions::default() };
    let mut table = Table::money(jacoby);
    table.game(Upper, Win::Gammon, 1).game(Lower, Win::Backgammon, 2);
    assert_eq!(table.score(), [1, 6], "undoubled, a gammon counts once");
    let mut table = Table::money(CubeOptions { automatic_doubles: 1, ..jacoby });
    let not_turned = Entered { turned: Some(false), ..entered(Upper, Win::Gammon, 2) };
    table.good(&Command::Game(not_turned));
    table.game(Upper, Win::Gammon, 2);
    assert_eq!(table.score(), [6, 0], "one was doubled automatically, the other by a player");
    let view = table.view();
    assert_eq!((view.phase, view.away, view.chance, view.outcome), (None, None, None, None));
    let mut table = Table::to(9);
    table.game(Upper, Win::Gammon, 1);
    assert_eq!(table.score(), [2, 0]);
}

#[test]
fn c3_a_dropped_double_counts_the_cube_before() {
    let mut table = Table::to(9);
    table.good(&dropped(Lower, 2));
    assert_eq!(table.score(), [0, 2]);
    let gammon = Entered { how: GameEnding::Dropped, ..entered(Lower, Win::Gammon, 2) };
    assert_eq!(table.refused(&Command::Game(gammon)), Refusal::DropIsSingle);
}

#[test]
fn a_side_resigns_a_game_as_what_both_agree() {
    let mut table = Table::to(9);
    table.good(&Command::Resign { by: Upper, win: Win::Gammon, cube: cube(2), turned: None, began: None });
    assert_eq!(table.score(), [0, 4]);
}

#[test]
fn m6_a_scorer_may_enter_a_cube_that_was_pointless() {
    let mut table = Table::to(3);
    table.game(Upper, Win::Gammon, 1).game(Lower, Win::Single, 1);
    assert_eq!(table.sheet.cubes(), [1, 2], "nobody gains by a four");
    table.game(Lower, Win::Single, 4);
    assert_eq!(table.score(), [2, 3]);
}

#[test]
fn m7_a_match_of_one_point_has_no_crawford_game() {
    let mut table = Table::to(1);
    assert_eq!((table.view().phase, table.sheet.cubes()), (Some(MatchPhase::AfterCrawford), vec![1]));
    table.game(Lower, Win::Backgammon, 1);
    assert_eq!(table.sheet.outcome(), Some(won(Lower, Ending::Played, [0, 1])));
}

#[test]
fn m8_statistics_are_counts_and_per_cent_to_two_decimals() {
    let mut table = Table::to(25);
    let began =
        |winner, began| Command::Game(Entered { began: Some(began), ..entered(winner, Win::Single, 1) });
    table.good(&began(Upper, Upper));
    table.good(&began(Lower, Upper));
    table.good(&Command::Draw {});
    table.good(&dropped(Upper, 2));
    table.good(&began(Upper, Lower));
    table.game(Upper, Win::Gammon, 2);
    let statistics = table.sheet.statistics();
    assert_eq!(statistics.all.games, 6);
    assert_eq!(statistics.all.white, Share { count: 4, hundredths: 6667 });
    assert_eq!(statistics.all.black, Share { count: 1, hundredths: 1667 });
    assert_eq!(statistics.all.drawn, Share { count: 1, hundredths: 1667 });
    let beginner = &statistics.by_beginner;
    assert_eq!([beginner.white.games, beginner.black.games, beginner.unknown.games], [2, 1, 3]);
    assert_eq!(beginner.white.white, Share { count: 1, hundredths: 5000 });
    let wins: Vec<_> = statistics.by_win.iter().map(|kind| (kind.how, kind.win, kind.games.games)).collect();
    assert_eq!(
        wins,
        [
            (GameEnding::Played, Win::Single, 3),
            (GameEnding::Played, Win::Gammon, 1),
            (GameEnding::Dropped, Win::Single, 1)
        ]
    );
    let cubes: Vec<_> = statistics.by_cube.iter().map(|kind| (kind.cube, kind.games.part)).collect();
    assert_eq!(cubes, [(1, Share { count: 3, hundredths: 5000 }), (2, Share { count: 2, hundredths: 3333 })]);
    assert_eq!(Share::new(0, 0), Share::default(), "of nothing");
}

#[test]
fn m8_a_drawn_game_counts_nothing_and_leaves_the_crawford_game_to_be_played() {
    let mut table = Table::to(3);
    table.game(Upper, Win::Gammon, 1);
    table.good(&Command::Draw {});
    assert_eq!((table.score(), table.view().phase), ([2, 0], Some(MatchPhase::Crawford)));
}

/// Proves T15.
#[test]
fn lateness_costs_a_point_after_five_minutes_and_each_further_five() {
    let mut table = Table::to(7);
    assert_eq!(table.refused(&Command::Late { by: Upper, minutes: 4 }), Refusal::NothingChanges);
    table.good(&Command::Late { by: Upper, minutes: 14 });
    let view = table.view();
    assert_eq!((view.score, view.penalties), ([0, 2], [0, 2]));
    assert!(view.statistics.all.games == 0, "points of a penalty are no game");
}

/// Proves T15.
#[test]
fn above_half_the_length_in_penalties_the_match_is_lost() {
    let mut table = Table::to(7);
    table.good(&Command::Late { by: Upper, minutes: 20 });
    assert_eq!(table.sheet.outcome(), Some(won(Lower, Ending::Forfeit, [0, 0])));
    let mut table = Table::to(7);
    table.good(&Command::Penalty { gains: Lower, points: 3 });
    assert_eq!(table.sheet.outcome(), None);
    table.good(&Command::Penalty { gains: Lower, points: 1 });
    assert_eq!(table.sheet.outcome(), Some(won(Lower, Ending::Forfeit, [0, 4])));
    assert_eq!(table.sheet.decided_by(), Some(DecidedBy::Penalties { against: Upper }));
}

#[test]
fn a_penalty_that_brings_the_last_point_wins_by_the_score() {
    let mut table = Table::to(7);
    table.game(Upper, Win::Backgammon, 2);
    table.good(&Command::Penalty { gains: Upper, points: 1 });
    assert_eq!(table.sheet.outcome(), Some(won(Upper, Ending::Played, [7, 0])));
}

#[test]
fn a_final_score_alone_names_its_winner() {
    let mut table = Table::to(7);
    table.game(Lower, Win::Gammon, 1);
    for score in [[7, 7], [6, 5], [8, 3], [7, 1]] {
        assert_eq!(
            table.refused(&Command::Final { score }),
            Refusal::BadScore { length: 7, so_far: [0, 2] },
            "{score:?}"
        );
    }
    table.good(&Command::Final { score: [7, 2] });
    assert_eq!(table.sheet.outcome(), Some(won(Upper, Ending::Played, [7, 2])));
    assert_eq!(table.score(), [7, 2]);
}

#[test]
fn a_match_is_conceded_at_its_score() {
    let mut table = Table::to(7);
    table.game(Upper, Win::Single, 2);
    table.good(&Command::Concede { by: Upper });
    assert_eq!(table.sheet.outcome(), Some(won(Lower, Ending::Conceded, [2, 0])));
}

#[test]
fn the_director_rules_what_came_of_it_or_that_it_goes_on() {
    let mut table = Table::to(3);
    table.game(Upper, Win::Gammon, 1);
    let forfeit = Outcome { winner: None, ending: Ending::DoubleForfeit, score: None };
    table.good(&Command::Rule { outcome: Some(forfeit), withdraws: Vec::new() });
    assert_eq!(table.sheet.outcome(), Some(forfeit));
    assert_eq!(
        table.refused(&Command::Rule { outcome: Some(forfeit), withdraws: Vec::new() }),
        Refusal::NothingChanges
    );
    table.good(&Command::Rule { outcome: None, withdraws: Vec::new() });
    assert_eq!((table.sheet.outcome(), table.sheet.finished_at()), (None, None));
    assert_eq!(
        table.refused(&Command::Rule { outcome: None, withdraws: Vec::new() }),
        Refusal::NothingChanges
    );

    table.game(Upper, Win::Single, 1);
    assert_eq!(
        table.refused(&Command::Rule { outcome: None, withdraws: Vec::new() }),
        Refusal::DecidedByScore
    );
    let out = won(Lower, Ending::Disqualified, [3, 0]);
    table.good(&Command::Rule { outcome: Some(out), withdraws: Vec::new() });
    assert_eq!(table.sheet.outcome(), Some(out));
    table.good(&Command::Rule { outcome: None, withdraws: Vec::new() });
    assert_eq!(table.sheet.outcome(), Some(won(Upper, Ending::Played, [3, 0])), "the score holds again");
}

/// T2: only a tournament has something else that somebody would play in.
#[test]
fn t2_a_ruling_says_who_withdraws_from_the_tournament_of_its_match() {
    let of =
        MatchOfTournament { tournament: TournamentId(Uuid::from_u128(9)), division: 1, number: MatchNo(1) };
    let open = |of| Command::Open { players: [player(1), player(2)], terms: match_to(3), clock: None, of };
    let walkover = Outcome { winner: Some(Upper), ending: Ending::Walkover, score: None };
    let rule = |outcome, withdraws: &[Slot]| Command::Rule { outcome, withdraws: withdraws.to_vec() };
    let mut friendly = Table::new();
    friendly.good(&open(None));
    assert_eq!(friendly.refused(&rule(Some(walkover), &[Lower])), Refusal::NotOfTournament);
    assert_eq!(friendly.refused(&rule(None, &[Lower])), Refusal::NotOfTournament);
    friendly.good(&rule(Some(walkover), &[]));

    let mut table = Table::new();
    table.good(&open(Some(of)));
    assert_eq!(table.refused(&rule(Some(walkover), &[Lower, Lower])), Refusal::BadList);
    assert_eq!(table.refused(&rule(Some(walkover), &[Lower, Upper, Lower])), Refusal::BadList);
    assert_eq!(table.refused(&rule(None, &[Lower])), Refusal::BadRuling);
    let ruled = table.good(&rule(Some(walkover), &[Lower]));
    let by = DecidedBy::Ruling {};
    let expected = Event::Finished { by, outcome: walkover, entered_by: None, withdraws: vec![Lower] };
    assert_eq!(ruled, [expected]);
    assert_eq!(table.replayed(), table.sheet);
}

#[test]
fn nobody_rules_what_a_bracket_finds_by_itself_or_what_does_not_fit() {
    let mut table = Table::to(3);
    let outcomes = [
        Outcome { winner: Some(Upper), ending: Ending::Bye, score: None },
        Outcome { winner: None, ending: Ending::Played, score: None },
        Outcome { winner: Some(Upper), ending: Ending::DoubleForfeit, score: None },
        won(Upper, Ending::Played, [2, 3]),
        won(Upper, Ending::Played, [2, 1]),
        won(Upper, Ending::Forfeit, [4, 0]),
        won(Upper, Ending::Forfeit, [3, 3]),
    ];
    for outcome in outcomes {
        assert_eq!(
            table.refused(&Command::Rule { outcome: Some(outcome), withdraws: Vec::new() }),
            Refusal::BadRuling,
            "{outcome:?}"
        );
    }
}

#[test]
fn an_adjourned_match_waits_for_the_two() {
    let mut table = Table::to(7);
    table.good(&Command::Adjourn {});
    for command in
        [game(Upper, Win::Single, 1), Command::Adjourn {}, Command::StartBoard { dice: DiceSource::Drawn }]
    {
        assert_eq!(table.refused(&command), Refusal::Adjourned);
    }
    table.good(&Command::Resume {});
    assert_eq!(table.refused(&Command::Resume {}), Refusal::NotAdjourned);
    table.good(&Command::Adjourn {});
    table.good(&Command::Concede { by: Lower });
    assert_eq!(table.sheet.outcome().and_then(|outcome| outcome.winner), Some(Upper));
}

#[test]
fn a_money_session_goes_on_until_it_is_closed_and_never_has_an_outcome() {
    let mut table = Table::money(CubeOptions { cap: Some(cube(4)), ..CubeOptions::default() });
    table.game(Upper, Win::Backgammon, 4);
    assert_eq!(table.refused(&game(Upper, Win::Single, 8)), Refusal::CubeAtLimit { limit: cube(4) });
    assert_eq!(table.sheet.cubes(), [1, 2, 4]);
    assert_eq!(table.refused(&Command::Concede { by: Upper }), Refusal::NotInMoney);
    let terms = Terms::Money { stake: None, cube: CubeOptions::default(), game: BoardRules::default() };
    table.good(&Command::Close {});
    assert_eq!((table.sheet.outcome(), table.score()), (None, [12, 0]));
    assert_eq!(table.refused(&Command::Close {}), Refusal::SessionClosed);
    assert_eq!(table.refused(&open(terms)), Refusal::AlreadyOpen);
}

#[test]
fn the_loser_of_a_session_pays_their_debt_and_no_more() {
    let stake = Stake { amount: 500.try_into().unwrap(), currency: "EUR".parse().unwrap() };
    let mut table = Table::opened(Terms::Money {
        stake: Some(stake),
        cube: CubeOptions::default(),
        game: BoardRules::default(),
    });
    let pay = |by, amount| Command::Pay { by, amount };
    assert_eq!(table.refused(&pay(Lower, 1)), Refusal::NothingOwed);
    table.game(Upper, Win::Single, 4);
    assert_eq!(table.refused(&pay(Upper, 1)), Refusal::NothingOwed);
    for amount in [0, -1, 2_001] {
        assert_eq!(table.refused(&pay(Lower, amount)), Refusal::BadAmount { most: 2_000 });
    }
    table.good(&pay(Lower, 500));
    table.good(&Command::Close {});
    assert!(table.sheet.legal().contains(&Legal::Pay { by: Lower, amount_up_to: 1_500 }), "also afterwards");
    table.good(&pay(Lower, 1_500));
    assert_eq!((table.sheet.owed(), table.score()), (None, [4, 0]));
    // The game is corrected, so the overpayment is owed back.
    table.good(&correct(1, Upper, Win::Single, 1));
    assert_eq!(table.sheet.owed(), Some((Upper, 1_500)));
    table.good(&pay(Upper, 1_500));
    assert_eq!((table.sheet.owed(), table.replayed()), (None, table.sheet.clone()));

    let mut for_points = Table::money(CubeOptions::default());
    for_points.game(Upper, Win::Single, 1);
    assert_eq!(for_points.refused(&pay(Lower, 1)), Refusal::NothingOwed);
    assert_eq!(Table::to(3).refused(&pay(Lower, 1)), Refusal::NotInMatch);
}

/// The side that has won the stake, and who owes what.
fn at_stake(table: &Table) -> (Option<Slot>, Option<(Slot, i64)>) {
    (table.sheet.stake_won(), table.sheet.owed())
}

#[test]
fn the_winner_of_a_match_wins_its_stake_whatever_decided_it() {
    let pay = |by, amount| Command::Pay { by, amount };
    let mut table = staked(3);
    table.game(Upper, Win::Gammon, 1);
    assert_eq!((at_stake(&table), table.refused(&pay(Lower, 1))), ((None, None), Refusal::NothingOwed));
    let last = table.good(&game(Upper, Win::Single, 1));
    assert_eq!(last.last(), Some(&Event::StakeMoved { from: None, to: Some(Upper) }));
    assert_eq!(at_stake(&table), (Some(Upper), Some((Lower, 1_000))));
    assert_eq!(table.refused(&pay(Lower, 1_001)), Refusal::BadAmount { most: 1_000 });
    table.good(&pay(Lower, 400));
    let mut shown = table.sheet.clone();
    shown.redact(&Viewer::default());
    assert_eq!((shown.stake_won(), shown.owed(), shown.outcome()), (None, None, table.sheet.outcome()));
    assert!(table.sheet.legal().contains(&Legal::Pay { by: Lower, amount_up_to: 600 }));

    // A correction reopens the match, and what was paid is owed back; a ruling gives the stake to the other.
    table.good(&correct(2, Lower, Win::Single, 1));
    assert_eq!(at_stake(&table), (None, Some((Upper, 400))));
    table.good(&Command::Concede { by: Upper });
    assert_eq!(at_stake(&table), (Some(Lower), Some((Upper, 1_400))));
    let neither = Outcome { winner: None, ending: Ending::DoubleForfeit, score: None };
    let ruled = table.good(&Command::Rule { outcome: Some(neither), withdraws: Vec::new() });
    assert_eq!(ruled.last(), Some(&Event::StakeMoved { from: Some(Lower), to: None }));
    assert_eq!((at_stake(&table), table.replayed()), ((None, Some((Upper, 400))), table.sheet.clone()));
}

#[test]
fn a_contest_takes_the_stake_of_a_match_out_until_it_is_ruled_on() {
    let mut table = staked(1);
    let given = Command::GivenBy { by: EnteredBy::Upper, command: Box::new(game(Upper, Win::Single, 1)) };
    table.good(&given);
    table.good(&Command::Pay { by: Lower, amount: 1_000 });
    let contested = table.good(&Command::Contest { by: Lower, game: Some(1) });
    assert_eq!(contested.last(), Some(&Event::StakeMoved { from: Some(Upper), to: None }));
    assert_eq!(at_stake(&table), (None, None), "nobody pays back what may stand");
    assert_eq!(table.refused(&Command::Pay { by: Upper, amount: 1 }), Refusal::Contested);
    let mut upheld = table.clone();
    upheld.good(&Command::RuleContest { game: Some(1), ruling: ContestRuling::Stands });
    assert_eq!((at_stake(&upheld), upheld.replayed()), ((Some(Upper), None), upheld.sheet.clone()));
    table.good(&Command::RuleContest { game: Some(1), ruling: ContestRuling::Void });
    assert_eq!(at_stake(&table), (None, Some((Upper, 1_000))));
}

#[test]
fn what_a_director_has_ruled_no_contest_takes_the_stake_of() {
    let mut table = staked(3);
    table.good(&Command::GivenBy { by: EnteredBy::Upper, command: Box::new(game(Upper, Win::Single, 1)) });
    let ruled = won(Upper, Ending::Forfeit, [1, 0]);
    table.good(&Command::Rule { outcome: Some(ruled), withdraws: Vec::new() });
    let contested = table.good(&Command::Contest { by: Lower, game: Some(1) });
    assert_eq!(contested.len(), 1, "{contested:?}");
    assert_eq!(at_stake(&table), (Some(Upper), Some((Lower, 1_000))));
    table.good(&Command::Pay { by: Lower, amount: 1_000 });

    // A ruling ends what a contest had left open.
    let mut table = staked(3);
    table.good(&Command::GivenBy { by: EnteredBy::Upper, command: Box::new(game(Upper, Win::Single, 1)) });
    let stated = Command::Final { score: [3, 0] };
    table.good(&Command::GivenBy { by: EnteredBy::Upper, command: Box::new(stated) });
    table.good(&Command::Contest { by: Lower, game: Some(1) });
    assert_eq!(at_stake(&table), (None, None));
    table.good(&Command::Rule { outcome: Some(won(Lower, Ending::Forfeit, [1, 0])), withdraws: Vec::new() });
    assert!(table.sheet.is_contested(), "the game still is");
    assert_eq!(at_stake(&table), (Some(Lower), Some((Upper, 1_000))));
    assert_eq!(table.replayed(), table.sheet);
}

#[test]
fn lateness_and_penalties_win_a_stake_and_a_tournament_has_none() {
    let mut table = staked(3);
    table.good(&Command::Late { by: Lower, minutes: 30 });
    assert_eq!(at_stake(&table), (Some(Upper), Some((Lower, 1_000))));
    let mut table = staked(3);
    table.good(&Command::Penalty { gains: Lower, points: 2 });
    assert_eq!(at_stake(&table), (Some(Lower), Some((Upper, 1_000))));

    let of = Some(MatchOfTournament {
        tournament: TournamentId(Uuid::from_u128(9)),
        division: 1,
        number: MatchNo(1),
    });
    let terms = staked(3).sheet.terms().unwrap();
    let mut table = Table::new();
    table.good(&Command::Open { players: [player(1), player(2)], terms, clock: None, of });
    assert_eq!((table.sheet.terms(), table.sheet.is_booked()), (Some(match_to(3)), false));
}

#[test]
fn the_chance_is_the_tables_while_the_match_goes_on() {
    let mut table = Table::to(7);
    table.game(Upper, Win::Single, 4).game(Upper, Win::Single, 1).game(Lower, Win::Backgammon, 1);
    assert_eq!(table.view().chance, Some(668_700), "2-away, 4-away");
    table.good(&Command::Concede { by: Upper });
    assert_eq!(table.view().chance, None);
}

#[test]
fn c0_a_match_without_the_cube_has_none_on_the_board_and_none_on_the_sheet() {
    let rules = DivisionSettings { highest_cube: Some(CubeValue::ONE), ..DivisionSettings::default() };
    let mut table = Table::opened(rules.terms(Length::SEVEN, false));
    assert_eq!(table.refused(&game(Upper, Win::Gammon, 2)), Refusal::CubeAtLimit { limit: CubeValue::ONE });
    assert_eq!(table.refused(&dropped(Upper, 1)), Refusal::CubeAtLimit { limit: CubeValue::ONE });
    table.good(&game(Upper, Win::Gammon, 1));
    assert_eq!(table.sheet.standing().unwrap().won, [2, 0]);
    table.good(&Command::StartBoard { dice: DiceSource::Drawn });
    let board = &table.sheet.board().unwrap().game;
    assert_eq!(board.rules().cube, CubeRules::Without {});
    assert_eq!(board.cube(), None);
}

#[test]
fn c10_a_cap_is_the_highest_cube_of_the_match() {
    let rules = DivisionSettings { highest_cube: Some(cube(4)), ..DivisionSettings::default() };
    let mut table = Table::opened(rules.terms(Length::SEVEN, false));
    assert_eq!(table.refused(&game(Upper, Win::Single, 8)), Refusal::CubeAtLimit { limit: cube(4) });
    table.good(&game(Upper, Win::Single, 4));
}

#[test]
fn m3_without_the_crawford_rule_the_cube_is_there_in_every_game() {
    let rules = DivisionSettings { crawford: false, ..DivisionSettings::default() };
    let mut table = Table::opened(rules.terms(Length::SEVEN, false));
    table.good(&game(Upper, Win::Gammon, 2));
    table.good(&game(Upper, Win::Gammon, 1));
    assert_eq!(table.sheet.standing().unwrap().phase, Some(MatchPhase::AfterCrawford), "6-0");
    table.good(&game(Lower, Win::Single, 2));
    assert_eq!(table.sheet.standing().unwrap().won, [6, 2]);
}

/// Proves G8a.
#[test]
fn v1_to_v4_a_match_is_played_on_the_board_by_its_own_rules() {
    for variant in Variant::ALL {
        let on_board = BoardRules { variant, strict_larger_die: true, closed_out: ClosedOut::Rolls };
        // Plakoto and Fevga have no cube (V4).
        let cap = (!variant.has_cube()).then_some(CubeValue::ONE);
        let rules = DivisionSettings { game: on_board, highest_cube: cap, ..DivisionSettings::default() };
        let cube = CubeOptions { cap, ..CubeOptions::default() };
        let money = Terms::Money { stake: None, cube, game: on_board };
        for terms in [rules.terms(Length::SEVEN, false), money] {
            let mut table = Table::opened(terms);
            table.good(&Command::StartBoard { dice: DiceSource::Drawn });
            let board = &table.sheet.board().unwrap().game;
            let GameRules { variant: played, strict_larger_die, closed_out, .. } = *board.rules();
            assert_eq!(BoardRules { variant: played, strict_larger_die, closed_out }, on_board);
            assert_eq!(board.position(), variant.start());
        }
    }
}

/// Proves V4.
#[test]
fn terms_that_cannot_stand_together_are_named() {
    use serde_json::json;
    let refused = |terms: serde_json::Value| {
        let mut table = Table::new();
        match table.refused(&open(serde_json::from_value(terms).unwrap())) {
            Refusal::ContradictoryTerms { contradiction } => contradiction.keys(),
            other => panic!("{other:?}"),
        }
    };
    let a_match = |more: serde_json::Value| {
        let mut terms = serde_json::json!({"play": "match", "length": 7});
        terms.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        refused(terms)
    };
    assert_eq!(a_match(json!({"holland": true, "crawford": false})), ["holland", "crawford"]);
    assert_eq!(a_match(json!({"holland": true, "highest_cube": 1})), ["holland", "highest_cube"]);
    assert_eq!(a_match(json!({"rated": true, "game": {"variant": "misere"}})), ["rated", "game.variant"]);
    assert_eq!(a_match(json!({"game": {"variant": "fevga"}})), ["game.variant", "highest_cube"]);
    let plakoto = json!({"play": "money", "game": {"variant": "plakoto"}});
    assert_eq!(refused(plakoto), ["game.variant", "cube.cap"]);
    let money = |cube: serde_json::Value| refused(json!({"play": "money", "cube": cube}));
    assert_eq!(money(json!({"jacoby": true, "cap": 1})), ["cube.jacoby", "cube.cap"]);
    assert_eq!(money(json!({"automatic_doubles": 1, "cap": 1})), ["cube.automatic_doubles", "cube.cap"]);
    assert_eq!(money(json!({"beavers": "beaver", "cap": 2})), ["cube.beavers", "cube.cap"]);
}
