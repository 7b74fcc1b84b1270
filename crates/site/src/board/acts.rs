//! What may be done on a board: buttons, and forms where something is to be chosen.

use serde_json::{Value, json};

use super::{ActsAs, Board, BoardSide};
use crate::pages::Frame;
use crate::pages::button::{Button, Weight};
use crate::pages::fields::Fields;
use crate::sentences;
use owlbox_chouette as chouette;
use owlbox_engine::game::{Action, ActionKind, PositionId};
use owlbox_engine::notation::play::write;
use owlbox_engine::{Colour, CubeValue, Raise};
use owlbox_play::matches;

/// What is mostly done where it is legal.
const LIKELY: [ActionKind; 5] = [
    ActionKind::RollOpening,
    ActionKind::Roll,
    ActionKind::Pass,
    ActionKind::AcceptResignation,
    ActionKind::Take,
];

/// What the other side waits for.
const AWAITED: [ActionKind; 7] = [
    ActionKind::RollOpening,
    ActionKind::Roll,
    ActionKind::Play,
    ActionKind::Pass,
    ActionKind::Take,
    ActionKind::AcceptPlay,
    ActionKind::AcceptResignation,
];

/// An act that gives a game away, and what it leads to, in a sentence. The page says that before it shows the
/// button.
type Ending = (Button, String);

