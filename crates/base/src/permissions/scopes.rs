//! What an API token may be used for. A token never adds to what its login may do, it only takes away: every
//! permission is asked of [`Powers`], which has the login's roles and the token's scopes, in the area where
//! it is used.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::commands::{Needs, Scope};
use super::{Permission, Role, Roles, TokenUse, allows};
use crate::values::{InvalidValue, TournamentId};

/// One thing that an API token may be used for. Every scope reads what the login may read.
///
/// In JSON and in the database a word: `read`, `tables`, `matches`, `books`, or `tournament:` and the
/// tournament's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum TokenScope {
    /// Nothing but reading.
    Read,
    /// Open chouettes and give them commands, settle up a night, add guests.
    Tables,
    /// Open matches and give them commands, also those of tournaments.
    Matches,
    /// The commands of this tournament, and those of its matches.
    Tournament(TournamentId),
    /// Record in the books what a treasurer records.
    Books,
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for TokenScope {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::schema::{ObjectBuilder, Type};
        let pattern = "^(read|tables|matches|books|tournament:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$";
        let about = "What an API token may be used for: `read`, `tables`, `matches`, `books`, or `tournament:` and the id of one.";
        let text = ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern));
        text.description(Some(about)).examples(["tables"]).build().into()
    }
}
#[cfg(feature = "schema")]
impl utoipa::ToSchema for TokenScope {
    fn name() -> std::borrow::Cow<'static, str> {
        "TokenScope".into()
    }
}

const UNKNOWN_SCOPE: InvalidValue =
    InvalidValue { what: "scope", allowed: "read, tables, matches, books, or tournament: and its id" };
const NOT_SCOPES: InvalidValue =
    InvalidValue { what: "scopes", allowed: "at least one, and at most one tournament" };

impl fmt::Display for TokenScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read => f.write_str("read"),
            Self::Tables => f.write_str("tables"),
            Self::Matches => f.write_str("matches"),
            Self::Tournament(id) => write!(f, "tournament:{id}"),
            Self::Books => f.write_str("books"),
        }
    }
}

impl FromStr for TokenScope {
    type Err = InvalidValue;
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        match text {
            "read" => Ok(Self::Read),
            "tables" => Ok(Self::Tables),
            "matches" => Ok(Self::Matches),
            "books" => Ok(Self::Books),
            _ => {
                let id = text.strip_prefix("tournament:").and_then(|id| id.parse().ok());
                // One spelling of each: what is stored is compared as text.
                let scope = id.map(|id| Self::Tournament(TournamentId(id)));
                scope.filter(|scope| scope.to_string() == text).ok_or(UNKNOWN_SCOPE)
            }
        }
    }
}

impl TryFrom<String> for TokenScope {
    type Error = InvalidValue;
    fn try_from(text: String) -> Result<Self, InvalidValue> {
        text.parse()
    }
}
impl From<TokenScope> for String {
    fn from(scope: TokenScope) -> Self {
        scope.to_string()
    }
}

/// How many scopes a list may have, some of them more than once.
const MOST_SCOPES: usize = 10;

/// The scopes of a token: at least one, and at most one tournament. It may what any of them may, so it always
/// reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<TokenScope>", into = "Vec<TokenScope>")]
pub struct TokenScopes {
    tables: bool,
    matches: bool,
    books: bool,
    tournament: Option<TournamentId>,
}

impl TokenScopes {
    /// Nothing but reading.
    pub const READ: Self = Self { tables: false, matches: false, books: false, tournament: None };

    /// The one tournament to which the token may give commands, if there is one.
    #[must_use]
    pub const fn tournament(self) -> Option<TournamentId> {
        self.tournament
    }

    /// The scopes in one order, beginning with `read`.
    pub fn iter(self) -> impl Iterator<Item = TokenScope> {
        let chosen = [
            Some(TokenScope::Read),
            self.tables.then_some(TokenScope::Tables),
            self.matches.then_some(TokenScope::Matches),
            self.tournament.map(TokenScope::Tournament),
            self.books.then_some(TokenScope::Books),
        ];
        chosen.into_iter().flatten()
    }

