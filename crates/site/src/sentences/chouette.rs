//! What happens at a chouette's table, in words. The same sentence stands on the button, in the log, and on
//! the undo that takes it back.

use std::collections::{BTreeMap, BTreeSet};

use super::{board, house_rules, in_a_row};
use crate::playing::other_game;
use crate::say::Say;
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_chouette::event::{AgreedBet, Automatic, GivenExtra, Lone, RaisedBet};
use owlbox_chouette::game::score_of;
use owlbox_chouette::rules::{LoneTaker, catalogue};
use owlbox_chouette::{
    Bet, BetKind, Chouette, Event, FinishedGame, Game, HouseRules, Proxy, Roll, SettledBet, Side, TurnedBet,
};
use owlbox_engine::{Colour, Variant, Win};
use owlbox_locale::Locale;

/// Says to one reader what happens at a table. It knows of the table before an event what the sentence
/// depends on.
#[derive(Clone, Debug)]
pub(crate) struct TableSentences<'a> {
    say: Say<'a>,
    /// The table as it is now, with what does not change from one event to the next.
    table: &'a Chouette,
    /// The house rules before. `None` until an event shows them.
    rules: Option<&'a HouseRules>,
    box_player: Option<PlayerId>,
    /// Who has left before, as far as the events show, and would return.
    left: BTreeSet<PlayerId>,
    /// The running bets by number.
    running: BTreeMap<u32, RunningBet>,
}

#[derive(Clone, Copy, Debug)]
struct RunningBet {
    box_side: PlayerId,
    team_side: PlayerId,
    /// Whether its cube was turned and taken.
    turned: bool,
}

impl<'a> TableSentences<'a> {
    /// Before the first of a table's newest events, from which the rest becomes known.
    pub fn unknown(say: Say<'a>, table: &'a Chouette) -> Self {
        let (left, running) = (BTreeSet::new(), BTreeMap::new());
        Self { say, table, rules: None, box_player: None, left, running }
    }

    /// For what may happen next.
    pub fn now(say: Say<'a>, table: &'a Chouette) -> Self {
        let running = |bet: &Bet| {
            let (box_side, team_side, turned) = (bet.box_side, bet.team_side, bet.cube.is_turned());
            (bet.id, RunningBet { box_side, team_side, turned })
        };
        Self {
            rules: Some(table.rules()),
            box_player: table.game().map(|game| game.box_player),
            running: table.game().into_iter().flat_map(Game::running).map(running).collect(),
            ..Self::unknown(say, table)
        }
    }

    /// Takes note of what an event changes for the sentences after it.
    pub fn note(&mut self, event: &'a Event) {
        if let Event::Opened { rules, .. } | Event::RulesChanged { rules, .. } = event {
            self.rules = Some(rules);
        } else if let Event::Left { player, .. } = event {
            self.left.insert(*player);
        } else if let Event::GameStarted { box_player, bets, .. } = event {
            self.box_player = Some(*box_player);
            let running = |member| RunningBet { box_side: *box_player, team_side: member, turned: false };
            self.running = bets.iter().map(|bet| (bet.bet, running(bet.member))).collect();
        } else if let Event::Taken { bets, .. } = event {
            for bet in bets {
                self.running.entry(bet.bet).and_modify(|running| running.turned = true);
            }
        } else if let Event::ExtrasGiven { taker, extras } = event {
            let running = |giver| RunningBet { box_side: giver, team_side: *taker, turned: true };
            self.running.extend(extras.iter().map(|extra| (extra.bet, running(extra.giver))));
        } else if let Event::Dropped { bets, .. } = event {
            self.running.retain(|id, _| bets.iter().all(|bet| bet.bet != *id));
        } else if let Event::Settled { bets } = event {
            self.running.retain(|id, _| bets.iter().all(|bet| bet.bet != *id));
        }
    }

