// What a person has set in the panel; the browser keeps it for the extension. A classic script, because theme.js is one.
globalThis.runstateSettings = {
  /** The value of a setting; `null` if it was never set. */
  get(name) {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(name, value);
    } catch {
      // The browser keeps nothing for extensions: the setting lasts as long as the panel.
    }
  },
};
