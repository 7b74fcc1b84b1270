//! Every legal record survives a round trip through every format, and no text makes a reader panic.

use proptest::prelude::*;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::FILES;
use crate::colour::Colour;
use crate::cube::CubeValue;
use crate::dice::{Die, Roll};
use crate::movement::Movement;
use crate::notation::PointNames;
use crate::notation::play::{self, Moved};
use crate::plays::LegalPlays;
use crate::position::Position;
use crate::record::format::Format;
use crate::record::progress::{Progress, is_crawford};
use crate::record::replay::{GameReplay, Replay};
use crate::record::{
    Action, Entry, GameRecord, Occasion, Record, Rules, Unwritable, index, mat, replay, sgf, steps,
};
use crate::result::{Outcome, Win};
use crate::variant::Variant;

/// Builds legal records at random.
struct Maker {
    chance: ChaCha8Rng,
    record: Record,
}

impl Maker {
    fn record(seed: u64, variant: Variant, length: u16, rules: Rules, players: [String; 2]) -> Record {
        let record =
            Record { players, length, variant, rules, occasion: Occasion::default(), games: Vec::new() };
        let mut maker = Self { chance: ChaCha8Rng::seed_from_u64(seed), record };
        let mut score = [0, 0];
        for _ in 0..3 {
            let crawford = is_crawford(&maker.record, &maker.record.games, score).unwrap_or(true);
            let game = maker.game(GameRecord { score, crawford, ..GameRecord::new(variant) });
            let outcome = replay(&maker.record).unwrap().score();
            if !game || outcome.iter().any(|points| length > 0 && *points >= u32::from(length)) {
                break;
            }
            score = outcome;
        }
        maker.record
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn below(&mut self, limit: usize) -> usize {
        rand::RngExt::random_range(&mut self.chance, 0..limit)
    }

    /// Adds a game. Returns false if it was not finished.
    fn game(&mut self, mut game: GameRecord) -> bool {
        let mut progress = Progress::new(&self.record, &game);
        let mut first = if self.one_in(2) { Colour::White } else { Colour::Black };
        while progress.outcome().is_none() && game.actions.len() < 400 {
            let now = progress.now();
            let by = if progress.begun() { progress.actor() } else { first };
            if progress.begun() && now.offer.is_none() && now.position.is_closed_out() && self.one_in(2) {
                // A side that is closed out need not roll.
                first = by.other();
                game.actions.push(self.play(&progress, first));
            } else {
                game.actions.push(self.entry(&progress, by, &game));
            }
            let last = *game.actions.last().unwrap();
            progress.apply(last).unwrap();
            if matches!(last.action, Action::Roll(_)) {
                if self.one_in(2) {
                    game.actions.push(Entry { by, action: Action::Resign(Win::Single) });
                }
                break;
            }
        }
        self.record.games.push(game);
        replay(&self.record).unwrap().games().last().unwrap().1.outcome.is_some()
    }

    fn entry(&mut self, progress: &Progress, by: Colour, game: &GameRecord) -> Entry {
        let now = progress.now();
        let may_double = self.record.variant.has_cube()
            && now.cube.may_double(by)
            && now.cube.value < CubeValue::MAX
            && !game.crawford;
        let action = match now.offer {
            Some(_) if self.record.length == 0 && self.one_in(3) => Action::Double,
            Some(_) if self.one_in(3) => Action::Drop,
            Some(_) => Action::Take,
            None if progress.begun() && may_double && self.one_in(12) => Action::Double,
            None if progress.begun() && self.one_in(90) => {
                Action::Resign(self.resigned(now.cube.is_turned()))
            }
            None => return self.play(progress, by),
        };
        Entry { by, action }
    }

    /// A resignation that no format loses. With Jacoby, an undoubled gammon is the same as a single win, and
    /// match text has only the points.
    fn resigned(&mut self, turned: bool) -> Win {
        let jacoby = self.record.rules.jacoby && !turned;
        let wins = self.record.variant.wins();
        if jacoby { Win::Single } else { wins[self.below(wins.len())] }
    }

    fn play(&mut self, progress: &Progress, by: Colour) -> Entry {
        let mut die = || Die::ALL[self.below(6)];
        let mut roll = Roll::new(die(), die());
        while roll.is_double() && !progress.begun() {
            roll = Roll::new(die(), die());
        }
        let position = progress.seen_by(by).unwrap().position;
        let mut plays = LegalPlays::new(position, roll).results();
        if plays.len() > 1 && self.one_in(150) {
            return Entry { by, action: Action::Roll(roll) };
        }
        let play = plays.swap_remove(self.below(plays.len()));
        // Files do not say which die bore a checker off.
        let moved = |step: crate::Step| Moved { from: step.from(), to: step.to(), hit: false };
        let moves: Vec<_> = play.steps.iter().map(moved).collect();
        let play = steps::as_written(position, roll, &moves).unwrap_or(play);
        Entry { by, action: Action::Play { roll, steps: play.steps } }
    }
}

/// A change that may break a text.
#[derive(Clone, Debug)]
struct Change {
    at: prop::sample::Index,
    remove: usize,
    insert: Vec<u8>,
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let insert = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..4),
        prop::sample::select(vec![
            "66:",
            ")",
            "(",
            ";",
            "]",
            "[",
            "\n",
            " Wins 2 points",
            "Takes",
            "24/18*",
            " : 9"
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ];
    let change = (any::<prop::sample::Index>(), 0_usize..6, insert).prop_map(|(at, remove, insert)| Change {
        at,
        remove,
        insert,
    });
    prop::collection::vec(change, 1..6)
}

fn changed(text: &str, changes: &[Change]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for Change { at, remove, insert } in changes {
        let at = at.index(bytes.len() + 1);
        let end = (at + remove).min(bytes.len());
        bytes.splice(at..end, insert.iter().copied());
    }
    bytes
}

/// Reads the bytes in every format; whatever can be read must be writable.
fn read_by_all(bytes: &[u8]) {
    for format in [Format::Mat, Format::Sgf, Format::Json] {
        if let Ok(record) = format.read(bytes) {
            let replayed = replay(&record).unwrap();
            for other in [Format::Mat, Format::Sgf, Format::Json] {
                let Ok(text) = other.write(&replayed) else { continue };
                let again = other.read(text.as_bytes()).unwrap_or_else(|error| panic!("{error} in\n{text}"));
                let again = replay(&again).unwrap();
                assert_eq!(again.score(), replayed.score(), "{text}");
                assert_eq!(other.write(&again).unwrap(), text);
            }
        }
    }
}

/// A record as match text with its plays in our own notation, as `owlbox plays` and the pages print them.
fn in_our_notation(replayed: &Replay<'_>) -> String {
    let record = replayed.record();
    let mut text = mat::write(replayed).unwrap().split(" Game 1\n").next().unwrap().to_owned();
    for (number, (game, replayed)) in (1..).zip(replayed.games()) {
        let [left, right] = &record.players;
        text += &format!(" Game {number}\n {left} : {}      {right} : {}\n", game.score[0], game.score[1]);
        let indent = |by: Colour| if by == Colour::White { "" } else { "                             " };
        for (entry, before) in game.actions.iter().zip(&replayed.before) {
            let dice = |roll: Roll| format!("{}{}:", roll.high(), roll.low());
            let cell = match entry.action {
                Action::Play { roll, steps } => match play::write(before.position, steps) {
                    none if none.is_empty() => format!("{} Cannot Move", dice(roll)),
                    play => format!("{} {play}", dice(roll)),
                },
                Action::Roll(roll) => format!("{} ????", dice(roll)),
                Action::Double => " Doubles".to_owned(),
                Action::Take => " Takes".to_owned(),
                Action::Drop => " Drops".to_owned(),
                Action::Resign(_) => " Resigns".to_owned(),
            };
            text += &format!("  1) {}{cell}\n", indent(entry.by));
        }
        if let Some(outcome) = replayed.outcome {
            text += &format!("     {}Wins {} points\n", indent(outcome.winner), outcome.points);
        }
    }
    text
}

/// Every position of a record, and how each game ended.
fn course(record: &Record) -> Vec<(Vec<Position>, Option<Outcome>)> {
    let replayed = replay(record).unwrap();
    let game = |(_, game): (&GameRecord, &GameReplay)| {
        let positions = game.before.iter().chain([&game.last]).map(|situation| situation.position);
        (positions.collect(), game.outcome)
    };
    replayed.games().map(game).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn c02_v1_to_v4_what_we_print_is_read_back_in_every_variant_and_notation(
        seed: u64,
        variant in prop::sample::select(Variant::ALL.to_vec()),
        length in 0_u16..6,
    ) {
        let rules = Rules { crawford: length > 0, jacoby: false };
        let record = Maker::record(seed, variant, length, rules, ["Ann".to_owned(), "Bob".to_owned()]);
        let replayed = replay(&record).unwrap();
        let text = in_our_notation(&replayed);
        match mat::read(text.as_bytes()) {
            Ok(again) => prop_assert_eq!(course(&again), course(&record), "{}", text),
            Err(error) => prop_assert!(false, "{}\n{}", error, text),
        }
        for (game, replayed) in replayed.games() {
            for (entry, before) in game.actions.iter().zip(&replayed.before) {
                let Action::Play { roll, steps } = entry.action else { continue };
                let (position, written) = (before.position, play::write(before.position, steps));
                let result = LegalPlays::new(position, roll).check(steps).unwrap().result;
                let named = PointNames::ALL.into_iter().filter(|_| position.movement() != Movement::Fevga);
                for names in named {
                    let named = names.play(entry.by, &written);
                    let moves = names.read(entry.by, &named);
                    let found = moves.and_then(|moves| steps::as_written(position, roll, &moves).ok());
                    prop_assert_eq!(found.map(|play| play.result), Some(result), "{:?} {} {}", names, roll, named);
                    prop_assert!(LegalPlays::new(position, roll).check(found.unwrap().steps).is_ok(), "{}", named);
                }
            }
        }
    }

    #[test]
    fn v1_to_v4_random_records_survive_every_format(
        seed: u64,
        variant in prop::sample::select(Variant::ALL.to_vec()),
        length in 0_u16..6,
        crawford: bool,
        jacoby: bool,
        names in ["[A-Za-zäß:][A-Za-zäß :'\\]\\\\]{0,38}[a-z]", "[A-Za-z]{1,40}"],
    ) {
        let rules = Rules { crawford: crawford && length > 0, jacoby: jacoby && length == 0 };
        let record = Maker::record(seed, variant, length, rules, names);
        let replayed = replay(&record).unwrap();
        let text = mat::write(&replayed).unwrap();
        match mat::read(text.as_bytes()) {
            Ok(again) => prop_assert_eq!(&again, &record, "{}", text),
            Err(error) => prop_assert!(false, "{}\n{}", error, text),
        }
        match sgf::write(&replayed) {
            Ok(text) => prop_assert_eq!(&sgf::read(text.as_bytes()).unwrap(), &record),
            Err(refused) => {
                prop_assert_eq!(refused, Unwritable::Variant);
                prop_assert!(matches!(variant, Variant::Plakoto | Variant::Fevga));
            }
        }
        #[cfg(feature = "serde")]
        prop_assert_eq!(&super::json::written_and_read(&record), &record);
        let total: u32 = record.games.last().map_or(0, |game| game.score[index(Colour::White)]);
        prop_assert!(total <= replayed.score()[0]);
    }

    #[test]
    fn names_in_match_text_are_read_as_written_or_refused(
        names in [
            "[A-Za-zß0-9 :,()\t]{0,34}",
            "[a-z]{0,26}[ :;]{0,3}[0-9]{0,2} ?",
            "[a-z]{0,9}[ :]{0,3}[0-9]{0,2}[ :]{0,3}|(Ann|[0-9])(,1500| \\(JPN\\)){0,3}",
        ],
        turned: bool,
        white in 0_u32..12,
    ) {
        let [one, other, third] = names;
        let players = if turned { [other, third] } else { [third, one] };
        let games = vec![GameRecord { score: [white, 7], ..GameRecord::default() }];
        let record = Record { players, games, ..Record::default() };
        match mat::write(&replay(&record).unwrap()) {
            Ok(text) => {
                let again = mat::read(text.as_bytes()).unwrap();
                prop_assert_eq!(&again.players, &record.players.each_ref().map(|name| mat::plain_name(name)));
                prop_assert_eq!(&again.games, &record.games);
                prop_assert_eq!(mat::write(&replay(&again).unwrap()), Ok(text));
            }
            Err(error) => prop_assert_eq!(error, Unwritable::Names),
        }
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read_by_all(&bytes);
    }

    #[test]
    fn broken_samples_never_panic(file in 0_usize..3, format in 0_usize..3, changes in changes()) {
        read_by_all(&changed(FILES[file][format], &changes));
    }
}
