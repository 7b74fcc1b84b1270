//! A PostgreSQL server of a test's own, which may be stopped, or meet faults.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;
use uuid::Uuid;

use super::databases::{self, Database};

/// How often it is tried to start: the only way to know that a port is free is to take it.
const ATTEMPTS: u16 = 20;

/// A running server, stopped on drop.
pub struct Cluster {
    folder: TempDir,
    /// The folder with PostgreSQL's own programs.
    programs: PathBuf,
    /// What the server has in its environment.
    environment: Vec<(String, String)>,
    password: String,
    port: u16,
}

impl Cluster {
    /// Starts an empty server with these variables in its environment, or `None` if the PostgreSQL tests are
    /// to be skipped.
    #[track_caller]
    pub fn start(environment: &[(&str, &str)]) -> Option<Self> {
        let programs = super::postgres_programs()?.into();
        let folder = tempfile::Builder::new().prefix("owlbox-test.").tempdir().expect("a temporary folder");
        let random = Uuid::now_v7();
        let password = random.simple().to_string();
        let environment =
            environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let mut cluster = Self { folder, programs, environment, password, port: 0 };
        std::fs::write(cluster.path("password"), &cluster.password).expect("a file");
        std::fs::set_permissions(cluster.path("password"), PermissionsExt::from_mode(0o600)).expect("ours");
        if is_root() {
            done(
                Command::new("chown")
                    .arg("postgres")
                    .arg(cluster.folder.path())
                    .arg(cluster.path("password")),
            );
        }
        done(
            cluster
                .program("initdb")
                .args([
                    "-U",
                    "owlbox",
                    "--auth=scram-sha-256",
                    "--encoding=UTF8",
                    "--locale=C.UTF-8",
                    "--no-sync",
                ])
                .arg("--pwfile")
                .arg(cluster.path("password")),
        );
        let started = (0..ATTEMPTS).any(|attempt| {
            // Not one that an outgoing connection is given.
            let [.., high, low] = random.into_bytes();
            cluster.port = 10_000 + (u16::from_be_bytes([high, low]) / 2 + 487 * attempt) % 10_000;
            cluster.runs()
        });
        assert!(started, "{}", cluster.log());
        Some(cluster)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    /// One of PostgreSQL's own programs, at the data of this server. They refuse to run as root.
    fn program(&self, name: &str) -> Command {
        let program = self.programs.join(name);
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.current_dir("/").arg("-D").arg(self.path("data"));
        command
    }

    /// Starts the server and waits until it answers. Whether it does.
    fn runs(&self) -> bool {
        let mut command = self.program("pg_ctl");
        let options = format!(
            "-p {} -k {} -c listen_addresses=127.0.0.1 -c fsync=off -c full_page_writes=off -c shared_buffers=16MB",
            self.port,
            self.folder.path().display()
        );
        command.args(["-w", "-t", "60", "-o", &options, "-l"]).arg(self.path("log")).arg("start");
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.output().expect("pg_ctl").status.success()
    }

    /// Stops the server as `mode` of `pg_ctl` says, and starts it again.
    #[track_caller]
    pub fn restart(&self, mode: &str) {
        done(self.program("pg_ctl").args(["-w", "-m", mode, "stop"]));
        let started = (0..ATTEMPTS).any(|_| self.runs());
        assert!(started, "{}", self.log());
    }

    /// An empty database on it.
    pub fn database(&self) -> Database {
        databases::schema_on(&format!("postgres://owlbox:{}@127.0.0.1:{}/postgres", self.password, self.port))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let stopped = self.program("pg_ctl").args(["-w", "-m", "immediate", "stop"]).output();
        let is_stopped = stopped.is_ok_and(|stopped| stopped.status.success());
        assert!(is_stopped || std::thread::panicking(), "the server goes on");
    }
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|process| std::os::unix::fs::MetadataExt::uid(&process) == 0)
}

/// Runs a program that has to succeed.
#[track_caller]
fn done(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
