//! The inputs of commands from outside the domain: time and chance.

use chrono::Utc;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha20Rng;

use owlbox_base::journal::Chance;
use owlbox_base::values::Timestamp;

/// A source of the current time.
pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;
}

#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Utc::now().into()
    }
}

/// Dice and lots from a ChaCha stream, by rejection sampling of its bytes: the same seed gives the same rolls
/// forever, which no library promises for its range functions.
#[derive(Clone, Debug)]
pub struct Dice(ChaCha20Rng);

impl Dice {
    /// Dice whose rolls are determined by `seed`.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha20Rng::from_seed(bytes))
    }

    /// Dice with an unpredictable seed.
    #[must_use]
    pub fn unforeseeable() -> Self {
        Self(ChaCha20Rng::from_seed(rand::random()))
    }
}

impl Dice {
    /// An independent generator, seeded from this one.
    pub(crate) fn fork(&mut self) -> Self {
        let mut seed = [0; 32];
        self.0.fill_bytes(&mut seed);
        Self(ChaCha20Rng::from_seed(seed))
    }
}

impl Chance for Dice {
    fn below(&mut self, sides: u32) -> u32 {
        assert!(sides > 0, "a die has sides");
        // The largest multiple of `sides`; numbers from there on would favour the low sides.
        let fair = u32::MAX - u32::MAX % sides;
        loop {
            let drawn = self.0.next_u32();
            if drawn < fair {
                return drawn % sides;
            }
        }
    }
}
