//! The result of a game in one tap: a button for each side and kind of win, with the score it would lead to
//! at the cube chosen above. The same form corrects an earlier game.

use super::words::{self, slot_name};
use super::{CommandButton, MatchContext};
use crate::Fields;
use owlbox_domain::matches::Slot;
use owlbox_domain::matches::score::Tally;
use owlbox_domain::matches::{Command, CommandKind, Entered, Event, How, Legal, Sheet, View, What};
use owlbox_engine::tables::equity::Phase;
use owlbox_engine::{CubeValue, Win};

/// How many cube values the correction of an earlier game offers, from 1 upwards.
const CUBES_TO_CORRECT: usize = 7;
/// The part of a correction that says how the game really ended.
const NOW: &str = "now";

#[derive(Clone, Debug)]
pub struct Scoring {
    /// The `id` of the form. It changes with the game, so that live updates carry no choice over to the next
    /// game.
    pub form: String,
    /// The command without the choices.
    pub button: CommandButton,
    /// The values of the cube, and whether each is the chosen one.
    pub cubes: Vec<(u32, bool)>,
    /// Whether this is the Crawford game, which is played without the cube (M3).
    pub crawford: bool,
    pub sides: Vec<ScoringSide>,
    /// The part of the command that says how the game ended; `None` if the command itself does.
    pub within: Option<&'static str>,
    /// The number of the game to correct, and its recorded result. `None` for a new game.
    pub correct: Option<(u32, String)>,
}

/// A side, with the ways in which it may have won.
#[derive(Clone, Debug)]
pub struct ScoringSide {
    pub name: String,
    pub slot: &'static str,
    pub picks: Vec<Pick>,
    /// A win by a double that the other side dropped.
    pub dropped: Option<Pick>,
}

#[derive(Clone, Debug)]
pub struct Pick {
    /// The fields that it sets.
    pub choice: String,
    /// The result it records, in words.
    pub label: String,
    pub short: String,
    /// The score it leads to, for each value of the cube. `None` where that value is impossible.
    pub comes_to: Vec<Option<String>>,
}

impl ScoringSide {
    /// Whether there is any way in which it may have won.
    #[must_use]
    pub const fn may_win(&self) -> bool {
        !self.picks.is_empty() || self.dropped.is_some()
    }
}

impl Scoring {
    /// The field for a part of how the game ended.
    #[must_use]
    pub fn name(&self, part: &str) -> String {
        self.within.map_or_else(|| part.to_owned(), |within| format!("{within}[{part}]"))
    }

    /// The form for the next game, if one may be entered.
    #[must_use]
    pub fn next(context: &MatchContext<'_>) -> Option<Self> {
        let cubes = context
            .legal
            .iter()
            .find_map(|legal| if let Legal::Game { cube, .. } = legal { Some(cube.clone()) } else { None })?;
        let lines = context.sheet.entries().len();
        let cubes: Vec<(u32, bool)> = cubes.into_iter().map(|cube| (cube, cube == 1)).collect();
        let tally = context.sheet.tally();
        // A double that gains its side nothing (M6) is never made, so a win by it is not offered.
        let offered = |entered: &Entered| {
            let pointless = |tally: &Tally| tally.gains_nothing_by_doubling(entered.winner, entered.cube);
            entered.how != How::Dropped || !tally.as_ref().is_some_and(pointless)
        };
        let of = |entered| Some(Command::Game(entered)).filter(|_| offered(&entered));
        Some(Self {
            form: format!("game-{lines}"),
            button: CommandButton::of_form(
                context.t.get("scoring-the-game"),
                Fields::lacking(CommandKind::Game),
            ),
            crawford: context.sheet.standing().and_then(|standing| standing.phase) == Some(Phase::Crawford),
            sides: sides(context, &cubes, None, &of),
            cubes,
            within: None,
            correct: None,
        })
    }

