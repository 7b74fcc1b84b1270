//! The words of the command line, with the texts of `--help`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};

use super::draw::MOST_ENTRANTS;
use super::engine::perft::DEEPEST;
use owlbox_domain::club::login::Login;
use owlbox_domain::matches::score::Length;
use owlbox_engine::notation::PointNames;
use owlbox_engine::record::format::Format;
use owlbox_engine::{Die, Roll, Variant};

/// Backgammon club nights: chouettes, tournaments, and the books of what everybody won and lost.
///
/// Settings come from built-in values, then the file of --config, then the environment: http.listen is
/// OWLBOX_HTTP__LISTEN. config/default.toml names and explains every one.
#[derive(Debug, Parser)]
#[command(name = "owlbox", version, propagate_version = true, arg_required_else_help = true)]
pub struct CommandLine {
    /// A configuration file (TOML); it needs only the keys it changes.
    #[arg(long, global = true, value_name = "FILE", env = "OWLBOX_CONFIG")]
    pub config: Option<PathBuf>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the service until it is told to stop (Ctrl-C or SIGTERM).
    ///
    /// Makes the database if there is none, brings an older one up to date, and prints the line
    /// "listening on http://ADDRESS" when it is ready. A club without an admin gets a one-time code on
    /// the console for the set-up page.
    Serve,
    /// Run a throwaway club: some players, a night and a tournament in progress, address and sign-ins printed.
    ///
    /// Everything is kept in a temporary database that is gone when the program stops.
    Demo,
    /// Look after the accounts of the club from this machine.
    #[command(subcommand)]
    Admin(Admin),
    /// Replay the whole journal, recompute every table and balance, and report the first difference.
    ///
    /// Reads one snapshot, also beside a running server. Exit status 0: all is as the journal says;
    /// 1: a difference was found.
    Verify,
    /// Play a night or a tournament from a file in a throwaway club and print what came of it as one JSON object.
    ///
    /// The file has JSON lines: a header, then one command a line, the very objects the API takes, with
    /// names standing for players' ids. docs/night-files.md describes it with an example.
    Night(Night),
    /// Copy the club's SQLite database into FILE, also while the server runs.
    ///
    /// The copy is one moment of the club. On PostgreSQL use pg_dump: see docs/operations.md.
    Backup(Backup),
    /// Put a copy made by "backup" in the place of the club's SQLite database.
    ///
    /// The server must be stopped. The copy is checked before anything is replaced.
    Restore(Restore),
    /// Convert a match between the file formats of backgammon programs: match text, SGF, JSON.
    ///
    /// Which format FILE has is told by how it begins. The match is replayed by the rules: scores and results are
    /// computed, and the first thing that is not legal is named with line and column. Examples, and what the
    /// formats hold: docs/engine.md.
    Convert(Convert),
    /// Find the legal plays of rolls: JSON lines on standard input, one on standard output for each.
    ///
    /// In: {"pos": "4HPwATDgc/ABMA", "roll": [6,4]}, where pos is the GNU position ID with the side on roll that
    /// plays; "variant", "checkers" a side and "strict_larger_die" (false) may be added, and without pos it is the
    /// variant's start. Out: pos and roll, "legal" with the IDs of all results, the other side on roll, sorted, and
    /// "plays" with one way to each; a play is the empty text if nothing can be moved. A line that cannot be answered
    /// gives {"line": 2, "error": "..."}, and exit status 1 at the end. docs/engine.md describes every field, with
    /// examples.
    Plays(Plays),
    /// Count the positions some plies away: every distinct result of every one of the 21 rolls, as JSON.
    ///
    /// The start, two plies away: owlbox perft --pos 4HPwATDgc/ABMA --depth 2 gives 202782. Rolls are not weighted,
    /// and a position that is reached in two ways counts twice.
    Perft(Perft),
    /// Draw a position as text, with pips and IDs.
    ///
    /// The start: owlbox show --pos 4HPwATDgc/ABMA. The side on roll is X, at the bottom; an XGID says cube, score
    /// and dice as well.
    Show(Show),
    /// Play a whole game at random and print it: a variant at work.
    ///
    /// The same variant and seed give the same game for ever. Plays are written as the side that plays counts; at the end
    /// the board is drawn as the side on turn sees it.
    Play(Play),
    /// Print the plays recommended from the start (K2), of one roll or of all.
    Opening(Opening),
    /// Print how many of the 36 rolls reach a point so many pips away (K3), or hit what stands alone in a position.
    ///
    /// In a position every legal play of every roll is tried: owlbox shots --pos 4HPwASjgc/ABMA names each blot of the side
    /// that is not on roll, as the side on roll counts, with the rolls that hit it.
    Shots(Shots),
    /// Draw a tournament bracket from a seed and print it, as text or as JSON.
    ///
    /// The same seed, number of entrants and format give the same bracket for ever: what was drawn in public can be
    /// drawn again by anybody. Entries are numbered from 1 as they were entered.
    Draw(Draw),
}

