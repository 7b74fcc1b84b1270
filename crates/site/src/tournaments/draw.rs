//! A draw, revealed slot by slot: the one that counts, or an earlier one.

use std::collections::HashMap;

use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use super::{DIVISION_PAGES, everybody, title};
use crate::pages::{ChipLink, Frame, Tab};
use crate::say::Say;
use crate::visitor::Visitor;
use owlbox_base::values::TournamentId;
use owlbox_desk::tournaments::TournamentScreen;
use owlbox_http::problem::Problem;
use owlbox_play::tournament::bracket::{EntryNo, Source};
use owlbox_play::tournament::division::{Division, Draw, Lot};
use owlbox_play::tournament::draw::{DrawEntrant, Seed, draw as draw_line};
use owlbox_play::tournament::event::DrawnBy;
use owlbox_play::tournament::room::DivisionNo;

/// The most pairs on a page. A draw of more is not revealed in steps.
const MOST: usize = 512;
/// The most slots of a draw that is repeated to check it, which takes some milliseconds.
const MOST_TRIED: usize = 2_048;

/// The draw to show, and the first pair on the page.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct DrawQuery {
    #[serde(default)]
    draw: String,
    #[serde(default)]
    from: String,
}

/// `/tournaments/{id}/{division}/draw?draw=&from=`
#[derive(Template)]
#[template(path = "draw.html")]
pub(super) struct DrawPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub division: DivisionNo,
    pub of: &'a Division,
    /// Which draw it is, from 1: those of the main flight, of which the last counts, then those of last
    /// chances.
    pub nth: usize,
    /// The draw; `None` before the first.
    pub draw: Option<&'a Draw>,
    /// The first pair on the page, counted from 0.
    pub from: usize,
}

/// A slot of the first round, and the step in which it is revealed, from 1.
#[derive(Clone, Copy, Debug)]
struct Revealed {
    source: Source,
    /// The number of the slot, from 1 at the top.
    number: usize,
    step: usize,
}

impl Revealed {
    fn is_bye(&self) -> bool {
        self.source == Source::Bye
    }

    fn class(&self) -> &'static str {
        if self.is_bye() {
            "bye"
        } else if matches!(self.source, Source::Entry { .. }) {
            ""
        } else {
            "open"
        }
    }
}

pub(crate) async fn draw(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<DrawQuery>,
) -> Result<HttpResponse, Problem> {
    let (id, division) = path.into_inner();
    let (screen, ()) = super::screen(&visitor, id, move |looking| everybody(looking, division)).await?;
    let (t, of) = (visitor.say(&screen.names), screen.division(division)?);
    let frame = visitor.frame(&title(&screen, of, &t.get("the-draw")), Some(Tab::Tournaments));
    let draws = of.draws.len() + of.last_chances.len();
    let nth = query.draw.parse().ok().filter(|nth| (1..=draws).contains(nth)).unwrap_or(of.draws.len());
    let draw = nth.checked_sub(1).and_then(|at| of.draws.iter().chain(&of.last_chances).nth(at));
    let (draw, from) = (draw.map(AsRef::as_ref), query.from.parse().unwrap_or(0));
    let page = DrawPage { t, frame, screen: &screen, division, of, nth, draw, from };
    visitor.answer(page.render())
}

