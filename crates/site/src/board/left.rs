//! A board that was left in an illegal play, read from the moves that were made on it (I2).

use serde::Deserialize;
use serde_json::{Value, json};

use crate::form::{Object, decoded, invalid};
use owlbox_base::values::InvalidValue;
use owlbox_engine::game::PositionId;
use owlbox_engine::notation::PointNames;
use owlbox_engine::{Colour, Position};
use owlbox_http::problem::Problem;

/// No variant has more checkers a side. An ID says nothing of those borne off, nor does a board that was
/// left.
const MOST_CHECKERS: u8 = 15;

/// A board that was left, as its form has it.
#[derive(Deserialize)]
struct Left {
    before: PositionId,
    turn: Colour,
    /// How the points are named in what was moved.
    #[serde(default)]
    names: String,
    /// The moves in notation.
    #[serde(default)]
    moved: String,
}

/// Puts the board that was left in place of the moves that led to it.
///
/// # Errors
/// The moves are not in notation, or move checkers that are not there.
pub(crate) fn put_left_board(command: &mut Object) -> Result<(), Problem> {
    let Some(Value::Object(action)) = command.get_mut("action") else { return Ok(()) };
    if !action.contains_key("before") {
        return Ok(());
    }
    let typed = ["before", "turn", "names", "moved"].iter().filter_map(|name| action.remove_entry(*name));
    let Left { before, turn, names, moved } = decoded(typed.collect())?;
    let names = PointNames::from_word(&names).unwrap_or_default();
    let before = before.position(MOST_CHECKERS).ok();
    let position = before.and_then(|before| left(before, names, turn, &moved)).ok_or_else(|| {
        let allowed = "moves of checkers that are there, like 13/7 8/6";
        invalid("moved", &InvalidValue { what: "moved", allowed })
    })?;
    action.insert("position".to_owned(), json!(position));
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
    use owlbox_base::code::Code;
    use owlbox_engine::Variant;
    use owlbox_engine::game::Action;

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

    #[test]
    fn i2_the_moves_of_a_form_become_the_board_they_lead_to() {
        let start = PositionId::from(Variant::Standard.start());
        let form = |moved: &str| {
            let action = json!({"action": "leave_board", "before": start, "turn": "white", "names": "common", "moved": moved});
            let mut command = Object::from_iter([("action".to_owned(), action)]);
            put_left_board(&mut command).map_err(|problem| problem.code)?;
            Ok(serde_json::from_value::<Action>(command["action"].clone()).unwrap())
        };
        assert!(matches!(form("13/7 24/20"), Ok(Action::LeaveBoard { .. })));
        assert_eq!(form("12/8"), Err(Code::InvalidValue));
        let mut other = Object::from_iter([("action".to_owned(), json!({"action": "pass"}))]);
        put_left_board(&mut other).unwrap();
        assert_eq!(other["action"], json!({"action": "pass"}));
    }
}
