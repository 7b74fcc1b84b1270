//! Tests of the club in the form "given these events, when this command, then these events or this refusal".

use chrono::DateTime;
use proptest::prelude::*;
use serde_json::json;
use uuid::Uuid;

use super::*;
use owlbox_base::journal::{Chance, kind_of};
use owlbox_chouette::rules::contradiction::CONTRADICTIONS;

impl Club {
    /// The players who were erased.
    fn erased_players(&self) -> impl Iterator<Item = PlayerId> {
        self.players.iter().filter(|(_, entry)| entry.erased).map(|(player, _)| *player)
    }
}

/// Chance that must not be used: no command of the club draws lots.
struct NoChance;
impl Chance for NoChance {
    fn below(&mut self, _: u32) -> u32 {
        panic!("a club's command drew lots")
    }
}

fn moment() -> Timestamp {
    DateTime::UNIX_EPOCH.into()
}
fn p(number: u128) -> PlayerId {
    PlayerId(Uuid::from_u128(number))
}
fn a(number: u128) -> AccountId {
    AccountId(Uuid::from_u128(number + 1_000_000))
}
fn roles(roles: &[Role]) -> Roles {
    Roles::from_roles(roles)
}
fn roman() -> Settings {
    Settings { time_zone: "Europe/Rome".parse().unwrap(), ..Settings::default() }
}

fn inputs(events: &[Event]) -> Club {
    let mut club = Club::initial();
    for event in events {
        club.apply(event, moment());
    }
    club
}

impl Club {
    #[track_caller]
    fn when(&self, command: &Command) -> Result<Vec<Event>, Refusal> {
        self.decide(command, &mut Inputs { now: moment(), chance: &mut NoChance })
    }
}

fn opened() -> Event {
    Event::Opened { settings: Settings::default() }
}
fn added(player: u128) -> Event {
    Event::PlayerAdded { player: p(player), guest: false }
}
fn login(account: u128, player: Option<u128>, role: Role) -> Event {
    Event::AccountCreated { account: a(account), player: player.map(p), roles: roles(&[role]) }
}

/// The club of most cases. Logins: an admin (1) linked to player 1, a player (2) linked to player 2, and a
/// deactivated scorer (3). Further players: 3, a guest, and 4, deactivated.
fn club() -> Club {
    inputs(&[
        opened(),
        added(1),
        added(2),
        Event::PlayerAdded { player: p(3), guest: true },
        added(4),
        Event::PlayerDeactivated { player: p(4) },
        login(1, Some(1), Role::Admin),
        login(2, Some(2), Role::Player),
        login(3, None, Role::Scorer),
        Event::AccountDeactivated { account: a(3) },
    ])
}

#[test]
fn a_club_opens_once_and_nothing_comes_before() {
    let settings = Settings::default();
    let open = Command::Open { settings: settings.clone() };
    assert_eq!(Club::initial().when(&open), Ok(vec![Event::Opened { settings: settings.clone() }]));
    assert_eq!(inputs(&[opened()]).when(&open), Err(Refusal::AlreadyOpen));
    let early = Command::AddPlayer { player: p(1), guest: false };
    assert_eq!(Club::initial().when(&early), Err(Refusal::NotOpen));
    assert_eq!(Club::initial().settings(), None);
    assert_eq!(inputs(&[opened()]).settings(), Some(&settings));
}

#[test]
fn settings_are_replaced_whole_and_only_by_others() {
    let change = Command::ChangeSettings { settings: roman() };
    let changed = Event::SettingsChanged { settings: roman() };
    assert_eq!(club().when(&change), Ok(vec![changed.clone()]));
    let after = inputs(&[opened(), changed]);
    assert_eq!(after.settings(), Some(&roman()));
    assert_eq!(after.when(&change), Err(Refusal::NothingChanges));
}

