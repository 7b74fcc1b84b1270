//! What may be done at a table: one button, form or link for each legal act, and none for any other.
//!
//! The desk has spelled the legal commands out; each of its offers becomes a button. The box's choice of
//! whom to double is a form of its own. Acts that need more than a choice have a sheet, with a link to it.
//! Likely acts, and those of the viewer's, stand under the board; the rest stand at the seat of the player
//! concerned. The label of a button is the sentence the log will record.

use std::collections::BTreeMap;

use super::context::TableContext;
use super::{Button, DoublingSome, Joining, Link, Weight, log};
use crate::pages::Choice;
use crate::pages::Fields;
use crate::pages::button::key;
use crate::sentences::chouette::TableSentences;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{HalfPoints, PlayerId};
use owlbox_chouette::{Bet, Command, CommandKind, Event, Legal, Offer, Phase, Whom};

/// The acts of a table, by the place where they are shown.
#[derive(Debug, Default)]
pub(super) struct PlacedActs {
    pub acts: Vec<Button>,
    pub of_seats: BTreeMap<PlayerId, Vec<Button>>,
    /// Doubles of members by a tap on their own cube. The box doubles by its buttons only, so that a tap on a
    /// cube never means anybody else's double.
    pub at_cubes: BTreeMap<PlayerId, Button>,
    /// Links to sheets, at the seats.
    pub links_of_seats: BTreeMap<PlayerId, Vec<Link>>,
    pub everybody: Vec<Button>,
    /// Links to sheets, under the board.
    pub links: Vec<Link>,
    /// Links to sheets that are seldom wanted.
    pub sheets: Vec<Link>,
    /// The form in which the box chooses whom to double.
    pub doubling_some: Option<DoublingSome>,
    pub joining: Option<Joining>,
    /// Lets the service roll for the order.
    pub draw: Option<Button>,
    /// Enters the dice for the order.
    pub enter: Option<Button>,
    /// Whether the game's result can be entered.
    pub may_finish: bool,
}

/// Whether a table's page has buttons for the choices of such a command, and so has to be offered them.
#[must_use]
pub const fn has_buttons(legal: &Legal) -> bool {
    match legal {
        Legal::Leave { proxy, .. } | Legal::Break { proxy, .. } => proxy.is_empty(),
        Legal::Return { .. }
        | Legal::DrawOrder {}
        | Legal::OfferPartnership {}
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
        | Legal::PlayOn {}
        | Legal::Close {} => true,
        // The board has its own buttons, and the rest have forms and sheets.
        Legal::Open {}
        | Legal::Join {}
        | Legal::NameProxy { .. }
        | Legal::SetStake { .. }
        | Legal::SetStart { .. }
        | Legal::MergePlayers {}
        | Legal::EnterRolls { .. }
        | Legal::SetOrder { .. }
        | Legal::Settle { .. }
        | Legal::Board { .. }
        | Legal::Finish { .. }
        | Legal::Correct { .. }
        | Legal::Pay {}
        | Legal::ChangeRules {}
        | Legal::Split { .. }
        | Legal::MergeInto {} => false,
    }
}

/// Sorts every legal act into the place where it is shown.
pub(super) fn acts(context: &TableContext<'_>) -> PlacedActs {
    let mut drawing = Drawing {
        context,
        sentences: TableSentences::now(context.say, context.state()),
        placed: PlacedActs::default(),
        own: Vec::new(),
        answering: None,
        next_for_box: None,
    };
    drawing.answering = drawing.first_to_answer();
    drawing.next_for_box = drawing
        .answering
        .filter(|player| drawing.is_box(*player) && !drawing.takes_all(*player))
        .and_then(|player| drawing.raised_highest(player));
    for offer in &context.offers {
        drawing.button(offer);
    }
    for legal in &context.legal {
        drawing.form_or_link(legal);
    }
    let mut placed = drawing.placed;
    placed.everybody = context
        .everybody
        .iter()
        .map(|everybody| super::everybody::everybody_alike(context, everybody))
        .collect();
    placed.acts.splice(..0, drawing.own);
    placed
}

