//! The page for a draw by hand: numbered slots, two to a match, and a name to write in each. A name counts, typed on
//! any keyboard. A part of one, or one that is nearly somebody's, is asked about: then the whole name stands in its
//! slot, to be sent again.

use std::collections::{BTreeMap, BTreeSet};

use super::{DirectorContext, Heading, Link};
use crate::directing::draw;
use crate::pages::Frame;
use owlbox_base::text::sought;
use owlbox_base::values::PlayerId;
use owlbox_books::club::meant::{Meant, People, Search, spelled};
use owlbox_locale::Locale;
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::event::DrawnSlot;
use owlbox_play::tournament::room::DivisionNo;
use uuid::Uuid;

/// The most slots in a draw by hand. More are too much work.
pub const MOST_SLOTS: usize = 256;

#[derive(Debug)]
pub struct DrawByHandPage {
    pub t: Locale,
    pub frame: Frame,
    pub desk: Heading,
    /// The title, and the label of the button.
    pub title: String,
    /// Idempotency key of the form.
    pub key: String,
    /// The address of the page of the draw.
    pub back: String,
    /// Whether only those who have checked in are drawn.
    pub only_here: bool,
    /// Links to draw all, or only those who have checked in. Empty if there is no difference.
    pub scopes: Vec<Link>,
    /// Why it is drawn again, as typed; `None` for the first draw.
    pub reason: Option<String>,
    /// The matches of the first round.
    pub matches: Vec<[HandSlot; 2]>,
    /// The names to place, in order of the alphabet.
    pub names: Vec<String>,
    /// Who has no slot, in words, if somebody has been placed.
    pub missing: Option<String>,
    /// The word that keeps a slot open for a late entry.
    pub open: String,
}

/// A slot, with what was typed in it.
#[derive(Clone, Debug)]
pub struct HandSlot {
    /// Counted from 1.
    pub number: usize,
    pub typed: String,
    /// What is wrong with it, in words.
    pub wrong: Option<String>,
}

/// What was typed: whom to draw, and the names by slot.
#[derive(Clone, Debug, Default)]
pub struct HandDraw {
    pub only_here: bool,
    pub reason: String,
    pub slots: Vec<String>,
}

/// What is wrong with the names that were typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mistakes {
    /// By slot, counted from 0, in words.
    pub slots: BTreeMap<usize, String>,
    /// The names that may be meant, by slot.
    pub perhaps: BTreeMap<usize, String>,
    /// The names without a slot.
    pub missing: Vec<String>,
}

/// The address of the page, below that of the desk.
#[must_use]
pub fn below(number: DivisionNo) -> String {
    format!("{}/by-hand", draw::below(number))
}

/// Whether few enough are to be drawn.
#[must_use]
pub fn is_offered(context: &DirectorContext<'_>, number: DivisionNo) -> bool {
    (2..=MOST_SLOTS).contains(&context.state.to_draw(number, is_only_here(context, number)).len())
}

/// Whether the draw begins with only those who have checked in: some have, and not all.
#[must_use]
pub fn is_only_here(context: &DirectorContext<'_>, number: DivisionNo) -> bool {
    let [here, all] = [true, false].map(|only_here| context.state.to_draw(number, only_here).len());
    here >= 2 && here < all
}

/// The slots of a first round for so many entries.
fn slots_for(entries: usize) -> usize {
    entries.next_power_of_two().clamp(2, MOST_SLOTS)
}

/// The entries to place, with their names.
fn named(context: &DirectorContext<'_>, number: DivisionNo, only_here: bool) -> Vec<(EntryNo, String)> {
    let Some(of) = context.state.division(number) else { return Vec::new() };
    let entries = context.state.to_draw(number, only_here);
    entries.into_iter().map(|entry| (entry, context.entry(of, entry))).collect()
}

/// What one slot says.
enum Said {
    Slot(DrawnSlot),
    /// Perhaps this entry, of this name.
    Perhaps(EntryNo, String),
    Nobody,
    Several,
}

/// Whom the text in a slot names, of these entries and their `people`, who have the numbers of their places as ids.
fn said(t: &Locale, named: &[(EntryNo, String)], people: &People, typed: &str) -> Said {
    let meant = people.meant(typed);
    let at = |player: PlayerId| usize::try_from(player.0.as_u128()).ok();
    if let Meant::Player(player) = meant
        && let Some((entry, _)) = at(player).and_then(|at| named.get(at))
    {
        return Said::Slot(DrawnSlot(Some(entry.0)));
    }
    let whole = spelled(typed);
    if typed.trim().is_empty() || whole == spelled(&t.get("slot-bye")) {
        return Said::Slot(DrawnSlot::BYE);
    }
    if whole == spelled(&t.get("desk-hand-open")) {
        return Said::Slot(DrawnSlot(None));
    }
    let part = Search::new(typed);
    let with_it = (0..).zip(named).filter(|(_, (_, name))| part.finds(name)).map(|(at, _)| at);
    let perhaps: BTreeSet<usize> = with_it.chain(meant.candidates().filter_map(at)).collect();
    match perhaps.first().and_then(|at| named.get(*at)) {
        None => Said::Nobody,
        Some((entry, name)) if perhaps.len() == 1 => Said::Perhaps(*entry, name.clone()),
        Some(_) => Said::Several,
    }
}

