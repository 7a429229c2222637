// One node of each kind that a detail has to show: an agent, a retry, an error in colour, an output of `megabytes` (20 when absent), an
// id that the Gateway refuses, a loop, and a decision at the end.
import { Approval, Loop, outputs, Sequence, sleep, smithers, Task, Workflow } from "./_api";

const tries = new Map<string, number>();

// Calls no model.
const scripted = {
  id: "scripted",
  model: "scripted-1",
  async generate() {
    const output = { text: "patched by an agent", n: 4 };
    return { text: JSON.stringify(output), output, usage: { inputTokens: 1200, outputTokens: 345, totalTokens: 1545 } };
  },
};

export default smithers((ctx) => {
  const rounds = ctx.iterationCount(outputs.note, "polish");
  return (
    <Workflow name="detail">
      <Sequence>
        <Task id="write" agent={scripted as never} output={outputs.note}>
          Write a patch that fixes the parser.
        </Task>
        <Task id="flaky" retries={2} retryPolicy={{ backoff: "fixed", initialDelayMs: 200 }} output={outputs.note}>
          {async () => {
            await sleep(20);
            const tried = (tries.get(ctx.runId) ?? 0) + 1;
            tries.set(ctx.runId, tried);
            if (tried < 2) throw new Error("flaky failure: the cache is locked");
            return { text: "second try", n: 140737488355327 };
          }}
        </Task>
        <Task id="colourful" noRetry continueOnFail output={outputs.note}>
          {() => {
            throw new Error("\u001b[31m✖\u001b[0m 3 of 41 specs failed <img src=x onerror=alert(1)>");
          }}
        </Task>
        <Task id="large" output={outputs.note}>
          {{ text: "z".repeat(Number(ctx.input?.megabytes ?? 20) * 1_000_000), n: 20 }}
        </Task>
        <Task id="with space" output={outputs.note}>
          {{ text: "odd id" }}
        </Task>
        <Loop id="rounds" until={rounds >= 3} maxIterations={3} onMaxReached="return-last">
          <Task id="polish" output={outputs.note}>
            {async () => {
              await sleep(20);
              return { text: `round ${rounds}`, n: rounds };
            }}
          </Task>
        </Loop>
        <Approval
          id="gate"
          output={outputs.decision}
          request={{ title: "Ship the patch?", summary: "One file changed." }}
          allowedScopes={["approval:submit"]}
          allowedUsers={["mira", "jo"]}
        />
      </Sequence>
    </Workflow>
  );
});
