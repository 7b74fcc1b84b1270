//! What may be done at a table: one button, form or link for each legal act, and none for any other.
//!
//! A legal command with choices becomes as many buttons as there are sensible choices. The box's choice of
//! whom to double is a form of its own. Acts that need more than a choice have a sheet, with a link to it.
//! Likely acts, and those of the viewer's, stand under the board; the rest stand at the seat of the player
//! concerned. The label of a button is the sentence the log will record.

use std::collections::BTreeMap;

use super::context::{TableContext, happens};
use super::everybody::Alike;
use super::log::{self, CubesTurned, History};
use super::{Act, Decides, DoublingSome, Joining, Link, LogMessage, Several, Weight};
use crate::Choice;
use crate::Fields;
use crate::act::key;
use owlbox_domain::chouette::{Bet, Command, CommandKind, Legal};
use owlbox_domain::values::{HalfPoints, PlayerId};

/// The acts of a table, by the place where they are shown.
#[derive(Debug, Default)]
pub(super) struct PlacedActs {
    pub acts: Vec<Act>,
    pub of_seats: BTreeMap<PlayerId, Vec<Act>>,
    /// Doubles by a tap on a cube, keyed by the member in whose line the cube stands.
    pub at_cubes: BTreeMap<PlayerId, Act>,
    /// Links to sheets, at the seats.
    pub links_of_seats: BTreeMap<PlayerId, Vec<Link>>,
    pub everybody: Vec<Several>,
    /// Links to sheets, under the board.
    pub links: Vec<Link>,
    /// Links to sheets that are seldom wanted.
    pub sheets: Vec<Link>,
    /// The form in which the box chooses whom to double.
    pub doubling_some: Option<DoublingSome>,
    pub joining: Option<Joining>,
    /// Lets the service roll for the order.
    pub draw: Option<Act>,
    /// Enters the dice for the order.
    pub enter: Option<Act>,
    /// Whether the game's result can be entered.
    pub may_finish: bool,
}

/// Sorts every legal act into the place where it is shown.
pub(super) fn acts(context: &TableContext<'_>, history: &History<'_>) -> PlacedActs {
    let told = CubesTurned::now(context.state());
    let mut drawing =
        Drawing { context, history, told, placed: PlacedActs::default(), own: Vec::new(), answering: None };
    drawing.answering = drawing.first_to_answer();
    for legal in context.legal {
        drawing.draw(legal);
    }
    if context.runs {
        drawing.placed.everybody =
            Alike::ALL.into_iter().filter_map(|alike| alike.several(context)).collect();
    }
    let mut placed = drawing.placed;
    placed.acts.splice(..0, drawing.own);
    placed
}

struct Drawing<'a> {
    context: &'a TableContext<'a>,
    history: &'a History<'a>,
    told: CubesTurned<'a>,
    placed: PlacedActs,
    /// The viewer's own acts. They come before everything else.
    own: Vec<Act>,
    /// The player whose answer to a double stands under the board: the viewer, or else the first in line. The
    /// answers of the others stand at their seats.
    answering: Option<PlayerId>,
}

