//! The commands of a chouette. The API, the pages and the command line all take these objects, and whether a
//! command is allowed is decided in `decide`. This file also says which permission each kind of command
//! needs.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray};

use crate::bet::Side;
use crate::order::Roll;
use crate::rules::HouseRules;
use owlbox_base::json::by_name;
use owlbox_base::permissions::{self, Needs, Permission};
use owlbox_base::values::{ChouetteId, HalfPoints, PlayerId, Stake};
use owlbox_engine::game::Action;
use owlbox_engine::{CubeValue, Variant, Win};

/// A command to a chouette.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, EnumDiscriminants)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields, remote = "Self")]
#[cfg_attr(feature = "schema", schema(as = ChouetteCommand))]
#[strum_discriminants(
    name(CommandKind),
    derive(IntoStaticStr, VariantArray, PartialOrd, Ord, Serialize),
    strum(serialize_all = "snake_case"),
    serde(rename_all = "snake_case")
)]
#[strum_discriminants(doc = "What kind a command is; as text, its name.")]
pub enum Command {
    // The table.
    /// Opens the table. The first command, and given only once.
    Open {
        /// The name of the table: 1 to 80 visible characters, no line breaks.
        name: String,
        /// The night the table belongs to, by the club's clock.
        night: NaiveDate,
        /// The money a point is worth; absent if no money is played for.
        #[serde(default)]
        stake: Option<Stake>,
        /// The house rules. A missing setting takes its default.
        #[serde(default)]
        rules: HouseRules,
        /// The table that this one was split from, if it was.
        #[serde(default)]
        from: Option<ChouetteId>,
    },
    /// Changes the house rules, between games (Q14).
    ChangeRules {
        /// All of the settings. A missing setting takes its default.
        rules: HouseRules,
    },
    /// Closes the table at the end of the night, between games.
    Close {},
    /// Sends some players, between games, to a new table, where they roll for the order.
    Split {
        /// The players who leave: at least three. As many as a game needs must stay.
        players: Vec<PlayerId>,
        /// The new table. The service fills it in.
        #[serde(default)]
        table: Option<ChouetteId>,
        /// The name of the new table: 1 to 80 visible characters, no line breaks.
        name: String,
    },
    /// Moves everybody to another table, between games, and closes this one. They join the end of the line
    /// there, in the order of this table.
    MergeInto {
        /// The table they move to.
        table: ChouetteId,
    },

    // People.
    /// A player joins the table, or returns after leaving it (Q5).
    Join {
        /// A player of the club who is not at this table now.
        player: PlayerId,
    },
    /// A player leaves the table (Q5).
    Leave {
        player: PlayerId,
        /// The player who decides the leaver's cubes for the rest of the game, where the house rules require
        /// somebody.
        #[serde(default)]
        proxy: Option<PlayerId>,
    },
    /// A player takes a break but stays at the table.
    Break {
        player: PlayerId,
        /// The player who decides their cubes for the rest of the game, where the house rules require
        /// somebody.
        #[serde(default)]
        proxy: Option<PlayerId>,
    },
    /// A player comes back from a break.
    Return {
        /// The player, who must be on a break.
        player: PlayerId,
    },
    /// Names a proxy for the cubes of a player in the game, or ends the proxy.
    NameProxy {
        /// The player whose cubes they are.
        player: PlayerId,
        /// The player who decides them. Without it they are the player's own again.
        #[serde(default)]
        proxy: Option<PlayerId>,
    },
    /// Merges a player who was entered twice, between games: the bets, scores and seat of the duplicate pass
    /// to the other.
    MergePlayers {
        /// The player entered by mistake.
        duplicate: PlayerId,
        /// The player who takes over what the duplicate had.
        player: PlayerId,
    },
    /// Sets what a player plays for, between games, where each player has a stake of their own.
    SetStake {
        player: PlayerId,
        /// The stake as a multiple of the table's: 1 to 1,000.
        units: u16,
    },
    /// Sets where a member's cube starts, between games and agreed with the box.
    SetStart {
        /// The member whose cube it is.
        player: PlayerId,
        /// The value it starts at: 1, 2 or 4, and not above the cap.
        value: CubeValue,
    },

