//! Players, one's own account, and the club's settings.

use askama::Template;

use super::frame::{Choice, Frame};
use super::ledger::Course;
use super::qr::qr_code;
use crate::locale::{Amount, Locale};
use owlbox_domain::values::{PlayerId, Timestamp};

#[derive(Debug, Template)]
#[template(path = "players.html")]
pub struct Players {
    pub t: Locale,
    pub frame: Frame,
    pub search: String,
    /// This page of the list.
    pub rows: Vec<PlayerRow>,
    /// The address of the next page.
    pub next: Option<String>,
    /// Whether the viewer may add players.
    pub may_add: bool,
    /// Who has just been added.
    pub added: Option<Added>,
    /// The name in the form, if it was refused.
    pub typed: String,
    /// Whether it was a guest's.
    pub typed_guest: bool,
}

#[derive(Clone, Debug)]
pub struct Added {
    pub id: String,
    pub name: String,
}

/// A player in the list.
#[derive(Clone, Debug)]
pub struct PlayerRow {
    pub id: String,
    pub name: String,
    /// What they are called, where they come from: one line.
    pub about: String,
    /// Whether they only visit.
    pub guest: bool,
    pub active: bool,
    /// Points so far, where the viewer may see them.
    pub points: Option<Amount>,
}

#[derive(Debug, Template)]
#[template(path = "player.html")]
pub struct Player {
    pub t: Locale,
    pub frame: Frame,
    pub id: String,
    pub details: PlayerDetails,
    /// What the player is rated, after a first match.
    pub rating: Option<PlayerRating>,
    /// Whether the viewer may change it.
    pub may_change: bool,
    /// Whether the viewer may remove this player, who has no history.
    pub may_remove: bool,
    /// Whether the viewer may read the ledger.
    pub may_read_ledger: bool,
    pub invite: Option<Invite>,
    /// How to invite the player, where the viewer may and there is no account yet.
    pub invite_form: Option<InviteForm>,
}

/// What a player is rated, and how it came about.
#[derive(Clone, Debug)]
pub struct PlayerRating {
    /// The rating: `1523.46`.
    pub rating: String,
    /// How many matches were rated.
    pub matches: usize,
    /// Its course, with what everybody begins with in the place of zero.
    pub course: Option<Course>,
    /// The last matches that were rated, the newest first.
    pub latest: Vec<RatedMatch>,
}

/// A match for which a player was rated.
#[derive(Clone, Debug)]
pub struct RatedMatch {
    pub link: String,
    /// How it ended: `Won against Bob`.
    pub what: String,
    /// To how many points, when.
    pub facts: [String; 2],
    /// By how much it changed the rating.
    pub change: Amount,
    pub rating: String,
}

/// What the club knows of a player.
#[derive(Clone, Debug)]
pub struct PlayerDetails {
    /// The full name, unique in the club.
    pub name: String,
    /// What they are called at the table.
    pub nickname: String,
    pub country: String,
    /// The club they belong to.
    pub home_club: String,
    /// How to reach them. Empty where the viewer may not see it.
    pub contact: String,
    pub notes: String,
    pub active: bool,
    /// Whether they only visit.
    pub guest: bool,
    /// Their login, if they have one.
    pub login: Option<String>,
}

/// The form that invites a player.
#[derive(Clone, Debug)]
pub struct InviteForm {
    /// The roles that can be given.
    pub roles: Vec<Choice>,
}

/// An invite or reset link, shown once.
#[derive(Clone, Debug)]
pub struct Invite {
    pub link: String,
    /// The link as a picture: an `<svg>` element made by [`qr_code`].
    pub picture: String,
    /// Until when it can be used.
    pub until: Timestamp,
    /// Whether it leads no farther than this computer, so that no phone can open it.
    pub only_here: bool,
}

impl Invite {
    /// An invite with its picture.
    #[must_use]
    pub fn new(link: String, until: Timestamp) -> Self {
        let picture = qr_code(&link);
        let host = link.split("://").nth(1).unwrap_or_default();
        let only_here = ["127.", "localhost", "[::1]"].iter().any(|loopback| host.starts_with(loopback));
        Self { link, picture, until, only_here }
    }
}

#[derive(Debug, Template)]
#[template(path = "account.html")]
pub struct Account {
    pub t: Locale,
    pub frame: Frame,
    pub login: String,
    pub roles: Vec<String>,
    pub tokens: Vec<Token>,
    /// A token just made: shown once.
    pub new_token: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Token {
    pub id: String,
    /// What its owner called it.
    pub name: String,
    pub made: Timestamp,
    /// When it ends, if it does.
    pub until: Option<Timestamp>,
}

#[derive(Debug, Template)]
#[template(path = "settings.html")]
pub struct Settings {
    pub t: Locale,
    pub frame: Frame,
    pub name: String,
    pub time_zone: String,
    /// The time zones offered while typing.
    pub time_zones: Vec<&'static str>,
    /// The currencies, separated by spaces.
    pub currencies: String,
    pub public: Vec<Choice>,
    /// From how many points on a table warns; empty for never.
    pub exposure_limit: String,
    /// The highest cube between two.
    pub highest_cube: String,
    /// Whether a match counts for the experience with which it is rated.
    pub rating_includes: bool,
    /// Whether people may ask for a login by themselves.
    pub self_registration: bool,
    /// Who has asked for one, and waits.
    pub waiting: Vec<Waiting>,
    pub accounts: Vec<AccountRow>,
    /// A reset link just made.
    pub reset: Option<Invite>,
}

/// Somebody who has asked for a login.
#[derive(Clone, Debug)]
pub struct Waiting {
    pub id: String,
    /// What he would sign in with.
    pub login: String,
    /// What he says he is called.
    pub name: String,
    pub asked: String,
    /// Whether somebody has that login already: it can only be declined.
    pub is_taken: bool,
    /// Who of that name plays here, if anybody does.
    pub known: Option<PlayerId>,
}

/// An account in the settings.
#[derive(Clone, Debug)]
pub struct AccountRow {
    pub id: String,
    pub login: String,
    pub player: Option<String>,
    /// The roles that can be given.
    pub roles: Vec<Choice>,
    /// Whether it may sign in.
    pub active: bool,
}
