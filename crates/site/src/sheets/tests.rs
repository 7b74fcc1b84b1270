//! Sheets are found by their names, say what is wrong at its field, and give their command once they are
//! whole.

use serde_json::{Value, json};
use strum::VariantArray as _;
use uuid::Uuid;

use super::*;
use crate::table::blocks::watched;
use owlbox_base::journal::{Aggregate as _, Inputs, Stream};
use owlbox_base::permissions::{Public, Roles};
use owlbox_base::values::AccountId;
use owlbox_chouette::rules::preset::{Preset, presets};
use owlbox_desk::{Dice, Rights};
use owlbox_locale::Language;

#[test]
fn every_sheet_has_a_name_of_its_own_by_which_it_is_found() {
    let t = Locale::new(Language::English, chrono_tz::UTC);
    for kind in SheetKind::VARIANTS {
        assert_eq!(kind.name().parse(), Ok(*kind));
        // A text that is not there panics.
        assert_ne!(kind.title(&t), kind.lead(&t));
    }
    assert!("act".parse::<SheetKind>().is_err());
    assert!("finish".parse::<SheetKind>().is_err(), "the end of a game has a sheet of its own");
}

#[test]
fn what_is_wrong_is_said_at_the_field_or_above_all() {
    let sent = Form::filled(&[("form", "settle"), ("payer", ""), ("amount.1.2", "7"), ("amount.1.3", "")]);
    assert_eq!(SheetKind::Settle.field(&sent, Some("amount")), "amount.1.2");
    assert_eq!(SheetKind::Settle.field(&sent, Some("pay")), "", "no such field");
    assert_eq!(SheetKind::Settle.field(&sent, None), "");
    let chosen = Form::filled(&[("form", "proxy"), ("player", "1"), ("proxy", "2")]);
    assert_eq!(SheetKind::Leave.field(&chosen, Some("player")), "", "a link chose the player");
    assert_eq!(SheetKind::Leave.field(&chosen, Some("proxy")), "proxy");
    assert_eq!(SheetKind::Players.field(&chosen, Some("player")), "player");
}

fn player(number: u128) -> PlayerId {
    PlayerId(Uuid::from_u128(number + 1))
}

/// `P2` in place of each player's id.
fn named(text: &str) -> String {
    (0..5).fold(text.to_owned(), |text, number| {
        text.replace(&player(number).to_string(), &format!("P{number}"))
    })
}

/// The other way round.
fn with_ids(text: &str) -> String {
    (0..5).fold(text.to_owned(), |text, number| {
        text.replace(&format!("P{number}"), &player(number).to_string())
    })
}

/// A table at which five sit under these house rules, after these commands.
fn screen(rules: &Value, commands: &[Value]) -> TableScreen {
    let stake = json!({"amount": 500, "currency": "EUR"});
    let open =
        json!({"command": "open", "name": "Table", "night": "2026-11-20", "stake": stake, "rules": rules});
    let joins = (0..5).map(|number| json!({"command": "join", "player": player(number)}));
    let now = chrono::DateTime::UNIX_EPOCH.into();
    let (mut state, mut version, mut dice) = (Chouette::initial(), 0, Dice::seeded(0));
    for command in std::iter::once(open).chain(joins).chain(commands.iter().cloned()) {
        let command: Command = serde_json::from_str(&with_ids(&command.to_string())).unwrap();
        for event in state.decide(&command, &mut Inputs { now, chance: &mut dice }).unwrap() {
            state.apply(&event, now);
        }
        version += 1;
    }
    let mut stream = Stream::<Chouette>::default();
    (stream.state, stream.version) = (state, version);
    let names = (0..5).map(|number| (player(number), format!("P{number}"))).collect();
    TableScreen { legal: stream.state.legal(), ..watched(stream, None, names) }
}

fn ready(preset: &'static Preset) -> RuleSet<'static> {
    RuleSet { name: &preset.key, is_preset: true, rules: &preset.rules }
}

/// The sheet of a director, filled in so.
fn page<'a>(screen: &'a TableScreen, kind: SheetKind, query: &str) -> SheetPage<'a> {
    let principal = Principal::of_login(AccountId(Uuid::nil()), None, Roles::ALL);
    let t = Locale::new(Language::English, chrono_tz::UTC);
    let say = Say::new(t, Rights::new(Some(principal), Public::default()), &screen.names);
    let mut page = SheetPage {
        t: say,
        frame: Frame::default(),
        screen,
        kind,
        legal: screen.legal.iter().filter(|legal| kind.is_about(legal)).collect(),
        form: Form::of_query(&with_ids(query)),
        others: vec![(ChouetteId(Uuid::from_u128(9)), Arc::new(Stream::clone(&screen.stream)))],
        rule_sets: presets().iter().map(ready).collect(),
        wrong: Wrong::new(),
        tried: None,
    };
    page.wrong = page.filled().and_then(Result::err).unwrap_or_default();
    page
}

/// What the sheet gives, filled in so: its command, or what is wrong with which field.
fn given(screen: &TableScreen, kind: SheetKind, query: &str) -> Value {
    let page = page(screen, kind, query);
    let html = page.render().unwrap();
    for (field, why) in &page.wrong {
        let place = if field.is_empty() { String::new() } else { format!(" id=\"{field}-wrong\"") };
        assert!(html.contains(&format!("{place} role=\"alert\">{why}</p>")), "{kind:?} {query}: {html}");
    }
    let given = match page.filled() {
        Some(Ok(act)) => serde_json::to_value(&act.command).unwrap(),
        Some(Err(wrong)) => json!(wrong),
        None => Value::Null,
    };
    serde_json::from_str(&named(&given.to_string())).unwrap()
}

