//! The end of a game: the partners' shares, and who sits where next (Q3, Q4, Q8, Q12, Q13).

use super::afterwards::Finished;
use super::bets::{End, Game, Pair};
use super::{Naive, Why};
use crate::bet::{SettledBy, Side};
use crate::rules::{BoxRetention, DoubleStandUp, Jacoby, Newcomer, PartnerAfterLoss};
use owlbox_base::values::PlayerId;
use owlbox_engine::Win;

/// Who is box next, and who stands up.
struct Verdict {
    new_box: PlayerId,
    tail: Vec<PlayerId>,
    /// Whether the captain has won the box.
    won_by_captain: bool,
    /// The row of the table that applied, to measure coverage.
    row: Why,
}

impl Naive {
    pub(super) fn game_over(&mut self, winner: Side, win: Option<Win>) {
        let Some(game) = self.game.take() else { return };
        let played_out =
            |pair: &Pair| pair.is_member() && pair.end.is_some_and(|end| end.by == SettledBy::Game);
        // Extras may have gone on after all of the box's own bets were over.
        let last = game.last_of_the_box.filter(|_| !game.pairs.iter().any(played_out));
        let verdict = self.verdict(&game, last.unwrap_or((winner, false)));
        self.finished.push(Finished {
            tavli: game.tavli,
            box_player: game.box_player,
            partners: game.partners.clone(),
            pairs: game.pairs.clone(),
            winner,
            win,
            jacoby: self.rules.jacoby == Jacoby::On,
            unit: self.rules.smallest_unit(),
            cap: self.cap(),
            settlements: self.rules.settlements,
            share: self.rules.partner.share,
            row: verdict.row,
        });
        self.rotate(&game, verdict);
    }

    /// Decides who sits where, given the side that won the box's last bet, and whether a member dropped it.
    fn verdict(&self, game: &Game, (winner, member_dropped): (Side, bool)) -> Verdict {
        let members: Vec<(&Pair, End)> = game
            .pairs
            .iter()
            .filter(|pair| pair.is_member())
            .filter_map(|pair| pair.end.map(|end| (pair, end)))
            .collect();
        let all_dropped_by = |loser: Side| {
            members.iter().all(|(_, end)| end.by == SettledBy::Drop && end.winner == loser.other())
        };
        let result = |who: PlayerId| {
            members.iter().find(|(pair, _)| pair.team_side == who).map(|(_, end)| end.counts_for)
        };
        let (the_box, captain) = (game.box_player, game.captain);
        let captain_won = result(captain) == Some(Side::Team);
        let keeps = |row| Verdict { new_box: the_box, tail: vec![captain], won_by_captain: false, row };
        let captain_is_box =
            |row| Verdict { new_box: captain, tail: vec![the_box], won_by_captain: true, row };
        let next_in_line = |row| match self.next_in_line(game) {
            Some(next) => Verdict { new_box: next, tail: vec![captain, the_box], won_by_captain: false, row },
            None => {
                Verdict { new_box: captain, tail: vec![the_box], won_by_captain: false, row: "nobody else" }
            }
        };
        if all_dropped_by(Side::Team) {
            return keeps("all dropped");
        }
        if all_dropped_by(Side::Box) {
            return captain_is_box("the box dropped all");
        }
        if self.rules.double_stand_up == DoubleStandUp::On && !captain_won && winner == Side::Team {
            return next_in_line("double stand-up");
        }
        if self.rules.box_retention == BoxRetention::LastStanding {
            let last = game.acting_before.unwrap_or(captain);
            if result(last) != Some(Side::Team) {
                return keeps("last standing lost");
            }
            if last == captain {
                return captain_is_box("last standing is captain");
            }
            let tail = vec![captain, the_box];
            return Verdict { new_box: last, tail, won_by_captain: false, row: "last standing won" };
        }
        if self.box_stays(member_dropped, &members, captain_won) {
            keeps(if captain_won { "keeps, captain won" } else { "keeps, captain lost" })
        } else if captain_won {
            captain_is_box("loses, captain won")
        } else {
            next_in_line("loses, captain lost")
        }
    }

