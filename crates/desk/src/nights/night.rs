//! The night on one page: the tables in play and those that are over, what waits for the caller, and how they
//! stand. It is one answer, each table as it stands, with nothing that the caller may not see.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use crate::nights::debts::units_on;
use crate::tournaments::{self, TournamentCards};
use crate::{Actor, Desk, Refused};
use owlbox_base::journal::shared::{ShownStream, Viewer};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{ChouetteId, HalfPoints, PlayerId, Timestamp};
use owlbox_books::ledger::Unit;
use owlbox_chouette::{Chouette, Score};
use owlbox_play::tournament::Tournament;
use owlbox_store::books::{self, BalanceRow};
use owlbox_store::chouettes::{self, ChouetteRow, Filter};
use owlbox_store::{AnyConnection, matches, registrations};

/// The night as somebody is shown it.
#[derive(Clone, Debug)]
pub struct NightScreen {
    pub now: Timestamp,
    pub night: NaiveDate,
    /// The tables in play, the newest first.
    pub open: Vec<TableOfNight>,
    /// The tables of the night that are over, the newest first.
    pub closed: Vec<TableOfNight>,
    /// The names of box and captain at open tables, and of who was ahead at closed ones if the caller may see
    /// standings.
    pub names: BTreeMap<PlayerId, String>,
    /// The newest table of all, as which a new one begins; `None` if there is none, or the caller may not
    /// open one.
    pub newest: Option<ShownStream<Chouette>>,
    /// Whether any table is over.
    pub has_past: bool,
    /// The newest open tournaments, with the names of their winners.
    pub tournaments: TournamentCards,
    /// Contested matches on which the caller can rule.
    pub contested: usize,
    /// Registrations that wait for the caller.
    pub registrations: usize,
    /// What the night is played for; empty if the caller may not see payments.
    pub units: Vec<Unit>,
    /// The caller's balances; `None` if they are no player, or may not see their ledger.
    pub balances: Option<Vec<BalanceRow>>,
    /// Whether the club has too few players for a table, and the caller can add some.
    pub lacks_players: bool,
}

/// A table of a night, as it stands.
#[derive(Clone, Debug)]
pub struct TableOfNight {
    pub id: ChouetteId,
    pub night: NaiveDate,
    pub stream: ShownStream<Chouette>,
    /// Who won most, once the table is over; `None` if nobody is ahead, or the caller may not see standings.
    pub best: Option<Score>,
}

impl TableOfNight {
    #[must_use]
    pub fn table(&self) -> &Chouette {
        &self.stream.state
    }

    /// How many games were begun.
    #[must_use]
    pub fn games(&self) -> usize {
        let number = self.table().game().map_or(self.table().games_finished(), |game| game.number);
        usize::try_from(number).unwrap_or(usize::MAX)
    }
}

/// Tables that are over, the newest first.
#[derive(Clone, Debug)]
pub struct PastScreen {
    pub tables: Vec<TableOfNight>,
    /// What was played for on each of these nights; empty if the caller may not see payments.
    pub units: BTreeMap<NaiveDate, Vec<Unit>>,
    /// The names of who was ahead at each table, if the caller may see standings.
    pub names: BTreeMap<PlayerId, String>,
}

