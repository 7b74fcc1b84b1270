//! Every mistake of a request, and where it is: what its schema in the OpenAPI document finds.
//!
//! A type refuses a request at the first mistake, in Rust's words, and no longer knows the place where it has
//! read ahead for a tag. So what a type has refused is held against its schema. Requests that are right cost
//! nothing. Where the schema finds nothing, the words of the type stand.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use actix_web::{HttpRequest, web};
use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, Registry, ValidationError, Validator};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The most mistakes that an answer lists.
const MOST: usize = 20;
/// The document's address, for references within it.
const DOCUMENT: &str = "https://owlbox.invalid/openapi.json";

/// A mistake in a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Mistake {
    /// Where it is: a JSON pointer into the body, or the name of a parameter.
    #[cfg_attr(feature = "schema", schema(example = "/stake/amount"))]
    pub field: String,
    /// The keyword of JSON Schema that the value breaks, such as `required`, `type`, `enum`, `maximum` or
    /// `format`.
    #[cfg_attr(feature = "schema", schema(example = "type"))]
    pub code: String,
    /// What is wrong, in English.
    #[cfg_attr(feature = "schema", schema(example = "this is not of type \"integer\""))]
    pub detail: String,
}

/// Where a request has its parameters.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    Query,
    Path,
}

/// The schemas of all requests. Each is made ready when the first request breaks it.
pub struct RequestSchemas {
    document: Arc<Value>,
    registry: OnceLock<Option<Registry<'static>>>,
    /// By method, path and part of the request.
    ready: Mutex<HashMap<String, Option<Arc<Validator>>>>,
}

impl RequestSchemas {
    /// The requests that the OpenAPI document tells of.
    #[must_use]
    pub fn from_document(mut document: Value) -> Self {
        let methods = document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut);
        for operation in methods.filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
            if let Some(told) = operation.as_object_mut() {
                told.retain(|part, _| ["parameters", "requestBody"].contains(&part.as_str()));
            }
        }
        let (paths, schemas) = (document["paths"].take(), document["components"]["schemas"].take());
        let mut reached = Map::new();
        reach(&paths, &schemas, &mut reached);
        let document = Arc::new(json!({ "paths": paths, "components": { "schemas": reached } }));
        Self { document, registry: OnceLock::new(), ready: Mutex::default() }
    }

    fn validator(&self, name: String, schema: impl FnOnce() -> Value) -> Option<Arc<Validator>> {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let made = || {
            let prepared = || Registry::new().add(DOCUMENT, Arc::clone(&self.document))?.prepare();
            let registry = self.registry.get_or_init(|| prepared().ok()).as_ref()?;
            let options = jsonschema::options().with_registry(registry).should_validate_formats(true);
            options.with_pattern_options(PatternOptions::regex()).build(&schema()).ok().map(Arc::new)
        };
        ready.entry(name).or_insert_with(made).clone()
    }
}

