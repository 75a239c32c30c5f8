import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { polling } from "./support/listening.js";

describe("The commands of a view model", () => {
  const accepted = { accepted: true, revision: "r1" };
  const change = (row, value) => ({ type: "didChange", row, value });

  /** Answers all commands, and returns their bodies in the order in which they came. */
  async function answered(fixture, count) {
    const bodies = [];
    for (let number = 0; number < count; number++) {
      const request = await fixture.server.next("/commands");
      bodies.push(request.body);
      await assert.rejects(fixture.server.next("/commands"), undefined, "two are under way");
      await request.answer(200, accepted);
    }
    return bodies;
  }

  test("are under way one at a time, in their order", async () => {
    const { fixture, model } = await polling();
    const commands = [1, 2, 3, 4, 5].map((number) => ({ type: "toggle", number }));
    const replies = commands.map((command) => model.send(command));
    assert.deepEqual(await answered(fixture, 5), commands);
    for (const reply of replies) assert.deepEqual(await reply, accepted);
  });

  test("are sent as they were when they were given, even if one object is changed for each", async () => {
    const { fixture, model } = await polling();
    const command = { type: "setScore", score: 0 };
    const replies = [1, 2, 3].map((score) => model.send(Object.assign(command, { score })));
    const scores = (await answered(fixture, 3)).map(({ score }) => score);
    assert.deepEqual(scores, [1, 2, 3]);
    await Promise.all(replies);
  });

  test("go on behind one that is refused, and behind one whose reply is lost", async () => {
    const { fixture, model } = await polling();
    const refused = assert.rejects(model.send({ type: "a" }), { status: 422 });
    const repeated = model.send({ type: "b" });
    const last = model.send({ type: "c" });
    await (await fixture.server.next("/commands")).refuse(422, "unknown-command");
    await refused;
    await (await fixture.server.next("/commands")).fail();
    await fixture.clock.advance(250);
    assert.deepEqual(await answered(fixture, 2), [{ type: "b" }, { type: "c" }]);
    assert.deepEqual([await repeated, await last], [accepted, accepted]);
  });

  test("of one slot are replaced by the last of them while they wait", async () => {
    const { fixture, model } = await polling();
    const send = (row, value) => model.send(change(row, value), { slot: row });
    const replies = [send("name", "a"), send("name", "ab"), send("city", "x"), send("name", "abc")];
    assert.deepEqual(await answered(fixture, 3), [
      change("name", "a"),
      change("name", "abc"),
      change("city", "x"),
    ]);
    for (const reply of replies) assert.deepEqual(await reply, accepted);
  });

  test("of one slot stay in front of another command that waits between them", async () => {
    const { fixture, model } = await polling();
    const commands = [change("a", 0), change("a", 1), { type: "submit" }, change("a", 2)];
    const replies = commands.map((command) => model.send(command, { slot: command.row }));
    assert.deepEqual(await answered(fixture, 4), commands);
    await Promise.all(replies);
  });

  test("are abandoned together when the view model is closed", async () => {
    const { fixture, model } = await polling();
    const aborted = ["a", "b", "c"].map((type) =>
      assert.rejects(model.send({ type }), { name: "AbortError" }),
    );
    await fixture.server.next("/commands");
    model.close();
    await Promise.all(aborted);
    assert.ok(await fixture.server.isIdle());
  });

  test("are refused beyond a hundred that wait", async () => {
    const { model } = await polling();
    const ended = Array.from({ length: 101 }, () =>
      assert.rejects(model.send({ type: "a" }), { name: "AbortError" }),
    );
    await assert.rejects(model.send({ type: "a" }), RangeError);
    model.close();
    await Promise.all(ended);
  });
});
