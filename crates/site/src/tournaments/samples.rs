//! Lively tournaments for the previews and tests.

use std::sync::Arc;

use askama::Template as _;
use serde_json::{Value, json};
use uuid::Uuid;

use super::cards::CardsPage;
use super::slips::SlipsPage;
use crate::pages::Frame;
use crate::pages::bracket::samples::{PLAIN, PROGRESSIVE, drawn, played};
use crate::say::{Names, Say};
use owlbox_base::journal::{Aggregate as _, Inputs, Stream};
use owlbox_base::values::{PlayerId, Timestamp, TournamentId};
use owlbox_desk::tournaments::TournamentScreen;
use owlbox_desk::{Dice, Rights};
use owlbox_locale::Locale;
use owlbox_play::matches::MatchNo;
use owlbox_play::tournament::bracket::{Bracket, EntryNo, Source};
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::{Call, DivisionNo, MatchRef, TableNo};
use owlbox_play::tournament::{Command, Tournament};

/// The division that samples show.
pub(crate) const MAIN: DivisionNo = DivisionNo(1);
pub(crate) const ORIGIN: &str = "http://192.168.1.20:8080";

/// The name of an entry, sometimes a long one.
pub(crate) fn name(EntryNo(entry): EntryNo) -> String {
    let given =
        ["Ada", "Kim", "Lou", "Max", "Ida", "Giambattista", "Noor", "Eva", "Ugo", "Tim", "Zoë", "Ben", "Mia"];
    let family = [
        "Lovisetti",
        "Andersen",
        "Baudry",
        "Ferrero",
        "Conti",
        "Quaglia-Montefiore",
        "Rahimi",
        "Okafor",
        "Lund",
        "Petrov",
        "Sá",
    ];
    let at = entry as usize;
    let again = if at > 143 { format!(" {}", at / 143 + 1) } else { String::new() };
    format!("{} {}{again}", given[at % given.len()], family[at % family.len()])
}

pub(super) fn player(entry: u32) -> PlayerId {
    PlayerId(Uuid::from_u128(entry.into()))
}

pub(super) fn at(minutes: i64) -> Timestamp {
    let start: chrono::DateTime<chrono::Utc> = "2026-11-20T18:00:00Z".parse().unwrap();
    (start + chrono::TimeDelta::minutes(minutes)).into()
}

/// A tournament that commands are given to.
pub(super) struct Played {
    pub state: Tournament,
    dice: Dice,
}

impl Played {
    /// A tournament with one division, in which as many have entered.
    pub fn new(entrants: u32, settings: &Value) -> Self {
        let mut played = Self { state: Tournament::default(), dice: Dice::seeded(1) };
        let mut about = json!({"name": "Turin Open 2026", "date": "2026-11-20", "starts": "19:30", "currency": "EUR", "public": true,
            "place": "Circolo dei Lettori, Torino", "entries_open": "2026-11-01T09:00:00Z"});
        about["prizes"] = json!("1st  half of the pool\n2nd  a quarter\nConsolation  a quarter");
        about["rules"] = json!("The usual.\n\nPhones stay in the pocket.");
        played.does(0, json!({"command": "open", "about": about}));
        played.does(0, json!({"command": "add_division", "settings": settings}));
        let entries: Vec<Value> = (1..=entrants).map(|entry| json!({"player": player(entry)})).collect();
        played.does(1, json!({"command": "enter", "entries": entries}));
        played
    }

    pub fn does(&mut self, minute: i64, command: Value) {
        let mut command: Command = serde_json::from_value(command).unwrap();
        if let Command::Open { tournament, .. } = &mut command {
            *tournament = TournamentId(Uuid::from_u128(1));
        }
        let now = at(minute);
        let events = self.state.decide(&command, &mut Inputs { now, chance: &mut self.dice }).unwrap();
        events.iter().for_each(|event| self.state.apply(event, now));
    }

    /// What the desk answers of it.
    pub fn screen(self) -> TournamentScreen {
        let entries = self.state.divisions().flat_map(|(_, of)| of.entries());
        let players = entries.map(|(_, entry)| entry.player);
        let named = |player: PlayerId| (player, name(EntryNo(u32::try_from(player.0.as_u128()).unwrap())));
        let names = players.map(named).collect();
        let mut stream = Stream::<Tournament>::default();
        (stream.state, stream.version) = (self.state, 210);
        let id = TournamentId(Uuid::from_u128(1));
        TournamentScreen { id, stream: Arc::new(stream), principal: None, names, now: at(127) }
    }
}

