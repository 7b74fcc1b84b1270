//! All that is kept of one person, to be read; and what their erasure would do.

use askama::Template;

use super::frame::Frame;
use owlbox_base::values::{HalfPoints, MinorUnits};
use owlbox_books::club::bank::Iban;
use owlbox_books::ledger::Unit;
use owlbox_desk::people::privacy::person::{PersonalData, PersonalLine};
use owlbox_desk::people::privacy::readings::Read;
use owlbox_locale::{Amount, Locale};

/// Lines of a part that the page shows; the file has all.
const SHOWN: usize = 200;

/// All that is kept of one person.
#[derive(Debug, Template)]
#[template(path = "person.html")]
pub struct PersonPage {
    pub t: Locale,
    pub frame: Frame,
    pub id: String,
    pub person: Person,
    /// Whether the viewer may erase them.
    pub may_erase: bool,
}

/// The same as a document of its own.
#[derive(Debug, Template)]
#[template(path = "person_alone.html")]
pub struct PersonAlone {
    pub t: Locale,
    pub club: String,
    pub person: Person,
}

impl PersonAlone {
    /// The document.
    ///
    /// # Errors
    /// It cannot be rendered.
    pub fn html(&self) -> askama::Result<String> {
        self.render()
    }
}

/// What is said of a person, part by part.
#[derive(Clone, Debug)]
pub struct Person {
    pub name: String,
    /// When it was put together.
    pub at: String,
    pub parts: Vec<PersonPart>,
}

/// A part with its lines.
#[derive(Clone, Debug)]
pub struct PersonPart {
    /// The key of its heading, also its id.
    pub key: &'static str,
    pub heading: String,
    /// How many lines there are.
    pub count: usize,
    pub lines: Vec<PersonLine>,
    /// How many lines only the file has.
    pub more: usize,
}

/// A line: what, about it, and a figure.
#[derive(Clone, Debug, Default)]
pub struct PersonLine {
    pub what: String,
    pub about: String,
    pub figure: String,
}

impl PersonLine {
    fn new(what: impl Into<String>, about: impl Into<String>, figure: impl Into<String>) -> Self {
        Self { what: what.into(), about: about.into(), figure: figure.into() }
    }
}

impl Person {
    /// The person as a reader of `t` reads of them. The newest lines come first.
    #[must_use]
    pub fn new(t: &Locale, data: &PersonalData) -> Self {
        let part = |key: &'static str, lines: Vec<PersonLine>| PersonPart {
            key,
            heading: t.get(key),
            count: lines.len(),
            more: lines.len().saturating_sub(SHOWN),
            lines: lines.into_iter().take(SHOWN).collect(),
        };
        let parts = vec![
            part("person-details", details(t, data)),
            part("person-login", login(t, data)),
            part("person-balances", balances(t, data)),
            part("person-ledger", data.ledger.iter().rev().map(|line| ledger_line(t, line)).collect()),
            part("person-tables", tables(t, data)),
            part("person-matches", matches(t, data)),
            part("person-tournaments", tournaments(t, data)),
            part("person-rated", rated(t, data)),
            part("person-games", games(t, data)),
            part(
                "person-texts",
                data.texts.iter().map(|one| PersonLine::new(&one.text, one.of, "")).collect(),
            ),
            part("person-acts", acts(t, data)),
            part("person-read-by", read_by(t, data)),
        ];
        Self { name: data.details.name.to_string(), at: t.date_time(&data.at), parts }
    }
}

fn details(t: &Locale, data: &PersonalData) -> Vec<PersonLine> {
    let details = &data.details;
    let text = |value: Option<String>| value.unwrap_or_default();
    let lines = [
        ("name", details.name.to_string()),
        ("nickname", text(details.nickname.as_ref().map(ToString::to_string))),
        ("country", text(details.country.as_ref().map(ToString::to_string))),
        ("home-club", text(details.club.as_ref().map(ToString::to_string))),
        ("contact", text(details.contact.as_ref().map(ToString::to_string))),
        ("iban", text(details.iban.as_ref().map(Iban::printed))),
        ("notes", text(details.notes.as_ref().map(ToString::to_string))),
        ("guest", if data.guest { t.get("person-yes") } else { String::new() }),
        ("inactive", if data.active { String::new() } else { t.get("person-yes") }),
    ];
    let known = lines.into_iter().filter(|(_, value)| !value.is_empty());
    known.map(|(key, value)| PersonLine::new(value, t.get(key), "")).collect()
}

fn login(t: &Locale, data: &PersonalData) -> Vec<PersonLine> {
    let Some(login) = &data.login else { return Vec::new() };
    let roles: Vec<String> = login.roles.iter().map(|role| super::role(t, role.name())).collect();
    let mut lines = vec![PersonLine::new(login.login.clone().unwrap_or_default(), roles.join(", "), "")];
    for [started, ends] in &login.sessions {
        let from_until = format!("{} – {}", t.date_time(started), t.date_time(ends));
        lines.push(PersonLine::new(t.get("person-session"), from_until, ""));
    }
    for (name, made) in &login.api_tokens {
        lines.push(PersonLine::new(name, t.get("tokens"), t.date_time(made)));
    }
    lines
}

