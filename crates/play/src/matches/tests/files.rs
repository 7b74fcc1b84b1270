//! Import and export of match text.

use super::*;
use owlbox_engine::game::Action;
use owlbox_engine::record::{Binary, mat};
use owlbox_engine::{Animals, Variant};

const MATCH: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/tests/data/mat/match7.mat"));
const MONEY: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/tests/data/mat/money.mat"));
const CUBES: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/tests/data/mat/cube_actions.mat"));
const NACKGAMMON: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/tests/data/mat/nackgammon.mat"));
const HYPERGAMMON: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/tests/data/mat/hypergammon.mat"));
const NAMES: [&str; 2] = ["Anna", "Bert"];

fn import(text: &str, left: Slot) -> Command {
    Command::Import { text: text.to_owned(), left }
}

fn session() -> Table {
    Table::money(CubeOptions { beavers: Animals::Raccoon, ..CubeOptions::default() })
}

/// A match of a variant; without the cube if the variant has none.
fn playing(variant: Variant, length: u16) -> Terms {
    let cap = (!variant.has_cube()).then_some(CubeValue::ONE);
    let game = BoardRules { variant, ..BoardRules::default() };
    let rules = DivisionSettings { game, highest_cube: cap, ..DivisionSettings::default() };
    rules.terms(Length::try_from(length).unwrap(), false)
}

/// The scores in the headers of a text's games.
fn stated(text: &str) -> Vec<[u32; 2]> {
    mat::read(text.as_bytes()).unwrap().games.iter().map(|game| game.score).collect()
}

#[test]
fn the_samples_score_as_their_headers_say_and_go_out_as_they_came_in() {
    for (text, mut table) in [(MATCH, Table::to(7)), (MONEY, session()), (CUBES, session())] {
        let capped = u32::from(table.sheet.length().map_or(u16::MAX, u16::from));
        table.good(&import(text, Upper));
        let scores: Vec<_> = table.view().lines.iter().map(|line| line.score).collect();
        let heads: Vec<_> =
            stated(text).into_iter().skip(1).map(|score| score.map(|points| points.min(capped))).collect();
        assert_eq!(scores[..heads.len()], heads);
        let out = table.sheet.mat(NAMES).unwrap();
        assert_eq!(mat::read(out.as_bytes()).unwrap(), mat::read(text.as_bytes()).unwrap());
        assert_eq!(out, text, "to the last blank");
        assert_eq!(table.replayed(), table.sheet);
    }
}

#[test]
fn v2_a_match_of_a_variant_scores_as_its_headers_say_and_goes_out_as_it_came_in() {
    for (text, variant, length) in
        [(NACKGAMMON, Variant::Nackgammon, 3), (HYPERGAMMON, Variant::HyperBackgammon, 5)]
    {
        let mut table = Table::opened(playing(variant, length));
        table.good(&import(text, Upper));
        assert!(table.sheet.outcome().is_some(), "the match of the sample is over");
        let heads: Vec<_> = stated(text).into_iter().skip(1).collect();
        let scores: Vec<_> = table.view().lines.iter().map(|line| line.score).collect();
        assert_eq!(scores[..heads.len()], heads);
        assert_eq!(table.sheet.mat(["Ann", "Bob"]).unwrap(), text, "to the last blank");
        assert_eq!(table.replayed(), table.sheet);
        assert_eq!(Table::to(length).refused(&import(text, Upper)).code().name(), "other_variant");
    }
    assert_eq!(
        Table::opened(playing(Variant::Fevga, 7)).refused(&import(MATCH, Upper)).code().name(),
        "other_variant"
    );
}

#[test]
fn v1_to_v4_games_entered_by_their_result_go_out_and_come_back_in_every_variant() {
    for variant in Variant::ALL {
        let mut table = Table::opened(playing(variant, 5));
        table.game(Upper, Win::Gammon, 1).game(Lower, Win::Single, 1);
        let text = table.sheet.mat(NAMES).unwrap();
        let mut again = Table::opened(playing(variant, 5));
        again.good(&import(&text, Upper));
        assert_eq!(again.score(), table.score());
        assert!(again.sheet.mat(NAMES).is_ok());
    }
}

