//! `owlbox draw`: prints a bracket drawn from a seed.

use std::fmt::Write as _;
use std::io::Write;

use serde::Serialize;

use super::args::{Draw, DrawFormat};
use owlbox_play::matches::score::Length;
use owlbox_play::matches::{MatchNo, Slot};
use owlbox_play::tournament::bracket::{
    Bracket, Consolation, EntryNo, Final, FlightKind, Format, Occupant, Pairing, Source,
};
use owlbox_play::tournament::draw::{DrawEntrant, Seed, draw as drawn};
use owlbox_play::tournament::settings::{DivisionSettings, Lengths};

impl DrawFormat {
    const fn format(self) -> Format {
        let (third_place, consolation, last) = match self {
            Self::KnockOut => (false, Consolation::Nobody, Final::None),
            Self::ThirdPlace => (true, Consolation::Nobody, Final::None),
            Self::FirstLosers => (false, Consolation::FirstLosers { walkovers_are_byes: false }, Final::None),
            Self::Progressive => (false, Consolation::Progressive, Final::None),
            Self::SecondPlace => (false, Consolation::Progressive, Final::SecondPlace),
            Self::DoubleElimination => (false, Consolation::ProgressiveWithFinalist, Final::Double),
            Self::SingleFinal => (false, Consolation::ProgressiveWithFinalist, Final::Single),
        };
        Format { third_place, consolation, last }
    }
}

#[derive(Serialize)]
struct DrawSheet {
    entrants: u32,
    seed: Seed,
    format: Format,
    flights: Vec<FlightSheet>,
}

#[derive(Serialize)]
struct FlightSheet {
    flight: FlightKind,
    rounds: Vec<RoundSheet>,
}

#[derive(Serialize)]
struct RoundSheet {
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<Length>,
    matches: Vec<MatchSheet>,
}

#[derive(Serialize)]
struct MatchSheet {
    #[serde(rename = "match")]
    number: MatchNo,
    upper: Source,
    lower: Source,
    #[serde(skip_serializing_if = "Option::is_none")]
    bye: Option<EntryNo>,
}

/// Draws the bracket of these arguments and prints it.
///
/// # Errors
/// The output cannot be written.
pub fn draw(asked: &Draw, mut output: impl Write) -> std::io::Result<()> {
    let entry = |entry| DrawEntrant {
        entry: EntryNo(entry),
        seeded: (entry <= asked.seeded).then_some(entry),
        apart: None,
    };
    let entries: Vec<DrawEntrant> = (1..=asked.entrants).map(entry).collect();
    let format = asked.format.format();
    let line = drawn(&entries, Seed(asked.seed));
    let bracket = Bracket::drawn(format, &line, &|_| false)
        .map_err(|wrong| std::io::Error::other(format!("this draw cannot be: {wrong:?}")))?;
    let text = if asked.json {
        let sheet = DrawSheet {
            entrants: asked.entrants,
            seed: Seed(asked.seed),
            format,
            flights: sheets(&bracket, &asked.lengths),
        };
        format!("{}\n", serde_json::to_string(&sheet)?)
    } else {
        written(&bracket, &asked.lengths)
    };
    output.write_all(text.as_bytes())?;
    output.flush()
}

/// Settings of a division with these lengths, so that they are assigned to rounds as the service does it.
/// `None` without lengths.
fn settings(lengths: &[Length]) -> Option<DivisionSettings> {
    Some(DivisionSettings {
        lengths: Lengths::try_from(lengths.to_vec()).ok()?,
        ..DivisionSettings::default()
    })
}

fn sheets(bracket: &Bracket, lengths: &[Length]) -> Vec<FlightSheet> {
    let sheet = |(number, at): (MatchNo, &Pairing)| MatchSheet {
        number,
        upper: at.sources[0],
        lower: at.sources[1],
        bye: at.winner(),
    };
    let settings = settings(lengths);
    let all: Vec<(MatchNo, &Pairing)> = bracket.iter().collect();
    let mut left = all.as_slice();
    let mut sheets = Vec::new();
    for flight in bracket.flights() {
        let mut rounds = Vec::new();
        for (number, round) in flight.rounds.iter().enumerate() {
            let matches = usize::try_from(round.matches).unwrap_or(usize::MAX).min(left.len());
            let (these, rest) = left.split_at(matches);
            left = rest;
            rounds.push(RoundSheet {
                length: settings
                    .as_ref()
                    .map(|settings| settings.length_of(flight.kind, flight.rounds.len() - 1 - number)),
                matches: these.iter().copied().map(sheet).collect(),
            });
        }
        sheets.push(FlightSheet { flight: flight.kind, rounds });
    }
    sheets
}

