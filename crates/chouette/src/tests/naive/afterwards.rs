//! After a game: corrections, players entered twice, payments.

use super::bets::{End, Pair, played_out};
use super::{Naive, Why, won, worth};
use crate::bet::{BetKind, SettledBy, Side};
use crate::command::{BetCorrection, BetEnded};
use crate::rules::{PartnerShare, Settlements};
use owlbox_base::values::PlayerId;
use owlbox_engine::Win;

/// A finished game, with what is needed to correct it.
#[derive(Clone, Debug)]
pub struct Finished {
    pub tavli: bool,
    pub box_player: PlayerId,
    pub partners: Vec<PlayerId>,
    pub pairs: Vec<Pair>,
    pub winner: Side,
    pub win: Option<Win>,
    pub jacoby: bool,
    pub unit: i64,
    pub cap: i64,
    pub settlements: Settlements,
    pub share: PartnerShare,
    pub row: Why,
}

impl Finished {
    /// The results of its bets as winner, loser and half points; partners' shares last.
    pub fn paid(&self) -> Vec<(PlayerId, PlayerId, i64)> {
        let mut paid = Vec::new();
        let mut net = 0;
        for pair in &self.pairs {
            let Some(end) = pair.end else { continue };
            paid.push((pair.on(end.winner), pair.on(end.winner.other()), end.points));
            if pair.is_member() {
                net += if end.winner == Side::Box { end.points } else { -end.points };
            }
        }
        for partner in &self.partners {
            // A remainder is the box's, won or lost (Q13).
            let (above, below) = match self.share {
                PartnerShare::Half => (1, i64::try_from(self.partners.len()).unwrap() + 1),
                PartnerShare::Fraction { numerator, denominator } => {
                    (i64::from(numerator), i64::from(denominator))
                }
            };
            let part = net.abs() * above / (below * self.unit) * self.unit;
            let (winner, loser) =
                if net > 0 { (*partner, self.box_player) } else { (self.box_player, *partner) };
            paid.push((winner, loser, part));
        }
        paid
    }
}

impl Naive {
    pub(super) fn correct(
        &mut self,
        game: u32,
        winner: Option<Side>,
        win: Option<Win>,
        bets: &[BetCorrection],
    ) -> Result<(), Why> {
        let place = usize::try_from(game).unwrap().checked_sub(1).ok_or("no_such_game")?;
        let finished = self.finished.get_mut(place).ok_or("no_such_game")?;
        if win == Some(Win::Backgammon) && finished.tavli {
            return Err("no_such_win");
        }
        for (number, bet) in bets.iter().enumerate() {
            let found =
                usize::try_from(bet.bet).unwrap().checked_sub(1).and_then(|at| finished.pairs.get(at));
            if found.is_none() || bets[..number].iter().any(|other| other.bet == bet.bet) {
                return Err("no_such_bet");
            }
        }
        // Nobody knows who would have won a game that was never played out.
        let known = winner.is_some() || finished.win.is_some();
        let (unit, cap, settlements) = (finished.unit, finished.cap, finished.settlements);
        finished.winner = winner.unwrap_or(finished.winner);
        finished.win = win.or(finished.win);
        for (number, pair) in finished.pairs.iter_mut().enumerate() {
            let found = bets.iter().find(|bet| usize::try_from(bet.bet).unwrap() == number + 1);
            if pair.kind == BetKind::ExtraPayment {
                if found.is_some() {
                    return Err("bad_choice");
                }
                continue;
            }
            let win = finished.win.filter(|_| known);
            correct_pair(pair, found, finished.winner, win, finished.jacoby)?;
            if found.is_some() {
                possible(pair, unit, cap, settlements)?;
            }
        }
        // Only bets that were played out need to know how the game was won.
        let played = |pair: &Pair| {
            pair.kind != BetKind::ExtraPayment && pair.end.is_some_and(|end| end.by == SettledBy::Game)
        };
        if !finished.pairs.iter().any(played) {
            finished.win = None;
        }
        Ok(())
    }

    pub(super) fn merge_players(&mut self, duplicate: PlayerId, player: PlayerId) -> Result<(), Why> {
        self.no_game()?;
        if !self.known.contains(&duplicate) || duplicate == player {
            return Err("unknown_player");
        }
        for finished in &self.finished {
            let plays = |who: PlayerId| {
                finished.partners.contains(&who) || finished.pairs.iter().any(|pair| pair.has(who))
            };
            if plays(duplicate) && plays(player) {
                return Err("played_each_other");
            }
        }
        let renamed = |who: &mut PlayerId| {
            if *who == duplicate {
                *who = player;
            }
        };
        for finished in &mut self.finished {
            renamed(&mut finished.box_player);
            finished.partners.iter_mut().for_each(renamed);
            for pair in &mut finished.pairs {
                renamed(&mut pair.box_side);
                renamed(&mut pair.team_side);
            }
        }
        for (payer, payee, _) in &mut self.payments {
            renamed(payer);
            renamed(payee);
        }
        for of in [&mut self.units, &mut self.starts] {
            if let Some(value) = of.remove(&duplicate) {
                of.entry(player).or_insert(value);
            }
        }
        self.box_before.iter_mut().for_each(renamed);
        self.known.retain(|who| *who != duplicate);
        if !self.known.contains(&player) {
            self.known.push(player);
        }
        self.one_seat(duplicate, player);
        Ok(())
    }