/// Commands about players, each with its only event or its refusal.
#[test]
fn what_happens_to_players() {
    use DetailField::{Country, Name};
    let (member, guest, gone, nobody) = (p(1), p(3), p(4), p(99));
    let unknown = || Err(Refusal::UnknownPlayer { player: nobody });
    let cases = [
        (
            Command::AddPlayer { player: p(5), guest: true },
            Ok(Event::PlayerAdded { player: p(5), guest: true }),
        ),
        (Command::AddPlayer { player: gone, guest: true }, Err(Refusal::PlayerExists { player: gone })),
        (
            Command::ChangePlayerDetails { player: gone, fields: vec![Country, Name, Country] },
            Ok(Event::PlayerDetailsChanged { player: gone, fields: vec![Name, Country] }),
        ),
        (Command::ChangePlayerDetails { player: member, fields: vec![] }, Err(Refusal::NothingChanges)),
        (Command::ChangePlayerDetails { player: nobody, fields: vec![] }, unknown()),
        (Command::MakeMember { player: guest }, Ok(Event::GuestBecameMember { player: guest })),
        (Command::MakeMember { player: member }, Err(Refusal::NothingChanges)),
        (Command::MakeMember { player: nobody }, unknown()),
        (Command::DeactivatePlayer { player: member }, Ok(Event::PlayerDeactivated { player: member })),
        (Command::DeactivatePlayer { player: gone }, Err(Refusal::NothingChanges)),
        (Command::DeactivatePlayer { player: nobody }, unknown()),
        (Command::ReactivatePlayer { player: gone }, Ok(Event::PlayerReactivated { player: gone })),
        (Command::ReactivatePlayer { player: member }, Err(Refusal::NothingChanges)),
        (Command::ReactivatePlayer { player: nobody }, unknown()),
        (Command::RemovePlayer { player: guest }, Ok(Event::PlayerRemoved { player: guest })),
        (Command::RemovePlayer { player: gone }, Ok(Event::PlayerRemoved { player: gone })),
        (Command::RemovePlayer { player: nobody }, unknown()),
    ];
    for (command, expected) in cases {
        assert_eq!(club().when(&command), expected.map(|event| vec![event]), "{command:?}");
    }
}

#[test]
fn an_erased_person_is_gone_for_good_and_so_is_their_login() {
    let (player, account) = (p(2), a(2));
    let erase = Command::ErasePlayer { player };
    let before = inputs(&[
        opened(),
        added(1),
        login(1, Some(1), Role::Admin),
        added(2),
        login(2, Some(2), Role::Player),
    ]);
    assert_eq!(
        before.when(&Command::ErasePlayer { player: p(1) }),
        Err(Refusal::LastAdmin { account: a(1) })
    );
    let unknown = Err(Refusal::UnknownPlayer { player: p(9) });
    assert_eq!(before.when(&Command::ErasePlayer { player: p(9) }), unknown);
    assert_eq!(before.when(&erase), Ok(vec![Event::PlayerErased { player }]));
    let mut after = before;
    after.apply(&Event::PlayerErased { player }, moment());
    assert_eq!(after.erased_players().collect::<Vec<_>>(), [player]);
    assert!(!after.account(account).unwrap().active);
    let erased = || Err(Refusal::PlayerErased { player });
    for command in [
        erase,
        Command::ReactivatePlayer { player },
        Command::RemovePlayer { player },
        Command::MakeMember { player },
        Command::ChangePlayerDetails { player, fields: vec![DetailField::Name] },
        Command::ReactivateAccount { account },
        Command::LinkAccount { account: a(1), player: Some(player) },
        Command::CreateAccount { account: a(7), player: Some(player), roles: Roles::ALL },
    ] {
        assert_eq!(after.when(&command), erased(), "{command:?}");
    }
}

