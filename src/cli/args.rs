//! The arguments of the command line. The doc comments of commands and arguments are the texts of `--help`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use chrono::NaiveDate;
use clap::{Args, Parser, Subcommand, ValueEnum};
use secrecy::SecretString;

mod admin;
mod engine;

use owlbox_base::values::Day;
use owlbox_books::club::Language;
use owlbox_books::club::players::PlayerName;
use owlbox_books::daybook::Memo;
use owlbox_books::ledger::Unit;
use owlbox_books::ledger::export::Format as ExportFormat;
use owlbox_books::typed::{DayOrder, DecimalMark};
use owlbox_desk::ClubLabel;
use owlbox_play::matches::score::Length;

pub use admin::{Admin, AdminChange, AdminCreate, AdminReset, AdminUnlock};
pub use engine::{Convert, Names, Opening, Perft, Play, Plays, Shots, Show};

/// Backgammon club nights: chouettes, tournaments, and the books of what everybody won and lost.
///
/// Settings come from built-in defaults, then the file of --config, then the environment: http.listen is
/// OWLBOX_HTTP__LISTEN. config/default.toml lists and explains all of them.
#[derive(Debug, Parser)]
#[command(name = "owlbox", version = env!("OWLBOX_VERSION"), propagate_version = true, arg_required_else_help = true)]
pub struct CommandLine {
    /// A configuration file (TOML); it needs only the keys it changes.
    #[arg(long, global = true, value_name = "FILE", env = "OWLBOX_CONFIG")]
    pub config: Option<PathBuf>,
    /// The club that the command is about, if one service has many clubs (clubs.domain).
    #[arg(long, global = true, value_name = "NAME", env = "OWLBOX_CLUB")]
    pub club: Option<ClubLabel>,
    /// The command to carry out.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands of the program.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the service until a stop signal (Ctrl-C or SIGTERM).
    ///
    /// Creates the database if there is none, migrates an older one, and prints the line "listening on
    /// http://ADDRESS" when it is ready. For a club without an admin it prints a one-time code for the set-up
    /// page. On SIGHUP it reads the log level and the signing keys again.
    Serve,
    /// Run a throwaway club with players, a night and a tournament in progress, and print its address and
    /// sign-ins.
    ///
    /// Everything is in a temporary database, which is deleted when the program stops. With --year the club
    /// has 200 players and a whole year: 150 nights, 60 tournaments, the treasurer's books and closed months.
    Demo(Demo),
    /// Print the settings, check them, or print the file that explains all of them.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Ask the service on this machine whether it is ready, for a container or a supervisor.
    ///
    /// Exit status 0: it is ready; 1: it is not, or does not answer within five seconds. The address to ask
    /// is http.listen.
    Healthcheck,
    /// Print a completion script for a shell.
    ///
    /// For bash: owlbox completions bash > /etc/bash_completion.d/owlbox
    Completions(Completions),
    /// Write manual pages for all commands into a folder.
    Man(Man),
    /// Create, list, rename and archive clubs, if one service has many (clubs.domain).
    ///
    /// You need not stop the service: it closes a club that is renamed or archived. docs/operations.md says
    /// more.
    #[command(subcommand)]
    Club(ClubCommand),
    /// Manage the club's logins from this machine, beside a running service or without one.
    ///
    /// On SQLite a running service carries the command out itself. Only its own user and root can ask it to.
    #[command(subcommand)]
    Admin(Admin),
    /// Replay the whole journal, recompute every table and balance, and report the first difference.
    ///
    /// Reads one snapshot, even beside a running service. Exit status 0: everything follows from the journal;
    /// 1: a difference was found.
    Verify(Verify),
    /// Read the club's books and record in the daybook, from this machine.
    ///
    /// On SQLite stop the service first, or use the API while it runs.
    #[command(subcommand)]
    Books(BooksCommand),
    /// Export or erase a player's data, from this machine.
    ///
    /// On SQLite stop the service first, or use the API or the pages while it runs.
    #[command(subcommand)]
    Person(PersonCommand),
    /// Check a signed statement of account, without the club.
    ///
    /// Exit status 0: the key you gave signed it, and not a byte has changed since. Exit status 1: it was
    /// changed, is not signed, or another key signed it. Exit status 3: you gave no key, so it may be
    /// anybody's signature.
    VerifyStatement(VerifyStatement),
    /// Play a night or a tournament from a file in a throwaway club and print the result as one JSON object.
    ///
    /// The file has JSON lines: a header, then one command per line. Commands are the objects that the API
    /// takes, with names instead of players' ids. docs/night-files.md describes the file, with an example.
    Night(Night),
    /// Copy the club's SQLite database into FILE, even while the service runs.
    ///
    /// The copy is a snapshot of one moment, and keeps the database's version. On PostgreSQL use pg_dump: see
    /// docs/operations.md.
    Backup(Backup),
    /// Replace the club's SQLite database with a copy made by "backup".
    ///
    /// Stop the service first. The copy is checked and migrated to this version before anything is replaced.
    Restore(Restore),
    /// Copy a club into an empty database, of the same kind or the other: SQLite to PostgreSQL, or back.
    ///
    /// The club is verified, copied as of one moment, and verified again in its new place. Every table is
    /// compared, and if anything differs, the copy is removed. Stop the service first, or the copy lacks what
    /// is done meanwhile. Sessions are not copied: everybody signs in again. docs/operations.md says what
    /// else to copy.
    Copy(CopyClub),
    /// Write the club's books as a file for another program: hledger, Beancount, GnuCash, a spreadsheet.
    ///
    /// Reads one snapshot, even beside a running service. GnuCash needs two files: its accounts first, then
    /// the transactions. docs/exports.md says how each program imports its file, and has the chart of
    /// accounts.
    Export(Export),
    /// Convert a match between the file formats of backgammon programs: match text, SGF, JSON.
    ///
    /// The format of FILE is recognised by how it begins. The match is replayed by the rules: scores and
    /// results are computed, and the first error is reported with its line and column. docs/engine.md has
    /// examples, and says what each format holds.
    Convert(Convert),
    /// Find the legal plays of rolls: JSON lines on standard input, one on standard output for each.
    ///
    /// In: {"pos": "4HPwATDgc/ABMA", "roll": [6,4]}, where pos is the GNU position ID with the side on roll
    /// to play. Optional: "variant", "checkers" a side and "strict_larger_die" (false). Without pos it is the
    /// start of the variant. Out: pos and roll; "legal", the sorted IDs of all results, with the other side
    /// on roll; "plays", one way to each. A play is the empty text if nothing can be moved. A line that
    /// cannot be answered gives {"line": 2, "error": "..."}, and exit status 1 at the end. docs/engine.md
    /// describes every field, with examples.
    Plays(Plays),
    /// Count the positions some plies away: every distinct result of each of the 21 rolls, as JSON.
    ///
    /// Two plies from the start, owlbox perft --pos 4HPwATDgc/ABMA --depth 2 gives 202782. Rolls are not
    /// weighted, and a position reached in two ways counts twice.
    Perft(Perft),
    /// Draw a position as text, with pips and IDs.
    ///
    /// The start: owlbox show --pos 4HPwATDgc/ABMA. The side on roll is X, at the bottom; an XGID adds cube,
    /// score and dice.
    Show(Show),
    /// Play a whole game at random and print it, to see a variant at work.
    ///
    /// The same variant and seed always give the same game. Plays are written as the side that plays counts;
    /// at the end the board is drawn as the side on turn sees it.
    Play(Play),
    /// Print the opening plays of one roll or of all: those of the rules in the game box (K2), and today's.
    Opening(Opening),
    /// Print how many of the 36 rolls reach a point by its distance in pips (K3), or hit a position's blots.
    ///
    /// In a position every legal play of every roll is tried. owlbox shots --pos 4HPwASjgc/ABMA names each
    /// blot of the side that is not on roll, with the rolls that hit it. Points are counted as the side on
    /// roll counts.
    Shots(Shots),
    /// Draw a tournament bracket from a seed and print it, as text or as JSON.
    ///
    /// The same seed, number of entrants and format always give the same bracket, so anybody can repeat a
    /// public draw. Entries are numbered from 1 in the order they were entered.
    Draw(Draw),
}

