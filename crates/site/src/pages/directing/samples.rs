//! A lively desk for the previews: a tournament of 128 in full swing, with everything a page of the desk can
//! show.

use crate::pages::button::Button;
use askama::Template;
use serde_json::{Value, json};
use uuid::Uuid;

use super::about::{AboutFields, AboutPage, DivisionFields, DivisionPage, SettingsPage, formats};
use super::correction::{Chosen, Preview};
use super::draw_by_hand::HandDraw;
use super::pasted::{PastedColumn, PastedLine};
use super::*;
use crate::directing::draw::DrawPage;
use crate::directing::enter::EnterPage;
use crate::directing::entries::{EntriesPage, Listed, Looked, Typed};
use crate::directing::entry::{EntryPage, Leave};
use crate::directing::money::MoneyPage;
use crate::directing::now::{MatchLists, NowPage};
use crate::directing::one_match::MatchPage;
use crate::directing::room::RoomPage;
use crate::pages::LivePage as _;
use crate::pages::bracket::samples::name;
use crate::pages::{Choice, Frame};
use owlbox_base::journal::{Act, ActKind, Aggregate, Inputs};
use owlbox_base::permissions::Roles;
use owlbox_base::values::{AccountId, ActId};
use owlbox_desk::Dice;
use owlbox_desk::commands::acts::{LogPage, ReadableLog};
use owlbox_play::matches::MatchNo;
use owlbox_play::tournament::bracket::Later;
use owlbox_play::tournament::{Command, Event};

const PLAYERS: u32 = 128;

fn at(minutes: i64) -> Timestamp {
    let start: chrono::DateTime<chrono::Utc> = "2026-11-20T09:00:00Z".parse().unwrap();
    (start + chrono::TimeDelta::minutes(minutes)).into()
}

fn player(entry: u32) -> PlayerId {
    PlayerId(Uuid::from_u128(u128::from(entry)))
}

struct Hall {
    state: Tournament,
    last: Vec<Event>,
    acts: Vec<Act<Event>>,
    dice: Dice,
}

impl Hall {
    fn does(&mut self, minute: i64, command: Value) {
        let mut command: Command = serde_json::from_value(command).unwrap();
        if let Command::Open { tournament, .. } = &mut command {
            *tournament = TournamentId(Uuid::from_u128(77));
        }
        let now = at(minute);
        let events = self.state.decide(&command, &mut Inputs { now, chance: &mut self.dice }).unwrap();
        events.iter().for_each(|event| self.state.apply(event, now));
        let number = self.acts.len() as u128 + 1;
        let by = AccountId(Uuid::from_u128(number % 2));
        let (id, version) = (ActId(Uuid::from_u128(number)), i64::try_from(number).unwrap());
        self.acts.push(Act { id, version, at: now, by, kind: ActKind::Events(events.clone()) });
        self.last = events;
    }
}

