//! The money at the desk: debts and claims, paid with a tap; the pools, the prizes due and the prizes given.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use actix_web::HttpResponse;

use super::act::{NoQuery, prizes_of_form, takes_acts};
use super::frame::{DeskFrame, on_the_desk};
use crate::pages::button::Button;
use crate::pages::{Fields, Frame, LivePage as _};
use crate::sentences::tournament::TournamentSentences;
use crate::visitor::Visitor;
use owlbox_base::values::{Currency, PlayerId, TournamentId};
use owlbox_desk::Refused;
use owlbox_desk::tournaments::TournamentScreen;
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::ending::PlayedFor;
use owlbox_play::tournament::legal::DivisionAct;
use owlbox_play::tournament::money::Cash;
use owlbox_play::tournament::payout::Schedule;
use owlbox_play::tournament::prizes::{Scheduled, schedule, scheduled};
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::settings::Fee;
use owlbox_play::tournament::{Command, CommandKind, Tournament};

/// The most accounts that the page lists.
const MOST_ACCOUNTS: usize = 300;
/// The most players to choose from.
const MOST_CHOICES: usize = 2_000;

/// `/tournaments/{id}/desk/money`
#[derive(Debug)]
pub(super) struct MoneyPage<'a> {
    pub t: TournamentSentences<'a>,
    pub frame: Frame,
    pub screen: &'a TournamentScreen,
    pub desk: DeskFrame<'a>,
    pub currency: Currency,
}
on_the_desk! { MoneyPage<'a>: "directing/money.html" }

takes_acts!(TournamentId, NoQuery);

/// The current money page; not found if the tournament has no currency.
async fn answer(
    visitor: &Visitor,
    id: &TournamentId,
    _: &NoQuery,
    partial: bool,
) -> Result<HttpResponse, Problem> {
    let (screen, ()) = super::screen(visitor, *id, CommandKind::PayIn, |looking| {
        let stream = looking.stream();
        looking.name(stream.state.accounts().map(|(player, _)| player).take(MOST_ACCOUNTS * 4));
        looking.name(entered(&stream.state));
        Ok(())
    })
    .await?;
    let currency = screen.state().currency().ok_or(Refused::NotFound("page"))?;
    let (t, frame, desk) = super::surroundings(visitor, &screen, "desk-money", "/money");
    let page = MoneyPage { t, frame, screen: &screen, desk, currency };
    visitor.answer(page.rendered(partial))
}

/// The players to choose from.
fn entered(state: &Tournament) -> impl Iterator<Item = PlayerId> {
    let players = state.divisions().flat_map(|(_, of)| of.entries().map(|(_, entry)| entry.player));
    players.take(MOST_CHOICES)
}

/// A division's pool, with the prizes that are due and were given.
struct Pool<'a> {
    division: DivisionNo,
    of: &'a Division,
    money: PlayedFor,
    due: Scheduled,
    /// What is due to each player, the most first; nothing to a player who was only given something.
    players: Vec<(PlayerId, u64)>,
}

impl<'a> Pool<'a> {
    fn new(division: DivisionNo, of: &'a Division) -> Self {
        let due = scheduled(of);
        let given = of.awards.iter().flat_map(|awards| &awards.awards).map(|award| award.player);
        let only_given = given.filter(|player| !due.prizes.contains_key(player)).map(|player| (player, 0));
        let mut players: Vec<(PlayerId, u64)> =
            due.prizes.iter().map(|(player, amount)| (*player, *amount)).chain(only_given).collect();
        players.sort_by_key(|(_, amount)| Reverse(*amount));
        Self { division, of, money: of.played_for(), due, players }
    }

    /// What a player was given.
    fn given_to(&self, player: &PlayerId) -> u64 {
        let mut given = self.of.awards.iter().flat_map(|awards| &awards.awards);
        given.find(|award| award.player == *player).map_or(0, |award| award.amount)
    }

    /// Whether prizes were given, and exactly those due.
    fn is_given(&self) -> bool {
        let as_due = |(player, amount): &(PlayerId, u64)| self.given_to(player) == *amount;
        self.of.awards.is_some() && self.players.iter().all(as_due)
    }

    /// Whether there is anything to give.
    fn is_full(&self) -> bool {
        self.money.pool > 0 || self.money.side_pools.iter().any(|sum| *sum > 0)
    }

