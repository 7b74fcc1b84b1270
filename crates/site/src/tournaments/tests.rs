//! Tests of brackets, on pages, on paper and on the wall.

use std::collections::BTreeSet;
use std::sync::Arc;

use askama::Template as _;

use super::bracket::BracketPage;
use super::path::Step;
use super::picture::Picture;
use super::rounds::{flight_name, round_name};
use super::samples::{DOUBLE, MAIN, PLAIN, PROGRESSIVE, Sample, drawn, line, played};
use super::sheet;
use super::slot::SlotContents;
use super::view::{PAGE, View, Zoom};
use super::wall::{self, Turn};
use super::window::Window;
use crate::pages::Tab;
use crate::pages::samples::{frame, locale};
use owlbox_locale::{Language, Locale};
use owlbox_play::matches::{Ending, MatchNo, Outcome, Slot};
use owlbox_play::tournament::Tournament;
use owlbox_play::tournament::bracket::{Bracket, EntryNo, Later, Settling, Source};
use owlbox_play::tournament::settings::DivisionSettings;

fn english() -> Locale {
    locale(Language::English)
}

fn shown(sample: &Sample, view: View) -> Picture<'_> {
    Picture::new(sample.say(&english()), &sample.screen, MAIN, &sample.of, view)
}

fn view_of(flight: usize, section: Option<u32>, player: Option<u32>) -> View {
    View { flight, section: section.map(MatchNo), player: player.map(EntryNo), zoom: Zoom::Usual }
}

/// The match numbers shown, column by column.
fn numbers(shown: &Picture<'_>) -> Vec<Vec<u32>> {
    let column = |(_, first, matches): &(usize, MatchNo, u32)| {
        shown.matches(first, matches).iter().map(|(number, _)| number.0).collect()
    };
    shown.rounds().iter().map(column).collect()
}

/// The CSS classes of the matches on the picked player's way.
fn on_way(shown: &Picture<'_>) -> Vec<(u32, String)> {
    let columns = shown.rounds().iter().flat_map(|(_, first, matches)| shown.matches(first, matches));
    let classes = columns.map(|(number, at)| (number.0, shown.classes(&number, at)));
    classes.filter_map(|(number, classes)| Some((number, classes.split_once(" on")?.1.to_owned()))).collect()
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
    let sample = Sample::new(&bracket);
    let slot = |flight: usize, column: usize, row: usize, slot: usize| {
        let shown = shown(&sample, view_of(flight, None, None));
        let (_, first, matches) = shown.rounds()[column];
        let slot = &shown.slots(shown.matches(&first, &matches)[row].1)[slot];
        (slot.is, slot.text.clone())
    };
    assert!(matches!(slot(0, 0, 0, 0).0, SlotContents::Player(_)));
    assert_eq!(slot(0, 0, 0, 1), (SlotContents::Bye, "bye".to_owned()));
    assert_eq!(slot(0, 0, 1, 1), (SlotContents::Open, "to be named".to_owned()));
    assert_eq!(slot(0, 1, 0, 1), (SlotContents::Winner(MatchNo(2)), "winner of 2".to_owned()));
    assert_eq!(slot(0, 1, 1, 0), (SlotContents::Nobody(MatchNo(3)), "nobody from 3".to_owned()));
    assert!(matches!(slot(1, 0, 0, 0).0, SlotContents::Nobody(_)));
    assert_eq!(slot(1, 0, 0, 1), (SlotContents::Loser(MatchNo(2)), "loser of 2".to_owned()));
    let all = [
        SlotContents::Player(EntryNo(1)),
        SlotContents::Winner(MatchNo(1)),
        SlotContents::Loser(MatchNo(1)),
        SlotContents::Bye,
        SlotContents::Nobody(MatchNo(1)),
        SlotContents::Open,
    ]
    .map(SlotContents::class);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 6);
}

#[test]
fn every_match_of_any_size_is_shown_in_some_section_and_none_is_too_large() {
    for (entrants, format) in [(2, PLAIN), (11, DOUBLE), (128, PROGRESSIVE), (300, DOUBLE), (4096, PLAIN)] {
        let bracket = drawn(entrants, format);
        for flight in 0..bracket.flights().len() {
            let mut seen = BTreeSet::new();
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
            let all: BTreeSet<u32> = bracket.of_flight(flight).map(|(number, _)| number.0).collect();
            assert_eq!(seen, all, "{entrants} in flight {flight}");
        }
    }
}

