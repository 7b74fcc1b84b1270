//! The order by hand, stakes for single players, and the starting value of a member's cube.

use super::{Act, Filled, SheetPage, wrong};
use owlbox_base::code::Code;
use owlbox_base::values::PlayerId;
use owlbox_chouette::Command;
use owlbox_engine::CubeValue;

/// The field of a place in the line, counted from 1.
fn place(number: usize) -> String {
    format!("line.{number}")
}

impl SheetPage<'_> {
    /// The name of a place's field, its label, and who is chosen for it; at first who sits there. Places
    /// count from 1.
    pub(super) fn place(&self, number: &usize, present: &[PlayerId]) -> (String, String, Option<PlayerId>) {
        let label = match number {
            1 => self.t.get("role-box"),
            2 => self.t.get("role-captain"),
            _ => self.t.with("sheet-order-place", "place", number),
        };
        let sits_there = || present.get(number - 1).copied();
        let field = place(*number);
        let chosen = if self.is_sent("order") { self.player(&field, present) } else { sits_there() };
        (field, label, chosen)
    }

    pub(super) fn set_order(&self, present: &[PlayerId]) -> Filled {
        self.sent("order")?;
        let mut line: Vec<PlayerId> = Vec::new();
        for number in 1..=present.len() {
            let field = place(number);
            match self.player(&field, present) {
                Some(player) if line.contains(&player) => {
                    return wrong(&field, self.t.get("sheet-order-twice"));
                }
                Some(player) => line.push(player),
                None => return self.choose(&field),
            }
        }
        let said = self.t.with("say-order", "names", self.t.names(&line).join(" · "));
        Some(Ok(Act::new(Command::SetOrder { line }, said)))
    }

    /// The player chosen in this form, once it has been sent.
    pub(super) fn player_in(&self, form: &str, players: &[PlayerId]) -> Option<PlayerId> {
        self.player("player", players).filter(|_| self.is_sent(form))
    }

    pub(super) fn units(&self) -> &str {
        if self.is_sent("stake") { self.form.text("units") } else { "" }
    }

    pub(super) fn set_stake(&self, players: &[PlayerId]) -> Filled {
        self.sent("stake")?;
        match (self.player("player", players), self.form.text("units").parse::<u16>()) {
            (Some(player), Ok(units)) => {
                let name = self.t.name(&player);
                let said = self.t.fill("sheet-stake-say", &[("name", &name), ("units", &units)]);
                Some(Ok(Act::new(Command::SetStake { player, units }, said)))
            }
            (None, _) => self.choose("player"),
            (_, Err(_)) => wrong("units", self.t.error(Code::BadStake)),
        }
    }

    /// The value that the cube of a player is to start at, of those there are.
    pub(super) fn starts_at(&self, values: &[u32]) -> Option<u32> {
        let value = self.form.text("value").parse().ok();
        value.filter(|value| self.is_sent("start") && values.contains(value))
    }

    pub(super) fn set_start(&self, players: &[PlayerId], values: &[u32]) -> Filled {
        self.sent("start")?;
        let value = self.starts_at(values).and_then(|value| CubeValue::try_from(value).ok());
        match (self.player("player", players), value) {
            (Some(player), Some(value)) => {
                let name = self.t.name(&player);
                let said = self.t.fill("sheet-start-say", &[("name", &name), ("value", &value.get())]);
                Some(Ok(Act::new(Command::SetStart { player, value }, said)))
            }
            (None, _) => self.choose("player"),
            (_, None) => self.choose("value"),
        }
    }

    /// What each of these plays for.
    pub(super) fn stakes_now(&self, players: &[PlayerId]) -> String {
        self.now(players, |player| self.state().units(player).to_string())
    }

    /// Where the cube of each of these starts.
    pub(super) fn starts_now(&self, players: &[PlayerId]) -> String {
        self.now(players, |player| self.state().start(player).get().to_string())
    }

    fn now(&self, players: &[PlayerId], of: impl Fn(PlayerId) -> String) -> String {
        let now = players.iter().map(|player| format!("{} {}", self.t.name(player), of(*player)));
        self.t.with("sheet-order-now", "now", now.collect::<Vec<_>>().join(" · "))
    }
}
