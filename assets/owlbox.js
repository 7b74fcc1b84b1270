// What a page does beyond being read and posted: live tables, acts that survive a lost network.
// Every page works without this file. No text is written here: words come in data attributes.
"use strict";
(() => {
  // The part of the page that lives: a table, a bracket, a tournament. It says where it is fetched again (`data-page`), which
  // version it shows, and which stream tells of the next.
  const table = () => document.querySelector("[data-page]");
  const live = document.getElementById("live");
  const kept = document.getElementById("kept"); // the words for what could not be sent

  // What a form would send, except for what is of the page's session.
  const fieldsOf = (form, submitter) => [...new FormData(form, submitter)].filter(([name]) => name !== "csrf");

  // A tap on a link or token to copy selects all of it.
  document.addEventListener("focusin", (event) => {
    if (event.target.matches?.("[data-select]")) event.target.select();
  });

  // What is shown to be handed on can be copied with one tap, and a link can be given to the phone's share sheet.
  function handOn(row, text, about) {
    const said = document.createElement("span");
    said.setAttribute("role", "status");
    const add = (label, act) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "plain";
      button.textContent = label;
      if (about) button.setAttribute("aria-label", `${label}: ${about}`);
      button.addEventListener("click", act);
      row.append(button);
    };
    const share = () => navigator.share({ title: document.title, url: text }).catch(() => { /* they thought better of it */ });
    if (navigator.share && /^https?:/.test(text)) add(kept.dataset.shareText, share);
    add(kept.dataset.copyText, async () => {
      said.textContent = await copied(text) ? `✓ ${kept.dataset.copiedText}` : "";
    });
    row.append(said);
    row.hidden = false;
  }
  // Without https browsers copy only what is selected.
  async function copied(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const field = document.createElement("textarea");
      const focused = document.activeElement;
      field.value = text;
      field.className = "hidden";
      document.body.append(field);
      field.select();
      const done = document.execCommand("copy");
      field.remove();
      focused?.focus({ preventScroll: true });
      return done;
    }
  }
  function offerToHandOn() {
    for (const field of document.querySelectorAll("input[readonly][data-select]")) {
      if (field.nextElementSibling?.matches(".hand-on")) continue;
      const row = document.createElement("p");
      row.className = "hand-on";
      handOn(row, field.value, field.labels[0]?.textContent.trim());
      field.after(row);
    }
    for (const row of document.querySelectorAll(".hand-on[data-link]:empty")) handOn(row, new URL(row.dataset.link, location.href).href);
  }

  // On a phone chips are wider than the page: the one that is open is in view.
  for (const open of document.querySelectorAll(".chips > [aria-current]:not([aria-current=false])")) {
    const row = open.parentElement;
    if (row.scrollWidth > row.clientWidth) row.scrollLeft = open.offsetLeft - row.offsetLeft - (row.clientWidth - open.offsetWidth) / 2;
  }

  // An open menu closes when something else is tapped.
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll(":is(.me, .more-tabs)[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });

  // The return key presses a form's first button, or from a radio button its first enabled one. Where buttons say who
  // won, that one is hidden and sends nothing. (Without scripts it is refused, because it chooses nothing.)
  document.addEventListener("click", (event) => {
    if (event.target.matches?.("button[hidden]")) event.preventDefault();
  });

  // Any other form than a live page's own is sent once, however often it is tapped.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("[data-act]") || form.method !== "post") return;
    if (form.dataset.native) return delete form.dataset.native;
    if (form.dataset.sent) return event.preventDefault();
    const button = event.submitter ?? form.querySelector("button");
    const label = form.dataset.label ?? button?.textContent.trim();
    const key = form.elements.key?.value;
    if (!key || form.enctype === "multipart/form-data") {
      // What cannot be sent twice is not sent into nowhere; what was entered stays.
      if (navigator.onLine === false) {
        event.preventDefault();
        return outbox.tell(kept.dataset.failedText, label);
      }
      finger(event.submitter);
      form.dataset.sent = "yes";
      return;
    }
    event.preventDefault();
    finger(event.submitter);
    const then = table() ? undefined : form.elements.then?.value; // beside what lives, the answer says where it leads
    const act = { key, action: form.action, fields: fieldsOf(form, event.submitter), label, then, live: false, version: null };
    if (outbox.send(act, { form, submitter: event.submitter })) form.dataset.sent = "yes";
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
    ...[...(thing.form?.elements ?? [])].filter((field) => field.type === "hidden" && !["csrf", "key", "version", "then"].includes(field.name))
      .map((field) => field.value)].join("\n");
  const near = (one, other) => Math.hypot(one.x - other.x, one.y - other.y) < REACH;
  const place = (event) => ({ x: event.clientX, y: event.clientY });

  function finger(thing) {
    if (!thing || !down) return;
    acted = { ...down, means: does(thing), until: Infinity };
    try { sessionStorage.setItem(LAST, JSON.stringify({ ...acted, until: null, at: Date.now() })); } catch { /* no store: this page only */ }
  }
  const shown = () => { if (acted) acted.until = performance.now() + LEAVES; };
  document.addEventListener("unsent", shown); // nothing changes for now
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

  // What is typed above a list narrows it at once. Names are found as where the whole list is searched: letters count
  // without their marks, apostrophes and dots not at all, dashes as blanks.
  // While only a part is seen, what does something with all of it is put away.
  const MARKED = { ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ŧ: "t", ı: "i", æ: "ae", œ: "oe", þ: "th", ß: "ss" };
  const UMLAUTS = { ä: "ae", ö: "oe", ø: "oe", ü: "ue", å: "aa" };
  const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "")
    .replace(/[øłđðħŧıæœþß]/g, (letter) => MARKED[letter])
    .replace(/['’‘‚‛`´ʼʻʽʹˈ′‵＇՚׳"“”„‟″«»‹›״＂.·•․‧・。．｡]/g, "")
    .replace(/[-‐‑‒–—―−⁃﹘﹣－\s]+/g, " ").trim();
  const finds = (sought, name) => {
    const [wanted, all] = [plain(sought), plain(name)];
    const words = all.split(" ");
    const without = name.normalize("NFC").toLowerCase().replace(/[äöøüå]/g, (letter) => UMLAUTS[letter]);
    return all.includes(wanted) || plain(without).includes(wanted)
      || words.some((_, at) => words.slice(at).join("").startsWith(wanted.replaceAll(" ", "")));
  };
  globalThis.names = { plain, finds };
  const narrow = (field) => {
    for (const line of document.querySelectorAll(`.${field.dataset.filter}[data-name]`)) {
      line.hidden = !finds(field.value, line.dataset.name);
    }
    for (const thing of document.querySelectorAll("[data-for-all]")) thing.hidden = Boolean(plain(field.value));
  };
  document.addEventListener("input", (event) => {
    if (event.target.matches?.("[data-filter]")) narrow(event.target);
  });

  // What is of use with this file only: buttons that copy and share, the field that narrows a form's list, and how many of it are ticked.
  const dress = () => {
    offerToHandOn();
    for (const form of document.querySelectorAll("form[data-count]")) {
      for (const hidden of form.querySelectorAll("[data-filter], [data-counted]")) hidden.hidden = false;
      form.querySelector("[data-counted] b").textContent = form.querySelectorAll("input[type=checkbox]:checked").length;
    }
  };
  document.addEventListener("change", dress);
  dress();

  // The sum on the button of somebody at the door, with the stakes of the pools that are ticked.
  document.addEventListener("change", (event) => {
    const line = event.target.closest?.("[data-owed]");
    if (!line) return;
    const { decimals, currency } = line.closest("form").dataset;
    const stakes = [...line.querySelectorAll("[data-stake]")].map((pool) => (pool.checked - pool.defaultChecked) * pool.dataset.stake);
    const sum = stakes.reduce((all, stake) => all + stake, Number(line.dataset.owed)) / 10 ** decimals;
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    const shown = `${new Intl.NumberFormat(document.documentElement.lang, digits).format(sum)} ${currency}`;
    const button = line.querySelector("[data-sum]");
    const said = [...button.querySelectorAll("span")].map((label) => label.firstChild);
    for (const one of [...said, button.getAttributeNode("aria-label")]) {
      one.nodeValue = one.nodeValue.replace(button.dataset.sum, shown);
    }
    button.dataset.sum = shown;
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

  // --- What came under the finger ----------------------------------------------------------------

  // A finger that is on its way hits what it aimed at, or nothing: for this long (milliseconds) after another's act
  // has changed the page, a tap counts only for what stood at that place before, and does what it did.
  const SETTLES = 400;
  const PRESSED = "button, a[href], summary, label, input, select, [role=button]";
  let stood = []; // what could be pressed before each change of late, and where
  let aimedAt = null; // what the finger came down on

  // What pressing it sends.
  const sends = (thing) => [...(thing.form?.querySelectorAll("input[type=hidden]") ?? [])]
    .filter(({ name }) => !["csrf", "key", "version"].includes(name)).map((field) => field.value).join("\n");
  // What pressing it does, and what it says of it; not what ticks on it.
  function means(thing) {
    if (thing.matches("summary")) return `fold ${thing.parentElement.id || thing.textContent}`;
    const read = thing.cloneNode(true);
    for (const ticking of read.querySelectorAll("[data-time], [data-delay-left], [data-warn]")) ticking.remove();
    return [thing.getAttribute("href"), thing.id, thing.value, thing.getAttribute("aria-label"),
      read.textContent.replace(/\s+/g, " ").trim(), sends(thing)].join("\n");
  }
  const pressed = (event) => {
    const thing = event.target.closest?.(PRESSED);
    return thing && (table().contains(thing) || over.contains(thing)) ? thing : null;
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
  // What an act's answer had to tell stays while the table stands as it did, no matter who fetches it again.
  // Where another's act changed it (`others`), it takes no tap for a moment that was meant for what was there. Who had
  // the focus on what is gone, or on a button that now does something else, goes on at the headline.
  async function show(html, sent = [], fetched = false, others = fetched) {
    const next = new DOMParser().parseFromString(html, "text/html").querySelector("[data-page]");
    if (!next) throw new Error("nothing that lives in the answer");
    const [then, now] = [next, table()].map((shown) => Number(shown.dataset.version));
    if (then < now) return;
    const notice = document.getElementById("table-notice");
    if (fetched && then === now) {
      if (notice) next.prepend(notice.cloneNode(true));
      markAgain(next);
    }
    const before = watched();
    const standing = others ? remember() : null;
    const focused = table().contains(document.activeElement) ? document.activeElement : null;
    const sentBefore = focused && sends(focused);
    const typed = new Map();
    for (const field of table().querySelectorAll("input:not([type=hidden], [type=radio]), select")) {
      if (field.id && field.value && !sent.includes(field.id)) typed.set(field.id, field.value);
    }
    // Code that lays it out itself takes it from here.
    const laid = !table().dispatchEvent(new CustomEvent("lay-out", { bubbles: true, cancelable: true, detail: next }));
    if (!laid) await htmx.swap({ text: next.outerHTML, target: table(), swap: "outerMorph", sourceElement: table() });
    for (const [id, value] of typed) {
      const field = document.getElementById(id);
      if (field && !field.value) field.value = value;
      if (field?.selectedIndex === -1) field.selectedIndex = 0; // that choice is gone
    }
    for (const id of sent) asWritten(document.getElementById(id));
    for (const field of document.querySelectorAll("[data-filter]")) narrow(field);
    dress();
    for (const [name, { line, text }] of watched()) {
      if (before.get(name)?.text === text) continue;
      line.classList.remove("changed");
      void line.offsetWidth; // starts the highlight anew
      line.classList.add("changed");
    }
    if (standing) settle(standing);
    const kept = focused && table().contains(document.activeElement);
    const turned = kept && document.activeElement.matches("button") && sends(document.activeElement) !== sentBefore;
    if (focused && (!kept || turned)) goOnAtHeadline();
    if (named() !== heard) listen();
    atOnce();
    if (over.open && then > now) layOver(laidOver, true).catch(() => over.close()).finally(() => settle([]));
  }

  // What is wrong with a field is said beside it until the page changes.
  function markAgain(next) {
    const said = table().querySelector("#wrong-field");
    const marked = table().querySelector("[aria-invalid=true][aria-describedby=wrong-field]");
    const field = marked?.id && next.querySelector(`#${CSS.escape(marked.id)}`);
    if (!said || !field) return;
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", said.id);
    field.after(said.cloneNode(true));
  }

  // G18: where nothing can be decided before the roll, it is drawn as the turn opens - by the page of the one who plays, once
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

  // A bracket may come from a proxy. So its address says which version is wanted: what was kept of an older one is at another.
  let newest = 0; // that has been told of
  async function refresh() {
    const address = new URL(table().dataset.page, location.href);
    if (table().matches("[data-bracket]")) address.searchParams.set("v", Math.max(newest, Number(table().dataset.version)));
    const answer = await fetch(address, { headers: { "HX-Request": "true" }, credentials: "same-origin" });
    if (answer.redirected || answer.status === 401) return location.reload();
    if (!answer.ok) throw new Error(String(answer.status));
    await show(await answer.text(), [], true);
  }

  // --- Sending an act ---------------------------------------------------------------------------

  outbox.live = {
    words: live.dataset,
    page: () => table().dataset.page,
    version: () => table().dataset.version,
    refresh,
    // Shows the answer to an act; false if there is nothing of this page in it.
    async show(text, typed, refused) {
      try {
        await show(text, typed, false, refused);
        if (refused) table().querySelector("[aria-invalid=true]")?.focus();
        return true;
      } catch {
        return false;
      } finally {
        shown();
        idle();
      }
    },
  };
  const idle = () => {
    for (const button of table().querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
  };
  document.addEventListener("unsent", () => {
    tell("lost");
    idle();
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-act]")) return;
    event.preventDefault();
    const button = event.submitter ?? form.querySelector("button");
    finger(button);
    const fields = fieldsOf(form, event.submitter);
    const version = form.elements.version?.value ?? null;
    // A form around a list has a button for each line: what it does is an act of its own, with the fields of that line.
    const each = "each" in form.dataset;
    const key = form.elements.key.value;
    const sent = outbox.send({
      key: each ? `${key} ${button.name} ${button.value}` : key, action: form.action, fields, version, live: true,
      typed: [...((each && button.closest("tr")) || form).querySelectorAll("input:not([type=hidden]), select")].map((field) => field.id).filter(Boolean),
      label: form.dataset.label ?? ((each && button.getAttribute("aria-label")) || button.textContent.trim()),
      then: form.elements.then?.value, // where a form goes on to, if it is another page
    }, { button });
    if (sent) button.setAttribute("aria-busy", "true");
    if (over.contains(form)) over.close();
  });

  // --- A sheet over the page ----------------------------------------------------------------------

  // What a link marked `data-over` leads to is shown over the table: how a game ended is chosen and recorded without another
  // page. It goes with the table: where that has moved on, it is asked for anew, or gone.
  const over = document.body.appendChild(document.createElement("dialog"));
  over.className = "sheet-over";
  let laidOver = ""; // its address
  async function layOver(address, again = false) {
    laidOver = address;
    const answer = await fetch(address, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(answer.status);
    const sheet = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main > section");
    if (laidOver !== address) return;
    if (new URL(answer.url).pathname === location.pathname) return over.close(); // that game may not end, or has ended
    if (!sheet?.querySelector("[data-close]")) return again ? over.close() : location.assign(address);
    for (const form of sheet.querySelectorAll("form")) form.dataset.act = "";
    over.setAttribute("aria-labelledby", sheet.getAttribute("aria-labelledby"));
    over.replaceChildren(sheet);
    if (!over.open) over.showModal();
    over.querySelector("[data-over][aria-current]")?.focus();
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("[data-over], dialog [data-close]");
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.matches("[data-close]")) return over.close();
    if (!over.open) finger(link);
    layOver(link.href).catch(() => outbox.tell(kept.dataset.failedText, link.textContent.trim())).finally(shown);
  });
  over.addEventListener("close", () => { laidOver = ""; });

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
    newest = Math.max(newest, version || 0);
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
      stream.onopen = () => {
        if (streams !== opened || at > 0) return;
        pause = 1000;
        tell("on");
        outbox.flush();
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
