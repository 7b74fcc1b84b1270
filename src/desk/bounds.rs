//! How far an act reaches into a stream, and how often somebody may do again what brings nothing on.
//!
//! A stream has a length (`limits.stream_length`), so that no table grows without end. Two things must hold all the same,
//! whoever has filled it:
//!
//! * What goes on can be ended, and whoever runs a game can put right what others entered: as many events again are kept
//!   for [their acts](Reaches::Reserve) of that kind, and for nothing else.
//! * Nobody fills a stream alone. What one does of one's own and can do for ever - undo and redo, adjourning and going on,
//!   stopping a clock, contesting a game, saying how a match ended - has a rate and a [share](within_own_share) of it.

use chrono::TimeDelta;
use uuid::Uuid;

use super::chouettes::room;
use super::{Often, Refused, Rule, Visit};
use crate::journal::Version;
use crate::store::journal;
use crate::values::Timestamp;

/// How far into its stream an act may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reaches {
    /// To its length: whatever goes on.
    Length,
    /// Into what is kept, as many events again: acts of those who run it by which what was entered is put right.
    Reserve,
    /// As far beyond it as a game may need: what is done on a board that is on.
    Game,
    /// Wherever it ends: what only brings to an end what is on, of which there is an end by itself.
    End,
}

impl Reaches {
    /// How long a stream of so many events may become by it.
    pub(super) fn limit(self, length: Version) -> Version {
        match self {
            Self::Length => length,
            Self::Game => length.saturating_add(room(length)),
            Self::Reserve => length.saturating_mul(2),
            Self::End => Version::MAX,
        }
    }
}

/// So many of a stream's events, of each hundred, one account's [repeatable](within_own_share) acts may be.
const SHARE: Version = 5;
/// So many such acts an account may do on one stream in a minute. Nobody who plays comes near it.
const MOST_A_MINUTE: u16 = 20;

/// Refuses an act of one's own that could be done for ever, if its account has done so many acts of these kinds on the stream
/// within a minute, or if they are its whole share of a stream that may have `length` events.
///
/// # Errors
/// `acts_too_often`, with the seconds to wait; `own_acts_used_up`; or the store failed.
pub(super) fn within_own_share(
    visit: &mut Visit<'_, '_>,
    (stream, length): (Uuid, Version),
    kinds: &[&str],
) -> Result<(), Refused> {
    within_rate(visit, (stream, 0), kinds, (Often::Acts, MOST_A_MINUTE))?;
    let (most, account) = (length * SHARE / 100, visit.authority.account);
    let connection = &mut *visit.transaction.connection;
    if journal::count_written(connection, (stream, 0), kinds, account)? < most {
        return Ok(());
    }
    Err(Refused::Rule(Rule {
        code: "own_acts_used_up",
        field: None,
        allowed: most.into(),
        detail: format!(
            "of one's own such acts a stream takes {most}: whoever runs the game goes on from here"
        ),
    }))
}

/// Refuses an act of an account that has done `most` of these kinds on the stream, after this version, within
/// the last minute.
///
/// # Errors
/// [`Refused::TooOften`], or the store failed.
pub(super) fn within_rate(
    visit: &mut Visit<'_, '_>,
    (stream, after): (Uuid, Version),
    kinds: &[&str],
    (what, most): (Often, u16),
) -> Result<(), Refused> {
    let minute = TimeDelta::minutes(1);
    let since: Timestamp = (visit.now.utc() - minute).into();
    let account = visit.authority.account;
    let connection = &mut *visit.transaction.connection;
    let newest = journal::written_since(connection, (stream, after), kinds, (account, since), most)?;
    if newest.len() < usize::from(most) {
        return Ok(());
    }
    let oldest = newest.last().map_or(visit.now, |at| *at);
    let wait = minute - (visit.now.utc() - oldest.utc());
    Err(Refused::TooOften { what, seconds: u64::try_from(wait.num_seconds()).unwrap_or(0).saturating_add(1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_events_again_are_kept_for_those_who_put_right() {
        let limits = [Reaches::Length, Reaches::Game, Reaches::Reserve, Reaches::End]
            .map(|reaches| reaches.limit(100));
        assert_eq!(limits, [100, 110, 200, Version::MAX]);
    }
}