/// The subcommands of `owlbox config`.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum ConfigCommand {
    /// Print every setting with its value and where it is set, as a file. Keys and passwords are not shown.
    Print,
    /// Check the settings without starting anything. Exit status 2: something is wrong with them.
    Check,
    /// Print the built-in configuration, which explains every setting.
    Default,
}

/// The command line arguments of `owlbox completions`.
#[derive(Clone, Copy, Debug, Args)]
pub struct Completions {
    /// The shell.
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// The command line arguments of `owlbox man`.
#[derive(Debug, Args)]
pub struct Man {
    /// The folder, such as /usr/local/share/man/man1. It must exist.
    pub folder: PathBuf,
}

/// The subcommands of `owlbox club`.
#[derive(Debug, Subcommand)]
pub enum ClubCommand {
    /// Create a club, and print its address and the code that sets it up.
    Create(ClubAdopt),
    /// List the names of all clubs.
    List(Listing),
    /// Print a club's address and the code that sets it up.
    Code(ClubName),
    /// Give a club another name, and so another address.
    Move(ClubRename),
    /// Archive a club: nobody can reach it any more. Prints where its data is, and how to bring it back.
    Archive(ClubName),
}

/// The command line arguments of a command that prints a list or a report.
#[derive(Clone, Copy, Debug, Args)]
pub struct Listing {
    /// Print JSON instead of text.
    #[arg(long)]
    pub json: bool,
}

/// The command line arguments of `owlbox verify`.
#[derive(Clone, Copy, Debug, Args)]
pub struct Verify {
    /// Verify every club of the service, not one.
    #[arg(long, conflicts_with = "club")]
    pub all: bool,
    #[command(flatten)]
    pub listing: Listing,
}

/// The command line arguments of `owlbox club create`.
#[derive(Debug, Args)]
pub struct ClubAdopt {
    /// Its name: up to 40 of a to z, 0 to 9 and hyphens. It is the first part of the club's host name.
    #[arg(value_name = "NAME")]
    pub name: ClubLabel,
    /// Use an existing club: an archived one, or the only one of another service. On SQLite give a file,
    /// which is copied with the key beside it; on PostgreSQL a schema, which is renamed. It may be of an
    /// older version. Its triggers, views and tables have to be Owlbox's own.
    #[arg(long, value_name = "FILE|SCHEMA")]
    pub from: Option<String>,
}

/// The command line arguments of `owlbox club code` and `archive`.
#[derive(Debug, Args)]
pub struct ClubName {
    /// The club's name.
    #[arg(value_name = "NAME")]
    pub name: ClubLabel,
}

/// The command line arguments of `owlbox club move`.
#[derive(Debug, Args)]
pub struct ClubRename {
    /// The club's present name.
    #[arg(value_name = "NAME")]
    pub name: ClubLabel,
    /// The new name.
    #[arg(value_name = "TO")]
    pub to: ClubLabel,
}

/// The command line arguments of `owlbox demo`.
#[derive(Clone, Copy, Debug, Args)]
pub struct Demo {
    /// Make a whole year: the twelve full months before this one. That takes a while.
    #[arg(long)]
    pub year: bool,
    /// The seed of the year: the same seed makes the same nights, results and balances.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "year")]
    pub seed: u64,
}

/// The commands about the books.
#[derive(Debug, Subcommand)]
pub enum BooksCommand {
    /// List all accounts whose balance is not zero, as JSON.
    Accounts(AccountsAsked),
    /// List what players owe and are owed, with the fewest payments that settle it, as JSON.
    Dues,
    /// Print the statement of an account, as CSV or signed.
    Statement(StatementAsked),
    /// Record in the daybook. Takes the object that POST /api/v1/daybook takes, with names or ids of players.
    ///
    /// To close October: owlbox books note '{"command": "close_month", "month": "2026-10"}'
    Note(NoteAsked),
    /// Import standings or past games of an old club from a table (CSV), as one record of the daybook.
    ///
    /// Prints as JSON what was recorded, or what would be with --preview. If any line is wrong, nothing is
    /// recorded, every wrong line is named on standard error, and the exit status is 1. To take it back:
    /// owlbox books note '{"command": "take_back", "entry": 3, "reason": "wrong file"}'
    #[command(subcommand)]
    Import(ImportCommand),
    /// Print the public key that signs the club's statements.
    Key,
}

/// The commands about a person.
#[derive(Debug, Subcommand)]
pub enum PersonCommand {
    /// Print all data about a player, as JSON or as a page to read.
    Export(PersonExport),
    /// Erase a player permanently: name, details, login, and mentions in free text. Games and books stay.
    ///
    /// Without --yes it only says what would be erased.
    Erase(PersonErase),
}

/// The command line arguments of `owlbox person export`.
#[derive(Debug, Args)]
pub struct PersonExport {
    /// The player's name or id.
    #[arg(value_name = "PLAYER")]
    pub player: String,
    /// The output format.
    #[arg(long, value_enum, default_value = "json")]
    pub format: PersonFormat,
}

/// The formats of a person's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PersonFormat {
    /// For programs.
    Json,
    /// A page for a browser, in the club's language.
    Html,
}

