//! Authentication, from setting up the club to the last expired session.

use chrono::TimeDelta;
use rstest::rstest;
use secrecy::ExposeSecret as _;

use super::AuthSettings;
use super::accounts::AccountChange;
use super::api_tokens::TokenTerms;
use super::links::{Claim, Purpose};
use super::registrations::NewRegistration;
use super::sessions::Tokens;
use crate::access::tokens::AttemptPolicy;
use crate::fixture::{Db, Fixture, HOME, PASSWORD, claim, code, set_up};
use crate::{Actor, Desk, Idempotency, Refused, Request};
use owlbox_base::permissions::{Role, Roles};
use owlbox_base::values::PlayerId;
use owlbox_books::club::Settings;
use owlbox_books::club::players::{Change, PlayerDetails};
use owlbox_books::club::settings::SelfRegistration;

fn shown(tokens: &Tokens) -> (&str, &str) {
    (tokens.access.expose_secret(), tokens.refresh.expose_secret())
}

fn secret(link: &super::links::NewLink) -> &str {
    link.secret.expose_secret()
}

/// The terms of a token that may do everything.
fn terms(name: &str) -> TokenTerms {
    TokenTerms { name: name.to_owned(), scopes: None, expires_at: None }
}

async fn player(fixture: &Fixture, admin: Actor, name: &str) -> PlayerId {
    let details = PlayerDetails::named(name.parse().unwrap());
    fixture.desk.add_player(Request::by(admin), details, false).await.unwrap().0
}

#[rstest]
#[tokio::test]
async fn a_club_is_set_up_once_with_the_code_of_the_console(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(fixture) = Fixture::empty(db) else { return };
    let desk = &fixture.desk;
    assert!(desk.needs_set_up().await.unwrap());
    let shown = desk.set_up_code().await.unwrap().unwrap();
    assert_eq!(code(desk.set_up(set_up("AAAA-AAAA-AAAA")).await), "wrong_set_up_code");
    let mut weak = set_up(&shown);
    weak.password = "chief".into();
    assert_eq!(code(desk.set_up(weak).await), "password_too_short");
    assert!(desk.settings().await.unwrap().is_none(), "nothing was kept");

    let tokens = desk.set_up(set_up(&shown.to_lowercase())).await.unwrap();
    let admin = fixture.actor(&tokens).await.unwrap();
    assert_eq!(desk.principal(&admin).await.unwrap().powers.roles(), Roles::from_roles(&[Role::Admin]));
    assert_eq!(desk.settings().await.unwrap(), Some(Settings::default()));
    assert_eq!(desk.club().await.unwrap().version, 2, "opened and the admin's account, in one act");
    assert_eq!(desk.set_up_code().await.unwrap(), None);
    assert_eq!(code(desk.set_up(set_up(&shown)).await), "already_set_up");
    assert!(fixture.sign_in("CHIEF").await.is_ok());
}

#[rstest]
#[tokio::test]
async fn two_who_set_up_at_once_leave_one_admin(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(fixture) = Fixture::empty(db) else { return };
    let shown = fixture.desk.set_up_code().await.unwrap().unwrap();
    let (one, other) = tokio::join!(fixture.desk.set_up(set_up(&shown)), fixture.desk.set_up(set_up(&shown)));
    assert_eq!([one.is_ok(), other.is_ok()].iter().filter(|ok| **ok).count(), 1);
}

#[rstest]
#[tokio::test]
async fn the_console_makes_admins(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(fixture) = Fixture::empty(db) else { return };
    fixture.desk.create_admin("root".parse().unwrap(), PASSWORD.into()).await.unwrap();
    assert!(!fixture.desk.needs_set_up().await.unwrap());
    let again = fixture.desk.create_admin("ROOT".parse().unwrap(), PASSWORD.into()).await;
    assert_eq!(code(again), "login_taken");
    assert_eq!(fixture.desk.club().await.unwrap().state.accounts().count(), 1, "and no account is left over");
    assert!(fixture.sign_in("root").await.is_ok());
}

#[rstest]
#[tokio::test]
async fn whatever_is_wrong_the_answer_is_the_same(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let closed = fixture.somebody(admin, "closed", &[Role::Player]).await;
    let change = AccountChange { active: Some(false), ..AccountChange::default() };
    fixture.desk.change_account(Request::by(admin), closed.account, change).await.unwrap();
    let wrong = fixture.desk.sign_in("chief", "cinque oche sul lago".into(), HOME).await;
    for answer in
        [wrong, fixture.sign_in("nobody").await, fixture.sign_in("closed").await, fixture.sign_in("").await]
    {
        assert_eq!(code(answer), "wrong_login_or_password");
    }
}

