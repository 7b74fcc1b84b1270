//! `owlbox show`: a position as text, with its IDs.

use super::EngineError;
use crate::cli::args::Show;
use crate::engine::notation::board::draw;
use crate::engine::notation::gnu::{from_position_id, match_id, position_id};
use crate::engine::notation::xgid::Xgid;

/// The board that was asked for, without the end of its last line.
///
/// # Errors
/// [`EngineError::Position`], [`EngineError::Xgid`]; [`EngineError::Nothing`] if neither is named.
pub fn show(asked: &Show) -> Result<String, EngineError> {
    let (drawn, position, state) = match (&asked.pos, &asked.xgid) {
        (Some(pos), _) => {
            let position = from_position_id(pos, asked.checkers)?;
            (draw(position, None), position, None)
        }
        (None, Some(text)) => {
            let xgid = Xgid::read(text, asked.checkers)?;
            (draw(xgid.position, Some(&xgid.state)), xgid.position, Some(xgid))
        }
        (None, None) => return Err(EngineError::Nothing),
    };
    let mut text = format!("{drawn}\n  Position ID: {}", position_id(position));
    if let Some(xgid) = state {
        // A cube beyond 32,768 has no match ID.
        text += &match_id(&xgid.state).map_or_else(|_| String::new(), |id| format!("\n  Match ID: {id}"));
        text += &format!("\n  {xgid}");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_comes_with_its_ids() {
        let asked = Show { pos: Some("4HPwATDgc/ABMA".to_owned()), xgid: None, checkers: 15 };
        let text = show(&asked).unwrap();
        assert!(
            text.contains("O: 167 pips") && text.ends_with("\n\n  Position ID: 4HPwATDgc/ABMA"),
            "{text}"
        );
        let xgid = "XGID=aa--A-D-C---cD---b-abab-bC:1:1:1:00:3:8:0:11:10";
        let asked = Show { pos: None, xgid: Some(xgid.to_owned()), checkers: 15 };
        let text = show(&asked).unwrap();
        assert!(text.contains("11-point match") && text.contains("Match ID: UQlgAYAAGAAE"), "{text}");
        assert!(text.ends_with(xgid), "{text}");
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let show = |pos: Option<&str>, xgid: Option<&str>| {
            show(&Show { pos: pos.map(str::to_owned), xgid: xgid.map(str::to_owned), checkers: 15 })
        };
        assert!(matches!(show(Some("x"), None), Err(EngineError::Position(_))));
        assert!(matches!(show(None, Some("x")), Err(EngineError::Xgid(_))));
        assert!(matches!(show(None, None), Err(EngineError::Nothing)));
    }
}
