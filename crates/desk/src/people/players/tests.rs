//! Adding, changing, merging and removing players.

use rstest::rstest;
use uuid::Uuid;

use super::*;
use crate::Idempotency;
use crate::chouettes::{NewChouette, Order};
use crate::fixture::{Db, Fixture, code};
use owlbox_base::permissions::Role;
use owlbox_books::club::meant::NameMatch;
use owlbox_books::club::players::{Change, PlayerDetails};
use owlbox_chouette::Chouette;

fn details(name: &str) -> PlayerDetails {
    PlayerDetails::named(name.parse().unwrap())
}

#[rstest]
#[tokio::test]
async fn a_name_belongs_to_one_player(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let add = async |name: &str| fixture.desk.add_player(Request::by(admin), details(name), false).await;
    let (mario, version) = add("Mario Rossi").await.unwrap();
    assert_eq!(version, 3);
    let refused = add("MARIO  rossi").await.unwrap_err();
    assert_eq!((refused.code().name(), refused.field()), ("name_taken", Some("name")));
    let (luigi, _) = add("Luigi").await.unwrap();
    assert_eq!(fixture.desk.names(vec![mario]).await.unwrap()[&mario], "Mario Rossi");
    let rename = PlayerDetailsChange { name: Some("mario rossi".parse().unwrap()), ..Default::default() };
    let change = async |player, change| {
        fixture.desk.change_player(Request::by(admin), player, PlayerChange::from(change)).await
    };
    assert_eq!(code(change(luigi, rename.clone()).await), "name_taken");
    change(mario, rename.clone()).await.unwrap();
    assert_eq!(fixture.desk.player(&admin, mario).await.unwrap().name, "mario rossi", "their own, respelt");
    assert_eq!(fixture.desk.names(vec![mario]).await.unwrap()[&mario], "mario rossi", "and called so");
    assert_eq!(code(change(mario, rename).await), "nothing_changes");
    assert_eq!(code(change(PlayerId(Uuid::nil()), PlayerDetailsChange::default()).await), "not_found");
}

/// A club from before may have people who are called the same. Here they are made past the desk.
async fn is_called(fixture: &Fixture, player: PlayerId, nickname: &str) {
    let nickname = Some(nickname.to_owned());
    let written = fixture.desk.inner.store.write(move |transaction| {
        let connection = transaction.connection()?;
        let row = players::find(connection, player)?.unwrap();
        players::update(connection, PlayerRow { nickname: nickname.clone(), ..row })
    });
    written.await.unwrap();
}

