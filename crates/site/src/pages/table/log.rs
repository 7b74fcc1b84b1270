//! The history of a table in words: the log, and the sentences for undo and redo.

use std::collections::{BTreeMap, BTreeSet};

use super::context::TableContext;
use super::{Button, Decides, Kind, LogLine, LogMessage, LoneRule, OnBoard, Tie, Undone, Who};
use crate::pages::rule_words;
use owlbox_base::journal::{Act, ActKind, Steps, Version};
use owlbox_base::values::{ActId, HalfPoints, MinorUnits, PlayerId};
use owlbox_chouette::event::{AgreedBet, Automatic, GivenExtra, Lone};
use owlbox_chouette::game::score_of;
use owlbox_chouette::rules::{LoneTaker, catalogue};
use owlbox_chouette::{
    self as chouette, BetKind, Chouette, Event, FinishedGame, HouseRules, Proxy, Roll, SettledBet, Side,
    TurnedBet,
};
use owlbox_desk::commands::history::HistoryCommand;
use owlbox_engine::Colour;
use owlbox_engine::game::Event as BoardEvent;

/// The newest acts of a table, with those that were undone.
pub(super) struct History<'a> {
    acts: &'a [Act<Event>],
    /// Each act that was undone, with the act that undid it.
    undone: BTreeMap<ActId, &'a Act<Event>>,
    /// Every event of those acts, in order, including undone ones.
    events: Vec<Happened<'a>>,
}

/// An event with its act, its version, and the table before it.
struct Happened<'a> {
    act: &'a Act<Event>,
    version: Version,
    event: &'a Event,
    told: CubesTurned<'a>,
}

/// The state of a table as far as the sentences of the log depend on it.
#[derive(Clone, Debug, Default)]
pub(super) struct CubesTurned<'a> {
    /// The house rules. `None` until an event shows them.
    rules: Option<&'a HouseRules>,
    box_player: Option<PlayerId>,
    /// The running bets by number: the player on the box's side, the one on the team's, and whether the cube
    /// was turned.
    running: BTreeMap<u32, (PlayerId, PlayerId, bool)>,
}

impl<'a> History<'a> {
    pub(super) fn new(acts: &'a [Act<Event>]) -> Self {
        let mut undone = BTreeMap::new();
        for act in acts {
            match &act.kind {
                ActKind::Undo(named) => undone.extend(named.iter().map(|named| (*named, act))),
                ActKind::Redo(named) => undone.retain(|act, _| !named.contains(act)),
                ActKind::Events(_) => {}
            }
        }
        let events = events(acts, &undone);
        Self { acts, undone, events }
    }

    /// The last rolls for the order.
    pub(super) fn last_rolls(&self) -> impl Iterator<Item = Roll> {
        let events = self.acts.iter().rev().filter(|act| !self.undone.contains_key(&act.id));
        let rolls = events.filter_map(|act| {
            act.events().iter().find_map(|event| {
                if let Event::RollsEntered { rolls, .. } = event { Some(rolls.clone()) } else { None }
            })
        });
        rolls.take(1).flatten().collect::<Vec<_>>().into_iter()
    }
}

/// Every event of `acts`, in order. An undone act does not affect the state for those after it.
fn events<'a>(acts: &'a [Act<Event>], undone: &BTreeMap<ActId, &Act<Event>>) -> Vec<Happened<'a>> {
    let mut table = CubesTurned::default();
    let mut happened = Vec::new();
    for act in acts {
        let ActKind::Events(events) = &act.kind else { continue };
        let first = act.version - act.kind.versions() + 1;
        let before = table.clone();
        for (version, event) in (first..).zip(events) {
            happened.push(Happened { act, version, event, told: table.clone() });
            table.note(event);
        }
        if undone.contains_key(&act.id) {
            table = before;
        }
    }
    happened
}

impl<'a> CubesTurned<'a> {
    /// The table as it is now.
    pub(super) fn now(chouette: &'a Chouette) -> Self {
        let bet = |bet: &chouette::Bet| (bet.id, (bet.box_side, bet.team_side, bet.cube.is_turned()));
        Self {
            rules: Some(chouette.rules()),
            box_player: chouette.game().map(|game| game.box_player),
            running: chouette.game().into_iter().flat_map(chouette::Game::running).map(bet).collect(),
        }
    }

