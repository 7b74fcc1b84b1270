//! Links to tournament entries, for QR codes: signed, short, limited in scope and in time.
//!
//! A link names its tournament, division and entry and the hour it expires; a tag made with the service's key
//! proves it. The tag also covers the player who held the entry when the link was made, though the link does
//! not name them: if the entry's number belongs to somebody else by now, the link is void. Its holder can see
//! and report that player's matches and nothing else.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::DateTime;
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use super::TokenRefusal;
use super::access::KeyRing;
use owlbox_base::values::{PlayerId, Timestamp, TournamentId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryGrant {
    pub tournament: TournamentId,
    /// The number of the division, counted from 1.
    pub division: u8,
    /// The number of the entry within its division, counted from 1.
    pub entry: u32,
}

/// A parsed link; to be trusted only once it is [proven](KeyRing::prove_entry_link).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryLink {
    /// The entry it claims to be for.
    pub grant: EntryGrant,
    /// The hour it expires, in hours since the Unix epoch.
    until: u32,
    tag: [u8; TAG],
}

/// The bytes before the tag: tournament, division, entry and expiry.
const SAID: usize = 16 + 1 + 4 + 4;
/// The signed bytes: those, and the player.
const SIGNED: usize = SAID + 16;
/// The tag is truncated to keep the QR code small; nobody guesses 128 bits.
const TAG: usize = 16;
const HOUR: i64 = 3_600;

impl EntryGrant {
    fn signed(self, until: u32, player: PlayerId) -> [u8; SIGNED] {
        let mut bytes = [0; SIGNED];
        let entry = self.entry.to_be_bytes();
        let until = until.to_be_bytes();
        let said = self.tournament.0.as_bytes().iter().chain([&self.division]).chain(&entry).chain(&until);
        bytes.iter_mut().zip(said.chain(player.0.as_bytes())).for_each(|(to, from)| *to = *from);
        bytes
    }
}

impl EntryLink {
    /// Parses the text of a link, without checking its tag.
    ///
    /// # Errors
    /// [`TokenRefusal::Invalid`] if it does not have the form of a link.
    pub fn read(text: &str) -> Result<Self, TokenRefusal> {
        let read = || {
            let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
            let (tournament, rest) = bytes.split_first_chunk::<16>()?;
            let (&division, rest) = rest.split_first()?;
            let (entry, rest) = rest.split_first_chunk::<4>()?;
            let (until, tag) = rest.split_first_chunk::<4>()?;
            let tournament = TournamentId(Uuid::from_bytes(*tournament));
            let grant = EntryGrant { tournament, division, entry: u32::from_be_bytes(*entry) };
            Some(Self { grant, until: u32::from_be_bytes(*until), tag: tag.try_into().ok()? })
        };
        read().ok_or(TokenRefusal::Invalid)
    }
}

impl KeyRing {
    /// The text of a link to this player's entry. It expires at the end of the hour that contains `until`.
    #[must_use]
    pub fn entry_link(&self, grant: EntryGrant, player: PlayerId, until: Timestamp) -> String {
        let hours = u32::try_from(until.utc().timestamp() / HOUR + 1).unwrap_or(0);
        let signed = grant.signed(hours, player);
        let tag = self.for_entries().sign(&signed);
        let bytes: Vec<u8> = signed.iter().take(SAID).chain(tag.iter().take(TAG)).copied().collect();
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Checks that a link was signed by us for this player, and is still valid at `now`.
    ///
    /// # Errors
    /// [`TokenRefusal`]. Only an otherwise valid link is reported as expired.
    pub fn prove_entry_link(
        &self,
        link: &EntryLink,
        player: PlayerId,
        now: Timestamp,
    ) -> Result<(), TokenRefusal> {
        let signed = link.grant.signed(link.until, player);
        let is_ours = self.all_for_entries().any(|key| {
            let tag = key.sign(&signed);
            tag.get(..TAG).is_some_and(|tag| bool::from(tag.ct_eq(&link.tag)))
        });
        let until = DateTime::from_timestamp(i64::from(link.until) * HOUR, 0).filter(|_| is_ours);
        let until = until.ok_or(TokenRefusal::Invalid)?;
        if now.utc() < until { Ok(()) } else { Err(TokenRefusal::Expired) }
    }
}

#[cfg(test)]
mod tests {
    use secrecy::SecretSlice;

