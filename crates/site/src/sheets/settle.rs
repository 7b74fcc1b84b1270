//! Bets settled by agreement: who pays whom how much, and who counts as the winner between box and captain.

use super::{Act, Filled, SheetPage, Wrong, wrong};
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_books::ledger::Unit;
use owlbox_books::typed::InputError;
use owlbox_chouette::legal::Pair;
use owlbox_chouette::{Command, Settlement, Side};

impl SheetPage<'_> {
    pub(super) fn settle(&self, pairs: &[Pair]) -> Filled {
        self.sent("settle")?;
        let (mut bets, mut all_wrong, mut needs_winner) = (Vec::new(), Wrong::new(), false);
        for pair in pairs {
            match self.settlement(pair) {
                Some(Ok(settlement)) => {
                    needs_winner |= pair.counts_for;
                    bets.push(settlement);
                }
                Some(Err(why)) => {
                    all_wrong.insert(self.of_pair("amount", pair), why);
                }
                None => {}
            }
        }
        let counts_for = self.counts_for().filter(|_| needs_winner);
        if needs_winner && counts_for.is_none() {
            all_wrong.insert("counts_for".to_owned(), self.t.get("sheet-choose"));
        }
        if !all_wrong.is_empty() {
            return Some(Err(all_wrong));
        }
        if bets.is_empty() {
            return wrong("", self.t.get("sheet-settle-none"));
        }
        let said: Vec<String> = bets.iter().map(|bet| self.settles(bet)).collect();
        Some(Ok(Act::new(Command::Settle { bets, counts_for }, said.join(" · "))))
    }

    /// Who counts as the winner between box and captain, which decides the next seats.
    pub(super) fn counts_for(&self) -> Option<Side> {
        self.form.word("counts_for").ok().flatten()
    }

    /// Whether the captain's bet is among these.
    pub(super) fn is_captains_among(&self, pairs: &[Pair]) -> bool {
        pairs.iter().any(|pair| pair.counts_for)
    }

    pub(super) fn pair_in_words(&self, pair: &Pair) -> String {
        let box_player = self.state().game().map(|game| game.box_player);
        self.between(&pair.box_side, &pair.team, box_player != Some(pair.box_side))
    }

    /// A field of a pair: `pays` or `amount`.
    pub(super) fn of_pair(&self, what: &str, pair: &Pair) -> String {
        format!("{what}.{}.{}", pair.box_side, pair.team)
    }

    pub(super) fn payer(&self, pair: &Pair) -> Option<PlayerId> {
        self.player(&self.of_pair("pays", pair), &[pair.box_side, pair.team])
    }

    /// What is filled in for a pair: nothing, a settlement, or what is wrong with it.
    fn settlement(&self, pair: &Pair) -> Option<Result<Settlement, String>> {
        let amount = self.of_pair("amount", pair);
        let typed = self.form.text(&amount);
        let Some(payer) = self.payer(pair) else {
            return (!typed.is_empty()).then(|| Err(self.t.get("sheet-settle-payer")));
        };
        let payee = if payer == pair.box_side { pair.team } else { pair.box_side };
        let in_reach =
            |points: &i64| *points <= pair.most.0 && points % self.state().rules().smallest_unit() == 0;
        Some(match self.t.amount_typed(typed, Unit::HalfPoints) {
            Ok(points) if in_reach(&points) => Ok(Settlement { payer, payee, points: HalfPoints(points) }),
            Err(InputError::Ambiguous(readings)) => Err(self.t.which_of(&readings)),
            _ => Err(self.t.with("sheet-settle-wrong", "most", self.t.how_many(&pair.most.0))),
        })
    }

    /// The option that one pays the other.
    pub(super) fn pays(&self, payer: &PlayerId, payee: &PlayerId) -> String {
        let (payer, payee) = (self.t.name(payer), self.t.name(payee));
        self.t.fill("sheet-settle-pays", &[("payer", &payer), ("payee", &payee)])
    }

    fn settles(&self, bet: &Settlement) -> String {
        let (payer, payee) = (self.t.name(&bet.payer), self.t.name(&bet.payee));
        let points = self.t.how_many(&bet.points.0);
        self.t.fill("sheet-settle-say", &[("payer", &payer), ("payee", &payee), ("points", &points)])
    }
}
