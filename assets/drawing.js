// The draw by hand. Without this file names are typed into the slots. With it, those without a slot are buttons: a tap puts
// a name into the slot that is next, a drag into any. No text is written here.
"use strict";
(() => {
  const form = document.querySelector("[data-hand-draw]");
  if (!form) return;
  const slots = [...form.querySelectorAll("input[name=slot]")];
  const pool = form.querySelector("[data-pool]");
  const list = pool.querySelector("ul");
  const left = pool.querySelector("[data-left]");
  const offered = [...form.querySelector("datalist").options].map((option) => option.value);
  const open = offered.at(-1); // may stand in any number of slots
  const { plain, finds } = globalThis.names;

  let next = null; // the slot that a tap on a name fills
  const isFree = (slot) => !slot.value.trim();
  function goOn(after) {
    const from = after ? slots.indexOf(after) + 1 : 0;
    mark([...slots.slice(from), ...slots.slice(0, from)].find(isFree) ?? null);
  }
  function mark(slot) {
    next?.closest(".hand-slot").classList.remove("is-next");
    next = slot;
    next?.closest(".hand-slot").classList.add("is-next");
  }

  // The names that stand in no slot. A director who chooses them by keyboard keeps their place in the list.
  function show() {
    const at = [...list.querySelectorAll("button")].indexOf(document.activeElement);
    const placed = new Set(slots.map((slot) => plain(slot.value)));
    const names = offered.slice(0, -1).filter((name) => !placed.has(plain(name)));
    list.replaceChildren(...[...names, open].map((name) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.className = name === open ? "quiet" : "plain";
      button.draggable = true;
      button.append(name);
      item.append(button);
      return item;
    }));
    left.textContent = names.length;
    if (at >= 0) list.querySelectorAll("button")[Math.min(at, names.length)].focus();
    for (const slot of slots) slot.previousElementSibling.draggable = !isFree(slot);
  }
  function put(slot, name) {
    slot.value = name;
    slot.removeAttribute("aria-invalid");
    show();
    goOn(slot);
  }

  list.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button || !next) return;
    const slot = next;
    put(slot, button.textContent);
    next?.scrollIntoView({ block: "nearest" });
  });

  // A part of a name becomes the whole one where only one has it.
  function complete(slot) {
    const typed = plain(slot.value);
    if (!typed || offered.some((name) => plain(name) === typed)) return;
    const meant = offered.filter((name) => finds(typed, name));
    if (meant.length === 1) slot.value = meant[0];
  }
  for (const slot of slots) {
    slot.addEventListener("focus", () => mark(slot));
    slot.addEventListener("input", show);
    slot.addEventListener("change", () => { complete(slot); show(); });
    slot.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault(); // the draw is not made by the way
      complete(slot);
      show();
      goOn(slot);
      (next ?? form.querySelector("button.main")).focus();
    });
  }

  // A name is dragged from the list or from the number of its slot; the name that was there changes places with it.
  let dragged = null; // {name, from}
  form.addEventListener("dragstart", (event) => {
    const from = event.target.closest?.(".hand-slot")?.querySelector("input");
    const name = from ? from.value : event.target.closest?.("[data-pool] button")?.textContent;
    if (!name) return;
    dragged = { name, from };
    event.dataTransfer.setData("text/plain", name);
    event.dataTransfer.effectAllowed = "move";
  });
  const under = (event) => dragged && event.target.closest?.(".hand-slot");
  form.addEventListener("dragover", (event) => {
    const slot = under(event);
    for (const lit of form.querySelectorAll(".hand-slot.over")) lit.classList.toggle("over", lit === slot);
    if (!slot) return;
    event.preventDefault();
    slot.classList.add("over");
  });
  form.addEventListener("drop", (event) => {
    const slot = under(event)?.querySelector("input");
    if (!slot) return;
    event.preventDefault();
    if (dragged.from) dragged.from.value = slot === dragged.from ? "" : slot.value;
    put(slot, dragged.name);
  });
  form.addEventListener("dragend", () => {
    dragged = null;
    for (const lit of form.querySelectorAll(".hand-slot.over")) lit.classList.remove("over");
  });

  pool.hidden = false;
  show();
  goOn(null);
})();
