// Compares what is on screen with what the Gateway answers when it is asked directly.

/** How often the Gateway is asked, and the screen is read, in milliseconds. */
const ASK_MS = 100;
const LOOK_MS = 250;
/** How long a word may be on screen as the present although the Gateway has given another one since, in milliseconds. */
const ALLOWED_MS = 1500;
/** How long the Gateway's next answer about a run is waited for, in milliseconds: it may be down or frozen. */
const ANSWER_MS = 2000;
/** How long a row may be stale by its age until the Gateway has said that its process is gone, in milliseconds: the rows are asked about one by one. */
const ASK_ABOUT_ROWS_MS = 8000;
/** The states of a run that has ended. */
const ENDED = ["succeeded", "failed", "cancelled"];

/**
 * Asks Gateways about runs all the time, and remembers which word each gave when. The first one is the panel's: only what it says can be on screen. The
 * others have the same database and are believed only while the first one is frozen or restarts.
 */
export class Truth {
  #isOver = false;
  #said;
  #asking;

  /** `runIds` may grow. */
  constructor(gateways, runIds) {
    this.runIds = runIds;
    this.#said = gateways.map(() => new Map());
    this.#asking = Promise.all(gateways.map((gateway, place) => this.#ask(gateway, this.#said[place])));
  }

  async #ask(gateway, said) {
    while (!this.#isOver) {
      await Promise.all(this.runIds.map((runId) => this.#askOnce(gateway, said, runId)));
      await pause(ASK_MS);
    }
  }

  async #askOnce(gateway, said, runId) {
    const asked = performance.now();
    const add = (word) => {
      const known = said.get(runId) ?? said.set(runId, []).get(runId);
      known.push({ word, asked, answered: performance.now() });
      if (known.length > 5000) known.splice(0, 1000);
    };
    try {
      add((await gateway.rpc("getRun", { runId })).runState.state);
    } catch (error) {
      // A Gateway that is down or frozen says nothing.
      if (error.code === "NOT_FOUND") add("not found");
    }
  }

  /** Whether all Gateways have answered a question that was asked after `at`: the run may have changed since the answer before that one. */
  hasSaidSince(runId, at) {
    return this.#said.every((said) => (said.get(runId) ?? []).some(({ asked }) => asked >= at));
  }

  /** What the first Gateway that said enough has said in the `age` ms before `at`; `undefined` if none did. */
  #near(runId, at, age) {
    const near = this.#said.map((said) => {
      const since = (said.get(runId) ?? []).filter(({ answered }) => answered >= at - age);
      const next = since.findIndex(({ asked }) => asked >= at);
      return next < 0 ? since : since.slice(0, next + 1);
    });
    return near.find((said) => said.length >= 3);
  }

  /** Whether `word` was true at some time in the `age` ms before `at`; `undefined` if the Gateways did not say enough. */
  was(runId, word, at, age) {
    return this.#near(runId, at, age)?.some((said) => said.word === word);
  }

  /** The last word of each Gateway, the panel's first. */
  last(runId) {
    return this.#said.map((said) => said.get(runId)?.at(-1)?.word);
  }

  async stop() {
    this.#isOver = true;
    await this.#asking;
  }
}

/** What a surface shows of each run, as the present: `[{runId, word}]`. Words with an age, and lost feeds, are no present. */
function shown(root) {
  const from = root ? document.querySelector(root).shadowRoot : document;
  const words = [];
  const section = from.querySelector("section[data-tone]");
  const freshness = section?.querySelector('[data-field="freshness"] [data-taxonomy]')?.dataset.value;
  const runId = section?.querySelector('[data-field="runId"]')?.dataset.value;
  if (section)
    words.push({
      surface: "header",
      runId,
      word: section.dataset.state,
      isPresent: freshness === "live" || freshness === "following",
      freshness,
      text: freshness,
    });
  for (const row of from.querySelectorAll("[data-run]")) {
    const pill = row.querySelector("[data-taxonomy]");
    if (pill)
      words.push({
        surface: "row",
        runId: row.dataset.run,
        word: pill.dataset.value,
        isPresent: !/as of/.test(row.textContent),
        text: row.textContent,
      });
  }
  return words;
}

