//! Refusals of a tournament. Their codes are stable; the pages' locales have words of their own.

use serde::Serialize;

use super::bracket::EntryNo;
use super::room::{MatchRef, TableNo};
use super::settings::Flaw;
use crate::matches::MatchNo;
use owlbox_base::values::PlayerId;

owlbox_base::refusals! {
    /// Why a command was refused. A refused command changes nothing.
    pub enum Refusal;

    /// The tournament has not been opened: the first command must be `open`.
    NotOpen = TournamentNotOpen, "the tournament is not open yet";
    /// The tournament has been opened; `open` comes only once.
    AlreadyOpen = TournamentAlreadyOpen, "the tournament is open already";
    /// The tournament is closed. Until it is reopened it takes corrections and payments, but does not go on.
    Closed = TournamentClosed, "the tournament is closed";
    /// The tournament was cancelled. Only payments and changes to its details are possible.
    Cancelled = TournamentCancelled, "the tournament was cancelled";
    /// The tournament cannot be reopened, because it is not closed.
    NotClosed = TournamentNotClosed, "the tournament is not closed";
    /// The tournament cannot close, nor a pool be divided, while a match has no result.
    StillPlayed {
        /// The first match without a result.
        at: MatchRef,
    } = StillPlayed, "some matches have no result yet";
    /// The tournament has no division of this number.
    NoDivision = NoSuchDivision, "there is no such division";
    /// A limit is reached: of divisions, directors, tables, entries or last chances.
    TooMany {
        /// What there are too many of, named as in the command's fields.
        what: &'static str,
        /// The most there may be.
        most: u32,
    } = TooMany, "at most {most} {what} are allowed";
    /// No division can be played with these settings.
    Flawed {
        flaw: Flaw,
    } = DivisionFlawed, "no division can be played with these settings: {flaw}";
    /// The division is drawn, or has entries, so its format and side pools can no longer change.
    AlreadyDrawn = AlreadyDrawn, "the division is drawn already, or has entries";
    /// The division has no draw yet, and so no matches.
    NotDrawn = NotDrawn, "the division is not drawn yet";
    /// A day or a time far outside any real tournament.
    OutsideCalendar {
        /// The field of the command that has it.
        field: &'static str,
    } = OutsideCalendar, "days and times are from 1900-01-01 to 2200-12-31";
    /// A list is empty where it must not be, too long, or names somebody twice.
    BadList {
        /// The field of the command that has the list.
        field: &'static str,
    } = BadList, "the list is empty, too long, or has duplicates";
    /// The division has no entry of this number.
    NoEntry {
        entry: EntryNo,
    } = NoSuchEntry, "there is no entry {entry:?}";
    /// The player has entered the division already.
    AlreadyEntered {
        player: PlayerId,
    } = AlreadyEntered, "this player has entered already";
    /// The player has not entered any division.
    NotEntered = PlayerNotEntered, "this player has entered no division of the tournament";
    /// The entry has left the tournament or was disqualified, and plays no more.
    EntryOut {
        entry: EntryNo,
    } = EntryOut, "this entry is out of the tournament";
    /// The entry cannot be reinstated, because it has not left.
    EntryIn {
        entry: EntryNo,
    } = EntryIn, "this entry has not left the tournament";
    /// The entry still has matches to play, so it can neither re-enter nor take a last chance.
    StillIn {
        entry: EntryNo,
    } = StillIn, "this entry still has matches to play";
    /// The player may not enter again: they have re-entered as often as the division allows, were
    /// disqualified, or were refunded.
    NoReEntry = NoReEntry, "this player may not re-enter the division";
    /// The division has no side pool of this number.
    NoSidePool = NoSuchSidePool, "there is no such side pool";
    /// A draw, or a last chance, needs at least two entries.
    TooFewEntries = TooFewEntries, "a draw needs at least two entries";
    /// The slots drawn by hand are not a first round with every entry in it once.
    BadDraw {
        /// The entry that is missing, is there twice, or does not belong. `None` if the slots themselves are
        /// wrong.
        entry: Option<EntryNo>,
    } = BadDraw, "a first round has 2, 4, 8 ... slots, every entry once, and no match of two byes";
    /// The division is drawn; drawing it again takes a reason.
    NeedsReason = DrawNeedsReason, "drawing the division again needs a reason";
    /// The draw can no longer change here, because a match has begun.
    MatchBegan {
        number: MatchNo,
    } = MatchBegan, "match {number:?} has begun";
    /// Later matches that this would change have been played or have begun.
    LaterPlayed {
        /// The matches it would change.
        matches: Vec<MatchNo>,
    } = LaterMatchesPlayed, "later matches have been played";
    /// The slot is not free for this entry.
    SlotTaken = SlotTaken, "the slot is not free";
    /// The entry is not on the waiting list.
    NotWaiting {
        entry: EntryNo,
    } = NotWaiting, "this entry is not waiting for a slot";
    /// Keeping the fees of entries that never got a slot takes a reason.
    KeepingNeedsReason = KeepingNeedsReason, "keeping the fees of entries without a slot needs a reason";
    /// The draw has no match of this number.
    NoMatch = NoSuchMatch, "there is no such match";
    /// The match cannot be played: its two players are not both known, or are the same person.
    NotReady = MatchNotReady, "the match does not have two players yet";
    /// The match has a result, which only `correct` changes.
    HasResult = MatchHasResult, "the match has a result already";
    /// The match has no result, has only one that follows from who is left, or has this one already.
    NoResult = MatchHasNoResult, "the match has no result that this would correct";
    /// Not a possible score at this length, for the way in which the match ended.
    BadScore {
        /// The length of the match.
        length: u16,
    } = BadScore, "only the winner of a match that was played out has {length} points, and nobody has more";
    /// The entry does not play in this match.
    NotInMatch = NotThisMatch, "this entry does not play in that match";
    /// The caller saw other entries in this match, so the command was meant for another pairing.
    OthersSit {
        /// The entries in the match now.
        players: Option<[EntryNo; 2]>,
    } = OthersSit, "the match is between other entries now";
    /// Everything is already as the command would make it.
    NothingChanges = NothingChanges, "this changes nothing";
    /// The room has no table of this number.
    NoTable = NoSuchTable, "there is no such table";
    /// The director has closed this table.
    TableClosed {
        table: TableNo,
    } = TableClosed, "the table is closed";
    /// Every table is in use, reserved or closed.
    NoFreeTable = NoFreeTable, "no table is free";
    /// No waiting match has both its players free.
    NobodyWaits = NobodyWaits, "no match is waiting for a table";
    /// A player of the match is called to another match, or is playing it.
    PlaysElsewhere {
        player: PlayerId,
        /// The match they are in.
        at: MatchRef,
    } = PlaysElsewhere, "one of the players is in another match";
    /// The match has been called already.
    AlreadyCalled = AlreadyCalled, "the match has been called already";
    /// The match has not been called.
    NotCalled = NotCalled, "the match has not been called";
    /// The match has begun already.
    Began = AlreadyBegan, "the match has begun already";
    /// The match cannot resume, because it was not postponed.
    NotPostponed = NotPostponed, "the match was not postponed";
    /// The match already has a sheet on which it is scored.
    HasSheet = MatchHasSheet, "the match already has a score sheet";
    /// The tournament has no currency, or has one that cannot change because money is booked in it.
    NoMoney = NoMoney, "the tournament has no currency, or can no longer change it";
    /// An amount of zero, or of more than can be booked.
    BadAmount = BadAmount, "an amount must be above zero";
    /// The player's account is not as the caller saw it: a payment may have been recorded already.
    DebtChanged = DebtChanged, "the player's account has changed since it was looked at";
    /// The awards do not add up to the pool, or go to players who did not enter.
    NotThePool {
        /// The amount to give, in minor units.
        pool: u64,
    } = NotThePool, "the awards must go to entered players and add up to the pool";
}