impl DrawPage<'_> {
    /// All draws.
    fn draws(&self) -> Vec<ChipLink> {
        let counts = self.of.draws.len();
        let draw = |nth: usize| {
            let name = match nth.checked_sub(counts) {
                None | Some(0) => self.t.with("draw-nth", "number", nth),
                Some(chance) => self.t.with("draw-last-chance", "number", chance),
            };
            ChipLink::new(name, format!("?draw={nth}"), nth == self.nth)
        };
        (1..=counts + self.of.last_chances.len()).map(draw).collect()
    }

    /// The seed of the random numbers; `None` if it was drawn by hand.
    fn seed(&self) -> Option<Seed> {
        match self.draw?.drawn {
            DrawnBy::Lot { seed, .. } => Some(seed),
            DrawnBy::Hand {} => None,
        }
    }

    /// Why it was drawn again.
    fn reason(&self) -> Option<&str> {
        Some(self.draw?.reason.as_ref()?.as_str())
    }

    /// The first round, slot by slot.
    fn line(&self) -> Vec<Source> {
        self.draw.map_or_else(Vec::new, |draw| draw.slots.iter().map(|slot| Source::from(*slot)).collect())
    }

    /// The place of an entry on the seeding list, which nobody heeds who draws by hand.
    fn seeded(&self, entry: &EntryNo) -> Option<u32> {
        self.seed()?;
        self.of.entry(*entry)?.seeded
    }

    /// The pairs on the page, each the opponents of a match, or one entry with a bye.
    fn pairs(&self) -> Vec<Vec<Revealed>> {
        let slots = reveal(&self.line(), |entry| self.seeded(&entry));
        let pairs = slots.chunks(2).map(<[Revealed]>::to_vec);
        if self.is_large() { pairs.skip(self.from).take(MOST).collect() } else { pairs.collect() }
    }

    fn all_pairs(&self) -> usize {
        self.draw.map_or(0, |draw| draw.slots.len().div_ceil(2))
    }

    /// Whether it has several pages, and so is not revealed in steps.
    fn is_large(&self) -> bool {
        self.all_pairs() > MOST
    }

    /// The number of steps in the reveal.
    fn steps(&self) -> Option<usize> {
        let steps = || self.line().into_iter().filter(|source| *source != Source::Bye).count();
        self.draw.filter(|_| !self.is_large()).map(|_| steps())
    }

    /// The address of the next pairs.
    fn next(&self) -> Option<String> {
        let next = self.from.saturating_add(MOST);
        (self.is_large() && next < self.all_pairs()).then(|| format!("?draw={}&from={next}", self.nth))
    }

    /// The lots drawn after the draw that counts, for entries that waited.
    fn lots(&self) -> Vec<String> {
        let lots = self.of.lots.iter().filter(|_| self.nth == self.of.draws.len());
        lots.map(|lot| lot_drawn(&self.t, self.of, lot)).collect()
    }

    /// The command line that repeats this draw on any machine, if it can, and whether it numbers the entries
    /// otherwise.
    fn command(&self) -> Option<(String, bool)> {
        command(self.of, &self.line(), self.seed()?)
    }
}

/// A lot drawn after the draw: who, where, and from what.
fn lot_drawn(t: &Say<'_>, of: &Division, lot: &Lot) -> String {
    let (name, time, among) = (t.entrant(of, &lot.entry), t.time(&lot.at), lot.lot.among.len());
    let values: [(&str, &dyn std::fmt::Display); 5] = [
        ("name", &name),
        ("time", &time),
        ("match", &lot.place.number.0),
        ("among", &among),
        ("seed", &lot.lot.seed.0),
    ];
    t.fill("draw-lot", &values)
}

/// The slots of a first round, with the step in which each is revealed: first the seeded entries by their
/// place, then the others from the top. A bye appears together with its entry.
fn reveal(line: &[Source], seeded: impl Fn(EntryNo) -> Option<u32>) -> Vec<Revealed> {
    let slot = |(number, source): (usize, &Source)| Revealed { source: *source, number, step: 0 };
    let mut slots: Vec<Revealed> = (1..).zip(line).map(slot).collect();
    let place = |slot: &Revealed| {
        let Source::Entry { entry } = slot.source else { return u32::MAX };
        seeded(entry).unwrap_or(u32::MAX)
    };
    let mut order: Vec<Revealed> = slots.iter().filter(|slot| !slot.is_bye()).copied().collect();
    order.sort_by_key(place);
    for (step, Revealed { number, .. }) in (1..).zip(order) {
        // Slots 2n-1 and 2n are a pair.
        let partner = if number % 2 == 1 { number + 1 } else { number - 1 };
        for at in [number, partner] {
            let slot = slots.get_mut(at - 1).filter(|slot| at == number || slot.is_bye());
            if let Some(slot) = slot {
                slot.step = step;
            }
        }
    }
    slots
}

