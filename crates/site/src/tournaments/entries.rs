//! The entries of a division, sorted and filtered.

use std::collections::HashMap;

use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use super::tables::{Field, ListOptions, TableQuery};
use super::{DIVISION_PAGES, division_page, heading, live, origin, player_page, standing_key, title};
use crate::pages::{ChipLink, Frame, LivePart, Tab};
use crate::say::{NOBODY, Say};
use crate::sorted::{Column, SortKey};
use crate::visitor::Visitor;
use owlbox_base::text::sought;
use owlbox_base::values::{PlayerId, TournamentId};
use owlbox_books::club::meant::Search;
use owlbox_desk::Refused;
use owlbox_desk::people::players::PlayerOrigin;
use owlbox_desk::tournaments::{TournamentReader, TournamentScreen};
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::entry::{Entry, EntryStanding};
use owlbox_play::tournament::room::DivisionNo;

/// The columns of the list.
const COLUMNS: [Column; 5] = [Column::Name, Column::From, Column::Seed, Column::Status, Column::Number];

/// The kind of entries that a reader wants to see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ShownEntries {
    #[default]
    All,
    /// Those who are in the room.
    Here,
    /// Those who wait for a slot.
    Waiting,
    /// Those who no longer play.
    Left,
}

impl ShownEntries {
    const ALL: [Self; 4] = [Self::All, Self::Here, Self::Waiting, Self::Left];

    /// Its name in addresses; empty for all.
    const fn name(self) -> &'static str {
        match self {
            Self::All => "",
            Self::Here => "here",
            Self::Waiting => "waiting",
            Self::Left => "left",
        }
    }

    /// The kind with this name. An unknown name gives all.
    fn from_name(name: &str) -> Self {
        Self::ALL.into_iter().find(|kind| kind.name() == name).unwrap_or_default()
    }

    fn label(self, t: &Locale) -> String {
        t.get(match self {
            Self::All => "list-all",
            Self::Here => "list-here",
            Self::Waiting => "list-waiting",
            Self::Left => "list-left",
        })
    }

    /// Whether an entry is of this kind.
    fn has(self, entry: &Entry) -> bool {
        match self {
            Self::All => true,
            Self::Here => entry.checked_in && !entry.standing.is_out(),
            Self::Waiting => entry.standing == EntryStanding::Waiting,
            Self::Left => entry.standing.is_out(),
        }
    }
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct EntriesQuery {
    #[serde(default)]
    status: String,
    #[serde(default)]
    after: String,
    #[serde(flatten)]
    table: TableQuery,
}

/// `/tournaments/{id}/{division}/entries?q=&status=&sort=&order=&after=&all=`
#[derive(Template)]
#[template(path = "tournaments/entries.html")]
pub(super) struct EntriesPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub division: DivisionNo,
    pub of: &'a Division,
    pub kind: ShownEntries,
    pub asked: ListOptions,
    /// The entry after which the page begins.
    pub after: Option<EntryNo>,
    pub listed: &'a Listed,
}

/// The entries that a page lists.
#[derive(Debug, Default)]
pub(super) struct Listed {
    /// With their names, in the order asked for.
    pub shown: Vec<(String, EntryNo)>,
    /// Whether there are more after them.
    pub more: bool,
    /// Where their players come from.
    pub from: HashMap<PlayerId, PlayerOrigin>,
}

pub(crate) async fn entries(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<EntriesQuery>,
) -> Result<HttpResponse, Problem> {
    let (id, division) = path.into_inner();
    let kind = ShownEntries::from_name(&query.status);
    let asked = asked(id, division, &query.table, kind);
    let after = query.after.parse().ok().map(EntryNo);
    let (nobody, wanted) = (visitor.say(&NOBODY), asked.clone());
    let (screen, listed) = super::screen(&visitor, id, move |looking| {
        let stream = looking.stream();
        let of = stream.state.division(division).ok_or(Refused::NotFound("division"))?;
        Listed::new(looking, &nobody, of, &wanted, kind, after)
    })
    .await?;
    let (t, of) = (visitor.say(&screen.names), screen.division(division)?);
    let frame = visitor.frame(&title(&screen, of, &t.get("entries")), Some(Tab::Tournaments));
    let (screen, listed) = (&screen, &listed);
    let page = EntriesPage { t, frame, screen, division, of, kind, asked, after, listed };
    visitor.answer(page.render())
}

