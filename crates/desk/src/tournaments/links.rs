//! Links for entries: what a player's QR code holds, and whom it speaks for.

use chrono::TimeDelta;

use crate::access::tokens::{EntryGrant, EntryLink, TokenRefusal};
use crate::{Actor, Desk, Principal, Proof, Refused, Unauthorised};
use owlbox_domain::permissions::Permission;
use owlbox_domain::tournament::bracket::EntryNo;
use owlbox_domain::tournament::room::DivisionNo;
use owlbox_domain::tournament::{CommandKind, Tournament};
use owlbox_domain::values::{AccountId, TournamentId};
use owlbox_store::players;

/// How long a link is good for: a tournament of several days, and a look at it afterwards.
const LIFETIME: TimeDelta = TimeDelta::days(30);

/// Who came by the link of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Linked {
    /// Whom it speaks for: sees that tournament, reports for that player, and nothing else.
    pub actor: Actor,
    pub tournament: TournamentId,
    pub division: DivisionNo,
    /// The entry under which he plays: he may have entered again since.
    pub entry: EntryNo,
}

impl Desk {
    /// The links of these entries, good for thirty days, for who may check players in.
    ///
    /// # Errors
    /// [`Refused::Forbidden`], or there is no such entry.
    pub async fn entry_links(
        &self,
        principal: &Principal,
        id: TournamentId,
        division: DivisionNo,
        entries: &[EntryNo],
    ) -> Result<Vec<String>, Refused> {
        let stream = self.find::<Tournament>(id).await?;
        let command = CommandKind::CheckIn;
        if super::scope::scope(principal, &stream.state, command)
            != owlbox_domain::permissions::Scope::Anybody
        {
            return Err(Refused::Forbidden(Permission::RunMatch));
        }
        let of = stream.state.division(division).ok_or(Refused::NotFound("division"))?;
        let until = (self.now().utc() + LIFETIME).into();
        let link = |entry: &EntryNo| {
            let player = of.entry(*entry).ok_or(Refused::NotFound("entry"))?.player;
            let grant = EntryGrant { tournament: id, division: division.0, entry: entry.0 };
            Ok(self.terms().keys.entry_link(grant, player, until))
        };
        entries.iter().map(link).collect()
    }

    /// Whom the link of an entry speaks for.
    ///
    /// # Errors
    /// It is no good, or has expired; or the entry is not, or no longer, of the player for whom it was made; or he does not
    /// come to the club any more.
    pub async fn linked(&self, link: &str) -> Result<Linked, Refused> {
        let refused = |refusal| match refusal {
            TokenRefusal::Expired => Unauthorised::Expired,
            TokenRefusal::Invalid => Unauthorised::Invalid,
        };
        let link = EntryLink::read(link).map_err(refused)?;
        let EntryGrant { tournament, division, entry } = link.grant;
        let (division, entry) = (DivisionNo(division), EntryNo(entry));
        let stream = self.find::<Tournament>(tournament).await?;
        let of = stream.state.division(division).ok_or(Refused::NotFound("division"))?;
        let player = of.entry(entry).ok_or(Refused::NotFound("entry"))?.player;
        self.terms().keys.prove_entry_link(&link, player, self.now()).map_err(refused)?;
        let comes =
            self.read(move |connection| Ok::<_, Refused>(players::from_where(connection, &[player])?));
        if comes.await?.get(&player).is_none_or(|from| !from.active) {
            return Err(Unauthorised::Invalid.into());
        }
        let proof = Proof::EntryLink { tournament, player };
        // What is done by a link is done by the player, whether he has a login or not.
        let actor = Actor { account: AccountId(player.0), proof };
        Ok(Linked { actor, tournament, division, entry: of.plays_as(player).unwrap_or(entry) })
    }
}
