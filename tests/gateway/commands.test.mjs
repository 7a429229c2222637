// The commands and requests that the panel copies for its actions, run by a shell: the real Gateway does what they say, and a program gets
// the words that are meant.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { promisify } from "node:util";
import { connect, state } from "../support/live.mjs";
import { stage } from "../support/stage.mjs";
import { TIMEOUT } from "../support/timeout.mjs";
import { OPERATOR_TOKEN, startGateway } from "./gateway.mjs";

/** A connection that ends is what one of these tests causes. */
const { server, newPage } = await stage({ ignore: /WebSocket connection to|ERR_CONNECTION/ });
const folder = await mkdtemp(join(tmpdir(), "runstate-commands-"));
after(() => rm(folder, { recursive: true, force: true }));
// The command line is not installed here: this program in its place prints each of its words.
await writeFile(join(folder, "smithers"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n", { mode: 0o755 });

/** What a command prints when a shell runs it. */
async function shell(command, environment = {}) {
  const env = { ...process.env, PATH: folder + delimiter + process.env.PATH, ...environment };
  return (await promisify(execFile)("sh", ["-c", command], { env, cwd: folder })).stdout;
}

describe("what is copied for an action, in a shell", { skip: process.platform === "win32" && "these shells are POSIX shells" }, () => {
  let gateway, page, close;
  before(async () => (gateway = await startGateway()));
  after(() => gateway.stop());
  beforeEach(async () => ({ page, close } = await newPage()));
  afterEach(() => close());

  /** Shows a run, and returns the function that copies the command or the request of an action. */
  async function show(runId, word) {
    await connect(page, `${server.origin}/#connect`, { url: gateway.url, token: OPERATOR_TOKEN, run: runId });
    await state(page, word);
    await page.evaluate(() => (navigator.clipboard.writeText = async (text) => void (window.copiedText = text)));
    return async (what, kind) => {
      const button = await page.waitForSelector(`[data-action="${what}-${kind}"]`);
      await page.evaluate(() => delete window.copiedText);
      await button.evaluate((element) => element.click());
      return (await page.waitForFunction(() => window.copiedText)).jsonValue();
    };
  }
  /** Runs the words of a command, as a program gets them. */
  const words = async (command) => (await shell(command)).split("\n").slice(0, -1);
  /** Runs a request, and returns the Gateway's answer. */
  async function request(command) {
    const answer = JSON.parse(await shell(command, { SMITHERS_API_KEY: OPERATOR_TOKEN }));
    assert.equal(answer.ok, true, JSON.stringify(answer));
    return answer;
  }
  const waiting = async (workflow, word) => {
    const runId = await gateway.launch(workflow);
    await gateway.waitForState(runId, word);
    return runId;
  };

  for (const [kind, end] of [
    ["approve", "succeeded"],
    ["deny", "failed"],
  ]) {
    test(`decides an approval: ${kind}`, async () => {
      const runId = await waiting("approval", "waiting-approval");
      const copy = await show(runId, "waiting-approval");
      assert.deepEqual(await words(await copy("command", kind)), [kind, runId, "--node", "release-gate", "--iteration", "0"]);
      await request(await copy("request", kind));
      await gateway.waitForState(runId, end);
      await state(page, end);
    });
  }

  test("sends a signal", async () => {
    const runId = await waiting("event", "waiting-event");
    const copy = await show(runId, "waiting-event");
    const expected = ["signal", runId, "deploy.finished", "--data", "{}", "--correlation", "release-7"];
    assert.deepEqual(await words(await copy("command", "signal")), expected);
    await request((await copy("request", "signal")).replace('"payload":{}', '"payload":{"value":"done"}'));
    await gateway.waitForState(runId, "succeeded");
  });

  test("tries a failed task again", async () => {
    const runId = await waiting("fail", "failed");
    const copy = await show(runId, "failed");
    const { workflowPath } = await gateway.rpc("getRun", { runId });
    const expected = ["up", workflowPath, "--run-id", runId, "--resume", "true"];
    assert.deepEqual(await words(await copy("command", "retry")), expected);
    await request(await copy("request", "retry"));
    await gateway.waitForState(runId, "failed");
  });

  test("resumes a run whose engine is gone", async () => {
    const { runId, go } = await gateway.launchHeld("slow");
    await gateway.waitForState(runId, "running");
    await gateway.restart();
    await gateway.waitForState(runId, "orphaned", 4 * TIMEOUT);
    const copy = await show(runId, "orphaned");
    const { workflowPath } = await gateway.rpc("getRun", { runId });
    const expected = ["up", workflowPath, "--run-id", runId, "--resume", "true", "--force", "true"];
    assert.deepEqual(await words(await copy("command", "resume")), expected);
    await request(await copy("request", "resume"));
    await go();
    await gateway.waitForState(runId, "succeeded");
  });

  test("names an id that a shell would change", async () => {
    const runId = await gateway.launch("approval", {}, "it's $HOME `id`");
    await gateway.waitForState(runId, "waiting-approval");
    const copy = await show(runId, "waiting-approval");
    assert.equal((await words(await copy("command", "approve")))[1], runId);
    await request(await copy("request", "approve"));
    await gateway.waitForState(runId, "succeeded");
  });
});
