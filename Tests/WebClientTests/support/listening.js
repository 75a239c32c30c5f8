import { snapshot } from "./documents.js";
import { Fixture } from "./fixture.js";

export const r1 = snapshot("r1", ["a"]);
export const r2 = snapshot("r2", ["a", "b"]);
export const r3 = snapshot("r3", ["b"]);

/** Opens a view model and its event stream. */
export async function listening(options) {
  const fixture = new Fixture(options);
  const { model, told } = await fixture.opened(r1);
  const stream = await (await fixture.server.next("/events")).stream();
  await stream.open();
  return { fixture, model, told, stream };
}

/** Opens a view model that polls, and answers its first poll. */
export async function polling(options) {
  const fixture = new Fixture({ transports: ["poll"], ...options });
  const { model, told } = await fixture.opened(r1);
  await (await fixture.server.next("/diff")).answer(204);
  return { fixture, model, told };
}