/// The command line arguments of `owlbox person erase`.
#[derive(Debug, Args)]
pub struct PersonErase {
    /// The player's name or id.
    #[arg(value_name = "PLAYER")]
    pub player: String,
    /// Another name for the player in free text, besides name and nickname. You can repeat it.
    #[arg(long, value_name = "NAME")]
    pub also: Vec<PlayerName>,
    /// Really erase. Without it nothing is changed.
    #[arg(long)]
    pub yes: bool,
}

/// The command line arguments of `owlbox books accounts`.
#[derive(Debug, Args)]
pub struct AccountsAsked {
    /// The balances at the end of this day instead of now.
    #[arg(long, value_name = "DAY")]
    pub on: Option<NaiveDate>,
}

/// The command line arguments of `owlbox books statement`.
#[derive(Debug, Args)]
pub struct StatementAsked {
    /// A player's name or id, or house, bank, opening, rounding, outside.
    #[arg(value_name = "ACCOUNT")]
    pub account: String,
    /// The unit: half_points, or a currency. The default is points for a player.
    #[arg(long, value_name = "UNIT")]
    pub unit: Option<Unit>,
    /// Only what counts for this day or later.
    #[arg(long, value_name = "DAY")]
    pub from: Option<NaiveDate>,
    /// Only what counts for this day or earlier.
    #[arg(long, value_name = "DAY")]
    pub until: Option<NaiveDate>,
    /// The output format.
    #[arg(long, value_enum, default_value = "csv")]
    pub format: StatementFormat,
}

