//! Bets settled by agreement: who pays whom how much, and who counts as the winner between box and captain.

use super::{Draft, Field, FieldKind, Group, SheetChoices, SheetForm, between};
use crate::pages::Choice;
use crate::pages::table::TableContext;
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_books::ledger::Unit;
use owlbox_books::typed::Unread;
use owlbox_chouette::legal::Pair;
use owlbox_chouette::{Command, Legal, Settlement, Side};

const FORM: &str = "settle";

pub(super) fn draft(context: &TableContext<'_>, asked: &SheetChoices) -> Option<Draft> {
    let pairs = context
        .legal
        .iter()
        .find_map(|legal| if let Legal::Settle { pairs } = legal { Some(pairs) } else { None })?;
    let sent = asked.sent(FORM);
    let (mut bets, mut wrong, mut needs_winner) = (Vec::new(), false, false);
    let mut groups = Vec::new();
    for pair in pairs {
        let (mut group, settled) = group(context, asked, pair);
        match settled {
            Some(Ok(settlement)) => {
                needs_winner |= pair.counts_for;
                bets.push(settlement);
            }
            Some(Err(why)) if sent => {
                wrong = true;
                if let Some(field) = group.fields.last_mut() {
                    field.wrong = Some(why);
                }
            }
            _ => {}
        }
        groups.push(group);
    }
    let counts_for = counts_for(asked);
    if pairs.iter().any(|pair| pair.counts_for) {
        groups.push(winner(context, counts_for, sent && needs_winner));
    }
    let mut draft = Draft::default();
    draft.forms.push(SheetForm { name: FORM, groups, ..SheetForm::default() });
    if !sent || wrong || (needs_winner && counts_for.is_none()) {
        return Some(draft);
    }
    if bets.is_empty() {
        draft.wrong = Some(context.say.get("sheet-settle-none"));
        return Some(draft);
    }
    let message: Vec<String> = bets.iter().map(|bet| sentence(context, bet)).collect();
    let counts_for = counts_for.filter(|_| needs_winner);
    draft.command = Some((Command::Settle { bets, counts_for }, message.join(" · ")));
    Some(draft)
}

fn counts_for(asked: &SheetChoices) -> Option<Side> {
    match asked.text("counts_for") {
        "box" => Some(Side::Box),
        "team" => Some(Side::Team),
        _ => None,
    }
}

fn sentence(context: &TableContext<'_>, bet: &Settlement) -> String {
    let (payer, payee) = (context.name(bet.payer), context.name(bet.payee));
    let points = context.say.how_many(&bet.points.0);
    context.say.fill("sheet-settle-say", &[("payer", &payer), ("payee", &payee), ("points", &points)])
}

/// The two fields of a pair, and their meaning: `None`, a settlement, or an error.
fn group(
    context: &TableContext<'_>,
    asked: &SheetChoices,
    pair: &Pair,
) -> (Group, Option<Result<Settlement, String>>) {
    let ids = format!("{}.{}", pair.box_side, pair.team);
    let (pays, amount) = (format!("pays.{ids}"), format!("amount.{ids}"));
    let payer = asked.player(&pays, &[pair.box_side, pair.team]);
    let typed = asked.text(&amount);
    let says = |payer: PlayerId, payee: PlayerId| {
        let names = [context.name(payer), context.name(payee)];
        context.say.fill("sheet-settle-pays", &[("payer", &names[0]), ("payee", &names[1])])
    };
    let way =
        |from: PlayerId, to: PlayerId| Choice::new(from.to_string(), says(from, to), payer == Some(from));
    let ways = vec![
        Choice::new("", context.say.get("sheet-settle-not"), payer.is_none()),
        way(pair.box_side, pair.team),
        way(pair.team, pair.box_side),
    ];
    let limit = context.say.how_many(&pair.most.0);
    let box_player = context.stream.state.game().map(|game| game.box_player);
    let group = Group {
        legend: Some(between(context, pair.box_side, pair.team, box_player != Some(pair.box_side))),
        hint: Some(context.say.with("sheet-settle-most", "most", &limit)),
        fields: vec![
            Field::new(pays, context.say.get("sheet-settle-who"), FieldKind::Select(ways)),
            Field::new(
                amount,
                context.say.get("sheet-points"),
                FieldKind::Typed(typed.to_owned(), "decimal"),
            ),
        ],
    };
    let settled = payer.map(|payer| {
        let payee = if payer == pair.box_side { pair.team } else { pair.box_side };
        let in_reach = |points: &HalfPoints| {
            points.0 <= pair.most.0 && points.0 % context.stream.state.rules().smallest_unit() == 0
        };
        let points = context.say.amount_typed(typed, Unit::HalfPoints).map(HalfPoints);
        if let Err(Unread::Ambiguous(readings)) = &points {
            return Err(context.say.which_of(readings));
        }
        match points.ok().filter(in_reach) {
            Some(points) => Ok(Settlement { payer, payee, points }),
            None => Err(context.say.with("sheet-settle-wrong", "most", &limit)),
        }
    });
    let nobody_pays = || (!typed.is_empty()).then(|| Err(context.say.get("sheet-settle-payer")));
    (group, settled.or_else(nobody_pays))
}

/// The form field for the winner between box and captain, which decides the next seats.
fn winner(context: &TableContext<'_>, chosen: Option<Side>, needed: bool) -> Group {
    let game = context.stream.state.game();
    let named = |player: Option<PlayerId>| player.map(|player| context.name(player)).unwrap_or_default();
    let choices = vec![
        Choice::new("box", named(game.map(|game| game.box_player)), chosen == Some(Side::Box)),
        Choice::new("team", named(game.map(|game| game.captain)), chosen == Some(Side::Team)),
    ];
    let mut field =
        Field::new("counts_for", context.say.get("sheet-settle-winner"), FieldKind::Pick(choices));
    if needed && chosen.is_none() {
        field.wrong = Some(context.say.get("sheet-choose"));
    }
    Group { hint: Some(context.say.get("sheet-settle-winner-why")), ..Group::new(field) }
}
