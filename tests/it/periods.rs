//! A10: a period that ends before it begins is no period, wherever one is asked for.

use serde_json::json;

use crate::support::databases::Db;
use crate::support::house::House;
use crate::support::server::Server;
use crate::walk::csrf;

#[test]
fn a_period_that_ends_before_it_begins_is_refused_everywhere() {
    let Some(mut house) = House::open(Db::Sqlite) else { return };
    let admin = house.admin();
    let (ada, bea) = (house.player(&admin, "Ada"), house.player(&admin, "Bea"));
    let pay = json!({"command": "pay", "payer": {"player": ada}, "payee": {"player": bea}, "currency": "EUR",
        "amount": 500, "on": "2026-02-01"});
    admin.post("/api/v1/daybook", &pay).good();
    let browser = house.server.public().cookies();
    let token = csrf(&browser.get("/sign-in").good());
    let form = [("csrf", token.as_str()), ("login", "admin"), ("password", "correct horse battery")];
    assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
    let day = "from=2026-02-01&until=2026-02-01";
    let backwards = "from=2026-02-02&until=2026-02-01";
    for path in [
        format!("/players/{ada}/statement?unit=EUR&"),
        format!("/players/{ada}/statement?unit=EUR&format=csv&"),
        format!("/players/{ada}/statement?unit=EUR&format=signed&"),
        format!("/players/{ada}/statistics?"),
        format!("/players/{ada}/statistics/against/{bea}?"),
        "/ledger/house/statement?unit=EUR&".to_owned(),
        "/ledger/accounts/bank/statement?unit=EUR&".to_owned(),
        "/ledger/tournaments?".to_owned(),
        "/ledger/tournaments?format=csv&".to_owned(),
        "/ledger/export?format=csv&".to_owned(),
        "/statistics?".to_owned(),
        "/statistics/head-to-head?".to_owned(),
        format!("/statistics/head-to-head?player={ada}&format=csv&"),
    ] {
        admin.get(&format!("/api/v1{path}{day}")).good();
        let refused = admin.get(&format!("/api/v1{path}{backwards}")).refused(400, "invalid_query");
        assert_eq!(refused.body["field"], "until", "{path}: {refused}");
    }
    for path in [
        format!("/ledger/{ada}?unit=EUR&"),
        "/ledger/house?unit=EUR&".to_owned(),
        "/ledger/accounts/bank?unit=EUR&".to_owned(),
        "/ledger/tournaments?".to_owned(),
        "/ledger/exports?".to_owned(),
        format!("/players/{ada}/statistics?"),
        format!("/players/{ada}/statistics/against/{bea}?"),
        "/statistics?".to_owned(),
        "/statistics/head-to-head?".to_owned(),
    ] {
        browser.get(&format!("{path}{day}")).good();
        assert_eq!(browser.get(&format!("{path}{backwards}")).status, 400, "{path}");
    }
    let season = json!([{"name": "Winter", "from": "2026-02-02", "until": "2026-02-01", "coming": 1}]);
    let mut settings = admin.get("/api/v1/settings").good().body;
    settings["seasons"] = season;
    assert_eq!(admin.put("/api/v1/settings", &settings).status, 400);
    assert!(house.server.stop().success());
    let period = ["--from", "2026-02-02", "--until", "2026-02-01"];
    for command in [
        &["books", "statement", "Ada", "--unit", "EUR"][..],
        &["books", "statement", "Ada", "--unit", "EUR", "--format", "signed"],
        &["export", "--format", "hledger"],
    ] {
        let output = Server::program_on(&house.database).args(command).args(period).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && output.stdout.is_empty(), "{command:?}: {told}");
        assert!(told.contains("invalid_query"), "{command:?}: {told}");
    }
}
