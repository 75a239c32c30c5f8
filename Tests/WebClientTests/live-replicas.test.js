import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ViewDelta, canonical } from "../../Public/viewdelta.js";
import { LiveServer, program } from "./support/live-server.js";
import { seededRandom } from "./support/random.js";
import { until } from "./support/until.js";
import { Writes } from "./support/writes.js";

const names = ["profile/1", "scoreboards/all", "scoreboard/1", "podcasts/1", "catalog/1"];
const timing = { pollInterval: 20, retryBase: 20, retryCap: 50 };

/** The transports of view models with a connection each, and of those that share one. */
const ways = ["events", "longPoll", "poll", "events for all", "longPoll for all"];

/** A client with one transport, and the events that it has emitted. */
class Watcher {
  told = { diverged: [], backward: [], diffs: 0, via: new Set() };

  constructor(base, way) {
    const [transport, ...forAll] = way.split(" ");
    const isShared = forAll.length > 0;
    this.via = isShared && transport === "longPoll" ? "sync" : transport;
    this.client = new ViewDelta({ base, transports: [transport], timing });
    const shared = isShared ? this.client.sync(names) : null;
    this.models = names.map((name) => shared?.viewModels.get(name) ?? this.client.open(name));
    for (const model of this.models) this.#listen(model);
  }

  #listen(model) {
    model.addEventListener("diverged", ({ detail }) => this.told.diverged.push(detail.error));
    model.addEventListener("change", ({ detail }) => {
      const { kind, via, before, after } = detail;
      this.told.via.add(via);
      if (kind === "diff") this.told.diffs += 1;
      if (before !== null && isEarlier(after.revision, before.revision)) {
        this.told.backward.push([model.name, via, before.revision, after.revision]);
      }
    });
  }

  /** Waits until all view models equal those of the server, byte for byte. */
  async expectTwins(server) {
    for (const model of this.models) await expectTwin(model, server);
  }

  expectSound() {
    assert.deepEqual(this.told.diverged, []);
    assert.deepEqual(this.told.backward, []);
    assert.ok(this.told.via.has(this.via), `by ${[...this.told.via]}`);
  }
}

async function expectTwin(model, server) {
  for (;;) {
    const held = model.snapshot;
    const { text, body } = await server.request(model.path);
    if (model.snapshot?.digest === body.digest) {
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

/** Runs a case on a server of its own, and reports the seed if it fails. */
async function onServer(ways, run) {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  const server = await new LiveServer(["--latency", "20ms"]).start();
  const watchers = ways.map((way) => new Watcher(server.base, way));
  try {
    await Promise.all(watchers.map((watcher) => watcher.expectTwins(server)));
    await run(server, watchers, new Writes(server, watchers[0].models, seededRandom(seed)));
    for (const watcher of watchers) watcher.expectSound();
  } catch (error) {
    error.message = `SEED=${seed}: ${error.message}`;
    throw error;
  } finally {
    for (const { client } of watchers) client.close();
    await server.kill();
  }
}

describe("Replicas of a real server", { skip: program === null && "none has been built" }, () => {
  for (const way of ways) {
    test(`follow random writes and commands by ${way}, byte for byte`, () =>
      onServer([way], async (server, [watcher], writes) => {
        for (let round = 0; round < 25; round++) {
          await writes.some();
          await watcher.expectTwins(server);
        }
        assert.ok(watcher.told.diffs > 20, `${watcher.told.diffs} diffs`);
      }));
  }

  test("by all transports at once survive restarts, and never go back", () =>
    onServer(ways, async (server, watchers, writes) => {
      for (let run = 0; run < 4; run++) {
        for (let round = 0; round < 5; round++) await writes.some();
        await Promise.all(watchers.map((watcher) => watcher.expectTwins(server)));
        await server.kill();
        await server.start();
        await Promise.all(watchers.map((watcher) => watcher.expectTwins(server)));
      }
    }));
});