/// A tournament in which the end of the first round is still in progress, and the second has begun.
fn hall() -> Hall {
    let mut hall =
        Hall { state: Tournament::default(), last: Vec::new(), acts: Vec::new(), dice: Dice::seeded(1) };
    let about = json!({"name": "Open di Torino", "date": "2026-11-20", "place": "Circolo dei lettori", "currency": "EUR", "public": true,
        "entries_open": "2026-11-01T09:00:00Z"});
    hall.does(0, json!({"command": "open", "about": about}));
    hall.does(0, json!({"command": "add_division", "settings": {"name": "Championship", "format": {"consolation": {"of": "progressive"}},
        "lengths": [13, 11, 9, 7], "fees": {"entry": 5000, "registration": 1000}, "kept": 500, "re_entries": 1,
        "side_pools": [{"name": "Winner’s pot", "stake": 2500}]}}));
    hall.does(0, json!({"command": "add_division", "settings": {"name": "Beginners", "lengths": [5]}}));
    let entries: Vec<Value> = (1..=PLAYERS).map(|entry| json!({"player": player(entry)})).collect();
    hall.does(1, json!({"command": "enter", "entries": entries}));
    let seen: Vec<u32> = (1..=PLAYERS).filter(|entry| entry % 9 != 0).collect();
    hall.does(2, json!({"command": "check_in", "entries": seen}));
    hall.does(2, json!({"command": "seed", "entries": [4, 2]}));
    let beginners: Vec<Value> = (1..=5).map(|entry| json!({"player": player(entry + 200)})).collect();
    hall.does(3, json!({"command": "enter", "division": 2, "entries": beginners}));
    hall.does(5, json!({"command": "draw"}));
    let tables: Vec<Value> = (1..=24)
        .map(|table| json!({"table": table, "for": match table { 23 => "reserved", 24 => "closed", _ => "open" }}))
        .collect();
    hall.does(6, json!({"command": "set_tables", "tables": tables}));
    let ready = |hall: &Hall| -> Vec<u32> { hall.state.waiting().map(|at| at.number.0).take(20).collect() };
    for number in ready(&hall) {
        hall.does(7, json!({"command": "call", "match": number}));
        hall.does(9, json!({"command": "begin", "match": number}));
        let score = if number % 3 == 0 { [3, 7] } else { [7, number % 7] };
        hall.does(
            60,
            json!({"command": "result", "match": number, "ended": {"ending": "played", "score": score}}),
        );
    }
    hall.does(62, json!({"command": "call_next", "matches": 18}));
    let playing: Vec<u32> = hall.state.playing().iter().map(|at| at.number.0).collect();
    for number in playing.iter().take(12) {
        hall.does(64, json!({"command": "begin", "match": number}));
    }
    for (place, number) in playing.iter().take(2).enumerate() {
        let sits = hall
            .state
            .division(DivisionNo(1))
            .unwrap()
            .bracket
            .get(MatchNo(*number))
            .unwrap()
            .players()
            .unwrap();
        let says = |entry: u32, score: [u16; 2]| json!({"command": "report", "match": number, "entry": entry, "score": score});
        hall.does(110, says(sits[0].0, [7, 4]));
        if place == 0 {
            hall.does(111, says(sits[1].0, [4, 7]));
        }
    }
    let later = hall.state.waiting().last().unwrap();
    hall.does(112, json!({"command": "postpone", "match": later.number.0, "until": at(180)}));
    let paid = player(7);
    hall.does(113, json!({"command": "pay_in", "player": paid, "amount": 6000}));
    hall.does(
        114,
        json!({"command": "result", "match": playing[3], "ended": {"ending": "walkover", "winner": "upper"}}),
    );
    hall
}

/// The end of the log: the newest act but one was undone.
fn log(hall: &Hall) -> ReadableLog<Tournament> {
    let mut acts: Vec<_> = hall.acts.iter().rev().take(20).cloned().collect();
    let (undone, by) = (acts[1].id, acts[0].by);
    let (id, version, at) = (ActId(Uuid::from_u128(999)), acts[0].version + 1, at(115));
    acts.insert(1, Act { id, version, at, by, kind: ActKind::Undo(vec![undone]) });
    let events = acts[2].events().to_vec();
    ReadableLog {
        page: LogPage { acts, next: Some(40) },
        undone: [undone].into(),
        named: [(undone, events)].into(),
        people: [(by, "Ada".to_owned())].into(),
    }
}

