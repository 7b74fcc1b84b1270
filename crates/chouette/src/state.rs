//! The state of a chouette: the sum of its events, which [`apply`] applies, and the queries on it.

mod apply;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::bet::Bet;
use crate::finished::Finished;
use crate::game::{Answer, Game};
use crate::order::Seats;
use crate::rules::{Consultation, DecisionOrder, Declining, HouseRules, Stakes};
use owlbox_base::journal::shared::Viewer;
use owlbox_base::values::{ChouetteId, HalfPoints, Payment, PlayerId, Stake, Timestamp};
use owlbox_engine::CubeValue;

/// What is going on at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Nothing has happened yet: the table is not even open.
    Unopened,
    /// Players arrive; nobody has rolled for the order.
    Gathering,
    /// Some players tied and must roll again for the order.
    Ordering,
    /// The line stands and no game is in progress.
    BetweenGames,
    /// A game is in progress.
    Playing,
    /// The night is over; only corrections and payments remain.
    Closed,
}

/// A chouette: one night at one table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chouette {
    name: String,
    night: NaiveDate,
    stake: Option<Stake>,
    rules: Arc<HouseRules>,
    opened_at: Option<Timestamp>,
    closed_at: Option<Timestamp>,
    from: Option<ChouetteId>,
    merged_into: Option<ChouetteId>,
    seats: Seats,
    /// The last player to join; a split may send them away first.
    newest: Option<PlayerId>,
    /// Who is still to be asked to be the box's partner, in order. The first is asked now.
    partnership_offered: Vec<PlayerId>,
    stood_up: Vec<PlayerId>,
    /// Who has come in since the last game began.
    came_in: Vec<PlayerId>,
    may_decline: Option<PlayerId>,
    units: BTreeMap<PlayerId, u16>,
    starts: BTreeMap<PlayerId, CubeValue>,
    carried: u8,
    game: Option<Arc<Game>>,
    /// Shared down to the list itself, because only the end or the correction of a game changes it.
    finished: Arc<Vec<Arc<Finished>>>,
    booked: BTreeMap<PlayerId, HalfPoints>,
    /// What players have paid each other, by payer and payee, in minor units or in half points.
    paid: BTreeMap<(PlayerId, PlayerId), i64>,
}

impl Chouette {
    /// Takes out what everybody has won and paid, as far as the viewer may not see it, and what others have
    /// answered in secret: that they have, everybody sees.
    pub(crate) fn redact(&mut self, viewer: &Viewer) {
        if !viewer.sees_payments {
            self.paid.clear();
        }
        if !viewer.sees_points {
            // Where the lowest score answers first, everybody sees who is ahead of whom, but not by how much.
            let has_order = self.rules.decision_order == DecisionOrder::LowestScoreFirst;
            let order: BTreeSet<HalfPoints> = self.booked.values().copied().filter(|_| has_order).collect();
            for points in self.booked.values_mut() {
                let ahead_of = order.range(..*points).count();
                *points = HalfPoints(i64::try_from(ahead_of).unwrap_or_default());
            }
            let without_points = |game: &Arc<Finished>| Arc::new(game.without_points());
            self.finished = Arc::new(self.finished.iter().map(without_points).collect());
        }
        let is_secret = |game: &&mut Arc<Game>| !viewer.sees_points || !game.answers.is_empty();
        if let Some(game) = self.game.as_mut().filter(is_secret).map(Arc::make_mut) {
            let others = game.answers.iter_mut().filter(|(player, _)| Some(**player) != viewer.player);
            others.for_each(|(_, answer)| *answer = Answer::Take);
            if !viewer.sees_points {
                game.bets.iter_mut().for_each(Bet::hide_points);
            }
        }
    }

    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The night it belongs to, by the club's clock.
    #[must_use]
    pub const fn night(&self) -> NaiveDate {
        self.night
    }
    /// What a point is worth; `None` if no money is played for.
    #[must_use]
    pub const fn stake(&self) -> Option<Stake> {
        self.stake
    }
    #[must_use]
    pub fn rules(&self) -> &HouseRules {
        &self.rules
    }
    /// Whether it is played with cubes (C0). A cap of 1 means without.
    #[must_use]
    pub fn has_cube(&self) -> bool {
        self.rules.cube_limit() != CubeValue::ONE
    }
    #[must_use]
    pub const fn opened_at(&self) -> Option<Timestamp> {
        self.opened_at
    }
    #[must_use]
    pub const fn closed_at(&self) -> Option<Timestamp> {
        self.closed_at
    }
    /// The table this one was split from.
    #[must_use]
    pub const fn from(&self) -> Option<ChouetteId> {
        self.from
    }
    /// The table everybody moved to, which closed this one.
    #[must_use]
    pub const fn merged_into(&self) -> Option<ChouetteId> {
        self.merged_into
    }

