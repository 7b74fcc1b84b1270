//! Accounts at banks, and the code by which a phone sends money to one.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use owlbox_base::values::InvalidValue;

/// An International Bank Account Number (ISO 13616), in capitals and without spaces. Its check digits are
/// right.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(
    feature = "schema",
    schema(value_type = String, example = "IT60X0542811101000000123456", min_length = 15, max_length = 42)
)]
pub struct Iban(String);

impl Iban {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether its bank is in the European Economic Area. To any other, a bank asks for the BIC beside the
    /// IBAN.
    #[must_use]
    pub fn is_in_economic_area(&self) -> bool {
        const COUNTRIES: [&str; 30] = [
            "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IS",
            "IT", "LI", "LT", "LU", "LV", "MT", "NL", "NO", "PL", "PT", "RO", "SE", "SI", "SK",
        ];
        self.0.get(..2).is_some_and(|country| COUNTRIES.contains(&country))
    }

    /// In groups of four, as it is printed.
    #[must_use]
    pub fn printed(&self) -> String {
        let letters: Vec<char> = self.0.chars().collect();
        letters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
    }
}

impl FromStr for Iban {
    type Err = InvalidValue;
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let compact: String = text.chars().filter(|c| *c != ' ').map(|c| c.to_ascii_uppercase()).collect();
        if is_iban(&compact) {
            Ok(Self(compact))
        } else {
            Err(InvalidValue {
                what: "iban",
                allowed: "an IBAN whose check digits are right, like IT60 X054 2811 1010 0000 0123 456",
            })
        }
    }
}

/// Two letters, two check digits, 11 to 30 letters and digits; and with the first four at its end, and
/// letters as the numbers from 10 on, it leaves 1 when divided by 97.
fn is_iban(compact: &str) -> bool {
    let bytes = compact.as_bytes();
    let [a, b, c, d, account @ ..] = bytes else { return false };
    let begins_well = [a, b].iter().all(|byte| byte.is_ascii_uppercase())
        && [c, d].iter().all(|byte| byte.is_ascii_digit());
    if !begins_well || !(11..=30).contains(&account.len()) {
        return false;
    }
    let turned = account.iter().chain([a, b, c, d]);
    let rest = turned.copied().try_fold(0_u32, |rest, byte| match byte {
        b'0'..=b'9' => Some((rest * 10 + u32::from(byte - b'0')) % 97),
        b'A'..=b'Z' => Some((rest * 100 + u32::from(byte - b'A') + 10) % 97),
        _ => None,
    });
    rest == Some(1)
}

impl TryFrom<String> for Iban {
    type Error = InvalidValue;
    fn try_from(text: String) -> Result<Self, InvalidValue> {
        text.parse()
    }
}
impl From<Iban> for String {
    fn from(iban: Iban) -> Self {
        iban.0
    }
}
impl fmt::Display for Iban {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl fmt::Debug for Iban {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The most cents of a transfer: 999,999,999.99 euros.
const MOST_CENTS: i64 = 99_999_999_999;

/// What a QR code says so that a phone's banking app fills in a transfer: the "Quick Response Code" of the
/// European Payments Council (EPC069-12), version 002. `cents` are euro cents; `None` if the amount cannot be
/// sent, or if the bank of the account needs a BIC, which version 002 lets out within the [economic
/// area](Iban::is_in_economic_area) only.
#[must_use]
pub fn transfer_code(name: &str, iban: &Iban, cents: i64, remittance: &str) -> Option<String> {
    if !(1..=MOST_CENTS).contains(&cents) || !iban.is_in_economic_area() {
        return None;
    }
    let [name, remittance] = [(name, 70), (remittance, 140)].map(|(text, longest)| cut(text, longest));
    let (euros, rest) = (cents / 100, cents % 100);
    Some(format!("BCD\n002\n1\nSCT\n\n{name}\n{iban}\nEUR{euros}.{rest:02}\n\n\n{remittance}"))
}

/// One line, of so many characters at most.
fn cut(text: &str, longest: usize) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(longest).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_iban_has_the_check_digits_of_the_rest() {
        for right in [
            "DE89370400440532013000",
            "gb29 nwbk 6016 1331 9268 19",
            "FR1420041010050500013M02606",
            "IT60X0542811101000000123456",
            "NO9386011117947",
            "MT84MALT011000012345MTLCAST001S",
        ] {
            let iban: Iban = right.parse().unwrap();
            assert_eq!(iban.printed().replace(' ', ""), iban.as_str());
        }
        for wrong in [
            "",
            "DE8",
            "DE88370400440532013000",
            "DE8937040044053201300é",
            "8937040044053201300000",
            "DE89-3704-0044",
        ] {
            assert!(wrong.parse::<Iban>().is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn one_digit_wrong_is_noticed(place in 4_usize..22, digit in b'0'..=b'9') {
            let right = "DE89370400440532013000";
            let mut other = right.as_bytes().to_vec();
            other[place] = digit;
            let other = String::from_utf8(other).unwrap();
            prop_assert_eq!(other.parse::<Iban>().is_ok(), other == right);
        }
    }

    #[test]
    fn a_code_is_eleven_lines_as_the_guideline_has_them() {
        let iban = "IT60X0542811101000000123456".parse().unwrap();
        let code = transfer_code("Circolo  del\nGufo", &iban, 1_205, "Mario Rossi").unwrap();
        let lines: Vec<&str> = code.split('\n').collect();
        let expected = [
            "BCD",
            "002",
            "1",
            "SCT",
            "",
            "Circolo del Gufo",
            "IT60X0542811101000000123456",
            "EUR12.05",
            "",
            "",
            "Mario Rossi",
        ];
        assert_eq!(lines, expected);
        let longest = transfer_code(&"é".repeat(90), &iban, MOST_CENTS, &"ü".repeat(200)).unwrap();
        let lines: Vec<usize> = longest.split('\n').map(|line| line.chars().count()).collect();
        assert_eq!((lines[5], lines[10]), (70, 140));
        for never in [0, -5, MOST_CENTS + 1] {
            assert_eq!(transfer_code("Gufo", &iban, never, ""), None);
        }
    }

    #[test]
    fn c14_an_account_whose_bank_needs_a_bic_gets_no_code() {
        for (iban, has_code) in [
            ("DE89370400440532013000", true),
            ("LI21088100002324013AA", true),
            ("IS140159260076545510730339", true),
            ("NO9386011117947", true),
            ("CH9300762011623852957", false),
            ("GB29NWBK60161331926819", false),
            ("SM86U0322509800000000270100", false),
            ("MC5811222000010123456789030", false),
            ("AD1200012030200359100100", false),
            ("VA59001123000012345678", false),
        ] {
            let iban: Iban = iban.parse().unwrap();
            assert_eq!(transfer_code("Gufo", &iban, 500, "").is_some(), has_code, "{iban}");
        }
    }
}
