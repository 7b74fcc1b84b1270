//! What a table's page is made from, and what every part of the page asks about it.

use crate::pages::button::Target;
use std::ops::Deref;

use crate::board::BoardView;
use crate::say::Say;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_chouette::Chouette;
use owlbox_desk::chouettes::screen::TableScreen;
use owlbox_locale::Amount;

/// Everything a table's page is made from: the table as the desk shows it to the viewer, and how the page tells
/// it. What the page asks about the table, it asks the [screen](TableScreen).
#[derive(Clone, Copy, Debug)]
pub struct TableContext<'a> {
    pub say: Say<'a>,
    pub screen: &'a TableScreen,
    /// The possible loss in a game from which a player is warned, if the club has set one.
    pub exposure_limit: Option<HalfPoints>,
    /// The viewer's choice of names and direction.
    pub view: BoardView,
}

impl Deref for TableContext<'_> {
    type Target = TableScreen;

    fn deref(&self) -> &TableScreen {
        self.screen
    }
}

impl<'a> TableContext<'a> {
    /// Where the buttons of the table send their commands.
    pub(in crate::pages) fn target(&self) -> Target {
        Target::at_table(self.id, self.stream.version)
    }

    pub(super) fn state(&self) -> &'a Chouette {
        &self.screen.stream.state
    }

    /// Whether the viewer may see everybody's scores.
    #[must_use]
    pub fn sees_points(&self) -> bool {
        self.say.may(Permission::ViewStandings)
    }

    /// The name of a player.
    #[must_use]
    pub fn name(&self, player: PlayerId) -> String {
        self.say.name(&player)
    }

    /// The names of players, in the same order.
    pub(super) fn names(&self, players: impl IntoIterator<Item = PlayerId>) -> Vec<String> {
        self.say.names(&Vec::from_iter(players))
    }

    /// Points in this table's money. `None` if no money is played for.
    pub(super) fn money(&self, points: HalfPoints) -> Option<Amount> {
        let stake = self.state().stake()?;
        Some(self.say.money(&stake.currency, &stake.worth(points)?.0))
    }

    /// The players who would leave, if the table has to be split before the next game.
    pub(super) fn split_due(&self) -> Vec<PlayerId> {
        self.state().split_due()
    }
}