#[test]
fn m1_the_match_of_the_sample_is_decided_by_its_games() {
    let mut table = Table::to(7);
    let events = table.good(&import(MATCH, Upper));
    assert_eq!(events.last().map(kind_of::<Sheet>), Some("finished"));
    let outcome = table.sheet.outcome().unwrap();
    assert_eq!(outcome.score.unwrap().iter().filter(|points| **points == 7).count(), 1);
}

#[test]
fn no_name_of_a_file_is_kept() {
    let mut table = Table::to(7);
    let headers = "; [Site \"Anna's\"]\n; [Event \"Bert's birthday\"]\n";
    table.good(&import(&format!("{headers}{MATCH}"), Upper));
    let stored = format!("{:?}", table.events);
    assert!(!stored.contains("Anna") && !stored.contains("Bert"), "{stored}");
}

#[test]
fn the_left_column_may_be_the_lower_slots() {
    let mut table = Table::to(7);
    table.good(&import(MATCH, Upper));
    let mut other = Table::to(7);
    other.good(&import(MATCH, Lower));
    let [upper, lower] = table.score();
    assert_eq!(other.score(), [lower, upper]);
    assert_eq!(
        other.sheet.mat(NAMES).map(|text| stated(&text)[1]),
        Ok({
            let [one, two] = stated(MATCH)[1];
            [two, one]
        })
    );
}

#[test]
fn a_file_that_is_broken_or_of_another_match_is_refused() {
    let codes = |table: &mut Table, text: &str| table.refused(&import(text, Upper)).code().name();
    assert_eq!(codes(&mut Table::to(5), MATCH), "other_length");
    assert_eq!(codes(&mut Table::to(7), "what"), "bad_file");
    assert_eq!(codes(&mut Table::to(7), &MATCH.replace("8/4 24/23", "8/4 24/20")), "bad_file");
    assert_eq!(codes(&mut Table::to(7), " 7 point match\n"), "not_from_start");
    // C06: a program's own file is named as what it is, however long it is.
    for (text, file) in [("RGMH\u{1}\0", Binary::ExtremeGammon), ("\u{1f}\u{fffd}\u{8}", Binary::Compressed)]
    {
        let text = text.to_owned() + &"\0".repeat(300 << 10);
        let refusal = Table::to(7).refused(&import(&text, Upper));
        assert!(matches!(refusal, Refusal::BadFile { file: Some(found), .. } if found == file), "{refusal}");
    }
    let later = " 7 point match\n\n Game 1\n Anna : 3     Bert : 0\n  1) 31: 8/5 6/5\n";
    assert_eq!(codes(&mut Table::to(7), later), "not_from_start");
    assert_eq!(codes(&mut Table::money(CubeOptions::default()), CUBES), "bad_file", "beavers are not played");
    let capped = CubeOptions { beavers: Animals::Any, cap: Some(cube(4)), ..CubeOptions::default() };
    assert_eq!(codes(&mut Table::money(capped), CUBES), "bad_file", "the cube goes too high");
    let mut table = Table::to(7);
    table.game(Upper, Win::Single, 1);
    assert_eq!(codes(&mut table, MATCH), "already_scored");
    table = Table::to(7);
    table.good(&Command::StartBoard { dice: DiceSource::Drawn });
    assert_eq!(codes(&mut table, MATCH), "refereed");
}

#[test]
fn games_entered_by_their_result_go_out_as_given_up_with_the_cube_at_one() {
    let mut table = Table::to(7);
    table.game(Upper, Win::Gammon, 1);
    table.good(&Command::Draw {});
    table.game(Lower, Win::Single, 1).game(Upper, Win::Backgammon, 1);
    let text = table.sheet.mat(NAMES).unwrap();
    let mut again = Table::to(7);
    again.good(&import(&text, Upper));
    assert_eq!(again.score(), table.score());
    // GNU Backgammon does not count a game that has only a win line, so the side that resigned is given a
    // roll.
    assert!(text.contains("  1)                             21: \n      Wins 2 points"), "{text}");
    assert!(text.contains("  1) 21: "), "{text}");
    table.game(Lower, Win::Single, 2);
    assert_eq!(table.sheet.mat(NAMES), Err(Refusal::PlaysNotKnown { game: 5 }));
}