    /// Whether the winners of its prizes are open.
    fn is_open(&self) -> bool {
        self.due.still_played.is_some() && self.of.awards.is_none() && !self.due.amounts.is_empty()
    }

    /// Whether each player's prize can be listed.
    fn has_prizes(&self) -> bool {
        self.of.is_drawn() && self.is_full() && !self.players.is_empty()
    }

    /// What is divided by the schedule.
    fn divided(&self) -> u64 {
        self.money.pool.saturating_sub(self.due.kept)
    }

    fn schedule(&self) -> Schedule {
        schedule(self.of)
    }
}

impl MoneyPage<'_> {
    /// The total of the debts.
    fn open(&self) -> String {
        let owed: i64 = self.screen.state().accounts().map(|(_, amount)| amount.min(0)).sum();
        match owed {
            0 => self.t.get("desk-nobody-owes"),
            owed => self.t.with("desk-still-owed", "amount", self.t.in_currency(owed)),
        }
    }

    /// What was taken in and handed out, and what should be in the cash box. Empty before any cash has moved.
    fn cash(&self) -> Vec<(String, String)> {
        let cash = self.screen.state().cash;
        if cash == Cash::default() {
            return Vec::new();
        }
        let sums = [
            ("desk-cash-in", cash.taken_in),
            ("desk-cash-out", cash.handed_out),
            ("desk-cash-box", cash.in_the_box()),
        ];
        sums.map(|(key, sum)| (self.t.get(key), self.t.in_currency(sum))).into()
    }

    /// The players who owe or are owed, the largest debt first.
    fn accounts(&self) -> Vec<(i64, String, PlayerId)> {
        let accounts = self.screen.state().accounts();
        let mut accounts: Vec<_> =
            accounts.map(|(player, amount)| (amount, self.t.name(&player), player)).collect();
        accounts.sort();
        accounts
    }

    /// The first accounts, and how many are not shown, in words.
    fn shown<'b>(
        &self,
        accounts: &'b [(i64, String, PlayerId)],
    ) -> (&'b [(i64, String, PlayerId)], Option<String>) {
        let (shown, more) = accounts.split_at_checked(MOST_ACCOUNTS).unwrap_or((accounts, &[]));
        (shown, (!more.is_empty()).then(|| self.t.count("desk-more", &more.len())))
    }

    /// The form for another amount, with its players and what each of them sets.
    fn other(&self) -> Option<(Button, Vec<(String, String)>)> {
        // With what their account showed: a payment pressed on two devices is recorded once.
        let set = |player: PlayerId| {
            let seen = Fields::default().with("player", &player);
            seen.with("account", &self.screen.state().account(player)).choice()
        };
        let players: BTreeMap<String, PlayerId> =
            entered(self.screen.state()).map(|player| (self.t.name(&player), player)).collect();
        let choices: Vec<_> = players.into_iter().map(|(name, player)| (name, set(player))).collect();
        let may = self.screen.may(CommandKind::PayIn) && !choices.is_empty();
        may.then(|| (self.form("desk-other-amount", Fields::default()), choices))
    }

    /// What a button of that form sets.
    fn way(&self, command: CommandKind) -> String {
        Fields::lacking(command).choice()
    }

    fn form(&self, label: &str, fields: Fields) -> Button {
        Button::of_form(self.t.get(label), fields).then(self.desk.here())
    }

    fn pools(&self) -> impl Iterator<Item = Pool<'_>> {
        self.screen.state().divisions().map(|(division, of)| Pool::new(division, of))
    }

    /// The match that still has to be played before the prizes are known.
    fn still_played(&self, pool: &Pool<'_>) -> Option<String> {
        let at = MatchRef { division: pool.division, number: pool.due.still_played? };
        Some(self.t.with("desk-still-played", "names", self.t.pair(&at).join(" – ")))
    }

    /// A prize as it is typed.
    fn typed(&self, due: &u64) -> String {
        Locale::typed(&self.t, *due, self.currency)
    }

    /// How the prizes are rounded.
    fn rounding(&self, of: &Division) -> String {
        self.t.with("desk-why-rounding", "unit", self.t.in_currency(of.settings.payout_unit))
    }

    fn may_award(&self, pool: &Pool<'_>) -> bool {
        let acts = self.screen.state().division_acts(pool.division);
        acts.contains(&DivisionAct::Award) && pool.is_full() && self.screen.may(CommandKind::Award)
    }

    /// Gives the prizes as the schedule says.
    fn award(&self, pool: &Pool<'_>) -> Option<Button> {
        let command = Command::Award { division: pool.division, awards: None };
        let may = self.may_award(pool) && pool.due.still_played.is_none() && !pool.is_given();
        may.then(|| self.form("desk-award", Fields::of(&command)).main())
    }

    /// Gives them otherwise. Without what is typed it gives nothing, and never what is due.
    fn award_otherwise(&self, pool: &Pool<'_>) -> Option<Button> {
        let command = Command::Award { division: pool.division, awards: Some(Vec::new()) };
        let button = || self.form("desk-award-otherwise", Fields::of(&command));
        (self.may_award(pool) && pool.has_prizes()).then(|| button().in_place_of(&prizes_of_form(pool.of)))
    }

    fn add(&self, pool: &Pool<'_>) -> Option<Button> {
        let fields = Fields::lacking(CommandKind::AddMoney).with("division", &pool.division);
        let acts = self.screen.state().division_acts(pool.division);
        let may = acts.contains(&DivisionAct::AddMoney) && self.screen.may(CommandKind::AddMoney);
        may.then(|| self.form("desk-add-money", fields))
    }
}

