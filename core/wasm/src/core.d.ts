// Written by `RUNSTATE_DECLARATIONS=write cargo test -p runstate declarations` from the types of the core.

/**
 * A reason why the state of a log may be outdated. The sequence numbers of `left-out` may belong to frames, which
 * `smithers events --json` does not print.
 */
export type Caveat = { kind: "lost"; events: number; gaps: number } | { kind: "left-out"; events: number; gaps: number } | { kind: "unread"; lines: number } | { kind: "repeated"; events: number } | { kind: "no-start" } | { kind: "from-nodes" } | { kind: "after-the-end"; events: number } | { kind: "unread-at-end"; lines: number } | { kind: "unknown-last"; eventType: string } | { kind: "contradicted"; state: string; atMs?: number } | { kind: "times-in-seconds"; events: number } | { kind: "times-out-of-range"; events: number; line?: number } | { kind: "times-go-back"; line?: number; ms: number } | { kind: "newest-first" } | { kind: "end-may-be-missing" };

/**
 * A contradiction between answers of the server.
 */
export interface Disagreement {
    /**
     * What the answers differ about.
     */
    question: string;
    /**
     * The answers. The first is shown.
     */
    answers: DisagreementAnswer[];
    /**
     * Why they differ, if that is known.
     */
    why?: string;
}

/**
 * The evidence of a verdict. The inputs are in the order in which the rule reads them; `readFrom` is the file, route or
 * message that contained them, `readAtMs` the time when it was read, in milliseconds since 1970.
 */
export interface Evidence {
    /**
     * The inputs in the order in which the rule reads them.
     */
    inputs: EvidenceInput[];
    /**
     * The document read: an RPC method (`runs.get`), a document part (`runState` of the snapshot), a file name.
     */
    readFrom: string;
    /**
     * The time of reading or computing it, on the server's clock.
     */
    readAtMs?: number;
}

/**
 * An event without its body.
 */
export interface EventFacts {
    /**
     * The number of the event in the log, the argument of `event`.
     */
    row: number;
    /**
     * The type.
     */
    type: string;
    /**
     * The category.
     */
    category: EventCategory;
    /**
     * The severity.
     */
    severity: EventSeverity;
    /**
     * When it was written; `NaN` if the time is in seconds, which counts as absent.
     */
    atMs: number;
    /**
     * The sequence number, if the log has one.
     */
    seq?: number;
    /**
     * The run's id.
     */
    runId: string;
    /**
     * The node's id, if the event is about a node.
     */
    nodeId?: string;
    /**
     * The loop iteration.
     */
    iteration: number;
    /**
     * The attempt.
     */
    attempt?: number;
}

/**
 * One input of the verdict, in words.
 */
export interface HeaderEvidence {
    /**
     * The input.
     */
    name: string;
    /**
     * Its value.
     */
    value: string;
    /**
     * Whether the value is a word of a system, verbatim.
     */
    code: boolean;
    /**
     * Its age when the verdict was made, as text; empty if it has none.
     */
    age: string;
    /**
     * The age beyond which the rule decides differently, as text; empty if there is none.
     */
    limit: string;
    /**
     * Whether the verdict depends on this input.
     */
    decisive: boolean;
    /**
     * The document or method that it was read from.
     */
    readFrom: string;
    /**
     * When it was read, as text.
     */
    readAt?: string;
}

/**
 * The health of a session.
 */
export interface HealthVerdict {
    /**
     * The health.
     */
    health: SessionHealth;
    /**
     * The rank of the health, from 0 (best) to 5 (worst).
     */
    severity: number;
    /**
     * The seconds after which a silent session is no longer healthy.
     */
    threshold: number;
    /**
     * The inputs of the health. Their source is the caller's.
     */
    evidence: Evidence;
}

/**
 * The numbers of lines and events of a log, of unreadable lines, repeated events, gaps and lost events.
 */
export interface EventCounts {
    /**
     * Lines, including empty ones.
     */
    lines: number;
    /**
     * Events, without repeats.
     */
    events: number;
    /**
     * Lines that could not be read.
     */
    unread: number;
    /**
     * Repeated events.
     */
    repeated: number;
    /**
     * Ranges of missing numbers.
     */
    gaps: number;
    /**
     * Missing numbers in these ranges.
     */
    lost: number;
}

/**
 * A node in one iteration, according to the events.
 */
export interface EventLogNode {
    /**
     * The node's id.
     */
    nodeId: string;
    /**
     * The loop iteration; 0 outside loops.
     */
    iteration: number;
    /**
     * The state; absent, like `changedAtMs` and `row`, if no event reports one: heartbeats, calls and tokens do not.
     */
    state?: NodeState;
    /**
     * The node failed and will be retried; the server reports `failed` in the meantime.
     */
    retrying: boolean;
    /**
     * The number of the last attempt; of the next one if the node is retried.
     */
    attempt?: number;
    /**
     * The number of attempts that began.
     */
    starts: number;
    /**
     * When the state changed.
     */
    changedAtMs?: number;
    /**
     * When the last attempt began.
     */
    startedAtMs?: number;
    /**
     * When the node ended.
     */
    endedAtMs?: number;
    /**
     * The number of received heartbeats.
     */
    heartbeats: number;
    /**
     * When the last heartbeat was.
     */
    heartbeatAtMs?: number;
    /**
     * Events after the state change are missing, so the state may be outdated.
     */
    acrossGap: boolean;
    /**
     * The row of the event that changed the state.
     */
    row?: number;
    /**
     * Tool calls of the node in this iteration.
     */
    calls: ToolCalls;
    /**
     * Token usage of the node in this iteration.
     */
    tokens: Tokens;
}

