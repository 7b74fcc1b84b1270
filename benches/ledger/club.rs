//! A club with long books.
//!
//! They are filled through the store's own posting, with the tables, seats and tallies that the nights would
//! have left. `owlbox verify` would miss the journals of the tables; nothing that is measured here reads
//! them, and to play these games through the desk would take minutes.

use chrono::{Days, NaiveDate};
use diesel::prelude::*;
use owlbox_base::values::{ChouetteId, HalfPoints, PlayerId};
use owlbox_books::statistics::{Began, Ending, Kind, Manner, Outcome, Role, Tallies, TallyKey};
use owlbox_desk::{DatabaseUrl, Dependencies, Desk, StoreError};
use owlbox_engine::Variant;
use owlbox_store::books::{NewPosting, ToPost, TransactionRow};
use owlbox_store::chouettes::SeatRow;
use owlbox_store::schema::stream;
use owlbox_store::types::{Key, Moment};
use owlbox_store::{AnyConnection, Options, Store, Transaction, books, chouettes, players};
use uuid::Uuid;

use super::moment::measured_or;

/// The number of players in the club.
const REGULARS: u64 = 60;
/// Players meet if their numbers differ by a multiple of this.
const APART: u64 = 7;
/// The number of players at a table.
const SEATS: u64 = 4;
/// The number of tables on a night.
const TABLES: u64 = 2;
/// The games of a night at the first table.
pub const FEW: u64 = 8;
/// One game in so many is settled between partners.
const PARTNERS: u64 = 8;

/// Has PostgreSQL look at the tables that grow.
const LOOK: &str = "VACUUM ANALYZE posting, ledger_transaction, book_chain, balance, day_turnover, month_turnover, stream, chouette,
    seat, game_tally, month_tally, pair_tally, pair_turnover, year_tally";

/// How long the books are. A game makes six postings.
#[derive(Clone, Copy)]
pub struct Size {
    pub years: i32,
    /// The games of a night at each table but the first, which plays [`FEW`] in every club: what is asked
    /// about a table is asked about as many games.
    pub games: u64,
}

pub struct Club {
    pub desk: Desk,
    pub store: Store,
    pub runtime: tokio::runtime::Runtime,
    /// The table of the last night, and two who sat there.
    pub table: ChouetteId,
    pub player: PlayerId,
    pub opponent: PlayerId,
    /// The last year.
    pub year: i32,
    pub postings: i64,
}

impl Club {
    /// Founds the club and plays all its nights.
    pub fn found(url: &DatabaseUrl, size: Size) -> Self {
        let store = Store::open(url, &Options::default()).unwrap();
        store
            .write_blocking(|transaction| {
                (0..REGULARS)
                    .try_for_each(|number| players::insert(transaction.connection()?, regular(number)))
            })
            .unwrap();
        let (first, nights) = (2016, measured_or(6, 100));
        let played = (first..first + size.years)
            .flat_map(|year| (0..nights).map(move |night| day(year, 1) + Days::new(night * 365 / nights)));
        let tables = (0..).zip(played).map(|(number, day)| (number, play(&store, day, number, size.games)));
        let (number, table) = tables.last().unwrap();
        let club = Self {
            desk: Desk::new(Dependencies::with_store(store.clone())),
            runtime: tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap(),
            table,
            player: seated(number, 0)[0],
            opponent: seated(number, 0)[1],
            year: first + size.years - 1,
            postings: store.read_blocking(books::head_of_books).unwrap().number * 2 * 3,
            store,
        };
        club.gather();
        club
    }

    /// Plays nights in January after the last year, with so many games at each table.
    pub fn play_in_january(&self, nights: u64, games: u64) {
        for night in 0..nights {
            play(&self.store, day(self.year + 1, 1) + Days::new(night), night, games);
        }
        self.gather();
    }

    /// Has PostgreSQL look at its tables now, as it would by itself in the course of ten years.
    fn gather(&self) {
        let analyze = |connection: &mut AnyConnection| match connection {
            AnyConnection::Sqlite(_) => Ok::<_, StoreError>(0),
            AnyConnection::Postgres(connection) => Ok(diesel::sql_query(LOOK).execute(connection)?),
        };
        self.store.read_blocking(analyze).unwrap();
    }
}

/// The first day of a month.
pub fn day(year: i32, month: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(year, month, 1).unwrap()
}

fn player(number: u64) -> PlayerId {
    PlayerId(Uuid::from_u128(u128::from(number) + 1))
}

fn regular(number: u64) -> players::PlayerRow {
    let name = format!("Player {number}");
    players::PlayerRow {
        id: player(number),
        guest: false,
        active: true,
        name_key: name.to_lowercase(),
        name,
        nickname: None,
        country: None,
        club: None,
        contact: None,
        notes: None,
        iban: None,
    }
}

/// The players at a table of a night.
fn seated(night: u64, table: u64) -> Vec<PlayerId> {
    let first = night * TABLES + table;
    (0..SEATS).map(|seat| player((first + seat * APART) % REGULARS)).collect()
}

