//! Coming, going, breaks, rolling for the order, and partners (Q1, Q5, Q13).

use super::bets::Proxy;
use super::{Heard, Naive, Why};
use crate::bet::Side;
use crate::order::Roll;
use crate::rules::{
    BreakPlace, Declining, LeavingMidGame, Newcomer, OrderDice, PartnerOffer, PartnerWhen, Stakes,
};
use owlbox_base::values::PlayerId;

/// The most people a table holds.
const CHAIRS: usize = 20;

impl Naive {
    /// Everybody at the table, on a break or not.
    pub fn present(&self) -> Vec<PlayerId> {
        let mut all = self.gathered();
        for list in [self.line.clone(), self.partners.clone(), self.waiting.clone(), self.away.clone()] {
            all.extend(list);
        }
        all
    }

    /// Those whose order is still to be found.
    pub fn gathered(&self) -> Vec<PlayerId> {
        self.groups.iter().flatten().flatten().copied().collect()
    }

    /// Whether a player is at the table and not on a break.
    pub(super) fn is_here(&self, player: PlayerId) -> bool {
        self.present().contains(&player) && !self.resting().contains(&player)
    }

    pub(super) fn join(&mut self, player: PlayerId) -> Result<(), Why> {
        let present = self.present();
        if present.contains(&player) {
            return Err("already_here");
        }
        if present.len() >= CHAIRS {
            return Err("table_full");
        }
        if !self.known.contains(&player) {
            self.known.push(player);
        }
        self.sit_down(player);
        Ok(())
    }

    fn sit_down(&mut self, player: PlayerId) {
        // If they had stood up, that was before they left.
        self.stood_up.retain(|who| *who != player);
        if let Some(game) = &mut self.game {
            game.proxies.remove(&player);
            self.waiting.push(player);
            return;
        }
        if let Some(groups) = &mut self.groups {
            if self.rolled {
                groups.push(vec![player]);
            } else {
                groups[0].push(player);
            }
            return;
        }
        self.newcomers.push(player);
        let mut place = self.line.len();
        if self.rules.newcomer == Newcomer::AheadOfLoser {
            // Never before the box, nor before the player who gets it if it is declined.
            let ahead = if self.can_decline().is_some() { 2 } else { 1 };
            let kept: Vec<PlayerId> = self.active_line().into_iter().take(ahead).collect();
            let seen = |place: usize| kept.iter().all(|who| self.line[..place].contains(who));
            let losers: Vec<usize> = (0..self.line.len())
                .filter(|at| self.stood_up.contains(&self.line[*at]) && !kept.contains(&self.line[*at]))
                .filter(|at| kept.len() == ahead && seen(*at))
                .collect();
            place = losers.first().copied().unwrap_or(place);
        }
        self.line.insert(place, player);
        self.offer = None;
        self.seats_changed();
    }

    /// Takes a player from wherever they sit.
    fn stand_up(&mut self, player: PlayerId) {
        if let Some(groups) = &mut self.groups {
            for group in groups.iter_mut() {
                group.retain(|other| *other != player);
            }
        }
        for list in [&mut self.line, &mut self.partners, &mut self.waiting, &mut self.away, &mut self.resting]
        {
            list.retain(|other| *other != player);
        }
        self.untied();
    }

    /// If nobody is tied any more, the line stands.
    fn untied(&mut self) {
        let Some(groups) = &mut self.groups else { return };
        if !self.rolled {
            return;
        }
        groups.retain(|group| !group.is_empty());
        if groups.concat().len() < 3 {
            // Too few to have an order: they gather again.
            *groups = vec![groups.concat()];
            self.rolled = false;
        } else if groups.iter().all(|group| group.len() == 1) {
            self.line = groups.concat();
            self.groups = None;
            self.seats_changed();
        }
    }

    pub(super) fn leave(&mut self, player: PlayerId, proxy: Option<PlayerId>) -> Result<(), Why> {
        if !self.present().contains(&player) {
            return Err("not_here");
        }
        if self.game.is_some() {
            self.leave_the_game(player, proxy)?;
            self.stand_up(player);
            self.after_going(player);
            return Ok(());
        }
        self.leave_between(player);
        Ok(())
    }

