//! Renders every page with a lively sample night, in every language, to `target/preview/` for a look in a
//! browser, and checks what must hold for all of them.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use askama::Template;
use serde_json::json;
use uuid::Uuid;

use super::samples::{frame, id, locale, name};
use super::*;
use crate::account::AccountPage;
use crate::around::ErrorPage;
use crate::board;
use crate::club_nights::ClubNightsPage;
use crate::door::{ClaimPage, SetUpPage, SignInPage};
use crate::exports::ExportsPage;
use crate::form::Form;
use crate::head_to_head::{Asked, HeadToHeadPage};
use crate::house_rules::{HouseRulesPage, Mistakes, RuleSetForm, RuleSetPage, form_of};
use crate::importing::ImportPage;
use crate::income::{AskedPeriod, IncomePage};
use crate::ledger;
use crate::ledger::links::Here;
use crate::ledger::page::LedgerPage;
use crate::night::{HomePage, PastNightsPage};
use crate::pages::assets;
use crate::people::page::{Invite, PlayerPage, PlayersPage};
use crate::privacy::{ErasePage, PersonPage};
use crate::refused::RefusedForm;
use crate::registering::RegisterPage;
use crate::say::{NOBODY, Say};
use crate::seasons::page::{SeasonPage, SeasonsPage};
use crate::settings::{SettingsPage, Shown, written};
use crate::table;
use crate::tournaments::samples as drawn_tournaments;
use crate::treasury::{DaybookPage, TreasuryPage};
use crate::unsent::{Unsent, UnsentPage};
use owlbox_base::code::Code;
use owlbox_base::journal::shared::{self, ShownStream};
use owlbox_base::journal::{Aggregate as _, Inputs, Stream};
use owlbox_base::permissions::{Public, Role as ClubRole, Roles};
use owlbox_base::values::{
    AccountId, ActId, ChouetteId, Currency, HalfPoints, Holder, HolderKind, MatchId, PlayerId, Timestamp,
    TournamentId, TransactionId,
};
use owlbox_books::club::players::PlayerDetails;
use owlbox_books::club::seasons::{Season, Seasons};
use owlbox_books::club::settings::Currencies;
use owlbox_books::club::{Club, RuleSet, Settings as ClubSettings};
use owlbox_books::daybook::import;
use owlbox_books::daybook::{Closing, FeeKind, Means, MoveKind, Record as Noted};
use owlbox_books::ledger::income::Income;
use owlbox_books::ledger::{PostingKind, Source, Unit as LedgerUnit};
use owlbox_books::statistics::{
    self as counted, Began, ClubSpan, Count, Ending, Manner, MannerCount, MoneyWon, Month, Record, Summary,
};
use owlbox_chouette::{Chouette, Command as TableCommand, HouseRules, Roll, Score};
use owlbox_desk::access::accounts::AccountView;
use owlbox_desk::access::api_tokens::{ApiToken, StoredScopes};
use owlbox_desk::access::links::{LinkView, Purpose};
use owlbox_desk::access::registrations::Registration;
use owlbox_desk::books::daybook::import::{ImportPerson, ImportPreview, ImportStanding, ImportSum};
use owlbox_desk::books::daybook::{ClubMoney, EntryStatus, Proposal, ShownEntry};
use owlbox_desk::books::income::{self, IncomeReport, TotalIncome, TournamentIncome};
use owlbox_desk::books::posting::BalanceRow;
use owlbox_desk::books::statements::{Filter, Period, StatementLine, StatementScreen, Sums as StatementSums};
use owlbox_desk::books::treasury::{
    BankAccount, ClubStanding, Debtor, DueOptions, DuePart as DueOfClub, DuePayment, OwnDue, OwnDues,
    TreasuryScreen,
};
use owlbox_desk::nights::night::{NightScreen, TableOfNight};
use owlbox_desk::nights::periods::{ClubNight, ClubPeriod, ClubPeriodScreen, NightAverages, PlayerNights};
use owlbox_desk::nights::seasons::{SeasonPlayer, SeasonTable};
use owlbox_desk::nights::statistics::{
    Filter as GameFilter, HeadToHead, HeadToHeadPlayer, PairRecord, Played,
};
use owlbox_desk::people::players::screen::PlayerScreen;
use owlbox_desk::people::players::{ActivePlayer, Candidate, ShownPlayer};
use owlbox_desk::people::privacy::erasure::{ErasurePreview, Mention, NearMiss};
use owlbox_desk::people::privacy::person::{
    PersonalBalance, PersonalData, PersonalLine, PersonalLogin, PersonalRating, PersonalReading,
};
use owlbox_desk::people::privacy::readings::Read;
use owlbox_desk::people::ratings::{RatedMatchRow as Rated, RatingRow};
use owlbox_desk::tournaments::TournamentCards;
use owlbox_desk::{Dice, Principal, Rights};
use owlbox_engine::Variant;
use owlbox_http::problem::Problem;
use owlbox_locale::{Language, Locale};

fn at(minutes: i64) -> Timestamp {
    let start: chrono::DateTime<chrono::Utc> = "2026-11-20T20:07:00Z".parse().unwrap();
    (start + chrono::TimeDelta::minutes(minutes)).into()
}

/// A table of six. At one that is being played the game is on; at one that is over somebody was ahead.
fn table_of_night(
    number: u128,
    title: &str,
    night: &str,
    playing: bool,
    best: Option<usize>,
) -> TableOfNight {
    let night = night.parse().unwrap();
    let (name, rules) = (title.to_owned(), HouseRules::default());
    let stake = playing.then(|| serde_json::from_value(json!({ "amount": 500, "currency": "EUR" })).unwrap());
    let mut given = vec![TableCommand::Open { name, night, stake, rules, from: None }];
    given.extend((0..6).map(|number| TableCommand::Join { player: player_id(number) }));
    if playing {
        let roll = |(number, die): (usize, u8)| Roll {
            player: player_id(number),
            dice: vec![die.try_into().unwrap()],
        };
        let rolls = (0..6).zip([6, 5, 4, 3, 2, 1]).map(roll).collect();
        given.push(TableCommand::EnterRolls { rolls });
        given.push(TableCommand::StartGame { refereed: false, variant: None });
    }
    let mut stream = Stream::<Chouette>::default();
    let mut dice = Dice::seeded(1);
    for command in given {
        let mut inputs = Inputs { now: at(0), chance: &mut dice };
        for event in stream.state.decide(&command, &mut inputs).unwrap() {
            stream.state.apply(&event, at(0));
        }
    }
    let best = best.map(|number| Score { player: player_id(number), points: HalfPoints(34) });
    TableOfNight {
        id: ChouetteId(Uuid::from_u128(number)),
        night,
        stream: ShownStream::to(&shared::Viewer::default(), &stream),
        best,
    }
}

