//! Events of a chouette. They record outcomes (seats, amounts, cube values), so that applying one decides
//! nothing, and they hold ids, never names.
//!
//! Whatever the house rules decide stands in the event, because rules may change: who sits where, who is
//! asked, who may or must do what, who counts as captain, what a bet came to and where its cube stood. What
//! follows from the event itself is worked out as it is applied: the turn that a double begins, its offer and
//! the answer that ends it (C2 to C4 and C8, the same in every house), questions that lapse because something
//! else was done, starts agreed with a player who is no longer box. Fields added later are optional; where an
//! old event lacks one, `outcome` reads it as the program of its time did.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray};

use crate::bet::{BetKind, SettledBet, Side};
use crate::game::{Answer, Proxy};
use crate::order::{Roll, Seats};
use crate::rules::HouseRules;
use owlbox_base::values::{ChouetteId, HalfPoints, Payment, PlayerId, Stake};
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
    /// The table was opened for a night.
    Opened {
        /// The name of the table.
        name: String,
        /// The night it belongs to, by the club's clock.
        night: NaiveDate,
        /// What a point is worth; `null` if no money is played for.
        stake: Option<Stake>,
        /// The full set of house rules in force.
        rules: Box<HouseRules>,
        /// The table it was split from.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<ChouetteId>,
    },
    /// The house rules changed between games.
    RulesChanged {
        /// The full set now in force.
        rules: Box<HouseRules>,
        /// The seats after this event.
        seats: Seats,
    },
    /// A player came in, or came back after leaving (Q5).
    Joined {
        player: PlayerId,
        /// The seats after this event.
        seats: Seats,
    },
    /// A player left the table (Q5).
    Left {
        player: PlayerId,
        /// The seats after this event.
        seats: Seats,
        /// Who decides for the player for the rest of this game, if they were still in it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        proxy: Option<Proxy>,
        /// Whether the captain who won the box can still decline it; absent if nobody could before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        may_decline: Option<bool>,
        /// Who is still asked for an extra; absent if nobody was being asked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asked: Option<StillAsked>,
    },
    /// A player went on a break.
    WentOnBreak {
        player: PlayerId,
        /// The seats after this event.
        seats: Seats,
        /// Who decides for the player for the rest of this game, if they were still in it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        proxy: Option<Proxy>,
        /// Whether the captain who won the box can still decline it; absent if nobody could before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        may_decline: Option<bool>,
        /// Who is still asked for an extra; absent if nobody was being asked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asked: Option<StillAsked>,
    },
    /// A player came back from a break.
    Returned {
        player: PlayerId,
        /// The seats after this event.
        seats: Seats,
        /// Whether the captain who won the box can still decline it; absent if nobody could before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        may_decline: Option<bool>,
    },
    /// Somebody else decides a player's cubes from now on, or the player does again.
    ProxyNamed {
        /// The player whose cubes these are.
        player: PlayerId,
        /// Who decides them; `null` if the player does again.
        proxy: Option<Proxy>,
        /// Who is still asked for an extra; absent if nobody was being asked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asked: Option<StillAsked>,
    },
    /// A player who had been entered twice was merged into one.
    PlayersMerged {
        /// The id entered by mistake.
        duplicate: PlayerId,
        /// The id that stays in use.
        player: PlayerId,
        /// The seats after this event.
        seats: Seats,
        /// The duplicate's bets in finished games as they were; they are the player's now.
        bets: Vec<GameBet>,
        /// What the duplicate had paid and been paid, as it was; it is the player's now.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        payments: Vec<Payment>,
        /// Whether the captain who won the box can still decline it; absent if nobody could before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        may_decline: Option<bool>,
    },
    /// A player set a stake of their own.
    StakeSet {
        player: PlayerId,
        /// How many of the table's stakes one point is worth to them.
        units: u16,
    },
    /// The box agreed to where a member's cube starts.
    StartSet {
        /// The member whose cube it is.
        player: PlayerId,
        /// What the cube starts at.
        value: CubeValue,
    },
    /// Rolls for the order were entered.
    RollsEntered {
        /// What each of these players rolled.
        rolls: Vec<Roll>,
        /// The seats after these rolls.
        seats: Seats,
    },
    /// The service rolled or shuffled for the order.
    OrderDrawn {
        /// Every round: first everybody's rolls, then those of the tied. Empty if the service shuffled.
        rounds: Vec<Vec<Roll>>,
        /// The seats after the draw.
        seats: Seats,
    },
    /// The order was entered by hand.
    OrderSet {
        /// The seats after this event.
        seats: Seats,
    },
    /// The partnership with the box was offered.
    PartnershipOffered {
        /// Everybody to whom it is offered, in turn.
        to: Vec<PlayerId>,
    },
    /// A player declined the partnership; the next in turn is asked.
    PartnershipDeclined {
        /// The player it was offered to.
        player: PlayerId,
    },
    /// The box got a partner.
    PartnershipMade {
        player: PlayerId,
        /// Whether lots were drawn, because nobody accepted.
        drawn: bool,
        /// The seats after this event.
        seats: Seats,
    },
    /// A captain who had won the box declined it.
    BoxDeclined {
        player: PlayerId,
        /// The seats after this event.
        seats: Seats,
        /// Everybody who has stood up since the last game, this captain included. Newcomers sit ahead of them
        /// or behind, as the house rules say. Absent in older events.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stood_up: Option<Vec<PlayerId>>,
    },
    /// A game began with these players and bets.
    GameStarted {
        /// Its number in this chouette, from 1.
        game: u32,
        #[serde(rename = "box")]
        box_player: PlayerId,
        captain: PlayerId,
        /// The box's partners; absent without one.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        partners: Vec<PlayerId>,
        /// The box's bets with the members, in line order.
        bets: Vec<OpenedBet>,
        /// How many automatic doubles were carried over from the game before. The cubes of `bets` include
        /// them.
        #[serde(default, skip_serializing_if = "is_zero")]
        carried: u8,
        /// Whether the engine referees it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        refereed: bool,
        /// The variant, and the rules of the board.
        #[serde(default, rename = "rules", skip_serializing_if = "BoardRules::are_usual")]
        on_board: BoardRules,
        /// The seats, if partners had to join a team that would have been too small without them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seats: Option<Seats>,
    },
    /// The opening roll was a tie (C6).
    OpeningTied {
        /// The bets whose cube it doubled; none unless `automatic` is `doubled`.
        bets: Vec<RaisedBet>,
        /// What became of the tie.
        automatic: Automatic,
    },
    /// A player doubled one or more opponents (C2).
    Doubled {
        player: PlayerId,
        /// The bets whose cubes were offered.
        bets: Vec<TurnedBet>,
    },
    /// A player redoubled at once and keeps the cube (C7, C8).
    Beavered {
        player: PlayerId,
        /// Where it comes in the sequence: 1 for a beaver, 2 for a raccoon, 3 for an otter, and so on.
        number: u8,
        /// The bets whose cubes were redoubled.
        bets: Vec<TurnedBet>,
        /// Who acted as captain, if this was the first answer to the turn's doubles.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        captain: Option<PlayerId>,
    },
    /// A player answered, where all answer at once. The answer stays hidden until all are in.
    Answered {
        player: PlayerId,
        /// The answer, which others do not see until all are in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(ignore))]
        answer: Option<Answer>,
    },
    /// A player took doubles or beavers (C4).
    Taken {
        player: PlayerId,
        /// The bets that go on at the higher stake.
        bets: Vec<TurnedBet>,
        /// Who acted as captain, if this was the first answer to the turn's doubles.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        captain: Option<PlayerId>,
    },
    /// A player dropped doubles or beavers (C3). If nothing is left to play for, `game_finished` follows in
    /// the same act.
    Dropped {
        player: PlayerId,
        /// The bets lost by the drop.
        bets: Vec<DroppedBet>,
        /// Who acted as captain, if this was the first answer to the turn's doubles.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        captain: Option<PlayerId>,
    },
    /// The captain dropped, and the next member still in is captain (Q8).
    CaptainChanged {
        /// The captain from now on.
        captain: PlayerId,
        /// The members in their new order, the former captain last.
        members: Vec<PlayerId>,
    },
    /// Members who took the box's double moved up into the places of those who dropped it (Q7).
    TakersMovedUp {
        /// The members in their new order.
        members: Vec<PlayerId>,
    },
    /// All members but one dropped, and a rule about lone takers is in force (Q9, Q10).
    LoneTaker {
        /// The member who took alone.
        player: PlayerId,
        /// What the lone taker may or must do, or what others may.
        then: Lone,
    },
    /// A player offered the lone taker an extra. The taker answers once all have been asked.
    ExtraOffered {
        /// The first of those asked.
        player: PlayerId,
    },
    /// A player gave no extra.
    ExtraPassed {
        /// One of those who were asked.
        player: PlayerId,
    },
    /// Extras were given to the lone taker (Q10).
    ExtrasGiven {
        /// The lone taker, who plays them.
        taker: PlayerId,
        /// Who gave one, what they paid for it and which bet it is.
        extras: Vec<GivenExtra>,
    },
    /// The dice were rolled, which ends the turn's doubles.
    PlayedOn {},
    /// Bets were settled by agreement. If nothing is left to play for, `game_finished` follows in the same
    /// act.
    Settled {
        /// The bets, with the amounts agreed.
        bets: Vec<AgreedBet>,
    },
    /// Something happened on the board of a refereed game.
    Board {
        /// What happened. White is the box, Black the team.
        of: owlbox_engine::game::Event,
    },
    /// A game is over, and the next seats are known.
    GameFinished(FinishedGame),
    /// A finished game was corrected.
    GameCorrected {
        /// The number of that game.
        game: u32,
        /// The side that won, as corrected.
        winner: Side,
        /// The kind of win; `null` if the game ended by drops or settlements.
        win: Option<Win>,
        /// Every bet with its result before the correction. Empty for viewers who may not see points.
        before: Vec<SettledBet>,
        /// Every bet with its result after the correction. Empty for viewers who may not see points.
        after: Vec<SettledBet>,
        /// Where the cubes stood at the end, and whether they had been turned.
        cubes: Vec<EndedCube>,
    },
    /// A player paid another. Debts change, scores do not. Not shown without a login.
    Paid {
        payer: PlayerId,
        payee: PlayerId,
        /// In minor units of the stake's currency, or in half points if no money is played for.
        amount: i64,
    },
    /// Some players left for a table of their own.
    Split {
        /// The table they moved to.
        table: ChouetteId,
        /// Who moved.
        players: Vec<PlayerId>,
        /// The seats of those who stay.
        seats: Seats,
        /// Whether the captain who won the box can still decline it; absent if nobody could before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        may_decline: Option<bool>,
    },
    /// Everybody moved to another table, and this one is closed.
    MergedInto {
        /// The table they moved to.
        table: ChouetteId,
    },
    /// The night is over, and the table is closed.
    Closed {},
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// A bet at the start of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct OpenedBet {
    /// Its number within the game, from 1.
    pub bet: u32,
    /// The member who plays it against the box.
    pub member: PlayerId,
    pub kind: BetKind,
    /// What its cube stands at; it is centred.
    pub value: CubeValue,
    /// How many of the table's stakes one point is worth.
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

