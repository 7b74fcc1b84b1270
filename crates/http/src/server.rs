//! Starts the service and stops it gracefully.
//!
//! On SIGTERM or Ctrl-C live streams end at once, requests in flight are finished, new ones are refused, and
//! the writer commits what it has accepted.

use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix_http::{HttpService, KeepAlive};
use actix_service::{IntoServiceFactory as _, ServiceFactoryExt as _, map_config};
use actix_web::dev::{AppConfig, Server, Service as _, ServiceResponse};
use actix_web::http::header;
use actix_web::middleware::{Compress, DefaultHeaders, from_fn};
use actix_web::{App, web};
use serde_json::Value;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tracing_actix_web::{RequestId, TracingLogger};

use super::clubs::Clubs;
use super::clubs::awake::{Awake, Opener};
use super::clubs::enter::enter;
use super::connection::bodies::BodyBudget;
use super::connection::places::ConnectionPlaces;
use super::connection::{self, ClientTimeouts, Wire, accept};
use super::cors;
use super::head;
use super::health::Process;
use super::methods::{self, Methods};
use super::mistakes::RequestSchemas;
use super::release::Release;
use super::service::{LiveStreams, Parts, SWEEP_EVERY, Service};
use super::webhooks::Couriers;
use super::{health, problem};
use crate::config::{self, Config};
use crate::copies::PageCache;
use crate::mail::Post;
use crate::telemetry::{self, Metrics};
use owlbox_desk::{DatabaseUrl, Desk, most_writing};

