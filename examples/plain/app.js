// A page without a bundler: writes the state of the panel's run next to a pill. The panel itself needs no script: its `src` names the run.
const panel = document.querySelector("runstate-panel");
const pill = document.querySelector("runstate-pill");

function show({ detail }) {
  pill.value = panel.runState;
  document.querySelector("#reason").textContent = detail.reason ?? "";
}

panel.addEventListener("runstate-change", show);
