//! The commands that are legal now, with their choices. Pages draw buttons from them, clients read them and
//! tests walk them.

use serde::Serialize;

use super::board::colour;
use super::command::ContestRuling;
use super::event::DecidedBy;
use super::game::LineContent;
use super::state::{MOST_GAMES, Sheet, Status};
use super::terms::Terms;
use crate::matches::Slot;
use crate::matches::clock::ClockSetting;
use owlbox_engine::game::{ActionKind, DiceSource};
use owlbox_engine::tables::equity::MatchPhase;
use owlbox_engine::{CubeValue, Win};

/// A command that is legal now. Where the command has a value, this has a list of the choices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(strum::EnumDiscriminants))]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "command", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schema(as = LegalSheetCommand))]
#[cfg_attr(
    test,
    strum_discriminants(
        name(LegalKind),
        derive(strum::IntoStaticStr, strum::VariantArray),
        strum(serialize_all = "snake_case")
    )
)]
pub enum Legal {
    /// The sheet may be opened.
    Open {},
    /// A game may be entered. A scorer may enter a cube that is not offered here (M6).
    Game {
        /// The sides that may have won it.
        winner: Vec<Slot>,
        /// The kinds of win.
        win: Vec<Win>,
        /// The values of the cube that somebody can gain by (M2, M3).
        cube: Vec<u32>,
    },
    /// A side may resign the game.
    Resign {
        /// The sides that may resign.
        by: Vec<Slot>,
        /// What they may resign for.
        win: Vec<Win>,
        /// The values of the cube, as in `game`.
        cube: Vec<u32>,
    },
    /// A drawn game may be entered.
    Draw {},
    /// A side may be given points for the other's penalty.
    Penalty {
        /// The side that gets the points.
        gains: Vec<Slot>,
        /// The most points that can be given at once.
        points_up_to: u16,
    },
    /// A side may be reported late.
    Late {
        /// The side that is late.
        by: Vec<Slot>,
    },
    /// The final score may be entered on its own, without the games.
    Final {
        /// The points that the winner must have.
        length: u16,
        /// The points that each side must have at least, upper and lower slot.
        #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
        at_least: [u16; 2],
    },
    /// A side may concede the match.
    Concede {
        /// The sides that may concede.
        by: Vec<Slot>,
    },
    /// The director may rule on the match.
    Rule {
        /// Whether the ruling may be that the match goes on.
        goes_on: bool,
    },
    /// A game may be corrected.
    Correct {
        /// The number of the last game; every game from 1 to it can be corrected.
        games: u32,
    },
    /// A side may contest what the other has entered.
    Contest {
        by: Slot,
        /// Each entry by the number of its game; `null` is the final score.
        game: Vec<Option<u32>>,
    },
    /// A side may withdraw a contest.
    WithdrawContest {
        by: Slot,
        /// Each entry by the number of its game; `null` is the final score.
        game: Vec<Option<u32>>,
    },
    /// A scorer may rule on a contested entry.
    RuleContest {
        /// Each entry by the number of its game; `null` is the final score.
        game: Vec<Option<u32>>,
        /// The rulings allowed.
        ruling: Vec<ContestRuling>,
    },
    /// The match may be adjourned for later.
    Adjourn {},
    /// The adjourned match may be resumed.
    Resume {},
    /// The money session may be closed.
    Close {},
    /// A side may pay what it owes.
    Pay {
        by: Slot,
        /// Everything it owes, in minor units of the stake's currency.
        amount_up_to: i64,
    },
    /// The next game may be put on a board, to be refereed.
    StartBoard {
        /// Whether the service rolls, or the dice thrown at the table are entered.
        dice: Vec<DiceSource>,
    },
    /// A side may act on the board.
    Board {
        by: Slot,
        /// Its actions, without a double that it gains nothing by (M6) or may not offer yet (M5).
        action: Vec<ActionKind>,
    },
    /// Refereeing of the game on the board may be given up.
    AbandonBoard {},
    /// A match text may be imported.
    Import {},
    /// The clock may be set, or removed.
    SetClock {
        /// The highest reserve, in seconds per point of the match length.
        reserve_a_point_up_to: u16,
        /// The longest delay, in seconds per move that cost nothing.
        delay_up_to: u16,
    },
    /// The clock may be started.
    StartClock {
        /// The sides whose move can begin.
        slot: Vec<Slot>,
    },
    /// A side may press the clock.
    PressClock {
        /// The side whose time runs.
        by: Slot,
    },
    /// The running clock may be paused.
    PauseClock {},
    /// The paused clock may run on.
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

    /// Adds the commands that need the two players at the table.
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

    /// The values the cube can reach by doubles that somebody gains by. In the Crawford game only 1 (M3); in
    /// a match up to the first value that is enough for either side to win (M2).
    #[must_use]
    pub fn cubes(&self) -> Vec<u32> {
        let (Some(terms), Some(standing)) = (self.terms(), self.standing()) else { return Vec::new() };
        if standing.phase == Some(MatchPhase::Crawford) {
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

    /// The actions offered to a side on the board (M5, M6).
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

    /// Adds the commands that need nobody at the table.
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
            let ClockSetting { reserve_a_point, delay } = ClockSetting::HIGHEST;
            legal.push(Legal::SetClock { reserve_a_point_up_to: reserve_a_point, delay_up_to: delay });
        }
    }

    /// Adds the commands that are possible even after the match is over.
    fn add_afterwards(&self, legal: &mut Vec<Legal>) {
        if matches!(self.terms(), Some(Terms::Match { .. })) {
            let goes_on = !matches!(self.decided_by(), None | Some(DecidedBy::Score {}));
            legal.push(Legal::Rule { goes_on });
        }
        if self.entries().iter().any(|entry| !matches!(entry.what, LineContent::Penalty { .. })) {
            legal.push(Legal::Correct { games: self.games_over() });
        }
        self.add_contests(legal);
        let owed = self.owed().filter(|_| !self.debt_is_contested());
        legal.extend(owed.map(|(by, amount_up_to)| Legal::Pay { by, amount_up_to }));
    }

    /// Adds the contests that each side may raise or withdraw, and the rulings on them.
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

/// The highest cube that lists offer in a money session. Higher ones are accepted.
const HIGHEST_OFFERED: u32 = 64;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use strum::VariantArray as _;

    use super::LegalKind;
    use crate::matches::CommandKind;
    use owlbox_base::permissions::OrderKind;

    #[test]
    fn every_command_can_be_offered() {
        let offered: BTreeSet<&str> = LegalKind::VARIANTS.iter().map(|kind| (*kind).into()).collect();
        let given = OrderKind::<CommandKind>::all().filter(|kind| matches!(kind, OrderKind::Command(_)));
        assert_eq!(offered, given.map(OrderKind::name).collect());
    }
}
