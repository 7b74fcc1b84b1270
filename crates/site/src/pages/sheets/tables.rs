//! Splitting a table, moving to another, and changing the house rules.

use super::{Draft, Field, FieldKind, Group, OfferedRules, SheetChoices, SheetForm};
use crate::pages::Choice;
use crate::pages::table::TableContext;
use crate::sentences::house_rules::{label, meaning};
use owlbox_base::code::Code;
use owlbox_base::values::{ChouetteId, PlayerId};
use owlbox_chouette::rules::catalogue::{self, Setting};
use owlbox_chouette::{Command, HouseRules, Legal};
use owlbox_locale::Locale;

/// Some players leave for a table of their own.
pub(super) fn split(context: &TableContext<'_>, asked: &SheetChoices) -> Option<Draft> {
    let proposed = context
        .legal
        .iter()
        .find_map(|legal| if let Legal::Split { players } = legal { Some(players) } else { None })?;
    let state = &context.stream.state;
    let here: Vec<PlayerId> =
        state.present().into_iter().filter(|player| !state.resting().contains(player)).collect();
    let sent = asked.sent("split");
    let ticked: Vec<&str> = asked.all("players").collect();
    let leaves = |player: &PlayerId| {
        if sent { ticked.contains(&player.to_string().as_str()) } else { proposed.contains(player) }
    };
    let choice = |player: &PlayerId| Choice::new(player.to_string(), context.name(*player), leaves(player));
    let called = if sent { asked.text("name").to_owned() } else { format!("{} 2", state.name()) };
    let groups = vec![
        Group {
            hint: Some(context.say.get("sheet-split-hint")),
            ..Group::new(Field::new(
                "players",
                context.say.get("sheet-split-who"),
                FieldKind::Tick(here.iter().map(choice).collect()),
            ))
        },
        Group::new(Field::new(
            "name",
            context.say.get("sheet-split-name"),
            FieldKind::Typed(called.clone(), "text"),
        )),
    ];
    let mut draft = Draft::default();
    draft.forms.push(SheetForm { name: "split", groups, ..SheetForm::default() });
    if sent {
        let players: Vec<PlayerId> = here.into_iter().filter(|player| leaves(player)).collect();
        let (bare, wrong_name) = (players.len() < 3, called.is_empty());
        let names: Vec<String> = players.iter().map(|player| context.name(*player)).collect();
        let message =
            context.say.fill("sheet-split-say", &[("names", &context.say.list(&names)), ("table", &called)]);
        if bare {
            draft.mark(Some("players"), context.say.get("sheet-split-few"));
        } else if wrong_name {
            draft.mark(Some("name"), context.say.error(Code::InvalidName));
        } else {
            draft.command = Some((Command::Split { players, table: None, name: called }, message));
        }
    }
    Some(draft)
}

/// Everybody moves to another table.
pub(super) fn merge(context: &TableContext<'_>, asked: &SheetChoices, tables: &[Choice]) -> Option<Draft> {
    context.legal.contains(&Legal::MergeInto {}).then_some(())?;
    let mut draft = Draft::default();
    if tables.is_empty() {
        draft.wrong = Some(context.say.get("sheet-merge-none"));
        return Some(draft);
    }
    let named = asked.text("table");
    let choice = |table: &Choice| Choice { chosen: table.value == named, ..table.clone() };
    let choices: Vec<Choice> = tables.iter().map(choice).collect();
    let field = Field::new("table", context.say.get("sheet-merge-table"), FieldKind::Pick(choices));
    draft.forms.push(SheetForm { name: "merge", groups: vec![Group::new(field)], ..SheetForm::default() });
    if asked.sent("merge") {
        let chosen = tables.iter().find(|table| table.value == named);
        let id = chosen.and_then(|table| Some((table, table.value.parse().ok().map(ChouetteId)?)));
        match id {
            Some((table, id)) => {
                draft.notes.push(context.say.get("sheet-merge-closes"));
                let message = context.say.with("sheet-merge-say", "table", &table.label);
                draft.command = Some((Command::MergeInto { table: id }, message));
            }
            None => draft.mark(Some("table"), context.say.get("sheet-choose")),
        }
    }
    Some(draft)
}

/// A change of house rules: to one of the club's sets, or one that comes with the program.
pub(super) fn rules(
    context: &TableContext<'_>,
    asked: &SheetChoices,
    sets: &[OfferedRules],
) -> Option<Draft> {
    context.legal.contains(&Legal::ChangeRules {}).then_some(())?;
    let now = context.stream.state.rules();
    let named = asked.text("set");
    let chosen = |set: &OfferedRules| if named.is_empty() { set.rules == *now } else { set.name == named };
    let choices = sets.iter().map(|set| Choice::new(&set.name, &set.shown, chosen(set))).collect();
    let field = Field::new("set", context.say.get("sheet-rules-set"), FieldKind::Pick(choices));
    let mut draft = Draft::default();
    draft.forms.push(SheetForm { name: "rules", groups: vec![Group::new(field)], ..SheetForm::default() });
    if asked.sent("rules") {
        match sets.iter().find(|set| set.name == named) {
            Some(set) if set.rules == *now => draft.mark(Some("set"), context.say.get("sheet-rules-same")),
            Some(set) => {
                draft.notes = differences(&context.say, now, &set.rules);
                draft.notes.push(context.say.get("sheet-rules-next"));
                let message = context.say.with("sheet-rules-say", "set", &set.shown);
                draft.command = Some((Command::ChangeRules { rules: set.rules.clone() }, message));
            }
            None => draft.mark(Some("set"), context.say.get("sheet-choose")),
        }
    }
    Some(draft)
}

/// One line for each setting that changes, with its old and its new value.
fn differences(t: &Locale, now: &HouseRules, then: &HouseRules) -> Vec<String> {
    let line = |setting: &Setting| {
        let meaning = |rules| meaning(t, setting, &catalogue::value(rules, setting.key));
        format!("{}: {} → {}", label(t, setting), meaning(now), meaning(then))
    };
    catalogue::differences(now, then).into_iter().map(line).collect()
}
