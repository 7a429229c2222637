// React 19 sets properties of custom elements and listens to their events by `on` and the event's name.
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import type { RunstateChange } from "runstate/elements";
import "runstate/elements/define";
import type {} from "runstate/elements/react";

function Release() {
  const [run, setRun] = useState<object>();
  const [change, setChange] = useState<RunstateChange>();
  useEffect(() => {
    fetch("/run.json").then(async (response) => setRun(await response.json()));
  }, []);
  return (
    <>
      <h1>Release</h1>
      <p>
        Now: <runstate-pill state={change?.state}>not known yet</runstate-pill> <span id="reason">{change?.reason}</span>
      </p>
      {/* The folder `elements/panel` of the npm package, copied to the application's server. */}
      <runstate-panel
        assets="/runstate/panel"
        view="header"
        label="Run of the release"
        content={run}
        onrunstate-change={({ detail }) => setChange(detail)}
      >
        The panel loads. <a href="/runs">All runs</a>
      </runstate-panel>
    </>
  );
}

createRoot(document.getElementById("app")!).render(<Release />);
