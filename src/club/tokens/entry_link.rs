//! Links for entries of tournaments, as QR codes hold them: signed, short, narrow, and for a while.
//!
//! A link says which entry of which division of which tournament it is for, and until which hour it is good; a tag by the
//! service's key proves it. It proves nothing else, and lets its holder do nothing but see and report for that entry.

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::DateTime;
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use super::TokenRefusal;
use super::access::KeyRing;
use crate::values::{Timestamp, TournamentId};

/// Whose link it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryGrant {
    /// The tournament.
    pub tournament: TournamentId,
    /// The division, from 1.
    pub division: u8,
    /// The entry, from 1.
    pub entry: u32,
}

/// What is signed: the tournament, the division, the entry, and the hour at which it ends.
const SIGNED: usize = 16 + 1 + 4 + 4;
/// As much of the tag as a code of a comfortable size holds; nobody guesses 128 bits.
const TAG: usize = 16;
const HOUR: i64 = 3_600;

impl EntryGrant {
    fn signed(self, until: u32) -> [u8; SIGNED] {
        let mut bytes = [0; SIGNED];
        let entry = self.entry.to_be_bytes();
        let until = until.to_be_bytes();
        let parts = self.tournament.0.as_bytes().iter().chain([&self.division]).chain(&entry).chain(&until);
        bytes.iter_mut().zip(parts).for_each(|(to, from)| *to = *from);
        bytes
    }

    fn read(bytes: &[u8]) -> Option<(Self, u32)> {
        let (tournament, rest) = bytes.split_first_chunk::<16>()?;
        let (&division, rest) = rest.split_first()?;
        let (entry, rest) = rest.split_first_chunk::<4>()?;
        let (until, rest) = rest.split_first_chunk::<4>()?;
        let tournament = TournamentId(Uuid::from_bytes(*tournament));
        let grant = Self { tournament, division, entry: u32::from_be_bytes(*entry) };
        rest.is_empty().then_some((grant, u32::from_be_bytes(*until)))
    }
}

impl KeyRing {
    /// The text of a link, good until the hour in which `until` is has ended.
    #[must_use]
    pub fn entry_link(&self, grant: EntryGrant, until: Timestamp) -> String {
        let hours = u32::try_from(until.utc().timestamp() / HOUR + 1).unwrap_or(0);
        let signed = grant.signed(hours);
        let tag = hmac::sign(self.for_entries(), &signed);
        let tag = tag.as_ref().iter().take(TAG);
        let bytes: Vec<u8> = signed.iter().chain(tag).copied().collect();
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Whose link it is, if it is one of ours and good at `now`.
    ///
    /// # Errors
    /// [`TokenRefusal`]; only one that is right in every other way is called expired.
    pub fn read_entry_link(&self, text: &str, now: Timestamp) -> Result<EntryGrant, TokenRefusal> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| TokenRefusal::Invalid)?;
        let (signed, shown) = bytes.split_at_checked(SIGNED).ok_or(TokenRefusal::Invalid)?;
        let ours = self.all_for_entries().any(|key| {
            let tag = hmac::sign(key, signed);
            shown.len() == TAG && tag.as_ref().get(..TAG).is_some_and(|tag| bool::from(tag.ct_eq(shown)))
        });
        let (grant, hours) = EntryGrant::read(signed).filter(|_| ours).ok_or(TokenRefusal::Invalid)?;
        let until = DateTime::from_timestamp(i64::from(hours) * HOUR, 0).ok_or(TokenRefusal::Invalid)?;
        if now.utc() < until { Ok(grant) } else { Err(TokenRefusal::Expired) }
    }
}

#[cfg(test)]
mod tests {
    use secrecy::SecretSlice;

    use super::*;
    use crate::club::tokens::SigningKey;

    fn ring(bytes: &[u8]) -> KeyRing {
        let key =
            |byte: &u8| SigningKey::new(&format!("key-{byte}"), &SecretSlice::from(vec![*byte; 32])).unwrap();
        KeyRing::new(bytes.iter().map(key).collect()).unwrap()
    }

    fn hour(hour: i64) -> Timestamp {
        DateTime::from_timestamp(1_800_000_000 + hour * HOUR, 0).unwrap().into()
    }

    const ADA: EntryGrant =
        EntryGrant { tournament: TournamentId(Uuid::from_u128(7)), division: 2, entry: 65_536 };

    #[test]
    fn a_link_says_whose_it_is_until_its_hour_has_ended() {
        let link = ring(&[1]).entry_link(ADA, hour(5));
        assert!(link.len() < 60, "{link}");
        assert_eq!(ring(&[1]).read_entry_link(&link, hour(0)), Ok(ADA));
        assert_eq!(ring(&[1]).read_entry_link(&link, hour(5)), Ok(ADA));
        assert_eq!(ring(&[1]).read_entry_link(&link, hour(6)), Err(TokenRefusal::Expired));
    }

    #[test]
    fn a_link_outlives_the_rotation_of_keys_and_not_the_key_itself() {
        let link = ring(&[1]).entry_link(ADA, hour(5));
        assert_eq!(ring(&[2, 1]).read_entry_link(&link, hour(0)), Ok(ADA));
        assert_eq!(ring(&[2]).read_entry_link(&link, hour(0)), Err(TokenRefusal::Invalid));
    }

    #[test]
    fn whatever_is_changed_of_a_link_makes_it_nobodys() {
        let link = ring(&[1]).entry_link(ADA, hour(5));
        let bytes = URL_SAFE_NO_PAD.decode(&link).unwrap();
        for at in 0..bytes.len() {
            let mut forged = bytes.clone();
            forged[at] ^= 1;
            let forged = URL_SAFE_NO_PAD.encode(forged);
            assert_eq!(ring(&[1]).read_entry_link(&forged, hour(0)), Err(TokenRefusal::Invalid), "byte {at}");
        }
        for cut in 0..bytes.len() {
            let cut = URL_SAFE_NO_PAD.encode(&bytes[..cut]);
            assert_eq!(ring(&[1]).read_entry_link(&cut, hour(0)), Err(TokenRefusal::Invalid));
        }
    }
}
