//! House rules at the desk: saving and removing the club's own sets, and choosing the rules of a new table.

use crate::club::stream::club_receipt;
use crate::commands::fingerprint::fingerprint;
use crate::{Allowed, Desk, Done, Receipt, Refused, Request, Rule, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::journal::Version;
use owlbox_base::permissions::Permission;
use owlbox_books::club::{Club, Command, RuleSet, RuleSetName};
use owlbox_chouette::HouseRules;

/// The set of house rules that a saved one may replace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InPlaceOf {
    /// Whatever has the name now. Callers who care pass the club's version.
    Anything,
    /// Nothing: the name must be free.
    Nothing,
    /// The set the caller has seen, identified by its [`fingerprint`].
    Seen(String),
}

impl InPlaceOf {
    /// Refuses unless `rules` may replace the set that has the name now. Saving the same rules again is
    /// always allowed.
    fn check(&self, now: Option<RuleSet<'_>>, rules: &HouseRules) -> Result<(), Refused> {
        let Some(now) = now.filter(|now| !now.is_preset && now.rules != rules) else { return Ok(()) };
        match self {
            Self::Anything => Ok(()),
            Self::Seen(seen) if *seen == fingerprint(now.rules) => Ok(()),
            Self::Nothing => Err(Refused::rule(
                Code::HouseRulesTaken,
                Some("name"),
                format!("there are already house rules called {}", now.name),
            )),
            Self::Seen(_) => Err(Refused::rule(
                Code::HouseRulesChanged,
                Some("name"),
                format!("somebody else has changed {} in the meantime", now.name),
            )),
        }
    }
}

/// The result of saving a set of house rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SavedRules {
    /// The version of the club afterwards.
    pub version: Version,
    /// Whether the name was free before.
    pub is_new: bool,
}

impl Desk {
    /// Saves a set of house rules under a name. `in_place_of` says which set of that name it may replace.
    ///
    /// # Errors
    /// Refusals of the rules or the desk.
    pub async fn save_house_rules(
        &self,
        request: Request,
        name: RuleSetName,
        rules: HouseRules,
        in_place_of: InPlaceOf,
    ) -> Result<SavedRules, Refused> {
        let expected = request.expected;
        let done = self
            .carry_out(request, move |unit| {
                unit.principal.require(Permission::ManageHouseRules)?;
                let before = unit.club()?;
                UnitOfWork::expect(&before, expected)?;
                let now = before.state.rule_set(name.as_str());
                in_place_of.check(now, &rules)?;
                rules.check_chosen()?;
                let is_new = now.is_none();
                let save = Command::SaveHouseRules { name: name.clone(), rules: Box::new(rules.clone()) };
                let appended = unit.change_club(&[save])?;
                let receipt = club_receipt(&appended, if is_new { CREATED } else { REPLACED });
                Ok((receipt, SavedRules { version: appended.stream.version, is_new }))
            })
            .await?;
        Ok(match done {
            Done::Now(saved) => saved,
            Done::Before(Receipt { status, version, .. }) => {
                SavedRules { version, is_new: status == CREATED }
            }
        })
    }

    /// Removes the club's set of house rules with this name. Returns the club's version. Tables opened with
    /// it keep their rules.
    ///
    /// # Errors
    /// Refusals of the rules or the desk.
    pub async fn remove_house_rules(&self, request: Request, name: RuleSetName) -> Result<Version, Refused> {
        let expected = request.expected;
        let done = self
            .carry_out(request, move |unit| {
                unit.principal.require(Permission::ManageHouseRules)?;
                let before = unit.club()?;
                UnitOfWork::expect(&before, expected)?;
                if before.state.rule_set(name.as_str()).is_none() {
                    return Err(Refused::NotFound("house rules"));
                }
                let appended = unit.change_club(&[Command::RemoveHouseRules { name: name.clone() }])?;
                Ok((club_receipt(&appended, GONE), appended.stream.version))
            })
            .await?;
        Ok(done.version())
    }
}

const REPLACED: u16 = 200;
const CREATED: u16 = 201;
const GONE: u16 = 204;

/// The rules of a new table: those given, those of the set named, or the common ones.
///
/// # Errors
/// Both were given, there is no such set, or two settings contradict each other.
pub(crate) fn chosen(
    club: &Club,
    said: Option<HouseRules>,
    named: Option<&str>,
) -> Result<HouseRules, Refused> {
    let rules = match (said, named) {
        (Some(_), Some(_)) => {
            return Err(Refused::rule(
                Code::RulesSaidTwice,
                Some("house_rules"),
                "give either the rules or the name of a set, not both",
            ));
        }
        (Some(said), None) => {
            said.check_chosen()?;
            said
        }
        (None, Some(name)) => club.rule_set(name).map(|set| set.rules.clone()).ok_or_else(|| {
            let names = club.rule_sets().map(|set| set.name.to_owned()).collect();
            Refused::Rule(Rule {
                code: Code::UnknownHouseRules,
                field: Some("house_rules"),
                allowed: Some(Allowed::HouseRules(names)),
                detail: "there are no house rules with this name".to_owned(),
            })
        })?,
        (None, None) => HouseRules::default(),
    };
    rules.check()?;
    Ok(rules)
}
