//! The club as a stream of events: its players, its logins with their roles, the settings, and the club's own
//! sets of house rules.
//!
//! The state is cloned for every command, so it keeps only a few bytes for each person. Names, contacts and
//! credentials are plain records elsewhere, and the uniqueness of names is checked there. Ids come with the
//! command.
//!
//! **A player and their login are two things.** Deactivating a player, who no longer comes, leaves their
//! login alone: an admin need not play. Deactivating a login leaves the player alone: a scorer can still act
//! for them. The only link is that a deactivated player cannot be given a login.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::event::{Event, EventKind};
use super::house_rules::{MOST_RULE_SETS, RuleSet, RuleSetName};
use super::login::MOST_ACCOUNTS;
use super::players::{DetailField, MOST_PLAYERS};
use super::refusal::Refusal;
use super::settings::Settings;
use owlbox_base::journal::free_text::FreeText;
use owlbox_base::journal::{self, Aggregate, BrokenHistory, Inputs};
use owlbox_base::permissions::{Permission, Role, Roles, allows};
use owlbox_base::text::folded;
use owlbox_base::values::{AccountId, PlayerId, Timestamp};
use owlbox_chouette::HouseRules;
use owlbox_chouette::rules::preset::presets;

/// The club's record of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerEntry {
    /// Whether the player is a guest, not a member.
    pub guest: bool,
    pub active: bool,
    /// The player's login, which may be deactivated.
    pub account: Option<AccountId>,
    /// Whether the player was removed from the club. No list shows them until they are reactivated.
    pub removed: bool,
    /// Whether the person was erased. They are removed for good.
    pub erased: bool,
}

/// The club's record of a login.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountEntry {
    /// The player whose login it is; `None` if its owner does not play.
    pub player: Option<PlayerId>,
    /// The roles of the login. Never empty.
    pub roles: Roles,
    /// Whether the login can be used to sign in.
    pub active: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Club {
    settings: Option<Settings>,
    players: BTreeMap<PlayerId, PlayerEntry>,
    accounts: BTreeMap<AccountId, AccountEntry>,
    house_rules: BTreeMap<String, (RuleSetName, Box<HouseRules>)>,
    /// How many persons were erased.
    erased: u64,
}

/// The commands of the club.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are named for what they are")]
pub enum Command {
    /// Opens the club. The first command, and given only once.
    Open { settings: Settings },
    /// Replaces all of the settings.
    ChangeSettings { settings: Settings },
    /// Adds a player whose details were recorded under a new id.
    AddPlayer { player: PlayerId, guest: bool },
    /// Notes which details of a player were changed. The new values are not in the journal.
    ChangePlayerDetails { player: PlayerId, fields: Vec<DetailField> },
    /// Makes a guest a member.
    MakeMember { player: PlayerId },
    /// Marks a player as no longer coming.
    DeactivatePlayer { player: PlayerId },
    /// Marks a deactivated or removed player as coming again.
    ReactivatePlayer { player: PlayerId },
    /// Removes a player without a login from the club, so that no list shows them.
    RemovePlayer { player: PlayerId },
    /// Erases the person behind a player: their names, and whatever is told of them. Ends their login.
    ErasePlayer { player: PlayerId },
    /// Creates a login under a new id.
    CreateAccount { account: AccountId, player: Option<PlayerId>, roles: Roles },
    /// Replaces the roles of a login.
    ChangeAccountRoles { account: AccountId, roles: Roles },
    /// Links a login to a player, or to nobody.
    LinkAccount { account: AccountId, player: Option<PlayerId> },
    /// Stops a login from signing in.
    DeactivateAccount { account: AccountId },
    /// Lets a deactivated login sign in again.
    ReactivateAccount { account: AccountId },
    /// Saves a set of house rules under a name, and replaces any set of that name.
    SaveHouseRules { name: RuleSetName, rules: Box<HouseRules> },
    /// Removes the set of house rules of this name.
    RemoveHouseRules { name: RuleSetName },
}

impl Club {
    /// The settings, once the club is open.
    #[must_use]
    pub const fn settings(&self) -> Option<&Settings> {
        self.settings.as_ref()
    }

    /// The record of a player, even of one deactivated or removed; `None` if the club never had them.
    #[must_use]
    pub fn player(&self, player: PlayerId) -> Option<PlayerEntry> {
        self.players.get(&player).copied()
    }

    /// The record of a login, even of a deactivated one; `None` if the club never had it.
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

    /// The logins that may keep the books at present.
    pub fn bookkeepers(&self) -> impl Iterator<Item = AccountId> {
        let keeps = |entry: &AccountEntry| entry.active && allows(entry.roles, Permission::KeepBooks);
        self.accounts.iter().filter(move |(_, entry)| keeps(entry)).map(|(id, _)| *id)
    }

    /// The club's own sets of house rules, by name.
    pub fn own_rule_sets(&self) -> impl Iterator<Item = (&RuleSetName, &HouseRules)> {
        self.house_rules.values().map(|(name, rules)| (name, &**rules))
    }

