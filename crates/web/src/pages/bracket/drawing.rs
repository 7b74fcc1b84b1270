//! The draw, shown slot by slot as it was drawn.

use askama::Template;

use super::{FlightTab, Frame};
use crate::locale::Locale;
use crate::pages::tournaments::Around;
use owlbox_domain::tournament::bracket::{EntryNo, Source};
use owlbox_domain::tournament::draw::Seed;

/// The draw of a flight.
#[derive(Debug, Template)]
#[template(path = "draw.html")]
pub struct DrawPage {
    pub t: Locale,
    pub frame: Frame,
    pub around: Around,
    /// All draws that were made, by link, if this is not the only one.
    pub draws: Vec<FlightTab>,
    /// When it was made, in words.
    pub at: Option<String>,
    /// Why it was made again.
    pub reason: Option<String>,
    /// From what it was drawn; nothing if it was made by hand.
    pub seed: Option<Seed>,
    /// What draws the same again on anybody's machine, if the command line can say it.
    pub command: Option<(String, bool)>,
    /// The slots, two and two.
    pub pairs: Vec<DrawnPair>,
    /// How many steps there are to show; nothing of a draw that is too large to be shown step by step.
    pub steps: Option<usize>,
    /// The address of the slots after these.
    pub next: Option<String>,
}

/// Two who meet, or one with a bye.
#[derive(Clone, Debug)]
pub struct DrawnPair {
    pub slots: Vec<DrawnSlot>,
}

#[derive(Clone, Debug)]
pub struct DrawnSlot {
    /// From above, from 1.
    pub number: usize,
    /// Who sits there: the number of the entry, and the name.
    pub entry: Option<(EntryNo, String)>,
    /// The place on the seeding list.
    pub seeded: Option<u32>,
    /// Whether it is a bye; a slot with neither is open.
    pub bye: bool,
    /// When it is shown, from 1.
    pub step: usize,
}

impl DrawPage {
    /// The most pairs of one page.
    pub const MOST: usize = 512;

    /// The command that repeats a draw of entries 1 to `entrants` of which the first `seeded` are seeded in their order.
    #[must_use]
    pub fn repeated_by(entrants: usize, seeded: usize, Seed(seed): Seed) -> String {
        let seeded = if seeded > 0 { format!(" --seeded {seeded}") } else { String::new() };
        format!("owlbox draw --entrants {entrants} --seed {seed}{seeded}")
    }

    /// The slots of a first round in the order in which they are shown: the seeded by their place, then from above. A bye
    /// is shown with who has it.
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
