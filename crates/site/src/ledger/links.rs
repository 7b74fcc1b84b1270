//! Where a ledger's links lead: its units, periods, filters, files and older lines.

use std::collections::BTreeSet;

use chrono::{Datelike as _, NaiveDate};

use super::words::{kind_name, source_name};
use crate::books::address;
use crate::pages::ChipLink;
use crate::say::sentence;
use owlbox_base::values::Holder;
use owlbox_books::daybook::Month;
use owlbox_books::ledger::{Source, Unit};
use owlbox_desk::books::statements::{Filter, LinePosition, StatementLine, StatementScreen};
use owlbox_desk::people::players::called;
use owlbox_locale::Locale;
use owlbox_locale::spreadsheet;

/// The most links of a list of filters.
const FILTERS: usize = 12;

/// The ledger on show.
pub(crate) struct Here {
    pub holder: Holder,
    pub unit: Unit,
    pub filter: Filter,
}

impl Here {
    /// This ledger in a unit.
    pub fn in_unit(&self, unit: &Unit) -> String {
        Self { holder: self.holder, unit: *unit, filter: self.filter.clone() }.link(&self.filter, None)
    }

    /// The page before this line.
    pub fn older(&self, last: &StatementLine) -> String {
        let LinePosition { day, sequence } = last.place();
        let after = match self.filter == Filter::default() {
            true => sequence.to_string(),
            false => format!("{day}.{sequence}"),
        };
        self.link(&self.filter, Some(&after))
    }

    /// Whether the lines are narrowed by more than days.
    pub fn is_narrowed(&self) -> bool {
        let Filter { from: _, until: _, kind, source, counterparty } = &self.filter;
        kind.is_some() || source.is_some() || counterparty.is_some()
    }

    /// The address of this ledger with a filter.
    fn link(&self, filter: &Filter, after: Option<&str>) -> String {
        format!("{}?{}", address(self.holder), self.query(filter, after))
    }

    fn query(&self, filter: &Filter, after: Option<&str>) -> String {
        let mut query = format!("unit={}", self.unit);
        let day = |day: Option<NaiveDate>| day.map(|day| day.to_string());
        let opponent = filter.counterparty.and_then(Holder::player).map(|player| player.to_string());
        let parts = [
            ("from", day(filter.from)),
            ("until", day(filter.until)),
            ("opponent", opponent),
            ("kind", filter.kind.clone()),
            ("after", after.map(str::to_owned)),
        ];
        for (name, value) in parts {
            if let Some(value) = value {
                query.push_str(&format!("&{name}={value}"));
            }
        }
        let source = filter.source.and_then(|source| match source {
            Source::Chouette(id) => Some(format!("&chouette={id}")),
            Source::Tournament(id) => Some(format!("&tournament={id}")),
            Source::Match(id) => Some(format!("&match={id}")),
            Source::Daybook => None,
        });
        query + source.as_deref().unwrap_or_default()
    }

    /// All of it, this month and the last two, this year and the last.
    pub fn periods(&self, t: &Locale, today: &NaiveDate) -> Vec<ChipLink> {
        let month = Month::of(*today);
        let months = [month, month.previous(), month.previous().previous()]
            .map(|month| (t.month_of(month.first_day()), [month.first_day(), month.last_day()]));
        let years = [today.year(), today.year() - 1].map(|year| {
            let day = |month, day| NaiveDate::from_ymd_opt(year, month, day).unwrap_or(*today);
            (year.to_string(), [day(1, 1), day(12, 31)])
        });
        let all = (t.get("ledger-all"), Filter { from: None, until: None, ..self.filter.clone() });
        let some = months.into_iter().chain(years).map(|(label, [from, until])| {
            (label, Filter { from: Some(from), until: Some(until), ..self.filter.clone() })
        });
        let link = |(label, filter): (String, Filter)| {
            ChipLink::new(label, self.link(&filter, None), filter == self.filter)
        };
        std::iter::once(all).chain(some).map(link).collect()
    }

    /// The same as a file: for a spreadsheet, and signed by the club.
    pub fn downloads(&self, t: &Locale) -> Vec<(String, String)> {
        let of = match self.holder {
            Holder::Player(player) => format!("players/{player}"),
            Holder::Pool(tournament) => format!("ledger/pools/{tournament}"),
            Holder::House => "ledger/house".to_owned(),
            Holder::Bank | Holder::Opening | Holder::Rounding | Holder::Outside => {
                format!("ledger/accounts/{}", self.holder.kind().name())
            }
        };
        let link =
            |format: &str| format!("/api/v1/{of}/statement?{}&{format}", self.query(&self.filter, None));
        let mut all = vec![("CSV".to_owned(), link(&spreadsheet::query(t)))];
        if !self.is_narrowed() {
            all.push((t.get("ledger-signed"), link("format=signed")));
        }
        all
    }

    /// What the lines on show can be narrowed to, and what they are: lists of links by heading. That of a
    /// chosen filter takes the choice back.
    pub fn filters(&self, t: &Locale, screen: &StatementScreen) -> Vec<(String, Vec<ChipLink>)> {
        let filter = |change: &dyn Fn(&mut Filter)| {
            let mut filter = self.filter.clone();
            change(&mut filter);
            self.link(&filter, None)
        };
        let chosen = self.filter.counterparty.and_then(Holder::player);
        let opponents = screen.lines.iter().filter_map(|line| line.counterparty);
        let opponents = chosen.into_iter().chain(opponents).map(|player| {
            let is = chosen == Some(player);
            let with = (!is).then_some(Holder::Player(player));
            let name = called(&screen.names, player);
            ChipLink::new(name, filter(&|filter| filter.counterparty = with), is)
        });
        let sources = screen.lines.iter().map(|line| (line.source, Some(line.night)));
        let sources = sources.filter(|(source, _)| !matches!(source, Source::Daybook));
        let chosen = self.filter.source;
        let sources = sources.chain(chosen.map(|source| (source, None))).map(|(source, night)| {
            let is = chosen == Some(source);
            let name = source_name(t, source, screen.sources.get(&source));
            let name = night.map_or_else(|| name.clone(), |night| format!("{name}, {}", t.day(night)));
            ChipLink::new(name, filter(&|filter| filter.source = (!is).then_some(source)), is)
        });
        let kinds = screen.lines.iter().map(|line| line.bet.clone());
        let kinds = self.filter.kind.clone().into_iter().chain(kinds).map(|kind| {
            let is = self.filter.kind.as_deref() == Some(kind.as_str());
            let to = filter(&|filter| filter.kind = (!is).then(|| kind.clone()));
            ChipLink::new(sentence(&kind_name(t, &kind)), to, is)
        });
        let lists =
            [("line-with", first(opponents)), ("ledger-where", first(sources)), ("line-what", first(kinds))];
        let lists = lists.into_iter().filter(|(_, links)| !links.is_empty());
        lists.map(|(heading, links)| (t.get(heading), links)).collect()
    }
}

/// The first of these links, each once.
fn first(links: impl Iterator<Item = ChipLink>) -> Vec<ChipLink> {
    let mut seen = BTreeSet::new();
    links.filter(|link| seen.insert(link.to.clone())).take(FILTERS).collect()
}
