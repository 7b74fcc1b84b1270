//! What an order comes to, before anything is written: worked out by the same code for the act itself and for its
//! preview.
//!
//! An act of a sheet may be one of a tournament as well: `tournaments::sheets` takes it back there too.

use std::sync::Arc;

use super::Order;
use crate::bounds::{Kinds, Reaches, Share, left_in_reserve, within_own_share};
use crate::chouettes::room_for_a_game;
use crate::subject::Part;
use crate::surroundings::Surroundings;
use crate::{Refused, Rule};
use owlbox_domain::code::Code;
use owlbox_domain::journal::{ActKind, Stream, Version};
use owlbox_domain::matches::{Allowed, Command, CommandKind, EnteredBy, Event, EventKind, Sheet};
use owlbox_domain::values::{AccountId, MatchId};

/// What reaches into what is kept for [putting right](Order::puts_right), and contests.
const PUT_RIGHT: Kinds<EventKind> = Kinds { are: EventKind::puts_right, history: true };

/// Of which [share](Share) of the sheet an order is, if whoever gives it may do so of his own alone.
const fn share_of(order: &Order) -> Option<Share<EventKind>> {
    match order {
        Order::Command(Command::Game(_) | Command::Resign { .. } | Command::Draw {}) => {
            Some(Share::entered(EventKind::is_result))
        }
        Order::History(_)
        | Order::Command(
            Command::Contest { .. }
            | Command::WithdrawContest { .. }
            | Command::Adjourn {}
            | Command::Resume {}
            | Command::Claim { .. }
            | Command::SetClock { .. }
            | Command::PauseClock {}
            | Command::ResumeClock {},
        ) => Some(Share::repeated(EventKind::goes_on_for_ever)),
        _ => None,
    }
}

/// Whether it contests what nobody has contested yet: there is an end of that with the lines that the other enters, and he
/// must not be able to use it up.
fn contests_first(order: &Order, sheet: &Sheet) -> bool {
    matches!(order, Order::Command(Command::Contest { game, .. }) if sheet.was_never_contested(*game))
}

/// Whether what somebody does of his own has room in his share of the sheet. First contests do not count.
fn within_shares(
    around: &mut impl Surroundings,
    id: MatchId,
    before: &Stream<Sheet>,
    order: &Order,
    kind: &ActKind<Event>,
    by: EnteredBy,
    account: AccountId,
) -> Result<(), Refused> {
    let Some(share) = share_of(order).filter(|_| !contests_first(order, &before.state)) else {
        return Ok(());
    };
    let excused = if share.counts(EventKind::Contested) { by.side() } else { None };
    let excused = excused.map_or(0, |side| before.state.first_contests(side));
    let adds = share.added_by(kind);
    within_own_share(around, id.0, account, share, adds, excused.into())
}

/// What `order`, which is given to match `id`, comes to; whether whoever gives it may do so of his `own` alone, and who
/// that is at the sheet.
///
/// # Errors
/// What the rules or the desk refuse.
pub(crate) fn plan(
    around: &mut impl Surroundings,
    id: MatchId,
    before: &Arc<Stream<Sheet>>,
    order: &Order,
    own: bool,
    by: EnteredBy,
    account: AccountId,
) -> Result<Part<Sheet>, Refused> {
    order.has_room(before.version, around.limit())?;
    let kind = match order {
        Order::History(history) => history.act_kind(before)?,
        Order::Command(command) => {
            let told = Command::Told { by, command: Box::new(command.clone()) };
            around.decide(&before.state, &[told])?
        }
    };
    if own {
        within_shares(around, id, before, order, &kind, by, account)?;
    }
    let reaches = if contests_first(order, &before.state) { Reaches::End } else { order.reaches(own) };
    let mut limit = reaches.limit(around.limit());
    if reaches == Reaches::Reserve {
        let left = left_in_reserve(around, id.0, before.version, account, PUT_RIGHT)?;
        limit = limit.max(before.version + left);
    }
    Ok(Part { id, before: Arc::clone(before), kind, limit })
}

impl Order {
    /// How far into its stream it may reach.
    const fn reaches(&self, own: bool) -> Reaches {
        // Whoever has filled the sheet keeps nobody from contesting it, which has a share of it.
        let contests =
            matches!(self, Self::Command(Command::Contest { .. } | Command::WithdrawContest { .. }));
        if matches!(self, Self::Command(Command::Board { .. })) {
            Reaches::Game
        } else if self.winds_up() {
            Reaches::End
        } else if contests || !own && self.puts_right() {
            Reaches::Reserve
        } else {
            Reaches::Length
        }
    }

    /// Whether it puts right what was entered, says what came of the match, or what was paid for it.
    const fn puts_right(&self) -> bool {
        matches!(
            self,
            Self::History(_)
                | Self::Command(
                    Command::Correct { .. }
                        | Command::RuleContest { .. }
                        | Command::Rule { .. }
                        | Command::Penalty { .. }
                        | Command::Late { .. }
                        | Command::Pay { .. }
                )
        )
    }

    /// Whether it only brings to an end what goes on. A match whose stream is full must not be stuck; and of these there
    /// is an end, for nothing begins after them.
    const fn winds_up(&self) -> bool {
        matches!(
            self,
            Self::Command(
                Command::Board { .. }
                    | Command::AbandonBoard {}
                    | Command::Final { .. }
                    | Command::Concede { .. }
                    | Command::Close {}
            )
        )
    }

    /// Whether a match whose stream is at `version` of so many events goes on with it: a game is refereed only where there
    /// is room for it.
    fn has_room(&self, version: Version, length_limit: Version) -> Result<(), Refused> {
        let begins = matches!(self, Self::Command(Command::StartBoard { .. }));
        if !begins || room_for_a_game(version, length_limit) {
            return Ok(());
        }
        Err(Refused::Rule(Rule {
            code: Code::MatchTooLong,
            field: None,
            allowed: Some(
                Allowed::Commands(&[CommandKind::Game, CommandKind::Final, CommandKind::Close]).into(),
            ),
            detail: "the sheet's stream is nearly as long as it may be: no game is refereed any more".into(),
        }))
    }
}
