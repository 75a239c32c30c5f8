import { diff, document } from "./documents.js";
import { Fixture } from "./fixture.js";

/** The content of a view model whose posts are in a state. */
export const content = (state, rows) => ({
  sections: [{ id: "posts", rows: rows.map((id) => ({ id, type: "post" })) }],
  states: { posts: state },
});
export const blank = document("r1", content("notRequested", []));
export const loading = document("r2", content("isLoading", ["loading"]));
/** The reply to the opening command. */
export const accepted = { accepted: true, revision: "r2", diff: diff(blank, loading) };

/** Opens a view model that was never loaded, up to the request of its stream. */
export async function opened(options, settings) {
  const fixture = new Fixture(settings);
  const { model, told } = await fixture.opened(blank, options);
  const requests = [await fixture.server.next(), await fixture.server.next()];
  const of = (end) => requests.find(({ path }) => path.endsWith(end));
  return { fixture, model, told, of };
}
