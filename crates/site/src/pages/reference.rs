//! The reference pages: opening plays (K2), shots (K3), the effect of the score on the cube (M1 to M3), and
//! the names of the points (K1, K4).
//!
//! | page | address |
//! |---|---|
//! | [`ReferencePage`] | `/reference` |
//! | [`OpeningPage`] | `/reference/opening` |
//! | [`ShotsPage`] | `/reference/shots` |
//! | [`ScorePage`] | `/reference/score?own=&other=&cube=&crawford=` |

use std::cmp::Ordering;

use askama::Template;

use super::board::{COLUMN, Disc, HEIGHT, RIM, STACKED, Spot, column, discs, spots};
use super::{BoardView, Choice, Frame, view};
use owlbox_desk::matches::score::{EquityTable, ScoreBody, ScoreSide};
use owlbox_engine::notation::{box_points, play};
use owlbox_engine::tables::{opening, shots};
use owlbox_engine::{BAR, Colour, Movement, OFF, Place, Position, Roll, Steps, Variant};
use owlbox_locale::Locale;

/// A still picture of a position from White's side, with the changes made by a play.
#[derive(Clone, Debug)]
pub struct StillBoard {
    /// The position in words, for readers who do not see the picture.
    pub said: String,
    pub spots: Vec<Spot>,
    /// The names of all places, indexed by number.
    pub names: Vec<String>,
    pub discs: Vec<Disc>,
    /// The middles of the spots that a checker has left.
    pub left: Vec<(i32, i32)>,
    /// The middles of the checkers that have moved.
    pub moved: Vec<(i32, i32)>,
    /// The viewer's choice of names and direction.
    pub view: BoardView,
}

impl StillBoard {
    /// The position `after`, with the differences to `before`. White is the mover in both.
    #[must_use]
    pub fn new(t: &Locale, view: BoardView, before: Position, after: Position) -> Self {
        let names = view::places(view.names, Colour::White, ["board-off", "board-bar"].map(|key| t.get(key)));
        let mut board = Self {
            said: String::new(),
            spots: spots(false, Movement::Backgammon),
            discs: discs(after),
            names,
            left: Vec::new(),
            moved: Vec::new(),
            view,
        };
        board.view.lay_places(&mut board.spots, &mut board.discs);
        for place in 1..BAR {
            let (was, is) = (before.mover().at(place), after.mover().at(place));
            match is.cmp(&was) {
                Ordering::Less => board.left.extend((is..was).map(|nth| middle(view, place, nth))),
                Ordering::Greater => board.moved.extend((was..is).map(|nth| middle(view, place, nth))),
                Ordering::Equal => {}
            }
        }
        board.said = board.stands(t, after);
        board
    }

    fn stands(&self, t: &Locale, position: Position) -> String {
        let points = (OFF..=BAR).rev().filter(|place| position.mover().at(*place) > 0);
        let points = points.map(|place| t.labelled(self.name(&place), position.mover().at(place)));
        t.with("reference-white-stands", "points", points.collect::<Vec<_>>().join(", "))
    }

    /// The name of a place. Empty for a number off the board.
    #[must_use]
    pub fn name(&self, place: &Place) -> &str {
        self.names.get(usize::from(*place)).map_or("", String::as_str)
    }
}

/// The middle of White's checker number `nth` on a point, counted from the rim.
fn middle(view: BoardView, place: Place, nth: u8) -> (i32, i32) {
    let (left, above) = column(place);
    let from_rim = RIM + STACKED * i32::from(nth.min(4));
    (view.at(left + COLUMN / 2, 0), if above { from_rim } else { HEIGHT - from_rim })
}

/// `/reference`: the contents, and the names of the points.
#[derive(Template)]
#[template(path = "reference/index.html")]
pub struct ReferencePage {
    pub t: Locale,
    pub frame: Frame,
    /// The viewer's choice of names and direction.
    pub view: BoardView,
    pub still: StillBoard,
}

impl ReferencePage {
    #[must_use]
    pub fn new(t: Locale, frame: Frame, view: BoardView) -> Self {
        let start = Variant::Standard.start();
        Self { t, frame, view, still: StillBoard::new(&t, view, start, start) }
    }
}

#[derive(Clone, Debug)]
pub struct PlayShown {
    /// Where the play is from: the game box, today, or both.
    pub source: String,
    /// The play in the viewer's choice of names.
    pub written: String,
    /// The play for White in the names of the box rules.
    pub printed: String,
    pub still: StillBoard,
}

