//! Links to tournament entries: making them for QR codes, and verifying them.

use chrono::TimeDelta;

use crate::access::tokens::{EntryGrant, EntryLink, TokenRefusal};
use crate::{Actor, Desk, Principal, Proof, Refused, Unauthorised};
use owlbox_base::values::{AccountId, TournamentId};
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::room::DivisionNo;
use owlbox_play::tournament::{CommandKind, Tournament};
use owlbox_store::players;

/// The lifetime of a link: a tournament of several days, and some time to look back at it.
const LIFETIME: TimeDelta = TimeDelta::days(30);

/// A caller with the link to an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Linked {
    /// May see that tournament, report for that player, and nothing else.
    pub actor: Actor,
    pub tournament: TournamentId,
    pub division: DivisionNo,
    /// The entry the player has now, which is a later one if they have re-entered.
    pub entry: EntryNo,
}

impl Desk {
    /// Makes links to these entries, valid for thirty days. For callers who may check players in.
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
        if super::scope::scope(principal, &stream.state, command) != owlbox_base::permissions::Scope::Anybody
        {
            return Err(super::scope::refusal(principal, &stream.state, command));
        }
        let of = stream.state.division(division).ok_or(Refused::NotFound("division"))?;
        let until = (self.now().utc() + LIFETIME).into();
        let link = |entry: &EntryNo| {
            let player = of.entry(*entry).ok_or(Refused::NotFound("entry"))?.player;
            let grant = EntryGrant { tournament: id, division: division.0, entry: entry.0 };
            Ok(self.keys().entry_link(grant, player, until))
        };
        entries.iter().map(link).collect()
    }

    /// The caller a link to an entry stands for.
    ///
    /// # Errors
    /// The link is invalid or has expired, its entry does not belong to the player it was made for any more,
    /// or that player is not active.
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
        self.keys().prove_entry_link(&link, player, self.now()).map_err(refused)?;
        let comes = self.read(move |connection| Ok::<_, Refused>(players::origins(connection, &[player])?));
        if comes.await?.get(&player).is_none_or(|from| !from.active) {
            return Err(Unauthorised::Invalid.into());
        }
        let proof = Proof::EntryLink { tournament, player };
        // Acts by a link are recorded as the player's own, whether they have a login or not.
        let actor = Actor { account: AccountId(player.0), proof };
        Ok(Linked { actor, tournament, division, entry: of.plays_as(player).unwrap_or(entry) })
    }
}
