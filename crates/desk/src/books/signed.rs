//! Signed statements: a text that anybody can check without the club.
//!
//! The text is the statement as JSON, and below it a line with the club's public key and the signature over
//! all bytes above that line. A single changed byte anywhere makes it invalid. The statement holds the last
//! link of the [chain of transactions](owlbox_store::books::TransactionRow::hash_after), so anyone who keeps
//! it holds the club to everything before.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use chrono::NaiveDate;
use ring::signature::{ED25519, UnparsedPublicKey};
use serde::{Deserialize, Serialize};

use crate::books::statements::{Filter, Names, Statement, StatementLine, WholeStatement};
use crate::{Actor, Desk, Refused};
use owlbox_base::values::{Holder, HolderKind, Timestamp};
use owlbox_books::ledger::Unit;

/// The beginning of the last line.
const MARK: &str = "signed ed25519 ";

/// What is signed: one account in one unit, over a period. Names are as the signer wrote them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    pub club: String,
    pub account: HolderKind,
    pub id: uuid::Uuid,
    pub name: Option<String>,
    pub unit: Unit,
    pub from: Option<NaiveDate>,
    pub until: Option<NaiveDate>,
    pub opening: i64,
    pub closing: i64,
    pub lines: Vec<DocumentLine>,
    pub issued_at: Timestamp,
    pub chain: Chain,
}

/// The last link of the chain when the statement was issued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    pub transactions: i64,
    pub hash: String,
}

/// A line of a signed statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentLine {
    pub counts_for: NaiveDate,
    pub night: NaiveDate,
    pub kind: String,
    pub purpose: String,
    pub with: String,
    pub from: String,
    pub memo: Option<String>,
    pub amount: i64,
    pub balance: Option<i64>,
    pub transaction: uuid::Uuid,
}

/// A statement that was not changed since this key signed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The statement.
    pub statement: Document,
    /// The public key that signed it, as it is written.
    pub key: String,
}

/// Why a text is no signed statement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotSigned {
    /// It has no line with a signature at its end, or that line is not well formed.
    #[error("there is no signature at its end")]
    NoSignature,
    /// The signature is not over this text.
    #[error("the signature does not belong to this text: something in it was changed")]
    Changed,
    /// It is signed, and no statement of account.
    #[error("it is signed, but is not a statement of account: {0}")]
    NoStatement(String),
    /// Another key signed it.
    #[error("it was signed by {found}, not by {expected}")]
    OtherKey {
        /// The key that signed it.
        found: String,
        /// The key that should have.
        expected: String,
    },
}

/// Checks a signed statement; with `key`, also that this public key signed it. Without one it may be
/// anybody's.
///
/// # Errors
/// [`NotSigned`].
pub fn verify(text: &str, key: Option<&str>) -> Result<Verified, NotSigned> {
    let whole = text.strip_suffix('\n').ok_or(NotSigned::NoSignature)?;
    let (_, last) = whole.rsplit_once('\n').ok_or(NotSigned::NoSignature)?;
    let said = whole.get(..whole.len() - last.len()).ok_or(NotSigned::NoSignature)?;
    let (public, signature) =
        last.strip_prefix(MARK).and_then(|rest| rest.split_once(' ')).ok_or(NotSigned::NoSignature)?;
    let bytes = |text: &str| BASE64.decode(text).map_err(|_| NotSigned::NoSignature);
    let verifying = <[u8; 32]>::try_from(bytes(public)?).map_err(|_| NotSigned::NoSignature)?;
    let signature = <[u8; 64]>::try_from(bytes(signature)?).map_err(|_| NotSigned::NoSignature)?;
    let holds = UnparsedPublicKey::new(&ED25519, verifying).verify(said.as_bytes(), &signature).is_ok();
    if !holds || has_small_order(verifying) {
        return Err(NotSigned::Changed);
    }
    if let Some(expected) = key.filter(|key| *key != public) {
        return Err(NotSigned::OtherKey { found: public.to_owned(), expected: expected.to_owned() });
    }
    let statement = serde_json::from_str(said).map_err(|error| NotSigned::NoStatement(error.to_string()))?;
    Ok(Verified { statement, key: public.to_owned() })
}

