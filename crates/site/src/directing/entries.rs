//! The entries of a division at the desk: names typed or pasted, checked in with a tap, seeded.

use std::collections::BTreeMap;

use actix_web::HttpResponse;
use serde::Deserialize;

use super::act::{ARRIVE, takes_acts};
use super::frame::{DeskFrame, on_the_desk};
use crate::pages::button::Button;
use crate::pages::{Fields, Frame, LivePage as _};
use crate::sentences::tournament::TournamentSentences;
use crate::sorted::{Column, SortKey, Sorting};
use crate::tournaments::heading;
use crate::visitor::Visitor;
use owlbox_base::text::sought;
use owlbox_base::values::{PlayerId, TournamentId};
use owlbox_books::club::meant::Search;
use owlbox_desk::Refused;
use owlbox_desk::tournaments::{Arrival, TournamentReader, TournamentScreen};
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_locale::url::address;
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::entry::{Entry, EntryStanding};
use owlbox_play::tournament::room::DivisionNo;
use owlbox_play::tournament::settings::{Fee, SidePool};
use owlbox_play::tournament::{Command, CommandKind, MOST_SEATED_AT_ONCE, Tournament};

/// The most entries on a page of the list.
const MOST_SHOWN: usize = 300;
/// The most players of the club that are suggested.
const MOST_SUGGESTED: i64 = 400;

/// By name, as they are looked up at the door.
const DEFAULT: Column = Column::Name;
const COLUMNS: [Column; 4] = [Column::Name, Column::Seed, Column::Status, Column::Number];

/// The kind of entries to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Which {
    #[default]
    All,
    /// Those who have not checked in.
    Missing,
    /// Those who have.
    Here,
    /// Those who owe the tournament something.
    Owing,
    /// Those who play and owe nothing.
    Paid,
    /// Those who wait for a slot.
    Waiting,
    /// Those who no longer play.
    Out,
}

impl Which {
    const ALL: [Self; 7] =
        [Self::All, Self::Missing, Self::Here, Self::Owing, Self::Paid, Self::Waiting, Self::Out];

    const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Missing => "missing",
            Self::Here => "here",
            Self::Owing => "owing",
            Self::Paid => "paid",
            Self::Waiting => "waiting",
            Self::Out => "out",
        }
    }

    /// The kind with this name. An unknown name gives all.
    fn from_name(name: &str) -> Self {
        Self::ALL.into_iter().find(|which| which.name() == name).unwrap_or_default()
    }

    fn label(self, t: &Locale) -> String {
        t.get(match self {
            Self::All => "desk-show-all",
            Self::Missing => "desk-show-missing",
            Self::Here => "desk-show-here",
            Self::Owing => "desk-show-owing",
            Self::Paid => "desk-show-paid",
            Self::Waiting => "desk-show-waiting",
            Self::Out => "desk-show-out",
        })
    }

    /// Whether an entry of a tournament is of this kind.
    pub fn has(self, state: &Tournament, entry: &Entry) -> bool {
        match self {
            Self::All => entry.standing != EntryStanding::EnteredAgain,
            Self::Missing => !entry.checked_in && !entry.standing.is_out(),
            Self::Here => entry.checked_in && !entry.standing.is_out(),
            Self::Owing => entry.standing != EntryStanding::EnteredAgain && state.account(entry.player) < 0,
            Self::Paid => !entry.standing.is_out() && state.account(entry.player) >= 0,
            Self::Waiting => entry.standing == EntryStanding::Waiting,
            Self::Out => entry.standing.is_out(),
        }
    }
}

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

impl LookQuery {
    pub(super) fn looked(&self) -> Looked {
        Looked {
            which: Which::from_name(&self.show),
            find: self.find.trim().chars().take(80).collect(),
            sorting: Sorting::from_query(&self.sort, &self.order, DEFAULT, &COLUMNS),
            page: self.page.parse::<usize>().map_or(0, |page| page.saturating_sub(1)),
            told: Entering::from_query(&self.told),
        }
    }
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

    /// Empty if nobody was entered.
    fn in_words(self, t: &Locale) -> String {
        let Self { entered, guests, there } = self;
        let parts =
            [("desk-told-entered", entered), ("desk-told-guests", guests), ("desk-told-there", there)];
        let parts = parts.into_iter().filter(|(_, count)| *count > 0);
        parts.map(|(key, count)| t.count(key, &count)).collect::<Vec<_>>().join(" · ")
    }
}

