//! Redaction of a table's events. Nobody sees answers given in secret; points are for those who may see them,
//! and payments for those who are signed in. Everything else is for every viewer of the table.

use super::bet::SettledBet;
use super::event::{AgreedBet, DroppedBet, EventKind, FinishedGame, GameBet, GivenExtra};
use super::{Chouette, Event};
use owlbox_base::journal::ActKind;
use owlbox_base::journal::free_text::FreeText;
use owlbox_base::journal::shared::{Shared, Viewer};
use owlbox_base::values::{AccountId, ChouetteId, HalfPoints, Payment};

impl Shared for Chouette {
    type Id = ChouetteId;

    fn shown_to(event: &Event, viewer: &Viewer) -> Option<Event> {
        match event {
            // Who has answered, never what: that comes out in the takes, drops and beavers that follow.
            Event::Answered { player, answer: _ } => Some(Event::Answered { player: *player, answer: None }),
            Event::Paid { payer: _, payee: _, amount: _ } => viewer.sees_payments.then(|| event.clone()),
            Event::Dropped { player, bets, captain } => {
                let bets = bets.iter().map(|bet| bet.shown_to(viewer)).collect();
                Some(Event::Dropped { player: *player, bets, captain: *captain })
            }
            Event::ExtrasGiven { taker, extras } => {
                let extras = extras.iter().map(|extra| extra.shown_to(viewer)).collect();
                Some(Event::ExtrasGiven { taker: *taker, extras })
            }
            Event::Settled { bets } => {
                Some(Event::Settled { bets: bets.iter().map(|bet| bet.shown_to(viewer)).collect() })
            }
            Event::GameFinished(finished) => Some(Event::GameFinished(finished.shown_to(viewer))),
            Event::GameCorrected { game, winner, win, before, after, cubes } => {
                let [before, after] = [before, after].map(|bets| results(bets, viewer));
                let (game, winner, win, cubes) = (*game, *winner, *win, cubes.clone());
                Some(Event::GameCorrected { game, winner, win, before, after, cubes })
            }
            Event::PlayersMerged { duplicate, player, seats, bets, payments, may_decline } => {
                let bets: Vec<GameBet> = if viewer.sees_points { bets.clone() } else { Vec::new() };
                let payments: Vec<Payment> = if viewer.sees_payments { payments.clone() } else { Vec::new() };
                let (duplicate, player, may_decline) = (*duplicate, *player, *may_decline);
                let seats = seats.clone();
                Some(Event::PlayersMerged { duplicate, player, seats, bets, payments, may_decline })
            }
            Event::Opened { name: _, night: _, stake: _, rules: _, from: _ }
            | Event::RulesChanged { rules: _, seats: _ }
            | Event::Joined { player: _, seats: _ }
            | Event::Left { player: _, seats: _, proxy: _, may_decline: _, asked: _ }
            | Event::WentOnBreak { player: _, seats: _, proxy: _, may_decline: _, asked: _ }
            | Event::Returned { player: _, seats: _, may_decline: _ }
            | Event::ProxyNamed { player: _, proxy: _, asked: _ }
            | Event::StakeSet { player: _, units: _ }
            | Event::StartSet { player: _, value: _ }
            | Event::RollsEntered { rolls: _, seats: _ }
            | Event::OrderDrawn { rounds: _, seats: _ }
            | Event::OrderSet { seats: _ }
            | Event::PartnershipOffered { to: _ }
            | Event::PartnershipDeclined { player: _ }
            | Event::PartnershipMade { player: _, drawn: _, seats: _ }
            | Event::BoxDeclined { player: _, seats: _, stood_up: _ }
            | Event::GameStarted {
                game: _,
                box_player: _,
                captain: _,
                partners: _,
                bets: _,
                carried: _,
                refereed: _,
                on_board: _,
                seats: _,
            }
            | Event::OpeningTied { bets: _, automatic: _ }
            | Event::Doubled { player: _, bets: _ }
            | Event::Beavered { player: _, number: _, bets: _, captain: _ }
            | Event::Taken { player: _, bets: _, captain: _ }
            | Event::CaptainChanged { captain: _, members: _ }
            | Event::TakersMovedUp { members: _ }
            | Event::LoneTaker { player: _, then: _ }
            | Event::ExtraOffered { player: _ }
            | Event::ExtraPassed { player: _ }
            | Event::PlayedOn {}
            | Event::Board { of: _ }
            | Event::Split { table: _, players: _, seats: _, may_decline: _ }
            | Event::MergedInto { table: _ }
            | Event::Closed {} => Some(event.clone()),
        }
    }

    fn hide_from(&mut self, viewer: &Viewer) {
        self.redact(viewer);
    }

    fn author_shown_to(_: AccountId, _: &Viewer) -> bool {
        true
    }

    fn changes_who_sees(_: &ActKind<Event>) -> bool {
        false
    }

    fn is_authors_own(kind: EventKind) -> bool {
        kind.is_authors_own()
    }
}

/// The points, if the viewer may see them.
fn points(points: Option<HalfPoints>, viewer: &Viewer) -> Option<HalfPoints> {
    points.filter(|_| viewer.sees_points)
}

/// The results of bets, if the viewer may see points.
fn results(bets: &[SettledBet], viewer: &Viewer) -> Vec<SettledBet> {
    if viewer.sees_points { bets.to_vec() } else { Vec::new() }
}

impl DroppedBet {
    fn shown_to(&self, viewer: &Viewer) -> Self {
        let Self { bet, opponent, points: won, cube } = *self;
        Self { bet, opponent, points: points(won, viewer), cube }
    }
}

impl GivenExtra {
    fn shown_to(&self, viewer: &Viewer) -> Self {
        let Self { giver, payment, points: paid, bet, value, units } = *self;
        Self { giver, payment, points: points(paid, viewer), bet, value, units }
    }
}

impl AgreedBet {
    fn shown_to(&self, viewer: &Viewer) -> Self {
        let Self { bet, winner, points: agreed, counts_for } = *self;
        Self { bet, winner, points: points(agreed, viewer), counts_for }
    }
}

impl FinishedGame {
    fn shown_to(&self, viewer: &Viewer) -> Self {
        let Self { game, winner, win, bets, line, partners, stood_up, may_decline } = self.clone();
        Self { game, winner, win, bets: results(&bets, viewer), line, partners, stood_up, may_decline }
    }
}

impl FreeText for Chouette {
    fn text_keys(kind: EventKind) -> &'static [&'static str] {
        kind.text_keys()
    }
}
