//! The arguments of the commands about the game itself: positions, plays, files.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use owlbox_engine::notation::PointNames;
use owlbox_engine::record::format::Format;
use owlbox_engine::{Die, Roll, Variant};

/// The greatest depth. Each ply takes some 500 times as long as the last: 3 takes seconds, 4 many minutes.
const DEEPEST: u32 = 5;

/// The command line arguments of `owlbox convert`.
#[derive(Debug, Args)]
pub struct Convert {
    /// The match, in any of the formats; "-" reads standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The format to write: mat, sgf or json.
    #[arg(long, value_name = "FORMAT")]
    pub to: Format,
    /// The variant, if the file does not name it: standard, nackgammon, hyper_backgammon, misere, inverse,
    /// plakoto or fevga.
    #[arg(long, value_name = "VARIANT", default_value = "standard", value_parser = variant)]
    pub variant: Variant,
    /// Write to this file, which must not exist yet, instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The command line arguments of `owlbox plays`.
#[derive(Clone, Copy, Debug, Args)]
pub struct Plays {
    /// The variant of lines that do not name it: standard, nackgammon, hyper_backgammon, misere, inverse,
    /// plakoto or fevga.
    #[arg(long, value_name = "VARIANT", value_parser = variant)]
    pub variant: Option<Variant>,
    /// The notation of the plays in the output.
    #[command(flatten)]
    pub names: Names,
}

/// The notation of plays, for the commands that print them.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Names {
    /// The notation of plays: common (24/18), box (1A-7A, K1) or absolute (1/7, K4), with the side on roll as
    /// White. Plays of Fevga are always common.
    #[arg(long, value_name = "NOTATION", default_value = "common", value_parser = point_names)]
    pub notation: PointNames,
}

/// The command line arguments of `owlbox perft`.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("start").required(true).multiple(true).args(["pos", "variant"])))]
pub struct Perft {
    /// The GNU position ID, with the side on roll to play first.
    #[arg(long, value_name = "ID")]
    pub pos: Option<String>,
    /// The variant: standard, nackgammon, hyper_backgammon, misere, inverse, plakoto or fevga. Without --pos,
    /// from its start.
    #[arg(long, value_name = "VARIANT", value_parser = variant)]
    pub variant: Option<Variant>,
    /// The number of plies, 0 to 5; each takes some 500 times as long as the one before.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=i64::from(DEEPEST)))]
    pub depth: u32,
    /// The number of checkers a side, if it differs from the variant's: those the ID does not mention have
    /// been borne off.
    #[arg(long, value_name = "NUMBER")]
    pub checkers: Option<u8>,
    /// Print the count of each of the 21 rolls first, one line each.
    #[arg(long)]
    pub divide: bool,
}

/// The command line arguments of `owlbox show`.
#[derive(Debug, Args)]
// clap's group for the struct would include --checkers, which would then exclude the other two.
#[group(skip)]
#[command(group(ArgGroup::new("position").args(["pos", "xgid"])))]
#[command(group(ArgGroup::new("shown").required(true).multiple(true).args(["pos", "xgid", "variant"])))]
pub struct Show {
    /// A GNU position ID; the side on roll is drawn at the bottom.
    #[arg(long, value_name = "ID")]
    pub pos: Option<String>,
    /// An XGID, with cube, score and dice; the prefix "XGID=" may be left out.
    // Without the prefix it begins with a hyphen if nobody is on the bar.
    #[arg(long, value_name = "XGID", allow_hyphen_values = true)]
    pub xgid: Option<String>,
    /// The variant: standard, nackgammon, hyper_backgammon, misere, inverse, plakoto or fevga. Alone: its
    /// start.
    #[arg(long, value_name = "VARIANT", value_parser = variant)]
    pub variant: Option<Variant>,
    /// The number of checkers a side, if it differs from the variant's: those not mentioned have been borne
    /// off.
    #[arg(long, value_name = "NUMBER")]
    pub checkers: Option<u8>,
}

/// The command line arguments of `owlbox shots`.
#[derive(Debug, Default, Args)]
pub struct Shots {
    /// A GNU position ID of the side on roll. Without it the board is empty except for one checker.
    #[arg(long, value_name = "ID")]
    pub pos: Option<String>,
    /// The variant: standard, nackgammon, hyper_backgammon, misere or inverse.
    #[arg(long, value_name = "VARIANT", value_parser = variant, requires = "pos")]
    pub variant: Option<Variant>,
    /// The number of checkers a side, if it differs from the variant's: those not mentioned have been borne
    /// off.
    #[arg(long, value_name = "NUMBER", requires = "pos")]
    pub checkers: Option<u8>,
}

/// The command line arguments of `owlbox play`.
#[derive(Debug, Args)]
pub struct Play {
    /// The variant: standard, nackgammon, hyper_backgammon, misere, inverse, plakoto or fevga.
    #[arg(long, value_name = "VARIANT", default_value = "standard", value_parser = variant)]
    pub variant: Variant,
    /// The seed that determines all dice and plays.
    #[arg(long, value_name = "NUMBER")]
    pub seed: u64,
    /// Draw the board after every turn.
    #[arg(long)]
    pub boards: bool,
    /// The notation of the plays in the output.
    #[command(flatten)]
    pub names: Names,
}

/// The command line arguments of `owlbox opening`.
#[derive(Debug, Args)]
pub struct Opening {
    /// The roll, as 31 or 3-1; without it, all rolls.
    #[arg(value_name = "ROLL", value_parser = roll)]
    pub roll: Option<Roll>,
    /// The notation of the plays in the output.
    #[command(flatten)]
    pub names: Names,
}

/// Parses a variant by its key.
fn variant(text: &str) -> Result<Variant, String> {
    let known = Variant::ALL.into_iter().find(|variant| variant.key() == text);
    known.ok_or_else(|| format!("one of {}", Variant::ALL.map(Variant::key).join(", ")))
}

/// Parses a notation by its name.
fn point_names(text: &str) -> Result<PointNames, String> {
    PointNames::from_word(text)
        .ok_or_else(|| format!("one of {}", PointNames::ALL.map(PointNames::word).join(", ")))
}

fn roll(text: &str) -> Result<Roll, String> {
    let die = |sign: char| u8::try_from(sign.to_digit(10)?).ok()?.try_into().ok();
    let dice: Option<Vec<Die>> = text.chars().filter(|sign| *sign != '-').map(die).collect();
    match dice.as_deref() {
        Some([one, other]) if matches!(text.len(), 2 | 3) => Ok(Roll::new(*one, *other)),
        Some(_) | None => Err("a roll is two dice, as 31 or 3-1".to_owned()),
    }
}
