//! Statistics of a player, of two players against each other, and of the club (M8).
//!
//! Every figure that is drawn is also written beside it. Wins, draws and losses differ by pattern, not by
//! colour alone.

mod months;
pub(super) mod tallies;

use std::fmt::Display;

use actix_web::{HttpResponse, web};
use askama::Template;
use chrono::{Datelike as _, NaiveDate};
use serde::Deserialize;

use self::months::MonthChart;
use self::tallies::{Table, began_word, in_words, kind_word, tables};
use super::days::AskedDays;
use super::say::{NOBODY, Say};
use super::visitor::Visitor;
use crate::pages::{Choice, Frame, Tab};
use crate::playing::variant;
use owlbox_base::permissions::Permission;
use owlbox_base::values::PlayerId;
use owlbox_books::statistics::{Began, Kind, Record, Summary};
use owlbox_desk::nights::statistics::{Filter, MatchRecord, PairDay, PairMatch, PairStatistics};
use owlbox_engine::Variant;
use owlbox_http::problem::Problem;
use owlbox_locale::{Locale, spreadsheet};

/// Everybody against everybody.
pub(super) const HEAD_TO_HEAD: &str = "/statistics/head-to-head";

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

/// `/players/{id}/statistics`, `/players/{id}/statistics/against/{other}` and `/statistics`.
#[derive(Template)]
#[template(path = "statistics.html")]
pub(crate) struct StatisticsPage<'a> {
    pub t: Say<'a>,
    /// Its `here` is the address without the filter.
    pub frame: Frame,
    /// Links to related pages: address and label.
    pub ways: Vec<(String, String)>,
    pub filter: Filter,
    /// Whose games they are; `None` for the club's, which are counted from the winner's side.
    pub player: Option<PlayerId>,
    pub games: &'a Summary,
    pub matches: Option<MatchRecord>,
    /// What else is known of two players, if it is about their games.
    pub pair: Option<&'a PairStatistics>,
}

impl StatisticsPage<'_> {
    /// The selects of the filter: each with its field, its label and its choices.
    fn selects(&self) -> [(&'static str, String, Vec<Choice>); 3] {
        let (t, filter): (&Locale, _) = (&self.t, &self.filter);
        let kinds = Kind::ALL.iter().map(|one| (one.name(), t.get(kind_word(*one))));
        let variants = Variant::ALL.iter().map(|one| (one.key(), variant(t, *one)));
        let sides = Began::ALL.iter().map(|one| (one.name(), t.get(began_word(*one))));
        [
            ("kind", t.get("statistics-by-kind"), choices(t, kinds, filter.kind.map(Kind::name))),
            (
                "variant",
                t.get("statistics-by-variant"),
                choices(t, variants, filter.variant.map(Variant::key)),
            ),
            ("began", t.get("statistics-by-began"), choices(t, sides, filter.began.map(Began::name))),
        ]
    }

    fn is_filtered(&self) -> bool {
        self.filter != Filter::default()
    }

    fn csv(&self) -> String {
        format!("/api/v1{}?{}{}", self.frame.here, spreadsheet::query(&self.t), query(self.filter))
    }

    fn in_words(&self, games: &Record) -> String {
        in_words(&self.t, games)
    }

    fn months(&self) -> Option<MonthChart> {
        MonthChart::new(&self.t, &self.games.by_month)
    }

    fn tables(&self) -> Vec<Table> {
        tables(&self.t, self.games, self.player)
    }

    /// Where the parts for won, drawn and lost end, on a bar of 1000.
    fn ends(&self, &Record { games, won, drawn, .. }: &Record) -> [i64; 3] {
        let part = |count: i64| (count * 1000).checked_div(games).unwrap_or(0);
        [part(won), part(won + drawn), part(games)]
    }

    fn per_cent(&self, share: &i64) -> String {
        self.t.hundredths_of_a_per_cent(*share)
    }

    /// These games in per cent of all.
    fn share(&self, games: &Record) -> String {
        self.per_cent(&self.games.total.share(games.games))
    }

    /// How many matches there were, of the club, or how many were won and lost. `None` without any.
    fn matches_in_words(&self) -> Option<String> {
        let record = self.matches.filter(|record| record.matches > 0)?;
        Some(match self.player {
            Some(_) => self.score(&record.won, &record.lost),
            None => {
                let matches = usize::try_from(record.matches).unwrap_or_default();
                self.t.count("statistics-matches-played", &matches)
            }
        })
    }

    fn score(&self, won: &impl Display, lost: &impl Display) -> String {
        self.t.fill("statistics-matches-score", &[("won", won), ("lost", lost)])
    }

    fn day(&self, one: &PairDay) -> String {
        format!("{} · {}", self.t.day(&one.day), self.t.get(kind_word(one.kind)))
    }

    fn address(&self, one: &PairMatch) -> String {
        match (one.sheet, one.tournament, one.division, one.number) {
            (None, Some(tournament), Some(division), Some(number)) => {
                format!("/tournaments/{tournament}/{division}/matches/{number}")
            }
            (Some(sheet), ..) => format!("/matches/{sheet}"),
            (None, ..) => "/matches".to_owned(),
        }
    }
}

