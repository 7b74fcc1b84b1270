//! All that is kept of a person, and their erasure.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template as _;
use serde::Deserialize;
use uuid::Uuid;

use super::form::{Form, invalid, malformed};
use super::visitor::{self, Visitor, redirect};
use crate::pages::privacy::{ErasePage, Person, PersonPage};
use crate::pages::{Frame, Tab};
use owlbox_base::permissions::Permission;
use owlbox_base::values::PlayerId;
use owlbox_books::club::players::PlayerName;
use owlbox_desk::Request;
use owlbox_http::problem::Problem;

pub(super) async fn show(visitor: Visitor, id: web::Path<PlayerId>) -> Result<HttpResponse, Problem> {
    let data = visitor.service.desk.personal_data(&visitor.actor()?, *id).await?;
    let person = Person::new(&visitor.t, &data);
    let title = visitor.t.with("person-of", "name", &person.name);
    let page = PersonPage {
        t: visitor.t,
        frame: visitor.frame(&title, Some(Tab::Players)),
        id: id.to_string(),
        person,
        may_erase: visitor.may(Permission::ManagePersonalData),
    };
    visitor::html(StatusCode::OK, page.render())
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Query {
    #[serde(default)]
    also: String,
}

pub(super) async fn erase(
    visitor: Visitor,
    id: web::Path<PlayerId>,
    query: web::Query<Query>,
) -> Result<HttpResponse, Problem> {
    erase_page(&visitor, *id, &query.also, None).await
}

async fn erase_page(
    visitor: &Visitor,
    id: PlayerId,
    also: &str,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    // What cannot be looked for is said above the page, which then looks for the rest.
    let (spellings, problem) = match spellings(also) {
        Ok(spellings) => (spellings, problem.cloned()),
        Err(wrong) => (Vec::new(), Some(wrong)),
    };
    let preview = visitor.service.desk.preview_erasure(&visitor.actor()?, id, spellings).await?;
    let t = visitor.t;
    let title = t.with("erase-title", "name", &preview.name);
    let (frame, status) = match &problem {
        Some(problem) => (visitor.frame_about(&title, Some(Tab::Players), problem), visitor::status(problem)),
        None => (visitor.frame(&title, Some(Tab::Players)), StatusCode::OK),
    };
    let page = ErasePage {
        t,
        frame: Frame { here: format!("/players/{id}/erase"), ..frame },
        id: id.to_string(),
        name: preview.name,
        pseudonym: preview.pseudonym,
        login: preview.login,
        also: also.to_owned(),
        texts: preview.texts.into_iter().map(|said| (said.text, said.after)).collect(),
        near: preview.near.into_iter().map(|miss| miss.text).collect(),
        refused: preview.refused.map(|rule| t.error(rule.code)),
        version: preview.version,
        key: Uuid::now_v7().to_string(),
    };
    visitor::html(status, page.render())
}

/// The spellings in a line, separated by commas.
fn spellings(also: &str) -> Result<Vec<PlayerName>, Problem> {
    let parts = also.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().map_err(|error| invalid("also", &error))).collect()
}

pub(super) async fn do_erase(
    request: HttpRequest,
    visitor: Visitor,
    id: web::Path<PlayerId>,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let (actor, also) = (visitor.actor()?, form.text("also").to_owned());
    let done = async {
        if !form.ticked("sure") {
            return Err(malformed("the box that says so is not ticked"));
        }
        let spellings = spellings(&also)?;
        let request = Request {
            expected: form.version()?,
            idempotency: form.idempotency(request.path(), &also)?,
            ..Request::by(actor)
        };
        Ok(visitor.service.desk.erase(request, *id, spellings).await?)
    };
    match done.await {
        Ok(_) => Ok(redirect("/players?saved")),
        Err(problem) => erase_page(&visitor, *id, &also, Some(&problem)).await,
    }
}
