//! Sends to webhooks. The host's name is resolved once, every address it has is checked, and the connection
//! goes to one that was checked. There are no redirects, no proxy, and no second look at the name.
//!
//! A message is signed as [Standard Webhooks](https://www.standardwebhooks.com) has it.

mod addresses;

use std::error::Error;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::{Request, Uri, header};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, SemaphorePermit, oneshot};
use tokio::task::JoinSet;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use uuid::Uuid;

use self::addresses::is_public;
use crate::config::Network;
use crate::service::Service;
use crate::telemetry;
use owlbox_desk::club::webhooks::{Delivery, DeliveryFailure, DueWebhook};
use owlbox_desk::{Actor, Refused};

/// The longest that a receiver may take, from the look-up of its name to the head of its answer.
const WITHIN: Duration = Duration::from_secs(10);
/// How many messages a process sends at a time. Of one club there are ten at most: a webhook sends one after
/// the other.
const AT_ONCE: usize = 64;
static PLACES: Semaphore = Semaphore::const_new(AT_ONCE);
/// Places of those who try a webhook out, apart from the others: nobody waits for a place while somebody
/// tries.
static TRIALS: Semaphore = Semaphore::const_new(8);
/// How many names are looked up at a time. A look-up cannot be ended: it keeps its place until it has ended.
static LOOKUPS: Semaphore = Semaphore::const_new(AT_ONCE);
/// The most that the head of an answer may have. Its body is not read.
const LARGEST_HEAD: usize = 16 * 1024;
/// What somebody who tries a webhook out has it sent.
const PING: &[u8] = br#"{"kind":"ping"}"#;

