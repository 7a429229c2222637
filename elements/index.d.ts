// Types of the custom elements.
import type { Header, RunStateView, RunstateError } from "../runstate.js";

export type { RunstateError };

/** The content of a panel or an export: text, bytes, a file, a list of these, or an object such as a response of a Gateway. */
export type RunstateDocument =
  string | Blob | ArrayBuffer | ArrayBufferView | FileList | readonly (string | Blob | ArrayBuffer | ArrayBufferView)[] | object;

/** A change of the state on screen. */
export interface RunstateChange {
  /** The state's word; `undefined` if no run is shown. */
  state?: string;
  /** The word before the change. */
  previous?: string;
  /** The id of the run. */
  runId?: string;
  /** The reason as a sentence. */
  reason?: string;
  /** The kind of `blocked`. */
  blocked?: string;
  /** The kind of `unhealthy`. */
  unhealthy?: string;
  /** `live`, `late`, `lost`, `refused`, `resyncing`, `recorded`, … */
  freshness?: string;
}

/** Why a request failed. */
export interface RunstateProblem {
  /** A code for programs. */
  code: string;
  /** The reason, as a sentence. */
  message: string;
  /** How to fix it. */
  hint?: string;
}

/** An action that a person requests. */
export interface RunstateAction {
  /** The kind of the action: `approve`, `resume`, `wait`, … */
  kind: string;
  /** The shell command for the action. */
  command?: string;
  /** The Gateway call for the action: method and parameters. */
  call?: string;
  /** The text that the panel copies: the command or the call. */
  text: string;
}

/** The events of `<runstate-panel>`. They bubble and leave shadow roots. */
export interface RunstatePanelEventMap {
  "runstate-ready": CustomEvent<null>;
  "runstate-change": CustomEvent<RunstateChange>;
  "runstate-freshness": CustomEvent<{ freshness?: string; previous?: string }>;
  "runstate-select": CustomEvent<{ nodeId: string }>;
  /**
   * A document, an address or a request was refused, or a Gateway is unreachable: with `NO_ANSWER`, `SOCKET_REFUSED` and
   * `ANSWER_UNREADABLE` the panel keeps retrying, with `CONTENT_POLICY` it stops.
   */
  "runstate-refusal": CustomEvent<RunstateProblem>;
  /** The panel could not start, or its worker stopped. */
  "runstate-error": CustomEvent<RunstateProblem>;
  /** A person requests an action. If the event is cancelled, the panel does not copy the command. */
  "runstate-action": CustomEvent<RunstateAction>;
}

/** The attributes of `<runstate-panel>`, in the spelling of properties. */
export interface RunstatePanelAttributes {
  /** The folder with the panel's files; by default `panel/` next to the module. */
  src?: string | null;
  /** The address of a Gateway: `ws:`, `wss:`, `http:` or `https:`. */
  gateway?: string | null;
  /** The run to show; without one, the list of runs. */
  run?: string | null;
  /** By default, the colour scheme at the element's position. */
  theme?: "light" | "dark" | "system" | null;
  /** Which parts of the panel are shown; `full` by default. */
  view?: "full" | "header" | "tree" | null;
  /** The accessible name; by default `Runstate`. */
  label?: string | null;
  /** `lazy` starts the panel when the element comes into view. */
  loading?: "eager" | "lazy" | null;
  /** Shows the panel in a frame, for pages whose policy forbids WebAssembly or requires trusted types. */
  frame?: boolean;
}

export interface RunstatePanel extends Required<RunstatePanelAttributes> {}

/** `<runstate-panel>`: the panel, embedded in a host page. */
export class RunstatePanel extends HTMLElement {
  static readonly observedAttributes: string[];
  /**
   * Write-only: kept in memory, never reflected to an attribute or an address. It belongs to the Gateway that `gateway`
   * names at that time, or names next. If `gateway` changes later without a new token in the same task, the token is
   * dropped.
   */
  set token(token: string | null | undefined);
  /** The document shown without a connection. */
  get document(): RunstateDocument | undefined;
  set document(content: RunstateDocument | null | undefined);
  /** The state of the run on screen. `blocked` and `unhealthy` contain only `kind`. */
  readonly runState:
    | (Pick<RunStateView, "runId"> & { state?: string; computedAt?: string; blocked?: { kind: string }; unhealthy?: { kind: string } })
    | undefined;
  /** The header of the run on screen. */
  readonly header: Header | undefined;
  /** Opens a document. Rejects with a `RunstateError`; the screen then stays unchanged. */
  open(content: RunstateDocument): Promise<void>;
  /**
   * Connects, by default to the Gateway of the attributes, with its token and run. Resolves when runs are shown; rejects
   * with the code of a refusal, with `CONTENT_POLICY` if a policy forbids the connection, and with `CANCELLED` after
   * `disconnect()`. While there is no response, the panel keeps retrying and fires `runstate-refusal`.
   */
  connect(gateway?: { url?: string; token?: string; run?: string }): Promise<void>;
  /** Ends the session and clears its content. */
  disconnect(): void;
  /** The content of the screen as a redacted file; the values of `keys` are redacted too. */
  export(options?: { keys?: readonly string[] }): Promise<File>;
  addEventListener<Name extends keyof RunstatePanelEventMap>(
    type: Name,
    listener: (this: RunstatePanel, event: RunstatePanelEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
}

/** The attributes of `<runstate-pill>`, in the spelling of properties. */
export interface RunstatePillAttributes {
  /** The word; an unknown one is shown in quotes. */
  state?: string | null;
  /** The vocabulary of the word: `run` by default, `node`, `freshness`, `session`, … */
  kind?: string | null;
  /** The text after the word. */
  reason?: string | null;
  /** The start of the state, an ISO time. */
  since?: string | null;
  /** The time at which the state was computed, an ISO time. An active state that is older than 30 s is shown as outdated. */
  computedAt?: string | null;
  /** `dense` makes the pill smaller. */
  size?: "dense" | null;
  /** Shows only the icon. */
  iconOnly?: boolean;
  /** By default, the colour scheme at the element's position. */
  theme?: "light" | "dark" | "system" | null;
}

export interface RunstatePill extends Required<RunstatePillAttributes> {}

/** The event of `<runstate-pill>`. It bubbles and leaves shadow roots. */
export interface RunstatePillEventMap {
  /** The property `value` changed the state. */
  "runstate-change": CustomEvent<Pick<RunstateChange, "state" | "previous">>;
}

/** `<runstate-pill>`: a state word, without WebAssembly. */
export class RunstatePill extends HTMLElement {
  static readonly observedAttributes: string[];
  /** The state in the form of a Gateway's response, of `deriveRunState`, or of a panel's `runState`. */
  get value(): object | undefined;
  set value(view: object | null | undefined);
  addEventListener<Name extends keyof RunstatePillEventMap>(
    type: Name,
    listener: (this: RunstatePill, event: RunstatePillEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
}
