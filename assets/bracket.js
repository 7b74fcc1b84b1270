// What a bracket, a draw and the screen on the wall do beyond being read. Everything is there without
// this file: links lead to the same views, the draw is a list, the wall goes on by itself.
"use strict";
(() => {
  const calm = matchMedia("(prefers-reduced-motion: reduce)"); // who wants nothing to move
  const page = (text) => new DOMParser().parseFromString(text, "text/html");
  async function fetched(address) {
    const answer = await fetch(address, { credentials: "same-origin" });
    if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
    return page(await answer.text());
  }

  // --- The bracket -------------------------------------------------------------------------------

  const bracket = () => document.querySelector("[data-bracket]");
  const draw = () => document.getElementById("draw");

  // The match nearest to the middle of the first column in sight, and where it is on the screen.
  const held = (columns) => {
    const view = draw().getBoundingClientRect();
    const middle = (view.top + view.bottom) / 2;
    let nearest = null;
    for (const column of columns) {
      for (const line of column.querySelectorAll("li")) {
        const { top, bottom } = line.getBoundingClientRect();
        const away = Math.abs((top + bottom) / 2 - middle);
        if (bottom > top && (!nearest || away < nearest.away)) nearest = { id: line.id, away, top };
      }
      if (nearest) return nearest;
    }
    return null;
  };

  // Rounds out of sight to the left make room, and the match that was looked at stays where it is.
  function settle() {
    if (!draw()?.clientWidth) return; // inside something that is hidden nothing has a place yet
    const left = draw().getBoundingClientRect().left;
    const columns = [...draw().querySelectorAll(".round")];
    const gone = (column) => column.getBoundingClientRect().right <= left + 24;
    const seen = columns.filter((column) => !gone(column));
    const hold = held(seen.filter((column) => !column.classList.contains("past")));
    let moved = false;
    columns.forEach((column, at) => {
      const past = gone(column) && at < columns.length - 1;
      moved ||= past !== column.classList.contains("past");
      column.classList.toggle("past", past);
    });
    const line = moved && hold && document.getElementById(hold.id);
    if (line) draw().scrollTop += line.getBoundingClientRect().top - hold.top;
    const atEnd = draw().scrollLeft > 0 && draw().scrollLeft + draw().clientWidth >= draw().scrollWidth - 4;
    const current = atEnd ? columns.length - 1 : Math.max(0, columns.indexOf(seen[0]));
    document.querySelectorAll(".rounds-nav a").forEach((link, at) => {
      const here = at === current;
      if (here && link.getAttribute("aria-current") !== "true") {
        const nav = link.parentElement;
        nav.scrollTo({ left: link.offsetLeft - nav.clientWidth / 2 + link.offsetWidth / 2, behavior: calm.matches ? "auto" : "smooth" });
      }
      if (here) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  }

  let resting = 0;
  const scrolled = () => {
    clearTimeout(resting);
    resting = setTimeout(settle, 120);
  };

  // It may be laid out before it has any room: hidden in another site's page, or before that page is done.
  let seen = false;
  const room = new ResizeObserver(() => {
    settle();
    if (seen || !draw()?.clientWidth) return;
    seen = true;
    if (!location.hash) find();
  });

  function begin() {
    if (!draw()) return;
    bracket().dataset.ready = "yes";
    draw().addEventListener("scroll", scrolled, { passive: true });
    room.disconnect();
    room.observe(draw());
    document.querySelector(".sections [aria-current=true]")?.scrollIntoView({ block: "nearest", inline: "center" });
    settle();
  }

  // Where the picked player is now, in the middle.
  function find() {
    const on = [...(draw()?.querySelectorAll("li.on") ?? [])];
    const now = on.find((line) => line.matches(".playing, .called, .ready")) ?? on.pop();
    if (!now) return;
    const [view, line] = [draw().getBoundingClientRect(), now.getBoundingClientRect()];
    draw().scrollTop += (line.top + line.bottom - view.top - view.bottom) / 2;
    draw().scrollLeft += (line.left + line.right - view.left - view.right) / 2;
  }

  // Another bracket comes into the place of this one; what is looked at stays in sight.
  function lay(next, keep) {
    const before = draw();
    const place = before && keep ? [before.scrollLeft, before.scrollTop] : null;
    const focused = document.activeElement?.closest?.("li[id], [id]")?.id;
    const past = place ? [...before.querySelectorAll(".round")].map((round) => round.classList.contains("past")) : [];
    bracket().replaceWith(document.importNode(next, true));
    begin();
    if (place && draw()) {
      draw().querySelectorAll(".round").forEach((round, at) => round.classList.toggle("past", past[at] ?? false));
      [draw().scrollLeft, draw().scrollTop] = place;
    } else {
      find();
    }
    if (focused) {
      const line = document.getElementById(focused);
      (line?.querySelector("a.slot[aria-current], a.slot") ?? line)?.focus?.({ preventScroll: true });
    }
  }

  // Another view of the same bracket.
  async function show(address, keep) {
    const next = (await fetched(address)).querySelector("[data-bracket]");
    if (!next) throw new Error("no bracket in the answer");
    lay(next, keep);
  }

  // The same view of it as it has become: owlbox.js listens, and lights what has changed.
  document.addEventListener("lay-out", (event) => {
    if (event.target !== bracket()) return;
    event.preventDefault();
    lay(event.detail, true);
  });

  // Inside another site's page nobody listens: it is looked at again now and then.
  const pause = Number(bracket()?.dataset.again);
  if (pause) setInterval(() => { if (!document.hidden) show(location.href, true).catch(() => {}); }, pause * 1000);

  const asked = (link) => {
    const address = new URL(link, location.href);
    return address.pathname === location.pathname && address.search !== location.search ? address : null;
  };
  async function follow(address) {
    const [now, then] = [new URLSearchParams(location.search), address.searchParams];
    const keep = ["flight", "section", "zoom"].every((name) => now.get(name) === then.get(name));
    const inSight = keep && (address.hash || !then.get("player"));
    try {
      await show(address, inSight);
      history.pushState(null, "", address.pathname + address.search);
    } catch {
      location.assign(address);
    }
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("[data-bracket] a[href]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || link.target) return;
    const round = link.closest(".rounds-nav") && document.querySelector(link.getAttribute("href"));
    if (round) {
      event.preventDefault();
      for (const column of draw().querySelectorAll(".past")) column.classList.remove("past");
      draw().scrollTo({ left: round.offsetLeft - (round.previousElementSibling ? 0 : 40), behavior: calm.matches ? "auto" : "smooth" });
      return;
    }
    const address = asked(link.href);
    if (!address) return;
    event.preventDefault();
    follow(address);
  });
  document.addEventListener("change", (event) => {
    const form = event.target.closest?.("[data-bracket] .pick");
    if (!form || event.target.tagName !== "SELECT") return;
    const then = new URLSearchParams(location.search);
    then.delete("section");
    if (event.target.value) then.set("player", event.target.value);
    else then.delete("player");
    follow(new URL(`?${then}`, location.href));
  });
  if (bracket()) {
    addEventListener("popstate", () => show(location.href, false).catch(() => location.reload()));
    begin();
  }

  // --- The draw ----------------------------------------------------------------------------------

  const drawing = document.querySelector("[data-drawing]");
  if (drawing) {
    const steps = Number(drawing.dataset.drawing);
    const said = drawing.querySelector("[data-drawing-said]");
    const next = drawing.querySelector("[data-drawing-next]");
    const slots = [...drawing.querySelectorAll("[data-step]")];
    let step = 0;
    const to = (there) => {
      step = Math.max(0, Math.min(steps, there));
      for (const slot of slots) {
        const own = Number(slot.dataset.step);
        slot.classList.toggle("waits", own > step);
        slot.classList.toggle("just", own === step && step < steps && !slot.classList.contains("bye"));
      }
      const now = slots.find((slot) => Number(slot.dataset.step) === step && !slot.classList.contains("bye"));
      const words = now?.querySelector("[data-said]")?.dataset.said;
      said.textContent = step === 0 ? said.dataset.start : step === steps ? said.dataset.end : (words ?? "");
      next.disabled = step === steps;
      if (words && step < steps) now.scrollIntoView({ block: "center" });
    };
    drawing.querySelector("[data-drawing-controls]").hidden = false;
    next.addEventListener("click", () => to(step + 1));
    drawing.querySelector("[data-drawing-all]").addEventListener("click", () => to(steps));
    drawing.querySelector("[data-drawing-again]").addEventListener("click", () => { to(0); next.focus(); });
    to(0);
  }

  // --- The screen on the wall ----------------------------------------------------------------------

  const wall = document.body.dataset.wall ? document.body : null;
  if (wall) {
    const turn = async () => {
      try {
        const next = await fetched(wall.dataset.next);
        wall.dataset.wall = next.body.dataset.wall ?? wall.dataset.wall;
        wall.dataset.next = next.body.dataset.next ?? wall.dataset.next;
        document.getElementById("wall").replaceWith(document.importNode(next.getElementById("wall"), true));
      } catch {
        // What is there stays, and says that it is old.
        const lost = document.querySelector("[data-wall-lost]");
        if (lost) lost.hidden = false;
      }
      setTimeout(turn, Math.max(3, Number(wall.dataset.wall)) * 1000);
    };
    setTimeout(turn, Math.max(3, Number(wall.dataset.wall)) * 1000);
  }
})();
