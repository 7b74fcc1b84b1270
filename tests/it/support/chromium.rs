//! One headless Chromium for all tests of a run, driven over its debugging pipe:
//! <https://chromedevtools.github.io/devtools-protocol/>.
//!
//! It stops when the test process does, however that ends, since its pipe closes then.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

/// The time that an order may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// The longest that a test stands still while a script waits for an answer: some are held back on purpose.
const LONGEST_FETCH: Duration = Duration::from_secs(1);

pub struct Chromium {
    pipe: Mutex<ChildStdin>,
    orders: AtomicU64,
    heard: Mutex<Heard>,
    news: Condvar,
}

/// What Chromium has said.
#[derive(Default)]
struct Heard {
    /// By the order's number.
    answers: HashMap<u64, Value>,
    /// By the tab's session: how far the page that it shows has come.
    tabs: HashMap<String, Progress>,
    has_ended: bool,
}

#[derive(Default)]
struct Progress {
    /// A form has been sent, or a link followed, and nothing has come of it yet.
    is_leaving: bool,
    is_loading: bool,
    /// What scripts have asked the server for, and not got yet.
    fetches: HashSet<String>,
}

impl Chromium {
    /// Started by the first test that asks.
    pub fn shared(program: &str) -> &'static Self {
        static SHARED: OnceLock<&'static Chromium> = OnceLock::new();
        SHARED.get_or_init(|| Self::start(program))
    }

    fn start(program: &str) -> &'static Self {
        // The pipe is expected at 3 and 4.
        let script = "\"$0\" \"$@\" --user-data-dir=\"$OWLBOX_PROFILE\" 3<&0 4>&1 </dev/null >/dev/null 2>&1; rm -rf \"$OWLBOX_PROFILE\"";
        let profile =
            tempfile::Builder::new().prefix("owlbox-test.").tempdir().expect("a temporary folder").keep();
        let arguments = [
            "--headless",
            "--remote-debugging-pipe",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-background-timer-throttling",
            "--disable-renderer-backgrounding",
            "--disable-backgrounding-occluded-windows",
            "--disable-prompt-on-repost",
            "--allow-pre-commit-input",
            // The colours that fade after every act take a third of the time of all browsers.
            "--force-prefers-reduced-motion",
            "--lang=en-US",
        ];
        let mut child = Command::new("sh")
            .args(["-c", script, program])
            .args(arguments)
            .env("OWLBOX_PROFILE", profile)
            // Texts are as wide as with the fonts named here, whatever else the machine has.
            .env("FONTCONFIG_FILE", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/fonts.conf"))
            .env("TZ", "UTC")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let pipe = Mutex::new(child.stdin.take().expect("stdin is piped"));
        let said = child.stdout.take().expect("stdout is piped");
        let (heard, news) = (Mutex::default(), Condvar::new());
        let chromium: &Self = Box::leak(Box::new(Self { pipe, orders: AtomicU64::new(1), heard, news }));
        std::thread::spawn(move || {
            chromium.listen(said);
            let _ = child.wait();
        });
        chromium
    }

    /// Gives an order, to a tab or to the browser, and returns its result or its error.
    pub fn order(&self, tab: Option<&str>, method: &str, params: &Value) -> Result<Value, Value> {
        self.answer(method, self.send(tab, method, params))
    }

    /// Gives orders to a tab, one close after the other, and returns the first error.
    pub fn orders(&self, tab: &str, method: &str, params: &[Value]) -> Result<(), Value> {
        let sent: Vec<u64> = params.iter().map(|params| self.send(Some(tab), method, params)).collect();
        sent.into_iter().try_for_each(|number| self.answer(method, number).map(drop))
    }

    fn answer(&self, method: &str, number: u64) -> Result<Value, Value> {
        let mut answer = self.wait(PATIENCE, |heard| heard.answers.remove(&number));
        let answer = answer.as_mut().ok_or_else(|| json!(format!("{method}: no answer")))?;
        if answer["error"].is_null() { Ok(answer["result"].take()) } else { Err(answer["error"].take()) }
    }

    fn send(&self, tab: Option<&str>, method: &str, params: &Value) -> u64 {
        let number = self.orders.fetch_add(1, Ordering::Relaxed);
        let mut order = json!({ "id": number, "method": method, "params": params });
        if let Some(tab) = tab {
            order["sessionId"] = json!(tab);
        }
        let mut pipe = self.pipe.lock().unwrap_or_else(PoisonError::into_inner);
        pipe.write_all(format!("{order}\0").as_bytes()).expect("Chromium has ended");
        number
    }

    /// Waits until a tab has loaded what it is loading, and its scripts have what they asked for, but not
    /// forever.
    pub fn settle(&self, tab: &str, timeout: Duration) {
        let is_fetching =
            |heard: &mut Heard| heard.tabs.get(tab).is_some_and(|progress| !progress.fetches.is_empty());
        if is_fetching(&mut self.heard()) {
            self.wait(LONGEST_FETCH, |heard| (!is_fetching(heard)).then_some(()));
            // Let the script that waited for it come to its next step, which may be to leave.
            let tick =
                json!({ "expression": "new Promise((done) => setTimeout(done, 20))", "awaitPromise": true });
            drop(self.order(Some(tab), "Runtime.evaluate", &tick));
        }
        self.wait(timeout, |heard| {
            let progress = heard.tabs.get(tab)?;
            (!progress.is_leaving && !progress.is_loading).then_some(())
        });
    }

    fn wait<T>(&self, timeout: Duration, look: impl Fn(&mut Heard) -> Option<T>) -> Option<T> {
        let mut found = None;
        let looked = |heard: &mut Heard| {
            assert!(!heard.has_ended, "Chromium has ended");
            found = look(heard);
            found.is_none()
        };
        drop(self.news.wait_timeout_while(self.heard(), timeout, looked));
        found
    }

    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn listen(&self, said: ChildStdout) {
        let messages = BufReader::new(said).split(0).map_while(Result::ok);
        for message in messages.filter_map(|text| serde_json::from_slice(&text).ok()) {
            self.hear(message);
        }
        self.heard().has_ended = true;
        self.news.notify_all();
    }

    fn hear(&self, message: Value) {
        let mut heard = self.heard();
        if let Some(number) = message["id"].as_u64() {
            heard.answers.insert(number, message);
        } else if let Some(tab) = message["sessionId"].as_str() {
            let progress = heard.tabs.entry(tab.to_owned()).or_default();
            let request = || message["params"]["requestId"].as_str().map(str::to_owned);
            match message["method"].as_str().unwrap_or_default() {
                "Page.frameScheduledNavigation" => progress.is_leaving = true,
                "Page.frameClearedScheduledNavigation" => progress.is_leaving = false,
                "Page.frameStartedLoading" => {
                    progress.is_loading = true;
                    progress.fetches.clear();
                }
                "Page.frameStoppedLoading" => progress.is_loading = false,
                "Network.requestWillBeSent" if message["params"]["type"] == "Fetch" => {
                    progress.fetches.extend(request());
                }
                "Network.loadingFinished" | "Network.loadingFailed" => {
                    request().map(|id| progress.fetches.remove(&id));
                }
                // To leave a page that has something to lose is confirmed.
                "Page.javascriptDialogOpening" => {
                    self.send(Some(tab), "Page.handleJavaScriptDialog", &json!({ "accept": true }));
                }
                _ => {}
            }
        }
        self.news.notify_all();
    }
}
