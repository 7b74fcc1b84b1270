//! A payment between two players. It changes what they owe, never their scores.

use super::{Act, Filled, SheetPage, wrong};
use owlbox_base::values::PlayerId;
use owlbox_books::ledger::Unit;
use owlbox_books::typed::InputError;
use owlbox_chouette::Command;

impl SheetPage<'_> {
    pub(super) fn pay(&self) -> Filled {
        self.sent("pay")?;
        let known = self.known();
        let (payer, payee) = (self.player("payer", &known), self.player("payee", &known));
        let amount = self.t.amount_typed(self.form.text("amount"), self.paid_in());
        if let Err(InputError::Ambiguous(readings)) = &amount {
            return wrong("amount", self.t.which_of(readings));
        }
        match (payer, payee, amount.ok().filter(|amount| *amount > 0)) {
            (None, ..) => self.choose("payer"),
            (_, None, _) => self.choose("payee"),
            (payer, payee, _) if payer == payee => wrong("payee", self.t.get("sheet-pay-same")),
            (.., None) => wrong("amount", self.t.get("sheet-pay-wrong")),
            (Some(payer), Some(payee), Some(amount)) => {
                let (by, to) = (self.t.name(&payer), self.t.name(&payee));
                let worth = self.t.amount(&self.paid_in(), &amount).text;
                let said = self.t.fill(
                    "sheet-pay-say",
                    &[("payer", &by), ("payee", &to), ("amount", &worth.trim_start_matches('+'))],
                );
                Some(Ok(Act::new(Command::Pay { payer, payee, amount }, said)))
            }
        }
    }

    /// The unit of payments at the table: its money, or points.
    fn paid_in(&self) -> Unit {
        self.state().stake().map_or(Unit::HalfPoints, |stake| Unit::Money(stake.currency))
    }

    pub(super) fn how_much(&self) -> String {
        let unit = match self.paid_in() {
            Unit::Money(currency) => currency.to_string(),
            Unit::HalfPoints => self.t.get("sheet-points"),
        };
        self.t.with("sheet-pay-amount", "unit", unit)
    }

    /// Everybody's balance at this table, after payments. `None` if all are even or the viewer may not see
    /// it.
    pub(super) fn owed(&self) -> Option<String> {
        let stands = |player: PlayerId| {
            let debt = self.state().debt(player).filter(|debt| *debt != 0)?;
            Some(format!("{} {}", self.t.name(&player), self.t.amount(&self.paid_in(), &debt).text))
        };
        let stands: Vec<String> = self.state().known().filter_map(stands).collect();
        let is_shown = self.screen.viewer.sees_points && !stands.is_empty();
        is_shown.then(|| self.t.with("sheet-pay-stands", "stands", stands.join(" · ")))
    }
}
