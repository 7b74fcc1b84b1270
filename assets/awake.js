// What is looked at without being touched stays lit: a table, its board, a clock as long as something happens there, and the
// wall always. Browsers can do that where the page came by https; they do not ask, and it ends with the page.
"use strict";
(() => {
  if (!navigator.wakeLock) return;
  const LEFT_ALONE = 30 * 60000; // milliseconds until a table where nothing happens may go dark
  const lives = () => document.querySelector("[data-page][data-live], [data-wall]");
  let lock = null;
  let asking = false;
  let timer = 0;
  const rest = () => {
    lock?.release();
    lock = null;
  };
  async function keep() {
    clearTimeout(timer);
    if (!lives()) return rest();
    if (!document.body.dataset.wall) timer = setTimeout(rest, LEFT_ALONE);
    // The browser takes it back from a page that is not seen.
    if (asking || (lock && !lock.released) || document.visibilityState !== "visible") return;
    asking = true;
    try {
      lock = await navigator.wakeLock.request("screen");
    } catch { /* the battery is low, or the device does not do it */ }
    asking = false;
    if (!lives()) rest();
  }
  document.addEventListener("visibilitychange", keep);
  addEventListener("pointerdown", keep, true);
  const seen = { subtree: true, attributes: true, attributeFilter: ["data-version", "data-live"] };
  new MutationObserver(keep).observe(document.body, seen);
  keep();
})();
