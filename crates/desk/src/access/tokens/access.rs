//! Access tokens: JSON web tokens signed with HS256 and nothing else, valid for fifteen minutes by default.
//!
//! A token names the account, its session and the account's token epoch. It says nothing about roles: the
//! desk reads those, and whether the epoch still holds, in the transaction of the command. The same keys sign
//! the CSRF tokens of forms ([`KeyRing::csrf_token`]).
//!
//! Keys can be rotated: the first key of a [`KeyRing`] signs, all of them verify, and a token names its key.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use ring::signature::Ed25519KeyPair;
use secrecy::{ExposeSecret as _, SecretSlice};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::mac::{self, Key};
use super::{SessionId, SetupCode};
use owlbox_base::values::{AccountId, InvalidValue, Timestamp};

/// The lifetime of an access token unless the configuration sets another.
pub const LIFETIME: TimeDelta = TimeDelta::minutes(15);
/// The tolerated difference between the clocks of two instances.
pub const LEEWAY: TimeDelta = TimeDelta::seconds(5);
/// Issuer and audience of the tokens: this service, for itself.
const OWLBOX: &str = "owlbox";
/// Derives the key for CSRF tokens.
const CSRF_PURPOSE: &[u8] = b"owlbox csrf 1";
/// Derives the set-up code from the secret.
const SET_UP_PURPOSE: &[u8] = b"owlbox set-up 1";
/// Derives the key for entry links.
const ENTRY_PURPOSE: &[u8] = b"owlbox entry 1";
/// Derives the key that signs statements.
const STATEMENT_PURPOSE: &[u8] = b"owlbox statement 1";
/// Derives the key for the marks of refresh tokens.
const REFRESH_PURPOSE: &[u8] = b"owlbox refresh 1";

/// A named signing key, with the keys derived from it.
#[derive(Clone)]
pub struct SigningKey {
    id: String,
    encoding: EncodingKey,
    decoding: DecodingKey,
    csrf: Key,
    entries: Key,
    refresh: Key,
    set_up: SetupCode,
    statements: Arc<Ed25519KeyPair>,
}

impl SigningKey {
    /// The minimum length of a secret in bytes: the output size of the hash.
    pub const SHORTEST: usize = 32;

    /// A key called `id`: 1 to 64 letters, digits, `-` and `_`.
    ///
    /// # Errors
    /// An invalid id, or a secret shorter than [`SHORTEST`](Self::SHORTEST).
    pub fn new(id: &str, secret: &SecretSlice<u8>) -> Result<Self, InvalidValue> {
        let well_named = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if !(1..=64).contains(&id.len()) || !id.chars().all(well_named) {
            let allowed = "1 to 64 letters, digits, - and _";
            return Err(InvalidValue { what: "signing_key.id", allowed });
        }
        let secret = secret.expose_secret();
        if secret.len() < Self::SHORTEST {
            return Err(InvalidValue { what: "signing_key.secret", allowed: "at least 32 bytes" });
        }
        mac::install();
        // Each kind of token has its own key, so that none can pass for another kind.
        let key = Key::new(secret);
        let derived = |purpose| Key::new(&key.sign(purpose));
        // Any 32 bytes are a seed.
        let statements = Ed25519KeyPair::from_seed_unchecked(&key.sign(STATEMENT_PURPOSE))
            .map_err(|_| InvalidValue { what: "signing_key.secret", allowed: "at least 32 bytes" })?;
        let mut set_up = [0; 12];
        set_up.iter_mut().zip(key.sign(SET_UP_PURPOSE)).for_each(|(to, from)| *to = from);
        Ok(Self {
            id: id.to_owned(),
            encoding: EncodingKey::from_secret(secret),
            decoding: DecodingKey::from_secret(secret),
            csrf: derived(CSRF_PURPOSE),
            entries: derived(ENTRY_PURPOSE),
            refresh: derived(REFRESH_PURPOSE),
            set_up: SetupCode::new(set_up),
            statements: Arc::new(statements),
        })
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({})", self.id)
    }
}

