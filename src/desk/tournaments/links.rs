//! Links for entries: what a player's QR code holds, and whom it speaks for.

use chrono::TimeDelta;

use crate::club::tokens::{EntryGrant, TokenRefusal};
use crate::club::{Permission, TournamentCommand};
use crate::desk::{Actor, Authority, Desk, Proof, Refused, Unauthorised};
use crate::tournament::bracket::EntryNo;
use crate::tournament::room::DivisionNo;
use crate::values::{AccountId, TournamentId};

/// How long a link is good for: a tournament of several days, and a look at it afterwards.
const LIFETIME: TimeDelta = TimeDelta::days(30);

/// Who came by the link of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Linked {
    /// Whom it speaks for: sees that tournament, reports for that player, and nothing else.
    pub actor: Actor,
    /// The tournament.
    pub tournament: TournamentId,
    /// The division.
    pub division: DivisionNo,
    /// The entry; its player may have entered again since.
    pub entry: EntryNo,
}

impl Desk {
    /// The links of these entries, good for thirty days, for who may check players in.
    ///
    /// # Errors
    /// [`Refused::Forbidden`], or there is no such entry.
    pub async fn entry_links(
        &self,
        authority: &Authority,
        id: TournamentId,
        division: DivisionNo,
        entries: &[EntryNo],
    ) -> Result<Vec<String>, Refused> {
        let stream = self.tournament(id).await?;
        let command = TournamentCommand::CheckIn;
        if super::reach::reach(authority, &stream.state, command) != crate::club::Reach::Anybody {
            return Err(Refused::Forbidden(Permission::RunMatch));
        }
        let of = stream.state.division(division).ok_or(Refused::NotFound("division"))?;
        let until = (self.now().utc() + LIFETIME).into();
        let link = |entry: &EntryNo| {
            of.entry(*entry).ok_or(Refused::NotFound("entry"))?;
            let grant = EntryGrant { tournament: id, division: division.0, entry: entry.0 };
            Ok(self.terms().keys.entry_link(grant, until))
        };
        entries.iter().map(link).collect()
    }

    /// Whom the link of an entry speaks for.
    ///
    /// # Errors
    /// It is no good, or has expired, or there is no such entry any more.
    pub async fn linked(&self, link: &str) -> Result<Linked, Refused> {
        let grant = self.terms().keys.read_entry_link(link, self.now()).map_err(|refusal| match refusal {
            TokenRefusal::Expired => Unauthorised::Expired,
            TokenRefusal::Invalid => Unauthorised::Invalid,
        })?;
        let stream = self.tournament(grant.tournament).await?;
        let (division, entry) = (DivisionNo(grant.division), EntryNo(grant.entry));
        let of = stream.state.division(division).ok_or(Refused::NotFound("division"))?;
        let player = of.entry(entry).ok_or(Refused::NotFound("entry"))?.player;
        let proof = Proof::EntryLink { tournament: grant.tournament, player };
        // What is done by a link is done by the player, whether he has a login or not.
        let actor = Actor { account: AccountId(player.0), proof };
        // Who has entered again plays on under his newest number.
        let entry = of.entry_of(player).unwrap_or(entry);
        Ok(Linked { actor, tournament: grant.tournament, division, entry })
    }
}
