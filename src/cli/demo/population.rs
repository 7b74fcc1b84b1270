//! The people and the nights of the demonstration; `tournaments` has its tournaments.
//!
//! Past nights give the books a history. Tonight's table is in the middle of a game, with turned cubes and a
//! double waiting for its answer. The values of games are distributed as in 2,215 recorded games of one club.

use chrono::{TimeDelta, TimeZone as _, Utc};
use secrecy::{ExposeSecret as _, SecretString};

use super::clock::DemoClock;
use super::evening::Evening;
use super::tournaments::Director;
use super::{DemoError, books};
use owlbox_base::permissions::Public;
use owlbox_base::permissions::{Role, Roles};
use owlbox_base::values::{InvalidValue, PlayerId, Stake, Timestamp};
use owlbox_books::club::players::PlayerDetails;
use owlbox_books::club::settings::Settings;
use owlbox_chouette::Command;
use owlbox_desk::access::accounts::NewAccount;
use owlbox_desk::access::links::Claim;
use owlbox_desk::access::set_up::SetUp;
use owlbox_desk::chouettes::NewChouette;
use owlbox_desk::{Actor, Desk, Dice, Request};

/// The password of every login. That is safe because the club is throwaway, and the console says so.
pub(super) const PASSWORD: &str = "an owl in the barn";
pub(super) const SIGN_INS: [(Role, &str); 5] = [
    (Role::Admin, "admin"),
    (Role::Treasurer, "treasurer"),
    (Role::Director, "director"),
    (Role::Scorer, "scorer"),
    (Role::Player, "ada"),
];

/// The people: name, nickname, country. The first is the player to sign in as; the last is a guest.
const PEOPLE: [(&str, &str, &str); 18] = [
    ("Ada Conti", "Ada", "IT"),
    ("Bruno Ferri", "Bruno", "IT"),
    ("Chiara Greco", "Chiara", "IT"),
    ("Dino Marchetti", "Dino", "IT"),
    ("Elena Sartori", "Elena", "IT"),
    ("Fabio Lombardi", "Fabio", "IT"),
    ("Giulia Neri", "Giulia", "IT"),
    ("Henri Dubois", "Henri", "FR"),
    ("Ingrid Vogel", "Ingrid", "DE"),
    ("Jonas Keller", "Jonas", "CH"),
    ("Kemal Aydın", "Kemal", "TR"),
    ("Lucía Ortega", "Lucía", "ES"),
    ("Marco Bellini", "Marco", "IT"),
    ("Nora Weiss", "Nora", "AT"),
    ("Oskar Lind", "Oskar", "SE"),
    ("Paola Ricci", "Paola", "IT"),
    ("Quentin Moreau", "Quentin", "FR"),
    ("Rosa Silva", "Rosa", "PT"),
];

/// Past nights: how many days ago, the players as indices into [`PEOPLE`], and the number of games.
const NIGHTS: [(i64, &[usize], u32); 3] =
    [(21, &[0, 1, 2, 3, 4, 5], 14), (14, &[6, 7, 0, 8, 9, 2], 12), (7, &[10, 1, 4, 6, 8, 11, 5], 13)];
/// Tonight's players, and the number of finished games.
const TODAY: (&[usize], u32) = (&[0, 2, 7, 4, 10, 6], 5);

