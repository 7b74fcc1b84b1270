//! The pages before anybody is signed in, and the one that says what went wrong.

use askama::Template;

use super::frame::Frame;
use super::tournaments::TournamentCard;
use crate::locale::Locale;
use owlbox_domain::code::Code;

/// The first set-up of a club.
#[derive(Debug, Template)]
#[template(path = "setup.html")]
pub struct Setup {
    pub t: Locale,
    pub frame: Frame,
    /// The club's name as typed so far.
    pub club: String,
    /// The time zone as typed so far.
    pub time_zone: String,
    /// The login as typed so far.
    pub login: String,
    /// The time zones offered while typing.
    pub time_zones: Vec<&'static str>,
}

#[derive(Debug, Template)]
#[template(path = "sign_in.html")]
pub struct SignIn {
    pub t: Locale,
    pub frame: Frame,
    /// The login as typed so far.
    pub login: String,
    /// Where to go afterwards: a path of this site.
    pub next: String,
    /// Whether whoever has no login may ask for one.
    pub may_register: bool,
    /// What is open to strangers: the tournaments that are public, the next one first.
    pub tournaments: Vec<TournamentCard>,
}

#[derive(Debug, Template)]
#[template(path = "register.html")]
pub struct Register {
    pub t: Locale,
    pub frame: Frame,
    /// The name as typed so far.
    pub name: String,
    /// The login as typed so far.
    pub login: String,
    /// He has asked, and waits.
    pub asked: bool,
}

/// An invite or a reset, opened from its link.
#[derive(Debug, Template)]
#[template(path = "claim.html")]
pub struct Claim {
    pub t: Locale,
    pub frame: Frame,
    /// The token of the link.
    pub token: String,
    /// Whose account it is, if it is a player's.
    pub player: Option<String>,
    /// A reset keeps this login; an invite lets one be chosen.
    pub login: Option<String>,
    /// The login typed before, if it was refused.
    pub typed: String,
}

/// Something went wrong, or is not there.
#[derive(Debug, Template)]
#[template(path = "error.html")]
pub struct ErrorPage {
    pub t: Locale,
    pub frame: Frame,
    pub status: u16,
    pub code: Code,
    /// The request's id, to be found in the log.
    pub request: String,
}
