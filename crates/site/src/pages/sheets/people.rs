//! Leaving and breaks, proxies, and players who were entered twice.

use super::{
    Draft, Field, FieldKind, Group, SheetChoices, SheetForm, SheetKind, Way, address, choices,
    choices_or_none,
};
use crate::pages::Choice;
use crate::pages::table::TableContext;
use owlbox_base::values::PlayerId;
use owlbox_chouette::{Command, Legal};

/// A player leaves or takes a break: who, and who decides for them if they are in the game.
pub(super) fn going(context: &TableContext<'_>, asked: &SheetChoices, kind: SheetKind) -> Option<Draft> {
    let mut ways: Vec<(PlayerId, Vec<PlayerId>)> = Vec::new();
    for legal in &context.legal {
        let (player, proxy) = match (kind, legal) {
            (SheetKind::Leave, Legal::Leave { player, proxy })
            | (SheetKind::Break, Legal::Break { player, proxy }) => (player, proxy),
            _ => continue,
        };
        ways.extend(player.iter().map(|player| (*player, proxy.clone())));
    }
    if ways.is_empty() {
        return None;
    }
    let everybody: Vec<PlayerId> = ways.iter().map(|(player, _)| *player).collect();
    let chosen = asked.player("player", &everybody);
    let mut draft = Draft { ways: people(context, kind, &everybody, chosen), ..Draft::default() };
    let Some((player, proxies)) = ways.into_iter().find(|(player, _)| Some(*player) == chosen) else {
        return Some(draft);
    };
    let proxy = asked.player("proxy", &proxies);
    if !proxies.is_empty() {
        draft.forms.push(deciding(context, player, choices(context, &proxies, proxy)));
        if proxy.is_none() {
            if asked.sent(DECIDING) {
                draft.mark(Some("proxy"), context.say.get("sheet-choose"));
            }
            return Some(draft);
        }
    }
    if let Some(proxy) = proxy {
        let names = [context.name(proxy), context.name(player)];
        draft.notes.push(context.say.fill("sheet-decides", &[("proxy", &names[0]), ("name", &names[1])]));
    } else if context.stream.state.game().is_some_and(|game| game.side_of(player).is_some()) {
        draft.notes.push(context.say.with("sheet-follows-captain", "name", context.name(player)));
    }
    draft.command = Some(match kind {
        SheetKind::Break => (
            Command::Break { player, proxy },
            context.say.with("sheet-break-say", "name", context.name(player)),
        ),
        SheetKind::Settle
        | SheetKind::Correct
        | SheetKind::Leave
        | SheetKind::Proxy
        | SheetKind::Split
        | SheetKind::Merge
        | SheetKind::Rules
        | SheetKind::Players
        | SheetKind::Order
        | SheetKind::Pay
        | SheetKind::Start => {
            (Command::Leave { player, proxy }, context.say.with("say-leaves", "name", context.name(player)))
        }
    });
    Some(draft)
}

const DECIDING: &str = "proxy";

/// One link for each of these players.
fn people(
    context: &TableContext<'_>,
    kind: SheetKind,
    players: &[PlayerId],
    chosen: Option<PlayerId>,
) -> Vec<Way> {
    let way = |player: &PlayerId| Way {
        label: context.name(*player),
        about: decided_by(context, *player),
        address: address(context, kind, &format!("player={player}")),
        chosen: chosen == Some(*player),
    };
    players.iter().map(way).collect()
}

/// The proxy who decides for a player now. Empty if they decide for themselves.
fn decided_by(context: &TableContext<'_>, player: PlayerId) -> String {
    let decides = context.stream.state.decides_for(player);
    if decides == player {
        return String::new();
    }
    context.say.with("sheet-proxy-now", "name", context.name(decides))
}

fn deciding(context: &TableContext<'_>, player: PlayerId, choices: Vec<Choice>) -> SheetForm {
    let label = context.say.with("sheet-who-decides", "name", context.name(player));
    SheetForm {
        name: DECIDING,
        kept: vec![("player", player.to_string())],
        groups: vec![Group::new(Field::new("proxy", label, FieldKind::Pick(choices)))],
        ..SheetForm::default()
    }
}

/// The proxy of a player: who decides for them from now on.
pub(super) fn proxy(context: &TableContext<'_>, asked: &SheetChoices) -> Option<Draft> {
    let named: Vec<(PlayerId, &Vec<PlayerId>, bool)> = context
        .legal
        .iter()
        .filter_map(|legal| {
            if let Legal::NameProxy { player, proxy, nobody } = legal {
                Some((*player, proxy, *nobody))
            } else {
                None
            }
        })
        .collect();
    if named.is_empty() {
        return None;
    }
    let everybody: Vec<PlayerId> = named.iter().map(|(player, ..)| *player).collect();
    let chosen = asked.player("player", &everybody);
    let mut draft = Draft { ways: people(context, SheetKind::Proxy, &everybody, chosen), ..Draft::default() };
    let Some((player, proxies, nobody)) = named.into_iter().find(|(player, ..)| Some(*player) == chosen)
    else {
        return Some(draft);
    };
    let proxy = asked.player("proxy", proxies);
    let alone = nobody && asked.text("proxy") == NO_PROXY;
    let mut offered = choices(context, proxies, proxy);
    if nobody {
        offered.push(Choice::new(
            NO_PROXY,
            context.say.with("sheet-decides-again", "name", context.name(player)),
            alone,
        ));
    }
    draft.forms.push(deciding(context, player, offered));
    if asked.sent(DECIDING) {
        match proxy {
            None if !alone => draft.mark(Some("proxy"), context.say.get("sheet-choose")),
            proxy => {
                let names = [context.name(proxy.unwrap_or(player)), context.name(player)];
                let message = match proxy {
                    Some(_) => {
                        context.say.fill("sheet-decides", &[("proxy", &names[0]), ("name", &names[1])])
                    }
                    None => context.say.with("sheet-decides-again", "name", &names[1]),
                };
                draft.command = Some((Command::NameProxy { player, proxy }, message));
            }
        }
    }
    Some(draft)
}

/// Stands in place of a proxy's id: the player decides for themselves again.
const NO_PROXY: &str = "nobody";

/// Two entries for the same player: which goes and which stays.
pub(super) fn entered_twice(context: &TableContext<'_>, asked: &SheetChoices) -> Option<Draft> {
    context.legal.contains(&Legal::MergePlayers {}).then_some(())?;
    let known: Vec<PlayerId> = context.stream.state.known().collect();
    let (duplicate, player) = (asked.player("duplicate", &known), asked.player("player", &known));
    let field = |name, key, chosen| {
        let choices = choices_or_none(context, &known, chosen);
        Group::new(Field::new(name, context.say.get(key), FieldKind::Select(choices)))
    };
    let groups = vec![
        field("duplicate", "sheet-players-duplicate", duplicate),
        field("player", "sheet-players-stays", player),
    ];
    let mut draft = Draft::default();
    draft.forms.push(SheetForm { name: "players", groups, ..SheetForm::default() });
    if !asked.sent("players") {
        return Some(draft);
    }
    match (duplicate, player) {
        (Some(duplicate), Some(player)) => {
            let names = [context.name(duplicate), context.name(player)];
            let message =
                context.say.fill("sheet-players-say", &[("duplicate", &names[0]), ("name", &names[1])]);
            draft.command = Some((Command::MergePlayers { duplicate, player }, message));
        }
        (None, _) => draft.mark(Some("duplicate"), context.say.get("sheet-choose")),
        (_, None) => draft.mark(Some("player"), context.say.get("sheet-choose")),
    }
    Some(draft)
}
