//! What the configuration accepts and what it refuses.

use std::io::Write;

use super::*;

fn with(variables: &[(&str, &str)]) -> Result<Config, Mistakes> {
    let owned = variables.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    Config::from_layers(None, owned)
}

fn with_file(text: &str, variables: &[(&str, &str)]) -> Result<Config, Mistakes> {
    let mut file = tempfile::Builder::new().prefix("club").suffix(".toml").tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let owned = variables.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    Config::from_layers(Some(file.path()), owned)
}

#[track_caller]
fn only_mistake(result: Result<Config, Mistakes>) -> String {
    let mut mistakes = result.expect_err("this configuration is wrong").0;
    assert_eq!(mistakes.len(), 1, "{mistakes:?}");
    mistakes.remove(0)
}

#[test]
fn the_built_in_configuration_is_a_club_on_its_own_machine() {
    let config = with(&[]).unwrap();
    assert_eq!(config.http.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(config.http.public_url, None);
    assert_eq!(config.database.url.to_string(), "sqlite://owlbox.db");
    assert_eq!(config.key_file(), Some(PathBuf::from("owlbox.key")));
    assert_eq!((config.limits.page_size, config.limits.page_size_max), (50, 200));
    assert_eq!(config.log.format, LogFormat::Human);
}

#[test]
fn every_built_in_key_is_read_and_has_a_comment_of_its_own() {
    // Loading above proves that every key of the file is read, since an unread one is unknown. This is the
    // converse.
    let lines: Vec<&str> = DEFAULT.lines().collect();
    let mut keys = 0;
    for pair in lines.windows(2) {
        if let [above, line] = pair
            && line.contains(" = ")
            && !line.starts_with('#')
        {
            keys += 1;
            assert!(above.starts_with("# "), "{line} has no comment");
        }
    }
    assert_eq!(keys, 39);
}

#[test]
fn a_file_overrides_the_built_in_values_and_the_environment_overrides_the_file() {
    let file = "[http]\nlisten = \"0.0.0.0:80\"\nworkers = 3\ntrusted_proxies = [\"10.0.0.1\"]\n";
    let config = with_file(
        file,
        &[("OWLBOX_HTTP__WORKERS", "4"), ("OWLBOX_HTTP__TRUSTED_PROXIES", "10.0.0.0/8, ::1")],
    )
    .unwrap();
    assert_eq!(config.http.listen.port(), 80);
    assert_eq!(config.http.workers, 4);
    let proxies: Vec<String> = config.http.trusted_proxies.iter().map(ToString::to_string).collect();
    assert_eq!(proxies, ["10.0.0.0/8", "::1/128"]);
}

#[test]
fn a_wrong_value_names_its_key_what_was_given_and_what_is_allowed() {
    let cases = [
        ("HTTP__LISTEN", "8080", "\"8080\" is not allowed; allowed: an IP address and a port"),
        ("HTTP__PUBLIC_URL", "club.example", "http://HOST or https://HOST without a path"),
        ("HTTP__PUBLIC_URL", "https://club.example/owlbox", "http://HOST or https://HOST without a path"),
        ("HTTP__PUBLIC_URL", "ftp://club.example", "http://HOST or https://HOST without a path"),
        ("HTTP__TRUSTED_PROXIES", "proxy.example", "networks such as 10.0.0.0/8"),
        ("HTTP__CORS_ORIGINS", "*", "a list of at most 100 origins such as https://www.club.example"),
        ("HTTP__CORS_ORIGINS", "club.example", "a list of at most 100 origins"),
        ("HTTP__CORS_ORIGINS", "https://club.example/", "no path"),
        ("HTTP__CORS_ORIGINS", "https://Club.example", "in small letters"),
        ("HTTP__CORS_ORIGINS", "https://club.example:443", "the port unless it is the usual one"),
        ("HTTP__WORKERS", "many", "\"many\" is not allowed; allowed: a whole number from 0 to 256"),
        ("HTTP__BODY_LIMIT", "10", "a whole number from 1024 to 16777216"),
        ("HTTP__SHUTDOWN_TIMEOUT_SECONDS", "-1", "a whole number from 0 to 300"),
        ("DATABASE__POOL_SIZE", "0", "a whole number from 1 to 256"),
        ("DATABASE__BATCH_LIMIT", "0", "a whole number from 1 to 10000"),
        ("DATABASE__QUEUE_LIMIT", "1.5", "a whole number from 1 to 100000"),
        ("AUTH__PASSWORD_SLOTS", "65", "a whole number from 1 to 64"),
        ("AUTH__PASSWORD_QUEUE", "", "a whole number from 1 to 10000"),
        ("AUTH__ACCESS_MINUTES", "0", "a whole number from 1 to 1440"),
        ("AUTH__REFRESH_DAYS", "366", "a whole number from 1 to 365"),
        ("AUTH__INVITE_DAYS", "0", "a whole number from 1 to 365"),
        ("LIMITS__LIVE_STREAMS", "0", "a whole number from 1 to 100000"),
        ("LIMITS__LIVE_STREAMS_PER_ACCOUNT", "0", "a whole number from 1 to 1000"),
        ("LIMITS__STREAM_LENGTH", "99", "a whole number from 100 to 1000000"),
        ("LIMITS__PAGE_SIZE", "0", "a whole number from 1 to 1000"),
        ("LIMITS__PAGE_SIZE_MAX", "1001", "a whole number from 1 to 1000"),
        ("LIMITS__IDEMPOTENCY_HOURS", "0", "a whole number from 1 to 720"),
        ("LIMITS__TOKEN_RETENTION_DAYS", "0", "a whole number from 1 to 3650"),
        ("LOG__FORMAT", "xml", "\"xml\" is not allowed; allowed: human or json"),
        ("LOG__LEVEL", "owlbox=loud", "error, warn, info, debug or trace"),
        ("LOG__LEVEL", "loud", "error, warn, info, debug or trace"),
        ("LOG__LEVEL", "info,owlbox_desk", "error, warn, info, debug or trace"),
        ("LOG__LEVEL", "info, owlbox_desk=debug", "error, warn, info, debug or trace"),
        ("LOG__LEVEL", "owlbox_desk=debug", "error, warn, info, debug or trace"),
        ("LOG__LEVEL", "", "error, warn, info, debug or trace"),
    ];
    for (key, given, allowed) in cases {
        let name = format!("OWLBOX_{key}");
        let mistake = only_mistake(with(&[(&name, given)]));
        assert!(mistake.starts_with(&format!("{name}: \"{given}\"")), "{mistake}");
        assert!(mistake.contains(allowed), "{mistake}");
    }
}

#[test]
fn a_log_level_may_have_others_for_modules() {
    for level in ["off", "WARN", "trace", "info,owlbox_desk=debug", "owlbox_desk=debug,error"] {
        assert_eq!(with(&[("OWLBOX_LOG__LEVEL", level)]).unwrap().log.level, level);
    }
}

#[test]
fn a_wrong_value_in_a_file_names_the_file() {
    let mistake = only_mistake(with_file("[http]\nworkers = \"all\"\n", &[]));
    assert!(mistake.starts_with("http.workers (in "), "{mistake}");
    assert!(mistake.ends_with("\"all\" is not allowed; allowed: a whole number from 0 to 256"), "{mistake}");
}

#[test]
fn a_wrong_value_is_a_mistake_even_where_a_stronger_layer_has_a_right_one() {
    let mistake = only_mistake(with_file("http.workers = -1\n", &[("OWLBOX_HTTP__WORKERS", "1")]));
    assert!(mistake.starts_with("http.workers"), "{mistake}");
}

#[test]
fn an_unknown_key_is_named_with_those_of_its_section() {
    let mistake = only_mistake(with(&[("OWLBOX_LOG__COLOUR", "1")]));
    assert_eq!(mistake, "OWLBOX_LOG__COLOUR is not known; known: log.format, log.level");
    let mistake = only_mistake(with_file("[log]\ncolour = 1\n", &[]));
    assert!(mistake.starts_with("log.colour (in "), "{mistake}");
    let mistake = only_mistake(with_file("listen = \"127.0.0.1:1\"\n", &[]));
    assert!(mistake.contains("http.listen"), "{mistake}");
}

#[test]
fn a_single_underscore_is_pointed_out_and_what_platforms_make_up_is_left_alone() {
    let mistake = only_mistake(with(&[("OWLBOX_HTTP_LISTEN", "127.0.0.1:1")]));
    assert_eq!(mistake, "OWLBOX_HTTP_LISTEN is not known; OWLBOX_HTTP__LISTEN is meant");
    assert!(with(&[("OWLBOX_PORT", "tcp://10.0.0.1:80"), ("OWLBOX_TEST_POSTGRES", "x")]).is_ok());
}

#[test]
fn all_mistakes_are_told_at_once() {
    let error = with_file("[http]\nworkers = -1\nport = 80\n", &[("OWLBOX_LOG__FORMAT", "xml")]).unwrap_err();
    assert_eq!(error.0.len(), 3, "{error}");
    assert!(error.to_string().starts_with("the configuration cannot be used:\n  http.workers"), "{error}");
}

#[test]
fn a_file_that_cannot_be_used_is_named_without_quoting_it() {
    let mistake = only_mistake(with_file("[auth]\nsigning_keys = [{ id = 'a' secret = 'hush' }]\n", &[]));
    assert!(mistake.contains(", line 2: "), "{mistake}");
    assert!(!mistake.contains("hush"), "{mistake}");
    let missing = Config::from_layers(Some(Path::new("/nowhere/owlbox.toml")), []);
    assert!(only_mistake(missing).starts_with("/nowhere/owlbox.toml cannot be read: "));
}

const SECRET: &str = "0123456789abcdef0123456789abcdef";

#[test]
fn signing_keys_come_from_a_file_or_from_the_environment() {
    use secrecy::ExposeSecret;
    let file = format!("[[auth.signing_keys]]\nid = \"spring\"\nsecret = \"{SECRET}\"\n");
    let variable = format!("spring:{SECRET},winter:{SECRET}:with-a-colon");
    let from_file = with_file(&file, &[]).unwrap();
    let from_environment = with(&[("OWLBOX_AUTH__SIGNING_KEYS", &variable)]).unwrap();
    assert_eq!(from_file.auth.signing_keys[0].secret.expose_secret(), SECRET);
    assert_eq!(from_file.key_file(), None);
    let ids: Vec<&str> = from_environment.auth.signing_keys.iter().map(|key| key.id.as_str()).collect();
    assert_eq!(ids, ["spring", "winter"]);
    assert!(!format!("{from_file:?}").contains(SECRET));
}

#[test]
fn a_wrong_signing_key_is_never_shown() {
    for bad in
        ["hush", "a:hush", &format!("a:{SECRET},a:{SECRET}"), &format!("é:{SECRET}"), &format!(":{SECRET}")]
    {
        let mistake = only_mistake(with(&[("OWLBOX_AUTH__SIGNING_KEYS", bad)]));
        assert!(mistake.starts_with("OWLBOX_AUTH__SIGNING_KEYS: what was given (not shown)"), "{mistake}");
        assert!(!mistake.contains("hush") && !mistake.contains(SECRET), "{mistake}");
    }
}

#[test]
fn a_database_is_a_sqlite_file_or_a_postgres_url() {
    for bad in
        ["owlbox.db", "postgress://hush@host/db", "sqlite://", "sqlite://:memory:", "mysql://hush@host/db"]
    {
        let mistake = only_mistake(with(&[("OWLBOX_DATABASE__URL", bad)]));
        assert!(mistake.contains("sqlite://FILE or postgres://"), "{mistake}");
        assert!(!mistake.contains("hush"), "{mistake}");
    }
    let config = with(&[("OWLBOX_DATABASE__URL", "sqlite:///var/lib/owlbox/club.db")]).unwrap();
    assert_eq!(config.key_file(), Some(PathBuf::from("/var/lib/owlbox/club.key")));
}

#[test]
fn a_database_url_is_shown_without_who_and_how() {
    let shown = |url: &str| url.parse::<DatabaseUrl>().unwrap().to_string();
    assert_eq!(shown("postgres://owl:hu@sh@db:5432/owlbox?password=hush"), "postgres://***@db:5432/owlbox");
    assert_eq!(shown("postgresql:///owlbox?host=/run"), "postgres:///owlbox");
    for hidden in ["postgres://owl@db/owlbox?password=hu@sh", "postgres://owl:hu?sh@db/owlbox"] {
        assert_eq!(shown(hidden), "postgres://***");
    }
    assert_eq!(
        format!("{:?}", "postgres://owl:hush@db/owlbox".parse::<DatabaseUrl>().unwrap()),
        "postgres://***@db/owlbox"
    );
}

#[test]
fn postgres_needs_a_signing_key_to_share() {
    let mistake = only_mistake(with(&[("OWLBOX_DATABASE__URL", "postgres://db/owlbox")]));
    assert!(mistake.starts_with("auth.signing_keys: none given"), "{mistake}");
    let key = format!("a:{SECRET}");
    let both =
        [("OWLBOX_DATABASE__URL", "postgres://db/owlbox"), ("OWLBOX_AUTH__SIGNING_KEYS", key.as_str())];
    assert_eq!(with(&both).unwrap().key_file(), None);
    // Or the key that a club has brought along from SQLite.
    let brought =
        [("OWLBOX_DATABASE__URL", "postgres://db/owlbox"), ("OWLBOX_AUTH__KEY_FILE", "/etc/owlbox/club.key")];
    let config = with(&brought).unwrap();
    assert_eq!(config.key_file(), Some(PathBuf::from("/etc/owlbox/club.key")));
    assert!(!config.makes_key_file());
}

#[test]
fn a_public_url_is_a_scheme_and_a_host() {
    let config = with(&[("OWLBOX_HTTP__PUBLIC_URL", "https://club.example:8443")]).unwrap();
    let url = config.http.public_url.unwrap();
    assert!(url.is_https());
    assert_eq!(url.as_str(), "https://club.example:8443");
    assert!(with(&[("OWLBOX_HTTP__PUBLIC_URL", "http://[::1]:8080")]).is_ok());
}

#[test]
fn a_default_page_is_no_longer_than_the_longest() {
    let mistake = only_mistake(with(&[("OWLBOX_LIMITS__PAGE_SIZE", "201")]));
    assert_eq!(mistake, "limits.page_size: more than limits.page_size_max");
}

#[test]
fn the_key_never_takes_the_place_of_the_database() {
    let mistake = only_mistake(with(&[("OWLBOX_DATABASE__URL", "sqlite://club.key")]));
    assert_eq!(mistake, "auth.key_file: the key cannot be kept in the database's own file");
}

#[test]
fn mail_needs_a_sender_and_the_clubs_own_address_and_hides_its_password() {
    let url = ("OWLBOX_MAIL__URL", "smtps://owl:hush@mail.example:465");
    let from = ("OWLBOX_MAIL__FROM", "owlbox@club.example");
    let public = ("OWLBOX_HTTP__PUBLIC_URL", "https://club.example");
    assert!(with(&[public]).unwrap().mail.is_none());
    for one in [url, from] {
        let mistake = only_mistake(with(&[one, public]));
        assert_eq!(mistake, "mail: url and from are given together, or neither");
    }
    let mistake = only_mistake(with(&[url, from]));
    assert_eq!(mistake, "http.public_url: needed with mail, whose links begin with it");
    let mistake = only_mistake(with(&[("OWLBOX_MAIL__FROM", "owlbox"), url, public]));
    assert!(mistake.starts_with("OWLBOX_MAIL__FROM: \"owlbox\" is not allowed"), "{mistake}");
    let mistake = only_mistake(with(&[("OWLBOX_MAIL__URL", "smtp://owl:hush@mail.example?tls=none")]));
    assert!(!mistake.contains("hush"), "{mistake}");
    let config = with(&[url, from, public]).unwrap();
    assert!(!format!("{config:?}").contains("hush"));
    assert_eq!(config.mail.unwrap().shown(), "smtps://***@mail.example:465");
}
