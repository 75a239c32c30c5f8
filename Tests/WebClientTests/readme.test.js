import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { LiveServer, program } from "./support/live-server.js";

const file = (/** @type {string} */ path) => new URL(`../../${path}`, import.meta.url);

/**
 * Returns the example of the README as a module that imports the library and uses the test's
 * server. It stores its client where the test can close it.
 *
 * @param {string} base
 */
async function example(base) {
  const readme = await readFile(file("README.md"), "utf8");
  const code = /```js\n([^]*?)```/.exec(readme)?.[1] ?? assert.fail("there is no example");
  return code
    .replace('"./viewdelta.js"', JSON.stringify(file("Public/viewdelta.js").href))
    .replace("new ViewDelta()", `(globalThis.client = new ViewDelta({ base: "${base}" }))`);
}

describe("The README", { skip: program === null && "no server has been built" }, () => {
  test("has an example that renders each change of a screen", { timeout: 30_000 }, async () => {
    const server = await new LiveServer().start();
    const path = join(tmpdir(), `viewdelta-readme-${process.pid}.mjs`);
    /** @type {any} */
    const page = globalThis;
    /** @type {any[]} */
    const rendered = [];
    const loaded = new Promise((resolve) => {
      page.render = (/** @type {any} */ after, /** @type {any} */ diff) => {
        rendered.push({ after, diff });
        const states = Object.values(after.states);
        if (states.every((state) => state === "loaded")) resolve(undefined);
      };
    });
    try {
      await writeFile(path, await example(server.base));
      await import(path);
      await loaded;
      assert.equal(rendered[0].diff, null);
      assert.equal(rendered[0].after.screen, "profile/4");
      assert.ok(rendered.length > 2);
      for (const { diff } of rendered.slice(1)) assert.equal(diff.kind, "diff");
      const { body } = await server.request("/v1/view-models/profile/4");
      assert.equal(rendered.at(-1).after.digest, body.digest);
    } finally {
      page.client?.close();
      await rm(path, { force: true });
      await server.kill();
    }
  });
});
