//! Refusals of a chouette. Their codes are stable; the pages' locales have words of their own.
//!
//! If several reasons apply, the first in this order is given:
//!
//! 1. the table: `already_open`, `not_open`, `closed`;
//! 2. the command's own values: `bad_name`, `contradictory_rules`, `odd_stake`, `stakes_too_high`,
//!    `no_such_win` (once there is a game);
//! 3. the house rules: `not_in_rules`;
//! 4. the phase: `game_in_progress`, `no_game` (but see `leave`), `order_already_set`, `no_order`,
//!    `refereed`, `not_refereed`;
//! 5. the player: `unknown_player`, `not_here`, `already_here`, `table_full`, then for a `leave`
//!    `game_in_progress`, and for cubes `not_in_game`;
//! 6. the number of players: `too_few_players`, `split_due`, `partner_due`; who rolled: `wrong_rollers`;
//! 7. what must come first: `must_answer`, `not_asked`, `not_your_answer`;
//! 8. the opponents named: `bad_choice`, `no_such_opponent`;
//! 9. the cubes, by the first named bet that fails: `only_captain`, `not_on_turn`, `offer_pending`,
//!    `not_your_cube`, `cube_at_limit`, `late_double`, `no_offer`, `no_beaver`;
//! 10. the answers taken together: `restraint`, `must_drop`, `must_beaver_or_drop`.

use serde::Serialize;

use crate::CommandKind;
use crate::rules::{BoxRestraint, Contradiction};
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_engine::{CubeValue, Win};

