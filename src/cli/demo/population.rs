//! The people and the nights of the demonstration; `tournaments` has its tournaments.
//!
//! Past nights give the books a history. Tonight's table is in the middle of a game, with turned cubes and a
//! double waiting for its answer. The values of games are distributed as in 2,215 recorded games of one club.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{TimeDelta, TimeZone as _, Utc};
use secrecy::{ExposeSecret as _, SecretString};

use super::tournaments::Director;
use super::{DemoError, books};
use owlbox_desk::access::accounts::NewAccount;
use owlbox_desk::access::links::Claim;
use owlbox_desk::access::set_up::SetUp;
use owlbox_desk::chouettes::{NewChouette, Order};
use owlbox_desk::{Actor, Clock, Desk, Dice, Refused, Request};
use owlbox_domain::chouette::{Chouette, Command, Side};
use owlbox_domain::club::players::PlayerDetails;
use owlbox_domain::club::settings::Settings;
use owlbox_domain::journal::Chance as _;
use owlbox_domain::permissions::Public;
use owlbox_domain::permissions::{Role, Roles};
use owlbox_domain::values::{ChouetteId, PlayerId, Stake, Timestamp};
use owlbox_engine::Win;

/// The password of every login. That is safe because the club is throwaway, and the console says so.
pub(super) const PASSWORD: &str = "an owl in the barn";
pub(super) const SIGN_INS: [(Role, &str); 4] =
    [(Role::Admin, "admin"), (Role::Director, "director"), (Role::Scorer, "scorer"), (Role::Player, "ada")];

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

/// A clock that is moved from act to act, but never past the real time.
#[derive(Clone)]
pub(super) struct DemoClock {
    shown: Arc<Mutex<Timestamp>>,
    real: Timestamp,
}

impl DemoClock {
    pub(super) fn at(real: Timestamp) -> Self {
        Self { shown: Arc::new(Mutex::new(real)), real }
    }

    pub(super) fn set(&self, moment: Timestamp) {
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = moment.min(self.real);
    }

    pub(super) fn advance(&self, by: TimeDelta) {
        self.set((self.now().utc() + by).into());
    }
}

