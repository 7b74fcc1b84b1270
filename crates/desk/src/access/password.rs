//! Passwords: the policy for a new one, and how they are hashed and checked.
//!
//! They are stored as Argon2id in a PHC string with OWASP's parameters (19 MiB, two passes, one lane).
//! Hashing takes some 15 ms of a core; callers must keep it off the threads that serve requests. No password
//! can reach a log: the `Debug` output of both types is only their name.

use std::fmt;
use std::str::FromStr;

use argon2::password_hash::phc;
use argon2::{
    ARGON2ID_IDENT, Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version,
};
use secrecy::{ExposeSecret as _, SecretString};
use unicode_normalization::UnicodeNormalization as _;

use crate::Allowed;
use owlbox_base::code::Code;
use owlbox_base::values::InvalidValue;

/// The minimum length of a password, in characters.
pub const SHORTEST: usize = 10;
/// The maximum length of a password, in characters.
pub const LONGEST: usize = 200;

/// The most common passwords of ten characters and more, in lower case.
const COMMON: &str = "\
    0000000000 0123456789 0987654321 1111111111 1122334455 1212121212 123123123123 1234512345 \
    1234567890 12345678910 123456789a 123456789q 1234567891 1234567899 1357924680 \
    1472583690 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc 1qazxsw23edc 9876543210 a123456789 aa12345678 \
    abc1234567 abcd123456 abcd1234567 abcdefghij administrator asdfasdfasdf asdfghjkl1 asdfghjkl; \
    backgammon backgammon1 basketball benvenuto1 buongiorno ciaociaociao changeme123 chouette123 \
    computer123 dragon12345 football123 iloveyou12 iloveyou123 iloveyouforever internazionale \
    juventus1897 letmein123 liverpool123 manchester michael123 minecraft123 motdepasse motdepasse1 \
    owlboxowlbox p@ssw0rd123 p@ssword123 pa55word123 passw0rd123 password01 password11 password12 \
    password123 password1234 password12345 password123456 passwordpassword passwort123 \
    princess123 q1w2e3r4t5 q1w2e3r4t5y6 qazwsxedc1 qazwsxedcrfv qqww1122334 qwer1234qwer qwerty1234 \
    qwerty12345 qwerty123456 qwertyqwerty qwertyuiop qwertyuiop1 qwertyuiop123 sunshine123 \
    superman123 tesoromio1 trustno1trustno1 unknown123 welcome123 welcome1234 xbox360123 \
    zaq12wsxcde3 zxcvbnm123 zxcvbnmzxcvbnm";

/// Why a new password was refused. If several reasons apply, the first in this order is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasswordRefusal {
    /// It has fewer than [`SHORTEST`] characters.
    #[error("a password must have at least {SHORTEST} characters")]
    TooShort,
    /// It has more than [`LONGEST`] characters.
    #[error("a password can have at most {LONGEST} characters")]
    TooLong,
    /// It is the same as the login.
    #[error("the password must not be the same as the login")]
    IsLogin,
    /// It is on the list of common passwords, or a single character repeated.
    #[error("this password is one of the most common ones")]
    TooCommon,
}

impl PasswordRefusal {
    #[must_use]
    pub const fn code(self) -> Code {
        match self {
            Self::TooShort => Code::PasswordTooShort,
            Self::TooLong => Code::PasswordTooLong,
            Self::IsLogin => Code::PasswordIsLogin,
            Self::TooCommon => Code::PasswordTooCommon,
        }
    }

    #[must_use]
    pub const fn field(self) -> Option<&'static str> {
        Some("password")
    }

    /// The permitted lengths, if length is the problem.
    #[must_use]
    pub const fn allowed(self) -> Option<Allowed> {
        match self {
            Self::TooShort | Self::TooLong => {
                Some(Allowed::Password { max_length: LONGEST, min_length: SHORTEST })
            }
            Self::IsLogin | Self::TooCommon => None,
        }
    }
}

/// A new password that meets the policy.
pub struct Password(SecretString);

