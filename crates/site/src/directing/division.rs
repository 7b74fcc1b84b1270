//! The form of a division, a new one or an existing one. A refused form is shown again as it was typed, with
//! the mistake above it.

use actix_web::{HttpRequest, HttpResponse, web};

use super::about::form_request;
use super::division_form::{APART, CLOCKS, MOVES, form_of, formats, offered, payout, schedules, settings};
use super::frame::{DeskFrame, address, on_the_desk};
use super::own_prizes::{NoSchedule, PRIZES, amounts, label};
use crate::form::{Form, invalid};
use crate::pages::button::Button;
use crate::pages::{Fields, Frame, LivePage as _};
use crate::playing::{Playing, TICKED};
use crate::sentences::tournament::TournamentSentences;
use crate::visitor::{Visitor, redirect};
use owlbox_base::code::Code;
use owlbox_base::values::TournamentId;
use owlbox_desk::Refused;
use owlbox_desk::tournaments::{Order, TournamentScreen};
use owlbox_http::problem::Problem;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::DivisionNo;
use owlbox_play::tournament::settings::DivisionSettings;
use owlbox_play::tournament::{Command, CommandKind, Tournament};

/// `/tournaments/{id}/desk/{division}/settings`, `/tournaments/{id}/desk/new-division`
#[derive(Debug)]
pub(super) struct DivisionPage<'a> {
    pub t: TournamentSentences<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub desk: DeskFrame<'a>,
    /// `None` for a new one.
    pub of: Option<&'a Division>,
    /// Its present settings; the usual ones of a new division.
    pub before: &'a DivisionSettings,
    /// What the form is filled with: these, or what was sent.
    pub form: &'a Form,
    /// The name of the field with a refused value. Empty if there is none.
    pub wrong: &'a str,
}
on_the_desk! { DivisionPage<'a>: "directing/division.html" }

impl DivisionPage<'_> {
    /// The settings that the form asks for. `None` if they are refused.
    fn asked(&self) -> Option<DivisionSettings> {
        settings(self.form, self.before, self.screen.state().currency(), self.t.writing()).ok()
    }

    /// Why the percentages are no schedule.
    fn no_schedule(&self) -> Option<NoSchedule> {
        payout(self.form, self.before).and_then(Result::err)
    }

    /// The button. The command is built from the fields when the form arrives.
    fn save(&self) -> Button {
        let label = self.t.get(if self.of.is_some() { "about-save" } else { "desk-add-division" });
        let button = Button::of_form(label, Fields::default()).then(self.desk.here());
        if self.of.is_some() { button.in_place_of(self.before) } else { button }
    }
}

/// The form of a division; without a number, of a new one.
async fn answer(
    visitor: &Visitor,
    id: TournamentId,
    division: Option<DivisionNo>,
    sent: Option<&Form>,
) -> Result<HttpResponse, Problem> {
    let needed = if division.is_some() { CommandKind::ChangeDivision } else { CommandKind::AddDivision };
    let screen = super::bare_screen(visitor, id, needed).await?;
    let of = division.map(|division| screen.division(division)).transpose()?;
    let before = before(&screen, division)?;
    let present = form_of(&visitor.t, &before, screen.state().currency());
    let sent = sent.map(|sent| laid_over(sent, &present));
    let below = division.map_or_else(|| "/new-division".to_owned(), |of| format!("/{}/settings", of.0));
    let title = if division.is_some() { "division-title" } else { "desk-add-division" };
    let (t, frame, desk) = super::surroundings(visitor, &screen, title, &below);
    let page = DivisionPage {
        t,
        frame,
        screen: &screen,
        // A live update would overwrite what is being typed.
        desk: desk.of_form(),
        of,
        before: &before,
        form: sent.as_ref().unwrap_or(&present),
        wrong: visitor.problem().and_then(|problem| problem.field.as_deref()).unwrap_or_default(),
    };
    visitor.answer(page.whole())
}

