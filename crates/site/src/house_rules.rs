//! House rules: the sets, what each one says, and the form for writing one.

use std::collections::BTreeMap;

use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;

use super::form::{Form, invalid};
use super::say::{NOBODY, Say};
use super::visitor::{Visitor, redirect};
use crate::pages::{Frame, Tab};
use crate::sentences::house_rules::{about, label, meaning, preset_about, preset_name};
use owlbox_base::code::Code;
use owlbox_base::permissions::Permission;
use owlbox_base::values::InvalidValue;
use owlbox_books::club::{Club, RuleSet, RuleSetName};
use owlbox_chouette::HouseRules;
use owlbox_chouette::rules::Contradiction;
use owlbox_chouette::rules::catalogue::{self, ChosenValue, HouseRuleSetting, Kind, SettingValue};
use owlbox_chouette::rules::preset::COMMON;
use owlbox_desk::club::house_rules::InPlaceOf;
use owlbox_desk::fingerprint;
use owlbox_desk::{Actor, Refused, Request};
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_locale::url::encoded;

/// The groups of settings on a page: the text key of the title, and the keys of the settings. A test holds
/// that every setting is in exactly one group.
const GROUPS: [(&str, &[&str]); 8] = [
    ("rule-group-game", &["game.variant", "other_games", "game.strict_larger_die", "game.closed_out"]),
    (
        "rule-group-seats",
        &[
            "order.dice",
            "box_retention",
            "double_stand_up",
            "captain_drops",
            "takers_move_up",
            "declining",
            "newcomer",
        ],
    ),
    (
        "rule-group-cubes",
        &["cubes", "jacoby", "animals", "cube_cap", "decision_order", "box_restraint", "late_doubles"],
    ),
    ("rule-group-automatics", &["automatics.at_most", "automatics.later", "automatics.carry_over"]),
    ("rule-group-lone", &["lone_taker.rule", "lone_taker.from", "lone_taker.extras_from"]),
    (
        "rule-group-partner",
        &[
            "partner.when",
            "partner.from",
            "partner.second_from",
            "partner.offer",
            "partner.share",
            "partner.rights",
            "partner.after_loss",
        ],
    ),
    ("rule-group-money", &["stakes", "settlements"]),
    (
        "rule-group-table",
        &[
            "consultation",
            "table_size.at_most",
            "table_size.split",
            "heads_up",
            "leaving.mid_game",
            "leaving.on_break",
        ],
    ),
];

/// The settings of a group.
fn settings_of(keys: &[&str]) -> impl Iterator<Item = &'static HouseRuleSetting> {
    keys.iter().filter_map(|key| catalogue::setting(key))
}

/// `/house-rules`
#[derive(Debug, Template)]
#[template(path = "house_rules.html")]
pub(crate) struct HouseRulesPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub own: Vec<RuleSet<'a>>,
    /// The sets that come with the program.
    pub ready: Vec<RuleSet<'a>>,
}

/// `/house-rules/{name}`
#[derive(Debug, Template)]
#[template(path = "rule_set.html")]
pub(crate) struct RuleSetPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub set: RuleSet<'a>,
}

/// `/house-rules/{name}/edit`: the form for a set that starts from another
#[derive(Debug, Template)]
#[template(path = "rule_set_form.html")]
pub(crate) struct RuleSetForm<'a> {
    pub t: Locale,
    pub frame: Frame,
    /// What it is filled with: the rules it starts from, or what was sent.
    pub form: &'a Form,
    pub mistakes: &'a Mistakes,
}

/// What is wrong with a form that was sent, in words, by the name of the field.
pub(crate) type Mistakes = BTreeMap<&'static str, String>;

impl RuleSetForm<'_> {
    /// What is wrong with a field.
    fn wrong(&self, field: &str) -> Option<&String> {
        self.mistakes.get(field)
    }

    /// What a setting is about, and how it is typed where that has to be said.
    fn hint(&self, setting: &HouseRuleSetting) -> String {
        let (t, about) = (&self.t, about(&self.t, setting));
        match &setting.kind {
            Kind::Number { power_of_two: false, nullable: true, .. } => {
                let none = meaning(t, setting, &SettingValue::None);
                format!("{about} {}.", t.with("house-rules-number-or-none", "none", none))
            }
            Kind::Text { .. } => format!("{about} {}.", t.get("house-rules-share-hint")),
            Kind::Choice { .. } | Kind::Switch | Kind::Number { .. } => about,
        }
    }
}

