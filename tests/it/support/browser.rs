//! A real browser with a profile of its own: a tab of headless Chromium.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use base64::Engine;
use serde_json::{Value, json};

use super::chromium::Chromium;

/// The time a page may take to show what a test waits for.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often a page is asked whether it shows what a test waits for.
pub const POLL: Duration = Duration::from_millis(25);

/// Where to press to hit the first match of `css`: the middle of its first line, once that is in the window.
/// Else a sentence.
const AIM: &str = "
    const it = document.querySelector(css);
    if (!it) return 'nothing there';
    if (document.documentElement.matches('[data-settling]')) return 'settling';
    if (!it.checkVisibility({ visibilityProperty: true })) return 'hidden';
    const box = () => [...it.getClientRects()].find((box) => box.width && box.height);
    const middle = () => {
        const { left, right, top, bottom } = box();
        return [(Math.max(left, 0) + Math.min(right, innerWidth)) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2];
    };
    const hits = (x, y) => it.contains(document.elementFromPoint(x, y));
    if (!box()) return 'without any size';
    if (!hits(...middle())) it.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    return hits(...middle()) ? middle() : 'covered by ' + document.elementFromPoint(...middle())?.outerHTML.slice(0, 200);";

/// The text of the first match as it is read, or null.
const READ: &str = r"
    const it = document.querySelector(css);
    if (!it) return null;
    if (!it.checkVisibility({ visibilityProperty: true })) return '';
    return it.innerText.replace(/[ \t\u00a0]+/g, ' ').replace(/ ?\n[ \n]*/g, '\n').trim();";

