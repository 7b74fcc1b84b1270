//! Seasons: periods that a club names, and the rule by which it ranks its players over their nights.
//!
//! A night gives points for coming, points for the place by the night's score, the score itself, or several
//! of these together. All points are whole hundredths, because players who share places may get a fraction
//! each. Only chouettes count; the results of tournaments do not.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use chrono::{Days, NaiveDate};
use serde::{Deserialize, Serialize};

use crate::statistics::NightScores;
use owlbox_base::text::one_line;
use owlbox_base::values::{HalfPoints, InvalidValue, PlayerId, is_in_calendar};

owlbox_base::text!(
    /// The name of a season, as its table and its address show it.
    SeasonName, "season_name", "1 to 40 visible characters on one line", 40, one_line
);

/// A season and its rule, as it is written.
// As part of the settings it is a [`Season`], which has been checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SeasonRule {
    pub name: SeasonName,
    /// The first night that counts.
    pub from: NaiveDate,
    /// The last night that counts, 1,100 days after the first at most.
    pub until: NaiveDate,
    /// Points for every night a player comes, 0 to 1,000.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(maximum = 1000, example = 1))]
    pub coming: u32,
    /// Points for the places of a night by its score, the first place first: at most 20, each 1,000 at most
    /// and none higher than the one before it. Later places get nothing.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(max_items = 20, example = json!([10, 8, 6, 4, 2, 1])))]
    pub places: Vec<u32>,
    /// What players with the same score get for the places that they share.
    #[serde(default)]
    pub ties: Ties,
    /// Whether the points won or lost in a night count themselves.
    #[serde(default)]
    pub points_won: bool,
    /// How many of a player's best nights count, 1 to 400; null if all do.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 400, example = 10))]
    pub best_nights: Option<u32>,
    /// How many nights a player must have come to be placed, 400 at most.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(maximum = 400, example = 3))]
    pub least_nights: u32,
    /// Whether guests are ranked too. If not, the places of a night are those among members.
    #[serde(default)]
    pub guests: bool,
}

/// What players with the same score get for the places that they share in a night.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Ties {
    /// Each gets the average of the points for these places, rounded down to a hundredth.
    #[default]
    Average,
    /// Each gets the points for the best of these places.
    Best,
}

impl Ties {
    pub const ALL: [Self; 2] = [Self::Average, Self::Best];

    /// The name, as in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Average => "average",
            Self::Best => "best",
        }
    }
}

/// A season whose rule makes sense.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "SeasonRule", into = "SeasonRule")]
#[cfg_attr(feature = "schema", schema(value_type = SeasonRule))]
pub struct Season(SeasonRule);

impl Season {
    /// The longest season, in days after the first.
    pub const LONGEST: u64 = 1_100;
    /// The most places that get points.
    pub const MOST_PLACES: usize = 20;
    /// The most points for coming or for a place.
    pub const MOST_POINTS: u32 = 1_000;
    /// The most nights that a rule can ask for.
    pub const MOST_NIGHTS: u32 = 400;

    #[must_use]
    pub const fn rule(&self) -> &SeasonRule {
        &self.0
    }
}

impl TryFrom<SeasonRule> for Season {
    type Error = InvalidValue;
    fn try_from(rule: SeasonRule) -> Result<Self, InvalidValue> {
        let wrong = |what, allowed| Err(InvalidValue { what, allowed });
        let last = rule.from.checked_add_days(Days::new(Self::LONGEST));
        if !is_in_calendar(rule.from) || !is_in_calendar(rule.until) {
            return wrong("until", "days from 1900-01-01 to 2200-12-31");
        }
        if rule.until < rule.from || last.is_none_or(|last| rule.until > last) {
            return wrong("until", "a day from the first one on, at most 1,100 days later");
        }
        let falling = rule.places.windows(2).all(|two| matches!(two, [one, next] if one >= next));
        let too_many = rule.places.iter().any(|points| *points > Self::MOST_POINTS);
        if rule.places.len() > Self::MOST_PLACES || !falling || too_many {
            return wrong("places", "at most 20 numbers up to 1,000, none higher than the one before it");
        }
        if rule.coming > Self::MOST_POINTS {
            return wrong("coming", "0 to 1,000 points");
        }
        if rule.coming == 0 && !rule.points_won && rule.places.iter().all(|points| *points == 0) {
            return wrong("places", "points for coming, for places or for points won");
        }
        if rule.best_nights.is_some_and(|nights| nights == 0 || nights > Self::MOST_NIGHTS) {
            return wrong("best_nights", "1 to 400 nights");
        }
        if rule.least_nights > Self::MOST_NIGHTS {
            return wrong("least_nights", "0 to 400 nights");
        }
        Ok(Self(rule))
    }
}
impl From<Season> for SeasonRule {
    fn from(season: Season) -> Self {
        season.0
    }
}

