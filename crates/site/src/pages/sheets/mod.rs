//! Sheets: acts at a table that need a form, with their effect shown before they are recorded.
//!
//! A sheet has the address `/chouettes/{id}/<name>`. Its forms only ask (GET). The command they describe is
//! tried out; the sheet then either shows the error at the field concerned, or the effect and a button to
//! confirm. That button posts to `/chouettes/{id}/act` like any other act. The choices come from
//! [`Legal`](owlbox_chouette::Legal).

mod correct;
mod line;
mod pay;
mod people;
mod settle;
mod start;
mod tables;
#[cfg(test)]
mod tests;

use askama::Template;

use super::button::{Button, Target};
use super::frame::{Choice, Frame};
use super::table::TableContext;
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_chouette::{Chouette, Command, HouseRules};
use owlbox_locale::{Amount, Locale};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetKind {
    /// Bets are settled by agreement.
    Settle,
    /// An earlier game is corrected.
    Correct,
    /// A player leaves, and somebody may have to decide for them.
    Leave,
    /// A player takes a break.
    Break,
    Proxy,
    /// Some players leave for a table of their own.
    Split,
    /// Everybody moves to another table.
    Merge,
    Rules,
    /// A player who was entered twice becomes one.
    Players,
    /// The order by hand, stakes and cubes of single players.
    Order,
    Pay,
    /// A game starts in a variant other than the house's own.
    Start,
}

impl SheetKind {
    pub const ALL: [Self; 12] = [
        Self::Settle,
        Self::Correct,
        Self::Leave,
        Self::Break,
        Self::Proxy,
        Self::Split,
        Self::Merge,
        Self::Rules,
        Self::Players,
        Self::Order,
        Self::Pay,
        Self::Start,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Settle => "settle",
            Self::Correct => "correct",
            Self::Leave => "leave",
            Self::Break => "break",
            Self::Proxy => "proxy",
            Self::Split => "split",
            Self::Merge => "merge",
            Self::Rules => "rules",
            Self::Players => "players",
            Self::Order => "order",
            Self::Pay => "pay",
            Self::Start => "start",
        }
    }

    /// The sheet with this name in its address.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    #[must_use]
    pub fn title(self, t: &Locale) -> String {
        t.get(match self {
            Self::Settle => "sheet-settle",
            Self::Correct => "sheet-correct",
            Self::Leave => "sheet-leave",
            Self::Break => "sheet-break",
            Self::Proxy => "sheet-proxy",
            Self::Split => "sheet-split",
            Self::Merge => "sheet-merge",
            Self::Rules => "sheet-rules",
            Self::Players => "sheet-players",
            Self::Order => "sheet-order",
            Self::Pay => "sheet-pay",
            Self::Start => "sheet-start",
        })
    }

    /// The introduction above the form.
    fn lead(self, t: &Locale) -> String {
        t.get(match self {
            Self::Settle => "sheet-settle-lead",
            Self::Correct => "sheet-correct-lead",
            Self::Leave => "sheet-leave-lead",
            Self::Break => "sheet-break-lead",
            Self::Proxy => "sheet-proxy-lead",
            Self::Split => "sheet-split-lead",
            Self::Merge => "sheet-merge-lead",
            Self::Rules => "sheet-rules-lead",
            Self::Players => "sheet-players-lead",
            Self::Order => "sheet-order-lead",
            Self::Pay => "sheet-pay-lead",
            Self::Start => "sheet-start-lead",
        })
    }

    /// The sheet as filled in so far. `None` if nothing on it is legal now.
    #[must_use]
    pub fn draft(self, context: &TableContext<'_>, asked: &SheetChoices, offered: &Offered) -> Option<Draft> {
        match self {
            Self::Settle => settle::draft(context, asked),
            Self::Correct => correct::draft(context, asked),
            Self::Leave | Self::Break => people::going(context, asked, self),
            Self::Proxy => people::proxy(context, asked),
            Self::Players => people::entered_twice(context, asked),
            Self::Split => tables::split(context, asked),
            Self::Merge => tables::merge(context, asked, &offered.tables),
            Self::Rules => tables::rules(context, asked, &offered.rules),
            Self::Order => line::draft(context, asked),
            Self::Pay => pay::draft(context, asked),
            Self::Start => start::draft(context, asked),
        }
    }
}

