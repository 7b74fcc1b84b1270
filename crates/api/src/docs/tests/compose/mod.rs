//! The OpenAPI document, made of what the handlers and their types declare.
//!
//! [`complete`] adds what is the same for all of them: [`tagged`] makes every command and every event a
//! schema of its own, [`deprecated`] marks what is deprecated, [`frames`] describes live streams, [`forms`]
//! and [`limits`] add bounds, [`merged`] describes what is merged, [`answers`] says how a request can end,
//! [`examples`] gives each command an example, [`open`] says what answers may gain, [`citations`] leaves out
//! what only readers of the code can look up, and [`shown`] adds an answer to each operation.

mod answers;
pub(super) mod citations;
mod deprecated;
mod examples;
mod forms;
mod frames;
mod limits;
mod merged;
mod open;
mod shown;
mod tagged;

use serde_json::{Map, Value};
use utoipa::OpenApi as _;
use utoipa::openapi::path::Paths;
use utoipa::openapi::{RefOr, Schema};

use crate::docs::bound_pages;
use crate::{Handler, Routes};
use owlbox_http::config::Limits;

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Owlbox",
        description = "Backgammon club nights: chouettes, and the books of what everybody won and lost.\n\n\
            Times are RFC 3339 in UTC, ids are UUIDs, points are whole numbers of half points, money is whole \
            minor units. Every error is a problem (RFC 9457) with a stable `code`. `HEAD` answers wherever `GET` does.\n\n\
            Answers grow: skip fields, events and other tagged objects that you do not know, and take any string \
            or whole number where known values are listed beside one. Sign in with \
            `POST /api/v1/sign-in`, or make an API token for a script, and send it as `Authorization: Bearer`.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    servers((url = "/", description = "The service that this document is from")),
    modifiers(&Bearer),
    tags(
        (name = "chouettes", description = "Tables: open them, play, view them, follow them live"),
        (name = "matches", description = "Matches and money sessions between two players: score, referee, rule, follow live"),
        (name = "house rules", description = "The rules that tables play by, and the club's own sets of them"),
        (name = "ledger", description = "Balances and statements"),
        (name = "tournaments", description = "Tournaments: divisions, entries, draws, results and their corrections, the room, money"),
        (name = "ratings", description = "The players' ratings, and the matches behind each"),
        (name = "statistics", description = "Games won and lost, by kind, role, opponent and more"),
        (name = "players", description = "The people of the club"),
        (name = "accounts", description = "Logins, roles, invitations"),
        (name = "access", description = "Signing in and out, passwords, tokens"),
        (name = "club", description = "The club's settings, and the version of the service"),
        (name = "reference", description = "Opening plays, shots, and what a match's score means for the cube")
    )
)]
struct ApiDoc;

/// The proof that most operations want.
struct Bearer;

impl utoipa::Modify for Bearer {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
        let scheme = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        api.components.get_or_insert_default().add_security_scheme("bearer", scheme);
        api.security = Some(vec![SecurityRequirement::new::<_, [&str; 0], &str>("bearer", [])]);
    }
}

/// What the handlers declare, with every schema that one of them names.
#[derive(Default)]
pub(super) struct Declared {
    subject: &'static str,
    paths: Paths,
    pub(super) schemas: Vec<(String, RefOr<Schema>)>,
}

impl Routes for Declared {
    fn about(&mut self, subject: &'static str) -> &mut Self {
        self.subject = subject;
        self
    }

    fn service(&mut self, handler: impl Handler) -> &mut Self {
        let mut declared = Paths::new();
        for (path, mut item) in handler.paths().paths {
            let methods = [&mut item.get, &mut item.put, &mut item.post, &mut item.delete, &mut item.patch];
            for operation in methods.into_iter().flatten() {
                operation.tags = Some(vec![self.subject.to_owned()]);
            }
            declared.paths.insert(format!("/api/v1{path}"), item);
        }
        self.paths.merge(declared);
        handler.schemas(&mut self.schemas);
        self
    }
}

/// The document as the handlers declare it.
fn declared() -> utoipa::openapi::OpenApi {
    let mut declared = Declared::default();
    crate::configure(&mut declared);
    let mut document = ApiDoc::openapi();
    document.paths = declared.paths;
    document.components.get_or_insert_default().schemas.extend(declared.schemas);
    document
}

/// The whole document, for a service with these limits.
///
/// # Errors
/// The declarations cannot be written as JSON.
pub fn document(limits: &Limits) -> serde_json::Result<Value> {
    let mut document = serde_json::to_value(declared())?;
    complete(&mut document);
    shown::show(&mut document)?;
    bound_pages(&mut document, limits);
    Ok(document)
}

/// Completes the handlers' declarations with what is the same for all of them, so that none can forget it.
fn complete(document: &mut Value) {
    deprecated::mark(document);
    merged::describe(document);
    tagged::split(document);
    frames::describe(document);
    answers::tell(document);
    limits::set(document);
    forms::settle(document);
    examples::give(document);
    open::answers(document);
    drop_unused(document);
    citations::leave_out(document);
}

/// Drops the components that no operation refers to: what others were put together from.
fn drop_unused(document: &mut Value) {
    let mut named = Vec::new();
    tagged::collect(&document["paths"], &mut named);
    let used = tagged::reached_from(named, document);
    let schemas = document["components"]["schemas"].as_object_mut();
    schemas
        .into_iter()
        .for_each(|schemas: &mut Map<String, Value>| schemas.retain(|name, _| used.contains(name)));
}
