//! The club as a stream of events: which players and logins there are, with which roles, the settings, and
//! the club's own sets of house rules.
//!
//! The state is cloned for every command, so what it keeps of each person is a few bytes. Names,
//! contacts and credentials are plain records elsewhere; uniqueness of names is theirs to keep.
//! Ids come in with the command.
//!
//! **A player and his login are two things.** Deactivating a player (he no longer comes) leaves his
//! login alone - an admin need not play - and deactivating a login leaves the player, whom a scorer
//! can go on acting for. A deactivated player only cannot be given a login.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray};

use super::house_rules::{MOST_RULE_SETS, RuleSetName};
use super::players::DetailField;
use super::settings::Settings;
use crate::chouette::HouseRules;
use crate::chouette::rules::Contradiction;
use crate::code::Code;
use crate::journal::{Aggregate, Inputs};
use crate::permissions::{Role, Roles};
use crate::values::{AccountId, PlayerId, Timestamp};

/// The most players a club can have, deactivated ones included.
pub const MOST_PLAYERS: usize = 100_000;
/// The most logins a club can have, deactivated ones included.
pub const MOST_ACCOUNTS: usize = 20_000;

/// What the club keeps of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerEntry {
    /// Whether he is only a guest.
    pub guest: bool,
    pub active: bool,
    /// His login, active or not.
    pub account: Option<AccountId>,
    /// Whether he was taken out of the club: no list has him, until he comes again.
    pub removed: bool,
}

/// What the club keeps of a login.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountEntry {
    /// Whose it is, if he plays.
    pub player: Option<PlayerId>,
    /// What he is in the club; never empty.
    pub roles: Roles,
    /// Whether one can sign in with it.
    pub active: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Club {
    settings: Option<Settings>,
    players: BTreeMap<PlayerId, PlayerEntry>,
    accounts: BTreeMap<AccountId, AccountEntry>,
    house_rules: BTreeMap<String, (RuleSetName, Box<HouseRules>)>,
}

/// What can be asked of the club.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are named for what they are")]
pub enum Command {
    /// Opens the club: the first command.
    Open { settings: Settings },
    /// Replaces the settings, all of them.
    ChangeSettings { settings: Settings },
    /// Adds a player whose details were recorded under a new id.
    AddPlayer { player: PlayerId, guest: bool },
    /// Notes that details of a player were changed: which ones, not to what.
    ChangePlayerDetails { player: PlayerId, fields: Vec<DetailField> },
    /// Makes a guest a member.
    MakeMember { player: PlayerId },
    /// Notes that a player no longer comes.
    DeactivatePlayer { player: PlayerId },
    /// Notes that a player comes again.
    ReactivatePlayer { player: PlayerId },
    /// Takes a player without a login out of the club: one who was never more than a name in it.
    RemovePlayer { player: PlayerId },
    /// Makes a login under a new id.
    CreateAccount { account: AccountId, player: Option<PlayerId>, roles: Roles },
    /// Replaces the roles of a login.
    ChangeAccountRoles { account: AccountId, roles: Roles },
    /// Says whose a login is, or that it is nobody's who plays.
    LinkAccount { account: AccountId, player: Option<PlayerId> },
    /// Ends all signing in with a login.
    DeactivateAccount { account: AccountId },
    /// Lets a login sign in again.
    ReactivateAccount { account: AccountId },
    /// Keeps a set of house rules under a name, in the place of the one of that name.
    SaveHouseRules { name: RuleSetName, rules: Box<HouseRules> },
    /// Gives up the set of house rules of this name.
    RemoveHouseRules { name: RuleSetName },
}