#[test]
fn what_happens_to_logins() {
    let (admin, player, ended, nobody) = (a(1), a(2), a(3), a(99));
    let scorer = roles(&[Role::Scorer]);
    let unknown = || Err(Refusal::UnknownAccount { account: nobody });
    let create = |account, player, roles| Command::CreateAccount { account, player, roles };
    let taken = |player, account| Err(Refusal::PlayerHasAccount { player, account });
    let cases = [
        (
            create(a(5), Some(p(3)), scorer),
            Ok(Event::AccountCreated { account: a(5), player: Some(p(3)), roles: scorer }),
        ),
        (
            create(a(5), None, scorer),
            Ok(Event::AccountCreated { account: a(5), player: None, roles: scorer }),
        ),
        (create(a(5), Some(p(2)), scorer), taken(p(2), player)),
        (create(a(5), Some(p(4)), scorer), Err(Refusal::PlayerInactive { player: p(4) })),
        (create(a(5), None, Roles::NONE), Err(Refusal::NoRoles)),
        (
            Command::ChangeAccountRoles { account: player, roles: scorer },
            Ok(Event::AccountRolesChanged { account: player, roles: scorer }),
        ),
        (Command::ChangeAccountRoles { account: player, roles: Roles::NONE }, Err(Refusal::NoRoles)),
        (Command::ChangeAccountRoles { account: ended, roles: scorer }, Err(Refusal::NothingChanges)),
        (Command::ChangeAccountRoles { account: nobody, roles: scorer }, unknown()),
        (
            Command::LinkAccount { account: ended, player: Some(p(3)) },
            Ok(Event::AccountPlayerLinked { account: ended, player: Some(p(3)) }),
        ),
        (
            Command::LinkAccount { account: admin, player: None },
            Ok(Event::AccountPlayerLinked { account: admin, player: None }),
        ),
        (Command::LinkAccount { account: admin, player: Some(p(1)) }, Err(Refusal::NothingChanges)),
        (Command::LinkAccount { account: ended, player: Some(p(2)) }, taken(p(2), player)),
        (
            Command::LinkAccount { account: ended, player: Some(p(4)) },
            Err(Refusal::PlayerInactive { player: p(4) }),
        ),
        (Command::LinkAccount { account: nobody, player: None }, unknown()),
        (Command::DeactivateAccount { account: player }, Ok(Event::AccountDeactivated { account: player })),
        (Command::DeactivateAccount { account: ended }, Err(Refusal::NothingChanges)),
        (Command::DeactivateAccount { account: nobody }, unknown()),
        (Command::ReactivateAccount { account: ended }, Ok(Event::AccountReactivated { account: ended })),
        (Command::ReactivateAccount { account: player }, Err(Refusal::NothingChanges)),
        (Command::ReactivateAccount { account: nobody }, unknown()),
    ];
    for (command, expected) in cases {
        assert_eq!(club().when(&command), expected.map(|event| vec![event]), "{command:?}");
    }
}

#[test]
fn refusals_come_in_the_documented_order() {
    let everything_wrong =
        |account, player| Command::CreateAccount { account, player: Some(player), roles: Roles::NONE };
    assert_eq!(
        club().when(&everything_wrong(a(1), p(99))),
        Err(Refusal::UnknownPlayer { player: p(99) }),
        "who is unknown before what is taken"
    );
    assert_eq!(club().when(&everything_wrong(a(1), p(4))), Err(Refusal::AccountExists { account: a(1) }));
    assert_eq!(club().when(&everything_wrong(a(5), p(4))), Err(Refusal::NoRoles));
    assert_eq!(
        club().when(&Command::LinkAccount { account: a(99), player: Some(p(99)) }),
        Err(Refusal::UnknownAccount { account: a(99) }),
        "the login before the player"
    );
}

#[test]
fn the_last_active_admin_stays_an_admin_and_active() {
    let ended = |club: &Club, account| {
        let no_longer = Command::ChangeAccountRoles { account, roles: roles(&[Role::Director]) };
        [club.when(&no_longer), club.when(&Command::DeactivateAccount { account })]
    };
    let last = Refusal::LastAdmin { account: a(1) };
    assert_eq!(ended(&club(), a(1)), [Err(last.clone()), Err(last.clone())]);
    let keeps = Command::ChangeAccountRoles { account: a(1), roles: roles(&[Role::Admin, Role::Player]) };
    assert!(club().when(&keeps).is_ok(), "more roles are no loss");

    let mut two = club();
    two.apply(&login(5, None, Role::Admin), moment());
    assert!(ended(&two, a(1)).iter().chain(&ended(&two, a(5))).all(Result::is_ok), "one of two may go");
    two.apply(&Event::AccountDeactivated { account: a(5) }, moment());
    assert_eq!(ended(&two, a(1)), [Err(last.clone()), Err(last)], "a deactivated admin does not count");
    let unrole = Command::ChangeAccountRoles { account: a(5), roles: roles(&[Role::Player]) };
    assert!(two.when(&unrole).is_ok(), "nor is that one the last");
}

