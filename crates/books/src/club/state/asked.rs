//! Reconstructs the commands behind the club's events.

use super::{Club, Command, Event};
use owlbox_base::journal::again::{Accountable, PossibleCommand};

impl Accountable for Club {
    const DECIDES_SINCE: i16 = 2;
    const SEVERAL: bool = true;
    const KEPT: usize = 0;

    fn asked(&self, event: &Event, _: &[Event]) -> Vec<PossibleCommand<Command>> {
        let command = match event.clone() {
            Event::Opened { settings } => Command::Open { settings },
            Event::SettingsChanged { settings } => Command::ChangeSettings { settings },
            Event::PlayerAdded { player, guest } => Command::AddPlayer { player, guest },
            Event::PlayerDetailsChanged { player, fields } => Command::ChangePlayerDetails { player, fields },
            Event::GuestBecameMember { player } => Command::MakeMember { player },
            Event::PlayerDeactivated { player } => Command::DeactivatePlayer { player },
            Event::PlayerReactivated { player } => Command::ReactivatePlayer { player },
            Event::PlayerRemoved { player } => Command::RemovePlayer { player },
            Event::PlayerErased { player } => Command::ErasePlayer { player },
            Event::AccountCreated { account, player, roles } => {
                Command::CreateAccount { account, player, roles }
            }
            Event::AccountRolesChanged { account, roles } => Command::ChangeAccountRoles { account, roles },
            Event::AccountPlayerLinked { account, player } => Command::LinkAccount { account, player },
            Event::AccountDeactivated { account } => Command::DeactivateAccount { account },
            Event::AccountReactivated { account } => Command::ReactivateAccount { account },
            Event::HouseRulesSaved { name, rules } => Command::SaveHouseRules { name, rules },
            Event::HouseRulesRemoved { name } => Command::RemoveHouseRules { name },
        };
        vec![command.into()]
    }
}