/// How a division of a sample is played.
pub(super) fn settings() -> Value {
    json!({"name": "Championship", "lengths": [11, 9, 7], "consolation_lengths": [5], "re_entries": 1,
        "format": {"consolation": {"of": "progressive"}, "last": "second_place"},
        "fees": {"entry": 5000, "registration": 1000, "re_entry": 4000}, "kept": 1000,
        "side_pools": [{"name": "Calcutta", "stake": 2500}]})
}

/// A bracket in a division whose entries have names. A few of the matches that are ready have been called, and most of
/// those have begun.
pub(crate) struct Sample {
    pub screen: TournamentScreen,
    pub of: Division,
}

impl Sample {
    pub fn new(bracket: &Bracket) -> Self {
        let drawn = bracket.iter().flat_map(|(_, at)| at.sources).filter_map(|source| match source {
            Source::Entry { entry } => Some(entry.0),
            _ => None,
        });
        let mut played = Played::new(drawn.max().unwrap_or(1), &settings());
        let seeded: Vec<u32> = (1..=drawn_of(&played).min(4)).collect();
        played.does(2, json!({"command": "seed", "entries": seeded}));
        let ready = bracket.iter().filter(|(_, at)| at.is_ready()).map(|(number, _)| number).take(4);
        for (number, (table, began)) in ready.zip([(3, true), (4, true), (12, false), (6, true)]) {
            let began_at = began.then(|| at(64));
            let call = Call { table: TableNo(table), called_at: at(60), began_at };
            played.state.room.calls.insert_mut(MatchRef { division: MAIN, number }, call);
        }
        let mut of = played.state.division(MAIN).unwrap().clone();
        of.bracket = bracket.clone();
        Self { screen: played.screen(), of }
    }

    pub fn slips<'a>(&'a self, t: &Locale, frame: Frame, ready: &'a [MatchNo]) -> SlipsPage<'a> {
        let (t, screen, of) = (self.say(t), &self.screen, &self.of);
        SlipsPage { t, frame, screen, number: MAIN, of, ready, more: false, origin: ORIGIN }
    }

    pub fn say(&self, t: &Locale) -> Say<'_> {
        say(t, &self.screen.names)
    }
}

fn drawn_of(played: &Played) -> u32 {
    u32::try_from(played.state.division(MAIN).unwrap().entered()).unwrap()
}

/// What is written for a stranger.
pub(super) fn say<'a>(t: &Locale, names: &'a Names) -> Say<'a> {
    Say::new(*t, Rights::new(None, owlbox_base::permissions::Public::default()), names)
}

fn slips(t: &Locale, frame: Frame, sample: &Sample) -> String {
    let bracket = &sample.of.bracket;
    let ready = bracket.iter().filter(|(_, at)| at.outcome.is_none()).map(|(number, _)| number).take(6);
    let ready: Vec<MatchNo> = ready.collect();
    sample.slips(t, frame, &ready).render().unwrap()
}

fn cards(t: &Locale, frame: Frame, sample: &Sample, count: u32) -> String {
    let card = |entry| {
        // As random as real tokens, so that the codes are as dense.
        let token = u128::from(entry).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C834 | 1);
        (EntryNo(entry), format!("{token:032x}{token:023x}"))
    };
    let cards: Vec<(EntryNo, String)> = (1..=count).map(card).collect();
    let (t, screen, of) = (sample.say(t), &sample.screen, &sample.of);
    CardsPage { t, frame, screen, of, cards: &cards, more: false, origin: ORIGIN }.render().unwrap()
}

/// Every page of a tournament, with its name.
pub(crate) fn pages(t: &Locale, frame: &dyn Fn(&str) -> Frame) -> Vec<(&'static str, String)> {
    let small = Sample::new(&played(drawn(16, PROGRESSIVE), 17));
    let large = Sample::new(&drawn(48, PLAIN));
    vec![
        ("slips", slips(t, frame("match-slips"), &small)),
        ("cards", cards(t, frame("entry-cards"), &small, 11)),
        ("cards-48", cards(t, frame("entry-cards"), &large, 48)),
    ]
}