    fn note(&mut self, event: &'a Event) {
        match event {
            Event::Opened { rules, .. } | Event::RulesChanged { rules, .. } => self.rules = Some(rules),
            Event::GameStarted { box_player, bets, .. } => {
                self.box_player = Some(*box_player);
                self.running = bets.iter().map(|bet| (bet.bet, (*box_player, bet.member, false))).collect();
            }
            Event::Taken { bets, .. } => {
                for bet in bets {
                    self.running.entry(bet.bet).and_modify(|running| running.2 = true);
                }
            }
            Event::ExtrasGiven { taker, extras } => {
                self.running.extend(extras.iter().map(|extra| (extra.bet, (extra.giver, *taker, true))));
            }
            Event::Dropped { bets, .. } => self.running.retain(|id, _| bets.iter().all(|bet| bet.bet != *id)),
            Event::Settled { bets } => self.running.retain(|id, _| bets.iter().all(|bet| bet.bet != *id)),
            Event::Joined { .. }
            | Event::Left { .. }
            | Event::WentOnBreak { .. }
            | Event::Returned { .. }
            | Event::ProxyNamed { .. }
            | Event::PlayersMerged { .. }
            | Event::StakeSet { .. }
            | Event::StartSet { .. }
            | Event::RollsEntered { .. }
            | Event::OrderDrawn { .. }
            | Event::OrderSet { .. }
            | Event::PartnershipOffered { .. }
            | Event::PartnershipDeclined { .. }
            | Event::PartnershipMade { .. }
            | Event::BoxDeclined { .. }
            | Event::OpeningTied { .. }
            | Event::Doubled { .. }
            | Event::Beavered { .. }
            | Event::Answered { .. }
            | Event::CaptainChanged { .. }
            | Event::TakersMovedUp { .. }
            | Event::LoneTaker { .. }
            | Event::ExtraOffered { .. }
            | Event::ExtraPassed { .. }
            | Event::PlayedOn { .. }
            | Event::Board { .. }
            | Event::GameFinished(_)
            | Event::GameCorrected { .. }
            | Event::Paid { .. }
            | Event::Split { .. }
            | Event::MergedInto { .. }
            | Event::Closed { .. } => {}
        }
    }

    fn is_box(&self, player: PlayerId) -> bool {
        self.box_player == Some(player)
    }

    /// How many members still play against the box.
    fn members(&self) -> usize {
        self.running.values().filter(|(box_side, ..)| self.is_box(*box_side)).count()
    }

    /// The box by its role, anybody else by name.
    pub(super) fn who(&self, context: &TableContext<'_>, player: PlayerId) -> Who {
        if self.is_box(player) { Who::Box } else { Who::Player(context.name(player)) }
    }

    /// The names of the opponents, unless they are obvious. A member plays the box, unless they have extras
    /// too; and a box that doubles the whole team plays everybody.
    pub(super) fn whom(
        &self,
        context: &TableContext<'_>,
        player: PlayerId,
        opponents: &[PlayerId],
    ) -> Vec<String> {
        let clear = if self.is_box(player) {
            opponents.len() > 1 && opponents.len() == self.members()
        } else {
            let has_extras =
                self.running.values().any(|(box_side, team, _)| *team == player && !self.is_box(*box_side));
            !has_extras && opponents.iter().all(|opponent| self.is_box(*opponent))
        };
        if clear { Vec::new() } else { context.names(opponents.iter().copied()) }
    }

    /// The same for an answer, in which the box always names the players it answers.
    pub(super) fn from(
        &self,
        context: &TableContext<'_>,
        player: PlayerId,
        opponents: &[PlayerId],
    ) -> Vec<String> {
        if self.is_box(player) {
            context.names(opponents.iter().copied())
        } else {
            self.whom(context, player, opponents)
        }
    }

    /// Whether any of these cubes was turned before.
    fn turned(&self, bets: &[TurnedBet]) -> bool {
        bets.iter().any(|bet| self.running.get(&bet.bet).is_some_and(|running| running.2))
    }