/**
 * Another run in the same log.
 */
export interface OtherRun {
    /**
     * Its id.
     */
    runId: string;
    /**
     * Its state when its last event was written.
     */
    state: string;
}

/**
 * The label of a state word, for the screen and for screen readers.
 */
export interface Pill {
    /**
     * The text on the pill; an unknown word is in quotes.
     */
    label: string;
    /**
     * The sentence for screen readers, which begins with the name of the field.
     */
    spoken: string;
    /**
     * The tone.
     */
    tone: Tone;
    /**
     * The name of a Lucide icon.
     */
    icon: string;
    /**
     * Whether the word is in the vocabulary.
     */
    known: boolean;
    /**
     * Whether the border is dotted: the word is older than the vocabulary.
     */
    dotted: boolean;
}

/**
 * A play of a show: the work of one session, which a gate accepts or refuses. Times are milliseconds since 1970.
 */
export interface Play {
    /**
     * The name of its show.
     */
    topic: string;
    /**
     * Its name within the show.
     */
    name: string;
    /**
     * Its status; `None` if the server sent none.
     */
    status?: string;
    /**
     * The session that works on it.
     */
    sessionId?: string;
    /**
     * The number of the attempt, from 1.
     */
    attempt?: number;
    /**
     * The message of its gate.
     */
    feedback?: string;
    /**
     * The server's error when it could not read the play.
     */
    liveError?: string;
    /**
     * When it started.
     */
    startedAtMs?: number;
    /**
     * When it was last written.
     */
    updatedAtMs?: number;
    /**
     * When it ended.
     */
    endedAtMs?: number;
    /**
     * The evidence of its status.
     */
    evidence: Evidence;
}

/**
 * An error that a server returned. It is not a state.
 */
export interface Refusal {
    /**
     * The code, verbatim: `NOT_FOUND`, `RunNotFound`, `RUN_NOT_FOUND`, …
     */
    code: string;
    /**
     * The server's message.
     */
    message: string;
    /**
     * The requested method, if the document has it.
     */
    method?: string;
}

/**
 * What blocks a run according to `smithers why`. `untilMs` is in milliseconds since 1970.
 */
export interface WhyEntry {
    /**
     * The kind of blocker.
     */
    kind: Blocker | (string & {});
    /**
     * The blocked node; absent for the run as a whole.
     */
    node?: NodeRound;
    /**
     * The command's own sentence.
     */
    reason: string;
    /**
     * The command that unblocks the run.
     */
    command?: string;
    /**
     * The time at which a timer fires.
     */
    untilMs?: number;
}

/**
 * One of the contradicting answers.
 */
export interface DisagreementAnswer {
    /**
     * The answer verbatim.
     */
    said: string;
    /**
     * The field or document that it was read from.
     */
    readFrom: string;
}

/**
 * The severity of a session's state, and the tone in which it is shown.
 */
export interface SeverityVerdict {
    /**
     * How urgently it needs attention.
     */
    severity: Severity;
    /**
     * The colour of its badge.
     */
    tone: SeverityTone;
}

/**
 * A show, as it is stored. `updatedAtMs` is in milliseconds since 1970.
 */
export interface Show {
    /**
     * Its name.
     */
    topic: string;
    /**
     * Its goal.
     */
    goal?: string;
    /**
     * Its status; `None` if the server sent none.
     */
    status?: string;
    /**
     * The number of its plays, if the document contains it.
     */
    playCount?: number;
    /**
     * When it was last written.
     */
    updatedAtMs?: number;
    /**
     * The evidence of its status.
     */
    evidence: Evidence;
}

/**
 * The source of a node's state at the time of a frame.
 */
export type HistorySource = "stream" | "events";

/**
 * The effect of a message of the stream on the history: a new frame (`forward`), the same frame again (`again`), a rewind
 * of the run from the frame `from` (`rewound`), or none, because the message is older than the newest frame (`old`).
 */
export type HistoryStep = { kind: "forward" } | { kind: "again" } | { kind: "rewound"; from: number } | { kind: "old" };

/**
 * A node in one iteration.
 */
export interface NodeRound {
    /**
     * The node's id as the workflow author wrote it.
     */
    nodeId: string;
    /**
     * The iteration of a loop; 0 outside loops.
     */
    iteration: number;
}

/**
 * The numbers of used tokens, and of the reports about them.
 */
export interface Tokens {
    /**
     * The number of reports.
     */
    reports: number;
    /**
     * Input tokens.
     */
    input: number;
    /**
     * Output tokens.
     */
    output: number;
    /**
     * Input tokens that were read from a cache.
     */
    cacheRead: number;
    /**
     * Input tokens that were written to a cache.
     */
    cacheWrite: number;
    /**
     * Output tokens that were used for reasoning.
     */
    reasoning: number;
}

/**
 * The numbers of tool calls.
 */
export interface ToolCalls {
    /**
     * Calls started.
     */
    started: number;
    /**
     * Calls answered.
     */
    answered: number;
    /**
     * Calls answered with an error.
     */
    failed: number;
}
