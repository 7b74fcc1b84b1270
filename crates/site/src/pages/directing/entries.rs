//! The entries of a division: names typed or pasted, checked in with a tap, seeded; and the sheet of one
//! entry.

use super::correction::Preview;
use super::now::{self, MatchLine};
use super::payments::{self, settles};
use super::words;
use super::{DirectorContext, Heading, Link};
use crate::pages::button::Button;
use crate::pages::sorted::{Column, ColumnHeading, Sorting, address};
use crate::pages::{Choice, Fields, Frame};
use owlbox_base::values::{Currency, MinorUnits};
use owlbox_desk::tournaments;
use owlbox_locale::Locale;
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::command::When;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::entry::{Entry, EntryStanding};
use owlbox_play::tournament::legal::EntryAct;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::settings::{Fee, SidePool};
use owlbox_play::tournament::{Command, CommandKind, MOST_SEATED_AT_ONCE, Tournament};

/// The most entries on a page of the list.
pub const MOST_SHOWN: usize = 300;
/// The command of an [`Arrival`](tournaments::Arrival), which is several of the tournament's.
pub const ARRIVE: &str = "arrive";
/// The most slots offered to a waiting entry.
const MOST_SLOTS: usize = 200;

/// The kind of entries to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Which {
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
    pub const ALL: [Self; 7] =
        [Self::All, Self::Missing, Self::Here, Self::Owing, Self::Paid, Self::Waiting, Self::Out];

    #[must_use]
    pub const fn name(self) -> &'static str {
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
    #[must_use]
    pub fn from_name(name: &str) -> Self {
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
    #[must_use]
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

/// The desk's page of a division's entries.
#[derive(Debug)]
pub struct EntriesPage {
    pub t: Locale,
    pub frame: Frame,
    pub desk: Heading,
    /// The divisions. Empty if there is only one.
    pub divisions: Vec<Link>,
    /// The address of the page without the search.
    pub address: String,
    /// The form that enters players by name.
    pub enter: Option<Button>,
    /// Players of the club, as suggestions while a name is typed.
    pub known: Vec<String>,
    /// The text of a form that was refused.
    pub typed: String,
    /// How many have checked in, out of how many, in words.
    pub count: String,
    /// What is due, paid and still open, as label and amount. Empty unless the viewer records payments.
    pub sums: Vec<(String, String)>,
    /// Links to the kinds of entries.
    pub kinds: Vec<Link>,
    /// The result of the last names entered, in words.
    pub told: Option<String>,
    pub find: String,
    /// The tournament, the division and the day, for the head of a printed list.
    pub heading: String,
    pub columns: Vec<ColumnHeading>,
    /// The fields of the address that a search keeps.
    pub kept: Vec<(&'static str, String)>,
    /// The form around the list: whoever is tapped comes, goes or pays.
    pub door: DoorForm,
    pub lines: Vec<EntryLine>,
    /// The pages of a list that is too long for one.
    pub pages: Option<Pages>,
    /// Checks in everybody on show who has not checked in yet.
    pub check_all: Option<Button>,
    /// Seats those on the page who wait, by lot.
    pub seat_all: Option<Button>,
    /// The form for the seeding list: the button, and the present list with one name per line.
    pub seeds: Option<(Button, String)>,
    /// Whether that form is unfolded, because it was refused.
    pub seeding: bool,
}

/// The pages of the list before and after the present one, and which of its entries that shows.
#[derive(Clone, Debug)]
pub struct Pages {
    pub shown: String,
    pub previous: Option<String>,
    pub next: Option<String>,
}

/// The form around the list of entries. Its buttons are commands, each of one entry; they share the division.
#[derive(Clone, Debug)]
pub struct DoorForm {
    pub division: u32,
    /// Idempotency key, which each button makes its own.
    pub key: String,
    /// Of the sums on its buttons. Empty if no money is played for.
    pub currency: String,
    pub decimals: u32,
}

/// An entry in the list: its name, its state and the likeliest act in one line, the rest behind a tap.
#[derive(Clone, Debug)]
pub struct EntryLine {
    pub number: u32,
    pub name: String,
    /// The place on the seeding list. `None` if unseeded.
    pub seeded: Option<u32>,
    /// Remarks on its state, if there is something to say.
    pub marks: Vec<String>,
    /// What only paper says, where buttons say it on a screen.
    pub on_paper: String,
    pub sheet: String,
    /// Whether it has checked in.
    pub here: bool,
    /// Checks it in, or takes that back: what is recorded, and the command.
    pub check: Option<(String, String)>,
    pub arrival: Option<Arrival>,
}

/// Somebody at the door who still owes something: they join side pools, pay and are here with one tap.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// What is recorded, with the sum as it is without a change of the pools.
    pub label: String,
    /// The same in short, for a narrow screen.
    pub short: String,
    /// The command, without the pools that are ticked.
    pub choice: String,
    /// That sum as it stands in the labels.
    pub sum: String,
    /// What the player owes, in minor units.
    pub owed: u64,
    /// The side pools that can be joined.
    pub pools: Vec<PoolChoice>,
}

/// A side pool to join.
#[derive(Clone, Debug)]
pub struct PoolChoice {
    pub number: u8,
    /// Its name and stake.
    pub label: String,
    /// In minor units.
    pub stake: u64,
    pub joined: bool,
}

/// The search on the page.
#[derive(Clone, Debug)]
pub struct Looked {
    pub which: Which,
    /// A part of a name.
    pub find: String,
    pub sorting: Sorting,
    /// The page of the list, counted from 0.
    pub page: usize,
    /// The result of the last names entered, in words.
    pub told: Option<String>,
}

impl Default for Looked {
    fn default() -> Self {
        let sorting = Sorting::ascending(EntriesPage::DEFAULT);
        Self { which: Which::All, find: String::new(), sorting, page: 0, told: None }
    }
}

impl Looked {
    /// The search as the query of an address. Empty if everything is shown.
    #[must_use]
    pub fn query(&self) -> String {
        let mut fields = self.kept();
        fields.insert(usize::from(self.which != Which::All), ("find", self.find.clone()));
        fields.extend((self.page > 0).then(|| ("page", (self.page + 1).to_string())));
        address("", &fields)
    }

    /// The fields of an address that another search keeps.
    fn kept(&self) -> Vec<(&'static str, String)> {
        let show = (self.which != Which::All).then(|| ("show", self.which.name().to_owned()));
        show.into_iter().chain(self.sorting.fields(EntriesPage::DEFAULT)).collect()
    }
}

/// The entries that a search found.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// Those on the page, at most [`MOST_SHOWN`].
    pub shown: &'a [EntryNo],
    /// The page that they are on, counted from 0.
    pub page: usize,
    /// How many there are.
    pub all: usize,
}

