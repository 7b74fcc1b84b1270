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
    /// Where one service has many clubs (clubs.domain): the club that the command is about.
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
    /// page. SIGHUP has it read the log level and the signing keys again.
    Serve,
    /// Run a throwaway club with players, a night and a tournament in progress, and print its address and
    /// sign-ins.
    ///
    /// Everything is kept in a temporary database that is gone when the program stops. With --year it is a club of
    /// 200 players with a whole year: 150 nights, 60 tournaments, the treasurer's books and closed months.
    Demo(Demo),
    /// Print the settings, check them, or print the file that explains all of them.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Ask the service on this machine whether it is ready, for a container or a supervisor.
    ///
    /// Exit status 0: it is; 1: it is not, or does not answer within five seconds. It is looked for where http.listen says.
    Healthcheck,
    /// Print the completions of this program's commands for a shell.
    ///
    /// For bash: owlbox completions bash > /etc/bash_completion.d/owlbox
    Completions(Completions),
    /// Write the manual pages of this program's commands into a folder.
    Man(Man),
    /// Create, list, rename and put away clubs, where one service has many (clubs.domain).
    ///
    /// A service may be running: it lets go of a club that is moved or put away. docs/operations.md says more.
    #[command(subcommand)]
    Club(ClubCommand),
    /// Manage the club's logins from this machine, beside a running service or without one.
    ///
    /// On SQLite a service that runs carries the command out itself. Nobody but its own user and root can ask it to.
    #[command(subcommand)]
    Admin(Admin),
    /// Replay the whole journal, recompute every table and balance, and report the first difference.
    ///
    /// Reads one snapshot, even beside a running server. Exit status 0: everything follows from the journal;
    /// 1: a difference was found.
    Verify(Verify),
    /// Read the club's books, and record in the daybook, from this machine.
    ///
    /// On SQLite the server must be stopped; beside a running server use the API.
    #[command(subcommand)]
    Books(BooksCommand),
    /// All that is kept of a person, and their erasure, from the service's own machine.
    ///
    /// On SQLite the server must be stopped; beside a running server use the API or the pages.
    #[command(subcommand)]
    Person(PersonCommand),
    /// Check a signed statement of account, without the club.
    ///
    /// Exit status 0: not a byte of it was changed since it was signed by the key given; 1: it was changed, is not signed, or by
    /// another key; 3: no key was given, so nobody knows whose signature it is.
    VerifyStatement(VerifyStatement),
    /// Play a night or a tournament from a file in a throwaway club and print the result as one JSON object.
    ///
    /// The file has JSON lines: a header, then one command per line, the same objects the API takes, with
    /// names instead of players' ids. docs/night-files.md describes it with an example.
    Night(Night),
    /// Copy the club's SQLite database into FILE, even while the server runs.
    ///
    /// The copy is a snapshot of one moment, of the version that the club has. On PostgreSQL use pg_dump: see docs/operations.md.
    Backup(Backup),
    /// Replace the club's SQLite database by a copy made with "backup".
    ///
    /// The server must be stopped. The copy is checked, and brought to this version, before anything is replaced.
    Restore(Restore),
    /// Copy a club into an empty database, of the same kind or the other: SQLite to PostgreSQL, or back.
    ///
    /// The club is verified, copied as of one moment, and verified again in its new place; every table is compared. If anything
    /// is not the same, nothing of the copy is kept. Stop the service first, or what is done meanwhile is not in the copy. Who
    /// is signed in stays behind: everybody signs in again. docs/operations.md says what else to take along.
    Copy(CopyClub),
    /// Write the club's books as a file for another program: hledger, Beancount, GnuCash, a spreadsheet.
    ///
    /// Reads one snapshot, even beside a running server, and writes while it reads. GnuCash needs two files:
    /// its accounts first, then the transactions. docs/exports.md says how each program imports its file, and
    /// has the chart of accounts.
    Export(Export),
    /// Convert a match between the file formats of backgammon programs: match text, SGF, JSON.
    ///
    /// The format of FILE is recognised by how it begins. The match is replayed by the rules: scores and
    /// results are computed, and the first illegal thing is reported with line and column. Examples, and what
    /// the formats hold: docs/engine.md.
    Convert(Convert),
    /// Find the legal plays of rolls: JSON lines on standard input, one on standard output for each.
    ///
    /// In: {"pos": "4HPwATDgc/ABMA", "roll": [6,4]}, where pos is the GNU position ID with the side on roll
    /// to play. Optional: "variant", "checkers" a side and "strict_larger_die" (false). Without pos it is the
    /// start of the variant. Out: pos and roll, "legal" with the IDs of all results, the other side on roll,
    /// sorted, and "plays" with one way to each; a play is the empty text if nothing can be moved. A line
    /// that cannot be answered gives {"line": 2, "error": "..."}, and exit status 1 at the end.
    /// docs/engine.md describes every field, with examples.
    Plays(Plays),
    /// Count the positions some plies away: every distinct result of each of the 21 rolls, as JSON.
    ///
    /// The start, two plies away: owlbox perft --pos 4HPwATDgc/ABMA --depth 2 gives 202782. Rolls are not
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
    /// Print the opening plays of one roll or of all: as the rules in the game box print them (K2), and today's.
    Opening(Opening),
    /// Print how many of the 36 rolls reach a point so many pips away (K3), or hit the blots of a position.
    ///
    /// In a position every legal play of every roll is tried: owlbox shots --pos 4HPwASjgc/ABMA names each
    /// blot of the side that is not on roll, as the side on roll counts, with the rolls that hit it.
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
    /// Print every setting with its value, as a file, and where it is set. Keys and passwords are not shown.
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
    /// Create a club and print where it is reached and the code that sets it up.
    Create(ClubAdopt),
    /// List the names of all clubs.
    List(Listing),
    /// Print where a club is reached and the code that sets it up.
    Code(ClubName),
    /// Give a club another name, and so another address.
    Move(ClubRename),
    /// Put a club away: nobody reaches it any more. Prints where it is then, and how to bring it back.
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
    /// Make it of a club that there is: one that was put away, or that a service had alone. On SQLite a file, which is
    /// copied with the key beside it; on PostgreSQL a schema, which is renamed. It may be of an older version. Its triggers,
    /// views and tables have to be Owlbox's own.
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
    /// The name that it has.
    #[arg(value_name = "NAME")]
    pub name: ClubLabel,
    /// The new name.
    #[arg(value_name = "TO")]
    pub to: ClubLabel,
}

