//! The transactions of a sheet: in a money session each game between the two is a bet; a match has one stake,
//! for the whole of it.

use super::{CannotPost, PostingKind, PostingOrigin, Transaction, TransactionKind};
use owlbox_base::values::{HalfPoints, Payment, PlayerId};
use owlbox_play::matches::{Event, EventKind, Slot, Terms, Won};

impl PostingOrigin {
    /// The transactions of one event of a sheet between `players` (upper and lower slot), played by these
    /// terms. Of a money session: a game won; its correction; a contested game, taken out and put back once
    /// it stands; each game of an imported file. Of a match: the stake that went to another side; what it was
    /// won by posts nothing. Of both: a payment. A drawn game is worth nothing, and no other event posts
    /// anything.
    ///
    /// # Errors
    /// [`CannotPost`].
    #[expect(clippy::wildcard_enum_match_arm, reason = "an aspect of each kind says whether it is posted")]
    pub fn transactions_of_sheet(
        self,
        players: [PlayerId; 2],
        terms: Terms,
        event: &Event,
    ) -> Result<Vec<Transaction>, CannotPost> {
        if !EventKind::from(event).is_posted(terms) {
            return Ok(Vec::new());
        }
        let posted = |game, won: &Won| self.of_won(players, TransactionKind::Game, game, &[(won, 1)]);
        match event {
            Event::StakeMoved { from, to } => {
                let changed = from.map(|from| (from, -1)).into_iter().chain(to.map(|to| (to, 1)));
                let mut postings = Vec::new();
                for (won_by, sign) in changed {
                    let (winner, loser) = of_side(players, won_by);
                    self.post_money(&mut postings, winner, loser, ONE_POINT, sign, PostingKind::Stake)?;
                }
                Ok(vec![Transaction::new(TransactionKind::Stake, self, None, postings)?])
            }
            Event::Paid { by, amount } => {
                let (payer, payee) = of_side(players, *by);
                let payment = Payment { payer, payee, amount: *amount };
                Ok(self.of_payments(TransactionKind::Payment, &[], &[payment])?.into_iter().collect())
            }
            Event::GameWon { game, won, .. } => Ok(vec![posted(*game, won)?]),
            Event::Contested { game: Some(game), won: Some(won), .. } => {
                Ok(vec![self.of_won(players, TransactionKind::Contest, *game, &[(won, -1)])?])
            }
            Event::ContestWithdrawn { game: Some(game), won: Some(won), .. }
            | Event::Upheld { game: Some(game), won: Some(won) } => {
                Ok(vec![self.of_won(players, TransactionKind::Upheld, *game, &[(won, 1)])?])
            }
            // The old result was already taken out when the game was contested.
            Event::Corrected { game, now, contested: true, .. } => {
                Ok(vec![self.of_won(players, TransactionKind::Correction, *game, &[(now, 1)])?])
            }
            Event::Corrected { game, was, now, .. } => {
                if was.as_ref().is_some_and(|was| posts_alike(was, now)) {
                    return Ok(Vec::new());
                }
                let changed: Vec<(&Won, i64)> =
                    was.iter().map(|was| (was, -1)).chain(std::iter::once((now, 1))).collect();
                Ok(vec![self.of_won(players, TransactionKind::Correction, *game, &changed)?])
            }
            Event::Imported { games, .. } => {
                let won = (1..).zip(games).filter_map(|(game, of)| Some((game, of.won.as_ref()?)));
                won.map(|(game, won)| posted(game, won)).collect()
            }
            _ => Ok(Vec::new()),
        }
    }

    /// A transaction about one game: posts a result with sign 1, takes it back with sign -1. Two postings
    /// each in half points, and two in money if there is a stake.
    fn of_won(
        self,
        players: [PlayerId; 2],
        kind: TransactionKind,
        game: u32,
        changed: &[(&Won, i64)],
    ) -> Result<Transaction, CannotPost> {
        let mut postings = Vec::new();
        for (won, sign) in changed {
            let (winner, loser) = of_side(players, won.winner);
            let points = HalfPoints(2 * i64::from(won.points));
            self.post_points(&mut postings, winner, loser, points, *sign, PostingKind::Game)?;
        }
        Ok(Transaction::new(kind, self, Some(game), postings)?)
    }
}

/// What a stake is the worth of.
const ONE_POINT: HalfPoints = HalfPoints(2);

/// The player in `slot`, then their opponent.
const fn of_side([upper, lower]: [PlayerId; 2], slot: Slot) -> (PlayerId, PlayerId) {
    match slot {
        Slot::Upper => (upper, lower),
        Slot::Lower => (lower, upper),
    }
}

/// Whether two games post the same.
fn posts_alike(one: &Won, other: &Won) -> bool {
    (one.winner, one.points) == (other.winner, other.points)
}
