//! Acts on a sheet.

use actix_web::HttpResponse;
use serde_json::Value;

use super::{SheetQuery, answer, answer_clock, context, screen};
use crate::acting::{Acted, Submission, put_points};
use crate::board;
use crate::form::Object;
use crate::pages::matches::{minutes_and_seconds, preview_in_words};
use owlbox_desk::commands::subject::Preview;
use owlbox_desk::matches::screen::Asked;
use owlbox_http::problem::Problem;
use owlbox_play::matches::Sheet;

type Sent<'a> = Submission<'a, Sheet>;

impl Acted for Sheet {
    async fn convert(_: &Sent<'_>, command: &mut Object) -> Result<(), Problem> {
        let points = command.remove("points_then");
        put_points(command.get_mut("outcome"), points);
        put_time_left(command)?;
        board::put_left_board(command)
    }

    async fn in_words(sent: &Sent<'_>, preview: &Preview<Self>) -> Result<String, Problem> {
        let screen = screen(sent.visitor, sent.id, Asked::default()).await?;
        Ok(preview_in_words(&context(sent.visitor, &screen), preview))
    }

    fn then(sent: &Sent<'_>) -> String {
        format!("/matches/{}{}", sent.id, if on_clock(sent) { "/clock" } else { "" })
    }

    fn stays(_: &Sent<'_>) -> bool {
        true
    }

    async fn page(sent: &Sent<'_>, problem: Option<&Problem>) -> Result<HttpResponse, Problem> {
        if on_clock(sent) {
            return answer_clock(sent.visitor, sent.id, sent.partial, problem).await;
        }
        // A correction that was refused is still being made.
        let corrects = problem.is_some() && sent.form.some("command") == Some("correct");
        let game = sent.form.some("game:number").filter(|_| corrects);
        let query = SheetQuery { correct: game.and_then(|game| game.parse().ok()) };
        answer(sent.visitor, sent.id, query, sent.partial, problem).await
    }
}

/// Puts seconds where minutes, or minutes and seconds, were typed: what each side has left on the clock.
fn put_time_left(command: &mut Object) -> Result<(), Problem> {
    let Some(Value::Array(left)) = command.get_mut("left") else { return Ok(()) };
    for (place, time) in left.iter_mut().enumerate() {
        if let Value::String(typed) = time {
            let seconds = minutes_and_seconds(typed).ok_or_else(|| {
                Problem::unreadable(format!("left[{place}]"), "a time is in minutes, like 9 or 9:30")
            })?;
            *time = seconds.into();
        }
    }
    Ok(())
}

fn on_clock(sent: &Sent<'_>) -> bool {
    sent.form.text("then").ends_with("/clock")
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
