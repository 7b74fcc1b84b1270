//! The page for the draw of a division: by lot, again for a reason, or by hand; the exchange of two slots; a
//! last chance.

use super::one_match::slot_name;
use super::words;
use super::{CommandButton, DirectorContext, Heading, Link};
use crate::locale::Locale;
use crate::{Choice, Frame};
use owlbox_domain::matches::{Ending, MatchNo, Slot};
use owlbox_domain::tournament::bracket::{EntryNo, FlightKind, Pairing, Source};
use owlbox_domain::tournament::command::{DrawBy, SlotOfMatch};
use owlbox_domain::tournament::division::Division;
use owlbox_domain::tournament::entry::{Entry, EntryStanding};
use owlbox_domain::tournament::prizes::scheduled;
use owlbox_domain::tournament::room::{DivisionNo, MatchRef};
use owlbox_domain::tournament::{Command, CommandKind};

/// The most slots in a draw by hand. More are too much work.
const MOST_BY_HAND: usize = 64;
/// The most slots offered for an exchange, and the most entries offered for a last chance.
const MOST_CHOICES: usize = 600;

#[derive(Debug)]
pub struct DrawingPage {
    pub t: Locale,
    pub frame: Frame,
    pub desk: Heading,
    /// The divisions. Empty if there is only one.
    pub divisions: Vec<Link>,
    /// How many are entered, and how many of them have checked in, in words.
    pub count: String,
    pub drawn: bool,
    /// Links to the draw and the bracket as readers see them.
    pub links: Vec<Link>,
    pub draw: Option<CommandButton>,
    /// How many have checked in, if not everybody has.
    pub checked_in: Option<String>,
    /// The draw by hand: the button, and for each slot who can be placed there.
    pub by_hand: Option<(CommandButton, Vec<Vec<Choice>>)>,
    /// Whether it is too late to draw again, because matches have begun.
    pub too_late: bool,
    /// The exchange of two slots: the button, and the slots.
    pub exchange: Option<(CommandButton, Vec<Choice>)>,
    /// The draw of a last chance: the button, and who can play in it.
    pub last_chance: Option<(CommandButton, Vec<Choice>)>,
}

/// The address of a division's draw, below that of the desk.
#[must_use]
pub fn below(number: DivisionNo) -> String {
    format!("/{}/draw", number.0)
}

/// The entries that take part in the draw.
fn to_draw(of: &Division) -> Vec<EntryNo> {
    of.entries().filter(|(_, entry)| !entry.standing.is_out()).map(|(number, _)| number).collect()
}

/// The players whose names the page needs.
#[must_use]
pub fn players_named(of: &Division) -> Vec<owlbox_domain::values::PlayerId> {
    let players = of.entries().map(|(_, entry)| entry.player);
    players.take(MOST_CHOICES * 4).collect()
}

impl DrawingPage {
    /// The page for the draw of a division. `None` if there is no such division.
    #[must_use]
    pub fn new(
        context: &DirectorContext<'_>,
        frame: Frame,
        desk: Heading,
        number: DivisionNo,
    ) -> Option<Self> {
        let t = context.t;
        let of = context.state.division(number)?;
        let here = desk.here.clone();
        let entries = to_draw(of);
        let seen =
            entries.iter().filter(|entry| of.entry(**entry).is_some_and(|entry| entry.checked_in)).count();
        let drawn = of.is_drawn();
        let began = drawn && has_begun(context, number, of);
        let open = context.state.closed_at.is_none();
        let draws = open && !began && entries.len() >= 2 && (context.may)(CommandKind::Draw);
        Some(Self {
            t: *t,
            frame,
            divisions: divisions(context, number),
            count: t.fill("desk-next-draw-about", &[("here", &seen), ("all", &entries.len())]),
            drawn,
            links: if drawn { links(context, number) } else { Vec::new() },
            draw: draws.then(|| draw(context, number, drawn, DrawBy::Lot {}, &here)),
            checked_in: (seen >= 2 && seen < entries.len()).then(|| t.count("desk-only-here", &seen)),
            by_hand: (draws && entries.len() <= MOST_BY_HAND)
                .then(|| by_hand(context, number, of, &entries, &here)),
            too_late: began && open,
            exchange: exchange(context, number, of, &here).filter(|_| open),
            last_chance: last_chance(context, number, of, &here).filter(|_| open),
            desk,
        })
    }
}

fn divisions(context: &DirectorContext<'_>, here: DivisionNo) -> Vec<Link> {
    if context.state.divisions().len() < 2 {
        return Vec::new();
    }
    let link = |(number, of): (DivisionNo, &Division)| Link {
        here: number == here,
        ..Link::new(context.address(&below(number)), of.settings.name.to_string())
    };
    context.state.divisions().map(link).collect()
}

fn links(context: &DirectorContext<'_>, number: DivisionNo) -> Vec<Link> {
    let page = format!("/tournaments/{}/{}", context.id, number.0);
    vec![
        Link::new(page.clone(), context.t.get("bracket")),
        Link::new(format!("{page}/draw"), context.t.get("desk-look-at-draw")),
    ]
}

/// Whether a match of the division was played or called.
fn has_begun(context: &DirectorContext<'_>, division: DivisionNo, of: &Division) -> bool {
    let called = |number| context.state.room.calls.contains_key(&MatchRef { division, number });
    of.bracket.iter().any(|(number, at)| Division::is_played(at) || called(number))
}

