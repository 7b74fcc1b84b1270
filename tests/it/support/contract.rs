//! Checks every answer of the API that a test sees against the OpenAPI document: its status, media type,
//! headers and body, the bodies that the service accepted, and every frame of a live stream. The checks run
//! on the side, in every test.
//!
//! The document leaves answers open, for what later versions add. Here it is closed again: this version
//! answers nothing that is not listed, so nothing is added that the document does not tell of.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::{Registry, Validator};
use owlbox_http::config::Config;
use serde_json::{Value, json};
use ureq::http::HeaderMap;

use super::events::Event;

/// The document's address, for references within it.
const ADDRESS: &str = "https://owlbox.invalid/openapi.json";

static CONTRACT: LazyLock<Contract> = LazyLock::new(Contract::read);

/// A request, as far as the document describes it.
pub struct Asked<'a> {
    pub method: &'a str,
    pub path: &'a str,
    /// The JSON that was sent, if it was JSON.
    pub body: Option<&'a Value>,
}

pub struct Answered<'a> {
    pub status: u16,
    pub headers: &'a HeaderMap,
    pub bytes: &'a [u8],
}

/// The first way in which an answer breaks the document; `None` if it does not. Only the API is checked.
pub fn breach(asked: &Asked<'_>, answered: &Answered<'_>) -> Option<String> {
    let path = within_its_club(asked.path.split('?').next().unwrap_or_default());
    if !path.starts_with("/api/v1/") || path == "/api/v1/openapi.json" {
        return None;
    }
    let breach = CONTRACT.check(path, asked, answered).err();
    if breach.is_none() {
        keep(path, asked, answered);
    }
    breach
}

/// An answer of a request that was done, and what was asked.
pub struct Kept {
    /// The operation as `POST /api/v1/chouettes/{id}/commands`.
    pub operation: String,
    pub asked: Value,
    pub media: String,
    pub bytes: Vec<u8>,
}

thread_local! {
    static KEPT: RefCell<Option<Vec<Kept>>> = const { RefCell::new(None) };
}

/// Runs this, and keeps the answers with a body that this thread's requests get meanwhile.
pub fn kept<T>(during: impl FnOnce() -> T) -> (T, Vec<Kept>) {
    KEPT.set(Some(Vec::new()));
    let done = during();
    (done, KEPT.take().unwrap_or_default())
}

fn keep(path: &str, asked: &Asked<'_>, answered: &Answered<'_>) {
    KEPT.with_borrow_mut(|kept| {
        let is_good = (200..300).contains(&answered.status) && !answered.bytes.is_empty();
        let template = CONTRACT.template(path).filter(|_| is_good);
        if let (Some(kept), Some(template)) = (kept, template) {
            kept.push(Kept {
                operation: format!("{} {template}", asked.method),
                asked: asked.body.cloned().unwrap_or_default(),
                media: media_type(answered.headers),
                bytes: answered.bytes.to_vec(),
            });
        }
    });
}

/// The first ways in which a value breaks the schema at this place of the document.
pub fn breach_of_schema(pointer: &str, value: &Value) -> Option<String> {
    CONTRACT.valid(pointer, value).err()
}

/// The path without what names one of many clubs.
fn within_its_club(path: &str) -> &str {
    let below = path.strip_prefix("/clubs/").and_then(|named| Some(&named[named.find('/')?..]));
    below.unwrap_or(path)
}

/// The first way in which this frame of the live stream at `path` breaks the document. Only the API is
/// checked.
pub fn breach_of_frame(path: &str, frame: &Event) -> Option<String> {
    let path = path.split('?').next().unwrap_or_default();
    if !path.starts_with("/api/v1/") {
        return None;
    }
    CONTRACT.check_frame(path, frame).err()
}

/// The document of a service with default settings.
pub fn document() -> Value {
    let config = Config::from_layers(None, []).expect("what is set by nobody is well set");
    owlbox_api::document(&config.limits).expect("the document")
}

/// The document without what is open in it: where known values are listed no other may come, and no object
/// that answers are made of has fields that are not listed.
fn closed(mut document: Value) -> Value {
    let answered = answered(&document);
    let schemas = document["components"]["schemas"].as_object_mut().expect("schemas");
    for (name, schema) in schemas {
        close(schema, answered.contains(name));
    }
    for methods in document["paths"].as_object_mut().expect("paths").values_mut() {
        for operation in methods.as_object_mut().expect("methods").values_mut() {
            close(&mut operation["responses"], true);
        }
    }
    document
}

fn close(schema: &mut Value, is_answer: bool) {
    if let Some(choices) = schema.get_mut("anyOf").and_then(Value::as_array_mut) {
        choices
            .retain(|choice| ![json!({ "type": "string" }), json!({ "type": "integer" })].contains(choice));
    }
    if is_answer && schema["properties"].is_object() && schema["additionalProperties"].is_null() {
        schema["additionalProperties"] = false.into();
    }
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| close(item, is_answer)),
        Value::Object(fields) => {
            let fields = fields.iter_mut().filter(|(keyword, _)| *keyword != "example");
            fields.for_each(|(_, value)| close(value, is_answer));
        }
        _ => {}
    }
}

