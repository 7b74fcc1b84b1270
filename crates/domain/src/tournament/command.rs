//! What can be asked of a tournament.

use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray};

use super::about::{About, Line};
use super::bracket::{EntryNo, Later};
use super::event::{Awarded, DrawnSlot};
use super::room::{DivisionNo, Table, TableNo};
use super::settings::{Fee, Settings};
use crate::listed::by_name;
use crate::matches::{MatchNo, Outcome, Slot};
use crate::permissions::{self, Needs, Permission};
use crate::values::{AccountId, MatchId, PlayerId, Timestamp, TournamentId};

/// Somebody enters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewEntry {
    /// Who.
    pub player: PlayerId,
    /// The side pools joined, counted from 0.
    #[serde(default)]
    pub side_pools: Vec<u8>,
}

/// How a main flight is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum DrawBy {
    /// By lot, from a seed that the service draws; seeded entries, byes and those to be kept apart as the division says.
    Lot {},
    /// By hand: 2, 4, 8 ... slots, of every entry once, of byes, and of slots left open.
    Hand {
        /// The slots in order: the number of an entry, 0 for a bye, `null` where somebody is still to be named.
        slots: Vec<DrawnSlot>,
    },
}

impl Default for DrawBy {
    fn default() -> Self {
        Self::Lot {}
    }
}

/// A slot of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = SlotOfMatch))]
pub struct SlotOfMatch {
    /// The match.
    #[serde(rename = "match")]
    pub number: MatchNo,
    /// The slot.
    pub slot: Slot,
}

/// An entry of a division that waits for a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct WaitingEntry {
    /// The division.
    #[serde(default)]
    pub division: DivisionNo,
    /// Which entry.
    pub entry: EntryNo,
}

/// When somebody leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// Now: the match that is on is lost.
    #[default]
    Now,
    /// After the match that is on, or comes next.
    AfterMatch,
}

/// How a match ended, as somebody says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "ending", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = MatchEnded))]
pub enum Ended {
    /// It was played to its end.
    Played {
        /// The points of the upper and the lower slot: exactly one has the match's length.
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        score: [u16; 2],
    },
    /// One gave it up while it was played.
    Conceded {
        /// Who won.
        winner: Slot,
        /// The points at that moment.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        score: Option<[u16; 2]>,
    },
    /// One did not come: the other walks over.
    Walkover {
        /// Who came.
        winner: Slot,
    },
    /// One loses it by ruling: too late, out of time.
    Forfeit {
        /// Who won.
        winner: Slot,
        /// The points at that moment.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        score: Option<[u16; 2]>,
    },
    /// Neither came: nobody advances.
    DoubleForfeit {},
}

/// A command to a tournament. Where a division is not named it is the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, EnumDiscriminants)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = TournamentCommand))]
#[strum_discriminants(
    name(CommandKind),
    derive(IntoStaticStr, VariantArray, PartialOrd, Ord),
    strum(serialize_all = "snake_case")
)]
#[strum_discriminants(doc = "What kind a command is; as text, its name.")]
pub enum Command {
    /// Opens it.
    Open {
        /// Its id, made by the service.
        #[serde(default, skip)]
        #[cfg_attr(feature = "schema", schema(ignore))]
        tournament: TournamentId,
        /// What it is.
        about: About,
    },
    /// Changes what it is.
    Change {
        /// What it is from now on.
        about: About,
    },
    /// Says which logins direct it besides the club's directors: at most 20.
    SetDirectors {
        /// All of them.
        directors: Vec<AccountId>,
    },
    /// Adds a division: at most 16.
    AddDivision {
        /// How it is played.
        settings: Box<Settings>,
    },
    /// Changes how a division is played. Once it is drawn its format stays.
    ChangeDivision {
        /// Which.
        #[serde(default)]
        division: DivisionNo,
        /// How it is played from now on.
        settings: Box<Settings>,
    },
    /// Says which tables there are, and what each is for: at most 2,000.
    SetTables {
        /// All of them.
        tables: Vec<Table>,
    },

