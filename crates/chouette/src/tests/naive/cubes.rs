//! Doubles and their answers, lone takers and extras (C2 to C8, Q7 to Q11).

use super::bets::{Offer, Pair, Proxy};
use super::{Game, Naive, Why, won, worth};
use crate::bet::{BetKind, SettledBy, Side};
use crate::rules::{Cubes, DecisionOrder, ExtrasFrom, LateDoubles, LoneTaker};
use owlbox_base::values::PlayerId;

/// An answer to an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Take,
    Drop,
    Beaver,
}

/// A turn: from a double to the roll, or to the other side's double.
#[derive(Clone, Debug)]
pub struct Turn {
    pub number: u32,
    pub side: Side,
    /// Members' cubes that the side doubled, as they were before: place, value, owner.
    pub doubled: Vec<(usize, i64, Option<Side>)>,
    /// What the team offered the box in this turn; a beaver stands for the double before it.
    pub team_offers: Vec<TeamOffer>,
    /// Members who dropped the box's offer; then those who took it, and those who beavered.
    pub dropped: Vec<PlayerId>,
    /// Those of them who dropped a double rather than a raccoon.
    pub dropped_doubles: Vec<PlayerId>,
    pub took: Vec<PlayerId>,
    pub beavered: Vec<PlayerId>,
    /// With a single cube: who took the box's latest offer, and whether the captain beavered it.
    pub round_taken: Vec<usize>,
    pub round_beavered: bool,
    /// Whether the box has answered a member's double.
    pub box_answered: bool,
    /// The acting captain when the answers began.
    pub captain_then: Option<Option<PlayerId>>,
}

/// A member's offer to the box.
#[derive(Clone, Copy, Debug)]
pub struct TeamOffer {
    pub place: usize,
    pub before: i64,
    pub to: i64,
    pub centred: bool,
    /// Whether it was taken or dropped; `None` while undecided.
    pub taken: Option<bool>,
}

/// Others are being asked whether they give the lone taker an extra.
#[derive(Clone, Debug)]
pub struct Asking {
    pub taker: PlayerId,
    /// The stake before the double.
    pub before: i64,
    pub asked: Vec<PlayerId>,
    pub gave: Vec<PlayerId>,
    /// Whether all have been asked, and the taker has to answer.
    pub answers: bool,
}

/// Whether `side` may offer this cube.
pub fn can_double(pair: &Pair, side: Side, cap: i64) -> bool {
    pair.runs()
        && pair.offer.is_none()
        && pair.owner.is_none_or(|owner| owner == side)
        && pair.value * 2 <= cap
}

fn offers_by(game: &Game, side: Side) -> bool {
    game.pairs.iter().any(|pair| pair.runs() && pair.offer.is_some_and(|offer| offer.by == side))
}

/// Whether a double of the box, rather than a raccoon, awaits a member's answer.
fn doubled(pair: &Pair) -> bool {
    box_waits_for(pair) && pair.offer.is_some_and(|offer| offer.number == 0)
}

/// Whether an offer of the box awaits a member's answer.
fn box_waits_for(pair: &Pair) -> bool {
    pair.runs() && pair.is_member() && pair.offer.is_some_and(|offer| offer.by == Side::Box)
}

impl Naive {
    fn is_single(&self) -> bool {
        self.rules.cubes == Cubes::Single
    }

    /// Whether this player's cube does what the captain's does.
    fn follows(&self, player: PlayerId) -> bool {
        let Some(game) = &self.game else { return false };
        game.proxies.get(&player) == Some(&Proxy::Captain) && game.acting_before != Some(player)
    }

