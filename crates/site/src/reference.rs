//! The reference pages: opening plays (K2), shots (K3), the effect of the score on the cube (M1 to M3), and
//! the names of the points (K1, K4). They are public, since nothing in them is the club's.

pub(super) mod score;

use actix_web::HttpResponse;
use askama::Template;

use super::visitor::Visitor;
use crate::board::BoardView;
use crate::board::still::{Still, point_name, spots};
use crate::pages::{Frame, Tab};
use owlbox_engine::notation::{box_points, play};
use owlbox_engine::tables::opening;
use owlbox_engine::tables::shots::{Rolls, rolls_that_reach};
use owlbox_engine::{Colour, Roll, Steps, Variant};
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;

/// `/reference`: the contents, and the names of the points
#[derive(Template)]
#[template(path = "reference/index.html")]
struct ReferencePage {
    t: Locale,
    frame: Frame,
    /// The viewer's choice of names and direction.
    view: BoardView,
}

/// `/reference/opening`: the plays for every opening roll, as the rules in the game box print them (K2) and
/// as they are chosen today
#[derive(Template)]
#[template(path = "reference/opening.html")]
struct OpeningPage {
    t: Locale,
    frame: Frame,
    /// The viewer's choice of names and direction.
    view: BoardView,
}

impl OpeningPage {
    /// Where the plays are from.
    fn sources(&self) -> String {
        let opening::Judge { program, version, ply } = opening::TODAY_BY;
        let program = format!("{program} {version}");
        self.t.fill("opening-sources", &[("program", &program), ("ply", &ply)])
    }

    /// A play in the viewer's choice of names.
    fn written(&self, steps: &Steps) -> String {
        self.view.names.play(Colour::White, &play::write(Variant::Standard.start(), *steps))
    }

    fn still(&self, steps: &Steps) -> Still {
        Still::after(self.view, opening::position_after(*steps))
    }
}

/// The rolls that can open a game, the highest first; or the doubles, which only the second side's first turn
/// can have.
fn rolls(is_reply: bool) -> Vec<Roll> {
    Roll::ALL.into_iter().rev().filter(|roll| opening::is_reply_only(*roll) == is_reply).collect()
}

/// The plays of a roll, and where each is from: those that the rules in the game box print, and then those of
/// today that they do not.
fn plays(roll: &Roll) -> impl Iterator<Item = (&'static str, Steps)> {
    let (printed, today) = (opening::recommended(*roll), opening::today(*roll));
    let source = move |steps: &Steps| match (is_among(steps, printed), is_among(steps, today)) {
        (true, true) => "opening-both",
        (true, false) => "opening-box",
        (false, _) => "opening-today",
    };
    let only_today = today.iter().filter(move |steps| !is_among(steps, printed));
    printed.iter().chain(only_today).map(move |steps| (source(steps), *steps))
}

/// Whether one of the plays leads to the same position.
fn is_among(steps: &Steps, plays: &[Steps]) -> bool {
    plays.iter().any(|other| opening::position_after(*other) == opening::position_after(*steps))
}

/// A play for White in the names of the box rules.
fn printed(roll: &Roll, steps: &Steps) -> String {
    box_points::write(Colour::White, *roll, *steps)
}

/// `/reference/shots`: how many rolls hit at each distance (K3)
#[derive(Template)]
#[template(path = "reference/shots.html")]
struct ShotsPage {
    t: Locale,
    frame: Frame,
}

/// Every distance in pips, and the rolls that hit at it.
fn distances() -> impl Iterator<Item = (u8, Rolls)> {
    (1..=24).map(|pips| (pips, rolls_that_reach(pips)))
}

fn frame(visitor: &Visitor, title: &str) -> Frame {
    visitor.frame(&visitor.t.get(title), Some(Tab::Reference))
}

pub(super) async fn show(visitor: Visitor) -> Result<HttpResponse, Problem> {
    let page = ReferencePage { t: visitor.t, frame: frame(&visitor, "reference-title"), view: visitor.view };
    visitor.answer(page.render())
}

/// Opening plays (K2).
pub(super) async fn opening(visitor: Visitor) -> Result<HttpResponse, Problem> {
    let page = OpeningPage { t: visitor.t, frame: frame(&visitor, "opening-title"), view: visitor.view };
    visitor.answer(page.render())
}

/// Shots (K3).
pub(super) async fn shots(visitor: Visitor) -> Result<HttpResponse, Problem> {
    let page = ShotsPage { t: visitor.t, frame: frame(&visitor, "shots-title") };
    visitor.answer(page.render())
}