#[test]
fn a_new_club_waits_for_its_first_admin() {
    assert!(!Club::initial().has_admin());
    assert!(!inputs(&[opened(), login(1, None, Role::Scorer)]).has_admin());
    assert!(club().has_admin());
}

#[test]
fn a_link_moves_on_both_sides() {
    let mut club = club();
    club.apply(&Event::AccountPlayerLinked { account: a(1), player: Some(p(3)) }, moment());
    assert_eq!(club.player(p(1)).and_then(|entry| entry.account), None);
    assert_eq!(club.player(p(3)).and_then(|entry| entry.account), Some(a(1)));
    assert_eq!(club.account(a(1)).and_then(|entry| entry.player), Some(p(3)));
    let freed = Command::CreateAccount { account: a(5), player: Some(p(1)), roles: Roles::ALL };
    assert!(club.when(&freed).is_ok(), "the freed player can have a login");
}

#[test]
fn a_player_and_their_login_are_deactivated_apart() {
    let mut club = club();
    club.apply(&Event::PlayerDeactivated { player: p(1) }, moment());
    club.apply(&Event::AccountDeactivated { account: a(2) }, moment());
    assert!(club.has_admin(), "an admin need not play");
    let player = club.player(p(2)).unwrap();
    assert_eq!((player.active, player.account), (true, Some(a(2))), "a scorer goes on acting for them");
}

#[test]
fn a_club_has_at_most_100_000_players_and_20_000_logins() {
    let mut full = inputs(&[opened()]);
    (0..100_000).for_each(|number| full.apply(&added(number), moment()));
    for number in 0..20_000 {
        full.apply(&login(number, None, Role::Player), moment());
    }
    let player = Command::AddPlayer { player: p(100_000), guest: true };
    assert_eq!(full.when(&player), Err(Refusal::TooManyPlayers));
    let account = Command::CreateAccount { account: a(20_000), player: None, roles: Roles::NONE };
    assert_eq!(full.when(&account), Err(Refusal::TooManyAccounts), "limits before what the command says");
    let exists = Command::AddPlayer { player: p(7), guest: true };
    assert_eq!(full.when(&exists), Err(Refusal::PlayerExists { player: p(7) }), "and after what is taken");
}

fn every_event() -> Vec<Event> {
    let (player, account) = (p(1), a(1));
    vec![
        Event::Opened { settings: Settings::default() },
        Event::SettingsChanged { settings: roman() },
        Event::PlayerAdded { player, guest: true },
        Event::PlayerDetailsChanged { player, fields: vec![DetailField::Name] },
        Event::GuestBecameMember { player },
        Event::PlayerDeactivated { player },
        Event::PlayerReactivated { player },
        Event::PlayerRemoved { player },
        Event::PlayerErased { player },
        Event::AccountCreated { account, player: None, roles: Roles::ALL },
        Event::AccountRolesChanged { account, roles: Roles::ALL },
        Event::AccountPlayerLinked { account, player: Some(player) },
        Event::AccountDeactivated { account },
        Event::AccountReactivated { account },
        saved("Friday", json!({"cubes": "single"})),
        Event::HouseRulesRemoved { name: set("Friday") },
    ]
}

#[test]
fn events_are_tagged_with_their_kind_and_read_back_as_written() {
    for event in every_event() {
        let json = serde_json::to_value(&event).unwrap();
        assert_eq!(json["event"], kind_of::<Club>(&event));
        assert_eq!(Club::decode(1, &json.to_string()).unwrap(), event);
        let mut more = json.clone();
        more["nickname"] = "Mario".into();
        assert!(Club::decode(1, &more.to_string()).is_err(), "no room for what a person is called: {json}");
    }
}