    /// The bets with the named opponents, or all bets for which `can` holds.
    fn meant(
        &self,
        player: PlayerId,
        against: Option<&[PlayerId]>,
        can: impl Fn(&Pair) -> bool,
    ) -> Result<Vec<usize>, Why> {
        let game = self.game.as_ref().ok_or("no_game")?;
        let theirs = |pair: &Pair| pair.runs() && pair.has(player);
        if !game.pairs.iter().any(theirs) {
            return Err("not_in_game");
        }
        let Some(named) = against else {
            let all: Vec<usize> = (0..game.pairs.len())
                .filter(|place| theirs(&game.pairs[*place]) && can(&game.pairs[*place]))
                .collect();
            return if all.is_empty() { Err("none that can") } else { Ok(all) };
        };
        if named.is_empty() || named.iter().enumerate().any(|(place, who)| named[..place].contains(who)) {
            return Err("bad_choice");
        }
        let mut places = Vec::new();
        for opponent in named {
            let place = game
                .pairs
                .iter()
                .position(|pair| theirs(pair) && pair.has(*opponent) && *opponent != player)
                .ok_or("no_such_opponent")?;
            if !can(&game.pairs[place]) {
                return Err("one that cannot");
            }
            places.push(place);
        }
        Ok(places)
    }

    /// A double. If the dice were rolled before it, the turn ends first, where there is one.
    pub(super) fn doubles(
        &mut self,
        player: PlayerId,
        against: Option<&[PlayerId]>,
        rolled: bool,
    ) -> Result<(), Why> {
        let mut after = self.clone();
        if rolled && after.game.as_ref().is_some_and(|game| game.turn.is_some()) {
            after.play_on()?;
        }
        after.double(player, against)?;
        *self = after;
        Ok(())
    }

    fn double(&mut self, player: PlayerId, against: Option<&[PlayerId]>) -> Result<(), Why> {
        self.nothing_must_come_first()?;
        let cap = self.cap();
        let side = self.side_of(player).ok_or("not_in_game")?;
        let mut places = self.meant(player, against, |pair| can_double(pair, side, cap))?;
        let game = self.game.as_ref().ok_or("no_game")?;
        // A beaver still belongs to the turn in which it answers a double.
        let others_turn = game.turn.as_ref().is_some_and(|turn| turn.side != side);
        if offers_by(game, side.other()) || (others_turn && offers_by(game, side)) {
            return Err("not_on_turn");
        }
        let late = game.turn.as_ref().is_some_and(|turn| turn.side == Side::Team && turn.box_answered);
        if side == Side::Team && late && self.rules.late_doubles == LateDoubles::Closed {
            return Err("late_double");
        }
        let members = places.iter().any(|place| game.pairs[*place].is_member());
        if side == Side::Team && members {
            let captain = game.acting_before;
            if self.is_single() {
                if captain != Some(player) {
                    return Err("only_captain");
                }
                let others = |place: &usize| game.pairs[*place].runs() && game.pairs[*place].is_member();
                let all: Vec<usize> = (0..game.pairs.len()).filter(others).collect();
                places.retain(|place| !all.contains(place));
                places.extend(all);
            } else if self.follows(player) {
                return Err("follows_captain");
            } else if captain == Some(player) {
                let followers = (0..game.pairs.len()).filter(|place| {
                    let pair = &game.pairs[*place];
                    pair.is_member() && self.follows(pair.team_side) && can_double(pair, side, cap)
                });
                places.extend(followers.collect::<Vec<_>>());
            }
        }
        if player == game.box_player {
            if self.is_single() {
                let running = game.pairs.iter().filter(|pair| pair.runs() && pair.is_member()).count();
                if places.len() != running {
                    return Err("bad_choice");
                }
            }
            if !self.doubles_are_even(&places) {
                return Err("restraint");
            }
        }
        self.turn_of(side);
        self.offer(&places, side, player);
        Ok(())
    }

    /// Gives this side the turn, or begins a new one.
    fn turn_of(&mut self, side: Side) {
        let Some(game) = &mut self.game else { return };
        game.touched = true;
        game.asking = None;
        if game.turn.as_ref().is_some_and(|turn| turn.side == side) {
            return;
        }
        game.turns += 1;
        game.turn = Some(Turn {
            number: game.turns,
            side,
            doubled: Vec::new(),
            team_offers: Vec::new(),
            dropped: Vec::new(),
            dropped_doubles: Vec::new(),
            took: Vec::new(),
            beavered: Vec::new(),
            round_taken: Vec::new(),
            round_beavered: false,
            box_answered: false,
            captain_then: None,
        });
    }