pub(super) async fn list(visitor: Visitor) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewTables)?;
    let (ready, own) = visitor.club.state.rule_sets().partition(|set| set.is_preset);
    let frame = visitor.frame(&visitor.t.get("house-rules-title"), Some(Tab::Rules));
    let page = HouseRulesPage { t: visitor.say(&NOBODY), frame, own, ready };
    visitor.answer(page.render())
}

/// The name of a set as pages show it.
pub(super) fn shown_name(t: &Locale, set: &RuleSet<'_>) -> String {
    if set.is_preset { preset_name(t, set.name) } else { set.name.to_owned() }
}

/// The address of a set's page.
fn address(set: &RuleSet<'_>) -> String {
    format!("/house-rules/{}", encoded(set.name))
}

/// The name and the address of the set that has exactly these rules, the club's own before a built-in one.
pub(super) fn named(visitor: &Visitor, rules: &HouseRules) -> Option<(String, String)> {
    let set = visitor.club.state.rule_sets().filter(|set| set.rules == rules).last()?;
    Some((shown_name(&visitor.t, &set), address(&set)))
}

fn found<'a>(visitor: &'a Visitor, name: &str) -> Result<RuleSet<'a>, Problem> {
    Ok(visitor.club.state.rule_set(name).ok_or(Refused::NotFound("house rules"))?)
}

pub(super) async fn show(visitor: Visitor, name: web::Path<String>) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewTables)?;
    let set = found(&visitor, &name)?;
    set_page(&visitor, set)
}

fn set_page(visitor: &Visitor, set: RuleSet<'_>) -> Result<HttpResponse, Problem> {
    let frame = visitor.frame(&shown_name(&visitor.t, &set), Some(Tab::Rules));
    let frame = Frame { here: address(&set), ..frame };
    visitor.answer(RuleSetPage { t: visitor.say(&NOBODY), frame, set }.render())
}

/// The form for a copy of a set, to be changed. Where the set is not the club's own, a new name has to be
/// given.
pub(crate) fn form_of(set: RuleSet<'_>) -> Form {
    let name = if set.is_preset { "" } else { set.name };
    let settings = catalogue::settings().iter();
    let settings =
        settings.map(|setting| (setting.key, catalogue::value(set.rules, setting.key).to_string()));
    Form::filled(&[("from", set.name), ("seen", &fingerprint(set.rules)), ("name", name)]).with(settings)
}

/// The form that was sent, with the default of each setting that it lacks.
fn completed(form: Form) -> Form {
    let settings = catalogue::settings().iter();
    let lacking: Vec<&HouseRuleSetting> = settings.filter(|setting| !form.ticked(setting.key)).collect();
    form.with(lacking.into_iter().map(|setting| (setting.key, setting.default.to_string())))
}

/// The name of the set that a form starts from.
fn starts_from(form: &Form) -> &str {
    form.some("from").unwrap_or(COMMON)
}

/// The name and the rules that a form asks for. What is wrong with which field is added to `mistakes`.
fn read(t: &Locale, form: &Form, mistakes: &mut Mistakes) -> Result<(RuleSetName, HouseRules), Problem> {
    let name = form.value::<RuleSetName>("name");
    if let Err(problem) = &name {
        mistakes.insert("name", t.error(problem.code));
    }
    let settings = catalogue::settings().iter();
    let chosen: Vec<ChosenValue> = settings
        .map(|setting| ChosenValue { setting, value: setting.read(form.text(setting.key)) })
        .collect();
    let rules = catalogue::assemble(&chosen).map_err(|keys| {
        mistakes.extend(keys.iter().map(|key| (*key, t.get("house-rules-bad-value"))));
        invalid("rules", &InvalidValue { what: "rules", allowed: "an option of each setting" })
    })?;
    let rules = rules.without_what_needs_a_cube();
    if let Err(contradiction) = rules.check_chosen() {
        mistakes.extend(clash(t, contradiction));
        return Err(Refused::from(contradiction).into());
    }
    Ok((name?, rules))
}

