//! Who may do what: the club's one table of permissions and roles, and the table's commands by role.
//!
//! Everything that asks "may he?" asks here; `docs/permissions.md` is this table, printed. Whether a
//! thing is somebody's *own* (his answer, his ledger, his last act) is for the asker to tell.

use std::fmt::Write as _;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::roles::{Role, Roles};
use super::settings::Public;
use crate::values::InvalidValue;

/// A thing that can be done in the club.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Permission {
    /// See the club's name, time zone and currencies.
    ViewClub,
    /// See the tables of the night and the matches, their state, log and live stream.
    ViewTables,
    /// See the standings of a night.
    ViewStandings,
    /// See tournaments and matches: draws, brackets, results, the room.
    ViewTournaments,
    /// See who plays at the club: names, nicknames, countries, clubs.
    ViewPlayers,
    /// See players' contacts and notes.
    ViewContacts,
    /// Sign out everywhere, change the own password, make and revoke own API tokens.
    ManageOwnAccount,
    /// See the ledger of the own player.
    ViewOwnLedger,
    /// See every player's ledger.
    ViewAnyLedger,
    /// At the table: the own doubles and answers. In one's own match: its games, the own side of the board and of the
    /// clock. Undo the own last acts.
    ActForSelf,
    /// Open a chouette.
    OpenChouette,
    /// At the table: act for anybody, and undo any acts.
    RunChouette,
    /// Open a match; score it for anybody, give penalties, rule, correct, bring a file, and undo any acts. At tournaments: say
    /// results, call matches, check players in.
    RunMatch,
    /// Record what players pay each other, or the house: at a table, for a whole night, at a tournament.
    RecordPayments,
    /// Open tournaments and direct them.
    RunTournaments,
    /// Add a guest who turns up at the table.
    AddGuests,
    /// Add players, change their details, deactivate and reactivate them.
    ManagePlayers,
    /// Make, invite, link and deactivate logins, and give roles.
    ManageAccounts,
    /// Save and remove the club's own sets of house rules.
    ManageHouseRules,
    /// Change the club's settings.
    ChangeSettings,
    /// Read the club's own log: who changed what of players, logins and settings.
    ViewClubLog,
}

/// When somebody who has not signed in has a permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PublicWhen {
    Never,
    TablesArePublic,
    StandingsArePublic,
    AnythingIsPublic,
}

impl Permission {
    /// Every permission, in the order of the printed table.
    pub const ALL: [Self; 21] = [
        Self::ViewClub,
        Self::ViewTables,
        Self::ViewStandings,
        Self::ViewTournaments,
        Self::ViewPlayers,
        Self::ViewContacts,
        Self::ManageOwnAccount,
        Self::ViewOwnLedger,
        Self::ViewAnyLedger,
        Self::ActForSelf,
        Self::OpenChouette,
        Self::RunChouette,
        Self::RunMatch,
        Self::RecordPayments,
        Self::RunTournaments,
        Self::AddGuests,
        Self::ManagePlayers,
        Self::ManageAccounts,
        Self::ManageHouseRules,
        Self::ChangeSettings,
        Self::ViewClubLog,
    ];

    /// The table. An admin may do everything and a director everything a scorer may; a test holds
    /// it to both.
    const fn granted(self) -> (&'static [Role], PublicWhen) {
        use PublicWhen::{AnythingIsPublic, Never, StandingsArePublic, TablesArePublic};
        use Role::{Admin, Director, Scorer, Treasurer};
        match self {
            Self::ViewClub => (&Role::ALL, AnythingIsPublic),
            Self::ViewTables => (&Role::ALL, TablesArePublic),
            Self::ViewStandings => (&Role::ALL, StandingsArePublic),
            Self::ViewTournaments | Self::ViewPlayers | Self::ManageOwnAccount | Self::ViewOwnLedger => {
                (&Role::ALL, Never)
            }
            Self::ViewContacts => (&[Admin, Director, Treasurer], Never),
            Self::ViewAnyLedger => (&[Admin, Treasurer], Never),
            Self::RecordPayments => (&[Admin, Director, Treasurer, Scorer], Never),
            Self::ActForSelf => (&[Admin, Director, Scorer, Role::Player], Never),
            Self::OpenChouette | Self::RunChouette | Self::RunMatch | Self::AddGuests => {
                (&[Admin, Director, Scorer], Never)
            }
            Self::RunTournaments | Self::ManagePlayers | Self::ManageHouseRules => {
                (&[Admin, Director], Never)
            }
            Self::ManageAccounts | Self::ChangeSettings | Self::ViewClubLog => (&[Admin], Never),
        }
    }

