//! The front page of the director's desk: what has to be done next.
//!
//! It lists the matches that are ready, in progress, reported and over, each line with its one next act.
//! Above the lists the single most urgent thing stands in large letters.

use crate::pages::button::Button;
use chrono::TimeDelta;

use super::payments::is_given_otherwise;
use super::words;
use super::{DirectorContext, Heading, Link};
use crate::pages::{Fields, Frame};
use owlbox_base::values::{MinorUnits, Timestamp};
use owlbox_books::club::meant::Search;
use owlbox_locale::Locale;
use owlbox_play::matches::Slot;
use owlbox_play::matches::score::Length;
use owlbox_play::tournament::command::{Ended, WaitingEntry};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::ending::BeforeClosing;
use owlbox_play::tournament::entry::EntryStanding;
use owlbox_play::tournament::legal::MatchAct;
use owlbox_play::tournament::queue::{Queue, Task};
use owlbox_play::tournament::room::{DivisionNo, MatchRef, TableNo};
use owlbox_play::tournament::settings::Fees;
use owlbox_play::tournament::{Command, CommandKind, Tournament};

/// The most lines shown of a list.
pub const MOST_LINES: usize = 60;
const MOST_LATEST: usize = 8;
/// From this many lines on, the page offers a search for a player or a table.
const MOST_READ: usize = 8;

/// The average time of a match, in minutes for each point.
pub(super) const MINUTES_A_POINT: i64 = 8;

#[derive(Debug)]
pub struct NowPage {
    pub t: Locale,
    pub frame: Frame,
    pub desk: Heading,
    pub next: Next,
    /// Matches that wait for a table.
    pub ready: List,
    /// Why none of them can be called to a table now.
    pub no_table: Option<String>,
    /// Matches that are called or in progress.
    pub playing: List,
    /// Matches whose players have reported a result.
    pub reported: List,
    /// Matches to be called later.
    pub postponed: List,
    /// Finished matches, the latest result first.
    pub latest: List,
    /// Calls the next matches to the free tables. `None` where `next` already does.
    pub call_next: Option<Button>,
    /// The text of the search. `None` while the lists are short.
    pub find: Option<String>,
    /// Other things to do, of no urgency.
    pub besides: Vec<Link>,
    /// Closes the tournament, or reopens it.
    pub end: Option<Button>,
    /// The questions to answer before it closes.
    pub closing: Option<Closing>,
}

/// The questions before a tournament closes: whose fees are refunded, and which prizes were not paid out.
#[derive(Clone, Debug)]
pub struct Closing {
    /// The entries that waited for a slot to the end: the value in the form, and the label with the refund.
    pub waiting: Vec<(String, String)>,
    /// The prizes that were not given, division by division.
    pub prizes: Vec<String>,
    pub button: Button,
}

/// The most urgent thing to do.
#[derive(Clone, Debug, Default)]
pub struct Next {
    pub what: String,
    pub about: Option<String>,
    pub link: Option<Link>,
    pub button: Option<Button>,
}

#[derive(Clone, Debug, Default)]
pub struct List {
    /// The first lines of the list.
    pub lines: Vec<MatchLine>,
    /// The number of all lines.
    pub all: usize,
}

impl List {
    fn new(lines: impl Iterator<Item = MatchLine>, all: usize) -> Self {
        Self { lines: lines.take(MOST_LINES).collect(), all }
    }

    /// How many lines are not shown, in words.
    #[must_use]
    pub fn more(&self, t: &Locale) -> Option<String> {
        let more = self.all.saturating_sub(self.lines.len());
        (more > 0).then(|| t.count("desk-more", &more))
    }
}

/// A match in a list, with its one next act.
#[derive(Clone, Debug)]
pub struct MatchLine {
    /// The `id` of its element.
    pub id: String,
    /// The number of its table, if it has been called.
    pub table: Option<u16>,
    pub names: [String; 2],
    /// The place of the match in the tournament.
    pub place: String,
    pub sheet: String,
    /// How long it has waited or been in progress; for a finished one its outcome.
    pub aside: String,
    /// Whether something is amiss: it takes longer than planned, or the players' reports differ.
    pub late: bool,
    /// What can be done now.
    pub buttons: Vec<Button>,
    /// Where its result is entered or corrected, if that is the next act.
    pub link: Option<Link>,
}

