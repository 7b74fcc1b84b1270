// What a page does beyond being read and posted: live tables, acts that survive a lost network.
// Every page works without this file. No text is written here: words come in data attributes.
"use strict";
(() => {
  // The part of the page that lives: a table, a bracket, a tournament. It says where it is fetched again (`data-page`), which
  // version it shows, and which stream tells of the next.
  const table = () => document.querySelector("[data-page]");
  const live = document.getElementById("live");
  const kept = document.getElementById("kept"); // where an act is named that is still to be sent, with the words for it

  // A tap on a link or token to copy selects all of it.
  document.addEventListener("focusin", (event) => {
    if (event.target.matches?.("[data-select]")) event.target.select();
  });

  // On a phone the tabs are wider than the page: the one that is open is in view.
  document.querySelector(".tabs [aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "center" });

  // An open menu closes when something else is tapped.
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.me[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });

  // --- What is still to be sent ------------------------------------------------------------------

  let waiting = null; // the act kept while there is no network: {action, body, label, then}; a `form` that leads on, or what was `typed`
  const queue = []; // acts of a live page, tapped before the answer to the one before was here

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
  const resend = (form) => { if (form) delete form.dataset.sent; };
  const discard = [kept?.dataset.discardText, "plain", () => { resend(waiting?.form); waiting = null; queue.length = 0; say(""); }];
  const unanswered = (status) => status === 502 || status === 503 || status === 504;

  // Whoever goes on to another page would leave it unsent: first they say what becomes of it.
  function stay(event, then) {
    event.preventDefault();
    say(kept.dataset.keptText, waiting.label, [discard, ...(then
      ? [[kept.dataset.leaveText, "plain", () => { waiting = null; location.assign(then); }]] : [])]);
    kept.scrollIntoView({ block: "nearest" });
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!waiting || !link || event.defaultPrevented || event.ctrlKey || event.metaKey || link.target === "_blank") return;
    if (link.hash && link.href.split("#")[0] === location.href.split("#")[0]) return; // stays on the page
    stay(event, link.href);
  });
  addEventListener("beforeunload", (event) => { if (waiting) event.preventDefault(); });

  // --- Forms that lead to another page -----------------------------------------------------------

  // Where an answer leads, shown anew even if it is where we are.
  function goTo(address) {
    if (address.split("#")[0] !== location.href.split("#")[0]) return location.assign(address);
    history.replaceState(history.state, "", address);
    location.reload();
  }
  // Its key makes a form safe to send again. So without a network it is kept, with what was entered, and sent
  // once when there is one again, however often it has to be tried.
  async function post(act) {
    waiting = null;
    let answer;
    try {
      answer = await fetch(act.action, { method: "POST", body: act.body, credentials: "same-origin" });
      if (unanswered(answer.status)) throw new Error(String(answer.status));
    } catch {
      waiting = act;
      say(kept.dataset.keptText, act.label, [discard]);
      act.pause = Math.min((act.pause ?? 500) * 2, 30000);
      act.timer = setTimeout(() => { if (waiting === act) post(act); }, act.pause);
      return;
    }
    if (answer.redirected) goTo(new URL(act.then || answer.url, location.href).href);
    else {
      // What is refused leads nowhere: the browser posts the form itself, and shows the answer as a page.
      act.form.dataset.native = "yes";
      act.form.requestSubmit(act.submitter);
    }
  }
  addEventListener("online", () => {
    if (!waiting?.form) return; // a table's own act waits for the table
    clearTimeout(waiting.timer);
    post(waiting);
  });

  // The return key presses a form's first button, or from a radio button its first enabled one. Where buttons say who
  // won, that one is hidden and sends nothing. (Without scripts it is refused, because it chooses nothing.)
  document.addEventListener("click", (event) => {
    if (event.target.matches?.("button[hidden]")) event.preventDefault();
  });

  // Any other form than a live page's own is sent once, however often it is tapped.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("[data-act]")) return;
    if (waiting) return stay(event);
    if (form.method !== "post") return;
    if (form.dataset.native) return delete form.dataset.native;
    if (form.dataset.sent) return event.preventDefault();
    finger(event.submitter);
    const again = form.elements.key?.value && form.enctype !== "multipart/form-data" && !table();
    if (!again) {
      // What cannot be sent twice is not sent into nowhere; what was entered stays.
      if (navigator.onLine === false) {
        event.preventDefault();
        const button = event.submitter ?? form.querySelector("button");
        return say(kept.dataset.failedText, button?.textContent.trim(), [discard]);
      }
      form.dataset.sent = "yes";
      return;
    }
    event.preventDefault();
    form.dataset.sent = "yes";
    const button = event.submitter ?? form.querySelector("button");
    post({
      form, submitter: event.submitter, action: form.action, body: new URLSearchParams(new FormData(form, event.submitter)),
      label: button.textContent.trim(), then: form.elements.then?.value,
    });
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
    const thing = event.target.closest?.("button, a[href], [data-tap]");
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

  // What is of use with this file only: the field that narrows a form's list, and how many of it are ticked.
  const dress = () => {
    for (const form of document.querySelectorAll("form[data-count]")) {
      for (const hidden of form.querySelectorAll("[data-filter], [data-counted]")) hidden.hidden = false;
      form.querySelector("[data-counted] b").textContent = form.querySelectorAll("input[type=checkbox]:checked").length;
    }
  };
  document.addEventListener("change", dress);
  dress();

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

  // --- What came under the finger ----------------------------------------------------------------

  // A finger that is on its way hits what it aimed at, or nothing: for this long (milliseconds) after another's act
  // has changed the page, a tap counts only for what stood at that place before, and does what it did.
  const SETTLES = 400;
  const PRESSED = "button, a[href], summary, label, input, select, [role=button]";
  let stood = []; // what could be pressed before each change of late, and where
  let aimedAt = null; // what the finger came down on

  // What pressing it does, and what it says of it; not what ticks on it.
  function means(thing) {
    if (thing.matches("summary")) return `fold ${thing.parentElement.id || thing.textContent}`;
    const read = thing.cloneNode(true);
    for (const ticking of read.querySelectorAll("[data-time], [data-delay-left], [data-warn]")) ticking.remove();
    const own = ["csrf", "key", "version"];
    const sent = [...(thing.form?.querySelectorAll("input[type=hidden]") ?? [])].filter(({ name }) => !own.includes(name));
    return [thing.getAttribute("href"), thing.id, thing.value, thing.getAttribute("aria-label"),
      read.textContent.replace(/\s+/g, " ").trim(), ...sent.map((field) => field.value)].join("\n");
  }
  const pressed = (event) => {
    const thing = event.target.closest?.(PRESSED);
    return thing && table().contains(thing) ? thing : null;
  };
  const settling = () => {
    stood = stood.filter(({ until }) => until > performance.now());
    document.documentElement.toggleAttribute("data-settling", stood.length > 0);
    return stood.length > 0;
  };
  function remember() {
    const things = [];
    for (const thing of table().querySelectorAll(PRESSED)) {
      const box = thing.getBoundingClientRect();
      if (box.width && box.bottom > 0 && box.top < innerHeight) things.push({ thing, box, means: means(thing) });
    }
    return things;
  }
  // Begins when the page has changed: how long it took to come does not count.
  function settle(things) {
    stood.push({ things, until: performance.now() + SETTLES });
    settling();
    setTimeout(settling, SETTLES + 1);
  }
  const within = ({ left, right, top, bottom }, { clientX, clientY }) =>
    clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  addEventListener("pointerdown", (event) => {
    const thing = pressed(event);
    aimedAt = thing && means(thing);
  }, true);
  addEventListener("click", (event) => {
    const thing = pressed(event);
    const aimed = aimedAt;
    aimedAt = null;
    if (!thing) return;
    const now = means(thing);
    // By keyboard it is the same thing, wherever it is.
    const same = (one) => one.means === now && (event.detail === 0 ? one.thing === thing : within(one.box, event));
    const held = !settling() || stood.every(({ things }) => things.some(same));
    if (held && (event.detail === 0 || aimed === null || aimed === now)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    document.documentElement.dataset.held = "yes"; // a tap that did nothing can be tried again
  }, true);

  // Puts the answer's table in the place of ours: what stays the same stays where it is, with its
  // focus and scroll; what has changed is lit for a moment. An older state never covers a newer one.
  // What was typed into other forms stays; one that is done (`sent`) shows what the page now says.
  // What an act's answer had to tell stays while the table stands as it did, whoever fetches it again.
  // Where another's act changed it (`others`), it takes no tap for a moment that was meant for what was there. Who had
  // the focus on what is gone, by keyboard or by ear, goes on at the headline.
  async function show(html, sent = [], fetched = false, others = fetched) {
    const next = new DOMParser().parseFromString(html, "text/html").querySelector("[data-page]");
    if (!next) throw new Error("nothing that lives in the answer");
    const [then, now] = [next, table()].map((shown) => Number(shown.dataset.version));
    if (then < now) return;
    const notice = document.getElementById("table-notice");
    if (fetched && notice && then === now) next.prepend(notice.cloneNode(true));
    const before = watched();
    const standing = others ? remember() : null;
    const focused = table().contains(document.activeElement);
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
    dress();
    for (const [name, { line, text }] of watched()) {
      if (before.get(name)?.text === text) continue;
      line.classList.remove("changed");
      void line.offsetWidth; // starts the highlight anew
      line.classList.add("changed");
    }
    if (standing) settle(standing);
    if (focused && !table().contains(document.activeElement)) goOnAtHeadline();
    if (named() !== heard) listen();
    atOnce();
  }

  // G18: where nothing can be decided before the roll, it is drawn as the turn opens - by the page of whoever plays, once
  // for what it shows, and never by a page that nobody looks at.
  let opened = "";
  function atOnce() {
    const form = table().querySelector("form[data-at-once]");
    const version = form?.elements.version.value;
    if (!form || version === opened || document.prerendering || document.visibilityState !== "visible") return;
    opened = version;
    form.requestSubmit();
  }

  function goOnAtHeadline() {
    const headline = table().querySelector("#now, h1, h2") ?? table();
    headline.tabIndex = -1;
    headline.focus({ preventScroll: true });
  }

  async function refresh() {
    const answer = await fetch(table().dataset.page, { headers: { "HX-Request": "true" }, credentials: "same-origin" });
    if (answer.redirected || answer.status === 401) return location.reload();
    if (!answer.ok) throw new Error(String(answer.status));
    await show(await answer.text(), [], true);
  }

  // --- Sending an act ---------------------------------------------------------------------------

  let sending = null; // the act under way: {action, body, typed, label}
  const keep = (act) => {
    waiting = act;
    say(kept.dataset.keptText, act.label, [discard]);
    tell("lost");
    retry();
  };

  // The act's version was moved past while it was kept: only a person can say whether it still holds.
  const askAgain = (act) => {
    waiting = null;
    say(live.dataset.movedText, act.label, [
      [kept.dataset.sendText, "main", () => {
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
      if (unanswered(answer.status)) return keep(act);
      waiting = null;
      say("");
      if (answer.redirected || answer.status === 401) return location.reload();
      if (wasKept && answer.status === 412) {
        await refresh();
        return askAgain(act);
      }
      if (answer.ok && act.then && act.then !== table().dataset.page) return location.assign(act.then);
      await show(await answer.text(), answer.ok ? act.typed : [], false, !answer.ok);
    } catch {
      say(kept.dataset.failedText, act.label, [discard]);
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
    if (waiting) return stay(event); // one is still to be sent
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
    if (event.detail > 1 && event.target.closest?.("[data-act] button, [data-tap]")) event.preventDefault();
  });

  // A tap on a picture of something is the button that does it: for fingers alone, as the same button stands among the acts.
  document.addEventListener("click", (event) => {
    const tapped = event.target.closest?.("[data-tap]");
    if (!tapped || event.defaultPrevented) return;
    event.preventDefault();
    document.getElementById(tapped.dataset.tap)?.querySelector("button").click();
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

  // Nothing more comes here: the word that it would has to go.
  function hush() {
    live.hidden = true;
    delete live.dataset.state;
  }

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
    if (!heard) hush();
    const opened = addresses().map((address) => new EventSource(address)); // none: nothing more will come
    streams = opened;
    for (const [at, stream] of opened.entries()) {
      stream.onopen = async () => {
        if (streams !== opened || at > 0) return;
        pause = 1000;
        tell("on");
        if (waiting && !waiting.form) await send(waiting, true);
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
    atOnce();
  });
  document.addEventListener("prerenderingchange", atOnce);
  listen();
  atOnce();
})();