/// The formats of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StatementFormat {
    /// For a spreadsheet.
    Csv,
    /// With the club's signature.
    Signed,
}

/// The command line arguments of `owlbox books note`.
#[derive(Debug, Args)]
pub struct NoteAsked {
    /// The order as JSON; "-" reads standard input.
    #[arg(value_name = "ORDER")]
    pub order: String,
}

/// The tables of `owlbox books import`.
#[derive(Debug, Subcommand)]
pub enum ImportCommand {
    /// What players had: the columns player, unit (points or a currency) and amount.
    Standings(ImportStandings),
    /// Games that were played: the columns date, winner, loser, and points, or currency and amount.
    Games(ImportTable),
}

/// The command line arguments of `owlbox books import standings`.
#[derive(Debug, Args)]
pub struct ImportStandings {
    #[command(flatten)]
    pub table: ImportTable,
    /// The day of the standings. The default is today.
    #[arg(long, value_name = "DAY")]
    pub on: Option<NaiveDate>,
}

/// The command line arguments of both tables of `owlbox books import`.
#[derive(Debug, Args)]
pub struct ImportTable {
    /// The table; "-" reads standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Only show what would be booked.
    #[arg(long)]
    pub preview: bool,
    /// Add unknown names to the club, as guests. They stay when the record is taken back.
    #[arg(long)]
    pub add_players: bool,
    /// A note on the record.
    #[arg(long, value_name = "TEXT")]
    pub memo: Option<Memo>,
    /// The language of the table: en, de, fr or it. Without it headings, amounts and days must be plain.
    #[arg(long, value_name = "LANGUAGE", value_parser = language)]
    pub language: Option<Language>,
    /// The decimal sign: point or comma. Give it if 1.240 could be two amounts.
    #[arg(long, value_name = "SIGN")]
    pub numbers: Option<DecimalMark>,
    /// The order of days written with slashes: day_first or month_first.
    #[arg(long, value_name = "ORDER")]
    pub days: Option<DayOrder>,
}

fn language(tag: &str) -> Result<Language, String> {
    Language::from_tag(tag).ok_or_else(|| "the languages are en, de, fr and it".to_owned())
}

