//! What can have happened to a tournament. Events record outcomes: who was drawn where, what a result moved, what was
//! charged. They hold ids and numbers, never names.

use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray};

use super::about::{About, Line};
use super::bracket::{Change, EntryNo, Source};
use super::draw::Seed;
use super::money::Transfer;
use super::room::{DivisionNo, Table, TableNo};
use super::settings::Settings;
use crate::matches::score::Length;
use crate::matches::{MatchNo, Slot};
use crate::values::{AccountId, Currency, MatchId, PlayerId, Timestamp, TournamentId};

/// A slot as it was drawn: the number of an entry, 0 for a bye, `null` where somebody is still to be named.
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

    /// A slot of a first round; `None` of one that another match fills.
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

/// How a draw came about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum DrawnBy {
    /// By lot from a seed.
    Lot {
        /// The seed.
        seed: Seed,
        /// Those who were drawn apart, by the number of their group: every entry that is in one.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        groups: Vec<(EntryNo, u32)>,
    },
    /// By hand.
    Hand {},
}

/// Somebody enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Entered {
    /// Who.
    pub player: PlayerId,
    /// The entry of the same player that came before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<EntryNo>,
    /// The side pools joined, a bit each.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub side_pools: u8,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
const fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// An entry plays a last chance no more, because a correction brought it back to another flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct GivenUp {
    /// Which entry.
    pub entry: EntryNo,
    /// The flight that is the last chance, counted from 0.
    pub flight: u8,
}

