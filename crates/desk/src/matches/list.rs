//! The list of matches, read at one moment.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Filter, MatchRow, OVER, visible_to};
use crate::people::players::{ActivePlayer, active_players};
use crate::{Actor, Desk, Refused, Rights};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{MatchId, PlayerId, Timestamp, TournamentId};
use owlbox_engine::Variant;
use owlbox_play::matches::{Sheet, Slot, Status};
use owlbox_store::{AnyConnection, matches as stored};

/// A match in a list. Pairs are in the order upper slot, lower slot.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MatchSummary {
    pub id: MatchId,
    /// The tournament that the match belongs to; null for a friendly match.
    pub tournament: Option<TournamentId>,
    /// The number of its division, from 1.
    pub division: Option<i32>,
    /// The number of the match in the division's bracket, from 1.
    pub number: Option<i64>,
    /// The two players.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub players: [PlayerId; 2],
    /// The points to play to; 0 for a money session.
    pub length: i32,
    pub status: Status,
    /// Points won so far.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub score: [i64; 2],
    /// The number of finished games.
    pub games: i32,
    /// The winner; null while there is none.
    pub winner: Option<PlayerId>,
    pub opened_at: Timestamp,
    /// When it was decided or closed; null while it goes on.
    pub finished_at: Option<Timestamp>,
    /// Whether an entry of the sheet is contested and awaits a ruling.
    pub contested: bool,
}

impl From<MatchRow> for MatchSummary {
    fn from(row: MatchRow) -> Self {
        let [upper, lower] = [row.upper_player, row.lower_player].map(PlayerId::from);
        Self {
            id: row.id.into(),
            tournament: row.tournament.map(TournamentId::from),
            division: row.division,
            number: row.number,
            players: [upper, lower],
            length: row.length,
            status: match row.status.as_str() {
                OVER => Status::Over,
                "adjourned" => Status::Adjourned,
                _ => Status::Open,
            },
            score: [row.upper_score, row.lower_score],
            games: row.games,
            winner: row.winner.map(|winner| if winner == "upper" { upper } else { lower }),
            opened_at: row.opened_at.into(),
            finished_at: row.finished_at.map(Into::into),
            contested: row.contested,
        }
    }
}

/// The matches that a page of the list shows. What was not [asked](MatchListOptions) for is empty.
#[derive(Clone, Debug, Default)]
pub struct MatchesScreen {
    /// Those with something contested.
    pub contested: Vec<ListedMatch>,
    /// Those in progress. Empty on later pages.
    pub open: Vec<ListedMatch>,
    /// Those that are over.
    pub over: Vec<ListedMatch>,
    /// The names of their players, and of the player whose matches they are.
    pub names: BTreeMap<PlayerId, String>,
    /// Active players of the club.
    pub players: Vec<ActivePlayer>,
}

/// A match in a list.
#[derive(Clone, Debug)]
pub struct ListedMatch {
    pub row: MatchRow,
    /// The game that is played; `None` if its opening has just been undone.
    pub variant: Option<Variant>,
}

/// What is wanted of the list. Every list starts with the newest match.
#[derive(Clone, Copy, Debug)]
pub struct MatchListOptions {
    /// Whose matches; `None` for everybody's.
    pub player: Option<PlayerId>,
    /// The last match of the page before; `None` for the first page, which alone has those that are not over.
    pub after: Option<MatchId>,
    /// Whether to add those with something contested, for callers who may rule on them.
    pub contested: bool,
    /// The most matches that are contested, or in progress.
    pub most_open: i64,
    /// The most that are over.
    pub most_over: i64,
    /// How many active players to add, for callers who may open a match; `None` for nobody.
    pub players: Option<i64>,
}

impl ListedMatch {
    #[must_use]
    pub fn id(&self) -> MatchId {
        self.row.id.into()
    }

    #[must_use]
    pub fn is_won_by(&self, slot: Slot) -> bool {
        self.row.winner.as_deref() == Some(slot.name())
    }

    #[must_use]
    pub fn is_adjourned(&self) -> bool {
        self.row.status == "adjourned"
    }

    /// The two players, upper slot first.
    #[must_use]
    pub fn players(&self) -> [PlayerId; 2] {
        [self.row.upper_player, self.row.lower_player].map(PlayerId::from)
    }
}

impl Desk {
    /// A page of the list of matches, as far as the caller may see them.
    ///
    /// # Errors
    /// [`Refused::Unauthorised`], [`Refused::Forbidden`]; [`Refused::NotFound`] if there is no such player;
    /// or the store failed.
    pub async fn matches_screen(
        &self,
        actor: Option<&Actor>,
        asked: MatchListOptions,
    ) -> Result<MatchesScreen, Refused> {
        let rights = self.rights(actor).await?;
        rights.require(Permission::ViewTables)?;
        let desk = self.clone();
        self.read(move |connection| desk.read_matches(connection, &rights, asked)).await
    }

    fn read_matches(
        &self,
        connection: &mut AnyConnection,
        rights: &Rights,
        asked: MatchListOptions,
    ) -> Result<MatchesScreen, Refused> {
        let MatchListOptions { player, after, most_open, most_over, .. } = asked;
        let runs = rights.may(Permission::RunMatch);
        let all = Filter { player, ..visible_to(rights) };
        let contests = Filter { contested: Some(true), ..all.clone() };
        let goes_on = Filter { open: Some(true), ..all.clone() };
        let is_over = Filter { open: Some(false), ..all };
        let mut screen = MatchesScreen::default();
        if asked.contested && runs {
            screen.contested = self.listed(connection, &contests, None, most_open)?;
        }
        if after.is_none() {
            screen.open = self.listed(connection, &goes_on, None, most_open)?;
        }
        screen.over = self.listed(connection, &is_over, after, most_over)?;
        if let Some(most) = asked.players.filter(|_| runs) {
            screen.players = active_players(connection, most)?;
        }
        let listed = [&screen.contested, &screen.open, &screen.over].into_iter().flatten();
        let players: Vec<PlayerId> = listed.flat_map(ListedMatch::players).chain(player).collect();
        screen.names = self.names_on(connection, &players)?;
        match player.filter(|player| !screen.names.contains_key(player)) {
            Some(_) => Err(Refused::NotFound("player")),
            None => Ok(screen),
        }
    }

    /// The matches with what is played in them: the read table does not say, the sheets do.
    fn listed(
        &self,
        connection: &mut AnyConnection,
        filter: &Filter,
        after: Option<MatchId>,
        limit: i64,
    ) -> Result<Vec<ListedMatch>, Refused> {
        let rows = stored::page(connection, filter, after, limit)?;
        let listed = |row: MatchRow| {
            let sheet = self.load::<Sheet>(connection, MatchId::from(row.id).0)?;
            Ok(ListedMatch { row, variant: sheet.state.terms().map(|terms| terms.game().variant) })
        };
        rows.into_iter().map(listed).collect()
    }
}
