//! The result of a game in one tap: a button for each side and kind of win, with the score it would lead to
//! at the cube chosen above. The same form corrects an earlier game.

use super::MatchContext;
use super::words::{self, slot_name};
use crate::pages::Fields;
use crate::pages::button::Button;
use owlbox_engine::Win;
use owlbox_engine::tables::equity::Phase;
use owlbox_play::matches::{Brings, Command, CommandKind, Entered, GameEnding, Legal, Offer, Slot, What};

/// The part of a correction that says how the game really ended.
const NOW: &str = "now";

#[derive(Clone, Debug)]
pub struct Scoring {
    /// The `id` of the form. It changes with the game, so that live updates carry no choice over to the next
    /// game.
    pub form: String,
    /// The command without the choices.
    pub button: Button,
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

/// A result that is offered, and what it would bring.
type GameResult<'a> = (Entered, &'a Brings);

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
            .screen
            .legal
            .iter()
            .find_map(|legal| if let Legal::Game { cube, .. } = legal { Some(cube) } else { None })?;
        let cubes: Vec<(u32, bool)> = cubes.iter().map(|cube| (*cube, *cube == 1)).collect();
        let results: Vec<GameResult<'_>> =
            results(
                context,
                |command| {
                    if let Command::Game(entered) = command { Some(*entered) } else { None }
                },
            );
        Some(Self {
            form: format!("game-{}", context.sheet.entries().len()),
            button: Button::of_form(context.t.get("scoring-the-game"), Fields::lacking(CommandKind::Game))
                .then(context.address("")),
            crawford: context.sheet.standing().and_then(|standing| standing.phase) == Some(Phase::Crawford),
            sides: sides(context, &cubes, None, &results),
            cubes,
            within: None,
            correct: None,
        })
    }

    /// The form that corrects an earlier game, if that is offered.
    #[must_use]
    pub fn earlier(context: &MatchContext<'_>, game: u32) -> Option<Self> {
        let results: Vec<GameResult<'_>> = results(context, |command| {
            if let Command::Correct { game: of, now } = command
                && *of == game
            {
                Some(*now)
            } else {
                None
            }
        });
        results.first()?;
        let (_, entry) = context.sheet.games().find(|(number, _)| *number == game)?;
        let (was, cube) = match &entry.what {
            What::Won(won) => (words::game(context, won), won.cube.get()),
            What::Drawn | What::Void | What::Penalty { .. } => (context.t.get("scoring-drawn"), 1),
        };
        let mut cubes: Vec<u32> = results.iter().map(|(now, _)| now.cube.get()).chain([cube]).collect();
        cubes.sort_unstable();
        cubes.dedup();
        let cubes: Vec<(u32, bool)> = cubes.into_iter().map(|one| (one, one == cube)).collect();
        Some(Self {
            form: format!("correct-{game}"),
            button: Button::of_form(
                context.t.with("scoring-did-correct", "game", game),
                Fields::lacking(CommandKind::Correct).with("game", &game),
            )
            .then(context.address("")),
            crawford: false,
            sides: sides(context, &cubes, Some(NOW), &results),
            cubes,
            within: Some(NOW),
            correct: Some((game, was)),
        })
    }
}

/// The offers that enter or correct the result of a game.
fn results<'a>(context: &MatchContext<'a>, of: impl Fn(&Command) -> Option<Entered>) -> Vec<GameResult<'a>> {
    let result = |offer: &'a Offer| of(&offer.command).zip(offer.brings.as_ref());
    context.screen.offers.iter().filter_map(result).collect()
}

fn sides(
    context: &MatchContext<'_>,
    cubes: &[(u32, bool)],
    within: Option<&str>,
    results: &[GameResult<'_>],
) -> Vec<ScoringSide> {
    let side = |winner: Slot| {
        let pick = |win: Win, how: GameEnding| {
            let comes_to = |(cube, _): &(u32, bool)| {
                let is_it = |(entered, _): &&GameResult<'_>| {
                    (entered.winner, entered.win, entered.how, entered.cube.get())
                        == (winner, win, how, *cube)
                };
                results.iter().find(is_it).and_then(|(_, brings)| comes_to(context, brings, winner))
            };
            let comes_to: Vec<Option<String>> = cubes.iter().map(comes_to).collect();
            let key = match (how, win) {
                (GameEnding::Dropped, _) => "scoring-drops",
                (_, Win::Single) => "scoring-wins-single",
                (_, Win::Gammon) => "scoring-wins-gammon",
                (_, Win::Backgammon) => "scoring-wins-backgammon",
            };
            let won = Fields::default().with("winner", &winner).with("win", &win);
            let won = if how == GameEnding::Dropped { won.with("how", &how) } else { won };
            let names = [context.name(winner), context.name(winner.other())];
            let possible = comes_to.iter().any(Option::is_some);
            possible.then(|| Pick {
                choice: within.map_or_else(|| won.clone(), |part| won.clone().within(part)).choice(),
                label: context.t.fill(key, &[("winner", &names[0]), ("loser", &names[1])]),
                short: crate::pages::Kind::from(win).text(context.t),
                comes_to,
            })
        };
        ScoringSide {
            name: context.name(winner).to_owned(),
            slot: slot_name(winner),
            picks: Win::ALL.into_iter().filter_map(|win| pick(win, GameEnding::Played)).collect(),
            dropped: pick(Win::Single, GameEnding::Dropped),
        }
    };
    Slot::BOTH.map(side).into()
}

/// The points of a result and the score it would lead to, in words.
fn comes_to(context: &MatchContext<'_>, brings: &Brings, winner: Slot) -> Option<String> {
    let over = brings.outcome.is_some_and(|outcome| outcome.winner == Some(winner));
    let key = if over { "scoring-comes-to-end" } else { "scoring-comes-to" };
    Some(context.t.fill(key, &[("points", &brings.points()?), ("score", &words::score(brings.score))]))
}