    // Entries.
    /// Players enter: at most 65,536 a division. Once it is drawn they take free byes, by lot, or wait.
    Enter {
        /// Which.
        #[serde(default)]
        division: DivisionNo,
        /// Who: 1 to 65,536.
        entries: Vec<NewEntry>,
    },
    /// A player who is out enters again.
    ReEnter {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// The entry that is out in the main flight: its other slots are given up once the new one has a slot.
        entry: EntryNo,
    },
    /// Entries are seen in the room, or not after all.
    CheckIn {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// Which.
        entries: Vec<EntryNo>,
        /// Whether they are there.
        #[serde(default = "yes")]
        here: bool,
    },
    /// Says the seeding list. What is drawn stays as it is.
    Seed {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// The list, the first first.
        entries: Vec<EntryNo>,
    },
    /// Joins side pools, or leaves them; before the draw.
    JoinPools {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// Which entry.
        entry: EntryNo,
        /// All that it is in from now on, counted from 0.
        side_pools: Vec<u8>,
    },
    /// An entry leaves, everywhere at once. Before the draw it gets back what it was charged.
    Withdraw {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// Which.
        entry: EntryNo,
        /// When.
        #[serde(default)]
        when: When,
    },
    /// An entry is disqualified, everywhere at once.
    Disqualify {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// Which.
        entry: EntryNo,
    },
    /// An entry that left is back, as far as nobody has played on because it left.
    Reinstate {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// Which.
        entry: EntryNo,
    },

    // The draw.
    /// Draws the main flight. Again only with a reason, and before any match of it has begun.
    Draw {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// How.
        #[serde(default, deserialize_with = "by_name")]
        method: DrawBy,
        /// Only those who have checked in: others wait.
        #[serde(default)]
        only_checked_in: bool,
        /// Why it is drawn again.
        #[serde(default)]
        reason: Option<Line>,
        /// Who belongs together, filled in by the service.
        #[serde(default, skip)]
        #[cfg_attr(feature = "schema", schema(ignore))]
        groups: Vec<(EntryNo, u32)>,
    },
    /// Draws a last chance among entries that play nowhere any more: at most 8 a division.
    DrawLastChance {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// Who.
        entries: Vec<EntryNo>,
    },
    /// Gives an entry that waits a slot by hand: a bye, an open one, or that of somebody who has left. Entry 0 makes an open
    /// slot a bye: nobody has come for it.
    Seat {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// Which entry; 0 for a bye.
        entry: EntryNo,
        /// The match.
        #[serde(rename = "match")]
        number: MatchNo,
        /// The slot.
        slot: Slot,
    },
    /// Exchanges two drawn slots by hand, of matches that have not begun.
    Exchange {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// One.
        one: SlotOfMatch,
        /// The other.
        other: SlotOfMatch,
    },

    // Results.
    /// One of the two says how their match ended. Once both say the same it is the result.
    Report {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// The match.
        #[serde(rename = "match")]
        number: MatchNo,
        /// Who says it.
        entry: EntryNo,
        /// The points of the upper and the lower slot; `null` takes back what was said.
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        score: Option<[u16; 2]>,
        /// Who was seen in the upper and the lower slot: refused if others sit there by now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        players: Option<[EntryNo; 2]>,
    },
    /// Says the result of a match.
    Result {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// The match.
        #[serde(rename = "match")]
        number: MatchNo,
        /// How it ended.
        #[serde(deserialize_with = "by_name")]
        ended: Ended,
        /// Who was seen in the upper and the lower slot: refused if others sit there by now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        players: Option<[EntryNo; 2]>,
    },
    /// What the sheet of a match has come to; the service says it, nobody else.
    #[serde(skip)]
    #[cfg_attr(feature = "schema", schema(ignore))]
    Record {
        /// The division.
        division: DivisionNo,
        /// The match.
        number: MatchNo,
        /// How it ended.
        outcome: Outcome,
    },
    /// Corrects the result of a match, whatever has come of it since.
    Correct {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// The match.
        #[serde(rename = "match")]
        number: MatchNo,
        /// How it ended; `null` if it has no result yet after all.
        #[serde(default, deserialize_with = "by_name")]
        ended: Option<Ended>,
        /// What becomes of later results where others sit now.
        later: Later,
    },

