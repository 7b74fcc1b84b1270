//! The page of a chouette's table: its state, and what may be done now.
//!
//! Seats, bets, buttons and log come from the state of the table. The template draws one button for each act
//! it is given, and no others.

mod acts;
mod board;
mod context;
mod everybody;
mod finish;
mod from_domain;
mod log;
mod now;
mod previewed;
mod take_back;

use askama::Template;
use chrono::NaiveDate;

pub use acts::has_buttons;
pub use context::TableContext;
pub use log::LogLine;
#[cfg(test)]
pub use log::Undone;
pub use now::Yours;

use super::button::{Button, Target, Weight};
use super::fields::Fields;
use super::frame::{Choice, Frame, Notice};
use crate::board::Board;
use crate::pages::live::live_page;
use crate::sentences::chouette::animal;
use crate::sentences::wins::Kind;
use owlbox_locale::{Amount, Locale};

#[derive(Debug)]
pub struct TablePage {
    pub t: Locale,
    pub frame: Frame,
    pub table: Table,
}

live_page!(TablePage, "table_live.html" in "table.html");

/// The phase of a table, in the steps that matter to its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Players come in; the order is not rolled yet (Q1).
    Gathering,
    Between,
    Playing,
    /// The night at this table is over.
    Closed,
}

/// A chouette, ready for its page.
#[derive(Clone, Debug)]
pub struct Table {
    pub id: String,
    pub name: String,
    /// The night the table belongs to.
    pub night: NaiveDate,
    /// The version on show. The live stream continues from it.
    pub version: i64,
    pub target: Target,
    pub phase: Phase,
    /// What a point is worth, as `5 EUR`. `None` if no money is played for.
    pub stake: Option<String>,
    /// The house rules in one line: how the box changes, and every difference from the common rules.
    pub rules: String,
    /// The number of the present game, or of the last one.
    pub game: usize,
    /// The state of the table in one sentence, the largest words on the page.
    pub now: String,
    /// The viewer's own decision, if there is one. It replaces the sentence above.
    pub yours: Option<Yours>,
    /// Box, captain, crew, in this order. Before the order is rolled, everybody in the order of their
    /// arrival.
    pub seats: Vec<Seat>,
    /// The players outside the game: those who joined during it, are on a break, or have left.
    pub aside: Vec<Seat>,
    /// The next captains, in line.
    pub next_up: Vec<String>,
    /// The buttons under the board, likeliest first.
    pub acts: Vec<Button>,
    /// Acts that all players concerned do alike, at one tap each.
    pub everybody: Vec<Button>,
    /// Links to sheets that may be wanted now.
    pub links: Vec<Link>,
    /// Links to sheets that are seldom wanted.
    pub sheets: Vec<Link>,
    /// Other facts about this game that concern everybody: closed doubles, automatic doubles.
    pub facts: Vec<String>,
    /// The form that doubles some of the team only. `None` unless the box may choose.
    pub doubling_some: Option<DoublingSome>,
    /// The board of a refereed game.
    pub board: Option<Board>,
    /// Whether a result can be entered now.
    pub may_finish: bool,
    /// The act that undo takes back.
    pub undo: Option<Button>,
    /// The act that redo puts back.
    pub redo: Option<Button>,
    /// Puts back everything that was undone. `None` if that is only one act.
    pub redo_all: Option<Button>,
    /// The players who may join. `None` if nobody may.
    pub joining: Option<Joining>,
    /// The rolls for the order, while they are due.
    pub rolling: Option<Rolling>,
    /// The night's scores, best first. Empty if the viewer may not see them.
    pub standings: Vec<TableStanding>,
    /// Whether a link leads to who pays whom.
    pub settles: bool,
    /// The newest events, newest first.
    pub log: Vec<LogLine>,
    /// Usually why the last act was refused.
    pub notice: Option<Notice>,
}

impl Table {
    /// Whether a game is on.
    #[must_use]
    pub fn playing(&self) -> bool {
        self.phase == Phase::Playing
    }

    /// Whether players still come in before the order is rolled.
    #[must_use]
    pub fn gathering(&self) -> bool {
        self.phase == Phase::Gathering
    }

    /// The button that lets the service roll for the order.
    #[must_use]
    pub fn draw(&self) -> Option<&Button> {
        self.rolling.as_ref()?.draw.as_ref()
    }