/// The names of all schemas that answers are made of.
fn answered(document: &Value) -> BTreeSet<String> {
    fn collect(value: &Value, names: &mut Vec<String>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| collect(item, names)),
            Value::Object(fields) => {
                let to = fields.get("$ref").and_then(Value::as_str);
                names.extend(to.and_then(|to| to.strip_prefix("#/components/schemas/")).map(str::to_owned));
                fields.values().for_each(|field| collect(field, names));
            }
            _ => {}
        }
    }
    let mut to_visit = Vec::new();
    for methods in document["paths"].as_object().expect("paths").values() {
        for operation in methods.as_object().expect("methods").values() {
            collect(&operation["responses"], &mut to_visit);
        }
    }
    let mut found = BTreeSet::new();
    while let Some(name) = to_visit.pop() {
        if found.insert(name.clone()) {
            collect(&document["components"]["schemas"][&name], &mut to_visit);
        }
    }
    found
}

struct Contract {
    document: Value,
    registry: Registry<'static>,
    /// By the pointers of their schemas in the document, so that each is compiled once.
    validators: Mutex<HashMap<String, Arc<Validator>>>,
}

impl Contract {
    fn read() -> Self {
        let document = closed(document());
        let registry = Registry::new()
            .add(ADDRESS, document.clone())
            .and_then(|registry| registry.prepare())
            .expect("the document can be referred to");
        Self { document, registry, validators: Mutex::default() }
    }

    fn check(&self, path: &str, asked: &Asked<'_>, answered: &Answered<'_>) -> Result<(), String> {
        // The document does not repeat that `HEAD` answers wherever `GET` does, without the body.
        let is_head = asked.method == "HEAD";
        // A browser asks whether another site's page may send something.
        if asked.method == "OPTIONS" && answered.status == 204 {
            return Ok(());
        }
        let Some(operation) = self.operation(path, if is_head { "GET" } else { asked.method }) else {
            return match answered.status {
                400 | 404 | 405 | 413 | 415 | 431 => self.check_problem(answered),
                status => Err(format!("{status} of a path that the document does not know")),
            };
        };
        // Where there are many clubs, any operation may be asked for in none.
        if answered.status == 404 && answered.bytes.windows(12).any(|part| part == b"no_such_club") {
            return self.check_problem(answered);
        }
        let accepted = (200..300).contains(&answered.status);
        // Where no body is accepted, an empty object counts as none.
        let takes = self.document.pointer(&format!("{operation}/requestBody")).is_some();
        if let Some(body) = asked.body.filter(|body| accepted && (takes || **body != json!({}))) {
            let pointer = format!("{operation}/requestBody/content/application~1json/schema");
            self.valid(&pointer, body).map_err(|error| format!("accepted, though not as told: {error}"))?;
        }
        let status = answered.status.to_string();
        let told = self.document.pointer(&format!("{operation}/responses/{status}"));
        let (status, told) = match told {
            Some(told) => (status, told),
            None if answered.status >= 500 => {
                let told = self.document.pointer(&format!("{operation}/responses/default"));
                ("default".to_owned(), told.ok_or("no response by default")?)
            }
            None => return Err(format!("status {status} is not told of")),
        };
        self.check_headers(told, answered.headers)?;
        if is_head {
            let is_bare = answered.bytes.is_empty();
            return if is_bare { Ok(()) } else { Err("a body in answer to HEAD".to_owned()) };
        }
        self.check_body(&format!("{operation}/responses/{status}"), told, answered)
    }

    /// The pointer of the operation.
    fn operation(&self, path: &str, method: &str) -> Option<String> {
        let template = self.template(path)?;
        let method = method.to_lowercase();
        self.document["paths"][template].get(&method)?;
        Some(format!("/paths/{}/{method}", template.replace('~', "~0").replace('/', "~1")))
    }

    /// The path as the document has it.
    fn template(&self, path: &str) -> Option<&String> {
        // A fixed path goes before one with parameters: `/house-rules/schema` is not the name of a set.
        let paths = self.document["paths"].as_object()?.keys();
        paths.filter(|template| is_of(path, template)).min_by_key(|template| template.matches('{').count())
    }

    fn check_headers(&self, told: &Value, headers: &HeaderMap) -> Result<(), String> {
        let told = told["headers"].as_object().into_iter().flatten();
        for (name, header) in told.filter(|(_, header)| header["required"] == true) {
            if !headers.contains_key(name) {
                return Err(format!("the header {name} is told of and missing: {header}"));
            }
        }
        Ok(())
    }

    fn check_body(&self, pointer: &str, told: &Value, answered: &Answered<'_>) -> Result<(), String> {
        let Some(content) = told["content"].as_object() else {
            return if answered.bytes.is_empty() { Ok(()) } else { Err("no body is told of".to_owned()) };
        };
        let media = media_type(answered.headers);
        if !content.contains_key(&media) {
            return Err(format!("{media:?} is not told of"));
        }
        if !media.ends_with("json") {
            return Ok(());
        }
        let body = serde_json::from_slice(answered.bytes).map_err(|error| error.to_string())?;
        self.valid(&format!("{pointer}/content/{}/schema", media.replace('/', "~1")), &body)
    }

