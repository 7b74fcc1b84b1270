//! The reader's own account: the password, the sessions, tokens for scripts.

use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use secrecy::ExposeSecret as _;
use uuid::Uuid;

use super::form::Form;
use super::people::role;
use super::say::{NOBODY, Say};
use super::visitor::{Visitor, enter, redirect};
use crate::pages::{Frame, Tab};
use owlbox_base::permissions::{Permission, Roles};
use owlbox_books::club::players::UNNAMED;
use owlbox_desk::Refused;
use owlbox_desk::access::api_tokens::ApiToken;
use owlbox_http::problem::Problem;
use owlbox_http::session::signed_out;

/// `/account`
#[derive(Template)]
#[template(path = "account.html")]
pub(crate) struct AccountPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub login: &'a str,
    pub roles: Roles,
    pub tokens: &'a [ApiToken],
    /// The token that was just made. It is shown this once.
    pub new_token: Option<&'a str>,
}

impl AccountPage<'_> {
    fn roles(&self) -> String {
        self.roles.iter().map(|one| role(&self.t, one)).collect::<Vec<_>>().join(", ")
    }
}

pub(super) async fn show(visitor: Visitor) -> Result<HttpResponse, Problem> {
    page(&visitor, None).await
}

async fn page(visitor: &Visitor, new_token: Option<&str>) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    visitor.require(Permission::ManageOwnAccount)?;
    let tokens = visitor.service.desk.api_tokens(&actor).await?;
    let login = visitor.service.desk.account_login(actor.account).await?;
    let frame = visitor.frame(&visitor.t.get("tab-account"), Some(Tab::Account));
    let page = AccountPage {
        t: visitor.say(&NOBODY),
        frame: Frame { here: "/account".to_owned(), ..frame },
        login: login.as_deref().unwrap_or(UNNAMED),
        roles: visitor.principal.map(|principal| principal.roles).unwrap_or_default(),
        tokens: &tokens,
        new_token,
    };
    visitor.answer(page.render())
}

/// Changes the password. That ends every session and begins a new one here.
pub(super) async fn password(
    request: HttpRequest,
    visitor: Visitor,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    let desk = &visitor.service.desk;
    let (old, new) = (form.exact("current").into(), form.exact("password").into());
    match desk.change_password(actor, old, new, visitor.address).await {
        Ok(tokens) => enter(&request, &tokens, "/account?saved"),
        Err(refused) => page(&visitor.refused(request.path(), &form, &refused.into()), None).await,
    }
}

/// Ends every session, this one included.
pub(super) async fn sign_out_everywhere(visitor: Visitor, _form: Form) -> Result<HttpResponse, Problem> {
    visitor.service.desk.sign_out_everywhere(visitor.actor()?).await?;
    let mut answer = redirect("/sign-in");
    for cookie in signed_out() {
        if let Err(error) = answer.add_cookie(&cookie) {
            tracing::warn!(%error, "a cookie cannot be removed");
        }
    }
    Ok(answer)
}

/// Creates a token for scripts, which is shown only this once.
pub(super) async fn new_token(
    request: HttpRequest,
    visitor: Visitor,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let actor = visitor.actor()?;
    match visitor.service.desk.create_api_token(actor, form.text("name").to_owned(), None).await {
        Ok(made) => page(&visitor, Some(made.secret.expose_secret())).await,
        Err(refused) => page(&visitor.refused(request.path(), &form, &refused.into()), None).await,
    }
}

pub(super) async fn revoke(
    request: HttpRequest,
    visitor: Visitor,
    id: web::Path<Uuid>,
    form: Form,
) -> Result<HttpResponse, Problem> {
    match visitor.service.desk.revoke_api_token(visitor.actor()?, *id).await {
        // Revoking a token twice is no mistake.
        Ok(()) | Err(Refused::NotFound(_)) => Ok(redirect("/account")),
        Err(refused) => page(&visitor.refused(request.path(), &form, &refused.into()), None).await,
    }
}
