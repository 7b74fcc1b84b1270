//! Who may do what: the club's one table of permissions and roles.
//!
//! Every "may they?" is answered here; `docs/permissions.md` prints this table, with what each command
//! requires. Whether a thing is somebody's *own* (their answer, ledger, last act) is for the caller of this
//! module to decide. What an API token takes away again is in [`scopes`].

mod commands;
mod roles;
pub mod scopes;

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

pub use commands::{CommandKind, Needs, OrderKind, Scope};
pub use roles::{Role, Roles};

/// Something that can be done in the club.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, IntoStaticStr)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Permission {
    /// See the club's name, time zone and currencies.
    ViewClub,
    /// See the tables of the night and the matches, their state, log and live stream.
    ViewTables,
    /// See the standings of a night, and points wherever else they stand: in a table's log, in money
    /// sessions.
    ViewStandings,
    /// See what players owe and pay each other: who pays whom after a night, payments in a table's log.
    ViewPayments,
    /// See tournaments and matches: draws, brackets, results, the room.
    ViewTournaments,
    /// See who plays at the club: names, nicknames, countries, clubs.
    ViewPlayers,
    /// See players' contacts and notes.
    ViewContacts,
    /// Sign out everywhere, change their own password, make and revoke their own API tokens, have handed out
    /// all data about them; change their own nickname, country, home club, contact and IBAN.
    ManageOwnAccount,
    /// See their own ledger.
    ViewOwnLedger,
    /// See the ledger of every player.
    ViewAnyLedger,
    /// At the table: their own doubles and answers. In their own match: its games, and their own side of the
    /// board and of the clock. Undo their own last acts.
    ActForSelf,
    /// Open a chouette for the night.
    OpenChouette,
    /// At the table: act for anybody, and undo any acts.
    RunChouette,
    /// Open a match; score it for anybody, give penalties, rule, correct, import a file, and undo any acts.
    /// At tournaments: enter results, call matches, check players in.
    RunMatch,
    /// Record what players pay each other or the house: at a table, for a whole night, at a tournament.
    RecordPayments,
    /// Keep the daybook: payments outside the tables, fees, adjustments, expenses, counts; close months.
    /// Export the books.
    KeepBooks,
    /// Open a closed month again.
    ReopenBooks,
    /// Open tournaments and direct them.
    RunTournaments,
    /// Name the directors of a tournament, and undo or redo it.
    NameDirectors,
    /// Add a guest who turns up at the table.
    AddGuests,
    /// Add players, change their details, deactivate and reactivate them.
    ManagePlayers,
    /// Create, invite, link and deactivate logins, and assign roles.
    ManageAccounts,
    /// Save and remove the club's own sets of house rules.
    ManageHouseRules,
    /// Change the settings of the club.
    ChangeSettings,
    /// Hand out all data about a person, and erase it.
    ManagePersonalData,
    /// Read the club's own log: who changed which players, logins and settings.
    ViewClubLog,
}

/// What is shown to visitors who have not signed in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Public {
    /// The tables of the night: who plays, cubes, the log.
    pub tables: bool,
    /// The standings of a night, and points wherever else they stand.
    pub standings: bool,
}

/// When a visitor who has not signed in has a permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PublicWhen {
    Never,
    TablesArePublic,
    StandingsArePublic,
    AnythingIsPublic,
}

/// What a token that has scopes must be for to use a permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenUse {
    /// Every scope reads.
    Reading,
    Tables,
    /// Giving commands in the area where it is used.
    Commands,
    /// The same, but at no table.
    CommandsToMatches,
    /// The same, but at a tournament alone.
    CommandsToTournaments,
    Books,
    BooksOrCommands,
    /// No token with scopes uses it. It lets its owner do what outlasts the token (other tokens, links,
    /// passwords, roles), what is forever, or what is the club's own.
    Nothing,
}

impl Permission {
    /// Every permission, in the order of the printed table.
    pub const ALL: [Self; 26] = [
        Self::ViewClub,
        Self::ViewTables,
        Self::ViewStandings,
        Self::ViewPayments,
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
        Self::KeepBooks,
        Self::ReopenBooks,
        Self::RunTournaments,
        Self::NameDirectors,
        Self::AddGuests,
        Self::ManagePlayers,
        Self::ManageAccounts,
        Self::ManageHouseRules,
        Self::ChangeSettings,
        Self::ManagePersonalData,
        Self::ViewClubLog,
    ];

