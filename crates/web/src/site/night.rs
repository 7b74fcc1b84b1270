//! The night: the tables in play, and opening one.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template as _;
use chrono::NaiveDate;
use serde::Deserialize;

use super::amounts::amount;
use super::form::{Form, invalid};
use super::house_rules::shown_name;
use super::visitor::{self, Visitor, redirect};
use super::{registering, settle_night};
use crate::problem::Problem;
use owlbox_desk::Request;
use owlbox_desk::chouettes::{Filter, NewChouette, Row};
use owlbox_domain::chouette::rules::preset::COMMON;
use owlbox_domain::chouette::{Chouette, HouseRules};
use owlbox_domain::club::{RuleSet, Settings};
use owlbox_domain::ledger::Unit;
use owlbox_domain::permissions::Permission;
use owlbox_domain::values::{ChouetteId, Currency, HalfPoints, InvalidValue, Stake, StakeAmount};
use owlbox_pages::directing::payments::typed;
use owlbox_pages::locale::Amount;
use owlbox_pages::{
    AsBefore, Choice, FinishedTable, Frame, Home, OpenTable, PastNight, PastNights, Tab, decimal,
};

/// The most tables of each kind on the page.
const MOST_TABLES: i64 = 60;
/// The most tournaments on the page; they have a page of their own that lists all.
const MOST_TOURNAMENTS: i64 = 6;
pub(super) async fn home(visitor: Visitor) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewClub)?;
    let frame = visitor.frame(&visitor.t.get("night-title"), Some(Tab::Night));
    page(&visitor, frame, StatusCode::OK).await
}

async fn page(visitor: &Visitor, frame: Frame, status: StatusCode) -> Result<HttpResponse, Problem> {
    let t = visitor.t;
    let settings = visitor.settings();
    let now = visitor.service.desk.now();
    let tables = if visitor.may(Permission::ViewTables) { rows(visitor, false, None).await? } else { vec![] };
    let mut open = Vec::new();
    for row in tables {
        open.push(open_table(visitor, row).await?);
    }
    let night = Some(settings.night_of(now));
    let over = if visitor.may(Permission::ViewTables) { rows(visitor, true, night).await? } else { vec![] };
    let mut finished = Vec::new();
    for row in over {
        finished.push(finished_table(visitor, row).await?);
    }
    // The viewer's own tables come first.
    open.sort_by_key(|table| !table.mine);
    let newest = visitor.service.desk.chouettes(Filter::default(), None, 1).await?.pop();
    let as_before = newest.as_ref().filter(|_| visitor.may(Permission::OpenChouette)).map(|row| AsBefore {
        name: if open.iter().any(|table| table.name == row.name) { String::new() } else { row.name.clone() },
        amount: stake_of(row).map(|(amount, currency)| typed(amount, currency)).unwrap_or_default(),
    });
    let as_before = as_before.unwrap_or_default();
    let home = Home {
        t,
        frame,
        night: now,
        open,
        tournaments: super::tournaments::open_cards(visitor, MOST_TOURNAMENTS).await?,
        contested: contested(visitor).await?,
        waiting: registering::waiting(visitor).await?,
        finished,
        settle_up: settle_up(visitor, settings.night_of(now)).await?,
        balance: balance(visitor).await?,
        players_first: players_first(visitor).await?,
        may_open: visitor.may(Permission::OpenChouette),
        currencies: currencies(&settings, newest.as_ref()),
        house_rules: rule_sets(visitor, newest.as_ref()).await?,
        has_past: has_past(visitor).await?,
        as_before,
    };
    visitor::html(status, home.render())
}

/// The number of matches with a contest on which the viewer may rule.
async fn contested(visitor: &Visitor) -> Result<usize, Problem> {
    if !visitor.may(Permission::RunMatch) {
        return Ok(0);
    }
    let own = visitor.principal.and_then(|principal| principal.player);
    Ok(visitor.service.desk.matches_contested_between_others(own).await?)
}

/// The addresses and labels of a night's settling up pages; empty for a viewer who may not see standings.
async fn settle_up(visitor: &Visitor, night: NaiveDate) -> Result<Vec<(String, String)>, Problem> {
    if !visitor.may(Permission::ViewStandings) {
        return Ok(Vec::new());
    }
    let label = visitor.t.get("settle-night-link");
    let sheet = |unit| {
        let label = match unit {
            Unit::HalfPoints => label.clone(),
            Unit::Money(currency) => format!("{label}, {currency}"),
        };
        (settle_night::address(night, unit), label)
    };
    Ok(visitor.service.desk.units_of_night(night).await?.into_iter().map(sheet).collect())
}

/// The stake of a table, in minor units.
fn stake_of(row: &Row) -> Option<(u64, Currency)> {
    let currency = row.stake_currency.as_deref()?.parse().ok()?;
    Some((u64::try_from(row.stake_amount?).ok()?, currency))
}