/// The account and session a token stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessGrant {
    pub account: AccountId,
    /// The session the token was issued in.
    pub session: SessionId,
    /// The account's token epoch. Raising it invalidates every token issued before.
    pub epoch: i32,
}

/// The contents of a valid token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessClaims {
    pub grant: AccessGrant,
    pub id: Uuid,
    /// The expiry; a live stream opened with the token ends then.
    pub expires_at: Timestamp,
}

/// Why a token is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenRefusal {
    /// It was valid, but has expired: refresh it.
    #[error("the token has expired")]
    Expired,
    /// It is forged, damaged or not yet valid. Callers do not learn which.
    #[error("the token is not valid")]
    Invalid,
}

/// The claims of the JWT. All of them are required; times are Unix seconds.
#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    sub: AccountId,
    sid: SessionId,
    epoch: i32,
    iat: i64,
    nbf: i64,
    exp: i64,
    jti: Uuid,
}

/// The keys of the service: the first signs, all of them verify.
#[derive(Clone, Debug)]
pub struct KeyRing {
    signing: SigningKey,
    retired: Vec<SigningKey>,
}

impl KeyRing {
    /// The key that signs statements.
    pub(super) fn statements(&self) -> &Ed25519KeyPair {
        &self.signing.statements
    }

    /// A key ring whose first key signs.
    ///
    /// # Errors
    /// There is no key, or two have the same id.
    pub fn new(keys: Vec<SigningKey>) -> Result<Self, InvalidValue> {
        let names: BTreeSet<_> = keys.iter().map(|key| &key.id).collect();
        let refused =
            InvalidValue { what: "signing_keys", allowed: "at least one key, each with its own id" };
        if names.len() < keys.len() {
            return Err(refused);
        }
        let mut keys = keys.into_iter();
        let signing = keys.next().ok_or(refused)?;
        Ok(Self { signing, retired: keys.collect() })
    }

    fn keys(&self) -> impl Iterator<Item = &SigningKey> {
        std::iter::once(&self.signing).chain(&self.retired)
    }

    /// The key that signs the marks of refresh tokens.
    pub(super) const fn for_refresh(&self) -> &Key {
        &self.signing.refresh
    }

    /// All keys that may have signed the mark of a refresh token.
    pub(super) fn all_for_refresh(&self) -> impl Iterator<Item = &Key> {
        self.keys().map(|key| &key.refresh)
    }

    /// The key that signs entry links.
    pub(super) const fn for_entries(&self) -> &Key {
        &self.signing.entries
    }

    /// All keys that may have signed an entry link.
    pub(super) fn all_for_entries(&self) -> impl Iterator<Item = &Key> {
        self.keys().map(|key| &key.entries)
    }

