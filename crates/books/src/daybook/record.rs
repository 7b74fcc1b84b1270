//! What the treasurer records, and what each record moves between accounts.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::MOST_AT_ONCE;
use super::refusal::Refusal;
use crate::unit::Unit;
use owlbox_base::text::one_line;
use owlbox_base::values::{Currency, Holder, InvalidValue, PlayerId};

owlbox_base::text!(
    /// A note on a record, or the reason for it.
    Memo, "memo", "1 to 200 visible characters on one line", 200, one_line
);

/// How money is handed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Means {
    /// By hand: from or into the club's drawer, if the club has part in it.
    #[default]
    Cash,
    /// By the club's bank account.
    Bank,
}

impl Means {
    /// The account of the club that holds such money.
    const fn holder(self) -> Holder {
        match self {
            Self::Cash => Holder::House,
            Self::Bank => Holder::Bank,
        }
    }
}

/// The way of a deposit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// From the drawer to the bank.
    ToBank,
    /// From the bank to the drawer.
    FromBank,
}

/// A fee of the club.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FeeKind {
    /// For being a member.
    Membership,
    /// For a night at the club's tables.
    TableMoney,
    /// Any other: drinks, a lost checker.
    Other,
}

/// What somebody had before the club kept its books here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct OpeningBalance {
    /// A player, `house` for the drawer, or `bank`. Only players have points.
    pub holder: Holder,
    pub unit: Unit,
    /// Signed, not zero, in half points or minor units: what a player was owed, or what there was in the
    /// drawer or at the bank.
    pub amount: i64,
}

/// Money that changed sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Money {
    pub currency: Currency,
    pub amount: Sum,
}

/// A game that was played before the club kept its books here. It was for points, for money, or for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PastGame {
    /// The day it was played, for which it counts.
    pub on: NaiveDate,
    pub winner: PlayerId,
    pub loser: PlayerId,
    /// What it was won by, in half points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Sum>,
    /// What the loser owes for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub money: Option<Money>,
}

impl PastGame {
    /// What the winner got, in each unit that was played for.
    pub(super) fn won(&self) -> impl Iterator<Item = (Unit, i64)> {
        let points = self.points.map(|points| (Unit::HalfPoints, points.into()));
        let money = self.money.map(|money| (Unit::Money(money.currency), money.amount.into()));
        points.into_iter().chain(money)
    }

    fn moves(&self) -> Vec<Move> {
        let (from, to, kind) = (self.loser.into(), self.winner.into(), MoveKind::PastGame);
        self.won().map(|(unit, amount)| Move { from, to, unit, amount, kind }).collect()
    }
}

/// What was recorded. Amounts are minor units or half points, above zero unless said otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "record", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = DaybookRecord))]
pub enum Record {
    /// A player paid another, or the club; or the club paid a player.
    Payment {
        /// A player, or `house`.
        payer: Holder,
        /// A player, or `house`.
        payee: Holder,
        currency: Currency,
        /// What was paid.
        amount: i64,
        /// Between two players always `cash`.
        means: Means,
    },
    /// Each of these players was charged a fee.
    Fee {
        /// Who was charged.
        players: Vec<PlayerId>,
        fee: FeeKind,
        currency: Currency,
        /// What each is charged.
        amount: i64,
    },
    /// Balances from before the club kept its books here.
    OpeningBalances {
        /// The balances, each of one holder in one unit.
        balances: Vec<OpeningBalance>,
    },
    /// Games from before the club kept its books here. Each counts for its own day.
    PastGames {
        /// The games, in the order in which they were recorded.
        games: Vec<PastGame>,
    },
    /// Something was moved from one account to another, for the reason in the memo.
    Adjustment {
        from: Holder,
        to: Holder,
        unit: Unit,
        /// What was moved.
        amount: i64,
    },
    /// The club paid somebody outside for something: rent, boards.
    Expense {
        currency: Currency,
        /// What was paid.
        amount: i64,
        means: Means,
    },
    /// The club got money from outside: a donation, a sponsor.
    Income {
        currency: Currency,
        /// What came in.
        amount: i64,
        means: Means,
    },
    /// Money was carried between drawer and bank.
    Deposit {
        currency: Currency,
        /// What was carried.
        amount: i64,
        way: Way,
    },
    /// The drawer was counted. A difference is booked as rounding.
    Count {
        currency: Currency,
        /// What was in the drawer, zero or more.
        counted: i64,
        /// What should have been in it by the books.
        expected: i64,
    },
}

