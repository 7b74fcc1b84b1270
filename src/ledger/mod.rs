//! The books, pure: what happens at a table posts, and how it is taken back.
//!
//! A [`Transaction`] holds postings that add up to zero in every unit; one that does not cannot be
//! made. Every bet makes two postings a unit, one for each of its players, that name the other and the
//! kind of bet. Points are posted always, money if there is a stake. A payment is posted in money alone: it
//! changes what is owed, never the score. What was wrong is put right by new postings, never by an edit
//! ([`Place::transactions`]). Balances, their running order and storing are left to the store.
//! [`settle_up`](mod@settle_up) says who hands what to whom.

pub mod settle_up;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::chouette::{BetKind, Event, FinishedGame, GameBet, SettledBet};
use crate::values::{ChouetteId, Currency, HalfPoints, InvalidValue, Payment, PlayerId, Stake, Timestamp};

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

/// What a posting is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostingKind {
    /// A bet of a game.
    Bet(BetKind),
    /// What one player paid another.
    Payment,
}

impl PostingKind {
    /// The name in the books.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bet(kind) => kind.name(),
            Self::Payment => "payment",
        }
    }
}

/// One side of one bet, or of one payment, in one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    /// Whose account.
    pub player: PlayerId,
    /// The other player.
    pub counterparty: PlayerId,
    /// What the amount is counted in.
    pub unit: Unit,
    /// What the player won, or paid; negative if lost, or received.
    pub amount: i64,
    /// What it is for.
    pub kind: PostingKind,
}

/// Why a transaction was posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransactionKind {
    /// A game ended.
    Game,
    /// A finished game was corrected: its bets as they were are taken back, as they are now posted.
    Correction,
    /// One player paid another: it changes debts, never scores.
    Payment,
    /// Somebody entered twice is one again: what the one had is the other's now.
    Merge,
    /// Any of these is taken back: its act was undone.
    Reversal,
}

impl TransactionKind {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::Game, Self::Correction, Self::Payment, Self::Merge, Self::Reversal];

    /// The name in the books.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Correction => "correction",
            Self::Payment => "payment",
            Self::Merge => "merge",
            Self::Reversal => "reversal",
        }
    }
}

/// Postings that belong together and add up to zero in every unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// Never a reversal: that is a transaction of another kind, taken back.
    kind: TransactionKind,
    taken_back: bool,
    chouette: ChouetteId,
    game: Option<u32>,
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

/// Why something cannot be posted. The first two cannot happen under rules that forbid halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotPost {
    /// The postings would not add up.
    #[error(transparent)]
    Unbalanced(#[from] Unbalanced),
    /// The stake cannot be paid in whole minor units.
    #[error("{0} at this stake is no whole number of minor units")]
    SplitsMinorUnit(HalfPoints),
    /// The stake makes more of it than the books hold.
    #[error("{0} at this stake is more than the books hold")]
    BeyondBooks(HalfPoints),
}

impl CannotPost {
    /// The stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Unbalanced(_) | Self::SplitsMinorUnit(_) => "unbalanced",
            Self::BeyondBooks(_) => "beyond_books",
        }
    }
}

impl Transaction {
    /// The transaction of `kind` by which `postings` are made.
    fn new(
        kind: TransactionKind,
        Place { chouette, at, .. }: Place,
        game: Option<u32>,
        postings: Vec<Posting>,
    ) -> Result<Self, Unbalanced> {
        let mut sums: BTreeMap<Unit, i128> = BTreeMap::new();
        for posting in &postings {
            *sums.entry(posting.unit).or_default() += i128::from(posting.amount);
        }
        match sums.into_iter().find(|(_, sum)| *sum != 0) {
            Some((unit, sum)) => Err(Unbalanced { unit, sum }),
            None => Ok(Self { kind, taken_back: false, chouette, game, at, postings }),
        }
    }

