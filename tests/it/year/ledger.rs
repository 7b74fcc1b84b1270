//! The books worked out from the journal with plain sums: which line every event adds to which account, on
//! which day.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Datelike as _, NaiveDate};
use serde_json::Value;

use super::journal::{Entry, club_day, day, list, number, text};

/// An account: who holds it, and in what.
pub(super) type Account = (String, String);

/// A line of a statement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Line {
    /// The day it counts for, and the one it belongs to.
    pub(super) booked_on: NaiveDate,
    pub(super) night: NaiveDate,
    /// The act that posted it.
    pub(super) act: String,
    pub(super) kind: String,
    pub(super) bet: String,
    /// Who is on the other side.
    pub(super) with: String,
    /// The stream it comes from.
    pub(super) source: String,
    pub(super) amount: i64,
}

/// All accounts with their lines, in the order in which they were posted.
#[derive(Default)]
pub(super) struct Books {
    pub(super) accounts: BTreeMap<Account, Vec<Line>>,
    /// The first open month, as its first day.
    open_from: Option<NaiveDate>,
    /// What each stream was opened with.
    opened: BTreeMap<String, Value>,
    /// The events of each act in each stream, with the day on which they happened.
    acts: BTreeMap<(String, String), Vec<(Value, NaiveDate)>>,
    /// The records of the daybook that wait to be taken back.
    to_be_taken_back: BTreeSet<i64>,
    /// The records of the daybook, by their numbers.
    records: BTreeMap<i64, Value>,
}

/// Something moves: the receiver's account rises, the giver's falls.
struct Moved {
    to: String,
    from: String,
    unit: String,
    amount: i64,
    bet: String,
}

/// What the lines of an event have in common.
struct Posted<'e> {
    kind: &'e str,
    entry: &'e Entry,
    night: NaiveDate,
}

pub(super) fn books(entries: &[Entry]) -> Books {
    let mut books = Books::default();
    entries.iter().for_each(|entry| books.note(entry));
    books
}

/// The holder of an account as one word: `house`, `player ID`.
fn holder(value: &Value) -> String {
    match value {
        Value::String(word) => word.clone(),
        Value::Object(fields) => fields.iter().map(|(kind, id)| format!("{kind} {}", text(id))).collect(),
        other => panic!("{other} holds no account"),
    }
}

fn player(value: &Value) -> String {
    format!("player {}", text(value))
}

impl Books {
    /// What an account stands at on the evening of a day.
    pub(super) fn balances(&self, on: NaiveDate) -> BTreeMap<Account, i64> {
        let balance = |lines: &Vec<Line>| {
            lines.iter().filter(|line| line.booked_on <= on).map(|line| line.amount).sum::<i64>()
        };
        let all = self.accounts.iter().map(|(account, lines)| (account.clone(), balance(lines)));
        all.filter(|(_, balance)| *balance != 0).collect()
    }

    fn note(&mut self, entry: &Entry) {
        let key = |act: &str| (entry.stream.clone(), act.to_owned());
        match (entry.of.as_str(), entry.kind()) {
            ("club", _) => {}
            ("daybook", _) => self.record(entry),
            (_, "undone") => {
                for (event, on) in self.acts[&key(entry.named())].clone() {
                    self.happened(entry, &event, on, true);
                }
            }
            (_, "redone") => {
                for (event, on) in self.acts[&key(entry.named())].clone() {
                    self.happened(entry, &event, on, false);
                }
            }
            (_, kind) => {
                if kind == "opened" {
                    self.opened.insert(entry.stream.clone(), entry.event.clone());
                }
                let happened = (entry.event.clone(), club_day(entry.at));
                self.acts.entry(key(&entry.act)).or_default().push(happened);
                self.happened(entry, &entry.event, club_day(entry.at), false);
            }
        }
    }

