//! Seasons: the list, the table of each, and the form for its rule.

pub(crate) mod page;

use actix_web::{HttpResponse, web};
use askama::Template as _;
use chrono::{Datelike as _, NaiveDate};

use self::page::{SeasonPage, SeasonsPage, season_address};
use super::days;
use super::form::{Form, invalid};
use super::people::saved;
use super::say::NOBODY;
use super::visitor::{Visitor, redirect};
use crate::pages::{Frame, Tab};
use owlbox_base::permissions::Permission;
use owlbox_base::values::InvalidValue;
use owlbox_books::club;
use owlbox_books::club::seasons::{Season, SeasonRule, Seasons, Ties};
use owlbox_desk::Refused;
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;

/// The address of the list, and of the form for a season.
const HERE: &str = "/seasons";

fn rule<'a>(settings: &'a club::Settings, name: &str) -> Result<&'a SeasonRule, Problem> {
    Ok(settings.seasons.named(name).map(Season::rule).ok_or(Refused::NotFound("season"))?)
}

pub(super) async fn list(visitor: Visitor) -> Result<HttpResponse, Problem> {
    list_page(&visitor, None)
}

/// The page; after a refusal with the season that was typed.
fn list_page(visitor: &Visitor, typed: Option<&Form>) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewPlayers)?;
    visitor.require(Permission::ViewStandings)?;
    let settings = visitor.settings();
    let new = || blank(settings.night_of(visitor.service.desk.now()));
    let form = visitor.may(Permission::ChangeSettings).then(|| typed.cloned().unwrap_or_else(new));
    let frame = visitor.frame(&visitor.t.get("seasons"), Some(Tab::Night));
    let frame = Frame { here: HERE.to_owned(), ..frame };
    let t = visitor.say(&NOBODY);
    let page = SeasonsPage { t, frame, seasons: &settings.seasons, is_list: true, form };
    visitor.answer(page.render())
}

pub(super) async fn show(visitor: Visitor, name: web::Path<String>) -> Result<HttpResponse, Problem> {
    let table = visitor.service.desk.season(&visitor.actor()?, &name).await?;
    let frame = visitor.frame(table.season.name.as_str(), Some(Tab::Night));
    let page = SeasonPage { t: visitor.say(&NOBODY), frame, table: &table };
    visitor.answer(page.render())
}

pub(super) async fn edit(visitor: Visitor, name: web::Path<String>) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ChangeSettings)?;
    let settings = visitor.settings();
    let rule = rule(&settings, &name)?;
    let frame = visitor.frame(rule.name.as_str(), Some(Tab::Night));
    let (t, form) = (visitor.say(&NOBODY), Some(written(rule)));
    let page = SeasonsPage { t, frame, seasons: &settings.seasons, is_list: false, form };
    visitor.answer(page.render())
}

/// The form for a new season: this half of the year, with a point for coming and six places.
fn blank(today: NaiveDate) -> Form {
    let (first, last) = if today.month() <= 6 { ((1, 1), (6, 30)) } else { ((7, 1), (12, 31)) };
    let day = |(month, day): (u32, u32)| format!("{}-{month:02}-{day:02}", today.year());
    filled(&[
        ("from", &day(first)),
        ("until", &day(last)),
        ("coming", "1"),
        ("places", "10 8 6 4 2 1"),
        ("ties", Ties::default().name()),
        ("least_nights", "0"),
    ])
}

/// The form as it would be typed for this rule.
fn written(rule: &SeasonRule) -> Form {
    let places: Vec<String> = rule.places.iter().map(u32::to_string).collect();
    let ticked = |ticked: bool| if ticked { "true" } else { "" };
    filled(&[
        ("was", rule.name.as_str()),
        ("name", rule.name.as_str()),
        ("from", &rule.from.to_string()),
        ("until", &rule.until.to_string()),
        ("coming", &rule.coming.to_string()),
        ("places", &places.join(" ")),
        ("ties", rule.ties.name()),
        ("points_won", ticked(rule.points_won)),
        ("best_nights", &rule.best_nights.map(|nights| nights.to_string()).unwrap_or_default()),
        ("least_nights", &rule.least_nights.to_string()),
        ("guests", ticked(rule.guests)),
    ])
}

