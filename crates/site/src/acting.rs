//! Acts: forms that give a command to a chouette, a match or a tournament. Their fields are the command
//! ([`crate::pages::fields`]).

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::form::{Form, Object, decoded};
use super::previewed;
use super::visitor::{self, Visitor, redirect};
use owlbox_base::journal::Version;
use owlbox_desk::Request;
use owlbox_desk::commands::history::Order;
use owlbox_desk::commands::subject::{Preview, Subject};
use owlbox_http::problem::Problem;

/// A form sent to a stream.
pub(super) struct Submission<'a, A: Subject> {
    pub visitor: &'a Visitor,
    pub id: A::Id,
    pub form: &'a Form,
    pub path: &'a str,
}

/// A stream whose pages have forms that are acts.
pub(super) trait Acted: Subject<Command: DeserializeOwned> {
    /// Puts what is meant in place of what people type, where that depends on the state or on what they read.
    ///
    /// # Errors
    /// It cannot be read.
    async fn convert(sent: &Submission<'_, Self>, command: &mut Object) -> Result<(), Problem>;

    /// Carries out the command. The answer is the version that it led to.
    ///
    /// # Errors
    /// It is none, or refused.
    async fn carry_out(
        sent: &Submission<'_, Self>,
        request: Request,
        command: Object,
    ) -> Result<Version, Problem> {
        let order: Order<Self::Command> = decoded(command)?;
        let answer = sent.visitor.service.desk.command::<Self>(request, sent.id, order).await?;
        Ok(answer.act.version)
    }

    /// What the command would do now, in words, and the version it is previewed at. Nothing is recorded.
    ///
    /// # Errors
    /// It is none, or refused, or nothing can be said beforehand.
    async fn previewed(
        sent: &Submission<'_, Self>,
        request: Request,
        command: Object,
    ) -> Result<(String, Version), Problem> {
        let order: Order<Self::Command> = decoded(command)?;
        let preview = sent.visitor.service.desk.preview::<Self>(request, sent.id, order).await?;
        Ok((Self::in_words(sent, &preview).await?, preview.here.before.version))
    }

    /// What a previewed act would do, in words.
    ///
    /// # Errors
    /// The store failed, or the visitor may not see it.
    async fn in_words(sent: &Submission<'_, Self>, preview: &Preview<Self>) -> Result<String, Problem>;
}

/// The page that an act leads to.
pub(super) enum Next {
    /// That of its form, which a script reads anew. Without scripts the act leads to this address.
    Same(String),
    Another(String),
}

/// The stream whose id is in the address, whatever else is.
#[derive(Deserialize)]
pub(super) struct OfStream<I> {
    pub id: I,
}

/// Carries out an act, then answers with the page that follows, or redirects to it. `page` shows the page
/// that the form is on, or the live part of it alone.
pub(super) async fn act<A: Acted>(
    visitor: Visitor,
    id: A::Id,
    form: &Form,
    request: &HttpRequest,
    next: Next,
    page: impl AsyncFnOnce(&Visitor, bool) -> Result<HttpResponse, Problem>,
) -> Result<HttpResponse, Problem> {
    // First: without a sign-in there is no page to show, whatever else is wrong with the form.
    visitor.actor()?;
    let partial = visitor::is_partial(request);
    let done = carried_out(&Submission::<A> { visitor: &visitor, id, form, path: request.path() }).await;
    match done {
        Ok(_) if !partial => {
            let (Next::Same(page) | Next::Another(page)) = next;
            Ok(redirect(&page))
        }
        // A script stays on its page, or moves on by itself.
        Ok(version) if matches!(next, Next::Same(_)) => {
            Ok(visitor::with_version(page(&visitor, partial).await?, version))
        }
        Ok(version) => Ok(visitor::with_version(HttpResponse::NoContent().finish(), version)),
        // The page is not shown to somebody who may not see it.
        Err(problem) if problem.is_for_no_page() => Err(problem),
        Err(problem) => page(&visitor.refused(visitor::address_of(request), form, &problem), partial).await,
    }
}

/// What an act would do now. Nothing is recorded.
pub(super) async fn preview<A: Acted>(
    visitor: Visitor,
    of: web::Path<OfStream<A::Id>>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let asks = Request::by(visitor.actor()?);
    // A stream that is missing is not found, whatever the form says.
    visitor.service.desk.find::<A>(of.id).await?;
    let sent = Submission::<A> { visitor: &visitor, id: of.id, form: &form, path: request.path() };
    previewed::answer(&visitor, async {
        let mut command = form.command()?;
        A::convert(&sent, &mut command).await?;
        A::previewed(&sent, asks, command).await
    })
    .await
}

async fn carried_out<A: Acted>(sent: &Submission<'_, A>) -> Result<Version, Problem> {
    let Submission { visitor, form, path, .. } = sent;
    let mut command = form.command()?;
    let request = Request {
        actor: visitor.actor()?,
        expected: form.version()?,
        idempotency: form.idempotency_of_act(path)?,
    };
    A::convert(sent, &mut command).await?;
    A::carry_out(sent, request, command).await
}

/// Puts the points at which a match stopped into its result: `points_then[upper]` and `[lower]` as typed, 0
/// for a side without any, as its input says.
pub(super) fn put_points(result: Option<&mut Value>, points: Option<Value>) {
    let (Some(Value::Object(result)), Some(Value::Object(mut points))) = (result, points) else { return };
    let score = ["upper", "lower"].map(|side| points.remove(side).unwrap_or_else(|| Value::from(0)));
    result.insert("score".to_owned(), Value::from(score.to_vec()));
}
