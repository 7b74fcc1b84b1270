//! Refusals of the desk.
//!
//! A refusal by the *rules* of a domain module is [`Refused::Rule`], with that module's code. A refusal by
//! the *desk* has its own variant. A *failure* of the store is [`Refused::Store`]; it is logged, and users
//! only learn that it was not their fault. The web crate maps each of them to a problem response in one
//! place.

use owlbox_base::code::Code;
use owlbox_base::journal::{BrokenHistory, CannotUndo, Version};
use owlbox_base::permissions::Permission;
use owlbox_base::permissions::scopes::TokenScope;
use owlbox_books::club;
use owlbox_books::daybook;
use owlbox_chouette::{self as chouette, rules::Contradiction};
use owlbox_play::matches;
use owlbox_play::tournament;
use owlbox_store::{Failure, StoreError};

use crate::commands::allowed::Allowed;

/// Why the desk refused a request. Nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The caller is not signed in, or their proof is not valid; the code tells which.
    #[error("{0}")]
    Unauthorised(Unauthorised),
    /// The caller is signed in, but their roles do not include this permission.
    #[error("this needs the permission {}", .0.name())]
    Forbidden(Permission),
    /// The caller's login may do it, but not with this token; the scopes of which any would do.
    #[error("the scopes of this token leave it out")]
    OutsideScopes(Vec<TokenScope>),
    /// The caller may give this command for themselves only.
    #[error("players can only act for themselves")]
    NotYours,
    /// The caller plays in this friendly match and so may not judge it, whatever their roles.
    #[error("players cannot judge their own match: ask another scorer, a director or an admin")]
    OwnMatch,
    /// It does not exist, or the caller may not see it.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// The stream is no longer at the version the caller saw.
    #[error("the version is {current} now")]
    Stale { current: Version },
    /// The idempotency key has been used for another request.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// The rules of a domain module refuse it.
    #[error("{}", .0.detail)]
    Rule(Rule),
    /// A limit set in the configuration is reached.
    #[error("the limit of {limit} set in {what} is reached")]
    Limit {
        /// The configuration key of the limit.
        what: &'static str,
        limit: u64,
    },
    /// There were too many attempts; the caller should come back later.
    #[error("try again in {seconds} s")]
    TooMany { seconds: u64 },
    /// An act that can be repeated forever was repeated too often within a minute.
    #[error("done too often within a minute: try again in {seconds} s")]
    TooOften {
        what: RateLimited,
        /// How long the caller has to wait.
        seconds: u64,
    },
    /// The service has too much to do at the moment.
    #[error("the service is busy")]
    Busy,
    #[error(transparent)]
    Store(StoreError),
}

/// What has a limit of so many a minute, and was done too often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateLimited {
    /// A player's own acts that advance nothing.
    Acts,
    /// Reports of a match's result.
    Reports,
}

impl RateLimited {
    #[must_use]
    pub const fn code(self) -> Code {
        match self {
            Self::Acts => Code::ActsTooOften,
            Self::Reports => Code::ReportsTooOften,
        }
    }
}

/// What is wrong with the caller's proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unauthorised {
    /// There is no token or cookie.
    #[error("this needs a token: sign in, or send an API token")]
    Missing,
    /// The token is not valid, or no longer.
    #[error("the token is not valid, or no longer")]
    Invalid,
    /// The access token has expired and should be refreshed.
    #[error("the token has expired")]
    Expired,
    /// The login and the password do not match.
    #[error("login and password do not match")]
    WrongPassword,
}

impl Unauthorised {
    #[must_use]
    pub const fn code(self) -> Code {
        match self {
            Self::Missing => Code::NotSignedIn,
            Self::Invalid => Code::InvalidToken,
            Self::Expired => Code::ExpiredToken,
            Self::WrongPassword => Code::WrongLoginOrPassword,
        }
    }
}

/// A refusal by the rules of a domain module.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    pub code: Code,
    /// The field of the command that is refused; `None` if it is not about a single field.
    pub field: Option<&'static str>,
    /// What would have been allowed, or what is in the way; `None` if there is nothing to add.
    pub allowed: Option<Allowed>,
    pub detail: String,
}

