// The examples as an application has them: the package installed, bundled or not, type-checked, in a page.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { build } from "esbuild";
import { built, root, vector } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";
import { stage } from "../support/stage.mjs";

const folder = mkdtempSync(join(tmpdir(), "runstate-examples-"));
const tools = join(root, "tests/node_modules");
cpSync(join(root, "examples"), folder, { recursive: true });
mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
// A copy: its types resolve `react` and `vue` from where it is installed.
cpSync(built("npm"), join(folder, "node_modules/runstate"), { recursive: true });
for (const name of ["react", "react-dom", "vue", "@types/react"]) symlinkSync(join(tools, name), join(folder, "node_modules", name));
// What an application copies to its server.
symlinkSync(built("npm", "elements"), join(folder, "runstate"));
const captured = JSON.parse(readFileSync(vector("smithers/captures/runs/approval-a/rpc-runs.get-waiting.json"), "utf8")).response.body;
writeFileSync(join(folder, "run.json"), JSON.stringify(captured));

const bundle = (path) =>
  build({ entryPoints: [join(folder, path)], outfile: join(folder, path.replace(/\.tsx?$/, ".js")), bundle: true, format: "esm", jsx: "automatic", define: { "process.env.NODE_ENV": '"production"' }, logLevel: "silent" });
await Promise.all(["react/app.tsx", "vue/app.ts"].map(bundle));
const server = await serve(folder);
const { newPage } = await stage();
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

describe("the examples", () => {
  for (const name of ["plain", "react", "vue"]) {
    test(`${name}: the page shows the state of a captured run, and follows it`, async () => {
      const { page, close } = await newPage();
      await page.goto(`${server.origin}/${name}/`);
      await page.waitForFunction(() => document.querySelector("runstate-pill")?.shadowRoot?.querySelector("[data-value]")?.dataset.value === "waiting-approval");
      const panel = await page.$eval("runstate-panel", (element) => [element.runState.runId, element.getAttribute("view"), element.shadowRoot.querySelector("section[data-tone]").dataset.state]);
      assert.deepEqual(panel, ["approval-a", "header", "waiting-approval"]);
      assert.match(await page.$eval("#reason", (span) => span.textContent), /waiting for a decision/i);
      await page.evaluate((body) => (document.querySelector("runstate-panel").document = body), { runId: "later", state: "failed", computedAt: "2026-11-21T14:06:08.000Z" });
      await page.waitForFunction(() => document.querySelector("runstate-pill").state === "failed");
      await close();
    });
  }

  test("React and Vue, and the tags of the page, are typed", () => {
    const typed = `
      import "runstate/elements/define";
      import type { RunstatePanel } from "runstate/elements";
      import type {} from "runstate/elements/vue";
      const panel: RunstatePanel = document.createElement("runstate-panel");
      panel.token = "t";
      panel.addEventListener("runstate-select", ({ detail }) => detail.nodeId.length);
      const size: "dense" | null | undefined = document.querySelector("runstate-pill")?.size;
      // @ts-expect-error A view that does not exist.
      panel.view = "sideways";
      // @ts-expect-error The state is read-only.
      panel.runState = undefined;
      export { size };`;
    writeFileSync(join(folder, "typed.ts"), typed);
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler", "--jsx", "react-jsx", "--types", "react", "--lib", "es2023,dom,dom.iterable"];
    // React's client has its types in a package that no test needs.
    writeFileSync(join(folder, "client.d.ts"), 'declare module "react-dom/client" { export function createRoot(root: Element): { render(node: unknown): void } }');
    execFileSync(process.execPath, [join(tools, "typescript/bin/tsc"), ...options, "react/app.tsx", "vue/app.ts", "typed.ts", "client.d.ts"], { cwd: folder, encoding: "utf8", stdio: ["ignore", "inherit", "inherit"] });
  });

  test("the manifest names what the classes have", async () => {
    const manifest = JSON.parse(readFileSync(built("npm", "elements", "custom-elements.json"), "utf8"));
    const classes = await import(built("npm", "elements", "index.js"));
    for (const { declarations } of manifest.modules) {
      for (const { name, attributes, members } of declarations) {
        const { observedAttributes, prototype } = classes[name];
        const named = attributes.map((attribute) => attribute.name);
        for (const attribute of observedAttributes) assert.ok(named.includes(attribute), `${name} ${attribute}`);
        for (const { fieldName } of attributes) assert.ok(fieldName in prototype, `${name}.${fieldName}`);
        for (const member of members) assert.ok(member.name in prototype, `${name}.${member.name}`);
      }
    }
  });

  test("importing the classes defines nothing and needs no document", async () => {
    const { sideEffects, exports } = JSON.parse(readFileSync(built("npm", "package.json"), "utf8"));
    assert.ok(sideEffects.includes("./elements/define.js") && !sideEffects.includes("./elements/index.js"));
    for (const path of Object.values(exports).flatMap((target) => (typeof target === "string" ? [target] : Object.values(target)))) {
      if (!path.includes("*")) assert.ok(built("npm", path), path);
    }
  });
});
