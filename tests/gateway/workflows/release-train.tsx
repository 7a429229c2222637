// A release in small: parallel checks of which one is tolerated to fail, a retry, rounds of fixing, a person's
// decision, a rollout. `ms` is how long one step takes (400 when absent).
import { Approval, Loop, outputs, Parallel, Sequence, sleep, smithers, Task, Workflow } from "./_api";

const SHARDS = ["unit", "typecheck", "lint", "docs", "e2e-chromium", "e2e-firefox", "e2e-webkit", "licences"];
const REGIONS = ["canary", "eu-west-1", "us-east-1", "ap-south-1"];
const tries = new Map<string, number>();

export default smithers((ctx) => {
  const ms = Number(ctx.input?.ms ?? 400);
  const rounds = ctx.iterationCount(outputs.note, "run-tests");
  const step =
    (text: string, share = 1) =>
    async () => {
      await sleep(ms * share);
      return { text };
    };
  const twice = (key: string, text: string) => async () => {
    await sleep(ms);
    const tried = (tries.get(`${ctx.runId} ${key}`) ?? 0) + 1;
    tries.set(`${ctx.runId} ${key}`, tried);
    if (tried < 2) throw new Error(`${text}: the first try found a locked cache`);
    return { text };
  };
  return (
    <Workflow name="release-train">
      <Sequence>
        <Sequence id="prepare">
          <Task id="checkout" output={outputs.note}>
            {step("checked out", 0.5)}
          </Task>
          <Task id="plan-release" label="Plan the release" output={outputs.note}>
            {step("planned")}
          </Task>
          <Task id="changelog" output={outputs.note}>
            {step("written", 0.5)}
          </Task>
        </Sequence>
        <Parallel id="verify" maxConcurrency={4}>
          {SHARDS.map((shard, n) =>
            shard === "e2e-webkit" ? (
              <Task key={shard} id={shard} noRetry continueOnFail output={outputs.note}>
                {async () => {
                  await sleep(ms);
                  throw new Error("3 of 41 specs failed; this shard is allowed to fail");
                }}
              </Task>
            ) : (
              <Task key={shard} id={shard} output={outputs.note}>
                {step(`${shard} is green`, 0.5 + (n % 3))}
              </Task>
            ),
          )}
        </Parallel>
        <Loop id="fix-until-green" until={rounds >= 2} maxIterations={5} onMaxReached="return-last">
          <Sequence>
            <Task id="patch" output={outputs.note}>
              {step("patched", 2)}
            </Task>
            <Task id="run-tests" retries={2} retryPolicy={{ backoff: "fixed", initialDelayMs: 200 }} output={outputs.note}>
              {twice("run-tests", "tests are green")}
            </Task>
          </Sequence>
        </Loop>
        <Approval
          id="review-gate"
          output={outputs.decision}
          request={{ title: "Merge the patch into release/2.14?", summary: "412 of 412 tests pass." }}
          onDeny="fail"
        />
        <Task id="merge-patch" output={outputs.note}>
          {step("merged")}
        </Task>
        <Parallel id="rollout" maxConcurrency={2}>
          {REGIONS.map((region) => (
            <Task key={region} id={`deploy-${region}`} output={outputs.note}>
              {step(`deployed to ${region}`)}
            </Task>
          ))}
        </Parallel>
        <Task id="announce" output={outputs.note}>
          {step("announced")}
        </Task>
      </Sequence>
    </Workflow>
  );
});