/// The matches of the page, list by list.
#[derive(Clone, Debug, Default)]
pub struct MatchLists {
    ready: Vec<MatchRef>,
    playing: Vec<MatchRef>,
    postponed: Vec<MatchRef>,
    latest: Vec<MatchRef>,
    find: String,
    /// The room they are taken from, with the matches that were reported.
    queue: Queue,
}

impl MatchLists {
    /// The lists of a tournament at this time.
    #[must_use]
    pub fn new(state: &Tournament, now: Timestamp) -> Self {
        let queue = state.queue(now);
        // A reported match waits for the director, so it stands in that list alone.
        let mut postponed = queue.not_reported(&queue.postponed);
        postponed.retain(|at| !state.may_be_called(*at, now));
        Self {
            ready: queue.not_reported(&queue.ready),
            playing: by_table(state, queue.not_reported(&queue.playing)),
            postponed,
            latest: state.latest(MOST_LATEST),
            find: String::new(),
            queue,
        }
    }

    /// The matches whose players need names: the first of each list, or all of them for a search.
    #[must_use]
    pub fn with_players_named(&self, find: &str) -> Vec<MatchRef> {
        let most = if find.is_empty() { MOST_LINES } else { usize::MAX };
        let lists = [&self.ready, &self.playing, &self.queue.reported, &self.postponed, &self.latest];
        lists.into_iter().flat_map(|list| list.iter().take(most)).copied().collect()
    }

    /// The lists reduced to matches of a player, or at a table, that fits the search.
    #[must_use]
    pub fn found(mut self, context: &DirectorContext<'_>, find: &str) -> Self {
        let wanted = Search::new(find);
        let has = |at: &MatchRef| wanted.finds(&line(context, *at).sought());
        let lists = [
            &mut self.ready,
            &mut self.playing,
            &mut self.queue.reported,
            &mut self.postponed,
            &mut self.latest,
        ];
        lists.into_iter().for_each(|list| list.retain(has));
        Self { find: find.to_owned(), ..self }
    }

    /// Whether a search is on, or the lists are long enough to need one.
    fn is_long(&self) -> bool {
        let lists = [&self.ready, &self.playing, &self.queue.reported, &self.postponed];
        !self.find.is_empty() || lists.into_iter().map(Vec::len).sum::<usize>() > MOST_READ
    }
}

/// These matches in order of their tables, as somebody meets them who walks through the room.
fn by_table(state: &Tournament, mut matches: Vec<MatchRef>) -> Vec<MatchRef> {
    matches.sort_by_key(|at| state.room.calls.get(at).map(|call| call.table));
    matches
}

impl NowPage {
    /// The page with its `whole` lists, or with what a search finds in them. The most urgent thing is worked
    /// out from the whole. During a search no button acts on matches that are not shown.
    #[must_use]
    pub fn new(
        context: &DirectorContext<'_>,
        frame: Frame,
        desk: Heading,
        whole: &MatchLists,
        find: &str,
    ) -> Self {
        let found = (!find.is_empty()).then(|| whole.clone().found(context, find));
        let shown = found.as_ref().unwrap_or(whole);
        let free = free_tables(context);
        let mut tables = free.iter();
        let ready: Vec<MatchLine> = shown
            .ready
            .iter()
            .take(MOST_LINES)
            .map(|at| ready_line(context, *at, tables.next().copied()))
            .collect();
        let playing = shown.playing.iter().map(|at| playing_line(context, *at));
        let reported = shown.queue.reported.iter().map(|at| reported_line(context, *at));
        let postponed = shown.postponed.iter().map(|at| postponed_line(context, *at));
        let latest = shown.latest.iter().map(|at| outcome_line(context, *at));
        let closing = closing(context);
        let mut next = next(context, whole, free.len());
        let mut calls = call_next(context, whole, free.len()).filter(|_| next.button.is_none());
        if found.is_some() {
            (next.button, calls) = (None, None);
            let whole = Link::new(context.address(""), context.t.get("desk-see-all"));
            next.link.get_or_insert(whole);
        }
        Self {
            t: *context.t,
            frame,
            next,
            call_next: calls,
            find: shown.is_long().then(|| shown.find.clone()),
            latest: List::new(latest, shown.latest.len()),
            no_table: (free.is_empty() && !shown.ready.is_empty()).then(|| no_table(context)),
            ready: List { lines: ready, all: shown.ready.len() },
            playing: List::new(playing, shown.playing.len()),
            reported: List::new(reported, shown.queue.reported.len()),
            postponed: List::new(postponed, shown.postponed.len()),
            besides: besides(context),
            end: end(context).filter(|_| closing.is_none()),
            closing,
            desk,
        }
    }
}

