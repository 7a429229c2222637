// What a test file of the panel stands on: servers and a browser of its own, all of them ended after its tests.
import { after } from "node:test";
import { launch, listen } from "./browser.mjs";
import { open } from "./panel.mjs";
import { built } from "./paths.mjs";
import { serve } from "./server.mjs";

/** The built dashboard on a server of its own, and a browser; `headers` go with every answer of the server. */
export async function stage(headers) {
  const [browser, server] = await Promise.all([launch(), serve(built("dashboard"), headers)]);
  after(async () => {
    await browser.close();
    await server.close();
  });
  return { browser, server };
}

/** The same with one page that shows the connect screen; `heard` is what it said so far. */
export async function connectScreen() {
  const { browser, server } = await stage();
  const page = await browser.newPage();
  const heard = listen(page);
  await open(page, `${server.origin}/#connect`);
  return { browser, server, page, heard };
}

/** A page that shares nothing with the others: storage, cache and workers are its own. */
export async function fresh(browser) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  return { page, heard: listen(page), close: () => context.close() };
}
