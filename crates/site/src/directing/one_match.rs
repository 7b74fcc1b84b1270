//! A match at the desk: entering its result, and correcting it.

use std::collections::BTreeSet;
use std::ops::Range;

use actix_web::HttpResponse;
use serde::Deserialize;

use super::act::takes_acts;
use super::correction::{Unplayed, taps, unplayed};
use super::frame::{At, DeskFrame, match_below, on_the_desk};
use crate::pages::button::Button;
use crate::pages::{Choice, Fields, Frame, LivePage as _};
use crate::refused::Filled;
use crate::sentences::tournament::TournamentSentences;
use crate::visitor::{Visitor, redirect};
use owlbox_desk::Refused;
use owlbox_desk::tournaments::TournamentScreen;
use owlbox_http::problem::Problem;
use owlbox_play::matches::Slot;
use owlbox_play::tournament::bracket::{EntryNo, Pairing};
use owlbox_play::tournament::command::MatchEnded;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::legal::MatchAct;
use owlbox_play::tournament::room::{MatchRef, Table, TableNo, TableUse};
use owlbox_play::tournament::{Command, CommandKind};

/// The most tables offered in a list.
const MOST_TABLES: usize = 200;

/// `/tournaments/{id}/desk/{division}/matches/{n}`
#[derive(Debug)]
pub(super) struct MatchPage<'a> {
    pub t: TournamentSentences<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub desk: DeskFrame<'a>,
    pub at: MatchRef,
    pub of: &'a Division,
    pub found: &'a Pairing,
    /// What can be done with it.
    pub acts: Vec<MatchAct>,
}
/// The field for the points of a side when the match stopped.
fn points_field(slot: &Slot) -> String {
    format!("points_then[{}]:number", slot.name())
}