impl Drawing<'_> {
    /// The viewer if they have to answer. Otherwise the first who has to and has not yet answered in secret.
    fn first_to_answer(&self) -> Option<PlayerId> {
        let answers = |legal: &Legal| {
            if let Legal::Take { player, .. } | Legal::Drop { player, .. } | Legal::Beaver { player, .. } =
                legal
            {
                Some(*player)
            } else {
                None
            }
        };
        let answering: Vec<PlayerId> = self.context.legal.iter().filter_map(answers).collect();
        let hidden = |player: &PlayerId| {
            self.context.state().game().is_some_and(|game| game.answers.contains_key(player))
        };
        let own = answering.iter().find(|player| self.is_own(**player));
        own.or(answering.iter().find(|player| !hidden(player))).or(answering.first()).copied()
    }

    fn draw(&mut self, legal: &Legal) {
        match legal {
            // The page exists only once the table is open, and the board has its own buttons.
            Legal::Open {} | Legal::Board { .. } => {}
            Legal::Join {} => self.join(),
            Legal::Leave { .. } | Legal::Break { .. } | Legal::Return { .. } | Legal::NameProxy { .. } => {
                self.people(legal);
            }
            Legal::DrawOrder {} => {
                self.placed.draw =
                    Some(self.act(&LogMessage::DrawsOrder, &Command::DrawOrder {}, Weight::Main));
            }
            Legal::EnterRolls { .. } => {
                let label = self.context.t.get("enter-dice");
                let fields = Fields::lacking(CommandKind::EnterRolls);
                self.placed.enter = Some(Act { label, fields, key: key(), weight: Weight::Plain });
            }
            Legal::Double { player, against, whole } => self.double(*player, against, *whole),
            Legal::Take { player, against, whole } => self.take(*player, against, *whole),
            Legal::Drop { player, against, whole } => self.drop(*player, against, *whole),
            Legal::Beaver { player, against, whole } => self.beaver(*player, against, *whole),
            Legal::Finish { .. } => self.placed.may_finish = true,
            Legal::Close {} => self.below(&LogMessage::Closes, &Command::Close {}, Weight::Quiet),
            Legal::StartGame { .. } | Legal::OpeningTie { .. } | Legal::PlayOn {} => self.game(legal),
            Legal::OfferPartnership {}
            | Legal::AcceptPartnership { .. }
            | Legal::DeclinePartnership { .. }
            | Legal::DeclineBox { .. }
            | Legal::GiveExtra { .. }
            | Legal::PassExtra { .. } => self.question(legal),
            Legal::SetStake { .. }
            | Legal::SetStart { .. }
            | Legal::MergePlayers { .. }
            | Legal::SetOrder { .. }
            | Legal::Settle { .. }
            | Legal::Correct { .. }
            | Legal::Pay { .. }
            | Legal::ChangeRules { .. }
            | Legal::Split { .. }
            | Legal::MergeInto { .. } => self.sheet(legal),
        }
    }

    /// Leaving, breaks and returns. Where somebody has to decide for the player, a sheet asks who.
    fn people(&mut self, legal: &Legal) {
        let t = self.context.t;
        match legal {
            Legal::Leave { player, proxy } if proxy.is_empty() => {
                for player in player {
                    let command = Command::Leave { player: *player, proxy: None };
                    let message = match self.goes(*player) {
                        Decides::Nobody => LogMessage::Leaves(self.context.name(*player)),
                        decides @ (Decides::Oneself | Decides::Player(_) | Decides::Captain) => {
                            LogMessage::LeavesTo(self.context.name(*player), decides)
                        }
                    };
                    self.at_seat(*player, &message, &command);
                }
            }
            Legal::Break { player, proxy } if proxy.is_empty() => {
                for player in player {
                    let message = LogMessage::TakesBreak(self.context.name(*player), self.goes(*player));
                    self.at_seat(*player, &message, &Command::Break { player: *player, proxy: None });
                }
            }
            Legal::Return { player } => {
                for player in player {
                    let message = LogMessage::Returns(self.context.name(*player));
                    self.at_seat(*player, &message, &Command::Return { player: *player });
                }
            }
            Legal::Leave { player, .. } => {
                for player in player {
                    let label = LogMessage::Leaves(self.context.name(*player)).text(t);
                    self.sheet_of(*player, "leave", label);
                }
            }
            Legal::Break { player, .. } => {
                for player in player {
                    let label = LogMessage::TakesBreak(self.context.name(*player), Decides::Nobody).text(t);
                    self.sheet_of(*player, "break", label);
                }
            }
            Legal::NameProxy { player, .. } => {
                let label = t.with("to-proxy", "name", self.context.name(*player));
                self.sheet_of(*player, "proxy", label);
            }
            Legal::Open { .. }
            | Legal::Join { .. }
            | Legal::SetStake { .. }
            | Legal::SetStart { .. }
            | Legal::MergePlayers { .. }
            | Legal::DrawOrder { .. }
            | Legal::EnterRolls { .. }
            | Legal::SetOrder { .. }
            | Legal::OfferPartnership { .. }
            | Legal::AcceptPartnership { .. }
            | Legal::DeclinePartnership { .. }
            | Legal::DeclineBox { .. }
            | Legal::StartGame { .. }
            | Legal::OpeningTie { .. }
            | Legal::Double { .. }
            | Legal::Take { .. }
            | Legal::Drop { .. }
            | Legal::Beaver { .. }
            | Legal::GiveExtra { .. }
            | Legal::PassExtra { .. }
            | Legal::PlayOn { .. }
            | Legal::Settle { .. }
            | Legal::Board { .. }
            | Legal::Finish { .. }
            | Legal::Correct { .. }
            | Legal::Pay { .. }
            | Legal::ChangeRules { .. }
            | Legal::Split { .. }
            | Legal::MergeInto { .. }
            | Legal::Close { .. } => {}
        }
    }

    /// Who decides for a player who leaves without naming anybody.
    fn goes(&self, player: PlayerId) -> Decides {
        let plays = self.context.state().game().is_some_and(|game| game.side_of(player).is_some());
        if plays { Decides::Captain } else { Decides::Nobody }
    }

    /// Whether a player is asked to be a partner, or for an extra. That is then the table's main question,
    /// and acts that would pass over it are drawn smaller.
    fn asks(&self) -> bool {
        let asked = |legal: &Legal| {
            matches!(
                legal,
                Legal::AcceptPartnership { .. } | Legal::GiveExtra { .. } | Legal::PassExtra { .. }
            )
        };
        self.context.legal.iter().any(asked)
    }

    /// The start of a game, its automatic doubles, and the roll after a double.
    fn game(&mut self, legal: &Legal) {
        let goes_on = if self.asks() { Weight::Plain } else { Weight::Main };
        match legal {
            Legal::StartGame { variant } => {
                for (refereed, weight) in [(false, goes_on), (true, Weight::Faint)] {
                    self.what_happens(None, &Command::StartGame { refereed, variant: None }, weight);
                }
                if variant.len() > 1 {
                    self.other_game();
                }
            }
            // Without a cube a tie has no effect.
            Legal::OpeningTie { .. } if !self.context.state().has_cube() => {}
            Legal::OpeningTie { double, counts } => {
                let waits = self.context.state().game().is_some_and(|game| game.tie_waits);
                // A tie that has no effect cannot be declined either.
                for double in double.iter().filter(|double| *counts || **double) {
                    let weight = if waits && *double { Weight::Main } else { Weight::Plain };
                    self.what_happens(None, &Command::OpeningTie { double: Some(*double) }, weight);
                }
            }
            // The roll after a double. Before a double nothing depends on the roll, so it has no button.
            Legal::PlayOn {} => self.below(&LogMessage::PlaysOn, &Command::PlayOn {}, goes_on),
            Legal::Open { .. }
            | Legal::Join { .. }
            | Legal::Leave { .. }
            | Legal::Break { .. }
            | Legal::Return { .. }
            | Legal::NameProxy { .. }
            | Legal::SetStake { .. }
            | Legal::SetStart { .. }
            | Legal::MergePlayers { .. }
            | Legal::DrawOrder { .. }
            | Legal::EnterRolls { .. }
            | Legal::SetOrder { .. }
            | Legal::OfferPartnership { .. }
            | Legal::AcceptPartnership { .. }
            | Legal::DeclinePartnership { .. }
            | Legal::DeclineBox { .. }
            | Legal::Double { .. }
            | Legal::Take { .. }
            | Legal::Drop { .. }
            | Legal::Beaver { .. }
            | Legal::GiveExtra { .. }
            | Legal::PassExtra { .. }
            | Legal::Settle { .. }
            | Legal::Board { .. }
            | Legal::Finish { .. }
            | Legal::Correct { .. }
            | Legal::Pay { .. }
            | Legal::ChangeRules { .. }
            | Legal::Split { .. }
            | Legal::MergeInto { .. }
            | Legal::Close { .. } => {}
        }
    }

    /// Whether a game may start.
    fn starts(&self) -> bool {
        self.context.legal.iter().any(|legal| matches!(legal, Legal::StartGame { .. }))
    }

    /// Partnerships, extras and the declined box: questions to one player.
    fn question(&mut self, legal: &Legal) {
        let starts = self.starts();
        let (player, command, weight) = match legal {
            Legal::OfferPartnership {} => {
                let weight = if starts { Weight::Plain } else { Weight::Main };
                (None, Command::OfferPartnership {}, weight)
            }
            Legal::AcceptPartnership { player } => {
                (Some(*player), Command::AcceptPartnership { player: *player }, Weight::Main)
            }
            Legal::DeclinePartnership { player } => {
                (Some(*player), Command::DeclinePartnership { player: *player }, Weight::Plain)
            }
            Legal::DeclineBox { player } => {
                (Some(*player), Command::DeclineBox { player: *player }, Weight::Plain)
            }
            Legal::GiveExtra { player } => {
                (Some(*player), Command::GiveExtra { player: *player }, Weight::Plain)
            }
            Legal::PassExtra { player } => {
                (Some(*player), Command::PassExtra { player: *player }, Weight::Main)
            }
            Legal::Open { .. }
            | Legal::Join { .. }
            | Legal::Leave { .. }
            | Legal::Break { .. }
            | Legal::Return { .. }
            | Legal::NameProxy { .. }
            | Legal::SetStake { .. }
            | Legal::SetStart { .. }
            | Legal::MergePlayers { .. }
            | Legal::DrawOrder { .. }
            | Legal::EnterRolls { .. }
            | Legal::SetOrder { .. }
            | Legal::StartGame { .. }
            | Legal::OpeningTie { .. }
            | Legal::Double { .. }
            | Legal::Take { .. }
            | Legal::Drop { .. }
            | Legal::Beaver { .. }
            | Legal::PlayOn { .. }
            | Legal::Settle { .. }
            | Legal::Board { .. }
            | Legal::Finish { .. }
            | Legal::Correct { .. }
            | Legal::Pay { .. }
            | Legal::ChangeRules { .. }
            | Legal::Split { .. }
            | Legal::MergeInto { .. }
            | Legal::Close { .. } => return,
        };
        self.what_happens(player, &command, weight);
    }

    /// A button under the board with the sentence the log will record.
    fn what_happens(&mut self, player: Option<PlayerId>, command: &Command, weight: Weight) {
        let Some(message) = self.log_sentence(command) else { return };
        match player {
            Some(player) => self.below_of(player, &message, command, weight),
            None => self.below(&message, command, weight),
        }
    }

    /// The sentence the log would record for a command. `None` if it would be refused.
    fn log_sentence(&self, command: &Command) -> Option<LogMessage> {
        let events = happens(self.context.state(), command)?;
        let done = events.iter().find(|event| !log::is_by_the_way(event)).or(events.first())?;
        Some(log::message(self.context, self.history, done, &self.told))
    }

    /// A link to the sheet of an act that has one.
    fn sheet(&mut self, legal: &Legal) {
        let leaving = !self.starts() && !self.context.split_due().is_empty();
        let (near, sheet, label) = match legal {
            Legal::Settle { .. } => (false, "settle", "to-settle"),
            Legal::SetOrder { .. } => (true, "order", "to-order"),
            Legal::SetStake { .. } => (false, "order", "to-stakes"),
            Legal::SetStart { .. } => (false, "order", "to-starts"),
            Legal::Split { .. } => (leaving, "split", "to-split"),
            Legal::MergeInto {} => (false, "merge", "to-merge"),
            Legal::MergePlayers {} => (false, "players", "to-players"),
            Legal::ChangeRules {} => (false, "rules", "to-rules"),
            Legal::Correct { .. } => (false, "correct", "to-correct"),
            Legal::Pay {} => (false, "settle-up", "to-settle-up"),
            Legal::Open { .. }
            | Legal::Join { .. }
            | Legal::Leave { .. }
            | Legal::Break { .. }
            | Legal::Return { .. }
            | Legal::NameProxy { .. }
            | Legal::DrawOrder { .. }
            | Legal::EnterRolls { .. }
            | Legal::OfferPartnership { .. }
            | Legal::AcceptPartnership { .. }
            | Legal::DeclinePartnership { .. }
            | Legal::DeclineBox { .. }
            | Legal::StartGame { .. }
            | Legal::OpeningTie { .. }
            | Legal::Double { .. }
            | Legal::Take { .. }
            | Legal::Drop { .. }
            | Legal::Beaver { .. }
            | Legal::GiveExtra { .. }
            | Legal::PassExtra { .. }
            | Legal::PlayOn { .. }
            | Legal::Board { .. }
            | Legal::Finish { .. }
            | Legal::Close { .. } => return,
        };
        let weight = if near { Weight::Main } else { Weight::Plain };
        let link = Link { label: self.context.t.get(label), sheet: sheet.to_owned(), weight };
        if near { self.placed.links.push(link) } else { self.placed.sheets.push(link) }
    }

    /// The link to a game other than the house's own, beside the button that starts that one.
    fn other_game(&mut self) {
        let (label, sheet) = (self.context.t.get("to-other-game"), "start".to_owned());
        self.placed.links.push(Link { label, sheet, weight: Weight::Plain });
    }

    fn sheet_of(&mut self, player: PlayerId, sheet: &str, label: String) {
        let link = Link {
            label: format!("{label} …"),
            sheet: format!("{sheet}?player={player}"),
            weight: Weight::Plain,
        };
        self.placed.links_of_seats.entry(player).or_default().push(link);
    }

    fn act(&self, message: &LogMessage, command: &Command, weight: Weight) -> Act {
        Act { label: message.text(self.context.t), fields: Fields::of(command), key: key(), weight }
    }

    fn below(&mut self, message: &LogMessage, command: &Command, weight: Weight) {
        let act = self.act(message, command, weight);
        self.placed.acts.push(act);
    }

    /// An act of `player`'s, under the board.
    fn below_of(&mut self, player: PlayerId, message: &LogMessage, command: &Command, weight: Weight) {
        let act = self.act(message, command, weight);
        if self.is_own(player) { self.own.push(act) } else { self.placed.acts.push(act) }
    }

    fn at_seat(&mut self, player: PlayerId, message: &LogMessage, command: &Command) {
        let act = self.act(message, command, Weight::Plain);
        self.placed.of_seats.entry(player).or_default().push(act);
    }

    fn is_box(&self, player: PlayerId) -> bool {
        self.context.state().box_player() == Some(player)
    }

    /// Whether the viewer decides for this player.
    fn is_own(&self, player: PlayerId) -> bool {
        self.context.viewer == Some(self.context.state().decides_for(player))
    }

    /// Whether the house rules accept the command as it stands. The box may not make every choice that looks
    /// legal.
    fn accepted(&self, command: &Command) -> bool {
        happens(self.context.state(), command).is_some()
    }

    /// The running bet between the two. For a captain who doubles for the team, a member's bet with the box.
    fn bet(&self, player: PlayerId, opponent: PlayerId) -> Option<&Bet> {
        let game = self.context.state().game()?;
        let pair = |bet: &&Bet| bet.side_of(player).is_some_and(|side| bet.on(side.other()) == opponent);
        game.running().find(pair).or_else(|| game.running_members().find(|bet| bet.box_side == opponent))
    }

    /// The value a double would give the cube between the two, and whether it was turned before.
    fn doubled(&self, player: PlayerId, opponent: PlayerId) -> (u32, bool) {
        self.bet(player, opponent).map_or((2, false), |bet| (bet.cube.value.get() * 2, bet.cube.is_turned()))
    }

    fn join(&mut self) {
        let away = self.context.state().away();
        for player in &away {
            let message = LogMessage::Returns(self.context.name(*player));
            self.at_seat(*player, &message, &Command::Join { player: *player });
        }
        let sits_here = |choice: &Choice| {
            let present = self.context.state().present();
            present.iter().chain(&away).any(|player| player.to_string() == choice.value)
        };
        self.placed.joining = Some(Joining {
            players: self.context.club.iter().filter(|choice| !sits_here(choice)).cloned().collect(),
            guests: self.context.guests,
            fields: Fields::lacking(CommandKind::Join),
            key: key(),
            guest_key: key(),
        });
    }

    /// Doubles by a tap on a cube: by the member in whose line it stands, or else by the box against that
    /// member.
    fn double_at_cubes(&mut self, player: PlayerId, against: &[PlayerId], whole: bool) {
        let of_box = self.is_box(player);
        let alone = against.len() == 1;
        if of_box && whole && !alone {
            // The box has to double all or none here, so a single cube cannot be tapped.
            return;
        }
        let own = [player];
        for line in if of_box { against } else { &own } {
            let command = Command::Double { player, against: (of_box && !alone).then(|| vec![*line]) };
            let Some(message) = self.log_sentence(&command) else { continue };
            let act = self.act(&message, &command, Weight::Plain);
            if of_box {
                self.placed.at_cubes.entry(*line).or_insert(act);
            } else {
                self.placed.at_cubes.insert(*line, act);
            }
        }
    }

    fn double(&mut self, player: PlayerId, against: &[PlayerId], whole: bool) {
        self.double_at_cubes(player, against, whole);
        let own = self.is_own(player);
        let rolls = self.context.state().game().is_some_and(|game| game.turn.is_some());
        let weight = if own && !rolls { Weight::Main } else { Weight::Plain };
        // One button for each value that the cubes would show, because the label says what is recorded.
        let mut groups: BTreeMap<(u32, bool), Vec<PlayerId>> = BTreeMap::new();
        for opponent in against {
            groups.entry(self.doubled(player, *opponent)).or_default().push(*opponent);
        }
        let one = groups.len() == 1 || whole;
        let groups = if one { vec![against.to_vec()] } else { groups.into_values().collect() };
        let several = groups.len() > 1;
        let below = self.is_box(player) || own || self.context.state().acting_captain() == Some(player);
        for group in groups {
            let command = Command::Double { player, against: (!one).then_some(group) };
            self.double_by(&command, below, weight);
        }
        if several {
            self.double_by(&Command::Double { player, against: None }, below, Weight::Plain);
        }
        if against.len() > 1 && !whole {
            if self.is_box(player) {
                return self.double_some(player, against);
            }
            // A lone taker with extras: against the box, or against one of those who gave an extra.
            for opponent in against {
                self.double_by(&Command::Double { player, against: Some(vec![*opponent]) }, false, weight);
            }
        }
    }

    /// A button for a double, if the house rules allow it.
    fn double_by(&mut self, command: &Command, below: bool, weight: Weight) {
        let (Command::Double { player, .. }, Some(message)) = (command, self.log_sentence(command)) else {
            return;
        };
        if below {
            self.below_of(*player, &message, command, weight);
        } else {
            self.at_seat(*player, &message, command);
        }
    }

    /// The form in which the box chooses whom to double, if it has a choice.
    fn double_some(&mut self, player: PlayerId, against: &[PlayerId]) {
        let free =
            |opponent: &PlayerId| self.accepted(&Command::Double { player, against: Some(vec![*opponent]) });
        if !against.iter().any(free) {
            return;
        }
        let choice = |opponent: &PlayerId| {
            let label = format!("{} → {}", self.context.name(*opponent), self.doubled(player, *opponent).0);
            Choice::new(opponent.to_string(), label, false)
        };
        self.placed.doubling_some = Some(DoublingSome {
            against: against.iter().map(choice).collect(),
            // An empty list doubles nobody until somebody is chosen. Without a list it would mean everybody.
            fields: Fields::of(&Command::Double { player, against: Some(Vec::new()) }),
            key: key(),
        });
    }

    /// The groups of doublers that can be answered together: all of them, if their cubes stand alike, then
    /// each one alone. If the team is one (`whole`), only all of them.
    fn choices(&self, player: PlayerId, against: &[PlayerId], whole: bool) -> Vec<Vec<PlayerId>> {
        let stands = |opponent: &PlayerId| self.bet(player, *opponent).and_then(Bet::raise).map(|to| to.to());
        let first = against.first().map(stands);
        let alike = whole || against.iter().all(|opponent| Some(stands(opponent)) == first);
        let all = (alike && against.len() > 1).then(|| against.to_vec());
        let each = against.iter().filter(|_| !whole || against.len() == 1).map(|opponent| vec![*opponent]);
        all.into_iter().chain(each).collect()
    }

    /// An answer of `player`'s to the doubles of `from`. The answer to all of them, or the first in line's,
    /// stands under the board, the rest at the seats.
    fn answer(
        &mut self,
        player: PlayerId,
        from: &[PlayerId],
        all: bool,
        message: &LogMessage,
        command: &Command,
    ) {
        if !self.accepted(command) {
            return;
        }
        let weight = if matches!(command, Command::Take { .. }) { Weight::Main } else { Weight::Plain };
        match (self.is_box(player), from) {
            (true, [one]) if !all => self.at_seat(*one, message, command),
            _ if self.answering == Some(player) => self.below_of(player, message, command, weight),
            _ => self.at_seat(player, message, command),
        }
    }

    fn take(&mut self, player: PlayerId, against: &[PlayerId], whole: bool) {
        for choice in self.choices(player, against, whole) {
            let command = Command::Take { player, against: Some(choice.clone()) };
            let raise = choice.first().and_then(|opponent| self.bet(player, *opponent)).and_then(Bet::raise);
            let message = match raise {
                Some(raise) => LogMessage::Takes {
                    who: self.told.who(self.context, player),
                    from: self.told.from(self.context, player, &choice),
                    to: raise.to().get(),
                },
                // No raise is pending: this is the lone taker, who takes the extras on offer.
                None => match self.log_sentence(&command) {
                    Some(message) => message,
                    None => continue,
                },
            };
            self.answer(player, &choice, choice.len() == against.len(), &message, &command);
        }
    }

    fn drop(&mut self, player: PlayerId, against: &[PlayerId], whole: bool) {
        for choice in self.choices(player, against, whole) {
            let cost = |opponent: &PlayerId| {
                let bet = self.bet(player, *opponent)?;
                // No raise is pending: the lone taker drops what they have taken, at the stake before the
                // double.
                let took = HalfPoints(bet.worth(bet.cube.value).0 / 2);
                Some(bet.raise().map_or(took, |raise| bet.worth(raise.drop())))
            };
            let message = LogMessage::Drops {
                who: self.told.who(self.context, player),
                from: self.told.from(self.context, player, &choice),
                loses: choice.iter().filter_map(cost).sum(),
            };
            let command = Command::Drop { player, against: Some(choice.clone()) };
            self.answer(player, &choice, choice.len() == against.len(), &message, &command);
        }
    }

    fn beaver(&mut self, player: PlayerId, against: &[PlayerId], whole: bool) {
        for choice in self.choices(player, against, whole) {
            let Some(bet) = choice.first().and_then(|opponent| self.bet(player, *opponent)) else { continue };
            let (to, number) = match bet.raise() {
                Some(owlbox_engine::Raise::Beaver(beaver)) => (beaver.to, beaver.number + 1),
                Some(raise) => (raise.to(), 1),
                None => (bet.cube.value, 1),
            };
            let message = LogMessage::Beavers {
                who: self.told.who(self.context, player),
                whom: self.told.whom(self.context, player, &choice),
                to: to.get() * 2,
                number,
            };
            let command = Command::Beaver { player, against: Some(choice.clone()) };
            self.answer(player, &choice, choice.len() == against.len(), &message, &command);
        }
    }
}
