//! Match texts in the dialects of the world's programs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::colour::Colour;
use crate::record::{mat, replay};

const OURS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mat/programs");

/// The texts of a folder.
fn texts(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut texts: Vec<_> = files.filter(|file| file.extension().is_some_and(|end| end != "md")).collect();
    texts.sort();
    texts
}

/// What the table beside our texts says of each.
fn told() -> BTreeMap<String, String> {
    let table = std::fs::read_to_string(Path::new(OURS).join("README.md")).unwrap();
    let rows =
        table.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |")?.split_once("` | "));
    rows.map(|(text, says)| (text.to_owned(), says.to_owned())).collect()
}

/// What a text says: the players, the length, and for each game the score before it, the number of actions,
/// who won and how much.
fn read(text: &Path) -> Result<String, String> {
    let record = mat::read(&std::fs::read(text).unwrap()).map_err(|error| error.to_string())?;
    let replayed = replay(&record).map_err(|error| error.to_string())?;
    let games = replayed.games().map(|(game, replayed)| {
        let won = replayed.outcome.map_or("-".to_owned(), |outcome| {
            let winner = if outcome.winner == Colour::White { "left" } else { "right" };
            format!("{winner} {}", outcome.points)
        });
        format!("{}-{} {}: {won}", game.score[0], game.score[1], game.actions.len())
    });
    let games: Vec<_> = games.collect();
    Ok(format!("{} to {}; {}", record.players.join(", "), record.length, games.join("; ")))
}

#[test]
fn c02_to_c05_every_text_of_every_program_is_read_as_it_is_meant() {
    let mut told = told();
    let texts = texts(Path::new(OURS));
    assert!(texts.len() >= 40);
    let programs: std::collections::BTreeSet<_> =
        told.keys().map(|text| text.split('-').next().unwrap().to_owned()).collect();
    assert!(programs.len() >= 10, "{programs:?}");
    for text in texts {
        let name = text.file_name().unwrap().to_str().unwrap();
        assert_eq!(read(&text), Ok(told.remove(name).unwrap()), "{name}");
    }
    assert!(told.is_empty(), "{told:?}");
}

/// Other people's files can be tried with `OWLBOX_MATCH_TEXTS=FOLDER`: all that are refused are listed.
#[test]
fn c02_to_c05_every_text_of_the_folder_that_is_named_is_read() {
    let Some(folder) = std::env::var_os("OWLBOX_MATCH_TEXTS") else { return };
    let texts = texts(Path::new(&folder));
    let refused: Vec<_> = texts
        .iter()
        .filter_map(|text| read(text).err().map(|error| format!("{}: {error}", text.display())))
        .collect();
    assert!(refused.is_empty(), "{} of {} are refused:\n{}", refused.len(), texts.len(), refused.join("\n"));
}