#[rstest]
#[tokio::test]
async fn a_typed_name_means_whose_name_or_nickname_it_is_and_nobody_if_it_is_several_peoples(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let add = async |name: &str, nickname: Option<&str>| {
        let nickname = nickname.map(|nickname| nickname.parse().unwrap());
        let details = PlayerDetails { nickname, ..details(name) };
        fixture.desk.add_player(Request::by(admin), details, false).await.unwrap().0
    };
    let mario = add("Mario Rossi", None).await;
    let luigi = add("Luigi", Some("Gigi")).await;
    let peach = add("Peach O’Hara", None).await;
    is_called(&fixture, mario, "Luigi").await;
    is_called(&fixture, peach, "Gigi").await;
    let toad = add("Toad", Some("Mush")).await;
    let typed =
        ["mario  rossi", "LUIGI", "Gigi", "mush", "Yoshi", "PEACH O'HARA", "Péach Ohara", "Luigi (Gigi)"];
    let typed = typed.map(|name| name.parse().unwrap()).to_vec();
    let meant = fixture.desk.players_meant(typed).await.unwrap();
    let several = |players: [PlayerId; 2]| NameMatch::Several(players.into());
    let expected = [
        NameMatch::Player(mario),
        several([mario, luigi]),
        several([luigi, peach]),
        NameMatch::Player(toad),
        NameMatch::Nobody,
        NameMatch::Player(peach),
        NameMatch::Near(peach),
        NameMatch::Player(luigi),
    ];
    assert_eq!(meant.iter().map(|one| one.meant.clone()).collect::<Vec<_>>(), expected);
    let refused = meant[6].known_player("payer").unwrap_err();
    assert_eq!((refused.code().name(), refused.field()), ("ambiguous_name", Some("payer")));
    let candidate = Candidate { player: peach, name: "Peach O’Hara (Gigi)".to_owned() };
    assert_eq!(refused.allowed(), Some(crate::Allowed::Candidates(vec![candidate])));
    assert_eq!(meant[4].known_player("payer").unwrap_err().code().name(), "unknown_player");
    assert_eq!(meant[4].player("payer").unwrap(), None);

    let alike = fixture.desk.called_alike().await.unwrap();
    let names = |group: &Vec<Candidate>| group.iter().map(|one| one.player).collect::<BTreeSet<_>>();
    let groups: BTreeSet<_> = alike.iter().map(names).collect();
    assert_eq!(groups, BTreeSet::from([[mario, luigi].into(), [luigi, peach].into()]));
    // What they are called already does not stand in the way of anything else.
    let change = PlayerDetailsChange { country: Change::Set("IT".parse().unwrap()), ..Default::default() };
    fixture.desk.change_player(Request::by(admin), mario, change.into()).await.unwrap();
    let change = PlayerDetailsChange { nickname: Change::Clear, ..Default::default() };
    fixture.desk.change_player(Request::by(admin), peach, change.into()).await.unwrap();
    assert_eq!(fixture.desk.called_alike().await.unwrap().len(), 1);
    fixture.desk.remove_player(Request::by(admin), mario, None).await.unwrap();
    assert_eq!(fixture.desk.called_alike().await.unwrap(), Vec::<Vec<Candidate>>::new());
    let meant = fixture.desk.player_meant("Luigi".parse().unwrap()).await.unwrap();
    assert_eq!(meant.meant, NameMatch::Player(luigi), "whoever was removed has no nickname any more");
}

#[rstest]
#[tokio::test]
async fn nobody_gets_a_name_or_nickname_that_somebody_else_has_however_it_is_spelled(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let called = |name: &str, nickname: Option<&str>| PlayerDetails {
        nickname: nickname.map(|nickname| nickname.parse().unwrap()),
        ..details(name)
    };
    let add = async |details| fixture.desk.add_player(Request::by(admin), details, false).await;
    let (bea, _) = add(called("Beatrice Nardi", Some("Bea"))).await.unwrap();
    let (sean, _) = add(called("Seán O’Brien", None)).await.unwrap();
    for (name, nickname, field) in [
        ("bea", None, "name"),
        ("B.E.A.", None, "name"),
        ("SEÁN OBRIEN", None, "name"),
        ("Zoe", Some("Seán O'Brien"), "nickname"),
        ("Zoe", Some("beatrice-nardi"), "nickname"),
        ("Zoe", Some("BEA"), "nickname"),
    ] {
        let refused = add(called(name, nickname)).await.unwrap_err();
        assert_eq!(
            (refused.code().name(), refused.field()),
            ("name_taken", Some(field)),
            "{name} {nickname:?}"
        );
    }
    let change = async |player, details: PlayerDetailsChange| {
        fixture.desk.change_player(Request::by(admin), player, details.into()).await
    };
    let nickname = |nickname: &str| PlayerDetailsChange {
        nickname: Change::Set(nickname.parse().unwrap()),
        ..Default::default()
    };
    change(sean, nickname("Béa")).await.expect("an accent is another name");
    assert_eq!(code(change(sean, nickname("be.a")).await), "name_taken");
    change(sean, nickname("Seán")).await.unwrap();
    change(bea, nickname("Beatrice  Nardi.")).await.expect("their own name");
    let name = |name: &str| PlayerDetailsChange { name: Some(name.parse().unwrap()), ..Default::default() };
    change(bea, name("Sean")).await.expect("nearly somebody's is nobody's");
    assert_eq!(code(change(bea, name("SEÁN")).await), "name_taken");
    // Merged, the nickname goes over; and somebody who comes back brings none that another has by now.
    let (twice, _) = add(called("B. Nardi", Some("Trixie"))).await.unwrap();
    let (other, _) = add(called("Trix Nardi", None)).await.unwrap();
    fixture.desk.remove_player(Request::by(admin), twice, Some(other)).await.unwrap();
    assert_eq!(code(add(called("b. nardi", Some("Trixie"))).await), "name_taken");
    assert_eq!(add(called("b. nardi", None)).await.unwrap().0, twice);
}

