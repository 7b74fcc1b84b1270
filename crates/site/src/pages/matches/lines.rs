//! The games on a sheet, one below the other, and the statistics of their kinds (M8).

use super::acts::Buttons;
use super::{MatchContext, words};
use crate::pages::button::Button;
use owlbox_engine::Win;
use owlbox_locale::Locale;
use owlbox_play::matches::statistics::Games;
use owlbox_play::matches::view::{LineKind, LineView};
use owlbox_play::matches::{GameEnding, Legal, View};

/// A line of the sheet: a game or a penalty.
#[derive(Clone, Debug)]
pub struct SheetLine {
    /// Its number on the sheet, from 1.
    pub line: usize,
    /// The number of its game. `None` for a penalty.
    pub game: Option<u32>,
    pub what: String,
    /// Details: the cube, the Crawford game, who began, who vouches.
    pub besides: Vec<String>,
    pub score: String,
    /// The address where the game can be corrected.
    pub correct: Option<String>,
    /// Buttons to contest it, and to rule on it.
    pub contests: Vec<Button>,
}

impl SheetLine {
    /// The lines of the sheet, newest first.
    pub(super) fn all(context: &MatchContext<'_>, view: &View, buttons: &Buttons) -> Vec<Self> {
        let correctable = context.screen.legal.iter().any(|legal| matches!(legal, Legal::Correct { .. }));
        let numbered = (1..).zip(&view.lines);
        let mut lines: Vec<Self> =
            numbered.map(|(number, line)| Self::new(context, number, line, correctable, buttons)).collect();
        lines.reverse();
        lines
    }

    fn new(
        context: &MatchContext<'_>,
        number: usize,
        line: &LineView,
        correctable: bool,
        buttons: &Buttons,
    ) -> Self {
        let t = context.t;
        let score = words::score(line.score);
        let link = |game: u32| correctable.then(|| context.address(&format!("?correct={game}#scoring")));
        let vouched = words::vouched(context, line.vouched);
        let contests = |game: u32| buttons.about(Some(game));
        match line.what {
            LineKind::Won { game, won, crawford, plays } => {
                let mut besides = Vec::new();
                if won.cube.get() > 1 {
                    besides.push(t.with("scoring-cube-at", "cube", won.cube.get()));
                }
                if crawford {
                    besides.push(t.get("scoring-crawford-game"));
                }
                if let Some(began) = won.began {
                    besides.push(t.with("scoring-began", "name", context.name(began)));
                }
                if plays {
                    besides.push(t.get("scoring-plays-known"));
                }
                besides.extend(vouched);
                let what = words::game(context, &won);
                let (correct, contests) = (link(game), contests(game));
                Self { line: number, game: Some(game), what, besides, score, correct, contests }
            }
            LineKind::Drawn { game } => {
                let what = t.get("scoring-drawn");
                let (correct, contests) = (link(game), contests(game));
                Self { line: number, game: Some(game), what, besides: vouched, score, correct, contests }
            }
            LineKind::Void { game } => {
                let (what, besides, correct) = (t.get("contest-never-was"), vouched, link(game));
                Self { line: number, game: Some(game), what, besides, score, correct, contests: Vec::new() }
            }
            LineKind::Penalty { gains, points, minutes } => {
                let what = words::penalty(context, gains, points);
                let besides = minutes
                    .map(|minutes| t.with("scoring-late-by", "minutes", minutes))
                    .into_iter()
                    .collect();
                let contests = Vec::new();
                Self { line: number, game: None, what, besides, score, correct: None, contests }
            }
        }
    }
}

/// A line of the statistics: the games of one kind.
#[derive(Clone, Debug)]
pub struct StatisticsLine {
    pub what: String,
    /// Whether it is the first line of its group.
    pub first: bool,
    /// Count and percentage: of all games, then won by the upper slot, won by the lower, drawn.
    pub shares: [(u32, String); 4],
}

impl StatisticsLine {
    /// The lines that count at least one game.
    #[must_use]
    pub fn all(context: &MatchContext<'_>, view: &View) -> Vec<Self> {
        let (t, of) = (context.t, &view.statistics);
        let began = |name: &str| t.with("scoring-began", "name", name);
        let [upper, lower] = context.names();
        let beginners = [
            (began(upper), of.by_beginner.white),
            (began(lower), of.by_beginner.black),
            (t.get("scoring-began-unknown"), of.by_beginner.unknown),
        ];
        let wins = of.by_win.iter().map(|by| (kind(t, by.how, by.win), by.games));
        let cubes = of.by_cube.iter().map(|by| (t.with("scoring-cube-at", "cube", by.cube), by.games));
        let groups: [Vec<(String, Games)>; 4] =
            [vec![(t.get("scoring-all-games"), of.all)], beginners.into(), wins.collect(), cubes.collect()];
        groups.into_iter().flat_map(|group| Self::group(t, group)).collect()
    }

    fn group(t: &Locale, group: Vec<(String, Games)>) -> Vec<Self> {
        let counted = group.into_iter().filter(|(_, games)| games.games > 0).enumerate();
        let line = |(at, (what, games)): (usize, (String, Games))| Self {
            what,
            first: at == 0,
            shares: [games.part, games.white, games.black, games.drawn]
                .map(|share| (share.count, t.hundredths_of_a_per_cent(share.hundredths.into()))),
        };
        counted.map(line).collect()
    }
}

fn kind(t: &Locale, how: GameEnding, win: Win) -> String {
    match how {
        GameEnding::Played => crate::pages::Kind::from(win).text(t),
        GameEnding::Dropped => t.get("scoring-kind-dropped"),
        GameEnding::Resigned => {
            t.with("scoring-kind-resigned", "kind", crate::pages::Kind::from(win).text(t))
        }
    }
}
