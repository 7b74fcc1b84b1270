//! Nights played at tables, by commands or at random: what the books and the statistics make of them. Whether a table
//! carries out its rules is tested beside them.

mod counted_twice;
mod posted;

use std::collections::BTreeSet;

use uuid::Uuid;

use owlbox_base::journal::{Act, ActKind, Aggregate, Chance, Inputs, Stream, kind_of};
use owlbox_base::values::{AccountId, ActId, HalfPoints, PlayerId, Stake, Timestamp};
use owlbox_chouette::rules::catalogue::{self, Kind};
use owlbox_chouette::{
    BetCorrection, BetEnded, BetKind, Chouette, Command, Event, HouseRules, Legal, Refusal, Settlement, Side,
};
use owlbox_engine::Win;

/// Everybody who may turn up.
const CLUB: &str = "ABCDEFGH";

/// The player that a letter stands for.
fn player(letter: char) -> PlayerId {
    PlayerId(Uuid::from_u128(u128::from(u32::from(letter))))
}

fn players(letters: &str) -> Vec<PlayerId> {
    letters.chars().map(player).collect()
}

fn now() -> Timestamp {
    chrono::DateTime::UNIX_EPOCH.into()
}

/// A night with its whole history.
struct Night {
    acts: Vec<Act<Event>>,
    stream: Stream<Chouette>,
    dice: Numbers,
}

impl Night {
    /// A table where these players came.
    fn gathered(letters: &str, stake: Option<Stake>, rules: HouseRules) -> Self {
        let mut night = Self { acts: Vec::new(), stream: Stream::default(), dice: Numbers(0) };
        let date = chrono::NaiveDate::default();
        night.ok(&Command::Open { name: "Table".into(), night: date, stake, rules, from: None });
        for player in players(letters) {
            night.ok(&Command::Join { player });
        }
        night
    }

    /// A table under the default rules where these players sit in this order: box, captain, crew.
    fn seated(letters: &str, stake: Option<Stake>) -> Self {
        let rules = serde_json::from_value(serde_json::json!({"order": {"dice": "by_hand"}})).unwrap();
        let mut night = Self::gathered(letters, stake, rules);
        night.ok(&Command::SetOrder { line: players(letters) });
        night
    }

    fn state(&self) -> &Chouette {
        &self.stream.state
    }

    /// Gives a command; unless it is refused, its events become part of the history.
    fn give(&mut self, command: &Command) -> Result<Vec<Event>, Refusal> {
        let mut inputs = Inputs { now: now(), chance: &mut self.dice };
        let events = self.stream.state.decide(command, &mut inputs)?;
        self.append(ActKind::Events(events.clone()));
        Ok(events)
    }

    #[track_caller]
    fn ok(&mut self, command: &Command) -> Vec<Event> {
        self.give(command).unwrap_or_else(|refusal| panic!("{command:?} was refused: {refusal:?}"))
    }

    /// Takes the last act back, if there is one.
    fn undo(&mut self) {
        if let Ok(kind) = self.stream.undo(None) {
            self.append(kind);
        }
    }

    /// Puts the act back that was taken back last, if there is one.
    fn redo(&mut self) {
        if let Ok(kind) = self.stream.redo(None) {
            self.append(kind);
        }
    }

    fn append(&mut self, kind: ActKind<Event>) {
        let id = ActId(Uuid::from_u128(self.acts.len() as u128));
        let version = self.stream.version + kind.versions();
        let act = Act { id, version, at: now(), by: AccountId(Uuid::nil()), kind };
        if matches!(act.kind, ActKind::Events(_)) {
            self.stream.extend(&act).unwrap();
            self.acts.push(act);
        } else {
            self.acts.push(act);
            self.stream = Stream::replay(&self.acts).unwrap();
        }
    }
}

/// The random numbers that decide one step; shrinking them makes the night simpler.
type Step = [u8; 4];

/// Numbers that follow from the first. They are dice as well.
struct Numbers(u64);

impl Numbers {
    fn byte(&mut self) -> u8 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0.to_be_bytes()[0]
    }
}

impl Chance for Numbers {
    fn below(&mut self, sides: u32) -> u32 {
        let four = std::array::from_fn(|_| self.byte());
        u32::from_be_bytes(four) % sides
    }
}

fn pick<T: Clone>(from: &[T], number: u8) -> Option<T> {
    from.get(usize::from(number) % from.len().max(1)).cloned()
}

