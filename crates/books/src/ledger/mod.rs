//! The books, as pure functions: what chouettes, matches and tournaments post, and how it is reversed.
//!
//! A [`Transaction`] holds postings that add up to zero in every unit; one that does not cannot be
//! constructed. Every bet makes two postings per unit, one for each of its players, naming the other and the
//! kind of bet. Points are always posted, money only if there is a stake. A payment is posted in money alone:
//! it changes what is owed, never the score. Mistakes are put right by new postings, never by an edit
//! ([`PostingOrigin::transactions`]). A game of a money session is a bet between its two players, and a match
//! may have a stake for the whole of it; they pay each other as well
//! ([`PostingOrigin::transactions_of_sheet`]). A tournament moves money between players, its pool and the
//! house ([`transfers`]); only players have scores. What the treasurer records is in [`of_daybook_event`].
//! Balances, their running order and storage are left to the store. [`settle_up`](mod@settle_up) works out
//! who pays whom.

mod daybook;
pub mod export;
pub mod income;
mod matches;
pub mod settle_up;
mod source;
mod tournaments;

use std::collections::BTreeMap;

use chrono::NaiveDate;
use strum::IntoStaticStr;

use crate::daybook::MoveKind;
use owlbox_base::code::Code;
use owlbox_base::values::{HalfPoints, Holder, Payment, PlayerId, Stake, Timestamp};
use owlbox_chouette::{BetKind, Event, EventKind, GameBet, SettledBet};
use owlbox_play::tournament::money::{InvalidTransfer, TransferKind};

pub use crate::unit::Unit;
pub use daybook::{of_daybook, of_daybook_event};
pub use source::Source;
pub use tournaments::transfers;

/// The reason for a posting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostingKind {
    /// A bet in a game of a chouette.
    Bet(BetKind),
    Game,
    /// The stake of a match.
    Stake,
    /// A payment between two players.
    Payment,
    Transfer(TransferKind),
    /// What the treasurer recorded.
    Recorded(MoveKind),
}

impl PostingKind {
    /// The name in the books.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bet(kind) => kind.name(),
            Self::Game => "game",
            Self::Stake => "stake",
            Self::Payment => "payment",
            Self::Transfer(kind) => kind.name(),
            Self::Recorded(kind) => kind.name(),
        }
    }

    /// Every kind; of those that share a name the first is the usual one.
    pub fn all() -> impl Iterator<Item = Self> {
        let bets = BetKind::ALL.into_iter().map(Self::Bet);
        let moved = TransferKind::ALL.iter().copied().map(Self::Transfer);
        let recorded = MoveKind::ALL.iter().copied().map(Self::Recorded);
        [Self::Game, Self::Stake, Self::Payment].into_iter().chain(bets).chain(moved).chain(recorded)
    }

    /// The kind of this name; `None` if no posting has it.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|kind| kind.name() == name)
    }
}

/// One side of a bet, payment or transfer, in one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    pub holder: Holder,
    pub counterparty: Holder,
    pub unit: Unit,
    /// The change to the holder's account: positive for what a player won or paid to another, negative for
    /// the opposite.
    pub amount: i64,
    pub kind: PostingKind,
}

/// The reason for a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum TransactionKind {
    Game,
    /// A finished game was corrected: its bets as they were are taken back, and posted as they are now.
    Correction,
    /// A game was contested: its result is taken out until a scorer has ruled.
    Contest,
    /// A contest was withdrawn, or a scorer ruled that the game stands: its result is posted again.
    Upheld,
    /// The stake of a match was won, or went to another side than before.
    Stake,
    /// One player paid another. Changes debts, never scores.
    Payment,
    /// A tournament took, kept or paid out money.
    Transfer,
    /// A fee of the club.
    Fee,
    /// Balances from before the club kept its books here.
    Opening,
    /// A game from before the club kept its books here.
    PastGame,
    /// The treasurer moved something from one account to another.
    Adjustment,
    /// The club paid somebody outside.
    Expense,
    /// The club got money from outside.
    Income,
    /// Money was carried between drawer and bank.
    Deposit,
    /// A count of the drawer found a difference.
    Count,
    /// A person entered twice was merged: the duplicate's postings move to the player.
    Merge,
    /// Any of these was taken back because its act was undone.
    Reversal,
}

impl TransactionKind {
    /// The name in the books.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.into_str()
    }
}