/// The club's currencies. That of the newest table is chosen.
fn currencies(settings: &Settings, newest: Option<&Row>) -> Vec<Choice> {
    let used = newest.and_then(stake_of).map(|(_, currency)| currency);
    let choice = |one: &Currency| Choice::new(one.code(), one.code(), used == Some(*one));
    settings.currencies.as_slice().iter().map(choice).collect()
}

/// Whether there are closed tables for the viewer to look at.
async fn has_past(visitor: &Visitor) -> Result<bool, Problem> {
    let closed = Filter { closed: Some(true), night: None };
    let may = visitor.may(Permission::ViewTables);
    Ok(may && !visitor.service.desk.chouettes(closed, None, 1).await?.is_empty())
}

/// The sets of house rules, the club's own first. The one that the newest table was opened with is chosen.
async fn rule_sets(visitor: &Visitor, newest: Option<&Row>) -> Result<[Vec<Choice>; 2], Problem> {
    let desk = &visitor.service.desk;
    let used = match newest {
        Some(row) => desk.find::<Chouette>(row.id.into()).await?.state.rules().clone(),
        None => HouseRules::default(),
    };
    let sets: Vec<RuleSet<'_>> = visitor.club.state.rule_sets().collect();
    let used = sets.iter().rfind(|set| *set.rules == used).map_or(COMMON, |set| set.name);
    let choice = |set: &RuleSet<'_>| Choice::new(set.name, shown_name(&visitor.t, *set), set.name == used);
    let of = |ready| sets.iter().filter(|set| set.is_preset == ready).map(choice).collect();
    Ok([of(false), of(true)])
}

/// Whether to send the viewer to the players first: a new club has none, and a table needs some.
async fn players_first(visitor: &Visitor) -> Result<bool, Problem> {
    if !visitor.may(Permission::ManagePlayers) {
        return Ok(false);
    }
    Ok(visitor.service.desk.active_players(2).await?.len() < 2)
}

async fn rows(visitor: &Visitor, closed: bool, night: Option<NaiveDate>) -> Result<Vec<Row>, Problem> {
    let filter = Filter { closed: Some(closed), night };
    Ok(visitor.service.desk.chouettes(filter, None, MOST_TABLES).await?)
}

async fn open_table(visitor: &Visitor, row: Row) -> Result<OpenTable, Problem> {
    let desk = &visitor.service.desk;
    let id = ChouetteId::from(row.id);
    let stream = desk.find::<Chouette>(id).await?;
    let state = &stream.state;
    let seats: Vec<_> = state.box_player().into_iter().chain(state.captain()).collect();
    let mut names = desk.names(seats).await?;
    let mut name = |player: Option<_>| player.and_then(|player| names.remove(&player));
    let me = visitor.principal.and_then(|principal| principal.player);
    Ok(OpenTable {
        id: id.to_string(),
        name: state.name().to_owned(),
        stake: state.stake().map(|stake| visitor.t.stake(stake)),
        box_player: name(state.box_player()),
        captain: name(state.captain()),
        players: state.present().len(),
        games: games(state),
        playing: state.game().is_some(),
        mine: me.is_some_and(|me| state.present().contains(&me)),
    })
}

fn games(state: &Chouette) -> usize {
    let number = state.game().map_or(state.games_finished(), |game| game.number);
    usize::try_from(number).unwrap_or(usize::MAX)
}

async fn finished_table(visitor: &Visitor, row: Row) -> Result<FinishedTable, Problem> {
    let desk = &visitor.service.desk;
    let id = ChouetteId::from(row.id);
    let stream = desk.find::<Chouette>(id).await?;
    let best = stream.state.standings().into_iter().next();
    let best = match best.filter(|best| best.points > HalfPoints::ZERO) {
        Some(best) if visitor.may(Permission::ViewStandings) => {
            let name = desk.names(vec![best.player]).await?.remove(&best.player);
            name.map(|name| (name, visitor.t.points(best.points)))
        }
        _ => None,
    };
    Ok(FinishedTable { id: id.to_string(), name: row.name, games: games(&stream.state), best })
}

/// The viewer's balance in every unit, points first, and whether each is in points.
async fn balance(visitor: &Visitor) -> Result<Vec<(Amount, bool)>, Problem> {
    let Some(player) = visitor.principal.and_then(|principal| principal.player) else { return Ok(vec![]) };
    let balances = visitor.service.desk.balances(&visitor.actor()?, player.into()).await?;
    let mut amounts: Vec<(Amount, bool)> = balances
        .iter()
        .filter_map(|balance| {
            let unit = balance.unit.parse().ok()?;
            Some((amount(&visitor.t, unit, balance.amount), unit == Unit::HalfPoints))
        })
        .collect();
    if amounts.is_empty() {
        amounts.push((visitor.t.points(HalfPoints::ZERO), true));
    }
    Ok(amounts)
}

/// Which page of the past nights.
#[derive(Debug, Deserialize)]
pub(super) struct PastQuery {
    after: Option<ChouetteId>,
}