/// The address of a division's entries, below that of the desk.
#[must_use]
pub fn below(number: DivisionNo) -> String {
    format!("/{}/entries", number.0)
}

impl EntriesPage {
    /// By name, as they are looked up at the door.
    pub const DEFAULT: Column = Column::Name;
    pub const COLUMNS: [Column; 4] = [Column::Name, Column::Seed, Column::Status, Column::Number];

    /// The page of a division.
    #[must_use]
    pub fn new(
        context: &DirectorContext<'_>,
        frame: Frame,
        desk: Heading,
        number: DivisionNo,
        of: &Division,
        looked: &Looked,
        found: Found<'_>,
    ) -> Self {
        let shown = found.shown;
        let t = context.t;
        let here = desk.here.clone();
        let path = context.address(&below(number));
        let playing = of.entries().filter(|(_, entry)| !entry.standing.is_out());
        let (mut seen, mut entered) = (0, 0);
        for (_, entry) in playing {
            entered += 1;
            seen += usize::from(entry.checked_in);
        }
        let kind = |which: Which| Link {
            here: which == looked.which,
            ..Link::new(
                format!("{path}{}", Looked { which, find: String::new(), page: 0, ..looked.clone() }.query()),
                which.label(t),
            )
        };
        let sorted = |sorting| format!("{path}{}", Looked { sorting, page: 0, ..looked.clone() }.query());
        let currency = context.state.about().and_then(|about| about.currency);
        let takes_money = payments::takes_money(context);
        let line = |entry: &EntryNo| line(context, number, of, *entry);
        Self {
            t: *t,
            frame,
            divisions: divisions(context, number),
            enter: context
                .may(CommandKind::Enter)
                .then(|| Button::of_form(t.get("desk-enter"), Fields::default()).then(here.clone()).main()),
            known: Vec::new(),
            typed: String::new(),
            count: t.fill("desk-here-of", &[("here", &seen), ("all", &entered)]),
            sums: payments::sums(context),
            kinds: Which::ALL
                .into_iter()
                .filter(|which| !matches!(which, Which::Owing | Which::Paid) || takes_money)
                .map(kind)
                .collect(),
            find: looked.find.clone(),
            told: looked.told.clone(),
            heading: heading(context, of),
            columns: looked.sorting.headings(t, &Self::COLUMNS, sorted),
            kept: looked.kept(),
            door: DoorForm {
                division: number.0.into(),
                key: crate::pages::button::key(),
                currency: currency.map(|currency| currency.to_string()).unwrap_or_default(),
                decimals: currency.map_or(0, |currency| currency.decimals()),
            },
            lines: shown.iter().filter_map(line).collect(),
            pages: pages(t, found, |page| format!("{path}{}", Looked { page, ..looked.clone() }.query())),
            check_all: check_all(context, number, of, shown, &here),
            seat_all: seat_all(context, number, of, shown, &here),
            seeds: seeds(context, of, &here),
            seeding: false,
            address: path,
            desk,
        }
    }
}