    /// One sentence for each value the cubes reach.
    fn by_value(
        bets: &[TurnedBet],
        say: impl Fn(&[TurnedBet], &[PlayerId], u32) -> LogMessage,
    ) -> LogMessage {
        let mut groups: BTreeMap<u32, Vec<TurnedBet>> = BTreeMap::new();
        for bet in bets {
            groups.entry(bet.to.get()).or_default().push(*bet);
        }
        let say = |(to, group): (&u32, &Vec<TurnedBet>)| {
            let opponents: Vec<PlayerId> = group.iter().map(|bet| bet.opponent).collect();
            say(group, &opponents, *to)
        };
        let mut messages: Vec<LogMessage> = groups.iter().map(say).collect();
        if messages.len() == 1 { messages.remove(0) } else { LogMessage::Together(messages) }
    }
}

/// The button that undoes an act. `None` if the act is not among the newest.
pub(super) fn undo(context: &TableContext<'_>, history: &History<'_>, act: ActId) -> Option<Button> {
    let what = sentence_of_act(context, history, act)?.text(context.t);
    let command = HistoryCommand::Undo { act: Some(act), acts: Steps::ONE };
    Some(Button::new(context.t.with("undo-what", "what", what), &command))
}

/// The button that redoes an act. `None` if the act is not among the newest.
pub(super) fn redo(context: &TableContext<'_>, history: &History<'_>, act: ActId) -> Option<Button> {
    let what = sentence_of_act(context, history, act)?.text(context.t);
    let command = HistoryCommand::Redo { act: Some(act), acts: Steps::ONE };
    Some(Button::new(context.t.with("redo-what", "what", what), &command))
}

/// The button that redoes everything from an act on. `None` unless that is more than one act.
pub(super) fn redo_all(context: &TableContext<'_>, act: ActId) -> Option<Button> {
    let acts = u16::try_from(context.redo?.acts).ok().and_then(|acts| Steps::try_from(acts).ok())?;
    let label = context.t.count("redo-all", &acts.acts());
    (acts > Steps::ONE).then(|| Button::new(label, &HistoryCommand::Redo { act: Some(act), acts }))
}

/// An act in one sentence. `None` if it is not among the newest.
fn sentence_of_act(context: &TableContext<'_>, history: &History<'_>, named: ActId) -> Option<LogMessage> {
    let act: Vec<_> = history.events.iter().filter(|happened| happened.act.id == named).collect();
    let say = |Happened { event, told, .. }: &Happened<'_>| message(context, history, event, told);
    if act.len() > 1 && act.iter().all(|happened| matches!(happened.event, Event::Joined { .. })) {
        return Some(LogMessage::Together(act.into_iter().map(say).collect()));
    }
    let done: Vec<_> = act.iter().copied().filter(|happened| !is_by_the_way(happened.event)).collect();
    let itself = the_act_itself(act.iter().map(|happened| happened.event));
    let first =
        || act.iter().find(|happened| itself.is_some_and(|event| std::ptr::eq(event, happened.event)));
    alike(context, &done).or_else(|| first().map(|happened| say(happened)))
}

