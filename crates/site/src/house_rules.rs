//! House rules: the sets, what each one says, and the form for writing one.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template as _;

use super::form::{Form, invalid};
use super::visitor::{self, Visitor, redirect};
use crate::pages::rule_words::{about, label, matters, meaning, preset_about, preset_name};
use crate::pages::{
    Choice, Control, Frame, HouseRulesPage, RuleCard, RuleField, RuleLine, RuleSetForm, RuleSetPage, Tab,
    groups,
};
use owlbox_base::code::Code;
use owlbox_base::permissions::Permission;
use owlbox_base::values::InvalidValue;
use owlbox_books::club::{Club, RuleSet, RuleSetName};
use owlbox_chouette::HouseRules;
use owlbox_chouette::rules::Contradiction;
use owlbox_chouette::rules::catalogue::{self, ChosenValue, Kind, Setting, SettingValue};
use owlbox_chouette::rules::preset::COMMON;
use owlbox_desk::club::house_rules::InPlaceOf;
use owlbox_desk::fingerprint;
use owlbox_desk::{Refused, Request};
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_locale::url::encoded;

pub(super) async fn list(visitor: Visitor) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewTables)?;
    let t = visitor.t;
    let (ready, own) = visitor.club.state.rule_sets().partition::<Vec<_>, _>(|set| set.is_preset);
    let cards = |sets: Vec<RuleSet<'_>>| sets.into_iter().map(|set| card(&t, set)).collect();
    let page = HouseRulesPage {
        t,
        frame: visitor.frame(&t.get("house-rules-title"), Some(Tab::Rules)),
        own: cards(own),
        ready: cards(ready),
        may_manage: visitor.may(Permission::ManageHouseRules),
    };
    visitor::html(StatusCode::OK, page.render())
}

/// The name of a set as pages show it.
pub(super) fn shown_name(t: &Locale, set: RuleSet<'_>) -> String {
    if set.is_preset { preset_name(t, set.name) } else { set.name.to_owned() }
}

fn card(t: &Locale, set: RuleSet<'_>) -> RuleCard {
    let differences = catalogue::differences(&HouseRules::default(), set.rules);
    let matters = differences.into_iter().filter(|setting| matters(set.rules, setting.key));
    RuleCard {
        address: format!("/house-rules/{}", encoded(set.name)),
        name: shown_name(t, set),
        about: set.is_preset.then(|| preset_about(t, set.name)),
        differences: matters
            .map(|setting| {
                (label(t, setting), meaning(t, setting, &catalogue::value(set.rules, setting.key)))
            })
            .collect(),
    }
}

fn found<'a>(visitor: &'a Visitor, name: &str) -> Result<RuleSet<'a>, Problem> {
    Ok(visitor.club.state.rule_set(name).ok_or(Refused::NotFound("house rules"))?)
}

pub(super) async fn show(visitor: Visitor, name: web::Path<String>) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewTables)?;
    let set = found(&visitor, &name)?;
    let frame = visitor.frame(&shown_name(&visitor.t, set), Some(Tab::Rules));
    set_page(&visitor, frame, set, StatusCode::OK)
}

fn set_page(
    visitor: &Visitor,
    frame: Frame,
    set: RuleSet<'_>,
    status: StatusCode,
) -> Result<HttpResponse, Problem> {
    let t = visitor.t;
    let common = HouseRules::default();
    let line = |key: &str| {
        let setting = catalogue::setting(key).filter(|_| matters(set.rules, key))?;
        let value = catalogue::value(set.rules, key);
        Some(RuleLine {
            label: label(&t, setting),
            about: about(&t, setting),
            meaning: meaning(&t, setting, &value),
            differs: value != catalogue::value(&common, key),
        })
    };
    let page = RuleSetPage {
        t,
        frame,
        card: card(&t, set),
        is_preset: set.is_preset,
        may_manage: visitor.may(Permission::ManageHouseRules),
        groups: groups(&t, line),
    };
    visitor::html(status, page.render())
}

