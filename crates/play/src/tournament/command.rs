//! The commands of a tournament.
//!
//! A command states what is wanted. `decide` checks it and turns it into events; who may give it, and undo,
//! are left to the caller.

use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray};

use super::about::{About, Remark};
use super::bracket::{EntryNo, Later};
pub use super::event::SlotOfMatch;
use super::event::{Awarded, DrawnSlot};
use super::room::{DivisionNo, Table, TableNo};
use super::settings::{DivisionSettings, Fee};
use crate::matches::{Ending, MatchNo, Outcome, Slot};
use owlbox_base::json::by_name;
use owlbox_base::values::{AccountId, MatchId, PlayerId, Timestamp, TournamentId};

/// A player to be entered into a division.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewEntry {
    pub player: PlayerId,
    /// The side pools joined, counted from 0.
    #[serde(default)]
    pub side_pools: Vec<u8>,
}

/// How the main flight is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum DrawBy {
    /// By lot, from a seed drawn by the service. Seeding, byes and entries to be kept apart follow the
    /// division's settings.
    Lot {},
    /// By hand: 2, 4, 8 ... slots, holding every entry once, byes, and slots left open.
    Hand {
        /// The slots in order: an entry's number, or 0 for a bye. `null` is a slot to be filled later.
        slots: Vec<DrawnSlot>,
    },
}

impl Default for DrawBy {
    fn default() -> Self {
        Self::Lot {}
    }
}

/// An entry of a division that waits for a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct WaitingEntry {
    /// Defaults to the first division.
    #[serde(default)]
    pub division: DivisionNo,
    pub entry: EntryNo,
}

/// When an entry withdraws: at once or after a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// At once. A match under way is lost.
    #[default]
    Now,
    /// After the current match or, between matches, after the next one. With no match left, at once.
    AfterMatch,
}

/// How a match ended, as a person reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "ending", rename_all = "snake_case", deny_unknown_fields)]
pub enum MatchEnded {
    /// It was played to the end.
    Played {
        /// The points of the upper and the lower slot. Exactly one of them equals the match length.
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        score: [u16; 2],
    },
    /// One player conceded it while it was being played.
    Conceded {
        winner: Slot,
        /// The points at that moment, if known. Neither side has reached the match length.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        score: Option<[u16; 2]>,
    },
    /// One player did not come, and the other wins by walkover.
    Walkover {
        /// The player who did come.
        winner: Slot,
    },
    /// One player loses it by a ruling, for lateness or running out of time.
    Forfeit {
        winner: Slot,
        /// The points at that moment, if known. Neither side has reached the match length.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        score: Option<[u16; 2]>,
    },
    /// Neither player came, so nobody advances.
    DoubleForfeit {},
}

impl MatchEnded {
    /// A match to `length` points that was played to its end, and in which the loser has `lost`.
    #[must_use]
    pub fn played(winner: Slot, length: u16, lost: u16) -> Self {
        Self::Played { score: winner.first([length, lost]) }
    }

    /// The outcome of a match that ended this way. What its length allows is not looked at.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let of = |winner, ending, score| Outcome { winner, ending, score };
        match *self {
            Self::Played { score: [upper, lower] } => {
                let winner = if upper > lower { Slot::Upper } else { Slot::Lower };
                of(Some(winner), Ending::Played, Some([upper, lower]))
            }
            Self::Conceded { winner, score } => of(Some(winner), Ending::Conceded, score),
            Self::Walkover { winner } => of(Some(winner), Ending::Walkover, None),
            Self::Forfeit { winner, score } => of(Some(winner), Ending::Forfeit, score),
            Self::DoubleForfeit {} => of(None, Ending::DoubleForfeit, None),
        }
    }
}

/// A command to a tournament. A command that does not name a division means the first one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, EnumDiscriminants)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields, remote = "Self")]
#[cfg_attr(feature = "schema", schema(as = TournamentCommand))]
#[strum_discriminants(
    name(CommandKind),
    derive(IntoStaticStr, VariantArray, PartialOrd, Ord),
    strum(serialize_all = "snake_case")
)]
#[strum_discriminants(doc = "What kind a command is; as text, its name.")]
pub enum Command {
    /// Opens the tournament. This is always the first command.
    Open {
        /// The id of the tournament, made by the service.
        #[serde(default, skip)]
        #[cfg_attr(feature = "schema", schema(ignore))]
        tournament: TournamentId,
        about: About,
    },
    /// Changes the name, dates and other details of the tournament.
    Change {
        /// The new details. They replace all of the old ones.
        about: About,
    },
    /// Sets which logins direct the tournament besides the club's directors: at most 20.
    SetDirectors {
        /// The full list. Logins left out no longer direct it.
        directors: Vec<AccountId>,
    },
    /// Adds a division: at most 16.
    AddDivision {
        /// Refused if parts of them contradict one another.
        settings: Box<DivisionSettings>,
    },
    /// Changes how a division is played. Once it is drawn, its format is fixed.
    ChangeDivision {
        #[serde(default)]
        division: DivisionNo,
        /// The new settings. They replace all of the old ones.
        settings: Box<DivisionSettings>,
    },
    /// Sets the tables of the room and what each is for: at most 2,000.
    SetTables {
        /// The full list. A table with a match called to it may not be left out.
        tables: Vec<Table>,
    },