    /// Every set that a table can be opened with: the presets, then the club's own by name.
    pub fn rule_sets(&self) -> impl Iterator<Item = RuleSet<'_>> {
        let ready = presets().iter().map(|preset| RuleSet {
            name: &preset.key,
            is_preset: true,
            rules: &preset.rules,
        });
        let own = self.own_rule_sets().map(|(name, rules)| RuleSet {
            name: name.as_str(),
            is_preset: false,
            rules,
        });
        ready.chain(own)
    }

    /// The set of this name, whatever the case. The club's own set wins over a preset of the same name that
    /// came with a later version.
    #[must_use]
    pub fn rule_set(&self, name: &str) -> Option<RuleSet<'_>> {
        let key = folded(name.trim());
        self.rule_sets().filter(|set| folded(set.name) == key).last()
    }

    /// Whether the club has an active admin. Until it has, it is still to be set up.
    #[must_use]
    pub fn has_admin(&self) -> bool {
        self.accounts.values().any(AccountEntry::is_active_admin)
    }

    /// The players who were removed from the club.
    pub fn removed_players(&self) -> impl Iterator<Item = PlayerId> {
        self.players.iter().filter(|(_, entry)| entry.removed).map(|(player, _)| *player)
    }

    /// How many persons were erased.
    #[must_use]
    pub const fn erased(&self) -> u64 {
        self.erased
    }

    /// Refuses unless the club has the player, and the person was not erased.
    fn known_player(&self, player: PlayerId) -> Result<PlayerEntry, Refusal> {
        match self.player(player) {
            None => Err(Refusal::UnknownPlayer { player }),
            Some(PlayerEntry { erased: true, .. }) => Err(Refusal::PlayerErased { player }),
            Some(entry) => Ok(entry),
        }
    }

    fn known_account(&self, account: AccountId) -> Result<AccountEntry, Refusal> {
        self.account(account).ok_or(Refusal::UnknownAccount { account })
    }

    /// Refuses to give `player` a login unless they are active and have none.
    fn can_be_given_a_login(player: PlayerId, entry: PlayerEntry) -> Result<(), Refusal> {
        match entry {
            PlayerEntry { active: false, .. } => Err(Refusal::PlayerInactive { player }),
            PlayerEntry { account: Some(account), .. } => Err(Refusal::PlayerHasAccount { player, account }),
            PlayerEntry { .. } => Ok(()),
        }
    }

    /// Refuses if `account` is the last active admin, so that somebody can always give roles.
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

    /// Whether the club can do without the person: their login must not be the last admin's.
    ///
    /// # Errors
    /// The refusal.
    pub fn can_erase(&self, player: PlayerId) -> Result<(), Refusal> {
        match self.known_player(player)?.account {
            Some(account) => self.admin_remains_without(account),
            None => Ok(()),
        }
    }

    fn reactivate_account(&self, account: AccountId) -> Result<Event, Refusal> {
        let entry = self.known_account(account)?;
        changes(!entry.active)?;
        // A login that outlives its player may be used again; that of an erased person may not.
        entry.player.map(|player| self.known_player(player)).transpose()?;
        Ok(Event::AccountReactivated { account })
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
        rules.check().map_err(|contradiction| Refusal::ContradictoryRules { contradiction })?;
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

    /// Links a login and a player to each other, and unlinks the player who had the login before.
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
    /// Whether the login can sign in and has the role of an admin.
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
    /// Format 2 has the same form as 1. From it on, verification decides the commands again.
    const FORMAT: i16 = 2;
    const SAME_FORM_SINCE: i16 = 1;

    fn initial() -> Self {
        Self {
            settings: None,
            players: BTreeMap::new(),
            accounts: BTreeMap::new(),
            house_rules: BTreeMap::new(),
            erased: 0,
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
            Command::ErasePlayer { player } => {
                self.can_erase(player)?;
                Event::PlayerErased { player }
            }
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
            Command::ReactivateAccount { account } => self.reactivate_account(account)?,
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
                let entry = PlayerEntry { guest, active: true, account: None, removed: false, erased: false };
                self.players.insert(player, entry);
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
            Event::PlayerErased { player } => {
                self.erased += 1;
                let account = self.players.get_mut(&player).and_then(|entry| {
                    (entry.active, entry.removed, entry.erased) = (false, true, true);
                    entry.account
                });
                if let Some(entry) = account.and_then(|account| self.accounts.get_mut(&account)) {
                    entry.active = false;
                }
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

    fn decode(format: i16, payload: &str) -> Result<Self::Event, BrokenHistory> {
        journal::decode::<Self>(format, payload)
    }

    fn encode(event: &Self::Event) -> Result<Box<RawValue>, BrokenHistory> {
        journal::encode::<Self>(event)
    }
}

impl FreeText for Club {
    const NAMES: bool = true;

    fn text_keys(kind: EventKind) -> &'static [&'static str] {
        kind.text_keys()
    }
}

mod asked;
#[cfg(test)]
mod tests;
