//! Lively tournaments for the previews and tests.

use std::collections::HashMap;

use askama::Template as _;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Card;
use super::bracket::{BracketPage, EmbeddedPage};
use super::cards::CardsPage;
use super::draw::DrawPage;
use super::entrant::EntrantPage;
use super::entries::{self, EntriesPage, Listed, ShownEntries};
use super::list::TournamentsPage;
use super::one_match::MatchPage;
use super::overview::TournamentPage;
use super::paper::{Paper, PrintPage};
use super::picture::Picture;
use super::places::{self, PlacesPage};
use super::report::Report;
use super::slips::SlipsPage;
use super::tables::TableQuery;
use super::view::{View, Zoom};
use super::wall::{self, WallPage};
use crate::pages::Frame;
use crate::say::{NOBODY, Names, Say};
use owlbox_base::journal::shared::{ShownStream, Viewer};
use owlbox_base::journal::{Aggregate as _, Inputs, Stream};
use owlbox_base::values::{PlayerId, Timestamp, TournamentId};
use owlbox_desk::people::players::PlayerOrigin;
use owlbox_desk::tournaments::{TournamentCards, TournamentScreen};
use owlbox_desk::{Dice, Rights};
use owlbox_locale::Locale;
use owlbox_play::matches::score::Length;
use owlbox_play::matches::{Ending, MatchNo, Outcome, Slot};
use owlbox_play::tournament::bracket::{
    Bracket, Consolation, EntryNo, Final, Format, Later, Pairing, Settling, Source,
};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::draw::{DrawEntrant, Seed, draw as draw_line};
use owlbox_play::tournament::room::{Call, DivisionNo, MatchRef, TableNo};
use owlbox_play::tournament::{Command, Tournament};

/// The division that samples show.
pub(crate) const MAIN: DivisionNo = DivisionNo(1);
pub(super) const ORIGIN: &str = "http://192.168.1.20:8080";

/// The name of an entry, sometimes a long one.
pub(crate) fn name(EntryNo(entry): EntryNo) -> String {
    let given =
        ["Ada", "Kim", "Lou", "Max", "Ida", "Giambattista", "Noor", "Eva", "Ugo", "Tim", "Zoë", "Ben", "Mia"];
    let family = [
        "Lovisetti",
        "Andersen",
        "Baudry",
        "Ferrero",
        "Conti",
        "Quaglia-Montefiore",
        "Rahimi",
        "Okafor",
        "Lund",
        "Petrov",
        "Sá",
    ];
    let at = entry as usize;
    let again = if at > 143 { format!(" {}", at / 143 + 1) } else { String::new() };
    format!("{} {}{again}", given[at % given.len()], family[at % family.len()])
}

/// A bracket with this many entrants.
pub(super) fn drawn(entrants: u32, format: Format) -> Bracket {
    Bracket::drawn(format, &line(entrants), &|_| false).unwrap()
}

/// The drawn first round with this many entrants.
pub(super) fn line(entrants: u32) -> Vec<Source> {
    let entries: Vec<DrawEntrant> = (1..=entrants)
        .map(|entry| DrawEntrant {
            entry: EntryNo(entry),
            seeded: (entry <= 2).then_some(entry),
            apart: None,
        })
        .collect();
    draw_line(&entries, Seed(2026))
}

/// The bracket after this many results, one of them a forfeit.
pub(super) fn played(mut bracket: Bracket, results: usize) -> Bracket {
    for step in 0..results {
        let Some((number, at)) = bracket.iter().find(|(_, at)| at.is_ready()) else { break };
        let winner = Slot::BOTH[usize::from((number.0 * 7 + 3) % 5 < 2)];
        let points = length(usize::from(at.flight), rounds_left(&bracket, at)).map_or(7, Length::points);
        let lost = u16::try_from(number.0 * 5 % 7).unwrap() % points;
        let score = if winner == Slot::Upper { [points, lost] } else { [lost, points] };
        let outcome = if step == 4 {
            Outcome { winner: Some(winner), ending: Ending::Forfeit, score: None }
        } else {
            Outcome { winner: Some(winner), ending: Ending::Played, score: Some(score) }
        };
        let mut settling = Settling::new(&bracket, Later::Void, &|_, _| false);
        settling.decide(number, Some(outcome));
        bracket = settling.settled().0;
    }
    bracket
}