    /// Even an answer that belongs to no operation must be a problem.
    fn check_problem(&self, answered: &Answered<'_>) -> Result<(), String> {
        if answered.bytes.is_empty() {
            return Ok(());
        }
        let body: Value = serde_json::from_slice(answered.bytes).map_err(|error| error.to_string())?;
        self.valid("/components/schemas/Problem", &body)
    }

    /// Checks a frame as an object of its fields, and then its data.
    fn check_frame(&self, path: &str, frame: &Event) -> Result<(), String> {
        let operation = self.operation(path, "GET").ok_or("the stream is not told of")?;
        let told = format!("{operation}/responses/200/content/text~1event-stream/schema");
        let frames = self.document.pointer(&told).and_then(|schema| schema["$ref"].as_str());
        let frames = frames.ok_or("the stream's frames are not told of")?.trim_start_matches('#').to_owned();
        let mut fields = json!({ "data": frame.data });
        for (name, value) in [("id", &frame.id), ("event", &frame.event)] {
            if let Some(value) = value {
                fields[name] = value.as_str().into();
            }
        }
        self.valid(&frames, &fields)?;
        let data = serde_json::from_str(&frame.data).map_err(|error| format!("its data: {error}"))?;
        self.valid(&format!("{frames}/properties/data/contentSchema"), &data)
    }

    fn valid(&self, pointer: &str, value: &Value) -> Result<(), String> {
        let validator = self.validator(pointer)?;
        let errors: Vec<String> = validator
            .iter_errors(value)
            .take(3)
            .map(|error| format!("{} at {}: {error:.300}", error.schema_path(), error.instance_path()))
            .collect();
        if errors.is_empty() { Ok(()) } else { Err(errors.join("; ")) }
    }

    fn validator(&self, pointer: &str) -> Result<Arc<Validator>, String> {
        let mut validators = self.validators.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(validator) = validators.get(pointer) {
            return Ok(Arc::clone(validator));
        }
        if self.document.pointer(pointer).is_none() {
            return Err(format!("the document has no {pointer}"));
        }
        // Here the pointer is part of a URI, in which the braces of parameters are not allowed.
        let pointer_in_uri = pointer.replace('{', "%7B").replace('}', "%7D");
        let validator = jsonschema::options()
            .with_registry(&self.registry)
            .should_validate_formats(true)
            .build(&json!({ "$ref": format!("{ADDRESS}#{pointer_in_uri}") }))
            .map_err(|error| format!("the schema at {pointer} is none: {error}"))?;
        let validator = Arc::new(validator);
        validators.insert(pointer.to_owned(), Arc::clone(&validator));
        Ok(validator)
    }
}

/// Whether a path matches the template.
fn is_of(path: &str, template: &str) -> bool {
    let mut parts = path.split('/');
    template.split('/').all(|wanted| {
        parts
            .next()
            .is_some_and(|part| if wanted.starts_with('{') { !part.is_empty() } else { part == wanted })
    }) && parts.next().is_none()
}

/// The media type without its parameters.
fn media_type(headers: &HeaderMap) -> String {
    let value = headers.get("content-type").and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn valid_in(document: &Value, name: &str, value: &Value) -> bool {
        let registry = Registry::new().add(ADDRESS, document.clone()).and_then(|registry| registry.prepare());
        let schema = json!({ "$ref": format!("{ADDRESS}#/components/schemas/{name}") });
        let registry = registry.expect("a document");
        jsonschema::options().with_registry(&registry).build(&schema).expect("a schema").is_valid(value)
    }

    #[test]
    fn an_addition_fits_the_document_and_is_found_by_its_closed_copy() {
        let (open, closed) = (document(), closed(document()));
        let problem = json!({"type": "/docs/problems#busy", "status": 503, "code": "busy", "title": "Busy", "detail": "x"});
        let stake = json!({"amount": 500, "currency": "EUR"});
        for (name, known, added) in [
            ("Problem", &problem, json!({"code": "brand_new_code"})),
            ("Problem", &problem, json!({"more": 1})),
            ("StakeOutput", &stake, json!({"more": 1})),
        ] {
            let mut value = known.clone();
            assert!(valid_in(&open, name, &value) && valid_in(&closed, name, &value), "{name}");
            for (field, new) in added.as_object().unwrap() {
                value[field] = new.clone();
            }
            assert!(valid_in(&open, name, &value), "{name} may gain {added}");
            assert!(!valid_in(&closed, name, &value), "{name} gains {added} unseen");
        }
        // Unions of events stay tagged: an unknown one is to be skipped, and is found by its tag.
        let events = &open["components"]["schemas"]["ChouetteEvent"];
        assert_eq!(events["discriminator"]["propertyName"], "event");
        assert!(!valid_in(&closed, "ChouetteEvent", &json!({"event": "brand_new"})));
    }
}
