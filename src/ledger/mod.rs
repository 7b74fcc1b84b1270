//! The books, pure: what a finished game posts, and how it is taken back.
//!
//! A [`Transaction`] holds postings that add up to zero in every unit; one that does not cannot be
//! made. Every bet makes two postings a unit, one for each of its players, that name the other, the
//! game and the kind of bet. Points are posted always, money if there is a stake. Balances, their running
//! order and storing are left to the store.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::chouette::{BetKind, FinishedGame};
use crate::values::{ChouetteId, Currency, HalfPoints, InvalidValue, PlayerId, Stake, Timestamp};

/// What an amount is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Unit {
    /// The score: whole numbers of half points. Written `half_points`.
    HalfPoints,
    /// Money: whole minor units of a currency. Written as its code, `EUR`.
    Money(Currency),
}

impl Unit {
    const HALF_POINTS: &'static str = "half_points";
}
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HalfPoints => f.write_str(Self::HALF_POINTS),
            Self::Money(currency) => currency.fmt(f),
        }
    }
}
impl FromStr for Unit {
    type Err = InvalidValue;
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        if text == Self::HALF_POINTS { Ok(Self::HalfPoints) } else { text.parse().map(Self::Money) }
    }
}
impl TryFrom<String> for Unit {
    type Error = InvalidValue;
    fn try_from(text: String) -> Result<Self, InvalidValue> {
        text.parse()
    }
}
impl From<Unit> for String {
    fn from(unit: Unit) -> Self {
        unit.to_string()
    }
}

/// One side of one bet in one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Posting {
    /// Whose account.
    pub player: PlayerId,
    /// The other player of the bet.
    pub counterparty: PlayerId,
    /// What the amount is counted in.
    #[schema(value_type = String, example = "half_points")]
    pub unit: Unit,
    /// What the player won; negative if lost.
    pub amount: i64,
    /// The number of the game within its chouette.
    pub game: u32,
    /// The kind of bet.
    pub kind: BetKind,
}

/// Postings that belong together and add up to zero in every unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    chouette: ChouetteId,
    at: Timestamp,
    postings: Vec<Posting>,
}

/// Postings that do not add up to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the postings in {unit} add up to {sum}, not to zero")]
pub struct Unbalanced {
    /// In which unit.
    pub unit: Unit,
    /// To how much.
    pub sum: i128,
}

/// Why a game cannot be posted. Neither can happen under rules that forbid halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotPost {
    /// The postings would not add up.
    #[error(transparent)]
    Unbalanced(#[from] Unbalanced),
    /// The stake cannot be paid in whole minor units.
    #[error("{0} at this stake is no whole number of minor units")]
    SplitsMinorUnit(HalfPoints),
}

impl Transaction {
    /// A transaction of `postings` for what happened in `chouette` at `at`.
    ///
    /// # Errors
    /// [`Unbalanced`] for the first unit whose postings do not add up to zero.
    pub fn new(chouette: ChouetteId, at: Timestamp, postings: Vec<Posting>) -> Result<Self, Unbalanced> {
        let mut sums: BTreeMap<Unit, i128> = BTreeMap::new();
        for posting in &postings {
            *sums.entry(posting.unit).or_default() += i128::from(posting.amount);
        }
        match sums.into_iter().find(|(_, sum)| *sum != 0) {
            Some((unit, sum)) => Err(Unbalanced { unit, sum }),
            None => Ok(Self { chouette, at, postings }),
        }
    }

    /// The chouette it comes from.
    #[must_use]
    pub const fn chouette(&self) -> ChouetteId {
        self.chouette
    }
    /// When it happened, not when it was posted.
    #[must_use]
    pub const fn at(&self) -> Timestamp {
        self.at
    }
    /// The postings.
    #[must_use]
    pub fn postings(&self) -> &[Posting] {
        &self.postings
    }
}

/// What a finished game posts: for every bet, two postings in half points, and two in money if there is
/// a stake.
///
/// # Errors
/// [`CannotPost`].
pub fn transaction_for(
    chouette: ChouetteId,
    finished: &FinishedGame,
    stake: Option<Stake>,
    at: Timestamp,
) -> Result<Transaction, CannotPost> {
    let mut postings = Vec::new();
    for bet in &finished.bets {
        let mut post = |unit, amount: i64| {
            for (player, counterparty, amount) in
                [(bet.winner, bet.loser, amount), (bet.loser, bet.winner, -amount)]
            {
                postings.push(Posting {
                    player,
                    counterparty,
                    unit,
                    amount,
                    game: finished.game,
                    kind: bet.kind,
                });
            }
        };
        post(Unit::HalfPoints, bet.points.0);
        if let Some(stake) = stake {
            let money = stake.worth(bet.points).ok_or(CannotPost::SplitsMinorUnit(bet.points))?;
            post(Unit::Money(stake.currency), money.0);
        }
    }
    Ok(Transaction::new(chouette, at, postings)?)
}

/// The transaction that takes `transaction` back: the same postings the other way round, for the same
/// moment of play.
#[must_use]
pub fn reversal_of(transaction: &Transaction) -> Transaction {
    let mut reversal = transaction.clone();
    for posting in &mut reversal.postings {
        posting.amount = -posting.amount;
    }
    reversal
}
