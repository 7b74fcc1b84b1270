//! Entity tags of requests (RFC 9110, section 13.1.2).

use actix_web::HttpRequest;
use actix_web::http::header::{EntityTag, Header as _, IfNoneMatch};

/// Whether the client has the answer with this tag already, so that 304 is enough. Tags are compared weakly:
/// a proxy that compresses an answer weakens its tag.
#[must_use]
pub fn client_has(request: &HttpRequest, tag: &EntityTag) -> bool {
    match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Any) => true,
        Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|known| known.weak_eq(tag)),
        // A condition that nobody can read is no condition.
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::IF_NONE_MATCH;
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_tag_is_known_by_itself_in_a_list_weakened_or_as_any() {
        let tag = EntityTag::new_strong("17".to_owned());
        let has = |condition: &str| {
            client_has(
                &TestRequest::default().insert_header((IF_NONE_MATCH, condition)).to_http_request(),
                &tag,
            )
        };
        for known in ["\"17\"", "W/\"17\"", "\"16\", \"17\"", "*"] {
            assert!(has(known), "{known}");
        }
        for other in ["\"16\"", "17", "", "\"17", "\"*\""] {
            assert!(!has(other), "{other}");
        }
        assert!(!client_has(&TestRequest::default().to_http_request(), &tag));
    }
}
