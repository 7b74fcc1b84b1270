//! Why the daybook refuses a command.

use chrono::NaiveDate;
use serde::Serialize;

use super::closing::Month;
use owlbox_base::code::Code;

/// Why a command was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are named for what they are")]
pub enum Refusal {
    /// The amount is not above zero, or too large.
    #[error("the amount must be above zero, and at most {most}")]
    BadAmount { most: i64 },
    /// There is no such account, the two sides are the same, or a player is named twice.
    #[error("there can be no such record between these accounts")]
    BadParties,
    /// More players, balances or games than one record can have.
    #[error("one record has at most {} lines", super::MOST_AT_ONCE)]
    TooManyAtOnce,
    /// An adjustment, an expense or an income without a memo.
    #[error("the reason must be given")]
    ReasonNeeded,
    /// The daybook has no record with this number.
    #[error("there is no record {entry}")]
    NoSuchRecord { entry: u32, records: u32 },
    /// The record was taken back already, or never posted.
    #[error("record {entry} is not in the books")]
    NotPosted { entry: u32 },
    /// Nothing about the record waits for approval.
    #[error("record {entry} is not waiting for approval")]
    NotProposed { entry: u32 },
    /// It waits for a second person: the one who proposed it cannot approve it, and it cannot be proposed
    /// twice.
    #[error("record {entry} must be approved by a second person")]
    SecondPerson { entry: u32 },
    /// The month is closed already.
    #[error("the books are closed up to {closed}")]
    MonthClosed { closed: Month },
    /// A past game was played in a closed month.
    #[error("the books are closed up to {closed}, which includes {day}")]
    ClosedDay { day: NaiveDate, closed: Month },
    /// The month is not closed.
    #[error("{month} is not closed")]
    MonthOpen { month: Month },
}

/// What would have been allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Allowed {
    /// The highest number or amount.
    UpTo(i64),
    /// A month after this one.
    After(Month),
}

impl Refusal {
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::BadAmount { .. } => Code::BadAmount,
            Self::BadParties => Code::BadParties,
            Self::TooManyAtOnce => Code::TooMany,
            Self::ReasonNeeded => Code::ReasonNeeded,
            Self::NoSuchRecord { .. } => Code::NoSuchRecord,
            Self::NotPosted { .. } => Code::NotPosted,
            Self::NotProposed { .. } => Code::NotProposed,
            Self::SecondPerson { .. } => Code::SecondPerson,
            Self::MonthClosed { .. } | Self::ClosedDay { .. } => Code::MonthClosed,
            Self::MonthOpen { .. } => Code::MonthOpen,
        }
    }

    /// The field of the command that is to blame, if a single one is.
    #[must_use]
    pub const fn field(&self) -> Option<&'static str> {
        match self {
            Self::BadAmount { .. } => Some("amount"),
            Self::ReasonNeeded => Some("memo"),
            Self::NoSuchRecord { .. }
            | Self::NotPosted { .. }
            | Self::NotProposed { .. }
            | Self::SecondPerson { .. } => Some("entry"),
            Self::MonthClosed { .. } | Self::MonthOpen { .. } => Some("month"),
            Self::ClosedDay { .. } => Some("on"),
            Self::BadParties | Self::TooManyAtOnce => None,
        }
    }

    #[must_use]
    pub fn allowed(&self) -> Option<Allowed> {
        match self {
            Self::BadAmount { most } => Some(Allowed::UpTo(*most)),
            Self::TooManyAtOnce => i64::try_from(super::MOST_AT_ONCE).ok().map(Allowed::UpTo),
            Self::NoSuchRecord { records, .. } => Some(Allowed::UpTo((*records).into())),
            Self::MonthClosed { closed } | Self::ClosedDay { closed, .. } => Some(Allowed::After(*closed)),
            Self::BadParties
            | Self::ReasonNeeded
            | Self::NotPosted { .. }
            | Self::NotProposed { .. }
            | Self::SecondPerson { .. }
            | Self::MonthOpen { .. } => None,
        }
    }
}