/// Fills the empty club of `desk`, whose clock is `clock`, as of `now`. Without past nights there are no
/// tournaments.
pub(super) async fn populate(
    desk: &Desk,
    clock: &DemoClock,
    now: Timestamp,
    past_nights: usize,
) -> Result<(), DemoError> {
    clock.set((now.utc() - TimeDelta::days(30)).into());
    let (players, staff) = opened_club(desk, settings()?, details()?).await?;
    let (scorer, chance) = (staff.scorer, Dice::seeded(2215));
    let mut evening = Evening { desk, clock, scorer, chance, chouette: None };
    for (days, seats, games) in NIGHTS.into_iter().take(past_nights) {
        let day = (now.utc() - TimeDelta::days(days)).date_naive();
        let opened = day.and_hms_opt(19, 0, 0).map(|time| Utc.from_utc_datetime(&time));
        clock.set(opened.unwrap_or_else(|| now.utc()).into());
        let seats = seated(&players, seats);
        evening.opened(table("Friday chouette")?, &seats).await?;
        for game in 1..=games {
            evening.game().await?;
            if game % 4 == 0 {
                evening.come_and_go(&players).await?;
            }
        }
        evening.tell(Command::Close {}).await?;
    }
    if past_nights > 0 {
        books::keep(desk, (staff.treasurer, clock), now, &players).await?;
        tournaments(desk, clock, now, (staff.director, &players)).await?;
    }
    let (seats, games) = TODAY;
    clock.set((now.utc() - TimeDelta::minutes(90)).into());
    evening.opened(table("Tonight's chouette")?, &seated(&players, seats)).await?;
    for _ in 0..games {
        evening.game().await?;
    }
    evening.game_in_progress().await
}

/// Last week's tournament, today's, and a friendly match.
async fn tournaments(
    desk: &Desk,
    clock: &DemoClock,
    now: Timestamp,
    (director, players): (Actor, &[PlayerId]),
) -> Result<(), DemoError> {
    let mut directing = Director { desk, clock, director, chance: Dice::seeded(16) };
    clock.set((now.utc() - TimeDelta::days(6)).into());
    directing.last_week(players).await?;
    clock.set((now.utc() - TimeDelta::minutes(110)).into());
    directing.today(players).await?;
    if let [.., one, other] = players {
        clock.set((now.utc() - TimeDelta::minutes(40)).into());
        directing.friendly([*one, *other]).await?;
    }
    Ok(())
}

fn seated(players: &[PlayerId], seats: &[usize]) -> Vec<PlayerId> {
    seats.iter().filter_map(|&seat| players.get(seat).copied()).collect()
}

/// A table that plays for five euros a point, by the common rules.
fn table(name: &str) -> Result<NewChouette, InvalidValue> {
    let stake = Stake { amount: 500.try_into()?, currency: "EUR".parse()? };
    Ok(NewChouette { name: name.to_owned(), stake: Some(stake), rules: None, house_rules: None })
}

/// The club's settings.
pub(super) fn settings() -> Result<Settings, InvalidValue> {
    Ok(Settings {
        name: "The Owls".parse()?,
        time_zone: "Europe/Rome".parse()?,
        public: Public { tables: true, standings: true },
        ..Settings::default()
    })
}

fn details() -> Result<Vec<PlayerDetails>, InvalidValue> {
    let details = |(name, nickname, country): (&str, &str, &str)| {
        Ok(PlayerDetails {
            nickname: Some(nickname.parse()?),
            country: Some(country.parse()?),
            ..PlayerDetails::named(name.parse()?)
        })
    };
    PEOPLE.into_iter().map(details).collect()
}

/// Who works for the club.
pub(super) struct Staff {
    pub(super) admin: Actor,
    pub(super) treasurer: Actor,
    pub(super) director: Actor,
    pub(super) scorer: Actor,
}

/// Sets up the club. The first of its people is the player to sign in as, the last is a guest.
pub(super) async fn opened_club(
    desk: &Desk,
    settings: Settings,
    people: Vec<PlayerDetails>,
) -> Result<(Vec<PlayerId>, Staff), DemoError> {
    let [(_, admin_login), others @ ..] = SIGN_INS;
    let code = desk.set_up_code().await?.unwrap_or_default();
    let password = || SecretString::from(PASSWORD);
    let set_up = SetUp { code, settings, login: admin_login.parse()?, password: password() };
    let tokens = desk.set_up(set_up).await?;
    let admin = desk.verify_access_token(tokens.access.expose_secret()).await?.actor;

    let (mut players, last) = (Vec::new(), people.len());
    for (number, details) in (1..).zip(people) {
        players.push(desk.add_player(Request::by(admin), details, number == last).await?.0);
    }
    let mut staff = Staff { admin, treasurer: admin, director: admin, scorer: admin };
    for (role, login) in others {
        let player = players.first().copied().filter(|_| role == Role::Player);
        let new = NewAccount { player, roles: Roles::from_roles(&[role]), email: None };
        let (link, _) = desk.create_account(Request::by(admin), new).await?;
        let claim = Claim { login: Some(login.parse()?), password: password() };
        let tokens = desk.claim_link(link.secret.expose_secret(), claim).await?;
        let actor = desk.verify_access_token(tokens.access.expose_secret()).await?.actor;
        match role {
            Role::Treasurer => staff.treasurer = actor,
            Role::Director => staff.director = actor,
            Role::Scorer => staff.scorer = actor,
            Role::Admin | Role::Player => {}
        }
    }
    Ok((players, staff))
}

