//! Random nights under random house rules, told twice: to the real table and to a naive one that was written
//! from the prose alone ([`super::naive`]). After every command the two must agree: on whether it is allowed,
//! and on all that it changed.
//!
//! `OWLBOX_MODEL_SECONDS` says how long the ordinary test walks (2), `OWLBOX_MODEL_NIGHTS` how many nights the
//! long one does (100,000), and `OWLBOX_MODEL_SEED` which one night is told again. A failure prints the seed
//! and the shortest list of commands that still fails, as lines of a night file.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use uuid::Uuid;

use super::naive::{Heard, Naive, Phase as NaivePhase, Running};
use super::{letter, now, open, players};
use crate::chouette::command::{BetCorrection, BetEnded, Settlement};
use crate::chouette::rules::*;
use crate::chouette::{Chouette, Command, Event, HouseRules, Phase, Roll, Side};
use crate::engine::{Animals, CubeValue, Owner, Win};
use crate::journal::{Act, Aggregate, Chance, Deed, Given, Stream};
use crate::values::{AccountId, ActId, ChouetteId, HalfPoints, PlayerId};

/// Everybody who may turn up.
const CLUB: &str = "ABCDEFGHIJKL";
/// The seed the fixed part of the test starts from.
const FIRST_SEED: u64 = 0x0b0c_5eed;

/// Chance with a seed (SplitMix64), for the night and for the table alike.
#[derive(Clone)]
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
    fn number(&mut self, below: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(below.max(1)).unwrap()).unwrap()
    }
    /// One time in so many.
    fn one_in(&mut self, many: usize) -> bool {
        self.number(many) == 0
    }
    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.number(from.len())].clone()
    }
    /// One of them, if there are any.
    fn one_of<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        (!from.is_empty()).then(|| self.pick(from))
    }
    fn some_of<T: Clone>(&mut self, from: &[T]) -> Vec<T> {
        from.iter().filter(|_| self.one_in(2)).cloned().collect()
    }
    fn shuffled<T: Clone>(&mut self, from: &[T]) -> Vec<T> {
        let mut all = from.to_vec();
        for last in (1..all.len()).rev() {
            all.swap(last, self.number(last + 1));
        }
        all
    }
}
impl Chance for Dice {
    fn below(&mut self, sides: u32) -> u32 {
        u32::try_from(self.next() % u64::from(sides)).unwrap()
    }
}

/// One line of a night.
#[derive(Clone, Debug)]
enum Step {
    Give(Command),
    Undo,
}

impl Step {
    fn line(&self) -> String {
        match self {
            Self::Give(command) => serde_json::to_string(command).unwrap(),
            Self::Undo => r#"{"command":"undo"}"#.into(),
        }
    }
}

/// How the two tellings differ: of what, and what each says.
#[derive(Clone, Debug)]
struct Disagreement {
    about: String,
    says: String,
}

/// A night told to both.
struct Twice {
    acts: Vec<Act<Event>>,
    real: Stream<Chouette>,
    naive: Naive,
    /// What the naive one was told and counts, to tell it again after an undo.
    told: Vec<(Command, Heard)>,
    rules: HouseRules,
    dice: Dice,
    kinds: BTreeSet<&'static str>,
}

impl Twice {
    fn opened(rules: &HouseRules) -> Self {
        let mut night = Self {
            acts: Vec::new(),
            real: Stream::default(),
            naive: Naive::new(rules.clone()),
            told: Vec::new(),
            rules: rules.clone(),
            dice: Dice(7),
            kinds: BTreeSet::new(),
        };
        let events = night.decide(&open("Table", rules.clone())).unwrap_or_else(|code| panic!("{code}"));
        night.append(Deed::Events(events));
        night
    }

    fn decide(&mut self, command: &Command) -> Result<Vec<Event>, String> {
        let mut given = Given { now: now(), chance: &mut self.dice };
        self.real.state.decide(command, &mut given).map_err(|refusal| refusal.code().to_owned())
    }

    fn append(&mut self, deed: Deed<Event>) {
        let act = Act {
            id: ActId(Uuid::from_u128(self.acts.len() as u128)),
            version: self.real.version + deed.versions(),
            at: now(),
            by: AccountId(Uuid::nil()),
            deed,
        };
        let plain = matches!(act.deed, Deed::Events(_));
        self.acts.push(act);
        if plain {
            self.real.extend(&self.acts[self.acts.len() - 1]).unwrap();
        } else {
            self.real = Stream::replay(&self.acts).unwrap();
        }
    }

    fn step(&mut self, step: &Step) -> Result<(), Disagreement> {
        match step {
            Step::Give(command) => self.give(command)?,
            Step::Undo => self.undo(),
        }
        self.compare(step)
    }

