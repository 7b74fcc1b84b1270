//! Entries at the desk: names typed or pasted, the seeding list, and the page of one entry.

use std::collections::{BTreeSet, HashMap};

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;

use super::return_page::ReturnPage;
use super::{DirectorData, status};
use crate::problem::{Allowed, Problem};
use crate::site::form::{Form, invalid};
use crate::site::visitor::{self, Visitor, redirect};
use owlbox_desk::players::Meant;
use owlbox_desk::tournaments::{Entrant, Order};
use owlbox_desk::{Refused, Request};
use owlbox_domain::club::players::{PlayerName, sought};
use owlbox_domain::code::Code;
use owlbox_domain::tournament::bracket::EntryNo;
use owlbox_domain::tournament::division::Division;
use owlbox_domain::tournament::room::{DivisionNo, MatchRef};
use owlbox_domain::tournament::{Command, CommandKind, Tournament};
use owlbox_domain::values::{PlayerId, TournamentId};
use owlbox_pages::LivePage as _;
use owlbox_pages::Tab;
use owlbox_pages::directing::correction::Preview;
use owlbox_pages::directing::entries::{
    EntriesPage, EntryPage, Found, Leave, Looked, MOST_SHOWN, Which, below,
};
use owlbox_pages::directing::{CommandButton, address, words};
use owlbox_pages::locale::Locale;

/// The most names in one form.
const MOST_NAMES: usize = 1_000;
/// Characters of an unreadable line that are quoted.
const LONGEST_TOLD: usize = 40;
/// The most players of the club that are suggested.
const MOST_SUGGESTED: i64 = 400;

#[derive(Debug, Default, Deserialize)]
pub(in crate::site) struct LookQuery {
    #[serde(default)]
    show: String,
    #[serde(default)]
    find: String,
    /// What the names entered last led to, as `Entering` writes it.
    #[serde(default)]
    told: String,
}

/// The counts of what names entered led to.
#[derive(Clone, Copy, Debug, Default)]
struct Entering {
    entered: usize,
    guests: usize,
    there: usize,
}

impl Entering {
    /// The counts as a query; empty if everybody entered and was known.
    fn query(self) -> String {
        let Self { entered, guests, there } = self;
        if guests + there == 0 { String::new() } else { format!("?told={entered}-{guests}-{there}") }
    }

    /// Reads the counts from a query.
    fn named(counts: &str) -> Self {
        let mut counts = counts.split('-').map(|count| count.parse().unwrap_or(0));
        let mut next = || counts.next().unwrap_or(0);
        Self { entered: next(), guests: next(), there: next() }
    }

    fn in_words(self, t: &Locale) -> Option<String> {
        let Self { entered, guests, there } = self;
        let parts =
            [("desk-told-entered", entered), ("desk-told-guests", guests), ("desk-told-there", there)];
        let parts =
            parts.into_iter().filter(|(_, count)| *count > 0).map(|(key, count)| t.count(key, &count));
        let parts: Vec<String> = parts.collect();
        (!parts.is_empty()).then(|| parts.join(" · "))
    }
}

impl LookQuery {
    pub(super) fn looked(&self) -> Looked {
        Looked {
            which: Which::named(&self.show),
            find: self.find.trim().chars().take(80).collect(),
            told: None,
        }
    }
}

/// The search in an address's query.
pub(super) fn looked(address: &str) -> Looked {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let query = query.split('#').next().unwrap_or_default();
    web::Query::<LookQuery>::from_query(query).map(|query| query.looked()).unwrap_or_default()
}

/// The entries of a division.
pub(in crate::site) async fn list(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<LookQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let looked = Looked { told: Entering::named(&query.told).in_words(&visitor.t), ..query.looked() };
    answer(&visitor, id, number, &looked, visitor::is_partial(&request), None, Typed::Nothing).await
}

/// What was typed into a form that was refused, so that it can be corrected.
#[derive(Clone, Debug)]
pub(super) enum Typed {
    /// No form with names was sent.
    Nothing,
    /// Names of players to enter.
    Names(String),
    /// The seeding list.
    Seeds(String),
}

