// A task that says nothing for longer than it may. An engine that lives ends it then; one that died leaves it at work.
import { outputs, sleep, smithers, Task, Workflow } from "./_api";

export default smithers((ctx) => (
  <Workflow name="silent">
    <Task id="ponder" retries={2} heartbeatTimeoutMs={4000} output={outputs.note}>
      {async () => {
        await sleep(1000 * Number(ctx.input?.seconds ?? 120));
        return { text: "pondered" };
      }}
    </Task>
  </Workflow>
));
