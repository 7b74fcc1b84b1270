//! The draw: who sits where in the first round of a flight.
//!
//! Everything follows from one seed drawn by the service, so a draw can be repeated: the same entries, seed
//! and method give the same slots forever. Random numbers come from ChaCha8 and are cut to size by rejection
//! here, so that no later version of this program or of a library changes a draw.
//!
//! Slots are filled half by half: each step divides what is to be seated between the upper and the lower half
//! of the slots, then divides each half again, down to the pairs. Seeds go to their usual places: 1 and 2
//! meet in the final at the earliest, 3 and 4 in the semi-finals. Byes are spread evenly and go to the top
//! seeds first. Entries of one club or country are spread evenly as far as that leaves room, so that they
//! meet as late as their number allows.

use std::cmp::Ordering;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

use super::bracket::{EntryNo, Source};

/// The number a whole draw follows from. It is not shown before the draw is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct Seed(pub u64);

/// An entry that is to be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawEntrant {
    pub entry: EntryNo,
    /// The place on the seeding list, from 1; `None` if not seeded.
    pub seeded: Option<u32>,
    /// The group, such as a club or a country, whose members should meet as late as possible. The number
    /// itself has no meaning.
    pub apart: Option<u32>,
}

struct Lots(ChaCha8Rng);

impl Lots {
    fn from(Seed(seed): Seed) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A uniformly distributed number below `most`; 0 if `most` is 0 or 1.
    fn below(&mut self, most: usize) -> usize {
        let Ok(most) = u32::try_from(most) else { return 0 };
        if most < 2 {
            return 0;
        }
        // The largest multiple of `most` that fits. A number above it is rejected, or low results would be
        // likelier.
        let fair = u32::MAX - u32::MAX % most;
        loop {
            let drawn = self.0.next_u32();
            if drawn < fair {
                return usize::try_from(drawn % most).unwrap_or(0);
            }
        }
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}

/// What remains to be seated in a range of slots.
#[derive(Default)]
struct Hand {
    /// In seeding order, each with whether a bye comes with it.
    seeded: Vec<(DrawEntrant, bool)>,
    /// The unseeded entries, grouped: those of one group stand together.
    others: Vec<DrawEntrant>,
    /// Byes that do not belong to a seed.
    byes: usize,
}

impl Hand {
    fn byes(&self) -> usize {
        self.byes + self.seeded.iter().filter(|(_, bye)| *bye).count()
    }
}

/// Draws the slots of a first round: the next power of two, at least 2, with byes for the missing entries.
#[must_use]
pub fn draw(entries: &[DrawEntrant], seed: Seed) -> Vec<Source> {
    let mut lots = Lots::from(seed);
    let slots = entries.len().next_power_of_two().max(2);
    // The draw must not depend on the order in which the entries were passed.
    let mut all = entries.to_vec();
    all.sort_by_key(|drawn| drawn.entry);
    let (mut seeded, mut others): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|drawn| drawn.seeded.is_some());
    seeded.sort_by_key(|drawn| drawn.seeded);
    lots.shuffle(&mut others);
    together(&mut others);
    let mut line = Vec::with_capacity(slots);
    let byes = slots - seeded.len() - others.len();
    let hand = Hand {
        byes: byes.saturating_sub(seeded.len()),
        seeded: seeded.into_iter().enumerate().map(|(place, drawn)| (drawn, place < byes)).collect(),
        others,
    };
    deal(hand, slots, &mut lots, &mut line);
    line
}

/// The place, from 0, on which the lot from this seed falls among so many.
#[must_use]
pub fn one_of(seed: Seed, many: usize) -> usize {
    Lots::from(seed).below(many)
}

/// Sorts entries so that each group stands together, the groups in the order of their first members.
fn together(entries: &mut [DrawEntrant]) {
    let mut first = std::collections::HashMap::new();
    for (at, drawn) in entries.iter().enumerate() {
        first.entry(group_of(drawn)).or_insert(at);
    }
    entries.sort_by_key(|drawn| first.get(&group_of(drawn)).copied());
}

/// An entry without a group counts as a group of one.
const fn group_of(drawn: &DrawEntrant) -> (Option<u32>, Option<EntryNo>) {
    match drawn.apart {
        Some(group) => (Some(group), None),
        None => (None, Some(drawn.entry)),
    }
}

