//! The board of a refereed game, at a table or in a match, ready for its template (G1, G17, G19, C11).
//!
//! White moves anticlockwise; its home is at the lower right. Points are numbered as the side on turn counts
//! them, so that the notation under the board agrees with the numbers on it. In Fevga (V4) both sides move
//! the same way round, and Black's points are half a lap from White's. A pinned checker lies at the rim,
//! under those that pin it.
//!
//! The buttons come from [`RefereedSide::may`]; this module decides nothing about what is legal. The cube
//! shown is the game's own. At a table each bet has its own cube, and those are at the seats.

mod mirrored;
#[cfg(test)]
pub(super) mod samples;

use serde::Serialize;
use serde_json::{Value, json};

use super::Choice;
use super::button::{Button, Target, Weight};
use super::fields::Fields;
use super::view::{self, BoardView};
use super::words::Kind;
use owlbox_chouette::{self as chouette, Side};
use owlbox_engine::game::{Action, ActionKind, Game, Phase, PositionId};
use owlbox_engine::notation::PointNames;
use owlbox_engine::notation::play::write;
use owlbox_engine::plays::LegalPlays;
use owlbox_engine::step_graph::NextStep;
use owlbox_engine::{BAR, Checkers, Colour, CubeValue, Movement, OFF, Owner, Place, Position, Raise, Roll};
use owlbox_locale::Locale;
use owlbox_play::matches::{self, Slot};

/// Professionals seldom turn a cube beyond this value (C10), so the page says so.
pub(super) const SELDOM_BEYOND: u32 = 8;
/// At most this many checkers of a point are drawn. If there are more, the last one carries the number (G19).
const DRAWN: u8 = 5;
/// The width of a column, in the units of the drawing.
pub(super) const COLUMN: i32 = 40;
pub(super) const DIE: i32 = 62;
/// The height of the drawing, in its units.
pub(super) const HEIGHT: i32 = 520;
/// The distance from the edge to the middle of a point's outermost checker.
pub(super) const RIM: i32 = 43;
/// The distance from one checker of a point to the next, middle to middle.
pub(super) const STACKED: i32 = 37;

/// Everything a board is drawn from.
#[derive(Debug)]
pub struct Refereed<'a> {
    pub t: &'a Locale,
    pub game: &'a Game,
    pub sides: [RefereedSide; 2],
    /// What has to be decided before the board goes on, in a sentence. It replaces the status.
    pub waits: Option<String>,
    /// Whether the side on turn may double before it rolls.
    pub may_double: bool,
    /// The sources the dice may come from.
    pub dice: DiceFrom,
    /// Where its forms are sent.
    pub target: Target,
    /// The viewer's choice of names and direction.
    pub view: BoardView,
}

/// What a side is to the stream whose game it is. Commands name it so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActsAs {
    /// At a table.
    Table(Side),
    /// On the sheet of a match.
    Sheet(Slot),
}

/// One side of a refereed game.
#[derive(Clone, Debug)]
pub struct RefereedSide {
    /// The player who moves for it.
    pub name: String,
    /// The side in words: box, team, White, Black.
    pub called: String,
    pub acts_as: ActsAs,
    /// The actions the viewer may take for it.
    pub may: Vec<ActionKind>,
    /// Its last roll in this game, if any.
    pub last: Option<Roll>,
    /// Whether the viewer plays it and nothing stands in the way of an automatic roll: nothing was undone,
    /// and nobody has doubled this turn.
    pub is_viewers: bool,
}

/// The sources the dice of a game may come from.
#[derive(Clone, Copy, Debug)]
pub struct DiceFrom {
    pub service: bool,
    /// Whether the viewer may enter what was thrown.
    pub hand: bool,
}

