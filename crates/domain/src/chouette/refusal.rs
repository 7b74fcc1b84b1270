//! Why a chouette refuses a command. Codes are stable; words live with the pages' locales.
//!
//! If several reasons apply, the first of this order is given:
//!
//! 1. the table: `already_open`, `not_open`, `closed`;
//! 2. the command's own values: `bad_name`, `contradictory_rules`, `odd_stake`, `stakes_too_high`, `no_such_win` (once
//!    there is a game);
//! 3. the house rules: `not_in_rules`;
//! 4. the phase: `game_in_progress`, `no_game` (but see `leave`), `order_already_set`, `no_order`, `refereed`,
//!    `not_refereed`;
//! 5. the player: `unknown_player`, `not_here`, `already_here`, `table_full`, then for a `leave`
//!    `game_in_progress`, and for cubes `not_in_game`;
//! 6. the number of players: `too_few_players`, `split_due`, `partner_due`; who rolled: `wrong_rollers`;
//! 7. what must come first: `must_answer`, `not_asked`, `not_your_answer`;
//! 8. the opponents named: `bad_choice`, `no_such_opponent`;
//! 9. the cubes, by the first bet named that cannot: `only_captain`, `not_on_turn`, `offer_pending`,
//!    `not_your_cube`, `cube_at_limit`, `late_double`, `no_offer`, `no_beaver`;
//! 10. what they come to together: `restraint`, `must_drop`, `must_beaver_or_drop`.

use serde::Serialize;

use crate::chouette::CommandKind;
use crate::chouette::rules::{BoxRestraint, Contradiction};
use crate::listed::refusals;
use crate::values::{HalfPoints, PlayerId};
use owlbox_engine::{CubeValue, Win};

