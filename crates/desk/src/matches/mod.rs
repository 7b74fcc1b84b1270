//! Matches at the desk: opening one, commands to one, looking at one.
//!
//! * `scope`: who may give which command.
//! * `plan`: what an order comes to, before anything is written.
//! * [`derive`]: the read table, the rating of a friendly match, what a money session posts to the books.
//! * `statistics`: who won how many games of which kind, over many matches (M8).

pub mod derive;
pub(super) mod plan;
pub mod scope;
mod statistics;

pub use statistics::{Kind, PlayerStatistics};

use serde::{Deserialize, Serialize};

use super::chouettes::{in_use, room_for_a_game, still_comes};
use super::history;
use super::pipeline;
use super::subject::Part;
use super::{Actor, Desk, Principal, Refused, UnitOfWork};
use owlbox_domain::club::Club;
use owlbox_domain::journal::Stream;
use owlbox_domain::matches::clock::Setting;
use owlbox_domain::matches::{Command, Legal, Sheet, Terms};
use owlbox_domain::permissions::Permission;
use owlbox_domain::tournament::Tournament;
use owlbox_domain::values::{MatchId, PlayerId, TournamentId};
use owlbox_store::AnyConnection;
use owlbox_store::matches as stored;
pub use owlbox_store::matches::{Filter, OVER, Row};

/// A command to a match as callers give it.
pub type Order = history::Order<Command>;

/// What a friendly match, or a money session, is opened with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewMatch {
    /// Who plays, upper and lower slot.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub players: [PlayerId; 2],
    /// What for; the currency of a stake must be one of the club's.
    pub terms: Terms,
    /// What the clock is set to, if there is one. Only of a match.
    #[serde(default)]
    pub clock: Option<Setting>,
}

impl Desk {
    /// What of the legal commands at a match the asker may give; no game on a board where there is no room for one.
    #[must_use]
    pub fn legal_at_match(&self, stream: &Stream<Sheet>, principal: Option<&Principal>) -> Vec<Legal> {
        let mut legal = scope::legal_for(&stream.state, principal);
        if !room_for_a_game(stream.version, self.inner.limits.stream_length) {
            legal.retain(|legal| !matches!(legal, Legal::StartBoard { .. }));
        }
        legal
    }

    /// Whether lists of matches, of one tournament or of all that the asker may look at, show him those of private tournaments
    /// too.
    ///
    /// # Errors
    /// [`Refused::Unauthorised`], [`Refused::Forbidden`], or the store failed.
    pub async fn visible_matches(
        &self,
        actor: Option<&Actor>,
        of: Option<TournamentId>,
    ) -> Result<bool, Refused> {
        if let Some(tournament) = of {
            return match self.visible::<Tournament>(actor, tournament).await {
                // One that is not there has no matches.
                Ok(_) | Err(Refused::NotFound(_)) => Ok(true),
                Err(refused) => Err(refused),
            };
        }
        self.require(actor, Permission::ViewTables).await?;
        match self.require(actor, Permission::ViewTournaments).await {
            Ok(_) => Ok(true),
            Err(Refused::Unauthorised(_) | Refused::Forbidden(_)) => Ok(false),
            Err(refused) => Err(refused),
        }
    }

    /// A page of matches at a glance, newest first, older than the one named.
    ///
    /// # Errors
    /// The store failed.
    pub async fn matches(
        &self,
        filter: Filter,
        after: Option<MatchId>,
        limit: i64,
    ) -> Result<Vec<Row>, Refused> {
        self.read(move |connection| Ok(stored::page(connection, &filter, after, limit)?)).await
    }

    /// How many matches wait for a ruling on something contested, of those in which this player does not play.
    ///
    /// # Errors
    /// The store failed.
    pub async fn matches_contested_between_others(&self, player: Option<PlayerId>) -> Result<usize, Refused> {
        let read = move |connection: &mut AnyConnection| {
            Ok::<_, Refused>(stored::contested_between_others(connection, player)?)
        };
        Ok(usize::try_from(self.read(read).await?).unwrap_or_default())
    }
}

/// The command that opens a friendly match: both are people of the club who still come, and the currency is one of the
/// club's.
pub(super) fn opening(unit: &mut UnitOfWork<'_, '_>, new: NewMatch) -> Result<Command, Refused> {
    let club = unit.load::<Club>(super::clubs::CLUB, "club")?;
    let settings = club.state.settings().ok_or(Refused::NotFound("club"))?;
    if let Terms::Money { stake, .. } = new.terms {
        in_use(stake, settings)?;
    }
    // In one order everywhere, because each is held.
    let mut players = new.players;
    players.sort_unstable();
    for player in players {
        still_comes(unit.transaction.connection, player).map_err(|refused| refused.about("players"))?;
    }
    let terms = new.terms.within(settings.highest_cube.cube());
    Ok(Command::Open { players: new.players, terms, clock: new.clock, of: None })
}

/// Appends to a sheet what happens there, and derives what follows of it: for whoever opens or changes a sheet in an act of
/// another stream.
pub(super) fn append(unit: &mut UnitOfWork<'_, '_>, part: Part<Sheet>) -> Result<(), Refused> {
    let change = pipeline::append(unit, part)?;
    derive::derive(unit, &change)
}
