import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { ViewDelta, canonical } from "../../Public/viewdelta.js";
import { LiveServer, program } from "./support/live-server.js";
import { RandomContent, seededRandom } from "./support/random.js";
import { until } from "./support/until.js";
import { Writes } from "./support/writes.js";

const names = ["profile/1", "scoreboards/all", "scoreboard/1", "podcasts/1", "catalog/1"];
const timing = { pollInterval: 20, retryBase: 20, retryCap: 50 };

/** The transports of view models with a connection each, and of those that share one. */
const ways = ["events", "longPoll", "poll", "events for all", "longPoll for all"];

/** A client with one transport, and the events that it has emitted. Its view models are whole or have windows. */
class Watcher {
  told = { diverged: [], backward: [], unwanted: [], diffs: 0, via: new Set() };
  /** The window that each view model has asked for last; empty if they are whole. */
  #windows = new Map();

  constructor(base, way, makeWindow) {
    const [transport, ...forAll] = way.split(" ");
    const isShared = forAll.length > 0;
    this.via = isShared && transport === "longPoll" ? "sync" : transport;
    this.client = new ViewDelta({ base, transports: [transport], timing });
    const shared = isShared ? this.client.sync() : null;
    this.models = names.map((name) => {
      const options = makeWindow && { window: makeWindow() };
      const model = shared?.add(name, options) ?? this.client.open(name, options);
      if (options) this.#windows.set(model, options.window);
      this.#listen(model);
      return model;
    });
  }

  /** Asks for another window of a view model. */
  scroll(model, window) {
    this.#windows.set(model, window);
    model.scroll(window);
  }

  #listen(model) {
    model.addEventListener("diverged", ({ detail }) => this.told.diverged.push(detail.error));
    model.addEventListener("change", ({ detail }) => {
      const { kind, via, before, after } = detail;
      this.told.via.add(via);
      if (kind === "diff") this.told.diffs += 1;
      const { start, count } = after.window ?? {};
      const wanted = this.#windows.get(model);
      if (start !== wanted?.start || count !== wanted?.count) this.told.unwanted.push([model.name, via, start, count]);
      if (before !== null && isEarlier(after.revision, before.revision)) {
        this.told.backward.push([model.name, via, before.revision, after.revision]);
      }
    });
  }

  /** Waits until all view models equal those of the server, byte for byte. */
  async expectTwins(server) {
    for (const model of this.models) {
      const window = this.#windows.get(model);
      const query = window ? `?window=${window.start},${window.count}` : "";
      await expectTwin(model, server, model.path + query);
    }
  }

  expectSound() {
    assert.deepEqual(this.told.diverged, []);
    assert.deepEqual(this.told.backward, []);
    assert.deepEqual(this.told.unwanted, []);
    assert.ok(this.told.via.has(this.via), `by ${[...this.told.via]}`);
  }
}

async function expectTwin(model, server, path) {
  for (;;) {
    const held = model.snapshot;
    const { text, body } = await server.request(path);
    // Two windows can have the same rows, and two view models of different lengths in one window.
    if (model.snapshot?.digest === body.digest && isDeepStrictEqual(model.snapshot.window, body.window)) {
      // After a restart with the same content a client may not have received the new name yet.
      const { revision } = body;
      assert.equal(canonical({ kind: "snapshot", ...model.snapshot, revision }), text);
      return;
    }
    const hasMoved = () => model.snapshot !== held;
    await until(model, hasMoved, `${model.name} beyond ${held?.revision}, to ${body.revision}`);
  }
}

/** Whether a revision is older than another. Clients cannot know; this test knows the server. */
function isEarlier(left, right) {
  const [[run, number], [otherRun, otherNumber]] = [left, right].map((it) => it.split("."));
  return run === otherRun && Number(number) < Number(otherNumber);
}

/** Scrolls view models to random windows, some often one after the other. */
class Scrolls {
  #make;

  constructor(random) {
    this.#make = new RandomContent(random);
  }

