//! What people at a table might do next: mostly something allowed, sometimes not.

use super::dice::Dice;
use super::house::house_rules;
use crate::bet::{BetKind, Side};
use crate::command::{BetCorrection, BetEnded, Command, Settlement};
use crate::order::Roll;
use crate::rules::HouseRules;
use crate::tests::naive::{Naive, Phase};
use owlbox_base::values::{ChouetteId, HalfPoints, PlayerId};
use owlbox_engine::{Variant, Win};

/// A command that somebody might give now. `club` is everybody who may turn up.
pub fn command(dice: &mut Dice, naive: &Naive, rules: &HouseRules, club: &[PlayerId]) -> Command {
    for tries in (0..60).rev() {
        let command = match naive.phase() {
            Phase::Gathering | Phase::Rolling => ordering(dice, naive, rules, club),
            Phase::Between | Phase::Closed => between(dice, naive, club),
            Phase::Playing => playing(dice, naive, club),
        };
        if let Some(command) = command
            && (tries < 10 || naive.allows(&command) || dice.one_in(40))
        {
            return command;
        }
    }
    Command::Join { player: dice.pick(club) }
}

fn ordering(dice: &mut Dice, naive: &Naive, rules: &HouseRules, club: &[PlayerId]) -> Option<Command> {
    let present = naive.present();
    Some(match dice.number(12) {
        0..=5 if present.len() < 4 || dice.one_in(3) => Command::Join { player: outside(dice, naive, club)? },
        6 => Command::DrawOrder {},
        7 | 8 => Command::EnterRolls { rolls: rolls(dice, naive, rules) },
        9 => Command::SetOrder { line: dice.shuffled(&naive.gathered()) },
        10 if dice.one_in(4) => going(dice, naive)?,
        10 if dice.one_in(4) => Command::SetStart {
            player: dice.one_of(&present)?,
            value: dice.pick(&[1_u32, 2]).try_into().unwrap(),
        },
        11 if dice.one_in(20) => any_command(dice, naive, club),
        _ => return None,
    })
}

/// Rolls with few different faces, so that ties are common.
fn rolls(dice: &mut Dice, naive: &Naive, rules: &HouseRules) -> Vec<Roll> {
    let how_many = rules.order.dice.dice();
    let roll = |player| {
        let thrown = (0..how_many).map(|_| dice.pick(&[4_u8, 5, 6]).try_into().unwrap()).collect();
        Roll { player, dice: thrown }
    };
    naive.to_roll().into_iter().map(roll).collect()
}

fn between(dice: &mut Dice, naive: &Naive, club: &[PlayerId]) -> Option<Command> {
    let present = naive.present();
    let somebody = dice.one_of(&present).unwrap_or(club[0]);
    Some(match dice.number(40) {
        0..=9 => {
            let variant = dice.one_in(4).then(|| dice.pick(&Variant::ALL));
            Command::StartGame { refereed: false, variant }
        }
        10..=12 => Command::Join { player: outside(dice, naive, club)? },
        13..=15 => going(dice, naive)?,
        16..=17 => Command::Return { player: dice.one_of(&naive.resting())? },
        18..=22 => Command::OfferPartnership {},
        23..=26 => Command::AcceptPartnership { player: naive.offered().or(Some(somebody))? },
        27..=31 => Command::DeclinePartnership { player: naive.offered().or(Some(somebody))? },
        32 => Command::DeclineBox { player: naive.box_player()? },
        33 => Command::SetStake { player: somebody, units: u16::try_from(dice.number(4) + 1).unwrap() },
        34 => Command::SetStart { player: somebody, value: dice.pick(&[1_u32, 2, 4]).try_into().unwrap() },
        35 => correction(dice, naive)?,
        36 => payment(dice, naive)?,
        37 if dice.one_in(3) => Command::ChangeRules { rules: house_rules(dice) },
        38 if dice.one_in(5) => merging(dice, naive, club)?,
        39 if dice.one_in(6) => rare(dice, naive, club),
        _ => return None,
    })
}

