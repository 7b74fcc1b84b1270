//! A lively tournament for the previews.

use askama::Template;

use super::*;
use crate::pages::bracket::samples::around;
use crate::pages::bracket::{FlightTab, PathStep, State};
use crate::pages::sorted::{Column, Sorting, address};
use crate::tournaments::samples::name;
use owlbox_play::matches::MatchNo;
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::payout::Prize;

fn who(entry: u32) -> String {
    name(EntryNo(entry))
}

fn live() -> LivePart {
    LivePart {
        page: "/tournaments/1".to_owned(),
        version: 210,
        stream: Some("/api/v1/tournaments/1/events?after=210".to_owned()),
        beside: None,
    }
}

fn texts<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(ToOwned::to_owned).to_vec()
}

fn pairs<const N: usize>(pairs: [(String, &str); N]) -> Vec<(String, String)> {
    pairs.map(|(what, value)| (what, value.to_owned())).to_vec()
}

/// Tournaments in a list: one in progress, one to come.
pub(crate) fn cards(_: &Locale) -> Vec<TournamentCard> {
    let card = |name: &str, playing: usize, winners: Vec<Winner>| TournamentCard {
        link: "/tournaments/1".to_owned(),
        name: name.to_owned(),
        day: "Fri 20 Nov 2026".to_owned(),
        today: playing > 0,
        place: Some("Circolo dei Lettori, Torino".to_owned()),
        entries: 64,
        playing,
        winners,
        cancelled: false,
    };
    vec![card("Turin Open 2026", 12, Vec::new()), card("Christmas knock-out", 0, Vec::new())]
}

fn list(t: &Locale, frame: Frame) -> TournamentsPage {
    let winners = vec![
        Winner { division: Some("Championship".to_owned()), name: who(5) },
        Winner { division: Some("Beginners".to_owned()), name: who(6) },
    ];
    let past = cards(t).into_iter().map(|card| TournamentCard {
        cancelled: card.playing > 0,
        winners: winners.clone(),
        playing: 0,
        ..card
    });
    TournamentsPage {
        t: *t,
        frame,
        open: cards(t),
        past: past.collect(),
        first: true,
        next: Some("/tournaments?after=x".to_owned()),
        may_open: true,
    }
}

fn line(number: u32, table: Option<u16>) -> MatchLine {
    MatchLine {
        id: format!("d1m{number}"),
        link: format!("/tournaments/1/1/matches/{number}"),
        about: "Championship · Quarter-finals · to 9".to_owned(),
        names: [who(number), who(number + 5)],
        won: [table.is_none(), false],
        score: table.is_none().then_some([9, 4]),
        ending: None,
        table,
        called: table == Some(12),
        at: table.is_none().then(|| "21:07".to_owned()),
    }
}

fn tournament(t: &Locale, frame: Frame, over: bool) -> TournamentPage {
    let link = |key: &str| PageLink { label: t.get(key), link: "/tournaments/1/1".to_owned(), here: false };
    let division = |number: u8, name: &str| DivisionCard {
        number,
        name: name.to_owned(),
        entries: 64,
        facts: texts([
            "Knock-out",
            "progressive consolation",
            "clock if one wants it",
            "2:00 a point + 12 s a move",
        ]),
        lengths: pairs([(t.get("flight-main"), "11 · 9 · 7"), (t.get("flight-consolation"), "5")]),
        money: pairs([(t.get("fee-entry"), "50.00 EUR"), (t.get("money-pool"), "3,200.00 EUR")]),
        links: around(t, "").links,
        left: (number == 1).then_some(if over { 0 } else { 31 }),
        paper: vec![link("paper-slips"), link("paper-cards")],
    };
    let embed = |name: &str, link: &str| Embed {
        division: Some(name.to_owned()),
        link: link.to_owned(),
        element: format!("<iframe src=\"{link}\" width=\"100%\" height=\"720\"></iframe>"),
    };
    TournamentPage {
        t: *t,
        frame,
        live: live(),
        name: "Turin Open 2026".to_owned(),
        facts: texts(["Fri 20 Nov 2026, 19:30", "Circolo dei Lettori, Torino"]),
        cancelled: over.then(|| t.with("cancelled-because", "reason", "the roof leaks")),
        winners: over.then(|| Winner { division: None, name: who(5) }).into_iter().collect(),
        divisions: vec![division(1, "Championship"), division(2, "Beginners")],
        playing: if over {
            Vec::new()
        } else {
            vec![line(21, Some(12)), line(22, Some(3)), line(23, Some(104))]
        },
        playing_more: 0,
        waiting: if over { 0 } else { 4 },
        latest: vec![line(17, None), line(18, None)],
        prizes: Some("1st  half of the pool\n2nd  a quarter\nConsolation  a quarter".to_owned()),
        rules: Some("The usual.\n\nPhones stay in the pocket.".to_owned()),
        desk: (!over).then(|| "/tournaments/1/desk".to_owned()),
        money: None,
        mine: over.then(|| "/tournaments/1/players/5".to_owned()),
        enter: (!over).then(|| "/tournaments/1/enter".to_owned()),
        screen: "/tournaments/1/screen".to_owned(),
        embeds: vec![embed("Championship", "https://club.example/tournaments/1/1/embed")],
    }
}

