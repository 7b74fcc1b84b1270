//! The table of a season, by the club's own rule.
//!
//! It reads the chouettes of the season and their seats, a row each, however many games were played there.

use std::cmp::Reverse;

use serde::Serialize;

use crate::nights::periods::night_tables;
use crate::people::players::called;
use crate::{Actor, Desk, Refused};
use owlbox_base::permissions::Permission;
use owlbox_base::values::PlayerId;
use owlbox_books::club::seasons::{SeasonLine, SeasonRule, season_table};
use owlbox_books::statistics::nights;
use owlbox_store::{chouettes, players};

/// A season, and how everybody stands in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SeasonTable {
    pub season: SeasonRule,
    /// The nights of the season so far.
    pub nights: usize,
    /// Everybody who is ranked, the first first; those who have come too seldom for a place come last.
    pub players: Vec<SeasonPlayer>,
}

/// A player's line in the table of a season.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SeasonPlayer {
    /// Shared by all with the same points; null for who has come too seldom.
    pub place: Option<usize>,
    pub player: PlayerId,
    /// The player's name.
    pub name: String,
    /// A guest rather than a member.
    pub guest: bool,
    /// Season points of the nights that count, in hundredths.
    pub hundredths: i64,
    /// The nights they came.
    pub nights: usize,
    /// How many of them count.
    pub counted: usize,
    /// The nights on which nobody had more.
    pub won: usize,
    /// What they won in all these nights, less what they lost.
    pub half_points: i64,
}

impl Desk {
    /// The table of the season of this name.
    ///
    /// # Errors
    /// There is no such season, or the caller may not see players or standings.
    pub async fn season(&self, actor: &Actor, name: &str) -> Result<SeasonTable, Refused> {
        let rights = self.rights(Some(actor)).await?;
        rights.require(Permission::ViewPlayers)?;
        rights.require(Permission::ViewStandings)?;
        let settings = self.settings().await?.unwrap_or_default();
        let season = settings.seasons.named(name).ok_or(Refused::NotFound("season"))?.rule().clone();
        let (from, until) = (season.from, season.until);
        let read = self.snapshot(move |connection| {
            let rows = chouettes::with_games_between(connection, from, until)?;
            Ok((night_tables(connection, &rows, from, until)?, players::guests(connection)?))
        });
        let (tables, guests) = read.await?;
        let nights = nights(&tables);
        let lines = season_table(&season, &nights, &guests);
        let names = self.distinct_names(lines.keys().copied().collect()).await?;
        let line = |(player, line): (PlayerId, SeasonLine)| SeasonPlayer {
            place: line.place,
            player,
            name: called(&names, player),
            guest: guests.contains(&player),
            hundredths: line.hundredths,
            nights: line.nights,
            counted: line.counted,
            won: line.won,
            half_points: line.score.0,
        };
        let mut players: Vec<SeasonPlayer> = lines.into_iter().map(line).collect();
        players.sort_by_key(|one| (one.place.is_none(), Reverse(one.hundredths), one.name.clone()));
        Ok(SeasonTable { season, nights: nights.len(), players })
    }
}
