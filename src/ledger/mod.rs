//! The books, pure: what a finished game posts, and how it is taken back.
//!
//! A [`Transaction`] holds postings that add up to zero in every unit; one that does not cannot be
//! made. Every bet makes two postings a unit, one for each of its players, that name the other, the
//! game and the kind of bet. Points are posted always, money if there is a stake. Balances, their running
//! order and storing are left to the store. [`settle_up`] says who hands what to whom.

pub mod settle_up;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chouette::{SettledBet, SettledBy, Side};
    use uuid::Uuid;

    fn player(number: u128) -> PlayerId {
        PlayerId(Uuid::from_u128(number))
    }

    fn nowhere() -> (ChouetteId, Timestamp) {
        (ChouetteId(Uuid::nil()), chrono::DateTime::UNIX_EPOCH.into())
    }

    /// Player 1 loses a point and a half to player 2.
    fn finished() -> FinishedGame {
        let bet = SettledBet {
            bet: 1,
            winner: player(2),
            loser: player(1),
            points: HalfPoints(3),
            kind: BetKind::Member,
            by: SettledBy::Game,
        };
        FinishedGame { game: 7, winner: Side::Team, win: None, bets: vec![bet], line: Vec::new() }
    }

    fn stake(amount: i64) -> Option<Stake> {
        Some(Stake { amount: amount.try_into().unwrap(), currency: "EUR".parse().unwrap() })
    }

    #[test]
    fn a_bet_posts_twice_in_points_and_twice_in_money() {
        let (chouette, at) = nowhere();
        let transaction = transaction_for(chouette, &finished(), stake(500), at).unwrap();
        let told: Vec<(PlayerId, PlayerId, String, i64)> = transaction
            .postings()
            .iter()
            .map(|posting| (posting.player, posting.counterparty, posting.unit.to_string(), posting.amount))
            .collect();
        let (one, two) = (player(1), player(2));
        let points = || "half_points".to_owned();
        let euro = || "EUR".to_owned();
        let expected = [
            (two, one, points(), 3),
            (one, two, points(), -3),
            (two, one, euro(), 750),
            (one, two, euro(), -750),
        ];
        assert_eq!(told, expected);
        assert!(transaction.postings().iter().all(|posting| posting.game == 7));

        let reversal = reversal_of(&transaction);
        let sum: i64 = transaction.postings().iter().chain(reversal.postings()).map(|p| p.amount).sum();
        assert_eq!(sum, 0);
        assert_eq!(reversal.postings()[2].amount, -750);
    }

    #[test]
    fn postings_that_do_not_add_up_are_no_transaction() {
        let (chouette, at) = nowhere();
        let mut postings =
            transaction_for(chouette, &finished(), stake(500), at).unwrap().postings().to_vec();
        postings[3].amount += 1;
        let unit = "EUR".parse().unwrap();
        assert_eq!(Transaction::new(chouette, at, postings), Err(Unbalanced { unit, sum: 1 }));
    }

    #[test]
    fn half_a_point_of_an_odd_stake_cannot_be_posted() {
        let (chouette, at) = nowhere();
        let refused = transaction_for(chouette, &finished(), stake(501), at);
        assert_eq!(refused, Err(CannotPost::SplitsMinorUnit(HalfPoints(3))));
    }

    #[test]
    fn units_are_written_as_their_code() {
        for text in ["half_points", "EUR"] {
            assert_eq!(text.parse::<Unit>().unwrap().to_string(), text);
        }
        assert!("points".parse::<Unit>().is_err());
    }
}