/// A browser with nothing in it.
pub struct Browser {
    chromium: &'static Chromium,
    /// The profile.
    context: String,
    /// The session of its tab.
    tab: String,
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
        let program = super::address("OWLBOX_TEST_CHROMIUM", "OWLBOX_TEST_SKIP_BROWSER", "a Chromium")?;
        let chromium = Chromium::shared(&program);
        let ask = |method: &str, params: Value, what: &str| {
            let answer =
                chromium.order(None, method, &params).unwrap_or_else(|error| panic!("{method}: {error:#}"));
            answer[what].as_str().unwrap_or_else(|| panic!("{method}: {answer:#}")).to_owned()
        };
        let context = ask("Target.createBrowserContext", json!({}), "browserContextId");
        let target = json!({ "url": "about:blank", "browserContextId": context });
        let target = ask("Target.createTarget", target, "targetId");
        let tab = json!({ "targetId": target, "flatten": true });
        let tab = ask("Target.attachToTarget", tab, "sessionId");
        let browser = Self { chromium, context, tab };
        browser.order("Page.enable", &json!({}));
        browser.order("Network.enable", &json!({}));
        browser.order("Emulation.setFocusEmulationEnabled", &json!({ "enabled": true }));
        browser.resize(width, height);
        Some(browser)
    }

    /// Changes the size of the screen.
    pub fn resize(&self, width: u32, height: u32) {
        let device =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.order("Emulation.setDeviceMetricsOverride", &device);
    }

    /// Opens a page and waits until it is loaded.
    #[track_caller]
    pub fn goto(&self, url: &str) {
        // The page that is left may itself be about to go somewhere: then the last to ask has its way.
        self.until(url, || {
            self.chromium.settle(&self.tab, PATIENCE);
            let gone = self.order("Page.navigate", &json!({ "url": url }));
            if gone["errorText"].is_null() { Ok(()) } else { Err(gone) }
        });
        self.run("return document.readyState === 'complete' || new Promise((done) => addEventListener('load', done))");
    }

    pub fn url(&self) -> String {
        self.chromium.settle(&self.tab, PATIENCE);
        let history = self.order("Page.getNavigationHistory", &json!({}));
        let shown =
            history["currentIndex"].as_u64().and_then(|at| history["entries"].get(usize::try_from(at).ok()?));
        shown.and_then(|entry| entry["url"].as_str()).unwrap_or_default().to_owned()
    }

    pub fn title(&self) -> String {
        self.run("return document.title").as_str().unwrap_or_default().to_owned()
    }

    /// The page's source as it is now.
    pub fn source(&self) -> String {
        self.run("return document.documentElement.outerHTML").as_str().unwrap_or_default().to_owned()
    }

    /// The number of elements that match now.
    #[track_caller]
    pub fn count(&self, css: &str) -> usize {
        let count = self.run(&format!("return document.querySelectorAll({css:?}).length"));
        usize::try_from(count.as_u64().expect("a number")).expect("a number of elements")
    }

    /// Whether the page inside this page's frame has a matching element.
    #[track_caller]
    pub fn shows_in_frame(&self, css: &str) -> bool {
        let tree = self.order("Page.getFrameTree", &json!({}));
        let frame = &tree["frameTree"]["childFrames"][0]["frame"]["id"];
        let world = self.order("Page.createIsolatedWorld", &json!({ "frameId": frame }));
        let look = json!({
            "expression": format!("document.querySelector({css:?}) !== null"),
            "contextId": world["executionContextId"],
        });
        self.order("Runtime.evaluate", &look)["result"]["value"] == json!(true)
    }

    /// Waits until an element matches.
    #[track_caller]
    pub fn wait_for(&self, css: &str) {
        self.wait(PATIENCE, css, || {
            self.on(css, "return document.querySelector(css) !== null").ok()?.as_bool()?.then_some(())
        });
    }

    /// Waits until no element matches.
    #[track_caller]
    pub fn wait_until_gone(&self, css: &str) {
        self.wait(PATIENCE, &format!("{css} to be gone"), || {
            self.on(css, "return document.querySelector(css) === null").ok()?.as_bool()?.then_some(())
        });
    }

    /// Waits until the text of the first match contains `text`.
    #[track_caller]
    pub fn wait_for_text(&self, css: &str, text: &str, timeout: Duration) {
        self.wait(timeout, &format!("{css} to say {text:?}"), || {
            self.on(css, READ).ok()?.as_str()?.contains(text).then_some(())
        });
    }

    /// Waits for something that no text on the page shows.
    #[track_caller]
    pub fn wait_until(&self, what: &str, is_so: impl Fn() -> bool) {
        self.wait(PATIENCE, what, || is_so().then_some(()));
    }

    /// The visible text of the first match, once there is one.
    #[track_caller]
    pub fn text(&self, css: &str) -> String {
        self.wait(PATIENCE, css, || Some(self.on(css, READ).ok()?.as_str()?.to_owned()))
    }

    /// An attribute of the first match, once there is one. The `value` of a field is what stands in it now.
    #[track_caller]
    pub fn attribute(&self, css: &str, name: &str) -> Option<String> {
        let script = format!(
            "const it = document.querySelector(css), name = {name:?};
             return it && [name === 'value' ? it.value : it.getAttribute(name)]"
        );
        let found = self.wait(PATIENCE, css, || self.on(css, &script).ok().filter(Value::is_array));
        found[0].as_str().map(str::to_owned)
    }

    /// Clicks the first match, once it is there, can be clicked, and the page takes taps: for a moment after
    /// another's act it does not.
    #[track_caller]
    pub fn click(&self, css: &str) {
        self.until(css, || self.try_click(css));
    }

    /// Clicks the first match if it is there and can be clicked now.
    #[track_caller]
    pub fn click_now(&self, css: &str) -> bool {
        self.try_click(css).is_ok()
    }

    /// Clicks the first match, or says why not. Right after another act a page ignores taps for a moment.
    fn try_click(&self, css: &str) -> Result<(), Value> {
        let aim = self.on(css, AIM)?;
        let (Some(x), Some(y)) = (aim[0].as_f64(), aim[1].as_f64()) else { return Err(aim) };
        let moved = mouse("mouseMoved", [x, y], 0);
        let click = [moved, mouse("mousePressed", [x, y], 1), mouse("mouseReleased", [x, y], 0)];
        self.chromium.orders(&self.tab, "Input.dispatchMouseEvent", &click)?;
        // A form is sent by a task of its own, after the click.
        let held = "
            const page = document.documentElement, { held = null } = page.dataset;
            delete page.dataset.held;
            return new Promise((done) => setTimeout(() => done(held)))";
        // If the page is just being left, it took the click.
        match self.evaluate(held) {
            Ok(held) if !held.is_null() => Err(json!("the page held the tap back")),
            _ => Ok(()),
        }
    }

    #[track_caller]
    fn touch(&self, what: &str, places: &[[f64; 2]]) {
        let points: Vec<Value> = places.iter().map(|[x, y]| json!({ "x": x, "y": y })).collect();
        self.order("Input.dispatchTouchEvent", &json!({ "type": what, "touchPoints": points }));
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
    pub fn tap_at(&self, place: [f64; 2]) {
        self.touch("touchStart", &[place]);
        self.touch("touchEnd", &[]);
    }

    /// Drags with a finger ("touch") or a mouse from one place in the window to another.
    #[track_caller]
    pub fn drag(&self, with: &str, from: [f64; 2], to: [f64; 2]) {
        let half = [f64::midpoint(from[0], to[0]), f64::midpoint(from[1], to[1])];
        let steps = [
            ("Moved", from, 0),
            ("Pressed", from, 1),
            ("Moved", half, 1),
            ("Moved", to, 1),
            ("Released", to, 0),
        ];
        for (what, place, buttons) in steps {
            match (with, what) {
                ("touch", "Pressed") => self.touch("touchStart", &[place]),
                ("touch", "Moved") if buttons > 0 => self.touch("touchMove", &[place]),
                ("touch", "Released") => self.touch("touchEnd", &[]),
                ("touch", _) => {}
                _ => drop(
                    self.order("Input.dispatchMouseEvent", &mouse(&format!("mouse{what}"), place, buttons)),
                ),
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Cuts the browser off from the network, or reconnects it.
    #[track_caller]
    pub fn offline(&self, offline: bool) {
        let conditions =
            json!({ "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
        self.order("Network.emulateNetworkConditions", &conditions);
    }

    /// Forgets all cookies, as if the session had ended. What pages have stored stays.
    #[track_caller]
    pub fn forget_sessions(&self) {
        self.order("Network.clearBrowserCookies", &json!({}));
    }

    /// Empties the browser's cache, so that every file is fetched again.
    #[track_caller]
    pub fn forget_files(&self) {
        self.order("Network.clearBrowserCache", &json!({}));
    }

    /// Replaces the contents of the first matching field, or chooses the file at this path.
    #[track_caller]
    pub fn fill(&self, css: &str, text: &str) {
        let select = "
            const it = document.querySelector(css);
            if (!it?.checkVisibility()) return null;
            it.focus();
            if (it.type !== 'file') it.select();
            return it.type";
        let kind = self.wait(PATIENCE, css, || self.on(css, select).ok().filter(Value::is_string));
        if kind == json!("file") {
            let expression = json!({ "expression": format!("document.querySelector({css:?})") });
            let field = self.order("Runtime.evaluate", &expression)["result"]["objectId"].take();
            self.order("DOM.setFileInputFiles", &json!({ "files": [text], "objectId": field }));
        } else if text.is_empty() {
            self.type_keys("\u{E017}");
        } else {
            self.order("Input.insertText", &json!({ "text": text }));
        }
    }

    /// Types keys into the focused element, once the page takes them. Keys without a character are those of
    /// WebDriver.
    #[track_caller]
    pub fn type_keys(&self, keys: &str) {
        self.wait(PATIENCE, "the page to settle", || (self.count("html[data-settling]") == 0).then_some(()));
        for key in keys.chars() {
            let (name, text, code) = match key {
                '\u{E004}' => ("Tab".to_owned(), None, 9),
                '\u{E007}' => ("Enter".to_owned(), Some("\r".to_owned()), 13),
                '\u{E012}' => ("ArrowLeft".to_owned(), None, 37),
                '\u{E014}' => ("ArrowRight".to_owned(), None, 39),
                '\u{E017}' => ("Delete".to_owned(), None, 46),
                key => (key.to_string(), Some(key.to_string()), u32::from(key.to_ascii_uppercase())),
            };
            let mut press = json!({ "type": "keyDown", "key": name, "windowsVirtualKeyCode": code });
            if let Some(text) = text {
                press["text"] = json!(text);
            }
            self.order("Input.dispatchKeyEvent", &press);
            let release = json!({ "type": "keyUp", "key": name, "windowsVirtualKeyCode": code });
            self.order("Input.dispatchKeyEvent", &release);
        }
        // As after a click. The page may just be left.
        drop(self.evaluate("return new Promise((done) => setTimeout(done))"));
    }

    /// Runs a script in the page, which may return a promise: `browser.run("return document.title")`.
    #[track_caller]
    pub fn run(&self, script: &str) -> Value {
        self.evaluate(script).unwrap_or_else(|error| panic!("{script}: {error:#}"))
    }

    /// The same with a selector as `css`.
    fn on(&self, css: &str, script: &str) -> Result<Value, Value> {
        self.evaluate(&format!("const css = {css:?};{script}"))
    }

    fn evaluate(&self, script: &str) -> Result<Value, Value> {
        let call = json!({
            "expression": format!("(() => {{ {script}\n}})()"), "returnByValue": true, "awaitPromise": true,
            "userGesture": true,
        });
        let until = Instant::now() + PATIENCE;
        loop {
            self.chromium.settle(&self.tab, PATIENCE);
            let mut answer = match self.try_order("Runtime.evaluate", &call) {
                // The page was left before the script came to it.
                Err(gone) if gone["code"] == json!(-32000) && Instant::now() < until => continue,
                answer => answer?,
            };
            return if answer["exceptionDetails"].is_null() {
                Ok(answer["result"]["value"].take())
            } else {
                Err(answer["exceptionDetails"].take())
            };
        }
    }

    /// Injects axe-core, the accessibility checker, into every page opened from now on. False if it is to be
    /// skipped.
    pub fn equip(&self) -> bool {
        let Some(python) = super::python() else { return false };
        let where_it_is = "import importlib.util as u; print(u.find_spec('axe_playwright_python').submodule_search_locations[0])";
        let found = Command::new(python).args(["-c", where_it_is]).output().expect("Python");
        let folder = String::from_utf8(found.stdout).expect("a path");
        let axe = std::fs::read_to_string(Path::new(folder.trim()).join("axe.min.js")).expect("axe-core");
        self.before_pages(&axe);
        true
    }

    /// Runs a script in every page opened from now on, before those of the page.
    pub fn before_pages(&self, script: &str) {
        self.order("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": script }));
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
        let picture = self.order("Page.captureScreenshot", &json!({}));
        let picture =
            base64::engine::general_purpose::STANDARD.decode(picture["data"].as_str().unwrap_or_default());
        std::fs::write(path, picture.expect("a picture in base64")).expect("a file that can be written");
    }

    /// Switches pages to the dark or the light colour scheme.
    pub fn by_night(&self, night: bool) {
        let scheme = if night { "dark" } else { "light" };
        let params = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.order("Emulation.setEmulatedMedia", &params);
    }

    /// Lays pages out as for paper, or for the screen again.
    pub fn on_paper(&self, paper: bool) {
        let params = json!({ "media": if paper { "print" } else { "" } });
        self.order("Emulation.setEmulatedMedia", &params);
    }

    /// Tells pages that their reader wants nothing to move, or does not mind.
    pub fn calm(&self, calm: bool) {
        let motion = if calm { "reduce" } else { "no-preference" };
        let params = json!({ "features": [{ "name": "prefers-reduced-motion", "value": motion }] });
        self.order("Emulation.setEmulatedMedia", &params);
    }

    /// The page as a screen reader gets it: role and name of every element.
    #[track_caller]
    pub fn spoken(&self) -> Vec<(String, String)> {
        let tree = self.order("Accessibility.getFullAXTree", &json!({}));
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
    pub fn print_on(&self, sheet: [f64; 2]) -> Vec<u8> {
        let [width, height, margin] = [sheet[0], sheet[1], 1.0].map(|centimetres| centimetres / 2.54);
        let paper = self.order(
            "Page.printToPDF",
            &json!({
                "paperWidth": width, "paperHeight": height,
                "marginTop": margin, "marginBottom": margin, "marginLeft": margin, "marginRight": margin,
            }),
        );
        let paper =
            base64::engine::general_purpose::STANDARD.decode(paper["data"].as_str().unwrap_or_default());
        paper.expect("a PDF in base64")
    }

    /// Tries until it works, or there is no more patience.
    #[track_caller]
    fn until(&self, what: &str, act: impl Fn() -> Result<(), Value>) {
        let until = Instant::now() + PATIENCE;
        while let Err(error) = act() {
            assert!(Instant::now() < until, "{what} at {}: {error:#}\n{}", self.url(), self.source());
            std::thread::sleep(POLL);
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
    fn order(&self, method: &str, params: &Value) -> Value {
        self.try_order(method, params).unwrap_or_else(|error| panic!("{method} {params}: {error:#}"))
    }

    fn try_order(&self, method: &str, params: &Value) -> Result<Value, Value> {
        self.chromium.order(Some(&self.tab), method, params)
    }
}

/// An event of the mouse at this place, with so many buttons held.
fn mouse(what: &str, [x, y]: [f64; 2], held: u32) -> Value {
    let (button, clicks) = if what == "mouseMoved" && held == 0 { ("none", 0) } else { ("left", 1) };
    json!({ "type": what, "x": x, "y": y, "button": button, "buttons": held, "clickCount": clicks })
}

impl Drop for Browser {
    fn drop(&mut self) {
        let context = json!({ "browserContextId": self.context });
        drop(self.chromium.order(None, "Target.disposeBrowserContext", &context));
    }
}
