//! Acts on a sheet.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::Value;

use super::{SheetQuery, address, answer, answer_clock, screen};
use crate::acting::{self, Acted, Next, Submission, put_points};
use crate::board;
use crate::form::{Form, Object};
use crate::say::Say;
use crate::sentences::matches::{SheetSentences, score};
use crate::visitor::Visitor;
use owlbox_base::journal::{Act, ActKind};
use owlbox_base::values::MatchId;
use owlbox_desk::commands::subject::{Preview, StreamPreview};
use owlbox_desk::matches::screen::MatchScreenOptions;
use owlbox_http::problem::Problem;
use owlbox_play::matches::{Event, Sheet, View};

type Sent<'a> = Submission<'a, Sheet>;

impl Acted for Sheet {
    async fn convert(_: &Sent<'_>, command: &mut Object) -> Result<(), Problem> {
        let points = command.remove("points_then");
        put_points(command.get_mut("outcome"), points);
        put_time_left(command)?;
        board::put_left_board(command)
    }

    async fn in_words(sent: &Sent<'_>, preview: &Preview<Self>) -> Result<String, Problem> {
        let screen = screen(sent.visitor, sent.id, MatchScreenOptions::default()).await?;
        Ok(preview_in_words(sent.visitor.say(&screen.names), &screen.stream.state, preview))
    }
}

/// An act on a sheet, from its page or its clock.
pub(crate) async fn act(
    visitor: Visitor,
    id: web::Path<MatchId>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, on_clock) = (*id, form.text("then").ends_with("/clock"));
    let next = Next::Same(address(id, if on_clock { "/clock" } else { "" }));
    acting::act::<Sheet>(visitor, id, &form, &request, next, async |visitor, partial| {
        if on_clock {
            return answer_clock(visitor, id, partial).await;
        }
        // A correction that was refused is still being made.
        let corrects = visitor.problem().is_some() && form.some("command") == Some("correct");
        let game = form.some("game:number").filter(|_| corrects);
        let query = SheetQuery { correct: game.and_then(|game| game.parse().ok()) };
        answer(visitor, id, query, partial).await
    })
    .await
}

/// What an act would do to the sheet now: the act, and how the match would stand.
fn preview_in_words(say: Say<'_>, sheet: &Sheet, preview: &Preview<Sheet>) -> String {
    let StreamPreview { after, named, .. } = &preview.here;
    let events = |acts: &[Act<Event>]| acts.iter().flat_map(Act::events).cloned().collect::<Vec<_>>();
    let there = &after.stream.state;
    let (before, then) = (SheetSentences::new(say, sheet), SheetSentences::new(say, there));
    let what = match &after.act.kind {
        ActKind::Events(events) => then.act(events),
        ActKind::Undo(_) => say.with("undo-what", "what", before.act(&events(named))),
        ActKind::Redo(_) => say.with("redo-what", "what", then.act(&events(named))),
    };
    let [one, other] = before.sides();
    [what, format!("{one} {} {other}", score(View::score_of(there))), then.standing()].join(". ")
}

/// Puts seconds where minutes, or minutes and seconds, were typed: what each side has left on the clock.
fn put_time_left(command: &mut Object) -> Result<(), Problem> {
    let Some(Value::Array(left)) = command.get_mut("left") else { return Ok(()) };
    for (place, time) in left.iter_mut().enumerate() {
        if let Value::String(typed) = time {
            let seconds = minutes_and_seconds(typed).ok_or_else(|| {
                Problem::unreadable(format!("left[{place}]"), "enter a time in minutes, like 9 or 9:30")
            })?;
            *time = seconds.into();
        }
    }
    Ok(())
}

/// Reads minutes, or minutes and seconds, in seconds: `9`, `9:30`.
fn minutes_and_seconds(typed: &str) -> Option<u32> {
    let whole = |digits: &str| -> Option<u32> {
        digits.parse().ok().filter(|_| digits.bytes().all(|digit| digit.is_ascii_digit()))
    };
    let (minutes, seconds) = typed.split_once(':').unwrap_or((typed, "0"));
    let seconds = whole(seconds).filter(|seconds| *seconds < 60)?;
    whole(minutes)?.checked_mul(60)?.checked_add(seconds)
}

#[cfg(test)]
mod tests {
    use crate::pages::fields::read;
    use serde_json::json;

    use super::*;

    #[test]
    fn time_is_typed_in_minutes() {
        let left = |fields: &[(&str, &str)]| {
            let mut command = read(fields.iter().copied()).unwrap();
            put_time_left(&mut command).map_err(|problem| problem.part)?;
            Ok(command.get("left").cloned().unwrap_or_default())
        };
        assert_eq!(left(&[("left[0]", "9:30"), ("left[1]", "7")]), Ok(json!([570, 420])));
        assert_eq!(left(&[("left:numbers", "840,840")]), Ok(json!([840, 840])));
        assert_eq!(left(&[]), Ok(Value::Null));
        for wrong in ["9:75", "soon", "-1", "9:", ":30"] {
            assert_eq!(
                left(&[("left[0]", wrong), ("left[1]", "7")]),
                Err(Some("left[0]".to_owned())),
                "{wrong}"
            );
        }
    }
}
