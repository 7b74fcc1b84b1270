// A match's clock counts between two answers of the service.
// Without this file the clock's page shows what was left when it was made. No text is written here.
"use strict";
(() => {
  const LOW = 60000; // milliseconds

  const clock = () => document.querySelector("[data-clock]");
  if (!clock()) return;

  // How far this machine's clock is behind the service's, found anew whenever the service has answered.
  let answered = "";
  let behind = 0;
  const now = () => {
    const told = clock().dataset.now;
    if (told !== answered) {
      answered = told;
      behind = Number(told) - Date.now();
    }
    return Date.now() + behind;
  };

  const figures = (milliseconds) => {
    const seconds = Math.ceil(Math.abs(milliseconds) / 1000);
    return `${milliseconds < 0 ? "-" : ""}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };
  const put = (element, text) => {
    if (element && element.textContent !== text) element.textContent = text;
  };

  // Only the half whose time runs changes by itself.
  const tick = () => {
    const page = clock();
    const half = page.querySelector(".half.running");
    const at = now();
    if (!half || !page.dataset.since) return;
    const used = Math.max(0, at - Number(page.dataset.since));
    const delay = Number(page.dataset.delay) * 1000;
    const left = Number(half.dataset.left) - Math.max(0, used - delay);
    put(half.querySelector("[data-time]"), figures(left));
    put(half.querySelector("[data-delay-left]"), String(Math.ceil(Math.max(0, delay - used) / 1000)));
    half.classList.toggle("low", left >= 0 && left < LOW);
    half.classList.toggle("out", left < 0);
    put(half.querySelector("[data-warn]"), left < 0 ? page.dataset.outText : left < LOW ? page.dataset.lowText : "");
  };
  setInterval(tick, 100);
  tick();

  // Space presses for the side that has the move; the arrows press each side's own half.
  const half = { ArrowLeft: ".half-upper", ArrowUp: ".half-upper", ArrowRight: ".half-lower", ArrowDown: ".half-lower", " ": ".half.running" };
  addEventListener("keydown", (event) => {
    const wanted = half[event.key];
    if (!wanted || event.repeat || event.altKey || event.ctrlKey || event.metaKey) return;
    // On something of its own the space bar does what it always does.
    if (event.key === " " && event.target.closest?.("a, summary, #clock-press, .half:not(.running) button")) return;
    event.preventDefault();
    const form = clock().querySelector(`${wanted}[data-act]`);
    form?.requestSubmit(form.querySelector("button"));
  });
})();
