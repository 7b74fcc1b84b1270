//! Nights, months, years and seasons counted from the tables of the year.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Datelike as _, NaiveDate};
use serde_json::Value;

use super::games::Table;
use super::journal::{day, list, number, text};
use super::same;
use crate::support::client::Client;

/// Tables, games, players, half points, and minutes where they are known.
type Night = ([i64; 4], Option<i64>);

/// The tables of each night.
fn nights(tables: &[Table]) -> BTreeMap<NaiveDate, Vec<&Table>> {
    let mut nights: BTreeMap<NaiveDate, Vec<&Table>> = BTreeMap::new();
    for table in tables {
        nights.entry(table.night).or_default().push(table);
    }
    nights
}

/// What everybody had at the end of a night.
fn scores(tables: &[&Table]) -> BTreeMap<String, i64> {
    let mut scores: BTreeMap<String, i64> = BTreeMap::new();
    for (player, score) in tables.iter().flat_map(|table| &table.scores) {
        *scores.entry(player.clone()).or_default() += score;
    }
    scores
}

fn night(tables: &[&Table]) -> Night {
    let scores = scores(tables);
    let won: i64 = scores.values().filter(|score| **score > 0).sum();
    let count = |many: usize| i64::try_from(many).unwrap();
    let games = tables.iter().map(|table| table.games).sum();
    let opened = tables.iter().map(|table| table.opened).min().unwrap();
    let closed: Option<Vec<_>> = tables.iter().map(|table| table.closed).collect();
    let minutes = closed.map(|closed| (closed.into_iter().max().unwrap() - opened).num_minutes());
    ([count(tables.len()), games, count(scores.len()), won], minutes.filter(|minutes| *minutes < 24 * 60))
}

/// Compares every night, every month and every year with what its tables come to.
pub(super) fn compare(client: &Client, tables: &[Table], guests: &BTreeSet<String>) {
    let nights = nights(tables);
    let mut spans: BTreeMap<String, Vec<NaiveDate>> = BTreeMap::new();
    for night in nights.keys() {
        let (year, month) = (night.year(), night.month());
        for span in [format!("years/{year}"), format!("years/{year}/{month}"), format!("nights/{night}")] {
            spans.entry(span).or_default().push(*night);
        }
    }
    for (span, of_span) in spans {
        let answer = client.get(&format!("/api/v1/club/{span}")).good().body;
        let told: Vec<(NaiveDate, Night)> = list(&answer["nights"])
            .iter()
            .map(|one| {
                let figures = ["tables", "games", "players", "half_points"].map(|field| number(&one[field]));
                (day(&one["night"]), (figures, one["minutes"].as_i64()))
            })
            .collect();
        let expected: Vec<(NaiveDate, Night)> =
            of_span.iter().map(|date| (*date, night(&nights[date]))).collect();
        assert_eq!(told, expected, "{span}");
        let of_span: Vec<&Vec<&Table>> = of_span.iter().map(|night| &nights[night]).collect();
        same(&who_came(&answer), &attendance(&of_span), &span);
        for player in list(&answer["players"]) {
            assert_eq!(player["guest"] == true, guests.contains(text(&player["player"])));
        }
    }
}

/// Nights, ahead, behind and half points, and the money by currency.
type Came = ([i64; 4], BTreeMap<String, i64>);

fn who_came(answer: &Value) -> BTreeMap<String, Came> {
    let line = |one: &Value| {
        let figures = ["nights", "ahead", "behind", "half_points"].map(|field| number(&one[field]));
        let money = list(&one["money"]).iter();
        let money = money.map(|money| (text(&money["currency"]).to_owned(), number(&money["amount"])));
        (text(&one["player"]).to_owned(), (figures, money.collect()))
    };
    list(&answer["players"]).iter().map(line).collect()
}

fn attendance(nights: &[&Vec<&Table>]) -> BTreeMap<String, Came> {
    let mut came: BTreeMap<String, Came> = BTreeMap::new();
    for tables in nights {
        for (player, score) in scores(tables) {
            let ([nights, ahead, behind, points], _) = came.entry(player).or_default();
            *nights += 1;
            *ahead += i64::from(score > 0);
            *behind += i64::from(score < 0);
            *points += score;
        }
        for table in tables.iter().filter(|table| table.stake.is_object()) {
            for (player, score) in &table.scores {
                let (_, money) = came.get_mut(player).unwrap();
                let worth = score * number(&table.stake["amount"]) / 2;
                *money.entry(text(&table.stake["currency"]).to_owned()).or_default() += worth;
            }
        }
    }
    came
}

/// A line of a season's table: place, hundredths, nights, nights that count, half points.
type Ranked = (Option<i64>, [i64; 3]);

/// Compares the table of every season with its rule, worked out night by night.
pub(super) fn compare_seasons(client: &Client, tables: &[Table], guests: &BTreeSet<String>) {
    let settings = client.get("/api/v1/settings").good().body;
    let seasons = list(&settings["seasons"]);
    assert_eq!(seasons.len(), 2);
    for season in seasons {
        let name = text(&season["name"]).replace(' ', "%20");
        let answer = client.get(&format!("/api/v1/seasons/{name}")).good().body;
        let told: BTreeMap<String, Ranked> = list(&answer["players"])
            .iter()
            .map(|one| {
                let figures = ["hundredths", "nights", "counted"].map(|field| number(&one[field]));
                (text(&one["player"]).to_owned(), (one["place"].as_i64(), figures))
            })
            .collect();
        same(&told, &ranked(season, &nights(tables), guests), &name);
    }
}

fn ranked(
    season: &Value,
    nights: &BTreeMap<NaiveDate, Vec<&Table>>,
    guests: &BTreeSet<String>,
) -> BTreeMap<String, Ranked> {
    let mut won: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for (_, tables) in nights.range(day(&season["from"])..=day(&season["until"])) {
        let mut scores = scores(tables);
        scores.retain(|player, _| season["guests"] == true || !guests.contains(player));
        for (player, score) in &scores {
            let better = scores.values().filter(|other| *other > score).count();
            let alike = scores.values().filter(|other| *other == score).count();
            let of_place = |place: usize| season["places"].get(place).map_or(0, number);
            let for_place = if season["ties"] == "best" {
                100 * of_place(better)
            } else {
                (better..better + alike).map(of_place).sum::<i64>() * 100 / i64::try_from(alike).unwrap()
            };
            let for_points = if season["points_won"] == true { 50 * score } else { 0 };
            let hundredths = 100 * number(&season["coming"]) + for_place + for_points;
            won.entry(player.clone()).or_default().push(hundredths);
        }
    }
    let least = number(&season["least_nights"]);
    let lines: BTreeMap<String, [i64; 3]> = won
        .into_iter()
        .map(|(player, mut nights)| {
            nights.sort_unstable_by(|one, other| other.cmp(one));
            let came = nights.len();
            nights
                .truncate(season["best_nights"].as_u64().map_or(came, |best| usize::try_from(best).unwrap()));
            let count = |many: usize| i64::try_from(many).unwrap();
            (player, [nights.iter().sum(), count(came), count(nights.len())])
        })
        .collect();
    let placed = |[_, came, _]: &&[i64; 3]| *came >= least;
    let place = |line: &[i64; 3]| {
        1 + i64::try_from(lines.values().filter(placed).filter(|other| other[0] > line[0]).count()).unwrap()
    };
    lines.iter().map(|(player, line)| (player.clone(), (placed(&line).then(|| place(line)), *line))).collect()
}
