/** A word that may be one that Runstate does not know. */
type OpenWord<Word extends string> = Word | (string & {});

/** An event of a run, as Smithers writes it (seed 003). Which other fields there are depends on the type. */
export type SmithersEvent = {
  type: string;
  runId: string;
  timestampMs: number;
  nodeId?: string;
  iteration?: number;
  attempt?: number;
  [field: string]: unknown;
};

/** The workflow as it was rendered for a frame. */
export type GraphSnapshot = { runId: string; frameNo: number; xml: XmlNode | null; tasks: TaskDescriptor[] };

/** A piece of a workflow's markup. */
export type XmlNode = XmlElement | XmlText;
export type XmlElement = { kind: "element"; tag: string; props: Record<string, string>; children: XmlNode[] };
export type XmlText = { kind: "text"; text: string };

/** What `getNodeOutput` answers. */
export type NodeOutputResponse = {
  status: OpenWord<"produced" | "pending" | "failed">;
  row?: unknown;
  schema?: {
    fields: {
      name: string;
      type: OpenWord<"string" | "number" | "boolean" | "object" | "array" | "null" | "unknown">;
      optional: boolean;
      nullable: boolean;
      description?: string;
      enum?: unknown[];
    }[];
  } | null;
  partial?: unknown;
  error?: { name?: string; code?: string; message: string; attempt?: number } | null;
};

/** How long a task waits before it is tried again. */
export type RetryPolicy = { backoff?: OpenWord<"fixed" | "linear" | "exponential">; initialDelayMs?: number };

/** What `retryTask` answers. */
export type RetryTaskResult = { success: boolean; resetNodes: string[]; error?: string };

/** How a run ended, or what it waits for. */
export type RunResult = { runId: string; status: string; output?: unknown; error?: unknown };

/** An error of Smithers' own. */
export type SmithersError = {
  code: string;
  message: string;
  summary?: string;
  docsUrl?: string;
  details?: unknown;
  cause?: unknown;
  name?: string;
  stack?: string;
};

/** A task as the engine plans it. */
export type TaskDescriptor = {
  nodeId: string;
  ordinal: number;
  iteration: number;
  kind?: string;
  ralphId?: string;
  dependsOn?: string[];
  needs?: Record<string, string>;
  worktreeId?: string;
  worktreePath?: string;
  worktreeBranch?: string;
  outputTable?: unknown;
  outputTableName: string;
  parallelGroupId?: string;
  parallelMaxConcurrency?: number;
  needsApproval: boolean;
  approvalMode?: OpenWord<"gate" | "decision" | "select" | "rank">;
  approvalOnDeny?: OpenWord<"fail" | "continue" | "skip">;
  skipIf: boolean;
  /** How often it is tried again; `null` where it is tried for ever. */
  retries: number | null;
  retryPolicy?: RetryPolicy;
  timeoutMs?: number | null;
  continueOnFail: boolean;
  cachePolicy?: unknown;
  agent?: unknown;
  prompt?: string;
  staticPayload?: unknown;
  label?: string;
  meta?: unknown;
};
