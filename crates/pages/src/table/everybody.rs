//! Acts that everybody does alike at one tap: doubles, takes and drops. Also the sheet that shows the result
//! where all drop.
//!
//! Such an act consists of several commands. Each would be accepted after the one before, and together they
//! are one act.

use super::context::{TableContext, happens};
use super::finish::players;
use super::{EverybodyDrops, LogMessage, OutcomeLine, Several};
use crate::Fields;
use crate::Frame;
use crate::act::key;
use owlbox_domain::chouette::{BetKind, Chouette, Command, Game, Legal, Side};
use owlbox_domain::journal::Aggregate as _;
use owlbox_domain::values::PlayerId;

/// A bound on the loop. No double involves more players than this.
const MOST: usize = 20;

/// The acts that everybody may do alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alike {
    /// Every member of the team doubles the box.
    Double,
    /// Everybody who still has to answer the box takes.
    Take,
    /// Everybody who still has to answer the box drops.
    Drop,
}

impl Alike {
    /// In the order of the buttons.
    pub(super) const ALL: [Self; 3] = [Self::Double, Self::Take, Self::Drop];

    const fn message(self) -> LogMessage {
        match self {
            Self::Double => LogMessage::EverybodyDoubles,
            Self::Take => LogMessage::Everybody { takes: true },
            Self::Drop => LogMessage::Everybody { takes: false },
        }
    }

    /// The act as one button. If all drop the game is over, so the result is shown first.
    pub(super) fn several(self, context: &TableContext<'_>) -> Option<Several> {
        let commands = self.commands(context.state())?;
        Some(Several {
            label: self.message().text(context.t),
            fields: Fields::default().with("commands", &commands),
            key: key(),
            shown_first: self == Self::Drop,
        })
    }

    /// The commands, in an order in which each is accepted. `None` if there are fewer than two, or if
    /// something else would have to happen in between.
    fn commands(self, chouette: &Chouette) -> Option<Vec<Command>> {
        let number = chouette.game()?.number;
        let mut table = chouette.clone();
        let mut commands = Vec::new();
        while let Some(command) = self.next(&table, &commands).filter(|_| commands.len() < MOST) {
            for event in happens(&table, &command)? {
                table.apply(&event, chrono::DateTime::UNIX_EPOCH.into());
            }
            commands.push(command);
        }
        let open = |game: &Game| game.number == number && self.waits(game);
        (commands.len() > 1 && !table.game().is_some_and(open)).then_some(commands)
    }

    /// Whether a member still has to answer the box. Never so for doubles, which nobody has to make.
    fn waits(self, game: &Game) -> bool {
        let offered = |bet: &owlbox_domain::chouette::Bet| {
            bet.kind == BetKind::Member && bet.offered_by() == Some(Side::Box)
        };
        self != Self::Double && game.running_members().any(offered)
    }

    /// The next command after `given`.
    fn next(self, chouette: &Chouette, given: &[Command]) -> Option<Command> {
        let game = chouette.game()?;
        // A player who has answered in secret has answered.
        let open = |player: &PlayerId| {
            game.member_bet(*player).is_some_and(|bet| bet.offered_by() == Some(Side::Box))
                && !game.answers.contains_key(player)
        };
        let against = Some(vec![game.box_player]);
        chouette.legal().into_iter().find_map(|legal| match (self, legal) {
            (Self::Double, Legal::Double { player, whole: false, .. }) if game.members.contains(&player) => {
                let command = Command::Double { player, against: against.clone() };
                let may = !given.contains(&command) && happens(chouette, &command).is_some();
                may.then_some(command)
            }
            (Self::Take, Legal::Take { player, .. }) if open(&player) => {
                Some(Command::Take { player, against: against.clone() })
            }
            (Self::Drop, Legal::Drop { player, .. }) if open(&player) => {
                Some(Command::Drop { player, against: against.clone() })
            }
            (Self::Double | Self::Take | Self::Drop, _) => None,
        })
    }
}

/// The commands by which everybody who still has to answer the box drops. `None` if there are fewer than two.
#[must_use]
pub fn everybody_drops(chouette: &Chouette) -> Option<Vec<Command>> {
    Alike::Drop.commands(chouette)
}

impl EverybodyDrops {
    /// The sheet. `after` is the chouette after the drops; leave it out where it could reveal a secret
    /// answer. `None` if not everybody may drop now.
    #[must_use]
    pub fn from_domain(context: &TableContext<'_>, frame: Frame, after: Option<&Chouette>) -> Option<Self> {
        let before = context.state();
        let game = before.game()?;
        let who = everybody_drops(before)?.into_iter().filter_map(|command| {
            if let Command::Drop { player, .. } = command { Some(player) } else { None }
        });
        let ended = after.filter(|after| after.game().is_none());
        let line = |after: &Chouette, player: PlayerId| {
            // If the drops end the game, the line shows its whole result; otherwise only the loss by the
            // drop.
            let points = match ended {
                Some(_) => after.booked(player) - before.booked(player),
                None => after.score(player) - before.score(player),
            };
            let stake = before.stake();
            OutcomeLine {
                name: context.name(player),
                note: None,
                points: context.t.points(points),
                money: stake
                    .and_then(|stake| Some(context.t.money_alone(stake.worth(points)?, stake.currency))),
                total: context.t.points(after.score(player)),
            }
        };
        let lines = after.map(|after| players(game).into_iter().map(|player| line(after, player)).collect());
        let named = |player: Option<PlayerId>| player.map(|player| context.name(player));
        Some(Self {
            t: *context.t,
            table: context.id.to_string(),
            name: before.name().to_owned(),
            version: context.stream.version,
            who: context.names(who),
            currency: before.stake().map(|stake| stake.currency.to_string()),
            lines: lines.unwrap_or_default(),
            next: ended.and_then(|after| named(after.box_player()).zip(named(after.captain()))),
            several: Alike::Drop.several(context)?,
            frame,
        })
    }
}