/// Whether a public key is a point of order 1, 2, 4 or 8 (RFC 8032, 5.1.3, in every encoding that ring
/// reads). One signature by such a key fits many texts, so it proves nothing, and ring takes it.
fn has_small_order(mut key: [u8; 32]) -> bool {
    /// The ordinates of order 8.
    const EIGHT: [[u8; 32]; 2] = [
        [
            0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
            0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
        ],
        [
            0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
            0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
        ],
    ];
    key[31] &= 0x7f; // the sign of the abscissa
    match key {
        // The ordinates 0 and 1; -1, and 0 and 1 written as the prime 2^255 - 19 and one more.
        [0 | 1, rest @ ..] if rest == [0; 31] => true,
        [0xec..=0xee, rest @ .., 0x7f] if rest == [0xff; 30] => true,
        ordinate => EIGHT.contains(&ordinate),
    }
}

impl Desk {
    /// A signed statement of an account over a period.
    ///
    /// # Errors
    /// There is no such account, the caller may not see it, or it has too many lines.
    pub async fn signed_statement(
        &self,
        actor: &Actor,
        holder: Holder,
        unit: Unit,
        [from, until]: [Option<NaiveDate>; 2],
    ) -> Result<String, Refused> {
        let filter = Filter { from, until, ..Filter::default() };
        let WholeStatement { statement, names, club, end } =
            self.whole_statement(actor, holder, unit, filter).await?;
        let name = holder.player().and_then(|player| names.players.get(&player).cloned());
        let document = Document {
            club,
            account: holder.kind(),
            id: holder.id(),
            name,
            unit,
            from,
            until,
            opening: statement.opening,
            closing: statement.closing,
            lines: lines(&statement, &names),
            issued_at: self.now(),
            chain: Chain { transactions: end.number, hash: end.hash.hex() },
        };
        let mut text = serde_json::to_string_pretty(&document).map_err(|error| {
            owlbox_store::StoreError::from(owlbox_base::journal::BrokenHistory(error.to_string()))
        })?;
        text.push('\n');
        let keys = self.keys();
        let (key, signature) = (BASE64.encode(keys.statement_key()), keys.sign_statement(text.as_bytes()));
        let line = format!("{MARK}{key} {}\n", BASE64.encode(signature));
        Ok(text + &line)
    }

    /// The club's public key, as signed statements name it.
    #[must_use]
    pub fn statement_key(&self) -> String {
        BASE64.encode(self.keys().statement_key())
    }
}