    /// An event as a sentence.
    pub fn sentence(&self, event: &Event) -> String {
        let say = &self.say;
        let does = |key: &str, player: &PlayerId| say.with(key, "name", say.name(player));
        match event {
            Event::Opened { .. } => say.get("say-opened"),
            Event::RulesChanged { rules, .. } => self.rules_changed(rules),
            Event::Joined { player, .. } if self.left.contains(player) => does("say-returns", player),
            Event::Joined { player, .. } => does("say-joins", player),
            Event::Left { player, proxy, .. } => self.goes("say-leaves", player, *proxy),
            Event::WentOnBreak { player, proxy, .. } => self.goes("say-takes-break", player, *proxy),
            Event::Returned { player, .. } => does("say-returns", player),
            Event::ProxyNamed { player, proxy, .. } => self.decides(player, *proxy),
            Event::PlayersMerged { duplicate, player, .. } => {
                say.fill("say-merged", &[("duplicate", &say.name(duplicate)), ("name", &say.name(player))])
            }
            Event::StakeSet { player, units } => {
                say.fill("say-stake", &[("name", &say.name(player)), ("units", units)])
            }
            Event::StartSet { player, value } => {
                say.fill("say-start", &[("name", &say.name(player)), ("value", &value.get())])
            }
            Event::RollsEntered { rolls, seats } if seats.line().is_empty() => self.rolled(rolls),
            Event::RollsEntered { seats, .. }
            | Event::OrderDrawn { seats, .. }
            | Event::OrderSet { seats } => self.in_line("say-order", &seats.present()),
            Event::PartnershipOffered { to } => self.in_line("say-partnership", to),
            Event::PartnershipDeclined { player } => does("say-declines-partnership", player),
            Event::PartnershipMade { player, drawn: false, .. } => does("say-partner", player),
            Event::PartnershipMade { player, drawn: true, .. } => does("say-partner-drawn", player),
            Event::BoxDeclined { player, .. } => does("say-declines-box", player),
            Event::GameStarted { game, refereed, on_board, .. } => {
                game_starts(say, *game, *refereed, on_board.variant)
            }
            Event::OpeningTied { bets, automatic } => self.tied(bets, *automatic),
            Event::Doubled { player, bets } => self.doubles(*player, bets),
            Event::Beavered { player, number, bets, .. } => {
                by_value(bets, |bets, to| self.beavers(*player, &opponents(bets), to, *number))
            }
            Event::Answered { player, .. } => does("say-answered", player),
            Event::Taken { player, bets, .. } => {
                by_value(bets, |bets, to| self.takes(*player, &opponents(bets), to))
            }
            Event::Dropped { player, bets, .. } => {
                let from: Vec<PlayerId> = bets.iter().map(|bet| bet.opponent).collect();
                self.drops(*player, &from, bets.iter().map(|bet| bet.points).sum())
            }
            Event::CaptainChanged { captain, .. } => does("captain-is", captain),
            Event::TakersMovedUp { members } => self.in_line("say-takers-move-up", members),
            Event::LoneTaker { player, then } => self.took_alone(player, then),
            Event::ExtraOffered { player } => does("say-offers-extra", player),
            Event::ExtraPassed { player } => does("say-passes-extra", player),
            Event::ExtrasGiven { taker, extras } => self.extras(taker, extras),
            Event::PlayedOn {} => say.get("say-plays-on"),
            Event::Settled { bets } => in_a_row(bets.iter().filter_map(|bet| self.settled(bet))),
            Event::Board { of } => board::sentence(say, of, |side| match side {
                Colour::White => say.get("the-box"),
                Colour::Black => say.get("the-team"),
            }),
            Event::GameFinished(FinishedGame { winner, win, .. }) => game_over(say, *winner, *win),
            Event::GameCorrected { game, before, after, .. } => self.corrected(*game, before, after),
            Event::Paid { payer, payee, amount } => self.pays(payer, payee, *amount),
            Event::Split { players, .. } => say.with("say-split", "names", say.list(&say.names(players))),
            Event::MergedInto { .. } => say.get("say-goes-over"),
            Event::Closed {} => say.get("say-closed"),
        }
    }

    /// The sentences that follow for the end of a game: everybody's points, the partners' shares, and the
    /// next seats.
    pub fn results(&self, event: &Event) -> Vec<String> {
        let Event::GameFinished(FinishedGame { bets, line, partners, .. }) = event else { return Vec::new() };
        let say = &self.say;
        let mut said = Vec::new();
        // Without bets if the viewer may not see points.
        if !bets.is_empty() {
            let mut scores = changes(&[], bets);
            scores.sort_by_key(|(_, points)| std::cmp::Reverse(*points));
            said.push(self.scores(&scores));
        }
        for bet in bets.iter().filter(|bet| bet.kind == BetKind::Partner) {
            let (partner, share) =
                if self.is_box(bet.winner) { (bet.loser, -bet.points) } else { (bet.winner, bet.points) };
            said.push(say.fill("say-share", &[("name", &say.name(&partner)), ("share", &share)]));
        }
        let resting = self.table.resting();
        let mut active = line.iter().filter(|player| !resting.contains(player));
        if let (Some(box_player), Some(captain)) = (active.next(), active.next()) {
            said.push(
                say.fill("say-seats", &[("box", &say.name(box_player)), ("captain", &say.name(captain))]),
            );
        }
        if !partners.is_empty() {
            said.push(say.with("say-partners", "names", say.list(&say.names(partners))));
        }
        said
    }

