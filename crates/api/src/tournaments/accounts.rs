//! What players owe a tournament, and what it owes them.

use actix_web::{get, web};
use serde::Serialize;

use super::Named;
use crate::Routes;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{PlayerId, TournamentId};
use owlbox_desk::Refused;
use owlbox_desk::tournaments::scope;
use owlbox_http::caller::MaybeCaller;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;
use owlbox_play::tournament::Tournament;

pub(super) fn configure(config: &mut impl Routes) {
    config.service(tournament_accounts);
}

/// The balance between a player and a tournament.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct PlayerAccount {
    pub player: PlayerId,
    /// What the tournament owes the player, in minor units; negative if the player owes the tournament.
    pub amount: i64,
}

/// Shows what players owe a tournament in fees, and what it owes them.
///
/// Needs `record_payments`.
#[cfg_attr(test, utoipa::path(
    params(("id" = TournamentId, Path, description = "The tournament")),
    responses((status = 200, body = Named<PlayerAccount>))
))]
#[get("/tournaments/{id}/accounts")]
async fn tournament_accounts(
    service: Service,
    caller: MaybeCaller,
    id: web::Path<TournamentId>,
) -> Result<web::Json<Named<PlayerAccount>>, Problem> {
    let principal = service.desk.require(caller.actor(), Permission::ViewTournaments).await?;
    let stream = service.desk.find::<Tournament>(*id).await?;
    if !scope::viewer(principal.as_ref(), &stream.state).sees_accounts {
        return Err(Refused::Forbidden(Permission::RecordPayments).into());
    }
    let items: Vec<PlayerAccount> =
        stream.state.accounts().map(|(player, amount)| PlayerAccount { player, amount }).collect();
    let names = service.desk.names(items.iter().map(|account| account.player).collect()).await?;
    Ok(web::Json(Named { items, next: None, names }))
}
