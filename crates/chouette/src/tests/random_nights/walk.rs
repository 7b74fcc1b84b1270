//! A walk along the legal commands, and random house rules. The tests of the books take it as well.

use serde_json::{Value, json};

use super::night::{Night, join, open, player, players, roll};
use owlbox_base::values::{ChouetteId, HalfPoints, PlayerId};
use owlbox_chouette::bet::{BetKind, Side};
use owlbox_chouette::command::{BetCorrection, BetEnded};
use owlbox_chouette::rules::HouseRules;
use owlbox_chouette::rules::catalogue::{self, Kind};
use owlbox_chouette::{Chouette, Command, Event, Legal, Settlement};
use owlbox_engine::Win;
use owlbox_engine::game::{Action, ActionKind};

/// Everybody who may turn up.
pub(super) const CLUB: &str = "ABCDEFGH";

/// The random numbers that decide one step; shrinking them makes the night simpler.
pub(super) type Step = [u8; 4];

/// A generator of numbers that follow from the first.
pub(super) struct Seed(pub(super) u32);

impl Seed {
    pub(super) fn byte(&mut self) -> u8 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.0.to_be_bytes()[0]
    }
}

fn pick<T: Clone>(from: &[T], number: u8) -> T {
    from[usize::from(number) % from.len()].clone()
}

/// A value of a setting, chosen by a number.
fn value(kind: &Kind, key: &str, number: u8) -> Value {
    match kind {
        Kind::Choice { options } => json!(pick(options, number).option),
        Kind::Number { .. } if key == "cube_cap" => {
            pick(&[json!(null), json!(2), json!(4), json!(64)], number)
        }
        Kind::Number { .. } if key == "automatics.at_most" => {
            pick(&[json!(1), json!(0), json!(2), json!(3), json!(null)], number)
        }
        Kind::Number { nullable: true, .. } => pick(&[json!(null), json!(5), json!(6), json!(7)], number),
        Kind::Number { .. } => json!(number % 6 + 3),
        Kind::Switch => json!(number % 2 == 1),
        Kind::Text { .. } => json!(pick(&["half", "1/3", "1/2", "2/5"], number)),
    }
}

fn set(rules: &mut Value, key: &str, value: Value) {
    *rules.pointer_mut(&format!("/{}", key.replace('.', "/"))).unwrap() = value;
}

/// House rules without contradictions: where two settings exclude each other, one of them gets its default.
pub(super) fn house_rules(numbers: &[u8]) -> HouseRules {
    let mut rules = serde_json::to_value(HouseRules::default()).unwrap();
    for (setting, number) in catalogue::settings().iter().zip(numbers) {
        // Half of them keep their default.
        if number % 2 == 1 {
            set(&mut rules, setting.key, value(&setting.kind, setting.key, number / 2));
        }
    }
    let mut turn = 0;
    loop {
        let read: HouseRules = serde_json::from_value(rules.clone()).unwrap();
        let Err(contradiction) = read.check() else { return read };
        let key = [contradiction.one, contradiction.other][turn % 2];
        set(&mut rules, key, json!(catalogue::setting(key).unwrap().default));
        turn += 1;
    }
}

/// A non-empty choice from `from`, or `None` for naming nobody.
fn choice(from: &[PlayerId], whole: bool, number: u8) -> Option<Vec<PlayerId>> {
    let chosen: Vec<PlayerId> = from
        .iter()
        .enumerate()
        .filter(|(place, _)| number >> (place % 7) & 1 == 1)
        .map(|(_, player)| *player)
        .collect();
    (!whole && !chosen.is_empty()).then_some(chosen)
}

/// The codes with which a command that is listed in general may still be refused for its particular values.
pub(super) const IN_PARTICULAR: [&str; 5] =
    ["nothing_changes", "cannot_merge", "restraint", "win_needed", "cube_at_limit"];

/// A night in progress, with the commands so far.
pub(super) struct Walk {
    pub(super) night: Night,
    commands: Vec<Command>,
}

impl Walk {
    pub(super) fn begin(rules: HouseRules, letters: &str) -> Self {
        let mut night = Night::opened(rules);
        for letter in letters.chars() {
            night.ok(&join(letter));
        }
        Self { night, commands: Vec::new() }
    }