    fn leave_between(&mut self, player: PlayerId) {
        self.go_between(player);
        self.seats_changed();
    }

    fn go_between(&mut self, player: PlayerId) {
        let box_before = self.active_line().first().copied();
        self.stand_up(player);
        self.offer = None;
        self.partners_without_a_box(box_before, player);
    }

    /// If the box leaves, its partners go to the end of the line.
    fn partners_without_a_box(&mut self, box_before: Option<PlayerId>, gone: PlayerId) {
        if box_before == Some(gone) {
            let partners = std::mem::take(&mut self.partners);
            self.line.extend(partners);
        }
    }

    /// A player who leaves is asked no more, and what they have offered is off the table.
    fn after_going(&mut self, player: PlayerId) {
        if let Some(asking) = self.game.as_mut().and_then(|game| game.asking.as_mut()) {
            asking.asked.retain(|other| *other != player);
            asking.gave.retain(|other| *other != player);
            if asking.gave.is_empty() {
                asking.answers = false;
            }
        }
        self.asking_over();
    }

    /// Nobody gives an extra to a player for whom they decide.
    fn decides_for(&mut self, taker: PlayerId, proxy: Proxy) {
        let asks = self.game.as_ref().and_then(|game| game.asking.as_ref());
        if let Proxy::Named(proxy) = proxy
            && asks.is_some_and(|asking| asking.taker == taker)
        {
            self.after_going(proxy);
        }
    }

    /// What becomes of the bets of a player who leaves.
    fn leave_the_game(&mut self, player: PlayerId, proxy: Option<PlayerId>) -> Result<(), Why> {
        let Some(game) = &self.game else { return Ok(()) };
        let running: Vec<_> = game.pairs.iter().filter(|pair| pair.runs() && pair.has(player)).collect();
        if running.is_empty() {
            return Ok(());
        }
        let on_box_side = running.iter().any(|pair| pair.box_side == player);
        let decides = match self.rules.leaving.mid_game {
            LeavingMidGame::NotAllowed => return Err("game_in_progress"),
            LeavingMidGame::Settle => return Err("must_settle"),
            LeavingMidGame::WithCaptain if !on_box_side => Proxy::Captain,
            LeavingMidGame::WithCaptain | LeavingMidGame::Proxy => {
                let proxy = proxy.ok_or("proxy_needed")?;
                self.may_be_proxy(player, proxy)?;
                Proxy::Named(proxy)
            }
        };
        if let Some(game) = &mut self.game {
            game.proxies.insert(player, decides);
        }
        self.decides_for(player, decides);
        Ok(())
    }

    fn may_be_proxy(&self, player: PlayerId, proxy: PlayerId) -> Result<(), Why> {
        let game = self.game.as_ref().ok_or("no_game")?;
        let against = game.pairs.iter().any(|pair| pair.runs() && pair.has(player) && pair.has(proxy));
        let shares = game.partners.contains(&proxy) && self.side_of(player) == Some(Side::Team);
        if proxy == player || !self.is_here(proxy) || against || shares {
            return Err("not_a_proxy");
        }
        Ok(())
    }

    pub(super) fn name_proxy(&mut self, player: PlayerId, proxy: Option<PlayerId>) -> Result<(), Why> {
        let game = self.game.as_ref().ok_or("no_game")?;
        if !game.pairs.iter().any(|pair| pair.runs() && pair.has(player)) {
            return Err("not_in_game");
        }
        let follows = self.rules.leaving.mid_game == LeavingMidGame::WithCaptain
            && self.side_of(player) == Some(Side::Team);
        let decides = match proxy {
            Some(proxy) => {
                self.may_be_proxy(player, proxy)?;
                Some(Proxy::Named(proxy))
            }
            None if self.is_here(player) => None,
            None if follows => Some(Proxy::Captain),
            None => return Err("proxy_needed"),
        };
        let game = self.game.as_mut().ok_or("no_game")?;
        if game.proxies.get(&player).copied() == decides {
            return Err("nothing_changes");
        }
        game.proxies.remove(&player);
        game.proxies.extend(decides.map(|decides| (player, decides)));
        if let Some(decides) = decides {
            self.decides_for(player, decides);
        }
        Ok(())
    }

