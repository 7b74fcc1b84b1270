//! What systemd is told, if it has started the service with `Type=notify`: that it is ready, and then that it
//! is alive (sd_notify(3)). Without systemd nothing is told.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Duration;

use sd_notify::NotifyState;

use crate::cli::healthcheck;

/// Tells systemd that requests are answered. If it watches the service, a thread then tells it so several
/// times in each of its periods, as long as that is true.
///
/// # Errors
/// The thread cannot be started.
pub fn ready(address: SocketAddr) -> std::io::Result<()> {
    tell(NotifyState::Ready);
    if let Some(period) = sd_notify::watchdog_enabled() {
        std::thread::Builder::new().name("watchdog".to_owned()).spawn(move || watch(address, period))?;
    }
    Ok(())
}

/// Asks the service itself, as a client does, since a thread that only counts would be alive in a service
/// that hangs. A missed answer is forgiven until the period is over; then systemd starts the service again.
fn watch(address: SocketAddr, period: Duration) {
    let pause = period / 4;
    loop {
        if is_alive(address, pause) {
            tell(NotifyState::Watchdog);
        }
        std::thread::sleep(pause);
    }
}

/// Whether somebody is there. A connection that is taken and closed at once counts: under a flood there may
/// be no place left, and a restart would not help.
fn is_alive(address: SocketAddr, patience: Duration) -> bool {
    match healthcheck::ask(address, "/healthz", patience) {
        Ok(_) => true,
        Err(error) => matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe),
    }
}

fn tell(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "cannot report the state to systemd");
    }
}
