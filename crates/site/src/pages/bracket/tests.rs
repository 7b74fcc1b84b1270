//! Tests of the bracket's pages.

use super::samples::{DOUBLE, PLAIN, PROGRESSIVE, drawn, known, line, page, played};
use super::shown::{Column, Joined, PAGE};
use super::slot::SlotContents;
use super::window::Window;
use super::*;
use crate::pages::Tab;
use crate::tournaments::samples::name;
use owlbox_locale::Language;
use owlbox_play::matches::{Ending, Outcome, Slot};
use owlbox_play::tournament::bracket::{Bracket, Later, Settling, Source};

fn english() -> Locale {
    Locale::new(Language::English, chrono_tz::Tz::UTC)
}

fn shown(bracket: &Bracket, view: View) -> BracketShown {
    known(bracket, |known| BracketShown::new(&english(), known, view))
}

fn view_of(flight: usize, section: Option<u32>, player: Option<u32>) -> View {
    View { flight, section: section.map(MatchNo), player: player.map(EntryNo), zoom: Zoom::Usual }
}

fn frame() -> Frame {
    Frame {
        club: "Club".to_owned(),
        title: "Bracket".to_owned(),
        tab: Some(Tab::Night),
        viewer: None,
        csrf: String::new(),
        here: "/".to_owned(),
        notice: None,
    }
}

/// The match numbers shown, column by column.
fn numbers(shown: &BracketShown) -> Vec<Vec<u32>> {
    let column = |column: &Column| column.matches.iter().map(|one| one.number.0).collect();
    shown.columns.iter().map(column).collect()
}

#[test]
fn six_things_in_a_slot_are_shown_and_said_in_six_ways() {
    let mut first = line(8);
    first[1] = Source::Bye;
    first[3] = Source::Open;
    let mut bracket = Bracket::drawn(PROGRESSIVE, &first, &|_| false).unwrap();
    // Neither player came: nobody goes on from there, and nobody drops into the consolation.
    let mut settling = Settling::new(&bracket, Later::Void, &|_, _| false);
    settling.decide(MatchNo(3), Some(Outcome { winner: None, ending: Ending::DoubleForfeit, score: None }));
    bracket = settling.settled().0;
    let shown = shown(&bracket, View::default());
    let slot = |column: usize, row: usize, slot: usize| {
        let slot = &shown.columns[column].matches[row].slots[slot];
        (slot.is, slot.text.clone())
    };
    assert_eq!(slot(0, 0, 0).0, SlotContents::Player);
    assert_eq!(slot(0, 0, 1), (SlotContents::Bye, "bye".to_owned()));
    assert_eq!(slot(0, 1, 1), (SlotContents::Open, "to be named".to_owned()));
    assert_eq!(slot(1, 0, 1), (SlotContents::Winner, "winner of 2".to_owned()));
    assert_eq!(slot(1, 1, 0), (SlotContents::Nobody, "nobody from 3".to_owned()));
    let consolation = self::shown(&bracket, view_of(1, None, None));
    let fed = &consolation.columns[0].matches[0].slots;
    assert_eq!((fed[0].is, fed[1].is), (SlotContents::Nobody, SlotContents::Loser));
    assert_eq!(fed[1].text, "loser of 2");
    let all = [
        SlotContents::Player,
        SlotContents::Winner,
        SlotContents::Loser,
        SlotContents::Bye,
        SlotContents::Nobody,
        SlotContents::Open,
    ]
    .map(SlotContents::class);
    assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), 6);
}