    /// Whether a token with these scopes may use the permission in this area, if its login has it.
    fn cover(self, permission: Permission, area: Area) -> bool {
        match permission.granted().2 {
            TokenUse::Reading => true,
            TokenUse::Tables => self.tables,
            TokenUse::Commands => self.act_at(area),
            TokenUse::CommandsToMatches => area != Area::Table && self.act_at(area),
            TokenUse::CommandsToTournaments => {
                self.tournament.is_some_and(|own| area == Area::Tournament(own))
            }
            TokenUse::Books => self.books,
            TokenUse::BooksOrCommands => self.books || self.act_at(area),
            TokenUse::Nothing => false,
        }
    }

    /// Whether commands may be given in this area at all.
    fn act_at(self, area: Area) -> bool {
        match area {
            Area::Club => false,
            Area::Table => self.tables,
            Area::Match(None) => self.matches,
            Area::Match(Some(of)) => self.matches || self.tournament == Some(of),
            Area::Tournament(id) => self.tournament == Some(id),
        }
    }

    /// The areas in which a token with these scopes may give commands, and the club.
    fn areas(self) -> impl Iterator<Item = Area> {
        [Area::Club, Area::Table, Area::Match(None)].into_iter().chain(self.tournament.map(Area::Tournament))
    }
}

impl TryFrom<Vec<TokenScope>> for TokenScopes {
    type Error = InvalidValue;
    fn try_from(scopes: Vec<TokenScope>) -> Result<Self, InvalidValue> {
        let mut all = Self::READ;
        for scope in &scopes {
            match *scope {
                TokenScope::Read => {}
                TokenScope::Tables => all.tables = true,
                TokenScope::Matches => all.matches = true,
                TokenScope::Books => all.books = true,
                TokenScope::Tournament(id) if all.tournament.is_none_or(|other| other == id) => {
                    all.tournament = Some(id);
                }
                TokenScope::Tournament(_) => return Err(NOT_SCOPES),
            }
        }
        if scopes.is_empty() || scopes.len() > MOST_SCOPES { Err(NOT_SCOPES) } else { Ok(all) }
    }
}
impl From<TokenScopes> for Vec<TokenScope> {
    fn from(scopes: TokenScopes) -> Self {
        scopes.iter().collect()
    }
}

/// As they are stored: words with a space between them.
impl fmt::Display for TokenScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.iter().map(String::from).collect();
        f.write_str(&words.join(" "))
    }
}
impl FromStr for TokenScopes {
    type Err = InvalidValue;
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        text.split_whitespace().map(str::parse).collect::<Result<Vec<TokenScope>, _>>()?.try_into()
    }
}

/// Where a permission is used. It matters to tokens alone: their scopes are about one kind of stream, or one
/// tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// Anywhere else.
    Club,
    /// At chouettes.
    Table,
    /// At a match, which may be one of a tournament.
    Match(Option<TournamentId>),
    Tournament(TournamentId),
}

/// What a caller may do: what the roles of their login allow, within the scopes of the token that they came
/// with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Powers {
    roles: Roles,
    /// `None` for everything that the roles allow.
    scopes: Option<TokenScopes>,
}

impl Powers {
    #[must_use]
    pub const fn new(roles: Roles, scopes: Option<TokenScopes>) -> Self {
        Self { roles, scopes }
    }

    /// The roles of the login, whatever the token leaves of them.
    #[must_use]
    pub const fn roles(self) -> Roles {
        self.roles
    }

    /// The scopes of the token; `None` if there is no token, or it may do everything that the login may.
    #[must_use]
    pub const fn scopes(self) -> Option<TokenScopes> {
        self.scopes
    }

    /// The same with another role, within the same scopes.
    #[must_use]
    pub const fn and(self, role: Role) -> Self {
        Self { roles: self.roles.and(role), scopes: self.scopes }
    }

    /// For deciding what is shown: every scope reads what the login may read.
    #[must_use]
    pub const fn to_read(self) -> Self {
        Self { roles: self.roles, scopes: None }
    }