    /// An event of a table, a sheet or a tournament counts, or no longer counts.
    fn happened(&mut self, entry: &Entry, event: &Value, on: NaiveDate, taken_back: bool) {
        let opened = &self.opened[&entry.stream];
        let (kind, moved) = match entry.of.as_str() {
            "chouette" => at_a_table(event, opened),
            "match" => on_a_sheet(event, opened),
            "tournament" => ("transfer", in_a_tournament(event)),
            other => panic!("a stream of {other}"),
        };
        let night = if entry.of == "chouette" { day(&opened["night"]) } else { on };
        let kind = if taken_back { "reversal" } else { kind };
        self.post(&Posted { kind, entry, night }, moved, if taken_back { -1 } else { 1 });
    }

    /// An event of the daybook.
    fn record(&mut self, entry: &Entry) {
        let event = &entry.event;
        let recorded = match entry.kind() {
            "recorded" => event["recorded"].clone(),
            "proposed" => {
                self.records.insert(number(&event["entry"]), event["recorded"].clone());
                return;
            }
            "take_back_proposed" => {
                self.to_be_taken_back.insert(number(&event["entry"]));
                return;
            }
            "approved" | "taken_back" => self.records[&number(&event["entry"])].clone(),
            "month_closed" => {
                let first: NaiveDate = format!("{}-01", text(&event["month"])).parse().unwrap();
                self.open_from = first.checked_add_months(chrono::Months::new(1));
                return;
            }
            "month_reopened" => {
                self.open_from = Some(format!("{}-01", text(&event["month"])).parse().unwrap());
                return;
            }
            "declined" => {
                self.to_be_taken_back.remove(&number(&event["entry"]));
                return;
            }
            other => panic!("the daybook's {other}"),
        };
        self.records.insert(number(&event["entry"]), recorded.clone());
        let back = entry.kind() == "taken_back" || self.to_be_taken_back.remove(&number(&event["entry"]));
        let (kind, moved) = of_a_record(&recorded["what"]);
        let kind = if back { "reversal" } else { kind };
        let posted = Posted { kind, entry, night: day(&recorded["on"]) };
        self.post(&posted, moved, if back { -1 } else { 1 });
    }

    fn post(&mut self, Posted { kind, entry, night }: &Posted<'_>, moved: Vec<Moved>, sign: i64) {
        // Nothing counts for a closed month any more.
        let booked_on = match self.open_from {
            Some(open_from) if *night < open_from => club_day(entry.at).max(open_from),
            _ => *night,
        };
        for Moved { to, from, unit, amount, bet } in moved {
            for (holder, with, amount) in [(&to, &from, sign * amount), (&from, &to, -sign * amount)] {
                let line = Line {
                    booked_on,
                    night: *night,
                    act: entry.act.clone(),
                    kind: (*kind).to_owned(),
                    bet: bet.clone(),
                    with: with.clone(),
                    source: entry.stream.clone(),
                    amount,
                };
                self.accounts.entry((holder.clone(), unit.clone())).or_default().push(line);
            }
        }
    }
}

/// What somebody won from somebody: points, and money at a stake for a point.
fn won(winner: String, loser: String, half_points: i64, bet: &str, stake: &Value) -> Vec<Moved> {
    let moved = |unit: &str, amount| Moved {
        to: winner.clone(),
        from: loser.clone(),
        unit: unit.to_owned(),
        amount,
        bet: bet.to_owned(),
    };
    let mut all = vec![moved("half_points", half_points)];
    if stake.is_object() {
        all.push(moved(text(&stake["currency"]), half_points * number(&stake["amount"]) / 2));
    }
    all
}

/// A payment: who pays rises. Where there is no stake the books know nothing of it.
fn paid(payer: String, payee: String, amount: i64, stake: &Value) -> Vec<Moved> {
    let currency = stake.is_object().then(|| text(&stake["currency"]).to_owned());
    let payment = |unit| Moved { to: payer, from: payee, unit, amount, bet: "payment".to_owned() };
    currency.map(payment).into_iter().collect()
}

