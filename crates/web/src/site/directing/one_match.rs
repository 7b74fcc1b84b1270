//! A match at the desk: entering its result, and correcting it.

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;

use super::{DirectorData, status};
use crate::problem::Problem;
use crate::site::visitor::{self, Visitor, redirect};
use owlbox_desk::Refused;
use owlbox_domain::matches::MatchNo;
use owlbox_domain::tournament::CommandKind;
use owlbox_domain::tournament::bracket::Later;
use owlbox_domain::tournament::division::Division;
use owlbox_domain::tournament::room::{DivisionNo, MatchRef};
use owlbox_domain::values::TournamentId;
use owlbox_pages::LivePage as _;
use owlbox_pages::Tab;
use owlbox_pages::directing::correction::{Chosen, CorrectionPage, Preview, chosen_correction};
use owlbox_pages::directing::{CommandButton, MatchPage, words};

/// The match that an address names.
type At = web::Path<(TournamentId, DivisionNo, MatchNo)>;

/// Where the page of a match redirects to, if anywhere.
#[derive(Debug, Deserialize)]
pub(in crate::site) struct OnQuery {
    to: Option<String>,
}

/// The page of a match; with `?to=sheet`, a redirect to its sheet.
pub(in crate::site) async fn show(
    visitor: Visitor,
    path: At,
    query: web::Query<OnQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, division, number) = path.into_inner();
    if query.to.as_deref() == Some("sheet") {
        let data = DirectorData::load(&visitor, id, CommandKind::Result).await?;
        let of = data.stream.state.division(division);
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
    let mut data = DirectorData::load(visitor, id, CommandKind::Result).await?;
    let players = words::in_matches(&data.stream.state, &[at]);
    data.name(visitor, players).await?;
    let frame = visitor.frame(&visitor.t.get("desk-result"), Some(Tab::Tournaments));
    let page =
        data.render(visitor, &below(at), problem, |context, desk| MatchPage::new(context, frame, desk, at));
    let page = page.ok_or(Refused::NotFound("match"))?;
    visitor::html(status(problem), page.rendered(partial))
}

/// What has been chosen for a correction.
#[derive(Debug, Default, Deserialize)]
pub(in crate::site) struct CorrectQuery {
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

/// Whether a match that the correction would change has been played: only then is there something to choose.
async fn is_played_since(
    visitor: &Visitor,
    data: &mut DirectorData,
    at: MatchRef,
    chosen: &Chosen,
) -> Result<bool, Problem> {
    let standing = Chosen { later: Some(Later::Stands), ..chosen.clone() };
    let command =
        data.render(visitor, "", None, |context, _| chosen_correction(context, at, &standing)?.command);
    let Some(command) = command else { return Ok(true) };
    let Ok(tried) = data.tried(visitor, command).await? else { return Ok(true) };
    let before = &tried.here.before.state;
    let found = |other: &MatchRef| before.division(other.division)?.bracket.get(other.number);
    let mut others = tried.touched().into_iter().filter(|other| *other != at);
    Ok(others.any(|other| found(&other).is_some_and(Division::is_played)))
}

/// The form of a correction: what has been chosen so far, and every match that it would change.
pub(in crate::site) async fn correct(
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
    let MatchRef { division, number } = at;
    let mut chosen = chosen.chosen();
    let mut data = DirectorData::load(visitor, id, CommandKind::Correct).await?;
    let found = data.stream.state.division(division).and_then(|of| of.bracket.get(number));
    let has_result = found.ok_or(Refused::NotFound("match"))?.outcome.is_some();
    if !has_result {
        return Ok(redirect(&owlbox_pages::directing::address(id, &below(at))));
    }
    data.name(visitor, words::in_matches(&data.stream.state, &[at])).await?;
    let here = format!("{}/correct{}", below(at), chosen.query());
    let asks_later = chosen.later.is_some() || is_played_since(visitor, &mut data, at, &chosen).await?;
    if !asks_later {
        chosen.later = Some(Later::Stands);
    }
    let command =
        data.render(visitor, &here, None, |context, _| chosen_correction(context, at, &chosen)?.command);
    let tried = match command {
        None => None,
        Some(command) => Some((command.clone(), data.tried(visitor, command).await?)),
    };
    let frame = visitor.frame(&visitor.t.get("desk-correct-title"), Some(Tab::Tournaments));
    let mut answered = status(problem);
    let page = data.render(visitor, &here, problem, |context, mut desk| {
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
                let button = CommandButton::new(label, &command, context.match_path(at)).main();
                let after = &preview.here.after.stream.state;
                page.preview = Some(Preview::new(context, after, &touched, button, context.version));
            }
            Some((_, Err(problem))) => {
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