owlbox_base::refusals! {
    /// Why a command was refused. A refused command changes nothing.
    pub enum Refusal;

    /// The table has not been opened: the first command must be `open`.
    NotOpen = NotOpen, "the table is not open yet", instead Allowed::Commands(&[CommandKind::Open]);
    /// The table has been opened; `open` comes only once.
    AlreadyOpen = AlreadyOpen, "the table is open already";
    /// The night is closed. Only payments and corrections are still accepted.
    Closed = Closed, "the night is closed";
    /// The name is empty or too long, or has a character that a table's name may not have.
    BadName = BadName at "name", "a table needs a name of 1 to 80 visible characters",
        instead Allowed::Text("1 to 80 visible characters, no line breaks");
    /// Two of the house rules contradict each other.
    ContradictoryRules {
        /// The first contradiction found, with the keys of both settings.
        contradiction: Contradiction,
    } = ContradictoryRules at "rules", "{contradiction}",
        instead Allowed::Settings([contradiction.one, contradiction.other]);
    /// The house settles in half points, and half a point of this stake is not a whole number of minor units.
    OddStake = OddStake at "stake", "with half points the stake must be an even number of minor units",
        instead Allowed::Text("an even number of minor units");
    /// With these stakes and this cap of the cube a single game could exceed what the books hold.
    StakesTooHigh {
        /// The field of the command that is too high.
        field: &'static str,
        /// The most it may be: minor units a point or, for `units`, multiples of the table's stake.
        most: i64,
    } = StakesTooHigh at field, "with these stakes and this cube cap a game could exceed what the books can hold",
        instead Allowed::MinorUnits(*most);
    /// The house rules do not provide for this command.
    NotInRules {
        /// The key of the setting that excludes it.
        key: &'static str,
    } = NotInRules, "the house rules do not allow this: {key}";
    /// G14, V4: the variant being played does not have this kind of win.
    NoSuchWin {
        /// The kinds of win that it has.
        wins: &'static [Win],
    } = NoSuchWin at "win", "this game has no such win", instead Allowed::Wins(wins);
    /// A game is in progress, and the command has to wait for its end.
    GameInProgress {
        /// Of `leave`: the players who may leave now. `None` for other commands.
        may_leave: Option<Vec<PlayerId>>,
    } = GameInProgress at match may_leave { Some(_) => "player", None => return None },
        "a game is in progress",
        instead match may_leave {
            None => Allowed::Commands(&[CommandKind::Finish]),
            Some(players) => Allowed::Players(players.clone()),
        };
    /// The command needs a game in progress.
    NoGame = NoGame, "no game is in progress", instead Allowed::Commands(&[CommandKind::StartGame]);
    /// The order has been settled; it is rolled for or set only once.
    OrderAlreadySet = OrderAlreadySet, "the order is settled already",
        instead Allowed::Commands(&[CommandKind::StartGame]);
    /// The order has not been settled, so there is no box, captain or crew.
    NoOrder = NoOrder, "the order is not settled yet",
        instead Allowed::Commands(&[CommandKind::DrawOrder, CommandKind::EnterRolls, CommandKind::SetOrder]);
    /// The engine referees the game and finds this out by itself.
    Refereed = Refereed, "the game is refereed: its board decides this",
        instead Allowed::Commands(&[CommandKind::Board]);
    /// The command acts on a board, and the game has none.
    NotRefereed = NotRefereed, "the game is not refereed";
    /// The player has never sat at this table.
    UnknownPlayer {
        player: PlayerId,
        /// The players at the table now.
        present: Vec<PlayerId>,
    } = UnknownPlayer at "player", "{player} has never been at this table",
        instead Allowed::Players(present.clone());
    /// The player sat at this table earlier and has left.
    NotHere {
        player: PlayerId,
        /// The players at the table now.
        present: Vec<PlayerId>,
    } = NotHere at "player", "{player} has left the table", instead Allowed::Players(present.clone());
    /// The player is at the table already.
    AlreadyHere {
        player: PlayerId,
    } = AlreadyHere at "player", "{player} is at the table already";
    /// Every seat at the table is taken.
    TableFull {
        /// The number of seats at the table.
        seats: usize,
    } = TableFull, "all {seats} seats are taken", instead Allowed::HowMany(*seats);
    /// The player is at the table, but not in this game or no longer in it.
    NotInGame {
        player: PlayerId,
        /// The players in the game.
        players: Vec<PlayerId>,
    } = NotInGame at "player", "{player} is not in the game", instead Allowed::Players(players.clone());
    /// The player cannot come back: they are not on a break.
    NotOnBreak {
        /// The players on a break.
        resting: Vec<PlayerId>,
    } = NotOnBreak at "player", "this player is not on a break", instead Allowed::Players(resting.clone());
    /// The player is on a break already.
    OnBreak = OnBreak at "player", "this player is on a break already";
    /// Too few players are here for the roll or the game.
    TooFewPlayers {
        /// The number of players needed.
        needed: usize,
    } = TooFewPlayers, "at least {needed} players are needed", instead Allowed::HowMany(*needed);
    /// More players than the house rules allow at one table.
    SplitDue {
        /// The most players who may play at one table.
        at_most: usize,
        /// The players of a proposed second table.
        leaving: Vec<PlayerId>,
    } = SplitDue, "more than {at_most} players: the table must be split",
        instead Allowed::Players(leaving.clone());
    /// The house rules require a partner for the box before the game starts.
    PartnerDue = PartnerDue, "the box must have a partner",
        instead Allowed::Commands(&[CommandKind::OfferPartnership]);
    /// Nobody is due to become the box's partner now.
    NoPartnership = NoPartnership, "there is no partnership to offer";
    /// The partnership is not on offer to this player.
    NotOffered {
        /// The player it is on offer to; `None` if it is on offer to nobody.
        to: Option<PlayerId>,
    } = NotOffered at "player", "the partnership is not on offer to this player",
        instead Allowed::Player((*to)?);
    /// This player may not decline the box now.
    CannotDecline {
        /// The player who may; `None` if nobody may.
        may: Option<PlayerId>,
    } = CannotDecline at "player", "this player cannot decline the box now", instead Allowed::Player((*may)?);
    /// A player leaving during a game must name somebody to decide for them.
    ProxyNeeded {
        /// The players who can decide for them.
        proxies: Vec<PlayerId>,
    } = ProxyNeeded at "proxy", "somebody must decide for the player who leaves",
        instead Allowed::Players(proxies.clone());
    /// The player named as proxy cannot decide for this player.
    BadProxy {
        /// The players who can decide for them.
        proxies: Vec<PlayerId>,
    } = BadProxy at "proxy", "the proxy cannot decide for this player",
        instead Allowed::Players(proxies.clone());
    /// A player leaving during a game must settle their running bets first.
    MustSettle {
        /// The opponents in those bets.
        opponents: Vec<PlayerId>,
    } = MustSettle, "the player's bets must be settled first", instead Allowed::Players(opponents.clone());
    /// The two are not one player entered twice: both bet in the same game, or the command names one player
    /// as both.
    CannotMerge = CannotMerge at "player", "these two are not one player entered twice";
    /// Not exactly one roll for each player who has to roll, or not with the number of dice of the house
    /// rules.
    WrongRollers {
        /// The players who have to roll.
        to_roll: Vec<PlayerId>,
        /// The number of dice in each roll.
        dice: usize,
    } = WrongRollers at "rolls", "one roll each, of {dice} dice, for exactly the players who have to roll",
        instead Allowed::Players(to_roll.clone());
    /// The line does not name everybody present exactly once.
    WrongLine {
        /// The players at the table now.
        present: Vec<PlayerId>,
    } = WrongLine at "line", "the line must name everybody present once",
        instead Allowed::Players(present.clone());
    /// The player's stake is out of range.
    BadStake = BadStake at "units", "a player's stake is 1 to 1,000 times the table's",
        instead Allowed::Text("1 to 1,000");
    /// A cube cannot start at this value.
    BadStart {
        /// The values it can start at.
        starts: Vec<u32>,
    } = BadStart at "value", "a cube starts at 1, 2 or 4, and never above the cap",
        instead Allowed::Starts(starts.clone());
    /// The box has no cube of its own (Q11): it agrees to where the members' cubes start.
    BoxHasNoCube = BoxHasNoCube at "player", "the box has no cube of its own to set";
    /// These players cannot leave for a table of their own.
    BadSplit {
        /// The players of a split that would be allowed.
        leaving: Vec<PlayerId>,
        /// The number of players who have to stay.
        stay: usize,
    } = BadSplit at "players", "at least three players must leave and {stay} stay",
        instead Allowed::Players(leaving.clone());
    /// The opening roll is over, so it can no longer have been a tie.
    TooLateForTie = TooLate, "the opening roll is over";
    /// The house rules make this automatic double compulsory, so the box cannot decline it.
    AutomaticCompulsory = AutomaticCompulsory, "this automatic double is compulsory";
    /// Another answer is due before this command.
    MustAnswer {
        /// The player whose answer is due.
        player: PlayerId,
    } = MustAnswer, "{player} must answer first", instead Allowed::Player(*player);
    /// It is not this player's turn to give or refuse an extra.
    NotAsked {
        /// The player whose turn it is; `None` if it is nobody's.
        asked: Option<PlayerId>,
    } = NotAsked at "player", "this player is not asked for an extra now", instead Allowed::Player((*asked)?);
    /// Another player answers before this one.
    NotYourAnswer {
        /// The player whose answer is due.
        due: PlayerId,
    } = NotYourAnswer at "player", "{due} answers first", instead Allowed::Player(*due);
    /// The list of opponents is empty, names one twice, or names only some where the act is for all.
    BadChoice {
        /// The opponents who can be named.
        opponents: Vec<PlayerId>,
    } = BadChoice at "against", "name each opponent once, or leave the list out to mean all",
        instead Allowed::Players(opponents.clone());
    /// The player has no running bet against this opponent.
    NoSuchOpponent {
        opponent: PlayerId,
        /// The opponents in the player's running bets.
        opponents: Vec<PlayerId>,
    } = NoSuchOpponent at "against", "there is no running bet against {opponent}",
        instead Allowed::Players(opponents.clone());
    /// Only the captain doubles or beavers with a single cube (Q7).
    OnlyCaptain {
        /// The player who acts as captain.
        captain: PlayerId,
    } = OnlyCaptain at "player", "there is a single cube, and {captain} handles it for the team",
        instead Allowed::Player(*captain);
    /// Only the side on roll can double (C2), and the other side's double waits for its answer.
    NotOnTurn {
        /// The players of the side on roll.
        on_turn: Vec<PlayerId>,
    } = NotOnTurn at "player", "the other side is on roll", instead Allowed::Players(on_turn.clone());
    /// A double is waiting for its answer.
    OfferPending {
        /// Of `double`: the opponents who can be doubled now. Of other commands: the players who have to
        /// answer.
        players: Vec<PlayerId>,
    } = OfferPending, "a double is waiting for an answer", instead Allowed::Players(players.clone());
    /// The box has answered in this turn, which closes the doubles of the turn.
    LateDouble = LateDouble, "the box has answered: no more doubles this turn",
        instead Allowed::Commands(&[CommandKind::PlayOn]);
    /// The opponent owns the cube (C4).
    NotYourCube {
        /// The opponents who can be doubled now.
        opponents: Vec<PlayerId>,
    } = NotYourCube at "against", "the opponent owns the cube", instead Allowed::Players(opponents.clone());
    /// The cube is at its highest value (C10).
    CubeAtLimit {
        /// The highest value that the cube may have.
        limit: CubeValue,
    } = CubeAtLimit, "the cube may not go above {limit}", instead Allowed::Cube(*limit);
    /// Lower than the value the cube began at or, if it was turned, than twice that.
    CubeTooLow {
        /// The lowest value it can have had.
        least: CubeValue,
    } = CubeTooLow at "bets", "the cube cannot have been below {least}", instead Allowed::Cube(*least);
    /// No double is waiting for this player's answer.
    NoOffer {
        /// The opponents whose doubles are waiting for it.
        opponents: Vec<PlayerId>,
    } = NoOffer, "there is no double to answer", instead Allowed::Players(opponents.clone());
    /// The house rules allow no further animal: no beaver, raccoon and so on (C7, C8).
    NoBeaver = NoBeaver, "the house rules do not allow another immediate redouble";
    /// The house rules restrain the box from treating the cubes so differently.
    Restraint {
        /// The rule that would be broken.
        rule: BoxRestraint,
    } = Restraint at "against", "the house rules do not let the box treat the cubes this way",
        instead Allowed::Rule(*rule);
    /// Everybody else has dropped, so the last member must drop as well (Q9).
    MustDrop = MustDrop, "all others have dropped: the last one must drop too",
        instead Allowed::Commands(&[CommandKind::Drop]);
    /// Everybody else has dropped, so the last member must beaver or drop.
    MustBeaverOrDrop = MustBeaverOrDrop, "all others have dropped: the last one must beaver or drop",
        instead Allowed::Commands(&[CommandKind::Beaver, CommandKind::Drop]);
    /// Nobody has doubled in this turn, so a roll would end nothing.
    NothingToPlayOn = NothingToPlayOn, "nobody has doubled in this turn";
    /// Half a point, where the house settles in whole points.
    WholePointsOnly = WholePointsOnly at "bets", "only whole points are settled here";
    /// The amount to settle for or to pay is out of range, or a player would pay themselves.
    BadAmount {
        /// The most it may be. Of a payment it counts in the payment's own unit.
        most: HalfPoints,
    } = BadAmount at "amount", "this is not an amount to settle for or to pay",
        instead Allowed::Amount(*most);
    /// The winner between box and captain must be given if, and only if, their bet is settled.
    CountsFor {
        /// Whether it is missing; otherwise it is given needlessly.
        needed: bool,
    } = CountsFor at "counts_for",
        "name the winner between box and captain if, and only if, their bet is settled";
    /// No finished game has this number.
    NoSuchGame {
        /// The number of finished games.
        games: u32,
    } = NoSuchGame at "game", "no finished game has this number", instead Allowed::Games(*games);
    /// The game had no bet of this number, or one is named twice.
    NoSuchBet {
        /// The numbers of the game's bets.
        bets: Vec<u32>,
    } = NoSuchBet at "bets", "the game has no such bet, or it is named twice",
        instead Allowed::Bets(bets.clone());
    /// A bet that ends with the game needs the winner and the kind of win.
    WinNeeded = WinNeeded at "win", "a bet played to the end needs the winner and the kind of win",
        instead Allowed::Wins(&Win::ALL);
    /// Everything is already as the command would make it.
    NothingChanges = NothingChanges, "this changes nothing";

    =>
    /// A refusal of the engine in a refereed game. The code is the engine's too.
    Board {
        refusal: owlbox_engine::game::Refusal,
    } at "action", "{refusal}";
}

/// What would have been allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Allowed {
    /// One of these commands instead.
    Commands(&'static [CommandKind]),
    /// The player whose turn it is.
    Player(PlayerId),
    /// One or more of these players.
    Players(Vec<PlayerId>),
    /// A number of seats or players.
    HowMany(usize),
    /// A text or number of this form, in English.
    Text(&'static str),
    /// The most: minor units a point or, for a player's stake, multiples of the table's.
    MinorUnits(i64),
    /// The highest amount to settle for or to pay.
    Amount(HalfPoints),
    /// The keys of two house rules that cannot both stay as they are.
    Settings([&'static str; 2]),
    /// The kinds of win that there are.
    Wins(&'static [Win]),
    /// The values a cube can start at.
    Starts(Vec<u32>),
    /// The highest value of a cube, or the lowest it can have had.
    Cube(CubeValue),
    /// Anything that this restraint permits the box.
    Rule(BoxRestraint),
    /// A finished game, numbered from 1 up to this.
    Games(u32),
    /// The numbers of the game's bets.
    Bets(Vec<u32>),
}
