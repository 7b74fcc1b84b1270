// What a page does beyond being read and posted: live tables, acts that survive a lost network.
// Every page works without this file. No text is written here: words come in data attributes.
"use strict";
(() => {
  // The part of the page that lives: a table, a bracket, a tournament. It says where it is fetched again (`data-page`), which
  // version it shows, and which stream tells of the next.
  const table = () => document.querySelector("[data-page]");
  const live = document.getElementById("live");
  const kept = document.getElementById("kept");

  // A tap on a link or token to copy selects all of it.
  document.addEventListener("focusin", (event) => {
    if (event.target.matches?.("[data-select]")) event.target.select();
  });

  // An open menu closes when something else is tapped.
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.me[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });

  // Any other form is sent once, however often it is tapped.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("[data-act]") || form.method !== "post") return;
    if (form.dataset.sent) return event.preventDefault();
    finger(event.submitter);
    form.dataset.sent = "yes";
  });
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  });

  // --- The second tap ------------------------------------------------------------------------------

  // Where a finger has acted, what was below may slide up. A tap there for this long (milliseconds) after the page has
  // changed was meant for what stood there before: it does nothing, unless that still stands there. It is free again at
  // once where the finger has gone elsewhere.
  const LEAVES = 700;
  const REACH = 32; // pixels around a finger
  const LAST = "owlbox-acted"; // what it acted on goes along to the page that follows
  let acted = null; // {x, y, means, until}
  let down = null; // where the pointer came down last

  // What a button or link does; two rows of one list never do the same.
  const does = (thing) => thing.getAttribute("href") ?? [thing.name, thing.value, thing.getAttribute("aria-label"), thing.textContent.trim(),
    ...[...(thing.form?.elements ?? [])].filter((field) => field.type === "hidden" && !["csrf", "key", "version", "here", "then"].includes(field.name))
      .map((field) => field.value)].join("\n");
  const near = (one, other) => Math.hypot(one.x - other.x, one.y - other.y) < REACH;
  const place = (event) => ({ x: event.clientX, y: event.clientY });

  function finger(thing) {
    if (!thing || !down) return;
    acted = { ...down, means: does(thing), until: Infinity };
    try { sessionStorage.setItem(LAST, JSON.stringify({ ...acted, until: null, at: Date.now() })); } catch { /* no store: this page only */ }
  }
  const shown = () => { if (acted) acted.until = performance.now() + LEAVES; };
  try {
    const last = JSON.parse(sessionStorage.getItem(LAST) ?? "null");
    sessionStorage.removeItem(LAST);
    if (last && Date.now() - last.at < 10000) { acted = last; shown(); }
  } catch { /* no store */ }

  addEventListener("pointerdown", (event) => { down = place(event); }, true);
  addEventListener("pointermove", (event) => {
    if (acted && event.pointerType === "mouse" && !near(acted, place(event))) acted = null;
  }, { capture: true, passive: true });
  addEventListener("click", (event) => {
    if (!event.detail || !acted) return; // by keyboard nothing slides under a finger
    if (performance.now() > acted.until || !near(acted, place(event))) { acted = null; return; }
    const thing = event.target.closest?.("button, a[href]");
    if (!thing || does(thing) === acted.means) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    document.documentElement.dataset.held = "yes"; // a tap that did nothing can be tried again
  }, true);

  // What is typed above a list narrows it at once: letters count without their marks, as where the whole list is searched.
  // While only a part is seen, what does something with all of it is put away.
  const MARKED = { ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ŧ: "t", ı: "i", æ: "ae", œ: "oe", þ: "th", ß: "ss" };
  const plain = (text) => text.trim().toLowerCase().normalize("NFD").replace(/\p{M}/gu, "")
    .replace(/[øłđðħŧıæœþß]/g, (letter) => MARKED[letter]);
  const narrow = (field) => {
    const sought = plain(field.value);
    for (const line of document.querySelectorAll(`.${field.dataset.filter}[data-name]`)) {
      line.hidden = !plain(line.dataset.name).includes(sought);
    }
    for (const thing of document.querySelectorAll("[data-for-all]")) thing.hidden = Boolean(sought);
  };
  document.addEventListener("input", (event) => {
    if (event.target.matches?.("[data-filter]")) narrow(event.target);
  });

  // A sheet is printed by the browser; without this file, by its menu.
  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => print());
  }

  if (!table() || !live) return;

  // --- Showing another state -------------------------------------------------------------------

  // What is watched for change, by id: the text it has now.
  const watched = () => {
    const texts = new Map();
    for (const line of table().querySelectorAll("[data-watch]")) {
      const name = line.id || line.closest("[id]:not([data-page])")?.id;
      if (name) texts.set(name, { line, text: line.textContent.replace(/\s+/g, " ") });
    }
    return texts;
  };

  // A field as the page has it, whatever was typed into it before.
  function asWritten(field) {
    if (!field) return;
    if (field.options) for (const option of field.options) option.selected = option.defaultSelected;
    else if (field.type === "checkbox" || field.type === "radio") field.checked = field.defaultChecked;
    else field.value = field.defaultValue;
  }

  // Puts the answer's table in the place of ours: what stays the same stays where it is, with its
  // focus and scroll; what has changed is lit for a moment. An older state never covers a newer one.
  // What was typed into other forms stays; one that is done (`sent`) shows what the page now says.
  // What an act's answer had to tell stays while the table stands as it did, whoever fetches it again.
  async function show(html, sent = [], fetched = false) {
    const next = new DOMParser().parseFromString(html, "text/html").querySelector("[data-page]");
    if (!next) throw new Error("nothing that lives in the answer");
    const [then, now] = [next, table()].map((shown) => Number(shown.dataset.version));
    if (then < now) return;
    const notice = document.getElementById("table-notice");
    if (fetched && notice && then === now) next.prepend(notice.cloneNode(true));
    const before = watched();
    const typed = new Map();
    for (const field of table().querySelectorAll("input:not([type=hidden], [type=radio]), select")) {
      if (field.id && field.value && !sent.includes(field.id)) typed.set(field.id, field.value);
    }
    // Whoever lays it out himself takes it from here.
    const laid = !table().dispatchEvent(new CustomEvent("lay-out", { bubbles: true, cancelable: true, detail: next }));
    if (!laid) await htmx.swap({ text: next.outerHTML, target: table(), swap: "outerMorph", sourceElement: table() });
    for (const [id, value] of typed) {
      const field = document.getElementById(id);
      if (field && !field.value) field.value = value;
      if (field?.selectedIndex === -1) field.selectedIndex = 0; // that choice is gone
    }
    for (const id of sent) asWritten(document.getElementById(id));
    for (const field of table().querySelectorAll("[data-filter]")) narrow(field);
    for (const [name, { line, text }] of watched()) {
      if (before.get(name)?.text === text) continue;
      line.classList.remove("changed");
      void line.offsetWidth; // starts the highlight anew
      line.classList.add("changed");
    }
  }

  async function refresh() {
    const answer = await fetch(table().dataset.page, { headers: { "HX-Request": "true" }, credentials: "same-origin" });
    if (answer.redirected || answer.status === 401) return location.reload();
    if (!answer.ok) throw new Error(String(answer.status));
    await show(await answer.text(), [], true);
  }

  // --- Sending an act ---------------------------------------------------------------------------

  let sending = null; // the act under way: {action, body, typed, label}
  const queue = []; // those tapped before its answer was here
  let waiting = null; // the act kept while there is no network

  const say = (text, label, buttons = []) => {
    kept.replaceChildren();
    kept.hidden = !text;
    if (!text) return;
    const words = document.createElement("span");
    words.append(text);
    if (label) {
      const name = document.createElement("b");
      name.append(label);
      words.append(" ", name);
    }
    kept.append(words);
    for (const [caption, look, act] of buttons) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = look;
      button.append(caption);
      button.addEventListener("click", act);
      kept.append(button);
    }
  };
  const discard = [live.dataset.discardText, "plain", () => { waiting = null; queue.length = 0; say(""); }];

  const keep = (act) => {
    waiting = act;
    say(live.dataset.keptText, act.label, [discard]);
    tell("lost");
    retry();
  };

  // The act's version was moved past while it was kept: only a person can say whether it still holds.
  const askAgain = (act) => {
    waiting = null;
    say(live.dataset.movedText, act.label, [
      [live.dataset.sendText, "main", () => {
        say("");
        act.body.set("version", table().dataset.version);
        act.body.set("key", crypto.randomUUID?.() ?? `${act.body.get("key")}-${Date.now()}`);
        send(act);
      }],
      discard,
    ]);
  };

  async function send(act, wasKept = false) {
    if (sending) return;
    sending = act;
    table().setAttribute("aria-busy", "true");
    try {
      let answer;
      try {
        answer = await fetch(act.action, {
          method: "POST", body: act.body, headers: { "HX-Request": "true" }, credentials: "same-origin",
        });
      } catch {
        return keep(act); // the key makes it safe to send again, even if only the answer was lost
      }
      if (answer.status === 502 || answer.status === 503 || answer.status === 504) return keep(act);
      waiting = null;
      say("");
      if (answer.redirected || answer.status === 401) return location.reload();
      if (wasKept && answer.status === 412) {
        await refresh();
        return askAgain(act);
      }
      if (answer.ok && act.then && act.then !== table().dataset.page) return location.assign(act.then);
      await show(await answer.text(), answer.ok ? act.typed : []);
    } catch {
      say(live.dataset.failedText, act.label, [discard]);
    } finally {
      sending = null;
      shown();
      table().removeAttribute("aria-busy");
      for (const button of table().querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
    }
    const then = waiting ? null : queue.shift();
    if (then) await send(then);
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-act]")) return;
    event.preventDefault();
    if (waiting) return; // one is still to be sent
    const button = event.submitter ?? form.querySelector("button");
    const act = {
      action: form.action,
      body: new URLSearchParams(new FormData(form, event.submitter)),
      typed: [...form.querySelectorAll("input:not([type=hidden]), select")].map((field) => field.id),
      label: form.dataset.label ?? button.textContent.trim(),
      then: form.elements.then?.value, // where a form goes on to, if it is another page
    };
    // The stream may show what an act came to before the act's own answer does. Who taps then has seen
    // it; who taps on the table as it was taps a second time.
    // What holds whatever else happens (`any`) only waits its turn; the same form twice is one tap.
    const seen = ({ body }) => Number(body.get("version"));
    const twice = (other) => other.body.get("key") === act.body.get("key");
    if (sending && form.dataset.act === "any") {
      if ([sending, ...queue].some(twice)) return;
    } else if (sending && (queue.length || !(seen(act) > seen(sending)))) return;
    finger(button);
    button.setAttribute("aria-busy", "true");
    if (sending) queue.push(act);
    else send(act);
  });

  // The second tap of a double tap would meet the act that has come into the first one's place.
  document.addEventListener("click", (event) => {
    if (event.detail > 1 && event.target.closest?.("[data-act] button")) event.preventDefault();
  });

  // --- Listening --------------------------------------------------------------------------------

  let streams = []; // the page's own, and others by which what it shows changes
  let heard = ""; // which they are
  let pause = 1000;
  let timer = 0;

  const tell = (state) => {
    if (live.dataset.state === state) return;
    live.hidden = false;
    live.dataset.state = state;
    live.textContent = live.dataset[{ on: "liveText", again: "againText", lost: "lostText" }[state]];
  };

  // Acts may come faster than pages: one fetch at a time, and one more if something came meanwhile.
  let fetching = false;
  let stale = false;
  async function changed(version) {
    if (version && version <= Number(table().dataset.version)) return;
    stale = true;
    if (fetching) return;
    fetching = true;
    try {
      while (stale) {
        stale = false;
        await refresh();
      }
      if (named() && named() !== heard) listen();
    } catch {
      again();
    } finally {
      fetching = false;
    }
  }

  const addresses = () => (table().dataset.live ?? "").split(" ").filter(Boolean);
  // Which streams they are, wherever each goes on from.
  const named = () => addresses().map((address) => address.split("?")[0]).join(" ");
  function deaf() {
    clearTimeout(timer);
    for (const stream of streams) stream.close();
    streams = [];
  }
  function listen() {
    deaf();
    heard = named();
    const opened = addresses().map((address) => new EventSource(address)); // none: nothing more will come
    streams = opened;
    for (const [at, stream] of opened.entries()) {
      stream.onopen = async () => {
        if (streams !== opened || at > 0) return;
        pause = 1000;
        tell("on");
        if (waiting) await send(waiting, true);
      };
      // The acts of the page's own stream have the versions that it shows.
      const act = (event) => changed(at === 0 ? Number(event.lastEventId) : 0);
      stream.onmessage = act;
      for (const name of ["act", "acted", "change"]) stream.addEventListener(name, act);
      stream.onerror = () => {
        if (streams === opened) again();
      };
    }
  }

  // Tries again after a pause that doubles up to half a minute, each client a little differently.
  function again() {
    deaf();
    tell(navigator.onLine === false ? "lost" : pause > 4000 ? "lost" : "again");
    retry();
  }
  function retry() {
    clearTimeout(timer);
    timer = setTimeout(resume, pause * (0.75 + Math.random() / 2));
    pause = Math.min(pause * 2, 30000);
  }
  // The page first: it shows what was missed, and renews a session that has run out meanwhile.
  async function resume() {
    try {
      await refresh();
    } catch {
      return again();
    }
    listen();
  }

  // Minutes pass without an act.
  setInterval(() => {
    if (streams.length && table().dataset.every && document.visibilityState === "visible") changed();
  }, 60000);

  addEventListener("online", () => { pause = 1000; resume(); });
  addEventListener("offline", () => { tell("lost"); });
  addEventListener("pagehide", deaf);
  addEventListener("pageshow", (event) => { if (event.persisted) changed().then(listen); });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && !streams.length) { pause = 1000; resume(); }
  });
  listen();
})();
