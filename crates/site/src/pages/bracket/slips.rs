//! The slip of paper that two players take to their table, four to a page.

use askama::Template;

use super::words::{flight_name, round_name};
use super::{BracketLookup, Frame, Going};
use crate::pages::other_game;
use owlbox_engine::Variant;
use owlbox_locale::Locale;
use owlbox_play::matches::clock::Setting;
use owlbox_play::matches::{MatchNo, Slot};

#[derive(Debug, Template)]
#[template(path = "match_slips.html")]
pub struct MatchSlips {
    pub t: Locale,
    pub frame: Frame,
    pub event: String,
    /// The address to go back to.
    pub home: String,
    pub slips: Vec<Slip>,
    /// The address of the next page of slips. `None` on the last.
    pub next: Option<String>,
}

impl MatchSlips {
    /// How many slips one page holds at most: ten sheets, whose codes weigh as much as a page may.
    pub const MOST: usize = 40;
}

#[derive(Clone, Debug)]
pub struct Slip {
    pub number: MatchNo,
    pub round: String,
    /// The length in words, with the variant if it is not backgammon.
    pub length: Option<String>,
    /// The two players, upper slot first. `None` for one who is not known yet.
    pub names: [Option<String>; 2],
    pub table: Option<String>,
    /// The setting of the clock, in words.
    pub clock: Option<String>,
    /// The next matches of the winner and the loser, in words.
    pub then: Vec<String>,
    /// The code that opens the match on a phone: an `<svg>` element.
    pub picture: Option<String>,
}

impl Slip {
    /// The slip of a match. `link` is the complete address for its code. `None` if the bracket has no such
    /// match.
    #[must_use]
    pub fn new(
        t: &Locale,
        known: &BracketLookup<'_>,
        number: MatchNo,
        clock: Option<Setting>,
        variant: Variant,
        link: Option<&str>,
    ) -> Option<Self> {
        let at = known.bracket.get(number)?;
        let (flight, round) = (usize::from(at.flight), usize::from(at.round));
        let length = (known.length)(flight, round);
        let of_flight = known.bracket.flights().get(flight)?;
        let to = |key, to: Option<(MatchNo, Slot)>| to.map(|(next, _)| t.with(key, "match", next.0));
        Some(Self {
            number,
            round: format!("{} · {}", flight_name(t, known.bracket, flight), round_name(t, of_flight, round)),
            length: length.map(|length| {
                let to = t.with("slip-length", "points", length.points());
                other_game(t, variant).map_or(to.clone(), |game| format!("{to} · {game}"))
            }),
            names: Slot::BOTH.map(|slot| at.occupant(slot).entry().map(|entry| (known.name)(entry))),
            table: match (known.going)(number) {
                Going::Called { table } | Going::Playing { table: Some(table), .. } => Some(table),
                Going::Playing { table: None, .. } | Going::Nothing => None,
            },
            clock: clock.zip(length).map(|(setting, length)| {
                let seconds = setting.reserve(length).num_seconds();
                let reserve = format!("{}:{:02}", seconds / 60, seconds % 60);
                t.fill("slip-clock-set", &[("reserve", &reserve), ("delay", &setting.delay)])
            }),
            then: [to("slip-winner-to", at.winner_to), to("slip-loser-to", at.loser_to)]
                .into_iter()
                .flatten()
                .collect(),
            picture: link.map(crate::pages::qr_code),
        })
    }
}
