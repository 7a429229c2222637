// Starts the real Gateway of this folder for a test, and speaks its HTTP RPC. `npm ci` installs it, and the Bun that runs it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { TIMEOUT } from "../support/timeout.mjs";

const here = dirname(fileURLToPath(import.meta.url));

/** The token that may do everything; see gateway.ts for the others. */
export const OPERATOR_TOKEN = "operator-token";

/** An RPC that the Gateway refused: `code` and `message` are the Gateway's own. */
export class GatewayError extends Error {
  constructor(method, error) {
    super(`${method}: ${error.code}: ${error.message}`);
    this.code = error.code;
    this.detail = error;
  }
}

/**
 * Starts a Gateway and waits until it listens.
 *
 * `port` 0 takes a free one. `db` is the SQLite file; without it the database lives and dies with this Gateway.
 * `heartbeatMs` is the interval of `tick`. `dashboard` is a folder that `runstate/gateway` serves below `/runstate/`, with
 * `files` (names and texts) in it; `routes` is the file of another `runstate/gateway` that serves its own dashboard there; `page` is a
 * folder that is served below `/page/` instead. Without `tokens` everybody on this machine is the operator; `origins` are the
 * `allowedOrigins`, in which PORT stands for the port.
 */
export async function startGateway({
  port = 0,
  db,
  heartbeatMs = 2000,
  dashboard,
  files = {},
  routes,
  page,
  tokens = true,
  origins = [],
} = {}) {
  // A folder for each Gateway, below the installed packages, so that the sources find them.
  const work = await mkdtemp(join(here, "work-"));
  for (const part of ["gateway.ts", "tsconfig.json", "workflows"]) {
    await cp(join(here, part), join(work, part), { recursive: true });
  }
  if (dashboard) {
    // As in the package.
    const panel = join(work, "elements/panel");
    await cp(join(here, "../../gateway-routes"), join(work, "gateway"), { recursive: true });
    await cp(dashboard, panel, { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(panel, name), text);
  }
  const settings = {
    RUNSTATE_DB: db ?? join(work, "smithers.db"),
    HEARTBEAT_MS: String(heartbeatMs),
    ROUTES: dashboard ? join(work, "gateway/index.js") : (routes ?? ""),
    PAGE: page ?? "",
    NO_TOKENS: tokens ? "" : "1",
    ORIGINS: origins.join(","),
  };
  const gateway = new Gateway(work, settings);
  await gateway.start(port);
  return gateway;
}

/** One Gateway process; `restart` gives the same database, port and identity a new process. */
class Gateway {
  #child = null;
  #output = [];
  #held = 0;

  /** `settings` are the environment variables that gateway.ts names. */
  constructor(work, settings) {
    this.work = work;
    this.settings = settings;
    this.port = 0;
  }

  /** The WebSocket address. */
  get url() {
    return `ws://127.0.0.1:${this.port}`;
  }

  /** The HTTP address. */
  get http() {
    return `http://127.0.0.1:${this.port}`;
  }

  get token() {
    return OPERATOR_TOKEN;
  }

  get pid() {
    return this.#child?.pid;
  }

  /** What the process printed so far. */
  get output() {
    return this.#output.join("\n");
  }

  async start(port) {
    const child = spawn(bun(), ["gateway.ts"], {
      cwd: this.work,
      env: { ...process.env, ...this.settings, PORT: String(port), END_WITH_STDIN: "1" },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#child = child;
    createInterface({ input: child.stderr }).on("line", (line) => this.#output.push(line));
    this.port = await this.#listening(child);
  }

  #listening(child) {
    return new Promise((resolve, reject) => {
      const fail = (why) => reject(new Error(`the Gateway did not start: ${why}\n${this.output}`));
      const late = setTimeout(() => {
        child.kill("SIGKILL");
        fail(`no answer in ${2 * TIMEOUT} ms`);
      }, 2 * TIMEOUT);
      child.once("error", (error) => fail(error.message));
      child.once("exit", (code, signal) => {
        clearTimeout(late);
        fail(`it ended with ${signal ?? `code ${code}`}`);
      });
      createInterface({ input: child.stdout }).on("line", (line) => {
        this.#output.push(line);
        const port = /^listening (\d+) \d+$/.exec(line)?.[1];
        if (!port) return;
        clearTimeout(late);
        resolve(Number(port));
      });
    });
  }

  /** Calls a method over HTTP and returns its payload; a refusal is thrown as `GatewayError`. */
  async rpc(method, params = {}, { token = OPERATOR_TOKEN } = {}) {
    const response = await fetch(`${this.http}/rpc`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ id: "test", method, params }),
    });
    const frame = await response.json();
    if (!frame.ok) throw new GatewayError(method, frame.error);
    return frame.payload;
  }

  /** Launches a workflow (a file name of `workflows/`) and returns the run's id. */
  async launch(workflow, input = {}, runId = undefined) {
    const answer = await this.rpc("launchRun", { workflow, input, options: runId ? { runId } : {} });
    return answer.runId;
  }

  /** Launches `approval` or `slow`, of which a step lasts until `go` is called: so that its run can be seen at work. */
  async launchHeld(workflow) {
    const path = join(this.work, `go-${++this.#held}`);
    const runId = await this.launch(workflow, { until: path });
    return { runId, go: () => writeFile(path, "") };
  }

  /** Decides an approval. */
  approve(runId, nodeId, approved = true) {
    return this.rpc("submitApproval", { runId, nodeId, iteration: 0, decision: { approved } });
  }

  /** The stored events of a run, the oldest first. */
  async events(runId) {
    const address = `${this.http}/v1/api/runs/${encodeURIComponent(runId)}/events?limit=10000`;
    const response = await fetch(address, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } });
    return (await response.json()).data;
  }

  /** Reads `getRun` until its derived state is `state`; the run's row is returned. */
  async waitForState(runId, state, timeoutMs = TIMEOUT) {
    const until = performance.now() + timeoutMs;
    let seen = "no run";
    while (performance.now() < until) {
      try {
        const run = await this.rpc("getRun", { runId });
        seen = run.runState?.state ?? "no runState";
        if (seen === state) return run;
      } catch (error) {
        // The row is written shortly after the launch was answered.
        if (error.code !== "NOT_FOUND") throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`run ${runId} is "${seen}", not "${state}", after ${timeoutMs} ms`);
  }

  /** Ends the process as a crash would: no goodbye, the database stays for `restart`. */
  kill() {
    return this.#end("SIGKILL");
  }

  /** Starts again on the same port, after `kill`; `settings` replace some of the environment variables that gateway.ts names. */
  async restart(settings = {}) {
    Object.assign(this.settings, settings);
    await this.#end("SIGKILL");
    await this.start(this.port);
  }

  /** Ends the Gateway and removes its folder. */
  async stop() {
    await this.#end("SIGTERM", 5000);
    await rm(this.work, { recursive: true, force: true, maxRetries: 10 });
  }

  async #end(signal, patienceMs) {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    const force = patienceMs && setTimeout(() => child.kill("SIGKILL"), patienceMs);
    await gone;
    clearTimeout(force);
  }
}

/** npm installs the one package of Bun for this platform. */
function bun() {
  const packages = join(here, "node_modules/@oven");
  return join(packages, readdirSync(packages)[0], "bin", process.platform === "win32" ? "bun.exe" : "bun");
}