/// A set as it is being written, with its mistakes.
struct Draft {
    /// The name of the set it started from.
    from: String,
    /// The fingerprint of the rules it started from.
    seen: String,
    /// The name to save it under.
    name: String,
    typed: BTreeMap<&'static str, String>,
    /// What is wrong with the name.
    name_error: Option<String>,
    /// What is wrong with settings, by key.
    errors: BTreeMap<&'static str, String>,
}

impl Draft {
    /// A copy of a set, to be changed. Where the set is not the club's own, a new name has to be given.
    fn new(set: RuleSet<'_>) -> Self {
        let written = |setting: &Setting| catalogue::value(set.rules, setting.key).to_string();
        Self {
            from: set.name.to_owned(),
            seen: fingerprint(set.rules),
            name: if set.is_preset { String::new() } else { set.name.to_owned() },
            typed: catalogue::settings().iter().map(|setting| (setting.key, written(setting))).collect(),
            name_error: None,
            errors: BTreeMap::new(),
        }
    }

    /// Reads a posted form. A setting that is missing has its default.
    fn sent(form: &Form) -> Self {
        let typed = catalogue::settings().iter().map(|setting| {
            let default = || setting.default.to_string();
            (setting.key, form.all(setting.key).next().map_or_else(default, |text| text.trim().to_owned()))
        });
        Self {
            from: form.some("from").unwrap_or(COMMON).to_owned(),
            seen: form.text("seen").to_owned(),
            name: form.text("name").to_owned(),
            typed: typed.collect(),
            name_error: None,
            errors: BTreeMap::new(),
        }
    }

    /// The name and the rules of the draft. Mistakes are kept beside their fields.
    fn read(&mut self, t: &Locale) -> Result<(RuleSetName, HouseRules), Problem> {
        let name = self.name.parse::<RuleSetName>().map_err(|error: InvalidValue| invalid("name", &error));
        if let Err(problem) = &name {
            self.name_error = Some(t.error(problem.code));
        }
        let settings = catalogue::settings().iter();
        let chosen: Vec<ChosenValue> = settings
            .map(|setting| ChosenValue { setting, value: setting.read(&self.typed[setting.key]) })
            .collect();
        let rules = catalogue::assemble(&chosen).map_err(|keys| {
            self.errors.extend(keys.iter().map(|key| (*key, t.get("house-rules-bad-value"))));
            invalid("rules", &InvalidValue { what: "rules", allowed: "an option of each setting" })
        })?;
        let rules = rules.without_what_needs_a_cube();
        if let Err(contradiction) = rules.check_chosen() {
            self.clash(t, contradiction);
            return Err(Refused::from(contradiction).into());
        }
        Ok((name?, rules))
    }

    /// What saving may replace: the set that the draft started from, as it was then, and never another of the
    /// same name.
    fn in_place_of(&self, club: &Club, name: &RuleSetName) -> InPlaceOf {
        let own = |name: &str| club.rule_set(name).filter(|set| !set.is_preset).map(|set| set.name);
        match (own(&self.from), own(name.as_str())) {
            (Some(from), Some(over)) if from == over => InPlaceOf::Seen(self.seen.clone()),
            _ => InPlaceOf::Nothing,
        }
    }

    /// Reports a contradiction at both of its settings.
    fn clash(&mut self, t: &Locale, Contradiction { one, other, .. }: Contradiction) {
        for (key, with) in [(one, other), (other, one)] {
            let with = catalogue::setting(with).map(|setting| label(t, setting)).unwrap_or_default();
            self.errors.insert(key, t.with("house-rules-clash", "other", with));
        }
    }

    fn page(
        self,
        visitor: &Visitor,
        frame: impl FnOnce(&str) -> Frame,
        status: StatusCode,
    ) -> Result<HttpResponse, Problem> {
        let t = visitor.t;
        let own = visitor.club.state.rule_set(&self.from).filter(|set| !set.is_preset);
        let title = own.map_or_else(
            || t.get("house-rules-new-title"),
            |set| t.with("house-rules-edit-title", "name", set.name),
        );
        let here = format!("/house-rules/{}/edit", encoded(&self.from));
        let page = RuleSetForm {
            t,
            frame: Frame { here, ..frame(&title) },
            groups: groups(&t, |key| self.field(&t, catalogue::setting(key)?)),
            from: self.from,
            seen: self.seen,
            name: self.name,
            name_error: self.name_error,
        };
        visitor::html(status, page.render())
    }

