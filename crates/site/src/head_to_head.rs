//! Everybody against everybody, and one player against everybody else (M8).

use std::collections::BTreeSet;

use actix_web::{HttpResponse, web};
use askama::Template as _;
use chrono::NaiveDate;

use super::days::AskedDays;
use super::income::offered;
use super::statistics;
use super::visitor::Visitor;
use crate::pages::Tab;
use crate::pages::head_to_head::{
    ChoiceOfPlayers, Filters, HeadToHeadPage, PlayerOffered, filters, has_points, lines, matrix,
};
use crate::pages::sorted::address;
use owlbox_base::values::PlayerId;
use owlbox_desk::books::income::Period;
use owlbox_desk::nights::statistics::{Filter, HeadToHeadPart, Part, Played};
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_locale::spreadsheet;

pub(super) const HERE: &str = "/statistics/head-to-head";

/// The most players in the table: what a laptop shows across, and a browser paints at once.
const MOST: usize = 20;
/// How many players the list below the table has a page, beside those chosen.
const LISTED: usize = 25;

/// Whom the address asks for, beside the [filter](statistics::Query).
#[derive(Clone, Debug, Default)]
struct Asked {
    /// Whose side is shown.
    player: Option<PlayerId>,
    /// Whom the table has.
    who: BTreeSet<PlayerId>,
    /// The name that the list is searched for.
    search: String,
    /// The last player of the list's page before.
    after: Option<PlayerId>,
}

impl Asked {
    /// What is no player's id asks for nobody. Who chooses one player alone looks at them.
    fn from_query(query: &[(String, String)]) -> Self {
        let mut asked = Self::default();
        for (field, value) in query {
            match field.as_str() {
                "player" => asked.player = value.parse().ok(),
                "who" => asked.who.extend(value.parse::<PlayerId>().ok().filter(|_| asked.who.len() < MOST)),
                "q" => value.trim().clone_into(&mut asked.search),
                "after" => asked.after = value.parse().ok(),
                _ => {}
            }
        }
        if asked.player.is_none() && asked.who.len() == 1 {
            asked.player = asked.who.pop_first();
        }
        asked
    }

    /// As fields of an address: who is shown, without where the list is.
    fn fields(&self) -> Vec<(&'static str, String)> {
        let player = self.player.iter().map(|player| ("player", player.to_string()));
        player.chain(self.who.iter().map(|player| ("who", player.to_string()))).collect()
    }
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

/// The address of this page, or of the API, for whoever is asked for and a filter.
fn to(
    path: &str,
    more: &[(&'static str, String)],
    asked: &[(&'static str, String)],
    filter: Filter,
) -> String {
    let all: Vec<_> = more.iter().chain(asked).cloned().chain(fields(filter)).collect();
    address(path, &all)
}

pub(super) async fn show(
    visitor: Visitor,
    query: web::Query<Vec<(String, String)>>,
    filter: web::Query<statistics::Query>,
) -> Result<HttpResponse, Problem> {
    let (t, desk, actor) = (visitor.t, &visitor.service.desk, visitor.actor()?);
    let days = AskedDays::of(&visitor);
    let filter = Filter { began: None, ..filter.filter(&days) };
    let asked = Asked::from_query(&query);
    let player = asked.player;
    let (met, everybody) = match player {
        Some(_) => (desk.head_to_head(&actor, player, filter).await?, Vec::new()),
        None => {
            let own = visitor.principal.and_then(|principal| principal.player);
            let most = Part::Most { players: MOST, own };
            let part = if asked.who.is_empty() { most } else { Part::Among(asked.who.clone()) };
            let HeadToHeadPart { met, everybody } = desk.head_to_head_part(&actor, part, filter).await?;
            (met, everybody)
        }
    };
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
        (label, to(HERE, &[], &asked.fields(), link), period == shown)
    });
    let mut all = vec![Filters { label: t.get("income-period"), choices: choices.collect() }];
    all.extend(filters(&t, filter.kind, filter.variant, |kind, variant| {
        to(HERE, &[], &asked.fields(), Filter { kind, variant, ..filter })
    }));
    let day = |day: Option<NaiveDate>| day.map(|day| t.day(day)).unwrap_or_default();
    // As CSV there is everybody, or one player.
    let whole = Asked { player, ..Asked::default() };
    let is_limited = shown != Period::default();
    let page = HeadToHeadPage {
        t,
        frame: days.frame(&visitor, &title, Tab::Players),
        title,
        ways,
        filters: all,
        days: is_limited.then(|| format!("{} – {}", day(filter.from), day(filter.until))),
        csv: to("/api/v1/statistics/head-to-head", &spreadsheet::asked(&t), &whole.fields(), filter),
        points: has_points(filter.kind),
        lines: player.map(|player| lines(&t, &met, player, &fields(filter))).unwrap_or_default(),
        matrix: if player.is_none() { matrix(&t, &met, &fields(filter)) } else { Vec::new() },
        choice: (everybody.len() > MOST).then(|| choice(&t, &asked, &everybody, met.players.len(), filter)),
    };
    days.answer(&visitor, page.render())
}

/// The list from which the table's players are chosen: those who are, then a page of the others.
fn choice(t: &Locale, asked: &Asked, everybody: &[Played], shown: usize, filter: Filter) -> ChoiceOfPlayers {
    let searched = asked.search.to_lowercase();
    let is_chosen = |one: &&Played| asked.who.contains(&one.who.player);
    let is_found = |one: &&Played| !is_chosen(one) && one.who.name.to_lowercase().contains(&searched);
    let others: Vec<&Played> = everybody.iter().filter(is_found).collect();
    let last = others.iter().position(|one| Some(one.who.player) == asked.after);
    let rest = others.get(last.map_or(0, |last| last + 1)..).unwrap_or_default();
    let page = rest.get(..LISTED).unwrap_or(rest);
    let next = page.last().filter(|_| rest.len() > LISTED).map(|one| {
        let list = [("q", asked.search.clone()), ("after", one.who.player.to_string())];
        let address = to(HERE, &asked.fields(), &list, filter);
        format!("{address}#players")
    });
    let chosen = everybody.iter().filter(is_chosen).map(|one| (one, true));
    let offered = chosen.chain(page.iter().map(|one| (*one, false)));
    let words = if asked.who.is_empty() { "head-to-head-shown" } else { "head-to-head-chosen" };
    ChoiceOfPlayers {
        shown: t.fill(words, &[("shown", &shown.to_string()), ("all", &everybody.len().to_string())]),
        at_most: MOST,
        kept: fields(filter).into_iter().filter(|(_, value)| !value.is_empty()).collect(),
        search: asked.search.clone(),
        players: offered.map(|(one, chosen)| PlayerOffered::new(t, one, &fields(filter), chosen)).collect(),
        next,
        most: (!asked.who.is_empty()).then(|| to(HERE, &[], &[], filter)),
    }
}
