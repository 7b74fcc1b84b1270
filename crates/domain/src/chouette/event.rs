//! What can have happened to a chouette. Events record outcomes - seats, amounts, cube values - so that
//! applying one decides nothing, and hold ids, never names.
//!
//! The line is drawn so: who sits where, who is asked, who may or must do what, who counts as captain, what a bet
//! came to and where its cube stood are *decided*, by rules that may change, and stand in the event. What an event
//! says by itself is *noted*: the turn that a double begins, the offer it makes and the answer that ends it (C2 to
//! C4, C8: the game's, no house's), what was asked before something else was done, agreements with a box that is
//! box no more. Fields that came later are optional; where an old event lacks them, `outcome` reads it as the
//! program did that wrote it.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray};

use crate::chouette::bet::{BetKind, SettledBet, Side};
use crate::chouette::game::{Answer, Proxy};
use crate::chouette::order::{Roll, Seats};
use crate::chouette::rules::HouseRules;
use crate::values::{ChouetteId, HalfPoints, Payment, PlayerId, Stake};
use owlbox_engine::game::BoardRules;
use owlbox_engine::{CubeValue, Win};

/// An event of a chouette.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, EnumDiscriminants)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = ChouetteEvent))]
#[strum_discriminants(
    name(EventKind),
    derive(IntoStaticStr, VariantArray),
    strum(serialize_all = "snake_case")
)]
#[strum_discriminants(doc = "What kind an event is; as text, what it is stored under.")]
pub enum Event {
    /// The table was opened.
    Opened {
        /// What it is called.
        name: String,
        /// The night it belongs to.
        night: NaiveDate,
        /// What a point is worth.
        stake: Option<Stake>,
        /// The full set of rules in force.
        rules: Box<HouseRules>,
        /// The table it was split from.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<ChouetteId>,
    },
    /// The house rules changed.
    RulesChanged {
        /// The full set now in force.
        rules: Box<HouseRules>,
        /// Who sits where after it.
        seats: Seats,
    },
    /// A player came in.
    Joined {
        /// Who.
        player: PlayerId,
        /// Who sits where after it.
        seats: Seats,
    },
    /// A player went.
    Left {
        /// Who.
        player: PlayerId,
        /// Who sits where after it.
        seats: Seats,
        /// If he was still in the game: who decides for him.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        proxy: Option<Proxy>,
        /// Where a captain could have declined the box before: whether he still can.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        may_decline: Option<bool>,
        /// Where some were asked for extras before: who is now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asked: Option<StillAsked>,
    },
    /// A player went on a break.
    WentOnBreak {
        /// Who.
        player: PlayerId,
        /// Who sits where after it.
        seats: Seats,
        /// If he was still in the game: who decides for him.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        proxy: Option<Proxy>,
        /// Where a captain could have declined the box before: whether he still can.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        may_decline: Option<bool>,
        /// Where some were asked for extras before: who is now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asked: Option<StillAsked>,
    },
    /// A player came back from a break.
    Returned {
        /// Who.
        player: PlayerId,
        /// Who sits where after it.
        seats: Seats,
        /// Where a captain could have declined the box before: whether he still can.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        may_decline: Option<bool>,
    },
    /// Somebody decides for a player of the game.
    ProxyNamed {
        /// For whom.
        player: PlayerId,
        /// Who; `null` if the player himself does again.
        proxy: Option<Proxy>,
        /// Where some were asked for extras before: who is now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asked: Option<StillAsked>,
    },
    /// A player entered twice is one again.
    PlayersMerged {
        /// The one entered by mistake.
        duplicate: PlayerId,
        /// The one who stays.
        player: PlayerId,
        /// Who sits where after it.
        seats: Seats,
        /// The bets of finished games that the one had, as they were; they are the other's now.
        bets: Vec<GameBet>,
        /// What the one had paid and been paid, as it was; it is the other's now.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        payments: Vec<Payment>,
        /// Where a captain could have declined the box before: whether he still can.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        may_decline: Option<bool>,
    },
    /// A player has a stake of his own.
    StakeSet {
        /// Who.
        player: PlayerId,
        /// So many of the table's stakes a point.
        units: u16,
    },
    /// The box agreed where a member's cube starts.
    StartSet {
        /// Whose cube.
        player: PlayerId,
        /// Where.
        value: CubeValue,
    },
    /// Rolls for the order were entered.
    RollsEntered {
        /// The rolls.
        rolls: Vec<Roll>,
        /// Who sits where after them.
        seats: Seats,
    },
    /// The service rolled, or shuffled, for the order.
    OrderDrawn {
        /// Every round: first all, then the tied; none if it was shuffled.
        rounds: Vec<Vec<Roll>>,
        /// Who sits where after them.
        seats: Seats,
    },
    /// The order was entered by hand.
    OrderSet {
        /// Who sits where after it.
        seats: Seats,
    },
    /// The partnership with the box was offered.
    PartnershipOffered {
        /// To whom first, and to whom then.
        to: Vec<PlayerId>,
    },
    /// The partnership was declined; the next of those it is offered to is due.
    PartnershipDeclined {
        /// By whom.
        player: PlayerId,
    },
    /// The box has a partner.
    PartnershipMade {
        /// Who.
        player: PlayerId,
        /// Whether lots were drawn for it.
        drawn: bool,
        /// Who sits where after it.
        seats: Seats,
    },
    /// A captain who had won the box declined it.
    BoxDeclined {
        /// Who.
        player: PlayerId,
        /// Who sits where after it.
        seats: Seats,
        /// Who has stood up since the last game, he among them: before them, or behind, newcomers sit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stood_up: Option<Vec<PlayerId>>,
    },
    /// A game began.
    GameStarted {
        /// Its number in this chouette, from 1.
        game: u32,
        /// The box.
        #[serde(rename = "box")]
        box_player: PlayerId,
        /// The captain.
        captain: PlayerId,
        /// The box's partners.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        partners: Vec<PlayerId>,
        /// The bets, in line order.
        bets: Vec<OpenedBet>,
        /// How many automatic doubles of the game before were carried over; the bets have them.
        #[serde(default, skip_serializing_if = "is_zero")]
        carried: u8,
        /// Whether the engine referees it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        refereed: bool,
        /// What is played in it, and how.
        #[serde(default, rename = "rules", skip_serializing_if = "BoardRules::are_usual")]
        on_board: BoardRules,
        /// Where partners are of the team, which would be too small without them: who sits where.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seats: Option<Seats>,
    },
    /// The opening roll was a tie (C6).
    OpeningTied {
        /// The bets whose cube it doubled; none if it was declined or beyond the limit.
        bets: Vec<RaisedBet>,
        /// What became of it.
        automatic: Automatic,
    },
    /// A player doubled.
    Doubled {
        /// Who.
        player: PlayerId,
        /// The bets doubled.
        bets: Vec<TurnedBet>,
    },
    /// A player redoubled at once, and will keep the cube.
    Beavered {
        /// Who.
        player: PlayerId,
        /// Which in the row: 1 a beaver, 2 a raccoon, 3 an otter.
        number: u8,
        /// The bets redoubled.
        bets: Vec<TurnedBet>,
        /// Of the first answer to the turn's doubles: who acted as captain then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        captain: Option<PlayerId>,
    },
    /// A player has answered, where all answer at once. What, nobody sees until all have.
    Answered {
        /// Who.
        player: PlayerId,
        /// What; not shown to others until all have answered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(ignore))]
        answer: Option<Answer>,
    },
    /// A player took.
    Taken {
        /// Who.
        player: PlayerId,
        /// The bets taken.
        bets: Vec<TurnedBet>,
        /// Of the first answer to the turn's doubles: who acted as captain then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        captain: Option<PlayerId>,
    },
    /// A player dropped. If nothing is left to play for, `game_finished` follows in the same act.
    Dropped {
        /// Who.
        player: PlayerId,
        /// The bets lost.
        bets: Vec<DroppedBet>,
        /// Of the first answer to the turn's doubles: who acted as captain then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        captain: Option<PlayerId>,
    },
    /// The captain dropped, and the next member still in is captain (Q8).
    CaptainChanged {
        /// Who.
        captain: PlayerId,
        /// The members in their new order: the former captain at the end.
        members: Vec<PlayerId>,
    },
    /// Who took the box's double moved up into the places of who dropped it (Q7).
    TakersMovedUp {
        /// The members in their new order.
        members: Vec<PlayerId>,
    },
    /// All but one dropped: a rule about lone takers holds (Q10).
    LoneTaker {
        /// Who took alone.
        player: PlayerId,
        /// What he may or must do, or others.
        then: Lone,
    },
    /// An extra was offered to the lone taker, who answers when all have been asked.
    ExtraOffered {
        /// By whom.
        player: PlayerId,
    },
    /// An extra was passed.
    ExtraPassed {
        /// By whom.
        player: PlayerId,
    },
    /// Extras were given to the lone taker (Q10).
    ExtrasGiven {
        /// To whom.
        taker: PlayerId,
        /// By whom, with what was paid for it and the bet that it is.
        extras: Vec<GivenExtra>,
    },
    /// The dice were rolled: the turn's doubles are over.
    PlayedOn {},
    /// Bets were settled by agreement. If nothing is left to play for, `game_finished` follows.
    Settled {
        /// Which, and how.
        bets: Vec<AgreedBet>,
    },
    /// Something happened on the board of a refereed game.
    Board {
        /// What; White is the box, Black the team.
        of: owlbox_engine::game::Event,
    },
    /// A game is over.
    GameFinished(FinishedGame),
    /// A finished game was corrected.
    GameCorrected {
        /// Its number.
        game: u32,
        /// The side that won it.
        winner: Side,
        /// How; `null` if it ended by drops.
        win: Option<Win>,
        /// Its bets as they were.
        before: Vec<SettledBet>,
        /// Its bets as they are now.
        after: Vec<SettledBet>,
        /// Where the cubes stood in the end, and whether they had been turned.
        cubes: Vec<EndedCube>,
    },
    /// One player paid another.
    Paid {
        /// Who.
        payer: PlayerId,
        /// Whom.
        payee: PlayerId,
        /// How much: minor units of the stake's currency, or half points if no money is played for.
        amount: i64,
    },
    /// Some left for a table of their own.
    Split {
        /// Which table.
        table: ChouetteId,
        /// Who.
        players: Vec<PlayerId>,
        /// Who sits where after it.
        seats: Seats,
        /// Where a captain could have declined the box before: whether he still can.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        may_decline: Option<bool>,
    },
    /// Everybody went over to another table, and this one is closed.
    MergedInto {
        /// Which table.
        table: ChouetteId,
    },
    /// The night is over.
    Closed {},
}