#[derive(Clone, Debug)]
pub struct Board {
    /// Where its forms are sent.
    pub target: Target,
    /// The viewer's choice of names and direction.
    pub view: BoardView,
    /// The names of all places, indexed by number.
    pub names: Vec<String>,
    /// Whether both sides move the same way round. Points then have one set of names only.
    pub one_way: bool,
    /// What the game waits for, in a sentence.
    pub status: String,
    /// Remarks beside the board, in sentences: closed out, a prime (G16, G20), a high cube (C10).
    pub notes: Vec<String>,
    /// The idempotency key of the roll that the page makes by itself, without a tap, where there is nothing
    /// to decide before it (G18).
    pub at_once: Option<String>,
    /// White, who is below, and Black, who is above.
    pub players: [BoardPlayer; 2],
    /// The 24 points, the bars and the trays: the places that can be tapped.
    pub spots: Vec<Spot>,
    /// Every checker in the drawing.
    pub discs: Vec<Disc>,
    /// The dice to be played, the left one first.
    pub dice: Vec<DieShown>,
    /// The other side's last dice, drawn small (G19).
    pub last: Vec<DieShown>,
    /// The game's own cube. `None` without one, and at a table.
    pub cube: Option<CubeShown>,
    /// The form that plays the roll. `None` unless the viewer has to play.
    pub play: Option<PlayForm>,
    /// The buttons for legal actions, likeliest first.
    pub acts: Vec<Button>,
    /// The form that enters the dice.
    pub enter: Option<Enter>,
    /// Whether the dice can only be entered, because the service does not roll in this game.
    pub asks_for_dice: bool,
    /// The form that enters dice which were thrown too early.
    pub enter_early: Option<Enter>,
    /// What ends the game at once, with what it leads to.
    pub ends: Vec<Ending>,
    /// The ways to resign, one for each kind of win.
    pub resign: Vec<Ending>,
    /// Buttons for rare cases: cocked dice, dice thrown too early.
    pub quiet: Vec<Button>,
    /// The dice were lifted after an illegal play (I2).
    pub leave: Option<Button>,
}

/// An act that gives a game away. Its page says what it leads to before it shows the button.
#[derive(Clone, Debug)]
pub struct Ending {
    pub act: Button,
    /// What it leads to, in a sentence.
    pub then: String,
}

#[derive(Clone, Debug)]
pub struct BoardPlayer {
    /// The player who moves for it.
    pub name: String,
    /// The side in words: box, team, White, Black.
    pub called: String,
    pub white: bool,
    pub pips: u16,
    /// Its checkers in words, as this side counts points, for readers who do not see the drawing.
    pub stands: String,
}

/// A place of the board that can be tapped.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// The number of the place as the side on turn counts it: 25 is the bar, 0 the tray.
    pub place: Place,
    pub x: i32,
    pub y: i32,
    /// Whether it is in the upper half.
    pub above: bool,
    /// The shade of a point, `true` for one of the two. `None` for the bar and the tray.
    pub point: Option<bool>,
}

