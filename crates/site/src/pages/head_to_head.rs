//! Everybody against everybody, and one player against everybody else (M8).
//!
//! The table of everybody is for a large screen or a finger that scrolls; a tap on a name shows that player's
//! own lines, which fit a phone. A large club's table has those who played most, or whoever is chosen from the list below it.

use std::collections::BTreeMap;

use askama::Template;

use super::frame::Frame;
use super::statistics::{Line, kind_word};
use super::words;
use crate::pages::sorted::address;
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_books::club::players::UNNAMED;
use owlbox_books::statistics::{Kind, Record};
use owlbox_desk::nights::statistics::{HeadToHead, HeadToHeadPlayer, PairRecord, Played};
use owlbox_engine::Variant;
use owlbox_locale::{Amount, Locale};

/// `/statistics/head-to-head?player=&who=&q=&after=&kind=&variant=&from=&until=`
#[derive(Debug, Template)]
#[template(path = "head_to_head.html")]
pub struct HeadToHeadPage {
    pub t: Locale,
    pub frame: Frame,
    pub title: String,
    /// Links to related pages: address and label.
    pub ways: Vec<(String, String)>,
    /// The filters, each a list of links.
    pub filters: Vec<Filters>,
    /// The first and the last day shown, if the period has any.
    pub days: Option<String>,
    /// The address of the same figures as CSV.
    pub csv: String,
    /// Whether points can be won in these games; in a match they decide nothing after it.
    pub points: bool,
    /// One player's opponents, each with the matches won and lost. Empty on the page of everybody.
    pub lines: Vec<(Line, Option<[i64; 2]>)>,
    /// The table of everybody, or of a large club's part. Empty on the page of one player.
    pub matrix: Vec<MatrixRow>,
    /// Whom a large club's table can be made of.
    pub choice: Option<ChoiceOfPlayers>,
}

