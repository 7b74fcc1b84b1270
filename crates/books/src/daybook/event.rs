//! What happened to the daybook.

use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray};

use super::closing::{Closing, Month};
use super::command::Stands;
use super::record::{Memo, Recorded};
use owlbox_base::values::AccountId;

/// An event of the daybook. `entry` is the number of a record, from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, EnumDiscriminants)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = DaybookEvent))]
#[strum_discriminants(
    name(EventKind),
    derive(IntoStaticStr, VariantArray),
    strum(serialize_all = "snake_case"),
    doc = "What kind an event is; as text, what it is stored under."
)]
#[expect(missing_docs, reason = "the fields are named for what they are")]
pub enum Event {
    /// Something was recorded and posted.
    Recorded {
        entry: u32,
        recorded: Recorded,
        /// The login that recorded it; in format 1 only the journal tells.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<AccountId>,
    },
    /// A record above the club's limit waits for a second person.
    Proposed { entry: u32, recorded: Recorded, by: AccountId },
    /// A second person approved it: it was posted, or taken back.
    Approved { entry: u32, by: AccountId },
    /// It will not be posted, or not be taken back.
    Declined { entry: u32, by: AccountId, reason: Memo },
    /// The record was taken back: its reversal was posted.
    TakenBack {
        entry: u32,
        reason: Memo,
        /// The login that took it back; in format 1 only the journal tells.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<AccountId>,
    },
    /// To take it back waits for a second person.
    TakeBackProposed { entry: u32, reason: Memo, by: AccountId },
    /// The month was closed, and all before it.
    MonthClosed { month: Month, stands: Stands },
    /// The month was opened again, and all after it, when so many transactions had been posted.
    MonthReopened { month: Month, transactions: i64, reason: Memo },
}

impl Event {
    /// The number of the record it is about; `None` if it is about a month.
    #[must_use]
    pub const fn entry(&self) -> Option<u32> {
        match self {
            Self::Recorded { entry, .. }
            | Self::Proposed { entry, .. }
            | Self::Approved { entry, .. }
            | Self::Declined { entry, .. }
            | Self::TakenBack { entry, .. }
            | Self::TakeBackProposed { entry, .. } => Some(*entry),
            Self::MonthClosed { .. } | Self::MonthReopened { .. } => None,
        }
    }

    /// Up to which month the books are closed after it; `None` if it is about a record.
    #[must_use]
    pub fn closing(&self) -> Option<Closing> {
        match self {
            Self::MonthClosed { month, .. } => Some(Closing(Some(*month))),
            Self::MonthReopened { month, .. } => Some(Closing(Some(month.previous()))),
            Self::Recorded { .. }
            | Self::Proposed { .. }
            | Self::Approved { .. }
            | Self::Declined { .. }
            | Self::TakenBack { .. }
            | Self::TakeBackProposed { .. } => None,
        }
    }
}
