//! The night: the tables in play, and opening one.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template as _;
use chrono::{Datelike as _, NaiveDate};
use serde::Deserialize;

use super::amounts::{amount, how_much};
use super::form::{Form, invalid};
use super::house_rules::shown_name;
use super::settle_night;
use super::visitor::{self, Visitor, redirect};
use crate::pages::{AsBefore, Choice, FinishedTable, Frame, Home, OpenTable, PastNight, PastNights, Tab};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{ChouetteId, Currency, HalfPoints, InvalidValue, PlayerId, Stake, StakeAmount};
use owlbox_books::club::{RuleSet, Settings};
use owlbox_books::ledger::Unit;
use owlbox_books::typed::Unread;
use owlbox_chouette::rules::preset::COMMON;
use owlbox_chouette::{Chouette, HouseRules};
use owlbox_desk::Request;
use owlbox_desk::books::posting::Balance;
use owlbox_desk::chouettes::NewChouette;
use owlbox_desk::nights::night::{PastScreen, TableOfNight};
use owlbox_http::problem::Problem;
use owlbox_locale::{Amount, Locale};

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
    let desk = &visitor.service.desk;
    let screen = desk.night_screen(visitor.actor().ok().as_ref(), MOST_TABLES, MOST_TOURNAMENTS).await?;
    let mut open: Vec<OpenTable> =
        screen.open.iter().map(|table| open_table(visitor, table, &screen.names)).collect();
    // The viewer's own tables come first.
    open.sort_by_key(|table| !table.mine);
    let newest = screen.newest.as_ref().map(|stream| &stream.state);
    let as_before = newest.filter(|_| visitor.may(Permission::OpenChouette)).map(|table| AsBefore {
        name: if open.iter().any(|open| open.name == table.name()) {
            String::new()
        } else {
            table.name().to_owned()
        },
        amount: stake_of(table)
            .map(|(amount, currency)| visitor.t.typed(amount, currency))
            .unwrap_or_default(),
    });
    let home = Home {
        t,
        frame,
        night: screen.now,
        open,
        finished: screen.closed.iter().map(|table| finished_table(visitor, table, &screen.names)).collect(),
        tournaments: super::tournaments::cards_of(visitor, screen.tournaments)?,
        contested: screen.contested,
        waiting: screen.registrations,
        settle_up: settle_up(&t, screen.night, &screen.units),
        owes: owes(visitor, screen.balances.as_deref().unwrap_or_default()),
        balance: screen.balances.map(|balances| balance(&t, &balances)).unwrap_or_default(),
        players_first: screen.lacks_players,
        may_open: visitor.may(Permission::OpenChouette),
        currencies: currencies(&visitor.settings(), newest),
        house_rules: rule_sets(visitor, newest),
        has_past: screen.has_past,
        as_before: as_before.unwrap_or_default(),
    };
    visitor::html(status, home.render())
}

/// The addresses and labels of a night's settling up pages.
fn settle_up(t: &Locale, night: NaiveDate, units: &[Unit]) -> Vec<(String, String)> {
    let label = t.get("settle-night-link");
    let sheet = |unit: &Unit| {
        let label = match unit {
            Unit::HalfPoints => label.clone(),
            Unit::Money(currency) => format!("{label}, {currency}"),
        };
        (settle_night::address(night, *unit), label)
    };
    units.iter().map(sheet).collect()
}

/// The stake of a table, in minor units.
fn stake_of(table: &Chouette) -> Option<(u64, Currency)> {
    let stake = table.stake()?;
    Some((u64::try_from(i64::from(stake.amount)).ok()?, stake.currency))
}

/// The club's currencies. That of the newest table is chosen.
fn currencies(settings: &Settings, newest: Option<&Chouette>) -> Vec<Choice> {
    let used = newest.and_then(stake_of).map(|(_, currency)| currency);
    let choice = |one: &Currency| Choice::new(one.code(), one.code(), used == Some(*one));
    settings.currencies.as_slice().iter().map(choice).collect()
}

/// The sets of house rules, the club's own first. The one that the newest table was opened with is chosen.
fn rule_sets(visitor: &Visitor, newest: Option<&Chouette>) -> [Vec<Choice>; 2] {
    let used = newest.map_or_else(HouseRules::default, |table| table.rules().clone());
    let sets: Vec<RuleSet<'_>> = visitor.club.state.rule_sets().collect();
    let used = sets.iter().rfind(|set| *set.rules == used).map_or(COMMON, |set| set.name);
    let choice = |set: &RuleSet<'_>| Choice::new(set.name, shown_name(&visitor.t, *set), set.name == used);
    [false, true].map(|ready| sets.iter().filter(|set| set.is_preset == ready).map(choice).collect())
}

fn open_table(visitor: &Visitor, table: &TableOfNight, names: &BTreeMap<PlayerId, String>) -> OpenTable {
    let state = &table.stream.state;
    let name = |player: Option<PlayerId>| player.and_then(|player| names.get(&player).cloned());
    let me = visitor.principal.and_then(|principal| principal.player);
    OpenTable {
        id: table.id.to_string(),
        name: state.name().to_owned(),
        stake: state.stake().map(|stake| visitor.t.stake(stake)),
        box_player: name(state.box_player()),
        captain: name(state.captain()),
        players: state.present().len(),
        games: games(state),
        playing: state.game().is_some(),
        mine: me.is_some_and(|me| state.present().contains(&me)),
    }
}

