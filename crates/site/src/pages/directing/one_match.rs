//! The desk's page of one match: its result in one tap, and what else the director can do with it.

use crate::pages::button::Button;
use std::collections::BTreeSet;

use super::{DirectorContext, Heading, Link};
use super::{correction, words};
use crate::pages::{Choice, Fields, Frame};
use owlbox_locale::Locale;
use owlbox_play::matches::Slot;
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::command::Ended;
use owlbox_play::tournament::legal::MatchAct;
use owlbox_play::tournament::room::{MatchRef, TableNo, TableUse};
use owlbox_play::tournament::{Command, CommandKind};

/// The longest match whose result is one tap. In longer ones the loser's points are typed.
const MOST_TAPS: u16 = 25;
/// The most tables offered in a list.
const MOST_TABLES: usize = 200;

#[derive(Debug)]
pub struct MatchPage {
    pub t: Locale,
    pub frame: Frame,
    pub desk: Heading,
    pub names: [String; 2],
    /// The place of the match in the tournament.
    pub place: String,
    /// The outcome in a sentence.
    pub outcome: Option<String>,
    pub going: Option<String>,
    pub ask: Option<AskResult>,
    /// The page where its result is corrected.
    pub correct: Option<Link>,
    /// The form that calls it to a chosen table.
    pub call: Option<(Button, Vec<Choice>)>,
    pub postpone: Option<Button>,
    /// Further acts: begin, take the call back, resume, open the sheet.
    pub room: Vec<Button>,
    /// The entries of both players at the desk.
    pub players: Vec<Link>,
    /// The sheet on which it is scored game by game.
    pub sheet: Option<Link>,
}

/// The form for the result of a match.
#[derive(Clone, Debug)]
pub struct AskResult {
    /// The command without the result.
    pub button: Button,
    /// For each player, the scores with which they can have won.
    pub winners: Vec<Winner>,
    /// The length of the match in points.
    pub length: u16,
    /// The results that are not a score, such as a walkover.
    pub otherwise: Vec<Ending>,
}

/// A player as the winner.
#[derive(Clone, Debug)]
pub struct Winner {
    pub name: String,
    /// `upper` or `lower`, as in commands.
    pub slot: &'static str,
    /// The choices for the loser's points, fewest first. Empty if the points are typed.
    pub lost: Vec<u16>,
}

/// A result other than a score.
#[derive(Clone, Debug)]
pub struct Ending {
    /// The value in the form.
    pub value: String,
    pub label: String,
}

/// The code of a slot in forms.
#[must_use]
pub const fn slot_name(slot: Slot) -> &'static str {
    match slot {
        Slot::Upper => "upper",
        Slot::Lower => "lower",
    }
}

impl AskResult {
    /// The form for a match between these two. `None` if there is no such match.
    #[must_use]
    pub fn new(
        context: &DirectorContext<'_>,
        at: MatchRef,
        names: &[String; 2],
        button: Button,
    ) -> Option<Self> {
        let division = context.state.division(at.division)?;
        let length = division.length(division.bracket.get(at.number)?).points();
        let lost = if length <= MOST_TAPS { (0..length).collect() } else { Vec::new() };
        let [upper, lower] = names;
        let winners = [(Slot::Upper, upper), (Slot::Lower, lower)].map(|(slot, name)| Winner {
            name: name.clone(),
            slot: slot_name(slot),
            lost: lost.clone(),
        });
        let otherwise = otherwise(context.t, names).into_iter();
        let asked = otherwise.flat_map(|ending| asked_of_walkover(context, at, names, ending));
        let otherwise =
            asked.map(|ending| Ending { value: choice(&ending.value, length), ..ending }).collect();
        Some(Self { button, winners: winners.into(), length, otherwise })
    }

    /// What a button for a score sets.
    #[must_use]
    pub fn won(&self, slot: &str, lost: &u16) -> String {
        choice(&format!("played-{slot}-{lost}"), self.length)
    }
}

