//! How seasons are drawn: the list with the form for a rule, and the table of each.

use askama::Template;

use super::{Form, HERE, rule_named};
use crate::pages::Frame;
use crate::say::Say;
use owlbox_books::club::seasons::{SeasonRule, Seasons, Ties};
use owlbox_desk::fingerprint;
use owlbox_desk::nights::seasons::{SeasonPlayer, SeasonTable};
use owlbox_locale::Locale;
use owlbox_locale::spreadsheet;
use owlbox_locale::url::encoded;

/// `/seasons`, and `/seasons/{name}/edit`, which is only the form.
#[derive(Template)]
#[template(path = "seasons.html")]
pub(crate) struct SeasonsPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    /// The club's seasons.
    pub seasons: &'a Seasons,
    /// Whether they are listed.
    pub is_list: bool,
    /// The form for a season, as typed, if the viewer may change settings.
    pub form: Option<Form>,
}

/// `/seasons/{name}`
#[derive(Template)]
#[template(path = "season.html")]
pub(crate) struct SeasonPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub table: &'a SeasonTable,
}

/// The address of a season's page.
pub(super) fn season_address(name: &str) -> String {
    format!("/seasons/{}", encoded(name))
}

fn days(t: &Locale, rule: &SeasonRule) -> String {
    format!("{} – {}", t.day(rule.from), t.day(rule.until))
}

impl SeasonsPage<'_> {
    /// The rules of the seasons on the list.
    fn rules(&self) -> Vec<&SeasonRule> {
        self.seasons.as_slice().iter().filter(|_| self.is_list).map(|season| season.rule()).collect()
    }

    fn address(&self, name: &str) -> String {
        season_address(name)
    }

    fn days(&self, rule: &SeasonRule) -> String {
        days(&self.t, rule)
    }

    /// The fingerprint of the rule that a form starts from.
    fn seen(&self, was: &str) -> String {
        fingerprint(&rule_named(self.seasons, was))
    }

    fn ties(&self) -> [(&'static str, &'static str); 2] {
        Ties::ALL.map(|one| {
            let label = match one {
                Ties::Average => "season-ties-average",
                Ties::Best => "season-ties-best",
            };
            (one.name(), label)
        })
    }
}

impl SeasonPage<'_> {
    fn address(&self) -> String {
        season_address(self.table.season.name.as_str())
    }

    fn days(&self) -> String {
        days(&self.t, &self.table.season)
    }

    fn rule(&self) -> Vec<String> {
        sentences(&self.t, &self.table.season)
    }

    fn csv(&self) -> String {
        format!("/api/v1{}?{}", self.address(), spreadsheet::query(&self.t))
    }

    fn points(&self, one: &SeasonPlayer) -> String {
        season_points(&self.t, one.hundredths)
    }

    /// The nights a player came, with how many of them count if not all do.
    fn nights(&self, one: &SeasonPlayer) -> String {
        if one.counted < one.nights {
            self.t.fill("season-counted", &[("counted", &one.counted), ("nights", &one.nights)])
        } else {
            one.nights.to_string()
        }
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
