//! Settling up: who hands what to whom, so that nobody owes anything.

use std::fmt::Display;

use askama::Template;
use chrono::NaiveDate;

use super::frame::Frame;
use super::log_message::LogMessage;
use crate::locale::{Amount, Locale};
use owlbox_domain::values::Timestamp;

/// The page of one table. Printed, it is the night's sheet: standings, payments and games.
#[derive(Debug, Template)]
#[template(path = "settle_up.html")]
pub struct SettleUp {
    pub t: Locale,
    pub frame: Frame,
    pub table: String,
    pub name: String,
    /// The night it belongs to.
    pub night: NaiveDate,
    pub opened: Option<Timestamp>,
    pub games: usize,
    /// What a point is worth, as `5 EUR`.
    pub stake: Option<String>,
    /// Whether a game is going on, which is not counted yet.
    pub playing: bool,
    /// The payments that settle everything and those that were made, two players at a time, largest first: one that is
    /// made stays where it was.
    pub payments: Vec<Handing>,
    /// Whether no fewer would do.
    pub exact: bool,
    /// How everybody stands, the winner first.
    pub standings: Vec<StandingLine>,
    /// What the columns of money are counted in.
    pub currency: Option<String>,
    /// Who may be paid off before the others, as they leave.
    pub leavers: Vec<Leaver>,
    /// The one who leaves now.
    pub leaving: Option<Leaving>,
    /// Every finished game, first to last.
    pub sheet: Vec<GameLine>,
    /// The page of the whole night.
    pub whole_night: String,
}

impl SettleUp {
    #[must_use]
    pub fn even(&self) -> bool {
        self.still_open() == 0
    }

    #[must_use]
    pub fn any_paid(&self) -> bool {
        self.payments.iter().any(|one| one.paid)
    }

    fn still_open(&self) -> usize {
        self.payments.iter().filter(|one| !one.paid).count()
    }

    /// How many payments it takes.
    #[must_use]
    pub fn how_many(&self) -> String {
        let key = if self.exact { "payments-exact" } else { "payments-many" };
        self.t.count(key, &self.still_open())
    }
}

/// The page of a whole night: what people hand each other, and the button that records it at all tables.
#[derive(Debug, Template)]
#[template(path = "settle_night.html")]
pub struct SettleNight {
    pub t: Locale,
    pub frame: Frame,
    /// Where the page is, and its form is sent.
    pub address: String,
    pub night: NaiveDate,
    /// The tables that are taken together.
    pub tables: Vec<NightTableLine>,
    /// The payments that settle everything, largest first.
    pub payments: Vec<Handing>,
    /// Whether no fewer would do.
    pub exact: bool,
    /// The button that records them all, if there are any and the viewer may now.
    pub pay_all: Option<PayAll>,
    /// The table at which payments made last can be taken back, if the viewer may.
    pub back: Option<String>,
    /// What the amounts are counted in, if not in points.
    pub currency: Option<String>,
    /// How everybody stands, who is owed most first.
    pub standings: Vec<NightLine>,
    /// The money sessions that are not even: where each is settled, and by what.
    pub sessions: Vec<(String, Handing)>,
}

impl SettleNight {
    /// How many payments it takes.
    #[must_use]
    pub fn how_many(&self) -> String {
        let key = if self.exact { "payments-exact" } else { "payments-many" };
        self.t.count(key, &self.payments.len())
    }

    /// Whether a game is going on at one of the tables.
    #[must_use]
    pub fn playing(&self) -> bool {
        self.tables.iter().any(|table| table.playing)
    }
}

/// A table of the night.
#[derive(Clone, Debug)]
pub struct NightTableLine {
    pub id: String,
    pub name: String,
    /// Whether a game is going on there, which is not counted yet.
    pub playing: bool,
}

/// The button that settles a night up.
#[derive(Clone, Debug)]
pub struct PayAll {
    /// The payments shown, as the API takes them.
    pub seen: String,
    /// The idempotency key of this button.
    pub key: String,
}

/// How one player stands over the whole night.
#[derive(Clone, Debug)]
pub struct NightLine {
    pub name: String,
    pub won: Amount,
    pub paid: Amount,
    /// What is still open: above zero the player is owed it.
    pub open: Amount,
}

/// One player hands another an amount.
#[derive(Clone, Debug)]
pub struct Handing {
    pub payer: String,
    pub payee: String,
    /// How much, as `30.00 EUR` or `1½`; the unit of points is named once on the page.
    pub amount: String,
    pub paid: bool,
    /// The button that records it, or takes it back if it was made, if the viewer may.
    pub pay: Option<Pay>,
}

impl Handing {
    /// What its button records, for those who do not see the card around it.
    #[must_use]
    pub fn sentence(&self, t: &Locale) -> String {
        let values: [(&str, &dyn Display); 3] =
            [("payer", &self.payer), ("payee", &self.payee), ("amount", &self.amount)];
        t.fill("told-payment", &values)
    }
}

/// A button that does an act of the table and comes back to this page.
#[derive(Clone, Debug)]
pub struct Pay {
    /// The command, as the API takes it.
    pub command: String,
    /// The idempotency key of this button.
    pub key: String,
    pub version: i64,
    pub then: String,
}

#[derive(Clone, Debug)]
pub struct StandingLine {
    pub name: String,
    pub points: Amount,
    /// What it is worth, without the currency.
    pub won: Option<Amount>,
    pub paid: Amount,
    /// What is still open: above zero the player is owed it.
    pub open: Amount,
}

/// One who may be paid off alone.
#[derive(Clone, Debug)]
pub struct Leaver {
    pub name: String,
    /// This page with the player leaving.
    pub link: String,
    /// Whether it is the one who leaves.
    pub chosen: bool,
}

/// A leaver, and who pays him off or is paid.
#[derive(Clone, Debug)]
pub struct Leaving {
    pub player: String,
    pub name: String,
    /// Whether the player is owed, not owing.
    pub is_owed: bool,
    pub open: String,
    /// The others, with what was chosen for each.
    pub others: Vec<Other>,
    /// The payments that come of it.
    pub payments: Vec<Handing>,
    /// What stays open after them.
    pub left: Option<String>,
    /// Why it cannot be done so.
    pub problem: Option<String>,
}

impl Leaving {
    /// How much is open, and the question that comes of it.
    #[must_use]
    pub fn question(&self, t: &Locale) -> String {
        let key = if self.is_owed { "leaver-owed" } else { "leaver-owes" };
        t.fill(key, &[("name", &self.name), ("amount", &self.open)])
    }

    /// What stays open, if anything.
    #[must_use]
    pub fn rest(&self, t: &Locale) -> Option<String> {
        let key = if self.is_owed { "leaver-still-owed" } else { "leaver-still-owes" };
        let left = self.left.as_ref()?;
        Some(t.fill(key, &[("name", &self.name), ("amount", left)]))
    }
}

/// One of the others a leaver may be settled with.
#[derive(Clone, Debug)]
pub struct Other {
    pub player: String,
    pub name: String,
    pub open: Amount,
    pub named: bool,
    /// The amount chosen, as it was typed.
    pub amount: String,
}

/// One game on the night's sheet.
#[derive(Clone, Debug)]
pub struct GameLine {
    pub game: u32,
    pub box_player: String,
    pub what: LogMessage,
    /// What each of the standings won in it, in their order; nothing for who was not in it.
    pub points: Vec<Option<Amount>>,
}