    // Entries.
    /// Enters players: at most 65,536 entries in a division. After the draw they take free slots by lot, or
    /// wait.
    Enter {
        #[serde(default)]
        division: DivisionNo,
        /// 1 to 65,536 players, each once.
        entries: Vec<NewEntry>,
    },
    /// Enters a player again who is out.
    ReEnter {
        #[serde(default)]
        division: DivisionNo,
        /// The entry that is out in the main flight. It gives up its other slots once the new entry has a
        /// slot.
        entry: EntryNo,
    },
    /// Checks entries in, or takes a check-in back.
    CheckIn {
        #[serde(default)]
        division: DivisionNo,
        /// At least one, each once.
        entries: Vec<EntryNo>,
        /// `false` takes the check-in back.
        #[serde(default = "yes")]
        here: bool,
    },
    /// Sets the seeding list. A draw that has been made does not change.
    Seed {
        #[serde(default)]
        division: DivisionNo,
        /// The full list, top seed first.
        entries: Vec<EntryNo>,
    },
    /// Joins or leaves side pools. Only before the draw, or while the entry waits for a slot.
    JoinPools {
        #[serde(default)]
        division: DivisionNo,
        entry: EntryNo,
        /// All the side pools the entry is in from now on, counted from 0.
        side_pools: Vec<u8>,
    },
    /// Withdraws an entry from every flight. An entry that never had a slot gets back what it was charged.
    Withdraw {
        #[serde(default)]
        division: DivisionNo,
        entry: EntryNo,
        #[serde(default)]
        when: When,
    },
    /// Disqualifies an entry from every flight. It loses a match that is ready to be played, and gets no
    /// refund.
    Disqualify {
        #[serde(default)]
        division: DivisionNo,
        entry: EntryNo,
    },
    /// Brings back an entry that left, provided that nobody has played on because it left.
    Reinstate {
        #[serde(default)]
        division: DivisionNo,
        entry: EntryNo,
    },

    // The draw.
    /// Draws the main flight. Drawing again needs a reason, and no match of the division may have begun.
    Draw {
        #[serde(default)]
        division: DivisionNo,
        #[serde(default, deserialize_with = "by_name")]
        method: DrawBy,
        /// Draws only entries that have checked in. The others wait for a slot.
        #[serde(default)]
        only_checked_in: bool,
        /// Why it is drawn again. Ignored for the first draw.
        #[serde(default)]
        reason: Option<Remark>,
        /// Entries to be kept apart, each with the number of its group (a club or country). Filled in by the
        /// service.
        #[serde(default, skip)]
        #[cfg_attr(feature = "schema", schema(ignore))]
        groups: Vec<(EntryNo, u32)>,
    },
    /// Draws a last chance among entries with nothing left to play: at most 8 in a division.
    DrawLastChance {
        #[serde(default)]
        division: DivisionNo,
        /// At least two, each once.
        entries: Vec<EntryNo>,
    },
    /// Gives a waiting entry a slot by hand: a bye, an open slot, or that of an entry that has left. Entry 0
    /// turns an open slot into a bye when nobody has come for it.
    Seat {
        #[serde(default)]
        division: DivisionNo,
        /// The entry to seat; 0 for a bye.
        entry: EntryNo,
        #[serde(rename = "match")]
        number: MatchNo,
        slot: Slot,
    },
    /// Gives waiting entries slots by lot: of the open slots of the main flight or, if there is none, of its
    /// byes and the slots of entries that have left. An entry for which there is none goes on waiting.
    SeatByLot {
        #[serde(default)]
        division: DivisionNo,
        /// 1 to 64 waiting entries, each once. The lots are drawn for them in this order.
        #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 64))]
        entries: Vec<EntryNo>,
    },
    /// Swaps two drawn slots of matches that have not begun.
    Exchange {
        #[serde(default)]
        division: DivisionNo,
        one: SlotOfMatch,
        /// A slot of the same flight.
        other: SlotOfMatch,
    },

