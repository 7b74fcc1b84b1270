//! Completes commands with what a form of the board lets the user choose: dice, a play, a board that was
//! left. Also stores how the visitor wants boards to look.

use actix_web::{HttpRequest, HttpResponse};
use serde_json::{Value, json};

use super::door::go;
use super::form::{Form, invalid};
use super::visitor::Visitor;
use crate::problem::Problem;
use crate::session::{self, local};
use owlbox_domain::values::InvalidValue;
use owlbox_engine::game::{Game, PositionId};
use owlbox_engine::notation::PointNames;
use owlbox_engine::{Colour, Position};
use owlbox_pages::BoardView;

/// Changes how the visitor sees boards. Whatever the form does not name stays as it was.
pub(super) async fn view(
    request: HttpRequest,
    visitor: Visitor,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let BoardView { names, mirrored } = visitor.view;
    let view = BoardView {
        names: form.some("names").and_then(PointNames::from_word).unwrap_or(names),
        mirrored: form.some("bears_off").map_or(mirrored, |side| side == "left"),
    };
    go(local(form.text("back")), vec![session::board_view(&request, view)])
}

/// Completes an action on the board with what it needs from the form. `game` is the refereed game, if there
/// is one.
///
/// # Errors
/// The moves are not in notation, or move checkers that are not there.
pub(super) fn complete(command: &mut Value, form: &Form, game: Option<&Game>) -> Result<(), Problem> {
    if command.get("command").and_then(Value::as_str) != Some("board") {
        return Ok(());
    }
    let Some(action) = command.get_mut("action").and_then(Value::as_object_mut) else { return Ok(()) };
    let kind = action.get("action").and_then(Value::as_str).unwrap_or_default().to_owned();
    let rolls = ["roll_opening", "roll"].contains(&kind.as_str());
    if let (true, Some(one), Some(other)) = (rolls, form.some("die-1"), form.some("die-2")) {
        // A die that is not a number stays a text, and is refused as such.
        let [one, other] =
            [one, other].map(|die| die.parse::<u8>().map_or_else(|_| json!(die), |die| json!(die)));
        let dice = match kind.as_str() {
            "roll_opening" => json!({ "white": one, "black": other }),
            _ => json!([one, other]),
        };
        action.insert("dice".to_owned(), dice);
    }
    if let Some(steps) = form.some("steps").filter(|_| kind == "play") {
        let steps: Value = serde_json::from_str(steps).unwrap_or_else(|_| json!(steps));
        action.insert("steps".to_owned(), steps);
    }
    if kind == "leave_board" {
        let names = PointNames::from_word(form.text("names")).unwrap_or_default();
        let position = game.and_then(|game| left(game.position(), names, game.turn()?, form.text("moved")));
        let position = position.ok_or_else(|| {
            invalid(
                "moved",
                &InvalidValue { what: "moved", allowed: "moves of checkers that are there, like 13/7 8/6" },
            )
        })?;
        action.insert("position".to_owned(), json!(position));
    }
    Ok(())
}

/// The board after the moves written down, legal or not, with the other side to move.
fn left(position: Position, names: PointNames, by: Colour, moved: &str) -> Option<PositionId> {
    let moves = names.read(by, moved)?;
    let after = moves.iter().try_fold(position, |at, one| at.with_moved(one.from, one.to))?;
    Some(PositionId::from(after.turned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use owlbox_engine::Variant;

    #[test]
    fn i2_what_was_moved_is_put_on_the_board_legal_or_not() {
        let start = Variant::Standard.start();
        let after = |moved: &str| {
            left(start, PointNames::Common, Colour::White, moved)
                .and_then(|id| id.position(15).ok())
                .map(Position::turned)
        };
        let board = after("13/7 24/20").unwrap().board();
        assert_eq!((board[13], board[7], board[24], board[20]), (4, 1, 1, 1));
        assert_eq!(after("").unwrap(), start, "nothing was moved");
        for wrong in ["12/8", "24/13x", "6/1", "hello", "13/7 13/7 13/7 13/7 13/7"] {
            assert_eq!(after(wrong), None, "{wrong}");
        }
    }
}
