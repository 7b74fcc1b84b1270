//! A table's page out of the state of its chouette: who sits where, what happens now, the scores.
//!
//! What may be done is in [`super::acts`], what has happened in [`super::log`].

use std::collections::BTreeMap;

use super::acts::{Given, acts};
use super::log::{History, lines, redo_all, step};
use super::{Bet, Board, Now, Owner, Phase, Role, Rolling, Seat, Stage, Standing, Table, Who};
use crate::chouette::rules::catalogue;
use crate::chouette::{self, BetStanding, Chouette, CubeOwner, Event, Legal, Settled, Side};
use crate::journal::{Act, Stream};
use crate::values::{AccountId, ActId, ChouetteId, HalfPoints, PlayerId};
use crate::web::locale::{Amount, Locale};
use crate::web::pages::{Choice, Notice, rule_words};

/// Everything that a table's page is made from.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// Words and numbers.
    pub t: &'a Locale,
    /// Which table.
    pub id: ChouetteId,
    /// Its state and version.
    pub stream: &'a Stream<Chouette>,
    /// What the viewer may do now.
    pub legal: &'a [Legal],
    /// The act that the viewer may take back.
    pub undo: Option<ActId>,
    /// How many acts, that one first, the viewer may take back from the log.
    pub back: usize,
    /// The act that the viewer may put back.
    pub redo: Option<ActId>,
    /// How many acts, that one first, the viewer may put back.
    pub forth: usize,
    /// Who looks, if a player.
    pub viewer: Option<PlayerId>,
    /// What players are called.
    pub names: &'a BTreeMap<PlayerId, String>,
    /// The newest acts, in order.
    pub acts: &'a [Act<Event>],
    /// Who is behind the accounts of those acts.
    pub accounts: &'a BTreeMap<AccountId, String>,
    /// Players of the club who can be picked to join.
    pub club: &'a [Choice],
    /// Whether the viewer may make a guest a player of the club.
    pub guests: bool,
    /// Whether the viewer may see what everybody has won so far.
    pub standings: bool,
}

