//! An open club: a server on a database of its own, an admin, players, tables.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::Stdio;
use std::sync::{LazyLock, OnceLock};

use serde_json::{Value, json};

use super::client::{Answer, Client};
use super::databases::{Database, Db};
use super::server::Server;

/// The admin's login and password.
pub const ADMIN: (&str, &str) = ("admin", "correct horse battery");

/// An open club. The server comes first, so that it is dropped before its database.
pub struct House {
    pub server: Server,
    pub database: Database,
    admin: OnceLock<String>,
}

/// A chouette and the names of its players.
pub struct Table {
    pub client: Client,
    pub id: String,
    pub players: BTreeMap<String, String>,
}

/// The file of a club that has nobody in it but the admin, made once a run: that takes a program and a hash
/// of a password.
static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let database = Db::Sqlite.fresh().expect("a file needs nothing");
    make_admin(&database);
    database.read_file()
});

/// A club that has nobody in it but the admin, or `None` if tests on that database are to be skipped.
#[track_caller]
pub fn club(db: Db) -> Option<Database> {
    Some(founded(db.fresh()?))
}

/// The club on this database, which is empty.
#[track_caller]
pub fn founded(database: Database) -> Database {
    match database.db() {
        Db::Sqlite => database.write_file(&FILE),
        Db::Postgres => make_admin(&database),
    }
    database
}

impl House {
    /// Opens a club on a fresh database, or `None` if tests on that database are to be skipped.
    #[track_caller]
    pub fn open(db: Db) -> Option<Self> {
        Self::open_with(db, &[])
    }

    /// Opens a club with settings that differ from the built-in ones.
    #[track_caller]
    pub fn open_with(db: Db, settings: &[(&str, &str)]) -> Option<Self> {
        let database = club(db)?;
        Some(Self::of(Server::start_with(&database, settings), database))
    }

    /// The club that this service serves.
    pub const fn of(server: Server, database: Database) -> Self {
        Self { server, database, admin: OnceLock::new() }
    }

    /// The admin, signed in once: passwords are slow to check.
    #[track_caller]
    pub fn admin(&self) -> Client {
        let token = self.admin.get_or_init(|| self.access_token(ADMIN.0, ADMIN.1));
        self.server.public().bearer(token)
    }

    #[track_caller]
    pub fn sign_in(&self, login: &str, password: &str) -> Client {
        self.server.public().bearer(&self.access_token(login, password))
    }

    /// A client with a login of its own, with these roles.
    #[track_caller]
    pub fn with_roles(&self, admin: &Client, login: &str, roles: &[&str]) -> Client {
        let password = "quattro oche sul lago";
        let invited = admin.post("/api/v1/accounts", &serde_json::json!({ "roles": roles })).good().body;
        let link = format!("/api/v1/links/{}", invited["secret"].as_str().unwrap());
        let claim = serde_json::json!({"login": login, "password": password});
        self.server.public().post(&link, &claim).good();
        self.sign_in(login, password)
    }

    /// Checks that the whole database follows from the journal.
    #[track_caller]
    pub fn verify(&self) {
        let output = self.server.command(&["verify"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Signs in and returns the access token.
    #[track_caller]
    pub fn access_token(&self, login: &str, password: &str) -> String {
        let sign_in = json!({"login": login, "password": password});
        let answer = self.server.public().post("/api/v1/sign-in", &sign_in).good();
        answer.body["access_token"].as_str().expect("an access token").to_owned()
    }

    /// Adds a player and returns the id.
    #[track_caller]
    pub fn player(&self, client: &Client, name: &str) -> String {
        let answer = client.post("/api/v1/players", &json!({ "name": name })).good();
        answer.body["id"].as_str().expect("an id").to_owned()
    }

    /// Opens a table with these players, in this order of the line.
    #[track_caller]
    pub fn table(&self, names: &[&str]) -> Table {
        self.table_with(names, &json!({"name": "Friday table"}))
    }

    /// Opens a table with the settings in `new`.
    #[track_caller]
    pub fn table_with(&self, names: &[&str], new: &Value) -> Table {
        let client = self.admin();
        let players: BTreeMap<String, String> =
            names.iter().map(|name| ((*name).to_owned(), self.player(&client, name))).collect();
        let opened = client.post("/api/v1/chouettes", new).good();
        let id = opened.body["chouette"]["id"].as_str().expect("an id").to_owned();
        let table = Table { client, id, players };
        for name in names {
            table.command(&json!({"command": "join", "player": name})).good();
        }
        if names.len() >= 3 {
            // Rolls of six, five, four ... A seventh player would tie.
            assert!(names.len() <= 6, "a line of at most six");
            let rolls: Vec<Value> =
                (0..names.len()).map(|at| json!({"player": names[at], "dice": [6 - at]})).collect();
            table.command(&json!({"command": "enter_rolls", "rolls": rolls})).good();
        }
        table
    }
}

/// Creates the admin with the command line, as the README says.
#[track_caller]
fn make_admin(database: &Database) {
    make_admin_called(database, ADMIN.0);
}

/// Like [`make_admin`], with another login and the same password.
#[track_caller]
pub fn make_admin_called(database: &Database, login: &str) {
    let mut child = Server::program_on(database)
        .args(["admin", "create", login, "--password-stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    writeln!(child.stdin.take().expect("its input"), "{}", ADMIN.1).expect("the password");
    let output = child.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "admin create: {}: {told}", output.status);
}

impl Table {
    /// The path of the chouette, or of something below it.
    pub fn path(&self, below: &str) -> String {
        format!("/api/v1/chouettes/{}{below}", self.id)
    }

    /// Gives a command that has names for players.
    pub fn command(&self, command: &Value) -> Answer {
        self.client.post(&self.path("/commands"), &self.with_ids(command))
    }

    /// Gives several commands, each of which must succeed.
    #[track_caller]
    pub fn play(&self, commands: &[Value]) {
        for command in commands {
            self.command(command).good();
        }
    }

    /// The state, with names instead of ids.
    #[track_caller]
    pub fn state(&self) -> Value {
        self.with_names(&self.client.get(&self.path("")).good().body)
    }

    /// The scores of the night in half points, by name.
    #[track_caller]
    pub fn scores(&self) -> BTreeMap<String, i64> {
        let state = self.state();
        let standings = state["standings"].as_array().expect("standings").iter();
        standings
            .map(|score| (score["player"].as_str().unwrap().to_owned(), score["points"].as_i64().unwrap()))
            .collect()
    }

    /// A player's balance in one unit.
    #[track_caller]
    pub fn balance(&self, name: &str, unit: &str) -> i64 {
        let path = format!("/api/v1/players/{}/balances", self.players[name]);
        let balances = self.client.get(&path).good().body;
        let balances = balances.as_array().expect("balances").iter();
        balances.filter(|balance| balance["unit"] == unit).map(|b| b["amount"].as_i64().unwrap()).sum()
    }

    /// The value with ids instead of names.
    pub fn with_ids(&self, value: &Value) -> Value {
        replaced(value, &|text| self.players.get(text).cloned())
    }

    /// The value with names instead of ids.
    pub fn with_names(&self, value: &Value) -> Value {
        replaced(value, &|text| self.players.iter().find(|(_, id)| *id == text).map(|(name, _)| name.clone()))
    }
}

fn replaced(value: &Value, by: &dyn Fn(&str) -> Option<String>) -> Value {
    match value {
        Value::String(text) => by(text).map_or_else(|| value.clone(), Value::String),
        Value::Array(items) => items.iter().map(|item| replaced(item, by)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, field)| (name.clone(), replaced(field, by))).collect()
        }
        other => other.clone(),
    }
}
