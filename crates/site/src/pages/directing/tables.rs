//! The page of the tables: which there are, who plays where, and whether the rounds are on time.

use crate::pages::button::Button;
use std::collections::BTreeMap;

use chrono::TimeDelta;

use super::now::MINUTES_A_POINT;
use super::words;
use super::{DirectorContext, Heading, Link};
use crate::pages::bracket::{flight_name, round_name};
use crate::pages::{Fields, Frame};
use owlbox_base::values::Timestamp;
use owlbox_locale::Locale;
use owlbox_play::tournament::CommandKind;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{DivisionNo, MatchRef, Room, TableNo, TableUse};

/// The planned time of a round, in minutes for each point, until its last match is over.
const MINUTES_A_POINT_OF_A_ROUND: i64 = 11;

#[derive(Debug)]
pub struct TablesPage {
    pub t: Locale,
    pub frame: Frame,
    pub desk: Heading,
    /// How many tables are free, in words.
    pub free: String,
    pub tables: Vec<TableLine>,
    /// The form for the tables: the button, and the numbers of the open, reserved and closed tables as they
    /// are typed.
    pub set: Option<(Button, [String; 3])>,
    /// The rounds with their planned and real times.
    pub rounds: Vec<RoundLine>,
}

#[derive(Clone, Debug)]
pub struct TableLine {
    pub number: u16,
    pub matches: Vec<Link>,
    /// What the table is for, unless it is simply open.
    pub mark: Option<String>,
    /// A note on the table: its location, or for whom it is kept.
    pub note: Option<String>,
}

impl TableLine {
    /// Whether two matches are at it.
    #[must_use]
    pub const fn crowded(&self) -> bool {
        self.matches.len() > 1
    }
}

/// A round with its planned and real time.
#[derive(Clone, Debug)]
pub struct RoundLine {
    pub name: String,
    /// How many of its matches are finished, and how many there are.
    pub played: (usize, usize),
    /// The planned time of the round, in minutes.
    pub planned: i64,
    /// The minutes it has taken so far. `None` before it begins.
    pub real: Option<i64>,
    /// The planned time of a match, and the average so far, in minutes.
    pub a_match: (i64, Option<i64>),
}

impl RoundLine {
    /// Whether the round takes longer than planned.
    #[must_use]
    pub fn late(&self) -> bool {
        self.real.is_some_and(|real| real > self.planned)
    }
}

/// The matches at the tables.
#[must_use]
pub fn matches_called(room: &Room) -> Vec<MatchRef> {
    room.calls.keys().copied().collect()
}

impl TablesPage {
    /// The page of the tables of `context`.
    #[must_use]
    pub fn new(context: &DirectorContext<'_>, frame: Frame, desk: Heading) -> Self {
        let room = &context.state.room;
        let mut at_table: BTreeMap<TableNo, Vec<MatchRef>> = BTreeMap::new();
        for (at, call) in room.calls.iter() {
            at_table.entry(call.table).or_default().push(*at);
        }
        let line = |table: &owlbox_play::tournament::room::Table| TableLine {
            number: table.table.0,
            matches: at_table
                .get(&table.table)
                .into_iter()
                .flatten()
                .map(|at| Link::new(context.match_path(*at), words::names(context, *at)))
                .collect(),
            mark: match table.used_for {
                TableUse::Open => None,
                TableUse::Reserved => Some(context.t.get("desk-reserved")),
                TableUse::Closed => Some(context.t.get("desk-closed-table")),
            },
            note: table.note.as_ref().map(ToString::to_string),
        };
        let tables: Vec<TableLine> = room.tables.values().map(line).collect();
        let free = tables.iter().filter(|table| table.matches.is_empty() && table.mark.is_none()).count();
        let set = context.may(CommandKind::SetTables).then(|| {
            let button = Button::of_form(
                context.t.get("desk-save-tables"),
                Fields::lacking(CommandKind::SetTables).with("tables", &serde_json::json!({})),
            )
            .then(desk.here.clone())
            .in_place_of(&room.tables.values().collect::<Vec<_>>());
            (button, [TableUse::Open, TableUse::Reserved, TableUse::Closed].map(|used| ranges(room, used)))
        });
        Self {
            t: *context.t,
            frame,
            free: context.t.count("desk-free-tables", &free),
            tables,
            set,
            rounds: context.state.divisions().flat_map(|(number, of)| rounds(context, number, of)).collect(),
            desk,
        }
    }
}