fn nights(t: &Locale) -> askama::Result<String> {
    let names = names();
    let tables = [
        table_of_night(1, "Friday table", "2026-11-20", false, Some(1)),
        table_of_night(2, "By the window", "2026-11-20", false, Some(2)),
        table_of_night(5, "Friday table", "2026-11-13", false, Some(5)),
    ];
    let euros = vec![LedgerUnit::Money(Currency::EURO)];
    let units = tables.iter().map(|table| (table.night, euros.clone())).collect();
    let page = PastNightsPage {
        t: treasurer(t, &names),
        frame: frame(t, "past-nights", Some(Tab::Night)),
        tables: &tables,
        units: &units,
        year: Some(2026),
        goes_on: true,
    };
    page.render()
}

fn home(t: &Locale, quiet: bool) -> askama::Result<String> {
    let night = "2026-11-20";
    let playing = table_of_night(9, "Friday table", night, true, None);
    let balance = |unit: &str, amount| BalanceRow {
        holder: player_id(1).into(),
        unit: unit.to_owned(),
        holder_kind: HolderKind::Player,
        amount,
        sequence: 9,
    };
    let screen = NightScreen {
        now: at(0),
        night: night.parse().unwrap(),
        newest: Some(playing.stream.clone()),
        open: match quiet {
            true => Vec::new(),
            false => vec![playing, table_of_night(8, "By the window", night, false, None)],
        },
        closed: vec![table_of_night(7, "Early birds", night, false, Some(5))],
        names: names(),
        has_past: true,
        tournaments: TournamentCards::default(),
        contested: if quiet { 0 } else { 2 },
        registrations: usize::from(!quiet),
        units: vec![LedgerUnit::Money(Currency::EURO)],
        balances: (!quiet).then(|| vec![balance("half_points", -46), balance("EUR", -11_500)]),
        lacks_players: false,
    };
    let open = drawn_tournaments::open();
    let page = HomePage {
        t: say_as(t, &screen.names, Some(player_id(1))),
        frame: frame(t, "night-title", Some(Tab::Night)),
        club: &Stream::<Club>::default().state,
        tournaments: if quiet { vec![] } else { drawn_tournaments::cards(t, &open) },
        screen: &screen,
    };
    page.render()
}

fn friday() -> HouseRules {
    let partner = json!({"when": "optional", "from": 8});
    let rules =
        json!({"cubes": "single", "box_retention": "beat_everyone", "cube_cap": 64, "partner": partner});
    serde_json::from_value(rules).unwrap()
}

fn house_rules(t: &Locale) -> askama::Result<String> {
    let (club, rules) = (Club::initial(), friday());
    HouseRulesPage {
        t: treasurer(t, &NOBODY),
        frame: frame(t, "house-rules-title", Some(Tab::Rules)),
        own: vec![RuleSet { name: "Friday", is_preset: false, rules: &rules }],
        ready: club.rule_sets().collect(),
    }
    .render()
}

fn rule_set(t: &Locale) -> askama::Result<String> {
    let set = RuleSet { name: "Friday", is_preset: false, rules: &friday() };
    let frame = Frame { title: "Friday".to_owned(), ..frame(t, "house-rules-title", Some(Tab::Rules)) };
    RuleSetPage { t: treasurer(t, &NOBODY), frame, set }.render()
}

/// A form that was refused: the set has no name yet, and a cap on cubes is none.
fn rule_set_form(t: &Locale) -> askama::Result<String> {
    let form = form_of(RuleSet { name: "common", is_preset: true, rules: &friday() });
    let mistakes =
        Mistakes::from([("name", t.error(Code::InvalidName)), ("cube_cap", t.get("house-rules-bad-value"))]);
    let frame = frame(t, "house-rules-new-title", Some(Tab::Rules));
    RuleSetForm { t: *t, frame, form: &form, mistakes: &mistakes }.render()
}

fn player_row(number: usize) -> ShownPlayer {
    let full = ["Ada Lovisetti", "Kim Andersen", "Louise Baudry", "Max Ferrero", "Ida Conti"];
    let name = full.get(number).copied().unwrap_or("Giambattista Quaglia-Montefiore");
    let of_lou = |text: &str| (number == 2).then(|| text.to_owned());
    ShownPlayer {
        id: player_id(number),
        guest: number == 6,
        active: number != 4,
        name: if number == 6 { "Noor".to_owned() } else { name.to_owned() },
        nickname: of_lou("Lou"),
        country: of_lou("FR"),
        club: of_lou("BG Lyon"),
        contact: of_lou("+33 6 12 34 56 78"),
        notes: None,
        iban: of_lou("FR14 2004 1010 0505 0001 3M02 606"),
    }
}

fn players(t: &Locale) -> askama::Result<String> {
    let rows: Vec<_> = (0..7).map(player_row).collect();
    let points =
        (0..7).map(|number: usize| (player_id(number), HalfPoints(62 - 22 * i64::try_from(number).unwrap())));
    let alike = [1, 4].map(|number| Candidate { player: player_id(number), name: name(number) });
    let page = PlayersPage {
        t: treasurer(t, &NOBODY),
        frame: frame(t, "tab-players", Some(Tab::Players)),
        search: "",
        rows: &rows,
        points: &points.collect(),
        next: Some("/players?after=x".to_owned()),
        alike: &[alike.to_vec()],
        added: None,
    };
    page.render()
}

fn invite() -> Invite {
    let link = "http://192.168.1.20:8080/claim/owll_8fKx2Tq0Zr5bV1mY7cN3uA".to_owned();
    Invite { link, until: at(3000), mailed: true }
}

fn personal(t: &Locale) -> askama::Result<String> {
    let ledger = |amount: i64| PersonalLine {
        transaction: TransactionId(Uuid::from_u128(1)),
        unit: "half_points".to_owned(),
        kind: "game".to_owned(),
        amount,
        balance: amount,
        with: name(0),
        from: "Friday".to_owned(),
        on: "2026-11-20".parse().unwrap(),
        posted_at: at(0),
        memo: None,
    };
    let data = PersonalData {
        player: player_id(2),
        at: at(90),
        details: PlayerDetails {
            name: "Louise Baudry".parse().unwrap(),
            nickname: Some("Lou".parse().unwrap()),
            country: None,
            club: None,
            contact: None,
            notes: None,
            iban: None,
        },
        guest: false,
        active: true,
        login: Some(PersonalLogin {
            account: AccountId(Uuid::from_u128(1)),
            login: Some("lou".to_owned()),
            email: Some("lou@club.example".parse().unwrap()),
            roles: Roles::from_roles(&[ClubRole::Player]),
            active: true,
            sessions: vec![[at(0), at(60)]],
            api_tokens: vec![("Score board".to_owned(), at(0))],
            api_token_details: Vec::new(),
            webhooks: vec![("https://bot.example/club".to_owned(), at(0))],
        }),
        balances: vec![PersonalBalance { unit: "half_points".to_owned(), amount: -7 }],
        ledger: (0..412).map(|line| ledger(8 - line % 10)).collect(),
        tables: Vec::new(),
        matches: Vec::new(),
        tournaments: Vec::new(),
        rated: vec![PersonalRating {
            finished_at: at(0),
            opponent: name(3),
            length: 7,
            won: true,
            rating: 1_523_456,
        }],
        games: Vec::new(),
        texts: Vec::new(),
        acts: Vec::new(),
        read_by: vec![PersonalReading { at: at(60), by: Some("Bruno".to_owned()), what: Read::Ledger }],
    };
    let page = PersonPage {
        t: treasurer(t, &NOBODY),
        frame: frame(t, "tab-players", Some(Tab::Players)),
        data: &data,
    };
    page.render()
}

