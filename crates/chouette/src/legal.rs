//! Which commands are legal now, with their choices: pages draw buttons from it, clients read it, tests walk
//! it. It goes by the same checks as `decide`, so that the two agree.

use serde::Serialize;

use crate::bet::{Bet, Side, colour};
use crate::decide::cubes::{self, CubeAct};
use crate::decide::{self, may_start};
use crate::game::{Answer, Game, LoneState};
use crate::order::Seats;
use crate::partner::Due;
use crate::rules::{Cubes, LeavingMidGame, OrderDice, PartnerWhen, Settlements, Stakes};
use crate::state::{Chouette, Phase};
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_engine::game::ActionKind;
use owlbox_engine::{Variant, Win};

/// A command that is legal now. A list in place of a value holds the choices: one of them for a plain value,
/// any non-empty part of them for `against`. Naming nobody in `against` means all of them; with `whole`,
/// nothing less than all is allowed. Where the house rules restrain the box, not every choice is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(strum::EnumDiscriminants))]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "command", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schema(as = LegalChouetteCommand))]
#[cfg_attr(
    test,
    strum_discriminants(
        name(LegalKind),
        derive(strum::IntoStaticStr, strum::VariantArray),
        strum(serialize_all = "snake_case")
    )
)]
pub enum Legal {
    /// The table may be opened.
    Open {},
    /// Any player of the club who is not present may join.
    Join {},
    /// One of these may leave, naming one of `proxy` if any are listed.
    Leave {
        /// Who may leave.
        player: Vec<PlayerId>,
        /// Who could decide for the player; empty if nobody has to be named.
        proxy: Vec<PlayerId>,
    },
    /// One of these may take a break, naming one of `proxy` if any are listed.
    Break {
        /// Who may take a break.
        player: Vec<PlayerId>,
        /// Who could decide for the player; empty if nobody has to be named.
        proxy: Vec<PlayerId>,
    },
    /// One of these may come back from a break.
    Return {
        /// Everybody on a break, whether they keep a place or not.
        player: Vec<PlayerId>,
    },
    /// Somebody else may decide this player's cubes, or the player again.
    NameProxy {
        player: PlayerId,
        /// The players who may be named.
        proxy: Vec<PlayerId>,
        /// Whether nobody may be named, so that the proxy ends.
        nobody: bool,
    },
    /// One of these may set a stake of their own.
    SetStake {
        /// Everybody at the table, playing or not.
        player: Vec<PlayerId>,
    },
    /// The cube of one of these may start at another value.
    SetStart {
        /// Whose cube may start elsewhere.
        player: Vec<PlayerId>,
        /// The values a cube may start at.
        value: Vec<u32>,
    },
    /// Somebody who has sat here may be merged into another player, as entered twice.
    MergePlayers {},
    /// The service may roll or shuffle for the order.
    DrawOrder {},
    /// Rolls for the order may be entered, one for each of these players.
    EnterRolls {
        /// The players who must roll now.
        players: Vec<PlayerId>,
        /// How many dice each player rolls.
        dice: usize,
    },
    /// The order may be entered by hand.
    SetOrder {
        /// Everybody present, each of whom must be in it once.
        line: Vec<PlayerId>,
    },
    /// The partnership with the box may be offered.
    OfferPartnership {},
    /// This player may accept the partnership.
    AcceptPartnership {
        /// The player it is offered to now.
        player: PlayerId,
    },
    /// This player may decline the partnership.
    DeclinePartnership {
        /// The player it is offered to now.
        player: PlayerId,
    },
    /// This player may decline the box.
    DeclineBox {
        /// The captain who has just won it.
        player: PlayerId,
    },
    /// A game may begin, refereed or not.
    StartGame {
        /// The variants allowed, the house's own first.
        variant: Vec<Variant>,
    },
    /// The opening roll may be entered as a tie, or was one on the board (C6).
    OpeningTie {
        /// What `double` may be: `false` only where the box may decline.
        double: Vec<bool>,
        /// Whether the tie has an effect, in this game or the next, unless the box declines.
        counts: bool,
    },
    /// This player may double any of these.
    Double {
        player: PlayerId,
        /// Who may be doubled.
        against: Vec<PlayerId>,
        /// Whether it must be all of them.
        whole: bool,
        /// Whether it is too late in this turn, so that the command has to say that the dice were `rolled`.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        rolled: bool,
    },
    /// This player may take the double of any of these.
    Take {
        player: PlayerId,
        /// Whose doubles may be taken.
        against: Vec<PlayerId>,
        /// Whether it must be all of them.
        whole: bool,
    },
    /// This player may drop the double of any of these.
    Drop {
        player: PlayerId,
        /// Whose doubles may be dropped.
        against: Vec<PlayerId>,
        /// Whether it must be all of them.
        whole: bool,
    },
    /// This player may redouble any of these at once and keep the cube.
    Beaver {
        player: PlayerId,
        /// Whose doubles may be beavered.
        against: Vec<PlayerId>,
        /// Whether it must be all of them.
        whole: bool,
    },
    /// This player may give an extra.
    GiveExtra {
        /// The first of those still asked.
        player: PlayerId,
    },
    /// This player may decline to give an extra.
    PassExtra {
        /// The first of those still asked.
        player: PlayerId,
    },
    /// The dice may be rolled, which ends the turn's doubles.
    PlayOn {},
    /// These pairs may settle their bets.
    Settle {
        /// One for each running bet without an offer to answer.
        pairs: Vec<Pair>,
    },
    /// A side may act on the board.
    Board {
        by: Side,
        /// The kinds of action open to it.
        action: Vec<ActionKind>,
    },
    /// The game may be entered as finished.
    Finish {
        /// The sides that may have won.
        winner: Vec<Side>,
        /// The kinds of win that the variant has.
        win: Vec<Win>,
    },
    /// One of the finished games may be corrected: any number from the first to the last.
    Correct {
        /// The number of the first.
        from: u32,
        /// The number of the last.
        to: u32,
    },
    /// Anybody who has sat here may pay another player.
    Pay {},
    /// The house rules may be changed.
    ChangeRules {},
    /// The table may be split. These players would leave if it has to be.
    Split {
        /// Empty if it need not be split.
        players: Vec<PlayerId>,
    },
    /// Everybody may move to another table.
    MergeInto {},
    /// The night may be closed.
    Close {},
}

