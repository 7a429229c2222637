// How often the collector polls, and how much of the time it takes.
import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { answer, bodies, developerTools, firefoxTools, gateway, kinds, receive, start } from "../support/collector.mjs";

mock.timers.enable({ apis: ["setTimeout"] });

describe("a poll", () => {
  test("is taken every 250 ms, seldom while nothing is open, and less often the more it costs", async () => {
    const tools = developerTools();
    const next = async (cost) => {
      tools.cost = cost;
      let nextMs = 0;
      // What it may take without a pause is used up after some polls.
      for (let i = 0; i < 300; i++) {
        tools.now += nextMs;
        await tools.collector.poll();
        ({ nextMs } = tools.got.splice(0).at(-1));
      }
      return Math.round(nextMs / 50) * 50;
    };
    assert.equal(await next(1), 1500);
    tools.socket("ws://127.0.0.1:7331/", [receive(answer)]);
    const table = [
      [1, 250],
      [10, 300],
      [20, 650],
      [100, 3250],
      [500, 16_150],
      [2000, 64_650],
      [4000, 129_350],
    ];
    for (const [cost, expected] of table) assert.equal(await next(cost), expected, `after polls of ${cost} ms`);
    await next(1);
    tools.now += 10_000;
    tools.cost = 250;
    assert.equal((await tools.poll()).at(-1).nextMs, 250, "one poll that takes long says nothing of the log");
  });

  const random = (seed) => () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const costs = {
    "always 5 ms": () => 5,
    "always 3 s": () => 3000,
    "5 and 300 ms by turns": (index) => (index % 2 ? 300 : 5),
    "0 ms, and 2 s each tenth time": (index) => (index % 10 ? 0 : 2000),
    "bursts of 100 polls of 400 ms": (index) => (Math.floor(index / 100) % 2 ? 400 : 1),
    "at random up to 600 ms": (index, next) => 600 * next(),
    "ever longer": (index) => index,
  };

  for (const [name, costOf] of Object.entries(costs)) {
    for (const body of [0, 20]) {
      test(`takes less than 4 % of the time: ${name}${body ? `, and ${body} ms for an answer each time` : ""}`, async () => {
        const tools = developerTools();
        const next = random(7);
        tools.socket("ws://127.0.0.1:7331/", [receive(answer)]);
        let work = 0;
        for (let index = 0; index < 1000; index++) {
          tools.cost = costOf(index, next);
          work += tools.cost + body;
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

  test("comes after 10 s at the latest, however much work the answers are", async () => {
    const tools = developerTools();
    tools.socket("ws://127.0.0.1:7331/", [receive(answer)]);
    for (let index = 0; index < 20; index++) {
      tools.slowAnswer(2000);
      await bodies();
      const [{ nextMs }] = (await tools.poll()).splice(-1);
      assert.ok(nextMs <= 10_100, `${nextMs} ms`);
      tools.now += nextMs;
    }
  });

  test("that gets no answer costs, and the next one waits", async () => {
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
      assert.deepEqual([kind, at], ["failed-poll", tools.now]);
      assert.ok(nextMs > 10_000, `${nextMs} ms`);
    }
    assert.equal(error.mock.callCount(), 2);
    error.mock.restore();
    tools.network.getHAR = () => assert.fail("it polls too early");
    mock.timers.tick(110_000);
    let isPolled = false;
    tools.network.getHAR = (done) => {
      isPolled = true;
      getHAR(done);
    };
    mock.timers.tick(15_000);
    await bodies();
    assert.ok(isPolled, "after about a minute for each it polls");
  });

  test("does not wait when the page navigates, which empties the log", async () => {
    const tools = developerTools();
    tools.document();
    tools.cost = 2000;
    await tools.poll();
    assert.ok((await tools.poll()).at(-1).nextMs > 50_000);
    tools.cost = 1;
    tools.now += 600;
    tools.navigate();
    mock.timers.tick(1);
    await bodies();
    assert.deepEqual(kinds(tools.got), ["navigated", "poll"]);
    assert.equal(tools.got.at(-1).nextMs, 1500);
  });

  test("delays no response in Firefox if it takes long, because the log has all bodies there", async () => {
    for (const [makeTools, delivered] of [
      [firefoxTools, ["answer"]],
      [developerTools, []],
    ]) {
      const tools = makeTools();
      tools.page?.();
      tools.announce();
      await tools.poll();
      tools.cost = 2000;
      assert.ok((await tools.poll()).at(-1).nextMs > 50_000);
      tools.answer(gateway, answer);
      await bodies();
      assert.deepEqual(kinds(tools.got), delivered);
    }
  });

  test("in Firefox delivers again what the new page was answered before it was announced", async () => {
    const tools = firefoxTools();
    tools.page();
    tools.announce();
    await tools.poll();
    tools.cost = 2000;
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