/// The whole application of one worker. A macro, because its type cannot be written down.
macro_rules! app {
    ($clubs:expr, $process:expr, $methods:expr, $schemas:expr, $bodies:expr, $routes:expr) => {{
        App::new()
            .app_data(web::Data::new($clubs.clone()))
            .app_data(web::Data::new($process.clone()))
            .app_data(web::Data::new($methods.clone()))
            .app_data($schemas.clone())
            .app_data(web::Data::new($bodies.clone()))
            .app_data(web::PathConfig::default().error_handler(problem::of_path))
            .app_data(web::QueryConfig::default().error_handler(problem::of_query))
            .wrap(from_fn(enter))
            .wrap(Compress::default())
            // Outside of what compresses bodies, inside of what counts and logs requests by their own method.
            .wrap(from_fn(head::answer_head))
            .wrap(from_fn(connection::guard_body))
            // Outside of all that refuses: other sites' pages read refusals, too.
            .wrap(from_fn(cors::share))
            .wrap_fn(|request, next| {
                let started = std::time::Instant::now();
                let method = request.method().as_str().to_owned();
                let answer = next.call(request);
                async move {
                    let mut answer =
                        answer.await.inspect_err(|_| count_failure(&method, started.elapsed()))?;
                    count(&method, &answer, started.elapsed());
                    name_request(&mut answer);
                    refuse_frames(&mut answer);
                    Ok(answer)
                }
            })
            .wrap(TracingLogger::<super::trace::RequestSpan>::new())
            .wrap(
                DefaultHeaders::new()
                    .add((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
                    .add((header::REFERRER_POLICY, "same-origin"))
                    // An answer that does not say otherwise is private.
                    .add((header::CACHE_CONTROL, "no-store"))
                    .add((header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY)),
            )
            .configure(health::configure)
            .configure(|config| $routes(config))
            .default_service(web::to(methods::unmatched))
    }};
}

/// The policy of every page: nothing from other origins, nothing inline.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; \
     frame-ancestors 'none'; font-src 'self'; manifest-src 'self'";

/// The policy of pages that are meant to be embedded: as for every page, but any site may frame them.
pub const EMBEDDED_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; \
     frame-ancestors *; font-src 'self'";

/// The most time for the first head of a connection. It is answered with a timeout, unlike later ones, whose
/// connection just ends.
const FOR_THE_FIRST_HEAD: Duration = Duration::from_secs(5);
/// How long a client may go on sending after its request was refused half way. A client that sends everything
/// before it reads would lose the answer along with the connection.
const LINGER: Duration = Duration::from_secs(5);
/// Files that a reader of a SQLite database has open: the database, its log and the log's index.
const FILES_OF_READER: usize = 3;
/// Threads of a worker that read for clubs, where there are many.
const FOR_READING_IN_MANY: usize = 64;
/// Files that a club has open besides its readers': its lock, those of its writer.
const FILES_OF_CLUB: usize = 10;
/// Files for anything but connections and readers: the writer, the log, the runtime's threads, what is sent
/// to webhooks.
const OTHER_FILES: usize = 192;

/// A service that is listening and answering.
pub struct Running {
    pub address: SocketAddr,
    server: Server,
    stop: watch::Sender<bool>,
    clubs: Clubs,
    /// Looks after the clubs.
    tending: JoinHandle<()>,
    signals: StopSignals,
}

/// What a process serves.
pub enum Served {
    One(Desk),
    /// All clubs of the domain that the configuration names.
    Many(config::Clubs, Box<dyn Opener>),
}

/// What a service is made of.
pub struct Setup {
    pub config: Config,
    /// Where it listens: see [`listen`].
    pub listener: TcpListener,
    pub served: Served,
    pub release: Release,
    /// The metrics, if this process keeps them.
    pub metrics: Option<Metrics>,
    /// Registers the routes of the API and of the pages. What is registered first is asked first.
    pub routes: Arc<dyn Fn(&mut web::ServiceConfig) + Send + Sync>,
    /// Begins to send a club's webhooks.
    pub deliver: fn(&Service),
    /// The OpenAPI document of the API.
    pub document: Value,
    /// Every page and every form: method and path.
    pub pages: &'static [(&'static str, &'static str)],
}

/// Has the configured address, so that nothing is made or migrated for a service that cannot be reached. A
/// client that connects waits until [`start`].
///
/// # Errors
/// The address cannot be listened on.
pub fn listen(config: &Config) -> std::io::Result<TcpListener> {
    TcpListener::bind(config.http.listen)
}

/// Starts answering, and heeding the stop signal: as soon as the address is known the service can be
/// stopped gracefully. The caller, inside the runtime, runs [`Running::until_stopped`].
///
/// # Errors
/// The address is not known, or a thread cannot be started.
pub fn start(setup: Setup) -> std::io::Result<Running> {
    let (stop, stopping) = watch::channel(false);
    let listener = setup.listener;
    let address = listener.local_addr()?;
    let (http, routes) = (setup.config.http.clone(), setup.routes);
    let readers = usize::try_from(setup.config.database.pool_size).unwrap_or(1);
    let writers = match setup.config.database.url {
        DatabaseUrl::Sqlite(_) => 0,
        DatabaseUrl::Postgres(_) => {
            usize::try_from(most_writing(setup.config.database.pool_size)).unwrap_or(1)
        }
    };
    let workers = workers(&http);
    let process = Process { metrics: setup.metrics, stopping: stopping.clone() };
    let files_of_each = readers * FILES_OF_READER + FILES_OF_CLUB;
    let open_at_once = match &setup.served {
        Served::One(_) => 1,
        Served::Many(settings, _) => connection::files::room_for_clubs(settings.awake, files_of_each),
    };
    // Threads that only wait for a connection of the pool cost throughput. But writers on PostgreSQL may wait
    // for a row, and must not keep readers from their threads; nor may one club keep the others from them.
    let for_reading = match &setup.served {
        Served::One(_) => (readers / workers).max(2),
        Served::Many(..) => FOR_READING_IN_MANY,
    };
    let post = Post::start(setup.config.mail.as_ref())?;
    let clubs = match setup.served {
        Served::One(desk) => {
            Clubs::One(service_of_one(desk, setup.config, post.as_ref(), stopping, setup.deliver))
        }
        Served::Many(settings, opener) => {
            let settings = config::Clubs { awake: open_at_once, ..settings };
            Clubs::Many(Awake::new(opener, http.clone(), settings, post, stopping, setup.deliver))
        }
    };
    let (served, tending) = (clubs.clone(), tokio::spawn(tend(clubs.clone())));
    let methods = Methods::from_document(&setup.document);
    let pages = setup.pages.iter().map(|(method, path)| (method.to_uppercase(), *path));
    telemetry::begin(
        &setup.release,
        methods::routes(&setup.document).chain(pages).chain([("GET".to_owned(), "none")]),
    );
    let schemas = web::Data::new(RequestSchemas::from_document(setup.document));
    let room = connection::files::make_room(http.connections, OTHER_FILES + open_at_once * files_of_each);
    let places = ConnectionPlaces::new(room, http.connections_per_address, http.trusted_proxies.clone());
    let patience = ClientTimeouts::from(&http);
    let bodies = BodyBudget::for_limit(http.body_limit);
    let first_head = FOR_THE_FIRST_HEAD.min(Duration::from_secs(http.head_timeout_seconds));
    let server = Server::build()
        .workers(workers)
        .worker_max_blocking_threads(for_reading + writers)
        .shutdown_timeout(http.shutdown_timeout_seconds)
        .disable_signals();
    let stopped = server.graceful_shutdown_signal();
    let accept = move || {
        let app = app!(clubs, process, methods, schemas, bodies, routes).into_factory();
        let app = map_config(app.map_err(|error| error.error_response()), |()| AppConfig::default());
        let stopped = stopped.clone();
        let http = HttpService::build()
            // The wire looks after idle connections. The server's own timer would cut off an answer that is
            // still being taken.
            .keep_alive(KeepAlive::Os)
            .client_request_timeout(first_head)
            .graceful_shutdown_signal(move || {
                let stopped = stopped.clone();
                async move { stopped.notified().await }
            })
            .client_disconnect_timeout(LINGER)
            .local_addr(address)
            .on_connect_ext(|wire: &Wire, extensions| {
                extensions.insert(wire.watch());
            })
            .h1(app);
        accept::serve(http, places.clone(), patience)
    };
    let server = server.listen("http", listener, accept)?.run();
    Ok(Running { address, server, stop, clubs: served, tending, signals: StopSignals::heed()? })
}

/// How many threads answer requests: as many as the machine has processors, unless the operator says.
fn workers(http: &config::Http) -> usize {
    match http.workers {
        0 => std::thread::available_parallelism().map_or(2, usize::from),
        workers => workers,
    }
}

fn service_of_one(
    desk: Desk,
    config: Config,
    post: Option<&Post>,
    stopping: watch::Receiver<bool>,
    deliver: fn(&Service),
) -> Service {
    let (streams, copies, member_came) = (LiveStreams::default(), PageCache::default(), Mutex::default());
    let (couriers, mail) = (Couriers::default(), post.map(Post::of_club));
    let service =
        Service::new(Parts { desk, config, stopping, streams, copies, couriers, mail, member_came });
    deliver(&service);
    service
}

/// Looks after the clubs for as long as the service runs.
async fn tend(clubs: Clubs) {
    match clubs {
        Clubs::One(service) => {
            let mut due = tokio::time::interval(SWEEP_EVERY);
            loop {
                due.tick().await;
                service.sweep().await;
            }
        }
        Clubs::Many(awake) => awake.tend().await,
    }
}

/// Tells the client the id under which the log mentions its request.
fn name_request<B>(answer: &mut ServiceResponse<B>) {
    use actix_web::HttpMessage as _;
    let id = answer.request().extensions().get::<RequestId>().map(ToString::to_string);
    if let Some(id) = id.and_then(|id| header::HeaderValue::from_str(&id).ok()) {
        answer.headers_mut().insert(header::HeaderName::from_static("x-request-id"), id);
    }
}

/// Forbids other sites to frame our pages. Pages that are made for framing say so in their policy; for them
/// the older header, which cannot express that and which some browsers obey nonetheless, is left out.
fn refuse_frames<B>(answer: &mut ServiceResponse<B>) {
    let policy = answer.headers().get(header::CONTENT_SECURITY_POLICY);
    if policy.is_none_or(|policy| policy != EMBEDDED_SECURITY_POLICY) {
        answer.headers_mut().insert(header::X_FRAME_OPTIONS, header::HeaderValue::from_static("DENY"));
    }
}

/// Counts a request that failed outside of any handler and becomes a 500.
fn count_failure(method: &str, took: Duration) {
    measure(method, "none".to_owned(), "500".to_owned(), took);
}

fn count<B>(method: &str, answer: &ServiceResponse<B>, took: Duration) {
    // The pattern, never the path: each path would be a series of its own.
    let route = answer.request().match_pattern().unwrap_or_else(|| "none".to_owned());
    measure(method, route, answer.status().as_str().to_owned(), took);
}

fn measure(method: &str, route: String, status: String, took: Duration) {
    let method = if KNOWN_METHODS.contains(&method) { method.to_owned() } else { "other".to_owned() };
    metrics::counter!(telemetry::HTTP_REQUESTS, "method" => method.clone(), "route" => route.clone(), "status" => status)
        .increment(1);
    metrics::histogram!(telemetry::HTTP_DURATION, "method" => method, "route" => route).record(took);
}

const KNOWN_METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

impl Running {
    /// The clubs that it serves.
    #[must_use]
    pub const fn clubs(&self) -> &Clubs {
        &self.clubs
    }

    /// Runs until the process is told to stop, or `over` completes, and then until everything in flight is
    /// done.
    ///
    /// # Errors
    /// The server failed.
    pub async fn until_stopped(self, over: impl Future<Output = ()>) -> std::io::Result<()> {
        let Self { server, stop, clubs, tending, mut signals, .. } = self;
        let handle = server.handle();
        let mut server = tokio::spawn(server);
        tokio::select! {
            // It ends by itself only if it has failed.
            ended = &mut server => return ended.map_err(std::io::Error::other)?,
            () = signals.received() => {}
            () = over => {}
        }
        tracing::info!("stopping");
        stop.send_replace(true);
        handle.stop(true).await;
        let ended = server.await.map_err(std::io::Error::other)?;
        tending.abort();
        if let Clubs::Many(awake) = clubs {
            awake.close_all().await;
        }
        ended
    }
}

/// SIGTERM and Ctrl-C. From construction on they no longer kill the process.
struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    fn heed() -> std::io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn received(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
