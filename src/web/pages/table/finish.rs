//! The sheet that ends a game, out of what each result would make of the chouette.

use super::acts::{json, key};
use super::from_domain::Scene;
use super::{Act, Finish, Kind, Outcome, OutcomeLine, Saying, Weight};
use crate::chouette::{Chouette, Command, Side};
use crate::engine::Win;
use crate::values::PlayerId;
use crate::web::pages::Frame;

impl Finish {
    /// The results in the order in which the sheet shows them: the box's first, the cheapest first.
    pub const RESULTS: [(Side, Win); 6] = [
        (Side::Box, Win::Single),
        (Side::Box, Win::Gammon),
        (Side::Box, Win::Backgammon),
        (Side::Team, Win::Single),
        (Side::Team, Win::Gammon),
        (Side::Team, Win::Backgammon),
    ];

    /// The sheet of the game in progress; `after` is the chouette after each of
    /// [`RESULTS`](Self::RESULTS), and `chosen` the one to be confirmed. `None` if no game is on.
    #[must_use]
    pub fn from_domain(
        scene: &Scene<'_>,
        frame: Frame,
        after: &[Chouette],
        chosen: Option<(Side, Win)>,
    ) -> Option<Self> {
        let before = scene.state();
        let game = before.game()?;
        let players: Vec<PlayerId> =
            std::iter::once(game.box_player).chain(game.bets.iter().map(|bet| bet.team_side)).collect();
        let outcomes = Self::RESULTS
            .into_iter()
            .zip(after)
            .map(|(result, after)| outcome(scene, &players, after, result, chosen == Some(result)));
        Some(Self {
            t: *scene.t,
            table: scene.id.to_string(),
            name: before.name().to_owned(),
            version: scene.stream.version,
            game: usize::try_from(game.number).unwrap_or(usize::MAX),
            box_player: scene.name(game.box_player),
            captain: scene.name(game.captain),
            currency: before.stake().map(|stake| stake.currency.to_string()),
            outcomes: outcomes.collect(),
            frame,
        })
    }
}

fn outcome(
    scene: &Scene<'_>,
    players: &[PlayerId],
    after: &Chouette,
    (winner, win): (Side, Win),
    chosen: bool,
) -> Outcome {
    let before = scene.state();
    let line = |player: &PlayerId| {
        let points = after.booked(*player) - before.booked(*player);
        OutcomeLine {
            name: scene.name(*player),
            points: scene.t.points(points),
            money: scene
                .state()
                .stake()
                .and_then(|stake| Some(scene.t.money_alone(stake.worth(points)?, stake.currency))),
            total: scene.t.points(after.score(*player)),
        }
    };
    let named = |player: Option<PlayerId>| player.map(|player| scene.name(player)).unwrap_or_default();
    let (box_wins, kind) = (winner == Side::Box, Kind::from(win));
    Outcome {
        box_wins,
        kind,
        chosen,
        lines: players.iter().map(line).collect(),
        next_box: named(after.box_player()),
        next_captain: named(after.captain()),
        act: Act {
            label: Saying::GameOver { box_wins, kind }.text(scene.t),
            command: json(&Command::Finish { winner, win }),
            key: key(),
            weight: Weight::Main,
        },
    }
}