/// A club's seasons, 20 at most, each with a name of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "Vec<Season>", into = "Vec<Season>")]
#[cfg_attr(feature = "schema", schema(value_type = Vec<Season>, max_items = 20))]
pub struct Seasons(Vec<Season>);

impl Seasons {
    pub const MAX: usize = 20;

    #[must_use]
    pub fn as_slice(&self) -> &[Season] {
        &self.0
    }

    /// The season of this name, however it is capitalised.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Season> {
        let wanted = name.to_lowercase();
        self.0.iter().find(|season| season.rule().name.as_str().to_lowercase() == wanted)
    }

    /// These seasons with `season` in place of the one called `was`, or added, the latest to begin first.
    ///
    /// # Errors
    /// There would be too many, or two of the same name.
    pub fn with(&self, was: Option<&str>, season: Season) -> Result<Self, InvalidValue> {
        let mut list = self.without(was.unwrap_or_default()).0;
        list.push(season);
        list.sort_by_key(|season| Reverse(season.rule().from));
        list.try_into()
    }

    /// These seasons without the one of this name.
    #[must_use]
    pub fn without(&self, name: &str) -> Self {
        let named = self.named(name);
        Self(self.0.iter().filter(|season| Some(*season) != named).cloned().collect())
    }
}

impl TryFrom<Vec<Season>> for Seasons {
    type Error = InvalidValue;
    fn try_from(list: Vec<Season>) -> Result<Self, InvalidValue> {
        let names: BTreeSet<String> =
            list.iter().map(|season| season.rule().name.as_str().to_lowercase()).collect();
        if list.len() > Self::MAX {
            return Err(InvalidValue { what: "seasons", allowed: "at most 20 seasons" });
        }
        if names.len() < list.len() {
            return Err(InvalidValue { what: "season_name", allowed: "a name that no other season has" });
        }
        Ok(Self(list))
    }
}
impl From<Seasons> for Vec<Season> {
    fn from(seasons: Seasons) -> Self {
        seasons.0
    }
}

/// A player's line in the table of a season.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeasonLine {
    /// Shared by all with the same points; `None` for who has come too seldom.
    pub place: Option<usize>,
    /// The points of the nights that count, in hundredths.
    pub hundredths: i64,
    /// The nights they came.
    pub nights: usize,
    /// How many of them count.
    pub counted: usize,
    /// The nights on which nobody had more.
    pub won: usize,
    /// Their score of all these nights.
    pub score: HalfPoints,
}

/// What a player got for a night.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OfNight {
    hundredths: i64,
    place: usize,
    score: HalfPoints,
}

/// The table of a season over these nights; those outside it do not count. `guests` are ranked only if the
/// rule says so.
#[must_use]
pub fn season_table(
    rule: &SeasonRule,
    nights: &[NightScores],
    guests: &BTreeSet<PlayerId>,
) -> BTreeMap<PlayerId, SeasonLine> {
    let mut players: BTreeMap<PlayerId, Vec<OfNight>> = BTreeMap::new();
    for night in nights.iter().filter(|night| (rule.from..=rule.until).contains(&night.night)) {
        let ranked = night.scores.iter().filter(|(player, _)| rule.guests || !guests.contains(player));
        let ranked = ranked.map(|(player, score)| (*player, *score)).collect();
        for (player, of_night) in points_of_night(rule, ranked) {
            players.entry(player).or_default().push(of_night);
        }
    }
    let mut lines: BTreeMap<PlayerId, SeasonLine> =
        players.into_iter().map(|(player, nights)| (player, line(rule, nights))).collect();
    let placed: Vec<i64> =
        lines.values().filter(|line| is_placed(rule, line)).map(|line| line.hundredths).collect();
    for line in lines.values_mut().filter(|line| is_placed(rule, line)) {
        line.place = Some(1 + placed.iter().filter(|points| **points > line.hundredths).count());
    }
    lines
}