    fn offer(&mut self, places: &[usize], by: Side, player: PlayerId) {
        let Some(game) = &mut self.game else { return };
        let Some(turn) = &mut game.turn else { return };
        if player == game.box_player {
            game.first_double.get_or_insert(turn.number);
            turn.round_taken.clear();
            turn.round_beavered = false;
        }
        for place in places {
            let pair = &mut game.pairs[*place];
            let (before, to) = (pair.value, pair.value * 2);
            if pair.is_member() {
                turn.doubled.push((*place, before, pair.owner));
                if by == Side::Team {
                    let centred = pair.owner.is_none();
                    turn.team_offers.push(TeamOffer { place: *place, before, to, centred, taken: None });
                }
            }
            pair.offer = Some(Offer { by, before, to, number: 0, keeper: None });
        }
    }

    /// Whether the captain had answered in secret before this player's cube began to follow the captain's:
    /// then it answers on its own.
    fn left_behind(&self, who: PlayerId) -> bool {
        let Some(game) = &self.game else { return false };
        let answered = |who: &PlayerId| game.hidden.contains_key(who);
        game.acting_before.is_some_and(|captain| answered(&captain)) && !answered(&who)
    }

    /// Members who have to answer the box, in their order. One who only follows the captain is not asked
    /// while the captain is.
    fn answerers(&self) -> Vec<PlayerId> {
        let Some(game) = &self.game else { return Vec::new() };
        let waits =
            |who: PlayerId| game.pairs.iter().any(|pair| pair.team_side == who && box_waits_for(pair));
        let captain_waits = game.acting_before.is_some_and(waits);
        let mut waiting: Vec<PlayerId> = game
            .order
            .iter()
            .copied()
            .filter(|who| waits(*who) && !(captain_waits && self.follows(*who) && !self.left_behind(*who)))
            .collect();
        match self.rules.decision_order {
            DecisionOrder::LastFirst => waiting.reverse(),
            DecisionOrder::LowestScoreFirst => {
                let scores = self.booked();
                waiting.sort_by_key(|who| scores.get(who).copied().unwrap_or(0));
            }
            _ => {}
        }
        waiting
    }

    pub(super) fn answer(
        &mut self,
        player: PlayerId,
        against: Option<&[PlayerId]>,
        answer: Answer,
    ) -> Result<(), Why> {
        let game = self.game.as_ref().ok_or("no_game")?;
        if game.must_beaver.is_some() {
            return self.beaver_or_drop(player, against, answer);
        }
        if game.asking.as_ref().is_some_and(|asking| asking.answers) {
            return self.answer_extras(player, against, answer);
        }
        let side = self.side_of(player).ok_or("not_in_game")?;
        let animals = self.rules.animals;
        let cap = self.cap();
        let places = self.meant(player, against, |pair| {
            pair.offer.is_some_and(|offer| {
                let can =
                    answer != Answer::Beaver || (animals.allow(offer.number + 1) && offer.to * 2 <= cap);
                offer.by != side && can
            })
        })?;
        if side == Side::Team {
            self.member_answers(player, &places, answer)
        } else if game.box_player == player {
            self.box_answers(&places, answer)
        } else {
            self.answer_at(&places, answer);
            self.settle_down();
            Ok(())
        }
    }