impl Spot {
    #[must_use]
    pub const fn middle(&self) -> i32 {
        self.x + COLUMN / 2
    }
    /// The corners of the point's triangle, for `<polygon>`.
    #[must_use]
    pub fn triangle(&self) -> String {
        let (left, right) = (self.x + 1, self.x + COLUMN - 1);
        let (rim, tip) = if self.above { (24, 224) } else { (HEIGHT - 24, HEIGHT - 224) };
        format!("{left},{rim} {right},{rim} {},{tip}", self.middle())
    }
    /// The baseline of the point's number.
    #[must_use]
    pub const fn number_at(&self) -> i32 {
        if self.above { 17 } else { HEIGHT - 7 }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Disc {
    pub x: i32,
    pub y: i32,
    pub white: bool,
    /// The number of checkers it stands for, written on it. `None` for a single one.
    pub count: Option<u8>,
}

#[derive(Clone, Debug)]
pub struct DieShown {
    pub value: u8,
    pub x: i32,
    pub white: bool,
    /// The positions of its pips, in a square of side 6.
    pub pips: &'static [(u8, u8)],
}

/// The cube. It lies on the bar, in the middle or nearer to its owner; while it is offered, on the board.
#[derive(Clone, Debug)]
pub struct CubeShown {
    /// Its value, or the value on offer.
    pub figure: u32,
    /// The value and the owner in words.
    pub said: String,
    pub x: i32,
    pub y: i32,
    pub offered: bool,
}

/// The form that plays the roll.
#[derive(Clone, Debug)]
pub struct PlayForm {
    /// Every distinct play: the label is its notation, the value its steps as JSON.
    pub plays: Vec<Choice>,
    /// The command. The form completes it with `steps`.
    pub act: Button,
    /// The same for a choice from the list.
    pub from_list: Button,
    /// The data for the script, as JSON: the position, the dice and the legal steps.
    pub data: String,
}

/// The form that enters the dice.
#[derive(Clone, Debug)]
pub struct Enter {
    /// The label of each die, and the field for it.
    pub dice: [(String, &'static str); 2],
    pub act: Button,
}

/// The data that lets the script move checkers by taps. The script reads these names.
#[derive(Serialize)]
struct PlayData {
    /// For each situation, the steps on from it: from, pips, and the number of the next situation.
    graph: Vec<Vec<(u8, u8, usize)>>,
    /// The board as the side on turn counts it.
    board: [i8; 26],
    /// The pinned checkers (V4): 1 for an own one, -1 for one of the other side's. Left out in other games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pinned: Option<[i8; 26]>,
    /// Whether both sides move the same way round (V4).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    same_way: bool,
    /// Checkers borne off by the side on turn, and by the other.
    off: [u8; 2],
    /// The dice, the left one first; four of a double.
    dice: Vec<u8>,
    /// Whether the side on turn is White.
    white: bool,
    /// The names of all places, indexed by number.
    names: Vec<String>,
    /// The separators of the notation: between the places of one checker, and between the moves of a play.
    joints: [&'static str; 2],
    /// Whether the sides bear off to the left.
    mirrored: bool,
}

impl Board {
    /// The name of a place. Empty for a number off the board.
    #[must_use]
    pub fn name(&self, place: &Place) -> &str {
        self.names.get(usize::from(*place)).map_or("", String::as_str)
    }

    /// The six numbers of a die, for the buttons that enter one.
    #[must_use]
    pub const fn faces(&self) -> [u8; 6] {
        [1, 2, 3, 4, 5, 6]
    }
}

impl Refereed<'_> {
    const fn side(&self, colour: Colour) -> &RefereedSide {
        let [white, black] = &self.sides;
        match colour {
            Colour::White => white,
            Colour::Black => black,
        }
    }

    /// The name of the player who moves for a side.
    fn name(&self, colour: Colour) -> &str {
        &self.side(colour).name
    }

    fn roll(&self) -> Option<Roll> {
        match self.game.phase() {
            Phase::ToPlay { roll, .. } => Some(roll),
            Phase::Opening { .. } | Phase::ToRoll | Phase::ToAnswer(_) | Phase::Over(_) => None,
        }
    }

    /// Puts the game into a board as the viewer sees it.
    #[must_use]
    pub fn board(&self) -> Board {
        let white = self.game.position_seen_by(Colour::White);
        let turned = self.game.turn() == Some(Colour::Black);
        let mut board = Board {
            target: self.target.clone(),
            view: self.view(),
            names: self.places(self.counts()),
            one_way: white.movement() == Movement::Fevga,
            status: self.status(),
            notes: self.notes(),
            at_once: None,
            players: [self.player(Colour::White, white.mover()), self.player(Colour::Black, white.other())],
            spots: spots(turned, white.movement()),
            discs: discs(white),
            dice: self.dice(),
            last: self.last(),
            cube: self.cube(),
            play: None,
            acts: Vec::new(),
            enter: None,
            asks_for_dice: !self.dice.service,
            enter_early: None,
            ends: Vec::new(),
            resign: Vec::new(),
            quiet: Vec::new(),
            leave: None,
        };
        for by in Colour::ALL {
            for kind in &self.side(by).may {
                self.offer(&mut board, by, *kind);
            }
        }
        board.acts.sort_by_key(|act| act.weight != Weight::Main);
        self.view().lay(&mut board);
        board
    }

    /// The side whose count the numbers on the board follow: the side on turn, or White before the opening.
    fn counts(&self) -> Colour {
        self.game.turn().unwrap_or(Colour::White)
    }

    /// The viewer's choice. In Fevga (V4) only the common names apply: the others give a point the same name
    /// for both sides, which is defined only for sides that move against each other.
    fn view(&self) -> BoardView {
        match self.game.position().movement() {
            Movement::Backgammon | Movement::Plakoto => self.view,
            Movement::Fevga => BoardView { names: PointNames::Common, ..self.view },
        }
    }

    /// The names of all places as a side counts them.
    fn places(&self, colour: Colour) -> Vec<String> {
        view::places(self.view().names, colour, ["board-off", "board-bar"].map(|key| self.t.get(key)))
    }

    fn player(&self, colour: Colour, checkers: Checkers) -> BoardPlayer {
        let RefereedSide { name, called, .. } = self.side(colour).clone();
        BoardPlayer {
            name,
            called,
            white: colour == Colour::White,
            pips: checkers.pips(),
            stands: self.stands(colour, checkers),
        }
    }

    /// A side's checkers in words, `24: 2, 13: 5`, from the back forwards.
    fn stands(&self, colour: Colour, checkers: Checkers) -> String {
        let some = (OFF..).zip(self.places(colour)).filter(|(at, _)| checkers.at(*at) > 0);
        let some: Vec<String> = some
            .map(|(at, name)| match checkers.is_pinned(at) {
                true => self.t.labelled(name, format!("{}, {}", checkers.at(at), self.t.get("board-pinned"))),
                false => self.t.labelled(name, checkers.at(at)),
            })
            .collect();
        some.into_iter().rev().collect::<Vec<_>>().join(", ")
    }

    fn status(&self) -> String {
        let t = self.t;
        if let Some(waits) = &self.waits {
            return waits.clone();
        }
        if let Some(resigned) = self.game.resignation() {
            let kind = Kind::from(resigned.win).text(t);
            return t.fill("board-resigns", &[("name", &self.name(resigned.by)), ("kind", &kind)]);
        }
        let Some(turn) = self.game.turn() else { return t.get("board-opening") };
        let (name, other) = (self.name(turn), self.name(turn.other()));
        match self.game.phase() {
            Phase::ToAnswer(raise) => {
                let (by, other) = (self.name(raise.by()), self.name(raise.by().other()));
                let to = raise.to().get();
                t.fill("board-doubled", &[("name", &by), ("other", &other), ("to", &to)])
            }
            _ if self.game.left_board().is_some() => {
                t.fill("board-left", &[("name", &other), ("other", &name)])
            }
            Phase::ToPlay { roll, .. } => {
                let key = if self.game.plays().is_empty() { "board-cannot-move" } else { "board-to-play" };
                t.fill(key, &[("name", &name), ("roll", &dashed(roll))])
            }
            _ if self.game.does_not_roll() => {
                let key = if self.may_double { "board-closed-out-may-double" } else { "board-closed-out" };
                t.with(key, "name", name)
            }
            _ if self.may_double => t.with("board-to-roll", "name", name),
            Phase::Opening { .. } | Phase::ToRoll | Phase::Over(_) => {
                t.with("board-only-rolls", "name", name)
            }
        }
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for colour in Colour::ALL {
            let position = self.game.position_seen_by(colour);
            let say = |key: &str| self.t.with(key, "name", self.name(colour));
            // A closed-out side on turn is already described as such in the status.
            let said = self.game.does_not_roll() && self.game.turn() == Some(colour);
            if position.is_closed_out() && !said {
                notes.push(say("board-is-closed-out"));
            }
            if position.has_prime() {
                notes.push(say("board-has-prime"));
            }
        }
        if self.next_cube().is_some_and(|cube| cube.get() > SELDOM_BEYOND) {
            notes.push(self.t.get("cube-seldom"));
        }
        notes
    }

    /// The value on offer, or the value of the double that may come next.
    fn next_cube(&self) -> Option<CubeValue> {
        if let Phase::ToAnswer(raise) = self.game.phase() {
            return Some(raise.to());
        }
        let doubles = |side: &RefereedSide| side.may.contains(&ActionKind::Double);
        self.game.stake().doubled().filter(|_| self.sides.iter().any(doubles))
    }

    fn dice(&self) -> Vec<DieShown> {
        let white = self.game.turn() == Some(Colour::White);
        let Some(roll) = self.roll() else { return Vec::new() };
        // A double is drawn as two dice, like any roll.
        dice_shown(roll, white, [332, 408])
    }

    /// The other side's last roll (G19).
    fn last(&self) -> Vec<DieShown> {
        let Some(other) = self.game.turn().map(Colour::other) else { return Vec::new() };
        let roll = self.side(other).last;
        roll.map(|roll| dice_shown(roll, other == Colour::White, [80, 120])).unwrap_or_default()
    }

    fn cube(&self) -> Option<CubeShown> {
        let t = self.t;
        let cube = self.game.cube()?;
        if let Phase::ToAnswer(raise) = self.game.phase() {
            let figure = raise.to().get();
            let said = t.fill("board-cube-offered", &[("name", &self.name(raise.by())), ("to", &figure)]);
            let [x, y] = OFFERED_AT;
            return Some(CubeShown { figure, said, x, y, offered: true });
        }
        let figure = cube.value.get();
        let (y, said) = match cube.owner {
            Owner::Centred => (HEIGHT / 2, t.with("board-cube-centred", "cube", figure)),
            Owner::Owned(owner) => {
                let y = HEIGHT / 2 + if owner == Colour::White { CUBE_MOVES } else { -CUBE_MOVES };
                (y, t.fill("board-cube-of", &[("cube", &figure), ("name", &self.name(owner))]))
            }
        };
        Some(CubeShown { figure, said, x: BAR_AT + COLUMN / 2, y, offered: false })
    }

    fn offer(&self, board: &mut Board, by: Colour, kind: ActionKind) {
        let t = self.t;
        let say = |key: &str| t.with(key, "name", self.name(by));
        let own_turn = self.game.turn() == Some(by);
        match kind {
            ActionKind::RollOpening => self.offer_opening(board, by),
            ActionKind::Roll => self.offer_roll(board, by, own_turn),
            ActionKind::CockedDice => {
                board.quiet.push(self.act(say("board-cocked"), by, &Action::CockedDice {}, Weight::Plain));
            }
            ActionKind::Play => board.play = Some(self.play(by)),
            ActionKind::Pass => {
                board.acts.push(self.act(say("board-passes"), by, &Action::Pass {}, Weight::Main));
            }
            ActionKind::LeaveBoard => {
                // The board before the moves is the one that the reader saw, so that the command is the same however
                // often it is sent.
                let before = PositionId::from(self.game.position());
                let leave = self.lacking(by, kind).with("action[before]", &before).with("action[turn]", &by);
                board.leave = Some(Button::of_form(say("board-leaves"), leave));
            }
            ActionKind::AcceptPlay => {
                let accept = Action::AcceptPlay {};
                board.acts.push(self.act(say("board-accepts-play"), by, &accept, Weight::Plain));
            }
            ActionKind::SendBack => {
                board.acts.push(self.act(say("board-sends-back"), by, &Action::SendBack {}, Weight::Plain));
            }
            ActionKind::Resign => board.resign.extend(self.resign(by)),
            ActionKind::AcceptResignation => {
                let accept = Action::AcceptResignation {};
                board.acts.push(self.act(say("board-accepts"), by, &accept, Weight::Main));
            }
            ActionKind::RejectResignation => {
                let reject = Action::RejectResignation {};
                board.acts.push(self.act(say("board-rejects"), by, &reject, Weight::Plain));
            }
            ActionKind::Double => board.acts.extend(self.doubles(by)),
            ActionKind::Beaver => board.acts.extend(self.beavers(by)),
            ActionKind::Take => board.acts.extend(self.takes(by)),
            ActionKind::Drop => board.ends.extend(self.drops(by)),
        }
    }

    /// The opening roll. Both sides may ask for it, but one button is enough.
    fn offer_opening(&self, board: &mut Board, by: Colour) {
        if self.dice.service && board.acts.is_empty() {
            let roll = Action::RollOpening { dice: None };
            board.acts.push(self.act(self.t.get("board-roll-opening"), by, &roll, Weight::Main));
        }
        if self.dice.hand {
            let [white, black] = Colour::ALL.map(|colour| self.name(colour).to_owned());
            let dice = [(white, "action[dice][white]:number"), (black, "action[dice][black]:number")];
            board.enter =
                Some(Enter { dice, act: self.entered(by, &Action::RollOpening { dice: None }, json!({})) });
        }
    }

    fn offer_roll(&self, board: &mut Board, by: Colour, own_turn: bool) {
        let t = self.t;
        let roll = Action::Roll { dice: None };
        let dice = || {
            let names = ["action[dice][0]:number", "action[dice][1]:number"];
            [(t.get("board-one-die"), names[0]), (t.get("board-other-die"), names[1])]
        };
        let say = |key: &str| t.with(key, "name", self.name(by));
        if self.dice.service && own_turn {
            let roll = self.act(say("board-rolls"), by, &roll, Weight::Main);
            // G18: the roll comes by itself as the turn opens, but only where rolling is the only choice, and
            // only for the player whose turn it is.
            let no_choice = !self.may_double && self.waits.is_none() && self.game.left_board().is_none();
            board.at_once = (no_choice && self.side(by).is_viewers).then(|| roll.key.clone());
            board.acts.push(roll);
        } else if self.dice.service {
            board.quiet.push(self.act(say("board-rolls-early"), by, &roll, Weight::Plain));
        }
        if self.dice.hand && own_turn {
            board.enter = Some(Enter { dice: dice(), act: self.entered(by, &roll, json!([])) });
        } else if self.dice.hand && !self.dice.service {
            let early = Button::of_form(say("board-rolls-early"), self.command(by, &roll));
            board.enter_early = Some(Enter { dice: dice(), act: early });
        }
    }

    /// The double that waits for an answer, if any. The engine says what an answer costs or leads to.
    fn raise(&self) -> Option<Raise<Colour>> {
        match self.game.phase() {
            Phase::ToAnswer(raise) => Some(raise),
            Phase::Opening { .. } | Phase::ToRoll | Phase::ToPlay { .. } | Phase::Over(_) => None,
        }
    }

    fn doubles(&self, by: Colour) -> Option<Button> {
        let to = self.game.stake().doubled()?;
        Some(self.cube_act("board-doubles", to, by, &Action::Double {}, Weight::Plain))
    }

    fn beavers(&self, by: Colour) -> Option<Button> {
        let to = self.raise()?.to().doubled()?;
        Some(self.cube_act("board-beavers", to, by, &Action::Beaver {}, Weight::Plain))
    }

    fn takes(&self, by: Colour) -> Option<Button> {
        let to = self.raise()?.to();
        Some(self.cube_act("board-takes", to, by, &Action::Take {}, Weight::Main))
    }

    fn drops(&self, by: Colour) -> Option<Ending> {
        let at = self.raise()?.drop();
        let then = self.t.fill("board-drops-then", &[("name", &self.name(by.other())), ("to", &at.get())]);
        let act = self.cube_act("board-drops", at, by, &Action::Drop {}, Weight::Plain);
        Some(Ending { act, then })
    }

    fn cube_act(&self, key: &str, to: CubeValue, by: Colour, action: &Action, weight: Weight) -> Button {
        self.act(self.t.fill(key, &[("name", &self.name(by)), ("to", &to.get())]), by, action, weight)
    }

    /// The form that enters the dice for `action`. It sends `none` where no die is chosen: without dice, the service
    /// would roll.
    fn entered(&self, by: Colour, action: &Action, none: Value) -> Button {
        Button::of_form(self.t.get("board-enter"), self.command(by, action).with("action[dice]", &none))
    }

    fn resign(&self, by: Colour) -> impl Iterator<Item = Ending> {
        self.game.rules().variant.wins().iter().map(move |&win| {
            let kind = Kind::from(win).text(self.t);
            let label = self.t.fill("board-gives-up", &[("name", &self.name(by)), ("kind", &kind)]);
            let then =
                self.t.fill("board-gives-up-then", &[("name", &self.name(by.other())), ("kind", &kind)]);
            Ending { act: self.act(label, by, &Action::Resign { win }, Weight::Plain), then }
        })
    }

    fn play(&self, by: Colour) -> PlayForm {
        let position = self.game.position();
        let mut plays: Vec<Choice> = self
            .game
            .plays()
            .iter()
            .map(|play| {
                let steps = Fields::default().with("action[steps]", &play.steps).choice();
                let written = self.view().names.play(by, &write(position, play.steps));
                Choice::new(steps, written, false)
            })
            .collect();
        plays.sort_by(|one, other| other.label.cmp(&one.label));
        let name = self.name(by);
        let lacking = self.lacking(by, ActionKind::Play);
        let button = |key: &str| Button::of_form(self.t.with(key, "name", name), lacking.clone());
        PlayForm {
            plays,
            act: button("board-plays").main(),
            from_list: button("board-plays-chosen"),
            data: serde_json::to_string(&self.play_data(by)).unwrap_or_default(),
        }
    }

    fn play_data(&self, by: Colour) -> PlayData {
        let position = self.game.position();
        let steps = self.game.legal_plays().map(LegalPlays::step_graph).unwrap_or_default();
        let compact = |next: &NextStep| (next.from, next.pips, next.then);
        PlayData {
            graph: steps.iter().map(|steps| steps.iter().map(compact).collect()).collect(),
            board: position.board(),
            pinned: (position.movement() == Movement::Plakoto).then(|| pinned(position)),
            same_way: position.movement() == Movement::Fevga,
            off: [position.mover().off(), position.other().off()],
            dice: match self.roll() {
                Some(roll) if roll.is_double() => vec![roll.high().pips(); 4],
                Some(roll) => vec![roll.high().pips(), roll.low().pips()],
                None => Vec::new(),
            },
            white: by == Colour::White,
            names: self.places(by),
            joints: self.view().names.joints(),
            mirrored: self.view.mirrored,
        }
    }

    /// A button that takes an action on the board.
    fn act(&self, label: String, by: Colour, action: &Action, weight: Weight) -> Button {
        Button::of_form(label, self.command(by, action)).weighing(weight)
    }

    /// The command for an action, as the stream takes it.
    fn command(&self, by: Colour, action: &Action) -> Fields {
        let action = action.clone();
        match self.side(by).acts_as {
            ActsAs::Table(by) => Fields::of(&chouette::Command::Board { by, action }),
            ActsAs::Sheet(by) => Fields::of(&matches::Command::Board { by, action }),
        }
    }

    /// The command for an action that lacks what its form gives.
    fn lacking(&self, by: Colour, action: ActionKind) -> Fields {
        let fields = match self.side(by).acts_as {
            ActsAs::Table(by) => Fields::lacking(chouette::CommandKind::Board).with("by", &by),
            ActsAs::Sheet(by) => Fields::lacking(matches::CommandKind::Board).with("by", &by),
        };
        fields.with("action[action]", &action)
    }
}

fn dashed(roll: Roll) -> String {
    format!("{}-{}", roll.high(), roll.low())
}

fn dice_shown(roll: Roll, white: bool, at: [i32; 2]) -> Vec<DieShown> {
    let dice = [roll.high(), roll.low()].into_iter().zip(at);
    dice.map(|(die, x)| DieShown { value: die.pips(), x, white, pips: pips(die.pips()) }).collect()
}

/// The positions of the pips of a number, in a square of side 6.
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

/// The left edge of a point's column, and whether it is in the upper half. `point` is counted by White.
pub(super) const fn column(point: Place) -> (i32, bool) {
    let point = point as i32;
    match point {
        1..=6 => (7 * COLUMN + (6 - point) * COLUMN, false),
        7..=12 => ((12 - point) * COLUMN, false),
        13..=18 => ((point - 13) * COLUMN, true),
        _ => (7 * COLUMN + (point - 19) * COLUMN, true),
    }
}

/// The left edge of the bar's column; [`TRAY_AT`] is that of the trays.
const BAR_AT: i32 = 6 * COLUMN;
pub(super) const TRAY_AT: i32 = 13 * COLUMN + 4;
/// The middle of a cube on offer.
const OFFERED_AT: [i32; 2] = [10 * COLUMN, HEIGHT / 2];
/// How far from the middle of the bar an owned cube lies.
const CUBE_MOVES: i32 = 36;

/// Every place, numbered for White, or for Black if `turned`.
pub(super) fn spots(turned: bool, movement: Movement) -> Vec<Spot> {
    let spot =
        |place, x, above, point| Spot { place, x, y: if above { 0 } else { HEIGHT / 2 }, above, point };
    let mut spots: Vec<Spot> = (1..=24)
        .map(|point: Place| {
            let (x, above) = column(point);
            let number = if turned { movement.across(point) } else { point };
            spot(number, x, above, Some(point.is_multiple_of(2)))
        })
        .collect();
    // White enters above and bears off below.
    spots.push(spot(BAR, BAR_AT, !turned, None));
    spots.push(spot(OFF, TRAY_AT, turned, None));
    spots
}

/// Every checker in the drawing. `position` is as White sees it.
pub(super) fn discs(position: Position) -> Vec<Disc> {
    let mut discs = Vec::new();
    for (checkers, white) in [(position.mover(), true), (position.other(), false)] {
        let others = if white { position.other() } else { position.mover() };
        for place in 1..=24 {
            let (x, above) = column(if white { place } else { position.across(place) });
            // Room at the rim for the checker that these pin (V4).
            let under = u8::from(others.is_pinned(position.across(place)));
            stack(&mut discs, Column { left: x, above, under }, checkers.at(place), white);
        }
        let (bar, tray) = (
            Column { left: BAR_AT, above: white, under: 0 },
            Column { left: TRAY_AT, above: !white, under: 0 },
        );
        stack(&mut discs, bar, checkers.on_bar(), white);
        stack(&mut discs, tray, checkers.off(), white);
    }
    discs
}

/// The pinned checkers, as the side on turn counts: 1 for an own one, -1 for one of the other side's.
fn pinned(position: Position) -> [i8; 26] {
    let mut pinned = [0; 26];
    for place in 1..=24 {
        let (own, others) =
            (position.mover().is_pinned(place), position.other().is_pinned(position.across(place)));
        pinned[usize::from(place)] = i8::from(own) - i8::from(others);
    }
    pinned
}

/// Where checkers are stacked.
#[derive(Clone, Copy)]
struct Column {
    left: i32,
    /// Whether it hangs from the upper rim.
    above: bool,
    /// How many pinned checkers lie below the stack.
    under: u8,
}

/// Draws `count` checkers in a column.
fn stack(discs: &mut Vec<Disc>, Column { left, above, under }: Column, count: u8, white: bool) {
    let shown = count.min(DRAWN - under);
    for nth in under..shown + under {
        let from_rim = RIM + STACKED * i32::from(nth);
        let y = if above { from_rim } else { HEIGHT - from_rim };
        let last = nth + 1 == shown + under && count > shown;
        discs.push(Disc { x: left + COLUMN / 2, y, white, count: last.then_some(count) });
    }
}

#[cfg(test)]
#[path = "board_tests.rs"]
mod tests;