#[rstest]
#[tokio::test]
async fn too_many_attempts_end_it_even_with_the_right_password_and_for_a_while(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, _)) = Fixture::open(db).await else { return };
    for _ in 0..10 {
        let wrong = fixture.desk.sign_in("chief", "cinque oche sul lago".into(), HOME).await;
        assert_eq!(code(wrong), "wrong_login_or_password");
    }
    assert_eq!(code(fixture.sign_in("Chief").await), "too_many_attempts");
    let elsewhere = "198.51.100.7".parse().unwrap();
    assert!(fixture.desk.sign_in("chief", PASSWORD.into(), elsewhere).await.is_ok(), "not from elsewhere");
    fixture.clock.advance(TimeDelta::minutes(14));
    assert_eq!(code(fixture.sign_in("chief").await), "too_many_attempts");
    fixture.clock.advance(TimeDelta::minutes(2));
    assert!(fixture.sign_in("chief").await.is_ok());
}

#[rstest]
#[tokio::test]
async fn a_crowd_of_attempts_at_once_gets_no_more_tries(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, _)) = Fixture::open(db).await else { return };
    let attempts = (0..30).map(|_| fixture.desk.sign_in("chief", "cinque oche sul lago".into(), HOME));
    let answers = futures_util::future::join_all(attempts).await;
    let heard = answers.into_iter().map(code).filter(|code| *code == "wrong_login_or_password").count();
    assert_eq!(heard, 10);
}

/// Settings under which the attempts of one address are soon used up.
fn few_attempts() -> AuthSettings {
    let attempts = AttemptPolicy { client: 5, login: 8, login_and_client: 4, ..AttemptPolicy::default() };
    AuthSettings { attempts, ..AuthSettings::throwaway() }
}

const WRONG: &str = "cinque oche sul lago";

#[rstest]
#[tokio::test]
async fn invented_logins_keep_nobody_out_who_has_signed_in_from_there(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open_on(db, few_attempts()).await else { return };
    fixture.somebody(admin, "ada", &[Role::Player]).await;
    assert!(fixture.sign_in("chief").await.is_ok());
    for n in 0..5 {
        assert_eq!(code(fixture.sign_in(&format!("invented {n}")).await), "wrong_login_or_password");
    }
    let began = std::time::Instant::now();
    // An unknown login and a wrong password are answered alike, and equally late.
    let (stranger, guess) =
        tokio::join!(async { (fixture.sign_in("invented").await.map(|_| ()), began.elapsed()) }, async {
            (fixture.desk.sign_in("chief", WRONG.into(), HOME).await.map(|_| ()), began.elapsed())
        },);
    for (answer, after) in [stranger, guess] {
        assert_eq!(code(answer), "too_many_attempts");
        assert!(after >= std::time::Duration::from_secs(1), "{after:?}");
    }
    assert!(fixture.sign_in("ada").await.is_ok(), "though she has never signed in from here");
    assert!(fixture.sign_in("chief").await.is_ok(), "chief has signed in from here before");
    assert!(fixture.sign_in("CHIEF").await.is_ok(), "and is not counted");
}

#[rstest]
#[tokio::test]
async fn guessing_a_known_login_stays_bounded(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, _)) = Fixture::open_on(db, few_attempts()).await else { return };
    assert!(fixture.sign_in("chief").await.is_ok());
    // A crowd elsewhere uses up the attempts of the login.
    for n in 1..=8 {
        let elsewhere = [198, 51, 100, n].into();
        assert_eq!(
            code(fixture.desk.sign_in("chief", WRONG.into(), elsewhere).await),
            "wrong_login_or_password"
        );
    }
    let elsewhere = fixture.desk.sign_in("chief", PASSWORD.into(), [198, 51, 100, 99].into());
    let guesses =
        futures_util::future::join_all((0..4).map(|_| fixture.desk.sign_in("chief", WRONG.into(), HOME)));
    let (elsewhere, guesses) = tokio::join!(elsewhere, guesses);
    assert_eq!(code(elsewhere), "too_many_attempts");
    for guess in guesses {
        assert_eq!(code(guess), "too_many_attempts");
    }
    assert_eq!(code(fixture.sign_in("chief").await), "too_many_attempts", "four wrong ones from here");
    fixture.clock.advance(TimeDelta::minutes(16));
    assert!(fixture.sign_in("chief").await.is_ok());
}

