//! The page for a draw by hand: numbered slots, two to a match, and a name to write in each. A name counts, typed on
//! any keyboard. A part of one, or one that is nearly somebody's, is asked about: then the whole name stands in its
//! slot, to be sent again.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::{DirectorContext, Heading, on_the_desk};
use crate::directing::draw;
use crate::pages::Frame;
use owlbox_base::text::sought;
use owlbox_base::values::PlayerId;
use owlbox_books::club::meant::{Meant, People, Search, spelled};
use owlbox_locale::Locale;
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::event::DrawnSlot;
use owlbox_play::tournament::room::DivisionNo;
use uuid::Uuid;

/// The most slots in a draw by hand. More are too much work.
pub const MOST_SLOTS: usize = 256;

/// `/tournaments/{id}/desk/{division}/draw/by-hand`
#[derive(Debug)]
pub struct DrawByHandPage<'a> {
    pub t: DirectorContext<'a>,
    pub frame: Frame,
    pub desk: Heading,
    pub number: DivisionNo,
    pub of: &'a Division,
    pub typed: &'a HandDraw,
    pub mistakes: &'a Mistakes,
    /// The names to place, in order of the alphabet.
    pub names: Vec<String>,
}
on_the_desk! { DrawByHandPage<'a>: "directing/draw_by_hand.html" }

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

impl<'a> DrawByHandPage<'a> {
    /// The page with what was typed so far, and what is wrong with it. `None` if nothing can be drawn by hand.
    #[must_use]
    pub fn new(
        t: DirectorContext<'a>,
        frame: Frame,
        mut desk: Heading,
        number: DivisionNo,
        typed: &'a HandDraw,
        mistakes: &'a Mistakes,
    ) -> Option<Self> {
        // A live update would disturb whoever types.
        desk.live = false;
        let of = t.state.division(number)?;
        let mut names: Vec<String> =
            named(&t, number, typed.only_here).into_iter().map(|(_, name)| name).collect();
        names.sort_by_cached_key(|name| sought(name));
        let is_offered = (2..=MOST_SLOTS).contains(&names.len());
        is_offered.then_some(Self { t, frame, desk, number, of, typed, mistakes, names })
    }

    /// How many slots have something typed in them or before them.
    fn written(&self) -> usize {
        self.typed.slots.iter().rposition(|typed| !typed.is_empty()).map_or(0, |last| last + 1)
    }

    /// The matches of the first round.
    fn matches(&self) -> usize {
        slots_for(self.names.len().max(self.written())) / 2
    }

    /// The two slots of a match, both counted from 0.
    fn slots(&self, of: &usize) -> Range<usize> {
        2 * of..2 * of + 2
    }

    /// What stands in a slot, counted from 0.
    fn text(&self, at: &usize) -> &str {
        let text = self.mistakes.perhaps.get(at).or(self.typed.slots.get(*at));
        text.map_or("", String::as_str)
    }

    /// Who has no slot, if somebody has been placed.
    fn missing(&self) -> Option<String> {
        let missing = &self.mistakes.missing;
        let any = self.written() > 0 && !missing.is_empty();
        any.then(|| self.t.with("desk-hand-missing", "names", self.t.list(missing)))
    }

    /// Draws all, or only those who have checked in: the value in the address, how many, and whether it is so now. Empty
    /// if there is no difference.
    fn scopes(&self) -> Vec<(&'static str, String, bool)> {
        let only_here = self.typed.only_here;
        if !only_here && !is_only_here(&self.t, self.number) {
            return Vec::new();
        }
        let scope = |(key, value, here): (&str, &'static str, bool)| {
            let count = self.t.state.to_draw(self.number, here).len();
            (value, self.t.count(key, &count), here == only_here)
        };
        [("desk-only-here", "here", true), ("desk-hand-all", "all", false)].map(scope).into()
    }
}