/// What can have happened to the club.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, EnumDiscriminants)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
#[strum_discriminants(
    name(EventKind),
    derive(IntoStaticStr, VariantArray),
    strum(serialize_all = "snake_case")
)]
#[strum_discriminants(doc = "What kind an event is; as text, what it is stored under.")]
#[expect(missing_docs, reason = "the fields are those of the commands")]
pub enum Event {
    /// The club was opened.
    Opened { settings: Settings },
    /// The settings are these now.
    SettingsChanged { settings: Settings },
    /// A player was added.
    PlayerAdded { player: PlayerId, guest: bool },
    /// These details of a player changed.
    PlayerDetailsChanged { player: PlayerId, fields: Vec<DetailField> },
    /// A guest became a member.
    GuestBecameMember { player: PlayerId },
    /// A player no longer comes.
    PlayerDeactivated { player: PlayerId },
    /// A player comes again.
    PlayerReactivated { player: PlayerId },
    /// A player was taken out of the club. Nothing is forgotten by it that the journal speaks of: coming again, he is the same.
    PlayerRemoved { player: PlayerId },
    /// A login was made.
    AccountCreated { account: AccountId, player: Option<PlayerId>, roles: Roles },
    /// A login has these roles now.
    AccountRolesChanged { account: AccountId, roles: Roles },
    /// A login is this player's now, or nobody's.
    AccountPlayerLinked { account: AccountId, player: Option<PlayerId> },
    /// One can no longer sign in with a login.
    AccountDeactivated { account: AccountId },
    /// One can sign in with a login again.
    AccountReactivated { account: AccountId },
    /// The club has this set of house rules under this name. It says every setting.
    HouseRulesSaved { name: RuleSetName, rules: Box<HouseRules> },
    /// The club has no set of house rules of this name any more.
    HouseRulesRemoved { name: RuleSetName },
}

/// Why the club refused a command.
///
/// In this order: if several hold, the first is told. First whether there is a club, then whether
/// what is named exists (the login before the player) or is new and may be named so, then limits, then what
/// the command itself says, then whether it changes anything, then what it would break.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are named for what they are")]
pub enum Refusal {
    /// The club was opened before.
    #[error("the club is open already")]
    AlreadyOpen,
    /// The club has not been opened.
    #[error("the club has not been opened")]
    NotOpen,
    /// There is no such login.
    #[error("there is no account {account}")]
    UnknownAccount { account: AccountId },
    /// There is no such player.
    #[error("there is no player {player}")]
    UnknownPlayer { player: PlayerId },
    /// The id of a new login is taken.
    #[error("there is an account {account} already")]
    AccountExists { account: AccountId },
    /// The id of a new player is taken.
    #[error("there is a player {player} already")]
    PlayerExists { player: PlayerId },
    /// The club has as many players as it can have.
    #[error("a club has at most {MOST_PLAYERS} players")]
    TooManyPlayers,
    /// The club has as many logins as it can have.
    #[error("a club has at most {MOST_ACCOUNTS} accounts")]
    TooManyAccounts,
    /// A login needs at least one role.
    #[error("an account has at least one role")]
    NoRoles,
    /// Everything is as the command would make it.
    #[error("that changes nothing")]
    NothingChanges,
    /// A player who no longer comes cannot be given a login.
    #[error("player {player} is not active")]
    PlayerInactive { player: PlayerId },
    /// The player has a login.
    #[error("player {player} has account {account} already")]
    PlayerHasAccount { player: PlayerId, account: AccountId },
    /// Nobody would be left who may give roles.
    #[error("account {account} is the last active admin")]
    LastAdmin { account: AccountId },
    /// There is no set of house rules of this name.
    #[error("there are no house rules called {name}")]
    UnknownHouseRules { name: RuleSetName },
    /// A set of house rules that comes with the program is called so.
    #[error("{name} is a name of the program's own")]
    NameReserved { name: RuleSetName },
    /// The club has as many sets of house rules as it can have.
    #[error("a club has at most {MOST_RULE_SETS} sets of house rules of its own")]
    TooManyHouseRules,
    /// Two settings of the set cannot stand together.
    #[error(transparent)]
    ContradictoryRules(Contradiction),
}

