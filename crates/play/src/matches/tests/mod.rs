//! Tests of the sheet, rule by rule.

mod clock;
mod corrections;
mod files;
mod offered;
mod properties;
mod refereed;
mod refusals;
mod rulebook;

use chrono::{TimeZone as _, Utc};
use uuid::Uuid;

use super::{
    Command, DecidedBy, Entered, Event, GameEnding, LineContent, Refusal, Sheet, SheetStanding, Terms, View,
};
use crate::matches::Slot::{self, Lower, Upper};
use crate::matches::clock::ClockSetting;
use crate::matches::score::Length;
use crate::matches::{Ending, Outcome};
use crate::tournament::settings::DivisionSettings;
use owlbox_base::journal::{Aggregate, Chance, Inputs, kind_of};
use owlbox_base::values::{PlayerId, Stake, Timestamp};
use owlbox_engine::game::{BoardRules, CubeOptions, DiceSource};
use owlbox_engine::{CubeValue, Win};

type Counted = (Vec<(LineContent, SheetStanding)>, Option<(DecidedBy, Outcome)>);

/// The result of every game and the score after it, no matter who entered it: a corrected game counts as
/// ruled on, and would differ in that.
fn as_counted(sheet: &Sheet) -> Counted {
    let entries = sheet.entries().iter().map(|entry| (entry.what, entry.standing));
    (entries.collect(), sheet.decided_by().zip(sheet.outcome()))
}

/// A sequence of dice; drawing more than there are panics.
#[derive(Default)]
struct Dice(Vec<u32>);

impl Chance for Dice {
    fn below(&mut self, sides: u32) -> u32 {
        let next = self.0.remove(0);
        assert!(next < sides);
        next
    }
}

/// A sheet with every event that has happened to it.
#[derive(Clone)]
struct Table {
    sheet: Sheet,
    events: Vec<(Event, Timestamp)>,
    second: i64,
}

impl Table {
    fn new() -> Self {
        Self { sheet: Sheet::initial(), events: Vec::new(), second: 0 }
    }

    fn opened(terms: Terms) -> Self {
        let mut table = Self::new();
        table.good(&open(terms));
        table
    }

    /// A match to `length` points.
    fn to(length: u16) -> Self {
        Self::opened(match_to(length))
    }

    fn money(cube: CubeOptions) -> Self {
        Self::opened(Terms::Money { stake: None, cube, game: BoardRules::default() })
    }

    fn now(&self) -> Timestamp {
        Utc.timestamp_opt(1_800_000_000 + self.second, 0).unwrap().into()
    }

    fn asks(&mut self, command: &Command, chance: &mut dyn Chance) -> Result<Vec<Event>, Refusal> {
        let at = self.now();
        let events = self.sheet.decide(command, &mut Inputs { now: at, chance })?;
        for event in &events {
            self.sheet.apply(event, at);
            self.events.push((event.clone(), at));
        }
        Ok(events)
    }

    #[track_caller]
    fn good(&mut self, command: &Command) -> Vec<Event> {
        self.asks(command, &mut Dice::default()).unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"))
    }

    #[track_caller]
    fn refused(&mut self, command: &Command) -> Refusal {
        let before = self.sheet.clone();
        let refusal = self.asks(command, &mut Dice::default()).expect_err("it was carried out");
        assert_eq!(self.sheet, before);
        refusal
    }

    /// Enters a game by its result.
    #[track_caller]
    fn game(&mut self, winner: Slot, win: Win, cube: u32) -> &mut Self {
        self.good(&game(winner, win, cube));
        self
    }

    fn view(&self) -> View {
        View::from(&self.sheet)
    }

    fn score(&self) -> [u32; 2] {
        self.view().score
    }

    /// The sheet rebuilt from its stored events.
    fn replayed(&self) -> Sheet {
        let mut sheet = Sheet::initial();
        for (event, at) in &self.events {
            let stored = serde_json::to_string(event).unwrap();
            assert!(stored.contains(&format!("\"event\":\"{}\"", kind_of::<Sheet>(event))), "{stored}");
            sheet.apply(&Sheet::decode(1, &stored).unwrap(), *at);
        }
        sheet
    }
}

fn player(number: u128) -> PlayerId {
    PlayerId(Uuid::from_u128(number))
}

fn match_to(length: u16) -> Terms {
    Terms::match_to(Length::try_from(length).unwrap())
}

/// A match to `length` points for 10 euro.
fn staked(length: u16) -> Table {
    let Terms::Match { length, holland, crawford, rated, highest_cube, game, stake: None } = match_to(length)
    else {
        panic!("no match")
    };
    let stake = Some(Stake { amount: 1_000.try_into().unwrap(), currency: "EUR".parse().unwrap() });
    Table::opened(Terms::Match { length, holland, crawford, rated, highest_cube, game, stake })
}

fn open(terms: Terms) -> Command {
    Command::Open { players: [player(1), player(2)], terms, clock: None, of: None }
}

fn cube(value: u32) -> CubeValue {
    CubeValue::try_from(value).unwrap()
}

fn entered(winner: Slot, win: Win, value: u32) -> Entered {
    Entered { winner, win, cube: cube(value), how: GameEnding::Played, turned: None, began: None }
}

fn game(winner: Slot, win: Win, value: u32) -> Command {
    Command::Game(entered(winner, win, value))
}

fn dropped(winner: Slot, value: u32) -> Command {
    Command::Game(Entered { how: GameEnding::Dropped, ..entered(winner, Win::Single, value) })
}

fn correct(number: u32, winner: Slot, win: Win, value: u32) -> Command {
    Command::Correct { game: number, now: entered(winner, win, value) }
}

fn won(winner: Slot, ending: Ending, score: [u16; 2]) -> Outcome {
    Outcome { winner: Some(winner), ending, score: Some(score) }
}
