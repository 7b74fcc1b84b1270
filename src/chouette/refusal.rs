//! Why a chouette refuses a command. Codes are stable; words live with the pages' locales.
//!
//! If several reasons apply, the first of this order is given:
//!
//! 1. the table: `already_open`, `not_open`, `closed`;
//! 2. the command's own values: `bad_name`;
//! 3. the phase: `game_in_progress`, `no_game` (but see `leave`), `order_already_set`, `no_order`;
//! 4. the player: `unknown_player`, `not_here`, `already_here`, `table_full`, then for a `leave`
//!    `game_in_progress`, and for cubes `not_in_game`;
//! 5. the number of players: `too_few_players`; who rolled: `wrong_rollers`;
//! 6. the opponents named: `bad_choice`, `no_such_opponent`;
//! 7. the cubes, by the first bet named that cannot: `not_on_turn`, `offer_pending`, `not_your_cube`,
//!    `cube_at_limit`, `no_offer`.

use serde_json::{Value, json};

use crate::engine::CubeValue;
use crate::values::PlayerId;

/// Why a command was refused. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Only `open` can come first.
    #[error("the table is not open yet")]
    NotOpen,
    /// `open` comes once.
    #[error("the table has been opened already")]
    AlreadyOpen,
    /// The night is over.
    #[error("the night is closed")]
    Closed,
    /// Not a name for a table.
    #[error("not a name for a table")]
    BadName,
    /// A game is on.
    #[error("a game is in progress")]
    GameInProgress {
        /// Of `leave`: who may go now.
        may_leave: Option<Vec<PlayerId>>,
    },
    /// No game is on.
    #[error("no game is in progress")]
    NoGame,
    /// The line stands.
    #[error("the order is settled already")]
    OrderAlreadySet,
    /// The line does not stand yet.
    #[error("the order is not settled yet")]
    NoOrder,
    /// Has never sat at this table.
    #[error("{player} is unknown at this table")]
    UnknownPlayer {
        /// Who.
        player: PlayerId,
        /// Who is here.
        present: Vec<PlayerId>,
    },
    /// Has sat here, and gone.
    #[error("{player} is not here now")]
    NotHere {
        /// Who.
        player: PlayerId,
        /// Who is here.
        present: Vec<PlayerId>,
    },
    /// Is at the table already.
    #[error("{player} is here already")]
    AlreadyHere {
        /// Who.
        player: PlayerId,
    },
    /// No seat is free.
    #[error("all {seats} seats are taken")]
    TableFull {
        /// How many seats there are.
        seats: usize,
    },
    /// Does not play this game, or has dropped.
    #[error("{player} is not in the game")]
    NotInGame {
        /// Who.
        player: PlayerId,
        /// Who is.
        players: Vec<PlayerId>,
    },
    /// Not enough to go on.
    #[error("{needed} players are needed")]
    TooFewPlayers {
        /// How many are needed.
        needed: usize,
    },
    /// Not one roll of each who has to roll.
    #[error("exactly those who have to roll must roll, once each")]
    WrongRollers {
        /// Who has to.
        to_roll: Vec<PlayerId>,
    },
    /// An empty list, or one that names a player twice.
    #[error("name each opponent once, or none of them to mean all")]
    BadChoice {
        /// Who could be named.
        opponents: Vec<PlayerId>,
    },
    /// Plays no running bet against this player.
    #[error("{opponent} is no opponent in a bet that is on")]
    NoSuchOpponent {
        /// Who.
        opponent: PlayerId,
        /// Who does.
        opponents: Vec<PlayerId>,
    },
    /// Only the side on roll can double (C2), and the other side's double waits for its answer.
    #[error("the other side is on roll: its double waits for an answer")]
    NotOnTurn {
        /// The players of the side on roll.
        on_turn: Vec<PlayerId>,
    },
    /// A double waits for its answer.
    #[error("a double waits for its answer")]
    OfferPending {
        /// Of `double`: whom one can double now. Of `finish`: who has to answer.
        players: Vec<PlayerId>,
    },
    /// The cube is the opponent's (C4).
    #[error("the cube is the opponent's")]
    NotYourCube {
        /// Whom one can double now.
        opponents: Vec<PlayerId>,
    },
    /// The cube is as high as it may go (C10).
    #[error("the cube may not go above {limit}")]
    CubeAtLimit {
        /// How high.
        limit: CubeValue,
    },
    /// Nothing waits for this player's answer.
    #[error("there is no double to answer")]
    NoOffer {
        /// Whose doubles wait for this player's answer.
        opponents: Vec<PlayerId>,
    },
}