    /// A member answers the box, or the lone taker a giver.
    fn member_answers(&mut self, player: PlayerId, places: &[usize], answer: Answer) -> Result<(), Why> {
        let game = self.game.as_ref().ok_or("no_game")?;
        let of_the_box: Vec<usize> =
            places.iter().copied().filter(|place| box_waits_for(&game.pairs[*place])).collect();
        let of_givers: Vec<usize> = places.iter().copied().filter(|p| !of_the_box.contains(p)).collect();
        if of_the_box.is_empty() {
            self.answer_at(&of_givers, answer);
            self.settle_down();
            return Ok(());
        }
        self.may_answer_the_box(player, answer)?;
        let followers = self.with_the_captain(player, answer);
        // With a single cube, a follower of the captain who beavers takes, and so stands under the beaver
        // too.
        let followers_answer =
            if answer == Answer::Beaver && self.is_single() { Answer::Take } else { answer };
        if self.rules.decision_order == DecisionOrder::AllAtOnce {
            self.answer_at(&of_givers, answer);
            let everybody_following: Vec<(usize, PlayerId)> = self
                .with_the_captain(player, Answer::Take)
                .into_iter()
                .map(|place| (place, self.game.as_ref().map_or(player, |game| game.pairs[place].team_side)))
                .collect();
            let Some(game) = &mut self.game else { return Ok(()) };
            game.touched = true;
            game.hidden.insert(player, answer);
            for (place, follower) in everybody_following {
                // Nobody may see that the captain has beavered: a follower's cube that cannot be beavered is
                // taken.
                game.hidden.insert(
                    follower,
                    if followers.contains(&place) { followers_answer } else { Answer::Take },
                );
            }
            self.reveal();
            return Ok(());
        }
        let answered = of_the_box.iter().chain(&followers);
        let a_double =
            self.game.as_ref().is_some_and(|game| answered.clone().any(|at| doubled(&game.pairs[*at])));
        self.answer_at(&of_givers, answer);
        self.answer_at(&of_the_box, answer);
        self.answer_at(&followers, followers_answer);
        self.box_is_answered(a_double);
        Ok(())
    }