fn at_a_table(event: &Value, opened: &Value) -> (&'static str, Vec<Moved>) {
    let stake = &opened["stake"];
    let bet = |bet: &Value, sign: i64| {
        won(
            player(&bet["winner"]),
            player(&bet["loser"]),
            sign * number(&bet["points"]),
            text(&bet["kind"]),
            stake,
        )
    };
    match text(&event["event"]) {
        "game_finished" => ("game", list(&event["bets"]).iter().flat_map(|one| bet(one, 1)).collect()),
        "game_corrected" => {
            let posts =
                |one: &Value| ["bet", "winner", "loser", "points", "kind"].map(|field| one[field].clone());
            let [before, after] = [&event["before"], &event["after"]].map(list);
            let only_in = |these: &[Value], others: &[Value]| -> Vec<Value> {
                these
                    .iter()
                    .filter(|one| others.iter().all(|other| posts(one) != posts(other)))
                    .cloned()
                    .collect()
            };
            let gone = only_in(before, after).iter().flat_map(|one| bet(one, -1)).collect::<Vec<_>>();
            let new = only_in(after, before).iter().flat_map(|one| bet(one, 1)).collect::<Vec<_>>();
            ("correction", gone.into_iter().chain(new).collect())
        }
        "paid" => {
            let [payer, payee] = ["payer", "payee"].map(|side| player(&event[side]));
            ("payment", paid(payer, payee, number(&event["amount"]), stake))
        }
        "players_merged" => panic!("nobody is entered twice in the year"),
        _ => ("", Vec::new()),
    }
}

fn on_a_sheet(event: &Value, opened: &Value) -> (&'static str, Vec<Moved>) {
    if opened["booked"] != true {
        return ("", Vec::new());
    }
    let stake = &opened["terms"]["stake"];
    let side = |slot: &Value| {
        let [upper, lower] = [0, 1].map(|place| player(&opened["players"][place]));
        if slot == "upper" { (upper, lower) } else { (lower, upper) }
    };
    let game = |game: &Value, sign: i64| {
        let (winner, loser) = side(&game["winner"]);
        won(winner, loser, sign * 2 * number(&game["points"]), "game", stake)
    };
    // Of a match only its stake is posted, and never points.
    let is_match = opened["terms"]["play"] == "match";
    match text(&event["event"]) {
        "stake_moved" => {
            let money = |slot: &Value, sign: i64| {
                let (to, from) = side(slot);
                let (unit, amount) = (text(&stake["currency"]).to_owned(), sign * number(&stake["amount"]));
                (!slot.is_null()).then_some(Moved { to, from, unit, amount, bet: "stake".to_owned() })
            };
            ("stake", money(&event["from"], -1).into_iter().chain(money(&event["to"], 1)).collect())
        }
        "game_won" | "corrected" if is_match => ("", Vec::new()),
        "game_won" => ("game", game(&event["won"], 1)),
        "corrected" => {
            let (was, now) = (&event["was"], &event["now"]);
            if was.is_null() {
                return ("correction", game(now, 1));
            }
            if was["winner"] == now["winner"] && was["points"] == now["points"] {
                return ("correction", Vec::new());
            }
            ("correction", game(was, -1).into_iter().chain(game(now, 1)).collect())
        }
        "paid" => {
            let (payer, payee) = side(&event["by"]);
            ("payment", paid(payer, payee, number(&event["amount"]), stake))
        }
        "contested" | "upheld" | "contest_withdrawn" | "imported" => panic!("not in the year: {event}"),
        _ => ("", Vec::new()),
    }
}

fn in_a_tournament(event: &Value) -> Vec<Moved> {
    let transfer = |transfer: &Value| Moved {
        to: holder(&transfer["to"]),
        from: holder(&transfer["from"]),
        unit: text(&event["currency"]).to_owned(),
        amount: number(&transfer["amount"]),
        bet: text(&transfer["what"]).to_owned(),
    };
    event["transfers"].as_array().map(|all| all.iter().map(transfer).collect()).unwrap_or_default()
}