fn erased(t: &Locale) -> askama::Result<String> {
    let said = |text: &str, after: &str| Mention {
        of: "daybook",
        stream: Uuid::from_u128(1),
        version: 7,
        text: text.to_owned(),
        after: after.to_owned(),
        about: false,
    };
    let near = NearMiss { of: "daybook", stream: Uuid::from_u128(1), text: "Baudrys' taxi".to_owned() };
    let preview = ErasurePreview {
        player: player_id(2),
        name: "Louise Baudry".to_owned(),
        pseudonym: "N.N. 3f9c2a71".to_owned(),
        login: Some("lou".to_owned()),
        texts: vec![
            said("For Louise’s taxi", "For N.N. 3f9c2a71’s taxi"),
            said("Lou's table", "N.N. 3f9c2a71's table"),
        ],
        near: vec![near],
        refused: None,
        version: 41,
    };
    let page = ErasePage {
        t: treasurer(t, &NOBODY),
        frame: frame(t, "tab-players", Some(Tab::Players)),
        preview: &preview,
        also: "Louise",
    };
    page.render()
}

fn person(t: &Locale) -> askama::Result<String> {
    let rated = |number: i64, won: bool, rating: i64| {
        let [you, other] = [player_id(2).into(), player_id(3).into()];
        let [winner, loser] = if won { [you, other] } else { [other, you] };
        let row = Rated {
            stream: player_id(9 % 7).into(),
            division: 0,
            number,
            finished_at: at(-number).into(),
            length: 7,
            winner,
            loser,
            winner_rating: rating,
            winner_experience: 7,
            loser_rating: rating,
            loser_experience: 7,
        };
        (row, Source::Match(MatchId(Uuid::from_u128(9))))
    };
    let screen = PlayerScreen {
        player: player_row(2),
        account: None,
        has_history: false,
        rating: Some(RatingRow {
            player: player_id(2).into(),
            value: 1_523_456,
            experience: 84,
            matches: 12,
        }),
        matches: vec![rated(1, true, 1_523_456), rated(2, false, 1_498_000), rated(3, true, 1_504_470)],
        names: names(),
    };
    let invite = invite();
    let page = PlayerPage {
        t: treasurer(t, &screen.names),
        frame: frame(t, "tab-players", Some(Tab::Players)),
        screen: &screen,
        ledger: None,
        games: Vec::new(),
        has_older: false,
        sends_mail: true,
        invite: Some(&invite),
    };
    page.render()
}

fn account(t: &Locale) -> askama::Result<String> {
    let token = |number: u128, title: &str, until: Option<Timestamp>, scopes: Option<&str>| ApiToken {
        id: AccountId(Uuid::from_u128(number)).into(),
        account: AccountId(Uuid::from_u128(1)),
        name: title.to_owned(),
        created_at: at(-90_000),
        expires_at: until.map(Into::into),
        revoked_at: None,
        scopes: StoredScopes(scopes.and_then(|scopes| scopes.parse().ok())),
        last_used_at: scopes.map(|_| at(-120).into()),
    };
    let page = AccountPage {
        t: treasurer(t, &NOBODY),
        frame: frame(t, "tab-account", Some(Tab::Account)),
        login: "kim",
        roles: Roles::from_roles(&[ClubRole::Scorer, ClubRole::Player]),
        email: Some("kim@club.example".parse().ok()),
        tokens: &[
            token(1, "Monthly export", Some(at(-400)), Some("books")),
            token(2, "Score board", None, Some("read")),
            token(3, "Night bot", None, None),
        ],
        tournaments: &[],
        new_token: Some("owlt_Zr5bV1mY7cN3uA8fKx2Tq0"),
    };
    page.render()
}

fn settings(t: &Locale, refused: Option<RefusedForm>) -> askama::Result<String> {
    let waiting = |number: u128, name: &str, login_taken: bool| Registration {
        id: Uuid::from_u128(number),
        login: name.to_lowercase().replace(' ', "."),
        login_taken,
        name: name.to_owned(),
        asked_at: at(-60),
    };
    let account = |number: u128, login: &str, player: Option<usize>, active: bool| AccountView {
        id: AccountId(Uuid::from_u128(number)),
        login: Some(login.to_owned()),
        player: player.map(player_id),
        name: player.map(name),
        roles: Roles::from_roles(&[ClubRole::Scorer, ClubRole::Player]),
        active,
    };
    let old = account(2, "old-scorer", None, false);
    let settings = ClubSettings::default();
    let page = SettingsPage {
        t: treasurer(t, &NOBODY),
        frame: Frame { refused, ..frame(t, "tab-settings", Some(Tab::Settings)) },
        club: &Stream::<Club>::default().state,
        settings: &settings,
        present: &written(t, &settings),
        nobody_else_approves: true,
        waiting: &[
            (waiting(11, "Maria Rossi", false), Some(player_id(0))),
            (waiting(12, "Lou Reed", true), None),
        ],
        without_login: &[ActivePlayer { id: player_id(2), name: name(2), nickname: None }],
        shown: &Shown::choosing_player(Some(old.id)),
        accounts: &[account(1, "kim", Some(1), true), old],
    };
    page.render()
}

fn books(t: &Locale, here: &str) -> Vec<ChipLink> {
    let of_club = ["books-treasury", "books-daybook", "books-house", "books-tournaments", "books-exports"];
    of_club.map(|key| ChipLink::new(t.get(key), "/ledger/house", key == here)).to_vec()
}

fn winter() -> Season {
    let rule = json!({
        "name": "Winter 2026", "from": "2026-10-01", "until": "2027-03-31", "coming": 1, "places": [10, 8, 6, 4, 2, 1],
        "best_nights": 4, "least_nights": 2
    });
    serde_json::from_value(rule).unwrap()
}