/// What would have been allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Allowed {
    /// So many.
    HowMany(usize),
    /// Any of these roles.
    Roles(&'static [Role]),
    /// Two settings of the house rules, but not both as they are.
    Settings([&'static str; 2]),
}

impl Refusal {
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::AlreadyOpen => Code::ClubAlreadyOpen,
            Self::NotOpen => Code::ClubNotOpen,
            Self::UnknownAccount { .. } => Code::UnknownAccount,
            Self::UnknownPlayer { .. } => Code::UnknownPlayer,
            Self::AccountExists { .. } => Code::AccountExists,
            Self::PlayerExists { .. } => Code::PlayerExists,
            Self::TooManyPlayers => Code::TooManyPlayers,
            Self::TooManyAccounts => Code::TooManyAccounts,
            Self::NoRoles => Code::NoRoles,
            Self::NothingChanges => Code::NothingChanges,
            Self::PlayerInactive { .. } => Code::PlayerInactive,
            Self::PlayerHasAccount { .. } => Code::PlayerHasAccount,
            Self::LastAdmin { .. } => Code::LastAdmin,
            Self::UnknownHouseRules { .. } => Code::UnknownHouseRules,
            Self::NameReserved { .. } => Code::NameReserved,
            Self::TooManyHouseRules => Code::TooManyHouseRules,
            Self::ContradictoryRules(_) => Code::ContradictoryRules,
        }
    }

    /// The field of the command that is at fault, if one is.
    #[must_use]
    pub const fn field(&self) -> Option<&'static str> {
        match self {
            Self::UnknownAccount { .. } | Self::AccountExists { .. } | Self::LastAdmin { .. } => {
                Some("account")
            }
            Self::UnknownPlayer { .. }
            | Self::PlayerExists { .. }
            | Self::PlayerInactive { .. }
            | Self::PlayerHasAccount { .. } => Some("player"),
            Self::NoRoles => Some("roles"),
            Self::UnknownHouseRules { .. } | Self::NameReserved { .. } => Some("name"),
            Self::ContradictoryRules(contradiction) => Some(contradiction.one),
            Self::AlreadyOpen
            | Self::NotOpen
            | Self::TooManyPlayers
            | Self::TooManyAccounts
            | Self::TooManyHouseRules
            | Self::NothingChanges => None,
        }
    }

    /// What would have been allowed; `None` if nothing would.
    #[must_use]
    pub fn allowed(&self) -> Option<Allowed> {
        Some(match self {
            Self::TooManyPlayers => Allowed::HowMany(MOST_PLAYERS),
            Self::TooManyAccounts => Allowed::HowMany(MOST_ACCOUNTS),
            Self::TooManyHouseRules => Allowed::HowMany(MOST_RULE_SETS),
            Self::NoRoles => Allowed::Roles(&Role::ALL),
            Self::ContradictoryRules(contradiction) => {
                Allowed::Settings([contradiction.one, contradiction.other])
            }
            Self::AlreadyOpen
            | Self::NotOpen
            | Self::UnknownAccount { .. }
            | Self::UnknownPlayer { .. }
            | Self::AccountExists { .. }
            | Self::PlayerExists { .. }
            | Self::NothingChanges
            | Self::PlayerInactive { .. }
            | Self::PlayerHasAccount { .. }
            | Self::LastAdmin { .. }
            | Self::UnknownHouseRules { .. }
            | Self::NameReserved { .. } => return None,
        })
    }
}

impl Club {
    /// The settings, once the club is open.
    #[must_use]
    pub const fn settings(&self) -> Option<&Settings> {
        self.settings.as_ref()
    }

    /// What the club keeps of a player.
    #[must_use]
    pub fn player(&self, player: PlayerId) -> Option<PlayerEntry> {
        self.players.get(&player).copied()
    }