/// A contradiction, reported at both of its settings.
fn clash(t: &Locale, Contradiction { one, other, .. }: Contradiction) -> [(&'static str, String); 2] {
    [(one, other), (other, one)].map(|(key, with)| {
        let with = catalogue::setting(with).map(|setting| label(t, setting)).unwrap_or_default();
        (key, t.with("house-rules-clash", "other", with))
    })
}

/// What saving may replace: the set that the form started from, as it was then, and never another of the
/// same name.
fn in_place_of(club: &Club, form: &Form, name: &RuleSetName) -> InPlaceOf {
    let own = |name: &str| club.rule_set(name).filter(|set| !set.is_preset).map(|set| set.name);
    match (own(starts_from(form)), own(name.as_str())) {
        (Some(from), Some(over)) if from == over => InPlaceOf::Seen(form.text("seen").to_owned()),
        _ => InPlaceOf::Nothing,
    }
}

fn form_page(visitor: &Visitor, form: &Form, mistakes: &Mistakes) -> Result<HttpResponse, Problem> {
    let (t, from) = (visitor.t, starts_from(form));
    let own = visitor.club.state.rule_set(from).filter(|set| !set.is_preset);
    let title = own.map_or_else(
        || t.get("house-rules-new-title"),
        |set| t.with("house-rules-edit-title", "name", set.name),
    );
    let frame = visitor.frame(&title, Some(Tab::Rules));
    let frame = Frame { here: format!("/house-rules/{}/edit", encoded(from)), ..frame };
    visitor.answer(RuleSetForm { t, frame, form, mistakes }.render())
}

/// The form for a set based on another.
pub(super) async fn edit(visitor: Visitor, name: web::Path<String>) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ManageHouseRules)?;
    let form = form_of(found(&visitor, &name)?);
    form_page(&visitor, &form, &Mistakes::new())
}

pub(super) async fn save(
    visitor: Visitor,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    visitor.require(Permission::ManageHouseRules)?;
    let (form, mut mistakes) = (completed(form), Mistakes::new());
    match saved(&visitor, actor, &form, &mut mistakes).await {
        Ok(name) => Ok(redirect(&format!("/house-rules/{}?saved", encoded(name.as_str())))),
        Err(problem) => {
            if problem.field.as_deref() == Some("name") {
                mistakes.insert("name", visitor.t.error(problem.code));
            }
            form_page(&visitor.refused(request.path(), &form, &problem), &form, &mistakes)
        }
    }
}

async fn saved(
    visitor: &Visitor,
    actor: Actor,
    form: &Form,
    mistakes: &mut Mistakes,
) -> Result<RuleSetName, Problem> {
    let (name, rules) = read(&visitor.t, form, mistakes)?;
    let desk = &visitor.service.desk;
    let over = in_place_of(&visitor.club.state, form, &name);
    match desk.save_house_rules(Request::by(actor), name.clone(), rules, over).await {
        // Saving an unchanged set is no mistake on a page.
        Err(refused) if refused.code() != Code::NothingChanges => Err(refused.into()),
        Ok(_) | Err(_) => Ok(name),
    }
}

/// Removes one of the club's own sets.
pub(super) async fn remove(
    visitor: Visitor,
    name: web::Path<String>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    visitor.require(Permission::ManageHouseRules)?;
    let name: RuleSetName =
        found(&visitor, &name)?.name.parse().map_err(|error: InvalidValue| invalid("name", &error))?;
    match visitor.service.desk.remove_house_rules(Request::by(actor), name.clone()).await {
        Ok(_) => Ok(redirect("/house-rules?saved")),
        Err(refused) => {
            let visitor = visitor.refused(request.path(), &form, &refused.into());
            set_page(&visitor, found(&visitor, name.as_str())?)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use owlbox_chouette::rules::catalogue::settings;

    #[test]
    fn every_setting_is_in_one_group() {
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, keys)| *keys).copied().collect();
        let every: BTreeSet<&str> = settings().iter().map(|setting| setting.key).collect();
        assert_eq!(grouped.iter().copied().collect::<BTreeSet<_>>(), every);
        assert_eq!(grouped.len(), every.len());
    }
}
