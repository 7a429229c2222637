// A page without a bundler: shows a run from a file, and writes its state next to a pill.
const panel = document.querySelector("runstate-panel");
const pill = document.querySelector("runstate-pill");

panel.addEventListener("runstate-change", ({ detail }) => {
  pill.value = panel.runState;
  document.querySelector("#reason").textContent = detail.reason ?? "";
});
panel.document = await (await fetch("/run.json")).json();