fn table(t: &Locale, by: Column, columns: &[Column]) -> DivisionTable {
    DivisionTable {
        heading: "Turin Open 2026 · Championship · Fri 20 Nov 2026".to_owned(),
        columns: Sorting::ascending(by).headings(t, columns, |order| address("", &order.fields(by))),
        search: String::new(),
        kept: Vec::new(),
        next: None,
        whole: None,
    }
}

fn entries(t: &Locale, frame: Frame) -> EntriesPage {
    let row = |number: u32| EntryRow {
        number,
        name: who(number),
        link: "/tournaments/1/players/1".to_owned(),
        from: if number.is_multiple_of(3) { "BG Lyon · FR".to_owned() } else { String::new() },
        pools: if number.is_multiple_of(6) { "Calcutta".to_owned() } else { String::new() },
        seeded: (number < 3).then_some(number),
        checked_in: number.is_multiple_of(2),
        standing: (number == 5).then(|| t.get("standing-withdrawn")),
        out: number == 5,
    };
    EntriesPage {
        t: *t,
        frame,
        around: around(t, "page-entries"),
        live: live(),
        count: 64,
        here: 32,
        kinds: ShownEntries::ALL
            .map(|kind| PageLink {
                label: kind.label(t),
                link: address("", &[("status", kind.name().to_owned())]),
                here: kind == ShownEntries::All,
            })
            .to_vec(),
        table: DivisionTable {
            next: Some("?after=12".to_owned()),
            whole: Some("?all=yes".to_owned()),
            ..table(t, Column::Name, &EntriesPage::COLUMNS)
        },
        rows: (1..12).map(row).collect(),
    }
}

fn places(t: &Locale, frame: Frame) -> PlacesPage {
    let row = |(entry, place): (u32, &str)| PlaceRow {
        entry,
        place: place.to_owned(),
        won: entry == 1,
        name: who(entry),
        from: if entry.is_multiple_of(3) { "BG Lyon · FR".to_owned() } else { String::new() },
        link: "/tournaments/1/players/1".to_owned(),
        playing: place == "3–4",
        prize: (entry < 3).then(|| "720.00 EUR".to_owned()),
    };
    let prize = |(entry, amount): (u32, &str)| PrizeRow {
        name: who(entry),
        link: "/tournaments/1/players/1".to_owned(),
        amount: amount.to_owned(),
    };
    let tab = |key: &str, chosen| FlightTab { name: t.get(key), link: "?flight=0".to_owned(), chosen };
    PlacesPage {
        t: *t,
        frame,
        around: around(t, "page-places"),
        live: live(),
        flights: vec![tab("flight-main", true), tab("flight-consolation", false)],
        rows: [(1, "1"), (2, "2"), (3, "3–4"), (4, "3–4"), (5, "5–8"), (6, "5–8")].map(row).to_vec(),
        table: table(t, Column::Place, &PlacesPage::COLUMNS),
        prizes: Some(Prizes {
            given: false,
            pools: pairs([(t.get("money-pool"), "3,200.00 EUR"), (t.get("money-kept"), "320.00 EUR")]),
            prizes: pairs([
                (t.prize(Prize::Winner), "1,440.00 EUR"),
                (t.prize(Prize::Finalist), "720.00 EUR"),
            ]),
            rows: [(9, "720.00 EUR")].map(prize).to_vec(),
            still_played: Some((63, "/tournaments/1/1/matches/63".to_owned())),
        }),
    }
}