/// Every page of the desk, with its name.
pub(crate) fn pages(t: &Locale, frame: &dyn Fn(&str) -> Frame) -> Vec<(&'static str, String)> {
    let hall = hall();
    let names: BTreeMap<PlayerId, String> =
        (1..=PLAYERS + 300).map(|entry| (player(entry), name(EntryNo(entry)))).collect();
    let director =
        Principal { account: AccountId(Uuid::from_u128(2)), player: None, roles: Roles::ALL, link: None };
    let context = DirectorContext {
        t,
        id: hall.state.id,
        state: &hall.state,
        version: 321,
        names: &names,
        now: at(135),
        viewer: Some(&director),
    };
    let last = UndoableAct { act: ActId(Uuid::from_u128(5)), events: hall.last.clone() };
    let desk = |here: &str| Heading::new(&context, here, Some(&last), None);
    let main = DivisionNo(1);
    let played = MatchRef { division: main, number: MatchNo(1) };
    let ready = context.state.playing()[1];
    let of = |page: askama::Result<String>| page.unwrap();
    let of_main = context.state.division(main).unwrap();
    let looked = Looked::default();
    let shown: Vec<EntryNo> = of_main
        .entries()
        .filter(|(_, entry)| looked.which.has(context.state, entry))
        .map(|(number, _)| number)
        .collect();
    let (all, known) = (shown.len(), vec!["Ada <Lovisetti>".to_owned()]);
    let entries = EntriesPage {
        t: context,
        frame: frame("desk-entries"),
        desk: desk("/1/entries"),
        number: main,
        of: of_main,
        looked: &looked,
        listed: &Listed { shown, page: 0, all, known },
        typed: Typed::Nothing,
    };
    let entry = |leave: Option<Leave>| {
        let (frame, desk, number) = (frame("desk-entries"), desk("/1/entries/3"), EntryNo(3));
        let entry = of_main.entry(number).unwrap();
        let preview = |leave: Leave| preview(&context, &leave.command(main, number), "/1/entries/3");
        let leaves = leave.map(|leave| (leave, Ok(preview(leave))));
        EntryPage { t: context, frame, desk, division: main, of: of_main, number, entry, leaves }
    };
    let correction = |ended: Option<&str>, later| {
        let chosen = Chosen { ended: ended.map(ToOwned::to_owned), later };
        let here = "/1/matches/1/correct";
        let mut page =
            CorrectionPage::new(&context, frame("desk-correct-title"), desk(here), played, &chosen).unwrap();
        page.preview = chosen
            .correction(context.state, played)
            .and_then(|correction| correction.command)
            .map(|command| preview(&context, &command, here));
        page
    };
    let settings = (*hall.state.division(main).unwrap().settings).clone();
    let division = DivisionPage {
        t: *t,
        frame: frame("division-title"),
        desk: desk("/1/settings"),
        button: Button::new(t.get("about-save"), &()).then(""),
        action: context.address("/1/settings"),
        fields: DivisionFields::new(t, &settings, context.state.currency()),
        currency: Some("EUR".to_owned()),
        amounts: Some(own_prizes::Amounts::new(
            t,
            context.state.division(main),
            &settings,
            "EUR".parse().unwrap(),
        )),
        drawn: false,
        wrong: "",
    };
    let about = |name: Option<&str>| AboutPage {
        t: *t,
        frame: frame("about-new"),
        name: name.map(ToOwned::to_owned),
        action: "/tournaments".to_owned(),
        back: "/".to_owned(),
        key: "key".to_owned(),
        seen: String::new(),
        fields: AboutFields {
            name: "Open di Torino".to_owned(),
            date: "2026-11-20".to_owned(),
            lengths: "7".to_owned(),
            ..AboutFields::default()
        },
        currencies: vec![Choice::new("EUR", "EUR", true)],
        directors: name.map(|_| vec![Choice::new("x", "kim", true)]).unwrap_or_default(),
        formats: if name.is_some() { Vec::new() } else { formats(t, settings.format) },
        copied: None,
        wrong: "",
    };
    let slots = [name(EntryNo(201)), String::new(), "nobody".to_owned(), name(EntryNo(201))].to_vec();
    let typed = HandDraw { slots, ..HandDraw::default() };
    let mistakes = draw_by_hand::slots(&context, DivisionNo(2), &typed).unwrap_err();
    let (of_hand, desk_of_hand) = (frame("desk-draw-by-hand"), desk("/2/draw/by-hand"));
    let by_hand =
        DrawByHandPage::new(context, of_hand, desk_of_hand, DivisionNo(2), &typed, &mistakes).unwrap();
    let links = vec![Link::new("/", t.get("about-change")), Link::new("/", t.get("desk-add-division"))];
    let one_match = |here: &str, at: MatchRef| {
        let (frame, desk, acts) = (frame("desk-result"), desk(here), context.state.match_acts(at));
        let found = of_main.bracket.get(at.number).unwrap();
        MatchPage { t: context, frame, desk, at, of: of_main, found, acts }
    };
    let draw = |here: &str, number: DivisionNo| {
        let of = context.state.division(number).unwrap();
        DrawPage { t: context, frame: frame("the-draw"), desk: desk(here), number, of }
    };
    let (about_it, viewer) = (context.state.about().unwrap(), Some(player(500)));
    let enter = EnterPage { t: context, frame: frame("enter-title"), about: about_it, player: viewer };
    let currency = context.state.currency().unwrap();
    let money = MoneyPage { t: context, frame: frame("desk-money"), desk: desk("/money"), currency };
    let cancel = about::Cancel::new(&context);
    vec![
        ("desk", of(now(context, frame("desk"), desk("")).whole())),
        ("desk-match", of(one_match("/1/matches/2", ready).whole())),
        ("desk-match-over", of(one_match("/1/matches/1", played).whole())),
        ("desk-correct", of(correction(None, None).whole())),
        ("desk-correct-which", of(correction(Some("played-lower-2"), None).whole())),
        ("desk-correct-void", of(correction(Some("played-lower-2"), Some(Later::Void)).whole())),
        ("desk-entries", of(entries.whole())),
        ("desk-pasted", of(pasted(&context, frame("desk-pasted-title"), desk("/1/entries")).whole())),
        ("desk-entry", of(entry(None).whole())),
        ("desk-entry-leaves", of(entry(Some(Leave::Disqualify)).whole())),
        ("desk-draw", of(draw("/2/draw", DivisionNo(2)).whole())),
        ("desk-draw-by-hand", of(by_hand.whole())),
        ("desk-drawn", of(draw("/1/draw", main).whole())),
        ("desk-room", of(RoomPage { t: context, frame: frame("desk-room"), desk: desk("/room") }.whole())),
        ("desk-log", of(DeskLogPage::new(&context, frame("the-log"), desk("/log"), &log(&hall)).whole())),
        ("desk-money", of(money.whole())),
        (
            "desk-set-up",
            of(SettingsPage { t: *t, frame: frame("desk-set-up"), desk: desk("/settings"), links, cancel }
                .whole()),
        ),
        ("desk-division", of(division.whole())),
        ("tournament-new", of(about(None).render())),
        (
            "tournament-copy",
            of(AboutPage {
                formats: Vec::new(),
                copied: Some(about::Copied::new(t, hall.state.id, &hall.state)),
                ..about(None)
            }
            .render()),
        ),
        ("tournament-edit", of(about(Some("Open di Torino")).render())),
        ("tournament-enter", of(enter.render())),
    ]
}

