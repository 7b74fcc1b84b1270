//! The state of a chouette as clients and pages see it: plain data, ids only, points in half points.

use chrono::NaiveDate;
use serde::Serialize;

use crate::bet::{Bet, BetKind, BetStanding, CubeOwner, SettledBy, Side, side_of};
use crate::decide;
use crate::exposure;
use crate::game::{Game, LoneState, Proxy};
use crate::rules::HouseRules;
use crate::state::{Chouette, Phase};
use owlbox_base::journal::shared::Viewer;
use owlbox_base::values::{ChouetteId, HalfPoints, PlayerId, Stake, Timestamp};
use owlbox_engine::game::Phase as OnBoard;
use owlbox_engine::plays::LegalPlays;
use owlbox_engine::step_graph::NextStep;
use owlbox_engine::{CubeValue, Die, Raise, Variant, Win};

/// The state of a chouette.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ChouetteView))]
pub struct View {
    /// The name of the table.
    pub name: String,
    /// The night it belongs to, by the club's clock.
    pub night: NaiveDate,
    /// What a point is worth; `null` if no money is played for.
    pub stake: Option<Stake>,
    /// The house rules in force.
    pub rules: HouseRules,
    pub phase: Phase,
    /// `null` before the table was opened.
    pub opened_at: Option<Timestamp>,
    /// `null` while the night goes on.
    pub closed_at: Option<Timestamp>,
    /// The table it was split from; `null` if it was not.
    pub from: Option<ChouetteId>,
    /// The table everybody moved to, which closed this one; `null` if they did not.
    pub merged_into: Option<ChouetteId>,
    /// Everybody at the table, in order as far as one is settled. Players who wait, or are on a break without
    /// a place, come last.
    pub present: Vec<PlayerId>,
    /// Box, captain, crew; players on a break who keep their place are included. Empty until the order is
    /// settled.
    pub line: Vec<PlayerId>,
    /// The box of the game in progress, or of the next.
    #[serde(rename = "box")]
    pub box_player: Option<PlayerId>,
    /// The box's partners, in the game in progress or the next.
    pub partners: Vec<PlayerId>,
    /// The captain for the rotation, of the game in progress or of the next.
    pub captain: Option<PlayerId>,
    /// Who acts as captain in the game in progress: the first member still in who is there.
    pub acting_captain: Option<PlayerId>,
    /// Who came during the game and waits for its end.
    pub waiting: Vec<PlayerId>,
    /// Who is on a break.
    pub resting: Vec<PlayerId>,
    /// Who has sat here and left.
    pub away: Vec<PlayerId>,
    /// Who must roll for the order now.
    pub to_roll: Vec<PlayerId>,
    /// To whom the partnership with the box is offered now.
    pub partnership_offered: Option<PlayerId>,
    /// The captain who won the box and may still decline it.
    pub may_decline: Option<PlayerId>,
    /// Who would leave if the table has to be split before the next game; empty if it need not be.
    pub split_due: Vec<PlayerId>,
    /// How many automatic doubles the next game begins with.
    pub carried: u8,
    /// `null` while no game is in progress.
    pub game: Option<GameView>,
    /// How many games are finished.
    pub games: u32,
    /// Everybody who ever sat here with their score, the highest first. Settled bets of the game in progress
    /// count. Empty for viewers who may not see points.
    pub standings: Vec<Score>,
}

/// The game in progress, with its bets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GameView {
    /// Its number in this chouette, from 1.
    pub number: u32,
    /// The variant of backgammon that is played.
    pub variant: Variant,
    /// Its bets: the members' in line order, then extras.
    pub bets: Vec<BetView>,
    /// Who must answer the box next; `null` where any order goes, or nothing waits.
    pub due: Option<PlayerId>,
    /// Who has answered, where all answer at once. The answers stay hidden until all are in.
    pub answered: Vec<PlayerId>,
    /// The lone taker, while a rule about lone takers is in force.
    pub lone_taker: Option<PlayerId>,
    /// Who is asked for an extra, in order; the first is asked now.
    pub asked_for_extra: Vec<PlayerId>,
    /// Who has offered an extra that the lone taker has still to accept.
    pub extras_offered: Vec<PlayerId>,
    /// The side that doubled in this turn; `null` after the roll.
    pub turn: Option<Side>,
    /// Whether members may no longer double in this turn, because the box has answered.
    pub late: bool,
    /// Which players have somebody else decide for them.
    pub proxies: Vec<ProxyView>,
    /// Which members may advise the one who rolls for the team (Q6).
    pub may_consult: Vec<PlayerId>,
    /// How many automatic doubles it has had, including those carried over.
    pub automatics: u8,
    /// What each player can still lose in it at the present cubes; never negative.
    pub exposure: Vec<Score>,
    /// `null` if the engine does not referee.
    pub board: Option<BoardView>,
}