/// The lines, oldest first.
fn lines(statement: &Statement, names: &Names) -> Vec<DocumentLine> {
    let line = |line: &StatementLine| DocumentLine {
        counts_for: line.booked_on,
        night: line.night,
        kind: line.kind.clone(),
        purpose: line.bet.clone(),
        with: names.with(line.other),
        from: names.from(line.source),
        memo: line.memo.as_ref().map(ToString::to_string),
        amount: line.amount,
        balance: line.running,
        transaction: line.transaction.0,
    };
    statement.lines.iter().rev().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::AuthSettings;
    use crate::access::tokens::{KeyRing, SigningKey};

    fn signed(said: &str, keys: &KeyRing) -> String {
        let (public, signature) = (keys.statement_key(), keys.sign_statement(said.as_bytes()));
        format!("{said}{MARK}{} {}\n", BASE64.encode(public), BASE64.encode(signature))
    }

    /// A short statement.
    fn document() -> String {
        let document = Document {
            club: "Zürich".to_owned(),
            account: HolderKind::Player,
            id: uuid::Uuid::nil(),
            name: Some("Zoë".to_owned()),
            unit: Unit::HalfPoints,
            from: None,
            until: None,
            opening: 0,
            closing: -750,
            lines: Vec::new(),
            issued_at: chrono::DateTime::UNIX_EPOCH.into(),
            chain: Chain { transactions: 0, hash: String::new() },
        };
        serde_json::to_string_pretty(&document).unwrap() + "\n"
    }

    /// S7: what is signed is not therefore a statement.
    #[test]
    fn what_is_signed_and_no_statement_is_refused() {
        let keys = AuthSettings::throwaway().keys.now();
        let lacks = document().replace("closing", "ending");
        for said in ["5\n", "{}\n", "[]\n", "null\n", "\n", "no JSON\n", lacks.as_str()] {
            let refused = verify(&signed(said, &keys), None);
            assert!(matches!(refused, Err(NotSigned::NoStatement(_))), "{said:?}: {refused:?}");
        }
        let more = document().replacen('{', "{\"added_later\": [1],", 1);
        assert!(verify(&signed(&more, &keys), None).is_ok(), "a later version may say more");
    }

    #[test]
    fn every_changed_byte_is_found() {
        let keys = AuthSettings::throwaway().keys.now();
        let text = signed(&document(), &keys);
        let verified = verify(&text, None).unwrap();
        assert_eq!(verified.statement.closing, -750);
        assert_eq!(verify(&text, Some(&verified.key)), Ok(verified));
        for place in 0..text.len() {
            for flip in [1, 2, 32] {
                let mut bytes = text.clone().into_bytes();
                bytes[place] ^= flip;
                let Ok(changed) = String::from_utf8(bytes) else { continue };
                assert!(verify(&changed, None).is_err(), "byte {place}: {changed}");
            }
        }
        for cut in 0..text.len() {
            assert!(text.get(..cut).is_none_or(|cut| verify(cut, None).is_err()));
        }
        assert!(verify(&format!("{text}\n"), None).is_err());
    }

    /// Key and signature were made with OpenSSL from the same secret, so statements that were signed before
    /// still hold.
    #[test]
    fn key_and_signature_follow_from_the_secret() {
        let keys = KeyRing::new(vec![SigningKey::new("old", &vec![7; 32].into()).unwrap()]).unwrap();
        assert_eq!(BASE64.encode(keys.statement_key()), "Bh8QedXpGh68o7q7H4fxMhw3sIh0d8dZr3pFgkghb04");
        assert_eq!(
            BASE64.encode(keys.sign_statement(b"a statement\n")),
            "xdS_cD7mC-OoMVzoeOh77EWfQLC2DOwDRMacIP6H2B0fU-CrQyozZSHfqjmFxZYN0xQAcCRTAz3o1jh_wOqCCQ"
        );
    }

    #[test]
    fn a_key_of_small_order_proves_nothing() {
        let orders_of_1_to_8 = [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ];
        let points = orders_of_1_to_8.into_iter().flat_map(|hex| {
            let byte = |at: usize| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap();
            let point: [u8; 32] = std::array::from_fn(byte);
            let mut other = point;
            other[31] |= 0x80;
            [point, other]
        });
        let points: Vec<_> = points.collect();
        for key in &points {
            // Nobody holds a secret of this key, and yet one of these points and nothing signs one text of
            // eight or more.
            let forged =
                (0..100).flat_map(|said| points.iter().map(move |point| (format!("{said}\n"), point)));
            let mut forged = forged.map(|(said, point)| (said, [*point, [0; 32]].concat()));
            let by_ring = UnparsedPublicKey::new(&ED25519, key);
            let taken = forged.find(|(said, signature)| by_ring.verify(said.as_bytes(), signature).is_ok());
            let (said, signature) = taken.expect("ring alone takes it");
            let text = format!("{said}{MARK}{} {}\n", BASE64.encode(key), BASE64.encode(signature));
            assert_eq!(verify(&text, None), Err(NotSigned::Changed), "{key:?}");
        }
    }

    #[test]
    fn another_clubs_signature_is_another_key() {
        let [own, other] = [AuthSettings::throwaway().keys.now(), AuthSettings::throwaway().keys.now()];
        let key = BASE64.encode(own.statement_key());
        let text = signed("{}\n", &other);
        assert!(matches!(verify(&text, Some(&key)), Err(NotSigned::OtherKey { .. })));
    }
}
