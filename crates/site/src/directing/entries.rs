//! Entries at the desk: the list of a division, and the page of one entry.

use crate::pages::button::Button;
use std::collections::BTreeMap;

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;

use super::status;
use crate::pages::LivePage as _;
use crate::pages::Tab;
use crate::pages::directing::correction::Preview;
use crate::pages::directing::entries::{
    EntriesPage, EntryPage, Found, Leave, Looked, MOST_SHOWN, Which, below,
};
use crate::pages::sorted::{Column, SortKey, Sorting};
use crate::visitor::{self, Visitor};
use owlbox_base::text::sought;
use owlbox_base::values::{PlayerId, TournamentId};
use owlbox_books::club::meant::Search;
use owlbox_desk::Refused;
use owlbox_desk::tournaments::TournamentReader;
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::entry::{Entry, EntryStanding};
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::{CommandKind, Tournament};

/// The most players of the club that are suggested.
const MOST_SUGGESTED: i64 = 400;

#[derive(Debug, Default, Deserialize)]
pub(crate) struct LookQuery {
    #[serde(default)]
    show: String,
    #[serde(default)]
    find: String,
    #[serde(default)]
    sort: String,
    #[serde(default)]
    order: String,
    /// The page of the list, counted from 1. Anything else is the first.
    #[serde(default)]
    page: String,
    /// What the names entered last led to, as `Entering` writes it.
    #[serde(default)]
    told: String,
}

/// The counts of what names entered led to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entering {
    pub entered: usize,
    pub guests: usize,
    pub there: usize,
}

impl Entering {
    /// The counts as a query; empty if everybody entered and was known.
    pub fn query(self) -> String {
        let Self { entered, guests, there } = self;
        if guests + there == 0 { String::new() } else { format!("?told={entered}-{guests}-{there}") }
    }

