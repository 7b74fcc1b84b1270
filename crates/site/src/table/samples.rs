//! A lively night at a table, for the previews and for tests.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template as _;
use serde_json::{Value, json};
use uuid::Uuid;

use super::blocks::{director, watched};
use super::buttons::has_buttons;
use super::everybody::EverybodyPage;
use super::finish::{FinishPage, FinishQuery, has_results};
use super::page::TablePage;
use super::take_back::TakeBackPage;
use crate::board::{Board, BoardView};
use crate::pages::{Frame, LivePage as _, Notice};
use crate::say::Say;
use owlbox_base::code::Code;
use owlbox_base::journal::{Act, ActKind, Aggregate as _, Inputs, Steps, Stream, UndoEntries};
use owlbox_base::values::{AccountId, ActId, HalfPoints, PlayerId, Timestamp};
use owlbox_chouette::{Chouette, Command, Event, EventKind, HouseRules, Legal, Side};
use owlbox_desk::Dice;
use owlbox_desk::chouettes::screen::{TableScreen, TakingBack};
use owlbox_desk::commands::history::HistoryCommand;
use owlbox_desk::commands::subject::{HistorySteps, Preview, StreamAfter, StreamPreview};
use owlbox_desk::people::players::ActivePlayer;
use owlbox_engine::Win;
use owlbox_locale::Locale;

/// So many players has the club.
pub(super) const CLUB: u128 = 7;

pub(super) fn player(number: u128) -> PlayerId {
    PlayerId(Uuid::from_u128(number + 1))
}

pub(super) fn at(minutes: i64) -> Timestamp {
    (chrono::DateTime::UNIX_EPOCH + chrono::TimeDelta::minutes(minutes)).into()
}

/// A night with its history.
#[derive(Clone)]
pub(super) struct Night {
    pub stream: Stream<Chouette>,
    pub acts: Vec<Act<Event>>,
}

impl Night {
    /// A night under these house rules; settings left out have their defaults.
    pub fn under(rules: &str) -> Self {
        Self::called("Table", rules)
    }

    pub fn called(name: &str, rules: &str) -> Self {
        let mut night = Self { stream: Stream::default(), acts: Vec::new() };
        let night_of = chrono::NaiveDate::from_ymd_opt(2026, 11, 20).unwrap();
        let stake = serde_json::from_value(json!({ "amount": 500, "currency": "EUR" })).unwrap();
        let rules: HouseRules = serde_json::from_str(rules).unwrap();
        let (name, stake, from) = (name.to_owned(), Some(stake), None);
        night.give(&Command::Open { name, night: night_of, stake, rules, from }, 0).unwrap();
        night
    }

    pub fn give(&mut self, command: &Command, seed: u64) -> Result<(), String> {
        let mut dice = Dice::seeded(seed);
        let mut inputs = Inputs { now: at(0), chance: &mut dice };
        let events = self.stream.state.decide(command, &mut inputs).map_err(|refusal| refusal.to_string())?;
        self.record(ActKind::Events(events));
        Ok(())
    }

    /// The same for commands as scripts give them. Players are numbers.
    fn play(&mut self, commands: &[Value]) {
        for command in commands {
            let ids = (0..CLUB).fold(command.to_string(), |text, number| {
                text.replace(&format!("\"P{number}\""), &format!("\"{}\"", player(number)))
            });
            self.give(&serde_json::from_str(&ids).unwrap(), 0).unwrap();
        }
    }

    pub fn record(&mut self, kind: ActKind<Event>) {
        let id = ActId(Uuid::from_u128(self.acts.len() as u128 + 1));
        let version = self.stream.version + kind.versions();
        self.acts.push(Act { id, version, at: at(version), by: AccountId(Uuid::nil()), kind });
        self.stream = Stream::replay(&self.acts).unwrap();
    }

    /// The newest acts are undone, so many.
    pub fn undo(&mut self, acts: u16) {
        self.record(self.stream.undo_several(None, Steps::try_from(acts).unwrap()).unwrap());
    }

    /// What the desk shows to a director, who may do everything.
    pub fn screen(&self, viewer: Option<PlayerId>) -> TableScreen {
        let state = &self.stream.state;
        let legal = state.legal();
        let free = |number| ActivePlayer { id: player(number), name: format!("P{number}"), nickname: None };
        let steps = |entries: UndoEntries<'_, EventKind>| {
            entries.newest().map(|entry| HistorySteps { entry: *entry, acts: entries.len() })
        };
        let names = (0..CLUB).map(|number| (player(number), format!("P{number}"))).collect();
        TableScreen {
            offers: state.offers(legal.iter().filter(|legal| has_buttons(legal))),
            everybody: state.everybody(),
            legal,
            undo: steps(self.stream.undoable()),
            redo: steps(self.stream.redoable()),
            acts: self.acts.clone(),
            free_players: (0..CLUB).map(free).collect(),
            ..watched(self.stream.clone(), viewer, names)
        }
    }

    /// The same to a director who plays as Kim, with everybody's name.
    fn shown(&self) -> TableScreen {
        let mut screen = self.screen(Some(player(1)));
        let names = ["Ada", "Kim", "Lou", "Max", "Ida", "Giambattista", "Noor"].map(str::to_owned);
        for (free, name) in screen.free_players.iter_mut().zip(&names) {
            free.name.clone_from(name);
        }
        screen.names = (0..CLUB).map(player).zip(names).collect();
        screen.people = BTreeMap::from([(AccountId(Uuid::nil()), "Kim".to_owned())]);
        screen
    }
}

