//! Match text as written by programs other than GNU Backgammon, and SGF as well.

use crate::colour::Colour;
use crate::record::{Action, Entry, Record, mat, replay, sgf};

/// The first game of a match to 7, with these lines.
fn game(lines: &str) -> Record {
    read(&format!(" 7 point match\n\n Game 1\n Ann : 0                        Bob : 0\n{lines}"))
}

/// The first game of a money session, with these lines.
fn money(lines: &str) -> Record {
    read(&format!(" 0 point match\n\n Game 1\n Ann : 0                        Bob : 0\n{lines}"))
}

#[track_caller]
fn read(text: &str) -> Record {
    mat::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

/// The actions of the first game, as `W 31 8/5 6/5`.
fn first_game(record: &Record) -> Vec<String> {
    let one = |Entry { by, action }: &Entry| {
        let side = if *by == Colour::White { "W" } else { "B" };
        match action {
            Action::Play { roll, steps } => {
                let steps: Vec<_> = steps.iter().map(|step| format!(" {step:?}")).collect();
                format!("{side} {}{}{}", roll.high(), roll.low(), steps.concat())
            }
            Action::Roll(roll) => format!("{side} {}{} ...", roll.high(), roll.low()),
            other => format!("{side} {other:?}"),
        }
    };
    record.games[0].actions.iter().map(one).collect()
}

/// The points won in the first game.
fn points(record: &Record) -> u32 {
    let replay = replay(record).unwrap();
    replay.games().next().unwrap().1.outcome.unwrap().points
}

#[test]
fn comment_headers_are_optional_and_zero_points_are_a_money_session() {
    let text = "; [Site \"Owl\"]\n; [Event \"Club night\"]\n; [Round \"2\"]\n; [EventDate \"2026.11.20\"]\n\n 0 point match\n";
    let record = read(text);
    assert_eq!(record.length, 0);
    assert_eq!(record.occasion.site.as_deref(), Some("Owl"));
    assert_eq!(record.occasion.event.as_deref(), Some("Club night"));
    assert_eq!(record.occasion.round.as_deref(), Some("2"));
    assert_eq!(record.occasion.date.unwrap().to_string(), "2026-11-20");
    assert_eq!(mat::write(&replay(&record).unwrap()).unwrap(), format!("{text}\n"));
    assert_eq!(read(" 0 point match\n").occasion, crate::record::Occasion::default());
}

#[test]
fn a_double_and_its_answer_take_a_cell_each() {
    let record = game(
        "  1)                             31: 8/5 6/5\n  2) 52: 13/8 13/11               Doubles => 2\n  3)  Takes                      42: 8/4 6/4\n",
    );
    assert_eq!(
        first_game(&record),
        ["B 31 8/5 6/5", "W 52 13/8 13/11", "B Double", "W Take", "B 42 8/4 6/4"]
    );
}

#[test]
fn m3_the_crawford_game_is_the_first_in_which_exactly_one_side_needs_one_point() {
    let drops = |score: [u32; 2], number| {
        let [ann, bob] = score;
        format!(
            " Game {number}\n Ann : {ann}                        Bob : {bob}\n  1) 31: 8/5 6/5                 \n      Wins 1 point\n\n"
        )
    };
    let games: String = (0..3).map(|won| drops([won, 0], won + 1)).collect();
    let record = read(&format!(" 3 point match\n\n{games}"));
    assert_eq!(record.games.iter().map(|game| game.crawford).collect::<Vec<_>>(), [false, false, true]);
}

#[test]
fn a_win_line_may_end_with_and_the_match_and_say_point_or_points() {
    for line in ["Wins 1 point", "Wins 1 points", "wins 1 point and the match", " Wins 1 point and the match"]
    {
        let lines = format!("  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops      {line}\n");
        assert_eq!(points(&game(&lines)), 1, "{line}");
    }
}

#[test]
fn m2_a_win_line_may_be_capped_or_not() {
    for (number, cube) in [(4, 4), (7, 4)] {
        let lines = format!(
            "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Takes                      42: 8/4 6/4\n\
             \x20 3)  Doubles => 4                Takes\n      Wins {number} points\n"
        );
        let record = game(&lines);
        // Two times four points are more than the seven that are needed.
        assert_eq!(points(&record), if number == 7 { 2 * cube } else { cube });
    }
}

#[test]
fn c8_beavers_and_raccoons_are_doubles() {
    let lines = "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Beavers => 4                Raccoons => 8\n\
                 \x20 3)  Takes                      42: 8/4 6/4\n";
    let expected = ["W 31 8/5 6/5", "B Double", "W Double", "B Double", "W Take", "B 42 8/4 6/4"];
    assert_eq!(first_game(&money(lines)), expected);
    // Doubles without a number, and a beaver without its take.
    let lines = "  1) 31: 8/5 6/5   Doubles\n  2)  Beavers       Raccoons\n  3)         42: 8/4 6/4\n";
    assert_eq!(first_game(&money(lines)), expected);
}

#[test]
fn cannot_move_and_question_marks_after_a_roll_say_that_there_are_no_moves() {
    for nothing in ["", "Cannot Move", "cannot move", "???", "????"] {
        let lines =
            format!("  1) 61: 24/18 6/5                66: 24/18* 24/18 13/7 13/7\n  2) 66: {nothing}\n");
        assert_eq!(first_game(&game(&lines)).last().unwrap(), "W 66", "{nothing}");
    }
}

#[test]
fn a_roll_without_moves_is_the_only_play_if_there_is_one() {
    // Only the 2 enters, and only one checker can then play the 6.
    let lines = "  1) 61: 24/18 6/5                66: 24/18* 24/18 13/7 13/7\n  2) 62:                          31: 8/5 6/5\n";
    let record = game(lines);
    assert_eq!(first_game(&record)[2], "W 62 25/23 8/2");
}

#[test]
fn a_roll_without_moves_where_several_are_legal_is_the_last_thing_in_a_game() {
    assert_eq!(first_game(&game("  1) 31: 8/5 6/5                 54: \n")), ["W 31 8/5 6/5", "B 54 ..."]);
    let record = game("  1) 31: 8/5 6/5                 54: \n      Wins 2 points\n");
    assert_eq!(first_game(&record), ["W 31 8/5 6/5", "B 54 ...", "B Resign(Gammon)"]);
}

#[test]
fn ratings_and_countries_are_no_part_of_a_name() {
    for (ann, bob) in
        [("Ann,1650.2", "Bob,1500"), ("Ann (JPN)", "Bob (GER)"), ("Ann (JPN),1650", "Bob,1500 (GER)")]
    {
        let record = read(&format!(" 7 point match\n\n Game 1\n {ann} : 0           {bob} : 0\n"));
        assert_eq!(record.players, ["Ann", "Bob"]);
    }
    let record = read(" 7 point match\n\n Game 1\n Ann (ii) : 0           Bob, jr : 0\n");
    assert_eq!(record.players, ["Ann (ii)", "Bob, jr"]);
}

#[test]
fn names_may_have_colons_and_numbers_and_be_too_long_for_their_column() {
    for (ann, bob) in
        [("A: 1", "B : 2"), ("x : 3 y", "z"), ("Ann with a name of far too many letters", "Bob"), ("", "")]
    {
        let left = format!("{ann} : 4");
        let record = read(&format!(" 7 point match\n\n Game 1\n {left:<31}{bob} : 5\n"));
        assert_eq!(
            (record.players.each_ref().map(String::as_str), record.games[0].score),
            ([ann, bob], [4, 5])
        );
    }
}

#[test]
fn columns_count_for_nothing_where_a_line_has_two_rolls() {
    let expected = ["W 31 8/5 6/5", "B 52 13/8 13/11", "W 42 8/4 6/4"];
    for lines in [
        "1) 31: 8/5 6/5 52: 13/8 13/11\n2) 42: 8/4 6/4\n",
        "1)\t31: 8/5, 6/5\t52: 13/8, 13/11\n2)\t42: 8/4, 6/4\n",
        "  1) 31: 8/5 6/5                                            52: 13/8 13/11\n  2)                     42: 8/4 6/4\n",
        "1) 31:8/5 6/5 52:13/11 13/8\n2)42: 8/4 6/4\n",
    ] {
        assert_eq!(first_game(&game(lines))[..1], expected[..1], "{lines}");
        assert_eq!(first_game(&game(lines)).len(), 3, "{lines}");
    }
}

#[test]
fn a_win_line_in_mid_game_is_a_resignation() {
    let left = game("  1) 31: 8/5 6/5                 52: 13/8 13/11\n      Wins 2 points\n");
    assert_eq!(first_game(&left)[2], "B Resign(Gammon)");
    let right = game(
        "  1) 31: 8/5 6/5                 52: 13/8 13/11\n                                  Wins 3 points\n",
    );
    assert_eq!(first_game(&right)[2], "W Resign(Backgammon)");
}

#[test]
fn byte_order_marks_unknown_comments_and_ends_of_lines_are_passed_over() {
    let text = " 7 point match\n\n Game 1\n Ann : 0                        Bob : 0\n  1) 31: 8/5 6/5                 52: 13/8 13/11\n";
    let other = format!(
        "\u{feff}; made by hand\n;\n; [CubeLimit \"1024\"]\n{}",
        text.replace("\n  1)", "\n; well!\n  1)")
    );
    assert_eq!(read(&other), read(text));
    assert_eq!(read(&other.replace('\n', "\r\n")), read(text));
}

#[test]
fn a_file_that_is_not_utf_8_is_latin_1() {
    let record = mat::read(b" 7 point match\n\n Game 1\n J\xfcrgen : 0    Bob : 0\n").unwrap();
    assert_eq!(record.players[0], "Jürgen");
}

#[test]
fn c9_jacoby_was_played_if_an_undoubled_gammon_counted_one_point() {
    let session = |score| {
        money(&format!(
            "  1) 31: 8/5 6/5                 \n      Wins 2 points\n\n Game 2\n Ann : {score}    Bob : 0\n"
        ))
    };
    assert!(session(1).rules.jacoby && !session(2).rules.jacoby);
    assert_eq!((points(&session(1)), points(&session(2))), (1, 2));
    // Once Jacoby is known, it is written as a header and read from there.
    let text = mat::write(&replay(&session(1)).unwrap()).unwrap();
    assert!(text.starts_with("; [Jacoby \"On\"]\n\n 0 point match\n"));
    assert!(read(&text).rules.jacoby);
}

#[test]
fn m3_a_match_without_crawford_says_so() {
    let text = "; [Crawford \"Off\"]\n\n 2 point match\n\n Game 1\n Ann : 1                        Bob : 0\n  1) 31: 8/5 6/5                  Doubles => 2\n\n";
    assert_eq!(mat::write(&replay(&read(text)).unwrap()).unwrap(), text);
}

#[test]
fn a_full_double_with_hits_pushes_the_right_column() {
    let record = game(
        "  1)                             21: 13/11 6/5 \n  2) 44: 24/20*/16 24/16           31: 25/22 24/23 \n",
    );
    let text = mat::write(&replay(&record).unwrap()).unwrap();
    let expected = "  1)                             21: 13/11 6/5 \n\
                    \x20 2) 44: 24/20* 24/20 20/16 20/16 31: 25/22 24/23 \n";
    assert!(text.contains(expected), "{text}");
    assert_eq!(read(&text), record);
}

#[test]
fn moves_may_name_bar_and_off_leave_out_stops_and_be_repeated() {
    let lines = "  1) 61: 24/18 6/5                66: 24/18*(2) 13/7(2)\n  2) 21: bar/22\n";
    assert_eq!(first_game(&game(lines))[1..], ["B 66 24/18 24/18 13/7 13/7", "W 21 25/23 23/22"]);
}

#[test]
fn g17_a_closed_out_side_may_not_have_rolled() {
    let position = "AE[a:y]AW[y][f][f][f]AB[s][t][u][v][w][x][s][t][u][v][w][x][m]";
    let sgf = |turn: &str| format!("(;GM[6]{position};B[31mppq]{turn};B[21qsst])");
    let skipped = sgf::read(sgf("").as_bytes()).unwrap();
    assert_eq!(first_game(&skipped), ["B 31 12/9 9/8", "B 21 8/6 6/5"]);
    assert_eq!(sgf::read(sgf(";W[]").as_bytes()).unwrap(), skipped);
    // A side that is not closed out has to roll.
    assert!(sgf::read(b"(;GM[6];B[31qtst];B[21qsst])").is_err());
}

#[test]
fn sgf_reads_the_cube_from_either_property_and_follows_the_first_variation() {
    let game =
        |name: &str| format!("(;GM[6]PW[A\\]b]CV[4]{name}[w];W[double](;B[take];W[31hefe])(;B[drop]))");
    let record = sgf::read(game("CO").as_bytes()).unwrap();
    assert_eq!(sgf::read(game("CP").as_bytes()).unwrap(), record);
    assert_eq!(first_game(&record), ["W Double", "B Take", "W 31 8/5 6/5"]);
    assert_eq!(record.players[0], "A]b");
    let written = sgf::write(&replay(&record).unwrap()).unwrap();
    assert!(written.contains("PW[A\\]b]") && written.contains("CV[4]CO[w]"), "{written}");
    assert_eq!(sgf::read(written.as_bytes()).unwrap(), record);
    assert!(mat::write(&replay(&record).unwrap()).is_err());
}

#[test]
fn sgf_dice_that_are_played_afterwards_are_one_roll() {
    let record = sgf::read(b"(;GM[6];PL[W]DI[31];W[31hefe];PL[B]DI[52])").unwrap();
    assert_eq!(first_game(&record), ["W 31 8/5 6/5", "B 52 ..."]);
    // The side given by `PL` holds for one action only.
    let record = sgf::read(b"(;GM[6];PL[W]DI[31];W[31hefe];DI[52])").unwrap();
    assert_eq!(first_game(&record), ["W 31 8/5 6/5", "B 52 ..."]);
}

#[test]
fn c02_one_checker_borne_off_by_both_dice_is_written_as_one_move() {
    // With 4-1 the checker goes 4/3/off, as the 1 has to be played as well.
    let position = "AE[a:y]AW[d]AB[a]";
    let sgf = sgf::read(format!("(;GM[6]{position};W[41dccz])").as_bytes()).unwrap();
    let written = sgf::read(format!("(;GM[6]{position};W[41dz])").as_bytes()).unwrap();
    assert_eq!(first_game(&sgf), ["W 41 4/3 3/0"]);
    assert_eq!(written, sgf);
}

#[test]
fn a_side_that_gives_up_says_so_in_every_program_s_words() {
    for lost in [
        "Losses 2 point",
        "Loses 2 points",
        "Resigns 2 points",
        "Resigned",
        "Concedes",
        "conceded",
        "Forfeits",
        "Lost on time",
        "Times out",
        "Timed out",
        "Out of time",
        "Gives up",
        "Resigns a gammon",
    ] {
        let record = game(&format!("  1) 31: 8/5 6/5                  {lost}\n      Wins 2 points\n"));
        assert_eq!(first_game(&record), ["W 31 8/5 6/5", "B Resign(Gammon)"], "{lost}");
    }
    // Right after a roll it is the roller's.
    for lost in ["62: Concedes", "62:  Resigns", "62: ???? Resigns", "62: ????"] {
        let record = game(&format!("  1) 31: 8/5 6/5                 {lost}\n      Wins 2 points\n"));
        assert_eq!(first_game(&record), ["W 31 8/5 6/5", "B 62 ...", "B Resign(Gammon)"], "{lost}");
    }
    // There was no roll at all.
    let record = game("  1) 31: 8/5 6/5                 00: ????\n  2)  Wins 1 point\n");
    assert_eq!(first_game(&record), ["W 31 8/5 6/5", "B Resign(Single)"]);
}

#[test]
fn without_a_win_line_a_loss_is_of_what_it_says_or_single() {
    for (lost, win) in [
        ("Resigns", "Single"),
        ("Losses 2 point", "Gammon"),
        ("Resigns a backgammon", "Backgammon"),
        ("Resigned Match", "Backgammon"),
        ("Resigned Game", "Single"),
    ] {
        let record = game(&format!("  1) 31: 8/5 6/5                  {lost}\n"));
        assert_eq!(first_game(&record), ["W 31 8/5 6/5", &format!("B Resign({win})")], "{lost}");
    }
}

#[test]
fn the_next_score_knows_best_who_won_and_then_the_winner_s_own_line() {
    let text = |end: &str, next: [u32; 2]| {
        format!(
            "  1) 31: 8/5 6/5                 52: 13/8 13/11\n{end}\n Game 2\n Ann : {}       Bob : {}\n",
            next[0], next[1]
        )
    };
    let lost = |end: &str, next| first_game(&game(&text(end, next)))[2].clone();
    // The loss in the winner's column, as OpenGammon writes it.
    assert_eq!(lost("  2)  Resigned Game\n      Wins 1 points\n", [1, 0]), "B Resign(Single)");
    let only =
        game("  1) 31: 8/5 6/5                 52: 13/8 13/11\n  2)  Resigned Game\n      Wins 1 points\n");
    assert_eq!(first_game(&only)[2], "B Resign(Single)");
    // Even the win in the wrong column.
    assert_eq!(lost("      Wins 2 points\n", [0, 2]), "W Resign(Gammon)");
    // No points at all: the next score has them.
    assert_eq!(lost("  2)  Resigns\n", [0, 2]), "W Resign(Gammon)");
}

#[test]
fn c3_who_gives_up_instead_of_answering_a_double_drops_it() {
    let record = game(
        "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Resigns                     Wins 1 point\n",
    );
    assert_eq!(first_game(&record), ["W 31 8/5 6/5", "B Double", "W Drop"]);
    let more = " 7 point match\n Game 1\n Ann : 0    Bob : 0\n  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Resigns                     Wins 2 point\n";
    let error = mat::read(more.as_bytes()).unwrap_err().reason.to_string();
    assert_eq!(error, "2 points are written, but the game counts 1");
}

#[test]
fn c03_m2_points_that_decide_the_match_may_be_capped_at_anything() {
    // At 2-3 in a match to 5, White bears off with the cube at 2: what was needed, the length, or what it
    // counts.
    let to = |stated: u32| {
        let text = format!(
            " 5 point match\n\n Game 1\n Ann : 3                        Bob : 2\n  1) 31: 8/5 6/5                  Doubles => 2\n\
             \x20 2)  Takes                      42: 8/4 6/4\n  3) 62: ????\n                                  Wins {stated} point and the match\n"
        );
        points(&read(&text))
    };
    assert_eq!([3, 4, 5, 6, 1005].map(to), [4, 4, 6, 6, 6]);
}

#[test]
fn c9_the_only_game_of_a_match_is_for_money_if_its_gammon_counted_one_point() {
    let gammon =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mat/programs/galaxy-for-money.txt"));
    let record = read(gammon);
    assert_eq!((record.length, record.rules.jacoby, points(&record)), (0, true, 1));
    // With another game after it, the points are wrong.
    let more = gammon.replace("Wins 1 point", "Wins 1 point\n\n Game 2\n nightowl : 0    tawny : 1\n");
    assert!(
        mat::read(more.as_bytes())
            .unwrap_err()
            .to_string()
            .contains("1 points are written, but the game counts 2")
    );
}

#[test]
fn c05_a_player_who_is_spelt_differently_later_is_the_same_but_sides_do_not_change() {
    let text = |names: &str| {
        format!(
            " 5 point match\n Game 1\n Ann : 0    Bob : 0\n  1) 31: 8/5 6/5    Doubles => 2\n  2)  Drops     Wins 1 point\n Game 2\n {names}\n"
        )
    };
    for names in ["ann : 0   BOB : 1", "A. : 0   Robert : 1", "Ann Marie : 0     Bob : 1"] {
        let record = read(&text(names));
        assert_eq!(
            (record.players, record.games.len()),
            (["Ann".to_owned(), "Bob".to_owned()], 2),
            "{names}"
        );
    }
    for names in ["Bob : 0   Ann : 1", "bob : 0   Carl : 1"] {
        assert!(mat::read(text(names).as_bytes()).is_err(), "{names}");
    }
}

#[test]
fn files_may_be_in_utf_16_or_windows_1252_or_have_an_old_macintosh_s_line_ends() {
    let text = " 7 point match\n\n Game 1\n Œdipe : 0                      Zoë’s : 0\n  1) 31: 8/5 6/5                 52: 13/8 13/11\n";
    let plain = read(text);
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let windows: Vec<u8> = text
        .chars()
        .map(|c| match c {
            'Œ' => 0x8c,
            '’' => 0x92,
            other => u8::try_from(other).unwrap(),
        })
        .collect();
    let mac = text.replace('\n', "\r").into_bytes();
    for bytes in [
        &[&[0xff, 0xfe][..], &little].concat(),
        &[&[0xfe, 0xff][..], &big].concat(),
        &little,
        &big,
        &windows,
        &mac,
    ] {
        assert_eq!(mat::read(bytes).as_ref(), Ok(&plain), "{bytes:?}");
    }
    assert_eq!(plain.players, ["Œdipe", "Zoë’s"]);
}

#[test]
fn lengths_games_and_comments_are_written_in_several_ways() {
    for (length, points) in [
        ("7 points match", 7),
        ("7-point match", 7),
        ("Match to 7 points", 7),
        ("Match of 7", 7),
        ("Money game", 0),
        ("Unlimited match", 0),
        ("money session", 0),
    ] {
        let text = format!(
            "# by hand\n{length}\n\nGame 1: the first\n; they play\nAnn: 0    Bob: 0\n1) 31 8/5 6/5 !   52 13/8 13/11 ; well\n"
        );
        let record = read(&text);
        assert_eq!(
            (record.length, first_game(&record)),
            (points, vec!["W 31 8/5 6/5".to_owned(), "B 52 13/8 13/11".to_owned()]),
            "{length}"
        );
    }
}

#[test]
fn an_illegal_play_is_refused_as_one() {
    let text = " 7 point match\n Game 1\n Ann : 0    Bob : 0\n  1) 31: Illegal play (7;0;0;0;0)\n";
    assert_eq!(
        mat::read(text.as_bytes()).unwrap_err().to_string(),
        "line 4, column 6: an illegal play cannot be kept in a record"
    );
}
