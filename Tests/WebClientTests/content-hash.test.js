import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { canonical } from "../../Public/viewdelta.js";
import { contentHash } from "../../Public/viewdelta/content-hash.js";
import { snapshot } from "./support/documents.js";

const { subtle } = globalThis.crypto;

describe("The hash of a content", () => {
  test("is the SHA-256 of its canonical JSON, in base64url", async () => {
    const content = snapshot("r1", [{ id: "a", type: "post", title: "\u00e9?>\u{1f600}" }]);
    const text =
      '{"sections":[{"id":"posts","rows":[{"id":"a","title":"\u00e9?>\u{1f600}","type":"post"}]}],'
      + '"states":{"posts":"loaded"}}';
    const expected = createHash("sha256").update(text).digest("base64url");
    assert.equal(await contentHash(content, subtle), expected);
  });

  test("has the members in the order of their code points, in which JavaScript does not compare texts", () => {
    const names = ["", "date", "dateText", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{10ffff}"];
    const value = Object.fromEntries(names.toReversed().map((name) => [name, 0]));
    assert.equal(canonical(value), `{${names.map((name) => `"${name}":0`)}}`);
  });

  test("is the published hash for empty content", async () => {
    const nothing = { sections: [], states: {} };
    assert.equal(await contentHash(nothing, subtle), "47mQ3rkHVsTt2b2XU3tW8lAg9-mywJM9X0wvCfmAWpM");
  });

  test("ignores the revision, and is computed once for each snapshot", async () => {
    let computed = 0;
    const counting = {
      /** @param {string} name @param {Uint8Array} bytes */
      digest: (name, bytes) => {
        computed += 1;
        return subtle.digest(name, bytes);
      },
    };
    const [left, right] = [snapshot("r1", ["a"]), snapshot("r2", ["a"])];
    const hash = await contentHash(left, counting);
    assert.equal(await contentHash(left, counting), hash);
    assert.equal(computed, 1);
    assert.equal(await contentHash(right, counting), hash);
  });
});
