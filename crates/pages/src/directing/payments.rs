//! The page of payments: debts and claims, paid with a tap; the pools, the prizes due and the prizes given.

use std::collections::BTreeMap;

use super::{CommandButton, DirectorContext, Heading};
use crate::locale::Locale;
use crate::{Choice, Fields, Frame};
use owlbox_domain::tournament::division::Division;
use owlbox_domain::tournament::legal::DivisionAct;
use owlbox_domain::tournament::money::Cash;
use owlbox_domain::tournament::prizes::{schedule, scheduled};
use owlbox_domain::tournament::room::{DivisionNo, MatchRef};
use owlbox_domain::tournament::settings::Fee;
use owlbox_domain::tournament::{Command, CommandKind};
use owlbox_domain::values::{Currency, MinorUnits, PlayerId};

use super::words;

/// The most accounts that the page lists.
pub const MOST_ACCOUNTS: usize = 300;
/// The most players to choose from.
const MOST_CHOICES: usize = 2_000;

#[derive(Debug)]
pub struct PaymentsPage {
    pub t: Locale,
    pub frame: Frame,
    pub desk: Heading,
    /// The total of the debts, in words.
    pub open: String,
    /// What is due, paid and still open, as label and amount.
    pub sums: Vec<(String, String)>,
    /// The cash: what was taken in, what was handed out, and what should be in the cash box.
    pub cash: Vec<(String, String)>,
    /// The players who owe or are owed, largest debt first.
    pub accounts: Vec<AccountLine>,
    /// How many accounts are not shown, in words.
    pub more: Option<String>,
    /// The form for another amount: the buttons to pay in and out, and the players.
    pub other: Option<([CommandButton; 2], Vec<Choice>)>,
    /// The pools of each division.
    pub pools: Vec<PoolCard>,
    pub currency: String,
}

/// A player whose account is not even.
#[derive(Clone, Debug)]
pub struct AccountLine {
    pub name: String,
    /// The debt or claim, in words.
    pub amount: String,
    pub owes: bool,
    pub button: Option<CommandButton>,
}

#[derive(Clone, Debug)]
pub struct PoolCard {
    /// The division. Empty if it is the only one.
    pub name: String,
    pub division: u8,
    /// The pool, the side pools and the house's cut: label and amount.
    pub sums: Vec<(String, String)>,
    pub add: Option<CommandButton>,
    /// The prizes and their amounts, while their winners are open.
    pub open: Vec<(String, String)>,
    /// Why the prizes are what they are. `None` while there is nothing to give.
    pub why: Option<Why>,
    /// Each player's prize: the amount due and the amount given.
    pub prizes: Vec<PrizeLine>,
    /// The match that still has to be played before the prizes are known, in words.
    pub still_played: Option<String>,
    /// Whether prizes were given, and exactly those due.
    pub given: bool,
    /// Gives the prizes as the schedule says.
    pub award: Option<CommandButton>,
    pub otherwise: Option<CommandButton>,
}

/// How the prizes follow from the pool.
#[derive(Clone, Debug)]
pub struct Why {
    /// The sum that is divided.
    pub divided: String,
    /// Each prize, its share of that sum (`4/12`), and its amount.
    pub shares: Vec<(String, String, String)>,
    /// How they are rounded, in words.
    pub rounding: String,
}

#[derive(Clone, Debug)]
pub struct PrizeLine {
    pub player: String,
    pub name: String,
    /// The amount due by the schedule.
    pub due: String,
    pub given: Option<String>,
    /// The amount due, as it would be typed.
    pub typed: String,
}

/// The players whose names the page needs.
#[must_use]
pub fn players_named(state: &owlbox_domain::tournament::Tournament) -> Vec<PlayerId> {
    let accounts = state.accounts().map(|(player, _)| player).take(MOST_ACCOUNTS * 4);
    let entered =
        state.divisions().flat_map(|(_, of)| of.entries().map(|(_, entry)| entry.player)).take(MOST_CHOICES);
    accounts.chain(entered).collect()
}

impl PaymentsPage {
    /// The page of payments. `None` if the tournament has no currency.
    #[must_use]
    pub fn new(context: &DirectorContext<'_>, frame: Frame, desk: Heading) -> Option<Self> {
        let currency = context.state.about()?.currency?;
        let t = context.t;
        let here = desk.here.clone();
        let mut open: Vec<(i64, String, PlayerId)> = context
            .state
            .accounts()
            .map(|(player, amount)| (amount, context.player(player), player))
            .collect();
        open.sort();
        let owed: i64 = open.iter().map(|(amount, ..)| (*amount).min(0)).sum();
        let line = |(amount, name, player): &(i64, String, PlayerId)| {
            account(context, currency, *amount, name.clone(), *player, &here)
        };
        let more = open.len().saturating_sub(MOST_ACCOUNTS);
        Some(Self {
            t: *t,
            frame,
            open: if owed == 0 {
                t.get("desk-nobody-owes")
            } else {
                t.with("desk-still-owed", "amount", t.how_much(MinorUnits(owed), currency))
            },
            sums: sums(context),
            cash: cash(context, currency),
            accounts: open.iter().take(MOST_ACCOUNTS).map(line).collect(),
            more: (more > 0).then(|| t.count("desk-more", &more)),
            other: other(context, &here),
            pools: context
                .state
                .divisions()
                .map(|(number, of)| pool(context, currency, number, of, &here))
                .collect(),
            currency: currency.to_string(),
            desk,
        })
    }
}