/// The current entries; after a refusal with the problem and what was typed.
pub(super) async fn answer(
    visitor: &Visitor,
    id: TournamentId,
    number: DivisionNo,
    looked: &Looked,
    partial: bool,
    problem: Option<&Problem>,
    typed: Typed,
) -> Result<HttpResponse, Problem> {
    let mut data = DirectorData::load(visitor, id, CommandKind::CheckIn).await?;
    let stream = data.stream.clone();
    let of = stream.state.division(number).ok_or(Refused::NotFound("division"))?;
    let (shown, all) = found(visitor, &mut data, of, looked).await?;
    let known = if partial { Vec::new() } else { suggested(visitor, of).await? };
    let frame = visitor.frame(&visitor.t.get("desk-entries"), Some(Tab::Tournaments));
    let here = format!("{}{}", below(number), looked.query());
    let page = data.shown(visitor, &here, problem, |context, desk| {
        let mut page =
            EntriesPage::new(context, frame, desk, number, of, looked, Found { shown: &shown, all });
        match typed {
            Typed::Nothing => {}
            Typed::Names(names) => page.typed = names,
            Typed::Seeds(seeds) => {
                page.seeding = true;
                page.seeds = page.seeds.map(|(button, _)| (button, seeds));
            }
        }
        EntriesPage { known, ..page }
    });
    visitor::html(status(problem), page.rendered(partial))
}

/// The entries that match the search: the first of them, and the number of all.
async fn found(
    visitor: &Visitor,
    data: &mut DirectorData,
    of: &Division,
    looked: &Looked,
) -> Result<(Vec<EntryNo>, usize), Problem> {
    let seeded: Vec<PlayerId> =
        of.entries().filter(|(_, entry)| entry.seeded.is_some()).map(|(_, entry)| entry.player).collect();
    data.name(visitor, seeded).await?;
    let kind = of.entries().filter(|(_, entry)| looked.which.has(entry));
    let mut entries: Vec<(EntryNo, PlayerId)> = kind.map(|(number, entry)| (number, entry.player)).collect();
    if !looked.find.is_empty() {
        // Names are read only for a search, since there may be many.
        data.name(visitor, entries.iter().map(|(_, player)| *player).collect()).await?;
        let find = sought(&looked.find);
        let named =
            |player: &PlayerId| data.names.get(player).is_some_and(|name| sought(name).contains(&find));
        entries.retain(|(_, player)| named(player));
    }
    let all = entries.len();
    entries.truncate(MOST_SHOWN);
    data.name(visitor, entries.iter().map(|(_, player)| *player).collect()).await?;
    // By name, as they are looked up at the door.
    entries.sort_by_key(|(number, player)| (data.names.get(player).map(|name| name.to_lowercase()), *number));
    Ok((entries.into_iter().map(|(number, _)| number).collect(), all))
}

/// Players of the club who have not entered.
async fn suggested(visitor: &Visitor, of: &Division) -> Result<Vec<String>, Problem> {
    let active = visitor.service.desk.active_players(MOST_SUGGESTED).await?;
    let free = active.into_iter().filter(|player| of.entry_of(player.id).is_none());
    Ok(free.map(|player| player.name).collect())
}

/// Adds the offending line of a list to a problem.
fn about_line(mut problem: Problem, line: &str) -> Problem {
    let short: String = line.chars().take(LONGEST_TOLD).collect();
    let rest = if short.len() < line.len() { "…" } else { "" };
    problem.allowed = Some(Allowed::Line { line: format!("“{short}{rest}”") });
    problem
}

/// The name in a line of a list: without a number or bullet (`3. Kurt Weil`, `- Kurt Weil`), and without
/// spreadsheet cells that hold only a number (`31⇥Kurt⇥Weil⇥1650`).
fn name_in(line: &str) -> String {
    let is_number =
        |cell: &&str| !cell.is_empty() && cell.chars().all(|c| c.is_ascii_digit() || "#.,)".contains(c));
    let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
    match cells.as_slice() {
        [line] => unnumbered(line).to_owned(),
        cells => {
            unnumbered(&cells.iter().filter(|cell| !is_number(cell)).copied().collect::<Vec<_>>().join(" "))
                .to_owned()
        }
    }
}

/// A line without its number or bullet.
fn unnumbered(line: &str) -> &str {
    let named = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let named = match named.strip_prefix(['.', ')']) {
        Some(rest) if named.len() < line.len() => rest,
        _ => line.strip_prefix(['-', '*', '•', '–']).unwrap_or(line),
    };
    named.trim_start()
}

/// The names in a form, one per line.
fn names(form: &Form) -> Result<Vec<PlayerName>, Problem> {
    let lines = form.all("names").flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty());
    let name = |line: &str| name_in(line).parse().map_err(|error| about_line(invalid("names", &error), line));
    let names: Vec<PlayerName> = lines.map(name).collect::<Result<_, _>>()?;
    if names.len() > MOST_NAMES {
        let problem = Problem::new(Code::TooMany, "no more than 1000 names at once");
        return Err(problem.about("names"));
    }
    Ok(names)
}

