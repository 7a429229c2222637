/** A word that may be one that Runstate does not know. */
type OpenWord<Word extends string> = Word | (string & {});

/** The records that `readRecord` reads, each by its name. What is missing or null is left out. */
export type Records = {
  /** An event of a run; one of an unknown type is kept whole. */
  Event: EventRecord & (
    | { known: true; category: EventCategory; severity: EventSeverity; fields: Record<string, unknown> }
    | { known: false; event: Record<string, unknown> }
  );
  /** The workflow as it was rendered for a frame. */
  GraphSnapshot: { runId: string; frameNo: number; xml?: Records["XmlNode"]; tasks: Records["TaskDescriptor"][] };
  /** What `getNodeOutput` answers. */
  NodeOutputResponse: {
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
    };
    partial?: unknown;
    error?: { name?: string; code?: string; message: string; attempt?: number };
  };
  /** How long a task waits before it is tried again. */
  RetryPolicy: { backoff?: OpenWord<"fixed" | "linear" | "exponential">; initialDelayMs?: number };
  /** What `retryTask` answers. */
  RetryTaskResult: { success: boolean; resetNodes: string[]; error?: string };
  /** How a run ended, or what it waits for. */
  RunResult: { runId: string; status: string; output?: unknown; error?: unknown };
  /** What a run is doing, as a server says it. */
  RunStateView: ForeignRunStateView;
  /** An error of Smithers' own. */
  SmithersError: {
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
  TaskDescriptor: {
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
    retryPolicy?: Records["RetryPolicy"];
    timeoutMs?: number;
    continueOnFail: boolean;
    cachePolicy?: unknown;
    agent?: unknown;
    prompt?: string;
    staticPayload?: unknown;
    label?: string;
    meta?: unknown;
  };
  /** A piece of a workflow's markup. */
  XmlNode:
    | { kind: "element"; tag: string; props: Record<string, string>; children: Records["XmlNode"][] }
    | { kind: "text"; text: string };
};

/**
 * Reads one record of Smithers by its type: its fields, each of the kind that the type requires.
 *
 * @throws {RunstateError} `NOT_JSON`, `TOO_DEEP`, `TOO_LARGE` or `INVALID_INPUT`, with the place in the text
 */
export function readRecord<Name extends keyof Records>(record: Name, document: Bytes): Records[Name];