/// A pair that may settle its bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Pair {
    /// The player on the box's side.
    #[serde(rename = "box")]
    pub box_side: PlayerId,
    /// The player on the team's side.
    pub team: PlayerId,
    /// The most it may be settled for, in half points; the least is nothing.
    pub most: HalfPoints,
    /// Whether `counts_for` must name a winner, because it is the captain's bet.
    pub counts_for: bool,
}

impl Chouette {
    /// Every command that is legal now, with its choices, the likeliest first.
    #[must_use]
    pub fn legal(&self) -> Vec<Legal> {
        legal_commands(self)
    }
}

fn legal_commands(chouette: &Chouette) -> Vec<Legal> {
    let mut legal = Vec::new();
    match chouette.phase() {
        Phase::Unopened => return vec![Legal::Open {}],
        Phase::Closed => {
            legal.extend(afterwards(chouette));
            return legal;
        }
        Phase::Playing => {
            if let Some(game) = chouette.game() {
                legal.extend(of_game(chouette, game));
            }
        }
        Phase::BetweenGames => legal.extend(of_line(chouette)),
        Phase::Ordering => legal.extend(rolling(chouette)),
        Phase::Gathering => {}
    }
    // While players gather, another arrival is likelier than the roll.
    if chouette.present().len() < decide::SEATS {
        legal.push(Legal::Join {});
    }
    if chouette.phase() == Phase::Gathering && chouette.present().len() >= Seats::TO_ROLL {
        legal.extend(rolling(chouette));
    }
    legal.extend(of_people(chouette));
    if chouette.game().is_none() {
        legal.extend(of_table(chouette));
    }
    legal.extend(afterwards(chouette));
    if chouette.game().is_none() {
        legal.push(Legal::Close {});
    }
    legal
}