impl EventKind {
    /// Whether it puts right what was entered.
    #[must_use]
    pub const fn puts_right(self) -> bool {
        match self {
            Self::GameCorrected => true,
            Self::Opened
            | Self::RulesChanged
            | Self::Joined
            | Self::Left
            | Self::WentOnBreak
            | Self::Returned
            | Self::ProxyNamed
            | Self::PlayersMerged
            | Self::StakeSet
            | Self::StartSet
            | Self::RollsEntered
            | Self::OrderDrawn
            | Self::OrderSet
            | Self::PartnershipOffered
            | Self::PartnershipDeclined
            | Self::PartnershipMade
            | Self::BoxDeclined
            | Self::GameStarted
            | Self::OpeningTied
            | Self::Doubled
            | Self::Beavered
            | Self::Answered
            | Self::Taken
            | Self::Dropped
            | Self::CaptainChanged
            | Self::TakersMovedUp
            | Self::LoneTaker
            | Self::ExtraOffered
            | Self::ExtraPassed
            | Self::ExtrasGiven
            | Self::PlayedOn
            | Self::Settled
            | Self::Board
            | Self::GameFinished
            | Self::Paid
            | Self::Split
            | Self::MergedInto
            | Self::Closed => false,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// A bet as a game began with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct OpenedBet {
    /// Its number within the game, from 1.
    pub bet: u32,
    /// Who plays it against the box.
    pub member: PlayerId,
    /// What kind it is.
    pub kind: BetKind,
    /// Where its cube stands, centred.
    pub value: CubeValue,
    /// How many of the table's stakes a point of it is.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub units: u16,
}

const fn one() -> u16 {
    1
}
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_one(units: &u16) -> bool {
    *units == 1
}

/// What became of a tie of the opening roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Automatic {
    /// The cubes were doubled.
    Doubled,
    /// The box declined.
    Declined,
    /// The game has had as many as it may, or the cubes are at their cap.
    BeyondLimit,
    /// As `beyond_limit`, and the cubes of the next game are doubled instead.
    CarriedOver,
}

/// A bet whose cube was raised in the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RaisedBet {
    /// Its number within the game.
    pub bet: u32,
    /// What the cube stands at now.
    pub to: CubeValue,
}

