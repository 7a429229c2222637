// A real Smithers Gateway on loopback, with every workflow of this folder registered under its file name.
//
//   PORT            port to listen on; 0 or absent takes a free one
//   HEARTBEAT_MS    interval of `tick`; 2000 when absent
//   END_WITH_STDIN  ends when standard input closes
//   RUNSTATE_DB     path of the SQLite file (read by workflows/_api.ts)
//   ROUTES          the file of `runstate/gateway`, which serves the dashboard below /runstate/
//   PAGE            a folder to serve below /page/ instead
//   NO_TOKENS       accepts everybody on this machine, as a Gateway without `auth` does
//   TOKEN_EXPIRES_AT  the time at which the operator's token expires, milliseconds since 1970
//   ORIGINS         the `allowedOrigins`, separated by commas; PORT in them is replaced by the port
//
// Prints `listening PORT PID` once it answers.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { basename, join, normalize } from "node:path";
import { Gateway } from "smithers-orchestrator";

const port = Number(process.env.PORT ?? 0) || (await freePort());
const folder = join(import.meta.dir, "workflows");
const { ROUTES: routes, PAGE: page, ORIGINS: origins } = process.env;
const expiresAt = process.env.TOKEN_EXPIRES_AT ? Number(process.env.TOKEN_EXPIRES_AT) : undefined;

// A page on the Gateway's own origin, the only place where a page can read the Gateway's HTTP responses.
const servePage = (_request, response, { url }) => {
  const path = page && url.pathname.startsWith("/page/") ? normalize(join(page, url.pathname.slice("/page/".length))) : "";
  if (!path.startsWith(page ?? "/") || !existsSync(path)) return false;
  response.writeHead(200, { "content-type": Bun.file(path).type });
  response.end(readFileSync(path));
  return true;
};

const gateway = new Gateway({
  heartbeatMs: Number(process.env.HEARTBEAT_MS ?? 2000),
  workspaceRoot: import.meta.dir,
  routes: routes ? (await import(routes)).runstate() : page ? servePage : undefined,
  auth: process.env.NO_TOKENS
    ? undefined
    : {
        mode: "token",
        allowedOrigins: origins ? origins.replaceAll("PORT", String(port)).split(",") : undefined,
        tokens: {
          "operator-token": { role: "operator", scopes: ["*"], userId: "operator", expiresAtMs: expiresAt },
          // Reads runs and their structure, and may not act.
          "viewer-token": { role: "viewer", scopes: ["run:read", "observability:read"], userId: "viewer" },
          // Lacks observability:read: no snapshot and no stream.
          "runs-token": { role: "viewer", scopes: ["run:read"], userId: "runs" },
          "expired-token": { role: "viewer", scopes: ["*"], expiresAtMs: 1 },
          "revoked-token": { role: "viewer", scopes: ["*"], revokedAtMs: 1 },
        },
      },
});

for (const file of readdirSync(folder).sort()) {
  if (file.startsWith("_") || !file.endsWith(".tsx")) continue;
  const entryFile = join(folder, file);
  const module = await import(entryFile);
  // Without the entry file a parked run refuses to resume (RESUME_METADATA_MISMATCH).
  gateway.register(basename(file, ".tsx"), module.default, { entryFile });
}

await gateway.listen({ port, host: "127.0.0.1" });
console.log(`listening ${port} ${process.pid}`);

for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, end);

// The other end belongs to the parent: this server does not outlive it.
if (process.env.END_WITH_STDIN) process.stdin.on("end", end).resume();

async function end() {
  await gateway.close();
  process.exit(0);
}

// The Gateway does not say which port it took when asked for 0.
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port: free } = probe.address() as { port: number };
      probe.close(() => resolve(free));
    });
  });
}
