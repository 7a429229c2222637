// Runs one step, then waits for a person. The first step takes `ms`, and lasts until the file `until` is there.
import { Approval, mayEnd, outputs, Sequence, sleep, smithers, Task, Workflow } from "./_api";

export default smithers((ctx) => (
  <Workflow name="approval">
    <Sequence>
      <Task id="prepare" output={outputs.note}>
        {async () => {
          await sleep(Number(ctx.input?.ms ?? 0));
          while (!mayEnd(ctx.input?.until)) await sleep(20);
          return { text: "prepared" };
        }}
      </Task>
      <Approval
        id="release-gate"
        output={outputs.decision}
        request={{ title: "Release version 2.0?", summary: "All checks are green." }}
        onDeny="fail"
      />
      <Task id="publish" output={outputs.note}>
        {{ text: "published" }}
      </Task>
    </Sequence>
  </Workflow>
));