/// The pages of a list; `None` if it is on one.
fn pages(t: &Locale, found: Found<'_>, address: impl Fn(usize) -> String) -> Option<Pages> {
    let Found { shown, page, all } = found;
    let before = page * MOST_SHOWN;
    let last = before + shown.len();
    (all > MOST_SHOWN).then(|| Pages {
        shown: t.fill("desk-shown-of", &[("first", &(before + 1)), ("last", &last), ("all", &all)]),
        previous: page.checked_sub(1).map(&address),
        next: (last < all).then(|| address(page + 1)),
    })
}

/// Links to the entries of the divisions. Empty if there is only one.
fn divisions(context: &DirectorContext<'_>, here: DivisionNo) -> Vec<Link> {
    if context.state.divisions().len() < 2 {
        return Vec::new();
    }
    let link = |(number, of): (DivisionNo, &Division)| Link {
        here: number == here,
        ..Link::new(context.address(&below(number)), of.settings.name.to_string())
    };
    context.state.divisions().map(link).collect()
}

/// The tournament, the division and the day.
fn heading(context: &DirectorContext<'_>, of: &Division) -> String {
    let Some(about) = context.state.about() else { return String::new() };
    let division = (context.state.divisions().len() > 1).then(|| of.settings.name.to_string());
    let parts = [Some(about.name.to_string()), division, Some(context.t.day(about.date))];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn line(
    context: &DirectorContext<'_>,
    number: DivisionNo,
    of: &Division,
    entry_number: EntryNo,
) -> Option<EntryLine> {
    let t = context.t;
    let entry = of.entry(entry_number)?;
    let name = context.player(entry.player);
    let label = t.with(if entry.checked_in { "desk-check-out" } else { "desk-check-in" }, "name", &name);
    let may = context.may(CommandKind::CheckIn) && !entry.standing.is_out();
    let check = Fields::lacking(CommandKind::CheckIn)
        .with("entries", &[entry_number])
        .with("here", &!entry.checked_in);
    let arrival = arrival(context, number, of, entry_number, entry);
    let owed = owes(context, entry).filter(|_| context.state.account(entry.player) < 0);
    let (on_button, beside) = if arrival.is_some() { (owed, None) } else { (None, owed) };
    let seen = (may && entry.checked_in).then(|| t.get("desk-here"));
    Some(EntryLine {
        number: entry_number.0,
        seeded: entry.seeded,
        marks: state_marks(context, of, entry).into_iter().chain(beside).collect(),
        on_paper: seen.into_iter().chain(on_button).collect::<Vec<_>>().join(" · "),
        sheet: context.address(&format!("{}/{}", below(number), entry_number.0)),
        here: entry.checked_in,
        check: may.then(|| (label, check.choice())),
        arrival,
        name,
    })
}

fn arrival(
    context: &DirectorContext<'_>,
    division: DivisionNo,
    of: &Division,
    number: EntryNo,
    entry: &Entry,
) -> Option<Arrival> {
    let currency = context.state.about()?.currency?;
    let account = context.state.account(entry.player);
    let may = payments::takes_money(context) && context.may(CommandKind::CheckIn);
    if !may || account >= 0 || entry.standing.is_out() || of.entry_of(entry.player) != Some(number) {
        return None;
    }
    let sum = context.t.how_much(MinorUnits(account), currency);
    let key = if entry.checked_in { "desk-pays" } else { "desk-pays-and-comes" };
    let pool = |(pool, side): (u8, &SidePool)| PoolChoice {
        number: pool,
        label: pool_label(context, side, currency),
        stake: side.stake.minor_units(),
        joined: entry.is_in_pool(pool),
    };
    let joins = context.may(CommandKind::JoinPools) && context.state.may_join_pools(division, number);
    let pools: Vec<PoolChoice> =
        if joins { (0..8).zip(&of.settings.side_pools).map(pool).collect() } else { Vec::new() };
    let arrival = tournaments::Arrival {
        // Those that are ticked.
        side_pools: (!pools.is_empty()).then(Vec::new),
        owed: Some(Fee::try_from(account.unsigned_abs()).ok()?),
    };
    let arrives = Fields::lacking(ARRIVE).with("entry", &number).with("arrival", &arrival);
    Some(Arrival {
        choice: arrives.choice(),
        label: context.t.with(key, "amount", &sum),
        short: context.t.with("desk-pays", "amount", &sum),
        sum,
        owed: account.unsigned_abs(),
        pools,
    })
}

/// The name of a side pool, with its stake.
fn pool_label(context: &DirectorContext<'_>, side: &SidePool, currency: Currency) -> String {
    let stake = MinorUnits(i64::try_from(side.stake.minor_units()).unwrap_or(i64::MAX));
    format!("{}, {}", side.name, context.t.how_much(stake, currency))
}

/// Remarks on the state of an entry, if there is something to say.
fn marks(context: &DirectorContext<'_>, of: &Division, entry: &Entry) -> Vec<String> {
    let seeded = entry.seeded.map(|place| context.t.with("draw-seeded", "place", place));
    let owed = owes(context, entry).filter(|_| context.state.account(entry.player) < 0);
    state_marks(context, of, entry).into_iter().chain(seeded).chain(owed).collect()
}

/// The same without its seed and its debt: the standing, and the side pools it plays for.
fn state_marks(context: &DirectorContext<'_>, of: &Division, entry: &Entry) -> Vec<String> {
    let standing = match entry.standing {
        EntryStanding::In => None,
        EntryStanding::Waiting => Some("desk-is-waiting"),
        EntryStanding::Leaving => Some("desk-is-leaving"),
        EntryStanding::Withdrawn => Some("desk-is-withdrawn"),
        EntryStanding::Disqualified => Some("desk-is-disqualified"),
        EntryStanding::EnteredAgain => Some("desk-is-again"),
    };
    let pools = (0..8).zip(&of.settings.side_pools).filter(|(pool, _)| entry.is_in_pool(*pool));
    let pools = pools.map(|(_, pool)| pool.name.to_string());
    standing.map(|key| context.t.get(key)).into_iter().chain(pools).collect()
}

/// What the entry's player owes the tournament or is owed by it, in words. `None` if they are even.
fn owes(context: &DirectorContext<'_>, entry: &Entry) -> Option<String> {
    let currency = context.state.about()?.currency?;
    let amount = context.state.account(entry.player);
    let key = if amount < 0 { "desk-owes" } else { "desk-is-owed" };
    (amount != 0).then(|| context.t.with(key, "amount", context.t.how_much(MinorUnits(amount), currency)))
}

fn check_all(
    context: &DirectorContext<'_>,
    number: DivisionNo,
    of: &Division,
    shown: &[EntryNo],
    here: &str,
) -> Option<Button> {
    let missing =
        |entry: &&EntryNo| of.entry(**entry).is_some_and(|entry| Which::Missing.has(context.state, entry));
    let entries: Vec<EntryNo> = shown.iter().filter(missing).copied().collect();
    let count = entries.len();
    let may = context.may(CommandKind::CheckIn) && count > 1;
    let command = Command::CheckIn { division: number, entries, here: true };
    may.then(|| Button::new(context.t.count("desk-check-in-all", &count), &command).then(here).quiet())
}

/// Draws lots for all on the page who wait for a slot, if one of them can get one.
fn seat_all(
    context: &DirectorContext<'_>,
    number: DivisionNo,
    of: &Division,
    shown: &[EntryNo],
    here: &str,
) -> Option<Button> {
    let waits =
        |entry: &&EntryNo| of.entry(**entry).is_some_and(|entry| entry.standing == EntryStanding::Waiting);
    let entries: Vec<EntryNo> = shown.iter().filter(waits).copied().take(MOST_SEATED_AT_ONCE).collect();
    let may = context.may(CommandKind::SeatByLot)
        && entries.iter().any(|entry| context.state.may_seat_by_lot(number, *entry, context.now));
    let label = context.t.count("desk-seat-all-by-lot", &entries.len());
    let command = Command::SeatByLot { division: number, entries };
    may.then(|| Button::new(label, &command).then(here).quiet())
}

/// The entries that are seeded, the top seed first.
#[must_use]
pub fn seeding_list(of: &Division) -> Vec<EntryNo> {
    let mut seeded: Vec<(u32, EntryNo)> =
        of.entries().filter_map(|(number, entry)| Some((entry.seeded?, number))).collect();
    seeded.sort_unstable();
    seeded.into_iter().map(|(_, number)| number).collect()
}

fn seeds(context: &DirectorContext<'_>, of: &Division, here: &str) -> Option<(Button, String)> {
    if of.is_drawn() || !context.may(CommandKind::Seed) {
        return None;
    }
    let list = seeding_list(of);
    let names: Vec<String> = list
        .iter()
        .filter_map(|number| of.entry(*number))
        .map(|entry| context.player(entry.player))
        .collect();
    let button = Button::of_form(context.t.get("desk-seed"), Fields::default()).then(here).in_place_of(&list);
    Some((button, names.join("\n")))
}

#[derive(Debug)]
pub struct EntryPage {
    pub t: Locale,
    pub frame: Frame,
    pub desk: Heading,
    /// The list of entries it belongs to.
    pub list: Link,
    /// Its address, without a preview.
    pub sheet: String,
    pub name: String,
    /// Its number, and remarks on its state.
    pub marks: Vec<String>,
    /// Its matches, the newest first.
    pub matches: Vec<MatchLine>,
    pub owes: Option<String>,
    /// Acts that need no preview.
    pub buttons: Vec<Button>,
    /// The form that joins side pools: the button, and the pools.
    pub pools: Option<(Button, Vec<Choice>)>,
    /// The form that gives the entry a slot by hand: the button, and the slots.
    pub seat: Option<(Button, Vec<Choice>)>,
    /// Links to acts that are previewed first.
    pub ways: Vec<Link>,
    /// The chosen act of these, and its effect.
    pub preview: Option<(String, Preview)>,
    /// Why that act is refused.
    pub wrong: Option<String>,
}

/// The ways in which an entry leaves. Each is previewed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    Now,
    /// It leaves after its present match.
    AfterMatch,
    Disqualify,
}