    /// The name in JSON, problems and documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ViewClub => "view_club",
            Self::ViewTables => "view_tables",
            Self::ViewStandings => "view_standings",
            Self::ViewTournaments => "view_tournaments",
            Self::ViewPlayers => "view_players",
            Self::ViewContacts => "view_contacts",
            Self::ManageOwnAccount => "manage_own_account",
            Self::ViewOwnLedger => "view_own_ledger",
            Self::ViewAnyLedger => "view_any_ledger",
            Self::ActForSelf => "act_for_self",
            Self::OpenChouette => "open_chouette",
            Self::RunChouette => "run_chouette",
            Self::RunMatch => "run_match",
            Self::RecordPayments => "record_payments",
            Self::RunTournaments => "run_tournaments",
            Self::AddGuests => "add_guests",
            Self::ManagePlayers => "manage_players",
            Self::ManageAccounts => "manage_accounts",
            Self::ManageHouseRules => "manage_house_rules",
            Self::ChangeSettings => "change_settings",
            Self::ViewClubLog => "view_club_log",
        }
    }

    /// The roles that have it, as a problem's `allowed` shows them.
    #[must_use]
    pub const fn roles(self) -> Roles {
        Roles::of(self.granted().0)
    }
}

/// Whether somebody signed in with `roles` has `permission`.
#[must_use]
pub const fn allows(roles: Roles, permission: Permission) -> bool {
    roles.intersects(permission.roles())
}

/// Whether somebody who has not signed in has `permission`, as the club's settings say.
#[must_use]
pub const fn allows_public(public: Public, permission: Permission) -> bool {
    match permission.granted().1 {
        PublicWhen::Never => false,
        PublicWhen::TablesArePublic => public.tables,
        PublicWhen::StandingsArePublic => public.standings,
        PublicWhen::AnythingIsPublic => public.tables || public.standings,
    }
}

/// Somebody who asks: signed in with roles, or from the street.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Nobody signed in.
    Public,
    /// Signed in with these roles.
    SignedIn(Roles),
}

impl Caller {
    /// Whether the caller has `permission` at a club that shows `public` to everybody.
    #[must_use]
    pub const fn may(self, permission: Permission, public: Public) -> bool {
        match self {
            Self::Public => allows_public(public, permission),
            // Signing in never takes away what the street may see.
            Self::SignedIn(roles) => allows(roles, permission) || allows_public(public, permission),
        }
    }
}

