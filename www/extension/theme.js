// The panel looks as the developer tools around it do, which need not be as the system does.
// A classic script, so that it runs before the first paint.
const panels = globalThis.chrome?.devtools?.panels;

function show(theme) {
  document.documentElement.dataset.theme = theme === "dark" ? "dark" : "light";
}

if (panels) {
  show(panels.themeName);
  panels.setThemeChangeHandler?.(show);
}
