//! One player pays another: what they owe changes, never their scores.

use super::{Asked, Draft, Field, FieldKind, Group, SheetForm, choices_or_none, decimal, half_points};
use crate::pages::table::Scene;
use owlbox_domain::chouette::{Command, Legal};
use owlbox_domain::values::{HalfPoints, MinorUnits, PlayerId};

pub(super) fn draft(scene: &Scene<'_>, asked: &Asked) -> Option<Draft> {
    scene.legal.contains(&Legal::Pay {}).then_some(())?;
    let state = &scene.stream.state;
    let known: Vec<PlayerId> = state.known().collect();
    let (payer, payee) = (asked.player("payer", &known), asked.player("payee", &known));
    let typed = asked.text("amount");
    let unit = match state.stake() {
        Some(stake) => stake.currency.to_string(),
        None => scene.t.get("sheet-points"),
    };
    let select = |field: &str, key, chosen| {
        let choices = choices_or_none(scene, &known, chosen);
        Group::of(Field::new(field, scene.t.get(key), FieldKind::Select(choices)))
    };
    let amount = Field::new(
        "amount",
        scene.t.with("sheet-pay-amount", "unit", &unit),
        FieldKind::Typed(typed.to_owned(), "decimal"),
    );
    let groups = vec![
        select("payer", "sheet-pay-payer", payer),
        select("payee", "sheet-pay-payee", payee),
        Group { hint: owed(scene, &known), ..Group::of(amount) },
    ];
    let mut draft = Draft::default();
    draft.forms.push(SheetForm { name: "pay", groups, ..SheetForm::default() });
    if !asked.sent("pay") {
        return Some(draft);
    }
    let amount = match state.stake() {
        Some(stake) => decimal(typed, stake.currency.decimals()),
        None => half_points(typed).map(|points| points.0),
    };
    match (payer, payee, amount.filter(|amount| *amount > 0)) {
        (None, ..) => draft.mark(Some("payer"), scene.t.get("sheet-choose")),
        (_, None, _) => draft.mark(Some("payee"), scene.t.get("sheet-choose")),
        (payer, payee, _) if payer == payee => draft.mark(Some("payee"), scene.t.get("sheet-pay-same")),
        (.., None) => draft.mark(Some("amount"), scene.t.get("sheet-pay-wrong")),
        (Some(payer), Some(payee), Some(amount)) => {
            let names = [scene.name(payer), scene.name(payee)];
            let said = worth(scene, amount);
            let said = said.trim_start_matches('+');
            let saying = scene
                .t
                .fill("sheet-pay-say", &[("payer", &names[0]), ("payee", &names[1]), ("amount", &said)]);
            draft.command = Some((Command::Pay { payer, payee, amount }, saying));
        }
    }
    Some(draft)
}

/// An amount as the table counts: money, or points.
fn worth(scene: &Scene<'_>, amount: i64) -> String {
    match scene.stream.state.stake() {
        Some(stake) => scene.t.money(MinorUnits(amount), stake.currency).text,
        None => scene.t.points(HalfPoints(amount)).text,
    }
}

/// How everybody stands at this table, payments counted.
fn owed(scene: &Scene<'_>, known: &[PlayerId]) -> Option<String> {
    if !scene.standings {
        return None;
    }
    let stands = |player: &PlayerId| {
        let debt = scene.stream.state.debt(*player)?;
        (debt != 0).then(|| format!("{} {}", scene.name(*player), worth(scene, debt)))
    };
    let stands: Vec<String> = known.iter().filter_map(stands).collect();
    (!stands.is_empty()).then(|| scene.t.with("sheet-pay-stands", "stands", stands.join(" · ")))
}
