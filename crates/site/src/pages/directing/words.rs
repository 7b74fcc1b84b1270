//! Words for matches, results and acts at the desk.

use super::DirectorContext;
use crate::pages::bracket::{flight_name, round_name};
use crate::pages::other_game;
use owlbox_base::values::Holder;
use owlbox_books::club::players::UNNAMED;
use owlbox_play::matches::{Ending, Outcome, Slot};
use owlbox_play::tournament::Event;
use owlbox_play::tournament::bracket::{Change, EntryNo, Occupant, Pairing, Source};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::event::Leaving;
use owlbox_play::tournament::money::TransferKind;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};

/// The player in a slot, or where they will come from.
#[must_use]
pub fn in_slot(context: &DirectorContext<'_>, division: &Division, at: &Pairing, slot: Slot) -> String {
    match (at.occupant(slot), at.source(slot)) {
        (Occupant::Entry(entry), _) => context.entry(division, entry),
        (Occupant::Nobody, _) | (Occupant::Unknown, Source::Bye) => context.t.get("slot-bye"),
        (Occupant::Unknown, Source::Winner { of }) => context.t.with("slot-winner", "match", of.0),
        (Occupant::Unknown, Source::Loser { of, .. }) => context.t.with("slot-loser", "match", of.0),
        (Occupant::Unknown, Source::Open | Source::Entry { .. }) => context.t.get("slot-open"),
    }
}

/// The players of a match, upper slot first.
#[must_use]
pub fn pair(context: &DirectorContext<'_>, at: MatchRef) -> [String; 2] {
    let found = context.state.division(at.division).and_then(|of| Some((of, of.bracket.get(at.number)?)));
    Slot::BOTH.map(|slot| found.map_or_else(String::new, |(of, found)| in_slot(context, of, found, slot)))
}

/// Both names with a dash between them.
#[must_use]
pub fn names(context: &DirectorContext<'_>, at: MatchRef) -> String {
    pair(context, at).join(" – ")
}

/// The place of a match in the tournament: `Consolation · Semi-finals · to 7`.
#[must_use]
pub fn place(context: &DirectorContext<'_>, at: MatchRef) -> String {
    let Some(division) = context.state.division(at.division) else { return String::new() };
    let Some(found) = division.bracket.get(at.number) else { return String::new() };
    let flight = usize::from(found.flight);
    let round = division
        .bracket
        .flights()
        .get(flight)
        .map(|known| round_name(context.t, known, usize::from(found.round)));
    let mut parts = Vec::new();
    if context.state.divisions().len() > 1 {
        parts.push(division.settings.name.to_string());
    }
    if division.bracket.flights().len() > 1 {
        parts.push(flight_name(context.t, &division.bracket, flight));
    }
    parts.extend(round.filter(|round| parts.last() != Some(round)));
    parts.push(context.t.with("match-to", "points", division.length(found).points()));
    parts.extend(other_game(context.t, division.settings.game.variant));
    parts.join(" · ")
}

/// The state of a match without a result: called, postponed or ready. `None` if it is waiting for a player.
#[must_use]
pub fn going(context: &DirectorContext<'_>, at: MatchRef) -> Option<String> {
    let t = context.t;
    let call = context.state.room.calls.get(&at);
    match (call, context.state.room.postponed.get(&at)) {
        (Some(call), _) if call.began_at.is_some() => Some(t.with("playing-at", "table", call.table.0)),
        (Some(call), _) => Some(t.with("called-to", "table", call.table.0)),
        (None, Some(Some(until))) => Some(t.with("desk-postponed-until", "time", t.time(until))),
        (None, Some(None)) => Some(t.get("desk-postponed")),
        (None, None) => context.state.room.ready_since.contains_key(&at).then(|| t.get("ready")),
    }
}

/// The score, the points of `first` before the other's: `7–3`.
#[must_use]
pub fn score(points: [u16; 2], first: Slot) -> String {
    let [upper, lower] = points;
    match first {
        Slot::Upper => format!("{upper}–{lower}"),
        Slot::Lower => format!("{lower}–{upper}"),
    }
}