/// The tables that are open and empty, lowest first.
fn free_tables(context: &DirectorContext<'_>) -> Vec<TableNo> {
    context.state.room.free_tables().take(MOST_LINES * 4).collect()
}

fn id(at: MatchRef) -> String {
    format!("m{}-{}", at.division.0, at.number.0)
}

fn line(context: &DirectorContext<'_>, at: MatchRef) -> MatchLine {
    MatchLine {
        id: id(at),
        table: context.state.room.calls.get(&at).map(|call| call.table.0),
        names: words::pair(context, at),
        place: words::place(context, at),
        sheet: context.match_path(at),
        aside: String::new(),
        late: false,
        buttons: Vec::new(),
        link: None,
    }
}

impl MatchLine {
    /// The text a search looks in: the players and the table.
    #[must_use]
    pub fn sought(&self) -> String {
        let table = self.table.map(|table| table.to_string());
        self.names.iter().cloned().chain(table).collect::<Vec<_>>().join(" ")
    }
}

/// The link to the page where the result of a match is entered.
fn result_link(context: &DirectorContext<'_>, at: MatchRef) -> Option<Link> {
    context.may(CommandKind::Result).then(|| Link::new(context.match_path(at), context.t.get("desk-result")))
}

/// A match with its outcome and the link to correct it, or with its present state.
#[must_use]
pub(super) fn outcome_line(context: &DirectorContext<'_>, at: MatchRef) -> MatchLine {
    let base = line(context, at);
    let outcome = context.state.division(at.division).and_then(|of| of.bracket.get(at.number)?.outcome);
    let acts = context.state.match_acts(at);
    let correct = acts.contains(&MatchAct::Correct) && context.may(CommandKind::Correct);
    let link = if correct {
        Some(Link::new(format!("{}/correct", base.sheet), context.t.get("desk-correct")))
    } else {
        result_link(context, at).filter(|_| acts.contains(&MatchAct::Result))
    };
    let said = outcome.map(|outcome| words::outcome(context, &base.names, outcome));
    let aside = said.or_else(|| words::going(context, at)).unwrap_or_default();
    MatchLine { aside, link, ..base }
}

fn minutes(context: &DirectorContext<'_>, since: Timestamp) -> i64 {
    (context.now.utc() - since.utc()).max(TimeDelta::zero()).num_minutes()
}

fn ready_line(context: &DirectorContext<'_>, at: MatchRef, free: Option<TableNo>) -> MatchLine {
    let since = context.state.room.ready_since.get(&at).copied();
    let waits = since.map(|since| context.t.with("desk-waits", "minutes", minutes(context, since)));
    let call = context.may(CommandKind::Call).then_some(free).flatten();
    let call = call.map(|table| {
        let (division, number) = (at.division, at.number);
        let command = Command::Call { division, number, table: Some(table) };
        Button::new(context.t.with("desk-call-to", "table", table.0), &command).then(context.address(""))
    });
    MatchLine {
        aside: waits.unwrap_or_default(),
        buttons: call.into_iter().collect(),
        link: result_link(context, at).filter(|_| free.is_none()),
        ..line(context, at)
    }
}

