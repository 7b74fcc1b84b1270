//! The page for the draw of a division: by lot, or again for a reason; the exchange of two slots; a last
//! chance. The draw by hand has a page of its own.

use super::draw_by_hand;
use super::words;
use super::{DirectorContext, Heading, Link};
use crate::pages::button::Button;
use crate::pages::{Choice, Fields, Frame};
use owlbox_base::text::sought;
use owlbox_base::values::MinorUnits;
use owlbox_locale::Locale;
use owlbox_play::matches::{Ending, MatchNo, Slot};
use owlbox_play::tournament::bracket::{EntryNo, FlightKind, Pairing, Source};
use owlbox_play::tournament::command::{DrawBy, SlotOfMatch};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::legal::DivisionAct;
use owlbox_play::tournament::prizes::scheduled;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::{Command, CommandKind};

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
    pub draw: Option<Button>,
    /// How many have checked in, if not everybody has.
    pub checked_in: Option<String>,
    /// The address of the page to draw by hand.
    pub by_hand: Option<String>,
    /// Whether it is too late to draw again, because matches have begun.
    pub too_late: bool,
    /// The exchange of two slots: the button, and the slots for either of the two.
    pub exchange: Option<(Button, [Vec<Choice>; 2])>,
    pub last_chance: Option<LastChance>,
}

/// The draw of a last chance.
#[derive(Debug)]
pub struct LastChance {
    pub button: Button,
    /// Who can play in it, under a heading: first those who have lost at a table and have no prize. Nobody is
    /// ticked, since only those play who ask for it.
    pub groups: Vec<(String, Vec<Choice>)>,
    /// The prizes that are other ones with a last chance, each with its amount before and after. Empty if none is.
    pub changes: Vec<(String, [String; 2])>,
}

/// The address of a division's draw, below that of the desk.
#[must_use]
pub fn below(number: DivisionNo) -> String {
    format!("/{}/draw", number.0)
}

/// The players whose names the page needs.
#[must_use]
pub fn players_named(of: &Division) -> Vec<owlbox_base::values::PlayerId> {
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
        let entries = context.state.to_draw(number, false).len();
        let seen = context.state.to_draw(number, true).len();
        let drawn = of.is_drawn();
        let open = context.state.closed_at.is_none();
        let possible = context.state.division_acts(number).contains(&DivisionAct::Draw);
        let draws = possible && context.may(CommandKind::Draw);
        Some(Self {
            t: *t,
            frame,
            divisions: divisions(context, number),
            count: t.fill("desk-next-draw-about", &[("here", &seen), ("all", &entries)]),
            drawn,
            links: if drawn { links(context, number) } else { Vec::new() },
            draw: draws.then(|| draw(context, number, drawn, &here)),
            checked_in: draw_by_hand::is_only_here(context, number).then(|| t.count("desk-only-here", &seen)),
            by_hand: (draws && draw_by_hand::is_offered(context, number))
                .then(|| context.address(&draw_by_hand::below(number))),
            too_late: drawn && open && !possible && entries >= 2,
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

fn draw(context: &DirectorContext<'_>, division: DivisionNo, again: bool, here: &str) -> Button {
    let method = DrawBy::Lot {};
    let command =
        Command::Draw { division, method, only_checked_in: false, reason: None, groups: Vec::new() };
    let label = context.t.get(if again { "desk-draw-again" } else { "desk-draw" });
    Button::new(label, &command).then(here).main().at(context.version)
}

/// The exchange of two slots of the first round, of matches that have not begun.
fn exchange(
    context: &DirectorContext<'_>,
    number: DivisionNo,
    of: &Division,
    here: &str,
) -> Option<(Button, [Vec<Choice>; 2])> {
    if !of.is_drawn() || !context.may(CommandKind::Exchange) {
        return None;
    }
    let still = |(at, found): &(MatchNo, &Pairing)| {
        let called = context.state.room.calls.contains_key(&MatchRef { division: number, number: *at });
        found.round == 0 && !Division::is_played(found) && !called
    };
    let drawn = |source| matches!(source, Source::Entry { .. } | Source::Bye | Source::Open);
    let choices: Vec<(SlotOfMatch, String)> = of
        .bracket
        .of_flight(0)
        .filter(still)
        .flat_map(|(at, found)| Slot::BOTH.map(|slot| (at, found, slot)))
        .filter(|(_, found, slot)| drawn(found.source(*slot)))
        .take(MOST_CHOICES)
        .map(|(at, found, slot)| {
            let who = words::in_slot(context, of, found, slot);
            let label = format!("{}: {who}", context.t.with("match-number", "match", at.0));
            (SlotOfMatch { number: at, slot }, label)
        })
        .collect();
    let exchange = Fields::lacking(CommandKind::Exchange).with("division", &number);
    let button = Button::of_form(context.t.get("desk-exchange"), exchange).then(here).at(context.version);
    let places = ["one", "other"].map(|name| {
        let place = |(place, label): &(SlotOfMatch, String)| {
            Choice::new(Fields::default().with(name, place).choice(), label.clone(), false)
        };
        choices.iter().map(place).collect()
    });
    (choices.len() >= 2).then_some((button, places))
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

/// The last chance: the entries without a further match.
fn last_chance(
    context: &DirectorContext<'_>,
    number: DivisionNo,
    of: &Division,
    here: &str,
) -> Option<LastChance> {
    if !context.may(CommandKind::DrawLastChance) {
        return None;
    }
    let prizes = scheduled(of).prizes;
    let has_prize = |entry: EntryNo| of.entry(entry).is_some_and(|entry| prizes.contains_key(&entry.player));
    let (lost, others): (Vec<EntryNo>, Vec<EntryNo>) = context
        .state
        .last_chance_players(number)
        .take(MOST_CHOICES)
        .partition(|entry| has_lost_last_chance(of, *entry) && !has_prize(*entry));
    if lost.len() + others.len() < 2 {
        return None;
    }
    let first_two: Vec<EntryNo> = lost.iter().chain(&others).take(2).copied().collect();
    let group = |label: &str, entries: Vec<EntryNo>| {
        let choice = |entry: EntryNo| Choice::new(entry.0.to_string(), context.entry(of, entry), false);
        let mut choices: Vec<Choice> = entries.into_iter().map(choice).collect();
        choices.sort_by_cached_key(|choice| sought(&choice.label));
        (context.t.get(label), choices)
    };
    let groups = [group("desk-last-chance-lost", lost), group("desk-last-chance-others", others)];
    let command = Command::DrawLastChance { division: number, entries: Vec::new() };
    Some(LastChance {
        button: Button::new(context.t.get("desk-draw-last-chance"), &command).then(here).at(context.version),
        changes: prizes_changed(context, number, &first_two),
        groups: groups.into_iter().filter(|(_, choices)| !choices.is_empty()).collect(),
    })
}

/// The prizes that change when a last chance is drawn, whoever plays in it.
fn prizes_changed(
    context: &DirectorContext<'_>,
    division: DivisionNo,
    two: &[EntryNo],
) -> Vec<(String, [String; 2])> {
    let Some(currency) = context.state.about().and_then(|about| about.currency) else { return Vec::new() };
    let much = |amount| context.t.how_much(MinorUnits(i64::try_from(amount).unwrap_or(i64::MAX)), currency);
    let prizes = context.state.prizes_with_last_chance(division, two, context.now);
    prizes.into_iter().map(|(prize, amounts)| (context.t.prize(prize), amounts.map(much))).collect()
}
