//! The events of a tournament. They record outcomes, not requests: the slots drawn, the matches a result
//! changed, the amounts charged. They hold ids and numbers, never names.

use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray};

use super::about::{About, Remark};
use super::bracket::{Change, EntryNo, Source};
use super::draw::Seed;
use super::money::Transfer;
use super::room::{DivisionNo, Table, TableNo};
use super::settings::DivisionSettings;
use crate::matches::score::Length;
use crate::matches::{MatchNo, Slot};
use owlbox_base::values::{AccountId, Currency, MatchId, PlayerId, Timestamp, TournamentId};

/// A slot of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SlotOfMatch {
    #[serde(rename = "match")]
    pub number: MatchNo,
    pub slot: Slot,
}

/// A drawn slot: an entry's number, 0 for a bye, `null` for a slot to be filled later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct DrawnSlot(pub Option<u32>);

impl From<DrawnSlot> for Source {
    fn from(slot: DrawnSlot) -> Self {
        match slot.0 {
            None => Self::Open,
            Some(0) => Self::Bye,
            Some(entry) => Self::Entry { entry: EntryNo(entry) },
        }
    }
}

impl DrawnSlot {
    pub const BYE: Self = Self(Some(0));

    /// The drawn form of a first-round slot; `None` if another match feeds the slot.
    #[must_use]
    pub const fn new(source: Source) -> Option<Self> {
        match source {
            Source::Entry { entry } => Some(Self(Some(entry.0))),
            Source::Bye => Some(Self(Some(0))),
            Source::Open => Some(Self(None)),
            Source::Winner { .. } | Source::Loser { .. } => None,
        }
    }
}

/// How a draw was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum DrawnBy {
    /// By lot, from a seed.
    Lot {
        /// The draw can be repeated from this number, the entries and their groups.
        seed: Seed,
        /// The entries that were kept apart, each with the number of its group. Entries without a group are
        /// left out.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        groups: Vec<(EntryNo, u32)>,
    },
    /// By hand, by the director.
    Hand {},
}

/// A new entry in a division.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Entered {
    pub player: PlayerId,
    /// The same player's previous entry; absent for a first entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<EntryNo>,
    /// The side pools joined: bit 0 is the first pool.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub side_pools: u8,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
const fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// A lot that was drawn for a slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SeatLot {
    /// The lot can be drawn again from this number and the slots.
    pub seed: Seed,
    /// The slots among which it was drawn, in order.
    pub among: Vec<SlotOfMatch>,
}

/// An entry gives up a last chance, because a correction put it back into another flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct GivenUp {
    pub entry: EntryNo,
    /// The flight of the last chance, counted from 0.
    pub flight: u8,
}

/// What a player is awarded in a division.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Awarded {
    pub player: PlayerId,
    /// The player's total from the pool and all side pools, in minor units.
    pub amount: u64,
}

