//! The answers that any request can get, whatever its handler declares; and the values of headers and
//! addresses that are the same everywhere.

use serde_json::{Map, Value, json};

use crate::docs::operations_mut;
use owlbox_http::ask::LONGEST_KEY;
use owlbox_http::problem::codes::{self, Meaning, Subject};

/// What a problem's status means for every operation that can answer with it.
const PROBLEMS: [(&str, &str); 13] = [
    ("400", "The request cannot be read; the code and the detail say why"),
    ("401", "Not signed in, or the token is not valid, or no longer"),
    ("403", "Signed in, but not allowed to"),
    ("404", "It does not exist, or the caller may not see it"),
    ("408", "The body did not arrive in time"),
    ("410", "It is not there any more"),
    ("412", "The version is not the one in `If-Match`"),
    ("413", "The body is larger than allowed"),
    ("415", "The body is not `application/json`, or is compressed"),
    ("422", "The rules refuse it; the code says which"),
    ("429", "Too many attempts: `Retry-After` says when to try again"),
    ("503", "The service has too much to do: `Retry-After` says when to try again"),
    ("default", "The service failed; its log says how"),
];

/// Adds to every operation the problems of reading its request, their media type, the meaning of each status
/// and the headers that come with it; and to every parameter the values that it may hold.
pub fn tell(document: &mut Value) {
    document["components"]["headers"] = headers();
    if let Some(code) = document.pointer_mut("/components/schemas/Problem/properties/code") {
        code["enum"] = codes().map(|meaning| meaning.code.name()).collect();
    }
    for operation in operations_mut(document) {
        if operation["responses"].get("304").is_some() {
            let header = json!({ "in": "header", "name": "If-None-Match", "required": false,
                "description": "The `ETag` of the state you have: 304 while nothing has changed",
                "schema": { "type": "string" } });
            push(&mut operation["parameters"], header);
        }
        for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
            bound(parameter);
        }
        tell_of(operation);
    }
}

fn push(list: &mut Value, item: Value) {
    match list.as_array_mut() {
        Some(items) => items.push(item),
        None => *list = json!([item]),
    }
}

fn tell_of(operation: &mut Value) {
    let statuses = statuses(operation);
    let Some(responses) = operation["responses"].as_object_mut() else { return };
    for status in statuses {
        responses.entry(status).or_insert(Value::Null);
    }
    for (status, response) in responses {
        match PROBLEMS.into_iter().find(|(known, _)| known == status) {
            Some((_, meaning)) => *response = problem(response, status, meaning),
            None if response["description"].as_str().is_none_or(str::is_empty) => {
                let nothing_new = status == "304";
                response["description"] = if nothing_new { "Nothing has changed" } else { "Done" }.into();
            }
            None => {}
        }
        name_headers(status, response);
    }
}

/// The statuses that follow from what the operation takes.
fn statuses(operation: &Value) -> Vec<&'static str> {
    let mut statuses = vec!["503", "default"];
    let has = |kind: &str, name: Option<&str>| {
        let all = operation["parameters"].as_array().into_iter().flatten();
        all.filter(|one| one["in"] == kind).any(|one| name.is_none_or(|name| one["name"] == name))
    };
    if operation.get("requestBody").is_some() {
        statuses.extend(["400", "408", "413", "415"]);
    }
    if has("query", None) || has("header", Some("If-Match")) || has("header", Some("Idempotency-Key")) {
        statuses.push("400");
    }
    if has("header", Some("If-Match")) {
        statuses.push("412");
    }
    if has("header", Some("Idempotency-Key")) {
        statuses.push("422");
    }
    if has("path", None) {
        statuses.push("404");
    }
    let ways = operation["security"].as_array();
    if ways.is_none_or(|ways| ways.iter().any(|way| way.get("bearer").is_some())) {
        statuses.extend(["401", "403"]);
    }
    statuses
}

