// What was tapped and has no answer yet. It is kept in the page's storage, in order, each act with the key that makes it
// safe to send again and the version it was tapped at: a lost network, a restart of the service, a reload and a closed tab
// lose none of it and do none of it twice. No text is written here: words come in data attributes.
"use strict";
globalThis.outbox = (() => {
  const STORE = "owlbox-outbox";
  const MOST = 100; // acts
  const PATIENCE = 20000; // milliseconds for an answer; without one it is sent again
  const TRUSTED = 12 * 3600000; // milliseconds for which an act is sent unasked: the service forgets its key after two days
  const kept = document.getElementById("kept"); // where the acts that wait are named
  const words = kept.dataset;
  const who = words.who; // acts of another login wait for it
  const here = location.pathname + location.search;
  const fresh = new Map(); // what was tapped on this very page, by key: its form and button

  // --- The store -----------------------------------------------------------------------------------

  let memory = null; // instead of the store, where a browser has none
  const read = () => {
    if (memory) return memory;
    try {
      return JSON.parse(localStorage.getItem(STORE) ?? "[]");
    } catch {
      return (memory = []);
    }
  };
  const write = (acts) => {
    if (memory) return (memory = acts);
    try {
      if (acts.length) localStorage.setItem(STORE, JSON.stringify(acts));
      else localStorage.removeItem(STORE);
    } catch {
      memory = acts;
    }
  };
  const mine = () => read().filter((act) => act.who === who);
  const change = (those, to) => write(read().map((act) => (act.who === who && those(act) ? { ...act, ...to } : act)));
  const remove = (key) => write(read().filter((act) => act.key !== key));
  addEventListener("beforeunload", (event) => { if (memory && isWaiting()) event.preventDefault(); });

  // --- What is shown of it -------------------------------------------------------------------------

  const box = { live: null }; // of a page that lives: how an answer is shown there, and what it shows now
  const isHere = (act) => Boolean(box.live) && act.page === here;
  const isWaiting = () => mine().some((act) => act.late);
  let told = null; // {text, label}: what became of an act that nothing on the page shows
  let leaveTo = null; // where a link would have led
  let drawn = "";

  const element = (name, ...children) => {
    const made = document.createElement(name);
    made.append(...children);
    return made;
  };
  const button = (caption, look, press) => {
    const made = element("button", caption);
    made.type = "button";
    made.className = look;
    made.addEventListener("click", press);
    return made;
  };
  const discard = (act) => button(words.discardText, "plain", () => {
    remove(act.key);
    previews.delete(act.key);
    delete fresh.get(act.key)?.form?.dataset.sent;
    leaveTo = null;
    render();
    flush();
  });
  function sendStill(act) {
    const seen = previews.get(act.key)?.version;
    previews.delete(act.key);
    const version = act.version === null ? null : (seen ?? box.live.version());
    change((one) => one.key === act.key, { asks: false, at: Date.now(), version });
    render();
    flush();
  }
  function line(text, label, ...buttons) {
    const said = element("span", text);
    if (label) said.append(" ", element("b", label));
    kept.append(said, ...buttons.filter(Boolean));
  }

  // What the act would do now, told by the service: {does} or {refused}, and of which version; {} where nothing can be
  // said beforehand.
  const previews = new Map(); // by key
  async function preview(act) {
    if (previews.has(act.key)) return;
    previews.set(act.key, { pending: true });
    const body = new URLSearchParams(act.fields.filter(([name]) => name !== "version"));
    body.set("csrf", token());
    try {
      const signal = AbortSignal.timeout(PATIENCE);
      const answer = await fetch(act.action.replace(/(?=\?|$)/, "/preview"), { method: "POST", body, signal, credentials: "same-origin" });
      const version = answer.headers.get("Owlbox-Version");
      previews.set(act.key, answer.ok ? { ...(await answer.json()), version } : {});
    } catch {
      previews.set(act.key, {}); // it is asked for with its own words
    }
    render();
  }

  // The acts that wait: the first with what can be done about it, the others below it.
  function render() {
    const all = mine();
    const acts = all[0]?.late ? all : [];
    const now = JSON.stringify([told, leaveTo, acts.map(({ key, asks }) => [key, asks, previews.get(key)])]);
    if (now === drawn) return;
    drawn = now;
    kept.replaceChildren();
    kept.hidden = !told && !acts.length;
    if (told) line(told.text, told.label, button(words.doneText, "plain", () => { told = null; render(); }));
    const [first, ...others] = acts;
    if (!first) return;
    if (first.asks && first.live) preview(first);
    const { pending, does, refused } = previews.get(first.key) ?? {};
    if (first.asks && refused) {
      line(words.impossibleText, `${first.label}: ${refused}`, discard(first));
    } else if (first.asks && (isHere(first) || !first.live)) {
      // What it would do is read before it can be sent.
      const send = !pending && button(words.sendText, "main", () => sendStill(first));
      line(isHere(first) ? box.live.words.movedText : words.askText, first.label, send, discard(first));
      if (does) kept.querySelector("span").append(element("p", words.doesText, " ", element("b", does)));
    } else if (first.asks) {
      const look = element("a", words.lookText);
      look.className = "button main";
      look.href = first.page;
      line(words.askText, first.label, look, discard(first));
    } else {
      const leave = leaveTo && button(words.leaveText, "plain", () => location.assign(leaveTo));
      line(words.keptText, first.label, discard(first), leave);
    }
    if (others.length) {
      kept.append(element("ol", ...others.map((act) => element("li", element("b", act.label), " ", discard(act)))));
    }
  }
  const tell = (text, label) => {
    told = { text, label };
    render();
  };

  // --- Sending -------------------------------------------------------------------------------------

  const unanswered = (status) => [502, 503, 504, 507].includes(status);
  const parsed = (text) => new DOMParser().parseFromString(text, "text/html");
  let busy = false;
  let pause = 1000;
  let timer = 0;

  // What a form of the page's session carries: nothing on a page that all strangers share.
  const token = () => document.querySelector("input[name=csrf]")?.value ?? "";

  // The answer to an act; null if there was none.
  async function deliver(act) {
    const body = new URLSearchParams(act.fields);
    body.set("csrf", token());
    if (act.version !== null) body.set("version", act.version);
    const headers = act.live ? { "HX-Request": "true" } : {};
    try {
      const signal = AbortSignal.timeout(PATIENCE);
      const answer = await fetch(act.action, { method: "POST", body, headers, signal, credentials: "same-origin" });
      return unanswered(answer.status) ? null : { answer, text: await answer.text() };
    } catch {
      return null;
    }
  }

  // Whether the answer is a page for somebody else: who tapped has signed out meanwhile, or their session has ended.
  function isSignedOut({ answer, text }) {
    const whole = text.includes('id="kept"') && parsed(text).getElementById("kept");
    return answer.status === 401 || (whole && whole.dataset.who !== who);
  }

  // Sends what waits, in order, until something has no answer or a person has to decide. Where it cannot be sent from, it
  // waits for another page.
  async function flush() {
    clearTimeout(timer);
    if (busy || !token()) return render();
    busy = true;
    try {
      for (let act; (act = mine()[0]) && !act.asks;) {
        if (Date.now() - act.at > TRUSTED) {
          change((one) => one.key === act.key, { asks: true, late: true });
          return;
        }
        const got = await deliver(act);
        if (!got) {
          change(() => true, { late: true });
          document.dispatchEvent(new Event("unsent"));
          timer = setTimeout(flush, pause * (0.75 + Math.random() / 2));
          pause = Math.min(pause * 2, 30000);
          return;
        }
        pause = 1000;
        if (isSignedOut(got)) {
          change((one) => one.key === act.key, { late: true }); // it waits for who comes back
          if (fresh.has(act.key)) location.reload();
          return;
        }
        if (!(await (act.live ? answered : led)(act, got))) return;
      }
    } finally {
      busy = false;
      render();
    }
  }

  // What an act is done to, whichever page it was tapped on: the kind and the id in its address.
  const streamOf = (act) => new URL(act.action, location.href).pathname.split("/", 3).join("/");

  // An act of a page that lives. False if the page is left.
  async function answered(act, { answer, text }) {
    if (answer.status === 412 && act.late) {
      // Another has acted since it was tapped: only a person can say whether it still holds.
      if (isHere(act)) await box.live.refresh().catch(() => {});
      change((one) => one.key === act.key, { asks: true });
      return true;
    }
    const from = fresh.get(act.key);
    remove(act.key);
    if (answer.ok) {
      // What was tapped on the same state after it was meant for what it has led to.
      const version = Number(answer.headers.get("Owlbox-Version")) || null;
      if (version && act.version !== null) {
        change((one) => one.live && streamOf(one) === streamOf(act) && one.version === act.version, { version });
      }
      const then = answer.redirected ? answer.url : act.then;
      if (from && then && then !== box.live?.page()) {
        location.assign(then);
        return false;
      }
    }
    const shown = isHere(act) && await box.live.show(text, answer.ok ? act.typed : [], !answer.ok);
    if (!shown && !answer.ok) tell(words.refusedText, why(act, text));
    return true;
  }

  // An act that leads to another page. False if the page is left.
  async function led(act, { answer, text }) {
    const from = fresh.get(act.key);
    remove(act.key);
    if (answer.redirected) {
      if (!from) return true;
      goTo(new URL(act.then || answer.url, location.href).href);
      return false;
    }
    if (from?.form?.isConnected) {
      // What is refused leads nowhere: the browser posts the form itself, and shows the answer as a page.
      from.form.dataset.native = "yes";
      from.form.requestSubmit(from.submitter);
      return false;
    }
    tell(words.refusedText, why(act, text));
    return true;
  }

  // What was refused, and the reason that the answer's page gives.
  function why(act, text) {
    const reason = parsed(text).querySelector(".notice.problem")?.textContent.trim();
    return reason ? `${act.label}: ${reason}` : act.label;
  }
  // Where an answer leads, shown anew even if it is where we are.
  function goTo(address) {
    if (address.split("#")[0] !== location.href.split("#")[0]) return location.assign(address);
    history.replaceState(history.state, "", address);
    location.reload();
  }

  // Takes an act in and sends it in its turn. False if it is here already, or nothing more fits.
  function send(act, from) {
    const acts = read();
    if (acts.some(({ key }) => key === act.key)) return false;
    if (acts.length >= MOST) {
      tell(words.failedText, act.label);
      return false;
    }
    told = null;
    fresh.set(act.key, from);
    write([...acts, { ...act, page: here, who, at: Date.now(), late: isWaiting() }]);
    render();
    flush();
    return true;
  }

  // On another page without a network nobody would see anything of it: first they are told.
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!isWaiting() || !link || kept.contains(link)) return;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || link.target === "_blank") return;
    if (link.hash && link.href.split("#")[0] === location.href.split("#")[0]) return; // stays on the page
    event.preventDefault();
    leaveTo = link.href;
    render();
    kept.scrollIntoView({ block: "nearest" });
  });
  addEventListener("online", () => {
    pause = 1000;
    flush();
  });
  addEventListener("storage", (event) => { if (event.key === STORE) render(); });
  document.addEventListener("DOMContentLoaded", () => {
    change(() => true, { late: true }); // tapped on a page that is gone
    flush();
  });
  return Object.assign(box, { send, flush, tell, isWaiting });
})();
