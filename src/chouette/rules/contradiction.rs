//! Which settings cannot stand together. A set is looked at as a whole, and the first contradiction named.

use crate::chouette::rules::{
    Cubes, HouseRules, LateDoubles, LeavingMidGame, LoneTaker, PartnerAfterLoss, PartnerOffer, PartnerShare,
    PartnerWhen, Settlements, Stakes,
};
use crate::engine::Animals;

/// Two settings that cannot stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{one} and {other} cannot stand together: {why}")]
pub struct Contradiction {
    /// The key of one.
    pub one: &'static str,
    /// The key of the other.
    pub other: &'static str,
    /// Why, for programmers; pages have words of their own by the keys.
    pub why: &'static str,
}

impl HouseRules {
    /// Whether the settings can stand together.
    ///
    /// # Errors
    /// The first [`Contradiction`].
    pub fn check(&self) -> Result<(), Contradiction> {
        match CONTRADICTIONS.iter().find(|(_, holds)| holds(self)) {
            Some((contradiction, _)) => Err(*contradiction),
            None => Ok(()),
        }
    }
}

type Holds = fn(&HouseRules) -> bool;

const fn between(one: &'static str, other: &'static str, why: &'static str) -> Contradiction {
    Contradiction { one, other, why }
}

/// Every contradiction, in the order in which they are looked for.
pub const CONTRADICTIONS: [(Contradiction, Holds); 9] = [
    (between("stakes", "cubes", "a single cube starts at one value for all"), |rules| {
        rules.stakes == Stakes::OwnStart && rules.cubes == Cubes::Single
    }),
    (between("box_restraint", "cubes", "there is only one cube to treat"), |rules| {
        rules.box_restraint != super::BoxRestraint::None && rules.cubes == Cubes::Single
    }),
    (between("late_doubles", "cubes", "only the captain doubles a single cube"), |rules| {
        rules.late_doubles == LateDoubles::Open && rules.cubes == Cubes::Single
    }),
    (between("lone_taker.rule", "animals", "nobody who must beaver may, without beavers"), |rules| {
        rules.lone_taker.rule == LoneTaker::MustBeaverOrDrop && rules.animals == Animals::None
    }),
    (
        between("leaving.mid_game", "settlements", "nobody who must settle may, without settlements"),
        |rules| {
            rules.leaving.mid_game == LeavingMidGame::Settle && rules.settlements == Settlements::Forbidden
        },
    ),
    (
        between(
            "automatics.carry_over",
            "automatics.at_most",
            "ties are carried over only beyond a limit above 0",
        ),
        |rules| rules.automatics.carry_over && matches!(rules.automatics.at_most, None | Some(0)),
    ),
    (between("partner.second_from", "partner.from", "the second partner comes after the first"), |rules| {
        let partner = &rules.partner;
        partner.when != PartnerWhen::Off
            && partner.second_from.is_some_and(|second| second.get() < partner.from.get() + 1)
    }),
    (
        between(
            "partner.share",
            "partner.second_from",
            "two partners would have all of the box's net, or more",
        ),
        |rules| {
            let partner = &rules.partner;
            let (numerator, denominator) = partner.share.of_each(2);
            partner.when != PartnerWhen::Off
                && partner.second_from.is_some()
                && matches!(partner.share, PartnerShare::Fraction { .. })
                && 2 * numerator >= denominator
        },
    ),
    (
        between(
            "partner.offer",
            "partner.when",
            "a partner found before the first game only cannot be compulsory unless the next in line follows",
        ),
        |rules| {
            let partner = &rules.partner;
            partner.offer == PartnerOffer::ThirdHighest
                && partner.when == PartnerWhen::Compulsory
                && partner.after_loss != PartnerAfterLoss::NextInLine
        },
    ),
];
