//! Players entered by name, typed or pasted, and the seeding list.

use std::collections::{BTreeSet, HashMap};

use actix_web::{HttpRequest, HttpResponse, web};

use super::entries::{Entering, Typed, answer, looked};
use super::return_page::ReturnPage;
use crate::problem::{Allowed, Problem};
use crate::site::form::{Form, invalid};
use crate::site::visitor::{Visitor, redirect};
use owlbox_desk::players::{Entrant, TypedName};
use owlbox_desk::tournaments::Order;
use owlbox_desk::{Refused, Request};
use owlbox_domain::club::meant::spelled;
use owlbox_domain::club::players::PlayerName;
use owlbox_domain::code::Code;
use owlbox_domain::tournament::bracket::EntryNo;
use owlbox_domain::tournament::room::DivisionNo;
use owlbox_domain::tournament::{Command, CommandKind, Tournament};
use owlbox_domain::values::{PlayerId, TournamentId};
use owlbox_pages::directing::address;
use owlbox_pages::directing::entries::{Looked, below, seeding_list};

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
    let here = ReturnPage::from_address(id, form.text("here"));
    match entered(&visitor, id, number, &form, request.path()).await {
        Ok(data) => Ok(redirect(&format!("{}{}", address(id, &below(number)), data.query()))),
        Err(problem) if problem.is_for_no_page() => Err(problem),
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
    let screen = super::bare_screen(visitor, id, CommandKind::Enter).await?;
    let of = screen.state().division(division).ok_or(Refused::NotFound("division"))?;
    let (mut data, mut entrants) = (Entering::default(), Vec::new());
    let (mut keys, mut players) = (BTreeSet::new(), BTreeSet::new());
    // A name pasted twice enters once.
    let names: Vec<PlayerName> =
        names(form)?.into_iter().filter(|name| keys.insert(spelled(name.as_str()))).collect();
    let meant = visitor.service.desk.players_meant(names).await?;
    for meant in meant {
        match one_player(&meant)? {
            Some(player) if of.entry_of(player).is_some() => data.there += 1,
            Some(player) if players.insert(player) => entrants.push(Entrant::Player(player)),
            Some(_) => {}
            None => {
                data.guests += 1;
                entrants.push(Entrant::Named(meant.name));
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
        Err(problem) if problem.is_for_no_page() => Err(problem),
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
    let (screen, ()) = super::screen(visitor, id, CommandKind::Seed, move |looking| {
        let stream = looking.stream();
        let of = stream.state.division(division).ok_or(Refused::NotFound("division"))?;
        looking.name(of.entries().map(|(_, entry)| entry.player));
        Ok(())
    })
    .await?;
    let of = screen.state().division(division).ok_or(Refused::NotFound("division"))?;
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
    let names = names(form)?;
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
    form.check_seen(&seeding_list(of), &entries)?;
    give(visitor, id, Command::Seed { division, entries }, form, path).await
}