#[rstest]
#[tokio::test]
async fn a_repeated_add_finds_the_player_it_added(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let idempotency = Idempotency { key: "k".into(), request_hash: vec![1] };
    let request = Request { idempotency: Some(idempotency), ..Request::by(admin) };
    let first = fixture.desk.add_player(request.clone(), details("Mario"), false).await.unwrap();
    fixture.desk.add_player(Request::by(admin), details("Luigi"), false).await.unwrap();
    let again = fixture.desk.add_player(request, details("Mario"), false).await.unwrap();
    assert_eq!(first, again);
    assert_eq!(fixture.desk.club().await.unwrap().state.players().count(), 2);
}

#[rstest]
#[tokio::test]
async fn contacts_and_notes_are_for_those_who_may_see_them(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let mario = PlayerDetails {
        contact: Some("mario@example.org".parse().unwrap()),
        notes: Some("plays fast".parse().unwrap()),
        ..details("Mario")
    };
    let (mario, _) = fixture.desk.add_player(Request::by(admin), mario, false).await.unwrap();
    let seen = async |actor: &Actor| {
        let row = fixture.desk.player(actor, mario).await.unwrap();
        let listed = fixture.desk.players(actor, Filter::default(), None, 10).await.unwrap();
        assert_eq!(listed.first(), Some(&row), "a list shows what a look shows");
        (row.contact.is_some(), row.notes.is_some())
    };
    let scorer = fixture.somebody(admin, "scorer", &[Role::Scorer]).await;
    let treasurer = fixture.somebody(admin, "treasurer", &[Role::Treasurer]).await;
    assert_eq!(seen(&admin).await, (true, true));
    assert_eq!(seen(&treasurer).await, (true, true));
    assert_eq!(seen(&scorer).await, (false, false));
    let change = crate::access::accounts::AccountChange { player: Change::Set(mario), ..Default::default() };
    fixture.desk.change_account(Request::by(admin), scorer.account, change).await.unwrap();
    assert_eq!(seen(&scorer).await, (true, false), "their own contact");
}

#[rstest]
#[tokio::test]
async fn a_scorer_adds_guests_and_nobody_else(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let scorer = fixture.somebody(admin, "scorer", &[Role::Scorer]).await;
    let add = async |actor, name: &str, guest| {
        fixture.desk.add_player(Request::by(actor), details(name), guest).await
    };
    assert_eq!(code(add(scorer, "Mario", false).await), "forbidden");
    let (guest, _) = add(scorer, "Mario", true).await.unwrap();
    assert!(fixture.desk.player(&scorer, guest).await.unwrap().guest);
    let change = async |actor, change: PlayerChange| {
        fixture.desk.change_player(Request::by(actor), guest, change).await
    };
    let standing = |guest, active| PlayerChange { guest, active, ..PlayerChange::default() };
    assert_eq!(code(change(scorer, standing(Some(false), None)).await), "forbidden");
    change(admin, standing(Some(false), None)).await.unwrap();
    assert!(!fixture.desk.player(&scorer, guest).await.unwrap().guest);
    assert_eq!(code(change(admin, standing(Some(false), None)).await), "nothing_changes");
    assert_eq!(code(change(admin, standing(Some(true), None)).await), "already_a_member");
    change(admin, standing(None, Some(false))).await.unwrap();
    assert!(!fixture.desk.player(&scorer, guest).await.unwrap().active);
    change(admin, standing(None, Some(true))).await.unwrap();
    let stale = Request { expected: Some(1), ..Request::by(admin) };
    let answer = fixture.desk.change_player(stale, guest, standing(None, Some(false))).await;
    assert_eq!(code(answer), "stale_version");
}