    // Results.
    /// Reports a result as one of the two players. Once both reports agree, they are the result.
    Report {
        #[serde(default)]
        division: DivisionNo,
        #[serde(rename = "match")]
        number: MatchNo,
        /// The entry of the player who reports. It must sit in the match.
        entry: EntryNo,
        /// The points of the upper and the lower slot; `null` withdraws an earlier report.
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        score: Option<[u16; 2]>,
        /// The entries the reporter saw in the upper and the lower slot. The report is refused if others sit
        /// there by now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        players: Option<[EntryNo; 2]>,
    },
    /// Enters the result of a match.
    Result {
        #[serde(default)]
        division: DivisionNo,
        #[serde(rename = "match")]
        number: MatchNo,
        #[serde(deserialize_with = "by_name")]
        ended: MatchEnded,
        /// The entries the scorer saw in the upper and the lower slot. The result is refused if others sit
        /// there by now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        players: Option<[EntryNo; 2]>,
        /// Whose players withdraw with this result, such as those who did not come: they go on in no other
        /// flight. Without it they go on wherever the format leads them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "schema", schema(max_items = 2))]
        withdraws: Vec<Slot>,
    },
    /// Records the result of a match from its sheet. Only the service gives this command.
    #[serde(skip)]
    #[cfg_attr(feature = "schema", schema(ignore))]
    Record {
        division: DivisionNo,
        number: MatchNo,
        /// If the match has a result already, this may change its score but not its winner.
        outcome: Outcome,
        /// Whose players withdraw with its first result.
        withdraws: Vec<Slot>,
    },
    /// Corrects the result of a match, even if later matches have been played.
    Correct {
        #[serde(default)]
        division: DivisionNo,
        #[serde(rename = "match")]
        number: MatchNo,
        /// How it really ended; `null` if it has no result yet after all.
        #[serde(default, deserialize_with = "by_name")]
        ended: Option<MatchEnded>,
        /// What happens to later results of matches whose players change.
        later: Later,
        /// Whose players withdraw with the correction, such as those who did not come after all. Without it
        /// they go on wherever the format leads them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "schema", schema(max_items = 2))]
        withdraws: Vec<Slot>,
    },

    // The room.
    /// Calls a match to a table: the one named, or the lowest free one.
    Call {
        #[serde(default)]
        division: DivisionNo,
        #[serde(rename = "match")]
        number: MatchNo,
        /// May be a reserved table, but not a closed one. Absent means the lowest free table that is open to
        /// all.
        #[serde(default)]
        table: Option<TableNo>,
    },
    /// Calls the matches that have waited longest to the free tables, up to the given number.
    CallNext {
        /// How many matches at most: 1 to 1,000.
        #[serde(default = "one")]
        #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 1000))]
        matches: u16,
    },
    /// Takes back the call of a match.
    Uncall {
        #[serde(default)]
        division: DivisionNo,
        #[serde(rename = "match")]
        number: MatchNo,
    },
    /// Marks a called match as begun.
    Begin {
        #[serde(default)]
        division: DivisionNo,
        #[serde(rename = "match")]
        number: MatchNo,
    },
    /// Puts off calling a match. If it was called, the call is taken back.
    Postpone {
        #[serde(default)]
        division: DivisionNo,
        #[serde(rename = "match")]
        number: MatchNo,
        /// Until when. Absent means until the match is resumed.
        #[serde(default)]
        until: Option<Timestamp>,
    },
    /// Makes a postponed match available for calling again.
    Resume {
        #[serde(default)]
        division: DivisionNo,
        #[serde(rename = "match")]
        number: MatchNo,
    },
    /// Opens a sheet on which a match is scored game by game.
    OpenSheet {
        #[serde(default)]
        division: DivisionNo,
        #[serde(rename = "match")]
        number: MatchNo,
        /// The id of the sheet, made by the service.
        #[serde(default, skip)]
        #[cfg_attr(feature = "schema", schema(ignore))]
        sheet: Option<MatchId>,
    },

    // Money.
    /// Records cash from a player.
    PayIn {
        player: PlayerId,
        /// In minor units, above zero.
        amount: Fee,
        /// What the player's account showed when the caller looked, as in `/accounts`: negative if they owe.
        /// It is refused if it shows something else by now, so that nothing is recorded twice. Absent means
        /// that nobody looked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        account: Option<i64>,
    },
    /// Records cash paid out to a player.
    PayOut {
        player: PlayerId,
        /// In minor units, above zero.
        amount: Fee,
        /// What the player's account showed when the caller looked, as in `/accounts`: negative if they owe.
        /// It is refused if it shows something else by now, so that nothing is recorded twice. Absent means
        /// that nobody looked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        account: Option<i64>,
    },
    /// Adds the house's money to a division's pool.
    AddMoney {
        #[serde(default)]
        division: DivisionNo,
        /// In minor units, above zero.
        amount: Fee,
    },
    /// Awards the pools of a division, by its schedule or by hand. May be repeated after a correction.
    Award {
        #[serde(default)]
        division: DivisionNo,
        /// Each player's amount from all pools together. It must add up to everything there is to award.
        /// Absent means by the schedule.
        #[serde(default)]
        awards: Option<Vec<Awarded>>,
    },
    /// Closes the tournament. Afterwards only corrections, payments, awards and changes to its details are
    /// possible. Entries that still wait for a slot are withdrawn and get back what they were charged.
    Close {
        /// The waiting entries whose fees are kept instead.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        keep: Vec<WaitingEntry>,
        /// Why their fees are kept. Required if any are.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<Remark>,
    },
    /// Opens the tournament again after it was closed.
    Reopen {},
    /// Cancels the tournament: it does not take place, or is broken off. Everything charged in divisions
    /// whose pools were not awarded is given back, to players and to the house. Afterwards only payments and
    /// changes to its details are possible.
    Cancel {
        /// Why, for everybody to read.
        reason: Remark,
    },
}

owlbox_base::read_by_value!(Command);

const fn yes() -> bool {
    true
}

const fn one() -> u16 {
    1
}