refusals! {
    /// Why a command was refused. Nothing has changed.
    pub enum Refusal;

    /// Only `open` can come first.
    NotOpen = NotOpen, "the table is not open yet";
    /// `open` comes once.
    AlreadyOpen = AlreadyOpen, "the table has been opened already";
    /// The night is over.
    Closed = Closed, "the night is closed";
    /// Not a name for a table.
    BadName = BadName, "not a name for a table";
    /// Two house rules that cannot stand together.
    ContradictoryRules {
        /// Which, and why.
        contradiction: Contradiction,
    } = ContradictoryRules, "{contradiction}";
    /// Half points of the stake are no whole minor units.
    OddStake = OddStake, "where half points are allowed the stake must be even in minor units";
    /// With these stakes and this cap of the cube a game could come to more than the books hold.
    StakesTooHigh {
        /// The field of the command that says too much.
        field: &'static str,
        /// The most that it may be: minor units a point, or of `units` so many of the table's stakes.
        most: i64,
    } = StakesTooHigh, "the stakes and the cap of the cube let a game come to more than the books hold";
    /// The house rules do not have it.
    NotInRules {
        /// The setting.
        key: &'static str,
    } = NotInRules, "the house rules do not have this: {key}";
    /// G14, V4: the game that is played knows no such win.
    NoSuchWin {
        /// Those that it knows.
        wins: &'static [Win],
    } = NoSuchWin, "the game knows no such win";
    /// A game is on.
    GameInProgress {
        /// Of `leave`: who may go now.
        may_leave: Option<Vec<PlayerId>>,
    } = GameInProgress, "a game is in progress";
    /// No game is on.
    NoGame = NoGame, "no game is in progress";
    /// The line stands.
    OrderAlreadySet = OrderAlreadySet, "the order is settled already";
    /// The line does not stand yet.
    NoOrder = NoOrder, "the order is not settled yet";
    /// The engine referees the game and finds that itself.
    Refereed = Refereed, "the game is refereed: this comes from its board";
    /// The game has no board.
    NotRefereed = NotRefereed, "the game is not refereed";
    /// Has never sat at this table.
    UnknownPlayer {
        /// Who.
        player: PlayerId,
        /// Who is here.
        present: Vec<PlayerId>,
    } = UnknownPlayer, "{player} is unknown at this table";
    /// Has sat here, and gone.
    NotHere {
        /// Who.
        player: PlayerId,
        /// Who is here.
        present: Vec<PlayerId>,
    } = NotHere, "{player} is not here now";
    /// Is at the table already.
    AlreadyHere {
        /// Who.
        player: PlayerId,
    } = AlreadyHere, "{player} is here already";
    /// No seat is free.
    TableFull {
        /// How many seats there are.
        seats: usize,
    } = TableFull, "all {seats} seats are taken";
    /// Does not play this game, or has dropped.
    NotInGame {
        /// Who.
        player: PlayerId,
        /// Who is.
        players: Vec<PlayerId>,
    } = NotInGame, "{player} is not in the game";
    /// Not on a break.
    NotOnBreak {
        /// Who is.
        resting: Vec<PlayerId>,
    } = NotOnBreak, "the player is not on a break";
    /// On a break already.
    OnBreak = OnBreak, "the player is on a break";
    /// Not enough to go on.
    TooFewPlayers {
        /// How many are needed.
        needed: usize,
    } = TooFewPlayers, "{needed} players are needed";
    /// More than may play at one table.
    SplitDue {
        /// How many may.
        at_most: usize,
        /// Who would leave.
        leaving: Vec<PlayerId>,
    } = SplitDue, "more than {at_most} players: the table has to be split";
    /// The house rules want the box to have a partner.
    PartnerDue = PartnerDue, "the box must have a partner";
    /// Nobody is to become partner now.
    NoPartnership = NoPartnership, "there is no partnership to offer";
    /// The partnership is not offered to this player now.
    NotOffered {
        /// To whom it is.
        to: Option<PlayerId>,
    } = NotOffered, "the partnership is not offered to this player now";
    /// Not one who may decline the box now.
    CannotDecline {
        /// Who may.
        may: Option<PlayerId>,
    } = CannotDecline, "this player cannot decline the box now";
    /// Somebody must decide for the one who goes.
    ProxyNeeded {
        /// Who could.
        proxies: Vec<PlayerId>,
    } = ProxyNeeded, "somebody must decide for the one who goes";
    /// Cannot decide for this player.
    BadProxy {
        /// Who could.
        proxies: Vec<PlayerId>,
    } = BadProxy, "this player cannot decide for the one who goes";
    /// The bets must be settled first.
    MustSettle {
        /// With whom.
        opponents: Vec<PlayerId>,
    } = MustSettle, "the bets must be settled first";
    /// The two cannot be one.
    CannotMerge = CannotMerge, "players who sat or bet against each other are two";
    /// Not one roll of each who has to roll, or not with as many dice as the house rules ask for.
    WrongRollers {
        /// Who has to.
        to_roll: Vec<PlayerId>,
        /// How many dice.
        dice: usize,
    } = WrongRollers, "exactly those who have to roll must roll, once each, {dice} dice";
    /// Not everybody present, once each.
    WrongLine {
        /// Who is.
        present: Vec<PlayerId>,
    } = WrongLine, "the line must be everybody present, once each";
    /// Not a stake.
    BadStake = BadStake, "a player's stake is 1 to 1,000 of the table's";
    /// Not where a cube starts.
    BadStart {
        /// Where it can.
        starts: Vec<u32>,
    } = BadStart, "a cube starts at 1, 2 or 4, and not above the cap";
    /// The box has no cube of its own (Q11): it agrees to where those of members start.
    BoxHasNoCube = BoxHasNoCube, "the box has no cube of its own: it agrees to where members' cubes start";
    /// Not who can leave for another table.
    BadSplit {
        /// Who could.
        leaving: Vec<PlayerId>,
        /// How many have to stay.
        stay: usize,
    } = BadSplit, "at least three leave and {stay} stay";
    /// Too late for an opening roll.
    TooLateForTie = TooLate, "the opening roll is over";
    /// An automatic double that is nobody's choice.
    AutomaticCompulsory = AutomaticCompulsory, "this automatic double is compulsory";
    /// Something else must be answered first.
    MustAnswer {
        /// By whom.
        player: PlayerId,
    } = MustAnswer, "{player} has to answer first";
    /// Is not asked for an extra now.
    NotAsked {
        /// Who is.
        asked: Option<PlayerId>,
    } = NotAsked, "this player is not asked for an extra now";
    /// Others answer first.
    NotYourAnswer {
        /// Who is due.
        due: PlayerId,
    } = NotYourAnswer, "{due} answers first";
    /// An empty list, or one that names a player twice.
    BadChoice {
        /// Who could be named.
        opponents: Vec<PlayerId>,
    } = BadChoice, "name each opponent once, or none of them to mean all";
    /// Plays no running bet against this player.
    NoSuchOpponent {
        /// Who.
        opponent: PlayerId,
        /// Who does.
        opponents: Vec<PlayerId>,
    } = NoSuchOpponent, "{opponent} is no opponent in a bet that is on";
    /// Only the captain doubles a single cube, or beavers it (Q7).
    OnlyCaptain {
        /// Who acts as captain.
        captain: PlayerId,
    } = OnlyCaptain, "there is one cube, and {captain} doubles for the team";
    /// Only the side on roll can double (C2), and the other side's double waits for its answer.
    NotOnTurn {
        /// The players of the side on roll.
        on_turn: Vec<PlayerId>,
    } = NotOnTurn, "the other side is on roll";
    /// A double waits for its answer.
    OfferPending {
        /// Of `double`: whom one can double now. Of others: who has to answer.
        players: Vec<PlayerId>,
    } = OfferPending, "a double waits for its answer";
    /// The box has answered in this turn, and doubles are closed.
    LateDouble = LateDouble, "the box has answered: nobody doubles in this turn any more";
    /// The cube is the opponent's (C4).
    NotYourCube {
        /// Whom one can double now.
        opponents: Vec<PlayerId>,
    } = NotYourCube, "the cube is the opponent's";
    /// The cube is as high as it may go (C10).
    CubeAtLimit {
        /// How high.
        limit: CubeValue,
    } = CubeAtLimit, "the cube may not go above {limit}";
    /// Lower than where the cube began - or, if it was turned, than twice that.
    CubeTooLow {
        /// The lowest it can have stood at.
        least: CubeValue,
    } = CubeTooLow, "the cube cannot have stood below {least}";
    /// Nothing waits for this player's answer.
    NoOffer {
        /// Whose doubles wait for this player's answer.
        opponents: Vec<PlayerId>,
    } = NoOffer, "there is no double to answer";
    /// The animals end here (C7, C8).
    NoBeaver = NoBeaver, "the house rules do not allow another redouble at once";
    /// The box may not treat the cubes so.
    Restraint {
        /// The rule.
        rule: BoxRestraint,
    } = Restraint, "the house rules do not let the box treat the cubes so";
    /// The last one must drop too (Q9).
    MustDrop = MustDrop, "all others have dropped: the last one must drop too";
    /// The last one must beaver or drop.
    MustBeaverOrDrop = MustBeaverOrDrop, "all others have dropped: the last one must beaver or drop";
    /// Nothing has happened in this turn that a roll would end.
    NothingToPlayOn = NothingToPlayOn, "nobody has doubled in this turn";
    /// Half a point, where only whole ones are settled.
    WholePointsOnly = WholePointsOnly, "only whole points are settled here";
    /// Not an amount to settle for, or to pay.
    BadAmount {
        /// The most.
        most: HalfPoints,
    } = BadAmount, "not an amount to settle or pay";
    /// Who counts as winner between box and captain must be said, exactly if their bet is settled.
    CountsFor {
        /// Whether it must.
        needed: bool,
    } = CountsFor, "who counts as winner must be said exactly if box and captain settle";
    /// No game of this number has been finished.
    NoSuchGame {
        /// How many have.
        games: u32,
    } = NoSuchGame, "no such game has been finished";
    /// No bet of this number, or one named twice.
    NoSuchBet {
        /// Which there are.
        bets: Vec<u32>,
    } = NoSuchBet, "no such bet, or one named twice";
    /// The kind of win must be said.
    WinNeeded = WinNeeded, "a bet that was played to the end needs the winner and the kind of win";
    /// Nothing would change.
    NothingChanges = NothingChanges, "this changes nothing";

    =>
    /// What the engine refuses in a refereed game; the code is the engine's.
    Board {
        /// Its refusal.
        refusal: owlbox_engine::game::Refusal,
    }, "{refusal}";
}

