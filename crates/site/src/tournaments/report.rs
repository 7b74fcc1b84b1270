//! A player reports the result of their match with one tap: the form, and what it sends.

use crate::form::Form;
use crate::say::Say;
use owlbox_base::code::Code;
use owlbox_desk::tournaments::TournamentScreen;
use owlbox_desk::{Actor, Idempotency, Request};
use owlbox_http::problem::{Problem, not_found};
use owlbox_play::matches::{MatchNo, Slot};
use owlbox_play::tournament::Command;
use owlbox_play::tournament::bracket::{EntryNo, Pairing};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};

/// The form's score for withdrawing a report.
const TAKEN_BACK: &str = "none";

/// The form for the result of a match. Scores are sent upper slot first and read with the player's own points
/// first.
pub(super) struct Report<'a> {
    t: Say<'a>,
    of: &'a Division,
    pub at: MatchRef,
    found: &'a Pairing,
    /// The player's own slot.
    slot: Slot,
}

impl<'a> Report<'a> {
    /// The form for the entry's current match; `None` if there is none to report.
    pub fn new(
        t: Say<'a>,
        screen: &'a TournamentScreen,
        division: DivisionNo,
        entry: EntryNo,
    ) -> Option<Self> {
        let of = screen.state().division(division)?;
        let (number, found) = of.current(entry).filter(|(_, found)| found.is_ready())?;
        let at = MatchRef { division, number };
        let asks = screen.state().asks_for_result(at, screen.now);
        Some(Self { t, of, at, found, slot: found.slot_of(entry)? }).filter(|_| asks)
    }

    /// The players of the match. A report is refused if they have changed.
    pub fn players(&self) -> String {
        let players = self.found.players();
        players.map_or_else(String::new, |[upper, lower]| format!("{}-{}", upper.0, lower.0))
    }

    /// What both players have reported so far, the player's own first.
    fn reports(&self) -> [Option<[u16; 2]>; 2] {
        self.slot.first(self.of.reports.get(&self.at.number).copied().unwrap_or_default())
    }

    pub fn score(&self, score: &[u16; 2]) -> String {
        let [mine, theirs] = self.slot.first(*score);
        self.t.fill("report-score", &[("mine", &mine), ("theirs", &theirs)])
    }

    /// A score as the form sends it.
    pub fn sent(&self, [upper, lower]: &[u16; 2]) -> String {
        format!("{upper}-{lower}")
    }

    /// Whether it is what the player has reported.
    pub fn is_own(&self, score: &[u16; 2]) -> bool {
        let [own, _] = self.reports();
        own == Some(*score)
    }

    /// The reports so far, in words.
    pub fn said(&self) -> Vec<String> {
        let (t, [own, other]) = (&self.t, self.reports());
        let opponent = self.found.occupant(self.slot.other()).entry();
        let opponent = opponent.map_or_else(String::new, |entry| t.entrant(self.of, &entry));
        let said = [
            own.map(|score| t.with("report-you-said", "score", self.score(&score))),
            other.map(|score| {
                t.fill("report-other-said", &[("name", &opponent), ("score", &self.score(&score))])
            }),
            own.zip(other).filter(|(own, other)| own != other).map(|_| t.get("report-differ")),
        ];
        said.into_iter().flatten().collect()
    }

    /// The opponent's report, to be confirmed with one tap, unless the player has reported the same.
    pub fn to_confirm(&self) -> Option<[u16; 2]> {
        let [own, other] = self.reports();
        other.filter(|_| own != other)
    }

    /// The results to choose from, by the loser's points: the player's wins, then their losses.
    pub fn taps(&self) -> [(&'static str, Vec<[u16; 2]>); 2] {
        let length = self.of.length(self.found).points();
        let won = (0..length).map(|lost| self.slot.first([length, lost])).collect();
        let lost = (0..length).map(|won| self.slot.first([won, length])).collect();
        [("report-won", won), ("report-lost", lost)]
    }

    /// What is sent to withdraw the player's report, if there is one.
    pub fn taken_back(&self) -> Option<&'static str> {
        let [own, _] = self.reports();
        own.map(|_| TAKEN_BACK)
    }
}

/// A player's report of a result, as a form sends it.
pub(super) struct ReportedScore {
    match_number: MatchNo,
    score: Option<[u16; 2]>,
    players: Option<[EntryNo; 2]>,
    once: Option<Idempotency>,
}

impl ReportedScore {
    /// # Errors
    /// The form names no match, or the score is malformed.
    pub(super) fn from_form(form: &Form, path: &str) -> Result<Self, Problem> {
        let match_number = form.text("match").parse().map(MatchNo).map_err(|_| not_found())?;
        let score = match form.text("score") {
            TAKEN_BACK => None,
            score => Some(pair(score).ok_or_else(bad_score)?),
        };
        let players = pair(form.text("players")).map(|players| players.map(EntryNo));
        // The same form sent twice acts once.
        let said = format!("{} {}", form.text("match"), form.text("score"));
        Ok(Self { match_number, score, players, once: form.idempotency(path, &said)? })
    }

    pub(super) const fn match_number(&self) -> MatchNo {
        self.match_number
    }

    /// The report as a command of this entry.
    pub(super) fn by(self, division: DivisionNo, entry: EntryNo, actor: Actor) -> (Command, Request) {
        let Self { match_number: number, score, players, once } = self;
        let command = Command::Report { division, number, entry, score, players };
        (command, Request { idempotency: once, ..Request::by(actor) })
    }
}

/// Two numbers as forms write them, the upper slot's first: `7-3`.
fn pair<T: std::str::FromStr>(written: &str) -> Option<[T; 2]> {
    let (upper, lower) = written.split_once('-')?;
    Some([upper.parse().ok()?, lower.parse().ok()?])
}

fn bad_score() -> Problem {
    Problem::new(Code::BadScore, "this is not a possible score of that match").about("score")
}