/// The list of a large club's players, to look at one or to choose some for the table.
#[derive(Clone, Debug)]
pub struct ChoiceOfPlayers {
    /// What the table has, in words.
    pub shown: String,
    /// How many it can have.
    pub at_most: usize,
    /// The fields that the form keeps.
    pub kept: Vec<(&'static str, String)>,
    /// The name that is looked for.
    pub search: String,
    /// Those chosen, then a page of the others, whoever played most first.
    pub players: Vec<PlayerOffered>,
    /// The next page.
    pub next: Option<String>,
    /// The page with those who played most, if others are chosen.
    pub most: Option<String>,
}

/// A player of the list.
#[derive(Clone, Debug)]
pub struct PlayerOffered {
    pub id: String,
    pub name: String,
    /// The page of this player alone.
    pub link: String,
    pub games: usize,
    pub sum: Amount,
    pub chosen: bool,
}

impl PlayerOffered {
    #[must_use]
    pub fn new(t: &Locale, played: &Played, filter: &[(&str, String)], chosen: bool) -> Self {
        let HeadToHeadPlayer { player, name, half_points } = &played.who;
        Self {
            id: player.to_string(),
            name: name.clone(),
            link: of_player(*player, filter),
            games: usize::try_from(played.games).unwrap_or_default(),
            sum: t.points(HalfPoints(*half_points)),
            chosen,
        }
    }
}

/// The choices of one filter.
#[derive(Clone, Debug)]
pub struct Filters {
    pub label: String,
    /// Label, address, and whether it is the present choice.
    pub choices: Vec<(String, String, bool)>,
}

/// A player's games against everybody in the table.
#[derive(Clone, Debug)]
pub struct MatrixRow {
    pub name: String,
    /// The page of this player alone.
    pub link: String,
    /// What they won from all of them.
    pub sum: Amount,
    pub cells: Vec<Cell>,
}

/// A place in the table.
#[derive(Clone, Debug)]
pub enum Cell {
    /// A player against themselves.
    Oneself,
    /// The two have no such games.
    Nothing,
    Games {
        link: String,
        points: Amount,
        record: Record,
        /// The matches won and lost, if there are any.
        matches: Option<[i64; 2]>,
    },
}

/// Whether points can be won in games of this kind.
#[must_use]
pub const fn has_points(kind: Option<Kind>) -> bool {
    match kind {
        None | Some(Kind::Chouette | Kind::MoneySession) => true,
        Some(Kind::Match | Kind::Tournament) => false,
    }
}

/// The games of two against each other, with the same filter.
fn pair_address(player: PlayerId, opponent: PlayerId, filter: &[(&str, String)]) -> String {
    address(&format!("/players/{player}/statistics/against/{opponent}"), filter)
}

/// One player's games against everybody, with the same filter.
fn of_player(player: PlayerId, filter: &[(&str, String)]) -> String {
    let own = [("player", player.to_string())];
    let fields: Vec<(&str, String)> = own.into_iter().chain(filter.iter().cloned()).collect();
    address("/statistics/head-to-head", &fields)
}

/// The rows of the table of everybody; `filter` are the fields that a link keeps.
#[must_use]
pub fn matrix(t: &Locale, met: &HeadToHead, filter: &[(&str, String)]) -> Vec<MatrixRow> {
    let records: BTreeMap<(PlayerId, PlayerId), &PairRecord> =
        met.pairs.iter().map(|pair| ((pair.player, pair.opponent), pair)).collect();
    let cell = |player: PlayerId, opponent: PlayerId| match records.get(&(player, opponent)) {
        _ if player == opponent => Cell::Oneself,
        None => Cell::Nothing,
        Some(pair) => Cell::Games {
            link: pair_address(player, opponent, filter),
            points: t.points(HalfPoints(pair.record.half_points)),
            record: pair.record,
            matches: matches(pair),
        },
    };
    let row = |one: &HeadToHeadPlayer| MatrixRow {
        name: one.name.clone(),
        link: of_player(one.player, filter),
        sum: t.points(HalfPoints(one.half_points)),
        cells: met.players.iter().map(|other| cell(one.player, other.player)).collect(),
    };
    met.players.iter().map(row).collect()
}

/// The matches won and lost, if there are any.
fn matches(pair: &PairRecord) -> Option<[i64; 2]> {
    Some([pair.matches_won, pair.matches_lost]).filter(|[won, lost]| won + lost > 0)
}

/// A line for each opponent of `player`, with the matches won and lost; the one with most games first.
#[must_use]
pub fn lines(
    t: &Locale,
    met: &HeadToHead,
    player: PlayerId,
    filter: &[(&str, String)],
) -> Vec<(Line, Option<[i64; 2]>)> {
    let name = |wanted: PlayerId| {
        let found = met.players.iter().find(|one| one.player == wanted);
        found.map_or_else(|| UNNAMED.to_owned(), |one| one.name.clone())
    };
    let mut own: Vec<&PairRecord> = met.pairs.iter().filter(|pair| pair.player == player).collect();
    own.sort_by_key(|pair| std::cmp::Reverse((pair.record.games, pair.matches_won + pair.matches_lost)));
    let line = |pair: &PairRecord| {
        let link = pair_address(player, pair.opponent, filter);
        (Line::new(t, name(pair.opponent), Some(link), pair.record), matches(pair))
    };
    own.into_iter().map(line).collect()
}

/// The filters by kind of play and by variant; `link` gives the address for a choice.
#[must_use]
pub fn filters(
    t: &Locale,
    kind: Option<Kind>,
    variant: Option<Variant>,
    link: impl Fn(Option<Kind>, Option<Variant>) -> String,
) -> Vec<Filters> {
    let all = || t.get("statistics-all");
    let kinds = std::iter::once(None).chain(Kind::ALL.iter().copied().map(Some));
    let kinds = kinds.map(|one| {
        let label = one.map_or_else(all, |one| t.get(kind_word(one)));
        (label, link(one, variant), one == kind)
    });
    let variants = std::iter::once(None).chain(Variant::ALL.iter().copied().map(Some));
    let variants = variants.map(|one| {
        let label = one.map_or_else(all, |one| words::variant(t, one));
        (label, link(kind, one), one == variant)
    });
    vec![
        Filters { label: t.get("statistics-by-kind"), choices: kinds.collect() },
        Filters { label: t.get("statistics-by-variant"), choices: variants.collect() },
    ]
}
