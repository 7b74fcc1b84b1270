//! What a form of the board lets the user choose: dice, a play, a board that was left. Also stores how the visitor wants boards to look.

use actix_web::{HttpRequest, HttpResponse};

use super::door::go;
use super::form::{Form, invalid};
use super::form_command::missing;
use super::visitor::Visitor;
use crate::problem::{Problem, of_json};
use crate::session::{self, local};
use owlbox_domain::values::InvalidValue;
use owlbox_engine::game::{Action, OpeningDice, PositionId};
use owlbox_engine::notation::PointNames;
use owlbox_engine::{Colour, Die, Position, Roll};
use owlbox_pages::BoardView;
use owlbox_pages::unfinished::BoardAction;

/// No variant has more checkers a side. An ID says nothing of those borne off, nor does a board that was left.
const MOST_CHECKERS: u8 = 15;

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

/// Finishes an action with what it lacks.
///
/// # Errors
/// The steps are missing; or the moves are not in notation, or move checkers that are not there.
pub(super) fn finish(action: BoardAction, form: &Form) -> Result<Action, Problem> {
    match action {
        BoardAction::Play {} => {
            let steps = form.some("steps").ok_or_else(|| missing("steps"))?;
            let steps = serde_json::from_str(steps).map_err(|error| of_json(&error, steps.as_bytes()))?;
            Ok(Action::Play { steps })
        }
        BoardAction::LeaveBoard { before, turn } => {
            let names = PointNames::from_word(form.text("names")).unwrap_or_default();
            let before = before.position(MOST_CHECKERS).ok();
            let position = before.and_then(|before| left(before, names, turn, form.text("moved")));
            let position = position.ok_or_else(|| {
                let allowed = "moves of checkers that are there, like 13/7 8/6";
                invalid("moved", &InvalidValue { what: "moved", allowed })
            })?;
            Ok(Action::LeaveBoard { position })
        }
    }
}

/// Puts the dice that were entered into the action. Without them the service draws.
///
/// # Errors
/// A die is none.
pub(super) fn replace(action: &mut Action, form: &Form) -> Result<(), Problem> {
    let entered = || -> Result<Option<[Die; 2]>, Problem> {
        let (one, other) = (form.number("die-1")?, form.number("die-2")?);
        Ok(one.zip(other).map(|(one, other)| [one, other]))
    };
    match action {
        Action::RollOpening { dice } => {
            if let Some([white, black]) = entered()? {
                *dice = Some(OpeningDice { white, black });
            }
        }
        Action::Roll { dice } => {
            if let Some([one, other]) = entered()? {
                *dice = Some(Roll::new(one, other));
            }
        }
        Action::CockedDice {}
        | Action::Play { .. }
        | Action::Pass {}
        | Action::LeaveBoard { .. }
        | Action::AcceptPlay {}
        | Action::SendBack {}
        | Action::Double {}
        | Action::Beaver {}
        | Action::Take {}
        | Action::Drop {}
        | Action::Resign { .. }
        | Action::AcceptResignation {}
        | Action::RejectResignation {} => {}
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
    fn no_variant_has_more_checkers() {
        assert!(Variant::ALL.iter().all(|variant| variant.checkers() <= MOST_CHECKERS));
    }

    #[test]
    fn i2_what_was_moved_is_put_on_the_board_legal_or_not() {
        let start = Variant::Standard.start();
        let after = |moved: &str| {
            left(start, PointNames::Common, Colour::White, moved)
                .and_then(|id| id.position(MOST_CHECKERS).ok())
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
