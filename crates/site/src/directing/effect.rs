//! What a command would do to the matches of a tournament, before it is recorded.

use crate::sentences::tournament::TournamentSentences;
use owlbox_base::values::PlayerId;
use owlbox_desk::commands::subject::Preview;
use owlbox_play::matches::Slot;
use owlbox_play::tournament::Tournament;
use owlbox_play::tournament::bracket::Pairing;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};

/// The effect of a command.
#[derive(Debug)]
pub(super) struct Effect<'a> {
    pub before: TournamentSentences<'a>,
    after: TournamentSentences<'a>,
    /// Every match whose players or result it changes.
    pub touched: Vec<MatchRef>,
}

impl<'a> Effect<'a> {
    pub fn new(before: TournamentSentences<'a>, tested: &'a Preview<Tournament>) -> Self {
        Self::of(before, &tested.here.after.stream.state, tested.touched())
    }

    /// The effect on these matches if the tournament becomes `after`.
    pub fn of(
        before: TournamentSentences<'a>,
        after: &'a Tournament,
        touched: impl IntoIterator<Item = MatchRef>,
    ) -> Self {
        let stays = |at: &MatchRef| before.state.match_at(*at).is_some() && after.match_at(*at).is_some();
        let touched = touched.into_iter().filter(stays).collect();
        Self { before, after: before.of(after), touched }
    }

    /// A sentence for each player who gives up a last chance by it.
    pub fn given_up(&self) -> Vec<String> {
        let t = &self.before;
        let of = |(division, after): (DivisionNo, &Division)| {
            let before = t.state.division(division)?;
            let gives_up = after.entries().filter(|(entry, now)| {
                before
                    .entry(*entry)
                    .is_some_and(|before| before.given_up != now.given_up && now.given_up != 0)
            });
            let message = |entry| t.with("desk-gives-up-last-chance", "name", t.entry(before, &entry));
            Some(gives_up.map(|(entry, _)| message(entry)).collect::<Vec<_>>())
        };
        self.after.state.divisions().filter_map(of).flatten().collect()
    }

    fn both(&self, at: &MatchRef) -> Option<[&'a Pairing; 2]> {
        let [before, after] = [self.before, self.after].map(|t| t.state.match_at(*at));
        Some([before?.1, after?.1])
    }

    /// Whether the match would lose a result that was played.
    pub fn is_void(&self, at: &MatchRef) -> bool {
        self.both(at).is_some_and(|[was, is]| {
            was.outcome.is_some_and(|was| !was.ending.is_automatic()) && is.outcome.is_none()
        })
    }

    /// A sentence for each slot whose player changes.
    pub fn seats(&self, at: &MatchRef) -> Vec<String> {
        let t = &self.before;
        let sits = |t: &TournamentSentences<'_>, slot: Slot| -> Option<PlayerId> {
            let (of, found) = t.state.match_at(*at)?;
            Some(of.entry(found.occupant(slot).entry()?)?.player)
        };
        let seat = |slot: Slot| match (sits(t, slot), sits(&self.after, slot)) {
            (one, other) if one == other => None,
            (Some(one), Some(other)) => {
                Some(t.fill("desk-takes-place", &[("new", &t.name(&other)), ("old", &t.name(&one))]))
            }
            (None, Some(other)) => Some(t.with("desk-comes-in", "name", t.name(&other))),
            (Some(one), None) => Some(t.with("desk-goes-out", "name", t.name(&one))),
            (None, None) => None,
        };
        Slot::BOTH.into_iter().filter_map(seat).collect()
    }

    /// What happens to the match's result, in a sentence.
    pub fn result(&self, at: &MatchRef) -> Option<String> {
        let [was, is] = self.both(at)?.map(|found| found.outcome);
        let said = |t: &TournamentSentences<'_>, outcome| t.outcome(&t.pair(at), &outcome);
        let t = &self.before;
        match (was, is) {
            (Some(was), Some(is)) if was == is => {
                let moves = !self.seats(at).is_empty();
                moves.then(|| t.with("desk-result-stands", "what", said(&self.after, is)))
            }
            (Some(was), Some(is)) => {
                let (old, new) = (said(t, was), said(&self.after, is));
                Some(t.fill("desk-result-changes", &[("old", &old), ("new", &new)]))
            }
            (Some(was), None) if was.ending.is_automatic() => None,
            (Some(was), None) => Some(t.with("desk-result-void", "what", said(t, was))),
            (None, Some(is)) => Some(t.with("desk-result-found", "what", said(&self.after, is))),
            (None, None) => None,
        }
    }

    /// Where a match without a result is being played, or will be; `None` if its players are not at it.
    pub fn under_way(&self, at: &MatchRef) -> Option<String> {
        let t = &self.before;
        let (of, found) = t.state.match_at(*at)?;
        if found.outcome.is_some() {
            return None;
        }
        match t.state.room.calls.get(at) {
            Some(call) if call.began_at.is_some() => {
                Some(t.with("desk-touched-playing", "table", call.table.0))
            }
            Some(call) => Some(t.with("desk-touched-called", "table", call.table.0)),
            None => of.sheet(at.number).map(|_| t.get("desk-touched-sheet")),
        }
    }
}
