//! Players entered by name, typed or pasted, and the seeding list.
//!
//! A list of plain names enters at once. One with columns, addresses or names that may be read in two ways,
//! or with somebody who may be somebody else, is shown first as it was read; a second form then carries who
//! is meant by each line.

use std::collections::{BTreeSet, HashMap};

use actix_web::{HttpRequest, HttpResponse, web};

use super::entries::{Entering, LookQuery, answer, below};
use super::frame::address;
use super::pasted::{ListedPerson, NEW, SAME, details, field_of, people_of, shown};
use crate::form::{Form, invalid, malformed};
use crate::visitor::{Visitor, address_of, redirect};
use owlbox_base::code::Code;
use owlbox_base::values::{InvalidValue, PlayerId, TournamentId};
use owlbox_books::club::meant::spelled;
use owlbox_books::club::players::PlayerName;
use owlbox_desk::people::players::{Entrant, TypedName};
use owlbox_desk::tournaments::{DirectorScreen, Order};
use owlbox_desk::{Refused, Request};
use owlbox_http::problem::{Allowed, Problem};
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::pasted::{Column, Line, PastedList};
use owlbox_play::tournament::room::DivisionNo;
use owlbox_play::tournament::{Command, CommandKind, Tournament};

/// The most names in one form.
const MOST_NAMES: usize = 1_000;
/// Characters of an unreadable line that are quoted.
const LONGEST_TOLD: usize = 40;

/// Adds the offending line of a list to a problem.
fn about_line(mut problem: Problem, line: &str) -> Problem {
    let short: String = line.chars().take(LONGEST_TOLD).collect();
    let rest = if short.len() < line.len() { "…" } else { "" };
    problem.allowed = Some(Allowed::Line { line: format!("“{short}{rest}”") });
    problem
}

/// The list in a form, and what its reader says of its columns.
fn pasted(form: &Form) -> Result<PastedList, Problem> {
    let column = |name: &str| name.parse().map_err(|_| malformed("there is no such column"));
    let said: Vec<Column> = form.all("column").map(column).collect::<Result<_, _>>()?;
    let list = PastedList::read(&form.lines("names"), &said);
    if list.lines.len() > MOST_NAMES {
        let problem = Problem::new(Code::TooMany, "no more than 1000 names at once");
        return Err(problem.about("names"));
    }
    Ok(list)
}

fn unreadable(error: &InvalidValue, line: &Line) -> Problem {
    about_line(invalid("names", error), &line.written)
}

/// Enters the players named, or shows how the list was read. Unknown names become guests.
pub(crate) async fn enter(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<LookQuery>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, division) = *path;
    visitor.actor()?;
    match entered(&visitor, id, division, &form, request.path()).await {
        Ok(Outcome::Entered(data)) => {
            Ok(redirect(&format!("{}{}", address(id, &below(division)), data.query())))
        }
        Ok(Outcome::Shown(read)) => {
            let AsRead { screen, list, people, problem } = *read;
            let visitor = match problem {
                Some(problem) => visitor.refused(request.path(), &form, &problem),
                None => visitor,
            };
            shown(&visitor, &screen, division, (&form, &list, &people))
        }
        Err(problem) if problem.is_for_no_page() => Err(problem),
        Err(problem) => {
            answer(&visitor.refused(address_of(&request), &form, &problem), &path, &query, false).await
        }
    }
}

/// What became of a list.
enum Outcome {
    Entered(Entering),
    /// It is shown as it was read, and nobody was entered.
    Shown(Box<AsRead>),
}

/// A list as it was read.
struct AsRead {
    screen: DirectorScreen,
    list: PastedList,
    people: Vec<ListedPerson>,
    /// Why nobody was entered, if somebody was to be.
    problem: Option<Problem>,
}

/// Whom to enter; `None` while somebody has to choose.
fn entrants(
    form: &Form,
    list: &PastedList,
    people: &[ListedPerson],
) -> Result<Option<(Vec<Entrant>, Entering)>, Problem> {
    let (mut entrants, mut data, mut players) = (Vec::new(), Entering::default(), BTreeSet::new());
    for (at, (line, somebody)) in list.lines.iter().zip(people).enumerate() {
        let field = field_of(&at);
        let chosen = form.some(&field).and_then(|chosen| chosen.split_once(' '));
        let chosen = chosen.filter(|(_, name)| *name == line.name).map(|(who, _)| who);
        let player = match (somebody, chosen) {
            (ListedPerson::Unreadable(_) | ListedPerson::Twice(_), _) | (_, Some(SAME)) => continue,
            (ListedPerson::There(_), _) => {
                data.there += 1;
                continue;
            }
            (_, Some(NEW)) => None,
            (_, Some(id)) => Some(id.parse().map_err(|_| malformed("nobody has this id"))?),
            (ListedPerson::Known(player, _), None) => Some(*player),
            (ListedPerson::New, None) => None,
            (ListedPerson::Nearly(_) | ListedPerson::Like(..), None) => return Ok(None),
        };
        match player {
            Some(player) => entrants.extend(players.insert(player).then_some(Entrant::Player(player))),
            None => {
                let name: PlayerName = line.name.parse().map_err(|error| unreadable(&error, line))?;
                data.guests += 1;
                entrants.push(match chosen {
                    Some(_) => Entrant::New(details(name, line)),
                    None => Entrant::Named(name),
                });
            }
        }
    }
    data.entered = entrants.len();
    Ok(Some((entrants, data)))
}

