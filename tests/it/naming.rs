//! People are known by their ids. A typed name goes one road, whichever door it comes in by: somebody's name
//! or nickname as any keyboard writes it is theirs; what is nearly somebody's is asked about; what is several
//! people's is nobody's.

use std::process::Output;

use rstest::rstest;
use serde_json::{Value, json};

use crate::match_pages::{browser, post, says};
use crate::refused_forms::marked;
use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::house::House;
use crate::support::server::Server;

/// A club with Beatrice Nardi, whom all call Bea, Bruno, whose nickname is Bo, and Seán O’Brien.
struct Club {
    house: House,
    admin: Client,
    bea: String,
    bruno: String,
    sean: String,
}

impl Club {
    fn open(db: Db) -> Option<Self> {
        let house = House::open(db)?;
        let admin = house.admin();
        let add = |name: &str, nickname: Option<&str>| {
            let added = admin.post("/api/v1/players", &json!({"name": name, "nickname": nickname})).good();
            added.body["id"].as_str().unwrap().to_owned()
        };
        let bea = add("Beatrice Nardi", Some("Bea"));
        let (bruno, sean) = (add("Bruno", Some("Bo")), add("Seán O’Brien", None));
        Some(Self { house, admin, bea, bruno, sean })
    }

    /// What somebody has in euros, of the club by the drawer.
    #[track_caller]
    fn euros(&self, player: &str) -> i64 {
        let balances = self.admin.get(&format!("/api/v1/players/{player}/balances")).good().body;
        let euros = balances.as_array().unwrap().iter().find(|one| one["unit"] == "EUR");
        euros.map_or(0, |one| one["amount"].as_i64().unwrap())
    }

    #[track_caller]
    fn drawer(&self) -> i64 {
        self.admin.get("/api/v1/ledger/money").good().body[0]["drawer"].as_i64().unwrap()
    }

    #[track_caller]
    fn adjusts(&self, from: &Value, to: &Value, amount: i64) {
        let order = json!({"command": "adjust", "from": from, "to": to, "unit": "EUR", "amount": amount, "memo": "x"});
        self.admin.post("/api/v1/daybook", &order).good();
    }

    /// Gives somebody a nickname as a club of old may have it, even if somebody else is called so.
    fn was_called(&self, player: &str, nickname: &str) {
        let sql = format!("UPDATE player SET nickname = '{nickname}' WHERE name = '{player}'");
        self.house.database.execute(&sql);
        self.house.player(&self.admin, &format!("Somebody after {player}"));
    }

    fn players(&self) -> Vec<Value> {
        self.admin.get("/api/v1/players?limit=200").good().body["items"].as_array().unwrap().clone()
    }
}

/// The fields of the first form of a page that has this text, as a browser would send them.
#[track_caller]
fn form_with<'a>(page: &'a Answer, text: &str) -> Vec<(&'a str, &'a str)> {
    let form = page.text().split("<form").find(|form| form.split("</form>").next().unwrap().contains(text));
    let form = form.unwrap_or_else(|| panic!("no form with {text}: {page}")).split("</form>").next().unwrap();
    let attribute = |tag: &'a str, name: &str| {
        tag.split(&format!(" {name}=\"")).nth(1).and_then(|value| value.split('"').next())
    };
    let tags = form.split("<input").skip(1).filter_map(|tag| tag.split('>').next());
    let sent = tags.filter(|tag| !tag.contains("type=\"checkbox\""));
    let sent = sent.filter(|tag| !tag.contains("type=\"radio\"") || tag.contains(" checked"));
    sent.filter_map(|tag| Some((attribute(tag, "name")?, attribute(tag, "value").unwrap_or("")))).collect()
}

/// What is offered beside a field that was refused: value and label of each.
fn offered(page: &Answer) -> Vec<(String, String)> {
    let asked = page.text().split("<fieldset class=\"meant\">").nth(1).unwrap_or_default();
    let choices = asked.split("</fieldset>").next().unwrap_or_default().split("type=\"radio\"").skip(1);
    let choice = |text: &str| {
        let value = text.split("value=\"").nth(1)?.split('"').next()?;
        let label = text.split("<span>").nth(1)?.split("</span>").next()?;
        Some((value.to_owned(), label.to_owned()))
    };
    choices.filter_map(choice).collect()
}

