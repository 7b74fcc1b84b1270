//! The sheet that takes back several acts at once, made from the chouette as it would be afterwards.

use std::collections::BTreeSet;

use super::context::TableContext;
use super::log::{History, lines};
use super::{LogLine, OutcomeLine, TakeBack};
use crate::pages::Frame;
use crate::pages::button::{Button, Target};
use owlbox_base::journal::{Act, Version};
use owlbox_chouette::Event;
use owlbox_desk::chouettes::screen::TakingBack;
use owlbox_desk::commands::subject::StreamPreview;

impl TakeBack {
    /// The sheet. `context` is that of the undo's own screen, whose log has the acts it names.
    #[must_use]
    pub fn from_domain(
        context: &TableContext<'_>,
        frame: Frame,
        TakingBack { command, preview, .. }: &TakingBack,
    ) -> Self {
        let StreamPreview { before, after, named } = &preview.here;
        let change = |score: owlbox_chouette::Score| OutcomeLine {
            name: context.name(score.player),
            note: None,
            points: context.say.points(&score.points.0),
            money: before
                .state
                .stake()
                .and_then(|stake| Some(context.say.money_alone(stake.worth(score.points)?, stake.currency))),
            total: context.say.points(&after.stream.state.score(score.player).0),
        };
        let changes = if context.sees_points() { preview.changes() } else { Vec::new() };
        Self {
            t: *context.say,
            table: context.id.to_string(),
            name: before.state.name().to_owned(),
            target: Target::at_table(context.id, before.version),
            log: log(context, named),
            also: preview.also.iter().map(|also| also.name().to_owned()).collect(),
            currency: before.state.stake().map(|stake| stake.currency.to_string()),
            changes: changes.into_iter().map(change).collect(),
            act: Button::new(context.say.count("take-back-acts", &named.len()), command),
            frame,
        }
    }
}

/// The lines of the log that would be taken back, newest first.
fn log(context: &TableContext<'_>, named: &[Act<Event>]) -> Vec<LogLine> {
    let versions = |act: &Act<Event>| act.version - act.kind.versions() + 1..=act.version;
    let named: BTreeSet<Version> = named.iter().flat_map(versions).collect();
    let mut log = lines(context, &History::new(context));
    log.retain(|line| named.contains(&line.version));
    log
}
