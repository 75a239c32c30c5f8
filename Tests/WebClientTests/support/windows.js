import assert from "node:assert/strict";
import { seen, snapshot } from "./documents.js";
import { Fixture, rowIds } from "./fixture.js";

export const r1 = snapshot("r1", ["a", "b", "c", "d", "e", "f"]);
export const r2 = snapshot("r2", ["a", "b", "c", "d2", "e", "f"]);
export const [first, second, third] = [seen(r1, 0, 2), seen(r1, 2, 2), seen(r1, 4, 2)];
export const window = { start: 0, count: 2 };

/** A view model that shows the first two of six rows. */
export async function opened(options) {
  const fixture = new Fixture(options);
  return { fixture, ...(await fixture.opened(first, { window })) };
}

/** The same with an open stream. */
export async function listening() {
  const { fixture, ...rest } = await opened();
  const request = await fixture.server.next("/events");
  const stream = await request.stream();
  await stream.open();
  return { fixture, ...rest, request, stream };
}

/** The same with a long poll that waits. */
export async function waiting() {
  const { fixture, ...rest } = await opened({ transports: ["longPoll"] });
  await (await fixture.server.next("/diff")).answer(204);
  return { fixture, ...rest, poll: await fixture.server.next("/diff") };
}

/** Expects that a view model shows two rows from one on. */
export const isAt = (model, start, ids) => {
  assert.deepEqual(rowIds(model), ids);
  assert.deepEqual(model.snapshot.window, { start, count: 2, total: 6 });
};
