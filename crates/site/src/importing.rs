//! The page to bring an old club's standings and games: a table is looked at as often as its reader likes, and booked by
//! one button once nothing in it is wrong.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template as _;
use serde::Deserialize;

use super::amounts::amount;
use super::form::{Form, malformed};
use super::ledger::books;
use super::treasury::{self, day};
use super::visitor::{self, Visitor, redirect};
use crate::pages::button::key;
use crate::pages::{Choice, ImportForm, ImportFound, ImportLine, ImportPage, Tab};
use owlbox_base::code::Code;
use owlbox_base::permissions::Permission;
use owlbox_base::values::PlayerId;
use owlbox_books::daybook::import::{Column, Entry, Line, Person, TableKind, Why, Wrong};
use owlbox_books::ledger::Unit;
use owlbox_books::typed::Writing;
use owlbox_desk::Request;
use owlbox_desk::books::daybook::import::{Import, ImportPreview};
use owlbox_desk::people::players::called;
use owlbox_http::problem::Problem;
use owlbox_locale::spreadsheet;
use owlbox_locale::{Amount, Locale};

pub(super) const HERE: &str = "/ledger/import";
/// The most lines with nothing wrong that are on show.
const SHOWN: usize = 200;

/// Such tables, as a spreadsheet saves them in the reader's language: headings, then lines with numbers in `{}`.
const STANDINGS: [&[&str]; 4] = [
    &["player", "unit", "amount"],
    &["Anna Rossi", "EUR", "-12.50"],
    &["Anna Rossi", "{points}", "7.5"],
    &["Bea", "EUR", "40"],
];
const GAMES: [&[&str]; 2] = [
    &["date", "winner", "loser", "points", "currency", "amount"],
    &["2025-11-28", "Bea", "Anna Rossi", "4", "EUR", "2.00"],
];

/// A table of these lines as a reader's spreadsheet has it.
fn sample(t: &Locale, lines: &[&[&str]]) -> String {
    let (separator, mark) = spreadsheet::marks(t.language);
    let cell = |number: usize, cell: &str| match (number, cell) {
        (0, heading) => t.get(&format!("import-heading-{heading}")),
        (_, "{points}") => t.get("import-heading-points"),
        (_, cell) => cell.replace('.', &mark.to_string()),
    };
    let line = |(number, cells): (usize, &&[&str])| {
        let cells: Vec<String> = cells.iter().map(|text| cell(number, text)).collect();
        cells.join(&separator.to_string()) + "\n"
    };
    lines.iter().enumerate().map(line).collect()
}

#[derive(Debug, Deserialize)]
pub(super) struct Query {
    table: Option<String>,
}

pub(super) async fn show(visitor: Visitor, query: web::Query<Query>) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::KeepBooks)?;
    let kind = query.table.as_deref().and_then(|name| name.parse().ok()).unwrap_or(TableKind::Standings);
    let today = visitor.settings().night_of(visitor.service.desk.now()).to_string();
    let form = Form::filled(&[("on", &today)]);
    page(&visitor, kind, &form, None, None)
}

/// Looks at a table.
pub(super) async fn preview(visitor: Visitor, form: Form) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    visitor.require(Permission::KeepBooks)?;
    let kind = kind(&form)?;
    let looked = match import(&visitor.t, kind, &form) {
        Ok(import) => Ok(visitor.service.desk.preview_import(&actor, import).await?),
        Err(problem) => Err(problem),
    };
    match looked {
        Ok(found) => page(&visitor, kind, &form, Some(&found), None),
        Err(problem) => page(&visitor, kind, &form, None, Some(&problem)),
    }
}

