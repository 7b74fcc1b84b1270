//! Leaving and breaks, proxies, and players who were entered twice.

use super::{Act, Filled, SheetKind, SheetPage};
use owlbox_base::values::PlayerId;
use owlbox_chouette::{Command, Legal};

/// A player who leaves or is away, who could decide for them, and whether they could decide again themselves.
pub(super) type Deciding<'a> = (PlayerId, &'a [PlayerId], bool);

impl<'a> SheetPage<'a> {
    /// The players to choose from, as links. Empty on other sheets.
    pub(super) fn people(&self) -> Vec<Deciding<'a>> {
        let mut people: Vec<Deciding<'a>> = Vec::new();
        for legal in &self.legal {
            if let Legal::Leave { player, proxy } | Legal::Break { player, proxy } = legal {
                people.extend(player.iter().map(|player| (*player, proxy.as_slice(), false)));
            } else if let Legal::NameProxy { player, proxy, nobody } = legal {
                people.push((*player, proxy, *nobody));
            }
        }
        people
    }

    pub(super) fn chosen(&self) -> Option<Deciding<'a>> {
        self.people().into_iter().find(|(player, ..)| self.is_chosen(player))
    }

    pub(super) fn is_chosen(&self, player: &PlayerId) -> bool {
        self.form.text("player") == player.to_string()
    }

    /// Whether the chosen player is to decide again themselves.
    pub(super) fn decides_again(&self) -> bool {
        self.form.text("proxy") == "nobody"
    }

    /// The proxy who decides for a player now. Empty if they decide for themselves.
    pub(super) fn decided_by(&self, player: &PlayerId) -> String {
        let decides = self.state().decides_for(*player);
        if decides == *player {
            return String::new();
        }
        self.t.with("sheet-proxy-now", "name", self.t.name(&decides))
    }

    pub(super) fn decide(&self, (player, proxies, nobody): Deciding<'_>) -> Filled {
        let proxy = self.player("proxy", proxies);
        let names_proxy = self.kind == SheetKind::Proxy;
        let is_needed = names_proxy || !proxies.is_empty();
        if names_proxy || is_needed && proxy.is_none() {
            self.sent("proxy")?;
        }
        if is_needed && proxy.is_none() && !(nobody && self.decides_again()) {
            return self.choose("proxy");
        }
        let name = self.t.name(&player);
        let decides = proxy
            .map(|proxy| self.t.fill("sheet-decides", &[("proxy", &self.t.name(&proxy)), ("name", &name)]));
        if names_proxy {
            let said = decides.unwrap_or_else(|| self.t.with("sheet-decides-again", "name", &name));
            return Some(Ok(Act::new(Command::NameProxy { player, proxy }, said)));
        }
        let plays = self.state().game().is_some_and(|game| game.side_of(player).is_some());
        let follows = || plays.then(|| self.t.with("sheet-follows-captain", "name", &name));
        let notes = decides.or_else(follows).into_iter().collect();
        let (command, key) = if self.kind == SheetKind::Break {
            (Command::Break { player, proxy }, "sheet-break-say")
        } else {
            (Command::Leave { player, proxy }, "say-leaves")
        };
        Some(Ok(Act { command, said: self.t.with(key, "name", &name), notes }))
    }

    /// Two entries for the same player: which goes and which stays.
    pub(super) fn merge_players(&self) -> Filled {
        self.sent("players")?;
        let known = self.known();
        match (self.player("duplicate", &known), self.player("player", &known)) {
            (Some(duplicate), Some(player)) => {
                let (goes, stays) = (self.t.name(&duplicate), self.t.name(&player));
                let said = self.t.fill("sheet-players-say", &[("duplicate", &goes), ("name", &stays)]);
                Some(Ok(Act::new(Command::MergePlayers { duplicate, player }, said)))
            }
            (None, _) => self.choose("duplicate"),
            (_, None) => self.choose("player"),
        }
    }
}
