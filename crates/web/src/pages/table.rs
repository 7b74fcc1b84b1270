//! A chouette's table: what happens here now, and what may be done?
//!
//! Seats, bets, acts and log come from the table's state; the template draws one button for each
//! act it is given and none other.

mod acts;
mod board;
mod everybody;
mod finish;
mod from_domain;
mod log;
mod take_back;

use askama::Template;
use chrono::NaiveDate;

pub(super) use acts::{json, key};
pub use everybody::everybody_drops;
pub use from_domain::TableContext;

use super::board::Board;
use super::frame::{Choice, Frame, Notice};
use super::log_message::{Decides, LogMessage, LoneRule, OnBoard, Tie, Who, animal};
use super::now::{Now, Yours};
use super::words::Kind;
use crate::locale::{Amount, Locale};
use owlbox_domain::values::Timestamp;

#[derive(Debug, Template)]
#[template(path = "table.html")]
pub struct TablePage {
    pub t: Locale,
    pub frame: Frame,
    pub table: Table,
}

/// Only what a live change replaces.
#[derive(Debug, Template)]
#[template(path = "table.html", block = "live")]
pub struct TablePartial {
    pub t: Locale,
    /// What surrounds the page; of it only `csrf` is used.
    pub frame: Frame,
    pub table: Table,
}

/// Where a table stands in its night.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Players come in; the order is not rolled yet.
    Gathering,
    Between,
    /// A game is going on.
    Playing,
    /// The night is over here.
    Closed,
}

/// A chouette as its page shows it.
#[derive(Clone, Debug)]
pub struct Table {
    pub id: String,
    pub name: String,
    /// The night it belongs to.
    pub night: NaiveDate,
    /// The version shown: what an act is sent with, and where the live stream goes on.
    pub version: i64,
    pub phase: Phase,
    /// What a point is worth, as `5 EUR`.
    pub stake: Option<String>,
    /// The house rules in one line.
    pub rules: String,
    /// The number of the game going on, or of the last one.
    pub game: usize,
    /// What happens now, in one sentence: the biggest words on the page.
    pub now: Now,
    /// What of it the one who looks has to decide, if anything.
    pub yours: Option<Yours>,
    /// Box, captain, crew, in this order; before the order is rolled, everybody as they came.
    pub seats: Vec<Seat>,
    /// Who sits out: joined during this game, or took a break.
    pub aside: Vec<Seat>,
    /// Who is captain next, in line.
    pub next_up: Vec<String>,
    /// What may be done, likeliest first.
    pub acts: Vec<Act>,
    /// What everybody who still has to answers alike, at one tap.
    pub everybody: Vec<Several>,
    /// What has a sheet, and may be wanted now.
    pub links: Vec<Link>,
    /// What has a sheet, and is seldom wanted.
    pub sheets: Vec<Link>,
    /// What holds for all in this game besides: closed doubles, automatic ones.
    pub facts: Vec<String>,
    /// The box doubles some of the team only, if it may double several.
    pub doubling_some: Option<DoublingSome>,
    /// The board, if the game is refereed.
    pub board: Option<Board>,
    /// Whether a result can be entered now.
    pub may_finish: bool,
    /// What undo would take back.
    pub undo: Option<Step>,
    /// What redo would put back.
    pub redo: Option<Step>,
    /// Puts back everything that was undone, if that is more than one act.
    pub redo_all: Option<Act>,
    /// Who may join, if anybody may.
    pub joining: Option<Joining>,
    /// Rolling for the order, if it is due.
    pub rolling: Option<Rolling>,
    /// The night's scores, best first.
    pub standings: Vec<TableStanding>,
    /// What happened, newest first.
    pub log: Vec<LogLine>,
    /// Something to tell about the last act: why it was refused.
    pub notice: Option<Notice>,
}

impl Table {
    /// Whether a game is going on.
    #[must_use]
    pub fn playing(&self) -> bool {
        self.phase == Phase::Playing
    }

    /// Whether players still come in, before the order is rolled.
    #[must_use]
    pub fn gathering(&self) -> bool {
        self.phase == Phase::Gathering
    }

    /// The button by which the service rolls for the order.
    #[must_use]
    pub fn draw(&self) -> Option<&Act> {
        self.rolling.as_ref()?.draw.as_ref()
    }

