//! Which commands are legal now, with their choices: what pages draw buttons from, clients read and tests walk.

use serde::Serialize;

use super::board::colour;
use super::command::{Command, ContestRuling};
use super::decide::{MOST_GAMES, decide};
use super::event::{DecidedBy, Event};
use super::game::What;
use super::state::{Sheet, Status};
use super::terms::Terms;
use crate::journal::{Chance, Inputs};
use crate::matches::Slot;
use crate::matches::clock::Setting;
use crate::values::Timestamp;
use owlbox_engine::game::{ActionKind, DiceSource};
use owlbox_engine::tables::equity::Phase;
use owlbox_engine::{CubeValue, Win};

/// A command that is legal now. A list in place of a value holds the choices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "command", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schema(as = LegalSheetCommand))]
pub enum Legal {
    /// Open the sheet.
    Open {},
    /// A game may be over. A scorer may enter a cube that is not offered here (M6).
    Game {
        /// Who may have won it.
        winner: Vec<Slot>,
        /// As what.
        win: Vec<Win>,
        /// What the cubes may have come to that somebody can gain by (M2, M3).
        cube: Vec<u32>,
    },
    /// A side may give the game up.
    Resign {
        /// Who.
        by: Vec<Slot>,
        /// As what.
        win: Vec<Win>,
        /// As of `game`.
        cube: Vec<u32>,
    },
    /// The game may be drawn.
    Draw {},
    /// A side may have points of the other's penalty.
    Penalty {
        /// Who.
        gains: Vec<Slot>,
        /// How many at most.
        points_up_to: u16,
    },
    /// A side may have come late.
    Late {
        /// Who.
        by: Vec<Slot>,
    },
    /// The final score alone may be stated.
    Final {
        /// What the winner has.
        length: u16,
        /// What each has at least.
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        at_least: [u16; 2],
    },
    /// A side may give the match up.
    Concede {
        /// Who.
        by: Vec<Slot>,
    },
    /// The director may rule.
    Rule {
        /// Whether he may rule that the match goes on.
        goes_on: bool,
    },
    /// One of the games from 1 to this one may have been entered wrongly.
    Correct {
        /// The last.
        games: u32,
    },
    /// A side may contest what the other has entered.
    Contest {
        /// Which side.
        by: Slot,
        /// Each by the number of its game; `null` is the final score.
        game: Vec<Option<u32>>,
    },
    /// A side may contest it no more.
    WithdrawContest {
        /// Which side.
        by: Slot,
        /// As of `contest`.
        game: Vec<Option<u32>>,
    },
    /// A scorer may rule on what is contested.
    RuleContest {
        /// As of `contest`.
        game: Vec<Option<u32>>,
        /// What of it.
        ruling: Vec<ContestRuling>,
    },
    /// The match may be adjourned.
    Adjourn {},
    /// It may go on.
    Resume {},
    /// The session may be closed.
    Close {},
    /// A side may pay what it owes.
    Pay {
        /// Which.
        by: Slot,
        /// All of it, in minor units of the stake's currency.
        amount_up_to: i64,
    },
    /// The next game may be refereed on a board.
    StartBoard {
        /// The service rolls, or what was thrown is entered.
        dice: Vec<DiceSource>,
    },
    /// A side may do this on the board.
    Board {
        /// Which.
        by: Slot,
        /// What; no double that it gains nothing by (M6), or that it may not offer yet (M5).
        action: Vec<ActionKind>,
    },
    /// The game need not be refereed any more.
    AbandonBoard {},
    /// A match text may be brought.
    Import {},
    /// The clock may be set, or taken away.
    SetClock {
        /// To so many seconds in reserve a point at most.
        reserve_a_point_up_to: u16,
        /// And so many a move that cost nothing.
        delay_up_to: u16,
    },
    /// The clock may be started.
    StartClock {
        /// For whom.
        slot: Vec<Slot>,
    },
    /// A side may press the clock.
    PressClock {
        /// Which.
        by: Slot,
    },
    /// It may be stopped.
    PauseClock {},
    /// It may run on.
    ResumeClock {},
}

impl Sheet {
    /// Every command that is legal now.
    #[must_use]
    pub fn legal(&self) -> Vec<Legal> {
        let mut legal = Vec::new();
        if self.is_detached() {
            return legal;
        }
        match self.status() {
            Status::Unopened => return vec![Legal::Open {}],
            Status::Open if self.score_is_open() => {}
            Status::Open => self.add_play(&mut legal),
            Status::Adjourned => legal.push(Legal::Resume {}),
            Status::Over => {}
        }
        if self.status() != Status::Over {
            self.add_score(&mut legal);
        }
        self.add_afterwards(&mut legal);
        legal
    }

    /// What a command that draws no chance would make happen; `None` if it would be refused. Pages tell beforehand what a
    /// button records.
    #[must_use]
    pub fn previewed(&self, command: &Command, now: Timestamp) -> Option<Vec<Event>> {
        decide(self, command, &mut Inputs { now, chance: &mut NoChance }).ok()
    }

    /// What needs the two at the table.
    fn add_play(&self, legal: &mut Vec<Legal>) {
        let room = self.games_over() < MOST_GAMES;
        match self.board() {
            Some(_) => {
                legal.extend(Slot::BOTH.into_iter().filter_map(|by| self.on_board(by)));
                legal.push(Legal::AbandonBoard {});
            }
            None if room => self.add_games(legal),
            None => {}
        }
        if room && self.board().is_none() {
            legal.push(Legal::Draw {});
        }
        legal.push(Legal::Adjourn {});
        if self.board().is_none() && self.entries().is_empty() && self.file().is_none() {
            legal.push(Legal::Import {});
        }
        self.add_clock(legal);
    }