#[rstest]
#[tokio::test]
async fn players_are_found_as_people_type_their_names_page_by_page(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    for name in ["Zoë", "Mario Rossi", "Maria Bianchi", "100% Bob", "Ámos", "Søren"] {
        fixture.desk.add_player(Request::by(admin), details(name), false).await.unwrap();
    }
    let names = async |search: &str, after, limit| -> Vec<(PlayerId, String)> {
        let filter = Filter { search: Some(search.into()), active: Some(true) };
        let rows = fixture.desk.players(&admin, filter, after, limit).await.unwrap();
        rows.into_iter().map(|row| (row.id, row.name)).collect()
    };
    let only = async |search: &str| -> Vec<String> {
        names(search, None, 10).await.into_iter().map(|(_, name)| name).collect()
    };
    assert_eq!(only("MARI").await, ["Maria Bianchi", "Mario Rossi"]);
    assert_eq!(only("zoe\u{308}").await, ["Zoë"]);
    assert_eq!(only("zoe").await, ["Zoë"]);
    assert_eq!(only("soren").await, ["Søren"]);
    assert_eq!(only(" Ø ").await, ["100% Bob", "Mario Rossi", "Søren", "Zoë", "Ámos"]);
    assert_eq!(only("%").await, ["100% Bob"]);
    assert_eq!(only("nobody").await, [""; 0]);
    for name in ["Seán O’Brien", "Jean-Luc K. Müller"] {
        let nickname = (name == "Seán O’Brien").then(|| "Shaun".parse().unwrap());
        let details = PlayerDetails { nickname, ..details(name) };
        fixture.desk.add_player(Request::by(admin), details, true).await.unwrap();
    }
    for typed in ["o'brien", "OBRIEN", "O BRIEN", "sean o`b", "shaun"] {
        assert_eq!(only(typed).await, ["Seán O’Brien"], "{typed}");
    }
    for typed in ["jean luc", "Jeanluc", "jean\u{2011}luc k", "mueller", "K Muller"] {
        assert_eq!(only(typed).await, ["Jean-Luc K. Müller"], "{typed}");
    }
    let first = names("", None, 3).await;
    let rest = names("", first.last().map(|(id, _)| *id), 3).await;
    assert_eq!((first.len(), rest.len()), (3, 3));
    let all = fixture.desk.names(first.iter().map(|(id, _)| *id).collect()).await.unwrap();
    assert_eq!(all.len(), 3);
}

/// On PostgreSQL the two run in parallel: without a lock both would read before either has written.
#[rstest]
#[tokio::test]
async fn whoever_sits_down_is_not_made_inactive_at_the_same_moment(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let (desk, by) = (&fixture.desk, || Request::by(admin));
    let (player, _) = desk.add_player(by(), details("Mario"), false).await.unwrap();
    let new: NewChouette = serde_json::from_value(serde_json::json!({"name": "Table"})).unwrap();
    let table = desk.open::<Chouette>(by(), new).await.unwrap().id;
    let tell = async |command: &str| {
        let order = serde_json::json!({"command": command, "player": player});
        let order: Order = serde_json::from_value(order).unwrap();
        desk.command::<Chouette>(by(), table, order).await
    };
    let make_active = async |active| {
        let change = PlayerChange { active: Some(active), ..PlayerChange::default() };
        desk.change_player(by(), player, change).await
    };
    for round in 0..20 {
        match tokio::join!(tell("join"), make_active(false)) {
            (Ok(_), refused) => {
                assert_eq!(code(refused), "player_at_table", "round {round}");
                tell("leave").await.unwrap();
            }
            (refused, done) => {
                assert_eq!(code(refused), "player_inactive", "round {round}");
                done.unwrap();
                make_active(true).await.unwrap();
            }
        }
    }
}