fn season(t: &Locale) -> askama::Result<String> {
    let player = |number: usize, place: Option<usize>, hundredths: i64| SeasonPlayer {
        place,
        player: PlayerId(Uuid::from_u128(u128::try_from(number).unwrap() + 1)),
        name: name(number),
        guest: number == 5,
        hundredths,
        nights: 6 - number,
        counted: (6 - number).min(4),
        won: 2 - number / 3,
        half_points: 41 - 17 * i64::try_from(number).unwrap(),
    };
    let points = [(Some(1), 4300), (Some(2), 3650), (Some(2), 3650), (Some(4), 1733), (None, 800)];
    let table = SeasonTable {
        season: winter().into(),
        nights: 6,
        players: points
            .into_iter()
            .enumerate()
            .map(|(at, (place, points))| player(at, place, points))
            .collect(),
    };
    let t = treasurer(t, &NOBODY);
    SeasonPage { t, frame: frame(&t, "seasons", Some(Tab::Night)), table: &table }.render()
}

fn seasons(t: &Locale) -> askama::Result<String> {
    let form = [
        ("was", "Winter 2026"),
        ("name", "Winter 2026"),
        ("from", "2026-10-01"),
        ("until", "2027-03-31"),
        ("coming", "1"),
        ("places", "10 8 6 4 2 1"),
        ("ties", "average"),
        ("best_nights", "4"),
        ("least_nights", "2"),
    ];
    let seasons = Seasons::default().with(None, winter()).unwrap();
    let t = treasurer(t, &NOBODY);
    let (frame, form) = (frame(&t, "seasons", Some(Tab::Night)), Some(Form::filled(&form)));
    SeasonsPage { t, frame, seasons: &seasons, is_list: true, form }.render()
}

/// Five nights of two months, the last of them still going on.
fn club_nights(t: &Locale, span: ClubSpan) -> askama::Result<String> {
    let night = |night: &str, games: i64, players: usize, minutes: Option<i64>| ClubNight {
        night: night.parse().unwrap(),
        tables: 1 + players / 6,
        games,
        players,
        half_points: games * 17,
        minutes,
    };
    let all = [
        night("2026-10-30", 19, 6, Some(251)),
        night("2026-11-06", 22, 7, Some(245)),
        night("2026-11-13", 9, 4, Some(130)),
        night("2026-11-20", 31, 11, Some(312)),
        night("2026-11-27", 4, 6, None),
    ];
    let nights: Vec<ClubNight> =
        all.into_iter().filter(|one| (span.first_day()..=span.last_day()).contains(&one.night)).collect();
    let won = |code: &str, amount: i64| MoneyWon { currency: code.parse().unwrap(), amount };
    let player = |number: usize, half_points: i64| PlayerNights {
        player: PlayerId(Uuid::from_u128(u128::try_from(number).unwrap() + 1)),
        name: name(number),
        guest: number == 5,
        nights: 5 - number / 2,
        ahead: 2,
        behind: 1,
        half_points,
        money: Some(vec![won("EUR", half_points * 250), won("CHF", half_points * -20)]),
    };
    let games = |ending: Ending, role: counted::Role, cube: u32, games: i64| MannerCount {
        manner: Manner {
            kind: counted::Kind::Chouette,
            variant: Variant::Standard,
            began: Began::Unknown,
            role,
            result: counted::Outcome::Won,
            ending,
            cube,
        },
        count: Count { games, half_points: games * 17 },
    };
    let all_games = [
        games(Ending::Single, counted::Role::Box, 2, 31),
        games(Ending::Gammon, counted::Role::Captain, 4, 12),
        games(Ending::Backgammon, counted::Role::Captain, 1, 1),
        games(Ending::Drop, counted::Role::Box, 1, 22),
    ];
    let period = ClubPeriod {
        from: span.first_day(),
        until: span.last_day(),
        averages: NightAverages::new([Some(1650), Some(700), Some(1700), Some(22_900)]),
        nights,
        players: [71, 12, 3, 0, -9, -20]
            .into_iter()
            .enumerate()
            .map(|(at, points)| player(at, points))
            .collect(),
        games: Summary::new(&all_games, &[]),
    };
    let screen = ClubPeriodScreen {
        period,
        neighbours: [Some(span.around("2025-12-05".parse().unwrap())), None],
        tables: vec![(ChouetteId(Uuid::from_u128(7)), "Friday table".to_owned(), 31)],
    };
    let t = treasurer(t, &NOBODY);
    ClubNightsPage { t, frame: frame(&t, "past-nights", Some(Tab::Night)), span, screen: &screen }.render()
}

/// Everybody of so many players against everybody; every seventh pair has not met.
fn head_to_head(t: &Locale, players: i64) -> askama::Result<String> {
    let id = |number: i64| {
        PlayerId(Uuid::from_u128(0x0190_a6f4_0000_7000_8000_0000_0000_0000 + u128::try_from(number).unwrap()))
    };
    let named = |number: i64| HeadToHeadPlayer {
        player: id(number),
        name: format!("{} {number}", name(usize::try_from(number % 7).unwrap())),
        half_points: 60 - number * 7,
    };
    let pair = |one: i64, other: i64| PairRecord {
        player: id(one),
        opponent: id(other),
        record: Record {
            games: 3 + (one + other) % 9,
            won: 2,
            lost: 1 + (one + other) % 9,
            drawn: 0,
            half_points: (other - one) * (1 + (one * other) % 5),
            ..Record::default()
        },
        matches_won: (one + other) % 3,
        matches_lost: (one + other) % 2,
    };
    let met = |(one, other): &(i64, i64)| one != other && (one + other) % 7 != 3;
    let pairs = (0..players).flat_map(|one| (0..players).map(move |other| (one, other)));
    let met = HeadToHead {
        players: (0..players).map(named).collect(),
        pairs: pairs.filter(met).map(|(one, other)| pair(one, other)).collect(),
        next: None,
    };
    let played = |who: &HeadToHeadPlayer| Played { who: who.clone(), games: players * 6, matches: 3 };
    let everybody: Vec<Played> = met.players.iter().map(played).collect();
    let page = HeadToHeadPage {
        t: treasurer(t, &NOBODY),
        frame: frame(t, "head-to-head", Some(Tab::Players)),
        above: ("/statistics".to_owned(), t.get("statistics-club")),
        asked: &Asked::default(),
        filter: GameFilter {
            from: "2026-01-01".parse().ok(),
            until: "2026-12-31".parse().ok(),
            ..GameFilter::default()
        },
        today: "2026-11-20".parse().unwrap(),
        met: &met,
        everybody: &everybody,
    };
    page.render()
}

