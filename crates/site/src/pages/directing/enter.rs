//! The page on which players enter themselves, while they may.

use crate::pages::button::{Button, Target};
use askama::Template;

use super::DirectorContext;
use crate::pages::{Choice, Frame};
use owlbox_base::values::{MinorUnits, PlayerId};
use owlbox_locale::Locale;
use owlbox_play::tournament::Command;
use owlbox_play::tournament::command::NewEntry;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::DivisionNo;

#[derive(Debug, Template)]
#[template(path = "directing/enter.html")]
pub struct EnterPage {
    pub t: Locale,
    pub frame: Frame,
    /// The tournament's id and the address of this page, for its forms.
    pub desk: Whose,
    pub name: String,
    /// Date, place and closing of entries, in words.
    pub about: Vec<String>,
    /// Why nobody can enter now.
    pub closed: Option<String>,
    pub divisions: Vec<Offer>,
}

/// The tournament's id, and where its forms are sent, under the names that the forms use at the desk.
#[derive(Clone, Debug)]
pub struct Whose {
    pub id: String,
    pub target: Target,
}

/// A division that the player can enter, or has entered.
#[derive(Clone, Debug)]
pub struct Offer {
    pub name: String,
    /// The number of entries and the fees, in words.
    pub facts: Vec<String>,
    pub button: Option<Button>,
    /// The side pools the player can join.
    pub pools: Vec<Choice>,
    pub entered: Option<String>,
    pub own: Option<String>,
}

#[must_use]
pub fn address(id: owlbox_base::values::TournamentId) -> String {
    format!("/tournaments/{id}/enter")
}

impl EnterPage {
    /// The page for a player. To a viewer who is no player it says why they cannot enter.
    #[must_use]
    pub fn new(context: &DirectorContext<'_>, frame: Frame, player: Option<PlayerId>) -> Option<Self> {
        let t = context.t;
        let about = context.state.about()?;
        let takes = about.takes_entries(context.now) && context.state.closed_at.is_none();
        let closed = match player {
            None => Some(t.get("enter-no-player")),
            Some(_) if !takes => Some(t.get("enter-closed")),
            Some(_) => None,
        };
        let offer =
            |(number, of): (DivisionNo, &Division)| offer(context, number, of, player.filter(|_| takes));
        let mut told = vec![t.day_at(about.date, about.starts)];
        told.extend(about.place.as_ref().map(ToString::to_string));
        told.extend(
            about.entries_close.as_ref().map(|until| t.with("enter-until", "time", t.date_time(until))),
        );
        Some(Self {
            t: *t,
            frame,
            desk: Whose {
                id: context.id.to_string(),
                target: Target::at_tournament(context.id, address(context.id)),
            },
            name: about.name.to_string(),
            about: told,
            closed,
            divisions: context.state.divisions().map(offer).collect(),
        })
    }
}

fn offer(
    context: &DirectorContext<'_>,
    number: DivisionNo,
    of: &Division,
    player: Option<PlayerId>,
) -> Offer {
    let t = context.t;
    let currency = context.state.currency();
    let much = |amount: u64| {
        let amount = MinorUnits(i64::try_from(amount).unwrap_or(i64::MAX));
        currency.map(|currency| t.how_much(amount, currency))
    };
    let fees = of.settings.fees;
    let fee = Some(fees.entry.minor_units() + fees.registration.minor_units()).filter(|fee| *fee > 0);
    let mut facts = vec![t.count("enter-entered", &of.taking_part())];
    facts.push(
        fee.and_then(much).map_or_else(|| t.get("enter-free"), |fee| t.with("enter-costs", "amount", fee)),
    );
    let pools = (0..8_u8).zip(&of.settings.side_pools).map(|(pool, side)| {
        let stake = much(side.stake.minor_units()).unwrap_or_default();
        Choice::new(pool.to_string(), format!("{}, {stake}", side.name), false)
    });
    let entered = player.and_then(|player| of.entry_of(player));
    let may = player.filter(|_| entered.is_none() && !of.is_drawn());
    let button = may.map(|player| {
        let entries = vec![NewEntry { player, side_pools: Vec::new() }];
        Button::new(t.get("enter-me"), &Command::Enter { division: number, entries })
            .then(address(context.id))
            .main()
    });
    Offer {
        name: of.settings.name.to_string(),
        facts,
        pools: if button.is_some() { pools.collect() } else { Vec::new() },
        button,
        own: player
            .filter(|_| entered.is_some())
            .map(|player| format!("/tournaments/{}/players/{player}", context.id)),
        entered: entered.map(|entry| t.with("enter-is-in", "number", entry.0)),
    }
}
