//! The desk's metrics: their names, and the labels of commands. The exporter describes them.

use crate::history::Order;
use owlbox_domain::permissions::OrderKind;
use owlbox_domain::{chouette, matches, tournament};
pub use owlbox_store::{COMMAND_QUEUE, COMMIT_BATCH};

/// Counts commands to chouettes, matches and tournaments. Labels: `kind` (the command's name) and `outcome`
/// (`done`, `repeated` under its idempotency key, `refused`, `failed`).
pub const COMMANDS: &str = "owlbox_commands_total";
/// Sign-ins that wait for their password to be hashed.
pub const PASSWORD_QUEUE: &str = "owlbox_password_queue";

/// The commands of a stream, as [`COMMANDS`] counts them.
pub trait Counted: Sized {
    /// The `kind` label of the command that opens a stream.
    const OPENING: &'static str;

    /// The `kind` label of an order.
    fn label(order: &Order<Self>) -> &'static str;
}

/// The `kind` label of an order to a table. The metrics can be read without signing in, so they must not reveal a
/// secret answer.
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

/// Prefixed, because chouettes and tournaments have commands of the same names. Those two are counted together where they
/// share a name: the labels are what older dashboards know.
impl Counted for matches::Command {
    const OPENING: &'static str = "open_match";

    fn label(order: &Order<Self>) -> &'static str {
        use matches::CommandKind;
        let kind = match order.kind() {
            OrderKind::History(_) => return "match_history",
            OrderKind::Command(kind) => kind,
        };
        match kind {
            CommandKind::Open => Self::OPENING,
            CommandKind::Board => "match_board",
            CommandKind::SetClock
            | CommandKind::StartClock
            | CommandKind::PressClock
            | CommandKind::PauseClock
            | CommandKind::ResumeClock => "match_clock",
            CommandKind::Game
            | CommandKind::Resign
            | CommandKind::Draw
            | CommandKind::Penalty
            | CommandKind::Late
            | CommandKind::Final
            | CommandKind::Concede
            | CommandKind::Rule
            | CommandKind::Correct
            | CommandKind::Contest
            | CommandKind::WithdrawContest
            | CommandKind::RuleContest
            | CommandKind::Adjourn
            | CommandKind::Resume
            | CommandKind::Close
            | CommandKind::Pay
            | CommandKind::StartBoard
            | CommandKind::AbandonBoard
            | CommandKind::Import
            | CommandKind::Follow
            | CommandKind::GivenBy
            | CommandKind::Claim => "match_score",
        }
    }
}

impl Counted for tournament::Command {
    const OPENING: &'static str = "open";

    fn label(order: &Order<Self>) -> &'static str {
        order.kind::<tournament::CommandKind>().name()
    }
}