/// How the list is asked for.
pub(super) fn asked(
    id: TournamentId,
    division: DivisionNo,
    query: &TableQuery,
    kind: ShownEntries,
) -> ListOptions {
    ListOptions::new(
        division_page(id, division, "/entries"),
        query,
        &COLUMNS,
        ("status", kind.name().to_owned()),
    )
}

impl Listed {
    /// Entries of a kind, after one of them.
    fn new(
        looking: &mut TournamentReader<'_>,
        t: &Say<'_>,
        division: &Division,
        asked: &ListOptions,
        kind: ShownEntries,
        after: Option<EntryNo>,
    ) -> Result<Self, Refused> {
        let of_kind = division.entries().filter(|(_, entry)| kind.has(entry));
        let players: Vec<PlayerId> = of_kind.map(|(_, entry)| entry.player).collect();
        let names = looking.names(&players)?;
        let mut sorted = by_name(&t.with_names(&names), division, &asked.search, kind);
        let sorts_by_origin = asked.sorting.by == Column::From;
        let of_everybody =
            if sorts_by_origin { origins(looking, division, &sorted)? } else { HashMap::new() };
        asked.sorting.arrange(&mut sorted, |(name, entry)| {
            entry_key(division, asked.sorting.by, name, *entry, &of_everybody)
        });
        let past = after.and_then(|after| sorted.iter().position(|(_, entry)| *entry == after));
        let mut shown = sorted.split_off(past.map_or(0, |past| past + 1));
        let more = shown.len() > asked.per_page();
        shown.truncate(asked.per_page());
        let from = origins(looking, division, &shown)?;
        Ok(Self { shown, more, from })
    }
}

/// Where the players of these entries come from.
fn origins(
    looking: &mut TournamentReader<'_>,
    division: &Division,
    entries: &[(String, EntryNo)],
) -> Result<HashMap<PlayerId, PlayerOrigin>, Refused> {
    let players = entries.iter().filter_map(|(_, entry)| division.entry(*entry)).map(|entry| entry.player);
    looking.origins(&players.collect::<Vec<_>>())
}

/// What an entry is sorted by in a column. `None` if it has nothing there.
pub(super) fn entry_key(
    division: &Division,
    by: Column,
    name: &str,
    number: EntryNo,
    from: &HashMap<PlayerId, PlayerOrigin>,
) -> Option<SortKey> {
    let entry = division.entry(number)?;
    match by {
        Column::Name => Some(SortKey::Text(sought(name))),
        Column::From => Some(origin(from.get(&entry.player)))
            .filter(|from| !from.is_empty())
            .map(|from| SortKey::Text(sought(&from))),
        Column::Seed => entry.seeded.map(|place| SortKey::Number(place.into())),
        Column::Status => Some(SortKey::Number(status_rank(entry))),
        Column::Number | Column::Place | Column::Prize => Some(SortKey::Number(number.0.into())),
    }
}

/// Who is in the room first, then who plays, waits and has left.
const fn status_rank(entry: &Entry) -> u64 {
    match entry.standing {
        EntryStanding::In if entry.checked_in => 0,
        EntryStanding::In => 1,
        EntryStanding::Waiting => 2,
        EntryStanding::Leaving => 3,
        EntryStanding::Withdrawn => 4,
        EntryStanding::Disqualified => 5,
        EntryStanding::EnteredAgain => 6,
    }
}

