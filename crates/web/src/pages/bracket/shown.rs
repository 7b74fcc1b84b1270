//! A part of a bracket as columns of matches.

use std::collections::BTreeSet;

use super::path::PathShown;
use super::window::{MOST_IN_A_COLUMN, Room, Window};
use super::words::{ending, flight_name, round_name, to_points};
use super::{Going, Known, View, Zoom};
use crate::locale::Locale;
use crate::pages::frame::{Choice, LivePart};
use owlbox_domain::matches::{Ending, MatchNo, Slot};
use owlbox_domain::tournament::bracket::{EntryNo, Occupant, Pairing, Source};

/// So many players are offered as a list; more are searched for by name.
const MOST_TO_PICK_FROM: usize = 256;

/// How much a page has room for.
pub(super) const PAGE: Room = Room { matches: MOST_IN_A_COLUMN, columns: usize::MAX };

/// A bracket, as much of it as one page shows.
#[derive(Clone, Debug)]
pub struct BracketShown {
    pub view: View,
    pub flights: Vec<FlightTab>,
    /// The rounds; none if nothing is drawn yet.
    pub columns: Vec<Column>,
    /// The sections it falls into, and their last rounds; none if all of it is shown.
    pub sections: Vec<FlightTab>,
    pub sizes: [Option<String>; 2],
    /// Everybody who can be picked; nobody if they are too many to list.
    pub players: Vec<Choice>,
    /// The path of the player who is picked.
    pub path: Option<PathShown>,
    /// What shows it again as soon as it changes; nothing where nobody listens.
    pub live: Option<LivePart>,
    /// Where nobody listens: after so many seconds it is looked at again.
    pub again: Option<u16>,
}

#[derive(Clone, Debug)]
pub struct FlightTab {
    pub name: String,
    pub link: String,
    /// Whether it is the one shown.
    pub chosen: bool,
}

/// How the matches of a column lead to those of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    Halves,
    /// One to one: somebody comes in from elsewhere.
    Straight,
    /// To none that is shown.
    End,
}

impl Joined {
    /// The class it is drawn in.
    #[must_use]
    pub const fn class(self) -> &'static str {
        match self {
            Self::Halves => "halves",
            Self::Straight => "straight",
            Self::End => "end",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Column {
    pub name: String,
    /// To how many points, in words.
    pub length: Option<String>,
    /// How it leads to the next.
    pub joined: Joined,
    /// Its matches, from above.
    pub matches: Vec<MatchShown>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Somebody is not known yet.
    Waiting,
    Ready,
    Called,
    Playing,
    Done,
    /// There was nothing to play.
    Empty,
}

impl State {
    /// The class it is drawn in.
    #[must_use]
    pub const fn class(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Ready => "ready",
            Self::Called => "called",
            Self::Playing => "playing",
            Self::Done => "done",
            Self::Empty => "empty",
        }
    }
}

#[derive(Clone, Debug)]
pub struct MatchShown {
    pub number: MatchNo,
    pub state: State,
    /// The same with its number, for who does not see it.
    pub label: String,
    pub link: Option<String>,
    /// Its slots, upper and lower.
    pub slots: [SlotShown; 2],
    /// What is said below it: the table, how it ended.
    pub strip: Option<String>,
    /// Whether it is on the picked player's path.
    pub on_path: bool,
    /// Whether the player came from a match before it in this flight.
    pub came: bool,
    /// Whether the player goes on from it in this flight.
    pub goes: bool,
    /// The section that leads here, where its matches are not shown.
    pub before: Option<String>,
}

/// What a slot shows: six things that are never taken for one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Is {
    Player,
    /// The winner of a match that is not decided.
    Winner,
    Loser,
    Bye,
    /// Nobody comes from the match that feeds it.
    Nobody,
    /// Somebody is to be seated by hand.
    Open,
}

impl Is {
    /// The class it is drawn in.
    #[must_use]
    pub const fn class(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Winner => "winner-of",
            Self::Loser => "loser-of",
            Self::Bye => "bye",
            Self::Nobody => "nobody",
            Self::Open => "open",
        }
    }
}

/// A slot of a match.
#[derive(Clone, Debug)]
pub struct SlotShown {
    pub is: Is,
    /// Who, or what, in words.
    pub text: String,
    /// The view with this player's path, or without if it is the one picked.
    pub link: Option<String>,
    pub score: Option<u16>,
    /// Whether who sits there won.
    pub won: bool,
    /// Whether who sits there lost.
    pub lost: bool,
    /// Whether it is the player who is picked.
    pub picked: bool,
}

impl BracketShown {
    /// What a page shows of a bracket.
    #[must_use]
    pub fn new(t: &Locale, known: &Known<'_>, view: View) -> Self {
        let view = fitting(known, view);
        let picked = view.player.filter(|_| view.section.is_none());
        let window = picked
            .and_then(|player| Window::with(known.bracket, view.flight, player, PAGE))
            .or_else(|| Window::new(known.bracket, view.flight, view.section, PAGE));
        Self::in_window(t, known, view, window.as_ref())
    }

