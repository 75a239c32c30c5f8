import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ViewDelta } from "../../Public/viewdelta.js";
import { LiveServer, program } from "./support/live-server.js";
import { until } from "./support/until.js";

const options = ["--faults", "--latency", "20ms"];

const isLoaded = (model) =>
  Object.values(model.snapshot.states).every((state) => state === "loaded");

describe("On a real server", { skip: program === null && "no server has been built" }, () => {
  const server = new LiveServer(options);
  before(() => server.start());
  after(() => server.kill());

  test("the change of a command is applied before its promise is fulfilled", async () => {
    const client = new ViewDelta({ base: server.base });
    const model = client.open("profile/2");
    // The view model opens itself, so that another opening command may come too late.
    await until(model, () => model.snapshot !== null && isLoaded(model), "loaded");
    // So that the load does not end before it is looked at.
    await server.request("/v1/faults/posts/2", "PUT", { outcomes: ["hang"] });
    const reply = await model.send({ type: "loadPosts" });
    assert.equal(reply.accepted, true);
    assert.equal(model.snapshot.states.posts, "isLoading");
    await model.send({ type: "cancelPosts" });
    assert.equal(model.snapshot.states.posts, "loaded");
    await assert.rejects(model.send({ type: "nonsense" }), { code: "invalid-command" });
    client.close();
  });

  for (const how of ["events", "longPoll", "sync"]) {
    test(`fifty posts that load at once are one diff, by ${how}`, async () => {
      const { body: user } = await server.request("/v1/users", "POST", { username: `many-${how}` });
      const posts = `/v1/users/${user.id}/posts`;
      for (let number = 0; number < 50; number++) {
        await server.request(posts, "POST", { title: `Post ${number}`, body: "text ".repeat(20) });
      }
      const client = new ViewDelta({ base: server.base });
      const name = `profile/${user.id}`;
      const model = how === "sync" ? client.sync([name]).viewModels.get(name)
        : client.open(name, { transports: [how] });
      const changes = [];
      model.addEventListener("change", ({ detail }) => changes.push(detail));
      await until(model, () => model.snapshot !== null, "loaded");
      // Sent by another client, so that the change comes by the transport.
      await server.request(`/v1/view-models/${name}/commands`, "POST", { type: "appear" });
      await until(model, () => isLoaded(model), "loaded");
      client.close();
      assert.deepEqual([...new Set(changes.slice(1).map(({ kind }) => kind))], ["diff"]);
      const inserts = changes.flatMap(({ diff }) => diff?.rows?.inserts ?? []);
      assert.equal(inserts.filter(({ row }) => row.type === "post").length, 50);
    });
  }

  test("an unknown screen is gone", async () => {
    const client = new ViewDelta({ base: server.base });
    const model = client.open("nothing/1");
    await until(model, () => model.status.state === "gone", "gone");
    client.close();
  });

  test("a view model reconnects to a server that was killed and restarted", async () => {
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
      // The view model opens itself, so that what comes first is soon gone.
      const reset = until(model, () => model.snapshot.states.posts === "notRequested", "reset");
      await Promise.all([reset, other.start()]);
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

  test("a restart that changes nothing causes no reset", async () => {
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