fn rounds_left(bracket: &Bracket, at: &Pairing) -> usize {
    bracket.flights()[usize::from(at.flight)].rounds.len() - 1 - usize::from(at.round)
}

/// 11, 9 and 7 points in the main flight from the last round backwards, 5 points elsewhere.
fn length(flight: usize, left: usize) -> Option<Length> {
    let points = if flight == 0 { [11, 9, 7][left.min(2)] } else { 5 };
    Some(Length::try_from(points).unwrap())
}

/// The progressive consolation, and double elimination.
pub(super) const PROGRESSIVE: Format =
    Format { third_place: false, consolation: Consolation::Progressive, last: Final::SecondPlace };
pub(super) const DOUBLE: Format =
    Format { third_place: false, consolation: Consolation::ProgressiveWithFinalist, last: Final::Double };
pub(super) const PLAIN: Format =
    Format { third_place: true, consolation: Consolation::Nobody, last: Final::None };

pub(crate) fn player(entry: u32) -> PlayerId {
    PlayerId(Uuid::from_u128(entry.into()))
}

pub(super) fn at(minutes: i64) -> Timestamp {
    let start: chrono::DateTime<chrono::Utc> = "2026-11-20T18:00:00Z".parse().unwrap();
    (start + chrono::TimeDelta::minutes(minutes)).into()
}

/// A tournament that commands are given to.
pub(super) struct Played {
    pub state: Tournament,
    dice: Dice,
}

impl Played {
    /// A tournament with one division, in which as many have entered.
    pub fn new(entrants: u32, settings: &Value) -> Self {
        let mut played = Self { state: Tournament::default(), dice: Dice::seeded(1) };
        let mut about = json!({"name": "Turin Open 2026", "date": "2026-11-20", "starts": "19:30", "currency": "EUR", "public": true,
            "place": "Circolo dei Lettori, Torino", "entries_open": "2026-11-01T09:00:00Z"});
        about["prizes"] = json!("1st  half of the pool\n2nd  a quarter\nConsolation  a quarter");
        about["rules"] = json!("The usual.\n\nPhones stay in the pocket.");
        played.does(0, json!({"command": "open", "about": about}));
        played.does(0, json!({"command": "add_division", "settings": settings}));
        let entries: Vec<Value> = (1..=entrants).map(|entry| json!({"player": player(entry)})).collect();
        played.does(1, json!({"command": "enter", "entries": entries}));
        played
    }

    pub fn does(&mut self, minute: i64, command: Value) {
        let mut command: Command = serde_json::from_value(command).unwrap();
        if let Command::Open { tournament, .. } = &mut command {
            *tournament = TournamentId(Uuid::from_u128(1));
        }
        let now = at(minute);
        let events = self.state.decide(&command, &mut Inputs { now, chance: &mut self.dice }).unwrap();
        events.iter().for_each(|event| self.state.apply(event, now));
    }

    /// Who sits in a match.
    fn sit(&self, at: MatchRef) -> [EntryNo; 2] {
        self.state.match_at(at).unwrap().1.players().unwrap()
    }

    /// So many matches of the first division end, or all that can be played.
    fn ends(&mut self, most: usize) {
        for _ in 0..most {
            let of = self.state.division(MAIN).unwrap();
            let ready = of.bracket.iter().find(|(_, found)| found.is_ready());
            let Some((number, points)) = ready.map(|(number, found)| (number, of.length(found).points()))
            else {
                break;
            };
            let score =
                if number.0 % 3 == 0 { [number.0 % 3, points.into()] } else { [points.into(), number.0 % 5] };
            let ended = json!({"ending": "played", "score": score});
            self.does(60, json!({"command": "result", "match": number, "ended": ended}));
        }
    }