/// Whether the prizes given differ from those due now, after a correction or because they were given
/// otherwise.
pub(super) fn is_given_otherwise(of: &Division) -> bool {
    let Some(awards) = &of.awards else { return false };
    let given = awards.awards.iter().filter(|award| award.amount > 0);
    given.map(|award| (award.player, award.amount)).collect::<BTreeMap<_, _>>() != scheduled(of).prizes
}

/// What is said about money on other pages as well.
impl TournamentSentences<'_> {
    /// What a player owes the tournament or is owed by it, in words. `None` if they are even.
    pub(super) fn account(&self, player: &PlayerId) -> Option<String> {
        self.state.currency()?;
        let amount = self.state.account(*player);
        let key = if amount < 0 { "desk-owes" } else { "desk-is-owed" };
        (amount != 0).then(|| self.with(key, "amount", self.in_currency(amount)))
    }
}

/// What is done about it.
impl DeskFrame<'_> {
    /// Whether the tournament takes money, and the viewer may record it.
    pub(super) fn takes_money(&self) -> bool {
        self.screen.state().currency().is_some() && self.screen.may(CommandKind::PayIn)
    }

    /// What players were charged, what was taken in, and what they still owe. Empty if nothing was charged,
    /// or the viewer does not record payments.
    pub(super) fn sums(&self) -> Vec<(String, String)> {
        let (t, state) = (&self.t, self.screen.state());
        let cash = state.cash;
        if cash.charged <= 0 || !self.takes_money() {
            return Vec::new();
        }
        let open: i64 = state.accounts().map(|(_, amount)| amount.min(0)).sum();
        let sums = [("desk-sum-due", cash.charged), ("desk-cash-in", cash.taken_in), ("desk-sum-open", open)];
        sums.map(|(key, sum)| (t.get(key), t.in_currency(sum))).into()
    }

    /// A button that pays all that a player owes or is owed, and comes back to `here`. `None` if they are
    /// even or the viewer may not.
    pub(super) fn settles(&self, player: &PlayerId, here: &str) -> Option<Button> {
        let (t, state) = (&self.t, self.screen.state());
        state.currency()?;
        let (player, open) = (*player, state.account(*player));
        let amount = Fee::try_from(open.unsigned_abs()).ok().filter(|_| open != 0)?;
        // Pressed on a second device, it finds the account even, and records nothing.
        let account = Some(open);
        let (needed, key, command) = if open < 0 {
            (CommandKind::PayIn, "desk-pay-in", Command::PayIn { player, amount, account })
        } else {
            (CommandKind::PayOut, "desk-pay-out", Command::PayOut { player, amount, account })
        };
        let label = t.fill(key, &[("name", &t.name(&player)), ("amount", &t.in_currency(open))]);
        self.screen.may(needed).then(|| Button::new(label, &command).then(here))
    }
}