    /// Several players who did the same in one act: doubled, took or dropped. `None` if they did not, or one
    /// did.
    pub fn alike(&self, act: &[&Event]) -> Option<String> {
        let answer = |event: &&Event| {
            if let Event::Doubled { player, .. } = event {
                Some(("say-they-double", *player))
            } else if let Event::Taken { player, .. } = event {
                Some(("say-they-take", *player))
            } else if let Event::Dropped { player, .. } = event {
                Some(("say-they-drop", *player))
            } else {
                None
            }
        };
        let (key, _) = answer(act.first()?)?;
        let answers: Vec<_> = act.iter().filter_map(answer).collect();
        if answers.len() < 2 || answers.iter().any(|(other, _)| *other != key) {
            return None;
        }
        let players: Vec<PlayerId> = answers.into_iter().map(|(_, player)| player).collect();
        Some(self.say.with(key, "who", self.say.list(&self.say.names(&players))))
    }

    /// A double of `player`'s: a sentence for each value that cubes reach.
    fn doubles(&self, player: PlayerId, bets: &[TurnedBet]) -> String {
        let for_the_team =
            !self.is_box(player) && bets.len() > 1 && bets.iter().all(|bet| self.is_box(bet.opponent));
        by_value(bets, |bets, to| {
            let turned = |bet: &TurnedBet| self.running.get(&bet.bet).is_some_and(|running| running.turned);
            let whom = self.whom(player, &opponents(bets));
            let key = match (bets.iter().any(turned), whom.is_empty()) {
                (false, _) if for_the_team => "say-doubles-for-team",
                (true, _) if for_the_team => "say-redoubles-for-team",
                (_, true) if self.is_box(player) => "say-doubles-everybody",
                (false, true) => "say-doubles",
                (true, true) => "say-redoubles",
                (false, false) => "say-doubles-whom",
                (true, false) => "say-redoubles-whom",
            };
            let (who, whom) = (self.who(player), self.say.list(&whom));
            self.say.fill(key, &[("who", &who), ("whom", &whom), ("to", &to)])
        })
    }

    /// A beaver, or what else `number` makes of it, that `player` gives to `whom`.
    pub fn beavers(&self, player: PlayerId, whom: &[PlayerId], to: u32, number: u8) -> String {
        let (say, whom) = (&self.say, self.whom(player, whom));
        let key = if whom.is_empty() { "say-beavers" } else { "say-beavers-whom" };
        let (animal, who, whom) = (animal(number), self.who(player), say.list(&whom));
        say.fill(key, &[("animal", &animal), ("who", &who), ("whom", &whom), ("to", &to)])
    }

    /// `player` takes the cubes of `from`, which reach `to` (C4).
    pub fn takes(&self, player: PlayerId, from: &[PlayerId], to: u32) -> String {
        let (say, from) = (&self.say, self.from(player, from));
        let key = if from.is_empty() { "say-takes" } else { "say-takes-from" };
        say.fill(key, &[("who", &self.who(player)), ("from", &say.list(&from)), ("to", &to)])
    }

    /// `player` drops the cubes of `from` (C3), with the whole loss, if the viewer may see points.
    pub fn drops(&self, player: PlayerId, from: &[PlayerId], loses: Option<HalfPoints>) -> String {
        let (say, from) = (&self.say, self.from(player, from));
        let key = match (from.is_empty(), loses.is_some()) {
            (true, true) => "say-drops",
            (true, false) => "say-drops-alone",
            (false, true) => "say-drops-to",
            (false, false) => "say-drops-to-alone",
        };
        let loses = loses.map(|loses| say.how_many(&loses.0)).unwrap_or_default();
        say.fill(key, &[("who", &self.who(player)), ("from", &say.list(&from)), ("loses", &loses)])
    }

    /// A tie of the opening roll (C6).
    fn tied(&self, bets: &[RaisedBet], automatic: Automatic) -> String {
        let to = bets.iter().map(|bet| bet.to.get()).max().unwrap_or(2);
        match automatic {
            Automatic::Doubled => self.say.with("say-tie-doubles", "to", to),
            Automatic::Declined => self.say.get("say-tie-declined"),
            Automatic::BeyondLimit => self.say.get("say-tie-nothing"),
            Automatic::CarriedOver => self.say.get("say-tie-carried"),
        }
    }