    /// Who may join, while that is the question: before the order is rolled.
    #[must_use]
    pub fn joining_first(&self) -> Option<&Joining> {
        self.joining.as_ref().filter(|_| self.gathering())
    }

    /// Who may join later: beside the game.
    #[must_use]
    pub fn joining_late(&self) -> Option<&Joining> {
        self.joining.as_ref().filter(|_| !self.gathering())
    }

    /// What may be done now, likeliest first: dice for the order, acts, answers of everybody, sheets that are due.
    fn near(&self) -> impl Iterator<Item = Near<'_>> {
        let acts = self.draw().into_iter().chain(self.acts.iter().filter(|act| !act.far_reaching()));
        let several = self.everybody.iter().map(Near::Several);
        acts.map(Near::Act).chain(several).chain(self.links.iter().map(Near::Link))
    }

    /// What stands in the bar: no more than one row holds.
    pub fn likeliest(&self) -> impl Iterator<Item = Near<'_>> {
        self.near().take(IN_THE_BAR)
    }

    #[must_use]
    pub fn has_likeliest(&self) -> bool {
        self.near().next().is_some()
    }

    /// What else may be done now: under the board.
    pub fn further(&self) -> impl Iterator<Item = Near<'_>> {
        self.near().skip(IN_THE_BAR)
    }

    #[must_use]
    pub fn has_further(&self) -> bool {
        self.further().next().is_some() || self.redo_all.is_some()
    }

    /// Whether acts may still come.
    #[must_use]
    pub fn open(&self) -> bool {
        self.phase != Phase::Closed
    }
}

/// Acts that stand in the bar at the bottom, beside each other: with undo and the end of the game below them it has
/// two rows, and never hides the table.
const IN_THE_BAR: usize = 2;

/// Something that may be done now.
#[derive(Clone, Copy, Debug)]
pub enum Near<'a> {
    Act(&'a Act),
    Several(&'a Several),
    Link(&'a Link),
}

/// What a player is at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Box,
    Partner,
    /// Rolls and moves for the team.
    Captain,
    /// Rolls and moves in the place of a captain who dropped.
    ActingCaptain,
    /// The captain who dropped: still the one who began.
    DroppedCaptain,
    Crew,
    /// Here before the order is rolled: neither box nor team yet.
    Gathered,
    /// At the table, not in this game.
    Waiting,
    Resting,
    /// Has left, and others decide the cube.
    Gone,
    Away,
}

impl Role {
    /// The class of the seat.
    #[must_use]
    pub const fn class(self) -> &'static str {
        match self {
            Self::Box => "box",
            Self::Partner => "partner",
            Self::Captain | Self::ActingCaptain => "captain",
            Self::DroppedCaptain | Self::Crew => "crew",
            Self::Gathered | Self::Waiting | Self::Away => "aside",
            Self::Resting | Self::Gone => "resting",
        }
    }

    #[must_use]
    pub fn text(self, t: &Locale) -> String {
        t.get(match self {
            Self::Box => "role-box",
            Self::Partner => "role-partner",
            Self::Captain => "role-captain",
            Self::ActingCaptain => "role-acting-captain",
            Self::DroppedCaptain => "role-dropped-captain",
            Self::Crew => "role-crew",
            Self::Gathered => "role-gathered",
            Self::Waiting => "role-waiting",
            Self::Resting => "role-resting",
            Self::Gone => "role-gone",
            Self::Away => "role-away",
        })
    }
}

/// A player at the table.
#[derive(Clone, Debug)]
pub struct Seat {
    pub player: String,
    /// What the table calls them.
    pub name: String,
    pub role: Role,
    /// Whether it is the viewer.
    pub me: bool,
    /// What the table should know of them besides, a few words each.
    pub marks: Vec<Mark>,
    /// What they can still lose in this game, if anything.
    pub exposure: Option<Exposure>,
    /// The bet with the box, for one of the team while a game is going on.
    pub bet: Option<Bet>,
    /// Extras that they gave or got.
    pub extras: Vec<Extra>,
    /// Points this night, for those who may see the standings.
    pub points: Option<Amount>,
    /// What a tap on the cube of that bet does, if its holder may double.
    pub at_cube: Option<Act>,
    /// What may be done for this player.
    pub acts: Vec<Act>,
    /// What may be done for this player on a sheet of its own.
    pub links: Vec<Link>,
}

/// A few words about a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub text: String,
    /// The class they are shown in.
    pub class: &'static str,
}