/// What became of a tie in the opening roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Automatic {
    /// The tie doubled the centred cubes.
    Doubled,
    /// The box declined the automatic double.
    Declined,
    /// It had no effect: the game has had as many as it may, or the cubes are at their cap.
    BeyondLimit,
    /// As `beyond_limit`, but the cubes of the next game are doubled instead.
    CarriedOver,
}

/// A bet whose centred cube was doubled by a tie.
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
    /// The player on the other side.
    pub opponent: PlayerId,
    /// What the cube stands at if the offer is taken; of a take, what it stands at now.
    pub to: CubeValue,
}

/// What every stored event has, and not everybody is shown.
fn always<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<HalfPoints>, D::Error> {
    HalfPoints::deserialize(deserializer).map(Some)
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
    /// What the opponent won, in half points; absent for viewers who may not see it.
    #[serde(deserialize_with = "always", skip_serializing_if = "Option::is_none")]
    pub points: Option<HalfPoints>,
    /// The cube at the end: what the drop cost, and whose it was before the double.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cube: Option<DroppedCube>,
}

/// Where the cube of a bet lost by a drop stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct DroppedCube {
    pub value: CubeValue,
    /// Whose it was; `null` if it was centred.
    pub owner: Option<Side>,
}

/// What follows when one member alone takes the box's double.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "rule", rename_all = "snake_case", deny_unknown_fields)]
pub enum Lone {
    /// The lone taker must drop too (Q9): `dropped` follows in the same act.
    MustDrop {},
    /// The lone taker must beaver or drop.
    MustBeaverOrDrop {},
    /// Others are asked, in this order, whether they give the lone taker an extra (Q10).
    Extras {
        /// Who is asked, in order.
        asked: Vec<PlayerId>,
    },
}