    /// The table itself: which roles have it, when everybody has it, and what a token must be for to use it.
    /// An admin may do everything, and a director everything a scorer may; a test checks both.
    const fn granted(self) -> (&'static [Role], PublicWhen, TokenUse) {
        use PublicWhen::{AnythingIsPublic, Never, StandingsArePublic, TablesArePublic};
        use Role::{Admin, Director, Scorer, Treasurer};
        match self {
            Self::ViewClub => (&Role::ALL, AnythingIsPublic, TokenUse::Reading),
            Self::ViewTables => (&Role::ALL, TablesArePublic, TokenUse::Reading),
            Self::ViewStandings => (&Role::ALL, StandingsArePublic, TokenUse::Reading),
            Self::ViewPayments | Self::ViewTournaments | Self::ViewPlayers | Self::ViewOwnLedger => {
                (&Role::ALL, Never, TokenUse::Reading)
            }
            Self::ManageOwnAccount => (&Role::ALL, Never, TokenUse::Nothing),
            Self::ViewContacts => (&[Admin, Director, Treasurer], Never, TokenUse::Reading),
            Self::ViewAnyLedger => (&[Admin, Treasurer], Never, TokenUse::Reading),
            Self::KeepBooks => (&[Admin, Treasurer], Never, TokenUse::Books),
            Self::RecordPayments => (&[Admin, Director, Treasurer, Scorer], Never, TokenUse::BooksOrCommands),
            Self::ActForSelf => (&[Admin, Director, Scorer, Role::Player], Never, TokenUse::Commands),
            Self::OpenChouette | Self::RunChouette | Self::AddGuests => {
                (&[Admin, Director, Scorer], Never, TokenUse::Tables)
            }
            Self::RunMatch => (&[Admin, Director, Scorer], Never, TokenUse::CommandsToMatches),
            Self::RunTournaments => (&[Admin, Director], Never, TokenUse::CommandsToTournaments),
            Self::NameDirectors | Self::ManagePlayers | Self::ManageHouseRules => {
                (&[Admin, Director], Never, TokenUse::Nothing)
            }
            Self::ViewClubLog => (&[Admin], Never, TokenUse::Reading),
            Self::ReopenBooks | Self::ManageAccounts | Self::ChangeSettings | Self::ManagePersonalData => {
                (&[Admin], Never, TokenUse::Nothing)
            }
        }
    }

    /// The name in JSON, problems and documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.into_str()
    }

    /// The roles that have the permission, as a problem's `allowed` shows them.
    #[must_use]
    pub const fn roles(self) -> Roles {
        Roles::from_roles(self.granted().0)
    }
}

/// Whether a caller signed in with `roles` has `permission`.
#[must_use]
pub const fn allows(roles: Roles, permission: Permission) -> bool {
    roles.intersects(permission.roles())
}

/// Whether a visitor who has not signed in has `permission`, under the club's settings.
#[must_use]
pub const fn allows_public(public: Public, permission: Permission) -> bool {
    match permission.granted().1 {
        PublicWhen::Never => false,
        PublicWhen::TablesArePublic => public.tables,
        PublicWhen::StandingsArePublic => public.standings,
        PublicWhen::AnythingIsPublic => public.tables || public.standings,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HIDDEN: Public = Public { tables: false, standings: false };

    #[test]
    fn an_admin_may_do_everything_and_a_director_what_a_scorer_may() {
        for permission in Permission::ALL {
            assert!(allows(Roles::from_roles(&[Role::Admin]), permission), "{permission:?}");
            if allows(Roles::from_roles(&[Role::Scorer]), permission) {
                assert!(allows(Roles::from_roles(&[Role::Director]), permission), "{permission:?}");
            }
            assert!(!allows(Roles::NONE, permission), "{permission:?}");
        }
    }

    #[test]
    fn roles_add_up() {
        let both = Roles::from_roles(&[Role::Treasurer, Role::Player]);
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
    }

    #[test]
    fn names_are_the_json_names_and_the_lists_are_whole() {
        for permission in Permission::ALL {
            let name = serde_json::to_value(permission).unwrap();
            assert_eq!(name, permission.name());
            assert_eq!(Permission::ALL.get(permission as usize), Some(&permission));
        }
        assert_eq!(Permission::ViewClubLog as usize + 1, Permission::ALL.len());
    }
}