    /// What the desk answers of it.
    pub fn screen(self) -> TournamentScreen {
        let entries = self.state.divisions().flat_map(|(_, of)| of.entries());
        let players = entries.map(|(_, entry)| entry.player);
        let named = |player: PlayerId| (player, name(EntryNo(u32::try_from(player.0.as_u128()).unwrap())));
        let names = players.map(named).collect();
        let mut stream = Stream::<Tournament>::default();
        (stream.state, stream.version) = (self.state, 210);
        let id = TournamentId(Uuid::from_u128(1));
        TournamentScreen {
            id,
            stream: ShownStream::to(&Viewer::default(), &stream),
            principal: None,
            names,
            now: at(127),
        }
    }
}

/// How a division of a sample is played.
pub(super) fn settings() -> Value {
    json!({"name": "Championship", "lengths": [11, 9, 7], "consolation_lengths": [5], "re_entries": 1,
        "format": {"consolation": {"of": "progressive"}, "final": "second_place"},
        "fees": {"entry": 5000, "registration": 1000, "re_entry": 4000}, "kept": 1000,
        "side_pools": [{"name": "Calcutta", "stake": 2500}]})
}

/// A bracket in a division whose entries have names. A few of the matches that are ready have been called,
/// and most of those have begun.
pub(super) struct Sample {
    pub screen: TournamentScreen,
    pub of: Division,
}

impl Sample {
    pub fn new(bracket: &Bracket) -> Self {
        let drawn = bracket.iter().flat_map(|(_, at)| at.sources).filter_map(|source| match source {
            Source::Entry { entry } => Some(entry.0),
            _ => None,
        });
        let mut played = Played::new(drawn.max().unwrap_or(1), &settings());
        let seeded: Vec<u32> = (1..=drawn_of(&played).min(4)).collect();
        played.does(2, json!({"command": "seed", "entries": seeded}));
        let ready = bracket.iter().filter(|(_, at)| at.is_ready()).map(|(number, _)| number).take(4);
        for (number, (table, began)) in ready.zip([(3, true), (4, true), (12, false), (6, true)]) {
            let began_at = began.then(|| at(64));
            let call = Call { table: TableNo(table), called_at: at(60), began_at };
            played.state.room.calls.insert_mut(MatchRef { division: MAIN, number }, call);
        }
        let mut of = played.state.division(MAIN).unwrap().clone();
        of.bracket = bracket.clone();
        Self { screen: played.screen(), of }
    }

    pub fn slips<'a>(&'a self, t: &Locale, frame: Frame, ready: &'a [MatchNo]) -> SlipsPage<'a> {
        let (t, screen, of) = (self.say(t), &self.screen, &self.of);
        SlipsPage { t, frame, screen, division: MAIN, of, ready, more: false, origin: ORIGIN }
    }

    /// The rendered page of a view.
    pub fn page(&self, t: &Locale, frame: Frame, view: View) -> String {
        let bracket = self.picture(t, view).with_links();
        let (t, screen, of) = (self.say(t), &self.screen, &self.of);
        BracketPage { t, frame, screen, division: MAIN, of, bracket, found: None }.render().unwrap()
    }

    fn picture(&self, t: &Locale, view: View) -> Picture<'_> {
        Picture::new(self.say(t), &self.screen, MAIN, &self.of, view)
    }

    fn alone(&self, t: &Locale, frame: Frame) -> String {
        let bracket = self.picture(t, View::default());
        let (t, screen, of) = (self.say(t), &self.screen, &self.of);
        EmbeddedPage { t, frame, screen, division: MAIN, of, bracket }.render().unwrap()
    }

    fn printed(&self, t: &Locale, frame: Frame, flight: usize, paper: Paper) -> String {
        let (t, screen, of) = (self.say(t), &self.screen, &self.of);
        PrintPage { t, frame, screen, division: MAIN, of, flight, paper, from: 0 }.render().unwrap()
    }

    pub fn say(&self, t: &Locale) -> Say<'_> {
        say(t, &self.screen.names)
    }
}

fn drawn_of(played: &Played) -> u32 {
    u32::try_from(played.state.division(MAIN).unwrap().entered()).unwrap()
}

/// What is written for a stranger.
pub(crate) fn say<'a>(t: &Locale, names: &'a Names) -> Say<'a> {
    Say::new(*t, Rights::new(None, owlbox_base::permissions::Public::default()), names)
}

