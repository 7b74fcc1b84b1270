//! What can be asked of a chouette: the objects that the API, the pages and the command line take.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray};

use crate::chouette::bet::Side;
use crate::chouette::order::Roll;
use crate::chouette::rules::HouseRules;
use crate::listed::by_name;
use crate::permissions::{self, Needs, Permission};
use crate::values::{ChouetteId, HalfPoints, PlayerId, Stake};
use owlbox_engine::game::Action;
use owlbox_engine::{CubeValue, Variant, Win};

/// A command to a chouette.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, EnumDiscriminants)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
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
    /// Opens the table; the first command, once.
    Open {
        /// What the table is called: 1 to 80 visible characters, no line breaks.
        name: String,
        /// The night it belongs to, by the club's clock.
        night: NaiveDate,
        /// What a point is worth, if money is played for.
        #[serde(default)]
        stake: Option<Stake>,
        /// The house rules; what is missing takes its default.
        #[serde(default)]
        rules: HouseRules,
        /// The table it was split from.
        #[serde(default)]
        from: Option<ChouetteId>,
    },
    /// The house rules change, between games (Q14).
    ChangeRules {
        /// All of them; what is missing takes its default.
        rules: HouseRules,
    },
    /// The night is over.
    Close {},
    /// Some leave, between games, for a table of their own, where they roll for the order.
    Split {
        /// Who leaves; at least three, and as many as a game needs stay.
        players: Vec<PlayerId>,
        /// The new table. The service fills it in.
        #[serde(default)]
        table: Option<ChouetteId>,
        /// What the new table is called.
        name: String,
    },
    /// Everybody goes over to another table, between games, and this one is closed. They sit down there at
    /// the end of the line, in the order of this one.
    MergeInto {
        /// That table.
        table: ChouetteId,
    },

    // People.
    /// A player comes in, or comes back after leaving (Q5).
    Join {
        /// Who.
        player: PlayerId,
    },
    /// A player goes (Q5).
    Leave {
        /// Who.
        player: PlayerId,
        /// During a game, where the house rules ask for one: who decides for him.
        #[serde(default)]
        proxy: Option<PlayerId>,
    },
    /// A player takes a break.
    Break {
        /// Who.
        player: PlayerId,
        /// As of `leave`.
        #[serde(default)]
        proxy: Option<PlayerId>,
    },
    /// A player comes back from a break.
    Return {
        /// Who.
        player: PlayerId,
    },
    /// Somebody decides the cubes of a player of the game, or nobody does any more.
    NameProxy {
        /// Whose cubes.
        player: PlayerId,
        /// Who decides them; without it, the player again.
        #[serde(default)]
        proxy: Option<PlayerId>,
    },
    /// A player was entered twice: what the one has is the other's, and the one was never there.
    MergePlayers {
        /// The one entered by mistake.
        duplicate: PlayerId,
        /// The one who stays.
        player: PlayerId,
    },
    /// What a player plays for, where each has a stake of his own; between games.
    SetStake {
        /// Who.
        player: PlayerId,
        /// So many of the table's stakes a point: 1 to 1,000.
        units: u16,
    },
    /// Where a member's cube starts, the box agreeing; between games.
    SetStart {
        /// Whose cube.
        player: PlayerId,
        /// 1, 2 or 4.
        value: CubeValue,
    },

    // The order and the seats.
    /// The service rolls, or shuffles, for the order, until nobody is tied (Q1).
    DrawOrder {},
    /// What those who have to roll for the order rolled (Q1).
    EnterRolls {
        /// One roll for each of exactly those who have to roll now.
        rolls: Vec<Roll>,
    },
    /// The order, where it is entered by hand.
    SetOrder {
        /// Everybody present: box, captain, crew.
        line: Vec<PlayerId>,
    },
    /// The box wants a partner (Q13): it is offered to the first who is due, or made the one whose it is.
    OfferPartnership {},
    /// Who was offered the partnership accepts it.
    AcceptPartnership {
        /// Who.
        player: PlayerId,
    },
    /// Who was offered the partnership declines it: the next is due, or lots are drawn.
    DeclinePartnership {
        /// Who.
        player: PlayerId,
    },
    /// The captain who has just won the box declines it.
    DeclineBox {
        /// Who.
        player: PlayerId,
    },

    // The game.
    /// A game begins.
    StartGame {
        /// Whether the engine referees it: rolls and plays are entered, and it finds the result.
        #[serde(default)]
        refereed: bool,
        /// What is played, where the house rules allow another game than their own; without it theirs.
        #[serde(default)]
        variant: Option<Variant>,
    },
    /// The opening roll was a tie (C6); of a game that is not refereed.
    OpeningTie {
        /// Whether the box wants the automatic double, where that is its choice. Without it, yes.
        #[serde(default)]
        double: Option<bool>,
    },
    /// A player doubles (C2, Q7, Q11).
    Double {
        /// Who.
        player: PlayerId,
        /// Whom: the opponents in the bets meant; without it, all that can be doubled.
        #[serde(default)]
        against: Option<Vec<PlayerId>>,
    },
    /// A player takes doubles (C4).
    Take {
        /// Who.
        player: PlayerId,
        /// Whose: the opponents in the bets meant; without it, all that wait for this player's answer.
        #[serde(default)]
        against: Option<Vec<PlayerId>>,
    },
    /// A player drops doubles (C3), and so loses those bets at the stake before.
    Drop {
        /// Who.
        player: PlayerId,
        /// Whose: the opponents in the bets meant; without it, all that wait for this player's answer.
        #[serde(default)]
        against: Option<Vec<PlayerId>>,
    },
    /// A player redoubles at once and keeps the cube: a beaver, a raccoon and so on (C7, C8).
    Beaver {
        /// Who.
        player: PlayerId,
        /// Whose doubles: the opponents in the bets meant; without it, all that can be redoubled.
        #[serde(default)]
        against: Option<Vec<PlayerId>>,
    },
    /// One who is asked gives an extra to the lone taker (Q10).
    GiveExtra {
        /// Who.
        player: PlayerId,
    },
    /// One who is asked gives none.
    PassExtra {
        /// Who.
        player: PlayerId,
    },
    /// The dice are rolled: the turn's doubles are over. Only of a game that is not refereed, and only
    /// after a double in this turn: otherwise nothing hangs on it.
    PlayOn {},
    /// Bets are settled by agreement.
    Settle {
        /// Which, and how; at least one.
        bets: Vec<Settlement>,
        /// Who counts as the winner between box and captain; exactly if their bet is among them.
        #[serde(default)]
        counts_for: Option<Side>,
    },
    /// What happens on the board of a refereed game.
    Board {
        /// The side that acts.
        by: Side,
        /// Its action. Cubes are not among them: they are the chouette's.
        #[serde(deserialize_with = "by_name")]
        action: Action,
    },
    /// The game was played to its end (G13, G14); of a game that is not refereed.
    Finish {
        /// The side that won.
        winner: Side,
        /// How.
        win: Win,
    },

    // Afterwards.
    /// An earlier game was entered wrongly. What it changes is its bets and the scores; seats are facts.
    Correct {
        /// The game's number.
        game: u32,
        /// The side that won it, if that was wrong. Of a game that ended by drops or settlements: bets that are
        /// now played to the end need it, and `win`.
        #[serde(default)]
        winner: Option<Side>,
        /// How, if that was wrong.
        #[serde(default)]
        win: Option<Win>,
        /// Bets that were wrong by themselves.
        #[serde(default)]
        bets: Vec<BetCorrection>,
    },
    /// One player pays another: it changes what they owe, never their scores.
    Pay {
        /// Who pays.
        payer: PlayerId,
        /// Whom.
        payee: PlayerId,
        /// How much: minor units of the stake's currency, or half points if no money is played for.
        amount: i64,
    },
}

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
    /// Who pays.
    pub payer: PlayerId,
    /// Whom.
    pub payee: PlayerId,
    /// How much, in half points: 0 to three times what the cube stands for.
    pub points: HalfPoints,
}

/// What was wrong with a bet of an earlier game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BetCorrection {
    /// Its number within the game.
    pub bet: u32,
    /// What its cube stood at when the bet ended; of a drop, before the double.
    #[serde(default)]
    pub cube: Option<CubeValue>,
    /// Whether the cube had been turned and taken (C9); without it, as it was - or yes, if the cube's value
    /// is corrected upwards, and no, if it is corrected to where the cube began.
    #[serde(default)]
    pub turned: Option<bool>,
    /// How it ended.
    #[serde(default, deserialize_with = "by_name")]
    pub ended: Option<BetEnded>,
}

/// How a bet ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum BetEnded {
    /// With the game.
    Game {},
    /// By a drop.
    Drop {
        /// The side that won it.
        winner: Side,
    },
    /// By agreement.
    Settlement {
        /// The side that was paid.
        winner: Side,
        /// How much, in half points.
        points: HalfPoints,
    },
}