    /// What the rules allow or demand of a player who took alone.
    fn took_alone(&self, player: &PlayerId, then: &Lone) -> String {
        let (say, name) = (&self.say, self.say.name(player));
        match then {
            Lone::MustDrop {} => say.with("say-alone-must-drop", "name", name),
            Lone::MustBeaverOrDrop {} => say.with("say-alone-must-beaver", "name", name),
            Lone::Extras { asked } => {
                say.fill("say-alone-extras", &[("name", &name), ("asked", &in_a_row(say.names(asked)))])
            }
        }
    }

    /// The extras of a lone taker (Q10), with what the givers pay, if the viewer may see points.
    fn extras(&self, taker: &PlayerId, extras: &[GivenExtra]) -> String {
        let say = &self.say;
        let pays: Option<HalfPoints> = extras.iter().map(|extra| extra.points).sum();
        // Where the rules let them drop instead, the lone taker chose them.
        let chosen = self.table.rules().lone_taker.rule == LoneTaker::ExtrasOrDrop;
        let key = match (chosen, pays.is_some()) {
            (true, true) => "say-takes-extras",
            (false, true) => "say-extras",
            (true, false) => "say-takes-extras-alone",
            (false, false) => "say-extras-alone",
        };
        let from = say.list(&say.names(extras.iter().map(|extra| &extra.giver)));
        let to = extras.first().map_or(2, |extra| extra.value.get());
        let pays = pays.map(|pays| say.how_many(&pays.0)).unwrap_or_default();
        say.fill(key, &[("taker", &say.name(taker)), ("from", &from), ("to", &to), ("pays", &pays)])
    }

    /// A bet settled by agreement. `None` if it began before what is known.
    fn settled(&self, bet: &AgreedBet) -> Option<String> {
        let (say, running) = (&self.say, self.running.get(&bet.bet)?);
        let (box_side, team_side) = (say.name(&running.box_side), say.name(&running.team_side));
        let (payee, payer) = match bet.winner {
            Side::Box => (box_side, team_side),
            Side::Team => (team_side, box_side),
        };
        Some(match bet.points.map(|points| say.how_many(&points.0)) {
            Some(points) => {
                say.fill("say-settles", &[("payee", &payee), ("payer", &payer), ("points", &points)])
            }
            None => say.fill("say-settles-alone", &[("one", &payee), ("other", &payer)]),
        })
    }

    fn corrected(&self, game: u32, before: &[SettledBet], after: &[SettledBet]) -> String {
        let mut changes = changes(before, after);
        changes.retain(|(_, change)| *change != HalfPoints::ZERO);
        if changes.is_empty() {
            return self.say.with("say-corrected-alone", "game", game);
        }
        self.say.fill("say-corrected", &[("game", &game), ("changes", &self.scores(&changes))])
    }

    /// A payment: money, or points if no money is played for.
    fn pays(&self, payer: &PlayerId, payee: &PlayerId, amount: i64) -> String {
        let say = &self.say;
        let amount = match self.table.stake() {
            Some(stake) => say.money(&stake.currency, &amount).text.trim_start_matches('+').to_owned(),
            None => say.how_many(&amount),
        };
        say.fill("say-pays", &[("payer", &say.name(payer)), ("payee", &say.name(payee)), ("amount", &amount)])
    }

    /// The settings that changed, with their new values, as far as the old rules are known.
    fn rules_changed(&self, rules: &HouseRules) -> String {
        let changed = self.rules.map(|before| catalogue::differences(before, rules)).unwrap_or_default();
        if changed.is_empty() {
            return self.say.get("say-rules-changed");
        }
        let setting = |setting: &catalogue::HouseRuleSetting| {
            house_rules::sentence(&self.say, setting, &catalogue::value(rules, setting.key))
        };
        self.say.with("say-rules-changed-these", "settings", in_a_row(changed.into_iter().map(setting)))
    }

    /// Somebody leaves, or takes a break, and who decides for them meanwhile.
    fn goes(&self, key: &str, player: &PlayerId, proxy: Option<Proxy>) -> String {
        let goes = self.say.with(key, "name", self.say.name(player));
        if proxy.is_some() { format!("{goes} · {}", self.decides(player, proxy)) } else { goes }
    }