#[rstest]
#[tokio::test]
async fn unlocking_forgives_one_login_wherever_it_has_failed(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, admin)) = Fixture::open_on(db, few_attempts()).await else { return };
    fixture.somebody(admin, "ada", &[Role::Player]).await;
    let wrong = async |login: &str, last: u8| {
        for _ in 0..4 {
            let guess = fixture.desk.sign_in(login, WRONG.into(), [198, 51, 100, last].into()).await;
            assert_eq!(code(guess), "wrong_login_or_password");
        }
    };
    for (login, last) in [("chief", 1), ("chief", 2), ("ada", 3), ("ada", 4)] {
        wrong(login, last).await;
    }
    assert_eq!(code(fixture.sign_in("chief").await), "too_many_attempts");
    fixture.clock.advance(TimeDelta::seconds(1));
    assert_eq!(fixture.desk.unlock("CHIEF".parse().unwrap()).await.unwrap(), admin.account);
    for last in [1, 9] {
        let there = fixture.desk.sign_in("chief", PASSWORD.into(), [198, 51, 100, last].into()).await;
        assert!(there.is_ok(), "from where it was locked, and from elsewhere");
    }
    assert_eq!(code(fixture.sign_in("ada").await), "too_many_attempts", "nobody else is let in");
    wrong("chief", 5).await;
    let there = fixture.desk.sign_in("chief", PASSWORD.into(), [198, 51, 100, 5].into()).await;
    assert_eq!(code(there), "too_many_attempts", "and its failures count again");
    assert!(matches!(fixture.desk.unlock("nobody".parse().unwrap()).await, Err(Refused::NotFound(_))));
}

#[tokio::test]
async fn a_session_that_a_hundred_others_push_out_has_ended() {
    let Some((fixture, admin)) = Fixture::open(Db::Sqlite).await else { return };
    let pushed_out = fixture.sign_in("chief").await.unwrap();
    let other = fixture.somebody(admin, "ada", &[Role::Player]).await;
    assert!(fixture.actor(&pushed_out).await.is_ok(), "and it is in memory from here on");
    let (desk, account) = (fixture.desk.clone(), admin.account);
    let begun = fixture.desk.inner.store.write(move |transaction| {
        (0..100).map(|_| desk.start_session(transaction, account)).collect::<Result<Vec<_>, Refused>>()
    });
    let live = begun.await.unwrap();
    assert_eq!(code(fixture.actor(&pushed_out).await), "invalid_token");
    assert!(fixture.actor(live.first().unwrap()).await.is_ok());
    assert!(fixture.desk.principal(&other).await.is_ok());
}

#[rstest]
#[tokio::test]
async fn signing_in_well_is_not_counted(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, _)) = Fixture::open(db).await else { return };
    for _ in 0..12 {
        assert!(fixture.sign_in("chief").await.is_ok());
    }
}

#[rstest]
#[tokio::test]
async fn a_refresh_token_used_again_within_30_seconds_gives_the_same_successor(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, _)) = Fixture::open(db).await else { return };
    let first = fixture.sign_in("chief").await.unwrap();
    let second = fixture.desk.refresh(shown(&first).1).await.unwrap();
    assert_ne!(shown(&second).1, shown(&first).1);
    fixture.clock.advance(TimeDelta::seconds(30));
    let again = fixture.desk.refresh(shown(&first).1).await.unwrap();
    assert_eq!(shown(&again).1, shown(&second).1);
    assert_eq!(again.refresh_expires_at, second.refresh_expires_at);
    assert_eq!((again.account, again.session), (first.account, first.session));
    assert!(fixture.actor(&again).await.is_ok());
    assert!(fixture.desk.refresh(shown(&second).1).await.is_ok(), "the successor works");
}

#[rstest]
#[tokio::test]
async fn a_refresh_token_used_again_later_ends_the_session_at_once(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let first = fixture.sign_in("chief").await.unwrap();
    let second = fixture.desk.refresh(shown(&first).1).await.unwrap();
    assert!(fixture.actor(&second).await.is_ok());
    fixture.clock.advance(TimeDelta::seconds(31));
    assert_eq!(code(fixture.desk.refresh(shown(&first).1).await), "invalid_token");
    assert_eq!(code(fixture.desk.refresh(shown(&second).1).await), "invalid_token");
    assert_eq!(code(fixture.actor(&second).await), "invalid_token", "and its access tokens");
    assert!(fixture.desk.principal(&admin).await.is_ok(), "other sessions go on");
}