#[test]
fn what_stands_between_two_columns_is_what_feeds_what() {
    for (entrants, format) in [(16, PROGRESSIVE), (23, DOUBLE), (128, PROGRESSIVE)] {
        let bracket = drawn(entrants, format);
        let sample = Sample::new(&bracket);
        for flight in 0..bracket.flights().len() {
            let shown = shown(&sample, view_of(flight, None, None));
            let numbers = numbers(&shown);
            for (column, two) in numbers.windows(2).enumerate() {
                for (at, fed) in two[1].iter().enumerate() {
                    let feeders = match shown.joined(&column) {
                        "halves" => &two[0][at * 2..at * 2 + 2],
                        "straight" => &two[0][at..=at],
                        other => panic!("the last column is not the last, but {other}"),
                    };
                    let of_winners = bracket.get(MatchNo(*fed)).unwrap().sources.iter().filter_map(
                        |source| match source {
                            Source::Winner { of }
                                if bracket.get(*of).unwrap().flight == u8::try_from(flight).unwrap() =>
                            {
                                Some(of.0)
                            }
                            _ => None,
                        },
                    );
                    let of_winners: Vec<u32> = of_winners.collect();
                    assert!(feeders.iter().all(|feeder| of_winners.contains(feeder)), "{entrants}: {fed}");
                }
            }
        }
    }
}

#[test]
fn a_section_leads_to_those_beside_it_and_to_the_last_rounds() {
    let bracket = drawn(4096, PLAIN);
    let sample = Sample::new(&bracket);
    let whole = shown(&sample, View::default());
    let sections = whole.sections();
    assert_eq!((whole.rounds().len(), sections.len()), (7, 65));
    assert!(sections[0].is_here && sections[0].to == "?");
    let one = shown(&sample, view_of(0, Some(bracket.flights()[0].rounds[5].first.0 + 2), None));
    let sections = one.sections();
    let chosen: Vec<&str> =
        sections.iter().filter(|section| section.is_here).map(|section| section.label.as_str()).collect();
    assert_eq!((chosen, sections.len()), (vec!["3"], 65));
    assert_eq!(numbers(&one)[0], (65..=96).collect::<Vec<u32>>());
    // A bracket shown whole has no sections.
    assert!(shown(&Sample::new(&drawn(128, PLAIN)), View::default()).sections().is_empty());
}

#[test]
fn a_player_is_found_in_every_section() {
    let sample = Sample::new(&played(drawn(4096, PLAIN), 300));
    for entry in [1, 2, 77, 1000, 4096] {
        let shown = shown(&sample, view_of(0, None, Some(entry)));
        let columns = shown.rounds().iter().flat_map(|(_, first, matches)| shown.matches(first, matches));
        let mut slots = columns.flat_map(|(_, at)| shown.slots(at));
        let is_picked = slots.any(|slot| slot.player().is_some_and(|player| shown.is_picked(&player)));
        assert!(is_picked, "{entry}");
        assert_eq!(shown.view.player, Some(EntryNo(entry)));
    }
}

#[test]
fn a_path_follows_a_player_through_every_flight() {
    let bracket = played(drawn(16, PROGRESSIVE), 200);
    // The loser of match 1 plays on in the consolation.
    let loser = bracket.get(MatchNo(1)).unwrap().loser().unwrap();
    let sample = Sample::new(&bracket);
    let main = shown(&sample, view_of(0, None, Some(loser.0)));
    assert_eq!(on_way(&main), [(1, String::new())]);
    let (t, steps): (_, Vec<Step<'_>>) = (sample.say(&english()), main.steps(&loser));
    assert_eq!(steps[0].won(), Some(false));
    assert_eq!(steps[1].flight(&t, &sample.of).as_deref(), Some("Consolation"));
    assert!(main.step(&steps[1]).starts_with(&format!("?flight=1&player={}#m", loser.0)));
    // A winner's way is one continuous line.
    let winner = bracket.get(MatchNo(15)).unwrap().winner().unwrap();
    let main = shown(&sample, view_of(0, None, Some(winner.0)));
    let marks: Vec<String> = on_way(&main).into_iter().map(|(_, marks)| marks).collect();
    assert_eq!(marks, [" goes", " came goes", " came goes", " came"]);
}

#[test]
fn a_view_is_an_address_and_one_that_does_not_fit_is_made_to() {
    let view = View { flight: 1, section: Some(MatchNo(9)), player: Some(EntryNo(4)), zoom: Zoom::Far };
    assert_eq!(view.query(), "?flight=1&section=9&player=4&zoom=far");
    assert_eq!((View::default().query().as_str(), View::default().at(MatchNo(3)).as_str()), ("?", "?#m3"));
    assert_eq!(Zoom::ALL.map(|zoom| Zoom::from_code(zoom.code())), Zoom::ALL);
    assert_eq!(Zoom::from_code("huge"), Zoom::Usual);
    let sample = Sample::new(&drawn(8, PLAIN));
    assert_eq!(shown(&sample, view_of(9, Some(99), Some(99))).view, View::default());
    let sample = Sample::new(&Bracket::default());
    assert!(shown(&sample, view_of(1, Some(1), Some(1))).rounds().is_empty());
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
        let sample = Sample::new(&bracket);
        let (made, next) = sheet::of_flight(&sample.say(&t), &sample.of, flight, 0);
        assert_eq!((made.len(), next), (sheets, None), "{entrants} in flight {flight}");
        let labels: BTreeSet<&str> = made
            .iter()
            .flat_map(|sheet| &sheet.texts)
            .filter(|text| text.class == "label" && !text.text.starts_with('L'))
            .map(|text| text.text.as_str())
            .collect();
        // Each match is named on the line of its winner.
        let all: BTreeSet<String> =
            bracket.of_flight(flight).map(|(number, _)| number.0.to_string()).collect();
        assert_eq!(labels, all.iter().map(String::as_str).collect(), "{entrants} in flight {flight}");
    }
    let mut huge = Sample::new(&drawn(2, PLAIN));
    huge.of.bracket = drawn(16_384, PLAIN);
    let (made, next) = sheet::of_flight(&huge.say(&t), &huge.of, 0, 0);
    assert_eq!((made.len(), next), (sheet::MOST, Some(sheet::MOST)));
}

