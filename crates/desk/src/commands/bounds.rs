//! Limits on the length of a stream, and on the part of it one player may fill.
//!
//! Chouettes and sheets have a maximum length (`limits.stream_length`), so that no stream grows forever. Two
//! things must hold even in a full stream:
//!
//! * Whatever is in progress can be ended, and anyone who runs a game can correct the entries of others. So a
//!   [reserve](LengthAllowance::Reserve) of the same length is kept for corrections and repeated contests,
//!   and each account has [its own part](left_in_reserve) of it. First contests of a line are limited only by
//!   the number of lines.
//! * A player's own acts, in their own match or at their own table, have a rate limit and a [share](ActQuota)
//!   of the stream: a small one for acts that advance nothing and can be repeated forever, half of the sheet
//!   for the games they enter. Moves and cube actions have no share, because both players take turns.
//!
//! A preview refuses what the act itself would refuse.

use chrono::TimeDelta;
use uuid::Uuid;

use crate::commands::plan_context::PlanContext;
use crate::{Allowed, RateLimited, Refused, Rule};
use owlbox_base::code::Code;
use owlbox_base::journal::{ActKind, EventKind, Version};
use owlbox_base::values::{AccountId, Timestamp};
use owlbox_store::{AnyConnection, journal};

/// How far into its stream an act may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LengthAllowance {
    /// Up to the maximum length: ordinary acts.
    Length,
    /// Into the reserve beyond it, which has the same length again: corrections by those who run the game.
    Reserve,
    /// As far beyond it as one game may need: acts on the board of a game in progress.
    Game,
    /// Without limit: acts that only end what is in progress, and so run out by themselves.
    End,
}

impl LengthAllowance {
    /// The maximum length of the stream for such an act, if its ordinary maximum is `length`.
    pub(crate) fn limit(self, length: Version) -> Version {
        match self {
            Self::Length => length,
            Self::Game => length.saturating_add(room(length)),
            Self::Reserve => length.saturating_mul(2),
            Self::End => Version::MAX,
        }
    }
}

/// The room one game may need: more events than any game ever recorded move by move.
const ROOM_FOR_A_GAME: Version = 300;

/// The room kept for a game in a stream of this maximum length; a tenth of it where streams are kept very
/// short.
fn room(length_limit: Version) -> Version {
    ROOM_FOR_A_GAME.min(length_limit / 10)
}

/// Whether a stream at `version` has room for another game.
pub(crate) fn room_for_a_game(version: Version, length_limit: Version) -> bool {
    version <= length_limit - room(length_limit)
}

/// A choice of event kinds in the log of a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KindFilter<K> {
    /// Chooses among the stream's own kinds.
    pub are: fn(K) -> bool,
    /// Whether undo and redo belong to it too.
    pub history: bool,
}

impl<K: EventKind> KindFilter<K> {
    /// The names they are stored under.
    fn names(self) -> Vec<&'static str> {
        let own = K::VARIANTS.iter().copied().filter(|kind| (self.are)(*kind)).map(Into::into);
        let history = [journal::UNDONE, journal::REDONE].into_iter().filter(|_| self.history);
        own.chain(history).collect()
    }
}

/// A limit on one account's acts of certain kinds: their share of the stream, and their rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActQuota<K> {
    /// The event kinds that count.
    kinds: KindFilter<K>,
    /// The share in percent of the stream's maximum length.
    percent: Version,
    /// How many acts are allowed within a minute.
    a_minute: u16,
}

impl<K: EventKind> ActQuota<K> {
    /// For acts that advance nothing and could be repeated forever. No real player comes near it.
    pub(crate) const fn repeated(are: fn(K) -> bool) -> Self {
        Self { kinds: KindFilter { are, history: true }, percent: 5, a_minute: 20 }
    }

    /// For results entered by one of the two players. At the default length it is more than the games a sheet
    /// may have.
    pub(crate) const fn entered(are: fn(K) -> bool) -> Self {
        Self { kinds: KindFilter { are, history: false }, percent: 50, a_minute: 60 }
    }

    /// Whether events of this kind count.
    pub(crate) fn counts(self, kind: K) -> bool {
        (self.kinds.are)(kind)
    }

    /// The share in events, for a stream of this maximum length.
    const fn most(self, length: Version) -> Version {
        length * self.percent / 100
    }