/// The outcome of a match between these two, as a sentence.
#[must_use]
pub fn outcome(context: &DirectorContext<'_>, names: &[String; 2], outcome: Outcome) -> String {
    let t = context.t;
    let [upper, lower] = names;
    let Some(winner) = outcome.winner else {
        let key = if outcome.ending == Ending::NotNeeded { "ending-not-needed" } else { "desk-nobody-came" };
        return if outcome.ending == Ending::NotNeeded {
            t.get(key)
        } else {
            t.fill(key, &[("one", upper), ("other", lower)])
        };
    };
    let (winner_name, loser) = match winner {
        Slot::Upper => (upper, lower),
        Slot::Lower => (lower, upper),
    };
    let key = match outcome.ending {
        Ending::Played => "desk-beats",
        Ending::Conceded => "desk-concedes",
        Ending::Walkover => "desk-walks-over",
        Ending::Forfeit | Ending::DoubleForfeit => "desk-forfeits",
        Ending::Disqualified => "desk-disqualified",
        Ending::Withdrawn => "desk-has-left",
        Ending::Bye => "desk-has-bye",
        Ending::NotNeeded => return t.get("ending-not-needed"),
    };
    let said = t.fill(key, &[("winner", winner_name), ("loser", loser)]);
    match outcome.score {
        Some(points) => format!("{said} {}", score(points, winner)),
        None => said,
    }
}

/// The names in the two slots of a match after a change.
fn seated(context: &DirectorContext<'_>, division: &Division, change: &Change) -> [String; 2] {
    change.occupants.map(|occupant| match occupant {
        Occupant::Entry(entry) => context.entry(division, entry),
        Occupant::Nobody => context.t.get("slot-bye"),
        Occupant::Unknown => context.t.get("slot-open"),
    })
}

/// An act in a few words, for the undo button. Several calls count as one act.
#[must_use]
pub fn act(context: &DirectorContext<'_>, events: &[Event]) -> String {
    let called = events.iter().filter(|event| matches!(event, Event::Called { .. })).count();
    if called > 1 {
        return context.t.count("desk-did-call-several", &called);
    }
    let pays = events.iter().find(|event| {
        matches!(event, Event::Booked { transfers, .. } if transfers.iter().any(|one| one.what == TransferKind::PaidIn))
    });
    let comes = events.iter().any(|event| matches!(event, Event::CheckedIn { here: true, .. }));
    let said = pays.or(events.first()).map_or_else(String::new, |event| event_in_words(context, event));
    if pays.is_some() && comes { context.t.with("desk-did-arrive", "paid", said) } else { said }
}

/// An event in a few words; where they name nobody, with the division, if there are several.
fn event_in_words(context: &DirectorContext<'_>, event: &Event) -> String {
    let said = said_of(context, event);
    let of_all = matches!(
        event,
        Event::Seeded { .. }
            | Event::Drawn { .. }
            | Event::LastChanceDrawn { .. }
            | Event::Exchanged { .. }
            | Event::Awarded { .. }
    );
    let name = event.division().filter(|_| of_all).map(|number| division(context, number));
    match name.filter(|name| !name.is_empty()) {
        Some(name) => format!("{said} · {name}"),
        None => said,
    }
}