    /// Who decides the cubes of a player from now on.
    fn decides(&self, player: &PlayerId, proxy: Option<Proxy>) -> String {
        let (say, name) = (&self.say, self.say.name(player));
        match proxy {
            None => say.with("say-decides-alone-again", "name", name),
            Some(Proxy::Player(proxy)) => {
                say.fill("say-decides", &[("name", &name), ("proxy", &say.name(&proxy))])
            }
            Some(Proxy::Captain) => say.with("say-follows-captain", "name", name),
        }
    }

    fn rolled(&self, rolls: &[Roll]) -> String {
        let roll = |roll: &Roll| format!("{} {}", self.say.name(&roll.player), roll.pips());
        self.say.with("say-rolled", "rolls", in_a_row(rolls.iter().map(roll)))
    }

    fn in_line(&self, key: &str, players: &[PlayerId]) -> String {
        self.say.with(key, "names", in_a_row(self.say.names(players)))
    }

    /// `Ada +3 · Bob -3`.
    fn scores(&self, scores: &[(PlayerId, HalfPoints)]) -> String {
        in_a_row(scores.iter().map(|(player, points)| format!("{} {points}", self.say.name(player))))
    }

    fn is_box(&self, player: PlayerId) -> bool {
        self.box_player == Some(player)
    }

    /// The box by its role, anybody else by name.
    fn who(&self, player: PlayerId) -> String {
        if self.is_box(player) { self.say.get("the-box") } else { self.say.name(&player) }
    }

    /// The names of the opponents, unless they are obvious. A member plays the box, unless they have extras
    /// too; and a box that doubles the whole team plays everybody.
    fn whom(&self, player: PlayerId, opponents: &[PlayerId]) -> Vec<String> {
        let clear = if self.is_box(player) {
            let members = self.running.values().filter(|running| self.is_box(running.box_side)).count();
            opponents.len() > 1 && opponents.len() == members
        } else {
            let extra = |running: &RunningBet| running.team_side == player && !self.is_box(running.box_side);
            !self.running.values().any(extra) && opponents.iter().all(|opponent| self.is_box(*opponent))
        };
        if clear { Vec::new() } else { self.say.names(opponents) }
    }

    /// The same for an answer, in which the box always names the players it answers.
    fn from(&self, player: PlayerId, opponents: &[PlayerId]) -> Vec<String> {
        if self.is_box(player) { self.say.names(opponents) } else { self.whom(player, opponents) }
    }
}

/// The beginning of a game: its number, whether the service keeps the board, and any variant but backgammon.
pub(crate) fn game_starts(t: &Locale, game: u32, refereed: bool, variant: Variant) -> String {
    let starts = t.with(if refereed { "say-game-starts-on-board" } else { "say-game-starts" }, "game", game);
    match other_game(t, variant) {
        Some(variant) => t.fill("say-game-of", &[("said", &starts), ("variant", &variant)]),
        None => starts,
    }
}

/// The end of a game. Without a kind of win all its bets were settled by drops or agreement.
pub(crate) fn game_over(t: &Locale, winner: Side, win: Option<Win>) -> String {
    t.get(match (winner, win) {
        (_, None) => "say-all-settled",
        (Side::Box, Some(Win::Single)) => "say-box-wins-single",
        (Side::Box, Some(Win::Gammon)) => "say-box-wins-gammon",
        (Side::Box, Some(Win::Backgammon)) => "say-box-wins-backgammon",
        (Side::Team, Some(Win::Single)) => "say-team-wins-single",
        (Side::Team, Some(Win::Gammon)) => "say-team-wins-gammon",
        (Side::Team, Some(Win::Backgammon)) => "say-team-wins-backgammon",
    })
}

/// The last part of the text keys of an animal: the first three have names, the others share one.
pub(crate) const fn animal(number: u8) -> &'static str {
    match number {
        0 | 1 => "beaver",
        2 => "raccoon",
        3 => "otter",
        _ => "more",
    }
}

fn opponents(bets: &[TurnedBet]) -> Vec<PlayerId> {
    bets.iter().map(|bet| bet.opponent).collect()
}

/// One sentence for each value the cubes reach.
fn by_value(bets: &[TurnedBet], sentence: impl Fn(&[TurnedBet], u32) -> String) -> String {
    let mut groups: BTreeMap<u32, Vec<TurnedBet>> = BTreeMap::new();
    for bet in bets {
        groups.entry(bet.to.get()).or_default().push(*bet);
    }
    in_a_row(groups.iter().map(|(to, group)| sentence(group, *to)))
}

