//! A year, a month or a night of the club: who came, who won and lost, how the games ended.
//!
//! The bars stand in pairs, games and players; they differ by pattern, and every figure is in the table below.

use std::collections::BTreeSet;

use askama::Template;
use chrono::Datelike as _;

use super::frame::Frame;
use super::statistics::{Table, breakdown};
use owlbox_base::values::{Currency, HalfPoints, MinorUnits, PlayerId};
use owlbox_books::statistics::{ClubSpan, Month, Record};
use owlbox_desk::nights::periods::{ClubNight, ClubPeriodScreen, MonthOfNights, PlayerNights};
use owlbox_locale::spreadsheet;
use owlbox_locale::{Amount, Locale};

/// `/club/years/{year}`, `/club/years/{year}/{month}` and `/club/nights/{date}`.
#[derive(Debug, Template)]
#[template(path = "club_nights.html")]
pub struct ClubNightsPage {
    pub t: Locale,
    pub frame: Frame,
    pub title: String,
    /// The longer spans that this one is part of: address and label.
    pub within: Vec<(String, String)>,
    /// The span before and the one after it: address and label.
    pub before: Option<(String, String)>,
    pub after: Option<(String, String)>,
    pub csv: String,
    /// The statistics of all games in these days, matches included.
    pub all_games: String,
    pub nights: usize,
    pub games: i64,
    pub players_in_all: usize,
    /// What there is on average: label and number.
    pub averages: Vec<(String, String)>,
    pub bars: Option<Bars>,
    /// What the bars and lines stand for: nights or months.
    pub is_year: bool,
    /// A line for each night of a month or month of a year. Empty for a night.
    pub lines: Vec<SpanLine>,
    /// The tables of a night: address, name and games. Empty for a month or a year.
    pub tables: Vec<(String, String, String)>,
    pub players: Vec<PlayerLine>,
    /// The currencies with a column.
    pub currencies: Vec<String>,
    /// How the games ended, one table for each property.
    pub counted: Vec<Table>,
    pub total: Record,
}

/// A night or a month.
#[derive(Clone, Debug)]
pub struct SpanLine {
    pub label: String,
    pub link: String,
    /// The number of nights, for a month.
    pub nights: usize,
    /// How many came, for a month on average.
    pub players: String,
    pub games: i64,
    /// The points that changed hands.
    pub points: String,
    /// How long the night was, if that is known.
    pub length: Option<String>,
}

/// A player's nights.
#[derive(Clone, Debug)]
pub struct PlayerLine {
    pub name: String,
    pub link: String,
    pub guest: bool,
    pub nights: usize,
    pub ahead: usize,
    pub behind: usize,
    pub points: Amount,
    /// An amount for each currency with a column; `None` if the reader may not see them.
    pub money: Vec<Amount>,
}

/// Who looks at the page.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reader {
    pub player: Option<PlayerId>,
    pub sees_ledgers: bool,
}

/// Two bars for each night or month: its games, and its players.
#[derive(Clone, Debug)]
pub struct Bars {
    pub title: String,
    pub description: String,
    pub width: usize,
    pub pairs: Vec<BarPair>,
}

#[derive(Clone, Debug)]
pub struct BarPair {
    /// The left edge and the width of each bar, and the middle of both.
    pub left: [usize; 2],
    pub wide: usize,
    pub middle: usize,
    /// The heights of the two, and where they begin.
    pub heights: [usize; 2],
    pub tops: [usize; 2],
    /// The figures above them, if they have room.
    pub figures: Option<[String; 2]>,
    /// The day or the month below them, if it has room.
    pub label: Option<String>,
    /// What a pointer is told.
    pub said: String,
}

impl Bars {
    /// The height of the tallest bar.
    const TALL: usize = 100;
    /// Where the bars stand: above it is room for figures.
    pub const GROUND: usize = 118;
    const WIDTH: usize = 372;

    /// `None` for fewer than two nights or months: there is nothing to compare. Each has its short label, what is
    /// said of it, its games and its players.
    fn new(title: String, description: String, spans: &[(String, String, i64, i64)]) -> Option<Self> {
        let count = Some(spans.len()).filter(|count| *count > 1)?;
        let size = |number: i64| usize::try_from(number).unwrap_or_default();
        let most = spans.iter().map(|(_, _, games, players)| size(*games.max(players))).max()?.max(1);
        let room = (Self::WIDTH / count).max(4);
        let wide = (room.saturating_sub(3) / 2).clamp(1, 24);
        // A digit is about seven wide.
        let has_room = most.to_string().len() * 7 <= wide + 2;
        let pair = |(at, (label, said, games, players)): (usize, &(String, String, i64, i64))| {
            let middle = room * at + room / 2;
            let heights = [*games, *players].map(|number| size(number) * Self::TALL / most);
            BarPair {
                left: [middle - wide.min(middle), middle],
                wide,
                middle,
                heights,
                tops: heights.map(|height| Self::GROUND - height),
                figures: has_room.then(|| [games.to_string(), players.to_string()]),
                label: (label.chars().count() * 7 <= room).then(|| label.clone()),
                said: said.clone(),
            }
        };
        let pairs = spans.iter().enumerate().map(pair).collect();
        Some(Self { title, description, width: room * count, pairs })
    }
}

