// Every export with its types, as `tsc --strict` reads them; the lines marked as errors must be errors.
import init, {
  EventLog,
  InvalidDeltaError,
  RUN_STATE_HEARTBEAT_STALE_MS,
  ServerClock,
  Tree,
  adminTransitionTargets,
  applyDelta,
  canTransition,
  classifyHealth,
  compareWitnesses,
  computeRunState,
  computeRunStateFromRow,
  deriveRunState,
  deriveRunStates,
  deriveSeverity,
  diffSnapshots,
  effectiveState,
  exitCode,
  explainRunState,
  exportRun,
  header,
  initSync,
  inspect,
  normalizeState,
  pill,
  readConductorRun,
  worstHealth,
} from "runstate";
import type {
  ApprovalDecision,
  ApprovalRequest,
  CachePolicy,
  DevToolsSnapshot,
  Inspection,
  KnownSmithersErrorCode,
  RetryPolicy,
  RetryTaskOptions,
  RunState,
  RunStateAdapter,
  RunStateView,
  RunStatus,
  RunstateError,
  SessionStatus,
  SmithersErrorCode,
  SmithersEvent,
  XmlNode,
} from "runstate";

const view: RunStateView = deriveRunState({ run: { runId: "r", status: "running" }, now: 0 });
const state: RunState = view.state;
if (view.blocked?.kind === "timer") view.blocked.wakeAt satisfies string;
// @ts-expect-error a run has an id
deriveRunState({ run: { status: "running" } });
// @ts-expect-error `now` is milliseconds
deriveRunState({ run: { runId: "r" }, now: "2026" });

const clock = new ServerClock();
clock.observePush(1, 2);
clock.observeReply(1, 2, 3);
explainRunState({ run: { runId: "r" }, ...clock.read(4) }).evidence.inputs[0]?.decisive satisfies boolean | undefined;
// @ts-expect-error a stamp is a number
clock.observePush("now", 2);

declare const adapter: RunStateAdapter;
const later: Promise<RunStateView> = computeRunState(adapter, "r", { timerOverdueGraceMs: RUN_STATE_HEARTBEAT_STALE_MS });
computeRunStateFromRow({ ...adapter }, { runId: "r" }) satisfies Promise<RunStateView>;
// @ts-expect-error an adapter reads rows
computeRunState({}, "r");

const views: RunStateView[] = deriveRunStates(new Uint8Array(), { now: 0, isOwnerPidAlive: (pid) => pid > 1 });
deriveRunStates([{ runId: "r" }]);
// @ts-expect-error text, bytes or an object
deriveRunStates(5);

declare const a: DevToolsSnapshot & { mine: number };
const after = applyDelta(a, diffSnapshots(a, a));
after.mine satisfies number;
// @ts-expect-error there is no such step
applyDelta(a, { version: 1, baseSeq: 0, seq: 1, ops: [{ op: "explode" }] });

const tree = new Tree("{}");
tree.apply(new ArrayBuffer(0));
const { total, rows } = tree.rows(0, 10, [1]);
rows.map((row) => row.expanded satisfies boolean);
tree.node(1)?.childIds satisfies number[] | undefined;
tree.snapshot().root.children satisfies unknown[];
// @ts-expect-error a tree is made of a document
new Tree();

const log = new EventLog();
log.push("{}");
log.finish();
log.view().counts.gaps satisfies number;
log.view(0, "r")?.state;
for (const row of log.rows(0, 10, { categories: ["tool"], severity: "error" }).rows) {
  if (row.kind === "gap") row.from satisfies number;
  else row.type satisfies string;
}
// @ts-expect-error there is no such category
log.rows(0, 1, { categories: ["weather"] });

classifyHealth({ status: "running", message_count: 3 }, { now: 1, processAlive: null }).health satisfies string;
// @ts-expect-error silence is counted from a moment
classifyHealth({ status: "running" }, {});
worstHealth(["idle", "stale"]);
// @ts-expect-error no such health
worstHealth(["sleepy"]);
canTransition(null, "failed") satisfies boolean;
adminTransitionTargets[0] satisfies "failed";
exitCode("timed_out") satisfies number | null;
effectiveState({ status: "running" }, { health: "stale" }) satisfies string | null;
deriveSeverity({ outcome: "failed" }).tone satisfies string;
normalizeState({ status: null }).reasons.map(({ message }) => message);
readConductorRun({ "status.json": "{}" }, { now: 0 }).terminal?.exitClean satisfies boolean | null | undefined;
// @ts-expect-error `now` is needed
readConductorRun({}, {});

