//! A division: its entries, its draws, its places and prizes.

use std::collections::HashMap;
use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template as _;
use serde::Deserialize;

use super::words::{from_in_words, place_in_words, standing_key};
use super::{Names, TournamentData, everybody};
use crate::pages::Tab;
use crate::pages::bracket::{DrawPage, DrawnPair, FlightTab, flight_name};
use crate::pages::sorted::{Column, SortKey, Sorting, address};
use crate::pages::tournaments::{
    DivisionTable, EntriesPage, EntryRow, PageLink, PlaceRow, PlacesPage, PrizeRow, Prizes, ShownEntries,
};
use crate::visitor::{self, Visitor};
use owlbox_base::text::sought;
use owlbox_base::values::{PlayerId, TournamentId};
use owlbox_books::club::meant::Search;
use owlbox_desk::Refused;
use owlbox_desk::people::players::Origin;
use owlbox_desk::tournaments::TournamentReader;
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_play::tournament::bracket::{EntryNo, Place, Source};
use owlbox_play::tournament::command::SlotOfMatch;
use owlbox_play::tournament::division::{Division, Draw, Lot};
use owlbox_play::tournament::draw::{Drawn, Seed, draw as draw_line};
use owlbox_play::tournament::entry::{Entry, EntryStanding};
use owlbox_play::tournament::event::DrawnBy;
use owlbox_play::tournament::room::DivisionNo;
use owlbox_play::tournament::view::{PrizeAmount, PrizesView};

/// Entries or places per page.
const PAGE: usize = 200;
/// The most of them on one page for who wants all of them, to print or to search.
const WHOLE: usize = 2_000;

#[derive(Debug, Default, Deserialize)]
pub(crate) struct EntriesQuery {
    #[serde(default)]
    q: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    sort: String,
    #[serde(default)]
    order: String,
    #[serde(default)]
    after: String,
    #[serde(default)]
    all: String,
}

/// The whole table is asked for.
fn all() -> (&'static str, String) {
    ("all", "yes".to_owned())
}

/// How a table of a division is asked for: the search in it, its order, and how much of it.
#[derive(Clone)]
struct Asked {
    search: String,
    sorting: Sorting,
    /// The column by which it is sorted unless asked otherwise.
    default: Column,
    whole: bool,
    /// What else the address holds.
    fields: Vec<(&'static str, String)>,
}

impl Asked {
    fn per_page(&self) -> usize {
        if self.whole { WHOLE } else { PAGE }
    }

    /// The fields that a search in the table keeps.
    fn kept(&self) -> Vec<(&'static str, String)> {
        let fields = self.fields.iter().filter(|(_, value)| !value.is_empty()).cloned();
        fields.chain(self.sorting.fields(self.default)).collect()
    }