/// What would have been allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Allowed {
    /// These commands.
    Commands(&'static [CommandKind]),
    /// This player, who is due.
    Player(PlayerId),
    /// One or all of these players.
    Players(Vec<PlayerId>),
    /// So many seats or players.
    HowMany(usize),
    /// A text or number like this, in English.
    Text(&'static str),
    /// At most so many minor units a point, or so many of the table's stakes.
    MinorUnits(i64),
    /// At most this amount.
    Amount(HalfPoints),
    /// Two settings of the house rules, but not both as they are.
    Settings([&'static str; 2]),
    /// A win of these kinds.
    Wins(&'static [Win]),
    /// A cube that starts at one of these.
    Starts(Vec<u32>),
    /// At most, or at least, this cube.
    Cube(CubeValue),
    /// What this restraint of the box lets it do.
    Rule(BoxRestraint),
    /// The games up to this one.
    Games(u32),
    /// These bets of the game.
    Bets(Vec<u32>),
}

impl Refusal {
    /// The field of the command that is to blame, if one is.
    #[must_use]
    pub const fn field(&self) -> Option<&'static str> {
        Some(match self {
            Self::BadName => "name",
            Self::ContradictoryRules { .. } => "rules",
            Self::OddStake => "stake",
            Self::StakesTooHigh { field, .. } => field,
            Self::UnknownPlayer { .. }
            | Self::NotHere { .. }
            | Self::AlreadyHere { .. }
            | Self::NotInGame { .. }
            | Self::NotOnBreak { .. }
            | Self::OnBreak
            | Self::BoxHasNoCube
            | Self::NotOffered { .. }
            | Self::CannotDecline { .. }
            | Self::NotAsked { .. }
            | Self::NotYourAnswer { .. }
            | Self::OnlyCaptain { .. }
            | Self::CannotMerge
            | Self::NotOnTurn { .. }
            | Self::GameInProgress { may_leave: Some(_) } => "player",
            Self::ProxyNeeded { .. } | Self::BadProxy { .. } => "proxy",
            Self::WrongRollers { .. } => "rolls",
            Self::WrongLine { .. } => "line",
            Self::BadStake => "units",
            Self::BadStart { .. } => "value",
            Self::BadSplit { .. } => "players",
            Self::BadChoice { .. }
            | Self::NoSuchOpponent { .. }
            | Self::NotYourCube { .. }
            | Self::Restraint { .. } => "against",
            Self::CountsFor { .. } => "counts_for",
            Self::NoSuchGame { .. } => "game",
            Self::WinNeeded | Self::NoSuchWin { .. } => "win",
            Self::NoSuchBet { .. } | Self::WholePointsOnly | Self::CubeTooLow { .. } => "bets",
            Self::BadAmount { .. } => "amount",
            Self::Board { .. } => "action",
            Self::NotOpen
            | Self::AlreadyOpen
            | Self::Closed
            | Self::NotInRules { .. }
            | Self::GameInProgress { .. }
            | Self::NoGame
            | Self::OrderAlreadySet
            | Self::NoOrder
            | Self::Refereed
            | Self::NotRefereed
            | Self::TableFull { .. }
            | Self::TooFewPlayers { .. }
            | Self::SplitDue { .. }
            | Self::PartnerDue
            | Self::NoPartnership
            | Self::MustSettle { .. }
            | Self::TooLateForTie
            | Self::AutomaticCompulsory
            | Self::MustAnswer { .. }
            | Self::OfferPending { .. }
            | Self::LateDouble
            | Self::CubeAtLimit { .. }
            | Self::NoOffer { .. }
            | Self::NoBeaver
            | Self::MustDrop
            | Self::MustBeaverOrDrop
            | Self::NothingToPlayOn
            | Self::NothingChanges => return None,
        })
    }

    /// What would have been allowed; `None` if nothing would.
    #[must_use]
    pub fn allowed(&self) -> Option<Allowed> {
        Some(match self {
            Self::NotOpen => Allowed::Commands(&[CommandKind::Open]),
            Self::BadName => Allowed::Text("1 to 80 visible characters, no line breaks"),
            Self::ContradictoryRules { contradiction } => {
                Allowed::Settings([contradiction.one, contradiction.other])
            }
            Self::OddStake => Allowed::Text("an even number of minor units"),
            Self::StakesTooHigh { most, .. } => Allowed::MinorUnits(*most),
            Self::GameInProgress { may_leave: None } => Allowed::Commands(&[CommandKind::Finish]),
            Self::GameInProgress { may_leave: Some(players) } => Allowed::Players(players.clone()),
            Self::NoGame | Self::OrderAlreadySet => Allowed::Commands(&[CommandKind::StartGame]),
            Self::NoOrder => {
                Allowed::Commands(&[CommandKind::DrawOrder, CommandKind::EnterRolls, CommandKind::SetOrder])
            }
            Self::Refereed => Allowed::Commands(&[CommandKind::Board]),
            Self::UnknownPlayer { present, .. }
            | Self::NotHere { present, .. }
            | Self::WrongLine { present } => Allowed::Players(present.clone()),
            Self::TableFull { seats } => Allowed::HowMany(*seats),
            Self::NotInGame { players, .. } | Self::OfferPending { players } => {
                Allowed::Players(players.clone())
            }
            Self::NotOnBreak { resting } => Allowed::Players(resting.clone()),
            Self::NoSuchWin { wins } => Allowed::Wins(wins),
            Self::TooFewPlayers { needed } => Allowed::HowMany(*needed),
            Self::SplitDue { leaving, .. } | Self::BadSplit { leaving, .. } => {
                Allowed::Players(leaving.clone())
            }
            Self::PartnerDue => Allowed::Commands(&[CommandKind::OfferPartnership]),
            Self::NotOffered { to } => Allowed::Player((*to)?),
            Self::CannotDecline { may } => Allowed::Player((*may)?),
            Self::ProxyNeeded { proxies } | Self::BadProxy { proxies } => Allowed::Players(proxies.clone()),
            Self::MustSettle { opponents }
            | Self::BadChoice { opponents }
            | Self::NoSuchOpponent { opponents, .. }
            | Self::NotYourCube { opponents }
            | Self::NoOffer { opponents } => Allowed::Players(opponents.clone()),
            Self::WrongRollers { to_roll, .. } => Allowed::Players(to_roll.clone()),
            Self::BadStake => Allowed::Text("1 to 1,000"),
            Self::BadStart { starts } => Allowed::Starts(starts.clone()),
            Self::MustAnswer { player } | Self::NotYourAnswer { due: player } => Allowed::Player(*player),
            Self::NotAsked { asked } => Allowed::Player((*asked)?),
            Self::OnlyCaptain { captain } => Allowed::Player(*captain),
            Self::NotOnTurn { on_turn } => Allowed::Players(on_turn.clone()),
            Self::LateDouble => Allowed::Commands(&[CommandKind::PlayOn]),
            Self::CubeAtLimit { limit } => Allowed::Cube(*limit),
            Self::CubeTooLow { least } => Allowed::Cube(*least),
            Self::Restraint { rule } => Allowed::Rule(*rule),
            Self::MustDrop => Allowed::Commands(&[CommandKind::Drop]),
            Self::MustBeaverOrDrop => Allowed::Commands(&[CommandKind::Beaver, CommandKind::Drop]),
            Self::BadAmount { most } => Allowed::Amount(*most),
            Self::NoSuchGame { games } => Allowed::Games(*games),
            Self::NoSuchBet { bets } => Allowed::Bets(bets.clone()),
            Self::WinNeeded => Allowed::Wins(&Win::ALL),
            Self::AlreadyOpen
            | Self::Closed
            | Self::NotInRules { .. }
            | Self::NotRefereed
            | Self::AlreadyHere { .. }
            | Self::OnBreak
            | Self::NoPartnership
            | Self::CannotMerge
            | Self::BoxHasNoCube
            | Self::TooLateForTie
            | Self::AutomaticCompulsory
            | Self::NoBeaver
            | Self::NothingToPlayOn
            | Self::WholePointsOnly
            | Self::CountsFor { .. }
            | Self::NothingChanges
            | Self::Board { .. } => return None,
        })
    }
}