/// The page of a table for a director.
pub(super) fn page<'a>(t: &Locale, frame: Frame, screen: &'a TableScreen) -> TablePage<'a> {
    let t = Say::new(*t, director(), &screen.names);
    let page = TablePage::new(t, frame, screen, BoardView::default());
    TablePage { exposure_limit: Some(HalfPoints(8)), ..page }
}

/// Six have come, and one of the club's has left again.
fn gathered(rules: &Value) -> Night {
    let mut night = Night::called("Friday table", &rules.to_string());
    let joins = (0..CLUB).map(|number| json!({"command": "join", "player": player(number)}));
    night.play(&joins.collect::<Vec<_>>());
    night.play(&[json!({"command": "leave", "player": "P6"})]);
    night
}

/// The first of a night's games is over, and in the second everybody's cube stands elsewhere. Two acts were
/// undone.
fn played() -> Night {
    let mut night = gathered(&json!({
        "order": {"dice": "by_hand"}, "decision_order": "any_order", "consultation": "after_any_cube",
    }));
    let start = json!({"command": "start_game", "refereed": false});
    night.play(&[
        json!({"command": "set_order", "line": ["P0", "P1", "P2", "P3", "P4", "P5"]}),
        start.clone(),
        json!({"command": "finish", "winner": "box", "win": "gammon"}),
        start.clone(),
        json!({"command": "double", "player": "P0", "against": ["P1", "P4"]}),
        json!({"command": "take", "player": "P1"}),
        json!({"command": "drop", "player": "P4"}),
        json!({"command": "double", "player": "P2"}),
        json!({"command": "double", "player": "P3"}),
        json!({"command": "take", "player": "P0", "against": ["P2"]}),
        json!({"command": "drop", "player": "P0", "against": ["P3"]}),
        json!({"command": "finish", "winner": "team", "win": "single"}),
        start,
    ]);
    night.undo(2);
    night
}

/// The box has doubled everybody, and all answer at once.
fn asked() -> Night {
    let mut night = gathered(&json!({"order": {"dice": "by_hand"}, "decision_order": "all_at_once"}));
    night.play(&[
        json!({"command": "set_order", "line": ["P0", "P1", "P2", "P3", "P4", "P5"]}),
        json!({"command": "start_game", "refereed": false}),
        json!({"command": "double", "player": "P0"}),
    ]);
    night
}

/// Two have tied for the order.
fn tied() -> Night {
    let mut night = gathered(&json!({"order": {"dice": "two_dice"}}));
    let roll = |(number, dice)| json!({"player": player(number), "dice": dice});
    let dice = [[6, 5], [5, 6], [4, 3], [3, 3], [2, 1], [1, 1]];
    let rolls: Vec<Value> = (0..).zip(dice).map(roll).collect();
    night.play(&[json!({"command": "enter_rolls", "rolls": rolls})]);
    night
}

/// Three acts of a night to be undone, and a second table with it.
fn taking_back(night: &Night) -> TakingBack {
    let (screen, mut after) = (night.shown(), night.clone());
    after.undo(3);
    let act = after.acts.pop().unwrap();
    let ActKind::Undo(ids) = &act.kind else { panic!("{act:?}") };
    let named = ids.iter().flat_map(|id| night.acts.iter().find(|act| act.id == *id)).cloned().collect();
    let after = StreamAfter { id: screen.id, stream: Arc::new(after.stream), act };
    let here = StreamPreview { before: Arc::new(night.stream.clone()), after, named };
    let command = HistoryCommand::Undo { act: None, acts: Steps::try_from(3).unwrap() };
    TakingBack { screen, command, preview: Preview { also: vec![here.clone()], here } }
}

/// Every page with its name, as a director sees it; `boards` are those of a refereed game, either way round.
pub(crate) fn pages(
    t: &Locale,
    frame: &dyn Fn(&str) -> Frame,
    boards: [Board; 2],
) -> Vec<(&'static str, String)> {
    let [playing, answering, gathering] = [played(), asked(), tied()];
    let back = taking_back(&playing);
    let [playing, answering, gathering] = [playing, answering, gathering].map(|night| night.shown());
    let page = |screen| page(t, frame("tab-night"), screen);
    let mut refused = page(&answering);
    refused.frame.notice = Some(Notice { text: t.error(Code::StaleVersion), problem: true, link: None });
    let mut pages = vec![
        ("table", page(&playing).whole()),
        ("answering", refused.whole()),
        ("gathering", page(&gathering).whole()),
    ];
    for (name, board) in ["board", "board-mirrored"].into_iter().zip(boards) {
        pages.push((name, TablePage { board: Some(board), ..page(&playing) }.whole()));
    }
    let results: Vec<Legal> = playing.legal.iter().filter(|legal| has_results(legal)).cloned().collect();
    let finishing = TableScreen { offers: playing.stream.state.offers(&results), ..playing.clone() };
    let say = |screen| Say::new(*t, director(), screen);
    let gammon = FinishQuery { winner: Some(Side::Box), kind: Some(Win::Gammon), game: None };
    for (name, asked) in [("finish", FinishQuery::default()), ("finish-chosen", gammon)] {
        let page = FinishPage::new(say(&finishing.names), frame("game-over"), &finishing, asked);
        pages.push((name, page.unwrap().render()));
    }
    let page = EverybodyPage::new(say(&answering.names), frame("everybody-drops-title"), &answering);
    pages.push(("everybody", page.unwrap().render()));
    let page = TakeBackPage::new(say(&back.screen.names), frame("take-back-title"), &back);
    pages.push(("take-back", page.render()));
    pages.into_iter().map(|(name, page)| (name, page.unwrap())).collect()
}
