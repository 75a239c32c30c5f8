import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";
import { CommandSender } from "../../Public/viewdelta/command-sender.js";
import { defaultTiming } from "../../Public/viewdelta/environment.js";
import { Clock } from "./support/clock.js";
import { listening, polling } from "./support/listening.js";

describe("A command with several attempts", () => {
  const command = { type: "loadPosts" };

  for (const [what, lose] of Object.entries({
    "is lost": (it) => it.fail(),
    "is late for a proxy": (it) => it.answer(504),
    "says that it is unconfirmed": (it) => it.refuse(503, "unconfirmed"),
  })) {
    test(`whose reply ${what} is not called refused if something else than the server refuses it later`, async () => {
      for (const later of [(it) => it.answer(403), (it) => it.refuse(503, "overloaded", { "Retry-After": "600" })]) {
        const { fixture, model } = await polling();
        const unknown = assert.rejects(model.send(command), { name: "TypeError", message: /may have executed/ });
        await lose(await fixture.server.next("/commands"));
        await fixture.clock.advance(250);
        await later(await fixture.server.next("/commands"));
        await unknown;
      }
    });

    test(`whose reply ${what} is refused if the server says so later`, async () => {
      for (const [status, code] of [[422, "invalid-command"], [500, "screen-failed"]]) {
        const { fixture, model } = await polling();
        const refused = assert.rejects(model.send(command), { code });
        await lose(await fixture.server.next("/commands"));
        await fixture.clock.advance(250);
        await (await fixture.server.next("/commands")).refuse(status, code);
        await refused;
      }
    });
  }

  test("that only busy servers and proxies have refused is refused", async () => {
    for (const [code, answer] of [["http-403", (it) => it.answer(403)],
      ["overloaded", (it) => it.refuse(503, "overloaded", { "Retry-After": "600" })]]) {
      const { fixture, model } = await polling();
      const refused = assert.rejects(model.send(command), { code });
      await (await fixture.server.next("/commands")).answer(429);
      await fixture.clock.advance(250);
      await answer(await fixture.server.next("/commands"));
      await refused;
    }
  });

  for (const status of [500, 501]) {
    test(`is not sent again after the status ${status}, which it keeps`, async () => {
      const answer = (/** @type {any} */ it) => it.answer(status);
      for (const answers of [[answer], [(/** @type {any} */ it) => it.fail(), answer]]) {
        const { fixture, model } = await polling();
        const failed = assert.rejects(model.send(command), { name: "ProblemError", status });
        for (const each of answers) {
          await each(await fixture.server.next("/commands"));
          await fixture.clock.advance(250);
        }
        assert.ok(await fixture.server.isIdle());
        await failed;
      }
    });
  }

  test("outlives the page if that is hidden or has lost the focus, and the command is small", async () => {
    const { fixture, model } = await listening();
    /** @type {[any, boolean, string, boolean][]} */
    const cases = [
      ["visible", true, "", false], ["visible", false, "", true],
      ["hidden", false, "", true], ["hidden", false, "🌱".repeat(5000), false],
    ];
    for (const [visibility, hasFocus, value, isKept] of cases) {
      await fixture.setVisibility(visibility);
      fixture.page.hasFocus = () => hasFocus;
      model.send({ ...command, value });
      const request = await fixture.server.next("/commands");
      assert.equal(request.keepalive, isKept);
      await request.answer(202, { accepted: true, revision: "r1" });
    }
  });

  test("is not sent again earlier because the connection changes without an answer", async () => {
    const { fixture, model } = await polling();
    model.send(command).catch(() => {});
    await (await fixture.server.next("/commands")).fail();
    for (const change of ["offline", "online", "offline"]) await fixture.windowEvent(change);
    assert.equal(fixture.server.paths.filter((path) => path.endsWith("/commands")).length, 1);
    model.close();
  });

  test("leaves nothing behind once it has its reply", async () => {
    const clock = new Clock();
    const sender = new CommandSender(null, { ...clock, random: Math.random }, defaultTiming);
    const { signal } = new AbortController();
    let looks = 0;
    Object.defineProperty(signal, "aborted", {
      get() {
        looks += 1;
        return false;
      },
    });
    let lost = 3;
    const reply = sender.repeat(async () => {
      if (lost-- > 0) throw new TypeError("the reply is lost");
      return "done";
    }, signal);
    await clock.advance(10_000);
    assert.equal(await reply, "done");
    assert.deepEqual(getEventListeners(signal, "abort"), []);
    // A pause that is over would look whether the command was abandoned.
    looks = 0;
    sender.wake();
    assert.equal(looks, 0);
  });
});
