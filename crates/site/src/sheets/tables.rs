//! Splitting a table, moving to another, and changing the house rules.

use super::{Act, Filled, OtherTable, SheetKind, SheetPage, wrong};
use crate::house_rules::shown_name;
use crate::sentences::house_rules::{label, meaning};
use owlbox_base::code::Code;
use owlbox_base::values::{ChouetteId, PlayerId};
use owlbox_books::club::RuleSet;
use owlbox_chouette::rules::catalogue::{self, HouseRuleSetting};
use owlbox_chouette::{Command, HouseRules};

/// Some players leave for a table of their own.
impl SheetPage<'_> {
    /// The tables that were split off from this one, on the sheet that splits it.
    pub(super) fn split_off(&self) -> Vec<&OtherTable> {
        let is_from_here = |other: &&OtherTable| other.1.state.from() == Some(self.screen.id);
        let others = self.others.iter().filter(is_from_here);
        others.filter(|_| self.kind == SheetKind::Split).collect()
    }

    /// Everybody who could go.
    pub(super) fn here(&self) -> Vec<PlayerId> {
        let mut here = self.state().present();
        here.retain(|player| !self.state().resting().contains(player));
        here
    }

    /// Whether a player goes to the new table; at first those go who have to (`proposed`).
    pub(super) fn goes(&self, player: &PlayerId, proposed: &[PlayerId]) -> bool {
        if self.is_sent("split") {
            self.form.has("players", &player.to_string())
        } else {
            proposed.contains(player)
        }
    }

    pub(super) fn new_name(&self) -> String {
        if self.is_sent("split") {
            self.form.text("name").to_owned()
        } else {
            format!("{} 2", self.state().name())
        }
    }

    pub(super) fn split(&self, proposed: &[PlayerId]) -> Filled {
        self.sent("split")?;
        let mut players = self.here();
        players.retain(|player| self.goes(player, proposed));
        let name = self.new_name();
        if players.len() < 3 {
            return wrong("players", self.t.get("sheet-split-few"));
        }
        if name.is_empty() {
            return wrong("name", self.t.error(Code::InvalidName));
        }
        let names = self.t.list(&self.t.names(&players));
        let said = self.t.fill("sheet-split-say", &[("names", &names), ("table", &name)]);
        Some(Ok(Act::new(Command::Split { players, table: None, name }, said)))
    }
}

/// Everybody moves to another table.
impl SheetPage<'_> {
    pub(super) fn is_chosen_table(&self, table: &ChouetteId) -> bool {
        self.form.text("table") == table.to_string()
    }

    pub(super) fn merge(&self) -> Filled {
        if self.others.is_empty() {
            return wrong("", self.t.get("sheet-merge-none"));
        }
        self.sent("merge")?;
        let Some((table, stream)) = self.others.iter().find(|(table, _)| self.is_chosen_table(table)) else {
            return self.choose("table");
        };
        let said = self.t.with("sheet-merge-say", "table", stream.state.name());
        let notes = vec![self.t.get("sheet-merge-closes")];
        Some(Ok(Act { command: Command::MergeInto { table: *table }, said, notes }))
    }
}

/// A change of house rules: to one of the club's sets, or one that comes with the program.
impl SheetPage<'_> {
    pub(super) fn set_name(&self, set: &RuleSet<'_>) -> String {
        shown_name(&self.t, set)
    }

    /// Whether this set is chosen; at first that of the rules in force.
    pub(super) fn is_chosen_set(&self, set: &RuleSet<'_>) -> bool {
        match self.form.some("set") {
            Some(named) => set.name == named,
            None => set.rules == self.state().rules(),
        }
    }

    pub(super) fn change_rules(&self) -> Filled {
        self.sent("rules")?;
        let now = self.state().rules();
        let named = self.form.text("set");
        let Some(set) = self.rule_sets.iter().find(|set| set.name == named) else {
            return self.choose("set");
        };
        if set.rules == now {
            return wrong("set", self.t.get("sheet-rules-same"));
        }
        let mut notes = self.differences(now, set.rules);
        notes.push(self.t.get("sheet-rules-next"));
        let said = self.t.with("sheet-rules-say", "set", self.set_name(set));
        Some(Ok(Act { command: Command::ChangeRules { rules: set.rules.clone() }, said, notes }))
    }

    /// One line for each setting that changes, with its old and its new value.
    fn differences(&self, now: &HouseRules, then: &HouseRules) -> Vec<String> {
        let line = |setting: &HouseRuleSetting| {
            let meaning = |rules| meaning(&self.t, setting, &catalogue::value(rules, setting.key));
            format!("{}: {} → {}", label(&self.t, setting), meaning(now), meaning(then))
        };
        catalogue::differences(now, then).into_iter().map(line).collect()
    }
}