/// The response for a problem, with the handler's description or the usual one; and with its codes, if they
/// are few enough to read.
fn problem(told: &Value, status: &str, meaning: &str) -> Value {
    let said = told["description"].as_str().filter(|said| !said.is_empty()).unwrap_or(meaning);
    let codes: Vec<String> = codes()
        .filter(|meaning| meaning.status.to_string() == status)
        .map(|meaning| format!("`{}`", meaning.code))
        .collect();
    let description = match codes.as_slice() {
        [] => said.to_owned(),
        [only] => format!("{said}: {only}"),
        few if status != "422" => format!("{said}: {}", few.join(", ")),
        _ => said.to_owned(),
    };
    let schema = json!({ "$ref": "#/components/schemas/Problem" });
    json!({ "description": description, "content": { "application/problem+json": { "schema": schema } } })
}

/// The codes that the API can answer with.
fn codes() -> impl Iterator<Item = Meaning> {
    codes::all().filter(|meaning| meaning.subject != Subject::Forms)
}

/// The headers of answers, by the names under which the answers refer to them.
fn headers() -> Value {
    json!({
        "ETag": {
            "description": "The stream's version in double quotes, for `If-Match` and `If-None-Match`",
            "schema": { "type": "string", "pattern": ENTITY_TAG }, "required": true, "example": "\"15\""
        },
        "Location": {
            "description": "The address of what was created",
            "schema": { "type": "string", "format": "uri-reference" }, "required": true
        },
        "RequestId": {
            "description": "The id under which the log mentions the request",
            "schema": { "type": "string", "format": "uuid" }, "required": true
        },
        "RetryAfter": {
            "description": "The number of seconds to wait before trying again",
            "schema": { "type": "integer", "minimum": 1 }, "required": true
        },
        "WwwAuthenticate": {
            "description": "The kind of proof that the service wants",
            "schema": { "type": "string", "const": "Bearer" }, "required": true
        }
    })
}

/// Adds the headers that any answer of this status has. `ETag` and `Location` are declared by the handlers
/// that set them.
fn name_headers(status: &str, response: &mut Value) {
    let mut named = Map::new();
    let mut name = |header: &str, component: &str| {
        named.insert(header.to_owned(), json!({ "$ref": format!("#/components/headers/{component}") }));
    };
    name("X-Request-Id", "RequestId");
    match status {
        "401" => name("WWW-Authenticate", "WwwAuthenticate"),
        "429" | "503" => name("Retry-After", "RetryAfter"),
        "304" => name("ETag", "ETag"),
        _ => {}
    }
    for own in response["headers"].as_object().into_iter().flat_map(Map::keys) {
        name(own, own);
    }
    response["headers"] = named.into();
}

/// A version in double quotes.
const ENTITY_TAG: &str = "^\"[0-9]+\"$";

/// Says what a parameter may hold. An optional one is simply left out: there is no `null` in an address or a
/// header.
fn bound(parameter: &mut Value) {
    let schema = &mut parameter["schema"];
    if let Some(types) = schema["type"].as_array() {
        let own = types.iter().find(|name| *name != "null").cloned().unwrap_or_default();
        schema["type"] = own;
    }
    let choice =
        schema["oneOf"].as_array().and_then(|all| all.iter().find(|one| one["type"] != "null").cloned());
    if let Some(choice) = choice {
        *schema = choice;
    }
    let bounds = match parameter["name"].as_str() {
        Some("limit") => json!({ "minimum": 1 }),
        // Any version, so that somebody trying it out is not refused.
        Some("If-Match") => json!({ "pattern": "^(\"[0-9]+\"|\\*)$", "minLength": 1, "example": "*" }),
        Some("Idempotency-Key") => {
            json!({ "minLength": 1, "maxLength": LONGEST_KEY, "pattern": "^[!-~]([ -~]*[!-~])?$" })
        }
        _ => return,
    };
    if let (Some(schema), Value::Object(bounds)) = (parameter["schema"].as_object_mut(), bounds) {
        schema.extend(bounds);
    }
}
