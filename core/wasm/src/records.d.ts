/** A word of a vocabulary, or one that Runstate does not know. */
type OpenWord<Word extends string> = Word | (string & {});

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
export type RetryPolicy = { backoff?: OpenWord<RetryBackoff>; initialDelayMs?: number };

/** The rule for reusing an earlier output; its function `by` has no JSON form. */
export type CachePolicy = { version?: string };

/** The parameters of `retryTask`. */
export type RetryTaskOptions = {
  runId: string;
  nodeId: string;
  iteration?: number;
  resetDependents?: boolean;
  force?: boolean;
};

/** The response to `retryTask`. */
export type RetryTaskResult = { success: boolean; resetNodes: string[]; error?: string };

/** The result of a run that ended, or the status of one that waits. */
export type RunResult = { runId: string; status: string; output?: unknown; error?: unknown };

/** The question that an approval asks. */
export type ApprovalRequest = { title: string; summary?: string; metadata?: Record<string, unknown> };

/** A person's decision. `decidedAt` is an ISO time. */
export type ApprovalDecision = {
  approved: boolean;
  note: string | null;
  decidedBy: string | null;
  decidedAt: string | null;
};

/** The code of an error: one of Smithers' own, or that of a host. */
export type SmithersErrorCode = OpenWord<KnownSmithersErrorCode>;

/** An error of Smithers. */
export type SmithersError = {
  code: SmithersErrorCode;
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
  cachePolicy?: CachePolicy;
  agent?: unknown;
  prompt?: string;
  staticPayload?: unknown;
  label?: string;
  meta?: unknown;
};
