//! The keys in use, which can be exchanged while the service runs.

use std::sync::{Arc, PoisonError, RwLock};

use super::KeyRing;

/// The key ring that is in use now. Clones share it.
#[derive(Clone, Debug)]
pub struct HeldKeys(Arc<RwLock<Arc<KeyRing>>>);

impl HeldKeys {
    #[must_use]
    pub fn new(keys: KeyRing) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(keys))))
    }

    /// The keys as they are now: one piece of work asks once.
    #[must_use]
    pub fn now(&self) -> Arc<KeyRing> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// From now on these are in use. What was signed with a key that is not among them is not valid any more.
    pub fn exchange(&self, keys: KeyRing) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(keys);
    }
}

#[cfg(test)]
mod tests {
    use secrecy::SecretSlice;

    use super::*;
    use crate::access::tokens::{SessionId, SigningKey};

    #[test]
    fn whoever_holds_the_keys_sees_an_exchange() {
        let ring = |names: &[&str]| {
            let key = |name: &&str| SigningKey::new(name, &SecretSlice::from(name.repeat(32).into_bytes()));
            KeyRing::new(names.iter().map(|name| key(name).unwrap()).collect()).unwrap()
        };
        let session = SessionId(uuid::Uuid::nil());
        let held = HeldKeys::new(ring(&["a"]));
        let (other, token) = (held.clone(), held.now().csrf_token(session));
        held.exchange(ring(&["b", "a"]));
        assert!(other.now().csrf_matches(session, &token));
        assert_ne!(other.now().csrf_token(session), token);
        other.exchange(ring(&["b"]));
        assert!(!held.now().csrf_matches(session, &token));
    }
}
