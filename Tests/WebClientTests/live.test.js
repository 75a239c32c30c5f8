import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ViewDelta, canonical } from "../../Public/viewdelta.js";
import { LiveServer, program } from "./support/live-server.js";
import { RandomContent, seededRandom } from "./support/random.js";

const names = ["profile/1", "scoreboards/all", "scoreboard/1", "podcasts/1", "catalog/1"];
const options = ["--faults", "--latency", "20ms"];

/** Resolves with the view model once a condition holds, which is looked at with each event. */
function until(model, condition, what) {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => reject(new Error(`in vain: ${what}`)), 20_000);
    const look = () => {
      if (!condition()) return;
      clearTimeout(deadline);
      for (const type of types) model.removeEventListener(type, look);
      resolve(model);
    };
    const types = ["change", "status", "advanced"];
    for (const type of types) model.addEventListener(type, look);
    look();
  });
}

const isLoaded = (model) =>
  Object.values(model.snapshot.states).every((state) => state === "loaded");

describe("On a real server", { skip: program === null && "no server has been built" }, () => {
  const server = new LiveServer(options);
  before(() => server.start());
  after(() => server.kill());

  /** Expects that a view model is what the server has, byte for byte, at once or by and by. */
  async function expectTwin(model) {
    for (;;) {
      const { revision } = model.snapshot;
      const { text, body } = await server.request(model.path);
      if (model.snapshot.revision === body.revision) {
        assert.equal(canonical({ kind: "snapshot", ...model.snapshot }), text);
        return;
      }
      const hasMoved = () => model.snapshot.revision !== revision;
      await until(model, hasMoved, `${model.name} beyond ${revision}, to ${body.revision}`);
    }
  }

  for (const transport of ["events", "longPoll", "poll", "sync"]) {
    test(`replicas follow random writes and commands by ${transport}, byte for byte`, async () => {
      const client = new ViewDelta({
        base: server.base,
        transports: [transport],
        timing: { pollInterval: 20 },
      });
      const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
      try {
        const poll = transport === "sync" ? client.sync(names) : null;
        const models = names.map((name) => poll?.viewModels.get(name) ?? client.open(name));
        const told = { diverged: [], diffs: 0, via: new Set() };
        for (const model of models) {
          model.addEventListener("diverged", ({ detail }) => told.diverged.push(detail.error));
          model.addEventListener("change", ({ detail }) => {
            told.via.add(detail.via);
            if (detail.kind === "diff") told.diffs += 1;
          });
        }
        for (const model of models) await until(model, () => model.snapshot !== null, "snapshot");
        const writes = new Writes(server, models, seededRandom(seed));
        for (let round = 0; round < 25; round++) {
          await writes.some();
          for (const model of models) await expectTwin(model);
        }
        assert.deepEqual(told.diverged, []);
        assert.ok(told.diffs > 20, `${told.diffs} diffs`);
        assert.ok(told.via.has(transport), `by ${[...told.via]}`);
      } catch (error) {
        error.message = `SEED=${seed}: ${error.message}`;
        throw error;
      } finally {
        client.close();
      }
    });
  }

  test("a command's change is there when its reply is", async () => {
    const client = new ViewDelta({ base: server.base });
    const model = client.open("profile/2");
    await until(model, () => model.status.state === "listening", "listening");
    const vias = [];
    model.addEventListener("change", ({ detail }) => vias.push(detail.via));
    const reply = await model.send({ type: "appear" });
    assert.equal(reply.accepted, true);
    assert.equal(model.snapshot.states.posts, "isLoading");
    await until(model, () => model.snapshot.states.posts === "loaded", "loaded");
    await assert.rejects(model.send({ type: "nonsense" }), { code: "invalid-command" });
    client.close();
  });

  test("an unknown screen is gone", async () => {
    const client = new ViewDelta({ base: server.base });
    const model = client.open("nothing/1");
    await until(model, () => model.status.state === "gone", "gone");
    client.close();
  });

  test("a server that is killed and started again is followed on", async () => {
    const other = await new LiveServer(options).start();
    const timing = { retryBase: 20, retryCap: 50 };
    const client = new ViewDelta({ base: other.base, timing });
    const model = client.open("profile/1");
    try {
      await until(model, () => model.status.state === "listening", "listening");
      await model.send({ type: "appear" });
      await until(model, () => isLoaded(model), "loaded");
      await other.kill();
      await until(model, () => model.status.state === "backingOff", "lost");
      const rows = model.snapshot.rowCount;
      assert.ok(rows > 3, "what is shown stays");
      await other.start();
      await until(model, () => model.snapshot.states.posts === "notRequested", "reset");
      await until(model, () => model.status.state === "listening", "listening again");
      await model.send({ type: "appear" });
      await until(model, () => isLoaded(model), "loaded again");
      assert.equal(model.snapshot.rowCount, rows);
      assert.equal((await model.revisions()).at(-1).revision, model.snapshot.revision);
    } finally {
      client.close();
      await other.kill();
    }
  });

  test("a restart that changes nothing costs no reset", async () => {
    const other = await new LiveServer(options).start();
    const timing = { retryBase: 20, retryCap: 50, wait: 1000, waitGrace: 5000 };
    const client = new ViewDelta({ base: other.base, timing, transports: ["longPoll"] });
    const model = client.open("scoreboards/all");
    const changes = [];
    try {
      await until(model, () => model.status.state === "waiting", "waiting");
      const { revision } = model.snapshot;
      model.addEventListener("change", ({ detail }) => changes.push(detail));
      await other.kill();
      await other.start();
      await until(model, () => model.snapshot.revision !== revision, "a new name");
      assert.deepEqual(changes, []);
    } finally {
      client.close();
      await other.kill();
    }
  });
});