#[test]
fn every_match_of_any_size_is_shown_in_some_section_and_none_is_too_large() {
    for (entrants, format) in [(2, PLAIN), (11, DOUBLE), (128, PROGRESSIVE), (300, DOUBLE), (4096, PLAIN)] {
        let bracket = drawn(entrants, format);
        for flight in 0..bracket.flights().len() {
            let mut seen = std::collections::BTreeSet::new();
            let mut roots = vec![None];
            while let Some(root) = roots.pop() {
                let window = Window::new(&bracket, flight, root, PAGE).unwrap();
                for &(round, first, matches) in &window.rounds {
                    assert!(matches <= 64, "{entrants}");
                    seen.extend(first.0..first.0 + matches);
                    if round == window.first_round() && round > 0 {
                        roots.extend((first.0..first.0 + matches).map(|root| Some(MatchNo(root))));
                    }
                }
            }
            let all: std::collections::BTreeSet<u32> =
                bracket.of_flight(flight).map(|(number, _)| number.0).collect();
            assert_eq!(seen, all, "{entrants} in flight {flight}");
        }
    }
}

#[test]
fn what_stands_between_two_columns_is_what_feeds_what() {
    for (entrants, format) in [(16, PROGRESSIVE), (23, DOUBLE), (128, PROGRESSIVE)] {
        let bracket = drawn(entrants, format);
        for flight in 0..bracket.flights().len() {
            let shown = shown(&bracket, view_of(flight, None, None));
            for two in shown.columns.windows(2) {
                for (at, fed) in two[1].matches.iter().enumerate() {
                    let feeders: Vec<u32> = match two[0].joined {
                        Joined::Halves => {
                            two[0].matches[at * 2..at * 2 + 2].iter().map(|one| one.number.0).collect()
                        }
                        Joined::Straight => vec![two[0].matches[at].number.0],
                        Joined::End => panic!("the last column is not the last"),
                    };
                    let of_winners =
                        bracket.get(fed.number).unwrap().sources.iter().filter_map(|source| match source {
                            Source::Winner { of }
                                if bracket.get(*of).unwrap().flight == u8::try_from(flight).unwrap() =>
                            {
                                Some(of.0)
                            }
                            _ => None,
                        });
                    let of_winners: Vec<u32> = of_winners.collect();
                    assert!(
                        feeders.iter().all(|feeder| of_winners.contains(feeder)),
                        "{entrants}: {}",
                        fed.number.0
                    );
                }
            }
        }
    }
}

#[test]
fn a_section_leads_to_those_beside_it_and_to_the_last_rounds() {
    let bracket = drawn(4096, PLAIN);
    let whole = shown(&bracket, View::default());
    assert_eq!((whole.columns.len(), whole.sections.len()), (7, 65));
    assert!(whole.sections[0].chosen && whole.sections[0].link == "?");
    let one = shown(&bracket, view_of(0, Some(bracket.flights()[0].rounds[5].first.0 + 2), None));
    let chosen: Vec<&str> =
        one.sections.iter().filter(|section| section.chosen).map(|section| section.name.as_str()).collect();
    assert_eq!((chosen, one.sections.len()), (vec!["3"], 65));
    assert_eq!(numbers(&one)[0], (65..=96).collect::<Vec<u32>>());
    // A bracket shown whole has no sections.
    assert!(shown(&drawn(128, PLAIN), View::default()).sections.is_empty());
}

#[test]
fn a_player_is_found_in_every_section() {
    let bracket = played(drawn(4096, PLAIN), 300);
    for entry in [1, 2, 77, 1000, 4096] {
        let shown = shown(&bracket, view_of(0, None, Some(entry)));
        let picked = shown
            .columns
            .iter()
            .flat_map(|column| &column.matches)
            .flat_map(|one| &one.slots)
            .any(|slot| slot.picked);
        assert!(picked, "{entry}");
        assert_eq!(shown.path.unwrap().name, name(EntryNo(entry)));
    }
}

