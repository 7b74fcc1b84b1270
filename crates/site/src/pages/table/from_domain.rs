//! A table's page from the state of its chouette: the seats, the present state, the scores.
//!
//! [`super::acts`] adds what may be done, and [`super::log`] what has happened.

use super::acts::{PlacedActs, acts};
use super::board::board;
use super::context::TableContext;
use super::log::{History, lines, redo_all, sentence_of_act};
use super::{
    Bet, Button, Ended, Exposure, Extra, Mark, Owner, Phase, Role, Rolling, Seat, Stage, Table, TableStanding,
};
use crate::board::SELDOM_BEYOND;
use crate::pages::{Choice, Notice};
use crate::playing;
use crate::sentences::house_rules;
use owlbox_base::journal::shared::Viewer;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_chouette::rules::Consultation;
use owlbox_chouette::rules::catalogue::{self, Setting};
use owlbox_chouette::{
    self as chouette, BetKind, BetStanding, Chouette, CubeOwner, EventKind, GameView, Legal, Proxy, Settled,
    SettledBy, Side,
};
use owlbox_desk::commands::subject::HistorySteps;
use owlbox_engine::{CubeValue, Raise, Variant};

/// The setting that decides whether the box stays.
const BOX_RETENTION: &str = "box_retention";

impl TableContext<'_> {
    /// The table, ready for its page. `notice` is about the last act.
    #[must_use]
    pub fn table(&self, notice: Option<Notice>) -> Table {
        let state = self.state();
        let history = History::new(self);
        let mut placed = acts(self);
        let viewer = Viewer { sees_points: self.sees_points(), ..Viewer::default() };
        let view = state.view().shown_to(&viewer).game;
        let playing = state.game().map(|game| game.number);
        let rolling = self.rolling(&mut placed, &history);
        let named = |steps: Option<HistorySteps<EventKind>>| {
            let act = steps?.entry.id;
            Some((act, sentence_of_act(&history, act)?))
        };
        Table {
            id: self.id.to_string(),
            name: state.name().to_owned(),
            night: state.night(),
            version: self.stream.version,
            target: self.target(),
            phase: phase(state),
            stake: state.stake().map(|stake| self.say.stake(stake)),
            rules: self.rules(),
            game: usize::try_from(playing.unwrap_or(state.games_finished())).unwrap_or(usize::MAX),
            now: self.now(),
            yours: self.yours(),
            seats: self.seats(&mut placed, view.as_ref()),
            aside: self.aside(&mut placed, view.as_ref()),
            next_up: self.next_up(),
            facts: self.facts(view.as_ref()),
            everybody: placed.everybody,
            links: placed.links,
            sheets: placed.sheets,
            undo: named(self.undo).map(|(act, what)| Button::undo(&self.say, what, act)),
            redo: named(self.redo).map(|(act, what)| Button::redo(&self.say, what, act)),
            rolling,
            redo_all: self.redo.and_then(|steps| redo_all(self, steps.entry.id)),
            settles: self.say.may(Permission::ViewPayments),
            standings: if self.sees_points() && phase(state) != Phase::Gathering {
                self.standings()
            } else {
                Vec::new()
            },
            log: lines(self, &history),
            acts: placed.acts,
            doubling_some: placed.doubling_some,
            may_finish: placed.may_finish,
            board: board(self, &history),
            joining: placed.joining,
            notice,
        }
    }

    /// The house rules in one line: how the box changes, and every difference from the common rules that
    /// matters.
    fn rules(&self) -> String {
        let rules = self.state().rules();
        let differences = catalogue::differences_in_force(rules).into_iter();
        let others = differences.filter(|setting| setting.key != BOX_RETENTION);
        let settings = catalogue::setting(BOX_RETENTION).into_iter().chain(others);
        let sentence = |setting: &Setting| {
            house_rules::sentence(&self.say, setting, &catalogue::value(rules, setting.key))
        };
        settings.map(sentence).collect::<Vec<_>>().join(" · ")
    }

    /// The players after the captain, in line, without those on a break.
    fn next_up(&self) -> Vec<String> {
        let state = self.state();
        let known = [state.box_player(), state.captain()];
        let resting = state.resting();
        let next = state.line().iter().filter(|player| !known.contains(&Some(**player)));
        self.names(next.filter(|player| !resting.contains(player)).copied())
    }

    /// Other facts about this game that concern everybody.
    fn facts(&self, view: Option<&GameView>) -> Vec<String> {
        let state = self.state();
        let mut facts = Vec::new();
        let Some(view) = view else {
            let carried = usize::from(state.carried());
            facts.extend((carried > 0).then(|| self.say.count("fact-carried", &carried)));
            return facts;
        };
        let unusual = view.variant != Variant::Standard;
        facts.extend(unusual.then(|| playing::variant(&self.say, view.variant)));
        // Without a board the next double says by itself that the dice were rolled.
        facts.extend((view.late && view.board.is_some()).then(|| self.say.get("fact-late")));
        let automatics = usize::from(view.automatics);
        facts.extend((automatics > 0).then(|| self.say.count("fact-automatics", &automatics)));
        facts.extend(self.turns_beyond().then(|| self.say.get("cube-seldom")));
        facts
    }

    /// Whether a cube is being turned beyond the usual, or the viewer may turn one so far (C10).
    fn turns_beyond(&self) -> bool {
        let Some(game) = self.state().game() else { return false };
        let beyond = |cube: Option<CubeValue>| cube.is_some_and(|cube| cube.get() > SELDOM_BEYOND);
        let offered = game.running().any(|bet| match bet.standing {
            BetStanding::Offered(raise) => beyond(Some(raise.to())),
            BetStanding::Open | BetStanding::Settled(_) => false,
        });
        let may = |legal: &Legal| {
            let Legal::Double { player, against, .. } = legal else { return false };
            let with = |bet: &chouette::Bet| against.iter().any(|opponent| bet.side_of(*opponent).is_some());
            game.running_of(*player).any(|bet| beyond(bet.cube.value.doubled()) && with(bet))
        };
        offered || self.legal.iter().any(may)
    }

    /// The players in the line, or those present before there is one. A closed table has no seats.
    fn seats(&self, placed: &mut PlacedActs, view: Option<&GameView>) -> Vec<Seat> {
        let state = self.state();
        if state.phase() == chouette::Phase::Closed {
            return Vec::new();
        }
        if state.seats().standing().is_none() {
            let present = state.present().into_iter();
            return present.map(|player| self.seat(player, Role::Gathered, placed, view)).collect();
        }
        let players = seated(state);
        players.into_iter().map(|player| self.seat(player, role(state, player), placed, view)).collect()
    }

    /// The players who wait for the next game, are on a break without a seat, or have left and may come back.
    fn aside(&self, placed: &mut PlacedActs, view: Option<&GameView>) -> Vec<Seat> {
        let state = self.state();
        if state.phase() == chouette::Phase::Closed {
            return Vec::new();
        }
        let seated = seated(state);
        let resting = state.resting();
        let waiting = state.waiting().iter().filter(|player| !resting.contains(player));
        let waiting = waiting.map(|player| (*player, Role::Waiting));
        let resting = resting.iter().map(|player| (*player, Role::Resting));
        let away = state.away().into_iter().map(|player| (player, Role::Away));
        let aside = waiting.chain(resting).chain(away).filter(|(player, _)| !seated.contains(player));
        aside.map(|(player, role)| self.seat(player, role, placed, view)).collect()
    }

    fn seat(&self, player: PlayerId, role: Role, placed: &mut PlacedActs, view: Option<&GameView>) -> Seat {
        let state = self.state();
        let game = state.game();
        let extras = state.bets().iter().filter(|bet| bet.kind == BetKind::Extra);
        let extra = |bet: &chouette::Bet| {
            let against = self.name(bet.opponent_of(player)?);
            Some(Extra { bet_id: bet.id, against, bet: self.bet(bet) })
        };
        Seat {
            player: player.to_string(),
            name: self.name(player),
            role,
            me: self.viewer == Some(player),
            marks: view.map(|view| self.marks(player, view)).unwrap_or_default(),
            exposure: view.and_then(|view| self.exposure(player, view)),
            bet: game.and_then(|game| game.member_bet(player)).map(|bet| self.bet(bet)),
            extras: extras.filter_map(extra).collect(),
            points: self.sees_points().then(|| self.say.points(&state.score(player).0)),
            at_cube: placed.at_cubes.remove(&player),
            acts: placed.of_seats.remove(&player).unwrap_or_default(),
            links: placed.links_of_seats.remove(&player).unwrap_or_default(),
        }
    }

    /// The remarks on a player in this game.
    fn marks(&self, player: PlayerId, view: &GameView) -> Vec<Mark> {
        let (t, state) = (self.say, self.state());
        let mut marks = Vec::new();
        let mark = |text: String, class: &'static str| Mark { text, class };
        if view.answered.contains(&player) {
            marks.push(mark(t.get("mark-answered"), "answered"));
        }
        if view.due == Some(player) {
            marks.push(mark(t.get("mark-due"), "due"));
        }
        if view.extras_offered.contains(&player) {
            marks.push(mark(t.get("mark-offers-extra"), "answered"));
        }
        let plays = state.game().is_some_and(|game| game.side_of(player).is_some());
        if plays && state.resting().contains(&player) {
            marks.push(mark(t.get("role-resting"), "plain"));
        }
        match state.game().and_then(|game| game.proxies.get(&player)) {
            Some(Proxy::Player(proxy)) => {
                marks.push(mark(t.with("mark-proxy", "name", self.name(*proxy)), "plain"));
            }
            Some(Proxy::Captain) => marks.push(mark(t.get("mark-follows"), "plain")),
            None => {}
        }
        let silent = state.rules().consultation == Consultation::Free;
        let rolls = state.acting_captain() == Some(player);
        if !silent && !rolls && view.may_consult.contains(&player) {
            marks.push(mark(t.get("mark-consult"), "consult"));
        }
        marks
    }

    /// What a player can still lose. `None` if nothing.
    fn exposure(&self, player: PlayerId, view: &GameView) -> Option<Exposure> {
        let lose = view.exposure.iter().find(|score| score.player == player)?.points;
        (lose > HalfPoints::ZERO).then(|| Exposure {
            points: self.say.how_many(&lose.0),
            above: self.exposure_limit.is_some_and(|limit| lose >= limit),
        })
    }

    fn bet(&self, bet: &chouette::Bet) -> Bet {
        let stage = match bet.standing {
            BetStanding::Open => Stage::Open,
            BetStanding::Offered(raise) => Stage::Offered {
                by_box: raise.by() == Side::Box,
                to: raise.to().get(),
                number: match raise {
                    Raise::Double(_) => 0,
                    Raise::Beaver(beaver) => beaver.number,
                },
            },
            BetStanding::Settled(Settled { winner, points, by, .. }) => {
                let lost = winner == Side::Box;
                let by = match by {
                    SettledBy::Drop if lost => Ended::MemberDropped,
                    SettledBy::Drop => Ended::BoxDropped,
                    SettledBy::Game | SettledBy::Settlement => Ended::Agreed,
                };
                let points = if lost { -points.0 } else { points.0 };
                let points = self.sees_points().then(|| self.say.points(&points));
                Stage::Settled { points, by }
            }
        };
        let owner = match CubeOwner::from(bet.cube.owner) {
            CubeOwner::Centred => Owner::Centred,
            CubeOwner::Box => Owner::Box,
            CubeOwner::Member => Owner::Member,
        };
        Bet {
            giver: (bet.kind == BetKind::Extra).then(|| self.name(bet.box_side)),
            member: self.name(bet.team_side),
            units: bet.units,
            value: self.state().has_cube().then(|| bet.cube.value.get()),
            owner,
            stage,
        }
    }

    /// The rolls for the order, while some are due. Viewers who may not enter them see them too.
    fn rolling(&self, placed: &mut PlacedActs, history: &History<'_>) -> Option<Rolling> {
        let due = self.state().to_roll();
        if due.is_empty() || self.state().phase() == chouette::Phase::Closed {
            return None;
        }
        let (draw, enter) = (placed.draw.take(), placed.enter.take());
        let still_tied = self.state().phase() == chouette::Phase::Ordering;
        if draw.is_none() && enter.is_none() && !still_tied {
            return None;
        }
        let rolled = history.last_rolls().iter().filter(|roll| still_tied && !due.contains(&roll.player));
        Some(Rolling {
            again: still_tied,
            rolled: rolled
                .map(|roll| (self.name(roll.player), u8::try_from(roll.pips()).unwrap_or(u8::MAX)))
                .collect(),
            due: due
                .iter()
                .map(|player| Choice::new(player.to_string(), self.name(*player), false))
                .collect(),
            draw,
            enter,
            dice: self.state().rules().order.dice.dice(),
        })
    }

    fn standings(&self) -> Vec<TableStanding> {
        let state = self.state();
        let away = state.away();
        let closed = state.phase() == chouette::Phase::Closed;
        state
            .standings()
            .into_iter()
            .map(|score| TableStanding {
                player: score.player.to_string(),
                name: self.name(score.player),
                points: self.say.points(&score.points.0),
                money: self.money(score.points),
                away: !closed && away.contains(&score.player),
            })
            .collect()
    }
}

