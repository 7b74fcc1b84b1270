//! The night: the tables in play, and opening one.

use std::collections::BTreeMap;

use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use chrono::{Datelike as _, NaiveDate};
use serde::Deserialize;

use super::form::{Form, invalid};
use super::house_rules::shown_name;
use super::say::Say;
use super::settle_night;
use super::tournaments::{Card, cards_of};
use super::visitor::{Visitor, redirect};
use crate::pages::{Choice, Frame, Tab};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{ChouetteId, Currency, InvalidValue, Stake, StakeAmount};
use owlbox_books::club::{Club, RuleSet};
use owlbox_books::ledger::Unit;
use owlbox_books::typed::InputError;
use owlbox_chouette::rules::preset::COMMON;
use owlbox_chouette::{Chouette, HouseRules};
use owlbox_desk::Request;
use owlbox_desk::chouettes::NewChouette;
use owlbox_desk::nights::night::{NightScreen, TableOfNight};
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;

/// The most tables of each kind on the page.
const MOST_TABLES: i64 = 60;
/// The most tournaments on the page; they have a page of their own that lists all.
const MOST_TOURNAMENTS: i64 = 6;

pub(super) async fn home(visitor: Visitor) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewClub)?;
    page(&visitor).await
}

async fn page(visitor: &Visitor) -> Result<HttpResponse, Problem> {
    let desk = &visitor.service.desk;
    let screen = desk.night_screen(visitor.actor().ok().as_ref(), MOST_TABLES, MOST_TOURNAMENTS).await?;
    let frame = visitor.frame(&visitor.t.get("night-title"), Some(Tab::Night));
    let page = HomePage {
        t: visitor.say(&screen.names),
        frame: Frame { here: "/".to_owned(), ..frame },
        club: &visitor.club.state,
        tournaments: cards_of(visitor, &screen.tournaments),
        screen: &screen,
    };
    visitor.answer(page.render())
}

/// `/`: what is played tonight, and how the viewer stands.
#[derive(Template)]
#[template(path = "home.html")]
pub(crate) struct HomePage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub club: &'a Club,
    pub screen: &'a NightScreen,
    /// The tournaments that are not over, the next one first.
    pub tournaments: Vec<Card<'a>>,
}

impl HomePage<'_> {
    /// The tables in play, those where the viewer sits first.
    fn open(&self) -> Vec<&TableOfNight> {
        let mut open: Vec<&TableOfNight> = self.screen.open.iter().collect();
        open.sort_by_key(|table| !self.sits_at(table));
        open
    }

    /// Whether the viewer sits at a table.
    fn sits_at(&self, table: &TableOfNight) -> bool {
        self.t.player().is_some_and(|me| table.table().present().contains(&me))
    }

    fn newest(&self) -> Option<&Chouette> {
        self.screen.newest.as_ref().map(|stream| &stream.state)
    }

    /// The name that a new table begins with: that of the newest, unless a table of that name is open.
    fn name_as_before(&self) -> &str {
        let name = self.newest().map(Chouette::name).unwrap_or_default();
        if self.screen.open.iter().any(|open| open.table().name() == name) { "" } else { name }
    }

    /// The stake that a new table begins with, as it would be typed.
    fn stake_as_before(&self) -> String {
        let stake = self.newest().and_then(Chouette::stake);
        stake.map(|stake| self.t.typed(&stake.currency, &stake.amount.into())).unwrap_or_default()
    }

    /// The club's currencies, and whether each is that of the newest table.
    fn currencies(&self) -> Vec<(Currency, bool)> {
        let used = self.newest().and_then(Chouette::stake).map(|stake| stake.currency);
        let settings = self.club.settings().cloned().unwrap_or_default();
        settings.currencies.as_slice().iter().map(|one| (*one, used == Some(*one))).collect()
    }

    /// The sets of house rules, the club's own first: heading, and the sets. The one that the newest table
    /// was opened with is chosen.
    fn house_rules(&self) -> [(&'static str, Vec<Choice>); 2] {
        let used = self.newest().map_or_else(HouseRules::default, |table| table.rules().clone());
        let sets: Vec<RuleSet<'_>> = self.club.rule_sets().collect();
        let used = sets.iter().rfind(|set| *set.rules == used).map_or(COMMON, |set| set.name);
        let choice = |set: &RuleSet<'_>| Choice::new(set.name, shown_name(&self.t, set), set.name == used);
        [("house-rules-own", false), ("house-rules-ready", true)].map(|(heading, ready)| {
            (heading, sets.iter().filter(|set| set.is_preset == ready).map(choice).collect())
        })
    }

    /// What a point is worth at a table.
    fn stake(&self, table: &Chouette) -> Option<String> {
        table.stake().map(|stake| self.t.stake(stake))
    }

    /// The viewer's balances, points first.
    fn balances(&self) -> Vec<(Unit, i64)> {
        let Some(balances) = &self.screen.balances else { return Vec::new() };
        let known = balances.iter().filter_map(|one| Some((one.unit.parse().ok()?, one.amount)));
        let known: Vec<_> = known.collect();
        if known.is_empty() { vec![(Unit::HalfPoints, 0)] } else { known }
    }

    /// What the viewer owes in each currency.
    fn owed(&self) -> Vec<(Currency, i64)> {
        let owed = self.balances().into_iter().filter_map(|(unit, amount)| match unit {
            Unit::Money(currency) if amount < 0 => Some((currency, amount.checked_neg()?)),
            Unit::Money(_) | Unit::HalfPoints => None,
        });
        owed.collect()
    }

    fn sheet(&self, unit: &Unit) -> String {
        settle_night::address(self.screen.night, *unit)
    }
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
    let most = usize::try_from(MOST_TABLES).unwrap_or(usize::MAX);
    let (tables, goes_on) = whole_nights(screen.tables, most, |table| table.night);
    let sees_players = visitor.may(Permission::ViewPlayers) && visitor.may(Permission::ViewStandings);
    let page = PastNightsPage {
        t: visitor.say(&screen.names),
        frame: visitor.frame(&visitor.t.get("past-nights"), Some(Tab::Night)),
        tables: &tables,
        units: &screen.units,
        year: sees_players.then(|| visitor.settings().night_of(desk.now()).year()),
        goes_on,
    };
    visitor.answer(page.render())
}

