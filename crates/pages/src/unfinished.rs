//! Commands that a form completes.
//!
//! A button's command is in its form as the API takes it. What the reader chooses or types is in further
//! fields. Mostly the command is whole without them, as a penalty of one point is until other points are
//! typed. Where no value could stand in for the choice, the form has one of these commands instead, and sent
//! without the choice it does nothing: a form sent by the return key, without the button that says who won,
//! must not record a game.
//!
//! The page writes these types and the handler reads them, so they agree by construction.

use owlbox_domain::chouette::Side;
use owlbox_domain::matches::{MatchNo, Slot};
use owlbox_domain::tournament::bracket::EntryNo;
use owlbox_domain::tournament::room::DivisionNo;
use owlbox_engine::Colour;
use owlbox_engine::game::PositionId;
use serde::{Deserialize, Serialize};

/// A command to a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum TableCommand {
    /// Lacks the player, who is chosen (`player`) or named (`guest`).
    Join {},
    /// Lacks the rolls: a field `roll-{player}` for each die.
    EnterRolls {},
    /// Lacks a part of the action.
    Board { by: Side, action: BoardAction },
}

/// A command to the sheet of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum SheetCommand {
    /// Lacks the result: `pick`, `cube`, `how`, `began`.
    Game {},
    /// Lacks the result, as a new game does.
    Correct { game: u32 },
    /// Lacks the text of the match, and which side is in its left column: `text`, `left`.
    Import {},
    /// Lacks a part of the action.
    Board { by: Slot, action: BoardAction },
}

/// A command to a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum TournamentCommand {
    /// Lacks how the match ended: `ended`, and the points of either side.
    Result {
        division: DivisionNo,
        #[serde(rename = "match")]
        number: MatchNo,
        players: Option<[EntryNo; 2]>,
    },
    /// Lacks who pays and how much: `player`, `amount`.
    PayIn {},
    /// Lacks who is paid and how much: `player`, `amount`.
    PayOut {},
    /// Lacks why: `reason`.
    Cancel {},
}

/// An action on a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
pub enum BoardAction {
    /// Lacks the steps of the play: `steps`, as JSON.
    Play {},
    /// Lacks the moves that were made, in notation: `moved`. The board before them is the one that the reader saw,
    /// so that the command is the same however often it is sent.
    LeaveBoard { before: PositionId, turn: Colour },
}
