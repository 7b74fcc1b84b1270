//! Who may give which command at a table: for himself, for anybody, or not at all.
//!
//! Which roles may give a command, and for whom, is the club's one table ([`TableCommand::reach`]). Here it is told
//! whose act a command is, the same for what is asked and for what is offered.

use super::Order;
use crate::history::HistoryCommand;
use crate::{Authority, Refused};
use owlbox_domain::chouette::{Chouette, Command, Legal, Side};
use owlbox_domain::club::{Reach, TableCommand};
use owlbox_domain::journal::Stream;
use owlbox_domain::values::PlayerId;
use owlbox_engine::game::{Action, ActionKind};

/// For whom a command speaks, as it says itself.
#[derive(Clone, Copy)]
enum Speaks {
    /// For this player's cubes or seat.
    For(PlayerId),
    /// For a side, on the board.
    ForSide(Side),
    /// For the box, about a tie.
    AboutTie,
    ForTable,
}

impl Speaks {
    fn of(command: &Command) -> Self {
        match command {
            Command::Double { player, .. }
            | Command::Take { player, .. }
            | Command::Drop { player, .. }
            | Command::Beaver { player, .. }
            | Command::GiveExtra { player }
            | Command::PassExtra { player }
            | Command::AcceptPartnership { player }
            | Command::DeclinePartnership { player }
            | Command::DeclineBox { player } => Self::For(*player),
            Command::Board { by, action } if is_own_on_board(action.kind()) && !enters_dice(action) => {
                Self::ForSide(*by)
            }
            Command::OpeningTie { .. } => Self::AboutTie,
            Command::Open { .. }
            | Command::ChangeRules { .. }
            | Command::Close { .. }
            | Command::Split { .. }
            | Command::MergeInto { .. }
            | Command::Join { .. }
            | Command::Leave { .. }
            | Command::Break { .. }
            | Command::Return { .. }
            | Command::NameProxy { .. }
            | Command::MergePlayers { .. }
            | Command::SetStake { .. }
            | Command::SetStart { .. }
            | Command::DrawOrder { .. }
            | Command::EnterRolls { .. }
            | Command::SetOrder { .. }
            | Command::OfferPartnership { .. }
            | Command::StartGame { .. }
            | Command::PlayOn { .. }
            | Command::Settle { .. }
            | Command::Board { .. }
            | Command::Finish { .. }
            | Command::Correct { .. }
            | Command::Pay { .. } => Self::ForTable,
        }
    }

    fn of_legal(legal: &Legal) -> Self {
        match legal {
            Legal::Double { player, .. }
            | Legal::Take { player, .. }
            | Legal::Drop { player, .. }
            | Legal::Beaver { player, .. }
            | Legal::GiveExtra { player }
            | Legal::PassExtra { player }
            | Legal::AcceptPartnership { player }
            | Legal::DeclinePartnership { player }
            | Legal::DeclineBox { player } => Self::For(*player),
            Legal::Board { by, .. } => Self::ForSide(*by),
            Legal::OpeningTie { .. } => Self::AboutTie,
            Legal::Open { .. }
            | Legal::Join { .. }
            | Legal::Leave { .. }
            | Legal::Break { .. }
            | Legal::Return { .. }
            | Legal::NameProxy { .. }
            | Legal::SetStake { .. }
            | Legal::SetStart { .. }
            | Legal::MergePlayers { .. }
            | Legal::DrawOrder { .. }
            | Legal::EnterRolls { .. }
            | Legal::SetOrder { .. }
            | Legal::OfferPartnership { .. }
            | Legal::StartGame { .. }
            | Legal::PlayOn { .. }
            | Legal::Settle { .. }
            | Legal::Finish { .. }
            | Legal::Correct { .. }
            | Legal::Pay { .. }
            | Legal::ChangeRules { .. }
            | Legal::Split { .. }
            | Legal::MergeInto { .. }
            | Legal::Close { .. } => Self::ForTable,
        }
    }

    /// Whose act that is now, if it is one player's: whoever decides for the player, the box, or whoever rolls
    /// for the team.
    fn by(self, chouette: &Chouette) -> Option<PlayerId> {
        let player = match self {
            Self::For(player) => player,
            Self::ForSide(Side::Box) => chouette.box_player()?,
            Self::ForSide(Side::Team) => chouette.acting_captain()?,
            Self::AboutTie => chouette.game().filter(|game| game.tie_waits)?.box_player,
            Self::ForTable => return None,
        };
        Some(chouette.decides_for(player))
    }
}

/// Whether whoever rolls for a side may do this for it by himself. What was thrown or agreed on at the table is
/// the scorer's to enter, and a side is not resigned by one alone.
const fn is_own_on_board(action: ActionKind) -> bool {
    use ActionKind::{Pass, Play, RejectResignation, Roll, RollOpening};
    matches!(action, RollOpening | Roll | Play | Pass | RejectResignation)
}

/// Whether the dice of this action are entered and not drawn.
const fn enters_dice(action: &Action) -> bool {
    matches!(action, Action::RollOpening { dice: Some(_) } | Action::Roll { dice: Some(_) })
}

impl Order {
    /// The command's name in the permission table.
    pub(super) const fn name(&self) -> TableCommand {
        match self {
            Self::History(HistoryCommand::Undo { .. }) => TableCommand::Undo,
            Self::History(HistoryCommand::Redo { .. }) => TableCommand::Redo,
            Self::Command(command) => name_of_command(command),
        }
    }
}

