import type { IncomingMessage, ServerResponse } from "node:http";

/** What a Gateway passes on with each request. */
export interface RouteContext {
  gateway: unknown;
  url: URL;
}

/** A Gateway's `routes`: returns whether it answered. */
export type Routes = (
  request: IncomingMessage,
  response: ServerResponse,
  context: RouteContext,
) => boolean | Promise<boolean>;

export interface RunstateOptions {
  /** Where the dashboard is served: a path that begins and ends with a slash. `"/runstate/"` by default. */
  at?: string;
  /** Answers every other path: a Gateway takes one function only. */
  next?: Routes;
  /**
   * Origins whose pages may show the dashboard in a frame, such as `"https://fleet.example"`, besides the Gateway's own. On
   * another site a browser does not send the Gateway's session cookie to the frame: the page there asks for a token.
   */
  frameAncestors?: readonly string[];
}

/**
 * Serves the dashboard on the Gateway's own origin.
 *
 * The files are public; what the panel reads needs the Gateway's token or session cookie. The returned function never
 * rejects: what `next` throws is logged and answered with 500.
 *
 * @throws TypeError where an option is not what it should be.
 * @example
 * new Gateway({ routes: runstate() });
 */
export function runstate(
  options?: RunstateOptions,
): (request: IncomingMessage, response: ServerResponse, context: RouteContext) => Promise<boolean>;

/** The content policy of every response without `frameAncestors`: connections to the page's own origin only. */
export const CONTENT_POLICY: string;