/// An amount in a stored unit; the bare number if it is none that is known.
fn amount(t: &Locale, unit: &str, amount: i64) -> String {
    let amount: Option<Amount> = unit.parse().ok().map(|unit| match unit {
        Unit::HalfPoints => t.points(HalfPoints(amount)),
        Unit::Money(currency) => t.money(MinorUnits(amount), currency),
    });
    amount.map(|amount| amount.to_string()).unwrap_or_default()
}

fn balances(t: &Locale, data: &PersonalData) -> Vec<PersonLine> {
    let line = |one: &owlbox_desk::people::privacy::person::PersonalBalance| {
        let unit =
            if one.unit.parse() == Ok(Unit::HalfPoints) { t.get("points-unit") } else { one.unit.clone() };
        PersonLine::new(unit, "", amount(t, &one.unit, one.amount))
    };
    data.balances.iter().map(line).collect()
}

fn ledger_line(t: &Locale, line: &PersonalLine) -> PersonLine {
    let what = line.memo.as_ref().map_or_else(|| line.from.clone(), ToString::to_string);
    let about = format!("{} · {}", t.day(line.on), line.with);
    PersonLine::new(what, about, amount(t, &line.unit, line.amount))
}

fn tables(t: &Locale, data: &PersonalData) -> Vec<PersonLine> {
    let newest = data.tables.iter().rev();
    newest
        .map(|one| PersonLine::new(&one.name, t.day(one.night), t.points(HalfPoints(one.score)).to_string()))
        .collect()
}

fn matches(t: &Locale, data: &PersonalData) -> Vec<PersonLine> {
    let newest = data.matches.iter().rev();
    newest
        .map(|one| {
            let score = format!("{} : {}", one.score[0], one.score[1]);
            PersonLine::new(&one.opponent, t.date(&one.opened_at), score)
        })
        .collect()
}

fn tournaments(t: &Locale, data: &PersonalData) -> Vec<PersonLine> {
    let newest = data.tournaments.iter().rev();
    newest.map(|one| PersonLine::new(&one.name, t.day(one.date), "")).collect()
}

fn rated(t: &Locale, data: &PersonalData) -> Vec<PersonLine> {
    let newest = data.rated.iter().rev();
    newest
        .map(|one| {
            let what = t.with(if one.won { "rating-won" } else { "rating-lost" }, "name", &one.opponent);
            let rating = t.rating(owlbox_play::tournament::rating::Rating(one.rating));
            PersonLine::new(what, t.date(&one.finished_at), rating)
        })
        .collect()
}

fn games(t: &Locale, data: &PersonalData) -> Vec<PersonLine> {
    let newest = data.games.iter().rev();
    newest
        .map(|one| {
            let about = [&one.role, &one.result, &one.ending].map(String::as_str).join(" · ");
            let what = one.opponent.clone().unwrap_or_else(|| one.kind.clone());
            PersonLine::new(
                what,
                format!("{} · {about}", t.day(one.day)),
                format!("{} × {}", one.games, one.cube),
            )
        })
        .collect()
}

fn acts(t: &Locale, data: &PersonalData) -> Vec<PersonLine> {
    let newest = data.acts.iter().rev();
    newest.map(|one| PersonLine::new(&one.event, &one.of, t.date_time(&one.at))).collect()
}

fn read_by(t: &Locale, data: &PersonalData) -> Vec<PersonLine> {
    let line = |one: &owlbox_desk::people::privacy::person::PersonalReading| {
        let what = t.get(match one.what {
            Read::Ledger => "read-ledger",
            Read::Person => "read-person",
            Read::Books => "read-books",
        });
        PersonLine::new(one.by.clone().unwrap_or_else(|| "–".to_owned()), what, t.date_time(&one.at))
    };
    data.read_by.iter().map(line).collect()
}

/// What the erasure of a person would do.
#[derive(Debug, Template)]
#[template(path = "erase.html")]
pub struct ErasePage {
    pub t: Locale,
    pub frame: Frame,
    pub id: String,
    pub name: String,
    /// The name that comes in the place of theirs.
    pub pseudonym: String,
    /// The login that ends.
    pub login: Option<String>,
    /// What else free text calls them, as typed.
    pub also: String,
    /// Every free text that changes: what is said, and what is said instead.
    pub texts: Vec<(String, String)>,
    /// Free texts that may mean them and stay as they are.
    pub near: Vec<String>,
    /// Why it would be refused now, in words.
    pub refused: Option<String>,
    /// The club's version that the page was made from.
    pub version: i64,
    pub key: String,
}