/// The sentence for several players who did the same in one act: doubled, took or dropped.
fn alike(context: &TableContext<'_>, act: &[&Happened<'_>]) -> Option<LogMessage> {
    let first = act.first()?.event;
    let same = |happened: &&Happened<'_>| match (first, happened.event) {
        (Event::Doubled { .. }, Event::Doubled { player, .. })
        | (Event::Taken { .. }, Event::Taken { player, .. })
        | (Event::Dropped { .. }, Event::Dropped { player, .. }) => Some(*player),
        _ => None,
    };
    let other_answer = |happened: &Happened<'_>| {
        matches!(happened.event, Event::Doubled { .. } | Event::Taken { .. } | Event::Dropped { .. })
    };
    let players: Vec<PlayerId> = act.iter().filter_map(same).collect();
    let answers = act.iter().filter(|happened| other_answer(happened)).count();
    if players.len() < 2 || answers != players.len() {
        return None;
    }
    let who = context.names(players);
    match first {
        Event::Doubled { .. } => Some(LogMessage::TheyDouble(who)),
        Event::Taken { .. } => Some(LogMessage::TheyAnswer { who, take: true }),
        Event::Dropped { .. } => Some(LogMessage::TheyAnswer { who, take: false }),
        Event::Opened { .. }
        | Event::RulesChanged { .. }
        | Event::Joined { .. }
        | Event::Left { .. }
        | Event::WentOnBreak { .. }
        | Event::Returned { .. }
        | Event::ProxyNamed { .. }
        | Event::PlayersMerged { .. }
        | Event::StakeSet { .. }
        | Event::StartSet { .. }
        | Event::RollsEntered { .. }
        | Event::OrderDrawn { .. }
        | Event::OrderSet { .. }
        | Event::PartnershipOffered { .. }
        | Event::PartnershipDeclined { .. }
        | Event::PartnershipMade { .. }
        | Event::BoxDeclined { .. }
        | Event::GameStarted { .. }
        | Event::OpeningTied { .. }
        | Event::Beavered { .. }
        | Event::Answered { .. }
        | Event::CaptainChanged { .. }
        | Event::TakersMovedUp { .. }
        | Event::LoneTaker { .. }
        | Event::ExtraOffered { .. }
        | Event::ExtraPassed { .. }
        | Event::ExtrasGiven { .. }
        | Event::PlayedOn { .. }
        | Event::Settled { .. }
        | Event::Board { .. }
        | Event::GameFinished(_)
        | Event::GameCorrected { .. }
        | Event::Paid { .. }
        | Event::Split { .. }
        | Event::MergedInto { .. }
        | Event::Closed { .. } => None,
    }
}

/// Whether the event is a side effect of another event of the same act: an extra passed because play went on,
/// or the roll before a double.
pub(super) const fn is_by_the_way(event: &Event) -> bool {
    matches!(event, Event::ExtraPassed { .. } | Event::PlayedOn {})
}

/// What an act is named after: its first event that is no side effect, or else its last one, to which the others
/// have led.
pub(super) fn the_act_itself<'a>(
    mut events: impl DoubleEndedIterator<Item = &'a Event> + Clone,
) -> Option<&'a Event> {
    events.clone().find(|event| !is_by_the_way(event)).or_else(|| events.next_back())
}

/// The log, newest first: a line for every event, and one for every undo and redo.
pub(super) fn lines(context: &TableContext<'_>, history: &History<'_>) -> Vec<LogLine> {
    let by = |act: &Act<Event>| context.people.get(&act.by).cloned().unwrap_or_default();
    let undone = |by_act: &&Act<Event>| Undone { at: by_act.at, by: by(by_act) };
    let line = |act: &Act<Event>, version, what, then| LogLine {
        version,
        at: act.at,
        what,
        then,
        by: by(act),
        undone: history.undone.get(&act.id).map(undone),
        back: None,
    };
    let within = back(context);
    let mut told = None;
    let mut lines = Vec::new();
    for Happened { act, version, event, told: table } in &history.events {
        let first_of_act = told.replace(act.id) != Some(act.id);
        let back = within.get(&act.id).filter(|_| first_of_act).map(ToString::to_string);
        let line = line(act, *version, message(context, history, event, table), then(context, event, table));
        lines.push(LogLine { back, ..line });
    }
    for act in history.acts {
        lines.extend(
            step_back_or_forth(context, history, act).map(|(what, then)| line(act, act.version, what, then)),
        );
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.version));
    lines
}

/// The acts back to which the viewer may undo from the log. The newest is left out, because it has its own
/// undo button; and a player undoes act by act.
fn back(context: &TableContext<'_>) -> BTreeSet<ActId> {
    let acts = context.undo.filter(|_| context.runs).map_or(0, |undo| undo.acts);
    let newest = context.stream.undoable().newest_first();
    newest.take(acts).skip(1).map(|entry| entry.id).collect()
}

/// The sentence for an undo or redo: the act, or the number of acts and the last of them.
fn step_back_or_forth(
    context: &TableContext<'_>,
    history: &History<'_>,
    act: &Act<Event>,
) -> Option<(LogMessage, Vec<LogMessage>)> {
    let (named, undo) = match &act.kind {
        ActKind::Undo(named) => (named, true),
        ActKind::Redo(named) => (named, false),
        ActKind::Events(_) => return None,
    };
    let last = sentence_of_act(context, history, *named.last()?).map(Box::new);
    match (named.len(), undo) {
        (1, true) => Some((LogMessage::Undone(last?), Vec::new())),
        (1, false) => Some((LogMessage::Redone(last?), Vec::new())),
        (acts, true) => {
            Some((LogMessage::UndoneSeveral(acts), last.map(LogMessage::AsFarAs).into_iter().collect()))
        }
        (acts, false) => {
            Some((LogMessage::RedoneSeveral(acts), last.map(LogMessage::AsFarAs).into_iter().collect()))
        }
    }
}

