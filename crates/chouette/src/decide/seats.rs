//! The order (Q1), the partnership (Q13), and declining the box.

use crate::decide::{Decision, not_playing, standing_line};
use crate::event::Event;
use crate::order::{Line, Roll, Seats};
use crate::partner::{self, Due};
use crate::refusal::Refusal;
use crate::rules::{OrderDice, PartnerWhen};
use crate::state::Chouette;
use owlbox_base::journal::Chance;
use owlbox_base::values::PlayerId;
use owlbox_engine::Die;

/// The most rounds that one draw of the order records. Players still tied then draw again.
const MOST_ROUNDS: usize = 100;

/// Q1: who must roll. Refuses if too few are present or the order is settled.
fn may_roll(chouette: &Chouette) -> Result<Vec<PlayerId>, Refusal> {
    not_playing(chouette)?;
    match chouette.seats() {
        Seats::Line(_) => Err(Refusal::OrderAlreadySet),
        seats @ (Seats::Gathering { .. } | Seats::Rolling { .. })
            if seats.present().len() < Seats::TO_ROLL =>
        {
            Err(Refusal::TooFewPlayers { needed: Seats::TO_ROLL })
        }
        seats @ (Seats::Gathering { .. } | Seats::Rolling { .. }) => Ok(seats.to_roll()),
    }
}

pub(super) fn draw_order(chouette: &Chouette, chance: &mut dyn Chance) -> Decision {
    let order_dice = chouette.rules().order.dice;
    if order_dice == OrderDice::ByHand {
        return Err(Refusal::NotInRules { key: "order.dice" });
    }
    may_roll(chouette)?;
    if order_dice == OrderDice::Shuffle {
        let seats = Seats::Line(Line::new(shuffled(chouette.present(), chance)));
        return Ok(vec![Event::OrderDrawn { rounds: Vec::new(), seats }]);
    }
    let mut seats = chouette.seats().clone();
    let mut rounds = Vec::new();
    while rounds.len() < MOST_ROUNDS {
        let to_roll = seats.to_roll();
        if to_roll.is_empty() {
            break;
        }
        let mut rolled =
            |player| Roll { player, dice: (0..order_dice.dice()).map(|_| Die::rolled(chance)).collect() };
        let round: Vec<Roll> = to_roll.into_iter().map(&mut rolled).collect();
        seats = seats.rolled(&round);
        rounds.push(round);
    }
    Ok(vec![Event::OrderDrawn { rounds, seats }])
}

/// A random order, every one equally likely.
fn shuffled(mut players: Vec<PlayerId>, chance: &mut dyn Chance) -> Vec<PlayerId> {
    for place in (1..players.len()).rev() {
        let other = draw(place + 1, chance);
        players.swap(place, other);
    }
    players
}

/// A random number below `many`, every one equally likely.
fn draw(many: usize, chance: &mut dyn Chance) -> usize {
    let sides = u32::try_from(many).unwrap_or(u32::MAX);
    usize::try_from(chance.below(sides)).unwrap_or_default()
}

pub(super) fn enter_rolls(chouette: &Chouette, rolls: &[Roll]) -> Decision {
    let dice = chouette.rules().order.dice.dice();
    if dice == 0 {
        return Err(Refusal::NotInRules { key: "order.dice" });
    }
    let to_roll = may_roll(chouette)?;
    let once = |player: &PlayerId| rolls.iter().filter(|roll| roll.player == *player).count() == 1;
    let right = rolls.iter().all(|roll| roll.dice.len() == dice);
    if rolls.len() != to_roll.len() || !to_roll.iter().all(once) || !right {
        return Err(Refusal::WrongRollers { to_roll, dice });
    }
    Ok(vec![Event::RollsEntered { rolls: rolls.to_vec(), seats: chouette.seats().rolled(rolls) }])
}

pub(super) fn set_order(chouette: &Chouette, line: &[PlayerId]) -> Decision {
    if chouette.rules().order.dice != OrderDice::ByHand {
        return Err(Refusal::NotInRules { key: "order.dice" });
    }
    may_roll(chouette)?;
    let present = chouette.present();
    let once = |player: &PlayerId| line.iter().filter(|other| *other == player).count() == 1;
    if line.len() != present.len() || !present.iter().all(once) {
        return Err(Refusal::WrongLine { present });
    }
    Ok(vec![Event::OrderSet { seats: Seats::Line(Line::new(line.to_vec())) }])
}

/// Who is due to become partner now, if anybody; nobody during a game.
pub(crate) fn partnership_due(chouette: &Chouette) -> Option<Due> {
    let line = chouette.seats().standing().filter(|_| chouette.game().is_none())?;
    partner::due(line, chouette.rules(), chouette.games_finished())
}

pub(super) fn offer_partnership(chouette: &Chouette) -> Decision {
    if chouette.rules().partner.when == PartnerWhen::Off {
        return Err(Refusal::NotInRules { key: "partner.when" });
    }
    let line = standing_line(chouette)?;
    if let Some(player) = chouette.offered_partnership() {
        return Err(Refusal::MustAnswer { player });
    }
    match partnership_due(chouette) {
        None => Err(Refusal::NoPartnership),
        Some(Due::Asked(to)) => Ok(vec![Event::PartnershipOffered { to }]),
        Some(Due::GoesTo(player)) => Ok(vec![made(line, player, false)]),
    }
}

fn made(line: &Line, player: PlayerId, drawn: bool) -> Event {
    let mut line = line.clone();
    line.line.retain(|other| *other != player);
    line.partners.push(player);
    Event::PartnershipMade { player, drawn, seats: Seats::Line(line) }
}

fn offered_to(chouette: &Chouette, player: PlayerId) -> Result<&Line, Refusal> {
    let line = standing_line(chouette)?;
    match chouette.offered_partnership() {
        Some(to) if to == player => Ok(line),
        to => Err(Refusal::NotOffered { to }),
    }
}

pub(super) fn accept_partnership(chouette: &Chouette, player: PlayerId) -> Decision {
    let line = offered_to(chouette, player)?;
    Ok(vec![made(line, player, false)])
}

/// Q13: the next in turn is asked. If nobody accepts, lots are drawn among the team without the captain.
pub(super) fn decline_partnership(
    chouette: &Chouette,
    player: PlayerId,
    chance: &mut dyn Chance,
) -> Decision {
    let line = offered_to(chouette, player)?;
    let mut events = vec![Event::PartnershipDeclined { player }];
    if chouette.partnership_offered_to().len() == 1 {
        let active = line.active();
        let crew = active.get(2..).unwrap_or_default();
        if let Some(&drawn) = crew.get(draw(crew.len(), chance)) {
            events.push(made(line, drawn, true));
        }
    }
    Ok(events)
}

/// The captain who won the box and can decline it with this line: two others must be left to play.
pub(crate) fn may_decline(chouette: &Chouette, line: &Line) -> Option<PlayerId> {
    chouette.may_decline().filter(|_| line.active().len() >= 3)
}

/// A captain who won declines the box: the next in line takes it, and the captain joins those who stood up.
pub(super) fn decline_box(chouette: &Chouette, player: PlayerId) -> Decision {
    let line = standing_line(chouette)?;
    let may = may_decline(chouette, line);
    if may != Some(player) {
        return Err(Refusal::CannotDecline { may });
    }
    let mut line = line.clone();
    line.stand_up(player, chouette.rules().newcomer, chouette.came_in());
    let stood_up = Some([chouette.stood_up(), &[player]].concat());
    Ok(vec![Event::BoxDeclined { player, seats: Seats::Line(line), stood_up }])
}