    /// Reads the counts from a query.
    fn from_query(counts: &str) -> Self {
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
            which: Which::from_name(&self.show),
            find: self.find.trim().chars().take(80).collect(),
            sorting: Sorting::from_query(
                &self.sort,
                &self.order,
                EntriesPage::DEFAULT,
                &EntriesPage::COLUMNS,
            ),
            page: self.page.parse::<usize>().map_or(0, |page| page.saturating_sub(1)),
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
pub(crate) async fn list(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<LookQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let looked = Looked { told: Entering::from_query(&query.told).in_words(&visitor.t), ..query.looked() };
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
    let sought = looked.clone();
    let (screen, Listed { shown, page, all, known }) =
        super::screen(visitor, id, CommandKind::CheckIn, move |looking| {
            let stream = looking.stream();
            let of = stream.state.division(number).ok_or(Refused::NotFound("division"))?;
            let (shown, page, all) = found(looking, of, &sought)?;
            let known = if partial { Vec::new() } else { suggested(looking, of)? };
            Ok(Listed { shown, page, all, known })
        })
        .await?;
    let of = screen.state().division(number).ok_or(Refused::NotFound("division"))?;
    let frame = visitor.frame(&visitor.t.get("desk-entries"), Some(Tab::Tournaments));
    let here = format!("{}{}", below(number), looked.query());
    let page = super::page(visitor, &screen, &here, problem, |context, desk| {
        let mut page =
            EntriesPage::new(context, frame, desk, number, of, looked, Found { shown: &shown, page, all });
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

/// What a list of entries looks for.
struct Listed {
    /// The entries on the page.
    shown: Vec<EntryNo>,
    /// Which page that is.
    page: usize,
    /// How many match the search.
    all: usize,
    /// Players of the club who have not entered.
    known: Vec<String>,
}

/// The entries that match the search: those on the page asked for, or on the last; which page that is, and the number of
/// all.
fn found(
    looking: &mut TournamentReader<'_>,
    of: &Division,
    looked: &Looked,
) -> Result<(Vec<EntryNo>, usize, usize), Refused> {
    let stream = looking.stream();
    looking.name(of.entries().filter(|(_, entry)| entry.seeded.is_some()).map(|(_, entry)| entry.player));
    let kind = of.entries().filter(|(_, entry)| looked.which.has(&stream.state, entry));
    let mut entries: Vec<(EntryNo, PlayerId)> = kind.map(|(number, entry)| (number, entry.player)).collect();
    let by = looked.sorting.by;
    let mut names = BTreeMap::new();
    // There may be many names: they are read where it takes them all. Who is alike in another column is in the order of
    // names.
    if by != Column::Number || !looked.find.is_empty() {
        let players: Vec<PlayerId> = entries.iter().map(|(_, player)| *player).collect();
        names = looking.names(&players)?;
        let find = Search::new(&looked.find);
        let named = |player: &PlayerId| names.get(player).is_some_and(|name| find.finds(name));
        entries.retain(|(_, player)| named(player));
    }
    if by != Column::Number {
        entries.sort_by_cached_key(|(_, player)| names.get(player).map(|name| sought(name)));
    }
    looked.sorting.arrange(&mut entries, |(number, player)| {
        let entry = of.entry(*number)?;
        match by {
            Column::Name => names.get(player).map(|name| SortKey::Text(sought(name))),
            Column::Seed => entry.seeded.map(|place| SortKey::Number(place.into())),
            Column::Status => Some(SortKey::Number(at_the_door(&stream.state, entry))),
            Column::Number | Column::Place | Column::From | Column::Prize => {
                Some(SortKey::Number(number.0.into()))
            }
        }
    });
    let all = entries.len();
    let page = looked.page.min(all.saturating_sub(1) / MOST_SHOWN);
    entries.drain(..page * MOST_SHOWN);
    entries.truncate(MOST_SHOWN);
    // All of those whose names were read are told apart, as they were found.
    looking.name(names.into_keys());
    looking.name(entries.iter().map(|(_, player)| *player));
    Ok((entries.into_iter().map(|(number, _)| number).collect(), page, all))
}

/// Who has most to do at the door comes first: who is missing, who owes, who waits for a slot; then who is here and
/// even, and at last who has left.
fn at_the_door(state: &Tournament, entry: &Entry) -> u64 {
    if entry.standing.is_out() {
        4
    } else if !entry.checked_in {
        0
    } else if state.account(entry.player) < 0 {
        1
    } else if entry.standing == EntryStanding::Waiting {
        2
    } else {
        3
    }
}

/// Players of the club who have not entered.
fn suggested(looking: &mut TournamentReader<'_>, of: &Division) -> Result<Vec<String>, Refused> {
    let active = looking.active_players(MOST_SUGGESTED)?;
    let free = active.into_iter().filter(|player| of.entry_of(player.id).is_none());
    Ok(free.map(|player| player.name).collect())
}

/// The way of leaving to preview.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct LeaveQuery {
    leave: Option<String>,
}

/// The preview requested by an address's query.
pub(super) fn leaving(address: &str) -> Option<Leave> {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let query = query.split('#').next().unwrap_or_default();
    let query = web::Query::<LeaveQuery>::from_query(query).ok()?;
    Leave::from_name(query.leave.as_deref()?)
}

pub(crate) async fn show(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo, EntryNo)>,
    query: web::Query<LeaveQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, division, entry) = path.into_inner();
    let leave = query.leave.as_deref().and_then(Leave::from_name);
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
    let (screen, tried) = super::screen(visitor, id, CommandKind::CheckIn, move |looking| {
        let stream = looking.stream();
        let of = stream.state.division(division).ok_or(Refused::NotFound("division"))?;
        looking.name([of.entry(entry).ok_or(Refused::NotFound("entry"))?.player]);
        let path: Vec<MatchRef> =
            of.bracket.path(entry).map(|(number, _)| MatchRef { division, number }).collect();
        looking.name(stream.state.players_in(&path));
        // A waiting entry is offered the free slots of the first round, each with its opponent.
        if of.entry(entry).is_some_and(|entry| entry.standing == EntryStanding::Waiting) {
            let first_round = of.bracket.of_flight(0).take_while(|(_, at)| at.round == 0);
            let first_round: Vec<MatchRef> =
                first_round.map(|(number, _)| MatchRef { division, number }).collect();
            looking.name(stream.state.players_in(&first_round));
        }
        leave.map(|leave| Ok((leave, looking.preview_command(leave.command(division, entry))?))).transpose()
    })
    .await?;
    let frame = visitor.frame(&visitor.t.get("desk-entries"), Some(Tab::Tournaments));
    let sheet = format!("{}/{}", below(division), entry.0);
    let here = leave.map_or_else(|| sheet.clone(), |leave| format!("{sheet}?leave={}", leave.name()));
    let mut answered = status(problem);
    let page = super::page(visitor, &screen, &here, problem, |context, desk| {
        let mut page = EntryPage::new(context, frame, desk, division, entry)?;
        match tried {
            Some((leave, Ok(tried))) => {
                page.desk.live = false;
                let touched: Vec<MatchRef> = tried.touched().into_iter().collect();
                let message = leave.label(context.t, &page.name);
                let label = context.t.with("record", "what", &message);
                let button =
                    Button::new(label, &leave.command(division, entry)).then(page.sheet.clone()).main();
                let preview =
                    Preview::new(context, &tried.here.after.stream.state, &touched, button, context.version);
                page.preview = Some((message, preview));
            }
            Some((_, Err(refused))) => {
                let problem = Problem::from(refused);
                answered = visitor::status(&problem);
                page.wrong = Some(context.t.error(problem.code));
            }
            None => {}
        }
        Some(page)
    });
    let page = page.ok_or(Refused::NotFound("entry"))?;
    visitor::html(answered, page.rendered(partial))
}