    /// The form for joining, placed first while the table gathers.
    #[must_use]
    pub fn joining_first(&self) -> Option<&Joining> {
        self.joining.as_ref().filter(|_| self.gathering())
    }

    /// The form for joining, placed beside the game once the order is known.
    #[must_use]
    pub fn joining_late(&self) -> Option<&Joining> {
        self.joining.as_ref().filter(|_| !self.gathering())
    }

    /// Everything that may be done now, likeliest first: rolls for the order, acts, answers of everybody,
    /// links to sheets that are due.
    fn near(&self) -> impl Iterator<Item = Near<'_>> {
        let acts = self.draw().into_iter().chain(self.acts.iter().filter(|act| !act.far_reaching()));
        let buttons = acts.chain(&self.everybody);
        buttons.map(Near::Button).chain(self.links.iter().map(Near::Link))
    }

    /// The acts in the bar at the bottom: no more than fit into one row.
    pub fn likeliest(&self) -> impl Iterator<Item = Near<'_>> {
        self.near().take(IN_THE_BAR)
    }

    #[must_use]
    pub fn has_likeliest(&self) -> bool {
        self.near().next().is_some()
    }

    /// The remaining acts. They stand under the board.
    pub fn further(&self) -> impl Iterator<Item = Near<'_>> {
        self.near().skip(IN_THE_BAR)
    }

    #[must_use]
    pub fn has_further(&self) -> bool {
        self.further().next().is_some() || self.redo_all.is_some()
    }

    /// Whether the table still takes acts.
    #[must_use]
    pub fn open(&self) -> bool {
        self.phase != Phase::Closed
    }
}

/// How many acts stand side by side in the bar at the bottom. With undo and the end of the game below them
/// the bar has two rows, and never hides the table.
const IN_THE_BAR: usize = 2;

/// A button or link for something that may be done now.
#[derive(Clone, Copy, Debug)]
pub enum Near<'a> {
    Button(&'a Button),
    Link(&'a Link),
}

/// A player's role at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Box,
    Partner,
    /// Rolls and moves for the team.
    Captain,
    /// Rolls and moves in place of a captain who has dropped.
    ActingCaptain,
    /// The captain of this game, who has dropped.
    DroppedCaptain,
    Crew,
    /// Present before the order is rolled, when there is neither box nor team.
    Gathered,
    /// At the table, but not in this game.
    Waiting,
    Resting,
    /// Has left during the game, and others decide for their cube.
    Gone,
    Away,
}

impl Role {
    /// The CSS class of the seat.
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

#[derive(Clone, Debug)]
pub struct Seat {
    pub player: String,
    /// The name the table uses for them.
    pub name: String,
    pub role: Role,
    /// Whether this is the viewer.
    pub me: bool,
    /// Remarks on the player, a few words each.
    pub marks: Vec<Mark>,
    /// What they can still lose in this game. `None` if nothing.
    pub exposure: Option<Exposure>,
    /// Their bet with the box, for a member of the team in a game.
    pub bet: Option<Bet>,
    /// The extras they gave or got (Q10).
    pub extras: Vec<Extra>,
    /// Points of the night. `None` if the viewer may not see the standings.
    pub points: Option<Amount>,
    /// The double behind a tap on the cube of that bet, if its holder may double.
    pub at_cube: Option<Button>,
    /// The acts for this player.
    pub acts: Vec<Button>,
    /// The sheets for this player.
    pub links: Vec<Link>,
}

/// A short remark on a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub text: String,
    /// The CSS class of the remark.
    pub class: &'static str,
}

/// The most a player can still lose in this game, at the present cubes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exposure {
    /// The points, without a sign.
    pub points: String,
    /// Whether the club's limit for a warning is reached.
    pub above: bool,
}

/// An extra, from the view of one of its two players.
#[derive(Clone, Debug)]
pub struct Extra {
    /// The number of the bet.
    pub bet_id: u32,
    /// The other player of the bet.
    pub against: String,
    pub bet: Bet,
}

impl Seat {
    /// Whether nothing can be done at this seat.
    #[must_use]
    pub fn idle(&self) -> bool {
        self.acts.is_empty() && self.links.is_empty()
    }