/// A tournament in full swing: a match is reported, a few are over, the second division is not drawn.
fn evening() -> Played {
    let mut played = Played::new(24, &settings());
    played.does(1, json!({"command": "add_division", "settings": {"name": "Beginners", "lengths": [5], "starts": "20:00"}}));
    let beginners: Vec<Value> = (31..=35).map(|entry| json!({"player": player(entry)})).collect();
    played.does(1, json!({"command": "enter", "division": 2, "entries": beginners}));
    played.does(2, json!({"command": "check_in", "division": 2, "entries": [1, 2, 4]}));
    played.does(2, json!({"command": "withdraw", "division": 2, "entry": 5}));
    played.does(2, json!({"command": "seed", "entries": [4, 2]}));
    played.does(5, json!({"command": "draw"}));
    let tables: Vec<Value> = (1..=12).map(|table| json!({"table": table})).collect();
    played.does(6, json!({"command": "set_tables", "tables": tables}));
    played.ends(3);
    played.does(62, json!({"command": "call_next", "matches": 4}));
    let playing = played.state.playing();
    for at in playing.iter().take(3) {
        played.does(64, json!({"command": "begin", "match": at.number}));
    }
    let [upper, lower] = played.sit(playing[0]);
    played
        .does(90, json!({"command": "report", "match": playing[0].number, "entry": upper, "score": [7, 3]}));
    played
        .does(91, json!({"command": "report", "match": playing[0].number, "entry": lower, "score": [3, 7]}));
    played
}

/// A tournament that is over, with its prizes given.
fn over() -> Played {
    let mut played = Played::new(6, &settings());
    played.does(5, json!({"command": "draw"}));
    played.ends(99);
    played.does(200, json!({"command": "award"}));
    played.does(201, json!({"command": "close"}));
    played
}

fn cancelled() -> Played {
    let mut played = Played::new(4, &settings());
    played.does(5, json!({"command": "cancel", "reason": "the roof leaks"}));
    played
}

/// What the desk answers of tournaments in a list.
fn listed(tournaments: Vec<Played>) -> TournamentCards {
    let mut cards = TournamentCards::default();
    for (number, played) in (1..).zip(tournaments) {
        let screen = played.screen();
        cards.tournaments.push((TournamentId(Uuid::from_u128(number)), screen.stream));
        cards.names.extend(screen.names);
    }
    cards
}

/// Tournaments that are not over: one in progress, one to come.
pub(crate) fn open() -> TournamentCards {
    listed(vec![evening(), Played::new(3, &settings())])
}

pub(crate) fn cards<'a>(t: &Locale, read: &'a TournamentCards) -> Vec<Card<'a>> {
    let card = |(id, stream): &'a (TournamentId, ShownStream<Tournament>)| {
        let (t, state, about) = (say(t, &read.names), &stream.state, stream.state.about().unwrap());
        Card { t, id: *id, about, state, is_today: stream.state.closed_at.is_none() }
    };
    read.tournaments.iter().map(card).collect()
}

fn list(t: &Locale, frame: Frame) -> String {
    let (open, past) = (open(), listed(vec![over(), cancelled()]));
    let next = Some("/tournaments?after=x".to_owned());
    let page = TournamentsPage {
        t: say(t, &NOBODY),
        frame,
        open: Some(cards(t, &open)),
        past: cards(t, &past),
        next,
    };
    page.render().unwrap()
}

fn tournament(t: &Locale, frame: Frame, screen: &TournamentScreen) -> String {
    let (t, about) = (say(t, &screen.names), screen.about().unwrap());
    TournamentPage { t, frame, screen, about, origin: ORIGIN }.render().unwrap()
}

fn entries(t: &Locale, frame: Frame, screen: &TournamentScreen, division: DivisionNo) -> String {
    let (t, of) = (say(t, &screen.names), screen.division(division).unwrap());
    let shown = of.entries().map(|(entry, _)| (t.entrant(of, &entry), entry)).collect();
    let listed = Listed { shown, more: true, from: origins(of) };
    let kind = ShownEntries::default();
    let asked = entries::asked(screen.id, division, &TableQuery::default(), kind);
    let page = EntriesPage { t, frame, screen, division, of, kind, asked, after: None, listed: &listed };
    page.render().unwrap()
}

