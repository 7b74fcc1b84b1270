//! Opening a tournament and changing what it is: forms that show what is wrong above what was typed.

use std::collections::BTreeSet;

use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template as _;
use chrono::{NaiveDate, TimeZone as _};
use serde::Deserialize;

use super::problem_in_words;
use crate::days;
use crate::form::{Form, invalid};
use crate::pages::Choice;
use crate::pages::LivePage as _;
use crate::pages::Tab;
use crate::pages::directing::about::{
    AboutFields, AboutPage, Cancel, Copied, SettingsPage, copy_of, formats, settings, time_of_day,
};
use crate::pages::directing::{Heading, Link, address};
use crate::visitor::{self, Visitor, redirect};
use owlbox_base::code::Code;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{AccountId, Currency, Timestamp, TournamentId};
use owlbox_books::club::settings::TimeZone;
use owlbox_desk::fingerprint;
use owlbox_desk::tournaments::{DirectorScreen, NewTournament};
use owlbox_desk::{Refused, Request};
use owlbox_http::problem::Problem;
use owlbox_play::tournament::about::About;
use owlbox_play::tournament::settings::Settings;
use owlbox_play::tournament::{CommandKind, Tournament};

/// The most logins offered as directors.
const MOST_LOGINS: i64 = 300;

#[derive(Debug, Deserialize)]
pub(crate) struct NewQuery {
    /// The tournament to copy.
    copy: Option<TournamentId>,
}

/// The form of a new tournament: name and date are enough. That of a copy is filled in already.
pub(crate) async fn new(visitor: Visitor, query: web::Query<NewQuery>) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::RunTournaments)?;
    let today = visitor.service.desk.now().utc().with_timezone(&visitor.t.zone).date_naive();
    if let Some((copied, about)) = copied(&visitor, query.copy).await? {
        let about = moved(about, today, TimeZone(visitor.t.zone));
        let currency = about.currency.map(|currency| currency.to_string());
        let new =
            NewForm { fields: fields(&visitor, &about), copied: Some(copied), played: Settings::default() };
        return shown_new(&visitor, new, currency.as_deref(), None);
    }
    let fields = AboutFields { date: today.to_string(), lengths: "7".to_owned(), ..AboutFields::default() };
    shown_new(&visitor, NewForm { fields, copied: None, played: Settings::default() }, None, None)
}

/// The tournament that is copied, as the form shows it, and its details.
async fn copied(visitor: &Visitor, id: Option<TournamentId>) -> Result<Option<(Copied, About)>, Problem> {
    let Some(id) = id else { return Ok(None) };
    let (stream, _) = visitor.service.desk.visible::<Tournament>(visitor.actor().ok().as_ref(), id).await?;
    let about = stream.state.about().cloned().ok_or(Refused::NotFound("tournament"))?;
    Ok(Some((Copied::new(&visitor.t, id, &stream.state), about)))
}

/// The details of a copy: on the same weekday, with entries that open and close as many days before it, at the same time by
/// the club's clock.
fn moved(about: About, today: NaiveDate, zone: TimeZone) -> About {
    let date = Copied::next_day(about.date, today);
    let later = date - about.date;
    let later = |moment: Timestamp| zone.moment(moment.utc().with_timezone(&zone.0).naive_local() + later);
    About {
        date,
        entries_open: about.entries_open.map(later),
        entries_close: about.entries_close.map(later),
        ..about
    }
}

/// The form of a new tournament, as it is shown.
struct NewForm {
    fields: AboutFields,
    copied: Option<Copied>,
    /// How its first division is played.
    played: Settings,
}

/// The field that a problem is about.
pub(super) fn wrong(problem: Option<&Problem>) -> &'static str {
    problem.and_then(|problem| problem.field).unwrap_or_default()
}

