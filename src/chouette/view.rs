//! A chouette as others see it: plain data, ids only, points in half points.

use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;

use crate::chouette::bet::{Bet, BetKind, BetStanding, CubeOwner};
use crate::chouette::game::Game;
use crate::chouette::rules::HouseRules;
use crate::chouette::state::{Chouette, Phase};
use crate::engine::CubeValue;
use crate::values::{HalfPoints, PlayerId, Stake, Timestamp};

/// The state of a chouette.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct View {
    /// What the table is called.
    pub name: String,
    /// The night it belongs to.
    pub night: NaiveDate,
    /// What a point is worth, if money is played for.
    pub stake: Option<Stake>,
    /// The rules in force.
    pub rules: HouseRules,
    /// What is going on.
    pub phase: Phase,
    /// When it was opened.
    pub opened_at: Option<Timestamp>,
    /// When it was closed.
    pub closed_at: Option<Timestamp>,
    /// Everybody present, in order as far as there is one; who waits comes last.
    pub present: Vec<PlayerId>,
    /// The line: box, captain, crew. Empty until the order is settled.
    pub line: Vec<PlayerId>,
    /// The box: of the game in progress, or of the next.
    #[serde(rename = "box")]
    pub box_player: Option<PlayerId>,
    /// The captain who began the game, or will begin the next.
    pub captain: Option<PlayerId>,
    /// Who acts as captain in the game in progress: the first member still in.
    pub acting_captain: Option<PlayerId>,
    /// Who came during the game and waits for its end.
    pub waiting: Vec<PlayerId>,
    /// Who has sat here and gone.
    pub away: Vec<PlayerId>,
    /// Who has to roll for the order now.
    pub to_roll: Vec<PlayerId>,
    /// The game in progress.
    pub game: Option<GameView>,
    /// How many games are finished.
    pub games: u32,
    /// Everybody who ever sat here with their score, bets of the game in progress that are settled
    /// included; the highest first.
    pub standings: Vec<Score>,
}

/// A game in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct GameView {
    /// Its number in this chouette, from 1.
    pub number: u32,
    /// Its bets, in line order.
    pub bets: Vec<BetView>,
}

/// A bet of the game in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct BetView {
    /// Its number within the game, from 1.
    pub bet: u32,
    /// Who plays it against the box.
    pub member: PlayerId,
    /// What kind it is.
    pub kind: BetKind,
    /// Where its cube stands; while an offer waits, where it stood before.
    pub value: CubeValue,
    /// Whose cube it is.
    pub owner: CubeOwner,
    /// Where the bet stands.
    pub standing: BetStanding,
}

/// What somebody has won or lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Score {
    /// Who.
    pub player: PlayerId,
    /// How much, in half points.
    pub points: HalfPoints,
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
            present: chouette.present(),
            line: chouette.line().to_vec(),
            box_player: chouette.box_player(),
            captain: chouette.captain(),
            acting_captain: chouette.acting_captain(),
            waiting: chouette.waiting().to_vec(),
            away: chouette.away(),
            to_roll: chouette.to_roll(),
            game: chouette.game().map(GameView::from),
            games: chouette.games_finished(),
            standings: chouette.standings(),
        }
    }
}

impl From<&Game> for GameView {
    fn from(game: &Game) -> Self {
        Self { number: game.number, bets: game.bets.iter().map(BetView::from).collect() }
    }
}

impl From<&Bet> for BetView {
    fn from(bet: &Bet) -> Self {
        Self {
            bet: bet.id,
            member: bet.team_side,
            kind: bet.kind,
            value: bet.cube.value,
            owner: bet.cube.owner.into(),
            standing: bet.standing,
        }
    }
}