    pub(super) fn take_a_break(&mut self, player: PlayerId, proxy: Option<PlayerId>) -> Result<(), Why> {
        if self.groups.is_some() {
            return Err("no_order");
        }
        if !self.present().contains(&player) {
            return Err("not_here");
        }
        if self.resting().contains(&player) {
            return Err("on_break");
        }
        if self.game.is_some() {
            self.leave_the_game(player, proxy)?;
        }
        let box_before = self.active_line().first().copied();
        let in_game = self.game.is_some();
        match self.rules.leaving.on_break {
            BreakPlace::EndOfLine => {
                self.stand_up(player);
                self.away.push(player);
            }
            BreakPlace::Kept => {
                self.resting.push(player);
                if self.partners.contains(&player) {
                    self.partners.retain(|other| *other != player);
                    self.line.push(player);
                    if let Some(game) = &mut self.game {
                        game.order.push(player);
                    }
                }
            }
        }
        if in_game {
            self.after_going(player);
        } else {
            self.offer = None;
            self.partners_without_a_box(box_before, player);
            self.seats_changed();
        }
        Ok(())
    }

    pub(super) fn come_back(&mut self, player: PlayerId) -> Result<(), Why> {
        if self.away.contains(&player) {
            self.away.retain(|other| *other != player);
            self.sit_down(player);
        } else if self.resting.contains(&player) {
            self.resting.retain(|other| *other != player);
            if let Some(game) = &mut self.game {
                game.proxies.remove(&player);
            }
            self.offer = None;
            self.seats_changed();
        } else {
            return Err("not_on_break");
        }
        Ok(())
    }

    pub(super) fn split(&mut self, players: &[PlayerId]) -> Result<(), Why> {
        self.between()?;
        let present = self.present();
        let distinct = players.iter().enumerate().all(|(place, who)| !players[..place].contains(who));
        if !distinct || !players.iter().all(|who| present.contains(who) && self.is_here(*who)) {
            return Err("not_here");
        }
        let stay = self.ready().into_iter().filter(|who| !players.contains(who)).count();
        if players.len() < 3 || stay < self.rules.players_needed() {
            return Err("too_few_players");
        }
        // All leave at once: only then is it decided how many partners the rest may have.
        for player in players {
            self.go_between(*player);
        }
        self.seats_changed();
        Ok(())
    }

    pub(super) fn set_stake(&mut self, player: PlayerId, units: i64) -> Result<(), Why> {
        self.no_game()?;
        if self.rules.stakes != Stakes::LowerOfTwo {
            return Err("not_by_these_rules");
        }
        if !self.present().contains(&player) || !(1..=1000).contains(&units) {
            return Err("not_here");
        }
        if self.units.insert(player, units).unwrap_or(1) == units { Err("nothing_changes") } else { Ok(()) }
    }

    pub(super) fn set_start(&mut self, player: PlayerId, value: i64) -> Result<(), Why> {
        self.between()?;
        if self.rules.stakes != Stakes::OwnStart {
            return Err("not_by_these_rules");
        }
        if !self.present().contains(&player) {
            return Err("not_here");
        }
        if self.box_player() == Some(player) {
            return Err("the box has no cube of its own");
        }
        if ![1, 2, 4].contains(&value) || value > self.cap() {
            return Err("bad_value");
        }
        if self.starts.insert(player, value).unwrap_or(1) == value { Err("nothing_changes") } else { Ok(()) }
    }

    /// Those who have to roll now: while gathering, all who are not resting; then those still tied.
    pub fn to_roll(&self) -> Vec<PlayerId> {
        let Some(groups) = &self.groups else { return Vec::new() };
        groups
            .iter()
            .filter(|group| !self.rolled || group.len() > 1)
            .flatten()
            .copied()
            .filter(|player| self.rolled || !self.resting.contains(player))
            .collect()
    }