    fn field(&self, t: &Locale, setting: &'static Setting) -> Option<RuleField> {
        let typed = self.typed.get(setting.key)?;
        let choice = |value: String| {
            let label = meaning(t, setting, &setting.read(&value));
            let chosen = value == *typed;
            Choice::new(value, label, chosen)
        };
        let control = match &setting.kind {
            Kind::Choice { options } => {
                Control::Select(options.iter().map(|option| choice(option.option.clone())).collect())
            }
            Kind::Switch => Control::Select(["false", "true"].map(|value| choice(value.to_owned())).into()),
            Kind::Number { power_of_two: true, minimum, maximum, .. } => {
                let powers = (0..u32::BITS)
                    .map(|power| 1 << power)
                    .filter(|value| (minimum..=maximum).contains(&value));
                let values = powers.map(|value: u32| value.to_string());
                Control::Select([String::new()].into_iter().chain(values).map(choice).collect())
            }
            Kind::Number { minimum, maximum, nullable, .. } => Control::Number {
                value: typed.clone(),
                minimum: *minimum,
                maximum: *maximum,
                none: nullable.then(|| {
                    t.with("house-rules-number-or-none", "none", meaning(t, setting, &SettingValue::None))
                }),
            },
            Kind::Text { pattern } => Control::Text {
                value: typed.clone(),
                pattern: pattern.trim_start_matches('^').trim_end_matches('$'),
                hint: t.get("house-rules-share-hint"),
            },
        };
        Some(RuleField {
            key: setting.key,
            label: label(t, setting),
            about: about(t, setting),
            control,
            error: self.errors.get(setting.key).cloned(),
        })
    }
}

/// The form for a set based on another.
pub(super) async fn edit(visitor: Visitor, name: web::Path<String>) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ManageHouseRules)?;
    let draft = Draft::new(found(&visitor, &name)?);
    draft.page(&visitor, |title| visitor.frame(title, Some(Tab::Rules)), StatusCode::OK)
}

pub(super) async fn save(visitor: Visitor, form: Form) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    visitor.require(Permission::ManageHouseRules)?;
    let mut draft = Draft::sent(&form);
    let saved = match draft.read(&visitor.t) {
        Ok((name, rules)) => {
            let desk = &visitor.service.desk;
            let over = draft.in_place_of(&visitor.club.state, &name);
            match desk.save_house_rules(Request::by(actor), name.clone(), rules, over).await {
                Ok(_) => Ok(name),
                // Saving an unchanged set is no mistake on a page.
                Err(refused) if refused.code() == Code::NothingChanges => Ok(name),
                Err(refused) => Err(Problem::from(refused)),
            }
        }
        Err(problem) => Err(problem),
    };
    match saved {
        Ok(name) => Ok(redirect(&format!("/house-rules/{}?saved", encoded(name.as_str())))),
        Err(problem) => {
            if problem.field == Some("name") {
                draft.name_error = Some(visitor.t.error(problem.code));
            }
            let status = visitor::status(&problem);
            draft.page(&visitor, |title| visitor.frame_about(title, Some(Tab::Rules), &problem), status)
        }
    }
}

/// Removes one of the club's own sets.
pub(super) async fn remove(
    visitor: Visitor,
    name: web::Path<String>,
    _form: Form,
) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    let name: RuleSetName =
        found(&visitor, &name)?.name.parse().map_err(|error: InvalidValue| invalid("name", &error))?;
    match visitor.service.desk.remove_house_rules(Request::by(actor), name.clone()).await {
        Ok(_) => Ok(redirect("/house-rules?saved")),
        Err(refused) => {
            let problem = Problem::from(refused);
            let set = found(&visitor, name.as_str())?;
            let title = shown_name(&visitor.t, set);
            let frame = visitor.frame_about(&title, Some(Tab::Rules), &problem);
            let here = format!("/house-rules/{}", encoded(name.as_str()));
            set_page(&visitor, Frame { here, ..frame }, set, visitor::status(&problem))
        }
    }
}
