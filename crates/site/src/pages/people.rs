//! The list of players, a player's page, the viewer's own account, and the club's settings.

use askama::Template;

use super::frame::{Choice, Frame};
use super::ledger::Course;
use super::qr::qr_code;
use owlbox_base::values::{PlayerId, Timestamp};
use owlbox_locale::{Amount, Locale};

#[derive(Debug, Template)]
#[template(path = "players.html")]
pub struct Players {
    pub t: Locale,
    pub frame: Frame,
    pub search: String,
    /// The players on this page of the list.
    pub rows: Vec<PlayerRow>,
    /// The address of the next page. `None` on the last.
    pub next: Option<String>,
    /// Whether the viewer may add players.
    pub may_add: bool,
    /// Those who are called the same, in groups: the address of their page, and how lists offer them.
    pub alike: Vec<Vec<(String, String)>>,
    /// The player who was just added, if any.
    pub added: Option<Added>,
    /// The name in the form, if it was refused.
    pub typed: String,
    /// Whether the refused name was a guest's.
    pub typed_guest: bool,
}

#[derive(Clone, Debug)]
pub struct Added {
    pub id: String,
    pub name: String,
}

#[derive(Clone, Debug)]
pub struct PlayerRow {
    pub id: String,
    pub name: String,
    /// Nickname, country and home club in one line.
    pub about: String,
    /// Whether they only play here as a guest.
    pub guest: bool,
    pub active: bool,
    /// Their points so far. `None` where the viewer may not see them.
    pub points: Option<Amount>,
}

#[derive(Debug, Template)]
#[template(path = "player.html")]
pub struct Player {
    pub t: Locale,
    pub frame: Frame,
    pub id: String,
    pub details: PlayerDetails,
    /// Their rating. `None` before their first rated match.
    pub rating: Option<PlayerRating>,
    /// Whether the viewer may see all that is kept of them.
    pub may_see_all: bool,
    /// Whether the viewer may change the details.
    pub may_change: bool,
    /// Whether the viewer may remove this player. Only players without a history can be removed.
    pub may_remove: bool,
    /// Whether the viewer may read the player's ledger.
    pub may_read_ledger: bool,
    pub invite: Option<Invite>,
    /// The form that invites the player. `None` if the viewer may not, or the player has an account already.
    pub invite_form: Option<InviteForm>,
}

/// A player's rating, with its course and the latest matches behind it.
#[derive(Clone, Debug)]
pub struct PlayerRating {
    /// The rating with two decimals: `1523.46`.
    pub rating: String,
    /// How many matches were rated.
    pub matches: usize,
    /// Its course. The baseline is the rating everybody begins with, not zero.
    pub course: Option<Course>,
    /// The last rated matches, the newest first.
    pub latest: Vec<RatedMatch>,
}

/// A match that changed a player's rating.
#[derive(Clone, Debug)]
pub struct RatedMatch {
    pub link: String,
    /// The result: `Won against Bob`.
    pub what: String,
    /// The length of the match, and the date.
    pub facts: [String; 2],
    /// The change of the rating.
    pub change: Amount,
    pub rating: String,
}

/// The details of a player, as they are entered.
#[derive(Clone, Debug)]
pub struct PlayerDetails {
    /// The fingerprint of the details that the form is made from.
    pub seen: String,
    /// The full name, unique in the club.
    pub name: String,
    /// The short name they go by at the table.
    pub nickname: String,
    pub country: String,
    /// The club they belong to.
    pub home_club: String,
    /// How to reach them. Empty where the viewer may not see it.
    pub contact: String,
    pub notes: String,
    /// Their account at a bank.
    pub iban: String,
    pub active: bool,
    /// Whether they only play here as a guest.
    pub guest: bool,
    /// The login of their account, if they have one.
    pub login: Option<String>,
}

/// The form that makes an invite for a player.
#[derive(Clone, Debug)]
pub struct InviteForm {
    /// The fingerprint of the roles that the player's account has, if it has been invited before.
    pub seen: String,
    /// The roles the viewer may give.
    pub roles: Vec<Choice>,
}

/// An invite or reset link. It is shown only once.
#[derive(Clone, Debug)]
pub struct Invite {
    pub link: String,
    /// The link as a picture: an `<svg>` element made by [`qr_code`].
    pub picture: String,
    /// The end of its validity.
    pub until: Timestamp,
    /// Whether its host is a loopback address, so that no phone can open it.
    pub only_here: bool,
}

impl Invite {
    /// Makes the picture for `link`, and checks whether others can reach its host.
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
    /// The token that was just made. It is shown this once.
    pub new_token: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Token {
    pub id: String,
    /// The name its owner gave it.
    pub name: String,
    pub made: Timestamp,
    /// The end of its validity. `None` for a token without one.
    pub until: Option<Timestamp>,
}

#[derive(Debug, Template)]
#[template(path = "settings.html")]
pub struct Settings {
    pub t: Locale,
    pub frame: Frame,
    /// The fingerprint of the settings that the form is made from.
    pub seen: String,
    pub name: String,
    pub time_zone: String,
    /// Suggestions while the zone is typed.
    pub time_zones: Vec<&'static str>,
    /// The language for readers who have chosen none.
    pub languages: Vec<Choice>,
    /// Currency codes, separated by spaces.
    pub currencies: String,
    pub public: Vec<Choice>,
    /// The exposure, in points, from which a table warns a player. Empty for never.
    pub exposure_limit: String,
    /// The highest cube of a bet between two players.
    pub highest_cube: String,
    /// Whether a player's experience already includes the match that is being rated.
    pub rating_includes: bool,
    /// Whether strangers may ask for a login.
    pub self_registration: bool,
    /// The club's own words for the seats of a chouette: the field, and the word.
    pub seat_words: [(&'static str, String); 3],
    /// The largest adjustment that one person can make alone, as typed, in the usual currency; empty without a limit.
    pub adjustment_limit: String,
    /// Whether fewer than two people may keep the books, so that nobody could approve what is above the limit.
    pub nobody_else_approves: bool,
    /// The club's account at a bank.
    pub iban: String,
    /// The usual currency.
    pub usual_currency: String,
    /// The requests for a login that wait for approval.
    pub waiting: Vec<Waiting>,
    pub accounts: Vec<AccountRow>,
    /// The reset link that was just made, if any.
    pub reset: Option<Invite>,
}

/// A stranger's request for a login.
#[derive(Clone, Debug)]
pub struct Waiting {
    pub id: String,
    /// The login they ask for.
    pub login: String,
    /// The full name they gave.
    pub name: String,
    pub asked: String,
    /// Whether an account has that login already. The request can then only be declined.
    pub is_taken: bool,
    /// The player of the club with that name, if there is one.
    pub known: Option<PlayerId>,
}

#[derive(Clone, Debug)]
pub struct AccountRow {
    pub id: String,
    pub login: String,
    pub player: Option<String>,
    /// The fingerprint of the account that the form is made from.
    pub seen: String,
    /// Who could be the player behind the login: who is; and everybody without a login, if a player is being chosen.
    pub players: Vec<Choice>,
    /// Whether it is open, and offers all players.
    pub is_chosen: bool,
    /// The roles the viewer may give.
    pub roles: Vec<Choice>,
    /// Whether the account may sign in.
    pub active: bool,
}