    // The order and the seats.
    /// Lets the service roll, or shuffle, for the order until no tie is left (Q1).
    DrawOrder {},
    /// Enters the rolls for the order (Q1).
    EnterRolls {
        /// Exactly one roll for each player who has to roll now.
        rolls: Vec<Roll>,
    },
    /// Sets the order, where the house rules have it entered by hand.
    SetOrder {
        /// Everybody present, once each: the box, the captain, the crew.
        line: Vec<PlayerId>,
    },
    /// The box wants a partner (Q13). The partnership is offered to the first player due, or given to the one
    /// the house rules determine.
    OfferPartnership {},
    /// The player who was offered the partnership accepts it.
    AcceptPartnership {
        /// The player it was offered to.
        player: PlayerId,
    },
    /// The player who was offered the partnership declines it. It goes to the next player due, or lots are
    /// drawn.
    DeclinePartnership {
        /// The player it was offered to.
        player: PlayerId,
    },
    /// The captain who has just won the box declines it.
    DeclineBox {
        /// The captain of the last game, who won it.
        player: PlayerId,
    },

    // The game.
    /// Starts the next game with the line as it stands.
    StartGame {
        /// Whether the engine referees the game: rolls and plays are entered, and it finds the result.
        #[serde(default)]
        refereed: bool,
        /// The variant to play, where the house rules allow others. Without it their own is played.
        #[serde(default)]
        variant: Option<Variant>,
    },
    /// The opening roll was a tie (C6). In a refereed game only to answer whether the box wants the double.
    OpeningTie {
        /// Whether the box wants the automatic double, where it has the choice. Without it, yes.
        #[serde(default)]
        double: Option<bool>,
    },
    /// A player offers a double (C2, Q7, Q11).
    Double {
        player: PlayerId,
        /// The opponents to double. Without it, all who can be doubled.
        #[serde(default)]
        against: Option<Vec<PlayerId>>,
        /// Whether the dice have been rolled since the last double, so that this one opens another turn. The
        /// roll is then recorded before it, as by `play_on`; where nothing depends on it, it is not.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        rolled: bool,
    },
    /// A player takes one or more doubles (C4).
    Take {
        player: PlayerId,
        /// The opponents whose doubles are taken. Without it, all who wait for this player's answer.
        #[serde(default)]
        against: Option<Vec<PlayerId>>,
    },
    /// A player drops doubles (C3), and so loses those bets at the stake before the double.
    Drop {
        player: PlayerId,
        /// The opponents whose doubles are dropped. Without it, all who wait for this player's answer.
        #[serde(default)]
        against: Option<Vec<PlayerId>>,
    },
    /// A player redoubles at once and keeps the cube: a beaver, a raccoon and so on (C7, C8).
    Beaver {
        player: PlayerId,
        /// The opponents to redouble. Without it, all who can be redoubled.
        #[serde(default)]
        against: Option<Vec<PlayerId>>,
    },
    /// The player being asked gives an extra to the lone taker (Q10).
    GiveExtra {
        /// The player whose turn it is to answer.
        player: PlayerId,
    },
    /// The player being asked gives no extra (Q10).
    PassExtra {
        /// The player whose turn it is to answer.
        player: PlayerId,
    },
    /// The dice are rolled, which ends the doubles of the turn. Only in a game that is not refereed, and only
    /// after a double in this turn: otherwise nothing depends on it.
    PlayOn {},
    /// Settles running bets by agreement of both sides.
    Settle {
        /// The bets to settle, at least one, with the agreed payments.
        bets: Vec<Settlement>,
        /// The side that counts as winner between box and captain. Required if their bet is settled, refused
        /// if not.
        #[serde(default)]
        counts_for: Option<Side>,
    },
    /// An action on the board of a refereed game.
    Board {
        /// The side that acts: the box or the team.
        by: Side,
        /// The action. No cube actions: the cubes are the chouette's.
        #[serde(deserialize_with = "by_name")]
        action: Action,
    },
    /// Ends a game that was played out (G13, G14) and is not refereed.
    Finish {
        /// The side that won the game.
        winner: Side,
        win: Win,
    },