    // The room.
    /// Calls a match to a table: the one named, or the lowest that is free.
    Call {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// The match.
        #[serde(rename = "match")]
        number: MatchNo,
        /// The table.
        #[serde(default)]
        table: Option<TableNo>,
    },
    /// Calls those who have waited longest to the free tables: so many matches at most.
    CallNext {
        /// How many: 1 to 1,000.
        #[serde(default = "one")]
        #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 1000))]
        matches: u16,
    },
    /// Takes a call back.
    Uncall {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// The match.
        #[serde(rename = "match")]
        number: MatchNo,
    },
    /// Says that a match that was called has begun.
    Begin {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// The match.
        #[serde(rename = "match")]
        number: MatchNo,
    },
    /// A match is to be called later.
    Postpone {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// The match.
        #[serde(rename = "match")]
        number: MatchNo,
        /// Until when; without it until it is resumed.
        #[serde(default)]
        until: Option<Timestamp>,
    },
    /// A match that was postponed can be called again.
    Resume {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// The match.
        #[serde(rename = "match")]
        number: MatchNo,
    },
    /// Opens a sheet on which a match is scored game by game.
    OpenSheet {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// The match.
        #[serde(rename = "match")]
        number: MatchNo,
        /// The sheet, made by the service.
        #[serde(default, skip)]
        #[cfg_attr(feature = "schema", schema(ignore))]
        sheet: Option<MatchId>,
    },

    // Money.
    /// A player has paid cash.
    PayIn {
        /// Who.
        player: PlayerId,
        /// How much, above zero.
        amount: Fee,
    },
    /// A player was handed cash.
    PayOut {
        /// Who.
        player: PlayerId,
        /// How much, above zero.
        amount: Fee,
    },
    /// The house adds money to a division's pool.
    AddMoney {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// How much, above zero.
        amount: Fee,
    },
    /// Gives the pools of a division to those who have won them: as the schedule says, or otherwise; again after a correction.
    Award {
        /// The division.
        #[serde(default)]
        division: DivisionNo,
        /// Who gets how much of all pools together, if it is not what the schedule says: all of it must be given.
        #[serde(default)]
        awards: Option<Vec<Awarded>>,
    },
    /// It is over: nothing but corrections and payments come after it. Who still waits for a slot has back what he was charged.
    Close {
        /// The waiting entries whose fees are kept all the same.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        keep: Vec<WaitingEntry>,
        /// Why they are kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<Line>,
    },
    /// It is not over after all.
    Reopen {},
}

impl permissions::CommandKind for CommandKind {
    const HISTORY: Needs = Needs::or_for_oneself(Permission::RunTournaments, Permission::RunMatch);
    const OF_SERVICE: &'static [Self] = &[Self::Record];

    fn needs(self) -> Needs {
        match self {
            Self::Enter | Self::Report => Needs::or_for_oneself(Permission::RunMatch, Permission::ActForSelf),
            Self::CheckIn
            | Self::Result
            | Self::Record
            | Self::Call
            | Self::CallNext
            | Self::Uncall
            | Self::Begin
            | Self::Postpone
            | Self::Resume
            | Self::OpenSheet => Needs::only(Permission::RunMatch),
            Self::PayIn | Self::PayOut => Needs::only(Permission::RecordPayments),
            Self::Open
            | Self::Change
            | Self::SetDirectors
            | Self::AddDivision
            | Self::ChangeDivision
            | Self::SetTables
            | Self::ReEnter
            | Self::Seed
            | Self::JoinPools
            | Self::Withdraw
            | Self::Disqualify
            | Self::Reinstate
            | Self::Draw
            | Self::DrawLastChance
            | Self::Seat
            | Self::Exchange
            | Self::Correct
            | Self::AddMoney
            | Self::Award
            | Self::Close
            | Self::Reopen => Needs::only(Permission::RunTournaments),
        }
    }
}

const fn yes() -> bool {
    true
}

const fn one() -> u16 {
    1
}