fn income(t: &Locale) -> askama::Result<String> {
    let income = |entry_fees: i64| Income {
        entry_fees,
        side_pools: 20_000,
        registration: 32_000,
        refunds: 6_000,
        added: 50_000,
        prize_pool: entry_fees + 64_000,
        prizes: entry_fees + 40_000,
        kept: 24_000,
        house: 6_000,
        in_pools: 0,
        paid_in: entry_fees + 52_000,
        paid_out: entry_fees + 40_000,
    };
    let tournament = |name: &str, fees: i64| TournamentIncome {
        tournament: TournamentId(Uuid::from_u128(1)),
        name: name.to_owned(),
        date: "2026-11-20".parse().unwrap(),
        currency: Currency::EURO,
        income: income(fees),
    };
    let mut both = income(320_000);
    both.add(&Income { house: -80_000, ..income(64_000) });
    let report = IncomeReport {
        totals: vec![TotalIncome { currency: Currency::EURO, income: both }],
        items: vec![tournament("Turin Open 2026", 320_000), tournament("Christmas knock-out", 64_000)],
    };
    let page = IncomePage {
        t: treasurer(t, &NOBODY),
        frame: frame(t, "income-title", Some(Tab::Ledger)),
        books: books(t, "books-tournaments"),
        asked: asked_period("/ledger/tournaments"),
        csv: "/api/v1/ledger/tournaments?format=csv".to_owned(),
        report: &report,
    };
    page.render()
}

/// Everything, on a day in November.
fn asked_period(here: &'static str) -> AskedPeriod {
    AskedPeriod { here, period: income::Period::default(), today: "2026-11-20".parse().unwrap() }
}

/// A record, with where it stands.
fn entry(number: u32, status: EntryStatus, what: Noted) -> ShownEntry {
    let proposed = status == EntryStatus::Proposed;
    ShownEntry {
        number,
        on: "2026-11-20".parse().unwrap(),
        memo: number.is_multiple_of(2).then(|| "Miete November".parse().unwrap()),
        what,
        status,
        proposes: proposed.then_some(Proposal::Record),
        proposed_by: proposed.then_some(AccountId(Uuid::from_u128(9))),
        reason: (status == EntryStatus::TakenBack).then(|| "2025?".parse().unwrap()),
        at: at(0),
        by: AccountId(Uuid::from_u128(2)),
    }
}

fn player_id(number: usize) -> PlayerId {
    id(number).parse().unwrap()
}

fn entries() -> Vec<ShownEntry> {
    let currency = Currency::EURO;
    let (ada, ida) = (player_id(0), player_id(5));
    let (from, to, unit) = (Holder::House, ida.into(), LedgerUnit::Money(currency));
    let payee = Holder::House;
    vec![
        entry(31, EntryStatus::Proposed, Noted::Adjustment { from, to, unit, amount: 38_750 }),
        entry(30, EntryStatus::Posted, Noted::Expense { currency, amount: 37_500, means: Means::Cash }),
        entry(
            29,
            EntryStatus::Posted,
            Noted::Payment { payer: ada.into(), payee, currency, amount: 36_250, means: Means::Cash },
        ),
        entry(
            28,
            EntryStatus::TakenBack,
            Noted::Fee { players: vec![ida], fee: FeeKind::Membership, currency, amount: 35_000 },
        ),
    ]
}

/// The person who keeps the books.
fn treasurer<'a>(t: &Locale, names: &'a BTreeMap<PlayerId, String>) -> Say<'a> {
    say_as(t, names, None)
}

/// What is written for somebody who may do everything.
fn say_as<'a>(t: &Locale, names: &'a BTreeMap<PlayerId, String>, player: Option<PlayerId>) -> Say<'a> {
    let account = AccountId(Uuid::from_u128(1));
    let principal = Principal::of_login(account, player, Roles::ALL);
    Say::new(*t, Rights::new(Some(principal), Public::default()), names)
}

fn names() -> BTreeMap<PlayerId, String> {
    (0..7).map(|number| (player_id(number), name(number))).collect()
}

fn daybook(t: &Locale) -> askama::Result<String> {
    let names = names();
    let page = DaybookPage {
        t: treasurer(t, &names),
        frame: frame(t, "daybook-title", Some(Tab::Ledger)),
        books: books(t, "books-daybook"),
        entries: &entries(),
        more: true,
    };
    page.render()
}

fn treasury(t: &Locale) -> askama::Result<String> {
    let currency = Currency::EURO;
    let names = names();
    let payment = |payer: Holder, payee: Holder, amount| DuePayment { payer, payee, amount };
    let due = |number, balance| Debtor { player: player_id(number), balance, chosen: false };
    let [ada, lou, ida]: [Holder; 3] = [0, 2, 5].map(|number| player_id(number).into());
    let creditor =
        |name: &str| BankAccount { name: name.to_owned(), iban: "DE89370400440532013000".parse().unwrap() };
    let mut recent = entries();
    let screen = TreasuryScreen {
        today: "2026-11-20".parse().unwrap(),
        currencies: Currencies::try_from(vec![currency, "CHF".parse().unwrap()]).unwrap(),
        closing: Closing(Some("2026-09".parse().unwrap())),
        money: vec![ClubStanding {
            money: ClubMoney { currency, drawer: 41_850, bank: 210_000 },
            owe: 9_500,
            owed: 5_500,
            earned: 31_250,
        }],
        due: vec![DueOfClub {
            currency,
            owe: 9_500,
            owed: 5_500,
            payments: vec![
                payment(ida, ada, 5_500),
                payment(lou, Holder::House, 3_000),
                payment(ida, Holder::House, 1_000),
            ],
            more_payments: true,
            people: vec![due(5, -6_500), due(2, -3_000), due(0, 5_500)],
            more_people: true,
        }],
        creditors: [(ada, creditor("Ada Rossi")), (Holder::House, creditor("Circolo"))].into(),
        waiting: recent.drain(..1).collect(),
        recent,
        names: names.clone(),
        players: (0..7)
            .map(|number| ActivePlayer { id: player_id(number), name: name(number), nickname: None })
            .collect(),
    };
    let page = TreasuryPage {
        t: treasurer(t, &names),
        frame: frame(t, "treasury-title", Some(Tab::Ledger)),
        books: books(t, "books-treasury"),
        screen: &screen,
        asked: DueOptions::default(),
    };
    page.render()
}

fn import(t: &Locale, is_wrong: bool) -> askama::Result<String> {
    let (kind, unit) = (import::TableKind::Standings, LedgerUnit::Money(Currency::EURO));
    let line = |line: u64, id: Option<PlayerId>, of: usize, amount: i64| {
        let player = ImportPerson { id, name: name(of) };
        (ImportStanding { line, player: player.clone(), unit, amount }, ImportSum { player, unit, amount })
    };
    let (standings, sums) =
        [line(2, Some(player_id(0)), 0, -1_250), line(3, None, 5, 4_000)].into_iter().unzip();
    let why = import::Why::UnknownPlayer;
    let wrong = import::Wrong {
        line: 4,
        column: Some(import::Column::Player),
        found: "Xaver".to_owned(),
        why,
        allowed: why.allowed(),
        may_be: [player_id(2)].into(),
    };
    let found = ImportPreview {
        standings,
        games: Vec::new(),
        sums,
        wrong: if is_wrong { vec![wrong] } else { Vec::new() },
        added: if is_wrong { Vec::new() } else { vec![name(5).parse().unwrap()] },
        names: names(),
    };
    let page = ImportPage {
        t: treasurer(t, &found.names),
        frame: frame(t, "import-title", Some(Tab::Ledger)),
        books: books(t, "books-treasury"),
        kind,
        form: &Form::filled(&[("csv", "player,unit,amount\nAnna,EUR,-12.50\n"), ("on", "2026-11-20")]),
        today: "2026-11-20".parse().unwrap(),
        found: Some(&found),
    };
    page.render()
}