fn written(bracket: &Bracket, lengths: &[Length]) -> String {
    let mut text = String::new();
    for flight in sheets(bracket, lengths) {
        let rounds = flight.rounds.len();
        for (number, round) in flight.rounds.iter().enumerate() {
            let to = round.length.map_or_else(String::new, |length| format!(", to {}", length.points()));
            let name = match rounds - number {
                // The first match of the grand final is no semi-final: both matches are finals, and the
                // second is played only if needed.
                _ if flight.flight == FlightKind::GrandFinal => {
                    ["match", "second match"][number.min(1)].to_owned()
                }
                1 => "final".to_owned(),
                2 => "semi-finals".to_owned(),
                _ => format!("round {}", number + 1),
            };
            let title = match flight.flight {
                FlightKind::Main => "Main flight",
                FlightKind::Consolation => "Consolation",
                FlightKind::GrandFinal => "Final of both",
                FlightKind::ThirdPlace => "Third place",
                FlightKind::SecondPlace => "Second place",
                FlightKind::LastChance => "Last chance",
            };
            let _ = writeln!(text, "{title}, {name}{to}");
            for at in &round.matches {
                let sides = Slot::BOTH.map(|slot| slot_in_words(bracket, at.number, slot));
                let _ = writeln!(text, "{:>6}  {:<16} {}", at.number.0, sides[0], sides[1]);
            }
            text.push('\n');
        }
    }
    text.pop();
    text
}

/// A slot in words: its occupant if known, else where its occupant will come from.
fn slot_in_words(bracket: &Bracket, number: MatchNo, slot: Slot) -> String {
    let Some(at) = bracket.get(number) else { return String::new() };
    match (at.occupant(slot), at.source(slot)) {
        (Occupant::Entry(entry), _) => format!("entry {}", entry.0),
        (Occupant::Nobody, _) => "bye".to_owned(),
        (Occupant::Unknown, Source::Winner { of }) => format!("winner of {}", of.0),
        (Occupant::Unknown, Source::Loser { of, .. }) => format!("loser of {}", of.0),
        (Occupant::Unknown, _) => "open".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    fn asked(entrants: u32, format: DrawFormat, json: bool) -> String {
        let lengths = [7, 5].map(|points| Length::try_from(points).unwrap()).to_vec();
        let asked = Draw { entrants, seed: 2026, format, lengths, seeded: 0, json };
        let mut output = Vec::new();
        draw(&asked, &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn five_are_drawn_as_text() {
        assert_eq!(
            asked(5, DrawFormat::FirstLosers, false),
            "\
Main flight, round 1, to 5
     1  bye              entry 4
     2  bye              entry 1
     3  entry 3          bye
     4  entry 2          entry 5

Main flight, semi-finals, to 5
     5  entry 4          entry 1
     6  entry 3          winner of 4

Main flight, final, to 7
     7  winner of 5      winner of 6

Consolation, semi-finals, to 5
     8  loser of 1       loser of 2
     9  loser of 3       loser of 4

Consolation, final, to 7
    10  winner of 8      winner of 9
"
        );
    }

    #[test]
    fn the_json_has_every_match_once() {
        let text = asked(11, DrawFormat::DoubleElimination, true);
        let sheet: serde_json::Value = serde_json::from_str(&text).unwrap();
        let matches = |flight: &serde_json::Value| {
            let rounds = flight["rounds"].as_array().unwrap();
            rounds.iter().map(|round| round["matches"].as_array().unwrap().len()).sum::<usize>()
        };
        let flights = sheet["flights"].as_array().unwrap();
        assert_eq!(flights.iter().map(matches).collect::<Vec<_>>(), [15, 14, 2]);
        assert_eq!(sheet["flights"][2]["rounds"][1]["length"], 7);
        assert_eq!(sheet["seed"], 2026);
    }

    #[test]
    fn every_match_is_as_long_as_the_service_plays_it() {
        for format in DrawFormat::value_variants() {
            let lengths: Vec<Length> = [11, 9, 7].map(|points| Length::try_from(points).unwrap()).into();
            let line = drawn(
                &(1..=16)
                    .map(|entry| DrawEntrant { entry: EntryNo(entry), seeded: None, apart: None })
                    .collect::<Vec<_>>(),
                Seed(1),
            );
            let bracket = Bracket::drawn(format.format(), &line, &|_| false).unwrap();
            let of = settings(&lengths).unwrap();
            let printed = sheets(&bracket, &lengths).into_iter().flat_map(|flight| flight.rounds);
            let printed =
                printed.flat_map(|round| round.matches.into_iter().map(move |at| (at.number, round.length)));
            let played = bracket.iter().map(|(number, at)| (number, Some(of.length(&bracket, at))));
            assert_eq!(printed.collect::<Vec<_>>(), played.collect::<Vec<_>>(), "{format:?}");
        }
        // The match for third place has the length of a semi-final, both matches of a grand final that of the
        // final.
        assert!(asked(8, DrawFormat::ThirdPlace, false).contains("Third place, final, to 5"));
        let double = asked(8, DrawFormat::DoubleElimination, false);
        assert!(
            double.contains("Final of both, match, to 7")
                && double.contains("Final of both, second match, to 7")
        );
    }

    #[test]
    fn the_largest_bracket_is_drawn() {
        let text = asked(65_536, DrawFormat::DoubleElimination, false);
        let is_match = |line: &&str| line.trim_start().starts_with(|first: char| first.is_ascii_digit());
        assert_eq!(text.lines().filter(is_match).count(), 65_535 + 65_534 + 2);
    }
}
