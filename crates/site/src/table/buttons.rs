//! What may be done at a table: one button, form or link for each legal act, and none for any other.
//!
//! The desk has spelled the legal commands out; each of its offers becomes a button. The box's choice of
//! whom to double is a form of its own. Acts that need more than a choice have a sheet, with a link to it.
//! Likely acts, and those of the viewer's, stand under the board; the rest stand at the seat of the player
//! concerned. The label of a button is the sentence the log will record.

use std::collections::BTreeMap;

use super::everybody::everybody_alike;
use super::log::the_act_itself;
use crate::pages::Fields;
use crate::pages::button::{Button, Weight};
use crate::say::Say;
use crate::sentences::chouette::TableSentences;
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_chouette::{Bet, Chouette, Command, CommandKind, Event, Legal, Offer, Speaks, Whom};
use owlbox_desk::chouettes::screen::TableScreen;
use owlbox_engine::Raise;

/// The acts of a table, by the place where they are shown.
#[derive(Default)]
pub(super) struct Buttons<'a> {
    /// Under the board, likeliest first.
    pub acts: Vec<Button>,
    /// Acts that all players concerned do alike, at one tap each.
    pub everybody: Vec<Button>,
    /// Links to sheets that may be wanted now, under the board.
    pub links: Vec<Link>,
    /// Links to sheets that are seldom wanted.
    pub sheets: Vec<Link>,
    /// The form in which the box chooses whom to double: the box, and those it may double.
    pub doubling_some: Option<(PlayerId, &'a [PlayerId])>,
    /// Whether that form is for all of them too, because no one sentence says what a double of all would do.
    pub doubling_all: bool,
    /// Lets the service roll for the order.
    pub draw: Option<Button>,
    /// The form that enters the dice for the order. It adds one `rolls[n][dice][]` for each die of the nth
    /// player.
    pub enter: Option<Button>,
    at_seats: BTreeMap<PlayerId, Vec<Button>>,
    /// Doubles of members by a tap on their own cube. The box doubles by its buttons only, so that a tap on a
    /// cube never means anybody else's double.
    at_cubes: BTreeMap<PlayerId, Button>,
    /// Links to sheets, at the seats.
    links_at_seats: BTreeMap<PlayerId, Vec<Link>>,
}

/// A link to a sheet, for an act that needs more than a tap.
pub(super) struct Link {
    pub label: String,
    /// The end of the address, after that of the table.
    pub sheet: String,
    pub weight: Weight,
}

