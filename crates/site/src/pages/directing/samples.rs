//! A lively desk for the previews: a tournament of 128 in full swing, with everything a page of the desk can
//! show.

use askama::Template;
use serde_json::{Value, json};
use uuid::Uuid;

use super::draw_by_hand::HandDraw;
use super::*;
use crate::directing::about::{AboutPage, SettingsPage};
use crate::directing::correction::{Chosen, CorrectionPage};
use crate::directing::division::DivisionPage;
use crate::directing::division_form::form_of;
use crate::directing::draw::DrawPage;
use crate::directing::effect::Effect;
use crate::directing::enter::EnterPage;
use crate::directing::entries::{EntriesPage, Listed, Looked, Typed};
use crate::directing::entry::{EntryPage, Leave};
use crate::directing::log::LogPage;
use crate::directing::money::MoneyPage;
use crate::directing::now::{MatchLists, NowPage};
use crate::directing::one_match::MatchPage;
use crate::directing::pasted::{PastedPage, Somebody};
use crate::directing::room::RoomPage;
use crate::form::Form;
use crate::pages::Frame;
use crate::pages::LivePage as _;
use crate::tournaments::samples::name;
use owlbox_base::journal::{Act, ActKind, Aggregate, Inputs};
use owlbox_base::permissions::Roles;
use owlbox_base::values::{AccountId, ActId, Currency};
use owlbox_desk::Dice;
use owlbox_desk::commands::acts::{self, ReadableLog};
use owlbox_desk::people::players::Candidate;
use owlbox_play::matches::MatchNo;
use owlbox_play::tournament::bracket::Later;
use owlbox_play::tournament::pasted::PastedList;
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
        page: acts::LogPage { acts, next: Some(40) },
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
        let mut page =
            EntryPage { t: context, frame, desk, division: main, of: of_main, number, entry, leaves: None };
        let after = leave.map(|leave| (leave, after(&context, &leave.command(main, number))));
        page.leaves = after.as_ref().map(|(leave, (after, touched))| {
            (*leave, Ok(Effect::of(&context, after, touched.clone(), page.records(*leave))))
        });
        page.whole()
    };
    let correction = |ended: Option<&str>, later| {
        let chosen = Chosen { ended: ended.map(ToOwned::to_owned), later };
        let (frame, desk) = (frame("desk-correct-title"), desk("/1/matches/1/correct"));
        let mut page = CorrectionPage::new(&context, frame, desk, played, chosen).unwrap();
        let command = page.correction().and_then(|correction| correction.command);
        let after = command.map(|command| (after(&context, &command), command));
        page.tried = after.as_ref().map(|((after, touched), command)| {
            Ok(Effect::of(&context, after, touched.clone(), page.records(command)))
        });
        page.whole()
    };
    let settings = form_of(t, &of_main.settings, context.state.currency());
    let shown_division = (&*of_main.settings, &settings);
    let (of_form, desk_of_form) = (frame("division-title"), desk("/1/settings"));
    let division = DivisionPage::new(&context, of_form, desk_of_form, Some(of_main), shown_division);
    let id = hall.state.id;
    let typed_about =
        [("name", "Open di Torino"), ("date", "2026-11-20"), ("lengths", "7"), ("currency", "EUR")];
    let typed_about = Form::filled(&typed_about);
    let currencies: Vec<Currency> = context.state.currency().into_iter().collect();
    let about = |changed: Option<&Tournament>, copied: Option<&Tournament>| {
        AboutPage {
            t: *t,
            frame: frame("about-new"),
            changed: changed.map(|state| (id, state)),
            copied: copied.map(|state| (id, state)),
            form: &typed_about,
            currencies: &currencies,
            logins: changed.map(|_| (AccountId(Uuid::from_u128(3)), "kim".to_owned())).into_iter().collect(),
        }
        .render()
    };
    let slots = [name(EntryNo(201)), String::new(), "nobody".to_owned(), name(EntryNo(201))].to_vec();
    let typed = HandDraw { slots, ..HandDraw::default() };
    let mistakes = draw_by_hand::slots(&context, DivisionNo(2), &typed).unwrap_err();
    let (of_hand, desk_of_hand) = (frame("desk-draw-by-hand"), desk("/2/draw/by-hand"));
    let by_hand =
        DrawByHandPage::new(context, of_hand, desk_of_hand, DivisionNo(2), &typed, &mistakes).unwrap();
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
    let settings =
        SettingsPage { t: context, frame: frame("desk-set-up"), desk: desk("/settings"), may_copy: true };
    let read = log(&hall);
    let log_page = LogPage { t: context, frame: frame("the-log"), desk: desk("/log"), log: &read };
    vec![
        ("desk", of(now(context, frame("desk"), desk("")).whole())),
        ("desk-match", of(one_match("/1/matches/2", ready).whole())),
        ("desk-match-over", of(one_match("/1/matches/1", played).whole())),
        ("desk-correct", of(correction(None, None))),
        ("desk-correct-which", of(correction(Some("played-lower-2"), None))),
        ("desk-correct-void", of(correction(Some("played-lower-2"), Some(Later::Void)))),
        ("desk-entries", of(entries.whole())),
        ("desk-pasted", of(pasted(&context, frame("desk-pasted-title"), desk("/1/entries")))),
        ("desk-entry", of(entry(None))),
        ("desk-entry-leaves", of(entry(Some(Leave::Disqualify)))),
        ("desk-draw", of(draw("/2/draw", DivisionNo(2)).whole())),
        ("desk-draw-by-hand", of(by_hand.whole())),
        ("desk-drawn", of(draw("/1/draw", main).whole())),
        ("desk-room", of(RoomPage { t: context, frame: frame("desk-room"), desk: desk("/room") }.whole())),
        ("desk-log", of(log_page.whole())),
        ("desk-money", of(money.whole())),
        ("desk-set-up", of(settings.whole())),
        ("desk-division", of(division.whole())),
        ("tournament-new", of(about(None, None))),
        ("tournament-copy", of(about(None, Some(&hall.state)))),
        ("tournament-edit", of(about(Some(&hall.state), None))),
        ("tournament-enter", of(enter.render())),
    ]
}

