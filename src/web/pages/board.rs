//! The board of a refereed game as the table's page shows it (G1, G17, G19, C11).
//!
//! White is the box and moves anticlockwise: home is below, on the right. Points are numbered as the side on turn
//! counts them, so that what is written under the board and what is seen on it agree. Cubes are not here: each bet has
//! its own, at its seat.

use serde::Serialize;

use super::Choice;
use super::table::{Act, Scene, Weight};
use super::words::Kind;
use crate::chouette::{BoardView, Command, Event, Game, Legal, Side};
use crate::engine::game::{Action, ActionKind, Event as OnBoard, Game as OnTheBoard};
use crate::engine::notation::play::write;
use crate::engine::position::across;
use crate::engine::step_graph::NextStep;
use crate::engine::{BAR, Checkers, Colour, OFF, Place, Position, Roll, Win};
use crate::journal::Deed;
use crate::web::locale::Locale;

/// So many checkers of a point are drawn; of more the number is written on the last (G19).
const DRAWN: u8 = 5;
/// A column's width in the drawing's units, and the height of all.
const COLUMN: i32 = 40;
/// The height of the drawing.
const HEIGHT: i32 = 520;
/// Where the outermost checker of a point stands, from the edge.
const RIM: i32 = 43;
/// From one checker of a point to the next.
const STACKED: i32 = 37;

/// The board.
#[derive(Clone, Debug)]
pub struct Board {
    /// What it waits for, in a sentence.
    pub status: String,
    /// The side below, White, and the side above.
    pub players: [BoardPlayer; 2],
    /// The 24 points, the bars and the trays: where checkers can be tapped.
    pub spots: Vec<Spot>,
    /// Every checker that is drawn.
    pub discs: Vec<Disc>,
    /// The dice to be played: the left one first.
    pub dice: Vec<DieShown>,
    /// The other side's last dice, small.
    pub last: Vec<DieShown>,
    /// What the script plays the roll with, as JSON; `None` while there is nothing to be played by the viewer.
    pub play: Option<PlayForm>,
    /// What may be done, likeliest first.
    pub acts: Vec<Act>,
    /// The dice may be entered.
    pub enter: Option<Enter>,
    /// How the game may be given up.
    pub resign: Vec<Act>,
    /// What happens seldom: cocked dice, dice thrown too early.
    pub quiet: Vec<Act>,
    /// Dice lifted over something else than a legal play (I2).
    pub leave: Option<Act>,
}

/// A side.
#[derive(Clone, Debug)]
pub struct BoardPlayer {
    /// The name of whoever moves for it.
    pub name: String,
    /// Whether it is White, the box.
    pub white: bool,
    /// Pips still to go.
    pub pips: u16,
    /// Whether it is its turn.
    pub on_turn: bool,
    /// Where its checkers stand, as it counts: for those who do not see the drawing.
    pub stands: String,
}

/// A place on the board that can be tapped.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// Which, as the side on turn counts: 25 the bar, 0 the tray.
    pub place: Place,
    /// Its left edge.
    pub x: i32,
    /// Its upper edge.
    pub y: i32,
    /// Whether it is in the upper half.
    pub above: bool,
    /// Whether it is a point, of the darker kind or not.
    pub point: Option<bool>,
}

impl Spot {
    /// The middle of it.
    #[must_use]
    pub const fn middle(&self) -> i32 {
        self.x + COLUMN / 2
    }
    /// The triangle of a point.
    #[must_use]
    pub fn triangle(&self) -> String {
        let (left, right) = (self.x + 1, self.x + COLUMN - 1);
        let (rim, tip) = if self.above { (24, 224) } else { (HEIGHT - 24, HEIGHT - 224) };
        format!("{left},{rim} {right},{rim} {},{tip}", self.middle())
    }
    /// Where its number is written.
    #[must_use]
    pub const fn number_at(&self) -> i32 {
        if self.above { 17 } else { HEIGHT - 7 }
    }
}

