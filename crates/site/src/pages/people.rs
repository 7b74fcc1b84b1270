//! The viewer's own account, and the club's settings.

use askama::Template;

use super::frame::{Choice, Frame};
use super::qr::qr_code;
use owlbox_base::values::{PlayerId, Timestamp};
use owlbox_locale::Locale;

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