fn shown_new(
    visitor: &Visitor,
    new: NewForm,
    currency: Option<&str>,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let NewForm { fields, copied, played } = new;
    let title = visitor.t.get("about-new");
    let mut frame = match problem {
        Some(problem) => visitor.frame_about(&title, Some(Tab::Tournaments), problem),
        None => visitor.frame(&title, Some(Tab::Tournaments)),
    };
    if let (Some(notice), Some(problem)) = (&mut frame.notice, problem) {
        notice.text = problem_in_words(visitor, problem, None);
    }
    let page = AboutPage {
        t: visitor.t,
        frame,
        name: None,
        action: "/tournaments".to_owned(),
        back: "/tournaments".to_owned(),
        key: uuid::Uuid::now_v7().to_string(),
        seen: String::new(),
        currencies: currencies(visitor, currency),
        directors: Vec::new(),
        formats: if copied.is_some() { Vec::new() } else { formats(&visitor.t, played.format) },
        copied,
        wrong: wrong(problem),
        fields,
    };
    visitor::html(super::status(problem), page.render())
}

/// The club's currencies, after the choice of none.
fn currencies(visitor: &Visitor, chosen: Option<&str>) -> Vec<Choice> {
    let settings = visitor.settings();
    let of_club = settings.currencies.as_slice().iter().map(|currency| currency.to_string());
    let choice = |code: String| Choice::new(code.clone(), code.clone(), chosen == Some(code.as_str()));
    let none = Choice::new("", visitor.t.get("about-no-money"), chosen.is_none_or(str::is_empty));
    std::iter::once(none).chain(of_club.map(choice)).collect()
}

/// Opens a tournament with its first division.
pub(crate) async fn open(
    visitor: Visitor,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::RunTournaments)?;
    visitor.actor()?;
    match opened(&visitor, &form, request.path()).await {
        Ok(id) => Ok(redirect(&address(id, ""))),
        Err(problem) => {
            let played = settings(&form, &Settings::default(), None, visitor.t.writing()).unwrap_or_default();
            let copied = copied(&visitor, form.word("copy")?).await?.map(|(copied, _)| copied);
            let new = NewForm { fields: typed(&form), copied, played };
            let page = shown_new(&visitor, new, form.some("currency"), Some(&problem))?;
            Ok(form.kept_in(page, request.path(), &problem, &visitor))
        }
    }
}

async fn opened(visitor: &Visitor, form: &Form, path: &str) -> Result<TournamentId, Problem> {
    let about = about(visitor, form)?;
    let like = form.word("copy")?;
    let divisions = if like.is_some() {
        Vec::new()
    } else {
        let played = settings(form, &Settings::default(), about.currency, visitor.t.writing());
        vec![played.map_err(|(field, error)| invalid(field, &error))?]
    };
    let new = NewTournament { about, like, divisions };
    let request = form_request(visitor, form, path)?;
    Ok(visitor.service.desk.open::<Tournament>(request, new).await?.id)
}

/// A request under the form's idempotency key.
pub(super) fn form_request(visitor: &Visitor, form: &Form, path: &str) -> Result<Request, Problem> {
    let idempotency = form.idempotency(path, &form.choices())?;
    Ok(Request { actor: visitor.actor()?, expected: None, idempotency })
}

/// Reads a tournament's details from the form.
fn about(visitor: &Visitor, form: &Form) -> Result<About, Problem> {
    let wrong = |field: &'static str, what: &str| Problem::new(Code::InvalidValue, what).about(field);
    let moment = |field: &'static str| -> Result<Option<Timestamp>, Problem> {
        let Some(typed) = form.some(field) else { return Ok(None) };
        let local = days::moment(&visitor.t, field, typed)?;
        let found = visitor.t.zone.from_local_datetime(&local).earliest();
        let found = found.ok_or_else(|| wrong(field, "there is no such time on that day"))?;
        Ok(Some(Timestamp::from(found.to_utc())))
    };
    Ok(About {
        name: form.value("name")?,
        date: days::day(&visitor.t, "date", form.text("date"))?,
        starts: form
            .some("starts")
            .map(time_of_day)
            .transpose()
            .map_err(|error| invalid("starts", &error))?,
        place: form.optional("place")?,
        entries_open: moment("entries_open")?,
        entries_close: moment("entries_close")?,
        currency: form.optional::<Currency>("currency")?,
        prizes: form.optional("prizes")?,
        rules: form.optional("rules")?,
        public: form.ticked("public"),
    })
}

