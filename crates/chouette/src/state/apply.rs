//! How each event changes the state. Applying an event decides nothing; [`event`](crate::event)
//! says where that line is drawn.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Chouette;
use crate::bet::{Bet, BetKind, BetStanding, Settled, SettledBet, SettledBy, Side, side_of};
use crate::event::{
    AgreedBet, Automatic, DroppedBet, DroppedCube, Event, FinishedGame, GivenExtra, Lone, OpenedBet,
    RaisedBet, StillAsked, TurnedBet,
};
use crate::finished::Finished;
use crate::game::{Answer, Asking, FirstAnswer, Game, LoneState, Proxy, Turn, score_of};
use crate::order::Seats;
use crate::outcome;
use owlbox_base::values::{PlayerId, Timestamp};
use owlbox_engine::game::{CubeRules, Game as OnBoard};
use owlbox_engine::{Beaver, Cube, Offer, Owner, Raise};

impl Chouette {
    /// Applies `event`. The match names every kind of event, so that none is forgotten.
    pub(crate) fn take_note(&mut self, event: &Event, at: Timestamp) {
        match event {
            Event::Opened { name, night, stake, rules, from } => {
                self.name.clone_from(name);
                (self.night, self.stake, self.rules) = (*night, *stake, Arc::new((**rules).clone()));
                (self.opened_at, self.from) = (Some(at), *from);
            }
            Event::RulesChanged { rules, seats } => {
                self.rules = Arc::new((**rules).clone());
                self.seat(seats, None);
            }
            Event::Split { seats, may_decline, .. } => self.seat(seats, *may_decline),
            Event::MergedInto { table } => {
                (self.merged_into, self.closed_at) = (Some(*table), Some(at));
            }
            Event::Closed {} => self.closed_at = Some(at),
            Event::Paid { payer, payee, amount } => {
                *self.paid.entry((*payer, *payee)).or_default() += amount;
            }

            Event::Joined { player, seats } => self.joined(*player, seats),
            Event::Left { player, seats, proxy, may_decline, asked }
            | Event::WentOnBreak { player, seats, proxy, may_decline, asked } => {
                self.gone(*player, seats, *proxy, *may_decline, asked.as_ref());
            }
            Event::Returned { player, seats, may_decline } => {
                self.name_proxy(*player, None);
                if !self.line().contains(player) && !self.waiting().contains(player) {
                    self.comes_in(*player);
                }
                self.seat(seats, *may_decline);
            }
            Event::ProxyNamed { player, proxy, asked } => {
                self.name_proxy(*player, *proxy);
                self.ask(asked.clone().or_else(|| outcome::asked_beside(self, *player, *proxy)));
            }
            Event::PlayersMerged { duplicate, player, seats, may_decline, .. } => {
                self.merge_players(*duplicate, *player, seats, *may_decline);
            }
            Event::StakeSet { player, units } => {
                self.units.insert(*player, *units);
            }
            Event::StartSet { player, value } => {
                self.starts.insert(*player, *value);
            }

            Event::RollsEntered { seats, .. }
            | Event::OrderDrawn { seats, .. }
            | Event::OrderSet { seats }
            | Event::PartnershipMade { seats, .. } => self.seat(seats, None),
            Event::PartnershipOffered { to } => self.partnership_offered.clone_from(to),
            Event::PartnershipDeclined { player } => {
                self.partnership_offered.retain(|asked| asked != player);
            }
            Event::BoxDeclined { player, seats, stood_up } => {
                self.may_decline = None;
                // A captain who came back during the game, won the box and now declines it counts as having
                // stood up, no longer as a newcomer.
                self.came_in.retain(|id| id != player);
                if let Some(stood_up) = stood_up {
                    self.stood_up.clone_from(stood_up);
                }
                self.seat(seats, None);
            }

            Event::GameStarted { seats, .. } => {
                if let Some(seats) = seats {
                    self.seats.clone_from(seats);
                }
                if let Some(game) = begun(&self.seats, event) {
                    self.begin(game);
                }
            }
            Event::OpeningTied { bets, automatic } => self.tied(bets, *automatic),
            Event::Doubled { player, bets } => self.doubled(*player, bets),
            Event::Answered { player, answer } => self.answered(*player, *answer),
            Event::Taken { player, bets, captain } => self.taken(*player, bets, *captain),
            Event::Dropped { player, bets, captain } => self.dropped(*player, bets, *captain),
            Event::Beavered { player, number, bets, captain } => {
                self.beavered(*player, bets, *number, *captain);
            }
            Event::CaptainChanged { captain, members } => self.captain_changed(*captain, members),
            Event::TakersMovedUp { members } => {
                if let Some(game) = self.game_mut() {
                    game.members.clone_from(members);
                }
            }
            Event::LoneTaker { player, then } => self.lone_taker(*player, then),
            Event::ExtraOffered { player } => self.extra_answered(*player, true),
            Event::ExtraPassed { player } => self.extra_answered(*player, false),
            Event::ExtrasGiven { taker, extras } => self.extras_given(*taker, extras),
            Event::PlayedOn {} => self.played_on(),
            Event::Settled { bets } => self.settled(bets),
            Event::Board { of } => self.board(of),
            Event::GameFinished(finished) => self.finish(finished),
            Event::GameCorrected { game, winner, win, before, after, cubes } => {
                self.book(before, after);
                if let Some(found) = finished_mut(&mut self.finished, *game) {
                    Arc::make_mut(found).correct(*winner, *win, after, cubes);
                }
            }
        }
    }