/// How a span is called.
#[must_use]
pub fn title(t: &Locale, span: ClubSpan) -> String {
    match span {
        ClubSpan::Year(year) => year.to_string(),
        ClubSpan::Month(month) => t.month(month),
        ClubSpan::Night(day) => t.day(day),
    }
}

/// The address of a span's page; that of the API has the same below its own.
#[must_use]
pub fn span_address(span: ClubSpan) -> String {
    match span {
        ClubSpan::Year(year) => format!("/club/years/{year}"),
        ClubSpan::Month(Month { year, month }) => format!("/club/years/{year}/{month}"),
        ClubSpan::Night(day) => format!("/club/nights/{day}"),
    }
}

fn way(t: &Locale, span: ClubSpan) -> (String, String) {
    (span_address(span), title(t, span))
}

impl ClubNightsPage {
    #[must_use]
    pub fn new(t: Locale, frame: Frame, span: ClubSpan, screen: &ClubPeriodScreen, reader: Reader) -> Self {
        let period = &screen.period;
        let first = period.from;
        let within = match span {
            ClubSpan::Year(_) => Vec::new(),
            ClubSpan::Month(_) => vec![ClubSpan::Year(first.year())],
            ClubSpan::Night(_) => vec![ClubSpan::Year(first.year()), ClubSpan::Month(first.into())],
        };
        let [before, after] = screen.neighbours.map(|other| other.map(|other| way(&t, other)));
        let here = span_address(span);
        let currencies: BTreeSet<Currency> = period
            .players
            .iter()
            .flat_map(|one| one.money.iter().flatten())
            .map(|won| won.currency)
            .collect();
        let (_, _, counted) = breakdown(&t, &period.games, |_| (String::new(), None));
        let is_night = matches!(span, ClubSpan::Night(_));
        Self {
            title: title(&t, span),
            within: within.into_iter().map(|span| way(&t, span)).collect(),
            before,
            after,
            csv: format!("/api/v1{here}?{}", spreadsheet::query(&t)),
            all_games: format!("/statistics?from={}&until={}", period.from, period.until),
            nights: period.nights.len(),
            games: period.nights.iter().map(|night| night.games).sum(),
            players_in_all: period.players.len(),
            averages: averages(&t, screen, is_night),
            bars: bars(&t, span, screen),
            is_year: matches!(span, ClubSpan::Year(_)),
            lines: lines(&t, span, screen),
            tables: screen
                .tables
                .iter()
                .filter(|_| is_night)
                .map(|(id, name, games)| {
                    let games = usize::try_from(*games).unwrap_or_default();
                    (format!("/chouettes/{id}"), name.clone(), t.count("games-count", &games))
                })
                .collect(),
            players: period.players.iter().map(|one| player(&t, one, &currencies, reader)).collect(),
            currencies: currencies.iter().map(ToString::to_string).collect(),
            counted: counted.into_iter().filter(|table| table.id != "kind").collect(),
            total: period.games.total,
            frame,
            t,
        }
    }
}

fn player(t: &Locale, one: &PlayerNights, currencies: &BTreeSet<Currency>, reader: Reader) -> PlayerLine {
    let below = if reader.sees_ledgers || reader.player == Some(one.player) { "/statistics" } else { "" };
    let won = |currency: &Currency| {
        let won = one.money.iter().flatten().find(|won| won.currency == *currency);
        t.money_alone(MinorUnits(won.map_or(0, |won| won.amount)), *currency)
    };
    PlayerLine {
        name: one.name.clone(),
        link: format!("/players/{}{below}", one.player),
        guest: one.guest,
        nights: one.nights,
        ahead: one.ahead,
        behind: one.behind,
        points: t.points(HalfPoints(one.half_points)),
        money: currencies.iter().map(won).collect(),
    }
}

/// Hundredths with at most one decimal.
fn about(t: &Locale, hundredths: i64) -> String {
    let tenths = (hundredths + 5) / 10;
    #[expect(clippy::cast_precision_loss, reason = "a few digits")]
    let number = tenths as f64 / 10.0;
    t.decimals(number, usize::from(tenths % 10 != 0))
}

fn length(minutes: i64) -> String {
    format!("{}:{:02}", minutes / 60, minutes % 60)
}

fn averages(t: &Locale, screen: &ClubPeriodScreen, is_night: bool) -> Vec<(String, String)> {
    let of = screen.period.averages;
    // Of a single night the games and players are counted above.
    let a_night = |number: Option<i64>| number.filter(|_| !is_night).map(|number| about(t, number));
    let length_label = if is_night { "club-length" } else { "club-length-average" };
    [
        ("club-games-a-night", a_night(of.games)),
        ("club-players-a-night", a_night(of.players)),
        // Hundredths of half points are two hundredths of a point each.
        ("club-points-a-game", of.half_points.map(|number| about(t, number / 2))),
        (length_label, of.minutes.map(|number| length((number + 50) / 100))),
    ]
    .into_iter()
    .filter_map(|(label, text)| Some((t.get(label), text?)))
    .collect()
}

