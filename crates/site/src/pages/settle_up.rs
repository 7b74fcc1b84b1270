//! Settling up, at one table or for a whole night: who hands what to whom so that nobody owes anything.

use crate::pages::button::{Button, Target};
use std::fmt::Display;

use askama::Template;
use chrono::NaiveDate;

use super::frame::Frame;
use owlbox_base::values::Timestamp;
use owlbox_locale::{Amount, Locale};

/// The page of one table. Printed, it is the record of the night: standings, payments and games.
#[derive(Debug, Template)]
#[template(path = "settle_up.html")]
pub struct SettleUp {
    pub t: Locale,
    pub frame: Frame,
    pub table: String,
    pub target: Target,
    pub name: String,
    /// The night the table belongs to.
    pub night: NaiveDate,
    pub opened: Option<Timestamp>,
    pub games: usize,
    /// What a point is worth, as `5 EUR`. `None` if no money is played for.
    pub stake: Option<String>,
    /// Whether a game is on. It does not count yet.
    pub playing: bool,
    /// The payments that settle everything together with those already made, one per pair of players, largest
    /// first. A payment keeps its place in the list when it is made.
    pub payments: Vec<Handing>,
    /// Whether the number of payments is proved minimal.
    pub exact: bool,
    /// Everybody's standing, the winner first.
    pub standings: Vec<StandingLine>,
    /// The currency of the money columns. `None` if no money is played for.
    pub currency: Option<String>,
    /// Players who may be paid off early because they leave.
    pub leavers: Vec<Leaver>,
    /// The player who leaves now, if one was chosen.
    pub leaving: Option<Leaving>,
    /// The finished games, first to last.
    pub sheet: Vec<GameLine>,
    /// The address of the page for the whole night.
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

    /// How many payments are left, in words. The sentence claims the minimum only if it is proved.
    #[must_use]
    pub fn how_many(&self) -> String {
        let key = if self.exact { "payments-exact" } else { "payments-many" };
        self.t.count(key, &self.still_open())
    }
}

/// The page of a whole night: the payments across all tables, and the button that records them at each table.
#[derive(Debug, Template)]
#[template(path = "settle_night.html")]
pub struct SettleNight {
    pub t: Locale,
    pub frame: Frame,
    /// The address of the page and of its form.
    pub address: String,
    pub night: NaiveDate,
    /// The tables of the night in this unit.
    pub tables: Vec<NightTableLine>,
    /// The payments that settle everything, largest first.
    pub payments: Vec<Handing>,
    /// Whether the number of payments is proved minimal.
    pub exact: bool,
    /// The button that records them all. `None` if there are none or the viewer may not now.
    pub pay_all: Option<PayAll>,
    /// A table at which the last payments can be undone, if the viewer may.
    pub back: Option<String>,
    /// The currency of the amounts. `None` for points.
    pub currency: Option<String>,
    /// Everybody's standing, the largest claim first.
    pub standings: Vec<NightLine>,
    /// The money sessions that are not even: the address where each is settled, and the payment.
    pub sessions: Vec<(String, Handing)>,
}

impl SettleNight {
    /// How many payments it takes, in words.
    #[must_use]
    pub fn how_many(&self) -> String {
        let key = if self.exact { "payments-exact" } else { "payments-many" };
        self.t.count(key, &self.payments.len())
    }

    /// Whether a game is on at one of the tables.
    #[must_use]
    pub fn playing(&self) -> bool {
        self.tables.iter().any(|table| table.playing)
    }
}

/// One of the night's tables.
#[derive(Clone, Debug)]
pub struct NightTableLine {
    pub id: String,
    pub name: String,
    /// Whether a game is on. It does not count yet.
    pub playing: bool,
}

/// The button that settles a whole night.
#[derive(Clone, Debug)]
pub struct PayAll {
    /// The payments on show, as the API takes them. The command is refused if they have changed since.
    pub seen: String,
    /// Idempotency key: a second tap on the button does nothing.
    pub key: String,
}

/// A player's standing over the whole night.
#[derive(Clone, Debug)]
pub struct NightLine {
    pub name: String,
    pub won: Amount,
    pub paid: Amount,
    /// The open rest. Positive if the player is owed it.
    pub open: Amount,
}

/// A payment from one player to another.
#[derive(Clone, Debug)]
pub struct Handing {
    pub payer: String,
    pub payee: String,
    /// The amount, as `30.00 EUR` or `1½`. The page names the unit of points once.
    pub amount: String,
    pub paid: bool,
    /// The button that records the payment, or undoes one already made. `None` if the viewer may not.
    pub pay: Option<Button>,
}

impl Handing {
    /// The payment in words, as the button's accessible name.
    #[must_use]
    pub fn sentence(&self, t: &Locale) -> String {
        let values: [(&str, &dyn Display); 3] =
            [("payer", &self.payer), ("payee", &self.payee), ("amount", &self.amount)];
        t.fill("told-payment", &values)
    }
}

#[derive(Clone, Debug)]
pub struct StandingLine {
    pub name: String,
    pub points: Amount,
    /// The points in money, without the currency. `None` if no money is played for.
    pub won: Option<Amount>,
    pub paid: Amount,
    /// The open rest. Positive if the player is owed it.
    pub open: Amount,
}

/// A player who may be paid off early.
#[derive(Clone, Debug)]
pub struct Leaver {
    pub name: String,
    /// The address of this page with the player as the leaver.
    pub link: String,
    /// Whether they are the chosen leaver.
    pub chosen: bool,
}

/// The player who leaves, and the payments that pay them off.
#[derive(Clone, Debug)]
pub struct Leaving {
    pub player: String,
    pub name: String,
    /// Whether they are owed the open amount, rather than owing it.
    pub is_owed: bool,
    pub open: String,
    /// The other players, with the amount chosen for each.
    pub others: Vec<Other>,
    pub payments: Vec<Handing>,
    /// The rest after those payments. `None` if nothing is left.
    pub left: Option<String>,
    /// Why these payments are refused.
    pub problem: Option<String>,
}

impl Leaving {
    /// The open amount, and the question of who pays or is paid.
    #[must_use]
    pub fn question(&self, t: &Locale) -> String {
        let key = if self.is_owed { "leaver-owed" } else { "leaver-owes" };
        t.fill(key, &[("name", &self.name), ("amount", &self.open)])
    }

    /// The sentence about the open rest, if there is one.
    #[must_use]
    pub fn rest(&self, t: &Locale) -> Option<String> {
        let key = if self.is_owed { "leaver-still-owed" } else { "leaver-still-owes" };
        let left = self.left.as_ref()?;
        Some(t.fill(key, &[("name", &self.name), ("amount", left)]))
    }
}

/// A player with whom the leaver may settle.
#[derive(Clone, Debug)]
pub struct Other {
    pub player: String,
    pub name: String,
    pub open: Amount,
    pub named: bool,
    /// The amount chosen for this player, as typed.
    pub amount: String,
}

/// A game in the record of the night.
#[derive(Clone, Debug)]
pub struct GameLine {
    pub game: u32,
    pub box_player: String,
    pub what: String,
    /// Each player's result, in the order of the standings. `None` for those who were not in the game.
    pub points: Vec<Option<Amount>>,
}
