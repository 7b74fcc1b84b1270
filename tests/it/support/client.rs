//! Callers of a server: the public, a script with a bearer token, a browser with cookies. All share one kind
//! of request.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use ureq::{Agent, http};

use super::contract::{self, Answered, Asked};
use super::events::Events;

/// A caller of a server. Clones share their cookies.
#[derive(Clone)]
pub struct Client {
    agent: Agent,
    url: String,
    /// The host that is asked for, if it is not the address.
    host: Option<String>,
    caller: Caller,
}

#[derive(Clone)]
enum Caller {
    Public,
    Bearer(String),
    Cookies(Arc<Mutex<BTreeMap<String, String>>>),
}

impl Client {
    pub fn public(url: &str) -> Self {
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .allow_non_standard_methods(true)
            .timeout_global(Some(Duration::from_secs(30)))
            .proxy(None)
            .build()
            .new_agent();
        Self { agent, url: url.to_owned(), host: None, caller: Caller::Public }
    }

    /// The same caller, who asks for another host at the same address.
    pub fn at_host(&self, host: &str) -> Self {
        Self { host: Some(host.to_owned()), ..self.clone() }
    }

    /// The same caller with a bearer token.
    pub fn bearer(&self, token: &str) -> Self {
        Self { caller: Caller::Bearer(token.to_owned()), ..self.clone() }
    }

    /// The same caller with an empty cookie jar, which keeps what the server sets.
    pub fn cookies(&self) -> Self {
        Self { caller: Caller::Cookies(Arc::default()), ..self.clone() }
    }

    /// The value of a cookie in the jar.
    pub fn cookie(&self, name: &str) -> Option<String> {
        match &self.caller {
            Caller::Cookies(jar) => jar.lock().unwrap().get(name).cloned(),
            _ => None,
        }
    }

    pub fn get(&self, path: &str) -> Answer {
        self.request("GET", path).send()
    }
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.request("POST", path).json(body).send()
    }
    pub fn put(&self, path: &str, body: &Value) -> Answer {
        self.request("PUT", path).json(body).send()
    }
    pub fn patch(&self, path: &str, body: &Value) -> Answer {
        self.request("PATCH", path).json(body).send()
    }
    pub fn delete(&self, path: &str) -> Answer {
        self.request("DELETE", path).send()
    }

    /// The answer to a browser's GET: its headers, and its body compressed as it is served. A picture is
    /// so by itself.
    #[track_caller]
    pub fn compressed(&self, path: &str) -> (http::HeaderMap, Vec<u8>) {
        let mut request =
            http::Request::builder().uri(format!("{}{path}", self.url)).header("Accept-Encoding", "gzip");
        for (name, value) in self.identity() {
            request = request.header(name, value);
        }
        let mut response = self.agent.run(request.body(()).expect("a well-formed request")).expect(path);
        assert_eq!(response.status(), 200, "{path}");
        let says = |name: &str, what: &str| response.headers().get(name).is_some_and(|value| value == what);
        let packed = says("content-encoding", "gzip") || says("content-type", "image/png");
        assert!(packed, "{path} is not compressed");
        (response.headers().clone(), response.body_mut().read_to_vec().expect(path))
    }

    /// The size of that answer.
    #[track_caller]
    pub fn weight_on_the_wire(&self, path: &str) -> usize {
        let (headers, body) = self.compressed(path);
        // Each header has a colon, a space and a line break.
        let headers: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
        headers + body.len()
    }

    /// Begins a request, to be continued with `.json(..).key(..).if_match(..).send()`.
    pub fn request(&self, method: &str, path: &str) -> Request<'_> {
        Request {
            client: self,
            method: method.to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            body: None,
        }
    }

    /// Opens a live stream; `after` is sent as `Last-Event-ID`.
    #[track_caller]
    pub fn events(&self, path: &str, after: Option<&str>) -> Events {
        let mut headers = self.identity();
        headers.extend(after.map(|id| ("Last-Event-ID".to_owned(), id.to_owned())));
        Events::open(self.url.trim_start_matches("http://"), path, &headers)
    }

    /// The headers that identify the caller.
    fn identity(&self) -> Vec<(String, String)> {
        let mut headers = self.proof();
        headers.extend(self.host.clone().map(|host| ("Host".to_owned(), host)));
        headers
    }

    fn proof(&self) -> Vec<(String, String)> {
        match &self.caller {
            Caller::Public => Vec::new(),
            Caller::Bearer(token) => vec![("Authorization".to_owned(), format!("Bearer {token}"))],
            Caller::Cookies(jar) => {
                let jar = jar.lock().unwrap();
                let pairs: Vec<String> = jar.iter().map(|(name, value)| format!("{name}={value}")).collect();
                if pairs.is_empty() { Vec::new() } else { vec![("Cookie".to_owned(), pairs.join("; "))] }
            }
        }
    }

    /// Stores cookies that the server sets, and drops those that it deletes.
    fn keep_cookies(&self, headers: &http::HeaderMap) {
        let Caller::Cookies(jar) = &self.caller else { return };
        let mut jar = jar.lock().unwrap();
        for cookie in headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok()) {
            let (pair, attributes) = cookie.split_once(';').unwrap_or((cookie, ""));
            let Some((name, value)) = pair.split_once('=') else { continue };
            if value.is_empty() || attributes.to_lowercase().split(';').any(|part| part.trim() == "max-age=0")
            {
                jar.remove(name);
            } else {
                jar.insert(name.to_owned(), value.to_owned());
            }
        }
    }
}

/// A request that is being built.
pub struct Request<'a> {
    client: &'a Client,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

