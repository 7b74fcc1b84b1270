//! Section `mail`: through whom the service sends mail, if it does.

use std::net::IpAddr;

use actix_web::http::Uri;
use lettre::{Address, SmtpTransport};
use secrecy::{ExposeSecret as _, SecretString};

use super::layers::Layers;

/// Section `mail`.
#[derive(Clone, Debug)]
pub struct Mail {
    /// A URL as `lettre` reads it, which it has.
    pub url: SecretString,
    /// The address that mail comes from; beside it stands the club's name.
    pub from: Address,
}

impl Mail {
    pub(super) fn read(layers: &mut Layers) -> Option<Self> {
        let mistakes = layers.mistakes();
        let url = layers.secret(
            "mail.url",
            "smtps://USER:PASSWORD@HOST:PORT or smtp://USER:PASSWORD@HOST:PORT, percent-encoded, or nothing",
            |written| match written.text()? {
                "" => Some(None),
                text => url(text).map(Some),
            },
        );
        let from =
            layers.value("mail.from", "an address such as owlbox@club.example, or nothing", |written| {
                match written.text()? {
                    "" => Some(None),
                    text => text.parse().ok().map(Some),
                }
            });
        match (url, from) {
            (Some(url), Some(from)) => Some(Self { url, from }),
            (None, None) => None,
            // One that cannot be read is there.
            (Some(_), None) | (None, Some(_)) if layers.mistakes() > mistakes => None,
            (Some(_), None) | (None, Some(_)) => {
                layers.mistake("mail: url and from are given together, or neither");
                None
            }
        }
    }

    /// The URL without who and how.
    pub(super) fn shown(&self) -> String {
        let uri: Option<Uri> = self.url.expose_secret().parse().ok();
        let host = uri.as_ref().and_then(|uri| Some((uri.scheme_str()?, uri.host()?, uri.port())));
        host.map_or_else(
            || "***".to_owned(),
            |(scheme, host, port)| {
                let port = port.map(|port| format!(":{port}")).unwrap_or_default();
                format!("{scheme}://***@{host}{port}")
            },
        )
    }
}

/// The URL as it is used: nothing is sent in the clear, except to the machine itself.
fn url(text: &str) -> Option<SecretString> {
    let uri: Uri = text.parse().ok()?;
    let host = uri.host()?;
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    let is_here = host == "localhost" || address.is_ok_and(|address| address.is_loopback());
    let url = match (uri.scheme_str()?, uri.query()) {
        ("smtps", None) | ("smtp", Some("tls=required")) => text.to_owned(),
        ("smtp", None) if is_here => text.to_owned(),
        ("smtp", None) => format!("{text}?tls=required"),
        _ => return None,
    };
    SmtpTransport::from_url(&url).ok()?;
    Some(url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_leaves_the_machine_encrypted_or_not_at_all() {
        let used = |text| url(text).map(|url| url.expose_secret().to_owned());
        for as_it_is in [
            "smtps://owl:hush@mail.example:465",
            "smtp://owl:hush@mail.example:587?tls=required",
            "smtp://127.0.0.1:2525",
            "smtp://localhost",
            "smtp://[::1]:25",
        ] {
            assert_eq!(used(as_it_is).as_deref(), Some(as_it_is));
        }
        assert_eq!(
            used("smtp://owl:hu%40sh@mail.example:587").as_deref(),
            Some("smtp://owl:hu%40sh@mail.example:587?tls=required")
        );
        for wrong in [
            "mail.example",
            "http://mail.example",
            "smtp://",
            "smtp://mail.example?tls=opportunistic",
            "smtp://mail.example?tls=none",
            "smtps://owl:hu@sh@mail.example:465/x y",
        ] {
            assert_eq!(used(wrong), None, "{wrong}");
        }
    }
}