/// R1 (a), (c): a payment that is due is marked as paid by the ids of both, whatever they are called.
#[rstest]
fn r1_whoever_has_a_nickname_pays_and_so_does_the_club(#[values(Db::one(), Db::other())] db: Db) {
    let Some(club) = Club::open(db) else { return };
    let player = |id: &str| json!({ "player": id });
    club.adjusts(&player(&club.bea), &player(&club.bruno), 1_200);
    club.adjusts(&player(&club.sean), &json!("house"), 500);
    let (at, drawer) = (browser(&club.house), club.drawer());
    let page = at.0.get("/ledger/treasury").good();
    says(&page, 200, "Bea pays Bo");
    for what in ["12", "5"] {
        let fields = form_with(&page, &format!("value=\"{what}\""));
        assert!(fields.iter().all(|(_, value)| !["Bea", "Bo", "Seán O’Brien"].contains(value)), "{fields:?}");
        assert_eq!(at.0.request("POST", "/ledger/daybook").form(&fields).send().status, 303, "{fields:?}");
    }
    assert_eq!([&club.bea, &club.bruno, &club.sean].map(|player| club.euros(player)), [0; 3]);
    assert_eq!(club.drawer() - drawer, 500);
    says(&at.0.get("/ledger/treasury"), 200, "Nobody owes anything");
    club.house.verify();
}

/// R1 (a), (b), (d): a name typed at the treasury is looked up as a nickname, as a list offers it, and on any
/// keyboard.
#[rstest]
fn r1_a_name_typed_at_the_treasury_is_whose_it_is_on_any_keyboard(#[values(Db::one(), Db::other())] db: Db) {
    let Some(club) = Club::open(db) else { return };
    let at = browser(&club.house);
    let pays = |payer: &str, more: &[(&str, &str)]| {
        let pay =
            [("command", "pay"), ("payer", payer), ("payee", ""), ("currency", "EUR"), ("amount", "1.00")];
        post(&at, "/ledger/daybook", &[&pay[..], more].concat())
    };
    says(&at.0.get("/ledger/treasury"), 200, "Beatrice Nardi (Bea)");
    for (typed, player) in [
        ("Bea", &club.bea),
        ("beatrice  nardi", &club.bea),
        ("Beatrice Nardi (Bea)", &club.bea),
        ("B.e.a", &club.bea),
        ("Seán O'Brien", &club.sean),
        ("SEÁN OBRIEN", &club.sean),
        ("Sea\u{301}n O`Brien", &club.sean),
    ] {
        let before = club.euros(player);
        let done = pays(typed, &[]);
        assert_eq!((done.status, club.euros(player) - before), (303, 100), "{typed}: {done}");
    }
    let drawer = club.drawer();
    // What is nearly a name is asked about; who is chosen counts for that text alone.
    let asked = pays("Sean OBrien", &[]);
    let (tag, why) = marked(&asked);
    assert!(tag.contains("name=\"payer\" ") && tag.contains("value=\"Sean OBrien\""), "{tag}");
    assert_eq!(why, "Nobody has exactly that name. Is Seán O’Brien meant?");
    let choice = (format!("{} Sean OBrien", club.sean), "Seán O’Brien".to_owned());
    assert_eq!((asked.status, offered(&asked)), (422, vec![choice]));
    assert!(
        form_with(&asked, "type=\"radio\"").contains(&("payer_meant", &format!("{} Sean OBrien", club.sean)))
    );
    let before = club.euros(&club.sean);
    let chosen = format!("{} Sean OBrien", club.sean);
    assert_eq!(pays("Sean O'Bryan", &[("payer_meant", &chosen)]).status, 422, "another text");
    assert_eq!(pays("Sean OBrien", &[("payer_meant", &chosen)]).status, 303);
    assert_eq!(club.euros(&club.sean) - before, 100);
    // Nobody's name books to nobody, least of all to the club.
    assert_eq!(pays("Zoe", &[]).status, 422);
    for incomplete in [[("payer", "Bea")], [("payee", "")]] {
        let pay = [("command", "pay"), ("currency", "EUR"), ("amount", "1.00")];
        let refused = post(&at, "/ledger/daybook", &[&pay[..], &incomplete].concat());
        assert_eq!(refused.status, 400, "a side that is missing is not the club: {refused}");
    }
    assert_eq!(club.drawer(), drawer + 100);
    // The other forms go the same way.
    let adjust = [
        ("command", "adjust"),
        ("from", "bo"),
        ("to", "Seán OʼBrien"),
        ("unit", "half_points"),
        ("amount", "1½"),
        ("memo", "x"),
    ];
    assert_eq!(post(&at, "/ledger/daybook", &adjust).status, 303);
    let open = [
        ("command", "open_balances"),
        ("holder", "Bo"),
        ("sign", "owes"),
        ("unit", "EUR"),
        ("amount", "2.50"),
        ("on", "2026-01-01"),
    ];
    assert_eq!((post(&at, "/ledger/daybook", &open).status, club.euros(&club.bruno)), (303, -250));
    club.house.verify();
}

