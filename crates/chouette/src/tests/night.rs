//! A night that commands are given to. Players are letters. The tests of the books play it as well, so it
//! names this crate as they do.

use std::collections::VecDeque;

use uuid::Uuid;

use owlbox_base::journal::{Act, ActKind, Aggregate, CannotUndo, Chance, Inputs, Stream};
use owlbox_base::values::{AccountId, ActId, PlayerId, Timestamp};
use owlbox_chouette::rules::{OrderDice, old};
use owlbox_chouette::{Chouette, Command, Event, HouseRules, Refusal, Roll, Side};
use owlbox_engine::Win;

/// The player that a letter stands for.
pub(super) fn player(letter: char) -> PlayerId {
    PlayerId(Uuid::from_u128(u128::from(u32::from(letter))))
}

pub(super) fn players(letters: &str) -> Vec<PlayerId> {
    letters.chars().map(player).collect()
}

/// The letter that stands for a player.
pub(super) fn letter(player: PlayerId) -> char {
    u32::try_from(player.0.as_u128()).ok().and_then(char::from_u32).unwrap()
}

pub(super) fn letters(players: &[PlayerId]) -> String {
    players.iter().copied().map(letter).collect()
}

/// The rules of the first version of the program, the bare minimum: each decides alone, answers are given in
/// any order, gammons count, there are no automatic doubles or settlements, and nobody leaves their bets.
pub(super) fn plain() -> HouseRules {
    old::house_rules(serde_json::json!({})).unwrap()
}

/// The default rules, with these settings.
pub(super) fn rules(settings: serde_json::Value) -> HouseRules {
    let rules: HouseRules = serde_json::from_value(settings).unwrap();
    assert_eq!(rules.check(), Ok(()));
    rules
}

pub(super) fn now() -> Timestamp {
    chrono::DateTime::UNIX_EPOCH.into()
}

/// Dice written down in advance, where one too many fails the test; or endless ones from a seed.
#[derive(Default)]
pub(super) struct Script(pub(super) VecDeque<u32>, pub(super) Option<u64>);

impl Script {
    pub(super) fn endless(seed: u64) -> Self {
        Self(VecDeque::new(), Some(seed))
    }
}

impl Chance for Script {
    fn below(&mut self, sides: u32) -> u32 {
        if let Some(seed) = &mut self.1 {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            return u32::try_from((*seed >> 33) % u64::from(sides)).unwrap();
        }
        let number = self.0.pop_front().expect("a die too many was thrown");
        assert!(number < sides);
        number
    }
}

/// A night with its whole history.
#[derive(Default)]
pub(super) struct Night {
    pub(super) acts: Vec<Act<Event>>,
    pub(super) stream: Stream<Chouette>,
    pub(super) dice: Script,
}

impl Night {
    pub(super) fn opened(rules: HouseRules) -> Self {
        let mut night = Self::default();
        night.ok(&open("Table", rules));
        night
    }

    /// A table where these players came and nobody has rolled.
    pub(super) fn gathered(letters: &str) -> Self {
        let mut night = Self::opened(plain());
        night.all_join(letters);
        night
    }

    /// A table where these players sit in this order: box, captain, crew.
    pub(super) fn seated(letters: &str) -> Self {
        Self::seated_under(letters, plain())
    }

    pub(super) fn seated_under(letters: &str, rules: HouseRules) -> Self {
        let mut night = Self::opened(rules);
        night.all_join(letters);
        night.roll_as_they_came();
        assert_eq!(night.line(), letters);
        night
    }

    /// A game in progress between these players: box, captain, crew.
    pub(super) fn playing(letters: &str) -> Self {
        Self::playing_under(letters, plain())
    }

    pub(super) fn playing_under(letters: &str, rules: HouseRules) -> Self {
        let mut night = Self::seated_under(letters, rules);
        night.ok(&start());
        night
    }

    pub(super) fn all_join(&mut self, letters: &str) {
        for letter in letters.chars() {
            self.ok(&join(letter));
        }
    }

    /// Finds the order in which they came, whatever dice the rules use.
    pub(super) fn roll_as_they_came(&mut self) {
        let order_dice = self.state().rules().order.dice;
        loop {
            let to_roll = self.state().to_roll();
            if to_roll.is_empty() {
                break;
            }
            match order_dice {
                OrderDice::ByHand => _ = self.ok(&Command::SetOrder { line: to_roll }),
                OrderDice::Shuffle => {
                    // Swaps everybody with themselves.
                    self.dice.0 = (1..u32::try_from(to_roll.len()).unwrap()).rev().collect();
                    self.ok(&Command::DrawOrder {});
                }
                OrderDice::OneDie | OrderDice::TwoDice | OrderDice::FourDice => {
                    let first = [6_u8, 5, 4, 3, 2].into_iter().chain(std::iter::repeat(1));
                    let roll = |(player, first): (PlayerId, u8)| {
                        let mut dice = vec![1; order_dice.dice()];
                        dice[0] = first;
                        roll(player, &dice)
                    };
                    self.ok(&Command::EnterRolls {
                        rolls: to_roll.into_iter().zip(first).map(roll).collect(),
                    });
                }
            }
        }
    }