/// Makes an enum of a stream's commands from one list, so that its names and the list of all cannot differ.
macro_rules! commands {
    ($(#[$doc:meta])* pub enum $enum:ident; $what:literal; $($name:ident $code:literal),* $(,)?) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
        $(#[$doc])*
        #[serde(rename_all = "snake_case")]
        #[expect(missing_docs, reason = "the names are the commands of the room, documented there")]
        pub enum $enum { $($name),* }

        impl $enum {
            /// Every command, in the order of the printed table.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The name, as in the command's JSON.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $code),* }
            }

            /// For whom somebody with `roles` may give this command.
            #[must_use]
            pub const fn reach(self, roles: Roles) -> Reach {
                reach(self.needs(), roles)
            }

            /// The permission to give it for anybody.
            #[must_use]
            pub const fn permission(self) -> Permission {
                self.needs().0
            }

            /// The roles that may give it for anybody, as a problem's `allowed` shows them.
            #[must_use]
            pub const fn roles(self) -> Roles {
                self.needs().0.roles()
            }
        }

        impl FromStr for $enum {
            type Err = InvalidValue;
            fn from_str(name: &str) -> Result<Self, InvalidValue> {
                let found = Self::ALL.iter().copied().find(|command| command.name() == name);
                found.ok_or(InvalidValue { what: "command", allowed: $what })
            }
        }
    };
}

commands! {
    /// A command of a chouette's table, by its name.
    pub enum TableCommand;
    "the name of a chouette's command";
    Open "open",
    ChangeRules "change_rules",
    Close "close",
    Split "split",
    MergeInto "merge_into",
    Join "join",
    Leave "leave",
    Break "break",
    Return "return",
    NameProxy "name_proxy",
    MergePlayers "merge_players",
    SetStake "set_stake",
    SetStart "set_start",
    DrawOrder "draw_order",
    EnterRolls "enter_rolls",
    SetOrder "set_order",
    OfferPartnership "offer_partnership",
    AcceptPartnership "accept_partnership",
    DeclinePartnership "decline_partnership",
    DeclineBox "decline_box",
    StartGame "start_game",
    OpeningTie "opening_tie",
    Double "double",
    Take "take",
    Drop "drop",
    Beaver "beaver",
    GiveExtra "give_extra",
    PassExtra "pass_extra",
    PlayOn "play_on",
    Settle "settle",
    Board "board",
    Finish "finish",
    Correct "correct",
    Pay "pay",
    Undo "undo",
    Redo "redo",
}

commands! {
    /// A command to the sheet of a match, by its name.
    pub enum MatchCommand;
    "the name of a match's command";
    Open "open",
    Game "game",
    Resign "resign",
    Draw "draw",
    Penalty "penalty",
    Late "late",
    Final "final",
    Concede "concede",
    Rule "rule",
    Correct "correct",
    Contest "contest",
    WithdrawContest "withdraw_contest",
    RuleContest "rule_contest",
    Adjourn "adjourn",
    Resume "resume",
    Close "close",
    Pay "pay",
    StartBoard "start_board",
    Board "board",
    AbandonBoard "abandon_board",
    Import "import",
    SetClock "set_clock",
    StartClock "start_clock",
    PressClock "press_clock",
    PauseClock "pause_clock",
    ResumeClock "resume_clock",
    Undo "undo",
    Redo "redo",
}

commands! {
    /// A command of a tournament, by its name.
    #[schema(as = TournamentCommandName)]
    pub enum TournamentCommand;
    "the name of a tournament's command";
    Open "open",
    Change "change",
    SetDirectors "set_directors",
    AddDivision "add_division",
    ChangeDivision "change_division",
    SetTables "set_tables",
    Enter "enter",
    ReEnter "re_enter",
    CheckIn "check_in",
    Seed "seed",
    JoinPools "join_pools",
    Withdraw "withdraw",
    Disqualify "disqualify",
    Reinstate "reinstate",
    Draw "draw",
    DrawLastChance "draw_last_chance",
    Seat "seat",
    Exchange "exchange",
    Report "report",
    Result "result",
    Correct "correct",
    Call "call",
    CallNext "call_next",
    Uncall "uncall",
    Begin "begin",
    Postpone "postpone",
    Resume "resume",
    OpenSheet "open_sheet",
    PayIn "pay_in",
    PayOut "pay_out",
    AddMoney "add_money",
    Award "award",
    Close "close",
    Reopen "reopen",
    Undo "undo",
    Redo "redo",
}

/// For whom somebody may give a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// For nobody.
    Nobody,
    /// For himself alone; of undo and redo: his own last acts.
    Himself,
    /// For anybody at the table; of undo and redo: any acts.
    Anybody,
}

