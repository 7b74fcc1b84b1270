//! The legal commands spelled out: every concrete command that may be given now, with the events it would
//! bring. The code that draws a button or answers a client words and places these, and decides nothing again.
//!
//! A legal command has as many offers as it has choices. Where people have to fill in more than a choice from
//! a list (a name, an amount, an order, their dice, a play, who of the club sits down), [`Legal`] is all
//! there is. Of several opponents, the offers name all, those whose cubes would stand alike, and each alone;
//! other parts of them are legal too.
//!
//! What several players do alike, at one tap, is here as well: [`Everybody`].

use std::collections::BTreeMap;

use crate::bet::{Bet, BetKind, Side};
use crate::command::Command;
use crate::decide;
use crate::event::Event;
use crate::game::{Game, LoneState};
use crate::legal::{self, Legal};
use crate::refusal::Refusal;
use crate::state::Chouette;
use owlbox_base::journal::{Inputs, Wanted};
use owlbox_base::values::{PlayerId, Timestamp};
use owlbox_engine::CubeValue;

/// A bound on the loop. No double involves more players than this.
const MOST_TOGETHER: usize = 20;

/// A command that may be given now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub command: Command,
    /// Which of the opponents it could name it is about. `All` for a command that names none.
    pub whom: Whom,
    /// What it would record. `None` if nobody may know that beforehand: dice or lots decide it, or it would
    /// show what others have answered in secret.
    pub events: Option<Vec<Event>>,
}

/// Which of the opponents that a command could name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whom {
    All,
    /// All whose cubes would stand at the same value, where not all would.
    Alike,
    /// One of several.
    One,
}

/// What several players can do alike, as one act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alike {
    /// Every member of the team doubles the box.
    Double,
    /// Everybody who still has to answer the box takes.
    Take,
    /// Everybody who still has to answer the box drops.
    Drop,
}

/// Commands of several players that make one act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Everybody {
    pub does: Alike,
    /// At least two, in an order in which each is accepted after the one before.
    pub commands: Vec<Command>,
    /// What they would record together; `None` as for an [`Offer`].
    pub events: Option<Vec<Event>>,
}

impl Chouette {
    /// The offers of these legal commands, in the same order. Choices that the rules refuse in particular are
    /// left out, such as those that change nothing.
    #[must_use]
    pub fn offers<'a>(&self, legal: impl IntoIterator<Item = &'a Legal>) -> Vec<Offer> {
        let spelled_out = legal.into_iter().flat_map(|legal| spelled_out(self, legal));
        let offer = |(command, whom)| {
            let events = brings(self, &command).ok()?;
            Some(Offer { command, whom, events })
        };
        spelled_out.filter_map(offer).collect()
    }

    /// What everybody can do alike: doubles, takes, drops.
    #[must_use]
    pub fn everybody(&self) -> Vec<Everybody> {
        let alike = [Alike::Double, Alike::Take, Alike::Drop];
        alike.into_iter().filter_map(|does| everybody(self, does)).collect()
    }

    /// Whether more may come in this turn: a double by the side that has doubled in it, or an extra. Only
    /// then does it change anything to say that the dice were rolled: any other double opens another turn.
    #[must_use]
    pub fn turn_may_go_on(&self) -> bool {
        let Some((game, turn)) = self.game().and_then(|game| Some((game, game.turn.as_ref()?))) else {
            return false;
        };
        let doubles = |legal: &Legal| {
            let Legal::Double { player, rolled: false, .. } = legal else { return false };
            game.side_of(*player) == Some(turn.side)
        };
        matches!(game.lone, Some(LoneState::Extras(_))) || legal::of_game(self, game).iter().any(doubles)
    }

    /// The table as it would be after these events.
    #[must_use]
    pub fn after(&self, events: &[Event]) -> Self {
        let mut after = self.clone();
        events.iter().for_each(|event| after.take_note(event, no_time()));
        after
    }
}

/// No event depends on the time, and what `after` shows does not either.
fn no_time() -> Timestamp {
    chrono::DateTime::UNIX_EPOCH.into()
}

/// The events of a command, or `None` if they cannot or must not be known beforehand.
fn brings(chouette: &Chouette, command: &Command) -> Result<Option<Vec<Event>>, Refusal> {
    let mut wanted = Wanted::default();
    let events = decide::decide(chouette, command, &mut Inputs { now: no_time(), chance: &mut wanted })?;
    Ok((!wanted.any() && !reveals(chouette, &events)).then_some(events))
}

/// Whether the events would show what others have answered in secret.
fn reveals(chouette: &Chouette, events: &[Event]) -> bool {
    let secret = chouette.game().is_some_and(|game| !game.answers.is_empty());
    let is_answer =
        |event: &Event| matches!(event, Event::Taken { .. } | Event::Dropped { .. } | Event::Beavered { .. });
    secret && events.iter().any(is_answer)
}