/// What is asked of a result: of a player who did not come, and would go on elsewhere, whether they do.
pub(super) fn asked_of_walkover(
    context: &DirectorContext<'_>,
    at: MatchRef,
    names: &[String; 2],
    said: Ending,
) -> Vec<Ending> {
    let ended = correction::ended(&said.value, 1, None).flatten();
    let Some(walkover @ Ended::Walkover { winner }) = ended else { return vec![said] };
    if context.state.goes_on_beaten(at, &walkover, context.now).is_empty() {
        return vec![said];
    }
    let [upper, lower] = names;
    let (winner_name, loser) = if winner == Slot::Upper { (upper, lower) } else { (lower, upper) };
    let label = |key| context.t.fill(key, &[("winner", winner_name), ("loser", loser)]);
    vec![
        Ending {
            value: format!("{}{}", said.value, correction::LEAVES),
            label: label("desk-walks-over-leaves"),
        },
        Ending { label: label("desk-walks-over-goes-on"), ..said },
    ]
}

/// What a button for a result sets.
fn choice(written: &str, length: u16) -> String {
    let ended = correction::ended(written, length, None).flatten();
    let fields = Fields::default().with("ended", &ended);
    match ended {
        Some(Ended::Walkover { winner }) if written.ends_with(correction::LEAVES) => {
            fields.with("withdraws", &[winner.other()]).choice()
        }
        _ => fields.choice(),
    }
}

/// The results of a match that was not played to the end.
#[must_use]
pub fn otherwise(t: &Locale, names: &[String; 2]) -> Vec<Ending> {
    let [upper, lower] = names;
    let both = [(Slot::Upper, upper, lower), (Slot::Lower, lower, upper)];
    let kinds =
        [("walkover", "desk-walks-over"), ("forfeit", "desk-forfeits"), ("conceded", "desk-concedes")];
    let mut endings: Vec<Ending> = kinds
        .into_iter()
        .flat_map(|(value, key)| {
            both.map(|(slot, winner, loser)| Ending {
                value: format!("{value}-{}", slot_name(slot)),
                label: t.fill(key, &[("winner", winner), ("loser", loser)]),
            })
        })
        .collect();
    endings.push(Ending {
        value: "double_forfeit".to_owned(),
        label: t.fill("desk-nobody-came", &[("one", upper), ("other", lower)]),
    });
    endings
}

impl MatchPage {
    /// The page of a match. `None` if there is no such match.
    #[must_use]
    pub fn new(context: &DirectorContext<'_>, frame: Frame, desk: Heading, at: MatchRef) -> Option<Self> {
        let division = context.state.division(at.division)?;
        let found = division.bracket.get(at.number)?;
        let names = words::pair(context, at);
        let acts = context.state.match_acts(at);
        let may = |act: MatchAct, command| acts.contains(&act) && context.may(command);
        let MatchRef { division: of, number } = at;
        let result = Fields::lacking(CommandKind::Result).with("division", &of).with("match", &number);
        let result = result.with("players", &context.sit(at));
        let button = Button::of_form(context.t.get("desk-result"), result).then(context.address(""));
        let ask = may(MatchAct::Result, CommandKind::Result)
            .then(|| AskResult::new(context, at, &names, button))
            .flatten();
        let correct = may(MatchAct::Correct, CommandKind::Correct)
            .then(|| Link::new(format!("{}/correct", context.match_path(at)), context.t.get("desk-correct")));
        Some(Self {
            t: *context.t,
            frame,
            place: words::place(context, at),
            outcome: found.outcome.map(|outcome| words::outcome(context, &names, outcome)),
            going: words::going(context, at),
            ask,
            correct,
            call: may(MatchAct::Call, CommandKind::Call).then(|| call(context, at)).flatten(),
            postpone: may(MatchAct::Postpone, CommandKind::Postpone).then(|| postpone(context, at)),
            room: room(context, at, &may),
            players: players(context, at),
            sheet: division
                .sheet(at.number)
                .map(|sheet| Link::new(format!("/matches/{sheet}"), context.t.get("match-games"))),
            names,
            desk,
        })
    }
}

