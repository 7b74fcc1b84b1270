//! What a format cannot express is refused, so that everything written is read back unchanged.

use crate::position::Position;
use crate::record::{Action, Entry, GameRecord, Illegal, Record, Rules, Start, Unwritable, mat, replay, sgf};
use crate::result::Win;
use crate::{Colour, Variant};

/// A money session between these two, with a game that has only begun.
pub(super) fn between(white: &str, black: &str) -> Record {
    let players = [white.to_owned(), black.to_owned()];
    Record { players, games: vec![GameRecord::default()], ..Record::default() }
}

fn match_text(record: &Record) -> Result<String, Unwritable> {
    mat::write(&replay(record).unwrap())
}

#[test]
fn names_that_look_like_points_are_read_as_names_where_their_columns_tell() {
    let long = "a name that takes far more than its column";
    for (white, black) in [
        ("Anna[game:1", ""),
        ("Anna : 1", "Bob : 2"),
        ("", ": 7"),
        (long, "Bob"),
        (long, "7 of 9"),
        ("exactly twenty-seven letters", "7 of 9"),
        (long, ""),
        ("; Ann", "[x] \"y\""),
    ] {
        let record = between(white, black);
        let text = match_text(&record).unwrap();
        assert_eq!(mat::read(text.as_bytes()).unwrap().players, record.players, "{text}");
    }
}

#[test]
fn names_that_would_be_read_as_others_are_refused() {
    let long = "a name that takes : 1 more than its column";
    for (white, black) in [(long, "Bob"), (&"x".repeat(500), "Bob")] {
        assert_eq!(match_text(&between(white, black)), Err(Unwritable::Names), "{white}");
        // The other formats mark the ends of a name.
        let record = between(white, black);
        let text = sgf::write(&replay(&record).unwrap()).unwrap();
        assert_eq!(sgf::read(text.as_bytes()).unwrap().players, record.players);
    }
}

#[test]
fn ratings_and_countries_are_left_out_of_match_text_however_many_there_are() {
    let text = match_text(&between("Ann,1500 (JPN),1600,1700", "Bob, inf")).unwrap();
    assert_eq!(mat::read(text.as_bytes()).unwrap().players, ["Ann", "Bob, inf"]);
    assert_eq!(text, match_text(&between("Ann", "Bob, inf")).unwrap());
}

#[test]
fn a_record_without_games_is_written_only_where_it_can_be_read() {
    let mut record = Record::default();
    assert_eq!(sgf::write(&replay(&record).unwrap()), Err(Unwritable::NoGames));
    assert_eq!(mat::read(match_text(&record).unwrap().as_bytes()), Ok(record.clone()));
    record.players[1] = "Bob".to_owned();
    assert_eq!(match_text(&record), Err(Unwritable::NoGames));
}

#[test]
fn m3_match_text_cannot_begin_after_the_crawford_game() {
    let mut record = between("Ann", "Bob");
    (record.length, record.rules) = (7, Rules { crawford: true, jacoby: false });
    record.games[0].score = [6, 2];
    assert_eq!(match_text(&record), Err(Unwritable::AfterCrawford));
    let replayed = replay(&record).unwrap();
    assert_eq!(sgf::read(sgf::write(&replayed).unwrap().as_bytes()).as_ref(), Ok(&record));
    record.games[0].crawford = true;
    assert_eq!(mat::read(match_text(&record).unwrap().as_bytes()), Ok(record));
}

#[test]
fn g14_v2_games_with_fewer_checkers_are_refused_for_they_would_be_read_as_borne_off() {
    let mut record = between("Ann", "Bob");
    record.games[0].start = Start { position: Variant::HyperBackgammon.start(), ..Start::default() };
    let replayed = replay(&record).unwrap();
    let refused = Unwritable::SetUp { game: 1 };
    assert_eq!(sgf::write(&replayed), Err(refused));
    assert_eq!(mat::write(&replayed), Err(refused));
}

#[test]
fn g13_nobody_plays_on_from_a_set_up_that_is_over() {
    // White has borne off everything. Played on, White would lose the turn and count as the winner by it.
    let error = sgf::read(b"(;AE[a:y]AB[s];W[31])").unwrap_err();
    assert_eq!(error.reason, Illegal::GameOver.into());
    let mut board = [0; 26];
    board[6] = 1;
    let mut record = between("Ann", "Bob");
    record.games[0].start.position = Position::from_board(&board, 15).unwrap();
    assert!(replay(&record).is_ok());
    let entry = Entry { by: Colour::White, action: Action::Resign(Win::Single) };
    record.games[0].actions = vec![entry];
    assert_eq!(replay(&record).unwrap_err().reason, Illegal::GameOver);
}

#[test]
fn texts_and_days_of_match_text_are_read_so_that_every_format_writes_them_alike() {
    let text = "; [Event \"the \"Owl\"\"]\n; [EventDate \"+12345.01.01\"]\n\n 0 point match\n";
    let record = mat::read(text.as_bytes()).unwrap();
    assert_eq!((record.occasion.event.as_deref(), record.occasion.date), (Some("the \"Owl\""), None));
    assert!(match_text(&record).unwrap().starts_with("; [Event \"the \"Owl\"\"]\n\n"));
}