impl TableCommand {
    /// The permission to give it for anybody, and the one to give it for oneself.
    const fn needs(self) -> (Permission, Option<Permission>) {
        match self {
            Self::Open => (Permission::OpenChouette, None),
            Self::Pay => (Permission::RecordPayments, None),
            Self::Double
            | Self::Take
            | Self::Drop
            | Self::Beaver
            | Self::GiveExtra
            | Self::PassExtra
            | Self::AcceptPartnership
            | Self::DeclinePartnership
            | Self::DeclineBox
            | Self::OpeningTie
            | Self::Board
            | Self::Undo
            | Self::Redo => (Permission::RunChouette, Some(Permission::ActForSelf)),
            Self::ChangeRules
            | Self::Close
            | Self::Split
            | Self::MergeInto
            | Self::Join
            | Self::Leave
            | Self::Break
            | Self::Return
            | Self::NameProxy
            | Self::MergePlayers
            | Self::SetStake
            | Self::SetStart
            | Self::DrawOrder
            | Self::EnterRolls
            | Self::SetOrder
            | Self::OfferPartnership
            | Self::StartGame
            | Self::PlayOn
            | Self::Settle
            | Self::Finish
            | Self::Correct => (Permission::RunChouette, None),
        }
    }
}

impl MatchCommand {
    /// The permission to give it for anybody, and the one to give it in one's own match: for the own side, where it
    /// speaks for one.
    const fn needs(self) -> (Permission, Option<Permission>) {
        match self {
            Self::Open
            | Self::Penalty
            | Self::Late
            | Self::Rule
            | Self::Correct
            | Self::RuleContest
            | Self::AbandonBoard
            | Self::Import => (Permission::RunMatch, None),
            Self::Pay => (Permission::RecordPayments, None),
            Self::Game
            | Self::Resign
            | Self::Draw
            | Self::Final
            | Self::Concede
            | Self::Contest
            | Self::WithdrawContest
            | Self::Adjourn
            | Self::Resume
            | Self::Close
            | Self::StartBoard
            | Self::Board
            | Self::SetClock
            | Self::StartClock
            | Self::PressClock
            | Self::PauseClock
            | Self::ResumeClock
            | Self::Undo
            | Self::Redo => (Permission::RunMatch, Some(Permission::ActForSelf)),
        }
    }
}

impl TournamentCommand {
    /// The permission to give it for anybody, and the one to give it for oneself; of undo and redo, for one's own last acts.
    const fn needs(self) -> (Permission, Option<Permission>) {
        match self {
            Self::Enter | Self::Report => (Permission::RunMatch, Some(Permission::ActForSelf)),
            Self::CheckIn
            | Self::Result
            | Self::Call
            | Self::CallNext
            | Self::Uncall
            | Self::Begin
            | Self::Postpone
            | Self::Resume
            | Self::OpenSheet => (Permission::RunMatch, None),
            Self::PayIn | Self::PayOut => (Permission::RecordPayments, None),
            Self::Undo | Self::Redo => (Permission::RunTournaments, Some(Permission::RunMatch)),
            Self::Open
            | Self::Change
            | Self::SetDirectors
            | Self::AddDivision
            | Self::ChangeDivision
            | Self::SetTables
            | Self::ReEnter
            | Self::Seed
            | Self::JoinPools
            | Self::Withdraw
            | Self::Disqualify
            | Self::Reinstate
            | Self::Draw
            | Self::DrawLastChance
            | Self::Seat
            | Self::Exchange
            | Self::Correct
            | Self::AddMoney
            | Self::Award
            | Self::Close
            | Self::Reopen => (Permission::RunTournaments, None),
        }
    }
}

/// For whom somebody with `roles` may give a command that needs these permissions.
const fn reach(needs: (Permission, Option<Permission>), roles: Roles) -> Reach {
    match needs {
        (anybody, _) if allows(roles, anybody) => Reach::Anybody,
        (_, Some(himself)) if allows(roles, himself) => Reach::Himself,
        _ => Reach::Nobody,
    }
}