fn games(state: &Chouette) -> usize {
    let number = state.game().map_or(state.games_finished(), |game| game.number);
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn finished_table(
    visitor: &Visitor,
    table: &TableOfNight,
    names: &BTreeMap<PlayerId, String>,
) -> FinishedTable {
    let state = &table.stream.state;
    let best = state.standings().into_iter().next().filter(|best| best.points > HalfPoints::ZERO);
    let best = best.filter(|_| visitor.may(Permission::ViewStandings));
    FinishedTable {
        id: table.id.to_string(),
        name: state.name().to_owned(),
        games: games(state),
        best: best.and_then(|best| Some((names.get(&best.player)?.clone(), visitor.t.points(best.points)))),
    }
}

/// The viewer's balance in every unit, points first, and whether each is in points.
fn balance(t: &Locale, balances: &[Balance]) -> Vec<(Amount, bool)> {
    let mut amounts: Vec<(Amount, bool)> = balances
        .iter()
        .filter_map(|balance| {
            let unit = balance.unit.parse().ok()?;
            Some((amount(t, unit, balance.amount), unit == Unit::HalfPoints))
        })
        .collect();
    if amounts.is_empty() {
        amounts.push((t.points(HalfPoints::ZERO), true));
    }
    amounts
}

/// What the viewer owes in each currency, with the page of how to settle it.
fn owes(visitor: &Visitor, balances: &[Balance]) -> Vec<(String, String)> {
    let player = visitor.principal.and_then(|principal| principal.player);
    let owed = balances.iter().filter(|balance| balance.amount < 0).filter_map(|balance| {
        let (unit @ Unit::Money(_), player) = (balance.unit.parse().ok()?, player?) else { return None };
        let owed = how_much(&visitor.t, unit, balance.amount.checked_neg()?);
        let said = visitor.t.with("due-you-owe", "amount", owed);
        Some((said, format!("/ledger/{player}?unit={unit}")))
    });
    owed.collect()
}

/// Which page of the past nights.
#[derive(Debug, Deserialize)]
pub(super) struct PastQuery {
    after: Option<ChouetteId>,
}

/// The nights that are over: their closed tables, and their settling up.
pub(super) async fn past(visitor: Visitor, query: web::Query<PastQuery>) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewTables)?;
    let desk = &visitor.service.desk;
    let screen = desk.past_screen(visitor.actor().ok().as_ref(), query.after, MOST_TABLES + 1).await?;
    let PastScreen { tables, units, names } = screen;
    let most = usize::try_from(MOST_TABLES).unwrap_or(usize::MAX);
    let (tables, goes_on) = whole_nights(tables, most, |table| table.night);
    let next = tables.last().filter(|_| goes_on).map(|table| format!("/nights?after={}", table.id));
    let nights = tables.chunk_by(|one, other| one.night == other.night).filter_map(|tables| {
        let night = tables.first()?.night;
        let units = units.get(&night).map_or(&[][..], Vec::as_slice);
        Some(PastNight {
            night,
            tables: tables.iter().map(|table| finished_table(&visitor, table, &names)).collect(),
            settle_up: settle_up(&visitor.t, night, units),
        })
    });
    let frame = visitor.frame(&visitor.t.get("past-nights"), Some(Tab::Night));
    let sees_players = visitor.may(Permission::ViewPlayers) && visitor.may(Permission::ViewStandings);
    let year = sees_players.then(|| visitor.settings().night_of(desk.now()).year());
    let page = PastNights { t: visitor.t, frame, nights: nights.collect(), year, next };
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
    let opened = match new_chouette(&visitor.t, &form) {
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

fn new_chouette(t: &Locale, form: &Form) -> Result<NewChouette, Problem> {
    // An amount without a currency is a mistake, not a table for points only.
    let stake = match form.some("amount") {
        None => None,
        Some(amount) => {
            let currency: Currency = form.value("currency")?;
            let amount = minor_units(t, amount, currency)?;
            Some(Stake { amount, currency })
        }
    };
    let house_rules = form.some("house_rules").map(ToOwned::to_owned);
    Ok(NewChouette { name: form.text("name").to_owned(), stake, rules: None, house_rules })
}

/// What was typed for a stake, in whole minor units.
fn minor_units(t: &Locale, typed: &str, currency: Currency) -> Result<StakeAmount, Problem> {
    let wrong = || invalid("amount", &InvalidValue { what: "stake", allowed: "a number like 5 or 0.50" });
    let amount = t.amount_typed(typed, Unit::Money(currency)).map_err(|unread| match unread {
        Unread::Ambiguous(_) => Problem::unread("amount", unread),
        Unread::Unreadable => wrong(),
    })?;
    amount.try_into().map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;
    use owlbox_locale::Language;

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
            // As the page prints it: M6.
            ("5 EUR", eur, Some(500)),
            ("1,234.50", eur, Some(123_450)),
            ("1.230", eur, None),
            ("1.234", eur, Some(123_400)),
            ("99999999999999999999", eur, None),
        ];
        for (typed, currency, amount) in cases {
            let t = Locale::new(Language::English, chrono_tz::UTC);
            assert_eq!(minor_units(&t, typed, currency).ok().map(i64::from), amount, "{typed}");
        }
    }
}
