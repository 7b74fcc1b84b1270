//! The desk's metrics: their names, and the labels of commands. `owlbox-http` describes them.

use crate::commands::history::Order;
use owlbox_base::permissions::OrderKind;
use owlbox_books::daybook;
use owlbox_chouette as chouette;
use owlbox_play::{matches, tournament};
pub use owlbox_store::{COMMAND_QUEUE, COMMIT_BATCH};
use strum::{IntoEnumIterator as _, VariantArray as _};

/// Counts commands to chouettes, matches, tournaments and the daybook. Labels: `kind` (the command's name)
/// and `outcome` ([`CommandOutcome`]).
pub const COMMANDS: &str = "owlbox_commands_total";
/// The `kind` label of settling up a night.
pub const SETTLE_NIGHT: &str = "settle_night";
/// Attempts to prove a password, at a sign-in or a change of it. Label: `outcome` ([`SignInOutcome`]).
pub const SIGN_INS: &str = "owlbox_sign_ins_total";
/// Sign-ins waiting for their password to be hashed.
pub const PASSWORD_QUEUE: &str = "owlbox_password_queue";

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum CommandOutcome {
    Done,
    /// It had been carried out before, under its idempotency key.
    Repeated,
    Refused,
    Failed,
}

/// How an attempt to prove a password ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum SignInOutcome {
    Done,
    /// A wrong login or password.
    Wrong,
    TooMany,
    /// The service was busy or failed.
    Failed,
}

/// The commands of a stream, as [`COMMANDS`] counts them.
pub trait Counted: Sized {
    /// The `kind` label of the command that opens a stream.
    const OPENING: &'static str;

    /// The `kind` label of an order.
    fn label(order: &Order<Self>) -> &'static str;
}

/// The `kind` label of an order to a table. The metrics can be read without signing in, so they must not
/// reveal a secret answer.
pub(crate) fn table_label(kind: OrderKind<chouette::CommandKind>) -> &'static str {
    use chouette::CommandKind;
    match kind {
        OrderKind::Command(CommandKind::Take | CommandKind::Drop | CommandKind::Beaver) => "answer",
        OrderKind::Command(_) | OrderKind::History(_) => kind.name(),
    }
}

impl Counted for chouette::Command {
    const OPENING: &'static str = "open";

    fn label(order: &Order<Self>) -> &'static str {
        table_label(order.kind())
    }
}

/// Prefixed, because chouettes and tournaments have commands of the same names. Those two are counted
/// together where they share a name: the labels are what older dashboards know.
impl Counted for matches::Command {
    const OPENING: &'static str = "open_match";

    fn label(order: &Order<Self>) -> &'static str {
        match_label(order.kind())
    }
}

fn match_label(kind: OrderKind<matches::CommandKind>) -> &'static str {
    use matches::{CommandAspect, CommandKind};
    match kind {
        OrderKind::History(_) => "match_history",
        OrderKind::Command(CommandKind::Open) => matches::Command::OPENING,
        OrderKind::Command(CommandKind::Board) => "match_board",
        OrderKind::Command(kind) if kind.has(CommandAspect::OfClock) => "match_clock",
        OrderKind::Command(_) => "match_score",
    }
}

impl Counted for tournament::Command {
    const OPENING: &'static str = "open";

    fn label(order: &Order<Self>) -> &'static str {
        order.kind::<tournament::CommandKind>().name()
    }
}

/// Begins to count from zero. A series that appears with its first failure does not *increase* for
/// Prometheus, so no alert would see it.
pub fn begin() {
    let tables = OrderKind::all().map(table_label).chain([chouette::Command::OPENING]);
    let sheets = OrderKind::all().map(match_label).chain([matches::Command::OPENING]);
    let tournaments = OrderKind::<tournament::CommandKind>::all().map(OrderKind::name);
    let daybook = daybook::CommandKind::VARIANTS.iter().map(<&str>::from).chain([SETTLE_NIGHT]);
    for kind in tables.chain(sheets).chain(tournaments).chain(daybook) {
        for outcome in CommandOutcome::iter() {
            metrics::counter!(COMMANDS, "kind" => kind, "outcome" => <&str>::from(outcome)).increment(0);
        }
    }
    for outcome in SignInOutcome::iter() {
        metrics::counter!(SIGN_INS, "outcome" => <&str>::from(outcome)).increment(0);
    }
}