/// A button or link for something that may be done now.
#[derive(Clone, Copy)]
pub(super) enum Near<'a> {
    Button(&'a Button),
    Link(&'a Link),
}

/// A sheet: whether it is about a legal command, its name, and the words for its link.
type SheetLink = (fn(&Legal) -> bool, &'static str, &'static str);

/// The sheets that are seldom wanted.
const SHEETS: [SheetLink; 8] = [
    (|legal| matches!(legal, Legal::Settle { .. }), "settle", "to-settle"),
    (|legal| matches!(legal, Legal::SetStake { .. }), "order", "to-stakes"),
    (|legal| matches!(legal, Legal::SetStart { .. }), "order", "to-starts"),
    (|legal| matches!(legal, Legal::MergeInto {}), "merge", "to-merge"),
    (|legal| matches!(legal, Legal::MergePlayers {}), "players", "to-players"),
    (|legal| matches!(legal, Legal::ChangeRules {}), "rules", "to-rules"),
    (|legal| matches!(legal, Legal::Correct { .. }), "correct", "to-correct"),
    (|legal| matches!(legal, Legal::Pay {}), "settle-up", "to-settle-up"),
];

/// Whether a table's page has buttons for the choices of such a command, and so has to be offered them. The
/// others have forms and sheets.
#[must_use]
pub(super) const fn has_buttons(legal: &Legal) -> bool {
    if let Legal::Leave { proxy, .. } | Legal::Break { proxy, .. } = legal {
        return proxy.is_empty();
    }
    !matches!(legal, Legal::NameProxy { .. } | Legal::SetStart { .. } | Legal::Finish { .. })
}

impl<'a> Buttons<'a> {
    /// Sorts every legal act into the place where it is shown.
    pub fn new(say: Say<'a>, screen: &'a TableScreen) -> Self {
        let state = &screen.stream.state;
        let sentences = TableSentences::now(say, state);
        let (placed, own) = (Self::default(), Vec::new());
        let mut placing =
            Placing { say, screen, state, sentences, placed, own, answering: None, next_for_box: None };
        placing.answering = placing.first_to_answer();
        placing.next_for_box = placing
            .answering
            .filter(|player| placing.is_box(*player) && !placing.takes_all(*player))
            .and_then(|player| placing.raised_highest(player));
        for offer in &screen.offers {
            placing.button(offer);
        }
        for legal in &screen.legal {
            placing.form_or_link(legal);
        }
        let Placing { mut placed, own, .. } = placing;
        placed.everybody =
            screen.everybody.iter().map(|everybody| everybody_alike(&say, everybody)).collect();
        placed.acts.splice(..0, own);
        placed
    }

    /// The acts at a player's seat.
    pub fn acts_of(&self, player: &PlayerId) -> &[Button] {
        self.at_seats.get(player).map_or(&[], Vec::as_slice)
    }

    /// The sheets at a player's seat.
    pub fn links_of(&self, player: &PlayerId) -> &[Link] {
        self.links_at_seats.get(player).map_or(&[], Vec::as_slice)
    }

    /// The double behind a tap on the cube of a player's bet with the box, if they may double.
    pub fn at_cube(&self, player: &PlayerId) -> Option<&Button> {
        self.at_cubes.get(player)
    }
}

struct Placing<'a> {
    say: Say<'a>,
    screen: &'a TableScreen,
    state: &'a Chouette,
    sentences: TableSentences<'a>,
    placed: Buttons<'a>,
    /// The viewer's own acts. They come before everything else.
    own: Vec<Button>,
    /// The player whose answer to a double stands under the board: the viewer, or else the first in line. The
    /// answers of the others stand at their seats.
    answering: Option<PlayerId>,
    /// The member whom the box answers next, where their doubles stand at different values and so have no
    /// answer in common.
    next_for_box: Option<PlayerId>,
}

/// Who does it.
impl Placing<'_> {
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
        let answering: Vec<PlayerId> = self.screen.legal.iter().filter_map(answers).collect();
        let hidden =
            |player: &PlayerId| self.state.game().is_some_and(|game| game.answers.contains_key(player));
        let own = answering.iter().find(|player| self.is_own(**player));
        own.or(answering.iter().find(|player| !hidden(player))).or(answering.first()).copied()
    }

    /// Whether this player can take all cubes that are offered, as one act.
    fn takes_all(&self, player: PlayerId) -> bool {
        self.screen.offers.iter().any(|offer| {
            offer.whom == Whom::All
                && matches!(offer.command, Command::Take { player: who, .. } if who == player)
        })
    }

    /// Of those whom this player may answer, the one who has redoubled most often, or else the first in line.
    fn raised_highest(&self, player: PlayerId) -> Option<PlayerId> {
        let against = self.screen.legal.iter().find_map(|legal| {
            let Legal::Take { player: who, against, .. } = legal else { return None };
            (*who == player).then_some(against)
        })?;
        let beavers =
            |opponent: &PlayerId| match self.state.bet_between(player, *opponent).and_then(Bet::raise) {
                Some(Raise::Beaver(beaver)) => beaver.number,
                Some(Raise::Double(_)) | None => 0,
            };
        against.iter().copied().rev().max_by_key(beavers)
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
        self.screen.legal.iter().any(asked)
    }

    /// Whether a game may start.
    fn starts(&self) -> bool {
        self.screen.legal.iter().any(|legal| matches!(legal, Legal::StartGame { .. }))
    }

    fn is_box(&self, player: PlayerId) -> bool {
        self.state.box_player() == Some(player)
    }

    /// Whether the viewer decides for this player.
    fn is_own(&self, player: PlayerId) -> bool {
        self.screen.viewer.player == Some(self.state.decides_for(player))
    }
}