on_the_desk! { MatchPage<'a>: "directing/match.html" }

/// Where the page of a match redirects to, if anywhere.
#[derive(Debug, Deserialize)]
pub(crate) struct OnQuery {
    to: Option<String>,
}

takes_acts!(At, OnQuery);

/// The page of a match, whole or only its live part; with `?to=sheet`, a redirect to its sheet.
async fn answer(
    visitor: &Visitor,
    &(id, division, number): &At,
    query: &OnQuery,
    partial: bool,
) -> Result<HttpResponse, Problem> {
    let at = MatchRef { division, number };
    let (screen, ()) = super::screen(visitor, id, CommandKind::Result, move |looking| {
        looking.name(looking.stream().state.players_in(&[at]));
        Ok(())
    })
    .await?;
    let sheet = screen.state().division(division).and_then(|of| of.sheet(number));
    if let Some(sheet) = sheet.filter(|_| query.to.as_deref() == Some("sheet")) {
        return Ok(redirect(&format!("/matches/{sheet}")));
    }
    let (of, found) = screen.state().match_at(at).ok_or(Refused::NotFound("match"))?;
    let acts = screen.state().match_acts(at);
    let (t, frame, desk) = super::surroundings(visitor, &screen, "desk-result", &match_below(at));
    let page = MatchPage { t, frame, screen: &screen, desk, at, of, found, acts };
    visitor.answer(page.rendered(partial))
}

impl MatchPage<'_> {
    /// Whether this can be done with the match, by this viewer.
    fn may(&self, act: MatchAct, command: CommandKind) -> bool {
        self.acts.contains(&act) && self.screen.may(command)
    }

    fn length(&self) -> u16 {
        self.of.length(self.found).points()
    }

    /// The outcome in a sentence.
    fn outcome(&self) -> Option<String> {
        self.found.outcome.map(|outcome| self.t.outcome(&self.t.pair(&self.at), &outcome))
    }

    /// The form for its result: the command without it.
    fn ask(&self) -> Option<Button> {
        let MatchRef { division, number } = self.at;
        let fields = Fields::lacking(CommandKind::Result).with("division", &division).with("match", &number);
        let fields = fields.with("players", &self.found.players());
        let button = || Button::of_form(self.t.get("desk-result"), fields).then(self.desk.address(""));
        self.may(MatchAct::Result, CommandKind::Result).then(button)
    }

    /// Whether something is wrong with the points at which the match stopped.
    fn is_otherwise_wrong(&self, form: &Filled<'_>) -> bool {
        Slot::BOTH.iter().any(|slot| form.is_wrong(&points_field(slot)))
    }

    fn taps(&self) -> Range<u16> {
        taps(self.length())
    }

    /// The results offered where it was not played to the end.
    fn unplayed(&self) -> Vec<Unplayed> {
        unplayed(&self.t, &self.at, &self.screen.now)
    }

    /// What a button for a score sets.
    fn won(&self, winner: &Slot, lost: u16) -> String {
        Fields::default().with("ended", &MatchEnded::played(*winner, self.length(), lost)).choice()
    }

    /// What a button for another result sets.
    fn sets(&self, result: &Unplayed) -> String {
        let fields = Fields::default().with("ended", &result.ended);
        match result.withdraws {
            Some(slot) => fields.with("withdraws", &[slot]).choice(),
            None => fields.choice(),
        }
    }

    /// The form that calls it to a chosen table, or moves it from its own to another. The lowest free table
    /// is chosen.
    fn call(&self) -> Option<(Button, Vec<Choice>)> {
        if !self.may(MatchAct::Call, CommandKind::Call) {
            return None;
        }
        let (t, room) = (&self.t, &self.screen.state().room);
        let free = room.free_table();
        let taken: BTreeSet<TableNo> = room.calls.values().map(|call| call.table).collect();
        let here = room.calls.get(&self.at).map(|call| call.table);
        let open = room.tables.values().filter(|table| table.used_for != TableUse::Closed);
        let open = open.filter(|table| Some(table.table) != here).take(MOST_TABLES);
        let choice = |table: &Table| {
            let number = t.with("desk-table", "table", table.table.0);
            let label = match (taken.contains(&table.table), table.used_for) {
                (true, _) => format!("{number}, {}", t.get("desk-taken")),
                (false, TableUse::Reserved) => format!("{number}, {}", t.get("desk-reserved")),
                (false, _) => number,
            };
            Choice::new(table.table.0.to_string(), label, Some(table.table) == free)
        };
        let choices: Vec<Choice> = open.map(choice).collect();
        let command = Command::Call { division: self.at.division, number: self.at.number, table: None };
        let label = t.get(if here.is_some() { "desk-move" } else { "desk-call" });
        let button = Button::new(label, &command).then(self.desk.address(""));
        let button = if here.is_some() { button } else { button.main() };
        (!choices.is_empty()).then_some((button, choices))
    }

    fn postpone(&self) -> Option<Button> {
        let MatchRef { division, number } = self.at;
        let command = Command::Postpone { division, number, until: None };
        let button = || Button::new(self.t.get("desk-postpone"), &command).then(self.desk.address(""));
        self.may(MatchAct::Postpone, CommandKind::Postpone).then(button)
    }

    /// Further acts: begin, take the call back, resume, open the sheet.
    fn room(&self) -> Vec<Button> {
        let MatchRef { division, number } = self.at;
        let here = self.desk.match_page(&self.at);
        // The sheet does not exist until the command has opened it.
        let sheet = format!("{here}?to=sheet");
        let acts = [
            (MatchAct::Begin, "desk-begin", Command::Begin { division, number }, &here),
            (MatchAct::Uncall, "desk-uncall", Command::Uncall { division, number }, &here),
            (MatchAct::Resume, "desk-resume", Command::Resume { division, number }, &here),
            (
                MatchAct::OpenSheet,
                "desk-open-sheet",
                Command::OpenSheet { division, number, sheet: None },
                &sheet,
            ),
        ];
        let may = acts.into_iter().filter(|(act, _, command, _)| self.may(*act, command.into()));
        may.map(|(_, key, command, then)| Button::new(self.t.get(key), &command).then(then)).collect()
    }

    /// Its players, who are withdrawn, disqualified or reinstated on pages of their own.
    fn players(&self) -> impl Iterator<Item = EntryNo> {
        self.found.occupants.into_iter().filter_map(|occupant| occupant.entry())
    }
}
