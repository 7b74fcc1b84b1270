//! `owlbox convert`: converts a match from one file format to another.
//!
//! Only the actions are converted. They are replayed by the rules, so scores and results in the output are
//! computed, not copied.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::EngineError;
use crate::cli::args::Convert;
use owlbox_engine::Variant;
use owlbox_engine::record::format::{Format, NotWritten};
use owlbox_engine::record::{MOST_BYTES, ReplayError, TextError, replay};

/// Why a file was not converted.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// A file cannot be read or created.
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("{}: {error}", path.display())]
    Text { path: PathBuf, error: TextError },
    /// The match in the file breaks the rules.
    #[error(transparent)]
    Illegal(#[from] ReplayError),
    /// The other format cannot express the match.
    #[error(transparent)]
    NotWritten(#[from] NotWritten),
}

/// Converts a file and writes the result to the output file in the arguments, or else to `out`.
///
/// # Errors
/// [`EngineError::Convert`], [`EngineError::Output`].
pub fn convert(asked: &Convert, mut out: impl Write) -> Result<(), EngineError> {
    let text = read_and_convert(asked)?;
    let Some(output) = &asked.output else {
        out.write_all(text.as_bytes())?;
        return Ok(out.flush()?);
    };
    let written = write_new(output, |file| file.write_all(text.as_bytes()));
    Ok(written.map_err(|error| ConvertError::File { path: output.clone(), error })?)
}

/// Writes a file that is not there yet. If that fails, no file is left: half a match is of no use, and would
/// have to be deleted before another attempt.
fn write_new(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    write(&mut file).and_then(|()| file.sync_all()).inspect_err(|_| drop(std::fs::remove_file(path)))
}

fn read_and_convert(asked: &Convert) -> Result<String, ConvertError> {
    let bytes = if asked.file == Path::new("-") {
        some_bytes(io::stdin().lock())
    } else {
        File::open(&asked.file).and_then(some_bytes)
    };
    let bytes = bytes.map_err(|error| ConvertError::File { path: asked.file.clone(), error })?;
    converted(&bytes, asked.to, asked.variant, &asked.file)
}

/// Reads everything, but at most one byte more than any reader accepts.
fn some_bytes(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = u64::try_from(MOST_BYTES).unwrap_or(u64::MAX);
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The match in `bytes`, read from the file `path`, written as `to`. `variant` counts if the file does not
/// name one.
fn converted(bytes: &[u8], to: Format, variant: Variant, path: &Path) -> Result<String, ConvertError> {
    let record = Format::detect(bytes).read_as(variant, bytes);
    let record = record.map_err(|error| ConvertError::Text { path: path.to_owned(), error })?;
    Ok(to.write(&replay(&record)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATCH: &str =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/crates/engine/tests/data/mat/match7.mat"));

    fn into(text: &str, to: Format) -> String {
        converted(text.as_bytes(), to, Variant::Standard, Path::new("match")).unwrap()
    }

    #[test]
    fn a_match_goes_through_every_format_and_comes_back_the_same() {
        let sgf = into(MATCH, Format::Sgf);
        let json = into(&sgf, Format::Json);
        assert!(sgf.starts_with("(;") && json.starts_with("{\"match-info\""));
        assert_eq!(into(&json, Format::Mat), MATCH);
    }

    #[test]
    fn a_broken_file_is_named_with_line_and_column() {
        let broken = b" 7 point match\n nonsense\n";
        let error = converted(broken, Format::Sgf, Variant::Standard, Path::new("ours.mat")).unwrap_err();
        assert_eq!(error.to_string(), "ours.mat: line 2, column 1: expected \"Game 1\"");
    }

    #[test]
    fn c06_a_program_s_own_file_is_named_as_what_it_is() {
        let error = converted(b"RGMH\x01\0", Format::Json, Variant::Standard, Path::new("t.xg")).unwrap_err();
        let what = "this is eXtreme Gammon's own file, which is not text: export the match as text";
        assert_eq!(error.to_string(), format!("t.xg: line 1, column 1: {what}"));
    }

    #[test]
    fn a_match_that_cannot_be_converted_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let (file, output) = (folder.path().join("match.mat"), folder.path().join("match.sgf"));
        std::fs::write(&file, MATCH.replace("31: 8/5 6/5", "31: 8/2")).unwrap();
        assert_ne!(std::fs::read_to_string(&file).unwrap(), MATCH);
        let into_file = Convert { file, to: Format::Sgf, variant: Variant::Standard, output: Some(output) };
        let error = convert(&into_file, io::sink()).unwrap_err();
        assert!(matches!(error, EngineError::Convert(ConvertError::Text { .. })), "{error}");
        assert_eq!(names_in(folder.path()), ["match.mat"]);
    }

    #[test]
    fn half_a_file_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("match.sgf");
        let half = |file: &mut File| {
            file.write_all(b"(;")?;
            Err(io::ErrorKind::StorageFull.into())
        };
        let error = write_new(&output, half).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert_eq!(names_in(folder.path()), [""; 0]);

        std::fs::write(&output, "ours").unwrap();
        write_new(&output, half).unwrap_err();
        let error = write_new(&output, |file| file.write_all(b"(;)")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(names_in(folder.path()), ["match.sgf"]);
        assert_eq!(std::fs::read_to_string(&output).unwrap(), "ours");
    }

    fn names_in(folder: &Path) -> Vec<String> {
        folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_that_is_there_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let (file, output) = (folder.path().join("match.mat"), folder.path().join("match.sgf"));
        std::fs::write(&file, MATCH).unwrap();
        let into_file =
            Convert { file, to: Format::Sgf, variant: Variant::Standard, output: Some(output.clone()) };
        convert(&into_file, io::sink()).unwrap();
        assert_eq!(std::fs::read_to_string(output).unwrap(), into(MATCH, Format::Sgf));
        let again = convert(&into_file, io::sink()).unwrap_err();
        assert!(matches!(again, EngineError::Convert(ConvertError::File { .. })));
        let mut out = Vec::new();
        convert(&Convert { output: None, ..into_file }, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), into(MATCH, Format::Sgf));
    }
}
