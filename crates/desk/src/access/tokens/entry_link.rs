//! Links for entries of tournaments, as QR codes hold them: signed, short, narrow, and for a while.
//!
//! A link says which entry of which division of which tournament it is for, and until which hour it is good; a tag by the
//! service's key proves it. The tag is also of the player whose entry it was when the link was made, whom the link does not
//! name: a number that somebody else has by now leads nowhere. It proves nothing else, and lets its holder do nothing but see
//! and report for that player.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::DateTime;
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use super::TokenRefusal;
use super::access::KeyRing;
use owlbox_domain::values::{PlayerId, Timestamp, TournamentId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryGrant {
    pub tournament: TournamentId,
    /// The division, from 1.
    pub division: u8,
    /// The entry, from 1.
    pub entry: u32,
}

/// What a link says, as long as nothing is [proven](KeyRing::prove_entry_link).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryLink {
    /// Whose it says that it is.
    pub grant: EntryGrant,
    /// The hour at which it ends.
    until: u32,
    tag: [u8; TAG],
}

/// What a link holds before the tag: the tournament, the division, the entry, and the hour at which it ends.
const SAID: usize = 16 + 1 + 4 + 4;
/// What is signed: that, and the player.
const SIGNED: usize = SAID + 16;
/// As much of the tag as a code of a comfortable size holds; nobody guesses 128 bits.
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
    /// What the text of a link says.
    ///
    /// # Errors
    /// It is no link's.
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
    /// The text of a link for the entry of this player, good until the hour in which `until` is has ended.
    #[must_use]
    pub fn entry_link(&self, grant: EntryGrant, player: PlayerId, until: Timestamp) -> String {
        let hours = u32::try_from(until.utc().timestamp() / HOUR + 1).unwrap_or(0);
        let signed = grant.signed(hours, player);
        let tag = self.for_entries().sign(&signed);
        let bytes: Vec<u8> = signed.iter().take(SAID).chain(tag.iter().take(TAG)).copied().collect();
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Proves that a link is one of ours, made for this player, and good at `now`.
    ///
    /// # Errors
    /// [`TokenRefusal`]; only one that is right in every other way is called expired.
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

    /// Whose link this is, if it is Ada's.
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
