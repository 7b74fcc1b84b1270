//! The draw, the room and the money at the desk.

use actix_web::{HttpRequest, HttpResponse, web};

use super::{draw_by_hand, status};
use crate::pages::LivePage as _;
use crate::pages::Tab;
use crate::pages::directing::{DrawingPage, PaymentsPage, TablesPage, drawing, payments, tables};
use crate::visitor::{self, Visitor};
use owlbox_base::values::TournamentId;
use owlbox_desk::Refused;
use owlbox_http::problem::Problem;
use owlbox_play::tournament::CommandKind;
use owlbox_play::tournament::room::DivisionNo;

pub(crate) async fn draw(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    answer_draw(&visitor, id, number, visitor::is_partial(&request), None).await
}

/// The current draw.
pub(super) async fn answer_draw(
    visitor: &Visitor,
    id: TournamentId,
    number: DivisionNo,
    partial: bool,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let screen = draw_by_hand::load(visitor, id, number).await?;
    let frame = visitor.frame(&visitor.t.get("the-draw"), Some(Tab::Tournaments));
    let page = super::page(visitor, &screen, &drawing::below(number), problem, |context, desk| {
        DrawingPage::new(context, frame, desk, number)
    });
    let page = page.ok_or(Refused::NotFound("division"))?;
    visitor::html(status(problem), page.rendered(partial))
}

pub(crate) async fn room(
    visitor: Visitor,
    id: web::Path<TournamentId>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    answer_room(&visitor, *id, visitor::is_partial(&request), None).await
}

/// The current room.
pub(super) async fn answer_room(
    visitor: &Visitor,
    id: TournamentId,
    partial: bool,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let (screen, ()) = super::screen(visitor, id, CommandKind::Call, |looking| {
        let stream = looking.stream();
        looking.name(stream.state.players_in(&tables::matches_called(&stream.state.room)));
        Ok(())
    })
    .await?;
    let frame = visitor.frame(&visitor.t.get("desk-room"), Some(Tab::Tournaments));
    let page = super::page(visitor, &screen, "/room", problem, |context, desk| {
        TablesPage::new(context, frame, desk)
    });
    visitor::html(status(problem), page.rendered(partial))
}

pub(crate) async fn money(
    visitor: Visitor,
    id: web::Path<TournamentId>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    answer_money(&visitor, *id, visitor::is_partial(&request), None).await
}

/// The current money page; not found if the tournament has no currency.
pub(super) async fn answer_money(
    visitor: &Visitor,
    id: TournamentId,
    partial: bool,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let (screen, ()) = super::screen(visitor, id, CommandKind::PayIn, |looking| {
        let stream = looking.stream();
        looking.name(payments::players_named(&stream.state));
        Ok(())
    })
    .await?;
    let frame = visitor.frame(&visitor.t.get("desk-money"), Some(Tab::Tournaments));
    let page = super::page(visitor, &screen, "/money", problem, |context, desk| {
        PaymentsPage::new(context, frame, desk)
    });
    let page = page.ok_or(Refused::NotFound("page"))?;
    visitor::html(status(problem), page.rendered(partial))
}
