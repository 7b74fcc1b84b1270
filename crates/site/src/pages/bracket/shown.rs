//! A part of a bracket as columns of matches.

use std::collections::BTreeSet;

use super::path::PathShown;
use super::slot::{SlotContents, in_slot};
use super::window::{MOST_IN_A_COLUMN, Room, Window};
use super::words::{ending, flight_name, round_name, to_points};
use super::{BracketLookup, Going, View, Zoom};
use crate::pages::frame::{Choice, LivePart};
use owlbox_locale::Locale;
use owlbox_play::matches::{Ending, MatchNo, Slot};
use owlbox_play::tournament::bracket::{Bracket, EntryNo, Pairing, Source};

/// The most players that are offered as a list. More are searched for by name.
const MOST_TO_PICK_FROM: usize = 256;

/// The room on a page: the first column is limited, the number of rounds is not.
pub(super) const PAGE: Room = Room { matches: MOST_IN_A_COLUMN, columns: usize::MAX };

/// A bracket, or the part of it that one page shows.
#[derive(Clone, Debug)]
pub struct BracketShown {
    pub view: View,
    pub flights: Vec<FlightTab>,
    /// The rounds. Empty before the draw.
    pub columns: Vec<Column>,
    /// The last rounds, and the sections that lead to them. Empty if the whole flight is shown.
    pub sections: Vec<FlightTab>,
    pub sizes: [Option<String>; 2],
    /// The players to pick from. Empty if there are too many for a list.
    pub players: Vec<Choice>,
    /// The path of the picked player.
    pub path: Option<PathShown>,
    /// How it is fetched again after a change. `None` on pages without a script that listens.
    pub live: Option<LivePart>,
    /// The seconds after which such a page reloads itself.
    pub again: Option<u16>,
}

#[derive(Clone, Debug)]
pub struct FlightTab {
    pub name: String,
    pub link: String,
    /// Whether it is the present one.
    pub chosen: bool,
}

/// The connection between the matches of two neighbouring columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    Halves,
    /// One to one: the opponents come in from elsewhere.
    Straight,
    /// No further column is shown.
    End,
}

impl Joined {
    /// The CSS class of the connection.
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
    /// The length in words: `to 9`.
    pub length: Option<String>,
    /// The connection to the next column.
    pub joined: Joined,
    /// Its matches, from the top.
    pub matches: Vec<MatchShown>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// A player is not known yet.
    Waiting,
    Ready,
    Called,
    Playing,
    Done,
    /// There was nothing to play.
    Empty,
}

impl State {
    /// The CSS class of the state.
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
    /// The number and the state in words, for readers who do not see the picture.
    pub label: String,
    pub link: Option<String>,
    /// Both slots, the upper one first.
    pub slots: [SlotShown; 2],
    /// The remark below the match: the table, or how it ended.
    pub strip: Option<String>,
    /// Whether it is on the picked player's path.
    pub on_path: bool,
    /// Whether that player came from an earlier match of this flight.
    pub came: bool,
    /// Whether that player goes on to a later match of this flight.
    pub goes: bool,
    /// The view of the section that leads here, where its matches are not shown.
    pub before: Option<String>,
}

/// A slot of a match in the picture.
#[derive(Clone, Debug)]
pub struct SlotShown {
    pub is: SlotContents,
    /// The player's name, or what the slot waits for.
    pub text: String,
    /// The player's place on the seeding list. `None` if unseeded, or nobody is known.
    pub seed: Option<u32>,
    /// The view with this player's path, or without it if they are the picked player.
    pub link: Option<String>,
    pub score: Option<u16>,
    /// Whether the player in the slot won.
    pub won: bool,
    /// Whether the player in the slot lost.
    pub lost: bool,
    /// Whether it is the picked player.
    pub picked: bool,
}

impl BracketShown {
    /// The most rounds that are made narrower so that a laptop shows all of them.
    const MOST_NARROWED: usize = 7;

    /// The CSS class that makes its rounds as narrow as a laptop's window needs. Empty if it shows too many or few.
    #[must_use]
    pub fn narrowed(&self) -> String {
        match self.columns.len() {
            rounds @ 5..=Self::MOST_NARROWED => format!("of-{rounds}"),
            _ => String::new(),
        }
    }

    /// The part of a bracket that a page shows for this view.
    #[must_use]
    pub fn new(t: &Locale, known: &BracketLookup<'_>, view: View) -> Self {
        let (view, window) = view.within(known.bracket);
        Self::in_window(t, known, view, window.as_ref())
    }

