//! The front page of the desk: what has to be done next.
//!
//! It lists the matches that are ready, in progress, reported and over, each line with its one next act.
//! Above the lists the single most urgent thing stands in large letters.

use actix_web::HttpResponse;
use chrono::TimeDelta;

use super::act::takes_acts;
use super::entries::LookQuery;
use super::frame::{Act, DeskFrame, on_the_desk};
use super::money::is_given_otherwise;
use crate::pages::button::Button;
use crate::pages::{Fields, Frame, LivePage as _};
use crate::sentences::tournament::TournamentSentences;
use crate::visitor::Visitor;
use owlbox_base::values::{Timestamp, TournamentId};
use owlbox_books::club::meant::Search;
use owlbox_desk::tournaments::TournamentScreen;
use owlbox_http::problem::Problem;
use owlbox_locale::url::encoded;
use owlbox_play::tournament::command::{MatchEnded, WaitingEntry};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::ending::{BeforeClosing, PrizesNotGiven, WaitingFees};
use owlbox_play::tournament::entry::EntryStanding;
use owlbox_play::tournament::legal::MatchAct;
use owlbox_play::tournament::queue::{Queue, Task};
use owlbox_play::tournament::room::{DivisionNo, MatchRef, Room, TableNo};
use owlbox_play::tournament::settings::Fees;
use owlbox_play::tournament::{Command, CommandKind, Tournament};

/// The most lines shown of a list.
const MOST_LINES: usize = 60;
const MOST_LATEST: usize = 8;
/// From this many lines on, the page offers a search for a player or a table.
const MOST_READ: usize = 8;

/// The average time of a match, in minutes for each point.
pub(super) const MINUTES_A_POINT: i64 = 8;

/// The whole minutes from one moment to another; none if that comes first.
pub(super) fn minutes_between(from: Timestamp, to: Timestamp) -> i64 {
    (to.utc() - from.utc()).max(TimeDelta::zero()).num_minutes()
}