/// Choices that do not come from the table itself.
#[derive(Clone, Debug, Default)]
pub struct Offered {
    /// The other open tables of the night.
    pub tables: Vec<Choice>,
    /// The club's sets of house rules, and those that come with the program.
    pub rules: Vec<OfferedRules>,
}

/// A set of house rules to choose.
#[derive(Clone, Debug)]
pub struct OfferedRules {
    pub name: String,
    pub shown: String,
    pub rules: HouseRules,
}

/// The fields of the address, in order: the choices so far.
#[derive(Clone, Debug, Default)]
pub struct SheetChoices(pub Vec<(String, String)>);

impl SheetChoices {
    /// The value of a field, trimmed. Empty if the field is absent.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value.trim())
    }

    /// The values of all fields with this name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// Whether the form with this name was sent.
    #[must_use]
    pub fn sent(&self, form: &str) -> bool {
        self.text("form") == form
    }

    /// The player whose id a field holds, if they are among these.
    fn player(&self, name: &str, among: &[PlayerId]) -> Option<PlayerId> {
        let named = self.text(name);
        among.iter().copied().find(|player| player.to_string() == named)
    }
}

/// A sheet as filled in so far.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The first choice, as links.
    pub ways: Vec<Way>,
    /// The forms to fill in.
    pub forms: Vec<SheetForm>,
    /// The command, once the sheet is complete, and the same in words.
    pub command: Option<(Command, String)>,
    /// Remarks to show before the command is recorded.
    pub notes: Vec<String>,
    /// An error that no field shows.
    pub wrong: Option<String>,
}