fn playing_line(context: &DirectorContext<'_>, at: MatchRef) -> MatchLine {
    let Some(call) = context.state.room.calls.get(&at) else { return line(context, at) };
    let length = length(context, at).map_or(7, Length::points);
    let planned = MINUTES_A_POINT * i64::from(length);
    let played = minutes(context, call.began_at.unwrap_or(call.called_at));
    let late = played > planned;
    let (key, buttons) = match call.began_at {
        Some(_) if late => ("desk-plays-late", Vec::new()),
        Some(_) => ("desk-plays", Vec::new()),
        None if context.may(CommandKind::Begin) => {
            let command = Command::Begin { division: at.division, number: at.number };
            (
                "desk-called",
                vec![Button::new(context.t.get("desk-begin"), &command).then(context.address("")).quiet()],
            )
        }
        None => ("desk-called", Vec::new()),
    };
    let aside = context.t.fill(key, &[("minutes", &played), ("planned", &planned)]);
    MatchLine { aside, late, buttons, link: result_link(context, at), ..line(context, at) }
}

fn length(context: &DirectorContext<'_>, at: MatchRef) -> Option<Length> {
    let division = context.state.division(at.division)?;
    Some(division.length(division.bracket.get(at.number)?))
}

/// A match with reports: of one player only, or of both and different.
fn reported_line(context: &DirectorContext<'_>, at: MatchRef) -> MatchLine {
    let base = line(context, at);
    let said = context.state.division(at.division).and_then(|of| of.reports.get(&at.number).copied());
    let [upper, lower] = said.unwrap_or_default();
    let both = upper.is_some() && lower.is_some();
    let confirm = |(by, points): (usize, Option<[u16; 2]>)| {
        let points = points?;
        let winner = if points[0] > points[1] { Slot::Upper } else { Slot::Lower };
        let sentence = words::outcome(
            context,
            &base.names,
            owlbox_play::matches::Outcome {
                winner: Some(winner),
                ending: owlbox_play::matches::Ending::Played,
                score: Some(points),
            },
        );
        let command = Command::Result {
            division: at.division,
            number: at.number,
            ended: Ended::Played { score: points },
            players: context.sit(at),
            withdraws: Vec::new(),
        };
        let label = context.t.fill("desk-confirm", &[("who", &base.names[by]), ("what", &sentence)]);
        Some(Button::new(label, &command).then(context.address("")))
    };
    let buttons: Vec<Button> = [(0, upper), (1, lower)].into_iter().filter_map(confirm).collect();
    let key = if both { "desk-differ" } else { "desk-one-said" };
    MatchLine {
        aside: context.t.get(key),
        late: both,
        buttons: if context.may(CommandKind::Result) { buttons } else { Vec::new() },
        ..base
    }
}

fn postponed_line(context: &DirectorContext<'_>, at: MatchRef) -> MatchLine {
    let until = context.state.room.postponed.get(&at).copied().flatten();
    let aside = until.map_or_else(
        || context.t.get("desk-postponed"),
        |until| context.t.with("desk-postponed-until", "time", context.t.time(&until)),
    );
    let command = Command::Resume { division: at.division, number: at.number };
    let resume = Button::new(context.t.get("desk-resume"), &command).then(context.address(""));
    let may = context.may(CommandKind::Resume);
    MatchLine { aside, buttons: if may { vec![resume] } else { Vec::new() }, ..line(context, at) }
}

