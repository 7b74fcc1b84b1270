//! Tells the program which commit it is built from: `OWLBOX_COMMIT` and `OWLBOX_COMMITTED_ON`, from the
//! environment or else from Git, empty if neither knows, and `OWLBOX_VERSION` for `--version`. Only optimised
//! builds ask Git: in all others every commit would have the program and its tests compiled anew.

use std::process::Command;

/// So many digits of a commit are enough to find it.
const DIGITS: usize = 12;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_optimised = std::env::var("OPT_LEVEL").is_ok_and(|level| level != "0");
    let given = ["OWLBOX_COMMIT", "OWLBOX_COMMITTED_ON"].map(|variable| {
        println!("cargo::rerun-if-env-changed={variable}");
        std::env::var(variable).ok().filter(|value| !value.is_empty())
    });
    let [commit, committed_on] = match given {
        [None, None] if is_optimised => ["%H", "%cs"].map(of_newest_commit),
        given => given,
    };
    let is_commit = |text: &String| !text.is_empty() && text.chars().all(|digit| digit.is_ascii_hexdigit());
    let is_day = |text: &String| text.len() == 10 && text.chars().all(|c| c.is_ascii_digit() || c == '-');
    let commit = commit.filter(is_commit).map(|commit| commit.chars().take(DIGITS).collect::<String>());
    let committed_on = committed_on.filter(is_day);
    let about =
        [&commit, &committed_on].into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(", ");
    let about = if about.is_empty() { about } else { format!(" ({about})") };
    println!(
        "cargo::rustc-env=OWLBOX_VERSION={}{about}",
        std::env::var("CARGO_PKG_VERSION").unwrap_or_default()
    );
    println!("cargo::rustc-env=OWLBOX_COMMIT={}", commit.unwrap_or_default());
    println!("cargo::rustc-env=OWLBOX_COMMITTED_ON={}", committed_on.unwrap_or_default());
}

/// What Git says of the newest commit, in one of its formats; `None` where the sources are not as they were
/// committed, or lie in somebody else's repository. Cargo looks again once there is a newer commit or a
/// source has changed.
fn of_newest_commit(format: &str) -> Option<String> {
    let root = std::env::var("CARGO_MANIFEST_DIR").ok()?;
    let top = git(&["rev-parse", "--show-toplevel"])?;
    let is_ours = std::fs::canonicalize(top).ok()? == std::fs::canonicalize(root).ok()?;
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    for watched in [log.as_str(), "Cargo.lock", "assets", "crates", "migrations", "src", "templates"] {
        println!("cargo::rerun-if-changed={watched}");
    }
    if !is_ours || !git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty() {
        return None;
    }
    git(&["show", "--no-patch", &format!("--format={format}"), "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let said = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| said.trim().to_owned())
}