fn exports(t: &Locale) -> ExportsPage {
    ExportsPage {
        t: *t,
        frame: frame(t, "exports-title", Some(Tab::Ledger)),
        books: books(t, "books-exports"),
        asked: asked_period("/ledger/exports"),
    }
}

/// A posting of a transaction to an account: to whom, for what, how much, and the balance after it.
fn statement_line(
    number: i64,
    other: usize,
    (kind, source): (PostingKind, Source),
    (amount, balance): (i64, i64),
) -> StatementLine {
    let (night, happened_at) = ("2026-11-20".parse().unwrap(), at(-number * 17));
    let counts_for = if number == 4 { "2026-12-01".parse().unwrap() } else { night };
    let id = TransactionId(Uuid::from_u128(number.unsigned_abs().into()));
    StatementLine {
        sequence: 100 - number,
        kind: "game".to_owned(),
        purpose: kind.name().to_owned(),
        bet: kind.name().to_owned(),
        with: HolderKind::Player,
        counterparty: Some(player_id(other)),
        pool: None,
        chouette: None,
        tournament: None,
        sheet: None,
        game: (source != Source::Daybook).then(|| i32::try_from(14 - number).unwrap()),
        variant: None,
        night,
        counts_for,
        booked_on: counts_for,
        reverses: None,
        record: None,
        memo: None,
        amount,
        balance,
        running: None,
        happened_at,
        posted_at: happened_at,
        transaction: id,
        act: ActId(id.0),
        other: player_id(other).into(),
        source,
    }
}

/// The ledger of the house.
fn ledger_of_house(t: &Locale) -> askama::Result<String> {
    let (currency, names) = (Currency::EURO, names());
    let kinds =
        [(MoveKind::PaidIn, 0, -5_000), (MoveKind::Membership, 0, 5_000), (MoveKind::Expense, 1, -4_200)];
    let line = |(number, (kind, other, amount)): (i64, (MoveKind, usize, i64))| {
        let what = (PostingKind::Recorded(kind), Source::Daybook);
        statement_line(number, other, what, (amount, 0))
    };
    let screen = StatementScreen {
        unit: LedgerUnit::Money(currency),
        today: "2026-11-20".parse().unwrap(),
        balances: Vec::new(),
        lines: (0..).zip(kinds).map(line).collect(),
        period: None,
        club: Some(ClubStanding {
            money: ClubMoney { currency, drawer: 62_000, bank: 210_000 },
            owe: 9_500,
            owed: 5_500,
            earned: 31_250,
        }),
        holder_name: None,
        dues: None,
        names,
        sources: BTreeMap::new(),
    };
    ledger_page(t, "ledger-of-house", Holder::House, Filter::default(), &screen)
}

fn ledger(t: &Locale) -> askama::Result<String> {
    let (currency, names) = (Currency::EURO, names());
    let you = Holder::Player(player_id(1));
    let table = Source::Chouette(ChouetteId(Uuid::from_u128(9)));
    let amounts = [4, -2, -7, 3, -1, 12, -4, 1, -9, 2];
    let mut balance = -40;
    let after = amounts.iter().rev().map(|amount| {
        balance += 2 * amount;
        balance
    });
    let mut after: Vec<i64> = after.collect();
    after.reverse();
    let lines = (0..).zip(amounts.iter().zip(&after)).flat_map(|(number, (amount, balance))| {
        let others: &[usize] = if number % 3 == 0 { &[0, 2, 3, 5] } else { &[0] };
        let share = |other: &usize| {
            let amount = if *other == 0 { 2 * amount } else { 0 };
            statement_line(number, *other, (PostingKind::Game, table), (amount, *balance))
        };
        others.iter().map(share).collect::<Vec<_>>()
    });
    let creditor =
        BankAccount { name: "Owl club".to_owned(), iban: "IT60X0542811101000000123456".parse().unwrap() };
    let payment = DuePayment { payer: you, payee: Holder::House, amount: 1_200 };
    let screen = StatementScreen {
        unit: LedgerUnit::HalfPoints,
        today: "2026-11-20".parse().unwrap(),
        balances: [("half_points", after[0]), ("EUR", -1_200)]
            .map(|(unit, amount)| BalanceRow {
                holder: player_id(1).into(),
                unit: unit.to_owned(),
                holder_kind: HolderKind::Player,
                amount,
                sequence: 99,
            })
            .into(),
        lines: lines.collect(),
        period: Some(Period {
            opening: -40,
            closing: -42,
            sums: StatementSums { lines: 10, gained: 44, lost: -46 },
        }),
        club: None,
        holder_name: Some(name(1)),
        dues: Some(OwnDues {
            name: name(1),
            dues: vec![OwnDue { currency, balance: -1_200, payments: vec![payment] }],
            creditors: [(Holder::House, creditor)].into(),
            names: names.clone(),
        }),
        names,
        sources: [(table, "Friday table".to_owned())].into(),
    };
    let filter = Filter {
        from: Some("2026-11-01".parse().unwrap()),
        until: Some("2026-11-30".parse().unwrap()),
        counterparty: Some(player_id(0).into()),
        ..Filter::default()
    };
    ledger_page(t, "your-ledger", you, filter, &screen)
}

fn ledger_page(
    t: &Locale,
    title: &str,
    holder: Holder,
    filter: Filter,
    screen: &StatementScreen,
) -> askama::Result<String> {
    let (games, _) = ledger::page::games(&screen.lines);
    let page = LedgerPage {
        t: treasurer(t, &screen.names),
        frame: frame(t, title, Some(Tab::Ledger)),
        title: t.get(title),
        books: books(t, if holder == Holder::House { "books-house" } else { "" }),
        here: Here { holder, unit: screen.unit, filter },
        own: true,
        remindable: false,
        is_first: true,
        screen,
        goes_on: screen.lines.last().filter(|_| holder != Holder::House),
        games,
    };
    page.render()
}

