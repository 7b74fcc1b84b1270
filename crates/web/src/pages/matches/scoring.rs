//! Who won the game, in one tap: for each side a button for each kind of win, with what it comes to by the cube that is
//! chosen above. The same form puts an earlier game right.

use super::words::{self, slot_name, win_name};
use super::{CommandButton, MatchContext};
use owlbox_domain::matches::Slot;
use owlbox_domain::matches::score::Tally;
use owlbox_domain::matches::{Command, Entered, Event, How, Legal, Sheet, View, What};
use owlbox_engine::tables::equity::Phase;
use owlbox_engine::{CubeValue, Win};

/// An earlier game is put right with one of so many cubes from 1 on.
const CUBES_TO_CORRECT: usize = 7;

#[derive(Clone, Debug)]
pub struct Scoring {
    /// What names the form: another one as soon as another game is asked for, so that nothing chosen stays.
    pub form: String,
    /// The command, but for what is chosen.
    pub button: CommandButton,
    /// What the cube may have come to, and which is chosen.
    pub cubes: Vec<(u32, bool)>,
    /// Whether it is the Crawford game, which has no cube (M3).
    pub crawford: bool,
    pub sides: Vec<ScoringSide>,
    /// The earlier game that is put right, and what it was.
    pub correct: Option<(u32, String)>,
}

/// A side that may have won.
#[derive(Clone, Debug)]
pub struct ScoringSide {
    pub name: String,
    pub slot: &'static str,
    pub picks: Vec<Pick>,
    /// By a double that the other dropped.
    pub dropped: Option<Pick>,
}

#[derive(Clone, Debug)]
pub struct Pick {
    /// As the form writes it: `upper-gammon`.
    pub value: String,
    /// What it records, in words.
    pub label: String,
    pub short: String,
    /// What it comes to, by the cube that is chosen; nothing where that is not possible.
    pub comes_to: Vec<Option<String>>,
}

impl ScoringSide {
    /// Whether it may have won at all.
    #[must_use]
    pub const fn may_win(&self) -> bool {
        !self.picks.is_empty() || self.dropped.is_some()
    }
}

impl Scoring {
    /// Of the next game, if one may be entered.
    #[must_use]
    pub fn next(context: &MatchContext<'_>) -> Option<Self> {
        let cubes = context
            .legal
            .iter()
            .find_map(|legal| if let Legal::Game { cube, .. } = legal { Some(cube.clone()) } else { None })?;
        let lines = context.sheet.entries().len();
        let cubes: Vec<(u32, bool)> = cubes.into_iter().map(|cube| (cube, cube == 1)).collect();
        let tally = context.sheet.tally();
        // What a side would win by its own double that gains it nothing is not offered (M6).
        let offered = |entered: &Entered| {
            let pointless = |tally: &Tally| tally.gains_nothing_by_doubling(entered.winner, entered.cube);
            entered.how != How::Dropped || !tally.as_ref().is_some_and(pointless)
        };
        let of = |entered| Some(Command::Game(entered)).filter(|_| offered(&entered));
        Some(Self {
            form: format!("game-{lines}"),
            button: CommandButton::new(
                context.t.get("scoring-the-game"),
                &serde_json::json!({ "command": "game" }),
            ),
            crawford: context.sheet.standing().and_then(|standing| standing.phase) == Some(Phase::Crawford),
            sides: sides(context, &cubes, &of),
            cubes,
            correct: None,
        })
    }

    /// Of an earlier one, if it stands on the sheet and may be put right.
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
        // With most of them what was played since would not be possible: those are not offered.
        let chosen = |one: &u32| (*one, *one == cube);
        cubes.retain(|one| {
            *one == cube || sides(context, &[chosen(one)], &of).iter().any(ScoringSide::may_win)
        });
        let cubes: Vec<(u32, bool)> = cubes.iter().map(chosen).collect();
        let empty = serde_json::json!({ "command": "correct", "game": game });
        Some(Self {
            form: format!("correct-{game}"),
            button: CommandButton::new(context.t.with("scoring-did-correct", "game", game), &empty),
            crawford: false,
            sides: sides(context, &cubes, &of),
            cubes,
            correct: Some((game, was)),
        })
    }
}

fn sides(
    context: &MatchContext<'_>,
    cubes: &[(u32, bool)],
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
            let (kind, key) = match (how, win) {
                (How::Dropped, _) => ("dropped", "scoring-drops"),
                (_, Win::Single) => ("single", "scoring-wins-single"),
                (_, Win::Gammon) => ("gammon", "scoring-wins-gammon"),
                (_, Win::Backgammon) => ("backgammon", "scoring-wins-backgammon"),
            };
            let names = [context.name(winner), context.name(winner.other())];
            let possible = comes_to.iter().any(Option::is_some);
            possible.then(|| Pick {
                value: format!("{}-{kind}", slot_name(winner)),
                label: context.t.fill(key, &[("winner", &names[0]), ("loser", &names[1])]),
                short: crate::pages::Kind::from(win).text(context.t),
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

/// The score that a command would lead to, in words.
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

/// The kind that a form's pick names, and how it came about.
#[must_use]
pub fn picked(pick: &str) -> Option<(Slot, Win, How)> {
    let (slot, kind) = pick.split_once('-')?;
    let slot = Slot::BOTH.into_iter().find(|one| slot_name(*one) == slot)?;
    if kind == "dropped" {
        return Some((slot, Win::Single, How::Dropped));
    }
    let win = Win::ALL.into_iter().find(|win| win_name(*win) == kind)?;
    Some((slot, win, How::Played))
}