/// R1 (b): what clashes in a club of old opens, is listed, and is ambiguous; from now on nobody gets
/// another's name.
#[rstest]
fn r1_a_nickname_that_is_anothers_name_is_nobodys_and_no_new_one_is_given(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(club) = Club::open(db) else { return };
    let at = browser(&club.house);
    assert!(!at.0.get("/players").good().text().contains("Players with the same name"));
    club.was_called("Bruno", "Beatrice Nardi");
    let pay = [
        ("command", "pay"),
        ("payer", "Beatrice Nardi"),
        ("payee", ""),
        ("currency", "EUR"),
        ("amount", "3"),
    ];
    let refused = post(&at, "/ledger/daybook", &pay);
    says(&refused, 422, "Several people may be meant.");
    let both = [&club.bea, &club.bruno].map(|player| format!("{player} Beatrice Nardi"));
    let choices: Vec<String> = offered(&refused).into_iter().map(|(value, _)| value).collect();
    assert!(choices.len() == 2 && both.iter().all(|one| choices.contains(one)), "{choices:?}");
    let sent = form_with(&refused, "type=\"radio\"");
    assert!(sent.iter().all(|(name, _)| *name != "payer_meant"), "nobody is chosen: {sent:?}");
    assert_eq!([&club.bea, &club.bruno].map(|player| club.euros(player)), [0, 0]);
    let chosen = [&pay[..], &[("payer_meant", both[1].as_str())]].concat();
    assert_eq!(post(&at, "/ledger/daybook", &chosen).status, 303);
    assert_eq!([&club.bea, &club.bruno].map(|player| club.euros(player)), [0, 300]);
    let players = at.0.get("/players").good();
    says(&players, 200, "Players with the same name");
    says(&players, 200, "Bruno (Beatrice Nardi)");

    for (player, change, field) in [
        (&club.sean, json!({"nickname": "bruno"}), "nickname"),
        (&club.sean, json!({"nickname": "BEA."}), "nickname"),
        (&club.sean, json!({"name": "Bea"}), "name"),
        (&club.bruno, json!({"name": "SEÁN O'BRIEN"}), "name"),
    ] {
        let refused =
            club.admin.patch(&format!("/api/v1/players/{player}"), &change).refused(422, "name_taken");
        assert_eq!(refused.body["field"], field, "{change}");
    }
    let new = json!({"name": "Zoe", "nickname": "Seán O’Brien"});
    club.admin.post("/api/v1/players", &new).refused(422, "name_taken");
    // Those who clash can be changed in everything else, and no longer clash once they are called otherwise.
    let path = format!("/api/v1/players/{}", club.bruno);
    club.admin.patch(&path, &json!({"country": "IT"})).good();
    club.admin.patch(&path, &json!({"nickname": "Bo"})).good();
    assert!(!at.0.get("/players").good().text().contains("Players with the same name"));
    club.house.verify();
}