/// A bet whose cube was offered or taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TurnedBet {
    /// Its number within the game.
    pub bet: u32,
    /// The player on the other side of it.
    pub opponent: PlayerId,
    /// What the cube stands at if taken, and then does.
    pub to: CubeValue,
}

/// A bet lost by a drop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct DroppedBet {
    /// Its number within the game.
    pub bet: u32,
    /// The player who won it.
    pub opponent: PlayerId,
    /// What the opponent won, in half points.
    pub points: HalfPoints,
    /// The cube in the end: what it stood at before the double, and whose it was then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cube: Option<DroppedCube>,
}

/// Where the cube of a bet lost by a drop stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct DroppedCube {
    /// What it stood at.
    pub value: CubeValue,
    /// Whose it was; `null` if it was in the middle.
    pub owner: Option<Side>,
}

/// What one who took alone may or must do, or others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "rule", rename_all = "snake_case", deny_unknown_fields)]
pub enum Lone {
    /// He must drop too (Q9): `dropped` follows in the same act.
    MustDrop {},
    /// He must beaver or drop.
    MustBeaverOrDrop {},
    /// These are asked, in this order, whether they give him an extra (Q10).
    Extras {
        /// Who is asked.
        asked: Vec<PlayerId>,
    },
}

/// Who is asked for an extra, and who has offered one, when somebody is asked no more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct StillAsked {
    /// Who has still to say, in this order.
    pub asked: Vec<PlayerId>,
    /// Who has offered one.
    pub offered: Vec<PlayerId>,
}