#[test]
fn a_path_follows_a_player_through_every_flight() {
    let bracket = played(drawn(16, PROGRESSIVE), 200);
    // The loser of match 1 plays on in the consolation.
    let loser = bracket.get(MatchNo(1)).unwrap().loser().unwrap();
    let main = shown(&bracket, view_of(0, None, Some(loser.0)));
    let on: Vec<u32> = main
        .columns
        .iter()
        .flat_map(|column| &column.matches)
        .filter(|one| one.on_path)
        .map(|one| one.number.0)
        .collect();
    assert_eq!(on, [1]);
    let path = main.path.unwrap();
    assert_eq!(path.steps[0].won, Some(false));
    assert_eq!(path.steps[1].flight.as_deref(), Some("Consolation"));
    assert!(path.steps[1].link.starts_with(&format!("?flight=1&player={}#m", loser.0)));
    // A winner's way is one continuous line.
    let winner = bracket.get(MatchNo(15)).unwrap().winner().unwrap();
    let main = shown(&bracket, view_of(0, None, Some(winner.0)));
    let marks: Vec<(bool, bool)> = main
        .columns
        .iter()
        .flat_map(|column| &column.matches)
        .filter(|one| one.on_path)
        .map(|one| (one.came, one.goes))
        .collect();
    assert_eq!(marks, [(false, true), (true, true), (true, true), (true, false)]);
}

#[test]
fn a_view_is_an_address_and_one_that_does_not_fit_is_made_to() {
    let view = View { flight: 1, section: Some(MatchNo(9)), player: Some(EntryNo(4)), zoom: Zoom::Far };
    assert_eq!(view.query(), "?flight=1&section=9&player=4&zoom=far");
    assert_eq!((View::default().query().as_str(), View::default().at(MatchNo(3)).as_str()), ("?", "?#m3"));
    assert_eq!(Zoom::ALL.map(|zoom| Zoom::from_code(zoom.code())), Zoom::ALL);
    assert_eq!(Zoom::from_code("huge"), Zoom::Usual);
    let odd = shown(&drawn(8, PLAIN), view_of(9, Some(99), Some(99)));
    assert_eq!(odd.view, View::default());
    assert!(odd.path.is_none());
    assert!(shown(&Bracket::default(), view_of(1, Some(1), Some(1))).columns.is_empty());
}

#[test]
fn rounds_are_called_from_the_last_one_backwards() {
    let t = english();
    let called = |bracket: &Bracket, flight: usize| -> Vec<String> {
        let flight = &bracket.flights()[flight];
        (0..flight.rounds.len()).map(|round| round_name(&t, flight, round)).collect()
    };
    let bracket = drawn(16, DOUBLE);
    assert_eq!(called(&bracket, 0), ["Last 16", "Quarter-finals", "Semi-finals", "Final"]);
    assert_eq!(called(&bracket, 1), ["Round 1", "Round 2", "Round 3", "Round 4", "Round 5", "Final"]);
    assert_eq!(called(&bracket, 2), ["Final", "Second final"]);
    let again = bracket.with_last_chance(&line(4), &|_| false).unwrap();
    let again = again.with_last_chance(&line(2), &|_| false).unwrap();
    assert_eq!([3, 4].map(|flight| flight_name(&t, &again, flight)), ["Last chance", "Last chance 2"]);
}

#[test]
fn every_match_of_a_flight_is_on_paper_and_halves_have_a_sheet_each() {
    let t = english();
    for (entrants, format, flight, sheets) in [
        (16, PROGRESSIVE, 0, 1),
        (64, PLAIN, 0, 1),
        (65, PLAIN, 0, 3),
        (128, PROGRESSIVE, 0, 3),
        (128, PROGRESSIVE, 1, 3),
        (4096, PLAIN, 0, 65),
    ] {
        let bracket = drawn(entrants, format);
        let (made, next) = known(&bracket, |known| PaperSheet::of_flight(&t, known, flight, 0));
        assert_eq!((made.len(), next), (sheets, None), "{entrants} in flight {flight}");
        let labels: std::collections::BTreeSet<&str> = made
            .iter()
            .flat_map(|sheet| &sheet.texts)
            .filter(|text| text.class == "label" && !text.text.starts_with('L'))
            .map(|text| text.text.as_str())
            .collect();
        // Each match is named on the line of its winner.
        let all: std::collections::BTreeSet<String> =
            bracket.of_flight(flight).map(|(number, _)| number.0.to_string()).collect();
        assert_eq!(labels, all.iter().map(String::as_str).collect(), "{entrants} in flight {flight}");
    }
    let huge = drawn(16_384, PLAIN);
    let (made, next) = known(&huge, |known| PaperSheet::of_flight(&t, known, 0, 0));
    assert_eq!((made.len(), next), (PaperSheet::MOST, Some(PaperSheet::MOST)));
}

