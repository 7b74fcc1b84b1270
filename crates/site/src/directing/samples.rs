//! A lively desk for the previews: a tournament of 128 in full swing, with everything a page of the desk can
//! show.

use askama::Template as _;
use serde_json::{Value, json};
use uuid::Uuid;

use super::about::{AboutPage, SettingsPage};
use super::correction::{Chosen, CorrectionPage};
use super::division::DivisionPage;
use super::division_form::form_of;
use super::draw::DrawPage;
use super::draw_by_hand::{self, DrawByHandPage, HandDraw};
use super::effect::Effect;
use super::enter::EnterPage;
use super::entries::{EntriesPage, Listed, Looked};
use super::entry::{EntryPage, Leave};
use super::frame::{DeskFrame, act_address};
use super::log::LogPage;
use super::money::MoneyPage;
use super::now::{MatchLists, NowPage};
use super::one_match::MatchPage;
use super::pasted::{ListedPerson, PastedPage};
use super::room::RoomPage;
use crate::form::Form;
use crate::pages::Frame;
use crate::pages::LivePage as _;
use crate::refused::RefusedForm;
use crate::say::{NOBODY, Say};
use crate::sentences::tournament::TournamentSentences;
use crate::tournaments::samples::{MAIN, name, player};
use owlbox_base::journal::shared::ShownStream;
use owlbox_base::journal::{Act, ActKind, Aggregate as _, Inputs, Stream};
use owlbox_base::permissions::{Public, Roles};
use owlbox_base::values::{AccountId, ActId, Currency, Timestamp, TournamentId};
use owlbox_desk::commands::acts::{self, ReadableLog};
use owlbox_desk::people::players::Candidate;
use owlbox_desk::tournaments::scope::viewer;
use owlbox_desk::tournaments::{DirectorScreen, TournamentScreen, UndoableAct};
use owlbox_desk::{Dice, Principal, Rights};
use owlbox_locale::Locale;
use owlbox_play::matches::MatchNo;
use owlbox_play::tournament::bracket::{EntryNo, Later};
use owlbox_play::tournament::pasted::PastedList;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::{Command, Event, Tournament};

const PLAYERS: u32 = 128;

fn at(minutes: i64) -> Timestamp {
    let start: chrono::DateTime<chrono::Utc> = "2026-11-20T09:00:00Z".parse().unwrap();
    (start + chrono::TimeDelta::minutes(minutes)).into()
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
        let (_, found) = hall.state.match_at(MatchRef { division: MAIN, number: MatchNo(*number) }).unwrap();
        let sits = found.players().unwrap();
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

/// What the desk answers of it to this viewer.
fn screen(hall: &Hall, principal: Option<Principal>) -> DirectorScreen {
    let mut stream = Stream::<Tournament>::default();
    (stream.state, stream.version) = (hall.state.clone(), 321);
    let named = |entry| (player(entry), name(EntryNo(entry)));
    let (id, names) = (hall.state.id, (1..=PLAYERS + 300).map(named).collect());
    let undo = UndoableAct { act: ActId(Uuid::from_u128(5)), events: hall.last.clone() };
    let stream = ShownStream::to(&viewer(principal.as_ref(), &hall.state), &stream);
    DirectorScreen {
        tournament: TournamentScreen { id, stream, principal, names, now: at(135) },
        undo: principal.map(|_| undo),
        redo: None,
    }
}

/// What its pages are made from: their words, and the frame and what is around the work of the page with this
/// title, at this address below the desk.
#[derive(Clone, Copy)]
struct Sample<'a> {
    t: TournamentSentences<'a>,
    screen: &'a DirectorScreen,
    frame: &'a dyn Fn(&str) -> Frame,
}

impl<'a> Sample<'a> {
    fn of(&self, title: &str, below: &str) -> (TournamentSentences<'a>, Frame, DeskFrame<'a>) {
        (self.t, (self.frame)(title), DeskFrame::new(self.t, self.screen, below))
    }

