//! Settling up a whole night: the payments over all tables, and the button that records them.

use std::cmp::Reverse;

use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use chrono::NaiveDate;
use serde::Deserialize;

use super::amounts::{alone, how_much};
use super::form::{Form, decoded};
use super::say::Say;
use super::visitor::{Visitor, redirect};
use crate::pages::{Fields, Frame, Tab};
use owlbox_base::journal::HistoryKind;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{ChouetteId, Currency, Day, Payment, PlayerId};
use owlbox_books::ledger::Unit;
use owlbox_chouette::{Chouette, EventKind};
use owlbox_desk::Request;
use owlbox_desk::nights::debts::NightDebts;
use owlbox_http::problem::Problem;
use owlbox_locale::Amount;

#[derive(Debug, Deserialize)]
pub(super) struct NightQuery {
    /// Only tables played for this currency; without it, those played for points only.
    currency: Option<Currency>,
}

impl NightQuery {
    fn unit(&self) -> Unit {
        self.currency.map_or(Unit::HalfPoints, Unit::Money)
    }
}

/// The address of a night's page.
pub(super) fn address(night: NaiveDate, unit: Unit) -> String {
    match unit {
        Unit::HalfPoints => format!("/nights/{night}/settle-up"),
        Unit::Money(currency) => format!("/nights/{night}/settle-up?currency={currency}"),
    }
}

pub(super) async fn show(
    visitor: Visitor,
    night: web::Path<Day>,
    query: web::Query<NightQuery>,
) -> Result<HttpResponse, Problem> {
    answer(&visitor, night.date(), query.unit()).await
}

/// What the form of the page says. It names its currency, as the page of an unsent form goes without its
/// address's query.
#[derive(Debug, Deserialize)]
struct Seen {
    currency: Option<Currency>,
    /// The payments on show. If they have changed since, nothing is recorded.
    #[serde(default)]
    payments: Vec<Payment>,
}

/// Records that everything was paid as the page showed it.
pub(super) async fn settle(
    visitor: Visitor,
    night: web::Path<Day>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    visitor.require(Permission::RecordPayments)?;
    let (night, Seen { currency, payments }) = (night.date(), decoded(form.command()?)?);
    let unit = currency.map_or(Unit::HalfPoints, Unit::Money);
    let idempotency = form.idempotency(request.path(), &form.choices())?;
    let request = Request { actor, expected: None, idempotency };
    match visitor.service.desk.settle_night(request, night, unit, Some(payments)).await {
        Ok(_) => Ok(redirect(&address(night, unit))),
        Err(refused) => {
            answer(&visitor.refused(&address(night, unit), &form, &refused.into()), night, unit).await
        }
    }
}

async fn answer(visitor: &Visitor, night: NaiveDate, unit: Unit) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewPayments)?;
    let desk = &visitor.service.desk;
    let owed = desk.debts_of_night(night, unit).await?;
    let of_sessions = owed.sessions.iter().flat_map(|one| [one.payment.payer, one.payment.payee]);
    let known = owed.debts.standings.keys().copied().chain(of_sessions).collect();
    let names = desk.names(known).await?;
    let back = back(visitor, &owed).await?;
    let frame = visitor.frame(&visitor.t.get("settle-whole-night"), Some(Tab::Night));
    let frame = Frame { here: address(night, unit), ..frame };
    let page = SettleNightPage { t: visitor.say(&names), frame, night, owed: &owed, back };
    visitor.answer(page.render())
}

/// `/nights/{date}/settle-up?currency=`
#[derive(Template)]
#[template(path = "settle_night.html")]
pub(super) struct SettleNightPage<'a> {
    pub t: Say<'a>,
    /// Its `here` is the address of the form as well.
    pub frame: Frame,
    pub night: NaiveDate,
    pub owed: &'a NightDebts,
    /// A table at which the last payments can be undone, if the viewer may.
    pub back: Option<ChouetteId>,
}

impl SettleNightPage<'_> {
    /// Whether a game is on at one of the tables.
    fn is_playing(&self) -> bool {
        self.owed.tables.iter().any(|table| table.playing)
    }

    /// Whether there is something to pay and the viewer may record it now. At a table something may be owed
    /// though over all of them everybody is even.
    fn may_pay(&self) -> bool {
        let mut amounts = self.owed.tables.iter().flat_map(|table| table.balances.values());
        amounts.any(|amount| *amount != 0) && self.t.may(Permission::RecordPayments) && !self.is_playing()
    }

    /// The fields of the form.
    fn seen(&self) -> Fields {
        let fields = Fields::default().with("payments", &self.owed.debts.settling.payments);
        match self.owed.debts.unit {
            Unit::HalfPoints => fields,
            Unit::Money(currency) => fields.with("currency", &currency),
        }
    }

    fn how_much(&self, units: &i64) -> String {
        how_much(&self.t, self.owed.debts.unit, *units)
    }

    /// Everybody who has sat at a table, those who are owed most first.
    fn ranked(&self) -> Vec<PlayerId> {
        let mut ranked: Vec<PlayerId> = self.owed.debts.standings.keys().copied().collect();
        ranked.sort_by_key(|player| Reverse(self.owed.debts.owed_to(*player)));
        ranked
    }

    fn open(&self, player: &PlayerId) -> Amount {
        self.alone(&self.owed.debts.owed_to(*player))
    }

    fn alone(&self, units: &i64) -> Amount {
        alone(&self.t, self.owed.debts.unit, *units)
    }
}

/// The first table of the night whose newest act is a payment that the viewer may undo.
async fn back(visitor: &Visitor, owed: &NightDebts) -> Result<Option<ChouetteId>, Problem> {
    if !visitor.may(Permission::RunChouette) {
        return Ok(None);
    }
    let desk = &visitor.service.desk;
    let tables = owed.tables.iter().map(|table| table.id).collect();
    for (id, stream) in desk.find_all::<Chouette>(tables).await? {
        let steps = desk.steps(&stream, visitor.principal.as_ref(), HistoryKind::Undo).await?;
        if steps.is_some_and(|steps| steps.entry.kind == EventKind::Paid) {
            return Ok(Some(id));
        }
    }
    Ok(None)
}
