//! House rules at the desk: the club's own sets, saved and removed, and the set that a table is opened with.

use super::clubs::club_receipt;
use super::{Desk, Done, Receipt, Refused, Request, Rule, Visit};
use crate::chouette::HouseRules;
use crate::club::{Club, Command, Permission, RuleSetName};
use crate::journal::Version;

/// A set as it was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SavedRules {
    /// The version of the club after it.
    pub version: Version,
    /// Whether there was none of that name.
    pub is_new: bool,
}

impl Desk {
    /// Keeps a set of house rules under a name, in the place of the one of that name.
    ///
    /// # Errors
    /// What the rules or the desk refuse.
    pub async fn save_house_rules(
        &self,
        request: Request,
        name: RuleSetName,
        rules: HouseRules,
    ) -> Result<SavedRules, Refused> {
        let expected = request.expected;
        let done = self
            .carry_out(request, move |visit| {
                visit.authority.require(Permission::ManageHouseRules)?;
                let before = visit.club()?;
                Visit::expect(&before, expected)?;
                let is_new = before.state.rule_set(name.as_str()).is_none();
                let save = Command::SaveHouseRules { name: name.clone(), rules: Box::new(rules.clone()) };
                let appended = visit.change_club(&[save])?;
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
            .carry_out(request, move |visit| {
                visit.authority.require(Permission::ManageHouseRules)?;
                let before = visit.club()?;
                Visit::expect(&before, expected)?;
                if before.state.rule_set(name.as_str()).is_none() {
                    return Err(Refused::NotFound("house rules"));
                }
                let appended = visit.change_club(&[Command::RemoveHouseRules { name: name.clone() }])?;
                Ok((club_receipt(&appended, GONE), appended.stream.version))
            })
            .await?;
        Ok(match done {
            Done::Now(version) => version,
            Done::Before(receipt) => receipt.version,
        })
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
                "rules_said_twice",
                Some("house_rules"),
                "say the rules, or name a set: not both",
            ));
        }
        (Some(said), None) => said,
        (None, Some(name)) => club.rule_set(name).map(|set| set.rules.clone()).ok_or_else(|| {
            let names: Vec<&str> = club.rule_sets().map(|set| set.name).collect();
            Refused::Rule(Rule {
                code: "unknown_house_rules",
                field: Some("house_rules"),
                allowed: serde_json::json!(names),
                detail: "there are no house rules of this name".to_owned(),
            })
        })?,
        (None, None) => HouseRules::default(),
    };
    rules.check()?;
    Ok(rules)
}