    fn add_games(&self, legal: &mut Vec<Legal>) {
        let Some(terms) = self.terms() else { return };
        let (both, win, cube) = (Slot::BOTH.to_vec(), terms.game().variant.wins().to_vec(), self.cubes());
        legal.push(Legal::Game { winner: both.clone(), win: win.clone(), cube: cube.clone() });
        legal.push(Legal::Resign { by: both, win, cube });
        legal.push(Legal::StartBoard { dice: vec![DiceSource::Drawn, DiceSource::Entered] });
    }

    /// What the cube can come to by doubles that somebody gains by: not at all in the Crawford game (M3), and in a match
    /// up to the first that is all that either side needs (M2).
    #[must_use]
    pub fn cubes(&self) -> Vec<u32> {
        let (Some(terms), Some(standing)) = (self.terms(), self.standing()) else { return Vec::new() };
        if standing.phase == Some(Phase::Crawford) {
            return vec![CubeValue::ONE.get()];
        }
        let tally = self.tally();
        let useful = |cube: &CubeValue| match &tally {
            Some(tally) => Slot::BOTH.iter().any(|slot| !tally.gains_nothing_by_doubling(*slot, *cube)),
            None => cube.get() < HIGHEST_OFFERED,
        };
        let next = |cube: &CubeValue| cube.doubled().filter(|to| useful(cube) && *to <= terms.cube().limit());
        std::iter::successors(Some(CubeValue::ONE), next).map(CubeValue::get).collect()
    }

    /// What a side may do on the board, as it is offered to it (M5, M6).
    #[must_use]
    pub fn offered(&self, by: Slot) -> Vec<ActionKind> {
        let Some(board) = self.board() else { return Vec::new() };
        let mut actions = board.game.legal_actions(colour(by));
        let pointless =
            self.tally().is_some_and(|tally| tally.gains_nothing_by_doubling(by, board.game.stake()));
        if pointless || self.waits_by_holland(by) {
            actions.retain(|action| *action != ActionKind::Double);
        }
        actions
    }

    fn on_board(&self, by: Slot) -> Option<Legal> {
        let action = self.offered(by);
        let full = self.board().is_none_or(super::board::Board::is_full);
        (!action.is_empty() && !full).then_some(Legal::Board { by, action })
    }

    fn add_clock(&self, legal: &mut Vec<Legal>) {
        let Some(clock) = self.clock() else { return };
        if let Some(by) = clock.running() {
            legal.extend([Legal::PressClock { by }, Legal::PauseClock {}]);
            return;
        }
        legal.push(Legal::StartClock { slot: Slot::BOTH.to_vec() });
        if clock.paused().is_some() {
            legal.push(Legal::ResumeClock {});
        }
    }

    /// What needs nobody at the table.
    fn add_score(&self, legal: &mut Vec<Legal>) {
        let Some(tally) = self.tally() else {
            if self.board().is_none() {
                legal.push(Legal::Close {});
            }
            return;
        };
        legal.push(Legal::Final { length: tally.length().points(), at_least: tally.points() });
        if self.score_is_open() {
            return;
        }
        let both = Slot::BOTH.to_vec();
        legal.extend([
            Legal::Penalty { gains: both.clone(), points_up_to: 255 },
            Legal::Late { by: both.clone() },
            Legal::Concede { by: both },
        ]);
        if self.clock().is_none_or(|clock| clock.running().is_none()) {
            let Setting { reserve_a_point, delay } = Setting::HIGHEST;
            legal.push(Legal::SetClock { reserve_a_point_up_to: reserve_a_point, delay_up_to: delay });
        }
    }

    /// What is possible when the match is over, too.
    fn add_afterwards(&self, legal: &mut Vec<Legal>) {
        if matches!(self.terms(), Some(Terms::Match { .. })) {
            let goes_on = !matches!(self.decided_by(), None | Some(DecidedBy::Score {}));
            legal.push(Legal::Rule { goes_on });
        }
        if self.entries().iter().any(|entry| !matches!(entry.what, What::Penalty { .. })) {
            legal.push(Legal::Correct { games: self.games_over() });
        }
        self.add_contests(legal);
        let owed = self.owed().filter(|_| !self.is_contested());
        legal.extend(owed.map(|(by, amount_up_to)| Legal::Pay { by, amount_up_to }));
    }

    /// What a side has entered and the other may contest, or does.
    fn add_contests(&self, legal: &mut Vec<Legal>) {
        if self.tournament_match().is_some() {
            return;
        }
        for by in Slot::BOTH {
            let contestable = self.of_which(|vouched| vouched.is_contestable_by(by));
            let contested = self.of_which(|vouched| vouched.contested_by == Some(by));
            if !contestable.is_empty() {
                legal.push(Legal::Contest { by, game: contestable });
            }
            if !contested.is_empty() {
                legal.push(Legal::WithdrawContest { by, game: contested });
            }
        }
        let game = self.of_which(|vouched| vouched.contested_by.is_some());
        if !game.is_empty() {
            legal.push(Legal::RuleContest { game, ruling: vec![ContestRuling::Stands, ContestRuling::Void] });
        }
    }
}

/// The highest cube that lists of a money session offer. Higher ones are taken.
const HIGHEST_OFFERED: u32 = 64;

struct NoChance;

impl Chance for NoChance {
    fn below(&mut self, _: u32) -> u32 {
        0
    }
}
