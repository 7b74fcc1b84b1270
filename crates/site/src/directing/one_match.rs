//! A match at the desk: entering its result, and correcting it.

use std::collections::BTreeSet;
use std::ops::Range;

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;

use super::status;
use crate::pages::button::Button;
use crate::pages::directing::correction::{
    Chosen, CorrectionPage, LEAVES, Preview, asked_of_walkover, ended, otherwise,
};
use crate::pages::directing::{DirectorContext, Heading, on_the_desk, words};
use crate::pages::{Choice, Fields, Frame, LivePage as _, Tab};
use crate::visitor::{self, Visitor, redirect};
use owlbox_base::values::TournamentId;
use owlbox_desk::Refused;
use owlbox_desk::commands::subject::Preview as Tested;
use owlbox_desk::tournaments::TournamentReader;
use owlbox_http::problem::Problem;
use owlbox_play::matches::{MatchNo, Slot};
use owlbox_play::tournament::bracket::{EntryNo, Later, Pairing};
use owlbox_play::tournament::command::Ended;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::legal::MatchAct;
use owlbox_play::tournament::room::{DivisionNo, MatchRef, Table, TableNo, TableUse};
use owlbox_play::tournament::{Command, CommandKind, Tournament};

/// The longest match whose result is one tap. In longer ones the loser's points are typed.
const MOST_TAPS: u16 = 25;
/// The most tables offered in a list.
const MOST_TABLES: usize = 200;

/// `/tournaments/{id}/desk/{division}/matches/{n}`
#[derive(Debug)]
pub(crate) struct MatchPage<'a> {
    pub t: DirectorContext<'a>,
    pub frame: Frame,
    pub desk: Heading,
    pub at: MatchRef,
    pub of: &'a Division,
    pub found: &'a Pairing,
    /// What can be done with it.
    pub acts: Vec<MatchAct>,
}
on_the_desk! { MatchPage<'a>: "directing/match.html" }

/// The match that an address names.
type At = web::Path<(TournamentId, DivisionNo, MatchNo)>;

/// Where the page of a match redirects to, if anywhere.
#[derive(Debug, Deserialize)]
pub(crate) struct OnQuery {
    to: Option<String>,
}

/// The page of a match; with `?to=sheet`, a redirect to its sheet.
pub(crate) async fn show(
    visitor: Visitor,
    path: At,
    query: web::Query<OnQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, division, number) = path.into_inner();
    if query.to.as_deref() == Some("sheet") {
        let screen = super::bare_screen(&visitor, id, CommandKind::Result).await?;
        let of = screen.state().division(division);
        if let Some(sheet) = of.and_then(|of| of.sheet(number)) {
            return Ok(redirect(&format!("/matches/{sheet}")));
        }
    }
    answer(&visitor, id, MatchRef { division, number }, visitor::is_partial(&request), None).await
}

fn below(at: MatchRef) -> String {
    format!("/{}/matches/{}", at.division.0, at.number.0)
}

/// The current page, whole or only its live part.
pub(super) async fn answer(
    visitor: &Visitor,
    id: TournamentId,
    at: MatchRef,
    partial: bool,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let (screen, ()) = super::screen(visitor, id, CommandKind::Result, move |looking| {
        looking.name(looking.stream().state.players_in(&[at]));
        Ok(())
    })
    .await?;
    let frame = visitor.frame(&visitor.t.get("desk-result"), Some(Tab::Tournaments));
    let of = screen.state().division(at.division).ok_or(Refused::NotFound("match"))?;
    let found = of.bracket.get(at.number).ok_or(Refused::NotFound("match"))?;
    let acts = screen.state().match_acts(at);
    let page = super::page(visitor, &screen, &below(at), problem, |t, desk| MatchPage {
        t: *t,
        frame,
        desk,
        at,
        of,
        found,
        acts,
    });
    visitor::html(status(problem), page.rendered(partial))
}

