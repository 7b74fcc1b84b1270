//! A service of many clubs.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::client::Client;
use super::databases::{Db, cluster, on_cluster};
use super::house::ADMIN;
use super::server::{SIGNING_KEY, Server, TWO_WORKERS};

/// The domain of the clubs' hosts.
pub const DOMAIN: &str = "clubs.example";

/// A running service of many clubs. The server comes first, so that it is dropped before its place.
pub struct Federation {
    pub server: Server,
    place: Place,
    /// What sets this test's clubs apart: on PostgreSQL all tests share one database.
    mark: String,
}

enum Place {
    Folder(TempDir),
    Cluster(String),
}

/// A club of the federation, set up.
pub struct OfMany {
    pub name: String,
    /// Its host.
    pub host: String,
    pub public: Client,
    pub admin: Client,
}

impl Federation {
    /// A service without a club, or `None` if tests on that database are to be skipped.
    #[track_caller]
    pub fn open(db: Db, own: &[(&str, &str)]) -> Option<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let mark = format!("t{}n{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let (place, url, keys) = match db {
            Db::Sqlite => {
                let folder =
                    tempfile::Builder::new().prefix("owlbox-test.").tempdir().expect("a temporary folder");
                let url = format!("sqlite://{}", folder.path().join("clubs").display());
                (Place::Folder(folder), url, "")
            }
            Db::Postgres => {
                let cluster = cluster()?;
                (Place::Cluster(cluster.clone()), cluster, SIGNING_KEY)
            }
        };
        let settings = [
            ("HTTP__LISTEN", "127.0.0.1:0"),
            TWO_WORKERS,
            ("DATABASE__URL", &url),
            ("DATABASE__POOL_SIZE", "4"),
            ("AUTH__SIGNING_KEYS", keys),
            ("CLUBS__DOMAIN", DOMAIN),
        ];
        // The environment would hide the keys of a file.
        let is_given = |key: &str| {
            own.iter().any(|(other, _)| *other == key || (*other == "CONFIG" && key == "AUTH__SIGNING_KEYS"))
        };
        let all = settings.iter().filter(|(key, _)| !is_given(key)).chain(own);
        let settings = all.map(|(key, value)| (format!("OWLBOX_{key}"), (*value).to_owned()));
        Some(Self { server: Server::start_as(settings.collect()), place, mark })
    }

    /// The whole name of a club of this test.
    pub fn name(&self, short: &str) -> String {
        format!("{short}-{}", self.mark)
    }

    /// Runs a command of the program beside the service and returns what it prints.
    #[track_caller]
    pub fn told(&self, arguments: &[&str]) -> String {
        let output = self.server.command(arguments).output().expect("the program runs");
        let failed = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {failed}");
        String::from_utf8(output.stdout).expect("a text")
    }

    /// Like [`told`](Self::told), for a command that is to be refused: what it says.
    #[track_caller]
    pub fn refused(&self, arguments: &[&str]) -> String {
        let output = self.server.command(arguments).output().expect("the program runs");
        assert!(!output.status.success(), "{arguments:?}");
        String::from_utf8(output.stderr).expect("a text")
    }

    /// A stranger at a club's host.
    pub fn at(&self, name: &str) -> Client {
        self.server.public().at_host(&format!("{name}.{DOMAIN}"))
    }

    /// Creates a club by the command line and sets it up by its code.
    #[track_caller]
    pub fn club(&self, short: &str) -> OfMany {
        let name = self.name(short);
        let told = self.told(&["club", "create", &name]);
        let (_, code) = told.trim_end().rsplit_once("code ").unwrap_or_else(|| panic!("no code: {told}"));
        let public = self.at(&name);
        let settings = json!({"name": format!("Club {short}"), "time_zone": "Europe/Rome", "currencies": ["EUR"],
            "public": {"tables": false, "standings": false}});
        let set_up = json!({"code": code, "settings": settings, "login": ADMIN.0, "password": ADMIN.1});
        // There may be no room for it until another is put to sleep.
        let until = Instant::now() + Duration::from_secs(60);
        let mut answer = public.post("/api/v1/set-up", &set_up);
        while answer.status == 503 && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(50));
            answer = public.post("/api/v1/set-up", &set_up);
        }
        let tokens = answer.good().body;
        let admin = public.bearer(tokens["access_token"].as_str().expect("a token"));
        OfMany { host: format!("{name}.{DOMAIN}"), name, public, admin }
    }

    /// Checks every club of this test.
    #[track_caller]
    pub fn verify(&self, name: &str) {
        self.told(&["--club", name, "verify"]);
    }

    /// The folder of the clubs, on SQLite.
    #[track_caller]
    pub fn folder(&self) -> std::path::PathBuf {
        match &self.place {
            Place::Folder(folder) => folder.path().join("clubs"),
            Place::Cluster(_) => panic!("there is no folder"),
        }
    }
}

impl OfMany {
    /// Adds a player and returns the id.
    #[track_caller]
    pub fn player(&self, name: &str) -> String {
        let answer = self.admin.post("/api/v1/players", &json!({ "name": name })).good();
        answer.body["id"].as_str().expect("an id").to_owned()
    }

    /// The names of its players.
    #[track_caller]
    pub fn names(&self) -> Vec<String> {
        let body = self.admin.get("/api/v1/players").good().body;
        let name = |player: &Value| player["name"].as_str().expect("a name").to_owned();
        body["items"].as_array().expect("players").iter().map(name).collect()
    }
}

impl Drop for Federation {
    fn drop(&mut self) {
        let Place::Cluster(cluster) = &self.place else { return };
        if std::thread::panicking() {
            return;
        }
        self.server.kill();
        on_cluster(
            cluster,
            &format!(
                "DO $$ DECLARE s text; BEGIN FOR s IN SELECT nspname FROM pg_namespace \
                 WHERE nspname ~ '_{0}(_[0-9]+)?$' AND (nspname LIKE 'club%' OR nspname LIKE 'away%') \
                 LOOP EXECUTE format('DROP SCHEMA %I CASCADE', s); END LOOP; END $$",
                self.mark
            ),
        );
    }
}
