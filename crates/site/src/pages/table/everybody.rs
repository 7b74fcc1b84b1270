//! Acts that everybody does alike at one tap: doubles, takes and drops. Also the sheet that shows the result
//! where all drop.
//!
//! Such an act consists of several commands. Each would be accepted after the one before, and together they
//! are one act.

use super::context::TableContext;
use super::finish::players;
use super::{Button, EverybodyDrops, OutcomeLine};
use crate::pages::Fields;
use crate::pages::Frame;
use owlbox_base::values::PlayerId;
use owlbox_chouette::{Alike, Chouette, Command, Everybody};

/// The act as one button. If all drop the game is over, so the result is shown first.
pub(super) fn everybody_alike(
    context: &TableContext<'_>,
    Everybody { does, commands, .. }: &Everybody,
) -> Button {
    let label = context.say.get(match does {
        Alike::Double => "say-everybody-doubles",
        Alike::Take => "say-everybody-takes",
        Alike::Drop => "say-everybody-drops",
    });
    let button = Button::of_form(label, Fields::default().with("commands", commands));
    if *does == Alike::Drop { button.quiet() } else { button }
}

impl EverybodyDrops {
    /// The sheet; without the outcome where that could reveal a secret answer. `None` if not everybody may drop
    /// now.
    #[must_use]
    pub fn from_domain(context: &TableContext<'_>, frame: Frame) -> Option<Self> {
        let before = context.state();
        let game = before.game()?;
        let drops = context.everybody.iter().find(|everybody| everybody.does == Alike::Drop)?;
        let after = drops.events.as_ref().map(|events| before.after(events));
        let who = drops.commands.iter().filter_map(|command| {
            if let Command::Drop { player, .. } = command { Some(*player) } else { None }
        });
        let ended = after.as_ref().filter(|after| after.game().is_none());
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
                points: context.say.points(&points.0),
                money: stake
                    .and_then(|stake| Some(context.say.money_alone(stake.worth(points)?, stake.currency))),
                total: context.say.points(&after.score(player).0),
            }
        };
        let lines =
            after.as_ref().map(|after| players(game).into_iter().map(|player| line(after, player)).collect());
        let named = |player: Option<PlayerId>| player.map(|player| context.name(player));
        Some(Self {
            t: *context.say,
            table: context.id.to_string(),
            name: before.name().to_owned(),
            target: context.target(),
            who: context.names(who),
            currency: before.stake().map(|stake| stake.currency.to_string()),
            lines: lines.unwrap_or_default(),
            next: ended.and_then(|after| named(after.box_player()).zip(named(after.captain()))),
            button: everybody_alike(context, drops),
            frame,
        })
    }
}
