//! The seats of a table: what everybody is, what they may lose, and the cubes they have.

use super::page::TablePage;
use crate::sentences::chouette::animal;
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_chouette::rules::Consultation;
use owlbox_chouette::view::StandingView;
use owlbox_chouette::{BetKind, BetView, CubeOwner, Proxy, SeatRole, SettledBy, Side};
use owlbox_locale::Amount;

/// The players.
impl TablePage<'_> {
    /// The CSS class of a role.
    pub(super) fn role_class(&self, role: &SeatRole) -> &'static str {
        match role {
            SeatRole::Box => "box",
            SeatRole::Partner => "partner",
            SeatRole::Captain | SeatRole::ActingCaptain => "captain",
            SeatRole::DroppedCaptain | SeatRole::Crew => "crew",
            SeatRole::Gathered | SeatRole::Waiting | SeatRole::Away => "aside",
            SeatRole::Resting | SeatRole::Gone => "resting",
        }
    }

    /// The CSS classes of a seat. It stays visible once its bet is settled, but muted.
    pub(super) fn seat_class(&self, player: &PlayerId, role: &SeatRole) -> String {
        let is_settled = |bet: &BetView| matches!(bet.standing, StandingView::Settled { .. });
        let settled = if self.bet_of(player).is_some_and(is_settled) { " settled" } else { "" };
        format!("{}{settled}", self.role_class(role))
    }

    pub(super) fn role(&self, role: &SeatRole) -> String {
        self.t.get(match role {
            SeatRole::Box => "role-box",
            SeatRole::Partner => "role-partner",
            SeatRole::Captain => "role-captain",
            SeatRole::ActingCaptain => "role-acting-captain",
            SeatRole::DroppedCaptain => "role-dropped-captain",
            SeatRole::Crew => "role-crew",
            SeatRole::Gathered => "role-gathered",
            SeatRole::Waiting => "role-waiting",
            SeatRole::Resting => "role-resting",
            SeatRole::Gone => "role-gone",
            SeatRole::Away => "role-away",
        })
    }

    /// The remarks on a player in this game: the CSS class of each, and a few words.
    pub(super) fn marks(&self, player: &PlayerId) -> Vec<(&'static str, String)> {
        let (t, state, Some(game), Some(view)) =
            (&self.t, self.state(), self.state().game(), &self.view.game)
        else {
            return Vec::new();
        };
        let mark = |is_so: bool, class, key: &str| is_so.then(|| (class, t.get(key)));
        let rests = game.side_of(*player).is_some() && state.resting().contains(player);
        let proxy = game.proxies.get(player).map(|proxy| match proxy {
            Proxy::Player(proxy) => t.with("mark-proxy", "name", t.name(proxy)),
            Proxy::Captain => t.get("mark-follows"),
        });
        let silent = state.rules().consultation == Consultation::Free;
        let rolls = state.acting_captain() == Some(*player);
        let advises = !silent && !rolls && view.may_consult.contains(player);
        let marks = [
            mark(view.answered.contains(player), "answered", "mark-answered"),
            mark(view.due == Some(*player), "due", "mark-due"),
            mark(view.extras_offered.contains(player), "answered", "mark-offers-extra"),
            mark(rests, "plain", "role-resting"),
            proxy.map(|proxy| ("plain", proxy)),
            mark(advises, "consult", "mark-consult"),
        ];
        marks.into_iter().flatten().collect()
    }

    /// What a player can still lose in this game, at the present cubes. `None` if nothing.
    pub(super) fn exposure(&self, player: &PlayerId) -> Option<HalfPoints> {
        let scores = &self.view.game.as_ref()?.exposure;
        let lose = scores.iter().find(|score| score.player == *player)?.points;
        (lose > HalfPoints::ZERO).then_some(lose)
    }

    /// Whether the club warns of such a loss.
    pub(super) fn is_above_limit(&self, lose: &HalfPoints) -> bool {
        self.exposure_limit.is_some_and(|limit| *lose >= limit)
    }

    /// Points of the night, if the viewer may see the standings.
    pub(super) fn points_of(&self, player: &PlayerId) -> Option<Amount> {
        self.screen.viewer.sees_points.then(|| self.t.points(&self.state().score(*player).0))
    }
}