/// The most urgent thing to do, in words and with what does it.
fn next(context: &DirectorContext<'_>, whole: &MatchLists, free: usize) -> Next {
    let t = context.t;
    let says = |key: &str| Next { what: t.get(key), ..Next::default() };
    let linked =
        |key: &str, to: String, label: &str| Next { link: Some(Link::new(to, t.get(label))), ..says(key) };
    match context.state.task(&whole.queue, |command| context.may(command)) {
        Task::Cancelled { reason } => Next { about: Some(reason.to_string()), ..says("desk-next-cancelled") },
        Task::Closed {} => says("desk-next-over"),
        Task::Rule { matches } => Next {
            what: t.count("desk-next-differ", &matches),
            about: Some(t.get("desk-next-differ-about")),
            ..Next::default()
        },
        Task::AddDivision {} => {
            linked("desk-next-division", context.address("/new-division"), "desk-add-division")
        }
        Task::Call { matches, tables } => {
            next_to_call(context, matches, tables, call_next(context, whole, free))
        }
        Task::Enter { division } => Next {
            what: in_division(context, division, "desk-next-enter", "desk-next-enter-in"),
            link: Some(Link::new(
                context.address(&format!("/{}/entries", division.0)),
                t.get("desk-add-players"),
            )),
            ..Next::default()
        },
        Task::Draw { division, entries, checked_in } => Next {
            what: in_division(context, division, "desk-next-draw", "desk-next-draw-in"),
            about: Some(t.fill("desk-next-draw-about", &[("here", &checked_in), ("all", &entries)])),
            link: Some(Link::new(context.address(&format!("/{}/draw", division.0)), t.get("desk-to-draw"))),
            button: None,
        },
        Task::Confirm { matches } => {
            Next { what: t.count("desk-next-reported", &matches), ..Next::default() }
        }
        Task::Wait { matches } => Next { what: t.count("desk-next-playing", &matches), ..Next::default() },
        Task::Award { division: _ } => linked("desk-next-award", context.address("/money"), "desk-money"),
        Task::Close {} if closing(context).is_some() => {
            linked("desk-next-all-played", "#closing".to_owned(), "desk-close")
        }
        Task::Close {} => Next { button: end(context).map(Button::main), ..says("desk-next-all-played") },
        Task::Nothing {} => says("desk-next-nothing"),
    }
}

/// A sentence about a division, which it names where there are several.
fn in_division(context: &DirectorContext<'_>, division: DivisionNo, alone: &str, named: &str) -> String {
    let name = words::division(context, division);
    if name.is_empty() { context.t.get(alone) } else { context.t.with(named, "name", &name) }
}

fn next_to_call(
    context: &DirectorContext<'_>,
    matches: usize,
    tables: usize,
    button: Option<Button>,
) -> Next {
    let t = context.t;
    let what = t.count("desk-next-ready", &matches);
    if tables == 0 {
        let no_tables = context.state.room.tables.is_empty();
        let room = Link::new(context.address("/room"), t.get("desk-set-tables"));
        return Next {
            what,
            about: Some(no_table(context)),
            link: Some(room).filter(|_| no_tables && context.may(CommandKind::SetTables)),
            button: None,
        };
    }
    Next { what, about: Some(t.count("desk-free-tables", &tables)), button, link: None }
}

/// Why no match can be called while no table is free.
fn no_table(context: &DirectorContext<'_>) -> String {
    let no_tables = context.state.room.tables.is_empty();
    context.t.get(if no_tables { "desk-no-tables" } else { "desk-no-free-table" })
}

/// Calls the matches that have waited longest to the free tables.
fn call_next(context: &DirectorContext<'_>, shown: &MatchLists, free: usize) -> Option<Button> {
    let calls = free.min(shown.ready.len()).min(1_000);
    let may = context.may(CommandKind::CallNext) && calls > 0;
    let command = Command::CallNext { matches: u16::try_from(calls).unwrap_or(1_000) };
    let label = context.t.count("desk-call-next", &calls);
    may.then(|| Button::new(label, &command).then(context.address("")).main())
}

/// Links to other things that are open.
fn besides(context: &DirectorContext<'_>) -> Vec<Link> {
    let (t, mut links) = (context.t, besides_of_money(context));
    if context.state.closed_at.is_some() {
        return links;
    }
    let changes = context.may(CommandKind::ChangeDivision);
    for (number, of) in context.state.divisions() {
        let entries = context.address(&format!("/{}/entries", number.0));
        let name = words::division(context, number);
        let named = |text: String| if name.is_empty() { text } else { context.t.labelled(&name, text) };
        let in_money = context.state.about().is_some_and(|about| about.currency.is_some());
        if in_money && !of.is_drawn() && of.settings.fees == Fees::default() && changes {
            let settings = context.address(&format!("/{}/settings", number.0));
            links.push(Link::new(settings, named(t.get("desk-no-fees"))));
        }
        let waiting = of.entries().filter(|(_, entry)| entry.standing == EntryStanding::Waiting).count();
        if waiting > 0 {
            links.push(Link::new(
                format!("{entries}?show=waiting"),
                named(t.count("desk-waiting-entries", &waiting)),
            ));
        }
        let missing = not_here(of);
        if missing > 0 {
            links.push(Link::new(
                format!("{entries}?show=missing"),
                named(t.count("desk-not-here", &missing)),
            ));
        }
    }
    links
}

