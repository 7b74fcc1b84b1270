//! The end of a game and who sits where next (Q3, Q4, Q12), and corrections of finished games.

use crate::bet::{Bet, BetStanding, Settled, SettledBet, SettledBy, Side};
use crate::command::BetCorrection;
use crate::decide::{Act, Decision, lone, nothing_comes_first, nothing_is_offered};
use crate::event::{Event, FinishedGame};
use crate::game::{Game, settle};
use crate::order::Line;
use crate::partner;
use crate::refusal::Refusal;
use crate::rotation::{self, Outcome};
use crate::rules::{Jacoby, Newcomer};
use crate::state::Chouette;
use owlbox_base::values::PlayerId;
use owlbox_engine::{Variant, Win};

struct Ending {
    /// The side that won the game; if nothing was left to play for, that of [`Game::last_with_box`].
    winner: Side,
    /// The kind of win; `None` if the game was not played to its end.
    win: Option<Win>,
    /// The side that won the last of the box's bets. It differs from `winner` if extras were played on
    /// without the box.
    winner_with_box: Side,
    /// Whether a member's drop ended the last of the box's bets.
    by_drop_of_member: bool,
    /// Who acted as captain before the act that ended the game.
    last_standing: Option<PlayerId>,
}

impl Ending {
    /// The ending of a game that was played out.
    fn played_out(game: &Game, winner: Side, win: Win, last_standing: Option<PlayerId>) -> Self {
        let before = game.last_with_box().filter(|_| game.running_members().next().is_none());
        Self {
            winner,
            win: Some(win),
            winner_with_box: before.map_or(winner, |settled| settled.counts_for),
            by_drop_of_member: before.is_some_and(is_drop_of_member),
            last_standing,
        }
    }

    /// The ending of a game in which nothing is left to play for, because the box's last bet ended this way.
    fn by_agreement_or_drops(last: Settled, last_standing: Option<PlayerId>) -> Self {
        Self {
            winner: last.counts_for,
            win: None,
            winner_with_box: last.counts_for,
            by_drop_of_member: is_drop_of_member(last),
            last_standing,
        }
    }
}

/// Whether the member lost a bet with the box by dropping.
fn is_drop_of_member(settled: Settled) -> bool {
    settled.by == SettledBy::Drop && settled.winner == Side::Box
}

/// G13, G14: the game settles every bet that is still running.
pub(super) fn finish(chouette: &Chouette, winner: Side, win: Win) -> Decision {
    let game = chouette.game().ok_or(Refusal::NoGame)?;
    if game.board.is_some() {
        return Err(Refusal::Refereed);
    }
    possible(game.on_board.variant, Some(win))?;
    nothing_comes_first(game)?;
    nothing_is_offered(game)?;
    Ok([lone::passed_by_playing_on(game), vec![played_out(chouette, game, winner, win)]].concat())
}

/// Refuses a kind of win that the variant does not have (G14, V4).
fn possible(variant: Variant, win: Option<Win>) -> Result<(), Refusal> {
    let wins = variant.wins();
    if win.is_none_or(|win| wins.contains(&win)) { Ok(()) } else { Err(Refusal::NoSuchWin { wins }) }
}

/// The event that ends a game played out.
pub(super) fn played_out(chouette: &Chouette, game: &Game, winner: Side, win: Win) -> Event {
    let jacoby = chouette.rules().jacoby == Jacoby::On;
    let ending = Ending::played_out(game, winner, win, chouette.acting_captain());
    finished(chouette, game, &ending, settle(game, winner, win, jacoby))
}

/// Ends the game if drops or settlements have left nothing to play for.
pub(super) fn if_over(act: &mut Act<'_>) {
    let Some(game) = act.game().filter(|game| game.running().next().is_none()) else { return };
    let Some(last) = game.last_with_box() else { return };
    let ending = Ending::by_agreement_or_drops(last, act.before.acting_captain());
    let results = game.bets.iter().filter_map(Bet::result).collect();
    let event = finished(&act.now, game, &ending, results);
    act.happens(event);
}