impl Leave {
    const ALL: [Self; 3] = [Self::Now, Self::AfterMatch, Self::Disqualify];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Now => "now",
            Self::AfterMatch => "after",
            Self::Disqualify => "disqualify",
        }
    }

    /// The way with this name in addresses.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|leave| leave.name() == name)
    }

    /// The label: what will be recorded.
    #[must_use]
    pub fn label(self, t: &Locale, name: &str) -> String {
        t.with(
            match self {
                Self::Now => "desk-leave-now",
                Self::AfterMatch => "desk-leave-after",
                Self::Disqualify => "desk-disqualify",
            },
            "name",
            name,
        )
    }

    #[must_use]
    pub const fn command(self, division: DivisionNo, entry: EntryNo) -> Command {
        match self {
            Self::Now => Command::Withdraw { division, entry, when: When::Now },
            Self::AfterMatch => Command::Withdraw { division, entry, when: When::AfterMatch },
            Self::Disqualify => Command::Disqualify { division, entry },
        }
    }
}

impl EntryPage {
    /// The sheet of an entry. `None` if there is no such entry.
    #[must_use]
    pub fn new(
        context: &DirectorContext<'_>,
        frame: Frame,
        desk: Heading,
        number: DivisionNo,
        entry_number: EntryNo,
    ) -> Option<Self> {
        let t = context.t;
        let of = context.state.division(number)?;
        let entry = of.entry(entry_number)?;
        let name = context.player(entry.player);
        let here = context.address(&format!("{}/{}", below(number), entry_number.0));
        let mut matches: Vec<MatchLine> = of
            .bracket
            .path(entry_number)
            .map(|(at, _)| now::outcome_line(context, MatchRef { division: number, number: at }))
            .collect();
        matches.reverse();
        let mut all_marks = vec![t.with("entry-number", "number", entry_number.0)];
        all_marks.extend(marks(context, of, entry));
        let out = entry.standing.is_out();
        let may_leave = context.may(CommandKind::Withdraw) && !out;
        let leave =
            |leave: Leave| Link::new(format!("{here}?leave={}#confirm", leave.name()), leave.label(t, &name));
        let after = of.current(entry_number).is_some();
        let ways = Leave::ALL.into_iter().filter(|way| *way != Leave::AfterMatch || after);
        Some(Self {
            t: *t,
            frame,
            list: Link::new(context.address(&below(number)), t.get("desk-entries")),
            marks: all_marks,
            matches,
            owes: owes(context, entry).filter(|_| context.state.account(entry.player) > 0),
            buttons: buttons(context, number, of, entry_number, entry, &here),
            pools: pools(context, number, of, entry_number, entry, &here),
            seat: seat(context, number, of, entry_number, &here),
            ways: if may_leave { ways.map(leave).collect() } else { Vec::new() },
            preview: None,
            wrong: None,
            sheet: here,
            name,
            desk,
        })
    }
}