/// Every third player comes from Lyon.
fn origins(of: &Division) -> HashMap<PlayerId, PlayerOrigin> {
    let lyon =
        || PlayerOrigin { club: Some("BG Lyon".to_owned()), country: Some("FR".to_owned()), active: true };
    of.entries().step_by(3).map(|(_, entry)| (entry.player, lyon())).collect()
}

fn places(t: &Locale, frame: Frame, screen: &TournamentScreen) -> String {
    let (t, of) = (say(t, &screen.names), screen.division(MAIN).unwrap());
    let (origins, prizes) = (&origins(of), of.prizes_view());
    let asked = places::asked(screen.id, MAIN, &TableQuery::default(), 0);
    let places = places::found(&t, of, 0, &asked, &prizes, origins);
    let division = MAIN;
    PlacesPage { t, frame, screen, division, of, flight: 0, asked, from: 0, places, prizes, origins }
        .render()
        .unwrap()
}

fn one_match(t: &Locale, frame: Frame, screen: &TournamentScreen, at: MatchRef) -> String {
    let (t, of) = (say(t, &screen.names), screen.division(at.division).unwrap());
    let (origins, found) = (origins(of), of.bracket.get(at.number).unwrap());
    let division = at.division;
    MatchPage { t, frame, screen, division, of, at, found, origins: &origins, sheet: None }.render().unwrap()
}

fn entrant(t: &Locale, frame: Frame, screen: &TournamentScreen, at: MatchRef) -> String {
    let (t, about) = (say(t, &screen.names), screen.about().unwrap());
    let of = screen.division(at.division).unwrap();
    let [entry, _] = of.bracket.get(at.number).unwrap().players().unwrap();
    let player = of.entry(entry).unwrap().player;
    let from =
        Some(PlayerOrigin { club: Some("BG Lyon".to_owned()), country: Some("FR".to_owned()), active: true });
    let report = Report::new(t, screen, at.division, entry);
    EntrantPage { t, frame, screen, about, player, from, link: Some("sample"), report }.render().unwrap()
}

fn draw(t: &Locale, frame: Frame, entrants: u32) -> String {
    let mut played = Played::new(entrants, &settings());
    played.does(2, json!({"command": "seed", "entries": [1, 2]}));
    played.does(5, json!({"command": "draw"}));
    let screen = played.screen();
    let (t, of) = (say(t, &screen.names), screen.division(MAIN).unwrap());
    let draw = of.draws.last().map(AsRef::as_ref);
    DrawPage { t, frame, screen: &screen, division: MAIN, of, nth: 1, draw, from: 0 }.render().unwrap()
}

fn slips(t: &Locale, frame: Frame, sample: &Sample) -> String {
    let bracket = &sample.of.bracket;
    let ready = bracket.iter().filter(|(_, at)| at.outcome.is_none()).map(|(number, _)| number).take(6);
    let ready: Vec<MatchNo> = ready.collect();
    sample.slips(t, frame, &ready).render().unwrap()
}

fn cards_of(t: &Locale, frame: Frame, sample: &Sample, count: u32) -> String {
    let card = |entry| {
        // As random as real tokens, so that the codes are as dense.
        let token = u128::from(entry).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C834 | 1);
        (EntryNo(entry), format!("{token:032x}{token:023x}"))
    };
    let cards: Vec<(EntryNo, String)> = (1..=count).map(card).collect();
    let (t, screen, of) = (sample.say(t), &sample.screen, &sample.of);
    CardsPage { t, frame, screen, of, cards: &cards, more: false, origin: ORIGIN }.render().unwrap()
}

fn wall(t: &Locale, frame: Frame, screen: &TournamentScreen, turn: usize) -> String {
    let shown = wall::Shown::new(screen.state(), turn).unwrap();
    let t = say(t, &screen.names);
    WallPage { t, frame, screen, shown: &shown, origin: ORIGIN }.render().unwrap()
}