fn rare(dice: &mut Dice, naive: &Naive, club: &[PlayerId]) -> Command {
    match dice.number(8) {
        0..=2 => Command::Split {
            players: dice.shuffled(&naive.present()).into_iter().take(3).collect(),
            table: Some(ChouetteId(uuid::Uuid::from_u128(99))),
            name: "Other".into(),
        },
        3 if dice.one_in(6) => Command::Close {},
        _ => any_command(dice, naive, club),
    }
}

/// A command that is most likely not allowed now.
fn any_command(dice: &mut Dice, naive: &Naive, club: &[PlayerId]) -> Command {
    let player = dice.pick(club);
    match dice.number(8) {
        0 => Command::StartGame { refereed: false, variant: None },
        1 => Command::Double { player, against: None, rolled: false },
        2 => Command::Take { player, against: None },
        3 => Command::GiveExtra { player },
        4 => Command::DeclineBox { player },
        5 => Command::OpeningTie { double: None },
        6 => Command::Join { player },
        _ => Command::Finish { winner: dice.pick(&Side::BOTH), win: dice.pick(&Win::ALL) },
    }
    .or_this(dice, naive)
}

trait OrThis {
    fn or_this(self, dice: &mut Dice, naive: &Naive) -> Self;
}
impl OrThis for Command {
    /// Sometimes, instead: somebody returns who never went on a break.
    fn or_this(self, dice: &mut Dice, naive: &Naive) -> Self {
        match dice.one_of(&naive.present()) {
            Some(player) if dice.one_in(9) => Self::Return { player },
            _ => self,
        }
    }
}

fn outside(dice: &mut Dice, naive: &Naive, club: &[PlayerId]) -> Option<PlayerId> {
    let present = naive.present();
    let outside: Vec<PlayerId> = club.iter().copied().filter(|player| !present.contains(player)).collect();
    dice.one_of(&outside)
}

fn going(dice: &mut Dice, naive: &Naive) -> Option<Command> {
    let present = naive.present();
    let player = dice.one_of(&present)?;
    let playing = naive.bets().iter().any(|bet| bet.box_side == player || bet.team_side == player);
    let proxy = if playing && !dice.one_in(3) { dice.one_of(&present) } else { None };
    Some(if dice.one_in(2) { Command::Break { player, proxy } } else { Command::Leave { player, proxy } })
}

fn playing(dice: &mut Dice, naive: &Naive, club: &[PlayerId]) -> Option<Command> {
    Some(match dice.number(60) {
        0..=9 => doubling(dice, naive)?,
        10..=27 => answering(dice, naive)?,
        28..=37 => asked(dice, naive)?,
        38..=40 => settling(dice, naive)?,
        41..=43 => Command::PlayOn {},
        44..=46 => Command::OpeningTie { double: dice.pick(&[None, Some(true), Some(false)]) },
        47 | 48 if dice.one_in(2) => {
            Command::Finish { winner: dice.pick(&Side::BOTH), win: dice.pick(&Win::ALL) }
        }
        49 if dice.one_in(2) => Command::Join { player: outside(dice, naive, club)? },
        50 => going(dice, naive)?,
        51 => Command::Return { player: dice.one_of(&naive.resting())? },
        52 if dice.one_in(4) => Command::NameProxy {
            player: dice.one_of(&players_of(naive))?,
            proxy: dice.pick(&[None, dice.clone().one_of(&naive.present())]),
        },
        53 if dice.one_in(4) => payment(dice, naive)?,
        54 if dice.one_in(4) => any_command(dice, naive, club),
        55 if dice.one_in(4) => correction(dice, naive)?,
        _ => return None,
    })
}

/// Everybody with a running bet.
fn players_of(naive: &Naive) -> Vec<PlayerId> {
    let mut all: Vec<PlayerId> = naive.bets().iter().flat_map(|bet| [bet.box_side, bet.team_side]).collect();
    all.sort();
    all.dedup();
    all
}

fn opponents(naive: &Naive, player: PlayerId) -> Vec<PlayerId> {
    let other = |one: PlayerId, two: PlayerId| if one == player { Some(two) } else { None };
    naive
        .bets()
        .iter()
        .filter_map(|bet| other(bet.box_side, bet.team_side).or(other(bet.team_side, bet.box_side)))
        .collect()
}

fn named(dice: &mut Dice, naive: &Naive, player: PlayerId) -> Option<Vec<PlayerId>> {
    if dice.one_in(2) { None } else { Some(dice.some_of(&opponents(naive, player))) }
}