/// A checker that is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Disc {
    /// Its middle.
    pub x: i32,
    /// Its middle.
    pub y: i32,
    /// Whether it is White's.
    pub white: bool,
    /// How many there are, written on it.
    pub count: Option<u8>,
}

/// A die that is drawn.
#[derive(Clone, Debug)]
pub struct DieShown {
    /// What it shows.
    pub value: u8,
    /// Its left edge.
    pub x: i32,
    /// Whether it is White's.
    pub white: bool,
    /// Where its pips are, in a square of 6.
    pub pips: &'static [(u8, u8)],
}

/// The form that plays the roll.
#[derive(Clone, Debug)]
pub struct PlayForm {
    /// Every distinct play, as notation; the value is its steps, as JSON.
    pub plays: Vec<Choice>,
    /// The command, which `steps` completes.
    pub act: Act,
    /// The same in words, where a play was chosen from the list.
    pub chosen: String,
    /// The position, the dice and the steps, for the script.
    pub data: String,
}

/// The form that enters the dice.
#[derive(Clone, Debug)]
pub struct Enter {
    /// What each of the two is called.
    pub dice: [String; 2],
    /// The command, which `die-1` and `die-2` complete.
    pub act: Act,
}

/// What the script needs to let checkers be tapped.
#[derive(Serialize)]
struct PlayData {
    /// Of every situation the steps that lead on: from, pips, the number of the situation they lead to.
    graph: Vec<Vec<(u8, u8, usize)>>,
    /// The board as the side on turn counts it.
    board: [i8; 26],
    /// Borne off: the side on turn's, and the other's.
    off: [u8; 2],
    /// The dice, the left one first.
    dice: Vec<u8>,
    /// Whether the side on turn is White.
    white: bool,
}

impl Board {
    /// The board of the game in progress, of which `view` is what others see; if it is refereed.
    #[must_use]
    pub fn of(scene: &Scene<'_>, view: BoardView) -> Option<Self> {
        let game = scene.stream.state.game()?;
        let on_board = game.board.as_deref()?;
        let drawing = Drawing { scene, game, on_board, view };
        Some(drawing.board())
    }

    /// The numbers on a die.
    #[must_use]
    pub const fn faces(&self) -> [u8; 6] {
        [1, 2, 3, 4, 5, 6]
    }
}

struct Drawing<'a> {
    scene: &'a Scene<'a>,
    game: &'a Game,
    on_board: &'a OnTheBoard,
    view: BoardView,
}