  makeWindow = () => ({ start: this.#make.below(12), count: 1 + this.#make.below(this.#make.pick([2, 12])) });

  some(watchers) {
    for (const watcher of watchers) {
      for (let count = this.#make.below(6); count > 0; count--) {
        watcher.scroll(this.#make.pick(watcher.models), this.makeWindow());
      }
    }
  }

  /** Sends commands through windows: their replies may come after the next one is asked for. */
  async commands(watchers) {
    const watcher = this.#make.pick(watchers);
    const [, , board] = watcher.models;
    await board.send({ type: "setScore", player: 1 + this.#make.below(3), score: this.#make.below(1000) });
  }
}

/** Runs a case on a server of its own, and reports the seed if it fails. */
async function onServer(ways, run, { hasWindows = false } = {}) {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  const random = seededRandom(seed);
  const server = await new LiveServer(["--latency", "20ms"]).start();
  const scrolls = new Scrolls(random);
  const watchers = ways.map((way) => new Watcher(server.base, way, hasWindows ? scrolls.makeWindow : undefined));
  // Writes look at whole view models, also if those under test have windows.
  const writer = hasWindows ? new Watcher(server.base, "events for all") : watchers[0];
  try {
    await Promise.all([writer, ...watchers].map((watcher) => watcher.expectTwins(server)));
    await run(server, watchers, new Writes(server, writer.models, random), scrolls);
    for (const watcher of watchers) watcher.expectSound();
  } catch (error) {
    error.message = `SEED=${seed}: ${error.message}`;
    throw error;
  } finally {
    for (const { client } of [writer, ...watchers]) client.close();
    await server.kill();
  }
}

describe("Replicas of a real server", { skip: program === null && "none has been built" }, () => {
  for (const way of ways) {
    test(`follow random writes and commands by ${way}, byte for byte`, () =>
      onServer([way], async (server, [watcher], writes) => {
        for (let round = 0; round < 10; round++) {
          await writes.some();
          await watcher.expectTwins(server);
        }
        assert.ok(watcher.told.diffs > 8, `${watcher.told.diffs} diffs`);
      }));
  }

  for (const way of ways) {
    test(`follow random writes and commands by ${way} while windows are scrolled, byte for byte`, () =>
      onServer([way], async (server, watchers, writes, scrolls) => {
        const [watcher] = watchers;
        for (let round = 0; round < 10; round++) {
          const changes = [writes.some(), scrolls.commands(watchers)];
          scrolls.some(watchers);
          await Promise.race(changes);
          scrolls.some(watchers);
          await Promise.all(changes);
          await watcher.expectTwins(server);
        }
        assert.ok(watcher.told.diffs > 8, `${watcher.told.diffs} diffs`);
      }, { hasWindows: true }));
  }

  test("with windows miss no load that ends while the reply to its command is on the way", async () => {
    const server = await new LiveServer(["--latency", "0s"]).start();
    const client = new ViewDelta({ base: server.base, transports: ["events"], timing });
    try {
      const window = { start: 0, count: 100 };
      const models = [client.open("profile/1", { window }), client.sync().add("profile/2", { window })];
      for (let round = 0; round < 50; round++) {
        for (const model of models) {
          if (round > 0) await model.send({ type: "loadPosts" });
          await expectTwin(model, server, `${model.path}?window=0,100`);
        }
      }
    } finally {
      client.close();
      await server.kill();
    }
  });

  test("with windows survive restarts while they are scrolled", () =>
    onServer(ways, async (server, watchers, writes, scrolls) => {
      for (let run = 0; run < 2; run++) {
        for (let round = 0; round < 5; round++) await writes.some();
        scrolls.some(watchers);
        const killed = server.kill();
        scrolls.some(watchers);
        await killed;
        scrolls.some(watchers);
        await server.start();
        scrolls.some(watchers);
        await Promise.all(watchers.map((watcher) => watcher.expectTwins(server)));
      }
    }, { hasWindows: true }));

  test("by all transports at once survive restarts, and never go back", () =>
    onServer(ways, async (server, watchers, writes) => {
      for (let run = 0; run < 2; run++) {
        for (let round = 0; round < 5; round++) await writes.some();
        await Promise.all(watchers.map((watcher) => watcher.expectTwins(server)));
        await server.kill();
        await server.start();
        await Promise.all(watchers.map((watcher) => watcher.expectTwins(server)));
      }
    }));
});
