//! Opening a tournament and changing what it is: forms that show what is wrong above what was typed.

use std::collections::BTreeSet;
use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use chrono::{Datelike as _, Days, NaiveDate, TimeZone as _};
use serde::Deserialize;

use super::act::{NoQuery, takes_acts};
use super::division_form::{form_of, formats, settings, time_of_day};
use super::frame::{DeskFrame, address, on_the_desk};
use super::frame_in_words;
use crate::days;
use crate::form::{Form, invalid};
use crate::pages::button::Button;
use crate::pages::{Fields, Frame, LivePage as _};
use crate::say::{NOBODY, Say};
use crate::sentences::tournament::TournamentSentences;
use crate::visitor::{Visitor, redirect};
use owlbox_base::code::Code;
use owlbox_base::journal::Stream;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{AccountId, Currency, Timestamp, TournamentId};
use owlbox_books::club::settings::TimeZone;
use owlbox_desk::fingerprint;
use owlbox_desk::tournaments::{NewTournament, TournamentScreen};
use owlbox_desk::{Refused, Request};
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_play::tournament::about::About;
use owlbox_play::tournament::bracket::Format;
use owlbox_play::tournament::legal::TournamentAct;
use owlbox_play::tournament::offers::Cancelling;
use owlbox_play::tournament::settings::DivisionSettings;
use owlbox_play::tournament::{CommandKind, Tournament};

/// The most logins offered as directors.
const MOST_LOGINS: i64 = 300;

/// `/tournaments/new`, `/tournaments/{id}/edit`
#[derive(Debug, Template)]
#[template(path = "directing/about.html")]
pub(super) struct AboutPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    /// The tournament that is changed; `None` for a new one.
    pub changed: Option<&'a TournamentScreen>,
    /// The tournament that a new one is a copy of.
    pub copied: Option<(TournamentId, &'a Tournament)>,
    /// What it is filled with: the details, or what was sent.
    pub form: &'a Form,
    /// Those of the club.
    pub currencies: &'a [Currency],
    /// Logins that can direct the tournament in addition to the club's directors. Empty for a new one.
    pub logins: Vec<(AccountId, String)>,
}

impl AboutPage<'_> {
    /// What the page is about, if that is there already.
    fn about(&self) -> Option<&About> {
        self.changed.and_then(TournamentScreen::about)
    }

    /// Where the form goes, and the page that it leads back to.
    fn addresses(&self) -> [String; 2] {
        match self.changed {
            Some(screen) => [format!("/tournaments/{}/edit", screen.id), address(screen.id, "/settings")],
            None => ["/tournaments", "/tournaments"].map(str::to_owned),
        }
    }

    /// The fingerprint of what the form is made from.
    fn seen(&self) -> Option<String> {
        let state = self.changed?.state();
        Some(fingerprint(&edited(state.about()?, &state.directors)))
    }

    /// What the copy gets of the earlier tournament: its divisions and tables.
    fn gets(&self, earlier: &Tournament) -> String {
        let divisions = earlier.divisions().map(|(_, of)| of.settings.name.to_string());
        let tables = earlier.room.tables.size();
        let tables = (tables > 0).then(|| self.t.count("about-copied-tables", &tables));
        let gets = divisions.chain(tables).collect::<Vec<_>>().join(", ");
        self.t.with("about-copied-gets", "what", gets)
    }
}

