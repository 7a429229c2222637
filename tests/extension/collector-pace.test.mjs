// How often the collector polls, and how much of the time it takes.
import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { answer, bodies, developerTools, firefoxTools, gateway, kinds, receive, signal, start } from "../support/collector.mjs";

mock.timers.enable({ apis: ["setTimeout"] });

describe("a poll", () => {
  const next = async (tools, { wait = 0, work = 0 }) => {
    Object.assign(tools, { wait, work });
    let nextMs = 0;
    // What it may take without a pause is used up after some polls.
    for (let i = 0; i < 300; i++) {
      tools.now += nextMs;
      await tools.collector.poll();
      ({ nextMs } = tools.got.splice(0).at(-1));
    }
    return Math.round(nextMs / 50) * 50;
  };

  test("is taken every 250 ms, seldom while nothing is open, and less often the more work it is", async () => {
    const tools = developerTools();
    assert.equal(await next(tools, { work: 1 }), 1500);
    tools.socket("ws://127.0.0.1:7331/", [receive(answer)]);
    const table = [
      [1, 250],
      [10, 300],
      [20, 650],
      [50, 1600],
      [100, 2000],
      [4000, 2000],
    ];
    for (const [work, expected] of table) assert.equal(await next(tools, { work }), expected, `after polls of ${work} ms`);
    await next(tools, { work: 1 });
    tools.now += 10_000;
    tools.work = 250;
    assert.equal((await tools.poll()).at(-1).nextMs, 250, "one poll that takes long says nothing of the log");
  });

  test("costs nothing while it waits for the log, and says how long that took", async () => {
    const tools = developerTools();
    tools.socket("ws://127.0.0.1:7331/", [receive(answer)]);
    for (const wait of [10, 300, 3000, 20_000]) {
      assert.equal(await next(tools, { wait, work: 2 }), 250, `a log that takes ${wait} ms`);
      const before = tools.now;
      await tools.collector.poll();
      const { at, readMs, logEntries } = tools.got.splice(0).at(-1);
      assert.deepEqual([at, readMs, logEntries], [before, wait + 2, 1]);
    }
  });

  test("waits at most 10 s while the panel is not on screen", async () => {
    const tools = developerTools();
    tools.socket("ws://127.0.0.1:7331/", [receive(answer)]);
    tools.collector.hide();
    assert.equal(await next(tools, { work: 150 }), 4850);
    assert.equal(await next(tools, { work: 4000 }), 10_000);
  });

  const random = (seed) => () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const costs = {
    "always 5 ms": () => 5,
    "always 60 ms": () => 60,
    "5 and 100 ms by turns": (index) => (index % 2 ? 100 : 5),
    "0 ms, and 300 ms each tenth time": (index) => (index % 10 ? 0 : 300),
    "bursts of 10 polls of 30 ms": (index) => (Math.floor(index / 10) % 2 ? 30 : 1),
    "at random up to 60 ms": (index, next) => 60 * next(),
  };

  for (const [name, workOf] of Object.entries(costs)) {
    for (const body of [0, 5]) {
      test(`takes less than 4 % of the time: ${name}${body ? `, and ${body} ms for an answer each time` : ""}`, async () => {
        const tools = developerTools();
        const next = random(7);
        tools.socket("ws://127.0.0.1:7331/", [receive(answer)]);
        let work = 0;
        for (let index = 0; index < 1000; index++) {
          tools.work = workOf(index, next);
          work += tools.work + body;
          if (body) tools.slowAnswer(body);
          await bodies();
          await tools.collector.poll();
          tools.now += tools.got.splice(0).at(-1).nextMs;
        }
        const share = (100 * work) / (tools.now - start);
        assert.ok(share < 4, `it takes ${share} %`);
      });
    }
  }

  test("comes after 2 s at the latest, however much work the answers are", async () => {
    const tools = developerTools();
    tools.socket("ws://127.0.0.1:7331/", [receive(answer)]);
    for (let index = 0; index < 20; index++) {
      tools.slowAnswer(2000);
      await bodies();
      const [{ nextMs }] = (await tools.poll()).splice(-1);
      assert.ok(nextMs <= 2000, `${nextMs} ms`);
      tools.now += nextMs;
    }
  });

  test("that gets no answer is repeated after 15 s", async () => {
    const tools = developerTools();
    const { getHAR } = tools.network;
    tools.socket("ws://127.0.0.1:7331/", [receive(answer)]);
    await tools.poll();
    tools.network.getHAR = () => {
      tools.now += 4000;
      throw new Error("the developer tools are gone");
    };
    const error = mock.method(console, "error", () => {});
    for (let i = 0; i < 2; i++) {
      const [{ kind, at, nextMs }] = await tools.poll();
      assert.deepEqual([kind, at, nextMs], ["failed-poll", tools.now, 15_000]);
    }
    assert.equal(error.mock.callCount(), 2);
    error.mock.restore();
    tools.network.getHAR = () => assert.fail("it polls too early");
    mock.timers.tick(14_000);
    let isPolled = false;
    tools.network.getHAR = (done) => {
      isPolled = true;
      getHAR(done);
    };
    mock.timers.tick(1_000);
    await bodies();
    assert.ok(isPolled);
  });

  test("does not wait when the page navigates, which empties the log", async () => {
    const tools = developerTools();
    tools.document();
    tools.collector.hide();
    tools.answer(gateway, answer);
    tools.work = 2000;
    await tools.poll();
    assert.ok((await tools.poll()).at(-1).nextMs > 9_000);
    tools.work = 1;
    tools.now += 600;
    tools.navigate();
    mock.timers.tick(1);
    await bodies();
    assert.deepEqual(kinds(tools.got), ["navigated"]);
  });

  test("delays no response, however long the log takes", async () => {
    for (const makeTools of [firefoxTools, developerTools]) {
      const tools = makeTools();
      tools.page?.();
      tools.announce();
      await tools.poll();
      tools.socket("ws://127.0.0.1:7331/", [receive(answer)]);
      await tools.poll();
      tools.network.getHAR = () => {};
      void tools.collector.poll();
      tools.answer(gateway, answer);
      await bodies();
      assert.deepEqual(kinds(tools.got), ["answer"]);
    }
  });

  test("in Firefox delivers again what the new page was answered before it was announced", async () => {
    const tools = firefoxTools();
    tools.page();
    tools.announce();
    await tools.poll();
    tools.work = 2000;
    tools.answer(gateway, answer);
    await tools.poll();
    tools.entries = [];
    tools.page();
    tools.now += 30;
    tools.answer(gateway, answer);
    await bodies();
    assert.deepEqual(kinds(tools.got.splice(0)), ["answer"]);
    tools.announce();
    tools.answer(gateway, answer);
    await bodies();
    assert.deepEqual(tools.got, [], "the poll shows to which page it belongs");
    assert.deepEqual(kinds(await tools.poll()), ["navigated", "answer", "answer", "poll"]);
  });
});

