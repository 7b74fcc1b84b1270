//! The OpenAPI document, made of what the handlers and their types declare.
//!
//! [`complete`] adds what is the same for all of them: [`tagged`] makes every command and every event a schema of its
//! own, [`frames`] describes live streams, [`forms`] and [`limits`] add bounds, [`merged`] describes what is merged,
//! [`answers`] says how a request can end, [`examples`] gives each command an example, and [`open`] says what answers may
//! gain.

mod answers;
mod examples;
mod forms;
mod frames;
mod limits;
mod merged;
mod open;
mod tagged;

use serde_json::Value;
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
struct Declared {
    subject: &'static str,
    paths: Paths,
    schemas: Vec<(String, RefOr<Schema>)>,
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
    bound_pages(&mut document, limits);
    Ok(document)
}

/// Completes the handlers' declarations with what is the same for all of them, so that none can forget it.
fn complete(document: &mut Value) {
    merged::describe(document);
    tagged::split(document);
    frames::describe(document);
    answers::tell(document);
    limits::set(document);
    forms::settle(document);
    examples::give(document);
    open::answers(document);
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::Declared;
    use crate::docs::COMPOSED;
    use owlbox_http::config::{Config, Limits};
    use serde_json::Value;

    /// Every change of the API shows in the file: look at it, then bless it with `OWLBOX_BLESS=1`.
    #[test]
    fn the_file_is_what_the_handlers_declare() {
        let limits = Config::from_layers(None, []).unwrap().limits;
        let composed = serde_json::to_string_pretty(&super::document(&limits).unwrap()).unwrap() + "\n";
        if std::env::var_os("OWLBOX_BLESS").is_some_and(|value| value == "1") {
            std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/openapi.json"), composed).unwrap();
        } else {
            let first = COMPOSED.lines().zip(composed.lines()).find(|(kept, made)| kept != made);
            assert!(COMPOSED == composed, "openapi.json is out of date: {first:#?}");
        }
    }

    #[test]
    fn the_document_tells_the_page_sizes_of_its_own_service() {
        let usual = Config::from_layers(None, []).unwrap().limits;
        let limits = Limits { page_size: 7, page_size_max: 9, ..usual.clone() };
        let served = crate::docs::document(&limits).unwrap();
        assert!(served == super::document(&limits).unwrap());
        let limit = |document: &Value| {
            let parameters = document["paths"]["/api/v1/players"]["get"]["parameters"].as_array().unwrap();
            parameters.iter().find(|parameter| parameter["name"] == "limit").unwrap()["schema"].clone()
        };
        let [told, usually] = [&served, &crate::docs::document(&usual).unwrap()].map(limit);
        assert_eq!((&told["minimum"], &told["default"], &told["maximum"]), (&1.into(), &7.into(), &9.into()));
        assert_eq!(usually["maximum"], usual.page_size_max);
    }

    #[test]
    fn no_two_types_have_one_name_in_the_document() {
        let mut declared = Declared::default();
        crate::configure(&mut declared);
        let mut told: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (name, schema) in declared.schemas {
            told.entry(name).or_default().insert(serde_json::to_string(&schema).unwrap());
        }
        assert!(told.len() > 200, "the handlers no longer say what they speak of");
        told.retain(|_, schemas| schemas.len() > 1);
        assert!(told.is_empty(), "{told:#?}");
    }
}
