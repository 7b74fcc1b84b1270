//! Results as files state them: a check where the rules know better, a resignation where they do not.

use super::progress::{Illegal, Progress};
use super::text::Reason;
use super::{Record, index};
use crate::colour::Colour;
use crate::result::{Ended, Win};

/// What it means that somebody won `found` points: `Some` resignation if the game is not over, and `None` if
/// it is and counts as much. `winner` is looked at only where it matters: match text has it in a column, and
/// those cannot be relied upon.
///
/// A match may write no more points than it needs (M2), and money play what an undoubled game counts with
/// Jacoby or without (C9): which of them holds, only the next score tells, and programs write the one where
/// the other counts.
///
/// # Errors
/// [`Reason::Resigned`], [`Reason::Points`].
pub(super) fn resignation(
    record: &Record,
    score: [u32; 2],
    progress: &Progress,
    winner: Colour,
    found: u32,
) -> Result<Option<Win>, Reason> {
    let money = record.length == 0;
    let needs = |winner| u32::from(record.length).saturating_sub(score[index(winner)]);
    let Some(outcome) = progress.outcome() else {
        if progress.now().offer.is_some() {
            return Err(Illegal::OfferOpen.into());
        }
        let stake = progress.now().cube.value.get();
        let fits = |win: &Win| {
            let points = win.multiplier() * stake;
            points == found || (!money && points > found && found == needs(winner))
        };
        return record.variant.wins().iter().copied().find(fits).map(Some).ok_or(Reason::Resigned(found));
    };
    let counted = outcome.points;
    let capped = !money && found == counted.min(needs(outcome.winner));
    let with_jacoby_or_without = match outcome.ended {
        Ended::BorneOff { win } | Ended::Resigned { win } if money && !progress.now().cube.is_turned() => {
            let stake = outcome.stake.get();
            found == stake || found == stake * win.multiplier()
        }
        Ended::BorneOff { .. }
        | Ended::Resigned { .. }
        | Ended::Dropped { .. }
        | Ended::MotherPinned { .. } => false,
    };
    let agrees = found == counted || capped || with_jacoby_or_without;
    if agrees { Ok(None) } else { Err(Reason::Points { found, counted }) }
}