    /// Whether the seat's bet is settled. It stays visible, but muted.
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
    /// The member whose bet it is.
    Member,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    Open,
    /// The cube is on offer and not answered yet.
    Offered {
        /// `true` if the box offers it, `false` if the member does.
        by_box: bool,
        to: u32,
        /// 0 a double, 1 a beaver, 2 a raccoon, and so on.
        number: u8,
    },
    Settled {
        /// The member's result, with its sign. `None` if the viewer may not see points.
        points: Option<Amount>,
        by: Ended,
    },
}

/// What settled a bet before the end of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    MemberDropped,
    /// The box dropped; in an extra, its giver.
    BoxDropped,
    Agreed,
}

/// A member's bet with the box, or an extra.
#[derive(Clone, Debug)]
pub struct Bet {
    /// The giver of an extra, who plays the box's side of it. `None` for a bet with the box.
    pub giver: Option<String>,
    /// The player on the team's side.
    pub member: String,
    /// The size of a point, in the table's stakes.
    pub units: u16,
    /// The value of the cube. `None` if the bet has no cube (C0).
    pub value: Option<u32>,
    pub owner: Owner,
    pub stage: Stage,
}

impl Bet {
    /// The number on the cube: the value on offer, or else its value.
    #[must_use]
    pub const fn figure(&self) -> Option<u32> {
        match self.stage {
            Stage::Offered { to, .. } => Some(to),
            Stage::Open | Stage::Settled { .. } => self.value,
        }
    }

    /// The member's result, once the bet is settled.
    #[must_use]
    pub const fn result(&self) -> Option<&Amount> {
        match &self.stage {
            Stage::Settled { points, .. } => points.as_ref(),
            Stage::Open | Stage::Offered { .. } => None,
        }
    }

    /// The CSS class of the cube.
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