#[test]
fn nothing_on_paper_leaves_the_sheet() {
    let t = english();
    for (entrants, format, flight) in
        [(5, DOUBLE, 1), (64, PROGRESSIVE, 1), (128, DOUBLE, 1), (128, PLAIN, 0)]
    {
        let bracket = played(drawn(entrants, format), 40);
        let (sheets, _) = known(&bracket, |known| PaperSheet::of_flight(&t, known, flight, 0));
        for text in sheets.iter().flat_map(|sheet| &sheet.texts) {
            let [x, y] = [&text.x, &text.y].map(|at| at.parse::<f64>().unwrap());
            assert!((0.0..=2800.0).contains(&x) && (0.0..=1760.0).contains(&y), "{entrants}: {text:?}");
        }
    }
}

#[test]
fn the_wall_shows_every_line_and_the_round_that_is_played() {
    let bracket = played(drawn(32, PLAIN), 17);
    let turns = Planned::turns(&bracket, 19);
    let lists = turns.iter().filter(|turn| matches!(turn, Planned::Lines(_))).count();
    assert_eq!(lists, 2, "sixteen at a time, in two columns");
    // Sixteen matches of the first round are decided, so the last sixteen are shown as a whole.
    let t = english();
    let parts = turns.iter().filter(|turn| matches!(turn, Planned::Part(0, _)));
    let first: Vec<usize> = parts
        .map(|part| match known(&bracket, |known| part.turn(&t, known, &[])) {
            RoomTurn::Bracket(_, shown) => shown.columns[0].matches.len(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(first, [8]);
    assert_eq!(Planned::turns(&Bracket::default(), 0), [Planned::Quiet]);
    assert!(Planned::turns(&drawn(65_536, PLAIN), 100_000).len() <= 40);
}

#[test]
fn names_stay_text_and_every_slot_of_a_player_links_to_their_path() {
    let bracket = drawn(8, PLAIN);
    let evil = |_: EntryNo| "<script>alert(1)</script>".to_owned();
    let none = |_: MatchNo| None;
    let known = BracketLookup {
        bracket: &bracket,
        name: &evil,
        seed: &|_| None,
        length: &|_, _| None,
        going: &|_| Going::Nothing,
        link: &none,
    };
    let shown = BracketShown::new(&english(), &known, view_of(0, None, Some(3)));
    let page = BracketPage {
        t: english(),
        frame: frame(),
        around: Around {
            tournament: "<b>Open</b>".to_owned(),
            ..samples::around(&english(), "page-bracket")
        },
        title: "<b>Open</b>".to_owned(),
        game: None,
        found: Some(Found { typed: "<b>Open</b>".to_owned(), players: Vec::new() }),
        bracket: shown,
        print: None,
        embed: None,
    };
    let page = page.render().unwrap();
    assert!(!page.contains("<script>alert") && !page.contains("<b>Open"));
    let html = self::page(&english(), frame(), &bracket, View::default());
    for entry in 1..=8 {
        assert!(html.contains(&format!("href=\"?player={entry}#m")), "{entry}");
    }
    for slot in Slot::BOTH {
        assert!(bracket.get(MatchNo(7)).unwrap().occupant(slot).entry().is_none());
    }
}