#[rstest]
#[tokio::test]
async fn a_refresh_token_that_comes_late_in_the_grace_gives_its_successor_still(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, _)) = Fixture::open(db).await else { return };
    let first = fixture.sign_in("chief").await.unwrap();
    let second = fixture.desk.refresh(shown(&first).1).await.unwrap();
    fixture.clock.advance(TimeDelta::seconds(3));
    let third = fixture.desk.refresh(shown(&second).1).await.unwrap();
    fixture.clock.advance(TimeDelta::seconds(2));
    let late = fixture.desk.refresh(shown(&first).1).await.unwrap();
    assert_eq!(shown(&late).1, shown(&second).1);
    assert_eq!(shown(&fixture.desk.refresh(shown(&late).1).await.unwrap()).1, shown(&third).1);
    assert!(fixture.actor(&third).await.is_ok(), "the session goes on");
}

#[rstest]
#[tokio::test]
async fn sessions_that_are_over_push_out_none_that_lives(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, _)) = Fixture::open(db).await else { return };
    let phone = fixture.sign_in("chief").await.unwrap();
    for _ in 0..101 {
        let script = fixture.sign_in("chief").await.unwrap();
        fixture.desk.sign_out(fixture.actor(&script).await.unwrap()).await.unwrap();
    }
    assert!(fixture.desk.refresh(shown(&phone).1).await.is_ok());
}

#[rstest]
#[tokio::test]
async fn tokens_expire(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, _)) = Fixture::open(db).await else { return };
    let tokens = fixture.sign_in("chief").await.unwrap();
    fixture.clock.advance(TimeDelta::minutes(16));
    assert_eq!(code(fixture.actor(&tokens).await), "expired_token");
    assert!(tokens.access_expires_at < fixture.desk.now());
    fixture.clock.advance(TimeDelta::days(30));
    assert_eq!(code(fixture.desk.refresh(shown(&tokens).1).await), "expired_token");
    for rubbish in ["", "owlr_", "owlr_AAAA", shown(&tokens).0] {
        assert_eq!(code(fixture.desk.refresh(rubbish).await), "invalid_token");
    }
}

#[rstest]
#[tokio::test]
async fn signing_out_ends_this_session_and_everywhere_ends_all(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let one = fixture.sign_in("chief").await.unwrap();
    let other = fixture.sign_in("chief").await.unwrap();
    fixture.desk.sign_out(fixture.actor(&one).await.unwrap()).await.unwrap();
    assert_eq!(code(fixture.actor(&one).await), "invalid_token");
    assert_eq!(code(fixture.desk.refresh(shown(&one).1).await), "invalid_token");
    let actor = fixture.actor(&other).await.unwrap();

    fixture.desk.sign_out_everywhere(actor).await.unwrap();
    assert_eq!(code(fixture.desk.principal(&admin).await), "invalid_token", "by the epoch");
    assert_eq!(code(fixture.actor(&other).await), "invalid_token");
    assert_eq!(code(fixture.desk.refresh(shown(&other).1).await), "invalid_token");
    assert!(fixture.sign_in("chief").await.is_ok());
}

#[rstest]
#[tokio::test]
async fn an_invitation_is_claimed_once(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let mario = player(&fixture, admin, "Mario Rossi").await;
    let link = fixture.invite(admin, Some(mario), &[Role::Player]).await;
    let view = fixture.desk.link_view(secret(&link)).await.unwrap();
    assert_eq!((view.purpose, view.name.as_deref()), (Purpose::Invite, Some("Mario Rossi")));

    let nameless = Claim { login: None, password: PASSWORD.into() };
    assert_eq!(code(fixture.desk.claim_link(secret(&link), nameless).await), "login_required");
    assert_eq!(code(fixture.desk.claim_link(secret(&link), claim("CHIEF")).await), "login_taken");
    let tokens = fixture.desk.claim_link(secret(&link), claim("mario")).await.unwrap();
    let actor = fixture.actor(&tokens).await.unwrap();
    assert_eq!(fixture.desk.principal(&actor).await.unwrap().player, Some(mario));

    assert_eq!(code(fixture.desk.link_view(secret(&link)).await), "link_used");
    assert_eq!(code(fixture.desk.claim_link(secret(&link), claim("mario2")).await), "link_used");
    assert_eq!(code(fixture.desk.invite_again(admin, link.account).await), "already_claimed");
    assert_eq!(code(fixture.desk.link_view("owll_nonsense").await), "not_found");
}

