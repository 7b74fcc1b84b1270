//! Every offer is accepted and brings just the events it says; every choice among the legal commands that is
//! a list has its offer; and no offer tells what was answered in secret.

use super::agreement::every_command;
use crate::game::Answer;
use crate::tests::{Script, now};
use crate::{Chouette, Command, CommandKind, Event, Legal, Offer, Refusal};
use owlbox_base::journal::shared::{Shared as _, Viewer};
use owlbox_base::journal::{Inputs, decide_all};
use owlbox_base::values::{PlayerId, Timestamp};

/// What a command would do at another time, with dice that nobody has seen.
fn decided(state: &Chouette, commands: &[Command]) -> Result<Vec<Event>, Refusal> {
    let at: Timestamp = (now().utc() + chrono::TimeDelta::days(9)).into();
    decide_all(state, commands, &mut Inputs { now: at, chance: &mut Script::endless(5) })
}

/// Whether the choices of such a command are lists that `legal` has.
fn is_spelled_out(command: &Command) -> bool {
    match CommandKind::from(command) {
        CommandKind::Open
        | CommandKind::ChangeRules
        | CommandKind::Split
        | CommandKind::MergeInto
        | CommandKind::Join
        | CommandKind::MergePlayers
        | CommandKind::SetStake
        | CommandKind::EnterRolls
        | CommandKind::SetOrder
        | CommandKind::Settle
        | CommandKind::Board
        | CommandKind::Correct
        | CommandKind::Pay => false,
        CommandKind::Close
        | CommandKind::Leave
        | CommandKind::Break
        | CommandKind::Return
        | CommandKind::NameProxy
        | CommandKind::SetStart
        | CommandKind::DrawOrder
        | CommandKind::OfferPartnership
        | CommandKind::AcceptPartnership
        | CommandKind::DeclinePartnership
        | CommandKind::DeclineBox
        | CommandKind::StartGame
        | CommandKind::OpeningTie
        | CommandKind::Double
        | CommandKind::Take
        | CommandKind::Drop
        | CommandKind::Beaver
        | CommandKind::GiveExtra
        | CommandKind::PassExtra
        | CommandKind::PlayOn
        | CommandKind::Finish => true,
    }
}

/// The player of a cube action and whom it names.
fn of_cube(command: &Command) -> Option<(CommandKind, PlayerId, Option<&[PlayerId]>)> {
    let kind = CommandKind::from(command);
    match command {
        Command::Double { player, against, rolled: _ }
        | Command::Take { player, against }
        | Command::Drop { player, against }
        | Command::Beaver { player, against } => Some((kind, *player, against.as_deref())),
        _ => None,
    }
}

/// Whether an accepted command is offered, in the same words or in others.
fn is_offered(state: &Chouette, offers: &[Offer], command: &Command, events: &[Event]) -> bool {
    let same = |offer: &Offer| offer.command == *command || offer.events.as_deref() == Some(events);
    if offers.iter().any(same) {
        return true;
    }
    // Nobody has to say that the dice were rolled where a double is not too late.
    if let Command::Double { player, against, rolled: true } = command {
        let plain = Command::Double { player: *player, against: against.clone(), rolled: false };
        if let Ok(events) = decided(state, std::slice::from_ref(&plain)) {
            return is_offered(state, offers, &plain, &events);
        }
    }
    // Without a choice, a tie is the box's to take.
    if *command == (Command::OpeningTie { double: None }) {
        return is_offered(state, offers, &Command::OpeningTie { double: Some(true) }, events);
    }
    // Somebody may name a proxy though nobody has to be.
    let legal = state.legal();
    let goes_alone = |player: &PlayerId| {
        legal.iter().any(|legal| match legal {
            Legal::Leave { player: who, proxy } | Legal::Break { player: who, proxy } => {
                proxy.is_empty() && who.contains(player)
            }
            _ => false,
        })
    };
    if let Command::Leave { player, proxy: Some(_) } | Command::Break { player, proxy: Some(_) } = command {
        return goes_alone(player);
    }
    // Of several opponents not every part has an offer of its own, but each of them is in one.
    let Some((kind, player, named)) = of_cube(command) else { return false };
    let offered = || offers.iter().filter_map(|offer| of_cube(&offer.command));
    let mut theirs = offered().filter(|(other, who, _)| (*other, *who) == (kind, player)).peekable();
    let hidden = state.game().is_some_and(|game| game.lone.is_some() || !game.answers.is_empty());
    match named {
        Some([opponent]) if !hidden => {
            theirs.any(|(_, _, named)| named.is_some_and(|named| named == [*opponent]))
        }
        Some(_) | None => theirs.peek().is_some(),
    }
}

pub(super) fn offers_and_decide_agree(state: &Chouette) {
    let legal = state.legal();
    let offers = state.offers(&legal);
    let answers = state.game().map(|game| game.answers.clone()).unwrap_or_default();
    for (place, offer) in offers.iter().enumerate() {
        let events = decided(state, std::slice::from_ref(&offer.command)).unwrap_or_else(|refusal| {
            panic!("{offer:?} is refused: {refusal:?}");
        });
        match &offer.events {
            Some(previewed) => assert_eq!(*previewed, events, "{:?}", offer.command),
            None => assert!(
                matches!(offer.command, Command::DrawOrder {} | Command::DeclinePartnership { .. })
                    || !answers.is_empty(),
                "{offer:?}"
            ),
        }
        assert!(offers[..place].iter().all(|other| other.command != offer.command), "twice: {offer:?}");
    }
    for command in every_command(state).into_iter().filter(is_spelled_out) {
        if let Ok(events) = decided(state, std::slice::from_ref(&command)) {
            assert!(is_offered(state, &offers, &command, &events), "{command:?} has no offer:\n{offers:?}");
        }
    }
    for everybody in state.everybody() {
        let events = decided(state, &everybody.commands).unwrap();
        assert!(everybody.commands.len() > 1);
        assert!(everybody.events.is_none_or(|previewed| previewed == events), "{:?}", everybody.commands);
    }
}

/// What a viewer may see of the offers.
fn shown(state: &Chouette) -> String {
    let mut shown = String::new();
    for Offer { command, events, .. } in state.offers(&state.legal()) {
        let events = events.map(|events| {
            let shown = events.iter().filter_map(|event| Chouette::shown_to(event, &Viewer::default()));
            shown.collect::<Vec<_>>()
        });
        shown.push_str(&format!("{command:?}: {events:?}\n"));
    }
    for everybody in state.everybody() {
        shown.push_str(&format!("{:?}: {:?}\n", everybody.commands, everybody.events.is_some()));
    }
    shown
}

/// Whether there was a secret to keep.
pub(super) fn offers_keep_secrets(state: &Chouette) -> bool {
    let answers = state.game().map(|game| game.answers.clone()).unwrap_or_default();
    if answers.is_empty() {
        return false;
    }
    let as_it_is = shown(state);
    for player in answers.keys() {
        for answer in [Answer::Take, Answer::Drop] {
            let otherwise = state.after(&[Event::Answered { player: *player, answer: Some(answer) }]);
            assert_eq!(as_it_is, shown(&otherwise), "{player:?} {answer:?}");
        }
    }
    true
}