/// Every page with its name, as a phone or a director would see it.
fn draw(t: &Locale) -> Vec<(&'static str, String)> {
    let quiet_frame = |title| frame(t, title, None);
    let mut refused = quiet_frame("sign-in-title");
    refused.notice = Some(Notice { text: t.error(Code::WrongLoginOrPassword), problem: true, link: None });
    let typed = &Form::default();
    let setup = SetUpPage { t: *t, frame: quiet_frame("setup-title"), typed };
    let claim = |purpose, login: Option<&str>| {
        let (name, login) = (Some("Louise".to_owned()), login.map(str::to_owned));
        let link = &LinkView { purpose, name, login, expires_at: at(0) };
        ClaimPage { t: *t, frame: quiet_frame("claim-title"), secret: "token", link, typed }.render()
    };
    let error = ErrorPage {
        t: *t,
        frame: frame(t, "error-lead", Some(Tab::Night)),
        problem: &Problem::new(Code::NotFound, "there is no such page"),
        request: "019a0d6e-7a51".to_owned(),
    };
    let register = |asked| RegisterPage { t: *t, frame: frame(t, "register-title", None), typed, asked };
    let sign_in = SignInPage {
        t: *t,
        frame: refused,
        login: "kim",
        next: "/",
        may_register: true,
        forgotten: Some(true),
        tournaments: Vec::new(),
    };
    let left = [
        ("unsent-to", "/tournaments/1/desk/1/entries"),
        ("unsent:names", &format!("{}\n{}", name(0), name(5))),
    ];
    let unsent = &Unsent::of_sign_in(&Form::filled(&left)).unwrap();
    let unsent = |tab| UnsentPage {
        t: *t,
        frame: Frame { tab: None, ..frame(t, "unsent-title", tab) },
        unsent,
        login: "",
    };
    let rendered: Vec<(&'static str, askama::Result<String>)> = vec![
        ("home", home(t, false)),
        ("house-rules", house_rules(t)),
        ("rule-set", rule_set(t)),
        ("rule-set-form", rule_set_form(t)),
        ("unsent", unsent(None).render()),
        ("unsent-signed-in", unsent(Some(Tab::Night)).render()),
        ("nights", nights(t)),
        ("home-quiet", home(t, true)),
        ("players", players(t)),
        ("player", person(t)),
        ("person", personal(t)),
        ("erase", erased(t)),
        ("account", account(t)),
        ("settings", settings(t, None)),
        ("ledger", ledger(t)),
        ("ledger-house", ledger_of_house(t)),
        ("income", income(t)),
        ("treasury", treasury(t)),
        ("import", import(t, false)),
        ("import-wrong", import(t, true)),
        ("daybook", daybook(t)),
        ("exports", exports(t).render()),
        ("club-year", club_nights(t, ClubSpan::Year(2026))),
        ("club-month", club_nights(t, ClubSpan::Month(Month { year: 2026, month: 11 }))),
        (
            "club-night",
            club_nights(t, ClubSpan::Night(chrono::NaiveDate::from_ymd_opt(2026, 11, 20).unwrap())),
        ),
        ("season", season(t)),
        ("seasons", seasons(t)),
        ("head-to-head", head_to_head(t, 6)),
        ("head-to-head-many", head_to_head(t, 40)),
        ("setup", setup.render()),
        ("sign-in", sign_in.render()),
        ("register", register(false).render()),
        ("register-asked", register(true).render()),
        ("claim", claim(Purpose::Invite, None)),
        ("reset", claim(Purpose::Reset, Some("lou"))),
        ("error", error.render()),
    ];
    let of_tournaments = drawn_tournaments::pages(t, &|title| frame(t, title, Some(Tab::Tournaments)));
    let of_desks = crate::directing::samples::pages(t, &|title| frame(t, title, Some(Tab::Tournaments)));
    let boards = [false, true].map(|mirrored| board::samples::to_play(t, [&name(0), &name(1)], mirrored));
    let of_tables = table::samples::pages(t, &|title| frame(t, title, Some(Tab::Night)), boards);
    let rendered = rendered.into_iter().map(|(name, page)| (name, page.unwrap()));
    rendered.chain(of_tables).chain(of_tournaments).chain(of_desks).collect()
}

/// Every page in every language, drawn once for all tests: that takes seconds.
static PAGES: LazyLock<Vec<(Language, &str, String)>> = LazyLock::new(|| {
    let drawn =
        |&language| draw(&locale(language)).into_iter().map(move |(name, page)| (language, name, page));
    Language::ALL.iter().flat_map(drawn).collect()
});

fn in_english() -> impl Iterator<Item = (&'static str, &'static str)> {
    PAGES.iter().filter(|page| page.0 == Language::English).map(|(_, name, page)| (*name, page.as_str()))
}

/// Writes the pages, and the assets beside them, where a browser can open them.
#[test]
fn every_page_can_be_looked_at_under_target_preview() {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/preview");
    fs::create_dir_all(&folder).unwrap();
    for asset in assets::all() {
        fs::write(folder.join(asset.name), asset.bytes).unwrap();
    }
    for (language, name, page) in PAGES.iter() {
        let mut page = page.clone();
        for asset in assets::all() {
            page = page.replace(&asset.address, asset.name);
        }
        fs::write(folder.join(format!("{name}.{}.html", language.tag())), page).unwrap();
    }
}

#[test]
fn no_page_needs_inline_script_or_style_or_another_host() {
    for (_, name, page) in PAGES.iter() {
        for forbidden in
            ["<style", " style=", "javascript:", " onclick=", "hx-on", "src=\"http", "href=\"http"]
        {
            assert!(!page.contains(forbidden), "{name} has {forbidden}");
        }
        for script in page.split("<script").skip(1) {
            assert!(script.starts_with(" src=\"/assets/"), "{name} has an inline script");
        }
    }
}

/// M2: what is markup on one page is no text on another. Only what is copied into a club's own page is shown
/// as markup.
#[test]
fn nothing_is_escaped_twice() {
    for (_, name, page) in PAGES.iter() {
        let page = page.replace("&#60;iframe ", "").replace("&#60;/iframe", "");
        for shown in page.split("&#60;").skip(1) {
            let is_markup = shown.starts_with(|c: char| c.is_ascii_lowercase() || c == '/');
            assert!(!is_markup, "{name} shows markup: <{shown:.20}");
        }
        for twice in ["&#38;#", "&#38;amp;", "&amp;#", "&amp;amp;"] {
            assert!(!page.contains(twice), "{name} escapes twice: {twice}");
        }
    }
}

#[test]
fn every_form_that_posts_carries_the_csrf_token_and_ids_are_unique() {
    for (_, name, page) in PAGES.iter() {
        for form in page.split("<form").skip(1).filter(|form| form.contains("method=\"post\"")) {
            let form = form.split("</form>").next().unwrap();
            assert!(form.contains("name=\"csrf\" value=\"csrf-token\""), "{name}: {form}");
        }
        let mut ids: Vec<_> =
            page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all, "{name} uses an id twice");
    }
}