/// Every command that a legal command stands for. None where people have to fill in more than a choice from a
/// list.
fn spelled_out(chouette: &Chouette, legal: &Legal) -> Vec<(Command, Whom)> {
    let commands = match legal {
        Legal::Double { player, against, whole, rolled } => {
            let double =
                |(against, whom)| (Command::Double { player: *player, against, rolled: *rolled }, whom);
            return to_double(chouette, *player, against, *whole).into_iter().map(double).collect();
        }
        Legal::Take { player, against, whole } => {
            let take = |(against, whom)| (Command::Take { player: *player, against }, whom);
            return to_answer(chouette, *player, against, *whole).into_iter().map(take).collect();
        }
        Legal::Drop { player, against, whole } => {
            let drop = |(against, whom)| (Command::Drop { player: *player, against }, whom);
            return to_answer(chouette, *player, against, *whole).into_iter().map(drop).collect();
        }
        Legal::Beaver { player, against, whole } => {
            let beaver = |(against, whom)| (Command::Beaver { player: *player, against }, whom);
            return to_answer(chouette, *player, against, *whole).into_iter().map(beaver).collect();
        }
        Legal::Leave { player, proxy } => {
            each_with(player, &to_name(proxy), |player, proxy| Command::Leave { player, proxy })
        }
        Legal::Break { player, proxy } => {
            each_with(player, &to_name(proxy), |player, proxy| Command::Break { player, proxy })
        }
        Legal::Return { player } => each_with(player, &[()], |player, ()| Command::Return { player }),
        Legal::NameProxy { player, proxy, nobody } => {
            let proxies = proxy.iter().copied().map(Some).chain(nobody.then_some(None));
            each_with(&[*player], &proxies.collect::<Vec<_>>(), |player, proxy| Command::NameProxy {
                player,
                proxy,
            })
        }
        Legal::SetStart { player, value } => {
            let values = value.iter().filter_map(|value| CubeValue::try_from(*value).ok());
            each_with(player, &values.collect::<Vec<_>>(), |player, value| Command::SetStart {
                player,
                value,
            })
        }
        Legal::DrawOrder {} => vec![Command::DrawOrder {}],
        Legal::OfferPartnership {} => vec![Command::OfferPartnership {}],
        Legal::AcceptPartnership { player } => vec![Command::AcceptPartnership { player: *player }],
        Legal::DeclinePartnership { player } => vec![Command::DeclinePartnership { player: *player }],
        Legal::DeclineBox { player } => vec![Command::DeclineBox { player: *player }],
        Legal::StartGame { variant } => {
            // The first is the house's own, which needs no naming.
            let variants = std::iter::once(None).chain(variant.iter().skip(1).copied().map(Some));
            each_with(&variants.collect::<Vec<_>>(), &[false, true], |variant, refereed| Command::StartGame {
                refereed,
                variant,
            })
        }
        Legal::OpeningTie { double, .. } => {
            each_with(double, &[()], |double, ()| Command::OpeningTie { double: Some(double) })
        }
        Legal::GiveExtra { player } => vec![Command::GiveExtra { player: *player }],
        Legal::PassExtra { player } => vec![Command::PassExtra { player: *player }],
        Legal::PlayOn {} => vec![Command::PlayOn {}],
        Legal::Finish { winner, win } => {
            each_with(winner, win, |winner, win| Command::Finish { winner, win })
        }
        Legal::Close {} => vec![Command::Close {}],
        // Somebody, or a table, that no list has.
        Legal::Join {} | Legal::MergePlayers {} | Legal::MergeInto {} | Legal::Pay {} => Vec::new(),
        // Names, numbers, dice, an order; or any of many games, bets and settings.
        Legal::Open {} | Legal::Split { .. } | Legal::ChangeRules {} | Legal::SetStake { .. } => Vec::new(),
        Legal::EnterRolls { .. } | Legal::SetOrder { .. } | Legal::Board { .. } => Vec::new(),
        Legal::Settle { .. } | Legal::Correct { .. } => Vec::new(),
    };
    commands.into_iter().map(|command| (command, Whom::All)).collect()
}

/// A command for each of `first` with each of `second`.
fn each_with<A: Copy, B: Copy>(first: &[A], second: &[B], command: impl Fn(A, B) -> Command) -> Vec<Command> {
    first.iter().flat_map(|one| second.iter().map(|other| command(*one, *other))).collect()
}

/// One of these proxies, or nobody if none has to be named.
fn to_name(proxy: &[PlayerId]) -> Vec<Option<PlayerId>> {
    if proxy.is_empty() { vec![None] } else { proxy.iter().copied().map(Some).collect() }
}

/// A part of the opponents for `against`; `None` for all without naming them.
type OpponentChoice = (Option<Vec<PlayerId>>, Whom);