/// Who decides a player's cubes in their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ProxyView {
    /// The player whose cubes these are.
    pub player: PlayerId,
    /// Who decides their cubes now.
    pub decides: PlayerId,
    /// Whether the cube simply follows the captain's.
    pub with_captain: bool,
}

/// The board of a refereed game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BoardView {
    /// The side on turn; `null` before the opening roll.
    pub turn: Option<Side>,
    /// A GNU Backgammon position ID, as the side on turn sees it.
    pub position: String,
    /// `null` if no roll waits to be played.
    #[cfg_attr(feature = "schema", schema(value_type = Option<[u8; 2]>, min_items = 2, max_items = 2))]
    pub roll: Option<owlbox_engine::Roll>,
    /// The plays of that roll in notation, one for each distinct result.
    pub plays: Vec<String>,
    /// The dice of that roll: two, or four equal ones.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<u8>))]
    pub dice: Vec<Die>,
    /// Every situation on the way to a legal play with the steps that lead on, for clients that move checker
    /// by checker. The first is the current one; one without steps is a complete play.
    pub steps: Vec<Vec<NextStep>>,
    /// What the other side rolled too early and will play next (I3).
    #[cfg_attr(feature = "schema", schema(value_type = Option<[u8; 2]>, min_items = 2, max_items = 2))]
    pub early: Option<owlbox_engine::Roll>,
    /// The resignation that waits for an answer.
    pub resigned: Option<ResignedView>,
    /// The side whose last play was incomplete or illegal and can still be sent back (I2).
    pub left_by: Option<Side>,
}

/// A resignation that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ResignedView {
    pub by: Side,
    /// The kind of win it concedes.
    pub win: Win,
}

/// A bet of the game in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BetView {
    /// Its number within the game, from 1.
    pub bet: u32,
    /// The player on the box's side.
    #[serde(rename = "box")]
    pub box_side: PlayerId,
    /// The player on the team's side.
    pub member: PlayerId,
    pub kind: BetKind,
    /// What its cube stands at; while an offer waits, before that.
    pub value: CubeValue,
    pub owner: CubeOwner,
    /// How many of the table's stakes one point is worth.
    pub units: u16,
    pub standing: StandingView,
}

/// Where a bet stands: running, offered or settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum StandingView {
    /// Running, with nothing to answer.
    Open,
    /// A double or a beaver waits for its answer.
    Offered {
        /// The side that doubled or beavered.
        by: Side,
        /// What the cube will stand at if taken.
        to: CubeValue,
        /// 0 for a double, 1 for a beaver, 2 for a raccoon, 3 for an otter, and so on.
        beavers: u8,
    },
    /// The bet is over and has its result.
    Settled {
        winner: Side,
        /// What it won, in half points; never negative. Absent for viewers who may not see it.
        #[serde(skip_serializing_if = "Option::is_none")]
        points: Option<HalfPoints>,
        by: SettledBy,
    },
}

/// A player with an amount of points: a score, or what they can still lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = PlayerScore))]
pub struct Score {
    pub player: PlayerId,
    /// How much, in half points.
    pub points: HalfPoints,
}

impl Chouette {
    /// The state as clients and pages see it.
    #[must_use]
    pub fn view(&self) -> View {
        View::from(self)
    }

    /// Everybody who ever sat here with their [score](Self::score), the highest first.
    #[must_use]
    pub fn standings(&self) -> Vec<Score> {
        let mut standings: Vec<Score> =
            self.known().map(|player| Score { player, points: self.score(player) }).collect();
        standings.sort_by_key(|score| std::cmp::Reverse(score.points));
        standings
    }
}

impl View {
    /// The state as this viewer may see it: without points, where those are not for them.
    #[must_use]
    pub fn shown_to(mut self, viewer: &Viewer) -> Self {
        if viewer.sees_points {
            return self;
        }
        self.standings.clear();
        if let Some(game) = &mut self.game {
            game.exposure.clear();
            for bet in &mut game.bets {
                if let StandingView::Settled { points, .. } = &mut bet.standing {
                    *points = None;
                }
            }
        }
        self
    }
}

impl From<&Chouette> for View {
    fn from(chouette: &Chouette) -> Self {
        Self {
            name: chouette.name().to_owned(),
            night: chouette.night(),
            stake: chouette.stake(),
            rules: chouette.rules().clone(),
            phase: chouette.phase(),
            opened_at: chouette.opened_at(),
            closed_at: chouette.closed_at(),
            from: chouette.from(),
            merged_into: chouette.merged_into(),
            present: chouette.present(),
            line: chouette.line().to_vec(),
            box_player: chouette.box_player(),
            partners: chouette.partners().to_vec(),
            captain: chouette.captain(),
            acting_captain: chouette.acting_captain(),
            waiting: chouette.waiting().to_vec(),
            resting: chouette.resting().to_vec(),
            away: chouette.away(),
            to_roll: chouette.to_roll(),
            partnership_offered: chouette.offered_partnership(),
            may_decline: chouette.may_decline(),
            split_due: decide::proposed_split(chouette),
            carried: chouette.carried(),
            game: chouette.game().map(|game| GameView::new(chouette, game)),
            games: chouette.games_finished(),
            standings: chouette.standings(),
        }
    }
}