fn draw(
    context: &DirectorContext<'_>,
    division: DivisionNo,
    again: bool,
    method: DrawBy,
    here: &str,
) -> CommandButton {
    let command =
        Command::Draw { division, method, only_checked_in: false, reason: None, groups: Vec::new() };
    let label = context.t.get(if again { "desk-draw-again" } else { "desk-draw" });
    CommandButton::new(label, &command, here).main().at(context.version)
}

/// Every slot with the entries that can be placed there. The proposal is the order of entry, with the byes
/// beside the first entries.
fn by_hand(
    context: &DirectorContext<'_>,
    number: DivisionNo,
    of: &Division,
    entries: &[EntryNo],
    here: &str,
) -> (CommandButton, Vec<Vec<Choice>>) {
    let slots = entries.len().next_power_of_two().max(2);
    let byes = slots - entries.len();
    let mut sits: Vec<u32> = Vec::with_capacity(slots);
    let mut next = entries.iter().map(|entry| entry.0);
    for pair in 0..slots / 2 {
        sits.extend(next.next());
        if pair < byes {
            sits.push(0);
        } else {
            sits.extend(next.next());
        }
    }
    let named: Vec<(u32, String)> =
        entries.iter().map(|entry| (entry.0, context.entry(of, *entry))).collect();
    let slot = |sits: &u32| {
        let bye = Choice::new("0", context.t.get("slot-bye"), *sits == 0);
        let open = Choice::new("", context.t.get("slot-open"), false);
        let entry = |(entry, name): &(u32, String)| Choice::new(entry.to_string(), name, entry == sits);
        named.iter().map(entry).chain([bye, open]).collect()
    };
    let button = draw(context, number, of.is_drawn(), DrawBy::Hand { slots: Vec::new() }, here);
    let button = CommandButton { label: context.t.get("desk-draw-by-hand"), class: "plain", ..button };
    (button, sits.iter().map(slot).collect())
}

/// The exchange of two slots of the first round, of matches that have not begun.
fn exchange(
    context: &DirectorContext<'_>,
    number: DivisionNo,
    of: &Division,
    here: &str,
) -> Option<(CommandButton, Vec<Choice>)> {
    if !of.is_drawn() || !(context.may)(CommandKind::Exchange) {
        return None;
    }
    let still = |(at, found): &(MatchNo, &Pairing)| {
        let called = context.state.room.calls.contains_key(&MatchRef { division: number, number: *at });
        found.round == 0 && !Division::is_played(found) && !called
    };
    let drawn = |source| matches!(source, Source::Entry { .. } | Source::Bye | Source::Open);
    let choices: Vec<Choice> = of
        .bracket
        .of_flight(0)
        .filter(still)
        .flat_map(|(at, found)| Slot::BOTH.map(|slot| (at, found, slot)))
        .filter(|(_, found, slot)| drawn(found.source(*slot)))
        .take(MOST_CHOICES)
        .map(|(at, found, slot)| {
            let who = words::in_slot(context, of, found, slot);
            let label = format!("{}: {who}", context.t.with("match-number", "match", at.0));
            Choice::new(format!("{}-{}", at.0, slot_name(slot)), label, false)
        })
        .collect();
    let place = SlotOfMatch { number: MatchNo(1), slot: Slot::Upper };
    let command = Command::Exchange { division: number, one: place, other: place };
    let button = CommandButton::new(context.t.get("desk-exchange"), &command, here).at(context.version);
    (choices.len() >= 2).then_some((button, choices))
}

/// Whether an entry lost at the table in the last flight that was open to it. A no-show does not count.
fn has_lost_last_chance(of: &Division, number: EntryNo) -> bool {
    let consoles = of.bracket.flights().iter().any(|flight| flight.kind == FlightKind::Consolation);
    let in_it = |at: &Pairing| {
        let kind = of.bracket.flights().get(usize::from(at.flight)).map(|flight| flight.kind);
        kind == Some(if consoles { FlightKind::Consolation } else { FlightKind::Main })
    };
    let at_a_table = |at: &Pairing| {
        at.outcome.is_some_and(|outcome| matches!(outcome.ending, Ending::Played | Ending::Conceded))
    };
    of.bracket.path(number).any(|(_, at)| in_it(at) && at_a_table(at) && at.loser() == Some(number))
}

/// The last chance: the entries without a further match. Those who lost and have no prize are ticked.
fn last_chance(
    context: &DirectorContext<'_>,
    number: DivisionNo,
    of: &Division,
    here: &str,
) -> Option<(CommandButton, Vec<Choice>)> {
    if !of.is_drawn() || !(context.may)(CommandKind::DrawLastChance) {
        return None;
    }
    let out = of.entries().filter(|(entry_number, entry)| {
        matches!(entry.standing, EntryStanding::In | EntryStanding::Leaving)
            && of.entry_of(entry.player) == Some(*entry_number)
            && of.current(*entry_number).is_none()
    });
    let prizes = scheduled(of).prizes;
    let choice = |(number, entry): (EntryNo, &Entry)| {
        let ticked = has_lost_last_chance(of, number) && !prizes.contains_key(&entry.player);
        Choice::new(number.0.to_string(), context.entry(of, number), ticked)
    };
    let choices: Vec<Choice> = out.take(MOST_CHOICES).map(choice).collect();
    let command = Command::DrawLastChance { division: number, entries: Vec::new() };
    let button =
        CommandButton::new(context.t.get("desk-draw-last-chance"), &command, here).at(context.version);
    (choices.len() >= 2).then_some((button, choices))
}
