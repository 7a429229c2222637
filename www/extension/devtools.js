// Runs once per developer tools window and adds the panel to it.
chrome.devtools.panels.create("Runstate", "icons/icon-32.png", "panel.html");
