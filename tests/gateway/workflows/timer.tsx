// Waits for a timer of `seconds` (6 when absent) between two steps.
import { outputs, Sequence, smithers, Task, Timer, Workflow } from "./_api";

export default smithers((ctx) => (
  <Workflow name="timer">
    <Sequence>
      <Task id="before" output={outputs.note}>
        {{ text: "before" }}
      </Task>
      <Timer id="pause" duration={`${Number(ctx.input?.seconds ?? 6)}s`} />
      <Task id="after" output={outputs.note}>
        {{ text: "after" }}
      </Task>
    </Sequence>
  </Workflow>
));