/// Seats a hand in `slots` slots, half by half.
fn deal(hand: Hand, slots: usize, lots: &mut Lots, line: &mut Vec<Source>) {
    debug_assert_eq!(hand.seeded.len() + hand.others.len() + hand.byes(), slots);
    if slots == 1 {
        let seeded = hand.seeded.first().map(|(drawn, _)| drawn);
        let seated = seeded.or(hand.others.first());
        line.push(seated.map_or(Source::Bye, |drawn| Source::Entry { entry: drawn.entry }));
        return;
    }
    let half = slots / 2;
    let mut halves = [Hand::default(), Hand::default()];
    // Seeds 1, 4, 5, 8 ... go to one half and 2, 3, 6, 7 ... to the other. Repeated within each half, this
    // keeps the top seeds apart the longest.
    for (at, seeded) in hand.seeded.into_iter().enumerate() {
        halves[usize::from(at % 4 == 1 || at % 4 == 2)].seeded.push(seeded);
    }
    if slots == 2 {
        // Only in a pair do a seed and its bye part: the bye becomes the seed's opponent.
        for at in 0..2 {
            if let Some((_, bye)) = halves[at].seeded.first_mut()
                && std::mem::take(bye)
            {
                halves[1 - at].byes += 1;
            }
        }
    }
    let mut byes = [halves[0].byes(), halves[1].byes()];
    let mut room = [half - halves[0].seeded.len() - byes[0], half - halves[1].seeded.len() - byes[1]];
    for _ in 0..hand.byes {
        let to = evenly(&mut byes, &mut room, lots);
        halves[to].byes += 1;
    }
    let mut rest = hand.others.as_slice();
    while let Some(next) = rest.first() {
        let of_group = rest.iter().take_while(|drawn| group_of(drawn) == group_of(next)).count();
        let (group, others) = rest.split_at(of_group);
        rest = others;
        divide(group, &mut room, &mut halves, lots);
    }
    let [mut upper, mut lower] = halves;
    // Which half goes on top is drawn too, unless seeds decide it.
    if upper.seeded.is_empty() && lots.below(2) == 1 {
        std::mem::swap(&mut upper, &mut lower);
    }
    deal(upper, half, lots, line);
    deal(lower, half, lots, line);
}

/// Divides one group evenly between the halves, counting its seeded members that sit there already.
fn divide(group: &[DrawEntrant], room: &mut [usize; 2], halves: &mut [Hand; 2], lots: &mut Lots) {
    let apart = group.first().and_then(|drawn| drawn.apart);
    let of_apart = |(drawn, _): &&(DrawEntrant, bool)| drawn.apart == apart;
    let seeded = |hand: &Hand| apart.map_or(0, |_| hand.seeded.iter().filter(of_apart).count());
    let mut of_group = [seeded(&halves[0]), seeded(&halves[1])];
    for &drawn in group {
        halves[evenly(&mut of_group, room, lots)].others.push(drawn);
    }
}