impl Drawing<'_> {
    fn t(&self) -> &Locale {
        self.scene.t
    }

    /// Who moves for a side.
    fn name(&self, side: Side) -> String {
        let player = match side {
            Side::Box => Some(self.game.box_player),
            Side::Team => self.scene.stream.state.acting_captain(),
        };
        player.and_then(|player| self.scene.names.get(&player).cloned()).unwrap_or_default()
    }

    fn board(&self) -> Board {
        let white = self.on_board.position_seen_by(Colour::White);
        let turned = self.view.turn == Some(Side::Team);
        let mut board = Board {
            status: self.status(),
            players: [self.player(Side::Box, white.mover()), self.player(Side::Team, white.other())],
            spots: spots(turned),
            discs: discs(white),
            dice: self.dice(),
            last: self.last(),
            play: None,
            acts: Vec::new(),
            enter: None,
            resign: Vec::new(),
            quiet: Vec::new(),
            leave: None,
        };
        for legal in self.scene.legal {
            if let Legal::Board { by, action } = legal {
                for kind in action {
                    self.offer(&mut board, *by, *kind);
                }
            }
        }
        board
    }

    fn player(&self, side: Side, checkers: Checkers) -> BoardPlayer {
        BoardPlayer {
            name: self.name(side),
            white: side == Side::Box,
            pips: checkers.pips(),
            on_turn: self.view.turn == Some(side),
            stands: self.stands(checkers),
        }
    }

    /// Where checkers stand, in words: `24: 2, 13: 5`.
    fn stands(&self, checkers: Checkers) -> String {
        let place = |place: Place| match place {
            OFF => self.t().get("board-off"),
            BAR => self.t().get("board-bar"),
            point => point.to_string(),
        };
        let some = (OFF..=BAR).rev().filter(|at| checkers.at(*at) > 0);
        some.map(|at| format!("{}: {}", place(at), checkers.at(at))).collect::<Vec<_>>().join(", ")
    }

    fn status(&self) -> String {
        let t = self.t();
        if self.game.offering().is_some() {
            return t.get("board-double-waits");
        }
        if let Some(resigned) = self.view.resigned {
            let kind = Kind::from(resigned.win).text(t);
            return t.fill("board-resigns", &[("name", &self.name(resigned.by)), ("kind", &kind)]);
        }
        let Some(turn) = self.view.turn else { return t.get("board-opening") };
        let name = self.name(turn);
        match (self.view.left_by, self.view.roll) {
            (Some(by), _) => t.fill("board-left", &[("name", &self.name(by)), ("other", &name)]),
            (None, Some(roll)) if self.view.plays.is_empty() => {
                t.fill("board-cannot-move", &[("name", &name), ("roll", &dashed(roll))])
            }
            (None, Some(roll)) => t.fill("board-to-play", &[("name", &name), ("roll", &dashed(roll))]),
            (None, None) => t.with("board-to-roll", "name", name),
        }
    }

    fn dice(&self) -> Vec<DieShown> {
        let white = self.view.turn == Some(Side::Box);
        let Some(roll) = self.view.roll else { return Vec::new() };
        // A double is shown as two dice, like any roll.
        shown(roll, white, [332, 408])
    }

    /// G19: what the other side rolled last.
    fn last(&self) -> Vec<DieShown> {
        let Some(turn) = self.view.turn else { return Vec::new() };
        let roll = last_roll(self.scene, turn.other());
        roll.map(|roll| shown(roll, turn == Side::Team, [80, 120])).unwrap_or_default()
    }

    fn offer(&self, board: &mut Board, by: Side, kind: ActionKind) {
        let t = self.t();
        let name = self.name(by);
        let say = |key: &str| t.with(key, "name", &name);
        let own_turn = self.view.turn == Some(by);
        match kind {
            // Either side may ask for it: once is enough.
            ActionKind::RollOpening if board.acts.is_empty() => {
                let act =
                    act(t.get("board-roll-opening"), by, &Action::RollOpening { dice: None }, Weight::Main);
                board.acts.push(act);
                let dice = [self.name(Side::Box), self.name(Side::Team)];
                board.enter = self.enter(by, "roll_opening", dice);
            }
            ActionKind::Roll if own_turn => {
                board.acts.push(act(say("board-rolls"), by, &Action::Roll { dice: None }, Weight::Main));
                let dice = [t.get("board-one-die"), t.get("board-other-die")];
                board.enter = self.enter(by, "roll", dice);
            }
            ActionKind::Roll => {
                let early = Action::Roll { dice: None };
                board.quiet.push(act(say("board-rolls-early"), by, &early, Weight::Plain));
            }
            ActionKind::CockedDice => {
                board.quiet.push(act(say("board-cocked"), by, &Action::CockedDice {}, Weight::Plain));
            }
            ActionKind::Play => board.play = Some(self.play(by)),
            ActionKind::Pass => board.acts.push(act(say("board-passes"), by, &Action::Pass {}, Weight::Main)),
            ActionKind::LeaveBoard => {
                let command = unfinished(by, "leave_board");
                board.leave = Some(plain(say("board-leaves"), command));
            }
            ActionKind::AcceptPlay => {
                board.acts.push(act(say("board-accepts-play"), by, &Action::AcceptPlay {}, Weight::Plain));
            }
            ActionKind::SendBack => {
                board.acts.push(act(say("board-sends-back"), by, &Action::SendBack {}, Weight::Plain));
            }
            ActionKind::Resign => board.resign.extend(self.resign(by)),
            ActionKind::AcceptResignation => {
                let accept = Action::AcceptResignation {};
                board.acts.push(act(say("board-accepts"), by, &accept, Weight::Main));
            }
            ActionKind::RejectResignation => {
                let reject = Action::RejectResignation {};
                board.acts.push(act(say("board-rejects"), by, &reject, Weight::Plain));
            }
            // Cubes are the chouette's.
            ActionKind::RollOpening
            | ActionKind::Double
            | ActionKind::Beaver
            | ActionKind::Take
            | ActionKind::Drop => {}
        }
    }

    /// What was rolled at the table is the scorer's to enter.
    fn enter(&self, by: Side, action: &str, dice: [String; 2]) -> Option<Enter> {
        let act = || plain(self.t().get("board-enter"), unfinished(by, action));
        self.scene.runs.then(|| Enter { dice, act: act() })
    }

    fn resign(&self, by: Side) -> impl Iterator<Item = Act> {
        let (t, name) = (self.t(), self.name(by));
        Win::ALL.into_iter().map(move |win| {
            let label = t.fill("board-gives-up", &[("name", &name), ("kind", &Kind::from(win).text(t))]);
            act(label, by, &Action::Resign { win }, Weight::Plain)
        })
    }

    fn play(&self, by: Side) -> PlayForm {
        let position = self.on_board.position();
        let mut plays: Vec<Choice> = self
            .on_board
            .plays()
            .iter()
            .map(|play| {
                let steps = serde_json::to_string(&play.steps).unwrap_or_default();
                Choice::new(steps, write(position, play.steps), false)
            })
            .collect();
        plays.sort_by(|one, other| other.label.cmp(&one.label));
        let compact = |next: &NextStep| (next.from, next.pips, next.then);
        let data = PlayData {
            graph: self.view.steps.iter().map(|steps| steps.iter().map(compact).collect()).collect(),
            board: position.board(),
            off: [position.mover().off(), position.other().off()],
            dice: self.view.dice.iter().map(|die| die.pips()).collect(),
            white: by == Side::Box,
        };
        PlayForm {
            plays,
            act: plain(self.t().with("board-plays", "name", self.name(by)), unfinished(by, "play")),
            chosen: self.t().with("board-plays-chosen", "name", self.name(by)),
            data: serde_json::to_string(&data).unwrap_or_default(),
        }
    }
}