/// Enters the players named. Unknown names become guests.
pub(in crate::site) async fn enter(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    visitor.actor()?;
    let here = ReturnPage::named(id, form.text("here"));
    match entered(&visitor, id, number, &form, request.path()).await {
        Ok(data) => Ok(redirect(&format!("{}{}", address(id, &below(number)), data.query()))),
        Err(problem) if [401, 404].contains(&problem.status) => Err(problem),
        Err(problem) => {
            let typed = Typed::Names(typed_names(&form));
            answer(&visitor, id, number, &looked(&here.address), false, Some(&problem), typed).await
        }
    }
}

/// What was typed into a form's name fields, one name per line.
fn typed_names(form: &Form) -> String {
    form.all("names").filter(|typed| !typed.trim().is_empty()).collect::<Vec<_>>().join("\n")
}

async fn entered(
    visitor: &Visitor,
    id: TournamentId,
    division: DivisionNo,
    form: &Form,
    path: &str,
) -> Result<Entering, Problem> {
    let desk = DirectorData::load(visitor, id, CommandKind::Enter).await?;
    let of = desk.stream.state.division(division).ok_or(Refused::NotFound("division"))?;
    let (mut data, mut entrants) = (Entering::default(), Vec::new());
    let (mut keys, mut players) = (BTreeSet::new(), BTreeSet::new());
    // A name pasted twice enters once.
    let names: Vec<PlayerName> = names(form)?.into_iter().filter(|name| keys.insert(name.key())).collect();
    let meant = visitor.service.desk.players_meant(names.clone()).await?;
    for (name, meant) in names.into_iter().zip(meant) {
        match one_player(&name, meant)? {
            Some(player) if of.entry_of(player).is_some() => data.there += 1,
            Some(player) if players.insert(player) => entrants.push(Entrant::Player(player)),
            Some(_) => {}
            None => {
                data.guests += 1;
                entrants.push(Entrant::Named(name));
            }
        }
    }
    data.entered = entrants.len();
    let request = request(visitor, form, path)?;
    match visitor.service.desk.enter_by_name(request, id, division, entrants).await {
        // All of them had entered before.
        Err(refused) if refused.code() == Code::BadList && data.there > 0 => Ok(data),
        answer => Ok(answer.map(|_| data)?),
    }
}

/// The player meant by a name; `None` for somebody new.
fn one_player(name: &PlayerName, meant: Meant) -> Result<Option<PlayerId>, Problem> {
    match meant {
        Meant::Player(player) => Ok(Some(player)),
        Meant::Nobody => Ok(None),
        Meant::Several => {
            let detail = format!("several players are called {name}: give the full name");
            let problem = Problem::new(Code::AmbiguousName, detail);
            Err(about_line(problem.about("names"), name.as_str()))
        }
    }
}

/// Gives a command under the form's idempotency key.
async fn give(
    visitor: &Visitor,
    id: TournamentId,
    command: Command,
    form: &Form,
    path: &str,
) -> Result<(), Problem> {
    let request = request(visitor, form, path)?;
    visitor.service.desk.command::<Tournament>(request, id, Order::Command(command)).await?;
    Ok(())
}

/// A request under the form's idempotency key.
fn request(visitor: &Visitor, form: &Form, path: &str) -> Result<Request, Problem> {
    let typed: String = form.all("names").collect();
    Ok(Request { actor: visitor.actor()?, expected: None, idempotency: form.idempotency(path, &typed)? })
}

/// Sets the seeding list, given by names.
pub(in crate::site) async fn seed(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    visitor.actor()?;
    match seeded(&visitor, id, number, &form, request.path()).await {
        Ok(()) => Ok(redirect(&address(id, &below(number)))),
        Err(problem) if [401, 404].contains(&problem.status) => Err(problem),
        Err(problem) => {
            let typed = Typed::Seeds(typed_names(&form));
            answer(&visitor, id, number, &Looked::default(), false, Some(&problem), typed).await
        }
    }
}