#[rstest]
#[tokio::test]
async fn a_link_expires_and_a_newer_one_replaces_it(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let first = fixture.invite(admin, None, &[Role::Scorer]).await;
    let second = fixture.desk.invite_again(admin, first.account).await.unwrap();
    assert_eq!(code(fixture.desk.claim_link(secret(&first), claim("mario")).await), "link_used");
    fixture.clock.advance(TimeDelta::days(7));
    assert_eq!(code(fixture.desk.claim_link(secret(&second), claim("mario")).await), "link_expired");
    assert_eq!(code(fixture.desk.reset_link(Actor::CONSOLE, first.account).await), "not_claimed");
    let third = fixture.desk.invite_again(Actor::CONSOLE, first.account).await.unwrap();
    assert!(fixture.desk.claim_link(secret(&third), claim("mario")).await.is_ok());
}

#[rstest]
#[tokio::test]
async fn a_repeated_invitation_finds_the_account_and_makes_another_link(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let idempotency = Idempotency { key: "k".into(), request_hash: vec![1] };
    let request = Request { idempotency: Some(idempotency), ..Request::by(admin) };
    let roles = Roles::from_roles(&[Role::Player]);
    let new = || super::accounts::NewAccount { player: None, roles, email: None };
    let (one, version) = fixture.desk.create_account(request.clone(), new()).await.unwrap();
    let (other, again) = fixture.desk.create_account(request, new()).await.unwrap();
    assert_eq!((one.account, version), (other.account, again));
    assert_eq!(code(fixture.desk.link_view(secret(&one)).await), "link_used");
    assert!(fixture.desk.link_view(secret(&other)).await.is_ok());
}

#[rstest]
#[tokio::test]
async fn a_password_is_changed_by_the_old_one_and_ends_every_other_session(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let other = fixture.sign_in("chief").await.unwrap();
    let change =
        async |old: &str, new: &str| fixture.desk.change_password(admin, old.into(), new.into(), HOME).await;
    let new = "sei cigni sul fiume";
    assert_eq!(code(change("cinque oche sul lago", new).await), "wrong_login_or_password");
    assert_eq!(code(change(PASSWORD, "short").await), "password_too_short");
    let here = change(PASSWORD, new).await.unwrap();
    assert!(fixture.actor(&here).await.is_ok(), "this one goes on with new tokens");
    assert_eq!(code(fixture.actor(&other).await), "invalid_token");
    assert_eq!(code(fixture.desk.principal(&admin).await), "invalid_token");
    assert_eq!(code(fixture.sign_in("chief").await), "wrong_login_or_password");
    assert!(fixture.desk.sign_in("chief", new.into(), HOME).await.is_ok());
}

#[rstest]
#[tokio::test]
async fn a_reset_link_sets_a_new_password_ends_every_proof_and_a_lockout(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let mario = fixture.somebody(admin, "mario", &[Role::Player]).await;
    let script = fixture.desk.create_api_token(mario, terms("scores")).await.unwrap();
    let link = fixture.desk.reset_link(admin, mario.account).await.unwrap();
    let view = fixture.desk.link_view(secret(&link)).await.unwrap();
    assert_eq!((view.purpose, view.login.as_deref()), (Purpose::Reset, Some("mario")));
    assert!(fixture.sign_in("mario").await.is_ok(), "the old password works until then");
    assert_eq!(code(fixture.desk.claim_link(secret(&link), claim("mario")).await), "login_not_asked");
    let claim = |password: &str| Claim { login: None, password: password.into() };
    let tokens = fixture.desk.claim_link(secret(&link), claim("sei cigni sul fiume")).await.unwrap();
    assert!(fixture.actor(&tokens).await.is_ok());
    assert_eq!(code(fixture.desk.principal(&mario).await), "invalid_token");
    assert_eq!(code(fixture.desk.verify_api_token(script.secret.expose_secret()).await), "invalid_token");
    assert_eq!(code(fixture.sign_in("mario").await), "wrong_login_or_password");
    assert_eq!(
        code(fixture.desk.claim_link(secret(&link), claim("sette cigni sul fiume")).await),
        "link_used"
    );
}