/// Who is asked for an extra and who has offered one, after somebody has gone or got a proxy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct StillAsked {
    /// Who has not answered yet, in order.
    pub asked: Vec<PlayerId>,
    /// Who has offered an extra.
    pub offered: Vec<PlayerId>,
}

/// An extra given to the lone taker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct GivenExtra {
    pub giver: PlayerId,
    /// The number of the bet that the payment settles.
    pub payment: u32,
    /// What was paid for it, in half points; absent for viewers who may not see it.
    #[serde(deserialize_with = "always", skip_serializing_if = "Option::is_none")]
    pub points: Option<HalfPoints>,
    /// The number of the bet that is played. The giver is on the box's side, the cube is the taker's.
    pub bet: u32,
    /// What its cube stands at.
    pub value: CubeValue,
    /// How many of the table's stakes one point is worth.
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
    /// The side that was paid.
    pub winner: Side,
    /// How much, in half points; absent for viewers who may not see it.
    #[serde(deserialize_with = "always", skip_serializing_if = "Option::is_none")]
    pub points: Option<HalfPoints>,
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
    /// The number of its game.
    pub game: u32,
    pub bet: SettledBet,
}

/// A finished game: its results, and who sits where next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct FinishedGame {
    /// Its number in this chouette.
    pub game: u32,
    /// The side that won the game. If it ended by drops or settlements: the side that won the last bet with
    /// the box, or counts as its winner. Of several bets settled at once the captain's decides; failing that,
    /// the last in line.
    pub winner: Side,
    /// The kind of win; `null` if the game ended by drops or settlements.
    pub win: Option<Win>,
    /// Every bet with its result, in the order of the bets; partners' shares last. Empty for viewers who may
    /// not see points.
    pub bets: Vec<SettledBet>,
    /// The new line: box, captain, crew; players on a break who keep their place are included.
    pub line: Vec<PlayerId>,
    /// The box's partners in the next game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partners: Vec<PlayerId>,
    /// Who stood up after this game and stays.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stood_up: Vec<PlayerId>,
    /// The captain who won the box and may decline it; absent if nobody may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub may_decline: Option<PlayerId>,
}