/// The search on the page.
#[derive(Clone, Debug)]
pub(super) struct Looked {
    pub which: Which,
    /// A part of a name.
    pub find: String,
    pub sorting: Sorting,
    /// The page of the list, counted from 0.
    pub page: usize,
    /// The result of the last names entered.
    pub told: Entering,
}

impl Default for Looked {
    fn default() -> Self {
        LookQuery::default().looked()
    }
}

impl Looked {
    /// The search as the query of an address. Empty if everything is shown.
    fn query(&self) -> String {
        let mut fields = self.kept();
        fields.insert(usize::from(self.which != Which::All), ("find", self.find.clone()));
        fields.extend((self.page > 0).then(|| ("page", (self.page + 1).to_string())));
        address("", &fields)
    }

    /// The fields of an address that another search keeps.
    fn kept(&self) -> Vec<(&'static str, String)> {
        let show = (self.which != Which::All).then(|| ("show", self.which.name().to_owned()));
        show.into_iter().chain(self.sorting.fields(DEFAULT)).collect()
    }
}

/// The address of a division's entries, below that of the desk.
pub(super) fn below(division: DivisionNo) -> String {
    format!("/{}/entries", division.0)
}

/// `/tournaments/{id}/desk/{division}/entries`
#[derive(Debug)]
pub(super) struct EntriesPage<'a> {
    pub t: TournamentSentences<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub desk: DeskFrame<'a>,
    pub division: DivisionNo,
    pub of: &'a Division,
    pub looked: &'a Looked,
    pub listed: &'a Listed,
}
on_the_desk! { EntriesPage<'a>: "directing/entries.html" }

/// What a list of entries looks for.
#[derive(Debug)]
pub(super) struct Listed {
    /// The entries on the page, at most [`MOST_SHOWN`].
    pub shown: Vec<EntryNo>,
    /// Which page that is, counted from 0.
    pub page: usize,
    /// How many match the search.
    pub all: usize,
    /// Players of the club who have not entered, as suggestions while a name is typed.
    pub known: Vec<String>,
}

takes_acts!((TournamentId, DivisionNo), LookQuery);

/// The current entries; after a refusal with what was typed.
pub(super) async fn answer(
    visitor: &Visitor,
    &(id, division): &(TournamentId, DivisionNo),
    query: &LookQuery,
    partial: bool,
) -> Result<HttpResponse, Problem> {
    let (looked, sought) = (&query.looked(), query.looked());
    let (screen, listed) = super::screen(visitor, id, CommandKind::CheckIn, move |looking| {
        let stream = looking.stream();
        let of = stream.state.division(division).ok_or(Refused::NotFound("division"))?;
        let known = if partial { Vec::new() } else { suggested(looking, of)? };
        Ok(Listed { known, ..found(looking, of, &sought)? })
    })
    .await?;
    let of = screen.division(division)?;
    let here = format!("{}{}", below(division), looked.query());
    let (t, frame, desk) = super::surroundings(visitor, &screen, "desk-entries", &here);
    let (screen, listed) = (&*screen, &listed);
    let page = EntriesPage { t, frame, screen, desk, division, of, looked, listed };
    visitor.answer(page.rendered(partial))
}

/// The entries that match the search: those on the page asked for, or on the last; which page that is, and
/// the number of all.
fn found(looking: &mut TournamentReader<'_>, of: &Division, looked: &Looked) -> Result<Listed, Refused> {
    let stream = looking.stream();
    looking.name(of.entries().filter(|(_, entry)| entry.seeded.is_some()).map(|(_, entry)| entry.player));
    let kind = of.entries().filter(|(_, entry)| looked.which.has(&stream.state, entry));
    let mut entries: Vec<(EntryNo, PlayerId)> = kind.map(|(number, entry)| (number, entry.player)).collect();
    let by = looked.sorting.by;
    let mut names = BTreeMap::new();
    // There may be many names: they are read where it takes them all. Who is alike in another column is in
    // the order of names.
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
    let shown = entries.into_iter().map(|(number, _)| number).collect();
    Ok(Listed { shown, page, all, known: Vec::new() })
}

/// Who has most to do at the door comes first: who is missing, who owes, who waits for a slot; then who is
/// here and even, and at last who has left.
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

impl EntriesPage<'_> {
    /// How many have checked in, out of how many.
    fn count(&self) -> String {
        let playing = self.of.entries().filter(|(_, entry)| !entry.standing.is_out());
        let (mut here, mut all) = (0, 0);
        for (_, entry) in playing {
            all += 1;
            here += usize::from(entry.checked_in);
        }
        self.t.fill("desk-here-of", &[("here", &here), ("all", &all)])
    }

    /// The tournament, the division and the day, for the head of a printed list.
    fn heading(&self) -> String {
        heading(&self.t, self.screen, self.of)
    }

    /// The address of the page with another search.
    fn address(&self, looked: &Looked) -> String {
        format!("{}{}", self.desk.of_division(&self.division, "entries"), looked.query())
    }

    /// The address of another page of the list.
    fn page(&self, page: usize) -> String {
        self.address(&Looked { page, ..self.looked.clone() })
    }

    fn pages(&self) -> usize {
        self.listed.all.div_ceil(MOST_SHOWN)
    }

    /// Which entries are on the page.
    fn shown_of(&self) -> String {
        let Listed { shown, page, all, .. } = self.listed;
        let before = page * MOST_SHOWN;
        let (first, last) = (before + 1, before + shown.len());
        self.t.fill("desk-shown-of", &[("first", &first), ("last", &last), ("all", all)])
    }

    /// The kinds of entries, with their addresses.
    fn kinds(&self) -> Vec<(Which, String)> {
        let takes_money = self.desk.takes_money();
        let has = |which: &Which| takes_money || !matches!(which, Which::Owing | Which::Paid);
        let looked = |which| Looked { which, find: String::new(), page: 0, ..self.looked.clone() };
        Which::ALL.into_iter().filter(has).map(|which| (which, self.address(&looked(which)))).collect()
    }

    /// The columns, each with the address of the list sorted by it.
    fn columns(&self) -> Vec<(Column, String)> {
        let sorted = |sorting| self.address(&Looked { sorting, page: 0, ..self.looked.clone() });
        self.looked.sorting.links(&COLUMNS, sorted)
    }

    /// The form that enters players by name.
    fn enter(&self) -> Option<Button> {
        let button = || Button::of_form(self.t.get("desk-enter"), Fields::default());
        self.screen.may(CommandKind::Enter).then(|| button().then(self.desk.here()).main())
    }

    /// The entries on the page.
    fn lines(&self) -> impl Iterator<Item = (EntryNo, &Entry)> {
        self.listed.shown.iter().filter_map(|number| Some((*number, self.of.entry(*number)?)))
    }

    /// Those of them that are of a kind.
    fn those(&self, which: Which) -> Vec<EntryNo> {
        let of_kind = self.lines().filter(|(_, entry)| which.has(self.screen.state(), entry));
        of_kind.map(|(number, _)| number).collect()
    }

    /// The address of an entry's own page.
    fn sheet(&self, number: &EntryNo) -> String {
        self.desk.of_division(&self.division, &format!("entries/{}", number.0))
    }

    /// Checks an entry in, or takes that back: what is recorded, and the command.
    fn check(&self, number: &EntryNo, entry: &Entry) -> Option<(String, String)> {
        let key = if entry.checked_in { "desk-check-out" } else { "desk-check-in" };
        let command =
            Fields::lacking(CommandKind::CheckIn).with("entries", &[number]).with("here", &!entry.checked_in);
        let may = self.may_check(entry);
        may.then(|| (self.t.with(key, "name", self.t.name(&entry.player)), command.choice()))
    }

    fn may_check(&self, entry: &Entry) -> bool {
        self.screen.may(CommandKind::CheckIn) && !entry.standing.is_out()
    }

    /// What somebody at the door still owes: they join side pools, pay and are here with one tap.
    fn due(&self, number: &EntryNo, entry: &Entry) -> Option<Fee> {
        let account = self.screen.state().account(entry.player);
        let may = self.desk.takes_money() && self.may_check(entry);
        let owes = may && account < 0 && self.of.entry_of(entry.player) == Some(*number);
        Fee::try_from(account.unsigned_abs()).ok().filter(|_| owes)
    }

    /// The side pools that somebody at the door can join.
    fn pools(&self, number: &EntryNo) -> Vec<(u8, &SidePool)> {
        let may = self.screen.may(CommandKind::JoinPools)
            && self.screen.state().may_join_pools(self.division, *number);
        self.of.settings.numbered_pools().filter(|_| may).collect()
    }

    /// The command of an arrival, without the pools that are ticked.
    fn arrives(&self, number: &EntryNo, owed: &Fee) -> String {
        let side_pools = (!self.pools(number).is_empty()).then(Vec::new);
        let arrival = Arrival { side_pools, owed: Some(*owed) };
        Fields::lacking(ARRIVE).with("entry", number).with("arrival", &arrival).choice()
    }

    /// Remarks on the state of an entry, if there is something to say. What a button says is not said again.
    fn marks(&self, entry: &Entry, due: &Option<Fee>) -> Vec<String> {
        let owed = self.t.owed(entry).filter(|_| due.is_none());
        self.t.marks(self.of, entry).into_iter().chain(owed).collect()
    }

    /// What only paper says, where buttons say it on a screen.
    fn on_paper(&self, entry: &Entry, due: &Option<Fee>) -> String {
        let here = (self.may_check(entry) && entry.checked_in).then(|| self.t.get("desk-here"));
        let owed = self.t.owed(entry).filter(|_| due.is_some());
        here.into_iter().chain(owed).collect::<Vec<_>>().join(" · ")
    }

    /// Checks in everybody on show who has not checked in yet.
    fn check_all(&self) -> Option<Button> {
        let entries = self.those(Which::Missing);
        let label = self.t.count("desk-check-in-all", &entries.len());
        let may = self.screen.may(CommandKind::CheckIn) && entries.len() > 1;
        let command = Command::CheckIn { division: self.division, entries, here: true };
        may.then(|| Button::new(label, &command).then(self.desk.here()).quiet())
    }

    /// Draws lots for all on the page who wait for a slot, if one of them can get one.
    fn seat_all(&self) -> Option<Button> {
        let mut entries = self.those(Which::Waiting);
        entries.truncate(MOST_SEATED_AT_ONCE);
        let may_get =
            |entry: &EntryNo| self.screen.state().may_seat_by_lot(self.division, *entry, self.screen.now);
        let may = self.screen.may(CommandKind::SeatByLot) && entries.iter().any(may_get);
        let label = self.t.count("desk-seat-all-by-lot", &entries.len());
        let command = Command::SeatByLot { division: self.division, entries };
        may.then(|| Button::new(label, &command).then(self.desk.here()).quiet())
    }

    /// The form for the seeding list: the button, and the list, with one name per line.
    fn seeds(&self) -> Option<(Button, String)> {
        if self.of.is_drawn() || !self.screen.may(CommandKind::Seed) {
            return None;
        }
        let list = self.of.seeding_list();
        let button = Button::of_form(self.t.get("desk-seed"), Fields::default()).in_place_of(&list);
        let names: Vec<String> = list.iter().map(|entry| self.t.entry(self.of, entry)).collect();
        Some((button.then(self.desk.here()), names.join("\n")))
    }
}

