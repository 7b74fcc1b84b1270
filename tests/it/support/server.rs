//! The real program, serving on a free port.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::client::Client;
use super::databases::Database;

/// The longest that a start or a stop may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// A setting for tests of what happens at the same time.
pub const TWO_WORKERS: (&str, &str) = ("HTTP__WORKERS", "2");
/// The signing key of every test server. PostgreSQL requires a configured one.
pub const SIGNING_KEY: &str = "test:0123456789abcdef0123456789abcdef";

/// A running `owlbox serve`, killed on drop.
pub struct Server {
    child: Child,
    url: String,
    settings: Vec<(String, String)>,
    folder: Arc<TempDir>,
    printed: Arc<Mutex<String>>,
    logged: Arc<Mutex<String>>,
}

impl Server {
    /// Starts on `database` with the built-in settings.
    #[track_caller]
    pub fn start(database: &Database) -> Self {
        Self::start_with(database, &[])
    }

    /// Starts with settings that differ from the built-in ones: `("LIMITS__LIVE_STREAMS", "2")`.
    #[track_caller]
    pub fn start_with(database: &Database, own: &[(&str, &str)]) -> Self {
        Self::start_under(database, own, &[])
    }

    /// The same, with these variables in its environment.
    #[track_caller]
    pub fn start_under(database: &Database, own: &[(&str, &str)], environment: &[(&str, &str)]) -> Self {
        let mut settings = vec![
            ("OWLBOX_HTTP__LISTEN".to_owned(), "127.0.0.1:0".to_owned()),
            // Each worker compiles all routes when it starts.
            ("OWLBOX_HTTP__WORKERS".to_owned(), "1".to_owned()),
            ("OWLBOX_AUTH__SIGNING_KEYS".to_owned(), SIGNING_KEY.to_owned()),
            ("OWLBOX_DATABASE__URL".to_owned(), database.url.clone()),
        ];
        for (key, value) in own {
            let name = format!("OWLBOX_{key}");
            settings.retain(|(known, _)| *known != name);
            settings.push((name, (*value).to_owned()));
        }
        settings.extend(environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let folder = tempfile::Builder::new().prefix("owlbox-test.").tempdir().expect("a temporary folder");
        Self::launch(settings, Arc::new(folder))
    }

    /// Starts with these settings and no others.
    #[track_caller]
    pub fn start_as(settings: Vec<(String, String)>) -> Self {
        let folder = tempfile::Builder::new().prefix("owlbox-test.").tempdir().expect("a temporary folder");
        Self::launch(settings, Arc::new(folder))
    }

    /// The program without a server, with the settings that a server on `database` would have.
    pub fn program_on(database: &Database) -> Command {
        program(&[
            ("OWLBOX_DATABASE__URL".to_owned(), database.url.clone()),
            ("OWLBOX_AUTH__SIGNING_KEYS".to_owned(), SIGNING_KEY.to_owned()),
        ])
    }

    #[track_caller]
    fn launch(settings: Vec<(String, String)>, folder: Arc<TempDir>) -> Self {
        let mut child = program(&settings)
            .arg("serve")
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (announce, announced) = mpsc::channel();
        let printed = follow(child.stdout.take().expect("stdout is piped"), Some(announce));
        let logged = follow(child.stderr.take().expect("stderr is piped"), None);
        let Ok(url) = announced.recv_timeout(PATIENCE) else {
            let _ = child.kill();
            let status = child.wait();
            panic!(
                "the server did not announce its address ({status:?}); it printed:\n{}\nand logged:\n{}",
                printed.lock().unwrap(),
                logged.lock().unwrap()
            );
        };
        Self { child, url, settings, folder, printed, logged }
    }

    /// The server's base URL, as `http://127.0.0.1:PORT`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The server's address, as `127.0.0.1:PORT`.
    pub fn address(&self) -> &str {
        self.url.trim_start_matches("http://")
    }

    /// A caller that is not signed in.
    pub fn public(&self) -> Client {
        Client::public(&self.url)
    }

    /// Everything printed so far: the address, a set-up code.
    pub fn printed(&self) -> String {
        self.printed.lock().unwrap().clone()
    }

    /// Everything that the server has logged so far.
    pub fn logged(&self) -> String {
        self.logged.lock().unwrap().clone()
    }

    /// Whether the server has logged this, or does so soon: what it writes is read on the side.
    pub fn logs(&self, text: &str) -> bool {
        let until = Instant::now() + Duration::from_secs(10);
        while !self.logged().contains(text) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
        self.logged().contains(text)
    }

    /// Another command of the program, with this server's settings and folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program(&self.settings);
        command.args(arguments).current_dir(self.folder.path());
        command
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends SIGTERM, without waiting for the server to stop.
    pub fn terminate(&self) {
        self.signal("TERM");
    }

    /// Sends a signal.
    pub fn signal(&self, name: &str) {
        // The shell's builtin, because a minimal machine has no /bin/kill.
        let order = format!("kill -{name} {}", self.child.id());
        let status = Command::new("sh").args(["-c", &order]).status().expect("a shell");
        assert!(status.success(), "{order}: {status}");
    }

    /// Sends SIGTERM, and waits until the server has stopped.
    #[track_caller]
    pub fn stop(&mut self) -> ExitStatus {
        self.terminate();
        self.wait()
    }

    /// Waits until the server has stopped by itself.
    #[track_caller]
    pub fn wait(&mut self) -> ExitStatus {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child that can be waited for") {
                return status;
            }
            assert!(Instant::now() < until, "the server does not stop; it logged:\n{}", self.logged());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Kills the server in the middle of whatever it does (SIGKILL).
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Starts it again on the same database, on another port. A running server is killed first.
    #[track_caller]
    pub fn restart(&mut self) {
        self.kill();
        *self = Self::launch(self.settings.clone(), Arc::clone(&self.folder));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        if std::thread::panicking() {
            eprintln!("--- the server printed:\n{}--- and logged:\n{}---", self.printed(), self.logged());
        }
    }
}

/// The program with these settings, and none that the test run happens to have.
fn program(settings: &[(String, String)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_owlbox"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("OWLBOX_") {
            command.env_remove(name);
        }
    }
    // Without huge pages, which cost a service that lives for a second more than everything else at its
    // start.
    command.env("MIMALLOC_ALLOW_THP", "0");
    command.env("NO_COLOR", "1").envs(settings.iter().map(|(name, value)| (name, value)));
    command
}

/// Collects the output, and announces the address once it is printed.
fn follow(output: impl Read + Send + 'static, announce: Option<mpsc::Sender<String>>) -> Arc<Mutex<String>> {
    let collected = Arc::new(Mutex::new(String::new()));
    let shared = Arc::clone(&collected);
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let mut text = shared.lock().unwrap();
            text.push_str(&line);
            text.push('\n');
            if let (Some(announce), Some(url)) = (&announce, line.strip_prefix("listening on ")) {
                let _ = announce.send(url.trim_end_matches('/').to_owned());
            }
        }
    });
    collected
}