    /// The same of a window.
    pub(super) fn in_window(t: &Locale, known: &Known<'_>, view: View, window: Option<&Window>) -> Self {
        let bracket = known.bracket;
        let tab = |flight| FlightTab {
            name: flight_name(t, bracket, flight),
            link: View { flight, section: None, ..view }.query(),
            chosen: flight == view.flight,
        };
        let resized = |zoom: Option<Zoom>| zoom.map(|zoom| View { zoom, ..view }.query());
        Self {
            view,
            flights: (0..bracket.flights().len()).map(tab).collect(),
            columns: window.map_or_else(Vec::new, |window| columns(t, known, view, window)),
            sections: window.map_or_else(Vec::new, |window| sections(t, known, view, window)),
            sizes: [resized(view.zoom.smaller()), resized(view.zoom.larger())],
            players: players(known, view.player),
            path: view.player.map(|player| PathShown::new(t, known, view, player)),
            live: None,
            again: None,
        }
    }
}

/// The parts of a flight that is too large to be shown at once: its last rounds, and what leads to each of the matches
/// they begin with.
fn sections(t: &Locale, known: &Known<'_>, view: View, window: &Window) -> Vec<FlightTab> {
    let section = |section, name, chosen| FlightTab { name, link: View { section, ..view }.query(), chosen };
    let (later, above) = match window.later(known.bracket) {
        None if window.first_round() == 0 => return Vec::new(),
        None => (None, Some(window.clone())),
        Some(later) => (later, Window::new(known.bracket, window.flight, later, PAGE)),
    };
    let is_whole = above.as_ref() == Some(window);
    let last = section(later, t.get("later-rounds"), is_whole);
    let Some(&(_, first, matches)) = above.as_ref().and_then(|above| above.rounds.first()) else {
        return vec![last];
    };
    let roots = (1..=matches).zip((first.0..).map(MatchNo));
    let each =
        roots.map(|(place, root)| section(Some(root), place.to_string(), !is_whole && root == window.root));
    std::iter::once(last).chain(each).collect()
}

/// The view without what this bracket has not.
fn fitting(known: &Known<'_>, view: View) -> View {
    let flight = if view.flight < known.bracket.flights().len() { view.flight } else { 0 };
    let in_flight = |at: &Pairing| usize::from(at.flight) == flight;
    let section = view.section.filter(|section| known.bracket.get(*section).is_some_and(in_flight));
    let player = view.player.filter(|player| known.bracket.path(*player).next().is_some());
    View { flight, section, player, ..view }
}

/// Everybody who was drawn or seated, by name.
fn players(known: &Known<'_>, picked: Option<EntryNo>) -> Vec<Choice> {
    let drawn = known.bracket.iter().flat_map(|(_, at)| at.sources).filter_map(|source| match source {
        Source::Entry { entry } => Some(entry),
        Source::Winner { .. } | Source::Loser { .. } | Source::Bye | Source::Open => None,
    });
    let mut all = BTreeSet::new();
    for entry in drawn {
        all.insert(entry);
        if all.len() > MOST_TO_PICK_FROM {
            return Vec::new();
        }
    }
    let mut choices: Vec<Choice> = all
        .into_iter()
        .map(|entry| Choice::new(entry.0.to_string(), (known.name)(entry), picked == Some(entry)))
        .collect();
    choices.sort_by_cached_key(|choice| choice.label.to_lowercase());
    choices
}

fn columns(t: &Locale, known: &Known<'_>, view: View, window: &Window) -> Vec<Column> {
    let Some(flight) = known.bracket.flights().get(window.flight) else { return Vec::new() };
    let mut path: BTreeSet<MatchNo> = BTreeSet::new();
    if let Some(player) = view.player {
        path.extend(known.bracket.path(player).map(|(number, _)| number));
    }
    let next = window.rounds.iter().skip(1).map(|(.., matches)| Some(*matches)).chain([None]);
    let column = |(&(round, first, matches), next): (&(usize, MatchNo, u32), Option<u32>)| {
        let is_first = round == window.first_round();
        let numbers = (first.0..first.0 + matches).map(MatchNo);
        let shown = numbers.filter_map(|number| {
            let at = known.bracket.get(number)?;
            let mut shown = MatchShown::new(t, known, view, number, at);
            shown.mark(known, view, number, at, path.contains(&number));
            let section = (is_first && round > 0).then_some(Some(number));
            shown.before = section.map(|section| View { section, ..view }.query());
            Some(shown)
        });
        Column {
            name: round_name(t, flight, round),
            length: to_points(t, (known.length)(window.flight, round)),
            joined: match next {
                None => Joined::End,
                Some(next) if next == matches => Joined::Straight,
                Some(_) => Joined::Halves,
            },
            matches: shown.collect(),
        }
    };
    window.rounds.iter().zip(next).map(column).collect()
}