fn is_placed(rule: &SeasonRule, line: &SeasonLine) -> bool {
    line.nights >= usize::try_from(rule.least_nights).unwrap_or(usize::MAX)
}

/// What everybody who is ranked gets for a night.
fn points_of_night(rule: &SeasonRule, mut scores: Vec<(PlayerId, HalfPoints)>) -> Vec<(PlayerId, OfNight)> {
    scores.sort_by_key(|(_, score)| Reverse(*score));
    let mut points = Vec::new();
    let mut place = 1;
    for alike in scores.chunk_by(|(_, one), (_, other)| one == other) {
        let for_place = for_places(rule, place, alike.len());
        points.extend(alike.iter().map(|(player, score)| {
            // Half a point is fifty hundredths.
            let won = if rule.points_won { score.0 * 50 } else { 0 };
            let hundredths = i64::from(rule.coming) * 100 + for_place + won;
            (*player, OfNight { hundredths, place, score: *score })
        }));
        place += alike.len();
    }
    points
}

/// What each of so many players who share the places from `place` on gets for them, in hundredths.
fn for_places(rule: &SeasonRule, place: usize, sharing: usize) -> i64 {
    let mut shared = rule.places.iter().skip(place - 1).take(sharing).map(|points| i64::from(*points) * 100);
    match rule.ties {
        Ties::Best => shared.next().unwrap_or(0),
        Ties::Average => {
            let sharing = i64::try_from(sharing).unwrap_or(i64::MAX);
            shared.sum::<i64>().checked_div(sharing).unwrap_or(0)
        }
    }
}