    /// What is left of it in this area.
    #[must_use]
    pub const fn at(self, area: Area) -> LocalPowers {
        LocalPowers { powers: self, area }
    }

    /// Every permission that the caller can use somewhere.
    pub fn permissions(self) -> impl Iterator<Item = Permission> {
        let areas: Vec<Area> = self.scopes.map_or(vec![Area::Club], |scopes| scopes.areas().collect());
        let somewhere =
            move |permission: &Permission| areas.iter().any(|at| self.at(*at).allows(*permission));
        Permission::ALL.into_iter().filter(somewhere)
    }
}

impl From<Roles> for Powers {
    fn from(roles: Roles) -> Self {
        Self::new(roles, None)
    }
}

/// What a caller may do in one area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalPowers {
    powers: Powers,
    area: Area,
}

impl LocalPowers {
    /// Whether the caller has the permission here.
    #[must_use]
    pub fn allows(self, permission: Permission) -> bool {
        let Powers { roles, scopes } = self.powers;
        allows(roles, permission) && scopes.is_none_or(|scopes| scopes.cover(permission, self.area))
    }

    /// The scopes with which the token could do this, if nothing but its scopes is in the way; empty if no
    /// token with scopes can.
    #[must_use]
    pub fn lacks(self, needs: Needs) -> Option<Vec<TokenScope>> {
        let Powers { roles, scopes } = self.powers;
        scopes?;
        let would = |scopes| needs.scope(Powers::new(roles, scopes).at(self.area)) != Scope::Nobody;
        let of_area = match self.area {
            Area::Match(Some(id)) | Area::Tournament(id) => Some(TokenScope::Tournament(id)),
            Area::Club | Area::Table | Area::Match(None) => None,
        };
        let candidates =
            [TokenScope::Tables, TokenScope::Matches, TokenScope::Books].into_iter().chain(of_area);
        let enough = |scope: &TokenScope| vec![*scope].try_into().is_ok_and(|scopes| would(Some(scopes)));
        would(None).then(|| candidates.filter(enough).collect())
    }
}