    use super::*;
    use crate::access::tokens::SigningKey;

    fn ring(bytes: &[u8]) -> KeyRing {
        let key =
            |byte: &u8| SigningKey::new(&format!("key-{byte}"), &SecretSlice::from(vec![*byte; 32])).unwrap();
        KeyRing::new(bytes.iter().map(key).collect()).unwrap()
    }

    fn hour(hour: i64) -> Timestamp {
        DateTime::from_timestamp(1_800_000_000 + hour * HOUR, 0).unwrap().into()
    }

    const GRANT: EntryGrant =
        EntryGrant { tournament: TournamentId(Uuid::from_u128(7)), division: 2, entry: 65_536 };
    const ADA: PlayerId = PlayerId(Uuid::from_u128(1));
    const BEA: PlayerId = PlayerId(Uuid::from_u128(2));

    /// The grant of the link, if it is Ada's.
    fn of_ada(keys: &[u8], link: &str, now: Timestamp) -> Result<EntryGrant, TokenRefusal> {
        let link = EntryLink::read(link)?;
        ring(keys).prove_entry_link(&link, ADA, now).map(|()| link.grant)
    }

    #[test]
    fn a_link_says_whose_it_is_until_its_hour_has_ended() {
        let link = ring(&[1]).entry_link(GRANT, ADA, hour(5));
        assert!(link.len() < 60, "{link}");
        assert_eq!(of_ada(&[1], &link, hour(0)), Ok(GRANT));
        assert_eq!(of_ada(&[1], &link, hour(5)), Ok(GRANT));
        assert_eq!(of_ada(&[1], &link, hour(6)), Err(TokenRefusal::Expired));
    }

    #[test]
    fn a_link_is_of_the_player_for_whom_it_was_made_and_of_nobody_who_has_the_number_later() {
        let link = EntryLink::read(&ring(&[1]).entry_link(GRANT, ADA, hour(5))).unwrap();
        assert_eq!(ring(&[1]).prove_entry_link(&link, BEA, hour(0)), Err(TokenRefusal::Invalid));
        assert_eq!(ring(&[1]).prove_entry_link(&link, BEA, hour(6)), Err(TokenRefusal::Invalid));
    }

    #[test]
    fn a_link_outlives_the_rotation_of_keys_and_not_the_key_itself() {
        let link = ring(&[1]).entry_link(GRANT, ADA, hour(5));
        assert_eq!(of_ada(&[2, 1], &link, hour(0)), Ok(GRANT));
        assert_eq!(of_ada(&[2], &link, hour(0)), Err(TokenRefusal::Invalid));
    }

    #[test]
    fn whatever_is_changed_of_a_link_makes_it_nobodys() {
        let link = ring(&[1]).entry_link(GRANT, ADA, hour(5));
        let bytes = URL_SAFE_NO_PAD.decode(&link).unwrap();
        for at in 0..bytes.len() {
            let mut forged = bytes.clone();
            forged[at] ^= 1;
            let forged = URL_SAFE_NO_PAD.encode(forged);
            assert_eq!(of_ada(&[1], &forged, hour(0)), Err(TokenRefusal::Invalid), "byte {at}");
        }
        for cut in 0..bytes.len() {
            let cut = URL_SAFE_NO_PAD.encode(&bytes[..cut]);
            assert_eq!(of_ada(&[1], &cut, hour(0)), Err(TokenRefusal::Invalid));
        }
    }
}
