//! Corrections of earlier games.

use super::*;
use owlbox_engine::tables::equity::MatchPhase;

#[test]
fn a_corrected_game_moves_the_score_of_all_after_it() {
    let mut table = Table::to(9);
    table.game(Upper, Win::Single, 1).game(Lower, Win::Single, 2).game(Upper, Win::Single, 1);
    table.good(&correct(1, Lower, Win::Gammon, 2));
    let scores: Vec<_> = table.view().lines.iter().map(|line| line.score).collect();
    assert_eq!(scores, [[0, 4], [0, 6], [1, 6]]);
    assert_eq!(table.refused(&correct(1, Lower, Win::Gammon, 2)), Refusal::NothingChanges);
    assert_eq!(table.refused(&correct(4, Lower, Win::Single, 1)), Refusal::NoSuchGame { games: 3 });
    assert_eq!(table.refused(&correct(0, Lower, Win::Single, 1)), Refusal::NoSuchGame { games: 3 });
}

#[test]
fn m3_the_rest_must_still_be_a_match() {
    let mut table = Table::to(5);
    table.game(Upper, Win::Single, 1).game(Lower, Win::Single, 2).game(Lower, Win::Single, 2);
    // At 4-0 the second game would be the Crawford game.
    assert_eq!(
        table.refused(&correct(1, Upper, Win::Single, 4)),
        Refusal::LaterGame { game: 2, over: false }
    );
    assert_eq!(table.refused(&correct(1, Upper, Win::Gammon, 4)), Refusal::LaterGame { game: 2, over: true });
    assert_eq!(table.view().phase, Some(MatchPhase::Crawford), "1-4");
    table.game(Upper, Win::Single, 1);
    assert_eq!(table.refused(&correct(4, Upper, Win::Single, 2)), Refusal::CrawfordGame);
}

#[test]
fn a_penalty_between_games_is_counted_where_it_stands() {
    let mut table = Table::to(7);
    table.game(Upper, Win::Single, 1);
    table.good(&Command::Penalty { gains: Lower, points: 2 });
    table.game(Lower, Win::Single, 1);
    table.good(&correct(1, Upper, Win::Gammon, 1));
    let scores: Vec<_> = table.view().lines.iter().map(|line| line.score).collect();
    assert_eq!(scores, [[2, 0], [2, 2], [2, 3]]);
    table.good(&correct(2, Upper, Win::Gammon, 1));
    assert_eq!(table.score(), [4, 2]);
}

#[test]
fn a_match_that_was_over_may_be_over_otherwise_or_go_on() {
    let mut table = Table::to(3);
    table.game(Upper, Win::Single, 1).game(Upper, Win::Single, 2);
    let finished = table.sheet.finished_at();
    table.second = 90;
    table.good(&correct(2, Lower, Win::Single, 4));
    assert_eq!(table.sheet.outcome(), Some(won(Lower, Ending::Played, [1, 3])));
    assert_eq!(table.sheet.finished_at(), finished, "it was over then");
    let events = table.good(&correct(2, Lower, Win::Single, 2));
    assert_eq!(events.last(), Some(&Event::Reopened {}));
    assert_eq!((table.sheet.outcome(), table.sheet.finished_at(), table.score()), (None, None, [1, 2]));
}

#[test]
fn a_ruling_stands_and_a_concession_has_the_corrected_score() {
    let mut table = Table::to(5);
    table.game(Upper, Win::Single, 1);
    table.good(&Command::Concede { by: Upper });
    table.good(&correct(1, Upper, Win::Gammon, 1));
    assert_eq!(table.sheet.outcome(), Some(won(Lower, Ending::Conceded, [2, 0])));
    let out = won(Upper, Ending::Disqualified, [1, 0]);
    table.good(&Command::Rule { outcome: Some(out), withdraws: Vec::new() });
    table.good(&correct(1, Upper, Win::Single, 1));
    assert_eq!(table.sheet.outcome(), Some(out));
}

#[test]
fn a_final_score_must_still_be_possible() {
    let mut table = Table::to(5);
    table.game(Upper, Win::Single, 1);
    table.good(&Command::Final { score: [5, 1] });
    table.good(&correct(1, Lower, Win::Single, 1));
    assert_eq!(
        table.refused(&correct(1, Lower, Win::Gammon, 1)),
        Refusal::BadScore { length: 5, so_far: [0, 2] }
    );
    assert_eq!(table.sheet.outcome(), Some(won(Upper, Ending::Played, [5, 1])));
}

#[test]
fn a_drawn_game_may_have_been_won() {
    let mut table = Table::to(5);
    table.good(&Command::Draw {});
    table.good(&correct(1, Lower, Win::Single, 2));
    assert_eq!(table.score(), [0, 2]);
}
