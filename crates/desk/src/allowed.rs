//! What a refusal says beside its code: what would have been allowed, or what is in the way.

use serde::Serialize;

use owlbox_domain::journal::Version;
use owlbox_domain::permissions::Roles;
use owlbox_domain::values::{ActId, ChouetteId, Currency, Payment, TournamentId};
use owlbox_domain::{chouette, club, matches, tournament};

/// What would have been allowed, or what is in the way. Written as plain JSON: the `code` beside it says which it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Allowed {
    /// What the rules of a chouette say.
    Chouette(chouette::Allowed),
    /// What the rules of a match say.
    Match(matches::Allowed),
    /// What a tournament says.
    Tournament(tournament::Allowed),
    /// What the club says.
    Club(club::Allowed),
    /// Somebody with one of these roles.
    Roles(Roles),
    /// The stream at this version.
    Version(Version),
    /// So many events of a stream, or people who wait.
    HowMany(i64),
    /// The limit of the configuration.
    Limit(u64),
    /// This act.
    Act(ActId),
    /// So many acts.
    Acts(usize),
    /// So many API tokens.
    Tokens(usize),
    /// One of these currencies.
    Currencies(Vec<Currency>),
    /// House rules of one of these names.
    HouseRules(Vec<String>),
    /// A password of so many characters.
    Password {
        /// The most.
        max_length: usize,
        /// The fewest.
        min_length: usize,
    },
    /// The player sits at this table.
    Table(ChouetteId),
    /// Acts at another table that come first.
    OtherTable {
        /// Newest first; none if games of the table are in the books.
        acts: Vec<ActId>,
        /// The table's name.
        name: String,
        /// The table.
        table: ChouetteId,
    },
    /// Acts of a tournament that come first.
    OtherStream {
        /// Newest first.
        acts: Vec<ActId>,
        /// What kind of stream it is.
        kind: &'static str,
        /// The tournament.
        stream: TournamentId,
    },
    /// Games are in progress at these tables.
    Tables(Vec<PlayingTable>),
    /// These payments, as they are now.
    Payments(Vec<Payment>),
}

/// A table with a game in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayingTable {
    /// The table's name.
    pub name: String,
    /// The table.
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

impl From<club::Allowed> for Allowed {
    fn from(allowed: club::Allowed) -> Self {
        Self::Club(allowed)
    }
}