/// The details as they were typed.
fn typed(form: &Form) -> AboutFields {
    let text = |name: &str| form.text(name).to_owned();
    AboutFields {
        name: text("name"),
        date: text("date"),
        starts: text("starts"),
        place: text("place"),
        entries: [text("entries_open"), text("entries_close")],
        prizes: text("prizes"),
        rules: text("rules"),
        public: form.ticked("public"),
        lengths: text("lengths"),
    }
}

/// The details of a tournament as its form shows them.
fn fields(visitor: &Visitor, about: &About) -> AboutFields {
    let local = |moment: &Option<Timestamp>| {
        let local = moment.map(|moment| moment.utc().with_timezone(&visitor.t.zone));
        local.map(|local| local.format("%Y-%m-%dT%H:%M").to_string()).unwrap_or_default()
    };
    AboutFields {
        name: about.name.to_string(),
        date: about.date.to_string(),
        starts: about.starts.map(|time| time.to_string()).unwrap_or_default(),
        place: about.place.as_ref().map(ToString::to_string).unwrap_or_default(),
        entries: [local(&about.entries_open), local(&about.entries_close)],
        prizes: about.prizes.as_ref().map(ToString::to_string).unwrap_or_default(),
        rules: about.rules.as_ref().map(ToString::to_string).unwrap_or_default(),
        public: about.public,
        lengths: String::new(),
    }
}

/// The form for changing a tournament.
pub(crate) async fn edit(visitor: Visitor, id: web::Path<TournamentId>) -> Result<HttpResponse, Problem> {
    answer_edit(&visitor, *id, None, None).await
}

async fn answer_edit(
    visitor: &Visitor,
    id: TournamentId,
    form: Option<&Form>,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let screen = super::bare_screen(visitor, id, CommandKind::Change).await?;
    let about = screen.state().about().ok_or(Refused::NotFound("tournament"))?;
    let title = visitor.t.get("about-change");
    let mut frame = match problem {
        Some(problem) => visitor.frame_about(&title, Some(Tab::Tournaments), problem),
        None => visitor.frame(&title, Some(Tab::Tournaments)),
    };
    if let (Some(notice), Some(problem)) = (&mut frame.notice, problem) {
        notice.text = problem_in_words(visitor, problem, None);
    }
    let currency = about.currency.map(|currency| currency.to_string());
    let page = AboutPage {
        t: visitor.t,
        frame,
        name: Some(about.name.to_string()),
        action: format!("/tournaments/{id}/edit"),
        back: address(id, "/settings"),
        key: uuid::Uuid::now_v7().to_string(),
        seen: fingerprint(&edited(about, &screen.state().directors)),
        fields: form.map_or_else(|| fields(visitor, about), typed),
        currencies: currencies(visitor, form.map_or(currency.as_deref(), |form| form.some("currency"))),
        directors: directors(visitor, &screen).await?,
        formats: Vec::new(),
        copied: None,
        wrong: wrong(problem),
    };
    visitor::html(super::status(problem), page.render())
}

/// Logins to choose directors from: the current ones, and all that are active.
async fn directors(visitor: &Visitor, screen: &DirectorScreen) -> Result<Vec<Choice>, Problem> {
    let listed = visitor.service.desk.oldest_accounts(MOST_LOGINS).await?;
    let chosen = |id: AccountId| screen.state().directors.contains(&id);
    let choices = listed.into_iter().filter(|one| one.active || chosen(one.id)).filter_map(|one| {
        let login = one.login?;
        Some(Choice::new(one.id.to_string(), login, chosen(one.id)))
    });
    Ok(choices.collect())
}

/// Changes a tournament's details and its directors.
pub(crate) async fn change(
    visitor: Visitor,
    id: web::Path<TournamentId>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    visitor.actor()?;
    match changed(&visitor, *id, &form, request.path()).await {
        Ok(()) => Ok(redirect(&address(*id, "/settings"))),
        Err(problem) if [401, 403, 404].contains(&problem.status) => Err(problem),
        Err(problem) => {
            let page = answer_edit(&visitor, *id, Some(&form), Some(&problem)).await?;
            Ok(form.kept_in(page, request.path(), &problem, &visitor))
        }
    }
}

