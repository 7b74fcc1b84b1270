// A page that lives calls its reader when something on it becomes theirs to do (`data-calls` says what): the title says so,
// and for those who have asked for it the phone sounds and shakes. No text is written here.
"use strict";
(() => {
  const KEPT = "owlbox-bell";
  const bell = document.getElementById("bell");
  const title = document.title;
  const calls = () => document.querySelector("[data-page] [data-calls]")?.dataset.calls ?? "";
  const isOn = () => bell.getAttribute("aria-pressed") === "true";
  let sound = null; // made when somebody taps: browsers allow none before
  let heard = calls();

  function ring() {
    bell.dispatchEvent(new CustomEvent("ring", { bubbles: true }));
    navigator.vibrate?.([200, 100, 200]);
    if (sound?.state !== "running") return;
    for (const [at, pitch] of [[0, 660], [0.18, 880]]) {
      const [tone, loudness] = [sound.createOscillator(), sound.createGain()];
      const from = sound.currentTime + at;
      tone.frequency.value = pitch;
      loudness.gain.setValueAtTime(0.3, from);
      loudness.gain.exponentialRampToValueAtTime(0.001, from + 0.3);
      tone.connect(loudness).connect(sound.destination);
      tone.start(from);
      tone.stop(from + 0.3);
    }
  }
  function look() {
    const now = calls();
    document.title = now ? `● ${now} · ${title}` : title;
    if (now === heard) return;
    heard = now;
    if (now && isOn()) ring();
  }

  function set(on) {
    bell.setAttribute("aria-pressed", on);
    try { localStorage.setItem(KEPT, on ? "on" : ""); } catch { /* no store: this page only */ }
  }
  const wake = () => { (sound ??= new AudioContext()).resume(); };
  bell.addEventListener("click", () => {
    set(!isOn());
    if (!isOn()) return;
    wake();
    sound.resume().then(ring); // so that they know it
  });
  try {
    if (localStorage.getItem(KEPT)) {
      set(true);
      addEventListener("pointerdown", wake, { once: true, capture: true });
    }
  } catch { /* no store */ }
  bell.hidden = false;
  new MutationObserver(look).observe(document.querySelector("main"), {
    subtree: true, childList: true, attributes: true, attributeFilter: ["data-calls"],
  });
  look();
})();
