//! Players entered by name, typed or pasted, and the seeding list.
//!
//! A list of plain names enters at once. One with columns, addresses or names that may be read in two ways, or with
//! somebody who may be somebody else, is shown first as it was read; a second form then carries who is meant by each line.

use crate::pages::button::Button;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Display;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use strum::VariantArray as _;
use uuid::Uuid;

use super::entries::{Entering, Looked, Typed, answer, below, looked};
use super::return_page::ReturnPage;
use crate::form::{Form, invalid, malformed};
use crate::pages::directing::address;
use crate::pages::directing::pasted::{PastedColumn, PastedLine, PastedPage, Who};
use crate::pages::{Choice, Fields, LivePage as _, Tab};
use crate::visitor::{self, Visitor, redirect};
use owlbox_base::code::Code;
use owlbox_base::values::{InvalidValue, PlayerId, TournamentId};
use owlbox_books::club::meant::{Meant, People, spelled};
use owlbox_books::club::players::{PlayerDetails, PlayerName};
use owlbox_desk::people::players::{Candidate, Entrant, TypedName};
use owlbox_desk::tournaments::{DirectorScreen, Order};
use owlbox_desk::{Refused, Request};
use owlbox_http::problem::{Allowed, Problem};
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::division::Division;
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
    let list = PastedList::read(&typed_names(form), &said);
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
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    visitor.actor()?;
    let here = ReturnPage::from_address(id, form.text("here"));
    match entered(&visitor, id, number, &form, request.path()).await {
        Ok(Outcome::Entered(data)) => {
            Ok(redirect(&format!("{}{}", address(id, &below(number)), data.query())))
        }
        Ok(Outcome::Shown(page)) => Ok(page),
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

/// What became of a list.
enum Outcome {
    Entered(Entering),
    /// It is shown as it was read, and nobody was entered.
    Shown(HttpResponse),
}

/// Who is meant by a line of a list.
enum Somebody {
    /// It has no name.
    Unreadable(InvalidValue),
    /// As in the line of this number.
    Twice(usize),
    /// Somebody who has entered.
    There(String),
    Known(PlayerId, String),
    /// Perhaps one of these.
    Nearly(Vec<Candidate>),
    /// Nobody of the club, but nearly called as somebody new in the line of this number.
    Like(usize, String),
    New,
}

impl Somebody {
    /// Whether nothing has to be asked, nor shown first.
    const fn is_certain(&self, line: &Line) -> bool {
        match self {
            Self::Twice(_) | Self::There(_) | Self::Known(..) => true,
            Self::New => !line.is_doubtful,
            Self::Unreadable(_) | Self::Nearly(_) | Self::Like(..) => false,
        }
    }

    /// Whether somebody has to choose.
    const fn is_asked(&self) -> bool {
        matches!(self, Self::Nearly(_) | Self::Like(..))
    }
}

/// Who is meant by each line.
async fn people_of(visitor: &Visitor, of: &Division, list: &PastedList) -> Result<Vec<Somebody>, Problem> {
    let names: Vec<Result<PlayerName, InvalidValue>> =
        list.lines.iter().map(|line| line.name.parse()).collect();
    // As it is written it may be somebody's name as well, commas and all.
    let both = list.lines.iter().zip(&names).filter_map(|(line, name)| {
        let name = name.as_ref().ok()?;
        Some([line.written.parse().unwrap_or_else(|_| name.clone()), name.clone()])
    });
    let mut meant = visitor.service.desk.players_meant(both.flatten().collect()).await?.into_iter();
    let (mut lines, mut players) = (HashMap::new(), HashMap::new());
    let (mut new, mut lines_of_new) = (People::default(), HashMap::new());
    let mut people = Vec::new();
    for (line, name) in list.lines.iter().zip(names) {
        let name = match name {
            Ok(name) => name,
            Err(error) => {
                people.push(Somebody::Unreadable(error));
                continue;
            }
        };
        let written = meant.next().filter(|written| matches!(written.meant, Meant::Player(_)));
        let Some(meant) = written.into_iter().chain(meant.next()).next() else { continue };
        // A name pasted twice enters once.
        if let Some(first) = lines.get(&spelled(name.as_str())) {
            people.push(Somebody::Twice(*first));
            continue;
        }
        lines.insert(spelled(name.as_str()), line.number);
        let called = || meant.candidates.first().map_or_else(|| name.to_string(), |one| one.name.clone());
        people.push(match meant.meant {
            Meant::Player(player) => match players.insert(player, line.number) {
                Some(first) => Somebody::Twice(first),
                None if of.entry_of(player).is_some() => Somebody::There(called()),
                None => Somebody::Known(player, called()),
            },
            Meant::Near(_) | Meant::Several(_) => Somebody::Nearly(meant.candidates),
            Meant::Nobody if !meant.candidates.is_empty() => Somebody::Nearly(meant.candidates),
            Meant::Nobody => {
                let like = new.meant(name.as_str()).candidates().next();
                let like = like.or_else(|| new.alike(name.as_str()).first().copied());
                let like = like.and_then(|one: PlayerId| {
                    Some(Somebody::Like(*lines_of_new.get(&one)?, new.offered(one)?.to_owned()))
                });
                let stand_in = PlayerId(Uuid::now_v7());
                new.add(stand_in, name.as_str(), None);
                lines_of_new.insert(stand_in, line.number);
                like.unwrap_or(Somebody::New)
            }
        });
    }
    Ok(people)
}

/// What is chosen for a line, beside the name that it is chosen for: when that has changed, it no longer counts.
fn choice(who: impl Display, line: &Line) -> String {
    format!("{who} {}", line.name)
}

/// Chosen for somebody new, and for somebody who stands in another line.
const NEW: &str = "new";
const SAME: &str = "same";

/// The field with what is chosen for a line.
fn field_of(at: usize) -> String {
    format!("who-{at}")
}

/// Whom to enter; `None` while somebody has to choose.
fn entrants(
    form: &Form,
    list: &PastedList,
    people: &[Somebody],
) -> Result<Option<(Vec<Entrant>, Entering)>, Problem> {
    let (mut entrants, mut data, mut players) = (Vec::new(), Entering::default(), BTreeSet::new());
    for (at, (line, somebody)) in list.lines.iter().zip(people).enumerate() {
        let field = field_of(at);
        let chosen = form.some(&field).and_then(|chosen| chosen.split_once(' '));
        let chosen = chosen.filter(|(_, name)| *name == line.name).map(|(who, _)| who);
        let player = match (somebody, chosen) {
            (Somebody::Unreadable(_) | Somebody::Twice(_), _) | (_, Some(SAME)) => continue,
            (Somebody::There(_), _) => {
                data.there += 1;
                continue;
            }
            (_, Some(NEW)) => None,
            (_, Some(id)) => Some(id.parse().map_err(|_| malformed("nobody has this id"))?),
            (Somebody::Known(player, _), None) => Some(*player),
            (Somebody::New, None) => None,
            (Somebody::Nearly(_) | Somebody::Like(..), None) => return Ok(None),
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

/// What a list says of somebody new.
fn details(name: PlayerName, line: &Line) -> PlayerDetails {
    PlayerDetails {
        club: line.club.parse().ok(),
        country: line.country.parse().ok(),
        ..PlayerDetails::named(name)
    }
}

async fn entered(
    visitor: &Visitor,
    id: TournamentId,
    division: DivisionNo,
    form: &Form,
    path: &str,
) -> Result<Outcome, Problem> {
    let screen = super::bare_screen(visitor, id, CommandKind::Enter).await?;
    let of = screen.state().division(division).ok_or(Refused::NotFound("division"))?;
    let list = pasted(form)?;
    let people = people_of(visitor, of, &list).await?;
    for (line, somebody) in list.lines.iter().zip(&people).filter(|_| list.is_plain) {
        if let Somebody::Unreadable(error) = somebody {
            return Err(unreadable(error, line));
        }
    }
    let is_certain =
        list.is_plain && list.lines.iter().zip(&people).all(|(line, somebody)| somebody.is_certain(line));
    let is_confirmed = form.ticked("confirmed");
    if !is_certain && !is_confirmed {
        return Ok(Outcome::Shown(shown(visitor, &screen, division, form, &list, &people, None)?));
    }
    let Some((entrants, data)) = entrants(form, &list, &people)? else {
        let problem = Problem::new(Code::AmbiguousName, "it is not chosen who is meant");
        return Ok(Outcome::Shown(shown(visitor, &screen, division, form, &list, &people, Some(&problem))?));
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
            let of = screen.state().division(division).ok_or(Refused::NotFound("division"))?;
            let people = people_of(visitor, of, &list).await?;
            Ok(Outcome::Shown(shown(visitor, &screen, division, form, &list, &people, Some(&problem))?))
        }
        Err(refused) => Err(refused.into()),
    }
}

/// The list as it was read, column by column, with who is meant by each line.
fn shown(
    visitor: &Visitor,
    screen: &DirectorScreen,
    division: DivisionNo,
    form: &Form,
    list: &PastedList,
    people: &[Somebody],
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let t = &visitor.t;
    let title = t.get("desk-pasted-title");
    let status = match problem {
        Some(problem) => visitor::status(problem),
        None if people.iter().any(Somebody::is_asked) => StatusCode::UNPROCESSABLE_ENTITY,
        None => StatusCode::OK,
    };
    let holds = |column: &Column| t.get(&format!("desk-column-{}", column.to_string().replace('_', "-")));
    let columns = list.columns.iter().map(|column| PastedColumn {
        holds: holds(column),
        choices: Column::VARIANTS
            .iter()
            .map(|one| Choice::new(one.to_string(), holds(one), one == column))
            .collect(),
    });
    let lines = list.lines.iter().zip(people).enumerate().map(|(at, (line, somebody))| PastedLine {
        number: line.number,
        cells: line.cells.clone(),
        who: who(visitor, form, at, line, somebody),
    });
    let page = super::page(visitor, screen, &below(division), problem, |context, desk| PastedPage {
        columns: columns.collect(),
        lines: lines.collect(),
        keeps_details: list
            .columns
            .iter()
            .any(|column| [Column::Club, Column::Country, Column::Rating].contains(column)),
        text: typed_names(form),
        button: Button::of_form(t.get("desk-enter"), Fields::default())
            .then(desk.here.clone())
            .at(context.version)
            .main(),
        address: context.address(&below(division)),
        ..PastedPage::new(*t, visitor.frame(&title, Some(Tab::Tournaments)), desk)
    });
    visitor::html(status, page.whole())
}

/// Who is meant by a line, in words.
fn who(visitor: &Visitor, form: &Form, at: usize, line: &Line, somebody: &Somebody) -> Who {
    let (t, field) = (&visitor.t, field_of(at));
    let new = || {
        let kept = details_in_words(line);
        let name = std::iter::once(line.name.as_str()).chain(kept.iter().map(String::as_str));
        t.with("meant-new", "name", name.collect::<Vec<_>>().join(", "))
    };
    let asked = |mut choices: Vec<Choice>| {
        choices.push(Choice::new(choice(NEW, line), new(), false));
        choices.iter_mut().for_each(|one| one.chosen = form.text(&field) == one.value);
        Who::Asked { field: field.clone(), choices }
    };
    match somebody {
        Somebody::Unreadable(_) => Who::LeftOut(t.get("desk-pasted-no-name")),
        Somebody::Twice(first) => Who::LeftOut(t.with("desk-pasted-twice", "line", *first)),
        Somebody::There(name) => Who::LeftOut(t.with("desk-pasted-there", "name", name)),
        Somebody::Known(player, name) => {
            Who::Said { words: name.clone(), field, value: choice(player, line), is_new: false }
        }
        Somebody::New => Who::Said { words: new(), field, value: choice(NEW, line), is_new: true },
        Somebody::Nearly(candidates) => {
            let one = |one: &Candidate| Choice::new(choice(one.player, line), &one.name, false);
            asked(candidates.iter().map(one).collect())
        }
        Somebody::Like(first, name) => {
            let same = t.fill("desk-pasted-same", &[("name", name), ("line", first)]);
            asked(vec![Choice::new(choice(SAME, line), same, false)])
        }
    }
}

/// What is kept of somebody new besides the name.
fn details_in_words(line: &Line) -> Vec<String> {
    let name = line.name.parse().ok();
    let details = name.map(|name| details(name, line));
    details.map_or_else(Vec::new, |PlayerDetails { club, country, .. }| {
        club.map(String::from).into_iter().chain(country.map(String::from)).collect()
    })
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
