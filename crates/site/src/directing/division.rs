//! The form of a division, a new one or an existing one. A refused form is shown again as it was typed, with
//! the mistake above it.

use crate::pages::button::Button;
use actix_web::{HttpRequest, HttpResponse, web};

use super::about::{form_request, wrong};
use super::status;
use crate::form::{Form, invalid};
use crate::pages::FormFields as _;
use crate::pages::LivePage as _;
use crate::pages::directing::about::{DivisionFields, DivisionPage, payout, settings};
use crate::pages::directing::address;
use crate::pages::directing::own_prizes::Amounts;
use crate::pages::{Choice, Fields, Tab};
use crate::visitor::{self, Visitor, redirect};
use owlbox_base::code::Code;
use owlbox_base::values::TournamentId;
use owlbox_desk::Refused;
use owlbox_desk::tournaments::Order;
use owlbox_http::problem::Problem;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::DivisionNo;
use owlbox_play::tournament::settings::Settings;
use owlbox_play::tournament::{Command, CommandKind, Tournament};

/// The form of a division; without a number, of a new one.
async fn answer(
    visitor: &Visitor,
    id: TournamentId,
    number: Option<DivisionNo>,
    form: Option<&Form>,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let needed = if number.is_some() { CommandKind::ChangeDivision } else { CommandKind::AddDivision };
    let screen = super::bare_screen(visitor, id, needed).await?;
    let state = screen.state();
    let of = number.map(|number| state.division(number).ok_or(Refused::NotFound("division"))).transpose()?;
    let currency = state.currency();
    let before = of.map_or_else(Settings::default, |of| (*of.settings).clone());
    let mut held = DivisionFields::new(&visitor.t, &before, currency);
    if let Some(form) = form {
        keep_typed(&mut held, form);
        if let Some(Err(wrong)) = payout(form, &before) {
            held.shares_refused(&visitor.t, wrong);
        }
    }
    let below = number.map_or_else(|| "/new-division".to_owned(), |number| format!("/{}/settings", number.0));
    let title = visitor.t.get(if number.is_some() { "division-title" } else { "desk-add-division" });
    let frame = visitor.frame(&title, Some(Tab::Tournaments));
    let typed = form.map(|form| settings(form, &before, currency, visitor.t.writing())).transpose();
    let amounts = currency.zip(typed.ok());
    let amounts = amounts
        .map(|(currency, typed)| Amounts::new(&visitor.t, of, typed.as_ref().unwrap_or(&before), currency));
    let page = super::page(visitor, &screen, &below, problem, |context, mut desk| {
        // A live update would overwrite what is being typed.
        desk.live = false;
        let label = context.t.get(if number.is_some() { "about-save" } else { "desk-add-division" });
        // The command is built from the fields when the form arrives.
        let button = Button::of_form(label, Fields::default()).then(desk.here.clone());
        let button = if of.is_some() { button.in_place_of(&before) } else { button };
        DivisionPage {
            t: *context.t,
            frame,
            button,
            action: desk.here.clone(),
            fields: held,
            currency: currency.map(|currency| currency.to_string()),
            amounts,
            drawn: of.is_some_and(Division::is_drawn),
            wrong: wrong(problem),
            desk,
        }
    });
    visitor::html(status(problem), page.whole())
}

/// Keeps what was typed into a form that was refused.
fn keep_typed(held: &mut DivisionFields, form: &Form) {
    let keep = |field: &mut String, name: &str| {
        if let Some(typed) = form.field(name) {
            typed.clone_into(field);
        }
    };
    let choose = |choices: &mut Vec<Choice>, name: &str| {
        let typed = form.text(name);
        if choices.iter().any(|choice| choice.value == typed) {
            choices.iter_mut().for_each(|choice| choice.chosen = choice.value == typed);
        }
    };
    keep(&mut held.name, "name");
    keep(&mut held.starts, "starts");
    let [lengths, consolation, last_chance] = &mut held.lengths;
    keep(lengths, "lengths");
    keep(consolation, "consolation_lengths");
    keep(last_chance, "last_chance_lengths");
    let [reserve, delay] = &mut held.clock_set;
    keep(reserve, "reserve");
    keep(delay, "delay");
    let [entry, registration, re_entry] = &mut held.fees;
    keep(entry, "entry");
    keep(registration, "registration");
    keep(re_entry, "re_entry");
    keep(&mut held.re_entries, "re_entries");
    keep(&mut held.kept, "house_keeps");
    keep(&mut held.side_pools, "side_pools");
    choose(&mut held.formats, "format");
    choose(&mut held.clock, "clock");
    choose(&mut held.moves, "moves");
    choose(&mut held.apart, "apart");
    choose(&mut held.payout, "payout");
    for share in &mut held.shares {
        keep(&mut share.typed, share.name);
    }
    (held.rated, held.holland) = (form.ticked("rated"), form.ticked("holland"));
    choose(&mut held.playing.variants, "variant");
    choose(&mut held.playing.cubes, "highest_cube");
    let ticks = &mut held.playing;
    ticks.no_crawford = form.ticked("no_crawford");
    ticks.strict_larger_die = form.ticked("strict_larger_die");
    ticks.closed_out_rolls = form.ticked("closed_out_rolls");
}