    fn now(&self) -> NowPage<'a> {
        let ((t, frame, desk), screen) = (self.of("desk", ""), self.screen);
        let room = screen.state().queue(screen.now);
        let lists = MatchLists::new(screen.state(), &room, screen.now);
        NowPage::new(t, frame, screen, desk, &room, lists, "")
    }

    fn one_match(&self, below: &str, at: MatchRef) -> askama::Result<String> {
        let ((t, frame, desk), screen) = (self.of("desk-result", below), self.screen);
        let (of, found) = screen.state().match_at(at).unwrap();
        MatchPage { t, frame, screen, desk, at, of, found, acts: screen.state().match_acts(at) }.whole()
    }

    fn correction(&self, ended: Option<&str>, later: Option<Later>) -> askama::Result<String> {
        let ((t, frame, desk), screen) = (self.of("desk-correct-title", "/1/matches/1/correct"), self.screen);
        let at = MatchRef { division: MAIN, number: MatchNo(1) };
        let chosen = Chosen { ended: ended.map(ToOwned::to_owned), later };
        let command = chosen.correction(screen.state(), at).and_then(|correction| correction.command);
        let after = command.map(|command| after(screen, &command));
        let tried = after.as_ref().map(|(after, touched)| Ok(Effect::of(t, after, touched.clone())));
        CorrectionPage::new(t, frame, screen, desk, at, (chosen, true), tried).unwrap().whole()
    }

    fn entries(&self) -> askama::Result<String> {
        let ((t, frame, desk), screen) = (self.of("desk-entries", "/1/entries"), self.screen);
        let (of, looked) = (screen.division(MAIN).unwrap(), Looked::default());
        let shown = of.entries().filter(|(_, entry)| looked.which.has(screen.state(), entry));
        let shown: Vec<EntryNo> = shown.map(|(number, _)| number).collect();
        let (all, known) = (shown.len(), vec!["Ada <Lovisetti>".to_owned()]);
        let listed = Listed { shown, page: 0, all, known };
        EntriesPage { t, frame, screen, desk, division: MAIN, of, looked: &looked, listed: &listed }.whole()
    }

    fn entry(&self, leave: Option<Leave>) -> askama::Result<String> {
        let ((t, frame, desk), screen) = (self.of("desk-entries", "/1/entries/3"), self.screen);
        let (of, entry_number) = (screen.division(MAIN).unwrap(), EntryNo(3));
        let entry = of.entry(entry_number).unwrap();
        let after = leave.map(|leave| (leave, after(screen, &leave.command(MAIN, entry_number))));
        let leaves = after.as_ref();
        let leaves =
            leaves.map(|(leave, (after, touched))| (*leave, Ok(Effect::of(t, after, touched.clone()))));
        EntryPage { t, frame, screen, desk, division: MAIN, of, entry_number, entry, leaves }.whole()
    }

    /// A list of entrants of which everything is asked.
    fn pasted(&self) -> askama::Result<String> {
        let ((t, frame, desk), screen) = (self.of("desk-pasted-title", "/1/entries"), self.screen);
        let line = |entry: u32| format!("{}\tBackgammon-Verein Zürichsee\t1712.5", name(EntryNo(entry)));
        let text = format!("Name\tClub\tRating\n{}", [5, 3, 4, 5].map(line).join("\n"));
        let list = PastedList::read(&text, &[]);
        let candidate = Candidate { player: player(3), name: name(EntryNo(3)) };
        let people = [
            ListedPerson::New,
            ListedPerson::Known(player(3), name(EntryNo(3))),
            ListedPerson::Nearly(vec![candidate]),
            ListedPerson::Twice(2),
        ];
        let form = Form::filled(&[("names", &text)]);
        let (list, people) = (&list, &people);
        PastedPage { t, frame, screen, desk, division: MAIN, form: &form, list, people }.whole()
    }

    fn draw(&self, below: &str, division: DivisionNo) -> askama::Result<String> {
        let ((t, frame, desk), screen) = (self.of("the-draw", below), self.screen);
        DrawPage { t, frame, screen, desk, division, of: screen.division(division).unwrap() }.whole()
    }

    fn draw_by_hand(&self) -> askama::Result<String> {
        let ((t, frame, desk), screen) = (self.of("desk-draw-by-hand", "/2/draw/by-hand"), self.screen);
        let division = DivisionNo(2);
        let slots = [name(EntryNo(201)), String::new(), "nobody".to_owned(), name(EntryNo(201))].to_vec();
        let typed = HandDraw { slots, ..HandDraw::default() };
        let mistakes = draw_by_hand::slots(&t, division, &typed).unwrap_err();
        DrawByHandPage::new(t, frame, screen, desk, division, (&typed, &mistakes)).unwrap().whole()
    }

    fn room(&self) -> askama::Result<String> {
        let ((t, frame, desk), screen) = (self.of("desk-room", "/room"), self.screen);
        RoomPage { t, frame, screen, desk }.whole()
    }

    fn log(&self, log: &ReadableLog<Tournament>) -> askama::Result<String> {
        let ((t, frame, desk), screen) = (self.of("the-log", "/log"), self.screen);
        LogPage { t, frame, screen, desk, log }.whole()
    }

    fn money(&self) -> askama::Result<String> {
        let ((t, frame, desk), screen) = (self.of("desk-money", "/money"), self.screen);
        MoneyPage { t, frame, screen, desk, currency: screen.state().currency().unwrap() }.whole()
    }

    fn settings(&self) -> askama::Result<String> {
        let ((t, frame, desk), screen) = (self.of("desk-set-up", "/settings"), self.screen);
        SettingsPage { t, frame, screen, desk }.whole()
    }

    fn division(&self) -> askama::Result<String> {
        let ((t, frame, desk), screen) = (self.of("division-title", "/1/settings"), self.screen);
        let of = screen.division(MAIN).unwrap();
        let (desk, form) = (desk.still(), form_of(&t, &of.settings, screen.state().currency()));
        let (before, form) = (&*of.settings, &form);
        DivisionPage { t, frame, screen, desk, of: Some(of), before, form, wrong: "" }.whole()
    }

    fn about(&self, is_changed: bool, is_copied: bool) -> askama::Result<String> {
        let screen = self.screen;
        let typed =
            [("name", "Open di Torino"), ("date", "2026-11-20"), ("lengths", "7"), ("currency", "EUR")];
        let currencies: Vec<Currency> = screen.state().currency().into_iter().collect();
        let login = (AccountId(Uuid::from_u128(3)), "kim".to_owned());
        AboutPage {
            t: self.t.with_names(&NOBODY),
            frame: (self.frame)("about-new"),
            changed: is_changed.then_some(&screen.tournament),
            copied: is_copied.then_some((screen.id, screen.state())),
            form: &Form::filled(&typed),
            currencies: &currencies,
            logins: is_changed.then_some(login).into_iter().collect(),
        }
        .render()
    }

    fn enter(&self) -> askama::Result<String> {
        let (frame, screen) = ((self.frame)("enter-title"), self.screen);
        EnterPage { t: self.t, frame, screen, about: screen.about().unwrap() }.render()
    }
}