    /// What the club keeps of a login.
    #[must_use]
    pub fn account(&self, account: AccountId) -> Option<AccountEntry> {
        self.accounts.get(&account).copied()
    }

    pub fn players(&self) -> impl Iterator<Item = (PlayerId, PlayerEntry)> {
        self.players.iter().map(|(id, entry)| (*id, *entry))
    }

    pub fn accounts(&self) -> impl Iterator<Item = (AccountId, AccountEntry)> {
        self.accounts.iter().map(|(id, entry)| (*id, *entry))
    }

    /// The club's own sets of house rules, by name.
    pub fn own_rule_sets(&self) -> impl Iterator<Item = (&RuleSetName, &HouseRules)> {
        self.house_rules.values().map(|(name, rules)| (name, &**rules))
    }

    /// Whether there is an active admin: until there is, the club waits to be set up.
    #[must_use]
    pub fn has_admin(&self) -> bool {
        self.accounts.values().any(AccountEntry::is_active_admin)
    }

    /// Those who were taken out of the club.
    pub fn removed_players(&self) -> impl Iterator<Item = PlayerId> {
        self.players.iter().filter(|(_, entry)| entry.removed).map(|(player, _)| *player)
    }

    fn known_player(&self, player: PlayerId) -> Result<PlayerEntry, Refusal> {
        self.player(player).ok_or(Refusal::UnknownPlayer { player })
    }

    fn known_account(&self, account: AccountId) -> Result<AccountEntry, Refusal> {
        self.account(account).ok_or(Refusal::UnknownAccount { account })
    }

    /// Refuses to give `player` a login unless he is active and has none.
    fn can_be_given_a_login(player: PlayerId, entry: PlayerEntry) -> Result<(), Refusal> {
        match entry {
            PlayerEntry { active: false, .. } => Err(Refusal::PlayerInactive { player }),
            PlayerEntry { account: Some(account), .. } => Err(Refusal::PlayerHasAccount { player, account }),
            PlayerEntry { .. } => Ok(()),
        }
    }

    /// Refuses to end the last active admin.
    fn admin_remains_without(&self, account: AccountId) -> Result<(), Refusal> {
        let is_admin = |id: &AccountId| self.accounts.get(id).is_some_and(AccountEntry::is_active_admin);
        let another = || self.accounts.iter().any(|(id, entry)| *id != account && entry.is_active_admin());
        if is_admin(&account) && !another() { Err(Refusal::LastAdmin { account }) } else { Ok(()) }
    }

    fn create_account(
        &self,
        account: AccountId,
        player: Option<PlayerId>,
        roles: Roles,
    ) -> Result<Event, Refusal> {
        let person = player.map(|id| self.known_player(id).map(|entry| (id, entry))).transpose()?;
        if self.accounts.contains_key(&account) {
            return Err(Refusal::AccountExists { account });
        }
        if self.accounts.len() >= MOST_ACCOUNTS {
            return Err(Refusal::TooManyAccounts);
        }
        if roles.is_empty() {
            return Err(Refusal::NoRoles);
        }
        if let Some((id, entry)) = person {
            Self::can_be_given_a_login(id, entry)?;
        }
        Ok(Event::AccountCreated { account, player, roles })
    }

    fn change_roles(&self, account: AccountId, roles: Roles) -> Result<Event, Refusal> {
        let entry = self.known_account(account)?;
        if roles.is_empty() {
            return Err(Refusal::NoRoles);
        }
        changes(entry.roles != roles)?;
        if !roles.contains(Role::Admin) {
            self.admin_remains_without(account)?;
        }
        Ok(Event::AccountRolesChanged { account, roles })
    }

    fn link_account(&self, account: AccountId, player: Option<PlayerId>) -> Result<Event, Refusal> {
        let entry = self.known_account(account)?;
        let person = player.map(|id| self.known_player(id).map(|entry| (id, entry))).transpose()?;
        changes(entry.player != player)?;
        if let Some((id, entry)) = person {
            Self::can_be_given_a_login(id, entry)?;
        }
        Ok(Event::AccountPlayerLinked { account, player })
    }

