// Turns the screens that the panel reports into states and events of <runstate-panel>.
import { emit, setStates } from "./element.js";
import { freshnessOf, reasonOf, viewOf } from "./view.js";

/** The Gateway's refusal, or the reason why it was not reached. */
const refusalOf = (shown) => shown?.refusal ?? shown?.openFailure;

/** Sets the element's states to those of the screen, and dispatches an event for each change since the previous screen. */
export function changeScreen(element, internals, previous, shown) {
  const freshness = freshnessOf(shown.header);
  const isOld = ["late", "lost", "refused", "resyncing", "stale"].includes(freshness);
  const states = { live: shown.live && freshness === "live", stale: isOld, refused: shown.screen === "refusal" };
  setStates(
    internals,
    Object.keys(states).filter((name) => states[name]),
  );
  emitChange(element, previous, shown);
  const previousFreshness = freshnessOf(previous?.header);
  if (previousFreshness !== freshness) emit(element, "freshness", { freshness, previous: previousFreshness });
  if (previous?.selected !== shown.selected && shown.selected) emit(element, "select", { nodeId: shown.selected });
  const refusal = refusalOf(shown);
  if (refusal && refusal.code !== refusalOf(previous)?.code) emitRefusal(element, refusal);
}

/** Dispatches that another run is on screen, or that the state of the run has changed. */
function emitChange(element, previous, shown) {
  const [previousView, view] = [viewOf(previous?.header), viewOf(shown.header)];
  const keyOf = (view) => JSON.stringify([view?.runId, view?.state, view?.blocked, view?.unhealthy]);
  if (keyOf(previousView) === keyOf(view)) return;
  emit(element, "change", {
    kind: view?.kind,
    state: view?.state,
    previous: previousView?.state,
    runId: view?.runId,
    reason: reasonOf(shown.header),
    blocked: view?.blocked?.kind,
    unhealthy: view?.unhealthy?.kind,
    freshness: freshnessOf(shown.header),
  });
}

/** Dispatches a refusal. Superseded and cancelled requests are none. */
export function emitRefusal(element, { code, message, hint }) {
  if (!["SUPERSEDED", "CANCELLED"].includes(code)) emit(element, "refusal", { code, message, hint });
}

/** Dispatches an error. */
export const emitError = (element, { code, message, hint }) => emit(element, "error", { code, message, hint });