/// The acts on an entry that need no preview: money first, then whatever would not be refused.
fn buttons(
    context: &DirectorContext<'_>,
    division: DivisionNo,
    of: &Division,
    number: EntryNo,
    entry: &Entry,
    here: &str,
) -> Vec<Button> {
    let (t, name) = (context.t, context.player(entry.player));
    let acts = context.state.acts_of_entry(division, number, context.now);
    let may = |act: EntryAct, needed: CommandKind| acts.contains(&act) && context.may(needed);
    let button = |key: &str, command: &Command| Button::new(t.with(key, "name", &name), command).then(here);
    let check = Command::CheckIn { division, entries: vec![number], here: !entry.checked_in };
    let checks = may(EntryAct::CheckIn, CommandKind::CheckIn);
    let check_key = if entry.checked_in { "desk-check-out" } else { "desk-check-in" };
    let back = Command::Reinstate { division, entry: number };
    let comes_back =
        of.entry_of(entry.player) == Some(number) && may(EntryAct::Reinstate, CommandKind::Reinstate);
    // A player who still plays in a consolation would give that up by re-entering. They have to leave first,
    // which shows the effect.
    let again = Command::ReEnter { division, entry: number };
    let enters = of.current(number).is_none() && may(EntryAct::ReEnter, CommandKind::ReEnter);
    let waits = enters && context.state.would_wait_again(division, number, context.now);
    let again_key = if waits { "desk-re-enter-waits" } else { "desk-re-enter" };
    let lot = Command::SeatByLot { division, entries: vec![number] };
    let by_lot = may(EntryAct::SeatByLot, CommandKind::SeatByLot);
    let acts = [
        (by_lot, "desk-seat-by-lot", lot),
        (checks, check_key, check),
        (comes_back, "desk-reinstate", back),
        (enters, again_key, again),
    ];
    let acts = acts.iter().filter(|(is, ..)| *is).map(|(_, key, command)| button(key, command));
    settles(context, entry.player, here).map(Button::main).into_iter().chain(acts).collect()
}

