//! Who may sit down at a table: active players of the club, each with one seat.

use crate::commands::plan_context::PlanContext;
use crate::commands::subject::{Change, StreamPreview};
use crate::people::players::still_comes;
use crate::{Allowed, Refused, Rule};
use owlbox_base::code::Code;
use owlbox_base::values::{ChouetteId, PlayerId};
use owlbox_chouette::{Chouette, Command, Phase, Seating};
use owlbox_store::{AnyConnection, chouettes as stored};

/// The players who have a seat at a chouette; nobody once it is closed.
pub(super) fn sitting(state: &Chouette) -> Vec<PlayerId> {
    if state.phase() == Phase::Closed { Vec::new() } else { state.present() }
}

/// Refuses if the command seats a player who may not sit down here.
pub(super) fn someone_may_sit_down(
    around: &mut impl PlanContext,
    id: ChouetteId,
    chouette: &Chouette,
    command: &Command,
) -> Result<(), Refused> {
    match command.aspects().seating {
        Seating::Player(player) => may_sit_down(around.connection()?, id, player),
        Seating::InPlaceOf { duplicate, player } if chouette.present().contains(&duplicate) => {
            may_sit_down(around.connection()?, id, player)
        }
        Seating::InPlaceOf { .. } | Seating::Nobody => Ok(()),
    }
}

/// Refuses unless the player is an active player of the club without a seat at another table. Sitting at `id`
/// already is for the table's own rules to refuse.
fn may_sit_down(connection: &mut AnyConnection, id: ChouetteId, player: PlayerId) -> Result<(), Refused> {
    still_comes(connection, player)?;
    match stored::table_of(connection, player)? {
        Some(table) if table != id => Err(at_another_table(player, Some(table))),
        _ => Ok(()),
    }
}

/// The state of a table before and after an act.
#[derive(Clone, Copy)]
pub(crate) struct Moved<'a> {
    pub id: ChouetteId,
    pub before: &'a Chouette,
    pub after: &'a Chouette,
}

impl<'a> From<&'a Change<Chouette>> for Moved<'a> {
    fn from(change: &'a Change<Chouette>) -> Self {
        Self { id: change.id, before: &change.before.state, after: &change.after.state }
    }
}

impl<'a> From<&'a StreamPreview<Chouette>> for Moved<'a> {
    fn from(previewed: &'a StreamPreview<Chouette>) -> Self {
        let after = &previewed.after;
        Self { id: after.id, before: &previewed.before.state, after: &after.stream.state }
    }
}

/// Refuses unless everybody newly seated by an act is active and has no other seat after it. Commands check
/// this beforehand; undo and redo seat people without asking. The connection is taken only if somebody is.
///
/// # Errors
/// `player_inactive`, `player_at_another_table`.
pub(crate) fn seats_are_free<'c>(
    connection: impl FnOnce() -> Result<&'c mut AnyConnection, Refused>,
    moved: &[Moved<'_>],
) -> Result<(), Refused> {
    let newly = |Moved { id, before, after }: &Moved<'_>| {
        let (id, sat) = (*id, sitting(before));
        sitting(after).into_iter().filter(move |player| !sat.contains(player)).map(move |player| (id, player))
    };
    let newly: Vec<(ChouetteId, PlayerId)> = moved.iter().flat_map(newly).collect();
    if newly.is_empty() {
        return Ok(());
    }
    let connection = connection()?;
    for (id, player) in newly {
        still_comes(connection, player)?;
        let Some(table) = stored::table_of(connection, player)? else { continue };
        let leaves = |other: &Moved<'_>| other.id == table && !sitting(other.after).contains(&player);
        if table != id && !moved.iter().any(leaves) {
            return Err(at_another_table(player, Some(table)));
        }
    }
    Ok(())
}

pub(super) fn at_another_table(player: PlayerId, table: Option<ChouetteId>) -> Refused {
    Refused::Rule(Rule {
        code: Code::PlayerAtAnotherTable,
        field: Some("player"),
        allowed: table.map(Allowed::Table),
        detail: format!("player {player} sits at another table"),
    })
}
