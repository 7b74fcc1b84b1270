//! The tournaments of the demonstration: one that ended last week and one in progress, and a friendly match.

use chrono::TimeDelta;

use super::DemoError;
use super::clock::DemoClock;
use owlbox_base::journal::Chance as _;
use owlbox_base::values::{InvalidValue, MatchId, PlayerId, TournamentId};
use owlbox_desk::matches::{self, NewMatch};
use owlbox_desk::tournaments::Order;
use owlbox_desk::{Actor, Clock as _, Desk, Dice, Refused, Request};
use owlbox_engine::{CubeValue, Win};
use owlbox_play::matches::score::Length;
use owlbox_play::matches::{Command as SheetCommand, Entered, GameEnding, Sheet};
use owlbox_play::matches::{MatchNo, Slot};
use owlbox_play::tournament::about::About;
use owlbox_play::tournament::bracket::{Consolation, Format};
use owlbox_play::tournament::command::{DrawBy, MatchEnded, NewEntry};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{DivisionNo, Table, TableNo, TableUse};
use owlbox_play::tournament::settings::{DivisionSettings, Fee, Fees, Lengths, SidePool};
use owlbox_play::tournament::{Command, Tournament};

/// The only division of each tournament.
pub(super) const OPEN: DivisionNo = DivisionNo(1);
const TODAY: usize = 16;
/// The number of entrants last week.
const LAST_WEEK: usize = 8;
/// The number of tables in the room.
const TABLES: u16 = 6;

/// The director of both tournaments, who also keeps the sheet of the friendly match.
pub(super) struct Director<'a> {
    pub(super) desk: &'a Desk,
    pub(super) clock: &'a DemoClock,
    pub(super) director: Actor,
    pub(super) chance: Dice,
}

