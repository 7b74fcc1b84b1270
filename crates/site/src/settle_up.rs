//! Settling up a table: who pays whom, and settling with somebody who leaves before the others.

use crate::pages::button::{Button, Target};
use std::cmp::Reverse;
use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template as _;

use super::amounts::{alone, how_much};
use super::settle_night;
use super::visitor::{self, Visitor};
use crate::pages::{GameLine, Handing, Leaver, Leaving, Other, SettleUp, StandingLine, Tab};
use crate::sentences::chouette::game_over;
use owlbox_base::journal::{HistoryKind, Steps, Stream};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{ActId, ChouetteId, HalfPoints, Payment, PlayerId};
use owlbox_books::ledger::Unit;
use owlbox_books::ledger::settle_up::{CannotPayOff, Named, pay_off};
use owlbox_books::typed::Unread;
use owlbox_chouette::{Chouette, Command, Phase};
use owlbox_desk::commands::history::{HistoryCommand, Order};
use owlbox_desk::nights::debts::Debts;
use owlbox_desk::nights::settling::PaymentsMade;
use owlbox_desk::people::players::called;
use owlbox_http::problem::Problem;
use owlbox_locale::url::encoded;
use owlbox_locale::{Amount, Locale};

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
    answer(&visitor, *id, &EarlyLeaver::from_query(&query), None).await
}

/// The current page; after a refusal with the problem above it, and its status.
pub(super) async fn answer(
    visitor: &Visitor,
    id: ChouetteId,
    early: &EarlyLeaver,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    visitor.require(Permission::ViewPayments)?;
    let desk = &visitor.service.desk;
    let (stream, debts) = desk.debts(id).await?;
    let names = desk.names(debts.standings.keys().copied().collect()).await?;
    let paid = desk.payments_made(id, &stream).await?;
    let undo = desk.steps(&stream, visitor.principal.as_ref(), HistoryKind::Undo).await?;
    let undo = undo.map(|steps| steps.entry.id);
    let context = SettleUpContext { visitor, id, stream: &stream, debts: &debts, names: &names, paid, undo };
    let mut page = context.page(early);
    page.frame.here = address(id);
    page.frame.notice = problem.map(|problem| visitor.notice(problem));
    visitor::html(problem.map_or(StatusCode::OK, visitor::status), page.render())
}

/// Everything that the page is made from.
struct SettleUpContext<'a> {
    visitor: &'a Visitor,
    id: ChouetteId,
    stream: &'a Stream<Chouette>,
    debts: &'a Debts,
    names: &'a BTreeMap<PlayerId, String>,
    paid: PaymentsMade,
    /// The act that the visitor can undo next.
    undo: Option<ActId>,
}