    fn game_mut(&mut self) -> Option<&mut Game> {
        self.game.as_mut().map(Arc::make_mut)
    }

    /// Changes the bet with this number, if it exists. A broken history shows when it is replayed and
    /// compared, not as a panic.
    fn change(&mut self, bet: u32, change: impl FnOnce(&mut Bet)) {
        if let Some(game) = self.game_mut()
            && let Some(found) = game.bets.iter_mut().find(|found| found.id == bet)
        {
            change(found);
        }
    }

    fn begin(&mut self, game: Game) {
        self.carried = 0;
        self.may_decline = None;
        self.partnership_offered.clear();
        self.game = Some(Arc::new(game));
    }

    /// Applies a double. The turn begins or goes on, and anything a lone taker or giver was asked lapses.
    fn doubled(&mut self, player: PlayerId, bets: &[TurnedBet]) {
        let Some(game) = self.game_mut() else { return };
        let mut side = Side::Team;
        for &TurnedBet { bet, to, .. } in bets {
            let Some(found) = game.bets.iter_mut().find(|found| found.id == bet) else { continue };
            side = acting_side(found, player);
            let offer = Offer { before: found.cube.value, to, by: side };
            found.standing = BetStanding::Offered(Raise::Double(offer));
        }
        game.begun = true;
        game.lone = None;
        let members = |bet: &TurnedBet| {
            game.bets.iter().any(|found| found.id == bet.bet && found.kind == BetKind::Member)
        };
        let doubled: Vec<u32> = bets.iter().filter(|bet| members(bet)).map(|bet| bet.bet).collect();
        match &mut game.turn {
            Some(turn) if turn.side == side => turn.doubled.extend(doubled),
            turn => {
                let first = !game.box_has_doubled;
                let answered_before =
                    turn.as_ref().is_some_and(|turn| turn.side == Side::Team && !turn.answered.is_empty());
                game.box_has_answered |= answered_before;
                *turn = Some(Turn { side, first, captain: None, doubled, answered: Vec::new() });
            }
        }
        game.box_has_doubled |= side == Side::Box;
    }

