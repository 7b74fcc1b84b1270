//! Commands listed as legal are accepted, and no others.

use std::collections::BTreeSet;

use super::walk::{CLUB, IN_PARTICULAR, in_letters, may_roll};
use crate::game::LoneState;
use crate::rules::{BoxRestraint, HouseRules};
use crate::tests::{Script, now, open, players, roll};
use crate::{Chouette, Command, Legal, Settlement, Side};
use owlbox_base::journal::{Aggregate, Inputs};
use owlbox_base::values::{ChouetteId, HalfPoints, PlayerId};
use owlbox_engine::Win;
use owlbox_engine::game::Action;

/// Whether a command must be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Expected {
    No,
    /// It is listed in general, but may be refused for its particular values.
    Perhaps,
    Yes,
}
use Expected::{No, Perhaps, Yes};

impl From<bool> for Expected {
    fn from(is_legal: bool) -> Self {
        if is_legal { Yes } else { No }
    }
}

/// What `legal` says about `command`.
fn expected(legal: &[Legal], state: &Chouette, command: &Command) -> Expected {
    legal.iter().map(|legal| covers(legal, state, command)).max().unwrap_or(No)
}

fn covers(legal: &Legal, state: &Chouette, command: &Command) -> Expected {
    match (legal, command) {
        (Legal::Open {}, Command::Open { .. })
        | (Legal::DrawOrder {}, Command::DrawOrder {})
        | (Legal::StartGame { .. }, Command::StartGame { .. })
        | (Legal::OfferPartnership {}, Command::OfferPartnership {})
        | (Legal::PlayOn {}, Command::PlayOn {})
        | (Legal::MergeInto {}, Command::MergeInto { .. })
        | (Legal::Close {}, Command::Close {}) => Yes,
        (Legal::ChangeRules {}, Command::ChangeRules { rules }) => (rules != state.rules()).into(),
        (Legal::Correct { from, to }, Command::Correct { game, .. }) if (from..=to).contains(&game) => {
            Perhaps
        }
        // The player who stays may have sat elsewhere.
        (Legal::MergePlayers {}, Command::MergePlayers { duplicate, .. }) if state.knows(*duplicate) => {
            Perhaps
        }
        (Legal::Pay {}, Command::Pay { payer, payee, .. }) => {
            (state.knows(*payer) && state.knows(*payee) && payer != payee).into()
        }
        (Legal::Split { .. }, Command::Split { .. }) => Perhaps,
        (Legal::Finish { winner, win }, Command::Finish { winner: side, win: kind }) => {
            (winner.contains(side) && win.contains(kind)).into()
        }
        (Legal::OpeningTie { double, .. }, Command::OpeningTie { double: wanted }) => {
            double.contains(&wanted.unwrap_or(true)).into()
        }
        (Legal::Board { by, action }, Command::Board { by: side, action: wanted }) => {
            (by == side && action.contains(&wanted.kind())).into()
        }
        (Legal::AcceptPartnership { player }, Command::AcceptPartnership { player: who })
        | (Legal::DeclinePartnership { player }, Command::DeclinePartnership { player: who })
        | (Legal::DeclineBox { player }, Command::DeclineBox { player: who })
        | (Legal::GiveExtra { player }, Command::GiveExtra { player: who })
        | (Legal::PassExtra { player }, Command::PassExtra { player: who }) => (player == who).into(),
        _ => of_people(legal, state, command).max(of_cubes(legal, state, command)),
    }
}