fn said_of(context: &DirectorContext<'_>, event: &Event) -> String {
    let t = context.t;
    let division = event.division().and_then(|number| context.state.division(number));
    let entry = |one: &EntryNo| division.map_or_else(|| format!("№ {}", one.0), |of| context.entry(of, *one));
    let names_in = |number| event.division().map(|division| names(context, MatchRef { division, number }));
    let with_names =
        |key: &str, number| t.with(key, "names", names_in(number).unwrap_or_else(|| UNNAMED.to_owned()));
    match event {
        Event::Opened { .. } => t.get("desk-did-open"),
        Event::AboutChanged { .. } => t.get("desk-did-about"),
        Event::DirectorsChanged { .. } => t.get("desk-did-directors"),
        Event::DivisionAdded { settings, .. } => t.with("desk-did-division-added", "name", &settings.name),
        Event::DivisionChanged { settings, .. } => {
            t.with("desk-did-division-changed", "name", &settings.name)
        }
        Event::TablesSet { .. } => t.get("desk-did-tables"),
        Event::Entered { entries, .. } => match entries.as_slice() {
            [one] => t.with("desk-did-enter", "name", context.player(one.player)),
            several => t.count("desk-did-enter-several", &several.len()),
        },
        Event::CheckedIn { entries, here, .. } => match (entries.as_slice(), here) {
            ([one], true) => t.with("desk-did-check-in", "name", entry(one)),
            ([one], false) => t.with("desk-did-check-out", "name", entry(one)),
            (several, true) => t.count("desk-did-check-in-several", &several.len()),
            (several, false) => t.count("desk-did-check-out-several", &several.len()),
        },
        Event::Seeded { .. } => t.get("desk-did-seed"),
        Event::PoolsJoined { entry: one, .. } => t.with("desk-did-pools", "name", entry(one)),
        Event::Drawn { .. } => t.get("desk-did-draw"),
        Event::LastChanceDrawn { .. } => t.get("desk-did-last-chance"),
        Event::Seated { entry: one, lot, .. } => {
            let key = if lot.is_some() { "desk-did-seat-by-lot" } else { "desk-did-seat" };
            t.with(key, "name", entry(one))
        }
        Event::Exchanged { .. } => t.get("desk-did-exchange"),
        Event::LeavesAfter { entry: one, .. } => t.with("desk-did-leave-after", "name", entry(one)),
        Event::Withdrawn { entry: one, how, .. } => {
            let key = match how {
                Leaving::Withdrew => "desk-did-withdraw",
                Leaving::Disqualified => "desk-did-disqualify",
                Leaving::EnteredAgain => "desk-did-re-enter",
            };
            t.with(key, "name", entry(one))
        }
        Event::Reinstated { entry: one, .. } => t.with("desk-did-reinstate", "name", entry(one)),
        Event::Reported { number, .. } => with_names("desk-did-report", *number),
        Event::Resulted { changes, number, .. } => {
            let first = changes.iter().find(|change| change.number == *number);
            resulted(context, division, first).unwrap_or_else(|| with_names("desk-did-correct", *number))
        }
        Event::Corrected { number, .. } => with_names("desk-did-correct", *number),
        Event::Called { number, table, .. } => {
            let names = names_in(*number).unwrap_or_else(|| UNNAMED.to_owned());
            t.fill("desk-did-call", &[("names", &names), ("table", &table.0)])
        }
        Event::Uncalled { number, .. } => with_names("desk-did-uncall", *number),
        Event::Began { number, .. } => with_names("desk-did-begin", *number),
        Event::Postponed { number, .. } => with_names("desk-did-postpone", *number),
        Event::Resumed { number, .. } => with_names("desk-did-resume", *number),
        Event::SheetOpened { number, .. } => with_names("desk-did-sheet", *number),
        Event::Booked { transfers, currency, .. } => transfers.first().map_or_else(String::new, |one| {
            let key = match one.what {
                TransferKind::PaidIn => "desk-did-pay-in",
                TransferKind::PaidOut => "desk-did-pay-out",
                TransferKind::EntryFee
                | TransferKind::Registration
                | TransferKind::SidePool
                | TransferKind::ReEntry
                | TransferKind::Added
                | TransferKind::Kept
                | TransferKind::Prize
                | TransferKind::Refund
                | TransferKind::Returned => "desk-did-book",
            };
            let who = [one.from, one.to].into_iter().find_map(Holder::player);
            let name = who.map_or_else(String::new, |player| context.player(player));
            t.fill(key, &[("name", &name), ("amount", &t.how_much(one.amount, *currency))])
        }),
        Event::Awarded { .. } => t.get("desk-did-award"),
        Event::Closed { .. } => t.get("desk-did-close"),
        Event::Reopened {} => t.get("desk-did-reopen"),
        Event::Cancelled { .. } => t.get("desk-did-cancel"),
    }
}

fn resulted(
    context: &DirectorContext<'_>,
    division: Option<&Division>,
    change: Option<&Change>,
) -> Option<String> {
    let (division, change) = (division?, change?);
    Some(outcome(context, &seated(context, division, change), change.outcome?))
}

/// The name of a division. Empty if it is the only one.
#[must_use]
pub fn division(context: &DirectorContext<'_>, number: DivisionNo) -> String {
    let several = context.state.divisions().len() > 1;
    let name = context.state.division(number).map(|of| of.settings.name.to_string());
    name.filter(|_| several).unwrap_or_default()
}
