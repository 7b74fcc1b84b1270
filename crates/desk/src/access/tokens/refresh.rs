//! Refresh tokens: the decision on one that is shown.
//!
//! A refresh token is used once and replaced by its successor. A token shown after its replacement comes
//! either from the same browser again (two tabs at once, a lost response) or from a thief. For thirty seconds
//! it gets the very same successor; after that the whole family is revoked. Only hashes are stored, so the
//! successor is not remembered but derived: an HMAC of a salt kept with the record, under the secret that was
//! shown. The database alone does not suffice to derive it.
//!
//! A family keeps few records: that of the live token, and those of the latest replaced ones, for the thirty
//! seconds. So that an older token is still recognised, each [carries a mark](KeyRing::show_refresh) of its
//! family, signed with the service's key: a marked token without a record is a reuse. (Tokens issued before
//! there were marks work as they are; without a record they are simply unknown.)

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::TimeDelta;
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use super::SessionId;
use super::access::KeyRing;
use super::mac::Key;
use super::opaque::{Secret, SecretKind};
use owlbox_base::values::{InvalidValue, Timestamp};

/// The lifetime of a refresh token unless the configuration sets another.
pub const LIFETIME: TimeDelta = TimeDelta::days(30);
/// How long a family can be refreshed before its owner has to sign in again.
pub const FAMILY_LIFETIME: TimeDelta = TimeDelta::days(180);
/// How long after its replacement a token still gets its successor.
pub const REPEAT_WITHIN: TimeDelta = TimeDelta::seconds(30);
/// How many replaced tokens of a family are kept during that time; hardly more tabs refresh at once.
pub const MOST_REPLACED: i64 = 4;

/// The stored state of a refresh token, apart from its digest and account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefreshRecord {
    /// The session whose family it belongs to.
    pub family: SessionId,
    /// Whether the family is over: signed out, revoked after a reuse, or its account deactivated.
    pub family_revoked: bool,
    /// When it was replaced; `None` for the live token of its family.
    pub rotated_at: Option<Timestamp>,
    /// Random bytes, drawn with the record, for deriving the successor.
    pub successor_salt: [u8; 16],
    /// When it stops being usable; see [`expiry`].
    pub expires_at: Timestamp,
}

/// What to do with a refresh token that was shown.
#[derive(Debug)]
pub enum RefreshDecision {
    /// Mark it as replaced now, store the successor's digest in a record of its own, and hand out the
    /// successor.
    Rotate { successor: Secret },
    /// Hand out the successor again; its digest is stored already.
    RepeatSuccessor {
        /// The same token as the first time.
        successor: Secret,
    },
    /// The token was replaced a while ago: revoke the family.
    ReuseDetected,
    /// It is too old: its owner has to sign in again.
    Expired,
    /// Its family is over: its owner has to sign in again.
    Revoked,
}

/// A refresh token as its holder presents it.
#[derive(Debug)]
pub struct PresentedToken {
    pub secret: Secret,
    /// The family it was issued for, if it carries a mark that we signed.
    pub family: Option<SessionId>,
}

/// The tag of a mark is truncated; nobody guesses 128 bits.
const TAG: usize = 16;

fn tag(key: &Key, secret: &Secret, family: SessionId) -> [u8; TAG] {
    let marked = [secret.digest().as_bytes().as_slice(), family.0.as_bytes()].concat();
    let mut tag = [0; TAG];
    tag.iter_mut().zip(key.sign(&marked)).for_each(|(to, from)| *to = from);
    tag
}

impl KeyRing {
    /// The text of a refresh token of this family: the secret, a dot, and the mark.
    #[must_use]
    pub fn show_refresh(&self, secret: &Secret, family: SessionId) -> String {
        let mark = [family.0.as_bytes().as_slice(), &tag(self.for_refresh(), secret, family)].concat();
        format!("{}.{}", secret.reveal(), URL_SAFE_NO_PAD.encode(mark))
    }

    /// Parses a refresh token that somebody shows. A mark we did not sign is ignored.
    ///
    /// # Errors
    /// It does not have the form of a refresh token.
    pub fn read_refresh(&self, text: &str) -> Result<PresentedToken, InvalidValue> {
        let (token, mark) = text.split_once('.').unwrap_or((text, ""));
        let secret = Secret::parse(SecretKind::Refresh, token)?;
        let said = || {
            let mark = URL_SAFE_NO_PAD.decode(mark).ok()?;
            let (family, shown) = mark.split_first_chunk::<16>()?;
            let family = SessionId(Uuid::from_bytes(*family));
            let ours = self
                .all_for_refresh()
                .any(|key| bool::from(tag(key, &secret, family).as_slice().ct_eq(shown)));
            ours.then_some(family)
        };
        let family = said();
        Ok(PresentedToken { secret, family })
    }
}

/// When a family ends that began with a sign-in at `began`; `lifetime` is that of each of its tokens.
#[must_use]
pub fn family_end(began: Timestamp, lifetime: TimeDelta) -> Timestamp {
    Timestamp::from(began.utc() + lifetime.max(FAMILY_LIFETIME))
}

/// When a refresh token made at `now` expires. It never outlives its family.
#[must_use]
pub fn expiry(family_end: Timestamp, now: Timestamp, lifetime: TimeDelta) -> Timestamp {
    Timestamp::from(now.utc() + lifetime).min(family_end)
}

