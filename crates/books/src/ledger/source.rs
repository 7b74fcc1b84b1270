//! The source of a transaction: the stream whose act posted it.

use std::fmt;

use uuid::Uuid;

use crate::daybook::Daybook;
use owlbox_base::journal::Aggregate as _;
use owlbox_base::values::{ChouetteId, MatchId, TournamentId};

/// The stream a transaction comes from, of the journal's kind that [`kind`](Self::kind) names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// A chouette: its games, and the payments made there.
    Chouette(ChouetteId),
    /// A tournament: fees, prizes and cash.
    Tournament(TournamentId),
    /// A match: the games of a money session.
    Match(MatchId),
    /// The daybook: what the treasurer recorded.
    Daybook,
}

impl Source {
    /// The id of the daybook's stream. One service serves one club.
    pub const DAYBOOK: Uuid = Uuid::from_u128(0x6f77_6c62_6f78_0000_8000_0000_0000_0003);

    /// The kind of stream, as the journal names it.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Chouette(_) => "chouette",
            Self::Tournament(_) => "tournament",
            Self::Match(_) => "match",
            Self::Daybook => Daybook::KIND,
        }
    }

    #[must_use]
    pub const fn id(self) -> Uuid {
        match self {
            Self::Chouette(chouette) => chouette.0,
            Self::Tournament(tournament) => tournament.0,
            Self::Match(sheet) => sheet.0,
            Self::Daybook => Self::DAYBOOK,
        }
    }

    /// The stream of this kind and id; `None` for a kind of stream that posts nothing.
    #[must_use]
    pub fn from_parts(kind: &str, id: Uuid) -> Option<Self> {
        match kind {
            "chouette" => Some(Self::Chouette(ChouetteId(id))),
            "tournament" => Some(Self::Tournament(TournamentId(id))),
            "match" => Some(Self::Match(MatchId(id))),
            Daybook::KIND => Some(Self::Daybook),
            _ => None,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind(), self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use owlbox_chouette::Chouette;

    #[test]
    fn a_source_is_known_by_the_kind_of_its_stream() {
        let id = Uuid::from_u128(3);
        for source in [
            Source::Chouette(ChouetteId(id)),
            Source::Tournament(TournamentId(id)),
            Source::Match(MatchId(id)),
            Source::Daybook,
        ] {
            assert_eq!(Source::from_parts(source.kind(), source.id()), Some(source));
        }
        assert_eq!(Source::Chouette(ChouetteId(id)).kind(), Chouette::KIND);
        assert_eq!(Source::from_parts("club", id), None);
    }
}