    // Afterwards.
    /// Corrects a game that was entered wrongly. Its bets and the scores change; the seats that followed from
    /// it stay, because the players sat there.
    Correct {
        /// The number of the game.
        game: u32,
        /// The side that won it, if that was wrong. If the game ended by drops or settlements, bets that are
        /// now played to the end need this and `win`.
        #[serde(default)]
        winner: Option<Side>,
        /// The kind of win, if that was wrong.
        #[serde(default)]
        win: Option<Win>,
        /// Bets that were wrong in themselves.
        #[serde(default)]
        bets: Vec<BetCorrection>,
    },
    /// One player pays another. This changes their debts, never their scores.
    Pay {
        /// The player who hands over the money.
        payer: PlayerId,
        /// The player who is paid.
        payee: PlayerId,
        /// The amount: minor units of the stake's currency, or half points if no money is played for.
        amount: i64,
    },
}

owlbox_base::read_by_value!(Command);

impl permissions::CommandKind for CommandKind {
    const HISTORY: Needs = Needs::or_for_oneself(Permission::RunChouette, Permission::ActForSelf);

    fn needs(self) -> Needs {
        match self {
            Self::Open => Needs::only(Permission::OpenChouette),
            Self::Pay => Needs::only(Permission::RecordPayments),
            Self::Double
            | Self::Take
            | Self::Drop
            | Self::Beaver
            | Self::GiveExtra
            | Self::PassExtra
            | Self::AcceptPartnership
            | Self::DeclinePartnership
            | Self::DeclineBox
            | Self::OpeningTie
            | Self::Board => Needs::or_for_oneself(Permission::RunChouette, Permission::ActForSelf),
            Self::ChangeRules
            | Self::Close
            | Self::Split
            | Self::MergeInto
            | Self::Join
            | Self::Leave
            | Self::Break
            | Self::Return
            | Self::NameProxy
            | Self::MergePlayers
            | Self::SetStake
            | Self::SetStart
            | Self::DrawOrder
            | Self::EnterRolls
            | Self::SetOrder
            | Self::OfferPartnership
            | Self::StartGame
            | Self::PlayOn
            | Self::Settle
            | Self::Finish
            | Self::Correct => Needs::only(Permission::RunChouette),
        }
    }
}

/// A bet settled by agreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Settlement {
    /// The player who loses the bet and pays.
    pub payer: PlayerId,
    /// The player who is paid.
    pub payee: PlayerId,
    /// The amount in half points: 0 to three times what the cube stands for.
    pub points: HalfPoints,
}

/// The correction of a bet of an earlier game. An absent field stays as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BetCorrection {
    /// The number of the bet within its game.
    pub bet: u32,
    /// The value of its cube when the bet ended. For a drop, the value before the double.
    #[serde(default)]
    pub cube: Option<CubeValue>,
    /// Whether the cube had been turned and taken (C9). Without it, as it was, except that a cube corrected
    /// upwards was turned, and one corrected to where it began was not.
    #[serde(default)]
    pub turned: Option<bool>,
    /// How the bet really ended.
    #[serde(default, deserialize_with = "by_name")]
    pub ended: Option<BetEnded>,
}

/// The way in which a bet ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum BetEnded {
    /// It was played to the end of the game.
    Game {},
    /// A double was dropped (C3).
    Drop {
        /// The side that won the bet.
        winner: Side,
    },
    /// It was settled by agreement.
    Settlement {
        /// The side that was paid.
        winner: Side,
        /// The amount in half points.
        points: HalfPoints,
    },
}