#[test]
fn what_match_text_cannot_say_is_said_so() {
    assert_eq!(Table::to(7).sheet.mat(NAMES), Err(Refusal::PlaysNotKnown { game: 1 }));
    let mut table = Table::to(7);
    table.good(&Command::Penalty { gains: Upper, points: 1 });
    assert_eq!(table.sheet.mat(NAMES).map_err(|refusal| refusal.code().name()), Err("unwritable"));
    let mut table = Table::to(7);
    table.game(Upper, Win::Single, 1);
    assert_eq!(
        table.sheet.mat([&"x".repeat(500), "Bob"]).map_err(|refusal| refusal.code().name()),
        Err("unwritable")
    );
    assert_eq!(Table::new().sheet.mat(NAMES), Err(Refusal::NotOpen));
}

#[test]
fn a_corrected_game_goes_out_as_it_was_corrected_and_again_as_it_was_played() {
    let mut table = Table::to(7);
    table.good(&import(MATCH, Upper));
    let before = (table.sheet.mat(NAMES).unwrap(), as_counted(&table.sheet));
    let Some((_, first)) = table.sheet.games().next() else { panic!("no game") };
    let super::super::LineContent::Won(first) = first.what else { panic!("drawn") };
    table.good(&correct(1, first.winner, Win::Single, 1));
    let back = Entered {
        winner: first.winner,
        win: first.win,
        cube: first.cube,
        how: first.how,
        turned: Some(first.turned),
        began: first.began,
    };
    table.good(&Command::Correct { game: 1, now: back });
    assert_eq!((table.sheet.mat(NAMES).unwrap(), as_counted(&table.sheet)), before);
}

#[test]
fn a_game_that_is_on_goes_out_unfinished() {
    let mut table = Table::to(7);
    table.game(Upper, Win::Single, 1);
    table.good(&Command::StartBoard { dice: DiceSource::Drawn });
    let open = Command::Board { by: Upper, action: Action::RollOpening { dice: None } };
    table.asks(&open, &mut Dice(vec![2, 0])).unwrap();
    let play = table.sheet.board().unwrap().game.plays()[0];
    table.good(&Command::Board { by: Upper, action: Action::Play { steps: play.steps } });
    let record = mat::read(table.sheet.mat(NAMES).unwrap().as_bytes()).unwrap();
    assert_eq!(record.games[1].actions.len(), 1);
    assert_eq!(record.games[1].score, [1, 0]);
}

#[test]
fn i2_a_game_with_an_illegal_play_that_stands_no_file_can_tell() {
    let mut table = Table::to(7);
    table.good(&Command::StartBoard { dice: DiceSource::Drawn });
    let roll = Command::Board { by: Upper, action: Action::RollOpening { dice: None } };
    table.asks(&roll, &mut Dice(vec![2, 0])).unwrap();
    // The dice are lifted over a board that nobody has touched.
    let position = table.sheet.board().unwrap().game.position().turned().into();
    table.good(&Command::Board { by: Upper, action: Action::LeaveBoard { position } });
    table.asks(&Command::Board { by: Lower, action: Action::Double {} }, &mut Dice::default()).unwrap();
    table.good(&Command::Board { by: Upper, action: Action::Take {} });
    table.good(&Command::Board { by: Lower, action: Action::Resign { win: Win::Single } });
    table.good(&Command::Board { by: Upper, action: Action::AcceptResignation {} });
    assert_eq!(table.score(), [2, 0]);
    assert_eq!(table.sheet.mat(NAMES), Err(Refusal::PlaysNotKnown { game: 1 }));
}
