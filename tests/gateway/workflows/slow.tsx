// One step that runs for `seconds` (120 when absent), or until the file `until` is there, and keeps its heartbeat fresh meanwhile.
import { mayEnd, outputs, Sequence, sleep, smithers, Task, Workflow } from "./_api";

export default smithers((ctx) => (
  <Workflow name="slow">
    <Sequence>
      <Task id="warm-up" output={outputs.note}>
        {{ text: "warm" }}
      </Task>
      <Task id="grind" output={outputs.note}>
        {async () => {
          const end = Date.now() + 1000 * Number(ctx.input?.seconds ?? 120);
          // Short naps, so that a cancel is noticed.
          while (Date.now() < end && !(ctx.input?.until && mayEnd(ctx.input.until))) await sleep(100);
          return { text: "ground" };
        }}
      </Task>
      <Task id="finish" output={outputs.note}>
        {{ text: "finished" }}
      </Task>
    </Sequence>
  </Workflow>
));
