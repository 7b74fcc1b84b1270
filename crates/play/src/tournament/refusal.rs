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
    } = StillPlayed, "some matches have no result yet", instead Allowed::Match(*at);
    /// The tournament has no division of this number.
    NoDivision = NoSuchDivision at "division", "there is no such division";
    /// A limit is reached: of divisions, directors, tables, entries or last chances.
    TooMany {
        /// What there are too many of, named as in the command's fields.
        what: &'static str,
        /// The most there may be.
        most: u32,
    } = TooMany at what, "at most {most} {what} are allowed", instead Allowed::HowMany(*most);
    /// No division can be played with these settings.
    Flawed {
        flaw: Flaw,
    } = DivisionFlawed at "settings", "no division can be played with these settings: {flaw}",
        instead Allowed::Flaw(*flaw);
    /// The division is drawn, or has entries, so its format and side pools can no longer change.
    AlreadyDrawn = AlreadyDrawn, "the division is drawn already, or has entries";
    /// The division has no draw yet, and so no matches.
    NotDrawn = NotDrawn, "the division is not drawn yet";
    /// A day or a time far outside any real tournament.
    OutsideCalendar {
        /// The field of the command that has it.
        field: &'static str,
    } = OutsideCalendar at field, "days and times are from 1900-01-01 to 2200-12-31";
    /// A list is empty where it must not be, too long, or names somebody twice.
    BadList {
        /// The field of the command that has the list.
        field: &'static str,
    } = BadList at field, "the list is empty, too long, or has duplicates";
    /// The division has no entry of this number.
    NoEntry {
        entry: EntryNo,
    } = NoSuchEntry at "entry", "there is no entry {entry:?}", instead Allowed::Entry(*entry);
    /// The player has entered the division already.
    AlreadyEntered {
        player: PlayerId,
    } = AlreadyEntered at "player", "this player has entered already", instead Allowed::Player(*player);
    /// The player has not entered any division.
    NotEntered = PlayerNotEntered at "player", "this player has entered no division of the tournament";
    /// The entry has left the tournament or was disqualified, and plays no more.
    EntryOut {
        entry: EntryNo,
    } = EntryOut at "entry", "this entry is out of the tournament", instead Allowed::Entry(*entry);
    /// The entry cannot be reinstated, because it has not left.
    EntryIn {
        entry: EntryNo,
    } = EntryIn at "entry", "this entry has not left the tournament", instead Allowed::Entry(*entry);
    /// The entry still has matches to play, so it can neither re-enter nor take a last chance.
    StillIn {
        entry: EntryNo,
    } = StillIn at "entry", "this entry still has matches to play", instead Allowed::Entry(*entry);
    /// The player may not enter again: they have re-entered as often as the division allows, were
    /// disqualified, or were refunded.
    NoReEntry = NoReEntry, "this player may not re-enter the division";
    /// The division has no side pool of this number.
    NoSidePool = NoSuchSidePool at "side_pools", "there is no such side pool";
    /// A draw, or a last chance, needs at least two entries.
    TooFewEntries = TooFewEntries, "a draw needs at least two entries";
    /// The slots drawn by hand are not a first round with every entry in it once.
    BadDraw {
        /// The entry that is missing, is there twice, or does not belong. `None` if the slots themselves are
        /// wrong.
        entry: Option<EntryNo>,
    } = BadDraw at "slots", "a first round has 2, 4, 8 ... slots, every entry once, and no match of two byes",
        instead Allowed::Entry((*entry)?);
    /// The division is drawn; drawing it again takes a reason.
    NeedsReason = DrawNeedsReason at "reason", "drawing the division again needs a reason";
    /// The draw can no longer change here, because a match has begun.
    MatchBegan {
        number: MatchNo,
    } = MatchBegan, "match {number:?} has begun", instead Allowed::MatchNo(*number);
    /// Later matches that this would change have been played or have begun.
    LaterPlayed {
        /// The matches it would change.
        matches: Vec<MatchNo>,
    } = LaterMatchesPlayed, "later matches have been played", instead Allowed::MatchNos(matches.clone());
    /// The slot is not free for this entry.
    SlotTaken = SlotTaken at "slot", "the slot is not free";
    /// The entry is not on the waiting list.
    NotWaiting {
        entry: EntryNo,
    } = NotWaiting at "entry", "this entry is not waiting for a slot", instead Allowed::Entry(*entry);
    /// Keeping the fees of entries that never got a slot takes a reason.
    KeepingNeedsReason = KeepingNeedsReason at "reason",
        "keeping the fees of entries without a slot needs a reason";
    /// The draw has no match of this number.
    NoMatch = NoSuchMatch at "match", "there is no such match";
    /// The match cannot be played: its two players are not both known, or are the same person.
    NotReady = MatchNotReady at "match", "the match does not have two players yet";
    /// The match has a result, which only `correct` changes.
    HasResult = MatchHasResult, "the match has a result already";
    /// The match has no result, has only one that follows from who is left, or has this one already.
    NoResult = MatchHasNoResult, "the match has no result that this would correct";
    /// Not a possible score at this length, for the way in which the match ended.
    BadScore {
        /// The length of the match.
        length: u16,
    } = BadScore at "score",
        "only the winner of a match that was played out has {length} points, and nobody has more",
        instead Allowed::Length(*length);
    /// The entry does not play in this match.
    NotInMatch = NotThisMatch at "entry", "this entry does not play in that match";
    /// The caller saw other entries in this match, so the command was meant for another pairing.
    OthersSit {
        /// The entries in the match now.
        players: Option<[EntryNo; 2]>,
    } = OthersSit at "players", "the match is between other entries now",
        instead Allowed::Players((*players)?);
    /// Everything is already as the command would make it.
    NothingChanges = NothingChanges, "this changes nothing";
    /// The room has no table of this number.
    NoTable = NoSuchTable at "table", "there is no such table";
    /// The director has closed this table.
    TableClosed {
        table: TableNo,
    } = TableClosed at "table", "the table is closed", instead Allowed::Table(*table);
    /// Every table is in use, reserved or closed.
    NoFreeTable = NoFreeTable, "no table is free";
    /// No waiting match has both its players free.
    NobodyWaits = NobodyWaits, "no match is waiting for a table";
    /// A player of the match is called to another match, or is playing it.
    PlaysElsewhere {
        player: PlayerId,
        /// The match they are in.
        at: MatchRef,
    } = PlaysElsewhere, "one of the players is in another match", instead Allowed::Match(*at);
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
    BadAmount = BadAmount at "amount", "an amount must be above zero";
    /// The player's account is not as the caller saw it: a payment may have been recorded already.
    DebtChanged = DebtChanged at "account", "the player's account has changed since you looked at it";
    /// The awards do not add up to the pool, or go to players who did not enter.
    NotThePool {
        /// The amount to give, in minor units.
        pool: u64,
    } = NotThePool at "awards", "the awards must go to entered players and add up to the pool",
        instead Allowed::Pool(*pool);
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
