//! Statistics of a player, of two players against each other, and of the club (M8).

use actix_web::{HttpResponse, web};
use askama::Template as _;
use chrono::{Datelike as _, NaiveDate};
use serde::Deserialize;

use super::days::AskedDays;
use super::head_to_head;
use super::visitor::Visitor;
use crate::pages::Tab;
use crate::pages::statistics::{Between, StatisticsPage, breakdown, fields, matches_in_words};
use owlbox_base::permissions::Permission;
use owlbox_base::values::PlayerId;
use owlbox_books::statistics::Summary;
use owlbox_desk::nights::statistics::{Filter, MatchRecord};
use owlbox_desk::people::players::called;
use owlbox_engine::Variant;
use owlbox_http::problem::Problem;
use owlbox_locale::spreadsheet;

/// The filter chosen. A value that is not offered does not filter.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Query {
    kind: Option<String>,
    variant: Option<String>,
    began: Option<String>,
}

impl Query {
    pub fn filter(&self, days: &AskedDays) -> Filter {
        let variant = self.variant.as_deref();
        Filter {
            kind: self.kind.as_deref().and_then(|text| text.parse().ok()),
            variant: Variant::ALL.into_iter().find(|one| Some(one.key()) == variant),
            began: self.began.as_deref().and_then(|text| text.parse().ok()),
            from: days.from,
            until: days.until,
        }
    }
}

/// The filter as a query of the API.
fn query(filter: Filter) -> String {
    let day = |day: Option<NaiveDate>| day.map(|day| day.to_string());
    let fields = [
        ("kind", filter.kind.map(|kind| kind.to_string())),
        ("variant", filter.variant.map(|variant| variant.key().to_owned())),
        ("began", filter.began.map(|began| began.to_string())),
        ("from", day(filter.from)),
        ("until", day(filter.until)),
    ];
    fields.into_iter().filter_map(|(name, value)| Some(format!("&{name}={}", value?))).collect()
}

pub(super) async fn of_player(
    visitor: Visitor,
    player: web::Path<PlayerId>,
    query: web::Query<Query>,
) -> Result<HttpResponse, Problem> {
    let days = AskedDays::of(&visitor);
    let (desk, actor, filter) = (&visitor.service.desk, visitor.actor()?, query.filter(&days));
    let found = desk.statistics(&actor, *player, filter).await?;
    let name = desk.player(&actor, *player).await?.name;
    let title = visitor.t.with("statistics-of", "name", &name);
    let ways = vec![
        (format!("/players/{player}"), name),
        ("/statistics".to_owned(), visitor.t.get("statistics-club")),
    ];
    let page = PageRequest { title, address: format!("/players/{player}/statistics"), ways, filter, days };
    page.answered(
        &visitor,
        Some(*player),
        &found.games,
        FurtherParts { matches: found.matches, between: None },
    )
    .await
}

/// The games of two players against each other.
pub(super) async fn of_pair(
    visitor: Visitor,
    path: web::Path<(PlayerId, PlayerId)>,
    query: web::Query<Query>,
) -> Result<HttpResponse, Problem> {
    let (player, other) = *path;
    let days = AskedDays::of(&visitor);
    let (desk, actor, filter) = (&visitor.service.desk, visitor.actor()?, query.filter(&days));
    let pair = desk.pair_statistics(&actor, player, other, filter).await?;
    let [name, others] = [desk.player(&actor, player).await?.name, desk.player(&actor, other).await?.name];
    let title = visitor.t.fill("statistics-against", &[("name", &name), ("other", &others)]);
    let all = visitor.t.with("statistics-of", "name", &name);
    let ways = vec![(format!("/players/{player}/statistics"), all)];
    let page = PageRequest {
        title,
        address: format!("/players/{player}/statistics/against/{other}"),
        ways,
        filter,
        days,
    };
    let between = Between::new(&visitor.t, &pair);
    page.answered(&visitor, Some(player), &pair.games, FurtherParts { matches: None, between: Some(between) })
        .await
}

pub(super) async fn of_club(visitor: Visitor, query: web::Query<Query>) -> Result<HttpResponse, Problem> {
    let days = AskedDays::of(&visitor);
    let filter = query.filter(&days);
    let found = visitor.service.desk.club_statistics(&visitor.actor()?, filter).await?;
    let mut ways = vec![("/players".to_owned(), visitor.t.get("tab-players"))];
    if visitor.may(Permission::ViewStandings) {
        let year = visitor.settings().night_of(visitor.service.desk.now()).year();
        ways.push((format!("/club/years/{year}"), visitor.t.with("club-year-link", "year", year)));
    }
    if visitor.may(Permission::ViewAnyLedger) {
        ways.push((head_to_head::HERE.to_owned(), visitor.t.get("head-to-head")));
    }
    let page = PageRequest {
        title: visitor.t.get("statistics-club"),
        address: "/statistics".to_owned(),
        ways,
        filter,
        days,
    };
    page.answered(&visitor, None, &found.games, FurtherParts { matches: found.matches, between: None }).await
}

/// What a page tells beside games.
struct FurtherParts {
    matches: Option<MatchRecord>,
    between: Option<Between>,
}

/// The page requested.
struct PageRequest {
    title: String,
    address: String,
    ways: Vec<(String, String)>,
    filter: Filter,
    days: AskedDays,
}

impl PageRequest {
    async fn answered(
        self,
        visitor: &Visitor,
        player: Option<PlayerId>,
        summary: &Summary,
        FurtherParts { matches, between }: FurtherParts,
    ) -> Result<HttpResponse, Problem> {
        let (t, filter) = (visitor.t, self.filter);
        let opponents = summary.by_opponent.iter().map(|group| group.value).collect();
        let names = visitor.service.desk.names(opponents).await?;
        let opponent = |opponent: PlayerId| {
            let link = player.map(|player| format!("/players/{player}/statistics/against/{opponent}"));
            (called(&names, opponent), link)
        };
        let (total, months, tables) = breakdown(&t, summary, opponent);
        let mut frame = self.days.frame(visitor, &self.title, Tab::Players);
        frame.here.clone_from(&self.address);
        let day = |day: Option<NaiveDate>| day.map(|day| day.to_string()).unwrap_or_default();
        let page = StatisticsPage {
            t,
            frame,
            title: self.title,
            of_club: player.is_none(),
            ways: self.ways,
            fields: fields(&t, filter.kind, filter.variant, filter.began),
            days: [day(filter.from), day(filter.until)],
            csv: format!("/api/v1{}?{}{}", self.address, spreadsheet::query(&t), query(filter)),
            total,
            matches: matches.and_then(|record| matches_in_words(&t, record, player.is_none())),
            months,
            tables,
            between,
        };
        self.days.answer(visitor, page.render())
    }
}