/// A record with its day and memo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// The day it belongs to; of past games, the last of their days.
    pub on: NaiveDate,
    /// What it was for. Adjustments, expenses and income always have one.
    pub memo: Option<Memo>,
    pub what: Record,
}

/// What of a record is posted together, as one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedTransaction {
    /// The day it belongs to.
    pub on: NaiveDate,
    /// The number of the past game in its record, from 1; `None` of all other records.
    pub game: Option<u32>,
    pub moves: Vec<Move>,
}

impl Recorded {
    /// Its transactions: every past game is one, and any other record. A count that finds no difference has
    /// none.
    #[must_use]
    pub fn parts(&self) -> Vec<RecordedTransaction> {
        if let Some(games) = self.what.past_games() {
            let part = |(number, game): (u32, &PastGame)| RecordedTransaction {
                on: game.on,
                game: Some(number),
                moves: game.moves(),
            };
            return (1..).zip(games).map(part).collect();
        }
        let moves = self.what.moves();
        if moves.is_empty() {
            Vec::new()
        } else {
            vec![RecordedTransaction { on: self.on, game: None, moves }]
        }
    }

    /// Every day that something of it counts for.
    #[must_use]
    pub fn days(&self) -> BTreeSet<NaiveDate> {
        let games = self.what.past_games().unwrap_or_default();
        games.iter().map(|game| game.on).chain([self.on]).collect()
    }
}

/// The purpose of a posting of the daybook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum MoveKind {
    /// From player to player.
    Payment,
    /// Received from a player, into the drawer or the bank.
    PaidIn,
    /// Paid to a player, from the drawer or the bank.
    PaidOut,
    Membership,
    TableMoney,
    OtherFee,
    Opening,
    /// A game from before the club kept its books here.
    PastGame,
    Adjustment,
    Expense,
    Income,
    /// Money leaves for somebody outside, or comes from there.
    Outside,
    Deposit,
    /// The difference that a count of the drawer has shown.
    Counted,
}

impl MoveKind {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name in JSON and in the books, which is the variant's. It cannot change.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.into_str()
    }
}

/// An amount moved between two accounts: `from` falls by it, `to` rises by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub from: Holder,
    pub to: Holder,
    pub unit: Unit,
    pub amount: i64,
    pub kind: MoveKind,
}

/// The most a single amount may be, in minor units or half points.
pub const MOST: i64 = 1_000_000_000_000_000;

/// An amount that is asked for: 1 to 10^15 minor units or half points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "i64", into = "i64")]
#[cfg_attr(
    feature = "schema",
    schema(as = DaybookSum, value_type = i64, minimum = 1, maximum = 1_000_000_000_000_000_i64, example = 500)
)]
pub struct Sum(i64);

impl TryFrom<i64> for Sum {
    type Error = InvalidValue;
    fn try_from(amount: i64) -> Result<Self, InvalidValue> {
        let allowed = "1 to 1,000,000,000,000,000";
        (1..=MOST).contains(&amount).then_some(Self(amount)).ok_or(InvalidValue { what: "amount", allowed })
    }
}
impl From<Sum> for i64 {
    fn from(Sum(amount): Sum) -> Self {
        amount
    }
}