/// `/tournaments/{id}/desk/settings`: what can be changed
#[derive(Debug)]
pub(super) struct SettingsPage<'a> {
    pub t: TournamentSentences<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub desk: DeskFrame<'a>,
}
on_the_desk! { SettingsPage<'a>: "directing/settings.html" }

impl SettingsPage<'_> {
    /// The button that cancels the tournament, as soon as its form has a reason. `None` if the viewer may
    /// not, or it is over.
    fn cancel(&self) -> Option<Button> {
        let Self { t, screen, desk, .. } = self;
        let is_possible = screen.state().acts(screen.now).contains(&TournamentAct::Cancel);
        let command = Fields::lacking(CommandKind::Cancel);
        let button = || Button::of_form(t.get("desk-cancel-title"), command).then(desk.address(""));
        (is_possible && screen.may(CommandKind::Cancel)).then(|| button().at(screen.stream.version))
    }

    /// What cancelling does.
    fn effects(&self) -> Vec<String> {
        let (t, state) = (&self.t, self.screen.state());
        let mut effects = Vec::new();
        if let Some(Cancelling { back, owed, awarded }) = state.cancelling(self.screen.now) {
            let sums = [("desk-cancel-back", back), ("desk-cancel-owed", owed)];
            let sums = sums.into_iter().filter(|(_, sum)| *sum > 0);
            effects.extend(sums.map(|(key, sum)| t.with(key, "amount", t.in_currency(sum))));
            let awarded = awarded.into_iter().filter_map(|number| state.division(number));
            effects.extend(awarded.map(|of| t.with("desk-cancel-stays", "name", &of.settings.name)));
        }
        effects.push(t.get("desk-cancel-then"));
        effects
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct NewQuery {
    /// The tournament to copy.
    copy: Option<TournamentId>,
}

/// The form of a new tournament: name and date are enough. That of a copy is filled in already.
pub(crate) async fn new(visitor: Visitor, query: web::Query<NewQuery>) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::RunTournaments)?;
    let today = visitor.service.desk.now().utc().with_timezone(&visitor.t.zone).date_naive();
    let copied = copied(&visitor, query.copy).await?;
    let about = copied.as_ref().and_then(|(_, stream)| stream.state.about());
    let form = match about {
        Some(about) => form_about(&visitor.t, &moved(about.clone(), today, TimeZone(visitor.t.zone))),
        None => {
            let usual = form_of(&visitor.t, &DivisionSettings::default(), None);
            let division = ["format", "lengths"].map(|name| (name, usual.text(name).to_owned()));
            Form::default().with([("date", today.to_string())]).with(division)
        }
    };
    shown_new(&visitor, copied.as_ref(), &form)
}

/// A tournament that is copied.
type Copied = (TournamentId, Arc<Stream<Tournament>>);

async fn copied(visitor: &Visitor, id: Option<TournamentId>) -> Result<Option<Copied>, Problem> {
    let Some(id) = id else { return Ok(None) };
    let (stream, _) = visitor.service.desk.visible::<Tournament>(visitor.actor().ok().as_ref(), id).await?;
    stream.state.about().ok_or(Refused::NotFound("tournament"))?;
    Ok(Some((id, stream)))
}

/// The day to propose for the copy of a tournament of that day: its weekday, from today on, and later than
/// it.
fn next_day(earlier: NaiveDate, today: NaiveDate) -> NaiveDate {
    let first = today.max(earlier + Days::new(1));
    let days = 7 + earlier.weekday().num_days_from_monday() - first.weekday().num_days_from_monday();
    first + Days::new(u64::from(days % 7))
}

/// The details of a copy: on the same weekday, with entries that open and close as many days before it, at
/// the same time by the club's clock.
fn moved(about: About, today: NaiveDate, zone: TimeZone) -> About {
    let date = next_day(about.date, today);
    let later = date - about.date;
    let later = |moment: Timestamp| zone.moment(moment.utc().with_timezone(&zone.0).naive_local() + later);
    About {
        date,
        entries_open: about.entries_open.map(later),
        entries_close: about.entries_close.map(later),
        ..about
    }
}

fn shown_new(visitor: &Visitor, copied: Option<&Copied>, form: &Form) -> Result<HttpResponse, Problem> {
    let copied = copied.map(|(id, stream)| (*id, &stream.state));
    let (t, frame) = (visitor.say(&NOBODY), frame_in_words(visitor, "about-new", None));
    let settings = visitor.settings();
    let currencies = settings.currencies.as_slice();
    let page = AboutPage { t, frame, changed: None, copied, form, currencies, logins: Vec::new() };
    visitor.answer(page.render())
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
            let copied = copied(&visitor, form.word("copy")?).await?;
            shown_new(&visitor.refused(request.path(), &form, &problem), copied.as_ref(), &form)
        }
    }
}

