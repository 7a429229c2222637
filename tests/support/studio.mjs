// A server with the addresses of lionagi's Studio.
import { readFileSync } from "node:fs";
import { vector } from "./paths.mjs";
import { serve } from "./server.mjs";

/** A captured list of runs. */
export const runList = readFileSync(vector("lionagi/captures/studio/runs-list-p1.json"), "utf8");
export const { runs } = JSON.parse(runList);

/** A signal of the session `s1`, as a message of its event stream. */
export const signal = (seq, kind, payload = {}) =>
  `data: ${JSON.stringify({ id: `x${seq}`, session_id: "s1", seq, kind, op_id: "", ts: 1795292150 + seq, payload })}\n\n`;

/**
 * Serves a page, the event stream of the session `s1`, which begins with a signal, and `answers` as JSON by their addresses. `send`
 * adds a text to the event stream that was opened last.
 */
export async function startStudio(answers) {
  let stream;
  const handle = ({ url }, response) => {
    const isStream = url === "/api/sessions/s1/signals";
    const answer = answers[url];
    response.writeHead(200, { "content-type": isStream ? "text/event-stream" : answer ? "application/json" : "text/html" });
    if (isStream) (stream = response).write(signal(1, "RunStart"));
    else response.end(answer ?? "<!doctype html><title>Studio</title>");
    return true;
  };
  return { ...(await serve(undefined, { handle })), send: (text) => stream.write(text) };
}
