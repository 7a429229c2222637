// A Gateway's HTTP responses about one recorded run, for a page of the same origin.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { captures } from "./paths.mjs";

const folder = (run) => join(captures, "runs", run);

/** The recorded refusal of a run that the Gateway does not have. */
const unknownRun = () => JSON.parse(readFileSync(join(captures, "protocol", "error-unknown-run-snapshot.json"), "utf8")).response;

/** The recorded answer for a method; `moment` is its time in the life of the run. */
function recorded(run, method, moment) {
  // The method's former name.
  const names = method === "getRun" ? ["runs.get", "getRun"] : [method];
  const files = [...names.map((name) => `rpc-${name}-${moment}.json`), ...names.map((name) => `rpc-${name}.json`)];
  const path = files.map((name) => join(folder(run), name)).find(existsSync);
  return path && JSON.parse(readFileSync(path, "utf8")).response;
}

/** Answers `POST /rpc` for the server of a test. `moment` and `token` may be changed in the meantime. */
export function recordedGateway(run, { moment, token }) {
  const gateway = {
    moment,
    token,
    authorizations: [],
    handle: (request, response) => {
      if (request.method !== "POST" || request.url !== "/rpc") return false;
      gateway.authorizations.push(request.headers.authorization);
      let text = "";
      request.on("data", (part) => (text += part));
      request.on("end", () => {
        const { id, method, params } = JSON.parse(text);
        const { status, body } = gateway.answer(request.headers.authorization, method, params?.runId);
        response
          .writeHead(status, { "content-type": "application/json" })
          .end(JSON.stringify({ ...body, type: "res", id, apiVersion: "v1" }));
      });
      return true;
    },
    answer: (authorization, method, runId = run) => {
      if (authorization !== `Bearer ${gateway.token}`)
        return { status: 401, body: { ok: false, error: { version: "v1", code: "UNAUTHORIZED", message: "Invalid token" } } };
      const answer = runId === run ? recorded(run, method, gateway.moment) : unknownRun();
      return (
        answer ?? {
          status: 404,
          body: { ok: false, error: { version: "v1", code: "METHOD_NOT_FOUND", message: `Unknown method: ${method}` } },
        }
      );
    },
  };
  return gateway;
}