async fn seeded(
    visitor: &Visitor,
    id: TournamentId,
    division: DivisionNo,
    form: &Form,
    path: &str,
) -> Result<(), Problem> {
    let mut data = DirectorData::load(visitor, id, CommandKind::Seed).await?;
    let stream = data.stream.clone();
    let of = stream.state.division(division).ok_or(Refused::NotFound("division"))?;
    data.name(visitor, of.entries().map(|(_, entry)| entry.player).collect()).await?;
    let mut shown: HashMap<String, EntryNo> = HashMap::new();
    for (player, name) in &data.names {
        if let Some(entry) = of.entry_of(*player) {
            shown.entry(name.to_lowercase()).or_insert(entry);
        }
    }
    // Found by the name that the page shows, or by the full name.
    let shown = |name: &PlayerName| shown.get(&name.as_str().to_lowercase()).copied();
    let names = names(form)?;
    let others = names.iter().filter(|name| shown(name).is_none()).cloned().collect();
    let mut others = visitor.service.desk.players_meant(others).await?.into_iter();
    let mut entries = Vec::new();
    let mut seen = BTreeSet::new();
    for name in names {
        let entry = match shown(&name) {
            Some(entry) => Some(entry),
            None => {
                let meant = others.next().unwrap_or(Meant::Nobody);
                one_player(&name, meant)?.and_then(|player| of.entry_of(player))
            }
        };
        let entry = entry.ok_or_else(|| {
            let detail = format!("{name} has not entered");
            let problem = Problem::new(Code::PlayerNotEntered, detail);
            about_line(problem.about("names"), name.as_str())
        })?;
        if seen.insert(entry) {
            entries.push(entry);
        }
    }
    give(visitor, id, Command::Seed { division, entries }, form, path).await
}

/// The way of leaving to preview.
#[derive(Debug, Default, Deserialize)]
pub(in crate::site) struct LeaveQuery {
    leave: Option<String>,
}

/// The preview requested by an address's query.
pub(super) fn leaving(address: &str) -> Option<Leave> {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let query = query.split('#').next().unwrap_or_default();
    let query = web::Query::<LeaveQuery>::from_query(query).ok()?;
    Leave::named(query.leave.as_deref()?)
}

pub(in crate::site) async fn show(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo, EntryNo)>,
    query: web::Query<LeaveQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, division, entry) = path.into_inner();
    let leave = query.leave.as_deref().and_then(Leave::named);
    answer_one(&visitor, id, division, entry, leave, visitor::is_partial(&request), None).await
}

/// The current page of an entry; with `leave`, also what leaving that way would do.
pub(super) async fn answer_one(
    visitor: &Visitor,
    id: TournamentId,
    division: DivisionNo,
    entry: EntryNo,
    leave: Option<Leave>,
    partial: bool,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let mut data = DirectorData::load(visitor, id, CommandKind::CheckIn).await?;
    let stream = data.stream.clone();
    let of = stream.state.division(division).ok_or(Refused::NotFound("division"))?;
    let player = of.entry(entry).ok_or(Refused::NotFound("entry"))?.player;
    let mut named = vec![player];
    let path: Vec<MatchRef> =
        of.bracket.path(entry).map(|(number, _)| MatchRef { division, number }).collect();
    named.extend(words::in_matches(&stream.state, &path));
    // A waiting entry is offered the free slots of the first round, each with its opponent.
    let first_round = of.bracket.of_flight(0).take_while(|(_, at)| at.round == 0);
    let first_round: Vec<MatchRef> =
        first_round.map(|(number, _)| MatchRef { division, number }).take(MOST_SHOWN).collect();
    named.extend(words::in_matches(&stream.state, &first_round));
    data.name(visitor, named).await?;
    let tried = match leave {
        Some(leave) => Some((leave, data.tried(visitor, leave.command(division, entry)).await?)),
        None => None,
    };
    let frame = visitor.frame(&visitor.t.get("desk-entries"), Some(Tab::Tournaments));
    let sheet = format!("{}/{}", below(division), entry.0);
    let here = leave.map_or_else(|| sheet.clone(), |leave| format!("{sheet}?leave={}", leave.name()));
    let mut answered = status(problem);
    let page = data.shown(visitor, &here, problem, |context, desk| {
        let mut page = EntryPage::new(context, frame, desk, division, entry)?;
        match tried {
            Some((leave, Ok(tried))) => {
                page.desk.live = false;
                let touched: Vec<MatchRef> = tried.touched().into_iter().collect();
                let message = leave.label(context.t, &page.name);
                let label = context.t.with("record", "what", &message);
                let button =
                    CommandButton::new(label, &leave.command(division, entry), page.sheet.clone()).main();
                let preview =
                    Preview::new(context, &tried.here.after.stream.state, &touched, button, context.version);
                page.preview = Some((message, preview));
            }
            Some((_, Err(refused))) => {
                answered = visitor::status(&refused);
                page.wrong = Some(context.t.error(refused.code));
            }
            None => {}
        }
        Some(page)
    });
    let page = page.ok_or(Refused::NotFound("entry"))?;
    visitor::html(answered, page.rendered(partial))
}
