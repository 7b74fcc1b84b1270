//! A match at the desk: entering its result, and correcting it.

use crate::pages::button::Button;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;

use super::status;
use crate::pages::LivePage as _;
use crate::pages::Tab;
use crate::pages::directing::MatchPage;
use crate::pages::directing::correction::{Chosen, CorrectionPage, Preview};
use crate::visitor::{self, Visitor, redirect};
use owlbox_base::values::TournamentId;
use owlbox_desk::Refused;
use owlbox_desk::commands::subject::Preview as Tested;
use owlbox_desk::tournaments::TournamentReader;
use owlbox_http::problem::Problem;
use owlbox_play::matches::MatchNo;
use owlbox_play::tournament::bracket::Later;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::{Command, CommandKind, Tournament};

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
    let page = super::page(visitor, &screen, &below(at), problem, |context, desk| {
        MatchPage::new(context, frame, desk, at)
    });
    let page = page.ok_or(Refused::NotFound("match"))?;
    visitor::html(status(problem), page.rendered(partial))
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
        let query = address.split_once('?').map_or("", |(_, query)| query);
        let query = query.split('#').next().unwrap_or_default();
        web::Query::<Self>::from_query(query).map(web::Query::into_inner).unwrap_or_default()
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