/// Whom a double can name: those whose cubes would stand alike, if not all would; all; each one.
fn to_double(
    chouette: &Chouette,
    player: PlayerId,
    against: &[PlayerId],
    whole: bool,
) -> Vec<OpponentChoice> {
    if whole || against.len() == 1 {
        return vec![(None, Whom::All)];
    }
    let mut alike: BTreeMap<(u32, bool), Vec<PlayerId>> = BTreeMap::new();
    for opponent in against {
        alike.entry(chouette.cube_doubled(player, *opponent)).or_default().push(*opponent);
    }
    let groups: Vec<_> = alike.into_values().filter(|group| group.len() < against.len()).collect();
    let alone = against.iter().map(|opponent| vec![*opponent]).filter(|one| !groups.contains(one));
    let alone: Vec<OpponentChoice> = alone.map(|one| (Some(one), Whom::One)).collect();
    let groups = groups.into_iter().map(|group| (Some(group), Whom::Alike));
    groups.chain([(None, Whom::All)]).chain(alone).collect()
}

/// Whose doubles can be answered together: all, if their cubes stand alike; each one. If the team is one
/// (`whole`), only all of them.
fn to_answer(
    chouette: &Chouette,
    player: PlayerId,
    against: &[PlayerId],
    whole: bool,
) -> Vec<OpponentChoice> {
    let stands =
        |opponent: &PlayerId| chouette.bet_between(player, *opponent)?.raise().map(|raise| raise.to());
    let first = against.first().map(stands);
    let together = whole || against.iter().all(|opponent| Some(stands(opponent)) == first);
    let all = together.then(|| (Some(against.to_vec()), Whom::All));
    let several = against.len() > 1 && !whole;
    let each = against.iter().filter(|_| several).map(|opponent| (Some(vec![*opponent]), Whom::One));
    all.into_iter().chain(each).collect()
}

impl Chouette {
    /// The running bet between the two. For a captain who doubles for the team, a member's bet with the box.
    #[must_use]
    pub fn bet_between(&self, player: PlayerId, opponent: PlayerId) -> Option<&Bet> {
        let game = self.game()?;
        let pair = |bet: &&Bet| bet.side_of(player).is_some_and(|side| bet.on(side.other()) == opponent);
        game.running().find(pair).or_else(|| game.running_members().find(|bet| bet.box_side == opponent))
    }

    /// The value a double would give the cube between the two, and whether it was turned before.
    #[must_use]
    pub fn cube_doubled(&self, player: PlayerId, opponent: PlayerId) -> (u32, bool) {
        let doubled = |bet: &Bet| (bet.cube.value.get() * 2, bet.cube.is_turned());
        self.bet_between(player, opponent).map_or((2, false), doubled)
    }
}

/// `None` if fewer than two can, or if something else would have to happen in between.
fn everybody(chouette: &Chouette, does: Alike) -> Option<Everybody> {
    let number = chouette.game()?.number;
    let mut table = chouette.clone();
    let (mut commands, mut events) = (Vec::new(), Vec::new());
    while commands.len() < MOST_TOGETHER
        && let Some((command, brings)) = next_alike(&table, does, &commands)
    {
        table = table.after(&brings);
        commands.push(command);
        events.extend(brings);
    }
    let waits = table.game().is_some_and(|game| game.number == number && still_waits(game, does));
    let events = (!reveals(chouette, &events)).then_some(events);
    (commands.len() > 1 && !waits).then_some(Everybody { does, commands, events })
}

/// Whether a member still has to answer the box. Never so for doubles, which nobody has to make.
fn still_waits(game: &Game, does: Alike) -> bool {
    let offered = |bet: &Bet| bet.kind == BetKind::Member && bet.offered_by() == Some(Side::Box);
    does != Alike::Double && game.running_members().any(offered)
}

/// The next command after `given`, with its events.
fn next_alike(table: &Chouette, does: Alike, given: &[Command]) -> Option<(Command, Vec<Event>)> {
    let game = table.game()?;
    // A player who has answered in secret has answered.
    let open = |player: PlayerId| {
        game.member_bet(player).is_some_and(|bet| bet.offered_by() == Some(Side::Box))
            && !game.answers.contains_key(&player)
    };
    let against = || Some(vec![game.box_player]);
    let command = |legal: &Legal| match (does, legal) {
        (Alike::Double, Legal::Double { player, whole: false, rolled, .. })
            if game.members.contains(player) =>
        {
            Some(Command::Double { player: *player, against: against(), rolled: *rolled })
        }
        (Alike::Take, Legal::Take { player, .. }) if open(*player) => {
            Some(Command::Take { player: *player, against: against() })
        }
        (Alike::Drop, Legal::Drop { player, .. }) if open(*player) => {
            Some(Command::Drop { player: *player, against: against() })
        }
        (Alike::Double | Alike::Take | Alike::Drop, _) => None,
    };
    let mut commands = legal::of_game(table, game).into_iter().filter_map(|legal| command(&legal));
    commands.by_ref().filter(|command| !given.contains(command)).find_map(|command| {
        let mut inputs = Inputs { now: no_time(), chance: &mut Wanted::default() };
        let events = decide::decide(table, &command, &mut inputs).ok()?;
        Some((command, events))
    })
}