/// A form with these fields; an empty one is as good as none.
fn filled(fields: &[(&str, &str)]) -> Form {
    let given: Vec<(&str, &str)> = fields.iter().copied().filter(|(_, value)| !value.is_empty()).collect();
    Form::filled(&given)
}

/// The season that was typed.
fn typed(t: &Locale, form: &Form) -> Result<Season, Problem> {
    let day = |field: &'static str| days::day(t, field, form.text(field));
    let number = |field: &'static str, text: &str| {
        text.parse::<u32>()
            .map_err(|_| invalid(field, &InvalidValue { what: field, allowed: "whole numbers" }))
    };
    let places = form.text("places");
    let places = places.split([' ', ',', ';', '/']).filter(|points| !points.is_empty());
    let rule = SeasonRule {
        name: form.value("name")?,
        from: day("from")?,
        until: day("until")?,
        coming: form.some("coming").map_or(Ok(0), |text| number("coming", text))?,
        places: places.map(|points| number("places", points)).collect::<Result<_, _>>()?,
        ties: form.word("ties")?.unwrap_or_default(),
        points_won: form.ticked("points_won"),
        best_nights: form.some("best_nights").map(|text| number("best_nights", text)).transpose()?,
        least_nights: form.some("least_nights").map_or(Ok(0), |text| number("least_nights", text))?,
        guests: form.ticked("guests"),
    };
    Season::try_from(rule).map_err(|error| invalid(error.what, &error))
}

/// Saves a season: a new one, or another rule for the one called `was`.
pub(super) async fn save(visitor: Visitor, form: Form) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ChangeSettings)?;
    let season = match typed(&visitor.t, &form) {
        Ok(season) => season,
        Err(problem) => return list_page(&visitor.refused(HERE, &form, &problem), Some(&form)),
    };
    let address = season_address(season.rule().name.as_str());
    match saved_as_typed(&visitor, &form, season).await {
        Ok(()) => Ok(redirect(&address)),
        Err(problem) => list_page(&visitor.refused(HERE, &form, &problem), Some(&form)),
    }
}

async fn saved_as_typed(visitor: &Visitor, form: &Form, season: Season) -> Result<(), Problem> {
    let seasons = visitor.settings().seasons;
    let before = rule_named(&seasons, form.text("was"));
    let there = rule_named(&seasons, season.rule().name.as_str());
    if before.is_none() && there == Some(season.rule()) {
        // Sent twice: it has its new name already.
        return Ok(());
    }
    form.check_seen(&before, &Some(season.rule()))?;
    let seasons = seasons.with(form.some("was"), season).map_err(|error| invalid("name", &error))?;
    keep(visitor, seasons).await
}

/// The rule that the form was made from.
fn rule_named<'a>(seasons: &'a Seasons, name: &str) -> Option<&'a SeasonRule> {
    seasons.named(name).map(Season::rule)
}

pub(super) async fn remove(
    visitor: Visitor,
    name: web::Path<String>,
    _form: Form,
) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ChangeSettings)?;
    let settings = visitor.settings();
    rule(&settings, &name)?;
    keep(&visitor, settings.seasons.without(&name)).await?;
    Ok(redirect("/seasons"))
}

/// Replaces the club's seasons, unless the club has changed since the request began.
async fn keep(visitor: &Visitor, seasons: Seasons) -> Result<(), Problem> {
    let settings = club::Settings { seasons, ..visitor.settings() };
    saved(visitor.service.desk.change_settings(visitor.request_to_club()?, settings).await)
}