/// The slots that were typed.
///
/// # Errors
/// Everything that is wrong with them: a name that is nobody's, several players' or not quite somebody's, somebody in two slots, a match of
/// two empty slots, somebody without a slot.
pub fn slots(
    context: &DirectorContext<'_>,
    number: DivisionNo,
    typed: &HandDraw,
) -> Result<Vec<DrawnSlot>, Mistakes> {
    let t = context.t;
    let named = named(context, number, typed.only_here);
    let mut people = People::default();
    for (at, (_, name)) in (0..).zip(&named) {
        people.add(PlayerId(Uuid::from_u128(at)), name, None);
    }
    let mut placed: BTreeMap<u32, usize> = BTreeMap::new();
    let mut mistakes = Mistakes::default();
    let mut slots = Vec::new();
    for (at, text) in typed.slots.iter().enumerate() {
        let slot = match said(t, &named, &people, text) {
            Said::Slot(slot) => slot,
            Said::Perhaps(entry, name) => {
                mistakes.slots.insert(at, t.with("error-near-name", "name", &name));
                mistakes.perhaps.insert(at, name);
                DrawnSlot(Some(entry.0))
            }
            Said::Nobody => {
                mistakes.slots.insert(at, t.get("desk-hand-nobody"));
                DrawnSlot(None)
            }
            Said::Several => {
                mistakes.slots.insert(at, t.get("desk-hand-several"));
                DrawnSlot(None)
            }
        };
        if let Some(entry) = slot.0.filter(|_| slot != DrawnSlot::BYE)
            && let Some(before) = placed.insert(entry, at)
        {
            mistakes.slots.insert(at, t.with("desk-hand-twice", "slot", before + 1));
        }
        slots.push(slot);
    }
    for (pair, sits) in slots.chunks(2).enumerate() {
        if sits.iter().all(|slot| *slot == DrawnSlot::BYE) {
            mistakes.slots.entry(2 * pair).or_insert_with(|| t.get("desk-hand-empty"));
        }
    }
    mistakes.missing =
        named.into_iter().filter(|(entry, _)| !placed.contains_key(&entry.0)).map(|(_, name)| name).collect();
    if mistakes == Mistakes::default() { Ok(slots) } else { Err(mistakes) }
}

impl DrawByHandPage {
    /// The page with what was typed so far, and what is wrong with it. `None` if nothing can be drawn by hand.
    #[must_use]
    pub fn new(
        context: &DirectorContext<'_>,
        frame: Frame,
        mut desk: Heading,
        number: DivisionNo,
        typed: &HandDraw,
        mistakes: &Mistakes,
    ) -> Option<Self> {
        // A live update would disturb whoever types.
        desk.live = false;
        let t = context.t;
        let of = context.state.division(number)?;
        let mut names: Vec<String> =
            named(context, number, typed.only_here).into_iter().map(|(_, name)| name).collect();
        if names.len() < 2 || names.len() > MOST_SLOTS {
            return None;
        }
        names.sort_by_cached_key(|name| sought(name));
        let written = typed.slots.iter().rposition(|typed| !typed.is_empty()).map_or(0, |last| last + 1);
        let slot = |at: usize| HandSlot {
            number: at + 1,
            typed: mistakes.perhaps.get(&at).or(typed.slots.get(at)).cloned().unwrap_or_default(),
            wrong: mistakes.slots.get(&at).cloned(),
        };
        let matches = slots_for(names.len().max(written)) / 2;
        let missing = (written > 0 && !mistakes.missing.is_empty())
            .then(|| t.with("desk-hand-missing", "names", t.list(&mistakes.missing)));
        Some(Self {
            t: *t,
            frame,
            title: t.get("desk-draw-by-hand"),
            key: crate::pages::button::key(),
            back: context.address(&draw::below(number)),
            only_here: typed.only_here,
            scopes: scopes(context, number, typed.only_here, &desk.here),
            reason: of.is_drawn().then(|| typed.reason.clone()),
            matches: (0..matches).map(|pair| [slot(2 * pair), slot(2 * pair + 1)]).collect(),
            names,
            missing,
            open: t.get("desk-hand-open"),
            desk,
        })
    }
}

fn scopes(context: &DirectorContext<'_>, number: DivisionNo, only_here: bool, address: &str) -> Vec<Link> {
    if !only_here && !is_only_here(context, number) {
        return Vec::new();
    }
    let link = |(key, value, of_here): (&str, &str, bool)| Link {
        here: of_here == only_here,
        ..Link::new(
            format!("{address}?of={value}"),
            context.t.count(key, &context.state.to_draw(number, of_here).len()),
        )
    };
    [("desk-only-here", "here", true), ("desk-hand-all", "all", false)].map(link).into()
}