/// A login without a token may do the same everywhere.
impl From<Roles> for LocalPowers {
    fn from(roles: Roles) -> Self {
        Powers::from(roles).at(Area::Club)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn scopes(text: &str) -> TokenScopes {
        text.parse().unwrap()
    }

    const CUP: TournamentId = TournamentId(Uuid::from_u128(1));
    const OTHER: TournamentId = TournamentId(Uuid::from_u128(2));
    const AREAS: [Area; 6] = [
        Area::Club,
        Area::Table,
        Area::Match(None),
        Area::Match(Some(CUP)),
        Area::Match(Some(OTHER)),
        Area::Tournament(CUP),
    ];

    fn every_scope() -> [TokenScopes; 6] {
        let of_cup = format!("tournament:{CUP}");
        let all = format!("tables matches books {of_cup}");
        ["read", "tables", "matches", "books", &of_cup, &all].map(scopes)
    }

    #[test]
    fn scopes_never_add_to_what_a_login_may() {
        for bits in 0..32 {
            let roles = Roles::from_bits(bits).unwrap();
            for scopes in every_scope() {
                for area in AREAS {
                    for permission in Permission::ALL {
                        let within = Powers::new(roles, Some(scopes)).at(area).allows(permission);
                        assert!(!within || allows(roles, permission), "{roles:?} {scopes} {permission:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_scope_reads_and_read_does_nothing_else() {
        for permission in Permission::ALL {
            let is_view = permission.name().starts_with("view_");
            for area in AREAS {
                assert_eq!(TokenScopes::READ.cover(permission, area), is_view, "{permission:?} {area:?}");
                for scopes in every_scope().into_iter().filter(|_| is_view) {
                    assert!(scopes.cover(permission, area), "{scopes} {permission:?} {area:?}");
                }
            }
        }
    }

    #[test]
    fn several_scopes_may_what_any_of_them_may() {
        let [read, tables, matches, books, of_cup, all] = every_scope();
        for permission in Permission::ALL {
            for area in AREAS {
                let any = [read, tables, matches, books, of_cup].map(|one| one.cover(permission, area));
                assert_eq!(all.cover(permission, area), any.contains(&true), "{permission:?} {area:?}");
            }
        }
    }

    #[test]
    fn no_scope_has_what_outlasts_a_token() {
        let never = [
            Permission::ManageOwnAccount,
            Permission::NameDirectors,
            Permission::ManageAccounts,
            Permission::ChangeSettings,
            Permission::ManagePersonalData,
        ];
        let [.., all] = every_scope();
        for (permission, area) in never.into_iter().flat_map(|one| AREAS.map(|area| (one, area))) {
            assert!(!all.cover(permission, area), "{permission:?} {area:?}");
        }
    }

    #[test]
    fn a_tournaments_scope_ends_at_the_tournament() {
        let [_, _, matches, _, of_cup, _] = every_scope();
        let run = |scopes: TokenScopes, area| scopes.cover(Permission::RunMatch, area);
        assert!(run(of_cup, Area::Tournament(CUP)) && run(of_cup, Area::Match(Some(CUP))));
        for elsewhere in [Area::Tournament(OTHER), Area::Match(Some(OTHER)), Area::Match(None), Area::Club] {
            assert!(!run(of_cup, elsewhere), "{elsewhere:?}");
        }
        assert!(run(matches, Area::Match(Some(CUP))) && !run(matches, Area::Tournament(CUP)));
    }

    #[test]
    fn a_caller_is_told_of_no_permission_that_is_used_nowhere() {
        let of = |scopes: &str| {
            let permissions = Powers::new(Roles::ALL, Some(scopes.parse().unwrap())).permissions();
            permissions.filter(|one| !one.name().starts_with("view_")).collect::<Vec<_>>()
        };
        assert_eq!(of("read"), []);
        let tables = [
            Permission::ActForSelf,
            Permission::OpenChouette,
            Permission::RunChouette,
            Permission::RecordPayments,
            Permission::AddGuests,
        ];
        assert_eq!(of("tables"), tables);
        let matches = [Permission::ActForSelf, Permission::RunMatch, Permission::RecordPayments];
        assert_eq!(of("matches"), matches);
        let all = Powers::from(Roles::ALL).permissions();
        assert!(all.eq(Permission::ALL));
    }

    #[test]
    fn scopes_are_read_as_they_are_written() {
        for scopes in every_scope() {
            assert_eq!(scopes.to_string().parse::<TokenScopes>().unwrap(), scopes);
            let json = serde_json::to_string(&scopes).unwrap();
            assert_eq!(serde_json::from_str::<TokenScopes>(&json).unwrap(), scopes, "{json}");
        }
        assert_eq!(scopes("books tables").to_string(), "read tables books");
        let upper = format!("tournament:{}", Uuid::from_u128(0xAB).to_string().to_uppercase());
        let two = format!("tournament:{CUP} tournament:{OTHER}");
        for bad in ["", "write", "Read", "tournament", "tournament:", "tournament:1", &upper, &two] {
            assert!(bad.parse::<TokenScopes>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_refusal_knows_which_scopes_would_do() {
        let admin = |scopes: &str| Powers::new(Roles::ALL, Some(scopes.parse().unwrap()));
        let pays = Needs::only(Permission::RecordPayments);
        let lacks = |area| admin("read").at(area).lacks(pays);
        assert_eq!(lacks(Area::Table), Some(vec![TokenScope::Tables, TokenScope::Books]));
        assert_eq!(lacks(Area::Tournament(CUP)), Some(vec![TokenScope::Books, TokenScope::Tournament(CUP)]));
        let accounts = Needs::only(Permission::ManageAccounts);
        assert_eq!(admin("read books").at(Area::Club).lacks(accounts), Some(vec![]));
        let player = Roles::from_roles(&[Role::Player]);
        let of_player = Powers::new(player, Some(TokenScopes::READ));
        assert_eq!(of_player.at(Area::Club).lacks(accounts), None, "the login may not either");
        assert_eq!(Powers::from(player).at(Area::Club).lacks(pays), None);
    }
}
