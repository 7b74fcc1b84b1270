//! `owlbox admin`: logins are managed on the service's machine, beside a service and without one.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, chown};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::{Value, json};

use crate::cli::{good, refused};
use crate::support::client::{Answer, Client};
use crate::support::databases::{Database, Db};
use crate::support::federation::Federation;
use crate::support::house::{ADMIN, House, club};
use crate::support::server::Server;

const OTHER: &str = "cinque oche sul lago";

/// Runs a command that is given a password.
fn with_password(mut command: Command, password: &str) -> Output {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    // It may have refused already.
    let _ = writeln!(child.stdin.take().unwrap(), "{password}");
    child.wait_with_output().unwrap()
}

fn admin(server: &Server, arguments: &[&str]) -> Command {
    let mut command = server.command(&["admin"]);
    command.args(arguments).stdin(Stdio::null());
    command
}

fn listed(server: &Server, login: &str) -> Value {
    let said = good(&admin(server, &["list", "--json"]).output().unwrap());
    let all: Vec<Value> = serde_json::from_str(&said).unwrap();
    all.into_iter().find(|listed| listed["login"] == login).unwrap_or_else(|| panic!("{login}: {said}"))
}

fn sign_in(server: &Server, password: &str) -> Answer {
    server.public().post("/api/v1/sign-in", &json!({"login": ADMIN.0, "password": password}))
}

/// Waits until a token is not valid any more: another process on PostgreSQL hears of that some milliseconds
/// later.
#[track_caller]
fn ended(client: &Client) {
    let until = Instant::now() + Duration::from_secs(5);
    while client.get("/api/v1/me").status == 200 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    client.get("/api/v1/me").refused(401, "invalid_token");
}

fn database_file(database: &Database) -> PathBuf {
    PathBuf::from(database.url.trim_start_matches("sqlite://")).canonicalize().unwrap()
}

fn socket_of(database: &Database) -> PathBuf {
    let mut path = database_file(database).into_os_string();
    path.push(".admin");
    path.into()
}

#[rstest]
fn a_login_that_is_locked_out_is_let_in_again(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(house) = House::open(db) else { return };
    for _ in 0..10 {
        sign_in(&house.server, "wrong all the time").refused(401, "wrong_login_or_password");
    }
    sign_in(&house.server, ADMIN.1).refused(429, "too_many_attempts");
    let before = listed(&house.server, ADMIN.0);
    assert_eq!((&before["failed_sign_ins"], &before["last_sign_in"]), (&json!(10), &Value::Null), "{before}");
    let said = good(&admin(&house.server, &["unlock", "ADMIN"]).output().unwrap());
    assert_eq!(said, "ADMIN can try again\n");
    assert_eq!(listed(&house.server, ADMIN.0)["failed_sign_ins"], 0);
    sign_in(&house.server, ADMIN.1).good();
    let after = listed(&house.server, ADMIN.0);
    assert!(after["last_sign_in"].is_string() && after["roles"] == json!(["admin"]), "{after}");
    // It is as bounded as before.
    for _ in 0..10 {
        sign_in(&house.server, "wrong all the time").refused(401, "wrong_login_or_password");
    }
    sign_in(&house.server, ADMIN.1).refused(429, "too_many_attempts");
    let said = refused(&admin(&house.server, &["unlock", "nobody"]).output().unwrap());
    assert_eq!(said, "not_found: there is no such login");
}