    /// Records the first answer to a member's bet in this turn. Answers to beavers do not count.
    fn first_answer(&mut self, bet: u32, answer: Answer, captain: Option<PlayerId>) {
        let captain = captain.or_else(|| self.acting_captain());
        let Some(game) = self.game_mut() else { return };
        let Some(found) = game.bets.iter().find(|found| found.id == bet) else { return };
        let before = match found.standing {
            BetStanding::Offered(Raise::Double(offer)) if found.kind == BetKind::Member => offer.before,
            BetStanding::Open | BetStanding::Offered(_) | BetStanding::Settled(_) => return,
        };
        let centred = !found.cube.is_turned();
        if let Some(turn) = &mut game.turn {
            if turn.answered.is_empty() {
                turn.captain = captain;
            }
            turn.answered.push(FirstAnswer { bet, before, centred, answer });
        }
    }

    /// Keeps a hidden answer, where all answer at once.
    fn answered(&mut self, player: PlayerId, answer: Option<Answer>) {
        if let (Some(game), Some(answer)) = (self.game_mut(), answer) {
            game.answers.insert(player, answer);
        }
    }

    fn captain_changed(&mut self, captain: PlayerId, members: &[PlayerId]) {
        if let Some(game) = self.game_mut() {
            game.captain = captain;
            game.members = members.to_vec();
        }
    }

    fn beavered(&mut self, player: PlayerId, bets: &[TurnedBet], number: u8, captain: Option<PlayerId>) {
        if let Some(game) = self.game_mut() {
            game.lone = None;
            game.answers.remove(&player);
        }
        for &TurnedBet { bet, to, .. } in bets {
            self.first_answer(bet, Answer::Beaver, captain);
            self.change(bet, |bet| {
                let by = acting_side(bet, player);
                let (before, owner) = match bet.standing {
                    BetStanding::Offered(Raise::Beaver(beaver)) => (beaver.to, beaver.owner),
                    BetStanding::Offered(Raise::Double(offer)) => (offer.to, by),
                    // Taken already, and now beavered by the captain of a single cube or by a lone taker.
                    BetStanding::Open | BetStanding::Settled(_) => match bet.cube.owner {
                        Owner::Owned(owner) => (bet.cube.value, owner),
                        Owner::Centred => (bet.cube.value, by),
                    },
                };
                bet.standing = BetStanding::Offered(Raise::Beaver(Beaver { before, to, by, owner, number }));
            });
        }
    }

    fn taken(&mut self, player: PlayerId, bets: &[TurnedBet], captain: Option<PlayerId>) {
        if let Some(game) = self.game_mut() {
            game.answers.remove(&player);
        }
        for &TurnedBet { bet, to, .. } in bets {
            self.first_answer(bet, Answer::Take, captain);
            self.change(bet, |bet| {
                let taker = acting_side(bet, player);
                let owner = bet.raise().map_or(taker, |raise| raise.owner(taker));
                (bet.cube, bet.standing) = (Cube::owned(to, owner), BetStanding::Open);
            });
        }
    }

    /// Records which bets with the box were settled last. Settling only extras changes nothing.
    fn settled_last(&mut self, bets: impl Iterator<Item = u32>) {
        let Some(game) = self.game_mut() else { return };
        let with_box = |id: &u32| game.bet(*id).is_some_and(|bet| bet.kind == BetKind::Member);
        let settled: Vec<u32> = bets.filter(with_box).collect();
        if !settled.is_empty() {
            game.settled_last = settled;
        }
    }

    fn dropped(&mut self, player: PlayerId, bets: &[DroppedBet], captain: Option<PlayerId>) {
        let cubes: Vec<Option<DroppedCube>> = bets
            .iter()
            .map(|dropped| dropped.cube.or_else(|| outcome::dropped_cube(self, player, dropped)))
            .collect();
        if let Some(game) = self.game_mut() {
            game.lone = None;
            game.answers.remove(&player);
        }
        for (&DroppedBet { bet, points, .. }, cube) in bets.iter().zip(cubes) {
            let Some(points) = points else { continue };
            self.first_answer(bet, Answer::Drop, captain);
            self.change(bet, |bet| {
                if let Some(DroppedCube { value, owner }) = cube {
                    bet.cube = Cube { value, owner: owner.map_or(Owner::Centred, Owner::Owned) };
                }
                let winner = acting_side(bet, player).other();
                bet.standing =
                    BetStanding::Settled(Settled { winner, points, by: SettledBy::Drop, counts_for: winner });
            });
        }
        self.settled_last(bets.iter().map(|dropped| dropped.bet));
    }