/// Entries of this kind whose names contain what was searched for, in order of name.
fn by_name(t: &Say<'_>, division: &Division, search: &str, kind: ShownEntries) -> Vec<(String, EntryNo)> {
    let wanted = Search::new(search);
    let of_kind = division.entries().filter(|(_, entry)| kind.has(entry));
    let named = of_kind.map(|(entry, _)| (t.entrant(division, &entry), entry));
    let mut fitting: Vec<(String, EntryNo)> = named.filter(|(name, _)| wanted.finds(name)).collect();
    fitting.sort_by_cached_key(|(name, entry)| (sought(name), *entry));
    fitting
}

/// The field of an address for the entry after which a page begins.
fn after(entry: Option<EntryNo>) -> Field {
    ("after", entry.map_or_else(String::new, |entry| entry.0.to_string()))
}

impl EntriesPage<'_> {
    fn live(&self) -> LivePart {
        live(self.screen, self.asked.again(after(self.after)))
    }

    fn heading(&self) -> String {
        heading(&self.t, self.screen, self.of)
    }

    /// How many are in the room.
    fn here(&self) -> usize {
        self.of.entries().filter(|(_, entry)| ShownEntries::Here.has(entry)).count()
    }

    /// The kinds of entries.
    fn kinds(&self) -> [ChipLink; 4] {
        let link = |kind: ShownEntries| self.asked.with(kind.name()).again(after(None));
        ShownEntries::ALL.map(|kind| ChipLink::new(kind.label(&self.t), link(kind), kind == self.kind))
    }

    /// The entries on the page, with their names.
    fn rows(&self) -> Vec<(&str, EntryNo, &Entry)> {
        let shown = self.listed.shown.iter();
        shown.filter_map(|(name, number)| Some((name.as_str(), *number, self.of.entry(*number)?))).collect()
    }

    fn has_origins(&self) -> bool {
        self.rows().iter().any(|(.., entry)| !self.from(entry).is_empty())
    }

    fn has_seeds(&self) -> bool {
        self.rows().iter().any(|(.., entry)| entry.seeded.is_some())
    }

    /// The columns in which there is anything, each with the address of the list sorted by it.
    fn columns(&self) -> Vec<(Column, String)> {
        let empty = [(Column::From, !self.has_origins()), (Column::Seed, !self.has_seeds())];
        let columns = COLUMNS.into_iter().filter(|column| !empty.contains(&(*column, true)));
        self.asked.columns(&columns.collect::<Vec<_>>())
    }

    fn link(&self, entry: &Entry) -> String {
        player_page(self.screen.id, entry.player)
    }

    /// Club and country.
    fn from(&self, entry: &Entry) -> String {
        origin(self.listed.from.get(&entry.player))
    }

    /// The side pools that an entry plays for.
    fn pools(&self, entry: &Entry) -> String {
        let pools = (0_u8..).zip(&self.of.settings.side_pools);
        let joined = pools.filter(|(pool, _)| entry.is_in_pool(*pool)).map(|(_, pool)| pool.name.as_str());
        joined.collect::<Vec<_>>().join(" · ")
    }

    /// Whether to say that an entry has checked in, which matters until the draw.
    fn is_here(&self, entry: &Entry) -> bool {
        ShownEntries::Here.has(entry) && !self.of.is_drawn()
    }

    /// The state of an entry, unless it is simply in play.
    fn standing(&self, entry: &Entry) -> Option<String> {
        let unusual = entry.standing != EntryStanding::In;
        unusual.then(|| self.t.get(standing_key(entry.standing)))
    }

    /// The address of the next page.
    fn next(&self) -> Option<String> {
        let (_, last) = self.listed.shown.last().filter(|_| self.listed.more)?;
        Some(self.asked.from(after(Some(*last))))
    }

    /// The address of the whole list, unless this is all of it.
    fn whole(&self) -> Option<String> {
        (self.listed.more && !self.asked.whole).then(|| self.asked.all())
    }
}