impl Scene<'_> {
    /// The state.
    pub(super) const fn state(&self) -> &Chouette {
        &self.stream.state
    }

    /// What a player is called.
    pub(super) fn name(&self, player: PlayerId) -> String {
        self.names.get(&player).cloned().unwrap_or_else(|| player.to_string())
    }

    /// What players are called, in order.
    pub(super) fn names(&self, players: impl IntoIterator<Item = PlayerId>) -> Vec<String> {
        players.into_iter().map(|player| self.name(player)).collect()
    }

    /// What points are worth at this table.
    fn money(&self, points: HalfPoints) -> Option<Amount> {
        let stake = self.state().stake()?;
        Some(self.t.money(stake.worth(points)?, stake.currency))
    }

    /// The table as its page shows it; `notice` tells of the last act.
    #[must_use]
    pub fn table(&self, notice: Option<Notice>) -> Table {
        let state = self.state();
        let mut given = acts(self);
        let history = History::of(self.acts);
        let playing = state.game().map(|game| game.number);
        Table {
            id: self.id.to_string(),
            name: state.name().to_owned(),
            version: self.stream.version,
            phase: phase(state),
            stake: state.stake().map(|stake| self.t.stake(stake)),
            rules: self.rules(),
            game: usize::try_from(playing.unwrap_or(state.games_finished())).unwrap_or(usize::MAX),
            now: self.now(),
            seats: self.seats(&mut given),
            aside: self.aside(&mut given),
            next_up: self.names(state.line().iter().skip(2).copied()),
            undo: self.undo.and_then(|act| step(self, &history, "undo", act)),
            redo: self.redo.and_then(|act| step(self, &history, "redo", act)),
            redo_all: self.redo.filter(|_| self.forth > 1).map(|act| redo_all(self, act)),
            rolling: self.rolling(&mut given, &history),
            standings: if self.standings && phase(state) != Phase::Gathering {
                self.standings()
            } else {
                Vec::new()
            },
            log: lines(self, &history),
            acts: given.acts,
            doubling_some: given.doubling_some,
            may_finish: given.may_finish,
            board: Board::of(self),
            joining: given.joining,
            notice,
        }
    }

    fn rules(&self) -> String {
        let key = "box_retention";
        let set = catalogue::value(self.state().rules(), key);
        catalogue::setting(key).map(|setting| rule_words::sentence(self.t, setting, &set)).unwrap_or_default()
    }

    fn now(&self) -> Now {
        let state = self.state();
        let name = |player: Option<PlayerId>| player.map(|player| self.name(player)).unwrap_or_default();
        match (state.phase(), state.game()) {
            (chouette::Phase::Closed, _) => Now::Closed,
            (chouette::Phase::Ordering, _) => Now::Rolling,
            (_, Some(game)) => match game.offering() {
                None => Now::Playing(self.name(game.box_player), name(state.acting_captain())),
                Some(side) => self.answering(game, side),
            },
            (chouette::Phase::BetweenGames, _) if state.line().len() > 1 => {
                Now::Between(name(state.box_player()), name(state.captain()))
            }
            _ => Now::Gathering,
        }
    }

    fn answering(&self, game: &chouette::Game, doubling: Side) -> Now {
        let offered = game.bets.iter().filter(|bet| bet.offered_by() == Some(doubling));
        let members = self.names(offered.map(|bet| bet.team_side));
        let the_box = self.name(game.box_player);
        match (doubling, members.as_slice()) {
            (Side::Box, [_, _, ..]) if members.len() == game.running().count() => Now::AnsweringTeam,
            (Side::Box, _) => Now::Answering(Who::Box, members),
            (Side::Team, [one]) => Now::Answering(Who::Player(one.clone()), vec![the_box]),
            (Side::Team, _) => Now::AnsweringSeveral(members, the_box),
        }
    }

    /// Who sits in the line, or has come before there is one. Nobody sits at a closed table.
    fn seats(&self, given: &mut Given) -> Vec<Seat> {
        let state = self.state();
        let (players, in_line) = match state.phase() {
            chouette::Phase::Closed => (Vec::new(), true),
            _ if state.line().is_empty() => (state.present(), false),
            _ => (state.line().to_vec(), true),
        };
        players
            .into_iter()
            .map(|player| {
                self.seat(player, if in_line { role(state, player) } else { Role::Gathered }, given)
            })
            .collect()
    }

    /// Who waits for the next game, and who has gone but may come back.
    fn aside(&self, given: &mut Given) -> Vec<Seat> {
        let state = self.state();
        if state.phase() == chouette::Phase::Closed {
            return Vec::new();
        }
        let waiting = state.waiting().iter().map(|player| (*player, Role::Waiting));
        let away = state.away().into_iter().map(|player| (player, Role::Away));
        waiting.chain(away).map(|(player, role)| self.seat(player, role, given)).collect()
    }

    fn seat(&self, player: PlayerId, role: Role, given: &mut Given) -> Seat {
        let state = self.state();
        Seat {
            player: player.to_string(),
            name: self.name(player),
            role,
            me: self.viewer == Some(player),
            bet: state.bets().iter().find(|bet| bet.team_side == player).map(|bet| self.bet(bet)),
            points: self.standings.then(|| self.t.points(state.score(player))),
            acts: given.of_seats.remove(&player).unwrap_or_default(),
        }
    }

    fn bet(&self, bet: &chouette::Bet) -> Bet {
        let stage = match bet.standing {
            BetStanding::Open => Stage::Open,
            BetStanding::Offered(raise) => {
                Stage::Offered { by_box: raise.by() == Side::Box, to: raise.to().get() }
            }
            BetStanding::Settled(Settled { winner, points, .. }) => {
                let by_member = winner == Side::Box;
                Stage::Settled { points: self.t.points(if by_member { -points } else { points }), by_member }
            }
        };
        let owner = match CubeOwner::from(bet.cube.owner) {
            CubeOwner::Centred => Owner::Centred,
            CubeOwner::Box => Owner::Box,
            CubeOwner::Member => Owner::Member,
        };
        Bet { value: bet.cube.value.get(), owner, stage }
    }

    /// Rolling for the order: while some have to, even for those who may not enter it.
    fn rolling(&self, given: &mut Given, history: &History<'_>) -> Option<Rolling> {
        let due = self.state().to_roll();
        if due.is_empty() || self.state().phase() == chouette::Phase::Closed {
            return None;
        }
        let (draw, enter) = (given.draw.take(), given.enter.take());
        let still_tied = self.state().phase() == chouette::Phase::Ordering;
        if draw.is_none() && enter.is_none() && !still_tied {
            return None;
        }
        let rolled = history.last_rolls().filter(|roll| still_tied && !due.contains(&roll.player));
        Some(Rolling {
            rolled: rolled
                .map(|roll| (self.name(roll.player), u8::try_from(roll.pips()).unwrap_or(u8::MAX)))
                .collect(),
            due: due
                .iter()
                .map(|player| Choice::new(player.to_string(), self.name(*player), false))
                .collect(),
            draw,
            enter,
        })
    }

    fn standings(&self) -> Vec<Standing> {
        let state = self.state();
        let away = state.away();
        let closed = state.phase() == chouette::Phase::Closed;
        state
            .standings()
            .into_iter()
            .map(|score| Standing {
                player: score.player.to_string(),
                name: self.name(score.player),
                points: self.t.points(score.points),
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

/// What somebody in the line is.
fn role(state: &Chouette, player: PlayerId) -> Role {
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
