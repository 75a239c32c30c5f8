import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { apiPath } from "../../Public/viewdelta.js";
import { Fixture } from "./support/fixture.js";

describe("A path of the server", () => {
  test("keeps each segment separate, whatever its characters", () => {
    const keys = ["1", "a b", "ë🦊", "a/b", "?", "#", "%2e%2e", "...", ".a", "a..", "..\n"];
    for (const key of keys) {
      const { pathname } = new URL(apiPath("faults", "posts", key), "http://server");
      const segments = pathname.split("/").map(decodeURIComponent);
      assert.deepEqual(segments, ["", "v1", "faults", "posts", key]);
    }
  });

  test("refuses a segment that would change the path", () => {
    for (const key of ["", ".", "..", "\ud800", "a\udc00b"]) {
      assert.throws(() => apiPath("faults", "posts", key), TypeError, JSON.stringify(key));
    }
  });

  test("refuses the name of a view model that would change the path", async () => {
    const fixture = new Fixture();
    for (const name of ["profile/..", "profile/.", "../1", "./1", "profile/", "/1", "profile", "profile/a/b"]) {
      assert.throws(() => fixture.client.open(name), TypeError, name);
      assert.throws(() => fixture.client.sync([name]), TypeError, name);
    }
    const nameless = () => fixture.client.open(/** @type {any} */ (undefined));
    assert.throws(nameless, new TypeError('"undefined" is not a screen with its key, such as "profile/1"'));
    assert.ok(await fixture.server.isIdle());
    assert.deepEqual(fixture.server.paths, []);
  });
});