#[rstest]
#[tokio::test]
async fn an_api_token_counts_until_it_is_revoked_or_expires(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let soon = (fixture.desk.now().utc() + TimeDelta::hours(1)).into();
    let lasting = fixture.desk.create_api_token(admin, terms(" scores ")).await.unwrap();
    let short = fixture
        .desk
        .create_api_token(admin, TokenTerms { expires_at: Some(soon), ..terms("short") })
        .await
        .unwrap();
    let script = fixture.desk.verify_api_token(lasting.secret.expose_secret()).await.unwrap().actor;
    assert_eq!(fixture.desk.principal(&script).await.unwrap().account, admin.account);
    assert!(fixture.desk.verify_api_token(short.secret.expose_secret()).await.is_ok());
    let names: Vec<String> =
        fixture.desk.api_tokens(&admin).await.unwrap().into_iter().map(|token| token.name).collect();
    assert_eq!(names, ["short", "scores"]);

    fixture.clock.advance(TimeDelta::hours(1));
    assert_eq!(code(fixture.desk.verify_api_token(short.secret.expose_secret()).await), "expired_token");
    let (_, id) = (lasting.token.name, lasting.token.id.0);
    let stranger = fixture.somebody(Actor::CONSOLE, "mario", &[Role::Player]).await;
    assert_eq!(code(fixture.desk.revoke_api_token(stranger, id).await), "not_found", "another's");
    fixture.desk.revoke_api_token(script, id).await.unwrap();
    assert_eq!(code(fixture.desk.verify_api_token(lasting.secret.expose_secret()).await), "invalid_token");
    for rubbish in ["", "owlt_", "owlr_AAAA"] {
        assert_eq!(code(fixture.desk.verify_api_token(rubbish).await), "invalid_token");
    }
}

#[rstest]
#[tokio::test]
async fn a_script_cannot_sign_out_or_make_tokens(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let token = fixture.desk.create_api_token(admin, terms("scores")).await.unwrap();
    let script = fixture.desk.verify_api_token(token.secret.expose_secret()).await.unwrap().actor;
    assert_eq!(code(fixture.desk.sign_out(script).await), "needs_session");
    assert_eq!(code(fixture.desk.create_api_token(script, terms("more")).await), "needs_session");
}

#[rstest]
#[tokio::test]
async fn a_deactivated_account_has_nothing_left_even_when_it_is_active_again(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let mario = fixture.somebody(admin, "mario", &[Role::Scorer]).await;
    let session = fixture.sign_in("mario").await.unwrap();
    let token = fixture.desk.create_api_token(mario, terms("scores")).await.unwrap();
    let reset = fixture.desk.reset_link(admin, mario.account).await.unwrap();
    let script = fixture.desk.verify_api_token(token.secret.expose_secret()).await.unwrap().actor;
    let active = async |active| {
        let change = AccountChange { active: Some(active), ..AccountChange::default() };
        fixture.desk.change_account(Request::by(admin), mario.account, change).await
    };
    active(false).await.unwrap();
    assert_eq!(code(fixture.desk.principal(&script).await), "invalid_token");
    assert_eq!(code(fixture.desk.reset_link(admin, mario.account).await), "account_inactive");
    assert_eq!(code(active(false).await), "nothing_changes");
    active(true).await.unwrap();
    assert_eq!(code(fixture.desk.principal(&mario).await), "invalid_token");
    assert_eq!(code(fixture.desk.refresh(shown(&session).1).await), "invalid_token");
    assert_eq!(code(fixture.desk.verify_api_token(token.secret.expose_secret()).await), "invalid_token");
    assert_eq!(code(fixture.desk.link_view(secret(&reset)).await), "link_used");
    assert!(fixture.sign_in("mario").await.is_ok(), "but the password");
}

#[rstest]
#[tokio::test]
async fn the_last_admin_stays_one(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let changes = [
        AccountChange { active: Some(false), ..AccountChange::default() },
        AccountChange { roles: Some(Roles::from_roles(&[Role::Player])), ..AccountChange::default() },
    ];
    for change in changes {
        let answer = fixture.desk.change_account(Request::by(admin), admin.account, change).await;
        assert_eq!(code(answer), "last_admin");
    }
    assert!(fixture.desk.principal(&admin).await.is_ok(), "and is not signed out");
}

#[rstest]
#[tokio::test]
async fn roles_count_from_the_next_request_on(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let mario = fixture.somebody(admin, "mario", &[Role::Player]).await;
    let person = player(&fixture, admin, "Mario Rossi").await;
    let change = AccountChange {
        roles: Some(Roles::from_roles(&[Role::Scorer, Role::Player])),
        player: Change::Set(person),
        ..AccountChange::default()
    };
    fixture.desk.change_account(Request::by(admin), mario.account, change.clone()).await.unwrap();
    let principal = fixture.desk.principal(&mario).await.unwrap();
    assert_eq!(
        (principal.player, principal.powers.roles()),
        (Some(person), Roles::from_roles(&[Role::Scorer, Role::Player]))
    );
    let view = fixture.desk.account(&mario, mario.account).await.unwrap();
    assert_eq!((view.name.as_deref(), view.login.as_deref()), (Some("Mario Rossi"), Some("mario")));
    assert_eq!(fixture.desk.accounts(&admin, None, 10).await.unwrap().len(), 2);
    assert_eq!(code(fixture.desk.accounts(&mario, None, 10).await), "forbidden");
    assert_eq!(
        code(fixture.desk.change_account(Request::by(mario), mario.account, change).await),
        "forbidden"
    );
    assert_eq!(code(fixture.desk.reset_link(mario, admin.account).await), "forbidden");
    let new =
        super::accounts::NewAccount { player: None, roles: Roles::from_roles(&[Role::Admin]), email: None };
    assert_eq!(code(fixture.desk.create_account(Request::by(mario), new).await), "forbidden");
}

