//! The foundation of the tests: databases, a running server, callers and a browser.
//!
//! Whatever a machine lacks makes a test fail with a message, never pass. To skip the tests with PostgreSQL,
//! the browser, the Python programs, GNU Backgammon, hledger or GnuCash, set OWLBOX_TEST_SKIP_POSTGRES=1,
//! OWLBOX_TEST_SKIP_BROWSER=1, OWLBOX_TEST_SKIP_PYTHON=1, OWLBOX_TEST_SKIP_GNUBG=1,
//! OWLBOX_TEST_SKIP_HLEDGER=1 or OWLBOX_TEST_SKIP_GNUCASH=1.

#![allow(dead_code, reason = "a kit: not every build uses every tool")]

pub mod browser;
pub mod chromium;
pub mod client;
pub mod cluster;
pub mod contract;
pub mod databases;
pub mod evening;
pub mod events;
pub mod federation;
pub mod house;
#[path = "../../../benches/support/load.rs"]
pub mod load;
pub mod mail;
pub mod pdf;
pub mod receiver;
pub mod server;

/// The address in `variable`, or `None` if the tests that need it are to be skipped.
fn address(variable: &str, skip: &str, what: &str) -> Option<String> {
    match std::env::var(variable) {
        Ok(address) => Some(address),
        Err(_) if std::env::var(skip).is_ok_and(|value| value == "1") => {
            eprintln!("left out: needs {what}, and {skip}=1");
            None
        }
        Err(_) => panic!(
            "this test needs {what}: run `bash tests/run.sh`, or set {variable}, or leave it out with {skip}=1"
        ),
    }
}

/// The Python with the environment that `tests/python/requirements.txt` describes, or `None` if its tests are
/// to be skipped.
pub fn python() -> Option<String> {
    let what = "Python with the programs of tests/python/requirements.txt";
    address("OWLBOX_TEST_PYTHON", "OWLBOX_TEST_SKIP_PYTHON", what)
}

/// The folder with PostgreSQL's own programs, or `None` if its tests are to be skipped.
pub fn postgres_programs() -> Option<String> {
    address("OWLBOX_TEST_POSTGRES_PROGRAMS", "OWLBOX_TEST_SKIP_POSTGRES", "PostgreSQL's own programs")
}

/// GNU Backgammon, or `None` if its tests are to be skipped.
pub fn gnubg() -> Option<String> {
    address("OWLBOX_TEST_GNUBG", "OWLBOX_TEST_SKIP_GNUBG", "GNU Backgammon")
}

/// hledger, or `None` if its tests are to be skipped.
pub fn hledger() -> Option<String> {
    address("OWLBOX_TEST_HLEDGER", "OWLBOX_TEST_SKIP_HLEDGER", "hledger")
}

/// A Python that knows GnuCash, or `None` if its tests are to be skipped.
pub fn gnucash_python() -> Option<String> {
    address("OWLBOX_TEST_GNUCASH_PYTHON", "OWLBOX_TEST_SKIP_GNUCASH", "GnuCash and its bindings for Python")
}

/// Whether attacks are to be made at their full size (`OWLBOX_FULL_SIZE=1`): every run makes small ones.
pub fn full_size() -> bool {
    std::env::var("OWLBOX_FULL_SIZE").is_ok_and(|value| value == "1")
}
