//! Games in which anything legal happens: partners, extras, beavers, settlements, breaks. What a table offers
//! is what its page has buttons for.

use std::collections::BTreeMap;

use chrono::TimeDelta;

use super::lots::Lots;
use super::unless_refused;
use crate::cli::demo::DemoError;
use crate::cli::demo::evening::Evening;
use owlbox_base::values::HalfPoints;
use owlbox_chouette::command::Settlement;
use owlbox_chouette::{Chouette, Command, CommandKind, Legal, Phase, Side, Whom};

/// A bound on how long a game is brought to its end.
const MOST: usize = 100;

/// How often a command is chosen, against others that are offered at the same moment. The rest is never
/// chosen.
const WEIGHTS: &[(usize, &[CommandKind])] = &[
    (40, &[CommandKind::StartGame, CommandKind::DrawOrder]),
    (20, &[CommandKind::Take, CommandKind::Drop]),
    (12, &[CommandKind::GiveExtra, CommandKind::AcceptPartnership]),
    (6, &[CommandKind::Double, CommandKind::PlayOn, CommandKind::PassExtra]),
    (6, &[CommandKind::Finish, CommandKind::OfferPartnership]),
    (5, &[CommandKind::DeclinePartnership, CommandKind::Return]),
    (4, &[CommandKind::Beaver, CommandKind::DeclineBox]),
    (1, &[CommandKind::Break, CommandKind::OpeningTie, CommandKind::SetStart, CommandKind::NameProxy]),
];

fn weight(command: CommandKind) -> usize {
    WEIGHTS.iter().find(|(_, commands)| commands.contains(&command)).map_or(0, |(weight, _)| *weight)
}

/// The commands that bring a game to its end, the first that is offered.
const ENDING: [CommandKind; 5] =
    [CommandKind::Finish, CommandKind::PassExtra, CommandKind::Take, CommandKind::Drop, CommandKind::PlayOn];

/// The commands that the table offers, by their kind. No game is refereed: that would be a night for each.
/// Who doubles doubles all whose cubes stand alike, so that a member can come to take alone.
fn offered(table: &Chouette) -> BTreeMap<CommandKind, Vec<Command>> {
    let mut offered: BTreeMap<CommandKind, Vec<Command>> = BTreeMap::new();
    for offer in table.offers(&table.legal()) {
        let refereed = matches!(offer.command, Command::StartGame { refereed: true, .. });
        let doubles_one = matches!(offer.command, Command::Double { .. }) && offer.whom == Whom::One;
        if !refereed && !doubles_one {
            offered.entry(CommandKind::from(&offer.command)).or_default().push(offer.command);
        }
    }
    offered
}

impl Evening<'_> {
    /// Lets so many legal things happen, and brings the last game to its end.
    pub(super) async fn free_play(&mut self, lots: &mut Lots, steps: usize) -> Result<(), DemoError> {
        for _ in 0..steps {
            self.clock.advance(TimeDelta::minutes(1));
            let table = self.state().await?;
            let command = if lots.once_in(12) { settled(lots, &table) } else { None };
            if let Some(command) = command.or_else(|| drawn(lots, &table)) {
                unless_refused(self.tell(command).await)?;
            }
        }
        self.wind_up().await
    }

    async fn wind_up(&mut self) -> Result<(), DemoError> {
        for _ in 0..MOST {
            let table = self.state().await?;
            if table.phase() != Phase::Playing {
                break;
            }
            let mut offered = offered(&table);
            let first = ENDING.iter().find_map(|kind| offered.remove(kind));
            let Some(command) = first.and_then(|commands| commands.into_iter().next()) else { break };
            self.tell(command).await?;
        }
        Ok(())
    }
}

/// One of the commands that the table offers.
fn drawn(lots: &mut Lots, table: &Chouette) -> Option<Command> {
    let mut offered: Vec<(usize, Vec<Command>)> =
        offered(table).into_iter().map(|(kind, commands)| (weight(kind), commands)).collect();
    let mut place = lots.below(offered.iter().map(|(weight, _)| weight).sum());
    let chosen = offered.iter_mut().find_map(|(weight, commands)| match place.checked_sub(*weight) {
        Some(rest) => {
            place = rest;
            None
        }
        None => Some(std::mem::take(commands)),
    })?;
    let number = lots.below(chosen.len());
    chosen.into_iter().nth(number)
}

/// A settlement of one bet, where the table has any to settle.
fn settled(lots: &mut Lots, table: &Chouette) -> Option<Command> {
    let legal = table.legal();
    let pairs = legal
        .iter()
        .find_map(|legal| if let Legal::Settle { pairs } = legal { Some(pairs) } else { None })?;
    let pair = lots.one(pairs)?;
    let most = usize::try_from(pair.most.0).unwrap_or(0);
    let points = HalfPoints(i64::try_from(lots.below(most + 1)).unwrap_or(0));
    let (payer, payee) =
        if lots.once_in(2) { (pair.box_side, pair.team) } else { (pair.team, pair.box_side) };
    let counts_for = pair.counts_for.then_some(if lots.once_in(2) { Side::Box } else { Side::Team });
    Some(Command::Settle { bets: vec![Settlement { payer, payee, points }], counts_for })
}
