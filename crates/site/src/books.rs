//! Where the club's books are: the addresses of its ledgers, and the links above them.

use super::visitor::Visitor;
use crate::pages::ChipLink;
use owlbox_base::permissions::Permission;
use owlbox_base::values::Holder;

pub(super) const TREASURY: &str = "/ledger/treasury";
pub(super) const DAYBOOK: &str = "/ledger/daybook";
pub(super) const INCOME: &str = "/ledger/tournaments";
pub(super) const EXPORTS: &str = "/ledger/exports";
pub(super) const IMPORT: &str = "/ledger/import";

/// Links to the ledgers of the club, for who keeps its books.
pub(super) fn books(visitor: &Visitor, here: &str) -> Vec<ChipLink> {
    if !visitor.may(Permission::ViewAnyLedger) {
        return Vec::new();
    }
    let of_club = [
        ("books-treasury", TREASURY),
        ("books-daybook", DAYBOOK),
        ("books-house", "/ledger/house"),
        ("books-tournaments", INCOME),
        ("books-exports", EXPORTS),
    ];
    let of_club = of_club.map(|(key, to)| ChipLink::new(visitor.t.get(key), to, to == here));
    let own = visitor.principal.and_then(|principal| principal.player).map(|player| {
        let to = address(Holder::Player(player));
        let is_here = to == here;
        ChipLink::new(visitor.t.get("your-ledger"), to, is_here)
    });
    of_club.into_iter().chain(own).collect()
}

/// The address of a ledger.
pub(super) fn address(holder: Holder) -> String {
    match holder {
        Holder::Player(player) => format!("/ledger/{player}"),
        Holder::Pool(tournament) => format!("/ledger/pools/{tournament}"),
        Holder::House => "/ledger/house".to_owned(),
        Holder::Bank | Holder::Opening | Holder::Rounding | Holder::Outside => {
            format!("/ledger/accounts/{}", holder.kind().name())
        }
    }
}