struct Drawing<'a> {
    context: &'a TableContext<'a>,
    sentences: TableSentences<'a>,
    placed: PlacedActs,
    /// The viewer's own acts. They come before everything else.
    own: Vec<Button>,
    /// The player whose answer to a double stands under the board: the viewer, or else the first in line. The
    /// answers of the others stand at their seats.
    answering: Option<PlayerId>,
    /// The member whom the box answers next, where their doubles stand at different values and so have no answer
    /// in common.
    next_for_box: Option<PlayerId>,
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

    /// Whether this player can take all cubes that are offered, as one act.
    fn takes_all(&self, player: PlayerId) -> bool {
        self.context.offers.iter().any(|offer| {
            offer.whom == Whom::All
                && matches!(offer.command, Command::Take { player: who, .. } if who == player)
        })
    }

    /// Of those whom this player may answer, the one who has redoubled most often, or else the first in line.
    fn raised_highest(&self, player: PlayerId) -> Option<PlayerId> {
        let against = self.context.legal.iter().find_map(|legal| {
            let Legal::Take { player: who, against, .. } = legal else { return None };
            (*who == player).then_some(against)
        })?;
        let beavers = |opponent: &PlayerId| match self
            .context
            .state()
            .bet_between(player, *opponent)
            .and_then(Bet::raise)
        {
            Some(owlbox_engine::Raise::Beaver(beaver)) => beaver.number,
            Some(owlbox_engine::Raise::Double(_)) | None => 0,
        };
        against.iter().copied().rev().max_by_key(beavers)
    }

    fn button(&mut self, offer: &Offer) {
        // A partnership or an extra that somebody is asked for is the table's main question.
        let goes_on = if self.asks() { Weight::Plain } else { Weight::Main };
        match &offer.command {
            Command::DrawOrder {} => {
                let label = self.context.say.get("say-draws-order");
                self.placed.draw = Some(act(label, &offer.command, Weight::Main));
            }
            Command::Close {} => {
                self.below(self.context.say.get("say-closes"), &offer.command, Weight::Quiet);
            }
            Command::Leave { player, proxy: None }
            | Command::Break { player, proxy: None }
            | Command::Return { player } => {
                if let Some(sentence) = self.log_sentence(offer) {
                    self.at_seat(*player, sentence, &offer.command);
                }
            }
            Command::StartGame { refereed, variant: None } => {
                self.what_happens(None, offer, if *refereed { Weight::Faint } else { goes_on });
            }
            // The roll has a button only while something more may come in this turn. Whatever is done after it says
            // by itself that the dice were rolled.
            Command::PlayOn {} if self.context.state().turn_may_go_on() => {
                self.what_happens(None, offer, goes_on);
            }
            Command::OpeningTie { double } => self.tie(double.unwrap_or(true), offer),
            Command::OfferPartnership {} => {
                let weight = if self.starts() { Weight::Plain } else { Weight::Main };
                self.what_happens(None, offer, weight);
            }
            Command::AcceptPartnership { player } | Command::PassExtra { player } => {
                self.what_happens(Some(*player), offer, Weight::Main);
            }
            Command::DeclinePartnership { player }
            | Command::DeclineBox { player }
            | Command::GiveExtra { player } => self.what_happens(Some(*player), offer, Weight::Plain),
            Command::Double { player, against, rolled: _ } => self.double(*player, against.as_deref(), offer),
            Command::Take { player, against: Some(from) } => {
                if let Some(sentence) = self.takes(*player, from, offer) {
                    self.answer(*player, from, offer, sentence);
                }
            }
            Command::Drop { player, against: Some(from) } => {
                self.answer(*player, from, offer, self.drops(*player, from));
            }
            Command::Beaver { player, against: Some(whom) } => {
                if let Some(sentence) = self.beavers(*player, whom) {
                    self.answer(*player, whom, offer, sentence);
                }
            }
            // The first three name nobody where nobody has to be named, and answers always say whose. The rest have
            // forms and sheets.
            Command::Leave { .. }
            | Command::Break { .. }
            | Command::StartGame { .. }
            | Command::PlayOn { .. }
            | Command::Take { .. }
            | Command::Drop { .. }
            | Command::Beaver { .. }
            | Command::Open { .. }
            | Command::ChangeRules { .. }
            | Command::Split { .. }
            | Command::MergeInto { .. }
            | Command::Join { .. }
            | Command::NameProxy { .. }
            | Command::MergePlayers { .. }
            | Command::SetStake { .. }
            | Command::SetStart { .. }
            | Command::EnterRolls { .. }
            | Command::SetOrder { .. }
            | Command::Settle { .. }
            | Command::Board { .. }
            | Command::Finish { .. }
            | Command::Correct { .. }
            | Command::Pay { .. } => {}
        }
    }

    fn form_or_link(&mut self, legal: &Legal) {
        let say = self.context.say;
        match legal {
            Legal::Join {} => self.join(),
            Legal::EnterRolls { .. } => {
                let fields = Fields::lacking(CommandKind::EnterRolls);
                self.placed.enter = Some(Button::of_form(say.get("enter-dice"), fields));
            }
            Legal::Double { player, against, whole: false, rolled: false } if self.is_box(*player) => {
                self.double_some(*player, against);
            }
            Legal::Finish { .. } => self.placed.may_finish = true,
            Legal::StartGame { variant } if variant.len() > 1 => self.other_game(),
            // Where somebody has to decide for the player, a sheet asks who.
            Legal::Leave { player, proxy } if !proxy.is_empty() => {
                for player in player {
                    self.sheet_of(*player, "leave", say.with("say-leaves", "name", say.name(player)));
                }
            }
            Legal::Break { player, proxy } if !proxy.is_empty() => {
                for player in player {
                    self.sheet_of(*player, "break", say.with("say-takes-break", "name", say.name(player)));
                }
            }
            Legal::NameProxy { player, .. } => {
                self.sheet_of(*player, "proxy", say.with("to-proxy", "name", say.name(player)));
            }
            Legal::SetOrder { .. } => self.sheet(true, "order", "to-order"),
            Legal::Split { .. } => {
                let leaving = !self.starts() && !self.context.split_due().is_empty();
                self.sheet(leaving, "split", "to-split");
            }
            Legal::Settle { .. } => self.sheet(false, "settle", "to-settle"),
            Legal::SetStake { .. } => self.sheet(false, "order", "to-stakes"),
            Legal::SetStart { .. } => self.sheet(false, "order", "to-starts"),
            Legal::MergeInto {} => self.sheet(false, "merge", "to-merge"),
            Legal::MergePlayers {} => self.sheet(false, "players", "to-players"),
            Legal::ChangeRules {} => self.sheet(false, "rules", "to-rules"),
            Legal::Correct { .. } => self.sheet(false, "correct", "to-correct"),
            Legal::Pay {} => self.sheet(false, "settle-up", "to-settle-up"),
            // These have buttons. The page exists only once the table is open, and the board has its own.
            Legal::Open {}
            | Legal::Board { .. }
            | Legal::Leave { .. }
            | Legal::Break { .. }
            | Legal::Return { .. }
            | Legal::DrawOrder {}
            | Legal::OfferPartnership {}
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
            | Legal::PlayOn {}
            | Legal::Close {} => {}
        }
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

    /// Whether a game may start.
    fn starts(&self) -> bool {
        self.context.legal.iter().any(|legal| matches!(legal, Legal::StartGame { .. }))
    }

    /// A button under the board with the sentence the log will record.
    fn what_happens(&mut self, player: Option<PlayerId>, offer: &Offer, weight: Weight) {
        let Some(sentence) = self.log_sentence(offer) else { return };
        match player {
            Some(player) => self.below_of(player, sentence, &offer.command, weight),
            None => self.below(sentence, &offer.command, weight),
        }
    }

    /// The sentence the log would record for an offer. `None` if nobody knows it beforehand.
    fn log_sentence(&self, offer: &Offer) -> Option<String> {
        let Some(events) = &offer.events else {
            // Lots are drawn for the partner then.
            let Command::DeclinePartnership { player } = offer.command else { return None };
            return Some(self.sentences.sentence(&Event::PartnershipDeclined { player }));
        };
        Some(self.sentences.sentence(log::the_act_itself(events.iter())?))
    }

    /// An automatic double of the opening roll. Without a cube a tie has no effect; and one that has none cannot
    /// be declined either.
    fn tie(&mut self, double: bool, offer: &Offer) {
        let state = self.context.state();
        let counts = |legal: &Legal| matches!(legal, Legal::OpeningTie { counts: true, .. });
        if !state.has_cube() || !(double || self.context.legal.iter().any(counts)) {
            return;
        }
        let waits = state.game().is_some_and(|game| game.tie_waits);
        let weight = if waits && double { Weight::Main } else { Weight::Plain };
        self.what_happens(None, offer, weight);
    }

    /// A link to the sheet of an act that has one.
    fn sheet(&mut self, near: bool, sheet: &str, label: &str) {
        let weight = if near { Weight::Main } else { Weight::Plain };
        let link = Link { label: self.context.say.get(label), sheet: sheet.to_owned(), weight };
        if near { self.placed.links.push(link) } else { self.placed.sheets.push(link) }
    }

    /// The link to a game other than the house's own, beside the button that starts that one.
    fn other_game(&mut self) {
        let (label, sheet) = (self.context.say.get("to-other-game"), "start".to_owned());
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

    fn below(&mut self, sentence: String, command: &Command, weight: Weight) {
        self.placed.acts.push(act(sentence, command, weight));
    }

    /// An act of `player`'s, under the board.
    fn below_of(&mut self, player: PlayerId, sentence: String, command: &Command, weight: Weight) {
        let acts = if self.is_own(player) { &mut self.own } else { &mut self.placed.acts };
        acts.push(act(sentence, command, weight));
    }

    fn at_seat(&mut self, player: PlayerId, sentence: String, command: &Command) {
        self.placed.of_seats.entry(player).or_default().push(act(sentence, command, Weight::Plain));
    }

    fn is_box(&self, player: PlayerId) -> bool {
        self.context.state().box_player() == Some(player)
    }

    /// Whether the viewer decides for this player.
    fn is_own(&self, player: PlayerId) -> bool {
        self.context.viewer == Some(self.context.state().decides_for(player))
    }

    fn join(&mut self) {
        let away = self.context.state().away();
        for player in &away {
            let returns = self.context.say.with("say-returns", "name", self.context.name(*player));
            self.at_seat(*player, returns, &Command::Join { player: *player });
        }
        let present = self.context.state().present();
        // While the table gathers, names stay where they are: whoever taps one after the other meets no other
        // name than they aimed at.
        let gathering = self.context.state().phase() == Phase::Gathering;
        let club = self.context.free_players.iter().filter(|player| !away.contains(&player.id));
        let choices = club.map(|player| Choice::player(player, present.contains(&player.id)));
        self.placed.joining = Some(Joining {
            players: choices.filter(|choice| gathering || !choice.chosen).collect(),
            guests: self.context.say.may(Permission::AddGuests),
            fields: Fields::lacking(CommandKind::Join),
            key: key(),
            guest_key: key(),
        });
    }

    /// A double: at a cube that can be tapped, and as a button for each value that the cubes would show, because
    /// the label says what is recorded.
    fn double(&mut self, player: PlayerId, against: Option<&[PlayerId]>, offer: &Offer) {
        let Some(sentence) = self.log_sentence(offer) else { return };
        let (of_box, own) = (self.is_box(player), self.is_own(player));
        if !of_box && against.is_none() {
            self.placed.at_cubes.insert(player, act(sentence.clone(), &offer.command, Weight::Plain));
        }
        let rolls = self.context.state().game().is_some_and(|game| game.turn.is_some());
        let likely = if own && !rolls { Weight::Main } else { Weight::Plain };
        let below = of_box || own || self.context.state().acting_captain() == Some(player);
        match offer.whom {
            // The box has a form for them. Anybody else is a lone taker with extras.
            Whom::One if of_box => {}
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
        self.context.offers.iter().any(group)
    }

    /// The form in which the box chooses whom to double, if it has a choice.
    fn double_some(&mut self, player: PlayerId, against: &[PlayerId]) {
        let one = |offer: &Offer| {
            let Command::Double { player: who, against: Some(whom), .. } = &offer.command else {
                return false;
            };
            *who == player && whom.len() == 1
        };
        if !self.context.offers.iter().any(one) {
            return;
        }
        let choice = |opponent: &PlayerId| {
            let (to, _) = self.context.state().cube_doubled(player, *opponent);
            Choice::new(opponent.to_string(), format!("{} → {to}", self.context.name(*opponent)), false)
        };
        self.placed.doubling_some = Some(DoublingSome {
            against: against.iter().map(choice).collect(),
            // An empty list doubles nobody until somebody is chosen. Without a list it would mean everybody.
            button: Button::new(
                self.context.say.get("box-doubles-these"),
                &Command::Double { player, against: Some(Vec::new()), rolled: false },
            ),
        });
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

    /// The bet with the first of these opponents.
    fn first_bet(&self, player: PlayerId, opponents: &[PlayerId]) -> Option<&Bet> {
        self.context.state().bet_between(player, *opponents.first()?)
    }

    // What is answered in secret is told on the button only, so these do not go by the events.

    fn takes(&self, player: PlayerId, from: &[PlayerId], offer: &Offer) -> Option<String> {
        // No raise is pending: this is the lone taker, who takes the extras on offer.
        let Some(raise) = self.first_bet(player, from).and_then(Bet::raise) else {
            return self.log_sentence(offer);
        };
        Some(self.sentences.takes(player, from, raise.to().get()))
    }

    fn drops(&self, player: PlayerId, from: &[PlayerId]) -> String {
        let cost = |opponent: &PlayerId| {
            let bet = self.context.state().bet_between(player, *opponent)?;
            // No raise is pending: the lone taker drops what they have taken, at the stake before the
            // double.
            let took = HalfPoints(bet.worth(bet.cube.value).0 / 2);
            Some(bet.raise().map_or(took, |raise| bet.worth(raise.drop())))
        };
        self.sentences.drops(player, from, Some(from.iter().filter_map(cost).sum()))
    }

    fn beavers(&self, player: PlayerId, whom: &[PlayerId]) -> Option<String> {
        let bet = self.first_bet(player, whom)?;
        let (to, number) = match bet.raise() {
            Some(owlbox_engine::Raise::Beaver(beaver)) => (beaver.to, beaver.number + 1),
            Some(raise) => (raise.to(), 1),
            None => (bet.cube.value, 1),
        };
        Some(self.sentences.beavers(player, whom, to.get() * 2, number))
    }
}

fn act(sentence: String, command: &Command, weight: Weight) -> Button {
    Button::new(sentence, command).weighing(weight)
}