/// A player's line, without the place.
fn line(rule: &SeasonRule, mut nights: Vec<OfNight>) -> SeasonLine {
    nights.sort_by_key(|night| Reverse(night.hundredths));
    let counted = rule
        .best_nights
        .map_or(nights.len(), |best| usize::try_from(best).unwrap_or(usize::MAX).min(nights.len()));
    SeasonLine {
        place: None,
        hundredths: nights.iter().take(counted).map(|night| night.hundredths).sum(),
        nights: nights.len(),
        counted,
        won: nights.iter().filter(|night| night.place == 1).count(),
        score: nights.iter().map(|night| night.score).sum(),
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::seq::IndexedRandom as _;
    use rand::{RngExt as _, SeedableRng as _};
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;

    fn season(more: &Value) -> Result<Season, serde_json::Error> {
        let mut all = json!({"name": "Winter", "from": "2026-10-01", "until": "2027-03-31"});
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_value(all)
    }

    fn player(number: u128) -> PlayerId {
        PlayerId(Uuid::from_u128(number))
    }

    fn night(day: NaiveDate, scores: &[(u128, i64)]) -> NightScores {
        NightScores {
            night: day,
            tables: 1,
            games: 1,
            length: None,
            scores: scores.iter().map(|(number, score)| (player(*number), HalfPoints(*score))).collect(),
        }
    }

    fn day(number: u64) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 10, 1).unwrap() + Days::new(number)
    }

    /// Player, place, hundredths, nights, counted, won.
    fn told(
        rule: &Value,
        nights: &[NightScores],
        guests: &[u128],
    ) -> Vec<(u128, Option<usize>, i64, [usize; 3])> {
        let season = season(rule).unwrap();
        let guests = guests.iter().map(|number| player(*number)).collect();
        let lines = season_table(season.rule(), nights, &guests);
        lines
            .into_iter()
            .map(|(player, line)| {
                (player.0.as_u128(), line.place, line.hundredths, [line.nights, line.counted, line.won])
            })
            .collect()
    }

    #[test]
    fn places_coming_and_points_add_up_and_ties_share() {
        let nights = [
            night(day(0), &[(1, 8), (2, 2), (3, 2), (4, -12)]),
            night(day(7), &[(1, -3), (2, 3)]),
            night(day(400), &[(1, 100)]),
        ];
        let table = json!({"places": [10, 8, 6, 4], "coming": 1});
        assert_eq!(
            told(&table, &nights, &[]),
            [
                (1, Some(1), 1100 + 900, [2, 2, 1]),
                (2, Some(2), 800 + 1100, [2, 2, 1]),
                (3, Some(3), 800, [1, 1, 0]),
                (4, Some(4), 500, [1, 1, 0]),
            ],
            "second and third place share 8 and 6; the last night is after the season"
        );
        let best = told(&json!({"places": [10, 8, 6, 4], "ties": "best"}), &nights, &[]);
        assert_eq!(best.iter().map(|line| line.2).collect::<Vec<_>>(), [1800, 1800, 800, 400]);
        assert_eq!(best.iter().map(|line| line.1.unwrap()).collect::<Vec<_>>(), [1, 1, 3, 4]);
        let won = told(&json!({"points_won": true}), &nights, &[]);
        assert_eq!(won.iter().map(|line| line.2).collect::<Vec<_>>(), [250, 250, 100, -600]);
    }

    #[test]
    fn best_nights_least_nights_and_guests() {
        let nights = [
            night(day(0), &[(1, 4), (2, -4)]),
            night(day(1), &[(1, -2), (3, 2)]),
            night(day(2), &[(1, 6), (2, -6)]),
        ];
        let rule = json!({"places": [10, 5], "best_nights": 2, "least_nights": 2});
        assert_eq!(
            told(&rule, &nights, &[]),
            [(1, Some(1), 2000, [3, 2, 2]), (2, Some(2), 1000, [2, 2, 0]), (3, None, 1000, [1, 1, 1])]
        );
        let members = told(&rule, &nights, &[3]);
        assert_eq!(members[0], (1, Some(1), 2000, [3, 2, 3]), "among members the second night is won");
        assert_eq!(members.len(), 2);
        let rule = json!({"places": [10, 5], "guests": true});
        assert_eq!(told(&rule, &nights, &[3])[2], (3, Some(2), 1000, [1, 1, 1]));
    }

    #[test]
    fn three_who_share_places_get_whole_hundredths() {
        let nights = [night(day(0), &[(1, 0), (2, 0), (3, 0)])];
        let lines = told(&json!({"places": [10, 8, 5]}), &nights, &[]);
        assert!(lines.iter().all(|line| line.1 == Some(1) && line.2 == 766), "{lines:?}");
    }

    /// The points of one player, as a player would work them out on paper.
    fn naive(
        rule: &SeasonRule,
        nights: &[NightScores],
        guests: &BTreeSet<PlayerId>,
        who: PlayerId,
    ) -> (i64, usize) {
        let mut all = Vec::new();
        for night in nights {
            if night.night < rule.from || night.night > rule.until {
                continue;
            }
            let Some(own) = night.scores.get(&who) else { continue };
            let counts = |player: &PlayerId| rule.guests || !guests.contains(player);
            let others = || night.scores.iter().filter(|(player, _)| counts(player));
            let better = others().filter(|(_, score)| **score > *own).count();
            let alike = others().filter(|(_, score)| **score == *own).count();
            let of_place = |place: usize| rule.places.get(place).copied().map_or(0, i64::from);
            let place = match rule.ties {
                Ties::Best => of_place(better) * 100,
                Ties::Average => {
                    (better..better + alike).map(of_place).sum::<i64>() * 100 / i64::try_from(alike).unwrap()
                }
            };
            let won = if rule.points_won { own.0 * 50 } else { 0 };
            all.push(place + won + i64::from(rule.coming) * 100);
        }
        all.sort_unstable();
        let drop =
            rule.best_nights.map_or(0, |best| all.len().saturating_sub(usize::try_from(best).unwrap()));
        (all[drop..].iter().sum(), all.len())
    }

    #[test]
    fn a_second_computation_agrees_on_random_nights() {
        let mut chance = StdRng::seed_from_u64(2026);
        let mut shared = 0;
        for _ in 0..400 {
            let mut places: Vec<u32> =
                (0..chance.random_range(0..6)).map(|_| chance.random_range(0..12)).collect();
            places.sort_unstable_by_key(|points| Reverse(*points));
            let rule = SeasonRule {
                name: "Random".parse().unwrap(),
                from: day(3),
                until: day(chance.random_range(3..30)),
                coming: chance.random_range(0..3),
                places,
                ties: *Ties::ALL.choose(&mut chance).unwrap(),
                points_won: chance.random_bool(0.5),
                best_nights: chance.random_bool(0.5).then(|| chance.random_range(1..5)),
                least_nights: chance.random_range(0..4),
                guests: chance.random_bool(0.5),
            };
            let nights: Vec<NightScores> = (0..chance.random_range(0..12))
                .map(|number| {
                    let mut scores = Vec::new();
                    for who in 1..8 {
                        if chance.random_bool(0.6) {
                            scores.push((who, chance.random_range(-6..7)));
                        }
                    }
                    night(day(number * 3), &scores)
                })
                .collect();
            let guests: BTreeSet<PlayerId> = [player(2), player(5)].into();
            let lines = season_table(&rule, &nights, &guests);
            for number in 1..8 {
                let who = player(number);
                if !rule.guests && guests.contains(&who) {
                    assert!(!lines.contains_key(&who));
                    continue;
                }
                let (points, came) = naive(&rule, &nights, &guests, who);
                if came == 0 {
                    assert!(!lines.contains_key(&who));
                    continue;
                }
                let line = lines[&who];
                assert_eq!((line.hundredths, line.nights), (points, came), "{rule:?} {nights:?}");
                let enough = |line: &SeasonLine| line.nights >= usize::try_from(rule.least_nights).unwrap();
                let ahead = lines.values().filter(|other| enough(other) && other.hundredths > points).count();
                assert_eq!(line.place, enough(&line).then_some(ahead + 1));
                shared += usize::from(lines.values().filter(|other| other.place == line.place).count() > 1);
            }
        }
        assert!(shared > 100, "places are shared now and then: {shared}");
    }

    #[test]
    fn a_season_that_makes_no_sense_is_refused() {
        assert!(season(&json!({"coming": 1})).is_ok());
        assert!(season(&json!({"coming": 1, "best_nights": null, "places": []})).is_ok());
        let most = json!({"coming": 1000, "places": vec![1000; 20], "best_nights": 400, "least_nights": 400});
        assert!(season(&most).is_ok());
        for wrong in [
            json!({}),
            json!({"places": [0, 0]}),
            json!({"coming": 1001}),
            json!({"coming": -1}),
            json!({"places": [5, 6]}),
            json!({"places": [1001]}),
            json!({"places": vec![1; 21]}),
            json!({"coming": 1, "best_nights": 0}),
            json!({"coming": 1, "best_nights": 401}),
            json!({"coming": 1, "least_nights": 401}),
            json!({"coming": 1, "ties": "worst"}),
            json!({"coming": 1, "until": "2026-09-30"}),
            json!({"coming": 1, "until": "2029-12-31"}),
            json!({"coming": 1, "from": "1899-01-01"}),
            json!({"coming": 1, "name": " "}),
            json!({"coming": 1, "name": "x".repeat(41)}),
            json!({"coming": 1, "prize": 3}),
        ] {
            assert!(season(&wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_club_has_twenty_seasons_each_with_its_own_name() {
        let named =
            |name: &str, from: &str| season(&json!({"coming": 1, "name": name, "from": from})).unwrap();
        let mut seasons = Seasons::default();
        for number in 0..20 {
            seasons = seasons.with(None, named(&format!("Season {number}"), "2026-10-01")).unwrap();
        }
        assert_eq!(seasons.with(None, named("One more", "2026-10-01")).unwrap_err().what, "seasons");
        let newest = named("SEASON 3", "2026-11-01");
        let changed = seasons.with(Some("season 3"), newest.clone()).unwrap();
        assert_eq!((changed.as_slice().len(), &changed.as_slice()[0]), (20, &newest));
        let twice = seasons.without("Season 1").with(None, newest);
        assert_eq!(twice.unwrap_err().what, "season_name");
        assert_eq!(seasons.without("Season 7").as_slice().len(), 19);
        assert_eq!(seasons.without("nothing"), seasons);
        assert!(seasons.named("sEASON 19").is_some());
    }
}
