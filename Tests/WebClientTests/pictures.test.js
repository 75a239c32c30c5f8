import assert from "node:assert/strict";
import { test } from "node:test";
import { isAllowed, pictureSources } from "../../Public/page/pictures.js";

test("the sources of pictures are those of the policy of the page", () => {
  assert.deepEqual(
    pictureSources("default-src 'none'; img-src 'self' a.b c.d:8080; font-src 'self'"),
    ["'self'", "a.b", "c.d:8080"]);
  assert.deepEqual(pictureSources("default-src 'none'"), []);
  assert.deepEqual(pictureSources(null), []);
});

for (const [url, page, isShown] of [
  ["http://here:8080/a.svg", "http://here:8080/", true],
  ["http://here:8081/a.svg", "http://here:8080/", false],
  ["http://a.b/x.png", "http://here/", true],
  ["https://A.b/x.png", "http://here/", true],
  ["https://a.b/x.png", "https://here/", true],
  ["http://a.b/x.png", "https://here/", false],
  ["http://a.b:8080/x.png", "http://here/", false],
  ["http://c.d:8080/x.png", "http://here/", true],
  ["http://c.d/x.png", "http://here/", false],
  ["https://e.f/x.png", "http://here/", true],
  ["http://e.f/x.png", "http://here/", false],
  ["http://x.a.b/x.png", "http://here/", false],
  ["http://self/x.png", "http://here/", false],
]) {
  test(`a picture at ${url} is ${isShown ? "" : "not "}shown on ${page}`, () => {
    const sources = ["'self'", "a.b", "c.d:8080", "e.f:443"];
    assert.equal(isAllowed(new URL(url), new URL(page), sources), isShown);
  });
}
