//! Matches at the desk: opening them, carrying out commands, reading them.
//!
//! * `scope`: who may give which command.
//! * `plan`: the events of a command, before anything is written.
//! * [`derive`]: the read table, the rating of a friendly match, the postings of a money session and of a
//!   stake.
//! * [`list`]: the list of matches.
//! * [`screen`]: a match as one caller is shown it, for page and script.
//! * `statistics`: games won and lost by kind, over many matches (M8).

pub mod derive;
pub mod list;
pub(super) mod plan;
pub mod scope;
pub mod score;
pub mod screen;
mod statistics;

use list::MatchSummary;
pub use statistics::{Kind, PlayerStatistics};

use serde::{Deserialize, Serialize};

use crate::club::stream::{CLUB, require_currency};
use crate::commands::bounds::room_for_a_game;
use crate::commands::history;
use crate::people::players::still_comes;
use crate::{Actor, Desk, Principal, Refused, Rights, UnitOfWork};
use owlbox_base::journal::Stream;
use owlbox_base::journal::shared::Viewer;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{MatchId, PlayerId, TournamentId};
use owlbox_books::club::Club;
use owlbox_play::matches::clock::ClockSetting;
use owlbox_play::matches::{Command, Legal, Sheet, Terms};
use owlbox_play::tournament::Tournament;
use owlbox_store::matches as stored;
pub use owlbox_store::matches::{Filter, MatchRow, OVER};

/// A command to a match, or undo or redo.
pub type Order = history::Order<Command>;

/// The data for opening a friendly match or a money session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewMatch {
    /// The two players, upper and lower slot.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub players: [PlayerId; 2],
    /// The terms of play. The currency of a stake must be one of the club's.
    pub terms: Terms,
    /// The setting of the clock, for a match played with one.
    #[serde(default)]
    pub clock: Option<ClockSetting>,
}

impl Desk {
    /// The legal commands at a match that the caller may give. Starting a refereed game is left out if the
    /// stream has no room for one.
    #[must_use]
    pub fn legal_at_match(&self, stream: &Stream<Sheet>, principal: Option<&Principal>) -> Vec<Legal> {
        let mut legal = scope::legal_for(&stream.state, principal);
        if !room_for_a_game(stream.version, self.inner.limits.stream_length) {
            legal.retain(|legal| !matches!(legal, Legal::StartBoard { .. }));
        }
        legal
    }

    /// The viewer for whom what the caller did at a sheet is redacted.
    ///
    /// # Errors
    /// The store failed.
    pub async fn viewer_at_match(
        &self,
        sheet: &Stream<Sheet>,
        principal: &Principal,
    ) -> Result<Viewer, Refused> {
        let tournament = match sheet.state.tournament_match() {
            Some(of) => Some(self.opened_once::<Tournament>(of.tournament).await?),
            None => None,
        };
        Ok(scope::viewer(Some(principal), tournament.as_ref().map(|stream| &stream.state)))
    }

    /// The matches that lists, of one tournament or of all, may show the caller.
    ///
    /// # Errors
    /// [`Refused::Unauthorised`], [`Refused::Forbidden`], or the store failed.
    pub async fn visible_matches(
        &self,
        actor: Option<&Actor>,
        of: Option<TournamentId>,
    ) -> Result<Filter, Refused> {
        if let Some(tournament) = of {
            return match self.visible::<Tournament>(actor, tournament).await {
                // A tournament that does not exist has no matches to hide, and none has money sessions.
                Ok(_) | Err(Refused::NotFound(_)) => {
                    Ok(Filter { tournament: of, private: true, ..Filter::default() })
                }
                Err(refused) => Err(refused),
            };
        }
        let rights = self.rights(actor).await?;
        rights.require(Permission::ViewTables)?;
        Ok(visible_to(&rights))
    }

    /// A page of matches, newest first; `after` is the last one of the page before.
    ///
    /// # Errors
    /// The store failed.
    pub async fn matches(
        &self,
        filter: Filter,
        after: Option<MatchId>,
        limit: i64,
    ) -> Result<Vec<MatchSummary>, Refused> {
        self.read(move |connection| {
            let rows = stored::page(connection, &filter, after, limit)?;
            Ok(rows.into_iter().map(MatchSummary::from).collect())
        })
        .await
    }
}

/// All matches that lists may show somebody with these rights.
pub(super) fn visible_to(rights: &Rights) -> Filter {
    Filter {
        private: rights.may(Permission::ViewTournaments),
        sessions: rights.may(Permission::ViewStandings),
        ..Filter::default()
    }
}

/// The command that opens a friendly match. Both players must be active, and the currency one of the club's.
pub(super) fn opening(unit: &mut UnitOfWork<'_, '_>, new: NewMatch) -> Result<Command, Refused> {
    let club = unit.load::<Club>(CLUB)?;
    let settings = club.state.settings().ok_or(Refused::NotFound("club"))?;
    if let Some(stake) = new.terms.stake() {
        require_currency(settings, stake.currency, "stake")?;
    }
    // In a fixed order, because each row is locked.
    let mut players = new.players;
    players.sort_unstable();
    for player in players {
        still_comes(unit.transaction.connection()?, player).map_err(|refused| refused.about("players"))?;
    }
    let terms = new.terms.within(settings.highest_cube.cube());
    Ok(Command::Open { players: new.players, terms, clock: new.clock, of: None })
}