    pub(super) fn state(&self) -> &Chouette {
        &self.stream.state
    }

    /// Gives a command; unless it is refused, its events become part of the history.
    pub(super) fn give(&mut self, command: &Command) -> Result<Vec<Event>, Refusal> {
        let mut inputs = Inputs { now: now(), chance: &mut self.dice };
        let events = self.stream.state.decide(command, &mut inputs)?;
        self.append(ActKind::Events(events.clone()));
        Ok(events)
    }

    #[track_caller]
    pub(super) fn ok(&mut self, command: &Command) -> Vec<Event> {
        match self.give(command) {
            Ok(events) => events,
            Err(refusal) => panic!("{command:?} was refused: {refusal:?}"),
        }
    }

    #[track_caller]
    pub(super) fn refused(&mut self, command: &Command) -> &'static str {
        let before = self.stream.clone();
        let code = self.give(command).expect_err("it should have been refused").code().name();
        assert_eq!(self.stream, before, "a refusal changes nothing");
        code
    }

    pub(super) fn undo(&mut self) -> Result<(), CannotUndo> {
        let kind = self.stream.undo(None)?;
        self.append(kind);
        Ok(())
    }

    pub(super) fn redo(&mut self) -> Result<(), CannotUndo> {
        let kind = self.stream.redo(None)?;
        self.append(kind);
        Ok(())
    }

    pub(super) fn append(&mut self, kind: ActKind<Event>) {
        let act = Act {
            id: ActId(Uuid::from_u128(self.acts.len() as u128)),
            version: self.stream.version + kind.versions(),
            at: now(),
            by: AccountId(Uuid::nil()),
            kind,
        };
        let plain = matches!(act.kind, ActKind::Events(_));
        self.acts.push(act);
        if plain {
            self.stream.extend(&self.acts[self.acts.len() - 1]).unwrap();
        } else {
            self.stream = Stream::replay(&self.acts).unwrap();
        }
    }

    pub(super) fn line(&self) -> String {
        letters(self.state().line())
    }

    /// The scores as the table shows them, by letter: `A-5 B+2 C+4 D-1`.
    pub(super) fn scores(&self) -> String {
        self.everybodys(|state, player| state.score(player).to_string())
    }

    /// The scores as the books have them.
    pub(super) fn booked(&self) -> String {
        self.everybodys(|state, player| state.booked(player).to_string())
    }

    pub(super) fn everybodys(&self, score: impl Fn(&Chouette, PlayerId) -> String) -> String {
        let mut everybody: Vec<PlayerId> =
            self.state().standings().into_iter().map(|score| score.player).collect();
        everybody.sort();
        let told: Vec<String> = everybody
            .into_iter()
            .map(|player| format!("{}{}", letter(player), score(self.state(), player)))
            .collect();
        told.join(" ")
    }

    /// The scores and the line: `A+2 B-1 C-1, ACB`; then partners, and players waiting and resting.
    pub(super) fn stands(&self) -> String {
        let state = self.state();
        let mut told = format!("{}, {}", self.scores(), self.line());
        for (word, players) in
            [("with", state.partners()), ("waiting", state.waiting()), ("resting", state.resting())]
        {
            if !players.is_empty() {
                told += &format!(" {word} {}", letters(players));
            }
        }
        told
    }
}

pub(super) fn open(name: &str, rules: HouseRules) -> Command {
    let night = chrono::NaiveDate::default();
    Command::Open { name: name.into(), night, stake: None, rules, from: None }
}
pub(super) fn join(who: char) -> Command {
    Command::Join { player: player(who) }
}
pub(super) fn leave(who: char) -> Command {
    Command::Leave { player: player(who), proxy: None }
}
pub(super) fn start() -> Command {
    Command::StartGame { refereed: false, variant: None }
}
pub(super) fn roll(player: PlayerId, dice: &[u8]) -> Roll {
    Roll { player, dice: dice.iter().map(|&die| die.try_into().unwrap()).collect() }
}
/// The dice of `rolls("A3 B5")`, or of `rolls("A3+4 B5+1")`.
pub(super) fn rolls(text: &str) -> Command {
    let told = |told: &str| {
        let dice: Vec<u8> = told[1..].split('+').map(|die| die.parse().unwrap()).collect();
        roll(player(told.chars().next().unwrap()), &dice)
    };
    Command::EnterRolls { rolls: text.split_whitespace().map(told).collect() }
}
/// `*` stands for naming nobody, which means all.
pub(super) fn against(letters: &str) -> Option<Vec<PlayerId>> {
    (letters != "*").then(|| players(letters))
}
pub(super) fn double(who: char, whom: &str) -> Command {
    Command::Double { player: player(who), against: against(whom), rolled: false }
}
pub(super) fn take(who: char, whose: &str) -> Command {
    Command::Take { player: player(who), against: against(whose) }
}
pub(super) fn drop(who: char, whose: &str) -> Command {
    Command::Drop { player: player(who), against: against(whose) }
}
pub(super) fn finish(winner: Side, win: Win) -> Command {
    Command::Finish { winner, win }
}
