//! A division: its entries, its draws, its places and prizes.

use std::collections::HashMap;
use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template as _;
use serde::Deserialize;

use super::words::{from_in_words, place_in_words, standing_key};
use super::{Names, TournamentData, with_names};
use crate::problem::Problem;
use crate::site::visitor::{self, Visitor};
use owlbox_desk::players::Origin;
use owlbox_domain::club::players::sought;
use owlbox_domain::tournament::bracket::{EntryNo, Place, Source};
use owlbox_domain::tournament::command::SlotOfMatch;
use owlbox_domain::tournament::division::{Division, Draw, Lot};
use owlbox_domain::tournament::draw::{Drawn, Seed, draw as draw_line};
use owlbox_domain::tournament::entry::{Entry, EntryStanding};
use owlbox_domain::tournament::event::DrawnBy;
use owlbox_domain::tournament::room::DivisionNo;
use owlbox_domain::tournament::view::PrizeAmount;
use owlbox_domain::values::{PlayerId, TournamentId};
use owlbox_pages::Tab;
use owlbox_pages::bracket::{DrawPage, DrawnPair, FlightTab, flight_name};
use owlbox_pages::locale::Locale;
use owlbox_pages::tournaments::{EntriesPage, EntryRow, PlaceRow, PlacesPage, PrizeRow, Prizes};
use owlbox_pages::url::encoded;

/// Entries or places per page.
const PAGE: usize = 200;

#[derive(Debug, Default, Deserialize)]
pub(in crate::site) struct EntriesQuery {
    #[serde(default)]
    q: String,
    #[serde(default)]
    after: String,
}

/// The entries of a division, by name.
pub(in crate::site) async fn entries(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<EntriesQuery>,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let data = TournamentData::load(&visitor, id).await?;
    let division = data.division(number)?;
    let t = visitor.t;
    let search: String = query.q.trim().chars().take(60).collect();
    let sorted = with_names(&visitor, |names| by_name(&t, division, names, &search)).await?;
    let after = query.after.parse().ok().map(EntryNo);
    let past = after.and_then(|after| sorted.iter().position(|(_, entry)| *entry == after));
    let left = sorted.get(past.map_or(0, |past| past + 1)..).unwrap_or_default();
    let shown: Vec<&(String, EntryNo)> = left.iter().take(PAGE).collect();
    let players = shown.iter().filter_map(|(_, entry)| division.entry(*entry)).map(|entry| entry.player);
    let from = visitor.service.desk.origins(players.collect()).await?;
    let here = format!("{}/{}/entries", data.home(), number.0);
    let address = |after: Option<EntryNo>| {
        let q = (!search.is_empty()).then(|| format!("q={}", encoded(&search)));
        let after = after.map(|after| format!("after={}", after.0));
        let query: Vec<String> = q.into_iter().chain(after).collect();
        if query.is_empty() { here.clone() } else { format!("{here}?{}", query.join("&")) }
    };
    let last = shown.last().map(|(_, entry)| *entry).filter(|_| left.len() > PAGE);
    let rows = shown.iter().filter_map(|(name, entry)| data.entry_row(&t, division, *entry, name, &from));
    let page = EntriesPage {
        t,
        frame: visitor.frame(&data.title(&t.get("entries"), division), Some(Tab::Tournaments)),
        around: data.around(&t, number, division, "page-entries"),
        live: data.live(address(after)),
        count: division.taking_part(),
        here: division.entries().filter(|(_, entry)| entry.checked_in && !entry.standing.is_out()).count(),
        rows: rows.collect(),
        next: last.map(|last| address(Some(last))),
        search,
    };
    visitor::html(StatusCode::OK, page.render())
}

/// Entries whose names contain what was searched for, in order of name.
fn by_name(t: &Locale, division: &Division, names: &Names, search: &str) -> Vec<(String, EntryNo)> {
    let wanted = sought(search);
    let named = division.entries().map(|(entry, _)| (names.of_entry(t, division, entry), entry));
    let mut fitting: Vec<(String, EntryNo)> =
        named.filter(|(name, _)| sought(name).contains(&wanted)).collect();
    fitting.sort_by_cached_key(|(name, entry)| (name.to_lowercase(), *entry));
    fitting
}

impl TournamentData {
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
        let joined =
            joined.filter(|(pool, _)| entry.is_in_pool(*pool)).map(|(_, pool)| pool.name.as_str().to_owned());
        let about: Vec<String> = std::iter::once(from_in_words(from.get(&entry.player)))
            .filter(|from| !from.is_empty())
            .chain(joined)
            .collect();
        let unusual = entry.standing != EntryStanding::In;
        Some(EntryRow {
            number: number.0,
            name: name.to_owned(),
            link: self.way_of(entry.player),
            about: about.join(" · "),
            seeded: entry.seeded,
            checked_in: entry.checked_in && !division.is_drawn(),
            standing: unusual.then(|| t.get(standing_key(entry.standing))),
            out: entry.standing.is_out(),
        })
    }
}