fn rolling(chouette: &Chouette) -> Vec<Legal> {
    let players = chouette.to_roll();
    match chouette.rules().order.dice {
        OrderDice::ByHand => vec![Legal::SetOrder { line: chouette.present() }],
        OrderDice::Shuffle => vec![Legal::DrawOrder {}],
        dice @ (OrderDice::OneDie | OrderDice::TwoDice | OrderDice::FourDice) => {
            vec![Legal::DrawOrder {}, Legal::EnterRolls { players, dice: dice.dice() }]
        }
    }
}

/// What concerns the line, between games.
fn of_line(chouette: &Chouette) -> Vec<Legal> {
    let mut legal = Vec::new();
    if let Some(player) = chouette.offered_partnership() {
        legal.extend([Legal::AcceptPartnership { player }, Legal::DeclinePartnership { player }]);
    }
    if may_start(chouette).is_ok() {
        legal.push(Legal::StartGame { variant: chouette.rules().variants() });
    }
    let wanted =
        chouette.rules().partner.when != PartnerWhen::Off && chouette.offered_partnership().is_none();
    if wanted && matches!(decide::partnership_due(chouette), Some(Due::Asked(_) | Due::GoesTo(_))) {
        legal.push(Legal::OfferPartnership {});
    }
    let line = chouette.seats().standing();
    if let Some(player) = line.and_then(|line| decide::may_decline(chouette, line)) {
        legal.push(Legal::DeclineBox { player });
    }
    legal
}

/// What concerns the table itself, between games.
fn of_table(chouette: &Chouette) -> Vec<Legal> {
    let mut legal = Vec::new();
    let present = chouette.present();
    match chouette.rules().stakes {
        Stakes::OneForAll => {}
        _ if present.is_empty() => {}
        Stakes::LowerOfTwo => legal.push(Legal::SetStake { player: present }),
        Stakes::OwnStart => {
            let with_cube = |player: &PlayerId| chouette.box_player() != Some(*player);
            let player: Vec<PlayerId> = present.into_iter().filter(with_cube).collect();
            if chouette.seats().standing().is_some() && !player.is_empty() {
                legal.push(Legal::SetStart { player, value: chouette.rules().starts() });
            }
        }
    }
    if decide::can_split(chouette) {
        legal.push(Legal::Split { players: decide::proposed_split(chouette) });
    }
    if chouette.known().next().is_some() {
        legal.push(Legal::MergePlayers {});
    }
    legal.extend([Legal::ChangeRules {}, Legal::MergeInto {}]);
    legal
}

/// Corrections and payments, which are legal after the night is over too.
fn afterwards(chouette: &Chouette) -> Vec<Legal> {
    let mut legal = Vec::new();
    if chouette.games_finished() > 0 {
        legal.push(Legal::Correct { from: 1, to: chouette.games_finished() });
    }
    if chouette.known().count() > 1 {
        legal.push(Legal::Pay {});
    }
    legal
}

fn of_people(chouette: &Chouette) -> Vec<Legal> {
    let mut legal = Vec::new();
    let (line_stands, resting) = (chouette.seats().standing().is_some(), chouette.resting());
    let free = decide::may_leave(chouette);
    let may_rest = |player: &PlayerId| line_stands && !resting.contains(player);
    let to_rest: Vec<PlayerId> = free.iter().copied().filter(may_rest).collect();
    if !free.is_empty() {
        legal.push(Legal::Leave { player: free, proxy: Vec::new() });
    }
    if !to_rest.is_empty() {
        legal.push(Legal::Break { player: to_rest, proxy: Vec::new() });
    }
    if let Some(game) = chouette.game() {
        legal.extend(leaving_the_game(chouette, game));
        legal.extend(proxies(chouette, game));
    }
    if !resting.is_empty() {
        legal.push(Legal::Return { player: resting.to_vec() });
    }
    legal
}