/// The club's account for cash or bank money.
fn means(record: &Value) -> String {
    if record["means"] == "bank" { "bank" } else { "house" }.to_owned()
}

/// What a treasurer's record moves. The club's accounts for money fall as money comes.
fn of_a_record(record: &Value) -> (&'static str, Vec<Moved>) {
    let unit = || text(&record["currency"]).to_owned();
    let moved = |to: &str, from: &str, amount: i64, bet: &str| Moved {
        to: to.to_owned(),
        from: from.to_owned(),
        unit: unit(),
        amount,
        bet: bet.to_owned(),
    };
    let amount = || number(&record["amount"]);
    match text(&record["record"]) {
        "payment" => {
            let [payer, payee] = ["payer", "payee"].map(|side| holder(&record[side]));
            let one = match (payer.as_str(), payee.as_str()) {
                (payer, "house") => moved(payer, &means(record), amount(), "paid_in"),
                ("house", payee) => moved(&means(record), payee, amount(), "paid_out"),
                (payer, payee) => moved(payer, payee, amount(), "payment"),
            };
            ("payment", vec![one])
        }
        "fee" => {
            let fee = if record["fee"] == "other" { "other_fee" } else { text(&record["fee"]) };
            let all = list(&record["players"]).iter();
            ("fee", all.map(|one| moved("house", &player(one), amount(), fee)).collect())
        }
        "opening_balances" => {
            let opened = |balance: &Value| {
                let (whose, amount) = (holder(&balance["holder"]), number(&balance["amount"]));
                let owed = if ["house", "bank"].contains(&whose.as_str()) { -amount } else { amount };
                let (to, from) = if owed > 0 { (whose, "opening".into()) } else { ("opening".into(), whose) };
                let unit = text(&balance["unit"]).to_owned();
                Moved { to, from, unit, amount: owed.abs(), bet: "opening".to_owned() }
            };
            ("opening", list(&record["balances"]).iter().map(opened).collect())
        }
        "adjustment" => {
            let [to, from] = ["to", "from"].map(|side| holder(&record[side]));
            let unit = text(&record["unit"]).to_owned();
            ("adjustment", vec![Moved { to, from, unit, amount: amount(), bet: "adjustment".to_owned() }])
        }
        "expense" => {
            let spent = moved("outside", "house", amount(), "expense");
            ("expense", vec![spent, moved(&means(record), "outside", amount(), "outside")])
        }
        "income" => {
            let got = moved("house", "outside", amount(), "income");
            ("income", vec![got, moved("outside", &means(record), amount(), "outside")])
        }
        "deposit" => {
            let to_bank = record["way"] == "to_bank";
            let (to, from) = if to_bank { ("house", "bank") } else { ("bank", "house") };
            ("deposit", vec![moved(to, from, amount(), "deposit")])
        }
        "count" => {
            let over = number(&record["counted"]) - number(&record["expected"]);
            let (to, from) = if over > 0 { ("rounding", "house") } else { ("house", "rounding") };
            let all = if over == 0 { Vec::new() } else { vec![moved(to, from, over.abs(), "counted")] };
            ("count", all)
        }
        other => panic!("a record of {other}"),
    }
}

/// The last days of the twelve months before this one, and a day after everything.
pub(super) fn month_ends(books: &Books) -> Vec<NaiveDate> {
    let days = books.accounts.values().flatten().map(|line| line.booked_on);
    let (first, last) = (days.clone().min().unwrap(), days.max().unwrap());
    let mut month = first.with_day(1).unwrap();
    let mut ends = vec![last];
    while month <= last {
        month = month.checked_add_months(chrono::Months::new(1)).unwrap();
        ends.push(month.pred_opt().unwrap());
    }
    ends
}

/// The daybook's stream, which an answer does not name.
pub(super) const DAYBOOK: &str = "6f776c62-6f78-0000-8000-000000000003";
