//! Copying a club to another database, verified on both sides.

use super::{Checked, Unverified, verify_here, verify_shape};
use owlbox_store::connection::on_snapshot;
use owlbox_store::copying::{self, CopyError};
use owlbox_store::{DatabaseUrl, Store, StoreError};

/// Why a club was not copied. Nothing of it was kept.
#[derive(Debug, thiserror::Error)]
pub enum NotCopied {
    #[error("the club does not verify, so nothing was copied: {0}")]
    Original(Unverified),
    #[error("the copy does not verify, so nothing was kept: {0}")]
    Arrived(Unverified),
    #[error("the copy does not add up to the same, so nothing was kept")]
    Differs,
    #[error(transparent)]
    Copy(#[from] CopyError),
}

impl From<StoreError> for NotCopied {
    fn from(error: StoreError) -> Self {
        Self::Copy(error.into())
    }
}

/// Copies the club at `from` into the empty database `to`, of the same kind or the other. Others may be using
/// the club: what is copied is as of one moment, and nothing is written there. `tell` is told how much of how
/// much is done.
///
/// # Errors
/// There is no club, or not in order; there is one at `to` already; or the copy is not the same club.
pub fn copy(from: &DatabaseUrl, to: &DatabaseUrl, tell: &dyn Fn(usize, usize)) -> Result<Checked, NotCopied> {
    // Before anything that takes long.
    copying::expect_empty(to)?;
    // To verify, to copy, and to verify again.
    let part = |number: usize| move |done: usize, all: usize| tell(number * all + done, 3 * all);
    let mut from = Store::open_to_verify(from)?;
    let shape = verify_shape(&mut from).map_err(NotCopied::Original)?;
    on_snapshot(&mut from, |from| {
        let original = verify_here(from, shape, &part(0)).map_err(NotCopied::Original)?;
        if original.streams == 0 {
            return Err(StoreError::NoClub.into());
        }
        copying::into_empty(to, |to| {
            copying::copy(from, to, &part(1))?;
            let arrived = verify_here(to, shape, &part(2)).map_err(NotCopied::Arrived)?;
            // What answered repeated commands stays behind.
            let expected = Checked { idempotency_records: 0, ..original };
            if arrived == expected { Ok(arrived) } else { Err(NotCopied::Differs) }
        })
    })
}