fn lines(t: &Locale, span: ClubSpan, screen: &ClubPeriodScreen) -> Vec<SpanLine> {
    let points = |half_points: i64| t.how_many(HalfPoints(half_points));
    let night = |night: &ClubNight| SpanLine {
        label: t.day(night.night),
        link: span_address(ClubSpan::Night(night.night)),
        nights: 1,
        players: night.players.to_string(),
        games: night.games,
        points: points(night.half_points),
        length: night.minutes.map(length),
    };
    let month = |(month, of): (Month, MonthOfNights)| SpanLine {
        label: t.month(month),
        link: span_address(ClubSpan::Month(month)),
        nights: of.nights,
        players: of.players.to_string(),
        games: of.games,
        points: points(of.half_points),
        length: None,
    };
    match span {
        ClubSpan::Year(_) => screen.period.months().into_iter().map(month).collect(),
        ClubSpan::Month(_) => screen.period.nights.iter().map(night).collect(),
        ClubSpan::Night(_) => Vec::new(),
    }
}

fn bars(t: &Locale, span: ClubSpan, screen: &ClubPeriodScreen) -> Option<Bars> {
    let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let said = |label: String, games: i64, players: i64| {
        let said = t.fill("club-bar", &[("games", &games), ("players", &players)]);
        t.labelled(label, said)
    };
    let spans: Vec<(String, String, i64, i64)> = match span {
        ClubSpan::Year(year) => {
            let months = screen.period.months();
            let of = |month: u32| {
                let month = Month { year, month };
                let of = months.get(&month).copied().unwrap_or_default();
                let players = count(of.players);
                (month.month.to_string(), said(t.month(month), of.games, players), of.games, players)
            };
            (1..=12).filter(|_| !months.is_empty()).map(of).collect()
        }
        ClubSpan::Month(_) => {
            let of = |night: &ClubNight| {
                let players = count(night.players);
                let day = night.night.format("%-d").to_string();
                (day, said(t.day(night.night), night.games, players), night.games, players)
            };
            screen.period.nights.iter().map(of).collect()
        }
        ClubSpan::Night(_) => Vec::new(),
    };
    let (title, description) = match span {
        ClubSpan::Year(_) => ("club-bars-months", "club-bars-months-lead"),
        ClubSpan::Month(_) | ClubSpan::Night(_) => ("club-bars-nights", "club-bars-nights-lead"),
    };
    Bars::new(t.get(title), t.get(description), &spans)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(figures: &[(i64, i64)]) -> Vec<(String, String, i64, i64)> {
        figures.iter().map(|(games, players)| ("20".to_owned(), String::new(), *games, *players)).collect()
    }

    #[test]
    fn bars_stand_side_by_side_on_one_ground_and_the_tallest_has_the_whole_height() {
        let bars = Bars::new(String::new(), String::new(), &spans(&[(20, 5), (10, 6), (0, 0)])).unwrap();
        for pair in &bars.pairs {
            let [games, players] = pair.left;
            assert_eq!(games + pair.wide, players, "side by side");
            assert!(players + pair.wide <= bars.width);
            for (top, height) in pair.tops.iter().zip(pair.heights) {
                assert_eq!(top + height, Bars::GROUND);
            }
        }
        let heights: Vec<[usize; 2]> = bars.pairs.iter().map(|pair| pair.heights).collect();
        assert_eq!(heights, [[100, 25], [50, 30], [0, 0]]);
    }

    #[test]
    fn figures_are_left_out_where_they_would_run_into_each_other_and_one_night_has_no_bars() {
        let many = Bars::new(String::new(), String::new(), &spans(&[(120, 60); 31])).unwrap();
        assert!(many.pairs.iter().all(|pair| pair.figures.is_none() && pair.label.is_none()));
        assert!(many.pairs.last().unwrap().left[1] < many.width);
        let few = Bars::new(String::new(), String::new(), &spans(&[(12, 6); 4])).unwrap();
        assert!(few.pairs.iter().all(|pair| pair.figures.is_some() && pair.label.is_some()));
        assert!(Bars::new(String::new(), String::new(), &spans(&[(12, 6)])).is_none());
    }

    #[test]
    fn averages_have_one_decimal_unless_they_are_whole() {
        let t = Locale::new(owlbox_locale::Language::English, chrono_tz::UTC);
        let told = [700, 733, 745, 705, 4].map(|hundredths| about(&t, hundredths));
        assert_eq!(told, ["7", "7.3", "7.5", "7.1", "0"]);
        assert_eq!([0, 59, 245].map(length), ["0:00", "0:59", "4:05"]);
    }
}