/// The tables with this use, as they are typed: `1-12, 15`.
fn ranges(room: &Room, used: TableUse) -> String {
    let numbers = room.tables.values().filter(|table| table.used_for == used).map(|table| table.table.0);
    let mut parts: Vec<(u16, u16)> = Vec::new();
    for number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let part = |(first, last): &(u16, u16)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    parts.iter().map(part).collect::<Vec<_>>().join(", ")
}

/// Reads tables as they are typed: `1-12, 15`. `None` for anything else, and for more than 2,000 tables.
#[must_use]
pub fn table_numbers(typed: &str) -> Option<Vec<TableNo>> {
    let mut numbers = Vec::new();
    for part in typed.split([',', ';', ' ']).map(str::trim).filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once(['-', '–']).unwrap_or((part, part));
        let (first, last): (u16, u16) = (first.parse().ok()?, last.parse().ok()?);
        if !(1..=2_000).contains(&first) || !(first..=2_000).contains(&last) {
            return None;
        }
        numbers.extend((first..=last).map(TableNo));
        if numbers.len() > 2_000 {
            return None;
        }
    }
    Some(numbers)
}

fn rounds(context: &DirectorContext<'_>, number: DivisionNo, of: &Division) -> Vec<RoundLine> {
    let several = context.state.divisions().len() > 1;
    let mut lines = Vec::new();
    for (at, flight) in of.bracket.flights().iter().enumerate() {
        for round in 0..flight.rounds.len() {
            let mut parts = Vec::new();
            parts.extend(several.then(|| words::division(context, number)));
            parts.extend((of.bracket.flights().len() > 1).then(|| flight_name(context.t, &of.bracket, at)));
            let name = round_name(context.t, flight, round);
            parts.extend(Some(name).filter(|name| parts.last() != Some(name)));
            lines.extend(round_line(context, of, at, round, parts.join(" · ")));
        }
    }
    lines
}

/// The times of a round. `None` if nothing is to be played in it.
fn round_line(
    context: &DirectorContext<'_>,
    of: &Division,
    flight: usize,
    round: usize,
    name: String,
) -> Option<RoundLine> {
    let known = of.bracket.flights().get(flight)?;
    let length = of.settings.length_of(known.kind, known.rounds.len().saturating_sub(round + 1)).points();
    let in_round = of.bracket.of_flight(flight).filter(|(_, at)| usize::from(at.round) == round);
    let to_play: Vec<_> = in_round
        .filter(|(_, at)| at.is_to_be_played() || Division::is_played(at))
        .map(|(number, _)| number)
        .collect();
    if to_play.is_empty() {
        return None;
    }
    let began: Vec<Timestamp> =
        to_play.iter().filter_map(|number| of.began_at.get(number).copied()).collect();
    let finished: Vec<Timestamp> =
        to_play.iter().filter_map(|number| of.finished_at.get(number).copied()).collect();
    let took = |number| Some(minutes(*of.began_at.get(number)?, *of.finished_at.get(number)?));
    let took: Vec<i64> = to_play.iter().filter_map(took).collect();
    let average = i64::try_from(took.len())
        .ok()
        .filter(|count| *count > 0)
        .map(|count| took.iter().sum::<i64>() / count);
    let end =
        if finished.len() == to_play.len() { finished.iter().max().copied() } else { Some(context.now) };
    Some(RoundLine {
        name,
        played: (finished.len(), to_play.len()),
        planned: MINUTES_A_POINT_OF_A_ROUND * i64::from(length),
        real: began.iter().min().copied().zip(end).map(|(began, end)| minutes(began, end)),
        a_match: (MINUTES_A_POINT * i64::from(length), average),
    })
}

fn minutes(from: Timestamp, to: Timestamp) -> i64 {
    (to.utc() - from.utc()).max(TimeDelta::zero()).num_minutes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_typed_as_ranges_and_single_ones() {
        let read = |typed: &str| {
            table_numbers(typed).map(|tables| tables.iter().map(|one| one.0).collect::<Vec<_>>())
        };
        assert_eq!(read("1-3, 5"), Some(vec![1, 2, 3, 5]));
        assert_eq!(read("7;9 2–3"), Some(vec![7, 9, 2, 3]));
        assert_eq!(read(""), Some(vec![]));
        for wrong in ["0", "3-1", "x", "1-", "1-2001", "-4", "1-2000,1"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
