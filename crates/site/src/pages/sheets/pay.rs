//! A payment between two players. It changes what they owe, never their scores.

use super::{Draft, Field, FieldKind, Group, SheetChoices, SheetForm, choices_or_none};
use crate::pages::table::TableContext;
use owlbox_base::values::PlayerId;
use owlbox_books::ledger::Unit;
use owlbox_books::typed::Unread;
use owlbox_chouette::{Command, Legal};

pub(super) fn draft(context: &TableContext<'_>, asked: &SheetChoices) -> Option<Draft> {
    context.legal.contains(&Legal::Pay {}).then_some(())?;
    let state = &context.stream.state;
    let known: Vec<PlayerId> = state.known().collect();
    let (payer, payee) = (asked.player("payer", &known), asked.player("payee", &known));
    let typed = asked.text("amount");
    let unit = match state.stake() {
        Some(stake) => stake.currency.to_string(),
        None => context.say.get("sheet-points"),
    };
    let select = |field: &str, key, chosen| {
        let choices = choices_or_none(context, &known, chosen);
        Group::new(Field::new(field, context.say.get(key), FieldKind::Select(choices)))
    };
    let amount = Field::new(
        "amount",
        context.say.with("sheet-pay-amount", "unit", &unit),
        FieldKind::Typed(typed.to_owned(), "decimal"),
    );
    let groups = vec![
        select("payer", "sheet-pay-payer", payer),
        select("payee", "sheet-pay-payee", payee),
        Group { hint: owed(context, &known), ..Group::new(amount) },
    ];
    let mut draft = Draft::default();
    draft.forms.push(SheetForm { name: "pay", groups, ..SheetForm::default() });
    if !asked.sent("pay") {
        return Some(draft);
    }
    let unit = state.stake().map_or(Unit::HalfPoints, |stake| Unit::Money(stake.currency));
    let amount = context.say.amount_typed(typed, unit);
    if let Err(Unread::Ambiguous(readings)) = &amount {
        draft.mark(Some("amount"), context.say.which_of(readings));
        return Some(draft);
    }
    match (payer, payee, amount.ok().filter(|amount| *amount > 0)) {
        (None, ..) => draft.mark(Some("payer"), context.say.get("sheet-choose")),
        (_, None, _) => draft.mark(Some("payee"), context.say.get("sheet-choose")),
        (payer, payee, _) if payer == payee => draft.mark(Some("payee"), context.say.get("sheet-pay-same")),
        (.., None) => draft.mark(Some("amount"), context.say.get("sheet-pay-wrong")),
        (Some(payer), Some(payee), Some(amount)) => {
            let names = [context.name(payer), context.name(payee)];
            let worth = worth(context, amount);
            let message = context.say.fill(
                "sheet-pay-say",
                &[("payer", &names[0]), ("payee", &names[1]), ("amount", &worth.trim_start_matches('+'))],
            );
            draft.command = Some((Command::Pay { payer, payee, amount }, message));
        }
    }
    Some(draft)
}

/// An amount in the units of the table: money, or points.
fn worth(context: &TableContext<'_>, amount: i64) -> String {
    match context.stream.state.stake() {
        Some(stake) => context.say.money(&stake.currency, &amount).text,
        None => context.say.points(&amount).text,
    }
}

/// Everybody's balance at this table, after payments. `None` if all are even or the viewer may not see it.
fn owed(context: &TableContext<'_>, known: &[PlayerId]) -> Option<String> {
    if !context.sees_points() {
        return None;
    }
    let stands = |player: &PlayerId| {
        let debt = context.stream.state.debt(*player)?;
        (debt != 0).then(|| format!("{} {}", context.name(*player), worth(context, debt)))
    };
    let stands: Vec<String> = known.iter().filter_map(stands).collect();
    (!stands.is_empty()).then(|| context.say.with("sheet-pay-stands", "stands", stands.join(" · ")))
}