/// Both tables as `docs/permissions.md` prints them.
#[must_use]
pub fn table_markdown() -> String {
    let mut text = String::from(include_str!("permissions_head.md"));
    let roles = Role::ALL.map(Role::name).join(" | ");
    let rule = " --- |".repeat(Role::ALL.len() + 2);
    // Writing to a String cannot fail.
    let _ =
        write!(text, "\n## What each role may do\n\n| permission | {roles} | nobody signed in |\n|{rule}\n");
    for permission in Permission::ALL {
        let _ = write!(text, "| `{}` |", permission.name());
        for role in Role::ALL {
            text.push_str(if allows(Roles::of(&[role]), permission) { " yes |" } else { " |" });
        }
        text.push_str(match permission.granted().1 {
            PublicWhen::Never => " |\n",
            PublicWhen::TablesArePublic => " if tables are public |\n",
            PublicWhen::StandingsArePublic => " if standings are public |\n",
            PublicWhen::AnythingIsPublic => " if anything is public |\n",
        });
    }
    let table: Vec<_> = TableCommand::ALL.iter().map(|c| (c.name(), c.needs())).collect();
    let sheet: Vec<_> = MatchCommand::ALL.iter().map(|c| (c.name(), c.needs())).collect();
    let tournament: Vec<_> = TournamentCommand::ALL.iter().map(|c| (c.name(), c.needs())).collect();
    let rule = " --- |".repeat(Role::ALL.len() + 1);
    let all = [
        ("A chouette's", "himself", table),
        ("A match's", "own match", sheet),
        ("A tournament's", "himself", tournament),
    ];
    for (of, himself, commands) in all {
        let _ = write!(text, "\n## {of} commands\n\n| command | {roles} |\n|{rule}\n");
        for (name, needs) in commands {
            let _ = write!(text, "| `{name}` |");
            for role in Role::ALL {
                match reach(needs, Roles::of(&[role])) {
                    Reach::Nobody => text.push_str(" |"),
                    Reach::Himself => {
                        let _ = write!(text, " {himself} |");
                    }
                    Reach::Anybody => text.push_str(" anybody |"),
                }
            }
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const HIDDEN: Public = Public { tables: false, standings: false };

    #[test]
    fn the_printed_table_is_this_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/permissions.md");
        if std::env::var_os("OWLBOX_BLESS").is_some_and(|value| value == "1") {
            std::fs::write(path, table_markdown()).unwrap();
        }
        let printed = std::fs::read_to_string(path).unwrap();
        assert_eq!(printed, table_markdown(), "run this test again with OWLBOX_BLESS=1");
    }

    #[test]
    fn an_admin_may_do_everything_and_a_director_what_a_scorer_may() {
        for permission in Permission::ALL {
            assert!(allows(Roles::of(&[Role::Admin]), permission), "{permission:?}");
            if allows(Roles::of(&[Role::Scorer]), permission) {
                assert!(allows(Roles::of(&[Role::Director]), permission), "{permission:?}");
            }
            assert!(!allows(Roles::NONE, permission), "{permission:?}");
        }
    }

    #[test]
    fn roles_add_up() {
        let both = Roles::of(&[Role::Treasurer, Role::Player]);
        assert!(allows(both, Permission::ViewAnyLedger) && allows(both, Permission::ActForSelf));
        assert!(!allows(both, Permission::RunChouette));
    }

    #[test]
    fn the_street_sees_what_the_settings_show_and_changes_nothing() {
        let tables = Public { tables: true, standings: false };
        let standings = Public { tables: false, standings: true };
        let seen = |public| Permission::ALL.into_iter().filter(move |p| allows_public(public, *p));
        assert_eq!(seen(HIDDEN).count(), 0);
        assert!(seen(tables).eq([Permission::ViewClub, Permission::ViewTables]));
        assert!(seen(standings).eq([Permission::ViewClub, Permission::ViewStandings]));
        assert!(Caller::SignedIn(Roles::NONE).may(Permission::ViewTables, tables));
        assert!(!Caller::Public.may(Permission::ViewTables, standings));
    }

    #[test]
    fn a_player_answers_and_takes_back_for_himself_alone() {
        use TableCommand::{
            AcceptPartnership, Beaver, Board, DeclineBox, DeclinePartnership, Double, Drop, GiveExtra,
            OpeningTie, PassExtra, Redo, Take, Undo,
        };
        for &command in TableCommand::ALL {
            let own = [
                Double,
                Take,
                Drop,
                Beaver,
                GiveExtra,
                PassExtra,
                AcceptPartnership,
                DeclinePartnership,
                DeclineBox,
                OpeningTie,
                Board,
                Undo,
                Redo,
            ];
            let own = own.contains(&command);
            let expected = if own { Reach::Himself } else { Reach::Nobody };
            assert_eq!(command.reach(Roles::of(&[Role::Player])), expected, "{command:?}");
            let books = if command == TableCommand::Pay { Reach::Anybody } else { Reach::Nobody };
            assert_eq!(command.reach(Roles::of(&[Role::Treasurer])), books, "{command:?}");
            for role in [Role::Scorer, Role::Director, Role::Admin] {
                assert_eq!(command.reach(Roles::of(&[role, Role::Player])), Reach::Anybody, "{command:?}");
            }
        }
    }

    #[test]
    fn a_player_scores_his_own_match_and_neither_rules_nor_corrects() {
        use MatchCommand::{AbandonBoard, Correct, Import, Late, Open, Pay, Penalty, Rule, RuleContest};
        for &command in MatchCommand::ALL {
            let run = [Open, Penalty, Late, Rule, RuleContest, Correct, AbandonBoard, Import, Pay]
                .contains(&command);
            let expected = if run { Reach::Nobody } else { Reach::Himself };
            assert_eq!(command.reach(Roles::of(&[Role::Player])), expected, "{command:?}");
            let books = if command == Pay { Reach::Anybody } else { Reach::Nobody };
            assert_eq!(command.reach(Roles::of(&[Role::Treasurer])), books, "{command:?}");
            for role in [Role::Scorer, Role::Director, Role::Admin] {
                assert_eq!(command.reach(Roles::of(&[role, Role::Player])), Reach::Anybody, "{command:?}");
            }
            assert_eq!(serde_json::to_value(command).unwrap(), command.name());
            assert_eq!(MatchCommand::ALL.get(command as usize), Some(&command));
        }
        assert_eq!(MatchCommand::Redo as usize + 1, MatchCommand::ALL.len());
    }

    #[test]
    fn names_are_the_json_names_and_the_lists_are_whole() {
        for permission in Permission::ALL {
            let name = serde_json::to_value(permission).unwrap();
            assert_eq!(name, permission.name());
            assert_eq!(Permission::ALL.get(permission as usize), Some(&permission));
        }
        for &command in TableCommand::ALL {
            assert_eq!(serde_json::to_value(command).unwrap(), command.name());
            assert_eq!(command.name().parse::<TableCommand>().unwrap(), command);
            assert_eq!(TableCommand::ALL.get(command as usize), Some(&command));
        }
        assert_eq!(Permission::ViewClubLog as usize + 1, Permission::ALL.len());
        assert_eq!(TableCommand::Redo as usize + 1, TableCommand::ALL.len());
        for &command in TournamentCommand::ALL {
            assert_eq!(serde_json::to_value(command).unwrap(), command.name());
            assert_eq!(command.name().parse::<TournamentCommand>().unwrap(), command);
        }
        assert_eq!(TournamentCommand::Redo as usize + 1, TournamentCommand::ALL.len());
    }
}