/// Plays a night, and returns its first table.
fn play(store: &Store, day: NaiveDate, night: u64, games: u64) -> ChouetteId {
    let ids: Vec<Key> = (0..TABLES).map(|_| Key(Uuid::now_v7())).collect();
    let first = ids[0];
    store
        .write_blocking(move |transaction| {
            let (mut posted, mut tallies) = (Vec::new(), Tallies::default());
            for (id, table) in ids.iter().zip(0..) {
                let seated = seated(night, table);
                let games = if table == 0 { games.min(FEW) } else { games };
                open(transaction, *id, day, &seated, games)?;
                for game in 0..games {
                    posted.push(settled(*id, day, &seated, game));
                    count(&mut tallies, day, &seated, game);
                }
            }
            transaction.post(posted, day);
            transaction.count(&tallies);
            Ok::<_, StoreError>(())
        })
        .unwrap();
    first.into()
}

fn noon(day: NaiveDate) -> Moment {
    Moment(day.and_hms_opt(12, 0, 0).unwrap().and_utc().into())
}

/// The rows of a table: its stream, itself and its seats.
fn open(
    transaction: &mut Transaction<'_>,
    id: Key,
    day: NaiveDate,
    seated: &[PlayerId],
    games: u64,
) -> Result<(), StoreError> {
    let version = i64::try_from(games).unwrap();
    diesel::insert_into(stream::table)
        .values((stream::id.eq(id), stream::kind.eq("chouette"), stream::version.eq(version)))
        .execute(transaction.connection()?)?;
    let row = chouettes::ChouetteRow {
        id,
        name: "Table".to_owned(),
        night: day,
        status: "closed".to_owned(),
        stake_amount: None,
        stake_currency: None,
        games: i32::try_from(games).unwrap(),
        opened_at: noon(day),
        closed_at: Some(noon(day)),
    };
    transaction.put_chouette(row);
    let connection = transaction.connection()?;
    seated.iter().try_for_each(|player| {
        let seat = SeatRow { chouette: id, player: (*player).into(), present: false, score: 0 };
        chouettes::put_seat(connection, seat)
    })
}

/// The box of a game and the others.
fn sides(seated: &[PlayerId], game: u64) -> (PlayerId, impl Iterator<Item = PlayerId>) {
    let box_player = seated[usize::try_from(game % SEATS).unwrap()];
    (box_player, seated.iter().copied().filter(move |player| *player != box_player))
}

/// Whether the box wins, and how many half points each bet is about.
fn result(game: u64) -> (bool, i64) {
    (game.is_multiple_of(3), [2, 4, 8][usize::try_from(game % 5 / 2).unwrap()])
}

/// A game's bets between the box and each other player.
fn settled(table: Key, day: NaiveDate, seated: &[PlayerId], game: u64) -> ToPost {
    let (box_wins, points) = result(game);
    let amount = if box_wins { points } else { -points };
    let kind = if game % PARTNERS == PARTNERS - 1 { "partner" } else { "member" };
    let (box_player, others) = sides(seated, game);
    let line = |one: PlayerId, other: PlayerId, amount| NewPosting {
        holder: one.into(),
        unit: "half_points".to_owned(),
        counterparty: other.into(),
        kind: kind.to_owned(),
        amount,
    };
    let postings = others
        .flat_map(|other| [line(box_player, other, amount), line(other, box_player, -amount)])
        .collect();
    let number = i32::try_from(game + 1).unwrap();
    let head = TransactionRow {
        id: Key(Uuid::now_v7()),
        act: Key(Uuid::now_v7()),
        kind: "game".to_owned(),
        stream: table,
        game: number,
        variant: Some(Variant::Standard.key().to_owned()),
        version: number.into(),
        happened_at: noon(day),
        posted_at: noon(day),
        night: day,
        booked_on: day,
        reverses: None,
    };
    ToPost { head, takes_back: None, postings }
}

/// One more game of the first four at a table.
pub fn another(table: ChouetteId, day: NaiveDate, game: u64) -> ToPost {
    settled(table.into(), day, &seated(0, 0), game)
}

/// Tallies the same game, as if all games were alike: what else they may be is for the bench of statistics.
fn count(tallies: &mut Tallies, day: NaiveDate, seated: &[PlayerId], game: u64) {
    let (box_wins, points) = result(game);
    let manner = Manner {
        kind: Kind::Chouette,
        variant: Variant::Standard,
        began: Began::Unknown,
        role: if box_wins { Role::Box } else { Role::Captain },
        result: Outcome::Won,
        ending: Ending::Single,
        cube: 2,
    };
    tallies.count(TallyKey { player: None, opponent: None, day, manner }, 1, HalfPoints(points));
    let (box_player, others) = sides(seated, game);
    let mut of_player = |player, opponent, role, wins| {
        let result = if wins { Outcome::Won } else { Outcome::Lost };
        let manner = Manner { role, result, ..manner };
        let won = HalfPoints(if wins { points } else { -points });
        tallies.count(TallyKey { player: Some(player), opponent, day, manner }, 1, won);
    };
    of_player(box_player, None, Role::Box, box_wins);
    for other in others {
        of_player(other, None, Role::Crew, !box_wins);
        of_player(box_player, Some(other), Role::Box, box_wins);
        of_player(other, Some(box_player), Role::Crew, !box_wins);
    }
}