/// Books a table that was looked at. If something in it is wrong by now, the page shows it again.
pub(super) async fn record(visitor: Visitor, form: Form) -> Result<HttpResponse, Problem> {
    let (actor, desk) = (visitor.actor()?, &visitor.service.desk);
    visitor.require(Permission::KeepBooks)?;
    let kind = kind(&form)?;
    let import = match import(&visitor.t, kind, &form) {
        Ok(import) => import,
        Err(problem) => return page(&visitor, kind, &form, None, Some(&problem)),
    };
    let idempotency = form.idempotency(HERE, &form.choices())?;
    match desk.import(Request { idempotency, ..Request::by(actor) }, import.clone()).await {
        Ok(imported) => Ok(redirect(&format!("{}?saved#record-{}", treasury::HERE, imported.entry))),
        Err(refused) => {
            let problem = Problem::from(refused);
            if problem.is_for_no_page() {
                return Err(problem);
            }
            let found = match problem.code == Code::WrongLines {
                true => Some(desk.preview_import(&actor, import).await?),
                false => None,
            };
            page(&visitor, kind, &form, found.as_ref(), Some(&problem))
        }
    }
}

fn kind(form: &Form) -> Result<TableKind, Problem> {
    form.text("table").parse().map_err(|_| malformed("a table has standings or games"))
}

/// The import that a form asks for.
fn import(t: &Locale, kind: TableKind, form: &Form) -> Result<Import, Problem> {
    Ok(Import {
        kind,
        table: form.exact("csv").as_bytes().to_vec(),
        add_players: form.ticked("add_players"),
        on: match kind {
            TableKind::Standings => day(t, form)?,
            TableKind::Games => None,
        },
        memo: form.optional("memo")?,
        writing: Writing { numbers: form.word("numbers")?, days: form.word("days")?, ..t.writing() },
    })
}

fn page(
    visitor: &Visitor,
    kind: TableKind,
    form: &Form,
    found: Option<&ImportPreview>,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::KeepBooks)?;
    let t = visitor.t;
    let (title, tab) = (t.get("import-title"), Some(Tab::Ledger));
    let (frame, status) = match problem {
        None => (visitor.frame(&title, tab), StatusCode::OK),
        Some(problem) => (visitor.frame_about(&title, tab, problem), visitor::status(problem)),
    };
    let (columns, sample, on) = match kind {
        TableKind::Standings => {
            ("import-standings-columns", sample(&t, &STANDINGS), Some(form.text("on").to_owned()))
        }
        TableKind::Games => ("import-games-columns", sample(&t, &GAMES), None),
    };
    let tables = [(TableKind::Standings, "import-standings"), (TableKind::Games, "import-games")];
    let page = ImportPage {
        t,
        frame,
        books: books(visitor, treasury::HERE),
        tables: tables
            .map(|(one, label)| (t.get(label), format!("{HERE}?table={one}"), one == kind))
            .to_vec(),
        form: ImportForm {
            table: kind.into(),
            columns: t.get(columns),
            sample,
            csv: form.exact("csv").to_owned(),
            on,
            today: visitor.settings().night_of(visitor.service.desk.now()).to_string(),
            memo: form.text("memo").to_owned(),
            may_add: visitor.may(Permission::AddGuests),
            add: form.ticked("add_players"),
            numbers: choices(&t, form.text("numbers"), &NUMBERS),
            days: (kind == TableKind::Games).then(|| choices(&t, form.text("days"), &DAYS)),
            ask: found.map(|found| asks(&found.understood.wrong)).unwrap_or_default(),
        },
        found: found.map(|found| what_was_found(&t, found)),
    };
    let page = visitor::html(status, page.render())?;
    Ok(match problem {
        Some(problem) => form.kept_in(page, "/ledger/import/preview", problem, visitor),
        None => page,
    })
}

/// How numbers and days may be written, each with the key of its words.
const NUMBERS: [(&str, &str); 3] =
    [("", "import-as-it-is"), ("comma", "import-numbers-comma"), ("point", "import-numbers-point")];
const DAYS: [(&str, &str); 3] = [
    ("", "import-as-it-is"),
    ("day_first", "import-days-day-first"),
    ("month_first", "import-days-month-first"),
];

fn choices(t: &Locale, chosen: &str, all: &[(&str, &str)]) -> Vec<Choice> {
    all.iter().map(|(value, key)| Choice::new(*value, t.get(key), *value == chosen)).collect()
}

/// Whether an amount or a day of the table can be two, so that its reader has to say which.
fn asks(wrong: &[Wrong]) -> [bool; 2] {
    [Why::AmbiguousAmount, Why::AmbiguousDay].map(|why| wrong.iter().any(|wrong| wrong.why == why))
}