    #[must_use]
    pub const fn phase(&self) -> Phase {
        match (&self.opened_at, &self.closed_at, &self.game, &self.seats) {
            (None, ..) => Phase::Unopened,
            (_, Some(_), ..) => Phase::Closed,
            (_, _, Some(_), _) => Phase::Playing,
            (.., Seats::Gathering { .. }) => Phase::Gathering,
            (.., Seats::Rolling { .. }) => Phase::Ordering,
            (.., Seats::Line(_)) => Phase::BetweenGames,
        }
    }

    /// Everybody at the table, in order as far as one is settled. Players who wait, or are on a break without
    /// a place, come last.
    #[must_use]
    pub fn present(&self) -> Vec<PlayerId> {
        self.seats.present()
    }
    /// Box, captain, crew; players on a break who keep their place are included. Empty until the order is
    /// settled.
    #[must_use]
    pub fn line(&self) -> &[PlayerId] {
        self.seats.line()
    }
    /// Who came during the game and waits for its end.
    #[must_use]
    pub fn waiting(&self) -> &[PlayerId] {
        self.seats.waiting()
    }
    /// Who is on a break.
    #[must_use]
    pub fn resting(&self) -> &[PlayerId] {
        self.seats.resting()
    }
    /// The box's partners, in the game in progress or the next.
    #[must_use]
    pub fn partners(&self) -> &[PlayerId] {
        match &self.game {
            Some(game) => &game.partners,
            None => self.seats.partners(),
        }
    }
    /// Who has sat here and left.
    #[must_use]
    pub fn away(&self) -> Vec<PlayerId> {
        let present = self.present();
        self.booked.keys().filter(|player| !present.contains(player)).copied().collect()
    }
    /// Who must roll for the order now.
    #[must_use]
    pub fn to_roll(&self) -> Vec<PlayerId> {
        self.seats.to_roll()
    }
    #[must_use]
    pub const fn seats(&self) -> &Seats {
        &self.seats
    }
    /// The captain who won the box, while nothing has ended their right to decline it. Unlike
    /// [`may_decline`](Self::may_decline), it does not ask whether the house rules allow that.
    pub(super) const fn declining(&self) -> Option<PlayerId> {
        self.may_decline
    }
    /// The last player to join. Coming back from a break does not count.
    pub(super) const fn newest(&self) -> Option<PlayerId> {
        self.newest
    }
    /// To whom the partnership with the box is offered now.
    #[must_use]
    pub fn offered_partnership(&self) -> Option<PlayerId> {
        self.partnership_offered.first().copied()
    }
    /// Everybody to whom it is still offered, in turn.
    pub(super) fn partnership_offered_to(&self) -> &[PlayerId] {
        &self.partnership_offered
    }
    /// Who stood up after the last game, or has since by declining the box.
    #[must_use]
    pub fn stood_up(&self) -> &[PlayerId] {
        &self.stood_up
    }
    /// Who has come in since the last game began.
    pub(super) fn came_in(&self) -> &[PlayerId] {
        &self.came_in
    }
    /// The captain who won the box and may still decline it under the house rules.
    #[must_use]
    pub fn may_decline(&self) -> Option<PlayerId> {
        self.may_decline.filter(|_| self.rules.declining == Declining::Allowed)
    }
    /// How many of the table's stakes `player` plays for; 1 unless set.
    #[must_use]
    pub fn units(&self, player: PlayerId) -> u16 {
        self.units.get(&player).copied().unwrap_or(1)
    }
    /// How many of the table's stakes the pair plays for: the lower of their two, where players have stakes
    /// of their own.
    pub(super) fn units_between(&self, one: PlayerId, other: PlayerId) -> u16 {
        match self.rules.stakes {
            Stakes::LowerOfTwo => self.units(one).min(self.units(other)),
            Stakes::OneForAll | Stakes::OwnStart => 1,
        }
    }
    /// The most of the table's stakes that anybody plays for.
    pub(super) fn most_units(&self) -> u16 {
        self.units.values().copied().max().unwrap_or(1)
    }
    /// Where the cube of `player` starts; 1 unless agreed otherwise.
    #[must_use]
    pub fn start(&self, player: PlayerId) -> CubeValue {
        self.starts.get(&player).copied().unwrap_or(CubeValue::ONE)
    }
    /// How many automatic doubles the next game begins with (C6): those carried over, but no more than the
    /// rules now allow in one game.
    #[must_use]
    pub fn carried(&self) -> u8 {
        self.rules.automatics.at_most.map_or(self.carried, |most| most.min(self.carried))
    }

