//! How far an act reaches into a stream, and how much of it one player may fill.
//!
//! A chouette and a sheet have a length (`limits.stream_length`), so that no stream grows without end. Two things must hold
//! all the same, whoever has filled it:
//!
//! * What goes on can be ended, and whoever runs a game can put right what others entered: as many events again are kept
//!   for [their acts](Reaches::Reserve) of that kind and for repeated contests, and each account has [so many](left_in_reserve)
//!   of its own. A first contest of a line has no bound but the number of lines.
//! * What one does of one's own, in one's own match or at one's own table, has a rate and a [share](Share) of the stream: a small
//!   one where it brings nothing on and can be done for ever, half of a sheet for the games that one enters. What is played
//!   on a board and said with a cube has no share: both players do it in turn.
//!
//! A preview refuses what the act would.

use chrono::TimeDelta;
use uuid::Uuid;

use super::chouettes::room;
use super::surroundings::Surroundings;
use super::{Allowed, Often, Refused, Rule};
use owlbox_domain::code::Code;
use owlbox_domain::journal::{ActKind, EventKind, Version};
use owlbox_domain::values::{AccountId, Timestamp};
use owlbox_store::{AnyConnection, journal};

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

/// Kinds of what stands in the log of a stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kinds<K> {
    /// Which of the stream's own.
    pub are: fn(K) -> bool,
    /// Whether undo and redo are among them.
    pub history: bool,
}

impl<K: EventKind> Kinds<K> {
    /// What they are stored under.
    fn names(self) -> Vec<&'static str> {
        let own = K::VARIANTS.iter().copied().filter(|kind| (self.are)(*kind)).map(Into::into);
        let history = [journal::UNDONE, journal::REDONE].into_iter().filter(|_| self.history);
        own.chain(history).collect()
    }
}

/// What one account's acts of some kinds may be of a stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share<K> {
    /// The kinds of their events.
    kinds: Kinds<K>,
    /// So many of each hundred events that the stream may have.
    percent: Version,
    /// So many acts within a minute.
    a_minute: u16,
}

impl<K: EventKind> Share<K> {
    /// Of what brings nothing on and could be done for ever. Nobody who plays comes near it.
    pub(super) const fn repeated(are: fn(K) -> bool) -> Self {
        Self { kinds: Kinds { are, history: true }, percent: 5, a_minute: 20 }
    }

    /// Of results that one of the two enters: at the default length more than the games that a sheet may have.
    pub(super) const fn entered(are: fn(K) -> bool) -> Self {
        Self { kinds: Kinds { are, history: false }, percent: 50, a_minute: 60 }
    }

    /// Whether events of this kind are among them.
    pub(super) fn counts(self, kind: K) -> bool {
        (self.kinds.are)(kind)
    }

    /// How many events that is of a stream that may have `length`.
    const fn most(self, length: Version) -> Version {
        length * self.percent / 100
    }

    /// How many of its events an act adds.
    pub(super) fn added_by<E>(self, kind: &ActKind<E>) -> Version
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

/// One account's own acts on one stream, to be counted there.
pub(super) struct OwnActs<'a> {
    pub connection: &'a mut AnyConnection,
    pub account: AccountId,
    pub stream: Uuid,
    /// Only events after this version count.
    pub after: Version,
    /// The moment of the act that is asked for.
    pub now: Timestamp,
}

/// Refuses an act of one's own that adds so many events of a [share's](Share) kinds to a stream, if its account has done so many acts
/// of these kinds there within a minute, or if with them it has more than its share. So many as `excused` do not count.
///
/// # Errors
/// `acts_too_often`, with the seconds to wait; `own_acts_used_up`; or the store failed.
pub(super) fn within_own_share<K: EventKind>(
    around: &mut impl Surroundings,
    stream: Uuid,
    account: AccountId,
    share: Share<K>,
    adds: Version,
    excused: Version,
) -> Result<(), Refused> {
    let (now, most) = (around.now(), share.most(around.limit()));
    let mut acts = OwnActs { connection: around.connection(), account, stream, after: 0, now };
    within_rate(&mut acts, share.kinds, share.a_minute, Often::Acts)?;
    let written = written(&mut acts, share.kinds)?;
    let counted = (written - excused).max(0);
    if counted.saturating_add(adds) <= most { Ok(()) } else { Err(used_up(most)) }
}

/// One's own acts of some kind have come to all that they may be of a stream. That comes back by no waiting.
pub(super) fn used_up(most: Version) -> Refused {
    Refused::Rule(Rule {
        code: Code::OwnActsUsedUp,
        field: None,
        allowed: Some(Allowed::HowMany(most)),
        detail: format!(
            "of one's own such acts a stream takes {most}: whoever runs the game goes on from here"
        ),
    })
}

/// Refuses another act if `most` of these kinds were written within the last minute.
///
/// # Errors
/// [`Refused::TooOften`], or the store failed.
pub(super) fn within_rate<K: EventKind>(
    acts: &mut OwnActs<'_>,
    kinds: Kinds<K>,
    most: u16,
    what: Often,
) -> Result<(), Refused> {
    let minute = TimeDelta::minutes(1);
    let since: Timestamp = (acts.now.utc() - minute).into();
    let newest = journal::written_since(
        acts.connection,
        (acts.stream, acts.after),
        &kinds.names(),
        (acts.account, since),
        most,
    )?;
    if newest.len() < usize::from(most) {
        return Ok(());
    }
    let oldest = newest.last().map_or(acts.now, |at| *at);
    let wait = minute - (acts.now.utc() - oldest.utc());
    Err(Refused::TooOften { what, seconds: u64::try_from(wait.num_seconds()).unwrap_or(0).saturating_add(1) })
}

/// How many events of these kinds there are.
///
/// # Errors
/// The store failed.
pub(super) fn written<K: EventKind>(acts: &mut OwnActs<'_>, kinds: Kinds<K>) -> Result<i64, Refused> {
    let (stream, after, account) = (acts.stream, acts.after, acts.account);
    Ok(journal::count_written(acts.connection, (stream, after), &kinds.names(), account)?)
}

/// How many events an account may still write into what is kept beyond the length of a stream at `version`. Counted by what
/// it has written there itself, of these kinds, and not by where the stream ends: nobody else can use it up.
///
/// # Errors
/// The store failed.
pub(super) fn left_in_reserve<K: EventKind>(
    around: &mut impl Surroundings,
    stream: Uuid,
    version: Version,
    account: AccountId,
    kinds: Kinds<K>,
) -> Result<Version, Refused> {
    let length = around.limit();
    if version <= length {
        return Ok(0);
    }
    let spent = journal::count_written(around.connection(), (stream, length), &kinds.names(), account)?;
    Ok((length - spent).max(0))
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