async fn entered(
    visitor: &Visitor,
    id: TournamentId,
    division: DivisionNo,
    form: &Form,
    path: &str,
) -> Result<Outcome, Problem> {
    let screen = super::bare_screen(visitor, id, CommandKind::Enter).await?;
    let of = screen.division(division)?;
    let list = pasted(form)?;
    let people = people_of(visitor, of, &list).await?;
    for (line, somebody) in list.lines.iter().zip(&people).filter(|_| list.is_plain) {
        if let ListedPerson::Unreadable(error) = somebody {
            return Err(unreadable(error, line));
        }
    }
    let is_certain =
        list.is_plain && list.lines.iter().zip(&people).all(|(line, somebody)| somebody.is_certain(line));
    let is_confirmed = form.ticked("confirmed");
    if !is_certain && !is_confirmed {
        return Ok(Outcome::Shown(Box::new(AsRead { screen, list, people, problem: None })));
    }
    let Some((entrants, data)) = entrants(form, &list, &people)? else {
        let problem = Problem::new(Code::AmbiguousName, "choose who is meant");
        return Ok(Outcome::Shown(Box::new(AsRead { screen, list, people, problem: Some(problem) })));
    };
    let expected = if is_confirmed { form.version()? } else { None };
    let asked = if is_confirmed { form.choices() } else { form.all("names").collect() };
    let request = Request { actor: visitor.actor()?, expected, idempotency: form.idempotency(path, &asked)? };
    match visitor.service.desk.enter_by_name(request, id, division, entrants).await {
        Ok(_) => Ok(Outcome::Entered(data)),
        // All of them had entered before.
        Err(refused) if refused.code() == Code::BadList && data.there > 0 => Ok(Outcome::Entered(data)),
        Err(refused) if is_confirmed => {
            let problem = Problem::from(refused);
            if problem.is_for_no_page() {
                return Err(problem);
            }
            // Something has changed since the list was shown: it is shown as it is read now.
            let screen = super::bare_screen(visitor, id, CommandKind::Enter).await?;
            let of = screen.division(division)?;
            let people = people_of(visitor, of, &list).await?;
            Ok(Outcome::Shown(Box::new(AsRead { screen, list, people, problem: Some(problem) })))
        }
        Err(refused) => Err(refused.into()),
    }
}

/// The player meant by a name; `None` for somebody new.
fn one_player(meant: &TypedName) -> Result<Option<PlayerId>, Problem> {
    meant.player("names").map_err(|refused| {
        let names: Vec<&str> = meant.candidates.iter().map(|one| one.name.as_str()).collect();
        let mut problem = about_line(Problem::from(refused), meant.name.as_str());
        if let Some(Allowed::Line { line }) = &mut problem.allowed {
            line.push_str(&format!(" ({}?)", names.join(", ")));
        }
        problem
    })
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
pub(crate) async fn seed(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, division) = *path;
    visitor.actor()?;
    match seeded(&visitor, id, division, &form, request.path()).await {
        Ok(()) => Ok(redirect(&address(id, &below(division)))),
        Err(problem) if problem.is_for_no_page() => Err(problem),
        Err(problem) => {
            let visitor = visitor.refused(request.path(), &form, &problem);
            answer(&visitor, &path, &LookQuery::default(), false).await
        }
    }
}

/// The names of a seeding list: as they are written if the page shows them so.
fn names_seeded(
    form: &Form,
    shown: &impl Fn(&PlayerName) -> Option<EntryNo>,
) -> Result<Vec<PlayerName>, Problem> {
    let name = |line: &Line| {
        let written = line.written.parse().ok().filter(|name| shown(name).is_some());
        written.map_or_else(|| line.name.parse().map_err(|error| unreadable(&error, line)), Ok)
    };
    pasted(form)?.lines.iter().map(name).collect()
}

async fn seeded(
    visitor: &Visitor,
    id: TournamentId,
    division: DivisionNo,
    form: &Form,
    path: &str,
) -> Result<(), Problem> {
    let (screen, ()) = super::screen(visitor, id, CommandKind::Seed, move |looking| {
        let stream = looking.stream();
        let of = stream.state.division(division).ok_or(Refused::NotFound("division"))?;
        looking.name(of.entries().map(|(_, entry)| entry.player));
        Ok(())
    })
    .await?;
    let of = screen.division(division)?;
    let mut shown: HashMap<String, Vec<EntryNo>> = HashMap::new();
    for (player, name) in &screen.names {
        if let Some(entry) = of.entry_of(*player) {
            shown.entry(spelled(name)).or_default().push(entry);
        }
    }
    // Found by the name that the page shows if only one has it, or by what the club calls them.
    let shown = |name: &PlayerName| match shown.get(&spelled(name.as_str())).map(Vec::as_slice) {
        Some(&[entry]) => Some(entry),
        Some(_) | None => None,
    };
    let names = names_seeded(form, &shown)?;
    let others = names.iter().filter(|name| shown(name).is_none()).cloned().collect();
    let mut others = visitor.service.desk.players_meant(others).await?.into_iter();
    let mut entries = Vec::new();
    let mut seen = BTreeSet::new();
    for name in names {
        let entry = match shown(&name) {
            Some(entry) => Some(entry),
            None => {
                let player = others.next().map(|meant| one_player(&meant)).transpose()?.flatten();
                player.and_then(|player| of.entry_of(player))
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
    form.check_seen(&of.seeding_list(), &entries)?;
    give(visitor, id, Command::Seed { division, entries }, form, path).await
}
