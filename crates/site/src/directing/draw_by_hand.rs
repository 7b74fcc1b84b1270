//! The draw by hand. A refused form is shown again as it was typed, with what is wrong beside each slot.

use std::collections::BTreeSet;

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;

use super::about::form_request;
use super::{draw, status};
use crate::form::Form;
use crate::pages::LivePage as _;
use crate::pages::Tab;
use crate::pages::directing::draw_by_hand::{HandDraw, MOST_SLOTS, Mistakes, below, is_only_here, slots};
use crate::pages::directing::{DirectorContext, DrawByHandPage, address};
use crate::visitor::{self, Visitor, redirect};
use owlbox_base::code::Code;
use owlbox_base::values::TournamentId;
use owlbox_books::club::meant::{Meant, spelled};
use owlbox_books::club::players::PlayerName;
use owlbox_desk::Refused;
use owlbox_desk::tournaments::{DirectorScreen, Order};
use owlbox_http::problem::Problem;
use owlbox_play::tournament::command::DrawBy;
use owlbox_play::tournament::legal::DivisionAct;
use owlbox_play::tournament::room::DivisionNo;
use owlbox_play::tournament::{Command, CommandKind, Tournament};

/// Whom to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Of {
    /// Those who have checked in.
    Here,
    All,
}

#[derive(Debug, Deserialize)]
pub(crate) struct HandQuery {
    of: Option<Of>,
}

pub(crate) async fn show(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<HandQuery>,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let screen = load(&visitor, id, number).await?;
    if !screen.state().division_acts(number).contains(&DivisionAct::Draw) {
        return Ok(redirect(&address(id, &draw::below(number))));
    }
    let only_here = query.of.map_or_else(
        || is_only_here(&DirectorContext::new(&visitor.t, &screen), number),
        |of| of == Of::Here,
    );
    let typed = HandDraw { only_here, ..HandDraw::default() };
    answer(&visitor, &screen, number, &typed, None)
}

/// The tournament, with the names of everybody in a division.
pub(super) async fn load(
    visitor: &Visitor,
    id: TournamentId,
    number: DivisionNo,
) -> Result<DirectorScreen, Problem> {
    let (screen, ()) = super::screen(visitor, id, CommandKind::Draw, move |looking| {
        let stream = looking.stream();
        let of = stream.state.division(number).ok_or(Refused::NotFound("division"))?;
        looking.name(draw::players_named(of));
        Ok(())
    })
    .await?;
    Ok(screen)
}

fn answer(
    visitor: &Visitor,
    screen: &DirectorScreen,
    number: DivisionNo,
    typed: &HandDraw,
    wrong: Option<(&Problem, &Mistakes)>,
) -> Result<HttpResponse, Problem> {
    let (problem, mistakes) = wrong.unzip();
    let title = visitor.t.get("desk-draw-by-hand");
    let frame = match problem {
        Some(problem) => visitor.frame_about(&title, Some(Tab::Tournaments), problem),
        None => visitor.frame(&title, Some(Tab::Tournaments)),
    };
    let none = Mistakes::default();
    let page = super::page(visitor, screen, &below(number), problem, |context, desk| {
        DrawByHandPage::new(*context, frame, desk, number, typed, mistakes.unwrap_or(&none))
    });
    match page {
        Some(page) => visitor::html(status(problem), page.whole()),
        None => Ok(redirect(&address(screen.id, &draw::below(number)))),
    }
}

/// The texts of the slots, with the names that the page shows in place of what the club calls its people, nicknames too.
async fn as_shown(
    visitor: &Visitor,
    screen: &DirectorScreen,
    number: DivisionNo,
    mut slots: Vec<String>,
) -> Result<Vec<String>, Problem> {
    let of = screen.state().division(number).ok_or(Refused::NotFound("division"))?;
    let shown: BTreeSet<String> = screen.names.values().map(|name| spelled(name)).collect();
    let others = slots.iter_mut().filter(|typed| !shown.contains(&spelled(typed)));
    let (others, names): (Vec<&mut String>, Vec<PlayerName>) =
        others.filter_map(|typed| typed.parse().ok().map(|name| (typed, name))).unzip();
    for (typed, meant) in others.into_iter().zip(visitor.service.desk.players_meant(names).await?) {
        if let Meant::Player(player) = meant.meant
            && of.entry_of(player).is_some()
            && let Some(name) = screen.names.get(&player)
        {
            typed.clone_from(name);
        }
    }
    Ok(slots)
}

pub(crate) async fn draw_hand(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    visitor.actor()?;
    let screen = load(&visitor, id, number).await?;
    let slots_typed = form.all("slot").take(MOST_SLOTS).map(|typed| typed.trim().to_owned()).collect();
    let typed = HandDraw {
        only_here: form.word("of")? == Some(Of::Here),
        reason: form.text("reason").to_owned(),
        slots: as_shown(&visitor, &screen, number, slots_typed).await?,
    };
    let slots = match slots(&DirectorContext::new(&visitor.t, &screen), number, &typed) {
        Ok(slots) => slots,
        Err(mistakes) => {
            let problem = Problem::new(Code::BadDraw, "not every slot names one entry").about("slots");
            return answer(&visitor, &screen, number, &typed, Some((&problem, &mistakes)));
        }
    };
    let command = Command::Draw {
        division: number,
        method: DrawBy::Hand { slots },
        only_checked_in: typed.only_here,
        reason: form.word("reason")?,
        groups: Vec::new(),
    };
    let given = form_request(&visitor, &form, request.path())?;
    match visitor.service.desk.command::<Tournament>(given, id, Order::Command(command)).await {
        Ok(_) => Ok(redirect(&address(id, &draw::below(number)))),
        Err(refused) => {
            let problem = Problem::from(refused);
            if problem.is_for_no_page() {
                return Err(problem);
            }
            // Somebody may have entered or drawn in the meantime.
            let screen = load(&visitor, id, number).await?;
            answer(&visitor, &screen, number, &typed, Some((&problem, &Mistakes::default())))
        }
    }
}
