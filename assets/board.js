// The board of a refereed game: a roll is played by tapping a checker and where it goes, or by dragging it there.
// Which steps are legal is told by the page (data-play); without this file a play is chosen from a list.
"use strict";
(() => {
  const NS = "http://www.w3.org/2000/svg";
  const HEIGHT = 520, COLUMN = 40, RIM = 43, STACKED = 37, DRAWN = 5, RADIUS = 17.5;
  // Pixels: how far beside a checker it is still held, from where on a touch is no tap, and how far beside a place a tap is for it.
  const NEAR = 4, A_DRAG = 6, BESIDE = 12;
  const MOST_GLIDE = 4; // a play moves no more checkers
  const PIPS = [[], [[3, 3]], [[1, 5], [5, 1]], [[1, 5], [3, 3], [5, 1]], [[1, 1], [1, 5], [5, 1], [5, 5]],
    [[1, 1], [1, 5], [3, 3], [5, 1], [5, 5]], [[1, 1], [1, 3], [1, 5], [5, 1], [5, 3], [5, 5]]];
  let turn = null; // the roll being played
  let held = null; // the checker under the pointer: from, and, once it is dragged, where it is
  let dropped = false; // the click that ends a drag is no tap
  let lay = null; // where the checkers lay when they were last looked at

  const byId = (id) => document.getElementById(id);
  const make = (name, attributes, text) => {
    const element = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // Where a place is drawn, counted by the side on turn; on a mirrored board (G1) the tray is on the left.
  const column = (place, white) => {
    const [left, above] = toTheRight(place, white);
    return [turn.mirrored ? 524 - left : left, above];
  };
  const toTheRight = (place, white) => {
    if (place === 25) return [240, white];
    if (place === 0) return [524, !white];
    // Black counts from the other end, or, where both run the same way round, from half a lap on.
    const point = white ? place : turn.sameWay ? ((place + 11) % 24) + 1 : 25 - place;
    if (point <= 6) return [280 + (6 - point) * COLUMN, false];
    if (point <= 12) return [(12 - point) * COLUMN, false];
    if (point <= 18) return [(point - 13) * COLUMN, true];
    return [280 + (point - 19) * COLUMN, true];
  };

  function drawMen(sources) {
    const men = byId("board-men");
    men.replaceChildren();
    const stack = ([left, above], count, white, under = 0, at = null) => {
      const shown = under + Math.min(count, DRAWN - under);
      for (let nth = under; nth < shown; nth += 1) {
        const y = above ? RIM + STACKED * nth : HEIGHT - RIM - STACKED * nth;
        const man = make("circle", { class: white ? "white" : "black", cx: left + COLUMN / 2, cy: y, r: RADIUS });
        if (at !== null) man.dataset.at = at;
        if (sources.has(at) && nth === shown - 1) man.classList.add("movable");
        men.append(man);
        if (nth === shown - 1 && count > shown - under) {
          men.append(make("text", { class: `count ${white ? "white" : "black"}`, x: left + COLUMN / 2, y }, count));
        }
      }
    };
    const { pinned, off, white } = turn.now;
    const board = [...turn.now.board];
    if (held?.at) board[held.from] -= 1;
    for (let place = 1; place <= 24; place += 1) {
      // A pinned checker lies under those that pin it.
      const under = Math.abs(pinned?.[place] ?? 0);
      if (under) stack(column(place, white), 1, (pinned[place] > 0) === white);
      if (board[place] > 0) stack(column(place, white), board[place], white, under, place);
      if (board[place] < 0) stack(column(place, white), -board[place], !white, under);
    }
    stack(column(25, white), Math.max(board[25], 0), white, 0, 25);
    stack(column(25, !white), Math.max(-board[0], 0), !white);
    stack(column(0, white), off[0], white);
    stack(column(0, !white), off[1], !white);
    document.querySelector("#board-taps .held")?.remove();
    if (!held?.at) return;
    // What is dragged lies above all that is shown of where it may go.
    byId("board-taps").append(make("circle", { class: `${white ? "white" : "black"} held`, cx: held.at.x, cy: held.at.y, r: RADIUS }));
  }

  // Where a checker would come to lie on each place that it can reach.
  function drawLandings(reach) {
    const { pinned, off, white } = turn.now;
    for (const at of reach.keys()) {
      const under = Math.abs(pinned?.[at] ?? 0);
      const nth = Math.min(at === 0 ? off[0] : under + Math.max(turn.now.board[at], 0), DRAWN - 1);
      const [left, above] = column(at, white);
      const cy = above ? RIM + STACKED * nth : HEIGHT - RIM - STACKED * nth;
      byId("board-men").append(make("circle", { class: "landing", cx: left + COLUMN / 2, cy, r: RADIUS - 3 }));
    }
  }

  // What has moved is seen to move, own moves and the other side's: a checker that lies somewhere new comes from where one
  // is missing. The last one of a high stack stands for several.
  function glide() {
    const now = { white: new Map(), black: new Map() };
    const colour = (drawn) => now[drawn.classList.contains("white") ? "white" : "black"];
    const at = (drawn, x, y) => `${drawn.getAttribute(x)},${drawn.getAttribute(y)}`;
    for (const man of document.querySelectorAll("#board-men circle:not(.landing)")) {
      colour(man).set(at(man, "cx", "cy"), { man, many: 1 });
    }
    for (const count of document.querySelectorAll("#board-men .count")) {
      const last = colour(count).get(at(count, "x", "y"));
      if (last) last.many = Number(count.textContent) - DRAWN + 1;
    }
    const before = lay;
    lay = now;
    if (!before || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const more = (here, there) => [...here].flatMap(([place, { many }]) =>
      Array(Math.max(many - (there.get(place)?.many ?? 0), 0)).fill(place));
    for (const side of ["white", "black"]) {
      const [gone, come] = [more(before[side], now[side]), more(now[side], before[side])];
      if (gone.length > MOST_GLIDE || come.length > MOST_GLIDE) continue;
      for (const [nth, place] of come.slice(0, gone.length).entries()) {
        const [[x, y], [fromX, fromY]] = [place, gone[nth]].map((one) => one.split(",").map(Number));
        const away = `${fromX - x}px ${fromY - y}px`;
        now[side].get(place).man.animate({ translate: [away, "0px 0px"] }, { duration: 260, easing: "ease-in-out" });
      }
    }
  }

  // G17: the left die is played first; those that are played fade.
  function drawDice() {
    const dice = byId("board-dice");
    dice.replaceChildren();
    const all = turn.order;
    const left = [...turn.now.dice];
    const size = all.length > 2 ? 0.72 : 1;
    all.forEach((value, at) => {
      const index = left.indexOf(value);
      if (index >= 0) left.splice(index, 1);
      const first = all.length > 2 ? (turn.mirrored ? 63 : 306) : (turn.mirrored ? 94 : 332);
      const x = first + at * (all.length > 2 ? 50 : 76);
      const die = make("g", {
        class: `die-shown ${turn.now.white ? "white" : "black"}${index < 0 ? " played" : ""}`,
        transform: `translate(${x} ${260 - 31 * size}) scale(${size})`,
      });
      const up = make("g", { class: "up" }); // what stays upright where the board stands
      up.append(make("rect", { width: 62, height: 62, rx: 12 }));
      for (const [cx, cy] of PIPS[value]) up.append(make("circle", { cx: cx * 9 + 4, cy: cy * 9 + 4, r: 6 }));
      die.append(make("title", {}, value), up);
      dice.append(die);
    });
  }

  // The steps that may follow, those of the left die first.
  const steps = () => {
    const order = turn.now.dice;
    return [...turn.graph[turn.now.node]].sort((a, b) => order.indexOf(a[1]) - order.indexOf(b[1]));
  };

  // Where the checker at `from` can get, with the steps that take it there.
  function targets(from) {
    const found = new Map();
    const follow = (node, at, path) => {
      const order = turn.now.dice;
      const next = turn.graph[node].filter((step) => step[0] === at);
      next.sort((a, b) => order.indexOf(a[1]) - order.indexOf(b[1]));
      for (const step of next) {
        const to = Math.max(at - step[1], 0);
        const whole = [...path, step];
        if (!found.has(to) || found.get(to).length > whole.length) found.set(to, whole);
        if (to > 0) follow(step[2], to, whole);
      }
    };
    follow(turn.now.node, from, []);
    return found;
  }

  const place = (number) => turn.names[number];

  function take(step) {
    const [from, pips, then] = step;
    const { board, off, dice } = turn.now;
    turn.taken.push({ step, before: turn.now });
    const next = { ...turn.now, board: [...board], off: [...off], dice: [...dice], node: then };
    next.dice.splice(next.dice.indexOf(pips), 1);
    next.board[from] -= 1;
    next.pinned = next.pinned && [...next.pinned];
    if (next.pinned?.[from] && next.board[from] === 0) {
      next.board[from] = next.pinned[from];
      next.pinned[from] = 0;
    }
    const to = Math.max(from - pips, 0);
    if (to === 0) next.off[0] += 1;
    else if (next.board[to] < 0) {
      next.board[to] = 1;
      if (next.pinned) next.pinned[to] = -1;
      else next.board[0] -= 1;
    } else next.board[to] += 1;
    turn.now = next;
  }

  function draw() {
    const from = turn.selected;
    const reach = from === null ? new Map() : targets(from);
    const sources = new Set(steps().map((step) => step[0]));
    drawMen(from === null ? sources : new Set());
    drawLandings(reach);
    glide();
    drawDice();
    for (const point of document.querySelectorAll("#backgammon [data-point]")) {
      const at = Number(point.dataset.point);
      point.classList.toggle("lit", reach.has(at));
      point.classList.toggle("from", at === from);
      point.classList.remove("over");
    }
    for (const tap of document.querySelectorAll("#board-taps .tap")) {
      const at = Number(tap.dataset.place);
      const may = reach.has(at) || sources.has(at);
      tap.classList.toggle("source", sources.has(at) && from === null);
      tap.classList.toggle("target", reach.has(at));
      tap.classList.toggle("selected", at === from);
      tap.classList.remove("over");
      if (!may) {
        for (const name of ["role", "tabindex", "aria-label", "aria-pressed"]) tap.removeAttribute(name);
        continue;
      }
      tap.setAttribute("role", "button");
      tap.setAttribute("tabindex", "0");
      const words = reach.has(at) ? turn.words.toText : turn.words.fromText;
      tap.setAttribute("aria-label", words.replace("%", place(at)));
      tap.setAttribute("aria-pressed", String(at === from));
    }
    const done = steps().length === 0;
    const play = byId("board-play");
    const notation = turn.taken.map(({ step: [at, pips] }) => `${place(at)}${turn.joints[0]}${place(Math.max(at - pips, 0))}`);
    play.disabled = !done;
    play.textContent = `${turn.words.playsText} ${notation.join(turn.joints[1])}`.trim();
    byId("board-steps").value = new URLSearchParams(turn.taken.flatMap(({ step: [at, pips] }, nth) => [
      [`action[steps][${nth}][from]:number`, at], [`action[steps][${nth}][pips]:number`, pips],
    ])).toString();
    byId("board-back").hidden = turn.taken.length === 0;
    const other = turn.now.dice.length === 2 && turn.now.dice[0] !== turn.now.dice[1] ? turn.now.dice[1] : 0;
    byId("board-swap").hidden = turn.taken.length > 0 || !turn.graph[0].some((step) => step[1] === other);
  }

  // Begins anew when there is another roll to play. While it is the same, what was tapped stays, and so does the open list,
  // whatever else on the page has changed.
  function begin() {
    const section = byId("game-board");
    const play = section?.dataset.play;
    if (!play) {
      turn = held = null;
      if (section) glide();
      else lay = null;
      return;
    }
    if (turn && section.dataset.drawn === turn.mark) return;
    held = null;
    byId("backgammon").addEventListener("touchmove", stayPut, { passive: false });
    if (turn?.play !== play) {
      const { graph, board, pinned, same_way: sameWay, off, dice, white, names, joints, mirrored } = JSON.parse(play);
      turn = {
        play, graph, sameWay, names, joints, mirrored, selected: null, taken: [], order: [...dice], mark: String(Date.now() + Math.random()),
        now: { node: 0, board, pinned, off, dice, white },
      };
      byId("board-list").open = false;
    }
    turn.words = section.dataset;
    section.dataset.drawn = turn.mark;
    byId("board-hand").hidden = false;
    draw();
  }

  function tapped(at) {
    const from = turn.selected;
    const reach = from === null ? new Map() : targets(from);
    if (reach.has(at)) {
      for (const step of reach.get(at)) take(step);
      turn.selected = null;
    } else if (at === from) {
      // The same checker again: the left die.
      const step = steps().find((one) => one[0] === at);
      if (step) take(step);
      turn.selected = null;
    } else {
      turn.selected = steps().some((step) => step[0] === at) ? at : null;
    }
    draw();
  }

  // The place that a tap is for: the one tapped, or, where nothing is to be done there, the nearest that the thumb just missed.
  function meant(tap, { clientX: x, clientY: y }) {
    if (tap.hasAttribute("role")) return Number(tap.dataset.place);
    const away = (one) => {
      const box = one.getBoundingClientRect();
      return Math.max(box.left - x, x - box.right, box.top - y, y - box.bottom);
    };
    const [nearest] = [...document.querySelectorAll("#board-taps .tap[role]")].sort((a, b) => away(a) - away(b));
    return Number((nearest && away(nearest) <= BESIDE ? nearest : tap).dataset.place);
  }

  // A page is not scrolled by the finger that holds a checker; from anywhere else on the board it is.
  function stayPut(event) {
    if (held) event.preventDefault();
  }

  // The place of the checker that may move and lies under the pointer.
  function grasped({ clientX: x, clientY: y }) {
    const sources = new Set(steps().map((step) => step[0]));
    for (const man of document.querySelectorAll("#board-men [data-at]")) {
      const box = man.getBoundingClientRect();
      const isIn = x > box.left - NEAR && x < box.right + NEAR && y > box.top - NEAR && y < box.bottom + NEAR;
      if (isIn && sources.has(Number(man.dataset.at))) return Number(man.dataset.at);
    }
    return null;
  }

  // Where the pointer is, in the units of the board, which may stand or be squeezed.
  const onBoard = ({ clientX, clientY }) =>
    new DOMPoint(clientX, clientY).matrixTransform(byId("board-men").getScreenCTM().inverse());

  // The place under the pointer to which the checker may go.
  function aimed({ clientX, clientY }) {
    const tap = document.elementFromPoint(clientX, clientY)?.closest("#board-taps .tap.target");
    return tap ? Number(tap.dataset.place) : null;
  }

  function putBack() {
    const { from, at } = held;
    held = turn.selected = null;
    draw();
    const home = [...document.querySelectorAll(`#board-men [data-at="${from}"]`)].at(-1);
    if (!home || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const away = `${at.x - home.cx.baseVal.value}px ${at.y - home.cy.baseVal.value}px`;
    home.animate({ translate: [away, "0px 0px"] }, { duration: 150, easing: "ease-out" });
  }

  document.addEventListener("pointerdown", (event) => {
    dropped = false;
    if (!turn || held || !event.isPrimary || event.button !== 0) return;
    const tap = event.target.closest?.("#board-taps .tap");
    const from = tap ? grasped(event) : null;
    if (from !== null) held = { pointer: event.pointerId, tap, from, x: event.clientX, y: event.clientY, at: null };
  });
  document.addEventListener("pointermove", (event) => {
    if (event.pointerId !== held?.pointer) return;
    if (held.at) {
      held.at = onBoard(event);
      const man = document.querySelector("#board-taps .held");
      man.setAttribute("cx", held.at.x);
      man.setAttribute("cy", held.at.y);
    } else if (Math.hypot(event.clientX - held.x, event.clientY - held.y) > A_DRAG) {
      dropped = true;
      held.at = onBoard(event);
      held.tap.setPointerCapture(event.pointerId); // also what is let go outside the window is told
      turn.selected = held.from;
      draw();
    }
    const over = held.at && aimed(event);
    for (const lit of document.querySelectorAll("#board-taps .tap, #backgammon [data-point]")) {
      lit.classList.toggle("over", over !== null && Number(lit.dataset.place ?? lit.dataset.point) === over);
    }
  });
  document.addEventListener("pointerup", (event) => {
    if (event.pointerId !== held?.pointer) return;
    if (!held.at) {
      held = null; // a tap
      return;
    }
    const to = aimed(event);
    if (to === null) return putBack();
    held = null;
    tapped(to);
  });
  document.addEventListener("pointercancel", (event) => {
    if (event.pointerId !== held?.pointer) return;
    if (held.at) putBack();
    else held = null;
  });

  document.addEventListener("click", (event) => {
    if (!turn || dropped) return;
    const tap = event.target.closest?.("#board-taps .tap");
    if (tap) return tapped(meant(tap, event));
    const id = event.target.closest?.("button")?.id;
    if (id === "board-swap") {
      turn.order.reverse();
      turn.now = { ...turn.now, dice: [...turn.order] };
      draw();
    } else if (id === "board-back") {
      turn.now = turn.taken.pop().before;
      turn.selected = null;
      draw();
    }
  });
  document.addEventListener("keydown", (event) => {
    dropped = Boolean(held?.at);
    const tap = event.target.closest?.("#board-taps .tap");
    if (turn && event.key === "Escape" && held?.at) putBack();
    if (turn && event.key === "Escape" && turn.selected !== null) {
      turn.selected = null;
      draw();
    }
    if (!turn || !tap || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    tapped(Number(tap.dataset.place));
    goOn(tap);
  });

  // By keyboard the focus stays on the board until the roll is played, and then stands on the button that plays it.
  function goOn(tap) {
    const target = turn.selected !== null && document.querySelector("#board-taps .tap.target");
    const next = target || (tap.hasAttribute("tabindex") ? tap : document.querySelector("#board-taps .tap[tabindex]"));
    (next ?? byId("board-play")).focus();
  }

  // What is unfolded comes above the bar.
  document.addEventListener("toggle", (event) => {
    if (event.target.open && event.target.closest?.("#game-board")) event.target.scrollIntoView({ block: "nearest" });
  }, true);

  const table = byId("table");
  if (!table) return;
  begin();
  // The table is replaced as acts come in, and with it what was drawn here.
  new MutationObserver(begin).observe(table.parentNode, {
    subtree: true, childList: true, attributes: true, attributeFilter: ["data-drawn", "data-play", "data-version"],
  });
})();