    fn lone_taker(&mut self, player: PlayerId, then: &Lone) {
        let Some(game) = self.game_mut() else { return };
        game.lone = match then {
            Lone::MustDrop {} => Some(LoneState::MustDrop(player)),
            Lone::MustBeaverOrDrop {} => Some(LoneState::MustBeaverOrDrop(player)),
            Lone::Extras { asked } => {
                let asked = asked.clone();
                Some(LoneState::Extras(Asking { taker: player, asked, offered: Vec::new() }))
            }
        };
    }

    /// Replaces the list of players asked for an extra and that of players who have offered one.
    fn ask(&mut self, still: Option<StillAsked>) {
        let (Some(StillAsked { asked, offered }), Some(game)) = (still, self.game_mut()) else { return };
        let Some(LoneState::Extras(asking)) = &mut game.lone else { return };
        (asking.asked, asking.offered) = (asked, offered);
        if asking.asked.is_empty() && asking.offered.is_empty() {
            game.lone = None;
        }
    }

    /// Takes `player` off the list of those asked and, if they offer an extra, puts them on the list of
    /// offers.
    fn extra_answered(&mut self, player: PlayerId, offers: bool) {
        let Some(game) = self.game_mut() else { return };
        let Some(LoneState::Extras(asking)) = &mut game.lone else { return };
        asking.asked.retain(|&asked| asked != player);
        if offers {
            asking.offered.push(player);
        }
        if asking.asked.is_empty() && asking.offered.is_empty() {
            game.lone = None;
        }
    }

    fn extras_given(&mut self, taker: PlayerId, extras: &[GivenExtra]) {
        let Some(game) = self.game_mut() else { return };
        for extra in extras {
            let Some(points) = extra.points else { continue };
            let bet = |id, kind, cube, standing| Bet {
                id,
                box_side: extra.giver,
                team_side: taker,
                kind,
                start: extra.value,
                cube,
                units: extra.units,
                standing,
            };
            let paid = Settled { winner: Side::Team, points, by: SettledBy::Game, counts_for: Side::Team };
            let (cube, standing) = (Cube::owned(extra.value, Side::Team), BetStanding::Settled(paid));
            game.bets.push(bet(extra.payment, BetKind::ExtraPayment, cube, standing));
            game.bets.push(bet(extra.bet, BetKind::Extra, cube, BetStanding::Open));
            if let Some(LoneState::Extras(asking)) = &mut game.lone {
                asking.asked.retain(|&asked| asked != extra.giver);
                asking.offered.retain(|&offered| offered != extra.giver);
            }
        }
        if matches!(&game.lone, Some(LoneState::Extras(asking)) if asking.asked.is_empty()) {
            game.lone = None;
        }
    }

    fn settled(&mut self, bets: &[AgreedBet]) {
        if let Some(game) = self.game_mut() {
            (game.begun, game.lone) = (true, None);
        }
        for &AgreedBet { bet, winner, points, counts_for } in bets {
            let Some(points) = points else { continue };
            let by = SettledBy::Settlement;
            self.change(bet, |bet| {
                bet.standing = BetStanding::Settled(Settled { winner, points, by, counts_for });
            });
        }
        self.settled_last(bets.iter().map(|agreed| agreed.bet));
    }

    fn played_on(&mut self) {
        let Some(game) = self.game_mut() else { return };
        (game.begun, game.lone) = (true, None);
        if let Some(turn) = game.turn.take() {
            game.box_has_answered |= turn.side == Side::Team && !turn.answered.is_empty();
        }
    }