fn now(context: DirectorContext<'_>, frame: Frame, desk: Heading) -> NowPage<'_> {
    let room = context.state.queue(context.now);
    let lists = MatchLists::new(context.state, &room, context.now);
    NowPage::new(context, frame, desk, &room, lists, "")
}

/// A list of entrants of which everything has been asked.
fn pasted(context: &DirectorContext<'_>, frame: Frame, desk: Heading) -> PastedPage {
    let t = context.t;
    let column = |key: &str| PastedColumn {
        holds: t.get(key),
        choices: vec![
            Choice::new("name", t.get(key), true),
            Choice::new("club", t.get("desk-column-club"), false),
        ],
    };
    let choices = vec![
        Choice::new("1", name(EntryNo(3)), false),
        Choice::new("new", t.with("meant-new", "name", name(EntryNo(4))), true),
    ];
    let said = |is_new| Who::Said {
        words: name(EntryNo(5)),
        field: "who".to_owned(),
        value: "5".to_owned(),
        is_new,
    };
    let who = [
        said(true),
        said(false),
        Who::Asked { field: "who-3".to_owned(), choices },
        Who::LeftOut(t.with("desk-pasted-twice", "line", 2)),
    ];
    let line = |(number, who): (usize, Who)| PastedLine {
        number,
        cells: vec![name(EntryNo(5)), "Backgammon-Verein Zürichsee".to_owned(), "1712.5".to_owned()],
        who,
    };
    PastedPage {
        columns: ["desk-column-name", "desk-column-club", "desk-column-rating"].map(column).into(),
        lines: (2..).zip(who).map(line).collect(),
        text: "Nr\tName".to_owned(),
        keeps_details: true,
        ..PastedPage::new(*t, frame, desk)
    }
}

/// The effect of a command on the tournament of `context`.
fn preview(context: &DirectorContext<'_>, command: &Command, here: &str) -> Preview {
    let mut dice = Dice::seeded(1);
    let events = context.state.decide(command, &mut Inputs { now: context.now, chance: &mut dice }).unwrap();
    let mut after = context.state.clone();
    events.iter().for_each(|event| after.apply(event, context.now));
    let touched: Vec<MatchRef> = events
        .iter()
        .flat_map(|event| {
            event.changes().iter().map(|change| MatchRef { division: DivisionNo(1), number: change.number })
        })
        .collect();
    let button =
        Button::new(context.t.with("record", "what", "…"), command).then(context.address(here)).main();
    Preview::new(context, &after, &touched, button, context.version)
}

/// The live part of a desk page is small: all of the work, and nothing around it.
#[test]
fn the_live_part_of_a_desk_is_the_work_with_the_undo_and_nothing_around_it() {
    let t = Locale::new(owlbox_locale::Language::English, chrono_tz::UTC);
    let hall = hall();
    let names: BTreeMap<PlayerId, String> =
        (1..=PLAYERS + 300).map(|entry| (player(entry), name(EntryNo(entry)))).collect();
    let context = DirectorContext {
        t: &t,
        id: hall.state.id,
        state: &hall.state,
        version: 9,
        names: &names,
        now: at(135),
        viewer: None,
    };
    let frame = Frame {
        club: String::new(),
        title: String::new(),
        tab: None,
        viewer: None,
        csrf: "csrf-token".to_owned(),
        here: "/".to_owned(),
        notice: None,
    };
    let page = now(context, frame, Heading::new(&context, "", None, None));
    let live = page.part().unwrap();
    assert!(
        live.trim_start().starts_with("<div id=\"table\"")
            && !live.contains("<nav")
            && live.contains("id=\"undo-bar\"")
    );
    assert!(!live.contains("method=\"post\""), "who may nothing has nothing to press");
    assert!(page.whole().unwrap().contains(live.trim()));
}
