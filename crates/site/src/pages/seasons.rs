//! Seasons: the list, the table of each by the club's own rule, and the form for that rule.

use askama::Template;

use super::club_nights::Reader;
use super::frame::{Choice, Frame};
use owlbox_base::values::HalfPoints;
use owlbox_books::club::seasons::{SeasonRule, Seasons, Ties};
use owlbox_desk::nights::seasons::{SeasonPlayer, SeasonTable};
use owlbox_locale::spreadsheet;
use owlbox_locale::url::encoded;
use owlbox_locale::{Amount, Locale};

/// `/seasons`, and `/seasons/{name}/edit`, which is only the form.
#[derive(Debug, Template)]
#[template(path = "seasons.html")]
pub struct SeasonsPage {
    pub t: Locale,
    pub frame: Frame,
    /// Each season: address, name and days.
    pub seasons: Vec<(String, String, String)>,
    /// The form for a season, if the viewer may change settings.
    pub form: Option<SeasonForm>,
}

/// The form for a season's rule, as typed.
#[derive(Clone, Debug)]
pub struct SeasonForm {
    /// The name under which the season was saved. Empty for a new one.
    pub was: String,
    /// The fingerprint of the rule that it starts from.
    pub seen: String,
    pub name: String,
    pub days: [String; 2],
    pub coming: String,
    /// The points for the places of a night, separated by spaces.
    pub places: String,
    pub ties: Vec<Choice>,
    pub points_won: bool,
    pub best_nights: String,
    pub least_nights: String,
    pub guests: bool,
}

impl SeasonForm {
    /// The address to which the button posts that removes the season.
    #[must_use]
    pub fn removal(&self) -> String {
        format!("{}/remove", season_address(&self.was))
    }
}

/// `/seasons/{name}`
#[derive(Debug, Template)]
#[template(path = "season.html")]
pub struct SeasonPage {
    pub t: Locale,
    pub frame: Frame,
    pub name: String,
    pub days: String,
    /// The rule in sentences.
    pub rule: Vec<String>,
    pub nights: String,
    pub lines: Vec<SeasonLine>,
    pub csv: String,
    /// The address of the form, if the viewer may change the rule.
    pub edit: Option<String>,
}

/// A player's line.
#[derive(Clone, Debug)]
pub struct SeasonLine {
    /// `1.`, or a dash for who has come too seldom.
    pub place: String,
    pub name: String,
    pub link: String,
    pub guest: bool,
    pub points: String,
    /// The nights they came, with how many of them count if not all do.
    pub nights: String,
    pub won: usize,
    /// What they won in these nights.
    pub score: Amount,
}

/// The address of a season's page.
#[must_use]
pub fn season_address(name: &str) -> String {
    format!("/seasons/{}", encoded(name))
}

fn days(t: &Locale, rule: &SeasonRule) -> String {
    format!("{} – {}", t.day(rule.from), t.day(rule.until))
}

impl SeasonsPage {
    #[must_use]
    pub fn new(t: Locale, frame: Frame, seasons: &Seasons, form: Option<SeasonForm>) -> Self {
        let seasons = seasons.as_slice().iter().map(|season| {
            let rule = season.rule();
            (season_address(rule.name.as_str()), rule.name.to_string(), days(&t, rule))
        });
        Self { seasons: seasons.collect(), t, frame, form }
    }
}

/// The rule, a sentence for each part of it.
fn sentences(t: &Locale, rule: &SeasonRule) -> Vec<String> {
    let count = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    let places: Vec<String> = rule.places.iter().map(u32::to_string).collect();
    let ties = match rule.ties {
        Ties::Average => "season-says-average",
        Ties::Best => "season-says-best",
    };
    let has_places = rule.places.iter().any(|points| *points > 0);
    [
        (rule.coming > 0).then(|| t.count("season-says-coming", &count(rule.coming))),
        has_places.then(|| t.with("season-says-places", "places", places.join(" · "))),
        has_places.then(|| t.get(ties)),
        rule.points_won.then(|| t.get("season-says-won")),
        rule.best_nights.map(|nights| t.count("season-says-best-nights", &count(nights))),
        (rule.least_nights > 0).then(|| t.count("season-says-least", &count(rule.least_nights))),
        (!rule.guests).then(|| t.get("season-says-guests")),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Hundredths, with as many decimals as they need: `18`, `7.5`, `-2.33`.
fn season_points(t: &Locale, hundredths: i64) -> String {
    let decimals = match hundredths {
        whole if whole % 100 == 0 => 0,
        tenths if tenths % 10 == 0 => 1,
        _ => 2,
    };
    #[expect(clippy::cast_precision_loss, reason = "a few digits")]
    let number = hundredths as f64 / 100.0;
    t.decimals(number, decimals)
}

impl SeasonPage {
    #[must_use]
    pub fn new(t: Locale, frame: Frame, table: &SeasonTable, reader: Reader, may_change: bool) -> Self {
        let rule = &table.season;
        let address = season_address(rule.name.as_str());
        let line = |one: &SeasonPlayer| {
            let below =
                if reader.sees_ledgers || reader.player == Some(one.player) { "/statistics" } else { "" };
            SeasonLine {
                place: one.place.map_or_else(|| "–".to_owned(), |place| format!("{place}.")),
                name: one.name.clone(),
                link: format!("/players/{}{below}", one.player),
                guest: one.guest,
                points: season_points(&t, one.hundredths),
                nights: if one.counted < one.nights {
                    t.fill("season-counted", &[("counted", &one.counted), ("nights", &one.nights)])
                } else {
                    one.nights.to_string()
                },
                won: one.won,
                score: t.points(HalfPoints(one.half_points)),
            }
        };
        Self {
            name: rule.name.to_string(),
            days: days(&t, rule),
            rule: sentences(&t, rule),
            nights: t.count("season-nights", &table.nights),
            lines: table.players.iter().map(line).collect(),
            csv: format!("/api/v1{address}?{}", spreadsheet::query(&t)),
            edit: may_change.then(|| format!("{address}/edit")),
            t,
            frame,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn season_points_have_the_decimals_they_need() {
        let t = Locale::new(owlbox_locale::Language::English, chrono_tz::UTC);
        let told = [1800, 750, 766, -233, 0].map(|hundredths| season_points(&t, hundredths));
        assert_eq!(told, ["18", "7.5", "7.66", "-2.33", "0"]);
    }
}