    /// The address of the table in this order, from a row on or whole.
    fn address(&self, path: &str, sorting: Sorting, from: (&'static str, String)) -> String {
        let mut fields = self.fields.clone();
        fields.push(("q", self.search.clone()));
        fields.extend(sorting.fields(self.default));
        fields.push(from);
        address(path, &fields)
    }

    /// The address of the whole table.
    fn all(&self, path: &str) -> String {
        self.address(path, self.sorting, all())
    }

    /// Where the page from a row on is fetched again.
    fn again(&self, path: &str, from: (&'static str, String)) -> String {
        if self.whole { self.all(path) } else { self.address(path, self.sorting, from) }
    }

    fn table(
        &self,
        t: &Locale,
        heading: String,
        path: &str,
        columns: &[Column],
        next: Option<(&'static str, String)>,
    ) -> DivisionTable {
        let whole = if self.whole { all() } else { ("all", String::new()) };
        DivisionTable {
            heading,
            columns: self.sorting.headings(t, columns, |sorting| self.address(path, sorting, whole.clone())),
            search: self.search.clone(),
            kept: self.kept(),
            whole: next.is_some().then(|| self.all(path)).filter(|_| !self.whole),
            next: next.map(|next| self.address(path, self.sorting, next)),
        }
    }
}

/// The part of a name to search for.
fn searched(typed: &str) -> String {
    typed.trim().chars().take(60).collect()
}

/// The entries of a division, sorted and filtered.
pub(crate) async fn entries(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<EntriesQuery>,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let t = visitor.t;
    let kind = ShownEntries::from_name(&query.status);
    let default = Column::Name;
    let asked = Asked {
        search: searched(&query.q),
        sorting: Sorting::from_query(&query.sort, &query.order, default, &EntriesPage::COLUMNS),
        default,
        whole: query.all == "yes",
        fields: vec![("status", kind.name().to_owned())],
    };
    let after = query.after.parse().ok().map(EntryNo);
    let wanted = asked.clone();
    let (data, Listed { shown, more, from }) = TournamentData::load(&visitor, id, move |looking| {
        let stream = looking.stream();
        let division = stream.state.division(number).ok_or(Refused::NotFound("division"))?;
        Listed::new(looking, &t, division, &wanted, kind, after)
    })
    .await?;
    let division = data.division(number)?;
    let here = format!("{}/{}/entries", data.home(), number.0);
    let last = shown.last().map(|(_, entry)| *entry).filter(|_| more);
    let rows = shown.iter().filter_map(|(name, entry)| data.entry_row(&t, division, *entry, name, &from));
    let rows: Vec<EntryRow> = rows.collect();
    let is_shown = |column: &Column| match column {
        Column::From => rows.iter().any(|row| !row.from.is_empty()),
        Column::Seed => rows.iter().any(|row| row.seeded.is_some()),
        Column::Place | Column::Number | Column::Name | Column::Status | Column::Prize => true,
    };
    let columns: Vec<Column> = EntriesPage::COLUMNS.into_iter().filter(is_shown).collect();
    let after =
        |after: Option<EntryNo>| ("after", after.map_or_else(String::new, |after| after.0.to_string()));
    let link = |other: ShownEntries| PageLink {
        label: other.label(&t),
        link: Asked { fields: vec![("status", other.name().to_owned())], ..asked.clone() }
            .again(&here, after(None)),
        here: other == kind,
    };
    let page = EntriesPage {
        t,
        frame: visitor.frame(&data.title(&t.get("entries"), division), Some(Tab::Tournaments)),
        around: data.around(&t, number, division, "page-entries"),
        live: data.live(asked.again(&here, after(query.after.parse().ok().map(EntryNo)))),
        count: division.taking_part(),
        here: division.entries().filter(|(_, entry)| ShownEntries::Here.has(entry)).count(),
        kinds: ShownEntries::ALL.map(link).to_vec(),
        table: asked.table(
            &t,
            data.heading(&t, division),
            &here,
            &columns,
            last.map(|last| after(Some(last))),
        ),
        rows,
    };
    visitor::html(StatusCode::OK, page.render())
}

/// The entries that a page lists.
struct Listed {
    /// With their names, in the order asked for.
    shown: Vec<(String, EntryNo)>,
    /// Whether there are more after them.
    more: bool,
    /// Where their players come from.
    from: HashMap<PlayerId, Origin>,
}

impl Listed {
    /// Entries of a kind, after one of them.
    fn new(
        looking: &mut TournamentReader<'_>,
        t: &Locale,
        division: &Division,
        asked: &Asked,
        kind: ShownEntries,
        after: Option<EntryNo>,
    ) -> Result<Self, Refused> {
        let of_kind = division.entries().filter(|(_, entry)| kind.has(entry));
        let players: Vec<PlayerId> = of_kind.map(|(_, entry)| entry.player).collect();
        let names = Names(Arc::new(looking.names(&players)?));
        let mut sorted = by_name(t, division, &names, &asked.search, kind);
        let of_everybody = match asked.sorting.by {
            Column::From => origins(looking, division, &sorted)?,
            Column::Place | Column::Number | Column::Name | Column::Seed | Column::Status | Column::Prize => {
                HashMap::new()
            }
        };
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
) -> Result<HashMap<PlayerId, Origin>, Refused> {
    let players = entries.iter().filter_map(|(_, entry)| division.entry(*entry)).map(|entry| entry.player);
    looking.origins(&players.collect::<Vec<_>>())
}

/// What an entry is sorted by in a column. `None` if it has nothing there.
fn entry_key(
    division: &Division,
    by: Column,
    name: &str,
    number: EntryNo,
    from: &HashMap<PlayerId, Origin>,
) -> Option<SortKey> {
    let entry = division.entry(number)?;
    match by {
        Column::Name => Some(SortKey::Text(sought(name))),
        Column::From => Some(from_in_words(from.get(&entry.player)))
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
fn by_name(
    t: &Locale,
    division: &Division,
    names: &Names,
    search: &str,
    kind: ShownEntries,
) -> Vec<(String, EntryNo)> {
    let wanted = Search::new(search);
    let of_kind = division.entries().filter(|(_, entry)| kind.has(entry));
    let named = of_kind.map(|(entry, _)| (names.of_entry(t, division, entry), entry));
    let mut fitting: Vec<(String, EntryNo)> = named.filter(|(name, _)| wanted.finds(name)).collect();
    fitting.sort_by_cached_key(|(name, entry)| (sought(name), *entry));
    fitting
}

impl TournamentData {
    /// The tournament, the division and the day, for the head of a printed list.
    fn heading(&self, t: &Locale, division: &Division) -> String {
        let name = self.about.name.as_str().to_owned();
        let parts = [Some(name), self.division_name(division), Some(t.day(self.about.date))];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }

    fn entry_row(
        &self,
        t: &Locale,
        division: &Division,
        number: EntryNo,
        name: &str,
        from: &HashMap<PlayerId, Origin>,
    ) -> Option<EntryRow> {
        let entry = division.entry(number)?;
        let joined = (0_u8..).zip(&division.settings.side_pools);
        let joined = joined.filter(|(pool, _)| entry.is_in_pool(*pool)).map(|(_, pool)| pool.name.as_str());
        let unusual = entry.standing != EntryStanding::In;
        Some(EntryRow {
            number: number.0,
            name: name.to_owned(),
            link: self.way_of(entry.player),
            from: from_in_words(from.get(&entry.player)),
            pools: joined.collect::<Vec<_>>().join(" · "),
            seeded: entry.seeded,
            checked_in: entry.checked_in && !division.is_drawn() && !entry.standing.is_out(),
            standing: unusual.then(|| t.get(standing_key(entry.standing))),
            out: entry.standing.is_out(),
        })
    }
}

/// The draw to show, and the first pair on the page.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct DrawQuery {
    #[serde(default)]
    draw: String,
    #[serde(default)]
    from: String,
}

/// A draw, slot by slot: the one that counts, or an earlier one.
pub(crate) async fn draw(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<DrawQuery>,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let (data, ()) = TournamentData::load(&visitor, id, move |looking| everybody(looking, number)).await?;
    let division = data.division(number)?;
    let draws: Vec<&Draw> = division.draws.iter().chain(&division.last_chances).map(AsRef::as_ref).collect();
    let counts = division.draws.len();
    let nth = query.draw.parse().ok().filter(|nth| (1..=draws.len()).contains(nth)).unwrap_or(counts);
    let shown = nth.checked_sub(1).and_then(|at| draws.get(at)).copied();
    let from: usize = query.from.parse().unwrap_or(0);
    let t = visitor.t;
    let mut page = draw_page(&visitor, &data, number, division, shown);
    page.draws = tabs(&t, division, nth);
    if nth == counts {
        page.lots = lots(&t, division, &data.names);
    }
    let all = page.pairs.len();
    if all > DrawPage::MOST {
        page.steps = None;
        page.pairs = page.pairs.into_iter().skip(from).take(DrawPage::MOST).collect();
        let next = from.saturating_add(DrawPage::MOST);
        page.next = (next < all).then(|| format!("?draw={nth}&from={next}"));
    }
    visitor::html(StatusCode::OK, page.render())
}

/// The lots drawn after the draw, for entries that waited: who, where, and from what.
fn lots(t: &Locale, division: &Division, names: &Names) -> Vec<String> {
    let lot = |lot: &Arc<Lot>| {
        let name = names.of_entry(t, division, lot.entry);
        let (time, among) = (t.time(&lot.at), lot.lot.among.len());
        let SlotOfMatch { number, .. } = lot.place;
        let values: [(&str, &dyn std::fmt::Display); 5] = [
            ("name", &name),
            ("time", &time),
            ("match", &number.0),
            ("among", &among),
            ("seed", &lot.lot.seed.0),
        ];
        t.fill("draw-lot", &values)
    };
    division.lots.iter().map(lot).collect()
}

fn tabs(t: &Locale, division: &Division, shown: usize) -> Vec<FlightTab> {
    let counts = division.draws.len();
    let tab = |nth: usize| FlightTab {
        name: match nth.checked_sub(counts) {
            None | Some(0) => t.with("draw-nth", "number", nth),
            Some(chance) => t.with("draw-last-chance", "number", chance),
        },
        link: format!("?draw={nth}"),
        chosen: nth == shown,
    };
    (1..=counts + division.last_chances.len()).map(tab).collect()
}

fn draw_page(
    visitor: &Visitor,
    data: &TournamentData,
    number: DivisionNo,
    division: &Division,
    draw: Option<&Draw>,
) -> DrawPage {
    let t = visitor.t;
    let line: Vec<Source> =
        draw.map_or_else(Vec::new, |draw| draw.slots.iter().map(|slot| Source::from(*slot)).collect());
    let seed = draw.and_then(|draw| match draw.drawn {
        DrawnBy::Lot { seed, .. } => Some(seed),
        DrawnBy::Hand {} => None,
    });
    let seeded =
        |entry| division.entry(entry).and_then(|entry: &Entry| entry.seeded).filter(|_| seed.is_some());
    let pairs: Vec<DrawnPair> =
        DrawPage::pairs(&line, &|entry| data.names.of_entry(&t, division, entry), &seeded);
    let steps = line.iter().filter(|source| **source != Source::Bye).count();
    DrawPage {
        t,
        frame: visitor.frame(&data.title(&t.get("the-draw"), division), Some(Tab::Tournaments)),
        around: data.around(&t, number, division, "page-draw"),
        draws: Vec::new(),
        at: draw.map(|draw| t.date_time(&draw.at)),
        reason: draw.and_then(|draw| draw.reason.as_ref()).map(|reason| reason.as_str().to_owned()),
        seed,
        command: seed.and_then(|seed| command(division, &line, seed)),
        pairs,
        steps: draw.map(|_| steps),
        next: None,
        lots: Vec::new(),
    }
}

/// The most slots of a draw that is repeated to check it, which takes some milliseconds.
const MOST_TRIED: usize = 2_048;

/// The command that repeats this draw, if the command line can; it is checked here, so that the page promises
/// nothing false. It numbers the seeded entries first and then the others in order of entry. The flag says
/// whether these numbers differ from the entries' own.
fn command(division: &Division, line: &[Source], seed: Seed) -> Option<(String, bool)> {
    // The draw is repeated on every view of the page, so it has to be cheap.
    if line.len() > MOST_TRIED {
        return None;
    }
    let sits = line.iter().filter_map(|source| match source {
        Source::Entry { entry } => Some(*entry),
        Source::Winner { .. } | Source::Loser { .. } | Source::Bye | Source::Open => None,
    });
    let place = |entry: EntryNo| division.entry(entry).and_then(|of| of.seeded);
    let mut drawn: Vec<EntryNo> = sits.collect();
    drawn.sort_by_key(|entry| (place(*entry).unwrap_or(u32::MAX), *entry));
    let seeded = drawn.iter().filter(|entry| place(**entry).is_some()).count();
    let counted: HashMap<EntryNo, EntryNo> = drawn.iter().copied().zip((1..).map(EntryNo)).collect();
    let entries: Vec<Drawn> = (1..)
        .take(drawn.len())
        .map(|entry| Drawn {
            entry: EntryNo(entry),
            seeded: usize::try_from(entry).is_ok_and(|entry| entry <= seeded).then_some(entry),
            apart: None,
        })
        .collect();
    let counted_line = line.iter().map(|source| match source {
        Source::Entry { entry } => {
            counted.get(entry).map_or(*source, |entry| Source::Entry { entry: *entry })
        }
        other @ (Source::Winner { .. } | Source::Loser { .. } | Source::Bye | Source::Open) => *other,
    });
    let same = draw_line(&entries, seed).into_iter().eq(counted_line);
    let otherwise = counted.iter().any(|(entry, counted)| entry != counted);
    same.then(|| (DrawPage::repeated_by(drawn.len(), seeded, seed), otherwise))
}

/// The flight to show, and how.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct PlacesQuery {
    #[serde(default)]
    flight: String,
    #[serde(default)]
    q: String,
    #[serde(default)]
    sort: String,
    #[serde(default)]
    order: String,
    #[serde(default)]
    from: String,
    #[serde(default)]
    all: String,
}

/// The places of a flight, as far as they are decided, with their prizes.
pub(crate) async fn places(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<PlacesQuery>,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let asked_for = query.flight.parse().ok();
    let (data, origins) = TournamentData::load(&visitor, id, move |looking| {
        everybody(looking, number)?;
        let stream = looking.stream();
        let division = stream.state.division(number).ok_or(Refused::NotFound("division"))?;
        let PrizesView { scheduled, given, .. } = division.prizes_view();
        looking.name(scheduled.into_iter().chain(given.unwrap_or_default()).map(|won| won.player));
        let places = division.places(flight_of(division, asked_for));
        let players = places.iter().filter_map(|place| division.entry(place.entry)).map(|entry| entry.player);
        looking.origins(&players.collect::<Vec<_>>())
    })
    .await?;
    let division = data.division(number)?;
    let t = visitor.t;
    let flights = division.bracket.flights().len();
    let flight = flight_of(division, asked_for);
    let default = Column::Place;
    let asked = Asked {
        search: searched(&query.q),
        sorting: Sorting::from_query(&query.sort, &query.order, default, &PlacesPage::COLUMNS),
        default,
        whole: query.all == "yes",
        fields: vec![("flight", if flight == 0 { String::new() } else { flight.to_string() })],
    };
    let prizes = prizes_by_player(division);
    let from: usize = query.from.parse().unwrap_or(0);
    let next = from.saturating_add(asked.per_page());
    let here = format!("{}/{}/places", data.home(), number.0);
    let tab = |at: usize| FlightTab {
        name: flight_name(&t, &division.bracket, at),
        link: format!("?flight={at}"),
        chosen: at == flight,
    };
    let sorted = sorted_places(&t, division, &data.names, flight, &asked, &prizes, &origins);
    let shown = sorted.iter().skip(from).take(asked.per_page());
    let rows: Vec<PlaceRow> =
        shown.map(|(name, place)| data.place_row(&t, division, name, place, &prizes, &origins)).collect();
    let is_shown = |column: &Column| match column {
        Column::From => rows.iter().any(|row| !row.from.is_empty()),
        Column::Prize => rows.iter().any(|row| row.prize.is_some()),
        Column::Place | Column::Number | Column::Name | Column::Seed | Column::Status => true,
    };
    let columns: Vec<Column> = PlacesPage::COLUMNS.into_iter().filter(is_shown).collect();
    let start = |from: usize| ("from", if from == 0 { String::new() } else { from.to_string() });
    let page = PlacesPage {
        t,
        frame: visitor.frame(&data.title(&t.get("places"), division), Some(Tab::Tournaments)),
        around: data.around(&t, number, division, "page-places"),
        live: data.live(asked.again(&here, start(from))),
        flights: (0..flights).map(tab).collect(),
        table: asked.table(
            &t,
            data.heading(&t, division),
            &here,
            &columns,
            (next < sorted.len()).then(|| start(next)),
        ),
        rows,
        prizes: data.prizes(&t, number, division),
    };
    visitor::html(StatusCode::OK, page.render())
}

/// The flight that was asked for, if there is one.
fn flight_of(division: &Division, asked: Option<usize>) -> usize {
    asked.filter(|flight| *flight < division.bracket.flights().len()).unwrap_or(0)
}

/// The places of a flight whose entries were searched for, with their names, in the order asked for.
fn sorted_places(
    t: &Locale,
    division: &Division,
    names: &Names,
    flight: usize,
    asked: &Asked,
    prizes: &HashMap<PlayerId, u64>,
    from: &HashMap<PlayerId, Origin>,
) -> Vec<(String, Place)> {
    let wanted = Search::new(&asked.search);
    let named =
        division.places(flight).into_iter().map(|place| (names.of_entry(t, division, place.entry), place));
    let mut fitting: Vec<(String, Place)> = named.filter(|(name, _)| wanted.finds(name)).collect();
    asked.sorting.arrange(&mut fitting, |(name, place)| match asked.sorting.by {
        Column::Prize => {
            let player = division.entry(place.entry)?.player;
            prizes.get(&player).copied().map(SortKey::Number)
        }
        // Places are in their order already, shared ones in that of their entries.
        Column::Place => Some(SortKey::Number(place.best.into())),
        by @ (Column::Number | Column::Name | Column::From | Column::Seed | Column::Status) => {
            entry_key(division, by, name, place.entry, from)
        }
    });
    fitting
}

/// What each player gets in a division, in minor units: given, or due and decided.
fn prizes_by_player(division: &Division) -> HashMap<PlayerId, u64> {
    let view = division.prizes_view();
    let due = if view.still_played.is_some() { Vec::new() } else { view.scheduled };
    let mut prizes = HashMap::new();
    for won in view.given.unwrap_or(due).into_iter().filter(|won| won.amount > 0) {
        *prizes.entry(won.player).or_default() += won.amount;
    }
    prizes
}

impl TournamentData {
    fn place_row(
        &self,
        t: &Locale,
        division: &Division,
        name: &str,
        place: &Place,
        prizes: &HashMap<PlayerId, u64>,
        from: &HashMap<PlayerId, Origin>,
    ) -> PlaceRow {
        let player = division.entry(place.entry).map(|entry| entry.player);
        // Whoever entered again has one prize, with the entry that still counts.
        let counts = player.filter(|player| division.entry_of(*player) == Some(place.entry));
        let prize = counts.and_then(|player| prizes.get(&player));
        PlaceRow {
            entry: place.entry.0,
            place: place_in_words(place),
            won: place.worst == 1 && !place.playing,
            name: name.to_owned(),
            from: player.map_or_else(String::new, |player| from_in_words(from.get(&player))),
            link: player.map_or_else(|| self.home(), |player| self.way_of(player)),
            playing: place.playing,
            prize: prize.and_then(|prize| self.money(t, *prize)),
        }
    }

    /// The prizes of a division, if its pools hold anything.
    fn prizes(&self, t: &Locale, number: DivisionNo, division: &Division) -> Option<Prizes> {
        let view = division.prizes_view();
        let given = view.given.is_some();
        let kept = division.awards.as_ref().map_or(view.kept, |awards| awards.kept);
        let mut won = view.given.unwrap_or(view.scheduled);
        won.sort_by_key(|won| std::cmp::Reverse(won.amount));
        let rows: Vec<PrizeRow> = won
            .iter()
            .filter_map(|won| {
                let amount = self.money(t, won.amount)?;
                Some(PrizeRow { name: self.names.name_of(won.player), link: self.way_of(won.player), amount })
            })
            .collect();
        let side = division.settings.side_pools.iter().zip(view.side_pools);
        let side = side.map(|(pool, sum)| (pool.name.as_str().to_owned(), sum));
        let pools = std::iter::once((t.get("money-pool"), view.pool))
            .chain(side)
            .chain([(t.get("money-kept"), kept)]);
        let pools: Vec<(String, String)> =
            pools.filter_map(|(what, sum)| Some((what, self.money(t, sum)?))).collect();
        let still_played = view.still_played.filter(|_| !given);
        // While winners are still open, the page says what can be won.
        let prizes = if still_played.is_some() {
            let named = |one: &PrizeAmount| Some((t.prize(one.prize), self.money(t, one.amount)?));
            view.schedule.iter().filter_map(named).collect()
        } else {
            Vec::new()
        };
        (!rows.is_empty() || !pools.is_empty()).then(|| Prizes {
            given,
            pools,
            prizes,
            rows: if still_played.is_some() { Vec::new() } else { rows },
            still_played: still_played.map(|of| (of.0, self.match_link(number, of))),
        })
    }
}