/// House rules without contradictions, chosen by a number for each setting: where two settings exclude each other, the second
/// gets its default.
fn house_rules(numbers: &[u8]) -> HouseRules {
    let place = |key: &str| format!("/{}", key.replace('.', "/"));
    let mut rules = serde_json::to_value(HouseRules::default()).unwrap();
    for (setting, number) in catalogue::settings().iter().zip(numbers) {
        let value = match &setting.kind {
            // Half of them keep their default.
            _ if number % 2 == 0 => continue,
            Kind::Choice { options } => pick(options, number / 2).unwrap().option.into(),
            Kind::Switch => (number % 4 == 1).into(),
            Kind::Number { .. } | Kind::Text { .. } => continue,
        };
        *rules.pointer_mut(&place(setting.key)).unwrap() = value;
    }
    let mut turn = 0;
    loop {
        let read: HouseRules = serde_json::from_value(rules.clone()).unwrap();
        let Err(contradiction) = read.check() else { return read };
        let key = [contradiction.other, contradiction.one][turn % 2];
        let default = &catalogue::setting(key).unwrap().default;
        *rules.pointer_mut(&place(key)).unwrap() = serde_json::to_value(default).unwrap();
        turn += 1;
    }
}

/// A legal command that is given often enough. Unlikely ones come only now and then, so that nights have games in them.
fn is_likely(legal: &Legal, seldom: u8) -> bool {
    match legal {
        Legal::Close {} | Legal::MergePlayers {} => seldom < 6,
        Legal::Leave { .. }
        | Legal::Break { .. }
        | Legal::NameProxy { .. }
        | Legal::SetStake { .. }
        | Legal::SetStart { .. }
        | Legal::Correct { .. } => seldom.is_multiple_of(5),
        Legal::Join {} | Legal::Settle { .. } | Legal::DeclineBox { .. } => seldom.is_multiple_of(3),
        _ => true,
    }
}

impl Night {
    /// Gives one legal command and returns its events; none where there is none, or where the rules refuse it in particular.
    fn step(&mut self, [what, which, how, seldom]: Step) -> Vec<Event> {
        let likely = self.state().legal().into_iter().filter(|legal| is_likely(legal, seldom));
        let Some(legal) = pick(&likely.collect::<Vec<_>>(), what) else { return Vec::new() };
        let offers = self.state().offers([&legal]);
        let offered = pick(&offers, which).map(|offer| offer.command);
        let Some(command) = offered.or_else(|| self.filled_in(&legal, which, how)) else { return Vec::new() };
        self.dice = Numbers(u64::from(u32::from_be_bytes([what, which, how, seldom])));
        self.give(&command).unwrap_or_default()
    }

    /// A command that takes more than a choice from a list.
    fn filled_in(&self, legal: &Legal, which: u8, how: u8) -> Option<Command> {
        let state = self.state();
        let side = if how.is_multiple_of(2) { Side::Box } else { Side::Team };
        Some(match legal {
            Legal::Join {} => Command::Join { player: pick(&players(CLUB), which)? },
            Legal::SetStake { player } => {
                Command::SetStake { player: pick(player, which)?, units: (how % 4 + 1).into() }
            }
            Legal::MergePlayers {} => {
                let known: Vec<PlayerId> = state.known().collect();
                Command::MergePlayers { duplicate: pick(&known, which)?, player: pick(&known, how)? }
            }
            Legal::SetOrder { line } => Command::SetOrder { line: line.clone() },
            Legal::Settle { pairs } => {
                let pair = pick(pairs, which)?;
                let points = HalfPoints((i64::from(how) % (pair.most.0 + 1)) / 2 * 2);
                let bets = vec![Settlement { payer: pair.box_side, payee: pair.team, points }];
                Command::Settle { bets, counts_for: pair.counts_for.then_some(side) }
            }
            Legal::Correct { from, to } => {
                let game = state.finished_game(pick(&(*from..=*to).collect::<Vec<_>>(), which)?)?;
                let members = game.bets().iter().filter(|bet| bet.kind == BetKind::Member);
                let bet = pick(&members.map(|bet| bet.id).collect::<Vec<_>>(), how)?;
                let ended = Some(BetEnded::Drop { winner: side }).filter(|_| which.is_multiple_of(3));
                let bets = vec![BetCorrection { bet, cube: None, turned: None, ended }];
                let win = pick(&Win::ALL, which);
                Command::Correct { game: game.number, winner: Some(side), win, bets }
            }
            _ => return None,
        })
    }
}

#[test]
fn the_random_nights_have_in_them_what_is_posted_and_counted() {
    let wanted =
        ["game_finished", "game_corrected", "players_merged", "settled", "partnership_made", "extras_given"];
    let mut missing = BTreeSet::from(wanted);
    let mut numbers = Numbers(1);
    for _ in 0..400 {
        let rules: Vec<u8> = (0..64).map(|_| numbers.byte()).collect();
        let mut night = Night::gathered("ABCDE", None, house_rules(&rules));
        for _ in 0..150 {
            let events = night.step(std::array::from_fn(|_| numbers.byte()));
            events.iter().for_each(|event| _ = missing.remove(kind_of::<Chouette>(event)));
        }
        if missing.is_empty() {
            return;
        }
    }
    panic!("{missing:?} never happened");
}
