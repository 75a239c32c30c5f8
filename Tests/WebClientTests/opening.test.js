import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { diff, document } from "./support/documents.js";
import { Fixture } from "./support/fixture.js";
import { accepted, blank, content, loading, opened } from "./support/opened.js";

describe("A view model that was never loaded", () => {
  test("is opened by the command that the server describes", async () => {
    const { fixture, model, of } = await opened();
    await of("/v1/view-models/profile").answer(200, { name: "profile", opening: "appear" });
    const command = await fixture.server.next("/profile/1/commands");
    assert.deepEqual(command.body, { type: "appear" });
    assert.equal(command.headers.get("If-Match"), '"r1"');
    await command.answer(202, accepted);
    assert.equal(model.snapshot.states.posts, "isLoading");
  });

  test("is left alone if the command loads only sources that were loaded", async () => {
    const fixture = new Fixture();
    const searched = document("r1", { sections: [], states: { places: "notRequested", posts: "loaded" } });
    await fixture.opened(searched);
    const requests = [await fixture.server.next(), await fixture.server.next()];
    const description = requests.find(({ path }) => path.endsWith("/profile"));
    await description.answer(200, { name: "profile", opening: "appear", opens: ["posts"] });
    assert.ok(await fixture.server.isIdle());
  });

  test("is opened by the command of its owner, and its screen is not asked for", async () => {
    for (const opening of ["begin", { type: "begin", opens: ["posts"] }]) {
      const { of } = await opened({ opening });
      assert.deepEqual(of("/commands").body, { type: "begin" });
    }
    const fixture = new Fixture();
    await fixture.opened(blank, { opening: { type: "begin", opens: ["users"] } });
    await fixture.server.next("/events");
    assert.ok(await fixture.server.isIdle());
  });

  test("is left alone if its owner wants that, or if it has no such command", async () => {
    const fixture = new Fixture();
    const left = await fixture.opened(blank, { opening: false });
    await fixture.server.next("/events");
    assert.ok(await fixture.server.isIdle());
    const { fixture: other, told, of } = await opened();
    await of("/profile").answer(200, { name: "profile" });
    assert.ok(await other.server.isIdle());
    assert.deepEqual([left.told.problem, told.problem], [[], []]);
  });

  test("is opened also among others on one connection, unless its owner wants it to be left alone", async () => {
    for (const options of [undefined, { opening: false }]) {
      const fixture = new Fixture();
      fixture.client.sync(["profile/1"], options);
      await (await fixture.server.next("/v1/sync")).answer(200, { screens: { "profile/1": blank } });
      if (options === undefined) {
        const description = await fixture.server.next("/v1/view-models/profile");
        await fixture.server.next("/v1/events");
        await description.answer(200, { name: "profile", opening: "appear" });
        const command = await fixture.server.next("/profile/1/commands");
        assert.deepEqual(command.body, { type: "appear" });
      } else {
        await fixture.server.next("/v1/events");
        assert.ok(await fixture.server.isIdle());
      }
    }
  });

  test("is opened by one of many clients, and the refusal of the others is no problem", async () => {
    const { fixture, model, told, of } = await opened({ opening: "appear" });
    await of("/commands").refuse(412, "precondition-failed");
    const poll = await fixture.server.next("/diff");
    assert.deepEqual(poll.query, { since: "r1" });
    await poll.answer(200, diff(blank, loading));
    assert.equal(model.snapshot.states.posts, "isLoading");
    assert.deepEqual(told.problem, []);
    assert.equal((await fixture.server.next("/events")).query.since, "r2");
    assert.ok(await fixture.server.isIdle());
  });

  test("is opened at the next revision if the change that came first cannot be seen, after three in turn at any", async () => {
    const { fixture, of } = await opened({ opening: "appear" });
    let command = of("/commands");
    for (const [revision, next] of [["r1", "s1"], ["s1", "s2"], ["s2", "s3"]]) {
      assert.equal(command.headers.get("If-Match"), `"${revision}"`);
      await command.refuse(412, "precondition-failed");
      await (await fixture.server.next("/diff")).answer(204, undefined, { "View-Revision": next });
      assert.equal((await fixture.server.next("/events")).query.since, next);
      command = await fixture.server.next("/commands");
    }
    assert.ok(!command.headers.has("If-Match"));
    await command.answer(200, { accepted: true, revision: "s4" });
    assert.ok(await fixture.server.isIdle());
  });

  test("is opened by one description of its screen, which the next view model of the screen knows", async () => {
    const { fixture, of } = await opened();
    await of("/v1/view-models/profile").answer(200, { name: "profile", opening: "appear" });
    await (await fixture.server.next("/commands")).refuse(412, "precondition-failed");
    await (await fixture.server.next("/diff")).answer(204, undefined, { "View-Revision": "r5" });
    await fixture.server.next("/events");
    await fixture.server.next("/profile/1/commands");
    fixture.client.open("profile/2");
    await (await fixture.server.next("/profile/2")).answer(200, { ...blank, screen: "profile/2" });
    await fixture.server.isIdle();
    const last = fixture.server.paths.slice(-2).map((path) => path.split("/").slice(-2).join("/"));
    assert.deepEqual(last.sort(), ["2/commands", "2/events"]);
  });

  test("is left alone after eight commands in turn to which changes came first", async () => {
    const { fixture, told, of } = await opened({ opening: "appear" });
    let command = of("/commands");
    for (let attempt = 1; attempt <= 8; attempt++) {
      if (attempt > 1) command = await fixture.server.next("/commands");
      await command.refuse(412, "precondition-failed");
      await (await fixture.server.next("/diff")).answer(204);
    }
    assert.ok(!fixture.server.paths.slice(-1)[0].endsWith("/commands"));
    assert.deepEqual(told.problem, []);
  });

  test("is not opened again by a command that leaves it blank, or by a change that cannot be seen", async () => {
    const { fixture, of } = await opened({ opening: "appear" });
    await of("/commands").answer(200, { accepted: true, revision: "r2" });
    const stream = await of("/events").stream();
    await stream.send("id: r2\n\n");
    assert.ok(await fixture.server.isIdle());
  });

  test("is not opened again by a change that leaves it blank", async () => {
    const { fixture, of } = await opened({ opening: "appear" });
    const half = { ...content("notRequested", ["a"]), states: { posts: "notRequested", more: "loaded" } };
    await of("/commands").answer(200, { accepted: true, revision: "r2" });
    const stream = await of("/events").stream();
    await stream.event(diff(blank, document("r2", half)));
    assert.ok(await fixture.server.isIdle());
  });

  test("is opened by one command, although it is blank again before the reply", async () => {
    const { fixture, of } = await opened({ opening: "appear" });
    const stream = await of("/events").stream();
    await stream.event({ ...blank, kind: "reset", reason: "epoch-changed", revision: "n0" });
    assert.ok(await fixture.server.isIdle());
    await of("/commands").refuse(412, "precondition-failed");
    await (await fixture.server.next("/diff")).answer(204);
    assert.equal((await fixture.server.next("/commands")).headers.get("If-Match"), '"n0"');
  });

  test("is opened even if the first request for its description is lost, or something else than the server answers", async () => {
    const others = [{ login: "required" }, null, { name: "other" }].map((answer) => (it) => it.answer(200, answer));
    for (const answer of [(it) => it.fail(), ...others]) {
      const { fixture, of } = await opened();
      await answer(of("/v1/view-models/profile"));
      await fixture.clock.advance(500);
      await (await fixture.server.next("/profile")).answer(200, { name: "profile", opening: "appear" });
      await fixture.server.next("/profile/1/commands");
    }
  });

  test("asks nothing more after a refusal that passes, before its pause ends", async () => {
    const { fixture, told, of } = await opened();
    await of("/profile").answer(200, { name: "profile", opening: "appear" });
    await (await fixture.server.next("/commands")).refuse(401, "x");
    assert.ok(await fixture.server.isIdle());
    assert.deepEqual(told.problem.map(({ error }) => error.status), [401]);
  });

  test("is opened again after a refusal that passes, with longer and longer pauses", async () => {
    for (const [status, code] of [[500, "x"], [401, "x"], [403, "http-403"], [404, "http-404"]]) {
      // Without it a command that a proxy's 404 meets is sent again first.
      const { fixture, told, of } = await opened({ opening: "appear" }, { timing: { commandPatience: 0 } });
      const stream = await of("/events").stream();
      await stream.open();
      let [request, pause] = [of("/commands"), 0];
      const pauses = [];
      for (let number = 0; number < 8; number++) {
        await request.refuse(status, code);
        for (pause = 0; pause < 1_000 && (await fixture.server.isIdle()); pause += 1) {
          await stream.comment();
          await fixture.clock.advance(1_000);
        }
        pauses.push(pause);
        request = await fixture.server.next("/commands");
      }
      assert.deepEqual(pauses, [15, 30, 60, 120, 240, 300, 300, 300]);
      await request.answer(202, accepted);
      await fixture.clock.advance(0);
      assert.deepEqual(told.problem.map(({ error }) => error.status), Array(8).fill(status));
      // After a success the pauses begin again.
      await stream.event(diff(blank, loading));
      await stream.event({ ...blank, kind: "reset", reason: "epoch-changed", revision: "n0" });
      await (await fixture.server.next("/commands")).refuse(status, code);
      await stream.comment();
      await fixture.clock.advance(15_000);
      await fixture.server.next("/commands");
    }
  });

  test("is not opened again by a command that leaves it blank after an attempt that has failed", async () => {
    const { fixture, of } = await opened({ opening: "appear" });
    const stream = await of("/events").stream();
    await stream.open();
    await of("/commands").refuse(500, "x");
    await stream.comment();
    await fixture.clock.advance(15_000);
    await (await fixture.server.next("/commands")).answer(200, { accepted: true, revision: "r2" });
    await stream.send("id: r2\n\n");
    assert.ok(await fixture.server.isIdle());
  });

  test("leaves nothing behind if it is closed while it is opened", async () => {
    const { fixture, model, of } = await opened({ opening: "appear" });
    model.close();
    fixture.client.close();
    assert.ok(of("/commands").isAborted);
    await fixture.server.isIdle();
    assert.equal(fixture.clock.pending, 0);
  });

  test("leaves nothing behind if it is closed while its description is asked for in vain", async () => {
    for (const isFirst of [true, false]) {
      const { fixture, model, of } = await opened();
      if (!isFirst) await of("/v1/view-models/profile").fail();
      model.close();
      fixture.client.close();
      if (isFirst) await of("/v1/view-models/profile").fail();
      assert.ok(await fixture.server.isIdle());
      assert.equal(fixture.clock.pending, 0);
    }
  });

  test("leaves nothing behind if its client is closed while its description is asked for", async () => {
    const { fixture, of } = await opened();
    fixture.client.close();
    assert.ok(of("/v1/view-models/profile").isAborted);
    assert.ok(await fixture.server.isIdle());
    assert.equal(fixture.clock.pending, 0);
    fixture.client.open("profile/2");
    await (await fixture.server.next("/profile/2")).answer(200, { ...blank, screen: "profile/2" });
    const requests = [await fixture.server.next(), await fixture.server.next()];
    assert.ok(requests.some(({ path }) => path.endsWith("/profile")));
    fixture.client.close();
  });

  test("leaves nothing behind if it is closed because its description is refused", async () => {
    const { fixture, model, of } = await opened();
    model.addEventListener("problem", () => fixture.client.close());
    await of("/v1/view-models/profile").refuse(401, "unauthorized", { "Retry-After": "600" });
    assert.ok(await fixture.server.isIdle());
    assert.equal(fixture.clock.pending, 0);
  });

  test("is opened again as soon as the connection is back, unless the server asks for more time", async () => {
    for (const headers of [{}, { "Retry-After": "600" }]) {
      const { fixture, model, of } = await opened({ opening: "appear" });
      await of("/commands").refuse(500, "x", headers);
      model.retry();
      await (await (await fixture.server.next("/events")).stream()).open();
      if ("Retry-After" in headers) assert.ok(await fixture.server.isIdle());
      else await fixture.server.next("/commands");
    }
  });

  test("is not opened if it is closed while its first document arrives", async () => {
    for (const options of [{ opening: "appear" }, {}]) {
      const fixture = new Fixture();
      const { model, told } = fixture.open(options);
      // The body was received but not read yet.
      const answered = (await fixture.server.next("/profile/1")).answer(200, blank);
      for (let turn = 0; turn < 3; turn++) await Promise.resolve();
      model.close();
      await answered;
      assert.equal(fixture.server.paths.length, 1);
      assert.deepEqual([model.snapshot, told.change], [null, []]);
    }
  });

  test("is opened again at the time that a busy server asks for, however late", async () => {
    for (const status of [503, 429]) {
      const { fixture, model, of } = await opened({ opening: "appear" });
      const stream = await of("/events").stream();
      await stream.open();
      await of("/commands").refuse(status, "away", { "Retry-After": "600" });
      for (let second = 0; second < 600; second += 10) {
        assert.ok(await fixture.server.isIdle());
        await stream.comment();
        await fixture.clock.advance(10_000);
      }
      await stream.comment();
      await fixture.clock.advance(15_000);
      await (await fixture.server.next("/commands")).refuse(500, "x");
      model.close();
      fixture.client.close();
      await fixture.clock.advance(0);
      assert.equal(fixture.clock.pending, 0);
    }
  });

  test("is left alone after a refusal for good", async () => {
    const { fixture, of } = await opened({ opening: "appear" });
    const stream = await of("/events").stream();
    await stream.open();
    await of("/commands").refuse(422, "unknown-command");
    for (let minute = 0; minute < 60; minute += 0.25) {
      await stream.comment();
      await fixture.clock.advance(15_000);
    }
    assert.ok(await fixture.server.isIdle());
  });

  test("is opened after a longer loss, once the connection has proved itself again", async () => {
    const { fixture, of } = await opened({ opening: "appear" });
    await of("/events").fail();
    await of("/commands").fail();
    // Its command is given up after five minutes.
    fixture.server.isAway = true;
    await fixture.clock.advance(301_000);
    const commands = () => fixture.server.paths.filter((path) => path.endsWith("/commands")).length;
    const before = commands();
    await fixture.clock.advance(600_000);
    assert.equal(commands(), before);
    fixture.server.isAway = false;
    while (await fixture.server.isIdle()) await fixture.clock.advance(100);
    await (await (await fixture.server.next("/events")).stream()).open();
    await (await fixture.server.next("/commands")).answer(202, accepted);
    assert.ok(await fixture.server.isIdle());
  });
});