fn now(context: DirectorContext<'_>, frame: Frame, desk: Heading) -> NowPage<'_> {
    let room = context.state.queue(context.now);
    let lists = MatchLists::new(context.state, &room, context.now);
    NowPage::new(context, frame, desk, &room, lists, "")
}

/// A list of entrants of which everything is asked.
fn pasted(context: &DirectorContext<'_>, frame: Frame, desk: Heading) -> askama::Result<String> {
    let line = |entry: u32| format!("{}\tBackgammon-Verein Zürichsee\t1712.5", name(EntryNo(entry)));
    let text = format!("Name\tClub\tRating\n{}", [5, 3, 4, 5].map(line).join("\n"));
    let list = PastedList::read(&text, &[]);
    let candidate = Candidate { player: player(3), name: name(EntryNo(3)) };
    let people = [
        Somebody::New,
        Somebody::Known(player(3), name(EntryNo(3))),
        Somebody::Nearly(vec![candidate]),
        Somebody::Twice(2),
    ];
    let form = Form::filled(&[("names", &text)]);
    let number = DivisionNo(1);
    PastedPage { t: *context, frame, desk, number, form: &form, list: &list, people: &people }.whole()
}

/// The tournament of `context` after a command, and the matches that it changes.
fn after(context: &DirectorContext<'_>, command: &Command) -> (Tournament, Vec<MatchRef>) {
    let mut dice = Dice::seeded(1);
    let events = context.state.decide(command, &mut Inputs { now: context.now, chance: &mut dice }).unwrap();
    let mut after = context.state.clone();
    events.iter().for_each(|event| after.apply(event, context.now));
    let changes = events.iter().flat_map(Event::changes);
    (after, changes.map(|change| MatchRef { division: DivisionNo(1), number: change.number }).collect())
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
        refused: None,
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