    fn may_order(&self) -> Result<(), Why> {
        if self.groups.is_none() {
            return Err("order_already_set");
        }
        if !self.rolled && self.to_roll().len() < 3 {
            return Err("too_few_players");
        }
        Ok(())
    }

    pub(super) fn draw_order(&mut self, heard: &Heard) -> Result<(), Why> {
        self.may_order()?;
        if self.rules.order.dice == OrderDice::ByHand {
            return Err("not_by_these_rules");
        }
        let line = heard.line.clone().unwrap_or_else(|| self.gathered());
        self.stand(line);
        Ok(())
    }

    pub(super) fn set_order(&mut self, line: &[PlayerId]) -> Result<(), Why> {
        self.may_order()?;
        if self.rules.order.dice != OrderDice::ByHand {
            return Err("not_by_these_rules");
        }
        let mut named = line.to_vec();
        let mut all = self.gathered();
        named.sort();
        all.sort();
        if named != all {
            return Err("not_everybody");
        }
        self.stand(line.to_vec());
        Ok(())
    }

    fn stand(&mut self, line: Vec<PlayerId>) {
        self.line = line;
        self.groups = None;
        self.seats_changed();
    }

    pub(super) fn enter_rolls(&mut self, rolls: &[Roll]) -> Result<(), Why> {
        self.may_order()?;
        let dice = self.rules.order.dice.dice();
        if dice == 0 {
            return Err("not_by_these_rules");
        }
        let mut rolled: Vec<PlayerId> = rolls.iter().map(|roll| roll.player).collect();
        let mut expected = self.to_roll();
        rolled.sort();
        expected.sort();
        if rolled != expected || rolls.iter().any(|roll| roll.dice.len() != dice) {
            return Err("wrong_rollers");
        }
        let sum_of = |player: PlayerId| -> i64 {
            rolls
                .iter()
                .filter(|roll| roll.player == player)
                .flat_map(|roll| &roll.dice)
                .map(|die| i64::from(die.pips()))
                .sum()
        };
        let mut after = Vec::new();
        let mut behind = Vec::new();
        for group in self.groups.take().unwrap_or_default() {
            for total in (1..=24).rev() {
                let same: Vec<PlayerId> =
                    group.iter().copied().filter(|player| sum_of(*player) == total).collect();
                after.push(same);
            }
            for player in group.into_iter().filter(|player| sum_of(*player) == 0) {
                // They did not roll: they keep their place as a group of their own, or, if on a break, go
                // behind everybody.
                if self.rolled { after.push(vec![player]) } else { behind.push(vec![player]) }
            }
        }
        after.extend(behind);
        self.groups = Some(after);
        self.rolled = true;
        self.untied();
        Ok(())
    }

    /// Those who could play: the active line and the partners.
    pub fn ready(&self) -> Vec<PlayerId> {
        self.active_line().into_iter().chain(self.partners.iter().copied()).collect()
    }

    /// The number of partners that can be made under the house rules, leaving two members. Partners already
    /// made stay while the box does.
    pub(super) fn partners_possible(&self) -> usize {
        let ready = self.ready().len();
        self.rules.partner.at_most(ready).min(ready.saturating_sub(3))
    }

    /// Keeps this many partners; the others go to the end of the line, in their order.
    pub(super) fn partners_left(&mut self, many: usize) {
        while self.partners.len() > many {
            self.line.push(self.partners.remove(many));
        }
    }

    /// A game is about to begin: a team of two must remain, if need be by giving up partners.
    pub(super) fn team_of_two(&mut self) {
        let possible = self.ready().len().saturating_sub(3);
        self.partners_left(possible);
    }

    /// After every change of seats between games: forgets what was agreed with another box.
    pub(super) fn seats_changed(&mut self) {
        if self.game.is_some() || self.groups.is_some() {
            return;
        }
        self.may_decline = self.may_decline.filter(|who| self.box_player() == Some(*who));
        if self.box_before != self.box_player() {
            self.starts.clear();
            self.box_before = self.box_player();
        }
    }

    fn another_partner_possible(&self) -> bool {
        let too_late = self.rules.partner.offer == PartnerOffer::ThirdHighest && !self.finished.is_empty();
        !too_late && self.partners.len() < self.partners_possible()
    }