/// `/tournaments/{id}/desk`
#[derive(Debug)]
pub(super) struct NowPage<'a> {
    pub t: TournamentSentences<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub desk: DeskFrame<'a>,
    /// The most urgent thing to do, whatever is searched for.
    pub task: Task,
    /// All matches, or those that a search found.
    pub lists: MatchLists,
    /// What is searched for. During a search no button acts on matches that are not shown.
    pub find: &'a str,
    /// The tables that are open and empty, lowest first.
    pub free: Vec<TableNo>,
    /// What is asked before it closes. `None` while it cannot be closed, or if there is nothing to ask.
    pub closing: Option<BeforeClosing>,
}
on_the_desk! { NowPage<'a>: "directing/now.html" }

/// The matches of the page, each in one list.
#[derive(Clone, Debug)]
pub(super) struct MatchLists {
    /// Those that wait for a table.
    pub ready: Vec<MatchRef>,
    /// Those called or in progress, in order of their tables, as somebody meets them who walks through the
    /// room.
    pub playing: Vec<MatchRef>,
    /// Those whose players have reported a result: they wait for the director.
    pub reported: Vec<MatchRef>,
    /// Those to be called later.
    pub postponed: Vec<MatchRef>,
    /// Those that are over, the latest result first.
    pub latest: Vec<MatchRef>,
}

impl MatchLists {
    /// The lists of a tournament at this time, whose room this is.
    pub fn new(state: &Tournament, room: &Queue, now: Timestamp) -> Self {
        let mut postponed = room.not_reported(&room.postponed);
        postponed.retain(|at| !state.may_be_called(*at, now));
        let mut playing = room.not_reported(&room.playing);
        playing.sort_by_key(|at| state.room.calls.get(at).map(|call| call.table));
        Self {
            ready: room.not_reported(&room.ready),
            playing,
            reported: room.reported.clone(),
            postponed,
            latest: state.latest(MOST_LATEST),
        }
    }

    /// The matches whose players need names: the first of each list, or all of them for a search.
    fn with_players_named(&self, find: &str) -> Vec<MatchRef> {
        let most = if find.is_empty() { MOST_LINES } else { usize::MAX };
        let Self { ready, playing, reported, postponed, latest } = self;
        let lists = [ready, playing, reported, postponed, latest];
        lists.into_iter().flat_map(|list| list.iter().take(most)).copied().collect()
    }

    /// Reduces the lists to matches of a player, or at a table, that fits the search.
    fn find(&mut self, t: &TournamentSentences<'_>, find: &str) {
        let wanted = Search::new(find);
        let Self { ready, playing, reported, postponed, latest } = self;
        for list in [ready, playing, reported, postponed, latest] {
            list.retain(|at| wanted.finds(&t.sought(at)));
        }
    }
}

takes_acts!(TournamentId, LookQuery);

/// The current desk, whole or only its live part.
async fn answer(
    visitor: &Visitor,
    id: &TournamentId,
    query: &LookQuery,
    partial: bool,
) -> Result<HttpResponse, Problem> {
    let find = &query.looked().find;
    let sought = find.to_owned();
    let (screen, (room, lists)) = super::screen(visitor, *id, CommandKind::Call, move |looking| {
        let stream = looking.stream();
        let room = stream.state.queue(looking.now());
        let lists = MatchLists::new(&stream.state, &room, looking.now());
        looking.name(stream.state.players_in(&lists.with_players_named(&sought)));
        looking.name(stream.state.waiting_with_fees().iter().map(|fees| fees.player));
        Ok((room, lists))
    })
    .await?;
    let here = if find.is_empty() { String::new() } else { format!("?find={}", encoded(find)) };
    let (t, frame, desk) = super::surroundings(visitor, &screen, "desk", &here);
    let page = NowPage::new(t, frame, &screen, desk, &room, lists, find);
    visitor.answer(page.rendered(partial))
}

impl<'a> NowPage<'a> {
    /// The page of a room with these lists, or with what a search finds in them.
    pub fn new(
        t: TournamentSentences<'a>,
        frame: Frame,
        screen: &'a TournamentScreen,
        desk: DeskFrame<'a>,
        room: &Queue,
        mut lists: MatchLists,
        find: &'a str,
    ) -> Self {
        if !find.is_empty() {
            lists.find(&t, find);
        }
        let state = screen.state();
        let task = state.task(room, |command| screen.may(command));
        let free = state.room.free_tables().take(MOST_LINES * 4).collect();
        Self { t, frame, screen, desk, task, lists, find, free, closing: before_closing(screen) }
    }

    /// Whether a search is on, or the lists are long enough to need one.
    fn is_long(&self) -> bool {
        let MatchLists { ready, playing, reported, postponed, latest: _ } = &self.lists;
        let lines: usize = [ready, playing, reported, postponed].into_iter().map(Vec::len).sum();
        !self.find.is_empty() || lines > MOST_READ
    }

    /// The first lines of a list.
    fn lines<'b>(&self, list: &'b [MatchRef]) -> &'b [MatchRef] {
        list.get(..MOST_LINES).unwrap_or(list)
    }

    /// How many lines of a list are not shown, in words.
    fn more(&self, list: &[MatchRef]) -> Option<String> {
        let more = list.len().saturating_sub(MOST_LINES);
        (more > 0).then(|| self.t.count("desk-more", &more))
    }

    /// A button that leads to the whole desk, if the viewer may give its command.
    fn button(&self, label: String, command: &Command) -> Option<Button> {
        let may = self.screen.may(CommandKind::from(command));
        may.then(|| Button::new(label, command).then(self.desk.address("")))
    }

    fn room(&self) -> &Room {
        &self.screen.state().room
    }

    /// How long a match has waited.
    fn waits(&self, at: &MatchRef) -> String {
        let since = self.room().ready_since.get(at);
        since.map_or_else(String::new, |since| self.t.with("desk-waits", "minutes", self.minutes(*since)))
    }

    /// Calls the match at this place of its list to the free table at the same place. Without one its result
    /// is entered.
    fn call(&self, at: &MatchRef, place: &usize) -> Vec<Act> {
        let Some(table) = self.free.get(*place) else { return self.desk.result(at).into_iter().collect() };
        let command = Command::Call { division: at.division, number: at.number, table: Some(*table) };
        self.gives(self.t.with("desk-call-to", "table", table.0), &command)
    }

    fn gives(&self, label: String, command: &Command) -> Vec<Act> {
        self.button(label, command).map(Act::Gives).into_iter().collect()
    }

    /// How long a match has been called or in progress, beside the time planned for it.
    fn plays(&self, at: &MatchRef) -> String {
        let key = match self.room().calls.get(at) {
            None => return String::new(),
            Some(call) if call.began_at.is_none() => "desk-called",
            Some(_) if self.is_late(at) => "desk-plays-late",
            Some(_) => "desk-plays",
        };
        self.t.fill(key, &[("minutes", &self.played(at)), ("planned", &self.planned(at))])
    }

    /// Whether a match takes longer than planned.
    fn is_late(&self, at: &MatchRef) -> bool {
        self.played(at) > self.planned(at)
    }

    fn played(&self, at: &MatchRef) -> i64 {
        let call = self.room().calls.get(at);
        call.map_or(0, |call| self.minutes(call.began_at.unwrap_or(call.called_at)))
    }

    fn planned(&self, at: &MatchRef) -> i64 {
        let found = self.screen.state().match_at(*at);
        MINUTES_A_POINT * i64::from(found.map_or(7, |(of, found)| of.length(found).points()))
    }

    fn minutes(&self, since: Timestamp) -> i64 {
        minutes_between(since, self.screen.now)
    }

    /// Begins a match that is only called; enters its result.
    fn end_of(&self, at: &MatchRef) -> Vec<Act> {
        let is_called = self.room().calls.get(at).is_some_and(|call| call.began_at.is_none());
        let command = Command::Begin { division: at.division, number: at.number };
        let begin = self.button(self.t.get("desk-begin"), &command).filter(|_| is_called);
        begin.map(|begin| Act::Gives(begin.quiet())).into_iter().chain(self.desk.result(at)).collect()
    }

    /// Whether one player has reported the result of a match, or both and not the same.
    fn reported(&self, at: &MatchRef) -> String {
        self.t.get(if self.screen.state().reports_differ(*at) { "desk-differ" } else { "desk-one-said" })
    }

    /// Confirms the result that a player has reported: a button for each of the two.
    fn confirm(&self, at: &MatchRef) -> Vec<Act> {
        let names = self.t.pair(at);
        let Some((of, found)) = self.screen.state().match_at(*at) else { return Vec::new() };
        let reports = of.reports.get(&at.number).copied().unwrap_or_default();
        let confirm = |(who, score): (&String, Option<[u16; 2]>)| {
            let ended = MatchEnded::Played { score: score? };
            let what = self.t.outcome(&names, &ended.outcome());
            let label = self.t.fill("desk-confirm", &[("who", who), ("what", &what)]);
            let (division, number, players) = (at.division, at.number, found.players());
            let command = Command::Result { division, number, ended, players, withdraws: Vec::new() };
            self.button(label, &command).map(Act::Gives)
        };
        names.iter().zip(reports).filter_map(confirm).collect()
    }

    fn resume(&self, at: &MatchRef) -> Vec<Act> {
        let command = Command::Resume { division: at.division, number: at.number };
        self.gives(self.t.get("desk-resume"), &command)
    }

    /// Calls the matches that have waited longest to the free tables.
    fn call_next(&self) -> Option<Button> {
        let calls = self.free.len().min(self.lists.ready.len()).min(1_000);
        let command = Command::CallNext { matches: u16::try_from(calls).unwrap_or(1_000) };
        let button = self.button(self.t.count("desk-call-next", &calls), &command);
        button.filter(|_| calls > 0 && self.find.is_empty()).map(Button::main)
    }

    /// Why no match can be called while no table is free.
    fn no_table(&self) -> String {
        self.t.get(if self.has_no_tables() { "desk-no-tables" } else { "desk-no-free-table" })
    }

    fn has_no_tables(&self) -> bool {
        self.room().tables.is_empty()
    }

    /// A sentence about a division, which it names where there are several.
    fn in_division(&self, division: &DivisionNo, alone: &str, named: &str) -> String {
        let name = self.t.division(division);
        name.map_or_else(|| self.t.get(alone), |name| self.t.with(named, "name", name))
    }

    /// Links to other things to do, of no urgency: label and address.
    fn besides(&self) -> Vec<(String, String)> {
        let (t, state, mut links) = (&self.t, self.screen.state(), self.besides_of_money());
        if state.closed_at.is_some() {
            return links;
        }
        let has_money = state.currency().is_some() && self.screen.may(CommandKind::ChangeDivision);
        for (division, of) in state.divisions() {
            let mut link = |page: &str, text: String| {
                let text = match state.name_among(of) {
                    Some(name) => t.labelled(name, text),
                    None => text,
                };
                links.push((text, self.desk.of_division(&division, page)));
            };
            if has_money && !of.is_drawn() && of.settings.fees == Fees::default() {
                link("settings", t.get("desk-no-fees"));
            }
            let waiting = of.entries().filter(|(_, entry)| entry.standing == EntryStanding::Waiting).count();
            if waiting > 0 {
                link("entries?show=waiting", t.count("desk-waiting-entries", &waiting));
            }
            let missing = not_here(of);
            if missing > 0 {
                link("entries?show=missing", t.count("desk-not-here", &missing));
            }
        }
        links
    }

    /// Debts, and prizes that differ from those due. They matter even after the end.
    fn besides_of_money(&self) -> Vec<(String, String)> {
        let (t, screen, state) = (&self.t, self.screen, self.screen.state());
        let otherwise = state.divisions().any(|(_, of)| is_given_otherwise(of));
        let owe = state.accounts().filter(|(_, amount)| *amount < 0).count();
        let owed = state.accounts().filter(|(_, amount)| *amount > 0).count();
        let links = [
            (otherwise && screen.may(CommandKind::Award)).then(|| t.get("desk-prizes-differ")),
            (owe > 0 && screen.may(CommandKind::PayIn)).then(|| t.count("desk-owe", &owe)),
            (owed > 0 && state.cancelled.is_some() && screen.may(CommandKind::PayOut))
                .then(|| t.count("desk-owed-back", &owed)),
        ];
        links.into_iter().flatten().map(|label| (label, self.desk.address("/money"))).collect()
    }

    /// Closes the tournament once everything is played, or reopens it.
    fn end(&self) -> Option<Button> {
        let state = self.screen.state();
        if state.closed_at.is_some() {
            let reopen = self.button(self.t.get("desk-reopen"), &Command::Reopen {});
            return reopen.filter(|_| state.cancelled.is_none());
        }
        let command = Command::Close { keep: Vec::new(), reason: None };
        self.button(self.t.get("desk-close"), &command).filter(|_| state.is_played())
    }

    /// The same as the most urgent thing, unless somebody searches: no button acts on what is not shown.
    fn close(&self) -> Option<Button> {
        self.end().filter(|_| self.find.is_empty()).map(Button::main)
    }

    /// What a tick sets that keeps the fees of an entry, the `place`-th of the form.
    fn keeps(&self, place: &usize, fees: &WaitingFees) -> String {
        let kept = WaitingEntry { division: fees.division, entry: fees.entry };
        Fields::default().with(&format!("keep[{place}]"), &kept).choice()
    }

    /// Who waited to the end, with what they would get back.
    fn waited(&self, fees: &WaitingFees) -> String {
        let amount = self.t.in_currency(fees.fees);
        self.t.fill("desk-closing-waited", &[("name", &self.t.name(&fees.player)), ("amount", &amount)])
    }

    fn not_given(&self, missing: &PrizesNotGiven) -> String {
        let division = self.screen.state().division(missing.division).map(|of| of.settings.name.to_string());
        let key = if missing.amount > 0 { "desk-closing-not-given" } else { "desk-closing-given-too-much" };
        let amount = self.t.in_currency(missing.amount.saturating_abs());
        self.t.fill(key, &[("division", &division.unwrap_or_default()), ("amount", &amount)])
    }
}

