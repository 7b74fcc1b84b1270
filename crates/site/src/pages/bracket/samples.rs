//! Lively brackets for the previews and tests.

use askama::Template;

use super::*;
use crate::pages::around::PageLink;
use crate::tournaments::samples::name;
use owlbox_play::matches::{Ending, Outcome, Slot};
use owlbox_play::tournament::bracket::{Consolation, Final, Format, Later, Pairing, Settling, Source};
use owlbox_play::tournament::draw::{Drawn, Seed, draw};

/// A bracket with this many entrants.
pub(crate) fn drawn(entrants: u32, format: Format) -> Bracket {
    Bracket::drawn(format, &line(entrants), &|_| false).unwrap()
}

/// The drawn first round with this many entrants.
pub(crate) fn line(entrants: u32) -> Vec<Source> {
    let entries: Vec<Drawn> = (1..=entrants)
        .map(|entry| Drawn { entry: EntryNo(entry), seeded: (entry <= 2).then_some(entry), apart: None })
        .collect();
    draw(&entries, Seed(2026))
}

/// The bracket after this many results, one of them a forfeit.
pub(crate) fn played(mut bracket: Bracket, results: usize) -> Bracket {
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

/// Everything the pages need to know about a sample bracket.
pub(super) fn known<R>(bracket: &Bracket, then: impl FnOnce(&BracketLookup<'_>) -> R) -> R {
    let of_round = |flight: usize, round: usize| {
        length(flight, bracket.flights().get(flight)?.rounds.len().checked_sub(round + 1)?)
    };
    let ready: Vec<MatchNo> =
        bracket.iter().filter(|(_, at)| at.is_ready()).map(|(number, _)| number).collect();
    let going = |number: MatchNo| match ready.iter().position(|ready| *ready == number) {
        Some(place @ (0 | 1 | 3)) => {
            let score = Some([u16::try_from(place).unwrap() + 2, 4]);
            Going::Playing { table: Some((place + 3).to_string()), score }
        }
        Some(2) => Going::Called { table: "12".to_owned() },
        _ => Going::Nothing,
    };
    let link = |number: MatchNo| Some(format!("/matches/{}", number.0));
    then(&BracketLookup {
        bracket,
        name: &name,
        seed: &|EntryNo(entry)| (entry <= 4).then_some(entry),
        length: &of_round,
        going: &going,
        link: &link,
    })
}

/// The progressive consolation, and double elimination.
pub(crate) const PROGRESSIVE: Format =
    Format { third_place: false, consolation: Consolation::Progressive, last: Final::SecondPlace };
pub(crate) const DOUBLE: Format =
    Format { third_place: false, consolation: Consolation::ProgressiveWithFinalist, last: Final::Double };
pub(crate) const PLAIN: Format =
    Format { third_place: true, consolation: Consolation::Nobody, last: Final::None };

const EVENT: &str = "Turin Open 2026";

/// The navigation between the pages of a division.
pub(crate) fn around(t: &Locale, here: &str) -> Around {
    let link =
        |key: &str| PageLink { label: t.get(key), link: "/tournaments/1/1".to_owned(), here: key == here };
    Around {
        tournament: EVENT.to_owned(),
        home: "/tournaments/1".to_owned(),
        division: Some("Championship".to_owned()),
        links: ["page-bracket", "page-draw", "page-entries", "page-places"].map(link).to_vec(),
    }
}

/// The rendered page of a view of a bracket.
pub(super) fn page(t: &Locale, frame: Frame, bracket: &Bracket, view: View) -> String {
    let bracket = known(bracket, |known| BracketShown::new(t, known, view));
    let page = BracketPage {
        t: *t,
        frame,
        around: around(t, "page-bracket"),
        title: "Championship".to_owned(),
        game: None,
        found: None,
        bracket,
        embed: Some("/tournaments/1#embed-1".to_owned()),
        print: Some("/tournaments/1/bracket/print".to_owned()),
    };
    page.render().unwrap()
}

fn bare(title: &str, next: Option<(u16, String)>) -> Bare {
    Bare { title: title.to_owned(), club: "Circolo Backgammon Torino".to_owned(), next }
}

fn printed(t: &Locale, frame: Frame, bracket: &Bracket, flight: usize, paper: Paper) -> String {
    let (sheets, next) = known(bracket, |known| PaperSheet::of_flight(t, known, flight, 0));
    let sizes =
        Paper::ALL.map(|size| (size.code().to_uppercase(), format!("?paper={}", size.code()), size == paper));
    let page = PrintedBracket {
        t: *t,
        frame,
        event: EVENT.to_owned(),
        home: "/tournaments/1/bracket".to_owned(),
        paper,
        papers: sizes.to_vec(),
        sheets,
        next: next.map(|from| format!("?from={from}")),
    };
    page.render().unwrap()
}

fn room(t: &Locale, bracket: &Bracket, nth: usize) -> String {
    let line = |at: usize| RoomLine {
        table: (at + 1).to_string(),
        names: [at * 2, at * 2 + 5].map(|entry| name(EntryNo(u32::try_from(entry).unwrap()))),
        length: Some(t.with("match-to", "points", 7)),
        game: (at == 4).then(|| "Nackgammon".to_owned()),
        began: at % 3 != 2,
        score: (at % 3 != 2).then_some([3, u16::try_from(at % 7).unwrap()]),
    };
    let lines: Vec<RoomLine> = (0..14).map(line).collect();
    let turns = Planned::turns(bracket, lines.len());
    let turn = known(bracket, |known| turns[nth].turn(t, known, &lines));
    let next = format!("?turn={}", nth + 2);
    let page = RoomPage {
        t: *t,
        bare: bare(EVENT, Some((12, next))),
        event: EVENT.to_owned(),
        now: "2026-11-20T20:07:00Z".parse::<chrono::DateTime<chrono::Utc>>().unwrap().into(),
        turn,
        place: (nth + 1, turns.len()),
        picture: Some(crate::pages::qr_code("http://192.168.1.20:8080/t/turin-open-2026")),
    };
    page.render().unwrap()
}

/// Every page of a bracket, with its name.
pub(crate) fn pages(t: &Locale, frame: &dyn Fn(&str) -> Frame) -> Vec<(&'static str, String)> {
    let small = played(drawn(16, PROGRESSIVE), 17);
    let byes = played(drawn(11, DOUBLE), 3);
    let large = played(drawn(128, PROGRESSIVE), 90);
    let huge = played(drawn(4096, PLAIN), 40);
    let view = View::default();
    let of = |flight, player: Option<u32>| View { flight, player: player.map(EntryNo), ..view };
    let far = View { zoom: Zoom::Far, player: Some(EntryNo(5)), ..view };
    let mut open = line(8);
    open[3] = Source::Open;
    let open = Bracket::drawn(PLAIN, &open, &|_| false).unwrap();
    let alone = BracketAlone {
        t: *t,
        bare: bare(&t.get("bracket"), None),
        event: EVENT.to_owned(),
        home: "/tournaments/1/bracket".to_owned(),
        bracket: known(&small, |known| BracketShown::new(t, known, view)),
    };
    let first = huge.flights()[0].rounds[5].first;
    let in_section = View { section: Some(MatchNo(first.0 + 3)), ..view };
    vec![
        ("bracket", page(t, frame("bracket"), &small, of(0, Some(5)))),
        ("bracket-consolation", page(t, frame("bracket"), &small, of(1, None))),
        ("bracket-byes", page(t, frame("bracket"), &byes, view)),
        ("bracket-open", page(t, frame("bracket"), &open, view)),
        ("bracket-none", page(t, frame("bracket"), &Bracket::default(), view)),
        ("bracket-128", page(t, frame("bracket"), &large, view)),
        ("bracket-128-far", page(t, frame("bracket"), &large, far)),
        ("bracket-128-consolation", page(t, frame("bracket"), &large, of(1, Some(7)))),
        ("bracket-4096", page(t, frame("bracket"), &huge, view)),
        ("bracket-4096-section", page(t, frame("bracket"), &huge, in_section)),
        ("bracket-4096-player", page(t, frame("bracket"), &huge, of(0, Some(77)))),
        ("bracket-alone", alone.render().unwrap()),
        ("bracket-print", printed(t, frame("bracket"), &small, 0, Paper::A4)),
        ("bracket-print-consolation", printed(t, frame("bracket"), &large, 1, Paper::A3)),
        ("bracket-print-128", printed(t, frame("bracket"), &large, 0, Paper::A4)),
        ("room", room(t, &small, 0)),
        ("room-bracket", room(t, &small, 2)),
    ]
}