/// The command that repeats this draw, if the command line can; it is checked here, so that the page promises
/// nothing false. It numbers the seeded entries first and then the others in order of entry. The flag says
/// whether these numbers differ from the entries' own.
fn command(division: &Division, line: &[Source], seed: Seed) -> Option<(String, bool)> {
    // The draw is repeated on every view of the page, so it has to be cheap.
    if line.len() > MOST_TRIED {
        return None;
    }
    let sits = line.iter().filter_map(|source| match source {
        Source::Entry { entry } => Some(*entry),
        Source::Winner { .. } | Source::Loser { .. } | Source::Bye | Source::Open => None,
    });
    let place = |entry: EntryNo| division.entry(entry).and_then(|of| of.seeded);
    let mut drawn: Vec<EntryNo> = sits.collect();
    drawn.sort_by_key(|entry| (place(*entry).unwrap_or(u32::MAX), *entry));
    let seeded = drawn.iter().filter(|entry| place(**entry).is_some()).count();
    let counted: HashMap<EntryNo, EntryNo> = drawn.iter().copied().zip((1..).map(EntryNo)).collect();
    let entries: Vec<DrawEntrant> = (1..)
        .take(drawn.len())
        .map(|entry| DrawEntrant {
            entry: EntryNo(entry),
            seeded: usize::try_from(entry).is_ok_and(|entry| entry <= seeded).then_some(entry),
            apart: None,
        })
        .collect();
    let counted_line = line.iter().map(|source| match source {
        Source::Entry { entry } => {
            counted.get(entry).map_or(*source, |entry| Source::Entry { entry: *entry })
        }
        other @ (Source::Winner { .. } | Source::Loser { .. } | Source::Bye | Source::Open) => *other,
    });
    let same = draw_line(&entries, seed).into_iter().eq(counted_line);
    let otherwise = counted.iter().any(|(entry, counted)| entry != counted);
    same.then(|| (repeated_by(drawn.len(), seeded, seed), otherwise))
}

/// The command that repeats a draw of entries 1 to `entrants` with the first `seeded` of them seeded in
/// order.
fn repeated_by(entrants: usize, seeded: usize, Seed(seed): Seed) -> String {
    let seeded = if seeded > 0 { format!(" --seeded {seeded}") } else { String::new() };
    format!("owlbox draw --entrants {entrants} --seed {seed}{seeded}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_draw_is_shown_seeded_first_then_from_above_and_a_bye_with_who_has_it() {
        let drawn = crate::tournaments::samples::line(11);
        let seeded = |EntryNo(entry)| (entry <= 2).then_some(entry);
        let slots = reveal(&drawn, seeded);
        assert_eq!(slots.len(), 16);
        assert_eq!(slots.iter().map(|slot| slot.step).collect::<BTreeSet<_>>(), (1..=11).collect());
        for pair in slots.chunks(2) {
            if let Some(bye) = pair.iter().find(|slot| slot.is_bye()) {
                assert!(pair.iter().all(|slot| slot.step == bye.step));
            }
        }
        let of = |entry| slots.iter().find(|slot| slot.source == Source::Entry { entry }).unwrap().step;
        assert_eq!((of(EntryNo(1)), of(EntryNo(2))), (1, 2));
        let is_seeded =
            |slot: &Revealed| matches!(slot.source, Source::Entry { entry } if seeded(entry).is_some());
        let others = slots.iter().filter(|slot| !slot.is_bye() && !is_seeded(slot)).map(|slot| slot.step);
        assert_eq!(others.collect::<Vec<_>>(), (3..=11).collect::<Vec<_>>());
        assert_eq!(repeated_by(11, 2, Seed(2026)), "owlbox draw --entrants 11 --seed 2026 --seeded 2");
    }
}