/// What a player can still lose in a game at the present cubes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exposure {
    /// How much, without a sign.
    pub points: String,
    /// Whether it is so much that the club wants a warning.
    pub above: bool,
}

/// An extra, as one of its two players sees it.
#[derive(Clone, Debug)]
pub struct Extra {
    /// The number of its bet.
    pub bet_id: u32,
    /// Against whom it is played.
    pub against: String,
    pub bet: Bet,
}

impl Seat {
    /// Whether nothing can be done at this seat.
    #[must_use]
    pub fn idle(&self) -> bool {
        self.acts.is_empty() && self.links.is_empty()
    }

    /// Whether the seat's bet is settled: it stays visible, muted.
    #[must_use]
    pub fn settled(&self) -> bool {
        matches!(self.bet, Some(Bet { stage: Stage::Settled { .. }, .. }))
    }
}

/// Who may turn a cube next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Centred,
    Box,
    /// The member whose cube it is.
    Member,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    Open,
    /// The cube is offered and not answered yet.
    Offered {
        /// Whether by the box; else by the member.
        by_box: bool,
        to: u32,
        /// 0 a double, 1 a beaver, 2 a raccoon, and so on.
        number: u8,
    },
    Settled {
        /// What the member won or lost by it.
        points: Amount,
        by: Ended,
    },
}

/// What settled a bet before its game was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    MemberDropped,
    /// The box dropped - or who gave the extra.
    BoxDropped,
    Agreed,
}

/// One member's bet with the box, or an extra.
#[derive(Clone, Debug)]
pub struct Bet {
    /// Who plays it on the box's side, if not the box.
    pub giver: Option<String>,
    /// Who plays it on the team's side.
    pub member: String,
    /// How many of the table's stakes a point of it is.
    pub units: u16,
    /// What the cube shows; `None` where there is none (C0).
    pub value: Option<u32>,
    pub owner: Owner,
    pub stage: Stage,
}

impl Bet {
    /// The figure on the cube: while offered, the one offered.
    #[must_use]
    pub const fn figure(&self) -> Option<u32> {
        match self.stage {
            Stage::Offered { to, .. } => Some(to),
            Stage::Open | Stage::Settled { .. } => self.value,
        }
    }

    /// What a settled bet brought the member.
    #[must_use]
    pub const fn result(&self) -> Option<&Amount> {
        match &self.stage {
            Stage::Settled { points, .. } => Some(points),
            Stage::Open | Stage::Offered { .. } => None,
        }
    }

    /// The class of the cube.
    #[must_use]
    pub const fn class(&self) -> &'static str {
        match (&self.stage, self.owner) {
            (Stage::Offered { .. }, _) => "offered",
            (Stage::Settled { .. }, _) => "settled",
            (_, Owner::Centred) => "centred",
            (_, Owner::Box) => "to-box",
            (_, Owner::Member) => "to-member",
        }
    }

    /// Which side holds it, in words.
    #[must_use]
    pub fn side(&self, t: &Locale) -> String {
        // Under a cube there is room for one of several names; the whole stands beside it.
        let short = |name: &str| name.split_whitespace().next().unwrap_or(name).to_owned();
        let giver = self.giver.as_deref().map(short);
        let member = short(&self.member);
        match (&self.stage, self.owner) {
            (Stage::Offered { by_box, number, .. }, _) => {
                let by = if *by_box { giver } else { Some(member) };
                offering(t, by, *number)
            }
            (Stage::Settled { by: Ended::MemberDropped, .. }, _) => t.get("cube-dropped"),
            (Stage::Settled { by: Ended::BoxDropped, .. }, _) => match giver {
                Some(name) => t.with("cube-dropped-by", "name", name),
                None => t.get("cube-box-dropped"),
            },
            (Stage::Settled { by: Ended::Agreed, .. }, _) => t.get("cube-agreed"),
            (Stage::Open, _) if self.value.is_none() => String::new(),
            (Stage::Open, Owner::Centred) => t.get("cube-centred"),
            (Stage::Open, Owner::Box) => match giver {
                Some(name) => t.with("cube-to", "name", name),
                None => t.get("cube-to-box"),
            },
            (Stage::Open, Owner::Member) => t.with("cube-to", "name", member),
        }
    }
}