    /// The number of counted events that an act adds.
    pub(crate) fn added_by<E>(self, kind: &ActKind<E>) -> Version
    where
        for<'e> K: From<&'e E>,
    {
        match kind {
            ActKind::Events(events) => {
                let counted = events.iter().filter(|event| (self.kinds.are)(K::from(event))).count();
                Version::try_from(counted).unwrap_or(Version::MAX)
            }
            ActKind::Undo(_) | ActKind::Redo(_) => kind.versions(),
        }
    }
}

/// One account's acts on one stream, to be counted.
pub(crate) struct OwnActs<'a> {
    pub connection: &'a mut AnyConnection,
    pub account: AccountId,
    pub stream: Uuid,
    /// Only events after this version count.
    pub after: Version,
    /// The time of the act being checked.
    pub now: Timestamp,
}

/// Refuses a player's own act if its account has reached the rate limit on this stream, or would exceed its
/// [share](ActQuota). `adds` is the number of counted events in the act; `excused` events already written do
/// not count.
///
/// # Errors
/// `acts_too_often`, with the seconds to wait; `own_acts_used_up`; or the store failed.
pub(crate) fn within_own_share<K: EventKind>(
    around: &mut impl PlanContext,
    stream: Uuid,
    account: AccountId,
    quota: ActQuota<K>,
    adds: Version,
    excused: Version,
) -> Result<(), Refused> {
    let (now, most) = (around.now(), quota.most(around.limit()));
    let mut acts = OwnActs { connection: around.connection()?, account, stream, after: 0, now };
    within_rate(&mut acts, quota.kinds, quota.a_minute, RateLimited::Acts)?;
    let written = written(&mut acts, quota.kinds)?;
    let counted = (written - excused).max(0);
    if counted.saturating_add(adds) <= most { Ok(()) } else { Err(used_up(most)) }
}

/// The account has used up its share of the stream. Waiting does not help.
pub(crate) fn used_up(most: Version) -> Refused {
    Refused::Rule(Rule {
        code: Code::OwnActsUsedUp,
        field: None,
        allowed: Some(Allowed::HowMany(most)),
        detail: format!(
            "a player may add at most {most} such events: whoever runs the game has to go on from here"
        ),
    })
}

/// Refuses another act if the account wrote `most` events of these kinds within the last minute.
///
/// # Errors
/// [`Refused::TooOften`], or the store failed.
pub(crate) fn within_rate<K: EventKind>(
    acts: &mut OwnActs<'_>,
    kinds: KindFilter<K>,
    most: u16,
    what: RateLimited,
) -> Result<(), Refused> {
    let minute = TimeDelta::minutes(1);
    let since: Timestamp = (acts.now.utc() - minute).into();
    let newest = journal::act_times_since(
        acts.connection,
        acts.stream,
        acts.after,
        &kinds.names(),
        acts.account,
        since,
        most,
    )?;
    if newest.len() < usize::from(most) {
        return Ok(());
    }
    let oldest = newest.last().map_or(acts.now, |at| *at);
    let wait = minute - (acts.now.utc() - oldest.utc());
    Err(Refused::TooOften { what, seconds: u64::try_from(wait.num_seconds()).unwrap_or(0).saturating_add(1) })
}

/// The number of events of these kinds that the account has written.
///
/// # Errors
/// The store failed.
pub(crate) fn written<K: EventKind>(acts: &mut OwnActs<'_>, kinds: KindFilter<K>) -> Result<i64, Refused> {
    let (stream, after, account) = (acts.stream, acts.after, acts.account);
    Ok(journal::count_written(acts.connection, stream, after, &kinds.names(), account)?)
}

/// How many events the account may still write into the reserve of a stream that is at `version`; zero while
/// the stream has not reached its length. Only the account's own events there count, so nobody else can use
/// up its part.
///
/// # Errors
/// The store failed.
pub(crate) fn left_in_reserve<K: EventKind>(
    around: &mut impl PlanContext,
    stream: Uuid,
    version: Version,
    account: AccountId,
    kinds: KindFilter<K>,
) -> Result<Version, Refused> {
    let length = around.limit();
    if version <= length {
        return Ok(0);
    }
    let spent = journal::count_written(around.connection()?, stream, length, &kinds.names(), account)?;
    Ok((length - spent).max(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_events_again_are_kept_for_those_who_put_right() {
        let limits =
            [LengthAllowance::Length, LengthAllowance::Game, LengthAllowance::Reserve, LengthAllowance::End]
                .map(|reaches| reaches.limit(100));
        assert_eq!(limits, [100, 110, 200, Version::MAX]);
    }
}