/// The choices of a select, the first of which is all of them.
fn choices(
    t: &Locale,
    all: impl Iterator<Item = (&'static str, String)>,
    chosen: Option<&str>,
) -> Vec<Choice> {
    let any = Choice::new("", t.get("statistics-all"), chosen.is_none());
    let choice = |(value, label)| Choice::new(value, label, chosen == Some(value));
    std::iter::once(any).chain(all.map(choice)).collect()
}

/// A day as its field has it.
fn day(day: &Option<NaiveDate>) -> String {
    day.map(|day| day.to_string()).unwrap_or_default()
}

pub(super) async fn of_player(
    visitor: Visitor,
    player: web::Path<PlayerId>,
    query: web::Query<Query>,
) -> Result<HttpResponse, Problem> {
    let (days, visitor) = AskedDays::of(visitor);
    let (desk, actor, filter) = (&visitor.service.desk, visitor.actor()?, query.filter(&days));
    let found = desk.statistics(&actor, *player, filter).await?;
    let name = desk.player(&actor, *player).await?.name;
    let names = desk.names(found.games.by_opponent.iter().map(|group| group.value).collect()).await?;
    let title = visitor.t.with("statistics-of", "name", &name);
    let here = format!("/players/{player}/statistics");
    let frame = visitor.frame(&title, Some(Tab::Players));
    let page = StatisticsPage {
        t: visitor.say(&names),
        frame: Frame { here, ..frame },
        ways: vec![
            (format!("/players/{player}"), name),
            ("/statistics".to_owned(), visitor.t.get("statistics-club")),
        ],
        filter,
        player: Some(*player),
        games: &found.games,
        matches: found.matches,
        pair: None,
    };
    visitor.answer(page.render())
}

/// The games of two players against each other.
pub(super) async fn of_pair(
    visitor: Visitor,
    path: web::Path<(PlayerId, PlayerId)>,
    query: web::Query<Query>,
) -> Result<HttpResponse, Problem> {
    let (player, other) = *path;
    let (days, visitor) = AskedDays::of(visitor);
    let (desk, actor, filter) = (&visitor.service.desk, visitor.actor()?, query.filter(&days));
    let pair = desk.pair_statistics(&actor, player, other, filter).await?;
    let [name, others] = [desk.player(&actor, player).await?.name, desk.player(&actor, other).await?.name];
    let title = visitor.t.fill("statistics-against", &[("name", &name), ("other", &others)]);
    let here = format!("/players/{player}/statistics/against/{other}");
    let frame = visitor.frame(&title, Some(Tab::Players));
    let page = StatisticsPage {
        t: visitor.say(&NOBODY),
        frame: Frame { here, ..frame },
        ways: vec![(format!("/players/{player}/statistics"), visitor.t.with("statistics-of", "name", &name))],
        filter,
        player: Some(player),
        games: &pair.games,
        matches: None,
        pair: Some(&pair),
    };
    visitor.answer(page.render())
}

pub(super) async fn of_club(visitor: Visitor, query: web::Query<Query>) -> Result<HttpResponse, Problem> {
    let (days, visitor) = AskedDays::of(visitor);
    let filter = query.filter(&days);
    let found = visitor.service.desk.club_statistics(&visitor.actor()?, filter).await?;
    let mut ways = vec![("/players".to_owned(), visitor.t.get("tab-players"))];
    if visitor.may(Permission::ViewStandings) {
        let year = visitor.settings().night_of(visitor.service.desk.now()).year();
        ways.push((format!("/club/years/{year}"), visitor.t.with("club-year-link", "year", year)));
    }
    if visitor.may(Permission::ViewAnyLedger) {
        ways.push((HEAD_TO_HEAD.to_owned(), visitor.t.get("head-to-head")));
    }
    let frame = visitor.frame(&visitor.t.get("statistics-club"), Some(Tab::Players));
    let page = StatisticsPage {
        t: visitor.say(&NOBODY),
        frame: Frame { here: "/statistics".to_owned(), ..frame },
        ways,
        filter,
        player: None,
        games: &found.games,
        matches: found.matches,
        pair: None,
    };
    visitor.answer(page.render())
}