/// The form that calls the match to a table, or moves it from its own to another. The lowest free table is
/// chosen.
fn call(context: &DirectorContext<'_>, at: MatchRef) -> Option<(Button, Vec<Choice>)> {
    let room = &context.state.room;
    let free = room.free_table();
    let taken: BTreeSet<TableNo> = room.calls.values().map(|call| call.table).collect();
    let here = room.calls.get(&at).map(|call| call.table);
    let open = room.tables.values().filter(|table| table.used_for != TableUse::Closed);
    let open = open.filter(|table| Some(table.table) != here).take(MOST_TABLES);
    let choices: Vec<Choice> = open
        .map(|table| {
            let number = context.t.with("desk-table", "table", table.table.0);
            let label = match (taken.contains(&table.table), table.used_for) {
                (true, _) => format!("{number}, {}", context.t.get("desk-taken")),
                (false, TableUse::Reserved) => format!("{number}, {}", context.t.get("desk-reserved")),
                (false, _) => number,
            };
            Choice::new(table.table.0.to_string(), label, Some(table.table) == free)
        })
        .collect();
    let command = Command::Call { division: at.division, number: at.number, table: None };
    let label = context.t.get(if here.is_some() { "desk-move" } else { "desk-call" });
    let button = Button::new(label, &command).then(context.address(""));
    let button = if here.is_some() { button } else { button.main() };
    (!choices.is_empty()).then_some((button, choices))
}

fn postpone(context: &DirectorContext<'_>, at: MatchRef) -> Button {
    let command = Command::Postpone { division: at.division, number: at.number, until: None };
    Button::new(context.t.get("desk-postpone"), &command).then(context.address(""))
}

/// The address that leads on to the sheet, which does not exist until the command has opened it.
fn to_sheet(context: &DirectorContext<'_>, at: MatchRef) -> String {
    format!("{}?to=sheet", context.match_path(at))
}

fn room(
    context: &DirectorContext<'_>,
    at: MatchRef,
    may: &dyn Fn(MatchAct, CommandKind) -> bool,
) -> Vec<Button> {
    let (division, number) = (at.division, at.number);
    let acts = [
        (MatchAct::Begin, CommandKind::Begin, "desk-begin", Command::Begin { division, number }),
        (MatchAct::Uncall, CommandKind::Uncall, "desk-uncall", Command::Uncall { division, number }),
        (MatchAct::Resume, CommandKind::Resume, "desk-resume", Command::Resume { division, number }),
        (
            MatchAct::OpenSheet,
            CommandKind::OpenSheet,
            "desk-open-sheet",
            Command::OpenSheet { division, number, sheet: None },
        ),
    ];
    let may = acts.into_iter().filter(|(act, command, ..)| may(*act, *command));
    let then = |act| match act {
        MatchAct::OpenSheet => to_sheet(context, at),
        MatchAct::Call
        | MatchAct::Begin
        | MatchAct::Result
        | MatchAct::Report
        | MatchAct::Uncall
        | MatchAct::Postpone
        | MatchAct::Resume
        | MatchAct::Correct => context.match_path(at),
    };
    may.map(|(act, _, key, command)| Button::new(context.t.get(key), &command).then(then(act))).collect()
}

/// Links to the pages where its players are withdrawn, disqualified or reinstated.
fn players(context: &DirectorContext<'_>, at: MatchRef) -> Vec<Link> {
    let Some(division) = context.state.division(at.division) else { return Vec::new() };
    let occupants = division.bracket.get(at.number).map(|found| found.occupants).unwrap_or_default();
    let entries = occupants.into_iter().filter_map(|occupant| occupant.entry());
    let link = |entry: EntryNo| {
        let to = context.address(&format!("/{}/entries/{}", at.division.0, entry.0));
        Link::new(to, context.t.with("desk-player", "name", context.entry(division, entry)))
    };
    entries.map(link).collect()
}