/** Reads a page all the time, and counts what it says that the Gateway does not. */
export class Watch {
  compared = 0;
  false = 0;
  examples = [];
  #isOver = false;
  #looking;
  #looks = [];
  /** The delay of the present fault, in milliseconds, and its name. */
  delay = 0;
  fault = "none";
  /** Whether the times of the server disagree with each other: only its clock is moved, not the heartbeats in its database. */
  isSkewed = false;

  /**
   * `evaluate` calls a function with an argument in the page, like a page's `evaluate`; `root` is the selector of an element with the panel in it:
   * without one, the page is the panel.
   */
  constructor(evaluate, truth, { root, label = "" } = {}) {
    this.evaluate = evaluate;
    this.truth = truth;
    this.root = root;
    this.label = label;
    this.#looking = this.#look();
  }

  async #look() {
    while (!this.#isOver) {
      const from = performance.now();
      // A page that is being reloaded, or an element that was removed, shows nothing.
      const words = await this.evaluate(shown, this.root).catch(() => []);
      // A page that took long to answer may have shown this at any time since.
      if (performance.now() - from < LOOK_MS) {
        const look = { words: words.filter((shown) => this.#isComparable(shown)), at: from };
        this.#looks.push({ ...look, age: ALLOWED_MS + this.delay, fault: this.fault });
      }
      this.#compareAnswered(performance.now());
      await pause(LOOK_MS);
    }
  }

  /** A row is derived from times, which mean nothing while they disagree: a server with such a clock would give the same words. */
  #isComparable({ runId, word, isPresent }) {
    const isByAge = word === "unknown" || (this.isSkewed && ["stale", "orphaned"].includes(word));
    return isPresent && !isByAge && this.truth.runIds.includes(runId);
  }

  /** Resolves when everything that was on screen until now has been compared. */
  async settle() {
    const now = performance.now();
    while (this.#looks[0]?.at < now) await pause(LOOK_MS / 5);
  }

  /** Compares the looks that are old enough for the Gateway to have said what was true then. */
  #compareAnswered(now) {
    while (this.#looks.length > 0) {
      const { words, at, age, fault } = this.#looks[0];
      const isAnswered = words.every(({ runId }) => this.truth.hasSaidSince(runId, at));
      if (!isAnswered && now - at < ANSWER_MS) return;
      this.#looks.shift();
      this.#compare(words, at, age, fault);
    }
  }

  #compare(words, at, age, fault) {
    for (const { surface, runId, word, text } of words) {
      const wasTrue = this.truth.was(runId, word, at, age + this.#period(surface, word));
      if (wasTrue === undefined) continue;
      this.compared += 1;
      if (wasTrue || this.#isStaleByAge(surface, runId, word, at)) continue;
      this.false += 1;
      if (this.examples.length < 12) {
        const said = `${word}, the Gateways: ${this.truth.last(runId).join(" and ")}`;
        const second = (at / 1000).toFixed(1);
        this.examples.push(`${this.label} ${surface} of ${runId}: ${said} (second ${second}, fault: ${fault}): ${text}`);
      }
    }
  }

  /** Whether a row is stale by its age, and nobody has been asked yet whether its process is alive. */
  #isStaleByAge(surface, runId, word, at) {
    return surface === "row" && word === "stale" && this.truth.was(runId, "running", at, ASK_ABOUT_ROWS_MS);
  }

  /** Rows beside a run are read every 2 s, and show their age after 0.4 s more; a row is also what says that an ended run was reopened. */
  #period(surface, word) {
    return surface === "row" || ENDED.includes(word) ? 1500 : 0;
  }

  async words() {
    return this.evaluate(shown, this.root);
  }

  async stop() {
    this.#isOver = true;
    await this.#looking;
    this.#compareAnswered(Infinity);
  }
}

export const pause = (ms) => new Promise((next) => setTimeout(next, ms));

/** Numbers from 0 to 1 that are the same for the same seed. */
export function randomOf(seed) {
  let state = seed % 2147483647 || 1;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  random.pick = (list) => list[Math.floor(random() * list.length)];
  return random;
}
