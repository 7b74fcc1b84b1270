//! The settings about the box's partner (Q13).

#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
#[cfg(feature = "schema")]
use utoipa::{PartialSchema, ToSchema};

use super::{Options, PlayerCount};
use owlbox_base::values::InvalidValue;

setting! {
    /// Whether the box has a partner.
    PartnerWhen {
        /// The box never has one.
        Off,
        /// The box may have one if it wants to.
        Optional,
        /// The box must have one before a game begins, where one is due.
        Compulsory,
    }
}
setting! {
    /// How the partner is found.
    PartnerOffer {
        /// The partnership is offered from the captain down the line; if nobody accepts, lots are drawn among
        /// the team without the captain (Q13).
        FromCaptain,
        /// It is offered from the last in line up to the captain; if nobody accepts, lots are drawn as above.
        FromRear,
        /// It is offered to the captain, then from the last in line up; if nobody accepts, lots are drawn as
        /// above.
        CaptainThenRear,
        /// The next in line behind the captain becomes partner.
        NextInLine,
        /// The third-highest in the order becomes partner, before the first game only.
        ThirdHighest,
    }
}
setting! {
    /// What the partner may decide.
    PartnerRights {
        /// Nothing: the box alone decides, and the partner shares the money. One cube per opponent, not two.
        MoneyOnly,
    }
}
setting! {
    /// What becomes of the partnership when the box loses its seat. It lasts as long as the box stays,
    /// however few are left; partners join the team only where a game would otherwise begin without a team of
    /// two.
    PartnerAfterLoss {
        /// The partner becomes captain of the next game.
        Captain,
        /// The partner goes to the end of the line, ahead of the old box, and the next in line is the new
        /// box's partner.
        NextInLine,
    }
}

/// A partner's part of the box's net in a game, written `half` or as a fraction like `1/3`. `half` means
/// equal shares: with two partners a third each. What does not divide into the smallest unit in use stays
/// with the box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum PartnerShare {
    #[default]
    Half,
    /// This part for each partner. The numerator is below the denominator, which is at most 100.
    Fraction { numerator: u8, denominator: u8 },
}

impl PartnerShare {
    pub const PATTERN: &'static str = "^(half|[0-9]{1,3}/[0-9]{1,3})$";

    /// The share of each of `partners`, as numerator and denominator.
    #[must_use]
    pub fn of_each(self, partners: usize) -> (i64, i64) {
        match self {
            Self::Half => (1, i64::try_from(partners).unwrap_or(i64::MAX - 1) + 1),
            Self::Fraction { numerator, denominator } => (numerator.into(), denominator.into()),
        }
    }
}
impl fmt::Display for PartnerShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Half => f.write_str("half"),
            Self::Fraction { numerator, denominator } => write!(f, "{numerator}/{denominator}"),
        }
    }
}
impl TryFrom<String> for PartnerShare {
    type Error = InvalidValue;
    fn try_from(text: String) -> Result<Self, InvalidValue> {
        if text == "half" {
            return Ok(Self::Half);
        }
        let parts = text.split_once('/').map(|(above, below)| (above.parse(), below.parse()));
        match parts {
            Some((Ok(numerator), Ok(denominator)))
                if 0 < numerator && numerator < denominator && denominator <= 100 =>
            {
                Ok(Self::Fraction { numerator, denominator })
            }
            _ => Err(InvalidValue {
                what: "partner.share",
                allowed: "half, or a fraction below 1 like 1/3, its denominator at most 100",
            }),
        }
    }
}
impl From<PartnerShare> for String {
    fn from(share: PartnerShare) -> Self {
        share.to_string()
    }
}
// By hand, because the type is written as a string.
#[cfg(feature = "schema")]
impl PartialSchema for PartnerShare {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some(Self::PATTERN))
            .description(Some(
                "What a partner has of the box's net in a game: `half` for equal shares, or a fraction like \
                 `1/3` for each.",
            ))
            .examples(["half", "1/3"])
            .build()
            .into()
    }
}
#[cfg(feature = "schema")]
impl ToSchema for PartnerShare {
    fn name() -> Cow<'static, str> {
        "PartnerShare".into()
    }
}

/// Rules about the box's partner (Q13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct PartnerRules {
    pub when: PartnerWhen,
    /// From how many players on one may be made, the box counted.
    pub from: PlayerCount,
    /// From how many players on there may be a second one; `null` for never.
    pub second_from: Option<PlayerCount>,
    pub offer: PartnerOffer,
    /// What part of the box's net a partner gets.
    pub share: PartnerShare,
    /// What a partner may decide.
    pub rights: PartnerRights,
    /// What becomes of the partnership when the box loses its seat.
    pub after_loss: PartnerAfterLoss,
}

impl Default for PartnerRules {
    fn default() -> Self {
        Self {
            when: PartnerWhen::default(),
            from: PlayerCount(6),
            second_from: None,
            offer: PartnerOffer::default(),
            share: PartnerShare::default(),
            rights: PartnerRights::default(),
            after_loss: PartnerAfterLoss::default(),
        }
    }
}

impl PartnerRules {
    /// The fewest players with whom the box can have a partner: the two of them and a team of two.
    pub const FEWEST: usize = 4;

    /// How many partners the box may be given when this many are ready to play. A team of two stays besides
    /// the box and its partners.
    #[must_use]
    pub fn at_most(&self, players: usize) -> usize {
        let agreed = if players < self.from.get() {
            0
        } else if self.second_from.is_some_and(|from| players >= from.get()) {
            2
        } else {
            1
        };
        agreed.min(self.ever()).min(players.saturating_sub(3))
    }

    /// How many partners the box may ever have, however many play.
    #[must_use]
    pub const fn ever(&self) -> usize {
        match (self.when, self.second_from) {
            (PartnerWhen::Off, _) => 0,
            (PartnerWhen::Optional | PartnerWhen::Compulsory, None) => 1,
            (PartnerWhen::Optional | PartnerWhen::Compulsory, Some(_)) => 2,
        }
    }
}