/// The nights that are over: their closed tables, and their settling up.
pub(super) async fn past(visitor: Visitor, query: web::Query<PastQuery>) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewTables)?;
    let filter = Filter { closed: Some(true), night: None };
    let read = visitor.service.desk.chouettes(filter, query.after, MOST_TABLES + 1).await?;
    let most = usize::try_from(MOST_TABLES).unwrap_or(usize::MAX);
    let (read, goes_on) = whole_nights(read, most, |row| row.night);
    let next =
        read.last().filter(|_| goes_on).map(|row| format!("/nights?after={}", ChouetteId::from(row.id)));
    let mut nights: Vec<PastNight> = Vec::new();
    for row in read {
        let night = row.night;
        if nights.last().is_none_or(|last| last.night != night) {
            nights.push(PastNight {
                night,
                tables: Vec::new(),
                settle_up: settle_up(&visitor, night).await?,
            });
        }
        let table = finished_table(&visitor, row).await?;
        if let Some(last) = nights.last_mut() {
            last.tables.push(table);
        }
    }
    let frame = visitor.frame(&visitor.t.get("past-nights"), Some(Tab::Night));
    let page = PastNights { t: visitor.t, frame, nights, next };
    visitor::html(StatusCode::OK, page.render())
}

/// The first of these tables, at most so many, and whether more follow. A night that would go on after them is left
/// to the next page, unless it fills a page by itself.
fn whole_nights<T>(mut tables: Vec<T>, most: usize, night: impl Fn(&T) -> NaiveDate) -> (Vec<T>, bool) {
    let Some(cut) = tables.get(most).map(&night) else { return (tables, false) };
    tables.truncate(most);
    let begun = tables.iter().rposition(|table| night(table) != cut).map_or(most, |before| before + 1);
    tables.truncate(begun);
    (tables, true)
}

pub(super) async fn open(visitor: Visitor, form: Form) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    let opened = match new_chouette(&form) {
        Ok(new) => {
            visitor.service.desk.open::<Chouette>(Request::by(actor), new).await.map_err(Problem::from)
        }
        Err(problem) => Err(problem),
    };
    match opened {
        Ok(answer) => Ok(redirect(&format!("/chouettes/{}", answer.id))),
        Err(problem) => {
            let frame = visitor.frame_about(&visitor.t.get("night-title"), Some(Tab::Night), &problem);
            let frame = Frame { here: "/".to_owned(), ..frame };
            page(&visitor, frame, visitor::status(&problem)).await
        }
    }
}

fn new_chouette(form: &Form) -> Result<NewChouette, Problem> {
    // An amount without a currency is a mistake, not a table for points only.
    let stake = match form.some("amount") {
        None => None,
        Some(amount) => {
            let currency: Currency = form.value("currency")?;
            let amount = minor_units(amount, currency).ok_or_else(|| {
                invalid("amount", &InvalidValue { what: "stake", allowed: "a number like 5 or 0.50" })
            })?;
            Some(Stake { amount, currency })
        }
    };
    let house_rules = form.some("house_rules").map(ToOwned::to_owned);
    Ok(NewChouette { name: form.text("name").to_owned(), stake, rules: None, house_rules })
}

/// What was typed for a stake, in whole minor units.
fn minor_units(typed: &str, currency: Currency) -> Option<StakeAmount> {
    decimal(typed, currency.decimals())?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_past_nights_ends_with_a_night_unless_one_is_longer_than_a_page() {
        let night = |day: &u32| NaiveDate::from_ymd_opt(2026, 11, *day).unwrap();
        for (read, shown, goes_on) in [
            (vec![], vec![], false),
            (vec![9, 9, 8], vec![9, 9, 8], false),
            (vec![9, 9, 8, 7], vec![9, 9, 8], true),
            (vec![9, 9, 8, 8], vec![9, 9], true),
            (vec![9, 9, 9, 9], vec![9, 9, 9], true),
        ] {
            assert_eq!(whole_nights(read.clone(), 3, night), (shown, goes_on), "{read:?}");
        }
    }

    #[test]
    fn a_stake_is_read_as_people_type_it() {
        let [eur, jpy, kwd] = ["EUR", "JPY", "KWD"].map(|code| code.parse().unwrap());
        let cases = [
            ("5", eur, Some(500)),
            ("0,50", eur, Some(50)),
            ("0.5", eur, Some(50)),
            ("1.234", kwd, Some(1234)),
            ("100", jpy, Some(100)),
            ("0.505", eur, None),
            ("1.5", jpy, None),
            ("0", eur, None),
            ("", eur, None),
            (".5", eur, None),
            ("-5", eur, None),
            ("5 EUR", eur, None),
            ("99999999999999999999", eur, None),
        ];
        for (typed, currency, amount) in cases {
            assert_eq!(minor_units(typed, currency).map(i64::from), amount, "{typed}");
        }
    }
}
