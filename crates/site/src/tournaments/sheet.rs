//! The bracket on paper: lines to write names on, black on white, one sheet for each part that fits.
//!
//! Each line is a slot. Its source stands before the name in small print: a number is the winner of that
//! match. So the line shows where to write the winner once they are known.

use std::fmt::Write as _;

use super::rounds::{flight_name, round_name};
use super::slot::SlotContents;
use super::window::{Room, Window};
use crate::say::Say;
use owlbox_play::matches::{MatchNo, Slot};
use owlbox_play::tournament::bracket::{Bracket, EntryNo, Pairing, Round, Source};
use owlbox_play::tournament::division::Division;

/// The part of a bracket that fits a sheet: 64 slots, and as many rounds as leave room for names.
const SHEET: Room = Room { matches: 32, columns: 9 };

/// The size of the drawing on a sheet, in tenths of a millimetre on A4.
const WIDTH: f64 = 2800.0;
const HEIGHT: f64 = 1760.0;
/// The height of the round names above the bracket.
const HEAD: f64 = 70.0;

/// How much too long a name may be and still be squeezed into its place. The end of a longer one is cut off.
const MOST_SQUEEZED: f64 = 1.4;

#[derive(Clone, Debug)]
pub(super) struct PaperSheet {
    /// The flight, and the number of the sheet if there are several.
    pub title: String,
    /// All lines of the sheet, as the data of one SVG path.
    pub lines: String,
    pub texts: Vec<PaperText>,
}

#[derive(Clone, Debug)]
pub(super) struct PaperText {
    pub x: String,
    /// The baseline, measured from the top.
    pub y: String,
    pub size: String,
    /// The width to squeeze the text into, if it is too long.
    pub width: Option<String>,
    /// The CSS class of the text.
    pub class: &'static str,
    pub text: String,
}

/// How many sheets one page holds at most.
pub(super) const MOST: usize = 72;

/// The sheets of a flight from number `from` on, and the number to continue with.
pub(super) fn of_flight(
    t: &Say<'_>,
    division: &Division,
    flight: usize,
    from: usize,
) -> (Vec<PaperSheet>, Option<usize>) {
    let windows = windows(&division.bracket, flight);
    let sheet = |(at, window): (usize, &Window)| {
        let name = flight_name(t, &division.bracket, flight);
        let title = match windows.len() {
            1 => name,
            of => format!("{name} · {}", t.fill("sheet-of", &[("number", &(at + 1)), ("of", &of)])),
        };
        Drawing::new(t, division, window).sheet(title)
    };
    let sheets = windows.iter().enumerate().skip(from).take(MOST).map(sheet).collect();
    (sheets, Some(from.saturating_add(MOST)).filter(|next| *next < windows.len()))
}

/// The parts of a flight that fit one sheet each, first rounds first. A sheet with room to spare repeats
/// rounds of the sheets before.
fn windows(bracket: &Bracket, flight: usize) -> Vec<Window> {
    let rounds = bracket.flights().get(flight).map_or(&[][..], |flight| &flight.rounds);
    let mut windows = Vec::new();
    let mut left = rounds;
    while let Some(first) = left.first() {
        let fits = |round: &&Round| first.matches <= round.matches * SHEET.matches;
        let count = left.iter().take(SHEET.columns).take_while(fits).count().max(1);
        let (sheet, rest) = left.split_at(count);
        if let Some(last) = sheet.last() {
            let roots = (last.first.0..last.first.0 + last.matches).map(MatchNo);
            windows.extend(roots.filter_map(|root| Window::new(bracket, flight, Some(root), SHEET)));
        }
        left = rest;
    }
    windows
}

/// A sheet while it is drawn.
struct Drawing<'a> {
    t: &'a Say<'a>,
    of: &'a Division,
    column: f64,
    row: f64,
    size: f64,
    lines: String,
    texts: Vec<PaperText>,
}

impl<'a> Drawing<'a> {
    fn new(t: &'a Say<'a>, of: &'a Division, window: &Window) -> Self {
        let columns = f64::from(u32::try_from(window.rounds.len()).unwrap_or(u32::MAX));
        let matches = window.rounds.first().map_or(1, |(.., matches)| *matches);
        // Each round with newcomers draws its matches half a line lower.
        let merging = window.rounds.windows(2).filter(|two| matches!(two, [a, b] if a.2 == b.2)).count();
        let rows = f64::from(matches * 2) + f64::from(u32::try_from(merging).unwrap_or(0));
        let row = ((HEIGHT - HEAD) / rows.max(1.0)).min(110.0);
        let column = WIDTH / (columns + 0.75);
        let size = (row * 0.74).min(column / 9.5).min(46.0);
        let mut drawing = Self { t, of, column, row, size, lines: String::new(), texts: Vec::new() };
        drawing.draw(window);
        drawing
    }

    fn sheet(self, title: String) -> PaperSheet {
        PaperSheet { title, lines: self.lines, texts: self.texts }
    }

    fn draw(&mut self, window: &Window) {
        let mut middles: Vec<f64> = Vec::new();
        let mut left = 0.0;
        for &(round, first, matches) in &window.rounds {
            self.head(left, window.flight, round);
            let numbers = (first.0..first.0 + matches).map(MatchNo);
            let heights = self.heights(&middles, matches);
            middles = heights.iter().map(|[upper, lower]| (upper + lower) / 2.0).collect();
            for (number, heights) in numbers.zip(heights) {
                let Some(at) = self.of.bracket.get(number) else { continue };
                self.match_of(left, heights, at);
            }
            left += self.column;
        }
        // The winner of the sheet's last match.
        if let (Some(&middle), Some(at)) = (middles.first(), self.of.bracket.get(window.root)) {
            let winner = at.winner().map(|entry| self.t.entrant(self.of, &entry));
            let label = window.root.0.to_string();
            self.slot([left, middle, self.column * 0.75], &label, winner.map(|name| (name, "won")), None);
        }
    }