/// The results of a finished game: everybody's points, the partners' shares, and the next seats.
fn then(context: &TableContext<'_>, event: &Event, told: &CubesTurned<'_>) -> Vec<LogMessage> {
    let Event::GameFinished(FinishedGame { bets, line, partners, .. }) = event else { return Vec::new() };
    // Without bets if the viewer may not see points.
    let results = Some(results(context, bets)).filter(|results| !results.is_empty());
    let mut then: Vec<LogMessage> = results.map(LogMessage::Results).into_iter().collect();
    for share in bets.iter().filter(|bet| bet.kind == BetKind::Partner) {
        let (partner, points) = if told.is_box(share.winner) {
            (share.loser, -share.points)
        } else {
            (share.winner, share.points)
        };
        then.push(LogMessage::Share(context.name(partner), points.to_string()));
    }
    let resting = context.state().resting();
    let mut active = line.iter().filter(|player| !resting.contains(player));
    if let (Some(box_player), Some(captain)) = (active.next(), active.next()) {
        then.push(LogMessage::Seats {
            box_player: context.name(*box_player),
            captain: context.name(*captain),
        });
    }
    if !partners.is_empty() {
        then.push(LogMessage::Partners(context.names(partners.iter().copied())));
    }
    then
}

/// Everybody's result from these bets, with signs, the highest first.
fn results(context: &TableContext<'_>, bets: &[SettledBet]) -> Vec<(String, String)> {
    let players: BTreeSet<PlayerId> = bets.iter().flat_map(|bet| [bet.winner, bet.loser]).collect();
    let mut results: Vec<(PlayerId, HalfPoints)> =
        players.into_iter().map(|player| (player, score_of(player, bets.iter().copied()))).collect();
    results.sort_by_key(|(_, points)| std::cmp::Reverse(*points));
    results.into_iter().map(|(player, points)| (context.name(player), points.to_string())).collect()
}

