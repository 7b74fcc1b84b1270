//! Settling up a table: who pays whom, and settling with somebody who leaves before the others.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use actix_web::{HttpResponse, web};
use askama::Template;

use super::amounts::{alone, how_much};
use super::say::Say;
use super::settle_night;
use super::visitor::Visitor;
use crate::pages::button::{Button, Target};
use crate::pages::{Frame, Tab};
use crate::sentences::chouette::game_over;
use owlbox_base::journal::{HistoryKind, Steps};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{ActId, ChouetteId, Payment, PlayerId};
use owlbox_books::ledger::Unit;
use owlbox_books::ledger::settle_up::{CannotPayOff, Named, PaidOff, pay_off};
use owlbox_books::typed::InputError;
use owlbox_chouette::{Chouette, Command, Finished, Phase};
use owlbox_desk::commands::history::{HistoryCommand, Order};
use owlbox_desk::nights::debts::Debts;
use owlbox_desk::nights::settling::PaymentsMade;
use owlbox_http::problem::Problem;
use owlbox_locale::Amount;
use owlbox_locale::url::encoded;

/// What the address says about somebody who leaves early: the player, those who settle with them, and the
/// amounts.
#[derive(Debug, Default)]
pub(super) struct EarlyLeaver {
    leaver: Option<PlayerId>,
    by: Vec<PlayerId>,
    amounts: BTreeMap<PlayerId, String>,
}

impl EarlyLeaver {
    fn from_query(query: &[(String, String)]) -> Self {
        let mut early = Self::default();
        for (name, value) in query {
            match name.as_str() {
                "leaver" => early.leaver = value.parse().ok(),
                "by" => early.by.extend(value.parse::<PlayerId>()),
                name => {
                    let player = name.strip_prefix("amount-").and_then(|player| player.parse().ok());
                    early.amounts.extend(player.map(|player| (player, value.trim().to_owned())));
                }
            }
        }
        early
    }
}

/// The address of a table's page.
pub(super) fn address(id: ChouetteId) -> String {
    format!("/chouettes/{id}/settle-up")
}

pub(super) async fn show(
    visitor: Visitor,
    id: web::Path<ChouetteId>,
    query: web::Query<Vec<(String, String)>>,
) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewPayments)?;
    answer(&visitor, *id, &EarlyLeaver::from_query(&query)).await
}

/// The current page; after a refusal with the problem above it, and its status.
pub(super) async fn answer(
    visitor: &Visitor,
    id: ChouetteId,
    early: &EarlyLeaver,
) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewPayments)?;
    let desk = &visitor.service.desk;
    let (stream, debts) = desk.debts(id).await?;
    let names = desk.names(debts.standings.keys().copied().collect()).await?;
    let paid = desk.payments_made(id, &stream).await?;
    let undo = desk.steps(&stream, visitor.principal.as_ref(), HistoryKind::Undo).await?;
    let frame = visitor.frame(&visitor.t.get("settle-up"), Some(Tab::Night));
    let page = SettleUpPage {
        t: visitor.say(&names),
        frame: Frame { here: address(id), ..frame },
        target: Target::at_table(id, stream.version),
        id,
        table: &stream.state,
        debts: &debts,
        paid,
        undo: undo.map(|steps| steps.entry.id),
        early,
    };
    visitor.answer(page.render())
}

/// `/chouettes/{id}/settle-up?leaver=&by=&amount-{player}=`. Printed, it is the record of the night:
/// standings, payments and games.
#[derive(Template)]
#[template(path = "settle_up.html")]
pub(super) struct SettleUpPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub target: Target,
    pub id: ChouetteId,
    pub table: &'a Chouette,
    pub debts: &'a Debts,
    pub paid: PaymentsMade,
    /// The act that the viewer can undo next.
    pub undo: Option<ActId>,
    pub early: &'a EarlyLeaver,
}

/// Somebody who leaves before the others, and how they settle.
struct Leaving {
    player: PlayerId,
    /// What they are owed; negative if they owe it.
    open: i64,
    /// Everybody else, those first with whom most can be settled.
    others: Vec<PlayerId>,
    /// With whom they settle.
    named: Vec<PlayerId>,
    /// How; or why it cannot be with these amounts, in words.
    paid_off: Result<PaidOff, String>,
}