/// The command line arguments of `owlbox verify-statement`.
#[derive(Debug, Args)]
pub struct VerifyStatement {
    /// The signed statement.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The key that the club publishes, which must have signed it. Without it the statement is shown, but may
    /// be anybody's.
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
}

/// The command line arguments of `owlbox night`.
#[derive(Debug, Args)]
pub struct Night {
    /// The night, as JSON lines; "-" reads standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// The command line arguments of `owlbox backup`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("to").required(true).args(["file", "all"]))]
pub struct Backup {
    /// The file for the copy; it must not exist yet.
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Copy every club of the service into this folder, each to a file named after the club and the time
    /// (UTC).
    #[arg(long, value_name = "FOLDER", conflicts_with = "club")]
    pub all: Option<PathBuf>,
    /// Then delete older copies made with --all: keep this many of each club, including the new one.
    #[arg(long, value_name = "N", requires = "all")]
    pub keep: Option<NonZeroUsize>,
}

/// The command line arguments of `owlbox copy`.
#[derive(Debug, Args)]
pub struct CopyClub {
    /// Where the club is: sqlite://PATH or postgres://USER:PASSWORD@HOST/DATABASE. It is not changed.
    #[arg(long, value_name = "URL", env = "OWLBOX_COPY_FROM", hide_env_values = true)]
    pub from: SecretString,
    /// Where to copy it: a new SQLite file, or a PostgreSQL database or schema without a club.
    #[arg(long, value_name = "URL", env = "OWLBOX_COPY_TO", hide_env_values = true)]
    pub to: SecretString,
}

/// The command line arguments of `owlbox restore`.
#[derive(Debug, Args)]
pub struct Restore {
    /// The copy to put in place of the database.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Replace an existing database. The old one is kept beside it, with ".before-restore" added to its name.
    #[arg(long)]
    pub replace: bool,
}

/// The command line arguments of `owlbox export`.
#[derive(Debug, Args)]
pub struct Export {
    /// The format to write: hledger, beancount, gnucash, gnucash-accounts or csv.
    #[arg(long, value_name = "FORMAT")]
    pub format: ExportFormat,
    /// Only what happened from this day on (2026-01-31), on the club's clock.
    #[arg(long, value_name = "DAY", value_parser = day)]
    pub from: Option<NaiveDate>,
    /// Only what happened up to and including this day.
    #[arg(long, value_name = "DAY", value_parser = day)]
    pub until: Option<NaiveDate>,
    /// Write to this file, replacing it, instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

fn day(text: &str) -> Result<NaiveDate, String> {
    let day: NaiveDate = text.parse().map_err(|_| "a day like 2026-01-31".to_owned())?;
    Ok(Day::try_from(day).map_err(|wrong| wrong.to_string())?.date())
}

/// The most entrants in one bracket.
const MOST_ENTRANTS: u32 = 65_536;

/// The command line arguments of `owlbox draw`.
#[derive(Debug, Args)]
pub struct Draw {
    /// The number of entrants, 2 to 65536.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_ENTRANTS)))]
    pub entrants: u32,
    /// The seed that determines the whole draw.
    #[arg(long, value_name = "NUMBER")]
    pub seed: u64,
    /// The format of the tournament.
    #[arg(long, value_enum, default_value_t = DrawFormat::KnockOut)]
    pub format: DrawFormat,
    /// The match lengths from the final backwards: 11,9,7 is a final to 11, semi-finals to 9, and everything
    /// before to 7.
    #[arg(long, value_name = "POINTS", value_delimiter = ',', value_parser = length)]
    pub lengths: Vec<Length>,
    /// The number of seeded entrants. They are the first entries, in their order.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub seeded: u32,
    /// Print JSON instead of text.
    #[arg(long)]
    pub json: bool,
}

/// The format of a drawn bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DrawFormat {
    /// The main flight and nothing else.
    KnockOut,
    /// With a match for third place.
    ThirdPlace,
    /// With a consolation for those who lose their first match.
    FirstLosers,
    /// With a consolation for the losers of every round except the final.
    Progressive,
    /// The same, and its winner plays the losing finalist for second place.
    SecondPlace,
    /// Out after two losses; the final is played again if the unbeaten entry loses it.
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
        assert!(matches!(parsed.command, Command::Verify(_)));
    }
}