impl MatchShown {
    /// A match as it stands, on nobody's path.
    pub(super) fn new(t: &Locale, known: &Known<'_>, view: View, number: MatchNo, at: &Pairing) -> Self {
        let going = if at.is_ready() { (known.going)(number) } else { Going::Nothing };
        let state = match (&at.outcome, &going) {
            (Some(outcome), _) if matches!(outcome.ending, Ending::Bye | Ending::NotNeeded) => State::Empty,
            (Some(_), _) => State::Done,
            (None, Going::Playing { .. }) => State::Playing,
            (None, Going::Called { .. }) => State::Called,
            (None, Going::Nothing) if at.is_ready() => State::Ready,
            (None, Going::Nothing) => State::Waiting,
        };
        let score = match (&at.outcome, &going) {
            (Some(outcome), _) => outcome.score,
            (None, Going::Playing { score, .. }) => *score,
            _ => None,
        };
        let strip = match going {
            Going::Playing { table: Some(table), .. } => Some(t.with("playing-at", "table", table)),
            Going::Playing { table: None, .. } => Some(t.get("playing")),
            Going::Called { table } => Some(t.with("called-to", "table", table)),
            Going::Nothing if state == State::Ready => Some(t.get("ready")),
            Going::Nothing => at.outcome.and_then(|outcome| ending(t, outcome.ending)),
        };
        let called = t.with("match-number", "match", number.0);
        let label = strip.as_ref().map_or_else(|| called.clone(), |strip| format!("{called}, {strip}"));
        Self {
            number,
            state,
            label,
            link: (known.link)(number),
            slots: Slot::BOTH.map(|slot| SlotShown::new(t, known, view, number, at, slot, score)),
            strip,
            on_path: false,
            came: false,
            goes: false,
            before: None,
        }
    }

    /// Marks it if it is on the picked player's path.
    fn mark(&mut self, known: &Known<'_>, view: View, number: MatchNo, at: &Pairing, on_path: bool) {
        let Some(player) = view.player.filter(|_| on_path) else { return };
        let same_flight = |of: MatchNo| known.bracket.get(of).is_some_and(|of| of.flight == at.flight);
        let sits = Slot::BOTH.into_iter().find(|slot| at.occupant(*slot).entry() == Some(player));
        let source = sits.map(|slot| at.source(slot));
        self.on_path = true;
        self.came = matches!(source, Some(Source::Winner { of }) if same_flight(of));
        let next = at.winner_to.map(|(next, _)| next);
        self.goes = at.winner() == Some(player) && next.is_some_and(same_flight) && next != Some(number);
    }
}

impl SlotShown {
    fn new(
        t: &Locale,
        known: &Known<'_>,
        view: View,
        number: MatchNo,
        at: &Pairing,
        slot: Slot,
        score: Option<[u16; 2]>,
    ) -> Self {
        let (is, text) = named(t, known, at, slot);
        let entry = at.occupant(slot).entry();
        let picked = entry.is_some() && entry == view.player;
        let link = entry.map(|entry| View { player: (!picked).then_some(entry), ..view }.at(number));
        let winner = at.outcome.and_then(|outcome| outcome.winner);
        let played = entry.is_some() && at.outcome.is_some_and(|outcome| outcome.ending != Ending::NotNeeded);
        let [upper, lower] = score.map_or([None; 2], |score| score.map(Some));
        Self {
            is,
            text,
            link,
            score: if slot == Slot::Upper { upper } else { lower },
            won: played && winner == Some(slot),
            lost: played && winner != Some(slot),
            picked,
        }
    }
}

/// What a slot shows, in words: a player's name, or what it waits for.
#[must_use]
pub fn slot_name(t: &Locale, known: &Known<'_>, at: &Pairing, slot: Slot) -> String {
    named(t, known, at, slot).1
}

/// What a slot shows, and in words.
pub(super) fn named(t: &Locale, known: &Known<'_>, at: &Pairing, slot: Slot) -> (Is, String) {
    match (at.occupant(slot), at.source(slot)) {
        (Occupant::Entry(entry), _) => (Is::Player, (known.name)(entry)),
        (_, Source::Bye) => (Is::Bye, t.get("slot-bye")),
        (Occupant::Nobody, Source::Winner { of } | Source::Loser { of, .. }) => {
            (Is::Nobody, t.with("slot-nobody", "match", of.0))
        }
        (_, Source::Winner { of }) => (Is::Winner, t.with("slot-winner", "match", of.0)),
        (_, Source::Loser { of, .. }) => (Is::Loser, t.with("slot-loser", "match", of.0)),
        (_, Source::Open | Source::Entry { .. }) => (Is::Open, t.get("slot-open")),
    }
}
