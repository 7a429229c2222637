// The panel has the theme of the developer tools around it, which may differ from that of the system.
// A classic script, so that it runs before the first paint.
const panels = globalThis.chrome?.devtools?.panels;

function show(theme) {
  document.documentElement.dataset.theme = theme === "dark" ? "dark" : "light";
}

if (panels) {
  show(panels.themeName);
  // Firefox has an event; Chromium takes one function.
  if (panels.onThemeChanged) panels.onThemeChanged.addListener(show);
  else panels.setThemeChangeHandler(show);
}
