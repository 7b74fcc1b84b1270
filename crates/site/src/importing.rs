//! The page to bring an old club's standings and games: a table is looked at as often as its reader likes,
//! and booked by one button once nothing in it is wrong.

use std::collections::BTreeMap;

use actix_web::{HttpResponse, web};
use askama::Template;
use chrono::NaiveDate;
use serde::Deserialize;

use super::books::{IMPORT, TREASURY, books};
use super::form::{Form, malformed};
use super::say::{NOBODY, Say};
use super::treasury::day;
use super::visitor::{Visitor, redirect};
use crate::pages::{ChipLink, Choice, Frame, Tab};
use owlbox_base::code::Code;
use owlbox_base::permissions::Permission;
use owlbox_books::club::players::PlayerName;
use owlbox_books::daybook::import::{Column, TableKind, Why, Wrong};
use owlbox_books::ledger::Unit;
use owlbox_books::typed::InputFormat;
use owlbox_desk::Request;
use owlbox_desk::books::daybook::import::{Import, ImportGame, ImportPreview, ImportStanding, ImportSum};
use owlbox_http::problem::Problem;
use owlbox_locale::spreadsheet;
use owlbox_locale::{Amount, Locale};

/// Where a table is sent to be looked at.
const PREVIEW: &str = "/ledger/import/preview";
/// The most lines with nothing wrong that are on show.
const SHOWN: usize = 200;

/// Such tables, as a spreadsheet saves them in the reader's language: headings, then lines with numbers in
/// `{}`.
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
    page(&visitor, kind, &form, None)
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
        Ok(found) => page(&visitor, kind, &form, Some(&found)),
        Err(problem) => page(&visitor.refused(PREVIEW, &form, &problem), kind, &form, None),
    }
}

/// Books a table that was looked at. If something in it is wrong by now, the page shows it again.
pub(super) async fn record(visitor: Visitor, form: Form) -> Result<HttpResponse, Problem> {
    let (actor, desk) = (visitor.actor()?, &visitor.service.desk);
    visitor.require(Permission::KeepBooks)?;
    let kind = kind(&form)?;
    let import = match import(&visitor.t, kind, &form) {
        Ok(import) => import,
        Err(problem) => return page(&visitor.refused(PREVIEW, &form, &problem), kind, &form, None),
    };
    let idempotency = form.idempotency(IMPORT, &form.choices())?;
    match desk.import(Request { idempotency, ..Request::by(actor) }, import.clone()).await {
        Ok(imported) => Ok(redirect(&format!("{}?saved#record-{}", TREASURY, imported.entry))),
        Err(refused) => {
            let problem = Problem::from(refused);
            if problem.is_for_no_page() {
                return Err(problem);
            }
            let found = match problem.code == Code::WrongLines {
                true => Some(desk.preview_import(&actor, import).await?),
                false => None,
            };
            page(&visitor.refused(PREVIEW, &form, &problem), kind, &form, found.as_ref())
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
        writing: InputFormat { numbers: form.word("numbers")?, days: form.word("days")?, ..t.writing() },
    })
}

fn page(
    visitor: &Visitor,
    kind: TableKind,
    form: &Form,
    found: Option<&ImportPreview>,
) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::KeepBooks)?;
    let t = visitor.t;
    let frame = visitor.frame(&t.get("import-title"), Some(Tab::Ledger));
    let page = ImportPage {
        t: visitor.say(found.map_or(&NOBODY, |found| &found.names)),
        frame,
        books: books(visitor, TREASURY),
        kind,
        form,
        today: visitor.settings().night_of(visitor.service.desk.now()),
        found,
    };
    visitor.answer(page.render())
}

/// What a line with nothing wrong says, and the amounts.
type Right = (String, Vec<Amount>);

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

/// `/ledger/import?table=`
#[derive(Template)]
#[template(path = "import.html")]
pub(crate) struct ImportPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    /// Links to the ledgers of the club: label, address, and whether it is this page.
    pub books: Vec<ChipLink>,
    pub kind: TableKind,
    /// What was brought, to be looked at again.
    pub form: &'a Form,
    /// The club's day.
    pub today: NaiveDate,
    /// What was found in the table, once one was brought.
    pub found: Option<&'a ImportPreview>,
}