/// A place among those that send. It is waited for before a webhook is claimed.
pub struct Place(#[expect(dead_code, reason = "it is held")] SemaphorePermit<'static>);

impl Place {
    /// Waits for a place.
    pub async fn free() -> Option<Self> {
        PLACES.acquire().await.ok().map(Self)
    }
}

/// What sends a club's webhooks. It holds the service, which is told apart from what else uses it.
pub struct Courier {
    pub service: Service,
    is_loaded: bool,
}

/// How many couriers a club has, and how many of them have something to deliver.
#[derive(Default)]
pub struct Couriers {
    all: AtomicUsize,
    loaded: AtomicUsize,
    /// Whether somebody of the club tries a webhook out.
    is_trying: AtomicBool,
}

impl Couriers {
    pub(crate) fn all(&self) -> usize {
        self.all.load(Ordering::Relaxed)
    }

    pub(crate) fn any_loaded(&self) -> bool {
        self.loaded.load(Ordering::Relaxed) > 0
    }
}

impl Courier {
    #[must_use]
    pub fn new(service: &Service) -> Self {
        let service = service.clone();
        service.couriers.all.fetch_add(1, Ordering::Relaxed);
        Self { service, is_loaded: false }
    }

    /// Whether it has something to deliver, which keeps its club awake.
    pub fn load(&mut self, is_loaded: bool) {
        let loaded = &self.service.couriers.loaded;
        match (self.is_loaded, is_loaded) {
            (false, true) => _ = loaded.fetch_add(1, Ordering::Relaxed),
            (true, false) => _ = loaded.fetch_sub(1, Ordering::Relaxed),
            (true, true) | (false, false) => {}
        }
        self.is_loaded = is_loaded;
    }
}

impl Drop for Courier {
    fn drop(&mut self) {
        self.load(false);
        self.service.couriers.all.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Has a webhook send a message that says nothing, whether it is on or not.
///
/// # Errors
/// There is no such webhook; the caller may not try it; the club, or too many others, try one at the moment.
pub async fn ping(service: &Service, actor: &Actor, id: Uuid) -> Result<Delivery, Refused> {
    let webhook = service.desk.webhook_to_try(actor, id).await?;
    let _trial = Trial::begin(service).ok_or(Refused::Busy)?;
    let place = TRIALS.try_acquire().map_err(|_| Refused::Busy)?;
    let message = format!("ping-{}", Uuid::now_v7());
    let delivery = send(service, &webhook, &Place(place), "ping", &message, Bytes::from_static(PING)).await;
    service.desk.note_trial(&webhook, delivery.clone()).await?;
    Ok(delivery)
}

/// A club's only trial of a webhook at a time.
struct Trial<'a>(&'a AtomicBool);

impl<'a> Trial<'a> {
    fn begin(service: &'a Service) -> Option<Self> {
        let is_trying = &service.couriers.is_trying;
        (!is_trying.swap(true, Ordering::AcqRel)).then_some(Self(is_trying))
    }
}

impl Drop for Trial<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// Sends a message about an event, once.
pub async fn send(
    service: &Service,
    webhook: &DueWebhook,
    _: &Place,
    event: &str,
    message: &str,
    body: Bytes,
) -> Delivery {
    let at = service.desk.now();
    let seconds = at.utc().timestamp();
    let signature = webhook.signature(message, seconds, &body);
    let request = Request::post(webhook.url.path_and_query().map_or("/", |path| path.as_str()))
        .header(header::HOST, webhook.url.authority().map_or("", |host| host.as_str()))
        .header(header::USER_AGENT, "owlbox")
        .header(header::CONTENT_TYPE, "application/json")
        .header("webhook-id", message)
        .header("webhook-timestamp", seconds)
        .header("webhook-signature", signature)
        .body(Full::new(body));
    let started = Instant::now();
    let sent = async { post(&service.config.http.webhook_networks, &webhook.url, request?).await };
    let (status, failure) = match tokio::time::timeout(WITHIN, sent).await {
        Err(_) => (None, Some(DeliveryFailure::TimedOut)),
        Ok(Ok(status @ 200..300)) => (Some(status), None),
        Ok(Ok(status)) => (Some(status), Some(DeliveryFailure::Status)),
        Ok(Err(Undelivered { failure, why })) => {
            tracing::info!(webhook = %webhook.id(), host = webhook.url.host(), %why, "a webhook did not deliver");
            (None, Some(failure))
        }
    };
    let outcome = if failure.is_none() { "done" } else { "failed" };
    metrics::counter!(telemetry::WEBHOOK_DELIVERIES, "outcome" => outcome).increment(1);
    Delivery {
        id: Uuid::now_v7(),
        event: event.to_owned(),
        at,
        milliseconds: i32::try_from(started.elapsed().as_millis()).unwrap_or(i32::MAX),
        status: status.and_then(|status| i16::try_from(status).ok()),
        failure,
    }
}

/// Why there was no answer.
struct Undelivered {
    failure: DeliveryFailure,
    why: Box<dyn Error + Send + Sync>,
}

impl Undelivered {
    fn new(failure: DeliveryFailure, why: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { failure, why: why.into() }
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for Undelivered {
    fn from(why: E) -> Self {
        Self::new(DeliveryFailure::Unreachable, why)
    }
}

/// Checks certificates by the authorities that the system knows.
static TLS: LazyLock<Result<TlsConnector, String>> = LazyLock::new(|| {
    let mut known = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    let (added, _) = known.add_parsable_certificates(found.certs);
    if added == 0 {
        tracing::warn!(errors = ?found.errors, "the system knows no authorities: no webhook delivers by https");
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().map_err(|error| error.to_string())?;
    Ok(Arc::new(builder.with_root_certificates(known).with_no_client_auth()).into())
});

/// The status that a receiver answers.
async fn post(inside: &[Network], url: &Uri, request: Request<Full<Bytes>>) -> Result<u16, Undelivered> {
    let host = url.host().unwrap_or_default().trim_matches(['[', ']']);
    let is_encrypted = url.scheme_str() == Some("https");
    let port = url.port_u16().unwrap_or(if is_encrypted { 443 } else { 80 });
    let named = |why| Undelivered::new(DeliveryFailure::NoAddress, why);
    let addresses = addresses_of(host.to_owned(), port).await.map_err(named)?;
    if addresses.is_empty() {
        return Err(Undelivered::new(DeliveryFailure::NoAddress, "the name has no address"));
    }
    for address in &addresses {
        let ip = address.ip().to_canonical();
        let is_allowed = inside.iter().any(|network| network.contains(ip));
        if !is_allowed && !is_public(ip) {
            return Err(Undelivered::new(
                DeliveryFailure::Inside,
                "http.webhook_networks has not its address",
            ));
        }
        if !is_allowed && !is_encrypted {
            return Err(Undelivered::new(DeliveryFailure::Unencrypted, "it is not https"));
        }
    }
    let stream = TcpStream::connect(&*addresses).await?;
    if !is_encrypted {
        return exchange(TokioIo::new(stream), request).await;
    }
    let name = ServerName::try_from(host.to_owned())?;
    let tls = TLS.clone().map_err(|why| Undelivered::new(DeliveryFailure::Unreachable, why))?;
    exchange(TokioIo::new(tls.connect(name, stream).await?), request).await
}

/// The addresses of a host. The system is asked on a thread of its own: a name server that does not answer
/// would hold one of those that serve the database.
async fn addresses_of(host: String, port: u16) -> io::Result<Vec<SocketAddr>> {
    let place = LOOKUPS.acquire().await.map_err(io::Error::other)?;
    let (tell, told) = oneshot::channel();
    std::thread::Builder::new().name("webhook-name".to_owned()).spawn(move || {
        let found = (host, port).to_socket_addrs().map(Vec::from_iter);
        drop(place);
        // Nobody listens any more if it has taken too long.
        drop(tell.send(found));
    })?;
    told.await.map_err(io::Error::other)?
}

async fn exchange<S>(stream: S, request: Request<Full<Bytes>>) -> Result<u16, Undelivered>
where
    S: hyper::rt::Read + hyper::rt::Write + Unpin + Send + 'static,
{
    let (mut sender, connection) = http1::Builder::new().max_buf_size(LARGEST_HEAD).handshake(stream).await?;
    // The connection ends with the exchange, whatever is still to come.
    let mut connected = JoinSet::new();
    connected.spawn(connection);
    Ok(sender.send_request(request).await?.status().as_u16())
}