impl Refusal {
    /// Every code there is, in the order of precedence as far as one holds.
    pub const CODES: [&'static str; 22] = [
        "already_open",
        "not_open",
        "closed",
        "bad_name",
        "game_in_progress",
        "no_game",
        "order_already_set",
        "no_order",
        "unknown_player",
        "not_here",
        "already_here",
        "table_full",
        "not_in_game",
        "too_few_players",
        "wrong_rollers",
        "bad_choice",
        "no_such_opponent",
        "not_on_turn",
        "offer_pending",
        "not_your_cube",
        "cube_at_limit",
        "no_offer",
    ];

    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotOpen => "not_open",
            Self::AlreadyOpen => "already_open",
            Self::Closed => "closed",
            Self::BadName => "bad_name",
            Self::GameInProgress { .. } => "game_in_progress",
            Self::NoGame => "no_game",
            Self::OrderAlreadySet => "order_already_set",
            Self::NoOrder => "no_order",
            Self::UnknownPlayer { .. } => "unknown_player",
            Self::NotHere { .. } => "not_here",
            Self::AlreadyHere { .. } => "already_here",
            Self::TableFull { .. } => "table_full",
            Self::NotInGame { .. } => "not_in_game",
            Self::TooFewPlayers { .. } => "too_few_players",
            Self::WrongRollers { .. } => "wrong_rollers",
            Self::BadChoice { .. } => "bad_choice",
            Self::NoSuchOpponent { .. } => "no_such_opponent",
            Self::NotOnTurn { .. } => "not_on_turn",
            Self::OfferPending { .. } => "offer_pending",
            Self::NotYourCube { .. } => "not_your_cube",
            Self::CubeAtLimit { .. } => "cube_at_limit",
            Self::NoOffer { .. } => "no_offer",
        }
    }

    /// The field of the command that is to blame, if one is.
    #[must_use]
    pub const fn field(&self) -> Option<&'static str> {
        match self {
            Self::BadName => Some("name"),
            Self::UnknownPlayer { .. }
            | Self::NotHere { .. }
            | Self::AlreadyHere { .. }
            | Self::NotInGame { .. }
            | Self::NotOnTurn { .. } => Some("player"),
            Self::GameInProgress { may_leave: Some(_) } => Some("player"),
            Self::WrongRollers { .. } => Some("rolls"),
            Self::BadChoice { .. } | Self::NoSuchOpponent { .. } | Self::NotYourCube { .. } => {
                Some("against")
            }
            _ => None,
        }
    }

    /// What would have been allowed: players' ids, commands, or a number; `None` if nothing would.
    #[must_use]
    pub fn allowed(&self) -> Option<Value> {
        match self {
            Self::NotOpen => Some(json!(["open"])),
            Self::AlreadyOpen | Self::Closed | Self::AlreadyHere { .. } => None,
            Self::BadName => Some(json!("1 to 80 characters, no line breaks")),
            Self::GameInProgress { may_leave } => {
                Some(may_leave.as_ref().map_or_else(|| json!(["finish"]), |players| json!(players)))
            }
            Self::NoGame => Some(json!(["start_game"])),
            Self::OrderAlreadySet => Some(json!(["start_game"])),
            Self::NoOrder => Some(json!(["draw_order", "enter_rolls"])),
            Self::UnknownPlayer { present, .. } | Self::NotHere { present, .. } => Some(json!(present)),
            Self::TableFull { seats } => Some(json!(seats)),
            Self::NotInGame { players, .. } => Some(json!(players)),
            Self::TooFewPlayers { needed } => Some(json!(needed)),
            Self::WrongRollers { to_roll } => Some(json!(to_roll)),
            Self::NotOnTurn { on_turn } => Some(json!(on_turn)),
            Self::OfferPending { players } => Some(json!(players)),
            Self::BadChoice { opponents }
            | Self::NoSuchOpponent { opponents, .. }
            | Self::NotYourCube { opponents }
            | Self::NoOffer { opponents } => Some(json!(opponents)),
            Self::CubeAtLimit { limit } => Some(json!(limit)),
        }
    }
}