    fn add_player(&self, player: PlayerId, guest: bool) -> Result<Event, Refusal> {
        if self.players.contains_key(&player) {
            return Err(Refusal::PlayerExists { player });
        }
        if self.players.len() >= MOST_PLAYERS {
            return Err(Refusal::TooManyPlayers);
        }
        Ok(Event::PlayerAdded { player, guest })
    }

    fn remove_player(&self, player: PlayerId) -> Result<Event, Refusal> {
        let entry = self.known_player(player)?;
        changes(!entry.removed)?;
        match entry.account {
            Some(account) => Err(Refusal::PlayerHasAccount { player, account }),
            None => Ok(Event::PlayerRemoved { player }),
        }
    }

    fn change_details(&self, player: PlayerId, fields: &[DetailField]) -> Result<Event, Refusal> {
        self.known_player(player)?;
        changes(!fields.is_empty())?;
        let mut fields = fields.to_vec();
        fields.sort_unstable();
        fields.dedup();
        Ok(Event::PlayerDetailsChanged { player, fields })
    }

    fn save_house_rules(&self, name: &RuleSetName, rules: &HouseRules) -> Result<Event, Refusal> {
        if name.is_reserved() {
            return Err(Refusal::NameReserved { name: name.clone() });
        }
        let before = self.house_rules.get(&name.key());
        if before.is_none() && self.house_rules.len() >= MOST_RULE_SETS {
            return Err(Refusal::TooManyHouseRules);
        }
        rules.check().map_err(Refusal::ContradictoryRules)?;
        changes(before.is_none_or(|(called, now)| called != name || **now != *rules))?;
        Ok(Event::HouseRulesSaved { name: name.clone(), rules: Box::new(rules.clone()) })
    }

    fn remove_house_rules(&self, name: &RuleSetName) -> Result<Event, Refusal> {
        match self.house_rules.get(&name.key()) {
            Some((called, _)) => Ok(Event::HouseRulesRemoved { name: called.clone() }),
            None if name.is_reserved() => Err(Refusal::NameReserved { name: name.clone() }),
            None => Err(Refusal::UnknownHouseRules { name: name.clone() }),
        }
    }

    /// Takes note of whose a login is, on both sides.
    fn link(&mut self, account: AccountId, player: Option<PlayerId>) {
        let before =
            self.accounts.get_mut(&account).and_then(|entry| std::mem::replace(&mut entry.player, player));
        if let Some(entry) = before.and_then(|id| self.players.get_mut(&id)) {
            entry.account = None;
        }
        if let Some(entry) = player.and_then(|id| self.players.get_mut(&id)) {
            entry.account = Some(account);
        }
    }
}

impl AccountEntry {
    /// Whether one can sign in with it as an admin.
    #[must_use]
    pub const fn is_active_admin(&self) -> bool {
        self.active && self.roles.contains(Role::Admin)
    }
}

/// Refuses a command that would change nothing.
const fn changes(anything: bool) -> Result<(), Refusal> {
    if anything { Ok(()) } else { Err(Refusal::NothingChanges) }
}

impl Aggregate for Club {
    type Command = Command;
    type Event = Event;
    type Kind = EventKind;
    type Refusal = Refusal;
    const KIND: &'static str = "club";
    /// 2: decided again by whoever verifies.
    const FORMAT: i16 = 2;
    const SAME_FORM_SINCE: i16 = 1;

    fn initial() -> Self {
        Self {
            settings: None,
            players: BTreeMap::new(),
            accounts: BTreeMap::new(),
            house_rules: BTreeMap::new(),
        }
    }

