//! What a table's page is made from, and what every part of the page asks about it.

use crate::pages::button::Target;
use std::ops::Deref;

use crate::pages::BoardView;
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_chouette::Chouette;
use owlbox_desk::chouettes::screen::TableScreen;
use owlbox_desk::people::players::called;
use owlbox_locale::{Amount, Locale};

/// Everything a table's page is made from: the table as the desk shows it to the viewer, and how the page tells
/// it. What the page asks about the table, it asks the [screen](TableScreen).
#[derive(Clone, Copy, Debug)]
pub struct TableContext<'a> {
    pub t: &'a Locale,
    pub screen: &'a TableScreen,
    /// Whether the viewer may make a guest a player of the club.
    pub guests: bool,
    /// Whether the viewer may see everybody's scores.
    pub standings: bool,
    /// Whether the viewer may see who pays whom.
    pub payments: bool,
    /// Whether the viewer may act for anybody at the table.
    pub runs: bool,
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

impl TableContext<'_> {
    /// Where the buttons of the table send their commands.
    pub(in crate::pages) fn target(&self) -> Target {
        Target::at_table(self.id, self.stream.version)
    }

    pub(super) fn state(&self) -> &Chouette {
        &self.screen.stream.state
    }

    /// The name of a player.
    #[must_use]
    pub fn name(&self, player: PlayerId) -> String {
        called(&self.screen.names, player)
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