const found: Inspection = inspect([{ name: "a", bytes: "{}" }], { now: 0 });
if (found.system === "smithers") {
  found.run?.verdict;
  for (const { kind, node, call, untilMs } of found.run?.actions ?? []) {
    if (kind === "wait") untilMs satisfies number | undefined;
    `${node?.nodeId} ${call?.method}` satisfies string;
  }
  found.run?.answer.pill?.label satisfies string | undefined;
  found.run?.witnessComparison.contradicting.map(({ evidence }) => evidence.readFrom satisfies string);
  found.refusal?.actions[0]?.sentence satisfies string | undefined;
  found.runs.map(({ verdict, answer }) => `${verdict.source} ${answer.sentence}` satisfies string);
  // @ts-expect-error what can be done about a run of a list is in its header
  found.runs[0]?.actions;
}
// @ts-expect-error a promise is awaited first
inspect(later, { now: 0 });
inspect({ runId: "r" }, { now: 0 }) satisfies Inspection;
inspect("{}", { now: 0, errorMs: Infinity, live: true });
header(found, { run: "r1" })?.answer.sentence satisfies string | undefined;
header("{}")?.fields.map(({ field, text }) => `${field} ${text}` satisfies string);
// @ts-expect-error a run is named by its id
header("{}", { run: 1 });
// @ts-expect-error live or not
inspect("{}", { live: "yes" });
const compared = compareWitnesses([{ source: "server", state: "running", mine: 7 }]);
compared.shown?.mine satisfies number | undefined;
// @ts-expect-error a witness has one of four sources
compareWitnesses([{ source: "rumour", state: "running" }]);
if (found.system === "lionagi") found.sessions[0]?.normalized.severity;
if (found.system === "tnh-conductor") found.run?.phase ?? found.runs?.[0]?.phase;
// @ts-expect-error which system it is decides
found.sessions;
exportRun([{ name: "a", bytes: "{}" }], { now: 0, redact: ["team"] }) satisfies string;
// @ts-expect-error `now` is needed
exportRun("{}", {});
declare const event: SmithersEvent;
if (event.type === "TokenUsageReported") event.inputTokens satisfies number;
if (event.type === "NodeStarted") event.attempt satisfies number;
({ type: "NodeFailed", runId: "r", timestampMs: 5, nodeId: "build", iteration: 0, attempt: 1, error: "x" }) satisfies SmithersEvent;
// @ts-expect-error a node's event names its iteration
({ type: "NodeSkipped", runId: "r", timestampMs: 5, nodeId: "build" }) satisfies SmithersEvent;
// @ts-expect-error only the events of tools have a name of a tool
if (event.type === "NodeStarted") event.toolName;
// @ts-expect-error no such type
({ type: "NodeDreamed", runId: "r", timestampMs: 5 }) satisfies SmithersEvent;
({ kind: "element", tag: "Task", props: {}, children: [{ kind: "text", text: "Build it." }] }) satisfies XmlNode;
({ backoff: "fibonacci", initialDelayMs: 500 }) satisfies RetryPolicy;
({ runId: "r", nodeId: "build", resetDependents: false }) satisfies RetryTaskOptions;
({ approved: true, note: null, decidedBy: "ada", decidedAt: null }) satisfies ApprovalDecision;
({ title: "Ship it?", metadata: { files: 12 } }) satisfies ApprovalRequest;
({ version: "2" }) satisfies CachePolicy;
"waiting-quota" satisfies RunStatus;
"timed_out" satisfies SessionStatus;
"RUN_NOT_FOUND" satisfies KnownSmithersErrorCode;
"OUT_OF_COFFEE" satisfies SmithersErrorCode;
// @ts-expect-error a status is no state
"succeeded" satisfies RunStatus;
// @ts-expect-error a task has an id
({ runId: "r" }) satisfies RetryTaskOptions;
// @ts-expect-error an element has children
({ kind: "element", tag: "Task", props: {} }) satisfies XmlNode;
pill("run", "running").tone satisfies string;
// @ts-expect-error no such taxonomy
pill("runs", "running");

try {
  inspect("{");
} catch (error) {
  if (error instanceof InvalidDeltaError) error.code satisfies "InvalidDelta";
  (error as RunstateError).position?.line satisfies number | undefined;
}
init({ module_or_path: "/runstate_bg.wasm" });
initSync({ module: new Uint8Array() });

export { after, found, later, state, total, views };