pub(crate) async fn show(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    answer(&visitor, id, Some(number), None, None).await
}

pub(crate) async fn show_new(visitor: Visitor, id: web::Path<TournamentId>) -> Result<HttpResponse, Problem> {
    answer(&visitor, *id, None, None, None).await
}

pub(crate) async fn change(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    save(&visitor, id, Some(number), &form, request.path()).await
}

pub(crate) async fn add(
    visitor: Visitor,
    id: web::Path<TournamentId>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    save(&visitor, *id, None, &form, request.path()).await
}

async fn save(
    visitor: &Visitor,
    id: TournamentId,
    number: Option<DivisionNo>,
    form: &Form,
    path: &str,
) -> Result<HttpResponse, Problem> {
    visitor.actor()?;
    if form.field("look").is_some() {
        // It asks only what the prizes would come to.
        return looked_at(visitor, id, number, form).await;
    }
    match saved(visitor, id, number, form, path).await {
        Ok(()) => Ok(redirect(&address(id, if number.is_some() { "/settings" } else { "" }))),
        Err(problem) if [401, 403, 404].contains(&problem.status) => Err(problem),
        Err(problem) => answer(visitor, id, number, Some(form), Some(&problem)).await,
    }
}

/// The form as it was typed, with what the prizes would come to.
async fn looked_at(
    visitor: &Visitor,
    id: TournamentId,
    number: Option<DivisionNo>,
    form: &Form,
) -> Result<HttpResponse, Problem> {
    let needed = if number.is_some() { CommandKind::ChangeDivision } else { CommandKind::AddDivision };
    let screen = super::bare_screen(visitor, id, needed).await?;
    let state = screen.state();
    let of = number.map(|number| state.division(number).ok_or(Refused::NotFound("division"))).transpose()?;
    let before = of.map_or_else(Settings::default, |of| (*of.settings).clone());
    let currency = state.currency();
    let wrong = settings(form, &before, currency, visitor.t.writing())
        .err()
        .map(|(field, error)| invalid(field, &error));
    answer(visitor, id, number, Some(form), wrong.as_ref()).await
}

async fn saved(
    visitor: &Visitor,
    id: TournamentId,
    number: Option<DivisionNo>,
    form: &Form,
    path: &str,
) -> Result<(), Problem> {
    let needed = if number.is_some() { CommandKind::ChangeDivision } else { CommandKind::AddDivision };
    let screen = super::bare_screen(visitor, id, needed).await?;
    let state = screen.state();
    let currency = state.currency();
    let of = number.map(|number| state.division(number).ok_or(Refused::NotFound("division"))).transpose()?;
    let before = of.map_or_else(Settings::default, |of| (*of.settings).clone());
    if form.field("house_keeps").is_none() {
        let why = "the form is not whole";
        return Err(Problem::new(Code::InvalidValue, why).about("house_keeps"));
    }
    let settings = settings(form, &before, currency, visitor.t.writing())
        .map_err(|(field, error)| invalid(field, &error))?;
    form.check_seen(&before, &settings)?;
    let settings = Box::new(settings);
    let mut request = form_request(visitor, form, path)?;
    let command = match number {
        Some(division) => {
            request.expected = Some(screen.stream.version);
            Command::ChangeDivision { division, settings }
        }
        None => Command::AddDivision { settings },
    };
    visitor.service.desk.command::<Tournament>(request, id, Order::Command(command)).await?;
    Ok(())
}