    /// Takes back the last act, if there is one, and tells the naive one the night without it.
    fn undo(&mut self) {
        let Ok(deed) = self.real.undo(None) else { return };
        self.append(deed);
        self.told.pop();
        let mut again = Naive::new(self.rules.clone());
        for (command, heard) in &self.told {
            again.hear(command, heard).unwrap();
        }
        self.naive = again;
    }

    fn give(&mut self, command: &Command) -> Result<(), Disagreement> {
        let decided = self.decide(command);
        let why_not = self.naive.why_not(command);
        let events = match (decided, why_not) {
            (Ok(events), None) => events,
            (Err(_), Some(_)) => return Ok(()),
            (decided, why_not) => {
                let real = decided.map_or_else(|code| code, |_| "allowed".into());
                let naive = why_not.unwrap_or("allowed");
                return Err(Disagreement {
                    about: format!("{}: {real}/{naive}", name_of(command)),
                    says: format!("{}: the table says {real}, the prose {naive}", told(command)),
                });
            }
        };
        self.kinds.extend(events.iter().map(Event::kind));
        let lot = events.iter().find_map(|event| match event {
            Event::PartnershipMade { player, drawn: true, .. } => Some(*player),
            _ => None,
        });
        self.append(Deed::Events(events));
        let heard = Heard {
            line: matches!(command, Command::DrawOrder {}).then(|| self.real.state.line().to_vec()),
            lot,
        };
        self.naive.hear(command, &heard).map_err(|why| Disagreement {
            about: format!("{}: hearing it, {why}", name_of(command)),
            says: format!("{}: the prose says {why}", told(command)),
        })?;
        self.told.push((command.clone(), heard));
        Ok(())
    }

    /// Everything both can tell.
    fn compare(&self, step: &Step) -> Result<(), Disagreement> {
        let (real, naive) = (&self.real.state, &self.naive);
        let scores = |of: &dyn Fn(PlayerId) -> i64| -> BTreeMap<char, i64> {
            naive.booked().keys().map(|player| (letter(*player), of(*player))).collect()
        };
        let by_letter = |all: BTreeMap<PlayerId, i64>| -> BTreeMap<char, i64> {
            all.into_iter().map(|(player, points)| (letter(player), points)).collect()
        };
        let seats = |all: &[PlayerId]| all.iter().copied().map(letter).collect::<String>();
        let sorted = |all: &[PlayerId]| {
            let mut all = all.to_vec();
            all.sort();
            seats(&all)
        };
        let one = |who: Option<PlayerId>| who.map_or(String::new(), |who| letter(who).to_string());
        let mut pairs: Vec<(&str, String, String)> = vec![
            ("phase", format!("{:?}", phase_of(real)), format!("{:?}", naive.phase())),
            ("scores", format!("{:?}", scores(&|who| real.score(who).0)), format!("{:?}", by_letter(naive.scores()))),
            ("booked", format!("{:?}", scores(&|who| real.booked(who).0)), format!("{:?}", by_letter(naive.booked()))),
            ("bets", format!("{:?}", running(real)), format!("{:?}", naive.bets())),
        ];
        if matches!(naive.phase(), NaivePhase::Between | NaivePhase::Playing) {
            pairs.extend([
                ("line", seats(&real.line()), seats(&naive.line())),
                ("waiting", seats(&real.waiting()), seats(&naive.waiting())),
                ("resting", sorted(&real.resting()), sorted(&naive.resting())),
                ("partners", seats(&real.partners()), seats(&naive.partners())),
                ("box", one(real.box_player()), one(naive.box_player())),
                ("captain", one(real.captain()), one(naive.captain())),
                ("acting captain", one(real.acting_captain()), one(naive.acting_captain())),
            ]);
        }
        for (about, real, naive) in pairs {
            if real != naive {
                let after = match step {
                    Step::Give(command) => name_of(command),
                    Step::Undo => "undo".into(),
                };
                return Err(Disagreement {
                    about: format!("{about} after {after}"),
                    says: format!("{about} after {}:\n  table {real}\n  prose {naive}", step.line()),
                });
            }
        }
        Ok(())
    }
}

fn name_of(command: &Command) -> String {
    serde_json::to_value(command).unwrap()["command"].as_str().unwrap().to_owned()
}

/// The command with players as letters.
fn told(command: &Command) -> String {
    in_letters(serde_json::to_string(command).unwrap())
}

fn in_letters(mut text: String) -> String {
    for player in players(CLUB) {
        text = text.replace(&player.0.to_string(), &letter(player).to_string());
    }
    text
}