fn doubling(dice: &mut Dice, naive: &Naive) -> Option<Command> {
    let everybody = players_of(naive);
    let player = if dice.one_in(2) { naive.box_player()? } else { dice.one_of(&everybody)? };
    Some(Command::Double { player, against: named(dice, naive, player), rolled: dice.one_in(5) })
}

fn answering(dice: &mut Dice, naive: &Naive) -> Option<Command> {
    let everybody = players_of(naive);
    let player = dice.one_of(&naive.waiting_for_answers()).filter(|_| !dice.one_in(20));
    let player = player.or_else(|| dice.one_of(&everybody))?;
    let against = match dice.number(4) {
        0 | 1 => None,
        2 if !naive.offered_extras().is_empty() => Some(dice.shuffled(&naive.offered_extras())),
        _ => named(dice, naive, player),
    };
    Some(match dice.number(7) {
        0..=2 => Command::Take { player, against },
        3..=5 => Command::Drop { player, against },
        _ => Command::Beaver { player, against },
    })
}

fn asked(dice: &mut Dice, naive: &Naive) -> Option<Command> {
    let player = dice.one_of(&naive.waiting_for_answers())?;
    Some(if dice.one_in(3) { Command::PassExtra { player } } else { Command::GiveExtra { player } })
}

fn settling(dice: &mut Dice, naive: &Naive) -> Option<Command> {
    let mut bets = Vec::new();
    for bet in naive.bets().into_iter().filter(|bet| bet.kind != BetKind::Partner) {
        if dice.one_in(4) || bets.is_empty() {
            let (payer, payee) = dice.pick(&[(bet.box_side, bet.team_side), (bet.team_side, bet.box_side)]);
            let most = usize::try_from(bet.value * 6 + 2).unwrap();
            let points = HalfPoints(i64::try_from(dice.number(most)).unwrap());
            bets.push(Settlement { payer, payee, points });
        }
    }
    Some(Command::Settle { bets, counts_for: dice.pick(&[None, Some(Side::Box), Some(Side::Team)]) })
}

fn payment(dice: &mut Dice, naive: &Naive) -> Option<Command> {
    let everybody: Vec<PlayerId> = naive.booked().into_keys().collect();
    let amount = i64::try_from(dice.number(20)).unwrap();
    Some(Command::Pay { payer: dice.one_of(&everybody)?, payee: dice.one_of(&everybody)?, amount })
}

fn merging(dice: &mut Dice, naive: &Naive, club: &[PlayerId]) -> Option<Command> {
    let everybody: Vec<PlayerId> = naive.booked().into_keys().collect();
    Some(Command::MergePlayers { duplicate: dice.one_of(&everybody)?, player: dice.pick(club) })
}

fn correction(dice: &mut Dice, naive: &Naive) -> Option<Command> {
    let game = dice.number(naive.games()) + 1;
    let bets = naive.finished_game(game)?.len();
    let mut corrected = Vec::new();
    for bet in dice.some_of(&(1..=u32::try_from(bets).unwrap()).collect::<Vec<u32>>()) {
        if dice.one_in(2) {
            corrected.push(correction_of(dice, bet));
        }
    }
    Some(Command::Correct {
        game: u32::try_from(game).unwrap(),
        winner: dice.pick(&[None, Some(Side::Box), Some(Side::Team)]),
        win: dice.pick(&[None, Some(Win::Single), Some(Win::Gammon), Some(Win::Backgammon)]),
        bets: corrected,
    })
}

fn correction_of(dice: &mut Dice, bet: u32) -> BetCorrection {
    let winner = dice.pick(&Side::BOTH);
    let points = HalfPoints(2 * i64::try_from(dice.number(4)).unwrap());
    BetCorrection {
        bet,
        cube: dice.pick(&[None, Some(2_u32), Some(8)]).map(|value| value.try_into().unwrap()),
        turned: dice.pick(&[None, Some(false), Some(true)]),
        ended: dice.pick(&[
            None,
            Some(BetEnded::Game {}),
            Some(BetEnded::Drop { winner }),
            Some(BetEnded::Settlement { winner, points }),
        ]),
    }
}