/// The form that enters the dice.
#[derive(Clone, Debug)]
pub(crate) struct Enter {
    /// The label of each die, and the field for it.
    pub dice: [(String, &'static str); 2],
    pub act: Button,
}

/// The buttons.
impl Board {
    /// The buttons for legal actions, likeliest first.
    pub fn acts(&self) -> Vec<Button> {
        let mut acts = self.buttons(false);
        acts.sort_by_key(|act| act.weight != Weight::Main);
        acts
    }

    /// The buttons for rare cases: cocked dice, dice thrown too early.
    pub fn rare_acts(&self) -> Vec<Button> {
        self.buttons(true)
    }

    fn buttons(&self, rare: bool) -> Vec<Button> {
        let legal = Colour::ALL.into_iter().zip(&self.sides);
        let legal = legal.flat_map(|(by, side)| side.may.iter().map(move |kind| (by, *kind)));
        let wanted = legal.filter(|(by, kind)| self.is_rare(*by, *kind) == rare);
        wanted.filter_map(|(by, kind)| self.button(by, kind)).collect()
    }

    fn is_rare(&self, by: Colour, kind: ActionKind) -> bool {
        kind == ActionKind::CockedDice || self.is_early(by, kind)
    }

    /// What the viewer is called for, if the game waits for the side they play. The page's title says it, and
    /// viewers who want to hear it do.
    pub fn calls(&self) -> Option<String> {
        let waits_for = |(by, side): (Colour, &BoardSide)| {
            let awaited = |kind: &ActionKind| AWAITED.contains(kind) && !self.is_early(by, *kind);
            side.is_viewers && side.may.iter().any(awaited)
        };
        let is_called = Colour::ALL.into_iter().zip(&self.sides).any(waits_for);
        let doubled = || self.raise().map(|_| self.status());
        is_called.then(|| doubled().unwrap_or_else(|| self.t.get("board-yours")))
    }

    /// Whether it is a roll before the other side has lifted its dice.
    fn is_early(&self, by: Colour, kind: ActionKind) -> bool {
        kind == ActionKind::Roll && self.game.turn() != Some(by)
    }

    /// The button for a legal action. There is none if the action has a form, or its consequence is said
    /// first.
    fn button(&self, by: Colour, kind: ActionKind) -> Option<Button> {
        let say = |key: &str| self.t.with(key, "name", self.name(&by));
        let raised = self.raise().map(Raise::to);
        let (label, action) = match kind {
            // Both sides may ask for the opening roll, but one button is enough.
            ActionKind::RollOpening => {
                let is_first = self.who_may(kind).next() == Some(by);
                let label = (self.dice_from.service && is_first).then(|| self.t.get("board-roll-opening"))?;
                (label, Action::RollOpening { dice: None })
            }
            ActionKind::Roll => {
                let key = if self.is_early(by, kind) { "board-rolls-early" } else { "board-rolls" };
                (self.dice_from.service.then(|| say(key))?, Action::Roll { dice: None })
            }
            ActionKind::CockedDice => (say("board-cocked"), Action::CockedDice {}),
            ActionKind::Pass => (say("board-passes"), Action::Pass {}),
            ActionKind::AcceptPlay => (say("board-accepts-play"), Action::AcceptPlay {}),
            ActionKind::SendBack => (say("board-sends-back"), Action::SendBack {}),
            ActionKind::AcceptResignation => (say("board-accepts"), Action::AcceptResignation {}),
            ActionKind::RejectResignation => (say("board-rejects"), Action::RejectResignation {}),
            ActionKind::Double => {
                (self.turns("board-doubles", by, self.game.stake().doubled()?), Action::Double {})
            }
            ActionKind::Beaver => (self.turns("board-beavers", by, raised?.doubled()?), Action::Beaver {}),
            ActionKind::Take => (self.turns("board-takes", by, raised?), Action::Take {}),
            ActionKind::Play | ActionKind::LeaveBoard | ActionKind::Resign | ActionKind::Drop => return None,
        };
        let is_likely = LIKELY.contains(&kind) && !self.is_early(by, kind);
        let weight = if is_likely { Weight::Main } else { Weight::Plain };
        Some(self.act(label, by, &action).weighing(weight))
    }

    /// G18: whether the page presses a button by itself. It is the roll as the turn opens, but only where
    /// rolling is the only choice, and only for the player whose turn it is.
    pub fn is_at_once(&self, act: &Button) -> bool {
        let no_choice = !self.may_double && self.waits.is_none() && self.game.left_board().is_none();
        let rolls = |turn| {
            let (side, roll) = (self.side(turn), self.command(turn, &Action::Roll { dice: None }));
            side.is_viewers && side.may_roll_at_once && act.fields == roll
        };
        no_choice && self.game.turn().is_some_and(rolls)
    }

    /// What ends the game at once.
    pub fn ends(&self) -> Vec<Ending> {
        let Some(at) = self.raise().map(Raise::drop) else { return Vec::new() };
        let drop = |by: Colour| {
            let winner = self.name(&by.other());
            let then = self.t.fill("board-drops-then", &[("name", &winner), ("to", &at.get())]);
            (self.act(self.turns("board-drops", by, at), by, &Action::Drop {}), then)
        };
        self.who_may(ActionKind::Drop).map(drop).collect()
    }

    /// The ways to resign, one for each kind of win.
    pub fn resign(&self) -> Vec<Ending> {
        let wins = self.game.rules().variant.wins();
        let resign = |by: Colour, win| {
            let (name, winner, kind) = (self.name(&by), self.name(&by.other()), sentences::win(&self.t, win));
            let label = self.t.fill("board-gives-up", &[("name", &name), ("kind", &kind)]);
            let then = self.t.fill("board-gives-up-then", &[("name", &winner), ("kind", &kind)]);
            (self.act(label, by, &Action::Resign { win }), then)
        };
        let ways = |by| wins.iter().map(move |win| resign(by, *win));
        self.who_may(ActionKind::Resign).flat_map(ways).collect()
    }

    /// What a side does with the cube, in words.
    fn turns(&self, key: &str, by: Colour, to: CubeValue) -> String {
        self.t.fill(key, &[("name", &self.name(&by)), ("to", &to.get())])
    }

    /// A button that takes an action on the board.
    fn act(&self, label: String, by: Colour, action: &Action) -> Button {
        Button::of_form(label, self.command(by, action))
    }

    /// The command for an action, as the stream takes it.
    fn command(&self, by: Colour, action: &Action) -> Fields {
        let action = action.clone();
        match self.side(by).acts_as {
            ActsAs::Table(by) => Fields::of(&chouette::Command::Board { by, action }),
            ActsAs::Sheet(by) => Fields::of(&matches::Command::Board { by, action }),
        }
    }
}

/// The forms.
impl Board {
    /// The form that enters the dice of the opening, or of the side on turn.
    pub fn enter(&self) -> Option<Enter> {
        if !self.dice_from.hand {
            return None;
        }
        // Either side may enter the dice of the opening.
        if let Some(by) = self.who_may(ActionKind::RollOpening).last() {
            let [white, black] = Colour::ALL.map(|colour| self.name(&colour).to_owned());
            let dice = [(white, "action[dice][white]:number"), (black, "action[dice][black]:number")];
            let act = self.entered(by, &Action::RollOpening { dice: None }, &json!({}));
            return Some(Enter { dice, act });
        }
        let by = self.who_may(ActionKind::Roll).find(|by| !self.is_early(*by, ActionKind::Roll))?;
        Some(Enter { dice: self.two_dice(), act: self.entered(by, &Action::Roll { dice: None }, &json!([])) })
    }

    /// The same form where it is the next act: nothing else gives the dice.
    pub fn asked(&self) -> Option<Enter> {
        self.enter().filter(|_| !self.dice_from.service)
    }

    /// Whether the viewer may do anything of what stands in the bar.
    pub fn has_acts(&self) -> bool {
        let asked = self.to_play().is_some() || self.asked().is_some();
        asked || !self.acts().is_empty() || !self.ends().is_empty()
    }

    /// The form that enters dice which were thrown too early.
    pub fn enter_early(&self) -> Option<Enter> {
        let by = self.who_may(ActionKind::Roll).find(|by| self.is_early(*by, ActionKind::Roll));
        let by = by.filter(|_| self.dice_from.hand && !self.dice_from.service)?;
        let label = self.t.with("board-rolls-early", "name", self.name(&by));
        Some(Enter { dice: self.two_dice(), act: self.act(label, by, &Action::Roll { dice: None }) })
    }

    fn two_dice(&self) -> [(String, &'static str); 2] {
        let names = ["action[dice][0]:number", "action[dice][1]:number"];
        [(self.t.get("board-one-die"), names[0]), (self.t.get("board-other-die"), names[1])]
    }

    /// The button of a form that enters the dice for `action`. It sends `none` where no die is chosen:
    /// without dice, the service would roll.
    fn entered(&self, by: Colour, action: &Action, none: &Value) -> Button {
        Button::of_form(self.t.get("board-enter"), self.command(by, action).with("action[dice]", none))
    }

    /// The side whose roll the viewer has to play, if there is one.
    pub fn to_play(&self) -> Option<Colour> {
        self.who_may(ActionKind::Play).next()
    }

    /// Every distinct play: its steps as a form sends them, and its notation.
    pub fn plays(&self, by: &Colour) -> Vec<(String, String)> {
        let (position, names, plays) = (self.game.position(), self.view().names, self.game.plays());
        let play = |steps| {
            let chosen = Fields::default().with("action[steps]", &steps).choice();
            (chosen, names.play(*by, &write(position, steps)))
        };
        let mut plays: Vec<(String, String)> = plays.iter().map(|one| play(one.steps)).collect();
        plays.sort_by(|(_, one), (_, other)| other.cmp(one));
        plays
    }

    /// The button of a form that plays the roll. The form completes it with the steps.
    pub fn play(&self, label: &str, by: &Colour) -> Button {
        Button::of_form(self.t.with(label, "name", self.name(by)), self.lacking(*by, ActionKind::Play))
    }

    /// Whether one of the forms for what is seldom done was refused.
    pub fn is_seldom_refused(&self, frame: &Frame) -> bool {
        let dice = self.enter_early().map(|enter| enter.act);
        let buttons = self.rare_acts().into_iter().chain(self.leave()).chain(dice);
        buttons.into_iter().any(|button| frame.form_of(&button, &self.target.act).is_refused())
    }

    /// The dice were lifted after an illegal play (I2).
    pub fn leave(&self) -> Option<Button> {
        let by = self.who_may(ActionKind::LeaveBoard).next()?;
        // The board before the moves is the one that the reader saw, so that the command is the same however
        // often it is sent.
        let before = PositionId::from(self.game.position());
        let leave = self.lacking(by, ActionKind::LeaveBoard);
        let leave = leave.with("action[before]", &before).with("action[turn]", &by);
        Some(Button::of_form(self.t.with("board-leaves", "name", self.name(&by)), leave))
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
