// Compares the pinned releases of the three systems with the newest ones. For Smithers, whose packages have the functions that the vectors describe, it runs
// the vectors against the newest release and prints what differs. Exit code 1 means that a release is newer, 2 that its answers differ.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const { devDependencies } = JSON.parse(readFileSync(join(root, "tests/package.json"), "utf8"));
const { dependencies } = JSON.parse(readFileSync(join(root, "tests/gateway/package.json"), "utf8"));
const PEERS = ["@smithers-orchestrator/db", "@smithers-orchestrator/devtools"];

/** The releases from which vectors were recorded: the files of `tests/vectors` name them. */
const recorded = (folder, pattern) => pattern.exec(readFileSync(join(root, "tests/vectors", folder, "README.md"), "utf8"))[1];

const newestNpm = (name) => execFileSync("npm", ["view", name, "version"], { encoding: "utf8" }).trim();
// pip prints `lionagi (0.36.0)` first.
const newestPip = (name) =>
  /\(([^)]+)\)/.exec(
    execFileSync("python3", ["-m", "pip", "index", "versions", name, "--ignore-requires-python"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  )[1];

const releases = [
  ...PEERS.map((name) => ({ name, pinned: devDependencies[name], newest: () => newestNpm(name) })),
  { name: "smithers-orchestrator", pinned: dependencies["smithers-orchestrator"], newest: () => newestNpm("smithers-orchestrator") },
  { name: "lionagi", pinned: recorded("lionagi", /lionagi (\d+\.\d+\.\d+)/), newest: () => newestPip("lionagi") },
  // The package of tnh-conductor.
  { name: "tnh-scholar", pinned: recorded("conductor", /`tnh-scholar` (\d+\.\d+\.\d+)/), newest: () => newestPip("tnh-scholar") },
];

let exitCode = 0;
const newer = new Map();
for (const { name, pinned, newest } of releases) {
  let found;
  try {
    found = newest();
  } catch (error) {
    console.log(`${name}: pinned ${pinned}, the newest release could not be read: ${error.message.split("\n")[0]}`);
    continue;
  }
  console.log(`${name}: pinned ${pinned}, newest ${found}${found === pinned ? "" : "  <-- newer"}`);
  if (found !== pinned) newer.set(name, found);
}

if (newer.size > 0) exitCode = 1;
if (PEERS.some((name) => newer.has(name))) {
  const folder = mkdtempSync(join(tmpdir(), "runstate-drift-"));
  const effect = { effect: devDependencies.effect };
  const wanted = Object.fromEntries(PEERS.map((name) => [name, newer.get(name) ?? devDependencies[name]]));
  const { overrides } = JSON.parse(readFileSync(join(root, "tests/package.json"), "utf8"));
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ private: true, type: "module", dependencies: { ...wanted, ...effect }, overrides }),
  );
  cpSync(join(root, "tests/support/upstream.mjs"), join(folder, "upstream.mjs"));
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, stdio: "inherit" });
  const vectors = spawnSync(process.execPath, ["--test", join(import.meta.dirname, "node/upstream.test.mjs")], {
    env: { ...process.env, RUNSTATE_PEERS: folder },
    stdio: "inherit",
  });
  rmSync(folder, { recursive: true, force: true });
  if (vectors.status !== 0) exitCode = 2;
}
process.exitCode = exitCode;
