// Runs before the first paint, so that a page in the dark never flashes white. A module would run too late.
"use strict";
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("tensemem-theme");
  } catch {
    // Storage may be closed to this page; the system's own choice holds then.
  }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
