//! The set-up code: shown on the console of a club without an admin, and typed on the set-up page by the
//! person at the machine. It works until there is an admin. It is derived from the
//! [`KeyRing`](super::KeyRing), so that several instances behind one address show the same code.

use std::fmt;

use subtle::ConstantTimeEq as _;

/// 32 letters and digits that are not mistaken for one another: no I or 1, no O or 0.
const LETTERS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/// A code of twelve letters, 60 bits, like `F7K2-9QXM-4TRC`.
#[derive(Clone)]
pub struct SetupCode([u8; 12]);

impl SetupCode {
    /// The code for these bytes, which must be unpredictable.
    #[must_use]
    pub fn new(random: [u8; 12]) -> Self {
        // 32 divides 256, so each letter is equally likely; the mask keeps the index in range.
        Self(random.map(|byte| LETTERS[usize::from(byte & 31)]))
    }

    /// The code as the console shows it, in groups of four.
    #[must_use]
    pub fn reveal(&self) -> String {
        let groups = self.0.chunks(4).map(|group| group.iter().copied().map(char::from).collect::<String>());
        groups.collect::<Vec<_>>().join("-")
    }

    /// Whether `typed` is the code. Ignores case, spaces and hyphens.
    #[must_use]
    pub fn matches(&self, typed: &str) -> bool {
        let mut letters = [0; 12];
        let typed = typed.chars().filter(|c| !c.is_whitespace() && *c != '-');
        for (count, letter) in typed.enumerate() {
            match (letters.get_mut(count), u8::try_from(letter)) {
                (Some(place), Ok(byte)) => *place = byte.to_ascii_uppercase(),
                _ => return false,
            }
        }
        // A text that is too short leaves zeros, which no code contains.
        self.0.ct_eq(&letters).into()
    }
}

impl fmt::Debug for SetupCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SetupCode")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_code_is_known_again_as_people_type_it(random: [u8; 12], other: [u8; 12]) {
            let code = SetupCode::new(random);
            let shown = code.reveal();
            prop_assert_eq!(shown.len(), 14);
            prop_assert!(!shown.contains(['0', '1', 'I', 'O']), "{}", shown);
            let forms = [shown.clone(), shown.to_lowercase(), shown.replace('-', ""), shown.replace('-', " ")];
            for typed in forms {
                prop_assert!(code.matches(&format!(" {typed} ")), "{}", typed);
            }
            let different = SetupCode::new(other).reveal();
            prop_assert_eq!(code.matches(&different), different == shown);
        }
    }

    #[test]
    fn anything_else_is_refused() {
        let code = SetupCode::new([0, 1, 2, 3, 4, 5, 6, 7, 28, 29, 30, 31]);
        assert_eq!(code.reveal(), "ABCD-EFGH-6789");
        for bad in ["", "ABCD", "ABCD-EFGH-678", "ABCD-EFGH-67899", "ABCD-EFGH-678é", "ABCD-EFGH-678猫"] {
            assert!(!code.matches(bad), "{bad}");
        }
        assert_eq!(format!("{code:?}"), "SetupCode");
    }
}