/// A button's act on the board.
fn act(label: String, by: Side, action: &Action, weight: Weight) -> Act {
    let command = super::table::json(&Command::Board { by, action: action.clone() });
    Act { label, command, key: super::table::key(), weight }
}

/// An act whose command a form completes.
fn plain(label: String, command: String) -> Act {
    Act { label, command, key: super::table::key(), weight: Weight::Plain }
}

fn unfinished(by: Side, action: &str) -> String {
    serde_json::json!({ "command": "board", "by": by, "action": { "action": action } }).to_string()
}

fn dashed(roll: Roll) -> String {
    format!("{}-{}", roll.high(), roll.low())
}

/// The last roll of a side in the game in progress, as the acts tell that still count.
fn last_roll(scene: &Scene<'_>, side: Side) -> Option<Roll> {
    let mut undone = std::collections::BTreeSet::new();
    for act in scene.acts {
        match &act.deed {
            Deed::Undo(named) => undone.extend(named),
            Deed::Redo(named) => undone.retain(|act| !named.contains(act)),
            Deed::Events(_) => {}
        }
    }
    let counting = scene.acts.iter().rev().filter(|act| !undone.contains(&act.id));
    let events = counting.flat_map(|act| match &act.deed {
        Deed::Events(events) => events.iter().rev().collect(),
        _ => Vec::new(),
    });
    let colour = if side == Side::Box { Colour::White } else { Colour::Black };
    events.take_while(|event| !matches!(event, Event::GameStarted { .. })).find_map(|event| match event {
        Event::Board { of: OnBoard::Rolled { side, roll, .. } | OnBoard::RolledEarly { side, roll, .. } } => {
            (*side == colour).then_some(*roll)
        }
        Event::Board { of: OnBoard::Opened { side, white, black, .. } } => {
            (*side == colour).then_some(Roll::new(*white, *black))
        }
        _ => None,
    })
}