fn what_was_found(t: &Locale, ImportPreview { understood, names }: &ImportPreview) -> ImportFound {
    let named = |person: &Person| match person {
        Person::Player(player) => called(names, *player),
        Person::New(name) => name.to_string(),
    };
    let heading = match (understood.wrong.len(), understood.kind) {
        (0, TableKind::Standings) => t.count("import-standings-of", &understood.lines.len()),
        (0, TableKind::Games) => t.count("import-games-of", &understood.lines.len()),
        (wrong, TableKind::Standings | TableKind::Games) => t.count("import-wrong", &wrong),
    };
    let added: Vec<&str> =
        understood.added.iter().map(owlbox_books::club::players::PlayerName::as_str).collect();
    let mut lines: Vec<ImportLine> =
        understood.lines.iter().take(SHOWN).map(|line| right(t, names, line)).collect();
    for wrong in understood.wrong.chunk_by(|one, next| one.line == next.line) {
        let Some(first) = wrong.first() else { continue };
        let of_line = wrong.iter().map(|wrong| (cell(t, wrong), why(t, names, wrong))).collect();
        lines.push(ImportLine::wrong(first.line, of_line));
    }
    lines.sort_by_key(|line| line.number);
    let mut sums: BTreeMap<String, Vec<Amount>> = BTreeMap::new();
    for ((person, unit), sum) in understood.sums() {
        let sum = i64::try_from(sum).unwrap_or(if sum < 0 { i64::MIN } else { i64::MAX });
        sums.entry(named(&person)).or_default().push(amount(t, unit, sum));
    }
    ImportFound {
        heading,
        wrong: understood.wrong.len(),
        added: (!added.is_empty()).then(|| t.with("import-adds", "names", t.list(&added))),
        lines,
        more: understood
            .lines
            .len()
            .checked_sub(SHOWN)
            .filter(|more| *more > 0)
            .map(|more| t.count("import-more", &more)),
        sums: sums.into_iter().collect(),
        key: key(),
    }
}

/// A line with nothing wrong, in words.
fn right(t: &Locale, names: &BTreeMap<PlayerId, String>, line: &Line) -> ImportLine {
    let named = |person: &Person| match person {
        Person::Player(player) => called(names, *player),
        Person::New(name) => name.to_string(),
    };
    let (what, amounts) = match &line.what {
        Entry::Standing { player, unit, amount: stood } => (named(player), vec![amount(t, *unit, *stood)]),
        Entry::Game { on, winner, loser, points, money } => {
            let points = points.map(|points| amount(t, Unit::HalfPoints, points.into()));
            let money = money.map(|money| amount(t, Unit::Money(money.currency), money.amount.into()));
            let beat = t.fill("import-beat", &[("winner", &named(winner)), ("loser", &named(loser))]);
            (format!("{} · {beat}", t.day(*on)), points.into_iter().chain(money).collect())
        }
    };
    ImportLine { number: line.number, what, amounts, wrong: Vec::new() }
}

/// Where something is wrong, and what stands there.
fn cell(t: &Locale, Wrong { column, found, .. }: &Wrong) -> String {
    let heading = |column: &Column| t.get(&format!("import-heading-{column}"));
    match (column, found.as_str()) {
        (Some(column), "") => heading(column),
        (Some(column), found) => t.fill("import-cell", &[("column", &heading(column)), ("found", &found)]),
        (None, "") => t.get("import-whole-line"),
        (None, found) => t.with("import-stands", "found", found),
    }
}

/// Why it cannot be taken, and who may be meant.
fn why(t: &Locale, names: &BTreeMap<PlayerId, String>, wrong: &Wrong) -> String {
    let why = t.get(&format!("import-{}", wrong.why.to_string().replace('_', "-")));
    let may_be: Vec<String> = wrong.may_be.iter().map(|player| called(names, *player)).collect();
    if may_be.is_empty() {
        why
    } else {
        format!("{why} {}", t.with("import-may-be", "names", t.list(&may_be)))
    }
}