const TABLES: [(&str, &str); 5] = [
    ("command", "set_tables"),
    ("tables:object", ""),
    ("tables[open]", "1-8"),
    ("tables[reserved]", "9-1"),
    ("tables[closed]", ""),
];
const PAYMENT: [(&str, &str); 2] = [("choice", "command=pay_in"), ("amount", "ten")];

/// Every page of the desk, with its name.
pub(crate) fn pages(t: &Locale, frame: &dyn Fn(&str) -> Frame) -> Vec<(&'static str, String)> {
    let (locale, hall, viewer) = (*t, hall(), player(500));
    let account = AccountId(Uuid::from_u128(2));
    let director = Principal::of_login(account, Some(viewer), Roles::ALL);
    let screen = screen(&hall, Some(director));
    let say = Say::new(*t, Rights::new(screen.principal, Public::default()), &screen.names);
    let t = TournamentSentences::new(say, screen.state());
    let sample = Sample { t, screen: &screen, frame };
    let action = |page: &str| act_address(screen.id, page);
    let room = RefusedForm::sample(locale, &action("/room"), &TABLES, "tables[reserved]");
    let money = RefusedForm::sample(locale, &action("/money"), &PAYMENT, "amount");
    let about = RefusedForm::sample(locale, "/tournaments", &[("entries_open", "never")], "entries_open");
    let of_room = |title: &str| Frame { refused: Some(room.clone()), ..frame(title) };
    let of_money = |title: &str| Frame { refused: Some(money.clone()), ..frame(title) };
    let of_about = |title: &str| Frame { refused: Some(about.clone()), ..frame(title) };
    let ready = screen.state().playing()[1];
    let played = MatchRef { division: MAIN, number: MatchNo(1) };
    let pages = [
        ("desk", sample.now().whole()),
        ("desk-match", sample.one_match("/1/matches/2", ready)),
        ("desk-match-over", sample.one_match("/1/matches/1", played)),
        ("desk-correct", sample.correction(None, None)),
        ("desk-correct-which", sample.correction(Some("played-lower-2"), None)),
        ("desk-correct-void", sample.correction(Some("played-lower-2"), Some(Later::Void))),
        ("desk-entries", sample.entries()),
        ("desk-pasted", sample.pasted()),
        ("desk-entry", sample.entry(None)),
        ("desk-entry-leaves", sample.entry(Some(Leave::Disqualify))),
        ("desk-draw", sample.draw("/2/draw", DivisionNo(2))),
        ("desk-draw-by-hand", sample.draw_by_hand()),
        ("desk-drawn", sample.draw("/1/draw", MAIN)),
        ("desk-room", sample.room()),
        ("desk-log", sample.log(&log(&hall))),
        ("desk-money", sample.money()),
        ("desk-set-up", sample.settings()),
        ("desk-division", sample.division()),
        ("tournament-new", sample.about(false, false)),
        ("tournament-copy", sample.about(false, true)),
        ("tournament-edit", sample.about(true, false)),
        ("tournament-enter", sample.enter()),
        ("desk-room-refused", Sample { frame: &of_room, ..sample }.room()),
        ("tournament-new-refused", Sample { frame: &of_about, ..sample }.about(false, false)),
        ("desk-money-refused", Sample { frame: &of_money, ..sample }.money()),
    ];
    let pages = pages.map(|(name, page)| (name, page.unwrap()));
    for (name, page) in pages.iter().filter(|(name, _)| name.ends_with("-refused")) {
        let (before, _) = page.split_once("id=\"wrong-field\"").expect(name);
        // What is wrong is not folded away.
        let fold = before.rsplit("<details").next().filter(|fold| !fold.contains("</details>"));
        assert!(fold.is_none_or(|fold| fold.split('>').next().unwrap().contains("open")), "{name}");
    }
    pages.into()
}

