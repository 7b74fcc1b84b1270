//! What a table's page is made from, and what every part of the page asks about it.

use std::collections::BTreeMap;

use crate::locale::{Amount, Locale};
use crate::{BoardView, Choice};
use owlbox_desk::Dice;
use owlbox_domain::chouette::{Chouette, Command, Event, Legal};
use owlbox_domain::journal::{Act, Aggregate as _, Inputs, Stream};
use owlbox_domain::values::{AccountId, ActId, ChouetteId, HalfPoints, PlayerId, Timestamp};

/// Everything a table's page is made from.
#[derive(Clone, Copy, Debug)]
pub struct TableContext<'a> {
    pub t: &'a Locale,
    pub id: ChouetteId,
    pub stream: &'a Stream<Chouette>,
    /// What the viewer may do now.
    pub legal: &'a [Legal],
    /// The act the viewer may undo.
    pub undo: Option<ActId>,
    /// How many acts the viewer may undo from the log, starting with that one.
    pub back: usize,
    /// The act the viewer may redo.
    pub redo: Option<ActId>,
    /// How many acts the viewer may redo, starting with that one.
    pub forth: usize,
    /// The viewer, if they are a player.
    pub viewer: Option<PlayerId>,
    pub names: &'a BTreeMap<PlayerId, String>,
    /// The newest acts, in order. Older ones may be missing.
    pub acts: &'a [Act<Event>],
    /// The names behind the accounts of those acts.
    pub accounts: &'a BTreeMap<AccountId, String>,
    /// The club's players who can be picked to join.
    pub club: &'a [Choice],
    /// Whether the viewer may make a guest a player of the club.
    pub guests: bool,
    /// Whether the viewer may see everybody's scores.
    pub standings: bool,
    /// Whether the viewer may act for anybody at the table.
    pub runs: bool,
    /// The possible loss in a game from which a player is warned, if the club has set one.
    pub exposure_limit: Option<HalfPoints>,
    /// The viewer's choice of names and direction.
    pub view: BoardView,
}

impl TableContext<'_> {
    pub(super) const fn state(&self) -> &Chouette {
        &self.stream.state
    }

    /// The name of a player, or the id if the name is unknown.
    #[must_use]
    pub fn name(&self, player: PlayerId) -> String {
        self.names.get(&player).cloned().unwrap_or_else(|| player.to_string())
    }

    /// The names of players, in the same order.
    pub(super) fn names(&self, players: impl IntoIterator<Item = PlayerId>) -> Vec<String> {
        players.into_iter().map(|player| self.name(player)).collect()
    }

    /// Points in this table's money. `None` if no money is played for.
    pub(super) fn money(&self, points: HalfPoints) -> Option<Amount> {
        let stake = self.state().stake()?;
        Some(self.t.money(stake.worth(points)?, stake.currency))
    }

    /// The players who would leave, if the table has to be split before the next game.
    pub(super) fn split_due(&self) -> Vec<PlayerId> {
        self.state().split_due()
    }
}

/// The events the command would lead to at this table now. `None` if it would be refused.
///
/// Time and dice are fixed, so the events are only good for labels and for checks, not for recording.
pub(super) fn happens(chouette: &Chouette, command: &Command) -> Option<Vec<Event>> {
    let now: Timestamp = chrono::DateTime::UNIX_EPOCH.into();
    let mut dice = Dice::seeded(0);
    chouette.decide(command, &mut Inputs { now, chance: &mut dice }).ok()
}