impl Clock for DemoClock {
    fn now(&self) -> Timestamp {
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Fills the empty club of `desk`, whose clock is `clock`, as of `now`. Without past nights there are no
/// tournaments.
pub(super) async fn populate(
    desk: &Desk,
    clock: &DemoClock,
    now: Timestamp,
    past_nights: usize,
) -> Result<(), DemoError> {
    clock.set((now.utc() - TimeDelta::days(30)).into());
    let (players, [director, scorer]) = people(desk).await?;
    let mut evening = Evening { desk, clock, scorer, chance: Dice::seeded(2215), chouette: None };
    for (days, seats, games) in NIGHTS.into_iter().take(past_nights) {
        let day = (now.utc() - TimeDelta::days(days)).date_naive();
        let opened = day.and_hms_opt(19, 0, 0).map(|time| Utc.from_utc_datetime(&time));
        clock.set(opened.unwrap_or_else(|| now.utc()).into());
        let seats = seated(&players, seats);
        evening.opened("Friday chouette", &seats).await?;
        for game in 1..=games {
            evening.game().await?;
            if game % 4 == 0 {
                evening.come_and_go(&players).await?;
            }
        }
        evening.tell(Command::Close {}).await?;
    }
    if past_nights > 0 {
        books::keep(desk, clock, now, &players).await?;
        tournaments(desk, clock, now, (director, &players)).await?;
    }
    let (seats, games) = TODAY;
    clock.set((now.utc() - TimeDelta::minutes(90)).into());
    evening.opened("Tonight's chouette", &seated(&players, seats)).await?;
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

/// Sets up the club. Returns its players, the director of its tournaments, and the scorer of its tables.
async fn people(desk: &Desk) -> Result<(Vec<PlayerId>, [Actor; 2]), DemoError> {
    let [(_, admin_login), others @ ..] = SIGN_INS;
    let settings = Settings {
        name: "The Owls".parse()?,
        time_zone: "Europe/Rome".parse()?,
        public: Public { tables: true, standings: true },
        ..Settings::default()
    };
    let code = desk.set_up_code().await?.unwrap_or_default();
    let password = || SecretString::from(PASSWORD);
    let set_up = SetUp { code, settings, login: admin_login.parse()?, password: password() };
    let tokens = desk.set_up(set_up).await?;
    let admin = desk.verify_access_token(tokens.access.expose_secret()).await?.actor;

    let mut players = Vec::new();
    for (number, (name, nickname, country)) in (1..).zip(PEOPLE) {
        let details = PlayerDetails {
            nickname: Some(nickname.parse()?),
            country: Some(country.parse()?),
            ..PlayerDetails::named(name.parse()?)
        };
        let guest = number == PEOPLE.len();
        players.push(desk.add_player(Request::by(admin), details, guest).await?.0);
    }
    let [mut director, mut scorer] = [admin, admin];
    for (role, login) in others {
        let player = players.first().copied().filter(|_| role == Role::Player);
        let new = NewAccount { player, roles: Roles::from_roles(&[role]) };
        let (link, _) = desk.create_account(Request::by(admin), new).await?;
        let claim = Claim { login: Some(login.parse()?), password: password() };
        let tokens = desk.claim_link(link.secret.expose_secret(), claim).await?;
        let actor = desk.verify_access_token(tokens.access.expose_secret()).await?.actor;
        match role {
            Role::Director => director = actor,
            Role::Scorer => scorer = actor,
            Role::Admin | Role::Treasurer | Role::Player => {}
        }
    }
    Ok((players, [director, scorer]))
}

/// The plan for a game: how often the captain's cube is turned, and the kind of win. `None` means a drop.
type Plan = Option<(u32, Win)>;

/// Game values of recorded games, cube times win: how many games had the value, and the plans that lead to
/// it.
const RECORDED: [(u32, &[Plan]); 6] = [
    (883, &[Some((0, Win::Single)), None]),
    (740, &[Some((1, Win::Single)), Some((1, Win::Single)), Some((0, Win::Gammon))]),
    (442, &[Some((1, Win::Gammon)), Some((2, Win::Single)), Some((0, Win::Backgammon))]),
    (125, &[Some((2, Win::Gammon)), Some((3, Win::Single)), Some((1, Win::Backgammon))]),
    (23, &[Some((3, Win::Gammon)), Some((4, Win::Single))]),
    (2, &[Some((4, Win::Gammon))]),
];

fn planned(chance: &mut Dice) -> Plan {
    let all: u32 = RECORDED.iter().map(|(games, _)| games).sum();
    let mut drawn = chance.below(all);
    for (games, plans) in RECORDED {
        match drawn.checked_sub(games) {
            Some(rest) => drawn = rest,
            None => {
                let sides = u32::try_from(plans.len()).unwrap_or(1);
                let place = usize::try_from(chance.below(sides)).unwrap_or(0);
                return plans.get(place).copied().flatten();
            }
        }
    }
    None
}

/// An evening at one table.
struct Evening<'a> {
    desk: &'a Desk,
    clock: &'a DemoClock,
    scorer: Actor,
    chance: Dice,
    chouette: Option<ChouetteId>,
}

impl Evening<'_> {
    /// Opens a table. These players sit down and roll for the order.
    async fn opened(&mut self, name: &str, players: &[PlayerId]) -> Result<(), DemoError> {
        let stake = Stake { amount: 500.try_into()?, currency: "EUR".parse()? };
        let new = NewChouette { name: name.to_owned(), stake: Some(stake), rules: None, house_rules: None };
        let answer = self.desk.open::<Chouette>(Request::by(self.scorer), new).await?;
        self.chouette = Some(answer.id);
        for &player in players {
            self.tell(Command::Join { player }).await?;
        }
        self.tell(Command::DrawOrder {}).await?;
        Ok(())
    }

    /// Gives a command. Returns the state of the table after it.
    async fn tell(&mut self, command: Command) -> Result<Chouette, DemoError> {
        let chouette = self.chouette.ok_or(Refused::NotFound("chouette"))?;
        self.clock.advance(TimeDelta::seconds(20));
        let order = Order::Command(command);
        let answer = self.desk.command::<Chouette>(Request::by(self.scorer), chouette, order).await?;
        Ok(answer.stream.state.clone())
    }

    async fn double(&mut self, player: PlayerId, against: Option<PlayerId>) -> Result<(), DemoError> {
        let against = against.map(|opponent| vec![opponent]);
        self.tell(Command::Double { player, against }).await.map(drop)
    }
    async fn take(&mut self, player: PlayerId) -> Result<(), DemoError> {
        self.tell(Command::Take { player, against: None }).await.map(drop)
    }
    async fn drop(&mut self, player: PlayerId) -> Result<(), DemoError> {
        self.tell(Command::Drop { player, against: None }).await.map(drop)
    }

    /// True once in so many times, at random.
    fn once_in(&mut self, times: u32) -> bool {
        self.chance.below(times) == 0
    }

    /// Starts a game. Returns the box and the members, the captain first.
    async fn started(&mut self) -> Result<(PlayerId, Vec<PlayerId>), DemoError> {
        let state = self.tell(Command::StartGame { refereed: false, variant: None }).await?;
        let members: Vec<PlayerId> = state.bets().iter().map(|bet| bet.team_side).collect();
        let box_player = state.box_player().ok_or(Refused::NotFound("box"))?;
        Ok((box_player, members))
    }

    async fn game(&mut self) -> Result<(), DemoError> {
        let (box_player, members) = self.started().await?;
        let box_first = self.once_in(2);
        let Some((turns, win)) = planned(&mut self.chance) else {
            return self.dropped_game(box_player, &members, box_first).await;
        };
        let Some(&captain) = members.first() else { return Ok(()) };
        for turn in 1..=turns {
            let box_doubles = (turn % 2 == 1) == box_first;
            match (turn, box_doubles) {
                (1, true) => self.box_doubles_all(box_player, &members).await?,
                (1, false) => self.team_doubles(box_player, &members).await?,
                // After the first turn the plan is for the captain's cube only.
                (_, true) => {
                    self.double(box_player, Some(captain)).await?;
                    self.take(captain).await?;
                }
                (_, false) => {
                    self.double(captain, None).await?;
                    self.take(box_player).await?;
                }
            }
        }
        self.clock.advance(TimeDelta::minutes(i64::from(4 + self.chance.below(5))));
        let winner = if self.once_in(2) { Side::Box } else { Side::Team };
        self.tell(Command::Finish { winner, win }).await.map(drop)
    }

    async fn dropped_game(
        &mut self,
        box_player: PlayerId,
        members: &[PlayerId],
        box_doubles: bool,
    ) -> Result<(), DemoError> {
        self.clock.advance(TimeDelta::minutes(3));
        if box_doubles {
            self.double(box_player, None).await?;
            for &member in members {
                self.drop(member).await?;
            }
            return Ok(());
        }
        for &member in members {
            self.double(member, None).await?;
        }
        self.drop(box_player).await
    }

    /// The box doubles everybody. The captain and most of the others take.
    async fn box_doubles_all(&mut self, box_player: PlayerId, members: &[PlayerId]) -> Result<(), DemoError> {
        self.double(box_player, None).await?;
        for (place, &member) in members.iter().enumerate() {
            if place > 0 && self.once_in(4) {
                self.drop(member).await?;
            } else {
                self.take(member).await?;
            }
        }
        Ok(())
    }

    /// The captain and about half of the others double, and the box takes.
    async fn team_doubles(&mut self, box_player: PlayerId, members: &[PlayerId]) -> Result<(), DemoError> {
        for (place, &member) in members.iter().enumerate() {
            if place == 0 || self.once_in(2) {
                self.double(member, None).await?;
            }
        }
        self.take(box_player).await
    }

    /// One player leaves, and another sits down.
    async fn come_and_go(&mut self, players: &[PlayerId]) -> Result<(), DemoError> {
        let chouette = self.chouette.ok_or(Refused::NotFound("chouette"))?;
        let present = self.desk.find::<Chouette>(chouette).await?.state.present();
        let away: Vec<PlayerId> =
            players.iter().filter(|player| !present.contains(player)).copied().collect();
        let draw = |chance: &mut Dice, of: &[PlayerId]| {
            let sides = u32::try_from(of.len()).unwrap_or(1).max(1);
            usize::try_from(chance.below(sides)).ok().and_then(|place| of.get(place).copied())
        };
        if let Some(player) = draw(&mut self.chance, &present) {
            self.tell(Command::Leave { player, proxy: None }).await?;
        }
        if let Some(player) = draw(&mut self.chance, &away) {
            self.tell(Command::Join { player }).await?;
        }
        Ok(())
    }

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
    use std::collections::BTreeMap;

    use super::*;
    use owlbox_desk::verify::verify;
    use owlbox_desk::{Dependencies, SystemClock};
    use owlbox_domain::chouette::{BetStanding, Phase};
    use owlbox_domain::tournament::Tournament;
    use owlbox_store::{DatabaseUrl, Options, Store, books};

    #[test]
    fn games_are_worth_what_was_recorded() {
        let mut chance = Dice::seeded(1);
        let mut values: BTreeMap<u32, u32> = BTreeMap::new();
        for _ in 0..2215 {
            let value = planned(&mut chance).map_or(1, |(turns, win)| (1 << turns) * win.multiplier());
            *values.entry(value.next_power_of_two()).or_default() += 1;
        }
        for (value, recorded) in [(1, 883), (2, 740), (4, 442), (8, 125), (16, 23)] {
            let drawn = f64::from(values[&value]);
            let off = (drawn - f64::from(recorded)).abs();
            assert!(off < 4.0 * f64::from(recorded).sqrt(), "{value}: {drawn} for {recorded}");
        }
    }

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
        assert_eq!((checked.players, checked.accounts, checked.chouettes), (18, 4, 4));
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