    /// Whether the box stays by the club's retention rule. `last_standing` is handled elsewhere.
    fn box_stays(&self, member_dropped: bool, members: &[(&Pair, End)], captain_won: bool) -> bool {
        let net: i64 = members
            .iter()
            .map(|(_, end)| if end.winner == Side::Box { end.points } else { -end.points })
            .sum();
        let played_out = members.iter().any(|(_, end)| end.by == SettledBy::Game && end.winner == Side::Box);
        let received = members
            .iter()
            .any(|(_, end)| end.by == SettledBy::Settlement && end.winner == Side::Box && end.points > 0);
        match self.rules.box_retention {
            BoxRetention::OriginalCaptain | BoxRetention::LastStanding => !captain_won,
            BoxRetention::BeatEveryone => members.iter().all(|(_, end)| end.counts_for == Side::Box),
            BoxRetention::Profit => net > 0,
            BoxRetention::ProfitOrEven => net >= 0,
            BoxRetention::Composite => net >= 0 && (played_out || member_dropped || received),
        }
    }

    /// The first in the order who is there to play, except the captain.
    fn next_in_line(&self, game: &Game) -> Option<PlayerId> {
        game.order.iter().copied().find(|who| *who != game.captain && self.sits(*who))
    }

    /// Whether a player is in the line and not resting.
    fn sits(&self, who: PlayerId) -> bool {
        self.line.contains(&who) && !self.resting.contains(&who)
    }

    fn rotate(&mut self, game: &Game, verdict: Verdict) {
        let Verdict { new_box, mut tail, won_by_captain, .. } = verdict;
        let box_changes = new_box != game.box_player;
        let old_partners = std::mem::take(&mut self.partners);
        // A partner has no seat of their own: they join the line now.
        let were_partners = old_partners.clone();
        let mut line = vec![new_box];
        let mut replaced = 0;
        if !box_changes {
            self.partners = old_partners;
        } else if self.rules.partner.after_loss == PartnerAfterLoss::Captain {
            line.extend(old_partners);
        } else {
            replaced = old_partners.len();
            let place = tail.iter().position(|who| *who == game.box_player).unwrap_or(tail.len());
            tail.splice(place..place, old_partners);
        }
        for who in &game.order {
            if !line.contains(who) && !tail.contains(who) {
                line.push(*who);
            }
        }
        let stays = |who: &PlayerId| self.line.contains(who) || were_partners.contains(who);
        line.retain(stays);
        tail.retain(stays);
        let waiting = std::mem::take(&mut self.waiting);
        self.newcomers.clone_from(&waiting);
        let (resting, newcomers): (Vec<_>, Vec<_>) =
            waiting.into_iter().partition(|who| self.resting.contains(who));
        let mut new_line = line;
        if self.rules.newcomer == Newcomer::AheadOfLoser {
            new_line.extend(newcomers);
            new_line.extend(tail.iter().copied());
        } else {
            new_line.extend(tail.iter().copied());
            new_line.extend(newcomers);
        }
        new_line.extend(resting);
        self.line = new_line;
        self.stood_up = tail;
        if !box_changes && self.active_line().first() != Some(&game.box_player) {
            // The box kept its seat but is not there to take it.
            let partners = std::mem::take(&mut self.partners);
            self.line.extend(partners);
        }
        self.new_partners(replaced);
        let first = self.active_line().first().copied();
        self.may_decline = first.filter(|who| won_by_captain && *who == new_box);
        self.seats_changed();
    }

    /// `next_in_line`: replaces as many partners as there were, if there are enough players.
    fn new_partners(&mut self, how_many: usize) {
        for _ in 0..how_many {
            let active = self.active_line();
            if active.len() < 3 || self.partners.len() >= self.partners_possible() {
                return;
            }
            self.line.retain(|who| *who != active[1]);
            self.partners.push(active[1]);
        }
    }
}
