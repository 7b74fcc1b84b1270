//! Everybody against everybody, and one player against everybody else (M8).

use actix_web::{HttpResponse, web};
use askama::Template as _;
use chrono::NaiveDate;
use serde::Deserialize;

use super::days::AskedDays;
use super::income::offered;
use super::statistics;
use super::visitor::Visitor;
use crate::problem::Problem;
use owlbox_base::values::PlayerId;
use owlbox_desk::income::Period;
use owlbox_desk::statistics::Filter;
use owlbox_pages::Tab;
use owlbox_pages::head_to_head::{Filters, HeadToHeadPage, filters, has_points, lines, matrix};
use owlbox_pages::sorted::address;
use owlbox_pages::spreadsheet;

pub(super) const HERE: &str = "/statistics/head-to-head";

/// The player whose side is shown, beside the [filter](statistics::Query).
#[derive(Debug, Default, Deserialize)]
pub(super) struct Query {
    player: Option<String>,
}

/// A filter as fields of an address; those that do not restrict are empty.
fn fields(filter: Filter) -> [(&'static str, String); 4] {
    let day = |day: Option<NaiveDate>| day.map(|day| day.to_string()).unwrap_or_default();
    [
        ("kind", filter.kind.map(|kind| kind.to_string()).unwrap_or_default()),
        ("variant", filter.variant.map(|variant| variant.key().to_owned()).unwrap_or_default()),
        ("from", day(filter.from)),
        ("until", day(filter.until)),
    ]
}

/// The address of this page, or of the API, for a player and a filter.
fn to(path: &str, more: &[(&'static str, String)], player: Option<PlayerId>, filter: Filter) -> String {
    let player = ("player", player.map(|player| player.to_string()).unwrap_or_default());
    let all: Vec<_> = more.iter().cloned().chain([player]).chain(fields(filter)).collect();
    address(path, &all)
}

pub(super) async fn show(
    visitor: Visitor,
    query: web::Query<Query>,
    filter: web::Query<statistics::Query>,
) -> Result<HttpResponse, Problem> {
    let (t, desk, actor) = (visitor.t, &visitor.service.desk, visitor.actor()?);
    let days = AskedDays::of(&visitor);
    let filter = Filter { began: None, ..filter.filter(&days) };
    let player = query.player.as_deref().and_then(|player| player.parse::<PlayerId>().ok());
    let met = desk.head_to_head(&actor, player, filter).await?;
    let (title, ways) = match player {
        None => (t.get("head-to-head"), vec![("/statistics".to_owned(), t.get("statistics-club"))]),
        Some(player) => {
            let name = desk.player(&actor, player).await?.name;
            let own = (format!("/players/{player}/statistics"), t.with("statistics-of", "name", &name));
            (t.with("head-to-head-of", "name", &name), vec![own])
        }
    };
    let today = visitor.settings().night_of(desk.now());
    let shown = Period { from: filter.from, until: filter.until };
    let choices = offered(today).into_iter().map(|(label, period)| {
        let label = label.unwrap_or_else(|| t.get("income-ever"));
        let link = Filter { from: period.from, until: period.until, ..filter };
        (label, to(HERE, &[], player, link), period == shown)
    });
    let mut all = vec![Filters { label: t.get("income-period"), choices: choices.collect() }];
    all.extend(filters(&t, filter.kind, filter.variant, |kind, variant| {
        to(HERE, &[], player, Filter { kind, variant, ..filter })
    }));
    let day = |day: Option<NaiveDate>| day.map(|day| t.day(day)).unwrap_or_default();
    let is_limited = shown != Period::default();
    let page = HeadToHeadPage {
        t,
        frame: days.frame(&visitor, &title, Tab::Players),
        title,
        ways,
        filters: all,
        days: is_limited.then(|| format!("{} – {}", day(filter.from), day(filter.until))),
        csv: to("/api/v1/statistics/head-to-head", &spreadsheet::asked(&t), player, filter),
        points: has_points(filter.kind),
        lines: player.map(|player| lines(&t, &met, player, &fields(filter))).unwrap_or_default(),
        matrix: if player.is_none() { matrix(&t, &met, &fields(filter)) } else { Vec::new() },
    };
    days.answer(&visitor, page.render())
}
