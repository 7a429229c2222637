/** A word of a vocabulary, or one that Runstate does not know. */
type OpenWord<Word extends string> = Word | (string & {});

/** An event of a run as Smithers writes it (seed 003). The other fields depend on the type. `timestampMs` is in milliseconds since 1970. */
export type SmithersEvent = {
  type: string;
  runId: string;
  timestampMs: number;
  nodeId?: string;
  iteration?: number;
  attempt?: number;
  [field: string]: unknown;
};

/** The workflow as rendered for a frame. */
export type GraphSnapshot = { runId: string; frameNo: number; xml: XmlNode | null; tasks: TaskDescriptor[] };

/** A part of a workflow's markup. */
export type XmlNode = XmlElement | XmlText;
export type XmlElement = { kind: "element"; tag: string; props: Record<string, string>; children: XmlNode[] };
export type XmlText = { kind: "text"; text: string };

/** The response to `getNodeOutput`. */
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

/** The delay before a failed task is tried again. */
export type RetryPolicy = { backoff?: OpenWord<"fixed" | "linear" | "exponential">; initialDelayMs?: number };

/** The response to `retryTask`. */
export type RetryTaskResult = { success: boolean; resetNodes: string[]; error?: string };

/** The result of a run that ended, or the status of one that waits. */
export type RunResult = { runId: string; status: string; output?: unknown; error?: unknown };

/** An error of Smithers. */
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

/** A task of a workflow, as the engine plans it. */
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
  /** The number of retries; `null` for no limit. */
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
