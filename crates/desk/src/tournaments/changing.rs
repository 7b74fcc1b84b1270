//! What a tournament is, and who directs it, changed as one act.

use std::collections::BTreeSet;

use super::{LENGTH, Order, prepared, scope};
use crate::commands::plan_context::PlanContext as _;
use crate::commands::subject::{StreamAfter, StreamPlan};
use crate::{Desk, Refused, Request, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::values::{AccountId, TournamentId};
use owlbox_play::tournament::about::About;
use owlbox_play::tournament::{Command, CommandKind, Tournament};

impl Desk {
    /// Changes the details of a tournament and its directors as a single act, which is undone as a whole.
    /// What is as it should be stays out of it. Needs the permission of each part.
    ///
    /// # Errors
    /// Refusals of the rules or the desk; `nothing_changes` if all is as it should be.
    pub async fn change_details(
        &self,
        request: Request,
        id: TournamentId,
        about: About,
        directors: Vec<AccountId>,
    ) -> Result<StreamAfter<Tournament>, Refused> {
        let expected = request.expected;
        let plan = move |unit: &mut UnitOfWork<'_, '_>| {
            let before = unit.find::<Tournament>(id, expected)?;
            let are: BTreeSet<&AccountId> = before.state.directors.iter().collect();
            let details =
                (before.state.about() != Some(&about)).then(|| Command::Change { about: about.clone() });
            let named = (are != directors.iter().collect())
                .then(|| Command::SetDirectors { directors: directors.clone() });
            let mut commands = Vec::new();
            for command in details.into_iter().chain(named) {
                scope::require(&unit.principal, &before, &Order::Command(command.clone()), unit.now)?;
                commands.push(prepared(unit, &before.state, &command)?);
            }
            if commands.is_empty() {
                return Err(Refused::rule(Code::NothingChanges, None, "this changes nothing"));
            }
            let kind = unit.decide_all(&before.state, &commands)?;
            Ok(StreamPlan { id, before, kind, limit: LENGTH }.into())
        };
        self.give(request, CommandKind::Change.into(), 200, None, plan).await
    }
}