    fn may_answer_the_box(&self, player: PlayerId, answer: Answer) -> Result<(), Why> {
        let game = self.game.as_ref().ok_or("no_game")?;
        let answerers = self.answerers();
        if !answerers.contains(&player) {
            return Err("follows_captain");
        }
        let hidden = self.rules.decision_order == DecisionOrder::AllAtOnce;
        let free = hidden || self.rules.decision_order == DecisionOrder::AnyOrder;
        if !free && answerers.first() != Some(&player) {
            return Err("not_your_answer");
        }
        if answer == Answer::Beaver && self.is_single() && game.acting_before != Some(player) {
            return Err("only_captain");
        }
        if !hidden && answer != Answer::Drop && self.would_be_alone(player) {
            // A player who has beavered has taken: they are now answering the raccoon.
            let beavered = game.turn.as_ref().is_some_and(|turn| turn.beavered.contains(&player));
            let many = game.playing >= self.rules.lone_taker.from.get();
            match self.rules.lone_taker.rule {
                LoneTaker::MustDrop | LoneTaker::MustDropOrExtras if !beavered && many => {
                    return Err("must_drop");
                }
                LoneTaker::MustBeaverOrDrop if answer == Answer::Take && !beavered => {
                    return Err("must_beaver_or_drop");
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether, in the box's turn, all others are out, at least one of them by a drop in this turn.
    fn would_be_alone(&self, player: PlayerId) -> bool {
        let Some(game) = &self.game else { return false };
        let Some(turn) = game.turn.as_ref().filter(|turn| turn.side == Side::Box) else { return false };
        let others =
            game.pairs.iter().any(|pair| pair.runs() && pair.is_member() && pair.team_side != player);
        !others && turn.dropped.iter().any(|who| *who != player)
    }

    /// The box's offers to those whose cubes follow the acting captain's.
    fn with_the_captain(&self, player: PlayerId, answer: Answer) -> Vec<usize> {
        let Some(game) = &self.game else { return Vec::new() };
        if game.acting_before != Some(player) {
            return Vec::new();
        }
        (0..game.pairs.len())
            .filter(|place| {
                let pair = &game.pairs[*place];
                let offer = pair.offer.filter(|_| box_waits_for(pair) && self.follows(pair.team_side));
                offer.is_some_and(|offer| {
                    answer != Answer::Beaver
                        || (self.rules.animals.allow(offer.number + 1) && offer.to * 2 <= self.cap())
                })
            })
            .collect()
    }

    /// Reveals the secret answers once all who have to answer have done so.
    fn reveal(&mut self) {
        let Some(game) = &self.game else { return };
        let waiting: Vec<(PlayerId, usize)> = game
            .order
            .iter()
            .filter_map(|who| {
                let place = game.pairs.iter().position(|pair| pair.team_side == *who && box_waits_for(pair));
                place.map(|place| (*who, place))
            })
            .collect();
        if waiting.iter().any(|(who, _)| !game.hidden.contains_key(who)) {
            return;
        }
        let a_double = waiting.iter().any(|(_, place)| doubled(&game.pairs[*place]));
        let mut last = Answer::Take;
        for (who, place) in waiting {
            let told = self.game.as_mut().and_then(|game| game.hidden.remove(&who));
            last = told.unwrap_or(last);
            self.answer_at(&[place], last);
        }
        self.box_is_answered(a_double);
    }

    fn box_answers(&mut self, places: &[usize], answer: Answer) -> Result<(), Why> {
        let game = self.game.as_ref().ok_or("no_game")?;
        if self.is_single() {
            if game.pairs.iter().any(box_waits_for) {
                return Err("members_first");
            }
            let offered = game.pairs.iter().filter(|pair| {
                pair.runs() && pair.is_member() && pair.offer.is_some_and(|offer| offer.by == Side::Team)
            });
            if offered.count() != places.len() {
                return Err("bad_choice");
            }
        }
        if !self.answers_are_even(places, answer) {
            return Err("restraint");
        }
        let Some(game) = &mut self.game else { return Ok(()) };
        if let Some(turn) = &mut game.turn {
            turn.box_answered |= turn.side == Side::Team;
            turn.round_taken.clear();
            turn.round_beavered = false;
            game.first_answer.get_or_insert(turn.number);
            for offer in turn.team_offers.iter_mut().filter(|offer| places.contains(&offer.place)) {
                offer.taken.get_or_insert(answer != Answer::Drop);
            }
        }
        self.answer_at(places, answer);
        self.settle_down();
        Ok(())
    }

    /// Applies an answer to the cubes it is given for.
    fn answer_at(&mut self, places: &[usize], answer: Answer) {
        let single = self.is_single();
        let Some(game) = &mut self.game else { return };
        game.touched = true;
        let acting = game.acting_before;
        if let Some(turn) = game.turn.as_mut().filter(|_| !places.is_empty()) {
            turn.captain_then.get_or_insert(acting);
        }
        for place in places {
            let pair = &mut game.pairs[*place];
            let Some(offer) = pair.offer.take() else { continue };
            let by = offer.by.other();
            let who = pair.on(by);
            let to_the_box = by == Side::Team && pair.is_member();
            let a_double = offer.number == 0;
            match answer {
                Answer::Take => {
                    pair.value = offer.to;
                    pair.owner = Some(offer.keeper.unwrap_or(by));
                }
                Answer::Drop => {
                    pair.value = offer.before;
                    let points = worth(pair, offer.before);
                    pair.end = Some(won(offer.by, points, SettledBy::Drop));
                    if pair.is_member() {
                        game.last_of_the_box = Some((offer.by, offer.by == Side::Box));
                    }
                }
                Answer::Beaver => {
                    let keeper = offer.keeper.or(Some(by));
                    let number = offer.number + 1;
                    pair.offer = Some(Offer { by, before: offer.to, to: offer.to * 2, number, keeper });
                }
            }
            let Some(turn) = game.turn.as_mut().filter(|_| to_the_box) else { continue };
            match answer {
                Answer::Drop => {
                    turn.dropped.push(who);
                    if a_double {
                        turn.dropped_doubles.push(who);
                    }
                }
                Answer::Take if single && turn.round_beavered => {
                    turn.beavered.push(who);
                    beavered_after(pair, offer.number + 1);
                }
                Answer::Take => {
                    if a_double {
                        turn.took.push(who);
                    }
                    turn.round_taken.push(*place);
                }
                Answer::Beaver => {
                    turn.beavered.push(who);
                    if single {
                        turn.round_beavered = true;
                        for other in std::mem::take(&mut turn.round_taken) {
                            let pair = &mut game.pairs[other];
                            turn.beavered.push(pair.team_side);
                            beavered_after(pair, offer.number + 1);
                        }
                    }
                }
            }
        }
    }

    /// Once the last answer to the box may be in, looks for a lone taker (Q9, Q10).
    fn box_is_answered(&mut self, a_double: bool) {
        let Some(game) = &mut self.game else { return };
        if a_double && !game.pairs.iter().any(doubled) {
            self.look_for_a_lone_taker();
        }
        self.settle_down();
    }

    fn look_for_a_lone_taker(&mut self) {
        let cap = self.cap();
        let Some(game) = &mut self.game else { return };
        let running: Vec<usize> = (0..game.pairs.len())
            .filter(|place| game.pairs[*place].runs() && game.pairs[*place].is_member())
            .collect();
        let ([place], Some(turn)) = (running.as_slice(), &mut game.turn) else { return };
        let place = *place;
        let taker = game.pairs[place].team_side;
        let beavered = turn.beavered.contains(&taker);
        let answered = turn.took.contains(&taker) || beavered;
        if turn.side != Side::Box || !answered || turn.dropped.iter().all(|who| *who == taker) {
            return;
        }
        let first_double = game.first_double == Some(turn.number);
        let many = game.playing >= self.rules.lone_taker.from.get();
        match self.rules.lone_taker.rule {
            LoneTaker::MustDrop | LoneTaker::MustDropOrExtras if many => {
                self.drop_after_all(place);
            }
            LoneTaker::MustBeaverOrDrop if !beavered && game.pairs[place].value * 2 > cap => {
                self.drop_after_all(place);
            }
            LoneTaker::MustBeaverOrDrop if !beavered => game.must_beaver = Some(taker),
            LoneTaker::Extras | LoneTaker::ExtrasOrDrop | LoneTaker::MustDropOrExtras
                if first_double && !beavered =>
            {
                self.ask(place);
            }
            _ => {}
        }
    }

    /// The player drops what they had taken, at the stake before the box doubled.
    fn drop_after_all(&mut self, place: usize) {
        let Some(game) = &mut self.game else { return };
        let before = game.turn.as_ref().and_then(|turn| turn.doubled.iter().find(|(at, ..)| *at == place));
        let Some((_, before, owner)) = before.copied() else { return };
        let pair = &mut game.pairs[place];
        pair.value = before;
        pair.owner = owner;
        pair.offer = None;
        let points = worth(pair, before);
        pair.end = Some(won(Side::Box, points, SettledBy::Drop));
        game.last_of_the_box = Some((Side::Box, true));
        let who = pair.team_side;
        if let Some(turn) = &mut game.turn {
            turn.dropped.push(who);
        }
    }

    fn beaver_or_drop(
        &mut self,
        player: PlayerId,
        against: Option<&[PlayerId]>,
        answer: Answer,
    ) -> Result<(), Why> {
        let cap = self.cap();
        let game = self.game.as_mut().ok_or("no_game")?;
        let the_box = game.box_player;
        if game.must_beaver != Some(player)
            || answer == Answer::Take
            || against.is_some_and(|named| named != [the_box])
        {
            return Err("must_beaver_or_drop");
        }
        let place =
            game.pairs.iter().position(|pair| pair.runs() && pair.is_member()).ok_or("not_in_game")?;
        if answer == Answer::Drop {
            game.must_beaver = None;
            self.drop_after_all(place);
        } else {
            if game.pairs[place].value * 2 > cap {
                return Err("cube_at_limit");
            }
            game.must_beaver = None;
            beavered_after(&mut game.pairs[place], 1);
            if let Some(turn) = &mut game.turn {
                turn.beavered.push(player);
            }
        }
        self.settle_down();
        Ok(())
    }

    /// Finds whom to ask: the droppers of this turn in line order, then onlookers if they may give.
    fn ask(&mut self, place: usize) {
        let Some(game) = &self.game else { return };
        let Some(turn) = &game.turn else { return };
        let dropped = |who: &PlayerId| turn.dropped_doubles.contains(who);
        let mut asked: Vec<PlayerId> =
            game.order.iter().copied().filter(|who| dropped(who) && self.is_here(*who)).collect();
        if self.rules.lone_taker.extras_from == ExtrasFrom::Onlookers {
            let plays = |who: PlayerId| game.pairs.iter().any(|pair| pair.has(who));
            asked.extend(
                self.present()
                    .into_iter()
                    .filter(|who| !plays(*who) && self.is_here(*who) && !game.partners.contains(who)),
            );
        }
        let before = turn.doubled.iter().find(|(at, ..)| *at == place).map_or(1, |(_, before, _)| *before);
        let taker = game.pairs[place].team_side;
        // Nobody decides for both sides of a bet.
        asked.retain(|who| game.proxies.get(&taker) != Some(&Proxy::Named(*who)));
        if let Some(game) = self.game.as_mut().filter(|_| !asked.is_empty()) {
            game.asking = Some(Asking { taker, before, asked, gave: Vec::new(), answers: false });
        }
    }

    pub(super) fn extra(&mut self, player: PlayerId, gives: bool) -> Result<(), Why> {
        let game = self.game.as_mut().ok_or("no_game")?;
        let asking = game.asking.as_mut().filter(|asking| !asking.answers).ok_or("not_asked")?;
        if asking.asked.first() != Some(&player) {
            return Err("not_asked");
        }
        asking.asked.remove(0);
        if gives {
            asking.gave.push(player);
            if self.rules.lone_taker.rule != LoneTaker::ExtrasOrDrop {
                self.make_extra(player);
            }
        }
        self.asking_over();
        Ok(())
    }

    /// Ends the asking when all have been asked.
    pub(super) fn asking_over(&mut self) {
        let Some(game) = &mut self.game else { return };
        let Some(asking) = &mut game.asking else { return };
        if !asking.asked.is_empty() {
            return;
        }
        if self.rules.lone_taker.rule == LoneTaker::ExtrasOrDrop && !asking.gave.is_empty() {
            asking.answers = true;
        } else {
            game.asking = None;
        }
    }

    /// The giver pays the stake before the double, and plays against the taker, who owns the cube.
    fn make_extra(&mut self, giver: PlayerId) {
        let Some((taker, before)) = self
            .game
            .as_ref()
            .and_then(|game| game.asking.as_ref())
            .map(|asking| (asking.taker, asking.before))
        else {
            return;
        };
        let units = self.units_of(giver, taker);
        let Some(game) = &mut self.game else { return };
        let taken = game.pairs.iter().find(|pair| pair.is_member() && pair.runs());
        let Some((value, began)) = taken.map(|pair| (pair.value, pair.began)) else { return };
        let extra = Pair {
            box_side: giver,
            team_side: taker,
            kind: BetKind::Extra,
            units,
            start: value,
            began: 2 * began,
            value,
            owner: Some(Side::Team),
            offer: None,
            end: None,
        };
        let mut payment = Pair { kind: BetKind::ExtraPayment, value: before, owner: None, ..extra.clone() };
        payment.end = Some(won(Side::Team, worth(&payment, before), SettledBy::Game));
        game.pairs.push(payment);
        game.pairs.push(extra);
    }

    /// `extras_or_drop`: the taker takes all extras that were offered, or drops the box's cube.
    fn answer_extras(
        &mut self,
        player: PlayerId,
        against: Option<&[PlayerId]>,
        answer: Answer,
    ) -> Result<(), Why> {
        let game = self.game.as_ref().ok_or("no_game")?;
        let asking = game.asking.clone().ok_or("no_offer")?;
        if asking.taker != player || answer == Answer::Beaver {
            return Err("extras_pending");
        }
        if let Some(named) = against {
            // Naming the box means its cube. A take may name all the givers instead, with or without the box:
            // the taker must accept every one of them.
            let mut sorted = named.to_vec();
            sorted.sort();
            let mut all = asking.gave.clone();
            all.sort();
            let mut with_the_box = [all.clone(), vec![game.box_player]].concat();
            with_the_box.sort();
            let takes_all = answer == Answer::Take && (sorted == all || sorted == with_the_box);
            if named != [game.box_player] && !takes_all {
                return Err("bad_choice");
            }
        }
        if answer == Answer::Take {
            for giver in asking.gave {
                self.make_extra(giver);
            }
        } else if let Some(place) = game.pairs.iter().position(|pair| pair.runs() && pair.is_member()) {
            self.drop_after_all(place);
        }
        if let Some(game) = &mut self.game {
            game.asking = None;
        }
        self.settle_down();
        Ok(())
    }
}

/// A player who has taken comes under a beaver after all.
fn beavered_after(pair: &mut Pair, number: u8) {
    let keeper = pair.owner;
    pair.offer = Some(Offer { by: Side::Team, before: pair.value, to: pair.value * 2, number, keeper });
}
