//! Opening a tournament, with its divisions and tables, as one act.

use crate::{Refused, UnitOfWork};
use owlbox_base::permissions::Permission;
use owlbox_base::values::TournamentId;
use owlbox_play::tournament::about::About;
use owlbox_play::tournament::settings::DivisionSettings;
use owlbox_play::tournament::{Command, Tournament};

use crate::commands::plan_context::ensure_opened;

/// What a tournament is opened with.
#[derive(Clone, Debug)]
pub struct NewTournament {
    pub about: About,
    /// The tournament whose divisions and tables it gets: not its entries, its draws, or its money.
    pub like: Option<TournamentId>,
    /// Its divisions, after those.
    pub divisions: Vec<DivisionSettings>,
}

impl From<About> for NewTournament {
    fn from(about: About) -> Self {
        Self { about, like: None, divisions: Vec::new() }
    }
}

/// The commands that open a tournament. Nobody learns from them what they may not see.
pub(crate) fn commands(
    unit: &mut UnitOfWork<'_, '_>,
    id: TournamentId,
    new: NewTournament,
) -> Result<Vec<Command>, Refused> {
    let NewTournament { about, like, divisions: mut own } = new;
    let (mut divisions, mut tables) = (Vec::new(), Vec::new());
    if let Some(like) = like {
        let earlier = ensure_opened(unit.load_unlocked::<Tournament>(like.0)?)?;
        if !earlier.state.about().is_some_and(|about| about.public) {
            unit.principal.require(Permission::ViewTournaments)?;
        }
        divisions.extend(earlier.state.divisions().map(|(_, of)| (*of.settings).clone()));
        tables = earlier.state.room.tables.values().cloned().collect();
    }
    divisions.append(&mut own);
    let mut commands = vec![Command::Open { tournament: id, about }];
    commands
        .extend(divisions.into_iter().map(|settings| Command::AddDivision { settings: Box::new(settings) }));
    commands.extend((!tables.is_empty()).then_some(Command::SetTables { tables }));
    Ok(commands)
}