/// A roll with its plays.
#[derive(Clone, Debug)]
pub struct RollShown {
    /// The roll, high die first: `6-1`.
    pub roll: String,
    /// Those that the rules in the game box print, and then those of today that they do not.
    pub plays: Vec<PlayShown>,
}

/// `/reference/opening`: the plays for every opening roll, as the rules in the game box print them (K2) and as they
/// are chosen today.
#[derive(Template)]
#[template(path = "reference/opening.html")]
pub struct OpeningPage {
    pub t: Locale,
    pub frame: Frame,
    /// The viewer's choice of names and direction.
    pub view: BoardView,
    /// The rolls that can open a game, the highest first.
    pub opening: Vec<RollShown>,
    /// The doubles, which only the second side's first turn can have.
    pub replies: Vec<RollShown>,
    /// Where the plays are from.
    pub sources: String,
    /// The board without checkers. It is drawn once, for all pictures of the page.
    pub empty: StillBoard,
}

impl OpeningPage {
    #[must_use]
    pub fn new(t: Locale, frame: Frame, view: BoardView) -> Self {
        let start = Variant::Standard.start();
        let shown = |reply: bool| {
            let rolls = Roll::ALL.into_iter().rev().filter(|roll| opening::is_reply_only(*roll) == reply);
            rolls.map(|roll| RollShown::new(&t, view, roll)).collect()
        };
        let empty = StillBoard::new(&t, view, start, start);
        let opening::Judge { program, version, ply } = opening::TODAY_BY;
        let program = format!("{program} {version}");
        let sources = t.fill("opening-sources", &[("program", &program), ("ply", &ply)]);
        Self { t, frame, view, opening: shown(false), replies: shown(true), sources, empty }
    }
}

impl RollShown {
    fn new(t: &Locale, view: BoardView, roll: Roll) -> Self {
        let start = Variant::Standard.start();
        let is_among = |steps: &Steps, plays: &[Steps]| {
            plays.iter().any(|other| opening::position_after(*other) == opening::position_after(*steps))
        };
        let (printed, today) = (opening::recommended(roll), opening::today(roll));
        let play = |steps: &Steps| PlayShown {
            source: t.get(match (is_among(steps, printed), is_among(steps, today)) {
                (true, true) => "opening-both",
                (true, false) => "opening-box",
                (false, _) => "opening-today",
            }),
            written: view.names.play(Colour::White, &play::write(start, *steps)),
            printed: box_points::write(Colour::White, roll, *steps),
            still: StillBoard::new(t, view, start, opening::position_after(*steps)),
        };
        let new = today.iter().filter(|steps| !is_among(steps, printed));
        Self { roll: dashed(roll), plays: printed.iter().chain(new).map(play).collect() }
    }
}

fn dashed(roll: Roll) -> String {
    format!("{}-{}", roll.high(), roll.low())
}

#[derive(Clone, Debug)]
pub struct ShotsShown {
    pub pips: u8,
    /// How many of the 36 rolls hit.
    pub count: u32,
    pub percent: u32,
    pub rolls: Vec<String>,
}

/// `/reference/shots`: how many rolls hit at each distance (K3).
#[derive(Template)]
#[template(path = "reference/shots.html")]
pub struct ShotsPage {
    pub t: Locale,
    pub frame: Frame,
    /// Every distance from 1 to 24 pips.
    pub distances: Vec<ShotsShown>,
}

impl ShotsPage {
    #[must_use]
    pub fn new(t: Locale, frame: Frame) -> Self {
        let distances = (1..=24).map(|pips| {
            let rolls = shots::rolls_that_reach(pips);
            ShotsShown {
                pips,
                count: rolls.out_of_36(),
                percent: rolls.percent(),
                rolls: rolls.iter().map(dashed).collect(),
            }
        });
        Self { t, frame, distances: distances.collect() }
    }
}

/// A field of the score form: the text as typed, and its error.
#[derive(Clone, Debug, Default)]
pub struct Typed {
    pub text: String,
    /// Why it is refused, in words.
    pub wrong: Option<String>,
}

/// A row of figures, one for each side.
#[derive(Clone, Debug)]
pub struct Figures {
    pub label: String,
    pub texts: [String; 2],
}

/// A cell of the match equity table.
#[derive(Clone, Debug)]
pub struct Equity {
    /// Per cent, without the sign.
    pub text: String,
    /// Whether it is the cell of the score in the form.
    pub asked: bool,
}