/// A command's name in the permission table.
pub(super) const fn name_of_command(command: &Command) -> TableCommand {
    match command {
        Command::Open { .. } => TableCommand::Open,
        Command::ChangeRules { .. } => TableCommand::ChangeRules,
        Command::Close { .. } => TableCommand::Close,
        Command::Split { .. } => TableCommand::Split,
        Command::MergeInto { .. } => TableCommand::MergeInto,
        Command::Join { .. } => TableCommand::Join,
        Command::Leave { .. } => TableCommand::Leave,
        Command::Break { .. } => TableCommand::Break,
        Command::Return { .. } => TableCommand::Return,
        Command::NameProxy { .. } => TableCommand::NameProxy,
        Command::MergePlayers { .. } => TableCommand::MergePlayers,
        Command::SetStake { .. } => TableCommand::SetStake,
        Command::SetStart { .. } => TableCommand::SetStart,
        Command::DrawOrder { .. } => TableCommand::DrawOrder,
        Command::EnterRolls { .. } => TableCommand::EnterRolls,
        Command::SetOrder { .. } => TableCommand::SetOrder,
        Command::OfferPartnership { .. } => TableCommand::OfferPartnership,
        Command::AcceptPartnership { .. } => TableCommand::AcceptPartnership,
        Command::DeclinePartnership { .. } => TableCommand::DeclinePartnership,
        Command::DeclineBox { .. } => TableCommand::DeclineBox,
        Command::StartGame { .. } => TableCommand::StartGame,
        Command::OpeningTie { .. } => TableCommand::OpeningTie,
        Command::Double { .. } => TableCommand::Double,
        Command::Take { .. } => TableCommand::Take,
        Command::Drop { .. } => TableCommand::Drop,
        Command::Beaver { .. } => TableCommand::Beaver,
        Command::GiveExtra { .. } => TableCommand::GiveExtra,
        Command::PassExtra { .. } => TableCommand::PassExtra,
        Command::PlayOn { .. } => TableCommand::PlayOn,
        Command::Settle { .. } => TableCommand::Settle,
        Command::Board { .. } => TableCommand::Board,
        Command::Finish { .. } => TableCommand::Finish,
        Command::Correct { .. } => TableCommand::Correct,
        Command::Pay { .. } => TableCommand::Pay,
    }
}

/// The name of a legal command in the permission table.
const fn name_of(legal: &Legal) -> TableCommand {
    match legal {
        Legal::Open { .. } => TableCommand::Open,
        Legal::ChangeRules { .. } => TableCommand::ChangeRules,
        Legal::Close { .. } => TableCommand::Close,
        Legal::Split { .. } => TableCommand::Split,
        Legal::MergeInto { .. } => TableCommand::MergeInto,
        Legal::Join { .. } => TableCommand::Join,
        Legal::Leave { .. } => TableCommand::Leave,
        Legal::Break { .. } => TableCommand::Break,
        Legal::Return { .. } => TableCommand::Return,
        Legal::NameProxy { .. } => TableCommand::NameProxy,
        Legal::MergePlayers { .. } => TableCommand::MergePlayers,
        Legal::SetStake { .. } => TableCommand::SetStake,
        Legal::SetStart { .. } => TableCommand::SetStart,
        Legal::DrawOrder { .. } => TableCommand::DrawOrder,
        Legal::EnterRolls { .. } => TableCommand::EnterRolls,
        Legal::SetOrder { .. } => TableCommand::SetOrder,
        Legal::OfferPartnership { .. } => TableCommand::OfferPartnership,
        Legal::AcceptPartnership { .. } => TableCommand::AcceptPartnership,
        Legal::DeclinePartnership { .. } => TableCommand::DeclinePartnership,
        Legal::DeclineBox { .. } => TableCommand::DeclineBox,
        Legal::StartGame { .. } => TableCommand::StartGame,
        Legal::OpeningTie { .. } => TableCommand::OpeningTie,
        Legal::Double { .. } => TableCommand::Double,
        Legal::Take { .. } => TableCommand::Take,
        Legal::Drop { .. } => TableCommand::Drop,
        Legal::Beaver { .. } => TableCommand::Beaver,
        Legal::GiveExtra { .. } => TableCommand::GiveExtra,
        Legal::PassExtra { .. } => TableCommand::PassExtra,
        Legal::PlayOn { .. } => TableCommand::PlayOn,
        Legal::Settle { .. } => TableCommand::Settle,
        Legal::Board { .. } => TableCommand::Board,
        Legal::Finish { .. } => TableCommand::Finish,
        Legal::Correct { .. } => TableCommand::Correct,
        Legal::Pay { .. } => TableCommand::Pay,
    }
}

/// Whether the asker may give this order.
///
/// # Errors
/// What the permission table refuses.
pub(crate) fn require(
    authority: &Authority,
    before: &Stream<Chouette>,
    order: &Order,
) -> Result<(), Refused> {
    let acting = match order {
        // Of undo and redo: whoever did the acts; his own are himself.
        Order::History(history) if history.is_of(authority.account, before) => authority.player,
        Order::History(_) => None,
        Order::Command(command) => Speaks::of(command).by(&before.state),
    };
    let command = order.name();
    authority.require_reach((command.reach(authority.roles), command.permission()), acting)
}

/// What of the legal commands the asker may give.
#[must_use]
pub(super) fn legal_for(chouette: &Chouette, authority: Option<&Authority>) -> Vec<Legal> {
    let Some(authority) = authority else { return Vec::new() };
    let mut legal = chouette.legal();
    legal.retain_mut(|legal| match name_of(legal).reach(authority.roles) {
        Reach::Anybody => true,
        Reach::Nobody => false,
        Reach::Himself => {
            if let Legal::Board { action, .. } = legal {
                action.retain(|kind| is_own_on_board(*kind));
            }
            let nothing_left = matches!(legal, Legal::Board { action, .. } if action.is_empty());
            let acting = Speaks::of_legal(legal).by(chouette);
            !nothing_left && acting.is_some() && acting == authority.player
        }
    });
    legal
}