/// The draw to show, and the first pair on the page.
#[derive(Debug, Default, Deserialize)]
pub(in crate::site) struct DrawQuery {
    #[serde(default)]
    draw: String,
    #[serde(default)]
    from: String,
}

/// A draw, slot by slot: the one that counts, or an earlier one.
pub(in crate::site) async fn draw(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<DrawQuery>,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let data = TournamentData::load(&visitor, id).await?;
    let division = data.division(number)?;
    let draws: Vec<&Draw> = division.draws.iter().chain(&division.last_chances).map(AsRef::as_ref).collect();
    let counts = division.draws.len();
    let nth = query.draw.parse().ok().filter(|nth| (1..=draws.len()).contains(nth)).unwrap_or(counts);
    let shown = nth.checked_sub(1).and_then(|at| draws.get(at)).copied();
    let from: usize = query.from.parse().unwrap_or(0);
    let t = visitor.t;
    let page = with_names(&visitor, |names| {
        let mut page = draw_page(&visitor, &data, number, division, shown, names);
        page.draws = tabs(&t, division, nth);
        if nth == counts {
            page.lots = lots(&t, division, names);
        }
        let all = page.pairs.len();
        if all > DrawPage::MOST {
            page.steps = None;
            page.pairs = page.pairs.into_iter().skip(from).take(DrawPage::MOST).collect();
            let next = from.saturating_add(DrawPage::MOST);
            page.next = (next < all).then(|| format!("?draw={nth}&from={next}"));
        }
        page
    });
    visitor::html(StatusCode::OK, page.await?.render())
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
    names: &Names,
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
    let pairs: Vec<DrawnPair> = DrawPage::pairs(&line, &|entry| names.of_entry(&t, division, entry), &seeded);
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

/// The flight to show, and the first place on the page.
#[derive(Debug, Default, Deserialize)]
pub(in crate::site) struct PlacesQuery {
    #[serde(default)]
    flight: String,
    #[serde(default)]
    from: String,
}

/// The places of a flight, as far as they are decided, with their prizes.
pub(in crate::site) async fn places(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    query: web::Query<PlacesQuery>,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let data = TournamentData::load(&visitor, id).await?;
    let division = data.division(number)?;
    let t = visitor.t;
    let flights = division.bracket.flights().len();
    let flight = query.flight.parse().ok().filter(|flight| *flight < flights).unwrap_or(0);
    let from: usize = query.from.parse().unwrap_or(0);
    let places = division.places(flight);
    let shown = places.get(from..).unwrap_or_default();
    let next = from.saturating_add(PAGE);
    let here = format!("{}/{}/places", data.home(), number.0);
    let tab = |at: usize| FlightTab {
        name: flight_name(&t, &division.bracket, at),
        link: format!("?flight={at}"),
        chosen: at == flight,
    };
    let page = with_names(&visitor, |names| PlacesPage {
        t,
        frame: visitor.frame(&data.title(&t.get("places"), division), Some(Tab::Tournaments)),
        around: data.around(&t, number, division, "page-places"),
        live: data.live(format!("{here}?flight={flight}&from={from}")),
        flights: (0..flights).map(tab).collect(),
        rows: shown.iter().take(PAGE).map(|place| data.place_row(&t, division, names, place)).collect(),
        next: (next < places.len()).then(|| format!("?flight={flight}&from={next}")),
        prizes: data.prizes(&t, number, division, names),
    });
    visitor::html(StatusCode::OK, page.await?.render())
}

impl TournamentData {
    fn place_row(&self, t: &Locale, division: &Division, names: &Names, place: &Place) -> PlaceRow {
        let player = division.entry(place.entry).map(|entry| entry.player);
        PlaceRow {
            entry: place.entry.0,
            place: place_in_words(place),
            won: place.worst == 1 && !place.playing,
            name: names.of_entry(t, division, place.entry),
            link: player.map_or_else(|| self.home(), |player| self.way_of(player)),
            playing: place.playing,
        }
    }

    /// The prizes of a division, if its pools hold anything.
    fn prizes(&self, t: &Locale, number: DivisionNo, division: &Division, names: &Names) -> Option<Prizes> {
        let view = division.prizes_view();
        let given = view.given.is_some();
        let kept = division.awards.as_ref().map_or(view.kept, |awards| awards.kept);
        let mut won = view.given.unwrap_or(view.scheduled);
        won.sort_by_key(|won| std::cmp::Reverse(won.amount));
        let rows: Vec<PrizeRow> = won
            .iter()
            .filter_map(|won| {
                let amount = self.money(t, won.amount)?;
                Some(PrizeRow { name: names.name_of(won.player), link: self.way_of(won.player), amount })
            })
            .collect();
        let side = division.settings.side_pools.iter().zip(&division.side_pools);
        let side = side.map(|(pool, sum)| (pool.name.as_str().to_owned(), *sum));
        let pools = std::iter::once((t.get("money-pool"), division.pool))
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