/// Buttons.
impl Placing<'_> {
    /// Places the button of an offer. Offers that have forms and sheets are none of these.
    fn button(&mut self, offer: &Offer) {
        let command = &offer.command;
        if let Command::DrawOrder {} = command {
            self.placed.draw = Some(act(self.say.get("say-draws-order"), command, Weight::Main));
        } else if let Command::Close {} = command {
            self.below(self.say.get("say-closes"), command, Weight::Quiet);
        } else if let Command::Leave { player, .. }
        | Command::Break { player, .. }
        | Command::Return { player } = command
        {
            if let Some(sentence) = self.log_sentence(offer) {
                self.at_seat(*player, sentence, command);
            }
        } else if let Command::Double { player, against, .. } = command {
            self.double(*player, against.as_deref(), offer);
        } else if let Command::Take { player, against: Some(from) }
        | Command::Drop { player, against: Some(from) }
        | Command::Beaver { player, against: Some(from) } = command
        {
            if let Some(sentence) = self.answer_sentence(*player, from, offer) {
                self.answer(*player, from, offer, sentence);
            }
        } else if let Some(weight) = self.weight(command)
            && let Some(sentence) = self.log_sentence(offer)
        {
            match command.aspects().speaks {
                Speaks::For(player) => self.below_of(player, sentence, command, weight),
                Speaks::ForTable | Speaks::ForSide(_) | Speaks::AboutTie => {
                    self.below(sentence, command, weight);
                }
            }
        }
    }

    /// How large the button is of an act of the whole table, or of one that passes no cube. `None` if it has
    /// none now.
    fn weight(&self, command: &Command) -> Option<Weight> {
        // A partnership or an extra that somebody is asked for is the table's main question.
        let goes_on = if self.asks() { Weight::Plain } else { Weight::Main };
        if let Command::StartGame { refereed, variant: None } = command {
            Some(if *refereed { Weight::Faint } else { goes_on })
        } else if let Command::PlayOn {} = command {
            // The roll has a button only while something more may come in this turn. Whatever is done after
            // it says by itself that the dice were rolled.
            self.state.turn_may_go_on().then_some(goes_on)
        } else if let Command::OpeningTie { double } = command {
            self.tie(double.unwrap_or(true))
        } else if let Command::OfferPartnership {} = command {
            Some(if self.starts() { Weight::Plain } else { Weight::Main })
        } else if let Command::AcceptPartnership { .. } | Command::PassExtra { .. } = command {
            Some(Weight::Main)
        } else {
            let declines = matches!(
                command,
                Command::DeclinePartnership { .. } | Command::DeclineBox { .. } | Command::GiveExtra { .. }
            );
            declines.then_some(Weight::Plain)
        }
    }

    /// An automatic double of the opening roll. Without a cube a tie has no effect; and one that has none
    /// cannot be declined either.
    fn tie(&self, double: bool) -> Option<Weight> {
        let counts = |legal: &Legal| matches!(legal, Legal::OpeningTie { counts: true, .. });
        let waits = self.state.game().is_some_and(|game| game.tie_waits);
        let has_effect = self.state.has_cube() && (double || self.screen.legal.iter().any(counts));
        has_effect.then_some(if waits && double { Weight::Main } else { Weight::Plain })
    }

    /// The sentence the log would record for an offer. `None` if nobody knows it beforehand.
    fn log_sentence(&self, offer: &Offer) -> Option<String> {
        let Some(events) = &offer.events else {
            // Lots are drawn for the partner then.
            let Command::DeclinePartnership { player } = offer.command else { return None };
            return Some(self.sentences.sentence(&Event::PartnershipDeclined { player }));
        };
        Some(self.sentences.sentence(the_act_itself(events.iter())?))
    }

    fn below(&mut self, sentence: String, command: &Command, weight: Weight) {
        self.placed.acts.push(act(sentence, command, weight));
    }

    /// An act of `player`'s, under the board.
    fn below_of(&mut self, player: PlayerId, sentence: String, command: &Command, weight: Weight) {
        let acts = if self.is_own(player) { &mut self.own } else { &mut self.placed.acts };
        acts.push(act(sentence, command, weight));
    }

    fn at_seat(&mut self, player: PlayerId, sentence: String, command: &Command) {
        self.placed.at_seats.entry(player).or_default().push(act(sentence, command, Weight::Plain));
    }
}