fn one_match(t: &Locale, frame: Frame, state: State) -> MatchPage {
    let done = state == State::Done;
    let side = |entry: u32, score: u32, won: bool| Side {
        name: who(entry),
        link: Some("/tournaments/1/players/1".to_owned()),
        known: true,
        from: "BG Lyon · FR".to_owned(),
        score: done.then_some(score),
        won: done.then_some(won),
    };
    let waits = Side {
        name: t.with("slot-winner", "match", 12),
        link: Some("/tournaments/1/1/matches/12".to_owned()),
        known: false,
        from: String::new(),
        score: None,
        won: None,
    };
    let way = |key: &str, number: u32| Way {
        label: t.with(key, "match", number),
        link: "/tournaments/1/1/matches/9".to_owned(),
    };
    let waiting = state == State::Waiting;
    MatchPage {
        t: *t,
        frame,
        around: around(t, ""),
        live: live(),
        number: 21,
        round: t.get("round-quarter-finals"),
        length: t.with("match-long", "points", 9),
        game: None,
        state,
        said: match state {
            State::Playing => t.with("playing-at", "table", 12),
            State::Waiting => t.get("match-waits"),
            _ => t.get("match-done"),
        },
        sides: [side(5, 9, true), if waiting { waits } else { side(10, 4, false) }],
        times: if waiting {
            Vec::new()
        } else {
            pairs([(t.get("match-called-at"), "Fri 20 Nov 2026, 20:12")])
        },
        reports: Vec::new(),
        own: (state == State::Playing).then(|| "/tournaments/1/players/5#report".to_owned()),
        by_card: state == State::Waiting,
        clock: (!done).then(|| t.fill("slip-clock-set", &[("reserve", &"18:00"), ("delay", &12)])),
        sheet: done.then(|| "/matches/1".to_owned()),
        then: vec![way("slip-winner-to", 29), way("slip-loser-to", 44)],
        bracket: "/tournaments/1/1?#m21".to_owned(),
        desk: Some("/tournaments/1/desk".to_owned()),
    }
}

fn entrant(t: &Locale, frame: Frame) -> EntrantPage {
    let step = |(number, against, score, won): (u32, u32, Option<&str>, Option<bool>)| PathStep {
        link: "/tournaments/1/1/matches/3".to_owned(),
        number: MatchNo(number),
        flight: (number == 3).then(|| t.get("flight-main")),
        against: who(against),
        score: score.map(ToOwned::to_owned),
        won,
        aside: None,
    };
    let steps = [(3, 11, Some("7–2"), Some(true)), (18, 12, Some("4–9"), Some(false)), (70, 40, None, None)];
    EntrantPage {
        t: *t,
        frame,
        around: Around { links: Vec::new(), division: None, ..around(t, "") },
        live: live(),
        name: who(5),
        from: "BG Lyon · FR".to_owned(),
        now: Some(Next {
            said: t.with("next-at", "table", 12),
            against: who(40),
            about: "Consolation · Round 2 · to 5".to_owned(),
            link: "/tournaments/1/1/matches/70".to_owned(),
            now: true,
        }),
        idle: String::new(),
        report: Some(ReportForm {
            action: "/e/sample".to_owned(),
            key: "00000000-0000-0000-0000-000000000001".to_owned(),
            division: 1,
            number: 5,
            players: "5-40".to_owned(),
            taken_back: Some("none"),
            said: vec![t.fill("report-other-said", &[("name", &"Kim"), ("score", &"7–3")])],
            confirm: Some(Tap {
                label: t.with("report-confirm", "score", "7–3"),
                score: "7-3".to_owned(),
                chosen: false,
            }),
            taps: [("report-won", 7), ("report-lost", 7)].map(|(label, length)| {
                let tap = |lost: u16| Tap {
                    label: format!("{length}–{lost}"),
                    score: format!("{length}-{lost}"),
                    chosen: label == "report-won" && lost == 3,
                };
                (t.get(label), (0..length).map(tap).collect())
            }),
        }),
        ways: vec![DivisionWay {
            title: "Championship · No. 5".to_owned(),
            bracket: "/tournaments/1/1?player=5".to_owned(),
            standing: t.get("standing-in"),
            steps: steps.map(step).to_vec(),
        }],
    }
}

/// Every page, with its name.
pub(crate) fn pages(t: &Locale, frame: &dyn Fn(&str) -> Frame) -> Vec<(&'static str, String)> {
    let rendered = [
        ("tournaments", list(t, frame("tab-tournaments")).render()),
        ("tournament", tournament(t, frame("tab-tournaments"), false).render()),
        ("tournament-over", tournament(t, frame("tab-tournaments"), true).render()),
        ("entries", entries(t, frame("entries")).render()),
        ("places", places(t, frame("places")).render()),
        ("match", one_match(t, frame("match-done"), State::Done).render()),
        ("match-playing", one_match(t, frame("match-done"), State::Playing).render()),
        ("match-waiting", one_match(t, frame("match-done"), State::Waiting).render()),
        ("entrant", entrant(t, frame("entries")).render()),
    ];
    rendered.map(|(name, page)| (name, page.unwrap())).to_vec()
}