impl SettleUpContext<'_> {
    fn t(&self) -> &Locale {
        &self.visitor.t
    }

    fn state(&self) -> &Chouette {
        &self.stream.state
    }

    fn name(&self, player: PlayerId) -> String {
        called(self.names, player)
    }

    fn page(&self, early: &EarlyLeaver) -> SettleUp {
        let (t, state) = (self.t(), self.state());
        let here = address(self.id);
        let open = self.debts.settling.payments.iter().map(|payment| (*payment, false));
        let mut payments: Vec<(Payment, bool)> =
            open.chain(self.made().into_iter().map(|payment| (payment, true))).collect();
        // In the order of the open payments, so that none moves when it is paid.
        payments.sort_by_key(|(payment, _)| (Reverse(payment.amount), payment.payer, payment.payee));
        let handing = |(payment, paid): (Payment, bool)| {
            if paid { self.handed(payment) } else { self.handing(payment, Some(here.clone())) }
        };
        let ranked: Vec<PlayerId> = state.standings().into_iter().map(|score| score.player).collect();
        SettleUp {
            t: *t,
            frame: self.visitor.frame(&t.get("settle-up"), Some(Tab::Night)),
            table: self.id.to_string(),
            target: Target::at_table(self.id, self.stream.version),
            name: state.name().to_owned(),
            night: state.night(),
            opened: state.opened_at(),
            games: usize::try_from(state.games_finished()).unwrap_or(usize::MAX),
            stake: state.stake().map(|stake| t.stake(stake)),
            playing: state.phase() == Phase::Playing,
            payments: payments.into_iter().map(handing).collect(),
            exact: self.debts.settling.exact,
            standings: ranked.iter().map(|player| self.standing(*player)).collect(),
            currency: state.stake().map(|stake| stake.currency.to_string()),
            leavers: self.leavers(early, &ranked),
            leaving: self.leaving(early),
            sheet: self.sheet(&ranked),
            whole_night: settle_night::address(state.night(), self.debts.unit),
        }
    }

    /// The payments made, net for each pair of players.
    fn made(&self) -> Vec<Payment> {
        let all: BTreeMap<(PlayerId, PlayerId), i64> =
            self.state().payments().map(|paid| ((paid.payer, paid.payee), paid.amount)).collect();
        let net = |(&(payer, payee), amount): (&(PlayerId, PlayerId), &i64)| {
            let amount = amount - all.get(&(payee, payer)).copied().unwrap_or_default();
            (amount > 0).then_some(Payment { payer, payee, amount })
        };
        all.iter().filter_map(net).collect()
    }

    /// A payment that was made, with the button that takes it back.
    fn handed(&self, payment: Payment) -> Handing {
        Handing { paid: true, pay: self.undo(payment), ..self.handing(payment, None) }
    }

    /// A payment, with the button that records it if `then` says where to go next and the viewer may record
    /// payments.
    fn handing(&self, payment: Payment, then: Option<String>) -> Handing {
        let Payment { payer, payee, amount } = payment;
        let command = Command::Pay { payer, payee, amount };
        let then = then.filter(|_| self.may_record());
        Handing {
            payer: self.name(payer),
            payee: self.name(payee),
            amount: self.how_much(amount),
            paid: false,
            pay: then.map(|then| self.button("paid", &Order::Command(command), then)),
        }
    }

    fn may_record(&self) -> bool {
        self.visitor.may(Permission::RecordPayments)
    }

    fn button(&self, label: &str, order: &Order<Command>, then: String) -> Button {
        Button::new(self.visitor.t.get(label), order).then(then)
    }

    /// The button that takes a payment back: the last act by undo; any other, on which later acts depend, by
    /// paying it back. `None` if the whole night was settled up, because that is undone at all of its tables.
    fn undo(&self, payment: Payment) -> Option<Button> {
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

    fn how_much(&self, amount: i64) -> String {
        how_much(self.t(), self.debts.unit, amount)
    }

    fn alone(&self, units: i64) -> Amount {
        alone(self.t(), self.debts.unit, units)
    }

    fn open(&self, player: PlayerId) -> i64 {
        self.debts.balances.get(&player).copied().unwrap_or_default()
    }

    fn standing(&self, player: PlayerId) -> StandingLine {
        let standing = self.debts.standings.get(&player).copied().unwrap_or_default();
        let money = self.debts.unit != Unit::HalfPoints;
        StandingLine {
            name: self.name(player),
            points: self.t().points(self.state().booked(player)),
            won: money.then(|| self.alone(standing.won)),
            paid: self.alone(standing.paid),
            open: self.alone(self.open(player)),
        }
    }

    /// Players with an open debt, each of whom may leave before the others. Empty with fewer than three, who
    /// settle by the payments above.
    fn leavers(&self, early: &EarlyLeaver, ranked: &[PlayerId]) -> Vec<Leaver> {
        let open: Vec<PlayerId> = ranked.iter().copied().filter(|player| self.open(*player) != 0).collect();
        if !self.may_record() || open.len() < 3 || self.state().phase() == Phase::Closed {
            return Vec::new();
        }
        let leaver = |player: PlayerId| Leaver {
            name: self.name(player),
            link: format!("{}?leaver={player}#leaver", address(self.id)),
            chosen: early.leaver == Some(player),
        };
        open.into_iter().map(leaver).collect()
    }

    fn leaving(&self, early: &EarlyLeaver) -> Option<Leaving> {
        let leaver = early.leaver?;
        let open = Some(self.open(leaver)).filter(|open| *open != 0)?;
        let mut others: Vec<PlayerId> =
            self.debts.balances.keys().copied().filter(|player| *player != leaver).collect();
        // Whoever owes most pays somebody who is owed, and the other way round.
        others.sort_by_key(|player| {
            let own = i128::from(self.open(*player));
            if open > 0 { own } else { -own }
        });
        let named: Vec<PlayerId> = if early.by.is_empty() {
            others.iter().copied().filter(|player| self.open(*player).signum() == -open.signum()).collect()
        } else {
            early.by.iter().copied().filter(|player| others.contains(player)).collect()
        };
        let paid_off = self.pay_off(early, leaver, &named);
        let (payments, left, problem) = match paid_off {
            Ok((payments, left)) => (payments, left, None),
            Err(problem) => (Vec::new(), 0, Some(problem)),
        };
        let other = |player: &PlayerId| Other {
            player: player.to_string(),
            name: self.name(*player),
            open: self.alone(self.open(*player)),
            named: named.contains(player),
            amount: early.amounts.get(player).cloned().unwrap_or_default(),
        };
        Some(Leaving {
            player: leaver.to_string(),
            name: self.name(leaver),
            is_owed: open > 0,
            open: self.how_much(open),
            others: others.iter().map(other).collect(),
            payments: payments.iter().map(|paid| self.paid_off(early, *paid, leaver, &named)).collect(),
            left: (left != 0).then(|| self.how_much(left)),
            problem,
        })
    }

    /// The payments and what remains open; or the mistake, in words.
    fn pay_off(
        &self,
        early: &EarlyLeaver,
        leaver: PlayerId,
        named: &[PlayerId],
    ) -> Result<(Vec<Payment>, i64), String> {
        let t = self.t();
        let amount = |player: &PlayerId| match early.amounts.get(player).map_or("", String::as_str) {
            "" => Ok(None),
            typed => t.amount_typed(typed, self.debts.unit).map(Some).map_err(|unread| match unread {
                Unread::Ambiguous(readings) => t.which_of(&readings),
                Unread::Unreadable => t.get("leaver-bad-amount"),
            }),
        };
        let named = named
            .iter()
            .map(|player| Ok(Named { player: *player, amount: amount(player)? }))
            .collect::<Result<Vec<_>, String>>()?;
        match pay_off(&self.debts.balances, leaver, &named) {
            Ok(paid_off) => Ok((paid_off.payments, paid_off.left)),
            Err(CannotPayOff::TooMuch { open, .. }) => {
                Err(t.with("leaver-too-much", "amount", self.how_much(open)))
            }
            Err(_) => Err(t.get("leaver-bad-amount")),
        }
    }

    /// One of a leaver's payments. Once it is recorded, the page goes on with the others.
    fn paid_off(
        &self,
        early: &EarlyLeaver,
        payment: Payment,
        leaver: PlayerId,
        named: &[PlayerId],
    ) -> Handing {
        let with = if payment.payer == leaver { payment.payee } else { payment.payer };
        let others: Vec<PlayerId> = named.iter().copied().filter(|player| *player != with).collect();
        let mut then = address(self.id);
        if !others.is_empty() {
            then.push_str(&format!("?leaver={leaver}"));
            for other in others {
                then.push_str(&format!("&by={other}"));
                if let Some(amount) = early.amounts.get(&other).filter(|amount| !amount.is_empty()) {
                    then.push_str(&format!("&amount-{other}={}", encoded(amount)));
                }
            }
            then.push_str("#leaver");
        }
        self.handing(payment, Some(then))
    }

    /// Every finished game, with what each of `ranked` won in it.
    fn sheet(&self, ranked: &[PlayerId]) -> Vec<GameLine> {
        let points_of = |game: &owlbox_chouette::Finished, player: PlayerId| {
            let won = game.results.iter().filter(|bet| bet.winner == player).map(|bet| bet.points);
            let lost = game.results.iter().filter(|bet| bet.loser == player).map(|bet| -bet.points);
            let mut all = won.chain(lost).peekable();
            all.peek()?;
            Some(self.t().points(all.sum::<HalfPoints>()))
        };
        let line = |game: &owlbox_chouette::Finished| GameLine {
            game: game.number,
            box_player: self.name(game.box_player),
            what: game_over(self.t(), game.winner, game.win),
            points: ranked.iter().map(|player| points_of(game, *player)).collect(),
        };
        self.state().finished().map(line).collect()
    }
}