/// What the form for an entry's side pools is made from: those that it has joined, and all that there are.
#[must_use]
pub fn pools_of_form<'a>(of: &'a Division, entry: &Entry) -> (Vec<u8>, &'a [SidePool]) {
    ((0..8).filter(|pool| entry.is_in_pool(*pool)).collect(), &of.settings.side_pools)
}

fn pools(
    context: &DirectorContext<'_>,
    division: DivisionNo,
    of: &Division,
    number: EntryNo,
    entry: &Entry,
    here: &str,
) -> Option<(Button, Vec<Choice>)> {
    let currency = context.state.about().and_then(|about| about.currency)?;
    let offered = !of.settings.side_pools.is_empty() && context.state.may_join_pools(division, number);
    if !offered || !context.may(CommandKind::JoinPools) {
        return None;
    }
    let choice = |(pool, side): (u8, &SidePool)| {
        Choice::new(pool.to_string(), pool_label(context, side, currency), entry.is_in_pool(pool))
    };
    let choices = (0..8).zip(&of.settings.side_pools).map(choice).collect();
    let command = Command::JoinPools { division, entry: number, side_pools: Vec::new() };
    let button = Button::new(context.t.get("desk-join-pools"), &command).then(here);
    Some((button.in_place_of(&pools_of_form(of, entry)), choices))
}

/// The form that gives a waiting entry one of the free slots of the first round.
fn seat(
    context: &DirectorContext<'_>,
    division: DivisionNo,
    of: &Division,
    number: EntryNo,
    here: &str,
) -> Option<(Button, Vec<Choice>)> {
    if !context.may(CommandKind::Seat) {
        return None;
    }
    // Those of the main flight: of other flights the players are not named here.
    let free = context.state.free_places(division, number, context.now).filter_map(|place| {
        let found = of.bracket.get(place.number).filter(|found| found.flight == 0)?;
        let against = words::in_slot(context, of, found, place.slot.other());
        let label = context.t.fill("desk-place-against", &[("match", &place.number.0), ("name", &against)]);
        let fields = Fields::default().with("match", &place.number).with("slot", &place.slot);
        Some(Choice::new(fields.choice(), label, false))
    });
    let choices: Vec<Choice> = free.take(MOST_SLOTS).collect();
    let to_seat = Fields::lacking(CommandKind::Seat).with("division", &division).with("entry", &number);
    let button = Button::of_form(context.t.get("desk-seat"), to_seat).then(here);
    (!choices.is_empty()).then_some((button, choices))
}