impl Request<'_> {
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }
    /// Sets the `Idempotency-Key` header, so that a retry is answered with the first answer.
    pub fn key(self, key: &str) -> Self {
        self.header("Idempotency-Key", key)
    }
    /// `If-Match` with the entity tag of this version.
    pub fn if_match(self, tag: &str) -> Self {
        self.header("If-Match", tag)
    }
    pub fn json(self, body: &Value) -> Self {
        self.raw("application/json", body.to_string().into_bytes())
    }
    /// Sets the body to the fields of a page's form.
    pub fn form(self, fields: &[(&str, &str)]) -> Self {
        let pairs: Vec<String> =
            fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
        self.raw("application/x-www-form-urlencoded", pairs.join("&").into_bytes())
    }
    /// Sets any body at all, for bad input.
    pub fn raw(mut self, content_type: &str, body: Vec<u8>) -> Self {
        self.body = Some(body);
        self.header("Content-Type", content_type)
    }

    #[track_caller]
    pub fn send(self) -> Answer {
        let url = format!("{}{}", self.client.url, self.path);
        let mut request = http::Request::builder().method(self.method.as_str()).uri(&url);
        for (name, value) in self.client.identity().into_iter().chain(self.headers) {
            request = request.header(name, value);
        }
        let sent = match self.body.clone() {
            Some(body) => self.client.agent.run(request.body(body).expect("a well-formed request")),
            None => self.client.agent.run(request.body(()).expect("a well-formed request")),
        };
        let mut response = sent.unwrap_or_else(|error| panic!("{} {url}: {error}", self.method));
        self.client.keep_cookies(response.headers());
        let text = response.body_mut().with_config().limit(64 << 20).read_to_vec();
        let bytes = text.unwrap_or_else(|error| panic!("{} {url}: {error}", self.method));
        let answer = Answer::new(format!("{} {}", self.method, self.path), &response, &bytes);
        let sent = self.body.and_then(|body| serde_json::from_slice(&body).ok());
        let asked = Asked { method: &self.method, path: &self.path, body: sent.as_ref() };
        let answered = Answered { status: answer.status, headers: &answer.headers, bytes: &bytes };
        if let Some(breach) = contract::breach(&asked, &answered) {
            panic!("the API's document says otherwise: {breach}\nin answer to {:?}: {answer}", asked.body);
        }
        answer
    }
}

/// A command, or a part of one, as the fields of a page's form: `match:number=5`, `against[0]=...`.
pub fn fields_of(command: &Value) -> Vec<(String, String)> {
    fn put(fields: &mut Vec<(String, String)>, name: &str, value: &Value) {
        match value {
            Value::Null => {}
            Value::Bool(flag) => fields.push((format!("{name}:flag"), flag.to_string())),
            Value::Number(number) => fields.push((format!("{name}:number"), number.to_string())),
            Value::String(text) => fields.push((format!("{name}:string"), text.clone())),
            Value::Array(items) => {
                fields.push((format!("{name}:list"), String::new()));
                for (place, item) in items.iter().enumerate() {
                    put(fields, &format!("{name}[{place}]"), item);
                }
            }
            Value::Object(parts) => {
                fields.push((format!("{name}:object"), String::new()));
                for (part, value) in parts {
                    put(fields, &format!("{name}[{part}]"), value);
                }
            }
        }
    }
    let mut fields = Vec::new();
    for (name, value) in command.as_object().expect("a command") {
        put(&mut fields, name, value);
    }
    fields
}

/// Percent-encodes a text for a form.
fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[derive(Clone)]
pub struct Answer {
    asked: String,
    pub status: u16,
    pub headers: http::HeaderMap,
    /// The JSON, or the text as a string if it is not JSON.
    pub body: Value,
}

impl Answer {
    fn new(asked: String, response: &http::Response<ureq::Body>, bytes: &[u8]) -> Self {
        let body = serde_json::from_slice(bytes)
            .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(bytes).into_owned()));
        Self { asked, status: response.status().as_u16(), headers: response.headers().clone(), body }
    }

    /// Whether the page says this, wherever the template breaks its lines.
    pub fn flows(&self, part: &str) -> bool {
        let flowed = |text: &str| {
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            words.replace("> ", ">").replace(" <", "<").replace(" >", ">")
        };
        self.body.as_str().is_some_and(|body| flowed(body).contains(&flowed(part)))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The version of the answer, in the form that `If-Match` takes.
    #[track_caller]
    pub fn etag(&self) -> &str {
        self.header("etag").unwrap_or_else(|| panic!("no ETag in {self}"))
    }

    /// The body as text, for pages.
    #[track_caller]
    pub fn text(&self) -> &str {
        self.body.as_str().unwrap_or_else(|| panic!("not a text: {self}"))
    }

    /// Expects success: any 2xx status.
    #[track_caller]
    pub fn good(self) -> Self {
        assert!((200..300).contains(&self.status), "should be good: {self}");
        self
    }

    /// Expects a refusal with this status and the problem's stable code.
    #[track_caller]
    pub fn refused(self, status: u16, code: &str) -> Self {
        let problem =
            self.header("content-type").is_some_and(|kind| kind.starts_with("application/problem+json"));
        let right = problem && self.status == status && self.body["code"] == code;
        assert!(right, "should be a problem {status} {code}: {self}");
        self
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} -> {}", self.asked, self.status)?;
        for (name, value) in &self.headers {
            writeln!(f, "{name}: {}", value.to_str().unwrap_or("(not text)"))?;
        }
        match &self.body {
            Value::String(text) => write!(f, "\n{text}"),
            body => write!(f, "\n{body:#}"),
        }
    }
}
impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