/** Random writes by REST and commands. */
class Writes {
  #make;
  #models;
  #posts = [];
  #server;

  constructor(server, models, random) {
    this.#server = server;
    this.#models = new Map(models.map((model) => [model.name, model]));
    this.#make = new RandomContent(random);
  }

  async some() {
    for (let count = 1 + this.#make.below(4); count > 0; count--) await this.#one();
  }

  async #one() {
    const number = this.#make.below(1000);
    const title = `${number} 🦊 "ë"\n`;
    const send = (name, command) => this.#models.get(name).send(command);
    const choices = [
      () => send("profile/1", { type: this.#make.pick(["appear", "loadPosts", "cancelPosts"]) }),
      () => send("podcasts/1", this.#anyCommand("podcasts/1")),
      () => send("scoreboard/1", { type: "setScore", player: 1 + (number % 3), score: number }),
      () => this.#addPost(title),
      () => this.#changePost(title),
      () => this.#deletePost(),
      () => this.#server.request("/v1/users/1", "PATCH", { username: title }),
      () => this.#moveItem(),
    ];
    await this.#make.pick(choices)();
  }

  #anyCommand(name) {
    const rows = this.#models.get(name).snapshot.sections.flatMap((section) => section.rows);
    const actions = rows.flatMap((row) => (row.action ? [row.action.command] : []));
    return actions.length ? this.#make.pick(actions) : { type: "load" };
  }

  async #addPost(title) {
    const post = { title, body: "x", date: "2026-03-09T08:00:00Z" };
    const { body } = await this.#server.request("/v1/users/1/posts", "POST", post);
    this.#posts.push(body.id);
  }

  async #changePost(title) {
    if (this.#posts.length === 0) return;
    const path = `/v1/users/1/posts/${this.#make.pick(this.#posts)}`;
    await this.#server.request(path, "PATCH", { title });
  }

  async #deletePost() {
    if (this.#posts.length === 0) return;
    const [id] = this.#posts.splice(this.#make.below(this.#posts.length), 1);
    await this.#server.request(`/v1/users/1/posts/${id}`, "DELETE");
  }

  async #moveItem() {
    const { sections } = this.#models.get("catalog/1").snapshot;
    const ids = sections.flatMap(({ rows }) => rows.map(({ id }) => id));
    const [id, after] = [this.#make.pick(ids), this.#make.pick(ids)];
    if (id === after) return;
    const operations = [{ operation: "moveItem", id, after }];
    await this.#models.get("catalog/1").send({ type: "apply", operations });
  }
}
