//! Results as files state them: a check if the rules know better, a resignation if they do not.

use super::progress::{Illegal, Progress};
use super::text::Reason;
use super::{Record, index};
use crate::colour::Colour;
use crate::result::{Ended, Win};

/// What a stated win of `found` points means. `Some` is a resignation, if the game is not over. `None` means
/// that the game is over and counts as much. `winner` is used only where it matters: in match text it depends
/// on a column, and columns are not reliable.
///
/// In a match the file may give no more points than are needed (M2). For money, an undoubled game may count
/// with Jacoby or without (C9): only the next score shows which, and programs write either.
///
/// # Errors
/// [`Reason::Resigned`] if nobody can resign that many points, [`Reason::Points`] if the game counts
/// differently.
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