fn of_people(legal: &Legal, state: &Chouette, command: &Command) -> Expected {
    match (legal, command) {
        (Legal::Join {}, Command::Join { player }) => (!state.present().contains(player)).into(),
        (Legal::Leave { player, proxy }, Command::Leave { player: who, proxy: named })
        | (Legal::Break { player, proxy }, Command::Break { player: who, proxy: named }) => {
            let named = proxy.is_empty() || named.is_some_and(|named| proxy.contains(&named));
            (player.contains(who) && named).into()
        }
        (Legal::Return { player }, Command::Return { player: who }) => player.contains(who).into(),
        (Legal::NameProxy { player, proxy, nobody }, Command::NameProxy { player: who, proxy: named }) => {
            let can = named.map_or(*nobody, |named| proxy.contains(&named));
            if player == who && can { Perhaps } else { No }
        }
        (Legal::SetStake { player }, Command::SetStake { player: who, units }) => {
            (player.contains(who) && state.units(*who) != *units).into()
        }
        (Legal::SetStart { player, value }, Command::SetStart { player: who, value: start }) => {
            (player.contains(who) && state.start(*who) != *start && value.contains(&start.get())).into()
        }
        (Legal::EnterRolls { players, dice }, Command::EnterRolls { rolls }) => {
            let rolled: Vec<PlayerId> = rolls.iter().map(|roll| roll.player).collect();
            (rolled == *players && rolls.iter().all(|roll| roll.dice.len() == *dice)).into()
        }
        (Legal::SetOrder { line }, Command::SetOrder { line: order }) => {
            let sorted = |players: &[PlayerId]| {
                let mut players = players.to_vec();
                players.sort();
                players
            };
            (sorted(line) == sorted(order)).into()
        }
        _ => No,
    }
}

fn of_cubes(legal: &Legal, state: &Chouette, command: &Command) -> Expected {
    let box_player = state.game().map(|game| game.box_player);
    let restrained = state.rules().box_restraint != BoxRestraint::None;
    let among = |player: &PlayerId, named: &Option<Vec<PlayerId>>, allowed: &[PlayerId], whole: bool| {
        let can = match named {
            None => true,
            Some(named) => {
                let distinct: BTreeSet<_> = named.iter().collect();
                let enough = if whole { distinct.len() == allowed.len() } else { !named.is_empty() };
                enough && distinct.len() == named.len() && named.iter().all(|one| allowed.contains(one))
            }
        };
        match can {
            true if restrained && Some(*player) == box_player => Perhaps,
            can => can.into(),
        }
    };
    match (legal, command) {
        (Legal::Take { player, .. }, Command::Take { player: who, against: Some(named) })
            if player == who && names_givers(state, *who, named) =>
        {
            Yes
        }
        (
            Legal::Double { player, against, whole, rolled },
            Command::Double { player: who, against: named, rolled: said },
        ) if player == who => {
            if (*rolled && !said) || (*said && !may_roll(state)) {
                No
            } else {
                among(player, named, against, *whole)
            }
        }
        (Legal::Take { player, against, whole }, Command::Take { player: who, against: named })
        | (Legal::Drop { player, against, whole }, Command::Drop { player: who, against: named })
        | (Legal::Beaver { player, against, whole }, Command::Beaver { player: who, against: named })
            if player == who =>
        {
            among(player, named, against, *whole)
        }
        (Legal::Settle { pairs }, Command::Settle { bets, counts_for }) => {
            let [Settlement { payer, payee, points }] = bets[..] else { return Perhaps };
            let theirs = pairs.iter().find(|pair| {
                (pair.box_side, pair.team) == (payer, payee) || (pair.team, pair.box_side) == (payer, payee)
            });
            let Some(pair) = theirs else { return No };
            (points <= pair.most && pair.counts_for == counts_for.is_some()).into()
        }
        _ => No,
    }
}

/// Whether the lone taker names the players whose extras they take: all of them, with the box or without
/// (Q10).
fn names_givers(state: &Chouette, taker: PlayerId, named: &[PlayerId]) -> bool {
    let Some(game) = state.game() else { return false };
    let Some(LoneState::Extras(asking)) = &game.lone else { return false };
    let offered: BTreeSet<_> = asking.offered.iter().collect();
    let distinct: BTreeSet<_> = named.iter().collect();
    let beside: Vec<_> = distinct.difference(&offered).collect();
    asking.taker == taker
        && !offered.is_empty()
        && distinct.len() == named.len()
        && offered.is_subset(&distinct)
        && beside.iter().all(|player| ***player == game.box_player)
}