/// Collects the schemas that a part of the document refers to, which are a third of all: the others are of
/// answers.
fn reach(part: &Value, schemas: &Value, reached: &mut Map<String, Value>) {
    match part {
        Value::Array(items) => items.iter().for_each(|item| reach(item, schemas, reached)),
        Value::Object(fields) => {
            let to = fields.get("$ref").and_then(Value::as_str);
            let name = to.and_then(|to| to.strip_prefix("#/components/schemas/"));
            if let Some(name) = name.filter(|name| !reached.contains_key(*name)) {
                reached.insert(name.to_owned(), schemas[name].clone());
                reach(&schemas[name], schemas, reached);
            }
            fields.values().for_each(|field| reach(field, schemas, reached));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// An operation of the document.
struct Operation<'a> {
    schemas: &'a RequestSchemas,
    /// Its JSON pointer.
    pointer: String,
}

impl<'a> Operation<'a> {
    /// The one that a request is for; `None` if the document does not tell of it, as of pages.
    fn of(request: &'a HttpRequest) -> Option<Self> {
        let schemas = request.app_data::<web::Data<RequestSchemas>>()?;
        let path = request.match_pattern()?;
        let pointer = format!("/paths{}/{}", below("", &path), request.method().as_str().to_lowercase());
        schemas.document.pointer(&pointer)?;
        Some(Self { schemas, pointer })
    }

    fn part(&self, part: &str) -> Option<&Value> {
        self.schemas.document.pointer(&format!("{}/{part}", self.pointer))
    }

    /// A schema that refers to this part of the operation.
    fn schema_of(&self, part: &str) -> Value {
        // The pointer is part of a URI, in which the braces of parameters are not allowed.
        let pointer = self.pointer.replace('{', "%7B").replace('}', "%7D");
        json!({ "$ref": format!("{DOCUMENT}#{pointer}/{part}") })
    }

    /// What this schema, which belongs to the part of that name, finds in a value.
    fn mistakes(&self, part: &str, schema: impl FnOnce() -> Value, value: &Value) -> Vec<Mistake> {
        let Some(validator) = self.schemas.validator(format!("{}/{part}", self.pointer), schema) else {
            return Vec::new();
        };
        validator.iter_errors(value).flat_map(|error| mistakes(&error)).take(MOST).collect()
    }
}

/// The mistakes of a body that its type refuses.
#[must_use]
pub fn of_body(request: &HttpRequest, body: &Value) -> Vec<Mistake> {
    const SCHEMA: &str = "requestBody/content/application~1json/schema";
    let Some(operation) = Operation::of(request) else { return Vec::new() };
    if operation.part(SCHEMA).is_none() {
        return Vec::new();
    }
    operation.mistakes(SCHEMA, || operation.schema_of(SCHEMA), body)
}

/// The mistakes of parameters that their type refuses, each of which has its name for a field.
pub fn of_parameters<'a>(
    request: &HttpRequest,
    place: Place,
    sent: impl Iterator<Item = (&'a str, &'a str)>,
) -> Vec<Mistake> {
    let place = match place {
        Place::Query => "query",
        Place::Path => "path",
    };
    let Some(operation) = Operation::of(request) else { return Vec::new() };
    let told = operation.part("parameters").and_then(Value::as_array).into_iter().flatten().enumerate();
    let told: BTreeMap<&str, (usize, &Value)> = told
        .filter(|(_, parameter)| parameter["in"] == place)
        .filter_map(|(nth, parameter)| Some((parameter["name"].as_str()?, (nth, parameter))))
        .collect();
    let mut values = Map::new();
    for (name, text) in sent {
        let value = told.get(name).map_or(text.into(), |(_, parameter)| {
            value_of(&operation.schemas.document, &parameter["schema"], text)
        });
        // What is said twice becomes a list, which no parameter takes.
        let twice = values.remove(name).map(|first| json!([first, value]));
        values.insert(name.to_owned(), twice.unwrap_or(value));
    }
    let schema = || {
        let of = |(name, (nth, _)): (&&str, &(usize, &Value))| {
            ((*name).to_owned(), operation.schema_of(&format!("parameters/{nth}/schema")))
        };
        let required = told.iter().filter(|(_, (_, parameter))| parameter["required"] == true);
        json!({
            "properties": told.iter().map(of).collect::<Map<_, _>>(),
            "required": required.map(|(name, _)| *name).collect::<Vec<_>>(),
            "additionalProperties": false,
        })
    };
    let mut found = operation.mistakes(place, schema, &values.into());
    for mistake in &mut found {
        mistake.field = mistake.field.trim_start_matches('/').to_owned();
    }
    found
}

/// A parameter's text as the JSON that its schema is about.
fn value_of(document: &Value, schema: &Value, text: &str) -> Value {
    let referred = schema["$ref"].as_str().and_then(|to| document.pointer(to.strip_prefix('#')?));
    let kinds = &referred.unwrap_or(schema)["type"];
    let is_of =
        |kind: &str| kinds == kind || kinds.as_array().is_some_and(|kinds| kinds.contains(&kind.into()));
    let number = || text.parse::<i64>().ok().filter(|_| is_of("integer")).map(Value::from);
    let switch = || text.parse::<bool>().ok().filter(|_| is_of("boolean")).map(Value::from);
    number().or_else(switch).unwrap_or_else(|| text.into())
}

fn mistakes(error: &ValidationError<'_>) -> Vec<Mistake> {
    let (kind, place) = (error.kind(), error.instance_path().as_str());
    let mistake = |field: String, detail: String| Mistake { field, code: kind.keyword().to_owned(), detail };
    if let ValidationErrorKind::Required { property } = kind {
        let name = property.as_str().unwrap_or_default();
        vec![mistake(below(place, name), "this is missing".to_owned())]
    } else if let ValidationErrorKind::AdditionalProperties { unexpected } = kind {
        let unknown = |name: &String| mistake(below(place, name), "this is not known".to_owned());
        unexpected.iter().map(unknown).collect()
    } else if let ValidationErrorKind::Enum { options } = kind {
        let known = options.as_array().into_iter().flatten();
        vec![mistake(place.to_owned(), is_none_of(known))]
    } else if let ValidationErrorKind::OneOfNotValid { context } | ValidationErrorKind::AnyOf { context } =
        kind
    {
        of_choices(place, context)
    } else if let ValidationErrorKind::Pattern { .. } = kind {
        vec![mistake(place.to_owned(), "this does not match the pattern in the document".to_owned())]
    } else {
        // The value itself is not repeated: it may be a password.
        vec![mistake(place.to_owned(), error.masked_with("this").to_string())]
    }
}

/// The mistakes of a value that fits none of several schemas: those of the one that is meant.
fn of_choices(place: &str, choices: &[Vec<ValidationError<'_>>]) -> Vec<Mistake> {
    let found: Vec<Vec<Mistake>> =
        choices.iter().map(|errors| errors.iter().flat_map(mistakes).take(MOST).collect()).collect();
    let is_same = |one: &Mistake, other: &Mistake| one.field == other.field && one.code == other.code;
    let is_of_all = |one: &Mistake| found.iter().all(|all| all.iter().any(|other| is_same(one, other)));
    // A tag that is missing or unknown, or a value of another type, is a mistake whichever is meant.
    let mut of_all: Vec<Mistake> =
        found.iter().flatten().filter(|one| is_of_all(one)).take(1).cloned().collect();
    if let Some(one) = of_all.first_mut() {
        let tag = |error: &ValidationError<'_>| {
            let ValidationErrorKind::Constant { expected_value } = error.kind() else { return None };
            (error.instance_path().as_str() == one.field).then(|| Value::clone(expected_value))
        };
        let tags: Vec<Value> = choices.iter().flatten().filter_map(tag).collect();
        if !tags.is_empty() {
            (one.code, one.detail) = ("enum".to_owned(), is_none_of(tags.iter()));
        }
        return of_all;
    }
    let is_other = |one: &Mistake| match one.code.as_str() {
        "const" => one.field.rsplit_once('/').is_some_and(|(above, _)| above == place),
        "type" => one.field == place,
        _ => false,
    };
    let meant = found.iter().filter(|all| !all.iter().any(is_other));
    meant.min_by_key(|all| all.len()).or(found.first()).cloned().unwrap_or_default()
}

fn is_none_of<'a>(known: impl Iterator<Item = &'a Value>) -> String {
    let known: Vec<String> = known.map(Value::to_string).collect();
    format!("this is not one of {}", known.join(", "))
}

/// The JSON pointer of what has this name at a place.
fn below(place: &str, name: &str) -> String {
    format!("{place}/{}", name.replace('~', "~0").replace('/', "~1"))
}