    /// The state of the cube in words, for the line under it.
    #[must_use]
    pub fn side(&self, t: &Locale) -> String {
        // There is only room for a first name under a cube. The full name stands beside it.
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

/// Who offers the cube, and as a double or which animal. `None` is the box.
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

/// A link to a sheet, for an act that needs more than a tap.
#[derive(Clone, Debug)]
pub struct Link {
    pub label: String,
    /// The end of the address, after that of the table.
    pub sheet: String,
    pub weight: Weight,
}

/// The form in which the box chooses whom to double.
#[derive(Clone, Debug)]
pub struct DoublingSome {
    pub against: Vec<Choice>,
    /// The form adds one `against[]` for each choice.
    pub button: Button,
}

#[derive(Clone, Debug)]
pub struct Joining {
    /// The club's players who are not at this table.
    pub players: Vec<Choice>,
    /// Whether a new guest may be made here.
    pub guests: bool,
    /// The command without the player, whom the form gives: `player`, or `guest` for a name.
    pub fields: Fields,
    /// The idempotency key of the form for players.
    pub key: String,
    /// The idempotency key of the form for a guest.
    pub guest_key: String,
}

impl Joining {
    /// Whether there are few enough players for a button each.
    #[must_use]
    pub fn at_a_glance(&self) -> bool {
        self.players.len() <= 24
    }
}

/// The rolls for the order (Q1).
#[derive(Clone, Debug)]
pub struct Rolling {
    /// The players who have to roll, or roll again: id and name.
    pub due: Vec<Choice>,
    /// Whether they roll again because they tied.
    pub again: bool,
    pub rolled: Vec<(String, u8)>,
    pub draw: Option<Button>,
    /// The form that enters the dice. It adds one `rolls[n][dice][]` for each die of the nth player.
    pub enter: Option<Button>,
    /// The number of dice each of them rolls.
    pub dice: usize,
}

impl Rolling {
    /// The numbers of a player's dice, from 1.
    #[must_use]
    pub fn numbers(&self) -> std::ops::RangeInclusive<usize> {
        1..=self.dice
    }
}

/// A player's line in the night's scores.
#[derive(Clone, Debug)]
pub struct TableStanding {
    pub player: String,
    pub name: String,
    pub points: Amount,
    pub money: Option<Amount>,
    pub away: bool,
}

/// The sheet that takes back several acts at once. Everything is shown before it is confirmed.
#[derive(Debug, Template)]
#[template(path = "take_back.html")]
pub struct TakeBack {
    pub t: Locale,
    pub frame: Frame,
    pub table: String,
    pub name: String,
    /// The table at the version that it was worked out from.
    pub target: Target,
    /// The lines to take back, newest first.
    pub log: Vec<LogLine>,
    /// Other tables at which something is taken back together with this.
    pub also: Vec<String>,
    /// The currency, if money is played for.
    pub currency: Option<String>,
    /// The scores that change: by how much, and to what.
    pub changes: Vec<OutcomeLine>,
    /// The undo command behind the button that confirms.
    pub act: Button,
}

/// The sheet on which everybody who still has to answer drops. The result is shown before it is confirmed.
#[derive(Debug, Template)]
#[template(path = "everybody.html")]
pub struct EverybodyDrops {
    pub t: Locale,
    pub frame: Frame,
    pub table: String,
    pub name: String,
    /// The table at the version that it was worked out from.
    pub target: Target,
    /// The players who drop, in the order of their answers.
    pub who: Vec<String>,
    /// The currency, if money is played for.
    pub currency: Option<String>,
    /// Everybody's result. Empty where it could reveal a secret answer.
    pub lines: Vec<OutcomeLine>,
    /// Box and captain of the next game, if the drops end this one.
    pub next: Option<(String, String)>,
    /// The drops behind the button that confirms.
    pub button: Button,
}

/// The sheet that ends a game. Everything is shown before it is confirmed.
#[derive(Debug, Template)]
#[template(path = "finish.html")]
pub struct Finish {
    pub t: Locale,
    pub frame: Frame,
    pub table: String,
    pub name: String,
    /// The table at the version that it was worked out from.
    pub target: Target,
    /// The number of the game.
    pub game: usize,
    /// The rules of a variant other than backgammon, in words. In some of them the side that bears off first
    /// loses.
    pub other_game: Option<String>,
    pub box_player: String,
    pub captain: String,
    /// The currency, if money is played for.
    pub currency: Option<String>,
    /// The possible results: the box's first, then the team's, each side's cheapest first.
    pub outcomes: Vec<Outcome>,
}

impl Finish {
    /// The results of one side.
    pub fn of_side(&self, box_wins: &bool) -> impl Iterator<Item = &Outcome> {
        let box_wins = *box_wins;
        self.outcomes.iter().filter(move |outcome| outcome.box_wins == box_wins)
    }

    /// Everybody in the game, with the index of their line in every outcome.
    pub fn players(&self) -> impl Iterator<Item = (usize, &OutcomeLine)> {
        let lines = self.outcomes.first().map(|outcome| outcome.lines.as_slice()).unwrap_or_default();
        lines.iter().enumerate()
    }

    /// The result that was chosen and has to be confirmed.
    #[must_use]
    pub fn chosen(&self) -> Option<&Outcome> {
        self.outcomes.iter().find(|outcome| outcome.chosen)
    }
}

/// One possible result, and its effect.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub box_wins: bool,
    pub kind: Kind,
    /// Whether it is the one to confirm.
    pub chosen: bool,
    /// Everybody's result, in the order of the seats.
    pub lines: Vec<OutcomeLine>,
    pub next_box: String,
    pub next_captain: String,
    /// The partners of the box afterwards.
    pub next_partners: Vec<String>,
    /// The players after the captain, in line.
    pub next_line: Vec<String>,
    /// The effect of the Jacoby rule (C9), if it has any.
    pub jacoby: Option<String>,
    /// The command that records this result.
    pub act: Button,
}

impl Outcome {
    /// The points of the player on that line.
    #[must_use]
    pub fn points_of(&self, line: &usize) -> String {
        self.lines.get(*line).map(|line| line.points.text.clone()).unwrap_or_default()
    }

    /// The winner, as addresses write it.
    #[must_use]
    pub const fn winner(&self) -> &'static str {
        if self.box_wins { "box" } else { "team" }
    }
}

/// A player's change by a result, or by its undoing.
#[derive(Clone, Debug)]
pub struct OutcomeLine {
    pub name: String,
    /// Partner or extra, where the player is or has one.
    pub note: Option<String>,
    /// Points of this game, drops included.
    pub points: Amount,
    pub money: Option<Amount>,
    /// Points of the night afterwards.
    pub total: Amount,
}
