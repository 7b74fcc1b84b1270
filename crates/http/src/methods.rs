//! Requests that no handler takes: nothing is there, or it does not take that method.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, ResponseError as _, web};
use serde_json::{Map, Value};

use super::problem::{self, Allowed, Problem};
use owlbox_base::code::Code;

/// Where the OpenAPI document is served.
pub const DOCUMENT: &str = "/api/v1/openapi.json";
/// The path of the version of the service.
pub const VERSION: &str = "/api/v1/version";

/// The methods that each path of the API takes, read from the OpenAPI document.
#[derive(Clone, Debug)]
pub struct Methods(Vec<(Vec<Segment>, Vec<String>)>);

/// A segment of a path.
#[derive(Clone, Debug, PartialEq)]
enum Segment {
    Word(String),
    Parameter,
}

impl Methods {
    /// Reads paths and methods from the OpenAPI document.
    #[must_use]
    pub fn from_document(document: &Value) -> Self {
        let paths = document["paths"].as_object().into_iter().flatten();
        Self(paths.map(|(path, told)| (parts(path).collect(), names(told))).collect())
    }

    /// The methods that a path takes; empty if there is no such path.
    fn at(&self, path: &str) -> Vec<String> {
        let is_there = |template: &[Segment]| {
            let mut words = path.split('/');
            template.iter().all(|part| match (part, words.next()) {
                (Segment::Word(word), Some(found)) => word == found,
                (Segment::Parameter, Some(found)) => !found.is_empty(),
                (_, None) => false,
            }) && words.next().is_none()
        };
        // A literal path wins over one with parameters.
        let parameters =
            |template: &[Segment]| template.iter().filter(|part| **part == Segment::Parameter).count();
        let found = self.0.iter().filter(|(template, _)| is_there(template));
        let found = found.min_by_key(|(template, _)| parameters(template));
        found.map(|(_, methods)| methods.clone()).unwrap_or_default()
    }
}

fn parts(path: &str) -> impl Iterator<Item = Segment> {
    path.split('/')
        .map(|part| if part.starts_with('{') { Segment::Parameter } else { Segment::Word(part.to_owned()) })
}

/// The routes of the OpenAPI document: method and path.
pub fn routes(document: &Value) -> impl Iterator<Item = (String, &str)> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths.flat_map(|(path, told)| names(told).into_iter().map(move |method| (method, path.as_str())))
}

/// The methods in capitals. The document does not repeat that `HEAD` answers wherever `GET` does.
fn names(told: &Value) -> Vec<String> {
    let told = told.as_object().into_iter().flat_map(Map::keys);
    told.flat_map(|method| match method.as_str() {
        "get" => vec!["GET".to_owned(), "HEAD".to_owned()],
        other => vec![other.to_uppercase()],
    })
    .collect()
}

/// Answers requests that no handler took. Not found is an error like any other, so that pages can say it in
/// their own words.
///
/// # Errors
/// Always, if the path does not exist.
pub async fn unmatched(request: HttpRequest, methods: web::Data<Methods>) -> Result<HttpResponse, Problem> {
    let allowed = methods.at(request.path());
    if allowed.is_empty() || allowed.iter().any(|method| method == request.method().as_str()) {
        return Err(problem::not_found());
    }
    let list = allowed.join(", ");
    let mut problem = Problem::new(Code::MethodNotAllowed, format!("this path takes {list}"));
    problem.allowed = Some(Allowed::Methods(allowed));
    let mut answer = problem.error_response();
    if let Ok(list) = header::HeaderValue::from_str(&list) {
        answer.headers_mut().insert(header::ALLOW, list);
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_path_takes_what_the_template_takes_that_it_fits_best() {
        let methods = Methods::from_document(&json!({ "paths": {
            "/sets": { "get": {} },
            "/sets/schema": { "get": {} },
            "/sets/{name}": { "get": {}, "put": {} },
        } }));
        assert_eq!(methods.at("/sets"), ["GET", "HEAD"]);
        assert_eq!(methods.at("/sets/schema"), ["GET", "HEAD"]);
        assert_eq!(methods.at("/sets/Friday"), ["GET", "HEAD", "PUT"]);
        for nothing in ["/sets/", "/sets/a/b", "/", "", "/nonsense"] {
            assert_eq!(methods.at(nothing), [""; 0], "{nothing}");
        }
    }
}