    fn decide(&self, command: &Command, _: &mut Inputs<'_>) -> Result<Vec<Event>, Refusal> {
        let now = match (&self.settings, command) {
            (None, Command::Open { settings }) => {
                return Ok(vec![Event::Opened { settings: settings.clone() }]);
            }
            (None, _) => return Err(Refusal::NotOpen),
            (Some(settings), _) => settings,
        };
        let event = match *command {
            Command::Open { .. } => return Err(Refusal::AlreadyOpen),
            Command::ChangeSettings { ref settings } => {
                changes(settings != now)?;
                Event::SettingsChanged { settings: settings.clone() }
            }
            Command::AddPlayer { player, guest } => self.add_player(player, guest)?,
            Command::ChangePlayerDetails { player, ref fields } => self.change_details(player, fields)?,
            Command::MakeMember { player } => {
                changes(self.known_player(player)?.guest)?;
                Event::GuestBecameMember { player }
            }
            Command::DeactivatePlayer { player } => {
                changes(self.known_player(player)?.active)?;
                Event::PlayerDeactivated { player }
            }
            Command::ReactivatePlayer { player } => {
                changes(!self.known_player(player)?.active)?;
                Event::PlayerReactivated { player }
            }
            Command::RemovePlayer { player } => self.remove_player(player)?,
            Command::CreateAccount { account, player, roles } => {
                self.create_account(account, player, roles)?
            }
            Command::ChangeAccountRoles { account, roles } => self.change_roles(account, roles)?,
            Command::LinkAccount { account, player } => self.link_account(account, player)?,
            Command::DeactivateAccount { account } => {
                changes(self.known_account(account)?.active)?;
                self.admin_remains_without(account)?;
                Event::AccountDeactivated { account }
            }
            Command::ReactivateAccount { account } => {
                changes(!self.known_account(account)?.active)?;
                Event::AccountReactivated { account }
            }
            Command::SaveHouseRules { ref name, ref rules } => self.save_house_rules(name, rules)?,
            Command::RemoveHouseRules { ref name } => self.remove_house_rules(name)?,
        };
        Ok(vec![event])
    }

    fn apply(&mut self, event: &Event, _: Timestamp) {
        match *event {
            Event::Opened { ref settings } | Event::SettingsChanged { ref settings } => {
                self.settings = Some(settings.clone());
            }
            Event::PlayerAdded { player, guest } => {
                self.players
                    .insert(player, PlayerEntry { guest, active: true, account: None, removed: false });
            }
            Event::PlayerDetailsChanged { .. } => {}
            Event::GuestBecameMember { player } => {
                self.players.entry(player).and_modify(|entry| entry.guest = false);
            }
            Event::PlayerDeactivated { player } => {
                self.players.entry(player).and_modify(|entry| entry.active = false);
            }
            Event::PlayerReactivated { player } => {
                self.players.entry(player).and_modify(|entry| (entry.active, entry.removed) = (true, false));
            }
            Event::PlayerRemoved { player } => {
                self.players.entry(player).and_modify(|entry| (entry.active, entry.removed) = (false, true));
            }
            Event::AccountCreated { account, player, roles } => {
                self.accounts.insert(account, AccountEntry { player: None, roles, active: true });
                self.link(account, player);
            }
            Event::AccountRolesChanged { account, roles } => {
                self.accounts.entry(account).and_modify(|entry| entry.roles = roles);
            }
            Event::AccountPlayerLinked { account, player } => self.link(account, player),
            Event::AccountDeactivated { account } => {
                self.accounts.entry(account).and_modify(|entry| entry.active = false);
            }
            Event::AccountReactivated { account } => {
                self.accounts.entry(account).and_modify(|entry| entry.active = true);
            }
            Event::HouseRulesSaved { ref name, ref rules } => {
                self.house_rules.insert(name.key(), (name.clone(), rules.clone()));
            }
            Event::HouseRulesRemoved { ref name } => {
                self.house_rules.remove(&name.key());
            }
        }
    }
}

mod asked;
#[cfg(test)]
mod tests;