/// Looking after accounts.
#[derive(Debug, Subcommand)]
pub enum Admin {
    /// Make an account with the role admin; the password is asked for, or read from standard input.
    Create(AdminCreate),
}

/// `owlbox admin create`.
#[derive(Debug, Args)]
pub struct AdminCreate {
    /// The name to sign in with.
    #[arg(value_name = "NAME")]
    pub name: Login,
    /// Read the password from the first line of standard input instead of asking on the terminal.
    #[arg(long)]
    pub password_stdin: bool,
}

/// `owlbox night`.
#[derive(Debug, Args)]
pub struct Night {
    /// The night, as JSON lines; "-" reads standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// `owlbox backup`.
#[derive(Debug, Args)]
pub struct Backup {
    /// Where the copy goes; it must not exist yet.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// `owlbox restore`.
#[derive(Debug, Args)]
pub struct Restore {
    /// The copy to put back.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Replace a database that is there already; it is kept beside, with ".before-restore" at its end.
    #[arg(long)]
    pub replace: bool,
}

/// `owlbox convert`.
#[derive(Debug, Args)]
pub struct Convert {
    /// The match, in any of the formats; "-" reads standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The format to write: mat, sgf or json.
    #[arg(long, value_name = "FORMAT")]
    pub to: Format,
    /// Which game it is of, if the file does not say: standard, nackgammon, hyper_backgammon, misere, inverse, plakoto or fevga.
    #[arg(long, value_name = "VARIANT", default_value = "standard", value_parser = variant)]
    pub variant: Variant,
    /// Write into a file, which must not exist yet, instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `owlbox plays`.
#[derive(Clone, Copy, Debug, Args)]
pub struct Plays {
    /// Which game lines are of that do not say it: standard, nackgammon, hyper_backgammon, misere, inverse, plakoto or fevga.
    #[arg(long, value_name = "VARIANT", value_parser = variant)]
    pub variant: Option<Variant>,
    /// What points are called.
    #[command(flatten)]
    pub names: Names,
}

/// What the points are called in plays.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Names {
    /// How plays are written: common (24/18), box (1A-7A, K1) or absolute (1/7, K4), the side on roll being White. Plays of
    /// Fevga are always common.
    #[arg(long, value_name = "NOTATION", default_value = "common", value_parser = point_names)]
    pub notation: PointNames,
}

/// `owlbox perft`.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("start").required(true).multiple(true).args(["pos", "variant"])))]
pub struct Perft {
    /// The GNU position ID, with the side on roll that plays first.
    #[arg(long, value_name = "ID")]
    pub pos: Option<String>,
    /// Which game it is of: standard, nackgammon, hyper_backgammon, misere, inverse, plakoto or fevga. Without --pos from its
    /// start.
    #[arg(long, value_name = "VARIANT", value_parser = variant)]
    pub variant: Option<Variant>,
    /// How many plies, 0 to 5; each takes some 500 times as long as the one before.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=i64::from(DEEPEST)))]
    pub depth: u32,
    /// Checkers a side, if not as many as the game has: those the ID does not mention have been borne off.
    #[arg(long, value_name = "NUMBER")]
    pub checkers: Option<u8>,
    /// Print the count of each of the 21 rolls first, a line for each.
    #[arg(long)]
    pub divide: bool,
}

/// `owlbox show`.
#[derive(Debug, Args)]
// The group that comes with a struct would take in --checkers, which then excludes the other two.
#[group(skip)]
#[command(group(ArgGroup::new("position").args(["pos", "xgid"])))]
#[command(group(ArgGroup::new("shown").required(true).multiple(true).args(["pos", "xgid", "variant"])))]
pub struct Show {
    /// A GNU position ID; whoever is on roll is drawn at the bottom.
    #[arg(long, value_name = "ID")]
    pub pos: Option<String>,
    /// An XGID, with cube, score and dice; "XGID=" in front may be left out.
    // Without its prefix it begins with a hyphen where nobody is on the bar.
    #[arg(long, value_name = "XGID", allow_hyphen_values = true)]
    pub xgid: Option<String>,
    /// Which game it is of: standard, nackgammon, hyper_backgammon, misere, inverse, plakoto or fevga. Alone: its start.
    #[arg(long, value_name = "VARIANT", value_parser = variant)]
    pub variant: Option<Variant>,
    /// Checkers a side, if not as many as the game has: those not mentioned have been borne off.
    #[arg(long, value_name = "NUMBER")]
    pub checkers: Option<u8>,
}

/// `owlbox shots`.
#[derive(Debug, Default, Args)]
pub struct Shots {
    /// A GNU position ID, of whoever is on roll; without it a board that is empty but for one checker.
    #[arg(long, value_name = "ID")]
    pub pos: Option<String>,
    /// Which game it is of: standard, nackgammon, hyper_backgammon, misere or inverse.
    #[arg(long, value_name = "VARIANT", value_parser = variant, requires = "pos")]
    pub variant: Option<Variant>,
    /// Checkers a side, if not as many as the game has: those not mentioned have been borne off.
    #[arg(long, value_name = "NUMBER", requires = "pos")]
    pub checkers: Option<u8>,
}

/// `owlbox play`.
#[derive(Debug, Args)]
pub struct Play {
    /// What is played: standard, nackgammon, hyper_backgammon, misere, inverse, plakoto or fevga.
    #[arg(long, value_name = "VARIANT", default_value = "standard", value_parser = variant)]
    pub variant: Variant,
    /// The number from which all dice and plays follow.
    #[arg(long, value_name = "NUMBER")]
    pub seed: u64,
    /// Draw the board after every turn.
    #[arg(long)]
    pub boards: bool,
    /// What points are called.
    #[command(flatten)]
    pub names: Names,
}

/// `owlbox opening`.
#[derive(Debug, Args)]
pub struct Opening {
    /// The roll, as 31 or 3-1; all of them without it.
    #[arg(value_name = "ROLL", value_parser = roll)]
    pub roll: Option<Roll>,
    /// What points are called.
    #[command(flatten)]
    pub names: Names,
}

/// A variant by its key.
fn variant(text: &str) -> Result<Variant, String> {
    let known = Variant::ALL.into_iter().find(|variant| variant.key() == text);
    known.ok_or_else(|| format!("one of {}", Variant::ALL.map(Variant::key).join(", ")))
}

/// A way to call points.
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

/// `owlbox draw`.
#[derive(Debug, Args)]
pub struct Draw {
    /// How many are entered, 2 to 65536.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_ENTRANTS)))]
    pub entrants: u32,
    /// The number from which all of the draw follows.
    #[arg(long, value_name = "NUMBER")]
    pub seed: u64,
    /// What is played.
    #[arg(long, value_enum, default_value_t = DrawFormat::KnockOut)]
    pub format: DrawFormat,
    /// The lengths of the matches from the last round backwards: 11,9,7 is a final to 11, semi-finals to 9, all before
    /// to 7.
    #[arg(long, value_name = "POINTS", value_delimiter = ',', value_parser = length)]
    pub lengths: Vec<Length>,
    /// So many of the first entries are seeded, in their order.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub seeded: u32,
    /// Print JSON instead of text.
    #[arg(long)]
    pub json: bool,
}

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DrawFormat {
    /// The main flight alone.
    KnockOut,
    /// With a match for third place.
    ThirdPlace,
    /// With a consolation of those who lose their first match.
    FirstLosers,
    /// With a consolation into which the losers of every round but the final come.
    Progressive,
    /// The same, whose winner plays the losing finalist for second place.
    SecondPlace,
    /// Out after two losses; the final is played again if the unbeaten one loses it.
    DoubleElimination,
    /// The same with one match as the final.
    SingleFinal,
}

fn length(text: &str) -> Result<Length, String> {
    let points: u16 = text.parse().map_err(|_| "a number of points".to_owned())?;
    Length::try_from(points).map_err(|wrong| wrong.to_string())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn every_command_and_argument_has_a_help_text() {
        fn check(command: &clap::Command) {
            assert!(command.get_about().is_some(), "{} has no help", command.get_name());
            for argument in command.get_arguments() {
                assert!(argument.get_help().is_some(), "{} {}", command.get_name(), argument.get_id());
            }
            command.get_subcommands().for_each(check);
        }
        let mut command = CommandLine::command();
        command.build();
        check(&command);
    }

    #[test]
    fn one_position_is_shown_and_a_count_is_not_too_deep() {
        for (line, good) in [
            ("show --pos 4HPwATDgc/ABMA", true),
            ("show --xgid x", true),
            ("show --xgid -b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", true),
            ("show --pos AACgAgAAKgAAAA --checkers 3", true),
            ("show --checkers 3", false),
            ("show", false),
            ("show --pos 4HPwATDgc/ABMA --xgid x", false),
            ("perft --pos 4HPwATDgc/ABMA --depth 5", true),
            ("perft --pos 4HPwATDgc/ABMA --depth 6", false),
            ("perft --pos 4HPwATDgc/ABMA", false),
        ] {
            let words = std::iter::once("owlbox").chain(line.split(' '));
            assert_eq!(CommandLine::try_parse_from(words).is_ok(), good, "{line}");
        }
    }

    #[test]
    fn the_configuration_file_may_be_named_anywhere() {
        let parsed = CommandLine::try_parse_from(["owlbox", "verify", "--config", "club.toml"]).unwrap();
        assert_eq!(parsed.config, Some(PathBuf::from("club.toml")));
        assert!(matches!(parsed.command, Command::Verify));
    }
}