    /// The player who stays takes the duplicate's seat, unless they have one themselves.
    fn one_seat(&mut self, duplicate: PlayerId, player: PlayerId) {
        if self.present().contains(&duplicate) {
            self.offer = None;
        }
        let seated = self.present().contains(&player);
        if seated && self.active_line().first() == Some(&duplicate) {
            let partners = std::mem::take(&mut self.partners);
            self.line.extend(partners);
        }
        let renamed = |list: &mut Vec<PlayerId>| {
            if seated {
                list.retain(|who| *who != duplicate);
            }
            list.iter_mut().filter(|who| **who == duplicate).for_each(|who| *who = player);
        };
        for list in [&mut self.line, &mut self.partners, &mut self.waiting, &mut self.away, &mut self.resting]
        {
            renamed(list);
        }
        for list in [&mut self.stood_up, &mut self.newcomers] {
            // A seat has one history: that of the seat that stays.
            let other = if seated { duplicate } else { player };
            list.retain(|who| *who != other);
            list.iter_mut().filter(|who| **who == duplicate).for_each(|who| *who = player);
        }
        self.groups.iter_mut().flatten().for_each(renamed);

        if self.may_decline == Some(duplicate) {
            self.may_decline = Some(player);
        }
        self.seats_changed();
    }

    pub(super) fn pay(&mut self, payer: PlayerId, payee: PlayerId, amount: i64) -> Result<(), Why> {
        if !self.known.contains(&payer) || !self.known.contains(&payee) {
            return Err("unknown_player");
        }
        if payer == payee || amount < 1 {
            return Err("bad_amount");
        }
        self.payments.push((payer, payee, amount));
        Ok(())
    }
}

/// Checks that a bet can have ended like this under the rules of its game.
fn possible(pair: &Pair, unit: i64, cap: i64, settlements: Settlements) -> Result<(), Why> {
    let Some(end) = pair.end else { return Ok(()) };
    // Nobody can have doubled a cube that may go no higher.
    let offered = if end.by == SettledBy::Drop { pair.value * 2 } else { pair.value };
    // A cube that somebody owns was doubled at least once since the game began; an extra's always was.
    let turned = pair.kind == BetKind::Member && pair.owner.is_some();
    if offered > cap || pair.value < if turned { pair.began * 2 } else { pair.began } {
        return Err("no_such_cube");
    }
    let most = 3 * worth(pair, pair.value);
    let by_agreement = end.by == SettledBy::Settlement;
    if by_agreement && (settlements == Settlements::Forbidden || end.points > most || end.points % unit != 0)
    {
        return Err("no_such_settlement");
    }
    Ok(())
}

/// Corrects one bet: first what was wrong with it by itself, then by the game's result.
fn correct_pair(
    pair: &mut Pair,
    correction: Option<&BetCorrection>,
    winner: Side,
    win: Option<Win>,
    jacoby: bool,
) -> Result<(), Why> {
    let Some(mut end) = pair.end else { return Ok(()) };
    if let Some(correction) = correction {
        let mut turned = pair.owner.is_some();
        if let Some(cube) = correction.cube {
            turned |= i64::from(cube.get()) > pair.value;
            pair.value = cube.get().into();
            // A cube that stands where it began was never turned.
            turned &= pair.kind == BetKind::Extra || pair.value > pair.began;
        }
        turned = correction.turned.unwrap_or(turned);
        // Which side owned it makes no difference to the payment, only that one did.
        pair.owner = turned.then_some(pair.owner.unwrap_or(Side::Box));
        match correction.ended {
            None => {}
            Some(BetEnded::Game {}) => end = won(winner, 0, SettledBy::Game),
            Some(BetEnded::Drop { winner }) => end = won(winner, 0, SettledBy::Drop),
            Some(BetEnded::Settlement { winner, points }) => {
                let counts_for = if end.by == SettledBy::Settlement { end.counts_for } else { winner };
                end = End { counts_for, ..won(winner, points.0, SettledBy::Settlement) };
            }
        }
    }
    match end.by {
        SettledBy::Game => {
            end.winner = winner;
            end.counts_for = winner;
            end.points = played_out(pair, win.ok_or("win_needed")?, jacoby);
        }
        SettledBy::Drop => end.points = worth(pair, pair.value),
        SettledBy::Settlement => {}
    }
    pair.end = Some(end);
    Ok(())
}
