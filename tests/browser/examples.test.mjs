// The examples as an application has them: the package installed, bundled or not, type-checked, in a page.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { build } from "esbuild";
import { snapshot, task } from "../support/make.mjs";
import { built, root, vector } from "../support/paths.mjs";
import { recordedGateway } from "../support/recorded.mjs";
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
  build({
    entryPoints: [join(folder, path)],
    outfile: join(folder, path.replace(/\.tsx?$/, ".js")),
    bundle: true,
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "silent",
  });
await Promise.all(["react/app.tsx", "vue/app.ts"].map(bundle));
const gateway = recordedGateway("approval-a", { moment: "waiting", token: "operator-token" });
// What the server of a page does with an action.
const actions = [];
function act(request, response) {
  if (request.method !== "POST" || request.url !== "/actions") return false;
  let text = "";
  request.on("data", (chunk) => (text += chunk));
  request.on("end", () => {
    actions.push(text);
    response.writeHead(202).end();
  });
  return true;
}
// A Gateway that is away closes every connection.
let isAway = false;
const away = (request, response) => isAway && request.url === "/rpc" && Boolean(response.destroy());
const server = await serve(folder, {
  handle: (request, response) => away(request, response) || gateway.handle(request, response) || act(request, response),
});
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
      await page.waitForFunction(
        () => document.querySelector("runstate-pill")?.shadowRoot?.querySelector("[data-value]")?.dataset.value === "waiting-approval",
      );
      const panel = await page.$eval("runstate-panel", (element) => [
        element.runState.runId,
        element.getAttribute("view"),
        element.shadowRoot.querySelector("section[data-tone]").dataset.state,
      ]);
      assert.deepEqual(panel, ["approval-a", "header", "waiting-approval"]);
      assert.match(await page.$eval("#reason", (span) => span.textContent), /waiting for a decision/i);
      await page.evaluate((body) => (document.querySelector("runstate-panel").content = body), {
        runId: "later",
        state: "failed",
        computedAt: "2026-11-21T14:06:08.000Z",
      });
      await page.waitForFunction(() => document.querySelector("runstate-pill").state === "failed");
      await close();
    });
  }

  test("gateway: a token connects both panels, a refusal is shown, and the page carries out an approval", async () => {
    const { page, log, close } = await newPage();
    await page.goto(`${server.origin}/gateway/`);
    const connect = async (token) => {
      await page.type("input[name=token]", token);
      await page.click("form button");
    };
    const output = (text) => page.waitForFunction((wanted) => document.querySelector("output").textContent.includes(wanted), {}, text);
    await connect("wrong");
    await output("UNAUTHORIZED");
    await connect("operator-token");
    await page.waitForFunction(() => document.querySelector("#release").runState?.state === "waiting-approval");
    await page.waitForFunction(() =>
      document.querySelector("#all").shadowRoot.querySelector('[data-screen="runs"]')?.textContent.includes("approval"),
    );
    assert.equal(await page.$eval("input[name=token]", (input) => input.value), "");
    // The actions follow the state: they are offered once the nodes that it names were read.
    await page.waitForFunction(() => {
      const button = document.querySelector("#release").shadowRoot.querySelector('[data-action="request-approve"]');
      button?.click();
      return button !== null;
    });
    await output("Approved.");
    assert.equal(actions.length, 1);
    assert.match(actions[0], /^submitApproval \{"runId":"approval-a"/);
    log.allow(/401|404/);
    await close();
  });

  test("React and Vue, and the tags of the page, are typed", () => {
    const typed = `
      import "runstate/elements/define";
      import type { RunstatePanel } from "runstate/elements";
      import type { GlobalComponents } from "vue";
      import type {} from "runstate/elements/react";
      import type {} from "runstate/elements/vue";
      const panel: RunstatePanel = document.createElement("runstate-panel");
      panel.token = "t";
      panel.addEventListener("runstate-select", ({ detail }) => detail.nodeId.length);
      document.createElement("runstate-pill").addEventListener("runstate-change", ({ detail }) => detail.previous?.length);
      // @ts-expect-error The event of a pill has no run.
      document.createElement("runstate-pill").addEventListener("runstate-change", ({ detail }) => detail.runId);
      type Props<Name extends keyof GlobalComponents> = InstanceType<GlobalComponents[Name]>["$props"];
      export const vuePanel: Props<"runstate-panel"> = { onRunstateAction: ({ detail }) => detail.text.length };
      export const vuePill: Props<"runstate-pill"> = { onRunstateChange: ({ detail }) => detail.state?.length };
      type Tags = import("react").JSX.IntrinsicElements;
      export const reactPill: Tags["runstate-pill"] = { "onrunstate-change": ({ detail }) => void detail.state?.length };
      export const reactPanel: Tags["runstate-panel"] = { "onrunstate-action": ({ detail }) => void detail.text.length };
      const size: "dense" | null | undefined = document.querySelector("runstate-pill")?.size;
      // @ts-expect-error A view that does not exist.
      panel.view = "sideways";
      // @ts-expect-error The state is read-only.
      panel.runState = undefined;
      export { size };`;
    writeFileSync(join(folder, "typed.ts"), typed);
    const options = [
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--target",
      "es2022",
      "--module",
      "esnext",
      "--moduleResolution",
      "bundler",
      "--jsx",
      "react-jsx",
      "--types",
      "react",
      "--lib",
      "es2023,dom,dom.iterable",
    ];
    // React's client has its types in a package that no test needs.
    writeFileSync(
      join(folder, "client.d.ts"),
      'declare module "react-dom/client" { export function createRoot(root: Element): { render(node: unknown): void } }',
    );
    execFileSync(
      process.execPath,
      [join(tools, "typescript/bin/tsc"), ...options, "react/app.tsx", "vue/app.ts", "typed.ts", "client.d.ts"],
      { cwd: folder, encoding: "utf8", stdio: ["ignore", "inherit", "inherit"] },
    );
  });

  describe("the manifest names exactly what there is", () => {
    const manifest = JSON.parse(readFileSync(built("npm", "elements", "custom-elements.json"), "utf8"));
    const declarations = manifest.modules.flatMap((module) => module.declarations);
    const [panel, pill] = ["RunstatePanel", "RunstatePill"].map((name) => declarations.find((declaration) => declaration.name === name));
    const names = (list) => list.map(({ name }) => name).sort();
    const source = (file) => readFileSync(built("npm", "elements", file), "utf8");
    const panelSources = () =>
      readdirSync(built("npm", "elements"))
        .filter((file) => /^panel(-\w+)?\.js$/.test(file))
        .map(source)
        .join("");
    const found = (text, pattern) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort();

    test("attributes, properties and methods", async () => {
      const classes = await import(built("npm", "elements", "index.js"));
      for (const { name, attributes, members } of [panel, pill]) {
        const { observedAttributes, prototype } = classes[name];
        // What is read once is not observed.
        const unobserved = names(attributes).filter((attribute) => !observedAttributes.includes(attribute));
        assert.deepEqual(unobserved, name === "RunstatePanel" ? ["loading"] : ["theme"]);
        for (const attribute of observedAttributes) assert.ok(names(attributes).includes(attribute), `${name} ${attribute}`);
        // The base class has a property for each attribute.
        const defined = [prototype, Object.getPrototypeOf(prototype)].flatMap((each) => Object.getOwnPropertyNames(each));
        const own = defined.filter((key) => !/^constructor$|Callback$/.test(key));
        assert.deepEqual([...attributes.map(({ fieldName }) => fieldName), ...names(members)].sort(), own.sort(), name);
      }
    });

    test("events, also in the types", () => {
      const types = source("index.d.ts");
      for (const [declaration, text] of [
        [panel, panelSources()],
        [pill, source("pill.js")],
      ]) {
        const emitted = found(text, /emit\((?:this|element), "([\w-]+)"/g).map((name) => `runstate-${name}`);
        const [, map] = new RegExp(`interface ${declaration.name}EventMap \\{(.*?)\\n\\}`, "s").exec(types);
        assert.deepEqual([names(declaration.events), found(map, /"(runstate-[\w-]+)"/g)], [emitted, emitted], declaration.name);
      }
    });

    test("parts and slots", async () => {
      const { page, log, close } = await newPage();
      await page.goto(`${server.origin}/plain/`);
      const shown = await page.evaluate(
        async (content, origin) => {
          const seen = { panel: { parts: new Set(), slots: new Set() }, pill: { parts: new Set(), slots: new Set() } };
          const note = (kind, element) => {
            for (const { part } of element.shadowRoot.querySelectorAll("[part]")) part.forEach((name) => seen[kind].parts.add(name));
            for (const slot of element.shadowRoot.querySelectorAll("slot")) seen[kind].slots.add(slot.name);
          };
          const panel = async (event, values) => {
            const element = Object.assign(document.createElement("runstate-panel"), values);
            const happened = new Promise((done) => element.addEventListener(`runstate-${event}`, done, { once: true }));
            document.body.append(element);
            note("panel", element);
            await happened;
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            note("panel", element);
          };
          await panel("change", { content });
          await panel("ready", { frame: true });
          await panel("error", { assets: `${origin}/nowhere/` });
          for (const values of [{}, { state: "running", reason: "why", since: "2026-11-21T21:00:00.000Z" }]) {
            const element = Object.assign(document.createElement("runstate-pill"), values);
            document.body.append(element);
            note("pill", element);
          }
          return Object.values(seen).map(({ parts, slots }) => [[...parts].sort(), [...slots].sort()]);
        },
        snapshot("r1", [task(2, "build", 1)]),
        server.origin,
      );
      assert.deepEqual(
        shown,
        [panel, pill].map(({ cssParts, slots }) => [names(cssParts), names(slots)]),
      );
      log.allow(/404|Loading module/);
      await close();
    });

    test("custom properties, and states of the pill", () => {
      const property = /var\((--runstate-[\w-]+)/g;
      const files = readdirSync(built("npm", "elements", "panel", "css"));
      const styles = files.map((file) => source(`panel/css/${file}`)).join("");
      assert.deepEqual(names(panel.cssProperties), found(panelSources() + styles, property));
      // The pill has the styles of the panel, and of these only what it uses.
      assert.deepEqual(names(pill.cssProperties), found(source("pill.js"), property));
      // A pill has the state that it shows; see pill-element.test.mjs.
      assert.deepEqual(names(pill.cssStates), ["<state>"]);
    });

    test("states of the panel", async () => {
      writeFileSync(
        join(folder, "states.html"),
        '<!doctype html><html lang="en"><title>States</title><link rel="icon" href="data:,"><script type="module" src="/runstate/define.js"></script><runstate-panel></runstate-panel>',
      );
      const { page, log, close } = await newPage();
      await page.goto(`${server.origin}/states.html`);
      await page.evaluate(() => {
        window.taken = new Set();
        const { add } = CustomStateSet.prototype;
        CustomStateSet.prototype.add = function (name) {
          window.taken.add(name);
          return add.call(this, name);
        };
      });
      const connect = (token) =>
        page.$eval("runstate-panel", (element, options) => element.connect(options).catch(() => {}), {
          url: server.origin,
          token,
          run: "approval-a",
        });
      const takes = (state) => page.waitForSelector(`runstate-panel:state(${state})`);
      await connect("wrong");
      await takes("refused");
      await connect("operator-token");
      await takes("live");
      isAway = true;
      await takes("stale");
      isAway = false;
      assert.deepEqual(await page.evaluate(() => [...window.taken].sort()), names(panel.cssStates));
      log.allow(/401|404|ERR_EMPTY_RESPONSE|NetworkError|Cross-Origin/);
      await close();
    });
  });

  test("importing the classes defines nothing and needs no document", async () => {
    const { sideEffects, exports } = JSON.parse(readFileSync(built("npm", "package.json"), "utf8"));
    assert.ok(sideEffects.includes("./elements/define.js") && !sideEffects.includes("./elements/index.js"));
    for (const path of Object.values(exports).flatMap((target) => (typeof target === "string" ? [target] : Object.values(target)))) {
      if (!path.includes("*")) assert.ok(built("npm", path), path);
    }
  });
});