/// Each form as it is sent, and the command; or what is wrong, and where.
#[test]
fn a_sheet_gives_its_command_once_it_is_whole_and_says_where_it_is_wrong() {
    let start = json!({"command": "start_game", "refereed": false});
    let order = json!({"command": "set_order", "line": ["P0", "P1", "P2", "P3", "P4"]});
    let finish = json!({"command": "finish", "winner": "team", "win": "gammon"});
    let by_hand = json!({"order": {"dice": "by_hand"}, "stakes": "lower_of_two"});
    let own_start = json!({"order": {"dice": "by_hand"}, "stakes": "own_start"});
    let gathered = screen(&by_hand, &[]);
    let seated = screen(&by_hand, std::slice::from_ref(&order));
    let starting = screen(&own_start, std::slice::from_ref(&order));
    let playing = screen(&by_hand, &[order.clone(), start.clone()]);
    let played = screen(&by_hand, &[order, start, finish]);
    let choose = "Please choose.";
    let other = Uuid::from_u128(9);
    for (at, kind, query, gives) in [
        (&gathered, SheetKind::Order, "", json!(null)),
        (
            &gathered,
            SheetKind::Order,
            "form=order&line.1=P1&line.2=P0&line.3=P4&line.4=P3&line.5=P2",
            json!({"command": "set_order", "line": ["P1", "P0", "P4", "P3", "P2"]}),
        ),
        (
            &gathered,
            SheetKind::Order,
            "form=order&line.1=P1&line.2=P1",
            json!({"line.2": "Sits further up already."}),
        ),
        (&gathered, SheetKind::Order, "form=order&line.1=P1", json!({"line.2": choose})),
        (&seated, SheetKind::Order, "form=stake&units=2", json!({"player": choose})),
        (
            &seated,
            SheetKind::Order,
            "form=stake&player=P1&units=2",
            json!({"command": "set_stake", "player": "P1", "units": 2}),
        ),
        (&starting, SheetKind::Order, "form=start&player=P2", json!({"value": choose})),
        (
            &starting,
            SheetKind::Order,
            "form=start&player=P2&value=2",
            json!({"command": "set_start", "player": "P2", "value": 2}),
        ),
        (&seated, SheetKind::Leave, "player=P1", json!({"command": "leave", "player": "P1", "proxy": null})),
        (&playing, SheetKind::Leave, "player=P1", json!(null)),
        (&playing, SheetKind::Break, "player=P1&form=proxy", json!({"proxy": choose})),
        (
            &playing,
            SheetKind::Break,
            "player=P1&proxy=P2",
            json!({"command": "break", "player": "P1", "proxy": "P2"}),
        ),
        (&playing, SheetKind::Proxy, "player=P1&proxy=P2", json!(null)),
        (
            &playing,
            SheetKind::Proxy,
            "player=P1&form=proxy&proxy=P2",
            json!({"command": "name_proxy", "player": "P1", "proxy": "P2"}),
        ),
        (
            &seated,
            SheetKind::Split,
            "form=split&players=P1&name=New",
            json!({"players": "Fewer than three are ticked."}),
        ),
        (&seated, SheetKind::Merge, "form=merge&table=1", json!({"table": choose})),
        (
            &seated,
            SheetKind::Merge,
            &format!("form=merge&table={other}"),
            json!({"command": "merge_into", "table": other}),
        ),
        (&seated, SheetKind::Rules, "form=rules", json!({"set": choose})),
        (&seated, SheetKind::Players, "form=players&player=P1", json!({"duplicate": choose})),
        (
            &seated,
            SheetKind::Players,
            "form=players&duplicate=P1&player=P2",
            json!({"command": "merge_players", "duplicate": "P1", "player": "P2"}),
        ),
        (
            &seated,
            SheetKind::Pay,
            "form=pay&payer=P1&payee=P1&amount=2",
            json!({"payee": "Choose somebody else."}),
        ),
        (
            &seated,
            SheetKind::Pay,
            "form=pay&payer=P1&payee=P2&amount=2.50",
            json!({"command": "pay", "payer": "P1", "payee": "P2", "amount": 250}),
        ),
        (&seated, SheetKind::Start, "form=start&refereed=yes", json!({"variant": choose})),
        (
            &seated,
            SheetKind::Start,
            "form=start&variant=standard",
            json!({"command": "start_game", "refereed": false, "variant": "standard"}),
        ),
        (&playing, SheetKind::Settle, "form=settle", json!({"": "Choose who pays in at least one bet."})),
        (
            &playing,
            SheetKind::Settle,
            "form=settle&pays.P0.P1=P0&amount.P0.P1=1&amount.P0.P2=2",
            json!({"amount.P0.P2": "Say who pays that, or leave it empty.", "counts_for": choose}),
        ),
        (
            &playing,
            SheetKind::Settle,
            "form=settle&pays.P0.P1=P0&amount.P0.P1=1&counts_for=box",
            json!({
                "command": "settle",
                "bets": [{"payer": "P0", "payee": "P1", "points": 2}],
                "counts_for": "box",
            }),
        ),
        (&played, SheetKind::Correct, "game=1", json!(null)),
        (
            &played,
            SheetKind::Correct,
            "game=1&form=correct&winner=team&win=gammon",
            json!({"": "Nothing is different yet."}),
        ),
        (
            &played,
            SheetKind::Correct,
            "game=1&form=correct&win=single&cube.1=2&turned.1=yes",
            json!({
                "command": "correct",
                "game": 1,
                "winner": null,
                "win": "single",
                "bets": [{"bet": 1, "cube": 2, "turned": true, "ended": null}],
            }),
        ),
    ] {
        assert_eq!(given(at, kind, query), gives, "{kind:?} {query}");
    }
}