    /// The same for a given window.
    pub(super) fn in_window(
        t: &Locale,
        known: &BracketLookup<'_>,
        view: View,
        window: Option<&Window>,
    ) -> Self {
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

/// The sections of a flight too large for one page: its last rounds, and one section for each match in the
/// first of those rounds.
fn sections(t: &Locale, known: &BracketLookup<'_>, view: View, window: &Window) -> Vec<FlightTab> {
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

impl View {
    /// The view without a flight, section or player that this bracket does not have, and the part of it that it shows.
    fn within(self, bracket: &Bracket) -> (Self, Option<Window>) {
        let flight = if self.flight < bracket.flights().len() { self.flight } else { 0 };
        let in_flight = |at: &Pairing| usize::from(at.flight) == flight;
        let section = self.section.filter(|section| bracket.get(*section).is_some_and(in_flight));
        let player = self.player.filter(|player| bracket.path(*player).next().is_some());
        let view = Self { flight, section, player, ..self };
        let picked = player.filter(|_| section.is_none());
        let window = picked
            .and_then(|player| Window::with(bracket, flight, player, PAGE))
            .or_else(|| Window::new(bracket, flight, section, PAGE));
        (view, window)
    }

    /// The entries that a page with this view names: those to pick from, those in the matches that it shows, and those on
    /// the way of the one that is picked.
    #[must_use]
    pub fn entries(self, bracket: &Bracket) -> BTreeSet<EntryNo> {
        let (view, window) = self.within(bracket);
        let rounds = window.iter().flat_map(|window| &window.rounds);
        let shown = rounds.flat_map(|(_, first, matches)| (first.0..first.0 + matches).map(MatchNo));
        let path = view.player.into_iter().flat_map(|player| bracket.path(player)).map(|(number, _)| number);
        let matches = shown.chain(path).filter_map(|number| bracket.get(number));
        let sit = matches.flat_map(|at| at.occupants).filter_map(|occupant| occupant.entry());
        to_pick_from(bracket).into_iter().chain(sit).collect()
    }
}

/// Everybody who was drawn or seated. Empty if there are too many for a list.
fn to_pick_from(bracket: &Bracket) -> BTreeSet<EntryNo> {
    let drawn = bracket.iter().flat_map(|(_, at)| at.sources).filter_map(|source| match source {
        Source::Entry { entry } => Some(entry),
        Source::Winner { .. } | Source::Loser { .. } | Source::Bye | Source::Open => None,
    });
    let mut all = BTreeSet::new();
    for entry in drawn {
        all.insert(entry);
        if all.len() > MOST_TO_PICK_FROM {
            return BTreeSet::new();
        }
    }
    all
}

/// The players to pick from, in the order of their names.
fn players(known: &BracketLookup<'_>, picked: Option<EntryNo>) -> Vec<Choice> {
    let mut choices: Vec<Choice> = to_pick_from(known.bracket)
        .into_iter()
        .map(|entry| Choice::new(entry.0.to_string(), (known.name)(entry), picked == Some(entry)))
        .collect();
    choices.sort_by_cached_key(|choice| choice.label.to_lowercase());
    choices
}

fn columns(t: &Locale, known: &BracketLookup<'_>, view: View, window: &Window) -> Vec<Column> {
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
    /// A match in its present state, not on anybody's path.
    pub(super) fn new(
        t: &Locale,
        known: &BracketLookup<'_>,
        view: View,
        number: MatchNo,
        at: &Pairing,
    ) -> Self {
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

    /// Highlights the match if it is on the picked player's path.
    fn mark(&mut self, known: &BracketLookup<'_>, view: View, number: MatchNo, at: &Pairing, on_path: bool) {
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
    /// The CSS class of a name that is too long for one line on the wall, where it is written smaller. Empty for
    /// others.
    #[must_use]
    pub fn length(&self) -> &'static str {
        match self.text.chars().count() {
            ..=16 => "",
            17..=50 => "long",
            _ => "longest",
        }
    }

    fn new(
        t: &Locale,
        known: &BracketLookup<'_>,
        view: View,
        number: MatchNo,
        at: &Pairing,
        slot: Slot,
        score: Option<[u16; 2]>,
    ) -> Self {
        let (is, text) = in_slot(t, known, at, slot);
        let entry = at.occupant(slot).entry();
        let picked = entry.is_some() && entry == view.player;
        let link = entry.map(|entry| View { player: (!picked).then_some(entry), ..view }.at(number));
        let winner = at.outcome.and_then(|outcome| outcome.winner);
        let played = entry.is_some() && at.outcome.is_some_and(|outcome| outcome.ending != Ending::NotNeeded);
        let [upper, lower] = score.map_or([None; 2], |score| score.map(Some));
        Self {
            is,
            text,
            seed: entry.and_then(known.seed),
            link,
            score: if slot == Slot::Upper { upper } else { lower },
            won: played && winner == Some(slot),
            lost: played && winner != Some(slot),
            picked,
        }
    }
}
