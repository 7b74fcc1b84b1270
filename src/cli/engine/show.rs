//! `owlbox show`: draws a position as text, with its IDs.

use super::{EngineError, checkers, of_game, position};
use crate::cli::args::Show;
use owlbox_engine::notation::board::draw;
use owlbox_engine::notation::gnu::{match_id, position_id};
use owlbox_engine::notation::xgid::Xgid;

/// The board to print, without a final line break.
///
/// # Errors
/// [`EngineError::Position`], [`EngineError::Xgid`], [`EngineError::XgidPosition`].
pub fn show(asked: &Show) -> Result<String, EngineError> {
    let (drawn, position, state) = match (&asked.pos, &asked.xgid) {
        (None, Some(text)) => {
            let xgid = Xgid::read(text, checkers(asked.variant, asked.checkers))?;
            let position = of_game(xgid.position, asked.variant).map_err(EngineError::XgidPosition)?;
            (draw(position, Some(&xgid.state)), position, Some(xgid))
        }
        (pos, _) => {
            let position = position(pos.as_deref(), asked.variant, asked.checkers)?;
            (draw(position, None), position, None)
        }
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
    use crate::cli::engine::NoPosition;
    use owlbox_engine::Variant;

    #[test]
    fn a_board_comes_with_its_ids() {
        let asked =
            Show { pos: Some("4HPwATDgc/ABMA".to_owned()), xgid: None, variant: None, checkers: None };
        let text = show(&asked).unwrap();
        assert!(
            text.contains("O: 167 pips") && text.ends_with("\n\n  Position ID: 4HPwATDgc/ABMA"),
            "{text}"
        );
        let xgid = "XGID=aa--A-D-C---cD---b-abab-bC:1:1:1:00:3:8:0:11:10";
        let asked = Show { pos: None, xgid: Some(xgid.to_owned()), variant: None, checkers: None };
        let text = show(&asked).unwrap();
        assert!(text.contains("11-point match") && text.contains("Match ID: UQlgAYAAGAAE"), "{text}");
        assert!(text.ends_with(xgid), "{text}");
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let show = |pos: Option<&str>, xgid: Option<&str>| {
            let (pos, xgid) = (pos.map(str::to_owned), xgid.map(str::to_owned));
            show(&Show { pos, xgid, variant: None, checkers: None })
        };
        assert!(matches!(show(Some("x"), None), Err(EngineError::Position(_))));
        assert!(matches!(show(None, Some("x")), Err(EngineError::Xgid(_))));
        assert!(matches!(show(None, None), Err(EngineError::Position(NoPosition::Nothing))));
    }

    #[test]
    fn an_error_names_the_option_that_gave_the_position() {
        let refused = |pos: Option<&str>, xgid: Option<&str>| {
            let (pos, xgid) = (pos.map(str::to_owned), xgid.map(str::to_owned));
            let asked = Show { pos, xgid, variant: Some(Variant::Plakoto), checkers: None };
            show(&asked).unwrap_err().to_string()
        };
        let of_another_game = "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";
        assert_eq!(refused(None, Some(of_another_game)), "--xgid: the position is not of that game");
        assert_eq!(refused(Some("4HPwATDgc/ABMA"), None).split(' ').next(), Some("--pos:"));
        assert_eq!(refused(None, Some("x")).split(' ').next(), Some("--xgid:"));
    }

    #[test]
    fn a_variant_starts_with_its_own_number_of_checkers() {
        let asked = |variant, checkers| {
            show(&Show { pos: None, xgid: None, variant: Some(variant), checkers: Some(checkers) })
        };
        assert!(asked(Variant::HyperBackgammon, 3).is_ok());
        let refused = asked(Variant::Fevga, 3).unwrap_err();
        assert!(matches!(refused, EngineError::Position(NoPosition::OtherCheckers(15))), "{refused}");
    }

    #[test]
    fn v1_to_v4_every_variant_is_shown_by_its_name_and_nothing_of_another_game() {
        let asked = |pos: Option<&str>, variant| {
            show(&Show { pos: pos.map(str::to_owned), xgid: None, variant: Some(variant), checkers: None })
        };
        for variant in Variant::ALL {
            let id = position_id(variant.start());
            let start = asked(None, variant).unwrap();
            assert!(start.ends_with(&id), "{start}");
            // Naming the number of checkers that the variant has changes nothing.
            assert_eq!(asked(Some(&id), variant).unwrap(), start);
        }
        let of_fevga = position_id(Variant::Fevga.start());
        for other in [Variant::Standard, Variant::Plakoto] {
            assert!(matches!(
                asked(Some(&of_fevga), other),
                Err(EngineError::Position(NoPosition::OtherGame))
            ));
        }
    }
}