/// The sentence for an event. The match is exhaustive, so that a new event cannot pass for another.
pub(super) fn message(
    context: &TableContext<'_>,
    history: &History<'_>,
    event: &Event,
    told: &CubesTurned<'_>,
) -> LogMessage {
    let name = |player: &PlayerId| context.name(*player);
    let number = |game: u32| usize::try_from(game).unwrap_or(usize::MAX);
    match event {
        Event::Joined { player, .. } if has_left(history, *player, event) => {
            LogMessage::Returns(name(player))
        }
        Event::Opened { .. } => LogMessage::Opened,
        Event::RulesChanged { rules, .. } => LogMessage::RulesChanged(changed(context, told.rules, rules)),
        Event::Joined { player, .. } => LogMessage::Joins(name(player)),
        Event::Left { player, proxy, .. } => match proxy {
            None => LogMessage::Leaves(name(player)),
            proxy => LogMessage::LeavesTo(name(player), deciding(context, *proxy)),
        },
        Event::WentOnBreak { player, proxy, .. } => LogMessage::TakesBreak(
            name(player),
            proxy.map_or(Decides::Nobody, |proxy| deciding(context, Some(proxy))),
        ),
        Event::Returned { player, .. } => LogMessage::Returns(name(player)),
        Event::ProxyNamed { player, proxy, .. } => {
            LogMessage::Decides(name(player), deciding(context, *proxy))
        }
        Event::PlayersMerged { duplicate, player, .. } => LogMessage::Merged(name(duplicate), name(player)),
        Event::StakeSet { player, units } => LogMessage::Stake(name(player), *units),
        Event::StartSet { player, value } => LogMessage::Start(name(player), value.get()),
        Event::RollsEntered { rolls, seats } if seats.line().is_empty() => {
            let pips = |roll: &Roll| (name(&roll.player), u8::try_from(roll.pips()).unwrap_or(u8::MAX));
            LogMessage::Rolled(rolls.iter().map(pips).collect())
        }
        Event::RollsEntered { seats, .. } | Event::OrderDrawn { seats, .. } | Event::OrderSet { seats } => {
            LogMessage::Order(context.names(seats.present()))
        }
        Event::PartnershipOffered { to } => LogMessage::Partnership(context.names(to.iter().copied())),
        Event::PartnershipDeclined { player } => LogMessage::DeclinesPartnership(name(player)),
        Event::PartnershipMade { player, drawn, .. } => LogMessage::Partner(name(player), *drawn),
        Event::BoxDeclined { player, .. } => LogMessage::DeclinesBox(name(player)),
        Event::GameCorrected { game, before, after, .. } => {
            LogMessage::Corrected(*game, differences(context, before, after))
        }
        Event::Paid { payer, payee, amount } => {
            LogMessage::Pays(name(payer), name(payee), paid(context, *amount))
        }
        Event::Split { players, .. } => LogMessage::Split(context.names(players.iter().copied())),
        Event::MergedInto { .. } => LogMessage::GoesOver,
        Event::Closed {} => LogMessage::Closed,
        Event::GameStarted { game, refereed, on_board, .. } => {
            LogMessage::GameStarts { game: number(*game), refereed: *refereed, variant: on_board.variant }
        }
        Event::OpeningTied { bets, automatic } => LogMessage::Tied(match automatic {
            Automatic::Doubled => Tie::Doubled(bets.iter().map(|bet| bet.to.get()).max().unwrap_or(2)),
            Automatic::Declined => Tie::Declined,
            Automatic::BeyondLimit => Tie::BeyondLimit,
            Automatic::CarriedOver => Tie::CarriedOver,
        }),
        Event::Doubled { player, bets } => doubled(context, told, *player, bets),
        Event::Beavered { player, number, bets, .. } => {
            CubesTurned::by_value(bets, |_, opponents, to| LogMessage::Beavers {
                who: told.who(context, *player),
                whom: told.whom(context, *player, opponents),
                to,
                number: *number,
            })
        }
        Event::Taken { player, bets, .. } => {
            CubesTurned::by_value(bets, |_, opponents, to| LogMessage::Takes {
                who: told.who(context, *player),
                from: told.from(context, *player, opponents),
                to,
            })
        }
        Event::Dropped { player, bets, .. } => {
            let opponents: Vec<PlayerId> = bets.iter().map(|bet| bet.opponent).collect();
            let from = told.from(context, *player, &opponents);
            LogMessage::Drops {
                who: told.who(context, *player),
                from,
                loses: bets.iter().map(|bet| bet.points).sum(),
            }
        }
        Event::Answered { player, .. } => LogMessage::Answered(name(player)),
        Event::CaptainChanged { captain, .. } => LogMessage::Captain(name(captain)),
        Event::TakersMovedUp { members } => LogMessage::TakersMoveUp(context.names(members.iter().copied())),
        Event::LoneTaker { player, then } => LogMessage::TookAlone(name(player), lone_rule(context, then)),
        Event::ExtraOffered { player } => LogMessage::OffersExtra(name(player)),
        Event::ExtraPassed { player } => LogMessage::PassesExtra(name(player)),
        Event::ExtrasGiven { taker, extras } => extras_given(context, *taker, extras),
        Event::Settled { bets } => {
            LogMessage::Settles(bets.iter().filter_map(|bet| agreed(context, told, bet)).collect())
        }
        Event::Board { of } => on_board(of),
        Event::GameFinished(FinishedGame { winner, win: Some(win), .. }) => {
            LogMessage::GameOver { box_wins: *winner == Side::Box, kind: Kind::from(*win) }
        }
        Event::GameFinished(_) => LogMessage::AllSettled,
        Event::PlayedOn {} => LogMessage::PlaysOn,
    }
}

fn doubled(
    context: &TableContext<'_>,
    told: &CubesTurned<'_>,
    player: PlayerId,
    bets: &[TurnedBet],
) -> LogMessage {
    let for_the_team =
        !told.is_box(player) && bets.len() > 1 && bets.iter().all(|bet| told.is_box(bet.opponent));
    CubesTurned::by_value(bets, |group, opponents, to| {
        let again = told.turned(group);
        if for_the_team {
            return LogMessage::DoublesForTeam { who: context.name(player), to, again };
        }
        let whom = told.whom(context, player, opponents);
        LogMessage::Doubles { who: told.who(context, player), whom, to, again }
    })
}