/// An extra that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct GivenExtra {
    /// Who gave it.
    pub giver: PlayerId,
    /// The number of the bet that is settled by the payment.
    pub payment: u32,
    /// What was paid for it, in half points.
    pub points: HalfPoints,
    /// The number of the bet that is played: the giver on the box's side, the cube the taker's.
    pub bet: u32,
    /// What its cube stands at.
    pub value: CubeValue,
    /// How many of the table's stakes a point of it is.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub units: u16,
}

/// A bet settled by agreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AgreedBet {
    /// Its number within the game.
    pub bet: u32,
    /// The side that is paid.
    pub winner: Side,
    /// How much, in half points.
    pub points: HalfPoints,
    /// The side that counts as the winner for the rotation.
    pub counts_for: Side,
}

/// Where a cube stood when its bet ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct EndedCube {
    /// The bet's number within the game.
    pub bet: u32,
    /// What it stood at; of a drop, before the double.
    pub value: CubeValue,
    /// Whether it had been turned and taken (C9).
    pub turned: bool,
}

/// A bet of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct GameBet {
    /// The game's number.
    pub game: u32,
    /// The bet.
    pub bet: SettledBet,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct FinishedGame {
    /// Its number in this chouette.
    pub game: u32,
    /// The side that won it; if it ended by drops or settlements, the side that won the last bet with the box, or
    /// counts as its winner. Of several bets that were settled at once the captain's says it, or else the last in
    /// line.
    pub winner: Side,
    /// How; `null` if it ended by drops or settlements.
    pub win: Option<Win>,
    /// Every bet with its result, in the order of the bets; partners' shares last.
    pub bets: Vec<SettledBet>,
    /// The whole new line: box, captain, crew, whoever is on a break in his place.
    pub line: Vec<PlayerId>,
    /// The box's partners of the next game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partners: Vec<PlayerId>,
    /// Who stood up and sits at the end of the line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stood_up: Vec<PlayerId>,
    /// The captain who has won the box and may decline it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub may_decline: Option<PlayerId>,
}