    /// The form that corrects an earlier game, if it is on the sheet and may be corrected.
    #[must_use]
    pub fn earlier(context: &MatchContext<'_>, game: u32) -> Option<Self> {
        context.legal.iter().find(|legal| matches!(legal, Legal::Correct { games } if *games >= game))?;
        let (_, entry) = context.sheet.games().find(|(number, _)| *number == game)?;
        let (was, cube) = match &entry.what {
            What::Won(won) => (words::game(context, won), won.cube.get()),
            What::Drawn | What::Void | What::Penalty { .. } => (context.t.get("scoring-drawn"), 1),
        };
        let doubled = std::iter::successors(Some(CubeValue::ONE), |cube| cube.doubled());
        let mut cubes: Vec<u32> = doubled.take(CUBES_TO_CORRECT).map(CubeValue::get).collect();
        if !cubes.contains(&cube) {
            cubes.push(cube);
        }
        let of = |now| Some(Command::Correct { game, now });
        // With other cubes the later games would be impossible. Those are not offered.
        let chosen = |one: &u32| (*one, *one == cube);
        cubes.retain(|one| {
            *one == cube || sides(context, &[chosen(one)], Some(NOW), &of).iter().any(ScoringSide::may_win)
        });
        let cubes: Vec<(u32, bool)> = cubes.iter().map(chosen).collect();
        Some(Self {
            form: format!("correct-{game}"),
            button: CommandButton::of_form(
                context.t.with("scoring-did-correct", "game", game),
                Fields::lacking(CommandKind::Correct).with("game", &game),
            ),
            crawford: false,
            sides: sides(context, &cubes, Some(NOW), &of),
            cubes,
            within: Some(NOW),
            correct: Some((game, was)),
        })
    }
}

fn sides(
    context: &MatchContext<'_>,
    cubes: &[(u32, bool)],
    within: Option<&str>,
    command: &dyn Fn(Entered) -> Option<Command>,
) -> Vec<ScoringSide> {
    let side = |winner: Slot| {
        let pick = |win: Win, how: How| {
            let comes_to: Vec<Option<String>> = cubes
                .iter()
                .map(|(cube, _)| {
                    let cube = CubeValue::try_from(*cube).ok()?;
                    let entered = Entered { winner, win, cube, how, turned: None, began: None };
                    comes_to(context, &command(entered)?, winner)
                })
                .collect();
            let key = match (how, win) {
                (How::Dropped, _) => "scoring-drops",
                (_, Win::Single) => "scoring-wins-single",
                (_, Win::Gammon) => "scoring-wins-gammon",
                (_, Win::Backgammon) => "scoring-wins-backgammon",
            };
            let won = Fields::default().with("winner", &winner).with("win", &win);
            let won = if how == How::Dropped { won.with("how", &how) } else { won };
            let names = [context.name(winner), context.name(winner.other())];
            let possible = comes_to.iter().any(Option::is_some);
            possible.then(|| Pick {
                choice: within.map_or_else(|| won.clone(), |part| won.clone().within(part)).choice(),
                label: context.t.fill(key, &[("winner", &names[0]), ("loser", &names[1])]),
                short: crate::Kind::from(win).text(context.t),
                comes_to,
            })
        };
        ScoringSide {
            name: context.name(winner).to_owned(),
            slot: slot_name(winner),
            picks: Win::ALL.into_iter().filter_map(|win| pick(win, How::Played)).collect(),
            dropped: pick(Win::Single, How::Dropped),
        }
    };
    Slot::BOTH.map(side).into()
}

/// The points and the score a command would lead to, in words. `None` if it would be refused.
fn comes_to(context: &MatchContext<'_>, command: &Command, winner: Slot) -> Option<String> {
    let events = context.sheet.previewed(command, context.now)?;
    let mut after: Sheet = context.sheet.clone();
    for event in &events {
        owlbox_domain::journal::Aggregate::apply(&mut after, event, context.now);
    }
    let points = events.iter().find_map(|event| {
        if let Event::GameWon { won, .. } | Event::Corrected { now: won, .. } = event {
            Some(won.points)
        } else {
            None
        }
    })?;
    let score = words::score(View::score_of(&after));
    let over = after.outcome().is_some_and(|outcome| outcome.winner == Some(winner));
    let key = if over { "scoring-comes-to-end" } else { "scoring-comes-to" };
    Some(context.t.fill(key, &[("points", &points), ("score", &score)]))
}
