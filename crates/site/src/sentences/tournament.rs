//! What happens at a tournament, in words: in its log, on the undo button, and in previews.

use crate::pages::directing::{DirectorContext, words};
use owlbox_base::values::{Currency, Holder};
use owlbox_books::club::players::UNNAMED;
use owlbox_play::tournament::Event;
use owlbox_play::tournament::bracket::{Change, EntryNo, Occupant};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::event::Leaving;
use owlbox_play::tournament::money::{Transfer, TransferKind};
use owlbox_play::tournament::room::MatchRef;

/// An act in a few words, for the undo button. Several calls count as one act.
pub(crate) fn act(context: &DirectorContext<'_>, events: &[Event]) -> String {
    let called = events.iter().filter(|event| matches!(event, Event::Called { .. })).count();
    if called > 1 {
        return context.t.count("desk-did-call-several", &called);
    }
    let pays = events.iter().find(|event| {
        matches!(event, Event::Booked { transfers, .. } if transfers.iter().any(|one| one.what == TransferKind::PaidIn))
    });
    let comes = events.iter().any(|event| matches!(event, Event::CheckedIn { here: true, .. }));
    let said = pays.or(events.first()).map_or_else(String::new, |event| sentence(context, event));
    if pays.is_some() && comes { context.t.with("desk-did-arrive", "paid", said) } else { said }
}

/// An event as a sentence; where that names nobody, with the division, if there are several.
pub(crate) fn sentence(context: &DirectorContext<'_>, event: &Event) -> String {
    let does = does(context, event);
    let of_all = matches!(
        event,
        Event::Seeded { .. }
            | Event::Drawn { .. }
            | Event::LastChanceDrawn { .. }
            | Event::Exchanged { .. }
            | Event::Awarded { .. }
    );
    let division = event.division().filter(|_| of_all).map(|number| words::division(context, number));
    match division.filter(|name| !name.is_empty()) {
        Some(name) => format!("{does} · {name}"),
        None => does,
    }
}

fn does(context: &DirectorContext<'_>, event: &Event) -> String {
    let t = context.t;
    let division = event.division().and_then(|number| context.state.division(number));
    let entry = |one: &EntryNo| division.map_or_else(|| format!("№ {}", one.0), |of| context.entry(of, *one));
    let names_in =
        |number| event.division().map(|division| words::names(context, MatchRef { division, number }));
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
            result(context, division, first).unwrap_or_else(|| with_names("desk-did-correct", *number))
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
        Event::Booked { transfers, currency, .. } => booked(context, transfers, *currency),
        Event::Awarded { .. } => t.get("desk-did-award"),
        Event::Closed { .. } => t.get("desk-did-close"),
        Event::Reopened {} => t.get("desk-did-reopen"),
        Event::Cancelled { .. } => t.get("desk-did-cancel"),
    }
}

/// Money of a tournament that changed hands.
fn booked(context: &DirectorContext<'_>, transfers: &[Transfer], currency: Currency) -> String {
    let Some(first) = transfers.first() else { return String::new() };
    let key = match first.what {
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
    let who = [first.from, first.to].into_iter().find_map(Holder::player);
    let name = who.map_or_else(String::new, |player| context.player(player));
    context.t.fill(key, &[("name", &name), ("amount", &context.t.how_much(first.amount, currency))])
}

/// The result of a match, with the players who were in it.
fn result(
    context: &DirectorContext<'_>,
    division: Option<&Division>,
    change: Option<&Change>,
) -> Option<String> {
    let (division, change) = (division?, change?);
    Some(words::outcome(context, &seated(context, division, change), change.outcome?))
}

/// The names in the two slots of a match after a change.
fn seated(context: &DirectorContext<'_>, division: &Division, change: &Change) -> [String; 2] {
    change.occupants.map(|occupant| match occupant {
        Occupant::Entry(entry) => context.entry(division, entry),
        Occupant::Nobody => context.t.get("slot-bye"),
        Occupant::Unknown => context.t.get("slot-open"),
    })
}
