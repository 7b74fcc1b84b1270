//! Games won and lost by kind, over many matches (M8).

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Desk, Refused};
use owlbox_base::values::{MatchId, PlayerId};
use owlbox_play::matches::Slot;
use owlbox_play::matches::statistics::Counting;
use owlbox_play::matches::{Sheet, Statistics};
use owlbox_store::matches::{self as stored, Filter};
use owlbox_store::players;

/// The maximum number of matches counted; the newest ones are.
pub const MOST_MATCHES: i64 = 1_000;

/// Statistics of a player's finished matches and their games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlayerStatistics {
    pub player: PlayerId,
    /// The number of finished matches and sessions counted: the newest, 1,000 at most.
    pub matches: u32,
    /// The matches by kind: money sessions first, then matches by their length.
    pub kinds: Vec<Kind>,
}

/// Finished matches of one length. In the statistics of their games the player is White.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = MatchStatistics))]
pub struct Kind {
    /// The match length in points; 0 for money sessions.
    pub length: u16,
    /// The number of matches or sessions counted.
    pub matches: u32,
    /// The number of matches the player won. Sessions have no winner.
    pub won: u32,
    /// The number of matches the player lost.
    pub lost: u32,
    pub games: Statistics,
}

#[derive(Default)]
struct Counts {
    matches: u32,
    won: u32,
    lost: u32,
    games: Counting,
}

impl Counts {
    fn note(&mut self, sheet: &Sheet, slot: Slot) {
        self.matches = self.matches.saturating_add(1);
        match sheet.outcome().and_then(|outcome| outcome.winner) {
            Some(winner) if winner == slot => self.won = self.won.saturating_add(1),
            Some(_) => self.lost = self.lost.saturating_add(1),
            None => {}
        }
        self.games.sheet(sheet, slot);
    }
}

impl Desk {
    /// The statistics of a player's finished matches, as far as they are [visible](Self::visible_matches).
    ///
    /// # Errors
    /// [`Refused::NotFound`], or the store failed.
    pub async fn match_statistics(
        &self,
        player: PlayerId,
        visible: Filter,
    ) -> Result<PlayerStatistics, Refused> {
        let desk = self.clone();
        self.read(move |connection| {
            players::find(connection, player)?.ok_or(Refused::NotFound("player"))?;
            let filter = Filter { player: Some(player), open: Some(false), ..visible };
            let rows = stored::page(connection, &filter, None, MOST_MATCHES)?;
            let mut kinds: BTreeMap<u16, Counts> = BTreeMap::new();
            let mut matches = 0_u32;
            for row in rows {
                let sheet = desk.load::<Sheet>(connection, MatchId::from(row.id).0)?;
                let slot = sheet.state.slot_of(player).filter(|_| !sheet.state.is_detached());
                let Some(slot) = slot else { continue };
                let length = sheet.state.length().map_or(0, u16::from);
                kinds.entry(length).or_default().note(&sheet.state, slot);
                matches = matches.saturating_add(1);
            }
            let kinds = kinds.into_iter().map(|(length, counts)| Kind {
                length,
                matches: counts.matches,
                won: counts.won,
                lost: counts.lost,
                games: counts.games.statistics(),
            });
            Ok(PlayerStatistics { player, matches, kinds: kinds.collect() })
        })
        .await
    }
}
