// Two panels that share a module and a token, and actions that the page carries out itself.
const form = document.querySelector("form");
const output = document.querySelector("output");
const panels = [...document.querySelectorAll("runstate-panel")];

// The page's own server has the Gateway behind it. Another origin works with its WebSocket address: "wss://gateway.example".
const gateway = location.origin;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const { token } = Object.fromEntries(new FormData(form));
  form.reset();
  output.textContent = "";
  // Gateway and token together: a token is dropped when the Gateway changes without a new one.
  for (const panel of panels) Object.assign(panel, { gateway, token });
});

document.addEventListener("runstate-refusal", ({ detail }) => (output.textContent = `${detail.message} (${detail.code})`));

// Without `preventDefault()` the panel copies the command or the call. Here the page's server carries out the call, which is the
// method of the Gateway and its parameters: `submitApproval {"runId":…}`.
document.addEventListener("runstate-action", async (event) => {
  const { kind, call } = event.detail;
  if (kind !== "approve") return;
  event.preventDefault();
  const { status } = await fetch("/actions", { method: "POST", body: call });
  output.textContent = status === 202 ? "Approved." : `The server answered ${status}.`;
});
