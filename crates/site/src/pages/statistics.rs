//! Statistics (M8): games won and lost by kind, in tables with bars, and month by month.
//!
//! Every figure that is drawn is also written beside it. Wins, draws and losses differ by pattern, not by
//! colour alone.

use askama::Template;

use super::frame::{Choice, Frame};
use super::words;
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_books::statistics::{Began, Ending, Group, Kind, Month, Record, Role, Summary};
use owlbox_desk::nights::statistics::{MatchRecord, PairDay, PairMatch, PairStatistics};
use owlbox_engine::Variant;
use owlbox_locale::{Amount, Locale};

/// `/players/{id}/statistics`, `/players/{id}/statistics/against/{other}` and `/statistics`.
#[derive(Debug, Template)]
#[template(path = "statistics.html")]
pub struct StatisticsPage {
    pub t: Locale,
    pub frame: Frame,
    pub title: String,
    /// Whether they cover the whole club. They are then counted from the winner's side.
    pub of_club: bool,
    /// Links to related pages: address and label.
    pub ways: Vec<(String, String)>,
    /// The selects of the filter: each with its field name, label and choices.
    pub fields: Vec<(&'static str, String, Vec<Choice>)>,
    /// The first and the last day of the filter, as typed.
    pub days: [String; 2],
    /// The address of the same figures as CSV.
    pub csv: String,
    pub total: Line,
    /// How many matches were won and lost, however they were entered.
    pub matches: Option<String>,
    pub months: Option<Months>,
    /// One table for each property of the games.
    pub tables: Vec<Table>,
    /// What is known of two players besides; `None` on the pages of one player and of the club.
    pub between: Option<Between>,
}

/// When two players have met, and the matches between them.
#[derive(Clone, Debug)]
pub struct Between {
    /// The first day of their games.
    pub since: Option<String>,
    /// Their newest days, the newest first; the label says at what they played.
    pub days: Vec<Line>,
    /// How many matches each has won; `None` if they have finished none.
    pub matches: Option<String>,
    /// The newest matches: label, address, and the result.
    pub newest: Vec<(String, String, String)>,
}

impl Between {
    #[must_use]
    pub fn new(t: &Locale, pair: &PairStatistics) -> Self {
        let day = |one: &PairDay| {
            let label = format!("{} · {}", t.day(one.day), t.get(kind_word(one.kind)));
            let link = (one.kind == Kind::Chouette).then(|| format!("/club/nights/{}", one.day));
            Line::new(t, label, link, one.record)
        };
        let matches = &pair.matches;
        let played = |one: &PairMatch| {
            let length = t.with("slip-length", "points", one.length);
            let label = format!("{} · {length}", t.date(&one.finished_at));
            let address = match (one.sheet, one.tournament, one.division, one.number) {
                (None, Some(tournament), Some(division), Some(number)) => {
                    format!("/tournaments/{tournament}/{division}/matches/{number}")
                }
                (Some(sheet), ..) => format!("/matches/{sheet}"),
                (None, ..) => "/matches".to_owned(),
            };
            let result = if one.won { "statistics-match-won" } else { "statistics-match-lost" };
            (label, address, t.get(result))
        };
        Self {
            since: pair.first.map(|first| t.day(first)),
            days: pair.newest.iter().map(day).collect(),
            matches: (matches.won + matches.lost > 0).then(|| {
                t.fill("statistics-matches-score", &[("won", &matches.won), ("lost", &matches.lost)])
            }),
            newest: matches.newest.iter().map(played).collect(),
        }
    }
}

impl StatisticsPage {
    /// Whether a filter is set. The page then says which.
    #[must_use]
    pub fn is_filtered(&self) -> bool {
        let chosen = |(_, _, choices): &(&str, String, Vec<Choice>)| {
            choices.iter().any(|choice| choice.chosen && !choice.value.is_empty())
        };
        self.fields.iter().any(chosen) || self.days.iter().any(|day| !day.is_empty())
    }
}

#[derive(Clone, Debug)]
pub struct Table {
    /// The `id` of the table's element.
    pub id: &'static str,
    pub title: String,
    pub lines: Vec<Line>,
}

#[derive(Clone, Debug)]
pub struct Line {
    pub label: String,
    /// The address of a page with more about it.
    pub link: Option<String>,
    /// The counts and the points of these games.
    pub record: Record,
    /// The points won or lost in them.
    pub points: Amount,
}

impl Line {
    pub(crate) fn new(t: &Locale, label: String, link: Option<String>, record: Record) -> Self {
        Self { label, link, record, points: t.points(HalfPoints(record.half_points)) }
    }

