//! The order by hand, stakes for single players, and the starting value of a member's cube.

use super::{Draft, Field, FieldKind, Group, SheetChoices, SheetForm, choices_or_none};
use crate::pages::Choice;
use crate::pages::table::TableContext;
use owlbox_base::code::Code;
use owlbox_base::values::PlayerId;
use owlbox_chouette::{Command, Legal};
use owlbox_engine::CubeValue;

pub(super) fn draft(context: &TableContext<'_>, asked: &SheetChoices) -> Option<Draft> {
    let mut draft = Draft::default();
    for legal in &context.legal {
        match legal {
            Legal::SetOrder { line } => order(&mut draft, context, asked, line),
            Legal::SetStake { player } => stake(&mut draft, context, asked, player),
            Legal::SetStart { player, value } => start(&mut draft, context, asked, player, value),
            Legal::Open { .. }
            | Legal::Join { .. }
            | Legal::Leave { .. }
            | Legal::Break { .. }
            | Legal::Return { .. }
            | Legal::NameProxy { .. }
            | Legal::MergePlayers { .. }
            | Legal::DrawOrder { .. }
            | Legal::EnterRolls { .. }
            | Legal::OfferPartnership { .. }
            | Legal::AcceptPartnership { .. }
            | Legal::DeclinePartnership { .. }
            | Legal::DeclineBox { .. }
            | Legal::StartGame { .. }
            | Legal::OpeningTie { .. }
            | Legal::Double { .. }
            | Legal::Take { .. }
            | Legal::Drop { .. }
            | Legal::Beaver { .. }
            | Legal::GiveExtra { .. }
            | Legal::PassExtra { .. }
            | Legal::PlayOn { .. }
            | Legal::Settle { .. }
            | Legal::Board { .. }
            | Legal::Finish { .. }
            | Legal::Correct { .. }
            | Legal::Pay { .. }
            | Legal::ChangeRules { .. }
            | Legal::Split { .. }
            | Legal::MergeInto { .. }
            | Legal::Close { .. } => {}
        }
    }
    (!draft.forms.is_empty()).then_some(draft)
}

/// The form for the order: box, captain, crew.
fn order(draft: &mut Draft, context: &TableContext<'_>, asked: &SheetChoices, present: &[PlayerId]) {
    let sent = asked.sent("order");
    let place = |at: usize| format!("line.{}", at + 1);
    let chosen = |at: usize| if sent { asked.player(&place(at), present) } else { present.get(at).copied() };
    let label = |at: usize| match at {
        0 => context.say.get("role-box"),
        1 => context.say.get("role-captain"),
        _ => context.say.with("sheet-order-place", "place", at + 1),
    };
    let field = |at: usize| {
        let choices = choices_or_none(context, present, chosen(at));
        Group::new(Field::new(place(at), label(at), FieldKind::Select(choices)))
    };
    draft.forms.push(SheetForm {
        name: "order",
        title: Some(context.say.get("sheet-order-title")),
        groups: (0..present.len()).map(field).collect(),
        ..SheetForm::default()
    });
    if !sent {
        return;
    }
    let mut line: Vec<PlayerId> = Vec::new();
    for at in 0..present.len() {
        match chosen(at) {
            Some(player) if !line.contains(&player) => line.push(player),
            other => {
                let key = if other.is_some() { "sheet-order-twice" } else { "sheet-choose" };
                let group = draft.forms.last_mut().and_then(|form| form.groups.get_mut(at));
                if let Some(field) = group.and_then(|group| group.fields.first_mut()) {
                    field.wrong = Some(context.say.get(key));
                }
                return;
            }
        }
    }
    let names: Vec<String> = line.iter().map(|player| context.name(*player)).collect();
    let message = context.say.with("say-order", "names", names.join(" · "));
    draft.command = Some((Command::SetOrder { line }, message));
}

/// The form for the stake of a player, as a multiple of the table's.
fn stake(draft: &mut Draft, context: &TableContext<'_>, asked: &SheetChoices, players: &[PlayerId]) {
    let state = &context.stream.state;
    let sent = asked.sent("stake");
    let chosen = asked.player("player", players).filter(|_| sent);
    let typed = if sent { asked.text("units") } else { "" };
    let now: Vec<String> =
        players.iter().map(|player| format!("{} {}", context.name(*player), state.units(*player))).collect();
    let groups = vec![
        Group {
            hint: Some(context.say.with("sheet-order-now", "now", now.join(" · "))),
            ..Group::new(player(context, players, chosen))
        },
        Group::new(Field::new(
            "units",
            context.say.get("sheet-stake-units"),
            FieldKind::Typed(typed.to_owned(), "numeric"),
        )),
    ];
    let title = Some(context.say.get("sheet-stake-title"));
    draft.forms.push(SheetForm { name: "stake", title, groups, ..SheetForm::default() });
    if !sent {
        return;
    }
    match (chosen, typed.parse::<u16>()) {
        (Some(player), Ok(units)) => {
            let (who, units_said) = (context.name(player), units.to_string());
            let message = context.say.fill("sheet-stake-say", &[("name", &who), ("units", &units_said)]);
            draft.command = Some((Command::SetStake { player, units }, message));
        }
        (None, _) => draft.mark(Some("player"), context.say.get("sheet-choose")),
        (_, Err(_)) => draft.mark(Some("units"), context.say.error(Code::BadStake)),
    }
}

fn player(context: &TableContext<'_>, players: &[PlayerId], chosen: Option<PlayerId>) -> Field {
    let choices = choices_or_none(context, players, chosen);
    Field::new("player", context.say.get("club-player"), FieldKind::Select(choices))
}

/// The form for the starting value of a member's cube.
fn start(
    draft: &mut Draft,
    context: &TableContext<'_>,
    asked: &SheetChoices,
    players: &[PlayerId],
    values: &[u32],
) {
    let state = &context.stream.state;
    let sent = asked.sent("start");
    let chosen = asked.player("player", players).filter(|_| sent);
    let value: Option<u32> = asked.text("value").parse().ok().filter(|value| sent && values.contains(value));
    let choice = |one: &u32| Choice::new(one.to_string(), one.to_string(), value == Some(*one));
    let now: Vec<String> = players
        .iter()
        .map(|player| format!("{} {}", context.name(*player), state.start(*player).get()))
        .collect();
    let groups = vec![
        Group {
            hint: Some(context.say.with("sheet-order-now", "now", now.join(" · "))),
            ..Group::new(player(context, players, chosen))
        },
        Group::new(Field::new(
            "value",
            context.say.get("sheet-start-value"),
            FieldKind::Pick(values.iter().map(choice).collect()),
        )),
    ];
    let title = Some(context.say.get("sheet-start-title"));
    draft.forms.push(SheetForm { name: "start", title, groups, ..SheetForm::default() });
    if !sent {
        return;
    }
    match (chosen, value.and_then(|value| CubeValue::try_from(value).ok())) {
        (Some(player), Some(value)) => {
            let (who, at) = (context.name(player), value.get().to_string());
            let message = context.say.fill("sheet-start-say", &[("name", &who), ("value", &at)]);
            draft.command = Some((Command::SetStart { player, value }, message));
        }
        (None, _) => draft.mark(Some("player"), context.say.get("sheet-choose")),
        (_, None) => draft.mark(Some("value"), context.say.get("sheet-choose")),
    }
}