/// Every page of a bracket, with its name.
fn brackets(t: &Locale, frame: &dyn Fn(&str) -> Frame) -> Vec<(&'static str, String)> {
    let small = Sample::new(&played(drawn(16, PROGRESSIVE), 17));
    let byes = Sample::new(&played(drawn(11, DOUBLE), 3));
    let large = Sample::new(&played(drawn(128, PROGRESSIVE), 90));
    let huge = Sample::new(&played(drawn(4096, PLAIN), 40));
    let view = View::default();
    let of = |flight, player: Option<u32>| View { flight, player: player.map(EntryNo), ..view };
    let far = View { zoom: Zoom::Far, player: Some(EntryNo(5)), ..view };
    let mut open = line(8);
    open[3] = Source::Open;
    let open = Sample::new(&Bracket::drawn(PLAIN, &open, &|_| false).unwrap());
    let first = huge.of.bracket.flights()[0].rounds[5].first;
    let in_section = View { section: Some(MatchNo(first.0 + 3)), ..view };
    let title = || frame("bracket");
    vec![
        ("bracket", small.page(t, title(), of(0, Some(5)))),
        ("bracket-consolation", small.page(t, title(), of(1, None))),
        ("bracket-byes", byes.page(t, title(), view)),
        ("bracket-open", open.page(t, title(), view)),
        ("bracket-none", Sample::new(&Bracket::default()).page(t, title(), view)),
        ("bracket-128", large.page(t, title(), view)),
        ("bracket-128-far", large.page(t, title(), far)),
        ("bracket-128-consolation", large.page(t, title(), of(1, Some(7)))),
        ("bracket-4096", huge.page(t, title(), view)),
        ("bracket-4096-section", huge.page(t, title(), in_section)),
        ("bracket-4096-player", huge.page(t, title(), of(0, Some(77)))),
        ("bracket-alone", small.alone(t, title())),
        ("bracket-print", small.printed(t, title(), 0, Paper::A4)),
        ("bracket-print-consolation", large.printed(t, title(), 1, Paper::A3)),
        ("bracket-print-128", large.printed(t, title(), 0, Paper::A4)),
    ]
}

/// Every page of a tournament, with its name.
pub(crate) fn pages(t: &Locale, frame: &dyn Fn(&str) -> Frame) -> Vec<(&'static str, String)> {
    let mut all = brackets(t, frame);
    let small = Sample::new(&played(drawn(16, PROGRESSIVE), 17));
    let large = Sample::new(&drawn(48, PLAIN));
    let (evening, over) = (evening().screen(), over().screen());
    let (playing, latest) = (evening.state().playing(), evening.state().latest(1));
    let waiting = evening.division(MAIN).unwrap().bracket.flights()[0].last().unwrap();
    let waiting = MatchRef { division: MAIN, number: waiting };
    all.extend([
        ("tournaments", list(t, frame("tab-tournaments"))),
        ("tournament", tournament(t, frame("tab-tournaments"), &evening)),
        ("tournament-over", tournament(t, frame("tab-tournaments"), &over)),
        ("tournament-cancelled", tournament(t, frame("tab-tournaments"), &cancelled().screen())),
        ("entries", entries(t, frame("entries"), &evening, DivisionNo(2))),
        ("places", places(t, frame("places"), &over)),
        ("places-open", places(t, frame("places"), &evening)),
        ("match", one_match(t, frame("match-done"), &evening, latest[0])),
        ("match-playing", one_match(t, frame("match-done"), &evening, playing[0])),
        ("match-waiting", one_match(t, frame("match-done"), &evening, waiting)),
        ("entrant", entrant(t, frame("entries"), &evening, playing[0])),
        ("draw", draw(t, frame("the-draw"), 11)),
        ("draw-128", draw(t, frame("the-draw"), 128)),
        ("slips", slips(t, frame("match-slips"), &small)),
        ("cards", cards_of(t, frame("entry-cards"), &small, 11)),
        ("cards-48", cards_of(t, frame("entry-cards"), &large, 48)),
        ("room", wall(t, frame("wall-matches"), &evening, 1)),
        ("room-bracket", wall(t, frame("wall-matches"), &evening, 2)),
        ("room-winners", wall(t, frame("wall-matches"), &over, 1)),
    ]);
    all
}