    /// Where the parts for won, drawn and lost end, on a bar of 1000.
    #[must_use]
    pub fn ends(&self) -> [i64; 3] {
        let Record { games, won, drawn, .. } = self.record;
        let part = |count: i64| (count * 1000).checked_div(games).unwrap_or(0);
        [part(won), part(won + drawn), part(games)]
    }

    /// How many of a thousand of all these games they are.
    #[must_use]
    pub fn part_of(&self, all: &Record) -> i64 {
        (self.record.games * 1000).checked_div(all.games).unwrap_or(0)
    }

    /// Won, drawn and lost in per cent of these games (M8).
    #[must_use]
    pub fn shares(&self, t: &Locale) -> [String; 3] {
        let Record { won_share, drawn_share, lost_share, .. } = self.record;
        [won_share, drawn_share, lost_share].map(|share| t.hundredths_of_a_per_cent(share))
    }

    /// These games in per cent of all.
    #[must_use]
    pub fn share_of(&self, t: &Locale, all: &Record) -> String {
        t.hundredths_of_a_per_cent(
            (self.record.games * 20_000 + all.games).checked_div(2 * all.games).unwrap_or(0),
        )
    }

    #[must_use]
    pub fn in_words(&self, t: &Locale) -> String {
        let Record { won, drawn, lost, .. } = self.record;
        t.fill("statistics-bar", &[("won", &won), ("drawn", &drawn), ("lost", &lost)])
    }
}

/// One column per month, up for wins and down for losses, in a box of 640 × 120.
#[derive(Clone, Debug)]
pub struct Months {
    /// The first month and the last.
    pub ends: [String; 2],
    /// Each column: left edge, width, height above the line, depth below it, and its description.
    pub columns: Vec<(i64, i64, i64, i64, String)>,
    pub zero: i64,
}

impl Months {
    /// The last five years at most, with a gap for a month without games. `None` if there is only one month.
    fn new(t: &Locale, months: &[Group<Month>]) -> Option<Self> {
        let newest = months.last()?;
        let has_room = |month: &&Group<Month>| newest.value.number() - month.value.number() < 60;
        let shown: Vec<_> = months.iter().filter(has_room).collect();
        let oldest = shown.first()?;
        let apart = newest.value.number() - oldest.value.number();
        let up = shown.iter().map(|month| month.record.won).max()?.max(0);
        let down = shown.iter().map(|month| month.record.lost).max()?.max(0);
        let scale = |count: i64| count * 112 / (up + down).max(1);
        // The first column touches the left edge and the last the right one, above the names of their months.
        let wide = (640 / (apart + 1) - 2).clamp(1, 60);
        let column = |month: &&Group<Month>| {
            let line = Line::new(t, month.value.to_string(), None, month.record);
            let said = t.labelled(month.value, line.in_words(t));
            let at = month.value.number() - oldest.value.number();
            let left = (at * (640 - wide)).checked_div(apart)?;
            Some((left, wide, scale(month.record.won), scale(month.record.lost), said))
        };
        Some(Self {
            ends: [oldest, newest].map(|month| month.value.to_string()),
            columns: shown.iter().map(column).collect::<Option<_>>()?,
            zero: 4 + scale(up),
        })
    }
}

/// How many matches were won and lost; of the club, how many there were. `None` without any.
#[must_use]
pub fn matches_in_words(t: &Locale, record: MatchRecord, of_club: bool) -> Option<String> {
    let MatchRecord { matches, won, lost } = record;
    let of_player = || t.fill("statistics-matches-score", &[("won", &won), ("lost", &lost)]);
    let said = if of_club {
        t.count("statistics-matches-played", &usize::try_from(matches).unwrap_or_default())
    } else {
        of_player()
    };
    (matches > 0).then_some(said)
}

/// The total, the months and the tables. `opponent` gives an opponent's name, and a link if there is one.
#[must_use]
pub fn breakdown(
    t: &Locale,
    summary: &Summary,
    opponent: impl Fn(PlayerId) -> (String, Option<String>),
) -> (Line, Option<Months>, Vec<Table>) {
    let opponents: Vec<Line> = summary
        .by_opponent
        .iter()
        .map(|group| {
            let (label, link) = opponent(group.value);
            Line::new(t, label, link, group.record)
        })
        .collect();
    let tables = [
        table(t, "kind", "statistics-by-kind", &summary.by_kind, |kind| t.get(kind_word(*kind))),
        table(t, "role", "statistics-by-role", &summary.by_role, |role| t.get(role_word(*role))),
        table(t, "variant", "statistics-by-variant", &summary.by_variant, |one| words::variant(t, *one)),
        table(t, "began", "statistics-by-began", &summary.by_began, |began| t.get(began_word(*began))),
        table(t, "ending", "statistics-by-ending", &summary.by_ending, |ending| t.get(ending_word(*ending))),
        table(t, "cube", "statistics-by-cube", &summary.by_cube, u32::to_string),
        Table { id: "opponent", title: t.get("statistics-by-opponent"), lines: opponents },
    ];
    let tables = tables.into_iter().filter(|table| !table.lines.is_empty()).collect();
    let total = Line::new(t, t.get("statistics-games"), None, summary.total);
    (total, Months::new(t, &summary.by_month), tables)
}

fn table<T>(
    t: &Locale,
    id: &'static str,
    title: &'static str,
    groups: &[Group<T>],
    label: impl Fn(&T) -> String,
) -> Table {
    let lines = groups.iter().map(|group| Line::new(t, label(&group.value), None, group.record));
    Table { id, title: t.get(title), lines: lines.collect() }
}

/// The selects of the filter, with the present choice.
#[must_use]
pub fn fields(
    t: &Locale,
    kind: Option<Kind>,
    variant: Option<Variant>,
    began: Option<Began>,
) -> Vec<(&'static str, String, Vec<Choice>)> {
    let any = |chosen: bool| Choice { value: String::new(), label: t.get("statistics-all"), chosen };
    let choice = |value: &str, label: String, chosen: bool| Choice { value: value.to_owned(), label, chosen };
    let kinds = Kind::ALL.iter().map(|one| choice(one.name(), t.get(kind_word(*one)), kind == Some(*one)));
    let variants = Variant::ALL.iter();
    let variants = variants.map(|one| choice(one.key(), words::variant(t, *one), variant == Some(*one)));
    let sides = Began::ALL.iter().map(|one| choice(one.name(), t.get(began_word(*one)), began == Some(*one)));
    vec![
        ("kind", t.get("statistics-by-kind"), std::iter::once(any(kind.is_none())).chain(kinds).collect()),
        (
            "variant",
            t.get("statistics-by-variant"),
            std::iter::once(any(variant.is_none())).chain(variants).collect(),
        ),
        ("began", t.get("statistics-by-began"), std::iter::once(any(began.is_none())).chain(sides).collect()),
    ]
}

pub(crate) const fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Chouette => "statistics-chouette",
        Kind::Match => "statistics-match",
        Kind::MoneySession => "statistics-money-session",
        Kind::Tournament => "statistics-tournament",
    }
}

const fn role_word(role: Role) -> &'static str {
    match role {
        Role::Box => "role-box",
        Role::Partner => "role-partner",
        Role::Captain => "role-captain",
        Role::Crew => "role-crew",
        Role::Onlooker => "role-onlooker",
        Role::Opponent => "statistics-one-of-two",
    }
}

const fn began_word(began: Began) -> &'static str {
    match began {
        Began::OwnSide => "statistics-own-side",
        Began::OtherSide => "statistics-other-side",
        Began::Unknown => "statistics-unknown",
    }
}

const fn ending_word(ending: Ending) -> &'static str {
    match ending {
        Ending::Single => "kind-single",
        Ending::Gammon => "kind-gammon",
        Ending::Backgammon => "kind-backgammon",
        Ending::Drop => "scoring-kind-dropped",
        Ending::Settlement => "statistics-settlement",
        Ending::Agreed => "statistics-drawn",
    }
}