fn phase(state: &Chouette) -> Phase {
    match state.phase() {
        chouette::Phase::Unopened | chouette::Phase::Gathering | chouette::Phase::Ordering => {
            Phase::Gathering
        }
        chouette::Phase::BetweenGames => Phase::Between,
        chouette::Phase::Playing => Phase::Playing,
        chouette::Phase::Closed => Phase::Closed,
    }
}

/// The seats in order: the box and its partners, then the captain and the crew. Between games players on a
/// break keep their seat.
fn seated(state: &Chouette) -> Vec<PlayerId> {
    let mut seated = Vec::new();
    if let Some(game) = state.game() {
        seated.push(game.box_player);
        seated.extend(&game.partners);
        seated.extend(&game.members);
    }
    for player in state.line() {
        if !seated.contains(player) {
            seated.push(*player);
            if state.game().is_none() && state.box_player() == Some(*player) {
                seated.extend(state.partners());
            }
        }
    }
    seated
}

/// The role of a player in the line.
fn role(state: &Chouette, player: PlayerId) -> Role {
    if state.partners().contains(&player) {
        return Role::Partner;
    }
    let plays = state.game().is_some_and(|game| game.bets.iter().any(|bet| bet.side_of(player).is_some()));
    if state.game().is_some() && !state.present().contains(&player) {
        return Role::Gone;
    }
    if !plays && state.resting().contains(&player) {
        return Role::Resting;
    }
    let player = Some(player);
    if state.box_player() == player {
        return Role::Box;
    }
    match (state.captain() == player, state.acting_captain()) {
        (true, None) => Role::Captain,
        (true, acting) if acting == player => Role::Captain,
        (true, _) => Role::DroppedCaptain,
        (false, acting) if acting == player => Role::ActingCaptain,
        (false, _) => Role::Crew,
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