async fn opened(visitor: &Visitor, form: &Form, path: &str) -> Result<TournamentId, Problem> {
    let about = about(visitor, form)?;
    let like = form.word("copy")?;
    let divisions = if like.is_some() {
        Vec::new()
    } else {
        let played = settings(form, &DivisionSettings::default(), about.currency, visitor.t.writing());
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

/// The form of a tournament's details.
fn form_about(t: &Locale, about: &About) -> Form {
    let local = |moment: &Option<Timestamp>| {
        let local = moment.map(|moment| moment.utc().with_timezone(&t.zone));
        local.map(|local| local.format("%Y-%m-%dT%H:%M").to_string())
    };
    let fields = [
        ("name", Some(about.name.to_string())),
        ("date", Some(about.date.to_string())),
        ("starts", about.starts.map(|time| time.to_string())),
        ("place", about.place.as_ref().map(ToString::to_string)),
        ("currency", about.currency.map(|currency| currency.to_string())),
        ("entries_open", local(&about.entries_open)),
        ("entries_close", local(&about.entries_close)),
        ("prizes", about.prizes.as_ref().map(ToString::to_string)),
        ("rules", about.rules.as_ref().map(ToString::to_string)),
        ("public", about.public.then(|| "yes".to_owned())),
    ];
    fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// The form for changing a tournament.
pub(crate) async fn edit(visitor: Visitor, id: web::Path<TournamentId>) -> Result<HttpResponse, Problem> {
    answer_edit(&visitor, *id, None).await
}

async fn answer_edit(
    visitor: &Visitor,
    id: TournamentId,
    form: Option<&Form>,
) -> Result<HttpResponse, Problem> {
    let screen = super::bare_screen(visitor, id, CommandKind::Change).await?;
    let state = screen.state();
    let about = state.about().ok_or(Refused::NotFound("tournament"))?;
    let directors = state.directors.iter().map(|login| ("directors", login.to_string()));
    let present: Form = form_about(&visitor.t, about).with(directors);
    let listed = visitor.service.desk.oldest_accounts(MOST_LOGINS).await?;
    let listed = listed.into_iter().filter(|one| one.active || state.directors.contains(&one.id));
    let settings = visitor.settings();
    let page = AboutPage {
        t: visitor.say(&NOBODY),
        frame: frame_in_words(visitor, "about-change", None),
        changed: Some(&screen),
        copied: None,
        form: form.unwrap_or(&present),
        currencies: settings.currencies.as_slice(),
        logins: listed.filter_map(|one| Some((one.id, one.login?))).collect(),
    };
    visitor.answer(page.render())
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
            answer_edit(&visitor.refused(request.path(), &form, &problem), *id, Some(&form)).await
        }
    }
}

async fn changed(visitor: &Visitor, id: TournamentId, form: &Form, path: &str) -> Result<(), Problem> {
    let about = about(visitor, form)?;
    let directors: Vec<AccountId> = form
        .all("directors")
        .map(str::parse)
        .collect::<Result<_, _>>()
        .map_err(|_| Problem::new(Code::MalformedForm, "this is not the id of a login"))?;
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

takes_acts!(TournamentId, NoQuery);

/// Links to the forms of the tournament and of each division.
async fn answer(visitor: &Visitor, id: &TournamentId, _: &NoQuery, _: bool) -> Result<HttpResponse, Problem> {
    let screen = super::bare_screen(visitor, *id, CommandKind::Change).await?;
    let (t, frame, desk) = super::surroundings(visitor, &screen, "desk-set-up", "/settings");
    // A live update would take away a reason that is being typed.
    let page = SettingsPage { t, frame, screen: &screen, desk: desk.still() };
    visitor.answer(page.whole())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// R5: the copy of an event from before the change of clocks opens and closes its entries at the hour
    /// that players know.
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

    #[test]
    fn a_copy_is_for_the_same_weekday() {
        let day = |day: &str| day.parse::<NaiveDate>().unwrap();
        for (earlier, today, next) in [
            // Fridays.
            ("2026-11-20", "2026-11-20", "2026-11-27"),
            ("2026-11-20", "2026-11-21", "2026-11-27"),
            ("2026-11-20", "2026-11-27", "2026-11-27"),
            ("2026-11-20", "2027-02-01", "2027-02-05"),
            // It is still to come.
            ("2026-11-20", "2026-11-02", "2026-11-27"),
        ] {
            assert_eq!(next_day(day(earlier), day(today)), day(next), "{earlier} {today}");
        }
    }
}
