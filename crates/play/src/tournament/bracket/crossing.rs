//! How the losers of a main round cross over into the consolation, so that rematches come as late as
//! possible.
//!
//! With 2^k entrants, the loser of match `p` of main round `r` meets the survivor of consolation slot `p ^
//! CROSSING[k][r - 2]`. Two players who have met can meet again where the consolation paths of the matches
//! they lost come together, if one of these matches feeds the other.
//!
//! **The bound.** At each stage of the consolation a slot stands for 2^b entrants. Into each slot come the
//! losers of 2^(b-s) matches of main round `s`, and these matches stand for 2^b entrants too. If none of the
//! matches feeds another, their sets of entrants are disjoint, so `r * 2^b <= 2^k` once the losers of rounds
//! 1 to `r` are in. From the first stage where that fails, no crossing can rule out a rematch; before it,
//! these patterns allow none. The tests show both, pattern by pattern, for every size.

/// The number with which places in main round `r` are crossed, for 2^k entrants: `CROSSING[k][r - 2]`. Round
/// 1 is not crossed.
const CROSSING: [&[u16]; 17] = [
    &[],
    &[],
    &[0],
    &[1, 0],
    &[2, 1, 0],
    &[4, 3, 1, 0],
    &[4, 4, 3, 1, 0],
    &[8, 8, 6, 3, 1, 0],
    &[29, 20, 14, 6, 3, 1, 0],
    &[64, 22, 12, 14, 6, 3, 1, 0],
    &[71, 48, 55, 28, 10, 4, 2, 1, 0],
    &[256, 160, 96, 8, 11, 6, 7, 1, 1, 0],
    &[128, 303, 112, 96, 42, 10, 14, 7, 3, 1, 0],
    &[867, 256, 85, 246, 64, 51, 20, 11, 5, 2, 1, 0],
    &[1187, 300, 907, 384, 181, 56, 27, 17, 9, 4, 2, 1, 0],
    &[7809, 3112, 1221, 128, 160, 181, 80, 16, 12, 7, 3, 1, 1, 0],
    &[9410, 2881, 1932, 1983, 192, 450, 202, 84, 52, 4, 11, 5, 3, 1, 0],
];

/// The consolation slot for the loser of match `place` (from 0) of main `round` (from 1), with 2^`k`
/// entrants.
pub(super) fn crossed(k: u32, round: u32, place: u32) -> u32 {
    let of_size = usize::try_from(k).ok().and_then(|k| CROSSING.get(k));
    let with =
        of_size.zip(round.checked_sub(2)).and_then(|(rounds, at)| rounds.get(usize::try_from(at).ok()?));
    place ^ with.map_or(0, |&with| u32::from(with))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A round of the consolation: pairs among the survivors, or a merge with the losers of a main round.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Stage {
        /// After the merge with main round `r`. Each slot stands for 2^r entrants.
        Merge(u32),
        /// After the survivors of that merge have played each other. Each slot stands for 2^(r+1) entrants.
        Internal(u32),
    }

    fn stages(k: u32) -> Vec<Stage> {
        let mut all = vec![Stage::Internal(1)];
        for round in 2..=k {
            all.push(Stage::Merge(round));
            if round < k {
                all.push(Stage::Internal(round));
            }
        }
        all
    }

    /// How many main rounds have come in by this stage, and the exponent `b` of the 2^b entrants for each
    /// slot.
    const fn reach(stage: Stage) -> (u32, u32) {
        match stage {
            Stage::Merge(round) => (round, round),
            Stage::Internal(round) => (round, round + 1),
        }
    }

    /// Whether a slot can hold the losers of two matches of which one feeds the other.
    fn rematch_possible(k: u32, stage: Stage) -> bool {
        let (rounds, b) = reach(stage);
        let slot = |round: u32, place: u32| crossed(k, round, place) >> (b - round);
        (1..=rounds).any(|early| {
            (0..1u32 << (k - early)).any(|place| {
                let here = slot(early, place);
                (early + 1..=rounds).any(|late| slot(late, place >> (late - early)) == here)
            })
        })
    }

    /// Whether the counting argument leaves room for a pattern without rematches.
    fn could_be_none(k: u32, stage: Stage) -> bool {
        let (rounds, b) = reach(stage);
        rounds << b <= 1 << k
    }

    /// Proves T2.
    #[test]
    fn rematches_come_no_earlier_than_any_pattern_allows() {
        for k in 2..=16 {
            for stage in stages(k) {
                assert_eq!(rematch_possible(k, stage), !could_be_none(k, stage), "2^{k} entrants, {stage:?}");
            }
        }
    }

    /// Proves T2.
    #[test]
    fn crossing_the_other_way_round_each_time_is_not_the_best_from_32_on() {
        // Reversed each time, the losers of rounds 2 and 3 come to the same quarter of 32.
        let reversed =
            |round: u32, place: u32| if round == 1 { place } else { (1 << (5 - round)) - 1 - place };
        let slot = |round: u32, place: u32| reversed(round, place) >> (3 - round);
        let met = (0..8).any(|early| slot(2, early) == slot(3, early / 2));
        assert!(met && !rematch_possible(5, Stage::Merge(3)));
    }

    #[test]
    fn every_pattern_is_one_to_one() {
        for k in 2..=16 {
            for round in 1..=k {
                let places = 1u32 << (k - round);
                assert!((0..places).all(|place| crossed(k, round, place) < places), "2^{k}, round {round}");
            }
        }
    }
}