    /// The heights of a round's slots, from the middles of the matches before.
    fn heights(&self, before: &[f64], matches: u32) -> Vec<[f64; 2]> {
        let straight = u32::try_from(before.len()).is_ok_and(|before| before == matches);
        match before {
            [] => (0..matches)
                .map(|at| {
                    let upper = HEAD + self.row * (f64::from(at) * 2.0 + 0.85);
                    [upper, upper + self.row]
                })
                .collect(),
            _ if straight => before.iter().map(|middle| [*middle, middle + self.row]).collect(),
            _ => before.chunks_exact(2).map(|two| [two[0], two[1]]).collect(),
        }
    }

    fn head(&mut self, left: f64, flight: usize, round: usize) {
        let Some(of_flight) = self.of.bracket.flights().get(flight) else { return };
        let length =
            self.of.settings.length_of(of_flight.kind, of_flight.rounds.len().saturating_sub(round + 1));
        let length = self.t.with("match-to", "points", length.points());
        let text = format!("{}, {length}", round_name(self.t, of_flight, round));
        let size = 34.0_f64.min(self.column / 9.0);
        let text = cut(&text, self.column / (size * 0.6));
        self.text([left + 4.0, HEAD * 0.5, size], "head", text, None);
    }

    fn match_of(&mut self, left: f64, [upper, lower]: [f64; 2], at: &Pairing) {
        for (slot, y) in Slot::BOTH.into_iter().zip([upper, lower]) {
            let label = match at.source(slot) {
                // In the first column of a later sheet the number also names the sheet whose winner comes
                // here.
                Source::Winner { of } => of.0.to_string(),
                Source::Loser { of, .. } => self.t.with("paper-loser", "match", of.0),
                Source::Entry { .. } | Source::Bye | Source::Open => String::new(),
            };
            let won = at.outcome.and_then(|outcome| outcome.winner) == Some(slot);
            let text = match SlotContents::new(at, slot) {
                SlotContents::Player(entry) => Some((self.seeded(entry), if won { "won" } else { "name" })),
                SlotContents::Bye | SlotContents::Nobody(_) => Some((self.t.get("slot-bye"), "bye")),
                SlotContents::Winner(_) | SlotContents::Loser(_) | SlotContents::Open => None,
            };
            let score = at.outcome.and_then(|outcome| outcome.score).map(|score| slot.choose(score));
            self.slot([left, y, self.column], &label, text, score);
        }
        let right = left + self.column;
        let _ = write!(self.lines, "M{right:.1} {upper:.1}V{lower:.1}");
    }

    /// An entry's name, with its seed.
    fn seeded(&self, entry: EntryNo) -> String {
        let name = self.t.entrant(self.of, &entry);
        let seed = self.of.entry(entry).and_then(|entry| entry.seeded);
        seed.map_or(name.clone(), |seed| format!("[{seed}] {name}"))
    }

    /// Draws a line from `left` at height `y`, and writes on it.
    fn slot(
        &mut self,
        [left, y, length]: [f64; 3],
        label: &str,
        text: Option<(String, &'static str)>,
        score: Option<u16>,
    ) {
        let _ = write!(self.lines, "M{left:.1} {y:.1}h{length:.1}");
        let base = y - self.row * 0.14;
        let small = self.size * 0.62;
        let letters = |text: &str| f64::from(u32::try_from(text.chars().count()).unwrap_or(u32::MAX));
        let indent = if label.is_empty() { 4.0 } else { 10.0 + letters(label) * small * 0.58 };
        if !label.is_empty() {
            self.text([left + 4.0, base, small], "label", label.to_owned(), None);
        }
        let score = score.map(|score| score.to_string());
        let scored = score.as_deref().map_or(0.0, |score| letters(score) * self.size * 0.56 + 10.0);
        if let Some((text, class)) = text {
            let a_letter = self.size * if class == "won" { 0.55 } else { 0.5 };
            let (wide, there) = (letters(&text) * a_letter, length - indent - scored - 8.0);
            let kept = cut(&text, there * MOST_SQUEEZED / a_letter);
            self.text([left + indent, base, self.size], class, kept, (wide > there).then_some(there));
        }
        if let Some(score) = score {
            self.text([left + length - 6.0, base, self.size], "points", score, None);
        }
    }

    fn text(&mut self, place: [f64; 3], class: &'static str, text: String, width: Option<f64>) {
        let [x, y, size] = place.map(|value| format!("{value:.1}"));
        let width = width.map(|width| format!("{width:.1}"));
        self.texts.push(PaperText { x, y, size, width, class, text });
    }
}

/// Cuts a text to at most `most` letters, with an ellipsis.
fn cut(text: &str, most: f64) -> String {
    let letters = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    if letters(text.chars().count()) <= most {
        return text.to_owned();
    }
    let mut kept = String::new();
    for (count, letter) in text.chars().enumerate() {
        if letters(count + 2) > most {
            break;
        }
        kept.push(letter);
    }
    format!("{}…", kept.trim_end())
}