/// What is asked before the tournament closes, if the viewer may close it now.
fn before_closing(screen: &TournamentScreen) -> Option<BeforeClosing> {
    let state = screen.state();
    let may = screen.may(CommandKind::Close) && state.closed_at.is_none() && state.is_played();
    let asked = state.currency().filter(|_| may).map(|_| state.before_closing())?;
    (!asked.waiting.is_empty() || !asked.prizes_not_given.is_empty()).then_some(asked)
}

/// How many players of a division that is not drawn yet have not checked in.
fn not_here(of: &Division) -> usize {
    let missing = of.entries().filter(|(_, entry)| !entry.standing.is_out() && !entry.checked_in);
    if of.is_drawn() { 0 } else { missing.count() }
}

/// What is said in a line of a list of matches.
impl TournamentSentences<'_> {
    /// The table of a match, if it has been called.
    pub(super) fn table_of(&self, at: &MatchRef) -> Option<u16> {
        self.state.room.calls.get(at).map(|call| call.table.0)
    }

    /// The text a search looks in: the players and the table.
    pub(super) fn sought(&self, at: &MatchRef) -> String {
        let table = self.table_of(at).map(|table| table.to_string());
        self.pair(at).into_iter().chain(table).collect::<Vec<_>>().join(" ")
    }
}

/// What is done in a line of a list of matches.
impl DeskFrame<'_> {
    /// Leads to the page where the result of a match is entered.
    fn result(&self, at: &MatchRef) -> Option<Act> {
        let leads = || Act::Leads { to: self.match_page(at), label: self.t.get("desk-result") };
        self.screen.may(CommandKind::Result).then(leads)
    }

    /// Leads to where the result of a match is corrected, or to where it is entered, if either can be done.
    pub(super) fn corrects(&self, at: &MatchRef) -> Vec<Act> {
        let acts = self.screen.state().match_acts(*at);
        if acts.contains(&MatchAct::Correct) && self.screen.may(CommandKind::Correct) {
            let to = format!("{}/correct", self.match_page(at));
            return vec![Act::Leads { to, label: self.t.get("desk-correct") }];
        }
        self.result(at).filter(|_| acts.contains(&MatchAct::Result)).into_iter().collect()
    }
}