impl Evening<'_> {
    /// A game in progress: the captain's cube is taken and the next one's redoubled, one player has dropped,
    /// one double waits for the box, and one cube is still centred.
    async fn game_in_progress(&mut self) -> Result<(), DemoError> {
        let (box_player, members) = self.started().await?;
        let [captain, second, third, fourth, ..] = members.as_slice() else { return Ok(()) };
        self.double(*captain, None).await?;
        self.double(*second, None).await?;
        self.take(box_player).await?;
        self.double(box_player, Some(*second)).await?;
        self.take(*second).await?;
        self.double(box_player, Some(*third)).await?;
        self.drop(*third).await?;
        self.double(*fourth, None).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use owlbox_chouette::{BetStanding, Chouette, Phase, Side};
    use owlbox_desk::verify::verify;
    use owlbox_desk::{Clock as _, Dependencies, SystemClock};
    use owlbox_play::tournament::Tournament;
    use owlbox_store::{DatabaseUrl, Options, Store, books};

    #[tokio::test]
    async fn the_club_is_in_order_with_a_night_in_progress() {
        let folder = tempfile::tempdir().unwrap();
        let url = DatabaseUrl::Sqlite(folder.path().join("demo.db"));
        let store = Store::open(&url, &Options::default()).unwrap();
        let now = SystemClock.now();
        let clock = DemoClock::at(now);
        let desk =
            Desk::new(Dependencies { clock: Box::new(clock.clone()), ..Dependencies::with_store(store) });
        populate(&desk, &clock, now, usize::MAX).await.unwrap();
        assert!(clock.now() < now, "the night does not lie in the future");

        let mut connection = Store::open_for_reading(&url).unwrap();
        let checked = verify(&mut connection).unwrap();
        assert_eq!((checked.players, checked.accounts, checked.chouettes), (18, 5, 4));
        assert!(checked.transactions > 14 + 12 + 13 + 5, "of every game, and of the tournaments");
        let balances = books::all_balances(&mut connection).unwrap();
        let in_points = balances.iter().filter(|balance| balance.unit == "half_points").count();
        assert!(in_points >= 12, "everybody of the past nights has played");

        let open = owlbox_store::chouettes::all(&mut connection).unwrap();
        let open = open.iter().find(|row| row.status == "open").unwrap();
        let state = desk.find::<Chouette>(open.id.into()).await.unwrap().state.clone();
        assert_eq!(state.phase(), Phase::Playing);
        let values: Vec<u32> = state.bets().iter().map(|bet| bet.cube.value.get()).collect();
        assert_eq!(values, [2, 4, 1, 1, 1]);
        assert!(matches!(state.bets()[3].standing, BetStanding::Offered(raise) if raise.by() == Side::Team));

        // The two matches: one on a sheet in the tournament, one friendly.
        assert_eq!((checked.tournaments, checked.entrants, checked.matches), (2, 8 + 16, 2));
        let rows = owlbox_store::tournaments::all(&mut connection).unwrap();
        let (over, open): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.closed_at.is_some());
        let state = desk.find::<Tournament>(over[0].id.into()).await.unwrap().state.clone();
        let (_, division) = state.divisions().next().unwrap();
        assert!(division.undecided == 0 && division.awards.is_some() && state.accounts().count() == 0);
        let state = desk.find::<Tournament>(open[0].id.into()).await.unwrap().state.clone();
        assert!(state.playing().len() >= 3 && state.reported().count() == 1);
        assert_eq!(state.accounts().count(), 2, "who has not paid yet");
    }
}