/// The tournament after a command, and the matches that it changes.
fn after(screen: &DirectorScreen, command: &Command) -> (Tournament, Vec<MatchRef>) {
    let (state, now, mut dice) = (screen.state(), screen.now, Dice::seeded(1));
    let events = state.decide(command, &mut Inputs { now, chance: &mut dice }).unwrap();
    let mut after = state.clone();
    events.iter().for_each(|event| after.apply(event, now));
    let changes = events.iter().flat_map(Event::changes);
    (after, changes.map(|change| MatchRef { division: MAIN, number: change.number }).collect())
}

/// The live part of a desk page is small: all of the work, and nothing around it.
#[test]
fn the_live_part_of_a_desk_is_the_work_with_the_undo_and_nothing_around_it() {
    let locale = Locale::new(owlbox_locale::Language::English, chrono_tz::UTC);
    let screen = screen(&hall(), None);
    let t =
        TournamentSentences::new(crate::tournaments::samples::say(&locale, &screen.names), screen.state());
    let frame = |_: &str| crate::pages::samples::frame(&locale, "desk", None);
    let page = Sample { t, screen: &screen, frame: &frame }.now();
    let live = page.part().unwrap();
    assert!(
        live.trim_start().starts_with("<div id=\"table\"")
            && !live.contains("<nav")
            && live.contains("id=\"undo-bar\"")
    );
    assert!(!live.contains("method=\"post\""), "who may nothing has nothing to press");
    assert!(page.whole().unwrap().contains(live.trim()));
}

#[test]
fn prizes_that_do_not_add_up_are_marked_at_the_first_amount() {
    let locale = Locale::new(owlbox_locale::Language::English, chrono_tz::UTC);
    let pages = pages(&locale, &|title| crate::pages::samples::frame(&locale, title, None));
    let (_, money) = pages.iter().find(|(name, _)| *name == "desk-money").unwrap();
    let names = money.split(" name=\"").filter_map(|rest| rest.split('"').next());
    let sent: Vec<_> = names.filter(|name| name.starts_with("awards")).map(|name| (name, "1")).collect();
    assert_eq!(Form::filled(&sent).name_at("awards", false), "awards[0][amount]");
}
