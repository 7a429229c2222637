// node soak.mjs [--seconds N] [--seed S] [--host dashboard|devtools|element]: with `--seconds` a random life of runs, servers and faults, each
// surface compared with the Gateway; without it, the whole table of faults. `cargo xtask soak` builds what it needs, and runs it.
import { parseArgs } from "node:util";
import { life } from "./life.mjs";
import { table } from "./table.mjs";

const { values } = parseArgs({
  options: {
    seconds: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    host: { type: "string", default: "dashboard" },
  },
});
const seed = Number(values.seed);
const isTrue = values.seconds === undefined ? await table(seed) : await life({ host: values.host, seconds: Number(values.seconds), seed });
if (!isTrue) process.exitCode = 1;
