// Types of the custom elements.
import type { Header, RunStateView, RunstateError } from "../runstate.js";

export type { RunstateError };

/** What a panel or an export can be made from: text, bytes, a file, a list of these, or an object as a system answers it. */
export type RunstateDocument = string | Blob | ArrayBuffer | ArrayBufferView | FileList | readonly (string | Blob | ArrayBuffer | ArrayBufferView)[] | object;

export interface RunstateChange {
  /** The state's word; `undefined` where no run is shown. */
  state?: string;
  previous?: string;
  runId?: string;
  /** The reason in words. */
  reason?: string;
  /** What the run waits for, as a word. */
  blocked?: string;
  /** What is wrong with it, as a word. */
  unhealthy?: string;
  /** `live`, `late`, `lost`, `resyncing`, `recorded`, … */
  freshness?: string;
}

export interface RunstateProblem {
  code: string;
  message: string;
  hint?: string;
}

/** What a person asks the page to do. */
export interface RunstateAction {
  kind: string;
  command?: string;
  call?: string;
  /** Which of the two the panel copies. */
  text: string;
}

/** The events of `<runstate-panel>`. They bubble and leave shadow roots. */
export interface RunstatePanelEventMap {
  "runstate-ready": CustomEvent<null>;
  "runstate-change": CustomEvent<RunstateChange>;
  "runstate-freshness": CustomEvent<{ freshness?: string; previous?: string }>;
  "runstate-select": CustomEvent<{ nodeId: string }>;
  /**
   * A document, an address or a request was refused, or a Gateway is not reached: `NO_ANSWER`, `SOCKET_REFUSED` or
   * `ANSWER_UNREADABLE`, after which the panel goes on trying, or `CONTENT_POLICY`, after which it does not.
   */
  "runstate-refusal": CustomEvent<RunstateProblem>;
  /** The panel could not start, or its worker stopped. */
  "runstate-error": CustomEvent<RunstateProblem>;
  /** A person asks for an action. Where it is cancelled, the panel does not copy the command. */
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
  /** Without one, the colour scheme of the place where the element is. */
  theme?: "light" | "dark" | "system" | null;
  view?: "full" | "header" | "tree" | null;
  /** The accessible name; by default `Runstate`. */
  label?: string | null;
  loading?: "eager" | "lazy" | null;
  /** Shows the panel in a frame, for pages whose policy refuses WebAssembly or requires trusted types. */
  frame?: boolean;
}

export interface RunstatePanel extends Required<RunstatePanelAttributes> {}

/** `<runstate-panel>`: the panel, in somebody else's page. */
export class RunstatePanel extends HTMLElement {
  static readonly observedAttributes: string[];
  /**
   * Write-only: it is held in memory, and is in no attribute and no address. It is for the Gateway that `gateway` names when
   * it is set, or names next; when `gateway` changes later, without a new token in the same task, it is dropped.
   */
  set token(token: string | null | undefined);
  /** What is shown without a connection. */
  get document(): RunstateDocument | undefined;
  set document(content: RunstateDocument | null | undefined);
  /** The state of the run on screen. Of `blocked` and `unhealthy` it has the kind alone. */
  readonly runState: (Pick<RunStateView, "runId"> & { state?: string; computedAt?: string; blocked?: { kind: string }; unhealthy?: { kind: string } }) | undefined;
  /** The header of the run on screen. */
  readonly header: Header | undefined;
  /** Opens something. Rejects with a `RunstateError`; the screen then stays as it is. */
  open(content: RunstateDocument): Promise<void>;
  /**
   * Connects, by default to the Gateway of the attributes, with its token and run. Resolves when runs are shown; rejects with
   * the code of a refusal, with `CONTENT_POLICY` where a policy forbids the connection, and with `CANCELLED` after
   * `disconnect()`. While nothing answers the panel goes on trying, and the event `runstate-refusal` says so.
   */
  connect(gateway?: { url?: string; token?: string; run?: string }): Promise<void>;
  /** Ends the session and forgets what it showed. */
  disconnect(): void;
  /** What is on screen as a file without secrets, and without the values of `keys`. */
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
  /** The word; one that is not known is shown in quotes. */
  state?: string | null;
  /** The vocabulary of the word: `run` by default, `node`, `freshness`, `session`, … */
  kind?: string | null;
  reason?: string | null;
  /** An ISO time. */
  since?: string | null;
  /** An ISO time. A state at work that is older than 30 s is shown as old. */
  computedAt?: string | null;
  size?: "dense" | null;
  iconOnly?: boolean;
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
  /** The state as a Gateway answers it, as `deriveRunState` returns it, or as a panel's `runState` is. */
  get value(): object | undefined;
  set value(view: object | null | undefined);
  addEventListener<Name extends keyof RunstatePillEventMap>(
    type: Name,
    listener: (this: RunstatePill, event: RunstatePillEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
}