impl Draft {
    /// Puts an error at the first field with this name, or with this name and an index (`name.1`). If there
    /// is none, the error stands above the whole sheet.
    pub fn mark(&mut self, field: Option<&str>, wrong: String) {
        let named = |one: &&mut Field| field.is_some_and(|field| one.name.split('.').next() == Some(field));
        let groups = self.forms.iter_mut().flat_map(|form| &mut form.groups);
        match groups.flat_map(|group| &mut group.fields).find(named) {
            Some(field) => field.wrong = Some(wrong),
            None => self.wrong = Some(wrong),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Way {
    pub label: String,
    pub about: String,
    pub address: String,
    pub chosen: bool,
}

#[derive(Clone, Debug, Default)]
pub struct SheetForm {
    /// Distinguishes the forms of a sheet that has several.
    pub name: &'static str,
    /// The heading, on a sheet with several forms.
    pub title: Option<String>,
    /// Hidden fields, kept from earlier choices.
    pub kept: Vec<(&'static str, String)>,
    pub groups: Vec<Group>,
}

#[derive(Clone, Debug, Default)]
pub struct Group {
    pub legend: Option<String>,
    pub hint: Option<String>,
    pub fields: Vec<Field>,
}

impl Group {
    fn new(field: Field) -> Self {
        Self { fields: vec![field], ..Self::default() }
    }
}

#[derive(Clone, Debug)]
pub struct Field {
    /// The name in the address.
    pub name: String,
    pub label: String,
    pub kind: FieldKind,
    /// Why its value is refused.
    pub wrong: Option<String>,
}

/// The control for a field.
#[derive(Clone, Debug)]
pub enum FieldKind {
    Select(Vec<Choice>),
    /// One of a few choices, all of them visible.
    Pick(Vec<Choice>),
    Tick(Vec<Choice>),
    /// Text: the value, and the kind of keyboard for it.
    Typed(String, &'static str),
}

impl Field {
    fn new(name: impl Into<String>, label: impl Into<String>, kind: FieldKind) -> Self {
        Self { name: name.into(), label: label.into(), kind, wrong: None }
    }
}

#[derive(Debug, Template)]
#[template(path = "sheets/sheet.html")]
pub struct Sheet {
    pub t: Locale,
    pub frame: Frame,
    pub kind: SheetKind,
    pub table: String,
    pub name: String,
    /// The sheet as filled in so far.
    pub draft: Draft,
    pub confirmed: Option<Confirmed>,
    /// Links to go on with afterwards.
    pub links: Vec<Way>,
}

impl Sheet {
    /// The introduction above the form.
    #[must_use]
    pub fn lead(&self) -> String {
        self.kind.lead(&self.t)
    }
}

/// The effect of a command, and the button that records it.
#[derive(Clone, Debug)]
pub struct Confirmed {
    /// The table at the version it was tried on.
    pub target: Target,
    pub act: Button,
    pub scores: Vec<Scored>,
    pub posted: Vec<Posted>,
    /// Further remarks on the effect.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Scored {
    pub name: String,
    pub before: Amount,
    pub change: Amount,
    pub after: Amount,
}

/// An amount the ledger would post between two players.
#[derive(Clone, Debug)]
pub struct Posted {
    pub name: String,
    /// The other player of the pair.
    pub with: String,
    pub amount: Amount,
}

impl Confirmed {
    /// The differences between the chouette and `after`, its state after `command`.
    #[must_use]
    pub fn new(
        context: &TableContext<'_>,
        command: &Command,
        message: String,
        after: &Chouette,
        posted: Vec<Posted>,
        mut notes: Vec<String>,
    ) -> Self {
        let before = &context.stream.state;
        let known: Vec<PlayerId> =
            before.known().chain(after.known().filter(|one| !before.knows(*one))).collect();
        let change = |player: &PlayerId| after.score(*player) - before.score(*player);
        let changed = known.into_iter().filter(|player| change(player) != HalfPoints::ZERO);
        let scores = changed.map(|player| Scored {
            name: context.name(player),
            before: context.say.points(&before.score(player).0),
            change: context.say.points(&change(&player).0),
            after: context.say.points(&after.score(player).0),
        });
        let seats = |state: &Chouette| (state.box_player(), state.captain());
        let (box_player, captain) = seats(after);
        if let (true, Some(box_player), Some(captain)) = (seats(before) != seats(after), box_player, captain)
        {
            let names = [context.name(box_player), context.name(captain)];
            notes.push(context.say.fill("say-seats", &[("box", &names[0]), ("captain", &names[1])]));
        }
        Self {
            target: context.target(),
            act: Button::new(message, command),
            scores: if context.sees_points() { scores.collect() } else { Vec::new() },
            posted,
            notes,
        }
    }
}

/// The players of a bet. An extra is named as such, because it is not a bet with the box.
fn between(context: &TableContext<'_>, box_side: PlayerId, team: PlayerId, extra: bool) -> String {
    let names = format!("{} – {}", context.name(box_side), context.name(team));
    if extra { context.say.with("sheet-extra", "names", &names) } else { names }
}

fn choices(context: &TableContext<'_>, players: &[PlayerId], chosen: Option<PlayerId>) -> Vec<Choice> {
    let choice =
        |player: &PlayerId| Choice::new(player.to_string(), context.name(*player), chosen == Some(*player));
    players.iter().map(choice).collect()
}

/// The same choices after a first one for nobody, which is chosen by default.
fn choices_or_none(
    context: &TableContext<'_>,
    players: &[PlayerId],
    chosen: Option<PlayerId>,
) -> Vec<Choice> {
    let nobody = Choice::new("", context.say.get("choose"), chosen.is_none());
    std::iter::once(nobody).chain(choices(context, players, chosen)).collect()
}

/// The address of the sheet with these choices.
fn address(context: &TableContext<'_>, kind: SheetKind, query: &str) -> String {
    format!("/chouettes/{}/{}?{query}", context.id, kind.name())
}
