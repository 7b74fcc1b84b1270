//! What happens on the board of a refereed game, in words: at a table and on a sheet alike.

use owlbox_engine::game::Event;
use owlbox_engine::{Colour, CubeValue, Roll, Steps};
use owlbox_locale::Locale;

/// An event as a sentence. `who` names a side, if the event is one side's.
pub(crate) fn sentence(t: &Locale, event: &Event, who: impl Fn(Colour) -> String) -> String {
    let does = |key: &str, side: &Colour| t.with(key, "who", who(*side));
    let rolls = |key: &str, side: &Colour, roll: Roll| t.fill(key, &[("who", &who(*side)), ("roll", &roll)]);
    let turns =
        |key: &str, side: &Colour, to: &CubeValue| t.fill(key, &[("who", &who(*side)), ("to", &to.get())]);
    match event {
        Event::OpeningTied { die, .. } => t.with("say-board-tied", "die", die.pips()),
        Event::Opened { side, white, black, .. } => rolls("say-board-opens", side, Roll::new(*white, *black)),
        Event::DiceCocked { side } => does("say-board-cocked", side),
        Event::Rolled { side, roll, .. } => rolls("say-board-rolls", side, *roll),
        // Before the other side had lifted its dice.
        Event::RolledEarly { side, roll, .. } => rolls("say-board-rolls-early", side, *roll),
        Event::Played { side, roll, steps, .. } => {
            t.labelled(rolls("say-board-plays", side, *roll), written(t, *steps))
        }
        Event::Passed { side, .. } => does("say-board-passes", side),
        Event::BoardLeft { side, .. } => does("say-board-leaves", side),
        Event::PlayAccepted { side } => does("say-board-accepts-play", side),
        Event::PlaySentBack { side, .. } => does("say-board-sends-back", side),
        Event::Resigned { side, win } => {
            t.fill("say-board-resigns", &[("who", &who(*side)), ("kind", &super::win(t, *win))])
        }
        Event::ResignationAccepted { side } => does("say-board-accepts", side),
        Event::ResignationRejected { side } => does("say-board-rejects", side),
        Event::Doubled { side, to, .. } => turns("say-board-doubles", side, to),
        Event::Beavered { side, to, .. } => turns("say-board-beavers", side, to),
        Event::Taken { side, value, .. } => turns("say-board-takes", side, value),
        Event::Dropped { side } => does("say-board-drops", side),
        Event::Tied {} => t.get("say-board-anew"),
        // What came of it is told by other events.
        Event::Finished { .. } => t.get("say-board-else"),
    }
}

/// A play as players write it: `bar/22 13/7 6/off`.
fn written(t: &Locale, steps: Steps) -> String {
    let place = |place: u8| match place {
        0 => t.get("off"),
        25 => t.get("bar"),
        point => point.to_string(),
    };
    let steps = steps.iter().map(|step| format!("{}/{}", place(step.from()), place(step.to())));
    steps.collect::<Vec<String>>().join(" ")
}