fn lone_rule(context: &TableContext<'_>, then: &Lone) -> LoneRule {
    match then {
        Lone::MustDrop {} => LoneRule::MustDrop,
        Lone::MustBeaverOrDrop {} => LoneRule::MustBeaverOrDrop,
        Lone::Extras { asked } => LoneRule::Extras(context.names(asked.iter().copied())),
    }
}

fn extras_given(context: &TableContext<'_>, taker: PlayerId, extras: &[GivenExtra]) -> LogMessage {
    LogMessage::Extras {
        taker: context.name(taker),
        from: context.names(extras.iter().map(|extra| extra.giver)),
        to: extras.first().map_or(2, |extra| extra.value.get()),
        pays: extras.iter().map(|extra| extra.points).sum(),
        taken: context.state().rules().lone_taker.rule == LoneTaker::ExtrasOrDrop,
    }
}

/// Who is paid, by whom, and how much. `None` if the bet is unknown because it began before the newest acts.
fn agreed(
    context: &TableContext<'_>,
    told: &CubesTurned<'_>,
    bet: &AgreedBet,
) -> Option<(String, String, Option<HalfPoints>)> {
    let (box_side, team_side, _) = *told.running.get(&bet.bet)?;
    let (payee, payer) = match bet.winner {
        Side::Box => (box_side, team_side),
        Side::Team => (team_side, box_side),
    };
    Some((context.name(payee), context.name(payer), bet.points))
}

pub(super) fn deciding(context: &TableContext<'_>, proxy: Option<Proxy>) -> Decides {
    match proxy {
        None => Decides::Oneself,
        Some(Proxy::Player(proxy)) => Decides::Player(context.name(proxy)),
        Some(Proxy::Captain) => Decides::Captain,
    }
}

/// The settings that changed, with their new values. Empty if the old rules are unknown.
fn changed(context: &TableContext<'_>, before: Option<&HouseRules>, after: &HouseRules) -> Vec<String> {
    let differences = before.map(|before| catalogue::differences(before, after)).unwrap_or_default();
    let sentence = |setting: &catalogue::Setting| {
        rule_words::sentence(context.t, setting, &catalogue::value(after, setting.key))
    };
    differences.into_iter().map(sentence).collect()
}

/// Whose score a correction changed, and by how much, with signs.
fn differences(
    context: &TableContext<'_>,
    before: &[SettledBet],
    after: &[SettledBet],
) -> Vec<(String, String)> {
    let players: BTreeSet<PlayerId> =
        before.iter().chain(after).flat_map(|bet| [bet.winner, bet.loser]).collect();
    let change = |player: PlayerId| {
        let sum = |bets: &[SettledBet]| score_of(player, bets.iter().copied());
        (player, sum(after) - sum(before))
    };
    let changes = players.into_iter().map(change).filter(|(_, change)| *change != HalfPoints::ZERO);
    changes.map(|(player, change)| (context.name(player), change.to_string())).collect()
}

/// The amount of a payment: money, or points if no money is played for.
fn paid(context: &TableContext<'_>, amount: i64) -> String {
    match context.state().stake() {
        Some(stake) => {
            context.t.money(MinorUnits(amount), stake.currency).text.trim_start_matches('+').to_owned()
        }
        None => context.t.how_many(HalfPoints(amount)),
    }
}

/// An event on the board. White is the box, Black the team.
fn on_board(event: &BoardEvent) -> LogMessage {
    let (side, what) = OnBoard::new(event);
    LogMessage::Board(if side == Colour::White { Who::Box } else { Who::Team }, what)
}

/// Whether the player had left the table before `joined`, as far as the newest acts show.
fn has_left(history: &History<'_>, player: PlayerId, joined: &Event) -> bool {
    let events = history.acts.iter().filter(|act| !history.undone.contains_key(&act.id));
    let events = events.flat_map(Act::events);
    events
        .take_while(|event| !std::ptr::eq(*event, joined))
        .any(|event| matches!(event, Event::Left { player: left, .. } if *left == player))
}