impl Director<'_> {
    /// A tournament of last week, played to its end and paid out.
    pub(super) async fn last_week(&mut self, players: &[PlayerId]) -> Result<(), DemoError> {
        let players = players.get(..LAST_WEEK).unwrap_or(players);
        let about = self.about("Autumn Cup")?;
        let settings = DivisionSettings { lengths: lengths(&[7, 5])?, ..settings()? };
        let id = self.opened(about, settings, players).await?;
        self.drawn(id).await?;
        while let Some(number) = self.next_to_play(id).await? {
            self.result(id, number).await?;
        }
        self.tell(id, Command::Award { division: OPEN, awards: None }).await?;
        for &player in players {
            self.settle(id, player).await?;
        }
        self.tell(id, Command::Close { keep: Vec::new(), reason: None }).await.map(drop)
    }

    /// A tournament in progress: some results, matches called and begun, one result reported by one side
    /// only, one match on a sheet.
    pub(super) async fn today(&mut self, players: &[PlayerId]) -> Result<(), DemoError> {
        let players = players.get(..TODAY).unwrap_or(players);
        let settings = DivisionSettings {
            lengths: lengths(&[9, 7, 5])?,
            consolation_lengths: Some(lengths(&[5, 3])?),
            side_pools: vec![SidePool { name: "Jackpot".parse()?, stake: Fee::try_from(1_000)? }],
            ..settings()?
        };
        let id = self.opened(self.about("Owls' Open")?, settings, players).await?;
        // The last two still owe their fees.
        for &player in players.iter().rev().skip(2) {
            self.settle(id, player).await?;
        }
        let tables = (1..=TABLES).map(|table| Table {
            table: TableNo(table),
            used_for: if table == TABLES { TableUse::Reserved } else { TableUse::Open },
            note: None,
        });
        self.tell(id, Command::SetTables { tables: tables.collect() }).await?;
        self.drawn(id).await?;
        for _ in 0..2 {
            let state = self.tell(id, Command::CallNext { matches: TABLES }).await?;
            for at in state.playing().into_iter().take(3) {
                self.tell(id, Command::Begin { division: OPEN, number: at.number }).await?;
                self.result(id, at.number).await?;
            }
        }
        let state = self.tell(id, Command::CallNext { matches: TABLES }).await?;
        let mut playing = state.playing().into_iter().map(|at| at.number);
        if let Some(number) = playing.next() {
            self.on_a_sheet(id, number).await?;
        }
        if let Some(number) = playing.next() {
            self.reported(id, number).await?;
        }
        Ok(())
    }

    /// A friendly match in progress.
    pub(super) async fn friendly(&mut self, players: [PlayerId; 2]) -> Result<(), DemoError> {
        let terms = DivisionSettings::default().terms(Length::SEVEN, true);
        let new = NewMatch { players, terms, clock: None };
        let opened = self.desk.open::<Sheet>(Request::by(self.director), new).await?;
        let games =
            [(Slot::Upper, Win::Single, 2), (Slot::Lower, Win::Gammon, 1), (Slot::Upper, Win::Single, 4)];
        for (winner, win, cube) in games {
            self.game(opened.id, winner, win, cube).await?;
        }
        Ok(())
    }

    pub(super) fn about(&self, name: &str) -> Result<About, InvalidValue> {
        Ok(About {
            name: name.parse()?,
            date: self.clock.now().utc().date_naive(),
            starts: Some("19:30".parse()?),
            place: Some("The Owl's Nest, first floor".parse()?),
            entries_open: None,
            entries_close: None,
            currency: Some("EUR".parse()?),
            prizes: None,
            rules: None,
            public: true,
        })
    }

    /// Opens a tournament of one division with these entrants.
    pub(super) async fn opened(
        &mut self,
        about: About,
        settings: DivisionSettings,
        players: &[PlayerId],
    ) -> Result<TournamentId, DemoError> {
        let id = self.desk.open::<Tournament>(Request::by(self.director), about.into()).await?.id;
        let has_pool = !settings.side_pools.is_empty();
        self.tell(id, Command::AddDivision { settings: Box::new(settings) }).await?;
        let entry = |(place, player): (usize, &PlayerId)| NewEntry {
            player: *player,
            side_pools: if has_pool && place % 3 == 0 { vec![0] } else { Vec::new() },
        };
        let entries = players.iter().enumerate().map(entry).collect();
        let state = self.tell(id, Command::Enter { division: OPEN, entries }).await?;
        let there = state.division(OPEN).into_iter().flat_map(Division::entries).map(|(number, _)| number);
        let entries = there.collect();
        self.tell(id, Command::CheckIn { division: OPEN, entries, here: true }).await?;
        Ok(id)
    }

    /// Gives a command. Returns the state of the tournament after it.
    pub(super) async fn tell(&mut self, id: TournamentId, command: Command) -> Result<Tournament, DemoError> {
        self.clock.advance(TimeDelta::seconds(30));
        self.desk.command::<Tournament>(Request::by(self.director), id, Order::Command(command)).await?;
        Ok(self.desk.find::<Tournament>(id).await?.state.clone())
    }

    pub(super) async fn drawn(&mut self, id: TournamentId) -> Result<(), DemoError> {
        let by_lot = Command::Draw {
            division: OPEN,
            method: DrawBy::Lot {},
            only_checked_in: false,
            reason: None,
            groups: Vec::new(),
        };
        self.tell(id, by_lot).await.map(drop)
    }

    /// The first match that can be played.
    pub(super) async fn next_to_play(&self, id: TournamentId) -> Result<Option<MatchNo>, DemoError> {
        let state = self.desk.find::<Tournament>(id).await?.state.clone();
        let Some(division) = state.division(OPEN) else { return Ok(None) };
        Ok(division.bracket.iter().find(|(_, at)| at.is_ready()).map(|(number, _)| number))
    }

    /// Plays a match to its end. Now and then a side concedes.
    pub(super) async fn result(&mut self, id: TournamentId, number: MatchNo) -> Result<(), DemoError> {
        self.clock.advance(TimeDelta::minutes(i64::from(8 + self.chance.below(5))));
        let (winner, score) = self.score(id, number).await?;
        let ended = if self.chance.below(9) == 0 {
            MatchEnded::Conceded { winner, score: None }
        } else {
            MatchEnded::Played { score }
        };
        self.tell(id, Command::Result { division: OPEN, number, ended, players: None, withdraws: Vec::new() })
            .await
            .map(drop)
    }

    /// The winner of a match, and the points of both sides.
    async fn score(&mut self, id: TournamentId, number: MatchNo) -> Result<(Slot, [u16; 2]), DemoError> {
        let stream = self.desk.find::<Tournament>(id).await?;
        let division = stream.state.division(OPEN).ok_or(Refused::NotFound("division"))?;
        let found = division.bracket.get(number).ok_or(Refused::NotFound("match"))?;
        let length = division.length(found).points();
        let lost = u16::try_from(self.chance.below(u32::from(length))).unwrap_or(0);
        Ok(if self.chance.below(2) == 0 {
            (Slot::Upper, [length, lost])
        } else {
            (Slot::Lower, [lost, length])
        })
    }

    /// A player pays what they owe, or is paid what they have won.
    pub(super) async fn settle(&mut self, id: TournamentId, player: PlayerId) -> Result<(), DemoError> {
        let owed = self.desk.find::<Tournament>(id).await?.state.account(player);
        let amount = Fee::try_from(owed.unsigned_abs())?;
        match owed.signum() {
            0 => Ok(()),
            1 => self.tell(id, Command::PayOut { player, amount, account: None }).await.map(drop),
            _ => self.tell(id, Command::PayIn { player, amount, account: None }).await.map(drop),
        }
    }

    /// One side has reported the result, and the other has not yet.
    async fn reported(&mut self, id: TournamentId, number: MatchNo) -> Result<(), DemoError> {
        let (winner, score) = self.score(id, number).await?;
        let stream = self.desk.find::<Tournament>(id).await?;
        let found = stream.state.division(OPEN).and_then(|division| division.bracket.get(number));
        let entry = found.and_then(|found| found.occupant(winner).entry());
        let entry = entry.ok_or(Refused::NotFound("entry"))?;
        let said = Command::Report { division: OPEN, number, entry, score: Some(score), players: None };
        self.tell(id, said).await.map(drop)
    }

    /// A match scored game by game, with one game finished.
    async fn on_a_sheet(&mut self, id: TournamentId, number: MatchNo) -> Result<(), DemoError> {
        self.tell(id, Command::Begin { division: OPEN, number }).await?;
        let state = self.tell(id, Command::OpenSheet { division: OPEN, number, sheet: None }).await?;
        let sheet = state.division(OPEN).and_then(|division| division.sheet(number));
        let sheet = sheet.ok_or(Refused::NotFound("match"))?;
        self.game(sheet, Slot::Upper, Win::Single, 2).await
    }

    /// Enters the result of a game of a match.
    async fn game(&mut self, sheet: MatchId, winner: Slot, win: Win, cube: u32) -> Result<(), DemoError> {
        self.clock.advance(TimeDelta::minutes(6));
        let cube = CubeValue::try_from(cube)?;
        let game = Entered { winner, win, cube, how: GameEnding::default(), turned: None, began: None };
        let order = matches::Order::Command(SheetCommand::Game(game));
        self.desk.command::<Sheet>(Request::by(self.director), sheet, order).await?;
        Ok(())
    }
}

pub(super) fn lengths(points: &[u16]) -> Result<Lengths, InvalidValue> {
    points.iter().map(|points| Length::try_from(*points)).collect::<Result<Vec<_>, _>>()?.try_into()
}

/// The settings: a progressive consolation, 25 euro into the pool and 5 to the house, which also keeps a
/// tenth of the pool.
fn settings() -> Result<DivisionSettings, InvalidValue> {
    Ok(DivisionSettings {
        format: Format { consolation: Consolation::Progressive, ..Format::default() },
        fees: Fees { entry: Fee::try_from(2_500)?, registration: Fee::try_from(500)?, re_entry: Fee::NONE },
        kept: 1_000,
        ..DivisionSettings::default()
    })
}