impl Refused {
    /// A refusal by the rules without further details.
    #[must_use]
    pub fn rule(code: Code, field: Option<&'static str>, detail: impl Into<String>) -> Self {
        Self::Rule(Rule { code, field, allowed: None, detail: detail.into() })
    }

    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::Unauthorised(why) => why.code(),
            Self::Forbidden(_) => Code::Forbidden,
            Self::OutsideScopes(_) => Code::OutsideTokenScopes,
            Self::NotYours => Code::NotYours,
            Self::OwnMatch => Code::OwnMatch,
            Self::NotFound(_) => Code::NotFound,
            Self::Stale { .. } => Code::StaleVersion,
            Self::KeyReused => Code::IdempotencyKeyReused,
            Self::Rule(rule) => rule.code,
            Self::Limit { .. } => Code::LimitReached,
            Self::TooMany { .. } => Code::TooManyAttempts,
            Self::TooOften { what, .. } => what.code(),
            Self::Busy => Code::Busy,
            Self::Store(StoreError::Full) => Code::StorageFull,
            // Nothing was kept, and the next connection may work.
            Self::Store(StoreError::Lost(_)) => Code::Busy,
            Self::Store(_) => Code::InternalError,
        }
    }

    /// The field of the request that is refused; `None` if it is not about a single field.
    #[must_use]
    pub const fn field(&self) -> Option<&'static str> {
        if let Self::Limit { what, .. } = self {
            Some(what)
        } else if let Self::Rule(rule) = self {
            rule.field
        } else {
            None
        }
    }

    /// The same refusal, reported for another field of the request if a rule refuses it.
    pub(crate) fn about(self, field: &'static str) -> Self {
        if let Self::Rule(rule) = self { Self::Rule(Rule { field: Some(field), ..rule }) } else { self }
    }

    /// What would have been allowed, or what is in the way; `None` if there is nothing to add.
    #[must_use]
    pub fn allowed(&self) -> Option<Allowed> {
        Some(match self {
            Self::Rule(rule) => return rule.allowed.clone(),
            Self::Forbidden(permission) => Allowed::Roles(permission.roles()),
            Self::OutsideScopes(enough) => Allowed::Scopes(enough.clone()),
            // The roles that may judge it instead.
            Self::OwnMatch => Allowed::Roles(Permission::RunMatch.roles()),
            Self::Stale { current } => Allowed::Version(*current),
            Self::Limit { limit, .. } => Allowed::Limit(*limit),
            Self::Unauthorised(_)
            | Self::NotYours
            | Self::NotFound(_)
            | Self::KeyReused
            | Self::TooMany { .. }
            | Self::TooOften { .. }
            | Self::Busy
            | Self::Store(_) => return None,
        })
    }
}

impl From<BrokenHistory> for Refused {
    fn from(broken: BrokenHistory) -> Self {
        StoreError::from(broken).into()
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        if matches!(error, StoreError::Busy) {
            Self::Busy
        } else if matches!(error, StoreError::BeyondBooks(_)) {
            Self::rule(Code::BeyondBooks, None, error.to_string())
        } else {
            Self::Store(error)
        }
    }
}

impl Failure for Refused {
    fn store_error(&self) -> Option<&StoreError> {
        if let Self::Store(error) = self { Some(error) } else { None }
    }

    fn is_of_the_store(&self) -> bool {
        matches!(self, Self::Store(_) | Self::Busy)
    }
}

impl From<Unauthorised> for Refused {
    fn from(why: Unauthorised) -> Self {
        Self::Unauthorised(why)
    }
}

macro_rules! of_rules {
    ($($refusal:ty),*) => {
        $(impl From<$refusal> for Refused {
            fn from(refusal: $refusal) -> Self {
                Self::Rule(Rule {
                    code: refusal.code(),
                    field: refusal.field(),
                    allowed: refusal.allowed().map(Into::into),
                    detail: refusal.to_string(),
                })
            }
        })*
    };
}

of_rules!(club::Refusal, daybook::Refusal, chouette::Refusal, tournament::Refusal, matches::Refusal);

impl From<Contradiction> for Refused {
    fn from(contradiction: Contradiction) -> Self {
        Self::from(club::Refusal::ContradictoryRules { contradiction })
    }
}

impl From<CannotUndo> for Refused {
    fn from(refusal: CannotUndo) -> Self {
        let (code, allowed) = match refusal {
            CannotUndo::Nothing => (Code::NothingToUndo, None),
            CannotUndo::NotTheLast(newest) => (Code::NotTheLastAct, Some(Allowed::Act(newest))),
            CannotUndo::OnlySoMany(acts) => (Code::FewerActsToUndo, Some(Allowed::Acts(acts))),
        };
        let field = if matches!(refusal, CannotUndo::OnlySoMany(_)) { "acts" } else { "act" };
        Self::Rule(Rule { code, field: Some(field), allowed, detail: refusal.to_string() })
    }
}
