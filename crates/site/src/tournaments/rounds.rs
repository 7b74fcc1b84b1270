//! Names of flights, rounds and endings.

use owlbox_locale::Locale;
use owlbox_play::matches::Ending;
use owlbox_play::tournament::bracket::{Bracket, Flight, FlightKind, Round};

/// The name of a flight. The second and later flights of the same kind have a number.
#[must_use]
pub fn flight_name(t: &Locale, bracket: &Bracket, flight: usize) -> String {
    let Some(kind) = bracket.flights().get(flight).map(|flight| flight.kind) else { return String::new() };
    let name = t.get(flight_key(kind));
    let before = bracket.flights().iter().take(flight).filter(|other| other.kind == kind).count();
    if before == 0 { name } else { format!("{name} {}", before + 1) }
}

/// The text key for a kind of flight.
#[must_use]
pub const fn flight_key(kind: FlightKind) -> &'static str {
    match kind {
        FlightKind::Main => "flight-main",
        FlightKind::Consolation => "flight-consolation",
        FlightKind::GrandFinal => "flight-grand-final",
        FlightKind::ThirdPlace => "flight-third-place",
        FlightKind::SecondPlace => "flight-second-place",
        FlightKind::LastChance => "flight-last-chance",
    }
}

/// The name of a round: final, semi-finals and so on, as long as every round to the end halves the field;
/// otherwise its number.
#[must_use]
pub fn round_name(t: &Locale, flight: &Flight, round: usize) -> String {
    let rest = flight.rounds.get(round..).unwrap_or_default();
    let matches = rest.first().map_or(0, |round| round.matches);
    match flight.kind {
        FlightKind::GrandFinal if round > 0 => return t.get("round-final-again"),
        FlightKind::GrandFinal => return t.get("round-final"),
        FlightKind::ThirdPlace => return t.get("flight-third-place"),
        FlightKind::SecondPlace => return t.get("flight-second-place"),
        FlightKind::Main | FlightKind::Consolation | FlightKind::LastChance => {}
    }
    let halves = |two: &[Round]| matches!(two, [one, next] if one.matches == next.matches * 2);
    let to_the_end = rest.windows(2).all(halves);
    match matches {
        _ if !to_the_end => t.with("round-number", "round", round + 1),
        1 => t.get("round-final"),
        2 => t.get("round-semi-finals"),
        4 => t.get("round-quarter-finals"),
        _ => t.count("round-last", &usize::try_from(matches * 2).unwrap_or(usize::MAX)),
    }
}

/// The remark on a match that did not end in the usual way. `None` if it was played, or was a bye.
#[must_use]
pub fn ending(t: &Locale, ending: Ending) -> Option<String> {
    let key = match ending {
        Ending::Played | Ending::Bye => return None,
        Ending::Conceded => "ending-conceded",
        Ending::Walkover => "ending-walkover",
        Ending::Forfeit => "ending-forfeit",
        Ending::DoubleForfeit => "ending-double-forfeit",
        Ending::Disqualified => "ending-disqualified",
        Ending::Withdrawn => "ending-withdrawn",
        Ending::NotNeeded => "ending-not-needed",
    };
    Some(t.get(key))
}