impl SettleUpPage<'_> {
    fn games(&self) -> String {
        let games = usize::try_from(self.table.games_finished()).unwrap_or(usize::MAX);
        self.t.count("games-count", &games)
    }

    /// What a point is worth, if money is played for.
    fn stake(&self) -> String {
        match self.table.stake() {
            Some(stake) => self.t.with("point-is", "stake", self.t.stake(stake)),
            None => self.t.get("no-money"),
        }
    }

    fn is_playing(&self) -> bool {
        self.table.phase() == Phase::Playing
    }

    fn whole_night(&self) -> String {
        settle_night::address(self.table.night(), self.debts.unit)
    }

    /// The payments that settle everything together with those already made, each with whether it was made;
    /// one for each two players, in the order of the open payments, so that none moves when it is paid.
    fn payments(&self) -> Vec<(Payment, bool)> {
        let open = self.debts.settling.payments.iter().map(|payment| (*payment, false));
        let made = self.made().into_iter().map(|payment| (payment, true));
        let mut payments: Vec<(Payment, bool)> = open.chain(made).collect();
        payments.sort_by_key(|(payment, _)| (Reverse(payment.amount), payment.payer, payment.payee));
        payments
    }

    /// The payments made, net for each pair of players.
    fn made(&self) -> Vec<Payment> {
        let all: BTreeMap<(PlayerId, PlayerId), i64> =
            self.table.payments().map(|paid| ((paid.payer, paid.payee), paid.amount)).collect();
        let net = |(&(payer, payee), amount): (&(PlayerId, PlayerId), &i64)| {
            let amount = amount - all.get(&(payee, payer)).copied().unwrap_or_default();
            (amount > 0).then_some(Payment { payer, payee, amount })
        };
        all.iter().filter_map(net).collect()
    }

    fn may_record(&self) -> bool {
        self.t.may(Permission::RecordPayments)
    }

    /// The button that records a payment, or takes back one that was made. `None` if the viewer may not.
    fn act(&self, payment: &Payment, is_made: &bool) -> Option<Button> {
        if *is_made { self.takes_back(*payment) } else { self.pays(*payment, address(self.id)) }
    }

    /// The button that records a payment, and then goes on to another page.
    fn pays(&self, Payment { payer, payee, amount }: Payment, then: String) -> Option<Button> {
        let order = Order::Command(Command::Pay { payer, payee, amount });
        self.may_record().then(|| self.button("paid", &order, then))
    }

    fn button(&self, label: &str, order: &Order<Command>, then: String) -> Button {
        Button::new(self.t.get(label), order).then(then)
    }

    /// The button that takes a payment back: the last act by undo; any other, on which later acts depend, by
    /// paying it back. `None` if the whole night was settled up, because that is undone at all of its tables.
    fn takes_back(&self, payment: Payment) -> Option<Button> {
        if self.paid.by_night {
            return None;
        }
        let newest = self.undo.filter(|_| self.paid.newest == Some(payment));
        let order = match newest {
            Some(act) => Order::History(HistoryCommand::Undo { act: Some(act), acts: Steps::ONE }),
            None if self.may_record() => {
                let Payment { payer, payee, amount } = payment;
                Order::Command(Command::Pay { payer: payee, payee: payer, amount })
            }
            None => return None,
        };
        Some(self.button("undo-paid", &order, address(self.id)))
    }

    fn how_much(&self, units: &i64) -> String {
        how_much(&self.t, self.debts.unit, *units)
    }

    /// A payment in words, as the accessible name of its button.
    fn sentence(&self, Payment { payer, payee, amount }: &Payment) -> String {
        let (payer, payee, amount) = (self.t.name(payer), self.t.name(payee), self.how_much(amount));
        self.t.fill("told-payment", &[("payer", &payer), ("payee", &payee), ("amount", &amount)])
    }

    /// Everybody who has sat at the table, the winner first.
    fn ranked(&self) -> Vec<PlayerId> {
        self.table.standings().into_iter().map(|score| score.player).collect()
    }

    fn points(&self, player: &PlayerId) -> Amount {
        self.t.points(&self.table.booked(*player).0)
    }

    /// The points of a player in money. `None` if no money is played for.
    fn won(&self, player: &PlayerId) -> Option<Amount> {
        let won = self.debts.standings.get(player).map_or(0, |standing| standing.won);
        (self.debts.unit != Unit::HalfPoints).then(|| self.alone(won))
    }

    /// What a player has paid to the others, less what they have paid.
    fn paid(&self, player: &PlayerId) -> Amount {
        self.alone(self.debts.standings.get(player).map_or(0, |standing| standing.paid))
    }

    fn open(&self, player: &PlayerId) -> Amount {
        self.alone(self.debts.owed_to(*player))
    }

    fn alone(&self, units: i64) -> Amount {
        alone(&self.t, self.debts.unit, units)
    }

    /// How a game ended, in words.
    fn result(&self, game: &Finished) -> String {
        game_over(&self.t, game.winner, game.win)
    }

    fn points_in(&self, game: &Finished, player: &PlayerId) -> Option<Amount> {
        Some(self.t.points(&game.points_of(*player)?.0))
    }

    /// Players with an open debt, each of whom may leave before the others. Empty with fewer than three, who
    /// settle by the payments above.
    fn leavers(&self) -> Vec<PlayerId> {
        let mut open = self.ranked();
        open.retain(|player| self.debts.owed_to(*player) != 0);
        let may_leave = self.may_record() && open.len() >= 3 && self.table.phase() != Phase::Closed;
        if may_leave { open } else { Vec::new() }
    }

    fn is_leaving(&self, player: &PlayerId) -> bool {
        self.early.leaver == Some(*player)
    }

    fn leaving(&self) -> Option<Leaving> {
        let (player, debts) = (self.early.leaver?, self.debts);
        let open = Some(debts.owed_to(player)).filter(|open| *open != 0)?;
        let mut others: Vec<PlayerId> =
            debts.balances.keys().copied().filter(|other| *other != player).collect();
        // The one who owes most pays somebody who is owed, and the other way round.
        others.sort_by_key(|other| i128::from(debts.owed_to(*other)) * i128::from(open.signum()));
        let is_owing = |other: &PlayerId| debts.owed_to(*other).signum() == -open.signum();
        let named: Vec<PlayerId> = if self.early.by.is_empty() {
            others.iter().copied().filter(is_owing).collect()
        } else {
            self.early.by.iter().copied().filter(|other| others.contains(other)).collect()
        };
        let paid_off = self.pay_off(player, &named);
        Some(Leaving { player, open, others, named, paid_off })
    }

    /// The payments and what remains open; or the mistake, in words.
    fn pay_off(&self, leaver: PlayerId, named: &[PlayerId]) -> Result<PaidOff, String> {
        let t = &self.t;
        let amount = |player: &PlayerId| match self.typed(player) {
            "" => Ok(None),
            typed => t.amount_typed(typed, self.debts.unit).map(Some).map_err(|unread| match unread {
                InputError::Ambiguous(readings) => t.which_of(&readings),
                InputError::Unreadable => t.get("leaver-bad-amount"),
            }),
        };
        let named = named
            .iter()
            .map(|player| Ok(Named { player: *player, amount: amount(player)? }))
            .collect::<Result<Vec<_>, String>>()?;
        pay_off(&self.debts.balances, leaver, &named).map_err(|refused| {
            if let CannotPayOff::TooMuch { open, .. } = refused {
                t.with("leaver-too-much", "amount", self.how_much(&open))
            } else {
                t.get("leaver-bad-amount")
            }
        })
    }

    /// The amount chosen for a player, as typed.
    fn typed(&self, player: &PlayerId) -> &str {
        self.early.amounts.get(player).map_or("", String::as_str)
    }

    /// The open amount of a leaver, and the question of who pays or is paid.
    fn question(&self, leaving: &Leaving) -> String {
        self.about("leaver-owed", "leaver-owes", leaving, &leaving.open)
    }

    /// What stays open after a leaver's payments, if anything does.
    fn rest(&self, leaving: &Leaving, paid: &PaidOff) -> Option<String> {
        (paid.left != 0).then(|| self.about("leaver-still-owed", "leaver-still-owes", leaving, &paid.left))
    }

    fn about(&self, is_owed: &str, owes: &str, leaving: &Leaving, units: &i64) -> String {
        let key = if leaving.open > 0 { is_owed } else { owes };
        let (name, amount) = (self.t.name(&leaving.player), self.how_much(units));
        self.t.fill(key, &[("name", &name), ("amount", &amount)])
    }

    /// The button that records one of a leaver's payments. The page then goes on with the others.
    fn pays_off(&self, leaving: &Leaving, payment: &Payment) -> Option<Button> {
        let leaver = leaving.player;
        let with = if payment.payer == leaver { payment.payee } else { payment.payer };
        let others: Vec<&PlayerId> = leaving.named.iter().filter(|player| **player != with).collect();
        let mut then = address(self.id);
        if !others.is_empty() {
            then.push_str(&format!("?leaver={leaver}"));
            for other in others {
                then.push_str(&format!("&by={other}"));
                let amount = Some(self.typed(other)).filter(|amount| !amount.is_empty());
                then.extend(amount.map(|amount| format!("&amount-{other}={}", encoded(amount))));
            }
            then.push_str("#leaver");
        }
        self.pays(*payment, then)
    }
}
