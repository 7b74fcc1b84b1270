//! A game in a variant other than the house's own, where the rules allow others.

use super::{Draft, Field, FieldKind, Group, SheetChoices, SheetForm};
use crate::pages::Choice;
use crate::pages::log_message::LogMessage;
use crate::pages::table::TableContext;
use crate::pages::words;
use owlbox_chouette::{Command, Legal};
use owlbox_engine::Variant;

pub(super) fn draft(context: &TableContext<'_>, asked: &SheetChoices) -> Option<Draft> {
    let variants = context.legal.iter().find_map(|legal| {
        if let Legal::StartGame { variant } = legal { Some(variant.as_slice()) } else { None }
    })?;
    let chosen = Variant::from_key(asked.text("variant")).filter(|variant| variants.contains(variant));
    let choice = |variant: &Variant| {
        Choice::new(variant.key(), words::variant(context.t, *variant), chosen == Some(*variant))
    };
    let ticked = asked.text("refereed") == "yes";
    let board = Choice::new("yes", context.t.get("sheet-start-board"), ticked);
    let which = Field::new(
        "variant",
        context.t.get("sheet-start-which"),
        FieldKind::Pick(variants.iter().map(choice).collect()),
    );
    let how = Field::new("refereed", context.t.get("sheet-start-how"), FieldKind::Tick(vec![board]));
    let mut draft = Draft::default();
    draft.forms.push(SheetForm {
        name: "start",
        groups: vec![Group::new(which), Group::new(how)],
        ..SheetForm::default()
    });
    match chosen {
        Some(variant) => {
            let game = usize::try_from(context.stream.state.games_finished()).map_or(1, |games| games + 1);
            let said = LogMessage::GameStarts { game, refereed: ticked, variant }.text(context.t);
            draft.command = Some((Command::StartGame { refereed: ticked, variant: Some(variant) }, said));
        }
        None if asked.sent("start") => draft.mark(Some("variant"), context.t.get("sheet-choose")),
        None => {}
    }
    Some(draft)
}