#[rstest]
fn another_password_ends_all_that_the_old_one_gave(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(mut house) = House::open(db) else { return };
    let reset = ["reset-password", ADMIN.0, "--password-stdin"];
    let session = sign_in(&house.server, ADMIN.1).good().body;
    let client = house.server.public().bearer(session["access_token"].as_str().unwrap());
    let token = client.post("/api/v1/tokens", &json!({"name": "board"})).good().body;
    let script = house.server.public().bearer(token["token"].as_str().unwrap());
    script.get("/api/v1/me").good();
    let said = refused(&with_password(admin(&house.server, &reset), "short"));
    assert!(said.starts_with("password_too_short: "), "{said}");
    refused(&with_password(admin(&house.server, &reset), &"long ".repeat(10_000)));
    client.get("/api/v1/me").good();

    good(&with_password(admin(&house.server, &reset), OTHER));
    sign_in(&house.server, ADMIN.1).refused(401, "wrong_login_or_password");
    ended(&client);
    ended(&script);
    let refresh = json!({"refresh_token": session["refresh_token"]});
    house.server.public().post("/api/v1/refresh", &refresh).refused(401, "invalid_token");
    sign_in(&house.server, OTHER).good();

    // A link, for who is not to know the password.
    let said = good(&admin(&house.server, &["reset-password", ADMIN.0, "--link"]).output().unwrap());
    let (_, secret) = said.trim_end().rsplit_once("/claim/").unwrap_or_else(|| panic!("{said}"));
    sign_in(&house.server, OTHER).good();
    let claim = json!({"password": ADMIN.1});
    house.server.public().post(&format!("/api/v1/links/{secret}"), &claim).good();
    sign_in(&house.server, OTHER).refused(401, "wrong_login_or_password");

    // Another admin, made beside the service.
    let create = ["create", "second", "--password-stdin"];
    good(&with_password(admin(&house.server, &create), OTHER));
    house.sign_in("second", OTHER).get("/api/v1/accounts").good();
    let said = refused(&with_password(admin(&house.server, &create), OTHER));
    assert!(said.starts_with("login_taken: "), "{said}");

    // And all of it without a service.
    house.server.stop();
    good(&with_password(admin(&house.server, &reset), OTHER));
    good(&admin(&house.server, &["unlock", "second"]).output().unwrap());
    let said = good(&admin(&house.server, &["list"]).output().unwrap());
    let logins: Vec<_> =
        said.lines().map(|line| line.split_whitespace().take(2).collect::<Vec<_>>()).collect();
    assert_eq!(logins, [["admin", "admin,"], ["second", "admin,"]], "{said}");
    house.server.restart();
    sign_in(&house.server, ADMIN.1).refused(401, "wrong_login_or_password");
    sign_in(&house.server, OTHER).good();
    house.verify();
}

/// A client that asks the service has to be its user or root, and no socket is there that others could open.
#[test]
fn the_socket_is_its_users_own_and_goes_with_the_service() {
    let Some(database) = club(Db::Sqlite) else { return };
    let socket = socket_of(&database);
    let mut server = Server::start(&database);
    let is_private = || {
        let there = socket.symlink_metadata().unwrap();
        there.file_type().is_socket() && there.permissions().mode() & 0o777 == 0o600
    };
    assert!(is_private());
    let left = |folder: &Path| {
        let names = folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.contains(".admin")).collect::<Vec<_>>()
    };
    assert_eq!(left(socket.parent().unwrap()), ["club.db.admin"]);

    // What is no order is refused, and what has no end is not read forever.
    let say = |line: &[u8]| {
        let mut stream = UnixStream::connect(&socket).unwrap();
        let _ = stream.write_all(line);
        let mut answer = String::new();
        let _ = BufReader::new(stream).read_line(&mut answer);
        answer
    };
    assert!(say(b"{\"order\": \"erase\"}\n").starts_with("{\"refused\":"));
    assert_eq!(say(&[b'['; 20_000]), "");
    // Somebody who says nothing keeps nobody from it.
    let silent: Vec<_> = (0..3).map(|_| UnixStream::connect(&socket).unwrap()).collect();
    good(&admin(&server, &["unlock", ADMIN.0]).output().unwrap());
    drop(silent);

    // A service that was killed leaves its socket. It is in nobody's way.
    server.kill();
    assert!(socket.exists());
    good(&admin(&server, &["unlock", ADMIN.0]).output().unwrap());
    server.restart();
    assert!(is_private());
    good(&admin(&server, &["unlock", ADMIN.0]).output().unwrap());
    assert!(server.stop().success());
    assert_eq!(left(socket.parent().unwrap()), Vec::<String>::new());
}

/// Needs root, to be somebody else.
#[test]
fn nobody_else_is_listened_to() {
    let Some(database) = club(Db::Sqlite) else { return };
    let socket = socket_of(&database);
    let server = Server::start(&database);
    let folder = socket.parent().unwrap();
    let may =
        |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    may(folder, 0o755);
    let nobody = || {
        let script = r#"use Socket; socket(my $s, PF_UNIX, SOCK_STREAM, 0) or die;
            connect($s, sockaddr_un($ARGV[0])) or die "$!\n";
            $SIG{PIPE} = "IGNORE";
            syswrite($s, qq({"order": "unlock", "login": "admin"}\n)); sysread($s, my $said, 99); print $said;"#;
        let mut command = Command::new("perl");
        command.args(["-e", script]).arg(&socket).uid(65534).gid(65534).current_dir("/").stdin(Stdio::null());
        command.output()
    };
    let turned_away = match nobody() {
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            eprintln!("left out: only root can be somebody else");
            return;
        }
        done => done.expect("perl"),
    };
    let said = String::from_utf8_lossy(&turned_away.stderr);
    assert!(said.contains("Permission denied"), "{said}");
    // Not even if somebody opens it to all.
    may(&socket, 0o666);
    assert_eq!(String::from_utf8_lossy(&nobody().unwrap().stdout), "");
    assert!(server.logs("uid 65534 is neither the service's user nor root"));
    good(&admin(&server, &["unlock", ADMIN.0]).output().unwrap());
}