impl Password {
    /// Checks `text` as a new password for the account with this login.
    ///
    /// # Errors
    /// [`PasswordRefusal`].
    pub fn new(text: &SecretString, login: &str) -> Result<Self, PasswordRefusal> {
        let text = normal(text);
        let length = text.expose_secret().chars().count();
        if length < SHORTEST {
            return Err(PasswordRefusal::TooShort);
        }
        if length > LONGEST {
            return Err(PasswordRefusal::TooLong);
        }
        let small = SecretString::from(text.expose_secret().to_lowercase());
        let small = small.expose_secret();
        if small.trim() == login.trim().nfc().collect::<String>().to_lowercase() {
            return Err(PasswordRefusal::IsLogin);
        }
        let mut characters = small.chars();
        let first = characters.next();
        if characters.all(|c| Some(c) == first) || COMMON.split_whitespace().any(|common| common == small) {
            return Err(PasswordRefusal::TooCommon);
        }
        Ok(Self(text))
    }

    /// Hashes the password for storage. `salt` must be random and never used again.
    ///
    /// # Errors
    /// [`NoMemory`].
    pub fn hash(&self, salt: [u8; 16]) -> Result<PasswordHash, NoMemory> {
        let password = self.0.expose_secret().as_bytes();
        argon2().hash_password_with_salt(password, &salt).map(PasswordHash).map_err(|_| NoMemory)
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password")
    }
}

/// There was no memory to hash in. With validated parameters and lengths nothing else can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not enough memory to hash a password")]
pub struct NoMemory;

/// A stored password: the Argon2id hash with its parameters and salt.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(phc::PasswordHash);

impl PasswordHash {
    /// The PHC string, as it is stored.
    #[must_use]
    pub fn to_phc(&self) -> String {
        self.0.to_string()
    }

    /// Whether `typed` is this password. Takes the same time wherever the two differ.
    ///
    /// # Errors
    /// [`NoMemory`].
    pub fn verify(&self, typed: &SecretString) -> Result<bool, NoMemory> {
        let typed = normal(typed);
        match argon2().verify_password(typed.expose_secret().as_bytes(), &self.0) {
            Ok(()) => Ok(true),
            Err(argon2::password_hash::Error::PasswordInvalid) => Ok(false),
            Err(_) => Err(NoMemory),
        }
    }
}

impl FromStr for PasswordHash {
    type Err = InvalidValue;
    /// Parses a stored PHC string. Rejects anything but a complete Argon2id hash with parameters we can
    /// verify.
    fn from_str(stored: &str) -> Result<Self, InvalidValue> {
        let refused =
            InvalidValue { what: "password_hash", allowed: "an Argon2id PHC string with salt and hash" };
        let hash = phc::PasswordHash::new(stored).map_err(|_| refused.clone())?;
        let whole = hash.algorithm == ARGON2ID_IDENT && hash.salt.is_some() && hash.hash.is_some();
        let known = hash.version.is_none_or(|version| Version::try_from(version).is_ok());
        if whole && known && Params::try_from(&hash).is_ok() { Ok(Self(hash)) } else { Err(refused) }
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash")
    }
}

/// Spends the time of a check that fails. Used for unknown logins, so that the response time does not reveal
/// which logins exist.
///
/// # Errors
/// [`NoMemory`].
pub fn verify_decoy(typed: &SecretString) -> Result<(), NoMemory> {
    let decoy: Result<PasswordHash, _> = DECOY.parse();
    decoy.map_or(Ok(()), |decoy| decoy.verify(typed).map(|_| ()))
}

/// A hash with today's parameters that belongs to no known password. A test keeps its parameters current.
const DECOY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$T3dsYm94RGVjb3lTYWx0IQ$dGhpcyBoYXNoIGJlbG9uZ3MgdG8gbm8gcGFzc3dvcmQ";

/// OWASP's parameters: 19 MiB, two passes, one lane. They are the crate's defaults; a test would notice if
/// those changed.
fn argon2() -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::DEFAULT)
}