impl GameView {
    fn new(chouette: &Chouette, game: &Game) -> Self {
        let acting = chouette.acting_captain();
        let (lone_taker, asked, offered) = match &game.lone {
            None => (None, Vec::new(), Vec::new()),
            Some(LoneState::MustDrop(player) | LoneState::MustBeaverOrDrop(player)) => {
                (Some(*player), Vec::new(), Vec::new())
            }
            Some(LoneState::Extras(asking)) => {
                (Some(asking.taker), asking.asked.clone(), asking.offered.clone())
            }
        };
        let proxy = |(&player, proxy): (&PlayerId, &Proxy)| ProxyView {
            player,
            decides: game.decides_for(player, acting),
            with_captain: *proxy == Proxy::Captain,
        };
        let exposure = exposure::exposures(game, chouette.rules());
        Self {
            number: game.number,
            variant: game.on_board.variant,
            bets: game.bets.iter().map(BetView::from).collect(),
            due: decide::cubes::due_to_answer(chouette, game),
            answered: game.answers.keys().copied().collect(),
            lone_taker,
            asked_for_extra: asked,
            extras_offered: offered,
            turn: game.turn.as_ref().map(|turn| turn.side),
            late: decide::cubes::is_late(chouette, game),
            proxies: game.proxies.iter().map(proxy).collect(),
            may_consult: chouette.may_consult(),
            automatics: game.automatics,
            exposure: exposure.into_iter().map(|(player, points)| Score { player, points }).collect(),
            board: game.board.as_deref().map(BoardView::from),
        }
    }
}

impl From<&owlbox_engine::game::Game> for BoardView {
    fn from(board: &owlbox_engine::game::Game) -> Self {
        let (roll, early) = match board.phase() {
            OnBoard::ToPlay { roll, early } => (Some(roll), early),
            OnBoard::Opening { .. } | OnBoard::ToRoll | OnBoard::ToAnswer(_) | OnBoard::Over(_) => {
                (None, None)
            }
        };
        let position = board.position();
        Self {
            turn: board.turn().map(side_of),
            position: owlbox_engine::notation::gnu::position_id(position),
            roll,
            plays: board
                .plays()
                .iter()
                .map(|play| owlbox_engine::notation::play::write(position, play.steps))
                .collect(),
            dice: match roll {
                Some(roll) if roll.is_double() => vec![roll.high(); 4],
                Some(roll) => vec![roll.high(), roll.low()],
                None => Vec::new(),
            },
            steps: board.legal_plays().map(LegalPlays::step_graph).unwrap_or_default(),
            early,
            resigned: board.resignation().map(|one| ResignedView { by: side_of(one.by), win: one.win }),
            left_by: board.left_board().and(board.turn()).map(|turn| side_of(turn).other()),
        }
    }
}

impl BetView {
    /// What its cube shows: the value on offer, or else what it stands at.
    #[must_use]
    pub const fn shown(&self) -> CubeValue {
        match self.standing {
            StandingView::Offered { to, .. } => to,
            StandingView::Open | StandingView::Settled { .. } => self.value,
        }
    }

    /// What its member has won, or lost; `None` until it is settled, and for viewers who may not see it.
    #[must_use]
    pub fn members_result(&self) -> Option<HalfPoints> {
        match self.standing {
            StandingView::Settled { winner: Side::Box, points, .. } => points.map(|points| -points),
            StandingView::Settled { winner: Side::Team, points, .. } => points,
            StandingView::Open | StandingView::Offered { .. } => None,
        }
    }
}

impl From<&Bet> for BetView {
    fn from(bet: &Bet) -> Self {
        Self {
            bet: bet.id,
            box_side: bet.box_side,
            member: bet.team_side,
            kind: bet.kind,
            value: bet.cube.value,
            owner: bet.cube.owner.into(),
            units: bet.units,
            standing: bet.standing.into(),
        }
    }
}

impl From<BetStanding> for StandingView {
    fn from(standing: BetStanding) -> Self {
        match standing {
            BetStanding::Open => Self::Open,
            BetStanding::Offered(raise) => Self::Offered {
                by: raise.by(),
                to: raise.to(),
                beavers: match raise {
                    Raise::Double(_) => 0,
                    Raise::Beaver(beaver) => beaver.number,
                },
            },
            BetStanding::Settled(settled) => {
                Self::Settled { winner: settled.winner, points: Some(settled.points), by: settled.by }
            }
        }
    }
}