/// Whether the tournament takes money, and the viewer may record it.
#[must_use]
pub fn takes_money(context: &DirectorContext<'_>) -> bool {
    let currency = context.state.about().and_then(|about| about.currency);
    currency.is_some() && (context.may)(CommandKind::PayIn)
}

/// What players were charged, what was taken in, and what they still owe. Empty if nothing was charged, or the viewer
/// does not record payments.
#[must_use]
pub fn sums(context: &DirectorContext<'_>) -> Vec<(String, String)> {
    let charged = context.state.cash.charged;
    let currency = context.state.about().and_then(|about| about.currency);
    let Some(currency) = currency.filter(|_| takes_money(context) && charged > 0) else { return Vec::new() };
    let open: i64 = context.state.accounts().map(|(_, amount)| amount.min(0)).sum();
    let sums =
        [("desk-sum-due", charged), ("desk-cash-in", context.state.cash.taken_in), ("desk-sum-open", open)];
    sums.map(|(key, sum)| (context.t.get(key), context.t.how_much(MinorUnits(sum), currency))).into()
}

/// What was taken in and handed out, and what should be in the cash box. Empty before any cash has moved.
fn cash(context: &DirectorContext<'_>, currency: Currency) -> Vec<(String, String)> {
    let cash = context.state.cash;
    if cash == Cash::default() {
        return Vec::new();
    }
    let sums = [
        ("desk-cash-in", cash.taken_in),
        ("desk-cash-out", cash.handed_out),
        ("desk-cash-box", cash.in_the_box()),
    ];
    sums.map(|(key, sum)| (context.t.get(key), context.t.how_much(MinorUnits(sum), currency))).into()
}

fn account(
    context: &DirectorContext<'_>,
    currency: Currency,
    amount: i64,
    name: String,
    player: PlayerId,
    here: &str,
) -> AccountLine {
    let sum = context.t.how_much(MinorUnits(amount), currency);
    let owes = amount < 0;
    let button = settles(context, player, here);
    let amount = context.t.with(if owes { "desk-owes" } else { "desk-is-owed" }, "amount", &sum);
    AccountLine { name, amount, owes, button }
}

/// A button that pays all that a player owes or is owed. `None` if they are even or the viewer may not.
#[must_use]
pub fn settles(context: &DirectorContext<'_>, player: PlayerId, here: &str) -> Option<CommandButton> {
    let currency = context.state.about()?.currency?;
    let open = context.state.account(player);
    let amount = Fee::try_from(open.unsigned_abs()).ok().filter(|_| open != 0)?;
    // Pressed on a second device, it finds the account even, and records nothing.
    let account = Some(open);
    let (needed, key, command) = if open < 0 {
        (CommandKind::PayIn, "desk-pay-in", Command::PayIn { player, amount, account })
    } else {
        (CommandKind::PayOut, "desk-pay-out", Command::PayOut { player, amount, account })
    };
    let sum = context.t.how_much(MinorUnits(open), currency);
    let label = context.t.fill(key, &[("name", &context.player(player)), ("amount", &sum)]);
    (context.may)(needed).then(|| CommandButton::new(label, &command, here))
}

/// Whether the prizes given differ from those due now, after a correction or because they were given
/// otherwise.
#[must_use]
pub fn is_given_otherwise(of: &Division) -> bool {
    let Some(awards) = &of.awards else { return false };
    let given = awards.awards.iter().filter(|award| award.amount > 0);
    given.map(|award| (award.player, award.amount)).collect::<BTreeMap<_, _>>() != scheduled(of).prizes
}

/// An amount in minor units as it is typed: without the currency, with a decimal point.
#[must_use]
pub fn typed(amount: u64, currency: Currency) -> String {
    let decimals = usize::try_from(currency.decimals()).unwrap_or(0);
    let unit = 10_u64.pow(currency.decimals());
    match decimals {
        0 => amount.to_string(),
        _ if amount.is_multiple_of(unit) => (amount / unit).to_string(),
        _ => format!("{}.{:0decimals$}", amount / unit, amount % unit),
    }
}
