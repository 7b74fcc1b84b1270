//! The page that the code on a player's card opens: their next match, their table, and a form for the result.
//! It needs no password, and can do nothing else.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template as _;
use uuid::Uuid;

use super::TournamentData;
use super::own::way_of;
use super::words::from_in_words;
use crate::form::Form;
use crate::pages::tournaments::{ReportForm, Tap};
use crate::visitor::{self, Visitor, redirect};
use owlbox_base::code::Code;
use owlbox_base::values::PlayerId;
use owlbox_desk::tournaments::Order;
use owlbox_desk::tournaments::TournamentReader;
use owlbox_desk::tournaments::links::Linked;
use owlbox_desk::{Actor, Idempotency, Refused, Request};
use owlbox_http::problem::{Problem, not_found};
use owlbox_play::matches::{MatchNo, Slot};
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::{Command, Tournament};

/// The entry that a link speaks for. An invalid link is not sent to the sign-in: only a new card would help.
async fn linked(visitor: &Visitor, link: &str) -> Result<Linked, Problem> {
    match visitor.service.desk.linked(link).await {
        Err(Refused::Unauthorised(_) | Refused::NotFound(_)) => {
            Err(Problem::new(Code::CardNoGood, "the link on this card is not valid any more"))
        }
        answer => Ok(answer?),
    }
}

pub(crate) async fn show(visitor: Visitor, link: web::Path<String>) -> Result<HttpResponse, Problem> {
    let linked = linked(&visitor, &link).await?;
    page(&visitor, &link, linked, None).await
}

/// Reports the result of the player's match.
pub(crate) async fn report(
    visitor: Visitor,
    link: web::Path<String>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let linked = linked(&visitor, &link).await?;
    let said = match ReportedScore::from_form(&form, request.path()) {
        Err(problem) if problem.status != 404 => return page(&visitor, &link, linked, Some(problem)).await,
        said => said?,
    };
    let Linked { actor, tournament, division, entry } = linked;
    let (command, request) = said.by(division, entry, actor);
    match visitor.service.desk.command::<Tournament>(request, tournament, Order::Command(command)).await {
        Ok(_) => Ok(redirect(&format!("/e/{link}"))),
        Err(refused) if refused.code() == Code::NothingChanges => Ok(redirect(&format!("/e/{link}"))),
        Err(refused) => page(&visitor, &link, linked, Some(refused.into())).await,
    }
}

/// The form's score for withdrawing a report.
const TAKEN_BACK: &str = "none";

/// A player's report of a result, as a form sends it.
pub(super) struct ReportedScore {
    number: MatchNo,
    score: Option<[u16; 2]>,
    players: Option<[EntryNo; 2]>,
    once: Option<Idempotency>,
}

impl ReportedScore {
    /// # Errors
    /// The form names no match, or the score is malformed.
    pub(super) fn from_form(form: &Form, path: &str) -> Result<Self, Problem> {
        let number = form.text("match").parse().map(MatchNo).map_err(|_| not_found())?;
        let score = match form.text("score") {
            TAKEN_BACK => None,
            score => Some(pair(score).ok_or_else(bad_score)?),
        };
        let players = pair(form.text("players")).map(|players| players.map(EntryNo));
        // The same form sent twice acts once.
        let said = format!("{} {}", form.text("match"), form.text("score"));
        Ok(Self { number, score, players, once: form.idempotency(path, &said)? })
    }

    pub(super) const fn number(&self) -> MatchNo {
        self.number
    }

    /// The report as a command of this entry.
    pub(super) fn by(self, division: DivisionNo, entry: EntryNo, actor: Actor) -> (Command, Request) {
        let Self { number, score, players, once } = self;
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
    Problem::new(Code::BadScore, "this is no score of that match").about("score")
}

async fn page(
    visitor: &Visitor,
    link: &str,
    linked: Linked,
    problem: Option<Problem>,
) -> Result<HttpResponse, Problem> {
    let player = PlayerId(linked.actor.account.0);
    let look = move |looking: &mut TournamentReader<'_>| way_of(looking, player);
    let (data, from) = TournamentData::seen_by(visitor, Some(linked.actor), linked.tournament, look).await?;
    let here = format!("/e/{link}");
    let mut page = data.entrant_page(visitor, player, &from_in_words(from.as_ref()));
    page.report = data.report_form(visitor, linked.division, linked.entry, &here);
    page.live.page.clone_from(&here);
    if !data.about.public {
        // The link shows nobody more of a private tournament than this page.
        page.live.stream = None;
        page.around.home = here;
    }
    let status = problem.as_ref().map_or(StatusCode::OK, visitor::status);
    page.frame.notice = problem.map(|problem| visitor.notice(&problem)).or(page.frame.notice);
    visitor::html(status, page.render())
}

impl TournamentData {
    /// The form for reporting the result of the entry's current match; `None` if there is none to report.
    pub(super) fn report_form(
        &self,
        visitor: &Visitor,
        division: DivisionNo,
        entry: EntryNo,
        action: &str,
    ) -> Option<ReportForm> {
        let t = &visitor.t;
        let of = self.state().division(division)?;
        let (number, at) = of.current(entry).filter(|(_, at)| at.is_ready())?;
        if !self.asks_for_result(MatchRef { division, number }, visitor.service.desk.now()) {
            return None;
        }
        let mine = Slot::BOTH.into_iter().find(|slot| at.occupant(*slot).entry() == Some(entry))?;
        let own_first = |[upper, lower]: [u16; 2]| match mine {
            Slot::Upper => [upper, lower],
            Slot::Lower => [lower, upper],
        };
        let in_words = |score: [u16; 2]| {
            let [mine, theirs] = own_first(score);
            t.fill("report-score", &[("mine", &mine), ("theirs", &theirs)])
        };
        let reports = of.reports.get(&number).copied().unwrap_or_default();
        let [own, other] = match mine {
            Slot::Upper => reports,
            Slot::Lower => [reports[1], reports[0]],
        };
        let opponent = self.names.of_entry(t, of, at.occupant(mine.other()).entry()?);
        let length = of.length(at).points();
        let tap = |score: [u16; 2]| Tap {
            label: in_words(score),
            score: format!("{}-{}", score[0], score[1]),
            chosen: own == Some(score),
        };
        // The taps list own points first; scores are sent upper slot first.
        let won = (0..length).map(|lost| tap(own_first([length, lost]))).collect();
        let lost = (0..length).map(|won| tap(own_first([won, length]))).collect();
        let said = [
            own.map(|score| t.with("report-you-said", "score", in_words(score))),
            other.map(|score| {
                t.fill("report-other-said", &[("name", &opponent), ("score", &in_words(score))])
            }),
            own.zip(other).filter(|(own, other)| own != other).map(|_| t.get("report-differ")),
        ];
        let [upper, lower] = at.players()?;
        let agrees = |score| Tap { label: t.with("report-confirm", "score", in_words(score)), ..tap(score) };
        Some(ReportForm {
            confirm: other.filter(|_| own != other).map(agrees),
            action: action.to_owned(),
            division: division.0,
            key: Uuid::now_v7().to_string(),
            number: number.0,
            players: format!("{}-{}", upper.0, lower.0),
            taken_back: own.map(|_| TAKEN_BACK),
            said: said.into_iter().flatten().collect(),
            taps: [(t.get("report-won"), won), (t.get("report-lost"), lost)],
        })
    }
}