impl MatchPage<'_> {
    /// Whether this can be done with the match, by this viewer.
    fn may(&self, act: MatchAct, command: CommandKind) -> bool {
        self.acts.contains(&act) && self.t.may(command)
    }

    fn length(&self) -> u16 {
        self.of.length(self.found).points()
    }

    /// The outcome in a sentence.
    fn outcome(&self) -> Option<String> {
        self.found.outcome.map(|outcome| words::outcome(&self.t, &self.t.pair(&self.at), outcome))
    }

    /// The form for its result: the command without it.
    fn ask(&self) -> Option<Button> {
        let MatchRef { division, number } = self.at;
        let fields = Fields::lacking(CommandKind::Result).with("division", &division).with("match", &number);
        let fields = fields.with("players", &self.t.sit(self.at));
        let button = || Button::of_form(self.t.get("desk-result"), fields).then(self.t.address(""));
        self.may(MatchAct::Result, CommandKind::Result).then(button)
    }

    /// The points of a loser that are one tap each, fewest first. In a long match they are typed.
    fn taps(&self) -> Range<u16> {
        0..if self.length() <= MOST_TAPS { self.length() } else { 0 }
    }

    /// What a button for a score sets.
    fn won(&self, slot: &Slot, lost: u16) -> String {
        choice(&format!("played-{}-{lost}", slot.name()), self.length())
    }

    /// The results that are not a score, such as a walkover: what each sets, and its label.
    fn otherwise(&self) -> Vec<(String, String)> {
        let names = self.t.pair(&self.at);
        let endings = otherwise(&self.t, &names).into_iter();
        let endings = endings.flat_map(|ending| asked_of_walkover(&self.t, self.at, &names, ending));
        endings.map(|ending| (choice(&ending.value, self.length()), ending.label)).collect()
    }

    /// The form that calls it to a chosen table, or moves it from its own to another. The lowest free table is
    /// chosen.
    fn call(&self) -> Option<(Button, Vec<Choice>)> {
        if !self.may(MatchAct::Call, CommandKind::Call) {
            return None;
        }
        let (t, room) = (&self.t, &self.t.state.room);
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
        let button = Button::new(label, &command).then(t.address(""));
        let button = if here.is_some() { button } else { button.main() };
        (!choices.is_empty()).then_some((button, choices))
    }

    fn postpone(&self) -> Option<Button> {
        let MatchRef { division, number } = self.at;
        let command = Command::Postpone { division, number, until: None };
        let button = || Button::new(self.t.get("desk-postpone"), &command).then(self.t.address(""));
        self.may(MatchAct::Postpone, CommandKind::Postpone).then(button)
    }

    /// Further acts: begin, take the call back, resume, open the sheet.
    fn room(&self) -> Vec<Button> {
        let MatchRef { division, number } = self.at;
        let here = self.t.match_path(self.at);
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

/// What a button for a result sets.
fn choice(written: &str, length: u16) -> String {
    let ended = ended(written, length, None).flatten();
    let fields = Fields::default().with("ended", &ended);
    match ended {
        Some(Ended::Walkover { winner }) if written.ends_with(LEAVES) => {
            fields.with("withdraws", &[winner.other()]).choice()
        }
        _ => fields.choice(),
    }
}

/// What has been chosen for a correction.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct CorrectQuery {
    ended: Option<String>,
    later: Option<Later>,
    /// The loser's points, which are typed in a long match.
    #[serde(rename = "lost-upper")]
    lost_upper: Option<String>,
    #[serde(rename = "lost-lower")]
    lost_lower: Option<String>,
}

impl CorrectQuery {
    /// Reads the choices from an address's query.
    pub(super) fn from_address(address: &str) -> Self {
        super::query_of(address).unwrap_or_default()
    }

    fn chosen(self) -> Chosen {
        let typed = match self.ended.as_deref() {
            Some("played-upper") => self.lost_upper.map(|lost| format!("played-upper-{}", lost.trim())),
            Some("played-lower") => self.lost_lower.map(|lost| format!("played-lower-{}", lost.trim())),
            _ => None,
        };
        Chosen { ended: typed.or(self.ended), later: self.later }
    }
}

/// A correction that was tried: the command, and what it would do or why it is refused.
type Tried = (Command, Result<Tested<Tournament>, Refused>);