#[rstest]
#[tokio::test]
async fn no_secret_shows_when_printed(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let tokens = fixture.sign_in("chief").await.unwrap();
    let link = fixture.invite(admin, None, &[Role::Player]).await;
    let token = fixture.desk.create_api_token(admin, terms("scores")).await.unwrap();
    let printed = format!("{tokens:?} {link:?} {token:?} {:?}", set_up("AAAA"));
    for secret in [shown(&tokens).0, shown(&tokens).1, secret(&link), token.secret.expose_secret(), PASSWORD]
    {
        assert!(!printed.contains(secret));
    }
}

#[rstest]
#[tokio::test]
async fn a_full_queue_is_told_at_once(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((fixture, _)) = Fixture::open(db).await else { return };
    let attempts = (0..100).map(|n| {
        let address = std::net::Ipv4Addr::new(198, 51, 100, n).into();
        fixture.desk.sign_in("nobody", PASSWORD.into(), address)
    });
    let answers = futures_util::future::join_all(attempts).await;
    assert!(answers.iter().any(|answer| matches!(answer, Err(Refused::Busy))));
}

#[tokio::test]
async fn several_instances_behave_as_one() {
    let Some((fixture, admin)) = Fixture::open(Db::Postgres).await else { return };
    let (one, other) = (&fixture.desk, fixture.another_instance());
    assert!(!other.needs_set_up().await.unwrap());

    // A revocation at one instance counts at the other.
    let tokens = fixture.sign_in("chief").await.unwrap();
    let actor = other.verify_access_token(shown(&tokens).0).await.unwrap().actor;
    let token = one.create_api_token(actor, terms("scores")).await.unwrap();
    let script = other.verify_api_token(token.secret.expose_secret()).await.unwrap().actor;
    one.sign_out(actor).await.unwrap();
    one.revoke_api_token(script, token.token.id.0).await.unwrap();
    // It is told of it: within a second, and on a busy machine before it would doubt all that it knows
    // anyway.
    let heard = async {
        while other.verify_access_token(shown(&tokens).0).await.is_ok()
            || other.verify_api_token(token.secret.expose_secret()).await.is_ok()
        {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(4), heard).await.unwrap();
    assert_eq!(code(other.verify_access_token(shown(&tokens).0).await), "invalid_token");
    assert_eq!(code(other.verify_api_token(token.secret.expose_secret()).await), "invalid_token");

    // Two tabs at two instances get the same successor.
    let tokens = fixture.sign_in("chief").await.unwrap();
    let (left, right) = tokio::join!(one.refresh(shown(&tokens).1), other.refresh(shown(&tokens).1));
    assert_eq!(shown(&left.unwrap()).1, shown(&right.unwrap()).1);

    // A link can be claimed only once, at either instance.
    let link = fixture.invite(admin, None, &[Role::Player]).await;
    let (left, right) = tokio::join!(
        one.claim_link(secret(&link), claim("left")),
        other.claim_link(secret(&link), claim("right"))
    );
    assert_eq!([left.is_ok(), right.is_ok()].iter().filter(|ok| **ok).count(), 1);

    // A burst of attempts at both instances gets no more tries.
    let attempts = (0..40).map(|n| {
        let desk = if n % 2 == 0 { one } else { &other };
        desk.sign_in("chief", "cinque oche sul lago".into(), HOME)
    });
    let answers = futures_util::future::join_all(attempts).await;
    let heard = answers.into_iter().map(code).filter(|code| *code == "wrong_login_or_password").count();
    assert_eq!(heard, 10);
}

#[tokio::test]
async fn one_of_two_instances_sets_the_club_up() {
    let Some(fixture) = Fixture::empty(Db::Postgres) else { return };
    let (one, other) = (&fixture.desk, fixture.another_instance());
    let shown = one.set_up_code().await.unwrap().unwrap();
    assert_eq!(other.set_up_code().await.unwrap().as_ref(), Some(&shown));
    let (left, right) = tokio::join!(one.set_up(set_up(&shown)), other.set_up(set_up(&shown)));
    let refused: Vec<_> =
        [left, right].into_iter().filter_map(Result::err).map(|no| no.code().name()).collect();
    assert_eq!(refused, ["already_set_up"]);
}

/// A sign-in and a concurrent password change are serialised. In either order no session of the old password
/// survives.
#[tokio::test]
async fn no_session_survives_a_password_change_beside_it() {
    let Some((fixture, admin)) = Fixture::open(Db::Postgres).await else { return };
    let other = fixture.another_instance();
    let (changed, tokens) = tokio::join!(
        fixture.desk.change_password(admin, PASSWORD.into(), "sei cigni sul fiume".into(), HOME),
        other.sign_in("chief", PASSWORD.into(), HOME)
    );
    changed.unwrap();
    if let Ok(tokens) = tokens {
        assert_eq!(code(fixture.actor(&tokens).await), "invalid_token");
        assert_eq!(code(fixture.desk.refresh(shown(&tokens).1).await), "invalid_token");
    }
}

#[rstest]
#[tokio::test]
async fn who_has_asked_for_a_login_in_vain_is_forgotten_after_thirty_days(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some((fixture, admin)) = Fixture::open(db).await else { return };
    let settings = Settings { self_registration: SelfRegistration::Confirmed, ..Settings::default() };
    fixture.desk.change_settings(Request::by(admin), settings).await.unwrap();
    let new = NewRegistration {
        login: "maria".parse().unwrap(),
        name: "Maria".parse().unwrap(),
        password: PASSWORD.into(),
    };
    fixture.desk.register(new, HOME).await.unwrap();
    for (days, left) in [(29, 1), (2, 0)] {
        fixture.clock.advance(TimeDelta::days(days));
        fixture.desk.sweep(24, 30).await.unwrap();
        assert_eq!(fixture.desk.registrations(&admin).await.unwrap().len(), left);
    }
}

/// Nobody's sign-in reads the database, and a sign-out at another instance counts within a second all the
/// same: told by a notification, or if that is lost with its connection, because nothing is heard any more.
#[tokio::test]
async fn a_sign_out_at_another_instance_counts_within_a_second_even_if_nobody_can_tell_of_it() {
    let Some((fixture, chief)) = Fixture::open(Db::Postgres).await else { return };
    let other = fixture.another_instance_called("owlbox-cut-off");
    fixture.somebody(chief, "ada", &[Role::Scorer]).await;
    for is_cut in [false, true] {
        let tokens = fixture.sign_in("ada").await.unwrap();
        let token = tokens.access.expose_secret();
        let actor = other.verify_access_token(token).await.unwrap().actor;
        let mut is_remembered = false;
        // Every few seconds all of it is forgotten, which may be just now.
        for _ in 0..5 {
            until_told(&other).await;
            other.verify_access_token(token).await.unwrap();
            other.rights(Some(&actor)).await.unwrap();
            let _held = fixture.hold("account, token_epoch, session, stream").await;
            is_remembered =
                other.verify_access_token(token).await.is_ok() && other.rights(Some(&actor)).await.is_ok();
            if is_remembered {
                break;
            }
        }
        assert!(is_remembered, "session, account and the club's settings are in memory");
        until_told(&other).await;
        if is_cut {
            fixture.cut_off("owlbox-cut-off").await;
        }
        fixture.desk.sign_out(actor).await.unwrap();
        let signed_out = std::time::Instant::now();
        while other.verify_access_token(token).await.is_ok() {
            assert!(signed_out.elapsed() < std::time::Duration::from_secs(1), "cut off: {is_cut}");
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }
}

/// A change of roles at one instance is one at all of them.
#[tokio::test]
async fn a_deactivated_account_may_nothing_at_another_instance_a_second_later() {
    let Some((fixture, chief)) = Fixture::open(Db::Postgres).await else { return };
    let other = fixture.another_instance();
    let ada = fixture.somebody(chief, "ada", &[Role::Scorer]).await;
    until_told(&other).await;
    other.principal(&ada).await.unwrap();
    let change = AccountChange { active: Some(false), ..AccountChange::default() };
    fixture.desk.change_account(Request::by(chief), ada.account, change).await.unwrap();
    let changed = std::time::Instant::now();
    while other.principal(&ada).await.is_ok() {
        assert!(changed.elapsed() < std::time::Duration::from_secs(1));
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

async fn until_told(desk: &Desk) {
    let began = std::time::Instant::now();
    while !desk.lease().holds() {
        assert!(began.elapsed() < std::time::Duration::from_secs(10), "the database is heard");
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}
