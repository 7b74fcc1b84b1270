//! Why a tournament refuses a command. Codes are stable; words live with the pages' locales.

use serde::Serialize;

use super::bracket::EntryNo;
use super::room::{MatchRef, TableNo};
use super::settings::Flaw;
use crate::listed::refusals;
use crate::matches::MatchNo;
use crate::values::PlayerId;

refusals! {
    /// Why a command was refused. Nothing has changed.
    pub enum Refusal;

    /// Only `open` can come first.
    NotOpen = TournamentNotOpen, "the tournament is not open yet";
    /// `open` comes once.
    AlreadyOpen = TournamentAlreadyOpen, "the tournament has been opened already";
    /// It is over.
    Closed = TournamentClosed, "the tournament is closed";
    /// It is not over.
    NotClosed = TournamentNotClosed, "the tournament is not closed";
    /// It cannot be over while this has no result.
    StillPlayed {
        /// Which.
        at: MatchRef,
    } = StillPlayed, "matches are still to be played";
    /// There is no such division.
    NoDivision = NoSuchDivision, "there is no such division";
    /// It has as many divisions, directors, tables, entries, last chances as it may.
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        most: u32,
    } = TooMany, "no more than {most} {what}";
    /// It cannot be played so.
    Flawed {
        /// What is wrong.
        flaw: Flaw,
    } = DivisionFlawed, "a division cannot be played so: {flaw:?}";
    /// The format of a division that is drawn stays, and so do its side pools.
    AlreadyDrawn = AlreadyDrawn, "the division is drawn";
    /// Nothing is drawn yet.
    NotDrawn = NotDrawn, "the division is not drawn yet";
    /// A day or a time that no club can mean.
    OutsideCalendar {
        /// The field.
        field: &'static str,
    } = OutsideCalendar, "days and times are from 1900-01-01 to 2200-12-31";
    /// A list that must name each once, or somebody, and does not.
    BadList {
        /// The field.
        field: &'static str,
    } = BadList, "the list is empty, too long, or names one twice";
    /// There is no such entry.
    NoEntry {
        /// Which.
        entry: EntryNo,
    } = NoSuchEntry, "there is no entry {entry:?}";
    /// The player has entered.
    AlreadyEntered {
        /// Who.
        player: PlayerId,
    } = AlreadyEntered, "the player has entered already";
    /// The player has entered no division.
    NotEntered = PlayerNotEntered, "the player has entered no division of this tournament";
    /// The entry plays no more.
    EntryOut {
        /// Which.
        entry: EntryNo,
    } = EntryOut, "the entry plays no more";
    /// The entry has not left.
    EntryIn {
        /// Which.
        entry: EntryNo,
    } = EntryIn, "the entry has not left";
    /// It still plays in the main flight.
    StillIn {
        /// Which.
        entry: EntryNo,
    } = StillIn, "the entry still plays";
    /// It has entered as often as may be.
    NoReEntry = NoReEntry, "the division lets nobody enter so often";
    /// There is no such side pool.
    NoSidePool = NoSuchSidePool, "there is no such side pool";
    /// There are not two to draw.
    TooFewEntries = TooFewEntries, "a draw needs two entries";
    /// Drawn by hand, the slots are no first round of all entries.
    BadDraw {
        /// The entry that sits twice, or not at all.
        entry: Option<EntryNo>,
    } = BadDraw, "the slots are no first round: 2, 4, 8 ... of them, every entry once, no two byes together";
    /// It is drawn again only with a reason.
    NeedsReason = DrawNeedsReason, "it is drawn already: drawing again needs a reason";
    /// It is not drawn again once a match has begun.
    MatchBegan {
        /// Which.
        number: MatchNo,
    } = MatchBegan, "match {number:?} has begun";
    /// Others have played on since, and would be touched.
    LaterPlayed {
        /// The matches.
        matches: Vec<MatchNo>,
    } = LaterMatchesPlayed, "later matches have been played";
    /// That slot is not free.
    SlotTaken = SlotTaken, "the slot is not free";
    /// The entry does not wait for a slot.
    NotWaiting {
        /// Which.
        entry: EntryNo,
    } = NotWaiting, "the entry does not wait for a slot";
    /// What an entry was charged that never had a slot is kept only with a reason.
    KeepingNeedsReason = KeepingNeedsReason, "fees of those who waited in vain are kept only with a reason";
    /// There is no such match.
    NoMatch = NoSuchMatch, "there is no such match";
    /// Its players are not both known and there.
    NotReady = MatchNotReady, "not both players of the match are there";
    /// It has a result: `correct` changes it.
    HasResult = MatchHasResult, "the match has a result";
    /// It has none, or one that follows from who is there.
    NoResult = MatchHasNoResult, "the match has no result to correct";
    /// Not a score of a match of that length.
    BadScore {
        /// The length.
        length: u16,
    } = BadScore, "exactly one of the two has {length} points, and nobody more";
    /// The entry does not play that match.
    NotInMatch = NotThisMatch, "the entry does not play that match";
    /// Others sit there than were seen: what was said is of another match.
    OthersSit {
        /// Who sits there now.
        players: Option<[EntryNo; 2]>,
    } = OthersSit, "others play that match by now";
    /// It was said already.
    NothingChanges = NothingChanges, "this changes nothing";
    /// There is no such table.
    NoTable = NoSuchTable, "there is no such table";
    /// The table is closed.
    TableClosed {
        /// Which.
        table: TableNo,
    } = TableClosed, "the table is closed";
    /// No table is free.
    NoFreeTable = NoFreeTable, "no table is free";
    /// No match waits for a table whose players are free.
    NobodyWaits = NobodyWaits, "no match waits for a table";
    /// One of its players is called elsewhere, or plays.
    PlaysElsewhere {
        /// Who.
        player: PlayerId,
        /// Where.
        at: MatchRef,
    } = PlaysElsewhere, "one of the players is in another match";
    /// It was called already.
    AlreadyCalled = AlreadyCalled, "the match was called already";
    /// It was not called.
    NotCalled = NotCalled, "the match was not called";
    /// It has begun.
    Began = AlreadyBegan, "the match has begun already";
    /// It was not postponed.
    NotPostponed = NotPostponed, "the match was not postponed";
    /// It has a sheet.
    HasSheet = MatchHasSheet, "the match is scored on a sheet already";
    /// There is no currency, so there is no money.
    NoMoney = NoMoney, "the tournament has no currency";
    /// An amount of nothing, or of more than there is.
    BadAmount = BadAmount, "an amount is above zero";
    /// What is given is not what is in the pools.
    NotThePool {
        /// What there is to give.
        pool: u64,
    } = NotThePool, "the awards do not add up to the pool";
}

/// What would have been allowed, or what is in the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Allowed {
    /// This match is in the way.
    Match(MatchRef),
    /// This match of the division is in the way.
    MatchNo(MatchNo),
    /// These matches of the division are.
    MatchNos(Vec<MatchNo>),
    /// So many.
    HowMany(u32),
    /// A score of a match of this length.
    Length(u16),
    /// Settings without this flaw.
    Flaw(Flaw),
    /// This entry was named.
    Entry(EntryNo),
    /// These two sit there.
    Players([EntryNo; 2]),
    /// This player was named.
    Player(PlayerId),
    /// This table was named.
    Table(TableNo),
    /// So many minor units to give.
    Pool(u64),
}

impl Refusal {
    /// The field of the command concerned, if one is.
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
            Self::NotThePool { .. } => Some("awards"),
            Self::NotOpen
            | Self::AlreadyOpen
            | Self::Closed
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
            | Self::BadAmount => return None,
        })
    }
}