    fn tied(&mut self, bets: &[RaisedBet], automatic: Automatic) {
        for raised in bets {
            self.change(raised.bet, |bet| bet.cube.value = raised.to);
        }
        if let Some(game) = self.game_mut() {
            game.tie_waits = false;
            match automatic {
                Automatic::Doubled => game.automatics = game.automatics.saturating_add(1),
                Automatic::CarriedOver => game.carried = game.carried.saturating_add(1),
                Automatic::Declined | Automatic::BeyondLimit => {}
            }
        }
    }

    fn board(&mut self, event: &owlbox_engine::game::Event) {
        use owlbox_engine::game::Event as On;
        if matches!(event, On::Rolled { .. } | On::Opened { .. } | On::RolledEarly { .. }) {
            self.played_on();
        }
        if let Some(game) = self.game_mut()
            && let Some(board) = &mut game.board
        {
            board.apply(event);
            if let On::Opened { side, .. } = event {
                game.began = Some(side_of(*side));
            }
            game.tie_waits = matches!(event, On::OpeningTied { .. });
        }
    }

    fn finish(&mut self, finished: &FinishedGame) {
        self.book(&[], &finished.bets);
        if let Some(game) = self.game.take() {
            self.carried = game.carried;
            let finished = Finished::new(&game, finished, &self.rules);
            Arc::make_mut(&mut self.finished).push(Arc::new(finished));
        }
        if let Seats::Line(line) = &mut self.seats {
            line.line.clone_from(&finished.line);
            line.partners.clone_from(&finished.partners);
            self.came_in = std::mem::take(&mut line.waiting);
        }
        self.stood_up.clone_from(&finished.stood_up);
        self.may_decline = finished.may_decline;
        // Starts are agreed with the box, so another box has to agree anew.
        if self.box_player() != self.finished.last().map(|finished| finished.box_player) {
            self.starts.clear();
        }
    }

    /// Books the results `after` in place of `before`.
    fn book(&mut self, before: &[SettledBet], after: &[SettledBet]) {
        for (player, booked) in &mut self.booked {
            *booked += score_of(*player, after.iter().copied()) - score_of(*player, before.iter().copied());
        }
    }

    fn merge_players(
        &mut self,
        duplicate: PlayerId,
        player: PlayerId,
        seats: &Seats,
        may_decline: Option<bool>,
    ) {
        let booked = self.booked.remove(&duplicate).unwrap_or_default();
        *self.booked.entry(player).or_default() += booked;
        for ((payer, payee), amount) in std::mem::take(&mut self.paid) {
            let renamed = |id: PlayerId| if id == duplicate { player } else { id };
            let (payer, payee) = (renamed(payer), renamed(payee));
            // What the two entries paid each other was paid to nobody else.
            if payer != payee {
                *self.paid.entry((payer, payee)).or_default() += amount;
            }
        }
        if let Some(units) = self.units.remove(&duplicate) {
            self.units.entry(player).or_insert(units);
        }
        if let Some(start) = self.starts.remove(&duplicate) {
            self.starts.entry(player).or_insert(start);
        }
        for finished in Arc::make_mut(&mut self.finished) {
            if finished.bets_of(duplicate).next().is_some() || finished.box_player == duplicate {
                Arc::make_mut(finished).rename(duplicate, player);
            }
        }
        let sat_already = self.present().contains(&player);
        for seen in [&mut self.stood_up, &mut self.came_in] {
            // If the player sits already, their own seat counts, and how the duplicate came by another is
            // forgotten. If not, the player has the duplicate's seat, and what they did before they left is
            // forgotten.
            let forgotten = if sat_already { duplicate } else { player };
            seen.retain(|id| *id != forgotten);
            seen.iter_mut().filter(|id| **id == duplicate).for_each(|id| *id = player);
        }
        self.may_decline.iter_mut().filter(|id| **id == duplicate).for_each(|id| *id = player);
        // The same person under another name has not become box.
        let old_box = self.box_player().map(|old| if old == duplicate { player } else { old });
        if *seats != self.seats {
            let starts = std::mem::take(&mut self.starts);
            self.seat(seats, may_decline);
            if self.box_player() == old_box {
                self.starts = starts;
            }
        }
    }