/// By how much bets change the score of everybody who has one.
fn changes(before: &[SettledBet], after: &[SettledBet]) -> Vec<(PlayerId, HalfPoints)> {
    let sum = |player: PlayerId, bets: &[SettledBet]| score_of(player, bets.iter().copied());
    let players: BTreeSet<PlayerId> =
        before.iter().chain(after).flat_map(|bet| [bet.winner, bet.loser]).collect();
    players.into_iter().map(|player| (player, sum(player, after) - sum(player, before))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;
    use crate::say::Names;
    use owlbox_base::permissions::Public;
    use owlbox_desk::Rights;
    use owlbox_locale::Language;

    fn player(number: u128) -> PlayerId {
        PlayerId(Uuid::from_u128(number))
    }

    fn event(of: Value) -> Event {
        serde_json::from_value(of).unwrap()
    }

    /// The box's name is not said; the members are Kim, Lou and Max.
    fn names() -> Names {
        ["Ada", "Kim", "Lou", "Max"]
            .into_iter()
            .zip(0..)
            .map(|(name, id)| (player(id), name.into()))
            .collect()
    }

    #[test]
    fn an_event_is_the_same_sentence_everywhere_in_the_readers_language() {
        let (names, table) = (names(), Chouette::default());
        let [kim, lou] = [player(1), player(2)];
        let bets = |bets: &[(u32, PlayerId)], to: u32| -> Value {
            bets.iter().map(|(bet, opponent)| json!({ "bet": bet, "opponent": opponent, "to": to })).collect()
        };
        let doubled =
            |by: PlayerId, of: Value| event(json!({ "event": "doubled", "player": by, "bets": of }));
        let taken = |by: PlayerId, of: Value| event(json!({ "event": "taken", "player": by, "bets": of }));
        let members: Value = (1..=3_u32)
            .map(|id| json!({ "bet": id, "member": player(id.into()), "kind": "member", "value": 1_u32 }))
            .collect();
        let started = event(json!({
            "event": "game_started", "game": 1, "box": player(0), "captain": kim, "bets": members,
        }));
        let lost = json!([{ "bet": 1, "opponent": player(0), "points": 2 }]);
        let dropped = event(json!({ "event": "dropped", "player": kim, "bets": lost }));
        let turned = [taken(kim, bets(&[(1, player(0))], 2)), taken(lou, bets(&[(2, player(0))], 2))];
        let cases = [
            (
                doubled(player(0), bets(&[(1, kim), (2, lou), (3, player(3))], 2)),
                "Box doubles everybody to 2",
                "Il box raddoppia a 2 contro tutti",
            ),
            (
                doubled(player(0), bets(&[(1, kim), (2, lou)], 4)),
                "Box redoubles Kim and Lou to 4",
                "Il box ridoppia a 4 contro Kim e Lou",
            ),
            (doubled(kim, bets(&[(1, player(0))], 4)), "Kim redoubles to 4", "Kim ridoppia a 4"),
            (dropped, "Kim drops, loses 1", "Kim passa e perde 1"),
            (
                taken(player(0), bets(&[(2, lou)], 4)),
                "Box takes 4 from Lou",
                "Il box accetta il cubo di Lou a 4",
            ),
        ];
        for (event, english, italian) in cases {
            let said = [Language::English, Language::Italian].map(|language| {
                let t = Locale::new(language, chrono_tz::UTC);
                let say = Say::new(t, Rights::new(None, Public::default()), &names);
                let mut sentences = TableSentences::unknown(say, &table);
                std::iter::once(&started).chain(&turned).for_each(|event| sentences.note(event));
                sentences.sentence(&event)
            });
            assert_eq!(said, [english, italian]);
        }
    }

    #[test]
    fn who_has_left_and_comes_again_returns() {
        let (names, table) = (names(), Chouette::default());
        let say = Say::new(
            Locale::new(Language::English, chrono_tz::UTC),
            Rights::new(None, Public::default()),
            &names,
        );
        let seats = json!({ "order": "gathering", "players": [] });
        let [joined, left] = ["joined", "left"]
            .map(|kind| event(json!({ "event": kind, "player": player(1), "seats": seats })));
        let mut sentences = TableSentences::unknown(say, &table);
        assert_eq!(sentences.sentence(&joined), "Kim joins");
        sentences.note(&joined);
        assert_eq!(sentences.sentence(&left), "Kim leaves");
        sentences.note(&left);
        assert_eq!(sentences.sentence(&joined), "Kim comes back");
    }
}
