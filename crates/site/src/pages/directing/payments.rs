//! The page of payments: debts and claims, paid with a tap; the pools, the prizes due and the prizes given.

use crate::pages::button::Button;
use std::collections::BTreeMap;

use super::{DirectorContext, Heading};
use crate::pages::{Choice, Fields, Frame};
use owlbox_base::values::{Currency, MinorUnits, PlayerId};
use owlbox_locale::Locale;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::legal::DivisionAct;
use owlbox_play::tournament::money::Cash;
use owlbox_play::tournament::prizes::{schedule, scheduled};
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::settings::Fee;
use owlbox_play::tournament::{Command, CommandKind};

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
    pub other: Option<(Button, [Choice; 2], Vec<Choice>)>,
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
    pub button: Option<Button>,
}

#[derive(Clone, Debug)]
pub struct PoolCard {
    /// The division. Empty if it is the only one.
    pub name: String,
    pub division: u8,
    /// The pool, the side pools and the house's cut: label and amount.
    pub sums: Vec<(String, String)>,
    pub add: Option<Button>,
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
    pub award: Option<Button>,
    pub otherwise: Option<Button>,
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
pub fn players_named(state: &owlbox_play::tournament::Tournament) -> Vec<PlayerId> {
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
    currency.is_some() && context.may(CommandKind::PayIn)
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
pub fn settles(context: &DirectorContext<'_>, player: PlayerId, here: &str) -> Option<Button> {
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
    context.may(needed).then(|| Button::new(label, &command).then(here))
}

/// Whether the prizes given differ from those due now, after a correction or because they were given
/// otherwise.
#[must_use]
pub fn is_given_otherwise(of: &Division) -> bool {
    let Some(awards) = &of.awards else { return false };
    let given = awards.awards.iter().filter(|award| award.amount > 0);
    given.map(|award| (award.player, award.amount)).collect::<BTreeMap<_, _>>() != scheduled(of).prizes
}

/// Players and what they get, in minor units.
type Sums = BTreeMap<PlayerId, u64>;

/// What the form for prizes given by hand is made from: those that were given, if any were, and those that are due.
#[must_use]
pub fn prizes_of_form(of: &Division) -> (Option<Sums>, Sums) {
    let given = of.awards.as_ref().map(|given| given.awards.iter().map(|one| (one.player, one.amount)));
    (given.map(Iterator::collect), scheduled(of).prizes)
}

fn other(context: &DirectorContext<'_>, here: &str) -> Option<(Button, [Choice; 2], Vec<Choice>)> {
    if !context.may(CommandKind::PayIn) {
        return None;
    }
    let entered = context.state.divisions().flat_map(|(_, of)| of.entries().map(|(_, entry)| entry.player));
    let players: BTreeMap<String, PlayerId> =
        entered.take(MOST_CHOICES).map(|player| (context.player(player), player)).collect();
    let choice = |(name, player): (String, PlayerId)| {
        // With what their account showed: a payment pressed on two devices is recorded once.
        let seen = Fields::default().with("player", &player).with("account", &context.state.account(player));
        Choice::new(seen.choice(), name, false)
    };
    let choices: Vec<Choice> = players.into_iter().map(choice).collect();
    let way = |key: &str, command: CommandKind| {
        Choice::new(Fields::lacking(command).choice(), context.t.get(key), false)
    };
    let ways = [way("desk-paid-in", CommandKind::PayIn), way("desk-paid-out", CommandKind::PayOut)];
    let form = Button::of_form(context.t.get("desk-other-amount"), Fields::default()).then(here);
    (!choices.is_empty()).then_some((form, ways, choices))
}

fn pool(
    context: &DirectorContext<'_>,
    currency: Currency,
    number: DivisionNo,
    of: &Division,
    here: &str,
) -> PoolCard {
    let t = context.t;
    let much = |amount: u64| t.how_much(MinorUnits(i64::try_from(amount).unwrap_or(i64::MAX)), currency);
    let (due, money) = (scheduled(of), of.played_for());
    let mut sums = vec![(t.get("desk-pool"), much(money.pool))];
    let sides = of.settings.side_pools.iter().zip(&money.side_pools);
    sums.extend(sides.map(|(side, sum)| (side.name.to_string(), much(*sum))));
    if due.kept > 0 {
        sums.push((t.get("desk-kept"), much(due.kept)));
    }
    let given: Vec<(PlayerId, u64)> = of
        .awards
        .iter()
        .flat_map(|awards| awards.awards.iter().map(|award| (award.player, award.amount)))
        .collect();
    let given_to = |player| given.iter().find(|(one, _)| *one == player).map(|(_, amount)| *amount);
    let mut players: Vec<(PlayerId, u64)> =
        due.prizes.iter().map(|(player, amount)| (*player, *amount)).collect();
    let only_given = given.iter().filter(|(player, _)| !due.prizes.contains_key(player));
    players.extend(only_given.map(|(player, _)| (*player, 0)));
    players.sort_by_key(|(_, amount)| std::cmp::Reverse(*amount));
    let line = |(player, amount): &(PlayerId, u64)| PrizeLine {
        player: player.to_string(),
        name: context.player(*player),
        due: much(*amount),
        given: of.awards.is_some().then(|| much(given_to(*player).unwrap_or(0))),
        typed: t.typed(*amount, currency),
    };
    let as_due = players.iter().all(|(player, amount)| given_to(*player).unwrap_or(0) == *amount);
    let still = due.still_played.map(|at| {
        let at = MatchRef { division: number, number: at };
        t.with("desk-still-played", "names", words::names(context, at))
    });
    let to_give = money.pool > 0 || money.side_pools.iter().any(|sum| *sum > 0);
    let named = |(prize, amount): &(_, u64)| (t.prize(*prize), much(*amount));
    let undecided = still.is_some() && of.awards.is_none();
    let acts = context.state.division_acts(number);
    let awards = acts.contains(&DivisionAct::Award) && to_give && context.may(CommandKind::Award);
    let award = Command::Award { division: number, awards: None };
    // Without what is typed it gives nothing, and never what is due.
    let by_hand = Command::Award { division: number, awards: Some(Vec::new()) };
    let add = Fields::lacking(CommandKind::AddMoney).with("division", &number);
    PoolCard {
        name: words::division(context, number),
        division: number.0,
        sums,
        add: (acts.contains(&DivisionAct::AddMoney) && context.may(CommandKind::AddMoney))
            .then(|| Button::of_form(t.get("desk-add-money"), add).then(here)),
        why: (of.is_drawn() && money.pool > 0).then(|| why(context, currency, of, due.kept)),
        open: if undecided { due.amounts.iter().map(named).collect() } else { Vec::new() },
        prizes: if of.is_drawn() && to_give { players.iter().map(line).collect() } else { Vec::new() },
        given: of.awards.is_some() && as_due,
        award: (awards && still.is_none() && !(of.awards.is_some() && as_due))
            .then(|| Button::new(t.get("desk-award"), &award).then(here).main()),
        otherwise: awards.then(|| {
            Button::new(t.get("desk-award-otherwise"), &by_hand).then(here).in_place_of(&prizes_of_form(of))
        }),
        still_played: still,
    }
}

fn why(context: &DirectorContext<'_>, currency: Currency, of: &Division, kept: u64) -> Why {
    let t = context.t;
    let much = |amount: u64| t.how_much(MinorUnits(i64::try_from(amount).unwrap_or(i64::MAX)), currency);
    let divided = of.played_for().pool.saturating_sub(kept);
    let schedule = schedule(of);
    let parts: u32 = schedule.shares().iter().map(|share| u32::from(share.parts)).sum();
    let unit = of.settings.payout_unit;
    let shares = schedule.shares().iter().zip(schedule.amounts(divided, u64::from(unit)));
    Why {
        divided: much(divided),
        shares: shares
            .map(|(share, amount)| (t.prize(share.prize), format!("{}/{parts}", share.parts), much(amount)))
            .collect(),
        rounding: t.with("desk-why-rounding", "unit", much(u64::from(unit))),
    }
}