    /// Runs `check`; if it fails, prints the commands so far.
    pub(super) fn printed_if_it_fails(&self, check: impl FnOnce(&Night)) {
        let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&self.night)));
        if let Err(failure) = checked {
            println!("{}", self.script());
            std::panic::resume_unwind(failure);
        }
    }

    /// The rules that differ from the default, and the commands so far.
    fn script(&self) -> String {
        let rules = self.night.state().rules();
        let other = catalogue::differences(&HouseRules::default(), rules);
        let other =
            other.iter().map(|setting| format!("{}={}", setting.key, catalogue::value(rules, setting.key)));
        let commands = self.commands.iter().map(|command| in_letters(&format!("{command:?}")));
        let told: Vec<String> = other.chain(commands).collect();
        format!("{}\n{}", told.join("\n"), self.night.stands())
    }

    /// Takes one legal command: unlikely ones only now and then, so that nights have games in them.
    pub(super) fn step(&mut self, step: Step) -> Vec<Event> {
        let likely = |legal: &Legal| match legal {
            Legal::Close {} | Legal::MergeInto {} => step[3] < 3,
            Legal::Leave { .. }
            | Legal::Break { .. }
            | Legal::ChangeRules {}
            | Legal::Split { .. }
            | Legal::MergePlayers {}
            | Legal::NameProxy { .. }
            | Legal::SetStake { .. }
            | Legal::SetStart { .. }
            | Legal::Pay {}
            | Legal::Correct { .. } => step[3].is_multiple_of(5),
            Legal::Join {} | Legal::Settle { .. } | Legal::DeclineBox { .. } => step[3].is_multiple_of(3),
            _ => true,
        };
        let legal: Vec<Legal> = self.night.state().legal().into_iter().filter(likely).collect();
        if legal.is_empty() {
            return Vec::new();
        }
        let Some(command) = command(&pick(&legal, step[0]), self.night.state(), step) else {
            return Vec::new();
        };
        self.night.dice.1 = Some(u64::from(u32::from_be_bytes(step)));
        match self.night.give(&command) {
            Ok(events) => {
                self.commands.push(command);
                events
            }
            Err(refusal) if IN_PARTICULAR.contains(&refusal.code().name()) => Vec::new(),
            Err(refusal) => {
                panic!("{command:?} was offered and refused: {refusal:?}\n{:?}", self.night.state())
            }
        }
    }
}

/// The text with letters for ids.
pub(super) fn in_letters(text: &str) -> String {
    let mut text = text.to_owned();
    for letter in CLUB.chars() {
        text = text.replace(&format!("{:?}", player(letter)), &letter.to_string());
    }
    text
}

/// Whether a double may say that the dice were rolled: nothing waits for an answer, and no board shows the
/// dice.
pub(super) fn may_roll(state: &Chouette) -> bool {
    state.game().is_some_and(|game| game.board.is_none() && game.offering().is_none())
}

