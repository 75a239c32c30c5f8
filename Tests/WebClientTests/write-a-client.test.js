import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { LiveServer, program } from "./support/live-server.js";

const file = (/** @type {string} */ path) => new URL(`../../${path}`, import.meta.url);

/**
 * Runs the examples of the article as one module that imports the library and uses the test's server. It adds its
 * clients to those that the test closes.
 *
 * @param {string} base
 */
async function runExamples(base) {
  const article = await readFile(file("Sources/ViewDelta/ViewDelta.docc/WriteAClient.md"), "utf8");
  const code = [...article.matchAll(/```js\n([^]*?)```/g)].map(([, example]) => example).join("");
  const path = join(tmpdir(), `viewdelta-article-${process.pid}.mjs`);
  try {
    await writeFile(path, code
      .replace('"./viewdelta.js"', JSON.stringify(file("Public/viewdelta.js").href))
      .replaceAll("new ViewDelta()", `globalThis.client(new ViewDelta({ base: "${base}" }))`));
    await import(path);
  } finally {
    await rm(path, { force: true });
  }
}

describe("The article Write a client", { skip: program === null && "no server has been built" }, () => {
  test("has examples that render each change of a screen, and a window", { timeout: 60_000 }, async (run) => {
    const server = await new LiveServer().start();
    /** @type {any} */
    const page = globalThis;
    /** @type {any[]} */
    const clients = [];
    // Also if the time is over, while the test still waits.
    run.after(async () => {
      for (const client of clients) client.close();
      await server.kill();
    });
    page.client = (/** @type {any} */ client) => (clients.push(client), client);
    /** @type {any[]} */
    const rendered = [];
    /** @type {boolean[]} */
    const connections = [];
    page.showConnection = (/** @type {boolean} */ isProven) => connections.push(isProven);
    page.showProblem = () => assert.fail("there is no problem");
    /** @type {any} */
    let window;
    const loaded = new Promise((resolve) => {
      page.render = (/** @type {any} */ after, /** @type {any} */ diff) => {
        if (after.window) window = after.window;
        else rendered.push({ after, diff });
        const states = Object.values(rendered.at(-1)?.after.states ?? { profile: "" });
        if (window && states.every((state) => state === "loaded")) resolve(undefined);
      };
    });
    await runExamples(server.base);
    await loaded;
    const { body: catalog } = await server.request("/v1/view-models/catalog/1");
    assert.deepEqual(window, { start: 200, count: 100, total: catalog.rowCount });
    assert.equal(rendered[0].diff, null);
    assert.equal(rendered[0].after.screen, "profile/4");
    assert.ok(rendered.length > 2 && connections.includes(true));
    for (const { diff } of rendered.slice(1)) assert.equal(diff.kind, "diff");
    const { body } = await server.request("/v1/view-models/profile/4");
    assert.equal(rendered.at(-1).after.digest, body.digest);
  });
});