/// Normalises to NFC, so that a password does not depend on how a keyboard composes accents.
fn normal(text: &SecretString) -> SecretString {
    text.expose_secret().nfc().collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(text: &str) -> SecretString {
        SecretString::from(text)
    }

    fn password(text: &str) -> Password {
        Password::new(&secret(text), "mario").unwrap()
    }

    #[test]
    fn a_new_password_keeps_the_policy() {
        let policy = |text: &str| Password::new(&secret(text), "Maria.Rossi").map(|_| ());
        let cases = [
            ("", Err(PasswordRefusal::TooShort)),
            ("ninechars", Err(PasswordRefusal::TooShort)),
            ("ten charss", Ok(())),
            ("quattro oche sul lago", Ok(())),
            ("maria.rossi", Err(PasswordRefusal::IsLogin)),
            (" MARIA.ROSSI ", Err(PasswordRefusal::IsLogin)),
            ("Password123", Err(PasswordRefusal::TooCommon)),
            ("BACKGAMMON", Err(PasswordRefusal::TooCommon)),
            ("zzzzzzzzzzzz", Err(PasswordRefusal::TooCommon)),
        ];
        for (text, expected) in cases {
            assert_eq!(policy(text), expected, "{text:?}");
        }
        assert_eq!(policy(&"ab".repeat(100)), Ok(()), "200 fit");
        assert_eq!(policy(&format!("{}c", "ab".repeat(100))), Err(PasswordRefusal::TooLong));
        assert_eq!(policy(&"è".repeat(9)), Err(PasswordRefusal::TooShort), "characters count, not bytes");
    }

    #[test]
    fn every_common_password_would_be_long_enough_and_is_in_small_letters() {
        for common in COMMON.split_whitespace() {
            assert!(common.chars().count() >= SHORTEST, "{common}");
            assert_eq!(common.to_lowercase(), common);
        }
    }

    #[test]
    fn a_password_is_known_again_by_its_hash_and_nothing_else_is() {
        let hash = password("quattro oche sul lago").hash([7; 16]).unwrap();
        let stored = hash.to_phc();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "OWASP's parameters: {stored}");
        let read: PasswordHash = stored.parse().unwrap();
        assert_eq!(read, hash);
        assert_eq!(read.verify(&secret("quattro oche sul lago")), Ok(true));
        assert_eq!(read.verify(&secret("quattro oche sul Lago")), Ok(false));
        assert_eq!(read.verify(&secret("")), Ok(false));
        let salted = password("quattro oche sul lago").hash([8; 16]).unwrap();
        assert_ne!(salted.to_phc(), stored, "the salt counts");
    }

    #[test]
    fn a_password_is_the_same_from_every_keyboard() {
        let hash = password("perch\u{e9} no, Amelie").hash([7; 16]).unwrap();
        assert_eq!(hash.verify(&secret("perche\u{301} no, Amelie")), Ok(true));
    }

    #[test]
    fn the_decoy_costs_what_a_check_costs() {
        let decoy: PasswordHash = DECOY.parse().unwrap();
        let real = password("quattro oche sul lago").hash([7; 16]).unwrap();
        assert_eq!(Params::try_from(&decoy.0).unwrap(), Params::try_from(&real.0).unwrap());
        assert_eq!(decoy.0.hash.unwrap().len(), real.0.hash.unwrap().len());
        assert_eq!(decoy.0.salt.unwrap().len(), real.0.salt.unwrap().len());
        assert_eq!(verify_decoy(&secret("whatever it is")), Ok(()));
        assert_eq!(decoy.verify(&secret("whatever it is")), Ok(false));
    }

    #[test]
    fn other_or_damaged_hashes_are_refused_when_read() {
        let good = password("quattro oche sul lago").hash([7; 16]).unwrap().to_phc();
        let no_hash = good.rsplit_once('$').unwrap().0.to_owned();
        for bad in ["", "hunter2", "$argon2id$", &good.replace("argon2id", "argon2i"), &no_hash] {
            assert!(bad.parse::<PasswordHash>().is_err(), "{bad}");
        }
    }

    #[test]
    fn nothing_shows_when_printed() {
        let password = password("quattro oche sul lago");
        assert_eq!(format!("{password:?}"), "Password");
        assert_eq!(format!("{:?}", password.hash([7; 16]).unwrap()), "PasswordHash");
    }
}