/// Forms, and links to sheets.
impl<'a> Placing<'a> {
    fn form_or_link(&mut self, legal: &'a Legal) {
        let say = self.say;
        if let Legal::Join {} = legal {
            for player in self.state.away() {
                let returns = say.with("say-returns", "name", say.name(&player));
                self.at_seat(player, returns, &Command::Join { player });
            }
        } else if let Legal::EnterRolls { .. } = legal {
            let fields = Fields::lacking(CommandKind::EnterRolls);
            self.placed.enter = Some(Button::of_form(say.get("enter-dice"), fields));
        } else if let Legal::Double { player, against, whole: false, rolled: false } = legal {
            self.double_some(*player, against);
        } else if let Legal::StartGame { variant } = legal {
            // A game other than the house's own, beside the button that starts that one.
            if variant.len() > 1 {
                self.near_sheet("start", "to-other-game", Weight::Plain);
            }
        } else if let Legal::Leave { player, proxy } = legal {
            self.sheets_of(player, proxy, "leave", "say-leaves");
        } else if let Legal::Break { player, proxy } = legal {
            self.sheets_of(player, proxy, "break", "say-takes-break");
        } else if let Legal::NameProxy { player, .. } = legal {
            self.sheet_of(player, "proxy", "to-proxy");
        } else if let Legal::SetOrder { .. } = legal {
            self.near_sheet("order", "to-order", Weight::Main);
        } else if let Legal::Split { .. } = legal {
            if !self.starts() && !self.state.split_due().is_empty() {
                self.near_sheet("split", "to-split", Weight::Main);
            } else {
                self.seldom("split", "to-split");
            }
        } else if let Some((_, sheet, label)) = SHEETS.iter().find(|(is_about, ..)| is_about(legal)) {
            self.seldom(sheet, label);
        }
    }

    fn link(&self, sheet: &str, label: &str, weight: Weight) -> Link {
        Link { label: self.say.get(label), sheet: sheet.to_owned(), weight }
    }

    /// A link to the sheet of an act that may be wanted now.
    fn near_sheet(&mut self, sheet: &str, label: &str, weight: Weight) {
        let link = self.link(sheet, label, weight);
        self.placed.links.push(link);
    }

    fn seldom(&mut self, sheet: &str, label: &str) {
        let link = self.link(sheet, label, Weight::Plain);
        self.placed.sheets.push(link);
    }

    /// Where somebody has to decide for the players, a sheet asks who.
    fn sheets_of(&mut self, players: &[PlayerId], proxies: &[PlayerId], sheet: &str, label: &str) {
        for player in players.iter().filter(|_| !proxies.is_empty()) {
            self.sheet_of(player, sheet, label);
        }
    }

    fn sheet_of(&mut self, player: &PlayerId, sheet: &str, label: &str) {
        let label = self.say.with(label, "name", self.say.name(player));
        let label = self.say.with("opens", "label", label);
        let link = Link { label, sheet: format!("{sheet}?player={player}"), weight: Weight::Plain };
        self.placed.links_at_seats.entry(*player).or_default().push(link);
    }

    /// The form in which the box chooses whom to double, if it has a choice.
    fn double_some(&mut self, player: PlayerId, against: &'a [PlayerId]) {
        let some = |offer: &Offer| {
            let Command::Double { player: who, against, .. } = &offer.command else { return false };
            *who == player && against.is_some()
        };
        if self.is_box(player) && self.screen.offers.iter().any(some) {
            self.placed.doubling_some = Some((player, against));
            self.placed.doubling_all = self.has_groups(player);
        }
    }
}

