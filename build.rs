//! Tells the program which commit it is built from: `OWLBOX_COMMIT` and `OWLBOX_COMMITTED_ON`, from the environment
//! or else from Git, and `OWLBOX_VERSION` for `--version`. Only optimised builds know their commit: in all others every
//! commit would have the program and its tests compiled anew.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=OWLBOX_COMMIT");
    println!("cargo::rerun-if-env-changed=OWLBOX_COMMITTED_ON");
    println!("cargo::rerun-if-changed=build.rs");
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let is_optimised = std::env::var("OPT_LEVEL").is_ok_and(|level| level != "0");
    let given = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let (commit, committed_on) = match (given("OWLBOX_COMMIT"), given("OWLBOX_COMMITTED_ON")) {
        (None, None) if is_optimised => (git("%H"), git("%cs")),
        given => given,
    };
    let about = [commit.as_deref().map(|commit| &commit[..commit.len().min(12)]), committed_on.as_deref()];
    let about = about.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let about = if about.is_empty() { String::new() } else { format!(" ({about})") };
    println!("cargo::rustc-env=OWLBOX_VERSION={version}{about}");
    for (name, value) in [("OWLBOX_COMMIT", commit), ("OWLBOX_COMMITTED_ON", committed_on)] {
        if let Some(value) = value {
            println!("cargo::rustc-env={name}={value}");
        }
    }
}

/// What Git says of the newest commit, in one of its formats. Cargo looks again once there is a newer one.
fn git(format: &str) -> Option<String> {
    let said = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let said = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (output.status.success() && !said.is_empty()).then_some(said)
    };
    if let Some(log) = said(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    said(&["show", "--no-patch", &format!("--format={format}"), "HEAD"])
}