fn shown(roll: Roll, white: bool, at: [i32; 2]) -> Vec<DieShown> {
    let dice = [roll.high(), roll.low()].into_iter().zip(at);
    dice.map(|(die, x)| DieShown { value: die.pips(), x, white, pips: pips(die.pips()) }).collect()
}

/// Where the pips of a number are, in a square of 6.
const fn pips(number: u8) -> &'static [(u8, u8)] {
    match number {
        1 => &[(3, 3)],
        2 => &[(1, 5), (5, 1)],
        3 => &[(1, 5), (3, 3), (5, 1)],
        4 => &[(1, 1), (1, 5), (5, 1), (5, 5)],
        5 => &[(1, 1), (1, 5), (3, 3), (5, 1), (5, 5)],
        _ => &[(1, 1), (1, 3), (1, 5), (5, 1), (5, 3), (5, 5)],
    }
}

/// The left edge of the column of a point that White counts so, and whether it is in the upper half.
const fn column(point: Place) -> (i32, bool) {
    let point = point as i32;
    match point {
        1..=6 => (7 * COLUMN + (6 - point) * COLUMN, false),
        7..=12 => ((12 - point) * COLUMN, false),
        13..=18 => ((point - 13) * COLUMN, true),
        _ => (7 * COLUMN + (point - 19) * COLUMN, true),
    }
}

/// The bar's column, and the trays'.
const BAR_AT: i32 = 6 * COLUMN;
/// The trays' column.
const TRAY_AT: i32 = 13 * COLUMN + 4;

/// Every place, numbered for White, or for Black if `turned`.
fn spots(turned: bool) -> Vec<Spot> {
    let spot =
        |place, x, above, point| Spot { place, x, y: if above { 0 } else { HEIGHT / 2 }, above, point };
    let mut spots: Vec<Spot> = (1..=24)
        .map(|point: Place| {
            let (x, above) = column(point);
            let number = if turned { across(point) } else { point };
            spot(number, x, above, Some(point.is_multiple_of(2)))
        })
        .collect();
    // White enters above and bears off below.
    spots.push(spot(BAR, BAR_AT, !turned, None));
    spots.push(spot(OFF, TRAY_AT, turned, None));
    spots
}

/// Every checker; `position` is seen by White.
fn discs(position: Position) -> Vec<Disc> {
    let mut discs = Vec::new();
    for (checkers, white) in [(position.mover(), true), (position.other(), false)] {
        for place in 1..=24 {
            let (x, above) = column(if white { place } else { across(place) });
            stack(&mut discs, x, above, checkers.at(place), white);
        }
        stack(&mut discs, BAR_AT, white, checkers.on_bar(), white);
        stack(&mut discs, TRAY_AT, !white, checkers.off(), white);
    }
    discs
}

fn stack(discs: &mut Vec<Disc>, left: i32, above: bool, count: u8, white: bool) {
    let shown = count.min(DRAWN);
    for nth in 0..shown {
        let from_rim = RIM + STACKED * i32::from(nth);
        let y = if above { from_rim } else { HEIGHT - from_rim };
        let last = nth + 1 == shown && count > DRAWN;
        discs.push(Disc { x: left + COLUMN / 2, y, white, count: last.then_some(count) });
    }
}

#[cfg(test)]
#[path = "board_tests.rs"]
mod tests;