impl Record {
    /// Checks amounts and who has part in it.
    ///
    /// # Errors
    /// The refusal.
    pub fn check(&self) -> Result<(), Refusal> {
        let amount_is_right = |amount: i64| match (1..=MOST).contains(&amount) {
            true => Ok(()),
            false => Err(Refusal::BadAmount { most: MOST }),
        };
        match self {
            Self::Payment { payer, payee, amount, means, currency: _ } => {
                amount_is_right(*amount)?;
                match (payer, payee) {
                    (Holder::Player(payer), Holder::Player(payee)) if payer == payee => {
                        Err(Refusal::BadParties)
                    }
                    (Holder::Player(_), Holder::Player(_)) => match means {
                        Means::Cash => Ok(()),
                        Means::Bank => Err(Refusal::BadParties),
                    },
                    (Holder::Player(_), Holder::House) | (Holder::House, Holder::Player(_)) => Ok(()),
                    _ => Err(Refusal::BadParties),
                }
            }
            Self::Fee { players, amount, fee: _, currency: _ } => {
                amount_is_right(*amount)?;
                let mut all = players.clone();
                all.sort_unstable();
                all.dedup();
                match players.len() {
                    0 => Err(Refusal::BadParties),
                    many if many > MOST_AT_ONCE => Err(Refusal::TooManyAtOnce),
                    many if many != all.len() => Err(Refusal::BadParties),
                    _ => Ok(()),
                }
            }
            Self::OpeningBalances { balances } => {
                if balances.is_empty() {
                    return Err(Refusal::BadParties);
                }
                if balances.len() > MOST_AT_ONCE {
                    return Err(Refusal::TooManyAtOnce);
                }
                for OpeningBalance { holder, unit, amount } in balances {
                    amount_is_right(i64::try_from(amount.unsigned_abs()).unwrap_or(i64::MAX))?;
                    has_account(*holder, *unit)?;
                    if matches!(holder, Holder::Opening) {
                        return Err(Refusal::BadParties);
                    }
                }
                Ok(())
            }
            Self::PastGames { games } => {
                if games.len() > MOST_AT_ONCE {
                    return Err(Refusal::TooManyAtOnce);
                }
                let is_game = |game: &PastGame| game.winner != game.loser && game.won().count() > 0;
                match games.is_empty() || !games.iter().all(is_game) {
                    true => Err(Refusal::BadParties),
                    false => Ok(()),
                }
            }
            Self::Adjustment { from, to, unit, amount } => {
                amount_is_right(*amount)?;
                has_account(*from, *unit)?;
                has_account(*to, *unit)?;
                if from == to { Err(Refusal::BadParties) } else { Ok(()) }
            }
            Self::Expense { amount, .. } | Self::Income { amount, .. } | Self::Deposit { amount, .. } => {
                amount_is_right(*amount)
            }
            Self::Count { counted, expected, currency: _ } => {
                if !(0..=MOST).contains(counted) || counted.checked_sub(*expected).is_none() {
                    return Err(Refusal::BadAmount { most: MOST });
                }
                Ok(())
            }
        }
    }

    /// The games of a record of past games; `None` of any other.
    #[must_use]
    pub fn past_games(&self) -> Option<&[PastGame]> {
        if let Self::PastGames { games } = self { Some(games) } else { None }
    }

    /// Whether the memo has to say why.
    #[must_use]
    pub const fn needs_reason(&self) -> bool {
        match self {
            Self::Adjustment { .. } | Self::Expense { .. } | Self::Income { .. } => true,
            Self::Payment { .. }
            | Self::Fee { .. }
            | Self::OpeningBalances { .. }
            | Self::PastGames { .. }
            | Self::Deposit { .. }
            | Self::Count { .. } => false,
        }
    }

    /// The currencies it moves.
    #[must_use]
    pub fn currencies(&self) -> Vec<Currency> {
        let of = |unit: &Unit| match unit {
            Unit::Money(currency) => Some(*currency),
            Unit::HalfPoints => None,
        };
        match self {
            Self::Payment { currency, .. }
            | Self::Fee { currency, .. }
            | Self::Expense { currency, .. }
            | Self::Income { currency, .. }
            | Self::Deposit { currency, .. }
            | Self::Count { currency, .. } => vec![*currency],
            Self::OpeningBalances { balances } => {
                balances.iter().filter_map(|balance| of(&balance.unit)).collect()
            }
            Self::PastGames { games } => {
                let played_for: BTreeSet<Currency> =
                    games.iter().filter_map(|game| game.money).map(|money| money.currency).collect();
                played_for.into_iter().collect()
            }
            Self::Adjustment { unit, .. } => of(unit).into_iter().collect(),
        }
    }

    /// The players it names.
    #[must_use]
    pub fn players(&self) -> Vec<PlayerId> {
        match self {
            Self::Payment { payer, payee, .. } => {
                [payer, payee].into_iter().filter_map(|one| one.player()).collect()
            }
            Self::Fee { players, .. } => players.clone(),
            Self::OpeningBalances { balances } => {
                balances.iter().filter_map(|balance| balance.holder.player()).collect()
            }
            Self::PastGames { games } => {
                let played: BTreeSet<PlayerId> =
                    games.iter().flat_map(|game| [game.winner, game.loser]).collect();
                played.into_iter().collect()
            }
            Self::Adjustment { from, to, .. } => {
                [from, to].into_iter().filter_map(|one| one.player()).collect()
            }
            Self::Expense { .. } | Self::Income { .. } | Self::Deposit { .. } | Self::Count { .. } => {
                Vec::new()
            }
        }
    }