    /// Why it was posted.
    #[must_use]
    pub const fn kind(&self) -> TransactionKind {
        if self.taken_back { TransactionKind::Reversal } else { self.kind }
    }
    /// The chouette it comes from.
    #[must_use]
    pub const fn chouette(&self) -> ChouetteId {
        self.chouette
    }
    /// The number of the game within its chouette; `None` of a payment.
    #[must_use]
    pub const fn game(&self) -> Option<u32> {
        self.game
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

/// The transaction that takes `transaction` back: the same postings the other way round, for the same
/// moment of play.
#[must_use]
pub fn reversal_of(transaction: &Transaction) -> Transaction {
    let mut reversal = transaction.clone();
    reversal.taken_back = !reversal.taken_back;
    for posting in &mut reversal.postings {
        posting.amount = -posting.amount;
    }
    reversal
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
    let place = Place { chouette, stake, at };
    place.of_bets(TransactionKind::Game, finished.game, &[], &finished.bets)
}

/// Where and when something happened, and what is played for there.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// At which chouette.
    pub chouette: ChouetteId,
    /// What a point is worth there, if money is played for.
    pub stake: Option<Stake>,
    /// When.
    pub at: Timestamp,
}

impl Place {
    /// What an event of the chouette posts: a finished game, its correction, a payment, and of two players
    /// who are one each game that the one had, and what was paid. Nothing else does.
    ///
    /// # Errors
    /// [`CannotPost`].
    pub fn transactions(self, event: &Event) -> Result<Vec<Transaction>, CannotPost> {
        match event {
            Event::GameFinished(finished) => {
                Ok(vec![transaction_for(self.chouette, finished, self.stake, self.at)?])
            }
            Event::GameCorrected { game, before, after, .. } => {
                let changed = |bets: &[SettledBet], others: &[SettledBet]| -> Vec<SettledBet> {
                    let same = |bet: &SettledBet| others.iter().any(|other| posts_alike(*bet, *other));
                    bets.iter().copied().filter(|bet| !same(bet)).collect()
                };
                let (gone, new) = (changed(before, after), changed(after, before));
                let corrected = self.of_bets(TransactionKind::Correction, *game, &gone, &new)?;
                Ok(Some(corrected).filter(|corrected| !corrected.postings.is_empty()).into_iter().collect())
            }
            Event::Paid { payer, payee, amount } => {
                let payment = Payment { payer: *payer, payee: *payee, amount: *amount };
                Ok(self.of_payments(TransactionKind::Payment, &[], &[payment])?.into_iter().collect())
            }
            Event::PlayersMerged { duplicate, player, bets, payments, .. } => {
                self.of_merge((*duplicate, *player), bets, payments)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// What the events of one act post: what each does, but its payments, as one transaction.
    ///
    /// # Errors
    /// [`CannotPost`].
    pub fn transactions_of(self, events: &[Event]) -> Result<Vec<Transaction>, CannotPost> {
        let (mut payments, mut transactions) = (Vec::new(), Vec::new());
        for event in events {
            match event {
                Event::Paid { payer, payee, amount } => {
                    payments.push(Payment { payer: *payer, payee: *payee, amount: *amount });
                }
                event => transactions.extend(self.transactions(event)?),
            }
        }
        transactions.extend(self.of_payments(TransactionKind::Payment, &[], &payments)?);
        Ok(transactions)
    }

    /// Bets of one game, some taken back and some posted: for every one two postings in half points, and two
    /// in money if there is a stake.
    fn of_bets(
        self,
        kind: TransactionKind,
        game: u32,
        taken_back: &[SettledBet],
        posted: &[SettledBet],
    ) -> Result<Transaction, CannotPost> {
        let mut postings = Vec::new();
        let bets = taken_back.iter().map(|bet| (bet, -1)).chain(posted.iter().map(|bet| (bet, 1)));
        for (bet, sign) in bets {
            let between = (bet.winner, bet.loser);
            let kind = PostingKind::Bet(bet.kind);
            post(&mut postings, between, Unit::HalfPoints, sign * bet.points.0, kind);
            if let Some(stake) = self.stake {
                let cannot = match stake.splits(bet.points) {
                    true => CannotPost::SplitsMinorUnit(bet.points),
                    false => CannotPost::BeyondBooks(bet.points),
                };
                let money = stake.worth(bet.points).ok_or(cannot)?;
                post(&mut postings, between, Unit::Money(stake.currency), sign * money.0, kind);
            }
        }
        Ok(Transaction::new(kind, self, Some(game), postings)?)
    }

    /// Payments, some taken back and some posted, in the stake's currency. Nothing where no money is played
    /// for: what is owed there is kept by the chouette alone, and the books have the score.
    fn of_payments(
        self,
        kind: TransactionKind,
        taken_back: &[Payment],
        posted: &[Payment],
    ) -> Result<Option<Transaction>, CannotPost> {
        let Some(stake) = self.stake else { return Ok(None) };
        let mut postings = Vec::new();
        let payments = taken_back.iter().map(|payment| (payment, -1));
        for (payment, sign) in payments.chain(posted.iter().map(|payment| (payment, 1))) {
            let (between, unit) = ((payment.payer, payment.payee), Unit::Money(stake.currency));
            post(&mut postings, between, unit, sign * payment.amount, PostingKind::Payment);
        }
        if postings.is_empty() {
            return Ok(None);
        }
        Ok(Some(Transaction::new(kind, self, None, postings)?))
    }

    /// What `duplicate` has paid, won and lost becomes `player`'s: the payments, then game by game.
    fn of_merge(
        self,
        (duplicate, player): (PlayerId, PlayerId),
        bets: &[GameBet],
        payments: &[Payment],
    ) -> Result<Vec<Transaction>, CannotPost> {
        let renamed = |id: PlayerId| if id == duplicate { player } else { id };
        // What the two paid each other is nobody's debt any more.
        let paid_after: Vec<Payment> = payments
            .iter()
            .map(|paid| Payment { payer: renamed(paid.payer), payee: renamed(paid.payee), ..*paid })
            .filter(|paid| paid.payer != paid.payee)
            .collect();
        let payments = self.of_payments(TransactionKind::Merge, payments, &paid_after)?;
        let mut transactions: Vec<Transaction> = payments.into_iter().collect();
        for game in bets.chunk_by(|one, next| one.game == next.game) {
            let Some(GameBet { game: number, .. }) = game.first() else { continue };
            let before: Vec<SettledBet> = game.iter().map(|bet| bet.bet).collect();
            let after: Vec<SettledBet> = before
                .iter()
                .map(|bet| SettledBet { winner: renamed(bet.winner), loser: renamed(bet.loser), ..*bet })
                .collect();
            transactions.push(self.of_bets(TransactionKind::Merge, *number, &before, &after)?);
        }
        Ok(transactions)
    }
}

/// The two postings of a bet, or of a payment: to the one who won or paid, from the other.
fn post(
    postings: &mut Vec<Posting>,
    (to, from): (PlayerId, PlayerId),
    unit: Unit,
    amount: i64,
    kind: PostingKind,
) {
    for (player, counterparty, amount) in [(to, from, amount), (from, to, -amount)] {
        postings.push(Posting { player, counterparty, unit, amount, kind });
    }
}

/// Whether two bets come to the same in the books.
fn posts_alike(one: SettledBet, other: SettledBet) -> bool {
    let posted = |bet: SettledBet| (bet.bet, bet.winner, bet.loser, bet.points, bet.kind);
    posted(one) == posted(other)
}

#[cfg(test)]
mod tests;