/// What is said of an entry.
impl TournamentSentences<'_> {
    /// The standing of an entry, and the side pools it plays for.
    pub(super) fn marks(&self, of: &Division, entry: &Entry) -> Vec<String> {
        let standing = match entry.standing {
            EntryStanding::In => None,
            EntryStanding::Waiting => Some("desk-is-waiting"),
            EntryStanding::Leaving => Some("desk-is-leaving"),
            EntryStanding::Withdrawn => Some("desk-is-withdrawn"),
            EntryStanding::Disqualified => Some("desk-is-disqualified"),
            EntryStanding::EnteredAgain => Some("desk-is-again"),
        };
        let pools = of.settings.numbered_pools().filter(|(pool, _)| entry.is_in_pool(*pool));
        let pools = pools.map(|(_, pool)| pool.name.to_string());
        standing.map(|key| self.get(key)).into_iter().chain(pools).collect()
    }

    /// What the entry's player owes the tournament, in words.
    fn owed(&self, entry: &Entry) -> Option<String> {
        self.account(&entry.player).filter(|_| self.state.account(entry.player) < 0)
    }

    /// The name of a side pool, with its stake.
    pub(super) fn pool(&self, side: &SidePool) -> String {
        format!("{}, {}", side.name, self.in_currency(side.stake.minor_units()))
    }
}
