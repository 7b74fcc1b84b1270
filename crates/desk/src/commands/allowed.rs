//! Details of a refusal besides its code: what would have been allowed, or what is in the way.

use serde::Serialize;

use crate::people::players::Candidate;
use owlbox_base::journal::Version;
use owlbox_base::permissions::Roles;
use owlbox_base::permissions::scopes::TokenScope;
use owlbox_base::values::{ActId, ChouetteId, Currency, Payment, TournamentId};
use owlbox_books::{club, daybook};
use owlbox_chouette as chouette;
use owlbox_play::{matches, tournament};

/// What would have been allowed, or what is in the way. Serialised as plain JSON; the `code` beside it tells
/// which variant it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Allowed {
    /// Details of a refusal by a chouette's rules.
    Chouette(chouette::Allowed),
    /// Details of a refusal by a match's rules.
    Match(matches::Allowed),
    /// Details of a refusal by a tournament's rules.
    Tournament(tournament::Allowed),
    /// Details of a refusal by the club's rules.
    Club(club::Allowed),
    /// Details of a refusal by the daybook's rules.
    Daybook(daybook::Allowed),
    /// Only people with one of these roles may do it.
    Roles(Roles),
    /// Only tokens with one of these scopes may do it; none if no token with scopes may.
    Scopes(Vec<TokenScope>),
    /// The current version of the stream.
    Version(Version),
    /// The maximum number of events of a stream, or of pending requests for a login.
    HowMany(i64),
    /// The limit set in the configuration.
    Limit(u64),
    /// The act that can be undone or redone.
    Act(ActId),
    /// How many acts can be undone or redone.
    Acts(usize),
    /// The maximum number of API tokens.
    Tokens(usize),
    /// The currencies that may be chosen.
    Currencies(Vec<Currency>),
    /// The names of the house rules there are.
    HouseRules(Vec<String>),
    /// The permitted length of a password, in characters.
    Password {
        /// The most characters it may have.
        max_length: usize,
        /// The fewest characters it may have.
        min_length: usize,
    },
    /// The table where the player has a seat.
    Table(ChouetteId),
    /// Acts at another table that must be undone or redone first.
    OtherTable {
        /// Newest first; empty if games of that table are settled in the books.
        acts: Vec<ActId>,
        /// The name of the other table.
        name: String,
        table: ChouetteId,
    },
    /// Acts of a tournament that must be undone or redone first.
    OtherStream {
        /// The acts to undo or redo, newest first.
        acts: Vec<ActId>,
        /// The kind of stream: `tournament`.
        kind: &'static str,
        stream: TournamentId,
    },
    /// The tables where games are in progress.
    Tables(Vec<PlayingTable>),
    /// The payments as they are now.
    Payments(Vec<Payment>),
    /// Who may be meant by a name.
    Candidates(Vec<Candidate>),
    /// All that is wrong with a table.
    Wrong(Vec<daybook::import::Wrong>),
}

/// A table with a game in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayingTable {
    pub name: String,
    pub table: ChouetteId,
}

impl From<chouette::Allowed> for Allowed {
    fn from(allowed: chouette::Allowed) -> Self {
        Self::Chouette(allowed)
    }
}

impl From<matches::Allowed> for Allowed {
    fn from(allowed: matches::Allowed) -> Self {
        Self::Match(allowed)
    }
}

impl From<tournament::Allowed> for Allowed {
    fn from(allowed: tournament::Allowed) -> Self {
        Self::Tournament(allowed)
    }
}

impl From<daybook::Allowed> for Allowed {
    fn from(allowed: daybook::Allowed) -> Self {
        Self::Daybook(allowed)
    }
}

impl From<club::Allowed> for Allowed {
    fn from(allowed: club::Allowed) -> Self {
        Self::Club(allowed)
    }
}