impl Desk {
    /// The present night, with at most `tables` of each kind and `tournaments`.
    ///
    /// # Errors
    /// [`Refused::Unauthorised`], [`Refused::Forbidden`]; or the store failed.
    pub async fn night_screen(
        &self,
        actor: Option<&Actor>,
        tables: i64,
        tournaments: i64,
    ) -> Result<NightScreen, Refused> {
        let rights = self.rights(actor).await?;
        rights.require(Permission::ViewClub)?;
        let may = move |permission| rights.may(permission);
        let player = rights.principal.and_then(|principal| principal.player);
        let (desk, now) = (self.clone(), self.now());
        let night = self.settings().await?.unwrap_or_default().night_of(now);
        self.read(move |connection| {
            let (sees_tables, standings) = (may(Permission::ViewTables), may(Permission::ViewStandings));
            let read = |connection: &mut AnyConnection, filter: &Filter, most| {
                if sees_tables {
                    desk.tables_on(connection, filter, None, most, standings)
                } else {
                    Ok(Vec::new())
                }
            };
            let mut open =
                read(connection, &Filter { status: Some("open".to_owned()), ..Filter::default() }, tables)?;
            // One may have been closed since the list was read.
            open.retain(|table| table.stream.state.closed_at().is_none());
            let closed = read(connection, &Filter { night: Some(night), ..over() }, tables)?;
            let newest = if may(Permission::OpenChouette) {
                desk.tables_on(connection, &Filter::default(), None, 1, false)?.pop()
            } else {
                None
            };
            let has_past = sees_tables && !chouettes::page(connection, &over(), None, 1)?.is_empty();
            let names = desk.names_at(connection, open.iter().chain(&closed))?;
            let private = may(Permission::ViewTournaments);
            let filter = tournaments::Filter { closed: Some(false), private, ..Default::default() };
            let cards = desk.cards_on(connection, filter, None, tournaments, Tournament::winners)?;
            let count = |count: i64| usize::try_from(count).unwrap_or_default();
            Ok(NightScreen {
                now,
                night,
                newest: newest.map(|table| table.stream),
                has_past,
                names,
                open,
                closed,
                tournaments: cards,
                contested: if may(Permission::RunMatch) {
                    count(matches::contested_between_others(connection, player)?)
                } else {
                    0
                },
                registrations: if may(Permission::ManageAccounts) {
                    count(registrations::count(connection)?)
                } else {
                    0
                },
                units: if may(Permission::ViewPayments) { units_on(connection, night)? } else { Vec::new() },
                balances: match player.filter(|_| may(Permission::ViewOwnLedger)) {
                    Some(player) => Some(books::balances(connection, player.into())?),
                    None => None,
                },
                lacks_players: may(Permission::ManagePlayers)
                    && crate::people::players::active_players(connection, 2)?.len() < 2,
            })
        })
        .await
    }

    /// Tables that are over, newest first, after one of them: at most `limit`.
    ///
    /// # Errors
    /// [`Refused::Unauthorised`], [`Refused::Forbidden`]; or the store failed.
    pub async fn past_screen(
        &self,
        actor: Option<&Actor>,
        after: Option<ChouetteId>,
        limit: i64,
    ) -> Result<PastScreen, Refused> {
        let rights = self.rights(actor).await?;
        rights.require(Permission::ViewTables)?;
        let [standings, payments] =
            [Permission::ViewStandings, Permission::ViewPayments].map(|permission| rights.may(permission));
        let desk = self.clone();
        self.read(move |connection| {
            let tables = desk.tables_on(connection, &over(), after, limit, standings)?;
            let nights: BTreeSet<NaiveDate> =
                tables.iter().filter(|_| payments).map(|table| table.night).collect();
            let units = nights.into_iter().map(|night| Ok((night, units_on(connection, night)?)));
            let units: BTreeMap<NaiveDate, Vec<Unit>> = units.collect::<Result<_, Refused>>()?;
            let names = desk.names_at(connection, tables.iter())?;
            Ok(PastScreen { tables, units, names })
        })
        .await
    }

    /// The names on the lines about these tables.
    fn names_at<'a>(
        &self,
        connection: &mut AnyConnection,
        tables: impl Iterator<Item = &'a TableOfNight>,
    ) -> Result<BTreeMap<PlayerId, String>, Refused> {
        let named: BTreeSet<PlayerId> = tables.flat_map(players_named).collect();
        self.names_on(connection, &named.into_iter().collect::<Vec<_>>())
    }

    fn tables_on(
        &self,
        connection: &mut AnyConnection,
        filter: &Filter,
        after: Option<ChouetteId>,
        limit: i64,
        standings: bool,
    ) -> Result<Vec<TableOfNight>, Refused> {
        let rows = chouettes::page(connection, filter, after, limit)?;
        let table = |row: ChouetteRow| {
            let stream = self.load::<Chouette>(connection, row.id.0)?;
            let best = best(&stream.state).filter(|_| standings);
            let viewer = Viewer { sees_points: standings, ..Viewer::default() };
            let stream = ShownStream::to(&viewer, &stream);
            Ok(TableOfNight { id: row.id.into(), night: row.night, stream, best })
        };
        rows.into_iter().map(table).collect()
    }
}

fn over() -> Filter {
    Filter { status: Some("closed".to_owned()), ..Filter::default() }
}

/// Who won most at a table that is over.
fn best(table: &Chouette) -> Option<Score> {
    let best = table.closed_at().and_then(|_| table.standings().into_iter().next());
    best.filter(|best| best.points > HalfPoints::ZERO)
}

/// Whom a line about a table names: box and captain while it is open, then who was ahead.
fn players_named(table: &TableOfNight) -> Vec<PlayerId> {
    let state = table.table();
    if state.closed_at().is_none() {
        return state.box_player().into_iter().chain(state.captain()).collect();
    }
    table.best.map(|best| best.player).into_iter().collect()
}