/// Existing journals hold these exact texts. Changing one needs a new format and an upcast.
#[test]
fn stored_events_keep_their_shape() {
    let stored = r#"{"event":"account_created","account":"00000000-0000-0000-0000-0000000f4241","player":null,"roles":["player","scorer"]}"#;
    let event =
        Event::AccountCreated { account: a(1), player: None, roles: roles(&[Role::Scorer, Role::Player]) };
    assert_eq!(serde_json::to_string(&event).unwrap(), stored);
    let stored = r#"{"event":"player_details_changed","player":"00000000-0000-0000-0000-000000000001","fields":["name","notes"]}"#;
    let event =
        Event::PlayerDetailsChanged { player: p(1), fields: vec![DetailField::Name, DetailField::Notes] };
    assert_eq!(serde_json::to_string(&event).unwrap(), stored);
}

#[test]
fn every_refusal_has_a_code_of_its_own() {
    let (player, account) = (p(1), a(1));
    let refusals = [
        Refusal::AlreadyOpen,
        Refusal::NotOpen,
        Refusal::UnknownAccount { account },
        Refusal::UnknownPlayer { player },
        Refusal::AccountExists { account },
        Refusal::PlayerExists { player },
        Refusal::TooManyPlayers,
        Refusal::TooManyAccounts,
        Refusal::NoRoles,
        Refusal::NothingChanges,
        Refusal::PlayerErased { player },
        Refusal::PlayerInactive { player },
        Refusal::PlayerHasAccount { player, account },
        Refusal::LastAdmin { account },
        Refusal::UnknownHouseRules { name: set("x") },
        Refusal::NameReserved { name: set("x") },
        Refusal::TooManyHouseRules,
        Refusal::ContradictoryRules { contradiction: CONTRADICTIONS[0].0 },
    ];
    let codes: std::collections::BTreeSet<_> = refusals.iter().map(Refusal::code).collect();
    assert_eq!(codes.len(), refusals.len());
    assert_eq!(json!(Refusal::TooManyPlayers.allowed()), json!(100_000));
    assert_eq!(
        json!(Refusal::NoRoles.allowed()),
        json!(["admin", "director", "treasurer", "scorer", "player"])
    );
}

fn any_command() -> impl Strategy<Value = Command> {
    let player = (0..4_u128).prop_map(p);
    let linked = proptest::option::of((0..4_u128).prop_map(p));
    let account = (0..4_u128).prop_map(a);
    let roles = (0..32_i16).prop_map(|bits| Roles::from_bits(bits).unwrap());
    prop_oneof![
        (player.clone(), any::<bool>()).prop_map(|(player, guest)| Command::AddPlayer { player, guest }),
        player.clone().prop_map(|player| Command::MakeMember { player }),
        player.clone().prop_map(|player| Command::DeactivatePlayer { player }),
        player.clone().prop_map(|player| Command::ReactivatePlayer { player }),
        player.clone().prop_map(|player| Command::RemovePlayer { player }),
        player.prop_map(|player| Command::ErasePlayer { player }),
        (account.clone(), linked.clone(), roles.clone())
            .prop_map(|(account, player, roles)| Command::CreateAccount { account, player, roles }),
        (account.clone(), roles).prop_map(|(account, roles)| Command::ChangeAccountRoles { account, roles }),
        (account.clone(), linked).prop_map(|(account, player)| Command::LinkAccount { account, player }),
        account.clone().prop_map(|account| Command::DeactivateAccount { account }),
        account.prop_map(|account| Command::ReactivateAccount { account }),
    ]
}

proptest! {
    #[test]
    fn whatever_is_asked_one_login_a_player_and_never_no_admin_again(
        commands in proptest::collection::vec(any_command(), 0..60),
    ) {
        let mut club = inputs(&[opened()]);
        let mut had_admin = false;
        for command in &commands {
            let Ok(events) = club.when(command) else { continue };
            let before = club.clone();
            for event in &events {
                club.apply(event, moment());
            }
            prop_assert!(!events.is_empty());
            prop_assert_ne!(&club, &before, "what was accepted changed something");
            prop_assert!(club.has_admin() || !had_admin);
            had_admin = club.has_admin();
            for (player, entry) in club.players() {
                let logins: Vec<_> =
                    club.accounts().filter(|(_, login)| login.player == Some(player)).map(|(id, _)| id).collect();
                prop_assert!(logins.len() <= 1);
                prop_assert_eq!(logins.first().copied(), entry.account, "both sides agree");
            }
            prop_assert!(club.accounts().all(|(_, login)| !login.roles.is_empty()));
            for player in club.erased_players() {
                let entry = club.player(player).unwrap();
                prop_assert!(entry.removed && !entry.active, "nobody comes back");
                let login = entry.account.and_then(|account| club.account(account));
                prop_assert!(login.is_none_or(|login| !login.active), "nor signs in");
            }
        }
    }
}

