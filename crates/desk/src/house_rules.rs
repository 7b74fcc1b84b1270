//! House rules at the desk: the club's own sets, saved and removed, and the set that a table is opened with.

use sha2::{Digest as _, Sha256};

use super::clubs::club_receipt;
use super::{Allowed, Desk, Done, Receipt, Refused, Request, Rule, UnitOfWork};
use owlbox_domain::chouette::HouseRules;
use owlbox_domain::club::{Club, Command, RuleSet, RuleSetName};
use owlbox_domain::code::Code;
use owlbox_domain::journal::Version;
use owlbox_domain::permissions::Permission;

/// What a set may take the place of when it is saved under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InPlaceOf {
    /// Whatever is there; the caller guards it with the club's version, if at all.
    Anything,
    /// Nothing: the name must be free.
    Nothing,
    /// The set that the caller has seen, by its [`fingerprint`].
    Seen(String),
}

/// By what rules are known again, whatever else the club has changed meanwhile.
#[must_use]
pub fn fingerprint(rules: &HouseRules) -> String {
    // Settings are numbers and words: nothing in them can fail to be written.
    let written = serde_json::to_vec(rules).unwrap_or_default();
    Sha256::digest(&written).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl InPlaceOf {
    /// Refuses unless `rules` may take the place of the set that has the name now. The same rules always may.
    fn check(&self, now: Option<RuleSet<'_>>, rules: &HouseRules) -> Result<(), Refused> {
        let Some(now) = now.filter(|now| !now.is_preset && now.rules != rules) else { return Ok(()) };
        match self {
            Self::Anything => Ok(()),
            Self::Seen(seen) if *seen == fingerprint(now.rules) => Ok(()),
            Self::Nothing => Err(Refused::rule(
                Code::HouseRulesTaken,
                Some("name"),
                format!("there are house rules called {} already", now.name),
            )),
            Self::Seen(_) => Err(Refused::rule(
                Code::HouseRulesChanged,
                Some("name"),
                format!("somebody else has changed {} meanwhile", now.name),
            )),
        }
    }
}

/// A set as it was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SavedRules {
    /// The version of the club after it.
    pub version: Version,
    /// Whether there was none of that name.
    pub is_new: bool,
}

impl Desk {
    /// Keeps a set of house rules under a name, in the place of the one of that name if that is what is wanted.
    ///
    /// # Errors
    /// What the rules or the desk refuse.
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

    /// Gives up the club's set of house rules of this name; answers the club's version. Tables that were
    /// opened with it keep what it said.
    ///
    /// # Errors
    /// What the rules or the desk refuse.
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

/// The rules that a table is opened with: those said, those of the set named, or the common ones.
///
/// # Errors
/// Both were said, there is no such set, or two settings cannot stand together.
pub(super) fn chosen(
    club: &Club,
    said: Option<HouseRules>,
    named: Option<&str>,
) -> Result<HouseRules, Refused> {
    let rules = match (said, named) {
        (Some(_), Some(_)) => {
            return Err(Refused::rule(
                Code::RulesSaidTwice,
                Some("house_rules"),
                "say the rules, or name a set: not both",
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
                detail: "there are no house rules of this name".to_owned(),
            })
        })?,
        (None, None) => HouseRules::default(),
    };
    rules.check()?;
    Ok(rules)
}