    /// The box of the game in progress, or of the next.
    #[must_use]
    pub fn box_player(&self) -> Option<PlayerId> {
        match &self.game {
            Some(game) => Some(game.box_player),
            None => self.seats.standing()?.active().first().copied(),
        }
    }
    /// The captain for the rotation, of the game in progress or of the next.
    #[must_use]
    pub fn captain(&self) -> Option<PlayerId> {
        match &self.game {
            Some(game) => Some(game.captain),
            None => self.seats.standing()?.active().get(1).copied(),
        }
    }
    /// Whether `player` is at the table and not on a break.
    #[must_use]
    pub fn is_there(&self, player: PlayerId) -> bool {
        self.present().contains(&player) && !self.resting().contains(&player)
    }
    /// Who acts as captain in the game in progress: the first member still in who is there and not on a
    /// break; failing that, the first still in.
    #[must_use]
    pub fn acting_captain(&self) -> Option<PlayerId> {
        let team = self.game.as_ref()?.team();
        let there = team.iter().copied().find(|&member| self.is_there(member));
        there.or_else(|| team.first().copied())
    }
    /// Who decides the cubes of `player`: the player, their proxy, or the acting captain.
    #[must_use]
    pub fn decides_for(&self, player: PlayerId) -> PlayerId {
        self.game().map_or(player, |game| game.decides_for(player, self.acting_captain()))
    }
    /// Which members may advise the one who rolls for the team (Q6), in order. Players who have dropped are
    /// silent.
    #[must_use]
    pub fn may_consult(&self) -> Vec<PlayerId> {
        let Some(game) = &self.game else { return Vec::new() };
        let turned = |bet: &Bet| bet.cube.is_turned();
        let mut team = game.team();
        match self.rules.consultation {
            Consultation::Free => {}
            Consultation::None => team.clear(),
            Consultation::AfterAnyCube if game.bets.iter().any(turned) => {}
            Consultation::AfterAnyCube => team.clear(),
            Consultation::AfterOwnCube => {
                team.retain(|&member| game.running_of(member).any(turned));
            }
        }
        team
    }

    #[must_use]
    pub fn game(&self) -> Option<&Game> {
        self.game.as_deref()
    }
    /// The bets of the game in progress; none between games.
    #[must_use]
    pub fn bets(&self) -> &[Bet] {
        self.game.as_ref().map_or(&[], |game| &game.bets)
    }
    /// How many games are finished.
    #[must_use]
    pub fn games_finished(&self) -> u32 {
        self.finished.last().map_or(0, |finished| finished.number)
    }
    /// The finished games, the oldest first.
    pub fn finished(&self) -> impl ExactSizeIterator<Item = &Finished> {
        self.finished.iter().map(AsRef::as_ref)
    }
    /// The finished game with this number.
    #[must_use]
    pub fn finished_game(&self, number: u32) -> Option<&Finished> {
        // Games are numbered 1, 2, 3 and so on.
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        self.finished.get(place).map(AsRef::as_ref)
    }

    /// Whether `player` has ever sat here.
    #[must_use]
    pub fn knows(&self, player: PlayerId) -> bool {
        self.booked.contains_key(&player)
    }
    /// Everybody who ever sat here.
    pub fn known(&self) -> impl Iterator<Item = PlayerId> {
        self.booked.keys().copied()
    }
    /// What `player` has won in finished games, in half points.
    #[must_use]
    pub fn booked(&self, player: PlayerId) -> HalfPoints {
        self.booked.get(&player).copied().unwrap_or_default()
    }
    /// What `player` has won so far: finished games, and settled bets of the game in progress.
    #[must_use]
    pub fn score(&self, player: PlayerId) -> HalfPoints {
        let running = self.game.as_ref().map_or(HalfPoints::ZERO, |game| game.score_of(player));
        self.booked(player) + running
    }
    /// What `player` has won in finished games, in minor units of the stake's currency, or in half points if
    /// no money is played for. `None` if the score splits a minor unit, which rules with halves exclude, or
    /// is worth more than the ledger holds, which the [limit on stakes](super::Refusal::StakesTooHigh)
    /// excludes.
    #[must_use]
    pub fn won(&self, player: PlayerId) -> Option<i64> {
        match self.stake {
            Some(stake) => stake.worth(self.booked(player)).map(|worth| worth.0),
            None => Some(self.booked(player).0),
        }
    }
    /// The balance of `player`: what the others owe them, or, if negative, what they owe. It is what they
    /// have [won](Self::won) plus what they have [paid](Self::paid). `None` as for `won`, or if it overflows.
    #[must_use]
    pub fn debt(&self, player: PlayerId) -> Option<i64> {
        self.won(player)?.checked_add(self.paid(player))
    }
    /// What `player` has paid others, less what others have paid them, in minor units, or in half points if
    /// no money is played for.
    #[must_use]
    pub fn paid(&self, player: PlayerId) -> i64 {
        let given = self.paid.iter().filter(|((payer, _), _)| *payer == player).map(|(_, amount)| *amount);
        let got = self.paid.iter().filter(|((_, payee), _)| *payee == player).map(|(_, amount)| -*amount);
        given.chain(got).sum()
    }
    /// What players have paid each other, summed for every payer and payee.
    pub fn payments(&self) -> impl Iterator<Item = Payment> {
        self.paid.iter().map(|(&(payer, payee), &amount)| Payment { payer, payee, amount })
    }
}
