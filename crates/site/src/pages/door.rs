//! The pages before anybody is signed in, and the error page.

use askama::Template;

use super::frame::Frame;
use crate::pages::assets;
use crate::tournaments::Card;
use owlbox_base::code::Code;
use owlbox_locale::Locale;

/// The first set-up of the club and its first account.
#[derive(Debug, Template)]
#[template(path = "setup.html")]
pub struct Setup {
    pub t: Locale,
    pub frame: Frame,
    /// The club's name, as typed so far.
    pub club: String,
    /// The time zone, as typed so far.
    pub time_zone: String,
    /// The login, as typed so far.
    pub login: String,
    /// Suggestions while the zone is typed.
    pub time_zones: Vec<&'static str>,
}

#[derive(Template)]
#[template(path = "sign_in.html")]
pub(crate) struct SignIn<'a> {
    pub t: Locale,
    pub frame: Frame,
    /// The login, as typed so far.
    pub login: String,
    /// The page to go to afterwards: a path of this site.
    pub next: String,
    /// Whether strangers may ask for a login.
    pub may_register: bool,
    /// The tournaments that are public, the next one first.
    pub tournaments: Vec<Card<'a>>,
}

/// A form whose sign-in is gone, with what was typed: the answer to any form.
#[derive(Debug, Template)]
#[template(path = "unsent.html")]
pub struct UnsentPage {
    pub t: Locale,
    pub frame: Frame,
    /// Whether its reader is signed in, and only has to send it.
    pub is_signed_in: bool,
    /// The login, as typed so far.
    pub login: String,
    /// What people typed, to be read.
    pub typed: Vec<String>,
    /// The field of the sign-in with the address of the form, and what the names of the form's fields begin with in it.
    pub to_field: &'static str,
    pub field: &'static str,
    pub to: String,
    pub fields: Vec<(String, String)>,
}

#[derive(Debug, Template)]
#[template(path = "register.html")]
pub struct Register {
    pub t: Locale,
    pub frame: Frame,
    /// The name, as typed so far.
    pub name: String,
    /// The login, as typed so far.
    pub login: String,
    /// Whether the request was just sent and now waits for approval.
    pub asked: bool,
}

/// An invite or a reset, opened by its link.
#[derive(Debug, Template)]
#[template(path = "claim.html")]
pub struct Claim {
    pub t: Locale,
    pub frame: Frame,
    /// The token in the link.
    pub token: String,
    /// The name of the account's player, if it has one.
    pub player: Option<String>,
    /// The login of a reset, which keeps it. `None` for an invite, where the login is chosen.
    pub login: Option<String>,
    /// The login typed before, if it was refused.
    pub typed: String,
}

/// The page where a request reaches no club: there is none of that name, or it cannot be opened just now.
#[derive(Debug, Template)]
#[template(path = "no_club.html")]
pub struct NoClub {
    pub t: Locale,
    pub status: u16,
    pub code: Code,
}

impl NoClub {
    fn asset(&self, name: &str) -> &'static str {
        assets::address(name)
    }

    fn is_unknown(&self) -> bool {
        self.code == Code::NoSuchClub
    }
}

/// The page for an error, and for an address with nothing behind it.
#[derive(Debug, Template)]
#[template(path = "error.html")]
pub struct ErrorPage {
    pub t: Locale,
    pub frame: Frame,
    pub status: u16,
    pub code: Code,
    /// The request's id, for finding it in the server's log.
    pub request: String,
}