/// What the choices of a correction would do. If they lack the one for later results, they are tried as if these
/// stood.
fn tried(
    looking: &mut TournamentReader<'_>,
    at: MatchRef,
    chosen: &Chosen,
) -> Result<Option<Tried>, Refused> {
    let stream = looking.stream();
    looking.name(stream.state.players_in(&[at]));
    let standing = Chosen { later: chosen.later.or(Some(Later::Stands)), ..chosen.clone() };
    let correction = standing.correction(&stream.state, at).and_then(|correction| correction.command);
    correction.map(|command| Ok((command.clone(), looking.preview_command(command)?))).transpose()
}

/// Whether another match that the correction would change has been played: only then is there something to choose.
fn is_played_since(tested: &Tested<Tournament>, at: MatchRef) -> bool {
    let before = &tested.here.before.state;
    let found = |other: &MatchRef| before.division(other.division)?.bracket.get(other.number);
    let mut others = tested.touched().into_iter().filter(|other| *other != at);
    others.any(|other| found(&other).is_some_and(Division::is_played))
}

/// The form of a correction: what has been chosen so far, and every match that it would change.
pub(crate) async fn correct(
    visitor: Visitor,
    path: At,
    query: web::Query<CorrectQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, division, number) = path.into_inner();
    let (at, chosen) = (MatchRef { division, number }, query.into_inner());
    answer_correction(&visitor, id, at, chosen, visitor::is_partial(&request), None).await
}

/// The current form of a correction, with the choices from its address; after a refusal, with what it would
/// do now.
pub(super) async fn answer_correction(
    visitor: &Visitor,
    id: TournamentId,
    at: MatchRef,
    chosen: CorrectQuery,
    partial: bool,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let mut chosen = chosen.chosen();
    let looked = chosen.clone();
    let (screen, tried) = super::screen(visitor, id, CommandKind::Correct, move |looking| {
        let stream = looking.stream();
        let found = stream.state.division(at.division).and_then(|of| of.bracket.get(at.number));
        let has_result = found.ok_or(Refused::NotFound("match"))?.outcome.is_some();
        if has_result { tried(looking, at, &looked).map(Some) } else { Ok(None) }
    })
    .await?;
    let Some(tried) = tried else {
        return Ok(redirect(&crate::pages::directing::address(id, &below(at))));
    };
    let here = format!("{}/correct{}", below(at), chosen.query());
    let tested = tried.as_ref().and_then(|(_, tried)| tried.as_ref().ok());
    let asks_later = chosen.later.is_some() || tested.is_none_or(|tested| is_played_since(tested, at));
    if !asks_later {
        chosen.later = Some(Later::Stands);
    }
    let is_whole =
        chosen.correction(screen.state(), at).is_some_and(|correction| correction.command.is_some());
    let tried = tried.filter(|_| is_whole);
    let frame = visitor.frame(&visitor.t.get("desk-correct-title"), Some(Tab::Tournaments));
    let mut answered = status(problem);
    let page = super::page(visitor, &screen, &here, problem, |context, mut desk| {
        // No live updates while somebody is choosing: recording notices what has happened elsewhere.
        desk.live = false;
        let mut page = CorrectionPage::new(context, frame, desk, at, &chosen)?;
        if !asks_later {
            page.ways.clear();
        }
        match tried {
            Some((command, Ok(preview))) => {
                let touched: Vec<MatchRef> = preview.touched().into_iter().collect();
                let message = page.chosen.as_ref().map(|(_, message)| message.clone()).unwrap_or_default();
                let label = context.t.with("record", "what", message);
                let button = Button::new(label, &command).then(context.match_path(at)).main();
                let after = &preview.here.after.stream.state;
                page.preview = Some(Preview::new(context, after, &touched, button, context.version));
            }
            Some((_, Err(refused))) => {
                let problem = Problem::from(refused);
                answered = visitor::status(&problem);
                page.wrong = Some(context.t.error(problem.code));
            }
            None => {}
        }
        Some(page)
    });
    let page = page.ok_or(Refused::NotFound("match"))?;
    visitor::html(answered, page.rendered(partial))
}