    /// Takes over new seats. An open offer of the partnership lapses, and with a new box the agreed starts
    /// do. If the right to decline the box can have changed, the event says so; for old events `outcome`
    /// does.
    fn seat(&mut self, seats: &Seats, may_decline: Option<bool>) {
        let old_box = self.box_player();
        self.seats = seats.clone();
        if self.box_player() != old_box {
            self.starts.clear();
        }
        self.partnership_offered.clear();
        if !may_decline.unwrap_or_else(|| outcome::may_decline(self.may_decline, seats)) {
            self.may_decline = None;
        }
    }

    fn joined(&mut self, player: PlayerId, seats: &Seats) {
        self.booked.entry(player).or_default();
        self.newest = Some(player);
        self.name_proxy(player, None);
        self.comes_in(player);
        self.seat(seats, None);
    }

    /// Records a newcomer, unless they wait for the end of a game.
    fn comes_in(&mut self, player: PlayerId) {
        if self.game.is_none() {
            self.came_in.push(player);
        }
    }

    /// Applies that `player` has gone, for good or on a break.
    fn gone(
        &mut self,
        player: PlayerId,
        seats: &Seats,
        proxy: Option<Proxy>,
        may_decline: Option<bool>,
        asked: Option<&StillAsked>,
    ) {
        self.name_proxy(player, proxy);
        self.ask(asked.cloned().or_else(|| outcome::asked_without(self, player, proxy)));
        self.seat(seats, may_decline);
    }

    fn name_proxy(&mut self, player: PlayerId, proxy: Option<Proxy>) {
        if let Some(game) = self.game_mut() {
            match proxy {
                Some(proxy) => game.proxies.insert(player, proxy),
                None => game.proxies.remove(&player),
            };
        }
    }
}

/// The side on which `player` acts in a bet. With a single cube the captain acts in other members' bets too,
/// so everybody but the player on the box's side acts for the team.
fn acting_side(bet: &Bet, player: PlayerId) -> Side {
    if bet.box_side == player { Side::Box } else { Side::Team }
}

/// The finished game with this number, for changing. Numbers begin at 1.
fn finished_mut(finished: &mut Arc<Vec<Arc<Finished>>>, number: u32) -> Option<&mut Arc<Finished>> {
    let place = usize::try_from(number).ok()?.checked_sub(1)?;
    Arc::make_mut(finished).get_mut(place)
}

/// The game that a `GameStarted` event begins.
fn begun(seats: &Seats, event: &Event) -> Option<Game> {
    let Event::GameStarted {
        game,
        box_player,
        captain,
        partners,
        bets,
        carried,
        refereed,
        on_board,
        seats: _,
    } = event
    else {
        return None;
    };
    let opened = |opened: &OpenedBet| Bet {
        id: opened.bet,
        box_side: *box_player,
        team_side: opened.member,
        kind: opened.kind,
        start: opened.value,
        cube: Cube::centred(opened.value),
        units: opened.units,
        standing: BetStanding::Open,
    };
    Some(Game {
        number: *game,
        box_player: *box_player,
        captain: *captain,
        partners: partners.clone(),
        members: seats.line().iter().copied().filter(|player| player != box_player).collect(),
        players: 1 + partners.len() + bets.len(),
        bets: bets.iter().map(opened).collect(),
        settled_last: Vec::new(),
        automatics: *carried,
        carried: 0,
        begun: false,
        turn: None,
        box_has_doubled: false,
        box_has_answered: false,
        answers: BTreeMap::new(),
        lone: None,
        proxies: BTreeMap::new(),
        tie_waits: false,
        on_board: *on_board,
        began: None,
        board: refereed.then(|| Box::new(OnBoard::new(on_board.with(CubeRules::Without {})))),
    })
}