/// Who may leave in the middle of their game, and who could decide for them.
fn leaving_the_game(chouette: &Chouette, game: &Game) -> Vec<Legal> {
    let mid_game = chouette.rules().leaving.mid_game;
    if matches!(mid_game, LeavingMidGame::Settle | LeavingMidGame::NotAllowed) {
        return Vec::new();
    }
    let mut legal = Vec::new();
    let present = chouette.present();
    for player in game.players().into_iter().filter(|player| present.contains(player)) {
        let on_team = game.side_of(player) == Some(Side::Team);
        let follows = mid_game == LeavingMidGame::WithCaptain && on_team;
        let proxy = if follows { Vec::new() } else { decide::proxies_for(chouette, player) };
        if !follows && proxy.is_empty() {
            continue;
        }
        legal.push(Legal::Leave { player: vec![player], proxy: proxy.clone() });
        if !chouette.resting().contains(&player) {
            legal.push(Legal::Break { player: vec![player], proxy });
        }
    }
    legal
}

fn proxies(chouette: &Chouette, game: &Game) -> Vec<Legal> {
    let mut legal = Vec::new();
    for player in game.players() {
        let proxy = decide::proxies_for(chouette, player);
        let nobody = decide::may_have_no_proxy(chouette, game, player);
        if !proxy.is_empty() || nobody {
            legal.push(Legal::NameProxy { player, proxy, nobody });
        }
    }
    legal
}

/// Answers before doubles; for each, the box first, then down the line.
pub(super) fn of_game(chouette: &Chouette, game: &Game) -> Vec<Legal> {
    let mut legal = Vec::new();
    if let Some(player) = decide::asked_now(game) {
        legal.extend([Legal::GiveExtra { player }, Legal::PassExtra { player }]);
    }
    if game.tie_waits {
        legal.push(Legal::OpeningTie { double: vec![true, false], counts: true });
        return legal;
    }
    if let Some(lone) = lone_asked(chouette, game) {
        legal.extend(lone);
        return legal;
    }
    if matches!(&game.lone, Some(LoneState::Extras(asking)) if !asking.offered.is_empty()) {
        return legal;
    }
    legal.extend(cube_acts(chouette, game));
    if game.offering().is_none() {
        legal.extend(playing(chouette, game));
    }
    legal.extend(settling(chouette, game));
    legal
}

/// What the lone taker may answer, if it is their turn.
fn lone_asked(chouette: &Chouette, game: &Game) -> Option<[Legal; 2]> {
    let whole = chouette.rules().cubes == Cubes::Single;
    let (player, then): (_, fn(_, _, _) -> Legal) = match &game.lone {
        Some(LoneState::MustBeaverOrDrop(player)) => {
            (*player, |player, against, whole| Legal::Beaver { player, against, whole })
        }
        Some(LoneState::Extras(asking)) if cubes::lone_asks(game, asking.taker) => {
            (asking.taker, |player, against, whole| Legal::Take { player, against, whole })
        }
        Some(LoneState::Extras(_) | LoneState::MustDrop(_)) | None => return None,
    };
    let against = vec![game.box_player];
    Some([then(player, against.clone(), whole), Legal::Drop { player, against, whole }])
}