#[test]
fn where_there_can_be_no_socket_the_service_runs_and_says_so() {
    let Some(database) = club(Db::Sqlite) else { return };
    let deep = database_file(&database).parent().unwrap().join("a".repeat(100));
    std::fs::create_dir(&deep).unwrap();
    std::fs::copy(database_file(&database), deep.join("club.db")).unwrap();
    let url = format!("sqlite://{}", deep.join("club.db").display());
    let mut server = Server::start_with(&database, &[("DATABASE__URL", &url)]);
    assert!(server.logs("no admin socket"));
    sign_in(&server, ADMIN.1).good();
    good(&admin(&server, &["list"]).output().unwrap());
    let said = refused(&admin(&server, &["unlock", ADMIN.0]).output().unwrap());
    assert!(said.contains("is in use by another owlbox process, which does not answer at"), "{said}");
    server.stop();
    good(&admin(&server, &["unlock", ADMIN.0]).output().unwrap());
}

#[test]
fn without_a_terminal_a_password_is_not_asked_for() {
    let Some(database) = club(Db::Sqlite) else { return };
    for command in ["create", "reset-password"] {
        let mut program = Server::program_on(&database);
        let said = refused(&program.args(["admin", command, "maria"]).stdin(Stdio::null()).output().unwrap());
        assert_eq!(said, "no terminal to ask for the password: use --password-stdin");
    }
    // And a command that is not there to make a club makes none.
    let empty = Db::Sqlite.fresh().unwrap();
    let mut program = Server::program_on(&empty);
    refused(&program.args(["admin", "unlock", "maria"]).stdin(Stdio::null()).output().unwrap());
    assert!(!Path::new(empty.url.trim_start_matches("sqlite://")).exists());
}

/// Needs root, whose files the service of another user could not read.
#[test]
fn root_makes_no_club_in_a_folder_of_somebody_else() {
    let empty = Db::Sqlite.fresh().unwrap();
    let file = Path::new(empty.url.trim_start_matches("sqlite://"));
    let folder = file.parent().unwrap();
    if chown(folder, Some(65534), None).is_err() {
        eprintln!("left out: only root can give a folder away");
        return;
    }
    let create = || {
        let mut program = Server::program_on(&empty);
        program.args(["admin", "create", "maria", "--password-stdin"]);
        with_password(program, OTHER)
    };
    let said = refused(&create());
    assert!(said.contains("belongs to user 65534, not to root: give the command as that user"), "{said}");
    assert_eq!(folder.read_dir().unwrap().count(), 0, "and leaves nothing there");
    chown(folder, Some(0), None).unwrap();
    good(&create());
    // What is there already may be opened.
    chown(folder, Some(65534), None).unwrap();
    good(&Server::program_on(&empty).args(["admin", "unlock", "maria"]).output().unwrap());
}

#[rstest]
fn the_logins_of_one_club_of_many_are_its_own(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(federation) = Federation::open(db, &[]) else { return };
    let (lugano, bern) = (federation.club("lugano"), federation.club("bern"));
    let of_lugano = |command: &[&str]| {
        let mut program = federation.server.command(&["--club", &lugano.name, "admin"]);
        program.args(command);
        program
    };
    let listed = good(&of_lugano(&["list", "--json"]).output().unwrap());
    let listed: Vec<Value> = serde_json::from_str(&listed).unwrap();
    assert!(listed.len() == 1 && listed[0]["last_sign_in"].is_string(), "{listed:?}");
    let reset = ["reset-password", ADMIN.0, "--password-stdin"];
    good(&with_password(of_lugano(&reset), OTHER));
    ended(&lugano.admin);
    let sign_in = json!({"login": ADMIN.0, "password": OTHER});
    lugano.public.post("/api/v1/sign-in", &sign_in).good();
    bern.public.post("/api/v1/sign-in", &sign_in).refused(401, "wrong_login_or_password");
    bern.admin.get("/api/v1/me").good();
    let said = good(&of_lugano(&["reset-password", ADMIN.0, "--link"]).output().unwrap());
    assert!(said.contains(&format!("http://{}:", lugano.host)), "{said}");

    let clubs: Vec<String> = serde_json::from_str(&federation.told(&["club", "list", "--json"])).unwrap();
    assert!(clubs.contains(&lugano.name) && clubs.contains(&bern.name), "{clubs:?}");
    let counted = federation.told(&["--club", &bern.name, "verify", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&counted).unwrap()["accounts"], 1, "{counted}");
    let all = federation.told(&["verify", "--all", "--json"]);
    let all: Vec<Value> = all.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for club in [&lugano, &bern] {
        let found = all.iter().find(|line| line["club"] == club.name.as_str()).unwrap();
        assert_eq!(found["checked"]["accounts"], 1, "{found}");
    }
}
