//! The face of a person: a circle with their initials in a colour of their own (`blocks.html` draws it).

use owlbox_base::values::PlayerId;

/// How many colours there are. The style sheet names each.
const COLOURS: u128 = 12;

/// The number of a person's colour. It comes from the id, so a new name does not change it.
#[must_use]
pub const fn face_colour(player: &PlayerId) -> u128 {
    player.0.as_u128() % COLOURS
}

/// The first letters of the first and the last word of a name.
#[must_use]
pub fn initials(name: &str) -> String {
    let mut words = name.split_whitespace().filter_map(|word| word.chars().find(|c| c.is_alphanumeric()));
    let ends = [words.next(), words.next_back()];
    ends.into_iter().flatten().flat_map(char::to_uppercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initials_are_of_the_first_and_the_last_word() {
        for (name, expected) in [
            ("Mario Rossi", "MR"),
            ("Jean-Luc K. Müller", "JM"),
            ("ada", "A"),
            ("  (Øle)   von “Åse” ", "ØÅ"),
            ("N.N. 00000001", "N0"),
            ("李 小龍", "李小"),
            ("…", ""),
        ] {
            assert_eq!(initials(name), expected, "{name}");
        }
    }
}
