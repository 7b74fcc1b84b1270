//! The address of a server, as libpq would read it: `postgres://USER:PASSWORD@HOST:PORT/DATABASE?OPTIONS`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use diesel::ConnectionError;
use tokio_postgres::Config;
use tokio_postgres::config::{LoadBalanceHosts, SslMode, TargetSessionAttrs};

use super::refused;

/// How long a server may take to answer, unless the address says otherwise.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// After how long a server that acknowledges nothing any more is given up: a host that vanished without a
/// word would hold its connection for a quarter of an hour.
const TCP_USER_TIMEOUT: Duration = Duration::from_secs(5);

/// Where a server is, and what it has to prove.
pub(super) struct Address {
    pub config: Config,
    pub tls: Tls,
}

/// Whether a connection is encrypted, by the option `sslmode`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tls {
    /// `disable`
    Never,
    /// `prefer`: if the server can. Nobody's certificate is looked at, since without one it would do as well.
    IfOffered,
    /// `require`, `verify-ca` and `verify-full`, which are one: the server has to show a certificate for its
    /// name, from an authority of the system, or of the file that `sslrootcert` names.
    Verified { authorities: Option<PathBuf> },
}

impl FromStr for Address {
    type Err = ConnectionError;

    fn from_str(url: &str) -> Result<Self, ConnectionError> {
        let (before, options) = url.split_once('?').unwrap_or((url, ""));
        let (mut mode, mut authorities, mut others) = ("prefer", None, Vec::new());
        let mut acknowledged_within = TCP_USER_TIMEOUT;
        for option in options.split('&').filter(|option| !option.is_empty()) {
            match option.split_once('=') {
                Some(("sslmode", value)) => mode = value,
                Some(("sslrootcert", value)) => {
                    let path = percent_encoding::percent_decode_str(value).decode_utf8();
                    authorities = Some(PathBuf::from(&*path.map_err(|error| refused(&error))?));
                }
                // In milliseconds, as libpq has it; the driver would take seconds. Zero leaves it to the
                // system.
                Some(("tcp_user_timeout", value)) => {
                    acknowledged_within =
                        Duration::from_millis(value.parse().map_err(|error| refused(&error))?);
                }
                _ => others.push(option),
            }
        }
        let tls = match (mode, authorities) {
            ("disable", None) => Tls::Never,
            ("prefer", None) => Tls::IfOffered,
            ("require" | "verify-ca" | "verify-full", authorities) => Tls::Verified { authorities },
            ("disable" | "prefer", Some(_)) => {
                return Err(invalid("with `sslrootcert`, `sslmode` has to be `verify-full`"));
            }
            _ => {
                return Err(invalid(
                    "`sslmode` is `disable`, `prefer`, `require`, `verify-ca` or `verify-full`",
                ));
            }
        };
        let mut config: Config =
            format!("{before}?{}", others.join("&")).parse().map_err(|error| refused(&error))?;
        // The driver found one where we did not look: what follows a `?` in the password is no option.
        if config.get_ssl_mode() != SslMode::Prefer {
            return Err(invalid("in a password `?` is written as %3F"));
        }
        if config.get_target_session_attrs() != TargetSessionAttrs::Any
            || config.get_load_balance_hosts() != LoadBalanceHosts::Disable
            || !config.get_hostaddrs().is_empty()
        {
            return Err(invalid(
                "`target_session_attrs`, `load_balance_hosts` and `hostaddr` are not supported",
            ));
        }
        if ![0, 1, config.get_hosts().len()].contains(&config.get_ports().len()) {
            return Err(invalid("as many ports as hosts, or one for all"));
        }
        // It is this program that encrypts, not the driver.
        config.ssl_mode(SslMode::Disable);
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        config.tcp_user_timeout(acknowledged_within);
        if config.get_application_name().is_none() {
            config.application_name("owlbox");
        }
        Ok(Self { config, tls })
    }
}

fn invalid(why: &str) -> ConnectionError {
    ConnectionError::InvalidConnectionUrl(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(url: &str) -> Address {
        url.parse().unwrap_or_else(|error| panic!("{url}: {error}"))
    }

    #[test]
    fn an_address_keeps_its_own_time_limits_and_is_given_the_others() {
        let limits = |url| {
            let Address { config, .. } = address(url);
            (*config.get_connect_timeout().unwrap(), *config.get_tcp_user_timeout().unwrap())
        };
        assert_eq!(limits("postgres://h/d"), (CONNECT_TIMEOUT, TCP_USER_TIMEOUT));
        let minute = Duration::from_secs(60);
        assert_eq!(limits("postgres://h/d?connect_timeout=60"), (minute, TCP_USER_TIMEOUT));
        assert_eq!(limits("postgres://h/d?tcp_user_timeout=60000"), (CONNECT_TIMEOUT, minute));
    }

    #[test]
    fn an_address_says_what_the_server_has_to_prove() {
        let tls = |options: &str| address(&format!("postgres://h/d?{options}")).tls;
        assert_eq!(tls(""), Tls::IfOffered);
        assert_eq!(tls("sslmode=disable"), Tls::Never);
        for mode in ["require", "verify-ca", "verify-full"] {
            assert_eq!(tls(&format!("sslmode={mode}")), Tls::Verified { authorities: None });
        }
        let file = Some(PathBuf::from("/etc/our ca.pem"));
        let named = "options=-csearch_path%3Dours&sslrootcert=/etc/our%20ca.pem&sslmode=verify-full";
        assert_eq!(tls(named), Tls::Verified { authorities: file });
        assert_eq!(
            address(&format!("postgres://h/d?{named}")).config.get_options(),
            Some("-csearch_path=ours")
        );
    }

    #[test]
    fn what_would_weaken_an_address_or_is_unknown_is_refused() {
        for options in
            ["sslmode=allow", "sslrootcert=ca.pem", "sslmode=disable&sslrootcert=ca.pem", "sslcert=me.pem"]
        {
            assert!(format!("postgres://h/d?{options}").parse::<Address>().is_err(), "{options}");
        }
        for url in [
            "postgres://u:p?w@h/d?sslmode=require",
            "postgres://h/d?sslmod%65=require",
            "postgres://h,i/d?target_session_attrs=read-write",
            "postgres://h,i/d?load_balance_hosts=random",
            "postgres:///d?hostaddr=192.0.2.1",
            "postgres:///d?host=h,i,j&port=1,2",
        ] {
            assert!(url.parse::<Address>().is_err(), "{url}");
        }
    }
}
