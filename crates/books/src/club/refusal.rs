//! Why the club refused a command, and what would have been allowed.

use serde::Serialize;

use super::house_rules::{MOST_RULE_SETS, RuleSetName};
use super::login::MOST_ACCOUNTS;
use super::players::MOST_PLAYERS;
use owlbox_base::permissions::Role;
use owlbox_base::values::{AccountId, PlayerId};
use owlbox_chouette::rules::Contradiction;

owlbox_base::refusals! {
    /// Why the club refused a command.
    ///
    /// If several reasons apply, the first in this order is given: whether the club is open; whether whatever
    /// is named exists (the login before the player), or is new and may have that name; limits; the command's
    /// own values; whether it changes anything; what it would break.
    #[expect(missing_docs, reason = "the fields are named for what they are")]
    pub enum Refusal;

    /// The club has been opened; that happens only once.
    AlreadyOpen = ClubAlreadyOpen, "the club is open already";
    /// The club has not been opened.
    NotOpen = ClubNotOpen, "the club is not open yet";
    /// The club has no login with this id.
    UnknownAccount { account: AccountId } = UnknownAccount at "account", "there is no account {account}";
    /// The club has no player with this id.
    UnknownPlayer { player: PlayerId } = UnknownPlayer at "player", "there is no player {player}";
    /// The id for the new login is in use.
    AccountExists { account: AccountId } = AccountExists at "account", "account {account} exists already";
    /// The id for the new player is in use.
    PlayerExists { player: PlayerId } = PlayerExists at "player", "player {player} exists already";
    /// The club has [`MOST_PLAYERS`] players.
    TooManyPlayers = TooManyPlayers, "a club can have at most {MOST_PLAYERS} players",
        instead Allowed::HowMany(MOST_PLAYERS);
    /// The club has [`MOST_ACCOUNTS`] logins.
    TooManyAccounts = TooManyAccounts, "a club can have at most {MOST_ACCOUNTS} accounts",
        instead Allowed::HowMany(MOST_ACCOUNTS);
    /// A login needs at least one role.
    NoRoles = NoRoles at "roles", "an account needs at least one role", instead Allowed::Roles(&Role::ALL);
    /// Everything is already as the command would make it.
    NothingChanges = NothingChanges, "this changes nothing";
    /// The person behind the player was erased, for good.
    PlayerErased { player: PlayerId } = PlayerErased at "player", "player {player} was erased";
    /// A deactivated player cannot be given a login.
    PlayerInactive { player: PlayerId } = PlayerInactive at "player", "player {player} is not active";
    /// The player has a login already. With one they can neither get another nor be removed.
    PlayerHasAccount { player: PlayerId, account: AccountId } = PlayerHasAccount at "player",
        "player {player} has account {account} already";
    /// Without this login no active admin would be left to give roles.
    LastAdmin { account: AccountId } = LastAdmin at "account", "account {account} is the last active admin";
    /// The club has no set of house rules of this name.
    UnknownHouseRules { name: RuleSetName } = UnknownHouseRules at "name",
        "there are no house rules called {name}";
    /// A set of house rules that comes with the program has this name.
    NameReserved { name: RuleSetName } = NameReserved at "name",
        "{name} is the name of built-in house rules";
    /// The club has [`MOST_RULE_SETS`] sets of house rules of its own.
    TooManyHouseRules = TooManyHouseRules, "a club can have at most {MOST_RULE_SETS} sets of house rules",
        instead Allowed::HowMany(MOST_RULE_SETS);
    /// Two settings of the set contradict each other.
    ContradictoryRules { contradiction: Contradiction }
        = ContradictoryRules at contradiction.one, "{contradiction}",
        instead Allowed::Settings([contradiction.one, contradiction.other]);
}

/// What would have been allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Allowed {
    /// The highest number that is allowed.
    HowMany(usize),
    /// One or more of these roles.
    Roles(&'static [Role]),
    /// The keys of two house rules that cannot both stay as they are.
    Settings([&'static str; 2]),
}
