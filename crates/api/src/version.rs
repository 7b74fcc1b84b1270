//! The version of the service, for clients that want to know what they talk to.

use actix_web::{get, web};

use owlbox_http::release::Release;

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(show_version);
}

/// Shows the version of the service.
///
/// Public.
#[cfg_attr(test, utoipa::path(security(()), responses((status = 200, body = Release))))]
#[get("/version")]
async fn show_version(release: web::Data<Release>) -> web::Json<Release> {
    web::Json(*release.get_ref())
}