/// What the house and the players have done with a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Awarded {
    /// Who.
    pub player: PlayerId,
    /// What he has now of the pool and all side pools together, in minor units.
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
    /// It was opened.
    Opened {
        /// Its id, by which its pool goes in the books.
        tournament: TournamentId,
        /// What it is.
        about: About,
    },
    /// What it is was changed.
    AboutChanged {
        /// What it is now.
        about: About,
    },
    /// A login directs it too, or no longer.
    DirectorsChanged {
        /// Everybody who directs it besides the club's directors.
        directors: Vec<AccountId>,
    },
    /// A division was added.
    DivisionAdded {
        /// Which.
        division: DivisionNo,
        /// How it is played.
        settings: Box<Settings>,
    },
    /// A division is played otherwise.
    DivisionChanged {
        /// Which.
        division: DivisionNo,
        /// How it is played now.
        settings: Box<Settings>,
        /// Matches that had begun, or ended, and keep the length that they had.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        kept: Vec<(MatchNo, Length)>,
    },
    /// The tables of the room were said.
    TablesSet {
        /// All of them.
        tables: Vec<Table>,
    },
    /// Players entered a division; they have the next numbers.
    Entered {
        /// Which.
        division: DivisionNo,
        /// Those who entered.
        entries: Vec<Entered>,
        /// Whether the draw was over, and they wait for slots.
        waiting: bool,
    },
    /// Entries were seen in the room, or not after all.
    CheckedIn {
        /// The division.
        division: DivisionNo,
        /// Which.
        entries: Vec<EntryNo>,
        /// Whether they are there.
        here: bool,
    },
    /// The seeding list was said.
    Seeded {
        /// The division.
        division: DivisionNo,
        /// The list, the first first.
        entries: Vec<EntryNo>,
    },
    /// An entry joined side pools, or left them.
    PoolsJoined {
        /// The division.
        division: DivisionNo,
        /// Which entry.
        entry: EntryNo,
        /// The pools that it is in now, a bit each.
        side_pools: u8,
    },
    /// The main flight was drawn.
    Drawn {
        /// The division.
        division: DivisionNo,
        /// How.
        drawn: DrawnBy,
        /// Who was not drawn and waits: had not checked in.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        waiting: Vec<EntryNo>,
        /// The slots of the first round in order.
        slots: Vec<DrawnSlot>,
        /// Why it was drawn again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<Line>,
    },
    /// A last chance was drawn afresh.
    LastChanceDrawn {
        /// The division.
        division: DivisionNo,
        /// How.
        drawn: DrawnBy,
        /// The slots of its first round in order.
        slots: Vec<DrawnSlot>,
    },
    /// An entry that waited has a slot, or an open slot is a bye.
    Seated {
        /// The division.
        division: DivisionNo,
        /// Which; 0 for a bye.
        entry: EntryNo,
        /// In which match.
        #[serde(rename = "match")]
        number: MatchNo,
        /// In which slot.
        slot: Slot,
        /// What it moved, this match among it.
        changes: Vec<Change>,
    },
    /// Two slots were exchanged by hand.
    Exchanged {
        /// The division.
        division: DivisionNo,
        /// What it moved, both matches among it.
        changes: Vec<Change>,
    },
    /// An entry leaves after its match.
    LeavesAfter {
        /// The division.
        division: DivisionNo,
        /// Which.
        entry: EntryNo,
        /// The match.
        #[serde(rename = "match")]
        number: MatchNo,
    },
    /// An entry left, everywhere.
    Withdrawn {
        /// The division.
        division: DivisionNo,
        /// Which.
        entry: EntryNo,
        /// Why.
        how: Leaving,
        /// What it moved.
        changes: Vec<Change>,
    },
    /// An entry that had left is back.
    Reinstated {
        /// The division.
        division: DivisionNo,
        /// Which.
        entry: EntryNo,
        /// Whether it waits for a slot.
        waiting: bool,
        /// What it moved.
        changes: Vec<Change>,
    },
    /// One of two players has said how their match ended.
    Reported {
        /// The division.
        division: DivisionNo,
        /// The match.
        #[serde(rename = "match")]
        number: MatchNo,
        /// Who says it.
        by: Slot,
        /// Whose entry that is: it is of no match in which another sits there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entry: Option<EntryNo>,
        /// The points of the upper and the lower slot; `null` takes back what was said.
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        score: Option<[u16; 2]>,
    },
    /// A match has its result.
    Resulted {
        /// The division.
        division: DivisionNo,
        /// The match.
        #[serde(rename = "match")]
        number: MatchNo,
        /// What it moved, this match among it.
        changes: Vec<Change>,
        /// Who had said that it was his last.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        left: Vec<EntryNo>,
    },
    /// A result was corrected.
    Corrected {
        /// The division.
        division: DivisionNo,
        /// The match.
        #[serde(rename = "match")]
        number: MatchNo,
        /// What it moved, this match first.
        changes: Vec<Change>,
        /// Who has a match in another flight again, and gives up the last chance that he plays: nobody plays in two places.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        given_up: Vec<GivenUp>,
    },
    /// A match was called to a table.
    Called {
        /// The division.
        division: DivisionNo,
        /// The match.
        #[serde(rename = "match")]
        number: MatchNo,
        /// Where.
        table: TableNo,
    },
    /// A match that was called is not any more.
    Uncalled {
        /// The division.
        division: DivisionNo,
        /// The match.
        #[serde(rename = "match")]
        number: MatchNo,
    },
    /// A match that was called began.
    Began {
        /// The division.
        division: DivisionNo,
        /// The match.
        #[serde(rename = "match")]
        number: MatchNo,
    },
    /// A match is to be called later.
    Postponed {
        /// The division.
        division: DivisionNo,
        /// The match.
        #[serde(rename = "match")]
        number: MatchNo,
        /// Until when, if it was said.
        until: Option<Timestamp>,
    },
    /// A match that was postponed can be called again.
    Resumed {
        /// The division.
        division: DivisionNo,
        /// The match.
        #[serde(rename = "match")]
        number: MatchNo,
    },
    /// A match is scored on a sheet.
    SheetOpened {
        /// The division.
        division: DivisionNo,
        /// The match.
        #[serde(rename = "match")]
        number: MatchNo,
        /// The sheet.
        sheet: MatchId,
    },
    /// Money moved.
    Booked {
        /// The division, if it is one's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        division: Option<DivisionNo>,
        /// The side pool, if it is for one, counted from 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side_pool: Option<u8>,
        /// In which currency.
        currency: Currency,
        /// From whom to whom.
        transfers: Vec<Transfer>,
    },
    /// The pools of a division were given to those who won them.
    Awarded {
        /// The division.
        division: DivisionNo,
        /// What the house has kept in all.
        kept: u64,
        /// What everybody has who has something.
        awards: Vec<Awarded>,
        /// In which currency.
        currency: Currency,
        /// What moved now.
        transfers: Vec<Transfer>,
    },
    /// It is over. What those were charged who still wait for a slot stays in the pools.
    Closed {
        /// Why, if anybody does who was charged something.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<Line>,
    },
    /// It is not over after all.
    Reopened {},
}

/// Why an entry plays no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schema(as = EntryLeft))]
pub enum Leaving {
    /// It left.
    Withdrew,
    /// It was disqualified.
    Disqualified,
    /// Its player has entered again.
    EnteredAgain,
}