async fn changed(visitor: &Visitor, id: TournamentId, form: &Form, path: &str) -> Result<(), Problem> {
    let about = about(visitor, form)?;
    let directors: Vec<AccountId> = form
        .all("directors")
        .map(str::parse)
        .collect::<Result<_, _>>()
        .map_err(|_| Problem::new(Code::MalformedForm, "a login's id is none"))?;
    let before = visitor.service.desk.find::<Tournament>(id).await?;
    let now = before.state.about().map(|about| edited(about, &before.state.directors));
    form.check_seen(&now, &Some(edited(&about, &directors)))?;
    let request = Request { expected: Some(before.version), ..form_request(visitor, form, path)? };
    match visitor.service.desk.change_details(request, id, about, directors).await {
        Err(refused) if refused.code() != Code::NothingChanges => Err(refused.into()),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// What the form of a tournament is about.
fn edited<'a>(
    about: &'a About,
    directors: impl IntoIterator<Item = &'a AccountId>,
) -> (&'a About, BTreeSet<&'a AccountId>) {
    (about, directors.into_iter().collect())
}

/// Links to the forms of the tournament and of each division.
pub(crate) async fn show_settings(
    visitor: Visitor,
    id: web::Path<TournamentId>,
) -> Result<HttpResponse, Problem> {
    answer_settings(&visitor, *id, None).await
}

/// The same page; after a refusal with the problem.
pub(super) async fn answer_settings(
    visitor: &Visitor,
    id: TournamentId,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let screen = super::bare_screen(visitor, id, CommandKind::Change).await?;
    let t = visitor.t;
    let mut links = vec![Link::new(format!("/tournaments/{id}/edit"), t.get("about-change"))];
    links.extend(screen.state().divisions().map(|(number, of)| {
        let name = t.with("division-change", "name", &of.settings.name);
        Link::new(address(id, &format!("/{}/settings", number.0)), name)
    }));
    links.push(Link::new(address(id, "/new-division"), t.get("desk-add-division")));
    if visitor.may(Permission::RunTournaments) {
        links.push(Link::new(copy_of(id), t.get("about-copy")));
    }
    let frame = visitor.frame(&t.get("desk-set-up"), Some(Tab::Tournaments));
    let page = super::page(visitor, &screen, "/settings", problem, |context, desk| {
        // A live update would take away a reason that is being typed.
        let desk = Heading { live: false, ..desk };
        SettingsPage { t, frame, desk, links, cancel: Cancel::new(context) }
    });
    visitor::html(super::status(problem), page.whole())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// R5: the copy of an event from before the change of clocks opens and closes its entries at the hour that players know.
    #[test]
    fn a_copy_keeps_the_clubs_time_across_the_change_of_clocks() {
        let rome = TimeZone(chrono_tz::Europe::Rome);
        let copied = |date: &str, [open, close]: [&str; 2], today: &str| {
            let about = json!({"name": "Open", "date": date, "entries_open": open, "entries_close": close});
            let about = moved(serde_json::from_value(about).unwrap(), today.parse().unwrap(), rome);
            let [open, close] = [about.entries_open, about.entries_close]
                .map(|moment| moment.unwrap().utc().format("%m-%dT%H:%MZ").to_string());
            (about.date.to_string(), open, close)
        };
        let autumn = copied("2026-10-18", ["2026-10-11T07:00:00Z", "2026-10-18T10:30:00Z"], "2026-10-19");
        assert_eq!(autumn, ("2026-10-25".into(), "10-18T07:00Z".into(), "10-25T11:30Z".into()));
        let spring = copied("2026-03-22", ["2026-03-21T23:00:00Z", "2026-03-22T12:00:00Z"], "2026-03-23");
        assert_eq!(spring, ("2026-03-29".into(), "03-28T23:00Z".into(), "03-29T11:00Z".into()));
        // Half past two is passed over on that night.
        let skipped = copied("2026-03-22", ["2026-03-22T01:30:00Z", "2026-03-22T12:00:00Z"], "2026-03-23");
        assert_eq!(skipped.1, "03-29T01:30Z");
        // Across half a year, and within the same half.
        let summer = copied("2026-10-18", ["2026-10-11T07:00:00Z", "2026-10-18T10:30:00Z"], "2027-06-01");
        assert_eq!(summer, ("2027-06-06".into(), "05-30T07:00Z".into(), "06-06T10:30Z".into()));
    }
}