/// `/nights?after=`: the nights that are over, newest first.
#[derive(Template)]
#[template(path = "nights.html")]
pub(crate) struct PastNightsPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub tables: &'a [TableOfNight],
    /// What was played for on each night, if the viewer may see payments.
    pub units: &'a BTreeMap<NaiveDate, Vec<Unit>>,
    /// The year whose nights are counted on a page of their own, if the viewer may see who came.
    pub year: Option<i32>,
    /// Whether older ones follow.
    pub goes_on: bool,
}

impl PastNightsPage<'_> {
    fn nights(&self) -> Vec<(NaiveDate, &[TableOfNight])> {
        let nights = self.tables.chunk_by(|one, other| one.night == other.night);
        nights.filter_map(|tables| Some((tables.first()?.night, tables))).collect()
    }

    fn units(&self, night: &NaiveDate) -> &[Unit] {
        self.units.get(night).map_or(&[], Vec::as_slice)
    }

    fn sheet(&self, night: &NaiveDate, unit: &Unit) -> String {
        settle_night::address(*night, *unit)
    }
}

/// The first of these tables, at most so many, and whether more follow. A night that would go on after them
/// is left to the next page, unless it fills a page by itself.
fn whole_nights<T>(mut tables: Vec<T>, most: usize, night: impl Fn(&T) -> NaiveDate) -> (Vec<T>, bool) {
    let Some(cut) = tables.get(most).map(&night) else { return (tables, false) };
    tables.truncate(most);
    let begun = tables.iter().rposition(|table| night(table) != cut).map_or(most, |before| before + 1);
    tables.truncate(begun);
    (tables, true)
}

pub(super) async fn open(
    visitor: Visitor,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    let opened = match new_chouette(&visitor.t, &form) {
        Ok(new) => {
            visitor.service.desk.open::<Chouette>(Request::by(actor), new).await.map_err(Problem::from)
        }
        Err(problem) => Err(problem),
    };
    match opened {
        Ok(answer) => Ok(redirect(&format!("/chouettes/{}", answer.id))),
        Err(problem) => page(&visitor.refused(request.path(), &form, &problem)).await,
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
        InputError::Ambiguous(_) => Problem::unread("amount", unread),
        InputError::Unreadable => wrong(),
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
