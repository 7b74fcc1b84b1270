//! The draw of a flight, revealed slot by slot in the order of the draw.

use askama::Template;

use super::{FlightTab, Frame};
use crate::pages::around::Around;
use owlbox_locale::Locale;
use owlbox_play::tournament::bracket::{EntryNo, Source};
use owlbox_play::tournament::draw::Seed;

/// The page of one draw.
#[derive(Debug, Template)]
#[template(path = "draw.html")]
pub struct DrawPage {
    pub t: Locale,
    pub frame: Frame,
    pub around: Around,
    /// All draws of the flight. Empty if this is the only one.
    pub draws: Vec<FlightTab>,
    /// The time of the draw, in words.
    pub at: Option<String>,
    /// Why the draw was repeated.
    pub reason: Option<String>,
    /// The seed of the random numbers. `None` for a draw made by hand.
    pub seed: Option<Seed>,
    /// A command line that repeats the draw on any machine, and whether it numbers the entries differently
    /// from the draw. `None` if the command line cannot express this draw.
    pub command: Option<(String, bool)>,
    /// The slots in pairs, each the opponents of a match.
    pub pairs: Vec<DrawnPair>,
    /// The number of steps in the reveal. `None` for a draw too large for one.
    pub steps: Option<usize>,
    /// The address of the next slots.
    pub next: Option<String>,
    /// Entries that were seated by lot after the draw, in words.
    pub lots: Vec<String>,
}

/// Two opponents, or one entry with a bye.
#[derive(Clone, Debug)]
pub struct DrawnPair {
    pub slots: Vec<DrawnSlot>,
}

#[derive(Clone, Debug)]
pub struct DrawnSlot {
    /// The number of the slot, from 1 at the top.
    pub number: usize,
    /// The number and name of the entry.
    pub entry: Option<(EntryNo, String)>,
    /// The place on the seeding list. `None` if unseeded.
    pub seeded: Option<u32>,
    /// Whether it is a bye. A slot with neither an entry nor a bye is open.
    pub bye: bool,
    /// The step in which it is revealed, from 1.
    pub step: usize,
}

impl DrawPage {
    /// How many pairs one page holds at most.
    pub const MOST: usize = 512;

    /// The command that repeats a draw of entries 1 to `entrants` with the first `seeded` of them seeded in
    /// order.
    #[must_use]
    pub fn repeated_by(entrants: usize, seeded: usize, Seed(seed): Seed) -> String {
        let seeded = if seeded > 0 { format!(" --seeded {seeded}") } else { String::new() };
        format!("owlbox draw --entrants {entrants} --seed {seed}{seeded}")
    }

    /// The slots of a first round, with the step in which each is revealed: first the seeded entries by their
    /// place, then the others from the top. A bye appears together with its entry.
    #[must_use]
    pub fn pairs(
        line: &[Source],
        name: &dyn Fn(EntryNo) -> String,
        seeded: &dyn Fn(EntryNo) -> Option<u32>,
    ) -> Vec<DrawnPair> {
        let slot = |(at, source): (usize, &Source)| {
            let entry = match source {
                Source::Entry { entry } => Some(*entry),
                Source::Winner { .. } | Source::Loser { .. } | Source::Bye | Source::Open => None,
            };
            DrawnSlot {
                number: at + 1,
                entry: entry.map(|entry| (entry, name(entry))),
                seeded: entry.and_then(seeded),
                bye: *source == Source::Bye,
                step: 0,
            }
        };
        let mut slots: Vec<DrawnSlot> = line.iter().enumerate().map(slot).collect();
        let mut order: Vec<usize> = slots.iter().filter(|slot| !slot.bye).map(|slot| slot.number).collect();
        let place = |number: &usize| slots.get(number - 1).and_then(|slot| slot.seeded).unwrap_or(u32::MAX);
        order.sort_by_key(place);
        for (step, number) in (1..).zip(order) {
            // Slots 2n-1 and 2n are a pair.
            let partner = if number % 2 == 1 { number + 1 } else { number - 1 };
            for at in [number, partner] {
                if let Some(slot) = slots.get_mut(at - 1).filter(|slot| at == number || slot.bye) {
                    slot.step = step;
                }
            }
        }
        slots.chunks(2).map(|pair| DrawnPair { slots: pair.to_vec() }).collect()
    }
}