/// The form that was sent, with the present values of fields that it did not have: which those are depends on
/// whether the division was drawn, and for money. A box that is not ticked is never sent.
fn laid_over(sent: &Form, present: &Form) -> Form {
    let kept = present.sent().filter(|(name, value)| *value != TICKED && !sent.ticked(name));
    Form::filled(&sent.sent().chain(kept).collect::<Vec<_>>())
}

pub(crate) async fn show(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
) -> Result<HttpResponse, Problem> {
    let (id, division) = path.into_inner();
    answer(&visitor, id, Some(division), None).await
}

pub(crate) async fn show_new(visitor: Visitor, id: web::Path<TournamentId>) -> Result<HttpResponse, Problem> {
    answer(&visitor, *id, None, None).await
}

pub(crate) async fn change(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, division) = path.into_inner();
    save(visitor, id, Some(division), &form, request.path()).await
}

pub(crate) async fn add(
    visitor: Visitor,
    id: web::Path<TournamentId>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    save(visitor, *id, None, &form, request.path()).await
}

async fn save(
    visitor: Visitor,
    id: TournamentId,
    division: Option<DivisionNo>,
    form: &Form,
    path: &str,
) -> Result<HttpResponse, Problem> {
    visitor.actor()?;
    if form.ticked("look") {
        // It asks only what the prizes would come to.
        return looked_at(visitor, id, division, form, path).await;
    }
    match saved(&visitor, id, division, form, path).await {
        Ok(()) => Ok(redirect(&address(id, if division.is_some() { "/settings" } else { "" }))),
        Err(problem) if [401, 403, 404].contains(&problem.status) => Err(problem),
        Err(problem) => answer(&visitor.refused(path, form, &problem), id, division, Some(form)).await,
    }
}

/// The settings that a form starts from.
fn before(screen: &TournamentScreen, division: Option<DivisionNo>) -> Result<DivisionSettings, Refused> {
    let of = division.map(|division| screen.division(division)).transpose()?;
    Ok(of.map_or_else(DivisionSettings::default, |of| (*of.settings).clone()))
}

/// The form as it was typed, with what the prizes would come to.
async fn looked_at(
    visitor: Visitor,
    id: TournamentId,
    division: Option<DivisionNo>,
    form: &Form,
    path: &str,
) -> Result<HttpResponse, Problem> {
    let needed = if division.is_some() { CommandKind::ChangeDivision } else { CommandKind::AddDivision };
    let screen = super::bare_screen(&visitor, id, needed).await?;
    let before = before(&screen, division)?;
    let visitor = match settings(form, &before, screen.state().currency(), visitor.t.writing()) {
        Ok(_) => visitor,
        Err((field, error)) => visitor.refused(path, form, &invalid(field, &error)),
    };
    answer(&visitor, id, division, Some(form)).await
}

async fn saved(
    visitor: &Visitor,
    id: TournamentId,
    division: Option<DivisionNo>,
    form: &Form,
    path: &str,
) -> Result<(), Problem> {
    let needed = if division.is_some() { CommandKind::ChangeDivision } else { CommandKind::AddDivision };
    let screen = super::bare_screen(visitor, id, needed).await?;
    let before = before(&screen, division)?;
    if !form.ticked("house_keeps") {
        let why = "the form is not whole";
        return Err(Problem::new(Code::InvalidValue, why).about("house_keeps"));
    }
    let settings = settings(form, &before, screen.state().currency(), visitor.t.writing())
        .map_err(|(field, error)| invalid(field, &error))?;
    form.check_seen(&before, &settings)?;
    let settings = Box::new(settings);
    let mut request = form_request(visitor, form, path)?;
    let command = match division {
        Some(division) => {
            request.expected = Some(screen.stream.version);
            Command::ChangeDivision { division, settings }
        }
        None => Command::AddDivision { settings },
    };
    visitor.service.desk.command::<Tournament>(request, id, Order::Command(command)).await?;
    Ok(())
}