/// Postings that belong together and add up to zero in every unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// Never `Reversal`: a reversal is a transaction of another kind with `taken_back` set.
    kind: TransactionKind,
    taken_back: bool,
    source: Source,
    game: Option<u32>,
    at: Timestamp,
    night: Option<NaiveDate>,
    postings: Vec<Posting>,
}

/// Postings that do not add up to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the postings in {unit} add up to {sum}, not to zero")]
pub struct Unbalanced {
    pub unit: Unit,
    pub sum: i128,
}

/// Why something cannot be posted. The first two cannot happen under rules that forbid halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotPost {
    /// The postings would not add up to zero.
    #[error(transparent)]
    Unbalanced(#[from] Unbalanced),
    /// The stake makes the amount not a whole number of minor units.
    #[error("{0} at this stake is not a whole number of minor units")]
    SplitsMinorUnit(HalfPoints),
    /// The stake makes the amount larger than the books hold.
    #[error("{0} at this stake is more than the books can hold")]
    BeyondBooks(HalfPoints),
    /// An amount to transfer is zero, or goes the wrong way.
    #[error(transparent)]
    Transfer(#[from] InvalidTransfer),
}

impl CannotPost {
    #[must_use]
    pub const fn code(self) -> Code {
        match self {
            Self::Unbalanced(_) | Self::SplitsMinorUnit(_) => Code::Unbalanced,
            Self::BeyondBooks(_) => Code::BeyondBooks,
            Self::Transfer(_) => Code::InvalidTransfer,
        }
    }
}

impl Transaction {
    /// A transaction of `kind` with these postings, if they balance.
    fn new(
        kind: TransactionKind,
        PostingOrigin { source, at, night, .. }: PostingOrigin,
        game: Option<u32>,
        postings: Vec<Posting>,
    ) -> Result<Self, Unbalanced> {
        let mut sums: BTreeMap<Unit, i128> = BTreeMap::new();
        for posting in &postings {
            *sums.entry(posting.unit).or_default() += i128::from(posting.amount);
        }
        match sums.into_iter().find(|(_, sum)| *sum != 0) {
            Some((unit, sum)) => Err(Unbalanced { unit, sum }),
            None => Ok(Self { kind, taken_back: false, source, game, at, night, postings }),
        }
    }

    #[must_use]
    pub const fn kind(&self) -> TransactionKind {
        if self.taken_back { TransactionKind::Reversal } else { self.kind }
    }
    /// The stream whose act posted it.
    #[must_use]
    pub const fn source(&self) -> Source {
        self.source
    }
    /// The number of the game within its chouette, match or record of past games; `None` if the transaction
    /// is not about a game.
    #[must_use]
    pub const fn game(&self) -> Option<u32> {
        self.game
    }
    /// When it was played or paid, not when it was posted.
    #[must_use]
    pub const fn at(&self) -> Timestamp {
        self.at
    }
    /// The day it belongs to; `None` if that is the day of [`at`](Self::at) on the club's clock.
    #[must_use]
    pub const fn night(&self) -> Option<NaiveDate> {
        self.night
    }
    #[must_use]
    pub fn postings(&self) -> &[Posting] {
        &self.postings
    }
}

/// The reversal of `transaction`: the same postings with opposite signs, at the same moment of play. The
/// reversal of a reversal is the transaction again.
#[must_use]
pub fn reversal_of(transaction: &Transaction) -> Transaction {
    let mut reversal = transaction.clone();
    reversal.taken_back = !reversal.taken_back;
    for posting in &mut reversal.postings {
        posting.amount = -posting.amount;
    }
    reversal
}

/// Where and when something happened, and the stake there.
#[derive(Clone, Copy, Debug)]
pub struct PostingOrigin {
    pub source: Source,
    /// The worth of a point or, of a match, of the whole; `None` if no money is played for.
    pub stake: Option<Stake>,
    pub at: Timestamp,
    /// The day it belongs to, where that is known otherwise than from the moment: a table that plays past
    /// midnight has its own night.
    pub night: Option<NaiveDate>,
}

impl PostingOrigin {
    /// The transactions of one event of a chouette: a finished game; its correction; a payment; for two
    /// players merged into one, the payments and each game that the duplicate had part in. No other event
    /// posts anything.
    ///
    /// # Errors
    /// [`CannotPost`].
    #[expect(clippy::wildcard_enum_match_arm, reason = "an aspect of each kind says whether it is posted")]
    pub fn transactions(self, event: &Event) -> Result<Vec<Transaction>, CannotPost> {
        if !EventKind::from(event).is_posted() {
            return Ok(Vec::new());
        }
        match event {
            Event::GameFinished(finished) => {
                Ok(vec![self.of_bets(TransactionKind::Game, finished.game, &[], &finished.bets)?])
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
                self.of_merge(*duplicate, *player, bets, payments)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The transactions of all events of one act: as [`transactions`](Self::transactions), but with all
    /// payments in one transaction.
    ///
    /// # Errors
    /// [`CannotPost`].
    pub fn transactions_of(self, events: &[Event]) -> Result<Vec<Transaction>, CannotPost> {
        let (mut payments, mut transactions) = (Vec::new(), Vec::new());
        for event in events {
            if let Event::Paid { payer, payee, amount } = event {
                payments.push(Payment { payer: *payer, payee: *payee, amount: *amount });
            } else {
                transactions.extend(self.transactions(event)?);
            }
        }
        transactions.extend(self.of_payments(TransactionKind::Payment, &[], &payments)?);
        Ok(transactions)
    }

    /// A transaction about the bets of one game, some taken back and some posted: for every bet two postings
    /// in half points, and two in money if there is a stake.
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
            let kind = PostingKind::Bet(bet.kind);
            self.post_points(&mut postings, bet.winner, bet.loser, bet.points, sign, kind)?;
        }
        Ok(Transaction::new(kind, self, Some(game), postings)?)
    }

    /// Posts what the winner won from the loser, or takes it back with sign -1: two postings in half points,
    /// and two in money if there is a stake.
    fn post_points(
        self,
        postings: &mut Vec<Posting>,
        winner: PlayerId,
        loser: PlayerId,
        points: HalfPoints,
        sign: i64,
        kind: PostingKind,
    ) -> Result<(), CannotPost> {
        let (to, from) = (winner.into(), loser.into());
        post(postings, to, from, Unit::HalfPoints, sign * points.0, kind);
        self.post_money(postings, winner, loser, points, sign, kind)
    }

    /// Posts what points are worth at the stake, or takes it back with sign -1: two postings in money, and
    /// none if there is no stake.
    fn post_money(
        self,
        postings: &mut Vec<Posting>,
        winner: PlayerId,
        loser: PlayerId,
        points: HalfPoints,
        sign: i64,
        kind: PostingKind,
    ) -> Result<(), CannotPost> {
        if let Some(stake) = self.stake {
            let cannot = match stake.splits(points) {
                true => CannotPost::SplitsMinorUnit(points),
                false => CannotPost::BeyondBooks(points),
            };
            let money = stake.worth(points).ok_or(cannot)?;
            let unit = Unit::Money(stake.currency);
            post(postings, winner.into(), loser.into(), unit, sign * money.0, kind);
        }
        Ok(())
    }

    /// A transaction of payments, some taken back and some posted, in the stake's currency. `None` where no
    /// money is played for: there the chouette alone tracks what is owed, and the books have only the score.
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
            let (to, from) = (payment.payer.into(), payment.payee.into());
            let unit = Unit::Money(stake.currency);
            post(&mut postings, to, from, unit, sign * payment.amount, PostingKind::Payment);
        }
        if postings.is_empty() {
            return Ok(None);
        }
        Ok(Some(Transaction::new(kind, self, None, postings)?))
    }

    /// Moves what `duplicate` has paid, won and lost to `player`: first the payments, then game by game.
    fn of_merge(
        self,
        duplicate: PlayerId,
        player: PlayerId,
        bets: &[GameBet],
        payments: &[Payment],
    ) -> Result<Vec<Transaction>, CannotPost> {
        let renamed = |id: PlayerId| if id == duplicate { player } else { id };
        // A payment between the two is now from the player to themselves: it drops out.
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

/// The two postings of a bet, payment or transfer: `to` rises by the amount, `from` falls by it.
fn post(postings: &mut Vec<Posting>, to: Holder, from: Holder, unit: Unit, amount: i64, kind: PostingKind) {
    for (holder, counterparty, amount) in [(to, from, amount), (from, to, -amount)] {
        postings.push(Posting { holder, counterparty, unit, amount, kind });
    }
}

/// Whether two bets post the same.
fn posts_alike(one: SettledBet, other: SettledBet) -> bool {
    let posted = |bet: SettledBet| (bet.bet, bet.winner, bet.loser, bet.points, bet.kind);
    posted(one) == posted(other)
}

#[cfg(test)]
mod tests;
