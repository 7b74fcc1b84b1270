//! The box's partner (Q13): who becomes one, and what a partner gets.

use crate::bet::{BetKind, SettledBet, SettledBy};
use crate::game::score_of;
use crate::order::Line;
use crate::rules::{HouseRules, PartnerOffer};
use owlbox_base::values::{HalfPoints, PlayerId};

/// How the next partner is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Due {
    /// Offered to these players in turn; if nobody accepts, lots are drawn.
    Asked(Vec<PlayerId>),
    /// Goes to this player without an offer.
    GoesTo(PlayerId),
}

/// Who is due to become a partner of the box now. `None` if the box may have no further partner, or the rule
/// finds nobody. `games` is the number of finished games.
#[must_use]
pub fn due(line: &Line, rules: &HouseRules, games: u32) -> Option<Due> {
    if line.partners.len() >= line.partners_allowed(rules) {
        return None;
    }
    let active = line.active();
    let team = active.get(1..).unwrap_or_default();
    let behind_captain = team.get(1).copied();
    match rules.partner.offer {
        PartnerOffer::FromCaptain => Some(Due::Asked(team.to_vec())),
        PartnerOffer::FromRear => Some(Due::Asked(team.iter().rev().copied().collect())),
        PartnerOffer::CaptainThenRear => {
            let rear = team.iter().skip(1).rev();
            Some(Due::Asked(team.iter().take(1).chain(rear).copied().collect()))
        }
        PartnerOffer::NextInLine => behind_captain.map(Due::GoesTo),
        PartnerOffer::ThirdHighest => behind_captain.filter(|_| games == 0).map(Due::GoesTo),
    }
}

/// The bets between the box and its partners: each partner's share of the box's net from members, rounded
/// towards zero to the smallest unit in use. The remainder stays with the box, won or lost. The bets are
/// numbered on from `results`.
#[must_use]
pub fn shares(
    box_player: PlayerId,
    partners: &[PlayerId],
    results: &[SettledBet],
    rules: &HouseRules,
) -> Vec<SettledBet> {
    let members = results.iter().copied().filter(|result| result.kind == BetKind::Member);
    let net = score_of(box_player, members).0;
    let (numerator, denominator) = rules.partner.share.of_each(partners.len());
    let unit = rules.smallest_unit();
    // Integer division rounds towards zero.
    let share = HalfPoints(net * numerator / (denominator * unit) * unit);
    let first = results.iter().map(|result| result.bet).max().unwrap_or_default() + 1;
    (first..)
        .zip(partners)
        .map(|(bet, &partner)| {
            let (winner, loser) = if net >= 0 { (partner, box_player) } else { (box_player, partner) };
            let points = HalfPoints(share.0.abs());
            SettledBet {
                bet,
                winner,
                loser,
                points,
                kind: BetKind::Partner,
                by: SettledBy::Game,
                counts_for: None,
            }
        })
        .collect()
}