/// A form with each of its buttons, and with each option of its lists: what a browser would send.
fn sendings(form: &str) -> Vec<Vec<(String, String)>> {
    let attribute = |tag: &str, name: &str| {
        let value = tag.split_once(&format!(" {name}=\""))?.1.split('"').next()?;
        Some(value.replace("&#34;", "\"").replace("&#39;", "'").replace("&#38;", "&").replace("&amp;", "&"))
    };
    let (mut fields, mut buttons) = (Vec::new(), Vec::new());
    let mut lists: Vec<(String, Vec<String>)> = Vec::new();
    for tag in form.split('<').skip(1).map(|part| part.split('>').next().unwrap()) {
        let named = attribute(tag, "name")
            .filter(|name| !["csrf", "then", "key", "version", "each"].contains(&name.as_str()));
        let value = attribute(tag, "value").unwrap_or_default();
        match (tag.split_whitespace().next().unwrap_or_default(), named) {
            ("input" | "textarea", Some(name)) => {
                let is_typed = value.is_empty() && !tag.contains("type=\"hidden\"");
                let typed = if is_typed { "1".to_owned() } else { value };
                fields.push((name, typed));
            }
            ("button", Some(name)) => buttons.push((name, value)),
            ("select", Some(name)) => lists.push((name, Vec::new())),
            ("option", _) if !value.is_empty() => lists.last_mut().unwrap().1.push(value),
            _ => {}
        }
    }
    let first = |(name, options): &(String, Vec<String>)| Some((name.clone(), options.first()?.clone()));
    let firsts: Vec<(String, String)> = lists.iter().filter_map(first).collect();
    let mut all: Vec<Vec<(String, String)>> = Vec::new();
    for (place, (name, options)) in lists.iter().enumerate() {
        for option in options {
            let others = firsts
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != place)
                .map(|(_, field)| field.clone());
            all.push([fields.clone(), others.collect(), vec![(name.clone(), option.clone())]].concat());
        }
    }
    all.extend(buttons.into_iter().map(|button| [fields.clone(), firsts.clone(), vec![button]].concat()));
    if all.is_empty() { vec![fields] } else { all }
}

/// Where numbers are typed it is a 1, and every box is ticked.
#[test]
fn whatever_is_chosen_in_a_form_it_is_a_command() {
    let converted = ["amount", "awards", "tables", "minutes", "guest"];
    let mut tried = [0, 0];
    for (name, page) in in_english() {
        for form in page.split("<form").skip(1).map(|rest| rest.split("</form>").next().unwrap()) {
            let head = form.split('>').next().unwrap();
            if !head.contains("/act\"") {
                continue;
            }
            for sent in sendings(form) {
                let read = crate::pages::fields::read(
                    sent.iter().map(|(name, value)| (name.as_str(), value.as_str())),
                );
                let mut command =
                    read.unwrap_or_else(|malformed| panic!("{name}: {malformed:?} in {sent:?}"));
                tried[0] += 1;
                command.remove("points_then");
                command.remove("pools");
                if command.get("command").is_some_and(|command| command == crate::directing::ARRIVE) {
                    let arrival = command.remove("arrival").unwrap_or_default();
                    serde_json::from_value::<owlbox_desk::tournaments::Arrival>(arrival).unwrap();
                    tried[1] += 1;
                    continue;
                }
                let typed = |part: &str| command.get(part).is_some_and(|part| !part.is_number());
                let by_script = sent.iter().any(|(name, value)| name == "choice" && value.is_empty());
                if by_script || command.contains_key("minutes") || converted.iter().any(|part| typed(part)) {
                    continue;
                }
                let command = serde_json::Value::Object(command);
                // The other samples are of no real table.
                if head.contains("\"/tournaments/") {
                    tried[1] += 1;
                    let order = serde_json::from_value::<owlbox_desk::tournaments::Order>(command);
                    assert!(order.is_ok(), "{name}: {order:?} of {sent:?}");
                }
            }
        }
    }
    assert!(tried.iter().all(|tried| *tried > 30), "only {tried:?} were tried");
}

/// Screen-reader users navigate by headings and landmarks. No heading level is skipped, and landmarks of one
/// kind have different names on a page (axe: `heading-order`, `landmark-unique`).
#[test]
fn headings_follow_in_order_and_landmarks_have_names_of_their_own() {
    let called =
        |tag: &str, name: &str| Some(tag.split_once(&format!(" {name}=\""))?.1.split('"').next()?.to_owned());
    for (name, page) in in_english() {
        let (mut level, mut landmarks) = (0, Vec::new());
        for tag in page.split('<').skip(1).map(|part| part.split('>').next().unwrap()) {
            let element = tag.split_whitespace().next().unwrap_or_default();
            if let Some(next) = element.strip_prefix('h').and_then(|level| level.parse::<u8>().ok()) {
                assert!(next <= level + 1, "{name}: {element} after h{level}");
                level = next;
            }
            let kind = match element {
                "section" => "region",
                "nav" => "navigation",
                _ if tag.contains(" role=\"region\"") => "region",
                _ if tag.contains(" role=\"search\"") => "search",
                _ => continue,
            };
            if let Some(called) = called(tag, "aria-labelledby").or_else(|| called(tag, "aria-label")) {
                landmarks.push((kind, called));
            }
        }
        let all = landmarks.len();
        landmarks.sort();
        landmarks.dedup();
        assert_eq!(landmarks.len(), all, "{name}: {landmarks:?}");
    }
}

/// The size after compression, in bytes.
fn compressed(bytes: &[u8]) -> usize {
    let mut zipped = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    zipped.write_all(bytes).unwrap();
    zipped.finish().unwrap().len()
}

#[test]
fn a_page_with_all_its_assets_stays_below_100_kb_on_the_wire() {
    for (name, page) in in_english() {
        let loaded = assets::all().iter().filter(|asset| page.contains(&asset.address));
        let assets: usize = loaded.map(|asset| compressed(asset.bytes)).sum();
        let weight = compressed(page.as_bytes()) + assets;
        assert!(weight < 100_000, "{name} weighs {weight}");
    }
}

/// What is ticked in a form is not so until it is saved.
#[test]
fn an_account_is_shown_as_it_is_while_its_form_is_refused() {
    let t = Locale::new(Language::English, chrono_tz::UTC);
    let action = format!("/settings/accounts/{}", AccountId(Uuid::from_u128(1)));
    let refused = RefusedForm::sample(t, &action, &[("roles", "")], "roles");
    let [before, after] = [None, Some(refused)].map(|refused| settings(&t, refused).unwrap());
    let both = |text: &str| [&before, &after].map(|page| page.matches(text).count());
    assert_eq!(both("<span class=\"badge\">inactive</span>"), [1, 1]);
    assert_eq!(both("name=\"active\" value=\"true\" checked"), [1, 0]);
}
