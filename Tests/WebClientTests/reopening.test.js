import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Fixture } from "./support/fixture.js";
import { accepted, blank, opened } from "./support/opened.js";

/** Refuses the opening command for good, cuts the stream, and returns the one that is asked for after that. */
async function afterRestart(fixture, of) {
  await of("/commands").refuse(422, "unknown-command");
  const stream = await of("/events").stream();
  await stream.send("id: r1\n\n");
  await stream.cut();
  await fixture.clock.advance(1000);
  return (await fixture.server.next("/events")).stream();
}

describe("A view model that was never loaded, and its server that is restarted", () => {
  test("is opened again if the server that took the command is restarted before its reply comes", async () => {
    const { fixture, of } = await opened({ opening: "appear" });
    const stream = await of("/events").stream();
    await stream.event({ ...blank, kind: "reset", reason: "epoch-changed", revision: "n0" });
    await of("/commands").answer(202, accepted);
    for (let question = 0; question < 2; question++) await (await fixture.server.next("/diff")).answer(204);
    assert.equal((await fixture.server.next("/commands")).headers.get("If-Match"), '"n0"');
  });

  test("is opened again after a restart of the server", async () => {
    const { fixture, model, of } = await opened({ opening: "appear" });
    await of("/commands").answer(202, accepted);
    assert.equal(model.snapshot.revision, "r2");
    const stream = await (await fixture.server.next("/events")).stream();
    await stream.event({ ...blank, kind: "reset", reason: "epoch-changed", revision: "n0" });
    const again = await fixture.server.next("/commands");
    assert.deepEqual([again.body, again.headers.get("If-Match")], [{ type: "appear" }, '"n0"']);
  });

  test("is opened again after a restart of a server that has refused the command for good", async () => {
    const { fixture, of } = await opened({ opening: "appear" });
    await of("/commands").refuse(422, "unknown-command");
    const stream = await of("/events").stream();
    await stream.send("id: r2\n\n");
    assert.ok(await fixture.server.isIdle());
    await stream.cut();
    await fixture.clock.advance(1000);
    // The content is the same, so that the new server sends its name alone.
    await (await (await fixture.server.next("/events")).stream()).send("id: n0\n\n");
    assert.equal((await fixture.server.next("/commands")).headers.get("If-Match"), '"n0"');
  });

  test("is opened, as others of its screen are, by the command of the new server, which is asked for once", async () => {
    const fixture = new Fixture();
    const { viewModels } = fixture.client.sync(["profile/1", "profile/2"]);
    const both = (members) =>
      Object.fromEntries([...viewModels.keys()].map((screen) => [screen, { ...blank, ...members, screen }]));
    await (await fixture.server.next("/v1/sync")).answer(200, { screens: both({}) });
    const former = await fixture.server.next("/v1/view-models/profile");
    const stream = await (await fixture.server.next("/v1/events")).stream();
    await former.answer(200, { name: "profile", opening: "appear", opens: ["users"] });
    assert.ok(await fixture.server.isIdle());
    const screens = both({ kind: "reset", reason: "epoch-changed", revision: "n0" });
    await stream.send(`id: n0,n0\ndata: ${JSON.stringify({ screens })}\n\n`);
    const later = await fixture.server.next("/v1/view-models/profile");
    await later.answer(200, { name: "profile", opening: "begin", opens: ["posts"] });
    for (const name of viewModels.keys()) {
      assert.deepEqual((await fixture.server.next(`/${name}/commands`)).body, { type: "begin" });
    }
    assert.ok(await fixture.server.isIdle());
  });

  test("is opened by the command of another build that refuses the one of the build that was asked", async () => {
    const { fixture, of } = await opened();
    const stream = await of("/events").stream();
    await of("/v1/view-models/profile").answer(200, { name: "profile", opening: "appear" });
    const former = await fixture.server.next("/commands");
    // The next build is there before the command is sent again.
    await stream.event({ ...blank, kind: "reset", reason: "epoch-changed", revision: "n0" });
    await former.refuse(422, "invalid-command");
    await (await fixture.server.next("/v1/view-models/profile")).answer(200, { name: "profile", opening: "begin" });
    const { body, headers } = await fixture.server.next("/commands");
    assert.deepEqual([body, headers.get("If-Match")], [{ type: "begin" }, '"n0"']);
  });

  test("is opened by the command of another build, though its screen was described before", async () => {
    const { fixture, model, of } = await opened();
    await of("/v1/view-models/profile").answer(200, { name: "profile", opening: "appear" });
    await (await fixture.server.next("/commands")).answer(202, accepted);
    model.close();
    const problems = [];
    fixture.client.open("profile/2").addEventListener("problem", ({ detail }) => problems.push(detail));
    while (!(await fixture.server.isIdle())) {
      const request = await fixture.server.next();
      if (request.path.endsWith("/profile/2")) await request.answer(200, { ...blank, screen: "profile/2" });
      if (request.path.endsWith("/commands")) await request.refuse(422, "invalid-command");
      if (request.path.endsWith("/profile")) await request.answer(200, { name: "profile", opening: "begin" });
      if (request.body?.type === "begin") return assert.deepEqual(problems, []);
    }
    assert.fail("it stays blank");
  });

  test("is asked once more for its command that was refused, and left alone if it is the same", async () => {
    const { fixture, told, of } = await opened();
    await of("/v1/view-models/profile").answer(200, { name: "profile", opening: "appear" });
    await (await fixture.server.next("/commands")).refuse(422, "invalid-command");
    await (await fixture.server.next("/v1/view-models/profile")).answer(200, { name: "profile", opening: "appear" });
    assert.ok(await fixture.server.isIdle());
    assert.deepEqual(told.problem.map(({ error }) => error.status), [422]);
  });

  test("is not opened again by further changes that cannot be seen after a connection was lost", async () => {
    const { fixture, of } = await opened({ opening: "appear" });
    const next = await afterRestart(fixture, of);
    await next.send("id: n0\n\n");
    await (await fixture.server.next("/commands")).refuse(422, "unknown-command");
    for (const name of ["n1", "n2"]) await next.send(`id: ${name}\n\n`);
    assert.ok(await fixture.server.isIdle());
  });

  test("is opened again if a server with the same content follows the one that took the command", async () => {
    const { fixture, of } = await opened({ opening: "appear" });
    const stream = await of("/events").stream();
    await stream.send("id: r1\n\n");
    await stream.cut();
    await fixture.clock.advance(1000);
    await (await (await fixture.server.next("/events")).stream()).send("id: n0\n\n");
    await of("/commands").answer(202, accepted);
    for (let question = 0; question < 2; question++) await (await fixture.server.next("/diff")).answer(204);
    assert.equal((await fixture.server.next("/commands")).headers.get("If-Match"), '"n0"');
  });

  test("is opened again if a server that was restarted sends what has changed since", async () => {
    const { fixture, of } = await opened({ opening: "appear" });
    const next = await afterRestart(fixture, of);
    const { screen, rowCount, digest } = blank;
    // It knows the content, from which a change leads to its own.
    await next.event({ kind: "diff", screen, from: "r1", revision: "n1", rowCount, digest });
    const command = await fixture.server.next("/commands");
    assert.equal(command.headers.get("If-Match"), '"n1"');
    await command.refuse(422, "unknown-command");
    // What it sends after that is of the same server.
    await next.event({ kind: "diff", screen, from: "n1", revision: "n2", rowCount, digest });
    assert.ok(await fixture.server.isIdle());
  });

  test("is opened by one command if its reply has a whole copy that is still blank", async () => {
    const { fixture, of } = await opened({ opening: "appear" });
    const copy = { ...blank, kind: "reset", reason: "history-expired", revision: "r2" };
    await of("/commands").answer(202, { accepted: true, revision: "r2", diff: copy });
    assert.equal((await fixture.server.next("/events")).query.since, "r2");
    assert.ok(await fixture.server.isIdle());
  });

  test("is opened after a restart of the server, although the command was refused for good before", async () => {
    const { fixture, of } = await opened({ opening: "appear" });
    const stream = await of("/events").stream();
    await of("/commands").refuse(422, "unknown-command");
    await stream.event({ ...blank, kind: "reset", reason: "epoch-changed", revision: "n0" });
    await fixture.server.next("/commands");
  });
});