describe("while the panel is not on screen", () => {
  /** The polls in `seconds`. */
  async function polls(tools, seconds) {
    let count = 0;
    const { getHAR } = tools.network;
    tools.network.getHAR = (done) => {
      count += 1;
      getHAR(done);
    };
    for (let ms = 0; ms < 1000 * seconds; ms += 50) {
      tools.now += 50;
      mock.timers.tick(50);
      await bodies();
    }
    tools.network.getHAR = getHAR;
    return count;
  }
  async function hiddenTools() {
    const tools = developerTools();
    tools.document();
    await polls(tools, 2);
    tools.collector.hide();
    await polls(tools, 2);
    tools.got.splice(0);
    return tools;
  }

  test("a page that exchanges nothing with a Gateway or Studio is polled each 15 s", async () => {
    const tools = await hiddenTools();
    assert.equal(await polls(tools, 60), 4);
    tools.answer("http://127.0.0.1/other", '{"of":"somebody else"}');
    tools.socket("ws://127.0.0.1:9000/", [receive('{"of":"somebody else"}')]);
    assert.equal(await polls(tools, 60), 4, "an open socket of somebody else");
    assert.deepEqual(tools.got, [], "a panel that is hidden is told nothing of such polls");
  });

  test("a panel that was never shown is not, either", async () => {
    const tools = developerTools({ isShown: false });
    tools.document();
    assert.equal(await polls(tools, 61), 5, "one at once, then each 15 s");
  });

  test("the first response of a Gateway is read at once, and from then on it is polled as often as on screen", async () => {
    const tools = await hiddenTools();
    tools.answer(gateway, answer);
    await polls(tools, 0.1);
    assert.deepEqual(kinds(tools.got), ["answer", "poll"]);
    assert.equal(tools.got[1].nextMs, 1500);
    assert.equal(await polls(tools, 15), 10);
  });

  test("the first message of a Gateway's socket and of Studio's stream is read within 15 s", async () => {
    const studio = "http://127.0.0.1:8765/api/runs/s1/events";
    for (const [kind, open] of [
      ["frame", (tools) => tools.socket("ws://127.0.0.1:7331/", [receive(answer)])],
      ["message", (tools) => tools.messages(studio, [signal(1)])],
    ]) {
      const tools = await hiddenTools();
      open(tools);
      await polls(tools, 15);
      assert.equal(tools.got[0].kind, kind);
      assert.equal(tools.got.at(-1).nextMs, 250);
      assert.equal(await polls(tools, 5), 20);
    }
  });

  test("it is polled at once when the panel is shown, and seldom again when it is hidden", async () => {
    const tools = await hiddenTools();
    tools.collector.show();
    await polls(tools, 0.1);
    assert.deepEqual(
      tools.got.splice(0).map(({ kind, nextMs }) => [kind, nextMs]),
      [["poll", 1500]],
    );
    assert.equal(await polls(tools, 15), 10);
    tools.collector.hide();
    await polls(tools, 2);
    assert.equal(await polls(tools, 60), 4);
  });

  test("what an earlier page exchanged counts only while it is kept", async () => {
    for (const [preserve, expected] of [
      [false, 4],
      [true, 40],
    ]) {
      const tools = await hiddenTools();
      tools.collector.preserve = preserve;
      tools.answer(gateway, answer);
      await polls(tools, 2);
      tools.now += 1000;
      tools.navigate();
      await polls(tools, 2);
      assert.equal(await polls(tools, 60), expected, `preserve: ${preserve}`);
    }
  });

  test("a poll that fails is repeated after 15 s", async () => {
    const tools = await hiddenTools();
    const error = mock.method(console, "error", () => {});
    tools.network.getHAR = () => {
      throw new Error("the developer tools are gone");
    };
    assert.equal(await polls(tools, 60), 4);
    error.mock.restore();
  });
});