/// Who offers the cube, and as what; nobody by name is the box.
fn offering(t: &Locale, by: Option<String>, number: u8) -> String {
    match (by, number) {
        (None, 0) => t.get("cube-offered-by-box"),
        (Some(name), 0) => t.with("cube-offered-by", "name", name),
        (by, number) => {
            let name = by.unwrap_or_else(|| t.get("the-box"));
            t.fill("cube-beavered-by", &[("animal", &animal(number)), ("name", &name)])
        }
    }
}

/// How large an act's button is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    Main,
    Plain,
    /// Beside another that is likelier.
    Faint,
    Quiet,
}

impl Weight {
    /// The class of the button.
    #[must_use]
    pub const fn class(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Plain => "plain",
            Self::Faint | Self::Quiet => "quiet",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Act {
    /// What will be recorded, in words.
    pub label: String,
    /// The command, as the API takes it.
    pub command: String,
    /// The idempotency key of this button.
    pub key: String,
    pub weight: Weight,
}

impl Act {
    /// Whether its consequence is shown before it is asked for.
    #[must_use]
    pub fn far_reaching(&self) -> bool {
        self.weight == Weight::Quiet
    }
}

/// Several commands at one tap, carried out one after the other, in one act.
#[derive(Clone, Debug)]
pub struct Several {
    /// What will be recorded, in words.
    pub label: String,
    /// The commands, in order, each as the API takes it.
    pub commands: Vec<String>,
    /// The idempotency key of this button.
    pub key: String,
    /// Whether what they come to is shown, and asked for, before they are carried out.
    pub shown_first: bool,
}

/// A way to a sheet: to what needs more than a tap.
#[derive(Clone, Debug)]
pub struct Link {
    pub label: String,
    /// The end of its address, behind the table's.
    pub sheet: String,
    pub weight: Weight,
}

/// The box chooses whom to double.
#[derive(Clone, Debug)]
pub struct DoublingSome {
    pub against: Vec<Choice>,
    /// The command, which `against`, once for each one chosen, completes.
    pub command: String,
    /// The idempotency key of this form.
    pub key: String,
}

/// What undo or redo would do.
#[derive(Clone, Debug)]
pub struct Step {
    pub what: LogMessage,
    pub command: String,
    /// The idempotency key of this button.
    pub key: String,
}

#[derive(Clone, Debug)]
pub struct Joining {
    /// Players of the club who are not at this table.
    pub players: Vec<Choice>,
    /// Whether a new guest may be made here.
    pub guests: bool,
    /// The command, which `player` or `guest` completes.
    pub command: String,
    /// The idempotency key of the form for players.
    pub key: String,
    /// The idempotency key of the form for a guest.
    pub guest_key: String,
}

impl Joining {
    /// Whether the players are few enough for a button each.
    #[must_use]
    pub fn at_a_glance(&self) -> bool {
        self.players.len() <= 24
    }
}

/// Rolling for the order (Q1).
#[derive(Clone, Debug)]
pub struct Rolling {
    /// Who has to roll, or to roll again: id and name.
    pub due: Vec<Choice>,
    /// Whether they are those who tied.
    pub again: bool,
    pub rolled: Vec<(String, u8)>,
    pub draw: Option<Act>,
    /// The dice are entered: the command, which `roll-{player}` completes, once for each die.
    pub enter: Option<Act>,
    /// How many dice each rolls.
    pub dice: usize,
}

impl Rolling {
    /// The dice of a player, numbered.
    #[must_use]
    pub fn numbers(&self) -> std::ops::RangeInclusive<usize> {
        1..=self.dice
    }
}

/// A line of the night's scores.
#[derive(Clone, Debug)]
pub struct TableStanding {
    pub player: String,
    pub name: String,
    pub points: Amount,
    pub money: Option<Amount>,
    pub away: bool,
}

/// A line of the log.
#[derive(Clone, Debug)]
pub struct LogLine {
    /// The version it ended at: stable, and what a highlight goes by.
    pub version: i64,
    pub at: Timestamp,
    pub what: LogMessage,
    /// What a game came to: for everybody, and for the seats.
    pub then: Vec<LogMessage>,
    pub by: String,
    /// By whom and when it was taken back later, if it was.
    pub undone: Option<Undone>,
    /// The act, as addresses write it, where the viewer may take back everything from it on.
    pub back: Option<String>,
}

/// By whom and when something was taken back.
#[derive(Clone, Debug)]
pub struct Undone {
    pub at: Timestamp,
    pub by: String,
}

/// The sheet that takes back several acts at once: everything shown before it is confirmed.
#[derive(Debug, Template)]
#[template(path = "take_back.html")]
pub struct TakeBack {
    pub t: Locale,
    pub frame: Frame,
    pub table: String,
    pub name: String,
    /// The version it was worked out from.
    pub version: i64,
    /// What is taken back, newest first.
    pub log: Vec<LogLine>,
    /// The other tables at which something is taken back with it.
    pub also: Vec<String>,
    /// The currency, if money is played for.
    pub currency: Option<String>,
    /// Whose score changes, and to what.
    pub changes: Vec<OutcomeLine>,
    /// What is asked for once it is confirmed.
    pub act: Act,
}

/// The sheet on which everybody who still has to answer drops: what that comes to is shown before it is confirmed.
#[derive(Debug, Template)]
#[template(path = "everybody.html")]
pub struct EverybodyDrops {
    pub t: Locale,
    pub frame: Frame,
    pub table: String,
    pub name: String,
    /// The version it was worked out from.
    pub version: i64,
    /// Who drops, in the order in which they answer.
    pub who: Vec<String>,
    /// The currency, if money is played for.
    pub currency: Option<String>,
    /// What everybody in the game gets; nobody, where it could tell what others have answered in secret.
    pub lines: Vec<OutcomeLine>,
    /// Box and captain of the next game, if this one is over with it.
    pub next: Option<(String, String)>,
    /// What is done once it is confirmed.
    pub several: Several,
}

/// The sheet that ends a game: everything shown before it is confirmed.
#[derive(Debug, Template)]
#[template(path = "finish.html")]
pub struct Finish {
    pub t: Locale,
    pub frame: Frame,
    pub table: String,
    pub name: String,
    /// The version the outcomes were worked out from.
    pub version: i64,
    /// The number of the game.
    pub game: usize,
    /// What is played, if it is another game: who bears off first may have lost it.
    pub other_game: Option<String>,
    pub box_player: String,
    pub captain: String,
    /// The currency, if money is played for.
    pub currency: Option<String>,
    /// The six results: the box's first, then the team's, cheapest first.
    pub outcomes: Vec<Outcome>,
}

impl Finish {
    /// The results of one side.
    pub fn of_side(&self, box_wins: &bool) -> impl Iterator<Item = &Outcome> {
        let box_wins = *box_wins;
        self.outcomes.iter().filter(move |outcome| outcome.box_wins == box_wins)
    }

    /// Everybody in the game, each with the place of their line in every outcome.
    pub fn players(&self) -> impl Iterator<Item = (usize, &OutcomeLine)> {
        let lines = self.outcomes.first().map(|outcome| outcome.lines.as_slice()).unwrap_or_default();
        lines.iter().enumerate()
    }

    /// The result that was chosen and is to be confirmed.
    #[must_use]
    pub fn chosen(&self) -> Option<&Outcome> {
        self.outcomes.iter().find(|outcome| outcome.chosen)
    }
}

/// One of the six results, and what it does.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub box_wins: bool,
    /// How the game is won.
    pub kind: Kind,
    /// Whether it is the one to be confirmed.
    pub chosen: bool,
    /// What everybody gets, in the order of the seats.
    pub lines: Vec<OutcomeLine>,
    pub next_box: String,
    pub next_captain: String,
    /// Who is partner of the box afterwards.
    pub next_partners: Vec<String>,
    /// Who comes then, in line.
    pub next_line: Vec<String>,
    /// What Jacoby makes of it (C9), if it matters.
    pub jacoby: Option<String>,
    /// The command that records it.
    pub act: Act,
}

impl Outcome {
    /// What the player on that line gets.
    #[must_use]
    pub fn points_of(&self, line: &usize) -> String {
        self.lines.get(*line).map(|line| line.points.text.clone()).unwrap_or_default()
    }

    /// As addresses write the winner.
    #[must_use]
    pub const fn winner(&self) -> &'static str {
        if self.box_wins { "box" } else { "team" }
    }
}

/// What one player gets from a result, or from its undoing.
#[derive(Clone, Debug)]
pub struct OutcomeLine {
    pub name: String,
    /// What the player is or has in this game besides a place in the line.
    pub note: Option<String>,
    /// Points of this game, drops included.
    pub points: Amount,
    pub money: Option<Amount>,
    /// Points of the night afterwards.
    pub total: Amount,
}