fn set(name: &str) -> RuleSetName {
    name.parse().unwrap()
}
fn rules(json: serde_json::Value) -> Box<HouseRules> {
    Box::new(serde_json::from_value(json).unwrap())
}
fn save(name: &str, json: serde_json::Value) -> Command {
    Command::SaveHouseRules { name: set(name), rules: rules(json) }
}
fn saved(name: &str, json: serde_json::Value) -> Event {
    Event::HouseRulesSaved { name: set(name), rules: rules(json) }
}

#[test]
fn q14_a_club_saves_house_rules_under_a_name_and_replaces_them() {
    let jacoby_off = json!({"jacoby": "off"});
    let club = inputs(&[opened(), saved("Friday", json!({}))]);
    assert_eq!(club.rule_set("fRIDAY").unwrap().rules, &HouseRules::default());
    assert_eq!(club.when(&save("Friday", json!({}))), Err(Refusal::NothingChanges));
    for name in ["Friday", "friday"] {
        let events = club.when(&save(name, jacoby_off.clone())).unwrap();
        assert_eq!(events, [saved(name, jacoby_off.clone())]);
        let after = inputs(&[&[opened(), saved("Friday", json!({}))], events.as_slice()].concat());
        let own: Vec<&str> = after.own_rule_sets().map(|(name, _)| name.as_str()).collect();
        assert_eq!(own, [name], "one set a name, in capital or small letters");
    }
}

#[test]
fn q14_house_rules_that_contradict_each_other_are_not_saved() {
    let refused =
        inputs(&[opened()]).when(&save("Friday", json!({"cubes": "single", "stakes": "own_start"})));
    let refusal = refused.unwrap_err();
    assert_eq!((refusal.code().name(), refusal.field()), ("contradictory_rules", Some("stakes")));
    assert_eq!(json!(refusal.allowed()), json!(["stakes", "cubes"]));
}

#[test]
fn q14_the_sets_that_come_with_the_program_stay_as_they_are() {
    let club = inputs(&[opened()]);
    for name in ["common", "Los_Angeles", "schema"] {
        let expected = Err(Refusal::NameReserved { name: set(name) });
        assert_eq!(club.when(&save(name, json!({}))), expected);
        assert_eq!(club.when(&Command::RemoveHouseRules { name: set(name) }), expected);
    }
    assert!(club.rule_set("common").unwrap().is_preset);
}

#[test]
fn house_rules_are_removed_by_name_once() {
    let club = inputs(&[opened(), saved("Friday", json!({}))]);
    let remove = Command::RemoveHouseRules { name: set("FRIDAY") };
    let removed = Event::HouseRulesRemoved { name: set("Friday") };
    assert_eq!(club.when(&remove), Ok(vec![removed.clone()]));
    let club = inputs(&[opened(), saved("Friday", json!({})), removed]);
    assert_eq!(club.when(&remove), Err(Refusal::UnknownHouseRules { name: set("FRIDAY") }));
    assert_eq!(club.rule_set("Friday"), None);
}

#[test]
fn a_club_has_a_hundred_sets_of_house_rules_at_most() {
    let many = (0..100).map(|number| saved(&format!("Set {number}"), json!({})));
    let club = inputs(&[opened()].into_iter().chain(many).collect::<Vec<_>>());
    assert_eq!(club.when(&save("One more", json!({}))), Err(Refusal::TooManyHouseRules));
    assert!(club.when(&save("Set 7", json!({"jacoby": "off"}))).is_ok(), "replacing one is not one more");
}