    /// What it moves between accounts, in order. A count that finds no difference moves nothing.
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        let one = |from, to, currency: Currency, amount, kind| Move {
            from,
            to,
            unit: Unit::Money(currency),
            amount,
            kind,
        };
        match self {
            Self::Payment { payer, payee, currency, amount, means } => {
                let club = means.holder();
                // The payer's balance rises: they owe that much less.
                let (from, to, kind) = match (payer, payee) {
                    (payer, Holder::House) => (club, *payer, MoveKind::PaidIn),
                    (Holder::House, payee) => (*payee, club, MoveKind::PaidOut),
                    (payer, payee) => (*payee, *payer, MoveKind::Payment),
                };
                vec![one(from, to, *currency, *amount, kind)]
            }
            Self::Fee { players, fee, currency, amount } => {
                let kind = match fee {
                    FeeKind::Membership => MoveKind::Membership,
                    FeeKind::TableMoney => MoveKind::TableMoney,
                    FeeKind::Other => MoveKind::OtherFee,
                };
                let charged =
                    |player: &PlayerId| one((*player).into(), Holder::House, *currency, *amount, kind);
                players.iter().map(charged).collect()
            }
            Self::OpeningBalances { balances } => {
                let opened = |OpeningBalance { holder, unit, amount }: &OpeningBalance| {
                    // The club's own accounts fall as money comes: see `Means::holder`.
                    let rises = (*amount > 0) != matches!(holder, Holder::House | Holder::Bank);
                    let (from, to) =
                        if rises { (Holder::Opening, *holder) } else { (*holder, Holder::Opening) };
                    let amount = i64::try_from(amount.unsigned_abs()).unwrap_or(i64::MAX);
                    Move { from, to, unit: *unit, amount, kind: MoveKind::Opening }
                };
                balances.iter().map(opened).collect()
            }
            Self::PastGames { games } => games.iter().flat_map(PastGame::moves).collect(),
            Self::Adjustment { from, to, unit, amount } => {
                vec![Move { from: *from, to: *to, unit: *unit, amount: *amount, kind: MoveKind::Adjustment }]
            }
            // The club owes it to somebody outside, and pays.
            Self::Expense { currency, amount, means } => vec![
                one(Holder::House, Holder::Outside, *currency, *amount, MoveKind::Expense),
                one(Holder::Outside, means.holder(), *currency, *amount, MoveKind::Outside),
            ],
            Self::Income { currency, amount, means } => vec![
                one(Holder::Outside, Holder::House, *currency, *amount, MoveKind::Income),
                one(means.holder(), Holder::Outside, *currency, *amount, MoveKind::Outside),
            ],
            Self::Deposit { currency, amount, way } => {
                // An account of the club rises as its money leaves: see `Means::holder`.
                let (from, to) = match way {
                    Way::ToBank => (Holder::Bank, Holder::House),
                    Way::FromBank => (Holder::House, Holder::Bank),
                };
                vec![one(from, to, *currency, *amount, MoveKind::Deposit)]
            }
            Self::Count { currency, counted, expected } => {
                let over = counted - expected;
                let (from, to) = match over.cmp(&0) {
                    std::cmp::Ordering::Equal => return Vec::new(),
                    std::cmp::Ordering::Greater => (Holder::House, Holder::Rounding),
                    std::cmp::Ordering::Less => (Holder::Rounding, Holder::House),
                };
                vec![one(from, to, *currency, over.abs(), MoveKind::Counted)]
            }
        }
    }
}

/// Refuses an account that there is not: only players and the opening balances have points, and pools are the
/// tournaments' own.
const fn has_account(holder: Holder, unit: Unit) -> Result<(), Refusal> {
    match (holder, unit) {
        (Holder::Player(_) | Holder::Opening, _)
        | (Holder::House | Holder::Bank | Holder::Rounding | Holder::Outside, Unit::Money(_)) => Ok(()),
        (Holder::Pool(_), _)
        | (Holder::House | Holder::Bank | Holder::Rounding | Holder::Outside, Unit::HalfPoints) => {
            Err(Refusal::BadParties)
        }
    }
}