#[test]
fn nothing_on_paper_leaves_the_sheet() {
    let t = english();
    for (entrants, format, flight) in
        [(5, DOUBLE, 1), (64, PROGRESSIVE, 1), (128, DOUBLE, 1), (128, PLAIN, 0)]
    {
        let sample = Sample::new(&played(drawn(entrants, format), 40));
        let (sheets, _) = sheet::of_flight(&sample.say(&t), &sample.of, flight, 0);
        for text in sheets.iter().flat_map(|sheet| &sheet.texts) {
            let [x, y] = [&text.x, &text.y].map(|at| at.parse::<f64>().unwrap());
            assert!((0.0..=2800.0).contains(&x) && (0.0..=1760.0).contains(&y), "{entrants}: {text:?}");
        }
    }
}

#[test]
fn the_wall_shows_every_line_and_the_round_that_is_played() {
    assert_eq!(wall::lists(19).count(), 2, "sixteen at a time, in two columns");
    // Sixteen matches of the first round are decided, so the last sixteen are shown as a whole.
    let bracket = played(drawn(32, PLAIN), 17);
    let parts = wall::parts_of(&bracket).into_iter().filter(|(flight, _)| *flight == 0);
    let first = parts
        .map(|(flight, root)| Window::new(&bracket, flight, Some(root), wall::WALL).unwrap().rounds[0].2);
    assert_eq!(first.collect::<Vec<_>>(), [8]);
    assert_eq!(wall::turns(&Tournament::default(), 0), [Turn::Quiet]);
    assert!(wall::parts_of(&drawn(65_536, PLAIN)).len() <= 40);
}

#[test]
fn names_stay_text_and_every_slot_of_a_player_links_to_their_path() {
    let bracket = drawn(8, PLAIN);
    let mut sample = Sample::new(&bracket);
    sample.screen.names.values_mut().for_each(|name| "<script>alert(1)</script>".clone_into(name));
    let mut settings = DivisionSettings::clone(&sample.of.settings);
    settings.name = "<b>Open</b>".parse().unwrap();
    sample.of.settings = Arc::new(settings);
    let t = english();
    let page = BracketPage {
        t: sample.say(&t),
        frame: frame(&t, "bracket", Some(Tab::Night)),
        screen: &sample.screen,
        division: MAIN,
        of: &sample.of,
        bracket: shown(&sample, view_of(0, None, Some(3))),
        found: Some(("<b>Open</b>", Vec::new())),
    };
    let page = page.render().unwrap();
    assert!(!page.contains("<script>alert") && !page.contains("<b>Open"));
    let html = Sample::new(&bracket).page(&t, frame(&t, "bracket", Some(Tab::Night)), View::default());
    for entry in 1..=8 {
        assert!(html.contains(&format!("href=\"?player={entry}#m")), "{entry}");
    }
    for slot in Slot::BOTH {
        assert!(bracket.get(MatchNo(7)).unwrap().occupant(slot).entry().is_none());
    }
}
