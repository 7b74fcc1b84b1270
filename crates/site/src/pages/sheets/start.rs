//! A game in a variant other than the house's own, where the rules allow others.

use super::{Draft, Field, FieldKind, Group, SheetChoices, SheetForm};
use crate::pages::Choice;
use crate::pages::table::TableContext;
use crate::pages::words;
use crate::sentences::chouette::game_starts;
use owlbox_chouette::{Command, Legal};
use owlbox_engine::Variant;

pub(super) fn draft(context: &TableContext<'_>, asked: &SheetChoices) -> Option<Draft> {
    let variants = context.legal.iter().find_map(|legal| {
        if let Legal::StartGame { variant } = legal { Some(variant.as_slice()) } else { None }
    })?;
    let chosen = Variant::from_key(asked.text("variant")).filter(|variant| variants.contains(variant));
    let choice = |variant: &Variant| {
        Choice::new(variant.key(), words::variant(&context.say, *variant), chosen == Some(*variant))
    };
    let ticked = asked.text("refereed") == "yes";
    let board = Choice::new("yes", context.say.get("sheet-start-board"), ticked);
    let which = Field::new(
        "variant",
        context.say.get("sheet-start-which"),
        FieldKind::Pick(variants.iter().map(choice).collect()),
    );
    let how = Field::new("refereed", context.say.get("sheet-start-how"), FieldKind::Tick(vec![board]));
    let mut draft = Draft::default();
    draft.forms.push(SheetForm {
        name: "start",
        groups: vec![Group::new(which), Group::new(how)],
        ..SheetForm::default()
    });
    match chosen {
        Some(variant) => {
            let game = context.stream.state.games_finished().saturating_add(1);
            let said = game_starts(&context.say, game, ticked, variant);
            draft.command = Some((Command::StartGame { refereed: ticked, variant: Some(variant) }, said));
        }
        None if asked.sent("start") => draft.mark(Some("variant"), context.say.get("sheet-choose")),
        None => {}
    }
    Some(draft)
}