/// The end of `game`: its results, the partners' shares and the next seats.
fn finished(chouette: &Chouette, game: &Game, ending: &Ending, mut bets: Vec<SettledBet>) -> Event {
    bets.extend(partner::shares(game.box_player, &game.partners, &bets, chouette.rules()));
    let standing = chouette.seats().standing().cloned().unwrap_or_default();
    let (line, next) = seated(chouette, game, ending, &bets, &standing);
    let sits = |player: &PlayerId| line.line.contains(player) || line.partners.contains(player);
    let stays = |player: &PlayerId| sits(player) && !standing.waiting.contains(player);
    let may_decline = next.won_by_captain.filter(|captain| line.active().first() == Some(captain));
    Event::GameFinished(FinishedGame {
        game: game.number,
        winner: ending.winner,
        win: ending.win,
        bets,
        stood_up: next.tail.into_iter().filter(stays).collect(),
        line: line.line,
        partners: line.partners,
        may_decline,
    })
}

/// The line after the game: all who played or came meanwhile, without those who left.
fn seated(
    chouette: &Chouette,
    game: &Game,
    ending: &Ending,
    bets: &[SettledBet],
    standing: &Line,
) -> (Line, rotation::Next) {
    let rules = chouette.rules();
    let gone = |player: &PlayerId| !standing.line.contains(player) && !standing.partners.contains(player);
    let everybody = game.members.iter().chain(&game.partners).copied();
    let absent: Vec<PlayerId> =
        everybody.filter(|player| gone(player) || standing.resting.contains(player)).collect();
    let mut after = Line { waiting: Vec::new(), ..standing.clone() };
    after.line.extend(&standing.waiting);
    let partners: Vec<PlayerId> =
        game.partners.iter().copied().filter(|partner| standing.partners.contains(partner)).collect();
    // A partner who went on a break sits at the end of the line.
    let seated = |player: &&PlayerId| **player != game.box_player && !game.members.contains(player);
    let members: Vec<PlayerId> =
        game.members.iter().chain(standing.line.iter().filter(seated)).copied().collect();
    let outcome = Outcome {
        box_player: game.box_player,
        captain: game.captain,
        partners: &partners,
        members: &members,
        absent: &absent,
        bets,
        winner: ending.winner_with_box,
        ended_by_drop_of_member: ending.by_drop_of_member,
        last_standing: ending.last_standing.unwrap_or(game.captain),
    };
    let next = rotation::next(rules, &outcome);
    // A player who left and came back during the game sits where newcomers sit.
    let stays = |player: &PlayerId| !gone(player);
    let (front, tail) = (next.front.iter().copied().filter(stays), next.tail.iter().copied().filter(stays));
    // A player who waited and then went on a break sits behind everybody.
    let (resting, waiting): (Vec<PlayerId>, Vec<PlayerId>) =
        standing.waiting.iter().partition(|player| standing.resting.contains(player));
    let mut line: Vec<PlayerId> = match rules.newcomer {
        Newcomer::BehindLoser => front.chain(tail).chain(waiting).collect(),
        Newcomer::AheadOfLoser => front.chain(waiting).chain(tail).collect(),
    };
    line.extend(resting);
    after.line = line;
    after.partners.clone_from(&next.partners);
    after.partners.retain(|partner| !gone(partner));
    let box_is_there = after.active().first() == Some(&game.box_player);
    let kept = next.front.first() == Some(&game.box_player);
    // The partnership lasts as long as the box does, however many play.
    if kept && !box_is_there {
        after.end_partnership(0);
    }
    let new_partners = next.new_partners.min(after.partners_allowed(rules));
    after.take_partners(new_partners);
    (after, next)
}

/// Corrects a finished game: its bets and the scores change, never who sat where.
pub(super) fn correct(
    chouette: &Chouette,
    number: u32,
    winner: Option<Side>,
    win: Option<Win>,
    bets: &[BetCorrection],
) -> Decision {
    let Some(finished) = chouette.finished_game(number) else {
        return Err(Refusal::NoSuchGame { games: chouette.games_finished() });
    };
    possible(finished.variant, win)?;
    let corrected = finished.corrected(winner, win, bets)?;
    let unchanged = corrected.results == finished.results
        && (corrected.winner, corrected.win) == (finished.winner, finished.win);
    if unchanged {
        return Err(Refusal::NothingChanges);
    }
    Ok(vec![Event::GameCorrected {
        game: number,
        winner: corrected.winner,
        win: corrected.win,
        before: finished.results.clone(),
        after: corrected.results,
        cubes: corrected.cubes,
    }])
}

impl Bet {
    /// Whether the member lost it by dropping.
    #[must_use]
    pub fn is_dropped_by_member(&self) -> bool {
        matches!(self.standing, BetStanding::Settled(settled) if is_drop_of_member(settled))
    }
}