/// A mistyped name, a duplicate: players without a history can be removed, and their details are erased or go
/// to the player they are merged into. Under the same name they come back as the same player.
#[rstest]
#[tokio::test]
async fn players_without_a_history_are_removed_or_merged_and_come_back_under_their_names(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let (desk, by) = (&fixture.desk, || Request::by(admin));
    let jon = PlayerDetails { nickname: Some("Jon".parse().unwrap()), ..details("Jon Smith") };
    let (twice, _) = desk.add_player(by(), jon, false).await.unwrap();
    let (john, _) = desk.add_player(by(), details("John Smith"), true).await.unwrap();
    let names = async || -> Vec<String> {
        let rows = desk.players(&admin, Filter::default(), None, 1).await.unwrap();
        let after = rows.last().map(|row| row.id);
        let rest = desk.players(&admin, Filter::default(), after, 10).await.unwrap();
        rows.into_iter().chain(rest).map(|row| row.name).collect()
    };
    let scorer = fixture.somebody(admin, "scorer", &[Role::Scorer]).await;
    assert_eq!(code(desk.remove_player(Request::by(scorer), twice, None).await), "forbidden");
    assert_eq!(code(desk.remove_player(by(), twice, Some(twice)).await), "nothing_changes");

    let account = desk.player(&admin, twice).await.map(|_| scorer.account).unwrap();
    let link =
        |player| crate::access::accounts::AccountChange { player: Change::Set(player), ..Default::default() };
    desk.change_account(by(), account, link(twice)).await.unwrap();
    assert_eq!(code(desk.remove_player(by(), twice, None).await), "player_has_account");
    // Merging moves the login over to John. That takes permission to manage accounts, which a director does
    // not have.
    let director = fixture.somebody(admin, "director", &[Role::Director]).await;
    assert_eq!(code(desk.remove_player(Request::by(director), twice, Some(john)).await), "forbidden");
    desk.remove_player(by(), twice, Some(john)).await.unwrap();
    let row = desk.player(&admin, john).await.unwrap();
    assert_eq!((row.nickname.as_deref(), row.guest), (Some("Jon"), false), "nickname and membership");
    assert_eq!(desk.club().await.unwrap().state.player(john).unwrap().account, Some(account));
    assert_eq!(code(desk.player(&admin, twice).await), "not_found");
    assert_eq!(code(desk.remove_player(by(), twice, None).await), "not_found");
    assert_eq!(names().await, ["John Smith"]);

    let (again, _) = desk.add_player(by(), details("jon smith"), false).await.unwrap();
    let row = desk.player(&admin, again).await.unwrap();
    assert_eq!((again, row.name.as_str(), row.nickname), (twice, "jon smith", None));
    assert_eq!(names().await, ["John Smith", "jon smith"]);

    let new: NewChouette = serde_json::from_value(serde_json::json!({"name": "Table"})).unwrap();
    let table = desk.open::<Chouette>(by(), new).await.unwrap().id;
    let join = serde_json::json!({"command": "join", "player": again});
    desk.command::<Chouette>(by(), table, serde_json::from_value(join).unwrap()).await.unwrap();
    assert_eq!(code(desk.remove_player(by(), again, Some(john)).await), "player_has_history");

    // Without a login in the way a director may.
    let (third, _) = desk.add_player(by(), details("J. Smith"), false).await.unwrap();
    desk.remove_player(Request::by(director), third, Some(john)).await.unwrap();
}
