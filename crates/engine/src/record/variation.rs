//! The names that files give to the games played (V1 to V4).
//!
//! GNU Backgammon has two spellings: one for the header `Variation` of match text, one for SGF and JSON.
//! Games that it does not know have a name of our own, the same in all formats. Every format accepts all of
//! these names, in any case.

use super::text::Reason;
use crate::variant::Variant;

/// The name in match text.
pub(super) const fn title(variant: Variant) -> &'static str {
    match variant {
        Variant::Standard => "Backgammon",
        Variant::Nackgammon => "NackGammon",
        Variant::HyperBackgammon => "HyperGammon (3)",
        Variant::Misere | Variant::Inverse | Variant::Plakoto | Variant::Fevga => word(variant),
    }
}

/// The name in SGF and JSON.
pub(super) const fn word(variant: Variant) -> &'static str {
    match variant {
        Variant::Standard => "Standard",
        Variant::Nackgammon => "Nackgammon",
        Variant::HyperBackgammon => "Hypergammon3",
        Variant::Misere => "Misere",
        Variant::Inverse => "Inverse",
        Variant::Plakoto => "Plakoto",
        Variant::Fevga => "Fevga",
    }
}

/// Games of GNU Backgammon that the engine does not know, with one or two checkers a side.
const NOT_PLAYED: [&str; 4] = ["HyperGammon (1)", "HyperGammon (2)", "Hypergammon1", "Hypergammon2"];

/// The game with this name.
///
/// # Errors
/// [`Reason::Variation`] if there is none.
pub(super) fn from_name(name: &str) -> Result<Variant, Reason> {
    let is = |known: &str| known.eq_ignore_ascii_case(name.trim());
    let found = Variant::ALL.into_iter().find(|variant| is(title(*variant)) || is(word(*variant)));
    found.ok_or_else(|| Reason::variation(name))
}

/// The game with this name, among other words of which most name no game.
///
/// # Errors
/// [`Reason::Variation`] for a game that GNU Backgammon knows and the engine does not.
pub(super) fn among_rules(name: &str) -> Result<Option<Variant>, Reason> {
    match from_name(name) {
        Ok(variant) => Ok(Some(variant)),
        Err(unknown) if NOT_PLAYED.iter().any(|known| known.eq_ignore_ascii_case(name.trim())) => {
            Err(unknown)
        }
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn v1_to_v4_every_game_is_found_by_either_of_its_names_and_no_other_is() {
        for variant in Variant::ALL {
            for name in [title(variant), word(variant)] {
                assert_eq!(from_name(name), Ok(variant));
                assert_eq!(from_name(&name.to_uppercase()), Ok(variant));
                assert_eq!(among_rules(name), Ok(Some(variant)));
            }
        }
        for name in NOT_PLAYED {
            assert_eq!(from_name(name), Err(Reason::Variation(name.to_owned())));
            assert_eq!(among_rules(name), from_name(name).map(Some));
        }
        assert_eq!(from_name("Chess"), Err(Reason::Variation("Chess".to_owned())));
        assert_eq!(from_name(&"x".repeat(200_000)), Err(Reason::Variation("x".repeat(40))));
        assert_eq!(among_rules("CrawfordGame"), Ok(None));
    }
}
