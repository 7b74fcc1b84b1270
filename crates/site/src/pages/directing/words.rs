//! Words for matches and results at the desk.

use super::DirectorContext;
use crate::pages::other_game;
use crate::tournaments::rounds::{flight_name, round_name};
use owlbox_play::matches::{Ending, Outcome, Slot};
use owlbox_play::tournament::bracket::{Occupant, Pairing, Source};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};

/// The player in a slot, or where they will come from.
#[must_use]
pub fn in_slot(context: &DirectorContext<'_>, division: &Division, at: &Pairing, slot: Slot) -> String {
    match (at.occupant(slot), at.source(slot)) {
        (Occupant::Entry(entry), _) => context.entry(division, entry),
        (Occupant::Nobody, _) | (Occupant::Unknown, Source::Bye) => context.t.get("slot-bye"),
        (Occupant::Unknown, Source::Winner { of }) => context.t.with("slot-winner", "match", of.0),
        (Occupant::Unknown, Source::Loser { of, .. }) => context.t.with("slot-loser", "match", of.0),
        (Occupant::Unknown, Source::Open | Source::Entry { .. }) => context.t.get("slot-open"),
    }
}

/// Both names with a dash between them.
#[must_use]
pub fn names(context: &DirectorContext<'_>, at: MatchRef) -> String {
    context.pair(&at).join(" – ")
}

impl DirectorContext<'_> {
    /// The players of a match, upper slot first.
    #[must_use]
    pub fn pair(&self, at: &MatchRef) -> [String; 2] {
        let found = self.state.division(at.division).and_then(|of| Some((of, of.bracket.get(at.number)?)));
        Slot::BOTH.map(|slot| found.map_or_else(String::new, |(of, found)| in_slot(self, of, found, slot)))
    }

    /// The place of a match in the tournament: `Consolation · Semi-finals · to 7`.
    #[must_use]
    pub fn place(&self, at: &MatchRef) -> String {
        let Some(division) = self.state.division(at.division) else { return String::new() };
        let Some(found) = division.bracket.get(at.number) else { return String::new() };
        let flight = usize::from(found.flight);
        let known = division.bracket.flights().get(flight);
        let round = known.map(|known| round_name(self.t, known, usize::from(found.round)));
        let mut parts = Vec::new();
        if self.state.divisions().len() > 1 {
            parts.push(division.settings.name.to_string());
        }
        if division.bracket.flights().len() > 1 {
            parts.push(flight_name(self.t, &division.bracket, flight));
        }
        parts.extend(round.filter(|round| parts.last() != Some(round)));
        parts.push(self.with("match-to", "points", division.length(found).points()));
        parts.extend(other_game(self.t, division.settings.game.variant));
        parts.join(" · ")
    }

    /// The state of a match without a result: called, postponed or ready. `None` if it is waiting for a player.
    #[must_use]
    pub fn going(&self, at: &MatchRef) -> Option<String> {
        let room = &self.state.room;
        match (room.calls.get(at), room.postponed.get(at)) {
            (Some(call), _) if call.began_at.is_some() => {
                Some(self.with("playing-at", "table", call.table.0))
            }
            (Some(call), _) => Some(self.with("called-to", "table", call.table.0)),
            (None, Some(Some(until))) => Some(self.with("desk-postponed-until", "time", self.time(until))),
            (None, Some(None)) => Some(self.get("desk-postponed")),
            (None, None) => room.ready_since.contains_key(at).then(|| self.get("ready")),
        }
    }

    /// The outcome of a match, or its state without one; empty if it is waiting for a player.
    #[must_use]
    pub fn standing(&self, at: &MatchRef) -> String {
        let found = self.state.division(at.division).and_then(|of| of.bracket.get(at.number));
        let said = found.and_then(|found| found.outcome).map(|said| outcome(self, &self.pair(at), said));
        said.or_else(|| self.going(at)).unwrap_or_default()
    }
}

/// The score, the points of `first` before the other's: `7–3`.
#[must_use]
pub fn score(points: [u16; 2], first: Slot) -> String {
    let [one, other] = first.first(points);
    format!("{one}–{other}")
}

/// The outcome of a match between these two, as a sentence.
#[must_use]
pub fn outcome(context: &DirectorContext<'_>, names: &[String; 2], outcome: Outcome) -> String {
    let t = context.t;
    let [upper, lower] = names;
    let Some(winner) = outcome.winner else {
        let key = if outcome.ending == Ending::NotNeeded { "ending-not-needed" } else { "desk-nobody-came" };
        return if outcome.ending == Ending::NotNeeded {
            t.get(key)
        } else {
            t.fill(key, &[("one", upper), ("other", lower)])
        };
    };
    let [winner_name, loser] = winner.first([upper, lower]);
    let key = match outcome.ending {
        Ending::Played => "desk-beats",
        Ending::Conceded => "desk-concedes",
        Ending::Walkover => "desk-walks-over",
        Ending::Forfeit | Ending::DoubleForfeit => "desk-forfeits",
        Ending::Disqualified => "desk-disqualified",
        Ending::Withdrawn => "desk-has-left",
        Ending::Bye => "desk-has-bye",
        Ending::NotNeeded => return t.get("ending-not-needed"),
    };
    let said = t.fill(key, &[("winner", winner_name), ("loser", loser)]);
    match outcome.score {
        Some(points) => format!("{said} {}", score(points, winner)),
        None => said,
    }
}

/// The name of a division. Empty if it is the only one.
#[must_use]
pub fn division(context: &DirectorContext<'_>, number: DivisionNo) -> String {
    let several = context.state.divisions().len() > 1;
    let name = context.state.division(number).map(|of| of.settings.name.to_string());
    name.filter(|_| several).unwrap_or_default()
}
