//! A game in a variant other than the house's own, where the rules allow others.

use super::{Act, Filled, SheetPage};
use crate::playing;
use crate::sentences::chouette::game_starts;
use owlbox_chouette::Command;
use owlbox_engine::Variant;

impl SheetPage<'_> {
    pub(super) fn variant_in_words(&self, variant: &Variant) -> String {
        playing::variant(&self.t, *variant)
    }

    pub(super) fn start(&self, variants: &[Variant]) -> Filled {
        let chosen = Variant::from_key(self.form.text("variant")).filter(|chosen| variants.contains(chosen));
        let Some(variant) = chosen else {
            self.sent("start")?;
            return self.choose("variant");
        };
        let game = self.state().games_finished().saturating_add(1);
        let refereed = self.form.text("refereed") == "yes";
        let said = game_starts(&self.t, game, refereed, variant);
        Some(Ok(Act::new(Command::StartGame { refereed, variant: Some(variant) }, said)))
    }
}
