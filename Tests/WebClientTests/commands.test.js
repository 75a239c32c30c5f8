import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ProblemError } from "../../Public/viewdelta.js";
import { settle } from "./support/clock.js";
import { diff } from "./support/documents.js";
import { Fixture } from "./support/fixture.js";
import { polling, r1, r2 } from "./support/listening.js";

describe("A command", () => {
  const command = { type: "loadPosts" };
  const accepted = { accepted: true, revision: "r1" };

  test("is sent unchanged, with the held revision", async () => {
    const { fixture, model } = await polling();
    const sent = model.send({ type: "any", deep: [{ x: null }] });
    const request = await fixture.server.next("/v1/view-models/profile/1/commands");
    assert.deepEqual([request.method, request.headers.get("Content-Type")], ["POST", "application/json"]);
    assert.deepEqual(request.body, { type: "any", deep: [{ x: null }] });
    assert.deepEqual(request.query, { since: "r1" });
    assert.equal(request.headers.get("If-Match"), null);
    await request.answer(200, { ...accepted, details: { ignored: 2 } });
    assert.deepEqual((await sent).details, { ignored: 2 });
  });

  test("for one revision has a precondition, and is refused at another revision", async () => {
    const { fixture, model } = await polling();
    const sent = model.send({ type: "appear" }, { at: "r1" });
    const refused = assert.rejects(sent, { status: 412 });
    const request = await fixture.server.next("/commands");
    assert.equal(request.headers.get("If-Match"), '"r1"');
    await request.refuse(412, "precondition-failed");
    await refused;
    assert.ok(await fixture.server.isIdle());
  });

  test("that changes nothing leaves the poll that waits, and is no change", async () => {
    const fixture = new Fixture({ transports: ["longPoll"] });
    const { model, told } = await fixture.opened(r1);
    const poll = await fixture.server.next("/diff");
    await fixture.command(model, diff(r1, r1), false);
    await settle();
    assert.ok(!poll.isAborted);
    assert.deepEqual(told.change.map(({ kind }) => kind), ["snapshot"]);
  });

  test("whose reply is lost is sent again with the same key, and executed once", async () => {
    const { fixture, model } = await polling();
    const sent = model.send(command);
    const first = await fixture.server.next("/commands");
    await first.fail();
    await fixture.clock.advance(250);
    const second = await fixture.server.next("/commands");
    // A string of RFC 9651, as the draft of the field demands.
    assert.match(first.headers.get("Idempotency-Key") ?? "", /^"[ -~]+"$/);
    assert.equal(second.headers.get("Idempotency-Key"), first.headers.get("Idempotency-Key"));
    assert.deepEqual([second.query, second.body], [first.query, first.body]);
    await second.answer(202, accepted);
    assert.equal((await sent).accepted, true);
    const other = model.send(command);
    const third = await fixture.server.next("/commands");
    assert.notEqual(third.headers.get("Idempotency-Key"), first.headers.get("Idempotency-Key"));
    await third.answer(202, accepted);
    await other;
  });

  test("is sent again if the server is busy, or a proxy does not reach it", async () => {
    for (const status of [404, 408, 429, 502, 503, 504, 511, 522, 524]) {
      const { fixture, model } = await polling();
      const sent = model.send(command);
      await (await fixture.server.next("/commands")).answer(status);
      await fixture.clock.advance(250);
      await (await fixture.server.next("/commands")).answer(202, accepted);
      await sent;
    }
  });

  test("without a reply is sent again after longer and longer pauses", async () => {
    const { fixture, model } = await polling();
    const sent = model.send(command);
    for (const pause of [250, 500, 1000]) {
      await (await nextCommand(fixture)).fail();
      await fixture.clock.advance(pause - 1);
      assert.ok(await fixture.server.isIdle());
      await fixture.clock.advance(1);
    }
    await (await nextCommand(fixture)).answer(202, accepted);
    await sent;
  });

  test("is not sent again earlier because a poll is answered meanwhile", async () => {
    const { fixture, model } = await polling();
    const sent = model.send(command);
    for (const pause of [250, 500, 1000, 2000]) {
      await (await nextCommand(fixture)).fail();
      await fixture.clock.advance(pause);
    }
    await (await nextCommand(fixture)).fail();
    for (let elapsed = 0; elapsed < 3_500; elapsed += 500) {
      await fixture.clock.advance(500);
      if (!(await fixture.server.isIdle())) await (await fixture.server.next("/diff")).answer(204);
    }
    await fixture.clock.advance(500);
    await (await nextCommand(fixture)).answer(202, accepted);
    await sent;
  });

  test("is sent again if something else than the server answers", async () => {
    for (const answer of [(it) => it.answerWithPage(), (it) => it.answer(200), (it) => it.answer(200, "x"),
      (it) => it.answer(200, { login: "required" })]) {
      const { fixture, model } = await polling();
      const sent = model.send(command);
      const first = await fixture.server.next("/commands");
      await answer(first);
      await fixture.clock.advance(250);
      const second = await fixture.server.next("/commands");
      assert.equal(second.headers.get("Idempotency-Key"), first.headers.get("Idempotency-Key"));
      await second.answer(202, accepted);
      assert.deepEqual(await sent, accepted);
    }
  });

  test("waits as long as a busy server asks for, also if the connection is back meanwhile", async () => {
    const { fixture, model } = await polling();
    const sent = model.send(command);
    await (await fixture.server.next("/commands")).refuse(503, "overloaded", { "Retry-After": "2" });
    model.retry();
    await (await fixture.server.next("/diff")).answer(204);
    await fixture.clock.advance(1999);
    assert.ok(await fixture.server.isIdle());
    await fixture.clock.advance(251);
    await (await fixture.server.next("/commands")).answer(202, accepted);
    await sent;
  });

  test("that is refused is not sent again, and the error names the member", async () => {
    const { fixture, model } = await polling();
    const sent = model.send({ type: "movePlayer", before: 9 });
    const refused = assert.rejects(sent, (error) => {
      assert.ok(error instanceof ProblemError);
      const { title, status, code, pointer, detail } = error;
      assert.deepEqual({ type: error.details.type, title, status, code, pointer, detail }, problem);
      assert.equal(error.message, problem.detail);
      return true;
    });
    const problem = {
      type: "urn:viewdelta:problem:invalid-command",
      title: "Unprocessable Content",
      status: 422,
      code: "invalid-command",
      pointer: "/before",
      detail: "there is no element 9",
    };
    await (await fixture.server.next("/commands")).answer(422, problem);
    await refused;
    assert.ok(await fixture.server.isIdle());
  });

  test("without a reply is sent again for five minutes, or for the time that the page chooses", async () => {
    for (const [timing, before, patience] of [[{}, 270_000, 300_000], [{ commandPatience: 1000 }, 500, 1000]]) {
      const { fixture, model } = await polling({ timing });
      fixture.server.isAway = true;
      let error;
      model.send(command).catch((reason) => (error = reason));
      await fixture.clock.advance(before);
      assert.equal(error, undefined);
      await fixture.clock.advance(patience - before);
      assert.ok(error instanceof TypeError);
      model.close();
      fixture.client.close();
      assert.equal(fixture.clock.pending, 0);
    }
  });

  test("is not sent again after the machine has slept for longer than that", async () => {
    const { fixture, model } = await polling();
    const refused = assert.rejects(model.send(command), TypeError);
    await (await fixture.server.next("/commands")).fail();
    fixture.clock.jump(301_000);
    await fixture.clock.advance(250);
    await refused;
  });

  test("that hangs is sent again after the timeout of a request", async () => {
    const { fixture, model } = await polling();
    const sent = model.send(command);
    const request = await nextCommand(fixture);
    await fixture.clock.advance(15_000);
    assert.ok(request.isAborted);
    await fixture.clock.advance(1000);
    await (await nextCommand(fixture)).answer(202, accepted);
    await sent;
  });

  test("is sent again as soon as the connection is back", async () => {
    const { fixture, model } = await polling();
    fixture.server.isAway = true;
    const sent = model.send(command);
    await fixture.clock.advance(100_000);
    fixture.server.isAway = false;
    model.retry();
    await (await fixture.server.next("/diff")).answer(204);
    await (await fixture.server.next("/commands")).answer(202, accepted);
    await sent;
  });

  for (const [answer, reply] of Object.entries({
    "is executed": (it) => it.answer(202, { accepted: true, revision: "r2", diff: diff(r1, r2) }),
    "has no effect": (it) => it.answer(202, { accepted: false, revision: "r1" }),
    "is refused": (it) => it.refuse(422, "invalid-command"),
  })) {
    test(`that ${answer} brings the connection back, which does not wait for its next attempt`, async () => {
      const { fixture, model, told } = await polling();
      fixture.server.isAway = true;
      await fixture.clock.advance(100_000);
      assert.equal(model.status.state, "backingOff");
      fixture.server.isAway = false;
      const sent = model.send(command).catch(() => {});
      await reply(await fixture.server.next("/commands"));
      await sent;
      const poll = await fixture.server.next("/diff");
      assert.equal(poll.query.since, model.snapshot.revision);
      await poll.answer(204);
      assert.equal(told.status.at(-1).isProven, true);
      assert.ok(await fixture.server.isIdle());
    });
  }

  for (const [status, code, who] of [
    [403, "http-403", "a proxy"],
    [502, "http-502", "a proxy"],
    [500, "internal", "a server that fails"],
    [429, "too-many-commands", "a busy server"],
  ]) {
    test(`that ${who} answers with ${status} does not bring the connection back`, async () => {
      const { fixture, model } = await polling();
      fixture.server.isAway = true;
      await fixture.clock.advance(100_000);
      fixture.server.isAway = false;
      model.send(command).catch(() => {});
      await (await fixture.server.next("/commands")).refuse(status, code, { "Retry-After": "600" });
      assert.ok(await fixture.server.isIdle());
    });
  }

  test("is the same in each attempt, even if it is changed meanwhile", async () => {
    const { fixture, model } = await polling();
    const changing = { type: "didChange", value: "a" };
    const sent = model.send(changing);
    await (await fixture.server.next("/commands")).fail();
    changing.value = "b";
    await fixture.clock.advance(250);
    const again = await fixture.server.next("/commands");
    assert.equal(again.body.value, "a");
    await again.answer(202, accepted);
    await sent;
  });

  test("that is no JSON is refused at once", async () => {
    const { fixture, model } = await polling();
    for (const wrong of [{ type: "a", number: 1n }, undefined]) {
      await assert.rejects(model.send(wrong), TypeError);
    }
    assert.ok(await fixture.server.isIdle());
  });

  const changed = { accepted: true, revision: "r2", diff: diff(r1, r2) };
  const closings = {
    "its view model": ({ model }) => model.close(),
    "the client": ({ fixture }) => fixture.client.close(),
  };
  for (const [closed, close] of Object.entries(closings)) {
    test(`ends with ${closed}, while it is in progress`, async () => {
      const { fixture, model, told } = await polling();
      const refused = assert.rejects(model.send(command), { name: "AbortError" });
      const request = await fixture.server.next("/commands");
      close({ fixture, model });
      assert.ok(request.isAborted);
      await request.answer(202, changed);
      await refused;
      assert.deepEqual(model.snapshot.revision, "r1");
      assert.equal(told.change.length, 1);
    });

    test(`ends with ${closed}, while it waits to be sent again`, async () => {
      const { fixture, model } = await polling();
      const refused = assert.rejects(model.send(command), { name: "AbortError" });
      await (await fixture.server.next("/commands")).fail();
      close({ fixture, model });
      await refused;
      fixture.client.close();
      assert.equal(fixture.clock.pending, 0);
      assert.ok(await fixture.server.isIdle());
    });
  }

  test("whose reply arrives while the view model is being closed changes nothing", async () => {
    const { fixture, model, told } = await polling();
    const sent = model.send(command);
    const request = await fixture.server.next("/commands");
    // The body was received but not read yet.
    const answered = request.answer(202, changed);
    for (let turn = 0; turn < 3; turn++) await Promise.resolve();
    model.close();
    await Promise.allSettled([sent, answered]);
    assert.equal(model.snapshot.revision, "r1");
    assert.equal(told.change.length, 1);
  });

  test("is not sent by a view model that is closed", async () => {
    const { fixture, model } = await polling();
    model.close();
    await assert.rejects(model.send(command), { name: "AbortError" });
    assert.ok(await fixture.server.isIdle());
  });

  test("is refused with a status only by a server of another kind", async () => {
    const { fixture, model } = await polling();
    const refused = assert.rejects(model.send(command), { code: "http-418", status: 418 });
    await (await fixture.server.next("/commands")).answer(418);
    await refused;
  });
});

/** Returns the next command; answers the polls before it. */
async function nextCommand(fixture) {
  for (;;) {
    const request = await fixture.server.next();
    if (request.path.endsWith("/commands")) return request;
    await request.answer(204);
    await settle();
  }
}