/// The command line arguments of `owlbox demo`.
#[derive(Clone, Copy, Debug, Args)]
pub struct Demo {
    /// Make a whole year, the twelve full months before this one. That takes a while.
    #[arg(long)]
    pub year: bool,
    /// What decides the year: the same seed makes the same nights, results and balances.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "year")]
    pub seed: u64,
}

/// The commands about the books.
#[derive(Debug, Subcommand)]
pub enum BooksCommand {
    /// List all accounts that do not stand at zero, as JSON.
    Accounts(AccountsAsked),
    /// List what players owe and are owed, with the fewest payments that settle it, as JSON.
    Dues,
    /// Print the statement of an account, as CSV or signed.
    Statement(StatementAsked),
    /// Give an order to the daybook, the same object that POST /api/v1/daybook takes, with names or ids of players.
    ///
    /// To close October: owlbox books note '{"command": "close_month", "month": "2026-10"}'
    Note(NoteAsked),
    /// Book standings or past games of an old club from a table (CSV), as one record of the daybook, or nothing of it.
    ///
    /// Prints what was recorded as JSON; with --preview what would be, which records nothing. Every line that is wrong is
    /// named on standard error, with exit status 1. To take it back:
    /// owlbox books note '{"command": "take_back", "entry": 3, "reason": "wrong file"}'
    #[command(subcommand)]
    Import(ImportCommand),
    /// Print the public key that signs the club's statements.
    Key,
}

/// The commands about a person.
#[derive(Debug, Subcommand)]
pub enum PersonCommand {
    /// Print all that is kept of a player, as JSON or as a page to read.
    Export(PersonExport),
    /// Erase a person for good: name, details, login, and what free text says of them. Games and books stay.
    ///
    /// Without --yes it only says what would go.
    Erase(PersonErase),
}

/// The command line arguments of `owlbox person export`.
#[derive(Debug, Args)]
pub struct PersonExport {
    /// The player's name or id.
    #[arg(value_name = "PLAYER")]
    pub player: String,
    /// As what it is printed.
    #[arg(long, value_enum, default_value = "json")]
    pub format: PersonFormat,
}

/// As what a person is printed.
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
    /// What else free text calls them, beside name and nickname. Can be given several times.
    #[arg(long, value_name = "NAME")]
    pub also: Vec<PlayerName>,
    /// Erase them.
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
    /// As what it is printed.
    #[arg(long, value_enum, default_value = "csv")]
    pub format: StatementFormat,
}

/// As what a statement is printed.
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
    /// The day of the standings; today without one.
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
    /// Add names that nobody has to the club, as guests. They stay when the record is taken back.
    #[arg(long)]
    pub add_players: bool,
    /// A note on the record.
    #[arg(long, value_name = "TEXT")]
    pub memo: Option<Memo>,
    /// The language in which the table is written: en, de, fr or it. Without it headings, amounts and days are plain.
    #[arg(long, value_name = "LANGUAGE", value_parser = language)]
    pub language: Option<Language>,
    /// The sign before the decimals: point or comma. Where 1.240 could be two amounts.
    #[arg(long, value_name = "SIGN")]
    pub numbers: Option<DecimalMark>,
    /// What comes first in days with slashes: day_first or month_first.
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
    /// The key that the club publishes, which must have signed it. Without one, the statement is shown, but it may be anybody's.
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
    /// Copy every club of the service into this folder, each to a file named after the club and the time (UTC).
    #[arg(long, value_name = "FOLDER", conflicts_with = "club")]
    pub all: Option<PathBuf>,
    /// Then delete older copies that were made so: keep this many of each club, the new one among them.
    #[arg(long, value_name = "N", requires = "all")]
    pub keep: Option<NonZeroUsize>,
}

/// The command line arguments of `owlbox copy`.
#[derive(Debug, Args)]
pub struct CopyClub {
    /// Where the club is: sqlite://PATH or postgres://USER:PASSWORD@HOST/DATABASE. Nothing is changed there.
    #[arg(long, value_name = "URL", env = "OWLBOX_COPY_FROM", hide_env_values = true)]
    pub from: SecretString,
    /// Where it is to be: a new SQLite file, or a PostgreSQL database or schema without a club.
    #[arg(long, value_name = "URL", env = "OWLBOX_COPY_TO", hide_env_values = true)]
    pub to: SecretString,
}

/// The command line arguments of `owlbox restore`.
#[derive(Debug, Args)]
pub struct Restore {
    /// The copy to put in place of the database.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Replace an existing database; it is kept beside, with ".before-restore" at the end of its name.
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
    /// The number of seeded entrants: the first so many entries, in their order.
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
    /// With a consolation that the losers of every round but the final join.
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