    /// Issues a token for `grant`, valid from `now` for `lifetime`. `id` must be a fresh one.
    #[must_use]
    pub fn issue(&self, grant: AccessGrant, id: Uuid, now: Timestamp, lifetime: TimeDelta) -> String {
        let from = now.utc().timestamp();
        let claims = Claims {
            iss: OWLBOX.to_owned(),
            aud: OWLBOX.to_owned(),
            sub: grant.account,
            sid: grant.session,
            epoch: grant.epoch,
            iat: from,
            nbf: from,
            exp: from + lifetime.num_seconds(),
            jti: id,
        };
        let header = Header { kid: Some(self.signing.id.clone()), ..Header::new(Algorithm::HS256) };
        #[expect(
            clippy::expect_used,
            reason = "these claims serialise, and any key of bytes signs with HMAC"
        )]
        jsonwebtoken::encode(&header, &claims, &self.signing.encoding).expect("an HMAC")
    }

    /// Checks `token` and returns its contents, if it is ours and valid at `now`.
    ///
    /// # Errors
    /// [`TokenRefusal`]. Only an otherwise valid token is reported as expired.
    pub fn verify(&self, token: &str, now: Timestamp) -> Result<AccessClaims, TokenRefusal> {
        let header = jsonwebtoken::decode_header(token).map_err(|_| TokenRefusal::Invalid)?;
        let key =
            self.keys().find(|key| header.kid.as_ref() == Some(&key.id)).ok_or(TokenRefusal::Invalid)?;
        let mut wanted = Validation::new(Algorithm::HS256);
        wanted.set_issuer(&[OWLBOX]);
        wanted.set_audience(&[OWLBOX]);
        wanted.set_required_spec_claims(&["iss", "aud", "sub", "exp", "nbf"]);
        // The library would use the system clock instead of `now`.
        wanted.validate_exp = false;
        wanted.validate_nbf = false;
        let claims = jsonwebtoken::decode::<Claims>(token, &key.decoding, &wanted)
            .map_err(|_| TokenRefusal::Invalid)?
            .claims;
        let moment = |seconds| DateTime::from_timestamp(seconds, 0).ok_or(TokenRefusal::Invalid);
        let (from, until) = (moment(claims.nbf)?, moment(claims.exp)?);
        if from > now.utc() + LEEWAY {
            return Err(TokenRefusal::Invalid);
        }
        if until <= now.utc() - LEEWAY {
            return Err(TokenRefusal::Expired);
        }
        let grant = AccessGrant { account: claims.sub, session: claims.sid, epoch: claims.epoch };
        Ok(AccessClaims { grant, id: claims.jti, expires_at: until.into() })
    }

    /// The set-up code of a club without an admin: the same at every instance with these keys.
    #[must_use]
    pub const fn set_up_code(&self) -> &SetupCode {
        &self.signing.set_up
    }

    /// The CSRF token that a form of `session` must carry.
    #[must_use]
    pub fn csrf_token(&self, session: SessionId) -> String {
        URL_SAFE_NO_PAD.encode(self.signing.csrf.sign(session.0.as_bytes()))
    }

    /// Whether `shown` is the CSRF token of a form of `session`, made with any of the keys.
    #[must_use]
    pub fn csrf_matches(&self, session: SessionId, shown: &str) -> bool {
        let Ok(tag) = URL_SAFE_NO_PAD.decode(shown) else { return false };
        self.keys().any(|key| key.csrf.verify(session.0.as_bytes(), &tag))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;
    use serde_json::{Value, json};

    fn key(id: &str, byte: u8) -> SigningKey {
        SigningKey::new(id, &SecretSlice::from(vec![byte; 32])).unwrap()
    }
    fn ring(keys: &[(&str, u8)]) -> KeyRing {
        KeyRing::new(keys.iter().map(|(id, byte)| key(id, *byte)).collect()).unwrap()
    }
    fn ours() -> KeyRing {
        ring(&[("2026-11", 1)])
    }
    fn second(seconds: i64) -> Timestamp {
        (DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)).into()
    }
    fn grant() -> AccessGrant {
        AccessGrant {
            account: AccountId(Uuid::from_u128(1)),
            session: SessionId(Uuid::from_u128(2)),
            epoch: 7,
        }
    }
    fn token() -> String {
        ours().issue(grant(), Uuid::from_u128(3), second(1000), LIFETIME)
    }
    fn encoded(part: &Value) -> String {
        URL_SAFE_NO_PAD.encode(part.to_string())
    }
    fn parts(token: &str) -> (Value, Value) {
        let mut parts =
            token.split('.').map(|part| serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()));
        (parts.next().unwrap().unwrap(), parts.next().unwrap().unwrap())
    }
    /// A token of these parts, signed with our key as HS256 whatever the header says.
    fn signed(header: &Value, claims: &Value) -> String {
        let message = format!("{}.{}", encoded(header), encoded(claims));
        let tag = Key::new(&[1; 32]).sign(message.as_bytes());
        format!("{message}.{}", URL_SAFE_NO_PAD.encode(tag))
    }

    #[test]
    fn a_token_says_whom_it_speaks_for_and_carries_every_claim() {
        let claims = ours().verify(&token(), second(1000)).unwrap();
        assert_eq!(claims, AccessClaims { grant: grant(), id: Uuid::from_u128(3), expires_at: second(1900) });
        let (header, claims) = parts(&token());
        assert_eq!(header, json!({"typ": "JWT", "alg": "HS256", "kid": "2026-11"}));
        let (account, session) = (grant().account, grant().session);
        let id = Uuid::from_u128(3);
        let (from, until) = (1000, 1900);
        assert_eq!(
            claims,
            json!({"iss": "owlbox", "aud": "owlbox", "sub": account, "sid": session, "epoch": 7,
                "iat": from, "nbf": from, "exp": until, "jti": id})
        );
        assert_eq!(signed(&header, &claims).split('.').count(), 3, "the forger below works");
        assert!(ours().verify(&signed(&header, &claims), second(1000)).is_ok(), "and forges well");
    }

    #[rstest]
    #[case::before_its_time(994, Err(TokenRefusal::Invalid))]
    #[case::within_leeway_before(995, Ok(()))]
    #[case::at_once(1000, Ok(()))]
    #[case::at_the_end(1899, Ok(()))]
    #[case::within_leeway_after(1904, Ok(()))]
    #[case::after_the_end(1905, Err(TokenRefusal::Expired))]
    #[case::long_after(100_000, Err(TokenRefusal::Expired))]
    fn a_token_is_good_for_fifteen_minutes(#[case] at: i64, #[case] expected: Result<(), TokenRefusal>) {
        assert_eq!(ours().verify(&token(), second(at)).map(|_| ()), expected);
    }

    #[test]
    fn a_key_rotates_and_the_old_one_still_verifies_until_it_is_dropped() {
        let old = token();
        let rotated = ring(&[("2026-12", 2), ("2026-11", 1)]);
        assert_eq!(rotated.verify(&old, second(1000)).unwrap().grant, grant());
        let new = rotated.issue(grant(), Uuid::from_u128(4), second(1000), LIFETIME);
        assert_eq!(parts(&new).0["kid"], "2026-12");
        assert!(rotated.verify(&new, second(1000)).is_ok());
        assert_eq!(ours().verify(&new, second(1000)), Err(TokenRefusal::Invalid), "unknown key");
        assert_eq!(ring(&[("2026-12", 2)]).verify(&old, second(1000)), Err(TokenRefusal::Invalid));
    }

    #[test]
    fn another_secret_under_the_same_name_does_not_verify() {
        let other = ring(&[("2026-11", 9)]);
        assert_eq!(other.verify(&token(), second(1000)), Err(TokenRefusal::Invalid));
        // A stranger does not even learn that a token has expired.
        assert_eq!(other.verify(&token(), second(9999)), Err(TokenRefusal::Invalid));
    }

    #[rstest]
    #[case::none(json!({"typ": "JWT", "alg": "none", "kid": "2026-11"}))]
    #[case::none_shouted(json!({"typ": "JWT", "alg": "NONE", "kid": "2026-11"}))]
    #[case::longer_hash(json!({"typ": "JWT", "alg": "HS512", "kid": "2026-11"}))]
    #[case::public_key(json!({"typ": "JWT", "alg": "RS256", "kid": "2026-11"}))]
    #[case::no_algorithm(json!({"typ": "JWT", "kid": "2026-11"}))]
    #[case::no_key(json!({"typ": "JWT", "alg": "HS256"}))]
    #[case::foreign_key(json!({"typ": "JWT", "alg": "HS256", "kid": "../../etc/passwd"}))]
    fn another_algorithm_or_key_is_refused(#[case] header: Value) {
        let (_, claims) = parts(&token());
        let forged = signed(&header, &claims);
        assert_eq!(ours().verify(&forged, second(1000)), Err(TokenRefusal::Invalid));
        let unsigned = format!("{}.{}.", encoded(&header), encoded(&claims));
        assert_eq!(ours().verify(&unsigned, second(1000)), Err(TokenRefusal::Invalid));
    }

    #[rstest]
    fn every_claim_is_required_and_checked(
        #[values("iss", "aud", "sub", "sid", "epoch", "iat", "nbf", "exp", "jti")] claim: &str,
        #[values(None, Some(json!("other")), Some(json!(null)), Some(json!(["other"])))] value: Option<Value>,
    ) {
        let (header, mut claims) = parts(&token());
        let map = claims.as_object_mut().unwrap();
        match value {
            None => map.remove(claim),
            Some(value) => map.insert(claim.to_owned(), value),
        };
        assert_eq!(ours().verify(&signed(&header, &claims), second(1000)), Err(TokenRefusal::Invalid));
    }

    #[test]
    fn times_beyond_all_calendars_are_refused() {
        let (header, claims) = parts(&token());
        for claim in ["nbf", "exp"] {
            let mut claims = claims.clone();
            claims[claim] = json!(i64::MAX);
            assert_eq!(ours().verify(&signed(&header, &claims), second(1000)), Err(TokenRefusal::Invalid));
        }
    }

    #[test]
    fn a_token_with_any_letter_changed_is_refused() {
        let good = token();
        for place in 0..good.len() {
            // The neighbours catch letters whose last bits a careless decoder would drop.
            for letter in ["A", "B", "C", "D", "-", "_", "."] {
                let mut bad = good.clone();
                bad.replace_range(place..=place, letter);
                let expected = if bad == good { Ok(grant()) } else { Err(TokenRefusal::Invalid) };
                let verified = ours().verify(&bad, second(1000)).map(|claims| claims.grant);
                assert_eq!(verified, expected, "{letter} at {place}");
            }
        }
        let last = good.chars().last().unwrap();
        for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".chars() {
            let bad = format!("{}{letter}", &good[..good.len() - 1]);
            assert_eq!(ours().verify(&bad, second(1000)).is_ok(), letter == last, "{letter} at the end");
        }
    }

    proptest! {
        #[test]
        fn rubbish_is_refused(rubbish in "\\PC{0,80}") {
            prop_assert_eq!(ours().verify(&rubbish, second(1000)), Err(TokenRefusal::Invalid));
            prop_assert!(!ours().csrf_matches(grant().session, &rubbish));
        }
    }

    #[test]
    fn a_form_counts_for_its_own_session_under_any_key_of_the_ring() {
        let session = grant().session;
        let form = ours().csrf_token(session);
        assert!(ours().csrf_matches(session, &form));
        assert!(ring(&[("2026-12", 2), ("2026-11", 1)]).csrf_matches(session, &form));
        assert!(!ring(&[("2026-11", 2)]).csrf_matches(session, &form));
        assert!(!ours().csrf_matches(SessionId(Uuid::from_u128(9)), &form));
        for bad in ["", &form[1..], &format!("{form}A"), "===="] {
            assert!(!ours().csrf_matches(session, bad), "{bad}");
        }
    }

    #[test]
    fn instances_with_the_same_keys_show_the_same_set_up_code() {
        let code = ours().set_up_code().reveal();
        assert!(ring(&[("2026-11", 1), ("2026-10", 2)]).set_up_code().matches(&code));
        assert!(!ring(&[("2026-11", 2)]).set_up_code().matches(&code));
    }

    #[test]
    fn weak_nameless_and_doubled_keys_are_refused() {
        let short = SecretSlice::from(vec![1; 31]);
        assert_eq!(SigningKey::new("a", &short).unwrap_err().what, "signing_key.secret");
        let long = SecretSlice::from(vec![1; 32]);
        for bad in ["", "a b", "é", &"x".repeat(65)] {
            assert_eq!(SigningKey::new(bad, &long).unwrap_err().what, "signing_key.id", "{bad}");
        }
        assert!(KeyRing::new(vec![]).is_err());
        assert!(KeyRing::new(vec![key("a", 1), key("a", 2)]).is_err());
        assert_eq!(format!("{:?}", key("a", 1)), "SigningKey(a)");
    }
}