/// Chooses the half for the next member of a kind, given how many each half has: the half with fewer; if
/// equal, the one with more room left, so that later members can be divided too; if still equal, by lot.
fn evenly(of_kind: &mut [usize; 2], room: &mut [usize; 2], lots: &mut Lots) -> usize {
    let fewer = of_kind[0].cmp(&of_kind[1]).then(room[1].cmp(&room[0]));
    let to = match fewer {
        _ if room[0] == 0 => 1,
        _ if room[1] == 0 => 0,
        Ordering::Less => 0,
        Ordering::Greater => 1,
        Ordering::Equal => lots.below(2),
    };
    of_kind[to] += 1;
    room[to] -= 1;
    to
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn entries(count: u32) -> Vec<DrawEntrant> {
        (1..=count).map(|entry| DrawEntrant { entry: EntryNo(entry), seeded: None, apart: None }).collect()
    }

    fn shown(line: &[Source]) -> String {
        let one = |source: &Source| match source {
            Source::Entry { entry } => entry.0.to_string(),
            _ => "-".into(),
        };
        line.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    /// Proves T3.
    #[test]
    fn a_seed_draws_the_same_for_ever_in_whatever_order_entries_come() {
        // These lines are a promise: recorded draws are checked against the algorithm, so they must never
        // change.
        assert_eq!(shown(&draw(&entries(8), Seed(1))), "6 7 8 3 2 5 4 1");
        assert_eq!(shown(&draw(&entries(5), Seed(2026))), "- 4 - 1 3 - 2 5");
        let mut other_way = entries(100);
        other_way.reverse();
        assert_eq!(draw(&other_way, Seed(7)), draw(&entries(100), Seed(7)));
        assert_ne!(draw(&entries(100), Seed(7)), draw(&entries(100), Seed(8)));
    }

    /// Proves T5.
    #[test]
    fn everybody_sits_once_and_no_two_byes_meet() {
        for count in 2..=130 {
            for seed in 0..5 {
                let line = draw(&entries(count), Seed(seed));
                assert_eq!(super::super::bracket::check_line(&line), Ok(()), "{count} {seed}");
                let seated = line.iter().filter(|source| matches!(source, Source::Entry { .. })).count();
                assert_eq!((seated, line.len()), (count as usize, (count as usize).next_power_of_two()));
            }
        }
    }

    /// Proves T3.
    #[test]
    fn every_place_is_as_likely_as_any_other() {
        // Eight entries, 8,000 draws: each entry should meet each of the seven others about equally often.
        let mut met = BTreeMap::new();
        for seed in 0..8_000 {
            for pair in draw(&entries(8), Seed(seed)).chunks(2) {
                let mut two: Vec<u32> = pair
                    .iter()
                    .filter_map(|source| match source {
                        Source::Entry { entry } => Some(entry.0),
                        _ => None,
                    })
                    .collect();
                two.sort_unstable();
                *met.entry(two).or_insert(0) += 1;
            }
        }
        assert_eq!(met.len(), 28);
        // 32,000 pairs of 28 kinds: 1,143 of each, within five standard deviations.
        assert!(met.values().all(|times: &i32| (times - 1_143).abs() < 170), "{met:?}");
    }

    /// Proves T5.
    #[test]
    fn the_seeded_meet_no_earlier_than_they_are_seeded_and_have_the_byes() {
        for seed in 0..50 {
            let mut all = entries(11);
            for place in 1..=8u32 {
                // Entry 12 - n is seeded n.
                all[(11 - place) as usize].seeded = Some(place);
            }
            let line = draw(&all, Seed(seed));
            let at = |place: u32| {
                line.iter()
                    .position(|source| *source == Source::Entry { entry: EntryNo(12 - place) })
                    .unwrap()
            };
            // With 16 slots: seeds 1 and 2 in different halves, 1 to 4 in different quarters, 1 to 8 in
            // different pairs.
            for (seeds, slots) in [(2, 8), (4, 4), (8, 2)] {
                let mut places: Vec<usize> = (1..=seeds).map(|place| at(place) / slots).collect();
                places.sort_unstable();
                places.dedup();
                assert_eq!(places.len(), seeds as usize, "{}", shown(&line));
            }
            // Seed 1 would meet 4 in the semi-finals, and 2 would meet 3.
            assert_eq!(at(1) / 8, at(4) / 8);
            // There are five byes, for seeds 1 to 5.
            for place in 1..=5 {
                assert_eq!(line[at(place) ^ 1], Source::Bye, "{place}: {}", shown(&line));
            }
        }
    }

    /// For each group, how many members sit in each part of `slots` slots.
    fn spread(line: &[Source], all: &[DrawEntrant], slots: usize) -> BTreeMap<u32, Vec<usize>> {
        let mut counted: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (part, of) in line.chunks(slots).enumerate() {
            for source in of {
                let Source::Entry { entry } = source else { continue };
                let Some(group) = all[entry.0 as usize - 1].apart else { continue };
                counted.entry(group).or_insert_with(|| vec![0; line.len() / slots])[part] += 1;
            }
        }
        counted
    }

    /// Proves T6.
    #[test]
    fn those_of_one_club_meet_as_late_as_their_number_allows() {
        for seed in 0..40 {
            for count in [16u32, 23, 32, 64, 77] {
                let mut all = entries(count);
                for (at, drawn) in all.iter_mut().enumerate() {
                    // Clubs of several sizes, and a third of the entries without a club.
                    drawn.apart =
                        [Some(1), Some(1), Some(2), Some(3 + u32::try_from(at).unwrap() / 8), None, None]
                            [at % 6];
                }
                let line = draw(&all, Seed(seed));
                let mut slots = line.len() / 2;
                while slots >= 2 {
                    for (group, parts) in spread(&line, &all, slots) {
                        let (most, least) = (parts.iter().max().unwrap(), parts.iter().min().unwrap());
                        assert!(
                            most - least <= 1,
                            "club {group} in parts of {slots}: {parts:?}, {}",
                            shown(&line)
                        );
                    }
                    slots /= 2;
                }
            }
        }
    }
}
