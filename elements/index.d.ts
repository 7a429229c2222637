// Types of the custom elements, and their only description: `cargo xtask elements` writes custom-elements.json, react.d.ts, vue.d.ts
// and html-custom-data.json from this file.
import type { Header, RunStateView, RunstateError } from "../runstate.js";

export type { RunstateError };

/** The content of a panel or an export: text, bytes, a file, a list of these, or an object such as a response of a Gateway. */
export type RunstateDocument =
  string | Blob | ArrayBuffer | ArrayBufferView | FileList | readonly (string | Blob | ArrayBuffer | ArrayBufferView)[] | object;

/** A change of the state on screen. */
export interface RunstateChange {
  /** The vocabulary of the word: `run`, `session`, `effective`, … */
  kind?: string;
  /** The state's word, as `inspect` and `header` return it; `undefined` if no run is shown. */
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
  /** The text that the panel copies: the command, or a command that sends the call over HTTP. */
  text: string;
}

/** The state of the run on screen, in the form of a Gateway's response. */
export interface RunstateState extends Pick<RunStateView, "runId"> {
  /** The vocabulary of the word, for the attribute `kind` of a pill. */
  kind: string;
  /** The state's word. */
  state?: string;
  /** The time at which the state was computed, an ISO time. */
  computedAt?: string;
  /** Why the run waits. */
  blocked?: { kind: string };
  /** What is wrong with the run's liveness. */
  unhealthy?: { kind: string };
}

/** The events of `<runstate-panel>`. They bubble and leave shadow roots. */
export interface RunstatePanelEventMap {
  /** The panel has started. */
  "runstate-ready": CustomEvent<null>;
  /** The state of the run on screen has changed, or another run is on screen. */
  "runstate-change": CustomEvent<RunstateChange>;
  /** The freshness of the state has changed. */
  "runstate-freshness": CustomEvent<{ freshness?: string; previous?: string }>;
  /** A person chose a run of the list; without `runId`, the list again. */
  "runstate-run": CustomEvent<{ runId?: string }>;
  /** Run, selected node, search or filters on screen have changed: the new value of the property `place`. */
  "runstate-place": CustomEvent<{ place: string }>;
  /** A node was selected. */
  "runstate-select": CustomEvent<{ nodeId: string }>;
  /**
   * A document, an address or a request was refused, or a Gateway is unreachable: with `NO_ANSWER`, `SOCKET_REFUSED` and
   * `ANSWER_UNREADABLE` the panel keeps retrying, with `CONTENT_POLICY` and `REDIRECTED` it stops.
   */
  "runstate-refusal": CustomEvent<RunstateProblem>;
  /** The panel could not start, or its worker stopped. */
  "runstate-error": CustomEvent<RunstateProblem>;
  /** A person requests an action. If the event is cancelled, the panel does not copy the command. */
  "runstate-action": CustomEvent<RunstateAction>;
}

/** The attributes of `<runstate-panel>`, in the spelling of properties. */
export interface RunstatePanelAttributes {
  /** The address of a document to show without a connection. `content` precedes it. */
  src?: string | null;
  /** The folder with the panel's files; by default that of `setAssets`, else `panel/` next to the module. */
  assets?: string | null;
  /** The address of a Gateway: `ws:`, `wss:`, `http:` or `https:`. `content` and `src` precede it. */
  gateway?: string | null;
  /** The run of the Gateway to show; without one, the list of runs. */
  run?: string | null;
  /**
   * What to show of the source: `run=release-41&node=review&it=3&q=eu&state=Failed`, without a token and an address. The property is
   * what is on screen, and setting it shows another place.
   */
  place?: string | null;
  /** By default, the colour scheme at the element's position. */
  theme?: "light" | "dark" | "system" | null;
  /**
   * Which parts of the panel are shown; `full` by default. `node` is the detail of the selected node, which `place` names, and `log`
   * the events of the run.
   */
  view?: "full" | "header" | "tree" | "node" | "log" | null;
  /** The accessible name; by default `Runstate`. */
  label?: string | null;
  /** `lazy` starts the panel when the element comes into view. */
  loading?: "eager" | "lazy" | null;
  /** Shows the panel in a frame, for pages whose policy forbids WebAssembly or requires trusted types. */
  frame?: boolean;
}