/// Cubes.
impl Placing<'_> {
    /// A double: at a cube that can be tapped, and as a button for each value that the cubes would show,
    /// because the label says what is recorded.
    fn double(&mut self, player: PlayerId, against: Option<&[PlayerId]>, offer: &Offer) {
        let Some(sentence) = self.log_sentence(offer) else { return };
        let (of_box, own) = (self.is_box(player), self.is_own(player));
        if !of_box && against.is_none() {
            self.placed.at_cubes.insert(player, act(sentence.clone(), &offer.command, Weight::Plain));
        }
        let rolls = self.state.game().is_some_and(|game| game.turn.is_some());
        let likely = if own && !rolls { Weight::Main } else { Weight::Plain };
        let below = of_box || own || self.state.acting_captain() == Some(player);
        match offer.whom {
            // The box has a form for them. Anybody else is a lone taker with extras.
            Whom::One if of_box => {}
            Whom::Alike | Whom::All if of_box && self.has_groups(player) => {}
            Whom::One => self.at_seat(player, sentence, &offer.command),
            Whom::Alike | Whom::All if !below => self.at_seat(player, sentence, &offer.command),
            Whom::All if self.has_groups(player) => {
                self.below_of(player, sentence, &offer.command, Weight::Plain);
            }
            Whom::Alike | Whom::All => self.below_of(player, sentence, &offer.command, likely),
        }
    }

    /// Whether the cubes that the player may double stand at different values.
    fn has_groups(&self, player: PlayerId) -> bool {
        let group = |offer: &Offer| {
            offer.whom == Whom::Alike
                && matches!(&offer.command, Command::Double { player: who, .. } if *who == player)
        };
        self.screen.offers.iter().any(group)
    }

    /// An answer of `player`'s to the doubles of `from`. The answer to all of them, or the first in line's,
    /// stands under the board, the rest at the seats.
    fn answer(&mut self, player: PlayerId, from: &[PlayerId], offer: &Offer, sentence: String) {
        let command = &offer.command;
        let weight = if matches!(command, Command::Take { .. }) { Weight::Main } else { Weight::Plain };
        match (self.is_box(player), from) {
            (true, [one]) if offer.whom == Whom::One && self.next_for_box != Some(*one) => {
                self.at_seat(*one, sentence, command);
            }
            _ if self.answering == Some(player) => self.below_of(player, sentence, command, weight),
            _ => self.at_seat(player, sentence, command),
        }
    }

    /// What an answer says. What is answered in secret is told on the button only, so this does not go by the
    /// events.
    fn answer_sentence(&self, player: PlayerId, from: &[PlayerId], offer: &Offer) -> Option<String> {
        let first = self.state.bet_between(player, *from.first()?);
        if let Command::Take { .. } = offer.command {
            // No raise is pending: this is the lone taker, who takes the extras on offer.
            let Some(raise) = first.and_then(Bet::raise) else { return self.log_sentence(offer) };
            Some(self.sentences.takes(player, from, raise.to().get()))
        } else if let Command::Drop { .. } = offer.command {
            let costs = from.iter().filter_map(|opponent| self.cost_of_drop(player, *opponent));
            Some(self.sentences.drops(player, from, Some(costs.sum())))
        } else {
            let bet = first?;
            let (to, number) = match bet.raise() {
                Some(Raise::Beaver(beaver)) => (beaver.to, beaver.number + 1),
                Some(raise @ Raise::Double(_)) => (raise.to(), 1),
                None => (bet.cube.value, 1),
            };
            Some(self.sentences.beavers(player, from, to.get() * 2, number))
        }
    }

    fn cost_of_drop(&self, player: PlayerId, opponent: PlayerId) -> Option<HalfPoints> {
        let bet = self.state.bet_between(player, opponent)?;
        // No raise is pending: the lone taker drops what they have taken, at the stake before the double.
        let took = HalfPoints(bet.worth(bet.cube.value).0 / 2);
        Some(bet.raise().map_or(took, |raise| bet.worth(raise.drop())))
    }
}

fn act(sentence: String, command: &Command, weight: Weight) -> Button {
    Button::new(sentence, command).weighing(weight)
}
