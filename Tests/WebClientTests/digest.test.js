import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, test } from "node:test";
import { digest } from "../../Public/viewdelta.js";
import { fnv1a } from "../../Public/viewdelta/fnv.js";
import { program } from "./support/live-server.js";

/** Returns all objects in a document that have sections and a digest. */
function vectors(value) {
  if (value === null || typeof value !== "object") return [];
  const own = Array.isArray(value.sections) && typeof value.digest === "string" ? [value] : [];
  return [...own, ...Object.values(value).flatMap(vectors)];
}

describe("The digest", () => {
  const skip = program === null && "no server has been built";
  test("equals that of every snapshot in the OpenAPI document", { skip }, () => {
    const document = execFileSync(/** @type {string} */ (program), ["openapi"], { encoding: "utf8" });
    const all = vectors(JSON.parse(document));
    assert.ok(all.length >= 6, `${all.length} vectors`);
    for (const vector of all) assert.equal(digest(vector), vector.digest);
  });

  test("differs if any part of the content differs", () => {
    const content = () => ({
      sections: [
        { id: "posts", title: "Posts", rows: [{ id: "a", type: "post", title: "A" }, { id: "b", type: "post" }] },
        { id: "links", rows: [] },
      ],
      states: { posts: "loaded" },
    });
    assert.equal(digest(content()), digest(content()));
    const changes = [
      (it) => (it.states.posts = "failed"),
      (it) => (it.states.others = "loaded"),
      (it) => it.sections.reverse(),
      (it) => (it.sections[1].id = "others"),
      (it) => (it.sections[0].title = "Links"),
      (it) => (it.sections[1].title = null),
      (it) => it.sections[0].rows.reverse(),
      (it) => it.sections[1].rows.push(it.sections[0].rows.pop()),
      (it) => (it.sections[0].rows[0].id = "c"),
      (it) => (it.sections[0].rows[0].type = "link"),
      (it) => (it.sections[0].rows[0].title = "B"),
      (it) => (it.sections[0].rows[1].title = null),
    ];
    const digests = changes.map((change) => {
      const changed = content();
      change(changed);
      return digest(changed);
    });
    assert.equal(new Set([digest(content()), ...digests]).size, changes.length + 1);
  });

  test("freezes what it remembers the hash of, so that no change of it goes unnoticed", () => {
    const row = { id: "a", type: "post", tags: [{ name: "x" }] };
    const sections = [{ id: "posts", rows: [row] }];
    digest({ sections, states: {} });
    assert.throws(() => (row.type = "other"), TypeError);
    assert.throws(() => (row.tags[0].name = "y"), TypeError);
    assert.throws(() => sections[0].rows.push(row), TypeError);
  });

  test("reads a row once, however many digests it is part of", () => {
    let reads = 0;
    const row = { id: "a", type: "post", get title() { return (reads += 1, "A"); } };
    const contentOf = (title) => ({ sections: [{ id: "posts", title, rows: [row] }], states: {} });
    const once = digest(contentOf("x"));
    reads = 0;
    assert.notEqual(digest(contentOf("y")), once);
    assert.equal(reads, 0);
  });

  test("uses FNV-1a with its published results", () => {
    assert.equal(fnv1a(""), 0xcbf29ce484222325n);
    assert.equal(fnv1a("a"), 0xaf63dc4c8601ec8cn);
    assert.equal(fnv1a("foobar"), 0x85944171f73967e8n);
  });

  test("equals the definition of FNV-1a with integers for all bytes", () => {
    const definition = (text) =>
      new TextEncoder()
        .encode(text)
        .reduce(
          (hash, byte) => BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n),
          0xcbf29ce484222325n,
        );
    for (let code = 0; code < 2000; code += 7) {
      const text = String.fromCodePoint(code, 0x1f98a, code * 3).repeat(1 + (code % 40));
      assert.equal(fnv1a(text), definition(text));
    }
  });
});