impl RefreshRecord {
    /// What to do when `shown`, the token of this record, is shown at `now`.
    ///
    /// A revoked family is reported first, then a reuse - even of a token that has expired since - and then
    /// expiry.
    #[must_use]
    pub fn decide(&self, shown: &Secret, now: Timestamp) -> RefreshDecision {
        if self.family_revoked {
            return RefreshDecision::Revoked;
        }
        let successor = || shown.derive(&self.successor_salt);
        match self.rotated_at {
            Some(at) if now.utc() - at.utc() <= REPEAT_WITHIN => {
                RefreshDecision::RepeatSuccessor { successor: successor() }
            }
            Some(_) => RefreshDecision::ReuseDetected,
            None if now >= self.expires_at => RefreshDecision::Expired,
            None => RefreshDecision::Rotate { successor: successor() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::tokens::SigningKey;
    use chrono::DateTime;
    use proptest::prelude::*;
    use secrecy::SecretSlice;

    /// `micros` after the family's sign-in.
    fn at(micros: i64) -> Timestamp {
        (DateTime::UNIX_EPOCH + TimeDelta::microseconds(micros)).into()
    }
    fn second(seconds: i64) -> Timestamp {
        at(seconds * 1_000_000)
    }
    fn shown() -> Secret {
        Secret::new(SecretKind::Refresh, [5; 32])
    }
    fn fresh() -> RefreshRecord {
        RefreshRecord {
            family: SessionId(Uuid::nil()),
            family_revoked: false,
            rotated_at: None,
            successor_salt: [9; 16],
            expires_at: expiry(family_end(second(0), LIFETIME), second(0), LIFETIME),
        }
    }

    #[test]
    fn a_token_is_replaced_and_for_thirty_seconds_replaced_by_the_same() {
        let RefreshDecision::Rotate { successor } = fresh().decide(&shown(), second(100)) else {
            panic!("a fresh token rotates");
        };
        let rotated = RefreshRecord { rotated_at: Some(second(100)), ..fresh() };
        // Another instance's clock may be behind.
        for moment in [second(99), second(100), second(115), second(130)] {
            match rotated.decide(&shown(), moment) {
                RefreshDecision::RepeatSuccessor { successor: again } => {
                    assert_eq!(again.reveal(), successor.reveal());
                }
                other => panic!("{other:?} at {moment:?}"),
            }
        }
        let late = rotated.decide(&shown(), at(130_000_001));
        assert!(matches!(late, RefreshDecision::ReuseDetected), "{late:?}");
        assert_ne!(successor.reveal(), shown().reveal());
    }

    #[test]
    fn old_tokens_are_expired_unless_reused_and_revoked_families_stay_revoked() {
        let month = LIFETIME.num_seconds();
        assert!(matches!(fresh().decide(&shown(), second(month - 1)), RefreshDecision::Rotate { .. }));
        assert!(matches!(fresh().decide(&shown(), second(month)), RefreshDecision::Expired));
        let reused = RefreshRecord { rotated_at: Some(second(1)), ..fresh() };
        assert!(matches!(reused.decide(&shown(), second(month)), RefreshDecision::ReuseDetected));
        for rotated_at in [None, Some(second(1))] {
            let revoked = RefreshRecord { family_revoked: true, rotated_at, ..fresh() };
            for moment in [1, 2, 40, month] {
                assert!(matches!(revoked.decide(&shown(), second(moment)), RefreshDecision::Revoked));
            }
        }
    }

    #[test]
    fn a_family_ends_after_180_days_however_often_it_is_refreshed() {
        let day = |days: i64| second(days * 86_400);
        let end = family_end(day(0), LIFETIME);
        assert_eq!(end, day(180));
        assert_eq!(expiry(end, day(0), LIFETIME), day(30));
        assert_eq!(expiry(end, day(150), LIFETIME), day(180));
        assert_eq!(expiry(end, day(179), LIFETIME), day(180));
        let year = TimeDelta::days(365);
        assert_eq!(family_end(day(0), year), day(365), "a club may want longer");
    }

    #[test]
    fn a_token_is_known_by_its_mark_under_every_key_and_no_other_is() {
        let key = |name: &str, byte| SigningKey::new(name, &SecretSlice::from(vec![byte; 32])).unwrap();
        let ring = |keys| KeyRing::new(keys).unwrap();
        let family = SessionId(Uuid::from_u128(7));
        let text = ring(vec![key("old", 1)]).show_refresh(&shown(), family);
        let after = ring(vec![key("new", 2), key("old", 1)]);
        let read = after.read_refresh(&text).unwrap();
        assert_eq!((read.secret.reveal(), read.family), (shown().reveal(), Some(family)));
        assert_eq!(ring(vec![key("new", 2)]).read_refresh(&text).unwrap().family, None);
        let (token, mark) = text.split_once('.').unwrap();
        let other = Secret::new(SecretKind::Refresh, [6; 32]).reveal();
        for forged in [token.to_owned(), format!("{token}."), format!("{other}.{mark}"), format!("{text}A")] {
            assert_eq!(after.read_refresh(&forged).unwrap().family, None, "{forged}");
        }
        assert!(after.read_refresh(&format!(".{mark}")).is_err());
    }

    proptest! {
        /// Only the holder of a token can derive its successor, and every record has another one.
        #[test]
        fn a_successor_belongs_to_one_token_and_one_record(one: [u8; 32], other: [u8; 32], salt: [u8; 16]) {
            prop_assume!(one != other && salt != [9; 16]);
            let successor = |bytes, record: RefreshRecord| {
                match record.decide(&Secret::new(SecretKind::Refresh, bytes), second(1)) {
                    RefreshDecision::Rotate { successor } => successor.reveal(),
                    decision => panic!("{decision:?}"),
                }
            };
            let salted = RefreshRecord { successor_salt: salt, ..fresh() };
            prop_assert_ne!(successor(one, fresh()), successor(other, fresh()));
            prop_assert_ne!(successor(one, fresh()), successor(one, salted));
        }
    }
}
