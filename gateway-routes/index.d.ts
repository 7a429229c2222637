import type { IncomingMessage, ServerResponse } from "node:http";

/** The data that a Gateway passes with each request. */
export interface RouteContext {
  gateway: unknown;
  url: URL;
}

/** A Gateway's `routes`: returns whether it responded. */
export type Routes = (request: IncomingMessage, response: ServerResponse, context: RouteContext) => boolean | Promise<boolean>;

/** The options of `runstate`. */
export interface RunstateOptions {
  /** The path of the dashboard, with a leading and a trailing slash. `"/runstate/"` by default. */
  at?: string;
  /** Handles every other path, because a Gateway accepts only one function. */
  next?: Routes;
  /**
   * Origins whose pages may show the dashboard in a frame, such as `"https://fleet.example"`, besides the Gateway's own. On
   * another site a browser does not send the Gateway's session cookie to the frame, so the page in the frame asks for a token.
   */
  frameAncestors?: readonly string[];
}

/**
 * Serves the dashboard on the Gateway's own origin.
 *
 * The files are public; the runs need the Gateway's token or session cookie. The returned function never
 * rejects: errors of `next` are logged, and the response is 500.
 *
 * @throws TypeError if an option is invalid.
 * @example
 * new Gateway({ routes: runstate() });
 */
export function runstate(
  options?: RunstateOptions,
): (request: IncomingMessage, response: ServerResponse, context: RouteContext) => Promise<boolean>;

/** The content policy of every response without `frameAncestors`: connections to the page's own origin only. */
export const CONTENT_POLICY: string;