/// An event of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, EnumDiscriminants)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = TournamentEvent))]
#[strum_discriminants(
    name(EventKind),
    derive(IntoStaticStr, VariantArray),
    strum(serialize_all = "snake_case")
)]
#[strum_discriminants(doc = "What kind an event is; as text, what it is stored under.")]
pub enum Event {
    /// The tournament was opened: always the first event.
    Opened {
        /// The id under which the books keep its pool.
        tournament: TournamentId,
        about: About,
    },
    /// The name, dates or other details of the tournament were changed.
    AboutChanged {
        /// All details as they are from now on.
        about: About,
    },
    /// The list of directors was changed.
    DirectorsChanged {
        /// All logins that direct it besides the club's directors.
        directors: Vec<AccountId>,
    },
    /// A division was added to the tournament.
    DivisionAdded {
        /// Divisions are numbered from 1 in the order in which they are added.
        division: DivisionNo,
        settings: Box<DivisionSettings>,
    },
    /// The settings of a division were changed.
    DivisionChanged {
        division: DivisionNo,
        /// All settings as they are from now on.
        settings: Box<DivisionSettings>,
        /// Matches that had begun or ended, with the length that they keep.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        kept: Vec<(MatchNo, Length)>,
    },
    /// The tables of the room were set.
    TablesSet {
        /// All tables of the room.
        tables: Vec<Table>,
    },
    /// Players entered a division. They take the next free entry numbers, in order.
    Entered {
        division: DivisionNo,
        /// The new entries.
        entries: Vec<Entered>,
        /// Whether the division was drawn already, so that they wait for slots.
        waiting: bool,
    },
    /// Entries were checked in, or a check-in was taken back.
    CheckedIn {
        division: DivisionNo,
        /// The entries.
        entries: Vec<EntryNo>,
        /// `false` takes the check-in back.
        here: bool,
    },
    /// The seeding list was set.
    Seeded {
        division: DivisionNo,
        /// The full list, top seed first.
        entries: Vec<EntryNo>,
    },
    /// An entry joined or left side pools.
    PoolsJoined {
        division: DivisionNo,
        entry: EntryNo,
        /// All side pools it is in from now on: bit 0 is the first pool.
        side_pools: u8,
    },
    /// The main flight was drawn.
    Drawn {
        division: DivisionNo,
        drawn: DrawnBy,
        /// Entries left out because they had not checked in. They wait for a slot.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        waiting: Vec<EntryNo>,
        /// The slots of the first round in order.
        slots: Vec<DrawnSlot>,
        /// Why it was drawn again; absent for the first draw.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<Remark>,
    },
    /// A last chance was drawn, as a flight of its own.
    LastChanceDrawn {
        division: DivisionNo,
        drawn: DrawnBy,
        /// The slots of its first round in order.
        slots: Vec<DrawnSlot>,
    },
    /// A waiting entry was given a slot, or an open slot became a bye.
    Seated {
        division: DivisionNo,
        /// The entry seated; 0 for a bye.
        entry: EntryNo,
        #[serde(rename = "match")]
        number: MatchNo,
        slot: Slot,
        /// Every match this changed, the one named included.
        changes: Vec<Change>,
        /// The lot that fell on the slot; absent if it was chosen by hand, or given to a late entry as it
        /// came.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lot: Option<SeatLot>,
    },
    /// Two drawn slots were swapped by hand.
    Exchanged {
        division: DivisionNo,
        /// Every match this changed, both swapped ones included.
        changes: Vec<Change>,
    },
    /// An entry will leave after a match.
    LeavesAfter {
        division: DivisionNo,
        entry: EntryNo,
        /// Its current match, which it still plays.
        #[serde(rename = "match")]
        number: MatchNo,
    },
    /// An entry left every flight.
    Withdrawn {
        division: DivisionNo,
        entry: EntryNo,
        how: Leaving,
        /// Every match of the bracket this changed.
        changes: Vec<Change>,
    },
    /// An entry that had left came back, or one that was leaving stays.
    Reinstated {
        division: DivisionNo,
        entry: EntryNo,
        /// Whether it waits for a slot.
        waiting: bool,
        /// Every match of the bracket this changed.
        changes: Vec<Change>,
    },
    /// One of the two players reported the result of their match.
    Reported {
        division: DivisionNo,
        #[serde(rename = "match")]
        number: MatchNo,
        /// The slot of the player who reported.
        by: Slot,
        /// The entry in that slot. The report is ignored if another entry sits there by now. If absent, it
        /// counts for the entries that sit there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entry: Option<EntryNo>,
        /// The points of the upper and the lower slot; `null` withdraws an earlier report.
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        score: Option<[u16; 2]>,
    },
    /// A match has a result.
    Resulted {
        division: DivisionNo,
        #[serde(rename = "match")]
        number: MatchNo,
        /// Every match this changed, the one named included.
        changes: Vec<Change>,
        /// Entries of this match that had announced that they would leave after it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        left: Vec<EntryNo>,
    },
    /// The result of a match was corrected.
    Corrected {
        division: DivisionNo,
        #[serde(rename = "match")]
        number: MatchNo,
        /// Every match this changed, the one named included.
        changes: Vec<Change>,
        /// Entries that have a match in another flight again and so give up their last chance: nobody plays
        /// in two flights at once.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        given_up: Vec<GivenUp>,
        /// Entries of this match that withdrew with the correction.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        left: Vec<EntryNo>,
    },
    /// A match was called to a table.
    Called {
        division: DivisionNo,
        #[serde(rename = "match")]
        number: MatchNo,
        table: TableNo,
    },
    /// A call was taken back.
    Uncalled {
        division: DivisionNo,
        #[serde(rename = "match")]
        number: MatchNo,
    },
    /// A match that was called began.
    Began {
        division: DivisionNo,
        #[serde(rename = "match")]
        number: MatchNo,
    },
    /// The call of a match was put off.
    Postponed {
        division: DivisionNo,
        #[serde(rename = "match")]
        number: MatchNo,
        /// Until when; `null` means until it is resumed.
        until: Option<Timestamp>,
    },
    /// A postponed match can be called again.
    Resumed {
        division: DivisionNo,
        #[serde(rename = "match")]
        number: MatchNo,
    },
    /// A sheet was opened for a match.
    SheetOpened {
        division: DivisionNo,
        #[serde(rename = "match")]
        number: MatchNo,
        sheet: MatchId,
    },
    /// Fees, refunds, cash or money added by the house were booked.
    Booked {
        /// The division they belong to; absent for cash.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        division: Option<DivisionNo>,
        /// The side pool they belong to, counted from 0; absent if none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side_pool: Option<u8>,
        currency: Currency,
        /// What was booked, transfer by transfer.
        transfers: Vec<Transfer>,
    },
    /// The pools of a division were awarded.
    Awarded {
        division: DivisionNo,
        /// What the house keeps in all, in minor units.
        kept: u64,
        /// The total award of each player.
        awards: Vec<Awarded>,
        currency: Currency,
        /// What moves now: only the difference from an earlier award.
        transfers: Vec<Transfer>,
    },
    /// The tournament was closed. Fees of entries that still wait for a slot stay in the pools.
    Closed {
        /// Why such fees are kept; absent if there are none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<Remark>,
    },
    /// The tournament was opened again after it had been closed.
    Reopened {},
    /// The tournament was cancelled. Divisions whose pools were awarded keep their money; from the others,
    /// everything goes back.
    Cancelled {
        reason: Remark,
        /// The currency of the transfers; absent if no money moves.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        currency: Option<Currency>,
        /// What goes back, to players and to the house.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        transfers: Vec<Transfer>,
    },
}

/// Why an entry left the division.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schema(as = EntryLeft))]
pub enum Leaving {
    /// It withdrew by itself.
    Withdrew,
    /// The director disqualified its player.
    Disqualified,
    /// Its player entered again and plays on under another number.
    EnteredAgain,
}