/// The bets.
impl TablePage<'_> {
    fn bets(&self, kind: BetKind) -> impl Iterator<Item = &BetView> {
        let game = self.view.game.iter();
        game.flat_map(|game| &game.bets).filter(move |bet| bet.kind == kind)
    }

    /// The bet with the box, of a member of the team.
    pub(super) fn bet_of(&self, player: &PlayerId) -> Option<&BetView> {
        self.bets(BetKind::Member).find(|bet| bet.member == *player)
    }

    /// The extras that a player gave or got (Q10).
    pub(super) fn extras_of(&self, player: &PlayerId) -> Vec<&BetView> {
        self.bets(BetKind::Extra).filter(|bet| [bet.box_side, bet.member].contains(player)).collect()
    }

    /// The name of the other player of a bet.
    pub(super) fn opponent(&self, bet: &BetView, player: &PlayerId) -> String {
        self.t.name(if bet.member == *player { &bet.box_side } else { &bet.member })
    }

    /// The number on the cube. `None` if the table has no cubes (C0).
    pub(super) fn figure(&self, bet: &BetView) -> Option<u32> {
        self.state().has_cube().then(|| bet.shown().get())
    }

    /// The CSS class of the cube.
    pub(super) fn cube_class(&self, bet: &BetView) -> &'static str {
        match (&bet.standing, bet.owner) {
            (StandingView::Offered { .. }, _) => "offered",
            (StandingView::Settled { .. }, _) => "settled",
            (StandingView::Open, CubeOwner::Centred) => "centred",
            (StandingView::Open, CubeOwner::Box) => "to-box",
            (StandingView::Open, CubeOwner::Member) => "to-member",
        }
    }

    /// The state of the cube in words, for the line under it.
    pub(super) fn cube_side(&self, bet: &BetView) -> String {
        let t = &self.t;
        // There is only room for a first name under a cube. The full name stands beside it.
        let short = |player: &PlayerId| {
            let name = t.name(player);
            name.split_whitespace().next().map_or_else(|| name.clone(), str::to_owned)
        };
        // The box's side of an extra is its giver's.
        let giver = (bet.kind == BetKind::Extra).then(|| short(&bet.box_side));
        match (bet.standing, bet.owner) {
            (StandingView::Offered { by, beavers, .. }, _) => {
                let by = if by == Side::Box { giver } else { Some(short(&bet.member)) };
                self.offering(by, beavers)
            }
            (StandingView::Settled { winner, by: SettledBy::Drop, .. }, _) => match (winner, giver) {
                (Side::Box, _) => t.get("cube-dropped"),
                (Side::Team, Some(name)) => t.with("cube-dropped-by", "name", name),
                (Side::Team, None) => t.get("cube-box-dropped"),
            },
            (StandingView::Settled { by: SettledBy::Game | SettledBy::Settlement, .. }, _) => {
                t.get("cube-agreed")
            }
            (StandingView::Open, _) if !self.state().has_cube() => String::new(),
            (StandingView::Open, CubeOwner::Centred) => t.get("cube-centred"),
            (StandingView::Open, CubeOwner::Box) => match giver {
                Some(name) => t.with("cube-to", "name", name),
                None => t.get("cube-to-box"),
            },
            (StandingView::Open, CubeOwner::Member) => t.with("cube-to", "name", short(&bet.member)),
        }
    }

    /// Who offers the cube, and as a double or which animal. `None` is the box.
    fn offering(&self, by: Option<String>, beavers: u8) -> String {
        let t = &self.t;
        match (by, beavers) {
            (None, 0) => t.get("cube-offered-by-box"),
            (Some(name), 0) => t.with("cube-offered-by", "name", name),
            (by, beavers) => {
                let name = by.unwrap_or_else(|| t.get("the-box"));
                t.fill("cube-beavered-by", &[("animal", &animal(beavers)), ("name", &name)])
            }
        }
    }
}