/// Debts, and prizes that differ from those due. They matter even after the end.
fn besides_of_money(context: &DirectorContext<'_>) -> Vec<Link> {
    let (t, money) = (context.t, context.address("/money"));
    let mut links = Vec::new();
    let otherwise = context.state.divisions().any(|(_, of)| is_given_otherwise(of));
    if otherwise && context.may(CommandKind::Award) {
        links.push(Link::new(money.clone(), t.get("desk-prizes-differ")));
    }
    let owe = context.state.accounts().filter(|(_, amount)| *amount < 0).count();
    if owe > 0 && context.may(CommandKind::PayIn) {
        links.push(Link::new(money.clone(), t.count("desk-owe", &owe)));
    }
    let owed = context.state.accounts().filter(|(_, amount)| *amount > 0).count();
    if owed > 0 && context.state.cancelled.is_some() && context.may(CommandKind::PayOut) {
        links.push(Link::new(money, t.count("desk-owed-back", &owed)));
    }
    links
}

/// How many players of a division that is not drawn yet have not checked in.
fn not_here(of: &Division) -> usize {
    if of.is_drawn() {
        return 0;
    }
    of.entries().filter(|(_, entry)| !entry.standing.is_out() && !entry.checked_in).count()
}

/// Closes the tournament once everything is played, or reopens it.
fn end(context: &DirectorContext<'_>) -> Option<Button> {
    let here = context.address("");
    if context.state.closed_at.is_some() {
        let may = context.may(CommandKind::Reopen) && context.state.cancelled.is_none();
        return may.then(|| Button::new(context.t.get("desk-reopen"), &Command::Reopen {}).then(here));
    }
    let over = context.state.divisions().all(|(_, of)| of.is_drawn() && of.undecided == 0);
    let may = context.may(CommandKind::Close) && over && context.state.divisions().len() > 0;
    may.then(|| {
        Button::new(context.t.get("desk-close"), &Command::Close { keep: Vec::new(), reason: None })
            .then(here)
    })
}

/// The questions before it closes. `None` if there are none.
fn closing(context: &DirectorContext<'_>) -> Option<Closing> {
    let button = end(context).filter(|_| context.state.closed_at.is_none())?;
    let currency = context.state.about()?.currency?;
    let BeforeClosing { waiting, prizes_not_given } = context.state.before_closing();
    if waiting.is_empty() && prizes_not_given.is_empty() {
        return None;
    }
    let t = context.t;
    let much = |amount: i64| t.how_much(MinorUnits(amount), currency);
    let waiting = waiting.iter().enumerate().map(|(place, fees)| {
        let amount = much(i64::try_from(fees.fees).unwrap_or(i64::MAX));
        let name = context.player(fees.player);
        let label = t.fill("desk-closing-waited", &[("name", &name), ("amount", &amount)]);
        let kept = WaitingEntry { division: fees.division, entry: fees.entry };
        (Fields::default().with(&format!("keep[{place}]"), &kept).choice(), label)
    });
    let prizes = prizes_not_given.iter().filter_map(|missing| {
        let name = context.state.division(missing.division)?.settings.name.to_string();
        let key = if missing.amount > 0 { "desk-closing-not-given" } else { "desk-closing-given-too-much" };
        Some(t.fill(key, &[("division", &name), ("amount", &much(missing.amount.saturating_abs()))]))
    });
    Some(Closing { waiting: waiting.collect(), prizes: prizes.collect(), button })
}
