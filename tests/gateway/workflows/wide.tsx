// `count` steps side by side (40 when absent), eight at a time, each `ms` long (50 when absent).
import { outputs, Parallel, Sequence, sleep, smithers, Task, Workflow } from "./_api";

export default smithers((ctx) => {
  const count = Number(ctx.input?.count ?? 40);
  const step = async (n: number) => {
    await sleep(Number(ctx.input?.ms ?? 50));
    return { text: `part ${n}`, n };
  };
  return (
    <Workflow name="wide">
      <Sequence>
        <Parallel id="parts" maxConcurrency={8}>
          {Array.from({ length: count }, (_, n) => (
            <Task key={n} id={`part-${n}`} label={`Part ${n}`} output={outputs.note}>
              {() => step(n)}
            </Task>
          ))}
        </Parallel>
        <Task id="join" output={outputs.note}>
          {{ text: "joined" }}
        </Task>
      </Sequence>
    </Workflow>
  );
});