impl ImportPage<'_> {
    /// Links to the kinds of tables.
    fn tables(&self) -> [ChipLink; 2] {
        [TableKind::Standings, TableKind::Games].map(|kind| {
            let label = self.t.get(&format!("import-{kind}"));
            ChipLink::new(label, format!("{IMPORT}?table={kind}"), kind == self.kind)
        })
    }

    /// The columns of such a table, in words.
    fn columns(&self) -> String {
        self.t.get(&format!("import-{}-columns", self.kind))
    }

    fn sample(&self) -> String {
        match self.kind {
            TableKind::Standings => sample(&self.t, &STANDINGS),
            TableKind::Games => sample(&self.t, &GAMES),
        }
    }

    /// The day of standings, as typed; games have days of their own.
    fn on(&self) -> Option<&str> {
        (self.kind == TableKind::Standings).then(|| self.form.text("on"))
    }

    /// How amounts may be written.
    fn numbers(&self) -> Vec<Choice> {
        choices(&self.t, self.form.text("numbers"), &NUMBERS)
    }

    /// How days may be written, where there are any.
    fn days(&self) -> Option<Vec<Choice>> {
        (self.kind == TableKind::Games).then(|| choices(&self.t, self.form.text("days"), &DAYS))
    }

    /// Whether something in the table is wrong for this reason.
    fn is_wrong(&self, why: Why) -> bool {
        self.found.is_some_and(|found| found.wrong.iter().any(|wrong| wrong.why == why))
    }

    /// How much was found, or how much of it is wrong.
    fn heading(&self, found: &ImportPreview) -> String {
        if found.wrong.is_empty() {
            self.t.count(&format!("import-{}-of", self.kind), &found.lines())
        } else {
            self.t.count("import-wrong", &found.wrong.len())
        }
    }

    /// Who would be added.
    fn added(&self, found: &ImportPreview) -> Option<String> {
        let names: Vec<&str> = found.added.iter().map(PlayerName::as_str).collect();
        (!names.is_empty()).then(|| self.t.with("import-adds", "names", self.t.list(&names)))
    }

    /// The lines on show, by their numbers: all that are wrong, each with what is, and the first of the
    /// others, each with what it says and the amounts.
    fn lines<'f>(&self, found: &'f ImportPreview) -> Vec<(u64, Result<Right, &'f [Wrong]>)> {
        let standing = |one: &ImportStanding| {
            (one.line, Ok((one.player.name.clone(), vec![self.t.amount(&one.unit, &one.amount)])))
        };
        let game = |one: &ImportGame| (one.line, Ok((self.played(one), self.won(one))));
        let right = found.standings.iter().map(standing).chain(found.games.iter().map(game)).take(SHOWN);
        let wrong = found.wrong.chunk_by(|one, next| one.line == next.line);
        let wrong = wrong.filter_map(|wrong| Some((wrong.first()?.line, Err(wrong))));
        let mut lines: Vec<_> = right.chain(wrong).collect();
        lines.sort_by_key(|(number, _)| *number);
        lines
    }

    /// How many lines are not on show.
    fn more(&self, found: &ImportPreview) -> Option<String> {
        let more = found.lines().saturating_sub(SHOWN);
        (more > 0).then(|| self.t.count("import-more", &more))
    }

    /// Every person with what they come to, in each unit.
    fn sums(&self, found: &ImportPreview) -> BTreeMap<String, Vec<Amount>> {
        let mut sums: BTreeMap<String, Vec<Amount>> = BTreeMap::new();
        for ImportSum { player, unit, amount } in &found.sums {
            sums.entry(player.name.clone()).or_default().push(self.t.amount(unit, amount));
        }
        sums
    }

    fn played(&self, ImportGame { on, winner, loser, .. }: &ImportGame) -> String {
        let beat = self.t.fill("import-beat", &[("winner", &winner.name), ("loser", &loser.name)]);
        format!("{} · {beat}", self.t.day(on))
    }

    fn won(&self, ImportGame { points, money, .. }: &ImportGame) -> Vec<Amount> {
        let points = points.map(|points| self.t.amount(&Unit::HalfPoints, &points));
        let money = money.map(|money| self.t.money(&money.currency, &money.amount.into()));
        points.into_iter().chain(money).collect()
    }

    /// Where something is wrong, and what stands there.
    fn cell(&self, Wrong { column, found, .. }: &Wrong) -> String {
        let t = &self.t;
        let heading = |column: &Column| t.get(&format!("import-heading-{column}"));
        match (column, found.as_str()) {
            (Some(column), "") => heading(column),
            (Some(column), found) => {
                t.fill("import-cell", &[("column", &heading(column)), ("found", &found)])
            }
            (None, "") => t.get("import-whole-line"),
            (None, found) => t.with("import-stands", "found", found),
        }
    }

    /// Why it cannot be taken, and who may be meant.
    fn why(&self, wrong: &Wrong) -> String {
        let why = self.t.get(&format!("import-{}", wrong.why.to_string().replace('_', "-")));
        let may_be = self.t.names(&wrong.may_be);
        if may_be.is_empty() {
            why
        } else {
            format!("{why} {}", self.t.with("import-may-be", "names", self.t.list(&may_be)))
        }
    }
}
