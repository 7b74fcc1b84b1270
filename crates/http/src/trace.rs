//! What the log says about a request: method, route, path, client, outcome - and never a secret.
//!
//! The path of a one-time link holds its secret, and a link that was only looked at still works.

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use tracing::field::Empty;
use tracing_actix_web::{DefaultRootSpanBuilder, RequestId, RootSpanBuilder};

use super::caller;
use owlbox_desk::access::tokens::SecretKind;

/// Makes the span that holds all log lines of a request.
pub struct RequestSpan;

impl RootSpanBuilder for RequestSpan {
    fn on_request_start(request: &ServiceRequest) -> tracing::Span {
        use actix_web::HttpMessage as _;
        let id = request.extensions().get::<RequestId>().map(ToString::to_string).unwrap_or_default();
        let client = caller::address(request.request()).map(|address| address.to_string());
        tracing::info_span!(
            "HTTP request",
            http.method = %request.method(),
            http.route = request.match_pattern(),
            http.target = presentable(request.path()),
            http.client_ip = client,
            http.status_code = Empty,
            otel.status_code = Empty,
            request_id = id,
            exception.message = Empty,
            exception.details = Empty,
        )
    }

    fn on_request_end<B: MessageBody>(span: tracing::Span, outcome: &Result<ServiceResponse<B>, Error>) {
        if let Some(route) = outcome.as_ref().ok().and_then(|answer| answer.request().match_pattern()) {
            span.record("http.route", route);
        }
        DefaultRootSpanBuilder::on_request_end(span, outcome);
    }
}

/// The path with its secrets left out.
fn presentable(path: &str) -> String {
    let hidden = |segment: &str| match SECRETS.into_iter().find(|kind| segment.starts_with(kind.prefix())) {
        Some(kind) => format!("{}...", kind.prefix()),
        None => segment.to_owned(),
    };
    path.split('/').map(hidden).collect::<Vec<_>>().join("/")
}

const SECRETS: [SecretKind; 3] = [SecretKind::OneTimeLink, SecretKind::ApiToken, SecretKind::Refresh];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_in_a_path_is_not_logged() {
        assert_eq!(presentable("/api/v1/links/owll_c2VjcmV0"), "/api/v1/links/owll_...");
        assert_eq!(presentable("/claim/owll_c2VjcmV0/again"), "/claim/owll_.../again");
        assert_eq!(presentable("/api/v1/chouettes"), "/api/v1/chouettes");
    }
}
