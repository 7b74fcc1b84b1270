//! Results as files state them: a check if the rules know better, a resignation if they do not.

use super::progress::{Illegal, Progress};
use super::text::Reason;
use super::{Record, index};
use crate::colour::Colour;
use crate::result::{Ended, Win};

/// What a file says of the end of a game, besides who won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stated {
    pub(super) points: Option<u32>,
    pub(super) win: Option<Win>,
    /// Whether the match ends with it.
    pub(super) the_match: bool,
}

impl From<u32> for Stated {
    fn from(points: u32) -> Self {
        Self { points: Some(points), ..Self::default() }
    }
}

/// What a stated win means. `Some` is a resignation, if the game is not over. `None` means that the game is
/// over and counts as much. `winner` is used only where it matters: in match text it depends on a column, and
/// columns are not reliable.
///
/// In a match the file may give any number of points that decides it, if the game decides it (M2): programs
/// write what the game counts, what was needed, the length of the match, or a number beyond all of these.
/// Some mean by it that the match was given up or lost on time, whatever the cube. That is read, as by GNU
/// Backgammon, as the least win that counts so much, or as the greatest if none does. For money, an undoubled
/// game may count with Jacoby or without (C9): only the next score shows which, and programs write either.
///
/// # Errors
/// [`Reason::Resigned`] if nobody can resign that many points, [`Reason::Points`] if the game counts
/// differently.
pub(super) fn resignation(
    record: &Record,
    score: [u32; 2],
    progress: &Progress,
    winner: Colour,
    stated: Stated,
) -> Result<Option<Win>, Reason> {
    let money = record.length == 0;
    let needs = |winner| u32::from(record.length).saturating_sub(score[index(winner)]);
    let Some(outcome) = progress.outcome() else {
        if progress.now().offer.is_some() {
            return Err(Illegal::OfferOpen.into());
        }
        let wins = record.variant.wins();
        let points = |win: &Win| win.multiplier() * progress.now().cube.value.get();
        let first = |fits: &dyn Fn(&Win) -> bool| wins.iter().copied().find(|win| fits(win));
        let the_match = stated.the_match && !money;
        let decides = the_match || (!money && stated.points.is_some_and(|found| found >= needs(winner)));
        let so_much = stated.points.unwrap_or(0).max(if the_match { needs(winner) } else { 0 });
        let greatest = wins.last().copied().filter(|_| decides);
        let win = match (stated.points, stated.win) {
            (Some(found), _) => first(&|win| points(win) == found),
            (None, Some(said)) => first(&|win| *win == said),
            (None, None) => first(&|_| !decides),
        };
        let win = win.or_else(|| first(&|win| decides && points(win) >= so_much)).or(greatest);
        return win.map(Some).ok_or(Reason::Resigned(so_much));
    };
    let Some(found) = stated.points else { return Ok(None) };
    let counted = outcome.points;
    let both_decide = !money && found.min(counted) >= needs(outcome.winner);
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
    let agrees = found == counted || both_decide || with_jacoby_or_without;
    if agrees { Ok(None) } else { Err(Reason::Points { found, counted }) }
}