/// The figures for a score.
#[derive(Clone, Debug)]
pub struct ScoreShown {
    /// The score and its phase, as in `3a–5a · before Crawford`.
    pub title: String,
    /// Each side's chance to win the match, the form's own side first.
    pub chances: [String; 2],
    /// The own side's part of a bar of 1000.
    pub part: String,
    /// Take points, doubling windows and gammon prices.
    pub cube: Vec<Figures>,
    /// The own side's chance after a single game, gammon or backgammon, if it wins and if it loses.
    pub after: Vec<Figures>,
}

/// `/reference/score`: the form, the figures for its score, and the match equity table.
#[derive(Template)]
#[template(path = "reference/score.html")]
pub struct ScorePage {
    pub t: Locale,
    pub frame: Frame,
    /// How many points the own side needs.
    pub own: Typed,
    pub other: Typed,
    /// Whether it is the Crawford game.
    pub crawford: bool,
    pub crawford_wrong: Option<String>,
    /// The values of the cube to choose from.
    pub cubes: Vec<Choice>,
    pub cube_wrong: Option<String>,
    /// The figures. `None` if the score is impossible or not complete.
    pub shown: Option<ScoreShown>,
    pub rows: Vec<Vec<Equity>>,
    pub after_crawford: Vec<Equity>,
}

impl ScoreShown {
    /// Puts a score into words and figures.
    #[must_use]
    pub fn new(t: &Locale, score: &ScoreBody) -> Self {
        use owlbox_engine::tables::equity::Phase;
        let sides = [&score.own_side, &score.other_side];
        let phase = match score.phase {
            Phase::BeforeCrawford => "score-before-crawford",
            Phase::Crawford => "score-crawford",
            Phase::AfterCrawford => "score-after-crawford",
        };
        let row = |key: &str, figure: &dyn Fn(&ScoreSide) -> String| Figures {
            label: t.get(key),
            texts: sides.map(figure),
        };
        let none = || t.get("score-none");
        let dead = |side: &ScoreSide| side.take_point.as_ref().map_or_else(none, |at| t.per_cent(at.dead));
        let live = |side: &ScoreSide| side.take_point.as_ref().map_or_else(none, |at| t.per_cent(at.live));
        let opens = |side: &ScoreSide| match &side.window {
            Some(window) if window.opens <= window.closes => t.per_cent(window.opens),
            Some(_) | None => none(),
        };
        let closes = |side: &ScoreSide| match &side.window {
            Some(window) if window.opens <= window.closes => t.per_cent(window.closes),
            Some(_) | None => none(),
        };
        let cube = vec![
            row("score-take-dead", &dead),
            row("score-take-live", &live),
            row("score-opens", &opens),
            row("score-closes", &closes),
            row("score-gammon", &|side| t.decimals(side.gammon_price, 2)),
        ];
        let after = ["kind-single", "kind-gammon", "kind-backgammon"].into_iter().enumerate();
        let of_win =
            |chances: [f64; 3], at: usize| chances.get(at).map_or_else(String::new, |one| t.per_cent(*one));
        let after = after.map(|(at, key)| Figures {
            label: t.get(key),
            texts: [of_win(score.own_side.after_win, at), of_win(score.own_side.after_loss, at)],
        });
        Self {
            title: format!("{}–{} · {}", score.own, score.other, t.get(phase)),
            chances: sides.map(|side| t.per_cent(side.equity)),
            part: format!("{:.0}", 1000.0 * score.own_side.equity),
            cube,
            after: after.collect(),
        }
    }
}

/// The rows of the table, and the row for after the Crawford game. `asked` is the cell to highlight: row,
/// column, and whether it is after the Crawford game.
#[must_use]
pub fn marked(
    t: &Locale,
    table: &EquityTable,
    asked: Option<(usize, usize, bool)>,
) -> (Vec<Vec<Equity>>, Vec<Equity>) {
    let cell = |chance: &f64, asked: bool| Equity { text: t.decimals(100.0 * chance, 1), asked };
    let before = asked.filter(|(.., after)| !after).map(|(row, column, _)| (row, column));
    let row = |(number, row): (usize, &Vec<f64>)| {
        row.iter().zip(1..).map(|(chance, column)| cell(chance, before == Some((number, column)))).collect()
    };
    let after = asked.filter(|(_, column, after)| *after && *column == 1).map(|(row, ..)| row);
    (
        (1..).zip(&table.rows).map(row).collect(),
        (1..).zip(&table.after_crawford).map(|(row, chance)| cell(chance, after == Some(row))).collect(),
    )
}