/// The command that `step` makes of a legal one; `None` if there is none, as when nobody is left to join.
fn command(legal: &Legal, state: &Chouette, step: Step) -> Option<Command> {
    let [_, x, y, z] = step;
    Some(match legal {
        Legal::Open {} => open("Table", HouseRules::default()),
        Legal::Join {} => {
            let present = state.present();
            let outside: Vec<PlayerId> =
                players(CLUB).into_iter().filter(|player| !present.contains(player)).collect();
            (!outside.is_empty()).then(|| Command::Join { player: pick(&outside, x) })?
        }
        Legal::Leave { player, proxy } => {
            Command::Leave { player: pick(player, x), proxy: (!proxy.is_empty()).then(|| pick(proxy, y)) }
        }
        Legal::Break { player, proxy } => {
            Command::Break { player: pick(player, x), proxy: (!proxy.is_empty()).then(|| pick(proxy, y)) }
        }
        Legal::Return { player } => Command::Return { player: pick(player, x) },
        Legal::NameProxy { player, proxy, nobody } => {
            let none = proxy.is_empty() || (*nobody && x % 2 == 0);
            Command::NameProxy { player: *player, proxy: (!none).then(|| pick(proxy, y)) }
        }
        Legal::SetStake { player } => {
            Command::SetStake { player: pick(player, x), units: (y % 4 + 1).into() }
        }
        Legal::SetStart { player, value } => {
            Command::SetStart { player: pick(player, x), value: pick(value, y).try_into().unwrap() }
        }
        Legal::MergePlayers {} => {
            let known: Vec<PlayerId> = state.known().collect();
            Command::MergePlayers { duplicate: pick(&known, x), player: pick(&known, y) }
        }
        Legal::DrawOrder {} => Command::DrawOrder {},
        Legal::EnterRolls { players, dice } => {
            let mut seed = Seed(u32::from_be_bytes(step));
            let rolls = players.iter().map(|&player| {
                let pips: Vec<u8> = (0..*dice).map(|_| seed.byte() % 6 + 1).collect();
                roll(player, &pips)
            });
            Command::EnterRolls { rolls: rolls.collect() }
        }
        Legal::SetOrder { line } => {
            let mut line = line.clone();
            let places = usize::from(x) % line.len();
            line.rotate_left(places);
            Command::SetOrder { line }
        }
        Legal::Split { players } => {
            let line = state.seats().standing().unwrap();
            let mut ready = [line.active(), line.partners.clone()].concat();
            let places = usize::from(x) % ready.len();
            ready.rotate_left(places);
            ready.truncate(3);
            let players = if players.is_empty() || y % 2 == 0 { ready } else { players.clone() };
            Command::Split { players, table: Some(ChouetteId(uuid::Uuid::max())), name: "Two".into() }
        }
        Legal::MergeInto {} => Command::MergeInto { table: ChouetteId(uuid::Uuid::max()) },
        Legal::ChangeRules {} => {
            let mut seed = Seed(u32::from_be_bytes(step));
            let numbers: Vec<u8> = (0..64).map(|_| seed.byte()).collect();
            Command::ChangeRules { rules: house_rules(&numbers) }
        }
        Legal::Pay {} => {
            let known: Vec<PlayerId> = state.known().collect();
            let payer = pick(&known, x);
            let others: Vec<PlayerId> = known.into_iter().filter(|other| *other != payer).collect();
            Command::Pay { payer, payee: pick(&others, y), amount: i64::from(z) + 1 }
        }
        Legal::OfferPartnership {} => Command::OfferPartnership {},
        Legal::AcceptPartnership { player } => Command::AcceptPartnership { player: *player },
        Legal::DeclinePartnership { player } => Command::DeclinePartnership { player: *player },
        Legal::DeclineBox { player } => Command::DeclineBox { player: *player },
        Legal::StartGame { variant } => {
            let played = variant.get((x / 4) as usize % (variant.len() + 1)).copied();
            Command::StartGame { refereed: x % 4 == 0, variant: played }
        }
        Legal::OpeningTie { double, .. } => Command::OpeningTie { double: Some(pick(double, x)) },
        Legal::Double { player, against, whole, rolled } => {
            let against = choice(against, *whole, x);
            Command::Double { player: *player, against, rolled: *rolled || (y % 8 == 0 && may_roll(state)) }
        }
        Legal::Take { player, against, whole } => {
            Command::Take { player: *player, against: choice(against, *whole, x) }
        }
        Legal::Drop { player, against, whole } => {
            Command::Drop { player: *player, against: choice(against, *whole, x) }
        }
        Legal::Beaver { player, against, whole } => {
            Command::Beaver { player: *player, against: choice(against, *whole, x) }
        }
        Legal::GiveExtra { player } => Command::GiveExtra { player: *player },
        Legal::PassExtra { player } => Command::PassExtra { player: *player },
        Legal::PlayOn {} => Command::PlayOn {},
        Legal::Settle { pairs } => {
            let pair = pick(pairs, x);
            let (payer, payee) =
                if y % 2 == 0 { (pair.box_side, pair.team) } else { (pair.team, pair.box_side) };
            let points = HalfPoints((i64::from(z) % (pair.most.0 + 1)) / 2 * 2);
            let side = if x % 2 == 0 { Side::Box } else { Side::Team };
            let bets = vec![Settlement { payer, payee, points }];
            Command::Settle { bets, counts_for: pair.counts_for.then_some(side) }
        }
        Legal::Board { by, action } => {
            Command::Board { by: *by, action: on_board(state, &pick(action, x), y)? }
        }
        Legal::Finish { winner, win } => Command::Finish { winner: pick(winner, x), win: pick(win, y) },
        Legal::Correct { from, to } => {
            let games: Vec<u32> = (*from..=*to).collect();
            let game = state.finished_game(pick(&games, x)).unwrap();
            let members: Vec<u32> =
                game.bets().iter().filter(|bet| bet.kind == BetKind::Member).map(|bet| bet.id).collect();
            let side = if y % 2 == 0 { Side::Box } else { Side::Team };
            let ended = match y % 3 {
                0 => None,
                1 => Some(BetEnded::Drop { winner: side }),
                _ => Some(BetEnded::Game {}),
            };
            let bet = BetCorrection { bet: pick(&members, y), cube: None, turned: None, ended };
            let bets = if z % 2 == 0 { vec![bet] } else { Vec::new() };
            Command::Correct { game: game.number, winner: Some(side), win: Some(pick(&Win::ALL, x)), bets }
        }
        Legal::Close {} => Command::Close {},
    })
}

fn on_board(state: &Chouette, kind: &ActionKind, number: u8) -> Option<Action> {
    let board = state.game()?.board.as_ref()?;
    Some(match kind {
        ActionKind::RollOpening => Action::RollOpening { dice: None },
        ActionKind::Roll => Action::Roll { dice: None },
        ActionKind::CockedDice => Action::CockedDice {},
        ActionKind::Play => Action::Play { steps: pick(&board.plays(), number).steps },
        ActionKind::Pass => Action::Pass {},
        ActionKind::Resign => Action::Resign { win: pick(board.rules().variant.wins(), number) },
        ActionKind::AcceptResignation => Action::AcceptResignation {},
        ActionKind::RejectResignation => Action::RejectResignation {},
        ActionKind::AcceptPlay => Action::AcceptPlay {},
        ActionKind::SendBack => Action::SendBack {},
        // Illegal boards to leave are not made up here, and cubes are the chouette's own.
        ActionKind::LeaveBoard
        | ActionKind::Double
        | ActionKind::Beaver
        | ActionKind::Take
        | ActionKind::Drop => return None,
    })
}
