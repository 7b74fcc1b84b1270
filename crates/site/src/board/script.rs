//! What the page's script has to know, so that checkers are moved by taps.

use serde::Serialize;

use super::Board;
use owlbox_engine::plays::LegalPlays;
use owlbox_engine::step_graph::NextStep;
use owlbox_engine::{Colour, Movement, Position};

/// A roll to be played. The script reads these names.
#[derive(Serialize)]
struct PlayData {
    /// For each situation, the steps on from it: from, pips, and the number of the next situation.
    graph: Vec<Vec<(u8, u8, usize)>>,
    /// The board as the side on turn counts it.
    board: [i8; 26],
    /// The pinned checkers (V4): 1 for an own one, -1 for one of the other side's. Left out in other games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pinned: Option<[i8; 26]>,
    /// Whether both sides move the same way round (V4).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    same_way: bool,
    /// Checkers borne off by the side on turn, and by the other.
    off: [u8; 2],
    /// The dice, the left one first; four of a double.
    dice: Vec<u8>,
    /// Whether the side on turn is White.
    white: bool,
    /// The names of all places, indexed by number.
    names: Vec<String>,
    /// The separators of the notation: between the places of one checker, and between the moves of a play.
    joints: [&'static str; 2],
    /// Whether the sides bear off to the left.
    mirrored: bool,
}

impl Board {
    /// The roll that a side has to play, as JSON: the position, the dice and the legal steps.
    pub fn play_data(&self, by: &Colour) -> String {
        let (position, view) = (self.game.position(), self.view());
        let steps = self.game.legal_plays().map(LegalPlays::step_graph).unwrap_or_default();
        let compact = |next: &NextStep| (next.from, next.pips, next.then);
        let data = PlayData {
            graph: steps.iter().map(|steps| steps.iter().map(compact).collect()).collect(),
            board: position.board(),
            pinned: (position.movement() == Movement::Plakoto).then(|| pinned(position)),
            same_way: self.is_one_way(),
            off: [position.mover().off(), position.other().off()],
            dice: match self.roll() {
                Some(roll) if roll.is_double() => vec![roll.high().pips(); 4],
                Some(roll) => vec![roll.high().pips(), roll.low().pips()],
                None => Vec::new(),
            },
            white: *by == Colour::White,
            names: view.places(&self.t, *by).collect(),
            joints: view.names.joints(),
            mirrored: view.mirrored,
        };
        serde_json::to_string(&data).unwrap_or_default()
    }
}

/// The pinned checkers, as the side on turn counts: 1 for an own one, -1 for one of the other side's.
pub(super) fn pinned(position: Position) -> [i8; 26] {
    let mut pinned = [0; 26];
    for place in 1..=24 {
        let (own, others) =
            (position.mover().is_pinned(place), position.other().is_pinned(position.across(place)));
        pinned[usize::from(place)] = i8::from(own) - i8::from(others);
    }
    pinned
}
