// Which page the collector takes its traffic for, and what it keeps when that page is reloaded or navigates.
import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { answer, bodies, developerTools, firefoxTools, gateway, kinds, receive } from "../support/collector.mjs";

mock.timers.enable({ apis: ["setTimeout"] });

describe("a poll", () => {
  test("drops an answer to the previous page whose body comes late, unless that is preserved", async () => {
    for (const preserve of [false, true]) {
      const tools = developerTools();
      tools.collector.preserve = preserve;
      tools.document();
      await tools.poll();
      const bodies = [];
      tools.answer(gateway, answer, { getContent: (done) => bodies.push(done) });
      tools.now += 1000;
      tools.navigate();
      tools.now += 10;
      tools.answer(gateway, answer, { getContent: (done) => bodies.push(done) });
      assert.deepEqual(kinds(await tools.poll()), ["navigated", "poll"]);
      for (const give of bodies) give(answer);
      assert.equal((await tools.poll()).filter(({ kind }) => kind === "answer").length, preserve ? 2 : 1);
    }
  });

  test("keeps what a page in Firefox was answered before it was announced", async () => {
    const tools = firefoxTools();
    tools.page();
    tools.announce();
    await tools.poll();
    tools.now += 1000;
    const log = tools.entries;
    tools.entries = [];
    tools.page();
    tools.now += 30;
    tools.answer(gateway, answer);
    await bodies();
    assert.deepEqual(kinds(tools.got.splice(0)), ["answer"]);
    tools.now += 100;
    tools.announce();
    // The log of before is there for another moment.
    const newLog = tools.entries;
    tools.entries = log;
    await tools.collector.poll();
    assert.deepEqual(tools.got, []);
    tools.entries = newLog;
    assert.deepEqual(
      (await tools.poll()).map(({ kind, kept }) => kept ?? kind),
      [false, "answer", "poll"],
      "it is delivered again, because a navigation discards what was delivered before",
    );
  });

  test("does not take a log for preserved because the page's own request was in it before the page", async () => {
    const [tools, next] = [developerTools(), "http://127.0.0.1/next"];
    tools.document();
    tools.announce();
    tools.answer(gateway, answer);
    await tools.poll();
    tools.clear();
    tools.pages = [];
    tools.document(next);
    // Until the response begins, the request belongs to no page.
    const [[page], [entry]] = [tools.pages, tools.entries];
    [tools.pages, tools.entries] = [[], [{ ...entry, pageref: undefined }]];
    await tools.poll();
    [tools.pages, tools.entries] = [[page], [entry]];
    tools.announce(next);
    const entries = [...(await tools.poll()), ...(await tools.poll())];
    assert.deepEqual(
      entries.filter(({ kind }) => kind === "navigated").map(({ url, kept }) => [url, kept]),
      [[next, false]],
    );
  });

  test("takes a page in Firefox that was announced for a new one, although the log of before stays", async () => {
    const tools = firefoxTools();
    tools.page();
    tools.announce();
    await tools.poll();
    tools.announce();
    assert.deepEqual(await tools.poll(), []);
    assert.deepEqual(kinds(await tools.poll()), ["navigated", "poll"]);
  });

  test("drops what the previous page was answered while the next one was loading", async () => {
    const [previous, next] = ["http://127.0.0.1/page?1", "http://127.0.0.1/page?2"];
    for (const preserve of [false, true]) {
      const tools = firefoxTools();
      tools.collector.preserve = preserve;
      tools.page(`${previous}#run`);
      tools.announce();
      await tools.poll();
      tools.now += 1000;
      tools.entries = [];
      tools.page(`${next}#run`);
      tools.now += 30;
      tools.answer(gateway, answer, { referrer: previous });
      tools.answer(gateway, answer, { referrer: next });
      tools.answer(gateway, answer);
      tools.announce();
      assert.equal((await tools.poll()).filter(({ kind }) => kind === "answer").length, preserve ? 3 : 2);
      tools.answer(gateway, answer, { referrer: previous });
      assert.deepEqual(kinds(await tools.poll()), preserve ? ["answer", "poll"] : ["poll"]);
    }
  });

  test("drops what was before a navigation, unless that is preserved", async () => {
    for (const preserve of [false, true]) {
      const tools = developerTools();
      tools.collector.preserve = preserve;
      tools.document();
      tools.answer(gateway, answer);
      await tools.poll();
      tools.now += 1000;
      tools.navigate();
      const [navigated] = await tools.poll();
      assert.deepEqual([navigated.kind, navigated.kept], ["navigated", preserve]);
      const later = [];
      tools.collector.subscribe((entries) => later.push(...entries));
      assert.deepEqual(kinds(later), preserve ? ["answer", "navigated", "poll"] : ["navigated", "poll"]);
    }
  });

  test("sees a new page before it is announced, and then says so once", async () => {
    const tools = developerTools();
    tools.document();
    tools.answer(gateway, answer);
    await tools.poll();
    [tools.pages, tools.entries] = [[], []];
    tools.document();
    tools.socket("ws://127.0.0.1:7331/", [receive(answer, tools.now / 1000 + 1)]);
    assert.deepEqual(kinds(await tools.poll()), ["navigated", "frame", "poll"]);
    tools.announce();
    const [{ kind, openStreams }] = await tools.poll();
    assert.deepEqual([kind, openStreams.length], ["poll", 1]);
  });

  test("keeps what was before where DevTools preserves its log", async () => {
    const tools = developerTools();
    tools.document();
    tools.answer(gateway, answer);
    await tools.poll();
    tools.document();
    assert.deepEqual(await tools.poll(), [], "the log may be emptied yet");
    tools.now += 500;
    assert.deepEqual(
      (await tools.poll()).map(({ kind, kept }) => kept ?? kind),
      [true, "poll"],
    );
    tools.announce();
    assert.deepEqual(kinds(await tools.poll()), ["poll"], "it has said so before");
  });

  test("waits for a log that is emptied after it contains the new page", async () => {
    const tools = developerTools();
    tools.document();
    tools.answer(gateway, answer);
    await tools.poll();
    tools.document();
    tools.announce();
    assert.deepEqual(await tools.poll(), []);
    [tools.pages, tools.entries] = [tools.pages.slice(-1), tools.entries.slice(-1)];
    tools.answer(gateway, answer);
    const [{ kind, kept }, ...others] = await tools.poll();
    assert.deepEqual([kind, kept, ...kinds(others)], ["navigated", false, "answer", "poll"]);
  });

  test("keeps what was before where DevTools preserves its log, also if that begins after the page was loaded", async () => {
    const tools = developerTools();
    tools.answer(gateway, answer);
    await tools.poll();
    tools.document();
    assert.deepEqual(await tools.poll(), [], "the log may be emptied yet");
    tools.now += 500;
    assert.deepEqual(
      (await tools.poll()).map(({ kind, kept }) => kept ?? kind),
      [true, "poll"],
    );
  });

  test("knows whether the page was loaded before", async () => {
    const tools = developerTools();
    tools.answer(gateway, answer);
    assert.equal((await tools.poll()).at(-1).sawPageLoad, false);
    tools.navigate();
    assert.equal((await tools.poll()).at(-1).sawPageLoad, true);
  });

  test("does not take a page inside the page for the page", async () => {
    const late = developerTools();
    late.frame();
    assert.equal((await late.poll()).at(-1).sawPageLoad, false, "loaded before DevTools was opened");
    late.answer(gateway, answer);
    late.frame();
    assert.deepEqual(
      (await late.poll()).map(({ kind, sawPageLoad }) => sawPageLoad ?? kind),
      ["answer", false],
    );
    const cleared = developerTools();
    cleared.document();
    cleared.answer(gateway, answer);
    await cleared.poll();
    cleared.clear();
    cleared.frame();
    assert.deepEqual(kinds(await cleared.poll()), ["poll"], "the log was cleared, and the page has loaded another page into itself");
  });

  test("says that the log is not recorded, and does not take it for a preserved one", async () => {
    // Without its parameters, the address of the next page may be that of the page before.
    for (const [isEmpty, next] of [
      [true, "next"],
      [false, "next"],
      [false, "page?next"],
      [false, "page"],
    ]) {
      const tools = developerTools();
      if (!isEmpty) tools.document();
      if (!isEmpty) tools.answer(gateway, answer);
      assert.equal((await tools.poll()).at(-1).recording, true);
      tools.isRecording = false;
      for (const expected of [true, false, false]) {
        tools.answer(gateway, answer);
        assert.equal((await tools.poll()).at(-1).recording, expected);
      }
      // The log stays as it is.
      tools.announce(`http://127.0.0.1/${next}`);
      if (!isEmpty && next !== "page") tools.answer(gateway, answer, { referrer: "http://127.0.0.1/page" });
      tools.answer(gateway, answer, { referrer: `http://127.0.0.1/${next}` });
      const entries = [...(await tools.poll()), ...(await tools.poll()), ...(await tools.poll())];
      assert.equal(entries.find(({ kind }) => kind === "navigated").kept, false);
      assert.equal(kinds(entries).filter((kind) => kind === "navigated").length, 1, "the log still has the page before");
      assert.equal(kinds(entries).filter((kind) => kind === "answer").length, 1, "that of the new page");
      assert.equal(entries.at(-1).recording, false);
      tools.isRecording = true;
      tools.answer(gateway, answer);
      assert.equal((await tools.poll()).at(-1).recording, true);
    }
  });

  test("that is cleared by quick reloads counts as recorded", async () => {
    const tools = developerTools();
    tools.document();
    tools.answer(gateway, answer);
    await tools.poll();
    for (let reload = 0; reload < 4; reload += 1) {
      // The last answer of a page is cleared before a poll sees it in the log.
      tools.answer(gateway, answer);
      tools.navigate();
      assert.equal((await tools.poll()).at(-1).recording, true, `reload ${reload}`);
    }
  });

  test("of an empty log does not say that it was preserved", async () => {
    const tools = developerTools();
    await tools.poll();
    tools.announce("about:blank");
    await tools.poll();
    await tools.poll();
    const later = [];
    tools.collector.subscribe((entries) => later.push(...entries));
    assert.deepEqual(
      later.map(({ kind, kept }) => kept ?? kind),
      [false, "poll"],
    );
  });
});