/**
 * Sets the folder with the panel's files for every `<runstate-panel>` of the page that has no attribute `assets`. Panels that have
 * started keep theirs; without an address, the folder is again `panel/` next to the module.
 */
export function setAssets(folder?: string | URL | null): void;

export interface RunstatePanel extends Required<RunstatePanelAttributes> {}

/**
 * The panel, embedded in a host page.
 *
 * @tag runstate-panel
 * @slot - Shown until the panel has started, if it cannot start, and without JavaScript.
 * @slot error - Shown with the reason if the panel cannot start.
 * @csspart base - The content of the element.
 * @csspart fallback - The message that is shown until the panel has started.
 * @csspart error - The message that says why the panel could not start.
 * @csspart frame - The frame, if the attribute `frame` is set.
 * @csspart header - The header of the run.
 * @csspart pill - A pill.
 * @csspart reason - The reason as a sentence.
 * @csspart toolbar - The toolbar.
 * @csspart tree - The tree of the run.
 * @cssprop --runstate-height - The height of the element.
 * @cssprop --runstate-font - The font.
 * @cssprop --runstate-mono - The font of ids and of words that are shown as received.
 * @cssprop --runstate-radius - The radius of controls.
 * @cssprop --runstate-surface - The background.
 * @cssprop --runstate-text - The colour of text.
 * @cssprop --runstate-line - The colour of lines.
 * @cssstate live - The Gateway is connected and its data is fresh.
 * @cssstate stale - The data on screen is outdated.
 * @cssstate refused - A Gateway refused the request.
 */
export class RunstatePanel extends HTMLElement {
  static readonly observedAttributes: string[];
  /**
   * Write-only: kept in memory, never reflected to an attribute or an address. It belongs to the Gateway that `gateway`
   * names at that time, or names next. If `gateway` changes later without a new token in the same task, the token is
   * dropped.
   */
  set token(token: string | null | undefined);
  /** The document shown without a connection. */
  get content(): RunstateDocument | undefined;
  set content(content: RunstateDocument | null | undefined);
  /** The state of the run on screen. */
  readonly runState: RunstateState | undefined;
  /** The header of the run on screen. */
  readonly header: Header | undefined;
  /** Opens a document. Rejects with a `RunstateError`; the screen then stays unchanged. */
  open(content: RunstateDocument): Promise<void>;
  /**
   * Connects, by default to the Gateway of the attributes, with its token and run. Resolves when runs are shown; rejects
   * with the code of a refusal, with `CONTENT_POLICY` if a policy forbids the connection, with `REDIRECTED` if the server redirects requests, and with `CANCELLED` after
   * `disconnect()`. While there is no response, the panel keeps retrying and fires `runstate-refusal`.
   */
  connect(gateway?: { url?: string; token?: string; run?: string }): Promise<void>;
  /** Ends the session and clears its content. */
  disconnect(): void;
  /** The content of the screen as a redacted file; the values of `keys` are redacted too. */
  export(options?: { keys?: readonly string[] }): Promise<File>;
  /** Moves the focus to the heading of the panel. */
  focus(options?: FocusOptions): void;
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
  /** The vocabulary of the word, such as `node`, `session` or `freshness`; `run` by default. */
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

/**
 * A state word as a pill, without WebAssembly.
 *
 * @tag runstate-pill
 * @slot - Shown until the element is defined, and without a state.
 * @csspart base - The pill.
 * @csspart icon - The icon.
 * @csspart label - The label.
 * @csspart reason - The reason.
 * @csspart age - The time.
 * @cssprop --runstate-pill-height - The minimum height.
 * @cssprop --runstate-pill-font - The font.
 * @cssstate <state> - The state's word; characters that a name cannot contain become hyphens.
 */
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
