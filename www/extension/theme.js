// The panel has the theme of the developer tools around it, which may differ from that of the system, unless a person has chosen
// another one for that theme. A classic script, so that it runs before the first paint.
const panels = globalThis.chrome?.devtools?.panels;

if (panels) {
  let surrounding;
  const setting = () => `theme-in-${surrounding}`;
  const show = (theme) => {
    surrounding = theme === "dark" ? "dark" : "light";
    document.documentElement.dataset.theme = runstateSettings.get(setting()) ?? surrounding;
  };
  globalThis.runstateTheme = { keep: (theme) => runstateSettings.set(setting(), theme) };

  show(panels.themeName);
  // Firefox has an event; Chromium takes one function.
  if (panels.onThemeChanged) panels.onThemeChanged.addListener(show);
  else panels.setThemeChangeHandler(show);
}
