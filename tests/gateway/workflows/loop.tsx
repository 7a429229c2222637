// Repeats one step `times` times (3 when absent), each `ms` long (200 when absent).
import { Loop, outputs, Sequence, sleep, smithers, Task, Workflow } from "./_api";

export default smithers((ctx) => {
  const times = Number(ctx.input?.times ?? 3);
  const done = ctx.iterationCount(outputs.note, "polish");
  return (
    <Workflow name="loop">
      <Sequence>
        <Loop id="rounds" until={done >= times} maxIterations={Math.max(times, 1)} onMaxReached="return-last">
          <Task id="polish" output={outputs.note}>
            {async () => {
              await sleep(Number(ctx.input?.ms ?? 200));
              return { text: "polished" };
            }}
          </Task>
        </Loop>
        <Task id="ship" output={outputs.note}>
          {{ text: "shipped" }}
        </Task>
      </Sequence>
    </Workflow>
  );
});