    /// Whether a partner is compulsory and there is none yet.
    pub(super) fn partner_due(&self) -> bool {
        self.rules.partner.when == PartnerWhen::Compulsory
            && self.partners.is_empty()
            && self.another_partner_possible()
    }

    pub(super) fn offer_partnership(&mut self) -> Result<(), Why> {
        self.between()?;
        if self.offer.is_some() {
            return Err("offer_pending");
        }
        if !self.another_partner_possible() {
            return Err("no_partnership");
        }
        let members: Vec<PlayerId> = self.active_line().into_iter().skip(1).collect();
        match self.rules.partner.offer {
            PartnerOffer::FromCaptain => self.offer = Some(members),
            PartnerOffer::FromRear => self.offer = Some(members.into_iter().rev().collect()),
            PartnerOffer::CaptainThenRear => {
                let mut asked = members;
                let captain = asked.remove(0);
                asked.push(captain);
                asked.reverse();
                self.offer = Some(asked);
            }
            PartnerOffer::NextInLine | PartnerOffer::ThirdHighest => self.make_partner(members[1]),
        }
        Ok(())
    }

    fn make_partner(&mut self, player: PlayerId) {
        self.offer = None;
        self.line.retain(|other| *other != player);
        self.partners.push(player);
        self.seats_changed();
    }

    /// The player to whom the partnership is offered now.
    pub fn offered(&self) -> Option<PlayerId> {
        self.offer.as_ref().and_then(|offer| offer.first()).copied()
    }

    fn offered_to(&self, player: PlayerId) -> Result<(), Why> {
        self.between()?;
        if self.offered() == Some(player) { Ok(()) } else { Err("not_offered") }
    }

    pub(super) fn accept_partnership(&mut self, player: PlayerId) -> Result<(), Why> {
        self.offered_to(player)?;
        self.make_partner(player);
        Ok(())
    }

    pub(super) fn decline_partnership(&mut self, player: PlayerId, heard: &Heard) -> Result<(), Why> {
        self.offered_to(player)?;
        let mut left = self.offer.take().unwrap_or_default();
        left.remove(0);
        if !left.is_empty() {
            self.offer = Some(left);
        } else if let Some(drawn) = heard.lot {
            let lots: Vec<PlayerId> = self.active_line().into_iter().skip(2).collect();
            if !lots.contains(&drawn) {
                return Err("the lot fell on one who is not in it");
            }
            self.make_partner(drawn);
        }
        Ok(())
    }

    pub(super) fn decline_box(&mut self, player: PlayerId) -> Result<(), Why> {
        self.between()?;
        if self.can_decline() != Some(player) {
            return Err("may_not_decline");
        }
        self.may_decline = None;
        self.offer = None;
        self.line.retain(|other| *other != player);
        // They have stood up like the losers: newcomers sit behind all of those, or ahead.
        let mut place = self.line.len();
        if self.rules.newcomer == Newcomer::BehindLoser {
            let box_place = self.line.iter().position(|who| !self.resting.contains(who)).unwrap_or(place);
            let newcomer = |at: &usize| self.newcomers.contains(&self.line[*at]) && *at > box_place;
            place = (0..self.line.len()).find(newcomer).unwrap_or(place);
        }
        self.line.insert(place, player);
        self.newcomers.retain(|who| *who != player);
        self.stood_up.push(player);
        self.seats_changed();
        Ok(())
    }

    /// The player who has won the box and may decline it; there must be two others.
    fn can_decline(&self) -> Option<PlayerId> {
        let may = self.rules.declining == Declining::Allowed && self.active_line().len() >= 3;
        self.may_decline.filter(|who| may && self.box_player() == Some(*who))
    }

    /// The side on which a player's running bets are.
    pub(super) fn side_of(&self, player: PlayerId) -> Option<Side> {
        let game = self.game.as_ref()?;
        let pair = game.pairs.iter().find(|pair| pair.runs() && pair.has(player))?;
        Some(if pair.box_side == player { Side::Box } else { Side::Team })
    }
}
