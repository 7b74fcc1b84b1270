//! Somebody at the door: one form for pools, payment and check-in.

use actix_web::{HttpRequest, HttpResponse, web};

use super::return_page::ReturnPage;
use crate::problem::Problem;
use crate::site::form::Form;
use crate::site::visitor::{self, Visitor, redirect};
use owlbox_desk::Request;
use owlbox_desk::tournaments::Arrival;
use owlbox_domain::code::Code;
use owlbox_domain::tournament::bracket::EntryNo;
use owlbox_domain::tournament::room::DivisionNo;
use owlbox_domain::values::TournamentId;

pub(in crate::site) async fn arrive(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo, EntryNo)>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, division, entry) = path.into_inner();
    let actor = visitor.actor()?;
    let partial = visitor::is_partial(&request);
    let here = ReturnPage::from_address(id, form.text("here"));
    let idempotency = form.idempotency(request.path(), &form.choices())?;
    let request = Request { actor, expected: None, idempotency };
    let arrival = Arrival {
        // A page that offers pools says so, as an unticked one sends nothing.
        side_pools: form.some("pools").map(|_| form.numbers("side_pools")).transpose()?,
        owed: form.number("owed")?,
    };
    match visitor.service.desk.arrive(request, id, division, entry, arrival).await.map_err(Problem::from) {
        Ok(_) if partial => here.answer(&visitor, id, true, None).await,
        Ok(_) => Ok(redirect(&here.address)),
        // Another has checked them in meanwhile.
        Err(problem) if problem.code == Code::NothingChanges && !partial => Ok(redirect(&here.address)),
        Err(problem) if problem.is_for_no_page() => Err(problem),
        Err(problem) => here.answer(&visitor, id, partial, Some(&problem)).await,
    }
}
