//! A real browser, driven over WebDriver: headless Chromium with a temporary profile.

use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base64::Engine;
use serde_json::{Value, json};
use tempfile::TempDir;
use ureq::Agent;

/// The key under which WebDriver returns elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// The time a page may take to show what a test waits for.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often a page is asked whether it shows what a test waits for. To ask costs three processes a few milliseconds, and
/// a run has all of its cores busy.
pub const POLL: Duration = Duration::from_millis(50);

/// At most this many browsers wait for the next test.
const MOST_IDLE: usize = 8;

/// A browser with nothing in it. A drop empties it for the next test: that takes less than half of a start.
pub struct Browser {
    agent: Agent,
    /// The session's URL.
    session: String,
    /// `None` once it is handed on.
    profile: Option<TempDir>,
}

/// Browsers that have been emptied.
fn idle() -> MutexGuard<'static, Vec<Browser>> {
    static IDLE: Mutex<Vec<Browser>> = Mutex::new(Vec::new());
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Browser {
    /// A phone held upright, or `None` if browser tests are to be skipped: `let Some(browser) =
    /// Browser::phone() else { return };`
    pub fn phone() -> Option<Self> {
        Self::open(390, 844)
    }

    pub fn laptop() -> Option<Self> {
        Self::open(1280, 800)
    }

    pub fn open(width: u32, height: u32) -> Option<Self> {
        let driver =
            super::address("OWLBOX_TEST_CHROMEDRIVER", "OWLBOX_TEST_SKIP_BROWSER", "a chromedriver")?;
        let waiting = idle().pop();
        let browser = waiting.unwrap_or_else(|| Self::started(driver.trim_end_matches('/')));
        browser.resize(width, height);
        Some(browser)
    }

    fn started(driver: &str) -> Self {
        let profile = tempfile::Builder::new().prefix("owlbox-test.").tempdir().expect("a temporary folder");
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(60)))
            .proxy(None)
            .build()
            .new_agent();
        let arguments = json!([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1280,800",
            format!("--user-data-dir={}", profile.path().display()),
        ]);
        let mut options = json!({ "args": arguments });
        // The browser to use, if the driver should not look for one: the headless one starts in a third of
        // the time.
        if let Ok(binary) = std::env::var("OWLBOX_TEST_CHROMIUM") {
            options["binary"] = json!(binary);
        }
        let capabilities = json!({ "capabilities": { "alwaysMatch": { "goog:chromeOptions": options } } });
        let mut browser = Self { agent, session: driver.to_owned(), profile: None };
        let opened = browser.order("/session", &capabilities);
        let id = opened["sessionId"].as_str().expect("a session has an id");
        browser.session = format!("{driver}/session/{id}");
        browser.profile = Some(profile);
        browser
    }

    /// Leaves nothing of what was visited: a new tab, and no cookie, storage, file or cut network.
    fn empty(&self) -> Result<(), Value> {
        let fresh = self.try_order("/window/new", &json!({ "type": "tab" }))?["handle"].take();
        for old in self.try_ask("/window/handles")?.as_array().into_iter().flatten() {
            if *old != fresh {
                self.try_order("/window", &json!({ "handle": old }))?;
                self.try_delete("/window")?;
            }
        }
        self.try_order("/window", &json!({ "handle": fresh }))?;
        let everything = json!({ "origin": "*", "storageTypes": "all" });
        for (command, params) in [
            ("Network.clearBrowserCookies", json!({})),
            ("Network.clearBrowserCache", json!({})),
            ("Storage.clearDataForOrigin", everything),
        ] {
            self.try_order("/goog/cdp/execute", &json!({ "cmd": command, "params": params }))?;
        }
        self.try_delete("/chromium/network_conditions").map(drop)
    }

    /// Changes the size of the screen.
    pub fn resize(&self, width: u32, height: u32) {
        // A window narrower than 500 pixels is possible only by emulating a device.
        let device =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.order(
            "/goog/cdp/execute",
            &json!({ "cmd": "Emulation.setDeviceMetricsOverride", "params": device }),
        );
    }

    /// Opens a page and waits until it is loaded.
    #[track_caller]
    pub fn goto(&self, url: &str) {
        self.order("/url", &json!({ "url": url }));
    }

    pub fn url(&self) -> String {
        self.ask("/url").as_str().unwrap_or_default().to_owned()
    }

    pub fn title(&self) -> String {
        self.ask("/title").as_str().unwrap_or_default().to_owned()
    }

    /// The page's source as it is now.
    pub fn source(&self) -> String {
        self.ask("/source").as_str().unwrap_or_default().to_owned()
    }

    /// The number of elements that match now.
    #[track_caller]
    pub fn count(&self, css: &str) -> usize {
        self.matching(css).len()
    }

    /// Whether the page inside this page's frame has a matching element.
    #[track_caller]
    pub fn shows_in_frame(&self, css: &str) -> bool {
        let frame = self.element("iframe");
        self.order("/frame", &json!({ "id": { ELEMENT: frame } }));
        let shown = self.count(css) > 0;
        self.order("/frame", &json!({ "id": null }));
        shown
    }

    /// Waits until an element matches.
    #[track_caller]
    pub fn wait_for(&self, css: &str) {
        self.element(css);
    }

    /// Waits until no element matches.
    #[track_caller]
    pub fn wait_until_gone(&self, css: &str) {
        self.wait(PATIENCE, &format!("{css} to be gone"), || self.matching(css).is_empty().then_some(()));
    }

    /// Waits until the text of the first match contains `text`.
    #[track_caller]
    pub fn wait_for_text(&self, css: &str, text: &str, timeout: Duration) {
        self.wait(timeout, &format!("{css} to say {text:?}"), || {
            let element = self.matching(css).into_iter().next()?;
            self.try_ask(&format!("/element/{element}/text")).ok()?.as_str()?.contains(text).then_some(())
        });
    }

    /// Waits for something that no text on the page shows.
    #[track_caller]
    pub fn wait_until(&self, what: &str, is_so: impl Fn() -> bool) {
        self.wait(PATIENCE, what, || is_so().then_some(()));
    }

    /// The visible text of the first match.
    #[track_caller]
    pub fn text(&self, css: &str) -> String {
        self.on(css, |element| self.try_ask(&format!("/element/{element}/text")))
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// An attribute of the first match.
    #[track_caller]
    pub fn attribute(&self, css: &str, name: &str) -> Option<String> {
        let found = self.on(css, |element| self.try_ask(&format!("/element/{element}/attribute/{name}")));
        found.as_str().map(str::to_owned)
    }

    /// Clicks the first match, once it is there, can be clicked, and the page takes taps: for a moment after
    /// another's act it does not.
    #[track_caller]
    pub fn click(&self, css: &str) {
        self.on(css, |element| match self.try_click(element) {
            Ok(true) => Ok(Value::Null),
            Ok(false) => Err(json!("the page held the tap back")),
            Err(error) => Err(error),
        });
    }

    /// Clicks the first match if it is there and can be clicked now.
    #[track_caller]
    pub fn click_now(&self, css: &str) -> bool {
        self.matching(css).first().is_some_and(|element| self.try_click(element) == Ok(true))
    }

    /// Clicks an element, and returns whether the page took it. Right after another act a page ignores taps
    /// for a moment.
    fn try_click(&self, element: &str) -> Result<bool, Value> {
        self.try_order(&format!("/element/{element}/click"), &json!({}))?;
        let held = "const page = document.documentElement, held = page.dataset.held; delete page.dataset.held; return held ?? null";
        let held = self.try_order("/execute/sync", &json!({ "script": held, "args": [] }));
        // If the page is just being left, it took the click.
        Ok(held.map_or(true, |held| held.is_null()))
    }

    /// The middle of the first match, in window coordinates.
    #[track_caller]
    pub fn middle_of(&self, css: &str) -> [f64; 2] {
        let script = format!(
            "const box = document.querySelector({css:?}).getBoundingClientRect();
             return [Math.round((box.left + box.right) / 2), Math.round((box.top + box.bottom) / 2)]"
        );
        let place = self.run(&script);
        [0, 1].map(|at: usize| place[at].as_f64().unwrap_or_default())
    }

    /// Taps with a finger at this place in the window, whatever is there.
    #[track_caller]
    pub fn tap_at(&self, [x, y]: [f64; 2]) {
        let finger = json!({ "type": "pointer", "id": "finger", "parameters": { "pointerType": "touch" }, "actions": [
            { "type": "pointerMove", "duration": 0, "x": x, "y": y },
            { "type": "pointerDown", "button": 0 },
            { "type": "pointerUp", "button": 0 },
        ] });
        self.order("/actions", &json!({ "actions": [finger] }));
    }

    /// Drags with a finger ("touch") or a mouse from one place in the window to another.
    #[track_caller]
    pub fn drag(&self, with: &str, [x, y]: [f64; 2], [to_x, to_y]: [f64; 2]) {
        let pointer = json!({ "type": "pointer", "id": with, "parameters": { "pointerType": with }, "actions": [
            { "type": "pointerMove", "duration": 0, "x": x, "y": y },
            { "type": "pointerDown", "button": 0 },
            { "type": "pointerMove", "duration": 60, "x": f64::midpoint(x, to_x), "y": f64::midpoint(y, to_y) },
            { "type": "pointerMove", "duration": 60, "x": to_x, "y": to_y },
            { "type": "pointerUp", "button": 0 },
        ] });
        self.order("/actions", &json!({ "actions": [pointer] }));
    }

    /// Whether others have just changed the page, so that new elements take no taps yet.
    fn settles(&self) -> bool {
        !self.matching("html[data-settling]").is_empty()
    }

    /// Cuts the browser off from the network, or reconnects it.
    #[track_caller]
    pub fn offline(&self, offline: bool) {
        let conditions = json!({ "offline": offline, "latency": 0, "throughput": 10_000_000 });
        self.order("/chromium/network_conditions", &json!({ "network_conditions": conditions }));
    }

    /// Forgets all cookies, as if the session had ended. What pages have stored stays.
    #[track_caller]
    pub fn forget_sessions(&self) {
        self.order("/goog/cdp/execute", &json!({ "cmd": "Network.clearBrowserCookies", "params": {} }));
    }

    /// Empties the browser's cache, so that every file is fetched again.
    #[track_caller]
    pub fn forget_files(&self) {
        self.order("/goog/cdp/execute", &json!({ "cmd": "Network.clearBrowserCache", "params": {} }));
    }

    /// Replaces the contents of the first matching field.
    #[track_caller]
    pub fn fill(&self, css: &str, text: &str) {
        self.on(css, |element| self.try_order(&format!("/element/{element}/clear"), &json!({})));
        self.on(css, |element| {
            self.try_order(&format!("/element/{element}/value"), &json!({ "text": text }))
        });
    }

    /// Types keys into the focused element, once the page takes them.
    #[track_caller]
    pub fn type_keys(&self, keys: &str) {
        self.wait(PATIENCE, "the page to settle", || (!self.settles()).then_some(()));
        let presses: Vec<Value> = keys
            .chars()
            .flat_map(|key| {
                ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key.to_string() }))
            })
            .collect();
        self.order(
            "/actions",
            &json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": presses }] }),
        );
    }

    /// Runs a script in the page: `browser.run("return document.title")`.
    #[track_caller]
    pub fn run(&self, script: &str) -> Value {
        self.order("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Injects axe-core, the accessibility checker, into every page opened from now on. False if it is to be
    /// skipped.
    pub fn equip(&self) -> bool {
        let Some(python) = super::python() else { return false };
        let where_it_is = "import importlib.util as u; print(u.find_spec('axe_playwright_python').submodule_search_locations[0])";
        let found = Command::new(python).args(["-c", where_it_is]).output().expect("Python");
        let folder = String::from_utf8(found.stdout).expect("a path");
        let axe = std::fs::read_to_string(Path::new(folder.trim()).join("axe.min.js")).expect("axe-core");
        let script = json!({ "cmd": "Page.addScriptToEvaluateOnNewDocument", "params": { "source": axe } });
        self.order("/goog/cdp/execute", &script);
        true
    }

    /// The violations that axe-core finds on the page, best practices included, or only those of `rules` if
    /// there are any.
    #[track_caller]
    pub fn barriers(&self, rules: &[&str]) -> Vec<String> {
        let only = if rules.is_empty() { json!({}) } else { json!({ "runOnly": rules }) };
        let script = format!(
            "return axe.run(document, {{ ...{only}, resultTypes: ['violations'] }}).then((found) =>
                 found.violations.flatMap((one) => one.nodes.map((node) =>
                     `${{one.id}} (${{one.impact}}): ${{node.html.slice(0, 160)}}: ${{node.failureSummary.slice(0, 240)}}`)))"
        );
        let found = self.run(&script);
        found.as_array().into_iter().flatten().filter_map(|one| one.as_str().map(str::to_owned)).collect()
    }

    /// Saves a PNG of the window.
    #[track_caller]
    pub fn screenshot(&self, path: &Path) {
        let picture = self.ask("/screenshot");
        let picture = base64::engine::general_purpose::STANDARD.decode(picture.as_str().unwrap_or_default());
        std::fs::write(path, picture.expect("a picture in base64")).expect("a file that can be written");
    }

    /// Switches pages to the dark or the light colour scheme.
    pub fn by_night(&self, night: bool) {
        let scheme = if night { "dark" } else { "light" };
        let params = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.order("/goog/cdp/execute", &json!({ "cmd": "Emulation.setEmulatedMedia", "params": params }));
    }

    /// Lays pages out as for paper, or for the screen again.
    pub fn on_paper(&self, paper: bool) {
        let params = json!({ "media": if paper { "print" } else { "" } });
        self.order("/goog/cdp/execute", &json!({ "cmd": "Emulation.setEmulatedMedia", "params": params }));
    }

    /// Tells pages that their reader wants nothing to move, or does not mind.
    pub fn calm(&self, calm: bool) {
        let motion = if calm { "reduce" } else { "no-preference" };
        let params = json!({ "features": [{ "name": "prefers-reduced-motion", "value": motion }] });
        self.order("/goog/cdp/execute", &json!({ "cmd": "Emulation.setEmulatedMedia", "params": params }));
    }

    /// The page as a screen reader gets it: role and name of every element.
    #[track_caller]
    pub fn spoken(&self) -> Vec<(String, String)> {
        let tree =
            self.order("/goog/cdp/execute", &json!({ "cmd": "Accessibility.getFullAXTree", "params": {} }));
        let said = |node: &Value, what: &str| node[what]["value"].as_str().unwrap_or_default().to_owned();
        let nodes = tree["nodes"].as_array().into_iter().flatten();
        let heard = nodes.filter(|node| node["ignored"] != json!(true));
        heard.map(|node| (said(node, "role"), said(node, "name"))).collect()
    }

    /// The printed page, as a PDF.
    #[track_caller]
    pub fn print(&self) -> Vec<u8> {
        self.print_on([21.0, 29.7])
    }

    /// The page as a PDF, printed on sheets of this width and height in centimetres.
    #[track_caller]
    pub fn print_on(&self, [width, height]: [f64; 2]) -> Vec<u8> {
        let paper = self.order("/print", &json!({ "page": { "width": width, "height": height } }));
        let paper = base64::engine::general_purpose::STANDARD.decode(paper.as_str().unwrap_or_default());
        paper.expect("a PDF in base64")
    }

    #[track_caller]
    fn element(&self, css: &str) -> String {
        self.wait(PATIENCE, css, || self.matching(css).into_iter().next())
    }

    #[track_caller]
    fn matching(&self, css: &str) -> Vec<String> {
        let found = self.order("/elements", &json!({ "using": "css selector", "value": css }));
        let elements = found.as_array().into_iter().flatten();
        elements.filter_map(|element| element[ELEMENT].as_str().map(str::to_owned)).collect()
    }

    /// Does something with the first match, and retries if the page changes meanwhile.
    #[track_caller]
    fn on(&self, css: &str, act: impl Fn(&str) -> Result<Value, Value>) -> Value {
        let until = Instant::now() + PATIENCE;
        loop {
            match act(&self.element(css)) {
                Ok(value) => return value,
                Err(error) if Instant::now() > until => panic!("{css}: {error:#}\n{}", self.source()),
                Err(_) => std::thread::sleep(POLL),
            }
        }
    }

    #[track_caller]
    fn wait<T>(&self, timeout: Duration, what: &str, look: impl Fn() -> Option<T>) -> T {
        let until = Instant::now() + timeout;
        loop {
            if let Some(found) = look() {
                return found;
            }
            assert!(Instant::now() < until, "waited for {what} at {}:\n{}", self.url(), self.source());
            std::thread::sleep(POLL);
        }
    }

    #[track_caller]
    fn ask(&self, path: &str) -> Value {
        self.try_ask(path).unwrap_or_else(|error| panic!("{path}: {error:#}"))
    }

    #[track_caller]
    fn order(&self, path: &str, body: &Value) -> Value {
        self.try_order(path, body).unwrap_or_else(|error| panic!("{path} {body}: {error:#}"))
    }

    fn try_ask(&self, path: &str) -> Result<Value, Value> {
        value(self.agent.get(format!("{}{path}", self.session)).call())
    }

    fn try_delete(&self, path: &str) -> Result<Value, Value> {
        value(self.agent.delete(format!("{}{path}", self.session)).call())
    }

    fn try_order(&self, path: &str, body: &Value) -> Result<Value, Value> {
        let request = self.agent.post(format!("{}{path}", self.session));
        value(request.header("Content-Type", "application/json").send(body.to_string()))
    }
}

/// The value in chromedriver's answer, or its error.
fn value(answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Result<Value, Value> {
    let mut answer = answer.map_err(|error| json!(error.to_string()))?;
    let status = answer.status();
    let text = answer.body_mut().with_config().limit(64 << 20).read_to_string();
    let text = text.map_err(|error| json!(error.to_string()))?;
    let mut body: Value = serde_json::from_str(&text).map_err(|_| json!(text))?;
    if status.is_success() { Ok(body["value"].take()) } else { Err(body["value"].take()) }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Without a profile it never started, and its URL is the driver's own, which must not be shut down here.
        let Some(profile) = self.profile.take() else { return };
        let reusable = !std::thread::panicking() && idle().len() < MOST_IDLE && self.empty().is_ok();
        if reusable {
            let (agent, session) = (self.agent.clone(), self.session.clone());
            idle().push(Self { agent, session, profile: Some(profile) });
        } else {
            drop(self.try_delete(""));
        }
    }
}