/// Commands of every kind by everybody, most of them nonsense.
pub(super) fn every_command(state: &Chouette) -> Vec<Command> {
    let dice = state.rules().order.dice.dice();
    let rolls = |players: Vec<PlayerId>| Command::EnterRolls {
        rolls: players.into_iter().map(|player| roll(player, &vec![3; dice])).collect(),
    };
    let mut reversed = state.present();
    reversed.reverse();
    let mut commands = vec![
        open("Table", HouseRules::default()),
        Command::ChangeRules { rules: HouseRules::default() },
        Command::ChangeRules { rules: state.rules().clone() },
        Command::DrawOrder {},
        Command::SetOrder { line: reversed.clone() },
        Command::SetOrder { line: reversed.iter().skip(1).copied().collect() },
        rolls(Vec::new()),
        rolls(state.present()),
        rolls(state.to_roll()),
        Command::OfferPartnership {},
        Command::StartGame { refereed: false, variant: None },
        Command::StartGame { refereed: true, variant: None },
        Command::PlayOn {},
        Command::Finish { winner: Side::Team, win: Win::Gammon },
        Command::Close {},
        Command::MergeInto { table: ChouetteId(uuid::Uuid::nil()) },
        Command::Split { players: reversed, table: None, name: "Two".into() },
        Command::Settle { bets: Vec::new(), counts_for: None },
        Command::Correct { game: 1, winner: Some(Side::Team), win: Some(Win::Gammon), bets: Vec::new() },
        Command::Correct { game: 9, winner: None, win: None, bets: Vec::new() },
    ];
    commands.extend([None, Some(true), Some(false)].map(|double| Command::OpeningTie { double }));
    for by in Side::BOTH {
        let actions = [
            Action::RollOpening { dice: None },
            Action::Roll { dice: None },
            Action::CockedDice {},
            Action::Pass {},
            Action::AcceptPlay {},
            Action::Double {},
            Action::Resign { win: Win::Single },
            Action::AcceptResignation {},
        ];
        commands.extend(actions.map(|action| Command::Board { by, action }));
    }
    commands.extend(players(CLUB).into_iter().flat_map(of_player));
    commands
}

fn of_player(player: PlayerId) -> Vec<Command> {
    let club = players(CLUB);
    let mut commands = vec![
        Command::Join { player },
        Command::Leave { player, proxy: None },
        Command::Break { player, proxy: None },
        Command::Return { player },
        Command::NameProxy { player, proxy: None },
        Command::SetStake { player, units: 2 },
        Command::SetStart { player, value: 2.try_into().unwrap() },
        Command::AcceptPartnership { player },
        Command::DeclinePartnership { player },
        Command::DeclineBox { player },
        Command::GiveExtra { player },
        Command::PassExtra { player },
    ];
    for &other in &club {
        let settled = Settlement { payer: player, payee: other, points: HalfPoints(2) };
        commands.extend([
            Command::Leave { player, proxy: Some(other) },
            Command::Break { player, proxy: Some(other) },
            Command::NameProxy { player, proxy: Some(other) },
            Command::MergePlayers { duplicate: player, player: other },
            Command::Pay { payer: player, payee: other, amount: 1 },
            Command::Settle { bets: vec![settled], counts_for: None },
            Command::Settle { bets: vec![settled], counts_for: Some(Side::Box) },
        ]);
    }
    let mut choices = vec![None, Some(Vec::new()), Some(club.clone()), Some(vec![club[0]; 2])];
    choices.extend(club.iter().map(|&opponent| Some(vec![opponent])));
    for against in choices {
        commands.extend([
            Command::Double { player, against: against.clone(), rolled: false },
            Command::Double { player, against: against.clone(), rolled: true },
            Command::Take { player, against: against.clone() },
            Command::Drop { player, against: against.clone() },
            Command::Beaver { player, against },
        ]);
    }
    commands
}

/// Checks that exactly the legal commands are accepted. Naming nobody means everybody who can be named, so
/// that is refused only where nobody could be.
pub(super) fn legal_and_decide_agree(state: &Chouette) {
    let legal = state.legal();
    for command in every_command(state) {
        let mut dice = Script::endless(0);
        let decided = state.decide(&command, &mut Inputs { now: now(), chance: &mut dice });
        let expected = expected(&legal, state, &command);
        let agreed = match (&decided, expected) {
            (Ok(_), Yes | Perhaps) | (Err(_), No) => true,
            (Err(refusal), Perhaps) => {
                IN_PARTICULAR.contains(&refusal.code().name())
                    || ["bad_split", "bad_choice"].contains(&refusal.code().name())
            }
            (Ok(_), No) | (Err(_), Yes) => false,
        };
        let told =
            || in_letters(&format!("{expected:?}: {command:?}: {decided:?}\n{legal:?}\n{:?}", state.game()));
        assert!(agreed, "{}", told());
    }
}