fn cube_acts(chouette: &Chouette, game: &Game) -> Vec<Legal> {
    let mut legal = Vec::new();
    let due = cubes::due_to_answer(chouette, game);
    for answer in [Answer::Take, Answer::Drop, Answer::Beaver] {
        for player in game.players() {
            let act = CubeAct::Answer(answer);
            let mut against = cubes::opponents_for(chouette, game, player, act);
            let side = game.side_of(player);
            let not_due = due.is_some_and(|due| due != player);
            against.retain(|&opponent| {
                // Members answer the box in order, and a lone taker as the rule says.
                let to_box = opponent == game.box_player && side == Some(Side::Team);
                let with_captain = cubes::answers_for(chouette, game, player).is_some();
                let restrained =
                    player == game.box_player && cubes::is_restrained(chouette, game, opponent, answer);
                !restrained
                    && (!to_box
                        || (!not_due && !with_captain && decide::allows_last(chouette, game, player, answer)))
            });
            let whole = chouette.rules().cubes == Cubes::Single && player == game.box_player;
            if !against.is_empty() {
                legal.push(match answer {
                    Answer::Take => Legal::Take { player, against, whole },
                    Answer::Drop => Legal::Drop { player, against, whole },
                    Answer::Beaver => Legal::Beaver { player, against, whole },
                });
            }
        }
    }
    for player in game.players() {
        let against = cubes::opponents_for(chouette, game, player, CubeAct::Double);
        // For the captain of a single cube all members' bets are one entry, the box, and an extra is a cube
        // of its own. So only the box has to name all its opponents.
        let whole = chouette.rules().cubes == Cubes::Single && player == game.box_player;
        if !against.is_empty() {
            legal.push(Legal::Double { player, against, whole, rolled: false });
        }
    }
    legal.extend(late_doubles(chouette, game));
    legal
}

/// The doubles of members that are too late in this turn, and so those of the next.
fn late_doubles(chouette: &Chouette, game: &Game) -> Vec<Legal> {
    let rolled = if cubes::is_late(chouette, game) { decide::play_on(chouette).ok() } else { None };
    let Some(after) = rolled.map(|rolled| chouette.after(&rolled)) else { return Vec::new() };
    let Some(next) = after.game() else { return Vec::new() };
    let double = |player| {
        let against = cubes::opponents_for(&after, next, player, CubeAct::Double);
        (!against.is_empty()).then_some(Legal::Double { player, against, whole: false, rolled: true })
    };
    next.team().into_iter().filter_map(double).collect()
}

/// What can happen while no double waits: the roll, the tie, the end.
fn playing(chouette: &Chouette, game: &Game) -> Vec<Legal> {
    let mut legal = Vec::new();
    if let Some(board) = &game.board {
        for by in Side::BOTH {
            let action = board.legal_actions(colour(by));
            if !action.is_empty() {
                legal.push(Legal::Board { by, action });
            }
        }
        return legal;
    }
    if game.turn.is_some() {
        legal.push(Legal::PlayOn {});
    }
    if decide::may_tie(game) {
        let double = if decide::tie_can_be_declined(chouette, game) { vec![true, false] } else { vec![true] };
        legal.push(Legal::OpeningTie { double, counts: decide::tie_counts(chouette, game) });
    }
    legal.push(Legal::Finish { winner: Side::BOTH.to_vec(), win: game.on_board.variant.wins().to_vec() });
    legal
}

fn settling(chouette: &Chouette, game: &Game) -> Option<Legal> {
    if chouette.rules().settlements == Settlements::Forbidden {
        return None;
    }
    let pair = |bet: &Bet| Pair {
        box_side: bet.box_side,
        team: bet.team_side,
        most: bet.most_settled(),
        counts_for: game.member_bet(game.captain).is_some_and(|captains| captains.id == bet.id),
    };
    let pairs: Vec<Pair> = game.running().filter(|bet| bet.offered_by().is_none()).map(pair).collect();
    (!pairs.is_empty()).then_some(Legal::Settle { pairs })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use strum::VariantArray as _;

    use super::LegalKind;
    use crate::CommandKind;
    use owlbox_base::permissions::OrderKind;

    #[test]
    fn every_command_can_be_offered() {
        let offered: BTreeSet<&str> = LegalKind::VARIANTS.iter().map(|kind| (*kind).into()).collect();
        let given = OrderKind::<CommandKind>::all().filter(|kind| matches!(kind, OrderKind::Command(_)));
        assert_eq!(offered, given.map(OrderKind::name).collect());
    }
}