/// R2: a nickname at a table is a member's; somebody new is asked about if their name is nearly a member's.
#[rstest]
fn r2_whoever_is_named_at_a_table_is_found_before_a_guest_is_made(#[values(Db::one(), Db::other())] db: Db) {
    let Some(club) = Club::open(db) else { return };
    let table = club.admin.post("/api/v1/chouettes", &json!({"name": "Friday"})).good();
    let table = table.body["chouette"]["id"].as_str().unwrap().to_owned();
    let (act, at) = (format!("/chouettes/{table}/act"), browser(&club.house));
    let joins = |name: &str, more: &[(&str, &str)]| {
        post(&at, &act, &[&[("command", "join"), ("guest", name), ("version", "")][..], more].concat())
    };
    let seated = || {
        let state = club.admin.get(&format!("/api/v1/chouettes/{table}")).good().body.to_string();
        [&club.bea, &club.bruno, &club.sean].map(|player| state.contains(player.as_str()))
    };
    let before = club.players().len();
    let preview = post(&at, &format!("{act}/preview"), &[("command", "join"), ("guest", "bea")]);
    assert!(preview.body["does"].as_str().is_some_and(|does| does.starts_with("Bea joins")), "{preview}");
    assert_eq!((joins("bea", &[]).status, seated()), (303, [true, false, false]));
    assert_eq!((joins("Seán O'Brien", &[]).status, seated()), (303, [true, false, true]));
    assert_eq!(club.players().len(), before, "nobody was made twice");
    // Nearly a member's name: their seat, or a guest's.
    club.house.player(&club.admin, "Martina Rossi");
    let asked = joins("Martine Rossi", &[]);
    let choices = offered(&asked);
    assert_eq!(asked.status, 422, "{asked}");
    assert_eq!(marked(&asked).1, "Nobody has exactly that name. Is Martina Rossi meant?");
    let labels: Vec<&str> = choices.iter().map(|(_, label)| label.as_str()).collect();
    assert_eq!(labels, ["Martina Rossi", "Somebody new: Martine Rossi"]);
    let preview = post(&at, &format!("{act}/preview"), &[("command", "join"), ("guest", "Martine Rossi")]);
    assert_eq!(preview.body["refused"], "Nobody has exactly that name. Is Martina Rossi meant?");
    let names = || -> Vec<String> {
        club.players().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    assert!(!names().contains(&"Martine Rossi".to_owned()));
    assert_eq!(joins("Martine Rossi", &[("guest_meant", &choices[1].0)]).status, 303);
    assert_eq!(names().iter().filter(|name| name.starts_with("Martin")).count(), 2, "{:?}", names());
    let (before, chosen) = (club.players().len(), &choices[0].0);
    assert_eq!(joins("Martine Rossi", &[("guest_meant", chosen)]).status, 303, "her own seat");
    assert_eq!(club.players().len(), before);
    let somebody = joins("Bruno", &[("guest_meant", &format!("new {}", "Zoe"))]);
    assert_eq!((somebody.status, seated()), (303, [true; 3]), "a choice for another text does not count");
    club.house.verify();
}

/// R2: a duplicate is merged, a login confirmed and a list entered by nicknames and by what other keyboards
/// write.
#[rstest]
fn r2_merging_registering_and_entering_know_nicknames_and_keyboards(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(club) = Club::open(db) else { return };
    let at = browser(&club.house);
    let twice = club.house.player(&club.admin, "Trixie");
    let remove = format!("/players/{twice}/remove");
    assert_eq!(post(&at, &remove, &[("into", "Zoe")]).status, 422);
    let asked = post(&at, &remove, &[("into", "Sean OBrien")]);
    assert_eq!((asked.status, offered(&asked).len()), (422, 1), "{asked}");
    let merged = post(&at, &remove, &[("into", "BEA")]);
    assert_eq!(merged.header("location"), Some(format!("/players/{}?saved", club.bea).as_str()), "{merged}");

    let mut settings = club.admin.get("/api/v1/settings").good().body;
    settings["self_registration"] = json!("confirmed");
    club.admin.put("/api/v1/settings", &settings).good();
    for (login, name) in [("sean", "SEÁN O'BRIEN"), ("anja", "Sean OBrien")] {
        let asks = json!({"login": login, "name": name, "password": "quattro oche sul lago"});
        assert_eq!(club.house.server.public().post("/api/v1/registrations", &asks).status, 202);
    }
    let page = at.0.get("/settings").good();
    assert_eq!(page.text().matches("Somebody with this name plays here already").count(), 1, "{page}");
    let waiting = club.admin.get("/api/v1/registrations").good().body;
    let confirm = |place: usize, more: &[(&str, &str)]| {
        let one = &waiting["items"][place];
        let path = format!("/settings/registrations/{}/confirm", one["id"].as_str().unwrap());
        post(&at, &path, &[&[("player", one["name"].as_str().unwrap())][..], more].concat())
    };
    let asked = confirm(1, &[]);
    let labels: Vec<String> = offered(&asked).into_iter().map(|(_, label)| label).collect();
    assert_eq!(
        (asked.status, labels),
        (422, vec!["Seán O’Brien".into(), "Somebody new: Sean OBrien".into()]),
        "{asked}"
    );
    let before = club.players().len();
    assert_eq!(confirm(1, &[("player_meant", "new Sean OBrien")]).status, 303);
    assert_eq!(confirm(0, &[("known", &club.sean)]).status, 303);
    assert_eq!(club.players().len(), before + 1);

    let about = json!({"name": "Spring Open", "date": "2026-11-20", "currency": "EUR"});
    let tournament = club.admin.post("/api/v1/tournaments", &about).good().body;
    let id = tournament["id"].as_str().unwrap().to_owned();
    let division = json!({"command": "add_division", "settings": {"lengths": [5]}});
    club.admin.post(&format!("/api/v1/tournaments/{id}/commands"), &division).good();
    let enter = |names: &str| post(&at, &format!("/tournaments/{id}/desk/1/entries"), &[("names", names)]);
    let before = club.players().len();
    let entered = enter("1. bea\n2. Seán O'Brien\n3. Bo\n4. Beatrice Nardi (Bea)\n5. Gast");
    assert_eq!(entered.status, 303, "{entered}");
    assert_eq!(club.players().len(), before + 1, "Gast alone is new");
    says(&enter("Beatrise Nardi"), 422, "Beatrice Nardi (Bea)");
    club.house.verify();
}

/// A table of an old club is written by other hands: whose names they are is known, and doubt books nothing.
#[rstest]
fn r2_an_import_knows_nicknames_and_keyboards_and_refuses_doubt(#[values(Db::one(), Db::other())] db: Db) {
    let Some(club) = Club::open(db) else { return };
    let import = |csv: &str, add: bool| {
        let body = json!({"table": "standings", "csv": csv, "add_players": add});
        club.admin.post("/api/v1/ledger/imports", &body)
    };
    let sure = "player,unit,amount\nbea,EUR,1\nSEÁN O'BRIEN,EUR,2\nBo,EUR,3\nOld–Timer,EUR,-6\n\"Old Timer\",points,1\n";
    import(sure, true).good();
    assert_eq!([&club.bea, &club.sean, &club.bruno].map(|player| club.euros(player)), [100, 200, 300]);
    assert_eq!(club.players().len(), 4, "Old-Timer was added once");
    for add in [true, false] {
        let refused =
            import("player,unit,amount\nSean OBrien,EUR,1\nZoe,EUR,1\n", add).refused(422, "wrong_lines");
        let first = &refused.body["allowed"][0];
        assert_eq!((&first["line"], &first["code"]), (&json!(2), &json!("ambiguous_name")), "{refused}");
        assert_eq!(first["may_be"], json!([club.sean]), "{refused}");
    }
    club.was_called("Bruno", "Beatrice Nardi");
    let refused = import("player,unit,amount\nBeatrice Nardi,EUR,1\n", true).refused(422, "wrong_lines");
    assert_eq!(refused.body["allowed"][0]["may_be"].as_array().unwrap().len(), 2, "{refused}");
    let at = browser(&club.house);
    let looked =
        [("table", "standings"), ("csv", "player,unit,amount\nSean OBrien,EUR,1\n"), ("add_players", "on")];
    says(&post(&at, "/ledger/import/preview", &looked), 200, "Perhaps Seán O’Brien?");
    club.house.verify();
}

/// On the club's machine as well: names, nicknames and keyboards; and doubt is refused by a code.
#[rstest]
fn r2_the_command_line_knows_nicknames_and_keyboards_and_refuses_doubt(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(mut club) = Club::open(db) else { return };
    club.was_called("Bruno", "Beatrice Nardi");
    club.house.player(&club.admin, "Bank");
    club.house.player(&club.admin, "Outsider");
    let sean = club.sean.clone();
    assert!(club.house.server.stop().success());
    let program = |arguments: &[&str]| -> Output {
        Server::program_on(&club.house.database).args(arguments).output().unwrap()
    };
    let pay = |name: &str| {
        json!({"command": "pay", "payer": {"player": name}, "payee": "house", "currency": "EUR", "amount": 100}).to_string()
    };
    let said = |output: &Output| {
        String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
    };
    for name in ["Seán O'Brien", "SEÁN OBRIEN", "bea", &sean] {
        let noted = program(&["books", "note", &pay(name)]);
        assert!(noted.status.success(), "{name}: {}", said(&noted));
        let statement = program(&["books", "statement", name, "--unit", "EUR"]);
        assert!(statement.status.success() && said(&statement).contains("payment"), "{}", said(&statement));
    }
    for (name, why) in [
        (
            "Sean OBrien",
            "ambiguous_name: no player is called exactly Sean OBrien: perhaps Seán O’Brien is meant",
        ),
        ("Beatrice Nardi", "ambiguous_name: Beatrice Nardi may be any of several: "),
        ("Zoe", "no player is called Zoe"),
    ] {
        let note = pay(name);
        for arguments in [
            &["books", "note", note.as_str()][..],
            &["books", "statement", name],
            &["person", "export", name],
        ] {
            let refused = program(arguments);
            assert!(
                !refused.status.success() && said(&refused).contains(why),
                "{arguments:?}: {}",
                said(&refused)
            );
        }
    }
    // Somebody has the name of an account of the club, or nearly.
    for account in ["bank", "outside"] {
        let stated = program(&["books", "statement", account, "--unit", "EUR"]);
        assert!(!stated.status.success() && said(&stated).contains("ambiguous_name"), "{}", said(&stated));
    }
    assert!(program(&["books", "statement", "house", "--unit", "EUR"]).status.success());
    assert!(program(&["verify"]).status.success());
}

/// A search finds who is meant whatever keyboard it is typed on, over the API and on the page.
#[rstest]
fn somebody_is_found_on_any_keyboard_and_by_the_nickname(#[values(Db::one(), Db::other())] db: Db) {
    let Some(club) = Club::open(db) else { return };
    club.house.player(&club.admin, "Jean-Luc K. Müller");
    let at = browser(&club.house);
    for (typed, name) in [
        ("o'brien", "Seán O’Brien"),
        ("O%E2%80%99BRIEN", "Seán O’Brien"),
        ("sean+obrien", "Seán O’Brien"),
        ("bea", "Beatrice Nardi"),
        ("jean+luc", "Jean-Luc K. Müller"),
        ("jeanluc", "Jean-Luc K. Müller"),
        ("k+mueller", "Jean-Luc K. Müller"),
        ("MULLER", "Jean-Luc K. Müller"),
    ] {
        let found = club.admin.get(&format!("/api/v1/players?search={typed}")).good().body;
        let names: Vec<&str> =
            found["items"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
        assert_eq!(names, [name], "{typed}");
        says(&at.0.get(&format!("/players?q={typed}")), 200, &name.replace('\'', "&#39;"));
    }
}