/// What would have been allowed, or what is in the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Allowed {
    /// The match that is in the way, with its division.
    Match(MatchRef),
    /// The match of the division that is in the way.
    MatchNo(MatchNo),
    /// The matches of the division that are in the way.
    MatchNos(Vec<MatchNo>),
    /// The highest number that is allowed.
    HowMany(u32),
    /// A score at this length.
    Length(u16),
    /// Any settings of the division without this flaw.
    Flaw(Flaw),
    /// The entry that the refusal is about.
    Entry(EntryNo),
    /// The two entries in the match now.
    Players([EntryNo; 2]),
    /// The player that the refusal is about.
    Player(PlayerId),
    /// The table that the refusal is about.
    Table(TableNo),
    /// The amount to give, in minor units.
    Pool(u64),
}

impl Refusal {
    /// The field of the command that is to blame, if a single one is.
    #[must_use]
    pub const fn field(&self) -> Option<&'static str> {
        match self {
            Self::NoDivision => Some("division"),
            Self::BadList { field } | Self::OutsideCalendar { field } => Some(field),
            Self::TooMany { what, .. } => Some(what),
            Self::Flawed { .. } => Some("settings"),
            Self::NoEntry { .. }
            | Self::EntryOut { .. }
            | Self::EntryIn { .. }
            | Self::StillIn { .. }
            | Self::NotWaiting { .. }
            | Self::NotInMatch => Some("entry"),
            Self::AlreadyEntered { .. } | Self::NotEntered => Some("player"),
            Self::NoSidePool => Some("side_pools"),
            Self::BadDraw { .. } => Some("slots"),
            Self::NeedsReason | Self::KeepingNeedsReason => Some("reason"),
            Self::NoMatch | Self::NotReady => Some("match"),
            Self::OthersSit { .. } => Some("players"),
            Self::SlotTaken => Some("slot"),
            Self::BadScore { .. } => Some("score"),
            Self::NoTable | Self::TableClosed { .. } => Some("table"),
            Self::BadAmount => Some("amount"),
            Self::DebtChanged => Some("account"),
            Self::NotThePool { .. } => Some("awards"),
            Self::NotOpen
            | Self::AlreadyOpen
            | Self::Closed
            | Self::Cancelled
            | Self::NotClosed
            | Self::StillPlayed { .. }
            | Self::AlreadyDrawn
            | Self::NotDrawn
            | Self::NoReEntry
            | Self::TooFewEntries
            | Self::MatchBegan { .. }
            | Self::LaterPlayed { .. }
            | Self::HasResult
            | Self::NoResult
            | Self::NothingChanges
            | Self::NoFreeTable
            | Self::NobodyWaits
            | Self::PlaysElsewhere { .. }
            | Self::AlreadyCalled
            | Self::NotCalled
            | Self::Began
            | Self::NotPostponed
            | Self::HasSheet
            | Self::NoMoney => None,
        }
    }

    /// What would have been allowed, or what is in the way; `None` if nothing.
    #[must_use]
    pub fn allowed(&self) -> Option<Allowed> {
        Some(match self {
            Self::StillPlayed { at } | Self::PlaysElsewhere { at, .. } => Allowed::Match(*at),
            Self::TooMany { most, .. } => Allowed::HowMany(*most),
            Self::Flawed { flaw } => Allowed::Flaw(*flaw),
            Self::NoEntry { entry }
            | Self::EntryOut { entry }
            | Self::EntryIn { entry }
            | Self::StillIn { entry }
            | Self::NotWaiting { entry }
            | Self::BadDraw { entry: Some(entry) } => Allowed::Entry(*entry),
            Self::AlreadyEntered { player } => Allowed::Player(*player),
            Self::OthersSit { players } => Allowed::Players((*players)?),
            Self::MatchBegan { number } => Allowed::MatchNo(*number),
            Self::LaterPlayed { matches } => Allowed::MatchNos(matches.clone()),
            Self::BadScore { length } => Allowed::Length(*length),
            Self::TableClosed { table } => Allowed::Table(*table),
            Self::NotThePool { pool } => Allowed::Pool(*pool),
            Self::NotOpen
            | Self::AlreadyOpen
            | Self::Closed
            | Self::Cancelled
            | Self::NotClosed
            | Self::NoDivision
            | Self::AlreadyDrawn
            | Self::NotDrawn
            | Self::OutsideCalendar { .. }
            | Self::BadList { .. }
            | Self::NotEntered
            | Self::NoReEntry
            | Self::NoSidePool
            | Self::TooFewEntries
            | Self::BadDraw { entry: None }
            | Self::NeedsReason
            | Self::SlotTaken
            | Self::KeepingNeedsReason
            | Self::NoMatch
            | Self::NotReady
            | Self::HasResult
            | Self::NoResult
            | Self::NotInMatch
            | Self::NothingChanges
            | Self::NoTable
            | Self::NoFreeTable
            | Self::NobodyWaits
            | Self::AlreadyCalled
            | Self::NotCalled
            | Self::Began
            | Self::NotPostponed
            | Self::HasSheet
            | Self::NoMoney
            | Self::BadAmount
            | Self::DebtChanged => return None,
        })
    }
}
